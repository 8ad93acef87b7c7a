-- A naive simulator for rigid jobs: the reference that the engine is held against.
--
-- Written from RR-9296 (Algorithms 1 and 2) and the readings of the project alone. It scans
-- linearly, keeps lists of (start, end, procs) and tests a start at every candidate instant against
-- every instant of the interval. It is meant to be obviously correct; it is not meant to be fast.
--
-- naive.run { jobs =, procs =, discipline =, ... } returns the list of attempts, in order of their
-- starts: { position =, attempt =, start =, finish =, outcome = }, and the positions of the jobs
-- that a limit refused.
--   jobs           list of { procs =, time =, submit = (0), walltime = (none) }
--   discipline     "list" (with reservations = m or math.huge, reading = "blocked" or "head"),
--                  "fcfs", "shelf" (with fill = true or false), "conservative" (READINGS 34)
--   key            function(job, position) -> the priority, larger first
--   key_at         function(job, position, now) instead: asked at every decision
--   backfill       function(job, position) -> the priority in backfilling, larger first (none)
--   instant        "batched" (none), "ends-first", "submissions-first", "pyss" (READINGS 35)
--   failures       counts per job (none)
--   changes        list of { at =, limit = }, in order: limits from then on, after all else of `at`
--   limit          list of { most = { procs =, jobs =, waiting =, gpu = }, per =, only = }
--                  (READINGS 57); jobs then have the labels
--   batch, walltimes ("log"), overrun, grace, verification: as orrery.session
local naive_conservative = require "spec.support.naive_conservative"

local naive = {}

-- --- instants -----------------------------------------------------------------------------------

-- What takes no time still has a before and an after: the instants of time t are (t, 0), (t, 1),
-- ...; a job of no length that starts at (t, k) holds its processors until (t, k + 1).
local function instant(t, k) return { t = t, k = k or 0 } end

local function before(a, b)
  if a.t ~= b.t then return a.t < b.t end
  return a.k < b.k
end

-- The instant at which something that starts at `from` and ends at time t is over.
local function over_at(from, t)
  if t > from.t then return instant(t) end
  return instant(from.t, from.k + 1)
end

-- --- availability -------------------------------------------------------------------------------

local function free_at(procs, intervals, at)
  local free = procs
  for _, held in ipairs(intervals) do
    if not before(at, held.from) and before(at, held.till) then free = free - held.procs end
  end
  return free
end

-- Every instant, from now on, at which the availability may change; now itself first.
local function instants_of(intervals, now)
  local list = { now }
  for _, held in ipairs(intervals) do
    if before(now, held.from) then list[#list + 1] = held.from end
    if before(now, held.till) then list[#list + 1] = held.till end
  end
  table.sort(list, before)
  return list
end

-- The first instant at which `needed` processors are free until the planned end of a start there.
local function earliest(procs, intervals, now, needed, planned_end)
  local instants, narrow = instants_of(intervals, now), {}
  for _, at in ipairs(instants) do
    if free_at(procs, intervals, at) < needed then narrow[#narrow + 1] = at end
  end
  for _, from in ipairs(instants) do
    local till = over_at(from, planned_end(from.t))
    local fits = true
    for _, at in ipairs(narrow) do
      if not before(at, from) and before(at, till) then fits = false end
    end
    if fits then return from, till end
  end
  error("a job that fits on the machine fits at the end of everything")
end

naive.instant, naive.over_at, naive.earliest, naive.before = instant, over_at, earliest, before

-- --- the simulation -----------------------------------------------------------------------------

local Run = {}
Run.__index = Run

function Run:leave(attempt)
  for i, other in ipairs(self.running) do
    if other == attempt then table.remove(self.running, i) break end
  end
  if attempt.outcome == "failed" then self.waiting[attempt.position] = true end
  self.freed = true
end

-- The attempts that end now, in order of their starts; the jobs that are submitted now.
function Run:ends()
  local list = {}
  for _, attempt in ipairs(self.running) do
    if attempt.finish == self.now then list[#list + 1] = attempt end
  end
  return list
end

function Run:submissions()
  local list = {}
  for position, job in ipairs(self.jobs) do
    if job.submit == self.now and not self.submitted[position] then list[#list + 1] = position end
  end
  return list
end

function Run:submit(position)
  self.submitted[position] = true
  if self:is_over(position, "waiting") then
    self.refused[#self.refused + 1] = position
    return
  end
  self.waiting[position] = true
end

-- Completions, failed and killed attempts of this instant; then submissions; then one decision.
local function batched(run, decide)
  for _, attempt in ipairs(run:ends()) do run:leave(attempt) end
  for _, position in ipairs(run:submissions()) do run:submit(position) end
  decide(run)
end

-- A decision after every event, until there is none left.
local function singly(first, second)
  return function(run, decide)
    while true do
      local event = first(run) or second(run)
      if not event then return end
      event()
      decide(run)
    end
  end
end

local function one_end(run)
  local attempt = run:ends()[1]
  return attempt and function() run:leave(attempt) end
end

local function one_submission(run)
  local position = run:submissions()[1]
  return position and function() run:submit(position) end
end

-- What runs since before now and whose planned end is now counts as free from the beginning of the
-- instant on, and a failed attempt of it waits again; its end is an event all the same.
local function pyss(run, decide)
  local due = run:ends()
  for _, attempt in ipairs(due) do
    if attempt.planned == run.now then run:leave(attempt) end
  end
  for _, position in ipairs(run:submissions()) do
    run:submit(position)
    decide(run)
  end
  for _, attempt in ipairs(due) do
    if attempt.planned ~= run.now then run:leave(attempt) end
    decide(run)
  end
  singly(one_end, one_submission)(run, decide) -- of jobs that take no time
end

local INSTANTS = {
  batched = batched, pyss = pyss, ["ends-first"] = singly(one_end, one_submission),
  ["submissions-first"] = singly(one_submission, one_end),
}

-- The waiting jobs: larger priority first, then submission time, then position.
function Run:queue()
  local queue = {}
  for position in ipairs(self.jobs) do
    if self.waiting[position] then queue[#queue + 1] = position end
  end
  if self.key_at then
    for _, position in ipairs(queue) do
      self.keys[position] = self.key_at(self.seen[position], position, self.now)
    end
  end
  table.sort(queue, function(a, b)
    if self.keys[a] ~= self.keys[b] then return self.keys[a] > self.keys[b] end
    if self.jobs[a].submit ~= self.jobs[b].submit then
      return self.jobs[a].submit < self.jobs[b].submit
    end
    return a < b
  end)
  return queue
end

function Run:free()
  local free = self.procs
  for _, attempt in ipairs(self.running) do free = free - self.jobs[attempt.position].procs end
  return free
end

-- Whether a job would exceed a limit if it started now, or, with "waiting", if it waited.
function Run:is_over(position, waiting)
  for _, limit in ipairs(self.limit) do
    local function key_of(other)
      local key = limit.per == "all" and "all" or self.labels[other][limit.per]
      return (not limit.only or limit.only == key) and key or nil
    end
    for of, most in pairs(limit.most) do
      local function use_of(other)
        if of == "procs" then return self.jobs[other].procs end
        if of == "jobs" or of == "waiting" then return 1 end
        return (self.labels[other].needs or {})[of] or 0
      end
      local key, used = key_of(position), use_of(position)
      for _, attempt in ipairs(of ~= "waiting" and self.running or {}) do
        if key and key_of(attempt.position) == key then used = used + use_of(attempt.position) end
      end
      for other in pairs(of == "waiting" and self.waiting or {}) do
        if key and key_of(other) == key then used = used + 1 end
      end
      local over = key and used > most and use_of(position) > 0
      if over and (of == "waiting") == (waiting ~= nil) then return true end
    end
  end
  return false
end

function Run:start(position)
  local job = self.jobs[position]
  local attempt = { position = position, start = self.now }
  self.attempts[position] = self.attempts[position] + 1
  attempt.attempt = self.attempts[position]
  attempt.planned = (self.now + job.estimate) + self.verification
  if job.time > job.estimate then
    attempt.outcome = "killed"
    attempt.finish = self.now + job.estimate
  else
    attempt.outcome = attempt.attempt <= job.failures and "failed" or "completed"
    attempt.finish = (self.now + job.time) + self.verification
  end
  self.waiting[position], self.aside[position] = nil, nil
  self.running[#self.running + 1] = attempt
  self.history[#self.history + 1] = attempt
end

-- The queue as R-LIST(m) goes through it: where nothing more may be reserved, the order is that of
-- backfilling, if there is one.
function Run:backfilled(queue, place)
  local rest = table.move(queue, place, #queue, 1, {})
  if not self.backfill then return rest end
  local keys = {}
  for _, position in ipairs(rest) do
    keys[position] = self.backfill(self.seen[position], position)
  end
  table.sort(rest, function(a, b)
    if keys[a] ~= keys[b] then return keys[a] > keys[b] end
    if self.jobs[a].submit ~= self.jobs[b].submit then
      return self.jobs[a].submit < self.jobs[b].submit
    end
    return a < b
  end)
  return rest
end

-- Starts the job if its earliest start is now; otherwise returns where that is, and the end.
function Run:start_or_plan(position, reserved)
  if self:is_over(position) then return end
  local here, job, intervals = instant(self.now), self.jobs[position], {}
  for _, attempt in ipairs(self.running) do
    local from, procs = instant(attempt.start), self.jobs[attempt.position].procs
    local till = over_at(from, attempt.planned)
    if not before(here, till) then till = instant(self.now, 1) end -- its end is still to come
    intervals[#intervals + 1] = { from = from, till = till, procs = procs }
  end
  for _, reservation in ipairs(reserved) do intervals[#intervals + 1] = reservation end
  local from, till = earliest(self.procs, intervals, here, job.procs, function(t)
    return (t + job.estimate) + self.verification
  end)
  if from.t ~= here.t or from.k ~= here.k then return from, till end
  self:start(position)
end

-- R-LIST(m): once through the queue, each job at its earliest start.
function Run:decide_list()
  local reserved, queue, passed = {}, self:queue(), 0
  for place, position in ipairs(queue) do
    local seen = self.reading == "blocked" and #reserved or place - 1 - passed
    if seen >= self.reservations then
      for _, other in ipairs(self:backfilled(queue, place)) do
        self:start_or_plan(other, reserved)
      end
      return
    end
    passed = passed + (self:is_over(position) and 1 or 0)
    local from, till = self:start_or_plan(position, reserved)
    if from then
      reserved[#reserved + 1] = { from = from, till = till, procs = self.jobs[position].procs }
    end
  end
end

-- Reservations that only move forward. Who is over a limit has none; it is as new when it has one
-- again. A start may bring others to a limit, and what they had reserved is then free.
function Run:decide_conservative()
  local queue, again = {}, false
  for _, position in ipairs(self:queue()) do
    self.aside[position] = self.aside[position] or self:is_over(position)
    if not self:is_over(position) then queue[#queue + 1] = position end
  end
  local function wanted(position, time)
    local job = self.jobs[position]
    return naive_conservative.hold(time, (time + job.estimate) + self.verification, job.procs)
  end
  local held = {}
  for i, attempt in ipairs(self.running) do
    held[i] = naive_conservative.hold(attempt.start, attempt.planned,
      self.jobs[attempt.position].procs)
  end
  naive_conservative.decide {
    now = self.now, procs = self.procs, free = function() return self:free() end, held = held,
    queue = queue, kept = self.kept, freed = self.freed, wanted = wanted,
    is_new = function(position)
      return self.attempts[position] == 0 or self.aside[position]
    end,
    start = function(position)
      if not self:is_over(position) then return self:start(position) end
      self.aside[position], again = true, true
    end,
    promise = function() end,
  }
  for position in pairs(self.kept) do again = again or self:is_over(position) end
  self.freed = again
  if again then return self:decide_conservative() end
end

-- The first job that does not fit blocks all behind it.
function Run:decide_fcfs()
  for _, position in ipairs(self:queue()) do
    if not self:is_over(position) then
      if self.jobs[position].procs > self:free() then return end
      self:start(position)
    end
  end
end

-- A new shelf when the one before is over.
function Run:decide_shelf()
  if #self.running > 0 then return end
  for _, position in ipairs(self:queue()) do
    if not self:is_over(position) then
      if self.jobs[position].procs <= self:free() then
        self:start(position)
      elseif not self.fill then
        return
      end
    end
  end
end

function Run:next_instant()
  local next_time
  for _, attempt in ipairs(self.running) do
    if not next_time or attempt.finish < next_time then next_time = attempt.finish end
  end
  for position, job in ipairs(self.jobs) do
    if not self.submitted[position] and (not next_time or job.submit < next_time) then
      next_time = job.submit
    end
  end
  return next_time
end

-- --- the entry ----------------------------------------------------------------------------------

local function prepare(spec)
  local run = setmetatable({
    procs = spec.procs, verification = spec.verification or 0, fill = spec.fill,
    reservations = spec.reservations, reading = spec.reading or "blocked",
    backfill = spec.backfill,
    jobs = {}, seen = {}, key_at = spec.key_at, keys = {}, attempts = {},
    limit = spec.limit or {}, labels = spec.jobs, aside = {}, refused = {},
    kept = {}, waiting = {}, submitted = {}, running = {}, history = {},
  }, Run)
  for position, given in ipairs(spec.jobs) do
    local estimate = spec.walltimes == "log" and given.walltime or given.time
    local time, limit = given.time, estimate + (spec.grace or 0)
    if time > estimate then
      estimate = spec.overrun == "extend" and time or math.min(time, limit)
    end
    if spec.overrun == "cap" then time = math.min(time, limit) end
    run.jobs[position] = {
      procs = given.procs, time = time, estimate = estimate, log_time = given.time,
      submit = spec.batch and 0 or given.submit or 0,
      failures = spec.failures and spec.failures[position] or 0,
    }
    -- What a policy sees: the estimate, never the runtime.
    local seen = {
      procs = given.procs, time = estimate, area = given.procs * estimate,
      submit = run.jobs[position].submit,
    }
    run.seen[position] = seen
    run.keys[position] = spec.key and spec.key(seen, position) or 0
    run.attempts[position] = 0
  end
  return run
end

function naive.run(spec)
  local run = prepare(spec)
  local decide, events = Run["decide_" .. spec.discipline], INSTANTS[spec.instant or "batched"]
  local changes = table.move(spec.changes or {}, 1, #(spec.changes or {}), 1, {})
  while true do
    local next_time, change = run:next_instant(), changes[1]
    if change and change.at < (next_time or math.huge) then
      run.now, run.limit, run.freed = change.at, change.limit, true
      table.remove(changes, 1)
      decide(run)
    elseif next_time then
      run.now = next_time
      events(run, decide)
    else
      break
    end
  end
  return run.history, run.refused
end

-- The priorities of RR-9296, section 5.1, and LJF of section 4.2.1, for a machine of `procs`: rules
-- that give a number, larger for the job that comes first. RANDOM has none: it is drawn.
function naive.priorities(procs)
  return {
    fcfs = function() return 0 end,
    lpt = function(job) return job.time end,
    spt = function(job) return -job.time end,
    hpa = function(job) return job.procs end,
    lpa = function(job) return -job.procs end,
    la = function(job) return job.area end,
    sa = function(job) return -job.area end,
    ljf = function(job) -- times here are far below 1e12
      if job.procs >= (procs + 1) / 2 then return 1e12 + job.procs end
      return job.time
    end,
  }
end

-- L(f) (RR-9296, equations 5 and 6; online with submission times), and the metrics of a schedule.
-- Jobs that were refused count in neither.
function naive.metrics(spec, history, refused)
  local run = prepare(spec)
  local first, longest, area, jobs = math.huge, -math.huge, 0, {}
  for position, job in ipairs(run.jobs) do jobs[position] = job end
  for _, job in ipairs(run.jobs) do first = math.min(first, job.submit) end
  for _, position in ipairs(refused or {}) do jobs[position] = nil end
  for _, job in pairs(jobs) do
    local killed = job.time > job.estimate
    local times = killed and 1 or job.failures + 1
    local length = killed and job.estimate or job.time
    longest = math.max(longest, job.submit + times * length)
    area = area + times * job.procs * length
  end
  local m = {
    lower_bound = math.max(longest, first + area / run.procs) - first,
    starts = #history, failures = 0, killed = 0, work_lost = 0, work_cut = 0,
    bsld_max = 0, refused = refused and #refused or 0,
  }
  local tau = spec.tau or 60
  local last, held, flow, wait, wait_max, bsld = -math.huge, 0, 0, 0, 0, 0
  for _, attempt in ipairs(history) do
    local job = run.jobs[attempt.position]
    last = math.max(last, attempt.finish)
    held = held + job.procs * (attempt.finish - attempt.start)
    if attempt.outcome ~= "completed" then
      m.work_lost = m.work_lost + job.procs * (attempt.finish - attempt.start)
    end
    if attempt.outcome == "failed" then
      m.failures = m.failures + 1
    else
      local length = attempt.outcome == "killed" and job.estimate or job.time
      if attempt.outcome == "killed" then m.killed = m.killed + 1 end
      m.work_cut = m.work_cut + job.procs * (job.log_time - length)
      flow = flow + (attempt.finish - job.submit)
      wait = wait + (attempt.finish - job.submit - length)
      wait_max = math.max(wait_max, attempt.finish - job.submit - length)
      local slowdown = math.max((attempt.finish - job.submit) / math.max(length, tau), 1)
      bsld = bsld + slowdown
      m.bsld_max = math.max(m.bsld_max, slowdown)
    end
  end
  m.makespan = last - first
  local count = #run.jobs - m.refused
  m.bsld_mean = bsld / count
  m.flow_mean, m.wait_mean, m.wait_max = flow / count, wait / count, wait_max
  m.utilisation = m.makespan > 0 and held / (run.procs * m.makespan) or 0
  return m
end

return naive
