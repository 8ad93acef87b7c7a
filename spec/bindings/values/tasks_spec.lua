-- Tasks as Lua values: making, reading a value, writing, and what is refused.
local orrery = require "orrery"
local program = require "spec.support.program"

local function fails(use, message)
  local ok, found = pcall(use)
  assert.is_false(ok)
  assert.equal(message, (tostring(found):gsub("^[^ ]*spec.lua:%d+: ", "")))
end

local function refuses(list, message)
  fails(function() orrery.tasks.list(list) end, "tasks.list: " .. message)
end

describe("orrery.tasks.list", function()
  it("makes tasks from tables", function()
    local tasks = orrery.tasks.list {
      { m = 16 },
      { id = "a", m = 16, profile = "amdahl", f = 0 },
      { id = 7, m = 16, profile = "power", e = 1 },
      { id = "t", times = { 8, 4.0 } },
      { id = "s", m = 3, time = function(procs) return 12 / procs end, most = 3 },
    }
    assert.same({ id = "1", m = 16, profile = "synthetic", parameter = 0.08,
      sequential = tasks:time(1, 1) }, tasks[1])
    assert.same({ id = "a", m = 16, profile = "amdahl", parameter = 0, sequential = 128 }, tasks[2])
    assert.same({ id = "7", m = 16, profile = "power", parameter = 1, sequential = 128 }, tasks[3])
    assert.same({ id = "t", m = 0, profile = "table", columns = 2, sequential = 8 }, tasks[4])
    assert.same({ id = "s", m = 3, profile = "table", columns = 3, sequential = 12 }, tasks[5])
    assert.equal(0, #orrery.tasks.list {})
  end)

  it("asks a function once for each number of processors", function()
    local asked = {}
    local tasks = orrery.tasks.list { { most = 4, time = function(procs, ...)
      assert(select("#", ...) == 0 and math.type(procs) == "integer")
      asked[#asked + 1] = procs
      return 100 / procs
    end } }
    for _ = 1, 3 do assert.equal(25, tasks:time(1, 9)) end
    assert.same({ 1, 2, 3, 4 }, asked)
  end)

  it("takes f where a task names none from its options", function()
    local tasks = orrery.tasks.list({ { m = 5 }, { m = 5, profile = "power" }, { m = 5, f = 0.5 } },
      { sequential = 0.25 })
    assert.equal(0.25, tasks[1].parameter)
    assert.equal(0.75, tasks[2].parameter)
    assert.equal(0.5, tasks[3].parameter)
  end)

  it("refuses unknown fields, and names the nearest", function()
    local known = " (known: e, f, id, m, most, profile, time, times)"
    refuses({ { m = 5 }, { mm = 5 } }, "task 2: unknown field 'mm', did you mean 'm'?" .. known)
    refuses({ { m = 5, profiles = "power" } },
      "task 1: unknown field 'profiles', did you mean 'profile'?" .. known)
    fails(function() orrery.tasks.list({}, { sequentail = 1 }) end,
      "tasks.list: unknown field 'sequentail', did you mean 'sequential'? (known: sequential)")
    refuses({ 5 }, "task 1: expected a table, found number")
    refuses({ m = 5 }, "expected a list of tables, but there are other keys than 1 to 0")
    refuses(5, "expected a list of tables, found number")
  end)

  it("refuses what is no profile", function()
    refuses({ { profile = "amdahl" } }, "task 1: m is missing")
    refuses({ { m = "5" } }, "task 1: m must be a number, not 5")
    refuses({ { m = 1 } }, "task 1: the size m of a task must be a number from 2 to 1e+290, not 1")
    refuses({ { m = 5, profile = "linear" } },
      "task 1: profile must be synthetic, amdahl or power, not 'linear'")
    refuses({ { m = 5, profile = "table" } },
      "task 1: profile must be synthetic, amdahl or power, not 'table'")
    refuses({ { m = 5, profile = "power", f = 1 } },
      "task 1: f does not go with the profile power, whose parameter is e")
    refuses({ { m = 5, e = 1 } },
      "task 1: e does not go with the profile synthetic, whose parameter is f")
    refuses({ { m = 5, f = 1.5 } },
      "task 1: the sequential fraction f must be a number from 0 to 1, not 1.5")
    refuses({ { m = 5, f = true } }, "task 1: f must be a number, not true")
    refuses({ { m = 5, most = 5 } }, "task 1: most goes with time, a function")
    fails(function() orrery.tasks.list({ { m = 5 } }, { sequential = "0.1" }) end,
      "tasks.list: sequential must be a number, not 0.1")
  end)

  it("refuses what is no id", function()
    refuses({ { id = {}, m = 5 } }, "task 1: id must be a string or an integer, not a table")
    refuses({ { id = 1.5, m = 5 } }, "task 1: id must be a string or an integer, not a number")
    refuses({ { id = "", m = 5 } }, "task 1: an id can't be empty or hold zero bytes")
    refuses({ { id = "a\0b", m = 5 } }, "task 1: an id can't be empty or hold zero bytes")
    refuses({ { id = "x", m = 5 }, { id = "x", m = 6 } }, 'task 2: two tasks have the id "x"')
    refuses({ { id = 2, m = 5 }, { m = 6 } }, 'task 2: two tasks have the id "2"')
  end)

  it("refuses what are no times", function()
    refuses({ { times = {} } }, "task 1: times must be a list of at least one number")
    refuses({ { times = 5 } }, "task 1: times must be a list of at least one number")
    refuses({ { times = { 5, x = 1 } } }, "task 1: times has other keys than 1 to 1")
    refuses({ { times = { 5, "4" } } }, "task 1: times[2] must be a number, not 4")
    refuses({ { times = { 5, 0 } } }, "task 1: the time on 2 processors must be a number of "
      .. "seconds > 0 and at most 1e+290, not 0")
    refuses({ { times = { -1 } } }, "task 1: the time on 1 processor must be a number of "
      .. "seconds > 0 and at most 1e+290, not -1")
    refuses({ { times = { 1 }, m = -1 } },
      "task 1: the size m of a task must be a number from 0 to 1e+290, not -1")
    refuses({ { times = { 1 }, f = 0.5 } }, "task 1: f does not go with times that are given")
    refuses({ { times = { 1 }, profile = "power" } },
      "task 1: profile does not go with times that are given")
    refuses({ { times = { 1 }, time = math.sqrt } }, "task 1: time and times exclude each other")
    refuses({ { time = 5, most = 1 } },
      "task 1: time must be a function of the number of processors, not a number")
    refuses({ { time = math.sqrt } },
      "task 1: most is missing: up to how many processors the function time is asked")
    refuses({ { time = math.sqrt, most = 0 } },
      "task 1: most must be a whole number >= 1, not 0")
    refuses({ { time = math.sqrt, most = 1.5 } },
      "task 1: most must be a whole number >= 1, not 1.5")
    refuses({ { time = function() end, most = 1 } },
      "task 1: time(1) gave a nil, not a number")
    refuses({ { time = function(procs) return 2 - procs end, most = 2 } },
      "task 1: the time on 2 processors must be a number of seconds > 0 and at most 1e+290, not 0")
    local ok, found = pcall(orrery.tasks.list,
      { { time = function() error("at " .. 1, 0) end, most = 2 } })
    assert.same({ false, "at 1" }, { ok, found })
  end)
end)

describe("orrery.tasks.synthetic", function()
  it("refuses bad options", function()
    local known = "(known: m, n, run, seed, sequential, set)"
    local bounds = "m must be between two numbers, 2 <= first <= second <= 1e+290, not "
    for message, options in pairs {
      ["tasks.synthetic: unknown field 'sede', did you mean 'seed'? " .. known] = { sede = 1 },
      ["tasks.synthetic: n must be a whole number >= 1, not 0"] = { n = 0 },
      ["tasks.synthetic: n must be a whole number >= 1, not 1.5"] = { n = 1.5 },
      ["tasks.synthetic: n must be a whole number >= 1, not 4294967296"] = { n = 1 << 32 },
      ["tasks.synthetic: set must be a whole number >= 0, not -1"] = { set = -1 },
      ["tasks.synthetic: run must be a whole number >= 0, not x"] = { run = "x" },
      ["tasks.synthetic: seed must be a whole number, not 0.5"] = { seed = 0.5 },
      ["tasks.synthetic: m must be a list of two numbers"] = { m = 5 },
      ["tasks.synthetic: sequential must be a number, not x"] = { sequential = "x" },
      [bounds .. "1 and 5"] = { m = { 1, 5 } },
      [bounds .. "6 and 5"] = { m = { 6, 5 } },
      [bounds .. "6 and inf"] = { m = { 6, math.huge } },
      ["the sequential fraction f must be a number from 0 to 1, not -1"] = { sequential = -1 },
      ["tasks.synthetic: expected a table, found number"] = 5,
    } do
      fails(function() orrery.tasks.synthetic(options) end, message)
    end
  end)

  it("takes any seed", function()
    for _, seed in ipairs { math.mininteger, -1, 0, math.maxinteger } do
      assert.equal(2, #orrery.tasks.synthetic { n = 2, seed = seed })
    end
  end)
end)

describe("orrery.tasks.read", function()
  it("refuses what is no path or option", function()
    fails(function() orrery.tasks.read() end,
      "tasks.read: expected the path of a file, found nil")
    fails(function() orrery.tasks.read("x", { seq = 1 }) end,
      "tasks.read: unknown field 'seq', did you mean 'sequential'? (known: sequential)")
    fails(function() orrery.tasks.read("/nonexistent.csv") end,
      "/nonexistent.csv: No such file or directory")
  end)
end)

describe("a tasks value", function()
  local tasks = orrery.tasks.list { { id = "a", m = 16 }, { id = "b", m = 32, f = 0.5 } }

  it("is read by position and with ipairs", function()
    assert.equal(2, #tasks)
    assert.equal("b", tasks[2].id)
    assert.equal("b", tasks[2.0].id)
    assert.is_nil(tasks[0])
    assert.is_nil(tasks[3])
    local seen = {}
    for i, task in ipairs(tasks) do seen[i] = task.id end
    assert.same({ "a", "b" }, seen)
    tasks[1].m = 77 -- a fresh table each time
    assert.equal(16, tasks[1].m)
  end)

  it("refuses unknown fields, positions and changes", function()
    local known = " (known: repaired, a position, or the methods csv, time, to_csv)"
    fails(function() return tasks.repiared end, "tasks have no field 'repiared'" .. known)
    fails(function() return tasks[1.5] end, "tasks have no field '1.5'" .. known)
    fails(function() return tasks[true] end, "tasks have no field 'true'" .. known)
    fails(function() tasks[1] = nil end,
      "tasks can't be changed; make new ones with orrery.tasks.list")
    fails(function() tasks.time(5) end,
      "bad argument #1 to 'time' (orrery.tasks expected, got number)")
    fails(function() tasks:time(3, 1) end,
      "bad argument #1 to 'time' (a position from 1 to 2 expected, not 3)")
    fails(function() tasks:time(0, 1) end,
      "bad argument #1 to 'time' (a position from 1 to 2 expected, not 0)")
    fails(function() tasks:time(1, 0) end,
      "bad argument #2 to 'time' (a number of processors >= 1 expected, not 0)")
    fails(function() tasks:time(1, 1 << 31) end,
      "bad argument #2 to 'time' (a number of processors >= 1 expected, not 2147483648)")
  end)

  it("tells what it is", function()
    assert.equal("no tasks", tostring(orrery.tasks.list {}))
    assert.equal("2 tasks: 2 synthetic; m 16 to 32; t(1) 192 to 480 s", tostring(tasks))
    assert.equal("1 task: 1 table (1 repaired); m 0 to 0; t(1) 5 to 5 s",
      tostring(orrery.tasks.list { { times = { 5, 6 } } }))
    assert.equal("3 tasks: 1 amdahl, 1 power, 1 table; m 0 to 1.234e+06; t(1) 4 to 4.995e+07 s",
      tostring(orrery.tasks.list { { m = 1234321, profile = "amdahl" },
        { m = 2, profile = "power" }, { times = { 5 } } }))
  end)

  it("is written as text and to a file", function()
    assert.equal("id,m,profile\na,16,synthetic:0.08\nb,32,synthetic:0.5\n", tasks:csv())
    local tables = orrery.tasks.list { { id = "x,y", m = 2, times = { 9, 4.5 } },
      { times = { 6 } } }
    local text = 'id,m,1,2\n"x,y",2,9,4.5\n2,0,6,6\n'
    assert.equal(text, tables:csv())
    assert.equal("id,m,profile\n", orrery.tasks.list({}):csv())
    local folder = program.folder()
    tables:to_csv(folder .. "/tasks.csv")
    assert.equal(text, program.read(folder .. "/tasks.csv"))
    program.remove(folder)
    fails(function() tasks:to_csv("/nonexistent/tasks.csv") end,
      "cannot write /nonexistent/tasks.csv: No such file or directory")
    fails(function() orrery.tasks.list({ { m = 5 }, { times = { 5 } } }):csv() end,
      "1 of 2 tasks are tables of times, the others are not: they cannot stand in one file")
  end)

  it("cannot be released while a simulation may still need it", function()
    local t = orrery.tasks.list { { m = 5 } }
    assert.equal("tasks", getmetatable(t))
    fails(function() local _ <close> = t end, "variable '_' got a non-closable value")
    assert.equal(1, #t)
  end)
end)
