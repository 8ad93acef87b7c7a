-- figures: what each figure of RR-8795 (and the chapter) needs, and how it is written.
local csv = require "orrery.command.csv"
local samples = require "orrery.command.cells"
local drawing = require "orrery.command.drawing"
local figure = require("orrery").draw.figure
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local cells = require "orrery.reproduce.redistribution.cells"
local execution = require "orrery.reproduce.redistribution.execution"
local paper = require "orrery.reproduce.redistribution.plan"

local figures = {}

figures.names = {
  { "5", "100 tasks without faults, over the number of processors" },
  { "6", "1000 tasks without faults, over the number of processors (1.4)" },
  { "7", "over the number of tasks on 5000 processors (1.5)" },
  { "8", "over the number of processors with 100 tasks" },
  { "9", "one execution" },
  { "10", "over the MTBF on 1000 processors" },
  { "11", "over the MTBF on 5000 processors (1.6)" },
  { "12", "over the cost of checkpoints (1.7)" },
  { "13", "over the MTBF with cheap checkpoints" },
  { "14", "over the sequential fraction" },
  { "parts", "an explanation: what is done at ends and at faults, each alone" },
}

-- What the chapter calls them.
figures.aliases = { ["1.4"] = "6", ["1.5"] = "7", ["1.6"] = "11", ["1.7"] = "12" }

local PROCESSORS, MTBF = "Processors", "MTBF of a processor (years)"
local RATIO = "Makespan / without redistribution"
local DAY = 86400

-- --- what is simulated --------------------------------------------------------------------------

-- The points of a curve, one for each value of the cell's field `vary`.
local function points_of(plan, vary, values, given)
  local list = {}
  for i, value in ipairs(values) do
    local one = { n = plan.tasks, procs = plan.procs, [vary] = value }
    for key, other in pairs(given) do one[key] = other end
    list[i] = { x = value, cell = cells.of(one) }
  end
  return list
end

-- Panels { title =, sweep = }, one for each distribution of sizes, the usual one first.
local function by_sizes(plan, vary, values, given)
  local panels = {}
  for i, sizes in ipairs(paper.sizes) do
    local one = { sizes = sizes }
    for key, value in pairs(given) do one[key] = value end
    panels[i] = { title = sizes.name, sweep = points_of(plan, vary, values, one) }
  end
  return panels
end

-- The least MTBF takes the most time to simulate: on many processors only with the usual sizes.
local function from_five_years(sweep)
  local list = {}
  for _, point in ipairs(sweep) do
    if point.x >= 5 then list[#list + 1] = point end
  end
  return list
end

local function by_checkpoint(plan)
  local panels = {}
  for i, c in ipairs { 1, 0.1, 0.01 } do
    panels[i] = { title = ("c = %g s per data unit"):format(c),
      sweep = points_of(plan, "years", plan.years, { checkpoint = c }) }
  end
  return panels
end

local joined = drawing.joined

local function is_free(name) return name == "5" or name == "6" end

-- Of a figure, but the ninth: { title =, x =, logx =, panels = { { title =, sweep = }, ... } }.
local MAKE = {
  ["5"] = function(plan)
    return { title = ("Figure 5: %d tasks, no faults"):format(plan.tasks), x = PROCESSORS,
      panels = by_sizes(plan, "procs", plan.procs_free, { years = math.huge }) }
  end,
  ["6"] = function(plan)
    local panels = by_sizes(plan, "procs", plan.many_procs_free,
      { n = plan.many_tasks, years = math.huge })
    -- homogeneous tasks end all at once, and EndLocal looks at every task and number at every end:
    -- 20 s a run on 10000 processors, for a gain of nothing
    return { title = ("Figure 6 (1.4): %d tasks, no faults"):format(plan.many_tasks),
      x = PROCESSORS, panels = { panels[1], panels[2] } }
  end,
  ["7"] = function(plan)
    return { title = ("Figure 7 (1.5): %d processors, MTBF 100 years"):format(plan.many_procs),
      x = "Tasks", panels = by_sizes(plan, "n", plan.task_counts, { procs = plan.many_procs }) }
  end,
  ["8"] = function(plan)
    return { title = ("Figure 8: %d tasks, MTBF 100 years"):format(plan.tasks), x = PROCESSORS,
      panels = by_sizes(plan, "procs", plan.procs_faults, {}) }
  end,
  ["10"] = function(plan)
    return { title = ("Figure 10: %d tasks, %d processors"):format(plan.tasks, plan.procs),
      x = MTBF, logx = true, panels = by_sizes(plan, "years", plan.years, {}) }
  end,
  ["11"] = function(plan)
    local panels = by_sizes(plan, "years", plan.years, { procs = plan.many_procs })
    for i = 2, #panels do panels[i].sweep = from_five_years(panels[i].sweep) end
    return { title = ("Figure 11 (1.6): %d tasks, %d processors"):format(plan.tasks,
      plan.many_procs), x = MTBF, logx = true, panels = panels }
  end,
  ["12"] = function(plan)
    return { title = ("Figure 12 (1.7): %d tasks, %d processors, MTBF 100 years"):format(plan.tasks,
      plan.procs), x = "c: time to checkpoint a data unit (s)", logx = true,
      panels = by_sizes(plan, "checkpoint", plan.checkpoints, {}) }
  end,
  ["13"] = function(plan)
    return { title = ("Figure 13: %d tasks, %d processors"):format(plan.tasks, plan.procs),
      x = MTBF, logx = true, panels = by_checkpoint(plan) }
  end,
  ["14"] = function(plan)
    return { title = ("Figure 14: %d tasks, %d processors, MTBF 100 years"):format(plan.tasks,
      plan.procs), x = "Sequential fraction f",
      panels = by_sizes(plan, "sequential", plan.sequential, {}) }
  end,
  parts = function(plan)
    local many = points_of(plan, "years", plan.years, { procs = plan.many_procs })
    return { title = ("Each alone: %d tasks"):format(plan.tasks), x = MTBF, logx = true, panels = {
      { title = ("%d processors"):format(plan.procs),
        sweep = points_of(plan, "years", plan.years, {}) },
      { title = ("%d processors"):format(plan.many_procs), sweep = from_five_years(many) },
    } }
  end,
}

-- Who is in figure "parts": what is alone, and a pair that turns out to be alone as well.
local function parts_of(plan)
  return joined(paper.ends, paper.faults, { plan.by_key["lit-el"] })
end

function figures.of(name, plan)
  local one = MAKE[name](plan)
  one.heuristics = is_free(name) and paper.ends or name == "parts" and parts_of(plan)
    or plan.heuristics
  return one
end

-- Figure 9: its cell, and who is compared.
function figures.execution_cell(plan)
  return cells.of { n = plan.tasks, procs = plan.procs, years = 50 }
end

function figures.execution_heuristics(plan)
  local list = {}
  for _, one in ipairs(plan.heuristics) do
    if one.other or one.key:match "%-el$" then list[#list + 1] = one end
  end
  return list
end

-- Asks the store for what the chosen figures show.
function figures.need(store, plan, chosen)
  for _, name in ipairs(figures.names) do
    name = name[1]
    if chosen[name] and name == "9" then
      for _, one in ipairs(figures.execution_heuristics(plan)) do
        store:need(name, figures.execution_cell(plan), one)
        store:need_steps(name, figures.execution_cell(plan), one)
      end
    elseif chosen[name] then
      local what = figures.of(name, plan)
      for _, panel in ipairs(what.panels) do
        for _, point in ipairs(panel.sweep) do
          for _, one in ipairs(what.heuristics) do store:need(name, point.cell, one) end
          if not is_free(name) then store:need(name, point.cell, paper.fault_free) end
        end
      end
    end
  end
end

-- --- CSV ----------------------------------------------------------------------------------------

local CELL = { "sizes", "n", "procs", "sequential", "mtbf_years", "checkpoint", "heuristic" }
local COLUMNS = { "normalised_mean", "normalised_half_width", "normalised_sd", "normalised_min",
  "normalised_max", "makespan", "faults", "redistributions", "moves", "runs" }
local RUN_COLUMNS = { "run", "normalised", "makespan", "faults", "redistributions", "moves" }

local COUNTED = { "makespan", "faults", "redistributions", "moves" }

local function row_of(cell, heuristic)
  local free = cell.years == math.huge
  return {
    sizes = cell.sizes.key, n = cell.n, procs = cell.procs, sequential = cell.sequential,
    mtbf_years = free and "inf" or cell.years, checkpoint = not free and cell.checkpoint or nil,
    heuristic = heuristic.name,
  }
end

local function add_rows(rows, runs, cell, heuristic, numbers)
  local row, s = row_of(cell, heuristic), orrery.summary(numbers.normalised)
  row.normalised_mean, row.normalised_half_width, row.normalised_sd = s.mean, s.half_width, s.sd
  row.normalised_min, row.normalised_max, row.runs = s.min, s.max, s.count
  for _, metric in ipairs(COUNTED) do
    row[metric] = orrery.summary(numbers[metric]).mean
  end
  rows[#rows + 1] = row
  for run, normalised in ipairs(numbers.normalised) do
    local one = row_of(cell, heuristic)
    one.run, one.normalised = run, normalised
    for _, metric in ipairs(COUNTED) do
      one[metric] = numbers[metric][run]
    end
    runs[#runs + 1] = one
  end
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
  reproduction.write(plan.given, base .. ".csv", csv.text(joined(CELL, COLUMNS), rows))
  reproduction.write(plan.given, base .. "-runs.csv", csv.text(joined(CELL, RUN_COLUMNS), runs))
end

-- --- curves -------------------------------------------------------------------------------------

local function curve(store, sweep, heuristic)
  local points = {}
  for i, point in ipairs(sweep) do
    points[i] = samples.point(point.x, store:get(point.cell, heuristic).normalised)
  end
  return points
end

-- Least and greatest end of an interval in all panels, on round numbers.
local function range_of(panels, step)
  local least, most = drawing.extent(panels)
  return { math.floor(least / step) * step, math.ceil(most / step + 0.2) * step }
end

-- The values themselves as ticks of a logarithmic axis.
local function ticks_of(values)
  local ticks = {}
  for i, value in ipairs(values) do
    local text = ("%g"):format(value)
    ticks[i] = { value, text }
  end
  return ticks
end

-- Those that are not too near to each other to be written, the last included.
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

local function panel_of(store, what, panel, heuristics)
  local curves, values = {}, {}
  for _, one in ipairs(heuristics) do curves[one.name] = curve(store, panel.sweep, one) end
  for i, point in ipairs(panel.sweep) do values[i] = point.x end
  return { title = panel.title, x = what.x, y = RATIO, curves = curves, logx = what.logx,
    xrange = { values[1], values[#values] },
    xticks = what.logx and ticks_of(thinned(values)) or nil,
    xstep = not what.logx and step_of(values[1], values[#values]) or nil }
end

local function write_sweep(store, plan, name)
  local what, panels = figures.of(name, plan), {}
  local heuristics = joined({ paper.none }, what.heuristics)
  if not is_free(name) then heuristics[#heuristics + 1] = paper.fault_free end
  write_tables(store, plan, "figure-" .. name, what.panels, heuristics)
  for i, panel in ipairs(what.panels) do panels[i] = panel_of(store, what, panel, heuristics) end
  local range = range_of(panels, 0.05)
  for _, panel in ipairs(panels) do panel.yrange = range end
  local names, styles = drawing.names_and_styles(heuristics)
  figure.write(plan.given.out .. "/figure-" .. name, {
    title = ("%s; mean and 95%% interval over %d runs"):format(what.title, plan.runs),
    columns = #panels, panel = { 430, 400 }, curves = names, styles = styles, panels = panels,
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

local function write_steps(store, plan, heuristics)
  local rows = {}
  for _, one in ipairs(heuristics) do
    for _, step in ipairs(store:steps(figures.execution_cell(plan), one)[1]) do
      rows[#rows + 1] = { heuristic = one.name, time = step.time, makespan = step.makespan,
        running = step.running, procs_mean = step.mean, procs_sd = step.sd }
    end
  end
  reproduction.write(plan.given, "figure-9.csv", csv.text({ "heuristic", "time", "makespan",
    "running", "procs_mean", "procs_sd" }, rows))
end

-- The mean over time of what the figure shows, for every run.
local function write_executions(store, plan, heuristics)
  local rows = {}
  for _, one in ipairs(heuristics) do
    for run, steps in ipairs(store:steps(figures.execution_cell(plan), one)) do
      rows[#rows + 1] = { heuristic = one.name, run = run, makespan = steps[#steps].makespan,
        procs_mean = execution.over_time(steps, "mean"),
        procs_sd = execution.over_time(steps, "sd") }
    end
  end
  reproduction.write(plan.given, "figure-9-runs.csv", csv.text({ "heuristic", "run", "makespan",
    "procs_mean", "procs_sd" }, rows))
end

local function write_execution(store, plan)
  local heuristics = figures.execution_heuristics(plan)
  write_steps(store, plan, heuristics)
  write_executions(store, plan, heuristics)
  local panels, last = {}, 0
  for q, quantity in ipairs(QUANTITIES) do
    local curves = {}
    for _, one in ipairs(heuristics) do
      local steps = store:steps(figures.execution_cell(plan), one)[1]
      curves[one.name] = stairs(steps, quantity[1], quantity[4])
      last = math.max(last, steps[#steps].time / DAY)
    end
    panels[q] = { title = quantity[3], x = "Time (days)", y = quantity[2], curves = curves,
      logy = quantity[1] ~= "makespan", yrange = quantity[1] ~= "makespan" and { 1 } or nil }
  end
  for _, panel in ipairs(panels) do panel.xrange = { 0, math.ceil(last / 10) * 10 } end
  local names, styles = drawing.names_and_styles(heuristics)
  for name, style in pairs(styles) do styles[name] = { colour = style.colour } end
  figure.write(plan.given.out .. "/figure-9", {
    title = ("Figure 9: run 1, %d tasks, %d processors, MTBF 50 years"):format(plan.tasks,
      plan.procs), columns = 3, panel = { 430, 380 }, marks = false, curves = names,
    panels = panels, styles = styles,
  })
end

-- Writes a figure.
function figures.write(store, plan, name)
  if name == "9" then write_execution(store, plan) else write_sweep(store, plan, name) end
end

return figures
