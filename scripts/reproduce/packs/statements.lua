-- statements: what section 6 states, and what comes out.
local orrery = require "orrery"
local verdict = require "orrery.command.verdict"

local figures = require "orrery.reproduce.packs.figures"
local paper = require "orrery.reproduce.packs.plan"

local statements = {}

local GOOD = { "approx", "pbp-1", "pbp-9" }
local NAMES = {}
for _, list in ipairs { paper.heuristics, paper.readings, { paper.optimal, paper.two } } do
  for _, one in ipairs(list) do NAMES[one.key] = one.name:gsub(" %(not in the paper%)", "") end
end

-- Everything that a statement is about: the store, the plan, and the list of statements so far.
local List = {}
List.__index = List

function List:samples(name, k, key, metric)
  return self.store:samples(figures.cell(name, k), key, metric)
end

function List:all(title, where, parts)
  if #parts > 0 then self[#self + 1] = verdict.all(title, where, parts) end
end

local function divided(a, b)
  local list = {}
  for i, value in ipairs(a) do list[i] = value / b[i] end
  return list
end

-- Samples that are all the same are a number that is known.
local function part(label, samples, relation, bound)
  local s = orrery.summary(samples)
  if s.min == s.max then return verdict.known(label, s.min, relation, bound) end
  return verdict.part(label, samples, relation, bound)
end

-- A metric of each heuristic against a bound at each k.
function List:values(name, sizes, keys, metric, relation, bound)
  local parts = {}
  for _, key in ipairs(keys) do
    for _, k in ipairs(sizes) do
      parts[#parts + 1] = part(("%s, k = %d"):format(NAMES[key], k),
        self:samples(name, k, key, metric), relation, bound)
    end
  end
  return parts
end

-- A metric of one heuristic over that of another.
function List:ratios(name, sizes, keys, others, metric, relation, bound)
  local parts = {}
  for _, key in ipairs(keys) do
    for _, other in ipairs(others) do
      for _, k in ipairs(sizes) do
        parts[#parts + 1] = part(("k = %d: %s over %s"):format(k, NAMES[key], NAMES[other]),
          divided(self:samples(name, k, key, metric), self:samples(name, k, other, metric)),
          relation, bound)
      end
    end
  end
  return parts
end

local COST, RATIO, RESPONSE = "relative_cost", "packing_ratio", "relative_response"

-- --- the small workloads ------------------------------------------------------------------------

local function small(list, one)
  local name, sizes, where = one.key, one.sizes, "figure " .. one.key
  local large = { sizes[#sizes] }
  list:all(one.name .. ": the optimum costs more than 35% less than one by one (here: from k = 4)",
    where, list:values(name, { table.unpack(sizes, 2) }, { "optimal" }, COST, "<", 0.65))
  if one.key == "3" then
    list:all(one.name .. ": with large packs the cost falls by more than 40% (here: at the "
      .. "largest k)", where,
      list:values(name, large, GOOD, COST, "<", 0.6))
  end
  list:all(one.name .. ": PACK-APPROX and PACK-BY-PACK are very near the optimum at every k (here: "
    .. "within 5%)", where, list:ratios(name, sizes, GOOD, { "optimal" }, COST, "<=", 1.05))
  list:all(one.name .. ": single random runs are poor beside PACK-APPROX and PACK-BY-PACK", where,
    list:ratios(name, sizes, { "pack-1", "proc-1" }, GOOD, COST, ">", 1))
  list:all(one.name .. ": RANDOM-PROC is better than RANDOM-PACK", where,
    list:ratios(name, sizes, { "proc-1" }, { "pack-1" }, COST, "<", 1))
  list:all(one.name .. ": RANDOM-PROC-9 is near the optimum (here: within 5% in the mean)", where,
    list:ratios(name, sizes, { "proc-9" }, { "optimal" }, COST, "<=", 1.05))
  list:all(one.name .. ": packing ratios of PACK-APPROX and PACK-BY-PACK are very close to one "
    .. "(here: at least 0.9)", where, list:values(name, sizes, GOOD, RATIO, ">=", 0.9))
  list:all(one.name .. ": response times fall as well", where,
    list:values(name, sizes, GOOD, RESPONSE, "<", 1))
  list:all(one.name .. ": sorted-cuts is no worse than PACK-BY-PACK-9",
    "not in the paper; " .. where, list:ratios(name, sizes, { "cuts" }, { "pbp-9" }, COST, "<=", 1))
end

-- --- Workload-III -------------------------------------------------------------------------------

local function at_least(sizes, k)
  local list = {}
  for _, one in ipairs(sizes) do
    if one >= k then list[#list + 1] = one end
  end
  return list
end

local function large(list, sizes)
  local where, wide = "figure 4", at_least(sizes, 16)
  list:all("Workload-III: with k = 16 and 32 PACK-APPROX and PACK-BY-PACK cost about 90% less "
    .. "(here: at least 88%)", where, list:values("4", wide, GOOD, COST, "<=", 0.12))
  list:all("Workload-III: and their response times are 80% to 90% lower (here: at least 80%)",
    where, list:values("4", wide, GOOD, RESPONSE, "<=", 0.2))
  list:all("Workload-III: PACK-APPROX and PACK-BY-PACK are clearly better than random ones, also "
    .. "than the best of nine (here: by 10%)", where,
    list:ratios("4", sizes, GOOD, { "pack-9", "proc-9" }, COST, "<", 0.9))
  list:all("Workload-III: also the random ones cost less than one by one", where,
    list:values("4", sizes, { "pack-1", "pack-9", "proc-1", "proc-9" }, COST, "<", 1))
  list:all("Workload-III: PACK-BY-PACK-1 is very near PACK-BY-PACK-9 (here: within 5%)", where,
    list:ratios("4", sizes, { "pbp-1" }, { "pbp-9" }, COST, "<=", 1.05))
  list:all("Workload-III: packing ratios are near one while k is small (here: at least 0.9)",
    "section 6.3, for the small workloads", list:values("4", { sizes[1] }, GOOD, RATIO, ">=", 0.9))
  list:all("Every heuristic takes a few milliseconds (here: at most 10)", "section 6.5",
    list:values("4", sizes, { "approx", "pbp-1", "pbp-9", "pack-9", "proc-9" }, "seconds", "<=",
      0.01))
  list:all("sorted-cuts costs less than PACK-BY-PACK-9", "not in the paper; figure 4",
    list:ratios("4", sizes, { "cuts" }, { "pbp-9" }, COST, "<", 1))
  if sizes[1] == 2 then
    list:all("With k = 2 PACK-BY-PACK-9 is near the optimum (here: within 5%)",
      "section 6.3, for the small workloads", list:ratios("4", { 2 }, { "pbp-9" }, { "two" }, COST,
        "<=", 1.05))
    list:all("With k = 2 sorted-cuts is near the optimum (here: within 1%)", "not in the paper",
      list:ratios("4", { 2 }, { "cuts" }, { "two" }, COST, "<=", 1.01))
  end
end

local function readings(list, sizes)
  list:all("Algorithm 1 inside the packs is what makes PACK-APPROX good: as printed it costs more "
    .. "(here: by 1%)", "reading 17", list:ratios("readings", sizes, { "approx-none" },
      { "approx" }, COST, ">", 1.01))
  list:all("With Algorithm 1 in every step PACK-APPROX costs no more", "reading 17",
    list:ratios("readings", sizes, { "approx-each" }, { "approx" }, COST, "<=", 1))
end

-- All statements about what was computed, in the order of the report.
function statements.of(store, plan, done)
  local list = setmetatable({ store = store }, List)
  for _, one in ipairs(paper.small) do
    if done[one.key] then small(list, one) end
  end
  if done["4"] then large(list, plan.sizes) end
  if done.readings then readings(list, plan.sizes) end
  return list
end

return statements
