-- jobs: orrery.session for rigid jobs: one simulation to step through.
local changes = require "orrery.session.changes"
local checks = require "orrery.support.checks"
local clock = require "orrery.support.clock"
local core = require "orrery.core"
local jobs_options = require "orrery.run.jobs_options"
local node_failures = require "orrery.values.node_failures"
local policies = require "orrery.host.policies"
local sessions = require "orrery.session.session"
local sets_of = require "orrery.run.sets"

-- Jobs that are submitted to a session on its way: now, where they do not say when.
local function submit(spec)
  return function(d, given)
    local now, list = d.core.now, changes.listed(d, given)
    for _, one in ipairs(list or {}) do
      one.submit = one.submit == nil and now
        or clock.instant("submit", one.submit, d.core.jobs, now)
    end
    local jobs = list and core.values.jobs(list) or given
    sets_of.check_jobs("submit", jobs)
    for _, job in ipairs(jobs) do
      checks.refuse(job.submit < now, "submit: job %s is submitted at %.17g s, but the clock "
        .. "stands at %.17g s", job.id, job.submit, now)
    end
    return jobs, jobs_options.estimates(spec, jobs)
  end
end

-- scenario says which of the failures it meets.
return function(spec)
  checks.fields("session", spec, "runs.JobsSpec.s")
  sets_of.check_jobs("jobs", spec.jobs)
  local jobs = sets_of.loaded(spec, spec.jobs)
  local options = jobs_options.of(spec, jobs.machine_procs)
  options.estimates = jobs_options.estimates(spec, jobs)
  local function prepare(given, used, at)
    return policies.prepare(given.policy or "dispatch/greedy", given.priority, given.options or {},
      used, spec.limits, at and at.machine or options.procs)
  end
  local prepared, setting = changes.prepare(prepare, { policy = spec.policy,
    priority = spec.priority, options = spec.options }, spec.options)
  options.node_failures = node_failures(spec.node_failures, prepared.procs,
    options.max_attempts or jobs_options.MOST_STRUCK)
  local failures = spec.failures
  if type(failures) == "table" and type(failures[1]) ~= "table" then failures = { failures } end
  failures = jobs_options.failures(failures, #jobs)
  return sessions.new(sessions.jobs, {
    size = #jobs, setting = setting, submit = submit(spec), prepare = prepare,
    make = function()
      return core.session(jobs, options, prepared, spec.scenario or 1, failures)
    end,
  })
end
