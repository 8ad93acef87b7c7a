-- Policies that were written to break the sandbox, the limits, the threads or the engine: what each
-- tries, and what has to come. hundred_spec.lua runs them.
--
-- { what it tries, code, what comes }. The code is that of a dispatch hook which then starts what
-- fits, or a whole FILE. What comes is a part of the message ("": any), or nil where the policy may
-- do so: then it runs, with the same results on one thread and on two.

local FILE = "\0" -- stands before a whole file

local TIME, MEMORY = "this call took more than", "not enough memory"
local LOST = "nothing starts at time 100"
local KEPT, GLOBAL = "has changed: ", "a policy has no global"
local SEALED = "cannot be changed by a policy"

local function dispatch(more)
  return "return { dispatch = function(sim) for j in sim:fitting() do sim:start(j) end end, "
    .. more .. " }"
end

return {
  -- out of the sandbox
  { "a coroutine, in which no limit holds", "coroutine.create(function() end)", GLOBAL },
  { "code from text", "load('os.exit()')()", GLOBAL },
  { "code from a file", "dofile '/etc/passwd'", GLOBAL },
  { "its own bytecode", "string.dump(function() end)", "attempt to call a nil value" },
  { "the collector", "collectgarbage('stop')", GLOBAL },
  { "the table of globals", "_G.os.exit()", GLOBAL },
  { "a module", "require 'orrery'", GLOBAL },
  { "warnings", "warn('@on')", GLOBAL },
  { "the environment of another function", "setmetatable(_ENV, nil)", "protected metatable" },
  { "to be without an environment", "do local _ENV = {} x = 1 end do local _ENV = nil end" },
  { "a global through the environment", "table.insert(_ENV, 1)", "cannot set the global '1'" },
  { "the methods of strings", "getmetatable('').__index = nil", "attempt to index a string value" },
  { "a library's constant", "math.pi = 3", SEALED },
  { "a library with rawset", "rawset(math, 'pi', 3)", SEALED },
  { "a library with table.move", "table.move({ 1, 2 }, 1, 2, 1, math)", SEALED },
  { "a library with table.insert", "table.insert(string, 1)", SEALED },
  { "a library with table.remove", "table.remove(table)", SEALED },
  { "the metatable of a library", "setmetatable(math, {})", "protected metatable" },
  { "the metatable of a job", "setmetatable(sim:job(1), {})", "table expected, got orrery.job" },
  { "the fields of a job", "sim:job(1).procs = 0", "jobs cannot be changed by a policy" },
  { "the fields of a job with rawset", "rawset(sim:job(1), 'procs', 0)", "got orrery.job" },
  { "the fields of sim", "sim.now = 5", "sim.now cannot be set" },
  { "a finaliser", "setmetatable({}, { __gc = function() end })", "cannot set __gc" },
  { "a finaliser later", [[
      local m = {} setmetatable({}, m) m.__gc = function() end]], "cannot set __gc" },
  { "a finaliser by the metatable's __newindex", [[
      local m = setmetatable({}, { __newindex = function(t, k, v) rawset(t, k, v) end })
      setmetatable({}, m) m.__gc = function() end]], "cannot set __gc" },
  { "a finaliser by table.move", [[local m = {} setmetatable({}, m)
      table.move({ function() end }, 1, 1, 1, setmetatable({}, { __newindex = function(_, _, v)
        m.__gc = v end }))]], "cannot set __gc" },
  { "weak tables", "setmetatable({}, { __mode = 'k' })", "cannot set __mode" },
  { "a metatable that says it is none", [[
      assert(getmetatable(setmetatable({}, { __metatable = 5 })) == 5)]] },
  { "bytecode as a file", FILE .. "\27Lua return", "attempt to load a binary chunk" },
  { "a script of the shell as a file", FILE .. "#!/bin/sh\nreturn { dispatch = 'easy' }",
    "unexpected symbol near '#'" },

  -- for ever
  { "a loop by goto", "::again:: goto again", TIME },
  { "a loop up to infinity", "for _ = 1, math.huge do end", TIME },
  { "a loop by repeat", "repeat local x = 1 until x == 2", TIME },
  { "a loop by pcall", "while true do pcall(error) end", TIME },
  { "a loop that closes", [[
      do local x <close> = setmetatable({}, { __close = function() while true do end end })
      end]], TIME },
  { "a list without an end", [[
      for _ in ipairs(setmetatable({}, { __index = function() return 1 end })) do end]], TIME },
  { "an order that never comes back", [[
      table.sort({ 3, 2, 1 }, function() while true do end end)]], TIME },
  { "a pattern that goes back and forth", [[
      do local _ = ('a'):rep(40):match(('a*'):rep(30) .. 'b') end]], TIME },
  { "a pattern with a frontier that does so", [[
      do local _ = ('a'):rep(60):find('%f[a]' .. ('a-'):rep(30) .. 'b') end]], TIME },
  { "a pattern with balanced brackets", "do local _ = ('('):rep(200000):find('%b()') end", TIME },
  { "a replacement that never comes back", [[
      (('x'):rep(9)):gsub('x', function() while true do end end)]], TIME },
  { "elements without number", "table.unpack({}, 1, 1e8)", "too" },
  { "a move without an end", "table.move({}, 1, 1 << 60, 2)", TIME },
  { "an endless concatenation", [[
      local m = {} m.__concat = function(a, b) return a .. b end local _ = setmetatable({}, m)
      .. '']], "overflow" },
  { "an endless comparison", [[
      local m = {} m.__lt = function(a, b) return a < b end local t = setmetatable({}, m)
      local _ = t < t]], "overflow" },
  { "an endless text", [[
      local m = {} m.__tostring = function(t) return tostring(t) end tostring(setmetatable({},
      m))]], "overflow" },
  { "recursion through gsub", "local function f(s) return (s:gsub('.', f)) end f 'x'", "overflow" },
  { "recursion through sort", "local function f() table.sort({ 1, 2 }, f) end f()", "overflow" },
  { "recursion through pcall", "local function f() return pcall(f) end f() error 'done'", "done" },
  { "recursion without an end", "local function f() return 1 + f() end f()", MEMORY },
  { "a chain of __index that is a ring", [[
      local t = {} setmetatable(t, { __index = t }) local _ = t.x]], "possible loop" },
  { "an object whose fields never come", FILE .. [[
      return setmetatable({}, { __index = function() while true do end end })]], TIME },
  { "options whose names never come", FILE .. [[
      return { dispatch = 'easy', options = setmetatable({}, { __pairs = function() while true
      do end end }), caches = setmetatable({}, { __index = function() while true do end end })
      }]], TIME },
  { "waking up at the same time", "sim:wake_at(sim.now)", "is no time to wake up at" },
  { "waking up in the past", "sim:wake_at(-5)", "is no time to wake up at" },
  { "waking up at no time", "sim:wake_at(0 / 0)", "is no time to wake up at" },
  { "waking up at the end of time", "sim:wake_at(math.huge)", "is no time to wake up at" },
  { "waking up ever a little later", FILE .. [[
      return { dispatch = function() end, on_idle = function(sim) sim:wake_at(sim.now +
      1e-300) end }]], LOST },
  { "a timer that sets itself", FILE .. [[
      return { dispatch = function() end, on_submit = function(sim) sim:wake_at(sim.now + 1)
      end, on_timer = function(sim) sim:wake_at(sim.now + 1e-9) end }]], "" },
  { "starting and requeuing for ever", [[
      for _ = 1, math.huge do for j in sim:fitting() do sim:start(j) sim:requeue(j) end end]], "" },

  -- too much
  { "text that doubles", "local t = 'x' while true do t = t .. t end", MEMORY },
  { "text that is repeated", "('x'):rep(1 << 40)", "resulting string too large" },
  { "text longer than any", "('ab'):rep(math.maxinteger)", "resulting string too large" },
  { "a list that grows", "local t = {} for i = 1, math.huge do t[i] = i end", MEMORY },
  { "a table in a table", "local t = {} while true do t = { t } end", MEMORY },
  { "texts side by side", [[
      local t, s = {}, ('x'):rep(1 << 20) for i = 1, 100 do t[i] = s end table.concat(t)]],
    MEMORY },
  { "a thing packed too wide", "string.pack('i17', 1)", "out of limits" },
  { "a thing packed too long", "string.pack('c1000000000', '')", MEMORY },
  { "a format too wide", "string.format('%99999d', 1)", "invalid conversion" },
  { "addresses", "string.format('%p', {})", "cannot use %p" },
  { "characters that are none", "utf8.char(-1)", "value out of range" },
  { "an order that is none", [[
      local t = {} for i = 1, 5000 do t[i] = i % 7 end table.sort(t, function() return true
      end)]], "invalid order function" },
  { "an order that changes the list", [[
      local t = {} for i = 1, 500 do t[i] = i end table.sort(t, function(a, b) for k in
      pairs(t) do t[k] = nil end return a < b end)]], "attempt to compare" },
  { "an order that makes the list longer", [[
      local t = {} for i = 1, 500 do t[i] = -i end table.sort(t, function(a, b) t[#t + 1] = 0
      return a < b end)]] },
  { "a bomb in the file itself", FILE .. [[
      local t = {} for i = 1, math.huge do t[i] = ('x'):rep(1000) .. i end return {}]], MEMORY },
  { "brackets in brackets", FILE .. "return " .. ("("):rep(5000) .. "1" .. (")"):rep(5000),
    "overflow" },
  { "tables in tables", FILE .. "return " .. ("{"):rep(5000) .. ("}"):rep(5000), "overflow" },
  { "a chain of texts", FILE .. "local x = 'a'" .. (" .. 'a'"):rep(9000) .. " return {}",
    "overflow" },
  { "too many variables", FILE .. ("local a "):rep(201) .. " return {}",
    "too many local variables" },
  { "a comment without an end", FILE .. "return {} --[==[", "unfinished long comment" },
  { "options in options", FILE .. [[
      local t = {} local r = t for _ = 1, 9e4 do r.default = {} r = r.default end return {
      options = { a = t }, dispatch = 'easy' }]], "must be a number, a string or a boolean" },
  { "options without number", FILE .. [[
      local t = {} for i = 1, 3e5 do t['a' .. i] = i end return { options = t, dispatch =
      'easy' }]], "" },
  { "groups without number", FILE .. [[
      local g = {} for i = 1, 1e5 do g[i] = { name = 'g' .. i, procs = 1, dispatch = 'easy' }
      end return { groups = g }]], "" },
  { "a name without an end", FILE .. [[
      return { name = ('x'):rep(1e6), dispatch = function() error 'here' end }]], "here" },
  { "a state that grows", "for i = 1, math.huge do sim.state[i] = { i } end", MEMORY },

  -- the same bits
  { "to count how much memory there is", [[
      local n = 0
      pcall(function() local t = {} while true do n = n + 1 t[n] = ('x'):rep(999) .. n end end)
      sim.state.n = n]], MEMORY },
  { "to count it behind a __close that fails otherwise", [[
      local n = 0
      pcall(function()
        local _ <close> = setmetatable({}, { __close = function() error 'another' end })
        local t = {} while true do n = n + 1 t[n] = ('x'):rep(999) .. n end
      end)
      sim.state.n = n]], MEMORY },
  { "to count it by a handler", [[
      xpcall(function() local t = {} while true do t[#t + 1] = ('x'):rep(999) .. #t end end,
      function() return 1 end)]], MEMORY },
  { "to count how much time there is", [[
      local n = 0 pcall(function() while true do n = n + 1 end end) sim.state.n = n]], TIME },
  { "how deep the stack is", [[
      local d = 0 local function f() d = d + 1 return 1 + f() end pcall(f) sim.state.d = d]],
    MEMORY },
  { "the order of texts as keys", [[
      local s = '' for k in pairs { a = 1, b = 2, c = 3 } do s = s .. k end assert(s == 'abc')]] },
  { "the order of tables as keys", [[
      for _ in pairs { [{}] = 1, [{}] = 2 } do end]], "a key that is a table has no order" },
  { "the order of functions as keys", "next { [print] = 1, [pcall] = 2 }",
    "a key that is a function has no order" },
  { "an address as a text", [[
      assert(tostring({}) == 'table: 1' and ('%s'):format(error) == 'function: 2')]] },
  { "an address in an error", [[
      local ok, e = pcall(function() return {} < {} end) assert(e:find 'two table values')]] },
  { "a counter in a variable", FILE .. [[
      local n = 0 return { dispatch = function(sim) n = n + 1 for j in sim:fitting() do
      sim:start(j) end end }]], KEPT },
  { "a counter in an option", FILE .. [[
      return function(o) return { options = { a = { default = 1 } }, dispatch = function(sim)
      o.a = o.a + 1 for j in sim:fitting() do sim:start(j) end end } end]], KEPT },
  { "a counter in a metatable", FILE .. [[
      local m = {} local t = setmetatable({}, m) return { dispatch = function(sim) m.n = (m.n
      or 0) + 1 for j in sim:fitting() do sim:start(j) end end, on_end = function() return t
      and nil end }]], KEPT },
  { "a counter in the place of gmatch", FILE .. [[
      local g = ('a b c d'):gmatch '%a' return { dispatch = function(sim) sim.state.x = g()
      for j in sim:fitting() do sim:start(j) end end }]], "the variable 'g' holds an iterator" },
  { "the same in a cache", FILE .. [[
      local g return { caches = { 'g' }, dispatch = function(sim) g = g or ('a b c d'):gmatch
      '%a' sim.state.x = g() for j in sim:fitting() do sim:start(j) end end }]],
    "holds an iterator" },
  { "the place of pairs", FILE .. [[
      local f, t = pairs { 1, 2, 3, 4, 5, 6, 7, 8, 9 } return { dispatch = function(sim)
      sim.state.x = f(t) for j in sim:fitting() do sim:start(j) end end }]], KEPT },
  { "a queue that is kept", FILE .. [[
      local f return { caches = { 'f' }, dispatch = function(sim) f = f or sim:waiting() for j
      in sim:fitting() do sim:start(j) end end, on_end = function() f() end }]],
    "holds an iterator" },
  { "sim that is kept", FILE .. [[
      local k return { caches = { 'k' }, dispatch = function(sim) k = k or sim for j in
      sim:fitting() do k:start(j) end end }]] },
  { "a job that is kept", FILE .. [[
      local k return { caches = { 'k' }, dispatch = function(sim) for j in sim:fitting() do k
      = k or j sim:start(j) end end, on_end = function(sim) sim:start(k) end }]],
    "cannot be started" },
  { "random numbers while it loads", FILE .. [[
      local x = math.random() return {}]], "math.random can be used only inside a hook" },

  -- the engine
  { "no decision at all", FILE .. "return { dispatch = function() end }", LOST },
  { "a job twice", [[
      for j in sim:fitting() do sim:start(j) sim:start(j) end]], "it is running already" },
  { "a number for a job", "sim:start(1)", "orrery.job expected, got number" },
  { "a table that looks like a job", [[
      sim:start(setmetatable({ position = 1 }, getmetatable(sim:job(1))))]], "" },
  { "a job behind the last", "sim:job(math.maxinteger)", "there is no job at this position" },
  { "a job before the first", "sim:job(0)", "there is no job at this position" },
  { "half a job", "sim:job(1.5)", "no integer representation" },
  { "a method without sim", "sim.start(nil, nil)", "" },
  { "a method of another sim", "sim.start({}, sim:job(1))", "" },
  { "a priority that is no number", FILE .. [[
      return { per = 'decision', dispatch = 'list', priority = function() return 0 / 0 end }]],
    "is not a number (nan)" },
  { "a priority that is a text", FILE .. [[
      return { per = 'decision', dispatch = 'list', priority = function() return '1' end }]],
    "a priority must be a number" },
  { "priorities without an end", FILE .. [[
      return { per = 'decision', dispatch = 'list', priority = function(j) return j.procs > 1
      and math.huge or -math.huge end }]] },
  { "a priority that starts jobs", FILE .. [[
      return { per = 'decision', dispatch = 'list', priority = function(j, sim) sim:start(j)
      return 1 end }]], "cannot be started: only the dispatch hook" },
  { "a priority that wakes up", FILE .. [[
      return { per = 'decision', dispatch = 'list', priority = function(_, sim) sim:wake_at(5)
      return 1 end }]], "may ask for a time" },
  { "a result where there is none", FILE .. dispatch "on_end = function() return true end",
    "it must return nothing" },
  { "an event's hook that starts what is over",
    FILE .. dispatch "on_end = function(sim, j) sim:start(j) end", "it is over" },
  { "a group with less than nothing", FILE .. [[
      return { groups = { { name = 'a', procs = -5, dispatch = 'easy' } } }]],
    "must be a whole number of at least 1" },
  { "groups of one name", FILE .. [[
      return { groups = { { name = 'a', procs = 1, dispatch = 'easy' }, { name = 'a', procs =
      1, dispatch = 'easy' } } }]], "" },
  { "an object that has everything", FILE .. [[
      return setmetatable({}, { __index = function() return function() end end })]], "" },
  { "a discipline that there is not", FILE .. [[
      return { dispatch = { discipline = 'os.exit' } }]], "" },

  -- messages
  { "an error that is an object", [[
      error(setmetatable({}, { __tostring = function() error {} end }))]], "" },
  { "an error that is no text after all", [[
      error(setmetatable({}, { __tostring = function() return {} end }))]],
    "'__tostring' must return a string" },
  { "an error with a long name", [[
      error(setmetatable({}, { __name = ('x'):rep(1e6) }))]], "bytes more" },
  { "an error without an end", "error(('long '):rep(1e6))", "bytes more" },
  { "an error that is nil", "error(nil)", "error object: nil" },
  { "an error that says it is memory", "error('not enough memory', 0)", MEMORY },
  { "an error that says it is time", [[
      error('this call took more than 1 s of processor time (limits.seconds)', 0)]], TIME },
  { "arithmetic without an end", [[
      local n = 0 for i = math.maxinteger - 1, math.maxinteger do n = n + 1 end assert(n == 2
      and 1 << 64 == 0)]] },
  { "a division by nothing", "local _ = 1 // 0", "attempt to" },
}
