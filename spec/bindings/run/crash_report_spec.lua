-- What is said of a run that failed, so that it can be repeated.
local orrery = require "orrery"
local crash_report = require "orrery.run.crash_report"

-- The lines of the report, without the blanks before them.
local function report(details, place)
  local done, problem = pcall(crash_report.check, details, nil, "it broke", place)
  assert.is_false(done)
  local lines = {}
  for line in problem:gmatch "[^\n]+" do lines[#lines + 1] = line:match "^%s*(.*)$" end
  return lines
end

describe("the report of a run that failed", function()
  local words = _G.arg
  after_each(function() rawset(_G, "arg", words) end)

  it("names the version, the fields, the policy, its options, the scenario and the time", function()
    rawset(_G, "arg", nil)
    assert.same({ "it broke", "version:  orrery " .. orrery.version,
      'fields:   batch = true, errors.rate = 0.5, options.x = 1, options.y = "two", runs = 3',
      "policy:   a + lpt", "options:  x=1, y=two", "scenario: 3, seed 7",
      "time:     0.10000000000000001 s" },
      report({ policies = { { name = "a", priority = "lpt" } }, spec = { batch = true, runs = 3,
        errors = { rate = 0.5 }, threads = 4, jobs = print, options = { x = 1, y = "two" } } },
        { policy = 1, seed = 7, set = 0, scenario = 3, time = 0.1 }))
  end)

  it("names the set where there are several, the run of tasks, and a mistake of our own", function()
    rawset(_G, "arg", nil)
    local lines = report({ policies = { "x", "y" }, policy = 2, spec = {}, run = "run",
      sets = { { name = "monday" }, { name = "tuesday" } }, first = 4 },
      { seed = 1, set = 5, scenario = 2, bug = true })
    assert.same({ "policy:   y", "run:      2, seed 1, set 5 (tuesday)",
      "please:   report this: it is a mistake of Orrery's own" }, { table.unpack(lines, 3) })
    lines = report({ policies = { { name = "z" } }, spec = {} },
      { policy = 1, seed = 1, set = 3, scenario = 2 })
    assert.same({ "policy:   z", "scenario: 2, seed 1, set 3" }, { table.unpack(lines, 3) })
  end)

  it("names the command, as it can be typed", function()
    rawset(_G, "arg", { [-1] = "./orrery", [0] = "replay", "--day", "a b" })
    assert.equal("command:  ./orrery replay --day 'a b'",
      report({ policies = { "x" }, spec = {} }, { policy = 1 })[3])
    rawset(_G, "arg", { [-3] = "nice", [-2] = "lua 5.4", [-1] = "-v", [0] = "x.lua" })
    assert.equal("command:  nice 'lua 5.4' -v x.lua",
      report({ policies = { "x" }, spec = {} }, { policy = 1 })[3])
  end)

  it("is none where nothing failed, or no place is known", function()
    assert.same({ 5 }, { crash_report.check({}, 5, nil) })
    assert.same({ nil, "why" }, { crash_report.check({}, nil, "why") }, 2)
  end)
end)
