-- statements: the paper's statements about its rules, and additional questions.
local cells = require "orrery.command.cells"
local lists = require "orrery.support.lists"
local verdict = require "orrery.command.verdict"

local paper = require "orrery.reproduce.learned.plan"

local statements = {}

local RULES = {}
for _, rule in ipairs(paper.rules) do RULES[rule.key] = rule end

local function which(field)
  return lists.those(paper.rules, function(rule) return rule[field] end)
end

local OLD, LEARNED = which "old", which "learned"
local RUNTIMES, ESTIMATES = table.unpack(paper.knowledge)

-- The ratios of pairs of { way =, known =, rule =, label = (default: the rule's name) } against 1.
local function ratios(store, load, relation, pairs_of)
  return verdict.each(pairs_of, function(pair)
    local a, b = table.unpack(pair)
    local over = cells.divided(store:samples(a.way, a.known, load, a.rule),
      store:samples(b.way, b.known, load, b.rule))
    return verdict.ratio(("%s: %s over %s"):format(load.at, a.label or a.rule.name,
      b.label or b.rule.name), over, relation, 1)
  end)
end

-- All pairs of two lists of rules in one setting, but for a rule and itself.
local function pairs_in(way, known, some, others)
  local list = {}
  for _, a in ipairs(some) do
    for _, b in ipairs(others) do
      if a ~= b then
        list[#list + 1] = { { way = way, known = known, rule = a },
          { way = way, known = known, rule = b } }
      end
    end
  end
  return list
end

-- A statement under each of the model's loads, or on each of the logs.
local function under(store, title, parts_of, on_logs)
  local loads = lists.those(store.plan.loads, function(load)
    return (load.jobs ~= nil) == (on_logs or false)
  end)
  return lists.map(loads, function(load)
    return { ("%s (%s)"):format(title, load.at), parts_of(load) }
  end)
end

local function setting(store, way, known, where, words, on_logs)
  local list = under(store,
    "F1, F2, F3 and F4 are better than FCFS, WFP3, UNICEF and SPT, " .. words,
    function(load) return ratios(store, load, "<", pairs_in(way, known, LEARNED, OLD)) end,
    on_logs)
  list.where = where
  return list
end

-- The loss by estimates is smaller than the gain of the rules.
local function harm(store)
  return under(store, "F1 to F4 with estimates are still better than FCFS with runtimes, without "
    .. "backfilling", function(load)
    return ratios(store, load, "<", lists.map(LEARNED, function(rule)
      local label = rule.name .. ", estimates"
      return { { way = "plain", known = ESTIMATES, rule = rule, label = label }, { way = "plain",
        known = RUNTIMES, rule = RULES.fcfs, label = "FCFS, runtimes" } }
    end))
  end)
end

-- Questions that the paper does not have, as far as we know.
local function ours(store)
  local list = lists.joined(harm(store),
    under(store, "F1 without backfilling is no worse than FCFS with EASY, with estimates",
      function(load)
      return ratios(store, load, "<=", { {
        { way = "plain", known = ESTIMATES, rule = RULES.f1, label = "F1 without" },
        { way = "backfilling", known = ESTIMATES, rule = RULES.fcfs, label = "FCFS with" } } })
    end),
    under(store, "F1 is no worse than SAF, with estimates and EASY", function(load)
      return ratios(store, load, "<=",
        pairs_in("backfilling", ESTIMATES, { RULES.f1 }, { RULES.saf }))
    end))
  list.where = "not in the paper"
  return list
end

-- Backfilling takes a larger share off FCFS than off F1.
local function gap(store)
  local list = under(store, "Backfilling makes the rules more alike: FCFS over F1 is less with "
    .. "it, with estimates", function(load)
    local without = cells.divided(store:samples("plain", ESTIMATES, load, RULES.fcfs),
      store:samples("plain", ESTIMATES, load, RULES.f1))
    local with = cells.divided(store:samples("backfilling", ESTIMATES, load, RULES.fcfs),
      store:samples("backfilling", ESTIMATES, load, RULES.f1))
    return { verdict.ratio(load.at .. ": FCFS over F1, with over without", with and without
      and cells.divided(with, without), "<", 1) }
  end)
  list.where = "not in the paper"
  return list
end

-- Statements about figures that were not drawn have no parts, and are left out.
function statements.of(store)
  local logs = lists.joined(
    setting(store, "plain", RUNTIMES, nil, "with runtimes, without backfilling", true),
    setting(store, "plain", ESTIMATES, nil, "with estimates, without backfilling", true),
    setting(store, "backfilling", ESTIMATES, nil, "with estimates and EASY", true))
  logs.where = "logs"
  return verdict.judge(
    setting(store, "plain", RUNTIMES, "model, runtimes", "with runtimes, without backfilling"),
    setting(store, "plain", ESTIMATES, "model, estimates", "with estimates, without backfilling"),
    setting(store, "backfilling", ESTIMATES, "model, backfilling", "with estimates and EASY"),
    #logs > 0 and logs or { where = "logs",
      { "F1 to F4 are better on the logs of other machines, too", {},
      needs = "the logs of Curie, Intrepid, SDSC Blue Horizon and CTC SP2" } },
    gap(store), ours(store))
end

return statements
