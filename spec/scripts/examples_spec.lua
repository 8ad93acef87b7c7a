-- The examples: each runs, and its last number is what it says.
local orrery = require "orrery"
local program = require "spec.support.program"

describe("orrery examples", function()
  local folder

  setup(function() folder = program.folder() end)
  teardown(function() program.remove(folder) end)

  local function names()
    local list = {}
    for name in program.listing(program.home .. "/scripts/examples"):gmatch "([%w_-]+)%.lua" do
      list[#list + 1] = name
    end
    return list
  end

  it("lists them", function()
    local status, out, err = program.run(folder, "examples")
    assert.same({ 0, "" }, { status, err })
    assert.is_true(#names() >= 4)
    for _, name in ipairs(names()) do
      assert.matches("\n" .. name:gsub("%-", "%%-") .. " +%l[^\n]+\n", "\n" .. out)
    end
    assert.same({ 2, "", "orrery: there is no example 'burts', did you mean 'burst'?\n" },
      { program.run(folder, "examples burts") })
  end)

  it("are short, say how they are run, and what came out", function()
    local readme = program.read(program.home .. "/scripts/examples/README.md")
    for _, name in ipairs(names()) do
      local text = program.read(("%s/scripts/examples/%s.lua"):format(program.home, name))
      local lines = select(2, text:gsub("\n", ""))
      assert.is_true(lines >= 30 and lines <= 80, ("%s: %d lines"):format(name, lines))
      assert.is_truthy(text:find(("\n--   orrery examples %s [--quick]\n"):format(name), 1, true))
      assert.is_truthy(readme:find(("\n./orrery examples %s\n"):format(name), 1, true))
    end
  end)

  for _, name in ipairs(names()) do
    it("runs the quick form of " .. name, function()
      local status, out, err = program.run(folder, ("examples %s --quick"):format(name))
      assert.same({ 0, "" }, { status, err })
      assert.is_truthy(out:find(" ± ", 1, true) or out:find "%[[+-]%d")
      assert.same({ 0, out, "" }, { program.run(folder, ("examples/%s --quick"):format(name)) })
    end)
  end

  it("five-lines: the wait that it saves is the paired difference", function()
    local _, out = program.run(folder, "examples five-lines --quick")
    local result = orrery.compare {
      jobs = orrery.read("sample-2019-06"):day "2019-06-14", batch = true, runs = 30,
      errors = { mean_probability = 0.1 }, policy = "easy", priority = "lpt",
    }
    local mine = orrery.compare {
      jobs = orrery.read("sample-2019-06"):day "2019-06-14", batch = true, runs = 30,
      errors = { mean_probability = 0.1 }, policy = "easy",
      priority = function(job) return job.time < 900 and 1e9 or job.time end,
    }
    local d = orrery.summary_paired(mine:values(1, "wait_mean"), result:values(1, "wait_mean"))
    assert.matches(("makes the mean wait %.2f ± %.2f h shorter"):format(d.mean / 3600,
      d.half_width / 3600), out)
  end)

  it("burst: a fault on a task that recovers has no effect, and is not counted", function()
    local _, out = program.run(folder, "examples burst --quick")
    local hit = tonumber(out:match "In the last run (%d+) of the 12 faults hit a task")
    assert.is_true(hit >= 1 and hit <= 12)
  end)
end)
