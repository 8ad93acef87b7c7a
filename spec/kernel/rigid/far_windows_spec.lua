-- Windows that no plan reaches change nothing (READINGS 48): the same jobs start at the same times.
local orrery = require "orrery"
local events = require "spec.support.events"
local logs = require "spec.support.logs"
local rounds = require "spec.support.rounds"

local FAR = 2.0 ^ 40

-- Windows of all kinds on any processors of the machine, none of which anybody meets.
local function far_windows(spec, rng)
  local list, procs = {}, 0
  for _, g in ipairs(spec.groups) do procs = procs + g.procs end
  for i = 1, rng:integer(0, 3) > 0 and rng:integer(1, 3) or rng:integer(20, 60) do
    local first = rng:integer(0, procs - 1)
    local early = rng:integer(0, 1) == 0
    list[i] = {
      from = early and -100 or FAR + rng:integer(0, 5), to = early and -90 or FAR + 10,
      first = first, count = rng:integer(1, procs - first),
      user = rng:integer(0, 2) == 0 and "ann" or nil,
    }
  end
  return list
end

describe("windows that no plan reaches", function()
  local function compare(seed, options)
    local spec, rng = events.drawn(seed, options)
    local expected = events.times(spec)
    spec.windows = far_windows(spec, rng)
    assert.equal(expected, events.times(spec), "seed " .. seed)
  end

  for _, discipline in ipairs { "list", "conservative", "fcfs", "shelf" } do
    it("change nothing: " .. discipline, function()
      for seed = 1, rounds(10000, 600) do
        compare(seed, { windows = false, places = false, hooks = false, outages = false,
          groups = 1, discipline = discipline })
      end
    end)
  end

  it("change nothing beside nodes that fail, groups and hooks that act", function()
    for seed = 1, rounds(10000, 800) do compare(seed, { windows = false, places = false }) end
  end)
end)

describe("logs with a window that no plan reaches", function()
  local POLICIES = { "easy", "easy-sjf", "conservative", "greedy", "list:reservations=all",
    "list:reservations=3", "fcfs", "shelf", "lookahead", "knapsack" }

  for _, name in ipairs { "bundled", "mira-2019-01.csv", "hpc2n-2002.swf" } do
    it("are scheduled as without it: " .. name, function()
      local path = name == "bundled" and "data/mira/sample-2019-06.csv"
        or logs.path(name, pending)
      local jobs, policies = orrery.read(path), {}
      for i, policy in ipairs(POLICIES) do policies[i] = "dispatch/" .. policy end
      local function metrics_with(maintenance)
        return orrery.compare { jobs = jobs, policies = policies, walltimes = "log",
          maintenance = maintenance }
      end
      local without = metrics_with(nil)
      local with = metrics_with { { from = FAR, to = FAR + 1, procs = 1 } }
      for i, policy in ipairs(POLICIES) do
        for _, metric in ipairs { "makespan", "wait_mean", "bsld_mean", "utilisation" } do
          assert.equal(without:values(i, metric)[1], with:values(i, metric)[1],
            policy .. " " .. metric)
        end
      end
    end)
  end
end)
