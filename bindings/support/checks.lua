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

-- What a value is: "orrery.jobs", "orrery.tasks", or its type.
function checks.kind_of(value)
  local metatable = type(value) == "userdata" and debug.getmetatable(value)
  return metatable and metatable.__name or type(value)
end

return checks
