-- Likely short jobs first: EASY by what jobs like this one took, with room for short ones.
--
-- Users ask for far more time than their jobs take. Ended jobs predict better: the shares of the
-- walltime taken by all jobs, by jobs with a similar walltime, by those that are also as wide, by
-- the user's jobs, and by the user's jobs of that shape. Each distribution is blended with the one
-- before, which counts as `prior` jobs. If jobs take their full walltime, this changes nothing.
--
-- A job that may take a minute or ten hours has a mean time of hours. But the mean cost of its
-- wait, 1 over its time, is that of a job of minutes. The order uses both means. Plans use the
-- geometric mean of mean and walltime, because plans that are too short make the head of the queue
-- wait. Long jobs start only if they leave processors free for later short jobs.
--
-- A job that has waited for `patience` goes before all younger jobs. Behind it only jobs start that
-- do not delay it even if all take their walltimes: plans may be too short, and bound nothing.
--
-- Options: `patience` and `share` by hand, on streams of 200 days made of the first weeks of HPC2N,
-- of Mira's January 2019 and of Lublin and Feitelson's model. `orrery search
-- scripts/reproduce/policies/likely-short.lua` found nearly the same (seed 1): patience 2527000,
-- share 0, chance 0.4607; but on its testing samples the constraint on the mean wait is broken.
-- `share` of 0.4 has less slowdown where many jobs are narrow and short, and longer mean waits.

local floor, log, max, min, sqrt = math.floor, math.log, math.max, math.min, math.sqrt

local STEPS = 24     -- of shares of the walltime: half a binary logarithm each
local SHORT <const> = 60 -- s: times below are equally short, as in the bounded slowdown
local MEMORY = 5000  -- jobs after which a kind begins to forget; of a user `memory`
local REFRESHED = 32 -- waiting jobs of a user that get new estimates when one of its jobs ends

-- The shares of the walltime that the steps stand for; of the first one all of it.
local SHARES = { 1 }
for i = 2, STEPS do SHARES[i] = 2 ^ (0.25 - i / 2) end

local function step_of(share)
  local step = 1 + floor(-2 * log(share > 1e-9 and share or 1e-9, 2))
  return step < 1 and 1 or step < STEPS and step or STEPS
end

-- --- what jobs took -----------------------------------------------------------------------------

local function new_kind()
  local kind = { count = 0 } -- jobs; by step, how many of them
  for step = 1, STEPS do kind[step] = 0 end
  return kind
end

-- A kind of all jobs or of those of one user: of a queue, and of a walltime or also of a width.
local function kind_of(jobs, queue, number)
  local kinds = jobs[queue]
  if not kinds then
    kinds = {}
    jobs[queue] = kinds
  end
  local kind = kinds[number]
  if not kind then
    kind = new_kind()
    kinds[number] = kind
  end
  return kind
end

local function find_kinds(state, job, most)
  local user, queue = job.user, job.queue or ""
  local long = 64 * floor(2 * log(max(most, 1), 2))
  local shape, any_width = long + floor(log(job.procs, 2)), long + 63
  local kinds = { state.all, kind_of(state.shapes, queue, any_width),
    kind_of(state.shapes, queue, shape) }
  if user then
    local own = state.users[user]
    if not own then
      own = { all = new_kind(), shapes = {} }
      state.users[user] = own
    end
    kinds[4], kinds[5] = own.all, kind_of(own.shapes, queue, shape)
  end
  return kinds
end

-- The kinds of a job, from the most general to the closest; the fourth and fifth are its user's.
-- They are kept until the job has taught what it took.
local function kinds_of(state, job, at, most)
  local kinds = state.kinds_of[at]
  if not kinds then
    kinds = find_kinds(state, job, most)
    state.kinds_of[at] = kinds
  end
  return kinds
end

local function forget(kind, keeps)
  for step = 1, STEPS do kind[step] = kind[step] * keeps end
  kind.count = kind.count * keeps
end

-- Counts a job that took so many seconds.
local function learn(state, job, seconds, memory)
  local at, time = job.position, job.time
  local step = step_of(seconds / max(time, 1e-9))
  if not state.seen[step] then
    state.seen[step] = true
    table.insert(state.steps, step)
    table.sort(state.steps)
  end
  state.taught = state.taught + 1
  local kinds = kinds_of(state, job, at, time)
  for i = 1, #kinds do
    local kind, most = kinds[i], i > 3 and memory or MEMORY
    if kind.count >= most then forget(kind, 1 - 1 / most) end
    kind[step], kind.count = kind[step] + 1, kind.count + 1
  end
  state.kinds_of[at] = nil
end

-- The mean time of a job, s, and the mean of 1 / time, 1/s, by the probabilities of each share of
-- its walltime `most`: each kind is blended with the one before, and all jobs with full walltimes.
-- The closest kind keeps them until the next job teaches what it took.
local function means(state, job, at, most, prior)
  local kinds = kinds_of(state, job, at, most)
  local a, b, c, d, e = kinds[1], kinds[2], kinds[3], kinds[4], kinds[5]
  local own = e or c
  if own.taught == state.taught and own.most == most then return own.time, own.rate end
  b, c = b.count > 0 and b, c.count > 0 and c
  d, e = d and d.count > 0 and d, e and e.count > 0 and e
  local in_a, in_b, in_c = a.count + prior, b and b.count + prior, c and c.count + prior
  local in_d, in_e = d and d.count + prior, e and e.count + prior
  local time, rate, full, steps, shares = 0, 0, prior, state.steps, SHARES
  for i = 1, #steps do -- the loop over kinds is written out: it takes most of the policy's time
    local step = steps[i]
    local chance = (a[step] + full) / in_a
    if b then chance = (b[step] + prior * chance) / in_b end
    if c then chance = (c[step] + prior * chance) / in_c end
    if d then chance = (d[step] + prior * chance) / in_d end
    if e then chance = (e[step] + prior * chance) / in_e end
    local seconds = shares[step] * most
    time = time + chance * seconds
    rate = rate + chance / (seconds > SHORT and seconds or SHORT)
    full = 0
  end
  own.taught, own.most, own.time, own.rate = state.taught, most, time, rate
  return time, rate
end

-- --- the waiting jobs of a user -----------------------------------------------------------------

local function remember(list, position)
  local last = list.last + 1
  list.last, list[last] = last, position
end

-- Holds and releases waiting jobs of a user, so that each gets a new estimate and a new place.
local function refresh(sim, user)
  local mine, refreshed = sim.state.of[user], 0
  local at = mine and mine.first or 0
  while mine and at <= mine.last and at < mine.first + 2 * REFRESHED and refreshed < REFRESHED do
    local job = sim:job(mine[at])
    if job.state == "waiting" then
      sim:hold(job)
      sim:release(job)
      refreshed = refreshed + 1
    elseif at == mine.first then
      mine[at], mine.first = nil, at + 1
    end
    at = at + 1
  end
end

-- --- decisions ----------------------------------------------------------------------------------

-- Whether a job that fits leaves as many processors free as it has to.
local function leaves_enough(sim, job)
  return sim.free - job.procs >= sim.state.leaves[job.position]
end

-- The processors that a job has to leave free: more for a longer job, and more if a larger share of
-- the jobs so far is short.
local function leaves(state, options, job, time, procs)
  local mean, short = state.time / state.count, SHORT * state.rate / state.count
  local part = mean > 0 and min(1, time / (options.long * mean)) or 0
  return min(floor(options.share * short ^ 2 * part * procs), procs - job.procs)
end

-- --- jobs that have waited too long -------------------------------------------------------------

-- Jobs become old in order of their submissions. One that waits is held and released: it gets a new
-- place.
local function grow_old(sim, patience)
  local came = sim.state.came
  while came.first <= came.last do
    local job = sim:job(came[came.first])
    if job.state ~= "over" and sim.now < job.submit + patience then
      return sim:wake_at(job.submit + patience)
    elseif job.state == "waiting" then
      sim:hold(job)
      sim:release(job)
    end
    came[came.first], came.first = nil, came.first + 1
  end
end

-- Old jobs go before all others.
local function has_old(sim, is_old)
  local first = sim:waiting()()
  return first and is_old(first, sim.now) or false
end

-- When a job can start at the latest, and how many processors it leaves free then: if all jobs that
-- run take their walltimes.
local function at_latest(sim, job)
  local free, running = sim.free, sim:running()
  table.sort(running, function(a, b) return a.start + a.time < b.start + b.time end)
  for i, other in ipairs(running) do
    local after = running[i + 1]
    free = free + other.procs
    local till = other.start + other.time
    if free >= job.procs and not (after and after.start + after.time == till) then
      return till, free - job.procs
    end
  end
  return math.huge, 0 -- processors are out of service
end

return function(options)
  local leaves_some = (options.share or 0) > 0 -- there are none yet when they are declared
  local before_all = 1e15 -- s; a submission is still exact under it
  local function is_old(job, now) return now >= job.submit + options.patience end
  return {
    name = "Likely short jobs first",
    about = "EASY by what jobs of the kind and of the user took; long ones leave processors free.",
    source = "Orrery",
    options = {
      patience = { default = 2592000, least = 0, unit = "s",
        about = "a job that has waited so long goes before all younger ones" },
      share = { default = 0, least = 0, most = 1,
        about = "which share of the machine the longest jobs leave free when they start" },
      long = { default = 30, least = 1,
        about = "the longest are those of so many mean times; shorter ones leave less" },
      width = { default = 0.95, least = 0,
        about = "the power of the width in the order of the queue" },
      chance = { default = 0.3, least = 0, most = 1,
        about = "how much the order counts that a job may be short; 0: by its mean time alone" },
      prior = { default = 8, least = 0.01,
        about = "as how many jobs of the closer kind the wider kind counts", unit = "jobs" },
      memory = { default = 30, least = 1,
        about = "behind so many jobs of a user the first ones are forgotten", unit = "jobs" },
    },
    per = "attempt",
    priority = function(job, view) return view.state.order[job.position] end,
    init = function(sim)
      sim.state = {
        -- kinds, each with how many jobs took each share of their walltime:
        all = new_kind(),
        shapes = {},            -- by queue and shape
        users = {},             -- by user, as these
        kinds_of = {},          -- by position
        taught = 0,             -- jobs that have taught what they took,
        seen = { true }, steps = { 1 }, -- the first step, and those they took; these in order
        count = 0, time = 0, rate = 0, -- jobs so far; sums of their means
        order = {}, leaves = {}, -- by position: the place in the queue; processors to leave
        came = { first = 1, last = 0 }, -- positions of jobs; those from `first` on may be young
        some_old = false,       -- whether some that wait may be old
        of = {},                -- by user: as `came`, jobs that may wait
      }
    end,
    estimate = function(job, view)
      local state, at, most = view.state, job.position, job.time
      local time, rate = means(state, job, at, most, options.prior)
      if not state.order[at] then
        state.count, state.time, state.rate = state.count + 1, state.time + time, state.rate + rate
      end
      local order = -(time > 1 and time or 1) ^ (1 - options.chance) * rate ^ -options.chance
        * job.procs ^ options.width
      local old = is_old(job, view.now)
      if leaves_some then
        state.leaves[at] = old and 0 or leaves(state, options, job, time, view.procs)
      end
      state.order[at] = old and before_all - job.submit or order
      state.some_old = old or state.some_old
      return view.windows > 0 and most or sqrt(time * most) -- windows interrupt
    end,
    on_submit = function(sim, job)
      local state, due, user, at = sim.state, job.submit + options.patience, job.user, job.position
      if user then
        state.of[user] = state.of[user] or { first = 1, last = 0 }
        remember(state.of[user], at)
      end
      if due <= sim.now then return end
      if state.came.first > state.came.last then sim:wake_at(due) end
      remember(state.came, at)
    end,
    on_timer = function(sim) grow_old(sim, options.patience) end,
    on_end = function(sim, job, outcome)
      if outcome ~= "completed" and outcome ~= "killed" then return end
      local user = job.user
      learn(sim.state, job, sim.now - job.start, options.memory)
      if user then refresh(sim, user) end
    end,
    dispatch = function(sim)
      local state = sim.state
      if state.some_old then state.some_old = has_old(sim, is_old) end
      if not (leaves_some or state.some_old) then return sim:list() end
      if sim.free == 0 then return end
      local till, extra = nil, 0
      for job in sim:waiting() do
        local is_held_back = leaves_some and job.procs <= sim.free and not leaves_enough(sim, job)
        if not is_held_back and sim:can_start(job) then
          sim:start(job)
        else
          if not is_held_back then sim:reserve(job) end
          if is_old(job, sim.now) then till, extra = at_latest(sim, job) end
          break
        end
      end
      for job in sim:startable() do
        local is_over = not till or sim.now + job.time <= till
        if (is_over or job.procs <= extra) and (not leaves_some or leaves_enough(sim, job)) then
          sim:start(job)
          extra = extra - (is_over and 0 or job.procs)
        end
      end
    end,
  }
end
