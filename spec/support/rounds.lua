-- How often a spec repeats what it does with random numbers: `most` times with ORRERY_ROUNDS=all,
-- as in `make test-all`; `some` (or a quarter of `most`) with ORRERY_ROUNDS=some; and otherwise, in
-- `make test`, `few` times, or a tenth of `some`, but 10 times if that is less. Each goes through
-- the same instances as far as it goes. A spec with `#long` in its name runs with ORRERY_ROUNDS
-- alone, or when its file alone is named (spec/run.lua).
local ENOUGH = 10

return function(most, some, few)
  local rounds = os.getenv "ORRERY_ROUNDS"
  if rounds == "all" then return most end
  some = some or math.ceil(most / 4)
  if rounds == "some" then return some end
  return few or math.min(some, math.max(ENOUGH, math.ceil(some / 10)))
end
