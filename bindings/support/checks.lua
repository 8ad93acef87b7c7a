-- checks: checks of values given by a user. A wrong value is an error with the code "argument", as
-- in C functions (raise.h).
local core = require "orrery.core"
local names = require "orrery.support.names"

local checks = {}

local function refuse(format, ...)
  local message = format:format(...)
  core.note_code(message, "argument")
  error(message, 0)
end

local function known(fields)
  local list = table.move(fields, 1, #fields, 1, {})
  table.sort(list)
  return table.concat(list, ", ")
end

-- The fields of a class, "FILE.CLASS": a list of entries. For a class that several functions share,
-- "FILE.CLASS.MARK" selects the entries with the mark of one function. Nobody changes the list.
local listed = {}

function checks.fields_of(path)
  if listed[path] then return listed[path] end
  local included = require "orrery.schema.included"
  local mark, list = path:match "^%w+%.%w+%.?(%w*)$", {}
  listed[path] = list
  for _, entry in ipairs(included.entries(included.find(path))) do
    if entry[1]:find "^%a" and (mark == "" or entry.of:find(mark, 1, true)) then
      list[#list + 1] = entry
    end
  end
  return list
end

function checks.names_of(path)
  local list = {}
  for i, entry in ipairs(checks.fields_of(path)) do list[i] = entry[1] end
  return list
end

-- A field that is true or false, with its default.
local function flag(entry, value)
  if value == nil then return entry.default == "true" end
  if type(value) == "boolean" then return value end
  refuse("%s: expected true or false, found '%s'", entry[1], tostring(value))
end

-- A number; a number with a least value is seconds.
local function number(entry, value)
  if value == nil or not entry.least then return value end
  if type(value) ~= "number" or not (value >= entry.least and value < math.huge) then
    refuse("%s: expected a number of seconds of at least %g, found '%s'", entry[1], entry.least,
      tostring(value))
  end
  return value
end

local PLAIN = { ["boolean?"] = flag, ["number?"] = number, ["integer?"] = number }

-- The fields of a class that are numbers or flags, checked; flags that are not given have their
-- defaults.
function checks.plain_fields(given, path)
  local fields = {}
  for _, entry in ipairs(checks.fields_of(path)) do
    local check = PLAIN[entry[2]]
    if check then fields[entry[1]] = check(entry, given[entry[1]]) end
  end
  return fields
end

-- Checks that `given` is a table with no fields other than these: a list of names, or a class
-- (names_of). `what` names it in messages.
function checks.fields(what, given, fields)
  if type(fields) == "string" then fields = checks.names_of(fields) end
  if type(given) ~= "table" then
    refuse("%s: expected a table, found %s", what, type(given))
  end
  local set = {}
  for _, name in ipairs(fields) do set[name] = true end
  for name in pairs(given) do
    if not set[name] then
      refuse("%s: unknown field '%s'%s (known: %s)", what, tostring(name),
        names.suggestion(name, fields), known(fields))
    end
  end
end

-- Refuses what only jobs on a machine can have; who: "tasks".
function checks.counted(what, given, who)
  for _, name in ipairs { "machine", "pools", "limit" } do
    if type(given) == "table" and given[name] ~= nil then
      refuse("%s: %s: %s run on counted processors, of a machine without nodes, pools and limits",
        what, name, who)
    end
  end
end

-- A value without a text of its own is "a table": an address tells nobody anything.
local function text_of(value)
  local text = tostring(value)
  return text:find "^%a+: 0x%x+$" and "a " .. type(value) or text
end

-- A value as messages show it: texts in quotes.
function checks.shown(value)
  return type(value) == "string" and ('"%s"'):format(value) or text_of(value)
end

-- The value as text; strings in single quotes.
function checks.quoted(value)
  return type(value) == "string" and "'" .. value .. "'" or text_of(value)
end

-- Raises the message where `wrong` is true.
function checks.refuse(wrong, format, ...)
  if wrong then refuse(format, ...) end
end

function checks.expect(fine, what, expected, found)
  checks.refuse(not fine, "%s: expected %s, found %s", what, expected, found)
end

checks.MOST = 2^31 - 2 -- of processors and nodes

-- The given whole number, at least `least` where that is given; `default` where the value is nil.
-- most: checks.MOST, or nil.
function checks.count(what, value, least, default, most)
  if value == nil and default ~= nil then return default end
  local whole = type(value) == "number" and math.tointeger(value)
  checks.expect(whole and whole >= (least or whole), what,
    "a whole number" .. (least and " of at least " .. least or ""), checks.quoted(value))
  checks.expect(math.abs(whole) <= (most or math.huge), what, "at most 2147483646", value)
  return whole
end

-- Whether a table has no other keys than 1 to #t.
function checks.is_list(t)
  local keys = 0
  for _ in pairs(t) do keys = keys + 1 end
  return keys == #t
end

-- The given whole number, or nil.
function checks.whole(what, value)
  if value == nil then return nil end
  local whole = type(value) == "number" and math.tointeger(value)
  if whole then return whole end
  refuse("%s must be a whole number, it is %s", what, checks.shown(value))
end

-- The kind of a value: "orrery.jobs", "orrery.tasks", or its type.
function checks.kind_of(value)
  local metatable = type(value) == "userdata" and debug.getmetatable(value)
  return metatable and metatable.__name or type(value)
end

return checks
