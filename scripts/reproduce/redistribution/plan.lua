-- plan: the simulations of section 6.1 of RR-8795 and section 1.5.4 of the chapter: their settings,
-- their cells, and one number per heuristic and run.
--
-- The independent samples are the runs: each has sizes and faults of its own, equal for every
-- heuristic. Run r uses the same random numbers in every cell, so that points of one curve can be
-- compared in pairs as well.
local cells = require "orrery.command.cells"
local command = require "orrery.command.command"
local drawing = require "orrery.command.drawing"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local paper = {}

-- Sizes m are uniform in m.
paper.sizes = {
  { key = "default", m = { 1.5e6, 2.5e6 }, short = "usual sizes",
    name = "m from 1,500,000 to 2,500,000" },
  { key = "heterogeneous", m = { 1500, 2.5e6 }, short = "heterogeneous",
    name = "heterogeneous: m from 1,500" },
  { key = "homogeneous", m = { 2499000, 2.5e6 }, short = "homogeneous",
    name = "homogeneous: m from 2,499,000" },
}
for _, sizes in ipairs(paper.sizes) do paper.sizes[sizes.key] = sizes end

-- Colour: the heuristic at a fault; line and mark: the heuristic at an end.
local named = drawing.heuristic
local BLUE, RED, GREEN, BLACK = drawing.BLUE, drawing.RED, drawing.GREEN, drawing.BLACK
local PURPLE, SKY, ORANGE, GREY = drawing.PURPLE, drawing.SKY, drawing.ORANGE, drawing.GREY

paper.heuristics = {
  named("ig-eg", "IteratedGreedy-EndGreedy", "end-greedy+iterated-greedy", BLUE, 7),
  named("ig-el", "IteratedGreedy-EndLocal", "end-local+iterated-greedy", BLUE, 6, 2),
  named("stf-eg", "ShortestTasksFirst-EndGreedy", "end-greedy+shortest-tasks-first", RED, 5),
  named("stf-el", "ShortestTasksFirst-EndLocal", "end-local+shortest-tasks-first", RED, 4, 2),
  named("lit-eg", "ShortestTasksFirst (literal)-EndGreedy",
    "end-greedy+shortest-tasks-first-literal", GREEN, 9),
  named("lit-el", "ShortestTasksFirst (literal)-EndLocal",
    "end-local+shortest-tasks-first-literal", GREEN, 8, 2),
}

-- The papers' heuristics at ends, for machines that never fail.
paper.ends = {
  named("el", "EndLocal", "end-local", ORANGE, 4, 2),
  named("eg", "EndGreedy", "end-greedy", SKY, 13),
}

-- The heuristics at faults, without any at ends.
paper.faults = {
  named("ig", "IteratedGreedy alone", "none+iterated-greedy", BLUE, 7),
  named("stf", "ShortestTasksFirst alone", "none+shortest-tasks-first", RED, 5),
  named("lit", "ShortestTasksFirst (literal) alone", "none+shortest-tasks-first-literal",
    GREEN, 9),
}

paper.none = { key = "none", name = "No redistribution", policy = "none",
  style = { colour = GREY, marks = false } }
paper.fault_free = { key = "fault-free", name = "No faults (EndLocal)", policy = "end-local",
  style = { colour = BLACK, marks = false, dash = 3 } }

-- --- settings ------------------------------------------------------------------------------------

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

-- The same figures with small packs on small machines.
local QUICK = {
  runs = 3, tasks = 20, procs = 200, many_tasks = 40, many_procs = 400,
  procs_free = { 40, 90, 400 }, many_procs_free = { 80, 800 }, procs_faults = { 40, 400 },
  task_counts = { 20, 40 }, years = { 1, 5, 100 }, checkpoints = { 0.1, 1 },
  sequential = { 0, 0.5 },
}

-- The project's own policy, which no paper has.
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
--   heuristics  the papers' four pairs, shortest-tasks-first in both readings, and the policies of
--               --policy
--   by_key      all heuristics, also those without faults
function paper.plan(given)
  local plan = reproduction.plan(given, FULL, QUICK)
  plan.heuristics, plan.by_key = lists.joined(paper.heuristics), {}
  for i, name in ipairs { CAUTIOUS, table.unpack(given.policy) } do
    local one = other(name, i)
    try(one)
    plan.heuristics[#plan.heuristics + 1] = one
  end
  for _, one in ipairs(lists.joined(plan.heuristics, paper.ends, paper.faults,
    { paper.none, paper.fault_free })) do
    if plan.by_key[one.key] then command.misuse("--policy %s is there twice", one.key) end
    plan.by_key[one.key] = one
  end
  return plan
end

-- --- cells --------------------------------------------------------------------------------------

-- A cell is a pack with its machine and its faults: { sizes =, n =, procs =, sequential =, years =
-- (MTBF of a processor; math.huge: nothing fails or takes checkpoints), checkpoint = (c) }.
local USUAL = { sizes = paper.sizes.default, sequential = 0.08, years = 100, checkpoint = 1 }

-- A cell of which at least n and procs are given; the other fields have the papers' usual values.
function paper.cell(given)
  local cell = lists.merged(USUAL, given)
  if cell.years == math.huge then cell.checkpoint = 0 end -- so that cells do not differ by c
  cell.id = ("%s n=%d p=%d f=%.17g mtbf=%.17g c=%.17g"):format(cell.sizes.key, cell.n, cell.procs,
    cell.sequential, cell.years, cell.checkpoint)
  return cell
end

-- The cell of the same pack and machine where nothing fails.
function paper.without_faults(cell)
  return paper.cell(lists.merged(cell, { years = math.huge }))
end

-- --- one execution ------------------------------------------------------------------------------

-- The state of a session: the number of running tasks, the mean and standard deviation of their
-- processors, and the expected makespan.
local function step_of(session)
  local count, sum, squares = 0, 0, 0
  for _, task in ipairs(session:running()) do
    count, sum, squares = count + 1, sum + task.procs, squares + task.procs ^ 2
  end
  local mean = count > 0 and sum / count or 0
  return { time = session.now, running = count, mean = mean,
    sd = count > 0 and math.sqrt(math.max(0, squares / count - mean ^ 2)) or 0,
    makespan = session.over and session.now or session.expected }
end

-- A fresh session's run, event by event: a list of { time = (s), makespan = (s), running =, mean =,
-- sd = }, each valid from its time to the next. makespan: the expected one at that time, at the end
-- the run's own; mean, sd: of the processors of running tasks, over these tasks.
local function steps_of(session)
  local steps = { step_of(session) }
  while not session.over do
    session:step()
    steps[#steps + 1] = step_of(session)
  end
  return steps
end

function paper.until_first_end(steps)
  local part = {}
  for i, step in ipairs(steps) do
    part[i] = step
    if step.running < steps[1].running then break end
  end
  return part
end

-- A quantity's mean over the time of the run.
function paper.over_time(steps, quantity)
  local sum = 0
  for i = 1, #steps - 1 do
    sum = sum + steps[i][quantity] * (steps[i + 1].time - steps[i].time)
  end
  return sum / steps[#steps].time
end

-- --- computations --------------------------------------------------------------------------------

local Store = cells.class()
paper.Store = Store

-- The fields that orrery.compare and orrery.session both take.
local function spec_of(cell, plan)
  return {
    tasks = { n = cell.n, m = cell.sizes.m, sequential = cell.sequential }, procs = cell.procs,
    seed = plan.seed, costs = { checkpoint = cell.checkpoint },
    faults = cell.years < math.huge and { mtbf_years = cell.years } or nil,
  }
end

-- Measures a single run, on one thread: the processor seconds of its simulation, with all decisions
-- of the heuristics, and its results.
local function time_one(self, cell, heuristic, run)
  local spec = spec_of(cell, self.plan)
  spec.policy, spec.run = heuristic.policy, run
  local begun = os.clock()
  local session = orrery.session(spec)
  session:finish()
  local seconds, measured = os.clock() - begun, session:measure()
  return { seconds = seconds, makespan = measured.makespan, faults = measured.faults,
    fatal = measured.fatal }
end

local function time_all(self, one)
  local numbers = {}
  for _, heuristic in ipairs(paper.heuristics) do
    local runs = {}
    for run = 1, self.plan.runs do runs[run] = time_one(self, one.cell, heuristic, run) end
    numbers[heuristic.key] = {}
    for _, metric in ipairs { "seconds", "makespan", "faults", "fatal" } do
      numbers[heuristic.key][metric] = lists.fields(runs, metric)
    end
  end
  return numbers
end

local METRICS = { "normalised", "makespan", "faults", "redistributions", "moves" }

local function run_one(self, one)
  local spec = spec_of(one.cell, self.plan)
  spec.runs, spec.threads = self.plan.runs, self.plan.threads
  local list = { paper.none, table.unpack(one.list) }
  spec.policies = lists.fields(list, "policy")
  return cells.by_key(orrery.compare(spec), list, METRICS)
end

local function step_through(self, one)
  local runs, spec = {}, spec_of(one.cell, self.plan)
  spec.policy = one.heuristic.policy
  for run = 1, self.plan.runs do
    spec.run = run
    runs[run] = steps_of(orrery.session(spec))
  end
  return runs
end

-- --- asking -------------------------------------------------------------------------------------

-- Asks for a cell's numbers under a heuristic. `figure` is the figure that its time counts for: the
-- first that asks.
function Store:need(figure, cell, heuristic)
  if heuristic == paper.fault_free then
    return self:need(figure, paper.without_faults(cell), paper.ends[1])
  end
  local one = self:ask(figure, cell.id, { cell = cell, list = {}, has = {}, compute = run_one,
    steps = function(_, part) return (#part.list + 1) * self.plan.runs end })
  if not one.has[heuristic.key] then
    one.has[heuristic.key] = true
    one.list[#one.list + 1] = heuristic
  end
end

local function events_id(cell, heuristic)
  return ("%s %s by events"):format(cell.id, heuristic.key)
end

function Store:need_steps(figure, cell, heuristic)
  self:ask(figure, events_id(cell, heuristic), { cell = cell, heuristic = heuristic,
    compute = step_through, steps = function() return self.plan.runs end })
end

local function times_id(cell) return cell.id .. " timed" end

-- Asks for the time that simulations of a cell take, under each of the papers' heuristics.
function Store:need_times(figure, cell)
  self:ask(figure, times_id(cell), { cell = cell, compute = time_all,
    steps = function() return #paper.heuristics * self.plan.runs end })
end

-- --- looking up ---------------------------------------------------------------------------------

-- For the runs under a heuristic: { seconds =, makespan =, faults =, fatal = }, each a list.
function Store:timed(cell, heuristic) return self.results[times_id(cell)][heuristic.key] end

function Store:steps(cell, heuristic) return self.results[events_id(cell, heuristic)] end

-- The numbers of all runs: { normalised =, makespan =, faults =, redistributions =, moves = } each
-- a list over runs; nil where they were not computed. Normalised means divided by the makespan of
-- the same run (in the same cell) without redistribution.
function Store:get(cell, heuristic)
  if heuristic ~= paper.fault_free then return self:found(cell.id, heuristic.key) end
  local none, free = self:found(cell.id, "none", "makespan"),
    self:get(paper.without_faults(cell), paper.ends[1])
  return none and free
    and lists.merged(free, { normalised = cells.divided(free.makespan, none) }) or nil
end

return paper
