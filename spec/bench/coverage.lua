-- coverage: how often intervals over weeks hold the true difference of policies (READINGS 39).
--
--   orrery spec/bench/coverage.lua A|B [LOGS]
--
-- A and B are the experiments of the reading. The first 8, 13, 26 and 52 weeks of LOGS (1000) logs
-- get an interval by each method; the truth is the difference over the jobs in so many first weeks
-- of all logs. Printed: the share of intervals that hold it, that of logs without one, and their
-- median width. Five minutes.
local orrery = require "orrery"
local methods = dofile "spec/bench/intervals.lua"

local WEEK, LENGTHS = 168 * 3600, { 8, 13, 26, 52 }
local EXPERIMENTS = {
  A = { load = 0.7, policies = { { policy = "dispatch/easy", priority = "fcfs" },
    { policy = "dispatch/easy", priority = "spt" } } },
  B = { load = 0.8, types = "batch", policies = { "easy", "easy-sjf" } },
}

local experiment = EXPERIMENTS[arg[1]] or error("which experiment: A or B?", 0)
local logs = tonumber(arg[2] or 1000)

-- Per week of a log: the sums of bounded slowdowns under both policies, and the number of jobs.
local function simulate(seed)
  local result = orrery.compare { procs = 256, policies = experiment.policies,
    jobs = orrery.lublin { procs = 256, days = 7 * 52, load = experiment.load,
      types = experiment.types, seed = seed, set = 52 } }
  local submit, a, b = result:jobs(1, "submit"), result:jobs(1, "bsld"), result:jobs(2, "bsld")
  local first, weeks = math.huge, {}
  for week = 1, 53 do weeks[week] = { a = 0, b = 0, jobs = 0 } end
  for _, time in ipairs(submit) do first = math.min(first, time) end
  for i, time in ipairs(submit) do
    local one = weeks[(time - first) // WEEK + 1]
    one.a, one.b, one.jobs = one.a + a[i], one.b + b[i], one.jobs + 1
  end
  return weeks
end

-- The sums over the first weeks of a log.
local function totals(weeks, count)
  local a, b, jobs = 0, 0, 0
  for week = 1, count do
    a, b, jobs = a + weeks[week].a, b + weeks[week].b, jobs + weeks[week].jobs
  end
  return a, b, jobs
end

local METHODS = { { "log of the ratio, jackknife of weeks", function(weeks, n)
  local a, b, jobs = totals(weeks, n)
  local squares = 0
  for week = 1, n do squares = squares + (weeks[week].b / b - weeks[week].a / a) ^ 2 end
  local half = orrery.student_quantile(0.975, n - 1) * math.sqrt(squares * n / (n - 1))
  local mean, ratio = a / jobs, math.log(b / a)
  return mean * (math.exp(ratio - half) - 1), mean * (math.exp(ratio + half) - 1)
end } }
for _, method in ipairs(methods) do
  METHODS[#METHODS + 1] = { method[1], function(weeks, n)
    local sums, counts = {}, {}
    for week = 1, n do
      sums[week], counts[week] = weeks[week].b - weeks[week].a, weeks[week].jobs
    end
    return method[2](sums, counts, 0.95)
  end }
end

METHODS[#METHODS + 1] = { "what is printed, cut at the log's mean", function(weeks, n)
  local a, _, jobs = totals(weeks, n)
  local low, high = METHODS[#METHODS - 1][2](weeks, n)
  return low == low and math.max(low, -a / jobs) or low, high
end }

local all = {}
for seed = 1, logs do all[seed] = simulate(seed) end

for _, n in ipairs(LENGTHS) do
  local difference, all_jobs = 0, 0
  for _, weeks in ipairs(all) do
    local a, b, jobs = totals(weeks, n)
    difference, all_jobs = difference + b - a, all_jobs + jobs
  end
  local truth = difference / all_jobs
  print(("%s, %d weeks of %d logs: truth %.1f"):format(arg[1], n, logs, truth))
  for _, method in ipairs(METHODS) do
    local hits, widths = 0, {}
    for _, weeks in ipairs(all) do
      local low, high = method[2](weeks, n)
      if low == low then
        widths[#widths + 1] = high - low
        hits = hits + (low <= truth and truth <= high and 1 or 0)
      end
    end
    print(("%-38s %5.1f%%  none %4.1f%%  %6.0f"):format(method[1], 100 * hits / #widths,
      100 * (logs - #widths) / logs, orrery.quantiles(widths, { 0.5 })[1]))
  end
end
