-- dispatch/recorded: every job starts when the log says, or as soon after that as it fits.
local logs = require "spec.support.waited_log"
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local function starts_of(jobs, procs, spec)
  spec = spec or {}
  spec.jobs, spec.procs, spec.policy, spec.check = jobs, procs, "recorded", true
  local starts = {}
  for i, wait in ipairs(orrery.compare(spec):jobs(1, "wait")) do
    starts[i] = jobs[i].submit + wait
  end
  return starts
end

-- The same, as plainly as can be: at every instant the jobs that are due, the earliest start first,
-- take what they need.
local function naive(jobs, procs)
  local starts, left, free, running, now = {}, #jobs, procs, {}, 0
  while left > 0 do
    for i = #running, 1, -1 do
      if running[i][1] <= now then free = free + table.remove(running, i)[2] end
    end
    local due = {}
    for i, job in ipairs(jobs) do
      if not starts[i] and job.submit + job.wait <= now then due[#due + 1] = i end
    end
    table.sort(due, function(a, b)
      local x, y = jobs[a].submit + jobs[a].wait, jobs[b].submit + jobs[b].wait
      if x ~= y then return x < y end
      if jobs[a].submit ~= jobs[b].submit then return jobs[a].submit < jobs[b].submit end
      return a < b
    end)
    for _, i in ipairs(due) do
      if jobs[i].procs <= free then
        starts[i], left, free = now, left - 1, free - jobs[i].procs
        running[#running + 1] = { now + jobs[i].runtime, jobs[i].procs }
      end
    end
    now = now + 1 -- all times are whole; jobs take time
  end
  return starts
end

describe("dispatch/recorded", function()
  it("by hand: the log holds", function()
    local jobs = logs.read(logs.swf({ { 0, 0, 10, 2, -1, 1 }, { 0, 30, 5, 2, -1, 1 },
      { 1, 9, 20, 2, -1, 1 } }, 2))
    assert.same({ 0, 30, 10 }, starts_of(jobs, 2))
  end)

  it("by hand: the log contradicts itself", function()
    -- b cannot start at 5; c, which started in the log at 12, does not wait for it.
    local jobs = logs.read(logs.swf({ { 0, 0, 10, 2, -1, 1 }, { 0, 5, 5, 3, -1, 1 },
      { 0, 12, 20, 1, -1, 1 } }, 3))
    assert.same({ 0, 10, 15 }, starts_of(jobs, 3))
    local notes = table.concat(orrery.compare { jobs = jobs, policies = { "recorded", "easy" } }
      .notes, "\n")
    assert.truthy(notes:find("2 jobs find no processors when the log says that they started, "
      .. "the first is 2", 1, true), notes)
    assert.truthy(notes:find("fidelity: none of 3 jobs waited 60 s or longer in the log", 1, true),
      notes)
  end)

  -- By hand: 3 processors are in use from 5 s on; on 2, job 2 waits for job 1.
  it("is told how many processors were in use, where procs is too small", function()
    local jobs = logs.read(logs.swf({ { 0, 0, 10, 2, -1, 1 }, { 0, 5, 5, 1, -1, 1 } }, 3))
    local notes = table.concat(orrery.compare { jobs = jobs, procs = 2, policies = { "recorded" } }
      .notes, "\n")
    assert.truthy(notes:find("3 processors were in use at once in the log, more than the 2 that "
      .. "are simulated: 1 job starts later than recorded, the first is 2", 1, true), notes)
    assert.falsy(notes:find("contradicts", 1, true))
  end)

  it("agrees with a naive replay", function()
    local rng = orrery.random(5)
    for _ = 1, rounds(400) do
      local list, procs = {}, rng:integer(1, 6)
      for i = 1, rng:integer(1, 10) do
        list[i] = { rng:integer(0, 40), rng:integer(0, 30), rng:integer(1, 20),
          rng:integer(1, procs), -1, 1 }
      end
      local jobs = logs.read(logs.swf(list, procs))
      assert.same(naive(jobs, procs), starts_of(jobs, procs))
      assert.same(naive(jobs, procs), starts_of(jobs, procs, { plain = true }))
    end
  end)

  it("gives back what another policy did", function()
    local rng = orrery.random(6)
    for _ = 1, rounds(40) do
      local given, list = {}, {}
      for i = 1, 60 do
        given[i] = { submit = rng:integer(0, 2000), runtime = rng:integer(1, 300),
          procs = rng:integer(1, 30) }
      end
      local waits = orrery.compare { jobs = orrery.jobs(given), procs = 40, policy = "easy" }
        :jobs(1, "wait")
      for i, job in ipairs(given) do
        list[i] = { job.submit, math.tointeger(waits[i]), job.runtime, job.procs, -1, 1 }
      end
      local starts = starts_of(logs.read(logs.swf(list, 40)), 40)
      for i, job in ipairs(given) do assert.equal(job.submit + waits[i], starts[i]) end
    end
  end)

  it("forks have the same future", function()
    local jobs = logs.read(logs.swf(logs.BY_HAND, 5))
    local s = orrery.session { jobs = jobs, policy = "recorded", procs = 5 }
    s:run_until(70)
    local fork = s:fork()
    s:finish()
    fork:finish()
    for i = 1, #jobs do assert.equal(s:job(i).start, fork:job(i).start) end
  end)

  it("refuses a log that does not tell, or that was changed", function()
    local function refuses(spec, expected)
      spec.policy = "recorded"
      assert.error_matches(function() orrery.compare(spec) end, expected)
    end
    refuses({ jobs = orrery.jobs { { id = "x", procs = 1, runtime = 1 } }, procs = 2 },
      "policy recorded: the log does not tell when job x started")
    local jobs = logs.read(logs.swf(logs.BY_HAND, 5))
    refuses({ jobs = jobs, batch = true },
      "policy recorded: job 2 is not submitted when the log says")
    refuses({ jobs = jobs:load(2) }, "policy recorded: the log does not tell when job 1 started")
    local folder = program.folder()
    program.write(folder, "log.csv", "id,submit,procs,runtime\na,0,1,5\n")
    local status, _, err = program.run(folder, "replay log.csv --procs 2 --policy recorded")
    program.remove(folder)
    assert.equal(2, status)
    assert.truthy(err:find("the log does not tell when job a started", 1, true), err)
  end)
end)
