-- known_fields: the fields of objects that are tables: a method, an optional field, or an error at
-- the caller's line that names the known fields.
local caller_error = require "orrery.support.caller_error"
local names = require "orrery.support.names"

-- The __index of a class. some_have: fields that only some objects have; what: "a result".
return function(class, some_have, what)
  return function(object, name)
    local method = rawget(class, name)
    if method ~= nil or some_have[name] then return method end
    local known = names.sorted(object, class)
    for i = #known, 1, -1 do
      if known[i]:find "^__" then table.remove(known, i) end
    end
    caller_error(("%s has no '%s'%s (known: %s)"):format(what, tostring(name),
      names.suggestion(name, known), table.concat(known, ", ")))
  end
end
