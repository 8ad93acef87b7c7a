-- front: candidates of a search for several metrics: which are dominated, in which order they go
-- on, and which claims hold for the remaining ones.
--
-- A point dominates another one if it is better in some metric and worse in none.
-- Ranks and crowding as in Deb et al., A fast and elitist multiobjective genetic algorithm:
-- NSGA-II, IEEE Transactions on Evolutionary Computation 6, 2002.
local family = require "orrery.values.family"
local workloads = require "orrery.search.workloads"

local front = {}

-- Whether point a dominates b: lists of as many numbers, of which less is better.
function front.dominates(a, b)
  local is_better = false
  for m, value in ipairs(a) do
    if value > b[m] then return false end
    is_better = is_better or value < b[m]
  end
  return is_better
end

-- The rank of each point: 1 for those that no other one dominates, 2 for those that only these do,
-- and so on.
function front.ranks(points)
  local above, below, ranks, now = {}, {}, {}, {}
  for i, a in ipairs(points) do
    above[i], below[i] = 0, {}
    for j, b in ipairs(points) do
      if front.dominates(b, a) then above[i] = above[i] + 1 end
      if front.dominates(a, b) then table.insert(below[i], j) end
    end
    if above[i] == 0 then now[#now + 1] = i end
  end
  local rank = 1
  while #now > 0 do
    local after = {}
    for _, i in ipairs(now) do
      ranks[i] = rank
      for _, j in ipairs(below[i]) do
        above[j] = above[j] - 1
        if above[j] == 0 then after[#after + 1] = j end
      end
    end
    now, rank = after, rank + 1
  end
  return ranks
end

-- How far the neighbours of each point of one rank are from each other, in all metrics together, as
-- shares of the ranges; math.huge at the ends.
local function crowding_of(points, group, crowding)
  for m = 1, #points[1] do
    table.sort(group, function(i, j)
      if points[i][m] ~= points[j][m] then return points[i][m] < points[j][m] end
      return i < j
    end)
    local first, last = group[1], group[#group]
    local range = points[last][m] - points[first][m]
    crowding[first], crowding[last] = math.huge, math.huge
    for at = 2, range > 0 and #group - 1 or 0 do
      crowding[group[at]] = crowding[group[at]]
        + (points[group[at + 1]][m] - points[group[at - 1]][m]) / range
    end
  end
end

-- For each point two keys, by which points are sorted: less is better.
function front.keys(points)
  local ranks, crowding, groups, keys = front.ranks(points), {}, {}, {}
  for i, rank in ipairs(ranks) do
    crowding[i], groups[rank] = 0, groups[rank] or {}
    table.insert(groups[rank], i)
  end
  for _, group in ipairs(groups) do crowding_of(points, group, crowding) end
  for i, rank in ipairs(ranks) do keys[i] = { rank, -crowding[i] } end
  return keys
end

-- --- on the testing samples ---------------------------------------------------------------------

-- The point of a candidate on a part: its mean of each metric that is searched for, times its sign.
function front.point(evaluator, part, candidate, count)
  local point = {}
  for m = 1, evaluator.goals do
    point[m] = evaluator:sign(m) * evaluator:mean(part, candidate, m, count)
  end
  return point
end

local function difference(evaluator, part, baseline, candidate, m)
  local list = evaluator:differences(part, baseline, candidate, m)
  local row = workloads.summary(part, list)
  row.metric, row.list = evaluator.metrics[m], list
  row.base = evaluator:mean(part, baseline, m)
  row.is_better = evaluator:sign(m) * row.mean < 0
  return row
end

local function is_beyond_chance(part, row, level)
  return family.leaves_out_0(row, workloads.half_width(part, row.list, row, level))
end

-- Whether a member is, at this level, better than every baseline in some metric. Of one
-- baseline the metrics share the level (Bonferroni); for all baselines together the claim needs no
-- correction, because the member must be better than each one.
local function is_ahead(part, member, level)
  for _, against in ipairs(member.against) do
    local some = false
    for _, row in ipairs(against.metrics) do
      some = some or row.is_better
        and is_beyond_chance(part, row, 1 - (1 - level) / #against.metrics)
    end
    if not some then return false end
  end
  return true
end

-- The verdict on a member against a baseline, in words.
local function verdict_of(metrics)
  local better, worse, same = 0, 0, 0
  for _, row in ipairs(metrics) do
    if row.sd == 0 and row.mean == 0 then same = same + 1 end
    if row.significant and row.is_better then better = better + 1 end
    if row.significant and not row.is_better then worse = worse + 1 end
  end
  if same == #metrics then return "the same every time" end
  if better == #metrics then return "dominates it" end
  if worse == #metrics then return "dominated by it" end
  if better > 0 and worse > 0 then return "a trade" end
  return better > 0 and "better" or worse > 0 and "worse" or "not distinguishable"
end

-- The claims about the members of a front: a list of { candidate =, name =, extends = whether it
-- is significantly better than each baseline in some metric, dominated = whether another member
-- dominates it there, against = list of { name =, verdict =, metrics = list of differences } }.
-- The probability that `extends` is true of any member that a baseline dominates is at most 2.5%
-- (Holm's correction over the members); the differences are corrected over all differences.
function front.claims(evaluator, part, members, baselines)
  local list, claims, rows = {}, { {} }, { { mean = 0, sd = 0, count = 0 } }
  for i, candidate in ipairs(members) do
    local member = { candidate = candidate, name = candidate.name, against = {} }
    for b, baseline in ipairs(baselines) do
      local against = { name = baseline.name, metrics = {} }
      for m = 1, evaluator.goals do
        local row = difference(evaluator, part, baseline, candidate, m)
        against.metrics[m], rows[#rows + 1] = row, row
      end
      member.against[b] = against
    end
    list[i], claims[i + 1] = member, member
  end
  family.correct(claims, function(member, level) return is_ahead(part, member, level) end,
    "extends")
  family.correct(rows, function(row, level) return is_beyond_chance(part, row, level) end)
  local points = {}
  for i, candidate in ipairs(members) do points[i] = front.point(evaluator, part, candidate) end
  for i, rank in ipairs(front.ranks(points)) do list[i].dominated = rank > 1 end
  for _, member in ipairs(list) do
    for _, against in ipairs(member.against) do
      against.verdict = verdict_of(against.metrics)
      for _, row in ipairs(against.metrics) do row.list, row.is_better = nil, nil end
    end
  end
  return list
end

-- The means of candidates on the three parts: part -> list by metric.
function front.means(evaluator, candidate)
  local means = {}
  for _, name in ipairs(workloads.NAMES) do
    local part = evaluator.parts[name]
    if evaluator:known(part, candidate) > 0 then
      means[name] = {}
      for m = 1, evaluator.goals do
        local summary = workloads.summary(part, evaluator:values(part, candidate, m))
        means[name][m] = { metric = evaluator.metrics[m], mean = summary.mean,
          half_width = summary.half_width }
      end
    end
  end
  return means
end

return front
