-- parts: the interval of a mean over parts of one log, days or weeks that are simulated separately,
-- or the weeks of one simulation. Few parts make up most of the mean, and neighbours are similar,
-- so Student's t is not valid; READINGS 39 has the valid intervals, and the number of parts that
-- they need.

local family = require "orrery.values.family"
local statistics = require("orrery.core").values

local parts = {}

local FEWEST, GROUPS = { day = 28, week = 8 }, 5

-- The number of the last block of this length, s, from the first submission on, if the log ends
-- before it does: nothing is submitted in its last seventh, a week's last day. And a sentence that
-- says so. nil: the log ends whole, or has no other block.
function parts.partial(jobs, length)
  local ends = statistics.quantiles(jobs:values "submit", { 0, 1 })
  local last = (ends[2] - ends[1]) // length
  local covered = ends[2] - ends[1] - last * length
  if last == 0 or covered >= length * 6 / 7 then return nil end
  return math.tointeger(last) + 1, ("week %d is left out: the log ends %.1f h into it"):format(
    math.tointeger(last) + 1, covered / 3600)
end

-- The number of groups for this number of weeks of one simulation; nil: too few weeks.
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

-- The text about the intervals of a result: the meaning of ±, or the reason why it is missing.
function parts.about(result)
  local by, count = result.spec.by, #result.sets
  if not by or count == 1 then return "± is the 95% interval" end
  if count >= FEWEST[by] then return ("± is the 95%% interval over groups of %ss"):format(by) end
  return ("%d %ss of a log are too few for an interval"):format(count, by)
end

-- What the samples of a result cannot exclude, behind that text.
function parts.unseen(result)
  local sets = #result.sets
  return family.unseen(sets > 1 and sets or result.runs, sets == 1 and result.kind.run .. "s"
    or result.spec.by and result.spec.by .. "s" or "sets")
end

return parts
