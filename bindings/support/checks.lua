-- checks: whether what a user gives is what is expected.
local names = require "orrery.support.names"

local checks = {}

local function known(fields)
  local list = table.move(fields, 1, #fields, 1, {})
  table.sort(list)
  return table.concat(list, ", ")
end

-- The class of this name in schema/FILE.lua: a list of entries, each with its name first.
local function find_class(file, name)
  for _, class in ipairs(require("orrery.schema." .. file)) do
    if class.class == name then return class end
  end
  error(("there is no class %s in schema/%s.lua"):format(name, file))
end

-- The names of the fields of a class, "FILE.CLASS"; of those that several functions share, with
-- the mark of one, "FILE.CLASS.MARK", those that it has. `type_of`: only those of this type.
function checks.names_of(path, type_of)
  local file, name, mark = path:match "^(%w+)%.(%w+)%.?(%w*)$"
  local list = {}
  for _, entry in ipairs(find_class(file, name)) do
    local is_one = entry[1]:find "^%a" and (mark == "" or entry.of:find(mark, 1, true))
    if is_one and (type_of == nil or entry[2] == type_of) then list[#list + 1] = entry[1] end
  end
  return list
end

-- The fields of a class that are true or false are that, where they are given.
function checks.flags(given, path)
  for _, flag in ipairs(checks.names_of(path, "boolean?")) do
    if given[flag] ~= nil and type(given[flag]) ~= "boolean" then
      error(("%s: expected true or false, found '%s'"):format(flag, tostring(given[flag])), 0)
    end
  end
end

-- `given` is a table that has no other fields than these: a list of names, or a class (names_of).
-- `what` it is, for messages.
function checks.fields(what, given, fields)
  if type(fields) == "string" then fields = checks.names_of(fields) end
  if type(given) ~= "table" then
    error(("%s: expected a table, found %s"):format(what, type(given)), 0)
  end
  local set = {}
  for _, name in ipairs(fields) do set[name] = true end
  for name in pairs(given) do
    if not set[name] then
      error(("%s: unknown field '%s'%s (known: %s)"):format(what, tostring(name),
        names.suggestion(name, fields), known(fields)), 0)
    end
  end
end

-- A value as messages show it: texts in quotes.
function checks.shown(value)
  return type(value) == "string" and ('"%s"'):format(value) or tostring(value)
end

-- The whole number that is given; nil: none is.
function checks.whole(what, value)
  if value == nil then return nil end
  local number = type(value) == "number" and math.tointeger(value)
  if number then return number end
  error(("%s must be a whole number, it is %s"):format(what, checks.shown(value)), 0)
end

-- What a value is: "orrery.jobs", "orrery.tasks", or its type.
function checks.kind_of(value)
  local metatable = type(value) == "userdata" and debug.getmetatable(value)
  return metatable and metatable.__name or type(value)
end

return checks
