-- annealed: the table of policies/README.md about pack/annealed, seed 4321.
--
--   orrery spec/bench/annealed.lua
--
-- The mean cost of `sorted-cuts` with swaps, and of `annealed`, over that of `sorted-cuts`, less 1,
-- with the half width of the 95% interval of orrery.summary_paired (READINGS 56), and the processor
-- time of `annealed` per problem. Four minutes.
local orrery = require "orrery"
local plan = dofile(orrery.home .. "/scripts/reproduce/packs/plan.lua")

local SEED = 4321
local POLICIES = { "sorted-cuts", "sorted-cuts:swaps=true", "annealed" }

local workload_3 = plan.large(plan.constants, SEED)

local function rr8795(least)
  return function(run)
    return orrery.tasks.synthetic { n = 100, m = { least, 2500000 }, seed = SEED * 1000 + run }
  end
end

-- Times that fall with every processor by 0 to 10%, up to a number of processors.
local function tables(run)
  local rng, list = orrery.random { seed = SEED, scenario = run }, {}
  for i = 1, 80 do
    local times, most = { rng:uniform(1000, 100000) }, rng:integer(1, 64)
    for q = 2, 64 do
      times[q] = times[q - 1] * (q <= most and 1 - rng:uniform(0, 0.1) or 1)
    end
    list[i] = { time = function(q) return times[q] end, most = 64 }
  end
  return orrery.tasks.list(list)
end

local function applications() return plan.small_tasks(plan.small[1]) end

local ROWS = {
  { "Workload-III of the paper, 260 tasks, p = 32", workload_3, 32, 10, { 4, 8, 16, 32 } },
  { "tasks of RR-8795, n = 100, p = 128", rr8795(1500000), 128, 6, { 16, 64 } },
  { "the same with sizes from 1500", rr8795(1500), 128, 6, { 16, 64 } },
  { "tables of times, n = 80, p = 64", tables, 64, 6, { 4, 16 } },
  { "ten applications, p = 16", applications, 16, 1, { 4, 6 } },
}

local function packs(policies, tasks, procs, k, run)
  return orrery.packs { tasks = tasks, procs = procs, k = k, seed = SEED, run = run,
    bounds = false, policies = policies }
end

local function cell(ones, ratios)
  local summary = orrery.summary_paired(ones, ratios)
  return #ones > 1 and ("%+.4f ± %.4f"):format(summary.mean, summary.half_width)
    or ("%+.4f"):format(summary.mean)
end

local function row(title, tasks_of, procs, runs, k)
  local ones, swaps, annealed, seconds = {}, {}, {}, 0
  for run = 1, runs do
    local tasks = tasks_of(run)
    local costs = packs({ POLICIES[1], POLICIES[2] }, tasks, procs, k, run)
    local start = os.clock()
    local cost = packs({ POLICIES[3] }, tasks, procs, k, run):values(1, "cost")[1]
    seconds = seconds + os.clock() - start
    local cuts = costs:values(1, "cost")[1]
    ones[run], swaps[run], annealed[run] = 1, costs:values(2, "cost")[1] / cuts, cost / cuts
  end
  print(("| %s | %d | %d | %s | %s | %.2f s |"):format(title, k, runs, cell(ones, swaps),
    cell(ones, annealed), seconds / runs))
end

print "| tasks | k | runs | sorted-cuts with swaps | annealed | takes |"
print "| --- | --- | --- | --- | --- | --- |"
for _, one in ipairs(ROWS) do
  for _, k in ipairs(one[5]) do row(one[1], one[2], one[3], one[4], k) end
end
