-- recorded: the distance of EASY, conservative backfilling and FCFS from the recorded schedule
local orrery = require "orrery"

local recorded = {}

local POLICIES = { "recorded", "easy", "conservative", "fcfs" }
local MOST = 200000 -- jobs: of more the answer would take longer than all the rest

-- A line for each policy, none where the log does not tell, or where it cannot be simulated so; and
-- the fidelity of EASY, or nil.
--   jobs  of a log
--   spec  what else orrery.compare takes; its policies are replaced
function recorded.near(jobs, spec)
  local lines, found, result = {}, false, nil
  spec.jobs, spec.policies = jobs, POLICIES
  if #jobs > 0 and #jobs <= MOST then found, result = orrery.tools.attempt(orrery.compare, spec) end
  for _, note in ipairs(found and result.notes or {}) do
    if note:find(" of what happened,", 1, true) then lines[#lines + 1] = note end
  end
  return lines, lines[1] and result:fidelity()
end

return recorded
