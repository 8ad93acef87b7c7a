local function greatest_common_divisor(a, b)
  while b ~= 0 do a, b = b, a % b end
  return a
end

-- The first `window` waiting jobs that fit, and the largest unit in which their widths are whole.
local function candidates(sim, window)
  local list, unit, known = {}, 0, sim.windows > 0
  for job in sim:waiting(sim.free) do
    if #list == window then break end
    if not (known or job.needs) or sim:can_start(job) then
      list[#list + 1] = job
      unit = greatest_common_divisor(job.procs, unit)
    end
  end
  return list, unit
end

-- For every number of units the largest i such that some of the jobs i, i + 1, ... fill it exactly.
local function reachable(list, unit, capacity)
  local from = { [0] = #list + 1 }
  for i = #list, 1, -1 do
    local width = list[i].procs // unit
    for sum = capacity, width, -1 do
      if not from[sum] and from[sum - width] then from[sum] = i end
    end
  end
  return from
end

-- Starts jobs that together use as many processors as any can; of all such choices the one that
-- takes jobs from the front of the queue.
local function fill(sim, window)
  local list, unit = candidates(sim, window)
  if unit == 0 then return end
  local known = sim.windows > 0 -- of jobs that could start each by itself, perhaps not all can
  local left = sim.free // unit
  local from = reachable(list, unit, left)
  while not from[left] do left = left - 1 end
  for i, job in ipairs(list) do
    local width = job.procs // unit
    if width <= left and from[left - width] and from[left - width] > i then
      if not job.limited and (not (known or job.needs) or sim:can_start(job)) then
        sim:start(job)
      end
      left = left - width
    end
  end
end

-- The first job has waited too long: as in EASY, nobody may delay it any more.
local function protect_first(sim, first)
  if sim:can_start(first) then
    sim:start(first)
    return false
  end
  sim:reserve(first)
  for job in sim:startable() do sim:start(job) end
  return true
end

return function(options)
  return {
    name = "Knapsack",
    about = "Starts the jobs that fill the machine best; one that waits too long is reserved for.",
    source = "Orrery; dynamic programming after Bellman 1957",
    options = {
      patience = {
        default = 86400, least = 0, unit = "s",
        about = "after which the first job holds a reservation; until then it may be passed over",
      },
      window = {
        default = 200, least = 1, whole = true, unit = "jobs",
        about = "so many jobs of the queue are looked at",
      },
    },
    dispatch = function(sim)
      local first = sim:waiting()()
      while first and sim.now - first.submit >= options.patience do
        if protect_first(sim, first) then return end
        first = sim:waiting()()
      end
      fill(sim, options.window)
    end,
  }
end
