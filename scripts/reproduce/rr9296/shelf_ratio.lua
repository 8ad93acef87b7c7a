-- shelf_ratio: expected makespans on the jobs of proposition 3, without simulation.
--
-- P jobs of one processor run on P processors; job j takes scale / j seconds, and an attempt fails
-- with the probability 1 - exp(-rate * scale / j). R-SHELF is determined: shelf i holds the jobs
-- that have failed i - 1 times, and lasts as long as the longest of them. The optimum starts every
-- attempt at the end of the one before.
local shelf_ratio = {}

local TINY = 1e-18 -- probabilities and shares of a sum that are left out

local function jobs_of(procs, scale, rate)
  local times, fails = {}, {}
  for j = 1, procs do
    times[j] = scale / j
    fails[j] = 1 - math.exp(-rate * times[j])
  end
  return times, fails
end

-- The sum over shelves of the expected length of the longest job on the shelf, 0 for an empty one.
local function shelves(times, fails)
  local sum, power = 0, {} -- power: of each job the probability that it is on the shelf
  for j in ipairs(times) do power[j] = 1 end
  repeat
    local length, none = 0, 1 -- none: the probability that no longer job is there
    for j, time in ipairs(times) do
      length, none = length + time * power[j] * none, none * (1 - power[j])
      power[j] = power[j] * fails[j]
    end
    sum = sum + length
  until length <= TINY * sum
  return sum
end

-- The ends of all attempts of one job that matter: { end, the probability that it fails }.
local function add_attempts(list, j, time, fails)
  local power, attempt = fails, 1
  repeat
    list[#list + 1] = { attempt * time, j, power }
    power, attempt = power * fails, attempt + 1
  until power <= TINY
end

-- The integral over x of the probability that some job has not succeeded by x.
local function optimum(times, fails)
  local list, failed = {}, {}
  for j, time in ipairs(times) do add_attempts(list, j, time, fails[j]) end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  for j in ipairs(times) do failed[j] = 1 end
  local sum, last, unfinished = 0, 0, 1
  for _, one in ipairs(list) do
    sum, last, failed[one[2]] = sum + (one[1] - last) * unfinished, one[1], one[3]
    unfinished = 0
    for j = 1, #times do unfinished = unfinished + (1 - unfinished) * failed[j] end
  end
  return sum
end

function shelf_ratio.expected(procs, scale, rate)
  local times, fails = jobs_of(procs, scale, rate)
  return shelves(times, fails), optimum(times, fails)
end

-- The first over the second.
function shelf_ratio.of(procs, scale, rate)
  local shelf, optimal = shelf_ratio.expected(procs, scale, rate)
  return shelf / optimal
end

return shelf_ratio
