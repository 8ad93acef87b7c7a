-- A naive simulator for logs: FCFS, EASY and conservative backfilling as their authors describe
-- them, in FCFS order, without failures. It is meant to be obviously correct, and just fast enough
-- for a log of some thousand jobs: everything is planned anew, from nothing, at every instant.
--
-- naive_online.run(jobs, procs, policy) -> the start of every job, and how many jobs waited at most
--   jobs    list of { submit =, procs =, time =, estimate = }
--   policy  "fcfs", "easy" or "conservative"
local naive_online = {}

-- When a job that starts now is planned to end.
local function planned_end(job, now) return now + job.estimate end

-- --- the three policies -------------------------------------------------------------------------
-- Each starts some of the waiting jobs (a list in order of submission); start(job) says so.

local decide = {}

-- The first that does not fit blocks all behind it.
function decide.fcfs(sim, start)
  for _, job in ipairs(sim.waiting) do
    if job.procs > sim.free then return end
    start(job)
  end
end

-- When the running jobs will have given back enough processors for this one, and how many more than
-- it asks for will be free then: the shadow time and the extra processors.
local function shadow(sim, head)
  local ends = {}
  for job in pairs(sim.running) do ends[#ends + 1] = job end
  table.sort(ends, function(a, b) return a.planned < b.planned end)
  local free, time = sim.free, nil
  for _, job in ipairs(ends) do
    if time and job.planned > time then break end -- all that end at the shadow time count
    free = free + job.procs
    if free >= head.procs then time = job.planned end
  end
  return time, free - head.procs
end

-- The first that does not fit has a reservation. Jobs behind it may start if they are over by then,
-- or leave it the processors that it needs.
function decide.easy(sim, start)
  local head, time, extra
  for _, job in ipairs(sim.waiting) do
    if not head and job.procs <= sim.free then
      start(job)
    elseif not head then
      head = job
      time, extra = shadow(sim, head)
    elseif job.procs <= sim.free then
      if planned_end(job, sim.now) <= time then
        start(job)
      elseif job.procs <= extra then
        extra = extra - job.procs
        start(job)
      end
    end
  end
end

-- Free processors over time: from times[i] on, until times[i + 1], free[i] are.
local function profile_of(sim)
  local given_back = {}
  for job in pairs(sim.running) do
    given_back[job.planned] = (given_back[job.planned] or 0) + job.procs
  end
  local times, free = {}, {}
  for time in pairs(given_back) do times[#times + 1] = time end
  table.sort(times)
  table.insert(times, 1, sim.now)
  free[1] = sim.free
  for i = 2, #times do free[i] = free[i - 1] + given_back[times[i]] end
  return times, free
end

-- The first step from which on there are enough processors for long enough.
local function earliest(times, free, job)
  local i = 1
  while true do
    local till, blocked = planned_end(job, times[i]), nil
    local k = i
    while k <= #times and (times[k] < till or k == i) do
      if free[k] < job.procs then blocked = k end
      k = k + 1
    end
    if not blocked then return i, till end
    i = blocked + 1
  end
end

-- Takes the processors from step i until `till` away.
local function reserve(times, free, i, till, procs)
  local k = i
  while k <= #times and times[k] < till do k = k + 1 end
  if times[k] ~= till and k > i then
    table.insert(times, k, till)
    table.insert(free, k, free[k - 1])
  end
  for step = i, k - 1 do free[step] = free[step] - procs end
end

-- Every job has a reservation, at the earliest time that delays none made before it.
function decide.conservative(sim, start)
  local times, free = profile_of(sim)
  for _, job in ipairs(sim.waiting) do
    local i, till = earliest(times, free, job)
    if i == 1 then start(job) end
    reserve(times, free, i, till, job.procs)
  end
end

-- --- the simulation -----------------------------------------------------------------------------

local function start_job(sim, job)
  assert(job.procs <= sim.free)
  sim.free = sim.free - job.procs
  sim.starts[job.position] = sim.now
  job.planned = planned_end(job, sim.now)
  job.finish = sim.now + math.min(job.time, job.estimate) -- killed at its walltime
  sim.running[job] = true
end

local function end_jobs(sim)
  for job in pairs(sim.running) do
    if job.finish == sim.now then
      sim.running[job] = nil
      sim.free = sim.free + job.procs
    end
  end
end

local function next_event(sim, next_job)
  local time = next_job and next_job.submit or math.huge
  for job in pairs(sim.running) do time = math.min(time, job.finish) end
  return time
end

function naive_online.run(list, procs, policy)
  local sim = { free = procs, running = {}, waiting = {}, starts = {} }
  local jobs, longest = {}, 0
  for position, job in ipairs(list) do
    jobs[position] = { position = position, submit = job.submit, procs = job.procs,
      time = job.time, estimate = job.estimate }
  end
  table.sort(jobs, function(a, b)
    if a.submit ~= b.submit then return a.submit < b.submit end
    return a.position < b.position
  end)
  local submitted = 0
  while submitted < #jobs or next(sim.running) do
    sim.now = next_event(sim, jobs[submitted + 1])
    end_jobs(sim)
    while submitted < #jobs and jobs[submitted + 1].submit == sim.now do
      submitted = submitted + 1
      sim.waiting[#sim.waiting + 1] = jobs[submitted]
    end
    longest = math.max(longest, #sim.waiting)
    decide[policy](sim, function(job) start_job(sim, job) end)
    local still = {}
    for _, job in ipairs(sim.waiting) do
      if not sim.starts[job.position] then still[#still + 1] = job end
    end
    sim.waiting = still
  end
  return sim.starts, longest
end

return naive_online
