-- jobs: orrery.session for rigid jobs: one simulation, step by step.
local changes = require "orrery.session.changes"
local checks = require "orrery.support.checks"
local clock = require "orrery.support.clock"
local core = require "orrery.core"
local jobs_options = require "orrery.run.jobs_options"
local limits = require "orrery.values.limits"
local policies = require "orrery.host.policies"
local runs = require "orrery.run.jobs"
local sessions = require "orrery.session.session"
local sets_of = require "orrery.run.sets"

-- Jobs that are submitted to a session on its way: now, where they do not say when.
local function submit(spec)
  local has = {}
  for name in pairs(spec.pools or {}) do has[name] = true end
  local nodes = spec.machine and require("orrery.values.machine").nodes(spec.machine)
  for _, name in ipairs(nodes and nodes.resources or {}) do has[name] = true end
  if nodes then has.nodes, has.exclusive = true, true end
  return function(d, given)
    local now, list = d.core.now, changes.listed(d, given)
    for _, one in ipairs(list or {}) do
      one.submit = one.submit == nil and now
        or clock.instant("submit", one.submit, d.core.jobs, now)
    end
    local jobs = list and core.values.jobs(list) or given
    jobs = sets_of.jobs_of("submit", jobs)
    for _, job in ipairs(jobs) do
      for name, amount in pairs(job.needs or {}) do
        checks.refuse(amount > 0 and not has[name], "submit: job %s needs %s, and the machine has "
          .. "no such pool or resource", job.id, name)
      end
      checks.refuse(job.submit < now, "submit: job %s is submitted at %.17g s, but the clock "
        .. "stands at %.17g s", job.id, job.submit, now)
    end
    return jobs, jobs_options.of_jobs({ walltimes = spec.walltimes, checkpoint = spec.checkpoint,
      node_failures = spec.node_failures }, jobs)
  end
end

-- scenario says which of the failures it meets.
return function(spec)
  checks.fields("session", spec, "runs.JobsSpec.s")
  if spec.machine ~= nil then spec = require("orrery.values.machine").applied(spec) end
  local jobs = sets_of.loaded(spec, sets_of.jobs_of("jobs", spec.jobs, spec))
  local options, all, set = jobs_options.of(spec, jobs.machine_procs), jobs, { jobs = jobs }
  local refused = limits.allow(spec, { set }, true)
  if options.nodes then
    local unfit = require("orrery.values.nodes").allow(options.nodes, { set })
    refused = refused and unfit and refused .. "; " .. unfit or refused or unfit
  end
  jobs = set.jobs
  local function prepare(given, used, at)
    return policies.prepare(given.policy or "dispatch/greedy", given.priority, given.options or {},
      used, spec.limits, at and at.machine or options.procs, options.nodes ~= nil)
  end
  local prepared, setting = changes.prepare(prepare, { policy = spec.policy,
    priority = spec.priority, options = spec.options }, spec.options)
  local never
  jobs, never = jobs_options.starting(spec, jobs, options, prepared.procs)
  options.node_failures = jobs_options.node_failures(spec, prepared.procs, options,
    { { jobs = jobs } })
  for name, value in pairs(jobs_options.of_jobs(spec, jobs, prepared.procs)) do
    options[name] = value
  end
  local failures = spec.failures
  if type(failures) == "table" and type(failures[1]) ~= "table" then failures = { failures } end
  failures = jobs_options.failures(failures, #jobs)
  return sessions.new(sessions.jobs, {
    size = #jobs, setting = setting, submit = submit(spec), prepare = prepare,
    refused = refused and function(id)
      local at = all:position(id)
      local one = at and all:filter(function(job) return job.id == id end)
      local why = one and (limits.refused(spec, one) or options.nodes
        and require("orrery.values.nodes").refused(
          require("orrery.values.machine").nodes(spec.machine), one))
      return why and { id = id, state = "refused", reason = "refused", submit = one[1].submit,
        procs = one[1].procs, partition = one[1].partition, needs = one[1].needs, why = why }
    end,
    new_windows = function(machine, nodes)
      return require("orrery.values.windows").new(spec, machine, nodes)
    end,
    fidelity = function(now) -- of the policy that decides now; in place of `recorded` EASY's
      if not core.waits_known(jobs) then return nil end
      local fidelity, sets = require "orrery.run.fidelity", { { name = "all", jobs = jobs } }
      local is_recorded = now.policy == "recorded" or now.policy == "dispatch/recorded"
      local given = is_recorded and { policy = "easy" } or now.given
      return runs.fidelity(fidelity.spec(spec, options.procs, sets, {
        policy = given.policy or "dispatch/greedy", priority = given.priority,
        options = given.options }), is_recorded and "easy" or sessions.jobs.label(now))
    end,
    circumstances = { walltimes = spec.walltimes or "runtime", load = spec.load or 1,
      seed = spec.seed or 1, scenario = spec.scenario or 1, refused = refused,
      never = jobs_options.never_text(never) },
    make = function()
      return core.session(jobs, options, prepared, spec.scenario or 1, failures)
    end,
  })
end
