-- figures: what each figure and the table of RR-9296 needs, and how it is written.
local csv = require "orrery.command.csv"
local samples = require "orrery.command.cells"
local drawing = require "orrery.command.drawing"
local figure = require("orrery").draw.figure
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local cells = require "orrery.reproduce.rr9296.cells"
local paper = require "orrery.reproduce.rr9296.plan"

local figures = {}

figures.names = {
  { "2", "all heuristics and priorities over q" },
  { "3", "the same over the number of processors" },
  { "4", "the heuristics with their best priorities" },
  { "5", "list heuristics on the days of a log" },
  { "6", "shelf heuristics on the days of a log" },
  { "table-1", "means, deviations and maxima over these days" },
  { "kept", "an explanation: reservations that are never cancelled" },
  { "capped", "an explanation: failures that are cut off" },
  { "bound", "an explanation: how often one job decides the lower bound" },
}

local BEST = { "LPT", "LA" }
local RATIO = "Normalised makespan"
local FAILURE = "Mean failure probability of a job"

-- --- what is needed -----------------------------------------------------------------------------

local function over(values, make)
  local list = {}
  for i, x in ipairs(values) do list[i] = { x = x, cell = make(x) } end
  return list
end

local function over_q(plan, make) return over(plan.qs, make) end

local function sweep_q(plan)
  return over_q(plan, function(q) return cells.synthetic(q, plan.procs) end)
end

local function sweep_procs(plan)
  return over(plan.sizes, function(procs) return cells.synthetic(plan.q, procs) end)
end

local function sweep_mira(plan)
  return over(plan.mira_qs, cells.mira)
end

local function sweep_kept(plan)
  return over_q(plan, function(q) return cells.kept(q, plan.procs) end)
end

local function sweep_kept_log(plan)
  return over(plan.mira_qs, function(q) return cells.kept(q) end)
end

local function sweep_capped(plan, cap)
  return over_q(plan, function(q) return cells.capped(q, plan.procs, cap) end)
end

figures.sweep_q, figures.sweep_procs, figures.sweep_mira = sweep_q, sweep_procs, sweep_mira
figures.sweep_kept, figures.sweep_kept_log = sweep_kept, sweep_kept_log
figures.sweep_capped = sweep_capped

-- The caps of figure "capped", false for none.
function figures.caps(plan)
  local caps = table.move(plan.caps, 1, #plan.caps, 1, {})
  caps[#caps + 1] = false
  return caps
end

local function need_all(store, plan, name, sweep, priorities, which)
  for _, heuristic in ipairs(plan.heuristics) do
    if not which or which(heuristic) then
      for _, point in ipairs(sweep) do store:need(name, point.cell, heuristic, priorities) end
    end
  end
end

local function need_kept(store, plan)
  for _, key in ipairs { "greedy", "easy-head", "conservative", "kept-1", "kept-all" } do
    local heuristic = plan.by_key[key]
    for _, point in ipairs(heuristic and sweep_kept(plan) or {}) do
      store:need("kept", point.cell, heuristic, BEST)
    end
    for _, point in ipairs(heuristic and sweep_kept_log(plan) or {}) do
      store:need("kept", point.cell, heuristic, { "LPT" })
    end
  end
end

local function need_capped(store, plan)
  for _, key in ipairs { "greedy", "shelf-nofill" } do
    for _, cap in ipairs(plan.by_key[key] and figures.caps(plan) or {}) do
      for _, point in ipairs(sweep_capped(plan, cap or nil)) do
        store:need("capped", point.cell, plan.by_key[key], BEST)
      end
    end
  end
end

-- Asks the store for what the chosen figures show.
function figures.need(store, plan, chosen)
  local all = paper.priorities
  if chosen["2"] then need_all(store, plan, "2", sweep_q(plan), all) end
  if chosen["3"] then need_all(store, plan, "3", sweep_procs(plan), all) end
  if chosen["4"] then
    need_all(store, plan, "4", sweep_q(plan), BEST)
    need_all(store, plan, "4", sweep_procs(plan), BEST)
  end
  local function is_list(heuristic) return heuristic.list end
  local function is_shelf(heuristic) return not heuristic.list end
  if chosen["5"] then need_all(store, plan, "5", sweep_mira(plan), all, is_list) end
  if chosen["6"] then need_all(store, plan, "6", sweep_mira(plan), all, is_shelf) end
  if chosen["table-1"] then need_all(store, plan, "table-1", sweep_mira(plan), { "LPT" }) end
  if chosen.kept then need_kept(store, plan) end
  if chosen.capped then need_capped(store, plan) end
end

-- --- CSV ----------------------------------------------------------------------------------------

local COLUMNS = { "q", "procs", "cap", "heuristic", "priority", "ratio_mean", "ratio_half_width",
  "ratio_sd", "ratio_min", "ratio_max", "failures", "sets", "runs" }
local SET_COLUMNS = { "q", "procs", "cap", "heuristic", "priority", "set", "jobs", "ratio_mean",
  "ratio_sd", "failures", "runs" }

local function each(store, plan, sweeps, heuristics, priorities, f)
  for _, sweep in ipairs(sweeps) do
    for _, heuristic in ipairs(heuristics) do
      for _, point in ipairs(sweep) do
        for _, priority in ipairs(priorities) do
          local numbers = store:get(point.cell, heuristic, priority)
          if numbers then
            f({ q = point.cell.q, procs = point.cell.procs or plan.log_procs,
              cap = point.cell.cap, heuristic = heuristic.name, priority = priority }, numbers,
              not point.cell.procs and plan.days)
          end
        end
      end
    end
  end
end

local function summary_row(row, numbers)
  local s = orrery.summary(numbers.mean)
  row.ratio_mean, row.ratio_half_width, row.ratio_sd = s.mean, s.half_width, s.sd
  row.ratio_min, row.ratio_max = s.min, s.max
  row.failures, row.sets = orrery.summary(numbers.failures).mean, s.count
  row.runs = math.max(table.unpack(numbers.runs))
  return row
end

-- Two tables: a row per point of a curve, and one per point and set, from which means, intervals
-- and paired differences can be computed anew.
local function tables(store, plan, sweeps, heuristics, priorities)
  local rows, sets = {}, {}
  each(store, plan, sweeps, heuristics, priorities, function(row, numbers, days)
    for s, mean in ipairs(numbers.mean) do
      local one = { set = days and days[s].day or s, jobs = days and #days[s].jobs or 100,
        ratio_mean = mean, ratio_sd = numbers.sd[s], failures = numbers.failures[s],
        runs = numbers.runs[s] }
      for key, value in pairs(row) do one[key] = value end
      sets[#sets + 1] = one
    end
    rows[#rows + 1] = summary_row(row, numbers)
  end)
  return csv.text(COLUMNS, rows), csv.text(SET_COLUMNS, sets)
end

local function write_tables(store, plan, name, sweeps, heuristics, priorities)
  local rows, sets = tables(store, plan, sweeps, heuristics, priorities)
  reproduction.write(plan.given, name .. ".csv", rows)
  reproduction.write(plan.given, name .. "-sets.csv", sets)
end

-- --- curves -------------------------------------------------------------------------------------

-- Points { x, mean, half width } over the sets.
local function curve(store, sweep, heuristic, priority)
  local points = {}
  for _, point in ipairs(sweep) do
    local numbers = heuristic and store:get(point.cell, heuristic, priority)
    if numbers then points[#points + 1] = samples.point(point.x, numbers.mean) end
  end
  return points
end

-- The largest upper end of an interval in all panels, on a round number.
local function top_of(panels, step)
  local _, most = drawing.extent(panels)
  return math.ceil(most / step) * step
end

local function share_range(panels, step)
  local top = top_of(panels, step)
  for _, panel in ipairs(panels) do panel.yrange = { 1, top } end
  return panels
end

local function sets_title(plan)
  return ("mean and 95%% interval over %d sets of 100 jobs"):format(plan.sets)
end

local PROCESSORS = "Processors"

local function step_of(x) return x == PROCESSORS and 5000 or nil end

-- One panel per heuristic, one curve per priority: figures 2 and 3.
local function by_heuristic(store, plan, sweep, x)
  local panels = {}
  for i, heuristic in ipairs(plan.heuristics) do
    local curves = {}
    for _, priority in ipairs(paper.priorities) do
      curves[priority] = curve(store, sweep, heuristic, priority)
    end
    panels[i] = { title = heuristic.name, x = x, y = RATIO, curves = curves, xstep = step_of(x),
      xrange = { sweep[1].x, sweep[#sweep].x }, list = heuristic.list or false }
  end
  -- Shelves are far above lists with most priorities: each kind has its own scale.
  for _, list in ipairs { true, false } do
    local kind = {}
    for _, panel in ipairs(panels) do
      if panel.list == list then kind[#kind + 1] = panel end
    end
    share_range(kind, 0.1)
  end
  return panels
end

local write = {}

local function write_heuristics(store, plan, number, sweep, x, fixed)
  local name = "figure-" .. number
  write_tables(store, plan, name, { sweep }, plan.heuristics, paper.priorities)
  figure.write(plan.given.out .. "/" .. name, {
    title = ("Figure %s: %s; %s; shelves on a scale of their own"):format(number, fixed,
      sets_title(plan)),
    columns = 3, panel = { 380, 290 }, curves = paper.priorities,
    panels = by_heuristic(store, plan, sweep, x),
  })
end

write["2"] = function(store, plan)
  write_heuristics(store, plan, "2", sweep_q(plan), FAILURE, ("P = %d"):format(plan.procs))
end

write["3"] = function(store, plan)
  write_heuristics(store, plan, "3", sweep_procs(plan), PROCESSORS, ("q = %g"):format(plan.q))
end

-- The curves of figure 4, in the order of the legend.
local BEST_CURVES = { { "greedy", "LA" }, { "greedy", "LPT" }, { "easy", "LA" }, { "easy", "LPT" },
  { "conservative", "LPT" }, { "shelf", "LPT" }, { "shelf-nofill", "LPT" } }

local function best_panel(store, plan, sweep, title, x)
  local curves, names = {}, {}
  for _, one in ipairs(BEST_CURVES) do
    local heuristic = plan.by_key[one[1]]
    if heuristic then
      local name = heuristic.name .. ", " .. one[2]
      names[#names + 1] = name
      curves[name] = curve(store, sweep, heuristic, one[2])
    end
  end
  return { title = title, x = x, y = RATIO, curves = curves, xstep = step_of(x),
    xrange = { sweep[1].x, sweep[#sweep].x } }, names
end

write["4"] = function(store, plan)
  local q, procs = sweep_q(plan), sweep_procs(plan)
  write_tables(store, plan, "figure-4", { q, procs }, plan.heuristics, BEST)
  local left, names = best_panel(store, plan, q, ("(a) P = %d"):format(plan.procs), FAILURE)
  local right = best_panel(store, plan, procs, ("(b) q = %g"):format(plan.q), PROCESSORS)
  figure.write(plan.given.out .. "/figure-4", {
    title = "Figure 4: the best priorities; " .. sets_title(plan),
    columns = 2, panel = { 560, 420 }, curves = names,
    panels = share_range({ left, right }, 0.05),
  })
end

-- --- the log ------------------------------------------------------------------------------------

-- A day's mean over its scenarios, with the interval of that mean.
local function day_curve(numbers)
  local points = {}
  for s, mean in ipairs(numbers.mean) do
    local runs = numbers.runs[s]
    local half = runs > 1 and orrery.student_quantile(0.975, runs - 1) * numbers.sd[s]
      / math.sqrt(runs) or 0
    points[s] = { s, mean, half }
  end
  return points
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
    if numbers then
      curves[priority] = day_curve(numbers)
      failures = failures or numbers.failures
    end
  end
  return {
    title = ("%s, q = %g"):format(heuristic.name, point.x),
    x = point.x > 0 and "Day (above: its mean number of failures)" or "Day",
    y = RATIO, curves = curves, xrange = { 0.5, #plan.days + 0.5 },
    xticks = day_ticks(plan, function(i) return i % 2 == 1 and short_day(plan, i) or "" end),
    top = point.x > 0 and day_ticks(plan, function(i) return ("%.0f"):format(failures[i]) end),
  }
end

local function write_days(store, plan, name, title, heuristics)
  local sweep, panels = sweep_mira(plan), {}
  write_tables(store, plan, name, { sweep }, heuristics, paper.priorities)
  for i, heuristic in ipairs(heuristics) do
    for x, point in ipairs(sweep) do
      panels[(i - 1) * #sweep + x] = day_panel(store, plan, heuristic, point)
    end
  end
  if #panels == 0 then return false end
  for x = 1, #sweep do -- one scale for each q
    local column = {}
    for i = x, #panels, #sweep do column[#column + 1] = panels[i] end
    share_range(column, 0.1)
  end
  figure.write(plan.given.out .. "/" .. name, {
    title = ("%s on the days of %s; mean and 95%% interval over a day's scenarios"):format(title,
      plan.log),
    columns = #sweep, panel = { 460, 320 }, curves = paper.priorities, thin = true,
    panels = panels,
  })
end

local function some(plan, list)
  local chosen = {}
  for _, heuristic in ipairs(plan.heuristics) do
    if (heuristic.list or false) == list then chosen[#chosen + 1] = heuristic end
  end
  return chosen
end

write["5"] = function(store, plan)
  return write_days(store, plan, "figure-5", "Figure 5: list heuristics", some(plan, true))
end

write["6"] = function(store, plan)
  return write_days(store, plan, "figure-6", "Figure 6: shelf heuristics", some(plan, false))
end

local function over_days(store, plan, sweep, what, y)
  local curves = {}
  for i, heuristic in ipairs(plan.heuristics) do
    local points = {}
    for x, point in ipairs(sweep) do
      local s = orrery.summary(store:get(point.cell, heuristic, "LPT").mean)
      local shift = (i - (#plan.heuristics + 1) / 2) * 0.08
      points[x] = { x + shift, s[what], what == "mean" and s.half_width or 0 }
    end
    curves[heuristic.name] = points
  end
  local ticks = {}
  for x, point in ipairs(sweep) do ticks[x] = { x, ("%g"):format(point.x) } end
  return { title = y, x = FAILURE, y = RATIO, curves = curves, xticks = ticks,
    xrange = { 0.5, #sweep + 0.5 } }
end

write["table-1"] = function(store, plan)
  local sweep, names = sweep_mira(plan), {}
  write_tables(store, plan, "table-1", { sweep }, plan.heuristics, { "LPT" })
  for i, heuristic in ipairs(plan.heuristics) do names[i] = heuristic.name end
  figure.write(plan.given.out .. "/table-1", {
    title = ("Table 1: priority LPT, %d days of %s"):format(#plan.days, plan.log),
    columns = 2, panel = { 480, 400 }, curves = names, lines = false, bars = true,
    panels = share_range({
      over_days(store, plan, sweep, "mean", "Mean over the days, 95% interval"),
      over_days(store, plan, sweep, "max", "Largest day"),
    }, 0.1),
  })
end

-- --- explanations -------------------------------------------------------------------------------

-- The curves of figure "kept": R-LIST-0 with its better priority there, the others with LPT.
local function kept_panel(store, plan, sweep, title, best)
  local curves, names, shown = {}, {}, {}
  for _, key in ipairs { "greedy", "easy-head", "kept-1", "conservative", "kept-all" } do
    local heuristic = plan.by_key[key]
    if heuristic then
      shown[#shown + 1], names[#names + 1] = heuristic, heuristic.name
      curves[heuristic.name] = curve(store, sweep, heuristic, key == "greedy" and best or "LPT")
    end
  end
  return { title = title, x = FAILURE, y = RATIO, curves = curves,
    xrange = { sweep[1].x, sweep[#sweep].x } }, names, shown
end

write.kept = function(store, plan)
  local sweep, log = sweep_kept(plan), sweep_kept_log(plan)
  local left, names, shown = kept_panel(store, plan, sweep,
    ("P = %d, LPT, R-LIST-0 with LA"):format(plan.procs), "LA")
  local right = kept_panel(store, plan, log, plan.log .. ", LPT", "LPT")
  right.xstep = 0.05
  write_tables(store, plan, "figure-kept", { sweep, log }, shown, BEST)
  figure.write(plan.given.out .. "/figure-kept", {
    title = "Reservations that no failure cancels; mean and 95% interval over the sets or days",
    columns = 2, panel = { 560, 420 }, curves = names, panels = share_range({ left, right }, 0.05),
  })
end

-- How much more the second is than the first, set by set.
local function excess_curve(sweep, first, second)
  local points = {}
  for i, point in ipairs(sweep) do
    local a, b, relative = first(point), second(point), {}
    for s in ipairs(a.mean) do relative[s] = 100 * (b.mean[s] / a.mean[s] - 1) end
    local summary = orrery.summary(relative)
    points[i] = { point.x, summary.mean, summary.half_width }
  end
  return points
end

write.capped = function(store, plan)
  local greedy, shelf = plan.by_key.greedy, plan.by_key["shelf-nofill"]
  if not greedy or not shelf then return false end
  local names, sweeps, panels = {}, {}, { {}, {}, {} }
  for i, cap in ipairs(figures.caps(plan)) do
    local sweep = sweep_capped(plan, cap or nil)
    local name = cap and ("at most %d failures"):format(cap) or "as drawn"
    names[i], sweeps[i] = name, sweep
    panels[1][name] = curve(store, sweep, greedy, "LA")
    panels[2][name] = curve(store, sweep, shelf, "LPT")
    panels[3][name] = excess_curve(sweep,
      function(point) return store:get(point.cell, greedy, "LA") end,
      function(point) return store:get(point.cell, shelf, "LPT") end)
  end
  write_tables(store, plan, "figure-capped", sweeps, { greedy, shelf }, BEST)
  local function panel(i, title, y)
    return { title = title, x = FAILURE, y = y, curves = panels[i],
      xrange = { plan.qs[1], plan.qs[#plan.qs] } }
  end
  local list = share_range({ panel(1, "R-LIST-0, LA", RATIO), panel(2, "R-SHELF-NB, LPT", RATIO) },
    0.05)
  list[3] = panel(3, "R-SHELF-NB over R-LIST-0", "Makespan above (%)")
  list[3].yrange = { 0 }
  figure.write(plan.given.out .. "/figure-capped", {
    title = "Failures of a job cut off; " .. sets_title(plan),
    columns = 3, panel = { 400, 340 }, curves = names, panels = list,
  })
end

-- The two workloads whose bounds are looked at: { name, x -> cell }.
function figures.bounds(plan)
  return {
    { "synthetic", over_q(plan, function(q) return cells.bound(q, plan.procs) end) },
    { "log", over(plan.mira_qs, function(q) return cells.bound(q) end) },
  }
end

write.bound = function(store, plan)
  local rows, panels = {}, {}
  for i, workload in ipairs(figures.bounds(plan)) do
    local points, sweep = {}, workload[2]
    for x, point in ipairs(sweep) do
      local s = orrery.summary(store:chains(point.cell))
      points[x] = { point.x, 100 * s.mean, 100 * s.half_width }
      rows[#rows + 1] = { workload = workload[1], q = point.x, share_mean = s.mean,
        share_half_width = s.half_width, share_min = s.min, share_max = s.max, sets = s.count,
        runs = plan.extra_runs }
    end
    panels[i] = { title = i == 1 and ("Synthetic, P = %d"):format(plan.procs) or plan.log,
      x = FAILURE, y = "Scenarios (%)", yrange = { 0, 100 }, xrange = { sweep[1].x,
        sweep[#sweep].x }, xstep = i == 2 and 0.05 or nil, curves = { ["one job"] = points } }
  end
  reproduction.write(plan.given, "figure-bound.csv", csv.text({ "workload", "q", "share_mean",
    "share_half_width", "share_min", "share_max", "sets", "runs" }, rows))
  figure.write(plan.given.out .. "/figure-bound", {
    title = "Scenarios whose lower bound one job decides, with all its attempts",
    columns = 2, panel = { 460, 340 }, curves = { "one job" }, panels = panels, legend = false,
  })
end

-- Writes a figure; false where there was nothing to draw.
function figures.write(store, plan, name) return write[name](store, plan) end

return figures
