-- five-lines: a policy in five lines against the published ones, on a day with failures
--
--   orrery examples five-lines [--quick]
--
-- Longest processing time first (LPT) finishes a day's jobs early, and lets the short ones wait for
-- it. Shortest first is the other way round. What if LPT let only the very short ones pass?
local orrery = require "orrery"
local quick = arg[1] == "--quick"

-- The policy.
local function short_ones_pass(job)
  local is_short = job.time < 15 * 60
  return is_short and 1e9 or job.time
end

local published = { "lpt", "spt", "hpa", "la", "ljf", "fcfs" }

local policies = {}
for i, priority in ipairs(published) do
  policies[i] = { name = priority, policy = "dispatch/easy", priority = priority }
end
table.insert(policies, 2, {
  name = "mine", policy = "dispatch/easy", priority = short_ones_pass,
})

-- A tenth of the jobs of this day fail in the mean, and run again.
local result = orrery.compare {
  jobs = orrery.read("sample-2019-06"):day "2019-06-14", batch = true,
  errors = { mean_probability = 0.1 }, runs = quick and 30 or 500, policies = policies,
}

-- Means over scenarios, with 95% intervals.
local function cell(policy, metric, unit, digits)
  local s = result:summary(policy, metric)
  local number = ("%%.%df"):format(digits)
  return (number .. " ± " .. number):format(s.mean / unit, s.half_width / unit)
end

print(("%d jobs, %d scenarios\n"):format(#result.sets[1].jobs, result.runs))
print("under EASY    makespan (h)  mean wait (h)  mean slowdown")
for i, policy in ipairs(result.policies) do
  print(("%-10s %15s %15s %15s"):format(policy.name:match "^%S+", cell(i, "makespan", 3600, 2),
    cell(i, "wait_mean", 3600, 2), cell(i, "bsld_mean", 1, 1)))
end

-- The answer: differences are paired, over the same failures.
local longer = result:difference("lpt", "mine", "ratio")
local wait = result:difference("lpt", "mine", "wait_mean")
print(("\nLetting short jobs pass costs %.1f%% ± %.1f%% of the bound on the makespan,")
  :format(100 * longer.mean, 100 * longer.half_width))
print(("and makes the mean wait %.2f ± %.2f h shorter."):format(-wait.mean / 3600,
  wait.half_width / 3600))
