-- statements: what section 5 of RR-9296 says about its figures, as comparisons of numbers.
--
-- Where the report gives no number ("similar", "almost flat"), the title says which one is taken
-- here. Samples are the sets' means (see cells.lua), two heuristics are compared set by set, and a
-- statement is left out when what it is about was not simulated.
local orrery = require "orrery"
local verdict = require "orrery.command.verdict"

local cells = require "orrery.reproduce.rr9296.cells"
local figures = require "orrery.reproduce.rr9296.figures"
local paper = require "orrery.reproduce.rr9296.plan"

local statements = {}

local OTHERS = { "SPT", "HPA", "LPA", "SA", "RANDOM" } -- than LPT and LA

-- --- looking up ---------------------------------------------------------------------------------

local Context = {}
Context.__index = Context

function statements.context(store, plan)
  return setmetatable({ store = store, plan = plan }, Context)
end

-- The sets' means; nil where they were not simulated.
function Context:samples(cell, key, priority)
  local heuristic = self.plan.by_key[key]
  local numbers = heuristic and self.store:get(cell, heuristic, priority)
  return numbers and numbers.mean
end

function Context:name(key)
  local heuristic = self.plan.by_key[key]
  return heuristic and heuristic.name or key
end

local function mean(samples) return orrery.summary(samples).mean end

-- Of some priorities the one with the least mean: its samples and its name.
function Context:best(cell, key, priorities)
  local best, name
  for _, priority in ipairs(priorities) do
    local samples = self:samples(cell, key, priority)
    if samples and (not best or mean(samples) < mean(best)) then best, name = samples, priority end
  end
  return best, name
end

-- How much more b is than a, as a share, set by set.
local function excess(a, b)
  local relative = {}
  for i, value in ipairs(b) do relative[i] = value / a[i] - 1 end
  return relative
end

-- Where the mean is largest, over a sweep: the point and its samples.
function Context:peak(sweep, key, priority)
  local at, most
  for _, point in ipairs(sweep) do
    local samples = self:samples(point.cell, key, priority)
    if samples and (not most or mean(samples) > mean(most)) then at, most = point, samples end
  end
  return at, most
end

-- --- building statements ------------------------------------------------------------------------

local Parts = {}
Parts.__index = Parts

local function parts() return setmetatable({}, Parts) end

-- Adds less(a, b), where both were simulated.
function Parts:less(label, a, b)
  if a and b then self[#self + 1] = verdict.less(label, a, b) end
end

function Parts:no_more(label, a, b)
  if a and b then self[#self + 1] = verdict.no_more(label, a, b) end
end

function Parts:excess(label, a, b, relation, bound)
  if a and b then self[#self + 1] = verdict.part(label, excess(a, b), relation, bound) end
end

function Parts:value(label, samples, relation, bound)
  if samples then self[#self + 1] = verdict.part(label, samples, relation, bound) end
end

local List = {}
List.__index = List

function List:all(title, where, some, note)
  if #some == 0 then return end
  self[#self + 1] = verdict.all(title, where, { table.unpack(some) })
  self[#self].note = note
end

-- --- along q or P -------------------------------------------------------------------------------

-- The largest mean inside the sweep is above both of its ends.
local function rises_and_falls(c, some, sweep, key, priority, unit)
  local at, most = c:peak({ table.unpack(sweep, 2, #sweep - 1) }, key, priority)
  if not at then return end
  local function add(other)
    some:less(("%s, %s: %s%g less %s%g"):format(c:name(key), priority, unit, other.x, unit, at.x),
      c:samples(other.cell, key, priority), most)
  end
  add(sweep[1])
  add(sweep[#sweep])
end

local function list_keys(c, list)
  local keys = {}
  for _, heuristic in ipairs(c.plan.heuristics) do
    if (heuristic.list or false) == list then keys[#keys + 1] = heuristic.key end
  end
  return keys
end

local function all_keys(c)
  local keys = {}
  for i, heuristic in ipairs(c.plan.heuristics) do keys[i] = heuristic.key end
  return keys
end

-- One of the two is the best of the seven, at each point: the better of the two against the best of
-- the others.
local function two_are_best(c, some, sweep, keys, two, others, unit)
  for _, key in ipairs(keys) do
    for _, point in ipairs(sweep) do
      local a, name = c:best(point.cell, key, two)
      local b, other = c:best(point.cell, key, others)
      if a and b then
        some:no_more(("%s, %s%g: %s less %s"):format(c:name(key), unit, point.x, name, other), a, b)
      end
    end
  end
end

-- Both of the two are better than all others: the worse of the two against the best of the others.
local function both_are_best(c, some, sweep, keys, two, others, unit)
  for _, key in ipairs(keys) do
    for _, point in ipairs(sweep) do
      local _, better = c:best(point.cell, key, two)
      local worse = two[better == two[1] and 2 or 1]
      local a = c:samples(point.cell, key, worse)
      local b, other = c:best(point.cell, key, others)
      if a and b then
        some:no_more(("%s, %s%g: %s less %s"):format(c:name(key), unit, point.x, worse, other),
          a, b)
      end
    end
  end
end

-- Priority `better` is better than `worse`, at each point that `which` takes.
local function priority_better(c, some, sweep, keys, better, worse, unit, which)
  for _, key in ipairs(keys) do
    for _, point in ipairs(sweep) do
      if not which or which(point.x) then
        some:less(("%s, %s%g: %s less %s"):format(c:name(key), unit, point.x, better, worse),
          c:samples(point.cell, key, better), c:samples(point.cell, key, worse))
      end
    end
  end
end

-- The heuristic with LA is better than every other with the better of LPT and LA.
local function greedy_best(c, some, sweep, unit, which)
  for _, key in ipairs(all_keys(c)) do
    for _, point in ipairs(sweep) do
      if key ~= "greedy" and (not which or which(point.x)) then
        local other, priority = c:best(point.cell, key, { "LPT", "LA" })
        if other then
          some:less(("%s%g: R-LIST-0, LA less %s, %s"):format(unit, point.x, c:name(key), priority),
            c:samples(point.cell, "greedy", "LA"), other)
        end
      end
    end
  end
end

-- At each point, how much the heuristic is above the sweep's first point, as a share.
local function growth(c, some, sweep, key, priority, relation, bound, unit)
  local first = c:samples(sweep[1].cell, key, priority)
  for i, point in ipairs(sweep) do
    if i > 1 then
      some:excess(("%s, %s: %s%g over %s%g"):format(c:name(key), priority, unit, point.x, unit,
        sweep[1].x), first, c:samples(point.cell, key, priority), relation, bound)
    end
  end
end

-- The largest over the smallest mean of a sweep.
local function variation(c, some, sweep, key, priority, relation, bound, unit)
  local at, most = c:peak(sweep, key, priority)
  local low, least
  for _, point in ipairs(sweep) do
    local samples = c:samples(point.cell, key, priority)
    if samples and (not least or mean(samples) < mean(least)) then low, least = point, samples end
  end
  if not at then return end
  some:excess(("%s, %s: %s%g over %s%g"):format(c:name(key), priority, unit, at.x, unit, low.x),
    least, most, relation, bound)
end

-- --- figure 2 and 4 (a) -------------------------------------------------------------------------

local Q = "q = "

local function figure_2_lists(c, list, sweep, lists)
  local some = parts()
  for _, key in ipairs(lists) do
    for _, priority in ipairs(paper.priorities) do
      rises_and_falls(c, some, sweep, key, priority, Q)
    end
  end
  list:all("With list heuristics the normalised makespan first rises with q, then falls",
    "5.2, figure 2", some)
  some = parts()
  two_are_best(c, some, sweep, lists, { "LPT", "LA" }, OTHERS, Q)
  list:all("LPT or LA is the best priority of every list heuristic", "5.2, figure 2", some)
  some = parts()
  both_are_best(c, some, sweep, lists, { "LPT", "LA" }, OTHERS, Q)
  list:all("LPT and LA are the two best priorities of every list heuristic", "5.2, figure 2", some)
  some = parts()
  priority_better(c, some, sweep, { "easy", "easy-head", "conservative" }, "LPT", "LA", Q,
    function(q) return q <= 0.2 end)
  list:all("LPT is better than LA for R-LIST-1 and R-LIST-Q at low q (here: up to 0.2)",
    "5.2, figure 2", some)
  some = parts()
  priority_better(c, some, sweep, { "greedy" }, "LA", "LPT", Q)
  list:all("LA is better than LPT for R-LIST-0 at every q", "5.2, figure 2", some)
end

local function figure_2_shelves(c, list, sweep, shelves)
  for _, priority in ipairs { "LPT", "SPT" } do
    local some = parts()
    for _, key in ipairs(shelves) do
      growth(c, some, sweep, key, priority, "<=", 0.1, Q)
      growth(c, some, sweep, key, priority, ">=", -0.1, Q)
    end
    list:all(("With shelf heuristics it does not depend on q (here: with %s it stays within 10%% "
      .. "of what it is without failures)"):format(priority), "5.2, figure 2", some)
  end
  local some = parts()
  both_are_best(c, some, sweep, shelves, { "LPT", "SPT" },
    { "HPA", "LPA", "LA", "SA", "RANDOM" }, Q)
  list:all("LPT and SPT are the two best priorities of the shelf heuristics", "5.2, figure 2", some)
end

local function figure_2(c, list)
  local sweep = figures.sweep_q(c.plan)
  figure_2_lists(c, list, sweep, list_keys(c, true))
  figure_2_shelves(c, list, sweep, list_keys(c, false))
end

local function similar_without_failures(c, list, sweep)
  if sweep[1].x ~= 0 then return end
  local some, base = parts(), c:samples(sweep[1].cell, "greedy", "LA")
  for _, key in ipairs(list_keys(c, true)) do
    for _, bound in ipairs { { "<=", 0.05 }, { ">=", -0.05 } } do
      if key ~= "greedy" then
        some:excess(("q = 0: %s, LPT over R-LIST-0, LA"):format(c:name(key)), base,
          c:samples(sweep[1].cell, key, "LPT"), bound[1], bound[2])
      end
    end
  end
  list:all("Without failures most list heuristics are alike (here: within 5%)", "5.2, figure 4 (a)",
    some)
end

-- The heuristics side by side, each with the same priority, and each with its better one.
local function side_by_side(c, list, sweep)
  for _, priority in ipairs { "LA", "LPT" } do
    local some = parts()
    for _, key in ipairs { "easy", "easy-head", "conservative" } do
      for _, point in ipairs(sweep) do
        if point.x > 0 then
          some:less(("q = %g, %s: R-LIST-0 less %s"):format(point.x, priority, c:name(key)),
            c:samples(point.cell, "greedy", priority), c:samples(point.cell, key, priority))
        end
      end
    end
    list:all(("R-LIST-0 is better than R-LIST-1 and R-LIST-Q with the same priority, %s, as soon "
      .. "as jobs fail"):format(priority), "5.2, figure 2", some)
  end
  local some = parts()
  for _, key in ipairs { "easy", "easy-head", "conservative" } do
    for _, point in ipairs(sweep) do
      local base = c:best(point.cell, "greedy", { "LPT", "LA" })
      local other, priority = c:best(point.cell, key, { "LPT", "LA" })
      for _, bound in ipairs { { "<=", 0.03 }, { ">=", -0.03 } } do
        some:excess(("q = %g: %s, %s over R-LIST-0"):format(point.x, c:name(key),
          priority or "?"), base, other, bound[1], bound[2])
      end
    end
  end
  list:all("All list heuristics are alike at every q when each has the better of LPT and LA and "
    .. "reservations are made anew (here: within 3%)", "explanation", some)
end

local function increases(c, list, sweep)
  local some = parts()
  growth(c, some, sweep, "greedy", "LA", "<", 0.1, Q)
  list:all("R-LIST-0 with LA is at most 10% above what it is without failures",
    "5.2, figure 4 (a)", some)
  some = parts()
  local first = sweep[1].cell
  for _, key in ipairs { "easy", "easy-head", "conservative" } do
    local at, most = c:peak(sweep, key, "LPT")
    if at then
      some:excess(("%s, LPT: q = %g over q = 0"):format(c:name(key), at.x),
        c:samples(first, key, "LPT"), most, ">=", 0.2)
    end
  end
  list:all("R-LIST-1 and R-LIST-Q rise by 20% to 30% (here: by at least 20% at their peak)",
    "5.2, figure 4 (a)", some, "The report's program never cancelled a reservation, which this "
    .. "simulation does at every decision; see the figure of kept reservations.")
end

local function point_at(sweep, x)
  for _, point in ipairs(sweep) do
    if point.x == x then return point end
  end
end

local function shelves_above(c, list, sweep)
  local some = parts()
  for _, point in ipairs(sweep) do
    some:excess(("q = %g: R-SHELF-NB, LPT over R-LIST-0, LA"):format(point.x),
      c:samples(point.cell, "greedy", "LA"), c:samples(point.cell, "shelf-nofill", "LPT"),
      "<=", 0.2)
  end
  list:all("R-SHELF-NB is up to about 15% above R-LIST-0 with LA (here: at most 20%)",
    "5.2, figure 4 (a)", some)
  some = parts()
  local last = point_at(sweep, 0.9)
  if last then
    some:excess("q = 0.9: R-SHELF-NB, LPT over R-LIST-0, LA",
      c:samples(last.cell, "greedy", "LA"), c:samples(last.cell, "shelf-nofill", "LPT"), ">=", 0.1)
  end
  list:all("R-SHELF-NB is farthest above R-LIST-0, by 15%, at q = 0.9 (here: by at least 10%)",
    "5.2, figure 4 (a)", some, "See the figure of failures that are cut off.")
end

local function conservative_worst(c, list, sweep, x, share, where, unit)
  local point = point_at(sweep, x)
  if not point then return end
  local some, label = parts(), ("%s%g: R-LIST-Q, LPT over R-LIST-0, LA"):format(unit, x)
  some:excess(label, c:samples(point.cell, "greedy", "LA"),
    c:samples(point.cell, "conservative", "LPT"), ">=", share - 0.06)
  for _, key in ipairs(all_keys(c)) do
    if key ~= "conservative" and key ~= "greedy" then
      some:less(("%s%g: %s, LPT less R-LIST-Q, LPT"):format(unit, x, c:name(key)),
        c:samples(point.cell, key, "LPT"), c:samples(point.cell, "conservative", "LPT"))
    end
  end
  if not c.plan.by_key.conservative then return end
  list:all(("R-LIST-Q is the worst of all at %s%g, %.0f%% above R-LIST-0 (here: at least %.0f%%)")
    :format(unit, x, 100 * share, 100 * share - 6), where, some,
    "The report's program never cancelled a reservation; see the figure of kept reservations.")
end

local function figure_4a(c, list)
  local sweep = figures.sweep_q(c.plan)
  similar_without_failures(c, list, sweep)
  local some = parts()
  greedy_best(c, some, sweep, Q, function(q) return q > 0 end)
  list:all("R-LIST-0 with LA is better than all others as soon as jobs fail", "5.2, figure 4 (a)",
    some)
  some = parts()
  greedy_best(c, some, sweep, Q, function(q) return q >= 0.3 end)
  list:all("R-LIST-0 with LA is better than all others at q of 0.3 and more", "5.2, figure 4 (a)",
    some)
  side_by_side(c, list, sweep)
  increases(c, list, sweep)
  shelves_above(c, list, sweep)
  conservative_worst(c, list, sweep, 0.5, 0.26, "5.2, figure 4 (a)", Q)
end

-- --- figure 3 and 4 (b) -------------------------------------------------------------------------

local P = "P = "

local function figure_3(c, list)
  local sweep, keys = figures.sweep_procs(c.plan), all_keys(c)
  local some = parts()
  both_are_best(c, some, sweep, keys, { "LA", "LPT" }, OTHERS, P)
  list:all("LA and LPT are the two best priorities of every heuristic at every P", "5.2, figure 3",
    some)
  some = parts()
  two_are_best(c, some, sweep, keys, { "LA", "LPT" }, OTHERS, P)
  list:all("LA or LPT is the best priority of every heuristic at every P", "5.2, figure 3", some)
  some = parts()
  priority_better(c, some, sweep, { "greedy", "easy", "easy-head" }, "LA", "LPT", P)
  list:all("LA is better than LPT for R-LIST-0 and R-LIST-1 at every P", "5.2, figure 3", some)
  some = parts()
  priority_better(c, some, sweep, { "conservative", "shelf", "shelf-nofill" }, "LPT", "LA", P)
  list:all("LPT is better than LA for R-LIST-Q, R-SHELF-B and R-SHELF-NB at every P",
    "5.2, figure 3", some)
  some = parts()
  for _, key in ipairs(keys) do
    local _, priority = c:best(sweep[1].cell, key, { "LPT", "LA" })
    if priority then rises_and_falls(c, some, sweep, key, priority, P) end
  end
  list:all("The normalised makespan first rises with P, then falls (here: with the better of LPT "
    .. "and LA)", "5.2, figure 3", some)
end

local function figure_4b(c, list)
  local sweep = figures.sweep_procs(c.plan)
  local some = parts()
  greedy_best(c, some, sweep, P)
  list:all("R-LIST-0 with LA is better than all others at every P", "5.2, figure 4 (b)", some)
  some = parts()
  variation(c, some, sweep, "greedy", "LA", "<", 0.1, P)
  list:all("R-LIST-0 with LA varies by less than 10% with P", "5.2, figure 4 (b)", some)
  conservative_worst(c, list, sweep, 15000, 0.23, "5.2, figure 4 (b)", P)
end

local function robust(c, list)
  local some = parts()
  for _, sweep in ipairs { figures.sweep_q(c.plan), figures.sweep_procs(c.plan) } do
    for _, key in ipairs(all_keys(c)) do
      local at, most = c:peak(sweep, key, "LPT")
      if at then
        some:value(("%s, LPT, at its largest (%g)"):format(c:name(key), at.x), most, "<", 1.4)
      end
    end
  end
  list:all("With good priorities no heuristic is more than 40% above the lower bound (here: LPT)",
    "5.2", some)
end

-- --- the log: figures 5 and 6, table 1 ----------------------------------------------------------

local function figure_5(c, list)
  local sweep, keys = figures.sweep_mira(c.plan), all_keys(c)
  local some = parts()
  two_are_best(c, some, sweep, keys, { "LPT", "LA" }, OTHERS, Q)
  list:all("On the log LPT or LA is the best priority of every heuristic on average",
    "5.3, figures 5, 6", some)
  some = parts()
  priority_better(c, some, sweep, keys, "LPT", "LA", Q, function(q) return q == 0 end)
  list:all("LPT is better than LA without failures", "5.3, figures 5, 6", some)
  some = parts()
  two_are_best(c, some, sweep, keys, { "LPT" }, { "LA", table.unpack(OTHERS) }, Q)
  list:all("LPT is the best priority of every heuristic on average", "5.3, figures 5, 6", some)
  some = parts()
  local last = sweep[#sweep]
  for _, key in ipairs(keys) do
    for _, priority in ipairs { "LA", "HPA" } do
      some:excess(("%s, q = %g: %s over LPT"):format(c:name(key), last.x, priority),
        c:samples(last.cell, key, "LPT"), c:samples(last.cell, key, priority), "<=", 0.05)
    end
  end
  list:all(("At q = %g LPT, LA and HPA are alike (here: LA and HPA at most 5%% above LPT)")
    :format(last.x), "5.3, figures 5, 6", some)
end

local function table_1_best(c, list, sweep)
  local some = parts()
  for _, point in ipairs(sweep) do
    for _, key in ipairs(all_keys(c)) do
      if key ~= "greedy" and point.x > 0 then
        some:no_more(("q = %g: R-LIST-0 less %s"):format(point.x, c:name(key)),
          c:samples(point.cell, "greedy", "LPT"), c:samples(point.cell, key, "LPT"))
      end
    end
  end
  list:all("With failures R-LIST-0 is no worse than any other heuristic, with LPT", "5.3, table 1",
    some, "The report's R-LIST-1 and R-LIST-Q never cancelled a reservation.")
  some = parts()
  for _, point in ipairs(sweep) do
    some:no_more(("q = %g: R-SHELF-NB less R-SHELF-B"):format(point.x),
      c:samples(point.cell, "shelf-nofill", "LPT"), c:samples(point.cell, "shelf", "LPT"))
  end
  list:all("R-SHELF-B is the worst of all (here: no better than R-SHELF-NB)", "5.3", some,
    "The report's own table 1 has R-SHELF-NB above R-SHELF-B in every row.")
end

local function table_1(c, list)
  local sweep = figures.sweep_mira(c.plan)
  local some, shelves, most = parts(), parts(), parts()
  for _, point in ipairs(sweep) do
    for _, key in ipairs(list_keys(c, true)) do
      local samples = c:samples(point.cell, key, "LPT")
      some:value(("%s, q = %g"):format(c:name(key), point.x), samples, "<", 1.1)
      if samples then
        most[#most + 1] = verdict.known(("%s, q = %g, its largest day"):format(c:name(key),
          point.x), orrery.summary(samples).max, "<", 1.5)
      end
      for _, shelf in ipairs(list_keys(c, false)) do
        shelves:less(("q = %g: %s less %s"):format(point.x, c:name(key), c:name(shelf)), samples,
          c:samples(point.cell, shelf, "LPT"))
      end
    end
  end
  list:all("On the log list heuristics with LPT are within a few percent of the bound on average "
    .. "(here: below 10%)", "5.3, table 1", some)
  list:all("Shelf heuristics are worse than list heuristics, without failures too", "5.3, table 1",
    shelves)
  list:all("No day's mean is more than 50% above the bound with a list heuristic", "5.3, table 1",
    most)
  table_1_best(c, list, sweep)
end

-- --- explanations -------------------------------------------------------------------------------

local function kept(c, list)
  local sweep = figures.sweep_kept(c.plan)
  local point = point_at(sweep, 0.5)
  local some = parts()
  for _, key in ipairs { "kept-1", "kept-all" } do
    local at, most = c:peak(sweep, key, "LPT")
    if at then
      some:excess(("%s, LPT: q = %g over q = %g"):format(c:name(key), at.x, sweep[1].x),
        c:samples(sweep[1].cell, key, "LPT"), most, ">=", 0.2)
    end
    for _, other in ipairs(point and sweep or {}) do
      if other.x > 0 then
        some:less(("q = %g: R-LIST-0, LA less %s, LPT"):format(other.x, c:name(key)),
          c:samples(other.cell, "greedy", "LA"), c:samples(other.cell, key, "LPT"))
      end
    end
  end
  if point then
    some:excess("q = 0.5: R-LIST-Q (kept), LPT over R-LIST-0, LA",
      c:samples(point.cell, "greedy", "LA"), c:samples(point.cell, "kept-all", "LPT"), ">=", 0.2)
  end
  list:all("With reservations that are never cancelled R-LIST-1 and R-LIST-Q rise by 20% and more, "
    .. "and R-LIST-0 is the best", "explanation", some)
end

local function kept_on_log(c, list)
  local some = parts()
  for _, point in ipairs(figures.sweep_kept_log(c.plan)) do
    for _, key in ipairs { "kept-1", "kept-all" } do
      if point.x > 0 then
        some:less(("q = %g: R-LIST-0, LPT less %s, LPT"):format(point.x, c:name(key)),
          c:samples(point.cell, "greedy", "LPT"), c:samples(point.cell, key, "LPT"))
      end
    end
  end
  list:all("On the log, too, R-LIST-0 is better than R-LIST-1 and R-LIST-Q with reservations that "
    .. "are never cancelled", "explanation", some)
end

local function capped(c, list)
  local last = c.plan.qs[#c.plan.qs]
  local least = math.min(table.unpack(c.plan.caps))
  local function above(cap)
    local cell = cells.capped(last, c.plan.procs, cap)
    local a, b = c:samples(cell, "greedy", "LA"), c:samples(cell, "shelf-nofill", "LPT")
    return a and b and excess(a, b)
  end
  local some = parts()
  some:value(("q = %g, at most %d failures: R-SHELF-NB over R-LIST-0"):format(last, least),
    above(least), ">=", 0.1)
  some:less(("q = %g: what it is over R-LIST-0 as drawn, less with at most %d failures")
    :format(last, least), above(nil), above(least))
  list:all(("If no job failed more than %d times, R-SHELF-NB would be more than 10%% above "
    .. "R-LIST-0 at q = %g"):format(least, last), "explanation", some)
end

local function bound(c, list)
  local workloads = figures.bounds(c.plan)
  local function share(i)
    local point = workloads[i][2][#workloads[i][2]]
    return ("%s, q = %g: share of scenarios"):format(workloads[i][1], point.x),
      c.store:chains(point.cell)
  end
  local some = parts()
  local label, samples = share(2)
  some:value(label, samples, ">", 0.5)
  list:all("On the log the bound is mostly decided by one job and its attempts (here: at the "
    .. "largest q in more than half of the scenarios)", "5.3", some, "Where it is not, ratios do "
    .. "not fall to 1 with q.")
  some = parts()
  label, samples = share(1)
  some:value(label, samples, ">", 0.5)
  list:all(("The ratios fall towards high q because one job's attempts decide the bound (here: at "
    .. "q = %g in more than half of the scenarios)"):format(c.plan.qs[#c.plan.qs]), "explanation",
    some)
end

-- All statements about what was simulated, in the order of the report.
function statements.of(store, plan, chosen)
  local c, list = statements.context(store, plan), setmetatable({}, List)
  if chosen["2"] then figure_2(c, list) end
  if chosen["2"] or chosen["4"] then figure_4a(c, list) end
  if chosen["3"] then figure_3(c, list) end
  if chosen["3"] or chosen["4"] then figure_4b(c, list) end
  if chosen["4"] or chosen["2"] and chosen["3"] then robust(c, list) end
  if chosen["5"] or chosen["6"] then figure_5(c, list) end
  if chosen["5"] or chosen["6"] or chosen["table-1"] then table_1(c, list) end
  if chosen.kept then kept(c, list) end
  if chosen.kept then kept_on_log(c, list) end
  if chosen.capped then capped(c, list) end
  if chosen.bound then bound(c, list) end
  return list
end

return statements
