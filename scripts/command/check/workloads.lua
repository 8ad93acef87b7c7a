-- The random workloads of `orrery check`, of kinds that often break policies.
--
-- Workload `number` of a seed is always the same, independent of the others: its kind is the
-- number's remainder, and all workloads of a kind share machine and options.
local orrery = require "orrery"

local workloads = {}

-- A workload of n jobs or tasks; spec: fields of orrery.compare, or orrery.packs.
local function workload(number, kind, what, n, spec)
  return { number = number, kind = kind.name, spec = spec,
    title = ("%s: %d %s%s on %d processors"):format(kind.name, n, what, n == 1 and "" or "s",
      spec.procs) }
end

-- --- jobs ---------------------------------------------------------------------------------------

local function sizes(rng, most)
  local log = rng:uniform(0, math.log(most + 1))
  return math.max(1, math.min(most, math.floor(math.exp(log))))
end

local USERS = { "ada", "grace", "edsger", "tony" }
local QUEUES = { "batch", "debug", "urgent" }

-- Jobs come one by one and keep nine tenths of the machine busy, unless the kind says otherwise:
--   spec          more fields of compare and session;  at_once  all are there at 0
--   narrow        the widest are so many times narrower;  gap  s between jobs
--   count(rng)    how many there are
--   more(rng, most, before)   more fields of a job, which is no wider than `most`; `before`: when
--                 the one before it was submitted. With `submit` among them (own_times) these are
--                 the times
local JOBS = {
  { name = "all at once, with failures", at_once = true,
    spec = { errors = { mean_probability = 0.2 } } },
  { name = "as they come" },
  { name = "as they come, with failures", spec = { errors = { mean_probability = 0.1 } } },
  { name = "narrow jobs", narrow = 8 },
  { name = "wide jobs", gap = 1700, more = function(rng, most)
    return { procs = rng:integer((most + 1) // 2, most) }
  end },
  { name = "ties", own_times = true, more = function(rng, most, before)
    return {
      submit = before + 10 * rng:integer(0, 1), runtime = 10 * rng:integer(1, 3),
      procs = ({ 1, math.max(1, most // 2), most })[rng:integer(1, 3)],
    }
  end },
  { name = "jobs of no length", more = function(rng)
    return { runtime = rng:integer(0, 1) * 500 }
  end },
  { name = "one job", at_once = true, count = function() return 1 end },
  { name = "nodes that fail", node_failures = true },
  { name = "walltimes that are too short", spec = { walltimes = "log" }, more = function(rng)
    local runtime = math.ceil(rng:exponential(2000))
    return { runtime = runtime, walltime = math.ceil(runtime * rng:uniform(0.5, 3)) }
  end },
  { name = "users and queues", more = function(rng)
    return { user = USERS[rng:integer(1, 4)], queue = QUEUES[rng:integer(1, 3)],
      partition = "main", status = "completed" }
  end },
  { name = "long gaps", own_times = true, count = function(rng) return rng:integer(15, 45) // 3 end,
    more = function(rng, _, before) return { submit = before + rng:integer(0, 2) * 20000 } end },
}

-- s between jobs of 2000 s and of sizes up to `most` that keep nine tenths of the machine busy.
local function gap(procs, most)
  local mean = most / math.log(most + 1)
  return 2000 * mean / (0.9 * procs)
end

-- A list of jobs no wider than `most`, on `procs` processors.
local function jobs_of(rng, kind, procs, most, count)
  most = kind.narrow and math.max(1, most // kind.narrow) or most
  count = count or kind.count and kind.count(rng) or rng:integer(15, 45)
  local list, now, seconds = {}, 0, kind.gap or gap(procs, most)
  for i = 1, count do
    local job = { procs = sizes(rng, most), submit = now }
    job.runtime = math.ceil(rng:exponential(2000))
    for key, value in pairs(kind.more and kind.more(rng, most, now) or {}) do job[key] = value end
    if not kind.own_times and not kind.at_once and i > 1 then
      job.submit = now + math.floor(rng:exponential(seconds))
    end
    now, list[i] = job.submit, job
  end
  return list
end

local function node_failures(procs)
  return { mtbf = 2500 * procs, procs = 1, repair = 900 }
end

local function machine(seed, kind, given)
  if given then return given end
  return 1 << orrery.random { seed = seed, set = 1, entity = kind }:integer(3, 10)
end

-- The number of the set for failures: so the workloads of a kind, the last one first, are the sets
-- of one comparison (the j-th from the back has the set SETS - j).
local SETS = 1 << 20

local function job_workload(given, number)
  local k, round = (number - 1) % #JOBS + 1, (number - 1) // #JOBS + 1
  local kind, procs = JOBS[k], machine(given.seed, k, given.procs)
  local rng = orrery.random { seed = given.seed, entity = number }
  local most = math.max(1, math.floor(procs * given.widest))
  local spec = { procs = procs, seed = given.seed, set = SETS - round }
  for key, value in pairs(kind.spec or {}) do spec[key] = value end
  if kind.node_failures then spec.node_failures = node_failures(procs) end
  spec.jobs = orrery.jobs(jobs_of(rng, kind, procs, most))
  return workload(number, kind, "job", #spec.jobs, spec)
end

-- --- tasks --------------------------------------------------------------------------------------

local function profiles(rng, n)
  local list = {}
  for i = 1, n do
    local m = rng:uniform(1e5, 2e6)
    list[i] = ({
      { m = m, profile = "synthetic", f = rng:uniform(0, 0.3) },
      { m = m, profile = "amdahl", f = rng:uniform(0, 0.3) },
      { m = m, profile = "power", e = rng:uniform(0.5, 1) },
    })[rng:integer(1, 3)]
  end
  return orrery.tasks.list(list)
end

local function alike(_, n)
  local list = {}
  for i = 1, n do list[i] = { m = 1e6, profile = "amdahl", f = 0.1 } end
  return orrery.tasks.list(list)
end

local TASKS = {
  { name = "faults now and then", mtbf_years = 20 }, { name = "many faults", mtbf_years = 1 },
  { name = "no faults" }, { name = "just enough processors", mtbf_years = 5, tight = true },
  { name = "tasks all alike", mtbf_years = 10, make = alike },
  { name = "one task", mtbf_years = 2, n = 1 },
  { name = "long downtimes and dear moves", mtbf_years = 3, downtime = 86400,
    costs = { startup = 3600, checkpoint_fixed = 60 } },
  { name = "dear checkpoints", mtbf_years = 5, costs = { checkpoint = 5 } },
}

local function task_workload(given, number)
  local kind = TASKS[(number - 1) % #TASKS + 1]
  local rng = orrery.random { seed = given.seed, entity = number }
  local n = kind.n or rng:integer(2, 12)
  local procs = given.procs or kind.tight and 2 * n or 2 * n * rng:integer(1, 10)
  n = math.min(n, procs // 2)
  return workload(number, kind, "task", n, {
    tasks = (kind.make or profiles)(rng, n), procs = procs, seed = given.seed, set = number,
    faults = kind.mtbf_years and { mtbf_years = kind.mtbf_years, downtime = kind.downtime or 60 },
    costs = kind.costs,
  })
end

-- --- packs --------------------------------------------------------------------------------------

-- Times that do not decrease as required are repaired, like the times of a user.
local function measured(rng, n)
  local list = {}
  for i = 1, n do
    local times, time = {}, rng:uniform(10, 1e4)
    for j = 1, 8 do times[j] = time / j ^ rng:uniform(0.2, 1.1) end
    list[i] = { times = times }
  end
  return orrery.tasks.list(list)
end

local PACKS = {
  { name = "profiles of all forms", make = profiles },
  { name = "measured times", make = measured }, { name = "tasks all alike", make = alike },
  { name = "two in a pack", make = profiles, k = 2 }, { name = "one task", make = profiles, n = 1 },
  { name = "one in a pack", make = profiles, k = 1 },
  { name = "fewer processors than tasks", make = profiles, narrow = true },
  { name = "tasks that want several processors", make = profiles, least = 3 },
}

local function pack_workload(given, number)
  local kind = PACKS[(number - 1) % #PACKS + 1]
  local rng = orrery.random { seed = given.seed, entity = number }
  local n = kind.n or rng:integer(2, 12)
  local procs = given.procs or kind.narrow and rng:integer(1, n) or rng:integer(4, 64)
  return workload(number, kind, "task", n, {
    tasks = kind.make(rng, n), procs = procs, k = kind.k or rng:integer(1, procs),
    least = kind.least and math.min(kind.least, procs), seed = given.seed, set = number,
  })
end

-- --- all ----------------------------------------------------------------------------------------

local MAKE = { jobs = job_workload, tasks = task_workload, packs = pack_workload }

-- How many kinds of workloads there are.
workloads.kinds = { jobs = #JOBS, tasks = #TASKS, packs = #PACKS }

-- given: of (what the policy is for), seed, procs (nil: drawn), widest (share of the machine).
-- A table: number, kind, title, spec: fields of orrery.compare, or orrery.packs.
function workloads.make(given, number) return MAKE[given.of](given, number) end

-- `count` jobs of one machine: all at once, to see the cost of a long queue, or one after the
-- other.
local function many(kind, set)
  return function(given, count, procs)
    local rng = orrery.random { seed = given.seed, set = set, entity = count }
    local most = math.max(1, math.floor(procs * given.widest))
    return orrery.jobs(jobs_of(rng, kind, procs, most, count))
  end
end

workloads.crowd, workloads.stream = many({ at_once = true }, 2), many({}, 3)

return workloads
