-- pack: runs tasks in packs, one pack after the other; says the gain over one task at a time
--
--   orrery pack --tasks tasks.csv --procs 16 --k 4 --policy pack-by-pack:runs=9 --policy optimal
--   orrery pack --tasks tasks.csv --procs 16 --policy sorted-cuts --schedule packs.csv
local argparse = require "argparse"
local command = require "orrery.command.command"
local options = require "orrery.command.options"
local orrery = require "orrery"
local output = require "orrery.command.output"
local progress = require "orrery.command.progress"
local untrusted = require "orrery.command.untrusted"

-- --- options ------------------------------------------------------------------------------------

local parser = argparse("orrery pack", "Puts tasks that can start on any number of processors into "
  .. "packs: the tasks of a pack start together, and the next pack starts when the last of them "
  .. "has ended. Costs are compared with those of one task after the other on all processors.")

-- --least 2, or --least ID=2.
local function least(text)
  local id, count = text:match "^(.*)=([^=]*)$"
  local number, problem = command.integer("--least", 1, 2147483646)(count or text)
  if not number then return nil, problem end
  return { id = id, procs = number }
end

options.add(parser, {
  { title = "Tasks and machine",
    { "--tasks FILE", "Tasks from CSV: id,1,2,3,... (times on so many processors, s) or id,m or "
      .. "id,m,profile." },
    "tasks.SequentialOption", "packs.PacksSpec: procs k",
    { "--least N", "Fewest processors of every task (default: 1), or of one: ID=N; may be given "
      .. "several times.", convert = least, several = true } },
  { title = "Policies",
    { "--policy P", "Pack policy, a name or a file (default: pack/pack-by-pack); may be given "
      .. "several times. Options of its own: pack-by-pack:runs=9.", several = true },
    options.SET, "runs.Limits" },
  { title = "Policies by somebody else", table.unpack(untrusted.OPTIONS) },
  { title = "Runs", "packs.PacksSpec: bounds runs seed check" },
  { title = "Output files",
    { "--csv FILE", "One row per policy, and per run where there are several." },
    options.JSON,
    { "--schedule FILE", "Which task runs when on how many processors, as CSV." },
    options.GANTT,
    { "--report FILE", "A page of HTML with tables and packs, and how to get it again." },
    { "--lp FILE", "The problem as an integer linear program, in CPLEX LP format." },
    output.QUIET },
})
options.once(parser)

-- --- which go together --------------------------------------------------------------------------

local function check(given)
  for _, name in ipairs { "tasks", "procs" } do
    if not given[name] then command.misuse("--%s is missing", name) end
  end
  for _, name in ipairs { "schedule", "gantt" } do
    if given[name] then
      options.only(name, "is of one co-schedule", "policy", #given.policy)
      options.only(name, "is of one co-schedule", "run (--runs 1)", given.runs or 1)
    end
  end
  output.check_gantt(given.gantt)
  output.check_report(given.report)
end

-- The field for orrery.packs, from the numbers for all tasks and for single tasks.
local function least_of(list, tasks)
  if #list == 0 then return nil end
  local table_of, all = {}, 1
  for _, one in ipairs(list) do
    if not one.id then all = one.procs end
  end
  for _, task in ipairs(tasks) do table_of[task.id] = all end
  for _, one in ipairs(list) do
    if one.id and not table_of[one.id] then
      command.misuse("--least %s=%d: there is no task %s", one.id, one.procs, one.id)
    elseif one.id then
      table_of[one.id] = one.procs
    end
  end
  return table_of
end

-- --- running and showing ------------------------------------------------------------------------

local function run(given, tasks)
  local spec = options.fields("packs.PacksSpec", given)
  spec.tasks, spec.policies, spec.limits = tasks, given.policy, options.limits(given)
  spec.least = least_of(given.least, tasks)
  return progress.run("co-schedules", orrery.packs, spec)
end

local MOST_PACKS = 12 -- of which all are shown

-- The packs of a single policy and run.
local function print_packs(result)
  local packs = result:packs(1)
  print()
  local rows = { { "pack", "start (s)", "cost (s)", "idle", "tasks with processors" } }
  for b = 1, math.min(#packs, MOST_PACKS) do
    local pack, tasks = packs[b], {}
    for x, id in ipairs(pack.tasks) do tasks[x] = id .. ":" .. pack.procs[x] end
    rows[b + 1] = { "P" .. b, ("%.6g"):format(pack.start), ("%.6g"):format(pack.cost),
      ("%.1f%%"):format(100 * pack.idle), table.concat(tasks, " ") }
  end
  local list = {}
  for i, row in ipairs(rows) do list[i] = table.remove(row) end
  for i, line in ipairs(orrery.tools.columns(rows)) do print(line .. "  " .. list[i]) end
  if #packs > MOST_PACKS then
    print(("and %d more; --schedule FILE writes them all"):format(#packs - MOST_PACKS))
  end
end

local function draw(result, path)
  local one = result.sets[1].metrics:scenario(1, 1)
  result:coschedule(1):gantt(path, {
    title = ("%s: %d packs, %.3f of the cost of one by one"):format(result.policies[1].name,
      one.packs, one.relative_cost),
  })
end

local function run_all(given)
  local tasks = orrery.tasks.read(given.tasks, { sequential = given.sequential })
  local result = run(given, tasks)
  print(result)
  if #result.policies == 1 and result.runs == 1 then print_packs(result) end
  output.write(given, {
    csv = function(path) result:csv(path) end,
    json = function(path) result:json(path) end,
    schedule = function(path) result:write_schedule(path) end,
    gantt = function(path) draw(result, path) end,
    report = function(path) result:report(path, { command = command.line() }) end,
    lp = function(path) result:coschedule(1).problem:write_lp(path) end,
  })
end

return command.new(parser, function(given)
  given.set = options.assignments(given.set)
  if #given.policy == 0 then given.policy = { "pack/pack-by-pack" } end
  check(given)
  output.check(given)
  untrusted.run(given, output.allowed(given), function() run_all(given) end)
end)
