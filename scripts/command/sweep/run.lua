-- run: the computation of one cell of a sweep, and the order of the cells.
local csv = require "orrery.command.csv"
local grid = require "orrery.command.sweep.grid"
local lists = require "orrery.support.lists"
local orrery = require "orrery"

local run = {}

local function metrics_of(spec, result)
  return spec.metrics or result.kind.csv.metrics
end

local SUMMARY = { "count", "mean", "sd", "half_width", "min", "max" }

-- A row: the mark of the cell, the policy where it is not an axis, then the texts in the list.
local function row(spec, result, policy, list)
  if grid.names_policy(spec) then
    table.insert(list, 1, csv.field(result.policies[policy].name))
  end
  return grid.ROW .. table.concat(list, ",") .. "\n"
end

local function summary_rows(spec, result)
  local rows = {}
  for policy in ipairs(result.policies) do
    for _, metric in ipairs(metrics_of(spec, result)) do
      local summary, list = result:summary(policy, metric), { metric }
      for n, name in ipairs(SUMMARY) do list[n + 1] = csv.number(summary[name]) end
      rows[#rows + 1] = row(spec, result, policy, list)
    end
  end
  return table.concat(rows)
end

-- The columns behind the policy's, then a row per policy, set and run.
local function run_rows(spec, result)
  local metrics = metrics_of(spec, result)
  local rows = { "set,run," .. table.concat(metrics, ",") .. "\n" }
  for policy in ipairs(result.policies) do
    for s, set in ipairs(result.sets) do
      local values = {}
      for m, metric in ipairs(metrics) do values[m] = result:values(policy, metric, s) end
      for r = 1, #values[1] do
        local list = { csv.field(set.name or "all"), tostring(r) }
        for m in ipairs(metrics) do list[m + 2] = csv.number(values[m][r]) end
        rows[#rows + 1] = row(spec, result, policy, list)
      end
    end
  end
  return table.concat(rows)
end

-- What is not modelled or not read of the logs, a sentence in a line.
local function notes_of(result)
  local list = lists.those(result.notes, function(note)
    return note:find "^not modelled" or note:find "^columns of the log"
  end)
  return table.concat(list, "\n")
end

local function compute(spec, i)
  local began = os.clock()
  local result = orrery.compare(grid.fields(spec, i))
  local record = {
    summary = summary_rows(spec, result),
    runs = spec.per_run and run_rows(spec, result) or "",
    notes = notes_of(result),
  }
  record.seconds = os.clock() - began
  return record
end

-- Computes cell i: its record. spec.confine(f): the result of f, a text, where policies are not
-- trusted; nil: they are trusted.
function run.cell(spec, i)
  if not spec.confine then return compute(spec, i) end
  local text = spec.confine(function()
    local record = compute(spec, i)
    return ("s8s8s8n"):pack(record.summary, record.runs, record.notes, record.seconds)
  end)
  local summary, runs, notes, seconds = ("s8s8s8n"):unpack(text)
  return { summary = summary, runs = runs, notes = notes, seconds = seconds }
end

-- --- the order ----------------------------------------------------------------------------------

-- The expected times of cells: spec.cost, or the seconds of finished cells, split into a factor per
-- value of each axis (a mean of logarithms). This model fits grids: twice the jobs take about twice
-- as long under every policy.
local Costs = {}
Costs.__index = Costs

function run.costs(spec)
  local axes = {}
  for a in ipairs(spec.axes) do axes[a] = {} end
  return setmetatable({ spec = spec, axes = axes, sum = 0, count = 0 }, Costs)
end

-- Learns the time of a cell.
function Costs:learn(i, seconds)
  local log = math.log(math.max(seconds, 1e-4))
  self.sum, self.count = self.sum + log, self.count + 1
  for a, index in ipairs(grid.indices(self.spec, i)) do
    local known = self.axes[a][index] or { 0, 0 }
    known[1], known[2] = known[1] + log, known[2] + 1
    self.axes[a][index] = known
  end
end

-- About how long a cell takes: seconds, or the unit of spec.cost.
function Costs:of(i)
  if self.spec.cost then return self.spec.cost(grid.point(self.spec, i)) end
  if self.count == 0 then return 0 end
  local mean = self.sum / self.count
  local log = mean
  for a, index in ipairs(grid.indices(self.spec, i)) do
    local known = self.axes[a][index]
    if known then log = log + known[1] / known[2] - mean end
  end
  return math.exp(log)
end

-- The cells, longest first; equal ones keep their order.
function Costs:longest_first(cells)
  local cost, order = {}, {}
  for at, i in ipairs(cells) do cost[i], order[at] = self:of(i), at end
  table.sort(order, function(a, b)
    local x, y = cost[cells[a]], cost[cells[b]]
    if x ~= y then return x > y end
    return a < b
  end)
  return lists.map(order, function(from) return cells[from] end)
end

-- --- shards -------------------------------------------------------------------------------------

-- The cells of shard `shard` of `shards`, all where shards is nil: every shards-th of a shuffled
-- order, which is equal in all processes, so that no shard gets all cells of one value.
function run.shard(spec, shard, shards)
  local cells = {}
  for i = 1, spec.count do cells[i] = i end
  if not shards then return cells end
  local rng, part = orrery.random(1), {}
  for i = spec.count, 2, -1 do
    local j = rng:integer(1, i)
    cells[i], cells[j] = cells[j], cells[i]
  end
  for i = shard, spec.count, shards do part[#part + 1] = cells[i] end
  table.sort(part)
  return part
end

return run
