-- How values are shown at the prompt.
local orrery = require "orrery"

local show = require "orrery.program.show"
local rounds = require "spec.support.rounds"

local function text(value, width) return show.text(value, { width = width or 60 }) end

local function lines_of(shown)
  local lines = {}
  for line in (shown .. "\n"):gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  return lines
end

describe("show", function()
  it("rounds numbers to what can be read, but never before the point", function()
    for given, shown in pairs {
      [0.1 + 0.2] = "0.3", [21600.0] = "21600", [1 / 3] = "0.333333",
      [1561939200.25] = "1561939200",
      [123456.7] = "123457", [1e-7] = "1e-07", [1e300] = "1e+300", [math.huge] = "inf",
      [-math.huge] = "-inf", [-2.5] = "-2.5", [1 << 53] = "9007199254740992",
    } do
      assert.equal(shown, text(given))
    end
    assert.equal("-", text(0 / 0))
    assert.equal("-", text(-(0 / 0)))
  end)

  it("has keys in order: numbers by value, then the others by their text", function()
    assert.equal("-1    1\n1.5   2\n3     3\n10    4\nb     5\ntrue  6",
      text { [3] = 3, [true] = 6, [10] = 4, b = 5, [1.5] = 2, [-1] = 1 })
  end)

  it("looks into tables so deep, and cuts texts that are no UTF-8 by bytes", function()
    assert.equal("a\n  b  { c = { d = { 1 } } }", text { a = { b = { c = { d = { 1 } } } } })
    assert.equal("a\n  b\n    c\n      d  { e = { f = { g = {…} } } }",
      text { a = { b = { c = { d = { e = { f = { g = { 1 } } } } } } } })
    assert.equal("a  { { 1 }, { 2 }, { 3 }, { 4 } }", text { a = { { 1 }, { 2 }, { 3 }, { 4 } } })
    local cut = text({ a = "\xff" .. ("x"):rep(99) }, 40)
    assert.matches("xxx…$", cut)
    assert.is_true(cut:find("\xff", 1, true) ~= nil or cut:find("\\255", 1, true) ~= nil, cut)
    local many = {}
    for i = 1, 99 do many["k" .. i] = i end
    local lines = lines_of(text(many))
    assert.equal("k1   1", lines[1])
    assert.matches("^%.%.%. %d+ more$", lines[#lines])
    assert.equal(99, #lines - 1 + lines[#lines]:match "%d+")
  end)

  it("keeps six digits of any number", function()
    local rng = orrery.random(7)
    for _ = 1, rounds(2000, 2000, 167) do
      local x = (rng:uniform() - 0.5) * 10 ^ rng:integer(-12, 12)
      local shown = tonumber(text(x))
      assert.is_true(math.abs(shown - x) <= math.abs(x) * 5.1e-6, ("%.17g"):format(x))
    end
  end)

  it("shows texts as they are, and cuts those of many lines", function()
    assert.equal("a\nb", text "a\nb")
    local many = lines_of(text(("line\n"):rep(1000) .. "end"))
    assert.equal(31, #many)
    assert.equal("... 971 more lines; print has them all", many[31])
    assert.equal("end", lines_of(text(("line\n"):rep(30) .. "end"))[31]) -- one more is shown
    assert.equal("... 2 more lines; print has them all",
      lines_of(text(("line\n"):rep(31) .. "end"))[31])
  end)

  it("puts records into a table with aligned columns", function()
    assert.equal(table.concat({
      "id     procs  time  note",
      "one       16   1.5",
      "three    512     -  none",
    }, "\n"), text {
      { id = "one", procs = 16, time = 1.5 },
      { id = "three", procs = 512, time = 0 / 0, note = "none" },
    })
  end)

  it("cuts long lists, with a count", function()
    local list = {}
    for i = 1, 5000 do list[i] = { position = i } end
    local lines = lines_of(text(list))
    assert.equal(22, #lines)
    assert.equal("... 4980 more", lines[22])
    for i = 1, 5000 do list[i] = i end
    lines = lines_of(text(list))
    assert.equal("{", lines[1])
    assert.equal("  1, 2, 3,", lines[2]:sub(1, 10))
    local last = lines[#lines - 2]:match "(%d+),?$"
    local more = lines[#lines - 1]:match "%.%.%. (%d+) more"
    assert.equal(5000, tonumber(last) + tonumber(more))
    for i = 22, 5000 do list[i] = nil end
    assert.is_nil(text(list):find "more") -- cutting one would save nothing
  end)

  it("leaves out columns that do not fit, and says so", function()
    local list = { { id = "a", about = ("long "):rep(20), path = ("/p"):rep(20), procs = 4 } }
    local lines = lines_of(text(list, 40))
    assert.equal("id  procs  about", lines[1])
    assert.is_truthy(lines[2]:find "^a       4  long long .*…$")
    assert.equal("not shown: path", lines[3])
  end)

  it("shows names with their values, and tables in tables", function()
    assert.equal("{ a = 1 }", text { a = 1 })
    assert.equal(table.concat({
      "name   \"a \\\"quoted\\\"\\nname\"",
      "count  3",
      "list",
      "  id  procs",
      "  a       1",
      "  b       2",
      "  c       3",
    }, "\n"), text({ count = 3, name = "a \"quoted\"\nname",
      list = { { id = "a", procs = 1 }, { id = "b", procs = 2 }, { id = "c", procs = 3 } } }, 40))
    assert.equal("{}", text {})
    assert.equal("{ 1, 2, { 3 }, \"x\", true }", text { 1, 2, { 3 }, "x", true })
  end)

  it("survives tables that contain themselves", function()
    local a = { name = "a" }
    a.self, a.list = a, { a, a }
    assert.is_truthy(text(a):find("(itself)", 1, true))
    local b = { a, {} }
    b[2][1] = b
    assert.is_truthy(#text(b) < 1000)
    local list = { { id = 1 } }
    list[1].back = list
    assert.is_truthy(#text(list) < 1000)
  end)

  it("lets objects speak for themselves", function()
    local jobs = orrery.synthetic { count = 30, seed = 1 }
    local lines = lines_of(text(jobs, 100))
    assert.equal(tostring(jobs), lines[1])
    assert.is_truthy(lines[2]:find "^id +submit +procs +runtime +time +area$")
    assert.equal("... 22 more", lines[11])
    assert.equal("no jobs", text(jobs:filter(function() return false end)))
    local result = orrery.compare { jobs = jobs, procs = 4000 }
    assert.equal(tostring(result), text(result, 120))
    local session = orrery.session { jobs = jobs, procs = 4000 }
    assert.equal(tostring(session), text(session))
    assert.equal("orrery.random", text(orrery.random(1)))
    local bad = setmetatable({}, { __tostring = function() error "no" end })
    assert.is_truthy(text(bad):find "cannot be shown")
  end)

  it("puts the columns of a result that do not fit below the others", function()
    local result = orrery.compare { jobs = orrery.synthetic { count = 30, seed = 1 }, procs = 4000,
      policies = { "greedy", "easy" }, runs = 2 }
    local lines = lines_of(text(result, 50))
    local wide = lines_of(tostring(result))
    assert.equal(wide[1], lines[1])
    for i = 2, 4 do
      local words, found = {}, {}
      for word in wide[i]:gmatch "%S+" do words[#words + 1] = word end
      for at = i, #lines, 4 do -- three rows and an empty line
        assert.is_true(utf8.len(lines[at]) <= 50)
        for word in lines[at]:gmatch "%S+" do
          if at == i or word ~= words[1] then found[#found + 1] = word end
        end
      end
      assert.same(words, found)
    end
    assert.is_true(#lines > #wide)
  end)

  it("tells where a function is from", function()
    assert.is_truthy(text(function(a, b) return a, b end):find "^function%(a, b%), .*spec.lua line")
    assert.equal("told", show.text(print, { help = function() return "told" end }))
  end)

  it("never shows more columns than there are", function()
    local rng = orrery.random(3)
    local function value(depth)
      local kind = rng:integer(1, depth > 3 and 4 or 6)
      if kind == 1 then return rng:integer(-1000, 1000000) end
      if kind == 2 then return rng:uniform(-1, 1) * 10 ^ rng:integer(-9, 9) end
      if kind == 3 then return ("wörd "):rep(rng:integer(0, 12)) end
      if kind == 4 then return rng:uniform() < 0.5 end
      local out = {}
      for i = 1, rng:integer(0, 30) do
        local key = kind == 5 and i or ("key" .. rng:integer(1, 40))
        out[key] = value(depth + 1)
      end
      return out
    end
    for _ = 1, 300 do
      local given, width = value(1), rng:integer(40, 120)
      if type(given) == "table" then
        for _, line in ipairs(lines_of(text(given, width))) do
          assert.is_true(utf8.len(line) <= width, ("%d: %s"):format(width, line))
        end
      end
    end
  end)
end)
