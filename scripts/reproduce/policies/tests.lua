-- tests: the test points for the project's own policies, each simulated once, with seeds and logs
-- that no search has seen.
--
--   tests.all   list of { key, about, policy =, name =, metrics =, of_tasks = whether it is for
--               tasks, against = policies that it is compared with, points = function(given) that
--               gives a list of
--                 { key =, fields = function() that gives the fields of orrery.compare } }
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local users = require "orrery.reproduce.policies.users"

local tests = {}

-- Every policy under every priority: { policy =, priority =, name = }.
local function crossed(policies, priorities)
  local list = {}
  for _, priority in ipairs(priorities) do
    for _, policy in ipairs(policies) do
      list[#list + 1] = { policy = policy, priority = priority,
        name = ("%s + %s"):format(policy, priority) }
    end
  end
  return list
end

-- --- silent errors: makespans -------------------------------------------------------------------

local DEPTHS = { "greedy", "easy", "list:reservations=1,reading=head", "list:reservations=2",
  "list:reservations=3", "list:reservations=5", "list:reservations=10", "list:reservations=all" }

-- A point for each of these probabilities, of so many sets, made by make(sets, seed), with `runs`
-- scenarios each.
local function over_q(given, where, qs, procs, of)
  local count, seed = given.sets or given.quick and 3 or of.sets, of.seed or 77
  return lists.map(given.quick and { qs[2] } or qs, function(q)
    return { key = ("%s; q = %g"):format(where, q), fields = function()
      return { sets = of.make(count, seed), procs = procs, batch = true, seed = seed,
        runs = q > 0 and (given.quick and 2 or of.runs) or nil,
        errors = q > 0 and { mean_probability = q } or nil }
    end }
  end)
end

local function synthetic(count, seed)
  local list = {}
  for i = 1, count do
    list[i] = { name = i, jobs = orrery.synthetic { seed = seed, set = i - 1 } }
  end
  return list
end

-- Jobs of one day of Lublin and Feitelson's model each, submitted together.
local function lublin_days(count)
  local list = {}
  for i = 1, count do
    list[i] = { name = i, jobs = orrery.lublin { procs = 256, days = 1, load = 0.8, week = false,
      seed = 77000 + i } }
  end
  return list
end

local function mira_days(count)
  local days = orrery.read("sample-2019-06"):days()
  return lists.map(table.move(days, 1, math.min(count, #days), 1, {}), function(one)
    return { name = one.day, jobs = one.jobs }
  end)
end

local QS = { 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9 }

-- Points for which five scenarios are too few: more scenarios, on other sets.
local MORE = { { 10000, { 0.6, 0.7 } }, { 12500, { 0.6, 0.7 } }, { 15000, { 0.5, 0.6, 0.7 } } }

local function error_points(given)
  local points = lists.joined(
    over_q(given, "Mira's days", { 0, 0.02, 0.05, 0.1 }, 49152,
      { sets = 30, runs = 5, make = mira_days }),
    over_q(given, "Lublin's days", { 0, 0.01, 0.02 }, 256,
      { sets = 60, runs = 5, make = lublin_days }))
  for _, procs in ipairs(given.quick and { 10000 } or { 10000, 12500, 15000, 5000 }) do
    points = lists.joined(points, over_q(given, "P = " .. procs, QS, procs,
      { sets = 60, runs = 5, make = synthetic }))
  end
  for _, more in ipairs(given.quick and {} or MORE) do
    points = lists.joined(points, over_q(given, ("P = %d; 20 scenarios"):format(more[1]), more[2],
      more[1], { sets = 60, runs = 20, seed = 79, make = synthetic }))
  end
  return points
end

-- --- a stream of jobs: slowdown and wait --------------------------------------------------------

local STREAMS = lists.joined(
  crossed({ "easy" }, { "saf", "fcfs", "spt", "f1", "f2", "f3", "f4", "wfp3", "unicef", "lpt", "la",
    "lpa", "hpa" }),
  crossed({ "conservative" }, { "fcfs", "saf", "spt", "f1", "f2", "f3", "f4", "wfp3" }),
  crossed({ "greedy" }, { "fcfs", "saf", "spt" }),
  lists.map({ "easy-sjf", "easy-plus-plus", "aging", "knapsack", "lookahead", "fair-share",
    "fcfs" }, function(name) return { policy = name, name = name } end))

-- Sequences of Lublin and Feitelson's model, of two weeks each.
local function lublin(count, seed, options)
  local list = {}
  for i = 1, count do
    local fields = { days = 14, seed = seed + i }
    for name, value in pairs(options) do fields[name] = value end
    list[i] = { name = i, jobs = orrery.lublin(fields) }
  end
  return list
end

-- The bundled month, and months that are generated in the same manner.
local function months(count, seed)
  local list = { { name = "sample-2019-06", jobs = orrery.read "sample-2019-06" } }
  for i = 2, count do list[i] = { name = i, jobs = orrery.mira_month { seed = seed + i } } end
  return list
end

-- Points of sets from a seed on, with at most so many months.
local function stream_points(given, seed, most_months)
  local count = given.sets or given.quick and 3 or 24
  local points = {
    { key = "Lublin; 128 processors; load 0.9", fields = function()
      return { procs = 128, sets = lublin(count, seed, { procs = 128, load = 0.9 }) }
    end },
    { key = "Lublin; 512; load 0.75; estimates", fields = function()
      return { procs = 512, walltimes = "log",
        sets = lublin(count, seed, { procs = 512, load = 0.75, walltimes = "tsafrir" }) }
    end },
    { key = "months as Mira's; 49152", fields = function()
      return { procs = 49152, walltimes = "log", sets = months(math.min(count, most_months), seed) }
    end } }
  if given.log then
    points[#points + 1] = { key = "weeks of the log", fields = function()
      return { jobs = orrery.read(given.log), by = "week", walltimes = "log" }
    end }
  end
  return given.quick and { points[1] } or points
end

local function of_room(given) return stream_points(given, 78000, 10) end

-- The points of of_room on other samples, with more months; and points with walltimes as users ask
-- for them, and with users who submit jobs like their last one.
local function of_likely(given)
  local count = given.sets or 24
  local asked = { key = "Lublin; 256; load 0.85; as users ask", fields = function()
    return { procs = 256, walltimes = "log",
      sets = lublin(count, 81000, { procs = 256, load = 0.85, walltimes = "users" }) }
  end }
  local with_users = { key = "Lublin; 256; load 0.7; estimates; users", fields = function()
    local sets = lublin(count, 81000, { procs = 256, load = 0.7, walltimes = "tsafrir" })
    for i, set in ipairs(sets) do set.jobs = users.add(set.jobs, 81000 + i) end
    return { procs = 256, walltimes = "log", sets = sets }
  end }
  return lists.joined(stream_points(given, 81000, 24), given.quick and {} or { asked, with_users })
end

-- --- tasks on processors that fail: the regimes of RR-8795's figures -----------------------------

local PAIRS = lists.map({ "end-greedy+iterated-greedy", "end-local+iterated-greedy",
  "end-greedy+shortest-tasks-first", "end-local+shortest-tasks-first" },
  function(name) return { policy = name, name = name } end)

local SIZES = { { 1500, "sizes from 1500" }, { 2499000, "sizes from 2,499,000" } }

-- Runs of a regime: 100, and 400 where 100 did not show an earlier form of the policy ahead. For
-- n > 100 it is 30, and 120 for n = 500.
local RUNS, MORE_RUNS = 100, 400

local NEVER = math.huge -- MTBF where nothing fails, years

-- Regimes: { p, MTBF in years, what else is said }
local function regimes()
  local list = {}
  local function add(runs, procs, years, ...)
    for _, one in ipairs(years) do
      list[#list + 1] = { procs = procs, years = one, runs = runs, more = { ... } }
    end
  end
  add(MORE_RUNS, 1000, { 1, 3 })
  add(RUNS, 1000, { 5, 10, 25, 50 })
  add(MORE_RUNS, 1000, { 100 })
  add(RUNS, 5000, { 5, 10, 25, 50, 100 })
  for _, procs in ipairs { 200, 350, 500, 750, 1500, 2000, 3000, 4000 } do
    add((procs == 200 or procs > 1500) and RUNS or MORE_RUNS, procs, { 100 })
  end
  for _, one in ipairs(SIZES) do
    add(RUNS, 1000, { 5, 25 }, one[2], { least = one[1] })
    add(one[1] > 1500 and MORE_RUNS or RUNS, 1000, { 100 }, one[2], { least = one[1] })
  end
  for _, c in ipairs { 0.01, 0.05, 0.1, 0.5 } do
    add(MORE_RUNS, 1000, { 100 }, "c = " .. c, { c = c })
  end
  add(MORE_RUNS, 1000, { 5, 25 }, "c = 0.1", { c = 0.1 })
  for _, f in ipairs { 0, 0.05, 0.2, 0.3, 0.5 } do
    add(f < 0.1 and MORE_RUNS or RUNS, 1000, { 100 }, "f = " .. f, { f = f })
  end
  for _, n in ipairs { 250, 500, 1000 } do
    add(n == 500 and 120 or 30, 5000, { 100 }, "n = " .. n, { n = n })
  end
  for _, procs in ipairs { 200, 350, 500, 750, 1000, 2000 } do add(RUNS, procs, { NEVER }) end
  for _, f in ipairs { 0, 0.3 } do add(RUNS, 1000, { NEVER }, "f = " .. f, { f = f }) end
  return list
end

local function redistribution_points(given)
  local small = { procs = 200, years = 25, runs = 3, more = { "n = 20", { n = 20 } } }
  return lists.map(given.quick and { small } or regimes(), function(one)
    local fails = one.years < NEVER
    local key = fails and ("p = %d; MTBF %g years"):format(one.procs, one.years)
      or ("p = %d; no faults"):format(one.procs)
    local more = one.more[2] or {}
    return { key = one.more[1] and key .. "; " .. one.more[1] or key, fields = function()
      return { procs = one.procs, seed = 515151, runs = given.sets or one.runs,
        tasks = { n = more.n or 100, m = { more.least or 1.5e6, 2.5e6 },
          sequential = more.f or 0.08 },
        costs = { checkpoint = more.c or 1 }, faults = fails and { mtbf_years = one.years } or nil }
    end }
  end)
end

tests.all = {
  { key = "error-aware", name = "error-aware", policy = "error-aware",
    about = "makespans under silent errors, against R-LIST of any depth with LPT and LA",
    metrics = { "ratio" }, against = crossed(DEPTHS, { "lpt", "la" }), points = error_points },
  { key = "room-for-short", name = "room-for-short", policy = "room-for-short",
    about = "slowdowns and waits of streams of jobs, against all policies",
    metrics = { "bsld_mean", "wait_mean" }, against = STREAMS, points = of_room },
  { key = "much-room", name = "room-for-short:share=0.5", policy = "room-for-short:share=0.5",
    about = "the same, where the longest jobs leave half of the machine free",
    metrics = { "bsld_mean", "wait_mean" }, against = STREAMS, points = of_room },
  { key = "likely-short", name = "likely-short", policy = "likely-short",
    about = "the same, by what jobs like these took, on other samples",
    metrics = { "bsld_mean", "wait_mean" }, against = STREAMS, points = of_likely },
  { key = "cautious-saving", name = "cautious-saving", policy = "cautious-saving", of_tasks = true,
    about = "malleable tasks on processors that fail, against the published pairs of heuristics",
    metrics = { "normalised" }, against = PAIRS, points = redistribution_points },
}

return tests
