-- Statistics of order, held against enumeration: of all signs, of all pairs, of all outcomes of n
-- draws.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local NAN = 0 / 0

local function is_nan(x) return x ~= x end

local function sorted(list)
  local copy = table.move(list, 1, #list, 1, {})
  table.sort(copy)
  return copy
end

-- --- Wilcoxon's test, slowly --------------------------------------------------------------------

-- The differences other than 0, and the mean rank of each one's size, by counting.
local function ranks_of(list)
  local kept, ranks = {}, {}
  for _, d in ipairs(list) do
    if d ~= 0 then kept[#kept + 1] = d end
  end
  for i, d in ipairs(kept) do
    local below, equal = 0, 0
    for _, other in ipairs(kept) do
      if math.abs(other) < math.abs(d) then below = below + 1 end
      if math.abs(other) == math.abs(d) then equal = equal + 1 end
    end
    ranks[i] = below + (equal + 1) / 2
  end
  return kept, ranks
end

-- The statistic, and the share of all 2^n signs with one as far from the middle, or farther, on its
-- side, twice.
local function enumerate(list)
  local kept, ranks = ranks_of(list)
  local statistic, lower, upper = 0, 0, 0
  for i, d in ipairs(kept) do statistic = statistic + (d > 0 and ranks[i] or 0) end
  for signs = 0, (1 << #kept) - 1 do
    local sum = 0
    for i, rank in ipairs(ranks) do sum = sum + (signs >> (i - 1) & 1) * rank end
    if sum <= statistic then lower = lower + 1 end
    if sum >= statistic then upper = upper + 1 end
  end
  return statistic, math.min(1, 2 * math.min(lower, upper) / (1 << #kept))
end

-- The means of all pairs i <= j, in order.
local function pair_means(list)
  local means = {}
  for i = 1, #list do
    for j = i, #list do means[#means + 1] = list[i] / 2 + list[j] / 2 end
  end
  return sorted(means)
end

-- The shares of the sums 0 .. n (n + 1) / 2 of the ranks 1 .. n, over all subsets.
local function sums_of_ranks(n)
  local share = { [0] = 1 }
  for rank = 1, n do
    local more = {}
    for sum = 0, rank * (rank + 1) // 2 do
      more[sum] = ((share[sum] or 0) + (share[sum - rank] or 0)) / 2
    end
    share = more
  end
  return share
end

local function some_differences(rng, n)
  local list, is_coarse = {}, rng:integer(1, 2) == 1
  for i = 1, n do
    list[i] = is_coarse and rng:integer(-4, 6) * 0.5 or rng:normal() + 0.4
  end
  return list
end

describe("signed ranks", function()
  it("worked by hand", function()
    -- Sizes 1, 1, 2, 3, 4 have the ranks 1.5, 1.5, 3, 4, 5; above 0 are 1, 2, 3, 4: 13.5. Of the 32
    -- signs 13.5 or more have: none below 0 (15), one of the two 1 (13.5, twice): 3.
    local found = orrery.signed_rank { 2, -1, 0, 4, 1, 3 }
    assert.same({ 6, 5, 13.5, 6 / 32 }, { found.count, found.ranked, found.statistic, found.p })
    -- Pairs of 1, 2, 4 have the means 1, 1.5, 2, 2.5, 3, 4; three say too little for an interval.
    found = orrery.signed_rank { 4, 1, 2 }
    assert.same({ 2.25, -math.huge, math.huge }, { found.estimate, found.low, found.high })
    -- All six signs equal have 2/64 = 3.1%, 1 and 20 have 6.2%: the ends are the extreme pairs.
    found = orrery.signed_rank { 1, 2, 3, 4, 5, 9 }
    assert.same({ 21, 1 / 32, 1, 9 }, { found.statistic, found.p, found.low, found.high })
    -- 0, 1 and 2 together 3/64 = 4.7%: the third pair, of 1, 1.5, 2, 2, is the end with 90%.
    assert.equal(2, orrery.signed_rank({ 1, 2, 3, 4, 5, 9 }, 0.9).low)
  end)

  -- Published: the largest sum with a two-sided p of at most 5% (Wilcoxon and Wilcox 1964).
  it("have the critical values of the tables", function()
    for n, most in pairs { [6] = 0, [7] = 2, [8] = 3, [9] = 5, [10] = 8, [11] = 10, [12] = 13,
      [15] = 25, [20] = 52, [25] = 89, [30] = 137, [40] = 264, [50] = 434 } do
      for _, case in ipairs { { most, true }, { most + 1, false } } do
        local list, left = {}, case[1] -- ranks that together make the sum
        for rank = n, 1, -1 do
          list[rank] = rank <= left and rank or -rank
          if list[rank] > 0 then left = left - rank end
        end
        local found = orrery.signed_rank(list)
        assert.equal(case[1], found.statistic)
        assert.equal(case[2], found.p <= 0.05, n .. ": " .. found.p)
      end
    end
  end)

  it("have the p of all signs, also with ties and zeros", function()
    local rng = orrery.random(1)
    for _ = 1, rounds(400, nil, 20) do
      local list = some_differences(rng, rng:integer(0, 11))
      local statistic, p = enumerate(list)
      local found = orrery.signed_rank(list)
      assert.equal(statistic, found.statistic)
      assert.near(p, found.p, 1e-12)
    end
  end)

  it("have a normal p where they are many, with the variance of their ties", function()
    local rng = orrery.random(2)
    for _ = 1, rounds(100, nil, 20) do
      local list = some_differences(rng, rng:integer(70, 130))
      local kept, ranks = ranks_of(list)
      local statistic, variance, mean = 0, 0, 0
      for i, d in ipairs(kept) do
        statistic = statistic + (d > 0 and ranks[i] or 0)
        variance, mean = variance + ranks[i] ^ 2 / 4, mean + ranks[i] / 2
      end
      local z = math.max(0, math.abs(statistic - mean) - 0.5) / math.sqrt(variance)
      local found = orrery.signed_rank(list)
      assert.same({ #kept, statistic }, { found.ranked, found.statistic })
      -- p is where the normal quantile is z
      local quantile = orrery.student_quantile(1 - found.p / 2, math.huge)
      if found.p < 1 then assert.near(z, quantile, 1e-6 * math.max(1, z)) end
    end
  end)

  it("have no step between both", function()
    local mean, deviation = 50 * 51 / 4, math.sqrt(50 * 51 * 101 / 24)
    for sum = 400, 637, 10 do
      local list, left = {}, sum
      for rank = 50, 1, -1 do
        list[rank] = rank <= left and rank or -rank
        if list[rank] > 0 then left = left - rank end
      end
      local exact = orrery.signed_rank(list).p
      local z = -orrery.student_quantile(exact / 2, math.huge)
      assert.near((mean - sum - 0.5) / deviation, z, 0.03)
    end
  end)

  it("have the median of all pairs, and the ends that the test does not refute", function()
    local rng = orrery.random(3)
    for _ = 1, rounds(300, nil, 20) do
      local list = some_differences(rng, rng:integer(1, 60))
      local means, n, level = pair_means(list), #list, rng:uniform(0.5, 0.999)
      local found = orrery.signed_rank(list, level)
      local half = #means // 2
      assert.equal(#means % 2 == 1 and means[half + 1] or means[half] / 2 + means[half + 1] / 2,
        found.estimate)
      local sum, c, share = 0, 0, sums_of_ranks(n)
      while c < n * (n + 1) // 2 and sum + share[c] <= (1 - level) / 2 do
        sum, c = sum + share[c], c + 1
      end
      if n <= 50 then
        assert.same({ means[c] or -math.huge, means[#means + 1 - c] or math.huge },
          { found.low, found.high })
      else -- a normal quantile is at most a few pairs off
        assert.is_true(found.low >= means[c - 4] and found.low <= means[c + 4])
        assert.is_true(found.high <= means[#means + 5 - c] and found.high >= means[#means - 3 - c])
      end
    end
  end)

  it("move, stretch and turn with their differences", function()
    local rng = orrery.random(4)
    for _ = 1, rounds(50, 50, 20) do
      local list, moved, turned = some_differences(rng, rng:integer(6, 90)), {}, {}
      for i, d in ipairs(list) do moved[i], turned[i] = 4 * d + 8, -d end
      local found, other, back = orrery.signed_rank(list), orrery.signed_rank(moved),
        orrery.signed_rank(turned)
      for _, name in ipairs { "estimate", "low", "high" } do
        assert.near(4 * found[name] + 8, other[name], 1e-12)
      end
      assert.same({ -found.estimate, -found.high, -found.low, found.p },
        { back.estimate, back.low, back.high, back.p })
    end
  end)

  it("hold the middle of symmetric samples in 95% or a little more, whatever the tails", function()
    local laws = { normal = function(rng) return rng:normal() end, -- Cauchy has no mean at all
      cauchy = function(rng) return math.tan(math.pi * (rng:uniform() - 0.5)) end }
    for name, draw in pairs(laws) do
      for _, n in ipairs { 6, 20, 80 } do
        local rng, hits, refuted, samples = orrery.random(n), 0, 0, rounds(4000, nil, 84)
        for _ = 1, samples do
          local list = {}
          for i = 1, n do list[i] = draw(rng) end
          local found = orrery.signed_rank(list)
          if found.low <= 0 and 0 <= found.high then hits = hits + 1 end
          if found.p <= 0.05 then refuted = refuted + 1 end
        end
        local slack = 4 * math.sqrt(0.95 * 0.05 / samples)
        assert.is_true(hits >= (0.95 - slack) * samples and hits <= (0.975 + slack) * samples,
          ("%s, %d: %d of %d"):format(name, n, hits, samples))
        assert.is_true(refuted <= (0.05 + slack) * samples, name .. refuted)
      end
    end
  end)

  it("of nothing, zeros, numbers that are not finite, and large ones", function()
    local none = orrery.signed_rank {}
    assert.same({ 0, 0, 0, 1 }, { none.count, none.ranked, none.statistic, none.p })
    assert.is_true(is_nan(none.estimate))
    local zeros = orrery.signed_rank { 0, 0, 0, 0, 0, 0, 0 }
    assert.same({ 7, 0, 1, 0, 0, 0 },
      { zeros.count, zeros.ranked, zeros.p, zeros.estimate, zeros.low, zeros.high })
    assert.equal("0.0", tostring(orrery.signed_rank({ -0.0, -0.0 }).estimate))
    for _, value in ipairs { NAN, math.huge, -math.huge } do
      local unknown = orrery.signed_rank { 1, value, 2, 3, 4, 5 }
      for _, name in ipairs { "statistic", "p", "estimate", "low", "high" } do
        assert.is_true(is_nan(unknown[name]), name)
      end
    end
    assert.equal(1.5e308, orrery.signed_rank({ 1.5e308, 1.5e308, 1.5e308 }).estimate)
  end)

  it("refuse what is no number, and no level", function()
    for _, level in ipairs { 0, 1, 95 } do
      assert.has_error(function() orrery.signed_rank({ 1, 2 }, level) end,
        ("level: expected a number between 0 and 1, found %d"):format(level))
    end
    assert.error_matches(function() orrery.signed_rank { 1, "x" } end,
      "element 2 is not a number but string")
  end)
end)

-- --- quantiles ----------------------------------------------------------------------------------

-- P(fewer than l of n draws are below the p-quantile).
local function fewer_than(l, n, p)
  local sum, ways = 0, 1
  for k = 0, l - 1 do
    sum = sum + ways * p ^ k * (1 - p) ^ (n - k)
    ways = ways * (n - k) / (k + 1)
  end
  return sum
end

describe("the interval of a quantile", function()
  it("worked by hand", function()
    -- Of 10 draws none or one is below the median in 11/1024 = 1.1%, up to two in 5.5%.
    local found = orrery.quantile_interval({ 9, 1, 2, 8, 4, 3, 7, 5, 6, 10 }, 0.5)
    assert.same({ 10, 5.5, 2, 9 }, { found.count, found.value, found.low, found.high })
    -- Of 5 none is in 3.1%: no sample bounds the median with 97.5%.
    found = orrery.quantile_interval({ 1, 2, 3, 4, 5 }, 0.5)
    assert.same({ 3, -math.huge, math.huge }, { found.value, found.low, found.high })
    assert.same({ 1, 5 }, { orrery.quantile_interval({ 1, 2, 3, 4, 5 }, 0.5, 0.9).low,
      orrery.quantile_interval({ 1, 2, 3, 4, 5 }, 0.5, 0.9).high })
    -- Below the 90% quantile are at most six of 10 draws in 1.3%, at most seven in 7%; all in 35%.
    found = orrery.quantile_interval({ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, 0.9)
    assert.same({ 7, math.huge }, { found.low, found.high })
  end)

  it("is that of the binomial distribution", function()
    local rng = orrery.random(5)
    for _ = 1, rounds(400, nil, 20) do
      local n, p, list = rng:integer(1, 60), rng:uniform(0.05, 0.95), {}
      local level = rng:uniform(0.5, 0.99)
      for i = 1, n do list[i] = rng:integer(-30, 30) * 0.5 end
      local found, order = orrery.quantile_interval(list, p, level), sorted(list)
      assert.equal(orrery.quantiles(list, { p })[1], found.value)
      local low, high = 0, 0
      while low < n and fewer_than(low + 1, n, p) <= (1 - level) / 2 do low = low + 1 end
      while high < n and fewer_than(high + 1, n, 1 - p) <= (1 - level) / 2 do high = high + 1 end
      assert.same({ order[low] or -math.huge, order[n + 1 - high] or math.huge },
        { found.low, found.high })
    end
  end)

  it("covers in at least its level, whatever the distribution", function()
    local samples = rounds(2000, nil, 42)
    for _, p in ipairs { 0.5, 0.9 } do
      local rng, hits, truth = orrery.random(6), 0, math.exp(orrery.student_quantile(p, math.huge))
      if p == 0.5 then truth = 1 end
      for _ = 1, samples do
        local list = {}
        for i = 1, 60 do list[i] = rng:lognormal(0, 1) end
        local found = orrery.quantile_interval(list, p)
        if found.low <= truth and truth <= found.high then hits = hits + 1 end
      end
      local slack = 4 * math.sqrt(0.95 * 0.05 / samples)
      assert.is_true(hits >= (0.95 - slack) * samples, p .. ": " .. hits)
    end
  end)

  it("of nothing and NaN, and what it refuses", function()
    local none = orrery.quantile_interval({}, 0.5)
    assert.same({ 0, -math.huge, math.huge }, { none.count, none.low, none.high })
    assert.is_true(is_nan(none.value))
    local unknown = orrery.quantile_interval({ 1, NAN, 3 }, 0.5)
    assert.is_true(is_nan(unknown.value) and is_nan(unknown.low) and is_nan(unknown.high))
    for _, p in ipairs { 0, 1, -1, 95 } do
      assert.has_error(function() orrery.quantile_interval({ 1, 2 }, p) end,
        ("probability: expected a number between 0 and 1, found %d"):format(p))
    end
    assert.has_error(function() orrery.quantile_interval({ 1, 2 }, 0.5, 1) end,
      "level: expected a number between 0 and 1, found 1")
  end)
end)
