-- tasks: orrery.compare for malleable tasks.
local checks = require "orrery.support.checks"
local clock = require "orrery.support.clock"
local core = require "orrery.core"
local crash_report = require "orrery.run.crash_report"
local names = require "orrery.support.names"
local policy_kinds = require "orrery.schema.policy_kinds"
local policy_list = require "orrery.run.policy_list"
local precision = require "orrery.run.precision"
local registry = require "orrery.values.metrics"
local results = require "orrery.run.results"
local task_policies = require "orrery.host.task_policies"
local tasks = require "orrery.values.tasks"

local expect, refuse = checks.expect, checks.refuse

local tasks_run = {}

local DEFAULT = policy_kinds.engines.tasks.default
local LAWS = { exponential = true, weibull = true, lognormal = true }
local PERIODS = { young = true, daly = true }

-- --- checking what a user gives -----------------------------------------------------------------

local function number(what, value, default)
  if value == nil then return default end
  expect(type(value) == "number" and value == value, what, "a number", checks.quoted(value))
  return value
end

local function one_of(what, value, words, default)
  if value == nil then return default end
  expect(words[value], what, table.concat(names.sorted(words), ", "),
    "'" .. tostring(value) .. "'")
  return value
end

-- The same tasks in every run, or the options by which each run draws its own.
function tasks_run.check(given)
  local kind = checks.kind_of(given)
  if kind == "orrery.tasks" then return given end
  expect(kind == "table", "tasks", "tasks (orrery.tasks.read, list or synthetic) or a table { n =, "
    .. "m =, sequential = }", kind)
  checks.fields("tasks", given, "packs.DrawnTasks")
  local m = given.m
  if m == nil then m = { 1.5e6, 2.5e6 } end
  refuse(type(m) ~= "table" or #m ~= 2 or type(m[1]) ~= "number" or type(m[2]) ~= "number",
    "tasks.m: expected a list of two numbers")
  local n = number("tasks.n", given.n, 100)
  expect(math.tointeger(n), "tasks.n", "a whole number", n)
  return nil, {
    n = math.tointeger(n), min = m[1], max = m[2],
    sequential = number("tasks.sequential", given.sequential, 0.08),
  }
end

local function check_procs(procs)
  refuse(procs == nil, "procs: give the number of processors of the machine")
  expect(type(procs) == "number" and math.tointeger(procs), "procs", "a whole number", procs)
  return math.tointeger(procs)
end

local function mtbf_of(faults)
  local seconds = number("faults.mtbf", faults.mtbf)
  local years = number("faults.mtbf_years", faults.mtbf_years)
  refuse(seconds and years, "faults: give mtbf_years or mtbf, not both")
  refuse(not seconds and not years,
    "faults: give mtbf_years, or mtbf in seconds (math.huge: nothing is checkpointed)")
  return seconds or years * clock.YEAR
end

local function law_of(faults)
  if faults.log ~= nil then
    for _, name in ipairs { "law", "shape" } do
      refuse(faults[name] ~= nil,
        "faults: log and %s exclude each other: the faults are given, or drawn", name)
    end
    return "log"
  end
  local law = one_of("faults.law", faults.law, LAWS, "exponential")
  local shape = number("faults.shape", faults.shape)
  refuse(law == "exponential" and shape, "faults: the law exponential has no shape")
  refuse(law ~= "exponential" and not shape, "faults: the law %s wants a shape", law)
  return law, shape
end

-- Adds the options of the faults; without faults the machine never fails.
local function add_faults(options, faults)
  options.mtbf, options.law, options.downtime = math.huge, "none", 0
  if faults == nil then return end
  checks.fields("faults", faults, "runs.Faults")
  options.mtbf = mtbf_of(faults)
  options.law, options.shape = law_of(faults)
  options.downtime = number("faults.downtime", faults.downtime, 0)
end

local COSTS = {
  checkpoint = 1, checkpoint_fixed = 0, startup = 0, latency = 0, bandwidth = 1,
}

local function add_costs(options, costs)
  costs = costs == nil and {} or costs
  checks.fields("costs", costs, "runs.Costs")
  for name, default in pairs(COSTS) do
    options[name] = number("costs." .. name, costs[name], default)
  end
  options.period = one_of("costs.period", costs.period, PERIODS, "young")
end

function tasks_run.options(spec, synthetic)
  if spec.limits ~= nil then checks.fields("limits", spec.limits, "runs.Limits") end
  local options = checks.plain_fields(spec, "runs.TasksSpec")
  options.procs, options.synthetic, options.limits = check_procs(spec.procs), synthetic, spec.limits
  options.threads = spec.threads or core.cores()
  add_faults(options, spec.faults)
  add_costs(options, spec.costs)
  return options
end

function tasks_run.tasks_of(given, spec, run)
  if type(given) == "userdata" then return given end
  return tasks.synthetic {
    n = given.n, m = { given.min, given.max }, sequential = given.sequential,
    seed = spec.seed, set = spec.set, run = run,
  }
end

-- Checks the keys of the rows; their values are checked by the reader. A misspelt key is an error.
local function check_rows(log)
  local keys = 0
  for _ in pairs(log) do keys = keys + 1 end
  refuse(keys > #log,
    "faults.log: expected a list of faults, but there are other keys than 1 to %d", #log)
  for i, row in ipairs(log) do
    if type(row) == "table" then
      checks.fields("faults.log: fault " .. i, row, "runs.LoggedFault")
    end
  end
end

function tasks_run.fault_log(faults, all, procs)
  local log = faults and faults.log
  if log == nil then return nil end
  if type(log) == "string" then return core.read_faults(log, all, procs) end
  expect(type(log) == "table", "faults.log", "the name of a file or a list", type(log))
  check_rows(log)
  return core.fault_list(log, all, procs)
end

-- taken: marked with the options that these policies have; nil: they must have all of them.
local function prepare(list, spec, taken)
  local options = spec.options or {}
  expect(type(options) == "table", "options", "a table", type(options))
  return policy_list.prepare(list, options, function(policy, set, used)
    return task_policies.prepare(policy, set, used, spec.limits)
  end, taken)
end

-- --- running ------------------------------------------------------------------------------------

-- The request made by the field `precision`; nil: none.
local function precision_of(spec)
  local more = spec.fault_free and registry.tasks.fault_free or {}
  local known = table.move(registry.tasks.all, 1, #registry.tasks.all, 1, {})
  return precision.of(spec, table.move(more, 1, #more, #known + 1, known))
end

-- Runs several policies on the same tasks and faults.
--   how  of a search, else nil: { ready = the policies of the list as task_policies.prepare gave
--        them, first = runs that come before these }
function tasks_run.compare(spec, how)
  checks.counted("compare", spec, "malleable tasks")
  checks.fields("compare", spec, "runs.TasksSpec.c")
  refuse(spec.k ~= nil, "k is the most tasks in a pack: give packs as well")
  local list = policy_list.of(spec, DEFAULT)
  local given, synthetic = tasks_run.check(spec.tasks)
  local options, asked = tasks_run.options(spec, synthetic), precision_of(spec)
  local prepared = how and how.ready or prepare(list, spec)
  local first = tasks_run.tasks_of(given or synthetic, spec, 1)
  local faults = tasks_run.fault_log(spec.faults, first, options.procs)
  local names_of, notes = policy_list.named(prepared), policy_list.notes(prepared)
  local function run(before, count)
    options.first, options.runs = before, count
    local progress = spec.progress and policy_list.progress(spec.progress, before * #prepared)
    return policy_list.results({ policies = prepared, spec = spec, run = "run" }, notes,
      core.malleable_run(given, options, prepared, progress, faults))
  end
  local metrics, runs, note
  if asked then
    local is_drawn = not given or options.mtbf < math.huge and not faults
    metrics, runs, note = precision.run(asked, #prepared, "run", is_drawn, run)
  else
    runs = options.runs or 1
    metrics = run(how and how.first or 0, options.runs)
  end
  notes[#notes + 1] = note
  if spec.check then policy_list.checked(runs * #prepared, notes) end
  return results.of_tasks {
    policies = names_of, procs = options.procs, runs = runs, seed = options.seed or 1,
    sets = { { name = "all", tasks = given, count = #first, runs = runs, metrics = metrics } },
    notes = notes, spec = spec,
  }
end

-- --- packs one after the other (coschedules.lua) -------------------------------------------------

function tasks_run.asked(make, run)
  local made = make(run)
  local kind = checks.kind_of(made)
  refuse(kind ~= "orrery.tasks", "tasks: the function gave %s for run %d, not tasks", kind, run)
  return made
end

-- The redistribution policies of a call, ready to run; the tasks, or nil and a function of the run
-- that draws them.
function tasks_run.prepare(spec, taken)
  local list = policy_list.of(spec, DEFAULT)
  if type(spec.tasks) == "function" then
    tasks_run.options(spec)
    return prepare(list, spec, taken), nil, function(run)
      return tasks_run.asked(spec.tasks, run)
    end
  end
  local given, synthetic = tasks_run.check(spec.tasks)
  tasks_run.options(spec, synthetic)
  return prepare(list, spec, taken), given, function(run)
    return tasks_run.tasks_of(synthetic, spec, run)
  end
end

function tasks_run.metrics(given, spec, prepared, set, runs)
  local options = tasks_run.options(spec)
  options.set, options.runs = set, runs
  return (crash_report.check({ policies = policy_list.named(prepared), spec = spec, run = "run",
    sets = {}, first = set }, core.malleable_run(given, options, prepared)))
end

return tasks_run
