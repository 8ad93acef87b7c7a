-- replay: simulates a job log under one or more policies
--
--   orrery replay --day 2019-06-14 --policy dispatch/easy --q 0.05 --runs 100
--   orrery replay jobs.csv --procs 10000 --failures f.txt --csv out.csv
local orrery = require "orrery"
local result_rows = require "orrery.command.result_rows"
local simulation_command = require "orrery.command.simulation_command"

local function policies(given)
  local list = {}
  for i, policy in ipairs(given.policy) do
    list[i] = { policy = policy, priority = given.priority }
  end
  return list
end

local function print_results(given, cases, metric)
  if given.by then
    local result = cases[1].result
    print(result:title())
    print(result_rows.text(result_rows.of(cases, metric), metric))
    simulation_command.print_notes(result)
    return
  end
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
