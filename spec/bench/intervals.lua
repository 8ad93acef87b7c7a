-- intervals: methods for the interval of a mean over blocks in order of time, for coverage.lua,
-- coverage_parts.lua and coverage_series.lua (READINGS 39). A method is { name, interval }, with
-- interval(sums, weights, level) = low, high; nan where it has none.
local orrery = require "orrery"

local rng = orrery.random(39)

-- The mean, and the residuals of the ratio, in units of the mean times n.
local function residuals_of(sums, weights)
  local total, weight, e = 0, 0, {}
  for i = 1, #sums do total, weight = total + sums[i], weight + weights[i] end
  local mean = total / weight
  for i = 1, #sums do e[i] = (sums[i] - mean * weights[i]) * #sums / weight end
  return mean, e
end

local function product(e, lag)
  local found = 0
  for i = lag + 1, #e do found = found + e[i] * e[i - lag] end
  return found
end

local function symmetric(mean, half) return mean - half, mean + half end

local function student(sums, weights, level)
  local mean, e = residuals_of(sums, weights)
  local n = #e
  return symmetric(mean, orrery.student_quantile((1 + level) / 2, n - 1)
    * math.sqrt(product(e, 0) / (n - 1) / n))
end

local function grouped(sums, weights, count)
  local s, w = {}, {}
  for g = 1, count do s[g], w[g] = 0, 0 end
  for i = 1, #sums do
    local g = (i - 1) * count // #sums + 1
    s[g], w[g] = s[g] + sums[i], w[g] + weights[i]
  end
  return s, w
end

local function of_groups(count)
  return function(sums, weights, level)
    local s, w = grouped(sums, weights, count)
    return student(s, w, level)
  end
end

-- The symmetric bootstrap-t of groups, of all their resamples: what was printed before.
local function bootstrap_t(sums, weights, level)
  local count = #sums < 26 and 4 or 5
  local s, w = grouped(sums, weights, count)
  local mean, e = residuals_of(s, w)
  local own = math.sqrt(product(e, 0) / (count - 1) / count)
  local t, drawn, weight = {}, {}, {}
  -- Draws in order of groups, and how many orders they have.
  local function draw(i, from, times, orders)
    if i > count then
      local other, rest = residuals_of(drawn, weight)
      local spread = math.sqrt(product(rest, 0) / (count - 1) / count)
      if spread <= 1e-9 * own then return end
      local value = math.abs(other - mean) / spread
      for _ = 1, orders do t[#t + 1] = value end
      return
    end
    for g = from, count do
      drawn[i], weight[i] = s[g], w[g]
      local again = g == from and times + 1 or 1
      draw(i + 1, g, again, orders * i // again)
    end
  end
  draw(1, 1, 0, 1)
  return symmetric(mean, orrery.quantiles(t, { level })[1] * own)
end

-- The variance of the mean by the autocorrelations of the first quarter of lags (Bartlett's
-- weights), by overlapping groups, and by cumulated sums (Lobato, JASA 96, 2001). Each wants
-- critical values of its own ("fixed-b"), which are drawn here, of 10,000 normal lists.
local function bartlett(e)
  local n = #e
  local lags = math.max(1, n // 4)
  local variance = product(e, 0)
  for lag = 1, lags do variance = variance + 2 * (1 - lag / (lags + 1)) * product(e, lag) end
  return math.max(variance, 0) / n ^ 2
end

local function overlapping(e)
  local n = #e
  local length, squares = math.max(2, n // 8), 0
  for first = 1, n - length + 1 do
    local sum = 0
    for i = first, first + length - 1 do sum = sum + e[i] end
    squares = squares + sum ^ 2
  end
  return squares / (length * (n - length + 1) * n)
end

local function lobato(e)
  local n, sum, squares = #e, 0, 0
  for i = 1, n do
    sum = sum + e[i]
    squares = squares + sum ^ 2
  end
  return squares / n ^ 3
end

local function fixed_b(variance)
  local of = {}
  return function(sums, weights, level)
    local n = #sums
    if not of[n] then
      of[n] = {}
      for r = 1, 10000 do
        local list, ones = {}, {}
        for i = 1, n do list[i], ones[i] = rng:normal(), 1 end
        local mean, e = residuals_of(list, ones)
        of[n][r] = math.abs(mean) / math.sqrt(variance(e))
      end
    end
    of[n][level] = of[n][level] or orrery.quantiles(of[n], { level })[1]
    local mean, e = residuals_of(sums, weights)
    return symmetric(mean, of[n][level] * math.sqrt(variance(e)))
  end
end

-- The percentile bootstrap of blocks of 3 weeks, of fixed or of geometric length.
local function blocks(next_length)
  return function(sums, weights, level)
    local n, means = #sums, {}
    if level > 0.96 then return 0 / 0, 0 / 0 end -- wants more resamples than there is time for
    for r = 1, 199 do
      local total, weight, left, at = 0, 0, 0, 0
      for _ = 1, n do
        if left == 0 then at, left = rng:integer(1, n), next_length() end
        total, weight = total + sums[at], weight + weights[at]
        at, left = at % n + 1, left - 1
      end
      means[r] = total / weight
    end
    return table.unpack(orrery.quantiles(means, { (1 - level) / 2, (1 + level) / 2 }))
  end
end

local function geometric()
  local length = 1
  while rng:uniform() > 1 / 3 do length = length + 1 end
  return length
end

-- Student's, with the variance raised by measured correlations, but without regard to skewness.
local function correlated(sums, weights, level)
  local mean, e = residuals_of(sums, weights)
  local n, excess = #e, 0
  for lag = 1, 3 do excess = excess + math.max(0, product(e, lag) / product(e, 0) + 1 / n) end
  local factor = 1 + 2 * (1 + 4 / n) * excess
  return symmetric(mean, orrery.student_quantile((1 + level) / 2, math.max(1, (n - 1) / factor))
    * math.sqrt(product(e, 0) / (n - 1) / n * factor))
end

local function ranks(sums, weights, level)
  local list = {}
  for i = 1, #sums do list[i] = sums[i] / weights[i] end
  local found = orrery.signed_rank(list, level)
  return found.low, found.high
end

local function printed(sums, weights, level)
  local found = orrery.series_mean(sums, weights, level)
  return found.low, found.high
end

-- As printed, but at all levels the shorter side gives what the longer one needs. These are
-- t exp(k) and t exp(-k w) long, of w as in READINGS 39, which is 1 at 95%.
local function alike(sums, weights, level)
  local low, high = printed(sums, weights, level)
  local mean = residuals_of(sums, weights)
  local up, down, w = high - mean, mean - low, 2 * (1 - level) / (1 - level + 0.05)
  local more = (up / down) ^ ((1 - w) / (1 + w)) -- exp(k (1 - w)), k below 0 if down is longer
  return up < down and low or mean - down / more, up > down and high or mean + up * more
end

return {
  { "Student's t of weeks", student },
  { "8 groups, Student's t", of_groups(8) },
  { "4 or 5 groups, symmetric bootstrap-t", bootstrap_t },
  { "Bartlett's kernel, fixed-b", fixed_b(bartlett) },
  { "overlapping groups, fixed-b", fixed_b(overlapping) },
  { "Lobato's self-normalisation", fixed_b(lobato) },
  { "moving blocks of 3 weeks", blocks(function() return 3 end) },
  { "stationary bootstrap, 3 weeks", blocks(geometric) },
  { "Wilcoxon's ranks of weeks", ranks },
  { "Student's t, measured correlation", correlated },
  { "what is printed", printed },
  { "printed, both sides alike at all levels", alike },
}
