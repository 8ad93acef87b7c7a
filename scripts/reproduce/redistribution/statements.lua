-- statements: the statements of section 6 of RR-8795 and section 1.5.5 of the chapter about their
-- figures, as comparisons of numbers.
--
-- Where the papers give no number ("similar", "around 15%"), the title gives the number used here.
-- Samples are the runs, two heuristics are compared run by run, and a statement is left out when
-- its subject was not simulated. Sizes are the papers' usual ones by default.
local cells = require "orrery.command.cells"
local kinds = require "orrery.command.kinds"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local verdict = require "orrery.command.verdict"

local figures = require "orrery.reproduce.redistribution.figures"
local paper = require "orrery.reproduce.redistribution.plan"

local statements = {}

local READINGS = { { "stf", "ShortestTasksFirst" }, { "lit", "ShortestTasksFirst (literal)" } }
local ON_FAULT = { { "ig", "IteratedGreedy" }, table.unpack(READINGS) }
local FREE = { "el", "eg" }

local each, joined, those = verdict.each, lists.joined, lists.those

local function both_ends(on_fault) return { on_fault .. "-eg", on_fault .. "-el" } end

local ALL = joined(both_ends "ig", both_ends "stf", both_ends "lit")

-- { "ig-eg", "stf-eg" } and { "ig-el", "stf-el" }, or pairs of other names.
local function pairs_of(a, b)
  return { { a .. "-eg", b .. "-eg" }, { a .. "-el", b .. "-el" } }
end

-- The speedup of every run by redistribution.
local function speedups(samples)
  return lists.map(samples, function(value) return 1 / value end)
end

local function as_they_are(samples) return samples end

local function days(seconds)
  return lists.map(seconds, function(value) return value / 86400 end)
end

-- --- looking up ---------------------------------------------------------------------------------

-- The points of a curve, and the simulations there.
local Sweep = {}
Sweep.__index = Sweep

-- The sweep of a figure's panel: of the usual sizes, or the i-th.
local function along(store, plan, figure, unit, i)
  local points = figures.panels(figure, plan)[i or 1].sweep
  for _, point in ipairs(points) do point.at = ("%s%g"):format(unit, point.x) end
  return setmetatable({ store = store, plan = plan, points = points,
    first = points[1], last = points[#points] }, Sweep)
end

-- The runs' normalised makespans (or other numbers) at a point.
function Sweep:samples(point, key, metric)
  return self.store:get(point.cell, self.plan.by_key[key])[metric or "normalised"]
end

function Sweep:name(key) return self.plan.by_key[key].name end

-- A heuristic as a curve (see kinds.lua). change: of the samples, or nil; metric: as for samples.
function Sweep:curve(key, change, metric)
  return { name = self:name(key), samples = function(point)
    return (change or as_they_are)(self:samples(point, key, metric))
  end }
end

-- The points from x = least to most, both included.
function Sweep:from(least, most)
  return those(self.points, function(point) return point.x >= least and point.x <= most end)
end

-- The share of the range for which each point stands: the trapezoidal rule.
local function weight_of(points, i)
  local before, after = points[i - 1] or points[i], points[i + 1] or points[i]
  return (after.x - before.x) / (2 * (points[#points].x - points[1].x))
end

-- Run by run: the mean over the range.
function Sweep:over_points(key)
  local sums = {}
  for i, point in ipairs(self.points) do
    for run, value in ipairs(self:samples(point, key)) do
      sums[run] = (sums[run] or 0) + value * weight_of(self.points, i)
    end
  end
  return sums
end

-- --- kinds of comparisons -----------------------------------------------------------------------

-- At each of the points each heuristic's mean compared with the bound. change: of the samples;
-- judge: in place of verdict.part.
function Sweep:values(points, keys, relation, bound, change, judge)
  return each(keys, function(key)
    return kinds.values({ self:curve(key, change) }, points, relation, bound, judge)
  end)
end

-- At each of the points a is less than b, for each of the pairs { a, b }; metric: as for samples.
function Sweep:less(points, list, metric)
  return each(list, function(pair)
    return kinds.less({ { self:curve(pair[1], nil, metric), self:curve(pair[2], nil, metric) } },
      points)
  end)
end

-- Each heuristic gains more at the first point than at the second.
function Sweep:gains_more(more, than, keys)
  return each(keys, function(key) return kinds.rises({ self:curve(key) }, more, than) end)
end

-- The mean over the points lies between the two. change: of the samples.
function Sweep:average(keys, low, high, change)
  return each(keys, function(key)
    local samples = (change or as_they_are)(self:over_points(key))
    return verdict.part(self:name(key), samples, ">=", low),
      verdict.part(self:name(key), samples, "<=", high)
  end)
end

-- At each of the points each heuristic is less than at the other sweep's point of the same x.
-- label: a format for the heuristic's name and the x of the point
function Sweep:less_than_in(other, points, keys, label)
  return each(keys, points, function(key, point)
    local same = those(other.points, function(one) return one.x == point.x end)[1]
    return verdict.less(label:format(self:name(key), point.x), self:samples(point, key),
      other:samples(same, key))
  end)
end

-- --- without faults -----------------------------------------------------------------------------

local function fault_free(s, heterogeneous, where, bound)
  local few, last, explanation = s:from(0, bound - 1), s.last, "explanation, " .. where
  local label = "%s, p = %d: heterogeneous less usual"
  return { where = where,
    { ("Without faults at least 20%% is gained with less than %d processors"):format(bound),
      s:values(few, FREE, "<=", 0.8) },
    { ("Measured on the time with redistribution, at least 20%% is gained with less than %d "
      .. "processors"):format(bound), s:values(few, FREE, ">=", 1.2, speedups),
      where = explanation },
    { "EndLocal and EndGreedy are very similar (here: within 3% of the time without "
      .. "redistribution)", kinds.alike(s:curve "eg", s:curve "el", s.points, 0.03) },
    { "EndGreedy is slightly better than EndLocal (here: in the mean over p)",
      { verdict.less("EndGreedy less EndLocal", s:over_points "eg", s:over_points "el") } },
    { "With more processors less is gained", s:gains_more(s.first, last, FREE) },
    { ("With many processors nothing is gained (here: at most 5%% at p = %d)"):format(last.x),
      s:values({ last }, FREE, ">=", 0.95) },
    { "Heterogeneous sizes gain more than the usual ones",
      heterogeneous:less_than_in(s, heterogeneous.points, FREE, label) },
    { "They do with few processors (here: at most 4 for each task)",
      heterogeneous:less_than_in(s, heterogeneous:from(0, 4 * s.first.cell.n), FREE, label),
      where = explanation },
  }
end

-- --- the number of tasks and of processors ------------------------------------------------------

-- The common statements about figures 7 and 8. sizes: their sizes, if not the usual ones.
local function of_the_pairs(s, sizes, where)
  local also = sizes and "; sizes: " .. sizes or ""
  return { where = where,
    lists.map(READINGS, function(reading)
      return { ("IteratedGreedy is better than %s%s"):format(reading[2], also),
        s:less(s.points, pairs_of("ig", reading[1])) }
    end),
    { "EndGreedy does not improve IteratedGreedy (here: by no more than 1%)" .. also,
      kinds.no_more({ { s:curve "ig-el", s:curve "ig-eg" } }, s.points, 0.01) },
    lists.map(READINGS, function(reading)
      return { ("EndGreedy helps %s%s"):format(reading[2], also),
        s:less(s.points, { both_ends(reading[1]) }) }
    end),
  }
end

-- Without faults it is the best case.
local function best_case(s, varied)
  return { where = "section 6.2",
    { ("Over the %s no pair is faster with faults than EndLocal without (here: by more than 1%%)")
      :format(varied), each(ALL, function(key)
        return kinds.no_more({ { s:curve "fault-free", s:curve(key) } }, s.points, 0.01)
      end) },
  }
end

local function figure_7(s, by_sizes)
  return { where = "figure 7 (1.5)",
    lists.map(paper.sizes, function(sizes, i)
      local one = by_sizes(i)
      return { ("More tasks gain more; sizes: %s"):format(sizes.key),
        one:gains_more(one.last, one.first, ALL) }
    end),
    lists.map(ON_FAULT, function(one)
      return { ("With %d tasks more than 40%% is gained by %s"):format(s.last.x, one[2]),
        s:values({ s.last }, both_ends(one[1]), "<", 0.6) }
    end),
    of_the_pairs(s),
    lists.map({ 2, 3 }, function(i)
      return of_the_pairs(by_sizes(i), paper.sizes[i].key, "chapter, section 1.5.5")
    end),
  }
end

local function figure_8(s)
  local explanation = "explanation, figure 8"
  return { where = "figure 8",
    { "More processors gain less", s:gains_more(s.first, s.last, ALL) },
    lists.map(ON_FAULT, function(one)
      return { ("%s gains at least 10%% at every p"):format(one[2]),
        s:values(s.points, both_ends(one[1]), "<=", 0.9) }
    end),
    { "IteratedGreedy gains 25% in the mean over p (here: 20% to 30%)",
      s:average(both_ends "ig", 0.7, 0.8) },
    lists.map(READINGS, function(reading)
      return { ("%s gains around 15%% in the mean over p without EndGreedy (here: 10%% to 20%%)")
        :format(reading[2]), s:average({ reading[1] .. "-el" }, 0.8, 0.9) }
    end),
    { "Measured on the time with redistribution, IteratedGreedy gains 20% to 30% in the mean",
      s:average(both_ends "ig", 1.2, 1.3, speedups), where = explanation },
    lists.map(READINGS, function(reading)
      return { ("Measured on the time with redistribution, %s gains 10%% to 20%% without EndGreedy")
        :format(reading[2]), s:average({ reading[1] .. "-el" }, 1.1, 1.2, speedups),
        where = explanation }
    end),
    of_the_pairs(s),
  }
end

-- --- one execution ------------------------------------------------------------------------------

-- For every run the deviation's mean over time, or over the time until a first task ends.
local function deviations(store, plan, key, until_first)
  return lists.map(store:steps(figures.execution_cell(plan), plan.by_key[key]), function(steps)
    return paper.over_time(until_first and paper.until_first_end(steps) or steps, "sd")
  end)
end

local function figure_9(store, plan)
  local s = setmetatable({ store = store, plan = plan }, Sweep)
  local point = { cell = figures.execution_cell(plan) }
  local function deviates(key, until_first)
    return { verdict.less(("%s less %s, processors"):format(s:name(key), s:name "ig-el"),
      deviations(store, plan, key, until_first), deviations(store, plan, "ig-el", until_first)) }
  end
  return { where = "figure 9", lists.map(READINGS, function(reading)
    local key, name = reading[1] .. "-el", reading[2]
    return {
      { ("IteratedGreedy's makespan is clearly better than that of %s, with EndLocal (here: over "
        .. "all runs)"):format(name), { verdict.less(("%s less %s"):format(s:name "ig-el",
          s:name(key)), s:samples(point, "ig-el"), s:samples(point, key)) } },
      { ("Processors deviate more under IteratedGreedy than under %s (here: mean over time, all "
        .. "runs)"):format(name), deviates(key) },
      { ("They do until a first task ends; later few tasks are left (%s)"):format(name),
        deviates(key, true), where = "explanation, figure 9" },
    }
  end) }
end

-- --- MTBF, checkpoints, sequential fraction -----------------------------------------------------

-- IteratedGreedy is worse than no redistribution at one of the points.
local function worse(s, least, most, title, where)
  return { "IteratedGreedy is worse than no redistribution at " .. title,
    s:values(s:from(least, most), both_ends "ig", ">", 1, nil, verdict.ratio), any = true,
    where = where }
end

local function mtbf(s, homogeneous, where)
  local low, high = s:from(5, 5)[1], s.last
  local explanation = "explanation, " .. where
  return { where = where,
    { ("A lower MTBF gains less (here: %d years against %d)"):format(low.x, high.x),
      s:gains_more(high, low, ALL) },
    worse(s, 5, 10, "a low MTBF, 5 to 10 years"),
    worse(homogeneous, 5, 10, "5 to 10 years with homogeneous sizes", explanation),
    worse(s, 0, 4, "an MTBF below 5 years", explanation),
    lists.map(READINGS, function(reading)
      return {
        { ("At an MTBF of 10 years and less %s is better than IteratedGreedy"):format(reading[2]),
          s:less(s:from(0, 10), pairs_of(reading[1], "ig")) },
        { ("Above (here: from 25 years) IteratedGreedy is better than %s"):format(reading[2]),
          s:less(s:from(25, math.huge), pairs_of("ig", reading[1])) },
      }
    end),
  }
end

-- Each heuristic has less of something at the least c than at the greatest.
--   of  function(point, key): samples
local function less_when_cheap(s, keys, label, of)
  return each(keys, function(key)
    return verdict.less(label:format(s:name(key), s.first.x, s.last.x), of(s.first, key),
      of(s.last, key))
  end)
end

local function figure_12(s)
  return { where = "figure 12 (1.7)",
    { "Cheaper checkpoints gain more", s:gains_more(s.first, s.last, ALL) },
    { "Cheaper checkpoints shorten the makespan itself, also without redistribution",
      less_when_cheap(s, joined({ "none" }, ALL), "%s: days at c = %g less at c = %g",
        function(point, key) return days(s:samples(point, key, "makespan")) end),
      where = "explanation, figure 12 (1.7)" },
    { "With cheap checkpoints the gap to the time without faults becomes small",
      less_when_cheap(s, ALL, "%s: gap at c = %g less at c = %g", function(point, key)
        return cells.less(s:samples(point, key), s:samples(point, "fault-free"))
      end) },
  }
end

local function figure_13(usual, cheap)
  local function gap(s, key)
    local curve, free = s:curve(key), s:curve "fault-free"
    return { name = curve.name, samples = function(point)
      return cells.less(curve.samples(point), free.samples(point))
    end }
  end
  local points = cheap:from(5, math.huge)
  return { where = "figure 13",
    { "Cheaper checkpoints gain more at every MTBF", cheap:less_than_in(usual, points, ALL,
      "%s, MTBF %g: c = 0.1 less c = 1") },
    { "With cheap checkpoints the gap to the time without faults becomes small at every MTBF",
      each(ALL, points, function(key, point)
        local same = those(usual.points, function(one) return one.x == point.x end)[1]
        return verdict.less(("%s, MTBF %g: gap at c = 0.1 less at c = 1"):format(cheap:name(key),
          point.x), gap(cheap, key).samples(point), gap(usual, key).samples(same))
      end) },
  }
end

local function figure_14(s)
  local steps = {}
  for i = 1, #s.points - 1 do
    steps = joined(steps, s:gains_more(s.points[i], s.points[i + 1], ALL))
  end
  return { where = "figure 14",
    { "More parallel tasks gain more (here: the least f against the greatest)",
      s:gains_more(s.first, s.last, ALL) },
    { "More parallel tasks gain more, step by step", steps },
  }
end

-- --- settings, and how long the heuristics take -------------------------------------------------

-- sweeps: with the report's usual sizes
local function settings(sweeps)
  return { where = "section 6.1",
    { "The longest execution without faults takes around 100 days (here: 80 to 120)",
      each(sweeps, function(s)
        local free = { cell = paper.without_faults(s.last.cell) }
        local label = ("days without redistribution, p = %d"):format(free.cell.procs)
        local found = days(s:samples(free, "none", "makespan"))
        return verdict.part(label, found, ">=", 80), verdict.part(label, found, "<=", 120)
      end) },
    { "Several failures strike during an execution (here: at least 2 tasks that are struck)",
      each(sweeps, function(s)
        local usual = those(s.points, function(point) return point.x == 100 end)[1]
        return verdict.part(("faults without redistribution, p = %d"):format(usual.cell.procs),
          s:samples(usual, "none", "faults"), ">=", 2)
      end) },
  }
end

-- The statements about the time of heuristics, and about two failures at once.
local function times(store, plan)
  local timed = figures.timed_cells(plan)
  local function of_all(keys, label, of, relation, bound)
    return each(timed, keys, function(cell, key)
      local one = plan.by_key[key]
      return verdict.part(("%s%s, n = %d, p = %d, MTBF %g"):format(label, one.name, cell.n,
        cell.procs, cell.years), of(store:timed(cell, one)), relation, bound)
    end)
  end
  local function divided(a, b, scale)
    return lists.map(a, function(value, i) return scale * value / math.max(b[i], 1) end)
  end
  return { where = "summary of section 6.2",
    { "All heuristics run within a few seconds (here: a simulation with all its decisions, at most "
      .. "5 s)", of_all(ALL, "s, ", function(found) return found.seconds end, "<=", 5) },
    { "The applications take several days (here: at least 2)",
      of_all(ALL, "days, ", function(found) return days(found.makespan) end, ">=", 2) },
    { "IteratedGreedy-EndGreedy, too, has a negligible overhead (here: at most 100 ms for a day "
      .. "of the application)", of_all({ "ig-eg" }, "ms for a day, ", function(found)
        return divided(found.seconds, found.makespan, 1e3 * 86400)
      end, "<=", 100) },
    { "A failure of the buddy during a recovery has a very low probability (here: at most 1% of "
      .. "the faults)", of_all(ALL, "% of the faults, ", function(found)
        return divided(found.fatal, found.faults, 100)
      end, "<=", 1), where = "chapter, section 1.2.2" },
  }
end

-- --- explanations -------------------------------------------------------------------------------

local function alone(s, procs)
  return { where = ("explanation, %d processors"):format(procs),
    { "As printed, ShortestTasksFirst adds nothing to EndLocal (here: at most 0.5%)",
      kinds.alike(s:curve "lit-el", s:curve "el", s.points, 0.005) },
    { "IteratedGreedy moves more tasks than ShortestTasksFirst (here: tasks a run)",
      s:less(s.points, { { "stf", "ig" } }, "moves") },
  }
end

-- --- policies beside the papers' ----------------------------------------------------------------

local function best_at(s, point)
  return lists.least(ALL, function(key) return orrery.summary(s:samples(point, key)).mean end)
end

-- No worse than the best of the papers' pairs, which is a different one at different points.
local function others(s, where)
  local list = those(s.plan.heuristics, function(one) return one.other end)
  return { where = "not in the papers; " .. where, lists.map(list, function(one)
    return { ("%s is nowhere worse than the best pair (here: by no more than 1%%)"):format(
      one.name), each(s.points, function(point)
        return kinds.no_more({ { s:curve(one.key), s:curve(best_at(s, point)) } }, { point }, 0.01)
      end) }
  end) }
end

-- All statements about the simulated figures, in the order of the report.
function statements.of(store, plan, chosen)
  local function sweep(figure, unit, i) return along(store, plan, figure, unit, i) end
  local n, p, y = sweep("7", "n = "), sweep("8", "p = "), "MTBF "
  local ten, eleven = sweep("10", y), sweep("11", y)
  local usual = joined(chosen["10"] and { ten } or {}, chosen["11"] and { eleven } or {})
  return verdict.judge(
    settings(usual),
    chosen["5"] and fault_free(sweep("5", "p = "), sweep("5", "p = ", 2), "figure 5", 500),
    chosen["6"] and fault_free(sweep("6", "p = "), sweep("6", "p = ", 2), "figure 6 (1.4)", 4000),
    chosen["7"] and figure_7(n, function(i) return sweep("7", "n = ", i) end),
    chosen["8"] and figure_8(p),
    chosen["8"] and best_case(p, "processors"),
    chosen["9"] and figure_9(store, plan),
    chosen["10"] and mtbf(ten, sweep("10", y, 3), "figure 10"),
    chosen["10"] and best_case(ten, "MTBF"),
    chosen["11"] and mtbf(eleven, sweep("11", y, 3), "figure 11 (1.6)"),
    chosen["12"] and figure_12(sweep("12", "c = ")),
    chosen["13"] and figure_13(sweep("13", y), sweep("13", y, 2)),
    chosen["14"] and figure_14(sweep("14", "f = ")),
    chosen.time and times(store, plan),
    chosen.parts and alone(sweep("parts", y), plan.procs),
    chosen.parts and alone(sweep("parts", y, 2), plan.many_procs),
    chosen["7"] and others(n, "figure 7"),
    chosen["8"] and others(p, "figure 8"),
    chosen["10"] and others(ten, "figure 10"),
    chosen["11"] and others(eleven, "figure 11"))
end

return statements
