-- The search that the options of dispatch/likely-short were chosen near:
--
--   orrery search scripts/reproduce/policies/likely-short.lua -o results/likely-short
--
-- Less mean bounded slowdown than EASY with the least area first, at no longer mean wait: on ten
-- days of Lublin and Feitelson's model with known runtimes, with walltimes as users ask for them,
-- with those of Tsafrir's model, and with users who submit jobs like their last one.
local orrery = require "orrery"
local users = require "orrery.reproduce.policies.users"

local KINDS = {
  { "known", load = 0.85 }, { "as users ask", load = 0.85, walltimes = "users" },
  { "estimates", load = 0.8, walltimes = "tsafrir" },
  { "users", load = 0.7, walltimes = "tsafrir", has_users = true },
}

local function sequences(seed, count)
  local list = {}
  for i = 1, count do
    for _, kind in ipairs(KINDS) do
      local jobs = orrery.lublin { procs = 256, days = 10, load = kind.load, week = false,
        walltimes = kind.walltimes, seed = 1000 * seed + i }
      list[#list + 1] = { name = ("%s, %d"):format(kind[1], i),
        jobs = kind.has_users and users.add(jobs, 1000 * seed + i) or jobs }
    end
  end
  return { sets = list }
end

return {
  title = "Likely short jobs first",
  policies = { { policy = "likely-short", vary = {
    share = { least = 0.05, most = 1, log = true }, long = { least = 5, most = 100, log = true },
    width = { least = 0.8, most = 1.3 }, chance = { least = 0, most = 0.8 },
    prior = { least = 1, most = 30, log = true },
    memory = { least = 5, most = 500, log = true } } } },
  baselines = { { policy = "easy", priority = "saf" } },
  fixed = { procs = 256, walltimes = "log" },
  training = sequences(31, 10), validation = sequences(32, 15), testing = sequences(36, 20),
  metric = "bsld_mean",
  constraints = { { metric = "wait_mean", most = 1 } },
  evaluations = 1500,
}
