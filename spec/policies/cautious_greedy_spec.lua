-- CautiousGreedy: its decisions by hand, its limits, and what it is for.
local orrery = require "orrery"

local NAME = "cautious-greedy"

-- Perfectly parallel tasks without data, so that moving is free: work is in s on one processor.
local function parallel(works, procs)
  local list = {}
  for i, work in ipairs(works) do
    local times = {}
    for j = 1, procs do times[j] = work / j end
    list[i] = { id = ("ABC"):sub(i, i), m = 0, times = times }
  end
  return orrery.tasks.list(list)
end

-- On 16 processors: A 2 until 6, B 4 until 5.8, C 10 until 6. A is struck at 2. It begins anew and
-- would end at 8. B, the first to finish, cannot help: with 2 processors it would end at
-- 2 + 15.2 / 2 = 9.6. With 8 processors C ends at 2 + 40 / 8 = 7, and A, with its 2, at 5.
local TASKS = parallel({ 12, 23.2, 60 }, 16)

local function struck(policy, mtbf, costs)
  return orrery.compare {
    tasks = TASKS, procs = 16, policy = policy, costs = costs, threads = 1,
    faults = { mtbf = mtbf, log = { { time = 2, task = "A" } } },
  }
end

local function total(list)
  local sum = 0
  for _, value in ipairs(list) do sum = sum + value end
  return sum
end

describe("CautiousGreedy", function()
  it("allocates anew where that alone helps", function()
    for i, expected in ipairs { 5, 5.8, 7 } do
      assert.near(expected, struck("none+" .. NAME, math.huge):ends(1, 1)[i], 1e-12)
    end
    assert.equal(8, struck("none+shortest-tasks-first", math.huge):values(1, "makespan")[1])
  end)

  -- On 8 processors: A 2 until 6, B 6 until 6. A is struck at 3 and would end at 9; with 2 from B
  -- it ends at 6 and B at 3 + 18 / 4 = 7.5. A new allocation is the same.
  it("helps the struck task from the one that finishes first", function()
    local result = orrery.compare {
      tasks = parallel({ 12, 36 }, 8), procs = 8, policy = "none+" .. NAME,
      faults = { mtbf = math.huge, log = { { time = 3, task = "A" } } },
    }
    assert.same({ 6, 7.5 }, result:ends(1, 1))
  end)

  it("takes a new allocation from so many deviations on", function()
    local costs = { checkpoint_fixed = 0.02 }
    local function expected(time, work, procs)
      return orrery.expected { time = time, work = work, procs = procs, mtbf = 400,
        checkpoint = 0.02, recovery = 0.02 }
    end
    -- The first period of A, of (2 * 200 * 0.02)^0.5 = 2.83 s, is lost. C has worked for 2 s
    -- without one checkpoint; it takes another when it has moved.
    local span = expected(6, 1, 2)
    local gain = 2.02 + span - (2.02 + expected(7.5, 1 - 1.98 / 6, 8))
    local deviations = gain / ((span - 6) / (3 * 2 * span / 400) ^ 0.5)
    assert.is_true(deviations > 1 and deviations < 100)
    local function moved(caution)
      return struck(("none+%s:caution=%.17g"):format(NAME, caution), 400, costs)
        :values(1, "redistributions")[1]
    end
    assert.same({ 1, 0 }, { moved(deviations * 0.999), moved(deviations * 1.001) })
  end)

  it("at ends is EndLocal with much caution, and EndGreedy with much of the opposite", function()
    local result = orrery.compare {
      tasks = { n = 30 }, procs = 250, faults = { mtbf_years = 5 }, runs = 10, seed = 5,
      policies = { "end-local+none", NAME .. ":caution=1e9+none", "end-greedy+none",
        NAME .. ":caution=-1e9+none" },
    }
    assert.same(result:values(1, "makespan"), result:values(2, "makespan"))
    assert.same(result:values(3, "makespan"), result:values(4, "makespan"))
    assert.are_not.same(result:values(1, "makespan"), result:values(3, "makespan"))
  end)

  it("keeps to the rules in random runs", function()
    for run = 1, 40 do
      local session = orrery.session {
        tasks = { n = 3 + run % 20, m = { 1500, 2.5e6 }, sequential = run % 5 / 10 },
        procs = 60 + 7 * run, policy = NAME, seed = 2, run = run,
        faults = { mtbf_years = 0.3 * 1.2 ^ run, downtime = run % 3 * 1000 },
      }
      session:finish()
      assert.is_true(session:check())
    end
  end)

  -- What it is for, on 20 fixed scenarios each.
  it("gains on doing nothing, at every rate of faults, and never much less than another", function()
    for _, years in ipairs { 0.5, 5, 50, math.huge } do
      local result = orrery.compare {
        tasks = { n = 40 }, procs = 400, runs = 20, seed = 9, faults = { mtbf_years = years },
        policies = { "none", NAME, "end-local+shortest-tasks-first", "end-greedy+iterated-greedy" },
      }
      local gained = result:difference(1, 2)
      assert.is_true(gained.mean + gained.half_width < 0)
      local own = total(result:values(2, "normalised")) / 20
      for other = 3, 4 do
        assert.is_true(own < total(result:values(other, "normalised")) / 20 + 0.015)
      end
    end
  end)
end)
