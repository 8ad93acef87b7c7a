-- coverage: how often intervals over weeks hold the true difference of policies (READINGS 39).
--
--   orrery spec/bench/coverage.lua A|B WEEKS [LOGS [TRUTH]]
--
-- A and B are the experiments of the reading. LOGS (1000) logs of so many weeks get an interval by
-- each method; the truth is the difference over all jobs of TRUTH (2000) other logs. Printed: the
-- share of intervals that hold it, that of logs without one, and their median width. 52 weeks of A
-- take about ten minutes.
local orrery = require "orrery"
local methods = dofile "spec/bench/intervals.lua"

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

local METHODS = { { "log of the ratio, jackknife of weeks", function(list)
  local a = sum(list, function(one) return one.a end)
  local b = sum(list, function(one) return one.b end)
  local squares = sum(list, function(one) return (one.b / b - one.a / a) ^ 2 end)
  local half = orrery.student_quantile(0.975, #list - 1)
    * math.sqrt(squares * #list / (#list - 1))
  local mean, ratio = a / sum(list, jobs_of), math.log(b / a)
  return mean * (math.exp(ratio - half) - 1), mean * (math.exp(ratio + half) - 1)
end } }
for _, method in ipairs(methods) do
  METHODS[#METHODS + 1] = { method[1], function(list)
    local sums, counts = {}, {}
    for i, one in ipairs(list) do sums[i], counts[i] = difference_of(one), one.jobs end
    return method[2](sums, counts, 0.95)
  end }
end

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
    if low == low then
      if low <= truth and truth <= high then hits[m] = hits[m] + 1 end
      table.insert(widths[m], high - low)
    end
  end
end

print(("%s, %d weeks, %d logs: truth %.1f of %d other logs"):format(arg[1], weeks, logs, truth,
  others))
for m, method in ipairs(METHODS) do
  if #widths[m] > 0 then
    print(("%-42s %5.1f%%  none %4.1f%%  %6.0f"):format(method[1], 100 * hits[m] / #widths[m],
      100 * (logs - #widths[m]) / logs, orrery.quantiles(widths[m], { 0.5 })[1]))
  end
end
