-- laws: closed forms of distributions of times, and the test of a sample against one.
local laws = {}

-- The greatest distance of a sample from a law, times sqrt(n): above 1.95 once in a thousand.
function laws.kolmogorov(sample, law)
  table.sort(sample)
  local most, n = 0, #sample
  for i, x in ipairs(sample) do
    local share = law(x)
    most = math.max(most, i / n - share, share - (i - 1) / n)
  end
  return most * math.sqrt(n)
end

function laws.exponential(mean)
  return function(x) return 1 - math.exp(-x / mean) end
end

-- Lanczos' approximation, to 13 digits for x > 0.
function laws.gamma(x)
  local sum, terms = 0.99999999999980993, { 676.5203681218851, -1259.1392167224028,
    771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012,
    9.9843695780195716e-6, 1.5056327351493116e-7 }
  for i, c in ipairs(terms) do sum = sum + c / (x - 1 + i) end
  local t = x + 6.5
  return math.sqrt(2 * math.pi) * t ^ (x - 0.5) * math.exp(-t) * sum
end

-- The standard normal law, by its series around 0 (good to 1e-10 up to 6).
local function normal_law(z)
  if math.abs(z) > 6 then return z > 0 and 1 or 0 end
  local term, sum = z, z
  for i = 1, 200 do
    term = -term * z * z / (2 * i)
    sum = sum + term / (2 * i + 1)
    if math.abs(term) < 1e-20 then break end
  end
  return 0.5 + sum / math.sqrt(2 * math.pi)
end

function laws.weibull(mean, shape)
  local scale = mean / laws.gamma(1 + 1 / shape)
  return function(x) return 1 - math.exp(-(x / scale) ^ shape) end
end

function laws.lognormal(mean, sigma)
  local mu = math.log(mean) - sigma * sigma / 2
  return function(x) return normal_law((math.log(x) - mu) / sigma) end
end

return laws
