-- Axes, by hand: units, round numbers, ticks of dates, and texts of times.
require "orrery"
local axis = require "orrery.draw.axis"

-- "0@0 2@7200": names and places of ticks.
local function text(list)
  local parts = {}
  for i, tick in ipairs(list) do
    parts[i] = ("%s@%.10g%s"):format(tick[2], tick[1], tick[3] and "!" or "")
  end
  return table.concat(parts, " ")
end

local JUNE = 1559347200 -- 2019-06-01 00:00, in s since 1970
local YEAR = 365 * 86400

describe("an axis of numbers", function()
  it("has round ones, at most so many", function()
    for expected, given in pairs {
      ["0@0 2@2 4@4 6@6 8@8 10@10"] = { 0, 10, 5 }, ["0@0 0.5@0.5 1@1"] = { 0, 1, 3 },
      ["-1@-1 -0.5@-0.5 0@0 0.5@0.5 1@1"] = { -1, 1, 4 }, ["0@0 1@1"] = { 0, 1, 1 },
      ["5@5 5.2@5.2 5.4@5.4"] = { 5, 5.5, 4 },
      ["0@0 500000@500000 1000000@1000000"] = { 0, 1e6, 3 },
      ["1e-09@1e-09 2e-09@2e-09 3e-09@3e-09"] = { 1e-9, 3e-9, 3 },
      ["20@20 40@40 60@60 80@80"] = { 3, 97, 5 }, ["0@0 1@1 2@2"] = { 0, 2, 9, true },
    } do
      assert.equal(expected, text(axis.numbers(table.unpack(given))))
    end
    assert.same({ 1, 1, 0.2, 1, 10 }, { axis.step(0, 5), axis.step(-1, 5), axis.step(1, 5),
      axis.step(1, 5, true), axis.step(100, 10) })
  end)
end)

describe("an axis of time", function()
  it("is in one unit where there is no calendar", function()
    for expected, given in pairs {
      ["0@0 50@50 100@100 Time (s)"] = { 0, 119, 5 },
      ["0@0 20@1200 40@2400 60@3600 Time (min)"] = { 0, 3600, 3 },
      ["0@0 5@18000 10@36000 15@54000 20@72000 Time (h)"] = { 0, 86400, 6 },
      ["0@0 2@172800 4@345600 6@518400 8@691200 10@864000 Time (d)"] = { 0, 864000, 6 },
      ["100@100 120@120 140@140 160@160 Time (s)"] = { 100, 160, 4 },
    } do
      local list, title = axis.times(table.unpack(given))
      assert.equal(expected, text(list) .. " " .. title)
    end
  end)

  it("has dates by the clock: seconds, minutes, hours, days, months and years", function()
    local clock = { { 0, JUNE + 1800 } } -- second 0 is 0:30
    for expected, given in pairs {
      ["00:30:00@0 00:30:15@15 00:30:30@30 00:30:45@45 00:31:00@60"] = { 0, 60, 4 },
      ["00:30@0 00:35@300 00:40@600 00:45@900"] = { 0, 900, 3 },
      ["01:00@1800 02:00@5400 03:00@9000"] = { 0, 9000, 3 },
      ["2 Jun@84600! 3 Jun@171000! 4 Jun@257400!"] = { 0, 3 * 86400, 3 },
      ["06:00@19800 12:00@41400 18:00@63000 2 Jun@84600!"] = { 0, 86400, 4 },
      ["Jul 2019@2590200 Aug 2019@5268600 Sep 2019@7947000"] = { 0, 100 * 86400, 4 },
      ["Jul 2019@2590200 Jan 2020@18487800!"] =
        { 0, YEAR, 4 },
      ["2020@18487800! 2021@50110200! 2022@81646200!"] = { 0, 3 * YEAR, 4 },
      ["2020@18487800! 2025@176340600!"] = { 0, 8 * YEAR, 2 },
    } do
      local list, title = axis.times(given[1], given[2], given[3], clock, "UTC")
      assert.equal(expected, text(list))
      assert.equal("Time (UTC, 2019)", title)
    end
  end)

  it("follows clocks that are changed: an hour comes twice, or not at all", function()
    -- at 2 h the clock goes back from 3:00 to 2:00, or on from 3:00 to 4:00
    local back = { { 0, JUNE + 3600 }, { 7200, JUNE } }
    assert.equal("01:00@0 02:00@3600 02:00@7200 03:00@10800",
      text((axis.times(0, 10800, 5, back, "X"))))
    local on = { { 0, JUNE + 3600 }, { 7200, JUNE + 7200 } }
    assert.equal("01:00@0 02:00@3600 04:00@7200 05:00@10800",
      text((axis.times(0, 10800, 5, on, "X"))))
    assert.equal("2019-06-01 02:59:59", axis.instant(7199, back))
    assert.equal("2019-06-01 02:00:00", axis.instant(7200, back))
    assert.equal("2019-06-01 01:00:00", axis.instant(-0.4, back))
    assert.equal("21600 s", axis.instant(21600))
  end)
end)

describe("a span", function()
  it("is in the largest unit of which it has enough", function()
    for expected, span in pairs { ["3 s"] = 3, ["59 s"] = 59, ["1 min"] = 60, ["2.5 h"] = 9000,
      ["1 d"] = 86400, ["100 d"] = 8640000, ["729 d"] = 2 * YEAR - 86400, ["2 years"] = 2 * YEAR,
      ["0.5 s"] = 0.5, ["-2 min"] = -120 } do
      assert.equal(expected, axis.span(span))
    end
    assert.same({ "s", 1 }, { axis.unit(179) })
    assert.same({ "min", 60 }, { axis.unit(180) })
    assert.same({ "d", 86400 }, { axis.unit(86400, 1) })
    assert.same({ "s", 1 }, { axis.unit(0) })
  end)
end)
