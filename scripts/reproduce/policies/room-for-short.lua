-- The search that found the options of dispatch/room-for-short:
--
--   orrery search scripts/reproduce/policies/room-for-short.lua -o results/room-for-short
--
-- Less mean bounded slowdown than EASY with the least area first, at a mean wait that is at most 5%
-- longer: on weeks of Lublin and Feitelson's model at three loads.
local orrery = require "orrery"

local function weeks(seed, count)
  local list = {}
  for i = 1, count do
    for _, load in ipairs { 0.6, 0.8, 0.95 } do
      list[#list + 1] = { name = ("load %g, %d"):format(load, i),
        jobs = orrery.lublin { procs = 256, days = 7, load = load, week = false,
          seed = 1000 * seed + i } }
    end
  end
  return { sets = list }
end

return {
  title = "Room for short jobs",
  policies = { { policy = "room-for-short", vary = {
    share = { least = 0.01, most = 0.5, log = true }, power = { least = 1, most = 20, log = true },
    width = { least = 0.7, most = 1.5 } } } },
  baselines = { { policy = "easy", priority = "saf" } },
  fixed = { procs = 256 },
  training = weeks(21, 16), validation = weeks(22, 20), testing = weeks(26, 20),
  metric = "bsld_mean",
  constraints = { { metric = "wait_mean", most = 1.05 } },
  evaluations = 3000,
}
