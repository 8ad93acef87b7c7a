-- kinds: what searches of policies for jobs, of redistribution policies for tasks and of pack
-- policies do differently. A kind is a table:
--   name      "jobs", "tasks" or "packs": what policies are for
--   class     the fields of its comparisons
--   ours      fields of these that a search says itself
--   wanted    what its candidates are, for messages
--   metrics   the names of its metrics
--   choice(given)  a candidate as a table with `policy`
--   name_of(policy);  declared(policy, limits)  its options, as its files declare them
--   prepare(policy, limits, procs)  ready to be simulated; raises what is wrong with it
--   compare(fields, how)  of bindings/run
-- and, where samples are runs with tasks,
--   runs(fields)  { make = function(run) -> its tasks, is_drawn = whether runs differ, has_stream =
--                 whether by seed and set, given = the same tasks in all runs, procs = }
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local metrics = require "orrery.values.metrics"
local policies = require "orrery.host.policies"
local policy_kinds = require "orrery.schema.policy_kinds"
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

-- What policies of an engine are called, and which options their files declare.
local function name_of(engine, given)
  local folder = policy_kinds.engines[engine].name
  if type(given) == "string" then return (given:gsub("^" .. folder .. "/", "")) end
  return policies.part(given, folder).name
end

local function declared_in(engine)
  local folder = policy_kinds.engines[engine].name
  return function(given, limits)
    return policies.describe((policies.split_options(given)), folder, limits).options or {}
  end
end

-- Loads the files as well, so that what is wrong with them is said before anything is simulated.
local function loaded(prepared, limits)
  core.describe(prepared, limits)
  return prepared
end

-- --- jobs ---------------------------------------------------------------------------------------

local jobs = {
  name = "jobs", class = "runs.JobsSpec.c",
  ours = { "priority", "clairvoyant", "keep", "plain", "equal_procs", "failures",
    table.unpack(OURS) },
  wanted = "policies and priorities for jobs",
  metrics = names_in(metrics.jobs.all, metrics.jobs.more or {}),
}

function jobs.choice(given)
  if type(given) == "table" and given.policy ~= nil then return given end
  return { policy = given }
end

function jobs.name_of(given)
  if type(given) == "string" then given = given:gsub("^priority/", "") end
  return name_of("jobs", given)
end

jobs.declared = declared_in "jobs"

function jobs.prepare(given, limits, procs)
  return policies.prepare(given, nil, {}, {}, limits, procs)
end

function jobs.compare(fields, how)
  if fields.quantiles == nil then fields.quantiles = false end
  return require("orrery.run.jobs").compare(fields, how)
end

-- --- tasks --------------------------------------------------------------------------------------

local tasks = {
  name = "tasks", class = "runs.TasksSpec.c",
  ours = { "packs", "k", table.unpack(OURS) },
  wanted = "redistribution policies for tasks",
  metrics = names_in(metrics.tasks.class),
}

function tasks.choice(given)
  if type(given) == "table" and given.policy ~= nil then return given end
  return task_policies.choice(given)
end

function tasks.name_of(given)
  local folder = policy_kinds.engines.tasks.name .. "/"
  return (task_policies.parts(given).name:gsub("^" .. folder, ""):gsub("%+" .. folder, "+"))
end

tasks.declared = task_policies.declared

function tasks.prepare(given, limits)
  return loaded(task_policies.prepare(given, {}, {}, limits), limits)
end

function tasks.compare(fields, how) return require("orrery.run.tasks").compare(fields, how) end

function tasks.runs(fields)
  local tasks_run = require "orrery.run.tasks"
  local given, drawn = tasks_run.check(fields.tasks)
  local options = tasks_run.options(fields, drawn)
  local is_drawn = drawn ~= nil or options.mtbf < math.huge and options.law ~= "log"
  return { given = given, procs = options.procs, is_drawn = is_drawn, has_stream = is_drawn,
    samples = "runs whose tasks or faults are drawn",
    make = function(run) return tasks_run.tasks_of(given or drawn, fields, run) end }
end

-- --- packs --------------------------------------------------------------------------------------

local packs = {
  name = "packs", class = "packs.PacksSpec", ours = { "run", table.unpack(OURS) },
  wanted = "pack policies", metrics = {}, choice = jobs.choice,
}

for _, name in ipairs(names_in(metrics.packs.class, metrics.packs.more)) do
  if name ~= "seconds" then table.insert(packs.metrics, name) end -- it is of the clock
end

function packs.name_of(given) return name_of("packs", given) end

packs.declared = declared_in "packs"

function packs.prepare(given, limits)
  return loaded(require("orrery.run.packs").prepare(given, {}, {}, limits), limits)
end

function packs.compare(fields, how)
  fields.threads, fields.run = nil, (how.first or 0) + 1
  return require("orrery.run.packs").run(fields, how.ready)
end

function packs.runs(fields)
  local kind = checks.kind_of(fields.tasks)
  return { is_drawn = kind ~= "orrery.tasks", has_stream = kind == "table",
    given = kind == "orrery.tasks" and fields.tasks or nil,
    procs = checks.count("procs", fields.procs, 1), samples = "runs whose tasks are drawn",
    make = require("orrery.run.packs").tasks_of(fields.tasks, fields) }
end

-- --- which one ----------------------------------------------------------------------------------

local kinds = { jobs = jobs, tasks = tasks, packs = packs }

-- The kind of a policy's file that may be a candidate, and its text; `what` begins the message.
function kinds.read_file(kind, path, limits, what)
  local folder = policies.kind_of_file(path, limits)
  refuse(policy_kinds.by_name[folder].of ~= kind.name, "%s%s is a %s policy; %s are searched for",
    what or "", path, folder, kind.wanted)
  return folder, select(2, policies.find(path, folder))
end

-- The kind of a specification, by what its parts simulate and by its field `kind`.
function kinds.of(spec)
  local tasks_in, jobs_in
  for _, name in ipairs { "fixed", "training", "validation", "testing" } do
    local part = type(spec[name]) == "table" and spec[name] or {}
    if part.tasks ~= nil then tasks_in = tasks_in or name end
    if part.jobs ~= nil or part.sets ~= nil then jobs_in = jobs_in or name end
  end
  refuse(tasks_in and jobs_in, "%s has tasks and %s has jobs: policies for one of them are "
    .. "searched for", tasks_in, jobs_in)
  local given = policy_kinds.by_name[spec.kind]
  local named = given and not given.under and kinds[given.of] or nil
  checks.expect(spec.kind == nil or named, "kind",
    table.concat(policy_kinds.searched(), ", "):gsub(", ([^,]*)$", " or %1"),
    checks.shown(spec.kind))
  refuse(named == jobs and tasks_in, "kind: dispatch policies are for jobs, and %s has tasks",
    tasks_in)
  refuse(named and named ~= jobs and not tasks_in, "kind: %s policies are for tasks, and no part "
    .. "has some", spec.kind)
  if not tasks_in then return jobs end
  refuse(spec.formulas ~= nil, "formulas: they are priorities of jobs, and %s has tasks", tasks_in)
  refuse(spec.priorities ~= nil, "priorities: they order jobs, and %s has tasks", tasks_in)
  return named or tasks
end

return kinds
