-- liborrery-edc.so: Orrery as the scheduler of Batsim, driven by a double of it
-- (spec/support/batsim.lua). Every policy starts every job there when it does here.
local orrery = require "orrery"
local batsim = require "spec.support.batsim"
local instances = require "spec.support.instances"
local json = require "dkjson"
local program = require "spec.support.program"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"
local temporary = require "spec.support.temporary"

local native = require "native_edc"
local library = package.searchpath("native_edc", package.cpath):gsub("[^/]*/[^/]*$", "")
  .. "liborrery-edc.so"

-- The runtimes of sanitizers bear no second name space.
local loaded
local function component()
  if os.getenv "LD_PRELOAD" then pending "not with a sanitizer" end
  if not loaded then native.load(library) end
  loaded = true
  return native
end

-- Jobs that come over time on 128 processors; some overrun their walltimes.
local function workload(n, seed)
  local rng, list, time = orrery.random(seed), {}, 0
  for i = 1, n do
    local runtime = rng:integer(1, 3000)
    time = time + rng:integer(0, 280)
    list[i] = { submit = time, procs = 1 << rng:integer(0, 5), runtime = runtime,
      walltime = rng:integer(0, 9) == 0 and runtime // 2 + 1 or runtime * rng:integer(1, 4) }
  end
  return list
end

-- When the kernel starts the jobs; `more` are other fields of orrery.session.
local function kernel_starts(jobs, hosts, policy, more)
  local spec = { jobs = orrery.jobs(jobs), procs = hosts, walltimes = "log", policy = policy }
  for key, value in pairs(more or {}) do spec[key] = value end
  local s, starts = orrery.session(spec), {}
  s:finish()
  for i = 1, #jobs do starts[i] = s:job(i).start end
  return starts
end

-- Calls use(path, ...) with a policy's file.
local function with_policy(text, use, ...)
  return temporary.file("policy", text, function(path, ...)
    os.rename(path, path .. ".lua")
    local results = table.pack(pcall(use, path .. ".lua", ...))
    os.remove(path .. ".lua")
    if not results[1] then error(results[2], 0) end
    return table.unpack(results, 2, results.n)
  end, ...)
end

local function same(expected, found)
  assert.equal(#expected, #found)
  for i, start in ipairs(expected) do
    if start ~= found[i] then
      error(("job %d starts at %s, expected %.17g"):format(i, found[i], start), 2)
    end
  end
end

describe("the scheduler for Batsim", function()
  -- Four processors: job 2 waits for job 1, which ends earlier than it said; job 3 is backfilled,
  -- and runs into its walltime; job 4 is wider than the platform.
  it("answers a transcript, worked by hand", function()
    local log = {}
    local starts = batsim.run { component = component(), policy = "dispatch/easy", hosts = 4,
      log = log, jobs = {
        { submit = 0, procs = 3, runtime = 6, walltime = 10 },
        { submit = 1, procs = 2, runtime = 5, walltime = 5.5 },
        { submit = 2, procs = 1, runtime = 9, walltime = 8 },
        { submit = 3, procs = 5, runtime = 1, walltime = 1 },
      } }
    assert.same({ 0, 6, 2, false }, starts)
    local said = {}
    for i, text in ipairs(log) do
      local message = json.decode(text)
      for _, one in ipairs(message.events) do
        said[#said + 1] = ("%s %g %s %s%s"):format(i % 2 == 1 and ">" or "<", message.now,
          one.event_type, one.event.job_id or "",
          one.event.allocation and " on " .. one.event.allocation.host_allocation
          or one.event.state and " " .. one.event.state or "")
      end
    end
    assert.same({
      "> 0 BatsimHelloEvent ", "< 0 EDCHelloEvent ", "> 0 SimulationBeginsEvent ",
      "> 0 JobSubmittedEvent w0!1", "< 0 ExecuteJobEvent w0!1 on 0-2",
      "> 1 JobSubmittedEvent w0!2",
      "> 2 JobSubmittedEvent w0!3", "< 2 ExecuteJobEvent w0!3 on 3",
      "> 3 JobSubmittedEvent w0!4", "> 3 AllStaticJobsHaveBeenSubmittedEvent ",
      "< 3 RejectJobEvent w0!4",
      "> 6 JobCompletedEvent w0!1 COMPLETED_SUCCESSFULLY", "< 6 ExecuteJobEvent w0!2 on 0-1",
      "> 10 JobCompletedEvent w0!3 COMPLETED_WALLTIME_REACHED",
      "> 11 JobCompletedEvent w0!2 COMPLETED_SUCCESSFULLY",
      "> 11 SimulationEndsEvent ",
    }, said)
  end)

  -- ORRERY_ALL=1 in the environment takes 4000 jobs.
  local n = os.getenv "ORRERY_ALL" and 4000 or 400
  for _, policy in ipairs { "fcfs", "easy", "conservative", "easy-sjf" } do
    it(("starts %d jobs when the kernel does: %s"):format(n, policy), function()
      local jobs = workload(n, 3)
      local expected = kernel_starts(jobs, 128, "dispatch/" .. policy)
      same(expected, batsim.run { component = component(), policy = policy, jobs = jobs,
        hosts = 128 })
    end)
  end

  it("starts jobs when the kernel does, on random small instances", function()
    local rng = orrery.random(41)
    local names = { "fcfs", "easy", "conservative", "greedy", "shelf", "easy-sjf",
      "list:reservations=2" }
    for _ = 1, rounds(200) do
      local instance = instances.random(rng, { n = 12, verification = false, positive = true })
      table.sort(instance.list, function(a, b) return a.submit < b.submit end)
      local jobs = {}
      for i, job in ipairs(instance.list) do
        local walltime = job.walltime and job.walltime > 0 and job.walltime or job.time
        jobs[i] = { submit = job.submit, procs = job.procs, runtime = job.time,
          walltime = walltime }
      end
      local policy = rigid.pick(rng, names)
      local order = rigid.pick(rng, { "fcfs", "spt", "wfp3" })
      local text = json.encode { policy = policy, priority = order }
      local expected = kernel_starts(jobs, instance.procs, policy, { priority = order })
      same(expected, batsim.run { component = component(), policy = text, jobs = jobs,
        hosts = instance.procs, reversed = rng:integer(0, 1) == 1 })
    end
  end)

  it("runs policies of the manual as they are", function()
    local manual = program.read(program.home .. "/policies/README.md")
    local jobs = workload(200, 5)
    for _, name in ipairs { "filling", "easy-again", "reserved", "one-wide-a-day" } do
      local text = assert(manual:match("```lua file=" .. name:gsub("%p", "%%%0")
        .. "%.lua\n(.-)```"), name)
      with_policy(text, function(path)
        same(kernel_starts(jobs, 128, path), batsim.run { component = component(), policy = path,
          jobs = jobs, hosts = 128 })
      end)
    end
  end)

  it("wakes policies up", function()
    local text = [[return {
      init = function(sim) sim.state.held = {} end,
      on_submit = function(sim, job)
        if job.procs < 8 then return end
        sim:hold(job)
        table.insert(sim.state.held, job.position)
        sim:wake_at(sim.now // 100 * 100 + 100)
      end,
      on_timer = function(sim)
        for _, position in ipairs(sim.state.held) do sim:release(sim:job(position)) end
        sim.state.held = {}
      end,
      dispatch = "dispatch/fcfs",
    }]]
    local jobs = workload(30, 7)
    with_policy(text, function(path)
      local log = {}
      same(kernel_starts(jobs, 128, path), batsim.run { component = component(), policy = path,
        jobs = jobs, hosts = 128, log = log })
      assert.matches("CallMeLaterEvent", table.concat(log))
    end)
  end)

  it("uses the hosts' own numbers, beside one for storage", function()
    local log = {}
    batsim.run { component = component(), policy = "fcfs", hosts = 4, storage = 1, log = log,
      jobs = { { submit = 0, procs = 3, runtime = 6, walltime = 10 } } }
    assert.matches('"host_allocation":"0 2 3"', table.concat(log), 1, true)
  end)

  it("gives jobs without a walltime the one of the component, or rejects them", function()
    local jobs = { { submit = 0, procs = 1, runtime = 6 } }
    assert.same({ false }, batsim.run { component = component(), policy = "easy", hosts = 1,
      jobs = jobs })
    assert.same({ 0 }, batsim.run { component = component(), hosts = 1, jobs = jobs,
      policy = '{ "policy": "easy", "walltime": 3600 }' })
  end)

  -- Jobs run longer than their walltimes: nobody is given their hosts, or plans with the past.
  it("bears jobs that do not end when they should #long", function()
    local function run(policy, seed)
      local jobs, late = workload(60, seed), {}
      for i, job in ipairs(jobs) do
        late[i] = { submit = job.submit, procs = job.procs, runtime = 2 * job.walltime }
      end
      local starts = batsim.run { component = component(), hosts = 64, jobs = late,
        policy = json.encode { policy = policy, walltime = seed % 2 == 0 and 900 or 4000 } }
      for i in ipairs(jobs) do assert.is_true(starts[i] >= jobs[i].submit) end
    end
    for i = 1, rounds(40) do
      run(rigid.pick(orrery.random(i), { "easy", "conservative", "conservative", "fcfs",
        "list:reservations=3", "list:reservations=all" }), i)
    end
    with_policy([[return { dispatch = function(sim)
      for job in sim:waiting() do
        local start = sim:earliest_start(job.procs, job.time)
        if start < sim.now then error("a start in the past") end
        if job.procs <= sim.free then sim:start(job) end
      end
    end }]], run, 5)
  end)
end)

-- --- what is wrong ------------------------------------------------------------------------------

local begin = require "orrery.edc.component"

local HELLO = { { timestamp = 0, event_type = "SimulationBeginsEvent",
  event = { computation_host_number = 4 } } }

local function submitted(fields)
  local event = { job_id = "a", job = { resource_request = 1, walltime = 10 } }
  for key, value in pairs(fields or {}) do event[key] = value end
  return { timestamp = 1, event_type = "JobSubmittedEvent", event = event }
end

local function completed(fields)
  local event = { job_id = "a", state = "COMPLETED_SUCCESSFULLY", return_code = 0 }
  for key, value in pairs(fields or {}) do event[key] = value end
  return { timestamp = 1, event_type = "JobCompletedEvent", event = event }
end

describe("what the scheduler for Batsim refuses", function()
  local function refused(expected, ...)
    local take = begin("easy")
    local ok, problem = pcall(function(...)
      take(json.encode { now = 0, events = HELLO })
      for _, message in ipairs { ... } do take(json.encode(message)) end
    end, ...)
    assert.is_false(ok)
    assert.matches(expected, problem, 1, true)
    local _, again = pcall(take, json.encode { now = 9, events = {} })
    assert.equal("the component has failed before, and cannot go on", again)
  end

  it("in messages", function()
    refused("now: expected a number of at least 0, found nil", { events = {} })
    refused("now: expected a number of at least 5, found 4", { now = 5, events = {} },
      { now = 4, events = {} })
    refused("events: expected a list, found nil", { now = 1 })
    refused("an event: expected an object, found 3", { now = 1, events = { 3 } })
    refused("event_type: expected a text, found nil", { now = 1, events = { { timestamp = 1 } } })
    refused("timestamp: expected times in order, up to 1, found 2",
      { now = 1, events = { { timestamp = 2, event_type = "SimulationEndsEvent" } } })
    refused("NoSuchEvent is not understood",
      { now = 1, events = { { timestamp = 1, event_type = "NoSuchEvent" } } })
    refused("the simulation begins for the second time", { now = 0, events = HELLO })
  end)

  it("in events of jobs", function()
    local function events(...) return { now = 1, events = { ... } } end
    refused("job_id: expected a text, found 7", events(submitted { job_id = 7 }))
    refused("job: expected an object, found 7", events(submitted { job = 7 }))
    refused("resource_request of job a: expected a whole number of at least 1, found 0",
      events(submitted { job = { resource_request = 0, walltime = 5 } }))
    refused("resource_request of job a: expected a whole number of at least 1, found 1.5",
      events(submitted { job = { resource_request = 1.5, walltime = 5 } }))
    refused('walltime of job a: expected a number, found "5"',
      events(submitted { job = { resource_request = 1, walltime = "5" } }))
    refused("job a is submitted for the second time", events(submitted(), submitted()))
    refused("job b has ended, but it was not submitted", events(completed { job_id = "b" }))
    refused("job a cannot end, it does not run", events(submitted(), completed()))
    refused("the end of job a was reported before", events(submitted()),
      events(completed(), completed()))
    refused('state of job a: expected COMPLETED_SUCCESSFULLY, COMPLETED_FAILED, '
      .. 'COMPLETED_WALLTIME_REACHED or COMPLETED_KILLED, found "DONE"',
      events(submitted()), events(completed { state = "DONE" }))
  end)

  it("before the simulation begins, and of platforms", function()
    local function first(expected, event)
      local ok, problem = pcall(begin("easy"), json.encode { now = 0, events = { event } })
      assert.is_false(ok)
      assert.matches(expected, problem, 1, true)
    end
    local function platform(fields)
      return { timestamp = 0, event_type = "SimulationBeginsEvent", event = fields }
    end
    first("SimulationEndsEvent came before the simulation began",
      { timestamp = 0, event_type = "SimulationEndsEvent" })
    first("computation_host_number: expected a whole number of at least 1, found nil", platform {})
    first("computation_hosts: expected a list of 2 hosts",
      platform { computation_host_number = 2, computation_hosts = { { id = 0 } } })
    first("the id of a host: expected a number of at least 0, found nil",
      platform { computation_host_number = 1, computation_hosts = { {} } })
  end)

  it("in the text that it is started with", function()
    local function text(expected, given)
      local ok, problem = pcall(begin, given)
      assert.is_false(ok)
      assert.matches(expected, problem, 1, true)
    end
    text("expected the name or path of a policy, or an object in JSON with one", "")
    text("the component's text: unknown field 'polcy', did you mean 'policy'?",
      '{ "polcy": "easy" }')
    text("the component's text: machine: jobs of Batsim run on counted processors",
      '{ "policy": "easy", "machine": "m.lua" }')
    text("walltime: expected a number of at least 0, found -3",
      '{ "policy": "easy", "walltime": -3 }')
  end)

  it("of policies that end attempts, or want other processors", function()
    local function run(policy, ...)
      local take = begin(policy)
      for _, message in ipairs { { now = 0, events = HELLO }, ... } do
        take(json.encode(message))
      end
    end
    local function fails(expected, text)
      local ok, problem = pcall(with_policy, text, run, { now = 1, events = { submitted() } })
      assert.is_false(ok)
      assert.matches(expected, problem, 1, true)
    end
    fails("has ended an attempt, which it cannot do to jobs of Batsim",
      [[return { on_start = function(sim, job) sim:kill(job) end, dispatch = "dispatch/fcfs" }]])
    fails("wants 5 processors, and the platform has 4", [[return { dispatch = "dispatch/fcfs",
      groups = function()
        return { { name = "a" }, { name = "b", procs = 1, extra = true } }
      end }]])
    local ok, problem = pcall(run, "no-such-policy")
    assert.is_false(ok)
    assert.matches("no-such-policy", problem, 1, true)
  end)

  -- In a process of its own, whose stderr is looked at.
  it("with a status, and says so", function()
    component()
    local script = [[
      local edc = require "native_edc"
      edc.load(arg[1], arg[2] == "here")
      local function show(what) io.stdout:write(tostring(what), "\n") io.stdout:flush() end
      show(edc.take "{}")
      show(edc.init("easy", 1))
      show(edc.init("", 2))
      for _, message in ipairs { "{ no JSON", '{"now":0,"now":1,"events":[]}', ("["):rep(2000) } do
        edc.init("easy", 2)
        show(edc.take(message))
        edc.deinit()
      end
      show(edc.init("easy", 2))
      show(edc.init("easy", 2))
      show(edc.take '{"now": 0, "events": []}')
      show(edc.take '{"now": 1}')
      show(edc.take '{"now": 1, "events": []}')
      show(edc.deinit())]]
    for _, where in ipairs { "apart", "here" } do
      local output = temporary.file("script", script, function(path)
        local pipe = assert(io.popen(("lua5.4 %s %s %s 2>&1"):format(path, library, where)))
        local text = pipe:read "a"
        pipe:close()
        return text
      end)
      assert.equal([[
orrery: the component has not been started
nil
orrery: only messages in JSON are understood: start Batsim with them
1
orrery: the component's text: expected the name or path of a policy, or an object in JSON with ]]
        .. [[one, found ""
1
orrery: no JSON: line 1, column 4: string or '}' expected near 'no'
nil
orrery: no JSON: line 1, column 14: duplicate object key near '"now"'
nil
orrery: no JSON: line 1, column 2000: ']' expected near end of file
nil
0
orrery: the component has been started already
1
{"events":[],"now":0}
orrery: events: expected a list, found nil
nil
orrery: the component has failed before, and cannot go on
nil
0
]], output)
    end
  end)

  -- Decisions are written in Lua, which has no part of a text; Jansson only reads. Its library is
  -- that of this process.
  it("to answer in part where memory runs out", function()
    if os.getenv "LD_PRELOAD" then pending "not with a sanitizer" end
    local script = [[
      local edc, refused = require "native_edc", require "native_refused"
      edc.load(arg[1], true)
      local first = '{"now":0,"events":[{"timestamp":0,"event_type":"SimulationBeginsEvent",'
        .. '"event":{"computation_host_number":4,"computation_hosts":'
        .. '[{"id":0},{"id":1},{"id":2},{"id":3}]}}]}'
      local second = '{"now":1.5,"events":[{"timestamp":1.5,"event_type":"JobSubmittedEvent",'
        .. '"event":{"job_id":"w0!1","job":{"resource_request":3,"walltime":10}}}]}'
      local function answer(message, left)
        refused.jansson(1 << 30)
        assert(edc.init("easy", 2) == 0 and edc.take(first))
        refused.jansson(left)
        local text = edc.take(message)
        local taken = refused.jansson(1 << 30)
        edc.deinit()
        return text, taken
      end
      local whole, taken = answer(second, 1 << 30)
      assert(whole:find('"job_id":"w0!1"', 1, true), whole)
      local _, read = answer(second:gsub("JobSubmittedEvent", "JobSubmittedEvenX"), 1 << 30)
      assert(taken > 0 and taken == read, "Jansson only reads")
      assert(answer(second, taken) == whole)
      print "whole"]]
    local output = temporary.file("script", script, function(path)
      local pipe = assert(io.popen(("lua5.4 %s %s 2>&1"):format(path, library)))
      local text = pipe:read "a"
      pipe:close()
      return text
    end)
    assert.equal("orrery: JobSubmittedEvenX is not understood\nwhole\n", output)
  end)

  it("of sessions that are not live", function()
    local core = require "orrery.core"
    local s = core.session(orrery.jobs {}, { procs = 1 }, require("orrery.host.policies")
      .prepare("easy", nil, {}, {}, nil, 1), 1)
    for _, call in ipairs { { "pass", 5 }, { "report_end", 1, true } } do
      local ok, problem = pcall(core.live[call[1]], s, call[2], call[3])
      assert.is_false(ok)
      assert.matches("is only for simulations that are live", problem, 1, true)
    end
  end)
end)
