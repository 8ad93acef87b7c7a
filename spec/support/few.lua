-- The half width of READINGS 56 without its closed form: both ends of the interval by bisection of
-- Hall's cubic, and Student's beyond 24 samples.
local orrery = require "orrery"

local function root(a, x)
  local low, high = -1e6, 1e6
  for _ = 1, 200 do
    local t = (low + high) / 2
    local value = t + a * t ^ 2 / 3 + a ^ 2 * t ^ 3 / 27 + a / 6
    if value < x then low = t else high = t end
  end
  return low
end

return function(list, level)
  local s, n, cubes = orrery.summary(list), #list, 0
  for _, x in ipairs(list) do cubes = cubes + (x - s.mean) ^ 3 end
  local t = orrery.student_quantile((1 + (level or 0.95)) / 2, n - 1)
  if n > 24 or s.sd == 0 then return t * s.sd / math.sqrt(n) end
  local m = math.max(n, 5)
  local a = n > 2 and n * cubes / ((n - 1) * (n - 2) * s.sd ^ 3) / math.sqrt(n) or 0
  local x = t * (1 + 2.5 / m + 15 / m ^ 2)
  return math.max(x, -root(a, -x), root(a, x)) * s.sd / math.sqrt(n)
end
