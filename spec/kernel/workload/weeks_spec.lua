-- Weeks of a log: how busy they were, and which jobs are theirs.
local orrery = require "orrery"
local temporary = require "spec.support.temporary"
local rounds = require "spec.support.rounds"

local function fails(use, message)
  local ok, found = pcall(use)
  assert.is_false(ok)
  assert.equal(message, (tostring(found):gsub("^[^ ]*spec.lua:%d+: ", "")))
end

local function read(text) return temporary.file("FILE", text, orrery.read) end

local function ids(jobs)
  local list = {}
  for i, job in jobs:each() do list[i] = job.id end
  return table.concat(list, " ")
end

-- A line of SWF: id, submission, wait, runtime, processors.
local function line(id, submit, wait, run, procs)
  return ("%d %s %s %s %d -1 -1 %d -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"):format(id, submit, wait, run,
    procs, procs)
end

describe("weeks", function()
  -- Blocks of an hour from 100 s on: 100-3700, 3700-7300, 7300-10900; 4 processors, 14400
  -- processor-seconds each.
  local log = read("; MaxProcs: 4\n; UnixStartTime: 0\n"
    .. line(1, 100, 0, 3600, 2)     -- 7200 in the first
    .. line(2, 200, 3000, 1500, 1)  -- 3200-4700: 500 in the first, 1000 in the second
    .. line(3, 3699, 3602, 100, 4)  -- 7301-7401: 400 in the third, submitted in the first
    .. line(4, 3700, 0, 7200, 1)    -- 3600 in the second and the third
    .. line(5, 7300, -1, 90000, 1)) -- from its submission on: 3600 in the third

  it("by the work that ran, worked by hand", function()
    local weeks, by, most = log:weeks { hours = 1 }
    assert.equal("ran", by)
    assert.equal(3, #weeks)
    assert.same({ 7700 / 14400, 4600 / 14400, 7600 / 14400 },
      { weeks[1].utilisation, weeks[2].utilisation, weeks[3].utilisation })
    assert.equal(7700 / 14400, most)
    assert.same({ "1 2 3", "4", "5" },
      { ids(weeks[1].jobs), ids(weeks[2].jobs), ids(weeks[3].jobs) })
    assert.same({ 1, 100, 3700, "1970-01-01 00:01:40" },
      { weeks[1].week, weeks[1].from, weeks[1].to, weeks[1].date })
    assert.same({ 3, 7300, 10900 }, { weeks[3].week, weeks[3].from, weeks[3].to })
    assert.equal(4, weeks[3].jobs.machine_procs)
  end)

  it("by the work that was submitted, worked by hand", function()
    local weeks, by = log:weeks { hours = 1, by = "submitted", procs = 8 }
    assert.equal("submitted", by)
    assert.same({ 9100 / 28800, 7200 / 28800, 90000 / 28800 },
      { weeks[1].utilisation, weeks[2].utilisation, weeks[3].utilisation })
  end)

  it("that are busy enough, the bound included", function()
    local weeks, _, most = log:weeks { hours = 1, utilisation = 7600 / 14400 }
    assert.same({ 1, 3 }, { weeks[1].week, weeks[2].week })
    assert.equal(2, #weeks)
    assert.equal(0, #log:weeks { hours = 1, utilisation = most + 1e-9 })
    assert.equal(1, #log:weeks()) -- 168 hours
  end)

  it("are those of a log that is given by its path, too", function()
    local weeks, by = orrery.weeks("spec/fixtures/workload/small.swf", { hours = 24 })
    assert.same({ 2, "ran", "1 3", "6" },
      { #weeks, by, ids(weeks[1].jobs), ids(weeks[2].jobs) })
    assert.equal(3, #orrery.weeks(log, { hours = 1 }))
  end)

  it("are by submissions where no start is known, also after another load", function()
    local plain = orrery.jobs { { procs = 1, time = 10 }, { procs = 1, time = 10, submit = 1e6 } }
    local weeks, by = plain:weeks { procs = 1 }
    assert.equal("submitted", by)
    assert.equal(2, #weeks)
    assert.is_nil(weeks[1].date)
    assert.equal("submitted", (select(2, log:load(2):weeks())))
    assert.equal("ran", (select(2, log:filter(function() return true end):weeks())))
  end)

  it("divide the jobs and the work among them", function()
    local rng = orrery.random(4)
    for _ = 1, rounds(60, 60, 20) do
      local text, area, last = { "; MaxProcs: 50\n" }, 0, 0
      local n, hours = rng:integer(1, 60), rng:uniform(0.01, 3)
      for i = 1, n do
        local submit, wait, run = rng:integer(0, 40000), rng:integer(0, 9000), rng:integer(0, 9000)
        local procs = rng:integer(1, 50)
        text[#text + 1] = line(i, submit, wait, run, procs)
        area, last = area + run * procs, math.max(last, submit)
      end
      local jobs = read(table.concat(text))
      local submitted, seen, sum = jobs:weeks { hours = hours, by = "submitted" }, 0, 0
      for k, week in ipairs(submitted) do
        assert.equal(k, week.week)
        for _, job in week.jobs:each() do
          assert.is_true(job.submit >= week.from - 1e-6 and job.submit <= week.to + 1e-6)
        end
        seen, sum = seen + #week.jobs, sum + week.utilisation
      end
      assert.equal(n, seen)
      assert.near(area, sum * 50 * hours * 3600, 1e-6 * (1 + area))
      -- In blocks that go on past the last end all work runs; one block has the rest otherwise.
      local whole = jobs:weeks { hours = 20 }
      assert.equal(1, #whole)
      assert.near(area, whole[1].utilisation * 50 * 72000, 1e-6 * (1 + area))
      local ran = 0
      for _, week in ipairs(jobs:weeks { hours = hours }) do ran = ran + week.utilisation end
      assert.is_true(ran * 50 * hours * 3600 <= area * (1 + 1e-9) + 1e-6)
    end
  end)

  it("refuse what they cannot be", function()
    fails(function() log:weeks { hours = 0 } end, "a week must be longer than 0 s, not 0 s")
    fails(function() log:weeks { hours = 1e-12 } end, "2e+12 weeks of 3.6e-09 s are more than "
      .. "10000000")
    fails(function()
      orrery.jobs({ { procs = 1, time = 1, submit = 1e15 } }):weeks { procs = 1, hours = 1e-5 }
    end, "weeks of 0.036 s cannot be told apart at submissions as late as 1e+15 s")
    fails(function() log:weeks { procs = 0.5 } end,
      "weeks: procs must be a whole number, it is 0.5")
    fails(function() log:weeks { by = "both" } end,
      'weeks: by must be one of ran, submitted, it is "both"')
    fails(function() log:weeks { util = 1 } end,
      "weeks: unknown option 'util' (known: by, hours, procs, utilisation)")
    fails(function() log:weeks { utilisation = "x" } end,
      'weeks: utilisation must be a number, it is "x"')
    fails(function() log:weeks { utilisation = 0 / 0 } end,
      "weeks: utilisation must be a number, it is " .. tostring(0 / 0))
    fails(function() orrery.jobs({ { procs = 1, time = 1 } }):weeks() end,
      "weeks: the log does not say how large the machine is; give procs")
    fails(function() orrery.jobs({}):weeks { procs = 1 } end, "there are no weeks without jobs")
  end)
end)
