-- attempts: runs a specification of a session, whose schedule the checker accepts; gives
-- "id start-finish" of every attempt, with the outcome where it is not the usual one.
local assert = require "luassert"
local orrery = require "orrery"

return function(spec)
  local session, text = orrery.session(spec), {}
  session:finish()
  assert.is_true(session:check())
  for i, one in ipairs(session:schedule()) do
    text[i] = ("%s %.17g-%.17g%s"):format(one.id, one.start, one.finish,
      one.outcome == "completed" and "" or " " .. one.outcome)
  end
  return text
end
