-- How often the intervals of result:weekly hold the true difference, over logs of Lublin's model.
local orrery = require "orrery"

local all = os.getenv "ORRERY_ROUNDS" == "all"

-- The mean bounded slowdown of EASY with and without shortest-first backfilling, of batch jobs. Few
-- weeks of congestion make most of the difference, and neighbours share them.
local function compare(weeks, seed)
  return orrery.compare {
    jobs = orrery.lublin { procs = 256, days = 7 * weeks, load = 0.8, types = "batch", seed = seed,
      set = weeks },
    procs = 256, policies = { "easy", "easy-sjf" },
  }
end

local function truth(weeks, logs)
  local sum, count = 0, 0
  for seed = 1, logs do
    local result = compare(weeks, 100000 + seed)
    local jobs = #result.sets[1].jobs
    sum, count = sum + jobs * result:difference(1, 2, "bsld_mean").mean, count + jobs
  end
  return sum / count
end

describe("result:weekly", function()
  for _, weeks in ipairs { 8, 26 } do
    it(("covers the true difference of logs of %d weeks"):format(weeks), function()
      if not all then return pending "1200 logs are simulated by make test-all only" end
      local expected, logs, hits = truth(weeks, 400), 200, 0
      for seed = 1, logs do
        local w = compare(weeks, seed):weekly(1, 2)
        if w.low <= expected and expected <= w.high then hits = hits + 1 end
      end
      -- 92% to 98%, and three standard errors of 200 logs
      assert.is_true(hits >= 0.875 * logs and hits <= logs - 1, hits .. " of " .. logs)
    end)
  end
end)
