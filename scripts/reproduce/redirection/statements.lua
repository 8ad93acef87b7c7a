-- statements: the statements of section V of the paper, as comparisons of numbers.
--
-- Samples are ratios week by week, redirection divided by EASY with the same processors; below 1
-- redirection is better. They are judged by their geometric means (see verdict.ratio). (Section V-B
-- and the caption of figure 2 give the inverse ratio, while the axis and "lower is better" are as
-- here.) Where a statement is about the best parameters, they are chosen for every week on the
-- other weeks alone: the best of 36 on the evaluated weeks would be better by chance.
local cells = require "orrery.command.cells"
local lists = require "orrery.support.lists"
local verdict = require "orrery.command.verdict"

local paper = require "orrery.reproduce.redirection.plan"

local statements = {}

local MODERATE_FROM, MODERATE_TO = 5, 50 -- thresholds that are best for one of the paper's logs

-- --- the best parameters ------------------------------------------------------------------------

-- All pairs { alpha =, theta =, mean =, max = }, with the ratios of a log.
local function pairs_of(store, plan, system)
  local list = {}
  for _, alpha in ipairs(plan.alphas) do
    for _, theta in ipairs(plan.thetas) do
      list[#list + 1] = { alpha = alpha, theta = theta,
        mean = store:ratios(system, alpha, theta, "bsld_mean"),
        max = store:ratios(system, alpha, theta, "bsld_max") }
    end
  end
  return list
end

-- Sums of log ratios over all weeks, but one if it is left out.
local function log_sum(samples, left_out)
  local sum = 0
  for w, x in ipairs(samples) do
    if w ~= left_out then sum = sum + math.log(x) end
  end
  return sum
end

-- For every week the ratios (mean and maximum) of the pair that is best on the other weeks, and
-- this pair: three lists.
function statements.chosen_elsewhere(store, plan, system)
  local list, means, maxima, chosen = pairs_of(store, plan, system), {}, {}, {}
  for w = 1, #system.weeks do
    local best = lists.least(list, function(pair) return log_sum(pair.mean, w) end)
    means[w], maxima[w], chosen[w] = best.mean[w], best.max[w], best
  end
  return means, maxima, chosen
end

-- The pair whose larger geometric mean ratio (of mean and maximum) is smallest, on all weeks.
function statements.best_for_both(store, plan, system)
  return lists.least(pairs_of(store, plan, system), function(pair)
    return math.max(log_sum(pair.mean), log_sum(pair.max))
  end)
end

local function is_moderate(theta) return theta >= MODERATE_FROM and theta <= MODERATE_TO end

-- --- the statements -----------------------------------------------------------------------------

local function at(system, alpha, theta)
  return ("%s, α = %.2f, θ = %d"):format(system.name, alpha, theta)
end

-- For every week the mean with the pair that is best on the other weeks, divided by the mean of
-- EASY on the machine alone.
local function over_alone(store, plan, system)
  local alone, list = store:get_alone(system).bsld_mean, {}
  local _, _, chosen = statements.chosen_elsewhere(store, plan, system)
  for w, pair in ipairs(chosen) do
    list[w] = store:get(system, pair.alpha, pair.theta).bsld_mean[w] / alone[w]
  end
  return list
end

local Context = {}
Context.__index = Context

function Context:mean(system, alpha, theta, filter)
  return self.store:ratios(system, alpha, theta, "bsld_mean", filter)
end

function Context:max(system, alpha, theta)
  return self.store:ratios(system, alpha, theta, "bsld_max")
end

-- The parts that f(system, alpha) gives for every log (and each of the alphas, if there are some);
-- with `cluster` only for the logs of this cluster. Each part knows its log.
function Context:logs(f, alphas, cluster)
  local systems = lists.those(self.plan.systems, function(system)
    return not cluster or system.cluster == cluster
  end)
  return verdict.each(systems, function(system)
    local parts = verdict.each({ system }, alphas or { false }, f)
    for _, part in ipairs(parts) do part.system = system.name end
    return parts
  end)
end

-- Among the wanted thresholds the one with the least geometric mean ratio; nil: none.
function Context:best_theta(system, alpha, wanted)
  return lists.least(lists.those(self.plan.thetas, wanted), function(theta)
    return log_sum(self:mean(system, alpha, theta))
  end)
end

function Context:elsewhere(system)
  return statements.chosen_elsewhere(self.store, self.plan, system)
end

-- The mean is less than `bound` times the mean of EASY.
function Context:mean_improves(bound, cluster)
  return self:logs(function(system)
    local means = self:elsewhere(system)
    return verdict.ratio(system.name .. ": mean, best parameters of the other weeks", means,
      cluster and "<=" or "<", bound)
  end, nil, cluster)
end

local function both_improve(label, means, maxima)
  return verdict.ratio(label .. ": mean", means, "<", 1),
    verdict.ratio(label .. ": maximum", maxima, "<", 1)
end

-- The data that statements about logs need; nil where logs are given.
local function needs(c)
  return c.plan.given_logs == 0
    and "logs, such as the paper's of the Parallel Workloads Archive; these are synthetic" or nil
end

-- The log that statements about one of the paper's logs need; false where it is given.
local function needs_log(c, cluster)
  for _, system in ipairs(c.plan.systems) do
    if system.cluster == cluster.key then return false end
  end
  return ("the log of %s (--log %s=FILE)"):format(cluster.name, cluster.key)
end

-- With each alpha the best wanted threshold, divided by the best of the others.
function Context:best_is(wanted, cluster)
  return self:logs(function(system, alpha)
    local a = self:best_theta(system, alpha, wanted)
    local b = self:best_theta(system, alpha, function(theta) return not wanted(theta) end)
    return a and b and verdict.ratio(("%s over θ = %d"):format(at(system, alpha, a), b),
      cells.divided(self:mean(system, alpha, a), self:mean(system, alpha, b)), "<=", 1)
  end, self.plan.alphas, cluster)
end

-- The paper's statements about one of its logs.
local function by_cluster(c, cluster)
  local need = needs_log(c, cluster)
  return {
    { ("On %s the best threshold for the mean lies between %d and %d"):format(cluster.name,
      cluster.from, cluster.to), c:best_is(function(theta)
        return theta >= cluster.from and theta <= cluster.to
      end, cluster.key), where = "V-A, logs", needs = need },
    { ("On %s the mean is better than with EASY by %.0f%% or more, with good parameters"):format(
      cluster.name, 100 * cluster.gain), c:mean_improves(1 - cluster.gain, cluster.key),
      where = "V-B, logs", needs = need },
  }
end

local function figure_1(c)
  local alphas, thetas = c.plan.alphas, c.plan.thetas
  local least, most, small, high = alphas[1], alphas[#alphas], thetas[1], thetas[#thetas]
  return { where = "V-A, figure 1", needs = needs(c),
    { "The best threshold for the mean lies between 5 and 50", c:best_is(is_moderate) },
    { ("A small threshold overloads a small redirection group (here: with θ = %d the mean over "
      .. "that of EASY is less with α = %.2f than with %.2f)"):format(small, most, least),
      c:logs(function(system)
        return verdict.ratio(("%s over α = %.2f"):format(at(system, most, small), least),
          cells.divided(c:mean(system, most, small), c:mean(system, least, small)), "<", 1)
      end) },
    { ("More redirection processors help the longest waits (the paper: the largest flow time; "
      .. "here: the maximum over that of EASY with θ = 10 is less with α = %.2f than with %.2f)")
      :format(most, least), c:logs(function(system)
        return verdict.ratio(("%s: maximum over that of α = %.2f"):format(at(system, most, 10),
          least), cells.divided(c:max(system, most, 10), c:max(system, least, 10)), "<", 1)
      end), where = "V-A" },
    { ("A high threshold hardly ever redirects (here: with θ = %d fewer than 0.5%% of the jobs)")
      :format(high), c:logs(function(system, alpha)
        return verdict.known(at(system, alpha, high) .. ": share of redirected jobs",
          paper.redirected(c.store, system, alpha, high), "<", 0.005)
      end, alphas), where = "V-A" },
  }
end

local function figure_2(c)
  return { where = "V-B, figure 2", needs = needs(c),
    { "With good parameters the mean is better than with EASY", c:mean_improves(1) },
    { "With good parameters the mean is better than with EASY by 10% or more",
      c:mean_improves(0.9) },
    { "The maximum gains less than the mean", c:logs(function(system)
      local means, maxima = c:elsewhere(system)
      return verdict.ratio(system.name .. ": ratio of the mean over that of the maximum",
        cells.divided(means, maxima), "<", 1)
    end) },
    { "The maximum is not harmed (here: no worse than with EASY in the mean, with parameters that "
      .. "are good for the mean)", c:logs(function(system)
        local _, maxima = c:elsewhere(system)
        return verdict.ratio(system.name .. ": maximum, best parameters of the other weeks", maxima,
          "<=", 1)
      end), where = "VI" },
    { "For every log there are parameters with which both improve", c:logs(function(system)
      local pair = statements.best_for_both(c.store, c.plan, system)
      return both_improve(at(system, pair.alpha, pair.theta), pair.mean, pair.max)
    end), where = "V-B", note = "The parameters are the best on these very weeks: of as many pairs "
      .. "that change nothing one would look good by chance, too." },
  }
end

local function example(c)
  local alpha, theta = paper.example.alpha, paper.example.theta
  local curie = paper.CLUSTERS[1]
  local need = needs_log(c, curie)
  return { where = "V-B", needs = needs(c),
    { ("α = %.2f and θ = %d improve both (the paper's example, for Curie)"):format(alpha, theta),
      c:logs(function(system)
        return both_improve(at(system, alpha, theta), c:mean(system, alpha, theta),
          c:max(system, alpha, theta))
      end, nil, not need and curie.key or nil), needs = need },
    { "The job with the largest slowdown tends to be a redirected one (here: in more than half of "
      .. "the weeks, with the example's parameters)", c:logs(function(system)
        return verdict.part(system.name .. ": share of weeks", c.store:worst_is_redirected(system),
          ">", 0.5)
      end) },
  }
end

-- The two readings of line 3 of Algorithm 2, with the paper's example.
local function filters(c)
  local alpha, theta = paper.example.alpha, paper.example.theta
  return { where = "explanation",
    { "The filter of the text, by processors, is better for the mean than that of Algorithm 2 as "
      .. "printed, by walltimes (here: with the example's parameters)", c:logs(function(system)
        return verdict.ratio(at(system, alpha, theta) .. ": by processors over by walltimes",
          cells.divided(c:mean(system, alpha, theta),
            c:mean(system, alpha, theta, "walltime")), "<", 1)
      end) },
  }
end

local function explanation(c)
  return { where = "explanation",
    { "Redirection with its processors is better than EASY on the machine alone (here: the mean, "
      .. "with the parameters that are best on the other weeks)", c:logs(function(system)
        return verdict.ratio(system.name .. ": mean over that of EASY without more processors",
          over_alone(c.store, c.plan, system), "<", 1)
      end) },
  }
end

-- All statements, judged; statements about parameters that were not simulated are left out.
function statements.of(store, plan, done)
  local c = setmetatable({ store = store, plan = plan }, Context)
  local has_example = store:worst_is_redirected(plan.systems[1])
  return verdict.judge(figure_1(c), figure_2(c), has_example and example(c),
    lists.map(paper.CLUSTERS, function(cluster) return by_cluster(c, cluster) end),
    has_example and done.filter and filters(c), explanation(c))
end

return statements
