-- statements: what section 6 of RR-8795 and section 1.5.5 of the chapter say about their figures,
-- as comparisons of numbers.
--
-- Where the papers give no number ("similar", "around 15%"), the title says which one is taken
-- here. Samples are the runs, two heuristics are compared run by run, and a statement is left out
-- when what it is about was not simulated. Sizes are the papers' usual ones where nothing else is
-- said.
local orrery = require "orrery"
local verdict = require "orrery.command.verdict"

local execution = require "orrery.reproduce.redistribution.execution"
local figures = require "orrery.reproduce.redistribution.figures"
local paper = require "orrery.reproduce.redistribution.plan"

local statements = {}

-- Both readings of ShortestTasksFirst.
local READINGS = { { "stf", "ShortestTasksFirst" }, { "lit", "ShortestTasksFirst (literal)" } }
local ENDS = { { "eg", "EndGreedy" }, { "el", "EndLocal" } }

-- --- looking up ---------------------------------------------------------------------------------

local Context = {}
Context.__index = Context

function statements.context(store, plan)
  return setmetatable({ store = store, plan = plan }, Context)
end

-- The runs' normalised makespans (or other numbers) at a point of a sweep.
function Context:samples(point, key, metric)
  return self.store:get(point.cell, self.plan.by_key[key])[metric or "normalised"]
end

function Context:name(key) return self.plan.by_key[key].name end

-- The sweep of a figure's panel: of the usual sizes, or the i-th.
function Context:sweep(figure, i)
  return figures.of(figure, self.plan).panels[i or 1].sweep
end

-- How much of the range of a sweep each point stands for: the trapezoidal rule.
local function weights_of(sweep)
  local weights, range = {}, sweep[#sweep].x - sweep[1].x
  for i, point in ipairs(sweep) do
    local before, after = sweep[i - 1] or point, sweep[i + 1] or point
    weights[i] = (after.x - before.x) / (2 * range)
  end
  return weights
end

-- Run by run: the mean over the range of a sweep.
local function over_points(c, sweep, key)
  local sums, weights = {}, weights_of(sweep)
  for i, point in ipairs(sweep) do
    for run, value in ipairs(c:samples(point, key)) do
      sums[run] = (sums[run] or 0) + value * weights[i]
    end
  end
  return sums
end

-- How many times faster a run was with redistribution.
local function speedups(samples)
  local list = {}
  for run, value in ipairs(samples) do list[run] = 1 / value end
  return list
end

local function subtracted(a, b)
  local list = {}
  for i, value in ipairs(a) do list[i] = value - b[i] end
  return list
end

local function those(sweep, wanted)
  local list = {}
  for _, point in ipairs(sweep) do
    if wanted(point.x) then list[#list + 1] = point end
  end
  return list
end

-- --- building statements ------------------------------------------------------------------------

local List = {}
List.__index = List

local function add(mode)
  return function(list, title, where, parts, note)
    if #parts == 0 then return end
    list[#list + 1] = verdict[mode](title, where, parts)
    list[#list].note = note
  end
end
List.all, List.any = add "all", add "any"

-- At each point each heuristic's mean compared with the bound. change: of the samples, or nil.
local function values(c, sweep, keys, relation, bound, unit, change)
  local parts = {}
  for _, key in ipairs(keys) do
    for _, point in ipairs(sweep) do
      local samples = c:samples(point, key)
      parts[#parts + 1] = verdict.part(("%s, %s%g"):format(c:name(key), unit, point.x),
        change and change(samples) or samples, relation, bound)
    end
  end
  return parts
end

-- At each point a is less than b, for each of the pairs { a, b }; metric: as Context:samples.
local function less(c, sweep, pairs_of, unit, metric)
  local parts = {}
  for _, pair in ipairs(pairs_of) do
    for _, point in ipairs(sweep) do
      parts[#parts + 1] = verdict.less(("%s%g: %s less %s"):format(unit, point.x, c:name(pair[1]),
        c:name(pair[2])), c:samples(point, pair[1], metric), c:samples(point, pair[2], metric))
    end
  end
  return parts
end

-- Each heuristic gains more at the first point than at the second.
local function gains_more(c, more, than, keys, unit)
  local parts = {}
  for _, key in ipairs(keys) do
    parts[#parts + 1] = verdict.less(("%s: %s%g less %s%g"):format(c:name(key), unit, more.x, unit,
      than.x), c:samples(more, key), c:samples(than, key))
  end
  return parts
end

-- At each point a is at most the slack above b.
local function no_more(c, sweep, a, b, slack, unit)
  local parts = {}
  for i, point in ipairs(sweep) do
    parts[i] = verdict.no_more(("%s%g: %s less %s"):format(unit, point.x, c:name(a), c:name(b)),
      c:samples(point, a), c:samples(point, b), slack)
  end
  return parts
end

local function joined(...)
  local list = {}
  for _, one in ipairs { ... } do table.move(one, 1, #one, #list + 1, list) end
  return list
end

-- Both of the two are within the slack of each other.
local function alike(c, sweep, a, b, slack, unit)
  return joined(no_more(c, sweep, a, b, slack, unit), no_more(c, sweep, b, a, slack, unit))
end

-- The mean over the sweep lies between the two. change: of the samples, or nil.
local function average(c, sweep, keys, low, high, change)
  local parts = {}
  for _, key in ipairs(keys) do
    local samples = over_points(c, sweep, key)
    if change then samples = change(samples) end
    parts[#parts + 1] = verdict.part(c:name(key), samples, ">=", low)
    parts[#parts + 1] = verdict.part(c:name(key), samples, "<=", high)
  end
  return parts
end

local function both_ends(on_fault)
  return { on_fault .. "-eg", on_fault .. "-el" }
end

-- { "ig-eg", "stf-eg" } and { "ig-el", "stf-el" }, or those of other names.
local function pairs_of(a, b)
  local list = {}
  for i, one in ipairs(ENDS) do list[i] = { a .. "-" .. one[1], b .. "-" .. one[1] } end
  return list
end

-- --- without faults -----------------------------------------------------------------------------

local P, N, Y, C, F = "p = ", "n = ", "MTBF ", "c = ", "f = "

local FREE = { "el", "eg" }

local function gain_of_few(c, list, few, where, bound)
  list:all(("Without faults at least 20%% is gained with less than %d processors"):format(bound),
    where, values(c, few, FREE, "<=", 0.8, P))
  list:all(("Measured on the time with redistribution, at least 20%% is gained with less than %d "
    .. "processors"):format(bound), "explanation, " .. where,
    values(c, few, FREE, ">=", 1.2, P, speedups))
end

local function heterogeneous(c, list, figure, title, where, wanted)
  local parts, other = {}, c:sweep(figure, 2)
  for _, key in ipairs(FREE) do
    for i, point in ipairs(c:sweep(figure)) do
      if wanted(point.x) then
        parts[#parts + 1] = verdict.less(("%s, p = %d: heterogeneous less usual"):format(
          c:name(key), point.x), c:samples(other[i], key), c:samples(point, key))
      end
    end
  end
  list:all(title, where, parts)
end

local function fault_free(c, list, figure, where, bound)
  local sweep = c:sweep(figure)
  local last = sweep[#sweep]
  gain_of_few(c, list, those(sweep, function(p) return p < bound end), where, bound)
  list:all("EndLocal and EndGreedy are very similar (here: within 3% of the time without "
    .. "redistribution)", where, alike(c, sweep, "eg", "el", 0.03, P))
  list:all("EndGreedy is slightly better than EndLocal (here: in the mean over p)", where,
    { verdict.less("EndGreedy less EndLocal", over_points(c, sweep, "eg"),
      over_points(c, sweep, "el")) })
  list:all("With more processors less is gained", where, gains_more(c, sweep[1], last, FREE, P))
  list:all(("With many processors nothing is gained (here: at most 5%% at p = %d)"):format(last.x),
    where, values(c, { last }, FREE, ">=", 0.95, P))
  heterogeneous(c, list, figure, "Heterogeneous sizes gain more than the usual ones", where,
    function() return true end)
  heterogeneous(c, list, figure, "They do with few processors (here: at most 4 for each task)",
    "explanation, " .. where, function(p) return p <= 4 * sweep[1].cell.n end)
end

-- --- the number of tasks and of processors ------------------------------------------------------

-- What is said of figures 7 and 8 alike.
local function of_the_pairs(c, list, sweep, where, unit)
  for _, reading in ipairs(READINGS) do
    list:all(("IteratedGreedy is better than %s"):format(reading[2]), where,
      less(c, sweep, pairs_of("ig", reading[1]), unit))
  end
  list:all("EndGreedy does not improve IteratedGreedy (here: by no more than 1%)", where,
    no_more(c, sweep, "ig-el", "ig-eg", 0.01, unit))
  for _, reading in ipairs(READINGS) do
    list:all(("EndGreedy helps %s"):format(reading[2]), where,
      less(c, sweep, { both_ends(reading[1]) }, unit))
  end
end

local ALL = joined(both_ends "ig", both_ends "stf", both_ends "lit")

local function figure_7(c, list)
  local where = "figure 7 (1.5)"
  for i, sizes in ipairs(paper.sizes) do
    local sweep = c:sweep("7", i)
    list:all(("More tasks gain more; sizes: %s"):format(sizes.key), where,
      gains_more(c, sweep[#sweep], sweep[1], ALL, N))
  end
  local sweep = c:sweep "7"
  local last = sweep[#sweep]
  for _, one in ipairs { { "ig", "IteratedGreedy" }, table.unpack(READINGS) } do
    list:all(("With %d tasks more than 40%% is gained by %s"):format(last.x, one[2]), where,
      values(c, { last }, both_ends(one[1]), "<", 0.6, N))
  end
  of_the_pairs(c, list, sweep, where, N)
end

local function figure_8(c, list)
  local where, sweep = "figure 8", c:sweep "8"
  list:all("More processors gain less", where, gains_more(c, sweep[1], sweep[#sweep], ALL, P))
  for _, one in ipairs { { "ig", "IteratedGreedy" }, table.unpack(READINGS) } do
    list:all(("%s gains at least 10%% at every p"):format(one[2]), where,
      values(c, sweep, both_ends(one[1]), "<=", 0.9, P))
  end
  list:all("IteratedGreedy gains 25% in the mean over p (here: 20% to 30%)", where,
    average(c, sweep, both_ends "ig", 0.7, 0.8))
  for _, reading in ipairs(READINGS) do
    list:all(("%s gains around 15%% in the mean over p without EndGreedy (here: 10%% to 20%%)")
      :format(reading[2]), where, average(c, sweep, { reading[1] .. "-el" }, 0.8, 0.9))
  end
  list:all("Measured on the time with redistribution, IteratedGreedy gains 20% to 30% in the mean",
    "explanation, " .. where, average(c, sweep, both_ends "ig", 1.2, 1.3, speedups))
  for _, reading in ipairs(READINGS) do
    list:all(("Measured on the time with redistribution, %s gains 10%% to 20%% without EndGreedy")
      :format(reading[2]), "explanation, " .. where,
      average(c, sweep, { reading[1] .. "-el" }, 1.1, 1.2, speedups))
  end
  of_the_pairs(c, list, sweep, where, P)
end

-- --- one execution ------------------------------------------------------------------------------

-- Of every run the deviation's mean over time, or over the time until a first task ends.
local function deviations(c, key, until_first)
  local list = {}
  for run, steps in ipairs(c.store:steps(figures.execution_cell(c.plan), c.plan.by_key[key])) do
    list[run] = execution.over_time(until_first and execution.until_first_end(steps) or steps, "sd")
  end
  return list
end

local function figure_9(c, list)
  local where, point = "figure 9", { cell = figures.execution_cell(c.plan) }
  for _, reading in ipairs(READINGS) do
    local key, name = reading[1] .. "-el", reading[2]
    list:all(("IteratedGreedy's makespan is clearly better than that of %s, with EndLocal (here: "
      .. "over all runs)"):format(name), where, { verdict.less(("%s less %s"):format(
      c:name "ig-el", c:name(key)), c:samples(point, "ig-el"), c:samples(point, key)) })
    list:all(("Processors deviate more under IteratedGreedy than under %s (here: mean over time, "
      .. "all runs)"):format(name), where, { verdict.less(("%s less %s, processors"):format(
      c:name(key), c:name "ig-el"), deviations(c, key), deviations(c, "ig-el")) })
    list:all(("They do until a first task ends; later few tasks are left (%s)"):format(name),
      "explanation, " .. where, { verdict.less(("%s less %s, processors"):format(c:name(key),
        c:name "ig-el"), deviations(c, key, true), deviations(c, "ig-el", true)) })
  end
end

-- --- MTBF, checkpoints, sequential fraction -----------------------------------------------------

local function at(sweep, x)
  for _, point in ipairs(sweep) do
    if point.x == x then return point end
  end
end

local function low_mtbf(c, list, sweep, where)
  for _, reading in ipairs(READINGS) do
    local name = reading[2]
    list:all(("At an MTBF of 10 years and less %s is better than IteratedGreedy"):format(name),
      where, less(c, those(sweep, function(y) return y <= 10 end), pairs_of(reading[1], "ig"), Y))
    list:all(("Above (here: from 25 years) IteratedGreedy is better than %s"):format(name), where,
      less(c, those(sweep, function(y) return y >= 25 end), pairs_of("ig", reading[1]), Y))
  end
end

local function mtbf(c, list, figure, where)
  local sweep = c:sweep(figure)
  local low, high = at(sweep, 5), sweep[#sweep]
  list:all(("A lower MTBF gains less (here: %d years against %d)"):format(low.x, high.x), where,
    gains_more(c, high, low, ALL, Y))
  local function worse(title, panel, place, wanted)
    list:any("IteratedGreedy is worse than no redistribution at " .. title, place,
      values(c, those(c:sweep(figure, panel), wanted), both_ends "ig", ">", 1, Y))
  end
  local function papers(years) return years >= 5 and years <= 10 end
  worse("a low MTBF, 5 to 10 years", 1, where, papers)
  worse("5 to 10 years with homogeneous sizes", 3, "explanation, " .. where, papers)
  worse("an MTBF below 5 years", 1, "explanation, " .. where, function(y) return y < 5 end)
  low_mtbf(c, list, sweep, where)
end

-- Each heuristic's makespan is shorter at the first point than at the second, in days.
local function shorter(c, first, second)
  local parts = {}
  for _, key in ipairs(joined({ "none" }, ALL)) do
    local function days(point)
      local list = {}
      for run, seconds in ipairs(c:samples(point, key, "makespan")) do
        list[run] = seconds / 86400
      end
      return list
    end
    parts[#parts + 1] = verdict.less(("%s: days at c = %g less at c = %g"):format(c:name(key),
      first.x, second.x), days(first), days(second))
  end
  return parts
end

local function figure_12(c, list)
  local where, sweep = "figure 12 (1.7)", c:sweep "12"
  local low, high = sweep[1], sweep[#sweep]
  list:all("Cheaper checkpoints gain more", where, gains_more(c, low, high, ALL, C))
  list:all("Cheaper checkpoints shorten the makespan itself, also without redistribution",
    "explanation, " .. where, shorter(c, low, high))
  local parts = {}
  for _, key in ipairs(ALL) do
    local function gap(point)
      return subtracted(c:samples(point, key), c:samples(point, "fault-free"))
    end
    parts[#parts + 1] = verdict.less(("%s: gap at c = %g less at c = %g"):format(c:name(key), low.x,
      high.x), gap(low), gap(high))
  end
  list:all("With cheap checkpoints the gap to the time without faults becomes small", where, parts)
end

local function figure_13(c, list)
  local parts, usual, cheap = {}, c:sweep("13", 1), c:sweep("13", 2)
  for _, key in ipairs(ALL) do
    for i, point in ipairs(usual) do
      if point.x >= 5 then
        parts[#parts + 1] = verdict.less(("%s, MTBF %g: c = 0.1 less c = 1"):format(c:name(key),
          point.x), c:samples(cheap[i], key), c:samples(point, key))
      end
    end
  end
  list:all("Cheaper checkpoints gain more at every MTBF", "figure 13", parts)
end

local function figure_14(c, list)
  local sweep = c:sweep "14"
  list:all("More parallel tasks gain more (here: the least f against the greatest)", "figure 14",
    gains_more(c, sweep[1], sweep[#sweep], ALL, F))
  local parts = {}
  for i = 1, #sweep - 1 do
    parts = joined(parts, gains_more(c, sweep[i], sweep[i + 1], ALL, F))
  end
  list:all("More parallel tasks gain more, step by step", "figure 14", parts)
end

-- --- explanations -------------------------------------------------------------------------------

local function alone(c, list)
  for panel, procs in ipairs { c.plan.procs, c.plan.many_procs } do
    local sweep = c:sweep("parts", panel)
    local where = ("explanation, %d processors"):format(procs)
    list:all("As printed, ShortestTasksFirst adds nothing to EndLocal (here: at most 0.5%)", where,
      alike(c, sweep, "lit-el", "el", 0.005, Y))
    list:all("IteratedGreedy moves more tasks than ShortestTasksFirst (here: tasks a run)", where,
      less(c, sweep, { { "stf", "ig" } }, Y, "moves"))
  end
end

-- --- policies beside the papers' ----------------------------------------------------------------

-- No worse than the best of the papers' pairs, which is a different one at different points.
local function others(c, list, figure, where, unit)
  local sweep = c:sweep(figure)
  for _, one in ipairs(c.plan.heuristics) do
    local parts = {}
    for _, point in ipairs(one.other and sweep or {}) do
      local best, least
      for _, key in ipairs(ALL) do
        local mean = orrery.summary(c:samples(point, key)).mean
        if not least or mean < least then best, least = key, mean end
      end
      parts[#parts + 1] = verdict.no_more(("%s%g: %s less %s"):format(unit, point.x, one.name,
        c:name(best)), c:samples(point, one.key), c:samples(point, best), 0.01)
    end
    list:all(("%s is nowhere worse than the best pair (here: by no more than 1%%)"):format(
      one.name), "not in the papers; " .. where, parts)
  end
end

-- All statements about what was simulated, in the order of the report.
function statements.of(store, plan, chosen)
  local c, list = statements.context(store, plan), setmetatable({}, List)
  if chosen["5"] then fault_free(c, list, "5", "figure 5", 500) end
  if chosen["6"] then fault_free(c, list, "6", "figure 6 (1.4)", 4000) end
  if chosen["7"] then figure_7(c, list) end
  if chosen["8"] then figure_8(c, list) end
  if chosen["9"] then figure_9(c, list) end
  if chosen["10"] then mtbf(c, list, "10", "figure 10") end
  if chosen["11"] then mtbf(c, list, "11", "figure 11 (1.6)") end
  if chosen["12"] then figure_12(c, list) end
  if chosen["13"] then figure_13(c, list) end
  if chosen["14"] then figure_14(c, list) end
  if chosen.parts then alone(c, list) end
  if chosen["7"] then others(c, list, "7", "figure 7", N) end
  if chosen["8"] then others(c, list, "8", "figure 8", P) end
  if chosen["10"] then others(c, list, "10", "figure 10", Y) end
  if chosen["11"] then others(c, list, "11", "figure 11", Y) end
  return list
end

return statements
