-- By how much a prediction is raised when its job outlives it: the first time, the second, ... (s);
-- then each is twice the one before.
local CORRECTIONS = {
  60, 300, 900, 1800, 3600, 7200, 18000, 36000, 72000, 180000, 360000,
}

-- --- predictions --------------------------------------------------------------------------------

-- The predicted time of a waiting job, s: the mean of the last two ended jobs of its user, at most
-- the estimate; the estimate itself if the user has fewer than two ended jobs. Of the moment, or,
-- where they are kept, of its submission.
local function predict(state, job)
  local mean = state.keeps and state.first[job.position] or state.mean[job.user or ""]
  local time = job.time
  return mean and mean < time and mean or time
end

local function remember(state, user, seconds)
  local last = state.last[user]
  local mean = last and (seconds + last) / 2
  state.last[user], state.mean[user] = seconds, mean and state.cuts and math.floor(mean) or mean
end

-- Where planned_end was asked, predictions at that time know nothing of the attempts that end then:
-- these are remembered later, in order of their starts.
local function remember_late(sim)
  local state = sim.state
  if not state.asked or state.asked == sim.now then return end
  table.sort(state.late, function(a, b) return a.place < b.place end)
  for _, one in ipairs(state.late) do remember(state, one.user, one.seconds) end
  state.asked, state.late = false, {}
end

-- --- the predicted ends of running jobs, in order of time and position --------------------------

-- Where an end stands in a list of ends, or would stand.
local function place_of(list, time, position)
  local low, high = 1, #list + 1
  while low < high do
    local middle = (low + high) // 2
    local one = list[middle]
    local at = one.time
    if at < time or (at == time and one.position < position) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

local function add(state, position, procs, time, planned_end)
  local one = { time = time, position = position, procs = procs }
  table.insert(state.ends, place_of(state.ends, time, position), one)
  if time < planned_end then
    table.insert(state.early, place_of(state.early, time, position), one)
  end
  state.predicted[position] = time
end

local function remove(state, position)
  local time = state.predicted[position]
  if not time then return end -- it did not run
  table.remove(state.ends, place_of(state.ends, time, position))
  local early = place_of(state.early, time, position)
  local one = state.early[early]
  if one and one.position == position then table.remove(state.early, early) end
  state.predicted[position] = nil
end

-- A running job outlives its prediction; `may_end`: it may be predicted to end now.
local function raise(sim, job, may_end)
  local state, position, planned_end, now = sim.state, job.position, job.planned_end, sim.now
  local from, time = state.from[position]
  remove(state, position)
  repeat
    local times = state.outlived[position] + 1
    state.outlived[position] = times
    local behind = math.max(0, times - #CORRECTIONS)
    local more = CORRECTIONS[times - behind] * 2.0 ^ behind
    time = (state.once or from and behind > 0) and planned_end or (from or now) + more
  until time > now or may_end and time == now or time >= planned_end
  add(state, position, job.procs, math.min(time, planned_end), planned_end)
end

-- Adds an attempt that has started; it started earlier than now if this policy took over since.
local function add_started(sim, job)
  local state, position, planned_end = sim.state, job.position, job.planned_end
  local prediction = predict(state, job)
  local time = prediction < job.time and job.start + prediction or planned_end
  state.outlived[position] = 0
  state.starts = state.starts + 1
  state.place[position] = state.starts
  state.from[position] = state.adds and time or nil
  add(state, position, job.procs, time, planned_end)
  if time < planned_end and time <= sim.now then raise(sim, job) end
end

-- Raises the predictions that running jobs have outlived.
local function correct(sim)
  local due, now = {}, sim.now
  for _, one in ipairs(sim.state.ends) do
    if one.time > now then break end
    local job = sim:job(one.position)
    if one.time < job.planned_end then due[#due + 1] = job end
  end
  for _, job in ipairs(due) do raise(sim, job) end
end

-- Wakes up at the next predicted end whose prediction can still be raised: one that was early when
-- it was predicted, or the next of all, which may be early since its walltime was changed.
local function watch(sim)
  local state, now = sim.state, sim.now
  if state.quiet then return end
  local ends, early = state.ends, state.early
  local next_end = ends[place_of(ends, now, math.huge)]
  if not next_end or state.awake and next_end.time >= state.awake then return end
  local time = next_end.time
  if time >= sim:job(next_end.position).planned_end then
    local one = early[place_of(early, now, math.huge)]
    time = one and one.time
  end
  if time and not (state.awake and time >= state.awake) then
    state.awake = time
    sim:wake_at(time)
  end
end

-- --- decisions ----------------------------------------------------------------------------------

local function start(sim, job)
  sim:start(job)
  add_started(sim, job)
end

-- Whether a job fits on the processors that are free, and is planned to end before a window opens
-- there: windows interrupt by walltimes, not by predictions.
local function fits_now(sim, job, no_windows)
  return job.procs <= sim.free and not job.limited
    and (no_windows and not job.needs or sim:can_start(job))
end

local NOTHING = {}

-- What is left of pools, by what a job needs of them.
local function pools_beside(sim, needs)
  if not needs then return NOTHING end
  local left = {}
  for pool, need in pairs(needs) do left[pool] = sim:free_of(pool) - need end
  return left
end

local function has_all(left)
  for _, amount in pairs(left) do if amount < 0 then return false end end
  return true
end

local function add_to(left, needs, sign)
  for pool, need in pairs(needs or NOTHING) do
    if left[pool] then left[pool] = left[pool] + sign * need end
  end
end

-- The time when the head will have its processors and pools by the predictions, and how many
-- processors, and how much of its pools, are left then.
local function shadow(sim, head)
  local ends, width, needs = sim.state.ends, head.procs, head.needs
  local free, time, left = sim.free, nil, pools_beside(sim, needs)
  local whole = not needs or has_all(left)
  if width <= free and whole then -- it waits for a window to close
    local at = needs and sim:reserve(head) or sim:earliest_start(width, head.time)
    return at, free - width, left
  end
  for at = 1, #ends do
    local one = ends[at]
    if time and one.time > time then break end
    free = free + one.procs
    if needs then
      add_to(left, sim:job(one.position).needs, 1)
      whole = has_all(left)
    end
    if free >= width and whole then time = one.time end
  end
  if time then return time, free - width, left end
  return sim:reserve(head), 0, left -- it waits for nodes that are out of service
end

-- Whether a job leaves the head what it needs of pools.
local function leaves(left, job)
  local needs = job.needs
  if not needs then return true end
  for pool, need in pairs(needs) do
    if left[pool] and left[pool] < need then return false end
  end
  return true
end

local function start_heads(sim, no_windows)
  for job in sim:waiting() do
    if not fits_now(sim, job, no_windows) then return job end
    start(sim, job)
  end
end

-- Jobs behind the head that could start by themselves, and their predictions.
local function candidates(sim, head, till, extra, left)
  local list, predictions, state, now = {}, {}, sim.state, sim.now
  for job in sim:waiting(sim.free) do
    local prediction = predict(state, job)
    local fits = now + prediction <= till or job.procs <= extra and leaves(left, job)
    if fits and job ~= head then
      list[#list + 1] = job
      predictions[job] = prediction
    end
  end
  return list, predictions
end

local function backfill(sim, head, in_order, no_windows)
  local till, extra, left = shadow(sim, head)
  local list, predictions = candidates(sim, head, till, extra, left)
  if not in_order and #list > 1 then
    table.sort(list, function(a, b) return predictions[a] < predictions[b] end)
  end
  for _, job in ipairs(list) do
    local late = sim.now + predictions[job] > till
    if fits_now(sim, job, no_windows)
      and not (late and (job.procs > extra or not leaves(left, job))) then
      if late then
        extra = extra - job.procs
        add_to(left, job.needs, -1)
      end
      start(sim, job)
    end
  end
end

-- The conventions, by their options; `variant` sets all.
local function is(options, name, value)
  return options.variant == "published" or options[name] == value
end

-- The same where the kernel plans with predictions: EASY by estimates, which waiting jobs of a
-- user get anew when a job of the user is over. So it is on a machine of nodes, and, as it takes
-- fewer instructions, where the plans are the same: in runs that are plain.
local function planned_by_kernel(policy, options)
  local submitted = policy.on_submit
  local function waiting(sim, job) -- of the user: position -> true
    local of, user = sim.state.waiting, job.user or ""
    of[user] = of[user] or {}
    return of[user]
  end
  policy.dispatch = { discipline = "list", reservations = 1 }
  policy.backfill = options.backfill ~= "queue"
    and { per = "attempt", priority = function(job) return -job.next_length end } or nil
  function policy.estimate(job, view) return predict(view.state, job) end
  function policy.on_submit(sim, job)
    if submitted then submitted(sim, job) end
    waiting(sim, job)[job.position] = true
  end
  function policy.on_start(sim, job) waiting(sim, job)[job.position] = nil end
  function policy.on_end(sim, job, outcome)
    local state, mine = sim.state, waiting(sim, job)
    mine[job.position] = job.state == "waiting" or nil
    if not job.user or outcome ~= "completed" and outcome ~= "killed" then return end
    remember(state, job.user, sim.now - job.start)
    for position in pairs(state.keeps and NOTHING or mine) do
      local other = sim:job(position)
      if other.state == "waiting" then
        sim:hold(other)
        sim:release(other)
      end
    end
  end
  policy.on_timer, policy.planned_end = nil, nil
  return policy
end

return function(options, has_nodes, is_plain)
  local decides = is(options, "decide", "events") or options.correct ~= "last"
  if has_nodes and decides then
    error("on a machine of nodes (--machine) correct is last, and decide is corrections", 0)
  end
  local policy = {
    name = "EASY++",
    about = "EASY by predictions of runtimes, the shortest predicted first behind the reservation.",
    source = "Tsafrir, Etsion and Feitelson 2007",
    options = {
      backfill = {
        default = "shortest", values = { "shortest", "queue" },
        about = "how jobs fill in: the shortest prediction first, or in the order of the queue",
      },
      variant = { default = "own", values = { "own", "published" },
        about = "published: the four options below as in simulations with published numbers" },
      predict = { default = "moment", values = { "moment", "submission" },
        about = "of when the prediction of a waiting job is" },
      correct = { default = "last", values = { "last", "first", "walltime" },
        about = "what a correction is added to: the prediction that was outlived, or the first; "
          .. "or it is to the walltime at once" },
      decide = { default = "corrections", values = { "corrections", "events" },
        about = "events: only submissions and ends are followed by a decision" },
      means = { default = "exact", values = { "exact", "seconds" },
        about = "seconds: means of runtimes are cut to whole seconds" },
    },
    init = function(sim)
      sim.state = {
        last = {}, mean = {}, -- by user: the time of the last job that is over, and its mean with
        -- that of the one before, s
        ends = {}, early = {}, -- predicted ends of running jobs; those before planned ends
        predicted = {}, outlived = {}, -- by position: the predicted end; how often it was raised
        awake = false, -- when on_timer comes next
        first = {}, from = {}, -- by position: the prediction that is kept, and its end
        waiting = {}, -- where the kernel plans, by user: positions of jobs that may wait
        starts = 0, place = {}, -- how many there were, and by position: which of them it was
        asked = false, late = {}, -- when planned_end was asked last, and who has ended then
        cuts = is(options, "means", "seconds"), adds = is(options, "correct", "first"),
        quiet = is(options, "decide", "events"), keeps = is(options, "predict", "submission"),
        once = options.correct == "walltime" and options.variant ~= "published",
      }
    end,
    on_submit = is(options, "predict", "submission") and function(sim, job)
      remember_late(sim)
      sim.state.first[job.position] = predict(sim.state, job)
    end or nil,
    planned_end = options.variant == "published" and function(job, sim)
      local state = sim.state
      remember_late(sim)
      state.asked = sim.now
      local time = state.predicted[job.position] or job.planned_end
      if time < sim.now and time < job.planned_end then raise(sim, job, true) end
      return state.predicted[job.position] or job.planned_end
    end or nil,
    dispatch = function(sim)
      if sim.state.quiet then correct(sim) end
      local no_windows = sim.windows == 0
      local head = start_heads(sim, no_windows)
      if head and sim.free > 0 then
        backfill(sim, head, options.backfill == "queue", no_windows)
      end
      watch(sim)
    end,
    on_start = function(sim, job) -- a policy that takes over is told who runs
      if not sim.state.predicted[job.position] then add_started(sim, job) end
    end,
    on_end = function(sim, job, outcome)
      local state = sim.state
      remove(state, job.position)
      if not job.user or outcome ~= "completed" and outcome ~= "killed" then return end
      local seconds = sim.now - job.start -- a job that is cancelled may never have started
      remember_late(sim)
      if not state.asked then return remember(state, job.user, seconds) end
      local place = state.place[job.position]
      state.late[#state.late + 1] = { user = job.user, seconds = seconds, place = place }
    end,
    on_timer = function(sim)
      if sim.state.awake and sim.state.awake <= sim.now then sim.state.awake = false end
      correct(sim)
      watch(sim)
    end,
  }
  return (has_nodes or is_plain and not decides) and planned_by_kernel(policy, options) or policy
end
