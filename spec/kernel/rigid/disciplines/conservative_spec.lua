-- Conservative backfilling that keeps its promises, held against a naive reference (READINGS 34).
-- Logs are in logs_spec.lua; groups, hooks and copies also in events_spec.lua and change_spec.lua.
local orrery = require "orrery"
local events = require "spec.support.events"
local rounds = require "spec.support.rounds"

-- Five jobs by hand. Job 3 runs from 2 to 4, and job 2 has a reservation at 8, when job 1 is
-- planned to end. Job 4, when it comes, is promised 4. At 4 job 1 ends early. Job 2 cannot move,
-- for job 4 is in its way; planned anew, job 2 would start at 4, and job 4 at 8.
local FIVE = orrery.jobs {
  { id = "1", submit = 0, procs = 1, runtime = 4, walltime = 8 },
  { id = "2", submit = 1, procs = 4, runtime = 4, walltime = 5 },
  { id = "3", submit = 2, procs = 3, runtime = 2, walltime = 2 },
  { id = "4", submit = 3, procs = 2, runtime = 4, walltime = 4 },
  { id = "5", submit = 4, procs = 3, runtime = 7, walltime = 7 },
}

-- By position: what of its first attempt.
local function times(policy, what)
  local s = orrery.session { jobs = FIVE, procs = 4, walltimes = "log", policy = policy }
  s:finish()
  assert(s:check())
  local list = {}
  for _, attempt in ipairs(s:schedule()) do list[attempt.position] = attempt[what] end
  return list
end

describe("five jobs by hand", function()
  it("keep their promises", function()
    assert.same({ 0, 8, 2, 4, 12 }, times("conservative", "start"))
    assert.same({ 0, 8, 2, 4, 13 }, times("conservative", "promised"))
  end)

  it("are planned anew by R-LIST-Q, which promises nothing", function()
    assert.same({ 0, 4, 2, 8, 12 }, times("dispatch/list:reservations=all", "start"))
    assert.same({}, times("dispatch/list:reservations=all", "promised"))
  end)

  it("show their promises and reservations, also to their policy", function()
    local s = orrery.session { jobs = FIVE, procs = 4, walltimes = "log", policy = {
      dispatch = { discipline = "conservative" },
      on_submit = function(_, job) assert(job.promised == nil and job.reserved == nil) end,
      on_start = function(sim, job)
        assert(job.reserved == nil and sim.now <= job.promised)
        for waiting in sim:waiting() do assert(waiting.reserved <= waiting.promised) end
      end,
    } }
    s:run_until(3)
    assert.same({ 8, 8 }, { s:job(2).promised, s:job(2).reserved })
    assert.same({ 0 }, { s:job(1).promised, s:job(1).reserved })
    assert.is_nil(s:job(5).promised)
    s:run_until(11)
    assert.same({ 13, 13 }, { s:job(5).promised, s:job(5).reserved })
    s:run_until(12)
    assert.same({ 13 }, { s:job(5).promised, s:job(5).reserved })
    s:finish()
  end)
end)

-- --- random instances ---------------------------------------------------------------------------

-- Of attempts and of promises, 0 where there was none.
local function difference(found, expected)
  local problem = events.difference(found, expected)
  for i = 1, problem and 0 or #found do
    local promised, wanted = found[i].promised or false, expected[i].promised or false
    if promised ~= wanted then
      return ("attempt %d: promised %s, expected %s"):format(i, promised, wanted)
    end
  end
  return problem
end

local function compare(seed, options)
  options.discipline, options.custom = "conservative", false
  return events.compare(seed, options, difference).history
end

describe("conservative backfilling", function()
  it("is that of the reference, start by start, and starts nobody late", function()
    local waited, early = 0, 0
    for seed = 1, rounds(20000, 1500) do
      local history = compare(seed, { hooks = false, outages = false, groups = 1 })
      for _, attempt in ipairs(history) do
        waited = waited + (attempt.promised > 0 and 1 or 0)
        early = early + (attempt.start < attempt.promised and 1 or 0)
      end
    end
    assert.is_true(waited > 1000 and early > 100)
  end)

  it("is that of the reference with groups, nodes that fail and hooks that act", function()
    for seed = 1, rounds(20000, 1000) do compare(seed, {}) end
  end)
end)
