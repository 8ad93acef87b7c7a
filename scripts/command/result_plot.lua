-- The rows of result_rows.lua as a picture by gnuplot: one group per q, one point per policy.
local gnuplot = require("orrery").draw.gnuplot
local result_rows = require "orrery.command.result_rows"

local result_plot = {}

local quote = gnuplot.quote

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

local function data_of(list, name, x, scale)
  local points, has_interval = {}, false
  for _, row in ipairs(list) do
    if row.name == name then
      local half = row.stats.half_width
      if half ~= half then half = 0 end
      has_interval = has_interval or half > 0
      points[#points + 1] = { x(row), row.stats.mean / scale, half / scale }
    end
  end
  return points, has_interval
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

local function script(list, metric, path)
  local m = result_rows.metrics[metric]
  local labels, label_at = distinct(list, "label")
  local names = distinct(list, "name")
  local shown, priority = shorten(list, names)
  local first = list[1]
  local out = {
    gnuplot.terminal(path, 900, 525),
    "set title " .. quote(title(list) .. priority),
    "set ylabel " .. quote(m.axis),
    "set xlabel " .. quote(first.q and "Mean failure probability of a job" or ""),
    "set bmargin 4.5",
    "set key outside right center reverse Left spacing 1.3", "set border 3", "set tics nomirror",
    "set grid ytics lc rgb '#dddddd' lt 1", "set xtics scale 0", "set errorbars small",
    gnuplot.range("x", { 0.5, #labels + 0.5 }), "set offsets 0, 0, graph 0.05, graph 0.05",
    ("set yrange [%d<*:*]"):format(metric == "ratio" and 1 or 0),
  }
  local ticks, plots = {}, {}
  for i, label in ipairs(labels) do ticks[i] = { i, label } end
  out[#out + 1] = gnuplot.ticks("x", ticks)
  for i = 1, #labels - 1 do
    out[#out + 1] = ("set arrow from %.1f, graph 0 to %.1f, graph 1 nohead lc rgb '#dddddd'")
      :format(i + 0.5, i + 0.5)
  end
  local step = 0.7 / #names
  for i, name in ipairs(names) do
    local points, has_interval = data_of(list, name, function(row)
      return label_at[row.label] + (i - (#names + 1) / 2) * step
    end, m.scale)
    out[#out + 1] = gnuplot.block("d" .. i, points)
    local colour, mark = gnuplot.style(i)
    plots[i] = ("$d%d using 1:2%s lc rgb '%s' pt %d ps 1.5 title %s"):format(i,
      has_interval and ":3 with yerrorbars" or " with points", colour, mark, quote(shown[i]))
  end
  out[#out + 1] = "plot " .. table.concat(plots, ", \\\n  ")
  return table.concat(out, "\n")
end

-- Draws to path; complete or not at all.
function result_plot.write(list, metric, path)
  gnuplot.draw(path, script(list, metric, path))
end

return result_plot
