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

local function duration(seconds)
  if seconds < 3600 then return ("%.6g s"):format(seconds) end
  return ("%.2f h"):format(seconds / 3600)
end

-- One policy, one scenario: its numbers in words.
local function print_single(result)
  local one = result.sets[1].metrics:scenario(1, 1)
  local function line(name, text) print(("  %-12s %s"):format(name, text)) end
  print()
  line("makespan", ("%s (%.17g s)"):format(duration(one.makespan), one.makespan))
  line("lower bound", ("%s (%.17g s)"):format(duration(one.lower_bound), one.lower_bound))
  line("ratio", ("%.4f"):format(one.ratio))
  line("wait", ("mean %s, longest %s"):format(duration(one.wait_mean), duration(one.wait_max)))
  line("flow time", "mean " .. duration(one.flow_mean))
  line("utilisation", ("%.1f%%"):format(100 * one.utilisation))
  line("starts", one.starts)
  line("failures", one.failures)
  if one.killed > 0 then line("killed", one.killed .. " at their walltime") end
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
