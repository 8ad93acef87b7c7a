-- figure: pictures of several panels with curves and the intervals of their points, drawn by
-- gnuplot as PNG and SVG.
--
--   figure.write("results/x/figure-2", {
--     title = "...", columns = 2,               -- panels in a row
--     panel = { 360, 270 },                     -- width and height of one, in units of the SVG
--     curves = { "LPT", "SPT" },                -- all curves, in the order of the legend
--     panels = { {
--       title = "R-LIST-0", x = "...", y = "...",     -- labels of the axes
--       xrange = { 0, 0.9 }, yrange = { 1 },          -- { least, most }; nil: from the data
--       logx = false, logy = false,
--       xticks = { { 1, "first" }, ... },             -- instead of numbers
--       xstep = 5000,                                 -- between ticks; nil: from the data
--       top = { { 1, "15" }, ... },                   -- ticks of the upper axis
--       curves = { LPT = { { x, mean, half_width }, ... }, ... },
--     }, ... },
--   })
--
-- A half_width that is nil or nan is not drawn. marks = false leaves out the marks, bars = true
-- draws intervals as bars where bands would hide each other, lines = false draws no lines, thin =
-- true draws thin ones, legend = false leaves it out. styles = { LPT = { colour = "#000000",
-- mark = 7, dash = 2, marks = false } } says how single curves look, in gnuplot's numbers.

local gnuplot = require "orrery.draw.gnuplot"
local terminal = require "orrery.draw.terminal"

local figure = {}

local quote = gnuplot.quote
local LEGEND = 34 -- height of a row of the legend
local TITLE = 34

local function finite(value) return value and value - value == 0 end

local function block(name, points)
  local lines = { ("$%s << EOD"):format(name) }
  for _, point in ipairs(points) do
    local half = finite(point[3]) and point[3] or 0
    lines[#lines + 1] = ("%.17g %.17g %.17g"):format(point[1], point[2], half)
  end
  lines[#lines + 1] = "EOD"
  return table.concat(lines, "\n")
end

local function range(axis, limits)
  if not limits then return ("set %srange [*:*]"):format(axis) end
  local function limit(value) return value and ("%.17g"):format(value) or "*" end
  return ("set %srange [%s:%s]"):format(axis, limit(limits[1]), limit(limits[2]))
end

local function ticks(axis, list, rotation)
  local cells = {}
  for i, tick in ipairs(list) do cells[i] = ("%s %.17g"):format(quote(tick[2]), tick[1]) end
  return ("set %stics (%s) scale 0.3%s"):format(axis, table.concat(cells, ", "), rotation or "")
end

-- How a curve looks: { line =, band = } of gnuplot's `with`.
local function look(spec, i)
  local own = (spec.styles or {})[spec.curves[i]] or {}
  local colour, mark = gnuplot.style(i)
  colour, mark = own.colour or colour, own.mark or mark
  local line = ("lc rgb '%s' pt %d ps 0.8 lw %g dt %d"):format(colour, mark,
    spec.thin and 0.6 or 1.3, own.dash or 1)
  local bare = own.marks == false or own.marks == nil and spec.marks == false
  local with = spec.lines == false and "points" or bare and "lines" or "linespoints"
  return {
    line = ("with %s %s"):format(with, line),
    band = spec.bars and ("with yerrorbars lc rgb '%s' pt %d ps 0 lw 0.8"):format(colour, mark)
      or ("with filledcurves lc rgb '%s' fs transparent solid 0.22 noborder"):format(colour),
    columns = spec.bars and "1:2:3" or "1:($2-$3):($2+$3)",
  }
end

local function plots_of(spec, panel, number, out)
  local bands, lines = {}, {}
  for i, name in ipairs(spec.curves) do
    local points = panel.curves[name]
    if points and #points > 0 then
      local data, style = ("d%d_%d"):format(number, i), look(spec, i)
      out[#out + 1] = block(data, points)
      bands[#bands + 1] = ("$%s using %s %s notitle"):format(data, style.columns, style.band)
      lines[#lines + 1] = ("$%s using 1:2 %s notitle"):format(data, style.line)
    end
  end
  table.move(lines, 1, #lines, #bands + 1, bands)
  return table.concat(bands, ", \\\n  ")
end

local function panel_script(spec, panel, number, out)
  local function add(line) out[#out + 1] = line end
  local plots = plots_of(spec, panel, number, out)
  add(("set label 1 %s at graph 0.5, graph 1 center offset 0, %g"):format(quote(panel.title),
    panel.top and 2.8 or 0.9))
  add("set xlabel " .. quote(panel.x) .. " offset 0, 0.4")
  add("set ylabel " .. quote(panel.y) .. " offset 1, 0")
  add(panel.logx and "set logscale x" or "unset logscale x")
  add(panel.logy and "set logscale y" or "unset logscale y")
  add(range("x", panel.xrange))
  add(range("y", panel.yrange))
  add(panel.xticks and ticks("x", panel.xticks)
    or panel.xstep and ("set xtics %.17g scale 0.5"):format(panel.xstep)
    or "set xtics autofreq scale 0.5")
  if panel.top then
    add(ticks("x2", panel.top, " rotate by 60 left font ',8' offset -0.3, -0.4"))
    add((range("x", panel.xrange):gsub("xrange", "x2range")))
  else
    add "unset x2tics"
  end
  add("plot " .. plots)
end

-- The names of the curves below the panels, as many in a row as there is place for.
local function legend(spec, height, rows)
  local keys = {}
  for i, name in ipairs(spec.curves) do
    keys[i] = ("NaN %s title %s"):format(look(spec, i).line, quote(name))
  end
  return table.concat({
    "set origin 0, 0",
    ("set size 1, %.5f"):format(rows * LEGEND / height),
    "unset label", "unset xlabel", "unset ylabel", "unset tics", "unset border", "unset grid",
    "unset logscale", "set lmargin 0", "set rmargin 0", "set tmargin 0", "set bmargin 0",
    ("set key center center horizontal Left reverse maxrows %d width 1 samplen 2.5"):format(rows),
    "set xrange [0:1]", "set yrange [0:1]",
    "plot " .. table.concat(keys, ", "),
  }, "\n")
end

-- Width and height of the whole, and the number of rows of the legend.
local function layout(spec)
  local rows = math.ceil(#spec.panels / spec.columns)
  local width, letters = spec.columns * spec.panel[1], 0
  for _, name in ipairs(spec.curves) do letters = math.max(letters, utf8.len(name)) end
  local in_row = math.max(1, width // (letters * 9 + 60))
  local legend_rows = spec.legend == false and 0 or math.ceil(#spec.curves / in_row)
  return width, rows * spec.panel[2] + legend_rows * LEGEND + TITLE, legend_rows
end

local function top_margin(spec)
  for _, panel in ipairs(spec.panels) do
    if panel.top then return 4.2 end
  end
  return 1.8
end

local function script(spec, path, file)
  local width, height, legend_rows = layout(spec)
  local out = {
    gnuplot.terminal(path, file, width, height),
    "set multiplot title " .. quote(spec.title) .. " font ',16'",
    "unset key", "set border 3", "set tics nomirror", "set errorbars 0",
    "set grid ytics lc rgb '#dddddd' lt 1", "set lmargin 9", "set rmargin 3",
    "set bmargin 3.2", "set tmargin " .. top_margin(spec),
  }
  for i, panel in ipairs(spec.panels) do
    out[#out + 1] = gnuplot.place(spec, i, TITLE, height)
    panel_script(spec, panel, i, out)
  end
  if legend_rows > 0 then out[#out + 1] = legend(spec, height, legend_rows) end
  out[#out + 1] = "unset multiplot"
  return table.concat(out, "\n")
end

-- Draws to path; complete or not at all.
function figure.draw(path, spec)
  gnuplot.draw(path, function(file) return script(spec, path, file) end)
end

-- Draws base.png and base.svg; each is complete or not there.
function figure.write(base, spec)
  figure.draw(base .. ".png", spec)
  figure.draw(base .. ".svg", spec)
end

-- The first panel as text. settled: width, height, colour, unicode of the terminal.
function figure.text(spec, settled)
  local panel, plots = spec.panels[1], {}
  local out = {
    ("set terminal dumb size %d, %d %s"):format(math.max(settled.width, 20),
      math.max(settled.height - 1, 8), settled.colour and "ansi256" or "mono"),
    "set tics nomirror scale 0.5", "set border 3", "set key outside bottom center Left reverse",
    "set title " .. quote(spec.title), "set xlabel " .. quote(panel.x),
    panel.logx and "set logscale x" or "", range("x", panel.xrange), range("y", panel.yrange),
  }
  for i, name in ipairs(spec.curves) do
    out[#out + 1] = block("d" .. i, panel.curves[name])
    plots[i] = ("$d%d using 1:2 with lines lt %d title %s"):format(i, i, quote(name))
  end
  out[#out + 1] = "plot " .. table.concat(plots, ", ")
  return terminal.cut(panel.y, settled.width, settled.unicode) .. "\n"
    .. gnuplot.text(table.concat(out, "\n"))
end

return figure
