-- plots: busy processors and waiting jobs over time; metrics of a result as distributions and
-- curves. To PNG or SVG by gnuplot, or into the terminal.

local axis = require "orrery.draw.axis"
local boxes = require "orrery.draw.boxes"
local core = require "orrery.core"
local figure = require "orrery.draw.figure"
local gnuplot = require "orrery.draw.gnuplot"
local metrics = require "orrery.values.metrics"
local model = require "orrery.draw.model"
local palette = require "orrery.draw.palette"
local steps = require "orrery.draw.steps"
local terminal = require "orrery.draw.terminal"

local plots = {}

local quote = gnuplot.quote

-- Refuses a name that cannot be drawn to.
function plots.check_file(file)
  if type(file) ~= "string" or not gnuplot.draws(file) then
    error(("plot: expected the name of a file that ends in .png or .svg, found %s"):format(
      file and ("'%s'"):format(tostring(file)) or "none"), 0)
  elseif not gnuplot.installed() then
    error("plot: gnuplot is not installed (Debian: gnuplot-nox)", 0)
  end
end

-- --- a session over time ------------------------------------------------------------------------

local WIDTH, HEIGHT = 900, 525
local MOST_POINTS = 1800 -- of a curve; more cannot be told apart

local WHAT = { utilisation = { "busy", "Busy processors" }, queue = { "waiting", "Waiting jobs" } }

local function block(name, rows)
  local lines = { ("$%s << EOD"):format(name) }
  for i, row in ipairs(rows) do lines[i + 1] = ("%.10g %.10g"):format(row[1], row[2]) end
  lines[#lines + 1] = "EOD"
  return table.concat(lines, "\n")
end

-- Points of a step function: each step, or where there are too many of them means.
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
  local times, changes = {}, {}
  for _, one in ipairs(m.down) do
    local count = model.count(one.ranges)
    for _, change in ipairs { { math.max(one.start, m.from), count }, { one.finish, -count } } do
      local time = change[1]
      if time < math.huge then
        if not changes[time] then times[#times + 1] = time end
        changes[time] = (changes[time] or 0) + change[2]
      end
    end
  end
  table.sort(times)
  local list, down = { { time = m.from, down = 0 } }, 0
  for i, time in ipairs(times) do
    down = down + changes[time]
    list[i + 1] = { time = time, down = math.min(math.max(down, 0), m.procs) }
  end
  return list
end

-- The commands of one panel.
local function panel(m, what, last, out)
  local field, title = table.unpack(WHAT[what])
  local _, unit = axis.unit(m.to - m.from)
  out[#out + 1] = block(field, points_of(m.steps, field, m))
  out[#out + 1] = ("set yrange [0:%s]"):format(what == "utilisation" and m.procs or "*")
  out[#out + 1] = "set ylabel " .. quote(title)
  local ticks, label = axis.times(m.from, m.to, m.clock and 12 or 9, m.clock)
  local cells = {}
  for i, tick in ipairs(ticks) do cells[i] = ("%s %.17g"):format(quote(tick[2]), tick[1]) end
  out[#out + 1] = ("set xtics (%s)"):format(table.concat(cells, ", "))
  out[#out + 1] = last and "set xlabel " .. quote(label) or "unset xlabel"
  local parts = { ("$%s using 1:2 with fillsteps lc rgb '%s' fs solid 0.7 %s"):format(field,
    palette.PALETTE[what == "queue" and 2 or 1], "notitle") }
  if what == "utilisation" and #m.down > 0 then
    out[#out + 1] = block("down", points_of(outages(m), "down", m))
    parts[1] = parts[1]:gsub("notitle", "title 'busy'")
    parts[2] = ("$down using 1:(%d-$2) with steps lc rgb '#000000' lw 0.8 dt 2 title 'in service'")
      :format(m.procs)
    out[#out + 1] = "set key outside right top Left reverse samplen 1.5"
  else
    out[#out + 1] = "unset key"
  end
  out[#out + 1] = "plot " .. table.concat(parts, ", ")
  return unit
end

local function session_script(m, list, title, path, file)
  local out = {
    gnuplot.terminal(path, file, WIDTH, #list > 1 and HEIGHT or 320),
    "set border 3", "set tics nomirror", "set grid lc rgb '#dddddd' lt 1",
    ("set xrange [%.17g:%.17g]"):format(m.from, m.to), "set lmargin 10",
    "set rmargin " .. (#m.down > 0 and 14 or 3), "set xtics scale 0.5",
    ("set multiplot layout %d,1 title %s"):format(#list, quote(title)),
  }
  for i, what in ipairs(list) do panel(m, what, i == #list, out) end
  out[#out + 1] = "unset multiplot"
  return table.concat(out, "\n")
end

-- A step function as bars of several rows of characters.
local function bars(m, what, settled, out)
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
    local head = row == rows and tostring(most) or row == 1 and "0" or ""
    out[#out + 1] = ((" "):rep(wide - 1 - #head) .. head .. " "
      .. terminal.bars(values, 1, settled.unicode)):gsub(" +$", "")
  end
  return wide
end

local function session_text(m, list, settled)
  local out, wide = { m.said }, 5
  for _, what in ipairs(list) do wide = bars(m, what, settled, out) end
  local columns = math.max(1, settled.width - wide)
  local ticks, title = axis.times(m.from, m.to, columns / 9, m.clock)
  out[#out + 1] = ((" "):rep(wide) .. terminal.tick_line(ticks, m.from, m.to, columns)):gsub(" +$",
    "")
  out[#out + 1] = (" "):rep(wide) .. title
  for i, text in ipairs(out) do out[i] = terminal.cut(text, settled.width, settled.unicode) end
  return table.concat(out, "\n")
end

local SESSION = { "what", "title", "from", "to", "group", "width", "height", "unicode", "text" }

-- Busy processors ("utilisation") and waiting jobs ("queue") over time; both where `what` is nil.
function plots.session(given, file, options)
  if type(file) == "table" and options == nil then file, options = nil, file end
  options = options or {}
  model.check(options, SESSION)
  local m = model.of(given, options, true)
  local has_queue = m.what == "job" and not options.group
  if options.what ~= nil and not WHAT[options.what] then
    error(("what: expected 'utilisation' or 'queue', found '%s'"):format(tostring(options.what)),
      0)
  elseif options.what == "queue" and not has_queue then
    error("what: tasks have no queue, nor has a part of the machine", 0)
  end
  local list = options.what and { options.what } or has_queue and { "utilisation", "queue" }
    or { "utilisation" }
  if file == nil then
    local text = session_text(m, list, terminal.settle(options))
    if options.text then return text end
    io.stdout:write(text, "\n")
    return
  end
  plots.check_file(file)
  gnuplot.draw(file, function(to)
    return session_script(m, list, options.title or m.policy or m.said, file, to)
  end)
end

-- --- a result -----------------------------------------------------------------------------------

local KINDS = { box = true, violin = true, ecdf = true, curves = true }

-- Names of policies, without what all of them have at their ends.
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

-- The samples of every policy, with what they are.
--   over  what there are many of: "scenario", "set", "run", or "job"
local function samples_of(result, metric)
  local one = metrics.of(metric)
  local list, over = {}, #result.sets > 1 and "set" or result.kind.run
  local jobs = one.jobs and result.kind.jobs and result.runs == 1 and #result.sets == 1
  for i in ipairs(result.policies) do
    local ok, samples = true, nil
    if jobs then ok, samples = pcall(result.jobs, result, i, one.jobs) end
    if not jobs or not ok then
      samples, jobs = result:samples(i, metric), jobs and ok
    end
    list[i] = {}
    for s, value in ipairs(samples) do list[i][s] = value / one.scale end
  end
  return list, jobs and "job" or over, jobs and metrics.of_a_job(metric) or one
end

local function spread(list)
  local low, high = math.huge, -math.huge
  for _, samples in ipairs(list) do
    for _, x in ipairs(samples) do low, high = math.min(low, x), math.max(high, x) end
  end
  return low, high
end

local function title_of(result, over, one, options)
  if options.title then return options.title end
  local count = over == "job" and result.sets[1].count or over == "set" and #result.sets
    or result.runs
  return ("%s over %d %s%s"):format(one.title:sub(1, 1):upper() .. one.title:sub(2), count, over,
    count == 1 and "" or "s")
end

-- Distributions as boxes.lua wants them.
local function box_spec(result, metric, kind, options)
  local list, over, one = samples_of(result, metric)
  local low, high = spread(list)
  local series, columns = {}, {}
  for i, name in ipairs(labels_of(result)) do
    series[i] = { name = name, colour = gnuplot.style(i) }
    columns[i] = {}
    for g = 1, #list do columns[i][g] = g == i and list[i] or {} end
  end
  local groups = {}
  for i in ipairs(series) do groups[i] = series[i].name end
  return {
    title = title_of(result, over, one, options), columns = 1, kind = kind, legend = true,
    panel = { math.max(640, 90 * #groups + 160), 400 }, series = series, together = true,
    panels = { { title = "", x = "", y = one.axis, groups = groups, samples = columns,
      logy = over == "job" and low > 0 and high > 30 * low } },
  }
end

-- The share of samples that are not larger.
local function ecdf_points(samples)
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
plots.ecdf_points = ecdf_points

local function curve_spec(result, options, one, over, panel_of)
  local curves = {}
  for i, name in ipairs(labels_of(result)) do curves[i] = name end
  local panel_spec = { title = "", curves = {} }
  for i, name in ipairs(curves) do panel_spec.curves[name] = panel_of(i, panel_spec) end
  return { title = title_of(result, over, one, options), columns = 1, panel = { 640, 400 },
    marks = false, curves = curves, panels = { panel_spec } }
end

local function ecdf_spec(result, metric, options)
  local list, over, one = samples_of(result, metric)
  local low, high = spread(list)
  return curve_spec(result, options, one, over, function(i, panel_spec)
    panel_spec.x, panel_spec.y = one.axis, ("Share of the %ss"):format(over)
    panel_spec.yrange = { 0, 1 }
    panel_spec.logx = over == "job" and low > 0 and high > 30 * low
    return ecdf_points(list[i])
  end)
end

-- The mean over the first n scenarios with its interval, for growing n; of several sets, each
-- set's mean over its scenarios.
local function curves_points(result, i, metric, scale)
  local points = {}
  if #result.sets > 1 then
    for s in ipairs(result.sets) do
      local summary = result:summary(i, metric, s)
      points[s] = { s, summary.mean / scale, summary.half_width / scale }
    end
    return points
  end
  local values, first = result:values(i, metric), {}
  local n = #values
  local every, least = math.max(1, n // 200), math.min(n, math.max(2, n // 20))
  for k, value in ipairs(values) do
    first[k] = value
    if k >= least and (k % every == 0 or k == n) then
      local summary = core.values.summary(first)
      points[#points + 1] = { k, summary.mean / scale, summary.half_width / scale }
    end
  end
  return points
end

local function curves_spec(result, metric, options)
  local one = metrics.of(metric)
  local over = #result.sets > 1 and "set" or result.kind.run
  return curve_spec(result, options, one, over, function(i, panel_spec)
    panel_spec.x = #result.sets > 1 and "Set" or ("Number of %ss"):format(over)
    panel_spec.y = "Mean of the " .. one.title .. ", 95% interval"
    return curves_points(result, i, metric, one.scale)
  end)
end

-- --- a result in the terminal -------------------------------------------------------------------

-- A row per policy: whiskers, box, median; or the density, in bars.
local function box_rows(result, metric, kind, settled)
  local list, over, one = samples_of(result, metric)
  local low, high = spread(list)
  if high == low then low, high = low - 0.5, high + 0.5 end
  local logarithmic = over == "job" and low > 0 and high > 30 * low
  local names, wide = labels_of(result), 6
  for _, name in ipairs(names) do
    wide = math.max(wide, math.min(utf8.len(name) or #name, 24) + 1)
  end
  wide = math.min(wide, settled.width // 2)
  local columns = math.max(settled.width - wide, 1)
  local function place(x)
    local share = logarithmic and math.log(x / low) / math.log(high / low)
      or (x - low) / (high - low)
    return math.min(columns, math.max(1, math.floor(share * columns) + 1))
  end
  local out = { title_of(result, over, one, {}) }
  for i, samples in ipairs(list) do
    local cells = {}
    for c = 1, columns do cells[c] = " " end
    if kind == "violin" then
      local counts, most = {}, 0
      for c = 1, columns do counts[c] = 0 end
      for _, x in ipairs(samples) do
        counts[place(x)] = counts[place(x)] + 1
        most = math.max(most, counts[place(x)])
      end
      cells = { terminal.bars(counts, most, settled.unicode) }
    else
      local d = boxes.five(samples)
      local u = settled.unicode
      for _, x in ipairs(d.beyond) do cells[place(x)] = u and "·" or "." end
      for c = place(d.low), place(d.high) do cells[c] = u and "─" or "-" end
      for c = place(d.q1), place(d.q3) do cells[c] = u and "▒" or "=" end
      cells[place(d.low)], cells[place(d.high)] = u and "├" or "|", u and "┤" or "|"
      cells[place(d.mean)] = u and "◆" or "*"
      cells[place(d.median)] = u and "█" or "#"
    end
    local name = terminal.cut(names[i], wide - 1, settled.unicode)
    out[#out + 1] = name .. (" "):rep(wide - utf8.len(name)) .. table.concat(cells)
  end
  local ticks = {}
  for _, tick in ipairs(axis.numbers(low, high, logarithmic and 40 or columns / 10)) do
    if not logarithmic or tick[1] > 0 then ticks[#ticks + 1] = { place(tick[1]) - 0.5, tick[2] } end
  end
  out[#out + 1] = (" "):rep(wide) .. terminal.tick_line(ticks, 0, columns, columns)
  out[#out + 1] = (" "):rep(wide) .. one.axis .. (kind == "box" and (settled.unicode
    and "   ▒ half of them, █ median, ◆ mean" or "   = half of them, # median, * mean") or "")
  for i, text in ipairs(out) do
    out[i] = terminal.cut(text, settled.width, settled.unicode):gsub(" +$", "")
  end
  return table.concat(out, "\n")
end

local SPECS = { ecdf = ecdf_spec, curves = curves_spec }

local function result_text(result, metric, kind, settled, options)
  if not SPECS[kind] then return box_rows(result, metric, kind, settled) end
  if not gnuplot.installed() then
    error("plot: gnuplot is not installed (Debian: gnuplot-nox)", 0)
  end
  return figure.text(SPECS[kind](result, metric, options), settled)
end

local RESULT = { "metric", "kind", "title", "width", "height", "colour", "unicode", "text" }

-- The metric that says most: online the slowdown, else the one the result is about.
local function usual(result)
  if not result.kind.jobs then return result.kind.metric end
  return metrics.is_online(result) and "bsld_mean" or result.kind.metric
end
plots.usual = usual

-- The distribution of a metric over the scenarios, policy by policy: "box", "violin" or "ecdf"; of
-- a single scenario that over the jobs. "curves": the mean with its interval over ever more
-- scenarios, of several sets over the sets.
function plots.result(result, file, options)
  if type(file) == "table" and options == nil then file, options = nil, file end
  options = options or {}
  model.check(options, RESULT)
  local kind, metric = options.kind or "box", options.metric or usual(result)
  if not KINDS[kind] then
    error(("kind: expected 'box', 'violin', 'ecdf' or 'curves', found '%s'"):format(
      tostring(kind)), 0)
  end
  result:summary(1, metric) -- an unknown metric is an error that names those there are
  if file == nil then
    local text = result_text(result, metric, kind, terminal.settle(options), options)
    if options.text then return text end
    io.stdout:write(text, "\n")
    return
  end
  plots.check_file(file)
  if SPECS[kind] then return figure.draw(file, SPECS[kind](result, metric, options)) end
  boxes.draw(file, box_spec(result, metric, kind, options))
end

return plots
