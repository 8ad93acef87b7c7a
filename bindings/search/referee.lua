-- referee: whether a search found anything. It chooses one of the best candidates of the training
-- samples on the validation samples, and judges that one alone on the testing samples, which
-- nothing was simulated on before: so what is said there needs no correction for how many
-- candidates there were. It is compared with every baseline, sample by sample; that it is said to
-- be ahead of any of them by chance has a probability of at most 5% (Holm's correction).
local core = require "orrery.core"
local family = require "orrery.values.family"
local front = require "orrery.search.front"
local lists = require "orrery.support.lists"
local workloads = require "orrery.search.workloads"

local referee = {}
referee.__index = referee

local LEVEL = 0.95

-- evaluator: of the search;  baselines: candidates that were simulated on nothing yet;
-- constraints: list of { metric = index, most =, of = a baseline }
function referee.new(evaluator, baselines, constraints)
  return setmetatable({ evaluator = evaluator, baselines = baselines, constraints = constraints },
    referee)
end

-- --- constraints --------------------------------------------------------------------------------

-- A metric of a candidate less what a constraint allows, sample by sample.
local function over(self, part, candidate, constraint, count)
  local bound = self.evaluator:values(part, constraint.of, constraint.metric, count)
  local list = self.evaluator:values(part, candidate, constraint.metric, count)
  for i, value in ipairs(bound) do list[i] = list[i] - constraint.most * value end
  return list, core.values.summary(bound).mean
end

-- By how much a candidate breaks the constraints, as shares of their bounds; 0: by nothing.
function referee:excess(part, candidate, count)
  local excess = 0
  for _, constraint in ipairs(self.constraints) do
    local list, bound = over(self, part, candidate, constraint, count)
    local mean = core.values.summary(list).mean
    if mean > 0 then excess = excess + mean / math.max(constraint.most * bound, 1e-300) end
  end
  return excess
end

local function constraint_rows(self, part, candidate)
  local rows = {}
  for i, constraint in ipairs(self.constraints) do
    local summary = workloads.summary(part, (over(self, part, candidate, constraint)))
    local name = self.evaluator.metrics[constraint.metric]
    rows[i] = { metric = name, most = constraint.most, of = constraint.of.name,
      mean = self.evaluator:mean(part, candidate, constraint.metric),
      of_mean = self.evaluator:mean(part, constraint.of, constraint.metric),
      over = summary.mean, half_width = summary.half_width, holds = summary.mean <= 0 }
  end
  return rows
end

-- --- differences --------------------------------------------------------------------------------

local function is_better(self, summary) return self.evaluator:sign() * summary.mean < 0 end

-- How many samples have the better value.
local function better_in(self, differences)
  return #lists.those(differences, function(one) return self.evaluator:sign() * one < 0 end)
end

-- The differences of a candidate from every baseline on a part: a list of { name, base (the mean of
-- the baseline), mean, half_width (of the 95% interval), sd, count, better_in, significant (after
-- Holm's correction over the list), verdict }.
function referee:against(part, candidate)
  local rows, of, list = {}, {}, { { mean = 0, sd = 0, count = 0 } }
  for i, baseline in ipairs(self.baselines) do
    of[i] = self.evaluator:differences(part, baseline, candidate)
    local row = workloads.summary(part, of[i])
    family.add_ranks(row, of[i], not part.by)
    row.name, row.base = baseline.name, self.evaluator:mean(part, baseline)
    row.better_in = better_in(self, of[i])
    rows[i], list[i + 1] = row, row
  end
  family.correct(list, function(d, level, i)
    return family.leaves_out_0(d, workloads.half_width(part, of[i - 1], d, level))
  end)
  for _, row in ipairs(rows) do
    row.verdict = row.sd == 0 and row.mean == 0 and "the same every time"
      or not row.significant and "not distinguishable"
      or is_better(self, row) and "better" or "worse"
  end
  return rows
end

function referee:best_baseline(part)
  return lists.least(self.baselines, function(baseline)
    return self.evaluator:sign() * self.evaluator:mean(part, baseline)
  end)
end

-- --- the three parts ----------------------------------------------------------------------------

-- How far a candidate is ahead of the best baseline of the training samples, on a part: the
-- difference of their means, and that as a share of the baseline's.
local function gain(self, part, candidate, base)
  local differences = self.evaluator:differences(part, base, candidate)
  local summary = workloads.summary(part, differences)
  local mean = self.evaluator:mean(part, base)
  return { mean = self.evaluator:mean(part, candidate), base = mean, difference = summary.mean,
    half_width = summary.half_width, share = mean ~= 0 and summary.mean / mean or nil,
    samples = #differences, summary = summary, differences = differences }
end

-- Whether the gain on the training samples would be called significant there, had `candidates`
-- been compared with the baseline and not the best of them been picked (Bonferroni).
local function survives(self, part, found, candidates)
  local level = 1 - (1 - LEVEL) / math.max(candidates, 1)
  return is_better(self, found.summary) and family.leaves_out_0(found.summary,
    workloads.half_width(part, found.differences, found.summary, level))
end

local function plain(found)
  found.summary, found.differences = nil, nil
  return found
end

-- The best candidate on the validation samples, among those that keep the constraints there. If all
-- break them, the candidate that breaks them least.
function referee:choose(part, finalists)
  local best, its
  for _, candidate in ipairs(finalists) do
    local key = { self:excess(part, candidate),
      self.evaluator:sign() * self.evaluator:mean(part, candidate) }
    if not best or key[1] < its[1] or key[1] == its[1] and key[2] < its[2] then
      best, its = candidate, key
    end
  end
  return best
end

local function is_not_better(row) return row.verdict ~= "better" end

local function is_broken(constraint) return not constraint.holds end

local function without_problem(candidate) return not candidate.problem end

-- Candidates on the validation samples, without those that fail there.
local function validated(self, best, finalists)
  local part = self.evaluator.parts.validation
  local list = table.move(best, 1, math.min(finalists, #best), 1, {})
  self.evaluator:reach(part, self.baselines, #part.sets)
  self.evaluator:reach(part, list, #part.sets)
  return lists.those(list, without_problem)
end

-- Those of the finalists that break the constraints least on the validation samples, and of these
-- those that no other one dominates there.
local function members_of(self, part, finalists)
  local least, kept, points, members, seen = math.huge, {}, {}, {}, {}
  for _, candidate in ipairs(finalists) do
    least = math.min(least, self:excess(part, candidate))
  end
  for _, candidate in ipairs(finalists) do
    local point = front.point(self.evaluator, part, candidate)
    local text = table.concat(point, " ") -- of those that are equal here the first
    if self:excess(part, candidate) == least and not seen[text] then
      kept[#kept + 1], points[#kept + 1], seen[text] = candidate, point, true
    end
  end
  for i, rank in ipairs(front.ranks(points)) do
    if rank == 1 then members[#members + 1] = kept[i] end
  end
  return members
end

-- The judgement at the end of a search for several metrics, as referee:judge: the front.
function referee:judge_front(best, finalists)
  local all = self.evaluator.parts
  local list = validated(self, best, finalists)
  local members = members_of(self, all.validation, list)
  if #members == 0 then return nil end
  self.evaluator:reach(all.testing, self.baselines, #all.testing.sets)
  self.evaluator:reach(all.testing, members, #all.testing.sets)
  members = lists.those(members, without_problem)
  if #members == 0 then return nil end
  table.sort(members, function(a, b)
    local x, y = front.point(self.evaluator, all.testing, a),
      front.point(self.evaluator, all.testing, b)
    if x[1] ~= y[1] then return x[1] < y[1] end
    return a.name < b.name
  end)
  local found = { finalists = list, found = false,
    front = front.claims(self.evaluator, all.testing, members, self.baselines) }
  for _, member in ipairs(found.front) do
    member.constraints = constraint_rows(self, all.testing, member.candidate)
    member.extends = member.extends and not lists.find(member.constraints, is_broken)
    member.means = front.means(self.evaluator, member.candidate)
    found.found = found.found or member.extends
  end
  return found
end

-- The judgement at the end of a search.
--   best        the candidates that were simulated on all training samples, the best first
--   finalists   how many of these are simulated on the validation samples
--   candidates  how many there were at all
-- The testing samples are simulated here, and nowhere else.
function referee:judge(best, finalists, candidates)
  local all = self.evaluator.parts
  local list = validated(self, best, finalists)
  local winner = self:choose(all.validation, list)
  if not winner then return nil end
  self.evaluator:reach(all.testing, self.baselines, #all.testing.sets)
  self.evaluator:reach(all.testing, { winner }, #all.testing.sets)
  if winner.problem then return nil end
  local base = self:best_baseline(all.training)
  local training = gain(self, all.training, winner, base)
  local found = { winner = winner, finalists = list, base = base.name,
    rows = self:against(all.testing, winner),
    constraints = constraint_rows(self, all.testing, winner) }
  found.survives = survives(self, all.training, training, candidates)
  found.training = plain(training)
  found.validation = plain(gain(self, all.validation, winner, base))
  found.testing = plain(gain(self, all.testing, winner, base))
  found.found = not (lists.find(found.rows, is_not_better)
    or lists.find(found.constraints, is_broken))
  found.nearest = self:best_baseline(all.testing).name
  return found
end

return referee
