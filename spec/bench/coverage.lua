-- coverage: how often intervals over weeks hold the true difference of policies (READINGS 39).
--
--   orrery spec/bench/coverage.lua A|B WEEKS [LOGS [TRUTH]]
--
-- A and B are the experiments of the reading. LOGS (1000) logs of so many weeks get an interval by
-- each method; the truth is the difference over all jobs of TRUTH (2000) other logs. Printed: the
-- share of intervals that hold it, and their median width. 52 weeks of A take about ten minutes.
local orrery = require "orrery"

local WEEK = 168 * 3600
local EXPERIMENTS = {
  A = { load = 0.7, policies = { { policy = "dispatch/easy", priority = "fcfs" },
    { policy = "dispatch/easy", priority = "spt" } } },
  B = { load = 0.8, types = "batch", policies = { "easy", "easy-sjf" } },
}

local experiment = EXPERIMENTS[arg[1]] or error("which experiment: A or B?", 0)
local weeks = math.tointeger(tonumber(arg[2])) or error("how many weeks?", 0)
local logs, others = tonumber(arg[3] or 1000), tonumber(arg[4] or 2000)

-- Per week of a log: the sums of bounded slowdowns under both policies, and the number of jobs.
local function simulate(seed)
  local result = orrery.compare { procs = 256, policies = experiment.policies,
    jobs = orrery.lublin { procs = 256, days = 7 * weeks, load = experiment.load,
      types = experiment.types, seed = seed, set = weeks } }
  local submit, a, b = result:jobs(1, "submit"), result:jobs(1, "bsld"), result:jobs(2, "bsld")
  local first, by_week, list = math.huge, {}, {}
  for _, time in ipairs(submit) do first = math.min(first, time) end
  for i, time in ipairs(submit) do
    local week = (time - first) // WEEK
    by_week[week] = by_week[week] or { a = 0, b = 0, jobs = 0 }
    local one = by_week[week]
    one.a, one.b, one.jobs = one.a + a[i], one.b + b[i], one.jobs + 1
  end
  for week = 0, weeks do list[#list + 1] = by_week[week] end
  return list
end

local function sum(list, of)
  local total = 0
  for _, one in ipairs(list) do total = total + of(one) end
  return total
end

local function jobs_of(one) return one.jobs end
local function difference_of(one) return one.b - one.a end

-- The difference of the means, and the residuals of the ratio.
local function estimate(list)
  local jobs = sum(list, jobs_of)
  local mean = sum(list, difference_of) / jobs
  local residuals = {}
  for i, one in ipairs(list) do residuals[i] = (difference_of(one) - mean * one.jobs) / jobs end
  return mean, residuals
end

local function t_of(count) return orrery.student_quantile(0.975, count - 1) end

local function bootstrap(list, options)
  local sums, counts = {}, {}
  for i, one in ipairs(list) do sums[i], counts[i] = difference_of(one), one.jobs end
  local b = orrery.bootstrap(sums, counts, options)
  return b.low, b.high
end

local rng = orrery.random(1)

-- Means and |t|-like values of resamples of the list.
local function resamples(list, count)
  local mean = estimate(list)
  local means, ts = {}, {}
  for r = 1, count do
    local drawn = {}
    for i = 1, #list do drawn[i] = list[rng:integer(1, #list)] end
    local other, residuals = estimate(drawn)
    local squares = sum(residuals, function(e) return e * e end)
    means[r] = other
    if squares > 0 then
      ts[#ts + 1] = (other - mean) / math.sqrt(squares * #list / (#list - 1))
    end
  end
  return means, ts
end

local function grouped(list, count)
  local groups = {}
  for g = 1, count do groups[g] = { a = 0, b = 0, jobs = 0 } end
  for i, one in ipairs(list) do
    local group = groups[(i - 1) * count // #list + 1]
    group.a, group.b, group.jobs = group.a + one.a, group.b + one.b, group.jobs + one.jobs
  end
  return groups
end

local function jackknife(list)
  local jobs, total, n = sum(list, jobs_of), sum(list, difference_of), #list
  local means = {}
  for i, one in ipairs(list) do means[i] = (total - difference_of(one)) / (jobs - one.jobs) end
  local middle = sum(means, function(x) return x end) / n
  local squares = sum(means, function(x) return (x - middle) ^ 2 end)
  local half = t_of(n) * math.sqrt(squares * (n - 1) / n)
  return total / jobs - half, total / jobs + half
end

local METHODS = {
  { "BCa bootstrap of weeks", function(list) return bootstrap(list, { resamples = 2000 }) end },
  { "percentile bootstrap of weeks", function(list)
    local means = resamples(list, 2000)
    return table.unpack(orrery.quantiles(means, { 0.025, 0.975 }))
  end },
  { "jackknife of weeks, Student's t", jackknife },
  { "the same for the logarithm of the ratio", function(list)
    local a = sum(list, function(one) return one.a end)
    local b = sum(list, function(one) return one.b end)
    local squares = sum(list, function(one) return (one.b / b - one.a / a) ^ 2 end)
    local half = t_of(#list) * math.sqrt(squares * #list / (#list - 1))
    local mean, ratio = a / sum(list, jobs_of), math.log(b / a)
    return mean * (math.exp(ratio - half) - 1), mean * (math.exp(ratio + half) - 1)
  end },
  { "Newey-West over weeks, fixed-b", function(list)
    local mean, e = estimate(list)
    local lags, variance = math.max(1, #list // 4), 0
    for lag = 0, lags do
      local product = 0
      for i = lag + 1, #e do product = product + e[i] * e[i - lag] end
      variance = variance + (lag == 0 and 1 or 2 * (1 - lag / (lags + 1))) * product
    end
    local share = (lags + 1) / #list -- Kiefer and Vogelsang 2005, Bartlett kernel
    local critical = 1.96 + 2.9694 * share + 0.4160 * share ^ 2 - 0.5324 * share ^ 3
    local half = critical * math.sqrt(math.max(variance, 0))
    return mean - half, mean + half
  end },
  { "bootstrap-t of weeks", function(list)
    local mean, residuals = estimate(list)
    local squares = sum(residuals, function(e) return e * e end)
    local error_of = math.sqrt(squares * #list / (#list - 1))
    local _, ts = resamples(list, 2000)
    local low, high = table.unpack(orrery.quantiles(ts, { 0.025, 0.975 }))
    return mean - high * error_of, mean - low * error_of
  end },
  { "5 groups of weeks, Student's t", function(list)
    if #list >= 5 then return jackknife(grouped(list, 5)) end
  end },
  { "4 groups, symmetric bootstrap-t", function(list) return bootstrap(list, { groups = 4 }) end },
  { "5 groups, symmetric bootstrap-t", function(list)
    if #list >= 5 then return bootstrap(list, { groups = 5 }) end
  end },
}

local truth, all_jobs = 0, 0
for seed = 100001, 100000 + others do
  local list = simulate(seed)
  truth, all_jobs = truth + sum(list, difference_of), all_jobs + sum(list, jobs_of)
end
truth = truth / all_jobs

local hits, widths = {}, {}
for m in ipairs(METHODS) do hits[m], widths[m] = 0, {} end
for seed = 1, logs do
  local list = simulate(seed)
  for m, method in ipairs(METHODS) do
    local low, high = method[2](list)
    if low then
      if low <= truth and truth <= high then hits[m] = hits[m] + 1 end
      table.insert(widths[m], high - low)
    end
  end
end

print(("%s, %d weeks, %d logs: truth %.1f of %d other logs"):format(arg[1], weeks, logs, truth,
  others))
for m, method in ipairs(METHODS) do
  if #widths[m] > 0 then
    print(("%-42s %5.1f%%  %6.0f"):format(method[1], 100 * hits[m] / #widths[m],
      orrery.quantiles(widths[m], { 0.5 })[1]))
  end
end
