-- The rows of result_rows.lua as a picture: one group per q, one point per policy.
local figure = require("orrery").draw.figure
local lists = require "orrery.support.lists"
local result_rows = require "orrery.command.result_rows"

local result_plot = {}

-- The rows' labels and names, each in the order of its first appearance.
local function distinct(list, key)
  local seen, order = {}, {}
  for _, row in ipairs(list) do
    if not seen[row[key]] then
      order[#order + 1] = row[key]
      seen[row[key]] = #order
    end
  end
  return order, seen
end

-- The common part of the names (mostly the priority) is in the title only.
local function shorten(list, names)
  local _, priorities = distinct(list, "priority")
  local only = next(priorities)
  if next(priorities, only) then return names, "" end
  local short = {}
  for i, name in ipairs(names) do
    local tail = " + " .. only
    short[i] = name:sub(-#tail) == tail and name:sub(1, -#tail - 1) or name
  end
  return short, ", priority " .. only
end

-- The number of scenarios behind a point. With --precision points may have different numbers.
local function title(list)
  local sets, least, most = list[1].over == "sets", math.huge, 0
  for _, row in ipairs(list) do
    local n = sets and row.sets or row.runs
    least, most = math.min(least, n), math.max(most, n)
  end
  if most == 1 then return "One scenario" end
  local half = list[1].stats.half_width
  return ("Mean%s over %s%d %s"):format(half == half and " and its 95% interval" or "",
    least < most and least .. " to " or "", most, sets and "sets of jobs" or "scenarios")
end

-- The points of a policy stand side by side with those of the others.
local function figure_of(list, metric)
  local m = result_rows.metrics[metric]
  local labels, label_at = distinct(list, "label")
  local names = distinct(list, "name")
  local shown, priority = shorten(list, names)
  local step, curves = 0.7 / #names, {}
  for i, name in ipairs(names) do
    local of_name = lists.those(list, function(row) return row.name == name end)
    curves[shown[i]] = lists.map(of_name, function(row)
      local s = row.stats
      return { label_at[row.label] + (i - (#names + 1) / 2) * step, s.mean / m.scale,
        (s.low or s.mean - s.half_width) / m.scale, (s.high or s.mean + s.half_width) / m.scale }
    end)
  end
  return { title = title(list) .. priority, columns = 1, panel = { 900, 480 }, curves = shown,
    lines = false, bars = true, panels = { { title = "", y = m.axis, curves = curves,
      x = list[1].q and "Mean failure probability of a job" or "",
      xrange = { 0.5, #labels + 0.5 },
      xticks = lists.map(labels, function(label, i) return { i, label } end) } } }
end

-- Draws to path; complete or not at all.
function result_plot.write(list, metric, path) figure.draw(path, figure_of(list, metric)) end

return result_plot
