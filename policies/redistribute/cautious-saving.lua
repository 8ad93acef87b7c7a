-- CautiousSaving: few tasks move, and checkpoints are more frequent than Young says.
--
-- Young's period makes the expected time of a task shortest, as if an hour lost to a fault cost an
-- hour. It costs more: the struck task becomes the last to finish, and what helps it costs moves,
-- and processors that are less efficient the more of them a task has. So checkpoints are taken more
-- often than Young says: the more so the less efficient the task is, and the larger the share of
-- its work that a fault undoes. They cut a task into equal parts; a short last one saves little.
--
-- At every event the struck task is helped as by ShortestTasksFirst, then the last to finish get
-- what is free, as by EndLocal. A new allocation, as by IteratedGreedy and EndGreedy, is only a
-- plan: tasks that would finish late get what it gives them, and as few others as possible give
-- processors for that. It is done only if it brings the last expected finish forward by more than
-- the faults to come are likely to undo.

-- What new faults are likely to undo of a gain, s: what faults and checkpoints are expected to add
-- to the time of the last task, and more where a fault is likely to strike it.
local function undone(sim, task)
  local span = task.finish - math.max(task.ready, sim.now)
  local overhead = math.max(span - task.left * sim:time(task, task.held), 0)
  return overhead * (1 + 2 * task.failure_probability)
end

-- What a task's processors do of what they would do if it were perfectly parallel.
local function efficiency(alone, procs, time) return math.min(alone / (procs * time), 1) end

-- How much the time counts that processors spend on moves. Tasks that are
-- balanced later have more processors then, which costs efficiency where there is some to lose;
-- where there is none, waiting is free. The last tasks are sooner over the more processors they
-- have, so there is less to wait for.
local function patience(sim, task)
  local now = efficiency(sim:time(task, 1), task.held, sim:time(task, task.held))
  return math.min(now / (1 - now), 400 / task.held ^ 3)
end

-- What is added to the price of an hour, h, in a task that is not efficient at all, and in such a
-- task if Young's period is as long as all its work.
local INEFFICIENT, LARGE = 1.75, 6

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

-- Of the new allocation that is proposed, only what tasks need that stay expected to finish after
-- `level`; those that give most give first. `finish`: when tasks finish that do not move, s.
local function keep_most(sim, tasks, finish, level)
  local procs, donors, lack = {}, {}, -sim.free
  for i, task in ipairs(tasks) do
    procs[i] = finish[i] > level and task.procs or task.held
    local gives = procs[i] - task.procs
    lack = lack + gives
    if gives > 0 then donors[#donors + 1] = { at = i, gives = gives } end
  end
  table.sort(donors, function(a, b)
    return a.gives > b.gives or a.gives == b.gives and a.at < b.at
  end)
  for _, donor in ipairs(donors) do
    if lack <= 0 then break end
    procs[donor.at], lack = procs[donor.at] - donor.gives, lack - donor.gives
  end
  for i, task in ipairs(tasks) do sim:assign(task, procs[i]) end
end

return function(options)
  local function redistribute(sim, struck)
    local tasks, finish = sim:tasks(), {}
    if #tasks == 0 then return end
    local margin, wait = options.caution * undone(sim, tasks[1]), patience(sim, tasks[1])
    for i, task in ipairs(tasks) do finish[i] = task.finish end
    if sim.struck then help(sim, struck) end
    spread(sim)
    local last, area, procs = look(sim, tasks)
    sim:start_over()
    sim:share_out()
    local least = look(sim, tasks)
    if least < last then
      keep_most(sim, tasks, finish, least + options.slack * (last - least))
      spread(sim)
      local new_last, new_area = look(sim, tasks)
      if last - new_last > margin + wait * math.max(new_area - area, 0) then return end
    end
    for i, task in ipairs(tasks) do sim:assign(task, procs[i]) end
  end

  -- What an hour costs that a fault undoes, h; `usual`: Young's work between two checkpoints, s.
  local function price(question, usual)
    local lost = 1 - efficiency(question.alone, question.procs, question.time)
    local share = math.min(usual / question.time, 1)
    return options.price + lost * (INEFFICIENT + LARGE * share)
  end

  return {
    name = "CautiousSaving",
    about = "Moves few tasks, and takes checkpoints more often than Young says: what a fault "
      .. "undoes costs more than the time it took.",
    source = "Orrery",
    options = {
      caution = { default = 1, least = 0,
        about = "of what new faults are likely to undo, that a new allocation must gain; 0: any" },
      slack = { default = 0.6, least = 0, most = 1,
        about = "of the gain of a new allocation that is left for fewer moves" },
      price = { default = 1.75, least = 1,
        about = "of an hour that a fault undoes in a perfectly parallel task, h" },
    },
    on_end = redistribute,
    on_fault = redistribute,
    -- As many equal parts as cost least: one more costs a checkpoint, and a fault undoes less. They
    -- are a trifle longer, so that there is no checkpoint at the end.
    period = function(question)
      local saving, time = question.checkpoint, question.time
      local faults = price(question, question.period - saving) * time / question.mtbf
      local function cost(parts) return parts * saving + faults * (time / parts + saving) / 2 end
      local parts = math.max(math.floor(math.sqrt(faults * time / (2 * saving))), 1)
      if parts > 1e9 then return question.period end
      if cost(parts + 1) < cost(parts) then parts = parts + 1 end
      return saving + time / parts * (1 + 1e-9)
    end,
  }
end
