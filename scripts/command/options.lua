-- The options that replay and compare share, and which of them go together.
local orrery = require "orrery"
local command = require "orrery.command.command"
local log_options = require "orrery.command.log_options"

local options = {}

-- --- what they are ------------------------------------------------------------------------------

local function probabilities(text)
  local list = {}
  for part in (text .. ","):gmatch("(.-),") do
    local q = tonumber(part)
    if not q or not (q >= 0 and q < 1) then
      return nil, ("--q: expected a mean failure probability, at least 0 and less than 1, found "
        .. "'%s'"):format(part)
    end
    list[#list + 1] = q
  end
  return list
end

-- option=value, of --set.
local function assignment(text)
  local name, value = text:match("^([%w_-]+)=(.*)$")
  if name then return { name = name, value = value } end
  return nil, ("--set: expected option=value, found '%s'"):format(text)
end

-- argparse's converter for a finite number above 0. `name` is the option's.
function options.positive(name)
  local number = command.number(name)
  return function(text)
    local value, problem = number(text)
    if value and value <= 0 then
      return nil, ("%s: expected a number above 0, found '%s'"):format(name, text)
    end
    return value, problem
  end
end

-- argparse's converter for a span of time of at least 0: seconds, or a number with s, m, h, d or w.
function options.duration(name)
  return function(text)
    local seconds = orrery.tools.span(text)
    if seconds then return seconds end
    return nil, ("%s: expected seconds, or a number with s, m, h, d or w behind it, found '%s'")
      :format(name, text)
  end
end

-- --set and the limits, which every command with policies has.
function options.policy_options(parser)
  return parser:option("--set", "An option of every policy that has it; may be given several "
      .. "times."):count "*":argname "option=value":convert(assignment),
    parser:option("--limit-seconds", "Time that one call of a policy may take (default: 5, of a "
      .. "pack policy 60).")
      :argname "S":convert(options.positive "--limit-seconds"),
    parser:option("--limit-memory", "Memory that a policy may take, MB (default: 256).")
      :argname "MB":convert(command.integer("--limit-memory", 1, 1048576)),
    parser:option("--limit-instructions", "Instructions that one call of a policy may take, "
      .. "counted exactly (slow)."):argname "N"
      :convert(command.integer("--limit-instructions", 1, 2147483647))
end

-- --runs, --seed and --threads, which mean the same everywhere. `what`: what there are several of.
function options.run_options(parser, what)
  return parser:option("--runs", what .. " (default: 1)."):argname "R"
      :convert(command.integer("--runs", 1)),
    parser:option("--seed", "Seed of all random numbers (default: 1)."):argname "S"
      :convert(command.integer("--seed")),
    parser:option("--threads", "Threads (default: all cores); the results are the same for any "
      .. "number."):argname "T":convert(command.integer("--threads", 1, 4096))
end

function options.check_option(parser)
  return parser:flag("--check", "Look at every schedule with the independent checker, and end with "
    .. "status 1 if one is not possible.")
end

local function add_workload(parser)
  parser:argument("log", log_options.FORMATS .. " Default: the bundled month."):args "?"
    :argname "LOG"
  parser:group("Which jobs, on which machine",
    parser:option("--day", "Only jobs submitted on this day, UTC."):argname "YYYY-MM-DD",
    parser:option("--week", "Only jobs of this ISO week."):argname "YYYY-Www",
    parser:option("--from", "Only jobs submitted at or after T: a date, or seconds of the log.")
      :argname "T",
    parser:option("--to", "Only jobs submitted before T."):argname "T",
    parser:option("--by", "day, week: simulate every day, or every 168 hours from the first "
      .. "submission on, for itself."):choices { "day", "week" },
    parser:option("--load", "Jobs come F times as fast: what lies between submissions is divided "
      .. "by F."):argname "F":convert(options.positive "--load"),
    parser:flag("--batch", "All jobs are there at time 0."),
    parser:option("--walltimes", "What the scheduler knows of a runtime: the log's walltime, or "
      .. "the runtime itself (default)."):choices { "log", "runtime" },
    parser:option("--overrun", "What becomes of jobs that ran longer than the log's walltime: kill "
      .. "(at it; default) or extend (it, to the runtime)."):choices { "kill", "extend" },
    parser:option("--procs", "Processors of the machine (default: what the log says)."):argname "N"
      :convert(command.integer("--procs", 1, 2147483646)),
    log_options.options(parser))
end

local function add_policies(parser, several)
  parser:group("Policies",
    parser:option("--policy", "Dispatch policy, a name or a file (default: dispatch/greedy); "
      .. "may be given several times. Options of its own: dispatch/list:reservations=3."):count "*"
      :argname "P",
    parser:option("--priority", "Order of the queue, a name or a file (default: fcfs)."
      .. (several and " May be given several times." or "")):count(several and "*" or "?")
      :overwrite(false):argname "R",
    parser:flag("--own-procs", "Policies have the processors they ask for: those with none on top "
      .. "of the machine do not get as many as others have."),
    options.policy_options(parser))
end

local function add_failures(parser)
  parser:group("Failures and scenarios",
    parser:option("--q", "Mean failure probability of a job (default: 0); several, or a list "
      .. "0,0.05,0.1, are simulated one by one."):count "*":argname "Q":convert(probabilities),
    parser:option("--rate", "Failure rate per processor and second, instead of --q.")
      :argname "LAMBDA":convert(command.number("--rate", 0)),
    parser:option("--failures", "Failure counts from a file: whole numbers between spaces, one row "
      .. "per scenario, one number per job in the order of the jobs simulated (the log's, without "
      .. "what was left out or not selected); instead of --q and --runs. --max-attempts does not "
      .. "apply."):argname "FILE",
    parser:option("--verification", "Seconds that the error detector adds to every attempt that "
      .. "reaches its end (default: 0): not to one that is killed at its walltime, and on top of "
      .. "the walltime."):argname "SECONDS":convert(command.number("--verification", 0)),
    parser:option("--max-attempts", "Most attempts of one job (default: 1000000, of those that "
      .. "failures of nodes end 100000)."):argname "N"
      :convert(command.integer("--max-attempts", 1, 2147483646)),
    options.run_options(parser, "Scenarios"), options.check_option(parser))
end

local function add_node_failures(parser)
  parser:group("Nodes that fail",
    parser:option("--node-mtbf", "Mean time between failures of one node; seconds, or 12h, 90d. "
      .. "The jobs on a node that fails go back to the queue and start anew.")
      :argname "T":convert(options.duration "--node-mtbf"),
    parser:option("--node-failures", "The failures from a file instead: CSV with the header "
      .. "time,processor, in order of time."):argname "FILE",
    parser:option("--node-repair", "How long a node is out (default: 0); seconds, or 30m, 4h.")
      :argname "T":convert(options.duration "--node-repair"),
    parser:option("--node-procs", "Processors of a node (default: 1)."):argname "N"
      :convert(command.integer("--node-procs", 1, 2147483646)))
end

local function add_metrics(parser)
  parser:group("What metrics look at",
    parser:option("--tau", "Seconds that a shorter runtime counts in bounded slowdowns (default: "
      .. "60)."):argname "SECONDS":convert(options.positive "--tau"),
    parser:option("--warmup", "Jobs submitted in the first T of the log are simulated, but left "
      .. "out of waits, flow times and slowdowns; seconds, or 90m, 12h, 7d.")
      :argname "T":convert(options.duration "--warmup"),
    parser:option("--cooldown", "The same for the last T. With either, utilisation is that "
      .. "between the two."):argname "T":convert(options.duration "--cooldown"),
    parser:flag("--quantiles", "Also the quantiles of waits, flow times and slowdowns, in --json."))
end

local function add_output(parser, with_schedule)
  parser:group("Output files",
    parser:option("--csv", "One row per scenario and policy."):argname "FILE",
    parser:option("--json", "What was run and the summary of every metric."):argname "FILE",
    parser:option("--table", "One row per q and policy, as CSV."):argname "FILE",
    parser:option("--plot", "The same as a picture, .png or .svg (wants gnuplot); of one scenario, "
      .. "how bounded slowdowns or waits are spread over the jobs."):argname "FILE",
    parser:option("--report", "A page of HTML with tables, plots and schedules, and how to get it "
      .. "again."):argname "FILE",
    parser:option("--users", "One row per policy and user of a single scenario, as CSV.")
      :argname "FILE",
    table.unpack(with_schedule and {
      parser:option("--schedule", "The schedule of a single scenario: CSV, one row per attempt, or "
        .. "SWF where the name ends in .swf."):argname "FILE",
      parser:option("--gantt", "The same as a picture: .svg for a browser, or .png (wants "
        .. "rsvg-convert)."):argname "FILE",
      parser:option("--timeline", "Busy processors and waiting jobs of a single scenario over "
        .. "time: as CSV, or as a picture, .png or .svg."):argname "FILE",
    } or {}))
end

-- Of an option that may be given once, several are an error.
function options.once(parser)
  for _, option in ipairs(parser._options) do
    if option._maxcount == 1 then option:overwrite(false) end
  end
end

-- Adds them all. extra: { priorities = several may be given, schedule = it can be written }
function options.add(parser, extra)
  add_workload(parser)
  add_policies(parser, extra.priorities)
  add_failures(parser)
  add_node_failures(parser)
  add_metrics(parser)
  add_output(parser, extra.schedule)
  options.once(parser)
end

-- --- which go together --------------------------------------------------------------------------

function options.exclude(given, first, second, why)
  if given[first:gsub("-", "_")] ~= nil and given[second:gsub("-", "_")] ~= nil then
    command.misuse("--%s and --%s exclude each other: %s", first, second, why)
  end
end

local function flatten(lists)
  local all = {}
  for _, list in ipairs(lists) do table.move(list, 1, #list, #all + 1, all) end
  return all
end

local function check_single(given)
  local function only(option, what, count)
    if count > 1 then
      command.misuse("--%s writes one %s: give one %s, not %d", option,
        option == "gantt" and "schedule" or option, what, count)
    end
  end
  for _, option in ipairs { "schedule", "timeline", "gantt" } do
    if given[option] then
      only(option, "--policy", #given.policy)
      only(option, "--q", #given.q)
      only(option, "scenario (--runs 1)", given.runs or 1)
    end
  end
  if given.users and (given.runs or 1) > 1 then
    command.misuse("--users is of one scenario: give --runs 1, not %d", given.runs)
  end
end

local function check_files(given)
  if #given.q > 1 then
    for _, name in ipairs { "csv", "json", "users", "report" } do
      if given[name] then
        command.misuse("--%s has no place for q: give one --q, or write --table, which has a "
          .. "column for it", name)
      end
    end
  end
end

-- What --set said, as a table name -> value.
function options.assignments(list)
  local set = {}
  for _, one in ipairs(list or {}) do
    if set[one.name] ~= nil then command.misuse("--set %s is given twice", one.name) end
    set[one.name] = one.value
  end
  return set
end

-- The values as the rest wants them: lists without holes, `set` as name -> value. Raises what is
-- wrong with them.
function options.check(given)
  given.q = flatten(given.q or {})
  options.exclude(given, "failures", "rate", "the failures are given, or drawn")
  options.exclude(given, "failures", "runs", "every row of the file is one scenario")
  options.exclude(given, "failures", "by",
    "every set has other jobs, and the file has one row for all")
  options.exclude(given, "node-failures", "node-mtbf", "the failures are given, or drawn")
  for _, name in ipairs { "node_repair", "node_procs" } do
    if given[name] and not given.node_mtbf and not given.node_failures then
      command.misuse("--%s is for nodes that fail: give --node-mtbf or --node-failures as well",
        (name:gsub("_", "-")))
    end
  end
  if given.node_mtbf == 0 then command.misuse "--node-mtbf: expected more than 0 s" end
  options.exclude(given, "day", "week", "each of them selects jobs")
  for _, name in ipairs { "from", "to" } do
    options.exclude(given, name, "day", "each of them selects jobs")
    options.exclude(given, name, "week", "each of them selects jobs")
  end
  if #given.q > 0 then
    if given.failures then
      command.misuse("--failures and --q exclude each other: the failures are given, or drawn")
    elseif given.rate then
      command.misuse("--rate and --q exclude each other: both say how often jobs fail")
    end
  end
  if given.overrun and given.walltimes ~= "log" then
    command.misuse("--overrun says what becomes of jobs that ran longer than the log's walltime: "
      .. "give --walltimes log as well")
  end
  given.set = options.assignments(given.set)
  if #given.policy == 0 then given.policy = { "dispatch/greedy" } end
  check_single(given)
  check_files(given)
  return given
end

return options
