-- component: a scheduler for Batsim. Its messages are the events of a live session
-- (rigid/whatif/live.h), whose policy decides; Batsim executes the jobs that start there.
--
-- component(text) -> function(message) -> the decisions; text names the policy (batsim_edc.h),
-- messages and decisions are JSON of Batsim's protocol.
local changes = require "orrery.session.changes"
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local json = require "orrery.support.json"
local jobs_options = require "orrery.run.jobs_options"
local policies = require "orrery.host.policies"

local refuse = checks.refuse

-- --- messages ------------------------------------------------------------------------------------

local function expect(fine, what, expected, found)
  checks.expect(fine, what, expected, checks.shown(found))
end

local function number(what, value, least)
  expect(type(value) == "number" and value >= (least or -math.huge) and value < math.huge, what,
    least and ("a number of at least %g"):format(least) or "a number", value)
  return value
end

local function whole(what, value)
  expect(type(value) == "number" and value >= 1 and value % 1 == 0 and value <= 0x7ffffffe, what,
    "a whole number of at least 1", value)
  return math.tointeger(value)
end

local function text(what, value)
  expect(type(value) == "string" and value ~= "", what, "a text", value)
  return value
end

local function object(what, value)
  expect(type(value) == "table", what, "an object", value)
  return value
end

-- --- which policy -------------------------------------------------------------------------------

local FIELDS = { "policy", "priority", "options", "seed", "walltime" }

local function what_to_run(given)
  local spec = given:match "^%s*{" and core.read_json(given)
    or { policy = given:match "^%s*(.-)%s*$" }
  checks.counted("the component's text", spec, "jobs of Batsim")
  checks.fields("the component's text", spec, FIELDS)
  expect(type(spec.policy) == "string" and spec.policy ~= "", "the component's text",
    "the name or path of a policy, or an object in JSON with one", spec.policy or given)
  if spec.walltime ~= nil then number("walltime", spec.walltime, 0) end
  if spec.options ~= nil then object("options", spec.options) end
  return spec
end

-- --- events -------------------------------------------------------------------------------------

local Component = {}
Component.__index = Component

-- A decision, at the time of the message.
function Component:decide(kind, event)
  self.decisions[#self.decisions + 1] =
    { timestamp = self.now, event_type = kind, event = event }
end

local take = {}

function take:BatsimHelloEvent()
  self:decide("EDCHelloEvent", {
    batprotocol_version = "0.1.0", decision_component_name = "orrery",
    decision_component_version = core.version, decision_component_commit = "",
    requested_simulation_features = {
      dynamic_registration = false, profile_reuse = false, acknowledge_dynamic_jobs = false,
      forward_profiles_on_job_submission = false, forward_profiles_on_jobs_killed = false,
      forward_profiles_on_simulation_begins = false, forward_unknown_external_events = false,
    },
  })
end

-- Batsim's number of each processor, where it differs from the processor's own.
local function host_numbers(procs, hosts)
  if hosts == nil then return nil end
  local numbers, same = {}, true
  expect(type(hosts) == "table" and #hosts == procs, "computation_hosts",
    ("a list of %d hosts"):format(procs), hosts)
  for i, host in ipairs(hosts) do
    numbers[i] = number("the id of a host", object("a host", host).id, 0)
  end
  table.sort(numbers)
  for i, id in ipairs(numbers) do same = same and id == i - 1 end
  return not same and numbers or nil
end

function take:SimulationBeginsEvent(event)
  refuse(self.session, "the simulation begins for the second time")
  local procs, spec = whole("computation_host_number", event.computation_host_number), self.spec
  self.hosts = host_numbers(procs, event.computation_hosts)
  local prepared = changes.prepare(function(given, used)
    return policies.prepare(given.policy, given.priority, given.options or {}, used, nil, procs)
  end, spec, spec.options)
  refuse(prepared.procs ~= procs, "policy %s wants %d processors, and the platform has %d",
    spec.policy, prepared.procs, procs)
  local options = jobs_options.of({ seed = spec.seed }, procs)
  options.live = true
  self.procs, self.session = procs, core.session(core.values.jobs {}, options, prepared, 1)
end

function take:JobSubmittedEvent(event)
  local id, job = text("job_id", event.job_id), object("job", event.job)
  refuse(self.positions[id], "job %s is submitted for the second time", id)
  local procs = whole("resource_request of job " .. id, job.resource_request)
  local walltime = number("walltime of job " .. id, job.walltime or -1)
  if walltime <= 0 then walltime = self.spec.walltime end
  if procs > self.procs or not walltime then
    self:decide("RejectJobEvent", { job_id = id })
    return
  end
  self.ids[#self.ids + 1] = id
  self.positions[id] = #self.ids
  self.submitted[#self.submitted + 1] =
    { id = id, submit = self.now, procs = procs, runtime = walltime }
end

local STATES = {
  COMPLETED_SUCCESSFULLY = true, COMPLETED_FAILED = false, COMPLETED_WALLTIME_REACHED = false,
  COMPLETED_KILLED = false,
}

function take:JobCompletedEvent(event)
  local id, state = text("job_id", event.job_id), event.state
  local position = self.positions[id]
  refuse(not position, "job %s has ended, but it was not submitted", id)
  expect(STATES[state] ~= nil, "state of job " .. id, "COMPLETED_SUCCESSFULLY, COMPLETED_FAILED, "
    .. "COMPLETED_WALLTIME_REACHED or COMPLETED_KILLED", state)
  self.ended[#self.ended + 1] = { position = position, completed = STATES[state] }
end

local function nothing() end -- only the event's time counts
take.RequestedCallEvent, take.SimulationEndsEvent = nothing, nothing
take.AllStaticJobsHaveBeenSubmittedEvent = nothing
take.AllStaticExternalEventsHaveBeenInjectedEvent = nothing

local BEFORE = { BatsimHelloEvent = true, SimulationBeginsEvent = true }

function Component:take(event)
  object("an event", event)
  local kind, time = text("event_type", event.event_type), number("timestamp", event.timestamp)
  expect(time >= self.time and time <= self.now, "timestamp",
    ("times in order, up to %.17g"):format(self.now), time)
  refuse(not take[kind], "%s is not understood", kind)
  refuse(not self.session and not BEFORE[kind], "%s came before the simulation began", kind)
  self.time = time
  take[kind](self, event.event == nil and {} or object("event of " .. kind, event.event))
end

-- --- decisions ----------------------------------------------------------------------------------

-- "0-3 8" in Batsim's numbers.
function Component:allocation(processors)
  if not self.hosts then return processors end
  local list = {}
  for low, high in processors:gmatch "(%d+)%-?(%d*)" do
    for p = low, high ~= "" and high or low do list[#list + 1] = self.hosts[p + 1] end
  end
  return table.concat(list, " ")
end

function Component:execute(attempt)
  self:decide("ExecuteJobEvent", {
    job_id = self.ids[attempt.position],
    allocation = {
      host_allocation = self:allocation(attempt.processors),
      executor_placement_type = "PredefinedExecutorPlacementStrategyWrapper",
      executor_placement = { strategy = "SpreadOverHostsFirst" },
    },
  })
end

-- The policy wants to be woken up.
function Component:call_later(time)
  if time == math.huge or time == self.call then return end
  self.call, self.calls = time, self.calls + 1
  self:decide("CallMeLaterEvent", {
    call_me_later_id = ("orrery%d"):format(self.calls), when_type = "OneShot",
    when = { time = math.tointeger(time) or time },
  })
end

-- Submits in place or, where the session has no room, in a session with twice the room.
function Component:submit(jobs)
  if self.session:submit(jobs, 1, #jobs) then return end
  local before = self.session
  self.session = before:fork { submit = jobs, room = math.max(64, #self.ids) }
  before:close()
end

-- Applies all events of a message at one instant of the session.
function Component:instant()
  local live = core.live
  live.pass(self.session, self.now)
  if #self.submitted > 0 then
    self:submit(core.values.jobs(self.submitted))
  end
  for _, one in ipairs(self.ended) do
    live.report_end(self.session, one.position, one.completed)
  end
  self.session:run_until(self.now)
  local attempts, count, ended = live.started(self.session, self.attempts)
  refuse(ended > 0, "policy %s has ended an attempt, which it cannot do to jobs of Batsim",
    self.spec.policy)
  for _, attempt in ipairs(attempts) do self:execute(attempt) end
  self.attempts = count
  self:call_later(self.session.next_event)
end

function Component:answer(message)
  object("a message", message)
  self.now = number("now", message.now, math.max(self.now, 0))
  self.time, self.decisions, self.submitted, self.ended = -math.huge, {}, {}, {}
  expect(type(message.events) == "table", "events", "a list", message.events)
  for _, event in ipairs(message.events) do self:take(event) end
  if self.session then self:instant() end
  return { now = self.now, events = self.decisions }
end

-- ------------------------------------------------------------------------------------------------

-- A message is whole or an error: json.line would leave out a number that is not finite, and change
-- a name that is not UTF-8.
local function check_whole(value)
  if type(value) == "table" then
    for key, item in pairs(value) do
      check_whole(key)
      check_whole(item)
    end
  end
  local fine = math.type(value) ~= "float" or value - value == 0
  refuse(not fine or type(value) == "string" and not utf8.len(value),
    "the decisions cannot be written as JSON: %s is %s", tostring(value),
    fine and "not UTF-8" or "not finite")
end

return function(given)
  local component = setmetatable({
    spec = what_to_run(given), now = 0, ids = {}, positions = {}, attempts = 0, calls = 0,
  }, Component)
  local failed
  return function(message)
    refuse(failed, "the component has failed before, and cannot go on")
    failed = true
    local decisions = component:answer(core.read_json(message))
    check_whole(decisions)
    json.list(decisions.events)
    failed = false
    return (json.line(decisions, {}):gsub("\n$", ""))
  end
end
