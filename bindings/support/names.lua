-- names: the known name that an unknown one probably means.
local core = require "orrery.core"

local names = {}

names.nearest = core.nearest -- see raise.h

-- ", did you mean 'x'?" where one of `list` is like `name`, else `otherwise` (nothing).
function names.suggestion(name, list, otherwise)
  local near = type(name) == "string" and names.nearest(name, list)
  return near and (", did you mean '%s'?"):format(near) or otherwise or ""
end

-- That an object, which `what` names with its verb ("a result has"), has no field of this name;
-- `word`, such as "field ", stands in front of the name.
function names.unknown(what, name, known, word)
  return ("%s no %s'%s'%s (known: %s)"):format(what, word or "", tostring(name),
    names.suggestion(name, known), table.concat(known, ", "))
end

-- A table of which a field that is not there is an error at the caller's line, not nil.
function names.closed(object, what)
  return setmetatable(object, { __index = function(_, name)
    error(names.unknown(what, name, names.sorted(object)), 2)
  end })
end

-- The keys of tables, sorted.
function names.sorted(...)
  local list = {}
  for _, set in ipairs { ... } do
    for name in pairs(set) do list[#list + 1] = name end
  end
  table.sort(list)
  return list
end

return names
