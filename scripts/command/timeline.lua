-- A session's timeline as a file: CSV, or a picture of busy processors and waiting jobs over time.
local command = require "orrery.command.command"
local csv = require "orrery.command.csv"
local orrery = require "orrery"

local timeline = {}

local COLUMNS = { "time", "busy", "running", "waiting", "waiting_procs" }

-- Refuses early what would fail after the run.
function timeline.check(path)
  if orrery.draw.gnuplot.draws(path) and not orrery.draw.gnuplot.installed() then
    command.fail("--timeline %s wants gnuplot, which is not installed (Debian: gnuplot-nox); any "
      .. "name that does not end in .png or .svg is CSV", path)
  end
end

-- Writes the timeline of a finished session; title: of the picture.
function timeline.write(session, path, title)
  if orrery.draw.gnuplot.draws(path) then
    session:plot(path, { title = title })
  else
    orrery.tools.write_file(path, csv.text(COLUMNS, session:timeline()))
  end
end

return timeline
