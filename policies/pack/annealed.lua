-- Sorted cuts, then simulated annealing: moves and exchanges of single tasks are also made if they
-- increase the cost, with a probability that falls with the increase and with time. The increase is
-- computed quickly, so that hundreds of thousands of changes can be tried in a second.

-- Tasks by their time on so many processors, longest first, ties by position.
local function sorted(problem, procs)
  local order, times = {}, {}
  for task = 1, #problem do
    order[task], times[task] = task, problem:time(task, procs)
  end
  table.sort(order, function(a, b)
    if times[a] ~= times[b] then return times[a] > times[b] end
    return a < b
  end)
  return order
end

-- The best cut of these orders for 1, 2, 4, ... and all processors.
local function best_cut(problem)
  local best, procs = nil, 1
  while procs do
    best = problem:cut(sorted(problem, procs), best and best.cost) or best
    procs = procs < problem.procs and math.min(2 * procs, problem.procs) or nil
  end
  return best
end

-- A random move or exchange: its gain, and the method and arguments that make it.
local function random_change(partition, tasks)
  local task = math.random(tasks)
  if math.random(2) == 1 then
    local other = math.random(tasks)
    if partition:pack_of(task) == partition:pack_of(other) then return end
    return partition:swap_gain(task, other), partition.swap, task, other
  end
  local pack = math.random(#partition + 1)
  if pack == partition:pack_of(task) then return end
  return partition:move_gain(task, pack), partition.move, task, pack
end

-- Ends with `steps` tries at a temperature that falls from `hot` to `cold`, s.
local function anneal(partition, tasks, steps, hot, cold)
  local falls = (cold / hot) ^ (1 / steps)
  for _ = 1, steps do
    local gain, change, a, b = random_change(partition, tasks)
    if gain and (gain >= 0 or math.random() < math.exp(gain / hot)) then change(partition, a, b) end
    hot = hot * falls
  end
end

-- Moves and exchanges tasks as long as the cost falls.
local function improve(partition, tasks)
  local least, better = 1e-12 * partition:cost(), true
  while better do
    better = false
    for task = 1, tasks do
      local pack, gain = partition:best_move(task)
      local other, gained = partition:best_swap(task)
      if gain > least and gain >= gained then
        partition:move(task, pack)
        better = true
      elseif gained > least then
        partition:swap(task, other)
        better = true
      end
    end
  end
end

-- The initial temperatures, as shares of a pack's mean cost. Few large packs need another one than
-- many small packs; so each is tried, and the best result is taken.
local BEGINNINGS = { 0.1, 0.02, 0.004 }

return function(options)
  return {
    name = "annealed",
    about = "Sorted cuts, then simulated annealing over moves and exchanges of tasks.",
    source = "the project's own",
    options = {
      tries = {
        default = 3000, least = 3, whole = true,
        about = "moves and exchanges that are tried, per task; more are better and take longer",
      },
    },
    pack = function(problem)
      local cut, tasks = best_cut(problem), #problem
      local best = problem:partition(cut)
      local steps, mean = options.tries * tasks // #BEGINNINGS, cut.cost / #best
      improve(best, tasks)
      for _, hot in ipairs(BEGINNINGS) do
        local partition = problem:partition(cut)
        anneal(partition, tasks, steps, hot * mean, hot * mean / 100)
        improve(partition, tasks)
        if partition:cost() < best:cost() then best = partition end
      end
      return best:coschedule()
    end,
  }
end
