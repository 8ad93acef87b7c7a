-- Policies have Lua's semantics: pieces of the language give the same inside and outside of the
-- sandbox. What differs on purpose (policies/README.md) is at the end, and nothing else.
local orrery = require "orrery"
local temporary = require "spec.support.temporary"

local JOBS = orrery.jobs { { id = "one", procs = 1, time = 1 } }

-- Each returns values, which are compared as texts.
local PIECES = {
  ["inheritance whose metatable gets __index later"] = [[
    local Base, mt = { greet = function() return "hello" end }, {}
    local Derived = setmetatable({}, mt)
    Derived.__index = Derived
    local object = setmetatable({}, Derived)
    local before = object.greet
    mt.__index = Base
    local after = object.greet()
    mt.__index = { greet = function() return "other" end }
    local replaced = object.greet()
    mt.__index = nil
    return before, after, replaced, object.greet, Derived.greet]],
  ["three classes, each made before the one above it has its fields"] = [[
    local A, B, C = {}, {}, {}
    A.__index, B.__index, C.__index = A, B, C
    setmetatable(C, B) setmetatable(B, A)
    local object = setmetatable({}, C)
    function A.name() return "A" end
    function A:__tostring() return "an A" end
    function B.__add(a, b) return "B+" end
    return object.name(), pcall(function() return object + 1 end)]],
  ["operators that a metatable gets, changes and loses after its use"] = [[
    local mt, seen = {}, {}
    local class = setmetatable({}, mt)
    local object = setmetatable({}, class)
    mt.__call = function(_, x) return x * 2 end
    seen[1] = class(4)
    mt.__call = function(_, x) return x * 3 end
    seen[2] = class(4)
    mt.__len = function() return 42 end
    seen[3] = #class
    mt.__len = nil
    seen[4] = #class
    mt.__unm = function() return "minus" end
    mt.__concat = function() return "and" end
    mt.__lt = function() return true end
    mt.__eq = function() return true end
    seen[5], seen[6], seen[7] = -class, class .. "x", class < class
    seen[8] = class == setmetatable({}, mt)
    mt.__eq = nil
    seen[9] = class == setmetatable({}, mt)
    seen[10] = object == class
    rawset(mt, "__tostring", function() return "text" end)
    seen[11] = tostring(class)
    mt.__name = "Named"
    for i = 1, 11 do seen[i] = tostring(seen[i]) end
    return table.concat(seen, " ")]],
  ["__newindex, rawset and rawget"] = [[
    local log = {}
    local mt = { __newindex = function(t, k, v) log[#log + 1] = k rawset(t, k, v) end }
    local t = setmetatable({}, mt)
    setmetatable({}, t)
    t.a = 1 t.a = 2 t.__index = log
    mt.__newindex = nil
    t.b = 3
    mt.__newindex = log
    t.c = 4
    return t.a, t.b, rawget(t, "c"), log.c, table.concat(log, ","), rawlen { 1, 2 }]],
  ["chains of __index with functions"] = [[
    local c = setmetatable({}, { __index = function(_, k) return k .. "!" end })
    local b = setmetatable({}, { __index = c })
    local a = setmetatable({}, { __index = b })
    return a.x, b.y, rawget(a, "x"), select("#", a.x)]],
  ["protected metatables"] = [[
    local mt = {}
    local t = setmetatable({}, mt)
    setmetatable({}, t)
    mt.__metatable = "mine"
    local ok, message = pcall(setmetatable, t, {})
    mt.__metatable = nil
    return getmetatable(t) == mt, ok, message, getmetatable(setmetatable(t, nil))]],
  ["__close in its order, also on errors"] = [[
    local log = {}
    local function closing(name)
      return setmetatable({}, { __close = function(_, e) log[#log + 1] = name .. tostring(e) end })
    end
    do
      local a <close> = closing "a"
      local b <close> = closing "b"
    end
    pcall(function()
      local c <close> = closing "c"
      error("x", 0)
    end)
    for _ in next, {}, nil, closing "d" do log[1] = 0 end
    return table.concat(log, " ")]],
  ["goto and closures of loops"] = [[
    local fs, i = {}, 0
    ::again::
    local x = i
    fs[#fs + 1] = function() x = x + 1 return x end
    i = i + 1
    if i < 3 then goto again end
    return fs[1](), fs[1](), fs[2](), fs[3]()]],
  ["integers and floats"] = [[
    return 7 // 2, -7 // 2, 7 // -2.0, -7 % 3, 7 % -3, 5.5 % -2, 1 / 0, 2^53 == 2^53 + 1,
      math.maxinteger + 1 == math.mininteger, 3 | 4.0, "10" + 5, "0x10" * 1, 10 // 0.0,
      math.type(3.0), math.type(2^31 // 1), 1e15, 2^63, -0.0, 3 == 3.0, pcall(function()
        return 1 // 0 end)]],
  ["shifts and bits"] = [[
    return 1 << 63, 1 << 64, -1 >> 1, ~5, 6 ~ 3, 6 & 3, 1 << -1, pcall(function()
      return 1.5 | 1 end)]],
  ["varargs, select and multiple assignment"] = [[
    local function f(...) return select("#", ...), select(-1, ...), ... end
    local a, b, c = f(1, nil, 3)
    local i, t = 1, {}
    i, t[i] = i + 1, 20
    return a, b, c, i, t[1], t[2], (f(1)), table.unpack({ 1, nil, 3 }, 1, 3)]],
  ["constants and scopes"] = [[
    local x <const> = 5
    local function f() local x = x + 1 return x end
    return x, f(), (function(...) return ... end)(1, 2)]],
  ["errors as values and levels"] = [[
    local ok, e = pcall(error, { code = 5 })
    local ok2, e2 = pcall(error, "plain", 0)
    local ok3, e3 = pcall(error)
    local ok4, e4 = xpcall(function() return ok.x.y end, function(m) return "h: " .. m end)
    return ok, e.code, ok2, e2, ok3, e3, ok4, e4, select("#", pcall(error))]],
  ["texts and patterns"] = [[
    return ("x"):rep(3, ","), ("hello world"):gsub("o", { o = "0" }),
      ("key = val"):match "(%w+) = (%w+)",
      ("%5.2f|%-5d|%q"):format(3.14159, 42, "a\nb"), ("abc"):byte(1, -1), #"\u{20AC}",
      utf8.char(8364), utf8.len "äö", ("x"):find("", 10), tostring(1e100), tostring(-0.0),
      string.pack("<i4", 7):byte(1, -1)]],
  ["functions of tables"] = [[
    local t = { 5, 2, 8, 1 }
    table.sort(t, function(a, b) return a > b end)
    table.insert(t, 2, 9)
    local gone = table.remove(t, 1)
    return table.concat(t, ","), gone, table.unpack(table.move(t, 1, 2, 3)), table.pack(1, nil).n]],
  ["loops over numbers"] = [[
    local list = {}
    for i = 3, 1, -1 do list[#list + 1] = i end
    for x = 0, 1, 0.25 do list[#list + 1] = x end
    for i = math.maxinteger - 1, math.maxinteger do list[#list + 1] = i end
    return table.concat(list, " "), pcall(function() for i = 1, 2, 0 do list = i end end)]],
}

-- What a piece gives, as text; errors without where they were raised.
local SHOW = [[
local function shown(...)
  local list = table.pack(...)
  for i = 1, list.n do
    list[i] = type(list[i]) == "table" and "table" or tostring(list[i]):gsub("[^ ]*:%d+: ", "")
  end
  return table.concat(list, " | ")
end
return { dispatch = function(sim)
  sim:note { text = shown((function(sim) PIECE end)()) }
  for job in sim:fitting() do sim:start(job) end
end }
]]

local function with_piece(piece)
  return (SHOW:gsub("PIECE", function() return piece end))
end

local function inside(path)
  local session = orrery.session { jobs = JOBS, procs = 1, policy = path }
  session:finish()
  return session.notes[1].text
end

local function outside(text)
  local noted
  assert(load(text, "@outside.lua"))().dispatch { note = function(_, note) noted = note.text end,
    fitting = function() return function() end end }
  return noted
end

describe("a policy has Lua's semantics:", function()
  for name, piece in pairs(PIECES) do
    it(name, function()
      local text = with_piece(piece)
      assert.equal(outside(text), temporary.file("piece.lua", text, inside))
    end)
  end
end)

describe("what differs from Lua on purpose:", function()
  for name, one in pairs {
    ["lists with __len"] = { "return pcall(table.unpack, setmetatable({}, { __len = error }))",
      "a list with __len is not for the functions of a policy's table library" },
    ["addresses"] = { "return tostring({})", "table: 1" },
    ["the order of pairs"] = { "local s = '' for k in pairs { b = 1, a = 1, 5, [0.5] = 1 } do "
      .. "s = s .. k .. ' ' end return s", "0.5 1 a b" },
    ["weak tables and finalisers"] = { "return pcall(setmetatable, {}, { __gc = print })",
      "a policy cannot set __gc" },
    ["coroutines and other libraries"] = { "return pcall(function() return coroutine end)",
      "a policy has no global 'coroutine'" },
    ["globals"] = { "return pcall(function() x = 1 end)", "a policy cannot set the global 'x'" },
    ["the handler of xpcall runs after the call"] = {
      "local log = '' xpcall(function() local _ <close> = setmetatable({}, { __close = function() "
        .. "log = log .. 'close ' end }) error 'x' end, function() log = log .. 'handler ' end) "
        .. "return log", "close handler" },
  } do
    it(name, function()
      local text = with_piece(one[1])
      local found = temporary.file("piece.lua", text, inside)
      assert.matches(one[2], found, 1, true)
    end)
  end
end)
