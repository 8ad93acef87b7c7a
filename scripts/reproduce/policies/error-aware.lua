-- The search that found the options of dispatch/error-aware:
--
--   orrery search scripts/reproduce/policies/error-aware.lua -o results/error-aware
--
-- Sets as in section 5.1 of RR-9296 for several mean failure probabilities q and machines of P
-- processors. A search has one machine and one rate of errors, so times and widths are scaled: on
-- 10,000 processors jobs that are twice as wide are those of a machine of 5,000.
local orrery = require "orrery"

local PROCS, RATE, MEAN_AREA = 10000, 2e-8, 1025 * 10050

-- `count` sets of every machine and probability, one of each kind after the other.
local function sets(seed, count)
  local list = {}
  for i = 1, count do
    for _, procs in ipairs { 5000, 7500, 10000, 15000 } do
      for _, q in ipairs { 0.1, 0.2, 0.3, 0.4, 0.6 } do
        local wider = PROCS / procs
        local longer = -math.log(1 - q) / (RATE * MEAN_AREA * wider)
        list[#list + 1] = { name = ("P = %d, q = %g, %d"):format(procs, q, i),
          jobs = orrery.synthetic { seed = seed, set = #list,
            procs = { 50 * wider // 1, 2000 * wider // 1 },
            time = { 100 * longer, 20000 * longer } } }
      end
    end
  end
  return { sets = list, seed = seed }
end

return {
  title = "Jobs that silent errors strike: order and reservations",
  policies = { { policy = "error-aware", vary = {
    risk = { least = 0.25, most = 1.2 }, calm = { least = 0.03, most = 0.12 },
    slope = { least = 1, most = 20, log = true }, waste = { least = 0.01, most = 0.15, log = true },
    misses = { least = 1, most = 8 } } } },
  baselines = {
    { policy = "greedy", priority = "la" }, { policy = "easy", priority = "la" },
    { policy = "list:reservations=1,reading=head", priority = "la" },
    { policy = "list:reservations=all", priority = "la" },
    { policy = "greedy", priority = "lpt" }, { policy = "easy", priority = "lpt" },
    { policy = "list:reservations=all", priority = "lpt" },
  },
  fixed = { procs = PROCS, batch = true, errors = { rate = RATE }, runs = 4 },
  training = sets(11, 3), validation = sets(12, 6), testing = sets(13, 6),
  metric = "ratio",
}
