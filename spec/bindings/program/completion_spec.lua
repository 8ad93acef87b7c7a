-- What the Tab key offers at the prompt.
local lfs = require "lfs"
local orrery = require "orrery"
local program = require "spec.support.program"

local loads = 0
require("orrery.program.globals").month = { kind = "jobs", value = function() end,
  load = function() loads = loads + 1 end }
local complete = require "orrery.program.completion"
local rounds = require "spec.support.rounds"

describe("completion", function()
  local own = { "orrery", "s", "result", "bad", "point" } -- globals, as at the prompt

  setup(function()
    _G.orrery = orrery
    local jobs = orrery.synthetic { count = 5, seed = 1 }
    _G.s = orrery.session { jobs = jobs, procs = 4000 }
    _G.result = orrery.compare { jobs = jobs, procs = 4000 }
    _G.bad = setmetatable({}, { __index = function() error "called" end })
    _G.point = setmetatable({ x = 1, list = { { width = 2 } } },
      { __index = { move = function() end, inner = { deep = 3 } } })
  end)

  teardown(function()
    for _, name in ipairs(own) do _G[name] = nil end
  end)

  local function offered(text)
    local list, behind = complete.candidates(text)
    return table.concat(list, " "), behind
  end

  local function offers(text, wanted)
    local list = " " .. offered(text) .. " "
    for one in wanted:gmatch "%S+" do
      assert.is_truthy(list:find(" " .. one .. " ", 1, true), one .. " is not in" .. list)
    end
  end

  it("knows globals and words of Lua", function()
    assert.equal("month", offered "mont")
    assert.equal("local", offered "x = 1; loca")
    offers("", "orrery month print function s")
  end)

  it("knows fields and methods of values", function()
    assert.equal("compare", offered "orrery.comp")
    assert.equal("move", offered "point:")
    assert.equal("inner list move x", offered "print(point.")
    assert.equal("deep", offered "point.inner.")
    assert.equal("width", offered "point.list[1].wi")
    assert.equal("rep reverse", offered "string.re")
    assert.equal("", offered "point.list[1].width.")
    assert.equal("", offered "f().")
    assert.equal("", offered "nothing.at.a")
    assert.equal("move", offered "x = 'a\\'' .. point:mo")
    assert.equal("", offered "x = 'point:mo")
  end)

  it("knows the objects of Orrery, methods behind a colon", function()
    offers("s:", "step run_until finish fork")
    offers("s.", "step now procs free")
    assert.is_nil((" " .. offered "s:" .. " "):find " now ")
    offers("result:", "summary difference csv")
    offers("s.jobs:", "day filter")
    assert.equal("run_before run_until run_while running", offered "s:ru")
  end)

  it("knows what is not loaded yet, and does not load it", function()
    offers("month:", "day filter weeks")
    offers("month.", "origin machine_procs")
    assert.equal(0, loads)
  end)

  it("calls nothing of the user's", function()
    assert.equal("", offered "bad.")
    assert.equal("", offered "bad.x.")
    assert.equal("", offered "bad:f().")
  end)

  it("knows the fields that functions take", function()
    offers("orrery.session { ", "jobs policy procs seed tasks")
    assert.equal("jobs", offered "orrery.session { seed = 1, jo")
    assert.equal("jobs", offered "orrery.compare({\n  seed = 1,\n  jo")
    assert.equal("mean_probability rate", offered "orrery.compare { errors = { ")
    offers("x = { pri", "print")
  end)

  it("knows what may be asked for", function()
    assert.equal("compare", offered "?compar")
    offers("? mo", "month")
    assert.equal("run_before run_until run_while running", offered "?s:ru")
  end)

  it("knows policies, by what they are wanted for", function()
    assert.equal("greedy", offered "orrery.compare { policy = \"gree")
    assert.equal("dispatch/greedy", offered "orrery.compare { policy = 'dispatch/g")
    assert.equal("priority/lpt", offered "x { policy = 'easy', priority = 'priority/lpt")
    assert.equal("lpt", offered "orrery.compare { policy = 'easy', priority = 'lpt")
    offers("orrery.compare { policies = { 'easy', \"", "dispatch/easy redistribute/end-local")
    assert.is_nil((offered "orrery.compare { policies = { 'easy', \""):find "priority/")
    assert.equal("'", select(2, complete.candidates "help 'gree"))
  end)

  it("knows files and logs", function()
    local folder, before = program.folder(), lfs.currentdir()
    assert(lfs.mkdir(folder .. "/logs"))
    program.write(folder, "logs/a log.csv", "")
    program.write(folder, "mine.lua", "")
    assert(lfs.chdir(folder))
    local function checked()
      assert.same({ "logs/" }, { offered "orrery.read(\"log" })
      assert.same({ "logs/a log.csv" }, { offered "orrery.read(\"logs/a" })
      assert.same({ "sample-2019-06", "\"" }, { offered "orrery.read \"sam" })
      assert.same({ "sample-2019-06", "\"" }, { offered "orrery.session { jobs = \"sam" })
      assert.same({ "logs/a log.csv" }, { offered "orrery.session { jobs = \"logs/" })
      assert.same({ "./mine.lua" }, { offered "orrery.compare { policy = './m" })
    end
    local done, problem = pcall(checked)
    lfs.chdir(before)
    program.remove(folder)
    assert(done, problem)
  end)

  it("knows what is in a text and what is not", function()
    for text, quote in pairs {
      ["x = \"a"] = "\"", ["x = 'it\" "] = "'", ["x = \"a\" .. "] = false, ["x = \"a\\\""] = "\"",
      ["-- it's"] = false, ["-- it's\nx = '"] = "'",
    } do
      assert.equal(quote or nil, complete.quote(text))
    end
    assert.equal("", offered "-- orrery.comp")
  end)

  it("bears any text", function()
    local rng = orrery.random(5)
    local parts = { "orrery", ".", ":", "{", "}", "(", ")", "\"", "'", "[", "]", "1", " ", "s", "=",
      ",", "policy", "month", "--", "\n", "\\", "..", "é" }
    for _ = 1, rounds(3000, 3000, 250) do
      local text = {}
      for i = 1, rng:integer(0, 12) do text[i] = parts[rng:integer(1, #parts)] end
      local list = complete.candidates(table.concat(text))
      assert.equal("table", type(list))
    end
    assert.equal(0, loads)
  end)
end)
