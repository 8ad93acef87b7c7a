-- Outages of nodes: the laws of those that are drawn, that they are the same under any policy, and
-- what those of a file do.
local laws = require "spec.support.laws"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"
local temporary = require "spec.support.temporary"

-- What fails until `horizon` on a machine on which nothing runs.
local function outages(node_failures, horizon, more)
  local spec = { procs = 64, policy = "easy", node_failures = node_failures,
    jobs = orrery.jobs { { submit = 0, procs = 1, time = 0 },
      { submit = 1e8, procs = 1, time = 1 } } }
  for key, value in pairs(more or {}) do spec[key] = value end
  local s = orrery.session(spec)
  s:run_until(horizon)
  assert.is_true(s:check())
  return s:outages(), s
end

local function lengths(list)
  local all, sum, squares = {}, 0, 0
  for i, outage in ipairs(list) do
    local length = outage.finish - outage.start
    all[i], sum, squares = length, sum + length, squares + length * length
  end
  local mean = sum / #all
  return all, mean, math.sqrt((squares / #all - mean * mean) / #all)
end

describe("repairs", function()
  for _, case in ipairs {
    { "exponential:100", laws.exponential(100) },
    { "lognormal:100,1.2", laws.lognormal(100, 1.2) },
    { "lognormal:100,0.4", laws.lognormal(100, 0.4) },
    { "weibull:100,0.7", laws.weibull(100, 0.7) },
    { "weibull:100,2", laws.weibull(100, 2) },
  } do
    it("are of the law: " .. case[1], function()
      local list = outages({ mtbf = "1d", repair = case[1] }, 5e6, { seed = 3 })
      local all, mean, error = lengths(list)
      assert.is_true(#all > 3000 and math.abs(mean - 100) < 4 * error, mean)
      local distance = laws.kolmogorov(all, case[2])
      assert.is_true(distance < 1.95, distance)
    end)
  end

  it("take the same time where they are constant, however that is said", function()
    local expected = outages({ mtbf = 86400, repair = 14400 }, 1e6)
    assert.is_true(#expected > 500)
    for _, repair in ipairs { "4h", "constant:4h", { mean = 14400 },
      { law = "constant", mean = "4h" } } do
      assert.same(expected, (outages({ mtbf = "1d", repair = repair }, 1e6)))
    end
    assert.equal(14400, expected[1].finish - expected[1].start)
  end)

  it("are numbers of the node's own stream, in order of its failures", function()
    -- 16 nodes; nothing fails while it is down, so the n-th outage of a node has its n-th repair
    local function by_node(given)
      local nodes = {}
      for _, o in ipairs((outages(given, 1e7))) do
        local list = nodes[o.first] or {}
        nodes[o.first], list[#list + 1] = list, o.finish - o.start
      end
      return nodes
    end
    local often = by_node { mtbf = "1d", procs = 4, repair = "weibull:1,1" }
    local seldom = by_node { mtbf = "4d", procs = 4, repair = "exponential:1", law = "weibull",
      shape = 0.8 }
    local compared = 0
    for node, list in pairs(seldom) do
      for n, length in ipairs(list) do
        assert.is_true(math.abs(often[node][n] - length) < 1e-8)
        compared = compared + 1
      end
    end
    assert.is_true(compared > 200)
  end)


  it("end when a job that waits for its node begins anew", function()
    local rng, struck, count = orrery.random { seed = 11 }, 0, rounds(40, 40, 15)
    for seed = 1, count do
      local length, now = rng:uniform(1, 60), 0
      local given = { mtbf = 50, procs = 64, repair = "lognormal:20,1" }
      for _, o in ipairs((outages(given, 3000, { seed = seed }))) do -- of an idle machine
        if now + length <= o.start then break end
        now, struck = o.finish, struck + 1
      end
      local s = orrery.session { procs = 64, policy = "easy", seed = seed, node_failures = given,
        jobs = orrery.jobs { { submit = 0, procs = 64, time = length } } }
      assert.equal(now + length, s:finish().makespan)
      assert.is_true(s:check())
    end
    assert.is_true(struck > count / 2)
  end)

  it("are drawn anew with the failures after a change of the seed", function()
    local given = { mtbf = "2d", repair = "weibull:10,0.7" }
    local _, s = outages(given, 1e5)
    s:change { seed = 7 }
    s:run_until(1e6)
    local expected = {}
    for _, o in ipairs((outages(given, 1e6, { seed = 7 }))) do
      if o.start > 1e5 then expected[#expected + 1] = o end
    end
    local found = {}
    for _, o in ipairs(s:outages()) do
      if o.start > 1e5 then found[#found + 1] = o end
    end
    assert.is_true(#found > 200)
    assert.same(expected, found)
  end)
end)

-- --- files --------------------------------------------------------------------------------------

local function text_of(list)
  local rows = { "NodeName|TimeStart|TimeEnd|State" }
  for i, o in ipairs(list) do
    rows[i + 1] = ("n%d|%s|%s|%s"):format(o.node, os.date("!%Y-%m-%dT%H:%M:%S", o.from),
      o.to < math.huge and os.date("!%Y-%m-%dT%H:%M:%S", o.to) or "Unknown",
      o.fails and "DOWN*" or "DRAIN")
  end
  return table.concat(rows, "\n")
end

-- A session of a log whose second 0 is that of 1970.
local function session_of(log, events, spec)
  return temporary.file("jobs.swf", log, function(path)
    spec.jobs = orrery.read(path)
    return temporary.file("events", events, function(file)
      spec.node_failures.outages = file
      return orrery.session(spec)
    end)
  end)
end

local function swf(rng, count, procs)
  local lines, now = { "; UnixStartTime: 0" }, 0
  for i = 1, count do
    now = now + rng:integer(0, 8)
    lines[i + 1] = ("%d %d -1 %d %d -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1"):format(i, now,
      rng:integer(1, 30), rng:integer(1, procs))
  end
  return table.concat(lines, "\n")
end

-- Whether an attempt has a processor of a node.
local function holds(attempt, node, size)
  for low, high in (attempt.processors .. " "):gmatch "(%d+)%-?(%d*) " do
    high = high == "" and low or high
    if tonumber(low) < (node + 1) * size and tonumber(high) >= node * size then return true end
  end
  return false
end

describe("outages from a file", function()
  local POLICIES = { "easy", "conservative", "dispatch/greedy", "dispatch/list:reservations=2" }

  local function random_outages(rng, nodes, horizon)
    local list = {}
    for i = 1, rng:integer(1, 12) do
      local from = rng:integer(0, horizon)
      list[i] = { node = rng:integer(0, nodes - 1), from = from, to = from + rng:integer(0, 60),
        fails = rng:integer(0, 1) == 1 }
    end
    return list
  end

  it("strike who runs there, or let them end; nobody starts there meanwhile", function()
    local struck, spared, count = 0, 0, rounds(120, 120, 40)
    for seed = 1, count do
      local rng = orrery.random { seed = seed, set = 5 }
      local size, nodes = rng:integer(1, 3), rng:integer(2, 4)
      local procs = nodes * size
      local list = random_outages(rng, nodes, 150)
      local s = session_of(swf(rng, 20, procs), text_of(list), { procs = procs,
        policy = POLICIES[seed % #POLICIES + 1],
        node_failures = { procs = size, node_names = "n[0-" .. nodes - 1 .. "]" } })
      s:finish()
      assert.is_true(s:check())
      for _, attempt in ipairs(s:schedule()) do
        local is_struck = false
        for _, o in ipairs(list) do
          if holds(attempt, o.node, size) then
            local inside = o.from > attempt.start and o.from < attempt.finish
            assert.is_false(attempt.start >= o.from and attempt.start < o.to)
            assert.is_false(o.fails and inside)
            is_struck = is_struck or o.fails and o.from == attempt.finish
            spared = spared + (inside and 1 or 0)
          end
        end
        if attempt.outcome == "node_failure" then
          assert.is_true(is_struck)
          struck = struck + 1
        end
      end
    end
    assert.is_true(math.min(struck, spared) > 5 / 6 * count)
  end)

  it("by hand: a drain lets the job end, a failure does not; one that never ends", function()
    local log = "; UnixStartTime: 0\n1 0 -1 10 2 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
      .. "2 0 -1 10 2 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
      .. "3 5 -1 4 1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
    local s = session_of(log, "node,from,to\n1,4,20\n", { procs = 4, policy = "easy",
      node_failures = { procs = 2 } })
    local found = {}
    s:finish()
    for i, a in ipairs(s:schedule()) do
      found[i] = ("%s %g-%g %s %s"):format(a.id, a.start, a.finish, a.outcome, a.processors)
    end
    assert.same({ "1 0-10 completed 0-1", "2 0-4 node_failure 2-3", "2 10-20 completed 0-1",
      "3 20-24 completed 0" }, found)
    s = session_of(log, text_of { { node = 1, from = 4, to = math.huge } }, { procs = 4,
      policy = "easy", node_failures = { procs = 2, node_names = "n0,n1" } })
    s:run_until(7)
    assert.same({ 0, 2 }, { s.down, s.groups[1].draining })
    s:finish()
    found = {}
    for i, a in ipairs(s:schedule()) do
      found[i] = ("%s %g-%g %s %s"):format(a.id, a.start, a.finish, a.outcome, a.processors)
    end
    assert.same({ "1 0-10 completed 0-1", "2 0-10 completed 2-3", "3 10-14 completed 0" }, found)
    assert.equal(0, s.groups[1].draining)
    assert.is_true(s:check())
  end)

  it("have the same future in a fork", function()
    for seed = 1, 20 do
      local rng = orrery.random { seed = seed, set = 6 }
      local s = session_of(swf(rng, 15, 6), text_of(random_outages(rng, 3, 100)), { procs = 6,
        policy = POLICIES[seed % #POLICIES + 1],
        node_failures = { procs = 2, node_names = "n[0-2]" } })
      s:run_until(rng:integer(0, 100))
      local fork = s:fork()
      assert.same(s:finish(), fork:finish())
      assert.same(s:outages(), fork:outages())
    end
  end)

  it("and a machine on which nothing can run any more", function()
    local ok, message = pcall(function()
      session_of("; UnixStartTime: 0\n1 0 -1 10 2 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
        "node,from,to\n1,0,\n", { procs = 2, policy = "easy", node_failures = {} }):finish()
    end)
    assert.is_false(ok)
    assert.is_truthy(message:find("although 1 jobs wait, all 1 processors that are in service (1 \z
      are not) are free and no job is still to come", 1, true), message)
  end)
end)
