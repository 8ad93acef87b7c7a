-- redistribute: malleable tasks on processors that fail, and what is gained by moving them
--
--   orrery redistribute --procs 1000 --runs 50 --policy none --policy end-local+iterated-greedy
--   orrery redistribute --tasks tasks.csv --procs 64 --faults faults.csv --on-end end-greedy
--   orrery redistribute --packs pack-by-pack:runs=9 --packs sorted-cuts --k 10 --policy none
local argparse = require "argparse"
local command = require "orrery.command.command"
local options = require "orrery.command.options"
local orrery = require "orrery"
local output = require "orrery.command.output"
local progress = require "orrery.command.progress"
local runs = require "orrery.command.runs"

-- --- options ------------------------------------------------------------------------------------

local parser = argparse("orrery redistribute", "Simulates a pack of malleable tasks that take "
  .. "checkpoints on processors that fail, under policies that move processors between tasks when "
  .. "one ends or is struck. All policies meet the same tasks and faults; makespans are normalised "
  .. "by that of the same run without redistribution.")

-- A number above 0, which may be inf.
local function up_to_infinity(name)
  local number = command.number(name)
  return function(text)
    if text == "inf" then return math.huge end
    local value = number(text)
    if value and value > 0 then return value end
    return nil, ("%s: expected a number above 0, or inf, found '%s'"):format(name, text)
  end
end

local function share(name)
  local number = command.number(name)
  return function(text)
    local value = number(text)
    if value and value >= 0 and value <= 1 then return value end
    return nil, ("%s: expected a number from 0 to 1, found '%s'"):format(name, text)
  end
end

local function number(name, about, argname, convert)
  return parser:option(name, about):argname(argname):convert(convert)
end

local function at_least(name, least, about, argname)
  return number(name, about, argname, command.number(name, least))
end

parser:group("Tasks and machine",
  parser:option("--tasks", "Tasks from CSV: id,m or id,m,profile or id,1,2,3,... (times on so many "
    .. "processors, s); the same in every run."):argname "FILE",
  number("--n", "Or so many tasks (default: 100), with sizes drawn anew in every run.", "N",
    command.integer("--n", 1, 536870911)),
  at_least("--m-inf", 2, "Smallest size, data units (default: 1500000).", "M"),
  at_least("--m-sup", 2, "Largest size (default: 2500000).", "M"),
  number("--sequential", "Sequential fraction f of the tasks, from 0 to 1 (default: 0.08).", "F",
    share "--sequential"),
  number("--procs", "Processors of the machine (default: 1000; with --tasks there is none).", "P",
    command.integer("--procs", 1, 2147483646)))

parser:group("Faults",
  number("--mtbf-years", "Mean time between failures of one processor, years of 365 days (default: "
    .. "100); inf: nothing fails or takes checkpoints.", "Y", up_to_infinity "--mtbf-years"),
  parser:option("--law", "Of the times between faults: exponential (default), weibull or "
    .. "lognormal."):choices { "exponential", "weibull", "lognormal" },
  number("--shape", "Shape of the law: k of weibull, sigma of lognormal.", "K",
    options.positive "--shape"),
  parser:option("--faults", "Faults from CSV with the header time,task or time,processor, instead "
    .. "of those drawn; --mtbf-years still sets the periods."):argname "FILE",
  at_least("--downtime", 0, "Downtime after a fault, s (default: 0).", "D"),
  number("--max-faults", "Most faults that may strike in one run, and 100 times as "
    .. "many in a row that strike no task (default: 10000000).", "N",
    command.integer("--max-faults", 1)))

parser:group("Costs",
  at_least("--checkpoint", 0, "Checkpoint time per data unit c, s (default: 1).", "C"),
  at_least("--checkpoint-fixed", 0, "Added to every checkpoint, s (default: 0).", "C0"),
  parser:option("--period", "Between checkpoints: young (default) or daly.")
    :choices { "young", "daly" },
  at_least("--startup", 0, "Startup time of a redistribution, s (default: 0).", "S"),
  at_least("--latency", 0, "Latency of a message, s (default: 0).", "BETA"),
  number("--bandwidth", "Data units per second between two processors (default: 1).", "BW",
    up_to_infinity "--bandwidth"))

parser:group("Policies",
  parser:option("--on-end", "What is redistributed when a task ends: none (default), end-local, "
    .. "end-greedy, or a policy of your own."):argname "P",
  parser:option("--on-fault", "What when a fault strikes: none (default), shortest-tasks-first, "
    .. "iterated-greedy, or a policy of your own."):argname "P",
  parser:option("--policy", "Both as one word, end-local+iterated-greedy, or a single policy; may "
    .. "be given several times, to compare. Options of its own: "
    .. "none+shortest-tasks-first:literal=true."):count "*":argname "P",
  options.policy_options(parser))

parser:group("Packs",
  parser:option("--packs", "The tasks do not start together, but in packs one after the other: a "
    .. "pack policy, as of orrery pack; may be given several times, to compare. Makespans are "
    .. "then normalised by the first of them without redistribution."):count "*":argname "P",
  number("--k", "Most tasks in a pack (default: half as many as processors).", "K",
    command.integer("--k", 1, 2147483646)))

parser:group("Runs",
  parser:flag("--fault-free", "Also simulate each run without faults, and tell the ratio."),
  options.run_options(parser, "Runs"), options.check_option(parser))

parser:group("Output files",
  parser:option("--csv", "One row per policy and run."):argname "FILE",
  parser:option("--ends", "One row per policy, run and task: when it ended."):argname "FILE",
  parser:option("--json", "What was run and the summary of every metric."):argname "FILE",
  parser:option("--schedule", "What every task did on which processors in a single run, as CSV.")
    :argname "FILE",
  parser:option("--gantt", "The same as a picture: .svg for a browser, or .png (wants "
    .. "rsvg-convert).")
    :argname "FILE",
  parser:option("--report", "A page of HTML with tables, plots and schedules, and how to get it "
    .. "again."):argname "FILE")

options.once(parser)

-- --- which go together --------------------------------------------------------------------------

local function check_tasks(given)
  for _, name in ipairs { "n", "m-inf", "m-sup" } do
    options.exclude(given, "tasks", name, "sizes are given, or drawn")
  end
  if (given.m_inf or 1.5e6) > (given.m_sup or 2.5e6) then
    command.misuse("--m-inf %.17g is more than --m-sup %.17g", given.m_inf or 1.5e6,
      given.m_sup or 2.5e6)
  end
  if given.tasks and not given.procs then
    command.misuse("--tasks wants --procs, the processors of the machine")
  end
end

local function check_faults(given)
  for _, name in ipairs { "law", "shape" } do
    options.exclude(given, "faults", name, "the faults are given, or drawn")
  end
  local has_shape = given.law ~= nil and given.law ~= "exponential"
  if given.shape and not has_shape then
    command.misuse("--shape belongs to --law weibull or lognormal")
  elseif has_shape and not given.shape then
    command.misuse("--law %s wants --shape", given.law)
  end
end

local function check_packs(given)
  if #given.packs == 0 then
    if given.k then command.misuse("--k belongs to --packs") end
    given.packs = nil
    return
  end
  for _, name in ipairs { "faults", "schedule", "gantt" } do
    if given[name] then
      command.misuse("--%s and --packs exclude each other: it is on the clock of one pack", name)
    end
  end
end

-- What orrery.compare takes.
local function policies(given)
  local list = {}
  if given.on_end or given.on_fault or #given.policy == 0 then
    local on_end, on_fault = given.on_end or "none", given.on_fault or "none"
    list[1] = { on_end = on_end, on_fault = on_fault, name = on_end .. "+" .. on_fault }
  end
  return table.move(given.policy, 1, #given.policy, #list + 1, list)
end

local function check_single(given, list)
  for _, name in ipairs { "schedule", "gantt" } do
    if given[name] and #list > 1 then
      command.misuse("--%s writes one schedule: give one policy, not %d", name, #list)
    elseif given[name] and (given.runs or 1) > 1 then
      command.misuse("--%s writes one schedule: give one run (--runs 1), not %d", name, given.runs)
    end
  end
end

-- --- running ------------------------------------------------------------------------------------

-- What orrery.compare and orrery.session both take. tasks: read from the file, or nil.
local function common(given, tasks)
  return {
    tasks = tasks or {
      n = given.n, m = { given.m_inf or 1.5e6, given.m_sup or 2.5e6 },
      sequential = given.sequential,
    },
    procs = given.procs or 1000, options = given.set, seed = given.seed,
    limits = runs.limits(given), max_faults = given.max_faults,
    faults = {
      mtbf_years = given.mtbf_years or 100, law = given.law, shape = given.shape,
      log = given.faults, downtime = given.downtime,
    },
    costs = {
      checkpoint = given.checkpoint, checkpoint_fixed = given.checkpoint_fixed,
      period = given.period, startup = given.startup, latency = given.latency,
      bandwidth = given.bandwidth,
    },
  }
end

local function compare(given, tasks, list)
  local spec = common(given, tasks)
  spec.policies, spec.runs, spec.threads = list, given.runs, given.threads
  spec.fault_free, spec.check = given.fault_free or false, given.check
  spec.packs, spec.k = given.packs, given.k
  local show, erase = progress.start "simulations"
  spec.progress = show
  local ok, result = pcall(orrery.compare, spec)
  erase()
  if not ok then error(result, 0) end
  return result
end

-- The finished session of run 1, recorded. Its schedule passes the checker, and its makespan is
-- that of the result, or there is a bug to report.
local function record(given, tasks, policy, result)
  local spec = common(given, tasks)
  spec.policy = policy
  local session = orrery.session(spec)
  local makespan = session:finish().makespan
  assert(session:check())
  assert(makespan == result:values(1, "makespan")[1],
    "the recorded schedule is not the one that was simulated; please report this")
  return session
end

-- --- showing ------------------------------------------------------------------------------------

-- One policy, one run: its numbers in full.
local function print_single(result)
  local one = result.sets[1].metrics:scenario(1, 1)
  local function line(name, format, ...)
    print(("  %-21s " .. format):format(name, ...))
  end
  print()
  line("makespan", "%.17g s", one.makespan)
  line("no redistribution", "%.17g s", one.baseline)
  line("expected at the start", "%.17g s", one.expected)
  line("faults", "%d that struck a task", one.faults)
  line("redistributions", "%d, in which tasks changed their processors %d times",
    one.redistributions, one.moves)
end

local function show(result, tasks)
  print(result)
  if #result.policies == 1 and result.runs == 1 then print_single(result) end
  if tasks and tasks.repaired > 0 then
    print(("note: the measured times of %d of %d tasks were repaired: more processors are never "
      .. "slower, and never less work"):format(tasks.repaired, #tasks))
  end
end

return command.new(parser, function(given)
  given.set = options.assignments(given.set)
  check_tasks(given)
  check_faults(given)
  check_packs(given)
  local list = policies(given)
  check_single(given, list)
  output.check(given)
  output.check_gantt(given.gantt)
  output.check_report(given.report)
  local tasks = given.tasks and orrery.tasks.read(given.tasks, { sequential = given.sequential })
  local result = compare(given, tasks, list)
  local session = (given.schedule or given.gantt) and record(given, tasks, list[1], result)
  show(result, tasks)
  if given.csv then result:csv(given.csv) end
  if given.ends then result:ends_csv(given.ends) end
  if given.json then result:json(given.json) end
  if given.schedule then session:write_schedule(given.schedule) end
  if given.gantt then session:gantt(given.gantt) end
  if given.report then result:report(given.report, { command = command.line() }) end
end)
