-- Room for short jobs: EASY, least area first, where the longest jobs leave processors free.
--
-- A short job that comes to a full machine waits until the next job ends, many times its own
-- length. Here such jobs find room: a job may start only if it leaves a number of processors free,
-- which grows with its rank in length among all jobs so far. Only the longest jobs leave many,
-- because free processors make the others wait. A job on an empty machine always starts.
--
-- Options: chosen by hand near what searches found. `orrery search
-- scripts/reproduce/policies/room-for-short.lua` (seed 1, Orrery 0.1.0) finds share 0.3622, power
-- 20, width 1.401: on its testing samples 0.572 times the slowdown of EASY + SAF (-8.4 +- 2.9) and
-- 0.942 times its wait.

-- Times of jobs so far are counted in steps of a quarter of their binary logarithm.
local function step_of(time) return math.floor(4 * math.log(math.max(time, 1), 2)) end

-- The share of the jobs so far that are shorter; jobs in the same step count half. Then counts this
-- job, too.
local function rank(state, time)
  local step, below = step_of(time), 0
  for i, number in ipairs(state.number) do
    local at = state.first + i - 1
    if at < step then below = below + number elseif at == step then below = below + number / 2 end
  end
  local share = state.count > 0 and below / state.count or 0.5
  state.count = state.count + 1
  if #state.number == 0 then state.first = step end
  while step < state.first do
    table.insert(state.number, 1, 0)
    state.first = state.first - 1
  end
  for i = #state.number + 1, step - state.first + 1 do state.number[i] = 0 end
  local at = step - state.first + 1
  state.number[at] = state.number[at] + 1
  return share
end

-- A job without an entry ran when this policy took over, and now waits again: it leaves 0 free.
local function leaves_of(sim, job) return sim.state.leaves[job.position] or 0 end

-- Whether a job fits, but would leave fewer processors free than it has to.
local function is_held_back(sim, job)
  local left = sim.free - job.procs
  return left >= 0 and left < leaves_of(sim, job)
end

-- Whether a job can start now and leaves as many processors free as it has to.
local function may_start(sim, job)
  return sim.free - job.procs >= leaves_of(sim, job) and sim:can_start(job)
end

return function(options)
  return {
    name = "Room for short jobs",
    about = "EASY, least area first; the longer a job, the more of the machine it leaves free.",
    source = "Orrery",
    options = {
      share = { default = 0.2, least = 0, most = 1,
        about = "which share of the machine the longest job leaves free when it starts" },
      power = { default = 12, least = 0,
        about = "others leave this power of the share of jobs that are shorter than they" },
      width = { default = 1.1, least = 0,
        about = "the power of the width in the order of the queue" },
    },
    priority = function(job) return -math.max(job.time, 1) * job.procs ^ options.width end,
    init = function(sim)
      -- how many jobs there were of each step from the first on; by position: processors to leave
      sim.state = { count = 0, first = 0, number = {}, leaves = {} }
    end,
    on_submit = function(sim, job)
      local leaves = options.share * rank(sim.state, job.time) ^ options.power * sim.procs
      sim.state.leaves[job.position] = math.min(math.floor(leaves), sim.procs - job.procs)
    end,
    dispatch = function(sim)
      if sim.free == 0 then return end
      for job in sim:waiting() do
        if may_start(sim, job) then
          sim:start(job)
        else
          if not is_held_back(sim, job) then sim:reserve(job) end
          break
        end
      end
      for job in sim:fitting() do
        if may_start(sim, job) then sim:start(job) end
      end
    end,
  }
end
