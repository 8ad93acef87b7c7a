-- What the options of orrery.compare do to two jobs, by hand, what is noted, and what is refused.
local orrery = require "orrery"
local program = require "spec.support.program"

-- A runs from 0 to 10 on both processors; B comes at 4, waits for them and ends at 16.
local function two()
  return orrery.jobs { { id = "A", submit = 0, procs = 2, time = 10, walltime = 20 },
    { id = "B", submit = 4, procs = 2, time = 6, walltime = 3 } }
end

local function compare(fields)
  local spec = { jobs = two(), procs = 2, policy = not fields.policies and "easy" or nil }
  for name, value in pairs(fields) do spec[name] = value end
  return orrery.compare(spec)
end

local function half(job) return job.time / 2 end

-- Options; the makespan; the waits of A and B; other metrics; the notes.
local CASES = {
  { {}, 16, { 0, 6 }, { starts = 2, killed = 0, work_cut = 0, failures = 0 }, {} },
  { { batch = true }, 16, { 0, 10 } },
  { { load = 2 }, 16, { 0, 8 } },
  { { verification = 3 }, 22, { 3, 12 } },
  { { walltimes = "log" }, 13, { 0, 6 }, { killed = 1, work_cut = 6 },
    { "1 of 2 jobs runs longer than its walltime and is killed at it" } },
  { { walltimes = "log", overrun = "cap" }, 13, { 0, 6 }, { killed = 0, work_cut = 6 },
    { "1 of 2 jobs runs longer than its walltime and is capped at it" } },
  { { walltimes = "log", overrun = "extend" }, 16, { 0, 6 }, { killed = 0, work_cut = 0 },
    { "1 of 2 jobs runs longer than its walltime and has it raised to the runtime" } },
  { { walltimes = "log", grace = 3 }, 16, { 0, 6 }, { killed = 0 }, {} },
  { { walltimes = "log", grace = 1 }, 14, { 0, 6 }, { killed = 1, work_cut = 4 },
    { "1 of 2 jobs runs longer than its walltime and the grace and is killed at it" } },
  { { walltimes = half }, 16, { 0, 6 }, { killed = 0 },
    { "2 of 2 jobs run longer than their estimates and have them raised to the runtime" } },
  { { walltimes = function() return nil end }, 16, { 0, 6 }, {}, {} },
  { { failures = { { 1, 0 } } }, 26, { 10, 16 }, { starts = 3, failures = 1, work_lost = 20 } },
  { { failures = { { 0, 2 } } }, 28, { 0, 18 }, { starts = 4, failures = 2, work_lost = 24 } },
  { { check = true }, 16, { 0, 6 }, {}, { "checked: 1 schedule, every one of them possible" } },
  { { tau = 3 }, 16, { 0, 6 }, { bsld_max = 2, bsld_mean = 1.5 } },
  { { tau = 100 }, 16, { 0, 6 }, { bsld_max = 1 } },
  -- checkpoints after 4 and 8 s of A, and after 4 s of B
  { { checkpoint = { cost = 1, period = 4 } }, 19, { 2, 9 },
    { checkpoints = 3, checkpoint_time = 6, recovery_time = 0 } },
  -- A writes 4 checkpoints, and B one before it is killed after 3 s of work
  { { walltimes = "log", checkpoint = { cost = 1, period = 2 } }, 18, { 4, 11 },
    { killed = 1, starts = 2 } },
  { { walltimes = "log", checkpoint = { cost = 1, period = 2, requeue_killed = true } }, nil, nil },
  -- processor 1 is away from 5 to 7: A begins anew
  { { node_failures = { log = { { time = 5, processor = 1 } }, repair = 2 } }, 23, { 7, 13 },
    { node_failures = 1, interruptions = 1, work_lost = 10 } },
  -- and the same from its checkpoint of 2 s of work, read again in 1 s
  { { node_failures = { log = { { time = 5, processor = 1 } }, repair = 2 },
    checkpoint = { cost = 1, period = 2, recovery = 1 } } },
  { { maintenance = { { from = 12, to = 15, procs = 2 } } }, 21, { 0, 11 } },
}

describe("a comparison of two jobs", function()
  for i, case in ipairs(CASES) do
    local options, makespan, waits, metrics, notes = table.unpack(case)
    it("has the makespan, the waits and the notes of case " .. i, function()
      local result = compare(options)
      local found = result.policies[1].name
      assert.equal("easy", found)
      assert.same({ 2 }, result.machines)
      if not makespan then return end
      assert.same({ makespan }, result:values(1, "makespan"))
      assert.same(waits, result:jobs(1, "wait"))
      for name, value in pairs(metrics or {}) do
        assert.same({ value }, result:values(1, name), name)
      end
      if notes then assert.same(notes, result.notes) end
    end)
  end

  it("reads of the failed attempt's checkpoint", function()
    local result = compare(CASES[#CASES - 1][1])
    assert.same({ 1, 1 }, { result:values(1, "node_failures")[1],
      result:values(1, "interruptions")[1] })
    assert.is_true(result:values(1, "recovery_time")[1] == 2)
  end)

  it("lets jobs that are killed wait again with what they saved", function()
    local result = compare { walltimes = "log",
      checkpoint = { cost = 1, period = 2, requeue_killed = true } }
    assert.same({ 0 }, result:values(1, "killed"))
    assert.is_true(result:values(1, "starts")[1] > 2)
  end)

  it("has a clairvoyant beside each policy, where there are walltimes", function()
    local result = compare { walltimes = half, clairvoyant = true, policies = { "easy", "fcfs" },
      check = true }
    local names = {}
    for i, policy in ipairs(result.policies) do names[i] = policy.name end
    assert.same({ "easy", "easy (clairvoyant)", "fcfs", "fcfs (clairvoyant)" }, names)
    assert.equal("(clairvoyant): the same policy, where it knows how long each job takes",
      result.notes[1])
    assert.equal("checked: 4 schedules, every one of them possible", result.notes[3])
  end)

  it("keeps those scenarios that were asked for, and their quantiles", function()
    local result = compare { runs = 2, quantiles = true }
    assert.same({ 3, 3 }, result:values(1, "wait_p50"))
    assert.same({ 6, 4 }, { compare { warmup = 4 }:values(1, "wait_mean")[1],
      #compare { runs = 4 }:values(1, "ratio") })
    assert.equal(2, compare { failures = { { 0, 0 }, { 0, 1 } } }.runs)
    local few = compare { runs = 2, metrics = { "makespan" }, errors = { mean_probability = 0.3 } }
    assert.same({ 2, 2 }, { few:summary(1, "makespan").count, few:summary(1, "ratio").count })
    assert.same({ "precision: nothing is drawn at random, and both scenarios are the same" },
      compare { precision = 0.1 }.notes)
  end)

  it("says of jobs without walltimes that they are planned with their runtimes", function()
    local none = orrery.jobs { { procs = 1, time = 5 }, { procs = 1, time = 3 } }
    local one = orrery.jobs { { procs = 1, time = 5 }, { procs = 1, time = 3, walltime = 9 } }
    assert.same({ "the jobs of this log have no walltime and are planned with their runtime" },
      compare { jobs = none, walltimes = "log" }.notes)
    assert.same({ "1 of 2 jobs have no walltime and are planned with their runtime" },
      compare { jobs = one, walltimes = "log" }.notes)
  end)

  it("refuses options that contradict each other", function()
    for message, options in pairs {
      ["failures and errors exclude each other: the counts are given, or drawn"] =
        { failures = { { 1, 0 } }, errors = { rate = 1 } },
      ["errors: give mean_probability or rate, not both"] =
        { errors = { rate = 1, mean_probability = 0.1 } },
      ["summaries are of many scenarios: give runs"] = { summaries = true },
      ["summaries and precision exclude each other: precision looks at the values of all scenarios"]
        = { summaries = true, precision = 0.1 },
      ["metric is what precision is of: give precision"] = { metric = "ratio" },
      ["precision looks at all metrics: give no metrics with it"] =
        { precision = 0.1, metrics = { "ratio" } },
      ["precision and failures exclude each other: every row of the failures is one scenario"] =
        { precision = 0.1, failures = { { 0, 0 } } },
      ["metrics: expected a list of metrics, found 'ratio'"] = { metrics = "ratio" },
      ["tau: expected more than 0 s"] = { tau = 0 },
      ["grace is granted to jobs that overrun the log's walltimes: give walltimes"] = { grace = 1 },
      ["overrun: cap cuts runtimes off at the log's walltimes: give walltimes = 'log' as well"] =
        { overrun = "cap" },
      ["overrun: expected 'kill', 'cap' or 'extend', found 'x'"] = { overrun = "x" },
      ["grace and overrun = 'extend' exclude each other: no job that is extended needs a grace"] =
        { walltimes = "log", overrun = "extend", grace = 1 },
      ["clairvoyant: without walltimes all policies know the runtimes; give walltimes as well"] =
        { clairvoyant = true },
      ["dependencies: submissions follow from the schedule, and not from `batch` or `load`"] =
        { dependencies = true, batch = true },
      ["walltimes: expected 'log', 'runtime' or a function, found 'x'"] = { walltimes = "x" },
      ["walltimes: expected a number of seconds of at least 0 for job A, found -1"] =
        { walltimes = function() return -1 end },
    } do
      local done, problem = pcall(compare, options)
      assert.is_false(done, message)
      assert.matches(message, problem, 1, true)
    end
    assert.has_error(function() orrery.compare { jobs = two(), policy = "easy" } end,
      "procs: the log does not say how large the machine is; give procs")
  end)

  it("of policies with extra processors gives as many to the others", function()
    local policies = { "redirect/threshold", "easy" }
    local result = compare { procs = 20, policies = policies }
    assert.same({ 20, 23 }, result.machines)
    assert.same({ "policy redirect/threshold has 3 processors on top of the machine's 20",
      "policy easy gets 3 more processors, as redirect/threshold has them" }, result.notes)
    assert.equal(1, #compare { procs = 20, policies = policies, equal_procs = false }.notes)
  end)
end)

describe("a comparison notes", function()
  local function notes(list, fields)
    for _, job in ipairs(list) do
      job.procs, job.submit = job.procs or 1, job.submit or 0
    end
    local all = { jobs = orrery.jobs(list) }
    for name, value in pairs(fields) do all[name] = value end
    return compare(all).notes
  end

  it("of which pools no job needs anything", function()
    local pools = { gpu = 2, lic = 1 }
    assert.same({ "no job needs anything of pool gpu, pool lic" },
      notes({ { time = 2 } }, { pools = pools }))
    assert.same({ "no job needs anything of pool lic" },
      notes({ { time = 2, needs = { gpu = 1 } } }, { pools = pools }))
  end)

  it("for whom nothing can be reserved, as no job is theirs", function()
    local list = { { id = "a", time = 5, user = "ann" }, { id = "b", time = 5 } }
    local function told(...)
      local rows = {}
      for i, who in ipairs { ... } do
        rows[i] = { from = i, to = i + 1, procs = 1, [who[1]] = who[2] }
      end
      return notes(list, { reservations = rows })
    end
    assert.same({}, told({ "user", "ann" }, { "job", "b" }, { "job", "a" }))
    assert.same({ "no job may use what is reserved for job ann, user a, user zed" },
      told({ "user", "zed" }, { "job", "a" }, { "user", "a" }, { "job", "ann" }, { "user", "zed" }))
    assert.same({ "no job may use what is reserved for user zed" }, orrery.compare {
      policy = "easy", procs = 2,
      sets = { { name = 1, jobs = orrery.jobs(list) }, { name = 2, jobs = two() } },
      reservations = { { from = 1, to = 2, procs = 1, user = "zed" },
        { from = 3, to = 4, procs = 1, user = "ann" } } }.notes)
  end)

  it("what the log recorded with more processors", function()
    local list = { { id = "a", time = 5, wait = 0 }, { id = "b", time = 2, submit = 1, wait = 1 },
      { id = "c", time = 2, submit = 1, wait = 1 } }
    assert.equal("3 processors were in use at once in the log, more than the 1 that are "
      .. "simulated: 2 jobs start later than recorded, the first is b",
      notes(list, { procs = 1, policies = { "easy", "recorded" } })[1])
    list[3] = nil
    assert.equal("2 processors were in use at once in the log, more than the 1 that are "
      .. "simulated: 1 job starts later than recorded, the first is b",
      notes(list, { procs = 1, policies = { "recorded" } })[1])
    assert.matches("^fidelity: ", notes(list, { policies = { "recorded" } })[1])
  end)

  it("whom a limit on waiting jobs refused", function()
    local list = { { time = 5 }, { time = 2, submit = 1 }, { time = 2, submit = 1 } }
    local told = "jobs that a limit on waiting jobs refused%s: %s; no other metric counts them%s"
    assert.same({ told:format("", "easy 1, fcfs 1", ", so means may be over different jobs") },
      notes(list, { procs = 1, limit = "waiting=1", policies = { "easy", "fcfs" } }))
    assert.same({ told:format(" in the mean", "easy 1", "") },
      notes(list, { procs = 1, limit = "waiting=1", runs = 2 }))
    assert.same({}, notes(list, { procs = 1, limit = "waiting=2" }))
  end)

  it("so many overruns that they tell of a grace period", function()
    local function overruns(count, all, time, more)
      local list = {}
      for i = 1, all do list[i] = { time = i <= count and time + i or 9, walltime = 9 } end
      local fields = { walltimes = "log" }
      for name, value in pairs(more or {}) do fields[name] = value end
      return notes(list, fields)[2]
    end
    local told = "%s%% of the jobs overrun their walltimes, by %s s in the median%s: this many "
      .. "tell of a grace period; see the options grace and overrun"
    assert.equal(told:format("4.0", "28.5", "; 0.0158 processor-hours are cut off"),
      overruns(2, 50, 36))
    assert.equal(told:format("6.0", "720002", "; 600.0 processor-hours are cut off"),
      overruns(3, 50, 720009))
    assert.equal(told:format("4.0", "28.5", ""), overruns(2, 50, 36, { overrun = "extend" }))
    assert.is_nil(overruns(1, 50, 36))
    assert.is_nil(overruns(2, 49, 36))
    assert.is_nil(overruns(2, 50, 36, { grace = 1 }))
  end)
end)

describe("a run", function()
  local checks = require "orrery.support.checks"
  local PLAIN = require("orrery.run.jobs").PLAIN

  -- What is not plain: a value of each.
  local OTHER = {
    capacity = { { from = 3, procs = 1 }, { from = 5, procs = 2 } },
    checkpoint = { cost = 1, period = 4 },
    limit = "jobs/user=2", machine = { procs = 2, limits = "jobs=9" },
    maintenance = { { from = 2, to = 3, procs = 1 } },
    node_failures = { mtbf = "5d" }, pools = { gpu = 1 },
    reservations = { { from = 2, to = 3, procs = 1, user = "ann" } }, verification = 1,
  }

  it("has every option known as plain, or as one with which a run is not", function()
    for _, name in ipairs(checks.names_of "runs.JobsSpec.c") do
      assert.equal(OTHER[name] == nil, PLAIN[name] == true, name)
    end
    for name in pairs(PLAIN) do
      assert.truthy(require("orrery.support.lists").find(checks.names_of "runs.JobsSpec.c",
        function(one) return one == name end), name)
    end
  end)

  it("tells a policy's file whether it is plain", function()
    local path = os.tmpname()
    local file = assert(io.open(path, "w"))
    file:write [[return function(_, _, is_plain)
      return { options = {}, dispatch = function(sim)
        if not is_plain then error("it is not", 0) end
        for job in sim:startable() do sim:start(job) end
      end }
    end]]
    file:close()
    local long = orrery.jobs { { procs = 1, time = 2, user = "ann" } }
    local function told(fields)
      fields.policy, fields.jobs = path, fields.jobs or long
      local done, problem = pcall(compare, fields)
      assert.equal(not done, tostring(problem):find("it is not", 1, true) ~= nil, problem)
      return done
    end
    local found = { told {}, told { runs = 2, errors = { rate = 1e-9 }, grace = 1,
      walltimes = "log" }, told { jobs = orrery.jobs { { procs = 1, time = 1.9 } } },
      told { walltimes = half }, told { instant = "ends-first" } }
    for name, value in pairs(OTHER) do
      assert.is_false(told { [name] = value }, name)
    end
    os.remove(path)
    assert.same({ true, true, false, false, false }, found)
  end)
end)

describe("Schedules that a comparison keeps", function()
  local function kept(spec, path)
    return require("orrery.run.jobs").compare(spec, nil, path or "/dev/stdout").sets[1].metrics
  end

  local folder

  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  local function random_jobs(count)
    local rng, list = orrery.random(11), {}
    for i = 1, count do
      list[i] = { submit = 12 * i + rng:integer(0, 300), procs = rng:integer(1, 8),
        time = rng:integer(1, 9) ^ 2 / 2, user = "u" .. i % 3 }
    end
    return orrery.jobs(list)
  end

  it("are written while they are made, where there is one, and named at the end", function()
    local path = folder .. "/s.csv"
    for _, errors in ipairs { {}, { mean_probability = 0.2 } } do
      local spec = { jobs = random_jobs(20000), procs = 8, errors = errors, policy = "easy" }
      local metrics = kept(spec, path)
      assert.is_true(metrics:has_schedules())
      assert.matches("^s%.csv%.%x+%-%d+%-%x+%.tmp$", program.listing(folder))
      metrics:write_schedule(1, path)
      assert.equal("s.csv", program.listing(folder))
      local session = orrery.session(spec)
      session:finish()
      assert.is_true(session:write_schedule() == program.read(path))
      os.remove(path)
    end
  end)

  it("leave no file where the run fails, or nobody wants them in the end", function()
    local path = folder .. "/s.csv"
    program.write(folder, "s.csv", "as it was")
    local spec = { jobs = random_jobs(20000), procs = 8, policy = {
      dispatch = { discipline = "list" },
      on_end = function(_, job) assert(job.id ~= "19990", "not this one") end,
    } }
    local ok, message = pcall(kept, spec, path)
    assert.is_false(ok)
    assert.matches("not this one", tostring(message))
    assert.equal("s.csv", program.listing(folder))
    spec.policy = "easy"
    kept(spec, path)
    collectgarbage()
    assert.equal("s.csv", program.listing(folder))
    assert.equal("as it was", program.read(path))
  end)

  it("are those of sessions, byte by byte, under every policy", function()
    local rng, list = orrery.random(7), {}
    for i = 1, 60 do
      list[i] = { submit = rng:integer(0, 300), procs = rng:integer(1, 8),
        time = rng:integer(1, 90), user = "u" .. i % 3 }
    end
    local spec = { jobs = orrery.jobs(list), procs = 8, errors = { mean_probability = 0.2 },
      threads = 2, policies = { "easy", "conservative", "fair-share", "easy-plus-plus" } }
    local metrics = kept(spec)
    assert.is_true(metrics:has_schedules())
    for i, policy in ipairs(spec.policies) do
      local session = orrery.session { jobs = spec.jobs, procs = 8, errors = spec.errors,
        policy = policy }
      session:finish()
      assert.equal(session:write_schedule(), metrics:write_schedule(i))
    end
  end)

  it("are of one scenario alone, and of jobs that come when the log says", function()
    local jobs = two()
    assert.is_false(kept({ jobs = jobs, procs = 2, policy = "easy", runs = 2 }):has_schedules())
    local linked = require("spec.support.temporary").file("F",
      "id,submit,procs,runtime,after\nA,0,2,10,\nB,4,2,6,A\n", orrery.read,
      { dependencies = true })
    assert.is_false(kept({ jobs = linked, procs = 2, policy = "easy", dependencies = true })
      :has_schedules())
  end)
end)
