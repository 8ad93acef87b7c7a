-- packs: orrery.packs: tasks in packs that run one after the other, by pack policies.
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local crash_report = require "orrery.run.crash_report"
local metrics = require "orrery.values.metrics"
local policies = require "orrery.host.policies"
local policy_kinds = require "orrery.schema.policy_kinds"
local policy_list = require "orrery.run.policy_list"
local results = require "orrery.run.results"
local tasks = require "orrery.values.tasks"
local tasks_run = require "orrery.run.tasks"

local packs = {}

local KIND = policy_kinds.engines.packs.name

local expect, refuse, shown, whole = checks.expect, checks.refuse, checks.quoted, checks.count

-- --- policies -----------------------------------------------------------------------------------

-- The policy, the options that it alone was given, and its own name.
local function unwrap(given)
  if type(given) ~= "table" or given.policy == nil then return given end
  checks.fields("beside policy", given, { "policy", "options", "name" })
  expect(given.options == nil or type(given.options) == "table", "options", "a table",
    shown(given.options))
  expect(given.name == nil or type(given.name) == "string", "name", "text", shown(given.name))
  return given.policy, given.options, given.name
end

-- The description of one policy, as policies.prepare gives it: a name (with options), a path, a
-- table with the keys of a file, a function of the problem, or { policy =, options =, name = }.
function packs.prepare(given, set, used, limits)
  local policy, own, name = unwrap(given)
  local part = policies.part(policy, KIND)
  return policies.with_options(own, set, used, function(options, taken)
    part.options = policies.options_for(part, KIND, options, taken, limits)
    return policies.describing { name = name or part.name, kind = KIND, pack = part }
  end)
end

local function prepare_all(spec)
  local options = spec.options
  if options == nil then options = {} end
  expect(type(options) == "table", "options", "a table", shown(options))
  return policy_list.prepare(policy_list.of(spec, policy_kinds.engines.packs.default), options,
    function(policy, set, used) return packs.prepare(policy, set, used, spec.limits) end)
end

-- --- checking what a user gives -----------------------------------------------------------------

function packs.tasks_of(given, spec)
  local kind = checks.kind_of(given)
  if kind == "orrery.tasks" then return function() return given end end
  if kind == "function" then
    return function(run) return tasks_run.asked(given, run) end
  end
  expect(kind == "table", "tasks", "tasks (orrery.tasks.read, list or synthetic), a table { n =, "
    .. "m =, sequential = } or a function of the run", kind)
  checks.fields("tasks", given, "packs.DrawnTasks")
  return function(run)
    return tasks.synthetic { n = given.n, m = given.m, sequential = given.sequential,
      seed = spec.seed, set = spec.set, run = run }
  end
end

-- The least numbers of processors, one per task: from one for all, a list, or some by their ids.
local function least_of(given, all)
  if given == nil then return nil end
  local list = {}
  if type(given) == "number" then
    for i = 1, #all do list[i] = whole("least", given, 1) end
    return list
  end
  expect(type(given) == "table", "least", "a number, or a table of numbers by position or id",
    shown(given))
  local known = {}
  for i, task in ipairs(all) do
    local named = given[task.id]
    if named == nil then named = given[i] end
    known[task.id], known[i] = true, true
    list[i] = whole("least of task " .. task.id, named, 1, 1)
  end
  for key in pairs(given) do
    refuse(not known[key], "least: there is no task %s", shown(key))
  end
  return list
end

local function check_spec(spec)
  checks.counted("packs", spec, "packs")
  checks.fields("packs", spec, "packs.PacksSpec")
  if spec.limits ~= nil then checks.fields("limits", spec.limits, "runs.Limits") end
  local procs, bounds = whole("procs", spec.procs, 1), spec.bounds or "quick"
  expect(bounds == "quick" or bounds == "best", "bounds", "'quick' or 'best'", shown(bounds))
  return {
    quick = bounds == "quick",
    procs = procs, k = whole("k", spec.k, 1, procs), runs = whole("runs", spec.runs, 1, 1),
    run = whole("run", spec.run, 1, 1),
    seed = whole("seed", spec.seed, nil, 1), set = whole("set", spec.set, 0, 0),
  }
end

-- --- numbers ------------------------------------------------------------------------------------

local function note(column, run, coschedule, bound, seconds)
  local one = coschedule:metrics()
  one.bound, one.over_bound, one.seconds = bound, coschedule.cost / bound, seconds
  for name, value in pairs(one) do column[name][run] = value end
end

-- --- running ------------------------------------------------------------------------------------

-- One run: the tasks and what each policy makes of them.
local function run_one(options, hosts, all, spec, run, set)
  local problem = core.pack_problem(all, options.procs, options.k, least_of(spec.least, all))
  local bounds = problem:bounds(options.quick)
  set.problems[run], set.bounds[run] = problem, bounds
  for i, host in ipairs(hosts) do
    local began = os.clock()
    local number = options.run + run - 1
    local details = { policies = set.names, spec = spec, run = "run", policy = i }
    local coschedule = crash_report.check(details,
      core.pack(host, problem, options.seed, options.set, number))
    if spec.check then
      local ok, objection = coschedule:check()
      crash_report.check(details, ok, objection,
        { seed = options.seed, set = options.set, scenario = number, bug = true })
    end
    note(set.metrics[i], run, coschedule, bounds.best, os.clock() - began)
    set.coschedules[i][run] = coschedule
    if spec.progress then
      spec.progress((run - 1) * #hosts + i, options.runs * #hosts)
    end
  end
end

local function repaired_note(all, notes)
  if all.repaired == 0 then return end
  notes[#notes + 1] = ("the measured times of %d of %d tasks were repaired: more processors are "
    .. "never slower, and never less work"):format(all.repaired, #all)
end

-- ready: of a search, the policies of the list as packs.prepare gave them; else nil
function packs.run(spec, ready)
  local options = check_spec(spec)
  local make = packs.tasks_of(spec.tasks, spec)
  local prepared = ready or prepare_all(spec)
  local hosts, set = {}, { name = "all", problems = {}, bounds = {}, coschedules = {} }
  set.metrics, set.names = metrics.columns(#prepared, metrics.packs.all), {}
  for i, policy in ipairs(prepared) do
    set.names[i] = policy.policy_name
    hosts[i] = core.pack_host(policy, spec.limits)
    set.coschedules[i] = {}
  end
  local notes = {}
  for run = 1, options.runs do
    local all = make(options.run + run - 1)
    if run == 1 then
      set.count = #all
      repaired_note(all, notes)
    end
    run_one(options, hosts, all, spec, run, set)
  end
  if spec.check then policy_list.checked(options.runs * #hosts, notes) end
  set.runs = options.runs
  return results.of_packs {
    policies = policy_list.named(prepared), sets = { set }, procs = options.procs, k = options.k,
    runs = options.runs, seed = options.seed, notes = notes, spec = spec,
  }
end

return packs
