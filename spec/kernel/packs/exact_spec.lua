-- Exact optima and lower bounds, against all partitions; the integer program, solved by others.
local moldable = require "spec.support.moldable"
local native = require "native_packs"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local function near(expected, value, what)
  if math.abs(value - expected) > 1e-12 * expected then
    error(("%s: %.17g, expected %.17g"):format(what, value, expected), 2)
  end
end

-- Five tasks on four processors, solved by hand. The long one needs all of them; each of the others
-- takes 6 s on one processor, 4 s on two.
local function five(k)
  local list = { { id = "long", times = { 40, 20, 14, 11 } } }
  for i = 2, 5 do list[i] = { times = { 6, 4 } } end
  return orrery.pack_problem { tasks = orrery.tasks.list(list), procs = 4, k = k }
end

describe("the optimum", function()
  it("by hand", function()
    assert.equal(11 + 6, five(4):optimal().cost) -- all four small ones together
    assert.equal(11 + 4 + 4, five(3):optimal().cost) -- 11 + 6 + 4 with three together
    assert.equal(11 + 4 + 4, five(2):optimal().cost)
    assert.equal(11 + 4 * 4, five(1):optimal().cost)
    assert.same({ { 1 }, { 2, 3, 4, 5 } }, five():optimal():packs())
  end)

  it("is the best of all partitions, on thousands of random problems, and no bound is above it",
    function()
      local rng = orrery.random(69)
      for trial = 1, rounds(1200, 1200, 20) do
        local one = moldable.random(rng, 8, 10)
        local problem = moldable.problem(one)
        local best, c = moldable.brute_force(one, one.most), problem:optimal()
        assert(c:check())
        near(best, c.cost, "optimum of " .. trial)
        for name, bound in pairs(problem:bounds()) do
          if bound > best * (1 + 1e-12) then
            error(("%d: %s is %.17g, the optimum %.17g"):format(trial, name, bound, best))
          end
        end
      end
    end)

  it("is no less than a third of PACK-APPROX in every balance, where k is p", function()
    local rng = orrery.random(70)
    for trial = 1, rounds(500, 500, 21) do
      local one = moldable.random(rng, 8, 10)
      one.k, one.most = nil, math.min(one.n, one.p)
      local best = moldable.problem(one):optimal().cost
      for _, balance in ipairs { "none", "end", "each" } do
        local cost = moldable.pack_approx(one, balance)
        if cost > 3 * best then
          error(("%d, %s: %g > 3 * %g"):format(trial, balance, cost, best))
        end
      end
    end
  end)

  it("refuses more tasks than it can look through", function()
    local problem = orrery.pack_problem { tasks = orrery.tasks.synthetic { n = 25 }, procs = 4 }
    assert.has_error(function() problem:optimal() end,
      "the optimum is searched for at most 24 tasks, not for 25")
  end)
end)

describe("two in p", function()
  it("by hand", function()
    assert.equal(11 + 4 + 4, five(2):two_in_p().cost)
    assert.equal(11 + 4 + 4, five(4):two_in_p().cost) -- k is no matter
    assert.equal(11 + 4 * 4, five(1):two_in_p().cost)
    -- 3 + 3 together with others is worse than 1 with 2 and 3 with 4
    local tasks = orrery.tasks.list { { times = { 9 } }, { times = { 8 } }, { times = { 3 } },
      { times = { 2 } } }
    assert.equal(12, orrery.pack_problem { tasks = tasks, procs = 2 }:two_in_p().cost)
  end)

  it("is the best of all pairings, on thousands of random problems", function()
    local rng = orrery.random(71)
    for trial = 1, rounds(1200, 1200, 20) do
      local one = moldable.random(rng, 8, 10)
      local c = moldable.problem(one):two_in_p()
      assert(c:check())
      near(moldable.brute_force(one, math.min(2, one.most)), c.cost, "two in p of " .. trial)
    end
  end)

  it("is what the subsets give for up to 15 tasks", function()
    local rng = orrery.random(72)
    for trial = 1, rounds(150, 150, 20) do
      local one = moldable.random(rng, 15, 12)
      one.k = 2
      local problem = moldable.problem(one)
      near(problem:optimal().cost, problem:two_in_p().cost, "two in p of " .. trial)
    end
  end)

  it("is no worse than a greedy pairing, and no better than the bounds, for 81 tasks", function()
    local rng, list = orrery.random(73), {}
    for i = 1, 81 do
      local first, f = rng:integer(1, 100), rng:uniform(0, 0.5)
      list[i] = { most = 16, time = function(j) return first * (f + (1 - f) / j) end }
    end
    local problem = orrery.pack_problem { tasks = orrery.tasks.list(list), procs = 16, k = 2 }
    local c = problem:two_in_p()
    assert(c:check())
    assert.is_true(c.cost >= problem:bounds().best * (1 - 1e-12))
    local by_time, packs = {}, {}
    for i = 1, 81 do by_time[i] = i end
    table.sort(by_time, function(a, b) return problem:time(a, 1) > problem:time(b, 1) end)
    for i = 1, 81, 2 do packs[#packs + 1] = { by_time[i], by_time[i + 1] } end
    assert.is_true(c.cost < problem:coschedule(packs).cost)
  end)
end)

describe("the solvers", function()
  it("refuse what would take too much memory", function()
    local tasks = orrery.tasks.synthetic { n = 4097 }
    assert.has_error(function() orrery.pack_problem { tasks = tasks, procs = 4 }:two_in_p() end,
      "two in p is solved for at most 4096 tasks, not for 4097")
  end)

  for _, name in ipairs { "optimal", "two-in-p" } do
    it("stop when they are asked to: " .. name, function()
      local stopped, message, bytes = native.cancelled(name)
      assert.is_true(stopped)
      assert.equal("interrupted while looking for the optimum", message)
      assert.equal(0, bytes)
    end)
  end
end)

describe("bounds", function()
  it("by hand", function()
    -- work on one processor: 40 + 4 * 6; times on all: 11, 4, 4, 4, 4
    local b = five(2):bounds()
    assert.equal(11, b.longest)
    assert.equal(64 / 4, b.work)
    assert.equal(11 + 4 + 4, b.layers)
    assert.equal(19, b.best)
    -- three tasks that need more than half of the machine each
    local tasks = orrery.tasks.list { { times = { 7 } }, { times = { 7 } }, { times = { 7 } } }
    local wide = orrery.pack_problem { tasks = tasks, procs = 5, least = { 3, 3, 3 } }
    assert.equal(21, wide:bounds().mixed)
    assert.equal(3 * 21 / 5, wide:bounds().work)
  end)

  it("are close where parts of packs are allowed: two tasks that fill a machine exactly", function()
    -- 10 s on 2 each, together 4 of 4 processors; the first alone would take 6 s, the second, too
    local tasks = orrery.tasks.list { { times = { 20, 10, 8, 6 } }, { times = { 20, 10, 8, 6 } } }
    local problem = orrery.pack_problem { tasks = tasks, procs = 4 }
    assert.equal(10, problem:optimal().cost)
    assert.near(10, problem:bounds().fractional, 1e-7)
  end)

  it("come within a few percent of the optimum, and are shares that no pack exceeds", function()
    local rng, sum, count = orrery.random(76), 0, 40
    for _ = 1, count do
      local n, list = rng:integer(8, 13), {}
      for i = 1, n do
        local first, f = rng:uniform(100, 1000), rng:uniform(0, 0.3)
        list[i] = { most = 24, time = function(j) return first * (f + (1 - f) / j) end }
      end
      local problem = orrery.pack_problem {
        tasks = orrery.tasks.list(list), procs = 24, k = rng:integer(2, n),
      }
      local b, best = problem:bounds(), problem:optimal().cost
      assert.is_true(b.fractional >= b.mixed * (1 - 1e-12))
      sum = sum + b.fractional / best
    end
    assert.is_true(sum / count > 0.95 and sum / count < 1)
  end)

  it("hold for large problems, where not every number of processors is looked at #long", function()
    local n = rounds(600, 600, 120)
    local tasks = orrery.tasks.synthetic { n = n, m = { 1000, 1e5 }, seed = 5 }
    for _, k in ipairs { 2, 30, n } do
      local problem = orrery.pack_problem { tasks = tasks, procs = 3000, k = k }
      local b = problem:bounds()
      local a, packs = problem:allocation(), {}
      while a:head() do
        local _, _, longest = a:grow(0.3)
        packs[#packs + 1] = a:take(0.7 * longest)
      end
      local cost = problem:coschedule(packs).cost
      assert.is_true(b.best <= cost)
      assert.is_true(b.best >= math.max(b.longest, b.work, b.layers))
      if k == 2 then assert.is_true(b.best <= problem:two_in_p().cost) end
    end
  end)
end)

-- --- the integer program -------------------------------------------------------------------------

local function has(program)
  return os.execute(("command -v %s >/dev/null 2>&1"):format(program)) == true
end

-- The optimal value, as a solver prints it.
local function solve(path)
  local solution = os.tmpname()
  if has "glpsol" then
    os.execute(("glpsol --lp %s --tmlim 60 -o %s >/dev/null 2>&1"):format(path, solution))
  else
    os.execute(("cbc %s solve solution %s >/dev/null 2>&1"):format(path, solution))
  end
  local file = assert(io.open(solution))
  local text = file:read "a"
  file:close()
  os.remove(solution)
  assert(text:find "OPTIMAL" or text:find "Optimal", text)
  return tonumber(text:match "Objective:%s+%S+%s+=%s+(%S+)"
    or text:match "objective value%s+(%S+)")
end

describe("the integer program", function()
  it("is the one of theorem 4, by hand", function()
    local tasks = orrery.tasks.list { { times = { 4, 2.5 } }, { times = { 3 } } }
    local path = os.tmpname()
    orrery.pack_problem { tasks = tasks, procs = 2, k = 1, least = { 1, 2 } }:write_lp(path)
    local file = assert(io.open(path))
    assert.equal(table.concat({
      [[\ k-IN-p-COSCHEDULE: n = 2 tasks, p = 2 processors, k = 1 tasks in a pack]],
      "Minimize", " cost: + y_1 + y_2", "Subject To",
      " i_1: + x_1_1_1 + x_1_2_1 + x_1_1_2 + x_1_2_2 = 1",
      " i_2: + x_2_2_1 + x_2_2_2 = 1",
      " ii_1: + x_1_1_1 + x_1_2_1 + x_2_2_1 <= 1",
      " iii_1: + 1 x_1_1_1 + 2 x_1_2_1 + 2 x_2_2_1 <= 2",
      " iv_1_1_1: 4 x_1_1_1 - y_1 <= 0", " iv_1_2_1: 2.5 x_1_2_1 - y_1 <= 0",
      " iv_2_2_1: 3 x_2_2_1 - y_1 <= 0",
      " ii_2: + x_1_1_2 + x_1_2_2 + x_2_2_2 <= 1",
      " iii_2: + 1 x_1_1_2 + 2 x_1_2_2 + 2 x_2_2_2 <= 2",
      " iv_1_1_2: 4 x_1_1_2 - y_2 <= 0", " iv_1_2_2: 2.5 x_1_2_2 - y_2 <= 0",
      " iv_2_2_2: 3 x_2_2_2 - y_2 <= 0",
      "Binary", " x_1_1_1", " x_1_1_2", " x_1_2_1", " x_1_2_2", " x_2_2_1", " x_2_2_2", "End", "",
    }, "\n"), file:read "a")
    file:close()
    os.remove(path)
  end)

  it("has our optimum, by another solver #long", function()
    if not has "glpsol" and not has "cbc" then
      pending "there is neither glpsol nor cbc"
      return
    end
    local rng, path = orrery.random(74), os.tmpname()
    for trial = 1, 25 do
      local one = moldable.random(rng, 5, 4)
      local problem = moldable.problem(one)
      problem:write_lp(path)
      local value, best = solve(path), problem:optimal().cost
      if math.abs(value - best) > 1e-6 * best then
        error(("%d: the program's optimum is %.17g, ours %.17g"):format(trial, value, best))
      end
    end
    os.remove(path)
  end)

  it("is not written when it is too large, or nobody takes it", function()
    local message, bytes = native.program(1000, 100, 0)
    assert.equal("the integer program of 1000 tasks on 100 processors has 100001000 variables, "
      .. "more than 20000000", message)
    assert.equal(0, bytes)
    assert.equal("the integer program could not be written", (native.program(20, 20, 50000)))
    assert.is_nil((native.program(20, 20, 1000000000)))
    local problem = five(2)
    assert.has_error(function() problem:write_lp "/no/such/folder/a.lp" end)
  end)
end)
