-- What the scheduler knows of runtimes, and what metrics look at: walltimes, overrun, tau, warmup,
-- cooldown.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local naive = require "spec.support.naive"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

-- On two processors, FCFS. The log's walltimes: A runs longer than it asked for.
local JOBS = orrery.jobs {
  { id = "A", submit = 0, procs = 2, time = 100, walltime = 80 },
  { id = "B", submit = 10, procs = 1, time = 50, walltime = 50 },
  { id = "C", submit = 20, procs = 2, time = 10 },
}

local function run(fields)
  local spec = { jobs = JOBS, procs = 2, policy = "dispatch/fcfs" }
  for key, value in pairs(fields) do spec[key] = value end
  return orrery.compare(spec)
end

local function metrics(fields) return run(fields).sets[1].metrics:scenario(1, 1) end

describe("a job's time", function()
  -- What the scheduler knows and what jobs take, of a log that says both.
  local KNOWN = {
    { {}, { 100, 50, 10 } },
    { { walltimes = "log" }, { 80, 50, 10 } },
    { { walltimes = "log", overrun = "extend" }, { 100, 50, 10 } },
    { { walltimes = function(job) return job.runtime * 2 end }, { 200, 100, 20 } },
  }

  it("is what the scheduler knows, beside the runtime, in sessions and results", function()
    for _, case in ipairs(KNOWN) do
      local spec = { jobs = JOBS, procs = 2, policy = "dispatch/fcfs" }
      for key, value in pairs(case[1]) do spec[key] = value end
      local s, times, runtimes = orrery.session(spec), {}, {}
      for i = 1, 3 do times[i], runtimes[i] = s:job(i).time, s:job(i).runtime end
      assert.same(case[2], times)
      assert.same({ 100, 50, 10 }, runtimes)
      s:run_until(20)
      local running, waiting = s:running()[1], s:waiting()[1]
      assert.same({ "A", case[2][1], 100 }, { running.id, running.time, running.runtime })
      assert.same({ "B", case[2][2], 50 }, { waiting.id, waiting.time, waiting.runtime })
      local result = orrery.compare(spec)
      assert.same(case[2], result:jobs(1, "time"))
      local killed = case[2][1] < 100 -- what an attempt computed
      assert.same({ killed and 80 or 100, 50, 10 }, result:jobs(1, "runtime"))
    end
  end)

  it("is what a policy sees, and no policy sees the runtime", function()
    for _, case in ipairs(KNOWN) do
      local spec = { jobs = JOBS, procs = 2, policy = "dispatch/fcfs" }
      for key, value in pairs(case[1]) do spec[key] = value end
      local known = case[2]
      spec.priority = function(job) -- runs in a state of its own
        local ok, problem = pcall(function() return job.runtime end)
        assert(not ok and problem:find("a policy never sees how long a job takes", 1, true))
        assert(job.time == known[job.position] and job.area == job.time * job.procs)
        return 0
      end
      orrery.compare(spec)
    end
  end)

  it("stays the walltime where a change of the runtime does not reach it", function()
    local s = orrery.session { jobs = JOBS, procs = 2, walltimes = "log" }
    s:change { runtime = { B = 20, C = 30 },
      submit = { { id = "D", procs = 1, runtime = 5, walltime = 7 },
        { id = "E", procs = 1, time = 6 } } }
    local found = {}
    for i = 2, 5 do
      local job = s:job(i)
      found[i - 1] = ("%s %g %g"):format(job.id, job.time, job.runtime)
    end
    assert.same({ "B 50 20", "C 30 30", "D 7 5", "E 6 6" }, found)
    local ok, problem = pcall(s.change, s, { submit = { procs = 1, runtime = 5, time = 6 } })
    assert.is_false(ok)
    assert.matches("jobs: job 1: runtime is 5.0 and time is 6.0, but time is the old name of "
      .. "runtime; leave time out", problem, 1, true)
  end)
end)

describe("estimates", function()
  it("kill at the walltime, or are extended to the runtime", function()
    -- Killed at 80: B 80-130, C 130-140. Extended: A 0-100, B 100-150, C 150-160.
    local killed = run { walltimes = "log" }
    assert.equal(140, killed:values(1, "makespan")[1])
    assert.equal(1, killed:values(1, "killed")[1])
    assert.same({ "1 of 3 jobs have no walltime and are planned with their runtime",
      "1 of 3 jobs runs longer than its walltime and is killed at it" }, killed.notes)
    -- 25 of 50 jobs of 2 processors, with 60 s each: a grace that is given is nothing to tell of.
    local many = {}
    for i = 1, 50 do
      many[i] = { id = tostring(i), submit = 0, procs = 2, runtime = i <= 25 and 160 or 90,
        walltime = 100 }
    end
    local overrun = orrery.jobs(many)
    assert.same({ "25 of 50 jobs run longer than their walltimes and are killed at them",
      "50.0% of the jobs overrun their walltimes, by 60 s in the median; 0.833 processor-hours "
        .. "are cut off: this many tell of a grace period; see the options grace and overrun",
    }, run({ jobs = overrun, walltimes = "log" }).notes)
    assert.same({ "25 of 50 jobs run longer than their walltimes and the grace and are killed at "
      .. "them" }, run({ jobs = overrun, walltimes = "log", grace = 30 }).notes)
    assert.same({ 160, 40 }, { killed:values(1, "work_lost")[1], killed:values(1, "work_cut")[1] })
    local extended = run { walltimes = "log", overrun = "extend" }
    assert.equal(160, extended:values(1, "makespan")[1])
    assert.equal(0, extended:values(1, "killed")[1])
    assert.equal("1 of 3 jobs runs longer than its walltime and has it raised to the runtime",
      extended.notes[2])
    assert.same({}, run({ overrun = "extend" }).notes)
  end)

  it("cap the runtime at the walltime", function()
    -- A 0-80, B 80-130, C 130-140: as above, but A has done its work.
    local capped = run { walltimes = "log", overrun = "cap" }
    local function value(name) return capped:values(1, name)[1] end
    assert.same({ 140, 0, 0, 40 },
      { value "makespan", value "killed", value "work_lost", value "work_cut" })
    assert.equal("1 of 3 jobs runs longer than its walltime and is capped at it", capped.notes[2])
    assert.same({ 80, 50, 10 }, capped:jobs(1, "runtime"))
    -- A job like all others fails, and the error detector looks at it.
    local m = metrics { walltimes = "log", overrun = "cap", failures = { { 1, 0, 0 } },
      verification = 1 }
    assert.same({ 1, 2 * 81 + 51 + 11, 2 * 80 + 50 + 10 - 25 },
      { m.failures, m.makespan, m.lower_bound })
    local s = orrery.session { jobs = JOBS, procs = 2, walltimes = "log", overrun = "cap" }
    assert.same({ 80, 80, 1 }, { s:job(1).time, s:job(1).runtime, s.overruns })
    s:change { runtime = { B = 70 } } -- which is capped, too
    assert.same({ 50, 50, 2 }, { s:job(2).time, s:job(2).runtime, s.overruns })
    s:finish()
    assert.is_true(s:check())
  end)

  it("grant a grace", function()
    -- A runs 20 s longer than its walltime of 80 s: a grace of 20 s lets it complete at 100.
    local function value(name, grace, overrun)
      return run({ walltimes = "log", overrun = overrun, grace = grace }):values(1, name)[1]
    end
    assert.same({ 160, 0, 0 },
      { value("makespan", 20), value("killed", 20), value("work_cut", 20) })
    assert.same({ 155, 1, 10 },
      { value("makespan", 15), value("killed", 15), value("work_cut", 15) })
    assert.same({ 155, 0, 10 },
      { value("makespan", 15, "cap"), value("killed", 15, "cap"), value("work_cut", 15, "cap") })
    local s = orrery.session { jobs = JOBS, procs = 2, walltimes = "log", grace = 15 }
    assert.same({ 95, 50, 10, 1 }, { s:job(1).time, s:job(2).time, s:job(3).time, s.overruns })
    assert.equal("1 of 3 jobs runs longer than its walltime and the grace and is killed at it",
      run({ walltimes = "log", grace = 15 }).notes[2])
  end)

  it("are in the bounds: a note where more than 2% overrun", function()
    local function notes(overruns)
      local list = {}
      for i = 1, 100 do
        list[i] = { procs = 1, runtime = 10, walltime = i <= overruns and 10 - i or 10 }
      end
      return run({ jobs = orrery.jobs(list), walltimes = "log", overrun = "cap" }).notes
    end
    assert.equal(1, #notes(2))
    assert.matches("^3%.0%% of the jobs overrun their walltimes, by 2 s in the median", notes(3)[2])
  end)

  it("of the log equal a naive reference, however overruns are treated", function()
    local rng = orrery.random(31)
    local killed, cut, count = 0, 0, rounds(1200, 300, 100)
    for _ = 1, count do
      local instance = instances.random(rng)
      instance.walltimes = "log"
      instance.overrun = rigid.pick(rng, { "kill", "cap", "extend" })
      instance.grace = instance.overrun ~= "extend" and rigid.pick(rng, { 0, 0, 1, 2.5, 100 }) or 0
      local rule = rigid.pick(rng, rigid.rules)
      local m = rigid.hold_against_reference(instance, rigid.pick(rng, rigid.names), rule,
        naive.priorities(instance.procs)[rule])
      killed, cut = killed + m.killed, cut + (m.work_cut > 0 and 1 or 0)
    end
    assert.is_true(math.min(killed, cut) > count / 15)
  end)

  it("come from a function, which is asked once per job and sees all of it", function()
    local seen = {}
    local function predict(job)
      seen[#seen + 1] = ("%s %g %g %s"):format(job.id, job.time, job.submit, job.walltime)
      if job.id == "A" then return 90 end
      if job.id == "B" then return 200 end
    end
    local s = orrery.session { jobs = JOBS, procs = 2, walltimes = predict }
    assert.same({ "A 100 0 80.0", "B 50 10 50.0", "C 10 20 nil" }, seen)
    -- a wrong prediction kills nobody, unless that is asked for; nil is the runtime
    assert.same({ 100, 200, 10, 1 }, { s:job(1).time, s:job(2).time, s:job(3).time, s.overruns })
    assert.equal(160, metrics({ walltimes = predict }).makespan)
    assert.equal(150, metrics({ walltimes = predict, overrun = "kill" }).makespan)
    assert.equal("1 of 3 jobs runs longer than its estimate and is killed at it",
      run({ walltimes = predict, overrun = "kill" }).notes[1])
    seen = {}
    orrery.compare { jobs = JOBS, procs = 2, walltimes = predict, policies = { "easy", "shelf" } }
    assert.equal(3, #seen)
  end)

  it("are refused where they are no times", function()
    local function refused(expected, fields)
      local ok, problem = pcall(run, fields)
      assert.is_false(ok)
      assert.matches(expected, problem, 1, true)
    end
    refused("walltimes: expected a number of seconds of at least 0 for job A, found -1",
      { walltimes = function() return -1 end })
    refused("nan", { walltimes = function() return 0 / 0 end })
    refused("for job A, found 80", { walltimes = function() return "80" end })
    refused("walltimes: expected 'log', 'runtime' or a function, found 'longs'",
      { walltimes = "longs" })
    refused("overrun: expected 'kill', 'cap' or 'extend', found 'raise'", { overrun = "raise" })
    refused("overrun: cap cuts runtimes off at the log's walltimes: give walltimes = 'log' as well",
      { overrun = "cap" })
    refused("grace is granted to jobs that overrun the log's walltimes: give walltimes = 'log'",
      { grace = 5, walltimes = function() return 5 end })
    refused("grace and overrun = 'extend' exclude each other",
      { grace = 5, walltimes = "log", overrun = "extend" })
    refused("grace: expected a number of seconds of at least 0, found '-1'", { grace = -1 })
    refused("tau: expected more than 0 s", { tau = 0 })
    refused("warmup: expected a number of seconds of at least 0, found '-1'", { warmup = -1 })
    refused("a warmup of 15 s and a cooldown of 6 s leave no job to observe: submissions span 20 s",
      { warmup = 15, cooldown = 6 })
  end)
end)

describe("what metrics look at", function()
  it("takes runtimes below tau for tau", function()
    -- A 0-100, B 100-150, C 150-160: flow times 100, 140, 140.
    local m = metrics {}
    assert.near((1 + 140 / 60 + 140 / 60) / 3, m.bsld_mean, 1e-15)
    assert.equal(140 / 60, m.bsld_max)
    local short = metrics { tau = 5 }
    assert.near((1 + 140 / 50 + 140 / 10) / 3, short.bsld_mean, 1e-15)
    assert.equal(14, short.bsld_max)
    assert.equal(1, metrics({ tau = 1000 }).bsld_mean)
  end)

  it("leaves out what is submitted outside of the window, both ends included", function()
    -- The window of 10 to 20: B and C; both processors are A's from 10 to 20.
    local m = metrics { warmup = 10 }
    assert.near((90 + 130) / 2, m.wait_mean, 1e-12)
    assert.equal(140, m.flow_mean)
    assert.equal(1, m.utilisation)
    -- 0 to 10: A and B.
    local first = metrics { cooldown = 10, tau = 10 }
    assert.equal(90, first.wait_max)
    assert.near((1 + 140 / 50) / 2, first.bsld_mean, 1e-15)
    -- of the whole run
    assert.same({ 160, 3, 0 }, { m.makespan, m.starts, m.killed })
  end)

  it("counts what is held in the window, in any way of running", function()
    local rng = orrery.random(77)
    for _ = 1, 150 do
      local instance = instances.random(rng, { n = 10 })
      local span, first = 0, math.huge
      for _, job in ipairs(instance.list) do first = math.min(first, job.submit) end
      for _, job in ipairs(instance.list) do span = math.max(span, job.submit - first) end
      if span > 0 then
        local from = rng:uniform(0, 0.4) * span
        local spec = rigid.spec(instance, { warmup = from, tau = 3,
          policy = rigid.pick(rng, { "dispatch/easy", "dispatch/greedy", "dispatch/fcfs" }) })
        local s = orrery.session(spec)
        local m = s:finish()
        local held, observed, wait = 0, 0, 0
        for _, a in ipairs(s:schedule()) do
          local part = math.min(a.finish, first + span) - math.max(a.start, first + from)
          held = held + math.max(part, 0) * instance.list[a.position].procs
          local job = instance.list[a.position]
          if a.outcome ~= "failed" and job.submit >= first + from then
            local length = a.outcome == "killed" and job.walltime or job.time
            observed, wait = observed + 1, wait + a.finish - job.submit - length
          end
        end
        assert.near(held / (instance.procs * (first + span - (first + from))), m.utilisation, 1e-9)
        assert.near(wait / observed, m.wait_mean, 1e-9 * (1 + wait))
        for key, value in pairs(s:measure()) do assert.near(value, m[key], 1e-9, key) end
        spec.failures, spec.quantiles = { spec.failures }, true
        assert.same(m, orrery.compare(spec).sets[1].metrics:scenario(1, 1))
      end
    end
  end)

  it("holds against the reference for any tau", function()
    local rng = orrery.random(78)
    for _ = 1, 100 do
      local instance = instances.random(rng, { n = 9 })
      local tau = rigid.pick(rng, { 0.5, 2, 7 })
      local reference = rigid.reference_spec(instance, "easy")
      reference.tau = tau
      local expected = naive.metrics(reference, naive.run(reference))
      local found = orrery.session(rigid.spec(instance, { tau = tau, policy = "easy" })):finish()
      for _, name in ipairs { "bsld_mean", "bsld_max", "work_lost" } do
        assert.near(expected[name], found[name], 1e-9 * (1 + expected[name]), name)
      end
    end
  end)
end)
