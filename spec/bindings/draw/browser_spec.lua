-- Pages with charts in a real browser (Debian's chromium, driven from spec/browser/): what they
-- draw is the schedule.
local orrery = require "orrery"
local program = require "spec.support.program"

-- What charts.js says, and whether all was well.
local function look(arguments)
  local pipe = assert(io.popen(("env -u LD_PRELOAD node '%s/spec/browser/charts.js' %s 2>&1")
    :format(program.home, arguments)))
  local text = pipe:read "a"
  return pipe:close() == true, text
end

local why = not os.getenv "ORRERY_BROWSER" and "make test says where npm's packages are"
if not why then
  local ok, text = look "can"
  why = not ok and "no browser can be started (Debian: chromium, npm): " .. text:match "[^\n]*"
end

describe("in a browser", function()
  local folder
  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  local function browser_it(name, test)
    it(name, function()
      if why then return pending(why) end
      test()
    end)
  end

  local function seen(command, ...)
    local names = {}
    for i, name in ipairs { ... } do names[i] = ("'%s/%s'"):format(folder, name) end
    local ok, text = look(command .. " " .. table.concat(names, " "))
    assert.is_true(ok, text)
    return select(2, ("\n" .. text):gsub("\nok ", ""))
  end

  -- The page and the schedule of a finished session.
  local function write(s)
    s:gantt(folder .. "/g.html")
    local lines = {}
    for i, a in ipairs(s:schedule()) do
      lines[i] = ("%s\t%d\t%.17g\t%.17g\t%s"):format(a.id, a.attempt, a.start, a.finish,
        a.processors)
    end
    program.write(folder, "schedule", table.concat(lines, "\n") .. "\n")
  end

  local function finished(spec)
    local s = orrery.session(spec)
    s:finish()
    return s
  end

  browser_it("the geometry of 10 jobs is that of the schedule, at three zooms", function()
    local rng, list = orrery.random(4), {}
    for i = 1, 10 do
      list[i] = { procs = rng:integer(1, 5), time = rng:uniform(1, 40), submit = rng:uniform(0, 30),
        id = "j" .. i }
    end
    write(finished { jobs = orrery.jobs(list), procs = 8, policy = "dispatch/greedy",
      failures = { 1, 0, 2, 0, 0, 0, 0, 1, 0, 0 } })
    assert.equal(3, seen("geometry", "g.html", "schedule"))
  end)

  browser_it("so it is of 3000 jobs", function()
    write(finished { jobs = orrery.lublin { count = 3000, procs = 256, load = 0.7, seed = 3 },
      procs = 256, policy = "dispatch/easy" })
    assert.equal(3, seen("geometry", "g.html", "schedule"))
  end)

  browser_it("so it is of 100,000 jobs", function()
    write(finished { jobs = orrery.lublin { count = 100000, procs = 256, load = 0.7, seed = 5 },
      procs = 256, policy = "dispatch/easy" })
    assert.equal(3, seen("geometry", "g.html", "schedule"))
  end)

  browser_it("hands find what they look for", function()
    local s = finished { procs = 4, policy = "easy", failures = { 1, 0 }, walltimes = "log",
      jobs = orrery.jobs { { id = "b", procs = 2, time = 50, user = "ann", walltime = 3600 },
        { id = "<c>", procs = 1, time = 100, user = "bob" } } }
    local at = {}
    for i, a in ipairs(s:schedule()) do at[i] = a.id .. " " .. a.processors end
    assert.same({ "b 0-1", "<c> 2", "b 0-1" }, at)
    s:gantt(folder .. "/g.html")
    assert.equal(8, seen("hands", "g.html"))
  end)

  browser_it("policies of a report zoom together", function()
    local result = orrery.compare { procs = 8, policies = { "easy", "fcfs" },
      jobs = orrery.lublin { count = 60, procs = 8, load = 0.8, seed = 1 } }
    result:report(folder .. "/r.html")
    assert.equal(1, seen("together", "r.html"))
  end)
end)
