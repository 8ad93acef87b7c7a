-- plan: the simulations of section IV of the paper, and one number per week.
--
-- The baseline of an alpha is EASY on the machine and the processors of its redirection group
-- together. EASY on the machine alone is simulated, too. The independent samples are the weeks:
-- each is simulated by itself, from an empty machine, as the paper does.
local cells = require "orrery.command.cells"
local command = require "orrery.command.command"
local lists = require "orrery.support.lists"
local log_options = require "orrery.command.log_options"
local orrery = require "orrery"
local parts = require "orrery.values.parts"
local reproduction = require "orrery.command.reproduction"

local paper = {}

paper.thetas = { 1, 2, 5, 10, 15, 25, 50, 100, 125 }
paper.alphas = { 0.10, 0.15, 0.20, 0.25 }

local FULL = { thetas = paper.thetas, alphas = paper.alphas, weeks = 20 }
local QUICK = { thetas = { 1, 10, 125 }, alphas = { 0.10, 0.15 }, weeks = 3 }

-- Generated logs. widest: the jobs are made by the model for a machine of `widest` processors, with
-- more jobs so that they load this machine; otherwise they are up to as wide as the machine.
local GENERATED = {
  { name = "generated-wide", procs = 256, types = "both",
    about = "batch and interactive jobs, up to the whole machine" },
  { name = "generated-narrow", procs = 1024, widest = 128, types = "whole",
    about = "one kind of jobs, up to an eighth of the machine" },
  { name = "generated-narrow-2", procs = 1024, widest = 128, types = "both",
    about = "batch and interactive jobs, up to an eighth of the machine" },
}

-- The pair of parameters that the paper names.
paper.example = { alpha = 0.15, theta = 10 }

local GENERATED_LOAD = 0.85

-- The jobs submitted in a week may need more than the machine has. A log's own utilisation is never
-- above 1; weeks that need much more are another experiment.
local MOST = 1.1

-- --- weeks --------------------------------------------------------------------------------------

-- The simulated weeks, and the number of whole weeks: { name =, jobs =, share = (of the machine,
-- needed by its jobs), factor = (by which submissions are faster) }. The submitted work counts, not
-- the work that ran: the latter includes jobs of the week before, but here a week begins with an
-- empty machine. The jobs of a week that needs too little come faster, where `raise` allows it.
local function weeks_of(jobs, procs, plan, raise, most)
  local list, all = {}, jobs:weeks { procs = procs, by = "submitted" }
  if parts.partial(jobs, 168 * 3600) then table.remove(all) end
  for _, week in ipairs(all) do
    local factor = math.max(1, plan.utilisation / week.utilisation)
    if factor <= raise and week.utilisation <= MOST and #list < most then
      list[#list + 1] = { name = tostring(week.week), share = week.utilisation * factor,
        jobs = factor > 1 and week.jobs:load(factor) or week.jobs, factor = factor }
    end
  end
  return list, #all
end

-- --- systems ------------------------------------------------------------------------------------

-- The paper's logs: for a log whose name has the key, the range of thresholds with the best mean
-- (V-A), and the gain (V-B).
paper.CLUSTERS = {
  { key = "curie", name = "Curie", from = 10, to = 50, gain = 0.1 },
  { key = "intrepid", name = "Intrepid", from = 5, to = 15, gain = 0.2 },
  { key = "ricc", name = "RICC", from = 5, to = 25, gain = 0.4 },
}

local function cluster_of(name)
  for _, one in ipairs(paper.CLUSTERS) do
    if name:lower():find(one.key, 1, true) then return one.key end
  end
end

local function base_name(path)
  return (path:match "([^/]+)$":gsub("%.gz$", ""):gsub("%.%w+$", ""))
end

local function from_log(path, name, plan)
  local log = log_options.log { log = path }
  local system = { name = name, procs = log.machine_procs, cluster = cluster_of(name) }
  if not system.procs then
    command.fail("%s does not say how many processors the machine has", path)
  end
  system.weeks, system.all_weeks = weeks_of(log, system.procs, plan, plan.raise, math.huge)
  if #system.weeks > 0 then return system end
  command.fail("%s: of its %d weeks none needs from %g to %g of the %d processors; --utilisation "
    .. "may be lower, --raise higher", path, system.all_weeks, plan.utilisation, MOST, system.procs)
end

-- Some weeks need too little or too much: the log is made up to four times as long as expected.
local function generated(one, number, plan)
  local system = { name = one.name, procs = one.procs, about = one.about }
  local widest = one.widest or one.procs
  local weeks = 3 * plan.weeks + 10
  repeat
    local jobs = orrery.lublin { procs = widest, types = one.types, days = 7 * weeks,
      load = GENERATED_LOAD * one.procs / widest, seed = plan.seed, set = number }
    system.weeks, system.all_weeks = weeks_of(jobs, one.procs, plan, 1, plan.weeks)
    weeks = 2 * weeks
  until #system.weeks == plan.weeks or weeks > 24 * plan.weeks
  if #system.weeks > 0 then return system end
  command.fail("no generated week needs from %g to %g of the machine; --utilisation may be lower",
    plan.utilisation, MOST)
end

-- Two logs may be files of one name in two folders.
local function name_apart(systems)
  local seen = {}
  for _, system in ipairs(systems) do
    local name = system.name
    seen[name] = (seen[name] or 0) + 1
    if seen[name] > 1 then system.name = ("%s (%d)"):format(name, seen[name]) end
  end
end

-- Everything that is fixed before the first simulation, from the options: seed, threads, weeks,
-- utilisation, raise, thetas, alphas and
--   given_logs  the number of logs given by the user
--   systems     list of { name =, procs =, weeks =, all_weeks = (how many there are, taken or not),
--               about = (what a generated one is), cluster = (key of CLUSTERS, or nil) }
function paper.plan(given)
  local plan = reproduction.plan(given, FULL, QUICK)
  plan.raise, plan.utilisation, plan.weeks = given.raise, given.utilisation, given.weeks
  plan.systems = {}
  local logs = lists.joined(given.log, lists.map(given.logs, function(path)
    return { name = base_name(path), path = path }
  end))
  plan.given_logs = #logs
  if #logs == 0 then
    local path = orrery.home .. "/data/mira/sample-2019-06.csv"
    logs = { { name = base_name(path), path = path } }
  end
  for i, one in ipairs(logs) do plan.systems[i] = from_log(one.path, one.name, plan) end
  name_apart(plan.systems)
  for i, one in ipairs(given.no_generated and {} or GENERATED) do
    if not given.quick or i == 1 then
      plan.systems[#plan.systems + 1] = generated(one, i, plan)
    end
  end
  return plan
end

-- Processors of the redirection group.
function paper.more(alpha, procs) return math.floor(alpha * procs + 0.5) end

-- --- simulations ---------------------------------------------------------------------------------

local Store = cells.class()
paper.Store = Store

local POLICY = "redirect/threshold"

local METRICS = { "bsld_mean", "bsld_max", "wait_mean", "utilisation", "redirected" }

-- filter: "walltime" for line 3 of Algorithm 2 as printed; otherwise by processors, as in the text.
local function alpha_id(system, alpha, filter)
  return ("%s alpha=%g%s"):format(system.name, alpha, filter and " " .. filter or "")
end

-- The numbers of all weeks: the metrics above, each a list; theta nil: of the baseline. nil where
-- they were not computed.
function Store:get(system, alpha, theta, filter)
  return self:found(alpha_id(system, alpha, filter), theta or 0)
end

-- The numbers of EASY on the machine alone.
function Store:get_alone(system) return self.results[system.name .. " alone"] end

-- For every week 1 if the job with the largest bounded slowdown was redirected, else 0; nil where
-- this was not simulated.
function Store:worst_is_redirected(system) return self.results[system.name .. " example"] end

-- Redirection over the baseline, week by week. metric: "bsld_mean" or "bsld_max".
function Store:ratios(system, alpha, theta, metric, filter)
  local with = self:get(system, alpha, theta, filter)
  return with and cells.divided(with[metric], self:get(system, alpha)[metric])
end

-- The share of all jobs that were redirected, over all weeks.
function paper.redirected(store, system, alpha, theta, filter)
  local count, jobs = 0, 0
  for w, redirected in ipairs(store:get(system, alpha, theta, filter).redirected) do
    count, jobs = count + redirected, jobs + #system.weeks[w].jobs
  end
  return count / jobs
end

local function compare(plan, system, procs, policies)
  local sets = lists.map(system.weeks, function(week)
    return { name = week.name, jobs = week.jobs }
  end)
  return orrery.compare { sets = sets, procs = procs, policies = policies, seed = plan.seed,
    threads = plan.threads, keep = false }
end

-- One alpha of one system, all thetas.
local function run_redirection(self, part)
  local plan, system = self.plan, part.system
  local with = compare(plan, system, system.procs, lists.map(plan.thetas, function(theta)
    return { policy = POLICY, name = ("theta=%d"):format(theta),
      options = { alpha = part.alpha, theta = theta, filter = part.filter } }
  end))
  local found = {}
  for i, theta in ipairs(plan.thetas) do found[theta] = cells.values(with, i, METRICS) end
  return found
end

-- One alpha, and its baseline.
local function run_alpha(self, part)
  local plan, system, alpha = self.plan, part.system, part.alpha
  local without = compare(plan, system, system.procs + paper.more(alpha, system.procs),
    { "dispatch/easy" })
  return lists.merged(run_redirection(self, part), { [0] = cells.values(without, 1, METRICS) })
end

local function run_alone(self, part)
  local system = part.system
  return cells.values(compare(self.plan, system, system.procs, { "dispatch/easy" }), 1, METRICS)
end

-- The largest bounded slowdown of a finished session and the position of its job; and the set of
-- positions that were redirected.
local function look_at(session)
  local last, redirected, most, worst = {}, {}, -math.huge, nil
  for _, attempt in ipairs(session:schedule()) do
    if attempt.outcome == "preempted" then redirected[attempt.position] = true end
    last[attempt.position] = attempt.finish
  end
  for position, job in session.jobs:each() do
    local bsld = math.max((last[position] - job.submit) / math.max(job.runtime, 60), 1)
    if bsld > most then most, worst = bsld, position end
  end
  return most, worst, redirected
end

local function run_example(self, part)
  local system, alpha, theta = part.system, paper.example.alpha, paper.example.theta
  local found, worst = self:get(system, alpha, theta).bsld_max, {}
  for w, week in ipairs(system.weeks) do
    local session = orrery.session { jobs = week.jobs, procs = system.procs, policy = POLICY,
      options = paper.example, seed = self.plan.seed }
    session:finish()
    local most, position, redirected = look_at(session)
    assert(math.abs(most / found[w] - 1) < 1e-9, "the session is another simulation")
    worst[w] = redirected[position] and 1 or 0
  end
  return worst
end

local function has_example(self)
  local alphas, thetas = {}, {}
  for _, alpha in ipairs(self.plan.alphas) do alphas[alpha] = true end
  for _, theta in ipairs(self.plan.thetas) do thetas[theta] = true end
  return alphas[paper.example.alpha] and thetas[paper.example.theta]
end

-- Asks for everything that all figures show, and for figure "filter" for more.
function Store:need(figure)
  local plan, example = self.plan, has_example(self)
  for _, system in ipairs(plan.systems) do
    local function ask(id, each, compute, alpha, filter)
      self:ask(figure, id, { system = system, alpha = alpha, filter = filter, compute = compute,
        row = { system = system.name }, steps = function() return #system.weeks * each end })
    end
    for _, alpha in ipairs(plan.alphas) do
      ask(alpha_id(system, alpha), #plan.thetas + 1, run_alpha, alpha)
      if figure == "filter" then
        ask(alpha_id(system, alpha, "walltime"), #plan.thetas, run_redirection, alpha, "walltime")
      end
    end
    ask(system.name .. " alone", 1, run_alone)
    if example then ask(system.name .. " example", 1, run_example) end
  end
end

return paper
