-- plan: the tasks, machines and policies, and the resulting numbers.
local cells = require "orrery.command.cells"
local drawing = require "orrery.command.drawing"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local paper = {}

-- --- comparisons ---------------------------------------------------------------------------------

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

local heuristic = drawing.heuristic

paper.packs = {
  heuristic("pbp", "PACK-BY-PACK-9", "pack/pack-by-pack:runs=9", drawing.BLUE, 9),
  heuristic("wide", "k at a time", { name = "k at a time", pack = wide }, drawing.ORANGE, 13),
  heuristic("random", "RANDOM-PACK-9", "pack/random-pack:runs=9", drawing.RED, 5),
  heuristic("cuts", "sorted-cuts", "pack/sorted-cuts", drawing.PURPLE, 11),
  heuristic("alone", "one by one", "pack/one-by-one", drawing.BLACK, 7),
}

paper.moves = {
  { key = "none", name = "no redistribution", policy = "redistribute/none" },
  { key = "el", name = "EndLocal", policy = "end-local+none" },
  { key = "ig", name = "IteratedGreedy-EndGreedy", policy = "end-greedy+iterated-greedy" },
  { key = "stf", name = "ShortestTasksFirst-EndLocal",
    policy = "end-local+shortest-tasks-first" },
}

-- Sequential fractions of the tasks, in turn: some scale far, others do not.
local FRACTIONS = { 0, 0.04, 0.08, 0.16, 0.32 }

-- The tasks of a run, with new sizes.
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

-- values: of each figure.
local FULL = { usual = USUAL, runs = 15,
  values = { mtbf = { 1, 2, 5, 10, 20, 50, math.huge }, k = { 2, 5, 10, 20, 30, 60 } } }
local QUICK = { usual = { n = 12, procs = 48, k = 4, years = 5, m = USUAL.m }, runs = 3,
  values = { mtbf = { 1, math.huge }, k = { 2, 12 } } }

-- points: of the requested figures, by name.
function paper.plan(given)
  local plan = reproduction.plan(given, FULL, QUICK)
  plan.points = {}
  return plan
end

-- --- running ------------------------------------------------------------------------------------

paper.metrics = { "makespan", "faults", "redistributions", "useful", "checkpoint", "lost",
  "recovery", "redistribution", "idle" }

local function run_point(self, part)
  local plan, point = self.plan, part.point
  local result = orrery.compare {
    tasks = tasks_of(point, plan.seed), procs = point.procs, k = point.k, runs = plan.runs,
    packs = lists.fields(paper.packs, "policy"), seed = plan.seed, threads = plan.threads,
    policies = lists.fields(paper.moves, "policy"), costs = { checkpoint = 0.1 },
    faults = point.years < math.huge and { mtbf_years = point.years } or nil,
  }
  local at, all = 0, {}
  for _, pack in ipairs(paper.packs) do
    for _, moves in ipairs(paper.moves) do
      at = at + 1
      local numbers = cells.values(result, at, paper.metrics)
      numbers.packs = {}
      for run, list in ipairs(result.partitions[at]) do numbers.packs[run] = #list end
      all[pack.key .. " " .. moves.key] = numbers
    end
  end
  return all
end

local Store = cells.class()
paper.Store = Store

-- Asks for the points of a figure: the usual setting with one value changed. x: its place; machines
-- that never fail are at the right.
function Store:need(name)
  local points, values, changed = {}, self.plan.values[name], name == "mtbf" and "years" or "k"
  for i, value in ipairs(values) do
    points[i] = lists.merged(self.plan.usual, { [changed] = value,
      x = value < math.huge and value or 3 * values[#values - 1],
      id = ("%s %.17g"):format(name, value),
      at = name == "k" and ("k = %d"):format(value) or value == math.huge and "no faults"
        or ("MTBF %g years"):format(value) })
    self:ask(name, points[i].id, { point = points[i], compute = run_point,
      steps = function() return #paper.packs * #paper.moves * self.plan.runs end })
  end
  self.plan.points[name] = points
end

function Store:samples(point, pack, moves, metric)
  return self.results[point.id][pack .. " " .. moves][metric]
end

-- Makespans divided by the makespan of PACK-BY-PACK-9 without redistribution.
function Store:relative(point, pack, moves)
  return cells.divided(self:samples(point, pack, moves, "makespan"),
    self:samples(point, "pbp", "none", "makespan"))
end

return paper
