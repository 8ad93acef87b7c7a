-- Error-aware: list scheduling where silent errors make jobs run again.
--
-- Jobs that are long and likely to fail come first, because their attempts follow one another. A
-- job that waits for running jobs gets a reservation only if these are likely to succeed: one that
-- fails starts again at once, before the waiting job; then the reserved processors idled in vain.
-- If errors are rare, all jobs get reservations, as is best without errors.
--
-- Options: found by a search like `orrery search scripts/reproduce/policies/error-aware.lua`. That
-- one (seed 1, Orrery 0.1.0) finds others that are as good: calm 0.1102, misses 7, risk 0.7006,
-- slope 10.89, waste 0.0348, with a normalised makespan of 1.0451 on its testing samples, that of
-- the best baseline (greedy + la) being 1.0578, difference -0.0127 +- 0.0043.
-- `wide` and `depth` were not searched.

-- A job's place in the queue, larger first. It grows with the job's length and expected errors, and
-- with its width, weighted by the cost of errors on the machine (state.by_width).
local function place(job, state, risk)
  return math.log(math.max(job.time, 1)) + risk * state.rate * job.area
    + state.by_width * math.log(job.procs)
end

-- Updates the means over all jobs so far: the errors that strike a job, and its width as a share of
-- the machine. If the errors cost little (options.calm), the policy ignores them.
local function learn(state, job, procs, options)
  state.count, state.area = state.count + 1, state.area + job.area
  state.procs = state.procs + job.procs
  local share = state.procs / state.count / procs
  local cost = state.rate * state.area / state.count * math.sqrt(share)
  state.is_calm = cost <= options.calm
  state.by_area = state.is_calm and state.rate > 0 and share > options.wide
  state.by_width = state.by_area and 1
    or math.min(0.5, math.max(0, options.slope * (cost - options.calm)))
end

-- The first of the queue starts, or holds the only reservation.
local function start_first(sim)
  local first = sim:waiting()()
  if not first then return end
  if sim:can_start(first) then sim:start(first) else sim:reserve(first) end
end

-- Running jobs, with the fields for judging a reservation.
local function runners(sim, risk)
  local state, list = sim.state, {}
  for i, job in ipairs(sim:running()) do
    list[i] = { till = job.planned_end, place = place(job, state, risk),
      errors = state.rate * job.area }
  end
  return list
end

-- Whether a reservation of the job is worth the processors that it keeps idle. The job waits for
-- running jobs; the reservation is in vain if one of these fails and starts again before the job.
local function is_worth_it(sim, job, running, options)
  if sim.state.is_calm then return true end
  local at, own = sim:earliest_start(job.procs, job.time), place(job, sim.state, options.risk)
  local errors, count = 0, 0
  for _, other in ipairs(running) do
    if other.till <= at and other.place > own then
      errors, count = errors + other.errors, count + 1
    end
  end
  if count == 0 then return true end
  return (1 - math.exp(-errors / count)) * job.procs / sim.procs <= options.waste
end

local function start_in_order(sim, options)
  local running, misses, left = nil, options.misses, options.depth
  for job in sim:waiting() do
    if sim:can_start(job) then
      sim:start(job)
      running = nil
      if sim.free == 0 then return end
    else
      running = running or runners(sim, options.risk)
      left = left - 1
      if is_worth_it(sim, job, running, options) then
        sim:reserve(job)
      else
        misses = misses - 1
      end
      if misses == 0 or left == 0 then return end
    end
  end
end

return function(options)
  return {
    name = "Error-aware list scheduling",
    about = "Likely failures first; who would wait for jobs that are likely to fail holds no "
      .. "reservation.",
    source = "Orrery",
    options = {
      risk = { default = 1, least = 0,
        about = "how much the expected errors of a job count in its place" },
      calm = { default = 0.08, least = 0,
        about = "up to this many errors of a mean job, times the root of its share of the machine, "
          .. "all jobs hold reservations" },
      slope = { default = 7.5, least = 0,
        about = "how fast width comes into the place beyond that" },
      waste = { default = 0.03, least = 0,
        about = "the share of the machine that a reservation may keep idle in vain, expected" },
      misses = { default = 8, least = 1, whole = true, unit = "jobs",
        about = "behind so many jobs that hold no reservation nobody else holds one" },
      depth = { default = 100, least = 1, whole = true, unit = "jobs",
        about = "so many jobs that cannot start are looked at" },
      wide = { default = 0.15, least = 0, most = 1,
        about = "where jobs take a larger share of the machine in the mean and errors are rare, "
          .. "but occur, jobs go by area, and only the first holds a reservation" },
    },
    per = "decision",
    priority = function(job, view)
      local state = view.state
      return math.log(math.max(job.time, 1)) + options.risk * state.rate * job.area
        + state.by_width * math.log(job.procs)
    end,
    init = function(sim)
      sim.state = { rate = sim.silent_error_rate, count = 0, area = 0, procs = 0, by_width = 0,
        is_calm = true, by_area = false }
    end,
    on_submit = function(sim, job) learn(sim.state, job, sim.procs, options) end,
    dispatch = function(sim)
      if sim.free == 0 then return end
      if sim.state.by_area then start_first(sim) else start_in_order(sim, options) end
      for job in sim:startable() do sim:start(job) end
    end,
  }
end
