-- plot: the common pictures of a sweep, drawn by gnuplot from its records.
--
--   curves  a metric's mean over an axis, a curve per value of another, with its 95% interval
--   heat    the mean over two axes, as colours
--   boxes   how the cells' means spread, a box per value of an axis and of another
--
-- What a point stands for: the cells that have its values, whatever they have on the other axes. Of
-- one cell the interval is that of its runs, of several that of the mean over the cells.
local command = require "orrery.command.command"
local csv = require "orrery.command.csv"
local gnuplot = require("orrery").draw.gnuplot
local lists = require "orrery.command.lists"
local orrery = require "orrery"
local output = require "orrery.command.output"

local plot = {}

local quote = gnuplot.quote

plot.KINDS = { "curves", "heat", "boxes" }

local OPTIONS = { "x", "y", "by", "kind" }

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
  elseif given.x == given.by then
    command.misuse("--x and --by name the same axis, %s", given.x)
  end
  output.check_gnuplot()
end

local function check_one(option, name, known)
  for _, one in ipairs(known) do
    if one == name then return end
  end
  command.misuse("--%s: expected one of %s, found '%s'%s", option, table.concat(known, ", "), name,
    orrery.tools.suggestion(name, known))
end

-- Refuses axes and a metric that a sweep of these columns and metrics does not have.
function plot.check_names(given, columns, metrics)
  local axes = table.move(columns, 2, #columns, 1, {}) -- the first is the cell
  check_one("x", given.x, axes)
  if given.by then check_one("by", given.by, axes) end
  check_one("y", given.y, metrics)
end

-- The rows of the records, as tables by column.
local function rows_of(sweep)
  local lines, rows, columns = sweep:summary(), {}, nil
  for line in lines:gmatch "[^\n]+" do
    local cells = csv.cells(line)
    if columns then
      local row = {}
      for c, name in ipairs(columns) do row[name] = cells[c] end
      rows[#rows + 1] = row
    else
      columns = cells
    end
  end
  return rows
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

local function means(list)
  local values = {}
  for _, row in ipairs(list) do values[#values + 1] = tonumber(row.mean) end
  return values
end

-- Mean and half its interval.
local function point(list)
  if #list == 1 then return tonumber(list[1].mean), tonumber(list[1].half_width) or 0 end
  local summary = orrery.summary(means(list))
  return summary.mean, summary.half_width == summary.half_width and summary.half_width or 0
end

local function all_numbers(list)
  for _, text in ipairs(list) do
    if not tonumber(text) then return false end
  end
  return true
end

local MOST_TICKS = 12

-- Where values lie: their numbers, or their places; and the ticks there, nil for gnuplot's own.
local function scale_of(list)
  local numbers, ticks = all_numbers(list), {}
  local function at(text) return numbers and tonumber(text) or list[text] end
  for i, text in ipairs(list) do ticks[i] = { at(text), text } end
  return at, not (numbers and #list > MOST_TICKS) and gnuplot.ticks("x", ticks) or ""
end

local function head(data, given, path, file)
  local _, ticks = scale_of(data.xs)
  return {
    gnuplot.terminal(path, file, 720, 480), "set xlabel " .. quote(given.x),
    "set ylabel " .. quote(given.kind == "heat" and given.by or given.y), "set border 3",
    "set tics nomirror", "set grid ytics lc rgb '#dddddd' lt 1", "set offsets graph 0.03, "
      .. "graph 0.03, graph 0.05, graph 0.05",
    "set key outside below center horizontal reverse Left spacing 1.3 samplen 2",
    ticks,
  }
end

-- The ticks of values at 1, 2, ... (or from another first place on).
local function places(axis, list, first)
  local ticks = {}
  for i, text in ipairs(list) do ticks[i] = { i - 1 + (first or 1), text } end
  return gnuplot.ticks(axis, ticks, " scale 0")
end

-- What gnuplot calls the curve or the boxes of a value.
local function title(given, by) return given.by and "title " .. quote(by) or "notitle" end

local function curves(data, given, path, file)
  local out, plots, at = head(data, given, path, file), {}, scale_of(data.xs)
  for i, by in ipairs(data.bys) do
    local colour, mark = gnuplot.style(i)
    local points = {}
    for _, x in ipairs(data.xs) do
      local list = data.samples[by][x]
      if list then points[#points + 1] = { at(x), point(list) } end
    end
    out[#out + 1] = gnuplot.block("d" .. i, points)
    table.insert(plots, i, ("$d%d using 1:($2-$3):($2+$3) with filledcurves lc rgb '%s' fs "
      .. "transparent solid 0.22 noborder notitle"):format(i, colour))
    plots[#plots + 1] = ("$d%d using 1:2 with linespoints lc rgb '%s' pt %d ps 0.9 lw 1.3 %s")
      :format(i, colour, mark, title(given, by))
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
      points[#points + 1] = { x - 1, b - 1, list and (point(list)) or 0 / 0 }
    end
    points[#points + 1] = {}
  end
  return lists.joined(out, { places("x", data.xs, 0), places("y", data.bys, 0),
    gnuplot.block("d", points), "unset key", "unset grid", "set offsets 0, 0, 0, 0",
    "set palette defined (" .. PALETTE .. ")", "set cblabel " .. quote(given.y),
    gnuplot.range("x", { -0.5, #data.xs - 0.5 }), gnuplot.range("y", { -0.5, #data.bys - 0.5 }),
    "plot $d using 1:2:3 with image pixels" })
end

local function boxes(data, given, path, file)
  local out, plots = head(data, given, path, file), {}
  local width = 0.8 / #data.bys
  for i, by in ipairs(data.bys) do
    local colour, points = gnuplot.style(i), {}
    for at, x in ipairs(data.xs) do
      local list = data.samples[by][x]
      if list then
        local q = orrery.quantiles(means(list), { 0, 0.25, 0.5, 0.75, 1 })
        points[#points + 1] = { at + (i - (#data.bys + 1) / 2) * width, table.unpack(q) }
      end
    end
    out[#out + 1] = gnuplot.block("d" .. i, points)
    plots[#plots + 1] = ("$d%d using 1:3:2:6:5:(%.3f) with candlesticks lc rgb '%s' fs solid 0.35 "
      .. "%s whiskerbars 0.5"):format(i, width * 0.8, colour, title(given, by))
    plots[#plots + 1] = ("$d%d using 1:4:4:4:4:(%.3f) with candlesticks lc rgb '#000000' lw 1.5 "
      .. "notitle"):format(i, width * 0.8)
  end
  return lists.joined(out, { places("x", data.xs), gnuplot.range("x", { 0.5, #data.xs + 0.5 }),
    "set style fill solid 0.35", "plot " .. table.concat(plots, ", \\\n  ") })
end

local DRAW = { curves = curves, heat = heat, boxes = boxes }

-- Draws given.plot from the records of a sweep that is complete: given.kind, x, y, by.
function plot.write(sweep, given)
  local data = collect(rows_of(sweep), given)
  gnuplot.draw(given.plot, function(file)
    return table.concat(DRAW[given.kind](data, given, given.plot, file), "\n")
  end)
end

return plot
