-- tasks: orrery.session for malleable tasks: one simulation, step by step.
local changes = require "orrery.session.changes"
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local policy_kinds = require "orrery.schema.policy_kinds"
local sessions = require "orrery.session.session"
local task_policies = require "orrery.host.task_policies"
local tasks = require "orrery.values.tasks"
local tasks_run = require "orrery.run.tasks"

-- Tasks that are submitted to a session on its way.
local function submit(d, given)
  local list = changes.listed(d, given)
  checks.expect(list or checks.kind_of(given) == "orrery.tasks", "submit", "tasks",
    checks.kind_of(given))
  return list and tasks.list(list) or given
end

-- run says which of the sizes and faults it meets.
return function(spec)
  checks.counted("session", spec, "malleable tasks")
  checks.fields("session", spec, "runs.TasksSpec.s")
  local given, synthetic = tasks_run.check(spec.tasks)
  local options = tasks_run.options(spec)
  local function prepare(asked_for, used)
    local policy, own = asked_for.policy, asked_for.options
    if policy == nil then policy = policy_kinds.engines.tasks.default end
    checks.expect(own == nil or type(own) == "table", "options", "a table", type(own))
    return task_policies.prepare(policy, own or {}, used, spec.limits)
  end
  local prepared, setting = changes.prepare(prepare, { policy = spec.policy,
    options = spec.options }, spec.options)
  local run = spec.run == nil and 1 or spec.run
  checks.expect(math.type(run) == "integer" and run >= 1, "run", "a whole number of at least 1",
    tostring(run))
  local all = tasks_run.tasks_of(given or synthetic, spec, run)
  local faults = tasks_run.fault_log(spec.faults, all, options.procs)
  return sessions.new(sessions.tasks, {
    size = #all, setting = setting, submit = submit, prepare = prepare,
    make = function() return core.malleable_session(all, options, prepared, run, faults) end,
  })
end
