-- verdict: whether the statements of a paper hold in the given samples.
--
-- A statement has parts; a part compares one number, estimated from independent samples, with a
-- bound: `value < bound`, `<=`, `>` or `>=`. The samples of a difference of two policies are the
-- differences on the same scenarios (see verdict.less). A part holds when its whole interval lies
-- on the stated side of the bound, does not hold when the whole interval lies on the other side,
-- and is not decided otherwise.
--
-- A statement that all parts make together is shown by showing each, so a part holds by its own 95%
-- interval. But one part is enough to refute it, and chance would refute one or two of 60 true
-- parts: a part is refuted only by a wider interval, such that the intervals of all parts hold at
-- once with 95% (Bonferroni: each of level 1 - 0.05 / parts). Where one part is enough for the
-- statement, the two intervals change roles.
local orrery = require "orrery"

local verdict = { HOLDS = "holds", FAILS = "does not hold", OPEN = "not decided",
  UNTESTED = "cannot be tested here" }

-- --- parts --------------------------------------------------------------------------------------

-- A number and its bound.
--   label     the name of the number
--   samples   independent samples, whose mean is the number; nil: there is no part, here and in all
--             functions below
--   relation  "<", "<=", ">" or ">="
function verdict.part(label, samples, relation, bound)
  return samples and { label = label, samples = samples, relation = relation, bound = bound }
end

-- The ratio to another number, sample by sample, in the geometric mean. A mean of ratios is biased:
-- 2 and 1/2 have the mean 1.25, so each of two equivalent policies would be worse than the other in
-- the mean. Their logarithms have the mean 0. So the logarithms are judged; mean, low and high (of
-- the 95% interval) are ratios again, and `arithmetic` is the summary of the ratios themselves, as
-- papers show it.
--   ratios  positive numbers;  less  subtracted from the ratio in all shown numbers and in the
--           bound: 1 for shares above the other number (see verdict.excess)
function verdict.ratio(label, ratios, relation, bound, less)
  if not ratios then return nil end
  local logs, shown = {}, {}
  for i, ratio in ipairs(ratios) do
    logs[i], shown[i] = math.log(ratio), ratio - (less or 0)
  end
  return { label = label, samples = logs, relation = relation, bound = bound, shown = shown,
    limit = math.log(bound + (less or 0)), less = less or 0 }
end

-- The excess over another number, sample by sample: the bound is a share of the other number.
function verdict.excess(label, ratios, relation, bound)
  return verdict.ratio(label, ratios, relation, bound, 1)
end

-- Statistics in place of the mean that depend less on extreme samples, and hold for any
-- distribution. Their intervals end at samples, and are open where the samples are too few.
-- `arithmetic` is the summary whose mean stays beside it.
local function part_of(what, label, samples, relation, bound, estimate)
  local part = verdict.part(label, samples, relation, bound)
  if part then part.what, part.estimate = what, estimate end
  return part
end

-- A quantile; its interval comes from order statistics.
--   probability  0.9: 90% of all samples are below it
function verdict.quantile(label, samples, probability, relation, bound)
  local what = probability == 0.5 and "median" or ("%g%% quantile"):format(100 * probability)
  return part_of(what, label, samples, relation, bound, function(level)
    local found = orrery.quantile_interval(samples, probability, level)
    return found.value, found.low, found.high
  end)
end

function verdict.median(label, samples, relation, bound)
  return verdict.quantile(label, samples, 0.5, relation, bound)
end

-- The centre of symmetric samples, such as paired differences of equivalent policies, by their
-- ranks: the estimate of Hodges and Lehmann, with the interval of Wilcoxon's test. `p` belongs to
-- the test that the centre is the bound.
function verdict.ranks(label, samples, relation, bound)
  local part = part_of("by ranks", label, samples, relation, bound, function(level)
    local found = orrery.signed_rank(samples, level)
    return found.estimate, found.low, found.high
  end)
  if part then
    local from = {}
    for i, value in ipairs(samples) do from[i] = orrery.tools.numbers.difference(bound, value) end
    part.p = orrery.signed_rank(from).p
  end
  return part
end

local function paired(a, b)
  if not (a and b) then return nil end
  assert(#a == #b, "paired differences are taken over the same samples")
  local differences = {}
  for i, value in ipairs(b) do
    differences[i] = orrery.tools.numbers.difference(a[i], value)
  end
  return differences
end

-- The samples of a are less than those of b in the mean, taken pair by pair. The number is a - b,
-- and the margin is how much less.
--   part  verdict.median or verdict.ranks, in place of the mean
function verdict.less(label, a, b, margin, part)
  return (part or verdict.part)(label, paired(b, a), "<", -(margin or 0))
end

-- a is less than b, or no worse than b by more than the slack.
function verdict.no_more(label, a, b, slack, part)
  return (part or verdict.part)(label, paired(b, a), "<=", slack or 0)
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

-- The mean of samples with Student's interval.
local function mean_of(samples, level)
  local summary, half = orrery.summary(samples), 0 / 0
  if summary.count > 1 then
    half = orrery.student_quantile((1 + level) / 2, summary.count - 1)
      * summary.sd / math.sqrt(summary.count)
  end
  return summary.mean, summary.mean - half, summary.mean + half
end

-- The number of a part with its interval that leaves out 0.05 / parts.
local function estimated(part, parts)
  if part.known then return part.known, part.known, part.known end
  local level = 1 - 0.05 / parts
  if part.estimate then return part.estimate(level) end
  return mean_of(part.samples, level)
end

-- Whether a whole interval is on the stated side of the bound, or (stated = false) on the other
-- side.
local function all_on(part, low, high, stated)
  local limit = part.limit or part.bound
  return low == low and compare(low, part.relation, limit) == stated
    and compare(high, part.relation, limit) == stated
end

-- The distance beyond the bound of the end of the interval that decides whether the part holds
-- (stated) or does not: negative if it does.
local function beyond(part, low, high, stated)
  local less = part.relation:sub(1, 1) == "<"
  local last = less == stated and high or low
  if part.less then last = math.exp(last) - part.less end
  return less == stated and last - part.bound or part.bound - last
end

local function arithmetic(samples)
  local mean, _, high = mean_of(samples, 0.95)
  return { mean = mean, half_width = high - mean }
end

-- Sets the shown numbers of a part: mean, and its 95% interval: half_width; for ratios, quantiles
-- and ranks low, high and arithmetic.
local function show(part, value, low, high)
  if part.less then
    part.mean, part.low = math.exp(value) - part.less, math.exp(low) - part.less
    part.high, part.arithmetic = math.exp(high) - part.less, arithmetic(part.shown)
  elseif part.estimate then
    part.mean, part.low, part.high = value, low, high
    part.arithmetic = arithmetic(part.samples)
  else
    part.mean, part.half_width = value, not part.known and high - value or nil
  end
end

-- Judges one part of a statement with `parts` parts: fills in the shown numbers, the verdict, and
-- the distances of the bound from where the part would hold, and from where it would not (see
-- beyond).
local function judge_part(part, parts, mode)
  part.count = part.known and 1 or #part.samples
  local value, low, high = estimated(part, 1)
  local _, wide_low, wide_high = estimated(part, parts)
  show(part, value, low, high)
  local all = mode == "all"
  local function test(is_wide, stated)
    local from, to = is_wide and wide_low or low, is_wide and wide_high or high
    return all_on(part, from, to, stated), beyond(part, from, to, stated)
  end
  local holds, to_hold = test(not all, true)
  local fails, to_fail = test(all, false)
  part.verdict = holds and verdict.HOLDS or fails and verdict.FAILS or verdict.OPEN
  part.to_hold, part.to_fail = to_hold, to_fail
end

-- --- statements ---------------------------------------------------------------------------------

local function count(parts)
  local counts = { [verdict.HOLDS] = 0, [verdict.FAILS] = 0, [verdict.OPEN] = 0 }
  for _, part in ipairs(parts) do counts[part.verdict] = counts[part.verdict] + 1 end
  return counts
end

-- `first` decides as soon as one part has it, `last` when all parts have it.
local function decided(counts, first, last)
  return counts[first] > 0 and first or counts[verdict.OPEN] > 0 and verdict.OPEN or last
end

-- The verdict of judged parts together, all of which must hold.
function verdict.of(parts) return decided(count(parts), verdict.FAILS, verdict.HOLDS) end

-- The margin of all bounds: how much tighter they may be so that the statement still holds, or how
-- much looser they must be for it to hold (not decided), or not to be refuted; nil without
-- intervals.
local function margin_of(parts, mode, found)
  local margin
  for _, part in ipairs(parts) do
    local gap = found == verdict.FAILS and -part.to_fail or part.to_hold
    if gap - gap ~= 0 then return nil end -- nan, or the interval is open
    margin = not margin and gap or (mode == "all" and math.max or math.min)(margin, gap)
  end
  return found == verdict.HOLDS and -margin or margin
end

local function statement(title, where, parts, mode, first, last)
  assert(#parts > 0, "a statement has parts")
  for _, part in ipairs(parts) do judge_part(part, #parts, mode) end
  local counts = count(parts)
  local found = decided(counts, first, last)
  return {
    title = title, where = where, parts = parts, mode = mode, counts = counts, verdict = found,
    margin = margin_of(parts, mode, found),
  }
end

-- A statement that holds when all of its parts hold, and does not when one does not.
--   title  the paper's statement;  where  the place in the paper;  parts  a list
function verdict.all(title, where, parts)
  return statement(title, where, parts, "all", verdict.FAILS, verdict.HOLDS)
end

-- A statement that holds when one of its parts holds, and does not when none does.
function verdict.any(title, where, parts)
  return statement(title, where, parts, "any", verdict.HOLDS, verdict.FAILS)
end

-- Lists of statements, judged; those without parts are left out. Each argument is a list { where =,
-- statement... }, or nothing; such lists may stand among the statements. A statement is
-- { title, parts, where = (default: the list's), note =, any = (whether one part is enough),
-- needs = (default: the list's; false: nothing) }. A statement that needs missing data cannot be
-- tested; `found` is the verdict on other data, if it has parts. A statement with its own `needs`
-- is listed without parts, too.
function verdict.judge(...)
  local given, judged = table.pack(...), {}
  local function judge_one(one, where, needs)
    local title, parts = one[1], one[2]
    local found
    if #parts > 0 then
      found = verdict[one.any and "any" or "all"](title, where, parts)
    elseif one.needs then
      found = { title = title, where = where, parts = parts, mode = "all", counts = count(parts) }
    else
      return
    end
    found.note, found.needs = one.note, needs
    if needs then found.found, found.verdict = found.verdict, verdict.UNTESTED end
    judged[#judged + 1] = found
  end
  local function add(list, where, needs)
    for _, one in ipairs(list) do
      if type(one[1]) == "table" then
        add(one, one.where or where, needs)
      elseif one[1] then
        local own = one.needs
        if own == nil then own = needs end
        judge_one(one, one.where or where, own)
      end
    end
  end
  for i = 1, given.n do
    local list = given[i] or {}
    add(list, list.where, list.needs)
  end
  return judged
end

local function gather(parts, f, list, ...)
  if not list then
    local found = table.pack(f())
    for i = 1, found.n do
      local some = found[i] and (found[i].label and { found[i] } or found[i]) or {}
      table.move(some, 1, #some, #parts + 1, parts)
    end
    return parts
  end
  for _, one in ipairs(list) do
    gather(parts, function(...) return f(one, ...) end, ...)
  end
  return parts
end

-- The parts that f gives for every combination of elements of the lists, where the last list varies
-- fastest: verdict.each(list..., f). f returns any number of parts and of lists of them; nil or
-- false gives none.
function verdict.each(...)
  local lists = { ... }
  return gather({}, table.remove(lists), table.unpack(lists))
end

return verdict
