-- orrery: the public functions, on top of what the C part provides.
--
-- Called with the module table (read, jobs, random, summary, ...) and the table `core` of internal
-- functions; returns the module.

local orrery, core, load_embedded = ...

core.classes = {} -- of objects made in Lua, for the reference: { metatable =, methods = }

local portable = load_embedded("host/closures")()
local policies = load_embedded("host/policies")(core, portable)
local blame = load_embedded("support/caller_error")()
local clock = load_embedded("support/clock")()
core.numbers = load_embedded("support/numbers")()
local results = load_embedded("run/results")(core, orrery, blame)
local logs = load_embedded("values/logs")(policies)
orrery.draw = load_embedded("draw/pictures")(core, orrery, load_embedded, results.class, blame)
local redistribution = load_embedded("host/task_policies")(portable, policies)
local failure = load_embedded("run/crash_report")(core)

orrery.version = core.version
orrery.home = core.home

local read_file = orrery.read

-- --- checking what a user gives -----------------------------------------------------------------

-- A public function: its errors name the place where it was called, not one in here.
local function public(run)
  return function(...)
    local results_of = table.pack(pcall(run, ...))
    if results_of[1] then return table.unpack(results_of, 2, results_of.n) end
    local problem = results_of[2]
    if type(problem) == "string" then problem = problem:gsub("^orrery/[%w_/]+%.lua:%d+: ", "") end
    error(problem, 2)
  end
end

local function known(fields)
  local names = {}
  for _, name in ipairs(fields) do names[#names + 1] = name end
  table.sort(names)
  return table.concat(names, ", ")
end

local function check_fields(what, given, fields)
  if type(given) ~= "table" then
    error(("%s: expected a table, found %s"):format(what, type(given)), 3)
  end
  local set = {}
  for _, name in ipairs(fields) do set[name] = true end
  for name in pairs(given) do
    if not set[name] then
      local near = type(name) == "string" and policies.nearest(name, fields)
      error(("%s: unknown field '%s'%s (known: %s)"):format(what, tostring(name),
        near and (", did you mean '%s'?"):format(near) or "", known(fields)), 3)
    end
  end
end

-- What a value is: "orrery.jobs", "orrery.tasks", or its type.
local function kind_of(value)
  local metatable = type(value) == "userdata" and debug.getmetatable(value)
  return metatable and metatable.__name or type(value)
end

local sets_of = load_embedded("run/sets")(check_fields, kind_of)

orrery.tasks = load_embedded("values/tasks")(core, public, check_fields)
orrery.expected = load_embedded("values/expected")(core, public, check_fields)
local node_failures = load_embedded("values/node_failures")(core, check_fields)
orrery.pack_problem = load_embedded("packs/problem")(core, public, check_fields)

-- Jobs from a log, given by its path or its name.
function orrery.read(log, options)
  if type(log) ~= "string" then
    error(("read: expected the path or the name of a log, found %s"):format(type(log)), 2)
  end
  local ok, checked = pcall(logs.options, options, check_fields)
  if not ok then error((checked:gsub("^orrery/[%w_/]+%.lua:%d+: ", "")), 2) end
  return read_file(logs.find(log), checked)
end

-- The busy weeks of a log, given by its path, its name, or as jobs: jobs:weeks(options).
function orrery.weeks(log, options)
  if type(log) == "string" then log = orrery.read(log) end
  return log:weeks(options)
end

-- Attempts of a job that node failures end, where no max_attempts is given.
local MOST_STRUCK = 100000

local function error_rate(errors)
  if errors == nil then return nil, nil end
  check_fields("errors", errors, { "mean_probability", "rate" })
  if errors.mean_probability and errors.rate then
    error("errors: give mean_probability or rate, not both", 3)
  end
  return errors.mean_probability, errors.rate
end

-- Whether the log's walltimes are wanted, and the function that estimates runtimes, if one does.
local function walltimes(choice)
  if choice == nil or choice == "runtime" then return false end
  if choice == "log" then return true end
  if type(choice) == "function" then return false, choice end
  error(("walltimes: expected 'log', 'runtime' or a function, found '%s'"):format(
    tostring(choice)), 3)
end

-- Whether estimates below the runtime are raised to it. A prediction that is wrong kills nobody.
local function extends(spec)
  if spec.overrun == nil then return type(spec.walltimes) == "function" end
  if spec.overrun == "extend" then return true end
  if spec.overrun == "kill" then return false end
  error(("overrun: expected 'kill' or 'extend', found '%s'"):format(tostring(spec.overrun)), 3)
end

-- What the function makes of every job; nil: it is planned with its runtime.
local function estimates(spec, jobs)
  local _, predict = walltimes(spec.walltimes)
  if not predict then return nil end
  local list = {}
  for i, job in ipairs(jobs) do
    local estimate = predict(job)
    if estimate ~= nil and not (type(estimate) == "number" and estimate >= 0
      and estimate < math.huge) then
      error(("walltimes: expected a number of seconds of at least 0 for job %s, found %s"):format(
        job.id, tostring(estimate)), 0)
    end
    list[i] = estimate or 0 / 0
  end
  return core.estimates(list)
end

local function seconds(spec, name)
  local value = spec[name]
  if value == nil then return nil end
  if type(value) ~= "number" or not (value >= 0 and value < math.huge) then
    error(("%s: expected a number of seconds of at least 0, found '%s'"):format(name,
      tostring(value)), 3)
  end
  if name == "tau" and value == 0 then error("tau: expected more than 0 s", 3) end
  return value
end

-- The options table that core functions read.
local function core_options(spec, machine)
  local procs = spec.procs or machine
  if not procs then
    error("procs: the log does not say how large the machine is; give procs", 3)
  end
  local mean_probability, rate = error_rate(spec.errors)
  if spec.failures and (mean_probability or rate) then
    error("failures and errors exclude each other: the counts are given, or drawn", 3)
  end
  for _, flag in ipairs { "batch", "plain", "quantiles", "keep", "equal_procs", "check" } do
    if spec[flag] ~= nil and type(spec[flag]) ~= "boolean" then
      error(("%s: expected true or false, found '%s'"):format(flag, tostring(spec[flag])), 3)
    end
  end
  if spec.limits ~= nil then
    check_fields("limits", spec.limits, { "seconds", "memory", "instructions" })
  end
  return {
    procs = procs, batch = spec.batch or false, log_walltimes = walltimes(spec.walltimes),
    verification = spec.verification, seed = spec.seed, set = spec.set, runs = spec.runs,
    mean_probability = mean_probability, rate = rate, max_attempts = spec.max_attempts,
    threads = spec.threads or core.cores(), limits = spec.limits,
    plain = spec.plain or false, quantiles = spec.quantiles or false, keep = spec.keep ~= false,
    check = spec.check, extend = extends(spec), tau = seconds(spec, "tau"),
    warmup = seconds(spec, "warmup"), cooldown = seconds(spec, "cooldown"),
  }
end

-- An option must be some policy's, or it is a slip of the pen.
local function check_used(options, used)
  for name in pairs(options) do
    if not used[name] then
      error(("no policy here has an option '%s'; `orrery policies` lists them"):format(name), 0)
    end
  end
end

local function prepare_policies(list, spec, procs)
  local prepared, options, used = {}, spec.options or {}, {}
  for i, policy in ipairs(list) do
    prepared[i] = policies.prepare(policy, spec.priority, options, used, spec.limits, procs)
  end
  check_used(options, used)
  return prepared
end

-- A comparison is fair when everybody has the same processors: who has fewer on top of the machine
-- gets as many as the one that has most, in its first group.
local function even_processors(spec, prepared, machine, notes)
  local most, who = 0, nil
  for _, policy in ipairs(prepared) do
    if policy.extra > most then most, who = policy.extra, policy.policy_name end
    if policy.extra > 0 then
      notes[#notes + 1] = ("policy %s has %d processors on top of the machine's %d"):format(
        policy.policy_name, policy.extra, machine)
    end
  end
  if spec.equal_procs == false then return end
  for _, policy in ipairs(prepared) do
    if policy.extra < most then
      notes[#notes + 1] = ("policy %s gets %d more processors, as %s has them"):format(
        policy.policy_name, most - policy.extra, who)
      policies.add_processors(policy, most - policy.extra)
    end
  end
end

-- The processors that everybody has, with those on top of the machine.
local function least_processors(prepared)
  local least = math.huge
  for _, policy in ipairs(prepared) do least = math.min(least, policy.procs) end
  return math.tointeger(least)
end

local function make_failures(failures, columns)
  if failures == nil then return nil end
  if type(failures) == "string" then return core.read_failures(failures, columns) end
  return core.failures(failures, columns)
end

local function policy_list(spec, default)
  if spec.policy ~= nil and spec.policies ~= nil then
    error("give policy or policies, not both", 0)
  end
  local list = spec.policies
  if list == nil then list = { spec.policy == nil and default or spec.policy } end
  if type(list) ~= "table" or #list == 0 then
    error("policies: expected a list of at least one policy", 0)
  end
  return list
end

-- --- running ------------------------------------------------------------------------------------

-- Why a run uses one thread: each reason once, whoever has it.
local function notes_of(prepared)
  local notes, seen = {}, {}
  for _, policy in ipairs(prepared) do
    if policy.reason and not seen[policy.reason] then
      seen[policy.reason] = true
      notes[#notes + 1] = ("policy %s runs on one thread: it reads %s"):format(policy.policy_name,
        policy.reason)
    end
  end
  return notes
end

local LOG_COLUMNS = { "id", "submit", "procs", "time", "walltime", "user", "queue", "partition",
  "status" }

-- Columns of a plain CSV that nobody reads, each with the one that was probably meant.
local function unread(columns)
  local list = {}
  for name in columns:gmatch "[^,]+" do
    name = name:match "^ ?(.*)$"
    local near = policies.nearest(name, LOG_COLUMNS)
    list[#list + 1] = near and ("%s (did you mean %s?)"):format(name, near) or name
  end
  return table.concat(list, ", ")
end

-- What the reader of a log noticed; sets are selections of one log, as a rule.
local function note_log(sets, notes)
  local repeated, id, columns = core.log_remarks(sets[1].jobs)
  if repeated > 0 then
    notes[#notes + 1] = ("%d job%s of the log ha%s the id of another one, the first %s: each "
      .. "record is a job of its own"):format(repeated, repeated == 1 and "" or "s",
      repeated == 1 and "s" or "ve", id)
  end
  if columns ~= "" then
    notes[#notes + 1] = "columns of the log that are not read: " .. unread(columns)
  end
end

-- With the log's walltimes a job without one is planned with its runtime.
local function note_walltimes(spec, sets, notes)
  if not walltimes(spec.walltimes) then return end
  local known_ones, all = 0, 0
  for _, set in ipairs(sets) do
    known_ones, all = known_ones + core.known_walltimes(set.jobs), all + #set.jobs
  end
  if known_ones < all then
    notes[#notes + 1] = ("%s have no walltime and are planned with their runtime"):format(
      known_ones == 0 and "the jobs of this log" or ("%d of %d jobs"):format(all - known_ones, all))
  end
end

-- How many jobs ran longer than the scheduler thought, and what became of them.
local function note_overruns(spec, sets, notes)
  local overruns, all = 0, 0
  for _, set in ipairs(sets) do
    overruns, all = overruns + set.metrics:overruns(), all + #set.jobs
  end
  if overruns == 0 then return end
  local what = type(spec.walltimes) == "function" and "estimate" or "walltime"
  local fate = overruns == 1 and "runs longer than its %s and %s"
    or "run longer than their %ss and %s"
  local ends
  if extends(spec) then
    ends = (overruns == 1 and "has it" or "have them") .. " raised to the runtime"
  else
    ends = overruns == 1 and "is killed at it" or "are killed at them"
  end
  notes[#notes + 1] = ("%d of %d jobs "):format(overruns, all) .. fate:format(what, ends)
end

-- The policies' names, and the processors of the machine that each had.
local function named(prepared)
  local list, machines = {}, {}
  for i, policy in ipairs(prepared) do
    list[i] = { name = policy.policy_name, priority = policy.priority_name }
    machines[i] = policy.procs - policy.extra
  end
  return list, machines
end

local changes = load_embedded("session/changes")(clock, check_fields, kind_of)
local sessions = load_embedded("session/session")(blame, clock, policies.nearest, changes,
  orrery.draw.session)
core.classes.session, core.classes["session of tasks"] = sessions.jobs, sessions.tasks

-- All sets at once, so that the threads have something to do also where every set is small.
local function run_sets(spec, prepared, sets, options, notes)
  local base, given = spec.set or 0, {}
  for i, set in ipairs(sets) do
    local own = { set = base + i - 1, estimates = estimates(spec, set.jobs) }
    given[i] = {
      jobs = set.jobs, options = setmetatable(own, { __index = options }),
      failures = make_failures(spec.failures, #set.jobs),
    }
  end
  local metrics, problem = failure.check({
    policies = named(prepared), spec = spec, sets = #sets > 1 and sets or nil, first = base,
  }, core.montecarlo(given, options, prepared, spec.progress))
  if problem then notes[#notes + 1] = "progress was not reported: " .. problem end
  for i, set in ipairs(sets) do
    set.count, set.metrics = #set.jobs, metrics[i]
    set.runs = given[i].failures and #given[i].failures or options.runs or 1
  end
end

local COMPARE_FIELDS = { "jobs", "sets", "load", "quantiles", "keep", "procs", "policies",
  "policy", "priority", "options", "errors", "failures", "runs", "seed", "set", "threads", "by",
  "batch", "verification", "walltimes", "overrun", "tau", "warmup", "cooldown", "limits",
  "max_attempts", "progress", "plain", "node_failures", "equal_procs", "check" }

local malleable = load_embedded("run/tasks")(core, {
  fields = check_fields, used = check_used, notes = notes_of, policies = policy_list,
  kind_of = kind_of, failed = failure.check, checked = failure.checked,
}, redistribution, results, orrery.tasks, sessions, changes)

local packs = load_embedded("run/packs")(core, {
  fields = check_fields, used = check_used, policies = policy_list, kind_of = kind_of,
  failed = failure.check, checked = failure.checked,
}, policies, portable, results, orrery.tasks)

-- Packs of moldable tasks, by several policies.
orrery.packs = public(packs.run)

local coschedules = load_embedded("run/coschedules")(core, {
  fields = check_fields, notes = notes_of, used = check_used, failed = failure.check,
  checked = failure.checked,
}, malleable, packs, results, orrery.tasks)

-- Whether what is to be simulated are tasks, not jobs.
local function has_tasks(spec)
  if type(spec) ~= "table" or spec.tasks == nil then return false end
  if spec.jobs ~= nil then error("jobs and tasks exclude each other", 0) end
  return true
end

-- Runs several policies on the same scenarios.
orrery.compare = public(function(spec)
  if has_tasks(spec) then
    return (spec.packs == nil and malleable or coschedules).compare(spec)
  end
  check_fields("compare", spec, COMPARE_FIELDS)
  local sets = sets_of.of(spec)
  local list = policy_list(spec, "dispatch/greedy")
  local options = core_options(spec, sets_of.machine(sets))
  local prepared = prepare_policies(list, spec, options.procs)
  local notes = notes_of(prepared)
  even_processors(spec, prepared, options.procs, notes)
  options.node_failures = node_failures(spec.node_failures, least_processors(prepared),
    options.max_attempts or MOST_STRUCK)
  note_log(sets, notes)
  note_walltimes(spec, sets, notes)
  run_sets(spec, prepared, sets, options, notes)
  note_overruns(spec, sets, notes)
  if spec.check then
    local count = 0
    for _, set in ipairs(sets) do count = count + set.runs * #prepared end
    failure.checked(count, notes)
  end
  local names, machines = named(prepared)
  return results.of_jobs {
    policies = names, machines = machines, sets = sets, procs = options.procs, runs = sets[1].runs,
    seed = options.seed or 1, notes = notes, spec = spec,
  }
end)

-- A policy ready to run in a session, and what the session knows of it.
local function prepare_setting(given, limits, procs, must_use)
  local used = {}
  local prepared = policies.prepare(given.policy or "dispatch/greedy", given.priority,
    given.options or {}, used, limits, procs)
  check_used(must_use or {}, used)
  return prepared, { policy = prepared.policy_name, priority = prepared.priority_name,
    given = given }
end

-- Jobs that are submitted to a session on its way: now, where they do not say when.
local function submit(spec)
  return function(d, given)
    local now, list = d.core.now, changes.listed(d, given)
    for _, one in ipairs(list or {}) do
      one.submit = one.submit == nil and now
        or clock.instant("submit", one.submit, d.core.jobs, now)
    end
    local jobs = list and orrery.jobs(list) or given
    sets_of.check_jobs("submit", jobs)
    for _, job in ipairs(jobs) do
      if job.submit < now then
        error(("submit: job %s is submitted at %.17g s, but the clock stands at %.17g s"):format(
          job.id, job.submit, now), 0)
      end
    end
    return jobs, estimates(spec, jobs)
  end
end

local SESSION_FIELDS = { "jobs", "load", "procs", "policy", "priority", "options", "errors",
  "failures", "seed", "set", "scenario", "batch", "verification", "walltimes", "overrun", "tau",
  "warmup", "cooldown", "limits", "max_attempts", "node_failures" }

-- One simulation to step through; scenario says which of the failures it meets.
orrery.session = public(function(spec)
  if has_tasks(spec) then return malleable.session(spec) end
  check_fields("session", spec, SESSION_FIELDS)
  sets_of.check_jobs("jobs", spec.jobs)
  local jobs = sets_of.loaded(spec, spec.jobs)
  local options = core_options(spec, jobs.machine_procs)
  options.estimates = estimates(spec, jobs)
  local prepared, setting = prepare_setting({ policy = spec.policy, priority = spec.priority,
    options = spec.options }, spec.limits, options.procs, spec.options)
  options.node_failures = node_failures(spec.node_failures, prepared.procs,
    options.max_attempts or MOST_STRUCK)
  local failures = spec.failures
  if type(failures) == "table" and type(failures[1]) ~= "table" then failures = { failures } end
  failures = make_failures(failures, #jobs)
  return sessions.new(sessions.jobs, {
    size = #jobs, setting = setting, submit = submit(spec),
    make = function()
      return core.session(jobs, options, prepared, spec.scenario or 1, failures)
    end,
    prepare = function(d, given)
      return prepare_setting(changes.decide_anew(d.setting.given, given), spec.limits,
        d.core.machine, given.options)
    end,
  })
end)

-- What differs between two sessions.
orrery.diff = load_embedded("session/diff")(core, sessions, results, clock, blame, check_fields)

-- --- policies -----------------------------------------------------------------------------------

local function described(name, path, kind, description)
  return {
    name = name, path = path, kind = kind, title = description.name, about = description.about,
    source = description.source, options = description.options, per = description.per,
    hooks = description.hooks, on_end = description.on_end, on_fault = description.on_fault,
  }
end

-- The list of all policies that have a name, with what they say about themselves:
-- { name =, path =, kind =, title =, about =, source =, options =, per =, hooks =, on_end =,
-- on_fault = }, or, when the file cannot be loaded, { name =, path =, problem = }.
function orrery.policies()
  local list = {}
  for i, policy in ipairs(policies.list()) do
    local ok, description, kind = pcall(policies.describe, policy.name)
    list[i] = ok and described(policy.name, policy.path, kind, description)
      or { name = policy.name, path = policy.path, problem = description }
  end
  return list
end

-- One policy, given by name (the folder may be left out) or path; an error says what is wrong with
-- it.
function orrery.describe(name)
  local kind = policies.kind(name)
  local path = policies.find(name, kind)
  local problem
  for _, one in ipairs(kind and { kind } or { "dispatch", "priority", "redistribute", "pack" }) do
    local ok, description, its = pcall(policies.describe, name, one)
    if ok then return described(name, path, its, description) end
    -- what is wrong with it as a policy of its own kind says more
    if not problem or problem:find("it redistributes tasks", 1, true) and one == "redistribute"
      or problem:find("it makes packs", 1, true) and one == "pack" then
      problem = description
    end
  end
  error(problem, 0)
end

-- Makes a folder and those above it, where they are not there: true, or nil and what is wrong.
local function make_folder(path)
  local lfs = require "lfs"
  local made = path:sub(1, 1) == "/" and "" or "."
  for part in path:gmatch("[^/]+") do
    made = made .. "/" .. part
    local ok, problem = lfs.mkdir(made)
    if not ok and lfs.attributes(made, "mode") ~= "directory" then
      return nil, ("%s: %s"):format(made, problem)
    end
  end
  return true
end

-- --- the reference ------------------------------------------------------------------------------

local loaded_reference

-- What reference.lua returns. It is loaded when somebody asks.
local function reference()
  loaded_reference = loaded_reference
    or load_embedded("reference/reference")(core, orrery, load_embedded)
  return loaded_reference
end

-- What the reference says of a thing (a function, an object, a name), in lines of `width` letters.
function orrery.help(thing, width) return reference().help(thing, width) end

-- Calls f, and returns what the calls into policies cost meanwhile, in this thread alone: what is
-- "seconds" or "instructions"; see bindings/calls.h.
local function calls(what, f)
  core.calls_start(what)
  local ok, problem = pcall(f)
  local list = core.calls_stop()
  if not ok then error(problem, 0) end
  return list
end

-- For commands: folders that hold policies/ and scripts/, tables as text, nearest names.
orrery.tools = {
  reference = reference,
  roots = policies.roots, files = policies.files, nearest = policies.nearest,
  own_logs = logs.own_folder, make_folder = make_folder,
  is_command = function() failure.of_command = true end,
  columns = results.columns, span = clock.span, span_text = clock.span_text,
  calls = calls,
  numbers = core.numbers, policy_names = policies.names, log_names = logs.names,
  watch_policies = function(on_read) policies.on_read = on_read end,
  is_terminal = core.is_terminal, write_file = core.write_file, cores = core.cores,
}

return orrery
