-- What is drawn, where processors come and go: from what a session tells, by hand.
local orrery = require "orrery"

local model = orrery.draw.model

local GROUPS = { { name = "main", procs = 4 } }

-- A session of one job on processor 0, with outages.
local function session(outages, more)
  local s = {
    procs = 4, over = true, now = 20, groups = GROUPS, policy = "mine",
    jobs = { { submit = 0 } },
    outages = function() return outages end,
    timeline = function() return { { time = 0, busy = 1, waiting = 0 } } end,
    job = function() return { id = "a", submit = 0 } end,
    schedule = function()
      return { { id = "a", position = 1, attempt = 1, start = 0, finish = 20,
        outcome = "completed", group = "main", processors = "0" } }
    end,
  }
  for key, value in pairs(more or {}) do s[key] = value end
  return s
end

local function downs(outages)
  local list = {}
  for i, box in ipairs(model.of(session(outages), {}).down) do
    list[i] = ("%d-%d %g %g %s"):format(box.ranges[1][1], box.ranges[1][2], box.start, box.finish,
      box.why)
  end
  table.sort(list)
  return list
end

describe("the clock of a picture", function()
  local month = orrery.read(orrery.home .. "/data/mira/sample-2019-06.csv")
  local function clock(options, change)
    local s = orrery.session { jobs = month:between(0, 86400), policy = "easy",
      batch = options.batch }
    if change then s:run_until(3600) s:change(change) end
    return model.of(s, {}).clock
  end

  it("is that of the log, but not for a batch, also where a job came later", function()
    local new = { submit = { id = "new", procs = 1024, runtime = 60 } }
    assert.is_number(clock {})
    assert.is_number(clock({}, new))
    assert.is_nil(clock { batch = true })
    assert.is_nil(clock({ batch = true }, new))
  end)
end)

describe("processors that are out", function()
  it("fail, are drained, come back before their time, and are added", function()
    assert.same({ "1-1 2 5 failure" }, downs {
      { what = "failure", start = 2, finish = 5, first = 1, procs = 1 } })
    assert.same({ "1-1 2 inf drained", "2-2 2 9 drained", "3-3 2 inf drained" }, downs {
      { what = "drained", start = 2, finish = math.huge, first = 1, procs = 3 },
      { what = "back", start = 9, finish = math.huge, first = 2, procs = 1 } })
    assert.same({ "4-5 -inf 7 added" }, downs {
      { what = "added", start = 7, finish = 7, first = 4, procs = 2 } })
    -- what is over stays as it was, and failures are not what comes back
    assert.same({ "1-2 2 5 drained", "1-2 6 9 drained", "2-2 6 30 failure" }, downs {
      { what = "drained", start = 2, finish = 5, first = 1, procs = 2 },
      { what = "drained", start = 6, finish = 40, first = 1, procs = 2 },
      { what = "failure", start = 6, finish = 30, first = 2, procs = 1 },
      { what = "back", start = 9, finish = 40, first = 1, procs = 2 } })
  end)

  it("are shown, even if they are more than the machine has now", function()
    local m = model.of(session { { what = "added", start = 7, finish = 7, first = 4, procs = 2 } },
      {})
    assert.equal(6, m.procs)
    assert.equal("processors 4-5 are not there yet\nuntil 7 s", m.down[1].title)
    m = model.of(session { { what = "drained", start = 7, finish = math.huge, first = 3,
      procs = 1 } }, {})
    assert.equal("processor 3 is drained\nfrom 7 s on", m.down[1].title)
  end)

  it("leave groups where their attempts are", function()
    local list = { { name = "a", procs = 2 }, { name = "b", procs = 2 } }
    local function bands(outages)
      return model.of(session(outages, { groups = list, schedule = function()
        return { { id = "a", position = 1, attempt = 1, start = 0, finish = 20,
          outcome = "completed", group = "a", processors = "0 2" },
          { id = "b", position = 2, attempt = 1, start = 0, finish = 20,
            outcome = "completed", group = "b", processors = "3-4" } }
      end }), {}).bands
    end
    assert.same({ { name = "a", first = 0, procs = 2 }, { name = "b", first = 2, procs = 2 } },
      bands {})
    assert.same({ { name = "a", first = 0, procs = 3 }, { name = "b", first = 3, procs = 2 } },
      bands { { what = "drained", start = 2, finish = 5, first = 1, procs = 1 } })
  end)
end)

describe("times", function()
  local axis = orrery.draw.axis

  it("have dates of the calendar, and ticks at round ones", function()
    assert.equal(1560470400, axis.epoch "2019-06-14")
    assert.equal(1560470400 + 6 * 3600 + 30, axis.epoch "2019-06-14 06:00:30")
    assert.is_nil(axis.epoch "14.6.2019")
    assert.is_nil(axis.epoch "2019-06-14 6")
    local rng = orrery.random(8)
    for _ = 1, 300 do
      local time = rng:integer(-2000000000, 4000000000)
      assert.equal(os.date("!%Y-%m-%d %H:%M:%S", time), axis.instant(0, time))
      assert.equal(time, axis.epoch(axis.instant(0, time)))
    end
    local function texts(...)
      local list = {}
      for i, tick in ipairs((axis.times(...))) do list[i] = tick[2] end
      return table.concat(list, ", ")
    end
    local day = axis.epoch "2019-06-30"
    assert.equal("30 Jun, 06:00, 12:00, 18:00, 1 Jul", texts(0, 86400, 6, day))
    assert.equal("30 Jun, 00:00:15, 00:00:30, 00:00:45, 00:01:00", texts(0, 60, 5, day))
    assert.equal("Jul 2019, Jan 2020, Jul 2020", texts(0, 400 * 86400, 4, day))
    assert.equal("2020, 2025, 2030", texts(0, 12 * 366 * 86400, 3, day))
    assert.equal("0, 1, 2, 3, 4", texts(0, 4 * 3600, 4))
  end)

  it("have at most so many ticks, inside and evenly spread", function()
    local rng = orrery.random(9)
    for _ = 1, 400 do
      local from, span = rng:uniform(-1e8, 1e8), 10 ^ rng:uniform(-1, 9)
      local most, clock = rng:integer(2, 20), rng:integer(0, 1) == 1 and 1.5e9 or nil
      local ticks = axis.times(from, from + span, most, clock)
      assert.is_true(#ticks <= most + 1)
      for i, tick in ipairs(ticks) do
        assert.is_true(tick[1] >= from - 1e-6 * span and tick[1] <= from + span * (1 + 1e-6))
        assert.is_true(i == 1 or tick[1] > ticks[i - 1][1])
      end
      if not clock then assert.is_true(#ticks >= most / 5 - 1) end
    end
  end)

  it("are spans in the unit that suits them", function()
    assert.equal("1.5 min", axis.span(90))
    assert.equal("2 h", axis.span(7200))
    assert.equal("100 d", axis.span(100 * 86400))
    assert.equal("20 years", axis.span(20 * 365 * 86400))
    assert.equal("0 s", axis.span(0))
  end)
end)
