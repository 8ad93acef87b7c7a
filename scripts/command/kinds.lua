-- kinds: the kinds of comparisons in statements of papers, over curves.
--
-- A curve is { name =, samples = function(point) }: the function returns independent samples at a
-- point, nil where it was not simulated, and the name of the curve there if it differs. A point has
-- a name, `at`. Every kind gives a list of parts (verdict.lua), for each curve or pair of curves {
-- a, b } one for each of the points.
local cells = require "orrery.command.cells"
local lists = require "orrery.support.lists"
local verdict = require "orrery.command.verdict"

local kinds = {}

local function look(curve, point)
  local samples, name = curve.samples(point)
  return samples, name or curve.name
end

-- The mean of each curve against a bound. part: instead of verdict.part.
function kinds.values(curves, points, relation, bound, part)
  return verdict.each(curves, points, function(curve, point)
    local samples, name = look(curve, point)
    return (part or verdict.part)(("%s, %s"):format(name, point.at), samples, relation, bound)
  end)
end

-- judge(label, samples of a, samples of b) for each pair; word: the relation in the label.
local function compare(pairs_of, points, word, judge)
  return verdict.each(pairs_of, points, function(pair, point)
    local a, first = look(pair[1], point)
    local b, second = look(pair[2], point)
    return judge(("%s: %s %s %s"):format(point.at, first, word, second), a, b)
  end)
end

-- a is less than b, by at least the margin. part: as for verdict.less.
function kinds.less(pairs_of, points, margin, part)
  return compare(pairs_of, points, "less", function(label, a, b)
    return verdict.less(label, a, b, margin, part)
  end)
end

-- a is at most the slack above b. part: as for verdict.less.
function kinds.no_more(pairs_of, points, slack, part)
  return compare(pairs_of, points, "less", function(label, a, b)
    return verdict.no_more(label, a, b, slack, part)
  end)
end

-- Both of the two are within the slack of each other.
function kinds.alike(a, b, points, slack)
  return lists.joined(kinds.no_more({ { a, b } }, points, slack),
    kinds.no_more({ { b, a } }, points, slack))
end

-- The ratio of a and b against a bound. part: instead of verdict.ratio.
function kinds.ratios(pairs_of, points, relation, bound, part)
  return compare(pairs_of, points, "over", function(label, a, b)
    return (part or verdict.ratio)(label, cells.divided(a, b), relation, bound)
  end)
end

-- (a - b) / b against a bound.
function kinds.excess(pairs_of, points, relation, bound)
  return kinds.ratios(pairs_of, points, relation, bound, verdict.excess)
end

-- It is at most `share`, and at least as much below.
function kinds.within(pairs_of, points, share)
  return compare(pairs_of, points, "over", function(label, a, b)
    return verdict.excess(label, cells.divided(a, b), "<=", share),
      verdict.excess(label, cells.divided(a, b), ">=", -share)
  end)
end

-- Each curve is less at one point than at another.
function kinds.rises(curves, low, high)
  return verdict.each(curves, function(curve)
    return verdict.less(("%s: %s less %s"):format(curve.name, low.at, high.at),
      (curve.samples(low)), (curve.samples(high)))
  end)
end

-- The growth of each curve from one point to another, as a share, against a bound.
function kinds.growth(curves, from, to, relation, bound)
  return verdict.each(curves, function(curve)
    return verdict.excess(("%s: %s over %s"):format(curve.name, to.at, from.at),
      cells.divided((curve.samples(to)), (curve.samples(from))), relation, bound)
  end)
end

return kinds
