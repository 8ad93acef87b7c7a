-- boxes: panels of a figure (figure.lua) with the distributions of samples, as boxes or violins.
--
--   figure.write("results/x/figure-1", {
--     title =, columns =, panel =,             -- as for all figures
--     kind = "violin",                         -- or "box"
--     series = { { name = "mean", colour = "#56B4E9" }, ... },   -- side by side in every group
--     legend = true,                           -- names of the series below the panels
--     together = false,                        -- true: a series in the middle of its group
--     panels = { {
--       title =, x =, y =, logy =, yrange =, yticks =,           -- as for all figures
--       groups = { "1", "2", ... },            -- along the x axis
--       samples = { { { 1.2, 0.9, ... }, ... }, ... },   -- by series, by group; or nil
--       line = 1,                              -- a horizontal line there
--       means = { { { mean, low, high }, ... }, ... },   -- like samples: instead of their mean,
--                                              -- with its interval; nil: as the samples have it
--     }, ... },
--   })
--
-- A box goes from the first to the third quartile, the black line in it is the median, the red
-- square the mean; whiskers end at the last sample within 1.5 times the box, dots are samples
-- beyond. With `means`, fewer than 8 samples are dots alone. A violin is the samples' density (of
-- their logarithms where the axis is logarithmic) around a thin box without whiskers.

local core = require "orrery.core"
local gnuplot = require "orrery.draw.gnuplot"
local lists = require "orrery.support.lists"

local boxes = { labels = { x = 0.2, y = 0.5 }, keys = "width 2 samplen 1.5" }

local quote = gnuplot.quote
local MEAN = "#D62728"
local FEW = 8 -- samples; fewer have no quartiles worth the name

-- --- one list of samples -------------------------------------------------------------------------

local MOST_DOTS = 400 -- of a list of samples; more cannot be told apart

-- Of very many dots only one at each place is kept, and the extremes; log: the axis is logarithmic.
local function thinned(values, log)
  if #values <= MOST_DOTS then return values end
  local low, high = table.unpack(core.values.quantiles(values, { 0, 1 }))
  local function share(x)
    if log then return math.log(x / low) / math.log(high / low) end
    return (x - low) / (high - low)
  end
  local kept, taken = { low, high }, {}
  for _, x in ipairs(values) do
    local place = math.floor(share(x) * MOST_DOTS)
    if not taken[place] then kept[#kept + 1], taken[place] = x, true end
  end
  return kept
end

-- low and high are the ends of the whiskers; beyond: the samples outside.
function boxes.five(samples)
  local q = core.values.quantiles(samples, { 0.25, 0.5, 0.75 })
  local reach = 1.5 * (q[3] - q[1])
  local low, high, beyond = math.huge, -math.huge, {}
  for _, x in ipairs(samples) do
    if x >= q[1] - reach and x <= q[3] + reach then
      low, high = math.min(low, x), math.max(high, x)
    else
      beyond[#beyond + 1] = x
    end
  end
  return { low = low, q1 = q[1], median = q[2], q3 = q[3], high = high, beyond = beyond,
    mean = core.values.summary(samples).mean }
end

-- Silverman's rule, and a small width where all samples are equal.
local function bandwidth(values)
  local s, q = core.values.summary(values), core.values.quantiles(values, { 0.25, 0.75 })
  local spread = math.min(s.sd == s.sd and s.sd or 0, (q[2] - q[1]) / 1.34)
  if spread == 0 then spread = s.sd == s.sd and s.sd or 0 end
  local least = 1e-3 * math.max(1, math.abs(s.mean))
  return math.max(0.9 * spread * (#values) ^ -0.2, least)
end

-- The outline of the density between the least and the greatest sample: list of { y, width }, the
-- widest 1.
function boxes.outline(samples, log)
  local values = lists.map(samples, function(x) return log and math.log(x) or x end)
  local h, s = bandwidth(values), core.values.summary(values)
  local points, most = {}, 0
  for i = 0, 60 do
    local y = s.min + (s.max - s.min) * i / 60
    local sum = 0
    for _, x in ipairs(values) do sum = sum + math.exp(-((y - x) / h) ^ 2 / 2) end
    points[i + 1] = { log and math.exp(y) or y, sum }
    most = math.max(most, sum)
  end
  for _, point in ipairs(points) do point[2] = point[2] / most end
  return points
end

-- --- gnuplot ------------------------------------------------------------------------------------

-- The place of the s-th series in a group, and half of its width.
local function place(spec, group, s)
  if spec.together then return group, 0.33 end
  local n = #spec.series
  local step = 0.8 / n
  return group + (s - (n + 1) / 2) * step, 0.46 * step
end

local function violin(out, name, at, half, samples, colour, log)
  local rows, points = {}, boxes.outline(samples, log)
  for _, point in ipairs(points) do rows[#rows + 1] = { at + half * point[2], point[1] } end
  for i = #points, 1, -1 do rows[#rows + 1] = { at - half * points[i][2], points[i][1] } end
  out[#out + 1] = gnuplot.block(name, rows)
  return ("$%s using 1:2 with filledcurves closed lc rgb '%s' fs transparent solid 0.5 border lc "
    .. "rgb '#555555' notitle"):format(name, colour)
end

-- The parts of all groups of one series: lists of plot commands, the later ones on top.
local function plots_of_series(spec, panel, id, s, out)
  local plots, thin = {}, spec.kind == "violin"
  local bodies, medians, means, beyond, intervals = {}, {}, {}, {}, {}
  local colour = spec.series[s].colour
  for g = 1, #panel.groups do
    local samples = (panel.samples[s] or {})[g]
    if samples and #samples > 0 then
      local at, half = place(spec, g, s)
      local d = boxes.five(samples)
      if thin then
        plots[#plots + 1] = violin(out, ("v%s_%d_%d"):format(id, s, g), at, half, samples, colour,
          panel.logy)
      end
      local width, dots = thin and half * 0.28 or half * 1.7, thin and {} or d.beyond
      local low, high = thin and d.q1 or d.low, thin and d.q3 or d.high
      if panel.means and #samples < FEW then
        dots = samples
      else
        bodies[#bodies + 1] = { at, d.q1, low, high, d.q3, width }
        medians[#medians + 1] = { at, d.median, width }
      end
      local mean = panel.means and panel.means[s][g] or { d.mean }
      means[#means + 1] = { at, mean[1] }
      if mean[2] then intervals[#intervals + 1] = { at, table.unpack(mean) } end
      for _, x in ipairs(thinned(dots, panel.logy)) do beyond[#beyond + 1] = { at, x } end
    end
  end
  local function add(kind, rows, format, ...)
    if #rows == 0 then return end
    local name = ("%s%s_%d"):format(kind, id, s)
    out[#out + 1] = gnuplot.block(name, rows)
    plots[#plots + 1] = "$" .. name .. " " .. format:format(...) .. " notitle"
  end
  add("b", bodies, "using 1:2:3:4:5:6 with candlesticks fc rgb '%s' lw 0.8 fs solid 1 border lc "
    .. "rgb '#444444'", thin and "#FFFFFF" or colour)
  add("m", medians, "using 1:2:2:2:2:3 with candlesticks lc rgb '#000000' lw 2")
  add("o", beyond, "using 1:2 with points pt 7 ps 0.25 lc rgb '#444444'")
  add("x", means, "using 1:2 with points pt 5 ps 0.5 lc rgb '%s'", MEAN)
  add("i", intervals, "using 1:2:3:4 with yerrorbars pt 5 ps 0.5 lw 1.3 lc rgb '%s'", MEAN)
  return plots
end

local function longest_of(panel)
  local longest = 0
  for _, name in ipairs(panel.groups) do longest = math.max(longest, utf8.len(name) or #name) end
  return longest
end

-- Names lie flat where there is room.
local function turned(spec, panel)
  return 6.5 * longest_of(panel) > (spec.panel[1] - 90) / #panel.groups
end

-- The number of text lines below the axis.
local function bottom(spec)
  local lines = 4
  for _, panel in ipairs(spec.panels) do
    if turned(spec, panel) then lines = math.max(lines, 1.5 + 0.28 * longest_of(panel)) end
  end
  return math.min(lines, 12)
end

function boxes.axes(spec, panel, add)
  local ticks = lists.map(panel.groups, function(name, g) return { g, name } end)
  add(gnuplot.range("x", { 0.4, #panel.groups + 0.6 }))
  add(gnuplot.ticks("x", ticks, " scale 0 "
    .. (turned(spec, panel) and "rotate by -45 font ',9'" or "norotate font ',11'")))
end

function boxes.settings(spec)
  return { "set rmargin 1.5", "set bmargin " .. bottom(spec), "set tmargin 1.8",
    "set style fill solid 1" }
end

function boxes.plots(spec, panel, number, out)
  local plots = { panel.line and gnuplot.level(panel.line) }
  for s = 1, #spec.series do
    local more = plots_of_series(spec, panel, tostring(number), s, out)
    table.move(more, 1, #more, #plots + 1, plots)
  end
  return plots
end

function boxes.legend(spec)
  local entries = { ("NaN with points pt 5 ps 0.7 lc rgb '%s' title 'mean'"):format(MEAN) }
  for i, series in ipairs(spec.together and {} or spec.series) do
    entries[i + 1] = ("NaN with boxes fs solid 0.8 lc rgb '%s' title %s"):format(series.colour,
      quote(series.name))
  end
  return entries, spec.legend and 1 or 0
end

return boxes
