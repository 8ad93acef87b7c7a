-- Redirection (IPDPSW 2020, Algorithms 1 and 2) written again, from the paper and reading 28
-- alone: the reference that redirect/threshold is held against. Scans and counts, nothing clever.
--
-- naive_redirect.run { jobs =, procs =, more =, theta =, filter =, conflict = } returns the list of
-- attempts in order of their starts, { position =, start =, finish =, outcome =, group = }. jobs:
-- list of { procs =, time =, submit = }, times above 0. conflict may be a function(candidates, now)
-- that chooses from a list of running attempts.
local naive_redirect = {}

local CONFLICTS = {
  walltime = function(attempt) return attempt.job.time end,
  counter = function(attempt) return attempt.counter end,
  area = function(attempt) return attempt.job.time * attempt.job.procs end,
}

local function choose(conflict, candidates, now)
  if type(conflict) == "function" then return conflict(candidates, now) end
  local value = CONFLICTS[conflict]
  table.sort(candidates, function(a, b)
    if value(a) ~= value(b) then return value(a) > value(b) end
    return a.position < b.position
  end)
  return candidates[1]
end

-- --- EASY in one group --------------------------------------------------------------------------

local function free_at(group, held, time)
  local free = group.procs
  for _, one in ipairs(held) do
    if one.start <= time and time < one.finish then free = free - one.procs end
  end
  return free
end

-- The first time, now or an end of something, from which on the job fits until it ends.
local function earliest(group, held, job, now)
  local times = { now }
  for _, one in ipairs(held) do
    if one.finish > now then times[#times + 1] = one.finish end
  end
  table.sort(times)
  for _, from in ipairs(times) do
    local fits = free_at(group, held, from) >= job.procs
    for _, one in ipairs(held) do
      if one.start > from and one.start < from + job.time
        and free_at(group, held, one.start) < job.procs then
        fits = false
      end
    end
    if fits then return from end
  end
end

local function start(run, group, waiting)
  local attempt = {
    position = waiting.position, job = waiting.job, start = run.now, counter = 0,
    finish = run.now + waiting.job.time, outcome = "completed", group = group.name,
  }
  group.running[#group.running + 1] = attempt
  run.history[#run.history + 1] = attempt
end

local function easy(run, group)
  local held, still = {}, {}
  local reserved = false
  for _, attempt in ipairs(group.running) do
    held[#held + 1] = { start = attempt.start, finish = attempt.finish, procs = attempt.job.procs }
  end
  for _, waiting in ipairs(group.queue) do
    local job = waiting.job
    local from = earliest(group, held, job, run.now)
    if from == run.now then
      start(run, group, waiting)
    else
      still[#still + 1] = waiting
    end
    if from == run.now or not reserved then
      held[#held + 1] = { start = from, finish = from + job.time, procs = job.procs }
      reserved = reserved or from > run.now
    end
  end
  group.queue = still
end

-- --- redirection --------------------------------------------------------------------------------

local function passes(run, new, running)
  if run.filter == "walltime" then return new.time >= running.time end
  return running.procs >= new.procs
end

-- Algorithm 2; the new job is not yet in the queue.
local function redirection(run, new)
  local principal, other = run.groups[1], run.groups[2]
  local candidates = {}
  for _, attempt in ipairs(principal.running) do
    if passes(run, new, attempt.job) then attempt.counter = attempt.counter + 1 end
    if attempt.counter > run.theta and attempt.job.procs <= other.procs then
      candidates[#candidates + 1] = attempt
    end
  end
  if #candidates == 0 then return end
  local victim = choose(run.conflict, candidates, run.now)
  for i, attempt in ipairs(principal.running) do
    attempt.counter = 0
    if attempt == victim then victim.at = i end
  end
  table.remove(principal.running, victim.at)
  victim.finish, victim.outcome = run.now, "preempted"
  other.queue[#other.queue + 1] = { position = victim.position, job = victim.job }
end

local function submit(run, position)
  local principal, job = run.groups[1], run.jobs[position]
  local free = principal.procs
  for _, attempt in ipairs(principal.running) do free = free - attempt.job.procs end
  if #principal.queue > 0 or free < job.procs then redirection(run, job) end
  principal.queue[#principal.queue + 1] = { position = position, job = job }
end

local function next_instant(run)
  local time = math.huge
  for _, group in ipairs(run.groups) do
    for _, attempt in ipairs(group.running) do time = math.min(time, attempt.finish) end
  end
  for _, job in ipairs(run.jobs) do
    if job.submit > run.now then time = math.min(time, job.submit) end
  end
  return time
end

function naive_redirect.run(spec)
  local run = {
    jobs = spec.jobs, theta = spec.theta, filter = spec.filter or "procs",
    conflict = spec.conflict or "walltime", now = -1, history = {},
    groups = {
      { name = "principal", procs = spec.procs, running = {}, queue = {} },
      { name = "redirection", procs = spec.more, running = {}, queue = {} },
    },
  }
  while true do
    run.now = next_instant(run)
    if run.now == math.huge then return run.history end
    for _, group in ipairs(run.groups) do
      local running = {}
      for _, attempt in ipairs(group.running) do
        if attempt.finish > run.now then running[#running + 1] = attempt end
      end
      group.running = running
    end
    for position, job in ipairs(run.jobs) do
      if job.submit == run.now then submit(run, position) end
    end
    for _, group in ipairs(run.groups) do easy(run, group) end
  end
end

return naive_redirect
