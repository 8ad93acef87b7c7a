-- Statistics of values that are not kept, held against those of all values.
local orrery = require "orrery"
local few = require "spec.support.few"
local native = require "native_base"
local rounds = require "spec.support.rounds"

local NAN = 0 / 0

local function is_same(a, b) return a == b or a ~= a and b ~= b end

local function near(expected, found, share, what)
  local good = is_same(expected, found) or math.abs(found - expected) <= share * math.abs(expected)
  assert.is_truthy(good, ("%s: expected %.17g, got %.17g"):format(what, expected, found))
end

-- Numbers of one kind: far from 0 and near each other, of many sizes, whole ones, one far out.
local KINDS = {
  function(rng) return 1e6 + rng:uniform(0, 1) end,
  function(rng) return 10 ^ rng:uniform(-200, 140) end,
  function(rng) return rng:integer(-3, 9) end,
  function(rng, i) return i == 1 and 1e9 or rng:uniform(0, 1) end,
  function(rng) return rng:uniform(-1, 1) end,
  function() return 0.1 end,
}

local function samples(rng, kind)
  local list = {}
  for i = 1, rng:integer(1, 200) do list[i] = kind(rng, i) end
  return list
end

describe("running moments", function()
  it("are right by hand", function()
    local mean, sd, half_width, min, max, negative, positive = native.running { 2, -4, 0, 6 }
    assert.same({ 1, -4, 6, 1, 2 }, { mean, min, max, negative, positive })
    near(math.sqrt(52 / 3), sd, 1e-15, "sd")
    near(few { 2, -4, 0, 6 }, half_width, 1e-11, "half width")
  end)

  it("are those of all values", function()
    local rng = orrery.random(8)
    for round = 1, rounds(400) do
      local list = samples(rng, KINDS[round % #KINDS + 1])
      local all = orrery.summary(list)
      local mean, sd, half_width, min, max = native.running(list)
      assert.same({ all.mean, all.min, all.max }, { mean, min, max })
      near(all.sd, sd, 1e-12, "sd")
      near(all.half_width, half_width, 1e-12, "half width")
    end
  end)

  -- Rounded, all deviations would be off by the same, and their squares' sum by much more.
  it("bear a first value far out", function()
    local list = { 1e9 / 3 }
    for i = 2, 100000 do list[i] = 0.1 end
    local _, sd = native.running(list)
    near(orrery.summary(list).sd, sd, 1e-13, "sd")
  end)

  it("are none where values are none, and infinite where these are", function()
    for _, list in ipairs { {}, { 3 }, { 1, NAN, 2 }, { NAN, 1 }, { 1, math.huge, 2 },
      { math.huge, math.huge }, { -math.huge, 1 }, { math.huge, -math.huge } } do
      local all = orrery.summary(list)
      local mean, sd, half_width, min, max = native.running(list)
      for name, value in pairs { mean = mean, sd = sd, half_width = half_width, min = min,
        max = max } do
        assert.is_true(is_same(all[name], value), name .. " " .. #list)
      end
    end
  end)

  it("of equal values have no deviation", function()
    for _, value in ipairs { 0.1, 1e300, -7 } do
      local mean, sd = native.running { value, value, value }
      assert.same({ value, 0 }, { mean, sd })
    end
  end)
end)

describe("a histogram", function()
  local PARTS = { 0, 0.1, 0.25, 0.5, 0.75, 0.99, 1 }

  -- 1 and 1 + 2^-11 share a bucket; of three values there the middle one is taken to be half way.
  it("is right by hand", function()
    local share = 2.0 ^ -11
    assert.same({ 1 + share / 2 }, native.histogram({ 1, 1 + share / 8, 1 + share }, { 0.5 }))
    assert.same({ 1, 1.5, 3 }, native.histogram({ 3, 1, 2, 1 }, { 0.25, 0.5, 1 }))
    assert.same({ -2, 0, 5 }, native.histogram({ 5, -2, 0.0, -0.0, 0.0 }, { 0, 0.5, 1 }))
  end)

  -- Between a value below 0 and one above, the greater size counts.
  it("has quantiles that are off by less than 2^-10 of themselves", function()
    local rng = orrery.random(9)
    for round = 1, rounds(400) do
      local list = samples(rng, KINDS[round % #KINDS + 1])
      local all, found = orrery.quantiles(list, PARTS), native.histogram(list, PARTS)
      for i, part in ipairs(PARTS) do
        local size = math.abs(all[i])
        if round % #KINDS == 4 then size = 1 end
        assert.is_true(math.abs(found[i] - all[i]) <= size * 2.0 ^ -10 * (1 + 1e-12), part)
      end
      assert.same({ all[1], all[#all] }, { found[1], found[#found] })
    end
  end)

  -- Nine values of ten lie at the lower edges of their buckets.
  it("is not off by more where values crowd", function()
    local rng = orrery.random(11)
    for _ = 1, rounds(100) do
      local list, most = {}, 0
      for i = 1, 1000 do
        local bucket = rng:uniform(0, 1) < 0.9 and 0 or 3
        list[i] = 1 + (bucket + rng:uniform(0, 1) ^ 8) * 2.0 ^ -10
      end
      local all, found = orrery.quantiles(list, PARTS), native.histogram(list, PARTS)
      for i, value in ipairs(all) do most = math.max(most, math.abs(found[i] / value - 1)) end
      assert.is_true(most > 2.0 ^ -12 and most <= 2.0 ^ -10, most)
    end
  end)

  it("has exact quantiles of small whole numbers, in any order", function()
    local rng = orrery.random(10)
    for _ = 1, rounds(100) do
      local list = {}
      for i = 1, rng:integer(1, 100) do list[i] = rng:integer(-1024, 1024) end
      local all = orrery.quantiles(list, PARTS)
      assert.same(all, native.histogram(list, PARTS))
      table.sort(list)
      assert.same(all, native.histogram(list, PARTS))
    end
  end)

  it("bears infinities, and has no quantiles of what is no number", function()
    assert.same({ -math.huge, 1, math.huge },
      native.histogram({ 1, math.huge, -math.huge }, { 0, 0.5, 1 }))
    for _, list in ipairs { {}, { 1, NAN, 2 } } do
      local found = native.histogram(list, { 0, 0.5 })
      assert.is_true(found[1] ~= found[1] and found[2] ~= found[2])
    end
    assert.has_error(function() native.histogram({ 1 }, { 2 }) end,
      "a quantile's probability is in [0, 1], not 2")
  end)
end)
