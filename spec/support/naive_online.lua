-- A naive simulator for logs: FCFS, EASY and conservative backfilling as their authors describe
-- them, in FCFS order, without failures. It is meant to be obviously correct, and just fast enough
-- for a log of some thousand jobs: but for conservative backfilling, which keeps its reservations,
-- everything is planned anew, from nothing, at every instant.
--
-- naive_online.run(jobs, procs, policy[, instant]) -> the start of every job, and how many jobs
-- waited at most
--   jobs     list of { submit =, procs =, time =, estimate = }
--   policy   "fcfs", "easy", "easy-sjf", "conservative", or "list-all", which is R-LIST-Q
--   instant  "batched" (none), "ends-first", "submissions-first" or "pyss" (READINGS 35)
local naive_conservative = require "spec.support.naive_conservative"

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
-- or leave it the processors that it needs; `ordered` puts them in the order in which they try.
local function easy(sim, start, ordered)
  local head, time, extra
  local place = 1
  while sim.waiting[place] and sim.waiting[place].procs <= sim.free do
    start(sim.waiting[place])
    place = place + 1
  end
  head = sim.waiting[place]
  if not head then return end
  time, extra = shadow(sim, head)
  for _, job in ipairs(ordered(table.move(sim.waiting, place + 1, #sim.waiting, 1, {}))) do
    if job.procs <= sim.free then
      if planned_end(job, sim.now) <= time then
        start(job)
      elseif job.procs <= extra then
        extra = extra - job.procs
        start(job)
      end
    end
  end
end

function decide.easy(sim, start)
  easy(sim, start, function(jobs) return jobs end)
end

decide["easy-sjf"] = function(sim, start)
  easy(sim, start, function(jobs)
    table.sort(jobs, function(a, b)
      if a.estimate ~= b.estimate then return a.estimate < b.estimate end
      return a.order < b.order
    end)
    return jobs
  end)
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
decide["list-all"] = function(sim, start)
  local times, free = profile_of(sim)
  for _, job in ipairs(sim.waiting) do
    local i, till = earliest(times, free, job)
    if i == 1 then start(job) end
    reserve(times, free, i, till, job.procs)
  end
end

-- --- reservations that are kept (READINGS 34) ---------------------------------------------------

local function held(job, from)
  return naive_conservative.hold(from, planned_end(job, from), job.procs)
end

-- The step that begins at a time, made if there is none.
local function step_at(times, free, time)
  local i = #times
  while times[i] > time do i = i - 1 end
  if times[i] < time then
    i = i + 1
    table.insert(times, i, time)
    table.insert(free, i, free[i - 1])
  end
  return i
end

local function take(profile, hold, procs)
  local from = step_at(profile.times, profile.free, hold.from)
  local till = step_at(profile.times, profile.free, hold.till)
  for i = from, till - 1 do profile.free[i] = profile.free[i] - procs end
  for i = till, from, -1 do -- steps that make no difference
    if i > 1 and profile.free[i] == profile.free[i - 1] then
      table.remove(profile.times, i)
      table.remove(profile.free, i)
    end
  end
end

local function reserve_earliest(profile, job)
  local i = 1
  while true do
    local hold = held(job, profile.times[i])
    local k = i
    while k <= #profile.times and profile.times[k] < hold.till and profile.free[k] >= job.procs do
      k = k + 1
    end
    if k > i and (k > #profile.times or profile.times[k] >= hold.till) then
      job.reserved = hold
      return take(profile, hold, job.procs)
    end
    i = k + (k == i and 1 or 0)
  end
end

local function forget(profile, now)
  while profile.times[2] and profile.times[2] <= now do
    table.remove(profile.times, 1)
    table.remove(profile.free, 1)
  end
  profile.times[1] = now
end

function decide.conservative(sim, start)
  forget(sim.profile, sim.now)
  for _, job in ipairs(sim.waiting) do
    if sim.ended and job.reserved then
      take(sim.profile, job.reserved, -job.procs)
      reserve_earliest(sim.profile, job)
    end
  end
  for _, job in ipairs(sim.waiting) do
    if not job.reserved then reserve_earliest(sim.profile, job) end
  end
  sim.ended = false
  for _, job in ipairs(sim.waiting) do
    if job.reserved.from == sim.now and job.procs <= sim.free then start(job) end
  end
end

-- --- the simulation -----------------------------------------------------------------------------

local function start_job(sim, job)
  assert(job.procs <= sim.free)
  sim.free = sim.free - job.procs
  sim.starts[job.position] = sim.now
  sim.started = sim.started + 1
  job.place = sim.started
  job.planned = planned_end(job, sim.now)
  job.finish = sim.now + math.min(job.time, job.estimate) -- killed at its walltime
  sim.running[job] = true
end

-- The jobs that end now, in order of their starts.
local function ending(sim)
  local list = {}
  for job in pairs(sim.running) do
    if job.finish == sim.now then list[#list + 1] = job end
  end
  table.sort(list, function(a, b) return a.place < b.place end)
  return list
end

local function end_job(sim, job)
  local hold = job.reserved
  if hold and hold.till > sim.now then
    forget(sim.profile, sim.now)
    take(sim.profile, { from = sim.now, till = hold.till }, -job.procs)
  end
  sim.ended = true
  sim.running[job] = nil
  sim.free = sim.free + job.procs
end

local function submit(sim, job)
  sim.submitted = sim.submitted + 1
  sim.waiting[#sim.waiting + 1] = job
  sim.longest = math.max(sim.longest, #sim.waiting)
end

-- What happens at one instant, and when is decided.
local instants = {}

function instants.batched(sim, submissions, decided)
  for _, job in ipairs(ending(sim)) do end_job(sim, job) end
  for _, job in ipairs(submissions) do submit(sim, job) end
  decided()
end

instants["ends-first"] = function(sim, submissions, decided)
  local next_one = 1
  while true do -- jobs that take no time may end between two submissions
    local job = ending(sim)[1]
    if job then
      end_job(sim, job)
    elseif submissions[next_one] then
      submit(sim, submissions[next_one])
      next_one = next_one + 1
    else
      return
    end
    decided()
  end
end

instants["submissions-first"] = function(sim, submissions, decided)
  for _, job in ipairs(submissions) do
    submit(sim, job)
    decided()
  end
  instants["ends-first"](sim, {}, decided)
end

-- What is planned to end now counts as free before its end is looked at.
function instants.pyss(sim, submissions, decided)
  local due = ending(sim)
  for _, job in ipairs(due) do
    if job.planned == sim.now then end_job(sim, job) end
  end
  for _, job in ipairs(submissions) do
    submit(sim, job)
    decided()
  end
  for _, job in ipairs(due) do
    if sim.running[job] then end_job(sim, job) end
    decided()
  end
  instants["ends-first"](sim, {}, decided)
end

local function next_event(sim, next_job)
  local time = next_job and next_job.submit or math.huge
  for job in pairs(sim.running) do time = math.min(time, job.finish) end
  return time
end

function naive_online.run(list, procs, policy, instant)
  local sim = {
    free = procs, running = {}, waiting = {}, starts = {}, submitted = 0, started = 0, longest = 0,
    profile = { times = { -math.huge }, free = { procs } },
  }
  local jobs = {}
  for position, job in ipairs(list) do
    jobs[position] = { position = position, submit = job.submit, procs = job.procs,
      time = job.time, estimate = job.estimate }
  end
  table.sort(jobs, function(a, b)
    if a.submit ~= b.submit then return a.submit < b.submit end
    return a.position < b.position
  end)
  for order, job in ipairs(jobs) do job.order = order end
  local function decided()
    decide[policy](sim, function(job) start_job(sim, job) end)
    local still = {}
    for _, job in ipairs(sim.waiting) do
      if not sim.starts[job.position] then still[#still + 1] = job end
    end
    sim.waiting = still
  end
  while sim.submitted < #jobs or next(sim.running) do
    sim.now = next_event(sim, jobs[sim.submitted + 1])
    local submissions, next_one = {}, sim.submitted + 1
    while jobs[next_one] and jobs[next_one].submit == sim.now do
      submissions[#submissions + 1] = jobs[next_one]
      next_one = next_one + 1
    end
    instants[instant or "batched"](sim, submissions, decided)
  end
  return sim.starts, sim.longest
end

return naive_online
