-- The generators, and the month that is shipped.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

describe("synthetic sets", function()
  it("have the paper's parameters by default", function()
    local jobs = orrery.synthetic {}
    assert.equal(100, #jobs)
    for _, job in jobs:each() do
      assert.is_true(job.procs >= 50 and job.procs <= 2000 and math.type(job.procs) == "integer")
      assert.is_true(job.time >= 100 and job.time < 20000)
      assert.equal(0, job.submit)
      assert.is_nil(job.walltime)
    end
  end)

  it("are uniform", function()
    local jobs = orrery.synthetic { count = 20000, procs = { 1, 4 }, time = { 10, 20 }, seed = 9 }
    local procs, below = { 0, 0, 0, 0 }, 0
    for _, job in jobs:each() do
      procs[job.procs] = procs[job.procs] + 1
      below = below + (job.time < 12.5 and 1 or 0)
    end
    for p = 1, 4 do assert.near(5000, procs[p], 250) end -- 4 standard deviations
    assert.near(5000, below, 250)
  end)

  it("depend on seed and set, and on the position alone", function()
    local function text(options) return orrery.synthetic(options):csv() end
    assert.equal(text { seed = 3, set = 2 }, text { seed = 3, set = 2 })
    assert.not_equal(text { seed = 3, set = 2 }, text { seed = 3, set = 1 })
    assert.not_equal(text { seed = 3, set = 2 }, text { seed = 2, set = 2 })
    local short, long = text { count = 10 }, text { count = 20 }
    assert.equal(short, long:sub(1, #short))
    assert.equal(text(), text { seed = 1, set = 0, count = 100, procs = { 50, 2000 },
      time = { 100, 20000 } })
  end)

  it("refuse bad options", function()
    for message, options in pairs {
      ["procs must be two numbers, 1 <= first <= second, not 0 and 5"] = { procs = { 0, 5 } },
      ["procs must be two numbers, 1 <= first <= second, not 6 and 5"] = { procs = { 6, 5 } },
      ["time must be two numbers of seconds, 0 <= first <= second, not -1 and 5"] =
        { time = { -1, 5 } },
      ["synthetic: count must be between 0 and 2147483647, it is -1"] = { count = -1 },
      ["synthetic: count must be between 0 and 2147483647, it is 1000000000000000000"] =
        { count = 1000000000000000000 },
      ["count must be from 0 to 100000000, not 100000001"] = { count = 100000001 },
      ["synthetic: procs must be a list of two whole numbers"] = { procs = { 1.5, 2 } },
      ["synthetic: time must be a list of two numbers"] = { time = 5 },
      ["synthetic: unknown option 'proc' (known: count, procs, time, seed, set)"] = { proc = 1 },
    } do
      local ok, found = pcall(function() orrery.synthetic(options) end)
      assert.is_false(ok)
      assert.equal(message, (found:gsub("^[^ ]*spec.lua:%d+: ", "")))
    end
  end)
end)

describe("the month of Mira", function()
  local month = orrery.mira_month { seed = 1 }
  local days = month:days()

  it("has the paper's numbers", function()
    assert.equal(4699, #month)
    assert.equal(30, #days)
    assert.equal("2019-06-01", days[1].day)
    assert.equal("2019-06-30", days[30].day)
    assert.equal(49152, month.machine_procs)
    local fewest, most = math.huge, 0
    for _, day in ipairs(days) do
      fewest, most = math.min(fewest, #day.jobs), math.max(most, #day.jobs)
    end
    assert.same({ 66, 277 }, { fewest, most })
  end)

  it("has Mira's sizes and plausible times", function()
    local sizes = {}
    for _, size in ipairs { 512, 1024, 2048, 4096, 8192, 12288, 16384, 24576, 32768, 49152 } do
      sizes[size] = 0
    end
    local shortest, longest, before = math.huge, 0, 0
    for _, job in month:each() do
      sizes[job.procs] = sizes[job.procs] + 1
      shortest, longest = math.min(shortest, job.time), math.max(longest, job.time)
      assert.equal(0, job.time % 1)
      assert.equal(0, job.walltime % 60)
      assert.is_true(job.time <= job.walltime and job.walltime <= 86520)
      assert.is_true(job.submit >= before)
      before = job.submit
    end
    assert.same({ 37, 86494 }, { shortest, longest })
    for size, count in pairs(sizes) do assert.is_true(count > 0, size) end
  end)

  it("has the paper's number of failures a day", function()
    local function failures(q)
      local sum = 0
      for _, day in ipairs(days) do
        local mean = day.jobs:mean_area()
        for _, job in day.jobs:each() do sum = sum + (1 - q) ^ (-job.area / mean) - 1 end
      end
      return sum / #days
    end
    assert.near(15.29, failures(0.05), 0.03 * 15.29)
    assert.near(254.45, failures(0.1), 0.03 * 254.45)
  end)

  it("has no day that makes most of the failures", function()
    local total, most, ratio = 0, 0, 0
    for _, day in ipairs(days) do
      local mean, sum = day.jobs:mean_area(), 0
      for _, job in day.jobs:each() do
        sum = sum + 0.9 ^ (-job.area / mean) - 1
        ratio = math.max(ratio, job.area / mean)
      end
      total, most = total + sum, math.max(most, sum)
    end
    assert.is_true(ratio > 62 and ratio < 68)
    assert.is_true(most < 0.2 * total)
  end)

  it("has nearly the paper's makespan ratios without failures", function()
    local names = { "greedy", "easy", "conservative", "shelf", "shelf-nofill" }
    local paper = { 1.067, 1.051, 1.051, 1.407, 1.441 }
    local policies = {}
    for i, name in ipairs(names) do policies[i] = "dispatch/" .. name end
    local result = orrery.compare { jobs = month, by = "day", procs = 49152, batch = true,
      policies = policies, priority = "lpt" }
    for i, name in ipairs(names) do
      assert.near(paper[i], result:summary(i).mean, i <= 3 and 0.01 or 0.05, name)
    end
    assert.near(0.088, result:summary(1).sd, 0.01)
    assert.near(1.425, result:summary(1).max, 0.1)
  end)

  it("fills the machine without drowning it", function()
    local total, usual = 0, 0
    for _, day in ipairs(days) do
      local work = #day.jobs * day.jobs:mean_area() / (49152 * 86400)
      assert.is_true(work > 0.2 and work < 1.6)
      usual = usual + (work >= 0.4 and work <= 1.2 and 1 or 0)
      total = total + work
    end
    assert.is_true(total / 30 > 0.75 and total / 30 < 0.9)
    assert.is_true(usual >= 20)
  end)

  it("is the file that is shipped, byte for byte", function()
    local file = assert(io.open("data/mira/sample-2019-06.csv", "rb"))
    local bytes = file:read "a"
    file:close()
    assert.equal(bytes, month:csv "mira")
  end)

  it("can be another month", function()
    local jobs = orrery.mira_month { seed = 7, count = 45, days = 3, first_day = "2020-02-28",
      per_day = { 10, 20 } }
    local found = {}
    for i, day in ipairs(jobs:days()) do found[i] = { day.day, #day.jobs } end
    assert.equal("2020-02-28 2020-02-29 2020-03-01",
      table.concat({ found[1][1], found[2][1], found[3][1] }, " "))
    table.sort(found, function(a, b) return a[2] < b[2] end)
    assert.same({ 10, 15, 20 }, { found[1][2], found[2][2], found[3][2] })
    assert.equal(12, #orrery.mira_month { count = 12, days = 1, per_day = { 0, 20 } })
    assert.not_equal(month:csv(), orrery.mira_month { seed = 2 }:csv())
  end)

  it("has the sum it was asked for, for any seed and shape", function()
    local rng = orrery.random(11)
    for seed = 1, rounds(200, 200, 20) do
      local n, least = rng:integer(2, 9), rng:integer(0, 9)
      local most = rng:integer(least, least + 30)
      local count = rng:integer((n - 1) * least + most, (n - 1) * most + least)
      local jobs = orrery.mira_month { seed = seed, days = n, count = count,
        per_day = { least, most } }
      assert.equal(count, #jobs)
      for _, day in ipairs(jobs:days()) do
        assert.is_true(#day.jobs >= least and #day.jobs <= most)
      end
    end
  end)

  it("refuses bad options", function()
    for message, options in pairs {
      ["count must be from 2191 to 8099 for 30 days of 66 to 277 jobs, not 100"] = { count = 100 },
      ["count must be from 90000 to 100000000 for 36500 days of 0 to 90000 jobs, not 2000000000"] =
        { days = 36500, per_day = { 0, 90000 }, count = 2000000000 },
      ["days must be from 1 to 36500, not 0"] = { days = 0 },
      ["days must be from 1 to 36500, not 36501"] = { days = 36501 },
      ["mira_month: first_day must be a day as YYYY-MM-DD, not June"] = { first_day = "June" },
      ["mira_month: unknown option 'set' (known: seed, count, days, first_day, per_day)"] =
        { set = 1 },
    } do
      local ok, found = pcall(function() orrery.mira_month(options) end)
      assert.is_false(ok)
      assert.equal(message, (found:gsub("^[^ ]*spec.lua:%d+: ", "")))
    end
  end)
end)
