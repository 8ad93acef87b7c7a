-- known_truth: logs whose waits have a known cause. A scheduler of its own, as plain as can be,
-- runs jobs under rules that a log does not tell: limits per user, GPUs, partitions, holds ...
local waited_log = require "spec.support.waited_log"
local orrery = require "orrery"

local known_truth = {}

local PROCS, GPUS = 128, 8

-- Jobs of Lublin's model, with users, some of whom use GPUs; whole seconds.
function known_truth.jobs(seed, days, load)
  local rng, list = orrery.random(seed), {}
  for i, job in ipairs(orrery.lublin { procs = PROCS, days = days, load = load,
    walltimes = "users", seed = seed }) do
    local user = 1 + math.floor(20 * rng:uniform(0, 1) ^ 2)
    local gpu = user % 3 == 1 and job.procs <= PROCS // 2
    list[i] = { submit = job.submit // 1 | 0, runtime = math.max(1, job.runtime // 1 | 0),
      procs = job.procs, walltime = math.max(1, math.ceil(job.walltime)), user = user,
      gpus = gpu and math.min(GPUS, 1 + job.procs // 2) or 0,
      held = rng:uniform(0, 1) < 0.3 and rng:integer(3600, 4 * 86400) or 0, part = user % 2 + 1 }
    local it = list[i]
    it.walltime = math.max(it.walltime, it.runtime)
  end
  table.sort(list, function(a, b) return a.submit < b.submit end)
  return list
end

-- The waits of jobs, s. rules, each of which may be left out:
--   procs     of the machine
--   order     function(job, now) -> the smallest is first; default: the submission
--   greedy    no reservation for the first job that does not fit; else EASY's
--   strict    nobody passes the first job that does not fit
--   limit     processors that a user may hold at once;  most: jobs
--   gpus      of the machine: jobs wait for theirs
--   held      jobs wait as long as `held` says before the scheduler sees them
--   cycle     s between decisions
function known_truth.waits(jobs, rules)
  local procs, free, gpus = rules.procs, rules.procs, rules.gpus
  local waits, waiting, running, of_user, running_of = {}, {}, {}, {}, {}
  local coming = table.move(jobs, 1, #jobs, 1, {})
  for i, job in ipairs(jobs) do
    job.at, job.seen = i, job.submit + (rules.held and job.held or 0)
    of_user[job.user], running_of[job.user] = 0, 0
  end
  table.sort(coming, function(a, b)
    if a.seen ~= b.seen then return a.seen < b.seen end
    return a.at < b.at
  end)
  local order = rules.order or function(job) return job.seen end
  local function allowed(job)
    return (not rules.limit or of_user[job.user] + job.procs <= math.max(rules.limit, job.procs))
      and (not rules.most or running_of[job.user] < rules.most)
      and (not gpus or job.gpus <= gpus)
  end
  local function take(job, sign)
    free, of_user[job.user] = free - sign * job.procs, of_user[job.user] + sign * job.procs
    running_of[job.user] = running_of[job.user] + sign
    gpus = gpus and gpus - sign * job.gpus
  end
  -- When the first job can start, and the processors that are then left over.
  local function reservation(job, now)
    local ends, room = {}, free
    for i, one in ipairs(running) do ends[i] = one end
    table.sort(ends, function(a, b) return a.start + a.walltime < b.start + b.walltime end)
    for _, one in ipairs(ends) do
      room = room + one.procs
      if room >= job.procs then return one.start + one.walltime, room - job.procs end
    end
    return now, 0
  end
  local function decide(now)
    table.sort(waiting, function(a, b)
      local x, y = order(a, now), order(b, now)
      if x ~= y then return x < y end
      return a.at < b.at
    end)
    local left, shadow, extra = {}, nil, 0
    for _, job in ipairs(waiting) do
      local fits = job.procs <= free and allowed(job)
      if fits and shadow then
        fits = not rules.strict and (now + job.walltime <= shadow or job.procs <= extra)
        if fits and now + job.walltime > shadow then extra = extra - job.procs end
      end
      if fits then
        take(job, 1)
        job.start, waits[job.at] = now, now - job.submit
        running[#running + 1] = job
      else
        left[#left + 1] = job
        if not shadow and allowed(job) and not rules.greedy then
          shadow, extra = reservation(job, now)
        end
      end
    end
    waiting = left
  end
  local next_job, now = 1, 0
  while next_job <= #coming or #waiting > 0 or #running > 0 do
    local instant = coming[next_job] and coming[next_job].seen or math.huge
    for _, job in ipairs(running) do instant = math.min(instant, job.start + job.runtime) end
    if rules.cycle then
      instant = math.max(now + 1, math.ceil(instant / rules.cycle) * rules.cycle)
    end
    now = instant
    for i = #running, 1, -1 do
      local job = running[i]
      if job.start + job.runtime <= now then
        take(job, -1)
        table.remove(running, i)
      end
    end
    while coming[next_job] and coming[next_job].seen <= now do
      waiting[#waiting + 1] = coming[next_job]
      next_job = next_job + 1
    end
    decide(now)
  end
  assert(free == procs)
  return waits
end

-- Each partition has half of the machine, and jobs of at most that.
local function by_partition(jobs)
  local waits = {}
  for part = 1, 2 do
    local own, places = {}, {}
    for i, job in ipairs(jobs) do
      if job.part == part then own[#own + 1], places[#places + 1] = job, i end
    end
    for k, wait in ipairs(known_truth.waits(own, { procs = PROCS // 2 })) do
      waits[places[k]] = wait
    end
  end
  return waits
end

local function narrow(jobs)
  for _, job in ipairs(jobs) do job.procs = math.min(job.procs, PROCS // 2) end
  return jobs
end

-- What made the waits, how, and the policy that does the same, if there is one.
known_truth.CAUSES = {
  { "EASY", function(jobs) return known_truth.waits(jobs, { procs = PROCS }) end },
  { "EASY, decided every 30 s", function(jobs)
    return known_truth.waits(jobs, { procs = PROCS, cycle = 30 })
  end },
  { "FCFS without backfilling", function(jobs)
    return known_truth.waits(jobs, { procs = PROCS, strict = true })
  end, "fcfs" },
  { "backfilling without reservations", function(jobs)
    return known_truth.waits(jobs, { procs = PROCS, greedy = true })
  end, "greedy" },
  { "conservative backfilling", function(jobs)
    return orrery.compare { jobs = waited_log.read(known_truth.swf(jobs)), policy = "conservative",
      walltimes = "log", overrun = "extend" }:jobs(1, "wait")
  end, "conservative" },
  { "aging: shorter jobs first, until they are old", function(jobs)
    return known_truth.waits(jobs, { procs = PROCS,
      order = function(job, now) return -(now - job.submit) / job.walltime end })
  end },
  { "hidden shares: some users go first", function(jobs)
    return known_truth.waits(jobs, { procs = PROCS,
      order = function(job) return job.submit + job.user * 7200 end })
  end },
  { "a hidden limit of 16 processors per user", function(jobs)
    return known_truth.waits(jobs, { procs = PROCS, limit = 16 })
  end },
  { "a hidden limit of 2 jobs per user", function(jobs)
    return known_truth.waits(jobs, { procs = PROCS, most = 2 })
  end },
  { "hidden GPUs", function(jobs)
    return known_truth.waits(jobs, { procs = PROCS, gpus = GPUS })
  end },
  { "two hidden partitions", function(jobs) return by_partition(narrow(jobs)) end },
  { "hidden holds of 30% of the jobs", function(jobs)
    return known_truth.waits(jobs, { procs = PROCS, held = true })
  end },
  { "half of the nodes drained", function(jobs)
    return known_truth.waits(narrow(jobs), { procs = PROCS // 2 })
  end },
}

-- The log of jobs, with these waits where there are any.
function known_truth.swf(jobs, waits)
  local list = {}
  for i, job in ipairs(jobs) do
    list[i] = { job.submit, waits and waits[i] // 1 | 0 or -1, job.runtime, job.procs, job.walltime,
      job.user }
  end
  return waited_log.swf(list, PROCS)
end

return known_truth
