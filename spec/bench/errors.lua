-- errors: how often verdicts and significance are wrong by chance, and how often the interval of
-- --precision is right, at the size that spec/METRICS.md and scripts/README.md are about.
--
--   orrery spec/bench/errors.lua [exchangeable|family|precision]
--
-- The specs hold these to bounds (verdict_spec, family_spec, precision_spec); this prints the
-- numbers, about two minutes in all.
local family = require "orrery.values.family"
local orrery = require "orrery"
local precision = require "orrery.run.precision"
local registry = require "orrery.values.metrics"
local verdict = require "orrery.command.verdict"

local function refuted(part) return verdict.all("", "", { part }).verdict == verdict.FAILS end

local function samples_of(count, draw)
  local list = {}
  for i = 1, count do list[i] = draw() end
  return list
end

-- Two policies that could change places: in how many of 4000 repetitions each is called worse.
local function exchangeable()
  print "exchangeable policies, 4000 repetitions: worse, better"
  local judges = {
    { "mean of ratios", verdict.part }, { "geometric mean", verdict.ratio },
    { "median", function(label, ratios, relation, bound)
      return verdict.median(label, ratios, relation, bound)
    end },
    { "ranks of logarithms", function(label, ratios, relation, bound)
      local logs = {}
      for i, ratio in ipairs(ratios) do logs[i] = math.log(ratio) end
      return verdict.ranks(label, logs, relation, math.log(bound))
    end },
  }
  for _, count in ipairs { 6, 20, 30, 50, 100 } do
    for _, spread in ipairs { 0.5, 1 } do
      local rng, worse, better = orrery.random(count), {}, {}
      for _ = 1, 4000 do
        local ratios = samples_of(count, function()
          return math.exp(spread * (rng:normal() - rng:normal()))
        end)
        for j, judge in ipairs(judges) do
          worse[j] = (worse[j] or 0) + (refuted(judge[2]("", ratios, "<=", 1)) and 1 or 0)
          better[j] = (better[j] or 0) + (refuted(judge[2]("", ratios, ">=", 1)) and 1 or 0)
        end
      end
      for j, judge in ipairs(judges) do
        print(("%3d samples, spread %.1f  %-20s %5.2f%% %5.2f%%"):format(count, spread, judge[1],
          worse[j] / 40, better[j] / 40))
      end
    end
  end
end

-- Eight equivalent policies, 20 samples each: in how many of 2000 repetitions one or more differs.
local function families()
  print "eight equivalent policies, 2000 repetitions: one or more of seven significant"
  local laws = { normal = function(rng) return rng:normal() end,
    skewed = function(rng) return math.exp(rng:normal()) end }
  for _, name in ipairs { "normal", "skewed" } do
    local rng, found = orrery.random(7), { 0, 0, 0, 0 }
    for _ = 1, 2000 do
      local function draw() return laws[name](rng) end
      local first, list, any = samples_of(20, draw), {}, {}
      for p = 1, 8 do
        local differences = p == 1 and first or samples_of(20, draw)
        for i, value in ipairs(p > 1 and first or {}) do differences[i] = differences[i] - value end
        list[p] = family.add_ranks(orrery.summary(differences), differences, true)
      end
      for i, d in ipairs(family.correct_both(list)) do
        any[1] = any[1] or i > 1 and family.leaves_out_0(d, d.half_width)
        any[2], any[3] = any[2] or d.significant, any[3] or i > 1 and family.is_ranked(d, 0.95)
        any[4] = any[4] or d.rank_significant
      end
      for k = 1, 4 do found[k] = found[k] + (any[k] and 1 or 0) end
    end
    print(("%-7s intervals %5.2f%%, Holm %5.2f%%; ranks %5.2f%%, Holm %5.2f%%"):format(name,
      found[1] / 20, found[2] / 20, found[3] / 20, found[4] / 20))
  end
end

local LAWS = {
  { "normal", 0.3, function(rng) return 1 + 0.3 * rng:normal() end },
  { "exponential", 1, function(rng) return rng:exponential(1) end },
  { "lognormal 0.5", math.sqrt(math.exp(0.25) - 1),
    function(rng) return rng:lognormal(-0.125, 0.5) end },
  { "lognormal 1", math.sqrt(math.exp(1) - 1), function(rng) return rng:lognormal(-0.5, 1) end },
}

-- The interval of a mean, or of a difference, where --precision has stopped: 2000 repetitions.
local function precisions()
  print "--precision, 2000 repetitions: coverage, mean number of scenarios"
  for _, law in ipairs(LAWS) do
    for policies, what in ipairs { "mean", "difference" } do
      local rng = orrery.random(11)
      for _, times in ipairs { 0.3, 1, 1.5, 6 } do
        local hits, scenarios = 0, 0
        local asked = { metric = "x", most = 1000000,
          share = 1.96 * law[2] * math.sqrt(policies) / math.sqrt(times * precision.FIRST) }
        local function run(_, count)
          local block = registry.columns(policies, { "x" })
          for i = 1, policies do
            block[i].x = samples_of(count, function() return law[3](rng) end)
          end
          return block
        end
        for _ = 1, 2000 do
          local metrics, n = precision.run(asked, policies, "scenario", true, run)
          local first = metrics:column(1, "x")
          local s = policies == 1 and orrery.summary(first)
            or orrery.summary_paired(first, metrics:column(2, "x"))
          hits = hits + (math.abs(s.mean - (2 - policies)) <= s.half_width and 1 or 0)
          scenarios = scenarios + n
        end
        print(("%-14s %-10s wants %.1f first blocks  %5.2f%%  %6.0f"):format(law[1], what, times,
          hits / 20, scenarios / 2000))
      end
    end
  end
end

local ALL = { { "exchangeable", exchangeable }, { "family", families },
  { "precision", precisions } }
for _, one in ipairs(ALL) do
  if not arg[1] or arg[1] == one[1] then one[2]() end
end
