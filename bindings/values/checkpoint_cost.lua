-- checkpoint_cost: the time of a checkpoint or a recovery, as a text: "2m", "30+0.5*procs",
-- "1m+2h/procs". Each part is a span of time and occurs once.
local clock = require "orrery.support.clock"

-- { fixed =, times_procs =, over_procs = }, s; nil for other texts.
return function(text)
  local cost = {}
  for part in (text:gsub("%s", "") .. "+"):gmatch "(.-)%+" do
    local span, by = part:match "^(.-)([*/]?)procs$"
    local key = by == "*" and "times_procs" or by == "/" and "over_procs" or "fixed"
    local seconds = by ~= "" and clock.span(span or part)
    if not seconds or cost[key] then return nil end
    cost[key] = seconds
  end
  return cost
end
