-- What a log says in a terminal, and its plot: what figure.draw is given, by hand.
local orrery = require "orrery"
local figure = require "orrery.draw.figure"
local gnuplot = require "orrery.draw.gnuplot"
local log = require "orrery.draw.log"
local waited_log = require "spec.support.waited_log"

local function figure_of(jobs, options)
  local draw, demand, found = figure.draw, gnuplot.demand, nil
  gnuplot.demand = function() end
  figure.draw = function(path, given) found = { path, given } end
  local done, problem = pcall(jobs.plot, jobs, "a.svg", options)
  figure.draw, gnuplot.demand = draw, demand
  assert(done, problem)
  assert.equal("a.svg", found[1])
  return found[2]
end

describe("the plot of a log", function()
  it("has distributions, hours and the load of days", function()
    local text = waited_log.swf(waited_log.BY_HAND, 4, waited_log.MONDAY)
    local found = figure_of(waited_log.read(text))
    local times, widths, hours, load = table.unpack(found.panels)
    assert.equal("4 jobs, 2 h", found.title)
    assert.same({ 2, { 420, 300 }, false, 4 },
      { found.columns, found.panel, found.marks, #found.panels })
    assert.same({ "runtime", "walltime", "wait", "processors", "submissions", "asked for", "ran" },
      found.curves)
    -- 0, 50, 100, 200 s: the quantile at 0 is no point of a logarithmic axis
    assert.same({ "Times", "Hours", "Share of the jobs", true, { 0, 1 } },
      { times.title, times.x, times.y, times.logx, times.yrange })
    local runtime = times.curves.runtime
    assert.same({ 200, { 75 / 3600, 0.5 }, { 200 / 3600, 1 } },
      { #runtime, runtime[100], runtime[200] })
    assert.near(0.005, runtime[1][2], 1e-15)
    assert.same({ 201, { 25 / 3600, 0 }, { 400 / 3600, 1 } }, { #times.curves.walltime,
      times.curves.walltime[1], times.curves.walltime[201] })
    assert.same({ 200, { 60 / 3600, 1 } }, { #times.curves.wait, times.curves.wait[200] })
    assert.same({ "Widths", "Processors", "Share of the jobs", true, { 0, 1 } },
      { widths.title, widths.x, widths.y, widths.logx, widths.yrange })
    assert.same({ 201, { 1, 0 }, { 3, 0.5 }, { 5, 1 } }, { #widths.curves.processors,
      widths.curves.processors[1], widths.curves.processors[101], widths.curves.processors[201] })
    local of_hours = {}
    for hour = 0, 23 do of_hours[hour + 1] = { hour, 0 } end
    of_hours[23], of_hours[1] = { 22, 3 }, { 0, 1 }
    assert.same({ title = "Submissions by hour", x = "Hour (UTC)", y = "Jobs", yrange = { 0 },
      xrange = { 0, 23 }, xstep = 6, curves = { submissions = of_hours } }, hours)
    -- 600 processor-seconds on 4 processors in a day
    assert.same({ "Load of each day", "Days from the first submission", "Share of the machine",
      { 0 }, 1 }, { load.title, load.x, load.y, load.yrange, load.line })
    for _, name in ipairs { "asked for", "ran" } do
      assert.equal(1, #load.curves[name])
      assert.equal(0, load.curves[name][1][1])
      assert.near(600 / 4 / 86400, load.curves[name][1][2], 1e-15)
    end
  end)

  it("leaves out what is not known, and has parts of more than a day in long logs", function()
    local found = figure_of(orrery.jobs { { procs = 2, runtime = 3600 },
      { procs = 2, runtime = 3600 } }, { title = "mine" })
    assert.same({ "mine", "Times", "Widths", "Submissions by hour", nil }, { found.title,
      found.panels[1].title, found.panels[2].title, found.panels[3].title, found.panels[4] })
    assert.same({ "Hour of the clock", nil, nil }, { found.panels[3].x,
      found.panels[1].curves.walltime, found.panels[1].curves.wait })
    assert.same({ 1, 0 }, found.panels[1].curves.runtime[1])
    found = figure_of(orrery.jobs { { procs = 1, runtime = 0 },
      { procs = 1, runtime = 0, submit = 201 * 24 * 3600 } })
    assert.same({ "Widths", "Submissions by hour" },
      { found.panels[1].title, found.panels[2].title })
    local text = waited_log.swf({ { 0, 0, 10, 2, 10, 1 }, { 201 * 86400, 0, 10, 2, 10, 1 } }, 4)
    local load = figure_of(waited_log.read(text)).panels[4]
    assert.equal("Load of each 25 h", load.title)
    assert.equal(25 / 24, load.curves.ran[2][1])
  end)

  it("is none without jobs", function()
    local ok, problem = pcall(figure_of, orrery.jobs {})
    assert.is_false(ok)
    assert.matches("plot: there are no jobs", problem, 1, true)
  end)
end)

describe("what a log says", function()
  it("is its size, its load, its spreads, its rhythm and its users, and what is odd", function()
    local text = waited_log.swf(waited_log.BY_HAND, 4, waited_log.MONDAY)
    local said = tostring(waited_log.read(text):describe())
    assert.equal(waited_log.SAID .. [[

note: 1 job is wider than the machine, the first is 4: --wide drop leaves such jobs out
note: 1 record is earlier than the record in front of it, at most by 10 s (job 3)
note: 5 processors were in use at once at 2002-07-29 22:01:50, on a machine of 4: --procs ]]
      .. [[says how many it has, or --machine
note: 1 job took longer than asked for: with --walltimes log, --overrun says what becomes of them
note: 1 job takes no time]], said)
  end)

  it("begins otherwise where little is known", function()
    assert.matches("^2 jobs, submitted 60 s to 60 s %(0 s%); the log does not name the machine\n"
      .. "100.0%% of the jobs take one", tostring(orrery.jobs {
      { procs = 1, runtime = 1, submit = 60 }, { procs = 1, runtime = 1, submit = 60 },
    }:describe()))
  end)

  local LONG = 86400 -- s

  local function odd(more)
    local d = { dropped = {}, remarks = {}, wide = 0, repeated = 0, backward = 0, peak = 0,
      overran = 0, instant = 0, gap = 0, date = function() return nil end }
    for name, value in pairs(more) do d[name] = value end
    return log.oddities(d)
  end

  it("has notes of all that is odd, in order", function()
    assert.same({}, odd { procs = 4, peak = 4, gap = LONG })
    assert.same({ "nothing was submitted for 1 d from 60 s on" },
      odd { gap = LONG + 1, gap_from = 60 })
    assert.same({ "counted so", "left out: 1 record, why (the first in line 1: how)",
      "left out: 2 records, why (the first is job a)", "x", "y", "modelled", "remedy", "not read" },
      odd { counted = "counted so", remarks = { "x", "y" }, not_modelled = "modelled",
        remedy = "remedy", not_read = "not read", dropped = {
          { records = 1, reason = "why", line = 1, detail = "how", id = "a" },
          { records = 2, reason = "why", line = 0, id = "a" } } })
    assert.same({ "2 jobs are wider than the machine, the first is w: --wide drop leaves such jobs "
      .. "out", "1 job has an id that a job before has, the first is r",
      "2 records are each earlier than the record in front of it, at most by 1 min (job b)",
      "2 jobs took longer than asked for: with --walltimes log, --overrun says what becomes of "
      .. "them",
      "2 jobs take no time" },
      odd { wide = 2, first_wide = "w", repeated = 1, repeated_id = "r", backward = 2, back = 60,
        most_backward = "b", overran = 2, instant = 2 })
    assert.same({ "1 job was eligible later", "1 record is earlier than the record in front of it, "
      .. "at most by 1 min (job b), by when jobs could start" }, odd { backward = 1, back = 60,
      most_backward = "b", remarks = { "1 job was eligible later" } })
  end)
end)
