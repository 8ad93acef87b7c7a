-- cells: what was computed: a workload on a machine with at most k tasks in a pack, under several
-- heuristics.
--
-- The independent samples are the runs. Of Workload-III each has sizes of its own; of the small
-- workloads, whose tasks are fixed, only the random heuristics differ from run to run. All
-- heuristics meet the same tasks, so that they are compared pair by pair.
local orrery = require "orrery"
local cells = require "orrery.command.cells"

local METRICS = { "packs", "relative_cost", "packing_ratio", "relative_response", "over_bound",
  "seconds" }

local Store = cells.class()

local function run_one(self, cell)
  local policies, numbers = {}, {}
  for i, one in ipairs(cell.list) do policies[i] = one.policy end
  local result = orrery.packs { tasks = cell.tasks, procs = cell.procs, k = cell.k,
    bounds = cell.bounds, policies = policies, runs = self.plan.runs, seed = self.plan.seed }
  for i, one in ipairs(cell.list) do numbers[one.key] = cells.values(result, i, METRICS) end
  return numbers
end

-- Asks for a cell: { id =, tasks = (orrery.tasks, or a function of the run), procs =, k =, list =
-- (of heuristics) }, in the figure's name.
function Store:need(figure, cell)
  assert(not self.parts[cell.id], "every cell is asked for once")
  cell.compute = run_one
  function cell.steps() return #cell.list * self.plan.runs end
  self:ask(figure, cell.id, cell)
end

-- The samples of a metric in a cell that was computed; nil where they were not asked for.
function Store:samples(id, key, metric)
  local numbers = self.results[id] and self.results[id][key]
  return numbers and numbers[metric or "relative_cost"]
end

return { new = function(plan) return cells.new(Store, plan, "co-schedules") end }
