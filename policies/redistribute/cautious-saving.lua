-- CautiousSaving: CautiousGreedy's moves, and shorter periods between checkpoints.
--
-- Young's period makes the expected time of a task shortest, as if an hour lost to a fault cost an
-- hour. It costs more: the struck task becomes the last to finish, and what helps it costs moves,
-- and processors that are less efficient the more of them a task has. So checkpoints are taken more
-- often than Young says, the more so the less efficient the task is.
--
-- The moves: at every event few tasks move. The struck one is helped as by ShortestTasksFirst, then
-- the last to finish get what is free, as by EndLocal. A new allocation, as by IteratedGreedy
-- and EndGreedy, is made only if it brings the last expected finish forward by more than `caution`
-- standard deviations of what the faults to come do to it, and by more than the moves are worth.

-- That deviation, s. In n faults a task loses something uniform over one range each time, half
-- of its overhead in all: the variance is overhead^2 / (3 n).
local function deviation(sim, task)
  local span = task.finish - math.max(task.ready, sim.now)
  local overhead = math.max(span - task.left * sim:time(task, task.held), 0)
  local faults = task.error_rate * span
  return faults > 0 and overhead / math.sqrt(3 * faults) or 0
end

-- What a task's processors do of what they would do if it were perfectly parallel.
local function efficiency(alone, procs, time) return math.min(alone / (procs * time), 1) end

-- How much the time counts that processors spend on moving all tasks, where nothing fails. Tasks
-- that are balanced later have more processors then, which costs efficiency where there is some to
-- lose; where there is none, waiting is free. Faults make waiting too dear for this.
local MOST_PATIENCE = 30

local function patience(sim, task)
  if sim.mtbf < math.huge then return 0 end
  local now = efficiency(sim:time(task, 1), task.held, sim:time(task, task.held))
  return math.min(now / (1 - now), MOST_PATIENCE)
end

-- ShortestTasksFirst.
local function help(sim, struck)
  local more = sim:improvement(struck)
  while more do
    sim:give(struck, more)
    more = sim:improvement(struck)
  end
  local shortest = sim:shortest()
  while shortest and sim:transfer(shortest, struck) do
    sim:give(struck, 2)
    sim:give(shortest, -2)
    if shortest.finish > struck.finish then return end
    shortest = sim:shortest()
  end
end

-- EndLocal.
local function spread(sim)
  local last = sim.free >= 2 and sim:longest()
  while last do
    if sim:improvement(last) then sim:give(last, 2) else sim:drop(last) end
    last = sim.free >= 2 and sim:longest()
  end
end

-- Of these tasks the last expected finish, s, the mean time of all processors until they finish, s,
-- and their processors.
local function look(sim, tasks)
  local last, area, procs = 0, 0, {}
  for i, task in ipairs(tasks) do
    last, procs[i] = math.max(last, task.finish), task.procs
    area = area + task.procs * (task.finish - sim.now)
  end
  return last, area / sim.procs, procs
end

return function(options)
  local function redistribute(sim, struck)
    local tasks = sim:tasks()
    if #tasks == 0 then return end
    local margin, wait = options.caution * deviation(sim, tasks[1]), patience(sim, tasks[1])
    if sim.struck then help(sim, struck) end
    spread(sim)
    local last, area, procs = look(sim, tasks)
    sim:start_over()
    sim:share_out()
    local new_last, new_area = look(sim, tasks)
    if last - new_last > margin + wait * math.max(new_area - area, 0) then return end
    for i, task in ipairs(tasks) do sim:assign(task, procs[i]) end
  end

  return {
    name = "CautiousSaving",
    about = "CautiousGreedy with more frequent checkpoints: what a fault undoes costs more than "
      .. "the time it took.",
    source = "Orrery",
    options = {
      caution = {
        default = 2, least = 0,
        about = "standard deviations that a new allocation must gain; 0: any gain",
      },
      share = {
        default = 0.65, least = 0.01, most = 1,
        about = "of the usual work between two checkpoints, for tasks that are not efficient",
      },
      efficient = {
        default = 0.85, least = 0, most = 1,
        about = "of the usual work, for perfectly parallel tasks; times the efficiency of others",
      },
    },
    on_end = redistribute,
    on_fault = redistribute,
    period = function(question)
      local now = efficiency(question.alone, question.procs, question.time)
      local share = math.max(options.share, options.efficient * now)
      return question.checkpoint + share * (question.period - question.checkpoint)
    end,
  }
end
