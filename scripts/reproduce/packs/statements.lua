-- statements: the statements of section 6, compared with the results.
local kinds = require "orrery.command.kinds"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local verdict = require "orrery.command.verdict"

local paper = require "orrery.reproduce.packs.plan"

local statements = {}

local GOOD = { "approx", "pbp-1", "pbp-9" }
local COST, RATIO, RESPONSE = "relative_cost", "packing_ratio", "relative_response"

local NAMES = {}
for _, one in ipairs(lists.joined(paper.heuristics, paper.readings, paper.variations,
  { paper.optimal, paper.two })) do
  NAMES[one.key] = one.name:gsub(" %(not in the paper%)", "")
end

-- --- kinds of comparisons -----------------------------------------------------------------------

-- The data of a figure's statements.
local Figure = {}
Figure.__index = Figure

-- Samples that are all equal are an exact number.
--   judge  verdict.part or ratio
local function part_by(judge)
  return function(label, samples, relation, bound)
    local s = orrery.summary(samples)
    if s.min == s.max then return verdict.known(label, s.min, relation, bound) end
    return judge(label, samples, relation, bound)
  end
end

local part, ratio = part_by(verdict.part), part_by(verdict.ratio)

-- Points (see kinds.lua) with at most k tasks in a pack.
local function points_of(sizes)
  return lists.map(sizes, function(k) return { k = k, at = ("k = %d"):format(k) } end)
end

function Figure:curve(key, metric)
  return { name = NAMES[key], samples = function(point)
    return self.store:samples(self.name, point.k, key, metric)
  end }
end

-- A metric of each heuristic against a bound at each k. A bound of 1, the cost or response time one
-- by one, makes it a comparison of two heuristics.
function Figure:values(sizes, keys, metric, relation, bound)
  return verdict.each(keys, function(key)
    return kinds.values({ self:curve(key, metric) }, points_of(sizes), relation, bound,
      bound == 1 and ratio or part)
  end)
end

-- A metric of each heuristic divided by that of each other.
function Figure:ratios(sizes, keys, others, metric, relation, bound)
  return verdict.each(keys, others, function(key, other)
    return kinds.ratios({ { self:curve(key, metric), self:curve(other, metric) } },
      points_of(sizes), relation, bound, ratio)
  end)
end

function Figure:costs(sizes, keys, others, relation, bound)
  return self:ratios(sizes, keys, others, COST, relation, bound)
end

-- The costs of both are within this share of each other.
function Figure:comparable(sizes, key, other, share)
  return lists.joined(self:costs(sizes, { key }, { other }, "<=", 1 + share),
    self:costs(sizes, { other }, { key }, "<=", 1 + share))
end

-- Run by run, in which share of the sizes and pairs of heuristics the first one packs tighter.
function Figure:tighter(sizes, keys, others)
  local shares, cases = {}, 0
  for _, k in ipairs(sizes) do
    for _, key in ipairs(keys) do
      for _, other in ipairs(others) do
        local mine = self.store:samples(self.name, k, key, RATIO)
        local theirs = self.store:samples(self.name, k, other, RATIO)
        cases = cases + 1
        for run, value in ipairs(mine) do
          shares[run] = (shares[run] or 0) + (value > theirs[run] and 1 or 0)
        end
      end
    end
  end
  return lists.map(shares, function(count) return count / cases end)
end

-- Run by run, the mean of a metric over sizes and heuristics.
function Figure:average(sizes, keys, metric)
  local sums = {}
  for _, k in ipairs(sizes) do
    for _, key in ipairs(keys) do
      for run, value in ipairs(self.store:samples(self.name, k, key, metric)) do
        sums[run] = (sums[run] or 0) + value / (#sizes * #keys)
      end
    end
  end
  return sums
end

-- --- the statements -----------------------------------------------------------------------------

-- For a small workload. Its profiles are assumed (see profiles/README.md).
local NEEDS = "the measured times of its applications, which were not published"

local RANDOM = { "pack-1", "pack-9", "proc-1", "proc-9" }

local function tighter(f, sizes)
  return { verdict.part("share of sizes and pairs of heuristics", f:tighter(sizes, RANDOM, GOOD),
    ">=", 0.25) }
end

-- The statements of sections 6.3 and 6.6 about PACK-APPROX and PACK-BY-PACK.
local function good_ones(f, sizes, name, where)
  return { where = where,
    { name .. ": PACK-APPROX and PACK-BY-PACK-9 are of comparable quality (here: within 5%)",
      f:comparable(sizes, "approx", "pbp-9", 0.05) },
    { name .. ": PACK-BY-PACK-9 is slightly better than PACK-BY-PACK-1 (here: no worse, and by no "
      .. "more than 10%)", lists.joined(f:costs(sizes, { "pbp-9" }, { "pbp-1" }, "<=", 1),
        f:costs(sizes, { "pbp-9" }, { "pbp-1" }, ">=", 0.9)) },
  }
end

local function small(f, one)
  local name, sizes = one.name, one.sizes
  local where, largest = "figure " .. one.key, one.key == "3" and { sizes[#sizes] } or {}
  return { where = where, needs = NEEDS,
    { name .. ": the optimum costs more than 35% less than one by one (here: from k = 4)",
      f:values({ table.unpack(sizes, 2) }, { "optimal" }, COST, "<", 0.65) },
    { name .. ": with large packs the cost falls by more than 40% (here: at the largest k)",
      f:values(largest, GOOD, COST, "<", 0.6) },
    { name .. ": PACK-APPROX and PACK-BY-PACK are very near the optimum at every k (here: within "
      .. "5%)", f:costs(sizes, GOOD, { "optimal" }, "<=", 1.05) },
    { name .. ": single random runs are poor beside PACK-APPROX and PACK-BY-PACK",
      f:costs(sizes, { "pack-1", "proc-1" }, GOOD, ">", 1) },
    { name .. ": RANDOM-PROC is better than RANDOM-PACK",
      f:costs(sizes, { "proc-1" }, { "pack-1" }, "<", 1) },
    { name .. ": RANDOM-PROC-9 is near the optimum (here: within 5% in the mean)",
      f:costs(sizes, { "proc-9" }, { "optimal" }, "<=", 1.05) },
    { name .. ": packing ratios of PACK-APPROX and PACK-BY-PACK are very close to one (here: at "
      .. "least 0.9)", f:values(sizes, GOOD, RATIO, ">=", 0.9) },
    { name .. ": in many cases random heuristics pack tighter than PACK-APPROX and PACK-BY-PACK "
      .. "(here: in a quarter)", tighter(f, sizes) },
    good_ones(f, sizes, name, "section 6.6, " .. where),
    { name .. ": response times fall as well", f:values(sizes, GOOD, RESPONSE, "<", 1) },
    { name .. ": sorted-cuts is no worse than PACK-BY-PACK-9",
      f:costs(sizes, { "cuts" }, { "pbp-9" }, "<=", 1), where = "not in the paper; " .. where,
      needs = false },
  }
end

local function large(f, sizes)
  local wide = lists.those(sizes, function(k) return k >= 16 end)
  local two = sizes[1] == 2 and { 2 } or {}
  return { where = "figure 4",
    { "Workload-III: with k = 16 and 32 PACK-APPROX and PACK-BY-PACK cost about 90% less (here: at "
      .. "least 88%)", f:values(wide, GOOD, COST, "<=", 0.12) },
    { "Workload-III: and their response times are 80% to 90% lower (here: at least 80%)",
      f:values(wide, GOOD, RESPONSE, "<=", 0.2) },
    { "Workload-III: PACK-APPROX and PACK-BY-PACK are clearly better than random ones, also than "
      .. "the best of nine (here: by 10%)",
      f:costs(sizes, GOOD, { "pack-9", "proc-9" }, "<", 0.9) },
    { "Workload-III: also the random ones cost less than one by one",
      f:values(sizes, RANDOM, COST, "<", 1) },
    { "Workload-III: PACK-BY-PACK-1 is very near PACK-BY-PACK-9 (here: within 5%)",
      f:costs(sizes, { "pbp-1" }, { "pbp-9" }, "<=", 1.05) },
    { "Workload-III: packing ratios are near one while k is small (here: at least 0.9)",
      f:values({ sizes[1] }, GOOD, RATIO, ">=", 0.9),
      where = "section 6.3, for the small workloads" },
    { "Workload-III: in many cases random heuristics pack tighter than PACK-APPROX and "
      .. "PACK-BY-PACK (here: in a quarter)", tighter(f, sizes),
      where = "section 6.3, for the small workloads" },
    good_ones(f, sizes, "Workload-III", "section 6.6"),
    { "The running time of PACK-BY-PACK-9 is similar to that of PACK-APPROX (here: at most twice "
      .. "as long)", f:ratios(sizes, { "pbp-9" }, { "approx" }, "seconds", "<=", 2),
      where = "section 6.6" },
    { "Every heuristic takes a few milliseconds (here: at most 10)",
      f:values(sizes, { "approx", "pbp-1", "pbp-9", "pack-9", "proc-9" }, "seconds", "<=", 0.01),
      where = "section 6.5" },
    { "sorted-cuts costs less than PACK-BY-PACK-9",
      f:costs(sizes, { "cuts" }, { "pbp-9" }, "<", 1), where = "not in the paper; figure 4" },
    { "With k = 2 PACK-BY-PACK-9 is near the optimum (here: within 5%)",
      f:costs(two, { "pbp-9" }, { "two" }, "<=", 1.05),
      where = "section 6.3, for the small workloads" },
    { "With k = 2 sorted-cuts is near the optimum (here: within 1%)",
      f:costs(two, { "cuts" }, { "two" }, "<=", 1.01), where = "not in the paper" },
  }
end

local function readings(f, sizes)
  return { where = "reading 17",
    { "Algorithm 1 inside the packs is what makes PACK-APPROX good: as printed it costs more "
      .. "(here: by 1%)", f:costs(sizes, { "approx-none" }, { "approx" }, ">", 1.01) },
    { "With Algorithm 1 in every step PACK-APPROX costs no more",
      f:costs(sizes, { "approx-each" }, { "approx" }, "<=", 1) },
  }
end

-- The variants of section 5, and the statement of section 6.6 about 99 values of epsilon.
local function variants(f, sizes)
  local runs = { { "pbp-99", "pbp-9" }, { "pack-99", "pack-9" }, { "proc-99", "proc-9" } }
  local function each_of(some, ...)
    local given = table.pack(...)
    return verdict.each(some, function(pair)
      return f:ratios(sizes, { pair[1] }, { pair[2] }, table.unpack(given))
    end)
  end
  return { where = "section 5",
    { "A dynamic program inside PACK-BY-PACK that minimises idle times improves very little (here: "
      .. "by at most 1%)", f:costs(sizes, { "pbp-full" }, { "pbp-9" }, ">=", 0.99) },
    { "It takes much longer (here: at least twice as long)",
      f:ratios(sizes, { "pbp-full" }, { "pbp-9" }, "seconds", ">=", 2) },
    { "99 values of epsilon do not improve PACK-BY-PACK (here: by at most 1%)",
      each_of({ runs[1] }, COST, ">=", 0.99), where = "sections 5 and 6.6" },
    { "With 99 runs the random heuristics gain a negligible amount (here: at most 1%)",
      each_of({ runs[2], runs[3] }, COST, ">=", 0.99) },
    { "99 runs take much longer than 9 (here: at least 5 times as long)",
      each_of(runs, "seconds", ">=", 5) },
  }
end

-- The abstract's 40% and 50%: an average, it says, but not over what. Here it is over the workloads
-- given, and in each over all sizes of packs and the three heuristics that the paper recommends.
--   list  figures with their `sizes`
local function averages(list, title, needs)
  local function at_most(metric, bound)
    local sums = {}
    for _, f in ipairs(list) do
      for run, value in ipairs(f:average(f.sizes, GOOD, metric)) do
        sums[run] = (sums[run] or 0) + value / #list
      end
    end
    return { verdict.part("mean over heuristics and sizes", sums, "<=", bound) }
  end
  return { where = "abstract", needs = needs,
    { title .. ": the workload completes 40% faster on average (here: at least, over all sizes and "
      .. "PACK-APPROX, PACK-BY-PACK-1 and -9)", at_most(COST, 0.6) },
    { title .. ": responses are 50% faster on average (here: at least, over the same)",
      at_most(RESPONSE, 0.5) },
  }
end

-- All statements about the computed figures, in the order of the report.
function statements.of(store, plan, done)
  local function figure(name, sizes)
    return setmetatable({ store = store, name = name, sizes = sizes }, Figure)
  end
  local ten, six = table.unpack(paper.small)
  local two, three = figure(ten.key, ten.sizes), figure(six.key, six.sizes)
  local four = figure("4", plan.sizes)
  return verdict.judge(
    done[ten.key] and done[six.key] and done["4"]
      and averages({ two, three, four }, "All workloads", (NEEDS:gsub("its", "the"))),
    done["4"] and averages({ four }, "Workload-III"),
    done[ten.key] and small(two, ten),
    done[six.key] and small(three, six),
    done["4"] and large(four, plan.sizes),
    done.variants and variants(figure "variants", plan.sizes),
    done.readings and readings(figure "readings", plan.sizes))
end

return statements
