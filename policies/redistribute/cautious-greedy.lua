-- CautiousGreedy: many tasks move only where that gains more than chance is likely to take.
--
-- At every event few tasks move: the struck one is helped as by ShortestTasksFirst, then the last
-- to finish get what is free, as by EndLocal. A new allocation, as by IteratedGreedy and EndGreedy,
-- moves nearly everybody. That pays where faults are rare; where they are common, the next ones
-- undo the balance that was paid for. So it is made only if it brings the last expected finish
-- forward by more than `caution` standard deviations of what the faults to come do to it.

-- The standard deviation, s. With Young's period lost work costs about as much as checkpoints: half
-- of the overhead is lost, in n faults. Each fault loses a uniform amount from the same range, so
-- the variance is overhead^2 / (3 n). Processors that never fail have overhead 0 and n = 0.
local function deviation(sim, task)
  local span = task.finish - math.max(task.ready, sim.now)
  local overhead = span - task.left * sim:time(task, task.held)
  local faults = task.held * span / sim.mtbf
  return faults > 0 and math.max(overhead, 0) / math.sqrt(3 * faults) or 0
end

-- The last expected finish of these tasks, and their processors.
local function plan(tasks)
  local last, procs = 0, {}
  for i, task in ipairs(tasks) do
    last, procs[i] = math.max(last, task.finish), task.procs
  end
  return last, procs
end

local function put_back(sim, tasks, procs)
  for i, task in ipairs(tasks) do
    sim:assign(task, procs[i])
  end
end

-- ShortestTasksFirst.
local function help(sim, struck)
  local more = sim:improvement(struck)
  while more do
    sim:give(struck, more)
    more = sim:improvement(struck)
  end
  repeat
    local shortest = sim:shortest(4)
    if not shortest or not sim:transfer(shortest, struck) then break end
    sim:give(struck, 2)
    sim:give(shortest, -2)
  until shortest.finish > struck.finish
end

-- EndLocal.
local function spread(sim)
  while sim.free >= 2 do
    local last = sim:longest()
    if not last then break end
    if sim:improvement(last) then sim:give(last, 2) else sim:drop(last) end
  end
end

-- IteratedGreedy.
local function allocate_anew(sim)
  sim:start_over()
  while sim:improvement(sim:longest()) do
    sim:give(sim:longest(), 2)
  end
end

return function(options)
  local function redistribute(sim)
    local tasks = sim:tasks()
    if #tasks == 0 then return end
    local margin = options.caution * deviation(sim, tasks[1])
    if sim.struck then help(sim, sim.struck) end
    spread(sim)
    local last, procs = plan(tasks)
    allocate_anew(sim)
    if last - plan(tasks) <= margin then put_back(sim, tasks, procs) end
  end

  return {
    name = "CautiousGreedy",
    about = "When a task ends, or a fault makes its task the last to finish, moves few tasks; "
      .. "allocates anew only if that gains more than the faults to come are likely to undo.",
    source = "Orrery",
    options = {
      caution = {
        default = 2,
        about = "standard deviations that a new allocation must gain; 0: any gain",
      },
    },
    on_end = redistribute,
    on_fault = redistribute,
  }
end
