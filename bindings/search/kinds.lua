-- kinds: what a search of policies for jobs and one of redistribution policies for tasks do
-- differently. A kind is a table:
--   name      "jobs" or "tasks": what policies are for, and the field of parts that says so
--   class     the fields of its comparisons
--   ours      fields of these that a search says itself
--   files     the kinds of files that may be candidates;  wanted  what these are, for messages
--   metrics   the names of its metrics
--   choice(given)  a candidate as a table with `policy`
--   name_of(policy);  declared(policy, limits)  its options, as its files declare them
--   prepare(policy, limits, procs)  ready to be simulated; raises what is wrong with it
--   compare(fields, how)  of bindings/run
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local metrics = require "orrery.values.metrics"
local policies = require "orrery.host.policies"
local task_policies = require "orrery.host.task_policies"

local refuse = checks.refuse

local function names_in(...)
  local list = {}
  for _, from in ipairs { ... } do
    for _, entry in ipairs(from) do
      list[#list + 1] = type(entry) == "table" and entry[1] or entry
    end
  end
  return list
end

local OURS = { "policies", "policy", "options", "precision", "metric", "threads", "progress",
  "check" }

-- --- jobs ---------------------------------------------------------------------------------------

local jobs = {
  name = "jobs", class = "runs.JobsSpec.c",
  ours = { "priority", "clairvoyant", "keep", "plain", "equal_procs", "failures",
    table.unpack(OURS) },
  files = { dispatch = true, priority = true }, wanted = "policies and priorities for jobs",
  metrics = names_in(metrics.jobs.all, metrics.jobs.more or {}),
}

function jobs.choice(given)
  if type(given) == "table" and given.policy ~= nil then return given end
  return { policy = given }
end

function jobs.name_of(given)
  if type(given) == "string" then return (given:gsub("^dispatch/", ""):gsub("^priority/", "")) end
  return policies.part(given, "dispatch").name
end

function jobs.declared(given, limits)
  local name = policies.split_options(given)
  return policies.describe(name, "dispatch", limits).options or {}
end

function jobs.prepare(given, limits, procs)
  return policies.prepare(given, nil, {}, {}, limits, procs)
end

function jobs.compare(fields, how)
  if fields.quantiles == nil then fields.quantiles = false end
  return require("orrery.run.jobs").compare(fields, how)
end

-- --- tasks --------------------------------------------------------------------------------------

local tasks = {
  name = "tasks", class = "runs.TasksSpec.c", ours = { "packs", "k", table.unpack(OURS) },
  files = { redistribute = true }, wanted = "redistribution policies for tasks",
  metrics = names_in(metrics.tasks.class),
}

function tasks.choice(given)
  if type(given) == "table" and given.policy ~= nil then return given end
  return task_policies.choice(given)
end

function tasks.name_of(given)
  local name = task_policies.parts(given).name
  return (name:gsub("^redistribute/", ""):gsub("%+redistribute/", "+"))
end

tasks.declared = task_policies.declared

-- Loads the files as well, so that what is wrong with them is said before anything is simulated.
function tasks.prepare(given, limits)
  local prepared = task_policies.prepare(given, {}, {}, limits)
  core.describe(prepared, limits)
  return prepared
end

function tasks.compare(fields, how) return require("orrery.run.tasks").compare(fields, how) end

-- --- which one ----------------------------------------------------------------------------------

local kinds = { jobs = jobs, tasks = tasks }

-- The kind of a specification, by what its parts simulate.
function kinds.of(spec)
  local tasks_in, jobs_in
  for _, name in ipairs { "fixed", "training", "validation", "testing" } do
    local part = type(spec[name]) == "table" and spec[name] or {}
    if part.tasks ~= nil then tasks_in = tasks_in or name end
    if part.jobs ~= nil or part.sets ~= nil then jobs_in = jobs_in or name end
  end
  refuse(tasks_in and jobs_in, "%s has tasks and %s has jobs: policies for one of them are "
    .. "searched for", tasks_in, jobs_in)
  if not tasks_in then return jobs end
  refuse(spec.formulas ~= nil, "formulas: they are priorities of jobs, and %s has tasks", tasks_in)
  refuse(spec.priorities ~= nil, "priorities: they order jobs, and %s has tasks", tasks_in)
  return tasks
end

return kinds
