-- A co-schedule as a picture: packs one after the other, each task as high as its processors are
-- many, drawn by gnuplot.
local gnuplot = require("orrery").draw.gnuplot

local gantt = {}

local quote = gnuplot.quote
local WIDTH, HEIGHT = 900, 420

-- Seconds in the largest unit of which there are at least 2.
local function unit_of(seconds)
  for _, unit in ipairs { { "d", 86400 }, { "h", 3600 } } do
    if seconds >= 2 * unit[2] then return unit[1], unit[2] end
  end
  return "s", 1
end

-- One task as a rectangle, with its name where there is room for it.
local function rectangle(task, at, scale, total, procs, out)
  local from, to = task.start / scale, task.finish / scale
  local colour = gnuplot.COLOURS[(task.position - 1) % #gnuplot.COLOURS + 1]
  out[#out + 1] = ("set object rectangle from %.17g, %d to %.17g, %d fc rgb '%s' fs solid 0.55 "
    .. "border lc rgb '#444444' lw 0.5"):format(from, at, to, at + task.procs, colour)
  local wide = (to - from) * scale / total * 0.85 * WIDTH > 8 * utf8.len(task.id) + 4
  if wide and task.procs / procs * 0.75 * HEIGHT > 13 then
    out[#out + 1] = ("set label %s at %.17g, %.17g center font ',10' front"):format(quote(task.id),
      (from + to) / 2, at + task.procs / 2)
  end
end

-- Packs are named where there is room for the names.
local function pack_ticks(packs, scale, total)
  local ticks = {}
  for b, pack in ipairs(packs) do
    if pack.cost / total * 0.85 * WIDTH > 8 * #tostring(b) + 12 then
      ticks[#ticks + 1] = ("'P%d' %.17g"):format(b, (pack.start + pack.cost / 2) / scale)
    end
  end
  return table.concat(ticks, ", ")
end

local function script(spec, path, file)
  local last = spec.packs[#spec.packs]
  local total = last.start + last.cost
  local unit, scale = unit_of(total)
  local out = {
    gnuplot.terminal(path, file, WIDTH, HEIGHT),
    "set title " .. quote(spec.title), "unset key", "set border 3", "set tics nomirror out",
    ("set xlabel 'Time (%s)'"):format(unit), "set ylabel 'Processors'",
    ("set xrange [0:%.17g]"):format(total / scale), ("set yrange [0:%d]"):format(spec.procs),
    spec.procs <= 10 and "set ytics 1" or "set ytics autofreq",
    ("set x2range [0:%.17g]"):format(total / scale),
    ("set x2tics (%s) scale 0"):format(pack_ticks(spec.packs, scale, total)),
  }
  local at, pack = 0, 0
  for _, task in ipairs(spec.tasks) do
    if task.pack ~= pack then at, pack = 0, task.pack end
    rectangle(task, at, scale, total, spec.procs, out)
    at = at + task.procs
  end
  for b = 2, #spec.packs do
    local x = spec.packs[b].start / scale
    out[#out + 1] = ("set arrow from %.17g, 0 to %.17g, %d nohead lw 1.5 front"):format(x, x,
      spec.procs)
  end
  out[#out + 1] = "plot NaN notitle"
  return table.concat(out, "\n")
end

-- Draws to path; complete or not at all.
--   spec  { title =, procs =, packs = as result:packs, tasks = as result:schedule gives them }
function gantt.write(path, spec)
  gnuplot.draw(path, function(file) return script(spec, path, file) end)
end

return gantt
