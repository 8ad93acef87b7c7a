-- cells: the computations of a reproduction. Figures ask for parts of the work; then the parts of
-- each figure are computed, one after the other, and their results are looked up. A part that
-- several figures need is computed once, for the first figure that asked.
--
-- A paper makes a class of its own, whose methods define the parts:
--
--   paper.Store = cells.class()
--   function paper.Store:need(figure, ...) self:ask(figure, id, { steps =, compute = }) end
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local progress = require "orrery.command.progress"
local resume = require "orrery.command.resume"

local Cells = {}

local cells = {}

-- `what` is counted in the progress; default: simulations.
function cells.class(what)
  local class = setmetatable({ what = what or "simulations" }, { __index = Cells })
  class.__index = class
  return class
end

-- A store without parts.
function cells.new(class, plan)
  return setmetatable({ plan = plan, order = {}, parts = {}, results = {}, times = {}, made = {} },
    class)
end

-- The result of make(), made once for all callers with this id.
function Cells:once(id, make)
  if self.made[id] == nil then self.made[id] = make() end
  return self.made[id]
end

-- The part with this id; it becomes `part` on the first request:
--   steps    function(store, part): the number of its steps
--   compute  function(store, part): its result, plain data
--   row      columns that name it in the table of times: by default { figure = }
function Cells:ask(figure, id, part)
  if not self.parts[id] then
    part.figure, part.id, part.row = figure, id, part.row or { figure = figure }
    self.parts[id] = part
    self.order[#self.order + 1] = part
  end
  return self.parts[id]
end

-- All options, except those that change no number.
local function described(given)
  local what = lists.merged(given)
  what.threads, what.out = nil, nil
  return what
end

-- Starts the clock, after all requests. Results of parts are kept until the whole is done: the same
-- command continues where it was stopped (resume.lua).
function Cells:begin()
  self.done, self.total = 0, 0
  for _, part in ipairs(self.order) do self.total = self.total + part.steps(self, part) end
  self.show, self.erase = progress.start(self.what)
  if self.show then self.show(0, self.total) end
  self.kept = resume.new(self.plan.given.out, described(self.plan.given))
end

-- The time of all parts with this row: a list of them, also by their names. Processor seconds count
-- all threads; seconds are wall-clock time.
local function time_of(times, row)
  local key = (row.figure or row.system) .. "\t" .. (row.heuristic or "")
  if not times[key] then
    times[key] = { simulations = 0, cpu_seconds = 0, seconds = 0 }
    for name, value in pairs(row) do times[key][name] = value end
    times[#times + 1] = times[key]
  end
  return times[key]
end

-- Computes the parts requested for a figure: results[id].
function Cells:run(figure)
  for _, part in ipairs(self.order) do
    if part.figure == figure then
      local good, result, cpu, wall = pcall(self.kept.part, self.kept, part.id, part.compute, self,
        part)
      if not good then
        self.erase()
        error(result, 0)
      end
      local time, steps = time_of(self.times, part.row), part.steps(self, part)
      time.simulations, time.cpu_seconds = time.simulations + steps, time.cpu_seconds + cpu
      time.seconds = time.seconds + math.tointeger(wall)
      self.results[part.id], self.done = result, self.done + steps
      if self.show then self.show(self.done, self.total) end
    end
  end
end

-- What a part's result has under these keys, one in the other; nil where it was not computed.
function Cells:found(id, ...)
  local value = self.results[id]
  for _, key in ipairs { ... } do value = value and value[key] end
  return value
end

-- --- samples ------------------------------------------------------------------------------------

-- The samples of several metrics for the policy at position i of a result: name -> list.
function cells.values(result, i, metrics)
  local numbers = {}
  for _, metric in ipairs(metrics) do numbers[metric] = result:values(i, metric) end
  return numbers
end

-- The same of all policies of a result, which stand for these: key -> name -> list.
function cells.by_key(result, list, metrics)
  local all = {}
  for i, one in ipairs(list) do all[one.key] = cells.values(result, i, metrics) end
  return all
end

-- Sample by sample, a divided by b; nil where a or b is nil.
function cells.divided(a, b)
  if not (a and b) then return nil end
  return lists.map(a, function(value, i) return value / b[i] end)
end

-- Sample by sample, a less b; nil where a or b is nil.
function cells.less(a, b)
  return a and b and lists.map(a, function(value, i) return value - b[i] end) or nil
end

-- Sample by sample, (b - a) / a; nil where a or b is nil.
function cells.excess(a, b)
  local list = cells.divided(b, a)
  for i, ratio in ipairs(list or {}) do list[i] = ratio - 1 end
  return list
end

-- A point of a curve: { x, mean, half width of its 95% interval }.
function cells.point(x, samples)
  local s = orrery.summary(samples)
  return { x, s.mean, s.half_width }
end

-- The geometric mean of positive samples with its 95% interval: { mean =, low =, high = }.
function cells.geometric(samples)
  local s = orrery.summary(lists.map(samples, function(value) return math.log(value) end))
  return { mean = math.exp(s.mean), low = math.exp(s.mean - s.half_width),
    high = math.exp(s.mean + s.half_width) }
end

-- Adds to a row the mean of samples with its interval, their standard deviation, the least and the
-- greatest, in columns that begin with the prefix; gives the summary.
function cells.summarise(row, prefix, samples)
  local s = orrery.summary(samples)
  for _, name in ipairs { "mean", "half_width", "sd", "min", "max" } do
    row[prefix .. name] = s[name]
  end
  return s
end

return cells
