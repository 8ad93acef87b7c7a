-- statements: statements of the literature about checkpoints, as far as they can be tested here,
-- and questions about this project's policy. Each names its source; the papers were not at hand.
--
-- Wastes of logs are judged by the mean of paired differences, and not by ratios: a policy that
-- wastes nothing in most scenarios and much in some has a small geometric mean.
local cells = require "orrery.command.cells"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local verdict = require "orrery.command.verdict"

local paper = require "orrery.reproduce.checkpointing.plan"

local statements = {}

-- --- one job ------------------------------------------------------------------------------------

-- The least of the closed form, over periods from an eighth to eight times Young's.
local function least(share)
  local mtbf = paper.node.mtbf
  local young = paper.young(mtbf, share * mtbf)
  local found = math.min(paper.closed(share, young), paper.closed(share,
    paper.daly(mtbf, share * mtbf)))
  for k = -3000, 3000 do found = math.min(found, paper.closed(share, young * 2 ^ (k / 1000))) end
  return found
end

local function small(plan)
  return lists.those(plan.shares, function(share) return share <= 0.01 end)
end

local function large(plan)
  return lists.those(plan.shares, function(share) return share > 0.01 end)
end

-- The difference between simulated times and the closed form, at all periods, where C is one of the
-- shares.
local function simulated(store, shares, bound)
  return verdict.each(shares, function(share)
    return verdict.each(store.plan.multiples, function(multiple)
      local found = store.results[("node %g"):format(share)]
      if not found then return nil end
      local at
      for m, one in ipairs(store.plan.multiples) do at = one == multiple and m or at end
      local mtbf = paper.node.mtbf
      local C = share * mtbf
      local expected = paper.expected(1 / mtbf, paper.node.work,
        multiple * paper.young(mtbf, C), C, C, 0)
      local over = lists.map(found[at], function(time) return time / expected - 1 end)
      local label = ("C = %g MTBF, %.3g of Young's period: mean time over the closed form, less 1")
        :format(share, multiple)
      return verdict.part(label, over, "<=", bound), verdict.part(label, over, ">=", -bound)
    end)
  end)
end

local function of_formulas(store)
  if not store:node_waste(store.plan.shares[1]) then return {} end
  return verdict.each(small(store.plan), function(share)
    local mtbf, best = paper.node.mtbf, least(share)
    local function part(name, period)
      return verdict.known(("C = %g MTBF: waste at %s over the least"):format(share, name),
        paper.closed(share, period) / best, "<=", 1.02)
    end
    return part("Young's period", paper.young(mtbf, share * mtbf)),
      part("Daly's period", paper.daly(mtbf, share * mtbf))
  end)
end

-- Waste at Young's period over that at another, scenario by scenario.
local function near_best(label, wastes, multiples, own, bound)
  return verdict.each(lists.map(multiples, function(multiple, m)
    return { multiple = multiple, m = m }
  end), function(other)
    return other.m ~= own and verdict.ratio(("%s: Young's period over %.3g of it"):format(label,
      other.multiple), cells.divided(wastes[own], wastes[other.m]), "<=", bound)
  end)
end

local function one_of(multiples)
  for m, multiple in ipairs(multiples) do
    if multiple == 1 then return m end
  end
end

local function in_simulation(store)
  return verdict.each(small(store.plan), function(share)
    local wastes = store:node_waste(share)
    return wastes and near_best(("C = %g MTBF"):format(share), wastes, store.plan.multiples,
      one_of(store.plan.multiples), 1.02)
  end)
end

local function young(store)
  return { where = "Young 1974; Daly 2006",
    { "Simulated times are those of the closed form, for C <= MTBF / 100 (here: within 2%)",
      simulated(store, small(store.plan), 0.02) },
    { "And for C = MTBF / 10 (here: within 5%)", simulated(store, large(store.plan), 0.05) },
    { "At Young's and at Daly's period the closed form's waste is within 2% of the least, for "
      .. "C <= MTBF / 100", of_formulas(store) },
    { "At Young's period the simulated waste is at most 2% above that of any other period, for "
      .. "C <= MTBF / 100", in_simulation(store) } }
end

-- --- Weibull ------------------------------------------------------------------------------------

local BENOIT = "after Bougeret et al. 2011 (SC); Benoit et al. 2022"

local function is_weibull(shape) return shape < 1 end

local function weibull(store)
  local list = lists.map(paper.places, function(place)
    return { ("Young's period, from the mean, is nearly optimal under Weibull's failures (here: "
      .. "waste at most 5%% above that of any other period): %s"):format(place.at),
      verdict.each(lists.those(store.plan.shapes, is_weibull), function(shape)
        local found = store:place(place, shape)
        return found and near_best(("shape %g"):format(shape), found.multiples,
          store.plan.wide_multiples, one_of(store.plan.wide_multiples), 1.05)
      end) }
  end)
  list.where = BENOIT
  return list
end

-- The period that follows the failures so far.
local function seen(store)
  local function part(place, relation, bound)
    return verdict.each(lists.those(store.plan.shapes, is_weibull), function(shape)
      local found = store:place(place, shape)
      return found and verdict.ratio(("shape %g: by failures seen over Young's"):format(shape),
        cells.divided(found.seen, found.multiples[one_of(store.plan.wide_multiples)]), relation,
        bound)
    end)
  end
  return { where = "not in a paper",
    { "On new nodes a period that follows the failures seen so far wastes less than Young's from "
      .. "the mean", part(paper.places[2], "<", 1) },
    { "On old nodes it is no worse (here: by no more than 5%)",
      part(paper.places[3], "<=", 1.05) } }
end

-- --- periods of many jobs -----------------------------------------------------------------------

-- part(hours, samples with Young's period for each, samples with `hours` for all) for each period.
local function each_period(store, log, cost, part)
  local found = store:periods(log, cost)
  if not found then return {} end
  return verdict.each(lists.map(store.plan.hours, function(hours, i)
    return { hours = hours, i = i }
  end), function(one) return part(one.hours, found.young, found.hours[one.i]) end)
end

local function none_is_better(store, cost)
  return lists.map(paper.logs, function(log)
    return { ("Wide jobs need shorter periods: with C the same for all, Young's for each job "
      .. "wastes less than any one period for all: %s"):format(log.at),
      each_period(store, log, cost, function(hours, own, all)
        return verdict.less(("Young's for each less %g h for all"):format(hours), own, all)
      end) }
  end)
end

-- Somewhere on the grid, one period for all is as good.
local function some_period(store, cost)
  return lists.map(paper.logs, function(log)
    return { ("Where C grows in proportion to processors, some one period for all jobs is as good "
      .. "as one for each (here: by 0.005 of the processor time in use): %s"):format(log.at),
      any = true,
      each_period(store, log, cost, function(hours, own, all)
        return verdict.no_more(("%g h for all less Young's for each"):format(hours), all, own,
          0.005)
      end) }
  end)
end

local function periods(store)
  return { where = "follows from Young 1974",
    none_is_better(store, paper.costs[1]), some_period(store, paper.costs[2]) }
end

-- --- on demand ----------------------------------------------------------------------------------

local HABITS = {}
for _, habit in ipairs(paper.habits) do HABITS[habit.key] = habit.name end

-- At a log and MTBF: one policy wastes less than another, or no more than it plus the slack.
local function demand_less(store, log, years, a, b, slack)
  local label = ("%s, MTBF %g years: %s less %s"):format(log.at, years, HABITS[a], HABITS[b])
  return (slack and verdict.no_more or verdict.less)(label, store:demand(log, years, a, "waste"),
    store:demand(log, years, b, "waste"), slack)
end

local function demand(store)
  local years, list = paper.taken(store.plan, paper.years), {}
  for _, log in ipairs(paper.logs) do
    local function add(title, ...) list[#list + 1] = { title .. ": " .. log.at, { ... } } end
    add("At a node MTBF of 100 years checkpoints on demand alone waste less than hourly ones",
      demand_less(store, log, years[#years], "demand", "hourly"))
    add("At a node MTBF of 1 year they waste more", demand_less(store, log, 1, "hourly", "demand"))
    add("At a node MTBF of 1 year Young's period wastes less than checkpoints on demand alone",
      demand_less(store, log, 1, "young", "demand"))
    add("Young's period never wastes more (here: by 0.005 of the processor time in use)",
      table.unpack(lists.map(years, function(one)
        return demand_less(store, log, one, "young", "demand", 0.005)
      end)))
  end
  list.where = "after Oliner, Rudolph and Sahoo 2006 (ICS)"
  return list
end

-- --- warnings -----------------------------------------------------------------------------------

-- At one place, or at each: one way wastes less than another; a way is { recall, precision,
-- reaction }.
local function warned_less(store, a, b, places)
  local function name(one)
    return ("%s (recall %g, precision %g)"):format(one[3], one[1], one[2])
  end
  return verdict.each(places or paper.announced, function(place)
    return verdict.less(("%s: %s less %s"):format(place.at, name(a), name(b)),
      store:warned(place, table.unpack(a)), store:warned(place, table.unpack(b)))
  end)
end

-- The gain is at least half of the gain with announcements of precision 1, scenario by scenario.
local function half_gain(store, recall)
  return verdict.each(paper.announced, function(place)
    local none = store:warned(place, recall, 1, "none")
    local half = store:warned(place, recall, 0.5, "young")
    local whole = store:warned(place, recall, 1, "young")
    return none and verdict.part(("%s: gain at 0.5 less half of that at 1"):format(place.at),
      lists.map(none, function(waste, i)
        return (waste - half[i]) - (waste - whole[i]) / 2
      end), ">=", 0)
  end)
end

local function warnings(store)
  local recalls = paper.taken(store.plan, paper.recalls)
  local low, most = recalls[1], recalls[#recalls]
  local usual = store.plan.few and most or recalls[2]
  local function wastes_less(recall, precision, reaction)
    return warned_less(store, { recall, precision, reaction }, { recall, precision, "none" })
  end
  return {
    { where = "after Aupy et al. 2014 (JPDC)",
      { ("Announcements of precision 0.5 (recall %g), at which jobs write a checkpoint, lower the "
        .. "waste"):format(usual), wastes_less(usual, 0.5, "young") },
      { "They have at least half of the gain of those that always come true",
        half_gain(store, usual) },
      { ("Recall matters more than precision: less waste at recall %g and precision 0.5 than at "
        .. "recall 0.5 and precision 0.85"):format(usual),
        warned_less(store, { usual, 0.5, "young" }, { low, 0.85, "young" }) },
      { "A longer period, for the failures that are not announced, lowers it further",
        warned_less(store, { usual, 0.5, "longer" }, { usual, 0.5, "young" }) } },
    { where = "after Oliner, Rudolph and Sahoo 2006 (ICS)",
      { "If all failures are announced, checkpoints at warnings alone waste less than Young's "
        .. "period without them, with a precision of 0.5", wastes_less(most, 0.5, "demand") },
      lists.map(store.plan.few and {} or paper.announced, function(place)
        return { ("If a share of %g is, with precision 1, they waste more: %s"):format(usual,
          place.at), warned_less(store, { usual, 1, "none" }, { usual, 1, "demand" }, { place }) }
      end) } }
end

-- --- schedulers ---------------------------------------------------------------------------------

local NAMES = {}
for _, one in ipairs(paper.policies) do NAMES[one.key] = one.name end

-- The ratio of two policies at all points of some axes.
local function ratios(store, axes, a, b, metric, relation, bound)
  return verdict.each(axes, function(axis)
    return verdict.each(paper.taken(store.plan, axis.values), function(value)
      return verdict.ratio(("%s, %s %g: %s over %s"):format(axis.title, axis.x, value, NAMES[a],
        NAMES[b]), cells.divided(store:axis(axis, value, a, metric),
        store:axis(axis, value, b, metric)), relation, bound)
    end)
  end)
end

-- The waste of one policy is no larger than the waste of another plus the slack.
local function wastes(store, axes, a, b, slack)
  return verdict.each(axes, function(axis)
    return verdict.each(paper.taken(store.plan, axis.values), function(value)
      return verdict.no_more(("%s, %s %g: %s less %s"):format(axis.title, axis.x, value, NAMES[a],
        NAMES[b]), store:axis(axis, value, a, "waste"), store:axis(axis, value, b, "waste"), slack)
    end)
  end)
end

local function schedulers(store)
  local mira, others = { paper.axes[1] }, { paper.axes[2], paper.axes[3], paper.axes[4] }
  local all = paper.axes
  return {
    { where = "after Mu'alem and Feitelson 2001",
      { "EASY has a shorter makespan than greedy on Mira's month, with node failures and "
        .. "checkpoints, too", ratios(store, mira, "easy", "greedy", "ratio", "<", 1) },
      { "EASY has no larger mean bounded slowdown than conservative backfilling", ratios(store, all,
        "easy", "conservative", "bsld_mean", "<=", 1) } },
    { where = "not in a paper",
      { "The scheduler does not decide the waste: EASY's and greedy's differ by little (here: by "
        .. "0.01 of the processor time in use)",
        lists.joined(wastes(store, all, "easy", "greedy", 0.01),
          wastes(store, all, "greedy", "easy", 0.01)) } },
    { where = "after Niu et al. 2012 (JSSPP)",
      { "Making room by checkpoints lowers the mean bounded slowdown: checkpoint-aware less than "
        .. "half of EASY + SAF on generated logs",
        ratios(store, others, "aware", "saf", "bsld_mean", "<", 0.5) },
      { "And it is paid for with more waste", wastes(store, others, "saf", "aware", 0) },
      { "On Mira's month it lowers it, too", ratios(store, mira, "aware", "saf", "bsld_mean", "<",
        1) } },
  }
end

-- --- the aware policy ---------------------------------------------------------------------------

-- A ratio whose interval holds together with `count` - 1 others (Bonferroni).
local function one_of_many(label, ratio, count)
  local part = verdict.ratio(label, ratio, "<", 1)
  if not part then return nil end
  function part.estimate(level)
    local s = orrery.summary(part.samples)
    local t = orrery.student_quantile(1 - (1 - level) / (2 * count), s.count - 1)
    local half = s.count > 1 and t * s.sd / math.sqrt(s.count) or math.huge
    return s.mean, s.mean - half, s.mean + half
  end
  return part
end

local function better(store, test, others)
  return verdict.each(others, function(one)
    return one_of_many("checkpoint-aware over " .. one.name, cells.divided(
      store:test(test, paper.aware.name, "bsld_mean"), store:test(test, one.name, "bsld_mean")),
      #others)
  end)
end

local function aware(store)
  local others, list = paper.others(), { where = "dispatch/checkpoint-aware" }
  for _, test in ipairs(paper.tests) do
    list[#list + 1] = { ("It has a smaller mean bounded slowdown than each of the other %d shipped "
      .. "policies and orders (intervals after Bonferroni): %s"):format(#others, test.at),
      better(store, test, others) }
    list[#list + 1] = { ("And than itself with its knowledge blanked: %s"):format(test.at),
      better(store, test, { paper.blanked[1] }) }
    list[#list + 1] = { ("Knowing the failures so far makes it waste less: %s"):format(test.at),
      verdict.each({ paper.blanked[3] }, function(one)
        return verdict.less("checkpoint-aware less " .. one.name,
          store:test(test, paper.aware.name, "waste"), store:test(test, one.name, "waste"))
      end) }
  end
  return list
end

-- Statements about figures that were not drawn have no parts, and are left out.
function statements.of(store)
  return verdict.judge(young(store), weibull(store), seen(store), periods(store), demand(store),
    warnings(store), schedulers(store), aware(store))
end

return statements
