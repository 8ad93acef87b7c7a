-- plan: the simulations of section 5.1 of RR-9296: its settings, its cells, and one number per
-- heuristic, priority and set of jobs.
--
-- The independent samples are the sets, each with its mean over the scenarios: the jobs of a set
-- meet all its scenarios, so the scenarios say nothing about other sets. The scenarios of set s are
-- the same for every heuristic and priority, and use the same random numbers at every q and
-- machine.
local cells = require "orrery.command.cells"
local command = require "orrery.command.command"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"
local runs = require "orrery.command.runs"

local paper = {}

-- key: for --without; name: in figures; policy: of dispatch/; list: R-LIST, as opposed to R-SHELF.
paper.heuristics = {
  { key = "greedy", name = "R-LIST-0", policy = "dispatch/greedy", list = true },
  { key = "easy", name = "R-LIST-1", policy = "dispatch/easy", list = true },
  { key = "easy-head", name = "R-LIST-1 (head)", list = true,
    policy = "dispatch/list:reservations=1,reading=head" },
  { key = "conservative", name = "R-LIST-Q", list = true,
    policy = "dispatch/list:reservations=all" },
  { key = "shelf", name = "R-SHELF-B", policy = "dispatch/shelf" },
  { key = "shelf-nofill", name = "R-SHELF-NB", policy = "dispatch/shelf-nofill" },
}

-- R-LIST as the report's own program ran it: reservations are never cancelled
-- (kept_reservations.lua).
local KEPT = orrery.home .. "/scripts/reproduce/rr9296/kept_reservations.lua"
paper.kept = {
  { key = "kept-1", name = "R-LIST-1 (kept)", policy = KEPT .. ":each=1", list = true },
  { key = "kept-all", name = "R-LIST-Q (kept)", policy = KEPT .. ":each=all", list = true },
}

paper.BUNDLED = "the bundled month" -- the name of the log where none is given

paper.priorities = { "LPT", "SPT", "HPA", "LPA", "LA", "SA", "RANDOM" }

-- Section 4.3: R-SHELF's expected ratio with P = 10, as printed, and the range of numbers that
-- round to it. The printed jobs take 10/j s; the printed numbers hold for jobs of 1000/j s.
paper.SHELF_RATIOS = {
  { rate = 1e-7, printed = 1.00005, least = 1.000045, most = 1.000055 },
  { rate = 1e-3, printed = 1.07, least = 1.065, most = 1.075 },
}
paper.SCALES = { 10, 1000 }

paper.keys = lists.fields(paper.heuristics, "key")

local FULL = {
  sets = 30, runs = 1000, extra_runs = 10, procs = 10000, q = 0.3,
  qs = { 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9 },
  sizes = { 5000, 7500, 10000, 12500, 15000, 17500, 20000 },
  mira_qs = { 0, 0.05, 0.1 },
  caps = { 10, 30, 100 }, -- failures of a job; see figure "capped"
  rates = { 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 2, 3, 5 }, -- times t_1
  ratio_procs = { 10, 100, 300 },
}

local QUICK = {
  sets = 2, runs = 5, extra_runs = 1, days = 3,
  qs = { 0, 0.3, 0.5, 0.9 }, sizes = { 5000, 10000, 15000, 20000 }, caps = { 30 },
  rates = { 1e-4, 0.01, 0.3, 1 }, ratio_procs = { 10, 30 },
}

local function read_log(given, days)
  local log, jobs = runs.read(given)
  local all = jobs:days()
  if #all == 0 then command.fail("%s: there is no job on any day", given.log) end
  return table.move(all, 1, math.min(days or #all, #all), 1, {}), given.procs or log.machine_procs
end

-- Everything that is fixed before the first simulation, from the options:
--   sets, runs, extra_runs, seed, threads, qs, sizes, mira_qs, caps, q, procs   as above
--   heuristics   the ones not left out; by_key: all, also the kept ones
--   log          the log's name; days: { day =, jobs = }, log_procs: of its machine
function paper.plan(given)
  local plan = reproduction.plan(given, FULL, QUICK)
  plan.by_key, plan.extra_runs = {}, given.extra_runs
  local without = lists.set(given.without)
  plan.heuristics = lists.those(paper.heuristics, function(one) return not without[one.key] end)
  if #plan.heuristics == 0 then command.misuse("--without leaves no heuristic to simulate") end
  for _, list in ipairs { plan.heuristics, paper.kept } do
    for _, heuristic in ipairs(list) do plan.by_key[heuristic.key] = heuristic end
  end
  plan.log = given.log or paper.BUNDLED
  plan.days, plan.log_procs = read_log(given, given.days or plan.days)
  return plan
end

-- --- cells --------------------------------------------------------------------------------------

-- A workload with its machine (the log's where procs is nil) and its failures:
--   synthetic, mira  the sets; the days of the log
--   kept             the same in fewer scenarios (--extra-runs)
--   capped           the sets, where no job fails more than cap times (nil: no cap)
--   bound            as kept; for Store:chains
local function cell_of(kind, q, procs, cap)
  return { kind = kind, q = q, procs = procs, cap = cap, id = ("%s %.17g %s %s"):format(kind, q,
    procs or "log", cap or "none") }
end

-- The points { x =, cell = } of a curve.
local function over(values, make)
  return lists.map(values, function(x) return { x = x, cell = make(x) } end)
end

function paper.over_q(plan, kind, cap)
  return over(plan.qs, function(q) return cell_of(kind, q, plan.procs, cap) end)
end

function paper.over_procs(plan)
  return over(plan.sizes, function(procs) return cell_of("synthetic", plan.q, procs) end)
end

function paper.over_log(plan, kind)
  return over(plan.mira_qs, function(q) return cell_of(kind, q) end)
end

-- The two workloads whose lower bounds are examined: { name, sweep }.
function paper.bounds(plan)
  return { { "synthetic", paper.over_q(plan, "bound") }, { "log", paper.over_log(plan, "bound") } }
end

-- --- simulations ---------------------------------------------------------------------------------

local Store = cells.class()
paper.Store = Store

-- The numbers of all sets: { mean =, sd =, failures =, runs = } each a list over sets; nil where
-- they were not computed. mean: of the normalised makespan over the set's scenarios, sd: its
-- standard deviation over them.
function Store:get(cell, heuristic, priority)
  return self:found(cell.id .. " " .. heuristic.key, priority)
end

local function is_of_log(cell) return not cell.procs end

-- A list of { day =, jobs = }; the position gives the set's random numbers.
local function sets_of(self, cell)
  if is_of_log(cell) then return self.plan.days end
  return self:once("sets", function()
    local sets = {}
    for s = 1, self.plan.sets do
      sets[s] = { day = tostring(s),
        jobs = orrery.synthetic { seed = self.plan.seed, set = s - 1 } }
    end
    return sets
  end)
end

local function runs_of(self, cell)
  local main = cell.kind == "synthetic" or cell.kind == "mira"
  return main and self.plan.runs or self.plan.extra_runs
end

local function procs_of(self, cell)
  return cell.procs or self.plan.log_procs
end

local function drawn_failures(self, cell, set, s)
  local id = ("failures %.17g %d %s"):format(cell.q, s, is_of_log(cell))
  return self:once(id, function()
    local all = {}
    for scenario = 1, runs_of(self, cell) do
      all[scenario] = orrery.session {
        jobs = set.jobs, procs = procs_of(self, cell), errors = { mean_probability = cell.q },
        seed = self.plan.seed, set = s - 1, scenario = scenario,
      }:failures()
    end
    return all
  end)
end

-- Whether the lower bound of a scenario is the time of one job with all its attempts, not the time
-- of all jobs on the whole machine.
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

-- For each set, the share of scenarios whose lower bound is decided by one job.
function Store:chains(cell)
  return self:once(cell.id, function() return chain_shares(self, cell) end)
end

local function capped_failures(self, cell, set, s)
  return lists.map(drawn_failures(self, cell, set, s), function(drawn)
    return lists.map(drawn, function(count) return math.min(count, cell.cap or count) end)
  end)
end

local function spec_of(self, cell)
  return {
    procs = procs_of(self, cell), batch = true, seed = self.plan.seed, threads = self.plan.threads,
    runs = runs_of(self, cell), errors = { mean_probability = cell.q },
    metrics = { "ratio", "failures" },
  }
end

-- The comparisons of a cell: all sets in one, so that no thread waits at the end of a set; or each
-- set with the failures that it is given. List of { spec =, first = the first of its sets }.
local function specs_of(self, cell)
  local sets, list = sets_of(self, cell), {}
  if cell.kind ~= "capped" then
    local spec = spec_of(self, cell)
    spec.sets = lists.map(sets, function(set) return { jobs = set.jobs } end)
    return { { spec = spec, first = 1 } }
  end
  for s, set in ipairs(sets) do
    local spec = spec_of(self, cell)
    spec.jobs, spec.set = set.jobs, s - 1
    spec.failures, spec.errors, spec.runs = capped_failures(self, cell, set, s), nil, nil
    list[s] = { spec = spec, first = s }
  end
  return list
end

local function policies_of(heuristic, priorities)
  return lists.map(priorities, function(priority)
    return { policy = heuristic.policy, priority = "priority/" .. priority:lower() }
  end)
end

-- Without failures only RANDOM varies from scenario to scenario: one scenario is enough.
local function parts_of(cell, priorities)
  if cell.q > 0 then return { { priorities = priorities } } end
  local fixed, random = { priorities = {}, runs = 1 }, { priorities = {} }
  for _, priority in ipairs(priorities) do
    local part = priority == "RANDOM" and random or fixed
    part.priorities[#part.priorities + 1] = priority
  end
  return lists.those({ fixed, random }, function(part) return #part.priorities > 0 end)
end

local function record(numbers, first, result, i)
  for k in ipairs(result.sets) do
    local s, ratio = first + k - 1, result:summary(i, "ratio", k)
    numbers.mean[s], numbers.sd[s] = ratio.mean, ratio.sd
    numbers.failures[s] = result:summary(i, "failures", k).mean
    numbers.runs[s] = ratio.count
  end
end

local function run_part(one, part, spec, first, results)
  if spec.runs then spec.runs = part.runs or spec.runs end
  spec.policies = policies_of(one.heuristic, part.priorities)
  local result = orrery.compare(spec)
  for i, priority in ipairs(part.priorities) do record(results[priority], first, result, i) end
end

local function run_one(self, one)
  local results = {}
  for _, priority in ipairs(one.priorities) do
    results[priority] = { mean = {}, sd = {}, failures = {}, runs = {} }
  end
  for _, part in ipairs(parts_of(one.cell, one.priorities)) do
    for _, compared in ipairs(specs_of(self, one.cell)) do
      run_part(one, part, compared.spec, compared.first, results)
    end
  end
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

-- Asks for a cell's numbers under a heuristic with some priorities. `figure` is the figure that its
-- time counts for: the first that asks.
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

return paper
