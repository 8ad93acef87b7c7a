-- figures: the contents of each figure of RR-8795 (and the chapter), its drawing, and the page.
local cells = require "orrery.command.cells"
local drawing = require "orrery.command.drawing"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local paper = require "orrery.reproduce.redistribution.plan"

local figures = {}

-- The chapter's names of the figures.
figures.aliases = { ["1.4"] = "6", ["1.5"] = "7", ["1.6"] = "11", ["1.7"] = "12" }

local RATIO = "Makespan / without redistribution"
local DAY = 86400

local joined = lists.joined

-- --- simulations ---------------------------------------------------------------------------------

local AXES = { procs = "Processors", n = "Tasks", years = "MTBF of a processor (years)",
  checkpoint = "c: time to checkpoint a data unit (s)", sequential = "Sequential fraction f" }
local LOGARITHMIC = { years = true, checkpoint = true }

-- The points of a curve, one for each value of the cell's field `vary`. given: the cell's other
-- fields, of which a text names one of the plan.
local function points_of(plan, vary, values, given)
  local fields = { n = plan.tasks, procs = plan.procs }
  for key, value in pairs(given) do fields[key] = plan[value] or value end
  return lists.map(values, function(x)
    return { x = x, cell = paper.cell(lists.merged(fields, { [vary] = x })) }
  end)
end

-- Panels { title =, sweep = }, one for each distribution of sizes, the usual one first.
local function by_sizes(plan, one)
  return lists.map(paper.sizes, function(sizes)
    return { title = sizes.name, short = sizes.short, sweep = points_of(plan, one.vary,
      plan[one.values], lists.merged(one.given or {}, { sizes = sizes })) }
  end)
end

-- The least MTBF takes the most time to simulate: on many processors only with the usual sizes.
local function from_five_years(panel)
  panel.sweep = lists.those(panel.sweep, function(point) return point.x >= 5 end)
end

-- For each figure but the ninth: the variable, and the name of its values in the plan; the title,
-- and the plan's numbers in it; other fields of the cells; whether nothing fails; and its panels,
-- if they differ from by_sizes.
local SWEEPS = {
  ["5"] = { vary = "procs", values = "procs_free", free = true, given = { years = math.huge },
    title = { "Figure 5: %d tasks, no faults", "tasks" } },
  ["6"] = { vary = "procs", values = "many_procs_free", free = true,
    given = { n = "many_tasks", years = math.huge },
    title = { "Figure 6 (1.4): %d tasks, no faults", "many_tasks" },
    panels = function(plan, one)
      -- homogeneous tasks end all at once, and EndLocal tries every task and number at every end:
      -- 20 s a run on 10000 processors, without any gain
      return { table.unpack(by_sizes(plan, one), 1, 2) }
    end },
  ["7"] = { vary = "n", values = "task_counts", given = { procs = "many_procs" },
    title = { "Figure 7 (1.5): %d processors, MTBF 100 years", "many_procs" } },
  ["8"] = { vary = "procs", values = "procs_faults",
    title = { "Figure 8: %d tasks, MTBF 100 years", "tasks" } },
  ["10"] = { vary = "years", values = "years",
    title = { "Figure 10: %d tasks, %d processors", "tasks", "procs" } },
  ["11"] = { vary = "years", values = "years", given = { procs = "many_procs" },
    title = { "Figure 11 (1.6): %d tasks, %d processors", "tasks", "many_procs" },
    panels = function(plan, one)
      local panels = by_sizes(plan, one)
      for i = 2, #panels do from_five_years(panels[i]) end
      return panels
    end },
  ["12"] = { vary = "checkpoint", values = "checkpoints",
    title = { "Figure 12 (1.7): %d tasks, %d processors, MTBF 100 years", "tasks", "procs" } },
  -- the axes are the report's
  ["13"] = { vary = "years", linear = true, from = 5, step = 20, range = { 0.5, 1 },
    title = { "Figure 13: %d tasks, %d processors", "tasks", "procs" },
    panels = function(plan)
      return lists.map({ 1, 0.1, 0.01 }, function(c)
        return { title = ("c = %g s per data unit"):format(c),
          sweep = points_of(plan, "years", plan.years, { checkpoint = c }) }
      end)
    end },
  ["14"] = { vary = "sequential", values = "sequential",
    title = { "Figure 14: %d tasks, %d processors, MTBF 100 years", "tasks", "procs" } },
  parts = { vary = "years", title = { "Each alone: %d tasks", "tasks" },
    panels = function(plan)
      local panels = lists.map({ plan.procs, plan.many_procs }, function(procs)
        return { title = ("%d processors"):format(procs),
          sweep = points_of(plan, "years", plan.years, { procs = procs }) }
      end)
      from_five_years(panels[2])
      return panels
    end },
}

-- The heuristics in a figure; in "parts" the single heuristics, and a pair that turns out to act
-- alone as well.
local function heuristics_of(name, plan)
  if SWEEPS[name].free then return paper.ends end
  return joined(name == "parts" and joined(paper.ends, paper.faults, { plan.by_key["lit-el"] })
    or plan.heuristics, { paper.fault_free })
end

-- The panels { title =, sweep = } of a figure but the ninth.
function figures.panels(name, plan)
  local one = SWEEPS[name]
  return (one.panels or by_sizes)(plan, one)
end

local function need_sweep(store, plan, name)
  for _, panel in ipairs(figures.panels(name, plan)) do
    for _, point in ipairs(panel.sweep) do
      for _, one in ipairs(heuristics_of(name, plan)) do store:need(name, point.cell, one) end
    end
  end
end

-- Figure 9: its cell, and the compared heuristics.
function figures.execution_cell(plan)
  return paper.cell { n = plan.tasks, procs = plan.procs, years = 50 }
end

local function execution_heuristics(plan)
  return lists.those(plan.heuristics, function(one)
    return one.other or one.key:match "%-el$"
  end)
end

local function need_execution(store, plan, name)
  for _, one in ipairs(execution_heuristics(plan)) do
    store:need(name, figures.execution_cell(plan), one)
    store:need_steps(name, figures.execution_cell(plan), one)
  end
end

-- --- CSV ----------------------------------------------------------------------------------------

local CELL = { "sizes", "n", "procs", "sequential", "mtbf_years", "checkpoint", "heuristic" }
local COLUMNS = joined(CELL, { "normalised_mean", "normalised_half_width", "normalised_sd",
  "normalised_min", "normalised_max", "makespan", "faults", "redistributions", "moves", "runs" })
local RUN_COLUMNS = joined(CELL, { "run", "normalised", "makespan", "faults", "redistributions",
  "moves" })

-- A row of a point, and one of each of its runs.
local function add_rows(rows, runs, cell, heuristic, numbers)
  local free = cell.years == math.huge
  local fields = {
    sizes = cell.sizes.key, n = cell.n, procs = cell.procs, sequential = cell.sequential,
    mtbf_years = free and "inf" or cell.years, checkpoint = not free and cell.checkpoint or nil,
    heuristic = heuristic.name,
  }
  local row, mine = lists.merged(fields, {}), {}
  row.runs = cells.summarise(row, "normalised_", numbers.normalised).count
  for run = 1, row.runs do mine[run] = lists.merged(fields, { run = run }) end
  for metric, values in pairs(numbers) do
    row[metric] = orrery.summary(values).mean
    for run, value in ipairs(values) do mine[run][metric] = value end
  end
  rows[#rows + 1] = row
  table.move(mine, 1, #mine, #runs + 1, runs)
end

-- Two tables: a row per point of a curve, and one per point and run, from which means, intervals
-- and paired differences can be computed anew.
local function write_tables(store, plan, base, panels, heuristics)
  local rows, runs = {}, {}
  for _, panel in ipairs(panels) do
    for _, one in ipairs(heuristics) do
      for _, point in ipairs(panel.sweep) do
        add_rows(rows, runs, point.cell, one, store:get(point.cell, one))
      end
    end
  end
  reproduction.write_table(plan, base, COLUMNS, rows)
  reproduction.write_table(plan, base .. "-runs", RUN_COLUMNS, runs)
end

-- --- curves -------------------------------------------------------------------------------------

-- Least and greatest end of an interval in all panels, on round numbers.
local function range_of(panels, step)
  local least, most = drawing.extent(panels)
  return { math.floor(least / step) * step, math.ceil(most / step + 0.2) * step }
end

-- The values themselves as ticks of a logarithmic axis.
local function ticks_of(values)
  return lists.map(values, function(value) return { value, ("%g"):format(value) } end)
end

-- The values that are far enough apart to be written, the last one included.
local function thinned(values)
  local list = { values[#values] }
  for i = #values - 1, 1, -1 do
    if values[i] <= list[1] / 1.6 then table.insert(list, 1, values[i]) end
  end
  return list
end

-- The longest round step between ticks that leaves at least three of them.
local function step_of(least, most)
  local step = 10 ^ math.floor(math.log(most - least, 10))
  for _, share in ipairs { 5, 2, 1, 0.5, 0.2 } do
    if (most - least) / (step * share) >= 3.5 then return step * share end
  end
end

local function shown_of(panel, one)
  return lists.those(panel.sweep, function(point) return point.x >= (one.from or 0) end)
end

local function x_axis(panel, one)
  local values = lists.fields(shown_of(panel, one), "x")
  local logx, least, most = LOGARITHMIC[one.vary] and not one.linear, values[1], values[#values]
  return { title = panel.title, x = AXES[one.vary], logx = logx, xrange = { least, most },
    xticks = logx and ticks_of(thinned(values)) or nil,
    xstep = not logx and (one.step or step_of(least, most)) or nil }
end

-- Two rows of panels: the means, and below them the paired differences from one of the heuristics,
-- since bands of means are wider than the differences of the heuristics.
local function panels_of(store, plan, name, what, heuristics)
  local one = SWEEPS[name]
  local function samples(point, heuristic) return store:get(point.cell, heuristic).normalised end
  local means = lists.map(what, function(panel)
    return lists.merged(x_axis(panel, one), { y = RATIO,
      curves = drawing.curves(heuristics, shown_of(panel, one), samples) })
  end)
  local base = plan.by_key[(one.free or name == "parts") and "el" or "ig-eg"]
  local compared = lists.those(heuristics, function(heuristic)
    return heuristic ~= paper.none and heuristic ~= paper.fault_free
  end)
  local differences = lists.map(what, function(panel)
    local axes = lists.merged(x_axis(panel, one), { y = "Less " .. base.name,
      title = "Paired differences; " .. (panel.short or panel.title) })
    return drawing.differences(axes, base, compared, shown_of(panel, one), samples)
  end)
  for _, panel in ipairs(means) do panel.yrange = one.range or range_of(means, 0.05) end
  local least, most = drawing.extent(differences, 0)
  local margin = 0.05 * (most - least)
  for _, panel in ipairs(differences) do panel.yrange = { least - margin, most + margin } end
  return joined(means, differences)
end

local function write_sweep(store, plan, name)
  local heuristics = joined({ paper.none }, heuristics_of(name, plan))
  local what = figures.panels(name, plan)
  write_tables(store, plan, "figure-" .. name, what, heuristics)
  local title = lists.map(SWEEPS[name].title, function(word) return plan[word] or word end)
  local names, styles = drawing.names_and_styles(heuristics)
  reproduction.draw(plan, "figure-" .. name, {
    title = ("%s; mean and 95%% interval over %d runs"):format(title[1]:format(
      table.unpack(title, 2)), plan.runs),
    columns = #what, panel = { 430, 400 }, curves = names, styles = styles,
    panels = panels_of(store, plan, name, what, heuristics),
  })
end

-- --- figure 9 -----------------------------------------------------------------------------------

-- A quantity over time, as steps: it is constant between two events.
local function stairs(steps, quantity, scale)
  local points = {}
  for i, step in ipairs(steps) do
    if i > 1 then points[#points + 1] = { step.time / DAY, points[#points][2] } end
    points[#points + 1] = { step.time / DAY, step[quantity] / scale }
  end
  return points
end

local QUANTITIES = {
  { "makespan", "Expected makespan (days)", "(a) expected makespan", DAY },
  { "sd", "Standard deviation of processors", "(b) deviation over the running tasks", 1 },
  { "mean", "Mean processors", "(c) mean over the running tasks", 1 },
}

-- Two tables: the steps of the first run, and for every run the means over time of the figure's
-- numbers.
local function write_execution_tables(store, plan, heuristics)
  local rows, runs = {}, {}
  for _, one in ipairs(heuristics) do
    for run, steps in ipairs(store:steps(figures.execution_cell(plan), one)) do
      for _, step in ipairs(run == 1 and steps or {}) do
        rows[#rows + 1] = { heuristic = one.name, time = step.time, makespan = step.makespan,
          running = step.running, procs_mean = step.mean, procs_sd = step.sd }
      end
      runs[#runs + 1] = { heuristic = one.name, run = run, makespan = steps[#steps].makespan,
        procs_mean = paper.over_time(steps, "mean"), procs_sd = paper.over_time(steps, "sd") }
    end
  end
  reproduction.write_table(plan, "figure-9", { "heuristic", "time", "makespan", "running",
    "procs_mean", "procs_sd" }, rows)
  reproduction.write_table(plan, "figure-9-runs", { "heuristic", "run", "makespan", "procs_mean",
    "procs_sd" }, runs)
end

local function write_execution(store, plan)
  local heuristics, panels, last = execution_heuristics(plan), {}, 0
  write_execution_tables(store, plan, heuristics)
  for q, quantity in ipairs(QUANTITIES) do
    local curves, logy = {}, quantity[1] ~= "makespan"
    for _, one in ipairs(heuristics) do
      local steps = store:steps(figures.execution_cell(plan), one)[1]
      curves[one.name] = stairs(steps, quantity[1], quantity[4])
      last = math.max(last, steps[#steps].time / DAY)
    end
    panels[q] = { title = quantity[3], x = "Time (days)", y = quantity[2], curves = curves,
      logy = logy, yrange = logy and { 1 } or nil }
  end
  for _, panel in ipairs(panels) do panel.xrange = { 0, math.ceil(last / 10) * 10 } end
  local names, styles = drawing.names_and_styles(heuristics)
  for name, style in pairs(styles) do styles[name] = { colour = style.colour } end
  reproduction.draw(plan, "figure-9", {
    title = ("Figure 9: run 1, %d tasks, %d processors, MTBF 50 years"):format(plan.tasks,
      plan.procs), columns = 3, panel = { 430, 380 }, marks = false, curves = names,
    panels = panels, styles = styles,
  })
end

-- --- times ------------------------------------------------------------------------------------

-- The cells whose simulations are timed: the smallest and the largest of the papers, and one with
-- many faults.
function figures.timed_cells(plan)
  return { paper.cell { n = plan.tasks, procs = plan.procs },
    paper.cell { n = plan.tasks, procs = plan.many_procs },
    paper.cell { n = plan.many_tasks, procs = plan.many_procs },
    paper.cell { n = plan.tasks, procs = plan.many_procs, years = 5 } }
end

local function need_times(store, plan, name)
  for _, cell in ipairs(figures.timed_cells(plan)) do store:need_times(name, cell) end
end

local function mean_and_most(list)
  local s = orrery.summary(list)
  return s.mean, s.max
end

local function write_timed(store, plan)
  local rows = {}
  for _, cell in ipairs(figures.timed_cells(plan)) do
    for _, one in ipairs(paper.heuristics) do
      local found = store:timed(cell, one)
      local row = { n = cell.n, procs = cell.procs, mtbf_years = cell.years, heuristic = one.name,
        runs = #found.seconds }
      row.seconds_mean, row.seconds_max = mean_and_most(found.seconds)
      row.makespan, row.faults = mean_and_most(found.makespan), mean_and_most(found.faults)
      row.fatal = mean_and_most(found.fatal)
      rows[#rows + 1] = row
    end
  end
  reproduction.write_table(plan, "figure-time", { "n", "procs", "mtbf_years", "heuristic", "runs",
    "seconds_mean", "seconds_max", "makespan", "faults", "fatal" }, rows)
end

local function tell_times(p, store, plan)
  local head = { "Processor seconds of a simulation, one thread: mean (most)" }
  local rows = lists.map(paper.heuristics, function(one) return { one.name } end)
  for c, cell in ipairs(figures.timed_cells(plan)) do
    head[c + 1] = ("n = %d, p = %d, MTBF %g years"):format(cell.n, cell.procs, cell.years)
    for i, one in ipairs(paper.heuristics) do
      rows[i][c + 1] = ("%.3f (%.3f)"):format(mean_and_most(store:timed(cell, one).seconds))
    end
  end
  p:heading("How long the heuristics take", 3):rows(head, rows)
end

-- --- all figures, and the page -------------------------------------------------------------------

local function figure(name, about, picture)
  return { name, about, picture = picture, need = need_sweep, write = write_sweep }
end

figures.names = {
  figure("5", "100 tasks without faults, over the number of processors",
    "100 tasks without faults"),
  figure("6", "1000 tasks without faults, over the number of processors (1.4)",
    "Many tasks without faults"),
  figure("7", "over the number of tasks on 5000 processors (1.5)", "Impact of n"),
  figure("8", "over the number of processors with 100 tasks", "Impact of p"),
  { "9", "one execution", picture = "One execution, event by event", need = need_execution,
    write = write_execution },
  figure("10", "over the MTBF on 1000 processors", "Impact of the MTBF on 1000 processors"),
  figure("11", "over the MTBF on 5000 processors (1.6)",
    "Impact of the MTBF on many processors"),
  figure("12", "over the cost of checkpoints (1.7)", "Impact of the cost of checkpoints"),
  figure("13", "over the MTBF with cheap checkpoints",
    "Impact of the MTBF with cheap checkpoints"),
  figure("14", "over the sequential fraction", "Impact of the sequential fraction"),
  figure("parts", "an explanation: what is done at ends and at faults, each alone",
    "Explanation: what is done at ends of tasks and at faults, each alone"),
  { "time", "how long the heuristics take", need = need_times, write = write_timed,
    below = tell_times },
}

local function opening(p, plan)
  p:opening(plan, ", %d runs of every point. Numbers are makespans over that of the same run "
    .. "without redistribution: the same sizes, the same faults. The samples of a mean are the "
    .. "runs, each with its own sizes and faults, and two heuristics are compared by their paired "
    .. "differences. Every point has the same random numbers. Where nothing else is said: %d "
    .. "tasks, m from 1,500,000 to 2,500,000, f = 0.08, %d processors, MTBF 100 years, c = 1, no "
    .. "downtime.", plan.runs, plan.tasks, plan.procs)
  p:text("ShortestTasksFirst is there in two readings. By the first, processors may be taken from "
    .. "the shortest tasks also when none was free. By the literal one, line 11 of Algorithm 4 as "
    .. "printed, nothing is taken then.")
end

figures.page = {
  contents = require "orrery.reproduce.redistribution.contents",
  title = "RR-8795, section 6, and the chapter's 1.5: what they state and what comes out",
  opening = opening, step_by_step = true,
  times = { columns = { "figure" }, each = { "%.1f", 1e3, "milliseconds" },
    text = "Processor seconds are those of all threads together. What two figures share is counted "
      .. "for the first." },
}

return figures
