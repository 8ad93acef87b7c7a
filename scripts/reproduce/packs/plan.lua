-- plan: the workloads of section 6.1, as far as they are known, and the cells of simulations: a
-- workload on a machine with at most k tasks in a pack, under several heuristics.
--
-- The independent samples are the runs. For Workload-III each run has sizes of its own; for the
-- small workloads, whose tasks are fixed, only the random heuristics differ from run to run. All
-- heuristics meet the same tasks, so that they are compared pair by pair.
local cells = require "orrery.command.cells"
local command = require "orrery.command.command"
local drawing = require "orrery.command.drawing"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local paper = {}

-- --- Workload-III -------------------------------------------------------------------------------

local function log2(x) return math.log(x, 2) end

-- Sequential times without their constant c, which makes all of them `longest` at m = 10000.
local FORMS = {
  function(m) return m end,
  function(m, log_of) return m * log2(log_of or m) end,
  function(m) return m ^ 2 end,
  function(m) return m ^ 3 end,
}

local FRACTIONS = { 0, 0.04, 0.08, 0.16, 0.32 }

-- Overheads, s.
local OVERHEADS = {
  function(_, q) return log2(q) end,
  function(_, q) return log2(q) ^ 2 end,
  function(_, q) return q * log2(q) end,
  function(m, q) return m / q * log2(q) end,
  function(m, q) return math.sqrt(m / q) end,
  function(m, q) return m * log2(q) end,
}

local LARGEST = 10000 -- the m whose sequential time is given

paper.constants = {
  tasks = 260, nodes = 32, cores = 8, m_inf = 1000, m_sup = 10000, longest = 1e5, overhead = 1,
  log_of = "m",
}

-- The time of task number `index` (from 0) with size m on j nodes. The combinations of forms,
-- fractions and overheads are nested in this order, and come in turn.
local function time_of(constants, index, m)
  local form = FORMS[index // 30 % 4 + 1]
  local f, kappa = FRACTIONS[index // 6 % 5 + 1], OVERHEADS[index % 6 + 1]
  local log_of = constants.log_of == "tasks" and constants.tasks or nil
  local alone = constants.longest * form(m, log_of) / form(LARGEST, log_of)
  return function(j)
    local q = constants.cores * j
    return f * alone + (1 - f) * alone / q + constants.overhead * kappa(m, q)
  end
end

-- The tasks of a run: equal combinations every time, new uniform sizes.
function paper.large(constants, seed)
  return function(run)
    local list = {}
    for i = 1, constants.tasks do
      local rng = orrery.random { seed = seed, scenario = run, entity = i }
      local m = rng:uniform(constants.m_inf, constants.m_sup)
      list[i] = { m = m, time = time_of(constants, i - 1, m), most = constants.nodes }
    end
    return orrery.tasks.list(list)
  end
end

-- --- Workloads I and II -------------------------------------------------------------------------

-- Profiles on 16 nodes, which scripts/reproduce/packs/profiles/README.md explains.
paper.small = {
  { key = "2", name = "Workload-I", file = "ten-applications.csv", procs = 16,
    sizes = { 2, 4, 6, 8, 10 } },
  { key = "3", name = "Workload-II", file = "six-applications.csv", procs = 16,
    sizes = { 2, 4, 6 } },
}

function paper.small_tasks(one)
  return orrery.tasks.read(orrery.home .. "/scripts/reproduce/packs/profiles/" .. one.file)
end

-- --- heuristics ---------------------------------------------------------------------------------

local heuristic = drawing.heuristic
local BLUE, RED, GREEN, BLACK = drawing.BLUE, drawing.RED, drawing.GREEN, drawing.BLACK
local PURPLE, SKY, ORANGE = drawing.PURPLE, drawing.SKY, drawing.ORANGE

-- Colour: the heuristic; open marks and dashes: a single run.
paper.heuristics = {
  heuristic("approx", "PACK-APPROX", "pack/pack-approx", GREEN, 9),
  heuristic("pbp-1", "PACK-BY-PACK-1", "pack/pack-by-pack", BLUE, 6, 2),
  heuristic("pbp-9", "PACK-BY-PACK-9", "pack/pack-by-pack:runs=9", BLUE, 7),
  heuristic("pack-1", "RANDOM-PACK-1", "pack/random-pack", RED, 4, 2),
  heuristic("pack-9", "RANDOM-PACK-9", "pack/random-pack:runs=9", RED, 5),
  heuristic("proc-1", "RANDOM-PROC-1", "pack/random-proc", ORANGE, 12, 2),
  heuristic("proc-9", "RANDOM-PROC-9", "pack/random-proc:runs=9", ORANGE, 13),
  heuristic("cuts", "sorted-cuts (not in the paper)", "pack/sorted-cuts", PURPLE, 11),
}

paper.optimal = heuristic("optimal", "optimum", "pack/optimal", BLACK, 1, 3)
paper.optimal.style.marks = false
paper.two = heuristic("two", "optimum for k = 2", "pack/two-in-p", BLACK, 2)

-- Readings of PACK-APPROX (spec/READINGS.md, 17), and the slower local search.
paper.readings = {
  heuristic("approx-none", "PACK-APPROX as printed", "pack/pack-approx:balance=none", SKY, 8, 2),
  heuristic("approx-each", "PACK-APPROX, balance in each step", "pack/pack-approx:balance=each",
    SKY, 10),
  heuristic("swaps", "sorted-cuts with swaps", "pack/sorted-cuts:swaps=true", PURPLE, 10, 2),
}

-- The variants that section 5 tried, each after the heuristic from which it comes.
paper.variations = {
  heuristic("pbp-full", "PACK-BY-PACK-9, fullest packs", "pack/pack-by-pack:runs=9,fill=fullest",
    SKY, 11),
  heuristic("pbp-99", "PACK-BY-PACK-99", "pack/pack-by-pack:runs=99", BLUE, 6, 2),
  heuristic("pack-99", "RANDOM-PACK-99", "pack/random-pack:runs=99", RED, 4, 2),
  heuristic("proc-99", "RANDOM-PROC-99", "pack/random-proc:runs=99", ORANGE, 12, 2),
}

-- --- computations --------------------------------------------------------------------------------

local FULL = { runs = 30, sizes = { 2, 4, 8, 16, 32 }, variant_sizes = { 4, 16, 32 } }
local QUICK = { runs = 3, sizes = { 4, 32 }, variant_sizes = { 32 } }

-- The open parameters of Workload-III, one change at a time.
paper.variants = {
  { key = "as read", change = {} },
  { key = "longest task 1e3 s", change = { longest = 1e3 } },
  { key = "longest task 1e4 s", change = { longest = 1e4 } },
  { key = "longest task 1e6 s", change = { longest = 1e6 } },
  { key = "longest task 1e7 s", change = { longest = 1e7 } },
  { key = "m from 100", change = { m_inf = 100 } },
  { key = "m from 5000", change = { m_inf = 5000 } },
  { key = "all m = 10000", change = { m_inf = 10000 } },
  { key = "no overheads", change = { overhead = 0 } },
  { key = "overheads / 10", change = { overhead = 0.1 } },
  { key = "overheads x 10", change = { overhead = 10 } },
  { key = "log2 of the number of tasks", change = { log_of = "tasks" } },
  { key = "256 processors of one core", change = { nodes = 256, cores = 1 } },
}

function paper.plan(given)
  local plan = reproduction.plan(given, FULL, QUICK)
  plan.constants = {}
  for name, value in pairs(paper.constants) do
    local mine = given[name]
    plan.constants[name] = mine == nil and value or mine
  end
  if plan.constants.m_inf > plan.constants.m_sup then
    command.misuse("--m-inf %.17g is more than --m-sup %.17g", plan.constants.m_inf,
      plan.constants.m_sup)
  end
  return plan
end

-- --- cells --------------------------------------------------------------------------------------

local METRICS = { "packs", "relative_cost", "packing_ratio", "relative_response", "over_bound",
  "seconds" }

local Store = cells.class "co-schedules"
paper.Store = Store

local function run_one(self, cell)
  return cells.by_key(orrery.packs { tasks = cell.tasks, procs = cell.procs, k = cell.k,
    bounds = cell.bounds, policies = lists.fields(cell.list, "policy"),
    runs = self.plan.runs, seed = self.plan.seed }, cell.list, METRICS)
end

local function id_of(name, k) return ("%s k=%d"):format(name, k) end

-- Asks for a cell with at most k tasks in a pack, in the figure's name: { tasks = (orrery.tasks, or
-- a function of the run), procs =, list = (of heuristics) }. name: the figure's, or of a variant.
function Store:need(figure, name, k, cell)
  assert(not self.parts[id_of(name, k)], "every cell is asked for once")
  cell.name, cell.k, cell.compute = name, k, run_one
  function cell.steps() return #cell.list * self.plan.runs end
  self:ask(figure, id_of(name, k), cell)
end

-- The samples of a metric in a computed cell; nil where they were not computed.
function Store:samples(name, k, key, metric)
  return self:found(id_of(name, k), key, metric)
end

return paper
