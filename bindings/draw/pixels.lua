-- pixels: a Gantt chart as PNG, drawn by gnuplot: for papers and slides, without tooltips and zoom.

local axis = require "orrery.draw.axis"
local gnuplot = require "orrery.draw.gnuplot"
local model = require "orrery.draw.model"
local palette = require "orrery.draw.palette"

local pixels = {}

local quote = gnuplot.quote

-- gnuplot's numbers of fill patterns.
local PATTERNS = { stripes = 4, back = 5, cross = 1, level = 6, upright = 7, dots = 2, pale = 0,
  dark = 3, black = 3 }

local MOST_NAMES = 400

local function colour_number(text)
  local r, g, b = palette.rgb(text)
  return r << 16 | g << 8 | b
end

-- Rows "x y xlow xhigh ylow yhigh colour", as boxxyerror has them.
local function block(name, m, list, colour, out)
  local lines = { ("$%s << EOD"):format(name) }
  for _, box in ipairs(list) do
    local from, to = math.max(box.start, m.from), math.min(box.finish, m.to)
    for _, range in ipairs(box.ranges) do
      lines[#lines + 1] = ("%.10g %d %.10g %.10g %d %d %d"):format(from, range[1], from, to,
        range[1], range[2] + 1, colour(box))
    end
  end
  lines[#lines + 1] = "EOD"
  if #lines > 2 then out[#out + 1] = table.concat(lines, "\n") end
  return #lines > 2
end

local function with_look(m, name)
  local list = {}
  for _, boxes in ipairs { m.boxes, m.over or {} } do
    for _, box in ipairs(boxes) do
      if box.look == name then
        list[#list + 1] = name ~= "running" and box
          or { start = math.max(box.start, m.now or m.from), finish = box.finish,
            ranges = box.ranges }
      end
    end
  end
  return list
end

local function plots_of(m, out)
  local plots = {}
  local function add(name, list, colour, style, title)
    if not block(name, m, list, colour, out) then return end
    plots[#plots + 1] = ("$%s using 1:2:3:4:5:6:7 with boxxyerror lc rgb variable %s %s"):format(
      name, style, title and "title " .. quote(title) or "notitle")
  end
  local edge = #m.boxes <= 400 and not m.over and "border lc rgb '#ffffff'" or "noborder"
  local function grey() return colour_number(palette.DOWN) end
  local function black() return 0 end
  add("down", m.down, grey, "fs solid 1 noborder", "processors that are out")
  add("boxes", m.boxes, function(box)
    return colour_number(palette.JOBS[palette.of(box.who)])
  end, "fs solid 1 " .. edge)
  for _, name in ipairs(palette.ORDER) do
    local look = palette.LOOKS[name]
    add("o_" .. name, with_look(m, name), black, ("fs transparent pattern %d noborder"):format(
      PATTERNS[look[2]]), look[1])
  end
  return plots
end

-- The names that fit.
local function labels(m, width, height, out)
  if #m.boxes > MOST_NAMES then return end
  for _, box in ipairs(m.boxes) do
    local best = box.ranges[1]
    for _, range in ipairs(box.ranges) do
      if range[2] - range[1] > best[2] - best[1] then best = range end
    end
    local from, to = math.max(box.start, m.from), math.min(box.finish, m.to)
    local w = (to - from) / (m.to - m.from) * width * 0.85
    local h = (best[2] - best[1] + 1) / m.procs * height * 0.75
    local length = (utf8.len(box.id) or #box.id) * 8 + 4
    local flat, up = w > length and h > 14, h > length and w > 14
    if flat or up then
      out[#out + 1] = ("set label %s at %.10g, %.10g center %s font ',10' front"):format(
        quote(box.id), (from + to) / 2, (best[1] + best[2] + 1) / 2,
        flat and "" or "rotate by 90")
    end
  end
end

local function ticks_of(list)
  local cells = {}
  for i, tick in ipairs(list) do cells[i] = ("%s %.17g"):format(quote(tick[2]), tick[1]) end
  return table.concat(cells, ", ")
end

local function packs(m, out)
  if not m.packs then return end
  local cells = {}
  for b, pack in ipairs(m.packs) do
    if (pack.finish - pack.start) / (m.to - m.from) > 0.03 then
      cells[#cells + 1] = ("%s %.17g"):format(quote(pack.name), (pack.start + pack.finish) / 2)
    end
    if b > 1 then
      out[#out + 1] = ("set arrow from %.17g, 0 to %.17g, %d nohead lw 1.5 front"):format(
        pack.start, pack.start, m.procs)
    end
  end
  out[#out + 1] = ("set x2range [%.17g:%.17g]\nset x2tics (%s) scale 0"):format(m.from, m.to,
    table.concat(cells, ", "))
end

local function bands(m, out)
  for i, band in ipairs(m.bands or {}) do
    if i > 1 then
      out[#out + 1] = ("set arrow from %.17g, %d to %.17g, %d nohead lw 1.5 front"):format(m.from,
        band.first, m.to, band.first)
    end
    out[#out + 1] = ("set label %s at %.17g, %.1f left offset 0.5, 0"):format(quote(band.name),
      m.to, band.first + band.procs / 2)
  end
end

local function script(m, options, path, file)
  local width = model.number(options, "width", 900, 300, 20000)
  local height = model.number(options, "height", 450, 200, 20000)
  local ticks, title = axis.times(m.from, m.to, width / (m.clock and 75 or 90), m.clock)
  local out = {
    gnuplot.terminal(path, file, width, height),
    ("set title %s.\"\\n\".%s"):format(quote(m.title or m.policy or "Schedule"), quote(m.said)),
    "set border 3", "set tics nomirror out", "set xlabel " .. quote(title),
    "set ylabel 'Processors'", ("set xrange [%.17g:%.17g]"):format(m.from, m.to),
    ("set yrange [0:%d]"):format(m.procs), ("set xtics (%s)"):format(ticks_of(ticks)),
    m.procs <= 10 and "set ytics 1" or "set ytics autofreq",
    "set key outside bottom center horizontal Left reverse", m.bands and "set rmargin 14" or "",
  }
  packs(m, out)
  bands(m, out)
  labels(m, width, height, out)
  local plots = plots_of(m, out)
  plots[#plots + 1] = "NaN notitle"
  out[#out + 1] = "plot " .. table.concat(plots, ", \\\n  ")
  return table.concat(out, "\n")
end

-- Draws a model to path; complete or not at all.
function pixels.draw(m, options, path)
  if not gnuplot.installed() then
    error("gantt: PNG wants gnuplot, which is not installed (Debian: gnuplot-nox)", 0)
  end
  gnuplot.draw(path, function(file) return script(m, options, path, file) end)
end

return pixels
