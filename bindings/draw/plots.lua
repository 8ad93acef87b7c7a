-- plots: busy processors and waiting jobs over time; metrics of a result as distributions and
-- curves. To PNG or SVG by gnuplot, or into the terminal.

local axis = require "orrery.draw.axis"
local boxes = require "orrery.draw.boxes"
local core = require "orrery.core"
local figure = require "orrery.draw.figure"
local gnuplot = require "orrery.draw.gnuplot"
local metrics = require "orrery.values.metrics"
local model = require "orrery.draw.model"
local options_of = require "orrery.draw.options"
local palette = require "orrery.draw.palette"
local steps = require "orrery.draw.steps"
local terminal = require "orrery.draw.terminal"

local plots = {}

local quote = gnuplot.quote

-- Draws to a file, PNG or SVG, or without a file into the terminal: by to_file(file, options), or
-- to_text(settled, options).
local function plot(file, options, to_text, to_file)
  if file == nil then return options_of.say(to_text(terminal.settle(options), options), options) end
  options_of.ending("plot", file, { "png", "svg" })
  gnuplot.demand()
  to_file(file, options)
end

-- The arguments of both: the file may be left out.
local function arguments(file, options, class)
  if type(file) == "table" and options == nil then file, options = nil, file end
  return file, options_of.checked(options, class)
end

-- --- a session over time ------------------------------------------------------------------------

local WIDTH, HEIGHT = 900, 525
local MOST_POINTS = 1800 -- of a curve; more cannot be told apart

local WHAT = { utilisation = { "busy", "Busy processors" }, queue = { "waiting", "Waiting jobs" } }

-- Points of a step function: each step, or means where the steps are too many.
local function points_of(list, field, m)
  local points = {}
  if #list > MOST_POINTS then
    local width = (m.to - m.from) / MOST_POINTS
    for i, part in ipairs(steps.parts(list, field, m.from, m.to, MOST_POINTS)) do
      points[i] = { m.from + (i - 1) * width, part[1] }
    end
  else
    for _, step in ipairs(list) do
      if step.time > m.to then break end
      if step.time < m.from then points[1] = nil end
      points[#points + 1] = { math.max(step.time, m.from), step[field] }
    end
  end
  points[#points + 1] = { m.to, points[#points] and points[#points][2] or 0 }
  return points
end

-- The processors that are out, as steps.
local function outages(m)
  local changes = { { m.from, 0 } }
  for _, one in ipairs(m.down) do
    local count = one.why == "reserved" and 0 or model.count(one.ranges)
    changes[#changes + 1] = { math.max(one.start, m.from), count }
    if one.finish < math.huge then changes[#changes + 1] = { one.finish, -count } end
  end
  local list = steps.of(changes, "down")
  for _, step in ipairs(list) do step.down = math.min(math.max(step.down, 0), m.procs) end
  return list
end

-- The commands of one panel.
local function panel(m, what, last, out)
  local field, title = table.unpack(WHAT[what])
  local ticks, label = axis.times(m.from, m.to, m.clock and 12 or 9, m.clock, m.zone)
  table.move({
    gnuplot.block(field, points_of(m.steps, field, m)),
    gnuplot.range("y", { 0, what == "utilisation" and m.procs or nil }),
    "set ylabel " .. quote(title), gnuplot.ticks("x", ticks),
    last and "set xlabel " .. quote(label) or "unset xlabel",
  }, 1, 5, #out + 1, out)
  local busy = ("plot $%s using 1:2 with fillsteps lc rgb '%s' fs solid 0.7 "):format(field,
    palette.PALETTE[what == "queue" and 2 or 1])
  if what == "utilisation" and #m.down > 0 then
    out[#out + 1] = gnuplot.block("down", points_of(outages(m), "down", m))
    out[#out + 1] = "set key outside right top Left reverse samplen 1.5"
    out[#out + 1] = busy .. ("title 'busy', $down using 1:(%d-$2) with steps lc rgb '#000000' "
      .. "lw 0.8 dt 2 title 'in service'"):format(m.procs)
  else
    out[#out + 1] = "unset key\n" .. busy .. "notitle"
  end
end

local function session_script(m, list, title, path)
  local out = {
    gnuplot.terminal(path, WIDTH, #list > 1 and HEIGHT or 320),
    "set border 3", "set tics nomirror", "set grid lc rgb '#dddddd' lt 1",
    gnuplot.range("x", { m.from, m.to }), "set lmargin 10",
    "set rmargin " .. (#m.down > 0 and 14 or 3), "set xtics scale 0.5",
    ("set multiplot layout %d,1 title %s"):format(#list, quote(title)),
  }
  for i, what in ipairs(list) do panel(m, what, i == #list, out) end
  out[#out + 1] = "unset multiplot"
  return table.concat(out, "\n")
end

-- A step function as bars of several rows of characters.
local function bars(m, what, settled, out, colours)
  local field, title = table.unpack(WHAT[what])
  local rows = math.max(2, math.min(10, (settled.height - 4) // 2))
  local most = what == "utilisation" and m.procs or 0
  for _, step in ipairs(m.steps) do most = math.max(most, step[field]) end
  local wide = math.max(#tostring(most), 4) + 1
  local parts = steps.parts(m.steps, field, m.from, m.to, math.max(1, settled.width - wide))
  out[#out + 1] = title
  for row = rows, 1, -1 do
    local values = {}
    for i, part in ipairs(parts) do
      local value = what == "utilisation" and part[1] or part[2]
      values[i] = most > 0 and math.min(math.max(value / most * rows - row + 1, 0), 1) or 0
    end
    colours[#out + 1] = palette.PALETTE[what == "queue" and 2 or 1]
    local head = row == rows and tostring(most) or row == 1 and "0" or ""
    out[#out + 1] = (" "):rep(wide - 1 - #head) .. head .. " "
      .. terminal.bars(values, 1, settled.unicode)
  end
  return wide
end

local function session_text(m, list, settled)
  local out, wide, colours = { m.said }, 5, {}
  for _, what in ipairs(list) do wide = bars(m, what, settled, out, colours) end
  local columns = math.max(1, settled.width - wide)
  local ticks, title = axis.times(m.from, m.to, columns / 9, m.clock, m.zone)
  out[#out + 1] = (" "):rep(wide) .. terminal.tick_line(ticks, m.from, m.to, columns)
  out[#out + 1] = (" "):rep(wide) .. title
  return terminal.lines(out, settled, colours)
end

-- Busy processors ("utilisation") and waiting jobs ("queue") over time; both if `what` is nil.
function plots.session(given, file, options)
  file, options = arguments(file, options, "SessionPlotOptions")
  local m = model.of(given, options, "bare")
  local has_queue = m.what == "job" and not options.group
  if options.what ~= nil and not WHAT[options.what] then
    error(("what: expected 'utilisation' or 'queue', found '%s'"):format(tostring(options.what)),
      0)
  elseif options.what == "queue" and not has_queue then
    error("what: tasks have no queue, nor has a part of the machine", 0)
  end
  local list = options.what and { options.what } or has_queue and { "utilisation", "queue" }
    or { "utilisation" }
  return plot(file, options, function(settled) return session_text(m, list, settled) end,
    function(path)
      gnuplot.draw(path, session_script(m, list, options.title or m.policy or m.said, path))
    end)
end

-- --- a result -----------------------------------------------------------------------------------

-- Names of policies, without their common ends.
local function labels_of(result)
  local names, tail = {}, nil
  for i in ipairs(result.policies) do
    names[i] = result:label(i)
    local own = names[i]:match " %+ .*$" or ""
    tail = (tail == nil or tail == own) and own or ""
  end
  if #names > 1 and tail ~= "" then
    for i, name in ipairs(names) do names[i] = name:sub(1, -#tail - 1) end
  end
  return names
end

-- The samples of every policy, a list each, with their description:
--   over         the unit of the samples: "scenario", "set", "run", or "job"
--   one          the description of the metric
--   low, high    the least and the largest sample
--   logarithmic  whether the range is so large that only a logarithmic axis shows it
local function samples_of(result, metric)
  local one = metrics.of(metric)
  local list = { over = #result.sets > 1 and "set" or result.kind.run, low = math.huge,
    high = -math.huge }
  local jobs = one.jobs and result.kind.jobs and result.runs == 1 and #result.sets == 1
  for i in ipairs(result.policies) do
    local ok, samples = true, nil
    if jobs then ok, samples = pcall(result.jobs, result, i, one.jobs) end
    if not jobs or not ok then
      samples, jobs = result:samples(i, metric), jobs and ok
    end
    list[i] = {}
    for s, value in ipairs(samples) do
      list[i][s] = value / one.scale
      list.low, list.high = math.min(list.low, list[i][s]), math.max(list.high, list[i][s])
    end
  end
  if jobs then list.over, one = "job", metrics.of_a_job(metric) end
  list.one = one
  local far = metric:find "^bsld" and 5 or list.over == "job" and 30 -- slowdowns are ratios
  list.logarithmic = far and list.low > 0 and list.high > far * list.low
  return list
end

local function title_of(result, over, one, options)
  if options.title then return options.title end
  local count = over == "job" and result.sets[1].count or over == "set" and #result.sets
    or result.runs
  return ("%s over %d %s%s"):format(one.title:sub(1, 1):upper() .. one.title:sub(2), count, over,
    count == 1 and "" or "s")
end

local WEEKLY = { wait_mean = true, flow_mean = true, bsld_mean = true }

-- The paired differences of every policy from the first one, in the form of samples_of, with
--   base   the first policy, by name; the others are `names`
--   means  for each { mean, low, high }: the difference of the means and its interval, if it exists
-- For a single scenario they are differences of weeks; nil and the reason where these do not exist.
local function differences_of(result, metric)
  local one, names = metrics.of(metric), labels_of(result)
  local single = result.runs * #result.sets == 1
  local list = { one = one, over = single and "week" or #result.sets > 1 and "set"
    or result.kind.run, base = table.remove(names, 1), names = names, means = {}, low = 0,
    high = 0 }
  if #names == 0 then return nil, "differences: there is only one policy" end
  if single and not (result.kind.jobs and WEEKLY[metric]) then
    return nil, "differences: a single scenario has those of waits, flow times and slowdowns over "
      .. "its weeks"
  end
  local paired = not single and result:differences(metric)
  for i = 1, #names do
    local found, values = not single and paired[i + 1] or nil, {}
    if single then
      found = result:weekly(1, i + 1, metric)
      values = found.differences
    else
      local first, own = result:samples(1, metric), result:samples(i + 1, metric)
      for s, value in ipairs(own) do values[s] = value - first[s] end
    end
    local half = found.half_width
    local low = found.low or half and half == half and found.mean - half
    local high = found.high or half and half == half and found.mean + half
    list[i], list.means[i] = {}, { found.mean / one.scale, low and low / one.scale or nil,
      high and high / one.scale or nil }
    for s, value in ipairs(values) do list[i][s] = value / one.scale end
    for _, part in ipairs { list[i], list.means[i] } do
      for _, x in ipairs(part) do
        list.low, list.high = math.min(list.low, x), math.max(list.high, x)
      end
    end
  end
  list.count = #list[1]
  return list
end

-- Whether differences can be drawn.
function plots.has_differences(result, metric)
  return #result.policies > 1 and (result.runs * #result.sets > 1
    or result.kind.jobs and WEEKLY[metric] or false)
end

-- Samples of groups as boxes.lua wants them. more: fields of the panel.
local function grouped(list, groups, title, kind, more)
  local series, columns, means = {}, {}, {}
  for i, name in ipairs(groups) do
    series[i], columns[i], means[i] = { name = name, colour = gnuplot.style(i + (list.base and 1
      or 0)) }, {}, {}
    for g = 1, #list do columns[i][g] = g == i and list[i] or {} end
    means[i][i] = list.means and list.means[i]
  end
  more.title, more.x, more.groups, more.samples = "", "", groups, columns
  more.means = list.means and means
  return { title = title, columns = 1, kind = kind, legend = true, series = series, together = true,
    panel = { math.max(640, 90 * #groups + 160), 400 }, panels = { more } }
end

-- Distributions.
local function box_spec(result, metric, options)
  local list = samples_of(result, metric)
  return grouped(list, labels_of(result), title_of(result, list.over, list.one, options),
    options.kind, { y = list.one.axis, logy = list.logarithmic })
end

local function difference_title(list, options)
  return options.title or ("Difference from %s, paired over %d %s%s"):format(list.base, list.count,
    list.over, list.count == 1 and "" or "s")
end

local function differences_spec(result, metric, options)
  local list, why = differences_of(result, metric)
  if not list then error(why, 0) end
  return grouped(list, list.names, difference_title(list, options), "box",
    { y = "Difference, " .. list.one.axis:gsub("^%u%l", string.lower), line = 0 })
end

-- The share of samples that are not larger.
local function ecdf_points(samples)
  if #samples > 4 * MOST_POINTS then
    local shares, points = {}, {}
    for k = 0, MOST_POINTS do shares[k + 1] = k / MOST_POINTS end
    for k, x in ipairs(core.values.quantiles(samples, shares)) do points[k] = { x, shares[k] } end
    return points
  end
  local sorted = table.move(samples, 1, #samples, 1, {})
  table.sort(sorted)
  local points, n, every = {}, #sorted, math.max(1, #sorted // 1000)
  for i, x in ipairs(sorted) do
    if i == 1 then points[1] = { x, 0 } end
    if i % every == 0 or i == n or i == 1 then
      points[#points + 1] = { x, (i - 1) / n }
      points[#points + 1] = { x, i / n }
    end
  end
  return points
end

-- A panel of curves: points_of(i) gives the points of policy i.
local function curve_spec(result, title, one_panel, points)
  local names = labels_of(result)
  one_panel.title, one_panel.curves = "", {}
  for i, name in ipairs(names) do one_panel.curves[name] = points(i) end
  return { title = title, columns = 1, panel = { 640, 400 }, marks = false, curves = names,
    panels = { one_panel } }
end

local function ecdf_spec(result, metric, options)
  local list = samples_of(result, metric)
  return curve_spec(result, title_of(result, list.over, list.one, options), {
    x = list.one.axis, y = ("Share of the %ss"):format(list.over), yrange = { 0, 1 },
    logx = list.logarithmic,
  }, function(i) return ecdf_points(list[i]) end)
end

-- The mean over the first n scenarios with its interval, for growing n; of several sets, each
-- set's mean over its scenarios.
local function mean_points(result, i, metric, scale)
  local points = {}
  local function add(x, summary)
    points[#points + 1] = { x, summary.mean / scale, summary.half_width / scale }
  end
  if #result.sets > 1 then
    for s in ipairs(result.sets) do add(s, result:summary(i, metric, s)) end
    return points
  end
  local values, first = result:values(i, metric), {}
  local n = #values
  local every, least = math.max(1, n // 200), math.min(n, math.max(2, n // 20))
  for k, value in ipairs(values) do
    first[k] = value
    if k >= least and (k % every == 0 or k == n) then add(k, core.values.summary(first)) end
  end
  return points
end

local function curves_spec(result, metric, options)
  local one = metrics.of(metric)
  local over = #result.sets > 1 and "set" or result.kind.run
  return curve_spec(result, title_of(result, over, one, options), {
    x = #result.sets > 1 and "Set" or ("Number of %ss"):format(over),
    y = "Mean of the " .. one.title .. ", 95% interval",
  }, function(i) return mean_points(result, i, metric, one.scale) end)
end

local SPECS = { box = box_spec, violin = box_spec, differences = differences_spec,
  ecdf = ecdf_spec, curves = curves_spec }

-- --- a result in the terminal -------------------------------------------------------------------

-- The density of samples, in bars.
local function violin_cells(samples, place, columns, unicode)
  local counts, most = {}, 0
  for c = 1, columns do counts[c] = 0 end
  for _, x in ipairs(samples) do
    counts[place(x)] = counts[place(x)] + 1
    most = math.max(most, counts[place(x)])
  end
  return terminal.bars(counts, most, unicode)
end

-- Whiskers, box, mean and median, in characters.
local SIGNS = {
  [true] = { beyond = "·", line = "─", box = "▒", low = "├", high = "┤", mean = "◆",
    median = "█" },
  [false] = { beyond = ".", line = "-", box = "=", low = "|", high = "|", mean = "*",
    median = "#" },
}

local function box_cells(samples, place, columns, signs)
  local cells, d = {}, boxes.five(samples)
  for c = 1, columns do cells[c] = " " end
  for _, x in ipairs(d.beyond) do cells[place(x)] = signs.beyond end
  for c = place(d.low), place(d.high) do cells[c] = signs.line end
  for c = place(d.q1), place(d.q3) do cells[c] = signs.box end
  for _, part in ipairs { "low", "high", "mean", "median" } do
    cells[place(d[part])] = signs[part]
  end
  return table.concat(cells)
end

-- Ticks of a logarithmic axis: 1, 2 and 5 times powers of ten; only the powers on a long axis.
local function logarithmic_ticks(low, high)
  local list, factors = {}, high > 1e3 * low and { 1 } or { 1, 2, 5 }
  for power = math.floor(math.log(low, 10)), math.ceil(math.log(high, 10)) do
    for _, factor in ipairs(factors) do
      local x = factor * 10.0 ^ power
      if x >= low and x <= high then list[#list + 1] = { x, ("%.10g"):format(x) } end
    end
  end
  return list
end

-- A row per policy: its samples as a box or as their density.
local function rows_text(list, names, title, kind, settled)
  local low, high, one = list.low, list.high, list.one
  if high == low then low, high = low - 0.5, high + 0.5 end
  local wide = 6
  for _, name in ipairs(names) do
    wide = math.max(wide, math.min(utf8.len(name) or #name, 24) + 1)
  end
  wide = math.min(wide, settled.width // 2)
  local columns = math.max(settled.width - wide, 1)
  local function place(x)
    local share = list.logarithmic and math.log(x / low) / math.log(high / low)
      or (x - low) / (high - low)
    return math.min(columns, math.max(1, math.floor(share * columns) + 1))
  end
  local out, colours, signs = { title }, {}, SIGNS[not not settled.unicode]
  for i, samples in ipairs(list) do
    local name = terminal.cut(names[i], wide - 1, settled.unicode)
    colours[#out + 1] = palette.of_job(list.base and i + 1 or i)
    out[#out + 1] = name .. (" "):rep(wide - utf8.len(name)) .. (kind == "violin"
      and violin_cells(samples, place, columns, settled.unicode)
      or box_cells(samples, place, columns, signs))
  end
  local ticks = {}
  for i, tick in ipairs(list.logarithmic and logarithmic_ticks(low, high)
    or axis.numbers(low, high, columns / 10)) do
    ticks[i] = { place(tick[1]) - 0.5, tick[2] }
  end
  out[#out + 1] = (" "):rep(wide) .. terminal.tick_line(ticks, 0, columns, columns)
  out[#out + 1] = (" "):rep(wide) .. one.axis .. (kind ~= "violin"
    and ("   %s half of them, %s median, %s mean"):format(signs.box, signs.median, signs.mean)
    or "")
  return terminal.lines(out, settled, colours)
end

local function result_text(result, metric, kind, settled)
  if kind == "differences" then
    local list, why = differences_of(result, metric)
    if not list then error(why, 0) end
    return rows_text(list, list.names, difference_title(list, {}), kind, settled)
  end
  local list = samples_of(result, metric)
  return rows_text(list, labels_of(result), title_of(result, list.over, list.one, {}), kind,
    settled)
end

-- The most informative metric: online the slowdown, else the main metric of the result.
function plots.usual(result)
  if not result.kind.jobs then return result.kind.metric end
  return metrics.is_online(result) and "bsld_mean" or result.kind.metric
end

-- The distribution of a metric over the scenarios, policy by policy: "box", "violin" or "ecdf"; of
-- a single scenario that over the jobs. "differences": paired ones from the first policy. "curves":
-- the mean with its interval over ever more scenarios, of several sets over the sets.
function plots.result(result, file, options)
  file, options = arguments(file, options, "ResultPlotOptions")
  local kind, metric = options.kind or "box", options.metric or plots.usual(result)
  local spec = SPECS[kind]
  if not spec then
    error(("kind: expected 'box', 'violin', 'differences', 'ecdf' or 'curves', found '%s'"):format(
      tostring(kind)), 0)
  end
  result:summary(1, metric) -- an unknown metric is an error that names the known ones
  return plot(file, options, function(settled)
    if spec == box_spec or spec == differences_spec then
      return result_text(result, metric, kind, settled)
    end
    gnuplot.demand()
    return figure.text(spec(result, metric, options), settled)
  end, function(path) figure.draw(path, spec(result, metric, options)) end)
end

return plots
