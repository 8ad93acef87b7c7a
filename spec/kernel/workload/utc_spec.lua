-- UTC times, days and ISO weeks, against the operating system's calendar.
local native = require "native_workload"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

describe("utc", function()
  it("parses and formats as os.date does", function()
    local rng = orrery.random(3)
    for _ = 1, rounds(5000, 5000, 417) do
      local seconds = rng:integer(-5000000000, 20000000000)
      local text = os.date("!%Y-%m-%d %H:%M:%S", seconds)
      assert.equal(seconds * 1000000, native.utc_parse(text))
      assert.equal(text, native.utc_format(seconds * 1000000))
    end
  end)

  it("takes fractions to the microsecond, T, and times without seconds or clock", function()
    assert.equal(0, native.utc_parse "1970-01-01")
    assert.equal(60000000, native.utc_parse "1970-01-01T00:01")
    assert.equal(1500000, native.utc_parse "1970-01-01 00:00:01.5")
    assert.equal(1000001, native.utc_parse "1970-01-01 00:00:01.0000019")
    assert.equal("1970-01-01 00:00:01.000001", native.utc_format(1000001))
    assert.equal("1969-12-31 23:59:59.999999", native.utc_format(-1))
  end)

  it("knows leap years", function()
    for _, day in ipairs { "2020-02-29", "2000-02-29", "2019-12-31" } do
      assert.is_number(native.utc_parse(day))
    end
    for _, text in ipairs { "2019-02-29", "1900-02-29", "2019-13-01", "2019-00-01", "2019-01-00",
      "2019-04-31", "2019-1-01", "2019-01-01 24:00", "2019-01-01 00:60", "2019-01-01 00:00:60",
      "2019-01-01 00:00:00.", "2019-01-01 00:00:0", "2019-01-01 00:00:", "2019-01-01 00",
      "2019-01-01 ",
      "2019-01-01 00:00:00Z", "2019-01-01x00:00", "2019/01/01", "", "19-01-01", "2019-06-0" } do
      assert.is_nil(native.utc_parse(text), text)
    end
  end)

  it("knows ISO weeks as os.date does", function()
    for day = 0, 40000 do
      local seconds = day * 86400
      local monday = native.utc_week(os.date("!%G-W%V", seconds))
      assert.equal(day - (tonumber(os.date("!%u", seconds)) - 1), monday)
    end
    for _, text in ipairs { "2019-W53", "2019-W00", "2019-24", "2019-W2", "2019W24",
      "2019-W024" } do
      assert.is_nil(native.utc_week(text), text)
    end
    assert.is_number(native.utc_week "2020-W53")
  end)
end)
