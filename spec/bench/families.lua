-- The families of `make bench`: what is simulated at which sizes, and what it is compared to.
--
-- Of each: name, title; x, what is counted; sizes and quick sizes; work(size), which gives a
-- function that does it once, and perhaps one that cleans up; exponent, how the cost should grow
-- with the size, and why; worse: why it grows faster, where it does. reference = { name,
-- command(size), seconds(text), most }: a program of spec/bench that does the same, up to the size
-- `most`. wall = true: time on the clock counts, not processor time. of: one of what is counted.
local logs = dofile "spec/bench/logs.lua"
local orrery = require "orrery"

local folder = os.getenv "ORRERY_BENCH" or "build/bench"

local function compare(spec)
  spec.threads = spec.threads or 1
  return function() return orrery.compare(spec) end
end

local synthetic = orrery.synthetic { seed = 1, set = 0 }

-- The i-th number of what a program prints, times `unit`.
local function number(i, unit)
  return function(text)
    local k = 0
    for word in text:gmatch "%S+" do
      k = k + 1
      if k == i then return tonumber(word) * (unit or 1) end
    end
  end
end

local function plain_loop(rule, most)
  return {
    name = "priorities.cpp, a plain C++ loop", most = most, seconds = number(1),
    command = function(size) return ("%s/priorities %s %d 0.9"):format(folder, rule, size) end,
  }
end

-- Jobs that are all there at first, under a policy.
local function waiting_jobs(name, title, spec, sizes, exponent, why, worse)
  return {
    name = name, title = title .. ": waiting jobs", x = "jobs that wait at first", of = "job",
    sizes = sizes, quick = { table.unpack(sizes, 1, #sizes - 1) },
    exponent = exponent, why = why, worse = worse,
    work = function(size)
      local list, rng = {}, orrery.random(5)
      for i = 1, size do
        list[i] = { runtime = rng:uniform(100, 10000), procs = rng:integer(1, 2000) }
      end
      return compare { jobs = orrery.jobs(list), procs = 10000, policy = spec.policy,
        priority = spec.priority }
    end,
  }
end

local JOBS = { 100, 1000, 10000, 100000, 1000000 }
local JOBS_QUICK = { 100, 1000, 10000, 100000 }

local WAITING = { 10, 100, 1000, 10000, 100000, 1000000 }
local STARTED = "each is started once, found by a tree in steps that grow with its depth"
local CACHES = "A million jobs and the tree over them are larger than the processor's caches."

local function pack_tasks(count)
  return orrery.tasks.synthetic { n = count, m = { 1000, 1e5 }, seed = 3 }
end

-- The path of a new log of so many lines.
local function swf_of(size)
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write "; MaxProcs: 4096\n"
  for i = 1, size do
    file:write(("%d %d %d %d %d %d -1 %d %d -1 1 5 1 -1 -1 1 -1 -1\n"):format(i, i * 7, i % 90,
      100 + i * 7919 % 86400, 1 + i % 256, 100, 1 + i % 256, 86400))
  end
  file:close()
  return path
end

-- So many policies that do the same, under a priority.
local function many_greedy(count, priority)
  local list = {}
  for i = 1, count do
    list[i] = { name = "greedy " .. i, dispatch = { discipline = "list", reservations = 0 } }
  end
  return compare { jobs = synthetic, procs = 10000, runs = 100, policies = list,
    priority = priority, errors = { mean_probability = 0.3 } }
end

-- A log of 20,000 jobs of which each needs some of every pool.
local function with_pools(pools)
  local made, rng, list = logs.of(20000, { walltimes = "users" }), orrery.random(3), {}
  for i = 1, #made do
    local job, needs = made[i], {}
    for k = 1, pools do needs["pool" .. k] = rng:integer(1, job.procs) end
    list[i] = { submit = job.submit, time = job.time, walltime = job.walltime, procs = job.procs,
      needs = needs }
  end
  local amounts = {}
  for k = 1, pools do amounts["pool" .. k] = 10000 end
  return { jobs = orrery.jobs(list), procs = 10000, pools = amounts, policy = "easy",
    walltimes = "log" }
end

-- EASY on the bundled month with so many reservations of ten minutes.
local function with_reservations(count)
  local list = {}
  for i = 1, count do
    local from = (i - 1) * 30 * 86400 / count
    list[i] = { from = from, to = from + 600, procs = 1 + i % 7 * 512, user = "u" .. i }
  end
  return { jobs = orrery.read "data/mira/sample-2019-06.csv", policy = "easy", walltimes = "log",
    reservations = list }
end

local families = {
  {
    name = "easy", title = "EASY: jobs of a log, load 0.9", x = "jobs", of = "job",
    sizes = JOBS, quick = JOBS_QUICK,
    exponent = 1, why = "the queue does not grow with the log; every job costs the same",
    work = function(size) return compare { jobs = logs.of(size), policy = "easy" } end,
    reference = plain_loop("fcfs", 1000000),
  },
  {
    name = "second-policy", title = "EASY and EASY-SJF, compared by week: jobs of a log, load 0.9",
    x = "jobs", of = "job", sizes = JOBS, quick = JOBS_QUICK,
    exponent = 1, why = "each policy costs the same for every job; differences are summed by week",
    work = function(size)
      local run = compare { jobs = logs.of(size), policies = { "easy", "easy-sjf" } }
      return function() return run():weekly(1, 2, "wait_mean") end
    end,
  },
  {
    name = "schedule", title = "EASY, recorded, checked and written as CSV: jobs of a log",
    x = "jobs", of = "job", sizes = JOBS, quick = JOBS_QUICK,
    exponent = 1, why = "a row is written once; each processor of an attempt is looked at",
    work = function(size)
      local session = { jobs = logs.of(size), policy = "easy" }
      return function()
        local one = orrery.session(session)
        one:finish()
        assert(one:check())
        one:write_schedule "/dev/null"
      end
    end,
  },
  {
    name = "wfp3", title = "EASY with WFP3, an order that depends on the time: jobs", x = "jobs",
    of = "job", sizes = JOBS, quick = JOBS_QUICK,
    exponent = 1, why = "as many jobs wait at a decision in short logs as in long ones",
    work = function(size)
      return compare { jobs = logs.of(size), policy = "easy", priority = "wfp3" }
    end,
    reference = plain_loop("wfp3", 1000000),
  },
  {
    name = "fair-share", title = "EASY with fair share, by hooks in Lua: jobs", x = "jobs",
    of = "job", sizes = { 100, 1000, 10000, 100000 }, quick = { 100, 1000, 10000 },
    exponent = 1, why = "every job has so many calls of hooks",
    work = function(size)
      return compare { jobs = logs.with_users(size), procs = 10000, policy = "fair-share" }
    end,
    reference = plain_loop("fair-share", 100000),
  },
  {
    name = "threshold", title = "redirect/threshold, hooks in Lua: jobs", x = "jobs", of = "job",
    sizes = JOBS, quick = JOBS_QUICK,
    exponent = 1, why = "every job has so many calls of hooks",
    work = function(size)
      return compare { jobs = logs.of(size), policy = "redirect/threshold" }
    end,
  },
  {
    name = "conservative", title = "Conservative backfilling with walltimes: jobs", x = "jobs",
    of = "job", sizes = { 100, 1000, 10000, 100000 }, quick = { 100, 1000, 10000 },
    exponent = 1.5, why = "1 where queues do not grow; a longer log has longer ones at its worst, "
      .. "and every end looks at all reservations that it may move",
    work = function(size)
      return compare { jobs = logs.of(size, { walltimes = "users" }), policy = "conservative",
        walltimes = "log" }
    end,
    reference = {
      name = "promises.cpp, a plain C++ program", most = 20000, seconds = number(3),
      command = function(size)
        return ("%s/promises count=%d load=0.9 walltimes=5"):format(folder, size)
      end,
    },
  },
  waiting_jobs("greedy-waiting", "Greedy", { policy = "greedy", priority = "lpt" },
    WAITING, 1, STARTED, CACHES),
  waiting_jobs("easy-waiting", "EASY", { policy = "easy", priority = "lpt" }, WAITING, 1, STARTED,
    CACHES),
  waiting_jobs("conservative-waiting", "Conservative backfilling", { policy = "conservative" },
    { 10, 100, 1000, 10000, 100000 }, 2,
    "every reservation is found among those in front of it, from where a smaller one has found its "
      .. "start, by blocks of 64"),
  waiting_jobs("list-all-waiting", "R-LIST-Q",
    { policy = "list:reservations=all", priority = "lpt" }, { 10, 100, 1000, 10000 }, 2,
    "at each of n ends a decision may reserve for all of n jobs"),
  {
    name = "processors", title = "EASY, 20,000 jobs: processors of the machine", x = "processors",
    sizes = { 100, 1000, 10000, 100000, 1000000, 10000000 },
    quick = { 100, 10000, 1000000 },
    exponent = 0, why = "processors are counted; jobs of a wider machine are wider",
    work = function(size)
      return compare { jobs = logs.of(20000, { procs = size }), procs = size, policy = "easy" }
    end,
  },
  {
    name = "silent-errors", title = "Greedy LPT, 100 jobs: attempts of a scenario",
    x = "1 / (1 - q), q being the mean probability of a failure", sizes = { 1, 2, 5, 10, 20 },
    quick = { 1, 2, 5, 10 },
    exponent = 2, why = "attempts grow about as the square and faster; those of jobs in front of "
      .. "all who wait are taken at once",
    work = function(size)
      local q = 1 - 1 / size
      return compare { jobs = synthetic, procs = 10000, runs = 200, policy = "greedy",
        priority = "lpt", errors = { mean_probability = q } }
    end,
    reference = {
      name = "bare.c, a bare C loop (-O3 -march=native)", most = 10,
      seconds = number(2, 200 * 1e-6),
      command = function(size) return ("%s/bare %.17g 200"):format(folder, 1 - 1 / size) end,
    },
  },
  {
    name = "node-failures", title = "EASY, 2000 jobs: failures of nodes", x = "failures a year",
    sizes = { 1, 10, 100, 1000, 10000 }, quick = { 10, 100, 1000, 10000 },
    exponent = 1, why = "each failure is an event, and what it strikes begins anew",
    worse = "Where failures are as frequent as wide jobs are long, these begin anew many times.",
    work = function(size)
      local jobs = logs.of(2000, { procs = 1000 })
      return compare { jobs = jobs, procs = 1000, policy = "easy",
        node_failures = { mtbf = 365 * 86400 * 1000 / size, repair = 3600 } }
    end,
  },
  {
    name = "windows", title = "EASY on the bundled month: reservations of ten minutes",
    x = "reservations", of = "reservation", sizes = { 10, 100, 1000, 10000 },
    quick = { 10, 100, 1000 },
    exponent = 1, why = "each opens and closes once, and decisions look at those ahead",
    work = function(size) return compare(with_reservations(size)) end,
  },
  {
    name = "pools", title = "EASY, 20,000 jobs that need some of every pool: pools",
    x = "pools", of = "pool",
    sizes = { 1, 2, 4, 8, 16 }, quick = { 1, 4, 16 },
    exponent = 1, why = "each pool is looked at for each job that may start",
    work = function(size) return compare(with_pools(size)) end,
  },
  {
    name = "nodes", title = "EASY on nodes, 5000 jobs: nodes", x = "nodes", of = "node",
    sizes = { 10, 100, 1000, 10000 }, quick = { 10, 100, 1000 },
    exponent = 1, why = "a placement looks at nodes until it has enough",
    work = function(size)
      return compare { jobs = logs.on_nodes(5000, size), machine = logs.nodes(size),
        policy = "easy", walltimes = "log" }
    end,
  },
  {
    name = "forks", title = "A fork with another policy, to its first step: jobs of the session",
    x = "jobs", of = "job", sizes = JOBS, quick = JOBS_QUICK,
    exponent = 1, why = "what is to come is copied; what is past is shared",
    work = function(size)
      local jobs = logs.of(size)
      local s = orrery.session { jobs = jobs, policy = "easy" }
      s:run_until(jobs[(size + 1) // 2].submit)
      return function() s:fork({ policy = "fcfs" }):step() end
    end,
  },
  {
    name = "groups", title = "Groups of processors, 10,000 jobs", x = "groups", of = "group",
    sizes = { 1, 10, 100, 1000 }, quick = { 1, 10, 100 },
    exponent = 1, why = "after every event each group is asked for a decision; each has room for "
      .. "all jobs",
    work = function(size)
      local groups = {}
      for i = 1, size do groups[i] = { name = "g" .. i, procs = i > 1 and 1000 or nil } end
      return compare { jobs = logs.of(10000, { procs = 1000 }), procs = 1000 * size,
        policy = { groups = groups, dispatch = { discipline = "list", reservations = 1 },
          on_submit = function(sim, job)
            local to = tonumber(job.id) % size + 1
            if to > 1 then sim:move(job, "g" .. to) end
          end } }
    end,
  },
  {
    name = "policies", title = "Greedy LPT, q = 0.3, 100 scenarios: policies compared",
    x = "policies", of = "policy", sizes = { 1, 10, 100, 1000 }, quick = { 1, 10, 100 },
    exponent = 1, why = "failures are drawn once for all policies; the rest is of each",
    work = function(size) return many_greedy(size, "lpt") end,
  },
  {
    name = "orders", title = "Greedy with priority/random, q = 0.3, 100 scenarios: policies",
    x = "policies", of = "policy", sizes = { 1, 10, 100, 1000 }, quick = { 1, 10, 100 },
    exponent = 1, why = "each policy has an order of its own",
    work = function(size) return many_greedy(size, "random") end,
  },
  {
    name = "scenarios", title = "Greedy LPT, 100 jobs, q = 0.3: scenarios", x = "scenarios",
    of = "scenario", sizes = { 10, 100, 1000, 10000, 100000 }, quick = { 10, 100, 1000, 10000 },
    exponent = 1, why = "each is simulated by itself; of each its metrics are kept",
    work = function(size)
      return compare { jobs = synthetic, procs = 10000, runs = size, policy = "greedy",
        priority = "lpt", errors = { mean_probability = 0.3 } }
    end,
  },
  {
    name = "threads", title = "Greedy LPT, q = 0.3, 20,000 scenarios: threads (time on the clock)",
    x = "threads", wall = true, sizes = { 1, 2, 4, 16, 64, 256 }, quick = { 1, 2, 4, 16 },
    exponent = -1, why = "up to the cores of the machine; beyond them 0",
    work = function(size)
      return compare { jobs = synthetic, procs = 10000, runs = 20000, policy = "greedy",
        priority = "lpt", errors = { mean_probability = 0.3 }, threads = size }
    end,
  },
  {
    name = "redistribution", title = "IteratedGreedy-EndGreedy on 5 processors a task: tasks",
    x = "tasks", of = "task", sizes = { 10, 100, 1000, 10000 }, quick = { 10, 100, 1000 },
    exponent = 2, why = "at each of n ends all of n tasks are allocated anew",
    work = function(size)
      return compare { tasks = { n = size }, procs = 5 * size, runs = 1,
        faults = { mtbf_years = 100 }, policy = "end-greedy+iterated-greedy" }
    end,
    reference = {
      name = "redistribute.c: step by step, in C", most = 1000, seconds = number(2, 1e-6),
      command = function(size)
        return ("%s/redistribute end-greedy iterated-greedy %d %d 1"):format(folder, size, 5 * size)
      end,
    },
  },
  {
    name = "packs", title = "PACK-BY-PACK, k = 16, 10 processors a task: tasks", x = "tasks",
    of = "task", sizes = { 10, 100, 1000, 10000, 100000 }, quick = { 10, 100, 1000, 10000 },
    exponent = 1, why = "n log n for the heap of tasks, and the processors that are given out",
    work = function(size)
      local tasks = pack_tasks(size)
      return function()
        return orrery.packs { tasks = tasks, procs = 10 * size, k = 16,
          policy = { policy = "pack-by-pack", options = { epsilon = 0.5 } } }
      end
    end,
    reference = {
      name = "packs.c: the same steps of the kernel, called from C", most = 100000,
      seconds = number(2, 1e-6),
      command = function(size)
        local path = ("%s/tasks-%d.csv"):format(folder, size)
        pack_tasks(size):to_csv(path)
        return ("%s/packs %s %d 16 1 1"):format(folder, path, 10 * size)
      end,
    },
  },
  {
    name = "reading", title = "Reading the Standard Workload Format: jobs", x = "jobs", of = "job",
    sizes = JOBS, quick = JOBS_QUICK,
    exponent = 1, why = "a line is read once",
    work = function(size)
      local path = swf_of(size)
      return function() return orrery.read(path) end, function() os.remove(path) end
    end,
    reference = {
      name = "scan.c, a sum of all integers", most = 1000000, seconds = number(2),
      command = function(size)
        local path = swf_of(size)
        return ("%s/scan %s; rm %s"):format(folder, path, path)
      end,
    },
  },
}

return families
