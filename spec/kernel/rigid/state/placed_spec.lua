-- Jobs on particular processors (READINGS 46), held against a naive reference.
local events = require "spec.support.events"
local rounds = require "spec.support.rounds"

-- By hand: EASY on a machine, all jobs submitted at 0. Starts, and the processors of each job.
local function by_hand(procs, place, jobs, more)
  local group = { procs = procs, discipline = "list", reservations = 1, place = place }
  for name, value in pairs(more or {}) do group[name] = value end
  local spec = { procs = procs, verification = 0, groups = { group } }
  for i, job in ipairs(jobs) do spec[i] = { procs = job[1], time = job[2], submit = 0 } end
  local sim, found = events.simulation(spec), {}
  sim:finish()
  for _, a in ipairs(sim:attempts()) do
    found[a.position] = ("%g on %s"):format(a.start, table.concat(a.processors, " "))
  end
  assert(sim:check())
  sim:destroy()
  return found
end

describe("by hand", function()
  -- At 1 job 4 gets a reservation at 4, when jobs 1 and 2 are over: of processors 0 to 3 the first
  -- three. Job 5 would end later. Counted, one processor is left beside job 4; but it is processor
  -- 3, on which job 2 still runs.
  local RESERVED = { { 2, 1 }, { 2, 4 }, { 1, 10 }, { 3, 5 }, { 1, 20 } }

  it("a reservation holds particular processors", function()
    assert.same({ "0 on 0 1", "0 on 2 3", "0 on 4 4", "4 on 1 3", "1 on 0 0" },
      by_hand(5, nil, RESERVED))
    assert.same({ "0 on 0 1", "0 on 2 3", "0 on 4 4", "4 on 0 2", "4 on 3 3" },
      by_hand(5, "named", RESERVED))
  end)

  -- At 2 processors 0 and 2 are free, at 6 all.
  local SCATTERED = { { 1, 2 }, { 1, 6 }, { 1, 2 }, { 1, 6 }, { 2, 1 } }

  it("neighbours have no gap", function()
    assert.equal("2 on 0 0 2 2", by_hand(4, "named", SCATTERED)[5])
    assert.equal("6 on 0 1", by_hand(4, "contiguous", SCATTERED)[5])
  end)

  -- Nodes of 3 on 8 processors: 0 to 2, 3 to 5, 6 to 7. Job 3 waits until the first is free, job 4
  -- until two are that have five processors.
  it("whole nodes are shared by nobody", function()
    local jobs = { { 1, 5 }, { 4, 9 }, { 1, 2 }, { 5, 2 } }
    assert.same({ "0 on 0 0", "0 on 3 6", "5 on 0 0", "9 on 0 4" },
      by_hand(8, "nodes", jobs, { node_procs = 3 }))
    assert.equal("0 on 5 5", by_hand(8, "named", jobs)[3])
  end)

  -- Processor 1 fails at 2 and works again at once: job 1 leaves it, job 2 takes what else has not
  -- failed, job 3 what is left.
  it("reliable processors are those that have failed least often", function()
    local function attempts(place)
      local spec, lines = { procs = 4, verification = 0, groups = { { procs = 4, place = place,
        discipline = "list", reservations = 1 } }, { procs = 2, time = 10, submit = 0 },
        { procs = 1, time = 5, submit = 3 }, { procs = 1, time = 5, submit = 4 },
        outages = { { time = 2, repaired = 2, first = 1, count = 1 } } }, {}
      local sim = events.simulation(spec)
      sim:finish()
      for i, a in ipairs(sim:attempts()) do
        lines[i] = ("%d: %g on %s"):format(a.position, a.start, table.concat(a.processors, " "))
      end
      sim:destroy()
      return lines
    end
    assert.same({ "1: 0 on 0 1", "1: 2 on 0 0 2 2", "2: 3 on 3 3", "3: 4 on 1 1" },
      attempts "reliable")
    assert.same({ "1: 0 on 0 1", "1: 2 on 0 1", "2: 3 on 2 2", "3: 4 on 3 3" }, attempts "named")
  end)

  it("a function chooses", function()
    local function highest(position, free)
      local last = free[#free]
      local low = last - SCATTERED[position][1] + 1
      if low >= free[#free - 1] then return { low, last } end
    end
    assert.same({ "0 on 3 3", "0 on 2 2", "0 on 1 1", "0 on 0 0", "6 on 2 3" },
      by_hand(4, "chosen", SCATTERED, { choose = highest }))
  end)
end)

-- What a function chooses may be wrong.
describe("a wrong choice", function()
  local function refused(message, choose)
    local ok, found = pcall(by_hand, 4, "chosen", { { 2, 1 } }, { choose = choose })
    assert.is_false(ok)
    assert.is_truthy(tostring(found):find(message, 1, true), found)
  end

  it("is an error that names policy and job", function()
    refused("policy spec: 1 processors were chosen for job 1, it needs 2",
      function() return { 0, 0 } end)
    refused("policy spec: 3 runs of processors were chosen for job 1, it can have 0 to 2",
      function() return { 0, 0, 1, 1, 2, 2 } end)
    refused("the run from 3 to 4 is not free", function() return { 3, 4 } end)
    refused("the run from -1 to 0 is not free", function() return { -1, 0 } end)
    refused("the run from 1 to 1 is not behind the one before",
      function() return { 1, 1, 1, 1 } end)
    refused("the run from 1 to 0 ends before it begins", function() return { 1, 0 } end)
    refused("policy spec: place permits job 1 none of the 4 processors", function() return nil end)
  end)

  it("is none where runs touch", function()
    local choose = function() return { 0, 0, 1, 1 } end
    assert.same({ "0 on 0 1" }, by_hand(4, "chosen", { { 2, 1 } }, { choose = choose }))
  end)
end)

describe("jobs on particular processors", function()
  for _, discipline in ipairs { "list", "conservative", "fcfs", "shelf" } do
    it("run where the reference runs them: " .. discipline, function()
      for seed = 1, rounds(2000, 250) do
        events.compare(seed, { hooks = false, outages = false, groups = 1, custom = false,
          discipline = discipline, places = true })
      end
    end)
  end

  it("do so on the nodes that have failed least often", function()
    local struck = 0
    for seed = 1, rounds(4000, 400) do
      local expected = events.compare(seed, { places = "reliable", custom = false })
      for _, a in ipairs(expected.history) do
        struck = struck + (a.outcome == "node_failure" and 1 or 0)
      end
    end
    assert.is_true(struck > rounds(4000, 400) / 10, struck)
  end)

  it("do so with groups, nodes that fail and hooks that act", function()
    for seed = 1, rounds(3000, 300) do events.compare(seed, { places = true, custom = false }) end
  end)
end)

describe("a copy of them", function()
  it("has the same future", function()
    local kept, count = 0, rounds(300, 300, 80)
    for seed = 1, count do
      local places = seed % 3 == 0 and "reliable" or true
      local spec, rng = events.drawn(seed, { places = places })
      local sim = events.simulation(spec)
      for _ = 1, rng:integer(0, 12) do sim:step() end
      local copy = sim:copy()
      sim:finish()
      copy:finish()
      assert.same(events.lines(sim:attempts()), events.lines(copy:attempts()))
      assert.is_true(copy:check())
      for _, group in ipairs(spec.groups) do
        kept = kept + (group.discipline == "conservative" and 1 or 0)
      end
      sim:destroy()
      copy:destroy()
    end
    assert.is_true(kept > count / 6)
  end)

  it("and the simulation itself fail cleanly wherever memory ends", function()
    for seed = 1, 8 do
      local allowed, ok = 0
      repeat
        local spec = events.drawn(seed, { places = true,
          discipline = seed % 2 == 0 and "conservative" or "list" })
        spec.allowed = allowed
        local message
        ok, message = pcall(function()
          local sim = events.simulation(spec)
          for _ = 1, 4 do sim:step() end
          local copy = sim:copy()
          copy:finish()
          copy:destroy()
          sim:finish()
          sim:destroy()
        end)
        if not ok then assert.is_truthy(tostring(message):find("memory", 1, true), message) end
        collectgarbage()
        allowed = allowed + 1
      until ok
      assert.is_true(allowed > 20)
    end
  end)
end)
