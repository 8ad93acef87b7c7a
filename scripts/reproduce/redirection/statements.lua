-- statements: what section V of the paper says, as comparisons of numbers.
--
-- Samples are ratios week by week, redirection over EASY with the same processors; below 1
-- redirection is better. (Section V-B and the caption of figure 2 call the ratio the other way
-- round, while the axis and "lower is better" are as here.) Where a statement is about the best
-- parameters, they are chosen for every week on the other weeks alone: the best of 36 on the weeks
-- that are then looked at would be better by chance.
local orrery = require "orrery"
local verdict = require "orrery.command.verdict"

local figures = require "orrery.reproduce.redirection.figures"
local paper = require "orrery.reproduce.redirection.plan"

local statements = {}

local MODERATE_FROM, MODERATE_TO = 5, 50 -- thresholds that are best for one of the paper's logs

local function mean(samples) return orrery.summary(samples).mean end

-- --- the best parameters ------------------------------------------------------------------------

local function pairs_of(plan)
  local list = {}
  for _, alpha in ipairs(plan.alphas) do
    for _, theta in ipairs(plan.thetas) do list[#list + 1] = { alpha = alpha, theta = theta } end
  end
  return list
end

-- Sums of log ratios over all weeks but one.
local function without(samples, left_out)
  local sum = 0
  for w, x in ipairs(samples) do
    if w ~= left_out then sum = sum + math.log(x) end
  end
  return sum
end

-- For every week the ratios (mean and maximum) of the pair that is best on the other weeks, and
-- that pair: three lists.
function statements.chosen_elsewhere(store, plan, system)
  local list = pairs_of(plan)
  for _, pair in ipairs(list) do
    pair.mean = store:ratios(system, pair.alpha, pair.theta, "bsld_mean")
    pair.max = store:ratios(system, pair.alpha, pair.theta, "bsld_max")
  end
  local means, maxima, chosen = {}, {}, {}
  for w = 1, #system.weeks do
    local best, least
    for _, pair in ipairs(list) do
      local sum = without(pair.mean, w)
      if not least or sum < least then best, least = pair, sum end
    end
    means[w], maxima[w], chosen[w] = best.mean[w], best.max[w], best
  end
  return means, maxima, chosen
end

-- The pair whose larger one of the two mean ratios is least, on all weeks.
function statements.best_for_both(store, plan, system)
  local best, least
  for _, pair in ipairs(pairs_of(plan)) do
    pair.mean = store:ratios(system, pair.alpha, pair.theta, "bsld_mean")
    pair.max = store:ratios(system, pair.alpha, pair.theta, "bsld_max")
    local both = math.max(mean(pair.mean), mean(pair.max))
    if not least or both < least then best, least = pair, both end
  end
  return best
end

-- Of some thresholds that with the least mean ratio; nil where there is none.
local function best_theta(store, system, alpha, thetas)
  local best, least
  for _, theta in ipairs(thetas) do
    local samples = store:ratios(system, alpha, theta, "bsld_mean")
    if not least or mean(samples) < least then best, least = theta, mean(samples) end
  end
  return best
end

local function split(plan)
  local moderate, extreme = {}, {}
  for _, theta in ipairs(plan.thetas) do
    local list = theta >= MODERATE_FROM and theta <= MODERATE_TO and moderate or extreme
    list[#list + 1] = theta
  end
  return moderate, extreme
end

-- --- the statements -----------------------------------------------------------------------------

local Context = {}
Context.__index = Context

-- Samples of the ratio of a metric.
function Context:mean(system, alpha, theta)
  return self.store:ratios(system, alpha, theta, "bsld_mean")
end

function Context:max(system, alpha, theta)
  return self.store:ratios(system, alpha, theta, "bsld_max")
end

local function at(system, alpha, theta)
  return ("%s, α = %.2f, θ = %d"):format(system.name, alpha, theta)
end

-- The parts that f(add, system) adds for every log, as a statement of which all must hold; each
-- part knows its `system`.
function Context:all(title, where, f)
  local parts = {}
  for _, system in ipairs(self.plan.systems) do
    f(function(part)
      part.system = system.name
      parts[#parts + 1] = part
    end, system)
  end
  return verdict.all(title, where, parts)
end

function Context:moderate_is_best()
  local moderate, extreme = split(self.plan)
  return self:all("The best threshold for the mean lies between 5 and 50", "V-A, figure 1",
    function(add, system)
      for _, alpha in ipairs(self.plan.alphas) do
        local a = best_theta(self.store, system, alpha, moderate)
        local b = best_theta(self.store, system, alpha, extreme)
        add(verdict.no_more(("%s less θ = %d"):format(at(system, alpha, a), b),
          self:mean(system, alpha, a), self:mean(system, alpha, b)))
      end
    end)
end

-- The first and the last alpha.
function Context:ends()
  return self.plan.alphas[1], self.plan.alphas[#self.plan.alphas]
end

function Context:small_needs_processors()
  local least, most = self:ends()
  local theta = self.plan.thetas[1]
  return self:all(("A small threshold overloads a small redirection group (here: with θ = %d the "
    .. "mean over that of EASY is less with α = %.2f than with %.2f)"):format(theta, most, least),
    "V-A, figure 1", function(add, system)
      add(verdict.less(("%s less α = %.2f"):format(at(system, most, theta), least),
        self:mean(system, most, theta), self:mean(system, least, theta)))
    end)
end

function Context:processors_help_maximum()
  local least, most = self:ends()
  return self:all(("More redirection processors help the longest waits (the paper: the largest "
    .. "flow time; here: the maximum over that of EASY with θ = 10 is less with α = %.2f than with "
    .. "%.2f)"):format(most, least), "V-A", function(add, system)
      add(verdict.less(("%s: maximum less that of α = %.2f"):format(at(system, most, 10), least),
        self:max(system, most, 10), self:max(system, least, 10)))
    end)
end

function Context:high_hardly_redirects()
  local theta = self.plan.thetas[#self.plan.thetas]
  return self:all(("A high threshold hardly ever redirects (here: with θ = %d fewer than 0.5%% of "
    .. "the jobs)"):format(theta), "V-A", function(add, system)
      for _, alpha in ipairs(self.plan.alphas) do
        add(verdict.known(at(system, alpha, theta) .. ": share of redirected jobs",
          figures.redirected(self.store, system, alpha, theta), "<", 0.005))
      end
    end)
end

-- share: 0 for any improvement.
function Context:improves_mean(share)
  local title = "With good parameters the mean is better than with EASY"
  if share > 0 then title = title .. (" by %g%% or more"):format(100 * share) end
  return self:all(title, "V-B, figure 2", function(add, system)
    local means = statements.chosen_elsewhere(self.store, self.plan, system)
    add(verdict.part(system.name .. ": mean, best parameters of the other weeks", means, "<",
      1 - share))
  end)
end

function Context:maximum_gains_less()
  return self:all("The maximum gains less than the mean", "V-B, figure 2", function(add, system)
    local means, maxima = statements.chosen_elsewhere(self.store, self.plan, system)
    add(verdict.less(system.name .. ": ratio of the mean less that of the maximum", means, maxima))
  end)
end

function Context:maximum_is_unharmed()
  return self:all("The maximum is not harmed (here: no worse than with EASY in the mean, with "
    .. "parameters that are good for the mean)", "VI", function(add, system)
      local _, maxima = statements.chosen_elsewhere(self.store, self.plan, system)
      add(verdict.part(system.name .. ": maximum, best parameters of the other weeks", maxima, "<=",
        1))
    end)
end

local function add_both(add, label, means, maxima)
  add(verdict.part(label .. ": mean", means, "<", 1))
  add(verdict.part(label .. ": maximum", maxima, "<", 1))
end

function Context:both_improve()
  local one = self:all("For every log there are parameters with which both improve", "V-B",
    function(add, system)
      local pair = statements.best_for_both(self.store, self.plan, system)
      add_both(add, at(system, pair.alpha, pair.theta), pair.mean, pair.max)
    end)
  one.note = "The parameters are the best on these very weeks: of as many pairs that change "
    .. "nothing one would look good by chance, too."
  return one
end

function Context:example_improves()
  local alpha, theta = paper.example.alpha, paper.example.theta
  local title = "α = %.2f and θ = %d improve both (the paper's example, for Curie)"
  return self:all(title:format(alpha, theta), "V-B", function(add, system)
    add_both(add, at(system, alpha, theta), self:mean(system, alpha, theta),
      self:max(system, alpha, theta))
  end)
end

function Context:worst_is_redirected()
  return self:all("The job with the largest slowdown tends to be a redirected one (here: in more "
    .. "than half of the weeks, with the example's parameters)", "V-B", function(add, system)
      add(verdict.part(system.name .. ": share of weeks", self.store:worst_is_redirected(system),
        ">", 0.5))
    end)
end

-- For every week the mean with the pair that is best on the other weeks, over that of EASY on the
-- machine alone.
local function over_alone(store, plan, system)
  local alone, list = store:get_alone(system).bsld_mean, {}
  local _, _, chosen = statements.chosen_elsewhere(store, plan, system)
  for w, pair in ipairs(chosen) do
    list[w] = store:get(system, pair.alpha, pair.theta).bsld_mean[w] / alone[w]
  end
  return list
end

function Context:is_better_than_alone()
  return self:all("Redirection with its processors is better than EASY on the machine alone (here: "
    .. "the mean, with the parameters that are best on the other weeks)", "explanation",
    function(add, system)
      add(verdict.part(system.name .. ": mean over that of EASY without more processors",
        over_alone(self.store, self.plan, system), "<", 1))
    end)
end

-- All of them, judged; what is about parameters that were not simulated is left out.
function statements.of(store, plan)
  local c = setmetatable({ store = store, plan = plan }, Context)
  local list = { c:moderate_is_best(), c:small_needs_processors(), c:processors_help_maximum(),
    c:high_hardly_redirects(), c:improves_mean(0), c:improves_mean(0.1), c:maximum_gains_less(),
    c:maximum_is_unharmed(), c:both_improve() }
  if store:worst_is_redirected(plan.systems[1]) then
    list[#list + 1] = c:example_improves()
    list[#list + 1] = c:worst_is_redirected()
  end
  list[#list + 1] = c:is_better_than_alone()
  return list
end

return statements
