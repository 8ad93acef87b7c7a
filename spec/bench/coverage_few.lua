-- coverage_few: how often intervals of the mean of few skewed samples hold the mean (READINGS 56).
--
--   orrery spec/bench/coverage_few.lua [REPETITIONS [RESAMPLES]]
--
-- REPETITIONS (2000) lists of 5 to 24 samples get an interval by each method; the bootstrap takes
-- RESAMPLES (499), 0 leaves it out. Printed per method: the share of intervals that hold the mean,
-- the mean width in widths of Student's interval, and of unbounded intervals, which count as
-- holding it, the share. Last: how often a difference that is a gain of 1 in 95% of the samples and
-- a loss of 30 in 5% is called a gain. Ten minutes; without the bootstrap, one.
local orrery = require "orrery"

local repetitions, resamples = tonumber(arg[1] or 2000), tonumber(arg[2] or 499)
local rng = orrery.random(38)

local SAMPLES = {
  { "normal", 0, function() return rng:normal() end },
  { "lognormal, sigma 1", math.exp(0.5), function() return math.exp(rng:normal()) end },
  { "lognormal, sigma 1.5", math.exp(1.125), function() return math.exp(1.5 * rng:normal()) end },
  { "exponential", 1, function() return rng:exponential(1) end },
}

-- The ends of an interval by how many standard errors the mean of the samples may be off: Johnson's
-- t1 = t + a (1 + 2 t^2), a = skewness / (6 sqrt n), between -x and x.
local function johnson(s, _, x)
  local a, n = s.skewness / (6 * math.sqrt(s.count)), s.count
  local error_of = s.sd / math.sqrt(n)
  if math.abs(a) < 1e-9 then return s.mean - x * error_of, s.mean + x * error_of end
  local function root(of) -- of t + |a| (1 + 2 t^2) = of, the larger one
    local square = 1 - 8 * math.abs(a) * (math.abs(a) - of)
    return square >= 0 and (math.sqrt(square) - 1) / (4 * math.abs(a)) or -math.huge
  end
  local low, high = root(-x), root(x)
  if a < 0 then low, high = -high, -low end
  return s.mean - high * error_of, s.mean - low * error_of
end

local function bootstrap(s, list)
  local t = {}
  for r = 1, resamples do
    local drawn = {}
    for i = 1, #list do drawn[i] = list[rng:integer(1, #list)] end
    local d = orrery.summary(drawn)
    t[r] = d.sd > 0 and math.abs(d.mean - s.mean) / d.sd or d.mean == s.mean and 0 or math.huge
  end
  table.sort(t)
  local half = t[math.ceil(0.95 * resamples)] * s.sd
  return s.mean - half, s.mean + half
end

local METHODS = {
  { "Student's t", function(s, _, x)
    local half = x * s.sd / math.sqrt(s.count)
    return s.mean - half, s.mean + half
  end },
  { "Johnson's inverted t", johnson },
  { "symmetric bootstrap-t", resamples > 0 and bootstrap },
  { "what is printed", function(s) return s.mean - s.half_width, s.mean + s.half_width end },
}

local COUNTS = { 5, 8, 10, 16, 24 }

for _, samples in ipairs(SAMPLES) do
  print(samples[1])
  for _, n in ipairs(COUNTS) do
    local x, found = orrery.student_quantile(0.975, n - 1), {}
    for m in ipairs(METHODS) do found[m] = { hits = 0, open = 0, width = 0, closed = 0 } end
    for _ = 1, repetitions do
      local list = {}
      for i = 1, n do list[i] = samples[3]() end
      local s = orrery.summary(list)
      local student = 2 * x * s.sd / math.sqrt(n)
      for m, method in ipairs(METHODS) do
        if method[2] then
          local low, high = method[2](s, list, x)
          local f = found[m]
          if low <= samples[2] and samples[2] <= high then f.hits = f.hits + 1 end
          if high - low < math.huge then
            f.width, f.closed = f.width + (high - low) / student, f.closed + 1
          else
            f.open = f.open + 1
          end
        end
      end
    end
    for m, method in ipairs(METHODS) do
      local f = found[m]
      if method[2] then
        print(("%2d  %-22s %5.1f%%  %5.2f  %5.1f%%"):format(n, method[1],
          100 * f.hits / repetitions, f.width / math.max(f.closed, 1), 100 * f.open / repetitions))
      end
    end
  end
end

print("a gain of 1 in 95%, a loss of 30 in 5%, called a gain")
for _, n in ipairs(COUNTS) do
  local student, ours = 0, 0
  for _ = 1, repetitions do
    local list = {}
    for i = 1, n do list[i] = (rng:uniform() < 0.05 and -30 or 1) + 0.1 * rng:normal() end
    local s = orrery.summary(list)
    local half = orrery.student_quantile(0.975, n - 1) * s.sd / math.sqrt(n)
    student = student + (s.mean > half and 1 or 0)
    ours = ours + (s.mean > s.half_width and 1 or 0)
  end
  print(("%2d  Student's t %5.1f%%  what is printed %5.1f%%"):format(n, 100 * student / repetitions,
    100 * ours / repetitions))
end
