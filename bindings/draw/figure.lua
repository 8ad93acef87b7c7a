-- figure: pictures of several panels, drawn by gnuplot as PNG and SVG: curves with the intervals of
-- their points, or distributions of samples (boxes.lua).
--
--   figure.write("results/x/figure-2", {
--     title = "...", columns = 2,               -- panels in a row
--     panel = { 360, 270 },                     -- width and height of one, in units of the SVG
--     curves = { "LPT", "SPT" },                -- all curves, in the order of the legend
--     panels = { {
--       title = "R-LIST-0", x = "...", y = "...",     -- labels of the axes
--       xrange = { 0, 0.9 }, yrange = { 1 },          -- { least, most }; nil: from the data
--       logx = false, logy = false,
--       xticks = { { 1, "first" }, ... },             -- instead of numbers; yticks likewise
--       xstep = 5000,                                 -- between ticks; nil: from the data
--       top = { { 1, "15" }, ... },                   -- ticks of the upper axis
--       line = 0,                                     -- a horizontal line there
--       curves = { LPT = { { x, mean, half_width }, { x, mean, low, high } ... }, ... },
--     }, ... },
--   })
--
-- An interval that is nil or nan is not drawn. marks = false leaves out the marks, bars = true
-- draws intervals as bars where bands would hide each other, lines = false draws no lines, thin =
-- true draws thin ones, legend = false leaves it out. styles = { LPT = { colour = "#000000",
-- mark = 7, dash = 2, marks = false, lines = false } } says how single curves look, in gnuplot's
-- numbers.

local boxes = require "orrery.draw.boxes"
local gnuplot = require "orrery.draw.gnuplot"
local terminal = require "orrery.draw.terminal"

local figure = {}

local quote = gnuplot.quote
local LEGEND = 34 -- height of a row of the legend
local TITLE = 34 -- height of the title of the whole, where it has one

local function title_height(spec) return spec.title == "" and 0 or TITLE end

-- --- curves -------------------------------------------------------------------------------------

local curves = { labels = { x = 0.4, y = 1 }, keys = "width 1 samplen 2.5" }

local function finite(value) return value and value - value == 0 end

local function block(name, points)
  local rows = {}
  for i, point in ipairs(points) do
    local mean, low, high = point[2], point[3], point[4]
    if not high then low, high = mean - (low or 0), mean + (low or 0) end
    local has = finite(low) and finite(high)
    rows[i] = { point[1], mean, has and low or mean, has and high or mean }
  end
  return gnuplot.block(name, rows)
end

-- The look of a curve: { line =, band = } of gnuplot's `with`.
local function look(spec, i)
  local own = (spec.styles or {})[spec.curves[i]] or {}
  local colour, mark = gnuplot.style(i)
  colour, mark = own.colour or colour, own.mark or mark
  local line = ("lc rgb '%s' pt %d ps 0.8 lw %g dt %d"):format(colour, mark,
    spec.thin and 0.6 or 1.3, own.dash or 1)
  local bare = own.marks == false or own.marks == nil and spec.marks == false
  local with = (spec.lines == false or own.lines == false) and "points" or bare and "lines"
    or "linespoints"
  return {
    line = ("with %s %s"):format(with, line),
    band = spec.bars and ("with yerrorbars lc rgb '%s' pt %d ps 0 lw 0.8"):format(colour, mark)
      or ("with filledcurves lc rgb '%s' fs transparent solid 0.22 noborder"):format(colour),
    columns = spec.bars and "1:2:3:4" or "1:3:4",
  }
end

-- The plot commands of a panel, the later ones on top; their data go to `out`.
function curves.plots(spec, panel, number, out)
  local bands, lines = {}, {}
  if panel.line then bands[1] = gnuplot.level(panel.line) end
  for i, name in ipairs(spec.curves) do
    local points = panel.curves[name]
    if points and #points > 0 then
      local data, style = ("d%d_%d"):format(number, i), look(spec, i)
      out[#out + 1] = block(data, points)
      bands[#bands + 1] = ("$%s using %s %s notitle"):format(data, style.columns, style.band)
      lines[#lines + 1] = ("$%s using 1:2 %s notitle"):format(data, style.line)
    end
  end
  return table.move(lines, 1, #lines, #bands + 1, bands)
end

function curves.axes(_, panel, add)
  add(gnuplot.range("x", panel.xrange))
  add(panel.xticks and gnuplot.ticks("x", panel.xticks, " scale 0.3")
    or panel.xstep and ("set xtics %.17g scale 0.5"):format(panel.xstep)
    or "set xtics autofreq scale 0.5")
  if panel.top then
    add(gnuplot.ticks("x2", panel.top,
      " scale 0.3 rotate by 60 left font ',8' offset -0.3, -0.4"))
    add(gnuplot.range("x2", panel.xrange))
  else
    add "unset x2tics"
  end
end

function curves.settings(spec)
  local top = 1.8
  for _, panel in ipairs(spec.panels) do top = panel.top and 4.2 or top end
  return { "set errorbars 0", "set rmargin 3", "set bmargin 3.2", "set tmargin " .. top }
end

-- The entries of the legend, and the number of rows that fit.
function curves.legend(spec, width)
  local entries, letters = {}, 0
  for i, name in ipairs(spec.curves) do
    entries[i] = ("NaN %s title %s"):format(look(spec, i).line, quote(name))
    letters = math.max(letters, utf8.len(name) or #name)
  end
  local in_row = math.max(1, width // (letters * 9 + 60))
  return entries, spec.legend == false and 0 or math.ceil(#entries / in_row)
end

-- --- the whole ----------------------------------------------------------------------------------

-- Panel i, row after row below the title.
local function panel_script(kind, spec, i, height, out)
  local function add(line) out[#out + 1] = line end
  local panel, column, row = spec.panels[i], (i - 1) % spec.columns, (i - 1) // spec.columns
  add(("set origin %.5f, %.5f\nset size %.5f, %.5f"):format(column / spec.columns,
    1 - (title_height(spec) + (row + 1) * spec.panel[2]) / height, 1 / spec.columns,
    spec.panel[2] / height))
  local plots = kind.plots(spec, panel, i, out)
  add(("set label 1 %s at graph 0.5, graph 1 center offset 0, %g"):format(quote(panel.title),
    panel.top and 2.8 or 0.9))
  add(("set xlabel %s offset 0, %g"):format(quote(panel.x), kind.labels.x))
  add(("set ylabel %s offset %g, 0"):format(quote(panel.y), kind.labels.y))
  add(panel.logx and "set logscale x" or "unset logscale x")
  add(panel.logy and "set logscale y" or "unset logscale y")
  kind.axes(spec, panel, add)
  add(panel.yticks and gnuplot.ticks("y", panel.yticks) or "set ytics autofreq")
  add(gnuplot.range("y", panel.yrange))
  if #plots > 0 or kind == curves then -- groups may all be empty; no curve at all is an error
    add("plot " .. table.concat(plots, ", \\\n  "))
  end
end

local function legend(kind, entries, rows, height)
  return table.concat({
    "set origin 0, 0", ("set size 1, %.5f"):format(rows * LEGEND / height),
    "unset label", "unset xlabel", "unset ylabel", "unset tics", "unset border", "unset grid",
    "unset logscale", "set lmargin 0", "set rmargin 0", "set tmargin 0", "set bmargin 0",
    ("set key center center horizontal Left reverse maxrows %d %s"):format(rows, kind.keys),
    "set xrange [0:1]", "set yrange [0:1]", "plot " .. table.concat(entries, ", "),
  }, "\n")
end

local function script(spec, path)
  local kind = spec.series and boxes or curves
  local width = spec.columns * spec.panel[1]
  local entries, legend_rows = kind.legend(spec, width)
  local height = math.ceil(#spec.panels / spec.columns) * spec.panel[2] + legend_rows * LEGEND
    + title_height(spec)
  local out = {
    gnuplot.terminal(path, width, height),
    "set multiplot title " .. quote(spec.title) .. " font ',16'",
    "unset key", "set border 3", "set tics nomirror", "set grid ytics lc rgb '#dddddd' lt 1",
    "set lmargin 9", table.concat(kind.settings(spec), "\n"),
  }
  for i in ipairs(spec.panels) do panel_script(kind, spec, i, height, out) end
  if legend_rows > 0 then out[#out + 1] = legend(kind, entries, legend_rows, height) end
  out[#out + 1] = "unset multiplot"
  return table.concat(out, "\n")
end

-- Draws to path; complete or not at all.
function figure.draw(path, spec)
  gnuplot.draw(path, script(spec, path))
end

-- Draws base.png and base.svg; each is written whole or not at all.
function figure.write(base, spec)
  figure.draw(base .. ".png", spec)
  figure.draw(base .. ".svg", spec)
end

-- The first panel, of curves, as text. settled: width, height, colour, unicode of the terminal.
function figure.text(spec, settled)
  local panel, plots = spec.panels[1], {}
  local out = {
    ("set terminal dumb size %d, %d %s"):format(math.max(settled.width, 20),
      math.max(settled.height - 1, 8), settled.colour and "ansi256" or "mono"),
    "set tics nomirror scale 0.5", "set border 3", "set key outside bottom center Left reverse",
    "set title " .. quote(spec.title), "set xlabel " .. quote(panel.x),
    panel.logx and "set logscale x" or "", gnuplot.range("x", panel.xrange),
    gnuplot.range("y", panel.yrange),
  }
  for i, name in ipairs(spec.curves) do
    if panel.curves[name] then
      out[#out + 1] = block("d" .. i, panel.curves[name])
      plots[#plots + 1] = ("$d%d using 1:2 with lines lt %d title %s"):format(i, i, quote(name))
    end
  end
  out[#out + 1] = "plot " .. table.concat(plots, ", ")
  return terminal.cut(panel.y, settled.width, settled.unicode) .. "\n"
    .. gnuplot.text(table.concat(out, "\n"))
end

return figure
