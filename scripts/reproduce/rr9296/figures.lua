-- figures: the contents of each figure and the table of RR-9296, their drawing, and the page.
local cells = require "orrery.command.cells"
local drawing = require "orrery.command.drawing"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local page = require "orrery.command.page"
local reproduction = require "orrery.command.reproduction"

local paper = require "orrery.reproduce.rr9296.plan"
local shelf_ratio = require "orrery.reproduce.rr9296.shelf_ratio"

local figures = {}

local BEST = { "LPT", "LA" }
local RATIO = "Normalised makespan"
local FAILURE = "Mean failure probability of a job"
local PROCESSORS = "Processors"

local draw = {}

-- --- contents ------------------------------------------------------------------------------------

-- The caps of figure "capped", false for no cap.
local function caps_of(plan) return lists.joined(plan.caps, { false }) end

local function all(plan) return plan.heuristics end

local function list_kind(plan)
  return lists.those(plan.heuristics, function(heuristic) return heuristic.list end)
end

local function shelf_kind(plan)
  return lists.those(plan.heuristics, function(heuristic) return not heuristic.list end)
end

-- Those of these heuristics that are not left out.
local function some(...)
  local keys = { ... }
  return function(plan)
    local list = {}
    for _, key in ipairs(keys) do list[#list + 1] = plan.by_key[key] end
    return list
  end
end

local RESERVING = some("greedy", "easy-head", "kept-1", "conservative", "kept-all")

-- For each figure the sweeps, each with its kind of cells, its heuristics, and the priorities.
local SHOWN = {
  ["2"] = { { paper.over_q, "synthetic", all, paper.priorities } },
  ["3"] = { { paper.over_procs, "synthetic", all, paper.priorities } },
  ["4"] = { { paper.over_q, "synthetic", all, BEST },
    { paper.over_procs, "synthetic", all, BEST } },
  ["5"] = { { paper.over_log, "mira", list_kind, paper.priorities } },
  ["6"] = { { paper.over_log, "mira", shelf_kind, paper.priorities } },
  ["table-1"] = { { paper.over_log, "mira", all, { "LPT" } } },
  kept = { { paper.over_q, "kept", RESERVING, BEST },
    { paper.over_log, "kept", RESERVING, { "LPT" } } },
  capped = { { paper.over_q, "capped", some("greedy", "shelf-nofill"), BEST } },
}

-- A list of { sweep, heuristics, priorities }; of figure "capped" one for each cap.
local function shown_of(plan, name)
  local shown = {}
  for _, one in ipairs(SHOWN[name]) do
    for _, cap in ipairs(name == "capped" and caps_of(plan) or { false }) do
      shown[#shown + 1] = { one[1](plan, one[2], cap or nil), one[3](plan), one[4] }
    end
  end
  return shown
end

-- Asks for all that a figure shows.
local function need(store, plan, name)
  for _, heuristic in ipairs(lists.joined(paper.heuristics, paper.kept)) do
    for _, one in ipairs(shown_of(plan, name)) do
      for _, shown in ipairs(one[2]) do
        for _, point in ipairs(shown == heuristic and one[1] or {}) do
          store:need(name, point.cell, heuristic, one[3])
        end
      end
    end
  end
end

-- --- CSV ----------------------------------------------------------------------------------------

local COLUMNS = { "q", "procs", "cap", "heuristic", "priority", "ratio_mean", "ratio_half_width",
  "ratio_sd", "ratio_min", "ratio_max", "failures", "sets", "runs" }
local SET_COLUMNS = { "q", "procs", "cap", "heuristic", "priority", "set", "jobs", "ratio_mean",
  "ratio_sd", "failures", "runs" }

-- A row of a point, and one row for each of its sets; days: the days of the log, or nil.
local function add_rows(rows, sets, row, numbers, days)
  for s, mean in ipairs(numbers.mean) do
    sets[#sets + 1] = setmetatable({ set = days and days[s].day or s,
      jobs = days and #days[s].jobs or 100, ratio_mean = mean, ratio_sd = numbers.sd[s],
      failures = numbers.failures[s], runs = numbers.runs[s] }, { __index = row })
  end
  row.sets = cells.summarise(row, "ratio_", numbers.mean).count
  row.failures = orrery.summary(numbers.failures).mean
  row.runs = math.max(table.unpack(numbers.runs))
  rows[#rows + 1] = row
end

-- Two tables: a row per point of a curve, and one per point and set, from which means, intervals
-- and paired differences can be computed anew.
local function write_tables(store, plan, base, shown)
  local rows, sets = {}, {}
  for _, one in ipairs(shown) do
    for _, heuristic in ipairs(one[2]) do
      for _, point in ipairs(one[1]) do
        for _, priority in ipairs(one[3]) do
          local cell, numbers = point.cell, store:get(point.cell, heuristic, priority)
          add_rows(rows, sets, { q = cell.q, procs = cell.procs or plan.log_procs, cap = cell.cap,
            heuristic = heuristic.name, priority = priority }, numbers,
            not cell.procs and plan.days)
        end
      end
    end
  end
  reproduction.write_table(plan, base, COLUMNS, rows)
  reproduction.write_table(plan, base .. "-sets", SET_COLUMNS, sets)
end

-- --- curves -------------------------------------------------------------------------------------

-- A panel of curves over a sweep.
--   list  of { name, heuristic, priority, sweep = (if it is another one) }
local function panel_of(store, title, x, sweep, list)
  local curves = {}
  for _, one in ipairs(list) do
    curves[one[1]] = lists.map(one.sweep or sweep, function(point)
      return cells.point(point.x, store:get(point.cell, one[2], one[3]).mean)
    end)
  end
  return { title = title, x = x, y = RATIO, curves = curves,
    xstep = x == PROCESSORS and 5000 or nil, xrange = { sweep[1].x, sweep[#sweep].x } }
end

-- A panel of paired differences of such curves from the first; less: its name in the axis label.
local function differences_of(store, title, x, sweep, list, more)
  local named = lists.map(list, function(one) return { name = one[1], of = one } end)
  local panel = drawing.differences({ title = title, x = x,
    xstep = x == PROCESSORS and 5000 or nil, xrange = { sweep[1].x, sweep[#sweep].x } },
    named[1], named, sweep, function(point, one)
      return store:get(point.cell, one.of[2], one.of[3]).mean
    end)
  return lists.merged(panel, more or {})
end

-- The panels, on one scale: up to the largest upper end of an interval, on a round number.
local function on_one_scale(panels, step)
  local _, most = drawing.extent(panels)
  for _, panel in ipairs(panels) do panel.yrange = { 1, math.ceil(most / step) * step } end
  return panels
end

local function sets_title(plan)
  return ("mean and 95%% interval over %d sets of 100 jobs"):format(plan.sets)
end

-- One panel per heuristic, one curve per priority: figures 2 and 3.
local function by_heuristic(store, plan, sweep, x, title)
  local panels, lists_and_shelves = {}, { [true] = {}, [false] = {} }
  for i, heuristic in ipairs(plan.heuristics) do
    local list = lists.map(paper.priorities, function(priority)
      return { priority, heuristic, priority }
    end)
    panels[i] = panel_of(store, heuristic.name, x, sweep, list)
    table.insert(lists_and_shelves[heuristic.list or false], panels[i])
  end
  -- Shelves are far above lists with most priorities: each kind has its own scale.
  for _, kind in pairs(lists_and_shelves) do on_one_scale(kind, 0.1) end
  return { title = ("%s; %s; shelves on a scale of their own"):format(title, sets_title(plan)),
    columns = 3, panel = { 380, 290 }, curves = paper.priorities, panels = panels }
end

draw["2"] = function(store, plan, shown)
  return by_heuristic(store, plan, shown[1][1], FAILURE, ("Figure 2: P = %d"):format(plan.procs))
end

draw["3"] = function(store, plan, shown)
  return by_heuristic(store, plan, shown[1][1], PROCESSORS, ("Figure 3: q = %g"):format(plan.q))
end

-- The curves of figure 4, in the order of the legend.
local BEST_CURVES = { { "greedy", "LA" }, { "greedy", "LPT" }, { "easy", "LA" }, { "easy", "LPT" },
  { "conservative", "LPT" }, { "shelf", "LPT" }, { "shelf-nofill", "LPT" } }

draw["4"] = function(store, plan, shown)
  local list = {}
  for _, one in ipairs(BEST_CURVES) do
    local heuristic = plan.by_key[one[1]]
    if heuristic then
      list[#list + 1] = { heuristic.name .. ", " .. one[2], heuristic, one[2] }
    end
  end
  local at = { ("(a) P = %d"):format(plan.procs), ("(b) q = %g"):format(plan.q) }
  local means, pairs_of = {}, {}
  for i, x in ipairs { FAILURE, PROCESSORS } do
    means[i] = panel_of(store, at[i], x, shown[i][1], list)
    pairs_of[i] = differences_of(store, at[i] .. ", differences", x, shown[i][1], list)
  end
  return { title = "Figure 4: the best priorities; " .. sets_title(plan), columns = 2,
    panel = { 560, 420 }, curves = lists.fields(list, 1),
    panels = lists.joined(on_one_scale(means, 0.05), pairs_of) }
end

-- --- the log ------------------------------------------------------------------------------------

-- A day's mean over its scenarios, with the interval of that mean.
local function day_curve(numbers)
  return lists.map(numbers.mean, function(mean, s)
    local runs = numbers.runs[s]
    return { s, mean, runs > 1 and orrery.student_quantile(0.975, runs - 1) * numbers.sd[s]
      / math.sqrt(runs) or 0 }
  end)
end

local function day_ticks(plan, labels)
  local ticks, step = {}, math.max(1, math.ceil(#plan.days / 40))
  for i = 1, #plan.days, step do ticks[#ticks + 1] = { i, labels(i) } end
  return ticks
end

local function short_day(plan, i)
  local day = tostring(plan.days[i].day)
  return day:match "%-(%d%d)$" or day
end

local function day_panel(store, plan, heuristic, point)
  local curves, failures = {}, nil
  for _, priority in ipairs(paper.priorities) do
    local numbers = store:get(point.cell, heuristic, priority)
    curves[priority], failures = day_curve(numbers), failures or numbers.failures
  end
  return {
    title = ("%s, q = %g"):format(heuristic.name, point.x),
    x = point.x > 0 and "Day (above: its mean number of failures)" or "Day",
    y = RATIO, curves = curves, xrange = { 0.5, #plan.days + 0.5 },
    xticks = day_ticks(plan, function(i) return i % 2 == 1 and short_day(plan, i) or "" end),
    top = point.x > 0 and day_ticks(plan, function(i) return ("%.0f"):format(failures[i]) end),
  }
end

local function by_day(store, plan, shown, title)
  local sweep, columns, panels = shown[1][1], {}, {}
  for x in ipairs(sweep) do columns[x] = {} end
  for i, heuristic in ipairs(shown[1][2]) do
    for x, point in ipairs(sweep) do
      columns[x][i] = day_panel(store, plan, heuristic, point)
      panels[#panels + 1] = columns[x][i]
    end
  end
  for _, column in ipairs(columns) do on_one_scale(column, 0.1) end -- one scale for each q
  return { title = ("%s on the days of %s; mean and 95%% interval over a day's scenarios"):format(
    title, plan.log), columns = #sweep, panel = { 460, 320 }, curves = paper.priorities,
    thin = true, panels = panels }
end

draw["5"] = function(store, plan, shown)
  return by_day(store, plan, shown, "Figure 5: list heuristics")
end

draw["6"] = function(store, plan, shown)
  return by_day(store, plan, shown, "Figure 6: shelf heuristics")
end

-- The points of a sweep side by side: value(samples of a heuristic, samples of the first one) gives
-- { y =, half width = } or nil.
local function over_days(store, plan, sweep, title, value)
  local curves, first = {}, plan.heuristics[1]
  local ticks = lists.map(sweep, function(point, x) return { x, ("%g"):format(point.x) } end)
  for i, heuristic in ipairs(plan.heuristics) do
    local shift, curve = (i - (#plan.heuristics + 1) / 2) * 0.08, {}
    for x, point in ipairs(sweep) do
      local y, half = value(store:get(point.cell, heuristic, "LPT").mean,
        heuristic ~= first and store:get(point.cell, first, "LPT").mean)
      if y then curve[#curve + 1] = { x + shift, y, half } end
    end
    curves[heuristic.name] = curve
  end
  return { title = title, x = FAILURE, y = RATIO, curves = curves, xticks = ticks,
    xrange = { 0.5, #sweep + 0.5 } }
end

local function mean_and_interval(samples)
  local s = orrery.summary(samples)
  return s.mean, s.half_width
end

local function largest(samples) return orrery.summary(samples).max, 0 end

local function difference(samples, others)
  if not others then return nil end
  return mean_and_interval(cells.less(samples, others))
end

draw["table-1"] = function(store, plan, shown)
  local sweep = shown[1][1]
  local panels = on_one_scale({
    over_days(store, plan, sweep, "Mean over the days, 95% interval", mean_and_interval),
    over_days(store, plan, sweep, "Largest day", largest),
  }, 0.1)
  if #plan.heuristics > 1 then
    local name = plan.heuristics[1].name
    panels[3] = lists.merged(over_days(store, plan, sweep, "Differences, day by day", difference),
      { y = ("Less %s, pair by pair"):format(name), line = 0 })
  end
  return { title = ("Table 1: priority LPT, %d days of %s"):format(#plan.days, plan.log),
    columns = #panels, panel = { 480, 400 }, curves = lists.fields(plan.heuristics, "name"),
    lines = false, bars = true, panels = panels }
end

-- Table 1 in the form of the report.
local function table_1(p, store, plan)
  local head, rows = { "q", "failures a day" }, {}
  for _, what in ipairs { { "mean", "mean" }, { "sd", "deviation" }, { "max", "largest day" } } do
    for _, point in ipairs(paper.over_log(plan, "mira")) do
      local row = { ("%g, %s"):format(point.x, what[2]), "" }
      for _, heuristic in ipairs(plan.heuristics) do
        local numbers = store:get(point.cell, heuristic, "LPT")
        local s = orrery.summary(numbers.mean)
        row[2] = ("%.2f"):format(orrery.summary(numbers.failures).mean)
        row[#row + 1] = what[1] == "mean" and page.interval("%.3f", s.mean, s.half_width)
          or ("%.3f"):format(s[what[1]])
      end
      rows[#rows + 1] = row
    end
  end
  p:rows(lists.joined(head, lists.fields(plan.heuristics, "name")), rows)
end

-- --- explanations -------------------------------------------------------------------------------

-- R-LIST-0 with its better priority there, the others with LPT.
draw.kept = function(store, plan, shown)
  local means, pairs_of = {}, {}
  for i, where in ipairs { { ("P = %d, LPT, R-LIST-0 with LA"):format(plan.procs), "LA" },
    { plan.log .. ", LPT", "LPT", { xstep = 0.05 } } } do
    local list = lists.map(shown[i][2], function(heuristic)
      return { heuristic.name, heuristic, heuristic.key == "greedy" and where[2] or "LPT" }
    end)
    means[i] = lists.merged(panel_of(store, where[1], FAILURE, shown[i][1], list), where[3] or {})
    pairs_of[i] = differences_of(store, where[1] .. ", differences", FAILURE, shown[i][1], list,
      where[3])
  end
  return { title = "Reservations that no failure cancels; mean and 95% interval over the sets or "
    .. "days", columns = 2, panel = { 560, 420 }, curves = lists.fields(shown[1][2], "name"),
    panels = lists.joined(on_one_scale(means, 0.05), pairs_of) }
end

-- (second - first) / first, set by set.
local function excess_curve(store, sweep, first, second)
  return lists.map(sweep, function(point)
    local relative = cells.excess(store:get(point.cell, first, "LA").mean,
      store:get(point.cell, second, "LPT").mean)
    return cells.point(point.x, lists.map(relative, function(share) return 100 * share end))
  end)
end

draw.capped = function(store, plan, shown)
  local greedy, shelf = plan.by_key.greedy, plan.by_key["shelf-nofill"]
  if not greedy or not shelf then return nil end
  local first, second, names = {}, {}, {}
  local above = panel_of(store, "R-SHELF-NB over R-LIST-0", FAILURE, shown[1][1], {})
  above.y, above.yrange = "Makespan above (%)", { 0 }
  for i, cap in ipairs(caps_of(plan)) do
    local name, sweep = cap and ("at most %d failures"):format(cap) or "as drawn", shown[i][1]
    names[i], first[i] = name, { name, greedy, "LA", sweep = sweep }
    second[i] = { name, shelf, "LPT", sweep = sweep }
    above.curves[name] = excess_curve(store, sweep, greedy, shelf)
  end
  local panels = on_one_scale({
    panel_of(store, "R-LIST-0, LA", FAILURE, shown[1][1], first),
    panel_of(store, "R-SHELF-NB, LPT", FAILURE, shown[1][1], second),
  }, 0.05)
  return { title = "Failures of a job cut off; " .. sets_title(plan), columns = 3,
    panel = { 400, 340 }, curves = names, panels = lists.joined(panels, { above }) }
end

-- Draws figure "bound", which needs no simulation, and writes its table.
local function write_bound(store, plan, name)
  local rows, panels = {}, {}
  for i, workload in ipairs(paper.bounds(plan)) do
    local points = {}
    for x, point in ipairs(workload[2]) do
      local row = { workload = workload[1], q = point.x, runs = plan.extra_runs }
      local s = cells.summarise(row, "share_", store:chains(point.cell))
      points[x], row.sets = { point.x, 100 * s.mean, 100 * s.half_width }, s.count
      rows[#rows + 1] = row
    end
    local title = i == 1 and ("Synthetic, P = %d"):format(plan.procs) or plan.log
    panels[i] = panel_of(store, title, FAILURE, workload[2], {})
    panels[i].y, panels[i].yrange, panels[i].curves = "Scenarios (%)", { 0, 100 },
      { ["one job"] = points }
    panels[i].xstep = i == 2 and 0.05 or nil
  end
  reproduction.write_table(plan, "figure-" .. name, { "workload", "q", "share_mean",
    "share_half_width", "share_min", "share_max", "sets", "runs" }, rows)
  reproduction.draw(plan, "figure-" .. name, {
    title = "Scenarios whose lower bound one job decides, with all its attempts",
    columns = 2, panel = { 460, 340 }, curves = { "one job" }, panels = panels, legend = false,
  })
end

-- --- without simulation -------------------------------------------------------------------------

-- Figure 1: the log itself.
local function write_log(_, plan, name)
  local days, jobs, counts, points = {}, {}, {}, {}
  for i, day in ipairs(plan.days) do
    days[i], counts[i] = { day = day.day, jobs = #day.jobs }, { i, #day.jobs }
    for _, job in day.jobs:each() do
      jobs[#jobs + 1] = { day = day.day, procs = job.procs, runtime = job.runtime }
      if job.runtime > 0 then points[#points + 1] = { job.procs, job.runtime } end -- on a log axis
    end
  end
  reproduction.write_table(plan, "figure-1", { "day", "jobs" }, days)
  reproduction.write_table(plan, "figure-1-jobs", { "day", "procs", "runtime" }, jobs)
  reproduction.draw(plan, "figure-" .. name, {
    title = ("Figure 1: %d jobs of %s"):format(#jobs, plan.log), columns = 2, panel = { 560, 380 },
    curves = { "a day", "a job" }, lines = false, bars = true, legend = false,
    styles = { ["a job"] = { colour = drawing.RED, mark = 1 } }, panels = {
      { title = "(a) jobs of each day", x = "Day", y = "Jobs", yrange = { 0 },
        xrange = { 0.5, #plan.days + 0.5 }, curves = { ["a day"] = counts },
        xticks = day_ticks(plan, function(i) return i % 2 == 1 and short_day(plan, i) or "" end) },
      { title = "(b) processors and runtimes", x = PROCESSORS, y = "Runtime (s)", logx = true,
        logy = true, curves = { ["a job"] = points } },
    } })
end

local function decades(from, to)
  local ticks = {}
  for k = from, to do ticks[#ticks + 1] = { 10.0 ^ k, ("1e%d"):format(k) } end
  return ticks
end

-- Rates of errors at which the first job takes given multiples of the mean time between errors.
local function over_rate(plan, scale)
  return lists.map(plan.rates, function(x) return x / scale end)
end

-- R-SHELF's expected ratio on the jobs of proposition 3, less 1: at the report's rates for both
-- scales, and for larger P.
local function write_shelf_ratio(_, plan, name)
  local rows, left, right = {}, {}, {}
  local names = lists.map(paper.SCALES, function(scale) return ("t = %g/j s"):format(scale) end)
  local function add(procs, scale, rate)
    local ratio = shelf_ratio.of(procs, scale, rate)
    rows[#rows + 1] = { procs = procs, scale = scale, rate = rate, ratio = ratio }
    return ratio
  end
  for i, scale in ipairs(paper.SCALES) do
    left[names[i]] = lists.map(over_rate(plan, scale), function(rate)
      return { rate, add(10, scale, rate) - 1 }
    end)
  end
  left["the report"] = lists.map(paper.SHELF_RATIOS, function(one)
    return { one.rate, one.printed - 1 }
  end)
  for _, procs in ipairs(plan.ratio_procs) do
    local at = ("P = %d"):format(procs)
    names[#names + 1] = at
    right[at] = lists.map(over_rate(plan, procs), function(rate)
      return { rate * procs, add(procs, procs, rate) }
    end)
  end
  names[#names + 1] = "the report"
  reproduction.write_table(plan, "figure-" .. name, { "procs", "scale", "rate", "ratio" }, rows)
  reproduction.draw(plan, "figure-" .. name, {
    title = "R-SHELF on the jobs of proposition 3: expected makespan over the optimal one",
    columns = 2, panel = { 560, 400 }, curves = names,
    styles = { ["the report"] = { colour = drawing.BLACK, mark = 3, lines = false } }, panels = {
      { title = "P = 10", x = "Rate of errors (1/s)", y = "Ratio less 1", logx = true, logy = true,
        xticks = decades(-7, 0), yticks = decades(-7, -1), curves = left },
      { title = "Job 1 takes P seconds", x = "Rate of errors times P", y = "Ratio", logx = true,
        yrange = { 1 }, curves = right },
    } })
end

-- --- all figures, and the page -------------------------------------------------------------------

local function figure(name, about, picture, base)
  base = base or "figure-" .. name
  return { name, about, picture = picture, base = base, need = need,
    write = function(store, plan)
      local shown = shown_of(plan, name)
      local spec = draw[name](store, plan, shown)
      if not spec then return false end
      write_tables(store, plan, base, shown)
      if #spec.panels == 0 then return false end
      return reproduction.draw(plan, base, spec)
    end }
end

local function nothing() end

figures.names = {
  { "1", "the jobs of the log", picture = "The jobs of the log: of each day, and their sizes",
    need = nothing, write = write_log },
  figure("2", "all heuristics and priorities over q",
    "Normalised makespan of all heuristics and priorities over q"),
  figure("3", "the same over the number of processors",
    "Normalised makespan of all heuristics and priorities over P"),
  figure("4", "the heuristics with their best priorities",
    "The heuristics with their best priorities"),
  figure("5", "list heuristics on the days of a log", "List heuristics on the days of the log"),
  figure("6", "shelf heuristics on the days of a log", "Shelf heuristics on the days of the log"),
  figure("table-1", "means, deviations and maxima over these days",
    "Table 1 as a picture: means and largest days", "table-1"),
  figure("kept", "an explanation: reservations that are never cancelled",
    "R-LIST-1 and R-LIST-Q as defined, and with reservations that no failure cancels"),
  figure("capped", "an explanation: failures that are cut off",
    "R-LIST-0 and R-SHELF-NB where no job fails more than so many times"),
  { "bound", "an explanation: how often one job decides the lower bound",
    picture = "The share of scenarios whose lower bound is one job with all its attempts, mean and "
      .. "95% interval over the sets", need = nothing, write = write_bound },
  { "shelf-ratio", "the expected ratio of R-SHELF in section 4.3",
    picture = "R-SHELF's expected makespan over the optimal one, on the jobs of proposition 3",
    need = nothing, write = write_shelf_ratio },
}
for _, one in ipairs(figures.names) do
  if one[1] == "table-1" then one.below = table_1 end
end

local function opening(p, plan)
  p:opening(plan, ". Synthetic: %d sets of 100 jobs, %d scenarios each. Log: %s, %d days, %d "
    .. "processors, %d scenarios a day, all jobs of a day there at its beginning.", plan.sets,
    plan.runs, plan.log, #plan.days, plan.log_procs, plan.runs)
  p:text("Numbers are makespans over the lower bound of their scenario. The samples of a mean are "
    .. "the sets (the days), each with its mean over the scenarios: scenarios of one set share its "
    .. "jobs and say nothing about other sets. The days of a month are taken as such samples, too; "
    .. "if neighbouring days are alike, their intervals are too narrow. Two heuristics are "
    .. "compared by their paired differences, on the same sets and failures. A comparison holds "
    .. "when its 95%% interval, the one shown, is on the stated side; it does not when an interval "
    .. "that is widened for the number of its statement's comparisons is on the other side. "
    .. "R-LIST-1 reserves for the first job that cannot start, R-LIST-1 (head) for the first job "
    .. "of the queue, started or not.")
end

figures.page = {
  contents = require "orrery.reproduce.rr9296.contents",
  title = "RR-9296, section 5: what the report states and what comes out", opening = opening,
  times = { columns = { "figure", "heuristic" }, each = { "%.0f", 1e6, "microseconds" },
    text = "Processor seconds are those of all threads together. What two figures share is counted "
      .. "for the first; without failures one scenario stands for all where nothing is drawn." },
}

return figures
