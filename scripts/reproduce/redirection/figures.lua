-- figures: the paper's two figures, one row of panels per log, one column per alpha; and the page.
local cells = require "orrery.command.cells"
local drawing = require "orrery.command.drawing"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local page = require "orrery.command.page"
local reproduction = require "orrery.command.reproduction"
local verdict = require "orrery.command.verdict"

local paper = require "orrery.reproduce.redirection.plan"

local figures = {}

local LIGHT, DARK = "#D9D9D9", "#7F7F7F"

-- --- tables -------------------------------------------------------------------------------------

local WEEKS = { "log", "procs", "alpha", "more_procs", "theta", "week", "jobs", "share", "factor",
  "bsld_mean", "bsld_max", "wait_mean", "utilisation", "redirected", "easy_bsld_mean",
  "easy_bsld_max", "alone_bsld_mean", "alone_bsld_max", "ratio_mean", "ratio_max" }
local SUMMARY = { "log", "alpha", "theta", "weeks", "metric", "mean", "half_width", "sd", "median",
  "min", "max", "geometric_mean", "geometric_low", "geometric_high", "redirected_share" }

-- The rows that f(add, system, alpha, theta) adds; theta is nil once for each alpha, first.
local function rows_of(plan, f)
  local rows = {}
  for _, system in ipairs(plan.systems) do
    for _, alpha in ipairs(plan.alphas) do
      for t = 0, #plan.thetas do
        f(function(row) rows[#rows + 1] = row end, system, alpha, plan.thetas[t])
      end
    end
  end
  return rows
end

-- A row for every simulation with redirection.
local function week_rows(store, plan)
  return rows_of(plan, function(add, system, alpha, theta)
    local with, easy = theta and store:get(system, alpha, theta), store:get(system, alpha)
    for w, week in ipairs(theta and system.weeks or {}) do
      local row = { log = system.name, procs = system.procs, alpha = alpha, theta = theta,
        week = week.name, more_procs = paper.more(alpha, system.procs), jobs = #week.jobs,
        share = week.share, factor = week.factor }
      for metric, values in pairs(with) do row[metric] = values[w] end
      row.redirected = math.tointeger(row.redirected)
      for _, what in ipairs { "mean", "max" } do
        local metric = "bsld_" .. what
        row["easy_" .. metric] = easy[metric][w]
        row["alone_" .. metric] = store:get_alone(system)[metric][w]
        row["ratio_" .. what] = row[metric] / easy[metric][w]
      end
      add(row)
    end
  end)
end

local function summary_row(store, system, alpha, theta, metric, samples)
  local geometric = cells.geometric(samples)
  local row = { log = system.name, alpha = alpha, theta = theta, metric = metric,
    median = orrery.quantiles(samples, { 0.5 })[1], geometric_mean = geometric.mean,
    geometric_low = geometric.low, geometric_high = geometric.high,
    redirected_share = theta and paper.redirected(store, system, alpha, theta) or nil }
  row.weeks = cells.summarise(row, "", samples).count
  return row
end

local function figure_1_rows(store, plan)
  return rows_of(plan, function(add, system, alpha, theta)
    add(summary_row(store, system, alpha, theta, theta and "bsld_mean" or "easy_bsld_mean",
      store:get(system, alpha, theta).bsld_mean))
  end)
end

local function figure_2_rows(store, plan)
  return rows_of(plan, function(add, system, alpha, theta)
    for _, what in ipairs(theta and { "mean", "max" } or {}) do
      add(summary_row(store, system, alpha, theta, "ratio_" .. what,
        store:ratios(system, alpha, theta, "bsld_" .. what)))
    end
  end)
end

-- --- pictures -----------------------------------------------------------------------------------

-- One panel for each log and alpha; panels of a log share an axis.
--   look        what all panels have
--   least, most what all axes have
--   samples_of  function(system, alpha): for each series a list of samples for each group
--   axis_of     function(range): the axis and its ticks
local function panels_of(plan, look, least, most, samples_of, axis_of)
  local panels = {}
  for _, system in ipairs(plan.systems) do
    local range, row = { least, most }, {}
    for a, alpha in ipairs(plan.alphas) do
      local samples = samples_of(system, alpha)
      for _, list in ipairs(lists.joined(table.unpack(samples))) do
        range[1] = math.min(range[1], table.unpack(list))
        range[2] = math.max(range[2], table.unpack(list))
      end
      row[a] = lists.merged(look, { title = ("%s: α = %.2f"):format(system.name, alpha), x = "θ",
        samples = samples, logy = true })
    end
    local yrange, yticks = axis_of(range)
    for _, panel in ipairs(row) do panel.yrange, panel.yticks = yrange, yticks end
    table.move(row, 1, #row, #panels + 1, panels)
  end
  return panels
end

-- 1, 2, 5, 10 ... inside the range; decades alone where it is wide.
local function decimal_ticks(range)
  local ticks = {}
  for k = math.floor(math.log(range[1], 10)), math.floor(math.log(range[2], 10)) do
    for _, m in ipairs(range[2] > 100 * range[1] and { 1 } or { 1, 2, 5 }) do
      local tick = m * 10.0 ^ k
      if tick >= range[1] and tick <= range[2] then
        ticks[#ticks + 1] = { tick, ("%g"):format(tick) }
      end
    end
  end
  return ticks
end

local function wide_axis(range)
  range = { range[1] / 1.5, range[2] * 1.5 }
  return range, decimal_ticks(range)
end

-- Powers of two that hold all samples, at least from 1/2 to 2.
local function ratio_axis(range)
  local low = math.min(-1, math.floor(math.log(range[1], 2)))
  local high = math.max(1, math.ceil(math.log(range[2], 2)))
  local step, ticks = math.max(1, (high - low + 7) // 8), {}
  for k = low - low % step, high, step do
    ticks[#ticks + 1] = { 2.0 ^ k, (k < 0 and "1/%d" or "%d"):format(2 ^ math.abs(k)) }
  end
  return { 2.0 ^ low, 2.0 ^ high }, ticks
end

-- Writes the tables and the picture of a figure.
local function write(store, plan, name, rows, spec)
  reproduction.write_table(plan, "weeks", WEEKS, week_rows(store, plan))
  reproduction.write_table(plan, "figure-" .. name, SUMMARY, rows)
  spec.columns, spec.panel, spec.legend = #plan.alphas, { 380, 290 }, true
  reproduction.draw(plan, "figure-" .. name, spec)
end

local function write_1(store, plan, name)
  local look = { y = "Mean bounded slowdown", groups = lists.joined(lists.map(plan.thetas,
    tostring), { "EASY" }) }
  write(store, plan, name, figure_1_rows(store, plan), { kind = "violin",
    title = "Figure 1: mean bounded slowdown, one sample per week",
    series = { { name = "density of the weeks", colour = drawing.SKY } },
    panels = panels_of(plan, look, math.huge, 0, function(system, alpha)
      local samples = lists.map(plan.thetas, function(theta)
        return store:get(system, alpha, theta).bsld_mean
      end)
      return { lists.joined(samples, { store:get(system, alpha).bsld_mean }) }
    end, wide_axis) })
end

local function write_2(store, plan, name)
  local look = { y = "Redirection over EASY", groups = lists.map(plan.thetas, tostring), line = 1 }
  write(store, plan, name, figure_2_rows(store, plan), { kind = "box",
    title = "Figure 2: redirection over EASY with the same processors, one ratio per week; below 1 "
      .. "redirection is better",
    series = { { name = "mean bounded slowdown", colour = LIGHT },
      { name = "maximum bounded slowdown", colour = DARK } },
    panels = panels_of(plan, look, 1, 1, function(system, alpha)
      return lists.map({ "bsld_mean", "bsld_max" }, function(metric)
        return lists.map(plan.thetas, function(theta)
          return store:ratios(system, alpha, theta, metric)
        end)
      end)
    end, ratio_axis) })
end

-- The comparisons of figure "filter": mean bounded slowdowns with the filter of the text (by
-- processors), with the filter of Algorithm 2 as printed (by walltimes), and the second divided by
-- the first, week by week.
local FILTERS = {
  { "procs_over_easy", "by processors / EASY", LIGHT },
  { "walltime_over_easy", "by walltimes / EASY", DARK },
  { "walltime_over_procs", "by walltimes / by processors", drawing.SKY },
}

local function filter_samples(store, system, alpha, theta)
  local procs = store:ratios(system, alpha, theta, "bsld_mean")
  local walltime = store:ratios(system, alpha, theta, "bsld_mean", "walltime")
  return { procs, walltime, cells.divided(walltime, procs) }
end

local function filter_rows(store, plan)
  return rows_of(plan, function(add, system, alpha, theta)
    for i, samples in ipairs(theta and filter_samples(store, system, alpha, theta) or {}) do
      local row = summary_row(store, system, alpha, theta, FILTERS[i][1], samples)
      if i > 1 then
        row.redirected_share = paper.redirected(store, system, alpha, theta, "walltime")
      end
      add(row)
    end
  end)
end

local function write_filter(store, plan, name)
  local look = { y = "Mean bounded slowdown, ratios", groups = lists.map(plan.thetas, tostring),
    line = 1 }
  write(store, plan, name, filter_rows(store, plan), { kind = "box",
    title = "Two filters: by processors (the text), and by walltimes (Algorithm 2 as printed)",
    series = lists.map(FILTERS, function(one) return { name = one[2], colour = one[3] } end),
    panels = panels_of(plan, look, 1, 1, function(system, alpha)
      local series = lists.map(FILTERS, function() return {} end)
      for t, theta in ipairs(plan.thetas) do
        for i, samples in ipairs(filter_samples(store, system, alpha, theta)) do
          series[i][t] = samples
        end
      end
      return series
    end, ratio_axis) })
end

figures.names = {
  { "1", "mean bounded slowdowns of the weeks", picture = "Mean bounded slowdowns of the weeks",
    write = write_1 },
  { "2", "redirection over EASY, mean and maximum",
    picture = "Redirection over EASY, week by week", write = write_2 },
  { "filter", "the filter by walltimes, as Algorithm 2 prints it, beside that of the text",
    picture = "The filter by walltimes, as printed, and by processors, as in the text",
    write = write_filter },
}

-- --- the page -----------------------------------------------------------------------------------

local function mean_of(weeks, value)
  local sum = 0
  for _, week in ipairs(weeks) do sum = sum + value(week) end
  return sum / #weeks
end

local function logs(p, plan)
  local rows = {}
  for i, system in ipairs(plan.systems) do
    local raised = 0
    for _, week in ipairs(system.weeks) do raised = raised + (week.factor > 1 and 1 or 0) end
    rows[i] = { system.name, system.procs, system.all_weeks, #system.weeks, raised,
      ("%.0f"):format(mean_of(system.weeks, function(week) return #week.jobs end)),
      ("%.2f"):format(mean_of(system.weeks, function(week) return week.share end)) }
  end
  p:heading "Logs"
  p:text("A week is one of 168 hours from the first submission on, of which the submitted jobs "
    .. "need at least %g of the machine, and no more than 1.1. A week of a log that needs less "
    .. "comes up to %g times as fast, until it needs that much. Generated logs are those of "
    .. "`orrery generate lublin`, with a load of 0.85; there such weeks are left out.",
    plan.utilisation, plan.raise)
  p:rows({ "log", "processors", "weeks", "taken", "of them faster", "jobs each", "share needed" },
    rows)
  for _, system in ipairs(plan.systems) do
    if system.about then p:text("%s: %s.", system.name, system.about) end
  end
end

local function opening(p, plan)
  p:opening(plan, ". Each week is simulated by itself, from an empty machine; the scheduler knows "
    .. "the runtimes, as in the paper. The redirection group has α times the machine's processors "
    .. "on top of it, and EASY has as many more. Ratios are redirection over EASY; below 1 "
    .. "redirection is better. They are judged by their geometric means: of ratios that are as "
    .. "often 2 as 1/2 the mean is above 1. The samples are the weeks. A comparison holds when "
    .. "its 95%% interval is on the stated side; it refutes its statement when an interval that "
    .. "is widened for the number of the statement's comparisons is on the other side.")
  logs(p, plan)
end

-- Statements by logs: the comparisons of each log alone.
local function by_log(p, _, plan, _, list)
  local rows = {}
  for i, statement in ipairs(list) do
    rows[i] = { ("%d. %s"):format(i, statement.title) }
    for s, system in ipairs(plan.systems) do
      local parts = lists.those(statement.parts, function(part)
        return part.system == system.name
      end)
      rows[i][s + 1] = #parts > 0 and verdict.of(parts) or ""
    end
  end
  p:heading "By log"
  p:text("A statement is about all logs; this is what the comparisons of each say by themselves.")
  p:rows(lists.joined({ "statement" }, lists.fields(plan.systems, "name")), rows)
end

-- The ratios of all pairs, their geometric means and, as the paper has them, their means: one table
-- per log.
local function ratios(p, store, plan)
  p:heading "Mean ratios"
  p:text("Geometric mean over the weeks with its 95% interval (and the mean of the ratios), of the "
    .. "mean and of the maximum bounded slowdown, and the share of redirected jobs.")
  for _, system in ipairs(plan.systems) do
    local rows, head = {}, lists.map(plan.alphas, function(alpha)
      return ("α = %.2f"):format(alpha)
    end)
    for _, theta in ipairs(plan.thetas) do
      local row = { ("θ = %d"):format(theta) }
      for _, alpha in ipairs(plan.alphas) do
        local cell = lists.map({ "bsld_mean", "bsld_max" }, function(metric)
          local list = store:ratios(system, alpha, theta, metric)
          local s = orrery.summary(list)
          return ("%s (%s)"):format(page.interval_of("%.2f", cells.geometric(list)),
            page.interval("%.2f", s.mean, s.half_width))
        end)
        row[#row + 1] = ("%s; %.1f%%"):format(table.concat(cell, "; "),
          100 * paper.redirected(store, system, alpha, theta))
      end
      rows[#rows + 1] = row
    end
    p:rows(lists.joined({ system.name }, head), rows)
  end
end

figures.page = {
  contents = require "orrery.reproduce.redirection.contents",
  title = "Redirection (IPDPSW 2020): what the paper found and what comes out",
  opening = opening, numbers = by_log, closing = ratios,
  times = { columns = { "system" }, head = "log" },
}

return figures
