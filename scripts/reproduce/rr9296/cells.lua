-- cells: what was simulated, one number per heuristic, priority and set of jobs.
--
-- A cell is a workload with its machine and its failures:
--   cells.synthetic(q, procs)    the synthetic sets
--   cells.mira(q)                the days of the log
--   cells.kept(q, procs)         the sets, or the days where procs is nil, in fewer scenarios
--                                (--extra-runs)
--   cells.capped(q, procs, cap)  the sets, where no job fails more than cap times (nil: no cap)
--   cells.bound(q, procs)        as kept; for Store:chains
-- What figures need is asked for first, then everything is run once, then looked up.
--
-- The independent samples are the sets, each with its mean over the scenarios: the jobs of a set
-- meet all scenarios of it, so those say nothing about other sets. The scenarios of set s are the
-- same for every heuristic and priority, and use the same random numbers at every q and machine.
local orrery = require "orrery"
local shared = require "orrery.command.cells"

local cells = {}

function cells.synthetic(q, procs)
  return { kind = "synthetic", q = q, procs = procs, id = ("synthetic %.17g %d"):format(q, procs) }
end

function cells.mira(q)
  return { kind = "mira", q = q, id = ("mira %.17g"):format(q) }
end

function cells.kept(q, procs)
  return { kind = "kept", q = q, procs = procs, id = ("kept %.17g %s"):format(q, procs or "log") }
end

function cells.capped(q, procs, cap)
  return { kind = "capped", q = q, procs = procs, cap = cap,
    id = ("capped %.17g %d %s"):format(q, procs, cap or "none") }
end

function cells.bound(q, procs)
  return { kind = "bound", q = q, procs = procs, id = ("bound %.17g %s"):format(q, procs or "log") }
end

local Store = shared.class()

function cells.new(plan)
  local store = shared.new(Store, plan)
  store.drawn, store.shares = {}, {}
  return store
end

-- The numbers of all sets: { mean =, sd =, failures =, runs = } each a list over sets; nil where
-- they were not asked for. mean: of the normalised makespan over the set's scenarios, sd: its
-- standard deviation over them.
function Store:get(cell, heuristic, priority)
  return (self.results[cell.id .. " " .. heuristic.key] or {})[priority]
end

-- --- what is simulated --------------------------------------------------------------------------

local function is_of_log(cell) return not cell.procs end

-- A list of { day =, jobs = }; the position gives the set's random numbers.
local function sets_of(self, cell)
  if is_of_log(cell) then return self.plan.days end
  if not self.synthetic_sets then
    self.synthetic_sets = {}
    for s = 1, self.plan.sets do
      self.synthetic_sets[s] = { day = tostring(s),
        jobs = orrery.synthetic { seed = self.plan.seed, set = s - 1 } }
    end
  end
  return self.synthetic_sets
end

local function runs_of(self, cell)
  local main = cell.kind == "synthetic" or cell.kind == "mira"
  return main and self.plan.runs or self.plan.extra_runs
end

local function procs_of(self, cell)
  return cell.procs or self.plan.log_procs
end

-- The failures of a set's scenarios as they are drawn for every cell.
local function drawn_failures(self, cell, set, s)
  local id = ("%.17g %d %s"):format(cell.q, s, is_of_log(cell))
  if self.drawn[id] then return self.drawn[id] end
  local lists = {}
  for scenario = 1, runs_of(self, cell) do
    lists[scenario] = orrery.session {
      jobs = set.jobs, procs = procs_of(self, cell), errors = { mean_probability = cell.q },
      seed = self.plan.seed, set = s - 1, scenario = scenario,
    }:failures()
  end
  self.drawn[id] = lists
  return lists
end

-- Whether the lower bound of a scenario is what one job takes with all its attempts, not what all
-- jobs together take on the whole machine.
local function is_chain(jobs, counts, procs)
  local longest, area = 0, 0
  for i, job in jobs:each() do
    longest = math.max(longest, (counts[i] + 1) * job.runtime)
    area = area + (counts[i] + 1) * job.area
  end
  return longest >= area / procs
end

local function chain_shares(self, cell)
  local shares = {}
  for s, set in ipairs(sets_of(self, cell)) do
    local all, found = drawn_failures(self, cell, set, s), 0
    for _, counts in ipairs(all) do
      if is_chain(set.jobs, counts, procs_of(self, cell)) then found = found + 1 end
    end
    shares[s] = found / #all
  end
  return shares
end

-- For each set, the share of scenarios whose bound one job decides.
function Store:chains(cell)
  self.shares[cell.id] = self.shares[cell.id] or chain_shares(self, cell)
  return self.shares[cell.id]
end

-- The same, cut off at the cell's cap.
local function capped_failures(self, cell, set, s)
  local lists = {}
  for scenario, drawn in ipairs(drawn_failures(self, cell, set, s)) do
    local counts = {}
    for i, count in ipairs(drawn) do counts[i] = math.min(count, cell.cap or count) end
    lists[scenario] = counts
  end
  return lists
end

local function spec_of(self, cell, set, s)
  local spec = {
    jobs = set.jobs, procs = procs_of(self, cell), batch = true, seed = self.plan.seed,
    set = s - 1, threads = self.plan.threads, runs = runs_of(self, cell),
    errors = { mean_probability = cell.q },
  }
  if cell.kind == "capped" then
    spec.failures, spec.errors, spec.runs = capped_failures(self, cell, set, s), nil, nil
  end
  return spec
end

local function policies_of(heuristic, priorities)
  local list = {}
  for i, priority in ipairs(priorities) do
    list[i] = { policy = heuristic.policy, priority = "priority/" .. priority:lower() }
  end
  return list
end

-- Without failures nothing but RANDOM varies from scenario to scenario: one of them is all.
local function parts_of(cell, priorities)
  if cell.q > 0 then return { { priorities = priorities } } end
  local fixed, random = { priorities = {}, runs = 1 }, { priorities = {} }
  for _, priority in ipairs(priorities) do
    local part = priority == "RANDOM" and random or fixed
    part.priorities[#part.priorities + 1] = priority
  end
  local parts = {}
  for _, part in ipairs { fixed, random } do
    if #part.priorities > 0 then parts[#parts + 1] = part end
  end
  return parts
end

local function record(numbers, s, result, i)
  local ratio = result:summary(i, "ratio")
  numbers.mean[s], numbers.sd[s] = ratio.mean, ratio.sd
  numbers.failures[s], numbers.runs[s] = result:summary(i, "failures").mean, ratio.count
end

local function run_set(self, one, set, s, results)
  for _, part in ipairs(parts_of(one.cell, one.priorities)) do
    local spec = spec_of(self, one.cell, set, s)
    if spec.runs then spec.runs = part.runs or spec.runs end
    spec.policies = policies_of(one.heuristic, part.priorities)
    local result = orrery.compare(spec)
    for i, priority in ipairs(part.priorities) do record(results[priority], s, result, i) end
  end
end

local function run_one(self, one)
  local results = {}
  for _, priority in ipairs(one.priorities) do
    results[priority] = { mean = {}, sd = {}, failures = {}, runs = {} }
  end
  for s, set in ipairs(sets_of(self, one.cell)) do run_set(self, one, set, s, results) end
  collectgarbage()
  return results
end

local function simulations(self, one)
  local count = 0
  for _, part in ipairs(parts_of(one.cell, one.priorities)) do
    count = count + (part.runs or runs_of(self, one.cell)) * #part.priorities
  end
  return count * #sets_of(self, one.cell)
end

-- --- asking -------------------------------------------------------------------------------------

-- Asks for a cell's numbers under a heuristic with some priorities. `figure` is for whose time it
-- is counted: the first that asks.
function Store:need(figure, cell, heuristic, priorities)
  local one = self:ask(figure, cell.id .. " " .. heuristic.key, { cell = cell,
    heuristic = heuristic, priorities = {}, has = {}, steps = simulations, compute = run_one,
    row = { figure = figure, heuristic = heuristic.name } })
  for _, priority in ipairs(priorities) do
    if not one.has[priority] then
      one.has[priority] = true
      one.priorities[#one.priorities + 1] = priority
    end
  end
end

return cells
