-- judged: what a search found as a value, from what the referee said: of one metric the winner, of
-- several the front.
local checksum = require "orrery.support.checksum"
local front = require "orrery.search.front"
local front_text = require "orrery.search.front_text"
local halves = require "orrery.search.halves"
local lists = require "orrery.support.lists"
local literals = require "orrery.support.literals"
local outcome = require "orrery.search.outcome"
local policies = require "orrery.host.policies"
local workloads = require "orrery.search.workloads"

-- The means of a part, set after set, of the winner and of the baseline nearest to it.
local function samples_of(evaluator, part, winner, nearest)
  local a, b = evaluator:values(part, nearest), evaluator:values(part, winner)
  return lists.map(part.sets, function(set, i)
    local name = type(set.name) == "number" and set.name or tostring(set.name)
    return { name = name, winner = b[i], baseline = a[i] }
  end)
end

local function finalists_of(evaluator, all, list)
  return lists.map(list, function(candidate)
    return { name = candidate.name, training = evaluator:mean(all.training, candidate),
      validation = evaluator:mean(all.validation, candidate) }
  end)
end

local function failed_of(evaluator, proposer)
  local list = lists.joined(proposer and proposer.objections or {})
  local before = #list
  for i, candidate in ipairs(evaluator.failed) do
    list[before + i] = { name = candidate.name, problem = candidate.problem }
  end
  return list
end

local function describe_policy(given)
  if type(given) == "string" or given == nil then return given end
  if policies.text_of(given) then return given.name end
  return literals.shown(given, function() return "function" end) or type(given)
end

local function described(candidate)
  local given = candidate.policy
  return { name = candidate.name, policy = describe_policy(given.policy),
    priority = describe_policy(given.priority), options = given.options,
    candidate = { name = candidate.name, policy = given, kind = candidate.kind } }
end

local function add_winner(fields, race, judge, found)
  local evaluator, winner = race.evaluator, found.winner
  local all = evaluator.parts
  local nearest = lists.find(judge.baselines, function(one) return one.name == found.nearest end)
  fields.winner = described(winner)
  fields.found, fields.base, fields.differences = found.found, found.base, found.rows
  fields.nearest = found.nearest
  fields.constraints, fields.finalists = found.constraints,
    finalists_of(evaluator, all, found.finalists)
  for _, name in ipairs(workloads.NAMES) do fields[name] = found[name] end
  fields.samples = samples_of(evaluator, all.testing, winner, nearest)
  fields.halves = halves(all.testing, evaluator:differences(all.testing, nearest, winner))
  fields.fitting = outcome.class.fitting_of(fields.metric, found, race.candidates)
end

-- Adds the members of a front, with the claims about them, and the baselines.
local function add_front(fields, race, judge, found)
  local evaluator = race.evaluator
  fields.found = found.found
  for i, member in ipairs(found.front) do
    local one = described(member.candidate)
    for _, name in ipairs { "extends", "dominated", "against", "means", "constraints" } do
      one[name] = member[name]
    end
    fields.front[i] = one
  end
  for i, baseline in ipairs(judge.baselines) do
    fields.baselines[i] = { name = baseline.name, means = front.means(evaluator, baseline) }
  end
  fields.finalists = finalists_of(evaluator, evaluator.parts, found.finalists)
end

-- Why no candidate was simulated on all samples; nil: all failed, and each has its own error.
local function why_none(race)
  local budget, samples = race.budget, #race.part.sets
  if budget.evaluations and budget.evaluations < samples then
    return ("there are %d training samples, and the budget is %d evaluation%s"):format(samples,
      budget.evaluations, budget.evaluations == 1 and "" or "s")
  end
  if budget.seconds and race.evaluator.seconds >= budget.seconds then
    return ("the %.3g minutes were over before"):format(budget.seconds / 60)
  end
end

-- The outcome of a search.
--   race, judge, found  of racing.run, referee.new and referee:judge
--   proposer            nil: there is none
return function(spec, race, judge, found, notes, proposer)
  local evaluator = race.evaluator
  local fields = { metric = evaluator.metrics[1],
    metrics = table.move(evaluator.metrics, 1, evaluator.goals, 1, {}), title = spec.title,
    notes = notes, found = false,
    candidates = race.candidates, evaluations = evaluator.count, seconds = evaluator.seconds,
    space = race.space.about, seed = spec.seed or 1, curve = race.curve,
    failed = failed_of(evaluator, proposer), differences = {}, constraints = {}, finalists = {},
    halves = {}, samples = {}, front = {}, baselines = {}, looks = 1,
    tested = checksum(workloads.identity(evaluator.parts.testing)) }
  if found and found.front then
    fields.sentence = front_text.sentence_of(found.front, #judge.baselines)
    add_front(fields, race, judge, found)
    return outcome.of(fields)
  end
  fields.sentence = outcome.class.sentence_of(fields.metric, race.candidates, #judge.baselines,
    found, why_none(race))
  if found then add_winner(fields, race, judge, found) end
  return outcome.of(fields)
end
