-- replay: simulates a job log under one or more policies
--
--   orrery replay --day 2019-06-14 --policy dispatch/easy --q 0.05 --runs 100
--   orrery replay jobs.csv --procs 10000 --failures f.txt --csv out.csv
local argparse = require "argparse"
local rows = require "lib.rows"
local simulate = require "lib.simulate"

local parser = argparse("orrery replay", "Simulates the jobs of a log on a machine whose jobs may "
  .. "fail and start again: what would another policy have made of them?")

local function policies(given)
  local list = {}
  for i, policy in ipairs(given.policy) do
    list[i] = { policy = policy, priority = given.priority }
  end
  return list
end

-- One policy, one scenario: its numbers in words.
local function print_single(result)
  local one = result.sets[1].metrics:scenario(1, 1)
  local function line(name, format, ...) print(("  %-12s " .. format):format(name, ...)) end
  print()
  line("makespan", "%.2f h (%.17g s)", one.makespan / 3600, one.makespan)
  line("lower bound", "%.2f h (%.17g s)", one.lower_bound / 3600, one.lower_bound)
  line("ratio", "%.4f", one.ratio)
  line("wait", "mean %.2f h, longest %.2f h", one.wait_mean / 3600, one.wait_max / 3600)
  line("flow time", "mean %.2f h", one.flow_mean / 3600)
  line("utilisation", "%.1f%%", 100 * one.utilisation)
  line("starts", "%d", one.starts)
  line("failures", "%d", one.failures)
  if one.killed > 0 then line("killed", "%d at their walltime", one.killed) end
end

local function print_results(given, cases, metric)
  if given.by then
    local result = cases[1].result
    print(result:title())
    print(rows.text(rows.of(cases, metric), metric))
    for _, note in ipairs(result.notes) do print("note: " .. note) end
    return
  end
  for i, case in ipairs(cases) do
    if #cases > 1 then print((i > 1 and "\n" or "") .. case.label) end
    print(tostring(case.result))
    if #case.result.policies == 1 and case.result.runs == 1 then print_single(case.result) end
  end
end

simulate.command(parser, {
  schedule = true, policies = policies, print = print_results,
  metric = function() return "ratio" end,
})
