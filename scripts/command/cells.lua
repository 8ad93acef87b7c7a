-- cells: what a reproduction computes. Figures ask for parts of the work; then the parts of each
-- figure are computed, one after the other, and their results are looked up. What several figures
-- show is computed once, in the name of the first that asked.
--
-- A paper makes a class of its own, whose methods say what a part is:
--
--   local Store = cells.class()
--   function Store:need(figure, ...) self:ask(figure, id, { steps =, compute = }) end
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local Cells = {}

local cells = {}

function cells.class()
  local class = setmetatable({}, { __index = Cells })
  class.__index = class
  return class
end

-- A store without parts. `what` is being counted, for the progress ("simulations").
function cells.new(class, plan, what)
  return setmetatable({ plan = plan, what = what, order = {}, parts = {}, results = {},
    columns = {} }, class)
end

-- The part with this id, which is `part` where nobody has asked for it before:
--   steps    function(store, part): how many there are in it
--   compute  function(store, part): its result, plain data
--   row      columns of the table of times that say for what it was: by default { figure = }
function Cells:ask(figure, id, part)
  if not self.parts[id] then
    part.figure, part.id, part.row = figure, id, part.row or { figure = figure }
    self.parts[id] = part
    self.order[#self.order + 1] = part
  end
  return self.parts[id]
end

local function key_of(row) return (row.figure or row.system) .. "\t" .. (row.heuristic or "") end

-- Readies the clock, when everything was asked for.
function Cells:begin()
  local total = 0
  for _, part in ipairs(self.order) do total = total + part.steps(self, part) end
  self.clock = reproduction.clock(self.plan.given, total, self.what)
end

-- Computes what was asked for in the figure's name: results[id].
function Cells:run(figure)
  for _, part in ipairs(self.order) do
    if part.figure == figure then
      local key = key_of(part.row)
      self.columns[key] = part.row
      self.results[part.id] = self.clock:run(key, part.steps(self, part), part.id, part.compute,
        self, part)
    end
  end
end

-- How long it took: a list of { simulations =, cpu_seconds =, seconds = } and the columns of a row.
function Cells:times()
  local times = {}
  for i, one in ipairs(self.clock.order) do
    times[i] = { simulations = one.steps, cpu_seconds = one.cpu,
      seconds = math.tointeger(one.wall) }
    for name, value in pairs(self.columns[one.key]) do times[i][name] = value end
  end
  return times
end

-- --- samples ------------------------------------------------------------------------------------

-- The samples of several metrics for the policy at position i of a result: name -> list.
function cells.values(result, i, metrics)
  local numbers = {}
  for _, metric in ipairs(metrics) do numbers[metric] = result:values(i, metric) end
  return numbers
end

-- Sample by sample, a over b.
function cells.divided(a, b)
  local list = {}
  for i, value in ipairs(a) do list[i] = value / b[i] end
  return list
end

-- A point of a curve: { x, mean, half width of its 95% interval }.
function cells.point(x, samples)
  local s = orrery.summary(samples)
  return { x, s.mean, s.half_width }
end

return cells
