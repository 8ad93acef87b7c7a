-- statements: what section 6 states, and what comes out.
local kinds = require "orrery.command.kinds"
local lists = require "orrery.command.lists"
local orrery = require "orrery"
local verdict = require "orrery.command.verdict"

local paper = require "orrery.reproduce.packs.plan"

local statements = {}

local GOOD = { "approx", "pbp-1", "pbp-9" }
local COST, RATIO, RESPONSE = "relative_cost", "packing_ratio", "relative_response"

local NAMES = {}
for _, one in ipairs(lists.joined(paper.heuristics, paper.readings,
  { paper.optimal, paper.two })) do
  NAMES[one.key] = one.name:gsub(" %(not in the paper%)", "")
end

-- --- kinds of comparisons -----------------------------------------------------------------------

-- What a figure's statements are about.
local Figure = {}
Figure.__index = Figure

-- Samples that are all the same are a number that is known.
--   judge  verdict.part or ratio
local function part_by(judge)
  return function(label, samples, relation, bound)
    local s = orrery.summary(samples)
    if s.min == s.max then return verdict.known(label, s.min, relation, bound) end
    return judge(label, samples, relation, bound)
  end
end

local part, ratio = part_by(verdict.part), part_by(verdict.ratio)

-- Points (see kinds.lua) with at most so many tasks in a pack.
local function points_of(sizes)
  return lists.map(sizes, function(k) return { k = k, at = ("k = %d"):format(k) } end)
end

function Figure:curve(key, metric)
  return { name = NAMES[key], samples = function(point)
    return self.store:samples(self.name, point.k, key, metric)
  end }
end

-- A metric of each heuristic against a bound at each k. Where the bound is 1, the cost or response
-- time one by one, it is a comparison of two.
function Figure:values(sizes, keys, metric, relation, bound)
  return verdict.each(keys, function(key)
    return kinds.values({ self:curve(key, metric) }, points_of(sizes), relation, bound,
      bound == 1 and ratio or part)
  end)
end

-- The cost of each heuristic over that of each other.
function Figure:costs(sizes, keys, others, relation, bound)
  return verdict.each(keys, others, function(key, other)
    return kinds.ratios({ { self:curve(key, COST), self:curve(other, COST) } }, points_of(sizes),
      relation, bound, ratio)
  end)
end

-- --- the statements -----------------------------------------------------------------------------

-- Of a small workload. Its profiles are assumed ones (see profiles/README.md).
local NEEDS = "the measured times of its applications, which were not published"

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
      f:values(sizes, { "pack-1", "pack-9", "proc-1", "proc-9" }, COST, "<", 1) },
    { "Workload-III: PACK-BY-PACK-1 is very near PACK-BY-PACK-9 (here: within 5%)",
      f:costs(sizes, { "pbp-1" }, { "pbp-9" }, "<=", 1.05) },
    { "Workload-III: packing ratios are near one while k is small (here: at least 0.9)",
      f:values({ sizes[1] }, GOOD, RATIO, ">=", 0.9),
      where = "section 6.3, for the small workloads" },
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

-- All statements about what was computed, in the order of the report.
function statements.of(store, plan, done)
  local function figure(name) return setmetatable({ store = store, name = name }, Figure) end
  local ten, six = table.unpack(paper.small)
  return verdict.judge(
    done[ten.key] and small(figure(ten.key), ten),
    done[six.key] and small(figure(six.key), six),
    done["4"] and large(figure "4", plan.sizes),
    done.readings and readings(figure "readings", plan.sizes))
end

return statements
