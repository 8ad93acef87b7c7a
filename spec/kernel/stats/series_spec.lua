-- The interval of a mean over blocks in order of time.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local function ones(n)
  local list = {}
  for i = 1, n do list[i] = 1 end
  return list
end

-- READINGS 39, step by step.
local function naive(sums, weights, level)
  local n, total, weight = #sums, 0, 0
  for i = 1, n do total, weight = total + sums[i], weight + weights[i] end
  local mean, e, squares, cubes = total / weight, {}, 0, 0
  for i = 1, n do
    e[i] = (sums[i] - mean * weights[i]) * n / weight
    squares, cubes = squares + e[i] ^ 2, cubes + e[i] ^ 3
  end
  local sd, y, middle = math.sqrt(squares / (n - 1)), {}, 0
  for i = 1, n do
    y[i] = e[i] / (2 * sd + math.abs(e[i]))
    middle = middle + y[i] / n
  end
  local function product(lag)
    local found = 0
    for i = lag + 1, n do found = found + (y[i] - middle) * (y[i - lag] - middle) end
    return found
  end
  local excess = 0
  for lag = 1, 2 do excess = excess + math.max(0, product(lag) / product(0) + 1.5 / n) end
  local factor = 1 + 2 * (1 + 8 / n) * excess
  if n < 8 or n / factor < 1.5 then return mean end
  local excess_log, q = math.log(1 + 2 * excess), math.min(math.max(table.unpack(e)),
    -math.min(table.unpack(e))) / sd
  local t = orrery.student_quantile((1 + level) / 2, 1.5 * (n - 1) / factor)
    * math.exp(0.12 + 2.8 / n + (1.5 * excess_log - 0.57 * q) / math.sqrt(n))
  local skewness = n / (n - 1) / (n - 2) * cubes / sd ^ 3
  local g = math.abs(skewness)
  local b = g / (1 + g)
  local k = (6.7 * b - 0.75 * g) / math.sqrt(n) - 1.1 * b * excess
  k = math.max(0, math.min(2, k))
  local error_of, a = sd * math.sqrt(factor / n), 1 - level
  local short, long = t * math.exp(-k * 2 * a / (a + 0.05)) * error_of, t * math.exp(k) * error_of
  if skewness > 0 then return mean, mean - short, mean + long end
  return mean, mean - long, mean + short
end

describe("the mean over blocks in order of time", function()
  it("has an interval, worked by hand", function()
    -- Residuals 1, 1, -1, 1, -1, -1, 1, -1 have sums of -3 and 0 over 8 at lags 1, 2; 1.5/8 more
    -- is above 0 at lag 2 alone. So x = 1.5/8, f = 1 + 2 * 2 * x = 1.75, and Student's quantile of
    -- 1.5 * 7 / 1.75 = 6 is 2.4469; the standard error is sqrt(8/7 / 8 * 1.75) = 0.5. The largest
    -- residual either way is 1, in standard deviations sqrt(7/8), and 1 + 2x = 1.375: the factor is
    -- exp(0.12 + 0.35 + (1.5 * 0.31845 - 0.57 * 0.93541)/2.82843). There is no skewness.
    local found = orrery.series_mean({ 11, 11, 9, 11, 9, 9, 11, 9 }, ones(8))
    local half = 0.5 * 2.4469118511 * math.exp(0.47 + (0.477681 - 0.533186) / 2.828427)
    assert.near(1.919, half, 0.001)
    assert.same({ 8, 10, true }, { found.count, found.mean, found.significant })
    assert.near(0.5, found.sd, 1e-12)
    assert.near(10 - half, found.low, 1e-6)
    assert.near(10 + half, found.high, 1e-6)
    -- Seven blocks of 0 and one of 8: mean 1, deviation s = sqrt(8), skewness g = s, b = 0.73880.
    -- Bounded residuals less their mean are 7c and seven times -c; the sums at lags 1, 2 are -9/56
    -- and -10/56 of the squares', and 1.5/8 more is 0.02679 and 0.00893. x = 1/28, f = 8/7, 9.1875
    -- degrees of freedom. The shorter side has q = 1/s. k = (6.7 b - 0.75 g)/s - 1.1 b x = 0.97104,
    -- and w = 1.
    local one = orrery.series_mean({ 0, 0, 0, 8, 0, 0, 0, 0 }, ones(8))
    local t = orrery.student_quantile(0.975, 9.1875)
      * math.exp(0.47 + (1.5 * math.log(1.0714286) - 0.57 / math.sqrt(8)) / math.sqrt(8))
    assert.near(1 - t * math.sqrt(8 / 7) * math.exp(-0.97104), one.low, 1e-4)
    assert.near(1 + t * math.sqrt(8 / 7) * math.exp(0.97104), one.high, 1e-4)
  end)

  it("has no interval where blocks are few, or worth few", function()
    for _, list in ipairs { { 1, 2, 1, 2, 1, 2, 1 }, { 1, 2, 3, 4, 5, 6, 7, 8 } } do
      local found = orrery.series_mean(list, ones(#list))
      assert.is_true(found.low ~= found.low and found.high ~= found.high and not found.significant)
      assert.equal(#list == 8, found.sd == found.sd)
    end
  end)

  it("is the naive reference, moves and stretches with what it is of", function()
    local rng, without = orrery.random(39), 0
    for _ = 1, rounds(2000, 500, 200) do
      local n, last = rng:integer(7, 60), 0
      local sums, weights, moved, mirrored = {}, {}, {}, {}
      for i = 1, n do
        last = 0.4 * last + rng:normal()
        weights[i] = rng:integer(1, 9)
        sums[i] = weights[i] * math.exp(last) - rng:uniform(0, 3)
        moved[i], mirrored[n + 1 - i] = 3 * sums[i] + 10 * weights[i], -sums[i]
      end
      local level = rng:uniform(0.5, 0.999)
      local found, mean, low, high = orrery.series_mean(sums, weights, level),
        naive(sums, weights, level)
      assert.near(mean, found.mean, 1e-9)
      if not low then
        without = without + 1
        assert.is_true(found.low ~= found.low)
      else
        local slack = 1e-7 * (high - low)
        assert.near(low, found.low, slack)
        assert.near(high, found.high, slack)
        local m = orrery.series_mean(moved, weights, level)
        assert.near(3 * low + 10, m.low, 10 * slack)
        assert.near(3 * high + 10, m.high, 10 * slack)
        for i = 1, n // 2 do weights[i], weights[n + 1 - i] = weights[n + 1 - i], weights[i] end
        local back = orrery.series_mean(mirrored, weights, level)
        assert.near(-high, back.low, slack)
        assert.near(-low, back.high, slack)
      end
    end
    assert.is_true(without > 0)
  end)

  it("is alone where all blocks are equal", function()
    local found = orrery.series_mean({ 2, 4, 6, 2, 4, 6, 2, 4 }, { 1, 2, 3, 1, 2, 3, 1, 2 })
    assert.same({ 2, 2, 2, 0, true },
      { found.mean, found.low, found.high, found.sd, found.significant })
  end)

  -- The coverage of READINGS 39, and that Student's interval would not have it.
  it("covers the mean of correlated skewed blocks", function()
    local count, truth = rounds(4000), math.exp(0.5)
    local slack = 4 * math.sqrt(0.95 * 0.05 / count)
    for n, least in pairs { [8] = 0.92, [13] = 0.92, [26] = 0.93, [52] = 0.93 } do
      local rng, hits, student, told = orrery.random(n), 0, 0, 0
      for _ = 1, count do
        local list, z = {}, rng:normal()
        for i = 1, n do
          list[i] = math.exp(z)
          z = 0.5 * z + math.sqrt(0.75) * rng:normal()
        end
        local found, s = orrery.series_mean(list, ones(n)), orrery.summary(list)
        told = told + (found.low == found.low and 1 or 0)
        hits = hits + (found.low <= truth and truth <= found.high and 1 or 0)
        local half = orrery.student_quantile(0.975, n - 1) * s.sd / math.sqrt(n)
        student = student + (math.abs(s.mean - truth) <= half and 1 or 0)
      end
      assert.is_true(hits >= (least - slack) * told and hits <= (0.97 + slack) * told,
        n .. ": " .. hits / told)
      assert.is_true(told >= (n < 13 and 0.7 or 0.9) * count, n .. ": " .. told)
      assert.is_true(student < 0.85 * count, n .. ": " .. student)
    end
  end)

  it("is no wider than independent normal blocks need", function()
    local count = 4000
    for n, most in pairs { [8] = 0.975, [13] = 0.97, [26] = 0.97 } do
      local rng, hits, told = orrery.random(n), 0, 0
      for _ = 1, count do
        local list = {}
        for i = 1, n do list[i] = rng:normal() end
        local found = orrery.series_mean(list, ones(n))
        told = told + (found.low == found.low and 1 or 0)
        hits = hits + (found.low <= 0 and found.high >= 0 and 1 or 0)
      end
      local slack = 3 * math.sqrt(0.03 * 0.97 / count)
      assert.is_true(hits >= (0.95 - slack) * told and hits <= (most + slack) * told,
        n .. ": " .. hits / told)
    end
  end)

  it("refuses what is no blocks", function()
    local function refused(expected, ...)
      local ok, problem = pcall(orrery.series_mean, ...)
      assert.is_false(ok)
      assert.matches(expected, problem, 1, true)
    end
    refused("as many weights as sums", { 1 }, { 1, 2 })
    refused("the weights of all blocks together are 0", { 1, 2 }, { 0, 0 })
    refused("block 2: expected a finite sum and a weight of at least 0, found 2 and -1", { 1, 2 },
      { 1, -1 })
    refused("level: expected a number between 0 and 1, found 95", { 1, 2 }, { 1, 1 }, 95)
  end)
end)
