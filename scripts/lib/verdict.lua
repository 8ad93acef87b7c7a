-- verdict: whether what a paper states holds in the samples at hand.
--
-- A statement has parts; a part compares one number, estimated from independent samples, with a
-- bound: `value < bound`, `<=`, `>` or `>=`. The samples of a difference of two policies are the
-- differences on the same scenarios (see verdict.less). A part holds when its whole interval lies
-- on the stated side of the bound, does not hold when the whole interval lies on the other side,
-- and is not decided when the bound is inside.
--
-- The intervals of one statement's parts cover all of their numbers at once with 95% (Bonferroni:
-- each has level 1 - 0.05 / parts). So a statement of 60 comparisons is not refuted by the few that
-- chance alone would bring down.
local orrery = require "orrery"

local verdict = { HOLDS = "holds", FAILS = "does not hold", OPEN = "not decided" }

-- --- parts --------------------------------------------------------------------------------------

-- A number and its bound.
--   label     what the number is
--   samples   independent samples, whose mean is the number
--   relation  "<", "<=", ">" or ">="
function verdict.part(label, samples, relation, bound)
  return { label = label, samples = samples, relation = relation, bound = bound }
end

local function paired(a, b)
  assert(#a == #b, "paired differences are taken over the same samples")
  local differences = {}
  for i, value in ipairs(b) do differences[i] = value - a[i] end
  return differences
end

-- The samples of a are less than those of b in the mean, taken pair by pair. The number is a - b,
-- and the margin is how much less.
function verdict.less(label, a, b, margin)
  return verdict.part(label, paired(b, a), "<", -(margin or 0))
end

-- The same, or less: a is no worse than b by more than the slack.
function verdict.no_more(label, a, b, slack)
  return verdict.part(label, paired(b, a), "<=", slack or 0)
end

-- A number that is not estimated, such as the largest of the samples.
function verdict.known(label, value, relation, bound)
  return { label = label, known = value, relation = relation, bound = bound }
end

local function compare(value, relation, bound)
  if relation == "<" then return value < bound end
  if relation == "<=" then return value <= bound end
  if relation == ">" then return value > bound end
  assert(relation == ">=", "a relation is <, <=, > or >=")
  return value >= bound
end

-- Half the width of the interval whose level leaves out 0.05 / parts.
local function half_width(summary, parts)
  if summary.count < 2 then return 0 / 0 end
  return orrery.student_quantile(1 - 0.025 / parts, summary.count - 1)
    * summary.sd / math.sqrt(summary.count)
end

-- Judges one part of a statement with so many: fills in mean, half_width and verdict.
local function judge_part(part, parts)
  if part.known then
    part.mean, part.count, part.half_width = part.known, 1, 0
  else
    local summary = orrery.summary(part.samples)
    part.mean, part.count = summary.mean, summary.count
    part.half_width = half_width(summary, parts)
  end
  local low, high = part.mean - part.half_width, part.mean + part.half_width
  if low ~= low or high ~= high then
    part.verdict = verdict.OPEN
  elseif compare(low, part.relation, part.bound) and compare(high, part.relation, part.bound) then
    part.verdict = verdict.HOLDS
  elseif not compare(low, part.relation, part.bound)
    and not compare(high, part.relation, part.bound) then
    part.verdict = verdict.FAILS
  else
    part.verdict = verdict.OPEN
  end
end

-- --- statements ---------------------------------------------------------------------------------

local function count(parts)
  local counts = { [verdict.HOLDS] = 0, [verdict.FAILS] = 0, [verdict.OPEN] = 0 }
  for _, part in ipairs(parts) do counts[part.verdict] = counts[part.verdict] + 1 end
  return counts
end

-- A statement that holds when all of its parts hold, and does not when one does not.
--   title  what the paper states;  where  the place in the paper;  parts  a list
function verdict.all(title, where, parts)
  assert(#parts > 0, "a statement has parts")
  for _, part in ipairs(parts) do judge_part(part, #parts) end
  local counts = count(parts)
  local all = counts[verdict.FAILS] > 0 and verdict.FAILS
    or counts[verdict.OPEN] > 0 and verdict.OPEN or verdict.HOLDS
  return {
    title = title, where = where, parts = parts, counts = counts, verdict = all, mode = "all",
  }
end

-- A statement that holds when one of its parts holds, and does not when none does.
function verdict.any(title, where, parts)
  local statement = verdict.all(title, where, parts)
  local counts = statement.counts
  statement.mode = "any"
  statement.verdict = counts[verdict.HOLDS] > 0 and verdict.HOLDS
    or counts[verdict.OPEN] > 0 and verdict.OPEN or verdict.FAILS
  return statement
end

return verdict
