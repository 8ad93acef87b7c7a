-- Times as people write and read them.
local orrery = require "orrery"

local clock = require "orrery.support.clock"

local JOBS = orrery.read "data/mira/sample-2019-06.csv"

describe("a span", function()
  it("is a number with a unit, or seconds", function()
    for text, seconds in pairs { ["7"] = 7, ["7s"] = 7, ["1.5m"] = 90, ["2h"] = 7200,
      [".5d"] = 43200, ["3w"] = 1814400, ["2y"] = 63072000, ["1e3"] = 1000, ["1E+1h"] = 36000,
      ["20e-1m"] = 120, ["0"] = 0 } do
      assert.equal(seconds, clock.span(text), text)
    end
    for _, text in ipairs { "", "h", "-1", "+1", "1x", "1 h", "1hh", "1.2.3", ".", "1e400", "inf",
      "nan", "0x10", "1e" } do
      assert.is_nil(clock.span(text), text)
    end
  end)

  it("is said in the unit that suits it", function()
    for said, seconds in pairs { ["0 s"] = 0, ["1.235 s"] = 1.23456, ["119.9 s"] = 119.9,
      ["2.0 min"] = 120, ["119.9 min"] = 7194, ["2.00 h"] = 7200, ["335.99 h"] = 1209564,
      ["14.0 d"] = 1209600, ["365.0 d"] = clock.YEAR, ["-2.0 min"] = -120, ["-3 s"] = -3 } do
      assert.equal(said, clock.span_text(seconds))
    end
  end)

  it("has in a column the unit of the longest one", function()
    for _, case in ipairs { { {}, "s", 1 }, { { 119, 3 }, "s", 1 }, { { 3, 120, 1 }, "min", 60 },
      { { a = -7199 }, "min", 60 }, { { 7200 }, "h", 3600 }, { { -7200 }, "h", 3600 },
      { { 1209599 }, "h", 3600 }, { { 1209600, 0 }, "d", 86400 }, { { 0 / 0, 5 }, "s", 1 },
      { { 1 / 0, -1 / 0, 130 }, "min", 60 } } do
      assert.same({ case[2], case[3] }, { clock.unit(case[1]) })
    end
  end)
end)

describe("an instant", function()
  it("is seconds, a span from the start or from now, or a date", function()
    for given, seconds in pairs { [5] = 5, [-2.5] = -2.5, ["6h"] = 21600, ["+1m"] = 160,
      ["-1m"] = 40, ["7"] = 7 } do
      assert.equal(seconds, clock.instant("at", given, nil, 100))
    end
    assert.equal(JOBS:seconds "2019-06-14 06:00", clock.instant("at", "2019-06-14 06:00", JOBS, 9))
    assert.equal(JOBS:seconds "2019-06-14", clock.instant("at", "2019-06-14", JOBS, 9))
  end)

  it("is nothing else", function()
    local function refused(given, jobs)
      local fine, problem = pcall(clock.instant, "at", given, jobs, 0)
      assert.is_false(fine)
      return problem
    end
    local what = "at: expected seconds, or a text as '6h', '+90m' (from now on) or "
      .. "'2019-06-14 06:00', found "
    assert.equal(what .. "'soon'", refused("soon", JOBS))
    assert.equal(what .. "'+soon'", refused("+soon", JOBS))
    assert.equal(what .. "true", refused(true, JOBS))
    assert.equal(what .. tostring(0 / 0), refused(0 / 0, JOBS))
    assert.equal("at: expected a date as '2019-06-14 06:00', found '2019-06-44'",
      refused("2019-06-44", JOBS))
    local none = "at: '2019-06-14' is a date, but %s have no calendar times; give seconds of the "
      .. "clock, or a text as '6h'"
    assert.equal(none:format "tasks", refused "2019-06-14")
    assert.equal(none:format "these jobs", refused("2019-06-14", orrery.jobs {}))
  end)

  it("is said as its date to the second, or as a span without a calendar", function()
    local at = JOBS:seconds "2019-06-14 06:00"
    assert.equal("2019-06-14 06:00:00", clock.date(at, JOBS))
    assert.equal("2019-06-14 06:00:01", clock.date(at + 0.5, JOBS))
    assert.equal("2019-06-14 06:00:00", clock.date(at + 0.4, JOBS))
    assert.equal("2019-06-14 06:00:00", clock.text(at, JOBS))
    for _, time in ipairs { 1 / 0, -1 / 0, 0 / 0 } do assert.is_nil(clock.date(time, JOBS)) end
    assert.is_nil(clock.date(at, orrery.jobs {}))
    assert.is_nil(clock.date(at))
    assert.equal("5 s", clock.text(5))
    assert.equal("5 s", clock.text(5, orrery.jobs {}))
  end)
end)
