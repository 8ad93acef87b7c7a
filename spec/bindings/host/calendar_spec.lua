-- The calendar of policies: sim:hour and others against the program `date`, hour by hour and by
-- quarters of an hour; the manual's policy on logs that begin in the morning; what is refused.
local orrery = require "orrery"
local logs = require "spec.support.logs"
local rounds = require "spec.support.rounds"

-- Changes at midnight, by half an hour, and many in a year (Ramadan) are among them.
local ZONES = {
  "Europe/Stockholm", "America/Chicago", "Australia/Lord_Howe", "America/Santiago",
  "Africa/Casablanca",
}
local QUARTER = 900

-- What `date` shows from `first` on every `step` seconds: list of { day = "2002-03-31", hour =,
-- weekday =, minutes = (of the clock, since its day began), number = (of the day in the list) }.
local function shown(zone, first, step, count)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  for i = 0, count - 1 do file:write("@", first + i * step, "\n") end
  file:close()
  local list, number, last = {}, 0, nil
  local output = assert(io.popen(("TZ=%s LC_ALL=C date -f %s '+%%Y-%%m-%%d %%H %%M %%u'"):format(
    zone, name)))
  for line in output:lines() do
    local day, hour, minute, weekday = line:match "^(%S+) (%d+) (%d+) (%d)$"
    if not last or day > last then number, last = number + 1, day end
    list[#list + 1] = {
      day = day, hour = tonumber(hour), weekday = tonumber(weekday),
      minutes = tonumber(hour) * 60 + tonumber(minute), number = number,
    }
  end
  output:close()
  os.remove(name)
  assert(#list == count)
  return list
end

-- Runs ask(sim) in a hook, in a workload whose clock begins at `first` seconds of 1970 (UTC).
local function inside(zone, first, ask)
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write(("; UnixStartTime: %d\n; MaxProcs: 1\n"):format(first),
    "1 0 0 1 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n")
  file:close()
  local jobs = orrery.read(path)
  os.remove(path)
  orrery.session {
    jobs = jobs, procs = 1, timezone = zone,
    policy = { dispatch = { discipline = "fcfs" }, on_submit = function(sim) ask(sim) end },
  }:finish()
end

-- The first second of a year, since 1970 (UTC).
local function first_of(year)
  local before = year - 1
  return (365 * (year - 1970) + before // 4 - before // 100 + before // 400 - 477) * 86400
end

-- The first quarter from number i on at which the clocks show so many minutes for the first time
-- that day, or have just skipped them; by what `date` shows.
local function next_time(list, i, minutes)
  local function local_time(one) return one.number * 1440 + one.minutes end
  local latest = -math.huge -- that was shown before; a day back is enough
  for k = math.max(1, i - 110), #list do
    local time = local_time(list[k])
    for number = list[k].number - 1, list[k].number do
      local wanted = number * 1440 + minutes
      if k >= i and k > 1 and latest < wanted and wanted <= time then return k end
    end
    latest = math.max(latest, time)
  end
end

local ALL = rounds(4, 1, 1) == 4 -- without it all of 2043 in one zone, and of 2002 in another

describe("the calendar of policies", function()
  for place, zone in ipairs(ZONES) do
    -- 2043 is behind the changes of the database's table.
    local years = ALL and { 2002, 2043 } or place == 1 and { 2043 } or place == 2 and { 2002 } or {}
    for _, year in ipairs(years) do
      it(("shows every hour of %d in %s as `date` does"):format(year, zone), function()
        local first = first_of(year)
        local list = shown(zone, first, 3600, 8760)
        inside(zone, first, function(sim)
          for i, one in ipairs(list) do
            local time = (i - 1) * 3600
            if sim:hour(time) ~= one.hour or sim:weekday(time) ~= one.weekday
              or sim:date(time) ~= one.day then
              error(("%d s: %s %d:00 (%d), expected %s %d:00 (%d)"):format(time, sim:date(time),
                sim:hour(time), sim:weekday(time), one.day, one.hour, one.weekday))
            end
          end
        end)
      end)
    end

    local long = place > 2 and " #long" or ""
    it("finds the next time of day as one finds it by `date`, in " .. zone .. long, function()
      local rng = orrery.random(7)
      local first = first_of(rng:integer(0, 1) == 1 and 2011 or 2040)
      local list = shown(zone, first, QUARTER, 366 * 96)
      local found = {}
      for i = 1, rounds(400) do
        local from, minutes = rng:integer(2, 363 * 96), 15 * rng:integer(0, 95)
        found[i] = { from = from, minutes = minutes, at = next_time(list, from, minutes) }
      end
      for k = 2, 363 * 96 do -- around every change of the clocks
        local step = list[k].number * 1440 + list[k].minutes - list[k - 1].number * 1440
          - list[k - 1].minutes
        if step ~= 15 then
          for from = k - 6, k + 6, 2 do
            for minutes = list[k].minutes - 135, list[k].minutes + 120, 15 do
              local wanted = minutes % 1440
              found[#found + 1] = { from = from, minutes = wanted,
                at = next_time(list, from, wanted) }
            end
          end
        end
      end
      inside(zone, first, function(sim)
        for _, one in ipairs(found) do
          local text = ("%02d:%02d"):format(one.minutes // 60, one.minutes % 60)
          local at = sim:at(text, (one.from - 1) * QUARTER)
          if at ~= (one.at - 1) * QUARTER then
            error(("%s from %d on is at %d, expected %d"):format(text, (one.from - 1) * QUARTER, at,
              (one.at - 1) * QUARTER))
          end
        end
      end)
    end)
  end

  -- In Stockholm 2:00 becomes 3:00 on 2002-03-31, and 3:00 becomes 2:00 on 2002-10-27, both at
  -- 1:00 UTC. In Apia 2011-12-29 was followed by 2011-12-31.
  it("skips and repeats hours and days, by hand", function()
    local function check(zone, from, text, expected)
      inside(zone, 0, function(sim)
        local at = sim:at(text, from)
        if at ~= expected then error(("%s: %d, expected %d"):format(text, at, expected)) end
      end)
    end
    local march, october = 1017536400, 1035680400 -- 1:00 UTC on these days
    check("Europe/Stockholm", march - 7200, "02:30", march) -- 3:00, when 2:30 is skipped
    check("Europe/Stockholm", march, "02:30", march)
    check("Europe/Stockholm", march + 1, "02:30", march + 23.5 * 3600)
    check("Europe/Stockholm", march - 7200, "03:00", march)
    check("Europe/Stockholm", october - 7200, "02:30", october - 1800) -- the first one
    check("Europe/Stockholm", october - 1800, "02:30", october - 1800)
    check("Europe/Stockholm", october - 1799, "02:30", october + 24.5 * 3600)
    local skipped = 1325239200 -- the midnight behind 2011-12-29, which was 2011-12-31
    check("Pacific/Apia", skipped - 4 * 3600, "18:00", skipped + 18 * 3600)
    check("Pacific/Apia", skipped - 4 * 3600, "22:00", skipped - 2 * 3600)
  end)

  local PLAIN = { { submit = 0, procs = 1, runtime = 60 }, { submit = 20, procs = 1, runtime = 5 } }

  it("is that of the option origin where a log has no dates", function()
    local function session(more)
      local spec = {
        jobs = orrery.jobs(PLAIN), procs = 1, policy = { dispatch = function(sim)
          local state = sim.state
          state.date, state.hour, state.weekday = sim:date(), sim:hour(), sim:weekday()
          state.now, state.next = sim:at "12:00", sim:at("12:00", 0.001)
          state.noon = sim:at("00:00:20", -43200)
        end },
      }
      for key, value in pairs(more) do spec[key] = value end
      local s = orrery.session(spec)
      s:step()
      return s.state
    end
    local state = session { origin = "2019-03-31 12:00", timezone = "Europe/Stockholm" }
    assert.same({ "2019-03-31", 12, 7 }, { state.date, state.hour, state.weekday })
    assert.same({ 0, 86400 }, { state.now, state.next })
    assert.equal(-11 * 3600 + 20, state.noon) -- 12 h before noon it was 23:00
    state = session { origin = "2019-03-31 12:00" }
    assert.same({ "2019-03-31", 12, 7 }, { state.date, state.hour, state.weekday })
    assert.error_matches(function() session {} end,
      "date: the log does not say on which date it begins; say it with the option origin")
    assert.error_matches(function() session { origin = "31.3.2019" } end,
      "origin: expected a date as '2019%-06%-14 07:04', found '31.3.2019'")
    assert.error_matches(function() session { timezone = "Europe/Stokholm" } end,
      "there is no time zone 'Europe/Stokholm' in /usr/share/zoneinfo/")
    assert.error_matches(function() session { timezone = "../../../etc/passwd" } end,
      "there is no time zone")
    assert.error_matches(function() session { timezone = "zone.tab" } end, "there is no time zone")
    assert.error_matches(function() session { timezone = "tzdata.zi" } end, "there is no time zone")
    assert.error_matches(function() session { timezone = "leapseconds" } end,
      "is no file of a time zone")
    local log = orrery.mira_month()
    assert.error_matches(function()
      session { jobs = log, procs = 49152, origin = "2019-06-01" }
    end,
      "the log has dates of its own, its second 0 is 2019%-06%-01 00:18:52")
  end)

  it("refuses what is no time of day", function()
    for _, text in ipairs { "18", "8:00", "24:00", "18:60", "18:00:60", "18:00:00.5", "noon" } do
      local s = orrery.session { jobs = orrery.jobs(PLAIN), procs = 1, origin = "2019-03-31",
        policy = { dispatch = function(sim) sim:at(text) end } }
      assert.error_matches(function() s:finish() end,
        "at: expected a time of day as '18:00', found '" .. text)
    end
  end)

  it("is the same in all threads, in priorities too", function()
    local jobs = orrery.mira_month(rounds(1, 1, 2) == 2 and { count = 700, days = 7 } or nil)
    local function csv(threads)
      local result = orrery.compare {
        jobs = jobs, load = 1.5, runs = rounds(4, 4, 2), errors = { mean_probability = 0.02 },
        threads = threads, timezone = "America/Chicago",
        policies = { {
          dispatch = { discipline = "list", reservations = 1 }, per = "decision",
          priority = function(job, view)
            return (view:hour() < 8 and 1 or -1) * job.time + view:weekday(job.submit)
          end,
        } },
      }
      return result:csv()
    end
    assert.equal(csv(1), csv(2))
  end)

  -- HPC2N's log begins at 7:04 UTC, 9:04 in Stockholm. All of it lies in summer, all of Mira's in
  -- winter.
  for _, given in ipairs {
    { name = "hpc2n-2002.swf", zone = "Europe/Stockholm", long = 567 },
    { name = "mira-2019-01.csv", zone = "America/Chicago", long = 1047 },
  } do
    it("lets the manual's policy start long jobs by night alone: " .. given.name, function()
      local policy = os.tmpname() .. ".lua"
      local file = assert(io.open(policy, "w"))
      file:write((io.open "policies/README.md":read "a":match "```lua file=evenings.lua\n(.-)```"))
      file:close()
      local s = orrery.session {
        jobs = orrery.read(logs.path(given.name, pending)), policy = policy, timezone = given.zone,
      }
      s:finish()
      os.remove(policy)
      assert(s:check())
      local long = 0
      for _, attempt in ipairs(s:schedule()) do
        if s:job(attempt.position).time > 4 * 3600 then
          long = long + 1
          local hour = math.tointeger(s:clock(attempt.start):match " (%d%d):")
          assert.is_true(hour >= 20 or hour < 8)
        end
      end
      assert.equal(given.long, long)
    end)
  end
end)
