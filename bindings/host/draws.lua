-- draws: whether a priority is a random number and nothing else, as priority/random. The kernel
-- then draws the same number from the same stream (ORR_RULE_RANDOM), without a call for each job of
-- each scenario.
local draws = {}

local function only_draws() return math.random() end

local FRONT = 33 -- bytes of a dump before the function's lines: head, upvalues, no source

-- The code, its constants and all else that is the function's own, but for where it is written: two
-- numbers of seven bits at a time, the last with the top bit.
local function code_of(f)
  return string.match(string.dump(f, true), "^[\0-\x7f]*[\x80-\xff][\0-\x7f]*[\x80-\xff](.*)",
    FRONT + 1)
end

-- environment: the globals of policies, where math.random is the host's.
function draws.is_draw(f, environment)
  local _, first = debug.getupvalue(f, 1)
  return first == environment and code_of(f) == code_of(only_draws)
end

return draws
