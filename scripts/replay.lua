-- replay: simulates a job log under one or more policies
--
--   orrery replay --day 2019-06-14 --policy dispatch/easy --q 0.05 --runs 100
--   orrery replay jobs.csv --procs 10000 --failures f.txt --csv out.csv
local orrery = require "orrery"
local recorded = require "orrery.command.recorded"
local result_rows = require "orrery.command.result_rows"
local simulation_command = require "orrery.command.simulation_command"

local function policies(given)
  local list = {}
  for i, policy in ipairs(given.policy) do
    list[i] = { policy = policy, priority = given.priority }
  end
  return list
end

-- The recorded schedule alone is not informative: simulations are printed beside it, one line each.
local function print_near(given, result)
  if #result.policies > 1 or not result.policies[1].recorded then return end
  local log = given.walltimes == "log"
  for _, line in ipairs(recorded.near(result.sets[1].jobs, { procs = given.procs,
    walltimes = given.walltimes, overrun = log and given.overrun or nil,
    grace = log and given.grace or nil, instant = given.instant })) do
    print(line)
  end
end

local function print_results(given, cases, metric)
  if given.by then
    local result = cases[1].result
    print(result:title())
    print(result_rows.text(result_rows.of(cases, metric), metric))
    simulation_command.print_notes(result)
    return
  end
  print_near(given, cases[1].result)
  for i, case in ipairs(cases) do
    if #cases > 1 then print((i > 1 and "\n" or "") .. case.label) end
    print(case.result)
  end
end

return simulation_command.new {
  name = "orrery replay",
  about = "Simulates the jobs of a log on a machine whose jobs may fail and start again: what "
    .. "would another policy have made of them?",
  metric = "What the table of --by, --table and --plot are of: ratio (makespan / lower bound; "
    .. "default), bsld_mean, wait_mean, or any other.",
  schedule = true, policies = policies, print = print_results,
  printed = function() return orrery.tools.metrics().jobs.columns end,
}
