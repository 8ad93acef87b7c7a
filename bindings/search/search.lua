-- search: orrery.search, which searches for a policy that is better than others, and tests on other
-- samples whether it found one.
--
-- racing.lua searches on the training samples (workloads.lua), among the candidates of space.lua;
-- referee.lua chooses one on the validation samples and judges it on the testing samples.
local budget_of = require "orrery.search.budget"
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local evaluator_of = require "orrery.search.evaluator"
local formulas = require "orrery.search.formulas"
local judged = require "orrery.search.judged"
local kinds = require "orrery.search.kinds"
local metrics = require "orrery.values.metrics"
local names = require "orrery.support.names"
local programs = require "orrery.search.programs"
local proposals = require "orrery.search.proposals"
local racing = require "orrery.search.racing"
local referee_of = require "orrery.search.referee"
local space_of = require "orrery.search.space"
local sources = require "orrery.search.sources"
local workloads = require "orrery.search.workloads"

local refuse = checks.refuse

local search = {}

local FINALISTS, OF_FRONT = 5, 12

-- --- what is asked for --------------------------------------------------------------------------

local function check_metric(what, name, kind)
  local known = {}
  for _, one in ipairs(kind.metrics) do known[one] = true end
  checks.expect(type(name) == "string", what, "the name of a metric", type(name))
  refuse(not known[name], "%s: there is no metric '%s'%s%s", what, name,
    kind.name == "jobs" and "" or " of " .. kind.name,
    names.suggestion(name, kind.metrics))
  refuse(metrics.of(name).better == false, "%s: of '%s' neither more nor less is better", what,
    name)
end

local function goals_of(spec, kind)
  refuse(spec.metric ~= nil and spec.metrics ~= nil, "give metric or metrics, not both")
  if spec.metrics == nil then
    check_metric("metric", spec.metric, kind)
    return { spec.metric }
  end
  checks.expect(type(spec.metrics) == "table" and checks.is_list(spec.metrics)
    and #spec.metrics >= 2, "metrics", "a list of two metrics or more",
    type(spec.metrics) == "table" and ("a list of %d"):format(#spec.metrics) or type(spec.metrics))
  local seen = {}
  for i, name in ipairs(spec.metrics) do
    check_metric(("metrics[%d]"):format(i), name, kind)
    refuse(seen[name], "metrics[%d]: '%s' is there twice", i, name)
    seen[name] = true
  end
  return table.move(spec.metrics, 1, #spec.metrics, 1, {})
end

-- The baselines as candidates, each ready to be simulated.
local function baselines_of(spec, evaluator)
  checks.expect(type(spec.baselines) == "table" and #spec.baselines > 0, "baselines",
    "a list of at least one policy that is to be outdone", type(spec.baselines))
  local list, seen = {}, {}
  local given = { policies = spec.baselines, limits = spec.limits }
  local made = space_of.of(given, "baselines", evaluator.kind)
  refuse(made.size ~= #made.choices, "baselines: options of a baseline do not vary")
  for i, baseline in ipairs(made:all()) do
    evaluator:prepare(baseline)
    refuse(seen[baseline.name], "baselines[%d]: '%s' is there twice", i, baseline.name)
    seen[baseline.name], list[i] = true, baseline
  end
  return list
end

-- The constraints, and the metrics that they want behind those that are searched for.
local function constraints_of(spec, wanted, kind)
  local list = spec.constraints or {}
  checks.expect(type(list) == "table" and checks.is_list(list), "constraints",
    "a list of { metric =, most =, of = }", type(list))
  local found, place = {}, {}
  for i, name in ipairs(wanted) do place[name] = i end
  for i, given in ipairs(list) do
    local what = ("constraints[%d]"):format(i)
    checks.fields(what, given, "search.SearchConstraint")
    check_metric(what .. ".metric", given.metric, kind)
    refuse(metrics.of(given.metric).better == "more",
      "%s: of '%s' more is better; constraints say how much is allowed at most", what, given.metric)
    checks.expect(type(given.most) == "number" and given.most > 0 and given.most < math.huge,
      what .. ".most", "a number above 0", checks.shown(given.most))
    if not place[given.metric] then
      wanted[#wanted + 1] = given.metric
      place[given.metric] = #wanted
    end
    found[i] = { metric = place[given.metric], most = given.most, of = given.of }
  end
  return found
end

-- Puts the baselines in the place of their names.
local function resolve(constraints, baselines)
  for i, constraint in ipairs(constraints) do
    local wanted, list = constraint.of, {}
    constraint.of = nil
    for _, baseline in ipairs(baselines) do
      list[#list + 1] = baseline.name
      if baseline.name == wanted or wanted == nil and #baselines == 1 then
        constraint.of = baseline
      end
    end
    refuse(not constraint.of, "constraints[%d].of: expected one of the baselines (%s), found %s", i,
      table.concat(list, ", "), checks.shown(wanted))
  end
end

local function check_function(spec, name)
  checks.expect(spec[name] == nil or type(spec[name]) == "function", name, "a function",
    type(spec[name]))
end

-- Some metrics of tasks need further simulations; the specification must request these: fault_free.
local function check_fault_free(all, wanted)
  for _, metric in ipairs(metrics.tasks.fault_free) do
    for _, name in ipairs(wanted) do
      for _, part in ipairs(workloads.NAMES) do
        refuse(name == metric and all[part].fields.fault_free ~= true,
          "%s: the metric %s wants fault_free = true", part, metric)
      end
    end
  end
end

-- --- the search ---------------------------------------------------------------------------------

-- Limits of policies that strangers propose, where the search names none: counted, so that the same
-- ones are refused everywhere.
local PROPOSED = { instructions = 5000000 }

-- The function keep(name, compute) for a single step: spec.keep_all, spec.keep, or no storage.
local function keep_of(spec)
  if spec.keep_all then
    return function(name, compute)
      return spec.keep_all({ { name = name, compute = compute } })[1]
    end
  end
  return spec.keep or function(_, compute) return compute() end
end

local function proposer_of(spec, what)
  return proposals.of(spec.propose, {
    limits = what.limits, kind = what.kind, metrics = what.goals,
    better = metrics.of(what.goals[1]).better,
    keep = keep_of(spec),
    mean_of = function(candidate, m)
      return what.evaluator:mean(what.evaluator.parts.training, candidate, m)
    end,
    failed = function() return what.evaluator.failed end,
    prepared = function(candidate)
      what.evaluator:prepare(candidate)
      return candidate
    end,
  })
end

-- The space of candidates: policies, formulas, programs and proposals.
local function space_from(spec, what)
  local list = {}
  if spec.policies ~= nil then list[1] = space_of.of(spec, nil, what.kind) end
  if spec.formulas ~= nil then list[#list + 1] = formulas.of(spec.formulas) end
  if spec.programs ~= nil then
    list[#list + 1] = programs.of(spec.programs, { limits = what.limits, kind = what.kind,
      prepared = function(candidate) what.evaluator:prepare(candidate) end })
  end
  if what.proposer then list[#list + 1] = what.proposer end
  refuse(#list == 0, "search: give policies, formulas, programs or propose, or several of them")
  refuse(spec.priorities ~= nil and spec.policies == nil,
    "priorities are those of policies: give policies as well")
  return sources(list)
end

-- Reads and checks the whole specification before anything is simulated.
local function begin(spec)
  checks.fields("search", spec, "search.SearchSpec")
  local what = { spec = spec, notes = {}, kind = kinds.of(spec) }
  what.goals = goals_of(spec, what.kind)
  checks.expect(spec.title == nil or type(spec.title) == "string", "title", "a text",
    type(spec.title))
  for _, name in ipairs { "keep", "keep_all", "progress" } do check_function(spec, name) end
  what.seed = checks.count("seed", spec.seed, nil, 1)
  what.finalists = checks.count("finalists", spec.finalists, 1,
    #what.goals > 1 and OF_FRONT or FINALISTS)
  what.threads = checks.count("threads", spec.threads, 1, core.cores())
  what.limits = spec.limits or (spec.propose or spec.programs) and PROPOSED or nil
  what.rounds = spec.rounds ~= nil and checks.count("rounds", spec.rounds, 1) or nil
  what.budget = budget_of(spec)
  local wanted = table.move(what.goals, 1, #what.goals, 1, {})
  local constraints = constraints_of(spec, wanted, what.kind)
  if spec.propose ~= nil then what.proposer = proposer_of(spec, what) end
  what.space = space_from(spec, what)
  local all = workloads.of(spec, what.notes, what.kind)
  check_fault_free(all, wanted)
  what.evaluator = evaluator_of.new({ limits = what.limits, threads = what.threads,
    kind = what.kind, keep = spec.keep, keep_all = spec.keep_all }, all, wanted, #what.goals)
  local baselines = baselines_of(spec, what.evaluator)
  resolve(constraints, baselines)
  what.space:check(function(candidate)
    what.evaluator:prepare(candidate)
    what.evaluator:release(candidate)
  end)
  what.referee = referee_of.new(what.evaluator, baselines, constraints)
  return what
end

function search.run(spec)
  local what = begin(spec)
  local evaluator, judge = what.evaluator, what.referee
  local training = evaluator.parts.training
  evaluator:reach(training, judge.baselines, #training.sets)
  for _, baseline in ipairs(judge.baselines) do
    refuse(baseline.problem, "baselines: %s: %s", baseline.name, baseline.problem)
  end
  evaluator.count, evaluator.seconds = 0, 0 -- of candidates
  local race = racing.run { space = what.space, evaluator = evaluator, referee = judge,
    part = training, budget = what.budget, rounds = what.rounds,
    rng = core.values.random(what.seed),
    summary = workloads.summary, progress = spec.progress and function(count)
      spec.progress(count, what.budget.evaluations or count)
    end }
  local found
  if #what.goals > 1 then
    found = judge:judge_front(race.best, what.finalists)
  else
    found = judge:judge(race.best, what.finalists, race.candidates)
  end
  return judged(spec, race, judge, found, what.notes, what.proposer)
end

return search
