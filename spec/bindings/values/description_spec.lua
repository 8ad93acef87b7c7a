-- jobs:describe and jobs:values: by hand, and against a naive count.
local orrery = require "orrery"
local json = require "dkjson"
local logs = require "spec.support.waited_log"
local rounds = require "spec.support.rounds"
local temporary = require "spec.support.temporary"

local swf, read, BY_HAND, MONDAY = logs.swf, logs.read, logs.BY_HAND, logs.MONDAY

local NAN = 0 / 0

describe("jobs:describe", function()
  it("by hand", function()
    local d = read(swf(BY_HAND, 4, MONDAY)):describe()
    assert.equal(4, d.jobs)
    assert.equal(600, d.area)
    assert.equal(600 / 4 / 7200, d.offered)
    assert.equal(600 / 4 / 7200, d.reached)
    assert.equal("2002-07-29 22:00:00", d.first_date)
    assert.equal(7210, d.ended)
    assert.same({ 5, 110 }, { d.peak, d.peak_at }) -- more than the machine has
    assert.same({ 24, 3, 1 }, { #d.by_hour, d.by_hour[23], d.by_hour[1] })
    assert.same({ 3, 1, 0, 0, 0, 0, 0 }, d.by_weekday)
    assert.same({ 1, 3, 1, 1 }, { d.serial, d.powers_of_two, d.instant, d.overran })
    assert.same({ 1, "4", 1, 10, "3" }, { d.wide, d.first_wide, d.backward, d.back,
      d.most_backward })
    assert.same({ 7150, 50 }, { d.gap, d.gap_from })
    local spreads = {}
    for name, s in pairs(d) do
      if type(s) == "table" and s.known then
        spreads[name] = { s.known, s.least, s.lower_quartile, s.median, s.upper_quartile, s.most }
      end
    end
    assert.same({ width = { 4, 1, 1.75, 3, 4.25, 5 }, runtime = { 4, 0, 37.5, 75, 125, 200 },
      walltime = { 3, 25, 62.5, 100, 250, 400 }, accuracy = { 3, 0.5, 0.75, 1, 1.5, 2 },
      wait = { 4, 0, 7.5, 35, 60, 60 }, interarrival = { 3, 10, 25, 40, 3595, 7150 },
      slowdown = { 4, 1, 1, (1 + 1.3) / 2, 1.3 + (110 / 60 - 1.3) / 4, 110 / 60 },
    }, spreads)
    assert.same({ 3, 4.85 }, { d.width.mean, d.width.high }) -- 95%
    assert.near(1.15, d.width.low, 1e-12) -- 5%
    assert.same({ 3, 0.5, 2 }, { d.accuracy.known, d.accuracy.least, d.accuracy.most })
    assert.equal((0 + 60 + 60 + 10) / 4, d.wait.mean)
    assert.equal((1 + 110 / 60 + 260 / 200 + 1) / 4, d.slowdown.mean)
    assert.same({
      { name = "1", jobs = 2, area = 400, waited = 1, mean_wait = 30, high_wait = 57 },
      { name = "2", jobs = 1, area = 200, waited = 1, mean_wait = 60, high_wait = 60 },
      { name = "3", jobs = 1, area = 0, waited = 1, mean_wait = 10, high_wait = 10 },
    }, d.shares.user)
  end)

  it("leaves out what the log does not tell", function()
    local d = orrery.jobs { { id = "a", submit = 5, procs = 2, runtime = 10 } }:describe()
    for _, name in ipairs { "procs", "offered", "reached", "wait", "walltime", "accuracy",
      "interarrival", "by_weekday", "first_date", "peak_at", "ended" } do
      assert.is_nil(d[name], name)
    end
    assert.equal(0, d.peak)
    assert.equal(0, orrery.jobs({}):describe().jobs)
    assert.equal("no jobs", tostring(orrery.jobs({}):describe()))
    -- a start that is missing could be anywhere
    d = read(swf({ { 0, 0, 10, 1, -1, 1 }, { 5, -1, 10, 1, -1, 1 } }, 4)):describe()
    assert.same({ 1, 0 }, { d.wait.known, d.peak })
    assert.is_nil(d.reached)
  end)

  it("says which columns are not read, and which ones they may be meant for", function()
    assert.equal("columns of the log that are not read: usr (did you mean user?), colour",
      temporary.file("F", "id,procs,runtime,usr,colour\n1,1,1,u,2\n", orrery.read):describe()
      .not_read)
    assert.is_nil(temporary.file("F", "id,procs,runtime\n1,1,1\n", orrery.read):describe().not_read)
  end)

  it("lists what is odd in the log", function()
    local head, told = "id,submit,procs,runtime,walltime\n", {}
    for i, rows in ipairs { "1,0,1,5,9\n", "1,0,1,5,9\n2,5,1,5,0\n3,5,1,9,0\n",
      "1,0,1,4e7,0\n" } do
      local d = temporary.file("F", head .. rows, orrery.read):describe()
      told[i] = table.concat(d.remarks, "; ")
      assert.matches('"remarks":%[' .. (#d.remarks > 0 and '"' or "%]"), (d:json():gsub("%s", "")))
    end
    local zero = "%d x walltime of 0 s (the first in line %d): it counts as not known"
    assert.same({ "", zero:format(2, 3), zero:format(1, 2) .. "; 1 x runtime of more than a year "
      .. "(the first in line 2): it counts in seconds, unless --columns gives it another unit "
      .. "(runtime=COLUMN:ms)" }, told)
  end)

  it("takes whole processors and a time above 0 s", function()
    local jobs = orrery.jobs { { procs = 1, time = 1 } }
    for _, procs in ipairs { 1, 2147483647 } do
      assert.equal(procs, jobs:describe { procs = procs }.procs)
    end
    for _, procs in ipairs { 0, -1, 2147483648, 1.0, 1.5, "1" } do
      local fine, problem = pcall(jobs.describe, jobs, { procs = procs })
      assert.is_false(fine)
      assert.matches(("procs: expected a whole number of processors, found '%s'"):format(procs),
        problem, 1, true)
    end
    assert.equal(1, jobs:describe { tau = 1e-9 }.jobs)
    for _, tau in ipairs { 0, -1, math.huge, "1" } do
      local fine, problem = pcall(jobs.describe, jobs, { tau = tau })
      assert.is_false(fine)
      assert.matches(("tau: expected a time above 0 s, found '%s'"):format(tau), problem, 1, true)
    end
  end)

  it("agrees with a naive count", function()
    local rng = orrery.random(17)
    for _ = 1, rounds(200, 200, 20) do
      local jobs, procs = {}, rng:integer(1, 8)
      for i = 1, rng:integer(1, 12) do
        jobs[i] = { rng:integer(0, 200000), rng:integer(0, 20000), rng:integer(0, 10000),
          rng:integer(1, 9), rng:integer(-1, 9000), rng:integer(1, 3) }
      end
      local begins = rng:integer(0, 2000000000)
      local d = read(swf(jobs, procs, begins)):describe()
      local first, last, area, ran, used = math.huge, 0, 0, 0, 0
      for _, j in ipairs(jobs) do first, last = math.min(first, j[1]), math.max(last, j[1]) end
      local hours, days = {}, {}
      for i, j in ipairs(jobs) do
        local start = j[1] + j[2]
        area = area + j[3] * j[4]
        ran = ran + j[4] * math.max(0, math.min(start + j[3], last) - start)
        local at_once = 0
        for _, other in ipairs(jobs) do
          local from = other[1] + other[2]
          if from <= start and start < from + other[3] then at_once = at_once + other[4] end
        end
        used = math.max(used, at_once)
        local hour = os.date("!*t", begins + j[1])
        hours[hour.hour] = (hours[hour.hour] or 0) + 1
        days[(hour.wday + 5) % 7] = (days[(hour.wday + 5) % 7] or 0) + 1
        if i == #jobs then break end
      end
      assert.equal(area, d.area)
      assert.equal(used, d.peak)
      if last > first then
        assert.equal(area / procs / (last - first), d.offered)
        assert.equal(ran / procs / (last - first), d.reached)
      end
      for hour = 0, 23 do assert.equal(hours[hour] or 0, d.by_hour[hour + 1]) end
      for day = 0, 6 do assert.equal(days[day] or 0, d.by_weekday[day + 1]) end
    end
  end)

  it("knows only a machine that can be", function()
    local jobs = orrery.jobs { { id = "a", submit = 5, procs = 2, runtime = 10 } }
    for _, bad in ipairs { 0, -1, 1.5, "4" } do
      assert.error_matches(function() jobs:describe { procs = bad } end,
        "describe: procs: expected a whole number of processors")
    end
    assert.error_matches(function() jobs:describe { tau = 0 } end, "describe: tau: expected")
    assert.error_matches(function() jobs:describe { proc = 1 } end, "unknown field 'proc'")
  end)

  it("as CSV and JSON has the same numbers", function()
    local d = read(swf(BY_HAND, 4, MONDAY)):describe()
    local parsed = json.decode(d:json())
    assert.same({ d.offered, d.wait.high, d.by_hour, "3" },
      { parsed.offered, parsed.wait.high, parsed.by_hour, parsed.shares.user[3].name })
    assert.truthy(d:csv():find("\nwait,median,35\n", 1, true))
    assert.truthy(d:csv():find("\nuser 1,area,400\n", 1, true))
  end)
end)

describe("jobs:values", function()
  it("gives what the log tells", function()
    local log = read(swf(BY_HAND, 4))
    assert.same({ 0, 60, 60, 10 }, log:values "wait")
    assert.same({ 100, 50, 200, 0 }, log:values "runtime")
    assert.same({ 1, 2, 0.5 }, { table.unpack(log:values "accuracy", 1, 3) })
    assert.not_equal(log:values("accuracy")[4], log:values("accuracy")[4])
    assert.equal(60, log[2].wait)
    assert.error_matches(function() log:values "speed" end, "invalid option 'speed'")
    assert.equal(tostring(NAN):gsub("-", ""),
      (tostring(orrery.jobs { { id = "a", submit = 5, procs = 2, runtime = 10 } }
        :values("wait")[1]):gsub("-", "")))
    local paid = orrery.jobs { { procs = 1, runtime = 5 }, { procs = 1, runtime = 5, recovery = 2,
      checkpoint = 0.5 }, { procs = 1, runtime = 5, recovery = 7 } }
    local checkpoints, recoveries = paid:values "checkpoint", paid:values "recovery"
    assert.same({ 0.5, 2, 7 }, { checkpoints[2], recoveries[2], recoveries[3] })
    for _, one in ipairs { checkpoints[1], checkpoints[3], recoveries[1] } do
      assert.is_true(one ~= one)
    end
    for name in pairs(paid[2]) do -- whatever is a number of a job
      if math.type(paid[2][name]) and name ~= "time" then assert.equal(3, #paid:values(name)) end
    end
  end)
end)

describe("waits of jobs", function()
  it("are taken from tables, also from those of other jobs", function()
    local jobs = orrery.jobs { { procs = 1, runtime = 5, wait = 7.5 }, { procs = 1, runtime = 5 } }
    assert.same({ 7.5, nil }, { jobs[1].wait, jobs[2].wait })
    assert.equal(7.5, orrery.jobs({ jobs[2], jobs[1] })[2].wait)
    for _, bad in ipairs { -1, math.huge } do
      assert.error_matches(function() orrery.jobs { { procs = 1, runtime = 5, wait = bad } } end,
        "jobs: job 1: a wait must be a number of seconds >= 0, not ")
    end
  end)
end)
