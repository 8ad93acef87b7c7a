-- `orrery help`, and that no command lacks help or specs.
local lfs = require "lfs"
local program = require "spec.support.program"

describe("orrery help", function()
  local folder
  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  local function commands()
    local names = {}
    for file in lfs.dir(program.home .. "/scripts") do
      names[#names + 1] = file:match "^(.+)%.lua$"
    end
    assert.is_true(#names >= 5)
    return names
  end

  it("lists every command with its purpose", function()
    local status, out, err = program.run(folder, "help")
    assert.same({ 0, "" }, { status, err })
    for _, name in ipairs(commands()) do
      assert.matches("\n  " .. name:gsub("%-", "%%-") .. " +%a[^\n]+\n", out)
      assert.is_true(program.exists(("%s/spec/scripts/%s_spec.lua"):format(program.home, name)),
        "no spec for " .. name)
    end
    assert.same({ 0, out, "" }, { program.run(folder, "--help") })
  end)

  it("shows a priority that works", function()
    local _, out = program.run(folder, "help")
    local code = out:match "(  return {.-\n  })\n"
    program.write(folder, "widest.lua", code)
    program.write(folder, "jobs.csv", "id,procs,time\na,1,9\nb,2,1\n")
    local status, _, err = program.run(folder,
      "replay jobs.csv --procs 2 --priority widest.lua --schedule s.csv")
    assert.same({ 0, "" }, { status, err })
    assert.matches("\nb,w0,0,2,1,1,[^,]*,0,.*\na,w0,0,1,9,1,[^,]*,1,",
      program.read(folder .. "/s.csv"))
  end)

  it("of a command is the command's --help #long", function()
    for _, name in ipairs(commands()) do
      local status, out, err = program.run(folder, name .. " --help")
      assert.same({ 0, "" }, { status, err })
      assert.matches("^Usage: orrery " .. name:gsub("%-", "%%-"), out)
      assert.same({ 0, out, "" }, { program.run(folder, "help " .. name) })
    end
  end)

  it("fits the window, and begins with two examples #long", function()
    for _, name in ipairs(commands()) do
      for _, width in ipairs { 64, 100 } do
        local _, out = program.run(folder, name .. " --help", "COLUMNS=" .. width)
        local head, text = out:match "^(.-)\nExamples:\n(.*)$"
        assert.is_truthy(head, name)
        assert.is_true(#head:gsub("\n$", "") <= 3 * width)
        assert.matches("^   orrery " .. name:gsub("%-", "%%-"), text)
        for line in text:match "\n\n.*":gmatch "[^\n]+" do
          assert.is_true(utf8.len(line) <= width or not line:match "%S +%S+ +%S", line)
        end
      end
    end
    local _, out = program.run(folder, "replay --help")
    assert.equal(2, select(2, out:match "Examples:\n(.-)\n\n":gsub("orrery", "")))
    assert.matches("\n   %-%-metric METRIC  +What", out)
    assert.is_nil(out:find("Other options:\n.*Other options:"))
  end)

  it("metrics: what can be measured", function()
    local status, out, err = program.run(folder, "help metrics")
    assert.same({ 0, "" }, { status, err })
    assert.matches("\n  ratio +makespan / lower_bound %(less is better%)\n", out)
    assert.matches("\n  wait_p95 +wait, 95th percentile %(s; less is better%)\n", out)
    assert.matches("\n  relative_cost ", out)
    local _, text = program.run(folder, "help metrics --json - --quiet")
    local names = {}
    for _, one in ipairs(require "dkjson".decode(text).metrics) do names[one.name] = one end
    assert.same({ name = "utilisation", of = "jobs", unit = "", better = "more",
      what = "share of the processors' time that attempts used" }, names.utilisation)
    -- whatever --metric takes is there
    _, _, err = program.run(folder, "replay --metric nonsense")
    for name in err:gmatch "'([%w_]+)'" do assert.is_truthy(names[name] or name == "nonsense") end
  end)

  it("finds commands of the user's own, which see their arguments", function()
    assert(os.execute(("mkdir -p '%s/own/scripts'"):format(folder)))
    program.write(folder, "own/scripts/hello.lua", "-- hello: greets\nprint('hello', ...)\n")
    local _, out = program.run(folder, "help", "ORRERY_PATH=own")
    assert.matches("\n  hello +greets\n", out)
    program.write(folder, "own/scripts/silent.lua", "print 'no word about me'\n")
    _, out = program.run(folder, "help", "ORRERY_PATH=own")
    assert.matches("\n  silent +%(says nothing about itself%)\n", out)
    assert.same({ 0, "hello\tyou\n", "" }, { program.run(folder, "hello you", "ORRERY_PATH=own") })
  end)

  it("suggests the nearest command", function()
    local message = "orrery: there is no command 'repaly', did you mean 'replay'?\n"
    assert.same({ 2, "", message }, { program.run(folder, "help repaly") })
    assert.same({ 2, "", message }, { program.run(folder, "repaly") })
  end)
end)
