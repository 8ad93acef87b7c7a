-- coverage_parts: how often intervals over days or weeks that are each simulated for itself (--by)
-- hold the true difference of policies (READINGS 39).
--
--   orrery spec/bench/coverage_parts.lua A|B day|week [LOGS]
--
-- A and B are the experiments of the reading. LOGS (400) logs, of 56 days or 26 weeks, are
-- simulated part by part. Stretches of so many parts get intervals of the mean difference by each
-- method; the truth is the mean over all parts of all logs. Printed: the share of intervals that
-- hold it, of how many, and their median width.
local orrery = require "orrery"
local methods = dofile "spec/bench/intervals.lua"

local EXPERIMENTS = {
  A = { load = 0.7, policies = { { policy = "dispatch/easy", priority = "fcfs" },
    { policy = "dispatch/easy", priority = "spt" } } },
  B = { load = 0.8, types = "batch", policies = { "easy", "easy-sjf" } },
}
local PARTS = { day = { days = 56, 8, 14, 28, 56 }, week = { days = 182, 8, 13, 26 } }

local experiment = EXPERIMENTS[arg[1]] or error("which experiment: A or B?", 0)
local by = PARTS[arg[2]] and arg[2] or error("which parts: day or week?", 0)
local logs = tonumber(arg[3] or 400)

local all, of_log = {}, {}
for seed = 1, logs do
  local result = orrery.compare { procs = 256, policies = experiment.policies, by = by,
    jobs = orrery.lublin { procs = 256, days = PARTS[by].days, load = experiment.load,
      types = experiment.types, seed = seed, set = 77 } }
  local a, list = result:set_means(1, "bsld_mean"), result:set_means(2, "bsld_mean")
  for i in ipairs(list) do list[i] = list[i] - a[i] end
  of_log[seed] = list
  table.move(list, 1, #list, #all + 1, all)
end
local truth = orrery.summary(all).mean

print(("%s, by %s, %d logs: truth %.1f of %d %ss"):format(arg[1], by, logs, truth, #all, by))
for _, count in ipairs(PARTS[by]) do
  for _, method in ipairs(methods) do
    local hits, widths, weights = 0, {}, {}
    for i = 1, count do weights[i] = 1 end
    for _, list in ipairs(of_log) do
      for first = 1, #list - count + 1, count do
        local some = table.move(list, first, first + count - 1, 1, {})
        local low, high = method[2](some, weights, 0.95)
        if low == low then
          widths[#widths + 1] = high - low
          hits = hits + (low <= truth and truth <= high and 1 or 0)
        end
      end
    end
    if #widths > 0 then
      print(("%2d %ss  %-38s %5.1f%% of %4d  %6.1f"):format(count, by, method[1],
        100 * hits / #widths, #widths, orrery.quantiles(widths, { 0.5 })[1]))
    end
  end
end
