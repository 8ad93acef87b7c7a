-- cells: what was computed: a workload on a machine with at most k tasks in a pack, under several
-- heuristics.
--
-- The independent samples are the runs. Of Workload-III each has sizes of its own; of the small
-- workloads, whose tasks are fixed, only the random heuristics differ from run to run. All
-- heuristics meet the same tasks, so that they are compared pair by pair.
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local cells = {}

local METRICS = { "packs", "relative_cost", "packing_ratio", "relative_response", "over_bound",
  "seconds" }

local Store = {}
Store.__index = Store

function cells.new(plan)
  return setmetatable({ plan = plan, order = {}, wanted = {} }, Store)
end

-- Asks for a cell: { id =, tasks = (orrery.tasks, or a function of the run), procs =, k =, list =
-- (of heuristics) }, in the figure's name.
function Store:need(figure, cell)
  assert(not self.wanted[cell.id], "every cell is asked for once")
  self.wanted[cell.id] = cell
  cell.figure = figure
  self.order[#self.order + 1] = cell
end

local function run_one(self, cell)
  local policies = {}
  for i, one in ipairs(cell.list) do policies[i] = one.policy end
  local result = orrery.packs { tasks = cell.tasks, procs = cell.procs, k = cell.k,
    bounds = cell.bounds, policies = policies, runs = self.plan.runs, seed = self.plan.seed }
  local found = { numbers = {}, repaired = result:coschedule(1).problem.tasks.repaired }
  for i, one in ipairs(cell.list) do
    found.numbers[one.key] = {}
    for _, metric in ipairs(METRICS) do
      found.numbers[one.key][metric] = result:values(i, metric)
    end
  end
  return found
end

-- Computes what was asked for in the figure's name.
function Store:run(figure)
  if not self.clock then
    local total = 0
    for _, cell in ipairs(self.order) do total = total + #cell.list * self.plan.runs end
    self.clock = reproduction.clock(self.plan.given, total, "co-schedules")
  end
  for _, cell in ipairs(self.order) do
    if cell.figure == figure then
      local found = self.clock:run(figure, #cell.list * self.plan.runs, cell.id, run_one, self,
        cell)
      cell.numbers, cell.repaired = found.numbers, found.repaired
    end
  end
end

-- The samples of a metric in a cell that was computed; nil where they were not asked for.
function Store:samples(id, key, metric)
  local cell = self.wanted[id]
  local numbers = cell and cell.numbers and cell.numbers[key]
  return numbers and numbers[metric or "relative_cost"]
end

-- How long it took: a list of { figure =, simulations =, cpu_seconds =, seconds = }.
function Store:times()
  local times = {}
  for i, one in ipairs(self.clock.order) do
    times[i] = { figure = one.key, simulations = one.steps, cpu_seconds = one.cpu,
      seconds = math.tointeger(one.wall) }
  end
  return times
end

return cells
