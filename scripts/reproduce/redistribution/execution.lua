-- execution: how the expected makespan and the processors of the tasks go in one run.
local execution = {}

-- Number, mean and standard deviation of the processors that the running tasks hold.
local function processors(session)
  local count, sum, squares = 0, 0, 0
  for _, task in ipairs(session:running()) do
    count, sum, squares = count + 1, sum + task.procs, squares + task.procs ^ 2
  end
  if count == 0 then return 0, 0, 0 end
  local mean = sum / count
  return count, mean, math.sqrt(math.max(0, squares / count - mean ^ 2))
end

-- A fresh session's run, event by event: a list of { time = (s), makespan = (s), running =, mean =,
-- sd = }, each as it is from that time to the next. makespan: what is expected at that time, at the
-- last that of the run; mean, sd: of the processors of the tasks that run, over those tasks.
function execution.steps(session)
  local steps = {}
  local function add()
    local count, mean, sd = processors(session)
    steps[#steps + 1] = { time = session.now, running = count, mean = mean, sd = sd,
      makespan = session.over and session.now or session.expected }
  end
  add()
  while not session.over do
    session:step()
    add()
  end
  return steps
end

-- The same until a first task ends.
function execution.until_first_end(steps)
  local part = {}
  for i, step in ipairs(steps) do
    part[i] = step
    if step.running < steps[1].running then break end
  end
  return part
end

-- A quantity's mean over the time of the run.
function execution.over_time(steps, quantity)
  local sum = 0
  for i = 1, #steps - 1 do
    sum = sum + steps[i][quantity] * (steps[i + 1].time - steps[i].time)
  end
  return sum / steps[#steps].time
end

return execution
