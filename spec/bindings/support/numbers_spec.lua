-- Numbers as text, by hand.
require "orrery"
local numbers = require "orrery.support.numbers"
local NAN, INF = 0 / 0, math.huge

describe("a number", function()
  local function all(f, list)
    local texts = {}
    for i, x in ipairs(list) do texts[i] = f(x) end
    return texts
  end

  it("is written in full, and shown short", function()
    assert.same({ "7", "0.10000000000000001", "", "inf" }, all(numbers.full, { 7, 0.1, NAN, INF }))
    assert.same({ "1234567", "-", "inf", "-inf", "0.1", "99999.4", "100000", "123457", "-100000",
      "999999999999999", "1e+15", "1.5e-07" }, all(numbers.shown, { 1234567, NAN, INF, -INF, 0.1,
      99999.4, 1e5, 123456.7, -1e5, 1e15 - 1, 1e15, 1.5e-7 }))
  end)

  it("that is shown as 0 has no minus", function()
    local list = { -0.001, -0.006, 0.001, NAN, -INF }
    assert.same({ "0.00", "-0.01", "0.00", "-", "-inf" }, all(function(x)
      return numbers.formatted("%.2f", x)
    end, list))
    assert.same({ "+0.00", "-0.01", "+0.00", "-", "-inf" }, all(function(x)
      return numbers.formatted("%+.2f", x)
    end, list))
    assert.same({ "+25.00", "-25.00", "-" }, { numbers.relative(1, 4), numbers.relative(1, -4),
      numbers.relative(1, 0) })
    assert.same({ "0.05", "0.00", "4.0e-03" }, all(function(x)
      return numbers.half_width("%+.2f", x)
    end, { 0.05, 0, 0.004 }))
  end)

  it("differs from another one by more than rounding, or by 0", function()
    local d = numbers.difference
    assert.same({ 2, -2, 0.0, 0.0, 0.0 }, { d(1, 3), d(3, 1), d(4, 4), d(1, 1 + 8e-13),
      d(-1 - 8e-13, -1) })
    assert.is_true(d(1, 1 + 3e-12) > 2e-12 and d(-1 - 3e-12, -1) > 2e-12)
    assert.same({ INF, -INF }, { d(1, INF), d(-1, -INF) })
  end)
end)
