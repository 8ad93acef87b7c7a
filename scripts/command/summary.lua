-- What came of one scenario, for a person to read: policies side by side, and where there are
-- several what lies between them, week by week.
local orrery = require "orrery"

local metrics = orrery.tools.metrics()

local summary = {}

-- --- numbers ------------------------------------------------------------------------------------

local duration = orrery.tools.span_text

-- Of many hours one digit behind the point is enough.
local function processor_hours(value)
  return (value < 360000 and "%.6g" or "%.1f"):format(value / 3600)
end

-- --- one policy beside the other ----------------------------------------------------------------

local function any(list)
  for _, value in ipairs(list) do
    if value ~= 0 then return true end
  end
  return false
end

local function side_by_side(result)
  local scenarios, head = {}, { "" }
  for i in ipairs(result.policies) do
    scenarios[i] = result.sets[1].metrics:scenario(i, 1)
    head[i + 1] = result:label(i)
  end
  local rows = { head }
  for _, name in ipairs(metrics.jobs.account) do
    local one, values = metrics.jobs.by_name[name], {}
    local show = one.show == "hours" and processor_hours or metrics.shown(one)
    for i, scenario in ipairs(scenarios) do values[i] = scenario[name] end
    if values[1] and not (one.rare and not any(values)) then
      -- What follows the mean says only which other value it is.
      local row = { one.jobs and not name:find "_mean$" and one.label:gsub("^.*,", " ")
        or one.label }
      for i, value in ipairs(values) do row[i + 1] = show(value) end
      rows[#rows + 1] = row
    end
  end
  return rows
end

-- --- the log ------------------------------------------------------------------------------------

-- When the jobs came, and how much of the machine they ask for in that time.
local function workload(result)
  local set = result.sets[1]
  if result.spec.batch or not set.metrics:has_jobs() then return nil end
  local first, last = table.unpack(orrery.quantiles(set.metrics:jobs(1, "submit"), { 0, 1 }))
  if last <= first then return nil end
  local area = set.jobs:mean_area() * #set.jobs
  return ("submitted over %s: %.1f%% of the machine's time in that span"):format(
    duration(last - first), 100 * area / (result.procs * (last - first)))
end

-- --- weeks --------------------------------------------------------------------------------------

-- Lines on the differences from the first policy; nil where the log has less than two weeks, or the
-- jobs' times were not kept. Result:weekly (bindings/run/results.lua) computes the intervals, and
-- bindings/values/metrics.lua writes them as text.
function summary.weeks(result)
  if #result.policies < 2 or not result.sets[1].metrics:has_jobs() then return nil end
  local weekly = result:weekly(1, 2)
  if weekly.count < 2 then return nil end
  local rows = { metrics.titles(metrics.jobs.weeks, "") }
  for i = 2, #result.policies do rows[i] = { result:label(i) } end
  for c, name in ipairs(metrics.jobs.weeks) do
    local differences = result:weekly_differences(name)
    for i = 2, #rows do rows[i][c + 1] = metrics.weekly_text(name, differences[i]) end
  end
  local lines = orrery.tools.columns(rows)
  table.insert(lines, 1, metrics.weekly_title(result:label(1), weekly,
    orrery.tools.correction(result)) .. ":")
  return lines
end

-- The account as text.
function summary.text(result)
  local lines = { result:title() }
  lines[#lines + 1] = workload(result)
  for _, line in ipairs(orrery.tools.columns(side_by_side(result))) do lines[#lines + 1] = line end
  local weeks = summary.weeks(result)
  if weeks then table.move(weeks, 1, #weeks, #lines + 1, lines) end
  for _, note in ipairs(result.notes) do lines[#lines + 1] = "note: " .. note end
  return table.concat(lines, "\n")
end

return summary
