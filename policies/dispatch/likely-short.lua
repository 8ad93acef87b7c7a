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

local STEPS = 24     -- of shares of the walltime: half a binary logarithm each
local SHORT <const> = 60 -- s: times below are equally short, as in the bounded slowdown
local MEMORY = 5000  -- jobs after which a kind begins to forget; of a user `memory`
local REFRESHED = 32 -- waiting jobs of a user that get new estimates when one of its jobs ends

-- The shares of the walltime that the steps stand for; of the first one all of it.
local SHARES = { 1 }
for i = 2, STEPS do SHARES[i] = 2 ^ (0.25 - i / 2) end

local function step_of(share)
  local step = 1 + math.floor(-2 * math.log(share > 1e-9 and share or 1e-9, 2))
  return step < 1 and 1 or step < STEPS and step or STEPS
end

-- --- what jobs took -----------------------------------------------------------------------------

-- The names of a job's kinds, from the most general to the closest. The fourth and fifth are its
-- user's.
local function name_kinds(job)
  local long = (job.queue or "") .. ":" .. math.floor(2 * math.log(math.max(job.time, 1), 2))
  local shape = long .. ":" .. math.floor(math.log(job.procs, 2))
  if not job.user then return { "", long, shape } end
  local user = "user " .. job.user
  return { "", long, shape, user, user .. ":" .. shape }
end

-- The same; they are kept until the job has taught what it took.
local function kinds_of(state, job)
  local at = job.position
  local names = state.names[at]
  if not names then
    names = name_kinds(job)
    state.names[at] = names
  end
  return names
end

local function forget(kind, keeps)
  for step = 1, STEPS do kind[step] = kind[step] * keeps end
  kind.count = kind.count * keeps
end

-- Counts a job that took so many seconds.
local function learn(state, job, seconds, memory)
  local kinds, step = state.kinds, step_of(seconds / math.max(job.time, 1e-9))
  if not state.seen[step] then
    state.seen[step] = true
    table.insert(state.steps, step)
    table.sort(state.steps)
  end
  state.taught = state.taught + 1
  for i, name in ipairs(kinds_of(state, job)) do
    local kind, most = kinds[name], i > 3 and memory or MEMORY
    if not kind then
      kind = { count = 0 }
      for other = 1, STEPS do kind[other] = 0 end
      kinds[name] = kind
    end
    if kind.count >= most then forget(kind, 1 - 1 / most) end
    kind[step], kind.count = kind[step] + 1, kind.count + 1
  end
  state.names[job.position] = nil
end

-- The mean time of a job, s, and the mean of 1 / time, 1/s, by the probabilities of each share of
-- its walltime: each kind is blended with the one before. The closest kind keeps them until the
-- next job teaches what it took.
local function means(state, job, prior)
  local kinds, names, most = state.kinds, kinds_of(state, job), job.time
  local a, b, c, d, e = kinds[names[1]], kinds[names[2]], kinds[names[3]], kinds[names[4]],
    kinds[names[5]]
  local own = e or not names[4] and c
  if own and own.taught == state.taught and own.most == most and own.user == names[4] then
    return own.time, own.rate
  end
  local in_a, in_b, in_c = a and a.count + prior, b and b.count + prior, c and c.count + prior
  local in_d, in_e = d and d.count + prior, e and e.count + prior
  local time, rate, chance, steps, shares = 0, 0, 1, state.steps, SHARES
  for i = 1, #steps do -- the loop over kinds is written out: it takes most of the policy's time
    local step = steps[i]
    if a then chance = (a[step] + prior * chance) / in_a end
    if b then chance = (b[step] + prior * chance) / in_b end
    if c then chance = (c[step] + prior * chance) / in_c end
    if d then chance = (d[step] + prior * chance) / in_d end
    if e then chance = (e[step] + prior * chance) / in_e end
    local seconds = shares[step] * most
    time = time + chance * seconds
    rate = rate + chance / (seconds > SHORT and seconds or SHORT)
    chance = 0
  end
  if own then
    own.taught, own.most, own.user, own.time, own.rate = state.taught, most, names[4], time, rate
  end
  return time, rate
end

-- --- the waiting jobs of a user -----------------------------------------------------------------

local function remember(list, job)
  list.last = list.last + 1
  list[list.last] = job.position
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
  if options.share == 0 then return 0 end
  local mean, short = state.time / state.count, SHORT * state.rate / state.count
  local part = mean > 0 and math.min(1, time / (options.long * mean)) or 0
  return math.min(math.floor(options.share * short ^ 2 * part * procs), procs - job.procs)
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
        kinds = {},             -- by name: how many jobs took each share of their walltime
        names = {},             -- by position: the names of a job's kinds
        taught = 0,             -- jobs that have taught what they took,
        seen = { true }, steps = { 1 }, -- the first step, and those they took; these in order
        count = 0, time = 0, rate = 0, -- jobs so far; sums of their means
        order = {}, leaves = {}, -- by position: the place in the queue; processors to leave
        came = { first = 1, last = 0 }, -- positions of jobs; those from `first` on may be young
        of = {},                -- by user: as `came`, jobs that may wait
      }
    end,
    estimate = function(job, view)
      local state, at = view.state, job.position
      local time, rate = means(state, job, options.prior)
      if not state.order[at] then
        state.count, state.time, state.rate = state.count + 1, state.time + time, state.rate + rate
      end
      state.order[at] = -(time > 1 and time or 1) ^ (1 - options.chance) * rate ^ -options.chance
        * job.procs ^ options.width
      state.leaves[at] = leaves(state, options, job, time, view.procs)
      if is_old(job, view.now) then
        state.order[at], state.leaves[at] = before_all - job.submit, 0
      end
      return view.windows > 0 and job.time or math.sqrt(time * job.time) -- windows interrupt
    end,
    on_submit = function(sim, job)
      local state, due = sim.state, job.submit + options.patience
      if job.user then
        state.of[job.user] = state.of[job.user] or { first = 1, last = 0 }
        remember(state.of[job.user], job)
      end
      if due <= sim.now then return end
      if state.came.first > state.came.last then sim:wake_at(due) end
      remember(state.came, job)
    end,
    on_timer = function(sim) grow_old(sim, options.patience) end,
    on_end = function(sim, job, outcome)
      if outcome ~= "completed" and outcome ~= "killed" then return end
      learn(sim.state, job, sim.now - job.start, options.memory)
      if job.user then refresh(sim, job.user) end
    end,
    dispatch = function(sim)
      if sim.free == 0 then return end
      local till, extra, leaves_some = nil, 0, options.share > 0
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
