-- budget: how much a search may spend: evaluations, or processor time of its simulations.
local checks = require "orrery.support.checks"

local EVALUATIONS = 3000
local MANY = 2 ^ 40 -- where only time is limited

local Budget = {}
Budget.__index = Budget

function Budget:left(evaluator)
  if self.seconds and evaluator.seconds >= self.seconds then return 0 end
  return math.max(0, (self.evaluations or MANY) - evaluator.count)
end

-- From the fields `evaluations` and `minutes` of a search.
return function(spec)
  local minutes = spec.minutes
  checks.expect(minutes == nil or type(minutes) == "number" and minutes > 0
    and minutes < math.huge, "minutes", "a number above 0", checks.shown(minutes))
  local default
  if not minutes then default = EVALUATIONS end
  local evaluations
  if spec.evaluations ~= nil or default then
    evaluations = checks.count("evaluations", spec.evaluations, 1, default)
  end
  return setmetatable({ evaluations = evaluations, seconds = minutes and 60 * minutes }, Budget)
end
