-- Two policies on one log, week by week.
local orrery = require "orrery"

local WEEK = 168 * 3600

local function log(seed, weeks)
  local rng, list = orrery.random(seed), {}
  for i = 1, 60 * weeks do
    list[i] = {
      submit = 1000 + rng:uniform(0, weeks * WEEK), procs = rng:integer(1, 20),
      time = rng:exponential(8000), walltime = 30000,
    }
  end
  return orrery.jobs(list)
end

describe("result:weekly_differences", function()
  it("are those of the pairs, significant after Holm's correction", function()
    local marks = {}
    for _, seed in ipairs { 4, 6, 8 } do
      local result = orrery.compare { jobs = log(seed, 26), procs = 20, walltimes = "log",
        policies = { "easy", "fcfs", "greedy", "conservative", "easy-sjf", "shelf" } }
      local list, single, corrected = result:weekly_differences "wait_mean", "", ""
      for i = 2, 6 do
        local alone, first = result:weekly(1, i, "wait_mean"),
          result:weekly(1, i, "wait_mean", { level = 0.99 }).significant
        assert.same({ alone.mean, alone.low, alone.high },
          { list[i].mean, list[i].low, list[i].high })
        assert.is_true(list[i].significant or not first) -- the first step of Holm's, 0.05 / 5
        single = single .. (alone.significant and "*" or ".")
        corrected = corrected .. (list[i].significant and "*" or ".")
      end
      marks[#marks + 1] = single .. " " .. corrected
    end
    assert.same({ "**..* ....*", ".*..* .*..*", "**..* **..*" }, marks)
  end)
end)

describe("result:weekly", function()
  local function check(n)
    local jobs = log(3, n)
    for _, more in ipairs { {}, { warmup = WEEK / 2, cooldown = 3e5 } } do
      more.jobs, more.procs, more.walltimes = jobs, 20, "log"
      more.policies = { "fcfs", "easy" }
      local result = orrery.compare(more)
      for _, what in ipairs { "bsld", "wait", "flow" } do
        local a, b = result:jobs("fcfs", what), result:jobs("easy", what)
        local sums, counts, from, last = {}, {}, math.huge, 0
        for _, job in ipairs(jobs) do
          from, last = math.min(from, job.submit), math.max(last, job.submit)
        end
        from, last = from + (more.warmup or 0), last - (more.cooldown or 0)
        local first = math.huge
        for _, job in ipairs(jobs) do
          if job.submit >= from then first = math.min(first, job.submit) end
        end
        for i, job in ipairs(jobs) do
          if job.submit >= from and job.submit <= last then
            local week = (job.submit - first) // WEEK
            sums[week] = (sums[week] or 0) + b[i] - a[i]
            counts[week] = (counts[week] or 0) + 1
          end
        end
        local weekly = result:weekly(1, 2, what .. "_mean", { level = 0.9 })
        local list, weights, means, lower = {}, {}, {}, 0
        for week = 0, n do
          if sums[week] then
            list[#list + 1], weights[#list + 1] = sums[week], counts[week]
            means[#list] = sums[week] / counts[week]
            if means[#list] < 0 then lower = lower + 1 end
          end
        end
        local found = orrery.series_mean(list, weights, 0.9)
        local told = found.low == found.low
        assert.equal(#list >= 8, told)
        table.sort(means)
        assert.near(result:difference(1, 2, what .. "_mean").mean, weekly.mean, 1e-8)
        assert.same({ #list, lower, found.significant },
          { weekly.count, weekly.lower, weekly.significant })
        for key, value in pairs { mean = found.mean, sd = found.sd, low = found.low,
          high = found.high, least = means[1], median = orrery.quantiles(means, { 0.5 })[1],
          most = means[#means] } do
          if value == value then
            assert.near(value, weekly[key], 1e-9 * math.abs(value))
          else
            assert.is_nil(weekly[key])
          end
        end
        if told then assert.is_true(weekly.low < weekly.mean and weekly.mean < weekly.high) end
      end
    end
  end

  it("is the weeks themselves where they are few", function() check(7) end)

  it("is that of blocks in order of time, worked out from the jobs", function()
    check(12)
    check(31)
  end)

  it("finds no difference where there is none", function()
    local result = orrery.compare { jobs = log(5, 12), procs = 20,
      policies = { "easy", { policy = "list", options = { reservations = 1 }, name = "same" } } }
    local weekly = result:weekly(1, "same")
    assert.same({ 0, 0, 0, false },
      { weekly.mean, weekly.low, weekly.high, weekly.significant })
  end)

  it("is of some jobs as if only these were counted, and of some of the counted ones", function()
    local jobs, some = log(7, 12), {}
    for i = 1, #jobs, 3 do some[#some + 1] = i end
    local spec = { procs = 20, policies = { "easy", "fcfs" }, walltimes = "log" }
    local function result_of(f)
      spec.jobs = jobs:counting(function(job) return f(tonumber(job.id)) end)
      return orrery.compare(spec)
    end
    local every, third = result_of(function() return true end),
      result_of(function(i) return i % 3 == 1 end)
    local even, sixth = result_of(function(i) return i % 2 == 0 end),
      result_of(function(i) return i % 3 == 1 and i % 2 == 0 end)
    assert.same(third:weekly(1, 2, "wait_mean"), every:weekly(1, 2, "wait_mean", { jobs = some }))
    assert.same(sixth:weekly(1, 2, "wait_mean"), even:weekly(1, 2, "wait_mean", { jobs = some }))
    assert.is_true(third:weekly(1, 2).mean ~= every:weekly(1, 2).mean)
    assert.has_error(function() every:weekly(1, 2, "wait_mean", { jobs = { #jobs + 1 } }) end)
    assert.equal(0, even:weekly(1, 2, "wait_mean", { jobs = { 1 } }).count)
  end)

  it("refuses what has no jobs, or is no mean over them", function()
    local result = orrery.compare { jobs = log(5, 2), procs = 20, policies = { "easy", "fcfs" } }
    assert.has_error(function() result:weekly(1, 2, "makespan") end,
      "weekly: expected bsld_mean, wait_mean or flow_mean, found 'makespan'")
    assert.has_error(function() result:weekly(1, 2, "wait_mean", { seed = 1 }) end,
      "weekly: unknown field 'seed' (known: jobs, level)")
  end)
end)
