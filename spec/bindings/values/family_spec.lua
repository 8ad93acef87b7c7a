-- Several differences from one policy: Holm's correction by hand, and how often chance is called
-- significant.
local orrery = require "orrery"

local family = require "orrery.values.family"

-- Summaries of which the intervals leave out 0 up to p values of so much.
local function with_p(...)
  local list = { { mean = 0, sd = 0, count = 30 } }
  for i, p in ipairs { ... } do
    list[i + 1] = { count = 30, sd = math.sqrt(30),
      mean = (-1) ^ i * orrery.student_quantile(1 - p / 2, 29) }
  end
  return list
end

local function significant(...)
  local list, text = family.correct(with_p(...)), ""
  assert.is_false(list[1].significant)
  for i = 2, #list do text = text .. (list[i].significant and "*" or ".") end
  return text
end

describe("orrery.values.family", function()
  it("corrects by Holm's procedure (by hand)", function()
    assert.equal("*", significant(0.049))
    assert.equal(".", significant(0.051))
    -- Of three: 0.05 / 3 = 0.0167, then 0.025, then 0.05.
    assert.equal("...", significant(0.017, 0.02, 0.04))
    assert.equal("**.", significant(0.024, 0.016, 0.051))
    assert.equal("***", significant(0.049, 0.024, 0.016))
    assert.equal("*..", significant(0.016, 0.026, 0.026))
    assert.equal("..*.", significant(0.9, 0.02, 0.012, 0.03))
    assert.equal("", significant())
  end)

  it("calls nothing significant that is the same every time, or was seen once", function()
    local same, once = { mean = 1, sd = 0, count = 5 }, { mean = 1, sd = 0 / 0, count = 1 }
    for i, d in ipairs(family.correct { same, same, once }) do
      assert.is_false(d.significant, tostring(i))
    end
  end)

  it("names the correction from three policies on", function()
    assert.is_nil(family.correction { policies = { {}, {} } })
    assert.is_nil(family.correction { policies = { {}, { recorded = true }, {} } })
    assert.equal("Holm's correction for 7 comparisons",
      family.correction { policies = { {}, {}, {}, {}, {}, {}, {}, {} } })
  end)
end)

-- One or more of seven equivalent policies called significant against the first: at most 6% of 2000
-- repetitions, where single intervals of 95% give about 20%.
describe("eight equivalent policies", function()
  local kinds = {
    normal = function(rng) return rng:normal() end,
    skewed = function(rng) return math.exp(rng:normal()) end,
  }
  for name, draw in pairs(kinds) do
    it(("differ significantly by chance in at most 6%% (%s samples)"):format(name), function()
      local rng, rounds, any, each = orrery.random(7), 2000, 0, 0
      for _ = 1, rounds do
        local samples, list = {}, {}
        for p = 1, 8 do
          samples[p] = {}
          for i = 1, 30 do samples[p][i] = draw(rng) end
          list[p] = orrery.summary_paired(samples[1], samples[p])
        end
        local one, uncorrected = 0, 0
        for i, d in ipairs(family.correct(list)) do
          if d.significant then one = 1 end
          if i > 1 and family.leaves_out_0(d, d.half_width) then uncorrected = 1 end
        end
        any, each = any + one, each + uncorrected
      end
      assert.is_true(any <= 0.06 * rounds and any >= 0.01 * rounds, any .. " of " .. rounds)
      assert.is_true(each > 0.15 * rounds, each .. " uncorrected")
    end)
  end

  it("few weeks and many", function()
    local rng, rounds = orrery.random(11), require "spec.support.rounds"(400)
    for _, weeks in ipairs { 13, 26 } do
      local any = 0
      for _ = 1, rounds do
        local samples, weights = {}, {}
        for p = 1, 8 do
          samples[p] = {}
          for w = 1, weeks do samples[p][w], weights[w] = math.exp(0.5 * rng:normal()), 1 end
        end
        local list = {}
        for p = 1, 8 do
          list[p] = {}
          for w = 1, weeks do list[p][w] = samples[p][w] - samples[1][w] end
        end
        family.correct(list, function(sums, level)
          return orrery.series_mean(sums, weights, level).significant
        end)
        for p = 2, 8 do
          if list[p].significant then
            any = any + 1
            break
          end
        end
      end
      assert.is_true(any <= 0.06 * rounds + 3 * math.sqrt(0.05 * rounds), weeks .. ": " .. any)
    end
  end)
end)
