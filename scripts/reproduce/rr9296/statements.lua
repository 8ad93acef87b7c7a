-- statements: the statements of section 5 of RR-9296 about its figures, as comparisons of numbers.
--
-- Where the report gives no number ("similar", "almost flat"), the title gives the number used
-- here. Samples are the sets' means (see plan.lua), two heuristics are compared set by set, and a
-- statement is left out when its subject was not simulated.
local cells = require "orrery.command.cells"
local kinds = require "orrery.command.kinds"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local verdict = require "orrery.command.verdict"

local paper = require "orrery.reproduce.rr9296.plan"
local shelf_ratio = require "orrery.reproduce.rr9296.shelf_ratio"

local statements = {}

local BEST, OTHERS = { "LPT", "LA" }, { "SPT", "HPA", "LPA", "SA", "RANDOM" }
local RESERVING = { "easy", "easy-head", "conservative" }

local each, joined, those = verdict.each, lists.joined, lists.those

-- --- looking up ---------------------------------------------------------------------------------

-- The points of a sweep, and the heuristics simulated there.
local Sweep = {}
Sweep.__index = Sweep

local function along(store, plan, points, unit)
  local function keys_of(wanted) return lists.fields(those(plan.heuristics, wanted), "key") end
  for _, point in ipairs(points) do point.at = ("%s%g"):format(unit, point.x) end
  return setmetatable({ store = store, plan = plan, points = points, unit = unit,
    first = points[1], last = points[#points], keys = lists.fields(plan.heuristics, "key"),
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

-- The points from x = least to most, both included.
function Sweep:from(least, most)
  return those(self.points, function(point) return point.x >= least and point.x <= most end)
end

function Sweep:failing() return those(self.points, function(point) return point.x > 0 end) end

local function mean(samples) return samples and orrery.summary(samples).mean end

-- Among some priorities the one with the least mean: its samples and its name.
function Sweep:best(point, key, priorities)
  local name = lists.least(priorities, function(priority)
    return mean(self:samples(point, key, priority))
  end)
  return name and self:samples(point, key, name), name
end

-- A heuristic with a priority, as a curve (see kinds.lua). name: where the priority is not part of
-- the name.
function Sweep:curve(key, priority, name)
  return { name = name or ("%s, %s"):format(self:name(key), priority),
    samples = function(point) return self:samples(point, key, priority) end }
end

-- The curve with the better of LPT and LA at every point.
function Sweep:best_curve(key)
  return { samples = function(point)
    local samples, priority = self:best(point, key, BEST)
    return samples, ("%s, %s"):format(self:name(key), priority)
  end }
end

-- Curves of several heuristics with LPT, named after the heuristic only.
function Sweep:curves(keys)
  return lists.map(keys, function(key) return self:curve(key, "LPT", self:name(key)) end)
end

-- The point, among some, with the largest mean of a curve (sign = -1: smallest); nil: none.
local function peak(curve, points, sign)
  return lists.least(points, function(point)
    local value = mean(curve.samples(point))
    return value and -(sign or 1) * value
  end)
end

-- --- kinds of comparisons -----------------------------------------------------------------------

-- The largest mean inside the sweep is above both of its ends.
function Sweep:rises_and_falls(curve)
  local at = peak(curve, { table.unpack(self.points, 2, #self.points - 1) })
  if not at then return {} end
  return joined(kinds.rises({ curve }, self.first, at), kinds.rises({ curve }, self.last, at))
end

-- For each heuristic at each of the points: two priorities, chosen by two(key, point), are
-- compared.
--   judge  verdict.less or no_more
function Sweep:priorities(keys, points, judge, two)
  return each(keys, points, function(key, point)
    local a, b = two(key, point)
    return judge(("%s, %s: %s less %s"):format(self:name(key), point.at, a, b),
      self:samples(point, key, a), self:samples(point, key, b))
  end)
end

-- One of two priorities is the best of the seven, at each point: the better of the two against the
-- best of the others.
function Sweep:one_is_best(keys, two, others)
  return self:priorities(keys, self.points, verdict.no_more, function(key, point)
    local _, better = self:best(point, key, two)
    local _, other = self:best(point, key, others)
    return better, other
  end)
end

-- Both of the two are better than all others: the worse of the two against the best of the others.
function Sweep:both_are_best(keys, two, others)
  return self:priorities(keys, self.points, verdict.no_more, function(key, point)
    local _, better = self:best(point, key, two)
    local _, other = self:best(point, key, others)
    return two[better == two[1] and 2 or 1], other
  end)
end

-- Priority `better` is better than `worse`, at each of the points.
function Sweep:priority_better(points, keys, better, worse)
  return self:priorities(keys, points, verdict.less, function() return better, worse end)
end

-- R-LIST-0 with LA is better than every other with the better of LPT and LA.
function Sweep:greedy_is_best(points)
  return kinds.less(lists.map(self.others, function(key)
    return { self:curve("greedy", "LA"), self:best_curve(key) }
  end), points)
end

-- The excess of a curve over its first point, at all other points.
function Sweep:growth(curve, relation, bound)
  return each({ table.unpack(self.points, 2) }, function(point)
    return kinds.growth({ curve }, self.first, point, relation, bound)
  end)
end

-- A heuristic with LPT is at its peak at least 20% above the first point.
function Sweep:peak_is_high(key)
  local curve = self:curve(key, "LPT")
  local at = peak(curve, self.points)
  return at and kinds.growth({ curve }, self.first, at, ">=", 0.2)
end

-- From a point to its peak, a curve rises by a smaller factor than another.
--   from  function(curve): the point
local function rises_less(s, curve, other, from)
  local function rise(of)
    local low, high = from(of), peak(of, s.points)
    return high and low and cells.divided((of.samples(high)), (of.samples(low)))
  end
  return verdict.less(("rise of %s less that of %s"):format(curve.name, other.name), rise(curve),
    rise(other))
end

-- A heuristic with LPT, and R-LIST-0 with LA.
function Sweep:over_greedy(key) return { self:curve(key, "LPT"), self:curve("greedy", "LA") } end

-- --- section 4.3 and figure 1 -------------------------------------------------------------------

local function between(label, value, least, most)
  return verdict.known(label, value, ">=", least), verdict.known(label, value, "<=", most)
end

-- The printed ratios less 1 in hundred-thousandths, so that their digits are seen.
local function printed_ratios(scale, what)
  local unit = 1e5
  return { ("With P = 10 and %s R-SHELF's expected ratio is 1.00005 for λ = 1e-7 and 1.07 for "
    .. "1e-3, to the printed digits"):format(what), each(paper.SHELF_RATIOS, function(one)
      return between(("λ = %g: 100000 times what the ratio is above 1"):format(one.rate),
        unit * (shelf_ratio.of(10, scale, one.rate) - 1), unit * (one.least - 1),
        unit * (one.most - 1))
    end) }
end

local function section_4_3(plan)
  local most = 0
  for _, procs in ipairs(plan.ratio_procs) do
    for _, x in ipairs(plan.rates) do
      most = math.max(most, shelf_ratio.of(procs, procs, x / procs))
    end
  end
  return { where = "4.3",
    printed_ratios(paper.SCALES[1], "jobs of 10/j s, as printed,"),
    printed_ratios(paper.SCALES[2], "jobs of 1000/j s"),
    { ("No expected ratio above 3 was found (here: the jobs of proposition 3, P up to %d)"):format(
      plan.ratio_procs[#plan.ratio_procs]),
      { verdict.known("largest ratio", most, "<=", 3) } },
  }
end

-- The smallest and the largest of of(thing).
local function range(list, of)
  local least, most = math.huge, -math.huge
  for _, one in ipairs(list) do least, most = math.min(least, of(one)), math.max(most, of(one)) end
  return least, most
end

local function figure_1(plan, needs)
  local jobs = {}
  for _, day in ipairs(plan.days) do
    for _, job in day.jobs:each() do jobs[#jobs + 1] = job end
  end
  local function ranges(what, list, of, least, most)
    local low, high = range(list, of)
    return { ("%s are from %d to %d"):format(what, least, most), joined(
      { between(what .. ", least", low, least, least) },
      { between(what .. ", most", high, most, most) }) }
  end
  return { where = "5.1, figure 1", needs = needs,
    { "4699 jobs are submitted on 30 days", joined({ between("jobs", #jobs, 4699, 4699) },
      { between("days", #plan.days, 30, 30) }) },
    ranges("Jobs of a day", plan.days, function(day) return #day.jobs end, 66, 277),
    ranges("Processors of a job", jobs, function(job) return job.procs end, 512, 49152),
    ranges("Runtimes in seconds", jobs, function(job) return job.runtime end, 37, 86494),
  }
end

-- --- figure 2 and 4 (a) -------------------------------------------------------------------------

local KEPT = "The report's program never cancelled a reservation; see the figure of kept "
  .. "reservations."

local function does_not_depend_on_q(s, priority)
  return { ("With shelf heuristics it does not depend on q (here: with %s it stays within 10%% of "
    .. "what it is without failures)"):format(priority), each(s.shelves, function(key)
      local curve = s:curve(key, priority)
      return s:growth(curve, "<=", 0.1), s:growth(curve, ">=", -0.1)
    end) }
end

local function figure_2(s)
  return { where = "5.2, figure 2",
    { "With list heuristics the normalised makespan first rises with q, then falls",
      each(s.lists, paper.priorities, function(...) return s:rises_and_falls(s:curve(...)) end) },
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
      return verdict.less(("%s, %s: R-LIST-0 less %s"):format(point.at, priority, s:name(key)),
        s:samples(point, "greedy", priority), s:samples(point, key, priority))
    end), where = "5.2, figure 2" }
end

local function alike_at_best(s)
  local greedy = { name = "R-LIST-0", samples = function(point)
    return (s:best(point, "greedy", BEST))
  end }
  return kinds.within(lists.map(RESERVING, function(key)
    return { s:best_curve(key), greedy }
  end), s.points, 0.03)
end

local function conservative_is_worst(s, x, share)
  local worst, list, points = s:curve("conservative", "LPT"), {}, s:from(x, x)
  for _, key in ipairs(s.others) do
    if key ~= "conservative" then list[#list + 1] = { s:curve(key, "LPT"), worst } end
  end
  return { ("R-LIST-Q is the worst of all at %s%g, %.0f%% above R-LIST-0 (here: at least %.0f%%)")
    :format(s.unit, x, 100 * share, 100 * share - 6), joined(
      kinds.excess({ s:over_greedy "conservative" }, points, ">=", share - 0.06),
      kinds.less(list, points)), note = KEPT }
end

local function figure_4a(s)
  local shelf = { s:over_greedy "shelf-nofill" }
  local list_keys = those(s.lists, function(key) return key ~= "greedy" end)
  return { where = "5.2, figure 4 (a)",
    { "Without failures most list heuristics are alike (here: within 5%)",
      each(list_keys, function(key)
        return kinds.within({ s:over_greedy(key) }, s:from(0, 0), 0.05)
      end) },
    { "R-LIST-0 with LA is better than all others as soon as jobs fail",
      s:greedy_is_best(s:failing()) },
    { "R-LIST-0 with LA is better than all others at q of 0.3 and more",
      s:greedy_is_best(s:from(0.3, 1)) },
    same_priority(s, "LA"),
    same_priority(s, "LPT"),
    { "All list heuristics are alike at every q when each has the better of LPT and LA and "
      .. "reservations are made anew (here: within 3%)", alike_at_best(s), where = "explanation" },
    { "R-LIST-0 with LA is at most 10% above what it is without failures",
      s:growth(s:curve("greedy", "LA"), "<", 0.1) },
    { "R-LIST-1 and R-LIST-Q rise by 20% to 30% (here: by at least 20% at their peak)",
      each(RESERVING, function(key) return s:peak_is_high(key) end),
      note = "The report's program never cancelled a reservation, which this simulation does at "
        .. "every decision; see the figure of kept reservations." },
    { "R-SHELF-NB is up to about 15% above R-LIST-0 with LA (here: at most 20%)",
      kinds.excess(shelf, s.points, "<=", 0.2) },
    { "R-SHELF-NB is farthest above R-LIST-0, by 15%, at q = 0.9 (here: by at least 10%)",
      kinds.excess(shelf, s:from(0.9, 0.9), ">=", 0.1),
      note = "See the figure of failures that are cut off." },
    { "R-LIST-0 with LA is affected least by failures (here: it rises less to its peak than "
      .. "R-LIST-1 and R-LIST-Q)", each(RESERVING, function(key)
        return rises_less(s, s:curve("greedy", "LA"), s:curve(key, "LPT"), function()
          return s.first
        end)
      end) },
    { "R-SHELF-NB is the worst of all for small and high probabilities (here: at q = 0 and 0.9)",
      kinds.less(lists.map(those(s.others, function(key) return key ~= "shelf-nofill" end),
        function(key) return { s:curve(key, "LPT"), s:curve("shelf-nofill", "LPT") } end),
        joined(s:from(0, 0), s:from(0.9, 0.9))) },
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
        return s:rises_and_falls(s:curve(key, priority))
      end) },
  }
end

-- The largest over the smallest mean of a curve.
local function varies(s, curve, relation, bound)
  local low, high = peak(curve, s.points, -1), peak(curve, s.points)
  return high and kinds.growth({ curve }, low, high, relation, bound) or {}
end

local function figure_4b(s)
  return { where = "5.2, figure 4 (b)",
    { "R-LIST-0 with LA is better than all others at every P", s:greedy_is_best(s.points) },
    { "R-LIST-0 with LA varies by less than 10% with P", varies(s, s:curve("greedy", "LA"), "<",
      0.1) },
    { "R-LIST-Q varies most with P, by about 20% (here: by 10% to 30%)", joined(
      varies(s, s:curve("conservative", "LPT"), ">=", 0.1),
      varies(s, s:curve("conservative", "LPT"), "<=", 0.3),
      each(those(s.others, function(key) return key ~= "conservative" end), function(key)
        return rises_less(s, s:curve(key, "LPT"), s:curve("conservative", "LPT"), function(curve)
          return peak(curve, s.points, -1)
        end)
      end)) },
    conservative_is_worst(s, 15000, 0.23),
  }
end

local function robust(sweeps)
  return { where = "5.2",
    { "With good priorities no heuristic is more than 40% above the lower bound (here: LPT)",
      each(sweeps, sweeps[1].keys, function(s, key)
        local at = peak(s:curve(key, "LPT"), s.points)
        return at and verdict.part(("%s, LPT, at its largest (%g)"):format(s:name(key), at.x),
          s:samples(at, key, "LPT"), "<", 1.4)
      end) },
  }
end

-- --- the log: figures 5 and 6, table 1 ----------------------------------------------------------

local function figure_5(s, needs)
  return { where = "5.3, figures 5, 6", needs = needs,
    { "On the log LPT or LA is the best priority of every heuristic on average",
      s:one_is_best(s.keys, BEST, OTHERS) },
    { "LPT is better than LA without failures",
      s:priority_better(s:from(0, 0), s.keys, "LPT", "LA") },
    { "LPT is better than LA on most days (here: without failures on more than half of them)",
      each(s:from(0, 0), s.keys, function(point, key)
        local a, b = s:samples(point, key, "LPT"), s:samples(point, key, "LA")
        return a and b and verdict.part(("%s, %s: share of days"):format(s:name(key), point.at),
          lists.map(a, function(value, i) return value < b[i] and 1 or 0 end), ">", 0.5)
      end) },
    { "LPT is the best priority of every heuristic on average",
      s:one_is_best(s.keys, { "LPT" }, { "LA", table.unpack(OTHERS) }) },
    { ("At q = %g LPT, LA and HPA are alike (here: LA and HPA at most 5%% above LPT)"):format(
      s.last.x), each(s.keys, { "LA", "HPA" }, function(key, priority)
        return verdict.excess(("%s, %s: %s over LPT"):format(s:name(key), s.last.at, priority),
          cells.divided(s:samples(s.last, key, priority), s:samples(s.last, key, "LPT")), "<=",
          0.05)
      end) },
  }
end

local function table_1(s, needs)
  local curves, with_shelves = s:curves(s.lists), {}
  local others = lists.map(s.others, function(key) return s:curves { "greedy", key } end)
  for _, one in ipairs(curves) do
    for _, shelf in ipairs(s:curves(s.shelves)) do
      with_shelves[#with_shelves + 1] = { one, shelf }
    end
  end
  local function by_points(points, kind, list, relation, bound)
    return each(points, function(point) return kind(list, { point }, relation, bound) end)
  end
  return { where = "5.3, table 1", needs = needs,
    { "On the log list heuristics with LPT are within a few percent of the bound on average (here: "
      .. "below 10%)", by_points(s.points, kinds.values, curves, "<", 1.1) },
    { "Shelf heuristics are worse than list heuristics, without failures too",
      by_points(s.points, kinds.less, with_shelves) },
    { "No day's mean is more than 50% above the bound with a list heuristic",
      each(s.points, s.lists, function(point, key)
        local samples = s:samples(point, key, "LPT")
        return samples and verdict.known(("%s, %s, its largest day"):format(s:name(key), point.at),
          orrery.summary(samples).max, "<", 1.5)
      end) },
    { "No day's mean is more than 80% above the bound with any heuristic",
      each(s.points, s.keys, function(point, key)
        local samples = s:samples(point, key, "LPT")
        return samples and verdict.known(("%s, %s, its largest day"):format(s:name(key), point.at),
          orrery.summary(samples).max, "<", 1.8)
      end) },
    { "With failures R-LIST-0 is no worse than any other heuristic, with LPT",
      by_points(s:failing(), kinds.no_more, others),
      note = "The report's R-LIST-1 and R-LIST-Q never cancelled a reservation." },
    { "R-SHELF-B is the worst of all (here: no better than R-SHELF-NB)",
      kinds.no_more({ s:curves { "shelf-nofill", "shelf" } }, s.points), where = "5.3",
      note = "The report's own table 1 has R-SHELF-NB above R-SHELF-B in every row." },
  }
end

-- --- explanations -------------------------------------------------------------------------------

local function kept(s, log)
  local half, keys = s:from(0.5, 0.5), { "kept-1", "kept-all" }
  local function greedy_is_better(of, key, priority, points)
    return kinds.less({ { of:curve("greedy", priority), of:curve(key, "LPT") } }, points)
  end
  return { where = "explanation",
    { "With reservations that are never cancelled R-LIST-1 and R-LIST-Q rise by 20% and more, and "
      .. "R-LIST-0 is the best", joined(each(keys, function(key)
        return s:peak_is_high(key), greedy_is_better(s, key, "LA", half[1] and s:failing() or {})
      end), kinds.excess({ s:over_greedy "kept-all" }, half, ">=", 0.2)) },
    { "On the log, too, R-LIST-0 is better than R-LIST-1 and R-LIST-Q with reservations that are "
      .. "never cancelled", each(log:failing(), keys, function(point, key)
        return greedy_is_better(log, key, "LPT", { point })
      end) },
  }
end

local function capped(store, plan)
  local last, least = plan.qs[#plan.qs], math.min(table.unpack(plan.caps))
  local function above(cap)
    local s = along(store, plan, paper.over_q(plan, "capped", cap), "q = ")
    return cells.divided(s:samples(s.last, "shelf-nofill", "LPT"),
      s:samples(s.last, "greedy", "LA"))
  end
  return { where = "explanation",
    { ("If no job failed more than %d times, R-SHELF-NB would be more than 10%% above R-LIST-0 at "
      .. "q = %g"):format(least, last), joined(
      { verdict.excess(("q = %g, at most %d failures: R-SHELF-NB over R-LIST-0"):format(last,
        least), above(least), ">=", 0.1) },
      { verdict.less(("q = %g: what it is over R-LIST-0 as drawn, less with at most %d failures")
        :format(last, least), above(nil), above(least)) }) },
  }
end

-- At the largest q one job with its attempts decides the lower bound of most scenarios.
local function bound(store, workload)
  local point = workload[2][#workload[2]]
  return { verdict.part(("%s, q = %g: share of scenarios"):format(workload[1], point.x),
    store:chains(point.cell), ">", 0.5) }
end

local function bounds(store, plan, needs)
  local workloads = paper.bounds(plan)
  return { where = "explanation",
    { "On the log the bound is mostly decided by one job and its attempts (here: at the largest q "
      .. "in more than half of the scenarios)", bound(store, workloads[2]), where = "5.3",
      needs = needs, note = "Where it is not, ratios do not fall to 1 with q." },
    { ("The ratios fall towards high q because one job's attempts decide the bound (here: at q = "
      .. "%g in more than half of the scenarios)"):format(plan.qs[#plan.qs]),
      bound(store, workloads[1]) },
  }
end

-- All statements about the simulated figures, in the order of the report.
function statements.of(store, plan, chosen)
  local q = along(store, plan, paper.over_q(plan, "synthetic"), "q = ")
  local procs = along(store, plan, paper.over_procs(plan), "P = ")
  local log = along(store, plan, paper.over_log(plan, "mira"), "q = ")
  local days = chosen["5"] or chosen["6"]
  local needs = plan.log == paper.BUNDLED
    and "the log of Mira of June 2019 (--log FILE); the bundled month is synthetic" or nil
  return verdict.judge(
    chosen["shelf-ratio"] and section_4_3(plan),
    chosen["1"] and figure_1(plan, needs),
    chosen["2"] and figure_2(q),
    (chosen["2"] or chosen["4"]) and figure_4a(q),
    chosen["3"] and figure_3(procs),
    (chosen["3"] or chosen["4"]) and figure_4b(procs),
    (chosen["4"] or chosen["2"] and chosen["3"]) and robust { q, procs },
    days and figure_5(log, needs),
    (days or chosen["table-1"]) and table_1(log, needs),
    chosen.kept and kept(along(store, plan, paper.over_q(plan, "kept"), "q = "),
      along(store, plan, paper.over_log(plan, "kept"), "q = ")),
    chosen.capped and capped(store, plan),
    chosen.bound and bounds(store, plan, needs))
end

return statements
