-- Plots of sessions and results: what gnuplot is told, and what stands in the terminal, by hand.
local orrery = require "orrery"
local figure = require "orrery.draw.figure"
local gnuplot = require "orrery.draw.gnuplot"

-- What plot(file, options) tells gnuplot, or hands on as a figure.
local function told(of, file, options)
  local draw, to_figure, demand, found = gnuplot.draw, figure.draw, gnuplot.demand, nil
  gnuplot.demand = function() end
  gnuplot.draw = function(path, script) found = { path, script } end
  figure.draw = function(path, given) found = { path, given } end
  local done, problem = pcall(of.plot, of, file, options)
  gnuplot.draw, figure.draw, gnuplot.demand = draw, to_figure, demand
  assert(done, problem)
  assert.equal(file, found[1])
  return found[2]
end

local function text(of, options)
  options.text, options.width, options.unicode = true, options.width or 46, options.unicode or false
  options.height = options.height or 12
  return of:plot(options)
end

local JOBS = { { id = "a", procs = 3, time = 10 }, { id = "b", procs = 2, time = 10, submit = 1 },
  { id = "c", procs = 4, time = 5, submit = 2 } }

describe("a plot of a session", function()
  -- a runs until 10, b until 20, c from 20 on; from 22 to 26 a processor is out, and c begins anew.
  local s = orrery.session { procs = 4, policy = "easy", jobs = orrery.jobs(JOBS),
    node_failures = { log = { { time = 22, processor = 3, repair = 4 } } } }
  s:finish()
  local WAITING = "$waiting << EOD\n0 0\n1 1\n2 2\n10 1\n20 0\n22 1\n26 0\n31 0\n31 0\nEOD\n"
    .. "set yrange [0:*]\nset ylabel 'Waiting jobs'\n"
  local TICKS = "set xtics ('0' 0, '5' 5, '10' 10, '15' 15, '20' 20, '25' 25, '30' 30)\n"

  it("has the steps of both panels, and the processors that are out", function()
    local script = told(s, "a.svg")
    local from = script:find("set border", 1, true)
    assert.equal(gnuplot.terminal("a.svg", 900, 525) .. "\n", script:sub(1, from - 1))
    assert.equal("set border 3\nset tics nomirror\nset grid lc rgb '#dddddd' lt 1\n"
      .. "set xrange [0:31]\nset lmargin 10\nset rmargin 14\nset xtics scale 0.5\n"
      .. "set multiplot layout 2,1 title 'easy'\n"
      .. "$busy << EOD\n0 3\n1 3\n2 3\n10 2\n20 4\n22 0\n26 4\n31 0\n31 0\nEOD\n"
      .. "set yrange [0:4]\nset ylabel 'Busy processors'\n" .. TICKS .. "unset xlabel\n"
      .. "$down << EOD\n0 0\n22 1\n26 0\n31 0\nEOD\n"
      .. "set key outside right top Left reverse samplen 1.5\n"
      .. "plot $busy using 1:2 with fillsteps lc rgb '#0072B2' fs solid 0.7 title 'busy', $down "
      .. "using 1:(4-$2) with steps lc rgb '#000000' lw 0.8 dt 2 title 'in service'\n" .. WAITING
      .. TICKS .. "set xlabel 'Time (s)'\nunset key\nplot $waiting using 1:2 with fillsteps lc rgb "
      .. "'#E69F00' fs solid 0.7 notitle\nunset multiplot", script:sub(from))
  end)

  it("is of one panel where one is asked for, and of a part of the time", function()
    local script = told(s, "b.png", { what = "queue", title = "it's" })
    assert.equal(1, script:find(gnuplot.terminal("b.png", 900, 320), 1, true))
    assert.matches("layout 1,1 title 'it''s'\n" .. WAITING, script, 1, true)
    assert.matches("$busy << EOD\n5 3\n10 2\n12 2\nEOD\n", told(s, "c.svg", { from = 5, to = 12 }),
      1, true)
    local tasks = orrery.session { tasks = { n = 2 }, procs = 4 }
    tasks:finish()
    assert.matches("layout 1,1 ", told(tasks, "d.svg"), 1, true)
    assert.matches("set rmargin 3\n", told(tasks, "d.svg"), 1, true)
    for message, call in pairs {
      ["what: expected 'utilisation' or 'queue', found 'x'"] = { s, { what = "x" } },
      ["what: tasks have no queue, nor has a part of the machine"] = { tasks, { what = "queue" } },
      ["plot: expected the name of a file that ends in .png or .svg, found 'x.pdf'"] =
        { s, "x.pdf" },
    } do
      local done, problem = pcall(call[1].plot, table.unpack(call))
      assert.is_false(done)
      assert.matches(message, problem, 1, true)
    end
  end)

  it("is means where the steps are more than can be told apart", function()
    local list = {}
    for i = 1, 2000 do list[i] = { procs = i % 2 + 1, time = 1, submit = i } end
    local many = orrery.session { procs = 3, policy = "easy", jobs = orrery.jobs(list) }
    many:finish()
    local block = told(many, "m.svg", { what = "utilisation" }):match "%$busy << EOD\n(.-)\nEOD"
    local count, sum = 0, 0
    for value in block:gmatch "[^\n]+ ([%d.]+)" do count, sum = count + 1, sum + value end
    assert.equal(1801, count)
    assert.is_true(math.abs(sum / 1800 - 1.5) < 0.01, sum / 1800)
  end)

  it("is bars in the terminal", function()
    assert.equal([[
Waiting jobs
   2 .999999999....................
     .999999999....................
     99999999999999999999.99999....
   0 99999999999999999999.99999....
     0       10        20        30
     Time (s)]], (text(s, { width = 35, what = "queue" }):gsub("^[^\n]*\n", "")))
    for height, lines in pairs { [5] = 9, [12] = 13, [16] = 17, [90] = 25 } do
      assert.equal(lines, 1 + select(2, text(s, { width = 35, height = height }):gsub("\n", "")))
    end
  end)
end)

describe("a plot of a result", function()
  local narrow = { JOBS[1], JOBS[2], { id = "c", procs = 1, time = 5, submit = 2 } }
  -- Makespans: easy 20, 30, 40, 22; fcfs 20, 30, 40, 30 (c waits for b, which ends at 20 or later)
  local result = orrery.compare { procs = 4, policies = { "easy", "fcfs" },
    jobs = orrery.jobs(narrow),
    failures = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 2, 0 }, { 0, 0, 3 } } }
  local H = 3600

  local function plot(kind, metric)
    return told(result, "r.svg", { kind = kind, metric = metric or "makespan" })
  end

  local function near(expected, found)
    assert.equal(#expected, #found)
    for i, x in ipairs(expected) do
      if type(x) == "table" then near(x, found[i]) else assert.near(x, found[i], 1e-9) end
    end
  end

  it("has the samples of each policy as boxes or densities", function()
    for _, kind in ipairs { "box", "violin" } do
      local spec = plot(kind)
      local panel = spec.panels[1]
      assert.same({ "Makespan (h) over 4 scenarios", kind, 1, { 640, 400 }, { "easy", "fcfs" },
        "Makespan (h)", false }, { spec.title, spec.kind, spec.columns, spec.panel, panel.groups,
        panel.y, panel.logy })
      near({ { { 20 / H, 30 / H, 40 / H, 22 / H }, {} },
        { {}, { 20 / H, 30 / H, 40 / H, 30 / H } } }, panel.samples)
      assert.same({ "#0072B2", "#E69F00" }, { spec.series[1].colour, spec.series[2].colour })
      assert.is_nil(panel.means)
    end
    assert.equal("Mine", told(result, "r.svg", { title = "Mine" }).title)
  end)

  it("has paired differences with their mean and interval", function()
    local spec = plot "differences"
    local panel = spec.panels[1]
    assert.same({ "Difference from easy, paired over 4 scenarios", "Difference, makespan (h)", 0,
      { "fcfs" }, "#E69F00" }, { spec.title, panel.y, panel.line, panel.groups,
      spec.series[1].colour })
    near({ { { 0, 0, 0, 8 / H } } }, panel.samples)
    local half = result:differences("makespan")[2].half_width / H
    near({ { { 2 / H, 2 / H - half, 2 / H + half } } }, panel.means)
  end)

  it("has shares that are not larger, and means of ever more scenarios", function()
    local spec = plot "ecdf"
    local panel = spec.panels[1]
    assert.same({ "Makespan (h)", "Share of the scenarios", { 0, 1 }, false, { "easy", "fcfs" } },
      { panel.x, panel.y, panel.yrange, panel.logx, spec.curves })
    near({ { 20 / H, 0 }, { 20 / H, 0 }, { 20 / H, 0.25 }, { 22 / H, 0.25 }, { 22 / H, 0.5 },
      { 30 / H, 0.5 }, { 30 / H, 0.75 }, { 40 / H, 0.75 }, { 40 / H, 1 } }, panel.curves.easy)
    panel = plot("curves").panels[1]
    assert.same({ "Number of scenarios", "Mean of the makespan (h), 95% interval" },
      { panel.x, panel.y })
    local function half(...) return orrery.summary({ ... }).half_width / H end
    near({ { 2, 25 / H, half(20, 30) }, { 3, 30 / H, half(20, 30, 40) },
      { 4, 30 / H, half(20, 30, 40, 30) } }, panel.curves.fcfs)
  end)

  it("is of the jobs where there is one scenario, and on a logarithmic axis where it is wide",
    function()
      local list = { { id = "x", procs = 4, time = 4000 }, { id = "y", procs = 1, time = 10,
        submit = 1 }, { id = "z", procs = 1, time = 10, submit = 3990 } }
      local one = orrery.compare { procs = 4, policies = { "easy", "fcfs" },
        priority = "spt", jobs = orrery.jobs(list) }
      local spec = told(one, "o.svg", { metric = "bsld_mean" })
      assert.equal("Bounded slowdown over 3 jobs", spec.title)
      near({ { { 1, 4009 / 60, 1 }, {} }, { {}, { 1, 4009 / 60, 1 } } }, spec.panels[1].samples)
      assert.is_true(spec.panels[1].logy)
      assert.same(spec, told(one, "o.svg"))
      assert.is_false(told(one, "o.svg", { metric = "wait_mean" }).panels[1].logy)
      assert.same({ "easy", "fcfs" }, spec.panels[1].groups) -- without their common end
      for kind, message in pairs {
        differences = "differences: a single scenario has those of waits, flow times and slowdowns "
          .. "over its weeks",
        x = "kind: expected 'box', 'violin', 'differences', 'ecdf' or 'curves', found 'x'",
      } do
        local done, problem = pcall(one.plot, one, "d.svg", { kind = kind, metric = "makespan" })
        assert.is_false(done)
        assert.matches(message, problem, 1, true)
      end
    end)

  it("is over the sets, or the weeks of one", function()
    local function set(name, ...)
      local list = {}
      for i, time in ipairs { ... } do
        list[i] = { id = "j" .. i, procs = 2, time = time, submit = i % 7 * 40 * 3600 }
      end
      return { name = name, jobs = orrery.jobs(list) }
    end
    local two = orrery.compare { procs = 2, policies = { "fcfs", "easy-sjf" },
      sets = { set("one", 9, 8, 7), set("two", 5, 4) }, failures = nil }
    assert.equal("Makespan (h) over 2 sets", told(two, "s.svg", { metric = "makespan" }).title)
    assert.equal("Set", told(two, "s.svg", { kind = "curves" }).panels[1].x)
    assert.equal("Difference from fcfs, paired over 2 sets",
      told(two, "s.svg", { kind = "differences" }).title)
    local jobs = {}
    for i = 1, 240 do
      jobs[i] = { id = "j" .. i, procs = 1 + i % 4, time = 3600 * (1 + i % 37), submit = i * 60000 }
    end
    local log = orrery.compare { procs = 4, policies = { "fcfs", "easy-sjf" },
      jobs = orrery.jobs(jobs) }
    local spec = told(log, "w.svg", { kind = "differences", metric = "wait_mean" })
    local found = log:weekly(1, 2, "wait_mean")
    assert.equal(("Difference from fcfs, paired over %d weeks"):format(#found.differences),
      spec.title)
    near({ { found.mean / H, found.low / H, found.high / H } },
      { spec.panels[1].means[1][1] })
    local plots = require "orrery.draw.plots"
    assert.same({ true, false, true, true }, { plots.has_differences(log, "wait_mean"),
      plots.has_differences(log, "makespan"), plots.has_differences(two, "makespan"),
      plots.has_differences(result, "makespan") })
    assert.is_false(plots.has_differences(orrery.compare { procs = 4, policy = "easy",
      jobs = orrery.jobs(narrow) }, "wait_mean"))
  end)

  it("is rows of characters in the terminal", function()
    assert.equal([[
Makespan (h) over 4 scenarios
easy  9...9..............9...................9
fcfs  5..................9...................5
       0.006         0.008         0.01
      Makespan (h)]], text(result, { kind = "violin", metric = "makespan" }))
    assert.equal([[
Makespan (h) over 4 scenarios
easy  |--========#===*=========--------------|
fcfs  .             =====#=====              .
       0.006         0.008         0.01
      Makespan (h)   = half of them, # medi...]],
      text(result, { kind = "box", metric = "makespan" }))
    assert.matches([[
fcfs                   #==*      .
                       0
]], text(result, { kind = "differences", metric = "makespan" }), 1, true)
  end)
end)
