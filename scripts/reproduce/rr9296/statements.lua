-- statements: what section 5 of RR-9296 says about its figures, as comparisons of numbers.
--
-- Where the report gives no number ("similar", "almost flat"), the title says which one is taken
-- here. Samples are the sets' means (see plan.lua), two heuristics are compared set by set, and a
-- statement is left out when what it is about was not simulated.
local cells = require "orrery.command.cells"
local drawing = require "orrery.command.drawing"
local orrery = require "orrery"
local verdict = require "orrery.command.verdict"

local paper = require "orrery.reproduce.rr9296.plan"

local statements = {}

local BEST, OTHERS = { "LPT", "LA" }, { "SPT", "HPA", "LPA", "SA", "RANDOM" }
local RESERVING = { "easy", "easy-head", "conservative" }

local each, joined, those = verdict.each, drawing.joined, drawing.those
local excess = cells.excess

-- --- looking up ---------------------------------------------------------------------------------

-- The points of a curve, and what was simulated there: of whom, and how a point is called.
local Sweep = {}
Sweep.__index = Sweep

local function along(store, plan, points, unit)
  local function keys_of(wanted) return drawing.fields(those(plan.heuristics, wanted), "key") end
  return setmetatable({ store = store, plan = plan, points = points, unit = unit,
    first = points[1], last = points[#points], keys = drawing.fields(plan.heuristics, "key"),
    others = keys_of(function(one) return one.key ~= "greedy" end),
    lists = keys_of(function(one) return one.list end),
    shelves = keys_of(function(one) return not one.list end) }, Sweep)
end

-- The sets' means; nil where they were not simulated.
function Sweep:samples(point, key, priority)
  local heuristic = self.plan.by_key[key]
  local numbers = heuristic and self.store:get(point.cell, heuristic, priority)
  return numbers and numbers.mean
end

function Sweep:name(key)
  local heuristic = self.plan.by_key[key]
  return heuristic and heuristic.name or key
end

function Sweep:at(point) return ("%s%g"):format(self.unit, point.x) end

-- The points from x = least to most, both included.
function Sweep:from(least, most)
  return those(self.points, function(point) return point.x >= least and point.x <= most end)
end

-- The points where jobs fail.
function Sweep:failing() return those(self.points, function(point) return point.x > 0 end) end

local function mean(samples) return orrery.summary(samples).mean end

-- Of some priorities the one with the least mean: its samples and its name.
function Sweep:best(point, key, priorities)
  local best, name
  for _, priority in ipairs(priorities) do
    local samples = self:samples(point, key, priority)
    if samples and (not best or mean(samples) < mean(best)) then best, name = samples, priority end
  end
  return best, name
end

-- Where the mean is largest (sign = -1: smallest), over some points: the point and its samples.
function Sweep:peak(points, key, priority, sign)
  local at, most
  for _, point in ipairs(points) do
    local samples = self:samples(point, key, priority)
    if samples and (not most or (sign or 1) * (mean(samples) - mean(most)) > 0) then
      at, most = point, samples
    end
  end
  return at, most
end

-- --- kinds of comparisons -----------------------------------------------------------------------

-- The largest mean inside the sweep is above both of its ends.
function Sweep:rises_and_falls(key, priority)
  local at, most = self:peak({ table.unpack(self.points, 2, #self.points - 1) }, key, priority)
  local function above(other)
    return at and verdict.less(("%s, %s: %s less %s"):format(self:name(key), priority,
      self:at(other), self:at(at)), self:samples(other, key, priority), most)
  end
  return above(self.first), above(self.last)
end

function Sweep:priority_no_worse(point, key, name, a, other, b)
  return verdict.no_more(("%s, %s: %s less %s"):format(self:name(key), self:at(point), name, other),
    a, b)
end

-- One of the two is the best of the seven, at each point: the better of the two against the best of
-- the others.
function Sweep:one_is_best(keys, two, others)
  return each(keys, self.points, function(key, point)
    local a, name = self:best(point, key, two)
    local b, other = self:best(point, key, others)
    return self:priority_no_worse(point, key, name, a, other, b)
  end)
end

-- Both of the two are better than all others: the worse of the two against the best of the others.
function Sweep:both_are_best(keys, two, others)
  return each(keys, self.points, function(key, point)
    local _, better = self:best(point, key, two)
    local worse = two[better == two[1] and 2 or 1]
    local b, other = self:best(point, key, others)
    return self:priority_no_worse(point, key, worse, self:samples(point, key, worse), other, b)
  end)
end

-- Priority `better` is better than `worse`, at each of the points.
function Sweep:priority_better(points, keys, better, worse)
  return each(keys, points, function(key, point)
    return verdict.less(("%s, %s: %s less %s"):format(self:name(key), self:at(point), better,
      worse), self:samples(point, key, better), self:samples(point, key, worse))
  end)
end

-- R-LIST-0 with LA is better than every other with the better of LPT and LA.
function Sweep:greedy_is_best(points)
  return each(self.others, points, function(key, point)
    local other, priority = self:best(point, key, BEST)
    return verdict.less(("%s: R-LIST-0, LA less %s, %s"):format(self:at(point), self:name(key),
      priority), self:samples(point, "greedy", "LA"), other)
  end)
end

-- How much a heuristic is at one point (nil: none) above what it is at another, by their samples.
function Sweep:grows(key, priority, point, samples, from, base, relation, bound)
  return point and verdict.part(("%s, %s: %s over %s"):format(self:name(key), priority,
    self:at(point), self:at(from)), excess(base, samples), relation, bound)
end

-- The same, of every point above the first one.
function Sweep:growth(key, priority, relation, bound)
  local base = self:samples(self.first, key, priority)
  return each({ table.unpack(self.points, 2) }, function(point)
    return self:grows(key, priority, point, self:samples(point, key, priority), self.first, base,
      relation, bound)
  end)
end

-- The same, of the highest point, with LPT: at least 20%.
function Sweep:peak_is_high(key)
  local at, most = self:peak(self.points, key, "LPT")
  return self:grows(key, "LPT", at, most, self.first, self:samples(self.first, key, "LPT"), ">=",
    0.2)
end

-- How much a heuristic with LPT is above R-LIST-0 with LA.
function Sweep:over_greedy(point, key, relation, bound, name)
  return verdict.part(("%s: %s, LPT over R-LIST-0, LA"):format(self:at(point),
    name or self:name(key)), excess(self:samples(point, "greedy", "LA"),
    self:samples(point, key, "LPT")), relation, bound)
end

-- Relations and bounds: within plus and minus `share`.
local function both_sides(share) return { { "<=", share }, { ">=", -share } } end

-- --- figure 2 and 4 (a) -------------------------------------------------------------------------

local KEPT = "The report's program never cancelled a reservation; see the figure of kept "
  .. "reservations."

local function does_not_depend_on_q(s, priority)
  return { ("With shelf heuristics it does not depend on q (here: with %s it stays within 10%% of "
    .. "what it is without failures)"):format(priority),
    each(s.shelves, both_sides(0.1), function(key, bound)
      return table.unpack(s:growth(key, priority, bound[1], bound[2]))
    end) }
end

local function figure_2(s)
  return { where = "5.2, figure 2",
    { "With list heuristics the normalised makespan first rises with q, then falls",
      each(s.lists, paper.priorities, function(...) return s:rises_and_falls(...) end) },
    { "LPT or LA is the best priority of every list heuristic",
      s:one_is_best(s.lists, BEST, OTHERS) },
    { "LPT and LA are the two best priorities of every list heuristic",
      s:both_are_best(s.lists, BEST, OTHERS) },
    { "LPT is better than LA for R-LIST-1 and R-LIST-Q at low q (here: up to 0.2)",
      s:priority_better(s:from(0, 0.2), RESERVING, "LPT", "LA") },
    { "LA is better than LPT for R-LIST-0 at every q",
      s:priority_better(s.points, { "greedy" }, "LA", "LPT") },
    does_not_depend_on_q(s, "LPT"),
    does_not_depend_on_q(s, "SPT"),
    { "LPT and SPT are the two best priorities of the shelf heuristics",
      s:both_are_best(s.shelves, { "LPT", "SPT" }, { "HPA", "LPA", "LA", "SA", "RANDOM" }) },
  }
end

local function same_priority(s, priority)
  return { ("R-LIST-0 is better than R-LIST-1 and R-LIST-Q with the same priority, %s, as soon as "
    .. "jobs fail"):format(priority), each(RESERVING, s:failing(), function(key, point)
      return verdict.less(("%s, %s: R-LIST-0 less %s"):format(s:at(point), priority, s:name(key)),
        s:samples(point, "greedy", priority), s:samples(point, key, priority))
    end), where = "5.2, figure 2" }
end

-- At every q each with the better of LPT and LA.
local function alike(s)
  return each(RESERVING, s.points, both_sides(0.03), function(key, point, bound)
    local other, priority = s:best(point, key, BEST)
    return verdict.part(("%s: %s, %s over R-LIST-0"):format(s:at(point), s:name(key), priority),
      excess(s:best(point, "greedy", BEST), other), bound[1], bound[2])
  end)
end

local function conservative_is_worst(s, x, share)
  return { ("R-LIST-Q is the worst of all at %s%g, %.0f%% above R-LIST-0 (here: at least %.0f%%)")
    :format(s.unit, x, 100 * share, 100 * share - 6), each(s:from(x, x), function(point)
      return s:over_greedy(point, "conservative", ">=", share - 0.06), table.unpack(
        each(s.others, function(key)
          return key ~= "conservative" and verdict.less(("%s: %s, LPT less R-LIST-Q, LPT"):format(
            s:at(point), s:name(key)), s:samples(point, key, "LPT"),
            s:samples(point, "conservative", "LPT"))
        end))
    end), note = KEPT }
end

local function figure_4a(s)
  local lists = those(s.lists, function(key) return key ~= "greedy" end)
  return { where = "5.2, figure 4 (a)",
    { "Without failures most list heuristics are alike (here: within 5%)",
      each(lists, both_sides(0.05), s:from(0, 0), function(key, bound, point)
        return s:over_greedy(point, key, bound[1], bound[2])
      end) },
    { "R-LIST-0 with LA is better than all others as soon as jobs fail",
      s:greedy_is_best(s:failing()) },
    { "R-LIST-0 with LA is better than all others at q of 0.3 and more",
      s:greedy_is_best(s:from(0.3, 1)) },
    same_priority(s, "LA"),
    same_priority(s, "LPT"),
    { "All list heuristics are alike at every q when each has the better of LPT and LA and "
      .. "reservations are made anew (here: within 3%)", alike(s), where = "explanation" },
    { "R-LIST-0 with LA is at most 10% above what it is without failures",
      s:growth("greedy", "LA", "<", 0.1) },
    { "R-LIST-1 and R-LIST-Q rise by 20% to 30% (here: by at least 20% at their peak)",
      each(RESERVING, function(key) return s:peak_is_high(key) end),
      note = "The report's program never cancelled a reservation, which this simulation does at "
        .. "every decision; see the figure of kept reservations." },
    { "R-SHELF-NB is up to about 15% above R-LIST-0 with LA (here: at most 20%)",
      each(s.points, function(point)
        return s:over_greedy(point, "shelf-nofill", "<=", 0.2)
      end) },
    { "R-SHELF-NB is farthest above R-LIST-0, by 15%, at q = 0.9 (here: by at least 10%)",
      each(s:from(0.9, 0.9), function(point)
        return s:over_greedy(point, "shelf-nofill", ">=", 0.1)
      end), note = "See the figure of failures that are cut off." },
    conservative_is_worst(s, 0.5, 0.26),
  }
end

-- --- figure 3 and 4 (b) -------------------------------------------------------------------------

local function figure_3(s)
  return { where = "5.2, figure 3",
    { "LA and LPT are the two best priorities of every heuristic at every P",
      s:both_are_best(s.keys, { "LA", "LPT" }, OTHERS) },
    { "LA or LPT is the best priority of every heuristic at every P",
      s:one_is_best(s.keys, { "LA", "LPT" }, OTHERS) },
    { "LA is better than LPT for R-LIST-0 and R-LIST-1 at every P",
      s:priority_better(s.points, { "greedy", "easy", "easy-head" }, "LA", "LPT") },
    { "LPT is better than LA for R-LIST-Q, R-SHELF-B and R-SHELF-NB at every P",
      s:priority_better(s.points, { "conservative", "shelf", "shelf-nofill" }, "LPT", "LA") },
    { "The normalised makespan first rises with P, then falls (here: with the better of LPT and "
      .. "LA)", each(s.keys, function(key)
        local _, priority = s:best(s.first, key, BEST)
        return s:rises_and_falls(key, priority)
      end) },
  }
end

-- The largest over the smallest mean, of R-LIST-0 with LA.
local function varies(s)
  local low, least = s:peak(s.points, "greedy", "LA", -1)
  local at, most = s:peak(s.points, "greedy", "LA")
  return { s:grows("greedy", "LA", at, most, low, least, "<", 0.1) }
end

local function figure_4b(s)
  return { where = "5.2, figure 4 (b)",
    { "R-LIST-0 with LA is better than all others at every P", s:greedy_is_best(s.points) },
    { "R-LIST-0 with LA varies by less than 10% with P", varies(s) },
    conservative_is_worst(s, 15000, 0.23),
  }
end

local function robust(sweeps)
  local keys = sweeps[1].keys
  return { where = "5.2",
    { "With good priorities no heuristic is more than 40% above the lower bound (here: LPT)",
      each(sweeps, keys, function(s, key)
        local at, most = s:peak(s.points, key, "LPT")
        return at and verdict.part(("%s, LPT, at its largest (%g)"):format(s:name(key), at.x),
          most, "<", 1.4)
      end) },
  }
end

-- --- the log: figures 5 and 6, table 1 ----------------------------------------------------------

local function figure_5(s)
  return { where = "5.3, figures 5, 6",
    { "On the log LPT or LA is the best priority of every heuristic on average",
      s:one_is_best(s.keys, BEST, OTHERS) },
    { "LPT is better than LA without failures",
      s:priority_better(s:from(0, 0), s.keys, "LPT", "LA") },
    { "LPT is the best priority of every heuristic on average",
      s:one_is_best(s.keys, { "LPT" }, { "LA", table.unpack(OTHERS) }) },
    { ("At q = %g LPT, LA and HPA are alike (here: LA and HPA at most 5%% above LPT)"):format(
      s.last.x), each(s.keys, { "LA", "HPA" }, function(key, priority)
        return verdict.part(("%s, %s: %s over LPT"):format(s:name(key), s:at(s.last), priority),
          excess(s:samples(s.last, key, "LPT"), s:samples(s.last, key, priority)), "<=", 0.05)
      end) },
  }
end

local function table_1(s)
  -- a part for each point and heuristic of some, with LPT
  local function with_lpt(points, keys, part_of)
    return each(points, keys, function(point, key)
      return part_of(point, key, s:samples(point, key, "LPT"))
    end)
  end
  return { where = "5.3, table 1",
    { "On the log list heuristics with LPT are within a few percent of the bound on average (here: "
      .. "below 10%)", with_lpt(s.points, s.lists, function(point, key, samples)
        return verdict.part(("%s, %s"):format(s:name(key), s:at(point)), samples, "<", 1.1)
      end) },
    { "Shelf heuristics are worse than list heuristics, without failures too",
      each(s.points, s.lists, s.shelves, function(point, key, shelf)
        return verdict.less(("%s: %s less %s"):format(s:at(point), s:name(key), s:name(shelf)),
          s:samples(point, key, "LPT"), s:samples(point, shelf, "LPT"))
      end) },
    { "No day's mean is more than 50% above the bound with a list heuristic",
      with_lpt(s.points, s.lists, function(point, key, samples)
        return samples and verdict.known(("%s, %s, its largest day"):format(s:name(key),
          s:at(point)), orrery.summary(samples).max, "<", 1.5)
      end) },
    { "With failures R-LIST-0 is no worse than any other heuristic, with LPT",
      with_lpt(s:failing(), s.others, function(point, key, samples)
        return verdict.no_more(("%s: R-LIST-0 less %s"):format(s:at(point), s:name(key)),
          s:samples(point, "greedy", "LPT"), samples)
      end), note = "The report's R-LIST-1 and R-LIST-Q never cancelled a reservation." },
    { "R-SHELF-B is the worst of all (here: no better than R-SHELF-NB)",
      with_lpt(s.points, { "shelf" }, function(point, _, samples)
        return verdict.no_more(("%s: R-SHELF-NB less R-SHELF-B"):format(s:at(point)),
          s:samples(point, "shelf-nofill", "LPT"), samples)
      end), where = "5.3",
      note = "The report's own table 1 has R-SHELF-NB above R-SHELF-B in every row." },
  }
end

-- --- explanations -------------------------------------------------------------------------------

local function kept_is_worse(s, keys, points, priority)
  return each(keys, points, function(key, point)
    return verdict.less(("%s: R-LIST-0, %s less %s, LPT"):format(s:at(point), priority,
      s:name(key)), s:samples(point, "greedy", priority), s:samples(point, key, "LPT"))
  end)
end

local function kept(s, log)
  local half, keys = s:from(0.5, 0.5), { "kept-1", "kept-all" }
  local parts = each(keys, function(key)
    return s:peak_is_high(key), table.unpack(kept_is_worse(s, { key }, half[1] and s:failing()
      or {}, "LA"))
  end)
  return { where = "explanation",
    { "With reservations that are never cancelled R-LIST-1 and R-LIST-Q rise by 20% and more, and "
      .. "R-LIST-0 is the best", joined(parts, each(half, function(point)
        return s:over_greedy(point, "kept-all", ">=", 0.2, "R-LIST-Q (kept)")
      end)) },
    { "On the log, too, R-LIST-0 is better than R-LIST-1 and R-LIST-Q with reservations that are "
      .. "never cancelled", each(log:failing(), keys, function(point, key)
        return kept_is_worse(log, { key }, { point }, "LPT")[1]
      end) },
  }
end

local function capped(store, plan)
  local last, least = plan.qs[#plan.qs], math.min(table.unpack(plan.caps))
  local function above(cap)
    local s = along(store, plan, paper.over_q(plan, "capped", cap))
    return excess(s:samples(s.last, "greedy", "LA"), s:samples(s.last, "shelf-nofill", "LPT"))
  end
  return { where = "explanation",
    { ("If no job failed more than %d times, R-SHELF-NB would be more than 10%% above R-LIST-0 at "
      .. "q = %g"):format(least, last), joined(
      { verdict.part(("q = %g, at most %d failures: R-SHELF-NB over R-LIST-0"):format(last, least),
        above(least), ">=", 0.1) },
      { verdict.less(("q = %g: what it is over R-LIST-0 as drawn, less with at most %d failures")
        :format(last, least), above(nil), above(least)) }) },
  }
end

-- The bound of most scenarios is one job with its attempts, at the largest q.
local function bound(store, workload)
  local point = workload[2][#workload[2]]
  return { verdict.part(("%s, q = %g: share of scenarios"):format(workload[1], point.x),
    store:chains(point.cell), ">", 0.5) }
end

local function bounds(store, plan)
  local workloads = paper.bounds(plan)
  return { where = "explanation",
    { "On the log the bound is mostly decided by one job and its attempts (here: at the largest q "
      .. "in more than half of the scenarios)", bound(store, workloads[2]), where = "5.3",
      note = "Where it is not, ratios do not fall to 1 with q." },
    { ("The ratios fall towards high q because one job's attempts decide the bound (here: at q = "
      .. "%g in more than half of the scenarios)"):format(plan.qs[#plan.qs]),
      bound(store, workloads[1]) },
  }
end

-- All statements about what was simulated, in the order of the report.
function statements.of(store, plan, chosen)
  local q = along(store, plan, paper.over_q(plan, "synthetic"), "q = ")
  local procs = along(store, plan, paper.over_procs(plan), "P = ")
  local log = along(store, plan, paper.over_log(plan, "mira"), "q = ")
  local days = chosen["5"] or chosen["6"]
  return verdict.judge(
    chosen["2"] and figure_2(q),
    (chosen["2"] or chosen["4"]) and figure_4a(q),
    chosen["3"] and figure_3(procs),
    (chosen["3"] or chosen["4"]) and figure_4b(procs),
    (chosen["4"] or chosen["2"] and chosen["3"]) and robust { q, procs },
    days and figure_5(log),
    (days or chosen["table-1"]) and table_1(log),
    chosen.kept and kept(along(store, plan, paper.over_q(plan, "kept"), "q = "),
      along(store, plan, paper.over_log(plan, "kept"), "q = ")),
    chosen.capped and capped(store, plan),
    chosen.bound and bounds(store, plan))
end

return statements
