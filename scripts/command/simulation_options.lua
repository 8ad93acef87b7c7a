-- The options that replay and compare share, and their dependencies.
local command = require "orrery.command.command"
local counted = require "orrery.command.counted"
local log_options = require "orrery.command.log_options"
local options = require "orrery.command.options"
local orrery = require "orrery"
local output = require "orrery.command.output"
local result_rows = require "orrery.command.result_rows"
local untrusted = require "orrery.command.untrusted"

local simulation_options = {}

-- --- the options ---------------------------------------------------------------------------------

local SCHEDULE = {
  { "--schedule FILE", "The schedule of a single scenario: CSV, one row per attempt and policy, or "
    .. "of one policy SWF, where the name ends in .swf." },
  { options.GANTT[1], options.GANTT[2] .. " Several policies stand one below the other in .html." },
  { "--colour WHAT", "What gives a job of --gantt its colour, in .html at first: job, partition, "
    .. "user, or what jobs need, as gpu." },
  { "--timeline FILE", "Busy processors and waiting jobs of a single scenario over time: as CSV, "
    .. "or as a picture, .png or .svg." },
  { "--trace FILE", "Everything that is decided in a single scenario, as lines of JSON: who came, "
    .. "started on which processors, ended, was reserved for when, and what the policy noted." },
}

local function priority(several)
  return { "--priority R", "Order of the queue, a name or a file (default: fcfs)."
    .. (several and " May be given several times." or ""), several = several }
end

-- --procs and --walltimes may be given several times: each is another machine or model.
local function take_axes(parser)
  for _, option in ipairs(parser._options) do
    local name = option._name
    if name == "--procs" or name == "--walltimes" or name == "--machine" then
      option:count "*":description(option._description .. " May be given several times"
        .. (name ~= "--walltimes" and ", to compare machines." or ", to compare what the scheduler "
          .. "knows; users: walltimes as users ask for them (jobs:user_estimates)."))
    end
    if name == "--walltimes" then option:choices { "log", "runtime", "users" } end
  end
end

-- What compares variants itself goes with one value of an option.
local function check_axis(given, name)
  for _, other in ipairs(given["all_" .. name][2] and { "precision", "clairvoyant", "summaries" }
    or {}) do
    if given[other] then
      command.misuse("--%s and several --%s exclude each other", other,
        ({ pools = "pool", machines = "machine" })[name] or name)
    end
  end
end

-- Options given several times become lists. All other code uses the first value; for walltimes it
-- uses "log" if any of them has walltimes.
function simulation_options.split_axes(given)
  given.all_procs, given.all_walltimes = given.procs or {}, given.walltimes or {}
  given.procs, given.walltimes = given.all_procs[1], given.all_walltimes[1]
  given.all_machines = given.machine or {}
  given.machine = given.all_machines[1]
  for _, name in ipairs(given.all_walltimes) do
    if name ~= "runtime" then given.walltimes = "log" end
  end
  check_axis(given, "procs")
  check_axis(given, "walltimes")
  check_axis(given, "machines")
end

-- Adds them all. extra: { priorities = several may be given, schedule = it can be written,
-- metric = what --metric is for, axes = --procs and --walltimes may be given several times }
function simulation_options.add(parser, extra)
  parser:argument("log", log_options.FORMATS .. " Default: the bundled month."):args "?"
    :argname "LOG"
  options.add(parser, {
    { title = "Which jobs, on which machine",
      { "--day YYYY-MM-DD", "Only jobs submitted on this day." },
      { "--week YYYY-Www", "Only jobs of this ISO week." },
      { "--from T", "Only jobs submitted at or after T: a date, or seconds of the log." },
      { "--to T", "Only jobs submitted before T." },
      "runs.JobsSpec: by load batch walltimes overrun grace instant timezone origin procs pools "
        .. "...",
      "module.ReadOptions" },
    counted.OPTIONS,
    { title = "Policies",
      { "--policy P", "Dispatch policy, a name or a file (default: dispatch/greedy); may be given "
        .. "several times. Options of its own: dispatch/list:reservations=3.", several = true },
      priority(extra.priorities),
      { "--own-procs", "Policies have the processors they ask for: those with none on top of the "
        .. "machine do not get as many as others have." },
      "runs.JobsSpec: options ...", "runs.Limits" },
    { title = "Policies by somebody else", table.unpack(untrusted.OPTIONS) },
    { title = "Failures and scenarios", "runs.Errors",
      "runs.JobsSpec: failures verification max_attempts runs precision seed threads check ..." },
    { title = "Nodes that fail", "runs.NodeFailures: mtbf log repair procs ..." },
    { title = "Checkpoints",
      "runs.Checkpoints: period cost recovery mtbf before requeue_killed ..." },
    { title = "Capacity known beforehand", "runs.JobsSpec: maintenance capacity reservations" },
    { title = "Limits of what runs", "runs.JobsSpec: machine limit" },
    { title = "Metrics",
      { "--metric METRIC", extra.metric .. " `orrery help metrics` lists them.",
        choices = result_rows.names },
      "runs.JobsSpec: tau warmup cooldown quantiles ...",
      counted.PER },
    { title = "Output files",
      { "--csv FILE", "One row per scenario and policy." },
      options.JSON,
      { "--table FILE", "One row per q and policy, as CSV." },
      { "--plot FILE", "The same as a picture, .png or .svg (wants gnuplot); of one scenario, how "
        .. "bounded slowdowns or waits are spread over the jobs." },
      options.REPORT,
      { "--users FILE", "One row per policy and user of a single scenario, as CSV." },
      output.QUIET, table.unpack(extra.schedule and SCHEDULE or {}) },
  })
  if extra.axes then take_axes(parser) end
  options.once(parser)
end

-- --- which go together --------------------------------------------------------------------------

local ALONE = {
  { "failures", "rate", "the failures are given, or drawn" },
  { "failures", "runs", "every row of the file is one scenario" },
  { "failures", "precision", "every row of the file is one scenario" },
  { "summaries", "precision", "precision looks at the values of all scenarios" },
  { "summaries", "csv", "it has the values of all scenarios" },
  { "summaries", "plot", "it shows the values of all scenarios" },
  { "summaries", "report", "it shows the values of all scenarios" },
  { "precision", "by", "the interval is over days or weeks, not over scenarios" },
  { "failures", "by", "every set has other jobs, and the file has one row for all" },
  { "outages", "node-failures", "the failures are given once" },
  { "outages", "node-repair", "the file says when outages end" },
  { "prediction", "retire-after", "what is announced of a retired node would not come" },
}

for _, drawn in ipairs { "node-mtbf", "lemons", "domains", "retire-after" } do
  for _, given in ipairs { "outages", "node-failures" } do
    table.insert(ALONE, { given, drawn, "the failures are given, or drawn" })
  end
end

local SELECT = { { "day", "week" }, { "from", "day" }, { "from", "week" }, { "to", "day" },
  { "to", "week" } }

-- The first option of each pair needs the second.
local TOGETHER = { { "lemons", "node_mtbf" }, { "retire_after", "node_mtbf" },
  { "spares", "retire_after" }, { "swap", "retire_after" }, { "domain_repair", "domains" } }

local OF_WALLTIMES = {
  { "overrun", "says what becomes of jobs that ran longer than the log's walltime" },
  { "grace", "is granted to jobs that overrun the log's walltimes" },
  { "clairvoyant", "adds policies that know the runtimes to those that know the walltimes" } }

local function check_nodes(given)
  for _, name in ipairs { "node_repair", "node_procs", "prediction" } do
    if given[name] and not (given.node_mtbf or given.node_failures or given.outages
      or given.domains) then
      command.misuse("--%s is for nodes that fail: give --node-mtbf, --node-failures or --outages "
        .. "as well", (name:gsub("_", "-")))
    end
  end
  for _, pair in ipairs(TOGETHER) do
    if given[pair[1]] and not given[pair[2]] then
      command.misuse("--%s wants --%s as well", (pair[1]:gsub("_", "-")), (pair[2]:gsub("_", "-")))
    end
  end
  if given.node_names and not given.outages then
    command.misuse "--node-names is for outages from a file: give --outages as well"
  end
  if given.node_mtbf == 0 then command.misuse "--node-mtbf: expected more than 0 s" end
end

local function check_checkpoints(given)
  for _, name in ipairs { "checkpoint_cost", "recovery", "checkpoint_mtbf", "checkpoint_before",
    "requeue_killed" } do
    if given[name] and not given.checkpoint then
      command.misuse("--%s is for jobs that write checkpoints: give --checkpoint as well",
        (name:gsub("_", "-")))
    end
  end
  local by_rule = given.checkpoint == "young" or given.checkpoint == "daly"
  if by_rule and not given.node_mtbf and not given.checkpoint_mtbf then
    command.misuse("--checkpoint %s follows from how often a node fails: give --node-mtbf or "
      .. "--checkpoint-mtbf", given.checkpoint)
  elseif given.checkpoint_mtbf and not by_rule then
    command.misuse("--checkpoint-mtbf is for --checkpoint young and daly")
  end
end

local function check_single(given)
  for _, name in ipairs { "schedule", "timeline", "trace", "gantt" } do
    if given[name] then
      local writes = "writes one " .. (name == "gantt" and "schedule" or name)
      local ending = given[name]:lower():match "%.%w+$"
      local several = name == "schedule" and ending ~= ".swf"
        or name == "gantt" and (ending == ".html" or ending == ".htm")
      if not several then
        options.only(name, writes, "--policy", #given.policy)
      end
      options.only(name, writes, "--q", #given.q)
      options.only(name, writes, "scenario (--runs 1)", given.runs or 1)
      options.exclude(given, name, "precision", "one is of one scenario, the other of many")
      options.exclude(given, name, "clairvoyant", "one is of one policy, the other adds more")
    end
  end
  if given.colour and not given.gantt then
    command.misuse "--colour is of a picture: give --gantt FILE"
  end
  for _, name in ipairs { "users", "per" } do
    options.exclude(given, name, "precision", "one is of one scenario, the other of many")
    if given[name] and (given.runs or 1) > 1 then
      command.misuse("--%s is of one scenario: give --runs 1, not %d", name, given.runs)
    end
  end
  options.exclude(given, "per", "by", "the waits of each job are those of one simulation")
  options.exclude(given, "per", "failures", "the waits of each job are those of one scenario")
  if given.per then options.only("per", "is of one case", "--q", #given.q) end
end

local function check_files(given)
  for _, name in ipairs(#given.q > 1 and { "csv", "json", "users", "report" } or {}) do
    if given[name] then
      command.misuse("--%s has no place for q: give one --q, or write --table, which has a column "
        .. "for it", name)
    end
  end
end

local function check_summaries(given)
  if given.summaries and not given.failures and (given.runs or 1) == 1 then
    command.misuse("--summaries is of many scenarios: give --runs")
  end
end

-- What --pool says: a list of { pools = name -> amount, label = }, several where a pool is given
-- several times; one that is given once is in all of them. "+10%" is of the first amount of the
-- pool, rounded to the nearest whole one (a half up).
local function pools_of(given, several)
  local pools = given.pool and given.pool[1] and require "orrery.values.pools"
  local values, most, list = {}, 1, {}
  for _, one in ipairs(given.pool or {}) do
    local own, percent = values[one.name] or {}, pools.percent(one.value)
    if percent and not own[1] then
      command.misuse("--pool %s=%s: of which amount? Give --pool %s=AMOUNT before it", one.name,
        one.value, one.name)
    end
    local first = percent and pools.amount("pools." .. one.name, own[1])
    values[one.name], own[#own + 1] = own, percent
      and math.tointeger((first * (100 + percent) / 100 + 0.5) // 1) or one.value
    most = math.max(most, #own)
  end
  for i = 1, most do
    local all, label = {}, {}
    for name, own in pairs(values) do
      if #own > 1 and (not several or #own < most) then
        command.misuse("--pool %s is given %d times", name, #own)
      end
      all[name] = own[i] or own[1]
      if #own > 1 then label[#label + 1] = name .. "=" .. own[i] end
    end
    table.sort(label)
    list[i] = { pools = next(all) and all, label = label[1] and table.concat(label, " ") }
  end
  return list
end

-- What a machine has beside processors, by name.
local function names_of(machine)
  local known = {}
  for _, of in ipairs { machine.pools or {}, table.unpack(machine.nodes or {}) } do
    for name in pairs(of) do known[name] = true end
  end
  return known
end

-- The log is read for the first of several machines.
local function check_machines(given)
  local machine = orrery.machine(given.machine)
  local first = names_of(machine)
  if given.procs or given.pool[1] then
    command.misuse("several --machine and --procs or --pool exclude each other")
  end
  given.procs = machine.procs
  for i = 2, #given.all_machines do
    for name in pairs(names_of(orrery.machine(given.all_machines[i]))) do
      if not first[name] then
        command.misuse("--machine: %s has %s, and %s does not say how much it has, perhaps 0",
          given.all_machines[i], name, given.machine)
      end
    end
  end
end

-- Converts the values: lists without holes, `set` as name -> value. Raises errors for wrong values.
function simulation_options.check(given)
  if given.all_machines and given.all_machines[2] then
    check_machines(given)
  elseif given.machine then -- what reading the log needs of it
    local machine, named = orrery.machine(given.machine), {}
    local pools = require "orrery.values.pools"
    given.procs = given.procs or machine.procs
    for _, one in ipairs(given.pool) do
      named[one.name] = named[one.name] or not pools.percent(one.value)
    end
    for name, amount in pairs(machine.pools or {}) do
      if not named[name] then table.insert(given.pool, 1, { name = name, value = amount }) end
    end
  end
  local all = {}
  for _, list in ipairs(given.q) do table.move(list, 1, #list, #all + 1, all) end
  given.q = all
  for _, one in ipairs(ALONE) do options.exclude(given, table.unpack(one)) end
  check_nodes(given)
  check_checkpoints(given)
  check_summaries(given)
  for _, one in ipairs(SELECT) do
    options.exclude(given, one[1], one[2], "each of them selects jobs")
  end
  if #given.q > 0 then
    if given.failures then
      command.misuse("--failures and --q exclude each other: the failures are given, or drawn")
    elseif given.rate then
      command.misuse("--rate and --q exclude each other: both say how often jobs fail")
    end
  end
  for _, one in ipairs(given.walltimes ~= "log" and OF_WALLTIMES or {}) do
    if given[one[1]] then
      command.misuse("--%s %s: give --walltimes log as well", table.unpack(one))
    end
  end
  if given.grace and given.overrun == "extend" then
    command.misuse("--grace and --overrun extend exclude each other: no job that is extended "
      .. "needs one")
  end
  for _, other in ipairs { "batch", "load" } do
    options.exclude(given, "dependencies", other, "each says when jobs are submitted")
  end
  given.set = options.assignments(given.set)
  if not given.limit[1] then given.limit = nil end
  given.all_pools = pools_of(given, given.all_procs)
  given.pool = given.all_pools[1].pools
  check_axis(given, "pools")
  if #given.policy == 0 then given.policy = { "dispatch/greedy" } end
  check_single(given)
  check_files(given)
  return given
end

return simulation_options
