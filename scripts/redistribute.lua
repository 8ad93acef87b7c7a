-- redistribute: runs malleable tasks on processors that fail, and says the gain of redistribution
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
local untrusted = require "orrery.command.untrusted"

-- --- options ------------------------------------------------------------------------------------

local parser = argparse("orrery redistribute", "Simulates a pack of malleable tasks that take "
  .. "checkpoints on processors that fail, under policies that move processors between tasks when "
  .. "one ends or is struck. All policies meet the same tasks and faults; makespans are normalised "
  .. "by that of the same run without redistribution.")

options.add(parser, {
  { title = "Tasks and machine",
    { "--tasks FILE", "Tasks from CSV: id,m or id,m,profile or id,1,2,3,... (times on so many "
      .. "processors, s); the same in every run." },
    "packs.DrawnTasks: n",
    { "--m-inf M", "Smallest size, data units (default: 1500000).", kind = "number", least = 2 },
    { "--m-sup M", "Largest size (default: 2500000).", kind = "number", least = 2 },
    "packs.DrawnTasks: sequential", "runs.TasksSpec: procs" },
  { title = "Faults", "runs.Faults", "runs.TasksSpec: max_faults" },
  { title = "Costs", "runs.Costs" },
  { title = "Policies",
    { "--on-end P", "What is redistributed when a task ends: none (default), end-local, "
      .. "end-greedy, or a policy of your own." },
    { "--on-fault P", "What when a fault strikes: none (default), shortest-tasks-first, "
      .. "iterated-greedy, or a policy of your own." },
    { "--policy P", "Both as one word, end-local+iterated-greedy, or a single policy; may be given "
      .. "several times, to compare. Options of its own: none+shortest-tasks-first:literal=true.",
      several = true },
    options.SET, "runs.Limits" },
  { title = "Policies by somebody else", table.unpack(untrusted.OPTIONS) },
  { title = "Packs", "runs.TasksSpec: packs k" },
  { title = "Runs", "runs.TasksSpec: fault_free runs precision metric seed threads check" },
  { title = "Output files",
    { "--csv FILE", "One row per policy and run." },
    { "--ends FILE", "One row per policy, run and task: when it ended." },
    options.JSON,
    { "--schedule FILE", "What every task did on which processors in a single run, as CSV." },
    options.GANTT, options.REPORT, output.QUIET },
})
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

local function check_precision(given)
  if given.precision and #given.packs > 0 then
    command.misuse "--precision and --packs exclude each other: give --runs"
  elseif given.metric and not given.precision then
    command.misuse "--metric is what --precision is of: give --precision"
  end
end

-- The policies for orrery.compare.
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
    if given[name] then
      options.only(name, "writes one schedule", "policy", #list)
      options.only(name, "writes one schedule", "run (--runs 1)", given.runs or 1)
      options.exclude(given, name, "precision", "one is of one run, the other of many")
    end
  end
end

-- --- running ------------------------------------------------------------------------------------

-- The fields for orrery.compare (mark "c") or orrery.session ("s"). tasks: read from the file, or
-- nil.
local function fields(given, mark, tasks)
  local spec = options.fields("runs.TasksSpec." .. mark, given)
  if not tasks then
    tasks = options.fields("packs.DrawnTasks", given)
    tasks.m = { given.m_inf or 1.5e6, given.m_sup or 2.5e6 }
  end
  spec.tasks, spec.procs = tasks, given.procs or 1000
  spec.faults = options.fields("runs.Faults", given)
  spec.costs = options.fields("runs.Costs", given)
  spec.limits, spec.faults.mtbf_years = options.limits(given), given.mtbf_years or 100
  return spec
end

local function compare(given, tasks, list)
  local spec = fields(given, "c", tasks)
  spec.policies, spec.fault_free = list, given.fault_free or false
  return progress.run("simulations", orrery.compare, spec)
end

-- The finished session of run 1, recorded.
local function record(given, tasks, policy, result)
  local spec = fields(given, "s", tasks)
  spec.policy = policy
  return runs.recorded(spec, result, 1)
end

-- --- showing ------------------------------------------------------------------------------------

-- The exact numbers of a single policy and run.
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

local function run_all(given)
  local list = policies(given)
  check_single(given, list)
  local tasks = given.tasks and orrery.tasks.read(given.tasks, { sequential = given.sequential })
  local result = compare(given, tasks, list)
  local session = (given.schedule or given.gantt) and record(given, tasks, list[1], result)
  show(result, tasks)
  output.write(given, {
    csv = function(path) result:csv(path) end,
    ends = function(path) result:ends_csv(path) end,
    json = function(path) result:json(path) end,
    schedule = function(path) session:write_schedule(path) end,
    gantt = function(path) session:gantt(path) end,
    report = function(path) result:report(path, { command = command.line() }) end,
  })
end

return command.new(parser, function(given)
  given.set = options.assignments(given.set)
  check_tasks(given)
  check_faults(given)
  check_precision(given)
  check_packs(given)
  output.check(given)
  output.check_gantt(given.gantt)
  output.check_report(given.report)
  untrusted.run(given, output.allowed(given), function() run_all(given) end)
end)
