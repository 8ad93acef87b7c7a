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

describe("result:weekly", function()
  it("is the bootstrap of the weeks' sums of differences, worked out from the jobs", function()
    local jobs = log(3, 6)
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
        local weekly = result:weekly(1, 2, what .. "_mean", { seed = 4 })
        local weeks, sum, count = 0, 0, 0
        for week, s in pairs(sums) do
          weeks, sum, count = weeks + 1, sum + s, count + counts[week]
        end
        assert.equal(weeks, weekly.count)
        assert.near(sum / count, weekly.mean, 1e-9)
        assert.near(result:difference(1, 2, what .. "_mean").mean, weekly.mean, 1e-8)
        assert.is_true(weekly.low <= weekly.mean and weekly.mean <= weekly.high)
      end
    end
  end)

  it("finds no difference where there is none", function()
    local result = orrery.compare { jobs = log(5, 4), procs = 20,
      policies = { "easy", { policy = "list", options = { reservations = 1 }, name = "same" } } }
    local weekly = result:weekly(1, "same")
    assert.same({ 0, 0, 0, false },
      { weekly.mean, weekly.low, weekly.high, weekly.significant })
  end)

  it("refuses what has no jobs, or is no mean over them", function()
    local result = orrery.compare { jobs = log(5, 2), procs = 20, policies = { "easy", "fcfs" } }
    assert.has_error(function() result:weekly(1, 2, "makespan") end,
      "weekly: expected bsld_mean, wait_mean or flow_mean, found 'makespan'")
  end)
end)
