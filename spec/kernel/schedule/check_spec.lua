-- The checker: right schedules pass, and every broken rule has its message.
local orrery = require "orrery"
local native = require "native_rigid"
local instances = require "spec.support.instances"
local rigid = require "spec.support.rigid"

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

local function judge(attempts, failures, partial)
  return native.check(native_jobs(instance), attempts, failures or instance.failures, partial)
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
    for _ = 1, 200 do
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

  it("rejects a start before the submission", function()
    rejected("starts before its submission", function(a)
      local early = table.remove(a, 4)
      early.start, early.finish = 19, 24.5
      table.insert(a, 4, early)
    end)
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
    local message = "processors out of order or not on the machine"
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
    rejected("failed and was never started again", function(a) table.remove(a, 3) end)
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
    rejected("starts again although the attempt before did not fail", function(a)
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
    assert.is_true(judge(attempts, nil, true))
    assert.is_true(session:check())
    assert.is_nil(judge(attempts, nil, false))
    attempts[3].finish = attempts[3].finish + 1
    assert.is_truthy(select(2, judge(attempts, nil, true)):find("planned end", 1, true))
  end)
end)
