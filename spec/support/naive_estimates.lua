-- Tsafrir's model of user estimates as READINGS 40 says it, with lists and sorts alone.
--
--   naive_estimates.of(runtimes, { longest =, share = }, rng) -> walltimes, the values
--
-- The values are a list of { time =, share =, jobs = }, the head first; rng is a generator of
-- orrery.random.
local naive_estimates = {}

local MINUTE, HOUR = 60, 3600
local ALL_LOGS = { 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 20 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR,
  3 * HOUR, 4 * HOUR, 5 * HOUR, 6 * HOUR, 8 * HOUR, 10 * HOUR, 12 * HOUR, 18 * HOUR }
local STEPS = { 200 * HOUR, 100 * HOUR, 50 * HOUR, 10 * HOUR, 5 * HOUR, 2 * HOUR, HOUR,
  20 * MINUTE, 10 * MINUTE, 5 * MINUTE }
local LINE = { { 0, 0 }, { 20, 10 }, { 200, 20 }, { 1000, 35 }, { 10000, 90 }, { 70000, 340 },
  { 250000, 565 } }
-- Ranks by place, log after log.
local RANKS = {
  { 3, 1, 4, 17, 13, 7, 8, 18, 2, 6, 16, 10, 5, 15, 14, 19, 11, 12, 9, 20 },
  { 1, 3, 4, 2, 12, 9, 8, 18, 6, 7, 11, 20, 16, 5, 14, 13, 10, 15, 17, 19 },
  { 1, 4, 10, 14, 20, 2, 3, 7, 12, 6, 19, 5, 18, 16, 9, 17, 15, 13, 8, 11 },
  { 1, 6, 5, 3, 7, 2, 18, 19, 4, 11, 20, 9, 10, 14, 13, 16, 15, 17, 8, 12 },
}

local function contains(list, x)
  for _, one in ipairs(list) do
    if one == x then return true end
  end
  return false
end

function naive_estimates.different(jobs)
  for i = 2, #LINE do
    local low, high = LINE[i - 1], LINE[i]
    if jobs <= high[1] then
      local more = (jobs - low[1]) * ((high[2] - low[2]) / (high[1] - low[1]))
      return low[2] + math.floor(more + 0.5)
    end
  end
  return 565
end

function naive_estimates.popular(longest)
  local times = {}
  for _, time in ipairs(ALL_LOGS) do
    if time < longest then times[#times + 1] = time end
  end
  for _, step in ipairs(STEPS) do
    for time = longest // step * step, step, -step do
      if #times < 19 and time < longest and not contains(times, time) then
        times[#times + 1] = time
      end
    end
  end
  table.sort(times)
  table.insert(times, 1, longest)
  return times
end

local function shares_of_head(share)
  local list, sum = {}, 0
  for rank = 2, 20 do
    list[rank] = (14.0491 * math.exp(-0.177531 * rank) + 0.462513) / 100
    sum = sum + list[rank]
  end
  list[1] = share or 0.89 - sum
  for rank = 2, 20 do
    if share then list[rank] = list[rank] * ((0.89 - share) / sum) end
  end
  return list
end

-- Which rank each place takes.
local function ranks_of_head(rng)
  local taken, list = { 1 }, { 1 }
  for place = 2, 20 do
    local due, pool = nil, {}
    for rank = 20, 1, -1 do
      local later = false
      for p = place + 1, 20 do
        for _, log in ipairs(RANKS) do later = later or log[p] == rank end
      end
      if not later and not contains(taken, rank) then due = rank end
    end
    for p = 1, place do
      for _, log in ipairs(RANKS) do
        if not contains(taken, log[p]) then pool[#pool + 1] = log[p] end
      end
    end
    list[place] = due
      or math.min(pool[rng:integer(1, #pool)], pool[rng:integer(1, #pool)])
    taken[#taken + 1] = list[place]
  end
  return list
end

local function tail_times(longest, head, wanted, different)
  local times, a = {}, 1 + 12.1039 * different ^ -0.6026
  for i = 1, wanted do
    local x = i / wanted
    local time = math.floor((a - 1) * x / (a - x) * longest / 60 + 0.5) * 60.0
    for _, more in ipairs { 0, 30, -30, 20, -20, 10, -10 } do
      local t = time + more
      if t > 0 and t < longest and not contains(head, t) and not contains(times, t) then
        times[#times + 1] = t
        break
      end
    end
  end
  return times
end

-- Drawn from the last place to the first, as Fisher and Yates do.
local function tail_shares(count, rng)
  local list, sum = {}, 0
  for i = 1, count do
    list[i] = (20 + i) ^ -2.267
    sum = sum + list[i]
  end
  for i = count, 1, -1 do
    local k = rng:integer(1, i)
    list[i], list[k] = list[k], list[i]
  end
  for i = 1, count do list[i] = list[i] * (1 - 0.89) / sum end
  return list
end

local function count_jobs(values, jobs)
  local order, left = {}, jobs
  for i, value in ipairs(values) do
    value.jobs = math.floor(value.share * jobs)
    left = left - value.jobs
    order[i] = { i = i, rest = value.share * jobs - value.jobs }
  end
  table.sort(order, function(a, b)
    if a.rest ~= b.rest then return a.rest > b.rest end
    return a.i < b.i
  end)
  for i = 1, left do values[order[i].i].jobs = values[order[i].i].jobs + 1 end
end

function naive_estimates.values(jobs, options, rng)
  local different = math.max(naive_estimates.different(jobs), 20)
  local head, values = naive_estimates.popular(options.longest), {}
  local tail = tail_times(options.longest, head, different - 20, different)
  local shares, ranks = shares_of_head(options.share), ranks_of_head(rng)
  for place, time in ipairs(head) do
    local share = shares[ranks[place]]
    values[place] = { time = time, share = #tail == 0 and share / 0.89 or share }
  end
  for i, share in ipairs(tail_shares(#tail, rng)) do
    values[20 + i] = { time = tail[i], share = share }
  end
  count_jobs(values, jobs)
  return values
end

function naive_estimates.of(runtimes, options, rng)
  local values = naive_estimates.values(#runtimes, options, rng)
  local left, order, walltimes = {}, {}, {}
  for _, value in ipairs(values) do
    for _ = 1, value.jobs do left[#left + 1] = value.time end
  end
  table.sort(left, function(a, b) return a > b end)
  for i in ipairs(runtimes) do order[i] = i end
  table.sort(order, function(a, b)
    if runtimes[a] ~= runtimes[b] then return runtimes[a] > runtimes[b] end
    return a < b
  end)
  local last = 0 -- estimates long enough for one job are so for those behind it
  for i, job in ipairs(order) do
    last = math.max(last, i - 1)
    while last < #left and left[last + 1] >= runtimes[job] do last = last + 1 end
    if last < i then return nil, values end -- no estimate is left that is as long
    local k = rng:integer(i, last)
    walltimes[job], left[k] = left[k], left[i]
  end
  return walltimes, values
end

return naive_estimates
