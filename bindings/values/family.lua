-- family: several differences from one policy. Each has its 95% interval, but of seven that are
-- only chance one or more would be called significant in about a fifth of the cases.
--
-- Holm's procedure (A simple sequentially rejective multiple test procedure, Scandinavian Journal
-- of Statistics 6, 1979) keeps this below 5%, whatever the differences have to do with each other:
-- the largest must be significant at 0.05 over their number, the next at 0.05 over one less, and
-- so on.

local core = require "orrery.core"

local family = {}

-- Whether the interval of this level about a paired difference leaves out 0. Where all samples are
-- the same (no failures, for one) nothing is random, and it does not.
function family.leaves_out_0(d, level)
  return d.sd == d.sd and d.sd > 0 and math.abs(d.mean) > d.sd / math.sqrt(d.count)
    * core.values.student_quantile((1 + level) / 2, d.count - 1)
end

-- The same of Wilcoxon's test (orrery.signed_rank), of which the difference has rank_p.
function family.is_ranked(d, level) return d.sd == d.sd and d.sd > 0 and d.rank_p <= 1 - level end

-- Sets `significant` of each policy's difference from the first one: list[2], list[3], ...; list[1]
-- is that of the first from itself.
--   test(difference, level, i)  as leaves_out_0, which is what is meant where it is not given
--   name                        of the field that is set, instead of `significant`
function family.correct(list, test, name)
  test, name = test or family.leaves_out_0, name or "significant"
  for _, d in ipairs(list) do d[name] = false end
  local left = #list - 1
  repeat
    local before = left
    for i = 2, #list do
      local d = list[i]
      if not d[name] and test(d, 1 - 0.05 / before, i) then
        d[name], left = true, left - 1
      end
    end
  until left == 0 or left == before
  return list
end

-- What it is called; nil where there is only one difference, which needs no correction.
function family.correction(result)
  local count = #result.policies - 1
  return count > 1 and ("Holm's correction for %d comparisons"):format(count) or nil
end

return family
