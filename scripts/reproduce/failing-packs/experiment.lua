-- experiment: the tasks, machines and policies, and the numbers that come out.
local cells = require "orrery.command.cells"
local csv = require "orrery.command.csv"
local drawing = require "orrery.command.drawing"
local figure = require("orrery").draw.figure
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local experiment = {}

experiment.names = {
  { "mtbf", "makespans against the MTBF" }, { "k", "makespans against the most tasks in a pack" },
}

-- --- what is compared ---------------------------------------------------------------------------

-- All tasks together, as many as k allows, in order of their lengths.
local function wide(problem)
  local order, packs = {}, {}
  for task = 1, #problem do order[task] = task end
  table.sort(order, function(a, b)
    local first, second = problem:time(a, 1), problem:time(b, 1)
    if first ~= second then return first > second end
    return a < b
  end)
  for at, task in ipairs(order) do
    local b = (at - 1) // problem.k + 1
    packs[b] = packs[b] or {}
    table.insert(packs[b], task)
  end
  return packs
end

local BLUE, RED, BLACK = drawing.BLUE, drawing.RED, drawing.BLACK
local PURPLE, ORANGE = drawing.PURPLE, drawing.ORANGE

experiment.packs = {
  { key = "pbp", name = "PACK-BY-PACK-9", policy = "pack/pack-by-pack:runs=9", colour = BLUE,
    mark = 9 },
  { key = "wide", name = "k at a time", policy = { name = "k at a time", pack = wide },
    colour = ORANGE, mark = 13 },
  { key = "random", name = "RANDOM-PACK-9", policy = "pack/random-pack:runs=9", colour = RED,
    mark = 5 },
  { key = "cuts", name = "sorted-cuts", policy = "pack/sorted-cuts", colour = PURPLE, mark = 11 },
  { key = "alone", name = "one by one", policy = "pack/one-by-one", colour = BLACK, mark = 7,
    hidden = true }, -- far above all others
}

experiment.moves = {
  { key = "none", name = "no redistribution", policy = "redistribute/none" },
  { key = "el", name = "EndLocal", policy = "end-local+none" },
  { key = "ig", name = "IteratedGreedy-EndGreedy", policy = "end-greedy+iterated-greedy" },
  { key = "stf", name = "ShortestTasksFirst-EndLocal",
    policy = "end-local+shortest-tasks-first" },
}

-- Sequential fractions of the tasks, in turn: some get faster for long, others soon do not.
local FRACTIONS = { 0, 0.04, 0.08, 0.16, 0.32 }

-- The tasks of a run: sizes drawn anew.
local function tasks_of(point, seed)
  return function(run)
    local list = {}
    for i = 1, point.n do
      local rng = orrery.random { seed = seed, scenario = run, entity = i }
      list[i] = { m = rng:uniform(point.m[1], point.m[2]), f = FRACTIONS[(i - 1) % #FRACTIONS + 1] }
    end
    return orrery.tasks.list(list)
  end
end

local USUAL = { n = 60, procs = 240, k = 20, years = 20, m = { 1.5e5, 2.5e6 } }

local FULL = { years = { 1, 2, 5, 10, 20, 50, math.huge }, k = { 2, 5, 10, 20, 30, 60 } }
local QUICK = { years = { 1, math.huge }, k = { 2, 12 },
  usual = { n = 12, procs = 48, k = 4, years = 5, m = { 1.5e5, 2.5e6 } }, runs = 3 }

function experiment.plan(given)
  local base = given.quick and QUICK or FULL
  return { given = given, usual = base.usual or USUAL, years = base.years, k = base.k,
    runs = given.runs or base.runs or 15, seed = given.seed, threads = given.threads, points = {} }
end

-- --- running ------------------------------------------------------------------------------------

-- The points of a figure: the usual setting with one value changed.
local function points_of(plan, name)
  local list = {}
  for i, x in ipairs(name == "mtbf" and plan.years or plan.k) do
    local point = { x = x, numbers = {} }
    for key, value in pairs(plan.usual) do point[key] = value end
    point[name == "mtbf" and "years" or "k"] = x
    list[i] = point
  end
  return list
end

local METRICS = { "makespan", "faults", "redistributions", "useful", "checkpoint", "lost",
  "recovery", "redistribution", "idle" }

local function run_point(self, part)
  local plan, point, packs, policies = self.plan, part.point, {}, {}
  for i, one in ipairs(experiment.packs) do packs[i] = one.policy end
  for i, one in ipairs(experiment.moves) do policies[i] = one.policy end
  local result = orrery.compare {
    tasks = tasks_of(point, plan.seed), procs = point.procs, k = point.k, packs = packs,
    policies = policies, runs = plan.runs, seed = plan.seed, threads = plan.threads,
    faults = point.years < math.huge and { mtbf_years = point.years } or nil,
    costs = { checkpoint = 0.1 },
  }
  local at, all = 0, {}
  for _, pack in ipairs(experiment.packs) do
    for _, moves in ipairs(experiment.moves) do
      at = at + 1
      local numbers = cells.values(result, at, METRICS)
      numbers.packs = {}
      for run, list in ipairs(result.partitions[at]) do numbers.packs[run] = #list end
      all[pack.key .. " " .. moves.key] = numbers
    end
  end
  return all
end

local Store = cells.class()

function experiment.store(plan) return cells.new(Store, plan) end

-- Asks for the points of the chosen figures.
function experiment.need(store, plan, chosen)
  local function steps() return #experiment.packs * #experiment.moves * plan.runs end
  for _, one in ipairs(experiment.names) do
    plan.points[one[1]] = chosen[one[1]] and points_of(plan, one[1]) or nil
    for _, point in ipairs(plan.points[one[1]] or {}) do
      point.id = ("%s %.17g"):format(one[1], point.x)
      store:ask(one[1], point.id, { point = point, steps = steps, compute = run_point })
    end
  end
end

-- The samples of a metric at a point.
function experiment.samples(point, pack, moves, metric)
  return point.numbers[pack .. " " .. moves][metric or "makespan"]
end

-- --- output -------------------------------------------------------------------------------------

-- Makespans over those of PACK-BY-PACK-9 without redistribution.
function experiment.relative(point, pack, moves)
  return cells.divided(experiment.samples(point, pack, moves),
    experiment.samples(point, "pbp", "none"))
end

local function write_table(plan, name)
  local rows = {}
  for _, point in ipairs(plan.points[name]) do
    for _, pack in ipairs(experiment.packs) do
      for _, moves in ipairs(experiment.moves) do
        local s = orrery.summary(experiment.relative(point, pack.key, moves.key))
        local row = { mtbf_years = point.years, k = point.k, packs_by = pack.name,
          heuristic = moves.name, runs = s.count, relative = s.mean,
          relative_half_width = s.half_width,
          packs = orrery.summary(experiment.samples(point, pack.key, moves.key, "packs")).mean }
        if row.mtbf_years == math.huge then row.mtbf_years = "inf" end
        for _, metric in ipairs(METRICS) do
          row[metric] = orrery.summary(experiment.samples(point, pack.key, moves.key, metric)).mean
        end
        rows[#rows + 1] = row
      end
    end
  end
  reproduction.write(plan.given, ("figure-%s.csv"):format(name), csv.text({ "mtbf_years", "k",
    "packs_by", "heuristic", "runs", "packs", "relative", "relative_half_width",
    table.unpack(METRICS) }, rows))
end

-- Where a point stands: what never fails to the right of all others.
local function place(plan, point, name)
  if name == "k" then return point.k end
  return point.years < math.huge and point.years or 3 * plan.years[#plan.years - 1]
end

local function draw(plan, name)
  local points, ticks = plan.points[name], {}
  for i, point in ipairs(points) do
    local text = point.x == math.huge and "never" or ("%g"):format(point.x)
    ticks[i] = { place(plan, point, name), text }
  end
  local spec = { columns = 2, panel = { 460, 330 }, curves = {}, styles = {}, panels = {},
    title = ("%d tasks on %d processors, makespan over that of PACK-BY-PACK-9 "
      .. "without redistribution"):format(plan.usual.n,
      plan.usual.procs) }
  for _, pack in ipairs(experiment.packs) do
    if not pack.hidden then spec.curves[#spec.curves + 1] = pack.name end
    spec.styles[pack.name] = { colour = pack.colour, mark = pack.mark }
  end
  for i, moves in ipairs(experiment.moves) do
    local panel = { title = moves.name, y = "relative makespan", logx = true, xticks = ticks,
      x = name == "k" and "most tasks in a pack" or "MTBF of a processor (years)",
      xrange = { ticks[1][1] / 1.2, ticks[#ticks][1] * 1.2 }, curves = {} }
    for _, pack in ipairs(experiment.packs) do
      local curve = {}
      for p, point in ipairs(points) do
        local s = orrery.summary(experiment.relative(point, pack.key, moves.key))
        curve[p] = { ticks[p][1], s.mean, s.half_width }
      end
      panel.curves[pack.name] = curve
    end
    spec.panels[i] = panel
  end
  figure.write(plan.given.out .. "/figure-" .. name, spec)
end

-- Writes a figure's table and pictures.
function experiment.write(store, plan, name)
  for _, point in ipairs(plan.points[name]) do point.numbers = store.results[point.id] end
  write_table(plan, name)
  draw(plan, name)
end

return experiment
