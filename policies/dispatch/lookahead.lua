local function greatest_common_divisor(a, b)
  while b ~= 0 do a, b = b, a % b end
  return a
end

-- Starts jobs in queue order until one cannot start. Returns that one.
local function start_heads(sim)
  for job in sim:waiting() do
    if job.procs > sim.free or not sim:can_start(job) then return job end
    sim:start(job)
  end
end

-- How many processors a job may take now and still have when the head starts, up to all that are
-- free: the extra processors of EASY. The reservation of the head has been made.
local function extra_processors(sim, shadow)
  local least, most, longer = 0, sim.free, shadow - sim.now + 1
  while least < most do
    local middle = (least + most + 1) // 2
    if sim:earliest_start(middle, longer) == sim.now then
      least = middle
    else
      most = middle - 1
    end
  end
  return least
end

-- The first `window` jobs behind the head that could start now by themselves. `late` is what a job
-- takes of the extra processors: 0 if it ends by the shadow time.
local function candidates(sim, head, extra, window)
  local list, free, known = {}, sim.free, sim.windows > 0
  for job in sim:waiting(free) do
    local ends = extra == free or sim:earliest_start(free, job.time) == sim.now
    local late = ends and 0 or job.procs
    if late <= extra and job.position ~= head.position
      and (not (known or job.needs) or sim:can_start(job)) then
      list[#list + 1] = { job = job, procs = job.procs, late = late }
    end
    if #list == window then break end
  end
  return list
end

-- All widths and sums in the largest unit in which the widths are whole.
local function count_in_units(list)
  local unit = 0
  for _, one in ipairs(list) do unit = greatest_common_divisor(one.procs, unit) end
  for _, one in ipairs(list) do one.procs, one.late = one.procs // unit, one.late // unit end
  return unit
end

-- For every number of processors that some of the jobs use together: the fewest extra processors
-- that this takes, and how that number fell from job to job (place in the list, number).
local function fill(list, free, extra)
  local least, steps, top = { [0] = 0 }, { [0] = {} }, 0
  for place, one in ipairs(list) do
    local procs, late = one.procs, one.late
    top = math.min(free, top + procs)
    for sum = top, procs, -1 do
      local before, now = least[sum - procs], least[sum]
      local needs = before and before + late
      if needs and needs <= extra and (not now or needs < now) then
        least[sum] = needs
        local of_sum = steps[sum]
        if not of_sum then
          of_sum = {}
          steps[sum] = of_sum
        end
        of_sum[#of_sum + 1], of_sum[#of_sum + 2] = place, needs
      end
    end
    if least[free] then break end -- jobs further behind cannot use more, and do not come first
  end
  return steps, top
end

-- The jobs that use the most processors; of such choices the one whose last job stands nearest to
-- the front, then the last but one, and so on.
local function choose(list, free, extra)
  local steps, sum = fill(list, free, extra)
  while not steps[sum] do sum = sum - 1 end
  local chosen = {}
  while sum > 0 do
    local at, of_sum = 1, steps[sum]
    while of_sum[at + 1] > extra do at = at + 2 end
    local one = list[of_sum[at]]
    table.insert(chosen, 1, one.job)
    sum, extra = sum - one.procs, extra - one.late
  end
  return chosen
end

return function(options)
  local window = options.window == "all" and math.huge or options.window
  return {
    name = "EASY with lookahead (LOS)",
    about = "EASY that starts, of the jobs behind the reservation, those that together use most.",
    source = "Shmueli and Feitelson 2005",
    options = {
      window = {
        default = 50, least = 1, whole = true, unit = "jobs", values = { "all" },
        about = "so many jobs that could start by themselves are looked at",
      },
    },
    dispatch = function(sim)
      local head = start_heads(sim)
      if not head or sim.free == 0 then return end
      local shadow = sim:reserve(head)
      if head.time == 0 and shadow == sim.now then return end -- it can start at this instant still
      local extra = extra_processors(sim, shadow)
      local list = candidates(sim, head, extra, window)
      if #list == 0 then return end
      local unit = count_in_units(list)
      local known = sim.windows > 0 -- of jobs that could start each by itself, perhaps not all can
      for _, job in ipairs(choose(list, sim.free // unit, extra // unit)) do
        if not job.limited and (not (known or job.needs) or sim:can_start(job)) then
          sim:start(job)
        end
      end
    end,
  }
end
