-- racing: which candidates are good, with few evaluations: successive halving on paired samples,
-- round after round near the best ones.
--
-- A round begins with many candidates on few samples. Of these the better share goes on to more
-- samples, and so on, until few are left that were simulated on all; one that is significantly
-- behind the best one is left out at once. All see the same samples in the same order. The next
-- round begins with candidates that the best ones so far suggest, nearer to them from round to
-- round. Iterated racing: Lopez-Ibanez et al., The irace package, Operations Research Perspectives
-- 3, 2016; successive halving: Jamieson and Talwalkar, AISTATS 2016.
local lists = require "orrery.support.lists"
local family = require "orrery.values.family"
local front = require "orrery.search.front"
local student_quantile = require("orrery.core").values.student_quantile

local racing = {}

local SHARE = 3      -- one of so many goes on to the next samples
local FEWEST = 2     -- samples at the beginning
local ROUNDS = 6     -- that are planned, at most; fewer where they would be small
local LAST = 24      -- where evaluations are left over, and no number of rounds is given
local SMALL = 9      -- candidates that begin a round
local MOST = 3000    -- likewise
local TIMED = 64     -- likewise, where time is what ends a search
local ELITE = 6      -- of the best ones suggest candidates
local WIDE_ELITE = 12 -- likewise, of a search for several metrics
local ENOUGH = 5     -- samples of which a difference can be significant
local MOST_EMPTY = 3 -- rounds in a row without a candidate, of who proposes some
local SPREAD, LEAST_SPREAD = 0.25, 0.02 -- of the first such round, and of the last

-- The numbers of samples of a round, the first at least `fewest`, the last is all.
local function stages_of(count, fewest)
  local list, at = {}, count
  while at > fewest do
    table.insert(list, 1, at)
    at = at // SHARE
  end
  table.insert(list, 1, math.min(math.max(at, fewest), count))
  if #list > 1 and list[1] == list[2] then table.remove(list, 1) end
  return list
end

-- The cost of a round with so many candidates, in evaluations.
local function cost_of(stages, candidates)
  local cost, before = 0, 0
  for i, count in ipairs(stages) do
    if i > 1 then candidates = math.max(1, candidates // SHARE) end
    cost, before = cost + candidates * (count - before), count
  end
  return cost
end

-- The most candidates of a round for so many evaluations.
local function most_for(stages, evaluations)
  local most = 0
  while most < MOST and cost_of(stages, most + 1) <= evaluations do most = most + 1 end
  return most
end

-- How many rounds, and of how many candidates. Where there are evaluations for all candidates in
-- one round, it begins with as many samples as these allow, perhaps with all.
function racing.plan(samples, evaluations, size, most_rounds)
  for fewest = samples, FEWEST, -1 do
    local stages = stages_of(samples, fewest)
    if cost_of(stages, size) <= evaluations then
      return { stages = stages, rounds = 1, candidates = size }
    end
  end
  local stages = stages_of(samples, FEWEST)
  local rounds = math.min(most_rounds or ROUNDS, evaluations // cost_of(stages, SMALL))
  rounds = math.max(1, rounds)
  return { stages = stages, rounds = rounds,
    candidates = most_for(stages, evaluations // rounds) }
end

-- --- one round ----------------------------------------------------------------------------------

local Race = {}
Race.__index = Race

-- How good candidates are: a list of keys for each, less is better.
function Race:keys(list, count)
  local points = lists.map(list, function(candidate)
    return front.point(self.evaluator, self.part, candidate, count)
  end)
  return self.evaluator.goals > 1 and front.keys(points) or points
end

-- A list of candidates, the best on the first `count` samples first. Candidates that break a
-- constraint come last, by how much they break it. With several metrics the order is that of
-- front.keys: rank, then crowding. Of equal candidates the smaller comes first, then the earlier.
function Race:sorted(list, count)
  local keys, goodness = {}, self:keys(list, count)
  for i, candidate in ipairs(list) do
    keys[candidate] = { self.referee:excess(self.part, candidate, count),
      table.unpack(goodness[i]) }
    table.move({ candidate.size or 0, i }, 1, 2, #keys[candidate] + 1, keys[candidate])
  end
  local sorted = table.move(list, 1, #list, 1, {})
  table.sort(sorted, function(a, b)
    local x, y = keys[a], keys[b]
    local k = 1
    while x[k] == y[k] and k < #x do k = k + 1 end
    return x[k] < y[k]
  end)
  return sorted
end

-- Whether a candidate is behind the best one by more than chance, in all metrics: by Student's
-- interval, for this is no statement but a choice of whom to simulate on.
function Race:is_behind(candidate, best, count)
  if count < ENOUGH then return false end
  for m = 1, self.evaluator.goals do
    local summary = self.summary(self.part, self.evaluator:differences(self.part, best, candidate,
      m, count))
    local half = self.part.by and summary.half_width
      or student_quantile(0.975, summary.count - 1) * (summary.sd / math.sqrt(summary.count))
    if not family.leaves_out_0(summary, half) or self.evaluator:sign(m) * summary.mean <= 0 then
      return false
    end
  end
  return true
end

local function without_failed(list)
  return lists.those(list, function(candidate) return not candidate.problem end)
end

-- Those that go on: the better share, without those that are behind.
function Race:survivors(list, count, share)
  local sorted, left = self:sorted(list, count), {}
  for i = 1, math.min(#sorted, math.max(1, share)) do
    local behind = i > 1 and self:is_behind(sorted[i], sorted[1], count)
    if not behind then left[#left + 1] = sorted[i] end
  end
  return left
end

-- Candidates of `list` that are not in `left` are simulated no more for now.
function Race:release(list, left)
  local stays = lists.set(left)
  for _, candidate in ipairs(list) do
    if not stays[candidate] then self.evaluator:release(candidate) end
  end
end

-- As many of a list as the budget has evaluations for.
function Race:affordable(list, count)
  local left, some = self.budget:left(self.evaluator), {}
  for _, candidate in ipairs(list) do
    left = left - (count - self.evaluator:known(self.part, candidate))
    if left < 0 then break end
    some[#some + 1] = candidate
  end
  return some
end

-- Notes how good the best one is that was simulated on all samples.
function Race:note()
  local best = self.best[1]
  if not best then return end
  for _, candidate in ipairs(self.best) do -- of a front, the one that is best in the first metric
    if self.referee:excess(self.part, candidate) == 0 and self.evaluator.goals > 1
      and front.point(self.evaluator, self.part, candidate)[1]
      < front.point(self.evaluator, self.part, best)[1] then
      best = candidate
    end
  end
  self.curve[#self.curve + 1] = { evaluations = self.evaluator.count,
    mean = self.evaluator:mean(self.part, best), name = best.name }
end

-- Keeps only the first of sorted candidates that have equal results on every sample.
function Race:different(sorted)
  local list, seen = {}, {}
  for _, candidate in ipairs(sorted) do
    local values = {}
    for m = 1, self.evaluator.goals do
      values[m] = table.concat(self.evaluator:values(self.part, candidate, m), " ")
    end
    values = table.concat(values, "; ")
    if not seen[values] then list[#list + 1] = candidate end
    seen[values] = true
  end
  return list
end

-- The best candidates so far: the parents of the next ones. The members of a front take turns in
-- being first, because the first one gets the most children.
function Race:elite(round)
  local count = math.min(self.evaluator.goals > 1 and WIDE_ELITE or ELITE, #self.best)
  local list = table.move(self.best, 1, count, 1, {})
  for _ = 2, self.evaluator.goals > 1 and count > 0 and round % count + 1 or 1 do
    table.insert(list, table.remove(list, 1))
  end
  return list
end

-- How many of the `began` candidates of a round go on after a stage: the better share. Until one
-- candidate has been simulated on all samples, enough evaluations for that one are kept.
function Race:share_behind(stage, began)
  local stages, share = self.stages, math.ceil(began / SHARE ^ stage)
  if #self.best > 0 then return share end
  local next_one, all = stages[stage + 1], stages[#stages]
  local left = self.budget:left(self.evaluator) - (all - next_one)
  return math.max(1, math.min(share, left // (next_one - stages[stage])))
end

-- Lets candidates race; those that were simulated on all samples join the best ones.
function Race:run(list)
  local began = #list
  for stage, count in ipairs(self.stages) do
    local before = list
    list = self:affordable(list, count)
    self:release(before, list)
    if #list == 0 then break end
    self.evaluator:reach(self.part, list, count)
    before = list
    list = without_failed(list)
    if #list > 0 and stage < #self.stages then
      list = self:survivors(list, count, self:share_behind(stage, began))
    end
    self:release(before, list)
    if #list == 0 then break end
    if self.progress then self.progress(self.evaluator.count) end
  end
  local all = self.stages[#self.stages]
  for _, candidate in ipairs(list) do
    if self.evaluator:known(self.part, candidate) == all then
      self.best[#self.best + 1] = candidate
    end
  end
  self:release(list, {})
  self.best = self:different(self:sorted(self.best, all))
end

-- Searches. what: { space =, evaluator =, referee =, part = (training), budget =, rng =, summary =
-- function(part, differences), progress = }. What comes back: best, a list of all candidates that
-- were simulated on every sample, the best first; curve; candidates, how many there were.
function racing.run(what)
  local evaluations = what.budget:left(what.evaluator)
  local plan = racing.plan(#what.part.sets, evaluations, what.space.size,
    what.rounds)
  local race = setmetatable(what, Race)
  race.stages, race.best, race.curve, race.candidates = plan.stages, {}, {}, 0
  race.last = math.max(plan.rounds, ROUNDS)
  if race.budget.seconds then plan.candidates = math.min(plan.candidates, TIMED) end
  local most_rounds = race.rounds or race.budget.seconds and math.huge or LAST
  local round, empty = 0, 0
  repeat
    round = round + 1
    local spread = SPREAD * (LEAST_SPREAD / SPREAD) ^ (math.min(round - 2, race.last - 2)
      / (race.last - 2))
    local elite = race:elite(round)
    local count = math.min(plan.candidates, most_for(plan.stages, race.budget:left(race.evaluator)))
    local list = count > 0 and (round == 1 and race.space:first(race.rng, count)
      or race.space:next(race.rng, count, elite, spread)) or {}
    for _, candidate in ipairs(list) do
      if not candidate.identity then race.evaluator:prepare(candidate) end
    end
    race.candidates = race.candidates + #list
    race:run(list)
    if #list > 0 then race:note() end
    empty = #list == 0 and empty + 1 or 0
  until empty > (race.space.may_fail and count > 0 and MOST_EMPTY or 0)
    or race.candidates >= race.space.size or round >= most_rounds
  return race
end

return racing
