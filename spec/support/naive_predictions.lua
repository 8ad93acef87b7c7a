-- EASY by predictions of runtimes (READINGS 43), without failures. It is meant to be obviously
-- correct: everything is looked up and sorted anew, from nothing, at every instant.
--
-- naive_predictions.run(jobs, procs, in_order, other) -> the start of every job, and how often a
-- running job has outlived its prediction
--   jobs      list of { submit =, procs =, time = (s > 0), walltime =, user = }
--   in_order  jobs fill in in the order of the queue; otherwise the shortest prediction first
--   other     conventions of others: predict = "submission", correct = "first" or "walltime",
--             decide = "events", means = "seconds", as the options of the policy; pyss = true: the
--             order of the events at an instant is pyss', and each is followed by a decision
local naive_predictions = {}

local CORRECTIONS = { -- in minutes
  1, 5, 15, 30, 60, 2 * 60, 5 * 60, 10 * 60, 20 * 60, 50 * 60, 100 * 60,
}

-- The mean of the last two jobs of the user that are over; else the walltime.
local function prediction(sim, job)
  if job.told then return job.told end
  local times = {}
  for _, other in ipairs(sim.over) do
    if other.user == job.user then times[#times + 1] = other.finish - other.start end
  end
  local mean = #times >= 2 and (times[#times] + times[#times - 1]) / 2 or math.huge
  if sim.other.means == "seconds" and mean < math.huge then mean = mean // 1 end
  return math.min(mean, job.walltime)
end

-- A job that runs beyond its predicted end is predicted to run one correction longer than now.
local function correct(sim)
  for _, job in ipairs(sim.running) do
    local at_most = job.start + job.walltime
    while sim.other.correct == "first" and job.predicted <= sim.now and job.predicted < at_most do
      job.outlived, sim.outlived = job.outlived + 1, sim.outlived + 1
      local more = CORRECTIONS[job.outlived]
      job.predicted = math.min(more and job.first + 60 * more or at_most, at_most)
    end
    if job.predicted <= sim.now and job.predicted < at_most then
      job.outlived = job.outlived + 1
      sim.outlived = sim.outlived + 1
      local behind = math.max(0, job.outlived - 11) -- the last one doubles
      local more = 60 * CORRECTIONS[job.outlived - behind] * 2.0 ^ behind
      job.predicted = sim.other.correct == "walltime" and at_most
        or math.min(sim.now + more, at_most)
    end
  end
end

local function start(sim, job)
  job.start, job.outlived = sim.now, 0
  job.predicted = sim.now + prediction(sim, job)
  job.first = job.predicted
  job.finish = sim.now + math.min(job.time, job.walltime)
  sim.free = sim.free - job.procs
  assert(sim.free >= 0)
  sim.running[#sim.running + 1] = job
  for place, other in ipairs(sim.waiting) do
    if other == job then return table.remove(sim.waiting, place) end
  end
end

local function shadow(sim, head)
  local times = {}
  for i, job in ipairs(sim.running) do times[i] = job.predicted end
  table.sort(times)
  for _, time in ipairs(times) do
    local free = sim.free
    for _, job in ipairs(sim.running) do
      if job.predicted <= time then free = free + job.procs end
    end
    if free >= head.procs then return time, free - head.procs end
  end
end

local function decide(sim, in_order)
  while sim.waiting[1] and sim.waiting[1].procs <= sim.free do start(sim, sim.waiting[1]) end
  local head = sim.waiting[1]
  if not head then return end
  correct(sim) -- of a job whose user's last two took no time, as it starts
  local time, extra = shadow(sim, head)
  local others = table.move(sim.waiting, 2, #sim.waiting, 1, {})
  for _, job in ipairs(others) do job.expected = prediction(sim, job) end
  if not in_order then
    table.sort(others, function(a, b)
      if a.expected ~= b.expected then return a.expected < b.expected end
      return a.order < b.order
    end)
  end
  for _, job in ipairs(others) do
    local late = sim.now + job.expected > time
    if job.procs <= sim.free and (not late or job.procs <= extra) then
      if late then extra = extra - job.procs end
      start(sim, job)
    end
  end
end

local function end_jobs(sim)
  local running = {}
  for _, job in ipairs(sim.running) do -- in order of their starts
    if job.finish == sim.now then
      sim.over[#sim.over + 1] = job
      sim.free = sim.free + job.procs
    else
      running[#running + 1] = job
    end
  end
  sim.running = running
end

local function next_instant(sim, jobs)
  local time = math.huge
  if jobs[sim.submitted + 1] then time = jobs[sim.submitted + 1].submit end
  for _, job in ipairs(sim.running) do
    time = math.min(time, job.finish)
    if job.predicted > sim.now then time = math.min(time, job.predicted) end
  end
  return time
end

local function submit(sim, jobs)
  sim.submitted = sim.submitted + 1
  local job = jobs[sim.submitted]
  sim.waiting[#sim.waiting + 1] = job
  job.told = sim.other.predict == "submission" and prediction(sim, job) or nil
end

-- Corrections; what is planned to end now is free; submissions; ends, from which predictions learn.
local function pyss_instant(sim, jobs, in_order)
  local ending, running, now = {}, {}, sim.now
  for _, job in ipairs(sim.running) do
    job.free = job.finish == now and job.predicted == now
    if job.finish == now then ending[#ending + 1] = job end
    if job.free then sim.free = sim.free + job.procs else running[#running + 1] = job end
  end
  sim.running = running
  correct(sim)
  while jobs[sim.submitted + 1] and jobs[sim.submitted + 1].submit == now do
    submit(sim, jobs)
    decide(sim, in_order)
  end
  for _, job in ipairs(ending) do
    sim.over[#sim.over + 1] = job
    if not job.free then sim.free = sim.free + job.procs end
    for place, other in ipairs(sim.running) do
      if other == job then table.remove(sim.running, place) end
    end
    decide(sim, in_order)
  end
end

function naive_predictions.run(list, procs, in_order, other)
  local sim = {
    now = -math.huge, free = procs, waiting = {}, running = {}, over = {}, submitted = 0,
    outlived = 0, other = other or {},
  }
  local jobs = {}
  for position, job in ipairs(list) do
    jobs[position] = { position = position, submit = job.submit, procs = job.procs, time = job.time,
      walltime = job.walltime, user = job.user }
  end
  table.sort(jobs, function(a, b)
    if a.submit ~= b.submit then return a.submit < b.submit end
    return a.position < b.position
  end)
  for order, job in ipairs(jobs) do job.order = order end
  while #sim.over < #jobs do
    sim.now = next_instant(sim, jobs)
    if sim.other.pyss then
      pyss_instant(sim, jobs, in_order)
    else
      local before = #sim.over + sim.submitted
      end_jobs(sim)
      while jobs[sim.submitted + 1] and jobs[sim.submitted + 1].submit == sim.now do
        submit(sim, jobs)
      end
      local is_event = #sim.over + sim.submitted > before
      if is_event or sim.other.decide ~= "events" then
        correct(sim)
        decide(sim, in_order)
      end
    end
  end
  local starts = {}
  for _, job in ipairs(jobs) do starts[job.position] = job.start end
  return starts, sim.outlived
end

return naive_predictions
