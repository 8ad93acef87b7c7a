-- checks: whether what a user gives is what is expected.
local names = require "orrery.support.names"

local checks = {}

local function known(fields)
  local list = table.move(fields, 1, #fields, 1, {})
  table.sort(list)
  return table.concat(list, ", ")
end

-- `what` is a table that has no other fields than these.
function checks.fields(what, given, fields)
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
