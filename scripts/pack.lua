-- pack: tasks in packs that run one after the other, and what that gains over one by one
--
--   orrery pack --tasks tasks.csv --procs 16 --k 4 --policy pack-by-pack:runs=9 --policy optimal
--   orrery pack --tasks tasks.csv --procs 16 --policy sorted-cuts --schedule packs.csv
local argparse = require "argparse"
local command = require "orrery.command.command"
local options = require "orrery.command.options"
local orrery = require "orrery"
local output = require "orrery.command.output"
local progress = require "orrery.command.progress"
local runs = require "orrery.command.runs"

-- --- options ------------------------------------------------------------------------------------

local parser = argparse("orrery pack", "Puts tasks that can start on any number of processors into "
  .. "packs: the tasks of a pack start together, and the next pack starts when the last of them "
  .. "has ended. Costs are compared with those of one task after the other on all processors.")

local function share(text)
  local value = tonumber(text)
  if value and value >= 0 and value <= 1 then return value end
  return nil, ("--sequential: expected a number from 0 to 1, found '%s'"):format(text)
end

-- --least 2, or --least ID=2.
local function least(text)
  local id, count = text:match "^(.*)=([^=]*)$"
  local number, problem = command.integer("--least", 1, 2147483646)(count or text)
  if not number then return nil, problem end
  return { id = id, procs = number }
end

parser:group("Tasks and machine",
  parser:option("--tasks", "Tasks from CSV: id,1,2,3,... (times on so many processors, s) or id,m "
    .. "or id,m,profile."):argname "FILE",
  parser:option("--sequential", "Sequential fraction f of profiles that name none, from 0 to 1 "
    .. "(default: 0.08)."):argname "F":convert(share),
  parser:option("--procs", "Processors of the machine."):argname "P"
    :convert(command.integer("--procs", 1, 2147483646)),
  parser:option("--k", "Most tasks in a pack (default: as many as there are processors).")
    :argname "K":convert(command.integer("--k", 1, 2147483646)),
  parser:option("--least", "Fewest processors of every task (default: 1), or of one: ID=N; may be "
    .. "given several times."):count "*":argname "N":convert(least))

parser:group("Policies",
  parser:option("--policy", "Pack policy, a name or a file (default: pack/pack-by-pack); may be "
    .. "given several times. Options of its own: pack-by-pack:runs=9."):count "*":argname "P",
  options.policy_options(parser))

parser:group("Runs",
  parser:option("--bounds", "How hard to look for a lower bound: quick (default), "
    .. "or best, which takes a second for some hundred tasks."):choices { "quick", "best" },
  parser:option("--runs", "Runs, in which random policies draw anew (default: 1)."):argname "R"
    :convert(command.integer("--runs", 1)),
  parser:option("--seed", "Seed of all random numbers (default: 1)."):argname "S"
    :convert(command.integer("--seed")),
  options.check_option(parser))

parser:group("Output files",
  parser:option("--csv", "One row per policy, and per run where there are several."):argname "FILE",
  parser:option("--json", "What was run and the summary of every metric."):argname "FILE",
  parser:option("--schedule", "Which task runs when on how many processors, as CSV.")
    :argname "FILE",
  parser:option("--gantt", "The same as a picture: .svg for a browser, or .png (wants "
    .. "rsvg-convert)."):argname "FILE",
  parser:option("--report", "A page of HTML with tables and packs, and how to get it again.")
    :argname "FILE",
  parser:option("--lp", "The problem as an integer linear program, in CPLEX LP format.")
    :argname "FILE")

options.once(parser)

-- --- which go together --------------------------------------------------------------------------

local function check(given)
  for _, name in ipairs { "tasks", "procs" } do
    if not given[name] then command.misuse("--%s is missing", name) end
  end
  for _, name in ipairs { "schedule", "gantt" } do
    if given[name] and #given.policy > 1 then
      command.misuse("--%s is of one co-schedule: give one policy, not %d", name, #given.policy)
    elseif given[name] and (given.runs or 1) > 1 then
      command.misuse("--%s is of one co-schedule: give one run (--runs 1), not %d", name,
        given.runs)
    end
  end
  output.check_gantt(given.gantt)
  output.check_report(given.report)
end

-- What orrery.packs takes, from the numbers for all and those for single tasks.
local function least_of(list, tasks)
  if #list == 0 then return nil end
  local table_of, all = {}, 1
  for _, one in ipairs(list) do
    if not one.id then all = one.procs end
  end
  for _, task in ipairs(tasks) do table_of[task.id] = all end
  for _, one in ipairs(list) do
    if one.id and not table_of[one.id] then
      command.fail("--least %s=%d: there is no task %s", one.id, one.procs, one.id)
    elseif one.id then
      table_of[one.id] = one.procs
    end
  end
  return table_of
end

-- --- running and showing ------------------------------------------------------------------------

local function run(given, tasks)
  local show, erase = progress.start "co-schedules"
  local ok, result = pcall(orrery.packs, {
    tasks = tasks, procs = given.procs, k = given.k, least = least_of(given.least, tasks),
    policies = given.policy, options = given.set, runs = given.runs, seed = given.seed,
    bounds = given.bounds, limits = runs.limits(given), progress = show, check = given.check,
  })
  erase()
  if not ok then error(result, 0) end
  return result
end

local MOST_PACKS = 12 -- of which all are shown

-- One policy, one run: its packs.
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

return command.new(parser, function(given)
  given.set = options.assignments(given.set)
  if #given.policy == 0 then given.policy = { "pack/pack-by-pack" } end
  check(given)
  output.check(given)
  local tasks = orrery.tasks.read(given.tasks, { sequential = given.sequential })
  local result = run(given, tasks)
  print(result)
  if #result.policies == 1 and result.runs == 1 then print_packs(result) end
  if given.lp then result:coschedule(1).problem:write_lp(given.lp) end
  if given.csv then result:csv(given.csv) end
  if given.json then result:json(given.json) end
  if given.schedule then result:write_schedule(given.schedule) end
  if given.gantt then draw(result, given.gantt) end
  if given.report then result:report(given.report, { command = command.line() }) end
end)
