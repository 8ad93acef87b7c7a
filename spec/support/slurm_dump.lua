-- slurm_dump: a dump of `sacct -P` of a cluster that is made here. Two partitions have processors,
-- memory and, one of them, GPUs of their own; EASY backfilling starts jobs where all three fit. So
-- the waits have causes that the dump's processors alone do not explain.
local orrery = require "orrery"

local slurm_dump = {}
-- Of each partition: processors, GiB of memory, GPUs.
slurm_dump.PARTITIONS = { cpu = { 512, 2048, 0 }, gpu = { 256, 1024, 32 } }
-- The same as a file for --machine: each partition is one large node.
slurm_dump.MACHINE = [[return { nodes = { { count = 1, procs = 512, mem = "2T" },
  { count = 1, procs = 256, mem = "1T", gpu = 32 } },
  partitions = { cpu = { nodes = "1" }, gpu = { nodes = "2" } } }]]
local BEGIN = 1709251200 -- 2024-03-01 00:00, on the clocks of the cluster

local function draw_job(rng)
  local job = { user = "user" .. rng:integer(1, 12), partition = "cpu", gpus = 0,
    procs = 2 ^ rng:integer(0, 5) | 0, runtime = math.ceil(-5400 * math.log(1 - rng:uniform(0, 1))),
    held = rng:uniform(0, 1) < 0.08 and rng:integer(1, 24) * 3600 or 0 }
  if rng:uniform(0, 1) < 0.35 then
    job.partition, job.gpus, job.procs = "gpu", 2 ^ rng:integer(0, 3) | 0, rng:integer(1, 8)
    job.runtime = 2 * job.runtime
  end
  job.memory = job.procs * (rng:uniform(0, 1) < 0.2 and 16 or 2)
  job.need = { job.procs, job.memory, job.gpus }
  job.minutes = math.ceil(job.runtime / 60 * (1 + 3 * rng:uniform(0, 1)))
  local die = rng:uniform(0, 1)
  job.state = die < 0.06 and "FAILED" or "COMPLETED"
  if die > 0.97 then job.state, job.runtime = "TIMEOUT", job.minutes * 60 end
  return job
end

-- Jobs with their submissions; an array is several jobs that are submitted together.
local function draw(rng, count)
  local jobs, time, id = {}, 0, 1000
  while #jobs < count do
    time, id = time + math.ceil(-900 * math.log(1 - rng:uniform(0, 1))), id + 1
    local first, size = draw_job(rng), rng:uniform(0, 1) < 0.1 and rng:integer(2, 12) or 1
    local array = size > 1 and id
    for task = 1, size do
      local job = setmetatable({ submit = time, raw = id, at = #jobs + 1,
        id = array and ("%d_%d"):format(array, task) or tostring(id), array = array },
        { __index = first })
      jobs[#jobs + 1], id = job, task < size and id + 1 or id
    end
    first.eligible = time + first.held
  end
  return jobs
end

local function fits(need, free)
  return need[1] <= free[1] and need[2] <= free[2] and need[3] <= free[3]
end

local function sort(jobs, key)
  table.sort(jobs, function(a, b)
    local x, y = key(a), key(b)
    return x < y or x == y and a.at < b.at
  end)
end

local function move(free, need, sign)
  for i = 1, 3 do free[i] = free[i] + sign * need[i] end
end

-- When the head of the queue fits by plan, and what is free beside it then.
local function shadow(free, running, head)
  local left = table.move(free, 1, 3, 1, {})
  for _, job in ipairs(head and running or {}) do
    move(left, job.need, 1)
    if fits(head.need, left) then
      move(left, head.need, -1)
      return job.start + job.minutes * 60, left
    end
  end
end

-- EASY in one partition: gives every job its start. Of an array `most` jobs run at once; others of
-- it are passed.
local function schedule(jobs, free, most)
  local waiting, running, coming = {}, {}, table.move(jobs, 1, #jobs, 1, {})
  local function may_start(job)
    local count = 0
    for _, one in ipairs(job and job.array and running or {}) do
      count = count + (one.array == job.array and 1 or 0)
    end
    return job and count < most
  end
  local function head()
    for place, job in ipairs(waiting) do if may_start(job) then return place end end
    return #waiting + 1
  end
  sort(coming, function(job) return job.eligible end)
  local function start(place, now)
    local job = table.remove(waiting, place)
    job.start, running[#running + 1] = now, job
    move(free, job.need, -1)
    sort(running, function(one) return one.start + 60 * one.minutes end)
  end
  while #coming + #waiting > 0 do
    local now = coming[1] and coming[1].eligible or math.huge
    for _, job in ipairs(running) do now = math.min(now, job.start + job.runtime) end
    for i = #running, 1, -1 do
      local over = running[i].start + running[i].runtime <= now
      if over then move(free, table.remove(running, i).need, 1) end
    end
    while coming[1] and coming[1].eligible <= now do
      waiting[#waiting + 1] = table.remove(coming, 1)
    end
    local first = head()
    while waiting[first] and fits(waiting[first].need, free) do
      start(first, now)
      first = head()
    end
    local at, left = shadow(free, running, waiting[first])
    for place = #waiting, first + 1, -1 do -- the latest first, which is as good
      local job = waiting[place]
      local late = now + job.minutes * 60 > at
      if may_start(job) and fits(job.need, free) and (not late or fits(job.need, left)) then
        if late then move(left, job.need, -1) end
        start(place, now)
      end
    end
  end
end

local function date(time) return os.date("!%Y-%m-%dT%H:%M:%S", BEGIN + time) end

local HEAD = "JobID|JobIDRaw|User|Partition|QOS|State|Submit|Eligible|Start|End|ElapsedRaw|"
  .. "Suspended|TimelimitRaw|NCPUS|NNodes|AllocTRES|ReqMem|SubmitLine\n"
local OTHERS = "9000|9000|user1|cpu|normal|CANCELLED by 5|%s|%s|None|%s|0|00:00:00|60|4|1||8G|x\n"
  .. "9001|9001|user1|cpu|normal|RUNNING|%s|%s|%s|Unknown|9|00:00:00|60|4|1|cpu=4|8G|x\n"

local function row(job, step)
  local own, start = step == "", date(job.start)
  return table.concat({ job.id .. step, job.raw .. step, own and job.user or "",
    own and job.partition or "", own and "normal" or "", job.state,
    own and date(job.submit) or start, own and date(job.eligible) or start, start,
    date(job.start + job.runtime), job.runtime, "00:00:00", own and job.minutes or "", job.procs,
    1, ("billing=%d,cpu=%d%s,mem=%dG"):format(job.procs, job.procs,
      job.gpus > 0 and ",gres/gpu=" .. job.gpus or "", job.memory), job.memory .. "G",
    own and (job.array and "sbatch --array=1-12 x" or "sbatch x") or "" }, "|") .. "\n"
end

-- Writes the dump of so many jobs, with the steps of each, one job that was cancelled while it
-- waited and one that still runs. most: jobs of an array that run at once; nil: all. Returns the
-- jobs, and what any reader must find.
function slurm_dump.write(path, count, seed, most)
  local jobs = draw(orrery.random(seed), count)
  for name, pool in pairs(slurm_dump.PARTITIONS) do
    local mine = {}
    for _, job in ipairs(jobs) do mine[#mine + 1] = job.partition == name and job or nil end
    schedule(mine, table.move(pool, 1, 3, 1, {}), most or math.huge)
  end
  local file, truth, at = assert(io.open(path, "w")), { jobs = #jobs }, date(0)
  local function add(name, one) truth[name] = (truth[name] or 0) + (one or 0) end
  file:write(HEAD)
  for _, job in ipairs(jobs) do
    file:write(row(job, ""), row(job, ".batch"), row(job, ".extern"))
    file:write(job.gpus > 0 and row(job, ".0") or "")
    add("steps", job.gpus > 0 and 3 or 2)
    add("wait", job.start - job.eligible)
    add("from_submit", job.start - job.submit)
    add("held", job.held > 0 and 1)
    add("gpus", job.gpus > 0 and 1)
    add("elements", job.array and 1)
  end
  file:write((OTHERS:format(at, at, date(600), at, at, at)))
  file:close()
  return jobs, truth
end

return slurm_dump
