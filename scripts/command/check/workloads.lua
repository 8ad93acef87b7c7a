-- The random workloads of `orrery check`, by kinds that policies trip over.
--
-- Workload `number` of a seed is always the same, whatever the others are: its kind is the number's
-- remainder, and all of a kind share machine and options.
local orrery = require "orrery"

local workloads = {}

-- --- jobs ---------------------------------------------------------------------------------------

local function sizes(rng, most)
  local log = rng:uniform(0, math.log(most + 1))
  return math.max(1, math.min(most, math.floor(math.exp(log))))
end

-- A list of jobs; each(rng, i, before) gives the fields of one, `procs` and `runtime` at least
-- drawn.
local function jobs_of(rng, count, most, each)
  local list, now = {}, 0
  for i = 1, count do
    local job = { procs = sizes(rng, most), submit = now }
    job.runtime = math.ceil(rng:exponential(2000))
    for key, value in pairs(each and each(rng, i, now) or {}) do job[key] = value end
    now = job.submit
    list[i] = job
  end
  return list
end

-- s between jobs of 2000 s and of sizes up to `most` that keep nine tenths of the machine busy.
local function gap(procs, most)
  local mean = most / math.log(most + 1)
  return 2000 * mean / (0.9 * procs)
end

-- Jobs that come so many seconds apart; extra(rng): more of their fields.
local function arrivals(seconds, extra)
  return function(rng, i, before)
    local job = extra and extra(rng) or {}
    job.submit = i == 1 and 0 or before + math.floor(rng:exponential(seconds))
    return job
  end
end

local USERS = { "ada", "grace", "edsger", "tony" }
local QUEUES = { "batch", "debug", "urgent" }

local function some(rng) return rng:integer(15, 45) end

-- make(rng, procs, most): a list of jobs no wider than most; spec: fields of compare and session.
local JOBS = {
  { name = "all at once, with failures", spec = { errors = { mean_probability = 0.2 } },
    make = function(rng, _, most) return jobs_of(rng, some(rng), most) end },
  { name = "as they come", make = function(rng, procs, most)
    return jobs_of(rng, some(rng), most, arrivals(gap(procs, most)))
  end },
  { name = "as they come, with failures", spec = { errors = { mean_probability = 0.1 } },
    make = function(rng, procs, most)
      return jobs_of(rng, some(rng), most, arrivals(gap(procs, most)))
    end },
  { name = "narrow jobs", make = function(rng, procs, most)
    local narrow = math.max(1, most // 8)
    return jobs_of(rng, some(rng), narrow, arrivals(gap(procs, narrow)))
  end },
  { name = "wide jobs", make = function(rng, _, most)
    return jobs_of(rng, some(rng), most, arrivals(1700, function()
      return { procs = rng:integer((most + 1) // 2, most) }
    end))
  end },
  { name = "ties", make = function(rng, _, most)
    return jobs_of(rng, some(rng), most, function(_, _, before)
      return {
        submit = before + 10 * rng:integer(0, 1), runtime = 10 * rng:integer(1, 3),
        procs = ({ 1, math.max(1, most // 2), most })[rng:integer(1, 3)],
      }
    end)
  end },
  { name = "jobs of no length", make = function(rng, procs, most)
    return jobs_of(rng, some(rng), most, arrivals(gap(procs, most), function()
      return { runtime = rng:integer(0, 1) * 500 }
    end))
  end },
  { name = "one job", make = function(rng, _, most) return jobs_of(rng, 1, most) end },
  { name = "nodes that fail", node_failures = true, make = function(rng, procs, most)
    return jobs_of(rng, some(rng), most, arrivals(gap(procs, most)))
  end },
  { name = "walltimes that are too short", spec = { walltimes = "log" },
    make = function(rng, procs, most)
      return jobs_of(rng, some(rng), most, arrivals(gap(procs, most), function()
        local runtime = math.ceil(rng:exponential(2000))
        return { runtime = runtime, walltime = math.ceil(runtime * rng:uniform(0.5, 3)) }
      end))
    end },
  { name = "users and queues", make = function(rng, procs, most)
    return jobs_of(rng, some(rng), most, arrivals(gap(procs, most), function()
      return { user = USERS[rng:integer(1, 4)], queue = QUEUES[rng:integer(1, 3)],
        partition = "main", status = "completed" }
    end))
  end },
  { name = "long gaps", make = function(rng, _, most)
    return jobs_of(rng, some(rng) // 3, most, function(_, _, before)
      return { submit = before + rng:integer(0, 2) * 20000 }
    end)
  end },
}

local function node_failures(procs)
  return { mtbf = 2500 * procs, procs = 1, repair = 900 }
end

local function machine(seed, kind, given)
  if given then return given end
  return 1 << orrery.random { seed = seed, set = 1, entity = kind }:integer(3, 10)
end

-- Failures are those of this set: so the workloads of a kind, the last one first, are the sets of
-- one comparison (the j-th from the back has the set SETS - j).
local SETS = 1 << 20

local function job_workload(given, number)
  local k, round = (number - 1) % #JOBS + 1, (number - 1) // #JOBS + 1
  local kind, procs = JOBS[k], machine(given.seed, k, given.procs)
  local rng = orrery.random { seed = given.seed, entity = number }
  local most = math.max(1, math.floor(procs * given.widest))
  local spec = { procs = procs, seed = given.seed, set = SETS - round }
  for key, value in pairs(kind.spec or {}) do spec[key] = value end
  if kind.node_failures then spec.node_failures = node_failures(procs) end
  spec.jobs = orrery.jobs(kind.make(rng, procs, most))
  return { number = number, kind = kind.name, spec = spec,
    title = ("%s: %d %s on %d processors"):format(kind.name, #spec.jobs,
      #spec.jobs == 1 and "job" or "jobs", procs) }
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
  return {
    number = number, kind = kind.name,
    title = ("%s: %d %s on %d processors"):format(kind.name, n, n == 1 and "task" or "tasks",
      procs),
    spec = {
      tasks = (kind.make or profiles)(rng, n), procs = procs, seed = given.seed, set = number,
      faults = kind.mtbf_years and { mtbf_years = kind.mtbf_years, downtime = kind.downtime or 60 },
      costs = kind.costs,
    },
  }
end

-- --- packs --------------------------------------------------------------------------------------

-- Times that do not shrink as they should are repaired, as those of a user are.
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
  return {
    number = number, kind = kind.name,
    title = ("%s: %d %s on %d processors"):format(kind.name, n, n == 1 and "task" or "tasks",
      procs),
    spec = {
      tasks = kind.make(rng, n), procs = procs, k = kind.k or rng:integer(1, procs),
      least = kind.least and math.min(kind.least, procs), seed = given.seed, set = number,
    },
  }
end

-- --- all ----------------------------------------------------------------------------------------

local MAKE = { dispatch = job_workload, priority = job_workload, redistribute = task_workload,
  pack = pack_workload }

-- The kinds of workloads for policies of this kind.
workloads.kinds = { dispatch = #JOBS, priority = #JOBS, redistribute = #TASKS, pack = #PACKS }

-- given: kind (of the policy), seed, procs (nil: drawn), widest (share of the machine).
-- A table: number, kind, title, spec: fields of orrery.compare, or orrery.packs.
function workloads.make(given, number) return MAKE[given.kind](given, number) end

-- So many jobs of one machine: all at once, to see what a long queue costs, or as they come.
function workloads.crowd(given, count, procs)
  local rng = orrery.random { seed = given.seed, set = 2, entity = count }
  local most = math.max(1, math.floor(procs * given.widest))
  return orrery.jobs(jobs_of(rng, count, most))
end

function workloads.stream(given, count, procs)
  local rng = orrery.random { seed = given.seed, set = 3, entity = count }
  local most = math.max(1, math.floor(procs * given.widest))
  return orrery.jobs(jobs_of(rng, count, most, arrivals(gap(procs, most))))
end

return workloads
