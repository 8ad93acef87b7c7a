-- How often the interval of result:weekly holds the true difference, in the experiments of READINGS
-- 39: on Lublin logs whose truth spec/bench/coverage.lua computed from 2000 others. That script
-- prints the coverage on 1000 logs; here are as many as a run of all specs has time for.
local orrery = require "orrery"
local is_all = os.getenv "ORRERY_ROUNDS" == "all"

local EXPERIMENTS = {
  { "EASY + FCFS and EASY + SPT", load = 0.7,
    policies = { { policy = "dispatch/easy", priority = "fcfs" },
      { policy = "dispatch/easy", priority = "spt" } },
    truth = { [4] = -102.7, [8] = -106.2, [13] = -110.0, [26] = -110.8, [52] = -110.8 } },
  { "easy and easy-sjf, batch jobs", load = 0.8, types = "batch", policies = { "easy", "easy-sjf" },
    truth = { [4] = -36.8, [8] = -40.7, [13] = -43.9, [26] = -46.0, [52] = -46.4 } },
}

local function weekly(experiment, weeks, seed)
  return orrery.compare { procs = 256, policies = experiment.policies,
    jobs = orrery.lublin { procs = 256, days = 7 * weeks, load = experiment.load,
      types = experiment.types, seed = seed, set = weeks } }:weekly(1, 2)
end

describe("the interval over weeks", function()
  for _, experiment in ipairs(EXPERIMENTS) do
    for _, case in ipairs { { 8, 60 }, { 13, 60 }, { 26, 60 }, { 52, 25 } } do
      local weeks = case[1]
      local logs = is_all and case[2] or 15
      if is_all or weeks == 8 then
        it(("covers in 92%% to 98%%: %s, %d weeks"):format(experiment[1], weeks), function()
          local hits, truth = 0, experiment.truth[weeks]
          for seed = 1, logs do
            local found = weekly(experiment, weeks, seed)
            if found.low <= truth and truth <= found.high then hits = hits + 1 end
          end
          local slack = 3 * math.sqrt(0.92 * 0.08 * logs) -- standard errors of so few logs
          assert.is_true(hits >= 0.92 * logs - slack, ("%d of %d"):format(hits, logs))
        end)
      end
    end

    it("is none with 4: " .. experiment[1], function()
      for seed = 1, is_all and 40 or 5 do
        local found = weekly(experiment, 4, seed)
        assert.is_true(found.low == nil and found.high == nil and not found.significant)
        assert.is_true(found.count <= 5 and found.least <= found.median
          and found.median <= found.most and found.lower <= found.count)
      end
    end)
  end
end)
