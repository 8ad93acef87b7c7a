-- A double of Batsim 5: it speaks with an external decision component as Batsim does, in JSON, and
-- executes what it decides on hosts without network. Written after Batsim's published protocol.
--
-- batsim.run { component =, policy =, jobs =, hosts = [, reversed =, storage =] } -> the starts
--   component  init, take, deinit: the functions of the library (native_edc)
--   policy     the text that the component is started with
--   jobs       list of { submit =, procs =, runtime =, walltime = (none: -1) } in order of submit
--   reversed   within a message submissions come before ends
--   storage    number of a host for storage: the others have those around it
--   log        a list that gets all messages
-- The start of a job that was rejected is false. What the component does wrong is raised.
local json = require "dkjson"

local batsim = {}

-- Numbers with all their digits, which dkjson does not write.
local function encoded(value, list)
  if type(value) == "number" then return ("%.17g"):format(value) end
  if type(value) ~= "table" then return json.encode(value) end
  local items = {}
  if list or value[1] ~= nil then
    for i, item in ipairs(value) do items[i] = encoded(item) end
    return "[" .. table.concat(items, ",") .. "]"
  end
  for key, item in pairs(value) do
    items[#items + 1] = ("%s:%s"):format(json.encode(key), encoded(item))
  end
  table.sort(items)
  return "{" .. table.concat(items, ",") .. "}"
end

local Run = {}
Run.__index = Run

function Run:say(events)
  local message = ('{"now":%s,"events":%s}'):format(encoded(self.now), encoded(events, true))
  local answer = assert(self.component.take(message), "the component gave up")
  if self.log then self.log[#self.log + 1] = message self.log[#self.log + 1] = answer end
  local decisions = assert(json.decode(answer))
  assert(decisions.now == self.now, "an answer has the time of its message")
  for _, one in ipairs(decisions.events) do
    assert(one.timestamp == self.now)
    assert(self[one.event_type], "no event " .. one.event_type)(self, one.event)
  end
end

local function event(run, kind, fields)
  return { timestamp = run.now, event_type = kind, event = fields }
end

function Run:EDCHelloEvent(fields)
  assert(fields.decision_component_name == "orrery" and fields.decision_component_version)
  assert(fields.batprotocol_version and fields.requested_simulation_features)
  self.greeted = true
end

-- The numbers in "0-3 8".
local function hosts_of(text)
  local list = {}
  for low, high in text:gmatch "(%d+)%-?(%d*)" do
    for host = tonumber(low), tonumber(high ~= "" and high or low) do list[#list + 1] = host end
  end
  return list
end

function Run:ExecuteJobEvent(fields)
  local job = assert(self.waiting[fields.job_id], "a job that does not wait is executed")
  local hosts = hosts_of(fields.allocation.host_allocation)
  assert(fields.allocation.executor_placement_type == "PredefinedExecutorPlacementStrategyWrapper")
  assert(fields.allocation.executor_placement.strategy == "SpreadOverHostsFirst")
  assert(#hosts == job.procs, "a job has as many hosts as it asks for")
  for _, host in ipairs(hosts) do
    assert(self.free[host], "a job is executed on a host that is not free")
    self.free[host] = nil
  end
  self.waiting[fields.job_id] = nil
  local walltime = job.walltime or math.huge
  self.starts[job.position] = self.now
  self.running[#self.running + 1] = { job = job, hosts = hosts,
    finish = self.now + math.min(job.runtime, walltime), order = #self.running,
    state = job.runtime > walltime and "COMPLETED_WALLTIME_REACHED" or "COMPLETED_SUCCESSFULLY" }
end

function Run:RejectJobEvent(fields)
  local job = assert(self.waiting[fields.job_id], "a job that does not wait is rejected")
  self.waiting[fields.job_id] = nil
  self.starts[job.position] = false
end

function Run:CallMeLaterEvent(fields)
  assert(fields.when_type == "OneShot" and fields.when.time > self.now)
  self.calls[#self.calls + 1] = { id = fields.call_me_later_id, time = fields.when.time }
end

-- --- what happens ------------------------------------------------------------------------------

local function begins(run, spec)
  local hosts = {}
  for id = 0, spec.hosts - (spec.storage and 0 or 1) do
    if id ~= spec.storage then
      hosts[#hosts + 1] = { id = id, name = "host" .. id, pstate = 0, pstate_count = 1,
        state = "IDLE", core_count = 1, computation_speed = { 1e9 } }
      run.free[id] = true
    end
  end
  return event(run, "SimulationBeginsEvent", {
    host_number = spec.hosts + (spec.storage and 1 or 0), computation_host_number = spec.hosts,
    computation_hosts = hosts, storage_host_number = spec.storage and 1 or 0,
    batsim_execution_context = "{}",
  })
end

local function next_time(run, jobs)
  local time = jobs[run.submitted + 1] and jobs[run.submitted + 1].submit or math.huge
  for _, one in ipairs(run.running) do time = math.min(time, one.finish) end
  for _, one in ipairs(run.calls) do time = math.min(time, one.time) end
  return time
end

-- Moves those of `list` whose `field` is now into a list of events.
local function due(run, list, field, make)
  local events, still = {}, {}
  for _, one in ipairs(list) do
    if one[field] == run.now then events[#events + 1] = make(one) else still[#still + 1] = one end
  end
  return events, still
end

local function ends(run)
  local events
  events, run.running = due(run, run.running, "finish", function(one)
    for _, host in ipairs(one.hosts) do run.free[host] = true end
    return event(run, "JobCompletedEvent", { job_id = one.job.id, state = one.state,
      return_code = 0 })
  end)
  return events
end

local function calls(run)
  local events
  events, run.calls = due(run, run.calls, "time", function(one)
    return event(run, "RequestedCallEvent", { call_me_later_id = one.id,
      last_periodic_call = true })
  end)
  return events
end

local function submissions(run, jobs)
  local events = {}
  while jobs[run.submitted + 1] and jobs[run.submitted + 1].submit == run.now do
    run.submitted = run.submitted + 1
    local given = jobs[run.submitted]
    local job = { position = run.submitted, id = "w0!" .. run.submitted, submit = given.submit,
      procs = given.procs, runtime = given.runtime, walltime = given.walltime }
    run.waiting[job.id] = job
    events[#events + 1] = event(run, "JobSubmittedEvent", {
      job_id = job.id, submission_time = job.submit,
      job = { resource_request = job.procs, walltime = job.walltime or -1, extra_data = "",
        rigid = true, profile_id = "w0!delay" .. job.position },
    })
  end
  if run.submitted == #jobs and not run.told then
    run.told = true
    events[#events + 1] = event(run, "AllStaticJobsHaveBeenSubmittedEvent", {})
  end
  return events
end

local function append(to, list)
  for _, one in ipairs(list) do to[#to + 1] = one end
  return to
end

local function simulate(run, spec)
  run:say { event(run, "BatsimHelloEvent", { batsim_version = "5.0.0", batsim_commit = "" }) }
  assert(run.greeted, "the component says hello")
  run:say { begins(run, spec) }
  while true do
    local time = next_time(run, spec.jobs)
    if time == math.huge then break end
    run.now = time
    local ended, submitted = ends(run), submissions(run, spec.jobs)
    local events = spec.reversed and append(submitted, ended) or append(ended, submitted)
    run:say(append(events, calls(run)))
  end
  run:say { event(run, "SimulationEndsEvent", {}) }
  assert(next(run.waiting) == nil, "jobs still wait")
end

function batsim.run(spec)
  local run = setmetatable({
    component = spec.component, now = 0, free = {}, waiting = {}, running = {}, calls = {},
    starts = {}, submitted = 0, log = spec.log,
  }, Run)
  assert(spec.component.init(spec.policy, 2) == 0, "the component does not begin")
  local ok, problem = pcall(simulate, run, spec)
  spec.component.deinit()
  if not ok then error(problem, 0) end
  return run.starts
end

return batsim
