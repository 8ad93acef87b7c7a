-- The bootstrap of a mean over blocks.
local orrery = require "orrery"

local function ones(n)
  local list = {}
  for i = 1, n do list[i] = 1 end
  return list
end

local function draw(rng, n, f)
  local list = {}
  for i = 1, n do list[i] = f(rng) end
  return list
end

describe("a bootstrap", function()
  it("of two blocks, worked by hand", function()
    -- Replicates are 0, 1/2, 1 with probabilities 1/4, 1/2, 1/4: no bias, and two blocks are never
    -- skewed, so the interval is from the 2.5% to the 97.5% quantile; the variance is 1/8.
    local b = orrery.bootstrap({ 0, 1 }, { 1, 1 }, { resamples = 40000 })
    assert.same({ 2, 0.5, 0, 1, false }, { b.count, b.mean, b.low, b.high, b.significant })
    assert.near(math.sqrt(1 / 8), b.sd, 0.003)
    -- 40% lie between the 30% and the 70% quantile: all of it is 1/2
    local narrow = orrery.bootstrap({ 0, 1 }, { 1, 1 }, { level = 0.4 })
    assert.same({ 0.5, 0.5 }, { narrow.low, narrow.high })
  end)

  it("weighs blocks: the mean is that over all that is in them", function()
    local b = orrery.bootstrap({ 10, 300, 0 }, { 1, 100, 0 })
    assert.equal(310 / 101, b.mean)
    assert.is_true(b.low >= 3 and b.high <= 10)
    local same = orrery.bootstrap({ 4, 6, 2 }, { 2, 3, 1 })
    assert.same({ 2, 2, 2, 0, true }, { same.mean, same.low, same.high, same.sd, same.significant })
    local single = orrery.bootstrap({ 5 }, { 2 })
    assert.equal(2.5, single.mean)
    assert.is_true(single.low ~= single.low and single.sd ~= single.sd and not single.significant)
  end)

  it("covers the truth about as often as it says", function()
    for _, case in ipairs { { "normal", 0 }, { "exponential", 2 } } do
      local rng, hits = orrery.random(5), 0
      for _ = 1, 300 do
        local list = draw(rng, 30, function(r) return r[case[1]](r, 2) end)
        if case[1] == "normal" then list = draw(rng, 30, function(r) return r:normal() end) end
        local b = orrery.bootstrap(list, ones(30), { resamples = 400, level = 0.9 })
        if b.low <= case[2] and case[2] <= b.high then hits = hits + 1 end
      end
      assert.is_true(hits > 0.84 * 300 and hits < 0.95 * 300, case[1] .. ": " .. hits)
    end
  end)

  it("is Student's interval for many blocks, and longer on the long side of skewed ones", function()
    local rng = orrery.random(6)
    local list = draw(rng, 400, function(r) return r:normal() end)
    local b, t = orrery.bootstrap(list, ones(400)), orrery.summary(list)
    assert.near(t.mean, b.mean, 1e-12)
    assert.near(t.half_width, b.mean - b.low, 0.08 * t.half_width)
    assert.near(t.half_width, b.high - b.mean, 0.08 * t.half_width)
    for _ = 1, 20 do
      local skewed = draw(rng, 25, function(r) return r:exponential(1) ^ 2 end)
      local s = orrery.bootstrap(skewed, ones(25), { resamples = 2000 })
      assert.is_true(s.high - s.mean > s.mean - s.low)
    end
  end)

  it("moves and stretches with what it is of", function()
    local rng = orrery.random(7)
    for _ = 1, 30 do
      local n = rng:integer(2, 12)
      local sums = draw(rng, n, function(r) return r:uniform(-5, 5) end)
      local weights = draw(rng, n, function(r) return r:integer(1, 9) end)
      local moved = {}
      for i = 1, n do moved[i] = 3 * sums[i] + 10 * weights[i] end
      local b = orrery.bootstrap(sums, weights, { resamples = 300, seed = n })
      local m = orrery.bootstrap(moved, weights, { resamples = 300, seed = n })
      for _, end_of in ipairs { "mean", "low", "high" } do
        assert.near(3 * b[end_of] + 10, m[end_of], 1e-9)
      end
    end
  end)

  it("is the same for the same seed, and another for another", function()
    local sums = draw(orrery.random(8), 9, function(r) return r:normal() end)
    local function ask(seed) return orrery.bootstrap(sums, ones(9), { seed = seed }) end
    assert.same(ask(1), ask(1))
    assert.same(ask(1), orrery.bootstrap(sums, ones(9)))
    assert.not_equal(ask(1).sd, ask(2).sd)
    assert.near(ask(1).high, ask(2).high, 0.2 * ask(1).sd)
  end)

  it("refuses what is no blocks", function()
    local function refused(expected, ...)
      local ok, problem = pcall(orrery.bootstrap, ...)
      assert.is_false(ok)
      assert.matches(expected, problem, 1, true)
    end
    refused("as many weights as sums", { 1 }, { 1, 2 })
    refused("the weights of all blocks together are 0", { 1, 2 }, { 0, 0 })
    refused("block 2: expected a finite sum and a weight of at least 0, found 2 and -1", { 1, 2 },
      { 1, -1 })
    refused("block 1: expected a finite sum", { 1 / 0 }, { 1 })
    refused("unknown option 'sead' (known: level, resamples, seed)", { 1 }, { 1 },
      { sead = 1 })
    refused("level: expected a number between 0 and 1, found 95", { 1, 2 }, { 1, 1 },
      { level = 95 })
  end)
end)
