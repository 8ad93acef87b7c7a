-- Running jobs that may be killed for an urgent job. The latest start comes first: it loses least.
local function victims(sim, is_urgent, most)
  local list = {}
  for _, job in ipairs(sim:running()) do
    local kills = sim.state.kills[job.position] or 0
    if not is_urgent(job) and kills < most then list[#list + 1] = job end
  end
  local last = #list
  return function()
    last = last - 1
    return list[last + 1]
  end
end

-- The processors that the waiting urgent jobs lack; these jobs are at the front of the queue.
local function lacking(sim, is_urgent)
  local procs = 0
  for job in sim:waiting() do
    if not is_urgent(job) then break end
    procs = procs + job.procs
  end
  return procs - sim.free
end

return function(options)
  local function is_urgent(job)
    return job.queue == options.queue or job.time <= options.time
  end
  return {
    name = "Preemption by kill and restart",
    about = "EASY with urgent jobs, if any, in front; for these, others are killed and start anew.",
    source = "Orrery",
    options = {
      queue = { default = "urgent", about = "jobs of this queue of the log are urgent" },
      time = { default = -1, unit = "s", about = "and jobs that take at most so long; -1: none" },
      kills = { default = 3, least = 0, about = "no job is killed more often" },
    },
    priority = function(job) return is_urgent(job) and 1 or 0 end,
    dispatch = { discipline = "list", reservations = 1 },
    init = function(sim) sim.state.kills = {} end,
    on_submit = function(sim, job)
      if not is_urgent(job) then return end
      local lack = lacking(sim, is_urgent)
      local chosen = {}
      for victim in victims(sim, is_urgent, options.kills) do
        if lack <= 0 then break end
        chosen[#chosen + 1] = victim
        lack = lack - victim.procs
      end
      if lack > 0 then return end -- killing these jobs would not be enough
      local kills = sim.state.kills
      for _, victim in ipairs(chosen) do
        kills[victim.position] = (kills[victim.position] or 0) + 1
        sim:requeue(victim)
      end
    end,
  }
end
