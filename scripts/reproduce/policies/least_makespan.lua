-- least_makespan: a time before which no policy can finish malleable tasks, whatever fails.
--
-- Proof. Let all tasks be over at T, and let task i be on j processors, 0, 2, 4 ... of them, in
-- parts of [0, T] that change as often as one likes. On j processors it does at most 1 / t_i(j) of
-- its work per second: faults, checkpoints and moves only take from that. It does all of its work,
-- so its mean rate over [0, T] is at least 1 / T. The pair (mean rate, mean processors) is a mean
-- of pairs (1 / t_i(j), j), with (0, 0) for j = 0. So the mean processors are at least h_i(1 / T),
-- where h_i is the largest convex function below these pairs. Their sum over the tasks is at most
-- the machine. Hence T is at least the smallest one with sum h_i(1 / T) <= p.
--
-- In the profile of RR-8795, t(j) = a + b / j, the rate is concave in j: h_i goes through all pairs
-- and is straight between neighbours. For other profiles this would not be a bound.

-- h_i at a rate; nil where even all processors are slower.
local function least_procs(tasks, task, rate, procs)
  local low, high = 0, procs // 2
  if 1 / tasks:time(task, 2 * high) < rate then return nil end
  while high - low > 1 do
    local middle = (low + high) // 2
    if 1 / tasks:time(task, 2 * middle) < rate then low = middle else high = middle end
  end
  local slower = low > 0 and 1 / tasks:time(task, 2 * low) or 0
  local faster = 1 / tasks:time(task, 2 * high)
  return 2 * low + 2 * math.max(rate - slower, 0) / (faster - slower)
end

local function fits(tasks, procs, time)
  local sum = 0
  for task = 1, #tasks do
    local least = least_procs(tasks, task, 1 / time, procs)
    if not least then return false end
    sum = sum + least
    if sum > procs then return false end
  end
  return true
end

-- Of tasks of orrery.tasks.synthetic on so many processors, s. At most 1e-9 of it too small.
return function(tasks, procs)
  local low, high = 0, 0
  for task = 1, #tasks do high = high + tasks:time(task, procs - procs % 2) end
  while high - low > 1e-9 * high do
    local middle = (low + high) / 2
    if fits(tasks, procs, middle) then high = middle else low = middle end
  end
  return low
end
