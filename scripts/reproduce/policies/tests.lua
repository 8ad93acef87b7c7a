-- tests: the test points for the project's own policies, each simulated once, with seeds and logs
-- that no search has seen.
--
--   tests.all   list of { key, about, policy =, name =, metrics =, of_tasks = whether it is for
--               tasks, against = policies that it is compared with, points = function(given) that
--               gives a list of
--                 { key =, fields = function() that gives the fields of orrery.compare } }
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local streams = require "orrery.reproduce.policies.streams"

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

-- --- streams of months: slowdown and wait --------------------------------------------------------

local STREAMS = lists.joined(
  crossed({ "easy" }, { "saf", "fcfs", "spt", "wfp3", "f1", "f2", "f3", "f4" }),
  { { policy = "likely-short:patience=1e9", name = "likely-short without the bound" } })

-- A point of months on so many processors; make(seed, days) gives the jobs.
local function months(given, key, procs, make)
  return { key = key, fields = function()
    local sets, days = {}, given.quick and 40 or streams.days
    for i = 1, given.sets or given.quick and 3 or 8 do
      sets[i] = { name = i, jobs = make(92000 + i, days) }
    end
    return { procs = procs, walltimes = "log", sets = sets, warmup = streams.warmup,
      quantiles = true }
  end }
end

local function model(given, procs, load, walltimes, with_users)
  local key = ("Lublin; %d; load %g; %s"):format(procs, load,
    with_users and "estimates, users" or "as users ask")
  return months(given, key, procs, function(seed, days)
    return streams.lublin({ procs = procs, load = load, walltimes = walltimes, days = days,
      seed = seed }, with_users)
  end)
end

-- Weeks of a log, drawn anew. first: of the weeks
local function weeks(given, key, path, first, load)
  local log = orrery.read(path)
  local procs, seconds = log.machine_procs or 49152, log[#log].submit - log[1].submit
  local last = math.floor(seconds / (7 * 86400)) -- whole weeks
  return months(given, key, procs, function(seed, days)
    return streams.resampled { path = path, procs = procs, load = load, days = days, seed = seed,
      first = first or last // 2 + 1, last = last }
  end)
end

local function stream_points(given)
  local first = model(given, 128, 0.75, "users")
  if given.quick then return { first } end
  local points = { first, model(given, 256, 0.85, "users"),
    model(given, 512, 0.6, "tsafrir", true), model(given, 256, 0.8, "tsafrir", true),
    weeks(given, "weeks of the bundled month", "sample-2019-06", 1) }
  if given.log then
    points[#points + 1] = weeks(given, "the log's second half", given.log)
    points[#points + 1] = weeks(given, "the log's second half; load 0.75", given.log, nil, 0.75)
  end
  return points
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
  { key = "likely-short", name = "likely-short", policy = "likely-short",
    about = "slowdowns and waits of streams of months, against EASY in published orders",
    metrics = { "bsld_mean", "wait_mean", "wait_p99", "wait_max", "users" },
    against = STREAMS, points = stream_points },
  { key = "cautious-saving", name = "cautious-saving", policy = "cautious-saving", of_tasks = true,
    about = "malleable tasks on processors that fail, against the published pairs of heuristics",
    metrics = { "normalised" }, against = PAIRS, points = redistribution_points },
}

return tests
