-- checkpoints: a user's settings of checkpoints of rigid jobs, as numbers for every job.
local checks = require "orrery.support.checks"
local checkpoint_cost = require "orrery.values.checkpoint_cost"
local clock = require "orrery.support.clock"
local core = require "orrery.core"

local expect, refuse = checks.expect, checks.refuse
local FORM = "a number of seconds, a text as '2m' or '30+0.5*procs', a table { fixed =, "
  .. "times_procs =, over_procs = } or a function of the job"

-- Seconds >= 0 from a number or a text such as "2m"; nil for anything else.
local function seconds(value)
  if type(value) == "string" then value = clock.span(value) end
  return type(value) == "number" and value >= 0 and value < math.huge and value or nil
end

-- A setting becomes f(procs, job). job() gives the job itself, which is made only where a function
-- asks for it.

local function of_procs(what, given)
  checks.fields(what, given, "runs.CheckpointCost")
  local parts = {}
  for i, key in ipairs { "fixed", "times_procs", "over_procs" } do
    parts[i] = given[key] == nil and 0 or seconds(given[key])
    expect(parts[i], what .. "." .. key, "a number of seconds of at least 0",
      checks.quoted(given[key]))
  end
  return function(procs) return parts[1] + parts[2] * procs + parts[3] / procs end
end

-- The function of a cost given by a user's function; nil from it: the job cannot write checkpoints.
local function asked(what, ask)
  return function(_, job)
    local one = job()
    local value = ask(one)
    refuse(value ~= nil and not (type(value) == "number" and value >= 0 and value < math.huge),
      "%s: expected a number of seconds of at least 0 for job %s, found %s", what, one.id,
      checks.quoted(value))
    return value
  end
end

-- A cost or a recovery, in seconds.
local function reader(what, given)
  if type(given) == "function" then return asked(what, given) end
  local parts = type(given) == "string" and checkpoint_cost(given) or given
  if type(parts) == "table" then return of_procs(what, parts) end
  local value = seconds(parts)
  expect(value, what, FORM, checks.quoted(given))
  return function() return value end
end

-- The mean time between failures of one node, and its processors, at most on a machine that has
-- nodes; nil: not given.
local function node_of(given, nodes, has)
  nodes = type(nodes) == "table" and nodes or {}
  local mtbf = given.mtbf or nodes.mtbf
  if given.mtbf == nil and nodes.mtbf_years then mtbf = nodes.mtbf_years * clock.YEAR end
  if mtbf == nil then return nil end
  local value = seconds(mtbf)
  expect(value and value > 0, "checkpoint.mtbf", "a number of seconds of more than 0",
    checks.quoted(mtbf))
  local size = nodes.procs or 1
  for _, kind in ipairs(has and has.kinds or {}) do size = math.max(size, kind.procs) end
  return value, size
end

-- The period of a job, s of work; it depends on its cost, too.
local function rule(given, nodes, has)
  local period = given.period == nil and "young" or given.period
  if period == "none" then return function() return math.huge end end
  if period ~= "young" and period ~= "daly" then
    local value = seconds(period)
    expect(value and value > 0, "checkpoint.period",
      "'none', 'young', 'daly' or a time of work of more than 0 s", checks.quoted(period))
    return function() return value end
  end
  local mtbf, node = node_of(given, nodes, has)
  refuse(not mtbf, "checkpoint: the period '%s' follows from how often a node fails: give the mtbf "
    .. "of node_failures, or of checkpoint, or a period", period)
  return function(procs, job, cost)
    refuse(cost == 0, "checkpoint: '%s' gives no period for job %s, whose checkpoints cost "
      .. "nothing: give a period", period, cost == 0 and job().id)
    local needs = has and job().needs
    local fewest = math.max((procs + node - 1) // node, needs and needs.nodes or 0)
    return core.period(period, mtbf, 1, fewest, cost)
  end
end

local MOMENTS = { "kill", "drain", "window" }

-- The settings for all jobs: events before which they write a checkpoint, and whether killed jobs
-- wait again.
local function moments(given)
  local flags = { requeue_killed = given.requeue_killed }
  expect(flags.requeue_killed == nil or type(flags.requeue_killed) == "boolean",
    "checkpoint.requeue_killed", "true or false", checks.quoted(flags.requeue_killed))
  local list = given.before
  if type(list) == "string" then
    local text = list
    list = {}
    for one in (text .. ","):gmatch "%s*(.-)%s*," do list[#list + 1] = one end
  end
  expect(list == nil or type(list) == "table", "checkpoint.before",
    "a list of 'kill', 'drain' and 'window'", checks.quoted(given.before))
  for _, one in ipairs(list or {}) do
    local known = one == MOMENTS[1] or one == MOMENTS[2] or one == MOMENTS[3]
    expect(known, "checkpoint.before", "'kill', 'drain' or 'window'", checks.quoted(one))
    expect(not flags[one], "checkpoint.before", "each of them once", checks.quoted(one) .. " twice")
    flags[one] = true
  end
  return flags
end

-- The value for the runs, or nil. `given` are the user's settings, `nodes` the failures of nodes.
-- has: nodes and partitions of the machine, where it has some.
return function(given, nodes, jobs, has)
  if given == nil then return nil end
  checks.fields("checkpoint", given, "runs.Checkpoints")
  local logged, ways = core.logged_checkpoints(jobs) -- by position; nil: the log has no costs
  refuse(given.cost == nil and not next(logged or {}), "checkpoint: give the cost of a "
    .. "checkpoint, for the log has no column `checkpoint`: " .. FORM)
  local cost = given.cost ~= nil and reader("checkpoint.cost", given.cost)
  local recovery = given.recovery ~= nil and reader("checkpoint.recovery", given.recovery)
  local period = rule(given, nodes, has)
  local costs, recoveries, periods, at = {}, {}, {}, nil
  local function job() return jobs[at] end
  for i, procs in ipairs(jobs:values "procs") do
    at = i
    local one = logged and logged[i] or cost and cost(procs, job) or math.huge
    local writes = one < math.huge
    costs[i] = one
    recoveries[i] = writes and (ways and ways[i] or recovery and recovery(procs, job) or one) or 0
    periods[i] = writes and period(procs, job, one) or math.huge
  end
  return core.checkpoints(costs, recoveries, periods, moments(given))
end
