-- The costs of a policy: time and instructions of its calls, and their growth with the queue.
local orrery = require "orrery"
local trials = require "orrery.command.check.trials"
local workloads = require "orrery.command.check.workloads"

local costs = {}

-- --- one workload after the other ---------------------------------------------------------------

local function run(subject, workload)
  if subject.of == "packs" then
    orrery.packs(trials.fields(subject, workload.spec))
  else
    orrery.session(trials.fields(subject, workload.spec)):finish()
  end
end

local function add(sums, list)
  for _, one in ipairs(list) do
    local sum = sums[one.hook]
    if not sum then
      sum = { hook = one.hook, calls = 0, seconds = 0, longest = 0, instructions = 0, most = 0,
        memory = 0 }
      sums[one.hook], sums[#sums + 1] = sum, sum
    end
    for _, key in ipairs { "calls", "seconds", "instructions" } do
      sum[key] = sum[key] + one[key]
    end
    for _, key in ipairs { "longest", "most", "memory" } do
      sum[key] = math.max(sum[key], one[key])
    end
  end
end

-- Per hook: calls, seconds, longest (s), memory, and instructions, most. `list` are workloads.
function costs.of_calls(subject, list)
  local times, counts = {}, {}
  for _, workload in ipairs(list) do
    add(times, orrery.tools.calls("seconds", function() run(subject, workload) end))
    add(counts, orrery.tools.calls("instructions", function() run(subject, workload) end))
  end
  for _, one in ipairs(times) do
    local counted = counts[one.hook] or { instructions = 0, most = 0 }
    one.instructions, one.most = counted.instructions, counted.most
  end
  table.sort(times, function(a, b) return a.hook < b.hook end)
  return times
end

-- --- a long queue -------------------------------------------------------------------------------

local CROWDS = { 50, 100, 200, 400 }

-- The longest call of each hook, for `count` jobs that are submitted at once.
local function longest_calls(subject, given, count)
  local procs = given.procs or 1024
  local spec = { jobs = workloads.crowd(given, count, procs), procs = procs, seed = given.seed }
  local began, sums = os.clock(), {}
  for _, what in ipairs { "instructions", "seconds" } do
    add(sums, orrery.tools.calls(what, function()
      -- the first decisions see the whole queue
      local s = orrery.session(trials.fields(subject, spec))
      for _ = 1, 20 do s:step() end
    end))
  end
  return sums, os.clock() - began
end

-- The power of the number of waiting jobs with which the longest call of a hook grows, and its time
-- for a queue of 5000: a list of { hook =, power =, seconds = }, steepest first.
function costs.growth(subject, given)
  local before, last, ratio
  for _, count in ipairs(CROWDS) do
    local sums, seconds = longest_calls(subject, given, count)
    before, last, ratio = last, sums, count
    if seconds > 2 then break end
  end
  local list = {}
  for _, one in ipairs(last) do
    local earlier = before and before[one.hook]
    if earlier and earlier.most > 0 and one.most > 0 then
      local power = math.max(0, math.log(one.most / earlier.most, 2))
      list[#list + 1] = { hook = one.hook, power = power, jobs = 5000,
        seconds = one.longest * (5000 / ratio) ^ power }
    end
  end
  table.sort(list, function(a, b) return a.seconds > b.seconds end)
  return list
end

-- --- a whole log --------------------------------------------------------------------------------

local COUNT = 1000

local function time(spec)
  local began = os.clock()
  orrery.compare(spec)
  return os.clock() - began
end

-- Jobs per second on a stream of 1000 jobs, and how many times as long that takes as with
-- dispatch/easy; nil where it cannot be run.
function costs.speed(subject, given)
  local procs = given.procs or 1024
  local spec = { jobs = workloads.stream(given, COUNT, procs), procs = procs, seed = given.seed,
    threads = 1, keep = false }
  local ok, mine = pcall(time, trials.fields(subject, spec))
  if not ok then return nil end
  spec.policy = "dispatch/easy"
  local easy = math.huge
  for _ = 1, 3 do easy = math.min(easy, time(spec)) end
  return { jobs = COUNT, seconds = mine, ratio = mine / easy }
end

return costs
