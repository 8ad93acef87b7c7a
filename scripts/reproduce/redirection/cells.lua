-- cells: what was simulated, one number per week.
--
-- The baseline of an alpha is EASY on the machine and the processors of its redirection group
-- together. EASY on the machine alone is simulated, too. The independent samples are the weeks:
-- each is simulated by itself, from an empty machine, as the paper does.
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local paper = require "orrery.reproduce.redirection.plan"

local cells = {}

local Store = {}
Store.__index = Store

local POLICY = "redirect/threshold"

local METRICS = { "bsld_mean", "bsld_max", "wait_mean", "utilisation", "redirected" }

function cells.new(plan)
  return setmetatable({ plan = plan, results = {}, alone = {}, worst = {} }, Store)
end

-- The numbers of all weeks: the metrics above, each a list; theta nil: of the baseline.
function Store:get(system, alpha, theta)
  return self.results[system.name][alpha][theta or 0]
end

-- The same of EASY on the machine alone.
function Store:get_alone(system) return self.alone[system.name] end

-- For every week 1 where the job with the largest bounded slowdown was redirected, else 0; nil
-- where that was not simulated.
function Store:worst_is_redirected(system) return self.worst[system.name] end

-- Redirection over the baseline, week by week. metric: "bsld_mean" or "bsld_max".
function Store:ratios(system, alpha, theta, metric)
  local base, list = self:get(system, alpha)[metric], {}
  for w, value in ipairs(self:get(system, alpha, theta)[metric]) do list[w] = value / base[w] end
  return list
end

local function numbers_of(result, i)
  local numbers = {}
  for _, metric in ipairs(METRICS) do numbers[metric] = result:values(i, metric) end
  return numbers
end

local function compare(plan, system, procs, policies)
  local sets = {}
  for w, week in ipairs(system.weeks) do sets[w] = { name = week.name, jobs = week.jobs } end
  return orrery.compare { sets = sets, procs = procs, policies = policies, seed = plan.seed,
    threads = plan.threads, keep = false }
end

-- One alpha of one system, all thetas.
local function run_alpha(self, system, alpha)
  local plan, policies = self.plan, {}
  for i, theta in ipairs(plan.thetas) do
    policies[i] = { policy = POLICY, options = { alpha = alpha, theta = theta },
      name = ("theta=%d"):format(theta) }
  end
  local with = compare(plan, system, system.procs, policies)
  local without = compare(plan, system, system.procs + paper.more(alpha, system.procs),
    { "dispatch/easy" })
  local found = { [0] = numbers_of(without, 1) }
  for i, theta in ipairs(plan.thetas) do found[theta] = numbers_of(with, i) end
  return found
end

local function run_alone(self, system)
  return numbers_of(compare(self.plan, system, system.procs, { "dispatch/easy" }), 1)
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
    local bsld = math.max((last[position] - job.submit) / math.max(job.time, 60), 1)
    if bsld > most then most, worst = bsld, position end
  end
  return most, worst, redirected
end

local function run_example(self, system)
  local alpha, theta = paper.example.alpha, paper.example.theta
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

-- Simulates everything.
function Store:run()
  local plan, total = self.plan, 0
  local example = has_example(self)
  for _, system in ipairs(plan.systems) do
    local each = #plan.alphas * (#plan.thetas + 1) + (example and 2 or 1)
    total = total + #system.weeks * each
  end
  self.clock = reproduction.clock(plan.given, total)
  for _, system in ipairs(plan.systems) do
    self.results[system.name] = {}
    for _, alpha in ipairs(plan.alphas) do
      local simulations = #system.weeks * (#plan.thetas + 1)
      self.results[system.name][alpha] = self.clock:run(system.name, simulations,
        ("%s alpha=%g"):format(system.name, alpha), run_alpha, self, system, alpha)
    end
    self.alone[system.name] = self.clock:run(system.name, #system.weeks, system.name .. " alone",
      run_alone, self, system)
    if example then
      self.worst[system.name] = self.clock:run(system.name, #system.weeks,
        system.name .. " example", run_example, self, system)
    end
  end
  self.clock.done()
end

-- How long it took: a list of { system =, simulations =, cpu_seconds =, seconds = }.
function Store:times()
  local times = {}
  for i, one in ipairs(self.clock.order) do
    times[i] = { system = one.key, simulations = one.steps, cpu_seconds = one.cpu,
      seconds = math.tointeger(one.wall) }
  end
  return times
end

return cells
