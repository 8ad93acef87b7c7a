-- plot: the common pictures of a sweep, drawn by gnuplot from its records.
--
--   curves  a metric's mean over an axis, a curve per value of another, with its 95% interval
--   heat    the mean over two axes, as colours
--   boxes   the distribution of the cells' means, a box per value of an axis and of another
--
-- A point stands for the cells that have its values, with any values on the other axes. For one
-- cell the interval is over its runs, for several it is the interval of the mean over the cells.
-- For few cells quartiles and intervals are not reliable: then the cells are shown.
local command = require "orrery.command.command"
local gnuplot = require("orrery").draw.gnuplot
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local output = require "orrery.command.output"

local plot = {}

local quote = gnuplot.quote

plot.KINDS = { "curves", "heat", "boxes" }
plot.LOGS = { "x", "y", "xy", "none" }

local OPTIONS = { "x", "y", "by", "kind", "log" }

-- Refuses early what would fail after the run.
function plot.check(given)
  for _, name in ipairs(given.plot and {} or OPTIONS) do
    if given[name] then command.misuse("--%s goes with --plot", name) end
  end
  if not given.plot then return end
  output.check_picture("plot", given.plot)
  given.kind = given.kind or "curves"
  if not given.x or not given.y then
    command.misuse("--plot wants an axis, --x, and a metric, --y")
  elseif given.kind == "heat" and not given.by then
    command.misuse("--kind heat wants a second axis, --by")
  elseif given.kind ~= "curves" and (given.log or ""):find "x" then
    command.misuse("--log %s goes with curves: %s has a place for each value", given.log,
      given.kind)
  elseif given.x == given.by then
    command.misuse("--x and --by name the same axis, %s", given.x)
  end
  output.check_gnuplot()
end

-- Whether all texts are numbers, above `bound` where it is given.
local function all_numbers(list, bound)
  return not lists.find(list, function(text)
    return not (tonumber(text) and tonumber(text) > (bound or -math.huge))
  end)
end

-- Refuses axes and a metric that a sweep does not have; it is described as in a manifest.
function plot.check_names(given, of)
  local names, values = table.move(of.columns, 2, #of.columns, 1, {}), {} -- the first is the cell
  for _, axis in ipairs(of.axes) do values[axis.name] = axis.values end
  command.check_one("x", given.x, names)
  if given.by then command.check_one("by", given.by, names) end
  command.check_one("y", given.y, of.metrics)
  if (given.log or ""):find "x" and not all_numbers(values[given.x] or { "a policy" }, 0) then
    command.misuse("--log %s: the values of %s are not all numbers above 0", given.log, given.x)
  end
end

-- Keys in the order of their first appearance; key -> place.
local function place(places, key)
  if not places[key] then
    places[#places + 1] = key
    places[key] = #places
  end
end

local function collect(rows, given)
  local xs, bys, samples = {}, {}, {}
  for _, row in ipairs(rows) do
    if row.metric == given.y then
      local x, by = row[given.x], given.by and row[given.by] or ""
      place(xs, x)
      place(bys, by)
      samples[by] = samples[by] or {}
      samples[by][x] = samples[by][x] or {}
      table.insert(samples[by][x], row)
    end
  end
  return { xs = xs, bys = bys, samples = samples }
end

-- The means of cells, in the unit that people read.
local function means(data, list)
  return lists.map(list, function(row) return tonumber(row.mean) / data.metric.scale end)
end

local FEWEST = 8 -- cells in a box, and for an interval

-- The means of cells that are shown one by one because they are few; nil: not few.
local function few(data, list)
  return #list > 1 and #list < FEWEST and means(data, list) or nil
end

-- Mean and half its interval; 0 where it has none.
local function point(data, list)
  local values = means(data, list)
  if #list == 1 then
    return values[1], (tonumber(list[1].half_width) or 0) / data.metric.scale
  end
  local summary = orrery.summary(values)
  return summary.mean, #list >= FEWEST and summary.half_width or 0
end

-- --- axes ---------------------------------------------------------------------------------------

local DECADES = 1000 -- as much as this from the least to the most, and the axis is logarithmic

-- The smallest and the largest of ends(values, list) over all drawn values.
local function extent(data, ends)
  local least, most = math.huge, -math.huge
  for _, of_by in pairs(data.samples) do
    for _, list in pairs(of_by) do
      for _, value in ipairs(ends(list)) do
        least, most = math.min(least, value), math.max(most, value)
      end
    end
  end
  return least, most
end

-- Whether the metric's axis is logarithmic: by the option, or by the range of the data.
local function is_log(data, given)
  local least, most = extent(data, function(list)
    return given.kind == "boxes" and means(data, list) or { (point(data, list)) }
  end)
  if given.log == "none" then return false end
  if not (given.log or ""):find "y" then return least > 0 and most >= DECADES * least end
  if least > 0 then return true end
  command.fail("--log %s: %s is not above 0 everywhere, its least is %.6g", given.log, given.y,
    least * data.metric.scale)
end

-- The label of a metric's axis, with its unit.
local function metric_text(one)
  local unit = one.unit or ""
  if unit == "" or one.scale ~= 1 or one.axis:lower():find(unit, 1, true)
    or one.axis:find("(" .. unit .. ")", 1, true) then
    return one.axis
  end
  return ("%s (%s)"):format(one.axis, unit)
end

local function axis_text(name)
  if name == "q" then return "Mean failure probability of a job" end
  for _, class in ipairs { "runs.JobsSpec.c", "runs.TasksSpec.c" } do
    for _, field in ipairs(orrery.tools.fields_of(class)) do
      if field[1] == name and (field.unit or "") ~= "" then
        return ("%s (%s)"):format(name, field.unit)
      end
    end
  end
  return name
end

local MOST_TICKS = 12

-- Long texts side by side run into each other.
local function slant(list)
  return #table.concat(list, "  ") > 75 and " rotate by -30" or ""
end

-- The places of values: numbers, or positions; and the ticks, nil for gnuplot's own.
local function scale_of(list)
  local numbers, ticks = all_numbers(list), {}
  local function at(text) return numbers and tonumber(text) or list[text] end
  for i, text in ipairs(list) do ticks[i] = { at(text), text } end
  return at, not (numbers and #list > MOST_TICKS) and gnuplot.ticks("x", ticks, slant(list)) or ""
end

-- The lower end of an interval; on a logarithmic axis it is limited to a value not far below the
-- mean.
local function low_end(data, mean, half)
  return data.log and math.max(mean - half, mean / 10) or mean - half
end

-- A logarithmic axis from the smallest to the largest value, with ticks also for a small range.
local function log_scale(axis, least, most, ticks)
  local list, from, to = {}, math.floor(math.log(least, 10)), math.ceil(math.log(most, 10))
  for power = from, to do
    for _, factor in ipairs(to - from > 3 and { 1 } or { 1, 2, 5 }) do
      list[#list + 1] = { factor * 10.0 ^ power, ("%.10g"):format(factor * 10.0 ^ power) }
    end
  end
  return { "set logscale " .. axis, gnuplot.range(axis, { least / 1.15, most * 1.15 }),
    ticks and gnuplot.ticks(axis, list) or nil }
end

-- The logarithmic axes, and their ranges.
local function scales(data, given)
  local least, most = extent(data, function(list)
    if given.kind == "boxes" then return means(data, list) end
    local mean, half = point(data, list)
    if given.kind == "heat" then return { mean } end
    return few(data, list) or { low_end(data, mean, half), mean + half }
  end)
  local log_x = (given.log or ""):find "x"
  local out = { ("set offsets %s, %s"):format(log_x and "0, 0" or "graph 0.03, graph 0.03",
    data.log and "0, 0" or "graph 0.05, graph 0.05") }
  if log_x then
    local first, last = math.huge, 0
    for _, x in ipairs(data.xs) do
      first, last = math.min(first, tonumber(x)), math.max(last, tonumber(x))
    end
    out = lists.joined(out, log_scale("x", first, last, #data.xs > MOST_TICKS))
  end
  if not data.log then
    out[#out + 1] = least >= 0 and given.kind ~= "heat" and "set yrange [0<*:*]" or nil
  elseif given.kind == "heat" then
    out = lists.joined(out, log_scale("cb", least, most, true))
  else
    out = lists.joined(out, log_scale("y", least, most, true))
  end
  return out
end

local function head(data, given, path)
  local _, ticks = scale_of(data.xs)
  local out = {
    gnuplot.terminal(path, 720, 480 + 14 * math.max(#data.bys - 6, 0)),
    "set xlabel " .. quote(axis_text(given.x)),
    "set ylabel " .. quote(given.kind == "heat" and axis_text(given.by)
      or metric_text(data.metric)), "set border 3",
    "set tics nomirror", "set grid ytics lc rgb '#dddddd' lt 1",
    "set key outside below center horizontal reverse Left spacing 1.3 samplen "
      .. (#data.bys > 8 and 4 or 2), -- dashes want room
    ticks,
  }
  if data.title then out[#out + 1] = "set title " .. quote(data.title) end
  return lists.joined(out, scales(data, given))
end

-- The ticks of values at 1, 2, ... (or from `first` on).
local function places(axis, list, first)
  local ticks = lists.map(list, function(text, i) return { i - 1 + (first or 1), text } end)
  return gnuplot.ticks(axis, ticks, " scale 0" .. (axis == "x" and slant(list) or ""))
end

-- The legend of the curve or the boxes of a value; a policy's name suffices.
local function title(given, by)
  if not given.by then return "notitle" end
  return "title " .. quote(given.by == "policy" and by or given.by .. " = " .. by)
end

local function curves(data, given, path, file)
  local out, plots, at = head(data, given, path, file), {}, scale_of(data.xs)
  for i, by in ipairs(data.bys) do
    local colour, mark, dash = gnuplot.style(i)
    local points, cells = {}, {}
    for _, x in ipairs(data.xs) do
      local list = data.samples[by][x]
      if list then
        local mean, half = point(data, list)
        points[#points + 1] = { at(x), mean, low_end(data, mean, half), mean + half }
        for _, value in ipairs(few(data, list) or {}) do cells[#cells + 1] = { at(x), value } end
      end
    end
    out[#out + 1] = gnuplot.block("d" .. i, points)
    if #cells > 0 then
      out[#out + 1] = gnuplot.block("c" .. i, cells)
      plots[#plots + 1] = ("$c%d using 1:2 with points lc rgb '%s' pt %d ps 0.5 notitle"):format(i,
        colour, mark)
    end
    table.insert(plots, i, ("$d%d using 1:3:4 with filledcurves lc rgb '%s' fs "
      .. "transparent solid 0.22 noborder notitle"):format(i, colour))
    plots[#plots + 1] = ("$d%d using 1:2 with linespoints lc rgb '%s' pt %d dt %d ps 0.9 lw 1.3 %s")
      :format(i, colour, mark, dash, title(given, by))
  end
  out[#out + 1] = "plot " .. table.concat(plots, ", \\\n  ")
  return out
end

-- Cividis, which people with any colour vision see as one scale from dark to light.
local PALETTE = "0 '#00224e', 1 '#35456c', 2 '#666970', 3 '#948e77', 4 '#c8b866', 5 '#fee838'"

local function heat(data, given, path, file)
  local out, points = head(data, given, path, file), {}
  for b, by in ipairs(data.bys) do
    for x, value in ipairs(data.xs) do
      local list = data.samples[by][value]
      points[#points + 1] = { x - 1, b - 1, list and (point(data, list)) or 0 / 0 }
    end
    points[#points + 1] = {}
  end
  return lists.joined(out, { places("x", data.xs, 0), places("y", data.bys, 0),
    gnuplot.block("d", points), "unset key", "unset grid", "set offsets 0, 0, 0, 0",
    "set palette defined (" .. PALETTE .. ")",
    "set cblabel " .. quote(metric_text(data.metric)) .. " offset 1.5",
    gnuplot.range("x", { -0.5, #data.xs - 0.5 }), gnuplot.range("y", { -0.5, #data.bys - 0.5 }),
    "plot $d using 1:2:3 with image pixels" })
end

-- The boxes of a value of --by, and the values drawn as points.
local function boxes_of(data, i)
  local rows, points, width = {}, {}, 0.8 / #data.bys
  for place_of_x, x in ipairs(data.xs) do
    local list, at = data.samples[data.bys[i]][x], place_of_x + (i - (#data.bys + 1) / 2) * width
    local values = list and means(data, list) or {}
    if #values >= FEWEST then
      rows[#rows + 1] = { at, table.unpack(orrery.quantiles(values, { 0, 0.25, 0.5, 0.75, 1 })) }
    else
      for _, value in ipairs(values) do points[#points + 1] = { at, value } end
    end
  end
  return rows, points, width * 0.8
end

local function boxes(data, given, path, file)
  local out, plots = head(data, given, path, file), {}
  for i, by in ipairs(data.bys) do
    local colour, mark = gnuplot.style(i)
    local rows, points, width = boxes_of(data, i)
    if #rows > 0 then
      out[#out + 1] = gnuplot.block("d" .. i, rows)
      plots[#plots + 1] = ("$d%d using 1:3:2:6:5:(%.3f) with candlesticks lc rgb '%s' fs solid "
        .. "0.35 %s whiskerbars 0.5"):format(i, width, colour, title(given, by))
      plots[#plots + 1] = ("$d%d using 1:4:4:4:4:(%.3f) with candlesticks lc rgb '#000000' lw 1.5 "
        .. "notitle"):format(i, width)
    end
    if #points > 0 then
      out[#out + 1] = gnuplot.block("p" .. i, points)
      plots[#plots + 1] = ("$p%d using 1:2 with points lc rgb '%s' pt %d ps 0.9 %s"):format(i,
        colour, mark, #rows > 0 and "notitle" or title(given, by))
    end
  end
  return lists.joined(out, { places("x", data.xs), gnuplot.range("x", { 0.5, #data.xs + 0.5 }),
    "set style fill solid 0.35", "plot " .. table.concat(plots, ", \\\n  ") })
end

local DRAW = { curves = curves, heat = heat, boxes = boxes }

-- Draws given.plot from the records of a complete sweep: given.kind, x, y, by.
function plot.write(sweep, given)
  local data = collect(sweep:rows "summary", given)
  data.metric, data.title = orrery.tools.metrics().of(given.y), sweep.manifest.title
  data.log = is_log(data, given)
  gnuplot.draw(given.plot, table.concat(DRAW[given.kind](data, given, given.plot), "\n"))
end

return plot
