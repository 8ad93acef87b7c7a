-- verdict: whether what a paper states holds in the samples at hand.
--
-- A statement has parts; a part compares one number, estimated from independent samples, with a
-- bound: `value < bound`, `<=`, `>` or `>=`. The samples of a difference of two policies are the
-- differences on the same scenarios (see verdict.less). A part holds when its whole interval lies
-- on the stated side of the bound, does not hold when the whole interval lies on the other side,
-- and is not decided otherwise.
--
-- A statement that all parts make together is shown by showing each, so a part holds by its own 95%
-- interval. But one part is enough to refute it, and of 60 true ones chance would bring down one or
-- two: a part does not hold by an interval wide enough that those of all parts hold at once with
-- 95% (Bonferroni: each of level 1 - 0.05 / parts). Where one part is enough for the statement it
-- is the other way round.
local orrery = require "orrery"

local verdict = { HOLDS = "holds", FAILS = "does not hold", OPEN = "not decided" }

-- --- parts --------------------------------------------------------------------------------------

-- A number and its bound.
--   label     what the number is
--   samples   independent samples, whose mean is the number; where there are none (nil), there is
--             no part, here and in all that follows
--   relation  "<", "<=", ">" or ">="
function verdict.part(label, samples, relation, bound)
  return samples and { label = label, samples = samples, relation = relation, bound = bound }
end

local function paired(a, b)
  if not (a and b) then return nil end
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

-- Whether all numbers this near to the part's mean are on the side of the bound that is stated,
-- or (stated = false) on the other.
local function all_on(part, half, stated)
  local low, high = part.mean - half, part.mean + half
  return half == half and compare(low, part.relation, part.bound) == stated
    and compare(high, part.relation, part.bound) == stated
end

-- Judges one part of a statement with so many: fills in mean, half_width (of the 95% interval) and
-- verdict.
local function judge_part(part, parts, mode)
  local wide = 0
  if part.known then
    part.mean, part.count, part.half_width = part.known, 1, 0
  else
    local summary = orrery.summary(part.samples)
    part.mean, part.count = summary.mean, summary.count
    part.half_width, wide = half_width(summary, 1), half_width(summary, parts)
  end
  local all = mode == "all"
  part.verdict = all_on(part, all and part.half_width or wide, true) and verdict.HOLDS
    or all_on(part, all and wide or part.half_width, false) and verdict.FAILS or verdict.OPEN
end

-- --- statements ---------------------------------------------------------------------------------

local function count(parts)
  local counts = { [verdict.HOLDS] = 0, [verdict.FAILS] = 0, [verdict.OPEN] = 0 }
  for _, part in ipairs(parts) do counts[part.verdict] = counts[part.verdict] + 1 end
  return counts
end

-- `first` decides as soon as one part says it, `last` when all parts do.
local function decided(counts, first, last)
  return counts[first] > 0 and first or counts[verdict.OPEN] > 0 and verdict.OPEN or last
end

-- What judged parts say together, all of which must hold.
function verdict.of(parts) return decided(count(parts), verdict.FAILS, verdict.HOLDS) end

local function statement(title, where, parts, mode, first, last)
  assert(#parts > 0, "a statement has parts")
  for _, part in ipairs(parts) do judge_part(part, #parts, mode) end
  local counts = count(parts)
  return {
    title = title, where = where, parts = parts, mode = mode, counts = counts,
    verdict = decided(counts, first, last),
  }
end

-- A statement that holds when all of its parts hold, and does not when one does not.
--   title  what the paper states;  where  the place in the paper;  parts  a list
function verdict.all(title, where, parts)
  return statement(title, where, parts, "all", verdict.FAILS, verdict.HOLDS)
end

-- A statement that holds when one of its parts holds, and does not when none does.
function verdict.any(title, where, parts)
  return statement(title, where, parts, "any", verdict.HOLDS, verdict.FAILS)
end

-- Lists of statements, judged; those without parts are left out. Each argument is a list { where =,
-- statement... }, or nothing; lists of statements may stand among the statements. A statement is
-- { title, parts, where = (default: the list's), note =, any = (whether one part is enough) }.
function verdict.judge(...)
  local given, judged = table.pack(...), {}
  local function add(list, where)
    for _, one in ipairs(list) do
      local title, parts = one[1], one[2]
      if type(title) == "table" then
        add(one, where)
      elseif title and #parts > 0 then
        local found = verdict[one.any and "any" or "all"](title, one.where or where, parts)
        found.note = one.note
        judged[#judged + 1] = found
      end
    end
  end
  for i = 1, given.n do add(given[i] or {}, given[i] and given[i].where) end
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

-- The parts that f gives of every combination of elements of the lists, the last of which runs
-- fastest: verdict.each(list..., f). f returns any number of parts and of lists of them; nil or
-- false is none.
function verdict.each(...)
  local lists = { ... }
  return gather({}, table.remove(lists), table.unpack(lists))
end

return verdict
