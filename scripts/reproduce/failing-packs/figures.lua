-- figures: curves and tables of the relative makespans, and the page.
local cells = require "orrery.command.cells"
local drawing = require "orrery.command.drawing"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local page = require "orrery.command.page"
local reproduction = require "orrery.command.reproduction"

local paper = require "orrery.reproduce.failing-packs.plan"

local figures = {}

local COLUMNS = lists.joined({ "mtbf_years", "k", "packs_by", "heuristic", "runs", "packs",
  "relative", "relative_half_width" }, paper.metrics)

local function write_table(store, plan, name)
  local rows = {}
  for _, point in ipairs(plan.points[name]) do
    for _, pack in ipairs(paper.packs) do
      for _, moves in ipairs(paper.moves) do
        local s = orrery.summary(store:relative(point, pack.key, moves.key))
        local row = { mtbf_years = point.years < math.huge and point.years or "inf", k = point.k,
          packs_by = pack.name, heuristic = moves.name, runs = s.count, relative = s.mean,
          relative_half_width = s.half_width }
        for _, metric in ipairs(lists.joined(paper.metrics, { "packs" })) do
          row[metric] = orrery.summary(store:samples(point, pack.key, moves.key, metric)).mean
        end
        rows[#rows + 1] = row
      end
    end
  end
  reproduction.write_table(plan, "figure-" .. name, COLUMNS, rows)
end

-- The paired differences of the heuristics in each partition: much smaller than the differences
-- between partitions.
local function gains(store, points, moves, panel)
  return lists.merged(panel, { title = moves.name .. ", paired differences", line = 0,
    y = "less no redistribution",
    curves = drawing.curves(paper.packs, points, function(point, pack)
      if pack.key == "alone" then return nil end
      return cells.less(store:relative(point, pack.key, moves.key),
        store:relative(point, pack.key, "none"))
    end) })
end

local function write(store, plan, name)
  write_table(store, plan, name)
  local points = plan.points[name]
  local ticks = lists.map(plan.values[name], function(value, i)
    return { points[i].x, value < math.huge and ("%g"):format(value) or "never" }
  end)
  local panel = { logx = true, xticks = ticks,
    x = name == "k" and "most tasks in a pack" or "MTBF of a processor (years)",
    xrange = { ticks[1][1] / 1.2, ticks[#ticks][1] * 1.2 } }
  local panels = lists.map(paper.moves, function(moves)
    return lists.merged(panel, { title = moves.name, y = "relative makespan",
      curves = drawing.curves(paper.packs, points, function(point, pack)
        return store:relative(point, pack.key, moves.key)
      end) })
  end)
  for m = 2, #paper.moves do
    panels[#panels + 1] = gains(store, points, paper.moves[m], panel)
  end
  local names, styles = drawing.names_and_styles(paper.packs)
  table.remove(names) -- "one by one" is far above all others
  reproduction.draw(plan, "figure-" .. name, { columns = 2, panel = { 460, 330 }, curves = names,
    styles = styles, panels = panels, title = ("%d tasks on %d processors, makespan over that of "
      .. "PACK-BY-PACK-9 without redistribution"):format(plan.usual.n, plan.usual.procs) })
end

-- --- the page -----------------------------------------------------------------------------------

local function grid(p, store, plan, name)
  local rows = {}
  for _, pack in ipairs(paper.packs) do
    for _, moves in ipairs(paper.moves) do
      rows[#rows + 1] = { pack.name .. ", " .. moves.name, table.unpack(lists.map(
        plan.points[name], function(point)
          local s = orrery.summary(store:relative(point, pack.key, moves.key))
          return page.interval("%.3f", s.mean, s.half_width)
        end)) }
    end
  end
  p:rows(lists.joined({ "relative makespan" }, lists.fields(plan.points[name], "at")), rows)
end

figures.names = {
  { "mtbf", "makespans against the MTBF", picture = "Relative makespans against the MTBF",
    write = write, below = grid },
  { "k", "makespans against the most tasks in a pack",
    picture = "Relative makespans against the most tasks in a pack", write = write, below = grid },
}

local function opening(p, plan)
  local usual = plan.usual
  p:opening(plan, ", %d runs of every point. %d tasks with m from %g to %g, drawn anew in every "
    .. "run, and f of 0, 0.04, 0.08, 0.16, 0.32 in turn, on %d processors, c = 0.1. Where nothing "
    .. "else is said: at most %d tasks in a pack, MTBF of a processor %g years. Numbers are "
    .. "makespans over that of PACK-BY-PACK-9 without redistribution in the same run.", plan.runs,
    usual.n, usual.m[1], usual.m[2], usual.procs, usual.k, usual.years)
end

figures.page = { title = "Which packs are best where processors fail?", opening = opening,
  heading = "Questions" }

return figures
