local orrery = require "orrery"
local few_half = require "spec.support.few"
local native = require "native_base"
local rounds = require "spec.support.rounds"

local NAN = 0 / 0

local function assert_near(expected, actual, relative, what)
  local good = math.abs(actual - expected) <= relative * math.abs(expected)
  assert.is_true(good, ("%s: expected %.17g, got %.17g"):format(what or "", expected, actual))
end

local function assert_nan(x)
  assert.is_true(x ~= x, tostring(x) .. " is not NaN")
end

describe("a sum", function()
  it("keeps what cancellation would lose (by hand)", function()
    assert.equal(2.0, native.sum { 1, 1e100, 1, -1e100 })
    assert.equal(1.0, native.sum { 1e16, 1, -1e16 })
    assert.equal(0.0, native.sum {})
    assert.equal(math.huge, native.sum { 1, math.huge, 2 })
    assert_nan(native.sum { math.huge, -math.huge })
    assert_nan(native.sum { 1, NAN, 2 })
  end)

  it("of numbers and their negatives in any order is exact", function()
    local rng = orrery.random(21)
    for _ = 1, rounds(200, 200, 10) do
      local list, rest = {}, rng:integer(-1000, 1000)
      for i = 1, 20 do
        list[2 * i - 1] = rng:integer(-1000, 1000) * 2.0 ^ rng:integer(0, 40)
        list[2 * i] = -list[2 * i - 1]
      end
      list[41] = rest * 2.0 ^ -10
      for i = 41, 2, -1 do
        local j = rng:integer(1, i)
        list[i], list[j] = list[j], list[i]
      end
      assert.equal(rest * 2.0 ^ -10, native.sum(list))
    end
  end)
end)

describe("a summary", function()
  it("worked by hand", function()
    local s = orrery.summary { 2, 4, 4, 4, 5, 5, 7, 9 }
    assert.equal(8, s.count)
    assert.equal(5.0, s.mean)
    assert_near(math.sqrt(32 / 7), s.sd, 1e-15)
    -- t(0.975, 7) = 2.364624251592785, times 1 + 2.5 / 8 + 15 / 64. The deviations' cubes add up to
    -- 42, so the skewness is 8 / (7 * 6) * 42 / sd^3. By Hall, u standard errors from the mean are
    -- u + a u^2 / 3 + a^2 u^3 / 27 + a / 6 of a t without skewness.
    local x, a = 2.364624251592785 * (1 + 2.5 / 8 + 15 / 64), s.skewness / math.sqrt(8)
    local u = -s.half_width / math.sqrt(32 / 7 / 8)
    assert_near(8 / (32 / 7) ^ 1.5, s.skewness, 1e-14)
    assert_near(-x, u + a * u ^ 2 / 3 + a ^ 2 * u ^ 3 / 27 + a / 6, 1e-13)
    assert.equal(2.0, s.min)
    assert.equal(9.0, s.max)
  end)

  it("does not cancel: offsets of 10^9 and 10^15", function()
    for _, offset in ipairs { 0, 1e9, 1e15 } do
      local s = orrery.summary { offset + 4, offset + 7, offset + 13, offset + 16 }
      assert.equal(offset + 10, s.mean)
      assert.equal(math.sqrt(30), s.sd)
    end
  end)

  it("keeps a deviation of one unit in the last place", function()
    assert_near(2.0 ^ -52 / math.sqrt(2), orrery.summary({ 1, 1 + 2.0 ^ -52 }).sd, 1e-15)
  end)

  it("of equal values has their value as mean and no deviation", function()
    local rng = orrery.random(22)
    for n = 2, 300 do
      local x, list = rng:uniform(-100, 100), {}
      for i = 1, n do
        list[i] = x
      end
      local s = orrery.summary(list)
      assert.equal(x, s.mean)
      assert.equal(0.0, s.sd)
      assert.equal(0.0, s.half_width)
    end
  end)

  it("agrees with exact integer arithmetic", function()
    local rng = orrery.random(23)
    for _ = 1, rounds(500, 500, 21) do
      local n, list, sum, squares = rng:integer(2, 50), {}, 0, 0
      for i = 1, n do
        list[i] = rng:integer(-1000000, 1000000)
        sum, squares = sum + list[i], squares + list[i] ^ 2 // 1 | 0
      end
      local s = orrery.summary(list)
      assert_near(sum / n, s.mean, 1e-15, "mean")
      assert_near(math.sqrt((n * squares - sum * sum) / (n * (n - 1))), s.sd, 1e-14, "sd")
      assert_near(few_half(list), s.half_width, n > 24 and 1e-15 or 1e-9)
      assert.equal(math.min(table.unpack(list)), s.min)
      assert.equal(math.max(table.unpack(list)), s.max)
    end
  end)

  it("of none, one, NaN and infinities", function()
    local none = orrery.summary {}
    assert.equal(0, none.count)
    for _, field in ipairs { "mean", "sd", "half_width", "min", "max" } do
      assert_nan(none[field])
    end
    local one = orrery.summary { 3 }
    assert.same({ 1, 3.0, 3.0, 3.0 }, { one.count, one.mean, one.min, one.max })
    assert_nan(one.sd)
    assert_nan(one.half_width)
    for position = 1, 3 do
      local list = { 1, 2, 3 }
      list[position] = NAN
      local s = orrery.summary(list)
      for _, field in ipairs { "mean", "sd", "half_width", "min", "max" } do
        assert_nan(s[field])
      end
    end
    local infinite = orrery.summary { 1, math.huge }
    assert.equal(math.huge, infinite.mean)
    assert.equal(math.huge, infinite.max)
    assert_nan(infinite.sd)
  end)

  it("has an interval that covers the mean in 95% of the samples", function()
    local covered, samples = 0, 4000
    for scenario = 1, samples do
      local rng, list = orrery.random { seed = 24, scenario = scenario }, {}
      for i = 1, 25 do
        list[i] = rng:normal()
      end
      local s = orrery.summary(list)
      covered = covered + (math.abs(s.mean) <= s.half_width and 1 or 0)
    end
    local z = (covered - 0.95 * samples) / math.sqrt(samples * 0.95 * 0.05)
    assert.is_true(math.abs(z) < 4, "z = " .. z)
  end)
end)

describe("few samples", function()
  it("have intervals at other levels, too, wider ones of skewed and of fewer samples", function()
    local rng, wide = orrery.random(38), require("orrery.core").values.half_width
    for _ = 1, 300 do
      local list = {}
      for i = 1, rng:integer(2, 26) do list[i] = math.exp(rng:uniform(0, 2) * rng:normal()) end
      local s = orrery.summary(list)
      for _, level in ipairs { 0.5, 0.9, 0.95, 0.9974 } do
        local half = wide(s.count, s.sd, s.count > 2 and s.skewness or 0, level)
        assert_near(few_half(list, level), half, 1e-9)
        assert.is_true(half >= wide(s.count, s.sd, 0, level) * (1 - 1e-12))
      end
    end
    assert.equal(0.0, orrery.summary({ 3, 3, 3 }).half_width)
  end)

  -- Student's interval holds the mean in 70% and 77% of the samples. All surfaces print this one.
  it("of a long tail have an interval that holds their mean in 93% and more", function()
    for _, n in ipairs { 5, 24 } do
      local rng, held = orrery.random(n), 0
      for _ = 1, 4000 do
        local list = {}
        for i = 1, n do list[i] = math.exp(1.5 * rng:normal()) end
        local s = orrery.summary(list)
        held = held + (math.abs(s.mean - math.exp(1.125)) <= s.half_width and 1 or 0)
      end
      assert.is_true(held >= 0.93 * 4000 - 2 * math.sqrt(4000 * 0.93 * 0.07), n .. ": " .. held)
    end
  end)
end)

describe("a paired summary", function()
  it("is the summary of b - a", function()
    local rng = orrery.random(25)
    for _ = 1, rounds(200, 200, 10) do
      local a, b, difference = {}, {}, {}
      for i = 1, rng:integer(0, 30) do
        a[i], b[i] = rng:normal(), rng:normal()
        difference[i] = b[i] - a[i]
      end
      local expected, actual = orrery.summary(difference), orrery.summary_paired(a, b)
      for field, value in pairs(expected) do
        if value == value then
          assert.equal(value, actual[field])
        else
          assert_nan(actual[field])
        end
      end
    end
    local s = orrery.summary_paired({ 1, 2, 3 }, { 2, 4, 6 })
    assert.same({ 3, 2.0, 1.0, 1.0, 3.0 }, { s.count, s.mean, s.sd, s.min, s.max })
  end)
end)

describe("quantiles", function()
  it("interpolate as type 7 (by hand)", function()
    assert.same({ 1.0, 1.75, 2.5, 3.25, 4.0 },
      orrery.quantiles({ 4, 1, 3, 2 }, { 0, 0.25, 0.5, 0.75, 1 }))
    assert.same({ 15.0 + 0.4 * 5 }, orrery.quantiles({ 50, 20, 35, 15, 40 }, { 0.1 }))
    assert.same({ 7.0, 7.0 }, orrery.quantiles({ 7 }, { 0, 0.3 }))
    assert.same({}, orrery.quantiles({ 7 }, {}))
  end)

  it("agree with a sorted reference", function()
    local rng = orrery.random(26)
    for _ = 1, rounds(500, 500, 21) do
      local list, n = {}, rng:integer(1, 70)
      for i = 1, n do
        list[i] = rng:integer(-20, 20) * 0.25
      end
      local probabilities = { 0, rng:uniform(), rng:integer(0, n) / n, 1 }
      local given = table.move(list, 1, n, 1, {})
      local actual = orrery.quantiles(list, probabilities)
      assert.same(given, list)
      table.sort(list)
      for i, p in ipairs(probabilities) do
        local position = (n - 1) * p
        local below = math.floor(position)
        local low, high = list[below + 1], list[below + 2] or list[below + 1]
        assert.equal(low + (position - below) * (high - low), actual[i])
      end
    end
  end)

  it("do not depend on how the values stand, nor on how many are asked for #long", function()
    local rng = orrery.random(23)
    local kinds = {
      function() return rng:uniform() end,
      function() return rng:integer(0, 3) end, -- most are equal
      function(i) return i end,
      function(i) return -i end,
      function(i, count) return math.min(i, count - i) end,
      function(i) return i % 7 == 0 and math.huge or -rng:uniform() end,
    }
    local few = { 0.5, 0.9, 0.95, 0.99 }
    -- of more than eight a sorted list is made
    local all = { 0, 0.1, 0.25, 0.3, 0.5, 0.75, 0.9, 0.95, 0.99, 1 }
    for round, count in ipairs { 1, 2, 63, 64, 65, 100, 1000, 1001, 4097, 300000 } do
      for k, kind in ipairs(kinds) do
        local list = {}
        for i = 1, count do list[i] = kind(i, count) + 0.0 end
        local one_by_one, sorted = {}, orrery.quantiles(list, all)
        for i, p in ipairs(all) do one_by_one[i] = orrery.quantiles(list, { p })[1] end
        assert.same(sorted, one_by_one, ("round %d, kind %d"):format(round, k))
        assert.same({ sorted[5], sorted[7], sorted[8], sorted[9] }, orrery.quantiles(list, few))
      end
    end
  end)

  it("of nothing, NaN and infinities", function()
    assert_nan(orrery.quantiles({}, { 0.5 })[1])
    assert_nan(orrery.quantiles({ 1, NAN, 2 }, { 0 })[1])
    assert.same({ -math.huge, 1.0, math.huge, math.huge },
      orrery.quantiles({ math.huge, -math.huge, 1, math.huge, math.huge },
        { 0, 0.25, 0.6, 1 }))
  end)
end)

describe("Student's quantile", function()
  it("equals published table values", function()
    local columns = { 0.90, 0.95, 0.975, 0.99, 0.995, 0.999, 0.9995 }
    local rows = {
      [1] = { 3.078, 6.314, 12.706, 31.821, 63.657, 318.309, 636.619 },
      [2] = { 1.886, 2.920, 4.303, 6.965, 9.925, 22.327, 31.599 },
      [3] = { 1.638, 2.353, 3.182, 4.541, 5.841, 10.215, 12.924 },
      [5] = { 1.476, 2.015, 2.571, 3.365, 4.032, 5.893, 6.869 },
      [10] = { 1.372, 1.812, 2.228, 2.764, 3.169, 4.144, 4.587 },
      [20] = { 1.325, 1.725, 2.086, 2.528, 2.845, 3.552, 3.850 },
      [30] = { 1.310, 1.697, 2.042, 2.457, 2.750, 3.385, 3.646 },
      [100] = { 1.290, 1.660, 1.984, 2.364, 2.626, 3.174, 3.390 },
    }
    for dof, row in pairs(rows) do
      for i, p in ipairs(columns) do
        local t = native.student_quantile(p, dof)
        assert.is_true(math.abs(t - row[i]) <= 0.00051, ("t(%g, %d) = %.5f"):format(p, dof, t))
      end
    end
  end)

  it("equals the closed forms for 1, 2 and 4 degrees of freedom", function()
    local rng = orrery.random(27)
    for _ = 1, rounds(1000, 1000, 42) do
      local p = rng:uniform(0.501, 0.9999)
      local tail = 1 - p
      assert_near(1 / math.tan(math.pi * tail), native.student_quantile(p, 1), 2e-13)
      assert_near((p - tail) / math.sqrt(2 * p * tail), native.student_quantile(p, 2), 2e-13)
      local a = 2 * math.sqrt(p * tail)
      local four = 2 * math.sqrt(math.cos(math.acos(a) / 3) / a - 1)
      assert_near(four, native.student_quantile(p, 4), 1e-9)
    end
    -- far tails, where the distribution is a power
    assert_near(1 / (math.pi * 1e-300), -native.student_quantile(1e-300, 1), 1e-12)
    assert_near(1 / math.sqrt(2e-200), -native.student_quantile(1e-200, 2), 1e-12)
  end)

  -- P(|T| < t) for whole degrees of freedom, Abramowitz and Stegun 26.7.3 and 26.7.4
  local function centre(t, dof)
    local theta = math.atan(t / math.sqrt(dof))
    local sine, square = math.sin(theta), math.cos(theta) ^ 2
    local odd = dof % 2 == 1
    local term, sum = odd and math.cos(theta) or 1, 0
    for k = odd and 3 or 2, dof, 2 do
      sum = sum + term
      term = term * square * (k - 1) / k
    end
    return odd and (theta + sine * sum) * 2 / math.pi or sine * sum
  end

  it("inverts the distribution function for random dof and p", function()
    local rng = orrery.random(28)
    for _ = 1, rounds(2000, 2000, 84) do
      local p, dof = rng:uniform(), rng:integer(1, 400)
      local t = native.student_quantile(p, dof)
      assert.is_true(math.abs(centre(math.abs(t), dof) - math.abs(2 * p - 1)) < 2e-14,
        ("p = %.17g, dof = %d, t = %.17g"):format(p, dof, t))
      assert.equal(p > 0.5, t > 0)
    end
  end)

  it("tends to the normal quantile", function()
    local normal = {
      [0.75] = 0.6744897501960817, [0.9] = 1.2815515655446004, [0.975] = 1.959963984540054,
      [0.99] = 2.3263478740408408, [1e-10] = -6.361340902404056,
    }
    for p, z in pairs(normal) do
      for _, dof in ipairs { 1e15, 1e300, math.huge } do
        assert_near(z, native.student_quantile(p, dof), 1e-13, "p = " .. p)
      end
      -- first term of the expansion in 1/dof
      assert_near(z + (z ^ 3 + z) / 4e6, native.student_quantile(p, 1e6), 1e-9, "p = " .. p)
    end
  end)

  it("has no step where the method changes", function()
    for _, p in ipairs { 0.51, 0.74, 0.76, 0.9, 0.975, 0.9999, 1e-12, 1e-100 } do
      local z = native.student_quantile(p, math.huge)
      local limit = 1000 * (1 + z * z)
      local a = native.student_quantile(p, limit * (1 - 1e-9))
      local b = native.student_quantile(p, limit * (1 + 1e-9))
      local slope = (z ^ 3 + z) / 4 / limit * 2e-9
      assert_near(a - slope, b, 2e-13, "p = " .. p)
    end
    for dof = 1, 40 do -- centre and tail equations meet at p = 0.75
      local a, b = native.student_quantile(0.75, dof), native.student_quantile(0.75 + 1e-13, dof)
      assert.is_true(b > a and b - a < 1e-12)
    end
  end)

  it("is symmetric and 0 at 1/2", function()
    assert.equal(0.0, native.student_quantile(0.5, 3))
    for dof = 1, 200 do
      assert.equal(-native.student_quantile(0.875, dof), native.student_quantile(0.125, dof))
    end
  end)
end)

describe("the gamma distribution", function()
  it("equals Poisson sums for whole shapes", function()
    local rng = orrery.random(41)
    for _ = 1, rounds(2000, 2000, 84) do
      local shape = rng:integer(1, 60)
      local x = shape * rng:uniform(0, 2.5)
      local term, below = math.exp(-x), 0 -- P(N < shape), N Poisson of mean x
      for k = 1, shape do
        below, term = below + term, term * x / k
      end
      local p = native.gamma_distribution(shape, x)
      assert.is_true(math.abs(p - (1 - below)) < 1e-13, ("P(%d, %.17g)"):format(shape, x))
    end
  end)

  it("has its small values to all digits", function()
    local root = 2e-100 / math.sqrt(math.pi) -- erf(1e-100)
    assert_near(root, native.gamma_distribution(0.5, 1e-200), 1e-13)
    assert_near(1e-30 / 6, native.gamma_distribution(3, 1e-10), 1e-9) -- x^3/6 (1 - 3x/4 ...)
    assert_near(1e-5 - 0.5e-10, native.gamma_distribution(1, 1e-5), 1e-10) -- 1 - exp(-x)
  end)

  it("meets its recurrence and rises, for any shape", function()
    local rng = orrery.random(42)
    for _ = 1, rounds(1000, 1000, 42) do
      local shape = math.exp(rng:uniform(-3, 6.5))
      local x = shape * rng:uniform(0.5, 1.6)
      local p = native.gamma_distribution(shape, x)
      assert.is_true(p >= 0 and p <= 1 and p <= native.gamma_distribution(shape, x * 1.01) + 1e-14)
      -- P(a, x) - P(a + 1, x) = x^a e^-x / Gamma(a + 1); with a + 2 without the gamma function
      local a = p - native.gamma_distribution(shape + 1, x)
      local b = native.gamma_distribution(shape + 1, x) - native.gamma_distribution(shape + 2, x)
      local good = math.abs(b - a * x / (shape + 1)) < 1e-12
      assert.is_true(good, ("shape %.17g, x %.17g"):format(shape, x))
    end
  end)

  it("ends at 0 and 1", function()
    for _, shape in ipairs { 0.1, 1, 639.1, 1e6 } do
      assert.equal(0, native.gamma_distribution(shape, 0))
      assert.equal(0, native.gamma_distribution(shape, -1))
      assert.equal(1, native.gamma_distribution(shape, 1e9))
    end
    assert.equal(0, native.gamma_distribution(1e6, 1e3))
  end)
end)
