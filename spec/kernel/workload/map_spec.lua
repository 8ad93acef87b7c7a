-- Dates in columns of any CSV file: their zones, and what is no date, by hand.
local orrery = require "orrery"
local temporary = require "spec.support.temporary"

-- When the only job was submitted, UTC; nil: its date is none.
local function origin(format, text, delimiter)
  local mark = delimiter == "colon" and ":" or ","
  local row = ("procs%ssubmit%sruntime\n2%s%s%s3\n"):format(mark, mark, mark, text, mark)
  local fine, jobs = pcall(temporary.file, "F", row, orrery.read, {
    columns = { procs = "procs", runtime = "runtime", submit = "submit" .. format },
    delimiter = delimiter, strict = true })
  if not fine then assert.matches("F:2: .*submit", jobs) end
  return fine and jobs.origin or nil
end

local ZONES = { Z = "15:05:09", ["+02:00"] = "13:05:09", ["+0200"] = "13:05:09",
  ["+02"] = "13:05:09", ["-05:30"] = "20:35:09", ["-0530"] = "20:35:09", ["+00:59"] = "14:06:09",
  ["-08"] = "23:05:09" }
local NONE = { "+", "+2", "+02:", "+02:0", "+02:000", "+020", "+24:00", "+24", "+02:60", "+02:00x",
  "+02x", "02:00", "z", "*02:00", "+:02" }

describe("a date with a zone", function()
  it("is that many hours and minutes before the same one of UTC", function()
    for zone, time in pairs(ZONES) do
      local expected = "2023-03-01 " .. time
      assert.equal(expected, origin(":%F %T %z", "2023-03-01 15:05:09 " .. zone), zone)
      assert.equal(expected, origin(":%F %H%M%S%z", "2023-03-01 150509" .. zone), zone)
      assert.equal(expected, origin("", "2023-03-01T15:05:09" .. zone), zone)
    end
    assert.equal("2023-03-02 01:05:09", origin(":%F %T %z", "2023-03-01 15:05:09 -10"))
  end)

  it("ends where its column does", function()
    assert.equal("2023-03-01 13:05:09", origin(":%F %H%M%S%z", "2023-03-01 150509+02", "colon"))
    assert.equal("2023-03-01 13:05:09", origin(":%F %H%M%S%z", "2023-03-01 150509+0200", "colon"))
  end)

  it("is none with another zone", function()
    for _, zone in ipairs(NONE) do
      assert.is_nil(origin(":%F %T %z", "2023-03-01 15:05:09 " .. zone), zone)
      assert.is_nil(origin("", "2023-03-01T15:05:09" .. zone), zone)
    end
    assert.is_nil(origin(":%F %T %z", "2023-03-01 15:05:09 "))
  end)
end)
