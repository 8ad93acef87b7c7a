local comma = require "spec.support.comma_locale"
local native = require "native_rooms"
local rounds = require "spec.support.rounds"

local OK, IO = 0, 4

describe("a number", function()
  it("is printed with the fewest digits that give it back, from 15 up", function()
    for text, value in pairs {
      ["0"] = 0, ["-7"] = -7, ["0.1"] = 0.1, ["0.3"] = 0.3, ["0.30000000000000004"] = 0.1 + 0.2,
      ["999999999999999"] = 999999999999999, ["1e+15"] = 1e15, ["1.5e-300"] = 1.5e-300,
      ["inf"] = 1 / 0,
    } do
      assert.equal(text, native.shortest(value))
      assert.equal(value, tonumber(native.shortest(value)) or 1 / 0)
    end
  end)

  it("has all digits of integers of any length, up to the largest and the smallest", function()
    local list = { 0, math.maxinteger, math.mininteger, math.mininteger + 1 }
    local power = 1
    for _ = 0, 18 do
      for step = -1, 1 do list[#list + 1] = power + step end
      power = power * 10
    end
    for i = 1, #list do list[#list + 1] = -list[i] end
    for _ = 1, rounds(10000, 1000) do list[#list + 1] = math.random(0) >> math.random(0, 63) end
    for _, value in ipairs(list) do
      assert.equal(("%d"):format(value), native.integer(value))
    end
  end)

  -- The digits of 2^-14 to 2^50 are found in integers, all others by printf.
  it("has the digits of printf, at all sizes and beside powers of two and ten", function()
    local function plain(value)
      for digits = 15, 17 do
        local text = ("%%.%dg"):format(digits):format(value)
        if tonumber(text) == value or digits == 17 then return text end
      end
    end
    local function test(value)
      for _, one in ipairs { value, -value } do
        if one ~= math.floor(one) then assert.equal(plain(one), native.shortest(one)) end
      end
    end
    math.randomseed(7)
    for _ = 1, rounds(400000, 40000) do
      local size = 10.0 ^ math.random(-6, 16)
      test(math.random() * size)
      test(math.random(1, 1 << 53) * 2.0 ^ math.random(-70, 2))
      test(math.random(1, 10 ^ math.random(1, 15)) / size)
      test(math.random(1, 999) / 2 ^ math.random(0, 20))
    end
    for exponent = -70, 53 do
      local power = 2.0 ^ exponent
      for step = -3, 3 do test(power + step * power * 2.0 ^ -53) end
    end
    for exponent = -6, 16 do
      local power = 10.0 ^ exponent
      for step = -3, 3 do test(power + step * power * 2.0 ^ -53) end
    end
  end)
end)

describe("in a locale with a decimal comma", function()
  it("numbers have a decimal point, in text and in messages", function()
    local read = {}
    local possible, why = comma(function()
      read.lua = ("%.1f"):format(0.5)
      read.shortest, read.long = native.shortest(0.1), native.shortest(0.1 + 0.2)
      read.printed = native.printed("%.17g", 0.5)
      read.row = native.row("x", "", 0.5, 0)
      read.failed = native.failed("not %g", 1.5)
      read.after = ("%.1f"):format(0.5)
    end)
    if not possible then return pending(why) end
    assert.same({
      lua = "0,5", after = "0,5", shortest = "0.1", long = "0.30000000000000004", printed = "0.5",
      row = "x,0.5,0.5|end\n", failed = "not 1.5: not 1.5",
    }, read)
  end)
end)

describe("a name in a message", function()
  it("is in quotes, cut, its unprintable bytes escaped", function()
    assert.equal("nothing", native.quote "")
    assert.equal([["a\"b\\\n\r\t\x01\xc3"]], native.quote 'a"b\\\n\r\t\1\xc3')
    assert.equal('"' .. ("x"):rep(40) .. '"', native.quote(("x"):rep(40)))
    assert.equal('"' .. ("x"):rep(40) .. '..."', native.quote(("x"):rep(41)))
  end)
end)

describe("a row of CSV", function()
  local rows = {
    { "plain", "", "plain,0.5,0.5|end\n" },
    { "plain", "#2", "plain#2,0.5,0.5|end\n" },
    { "a,b", "#1", '"a,b#1",0.5,0.5|end\n' },
    { 'say "x"', "", '"say ""x""",0.5,0.5|end\n' },
    { '"', "", '"""",0.5,0.5|end\n' },
    { "two\nlines", "", '"two\nlines",0.5,0.5|end\n' },
    { "two\rlines", "", '"two\rlines",0.5,0.5|end\n' },
    { " blank", "", '" blank",0.5,0.5|end\n' },
    { "blank\t", "", '"blank\t",0.5,0.5|end\n' },
    { "in side", "", "in side,0.5,0.5|end\n" },
    { "", "", ",0.5,0.5|end\n" },
  }

  it("is quoted where it needs to be, in memory", function()
    for _, case in ipairs(rows) do
      local text, bytes, calls = native.row(case[1], case[2], 0.5, 0)
      assert.same({ case[3], 0, 1 }, { text, bytes, calls })
    end
    assert.equal("x,,nan|end\n", (native.row("x", "", 0 / 0, 0):gsub("-nan", "nan")))
    assert.same({ n = 3, nil, 0, 1 }, table.pack(native.row("x", "", 1, 1)))
  end)

  it("arrives at a sink in pieces of any size, until it refuses one", function()
    for _, case in ipairs(rows) do
      for capacity = 1, 40 do
        local text, status, pieces = native.row_to_sink(case[1], case[2], 0.5, capacity, 0)
        assert.same({ case[3], OK }, { text, status })
        assert.equal((#text + capacity - 1) // capacity, pieces)
        local _, refused, taken = native.row_to_sink(case[1], case[2], 0.5, capacity, pieces)
        assert.same({ IO, pieces }, { refused, taken })
      end
    end
  end)
end)
