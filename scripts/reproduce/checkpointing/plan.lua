-- plan: the jobs, machines, periods and policies, and the resulting numbers.
--
-- A cell is one log or one job with all policies compared on it, so that all meet the same
-- failures. The independent samples are generated logs, each with one scenario of failures, or
-- scenarios for a single log or job.
local cells = require "orrery.command.cells"
local drawing = require "orrery.command.drawing"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local paper = {}

local YEAR, DAY, HOUR = 365 * 86400, 86400, 3600

-- --- simulations ---------------------------------------------------------------------------------

-- Powers of two, from one exponent to another.
local function powers(from, to, step)
  local list = {}
  for k = from, to, step do list[#list + 1] = 2.0 ^ k end
  return list
end

-- One job on one node. Times are divided by the MTBF: shares are costs of a checkpoint, equal to a
-- recovery; multiples are periods divided by Young's.
paper.node = { mtbf = 1e5, work = 50e5 }

-- The settings of Weibull's failures: one node that fails often, and a job on 1024 nodes, which are
-- new or have a given age.
paper.places = {
  { key = "node", at = "one node, work of 100 MTBFs", mtbf = 1e5, nodes = 1, work = 1e7,
    cost = 100 },
  { key = "new", at = "1024 new nodes, MTBF 5 years, work of 20 days", mtbf = 5 * YEAR,
    nodes = 1024, work = 20 * DAY, cost = 600 },
  { key = "old", at = "the same nodes 5 years later", mtbf = 5 * YEAR, nodes = 1024,
    work = 20 * DAY, cost = 600, age = 5 * YEAR },
}

paper.costs = {
  { key = "constant", name = "C = 10 min for all jobs", at = "C = 10 min for all jobs" },
  { key = "wide", name = "C in proportion to processors", at = "C in proportion to processors" },
}

-- The machines of the logs. A node of Mira is a board of 32 processors.
paper.logs = {
  { key = "mira", at = "Mira, June 2019", procs = 49152, node = 32 },
  { key = "lublin", at = "generated logs", procs = 256, node = 1 },
}

paper.years = { 1, 2, 5, 10, 20, 50, 100 }
paper.recalls, paper.precisions = { 0.5, 0.85, 1 }, { 0.25, 0.5, 0.85, 1 }
paper.metrics = { "ratio", "bsld_mean", "waste" }

local heuristic = drawing.heuristic

-- The schedulers, and the aware one without its knowledge.
paper.policies = {
  heuristic("greedy", "greedy", { policy = "greedy" }, drawing.GREY, 9),
  heuristic("easy", "EASY", { policy = "easy" }, drawing.BLUE, 7),
  heuristic("conservative", "conservative", { policy = "conservative" }, drawing.SKY, 5),
  heuristic("saf", "EASY + SAF", { policy = "easy", priority = "saf" },
    drawing.ORANGE, 11),
  heuristic("failures", "aware of failures", { policy = "checkpoint-aware:know=failures" },
    drawing.GREEN, 4),
  heuristic("aware", "checkpoint-aware", { policy = "checkpoint-aware" }, drawing.RED, 13),
}

-- The experiment over MTBF, cost and width: the variable of each axis.
--   log      the log;  values of x;  usual: the values on the other axes
paper.axes = {
  { key = "mira", log = "mira", x = "node MTBF (years)", field = "years", values = paper.years,
    title = "Mira, C = 5 min" },
  { key = "lublin", log = "lublin", x = "node MTBF (years)", field = "years", values = paper.years,
    title = "generated, C = 5 min" },
  { key = "cost", log = "lublin", x = "C (s)", field = "cost", values = { 30, 120, 480, 1800 },
    title = "generated, MTBF 1 year" },
  { key = "width", log = "lublin", x = "jobs so many times as wide", field = "width",
    values = { 1, 2, 4 }, title = "generated, C = 5 min, MTBF 1 year" },
}

-- The tests of the aware policy against all others. It was developed on other logs: generated ones
-- of 256 processors and ten days with seeds from 1001 on. Mira's month showed its faults, but none
-- of its numbers was chosen there.
paper.tests = {
  { key = "calm", at = "256 processors, load 0.8, exponential failures", log = "lublin",
    procs = 256, load = 0.8, cost = 120, failures = { mtbf = "1y", repair = "4h" } },
  { key = "rough", at = "512 processors, load 0.9, Weibull's failures, lemons", log = "lublin",
    procs = 512, load = 0.9, cost = 600, failures = { mtbf = "2y", law = "weibull", shape = 0.7,
      repair = "lognormal:4h,1.2", lemons = "0.05:10" } },
  { key = "mira", at = "Mira, June 2019", log = "mira", cost = 300,
    failures = { mtbf = "1y", procs = 32, repair = "4h" } },
}

local FULL = { sets = 30, days = 14, scenarios = 20,
  runs = 1000, shares = { 1e-4, 1e-3, 1e-2, 1e-1 }, multiples = lists.joined(powers(-3, -0.5, 0.5),
    { 2 ^ -0.25, 1, 2 ^ 0.25 }, powers(0.5, 3, 0.5)),
  shapes = { 0.5, 0.7, 1 }, wide_multiples = powers(-4, 2, 0.5), wide_runs = 200,
  hours = { 0.25, 0.5, 1, 2, 4, 8, 16, 32 } }
local QUICK = { sets = 4, days = 3, mira_days = 3, scenarios = 2, runs = 60,
  shares = { 1e-3, 1e-2 }, multiples = powers(-2, 2, 1), shapes = { 0.7, 1 },
  wide_multiples = powers(-2, 1, 1),
  wide_runs = 10, hours = { 1, 4, 16 }, few = true }

function paper.plan(given) return reproduction.plan(given, FULL, QUICK) end

-- The values of a list that a plan takes: the quick one the first and the last.
function paper.taken(plan, values)
  return plan.few and { values[1], values[#values] } or values
end

-- --- logs ---------------------------------------------------------------------------------------

-- width: jobs of the model on a quarter of the processors, `width` times as wide, as many as load
-- this machine.
local function generated(plan, set, procs, load, width)
  local narrow = width and procs // 4 or procs
  local jobs = orrery.lublin { procs = narrow, days = plan.days, week = false, walltimes = "users",
    load = width and load * 4 / width or load, seed = plan.seed, set = set }
  if not width or width == 1 then return jobs end
  local list = {}
  for i = 1, #jobs do
    local job = jobs[i]
    list[i] = { id = job.id, submit = job.submit, procs = job.procs * width, runtime = job.runtime,
      walltime = job.walltime }
  end
  return orrery.jobs(list)
end

-- The fields of orrery.compare that define the jobs.
local function jobs_of(store, log, procs, load, width)
  local plan = store.plan
  if log == "mira" then
    local jobs = orrery.read "sample-2019-06"
    local first = jobs[1].submit
    return { runs = plan.scenarios,
      jobs = plan.mira_days and jobs:between(first, first + plan.mira_days * DAY) or jobs }
  end
  return store:once(("%d %g %s"):format(procs, load, width), function()
    local sets = {}
    for s = 1, plan.sets do
      sets[s] = { name = tostring(s), jobs = generated(plan, s, procs, load, width) }
    end
    return { sets = sets, procs = procs, warmup = DAY }
  end)
end

-- Runs a list of { key =, policy = (as orrery.compare has it) }: the samples of the metrics by key.
local function compare(store, jobs, list, fields, metrics)
  local plan, spec = store.plan, lists.merged(jobs, fields)
  spec.policies, spec.seed, spec.threads = lists.fields(list, "policy"), plan.seed, plan.threads
  spec.walltimes, spec.keep = "log", false
  return cells.by_key(orrery.compare(spec), list, metrics)
end

-- --- one job ------------------------------------------------------------------------------------

-- The periods by Young's and Daly's formulas.
function paper.young(mtbf, cost) return math.sqrt(2 * mtbf * cost) end

function paper.daly(mtbf, cost)
  local x = cost / (2 * mtbf)
  return x < 1 and paper.young(mtbf, cost) * (1 + math.sqrt(x) / 3 + x / 9) - cost or mtbf
end

-- The expected time of one job of w seconds on one node with failures of this rate, repairs of D
-- seconds in which nothing fails, and recoveries of R seconds.
function paper.expected(rate, w, tau, C, R, D)
  local n = math.ceil(w / tau)
  local last = w - (n - 1) * tau
  if n == 1 then return (1 / rate + D) * (math.exp(rate * w) - 1) end
  return (1 / rate + D) * ((math.exp(rate * (tau + C)) - 1) * (1 + (n - 2) * math.exp(rate * R))
    + math.exp(rate * R) * (math.exp(rate * last) - 1))
end

-- The waste that follows, by the period.
function paper.closed(share, tau)
  local node = paper.node
  local C = share * node.mtbf
  return 1 - node.work / paper.expected(1 / node.mtbf, node.work, tau, C, C, 0)
end

local function run_node(store, part)
  local plan, node, makespans = store.plan, paper.node, {}
  local C = part.share * node.mtbf
  for m, multiple in ipairs(plan.multiples) do
    makespans[m] = orrery.compare {
      jobs = orrery.jobs { { id = "job", procs = 1, runtime = node.work } }, procs = 1,
      policies = { "greedy" }, runs = plan.runs, seed = plan.seed, threads = plan.threads,
      node_failures = { mtbf = node.mtbf },
      checkpoint = { cost = C, recovery = C, period = multiple * paper.young(node.mtbf, C) },
    }:values(1, "makespan")
  end
  return makespans
end

local function run_place(store, part)
  local plan, place = store.plan, part.place
  local list = { { id = "job", procs = place.nodes, runtime = place.work,
    submit = place.age or 0 } }
  if place.age then -- the clocks of nodes begin with the first job
    table.insert(list, 1, { id = "first", procs = 1, runtime = 1, submit = 0 })
  end
  local function waste(policy, period)
    return orrery.compare {
      jobs = orrery.jobs(list), procs = place.nodes, policies = { policy }, runs = plan.wide_runs,
      seed = plan.seed, threads = plan.threads,
      node_failures = { mtbf = place.mtbf, law = part.shape ~= 1 and "weibull" or nil,
        shape = part.shape ~= 1 and part.shape or nil },
      checkpoint = { cost = place.cost, recovery = place.cost, period = period },
    }:values(1, "waste")
  end
  local young = paper.young(place.mtbf / place.nodes, place.cost)
  return { multiples = lists.map(plan.wide_multiples, function(multiple)
    return waste("greedy", multiple * young)
  end), seen = waste("checkpoint-aware:know=failures", "young") }
end

-- --- logs under periods -------------------------------------------------------------------------

local LOADS = { lublin = 0.8 }

local function log_jobs(store, log, width)
  return jobs_of(store, log.key, log.procs, LOADS[log.key], width)
end

local function failures_of(log, years)
  return { mtbf_years = years, procs = log.node, repair = "4h" }
end

-- One period for all jobs against Young's period for each, under EASY.
local function run_periods(store, part)
  local plan, log = store.plan, part.log
  local fixed = 600 -- s; with proportional costs, the cost of a job on an eighth of the machine
  local cost = part.cost == "wide" and { times_procs = fixed * 8 / log.procs } or fixed
  local function waste(period)
    return compare(store, log_jobs(store, log), { { key = "easy", policy = "easy" } }, {
      node_failures = failures_of(log, 1),
      checkpoint = { cost = cost, recovery = cost, period = period } }, { "waste" }).easy.waste
  end
  return { young = waste "young",
    hours = lists.map(plan.hours, function(hours) return waste(hours * HOUR) end) }
end

-- The aware policy with another period, in seconds for all jobs, or its own.
local function with_period(seconds)
  local policy = dofile(orrery.home .. "/policies/dispatch/checkpoint-aware.lua") {
    factor = 10, know = "checkpoints" }
  if seconds then policy.period = function() return seconds end end
  return policy
end

paper.habits = {
  heuristic("demand", "on demand alone", { policy = with_period(math.huge), name = "on demand" },
    drawing.RED, 13),
  heuristic("young", "Young's period", { policy = with_period(), name = "Young" }, drawing.BLUE, 7),
  heuristic("hourly", "every hour", { policy = with_period(HOUR), name = "every hour" },
    drawing.ORANGE, 11),
}

local function run_demand(store, part)
  local log = part.log
  return compare(store, log_jobs(store, log), paper.habits, {
    node_failures = failures_of(log, part.years),
    checkpoint = { cost = 300, recovery = 300, period = "young" } }, paper.metrics)
end

-- --- warnings -----------------------------------------------------------------------------------

-- The settings with announced failures: a job on 1024 nodes, and logs. lead: enough for a
-- checkpoint.
paper.announced = {
  { key = "job", at = "one job on 1024 nodes", years = 5, cost = 600 },
  { key = "lublin", at = "generated logs, EASY", years = 1, cost = 300 },
}

local function on_warning(sim, nodes)
  for _, job in ipairs(sim:running_on(nodes)) do
    if job.checkpoint_cost then sim:checkpoint(job) end
  end
end

-- The reactions to failures of which a share `recall` is announced. Aupy, Robert, Vivien and
-- Zaidouni (2014) use a longer period: Young's for the failures that are not announced.
paper.reactions = {
  heuristic("none", "Young's period, no warnings", function() return { dispatch = "easy" } end,
    drawing.BLACK, 7),
  heuristic("young", "Young's period and at warnings", function()
    return { dispatch = "easy", on_warning = on_warning }
  end, drawing.BLUE, 9),
  heuristic("longer", "a longer period and at warnings", function(recall)
    return { dispatch = "easy", on_warning = on_warning, period = function(job)
      local silent = (1 - recall) * job.error_rate
      return silent > 0 and math.sqrt(2 * job.checkpoint_cost / silent) or math.huge
    end }
  end, drawing.GREEN, 11),
  heuristic("demand", "at warnings alone", function()
    return { dispatch = "easy", on_warning = on_warning, period = function() return math.huge end }
  end, drawing.RED, 13),
}

local function run_warned(store, part)
  local plan, place = store.plan, part.place
  local wide, found = paper.places[2], {}
  local jobs = place.key == "lublin" and log_jobs(store, paper.logs[2]) or {
    jobs = orrery.jobs { { id = "job", procs = wide.nodes, runtime = wide.work } },
    procs = wide.nodes, runs = plan.wide_runs }
  for _, reaction in ipairs(paper.reactions) do
    local policy = reaction.policy(part.recall)
    policy.name = reaction.name
    found[reaction.key] = compare(store, jobs, { { key = "it", policy = policy } }, {
      node_failures = { mtbf_years = place.years, repair = place.key == "lublin" and "4h" or nil,
        prediction = { recall = part.recall, precision = part.precision,
          lead = place.cost + 60 } },
      checkpoint = { cost = place.cost, recovery = place.cost, period = "young" } },
      { "waste" }).it.waste
  end
  return found
end

-- --- schedulers ---------------------------------------------------------------------------------

local function run_axis(store, part)
  local axis, value = part.axis, part.value
  local log = axis.log == "mira" and paper.logs[1] or paper.logs[2]
  local cost = axis.field == "cost" and value or 300
  return compare(store, log_jobs(store, log, axis.field == "width" and value or nil),
    paper.policies, { node_failures = failures_of(log, axis.field == "years" and value or 1),
      checkpoint = { cost = cost, recovery = cost, period = "young" } }, paper.metrics)
end

-- Every shipped policy that decides on such jobs, an order of the queue under EASY; and the aware
-- one without all or a part of its knowledge.
paper.blanked = {
  { name = "aware of nothing", policy = "checkpoint-aware:know=nothing" },
  { name = "aware of failures", policy = "checkpoint-aware:know=failures" },
  { name = "aware of checkpoints", policy = "checkpoint-aware:know=checkpoints" },
}
paper.aware = { name = "checkpoint-aware", policy = "checkpoint-aware" }

-- Policies left out: those that need a log with starts, those that estimate jobs, which is refused
-- for jobs that write checkpoints, and those that divide the machine, which some jobs need whole.
local LEFT_OUT = { ["dispatch/recorded"] = true, ["dispatch/likely-short"] = true,
  ["dispatch/partitions"] = true, ["redirect/threshold"] = true,
  ["dispatch/checkpoint-aware"] = true }

function paper.others()
  local list = {}
  for _, policy in ipairs(orrery.policies()) do
    local is_shipped = policy.path:find(orrery.home, 1, true) == 1
    local short = policy.name:match "/(.+)$"
    if is_shipped and policy.kind == "dispatch" and not LEFT_OUT[policy.name] then
      list[#list + 1] = { name = short, policy = policy.name }
    elseif is_shipped and policy.kind == "priority" then
      list[#list + 1] = { name = "easy + " .. short, policy = "easy", priority = policy.name }
    end
  end
  return list
end

-- All that is compared in a test, the aware one first.
function paper.compared() return lists.joined({ paper.aware }, paper.blanked, paper.others()) end

local function run_test(store, part)
  local test = part.test
  local list = lists.map(paper.compared(), function(one)
    return { key = one.name, policy = one }
  end)
  return compare(store, jobs_of(store, test.log, test.procs, test.load), list, {
    node_failures = test.failures,
    checkpoint = { cost = test.cost, recovery = test.cost, period = "young" } },
    { "bsld_mean", "wait_mean", "wait_max", "waste" })
end

-- --- the store ----------------------------------------------------------------------------------

local Store = cells.class()
paper.Store = Store

-- The number of simulations: `each` for every sample of a log.
local function on_log(log, each)
  return function(store)
    return each * (log == "mira" and store.plan.scenarios or store.plan.sets)
  end
end

local NEEDS = {}

function NEEDS.waste(store)
  for _, share in ipairs(store.plan.shares) do
    store:ask("waste", ("node %g"):format(share), { share = share, compute = run_node,
      steps = function(self) return #self.plan.multiples * self.plan.runs end })
  end
end

function NEEDS.weibull(store)
  for _, place in ipairs(paper.places) do
    for _, shape in ipairs(store.plan.shapes) do
      store:ask("weibull", ("%s %g"):format(place.key, shape), { place = place, shape = shape,
        compute = run_place, steps = function(self)
          return (#self.plan.wide_multiples + 1) * self.plan.wide_runs
        end })
    end
  end
end

function NEEDS.periods(store)
  for _, log in ipairs(paper.logs) do
    for _, cost in ipairs(paper.costs) do
      store:ask("periods", ("periods %s %s"):format(log.key, cost.key), { log = log,
        cost = cost.key, compute = run_periods, steps = on_log(log.key, #store.plan.hours + 1) })
    end
  end
end

function NEEDS.demand(store)
  for _, log in ipairs(paper.logs) do
    for _, years in ipairs(paper.taken(store.plan, paper.years)) do
      store:ask("demand", ("demand %s %g"):format(log.key, years), { log = log, years = years,
        compute = run_demand, steps = on_log(log.key, #paper.habits) })
    end
  end
end

function NEEDS.warnings(store)
  local plan = store.plan
  for _, place in ipairs(paper.announced) do
    for _, recall in ipairs(paper.taken(plan, paper.recalls)) do
      for _, precision in ipairs(paper.precisions) do
        store:ask("warnings", ("warned %s %g %g"):format(place.key, recall, precision), {
          place = place, recall = recall, precision = precision, compute = run_warned,
          steps = function(self)
            return #paper.reactions
              * (place.key == "job" and self.plan.wide_runs or self.plan.sets)
          end })
      end
    end
  end
end

function NEEDS.policies(store)
  for _, axis in ipairs(paper.axes) do
    for _, value in ipairs(paper.taken(store.plan, axis.values)) do
      store:ask("policies", ("%s %g"):format(axis.key, value), { axis = axis, value = value,
        compute = run_axis, steps = on_log(axis.log, #paper.policies) })
    end
  end
end

function NEEDS.aware(store)
  for _, test in ipairs(paper.tests) do
    store:ask("aware", "test " .. test.key, { test = test, compute = run_test,
      steps = on_log(test.log, #paper.compared()) })
  end
end

function Store:need(name) NEEDS[name](self) end

-- Waste of each scenario of the job on one node: 1 - work / time. Nil where it was not simulated.
function Store:node_waste(share)
  local found = self.results[("node %g"):format(share)]
  return found and lists.map(found, function(makespans)
    return lists.map(makespans, function(time) return 1 - paper.node.work / time end)
  end)
end

function Store:place(place, shape) return self.results[("%s %g"):format(place.key, shape)] end

function Store:periods(log, cost)
  return self.results[("periods %s %s"):format(log.key, cost.key)]
end

function Store:demand(log, years, habit, metric)
  return self:found(("demand %s %g"):format(log.key, years), habit, metric)
end

function Store:warned(place, recall, precision, reaction)
  return self:found(("warned %s %g %g"):format(place.key, recall, precision), reaction)
end

function Store:axis(axis, value, policy, metric)
  return self:found(("%s %g"):format(axis.key, value), policy, metric)
end

function Store:test(test, name, metric)
  return self:found("test " .. test.key, name, metric)
end

return paper
