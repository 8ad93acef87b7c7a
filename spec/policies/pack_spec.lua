-- The pack policies, held against naive_packs.lua and cases worked by hand.
local naive = require "spec.support.naive_packs"
local orrery = require "orrery"
local packing = require "spec.support.packing"
local rounds = require "spec.support.rounds"

local BALANCES = { "end", "none", "each" }

describe("pack policies", function()
  local function same(problem, wanted, procs, result, i)
    local got = result:coschedule(i)
    local about = result.policies[i].name .. ", " .. packing.describe(problem)
    assert.equal(packing.text(wanted), packing.text(got:packs()), about)
    if procs then assert.same(procs, got:procs(), about) end
    local measured = naive.measure(problem, wanted, procs)
    assert.equal(measured.packs, result:values(i, "packs")[1], about)
    for _, metric in ipairs { "cost", "relative_cost", "packing_ratio", "relative_response" } do
      local value = result:values(i, metric)[1]
      assert.is_true(math.abs(measured[metric] - value) <= 1e-12 * value,
        ("%s of %s: %.17g, not %.17g"):format(metric, about, value, measured[metric]))
    end
  end

  it("are the paper's algorithms, in every reading", function()
    local rng = orrery.random(61)
    local policies = { "one-by-one", "pack-by-pack:runs=9" }
    for _, balance in ipairs(BALANCES) do
      policies[#policies + 1] = "pack-approx:balance=" .. balance
    end
    for e = 1, 9 do policies[#policies + 1] = "pack-by-pack:epsilon=" .. e / 10 end
    for e = 1, 9 do policies[#policies + 1] = policies[5 + e] .. ",fill=fullest" end
    for _ = 1, rounds(50, 50, 10) do
      local problem = packing.problem(rng, 9, 10, rng:integer(1, 3) == 1)
      local result = packing.run(problem, policies)
      local alone = {}
      for i in ipairs(problem.times) do alone[i] = { i } end
      same(problem, alone, nil, result, 1)
      for b, balance in ipairs(BALANCES) do
        local packs, procs = naive.approx(problem, balance)
        same(problem, packs, procs, result, 2 + b)
      end
      local best, least = nil, math.huge
      for e = 1, 9 do
        local packs = naive.pack_by_pack(problem, e / 10)
        same(problem, packs, nil, result, 5 + e)
        same(problem, naive.pack_by_pack(problem, e / 10, true), nil, result, 14 + e)
        local cost = naive.cost(problem, packs)
        if cost < least then best, least = packs, cost end
      end
      same(problem, best, nil, result, 2)
    end
  end)

  it("cost at least the optimum and the bounds, and pass the checker", function()
    local rng = orrery.random(62)
    local policies = { "optimal", "pack-approx", "pack-approx:balance=none", "pack-by-pack",
      "pack-by-pack:runs=9", "random-pack", "random-pack:runs=9", "random-proc",
      "pack-by-pack:runs=9,fill=fullest",
      "random-proc:runs=9", "sorted-cuts", "sorted-cuts:swaps=true", "one-by-one" }
    for _ = 1, rounds(40, 40, 10) do
      local problem = packing.problem(rng, 6, 8, rng:integer(1, 3) == 1)
      local optimum = naive.optimum(problem)
      local longest, work = naive.bounds(problem)
      local result = packing.run(problem, policies, { seed = rng:integer(1, 1000) })
      local about = packing.describe(problem)
      for i in ipairs(policies) do
        local coschedule = result:coschedule(i)
        assert(coschedule:check())
        assert.is_true(coschedule.cost >= optimum * (1 - 1e-12), about)
        assert.is_true(coschedule.cost >= math.max(longest, work) * (1 - 1e-12), about)
        assert.is_true(result:values(i, "over_bound")[1] >= 1 - 1e-12, about)
      end
      local found = result:coschedule(1).cost
      assert.is_true(math.abs(found - optimum) <= 1e-12 * optimum, about)
      assert.is_true(result:coschedule(5).cost <= result:coschedule(4).cost, about)
    end
  end)

  it("stay within three times the optimum where that is proven: PACK-APPROX with k = p", function()
    local rng = orrery.random(63)
    for _ = 1, rounds(40, 40, 20) do
      local problem = packing.problem(rng, 6, 6, rng:integer(1, 3) == 1)
      problem.k = problem.procs
      local optimum, policies = naive.optimum(problem), {}
      for b, balance in ipairs(BALANCES) do policies[b] = "pack-approx:balance=" .. balance end
      local result = packing.run(problem, policies)
      for i in ipairs(policies) do
        assert.is_true(result:coschedule(i).cost <= 3 * optimum * (1 + 1e-12),
          packing.describe(problem))
      end
    end
  end)

  it("two-in-p is the optimum with k = 2", function()
    local rng = orrery.random(64)
    for _ = 1, rounds(100, 100, 20) do
      local problem = packing.problem(rng, 7, 7, rng:integer(1, 3) == 1)
      problem.k = math.min(2, problem.procs)
      local optimum = naive.optimum(problem)
      if problem.k == 2 then
        local cost = packing.run(problem, { "two-in-p" }):coschedule().cost
        assert.is_true(math.abs(cost - optimum) <= 1e-12 * optimum, packing.describe(problem))
      end
    end
  end)

  -- --- by hand --------------------------------------------------------------------------------

  local function tasks(rows)
    local list = {}
    for i, times in ipairs(rows) do list[i] = { times = times } end
    return orrery.tasks.list(list)
  end

  local function packs_of(spec)
    local result = orrery.packs(spec)
    local list = {}
    for b, pack in ipairs(result:packs()) do
      local cells = {}
      for x, id in ipairs(pack.tasks) do cells[x] = id .. ":" .. pack.procs[x] end
      list[b] = ("%s = %g"):format(table.concat(cells, " "), pack.cost)
    end
    return table.concat(list, ", ")
  end

  -- On 4 processors: 1 (12, 6, 4, 3), 2 and 3 (6, 3, 2, 1.5), 4 (2, 1, 2/3, 1/2).
  local PERFECT = tasks { { 12, 6, 4, 3 }, { 6, 3, 2, 1.5 }, { 6, 3, 2, 1.5 },
    { 2, 1, 2 / 3, 0.5 } }

  it("one-by-one: everybody on all processors, the shortest first", function()
    assert.equal("4:4 = 0.5, 2:4 = 1.5, 3:4 = 1.5, 1:4 = 3",
      packs_of { tasks = PERFECT, procs = 4, policy = "one-by-one" })
  end)

  it("pack-by-pack: with epsilon 0.5, worked by hand", function()
    -- 1: 12 alone asks for 1; with 2 processors 6, and 2 and 3 take half of it or more: 4 wanted.
    -- Left is 4, alone: processors are added until it has all of them.
    assert.equal("4:4 = 0.5, 1:2 2:1 3:1 = 6",
      packs_of { tasks = PERFECT, procs = 4, policy = "pack-by-pack" })
    -- With k = 2 the pack stops at 1 and 2. Algorithm 1 gives 1 the second processor, with which it
    -- takes 6 as 2 does, and as the first of the two also the third. 3 gets processors until 4,
    -- which has one, takes half as long, and both together ask for all: 3:3 4:1.
    assert.equal("3:3 4:1 = 2, 1:3 2:1 = 6",
      packs_of { tasks = PERFECT, procs = 4, k = 2, policy = "pack-by-pack" })
  end)

  it("pack-approx: as printed, worked by hand", function()
    -- Two processors. 1 (10, 6), 2 (4, 4), 3 (4, 2). One each: 10 with 2, and 3 alone: 14. Work
    -- 18 / 2 is not above 10: 1 gets its second: 6, then 2 and 3 together: 10, and 1 has all.
    local three = tasks { { 10, 6 }, { 4, 4 }, { 4, 2 } }
    assert.equal("2:1 3:1 = 4, 1:2 = 6",
      packs_of { tasks = three, procs = 2, policy = "pack-approx:balance=none" })
  end)

  it("pack-approx: the best processors inside the packs save what first fit left idle", function()
    -- 3 processors, k = 2. One each: 1 and 2 cost 9, then 3 alone on one 8. Work 25/3 is below 9.
    local three = tasks { { 9, 9, 9 }, { 8, 8, 8 }, { 8, 4, 8 / 3 } }
    local none = orrery.packs { tasks = three, procs = 3, k = 2,
      policy = "pack-approx:balance=none" }
    local balanced = orrery.packs { tasks = three, procs = 3, k = 2, policy = "pack-approx" }
    assert.is_true(balanced:coschedule().cost < none:coschedule().cost)
    assert.equal("3:3 = 2.66667, 1:2 2:1 = 9",
      packs_of { tasks = three, procs = 3, k = 2, policy = "pack-approx" })
  end)

  it("random ones draw from the run's stream, and the best of nine is no worse", function()
    local rng, list = orrery.random(65), {}
    for i = 1, 12 do list[i] = { m = rng:uniform(100, 10000) } end
    local spec = { tasks = orrery.tasks.list(list), procs = 16, k = 4, runs = 20,
      policies = { "random-pack", "random-pack:runs=9", "random-proc", "random-proc:runs=9" } }
    local first, again = orrery.packs(spec), orrery.packs(spec)
    spec.seed = 2
    local other = orrery.packs(spec)
    for i = 1, 4 do
      assert.same(first:values(i, "cost"), again:values(i, "cost"))
      assert.not_same(first:values(i, "cost"), other:values(i, "cost"))
    end
    for _, i in ipairs { 1, 3 } do
      for run = 1, 20 do -- both begin with the same draw
        assert.is_true(first:values(i + 1, "cost")[run] <= first:values(i, "cost")[run])
      end
    end
  end)

  it("random-pack makes packs of one to k tasks, each as often", function()
    local list, sizes = {}, { 0, 0, 0, 0 }
    for i = 1, 400 do list[i] = { times = { 1 } } end
    for _, pack in ipairs(orrery.packs { tasks = orrery.tasks.list(list), procs = 4,
      policy = "random-pack" }:packs()) do
      sizes[#pack.tasks] = sizes[#pack.tasks] + 1
    end
    for size = 1, 4 do assert.is_true(sizes[size] > 20, "packs of " .. size) end
  end)

  it("sorted-cuts cuts where it pays", function()
    -- Two long and two short tasks that do not speed up: long with long, short with short.
    local four = tasks { { 10 }, { 1 }, { 10 }, { 1 } }
    assert.equal("2:1 4:1 = 1, 1:1 3:1 = 10",
      packs_of { tasks = four, procs = 2, policy = "sorted-cuts" })
  end)

  it("sorted-cuts beats PACK-BY-PACK-9 where tasks stop to get faster one by one", function()
    local rng, list = orrery.random(66), {}
    for i = 1, 40 do
      list[i] = { m = rng:uniform(1e3, 1e5), profile = "amdahl", f = rng:uniform(0, 0.3) }
    end
    local spec = { tasks = orrery.tasks.list(list), procs = 32, k = 4,
      policies = { "pack-by-pack:runs=9", "sorted-cuts", "sorted-cuts:swaps=true" } }
    local result = orrery.packs(spec)
    assert.is_true(result:coschedule(2).cost < 0.95 * result:coschedule(1).cost)
    assert.is_true(result:coschedule(3).cost <= result:coschedule(2).cost)
  end)

  it("annealed moves also where it costs something: ahead of sorted-cuts #long", function()
    local spec = { tasks = orrery.tasks.synthetic { n = 100, seed = 5 }, procs = 128, k = 64,
      seed = 3,
      policies = { "sorted-cuts:swaps=true", "annealed:tries=600", "annealed:tries=3" } }
    local result = orrery.packs(spec)
    local cuts, annealed, hardly = result:coschedule(1), result:coschedule(2), result:coschedule(3)
    assert.is_true(annealed.cost < 0.995 * cuts.cost, annealed.cost / cuts.cost)
    assert.is_true(hardly.cost > annealed.cost)
    assert.equal(annealed.cost, orrery.packs(spec):coschedule(2).cost)
  end)

  it("annealed finds the optimum of small problems", function()
    local rng, found, count = orrery.random(68), 0, rounds(20, 20, 8)
    for _ = 1, count do
      local list = {}
      for i = 1, 8 do
        list[i] = { m = rng:uniform(1e3, 1e5), profile = "amdahl", f = rng:uniform(0, 0.3) }
      end
      local result = orrery.packs { tasks = orrery.tasks.list(list), procs = 8, k = 4,
        policies = { "optimal", "annealed" } }
      local ratio = result:coschedule(2).cost / result:coschedule(1).cost
      assert.is_true(ratio > 1 - 1e-12)
      if ratio < 1 + 1e-12 then found = found + 1 end
    end
    assert.is_true(found >= 0.75 * count, tostring(found))
  end)

  it("say what is wrong with their options", function()
    local function problem(policy)
      return select(2, pcall(orrery.packs, { tasks = PERFECT, procs = 4, policy = policy }))
    end
    assert.equal("policy pack-by-pack:epsilon=2: option epsilon: expected a number from 0 to 1, "
      .. "found '2'", problem "pack-by-pack:epsilon=2")
    local wrong = { "pack-by-pack:runs=1.5", "random-pack:runs=0", "random-proc:runs=0" }
    for _, policy in ipairs(wrong) do
      assert.equal(("policy %s: option runs: expected a whole number of at least 1, found '%s'")
        :format(policy, policy:match "=(.*)"), problem(policy))
    end
    assert.matches("balance: expected end, none, each, found 'often'",
      problem "pack-approx:balance=often")
    local many = {}
    for i = 1, 40 do many[i] = { times = { i } } end
    assert.matches("optimal.lua:5: the optimum is searched for at most 24 tasks, not for "
      .. "40", select(2, pcall(orrery.packs, { tasks = orrery.tasks.list(many), procs = 4,
        policy = "optimal" })))
  end)
end)
