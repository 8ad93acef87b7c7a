-- The search for the options of dispatch/likely-short:
--
--   ORRERY_TRACES=DIR orrery search scripts/reproduce/policies/likely-short.lua -o results/found
--
-- Less mean bounded slowdown than EASY with the least area first and with WFP3, at no longer mean
-- wait and 99th percentile, and at half the longest wait of the former: over months, on 480
-- processors. Two kinds are Lublin and Feitelson's model. Two are made of weeks of the logs in DIR,
-- two for training and the two before for validation: of the first four of HPC2N, each processor
-- counting as two, and Mira's of January 2019, each midplane as five. A log that is not there is
-- left out.
local streams = require "orrery.reproduce.policies.streams"

local DAYS, PROCS = 120, 480

local function of_weeks(name, given)
  given.path = ("%s/%s"):format(os.getenv "ORRERY_TRACES" or ".", name)
  local file = io.open(given.path)
  if not file then return false end
  file:close()
  return function(seed, first)
    if not first then return nil end
    given.seed, given.days, given.first, given.last = seed, DAYS, first, first + 1
    return streams.resampled(given)
  end
end

local function of_model(load, walltimes, with_users)
  return function(seed)
    return streams.lublin({ procs = PROCS, days = DAYS, load = load, walltimes = walltimes,
      seed = seed }, with_users)
  end
end

local KINDS = {
  { "HPC2N", of_weeks("hpc2n-2002.swf", { procs = 240, times = 2, load = 0.7 }) },
  { "as users ask", of_model(0.8, "users") },
  { "Mira", of_weeks("mira-2019-01.csv", { procs = 49152, times = 5 / 512 }) },
  { "Tsafrir's estimates, users", of_model(0.7, "tsafrir", true) },
}

-- first_week: of the logs; nil: without them
local function sequences(seed, count, first_week)
  local list = {}
  for i = 1, count do
    for _, kind in ipairs(KINDS) do
      local jobs = kind[2] and kind[2](1000 * seed + i, first_week)
      list[#list + 1] = jobs and { name = ("%s, %d"):format(kind[1], i), jobs = jobs }
    end
  end
  return { sets = list }
end

return {
  title = "Likely short jobs first",
  policies = { { policy = "likely-short", vary = {
    patience = { least = 7 * 86400, most = 60 * 86400, log = true },
    share = { least = 0, most = 0.4 }, chance = { least = 0, most = 0.8 } } } },
  baselines = { { policy = "easy", priority = "saf" }, { policy = "easy", priority = "wfp3" } },
  fixed = { procs = PROCS, walltimes = "log", warmup = streams.warmup, quantiles = true },
  training = sequences(41, 2, 3), validation = sequences(42, 2, 1), testing = sequences(46, 4),
  metric = "bsld_mean",
  constraints = { { metric = "wait_mean", most = 1, of = "easy + saf" },
    { metric = "wait_mean", most = 1, of = "easy + wfp3" },
    { metric = "wait_p99", most = 1, of = "easy + saf" },
    { metric = "wait_p99", most = 1, of = "easy + wfp3" },
    { metric = "wait_max", most = 0.5, of = "easy + saf" } },
  evaluations = 150,
}
