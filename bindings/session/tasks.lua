-- tasks: orrery.session for malleable tasks: one simulation to step through.
local changes = require "orrery.session.changes"
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local policy_list = require "orrery.run.policy_list"
local sessions = require "orrery.session.session"
local task_policies = require "orrery.host.task_policies"
local tasks = require "orrery.values.tasks"
local tasks_run = require "orrery.run.tasks"

local function fail(format, ...) error(format:format(...), 0) end

-- A policy ready to run in a session, and what the session knows of it.
local function prepare_setting(given, limits, must_use)
  local used = {}
  if given.options ~= nil and type(given.options) ~= "table" then
    fail("options: expected a table, found %s", type(given.options))
  end
  local policy = given.policy
  if policy == nil then policy = "redistribute/none" end
  local prepared = task_policies.prepare(policy, given.options or {},
    used, limits)
  policy_list.check_used(must_use or {}, used)
  return prepared, { policy = prepared.policy_name, given = given }
end

-- Tasks that are submitted to a session on its way.
local function submit(d, given)
  local list = changes.listed(d, given)
  if not list and checks.kind_of(given) ~= "orrery.tasks" then
    fail("submit: expected tasks, found %s", checks.kind_of(given))
  end
  return list and tasks.list(list) or given
end

-- run says which of the sizes and faults it meets.
return function(spec)
  checks.fields("session", spec, "runs.TasksSpec.s")
  local given, synthetic = tasks_run.check(spec.tasks)
  local options = tasks_run.options(spec)
  local prepared, setting = prepare_setting({ policy = spec.policy, options = spec.options },
    spec.limits, spec.options)
  local run = spec.run == nil and 1 or spec.run
  if math.type(run) ~= "integer" or run < 1 then
    fail("run: expected a whole number of at least 1, found %s", tostring(run))
  end
  local all = tasks_run.tasks_of(given or synthetic, spec, run)
  local faults = tasks_run.fault_log(spec.faults, all, options.procs)
  return sessions.new(sessions.tasks, {
    size = #all, setting = setting, submit = submit,
    make = function() return core.malleable_session(all, options, prepared, run, faults) end,
    prepare = function(d, asked_for)
      return prepare_setting(changes.decide_anew(d.setting.given, asked_for), spec.limits,
        asked_for.options)
    end,
  })
end
