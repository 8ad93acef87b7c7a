-- parts: the interval of a mean over parts of one log, days or weeks that are each simulated for
-- itself, or the weeks of one simulation. Few of them make most of the mean, and neighbours are
-- alike, so that Student's t over them does not hold; READINGS 39 has what does, and from how many
-- parts on.

local statistics = require("orrery.core").values

local parts = {}

local FEWEST, GROUPS = { day = 28, week = 8 }, 5

-- In how many groups so many weeks of one simulation are put together; nil: they are too few.
function parts.groups_of_weeks(count)
  if count < FEWEST.week then return nil end
  return count < 26 and 4 or GROUPS
end

-- Half the interval of the mean of the numbers of days or weeks that are each simulated for itself;
-- nan where they are too few.
function parts.half_width(by, list, level)
  if #list < FEWEST[by] then return 0 / 0 end
  local weights = {}
  for i = 1, #list do weights[i] = 1 end
  local found = statistics.bootstrap(list, weights, { groups = GROUPS, level = level })
  return (found.high - found.low) / 2
end

-- What is said of the intervals of a result: what ± is, or why there is none.
function parts.about(result)
  local by, count = result.spec.by, #result.sets
  if not by or count == 1 then return "± is the 95% interval" end
  if count >= FEWEST[by] then return ("± is the 95%% interval over groups of %ss"):format(by) end
  return ("%d %ss of a log are too few for an interval"):format(count, by)
end

return parts
