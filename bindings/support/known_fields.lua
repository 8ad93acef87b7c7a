-- known_fields: the fields of objects that are tables: a method, an optional field, or an error at
-- the caller's line that names the known fields.
local caller_error = require "orrery.support.caller_error"
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local names = require "orrery.support.names"

-- Makes a class of a table of methods, to which the methods that draw are added (orrery.lua).
--   some_have  fields that only some objects have;  what  "a result";  path  the class in schema/
return function(class, some_have, what, path)
  for name, draw in pairs(core.drawn[class.__name]) do class[name] = draw end
  class.__index = class
  return setmetatable(class, { __index = function(_, name)
    if some_have[name] or type(name) == "string" and name:find "^__" then return nil end
    local known = checks.names_of(path)
    table.sort(known)
    caller_error(names.unknown(what .. " has", name, known))
  end })
end
