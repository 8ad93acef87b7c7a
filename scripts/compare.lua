-- compare: runs several policies on the same scenarios and tests their differences
--
--   orrery compare --policy dispatch/greedy --policy dispatch/easy --q 0.05 --runs 1000
--   orrery compare --policy easy --procs 49152 --procs 54067 --metric wait_mean
--   orrery compare --priority lpt --priority la --metric wait_mean --day 2019-06-14
local command = require "orrery.command.command"
local orrery = require "orrery"
local simulation_command = require "orrery.command.simulation_command"

local function policies(given)
  local list = {}
  for _, policy in ipairs(given.policy) do
    for _, priority in ipairs(#given.priority > 0 and given.priority or { false }) do
      list[#list + 1] = { policy = policy, priority = priority or nil }
    end
  end
  local several = #list > 1 or given.clairvoyant or given.all_procs[2] or given.all_walltimes[2]
    or given.all_pools[2] or given.all_machines[2]
  if not several then
    command.misuse("compare wants at least two: give --policy, --priority, --procs, --walltimes, "
      .. "--pool or --machine more than once")
  end
  return list
end

local function verdict(difference)
  if difference.count < 2 then return "one scenario" end
  if difference.sd == 0 then return "the same every time" end
  if difference.happened then return "what happened" end
  if difference.half_width ~= difference.half_width then return "no interval" end
  return difference.significant and "significant" or "not significant"
end

local function row_of(metrics, result, i, metric, d, column, summaries)
  local own = summaries[i]
  local row = { result:label(i), metrics.text(column, own.mean, own) }
  if i == 1 then return row end
  row[3] = metrics.text(column, d.mean, d, true)
  row[4] = orrery.tools.numbers.relative(d.mean, summaries[1].mean)
  row[5] = d.negative and metrics.better_part(metric, d)
    or metrics.better_share(metric, result:samples(1, metric), result:samples(i, metric))
  row[6] = verdict(d)
  return row
end

-- The table, and the rows of the utilisation of resources.
local function table_of(result, metric)
  local metrics = orrery.tools.metrics()
  local column, summaries = metrics.among_means(metric, result)
  local lines = { { "policy", column.title, "difference", "%", metrics.better_in(metric), "" } }
  local resources = result:resource_rows()
  for i, d in ipairs(result:differences(metric)) do
    lines[i + 1] = row_of(metrics, result, i, metric, d, column, summaries)
  end
  return table.concat(orrery.tools.columns(lines), "\n"), resources
end

-- A single scenario has no interval over scenarios, but the log may have weeks.
local function print_weeks(cases)
  for _, case in ipairs(cases) do
    local weeks = orrery.tools.account().weeks(case.result)
    if weeks then print((#cases > 1 and case.label .. ": " or "") .. table.concat(weeks, "\n")) end
    simulation_command.print_notes(case.result)
  end
end

-- Where jobs come over time and no metric was named, the makespan alone is not informative.
local function print_tables(result, metric, named)
  local first, resources = table_of(result, metric)
  print(resources and first .. "\n\n" .. table.concat(orrery.tools.columns(resources, 100), "\n")
    or first)
  if not named and orrery.tools.metrics().is_online(result) then
    print("\n" .. (table_of(result, "bsld_mean")))
  end
end

local function print_results(given, cases, metric)
  local result, differ = cases[1].result, #cases > 1 and given.precision -- in their scenarios
  if not differ then print(result:title()) end
  for i, case in ipairs(cases) do
    if #cases > 1 then print((differ and i == 1 and "" or "\n") .. case.label) end
    if differ then print(case.result:title()) end
    print_tables(case.result, metric, given.metric)
    if differ then simulation_command.print_notes(case.result) end
  end
  if result.runs == 1 and #result.sets == 1 then
    print_weeks(cases)
    return
  end
  local correction = orrery.tools.correction(result)
  local over = #result.sets > 1 and "sets of jobs, each with its mean over the scenarios"
    or "scenarios"
  print(("differences are paired, against the first policy on the same %s; "):format(over)
    .. orrery.tools.parts().about(result)
    .. (correction and "; 'significant' is after " .. correction or "")
    .. orrery.tools.parts().unseen(result))
  if not differ then simulation_command.print_notes(result) end
end

return simulation_command.new {
  name = "orrery compare",
  about = "Simulates several policies on the same scenarios, each with every priority that is "
    .. "named, on every machine and with what the scheduler may know, and says how each differs "
    .. "from the first.",
  metric = "What is compared: ratio (makespan / lower bound), bsld_mean, wait_mean, utilisation, "
    .. "or any other (default: ratio, of jobs that come over time also bsld_mean).",
  priorities = true, axes = true, policies = policies, print = print_results,
  printed = function(given) return { given.metric or "bsld_mean" } end,
}
