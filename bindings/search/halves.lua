-- halves: where the winner of a search wins and where it loses: its differences from a baseline on
-- the testing samples with less and with more load, width, length, number of jobs, and probability
-- of failures; of tasks with smaller and larger ones, and with less and with more different ones.
local core = require "orrery.core"
local workloads = require "orrery.search.workloads"
local lists = require "orrery.support.lists"

local statistics = core.values

local FEWEST = 6 -- samples, so that a half has some

local function total(list)
  local sum = 0
  for _, value in ipairs(list) do sum = sum + value end
  return sum
end

local function mean(list) return total(list) / #list end

-- The properties of the jobs of a sample. The load is the machine's load between the first and the
-- last submission; nil if all jobs come at once.
local ABOUT = {
  { "load", "", function(jobs, procs)
    local ends = statistics.quantiles(jobs:values "submit", { 0, 1 })
    local span = ends[2] - ends[1]
    return span > 0 and total(jobs:values "area") / (span * procs) or nil
  end },
  { "width", "processors", function(jobs) return mean(jobs:values "procs") end },
  { "runtime", "s", function(jobs) return mean(jobs:values "runtime") end },
  { "jobs", "jobs", function(jobs) return #jobs end },
  { "q", "", function(jobs, _, errors) -- of mean_probability it is the same everywhere
    if type(errors) ~= "table" or not errors.rate then return nil end
    local list = jobs:values "area"
    for i, area in ipairs(list) do list[i] = 1 - math.exp(-errors.rate * area) end
    return mean(list)
  end },
}

local function sequential_of(tasks)
  return lists.fields(tasks, "sequential")
end

-- The properties of the tasks of a sample.
local ABOUT_TASKS = {
  { "length", "s", function(tasks) return mean(sequential_of(tasks)) end },
  { "spread", "", function(tasks)
    local summary = statistics.summary(sequential_of(tasks))
    return summary.sd / summary.mean
  end },
}

local function summary_of(part, list)
  local summary = workloads.summary({ by = nil, name = part.name }, list)
  return { samples = #list, mean = summary.mean, half_width = summary.half_width }
end

-- The differences of the samples up to the median of `values`, and of the samples above it; nil: a
-- half has fewer than two samples.
local function split(part, values, differences)
  local at = statistics.quantiles(values, { 0.5 })[1]
  local low, high = {}, {}
  for i, value in ipairs(values) do
    local half = value <= at and low or high
    half[#half + 1] = differences[i]
  end
  if #low < 2 or #high < 2 then return nil end
  return { at = at, low = summary_of(part, low), high = summary_of(part, high) }
end

-- A list of { of = "load", unit =, at = the median, low = { samples =, mean =, half_width = } of
-- the differences of samples up to it, high = of the others }.
return function(part, differences)
  local list = {}
  if #part.sets < FEWEST then return list end
  for _, about in ipairs(part.of_tasks and ABOUT_TASKS or ABOUT) do
    local values = lists.map(part.sets, function(set)
      return about[3](set.jobs or set.tasks, part.fields.procs, part.errors)
    end)
    local half = #values == #part.sets and split(part, values, differences)
    if half then
      half.of, half.unit = about[1], about[2]
      list[#list + 1] = half
    end
  end
  return list
end
