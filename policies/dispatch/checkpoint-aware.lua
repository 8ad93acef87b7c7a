-- Failures per second that strike the job: the nominal rate times (failures seen + 2) / (failures
-- expected + 2). If the nominal rate is 0: the rate of the failures seen so far, times the job's
-- share of the machine.
local function seen_rate(job, view)
  local nominal, share = job.error_rate, job.procs / view.procs
  local elapsed = view.now - view.first_submit
  if nominal == 0 then return elapsed > 0 and share * view.node_failures / elapsed or 0 end
  return nominal * (view.node_failures + 2) / (nominal / share * elapsed + 2)
end

-- Processors that the job lacks after leaving jobs have left and jobs with room have started.
local function lacking(sim, job)
  local state, lack = sim.state, job.procs - sim.free
  for other in sim:waiting() do
    if state.served[other.position] then lack = lack + other.procs end
  end
  for _, running in ipairs(sim:running()) do
    if state.leaving[running.position] then lack = lack - running.procs end
  end
  return lack
end

-- A delay as a multiple of the job's time: the increase of its bounded slowdown.
local function slowdown(job, delay) return delay / math.max(job.time, 60) end

-- Running jobs that may leave for so many seconds, and the cost of each. The lowest cost per
-- processor comes first.
local function victims(sim, seconds)
  local list, price = {}, {}
  for _, job in ipairs(sim:running()) do
    local cost = job.checkpoint_cost and job.checkpoint_cost + job.recovery_cost
    if cost and not sim.state.leaving[job.position] and job.planned_end - sim.now > cost then
      list[#list + 1], price[job.position] = job, slowdown(job, cost + seconds)
    end
  end
  table.sort(list, function(a, b)
    return price[a.position] * b.procs < price[b.position] * a.procs
  end)
  return list, price
end

-- The first jobs of the list that together free so many processors, none superfluous; or nil.
local function enough(list, lack)
  local some, got = {}, 0
  for _, job in ipairs(list) do
    if got >= lack then break end
    some[#some + 1], got = job, got + job.procs
  end
  if got < lack then return nil end
  for i = #some, 1, -1 do
    if got - some[i].procs >= lack then got = got - table.remove(some, i).procs end
  end
  return some
end

-- Lets running jobs write a checkpoint and leave, if this saves the job more than `factor` times
-- the slowdown that it costs them. A job that has waited long is assumed to wait as long again,
-- even if the plan says less: smaller jobs that come later pass it.
local function make_room(sim, job, factor)
  local state, lack, length = sim.state, lacking(sim, job), job.next_length
  if lack > 0 then
    local list, price = victims(sim, length)
    local leaving, cost, ready = enough(list, lack), 0, 0
    if not leaving then return end
    for _, one in ipairs(leaving) do
      cost, ready = cost + price[one.position], math.max(ready, one.checkpoint_cost)
    end
    local planned = sim:earliest_start(job.procs, length) - sim.now
    local wait = math.max(planned, sim.now - job.arrival)
    if slowdown(job, wait - ready) <= factor * cost then return end
    for _, one in ipairs(leaving) do
      state.leaving[one.position] = true
      sim:preempt(one)
    end
  end
  state.served[job.position] = true
end

-- An attempt has ended: the job with the longest wait relative to its time tries again to get room.
local function look_again(sim, factor)
  local longest, most = nil, 0
  for job in sim:waiting() do
    local slow = slowdown(job, sim.now - job.arrival)
    if slow > most and not sim.state.served[job.position] then longest, most = job, slow end
  end
  if longest then make_room(sim, longest, factor) end
end

-- Only jobs that have got room hold reservations, so that they keep it. A reservation for the head
-- of the queue would drain the machine for a wide job: smaller jobs pass it again and again, long
-- jobs do not fit before it. If no job writes checkpoints, no job can get room, and this is EASY.
local function dispatch(sim)
  local served, writes = sim.state.served, sim.state.writes
  if not writes or next(served) then
    for job in sim:waiting() do
      local has_room = served[job.position]
      if (has_room or not writes) and sim:can_start(job) then
        sim:start(job)
      elseif has_room or not writes then
        sim:reserve(job)
        if not writes then break end
      end
    end
  end
  for job in sim:startable() do sim:start(job) end
end

-- A failure is announced: the jobs on its nodes write a checkpoint, if there is time.
local function save_work(sim, nodes, at)
  for _, job in ipairs(sim:running_on(nodes)) do
    if job.checkpoint_cost and job.checkpoint_cost <= at - sim.now then sim:checkpoint(job) end
  end
end

return function(options)
  local sees_failures = options.know == "all" or options.know == "failures"
  local sees_checkpoints = options.know == "all" or options.know == "checkpoints"
  return {
    name = "Checkpoint-aware EASY",
    about = "Least area left first; running jobs write a checkpoint and make room for shorter ones "
      .. "and those that have waited long, and periods follow the failures so far.",
    source = "Orrery; preemption by checkpoints after Niu et al. 2012 (JSSPP), Young's period",
    options = {
      factor = {
        default = 10, least = 0,
        about = "jobs make room if that spares so many times the slowdown which it costs them",
      },
      know = {
        default = "all", values = { "all", "checkpoints", "failures", "nothing" },
        about = "what it looks at: what is left and checkpoints, failures, both, or neither",
      },
    },
    per = "attempt",
    priority = function(job)
      return -(sees_checkpoints and job.next_length * job.procs or job.area)
    end,
    dispatch = sees_checkpoints and dispatch or { discipline = "list", reservations = 1 },
    init = function(sim)
      -- by position: running jobs that write a last checkpoint, and waiting ones that have room;
      -- and whether any job that came writes checkpoints
      sim.state = { leaving = {}, served = {}, writes = false }
    end,
    period = function(job, view)
      local rate = sees_failures and seen_rate(job, view) or job.error_rate
      if rate <= 0 then return math.huge end
      return math.max(math.sqrt(2 * job.checkpoint_cost / rate), 1)
    end,
    on_warning = sees_failures and save_work or nil,
    on_submit = sees_checkpoints and function(sim, job)
      if job.checkpoint_cost then sim.state.writes = true end
      make_room(sim, job, options.factor)
    end or nil,
    on_end = sees_checkpoints and function(sim) look_again(sim, options.factor) end or nil,
    on_start = sees_checkpoints and function(sim, job)
      sim.state.leaving[job.position], sim.state.served[job.position] = nil, nil
    end or nil,
  }
end
