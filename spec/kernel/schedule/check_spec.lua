-- The checker: right schedules pass, and every broken rule has its message.
local orrery = require "orrery"
local native = require "native_runs"
local instances = require "spec.support.instances"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

local OUTCOMES = { running = 0, completed = 1, failed = 2, killed = 3 }

local function flat(text)
  local list = {}
  for low, high in text:gmatch "(%d+)%-?(%d*)" do
    list[#list + 1] = tonumber(low)
    list[#list + 1] = tonumber(high ~= "" and high or low)
  end
  return list
end

-- The jobs and the attempts of a session as the native checker reads them.
local function native_jobs(instance)
  local jobs = {
    procs = instance.procs, verification = instance.verification or 0,
    walltimes = instance.walltimes == "log",
  }
  for i, job in ipairs(instance.list) do
    jobs[i] = { procs = job.procs, time = job.time, submit = job.submit, walltime = job.walltime }
  end
  return jobs
end

local function attempts_of(session)
  local list = session:schedule()
  for _, attempt in ipairs(list) do
    attempt.outcome = OUTCOMES[attempt.outcome]
    attempt.group = nil -- its name; here there is one
    attempt.processors = flat(attempt.processors)
  end
  return list
end

-- Two jobs side by side, the first fails once; then a third, submitted late, on all processors; a
-- fourth is killed.
local instance = {
  procs = 4, verification = 0.5, walltimes = "log", failures = { 1, 0, 0, 0 },
  list = {
    { procs = 2, time = 10, submit = 0 }, { procs = 2, time = 30, submit = 0 },
    { procs = 4, time = 5, submit = 20 }, { procs = 1, time = 9, submit = 21, walltime = 3 },
  },
}

local function fresh()
  local session = orrery.session(rigid.spec(instance, { policy = "dispatch/fcfs" }))
  session:finish()
  return attempts_of(session)
end

local function judge(attempts, failures, submitted)
  return native.check(native_jobs(instance), attempts, failures or instance.failures, submitted)
end

local function rejected(message, change, failures)
  local attempts = fresh()
  attempts = change and change(attempts) or attempts
  local ok, found = judge(attempts, failures)
  assert.is_nil(ok)
  if not found:find(message, 1, true) then
    error(("expected '%s' in: %s"):format(message, found), 2)
  end
  assert.is_truthy(found:find("^schedule check: job %d"))
end

describe("the checker", function()
  it("accepts what the engine records", function()
    local rng = orrery.random(81)
    for _ = 1, rounds(200, 200, 20) do
      local one = instances.random(rng)
      local session = orrery.session(rigid.spec(one, {
        policy = { dispatch = rigid.disciplines[rigid.pick(rng, rigid.names)] },
      }))
      session:finish()
      assert.is_true(native.check(native_jobs(one), attempts_of(session), one.failures))
    end
  end)

  it("sees the schedule that the tests below break", function()
    local attempts = fresh()
    assert.equal(5, #attempts)
    assert.is_true(judge(attempts))
    assert.same({ 0, 10.5, 2 }, { attempts[1].start, attempts[1].finish, attempts[1].outcome })
    assert.same({ 30.5, 36 }, { attempts[4].start, attempts[4].finish })
    assert.same({ 36, 39, 3 }, { attempts[5].start, attempts[5].finish, attempts[5].outcome })
  end)

  it("rejects two attempts on one processor", function()
    rejected("one of its processors is held until", function(a) a[2].processors = { 1, 2 } end)
    rejected("one of its processors is held until", function(a)
      a[4].start, a[4].finish = 25, 30.5
    end)
  end)

  -- Jobs 1 and 2 run side by side up to 10.5, and 1 again up to 21 beside 2: 3 licences are in use.
  it("rejects more of a pool than there is", function()
    local jobs = native_jobs(instance)
    jobs[1].lic, jobs[2].lic, jobs[3].lic, jobs.lic = 1, 2, 3, 3
    assert.is_true(native.check(jobs, fresh(), instance.failures))
    jobs.lic, jobs[3].lic = 2, nil
    local ok, found = native.check(jobs, fresh(), instance.failures)
    assert.is_nil(ok)
    assert.matches("job 2, attempt 1 .* more of pool lic is in use than there is: found 3, "
      .. "expected 2", found)
  end)

  it("rejects a start before the submission", function()
    rejected("starts before its submission", function(a)
      local early = table.remove(a, 4)
      early.start, early.finish = 19, 24.5
      table.insert(a, 4, early)
    end)
  end)

  -- The first attempt of job 1 fails at 10.5, before jobs 3 and 4 come.
  it("rejects a start after its promise, unless something has failed meanwhile", function()
    local message = "starts after its promise: found 36, expected 35.5"
    rejected(message, function(a) a[5].promised = 35.5 end)
    rejected("starts after its promise", function(a) a[2].promised = -1 end)
    local attempts = fresh()
    attempts[2].promised, attempts[3].promised, attempts[4].promised = 0, 10, 40
    attempts[5].promised, attempts[5].excused = 35.5, 1
    assert.is_true(judge(attempts))
  end)

  it("rejects more than a limit lets run at once", function()
    local function under(limits)
      local jobs = native_jobs(instance)
      jobs[1].user, jobs[2].user, jobs[3].user = "ana", "ana", nil
      for name, most in pairs(limits) do jobs[name] = most end
      return native.check(jobs, fresh(), instance.failures)
    end
    assert.is_true(under { user_procs = 4, all_jobs = 2 }) -- ends at 30.5 before the start then
    local _, found = under { user_procs = 3 }
    assert.equal("schedule check: job 2, attempt 1 from 0 to 30.5 (completed): exceeds a limit "
      .. "(procs/user): found 4, expected 3", (found:gsub("; in use with it", "")))
    _, found = under { all_jobs = 1 }
    assert.is_truthy(found:find("job 2.*exceeds a limit %(jobs%).*found 2, expected 1"))
  end)

  -- Job 4 comes at 21, while job 3 waits.
  it("rejects a job that a limit on waiting jobs refuses, or does not refuse, wrongly", function()
    local function under(most, refused)
      local jobs, attempts = native_jobs(instance), fresh()
      jobs[3].user, jobs[4].user, jobs.user_waiting = "ana", "ana", most
      attempts.refused = refused
      if refused then table.remove(attempts) end
      return native.check(jobs, attempts, instance.failures)
    end
    local gone = { position = 4, time = 21 }
    assert.is_true(under(2))
    assert.is_true(under(1, gone))
    local _, found = under(1)
    assert.equal("schedule check: job 4 is not refused at 21 by limit waiting/user = 1, 1 wait",
      found)
    _, found = under(2, gone)
    assert.equal("schedule check: job 4 is refused at 21 by limit waiting/user = 2, 1 wait", found)
  end)

  -- The run is stopped before job 3 starts: job 4 may be still to come.
  it("expects a refusal of the jobs that have come so far", function()
    local function under(submitted, none)
      local jobs, attempts = native_jobs(instance), {}
      jobs[3].user, jobs[4].user, jobs.user_waiting = "ana", "ana", 1
      for _, attempt in ipairs(fresh()) do
        if attempt.position < 3 and not none then attempts[#attempts + 1] = attempt end
      end
      return native.check(jobs, attempts, instance.failures, submitted)
    end
    for _, none in ipairs { false, true } do
      assert.is_true(under(3, none))
      local _, found = under(4, none)
      assert.equal("schedule check: job 4 is not refused at 21 by limit waiting/user = 1, 1 wait",
        found)
    end
  end)

  it("rejects a wrong number of processors", function()
    rejected("number of processors: found 1, expected 2", function(a)
      a[1].processors = { 0, 0 }
    end)
    rejected("number of processors: found 3, expected 2", function(a)
      a[2].processors = { 2, 3 }
      a[1].processors = { 0, 1, 2, 2 }
      table.remove(a, 2)
    end)
    rejected("number of processors: found 0, expected 2", function(a) a[1].processors = {} end)
  end)

  it("rejects processors off the machine or out of order", function()
    local message = "processors out of order or not of its group"
    rejected(message, function(a) a[2].processors = { 3, 4 } end)
    rejected(message, function(a) a[1].processors = { -1, 0 } end)
    rejected(message, function(a) a[1].processors = { 1, 1, 0, 0 } end)
    rejected(message, function(a) a[1].processors = { 0, 0, 0, 0 } end)
    rejected(message, function(a) a[1].processors = { 1, 0 } end)
  end)

  it("rejects a wrong end, by however little", function()
    local message = "ends at another time than it must"
    rejected(message, function(a) a[1].finish = 10.5 + 2^-40 end)
    rejected(message, function(a) a[1].finish = 10 end) -- without the verification
    rejected(message, function(a) a[5].finish = 39.5 end) -- killed: no verification
    rejected(message, function(a) a[5].finish = 45 end)
    rejected(message, function(a) a[4].start = a[4].start + 1e-9 end)
  end)

  it("rejects a wrong outcome", function()
    rejected("outcome (1 completed, 2 failed, 3 killed): found 1, expected 2", function(a)
      a[1].outcome = 1
    end)
    rejected("found 2, expected 1", function(a) a[2].outcome = 2 end)
    rejected("found 1, expected 3", function(a) a[5].outcome = 1 end)
    rejected("found 3, expected 1", function(a) a[2].outcome = 3 end)
    rejected("is still running at the end of the run", function(a) a[4].outcome = 0 end)
  end)

  it("rejects attempts that are missing", function()
    rejected("was interrupted and never started again", function(a) table.remove(a, 3) end)
    rejected("was never started", function(a) table.remove(a, 4) end)
    rejected("was never started", function() return {} end)
    rejected("number of the attempt: found 2, expected 1", function(a) table.remove(a, 1) end)
  end)

  it("rejects attempts out of sequence", function()
    rejected("starts before the attempt recorded before it", function(a)
      a[4], a[5] = a[5], a[4]
    end)
    rejected("number of the attempt: found 3, expected 2", function(a) a[3].attempt = 3 end)
    rejected("number of the attempt: found 1, expected 2", function(a) a[3].attempt = 1 end)
    rejected("starts before the end of the attempt before", function(a)
      a[3].start, a[3].finish = 10, 20.5
      a[3].processors = { 0, 1 }
    end)
    rejected("starts again although its job is over", function(a)
      local again = {}
      for key, value in pairs(a[5]) do again[key] = value end
      again.start, again.finish, again.attempt = 39, 42, 2
      a[6] = again
    end)
  end)

  it("rejects other numbers of failures than the scenario's", function()
    rejected("found 2, expected 1", nil, { 0, 0, 0, 0 })
    rejected("found 1, expected 2", nil, { 2, 0, 0, 0 })
    rejected("found 1, expected 2", nil, { 1, 0, 1, 0 })
    assert.is_true(judge(fresh(), { 1, 0, 0, 5 })) -- a killed job is over, whatever was left
  end)

  it("accepts a run that is not over only where it is said to be partial", function()
    local session = orrery.session(rigid.spec(instance, { policy = "dispatch/fcfs" }))
    session:run_until(20)
    local attempts = attempts_of(session)
    assert.equal(0, attempts[3].outcome)
    assert.is_true(judge(attempts, nil, #attempts))
    assert.is_true(session:check())
    assert.is_nil((judge(attempts)))
    attempts[3].finish = attempts[3].finish + 1
    assert.is_truthy(select(2, judge(attempts, nil, #attempts)):find("planned end", 1, true))
  end)
end)

-- Two groups of two; job 1 is moved to the second at 4, job 2 struck by an outage of processor 0
-- from 6 to 9, job 3 cancelled at 12 after it started at 10.
describe("the checker of groups, interrupted attempts and outages", function()
  local jobs = { procs = 4, verification = 0, groups = { 2, 2 } }
  for i, job in ipairs { { 2, 5 }, { 1, 4 }, { 2, 30 } } do
    jobs[i] = { procs = job[1], time = job[2], submit = 0 }
  end

  local function right()
    local function attempt(position, number, start, finish, outcome, group, processors)
      return { position = position, attempt = number, start = start, finish = finish,
        outcome = outcome, group = group, processors = processors }
    end
    return {
      attempt(1, 1, 0, 4, 4, 1, { 0, 1 }), attempt(2, 1, 4, 6, 6, 1, { 0, 0 }),
      attempt(1, 2, 4, 9, 1, 2, { 2, 3 }), attempt(2, 2, 6, 10, 1, 1, { 1, 1 }),
      attempt(3, 1, 10, 12, 5, 1, { 0, 1 }),
      outages = { { time = 6, repaired = 9, first = 0, count = 1, attempts = 3 } },
    }
  end

  local function objects(message, change)
    local attempts = right()
    change(attempts)
    local ok, found = native.check(jobs, attempts)
    assert.is_nil(ok)
    if not found:find(message, 1, true) then
      error(("expected '%s' in: %s"):format(message, found), 2)
    end
  end

  it("accepts them", function() assert.is_true(native.check(jobs, right())) end)

  it("rejects an attempt that goes on where the one before ended", function()
    objects("ends at another time than it must", function(a) a[3].finish = 5 end)
  end)

  it("rejects processors of another group", function()
    local message = "processors out of order or not of its group"
    objects(message, function(a) a[3].group = 1 end)
    objects(message, function(a) a[4].processors = { 2, 2 } end)
    objects(message, function(a) a[1].processors = { 1, 2 } end)
    objects("runs in a group that there is not", function(a) a[3].group = 3 end)
  end)

  it("rejects interruptions at impossible times", function()
    objects("ends later than it must", function(a)
      a[1].finish = 5.5
      a[2].start, a[3].start, a[3].finish = 5.5, 5.5, 10.5
    end)
    objects("ends before its start", function(a) a[1].finish = -1 end)
  end)

  it("rejects attempts of a job that was cancelledor never taken up again", function()
    objects("starts again although its job is over", function(a)
      a[6] = { position = 3, attempt = 2, start = 12, finish = 42, outcome = 1, group = 1,
        processors = { 0, 1 } }
    end)
    objects("was interrupted and never started again", function(a) table.remove(a, 4) end)
    objects("was interrupted and never started again", function(a)
      table.remove(a, 3)
      a.outages[1].attempts = 2
    end)
  end)

  it("rejects a failure that no outage explains", function()
    local message = "none of its processors fails at its end"
    objects(message, function(a) a.outages = {} end)
    objects(message, function(a) a.outages[1].first = 1 end)
    objects(message, function(a) a[2].finish = 5.5 end)
  end)

  it("rejects processors in use while they are out", function()
    objects("processor 0 fails at 6 and is held for longer", function(a)
      a[2].outcome, a[2].finish = 1, 8
      table.remove(a, 4)
    end)
    objects("one of its processors is out until", function(a) a[4].processors = { 0, 0 } end)
    objects("one of its processors is out until", function(a) a.outages[1].repaired = 10.5 end)
    objects("processor 4 fails at 12 and is not on the machine", function(a)
      a.outages[2] = { time = 12, repaired = 13, first = 3, count = 2, attempts = 5 }
    end)
  end)

  it("rejects attempts that a window does not admit", function()
    local closed = { from = 4, to = 9, first = 1, count = 1 }
    local function with(change)
      return function(a)
        a.windows = { { from = closed.from, to = closed.to, first = 1, count = 1 } }
        change(a, a.windows[1])
      end
    end
    objects("runs on processors of a window; it begins: found 6, expected 4",
      with(function() end))
    objects("runs on processors of a window; it begins: found 6, expected 9.5",
      with(function(_, w) w.from, w.to = 9.5, 10 end))
    objects("runs on processors of a window; it begins", with(function(_, w) w.job = "1" end))
    local fine = right()
    fine.windows = { { from = 4, to = 6, first = 1, count = 1 },
      { from = 6, to = 10, first = 1, count = 1, job = "2" },
      { from = 5, to = 20, first = 2, count = 2, job = "1" } }
    assert.is_true(native.check(jobs, fine))
    fine.outages = {} -- what has struck job 2 on processor 0 at 6 is a window
    assert.is_nil(native.check(jobs, fine))
    fine.windows[3] = { from = 6, to = 9, first = 0, count = 1 }
    assert.is_true(native.check(jobs, fine))
  end)

  it("counts only attempts that reach their end among the failures", function()
    local failing = right()
    failing[4].outcome = 2
    failing[6] = { position = 2, attempt = 3, start = 12, finish = 16, outcome = 1, group = 1,
      processors = { 0, 0 } }
    assert.is_true(native.check(jobs, failing, { 0, 1, 0 }))
    assert.is_nil(native.check(jobs, failing, { 0, 2, 0 }))
    assert.is_nil(native.check(jobs, right(), { 0, 1, 0 }))
    assert.is_true(native.check(jobs, right(), { 0, 0, 9 })) -- cancelled before it could fail
  end)
end)

-- On 10 processors job 1 has three of them from 0 to 10, job 2 four, job 3 six from 10 to 20.
describe("the checker of placements", function()
  local CONTIGUOUS, NODES = 2, 3

  local function judged(place, first, second, third)
    local jobs = { procs = 10, verification = 0, groups = { 10 }, place = place, node_procs = 4 }
    local attempts = {}
    for i, job in ipairs { { 3, 0, first }, { 4, 0, second }, { 6, 10, third } } do
      jobs[i] = { procs = job[1], time = 10, submit = job[2] }
      attempts[i] = { position = i, attempt = 1, start = job[2], finish = job[2] + 10,
        outcome = OUTCOMES.completed, group = 1, processors = job[3] }
    end
    return native.check(jobs, attempts)
  end

  local function objects(message, ...)
    local ok, found = judged(...)
    assert.is_nil(ok)
    if not found:find(message, 1, true) then
      error(("expected '%s' in: %s"):format(message, found), 2)
    end
  end

  it("wants neighbours", function()
    assert.is_true(judged(CONTIGUOUS, { 1, 3 }, { 4, 7 }, { 2, 7 }))
    objects("job 2, attempt 1 from 0 to 10 (completed): runs of processors, which have to be "
      .. "neighbours: found 2, expected 1", CONTIGUOUS, { 1, 3 }, { 4, 6, 8, 8 }, { 2, 7 })
    assert.is_true(judged(0, { 1, 3 }, { 4, 6, 8, 8 }, { 2, 7 }))
  end)

  it("wants whole nodes; the last of the machine may be smaller", function()
    assert.is_true(judged(NODES, { 0, 2 }, { 4, 7 }, { 0, 3, 8, 9 }))
    assert.is_true(judged(NODES, { 4, 6 }, { 0, 3 }, { 4, 9 }))
    objects("begins inside a node, with processor: found 1, expected 0", NODES, { 1, 3 }, { 4, 7 },
      { 0, 3, 8, 9 })
    objects("begins inside a node, with processor: found 3", NODES, { 0, 2 }, { 3, 6 }, { 4, 9 })
    objects("leaves a part of a node, from processor: found 3", NODES, { 0, 2 }, { 4, 7 },
      { 0, 2, 4, 6 })
  end)
end)
