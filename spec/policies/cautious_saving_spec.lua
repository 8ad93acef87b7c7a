-- CautiousSaving: its periods by hand, its decisions, and what it is for.
local orrery = require "orrery"

local NAME = "cautious-saving"

-- One task with these times on 1, 2, ... processors, whose checkpoints take 1 s on 2 of them.
local function makespan(times, policy, log)
  local session = orrery.session {
    tasks = orrery.tasks.list { { id = "A", m = 2, times = times } }, procs = 2, policy = policy,
    costs = { checkpoint = 1 }, faults = { mtbf = 400, log = log or {} },
  }
  session:finish()
  assert.is_true(session:check())
  return session.now
end

describe("CautiousSaving", function()
  -- With 200 s between faults of 2 processors Young's period does (2 * 200 * 1)^0.5 = 20 s of work
  -- and takes a checkpoint of 1 s. Of 100 s of work a part is left when a fault strikes at 50: 40
  -- were saved at 41, it goes on at 51 with 60, so that 3 checkpoints follow.
  it("saves after 0.65 of the usual work, or 0.85 of it where a task is efficient", function()
    local struck = { { time = 50, task = "A" } }
    assert.equal(51 + 60 + 3, makespan({ 200, 100 }, "none", struck))
    -- 0.85: 17 s of work; 34 saved at 36; 66 are left, with 3 checkpoints
    assert.near(51 + 66 + 3, makespan({ 200, 100 }, NAME, struck), 1e-9)
    -- efficiency 0.5, 0.65: 13 s of work; 39 saved at 42; 61 are left, with 4 checkpoints
    assert.near(51 + 61 + 4, makespan({ 100, 100 }, NAME, struck), 1e-9)
    -- efficiency 0.8, 0.68: 13.6 s of work; 40.8 saved at 43.8; 59.2 are left, with 4 checkpoints
    assert.near(51 + 59.2 + 4, makespan({ 160, 100 }, NAME, struck), 1e-9)
  end)

  it("has Young's where its options say so, and then moves as CautiousGreedy", function()
    for seed = 1, 3 do
      local result = orrery.compare {
        tasks = { n = 20 }, procs = 130, runs = 3, seed = seed, faults = { mtbf_years = 5 },
        policies = { NAME .. ":share=1", "cautious-greedy" },
      }
      local own, other = result:values(1, "makespan"), result:values(2, "makespan")
      for run = 1, 3 do assert.near(1, own[run] / other[run], 1e-9) end
    end
  end)

  it("is ahead of the best published pair where tasks are not efficient", function()
    local result = orrery.compare {
      tasks = { n = 40 }, procs = 1000, runs = 40, seed = 9, faults = { mtbf_years = 50 },
      policies = { NAME, "end-greedy+iterated-greedy", "end-greedy+shortest-tasks-first",
        "end-local+shortest-tasks-first" },
    }
    for other = 2, 4 do
      local difference = result:difference(other, 1, "makespan")
      assert.is_true(difference.mean + difference.half_width < 0, other .. ": " .. difference.mean)
    end
  end)

  it("waits for ends where nothing fails and tasks are efficient", function()
    local result = orrery.compare {
      tasks = { n = 50 }, procs = 110, runs = 10, seed = 9,
      policies = { NAME, "end-greedy", "end-local" },
    }
    local own = result:difference("end-greedy", 1, "makespan")
    assert.is_true(own.mean + own.half_width < 0)
  end)

  it("has limits for its options", function()
    for option, problem in pairs { ["share=0"] = "a number from 0.01 to 1",
      ["efficient=2"] = "a number from 0 to 1", ["caution=-1"] = "a number of at least 0" } do
      local ok, message = pcall(makespan, { 2, 1 }, NAME .. ":" .. option)
      assert.is_false(ok)
      assert.is_truthy(message:find(problem, 1, true), message)
    end
  end)
end)
