-- plan: what section 5.1 of RR-9296 says is simulated, and what is asked for of it.
local command = require "orrery.command.command"
local orrery = require "orrery"
local runs = require "orrery.command.runs"

local paper = {}

-- key: for --without; name: in figures; policy: of dispatch/; list: R-LIST, as opposed to R-SHELF.
paper.heuristics = {
  { key = "greedy", name = "R-LIST-0", policy = "dispatch/greedy", list = true },
  { key = "easy", name = "R-LIST-1", policy = "dispatch/easy", list = true },
  { key = "easy-head", name = "R-LIST-1 (head)", list = true,
    policy = "dispatch/list:reservations=1,reading=head" },
  { key = "conservative", name = "R-LIST-Q", policy = "dispatch/conservative", list = true },
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

paper.priorities = { "LPT", "SPT", "HPA", "LPA", "LA", "SA", "RANDOM" }

function paper.keys()
  local keys = {}
  for i, heuristic in ipairs(paper.heuristics) do keys[i] = heuristic.key end
  return keys
end

local FULL = {
  sets = 30, runs = 1000, extra_runs = 10, procs = 10000, q = 0.3,
  qs = { 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9 },
  sizes = { 5000, 7500, 10000, 12500, 15000, 17500, 20000 },
  mira_qs = { 0, 0.05, 0.1 },
  caps = { 10, 30, 100 }, -- failures of a job; see figure "capped"
}

local QUICK = setmetatable({
  sets = 2, runs = 5, extra_runs = 1, days = 3,
  qs = { 0, 0.3, 0.5, 0.9 }, sizes = { 5000, 10000, 15000, 20000 }, caps = { 30 },
}, { __index = FULL })

-- The log's days: a list of { day =, jobs = }, and the machine's processors.
local function read_log(given, days)
  local log, jobs = runs.read(given)
  local all = jobs:days()
  if #all == 0 then command.fail("%s: there is no job on any day", given.log) end
  return table.move(all, 1, math.min(days or #all, #all), 1, {}), given.procs or log.machine_procs
end

-- Everything that is fixed before the first simulation, from the options:
--   sets, runs, extra_runs, seed, threads, qs, sizes, mira_qs, caps, q, procs   as above
--   heuristics   those that are not left out; by_key: all, kept ones included
--   log          what the log is called; days: { day =, jobs = }, log_procs: of its machine
function paper.plan(given)
  local base = given.quick and QUICK or FULL
  local plan = setmetatable({ given = given, heuristics = {}, by_key = {} }, { __index = base })
  plan.sets, plan.runs = given.sets or base.sets, given.runs or base.runs
  plan.extra_runs = given.extra_runs or base.extra_runs
  plan.seed, plan.threads = given.seed, given.threads
  local without = {}
  for _, key in ipairs(given.without) do without[key] = true end
  for _, heuristic in ipairs(paper.heuristics) do
    if not without[heuristic.key] then plan.heuristics[#plan.heuristics + 1] = heuristic end
  end
  if #plan.heuristics == 0 then command.misuse("--without leaves no heuristic to simulate") end
  for _, list in ipairs { plan.heuristics, paper.kept } do
    for _, heuristic in ipairs(list) do plan.by_key[heuristic.key] = heuristic end
  end
  plan.log = given.log or "the bundled month"
  plan.days, plan.log_procs = read_log(given, given.days or base.days)
  return plan
end

return paper
