-- family: several differences from one policy. Each has its 95% interval, but among seven
-- differences by chance alone, one or more would be called significant in about a fifth of the
-- cases.
--
-- Holm's procedure (A simple sequentially rejective multiple test procedure, Scandinavian Journal
-- of Statistics 6, 1979) keeps this below 5%, for any dependence between the differences: the
-- largest must be significant at 0.05 over their number, the next at 0.05 over one less, and so on.

local core = require "orrery.core"

local family = {}

-- Half the width of the interval of a mean, by its summary; nan where it does not exist.
function family.half_width(d, level)
  return core.values.half_width(d.count, d.sd, d.skewness or 0, level)
end

-- What so many samples cannot exclude: what none of them has seen can still be the case in 3/n.
function family.unseen(count, what)
  if count < 4 or count > 99 then return "" end
  return ("; a loss in fewer than %.0f%% of the %s cannot be excluded"):format(300 / count, what)
end

-- Whether the interval of a paired difference with this half width excludes 0. Where all samples
-- are equal (no failures, for example) nothing is random, and the result is false.
function family.leaves_out_0(d, half_width)
  return d.sd == d.sd and d.sd > 0 and math.abs(d.mean) > half_width
end

local function is_significant(d, level)
  return family.leaves_out_0(d, family.half_width(d, level))
end

-- Adds to the summary of a list of differences their median and, where these are independent
-- samples and something is random, the statistics of their ranks: the estimate of Hodges and
-- Lehmann with its interval, and the p of Wilcoxon's test.
function family.add_ranks(d, list, is_independent)
  local ranks = core.values.signed_rank(list)
  d.median = core.values.quantiles(list, { 0.5 })[1]
  d.shift, d.shift_low, d.shift_high, d.rank_p = ranks.estimate, ranks.low, ranks.high, ranks.p
  if d.sd == 0 or not is_independent then
    d.shift_low, d.shift_high, d.rank_p = -math.huge, math.huge, 0 / 0
  end
  return d
end

-- Whether Wilcoxon's test finds a difference, for differences that have its p.
function family.is_ranked(d, level) return d.rank_p <= 1 - level end

-- Sets `significant` of each policy's difference from the first one: list[2], list[3], ...; list[1]
-- is the difference of the first from itself. Differences from what happened are not tested.
--   test(difference, level, i)  whether it is significant at level; default: by its interval
--   name                        the field that is set, instead of `significant`
function family.correct(list, test, name)
  test, name = test or is_significant, name or "significant"
  local left = 0
  for i, d in ipairs(list) do
    d[name] = false
    left = left + (i > 1 and not d.happened and 1 or 0)
  end
  if left == 0 then return list end
  repeat
    local before = left
    for i = 2, #list do
      local d = list[i]
      if not d[name] and not d.happened and test(d, 1 - 0.05 / before, i) then
        d[name], left = true, left - 1
      end
    end
  until left == 0 or left == before
  return list
end

-- Both kinds of significance, by intervals (or `test`, as above) and, where there are ranks, by
-- these.
function family.correct_both(list, test)
  family.correct(list, test)
  return list[#list].rank_p and family.correct(list, family.is_ranked, "rank_significant") or list
end

-- The name of the correction; nil for a single difference, which needs none.
function family.correction(result)
  local count = -1
  for _, policy in ipairs(result.policies) do count = count + (policy.recorded and 0 or 1) end
  return count > 1 and ("Holm's correction for %d comparisons"):format(count) or nil
end

return family
