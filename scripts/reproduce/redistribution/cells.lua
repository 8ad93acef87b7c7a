-- cells: what was simulated, one number per heuristic and run.
--
-- A cell is a pack with its machine and its faults: { sizes =, n =, procs =, sequential =, years =
-- (MTBF of a processor; math.huge: nothing fails or takes checkpoints), checkpoint = (c) }. What
-- figures need is asked for first, then everything is run once, then looked up.
--
-- The independent samples are the runs: each has sizes and faults of its own, the same ones for
-- every heuristic. Run r uses the same random numbers in every cell, so that points of one curve
-- can be compared in pairs as well.
local orrery = require "orrery"
local cells = require "orrery.command.cells"

local execution = require "orrery.reproduce.redistribution.execution"
local paper = require "orrery.reproduce.redistribution.plan"

local packs = {}

local USUAL = { sizes = paper.sizes.default, sequential = 0.08, years = 100, checkpoint = 1 }

-- A cell of which at least n and procs are given; the rest is what the papers have where they say
-- nothing else.
function packs.of(given)
  local cell = {}
  for key, value in pairs(USUAL) do cell[key] = value end
  for key, value in pairs(given) do cell[key] = value end
  if cell.years == math.huge then cell.checkpoint = 0 end -- so that c does not tell them apart
  cell.id = ("%s n=%d p=%d f=%.17g mtbf=%.17g c=%.17g"):format(cell.sizes.key, cell.n, cell.procs,
    cell.sequential, cell.years, cell.checkpoint)
  return cell
end

-- The same pack and machine where nothing fails.
function packs.without_faults(cell)
  return packs.of { sizes = cell.sizes, n = cell.n, procs = cell.procs,
    sequential = cell.sequential, years = math.huge }
end

local Store = cells.class()

function packs.new(plan) return cells.new(Store, plan) end

-- --- what is simulated --------------------------------------------------------------------------

-- The fields that orrery.compare and orrery.session both take.
local function spec_of(cell, plan)
  return {
    tasks = { n = cell.n, m = cell.sizes.m, sequential = cell.sequential }, procs = cell.procs,
    seed = plan.seed, costs = { checkpoint = cell.checkpoint },
    faults = cell.years < math.huge and { mtbf_years = cell.years } or nil,
  }
end

local METRICS = { "normalised", "makespan", "faults", "redistributions", "moves" }

local function run_one(self, one)
  local spec = spec_of(one.cell, self.plan)
  spec.runs, spec.threads, spec.policies = self.plan.runs, self.plan.threads, {}
  local list = { paper.none, table.unpack(one.list) }
  for i, heuristic in ipairs(list) do spec.policies[i] = heuristic.policy end
  local result, numbers = orrery.compare(spec), {}
  for i, heuristic in ipairs(list) do
    numbers[heuristic.key] = cells.values(result, i, METRICS)
  end
  return numbers
end

local function step_through(self, one)
  local runs, spec = {}, spec_of(one.cell, self.plan)
  spec.policy = one.heuristic.policy
  for run = 1, self.plan.runs do
    spec.run = run
    runs[run] = execution.steps(orrery.session(spec))
  end
  return runs
end

-- --- asking -------------------------------------------------------------------------------------

-- Asks for a cell's numbers under a heuristic. `figure` is for whose time it is counted: the first
-- that asks.
function Store:need(figure, cell, heuristic)
  if heuristic == paper.fault_free then
    return self:need(figure, packs.without_faults(cell), paper.ends[1])
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

-- Asks for the runs of a cell event by event.
function Store:need_steps(figure, cell, heuristic)
  self:ask(figure, events_id(cell, heuristic), { cell = cell, heuristic = heuristic,
    compute = step_through, steps = function() return self.plan.runs end })
end

-- --- looking up ---------------------------------------------------------------------------------

-- What execution.steps gives, for each run.
function Store:steps(cell, heuristic) return self.results[events_id(cell, heuristic)] end

-- The numbers of all runs: { normalised =, makespan =, faults =, redistributions =, moves = } each
-- a list over runs; nil where they were not asked for. Normalised is by the makespan of the same
-- run (in the same cell) without redistribution.
function Store:get(cell, heuristic)
  local found = self.results[cell.id]
  if heuristic ~= paper.fault_free then return found and found[heuristic.key] end
  local free = self:get(packs.without_faults(cell), paper.ends[1])
  if not (found and free) then return nil end
  return { normalised = cells.divided(free.makespan, found.none.makespan),
    makespan = free.makespan, faults = free.faults, redistributions = free.redistributions,
    moves = free.moves }
end

return packs
