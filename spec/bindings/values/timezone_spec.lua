-- Dates are by the clocks of one zone wherever they are given or printed.
local orrery = require "orrery"
local axis = require "orrery.draw.axis"
local model = require "orrery.draw.model"
local program = require "spec.support.program"

-- By hand: the instants at which clocks are changed, in s since 1970, what they show then, and
-- after that. Berlin: 1:00 UTC on 2024-03-31 and 2024-10-27; Chicago: 2:00 of its own clocks, 8:00
-- and 7:00 UTC, on 2024-03-10 and 2024-11-03.
local CHANGES = {
  { "Europe/Berlin", 1711846800, "2024-03-31 01:59:59", "2024-03-31 03:00:00", 1 },
  { "Europe/Berlin", 1729990800, "2024-10-27 02:59:59", "2024-10-27 02:00:00", -1 },
  { "America/Chicago", 1710057600, "2024-03-10 01:59:59", "2024-03-10 03:00:00", 1 },
  { "America/Chicago", 1730617200, "2024-11-03 01:59:59", "2024-11-03 01:00:00", -1 },
}

-- Jobs of an hour on one processor, submitted so many hours after the first, which is 12 h before
-- the change.
local function log_of(change, hours)
  local lines = { ("; UnixStartTime: %d\n; MaxProcs: 4"):format(change[2] - 12 * 3600) }
  for i, hour in ipairs(hours) do
    lines[i + 1] = ("%d %d 0 3600 1 -1 -1 1 3600 -1 1 1 1 1 1 1 -1 -1"):format(i, hour * 3600)
  end
  local path = os.tmpname() .. ".swf"
  local file = assert(io.open(path, "w"))
  file:write(table.concat(lines, "\n"), "\n")
  file:close()
  return path
end

describe("a time zone", function()
  for _, change in ipairs(CHANGES) do
    local zone, at = change[1], 12 * 3600
    it(("has the dates of jobs, sessions and axes: %s, %s"):format(zone, change[3]), function()
      local path = log_of(change, { 0, 11, 12, 13, 40 })
      local jobs = orrery.read(path, { timezone = zone })
      assert.equal(zone, jobs.zone)
      assert.same({ change[3], change[4] }, { jobs:date(at - 1), jobs:date(at) })
      assert.equal(at, change[5] > 0 and jobs:seconds(change[4])
        or jobs:seconds(change[4]) + 3600) -- the first of two
      if change[5] > 0 then -- 2:30 is skipped: the instant of the skip
        assert.equal(at, jobs:seconds((change[4]:gsub("03:00", "02:30"))))
      end
      local s = orrery.session { jobs = jobs }
      s:run_until(change[4]:sub(1, 10) .. " 12:00")
      assert.equal(change[4]:sub(1, 10) .. " 12:00:00", s:clock())
      local noon = 12 - tonumber(change[4]:match " (%d%d)")
      assert.equal(at + noon * 3600, s.now)
      assert.matches(change[4]:sub(1, 10) .. " 12:00:00", tostring(s), 1, true)
      local ticks, title = axis.times(at - 7200, at + 7200, 20, model.of(s, {}).clock, zone)
      local hours = {}
      for _, tick in ipairs(ticks) do
        if tick[1] % 3600 == 0 then hours[#hours + 1] = tick[2]:sub(1, 2) end
      end
      local shown = {}
      for hour = -2, 2 do shown[hour + 3] = jobs:date(at + hour * 3600):sub(12, 13) end
      assert.equal((table.concat(shown, " "):gsub("^00", change[4]:sub(9, 9) == "0"
        and change[4]:sub(10, 10) .. " " or change[4]:sub(9, 10))), table.concat(hours, " "))
      assert.equal(("Time (%s, 2024)"):format(zone), title)
      s:finish()
      local hour = change[4]:sub(12, 13) + 0
      assert.equal(jobs:date(at), s:schedule()[3] and s:clock(s:schedule()[3].start))
      assert.is_true(jobs:describe().by_hour[hour + 1] >= 1)
      os.remove(path)
    end)
  end

  it("says which day a job was submitted on, and cuts days and windows", function()
    local path = log_of(CHANGES[2], { 0, 7.5, 8.5, 12, 33.5, 34.5 }) -- the first at 15:00 local
    local function run(line) return program.run(".", line:format(path)) end
    for _, given in ipairs { { "UTC", 3, 3 }, { "Europe/Berlin", 3, 2 },
      { "America/Chicago", 4, 2 } } do
      for day = 26, 27 do
        local _, out = run(("replay %%s --policy easy --day 2024-10-%d --timezone %s"):format(day,
          given[1]))
        assert.matches("^" .. given[day - 24] .. " jobs", out)
      end
    end
    -- Berlin: 15:00, 22:30, 23:30 on the 26th; 2:00, 23:30 on the 27th, of 25 hours; 0:30
    local jobs = orrery.read(path, { timezone = "Europe/Berlin" })
    local days = {}
    for i, day in ipairs(jobs:days()) do days[i] = day.day .. " " .. #day.jobs end
    assert.same({ "2024-10-26 3", "2024-10-27 2", "2024-10-28 1" }, days)
    -- By hand: job 4 comes 12 h after the first, at the change; 3:00 is an hour later.
    local file = os.tmpname()
    local function starts(text, options)
      local out = assert(io.open(file, "w"))
      out:write(text)
      out:close()
      options.jobs, options.procs, options.policy = jobs, 1, "easy"
      local s = orrery.session(options)
      s:finish()
      local attempts = s:schedule()
      for _, attempt in ipairs(attempts) do
        if attempt.id == "4" then return attempt.start / 3600, s:clock(attempt.start) end
      end
    end
    assert.same({ 13, "2024-10-27 03:00:00" },
      { starts("from,to,procs\n2024-10-27 00:35,2024-10-27 03:00,1\n", { maintenance = file }) })
    assert.same({ 13, "2024-10-27 03:00:00" },
      { starts("node,from,to\n0,2024-10-27 02:30,2024-10-27 03:00\n",
        { node_failures = { outages = file } }) })
    os.remove(file)
    -- dates of commands, files and pictures
    local csv, picture = os.tmpname(), os.tmpname() .. ".svg"
    local _, out = run("replay %s --policy easy --timezone Europe/Berlin --from '2024-10-26 23:00' "
      .. "--to 2024-10-28 --schedule " .. csv .. " --gantt " .. picture)
    assert.matches("^3 jobs", out)
    assert.matches("2024-10-27 02:00:00,2024-10-27 02:00:00,2024-10-27 03:00:00",
      io.open(csv):read "a", 1, true)
    assert.matches("Time (Europe/Berlin, 2024)", io.open(picture):read "a", 1, true)
    for _, name in ipairs { path, csv, picture } do os.remove(name) end
  end)

  it("of a session is that of its jobs, or another; local times need the reader's", function()
    local path = log_of(CHANGES[2], { 0, 12 })
    local jobs = orrery.read(path)
    assert.equal("UTC", jobs.zone)
    local s = orrery.session { jobs = jobs, timezone = "Europe/Berlin" }
    assert.equal("2024-10-26 15:00:00", s:clock())
    assert.equal("2024-10-26 13:00:00", orrery.session { jobs = jobs }:clock())
    local berlin = orrery.read(path, { timezone = "Europe/Berlin" })
    local policy = { dispatch = function(sim)
      for job in sim:waiting() do
        if sim:hour() ~= 15 and sim:hour() ~= 2 then error("it is " .. sim:hour()) end
        sim:start(job)
      end
    end }
    orrery.session { jobs = berlin, policy = policy, procs = 4 }:finish()
    assert.error_matches(function()
      orrery.session { jobs = jobs, policy = policy, procs = 4 }:finish()
    end, "it is 13")
    assert.equal("2024-10-26 13:00:00", orrery.session { jobs = berlin, timezone = "UTC" }:clock())
    assert.equal("2024-10-26 15:00:00",
      orrery.session { jobs = path, timezone = "Europe/Berlin" }:clock())
    os.remove(path)
    assert.error_matches(function()
      orrery.session { jobs = orrery.read "spec/fixtures/dumps/sacct-hour.txt", procs = 9,
        timezone = "Europe/Berlin" }
    end, "timezone: the dates of these jobs are local times of a dump that was read without it")
  end)
end)
