-- plan: what section 6.1 of RR-8795 and section 1.5.4 of the chapter say is simulated, and what is
-- asked for of it.
local command = require "orrery.command.command"
local drawing = require "orrery.command.drawing"
local orrery = require "orrery"

local paper = {}

-- Sizes m are uniform in m.
paper.sizes = {
  { key = "default", name = "m from 1,500,000 to 2,500,000", m = { 1.5e6, 2.5e6 } },
  { key = "heterogeneous", name = "heterogeneous: m from 1,500", m = { 1500, 2.5e6 } },
  { key = "homogeneous", name = "homogeneous: m from 2,499,000", m = { 2499000, 2.5e6 } },
}
for _, sizes in ipairs(paper.sizes) do paper.sizes[sizes.key] = sizes end

-- Colour: what happens at a fault; line and mark: what happens at an end.
local heuristic = drawing.heuristic
local BLUE, RED, GREEN, BLACK = drawing.BLUE, drawing.RED, drawing.GREEN, drawing.BLACK
local PURPLE, SKY, ORANGE, GREY = drawing.PURPLE, drawing.SKY, drawing.ORANGE, drawing.GREY

paper.heuristics = {
  heuristic("ig-eg", "IteratedGreedy-EndGreedy", "end-greedy+iterated-greedy", BLUE, 7),
  heuristic("ig-el", "IteratedGreedy-EndLocal", "end-local+iterated-greedy", BLUE, 6, 2),
  heuristic("stf-eg", "ShortestTasksFirst-EndGreedy", "end-greedy+shortest-tasks-first", RED, 5),
  heuristic("stf-el", "ShortestTasksFirst-EndLocal", "end-local+shortest-tasks-first", RED, 4, 2),
  heuristic("lit-eg", "ShortestTasksFirst (literal)-EndGreedy",
    "end-greedy+shortest-tasks-first-literal", GREEN, 9),
  heuristic("lit-el", "ShortestTasksFirst (literal)-EndLocal",
    "end-local+shortest-tasks-first-literal", GREEN, 8, 2),
}

-- What the papers do where nothing fails.
paper.ends = {
  heuristic("el", "EndLocal", "end-local", ORANGE, 4, 2),
  heuristic("eg", "EndGreedy", "end-greedy", SKY, 13),
}

-- What happens at a fault, where nothing does at an end.
paper.faults = {
  heuristic("ig", "IteratedGreedy alone", "none+iterated-greedy", BLUE, 7),
  heuristic("stf", "ShortestTasksFirst alone", "none+shortest-tasks-first", RED, 5),
  heuristic("lit", "ShortestTasksFirst (literal) alone", "none+shortest-tasks-first-literal",
    GREEN, 9),
}

paper.none = { key = "none", name = "No redistribution", policy = "none",
  style = { colour = GREY, marks = false } }
paper.fault_free = { key = "fault-free", name = "No faults (EndLocal)", policy = "end-local",
  style = { colour = BLACK, marks = false, dash = 3 } }

-- --- what is simulated --------------------------------------------------------------------------

local FULL = {
  runs = 50, tasks = 100, procs = 1000, many_tasks = 1000, many_procs = 5000,
  procs_free = { 200, 300, 400, 500, 600, 800, 1000, 1250, 1500, 1750, 2000 },
  many_procs_free = { 2000, 3000, 3500, 4000, 5000, 10000 },
  procs_faults = { 200, 350, 500, 750, 1000, 1500, 2000, 3000, 4000, 5000 },
  task_counts = { 100, 250, 500, 1000 },
  years = { 1, 2, 3, 5, 10, 15, 25, 50, 100, 125 },
  checkpoints = { 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1 },
  sequential = { 0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5 },
}

-- The same figures from small packs on small machines.
local QUICK = setmetatable({
  runs = 3, tasks = 20, procs = 200, many_tasks = 40, many_procs = 400,
  procs_free = { 40, 90, 400 }, many_procs_free = { 80, 800 }, procs_faults = { 40, 400 },
  task_counts = { 20, 40 }, years = { 1, 5, 100 }, checkpoints = { 0.1, 1 },
  sequential = { 0, 0.5 },
}, { __index = FULL })

-- The project's own, which no paper has.
local CAUTIOUS = "cautious-greedy"

local OWN = { PURPLE, SKY, ORANGE }

-- A policy beside the papers': given as on the command line.
local function other(name, i)
  return { key = name, name = name, policy = name, other = true,
    style = { colour = OWN[(i - 1) % #OWN + 1], mark = 13 } }
end

-- A policy that cannot be used is refused before anything runs.
local function try(heuristic_of)
  local ok, problem = pcall(orrery.session, { tasks = { n = 1 }, procs = 2,
    policy = heuristic_of.policy })
  if not ok then command.misuse("--policy %s: %s", heuristic_of.name, problem) end
end

-- Everything that is fixed before the first simulation, from the options: runs, seed, threads and
-- the values above;
--   heuristics  the papers' four pairs, shortest-tasks-first in both readings, and those of
--               --policy
--   by_key      all of them, those without faults included
function paper.plan(given)
  local base = given.quick and QUICK or FULL
  local plan = setmetatable({ given = given, heuristics = {}, by_key = {} }, { __index = base })
  plan.runs, plan.seed, plan.threads = given.runs or base.runs, given.seed, given.threads
  table.move(paper.heuristics, 1, #paper.heuristics, 1, plan.heuristics)
  for i, name in ipairs { CAUTIOUS, table.unpack(given.policy) } do
    local one = other(name, i)
    try(one)
    plan.heuristics[#plan.heuristics + 1] = one
  end
  local fixed = { paper.none, paper.fault_free }
  for _, list in ipairs { plan.heuristics, paper.ends, paper.faults, fixed } do
    for _, one in ipairs(list) do
      if plan.by_key[one.key] then command.misuse("--policy %s is there twice", one.key) end
      plan.by_key[one.key] = one
    end
  end
  return plan
end

return paper
