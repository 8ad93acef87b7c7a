-- policy_checks: whether what a policy says is what is expected. A part is one of its files or
-- tables, see sandbox.lua.
local policy_checks = {}

function policy_checks.contains(list, item)
  for _, value in ipairs(list) do
    if value == item then return true end
  end
  return false
end

function policy_checks.fail(part, format, ...)
  error(("policy %s: "):format(part.name) .. format:format(...), 0)
end

-- The hook of this name, a function or nil.
function policy_checks.hook(part, value, name)
  if value[name] ~= nil and type(value[name]) ~= "function" then
    policy_checks.fail(part, "%s must be a function, it is a %s", name, type(value[name]))
  end
  return value[name]
end

return policy_checks
