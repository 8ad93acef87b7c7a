-- A session's timeline as a file: CSV, or a picture of busy processors and waiting jobs over time.
local command = require "lib.command"
local csv = require "lib.csv"
local gnuplot = require("orrery").draw.gnuplot
local orrery = require "orrery"

local timeline = {}

local COLUMNS = { "time", "busy", "running", "waiting", "waiting_procs" }
local MOST_POINTS = 2000 -- of a curve; more cannot be told apart

-- Refuses early what would fail after the run.
function timeline.check(path)
  if gnuplot.draws(path) and not gnuplot.installed() then
    command.fail("--timeline %s wants gnuplot, which is not installed (Debian: gnuplot-nox); any "
      .. "name that does not end in .png or .svg is CSV", path)
  end
end

-- --- the picture --------------------------------------------------------------------------------

-- The mean of a field over each of n equal parts of the time: { begin, mean }. The last step is
-- the end of it all.
local function means(steps, field, n)
  local first, last = steps[1].time, steps[#steps].time
  local width, points, at = (last - first) / n, {}, 1
  for part = 1, n do
    local from, to, sum = first + (part - 1) * width, first + part * width, 0
    while at < #steps and steps[at + 1].time <= from do at = at + 1 end
    local i = at
    while i <= #steps and steps[i].time < to do
      local begins = math.max(steps[i].time, from)
      local ends = math.min(steps[i + 1] and steps[i + 1].time or to, to)
      sum = sum + steps[i][field] * (ends - begins)
      i = i + 1
    end
    points[part] = { from, sum / width }
  end
  points[n + 1] = { last, steps[#steps][field] }
  return points
end

local function points_of(steps, field)
  if #steps > MOST_POINTS and steps[#steps].time > steps[1].time then
    return means(steps, field, MOST_POINTS)
  end
  local points = {}
  for i, step in ipairs(steps) do points[i] = { step.time, step[field] } end
  return points
end

local UNITS = { { "d", 86400 }, { "h", 3600 }, { "s", 1 } }

local function block(name, points, first, unit)
  local lines = { ("$%s << EOD"):format(name) }
  for i, point in ipairs(points) do
    lines[i + 1] = ("%.10g %.10g"):format((point[1] - first) / unit, point[2])
  end
  lines[#lines + 1] = "EOD"
  return table.concat(lines, "\n")
end

local function script(steps, path, file, title, procs)
  local first, span = steps[1].time, steps[#steps].time - steps[1].time
  local unit = 1
  while UNITS[unit + 1] and span < 3 * UNITS[unit][2] do unit = unit + 1 end
  local colours = { gnuplot.style(1), (gnuplot.style(2)) }
  return table.concat({
    gnuplot.terminal(path, file, 900, 525),
    block("busy", points_of(steps, "busy"), first, UNITS[unit][2]),
    block("waiting", points_of(steps, "waiting"), first, UNITS[unit][2]),
    "set border 3", "set tics nomirror", "set grid lc rgb '#dddddd' lt 1", "unset key",
    ("set xrange [0:%s]"):format(span > 0 and ("%.10g"):format(span / UNITS[unit][2]) or "1"),
    "set multiplot layout 2,1 title " .. gnuplot.quote(title),
    "set lmargin 10", ("set yrange [0:%d]"):format(procs),
    "set ylabel 'Busy processors'",
    ("plot $busy using 1:2 with fillsteps lc rgb '%s' fs solid 0.6"):format(colours[1]),
    "set yrange [0:*]", "set ylabel 'Waiting jobs'",
    ("set xlabel 'Time (%s)'"):format(UNITS[unit][1]),
    ("plot $waiting using 1:2 with fillsteps lc rgb '%s' fs solid 0.6"):format(colours[2]),
    "unset multiplot",
  }, "\n")
end

-- --- the file -----------------------------------------------------------------------------------

-- Writes the timeline of a finished session; title: of the picture.
function timeline.write(session, path, title)
  local steps = session:timeline()
  if not gnuplot.draws(path) then
    orrery.tools.write_file(path, csv.text(COLUMNS, steps))
    return
  end
  if #steps == 0 then steps = { { time = 0, busy = 0, waiting = 0 } } end
  gnuplot.draw(path, function(file)
    return script(steps, path, file, title, session.procs)
  end)
end

return timeline
