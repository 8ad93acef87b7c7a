-- What came of one scenario, for a person to read: policies side by side, and where there are
-- several what lies between them, week by week.
local orrery = require "orrery"

local summary = {}

-- --- numbers ------------------------------------------------------------------------------------

local duration = orrery.tools.span_text

local function plain(format) return function(value) return format:format(value) end end

local function processor_hours(value)
  return (value < 360000 and "%.6g" or "%.1f"):format(value / 3600)
end

-- --- one policy beside the other ----------------------------------------------------------------

-- { name, metric, how to show it, whether it is left out where it is 0 for all }
local LINES = {
  { "makespan", "makespan", duration },
  { "makespan / lower bound", "ratio", plain "%.4f" },
  { "bounded slowdown, mean", "bsld_mean", plain "%.2f" },
  { "  median", "bsld_p50", plain "%.2f" },
  { "  95% below", "bsld_p95", plain "%.2f" },
  { "  largest", "bsld_max", plain "%.2f" },
  { "wait, mean", "wait_mean", duration },
  { "  median", "wait_p50", duration },
  { "  95% below", "wait_p95", duration },
  { "  longest", "wait_max", duration },
  { "flow time, mean", "flow_mean", duration },
  { "utilisation", "utilisation", function(value) return ("%.1f%%"):format(100 * value) end },
  { "attempts", "starts", plain "%d" },
  { "failed attempts", "failures", plain "%d", true },
  { "jobs killed", "killed", plain "%d", true },
  { "jobs redirected", "redirected", plain "%d", true },
  { "attempts preempted", "preempted", plain "%d", true },
  { "attempts lost to nodes", "node_failures", plain "%d", true },
  { "processor-hours lost", "work_lost", processor_hours, true },
}

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
  for _, line in ipairs(LINES) do
    local values = {}
    for i, metrics in ipairs(scenarios) do values[i] = metrics[line[2]] end
    if values[1] and not (line[4] and not any(values)) then
      local row = { line[1] }
      for i, value in ipairs(values) do row[i + 1] = line[3](value) end
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
  local first, last = math.huge, -math.huge
  for _, submit in ipairs(set.metrics:jobs(1, "submit")) do
    first, last = math.min(first, submit), math.max(last, submit)
  end
  if last <= first then return nil end
  local area = set.jobs:mean_area() * #set.jobs
  return ("submitted over %s: %.1f%% of the machine's time in that span"):format(
    duration(last - first), 100 * area / (result.procs * (last - first)))
end

-- --- weeks --------------------------------------------------------------------------------------

local function interval(weekly, format, scale)
  local signed = format:gsub("%%", "%%+")
  return (signed .. " [" .. signed .. ", " .. signed .. "]%s"):format(weekly.mean / scale,
    weekly.low / scale, weekly.high / scale, weekly.significant and " *" or "")
end

-- Lines on the differences from the first policy; nil where the log has less than two weeks, or the
-- jobs' times were not kept.
function summary.weeks(result)
  if #result.policies < 2 or not result.sets[1].metrics:has_jobs() then return nil end
  local weeks = result:weekly(1, 2).count
  if weeks < 2 then return nil end
  local rows = { { "", "mean bounded slowdown", "mean wait (h)" } }
  for i = 2, #result.policies do
    rows[i] = {
      result:label(i), interval(result:weekly(1, i, "bsld_mean"), "%.3f", 1),
      interval(result:weekly(1, i, "wait_mean"), "%.3f", 3600),
    }
  end
  local lines = orrery.tools.columns(rows)
  table.insert(lines, 1, ("difference from %s, 95%% interval over %d paired weeks (* leaves out "
    .. "0%s):"):format(result:label(1), weeks, weeks < 10 and "; of few weeks: too short" or ""))
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
