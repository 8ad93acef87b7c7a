-- Lemons, domains, and nodes that are retired, each against a naive reading of the raw failures.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local HORIZON = 1e6

-- What fails on a machine on which nothing runs.
local function outages(node_failures, procs, more)
  local spec = { procs = procs, policy = "easy", node_failures = node_failures,
    jobs = orrery.jobs { { submit = 0, procs = 1, time = 0 },
      { submit = 2 * HORIZON, procs = 1, time = 1 } } }
  for key, value in pairs(more or {}) do spec[key] = value end
  local s = orrery.session(spec)
  s:run_until(HORIZON)
  return s:outages()
end

-- first processor -> list of the starts of outages.
local function by_place(list)
  local places = {}
  for _, o in ipairs(list) do
    places[o.first] = places[o.first] or {}
    table.insert(places[o.first], o.start)
  end
  return places
end

-- Whether a sample has this mean, within 4 standard errors.
local function has_mean(sample, expected)
  local sum, squares = 0, 0
  for _, x in ipairs(sample) do sum, squares = sum + x, squares + x * x end
  local mean = sum / #sample
  local error = math.sqrt((squares / #sample - mean * mean) / #sample)
  return math.abs(mean - expected) < 4 * error, ("%g +- %g, not %g"):format(mean, error, expected)
end

describe("lemons", function()
  local MTBF, SHARE, FACTOR, NODES = 4e6, 0.2, 9, 100

  it("of exponential failures fail more by a process of their own, all else as without", function()
    local totals, lemons, lemons_failures = {}, {}, {}
    for scenario = 1, rounds(150, 150, 25) do
      local plain = outages({ mtbf = MTBF }, NODES, { scenario = scenario })
      local all = outages({ mtbf = MTBF, lemons = { share = SHARE, factor = FACTOR } }, NODES,
        { scenario = scenario })
      local more, seen, there = {}, 0, {}
      for _, o in ipairs(plain) do there[o.first .. " " .. o.start] = true end
      for _, o in ipairs(all) do
        if there[o.first .. " " .. o.start] then
          seen = seen + 1
        else
          more[o.first] = (more[o.first] or 0) + 1
        end
      end
      assert.equal(#plain, seen)
      local count = 0
      for _ in pairs(more) do count = count + 1 end
      totals[scenario], lemons[scenario] = #all, count
      lemons_failures[scenario] = #all - #plain
    end
    local each = HORIZON / MTBF
    assert(has_mean(totals, NODES * each * (1 + SHARE * (FACTOR - 1))))
    assert(has_mean(lemons_failures, NODES * each * SHARE * (FACTOR - 1)))
    assert(has_mean(lemons, NODES * SHARE * (1 - math.exp(-(FACTOR - 1) * each))))
  end)

  it("of other laws have gaps that are shorter by the factor", function()
    local shares = {}
    for scenario = 1, rounds(60, 60, 10) do
      local law = scenario % 2 == 0 and "weibull" or "lognormal"
      local given = { mtbf = 3e5, law = law, shape = 0.8 }
      local plain = by_place(outages(given, 40, { scenario = scenario }))
      given.lemons = "0.25:4"
      local found = by_place(outages(given, 40, { scenario = scenario }))
      local lemons, nodes = 0, 0
      for place, times in pairs(plain) do
        local is_lemon = math.abs(found[place][1] - times[1]) > 1e-6
        for n, time in ipairs(times) do
          assert.is_true(math.abs(found[place][n] - (is_lemon and time / 4 or time)) < 1e-6)
        end
        assert.is_true(is_lemon or #found[place] == #times)
        lemons, nodes = lemons + (is_lemon and 1 or 0), nodes + 1
      end
      shares[scenario] = lemons / nodes
    end
    assert(has_mean(shares, 0.25))
  end)

  it("can be none and all", function()
    local plain = outages({ mtbf = 1e5 }, 20)
    assert.same(plain, outages({ mtbf = 1e5, lemons = "0:5" }, 20))
    assert.same(plain, outages({ mtbf = 1e5, lemons = "0.5:1" }, 20))
    local weibull = { mtbf = 4e5, law = "weibull", shape = 2, lemons = "1:4" }
    assert.same(outages({ mtbf = 1e5, law = "weibull", shape = 2 }, 20), outages(weibull, 20))
  end)
end)

describe("domains", function()
  it("fail as a whole, as often as they are to; their nodes fail as without", function()
    local counts = {}
    for scenario = 1, rounds(150, 150, 25) do
      -- 9 nodes of 2 processors, the last with 1; domains of 4 nodes: 0-7, 8-15, 16
      local given = { mtbf = 3e5, procs = 2 }
      local plain = outages(given, 17, { scenario = scenario })
      given.domains = "4:200000"
      local nodes, count = {}, 0
      for _, o in ipairs(outages(given, 17, { scenario = scenario })) do
        local is_node = o.procs == 2 or o.first == 16 and plain[#nodes + 1]
          and plain[#nodes + 1].start == o.start
        if is_node then
          nodes[#nodes + 1] = o
        else
          assert.same({ 0, o.first == 16 and 1 or 8 }, { o.first % 8, o.procs })
          count = count + 1
        end
      end
      assert.same(plain, nodes)
      counts[scenario] = count
    end
    assert(has_mean(counts, 3 * HORIZON / 200000))
  end)

  it("fail not while they are repaired, nor do their nodes; repairs are their own", function()
    local of_nodes, of_domains, ignored = 0, 0, 0
    for scenario = 1, 40 do
      local given = { mtbf = 2e5, procs = 2, repair = 5000, domains = { nodes = 4, mtbf = "2d" },
        domain_repair = "2h" }
      local down = {} -- processor -> until when
      local domain_down = {}
      for _, o in ipairs(outages(given, 32, { scenario = scenario })) do
        local whole = o.procs == 8
        assert.equal(whole and 7200 or 5000, math.floor(o.finish - o.start + 0.5))
        assert.is_true(whole or o.start >= (down[o.first] or 0))
        assert.is_true(not whole or o.start >= (domain_down[o.first] or 0))
        for p = o.first, o.first + o.procs - 1 do
          ignored = ignored + ((down[p] or 0) > o.finish and 1 or 0)
          down[p] = math.max(down[p] or 0, o.finish)
        end
        if whole then domain_down[o.first] = o.finish end
        of_domains, of_nodes = of_domains + (whole and 1 or 0), of_nodes + (whole and 0 or 1)
      end
    end
    assert.is_true(of_nodes > 1000 and of_domains > 500)
  end)

  it("end all attempts that they hold, and may be all that fails", function()
    local struck = 0
    for seed = 1, 30 do
      local rows, rng = {}, orrery.random { seed = seed }
      for i = 1, 40 do
        rows[i] = { submit = 4 * i, procs = rng:integer(1, 9), time = rng:integer(5, 40) }
      end
      local s = orrery.session { jobs = orrery.jobs(rows), procs = 16, policy = "easy", seed = seed,
        node_failures = { procs = 2, domains = "3:400", repair = "weibull:30,0.7" } }
      s:finish()
      assert.is_true(s:check())
      for _, o in ipairs(s:outages()) do
        assert.same({ 0, o.first == 12 and 4 or 6 }, { o.first % 6, o.procs })
        for _, a in ipairs(s:schedule()) do
          for low, high in (a.processors .. " "):gmatch "(%d+)%-?(%d*) " do
            high = tonumber(high) or tonumber(low)
            local held = tonumber(low) < o.first + o.procs and high >= o.first
            assert.is_false(held and a.start < o.start and a.finish > o.start)
            assert.is_false(held and a.start >= o.start and a.start < o.finish)
          end
          struck = struck + (a.outcome == "node_failure" and a.finish == o.start and 1 or 0)
        end
      end
    end
    assert.is_true(struck > 50)
  end)
end)

describe("nodes that are retired", function()
  -- What a raw list of failures, none of them ignored, comes to: a node's n-th failure takes a
  -- spare, as long as there are some.
  local function naive(raw, n, spares, swap, repair)
    local down, count, list = {}, {}, {}
    for _, o in ipairs(raw) do
      if o.start >= (down[o.first] or 0) then
        local failures = (count[o.first] or 0) + 1
        local finish = o.start + repair
        if failures % n == 0 then
          finish = spares > 0 and o.start + swap or math.huge
          spares = math.max(spares - 1, 0)
        end
        count[o.first], down[o.first] = failures, finish
        list[#list + 1] = { what = "failure", first = o.first, procs = o.procs, start = o.start,
          finish = finish }
      end
    end
    return list
  end

  it("are replaced as long as there are spares, then their places stay empty", function()
    for scenario = 1, 60 do
      local n, spares = scenario % 4 + 1, scenario % 7
      local given = { mtbf = 2e5, procs = 3 }
      local raw = outages(given, 20, { scenario = scenario })
      given.retire_after, given.spares, given.swap, given.repair = n, spares, "100m", 9000
      assert.same(naive(raw, n, spares, 6000, 9000), outages(given, 20, { scenario = scenario }))
    end
  end)

  it("are new when they come: their law begins anew, with the next number of the place", function()
    local compared = 0
    for scenario = 1, 30 do
      local given = { mtbf = 1e5, law = "weibull", shape = 2 }
      local raw = by_place(outages(given, 10, { scenario = scenario }))
      given.retire_after, given.spares, given.swap = 2, 1000, 5000
      for place, times in pairs(by_place(outages(given, 10, { scenario = scenario }))) do
        -- gap i of the place; the one behind a retirement is lost with the node
        local gap, expected = 1, {}
        local function take()
          local length = raw[place][gap] and raw[place][gap] - (raw[place][gap - 1] or 0)
          gap = gap + 1
          return length or math.huge
        end
        local at = take()
        for n = 1, #times do
          expected[n] = at
          local behind = take()
          at = n % 2 == 0 and at + 5000 + take() or at + behind
        end
        for n, time in ipairs(times) do
          if expected[n] < math.huge then
            assert.is_true(math.abs(time - expected[n]) < 1e-6)
            compared = compared + 1
          end
        end
      end
    end
    assert.is_true(compared > 500)
  end)

  it("are followed by lemons as often as there are some", function()
    for _, law in ipairs { "exponential", "weibull" } do
      local lives, both_short = {}, {}
      for scenario = 1, rounds(40, 40, 8) do
        local list = by_place(outages({ mtbf = 4000, law = law, retire_after = 1, spares = 1e6,
          shape = law == "weibull" and 1 or nil, lemons = "0.3:40" }, 10, { scenario = scenario }))
        for _, times in pairs(list) do
          for n = 3, 40 do
            local life, before = times[n] - times[n - 1], times[n - 1] - times[n - 2]
            lives[#lives + 1] = life
            local both = life < 400 and before < 400
            if n % 2 == 1 then both_short[#both_short + 1] = both and 1 or 0 end
          end
        end
      end
      assert(has_mean(lives, 4000 * (0.7 + 0.3 / 40)))
      local short = 0.3 * (1 - math.exp(-4)) + 0.7 * (1 - math.exp(-0.1))
      assert(has_mean(both_short, short * short)) -- who comes has nothing to do with who went
    end
  end)

  it("leave a machine on which a job may never run, which is said", function()
    local ok, message = pcall(function()
      orrery.session { jobs = orrery.jobs { { procs = 4, time = 50 } }, procs = 4, policy = "easy",
        node_failures = { mtbf = 20, retire_after = 1 } }:finish()
    end)
    assert.is_false(ok)
    assert.matches("that are in service (1 are not) are free", message, 1, true)
  end)
end)

describe("all of it", function()
  local function given(seed)
    return { mtbf = "20m", procs = 2, repair = "lognormal:60,1", lemons = "0.3:5",
      domains = "3:2h", domain_repair = "exponential:100", retire_after = 4, spares = 50, swap = 30,
      law = seed % 2 == 0 and "weibull" or nil, shape = seed % 2 == 0 and 0.7 or nil }
  end

  local function jobs(seed)
    local rows, rng = {}, orrery.random { seed = seed, set = 9 }
    for i = 1, 40 do
      rows[i] = { submit = 10 * i, procs = rng:integer(1, 12), time = rng:integer(5, 60) }
    end
    return orrery.jobs(rows)
  end

  it("has the same future in a fork", function()
    for seed = 1, 30 do
      local s = orrery.session { jobs = jobs(seed), procs = 18, policy = "easy", seed = seed,
        node_failures = given(seed) }
      s:run_until(seed * 17)
      local fork = s:fork()
      assert.same(s:finish(), fork:finish())
      assert.same(s:outages(), fork:outages())
      assert.is_true(s:check())
    end
  end)

  it("is the same for all policies, and for 1, 2 and 7 threads", function()
    for seed = 1, 2 do
      local function run(threads)
        return orrery.compare { jobs = jobs(seed), procs = 18, runs = 21, threads = threads,
          policies = { "easy", "dispatch/list:reservations=1", "conservative" }, check = true,
          node_failures = given(seed) }
      end
      local one, two, seven = run(1), run(2), run(7)
      local failures = 0
      for policy = 1, 3 do
        for _, metric in ipairs { "flow_mean", "node_failures", "work_lost" } do
          local values = one:values(policy, metric)
          assert.same(values, two:values(policy, metric))
          assert.same(values, seven:values(policy, metric))
          failures = failures + (metric == "node_failures" and values[1] or 0)
        end
      end
      assert.same(one:values(1, "flow_mean"), one:values(2, "flow_mean"))
      assert.is_true(failures > 3)
    end
  end)
end)
