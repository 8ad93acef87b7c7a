-- policy_checks: checks of a policy's table. A part is one of a policy's files or tables, see
-- sandbox.lua.
local policy_checks = {}

function policy_checks.contains(list, item)
  for _, value in ipairs(list) do
    if value == item then return true end
  end
  return false
end

-- Raises an error of a part, or of none (nil).
function policy_checks.fail(part, format, ...)
  error((part and ("policy %s: "):format(part.name) or "") .. format:format(...), 0)
end

-- Raises an error where the table has other keys than these. `where` they are follows the key in
-- the message, or stands before it as "option x: ".
function policy_checks.keys(part, given, keys, where, before)
  for key in pairs(given) do
    if not policy_checks.contains(keys, key) then
      policy_checks.fail(part, "%sunknown key '%s'%s (known: %s)", before or "", tostring(key),
        where and " " .. where or "", table.concat(keys, ", "))
    end
  end
end

-- The hook of this name, a function or nil.
function policy_checks.hook(part, value, name)
  if value[name] ~= nil and type(value[name]) ~= "function" then
    policy_checks.fail(part, "%s must be a function, it is a %s", name, type(value[name]))
  end
  return value[name]
end

return policy_checks
