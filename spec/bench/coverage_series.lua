-- coverage_series: how often intervals of the mean over weeks hold it, and which effects they find,
-- for series whose truth is known (READINGS 39).
--
--   orrery spec/bench/coverage_series.lua [REPETITIONS [SERIES [METHOD]]]
--
-- REPETITIONS (1000) series of 8, 13, 26 and 52 weeks get an interval by each method. Printed: the
-- share of intervals that hold the mean, of those that there are; the share of series without one;
-- the median width, in widths of the interval that knows the standard error; how often an effect of
-- 8 true standard errors, up or down, is found; and how often at the first level of Holm's
-- correction for 19 comparisons. Last, the family error: how often one of 19 policies that are
-- equal to the first gets a star. SERIES: only this one, `family`, `all` (the default), or more of
-- them, `others`; METHOD: only this one. Ten minutes.
local orrery = require "orrery"
local methods = dofile "spec/bench/intervals.lua"

local repetitions, only = tonumber(arg[1] or 1000), arg[2] or "all"
for m = #methods, 1, -1 do
  if arg[3] and methods[m][1] ~= arg[3] then table.remove(methods, m) end
end
local rng = orrery.random(138)
local HOLM = 1 - 0.05 / 19

-- A normal process with correlation r (0.5) from week to week.
local function ar(n, r)
  local list, z = {}, rng:normal()
  r = r or 0.5
  for i = 1, n do
    list[i] = z
    z = r * z + math.sqrt(1 - r * r) * rng:normal()
  end
  return list
end

local function mapped(n, f)
  local list = {}
  for i = 1, n do list[i] = f(i) end
  return list
end

-- All have mean 0.
local SERIES = {
  { "normal", function(n) return mapped(n, function() return rng:normal() end) end },
  { "normal, correlated", ar },
  { "lognormal", function(n)
    return mapped(n, function() return math.exp(rng:normal()) - math.exp(0.5) end)
  end },
  { "lognormal, correlated", function(n)
    local z = ar(n)
    return mapped(n, function(i) return math.exp(z[i]) - math.exp(0.5) end)
  end },
  { "moving sums of lognormal", function(n)
    local e = mapped(n + 2, function() return math.exp(rng:normal()) - math.exp(0.5) end)
    return mapped(n, function(i) return e[i] + 0.6 * e[i + 1] + 0.3 * e[i + 2] end)
  end },
  { "calm and congested", function(n) -- 4 times as much in congested weeks, a third of all
    local congested = rng:uniform() < 1 / 3
    return mapped(n, function()
      local x = (congested and 4 or 1) * math.exp(0.5 * rng:normal() - 0.125) - 2
      congested = rng:uniform() < (congested and 0.6 or 0.2)
      return x
    end)
  end },
  { "equal policies", function(n) -- heavy-tailed, correlated in size, with either sign
    local z = ar(n)
    return mapped(n, function(i) return math.exp(z[i]) * rng:normal() end)
  end },
}

-- Numbers exp(s z) with mean 0, z normal with correlation r.
local function lognormal(s, r)
  return function(n)
    local z = ar(n, r)
    return mapped(n, function(i) return math.exp(s * z[i]) - math.exp(0.5 * s * s) end)
  end
end

local OTHERS = {
  { "normal, correlation 0.3", function(n) return ar(n, 0.3) end },
  { "normal, correlation 0.6", function(n) return ar(n, 0.6) end },
  { "moving sums of normal", function(n)
    local e = mapped(n + 2, function() return rng:normal() end)
    return mapped(n, function(i) return e[i] + 0.6 * e[i + 1] + 0.3 * e[i + 2] end)
  end },
  { "lognormal, sigma 0.5", lognormal(0.5, 0) },
  { "lognormal, sigma 0.5, correlated", lognormal(0.5, 0.5) },
  { "lognormal, correlation 0.3", lognormal(1, 0.3) },
  { "lognormal, sigma 1.5", lognormal(1.5, 0) },
  { "normal, one week in ten far worse", function(n) -- by five standard deviations
    return mapped(n, function() return rng:normal() + (rng:uniform() < 0.1 and 5 or 0) - 0.5 end)
  end },
}

local function mean_of(list)
  local sum = 0
  for i = 1, #list do sum = sum + list[i] end
  return sum / #list
end

local LENGTHS = { 8, 13, 26, 52 }
local ONES = mapped(52, function() return 1 end)

local function ones(n) return table.move(ONES, 1, n, 1, {}) end

local function measure(make, n)
  local squares, found = 0, {}
  for _ = 1, 10000 do squares = squares + mean_of(make(n)) ^ 2 end
  local error_of, weights = math.sqrt(squares / 10000), ones(n)
  for m in ipairs(methods) do found[m] = { hits = 0, power = 0, holm = 0, widths = {} } end
  for _ = 1, repetitions do
    local list = make(n)
    for m, method in ipairs(methods) do
      local f = found[m]
      local function finds(level)
        local low, high = method[2](list, weights, level)
        return (low + 8 * error_of > 0 and 0.5 or 0) + (high - 8 * error_of < 0 and 0.5 or 0),
          low, high
      end
      local power, low, high = finds(0.95)
      f.power, f.holm = f.power + power, f.holm + finds(HOLM)
      if low == low then
        f.hits = f.hits + (low <= 0 and high >= 0 and 1 or 0)
        f.widths[#f.widths + 1] = (high - low) / (2 * 1.96 * error_of)
      end
    end
  end
  return found
end

for _, series in ipairs(only == "others" and OTHERS or SERIES) do
  if only == "all" or only == "others" or only == series[1] then
    print(series[1])
    for _, n in ipairs(LENGTHS) do
      for m, f in ipairs(measure(series[2], n)) do
        local told = #f.widths
        print(("%2d  %-38s %5.1f%%  none %4.1f%%  %5.2f  power %5.1f%%  Holm %5.1f%%"):format(n,
          methods[m][1], 100 * f.hits / told, 100 * (repetitions - told) / repetitions,
          orrery.quantiles(f.widths, { 0.5 })[1], 100 * f.power / repetitions,
          100 * f.holm / repetitions))
      end
    end
  end
end

if only ~= "all" and only ~= "family" then return end
print "one of 19 equal policies gets a star"
for _, n in ipairs(LENGTHS) do
  local any, weights = {}, ones(n)
  for m in ipairs(methods) do any[m] = 0 end
  for _ = 1, repetitions do
    local base, lists = ar(n), {}
    for p = 1, 19 do
      local own = ar(n)
      lists[p] = mapped(n, function(i) return math.exp(own[i]) - math.exp(base[i]) end)
    end
    for m, method in ipairs(methods) do
      for p = 1, 19 do
        local low, high = method[2](lists[p], weights, HOLM)
        if low > 0 or high < 0 then
          any[m] = any[m] + 1
          break
        end
      end
    end
  end
  for m, method in ipairs(methods) do
    print(("%2d  %-38s %5.1f%%"):format(n, method[1], 100 * any[m] / repetitions))
  end
end
