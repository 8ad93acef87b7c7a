-- cells: what was simulated, one number per week.
--
-- The baseline of an alpha is EASY on the machine and the processors of its redirection group
-- together. EASY on the machine alone is simulated, too. The independent samples are the weeks:
-- each is simulated by itself, from an empty machine, as the paper does.
local orrery = require "orrery"
local shared = require "orrery.command.cells"

local paper = require "orrery.reproduce.redirection.plan"

local cells = {}

local Store = shared.class()

local POLICY = "redirect/threshold"

local METRICS = { "bsld_mean", "bsld_max", "wait_mean", "utilisation", "redirected" }

function cells.new(plan) return shared.new(Store, plan) end

local function alpha_id(system, alpha) return ("%s alpha=%g"):format(system.name, alpha) end

-- The numbers of all weeks: the metrics above, each a list; theta nil: of the baseline.
function Store:get(system, alpha, theta)
  return self.results[alpha_id(system, alpha)][theta or 0]
end

-- The same of EASY on the machine alone.
function Store:get_alone(system) return self.results[system.name .. " alone"] end

-- For every week 1 where the job with the largest bounded slowdown was redirected, else 0; nil
-- where that was not simulated.
function Store:worst_is_redirected(system) return self.results[system.name .. " example"] end

-- Redirection over the baseline, week by week. metric: "bsld_mean" or "bsld_max".
function Store:ratios(system, alpha, theta, metric)
  return shared.divided(self:get(system, alpha, theta)[metric], self:get(system, alpha)[metric])
end

local function compare(plan, system, procs, policies)
  local sets = {}
  for w, week in ipairs(system.weeks) do sets[w] = { name = week.name, jobs = week.jobs } end
  return orrery.compare { sets = sets, procs = procs, policies = policies, seed = plan.seed,
    threads = plan.threads, keep = false }
end

-- One alpha of one system, all thetas.
local function run_alpha(self, part)
  local plan, system, alpha, policies = self.plan, part.system, part.alpha, {}
  for i, theta in ipairs(plan.thetas) do
    policies[i] = { policy = POLICY, options = { alpha = alpha, theta = theta },
      name = ("theta=%d"):format(theta) }
  end
  local with = compare(plan, system, system.procs, policies)
  local without = compare(plan, system, system.procs + paper.more(alpha, system.procs),
    { "dispatch/easy" })
  local found = { [0] = shared.values(without, 1, METRICS) }
  for i, theta in ipairs(plan.thetas) do found[theta] = shared.values(with, i, METRICS) end
  return found
end

local function run_alone(self, part)
  local system = part.system
  return shared.values(compare(self.plan, system, system.procs, { "dispatch/easy" }), 1, METRICS)
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

-- Asks for everything: both figures show all of it.
function Store:need(figure)
  local plan, example = self.plan, has_example(self)
  for _, system in ipairs(plan.systems) do
    local function ask(id, each, compute, alpha)
      self:ask(figure, id, { system = system, alpha = alpha, compute = compute,
        row = { system = system.name }, steps = function() return #system.weeks * each end })
    end
    for _, alpha in ipairs(plan.alphas) do
      ask(alpha_id(system, alpha), #plan.thetas + 1, run_alpha, alpha)
    end
    ask(system.name .. " alone", 1, run_alone)
    if example then ask(system.name .. " example", 1, run_example) end
  end
end

return cells
