-- figures: waste over periods, and waste under schedulers, as curves with 95% bands; boxes of the
-- aware policy's tests; the page.
local cells = require "orrery.command.cells"
local drawing = require "orrery.command.drawing"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local page = require "orrery.command.page"
local reproduction = require "orrery.command.reproduction"

local paper = require "orrery.reproduce.checkpointing.plan"

local figures = {}

local function add(rows, row, samples)
  local s = orrery.summary(samples)
  row.samples, row.mean, row.half_width = s.count, s.mean, s.half_width
  rows[#rows + 1] = row
end

local MEANS = { "samples", "mean", "half_width" }

local function shown(value) return value < math.huge and ("%g"):format(value) end

local function ticks_of(values)
  return lists.map(values, function(value) return { value, shown(value) } end)
end

-- --- one job over its period --------------------------------------------------------------------

local WASTE = { names = { "simulated", "closed form", "Young's period", "Daly's period" } }
WASTE.styles = {
  ["simulated"] = { colour = drawing.BLUE, mark = 7, lines = false },
  ["closed form"] = { colour = drawing.BLACK, marks = false },
  ["Young's period"] = { colour = drawing.RED, marks = false, dash = 2 },
  ["Daly's period"] = { colour = drawing.GREEN, marks = false, dash = 4 } }

-- The closed form at `count` periods between the first and the last multiple of Young's.
local function closed_curve(share, from, to, count)
  local young = paper.young(paper.node.mtbf, share * paper.node.mtbf)
  local curve = {}
  for k = 0, count do
    local tau = young * from * (to / from) ^ (k / count)
    curve[k + 1] = { tau / paper.node.mtbf, paper.closed(share, tau) }
  end
  return curve
end

-- A vertical line at a period.
local function upright(tau, most)
  return { { tau / paper.node.mtbf, 0 }, { tau / paper.node.mtbf, most } }
end

local function write_waste(store, plan, name)
  local rows, panels = {}, {}
  for p, share in ipairs(plan.shares) do
    local mtbf = paper.node.mtbf
    local young, daly = paper.young(mtbf, share * mtbf), paper.daly(mtbf, share * mtbf)
    local simulated, most = {}, 0
    local from, to = plan.multiples[1], plan.multiples[#plan.multiples]
    for m, samples in ipairs(store:node_waste(share)) do
      local tau = plan.multiples[m] * young
      simulated[m] = cells.point(tau / mtbf, samples)
      most = math.max(most, simulated[m][2])
      add(rows, { cost = share, period = tau / mtbf, over_young = plan.multiples[m],
        closed_form = paper.closed(share, tau) }, samples)
    end
    panels[p] = { title = ("C = R = %g MTBF"):format(share), x = "period over MTBF", logx = true,
      y = "waste", yrange = { 0 }, xrange = { young * from / mtbf / 1.2, young * to / mtbf * 1.2 },
      curves = { simulated = simulated, ["closed form"] = closed_curve(share, from, to, 400),
        ["Young's period"] = upright(young, most), ["Daly's period"] = upright(daly, most) } }
  end
  reproduction.write_table(plan, "figure-" .. name, lists.joined({ "cost", "period", "over_young",
    "closed_form" }, MEANS), rows)
  reproduction.draw(plan, "figure-" .. name, { columns = 2, panel = { 460, 300 },
    curves = WASTE.names, styles = WASTE.styles, panels = panels,
    title = "One job of 50 MTBFs on one node: waste over the work between checkpoints" })
end

-- --- Weibull ------------------------------------------------------------------------------------

local SHAPES = { [0.5] = drawing.RED, [0.7] = drawing.ORANGE, [1] = drawing.BLUE }

local function shape_name(shape)
  return shape == 1 and "exponential" or ("Weibull, shape %g"):format(shape)
end

local function seen_name(shape) return shape_name(shape) .. ": period by failures seen" end

local function write_weibull(store, plan, name)
  local rows, panels, names, styles = {}, {}, {}, {}
  for _, shape in ipairs(plan.shapes) do
    names[#names + 1], names[#names + 2] = shape_name(shape), seen_name(shape)
    styles[shape_name(shape)] = { colour = SHAPES[shape], mark = 7 }
    styles[seen_name(shape)] = { colour = SHAPES[shape], marks = false, dash = 2 }
  end
  local all = plan.wide_multiples
  for p, place in ipairs(paper.places) do
    local curves = {}
    for _, shape in ipairs(plan.shapes) do
      local found, curve = store:place(place, shape), {}
      for m, samples in ipairs(found.multiples) do
        curve[m] = cells.point(all[m], samples)
        add(rows, { place = place.key, shape = shape, over_young = all[m] }, samples)
      end
      add(rows, { place = place.key, shape = shape, over_young = "by failures seen" }, found.seen)
      local level = orrery.summary(found.seen).mean
      curves[shape_name(shape)] = curve
      curves[seen_name(shape)] = { { all[1], level }, { all[#all], level } }
    end
    panels[p] = { title = place.at, x = "period over Young's", y = "waste", logx = true,
      yrange = { 0 }, xrange = { all[1] / 1.2, all[#all] * 1.2 },
      xticks = lists.map({ -4, -3, -2, -1, 0, 1, 2 }, function(k)
        return { 2.0 ^ k, (k < 0 and "1/%d" or "%d"):format(2 ^ math.abs(k)) }
      end),
      curves = curves }
  end
  reproduction.write_table(plan, "figure-" .. name,
    lists.joined({ "place", "shape", "over_young" }, MEANS), rows)
  reproduction.draw(plan, "figure-" .. name, { columns = 3, panel = { 440, 330 }, curves = names,
    styles = styles, panels = panels, title = "Waste over the period, under laws of failures" })
end

-- --- one period for all jobs --------------------------------------------------------------------

local function write_periods(store, plan, name)
  local rows, panels = {}, {}
  for _, log in ipairs(paper.logs) do
    for _, cost in ipairs(paper.costs) do
      local found, curve = store:periods(log, cost), {}
      for i, hours in ipairs(plan.hours) do
        curve[i] = cells.point(hours, found.hours[i])
        add(rows, { log = log.key, cost = cost.key, hours = hours }, found.hours[i])
      end
      add(rows, { log = log.key, cost = cost.key, hours = "young" }, found.young)
      local own = orrery.summary(found.young)
      panels[#panels + 1] = { title = ("%s, %s"):format(log.at, cost.name),
        logx = true, logy = true, x = "one period for all jobs (h)", y = "waste",
        xrange = { plan.hours[1] / 1.2, plan.hours[#plan.hours] * 1.2 },
        xticks = ticks_of(plan.hours),
        curves = { ["one period for all"] = curve, ["Young's for each job"] = {
          { plan.hours[1], own.mean, own.half_width },
          { plan.hours[#plan.hours], own.mean, own.half_width } } } }
    end
  end
  reproduction.write_table(plan, "figure-" .. name,
    lists.joined({ "log", "cost", "hours" }, MEANS), rows)
  reproduction.draw(plan, "figure-" .. name, { columns = 2, panel = { 480, 300 }, panels = panels,
    curves = { "one period for all", "Young's for each job" }, styles = {
      ["one period for all"] = { colour = drawing.ORANGE, mark = 7 },
      ["Young's for each job"] = { colour = drawing.BLUE, marks = false } },
    title = "One period for all jobs, or one for each, under EASY; node MTBF 1 year" })
end

-- --- on demand, and schedulers ------------------------------------------------------------------

local LABELS = { ratio = "normalised makespan", bsld_mean = "mean bounded slowdown",
  waste = "waste" }

-- Rows of panels, one for each metric; a column for each of `columns`.
--   column  { title =, x =, points = { { x = }, ... }, samples = function(point, one, metric) }
local function grid(columns, ones)
  local panels = {}
  for _, metric in ipairs(paper.metrics) do
    for _, column in ipairs(columns) do
      panels[#panels + 1] = { title = column.title, x = column.x, y = LABELS[metric], logx = true,
        logy = metric == "bsld_mean", yrange = metric == "waste" and { 0 } or nil,
        xticks = ticks_of(lists.fields(column.points, "x")),
        xrange = { column.points[1].x / 1.15, column.points[#column.points].x * 1.15 },
        curves = drawing.curves(ones, column.points, function(point, one)
          return column.samples(point, one, metric)
        end) }
    end
  end
  return panels
end

local function points_of(plan, values)
  return lists.map(paper.taken(plan, values), function(value) return { x = value } end)
end

local function write_grid(plan, name, key, columns, ones, title)
  local rows = {}
  for _, column in ipairs(columns) do
    for _, point in ipairs(column.points) do
      for _, one in ipairs(ones) do
        for _, metric in ipairs(paper.metrics) do
          add(rows, { log = column.log, axis = column.axis, value = point.x, [key] = one.name,
            metric = metric }, column.samples(point, one, metric))
        end
      end
    end
  end
  reproduction.write_table(plan, "figure-" .. name,
    lists.joined({ "log", "axis", "value", key, "metric" }, MEANS), rows)
  local names, styles = drawing.names_and_styles(ones)
  reproduction.draw(plan, "figure-" .. name, { columns = #columns, panel = { 370, 270 },
    panels = grid(columns, ones), curves = names, styles = styles, title = title })
end

local function write_demand(store, plan, name)
  write_grid(plan, name, "checkpoints", lists.map(paper.logs, function(log)
    return { log = log.key, axis = "years", title = log.at .. ", C = 5 min",
      x = "node MTBF (years)", points = points_of(plan, paper.years),
      samples = function(point, habit, metric)
        return store:demand(log, point.x, habit.key, metric)
      end }
  end), paper.habits, "The aware policy with periodic checkpoints, or on demand alone")
end

local function write_warnings(store, plan, name)
  local rows, panels = {}, {}
  for _, place in ipairs(paper.announced) do
    for _, recall in ipairs(paper.taken(plan, paper.recalls)) do
      local points = lists.map(paper.precisions, function(precision) return { x = precision } end)
      local function samples(point, reaction)
        return store:warned(place, recall, point.x, reaction.key)
      end
      for _, point in ipairs(points) do
        for _, reaction in ipairs(paper.reactions) do
          add(rows, { place = place.key, recall = recall, precision = point.x,
            checkpoints = reaction.name }, samples(point, reaction))
        end
      end
      panels[#panels + 1] = { title = ("%s: recall %g"):format(place.at, recall), y = "waste",
        x = "precision", yrange = { 0 }, xticks = ticks_of(paper.precisions),
        curves = drawing.curves(paper.reactions, points, samples) }
    end
  end
  reproduction.write_table(plan, "figure-" .. name,
    lists.joined({ "place", "recall", "precision", "checkpoints" }, MEANS), rows)
  local names, styles = drawing.names_and_styles(paper.reactions)
  reproduction.draw(plan, "figure-" .. name, { columns = #panels // #paper.announced,
    panel = { 420, 290 }, panels = panels, curves = names, styles = styles,
    title = "Waste where failures are announced" })
end

local function axis_columns(store, plan)
  return lists.map(paper.axes, function(axis)
    return { log = axis.log, axis = axis.field, title = axis.title, x = axis.x,
      points = points_of(plan, axis.values), samples = function(point, one, metric)
        return store:axis(axis, point.x, one.key, metric)
      end }
  end)
end

local function write_policies(store, plan, name)
  write_grid(plan, name, "policy", axis_columns(store, plan), paper.policies,
    "Schedulers on machines that fail, with checkpoints")
end

-- --- the aware policy ---------------------------------------------------------------------------

local function mean_of(store, test, one)
  return orrery.summary(store:test(test, one.name, "bsld_mean")).mean
end

-- All that is compared in a test, the least slowdown first.
local function ranked(store, test)
  local list = paper.compared()
  table.sort(list, function(a, b) return mean_of(store, test, a) < mean_of(store, test, b) end)
  return list
end

local AWARE = { "test", "policy", "samples", "bsld_mean", "bsld_half_width", "wait_mean",
  "wait_max", "waste", "over_aware", "over_aware_low", "over_aware_high" }

local function aware_row(store, test, one)
  local samples = store:test(test, one.name, "bsld_mean")
  local s = orrery.summary(samples)
  local over = cells.geometric(cells.divided(samples,
    store:test(test, paper.aware.name, "bsld_mean")))
  local function mean(metric) return orrery.summary(store:test(test, one.name, metric)).mean end
  return { test = test.key, policy = one.name, samples = s.count, bsld_mean = s.mean,
    bsld_half_width = s.half_width, wait_mean = mean "wait_mean", wait_max = mean "wait_max",
    waste = mean "waste", over_aware = over.mean, over_aware_low = over.low,
    over_aware_high = over.high }
end

-- The number of rows that fit below each other: the best ones.
local DRAWN = 10

local function write_aware(store, plan, name)
  local rows, panels = {}, {}
  for _, test in ipairs(paper.tests) do
    local list = ranked(store, test)
    for _, one in ipairs(list) do rows[#rows + 1] = aware_row(store, test, one) end
    local best = table.move(list, 1, math.min(DRAWN, #list), 1, {})
    panels[#panels + 1] = { title = ("%s: the %d with the least mean"):format(test.at, #best),
      x = "", y = "mean bounded slowdown", logy = true, groups = lists.fields(best, "name"),
      samples = { lists.map(best, function(one)
        return store:test(test, one.name, "bsld_mean")
      end) } }
  end
  reproduction.write_table(plan, "figure-" .. name, AWARE, rows)
  reproduction.draw(plan, "figure-" .. name, { kind = "box", columns = 1, panel = { 1250, 300 },
    legend = false, series = { { name = "mean bounded slowdown", colour = drawing.SKY } },
    panels = panels, title = "Mean bounded slowdowns of a log, or of a scenario" })
end

local function aware_table(p, store)
  for _, test in ipairs(paper.tests) do
    p:text("%s:", test.at)
    p:rows({ "policy", "mean bounded slowdown", "mean wait (h)", "longest wait (h)", "waste" },
      lists.map(ranked(store, test), function(one)
        local row = aware_row(store, test, one)
        return { one.name, page.interval("%.2f", row.bsld_mean, row.bsld_half_width),
          ("%.2f"):format(row.wait_mean / 3600), ("%.0f"):format(row.wait_max / 3600),
          ("%.4f"):format(row.waste) }
      end))
  end
end

local function axis_tables(p, store, plan)
  for _, column in ipairs(axis_columns(store, plan)) do
    for _, metric in ipairs(paper.metrics) do
      p:rows(lists.joined({ ("%s: %s over %s"):format(column.title, LABELS[metric], column.x) },
        lists.map(column.points, function(point) return shown(point.x) end)),
        lists.map(paper.policies, function(one)
          return lists.joined({ one.name }, lists.map(column.points, function(point)
            local s = orrery.summary(column.samples(point, one, metric))
            return page.interval(metric == "bsld_mean" and "%.2f" or "%.4f", s.mean, s.half_width)
          end))
        end))
    end
  end
end

-- --- the page -----------------------------------------------------------------------------------

figures.names = {
  { "waste", "waste of one job on one node over its period", write = write_waste,
    picture = "Waste of one job on one node over its period, simulated and in closed form" },
  { "weibull", "the same of wide jobs under Weibull's failures", write = write_weibull,
    picture = "Waste over the period under Weibull's law: one node, new nodes, old nodes" },
  { "periods", "one period for all jobs of a log, or Young's for each", write = write_periods,
    picture = "One period for all jobs, or Young's for each" },
  { "demand", "checkpoints on demand, hourly, or by Young's period", write = write_demand,
    picture = "Checkpoints on demand alone, every hour, or by Young's period" },
  { "warnings", "checkpoints where failures are announced", write = write_warnings,
    picture = "Waste where failures are announced, over the precision of the announcements" },
  { "policies", "schedulers over node MTBF, cost of a checkpoint and width of jobs",
    write = write_policies, below = axis_tables,
    picture = "Schedulers over node MTBF, cost of a checkpoint and width of jobs" },
  { "aware", "dispatch/checkpoint-aware against every other shipped policy", write = write_aware,
    below = aware_table, picture = "The aware policy and the best of the others" },
}

local function opening(p, plan)
  p:opening(plan, ". The samples are %d generated logs of %d days, each with one scenario of "
    .. "failures; %d scenarios of the bundled month; %d scenarios of one job on one node, and %d "
    .. "of one job on 1024. Generated logs are those of Lublin and Feitelson's model with "
    .. "estimates of Tsafrir, Etsion and Feitelson's; their first day is not measured. A recovery "
    .. "takes as long as a checkpoint; on logs a repair takes 4 h, of one job nothing. Slowdowns "
    .. "are bounded at 60 s.",
    plan.sets, plan.days, plan.scenarios, plan.runs, plan.wide_runs)
end

figures.page = { title = "Checkpoints under schedulers", opening = opening,
  times = { columns = { "figure" } } }

return figures
