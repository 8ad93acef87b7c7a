-- parts: the interval of a mean over parts of one log, days or weeks that are simulated separately.
-- Few parts make up most of the mean, and neighbours are similar, so Student's t is not valid;
-- READINGS 39 has the valid interval, and the number of parts that it needs.

local family = require "orrery.values.family"
local statistics = require("orrery.core").values

local parts = {}

local FEWEST = { day = 28, week = 8 }

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

-- Whether so many days or weeks are too few for an interval.
function parts.are_few(by, count) return count < FEWEST[by] end

-- The ends of the interval of the mean of days or weeks that are each simulated for itself; nan
-- where they are too few, or depend on each other too much. Third: how far the farther end is.
function parts.ends(by, list, level)
  if parts.are_few(by, #list) then return 0 / 0, 0 / 0, 0 / 0 end
  local weights = {}
  for i = 1, #list do weights[i] = 1 end
  local found = statistics.series_mean(list, weights, level)
  return found.low, found.high, math.max(found.high - found.mean, found.mean - found.low)
end

-- Gives the summary of such a list its interval: low and high, where there is one, and half_width.
function parts.add_ends(summary, by, list)
  local low, high, half_width = parts.ends(by, list, 0.95)
  summary.half_width = half_width
  if low == low and summary.sd > 0 then summary.low, summary.high = low, high end
end

-- Whether that interval excludes 0.
function parts.leave_out_0(by, list, level)
  local low, high = parts.ends(by, list, level)
  return low < high and (low > 0 or high < 0)
end

-- The text about the intervals of a result: the meaning of ±, or the reason why it is missing.
function parts.about(result)
  local by, count = result.spec.by, #result.sets
  if not by or count == 1 then return "± is the 95% interval" end
  if parts.are_few(by, count) then
    return ("%d %ss of a log are too few for an interval"):format(count, by)
  end
  return ("[low, high] is the 95%% interval over %ss"):format(by)
end

-- What the samples of a result cannot exclude, behind that text.
function parts.unseen(result)
  local sets = #result.sets
  return family.unseen(sets > 1 and sets or result.runs, sets == 1 and result.kind.run .. "s"
    or result.spec.by and result.spec.by .. "s" or "sets")
end

return parts
