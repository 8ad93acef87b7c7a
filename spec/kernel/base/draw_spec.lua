local orrery = require "orrery"
local native = require "native_base"

-- Kolmogorov-Smirnov: sqrt(n) times the largest distance between the sample's and the given
-- distribution function; beyond 2.3 once in 20 000 tests.
local function ks(sample, distribution)
  table.sort(sample)
  local n, distance = #sample, 0
  for i, x in ipairs(sample) do
    local f = distribution(x)
    distance = math.max(distance, i / n - f, f - (i - 1) / n)
  end
  return distance * math.sqrt(n)
end

local function assert_distributed(draw, distribution, what)
  local sample = {}
  for i = 1, 20000 do
    sample[i] = draw()
  end
  local d = ks(sample, distribution)
  assert.is_true(d < 2.3, ("%s: D sqrt(n) = %.3f"):format(what, d))
end

local function normal_distribution(x)
  if math.abs(x) > 7 then
    return x > 0 and 1 or 0
  end
  local term, sum, k = x, 0, 1
  while sum + term ~= sum do
    sum, k = sum + term, k + 2
    term = term * x * x / k
  end
  return 0.5 + sum * math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
end

local function assert_near(expected, actual, relative)
  assert.is_true(math.abs(actual - expected) <= relative * math.abs(expected),
    ("expected %.17g, got %.17g"):format(expected, actual))
end

-- A generator whose next word is `word`, and a copy of it that stands behind this word.
local function with_word(word)
  local rng = orrery.random { state = 5, sequence = 77 }
  native.goto_state(rng, 0, word) -- top bits 0: no rotation, the output is low ~ high
  local behind = rng:copy()
  assert.equal(word, behind:next())
  return rng, behind
end

describe("a uniform number", function()
  it("is in [0, 1), a multiple of 2^-53 (by hand)", function()
    assert.equal(0.0, with_word(0):uniform())
    assert.equal(1 - 2.0 ^ -53, with_word(-1):uniform())
    assert.equal(0.5, with_word(1 << 63):uniform())
  end)

  it("stays below the upper end, whatever the rounding", function()
    assert.is_true(with_word(-1):uniform(1, 1 + 2 ^ -52) < 1 + 2 ^ -52)
    assert.is_true(with_word(-1):uniform(1e16, 1e16 + 2) < 1e16 + 2)
    assert.equal(3.0, with_word(-1):uniform(3, 3))
    assert.equal(-2.0, with_word(0):uniform(-2, 3))
  end)

  it("is uniform", function()
    local rng = orrery.random(31)
    assert_distributed(function() return rng:uniform() end, function(x) return x end, "unit")
    assert_distributed(function() return rng:uniform(-3, 7) end,
      function(x) return (x + 3) / 10 end, "interval")
    assert_distributed(function() return native.unit_positive(rng) end,
      function(x) return x end, "positive")
  end)
end)

describe("a positive uniform number", function()
  it("is the word rounded up to 53 bits (by hand)", function()
    assert.equal(1.0, native.unit_positive(with_word(-1)))
    assert.equal(0.5 + 2.0 ^ -53, native.unit_positive(with_word(1 << 63)))
    assert.equal(2.0 ^ -11, native.unit_positive(with_word((1 << 53) - 1)))
    assert.equal((2.0 ^ 52 + 1) * 2.0 ^ -64, native.unit_positive(with_word(1 << 52)))
  end)

  it("takes what is missing to 53 bits from the next word", function()
    for zeros = 12, 63 do
      local word = (1 << 63) >> zeros | 1
      local rng, behind = with_word(word)
      local bits = word << zeros | behind:next() >> (64 - zeros)
      assert.equal(((bits >> 11) + 1) * 2.0 ^ (-53 - zeros), native.unit_positive(rng))
      assert.same({ native.state(behind) }, { native.state(rng) })
    end
  end)

  it("goes on behind a word of zeros", function()
    local rng, behind = with_word(0)
    assert_near(native.unit_positive(behind) * 2.0 ^ -64, native.unit_positive(rng), 0)
    assert.same({ native.state(behind) }, { native.state(rng) })
  end)

  it("has all its bits below 2^-12 and falls below 2^-k with probability 2^-k", function()
    local rng, n, below, seen = orrery.random(32), 1000000, {}, 0
    for _ = 1, n do
      local u = native.unit_positive(rng)
      for k = 1, 14 do
        if u > 2.0 ^ -k then
          break
        end
        below[k] = (below[k] or 0) + 1
      end
      if u < 2.0 ^ -12 then
        local mantissa = u
        while mantissa < 2.0 ^ 52 do
          mantissa = mantissa * 2
        end
        assert.equal(0.0, mantissa % 1)
        seen = seen | math.tointeger(mantissa)
      end
    end
    assert.equal((1 << 53) - 1, seen)
    for k = 1, 14 do
      local p = 2.0 ^ -k
      assert.is_true(math.abs(below[k] - n * p) < 4.5 * math.sqrt(n * p * (1 - p)), "k = " .. k)
    end
  end)
end)

describe("continuous distributions", function()
  local rng = orrery.random(33)

  it("exponential", function()
    for _, mean in ipairs { 1e-9, 1, 3.2e7 } do
      assert_distributed(function() return rng:exponential(mean) end,
        function(x) return 1 - math.exp(-x / mean) end, "mean " .. mean)
    end
    assert_near(2 * math.log(2), with_word((1 << 63) - 1):exponential(2), 0) -- U = 1/2
    assert.equal("0.0", tostring(with_word(-1):exponential(2)))
  end)

  it("Weibull", function()
    for _, shape in ipairs { 0.5, 0.7, 1, 3 } do
      assert_distributed(function() return rng:weibull(shape, 100) end,
        function(x) return 1 - math.exp(-(x / 100) ^ shape) end, "shape " .. shape)
    end
    assert_near(5 * math.log(2) ^ 2, with_word((1 << 63) - 1):weibull(0.5, 5), 1e-15)
  end)

  it("normal", function()
    assert_distributed(function() return rng:normal() end, normal_distribution, "normal")
    local sum, squares, fourth, n = 0, 0, 0, 200000
    for _ = 1, n do
      local z = rng:normal()
      sum, squares, fourth = sum + z, squares + z * z, fourth + z ^ 4
    end
    assert.is_true(math.abs(sum / math.sqrt(n)) < 4)
    assert.is_true(math.abs(squares - n) < 4 * math.sqrt(2 * n))
    assert.is_true(math.abs(fourth - 3 * n) < 4 * math.sqrt(96 * n))
  end)

  it("lognormal", function()
    assert_distributed(function() return rng:lognormal(2, 0.5) end,
      function(x) return normal_distribution((math.log(x) - 2) / 0.5) end, "lognormal")
    assert.equal(math.exp(2), rng:lognormal(2, 0))
  end)

  it("gamma", function()
    for _, shape in ipairs { 0.05, 0.5, 1, 1.5, 6.57, 639.1 } do
      assert_distributed(function() return rng:gamma(shape, 3) end,
        function(x) return native.gamma_distribution(shape, x / 3) end, "shape " .. shape)
      local sum, squares, n = 0, 0, 100000
      for _ = 1, n do
        local x = rng:gamma(shape, 1) - shape
        sum, squares = sum + x, squares + x * x
      end
      assert.is_true(math.abs(sum) < 4 * math.sqrt(n * shape), "mean, shape " .. shape)
      -- the fourth central moment is 3 k^2 + 6 k
      assert.is_true(math.abs(squares - n * shape) < 4 * math.sqrt(n * (2 * shape ^ 2 + 6 * shape)),
        "variance, shape " .. shape)
    end
  end)

  it("take no state but the position: two copies give the same", function()
    for _, method in ipairs { "normal", "exponential", "weibull", "lognormal", "gamma" } do
      local a = orrery.random(34)
      local b = a:copy()
      for _ = 1, 100 do
        assert.equal(a[method](a, 1, 2), b[method](b, 1, 2))
      end
      assert.same({ native.state(a) }, { native.state(b) })
    end
  end)
end)

describe("the geometric distribution", function()
  it("is prepared exactly over the whole range of hazards", function()
    for _, case in ipairs {
      -- hazard, q, ln q, by series where one side is small
      { 1e-300, 1e-300, math.log(1e-300) },
      { 1e-20, 1e-20, math.log(1e-20) },
      { 1e-9, 1e-9 - 0.5e-18, math.log(1e-9) - 0.5e-9 },
      { math.log(2), 0.5, -math.log(2) },
      { 0.6931471805599452, 0.5, -math.log(2) },
      { 0.6931471805599454, 0.5, -math.log(2) },
      { 20, 1 - math.exp(-20), -math.exp(-20) - math.exp(-40) / 2 },
      { 50, 1, -math.exp(-50) },
      { 700, 1, -math.exp(-700) },
    } do
      local q, inverse = native.geometric_prepare(case[1])
      assert_near(case[2], q, 4e-16)
      assert_near(1 / case[3], inverse, 1e-15)
    end
    assert.same({ 0.0, 0.0 }, { native.geometric_prepare(0) })
    assert.same({ 1.0, -math.huge }, { native.geometric_prepare(1000) })
  end)

  it("has no failures without a hazard, endless ones past 710", function()
    local rng = orrery.random(35)
    for _ = 1, 1000 do
      assert.equal(0.0, native.geometric_draw(rng, 0))
      assert.equal(math.huge, native.geometric_draw(rng, 800))
    end
    assert.equal(0.0, native.geometric_draw(with_word(0), 0))
    assert.equal(0.0, native.geometric_draw(with_word(-1), 0))
  end)

  it("worked by hand: U = 1/2 at q = 1/2, and the numbers beside it", function()
    local hazard = math.log(2)
    assert.equal(1.0, native.geometric_draw(with_word((1 << 63) - 1), hazard))
    assert.equal(0.0, native.geometric_draw(with_word(1 << 63), hazard))
    assert.equal(2.0, native.geometric_draw(with_word((1 << 62) - 1), hazard))
    assert.equal(1.0, native.geometric_draw(with_word(1 << 62), hazard))
  end)

  it("has a failure exactly where U <= q, for tiny q too", function()
    local pick = orrery.random(36)
    for _ = 1, 3000 do
      local hazard = math.exp(pick:uniform(-60, 4))
      local q, inverse = native.geometric_prepare(hazard)
      local rng = with_word(pick:next() >> pick:integer(0, 64))
      local u = native.unit_positive(rng:copy())
      local failures = native.geometric_draw(rng, hazard)
      assert.equal(u <= q, failures >= 1)
      if failures >= 1 then
        assert.equal(math.max(1, math.floor(math.log(u) * inverse)), math.floor(failures))
      end
    end
  end)

  it("has exactly one failure at U = q, where logarithms round, and none just above", function()
    local pick = orrery.random(40)
    for _ = 1, 5000 do
      local hazard = pick:uniform(0.7, 5) -- q in (1/2, 1)
      local q = native.geometric_prepare(hazard)
      local word = math.tointeger(q * 2.0 ^ 53) - 1 << 11
      assert.equal(q, native.unit_positive(with_word(word)))
      assert.equal(1.0, native.geometric_draw(with_word(word), hazard))
      assert.equal(0.0, native.geometric_draw(with_word(word + (1 << 11)), hazard))
    end
  end)

  it("meets its distribution function where counts are small", function()
    for _, q in ipairs { 0.01, 0.05, 0.3, 0.5, 0.8 } do
      local rng, n, counts = orrery.random { seed = 37, entity = q * 100 // 1 | 0 }, 50000, {}
      for _ = 1, n do
        local f = rng:geometric { q = q }
        if math.type(f) ~= "integer" then error(f) end
        counts[f] = (counts[f] or 0) + 1
      end
      local chi, cells, f, rest = 0, 0, 0, n
      while n * q ^ f * (1 - q) >= 10 do
        local expected = n * q ^ f * (1 - q)
        chi, rest = chi + ((counts[f] or 0) - expected) ^ 2 / expected, rest - (counts[f] or 0)
        cells, f = cells + 1, f + 1
      end
      chi = chi + (rest - n * q ^ f) ^ 2 / (n * q ^ f)
      local good = chi < cells + 4.5 * math.sqrt(2 * cells)
      assert.is_true(good, ("q = %g: %g with %d"):format(q, chi, cells))
    end
  end)

  it("meets its distribution function where counts are huge", function()
    for name, case in pairs {
      ["q = 1 - 1e-6"] = { { q = 1 - 1e-6 }, 1e-6 },
      ["q = 1 - 1e-12"] = { { q = 1 - 1e-12 }, 1e-12 },
      ["hazard 40"] = { { hazard = 40 }, math.exp(-40) },
      ["hazard 690"] = { { hazard = 690 }, math.exp(-690) },
    } do
      local rng = orrery.random(38)
      assert_distributed(function() return rng:geometric(case[1]) end,
        function(x) return 1 - math.exp(-(x + 1) * case[2]) end, name)
    end
  end)

  it("never fails at q = 1e-20 in practice, and does where U says so", function()
    local rng = orrery.random(39)
    for _ = 1, 10000 do
      assert.equal(0, rng:geometric { q = 1e-20 })
    end
    -- U below 2^-64 = 5.4e-20: a failure in 18% of the cases
    local failures, n = 0, 10000
    for _ = 1, n do
      local small = orrery.random { state = 0, sequence = rng:next() }
      native.goto_state(small, 0, 0)
      failures = failures + small:geometric { q = 1e-20 }
    end
    local p = 1e-20 * 2.0 ^ 64
    assert.is_true(math.abs(failures - n * p) < 4.5 * math.sqrt(n * p * (1 - p)))
  end)
end)

describe("first draws", function()
  it("are committed", function()
    local function open()
      return orrery.random { seed = 1, set = 2, scenario = 3, entity = 4 }
    end
    local golden = {
      { "uniform", {}, 0.45291618024105262, 0.95383891001684562, 0.76649578751825453 },
      { "uniform", { -5, 10 }, 1.7937427036157896, 9.3075836502526847, 6.4974368127738185 },
      { "integer", { 1, 1000 }, 614, 716, 362 },
      { "exponential", { 100 }, 79.204820320020048, 4.726047921656054, 26.592607642150206 },
      { "geometric", { { q = 0.9 } }, 7, 0, 2 },
      { "geometric", { { hazard = 30 } }, 8464202990840, 505047909858, 2841812256242 },
      { "weibull", { 0.7, 1000 }, 716.73637733302201, 12.776911515742409, 150.74048008243759 },
      { "lognormal", { 2, 1.5 }, 6.728484903740128, 78.160898112273188, 7.3943577332072525 },
      { "normal", {}, -0.062433338288251129, 1.5725129989051854, 0.0004781605984544372 },
    }
    for _, g in ipairs(golden) do
      local rng = open()
      for i = 3, 5 do
        assert_near(g[i], rng[g[1]](rng, table.unpack(g[2])), 1e-15)
      end
    end
  end)
end)
