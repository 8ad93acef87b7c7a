-- sandbox: loads a policy into a fenced environment and checks what it says.
--
-- The program of every host: it is run, not required, and its argument is a table of the host:
--   own          whether the state belongs to the policy
--   description  of the policy: text from closures.encode in a state of its own, else the value
--   random, tostring    in place of Lua's own
--   source       how many bytes a policy's file may have
--   bounded      { string =, table = }: functions in place of those that may stay in C for too long
--   watch, stage, take_strings, has_metatables    see host.c and watchdog.h
--   image, altered     see layouts.h
--   print, must_end               see notes.h
--   events       the names of the hooks that events of jobs call
-- A description is
--   { name =, dispatch = part, priority = part, names = { ["dispatch:easy"] = part, ... },
--     procs = of the machine, nodes = whether it has some, plain = whether the run is,
--     more = processors on top of it for the first group }
--   { name = ..., kind = one that is not for jobs, and a part for each of its hooks: for tasks
--     on_end = part, on_fault = part; for packs pack = part }
--   { name = ..., kind = "any", any = part }, to find out what it is for
-- where a part is { path = ..., text = ... } (a file) or { value = table or function }, with
-- `name` for messages and `options` (those that were set); `plain` where the value is the hook
-- itself. Returns the checked policy as a table that host.c reads.

local closures = require "orrery.host.closures"
local kept = require "orrery.host.kept"
local placement = require "orrery.host.placement"
local policy_checks = require "orrery.host.policy_checks"
local policy_kinds = require "orrery.schema.policy_kinds"

local host = ...
local bounded, description, own = host.bounded, host.description, host.own
local check_hook, contains, fail = policy_checks.hook, policy_checks.contains, policy_checks.fail
local KINDS = policy_kinds.by_name
local JOB_KEYS = { table.unpack(KINDS.dispatch.keys) }
table.move(host.events, 1, #host.events, #JOB_KEYS + 1, JOB_KEYS)

-- Calls a function of the policy while it loads; an error in it is one of `what`.
local function call(part, what, f, ...)
  host.stage(part.name, what)
  local value = f(...)
  host.stage()
  return value
end

-- --- the environment ----------------------------------------------------------------------------

-- Keys in an order that does not depend on the state: Lua's own order of text keys changes from
-- state to state, and so from thread to thread.
local RANK = { number = 1, string = 2, boolean = 3, userdata = 4 }

local function sorted_keys(t)
  local keys, ranks = {}, {}
  for key in next, t do
    local rank = RANK[type(key)]
    if not rank then
      error(("pairs: a key that is a %s has no order; use numbers, strings or jobs"):format(
        type(key)), 3)
    end
    keys[#keys + 1], ranks[key] = key, rank
  end
  table.sort(keys, function(a, b)
    if ranks[a] ~= ranks[b] then return ranks[a] < ranks[b] end
    if ranks[a] == 4 then return a.position < b.position end
    if ranks[a] == 3 then return b and not a end
    return a < b
  end)
  return keys
end

local function ordered_pairs(t)
  if type(t) ~= "table" then error("pairs: expected a table, found " .. type(t), 2) end
  local keys, at = sorted_keys(t), 0
  return function()
    repeat
      at = at + 1
      if keys[at] == nil then return nil end
    until t[keys[at]] ~= nil -- it may have been taken out meanwhile
    return keys[at], t[keys[at]]
  end, t, nil
end

local function ordered_next(t, key)
  local found = key == nil
  for k, value in ordered_pairs(t) do
    if found then return k, value end
    found = k == key
  end
end

local sealed = setmetatable({}, { __mode = "k" })
local caches = {} -- names of variables; see kept.lua

-- A read-only view of a table: values that a policy wrote there would outlive the scenario.
local function seal(name, contents)
  local proxy = setmetatable({}, {
    __index = contents, __metatable = name,
    __newindex = function()
      error(name .. " cannot be changed by a policy", 2)
    end,
  })
  sealed[proxy] = true
  return proxy
end

-- The fields that a metatable may never have, with the reasons.
local FORBIDDEN_FIELDS = {
  __gc = "a policy cannot set __gc: no limit holds in a finaliser",
  __mode = "a policy cannot set __mode: what is collected when would decide what it does",
}

-- Lua looks for __mode whenever it collects, also in a metatable that got it later. So a metatable
-- has a guard for its own metatable, which is asked where it gets a new field. Guard -> what the
-- policy sees in its place, the metatable's own metatable, or false; that -> its guard.
local guards = setmetatable({}, { __mode = "k" })
local guard_of = setmetatable({}, { __mode = "k" })

-- What a guard has for a field of the metatable that it stands for, which may change at any time.
local function forward_index(its_own)
  return function(t, key)
    local index = rawget(its_own, "__index")
    if type(index) == "function" then return index(t, key) end
    if index ~= nil then return index[key] end
  end
end

local WITHOUT = { __eq = rawequal, __len = rawlen } -- what Lua does in place of a field

local function forward(its_own, field)
  if field == "__index" then return forward_index(its_own) end
  return function(...) return (rawget(its_own, field) or WITHOUT[field])(...) end
end

-- A field that the metatable gets, or has.
local function follow(guard, its_own, field)
  if type(field) ~= "string" or field == "__newindex" or field == "__metatable" then return end
  if field == "__name" then
    guard[field] = rawget(its_own, field)
  elseif string.sub(field, 1, 2) == "__" then
    guard[field] = forward(its_own, field)
  end
end

local function set_field(t, key, value)
  rawset(t, key, value)
  if guard_of[t] then follow(guard_of[t], t, key) end
end

local function safe_rawset(t, key, value)
  if sealed[t] then error("a library cannot be changed by a policy", 2) end
  if FORBIDDEN_FIELDS[key] then error(FORBIDDEN_FIELDS[key], 2) end
  if guard_of[t] then
    set_field(t, key, value)
    return t
  end
  return rawset(t, key, value)
end

local function new_guard(its_own)
  local guard = {}
  for key in next, its_own or {} do follow(guard, its_own, key) end
  function guard.__newindex(t, key, value)
    if FORBIDDEN_FIELDS[key] then error(FORBIDDEN_FIELDS[key], 2) end
    local set = its_own and rawget(its_own, "__newindex")
    if type(set) == "function" then
      set(t, key, value)
    elseif set ~= nil then
      set[key] = value
    else
      set_field(t, key, value)
    end
  end
  guards[guard] = its_own or false
  return guard
end

local plain_guard = new_guard(nil)
local metatable_of, put_metatable = debug.getmetatable, debug.setmetatable

local function guard_for(metatable)
  if metatable == nil then return plain_guard end
  guard_of[metatable] = guard_of[metatable] or new_guard(metatable)
  return guard_of[metatable]
end

local function guard(metatable)
  local its_own = metatable_of(metatable)
  if guards[its_own] == nil then put_metatable(metatable, guard_for(its_own)) end
end

-- As a policy sees it.
local function seen_metatable(value)
  local metatable = metatable_of(value)
  if guards[metatable] == nil then return metatable end
  return guards[metatable] or nil
end

local function safe_setmetatable(t, metatable)
  for _, field in ipairs { "__gc", "__mode" } do
    if type(metatable) == "table" and rawget(metatable, field) ~= nil then
      error(FORBIDDEN_FIELDS[field], 2)
    end
  end
  if not own then return setmetatable(t, metatable) end
  host.has_metatables()
  if type(metatable) == "table" and not sealed[metatable] then guard(metatable) end
  local its_own = type(t) == "table" and guards[metatable_of(t)]
  if its_own == nil or type(t) ~= "table" or metatable ~= nil and type(metatable) ~= "table" then
    return setmetatable(t, metatable) -- which raises an error if it is one
  end
  if its_own and rawget(its_own, "__metatable") ~= nil then
    error("cannot change a protected metatable", 2)
  end
  put_metatable(t, guard_for(metatable))
  return t
end

local function safe_getmetatable(value)
  if type(value) == "string" then return "string" end
  local its_own = guards[metatable_of(value)]
  if its_own == nil then return getmetatable(value) end
  if not its_own then return nil end
  local protected = rawget(its_own, "__metatable")
  if protected ~= nil then return protected end
  return its_own
end

-- The results of pcall; an error that a policy may not catch is raised again.
local function caught(ok, ...)
  local problem = not ok and host.must_end()
  if problem then error(problem, 0) end
  return ok, ...
end

local function safe_pcall(...) return caught(pcall(...)) end

-- Lua's own xpcall runs the handler where no debug hook can run, if a debug hook raised the error:
-- the watchdog could not stop the handler. So the handler runs after the call.
local function after_error(handler, ok, ...)
  if ok then return true, ... end
  return false, select(2, safe_pcall(handler, ...))
end

local function safe_xpcall(f, handler, ...)
  if type(handler) ~= "function" then
    error("bad argument #2 to 'xpcall' (function expected, got " .. type(handler) .. ")", 2)
  end
  return after_error(handler, safe_pcall(f, ...))
end

local function safe_print(...)
  local texts = table.pack(...)
  for i = 1, texts.n do texts[i] = host.tostring(texts[i]) end
  host.print(table.concat(texts, "\t", 1, texts.n))
end

local string_functions

-- The libraries that closures.lua lists, copied: one policy cannot change those of another.
local function copy_libraries()
  local libraries = {}
  for _, name in ipairs(closures.plain_functions) do libraries[name] = _G[name] end
  libraries.pairs, libraries.next = ordered_pairs, ordered_next
  libraries.rawset, libraries.setmetatable = safe_rawset, safe_setmetatable
  libraries.getmetatable, libraries.xpcall = safe_getmetatable, safe_xpcall
  libraries.pcall, libraries.print = safe_pcall, safe_print
  libraries.tostring = host.tostring
  for _, name in ipairs(closures.libraries) do
    local functions = {}
    for _, key in ipairs(closures.library_names[name]) do
      functions[key] = bounded[name] and bounded[name][key] or _G[name][key]
    end
    libraries[name] = seal(name, functions)
    if name == "math" then
      functions.random = host.random
    elseif name == "string" then
      string_functions = functions
      if own then
        getmetatable("").__index = functions
        getmetatable("").__metatable = "string"
      end
    end
  end
  return libraries
end

local libraries = copy_libraries()
local strings = not own and debug.getmetatable("")
if strings and rawget(strings, "__index") ~= nil then
  host.take_strings { strings, "__index", string_functions, strings.__index }
end
local outside = own and {} or _G -- where a policy in the caller's state finds its other globals
local adopt
local forbidden = {}
for _, name in ipairs(closures.forbidden) do forbidden[name] = true end

local contents = setmetatable({}, {
  __index = function(_, name)
    local value = libraries[name]
    if value == nil and not forbidden[name] then value = adopt(outside[name], name) end
    if value ~= nil then return value end
    error(("a policy has no global '%s': it sees its arguments and Lua's math, string, table and "
      .. "utf8, but no files, no clock and no other code"):format(tostring(name)), 2)
  end,
})
for name, value in pairs(libraries) do contents[name] = value end

local environment = setmetatable({}, {
  __index = contents,
  __newindex = function(_, name)
    error(("a policy cannot set the global '%s': declare it local, or keep it in sim.state if it "
      .. "changes while the simulation runs"):format(tostring(name)), 2)
  end,
  __metatable = "environment",
})
sealed[environment] = true

if own then
  local globals
  description, globals = closures.decode(description, environment, libraries)
  outside = globals
end

-- A policy in the caller's state may read only these values: plain values; Lua's own libraries,
-- restricted; some functions of Orrery; values of Orrery's classes; and the caller's own Lua
-- functions and tables that contain only such values. Functions, and tables from which one can be
-- reached, are copied, with the restricted environment; other tables stay shared.
local adopted = {}

local function stands_for(value, mine)
  adopted[value], adopted[mine] = mine, mine
  return mine
end

-- Lists are looked through in C: such a function gets a plain one, which has been read in Lua.
local function with_plain_lists(f)
  local function plain(value)
    if type(value) ~= "table" then return value end
    local list = {}
    for i = 1, rawlen(value) do list[i] = value[i] end
    return list
  end
  return function(a, b) return f(plain(a), plain(b)) end
end

-- The functions of the module orrery that a policy may call.
local OF_MODULE = { "random", "student_quantile", "summary", "summary_paired", "quantiles" }

local function allowed_of_module(module)
  local allowed = {}
  for i, name in ipairs(OF_MODULE) do
    allowed[name] = i <= 2 and module[name] or with_plain_lists(module[name])
  end
  return seal("orrery", allowed)
end

if not own then
  local module = require("orrery.core").module
  local seen = stands_for(module, allowed_of_module(module))
  stands_for(module.tools, seal("orrery.tools", {}))
  stands_for(_G, environment)
  for _, name in ipairs(OF_MODULE) do stands_for(module[name], seen[name]) end
  for _, name in ipairs(closures.plain_functions) do stands_for(_G[name], libraries[name]) end
  for _, name in ipairs(closures.libraries) do
    stands_for(_G[name], libraries[name])
    for key, value in pairs(_G[name]) do
      local mine = libraries[name][key]
      if type(value) == "function" and mine then stands_for(value, mine) end
    end
  end
  for name, value in pairs(coroutine or {}) do
    stands_for(value, function()
      error(("a policy cannot use coroutine.%s: no limit holds in a coroutine"):format(name), 2)
    end)
  end
end

-- Whether it is a value of one of Orrery's classes.
local function is_ours(value)
  local metatable = debug.getmetatable(value)
  local name = metatable and rawget(metatable, "__name")
  return type(name) == "string" and string.sub(name, 1, 7) == "orrery."
end

-- A coroutine's limits are its resumer's, where that is known by the coroutine it holds; what comes
-- out of it is the caller's. All other functions of C are none that a policy has.
local function adopt_c_function(value, name)
  local _, thread = debug.getupvalue(value, 1)
  if type(thread) ~= "thread" then
    return function()
      error(("a policy cannot use '%s': it is a function of C that is none of Lua's math, string, "
        .. "table and utf8"):format(name), 2)
    end
  end
  local resume = host.watch(thread, value)
  local function adopt_all(...)
    local results = table.pack(...)
    for i = 1, results.n do results[i] = adopt(results[i], name) end
    return table.unpack(results, 1, results.n)
  end
  return function(...) return adopt_all(resume(...)) end
end

local function adopt_function(value, name)
  if debug.getinfo(value, "S").what == "C" then
    return stands_for(value, adopt_c_function(value, name))
  end
  local copy = stands_for(value, load(string.dump(value), "=policy", "b", environment))
  for i = 1, debug.getinfo(value, "u").nups do
    local variable, upvalue = debug.getupvalue(value, i)
    local mine = variable == "_ENV" and environment or adopt(upvalue, variable)
    if not rawequal(mine, upvalue) then
      debug.setupvalue(copy, i, mine)
    else
      debug.upvaluejoin(copy, i, value, i)
    end
  end
  return copy
end

-- Whether something else must stand for the value, or for what can be reached from it; `seen` gets
-- all that was looked at.
local function must_change(value, seen)
  local kind = type(value)
  if kind == "function" or kind == "thread" then return not rawequal(adopted[value], value) end
  if (kind ~= "table" and kind ~= "userdata") or seen[value] then return false end
  if adopted[value] ~= nil then return not rawequal(adopted[value], value) end
  if is_ours(value) then return false end
  if kind == "userdata" then return true end
  seen[value] = true
  for key, item in next, value do
    if must_change(key, seen) or must_change(item, seen) then return true end
  end
  return must_change(debug.getmetatable(value), seen)
end

-- A finaliser stays with the original: no limit holds in one.
local function adopt_metatable(copy, metatable, name)
  if metatable == nil then return end
  local mine = adopt(metatable, name)
  if not rawequal(mine, metatable) then rawset(mine, "__gc", nil) end
  debug.setmetatable(copy, mine)
end

local function adopt_table(value, name)
  local seen, copy = {}, {}
  if not must_change(value, seen) then
    for one in next, seen do adopted[one] = one end
    return value
  end
  stands_for(value, copy)
  for key, item in next, value do
    local at = type(key) == "string" and name .. "." .. key or name
    copy[adopt(key, at)] = adopt(item, at)
  end
  adopt_metatable(copy, debug.getmetatable(value), name)
  return copy
end

function adopt(value, name)
  if own or value == nil then return value end
  if adopted[value] ~= nil then return adopted[value] end
  local kind = type(value)
  if kind == "function" then return adopt_function(value, name) end
  if (kind == "table" or kind == "userdata") and is_ours(value) then return value end
  if kind == "table" then return adopt_table(value, name) end
  if kind == "userdata" or kind == "thread" then
    local metatable = debug.getmetatable(value)
    error(("policy %s reads %s, a %s, which no policy may have"):format(description.name, name,
      metatable and rawget(metatable, "__name") or kind), 0)
  end
  return value
end

-- --- loading ------------------------------------------------------------------------------------

local PIECE = 1024 -- bytes

-- The parser runs in C, where the watchdog does not see it; but it asks this function for the next
-- piece, and in a function of Lua a call can be stopped.
local function in_pieces(text)
  local at = 1 - PIECE
  return function()
    at = at + PIECE
    return text:sub(at, at + PIECE - 1)
  end
end

local function load_value(part)
  if not part.text then return adopt(part.value, part.name) end
  if #part.text > host.source then
    fail(part, "%s has %d bytes, a policy's file may have %d (limits.source)", part.path,
      #part.text, host.source)
  end
  host.stage(part.name, part.path)
  local chunk, problem = load(in_pieces(part.text), "@" .. part.path, "t", environment)
  host.stage()
  if not chunk then -- Lua cuts long paths, and an overflow of its parser has none
    if problem:find(part.path, 1, true) then error(problem, 0) end
    fail(part, "%s", problem)
  end
  local value = call(part, "loading", chunk)
  if type(value) ~= "table" and type(value) ~= "function" then
    fail(part, "%s must return a table, or a function from options to one; it returns %s",
      part.path, type(value))
  end
  return value
end

-- A policy for jobs is refused for tasks, and the reverse; both are refused for packs.
local function check_kind(part, value, wanted)
  local for_jobs = value.dispatch ~= nil or value.groups ~= nil or value.priority ~= nil
  for _, sign in ipairs(policy_kinds.signs) do
    local key, kind = sign[1], policy_kinds.engines[KINDS[sign[2]].of]
    local ours = kind == wanted or key == "on_end" and wanted == KINDS.dispatch and for_jobs
    if value[key] ~= nil and not ours then
      fail(part, "it %s (it has " .. (wanted.has_other or kind.has) .. "), and %s", kind.does, key,
        wanted.never)
    end
  end
end

-- The kind that the table is of: the wanted one, or one that stands for it.
local function kind_of(value, wanted)
  for _, kind in ipairs(policy_kinds) do
    if kind.stands_for == wanted.name and value[kind.signs[1]] ~= nil then return kind end
  end
  return wanted
end

local function check_table(part, value)
  if type(value) ~= "table" then
    fail(part, "expected a table, or a function from options to one, found %s", type(value))
  end
  local wanted = KINDS[description.kind] or KINDS.dispatch
  check_kind(part, value, wanted)
  if value[1] ~= nil then
    fail(part, "expected one policy, found a list; several are given as policies = { "
      .. "{ policy =, priority = }, ... }")
  end
  local kind = kind_of(value, wanted)
  policy_checks.keys(part, value, kind == KINDS.dispatch and JOB_KEYS or kind.keys)
  if value.caches ~= nil and type(value.caches) ~= "table" then
    fail(part, "caches must be a list of names of variables, it is a %s", type(value.caches))
  end
  return value, kind
end

-- Options are declared as name = default, or as name = { default = ..., about =, unit =, values =,
-- least =, most =, whole = }: values lists the words that are allowed; numbers are from least to
-- most, and whole ones where that is true.
local OPTION_KEYS = { "default", "about", "unit", "values", "least", "most", "whole" }

local function declared(part, value)
  local options = value.options or {}
  if type(options) ~= "table" then fail(part, "options must be a table") end
  local result = {}
  for name, option in pairs(options) do
    if type(option) ~= "table" then option = { default = option } end
    policy_checks.keys(part, option, OPTION_KEYS, nil, ("option %s: "):format(name))
    result[name] = option
  end
  return result
end

local function in_range(option, number)
  return number and number == number and number >= (option.least or -math.huge)
    and number <= (option.most or math.huge) and not (option.whole and number % 1 ~= 0)
end

-- "a whole number from 1 to 9, or all": what an option that is a number, a boolean or a word takes.
local function expectation(option)
  local wanted = type(option.default)
  local words = option.values and table.concat(option.values, ", ") or ""
  if wanted ~= "number" and wanted ~= "boolean" then return words end
  local least, most = option.least, option.most
  local range = least and most and (" from %g to %g"):format(least, most)
    or least and (" of at least %g"):format(least) or most and (" of at most %g"):format(most) or ""
  return (option.whole and "a whole " or "a ") .. wanted .. range
    .. (words ~= "" and ", or " .. words or "")
end

local function convert(part, name, option, value)
  if option.values and contains(option.values, value) then return value end
  local wanted = type(option.default)
  local converted = value
  if wanted == "number" then
    converted = tonumber(value)
    if not in_range(option, converted) then converted = nil end
  elseif wanted == "boolean" then
    converted = ({ ["true"] = true, ["false"] = false })[tostring(value)]
  elseif option.values then
    converted = nil
  end
  if converted ~= nil then return converted end
  fail(part, "option %s: expected %s, found '%s'", name, expectation(option), tostring(value))
end

local function option_values(part, options)
  local values = {}
  for name, option in pairs(options) do values[name] = option.default end
  for name, value in pairs(part.options or {}) do
    if not options[name] then
      fail(part, "it has no option '%s'", name)
    end
    values[name] = convert(part, name, options[name], value)
  end
  return values
end

local stand_ins, makers = {}, {} -- hooks that are no policy's own; tables of those that are

-- Adds the hooks of the kind that a policy stands for.
local function add_made(part, kind, hooks)
  for _, name in ipairs(kind.hooks) do
    if not check_hook(part, hooks, name) then fail(part, "it has no %s", name) end
  end
  makers[#makers + 1] = require("orrery.support.lists").merged(hooks) -- few policies need it
  for name, hook in pairs(kind.makes(makers[#makers])) do
    hooks[name], stand_ins[hook] = hook, true
  end
end

-- A function is called twice: without options, to hear which there are, and with their values.
local function load_part(part, hook)
  local value = load_value(part)
  if type(value) == "function" and part.plain then return { [hook] = value }, {} end
  local make = type(value) == "function" and value
  if make then value = call(part, "options", make, {}) end
  local kind
  value, kind = check_table(part, value)
  local options = declared(part, value)
  placement.add_options(value, options)
  local values = option_values(part, options)
  local problem = placement.option_problem(options, values)
  if problem then
    fail(part, "%s", problem)
  end
  if make then
    value, kind = check_table(part, call(part, "options", make, values, description.nodes,
      description.plain))
  end
  for _, name in ipairs(value.caches or {}) do caches[#caches + 1] = name end
  local hooks = {}
  for key, item in pairs(value) do hooks[key] = adopt(item, key) end
  hooks.dispatch = placement.dispatch(hooks, options, values)
  if kind.makes then add_made(part, kind, hooks) end
  return hooks, options
end

-- --- checking -----------------------------------------------------------------------------------

local function text(part, what, value)
  if value == nil or type(value) == "string" then return value end
  fail(part, "%s must be text, it is a %s", what, type(value))
end

local function scalar(part, what, value)
  local kind = type(value)
  if kind ~= "table" and kind ~= "function" and kind ~= "userdata" then return value end
  fail(part, "%s must be a number, a string or a boolean, it is a %s", what, kind)
end

local function plain_options(part, options)
  local result = {}
  for name, option in pairs(options) do
    local what = "option " .. scalar(part, "an option's name", name)
    local values = option.values and {}
    for i, value in ipairs(option.values or {}) do
      values[i] = scalar(part, what .. ", an allowed value", value)
    end
    result[name] = {
      default = scalar(part, what .. ", the default", option.default), values = values,
      about = text(part, what .. ", about", option.about),
      unit = text(part, what .. ", unit", option.unit),
      least = option.least, most = option.most, whole = option.whole, common = option.common,
    }
  end
  return result
end

local function describe(part, value, options)
  return {
    name = text(part, "name", value.name), about = text(part, "about", value.about),
    source = text(part, "source", value.source), per = value.per,
    options = plain_options(part, options), priority = value.priority ~= nil,
    dispatch = value.dispatch ~= nil, on_end = value.on_end and true,
    on_fault = value.on_fault and true, on_start = value.on_start and true,
    period = value.period and true,
  }
end

local engine = description.kind == "any" and "any" or (KINDS[description.kind] or KINDS.dispatch).of
local policy = { name = description.name, engine = engine, description = {} }
local inits = {}

local function load_jobs_policy()
  inits = require("orrery.host.job_policy").load(policy, {
    description = description, load_part = load_part, describe = describe, call = call,
    events = host.events,
  })
end

-- Reads the hooks on_start and period of a part of a policy for tasks. Of two parts at most one may
-- have on_start, and at most one may have period.
local function take_beside(part, value)
  for _, name in ipairs { "on_start", "period" } do
    local hook = check_hook(part, value, name)
    if hook and policy[name] then
      fail(part, "it has %s, as the policy beside it: one at most may have it", name)
    end
    policy[name] = policy[name] or hook
  end
  local every = value.every_fault
  if every ~= nil and type(every) ~= "boolean" then
    fail(part, "every_fault must be true or false, it is a %s", type(every))
  end
  if every and not value.on_fault then
    fail(part, "it has every_fault, but no on_fault to be called after every fault")
  end
  return every
end

-- A part that stands for both hooks is one file or table; it is loaded once and may have either.
local function load_tasks_policy()
  local single = description.on_end == description.on_fault
  local hooks = policy_kinds.engines.tasks.hooks
  for _, name in ipairs(single and { "on_end" } or hooks) do
    local part = description[name]
    if part then
      local value, options = load_part(part, name)
      for _, hook in ipairs(hooks) do
        if value[hook] then check_hook(part, value, hook) end -- false: nothing is done
      end
      local every = take_beside(part, value)
      if single or name == "on_fault" then policy.every_fault = every end
      if single then
        if value.on_end == nil and value.on_fault == nil and not value.on_start
          and not value.period then
          fail(part, "it has neither on_end nor on_fault (false says that nothing is done)")
        end
        policy.on_fault = value.on_fault or nil
      elseif value[name] == nil then
        local other = name == "on_end" and "on_fault" or "on_end"
        fail(part, "it has no %s%s", name, value[other] and ", only an " .. other or "")
      end
      policy[name] = value[name] or nil
      inits[#inits + 1] = check_hook(part, value, "init")
      policy.description[name] = describe(part, value, options)
    end
  end
  if single then policy.description.on_fault = policy.description.on_end end
end

-- One whose hook is called on its own.
local function load_hook()
  local hook = policy_kinds.engines[engine].hooks[1]
  local part = description[hook]
  local value, options = load_part(part, hook)
  policy[hook] = check_hook(part, value, hook) or fail(part, "it has no %s", hook)
  policy.description[hook] = describe(part, value, options)
end

-- The kind of a policy, from its hooks alone: for a caller that knows only the file.
local function find_kind()
  local part = description.any
  local value = load_value(part)
  if type(value) == "function" then value = call(part, "options", value, {}) end
  local kind = "dispatch" -- the default: loading it reports the error of a file that is no policy
  for _, sign in ipairs(type(value) == "table" and policy_kinds.signs or {}) do
    if value[sign[1]] ~= nil then
      kind = sign[2]
      break
    end
  end
  policy.description.kind = kind
end

local LOAD = { jobs = load_jobs_policy, tasks = load_tasks_policy, packs = load_hook,
  any = find_kind }
LOAD[engine]()

-- Both parts share one sim.state.
if #inits == 2 then
  local first, second = "policy", "priority"
  if engine == "tasks" then first, second = "on_end", "on_fault" end
  policy.init = function(sim)
    inits[1](sim)
    local made = sim.state
    inits[2](sim)
    if sim.state ~= made then
      error(("the %s's init replaced sim.state, which the %s's init had made: it may only "
        .. "add fields"):format(second, first), 0)
    end
  end
else
  policy.init = inits[1]
end

-- The formula that replaces the calls of a priority asked at every decision; nil: none. A policy in
-- the caller's state gets none, because other code may change the values that it reads.
local rules = {
  environment = environment, math = libraries.math,
  is_sealed = function(value) return sealed[value] end,
  is_library = function(name) return libraries[name] ~= nil end,
}

local function formula_of(priority, per)
  if not priority or per ~= "decision" then return nil end
  return require("orrery.host.formulas").translate(priority, rules) -- a large module
end

local function add_formulas(orders)
  orders.formula = formula_of(orders.priority, orders.per)
  orders.backfill_formula = formula_of(orders.backfill, orders.backfill_per)
end

if own then
  add_formulas(policy)
  policy.draws = policy.per == "scenario" and type(policy.priority) == "function"
    and require("orrery.host.draws").is_draw(policy.priority, environment)
  for _, group in ipairs(policy.groups or {}) do add_formulas(group) end
  if policy.formula and not policy.backfill_formula and not policy.groups then
    require("orrery.host.hook_writes").find(policy, policy.formula, rules)
  end
end

-- Watches what the policy keeps outside of sim.state; not in the caller's state, where this belongs
-- to the caller, too, and one thread runs. A policy without a function of its own keeps nothing.
local has_function = #caches > 0
for _, value in pairs(policy) do has_function = has_function or type(value) == "function" end
if own and has_function then
  local ours, roots = stand_ins, {}
  for name, value in pairs(libraries) do
    ours[value] = true
    for _, key in ipairs(closures.library_names[name] or {}) do
      local item = value[key]
      if type(item) == "function" then ours[item] = true end
    end
  end
  local unseen = { description = true, formula = true, backfill_formula = true } -- by its functions
  for key, value in ordered_pairs(policy) do
    if not unseen[key] then roots[#roots + 1] = { path = key, value = value } end
  end
  for _, hooks in ipairs(makers) do
    for key, value in ordered_pairs(hooks) do roots[#roots + 1] = { path = key, value = value } end
  end
  for name, value in ordered_pairs(outside) do
    roots[#roots + 1] = { name = name, value = value }
  end
  policy.check, policy.image = kept.watch(roots, {
    image = host.image, altered = host.altered,
    is_known = function(value) return ours[value] or sealed[value] end,
    metatable_of = seen_metatable, caches = caches, policy = description.name,
  })
end

-- The formula of a priority that is computed once per job of the workload: of the policy (group 0)
-- or of its group with this number; nil: none. C calls this function if there are many jobs.
local function find_formula(group, name)
  local orders = group > 0 and policy.groups[group] or policy
  local priority, per = orders[name], orders[name == "backfill" and "backfill_per" or "per"]
  if not priority or (per or "workload") ~= "workload" then return nil end
  return require("orrery.host.formulas").translate(priority, rules)
end

if own then policy.find_formula = find_formula end

return policy
