-- CautiousSaving: its periods by hand, its decisions, and what it is for.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

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

-- Times on 1, 2, ... up to `most` processors of work that is perfectly parallel.
local function parallel(work, most)
  local times = {}
  for procs = 1, most do times[procs] = work / procs end
  return times
end

-- Processors of the tasks A to E just after A has ended, at 40. Nothing fails, moves take no time.
-- All start on 2 processors but B and E, which start on 4. C is no faster on more than 4.
local function after_the_first_end(policy)
  local c = { 200, 100, 90, 85 }
  for procs = 5, 14 do c[procs] = 85 end
  local times = { A = parallel(80, 14), B = parallel(260, 14), C = c, D = parallel(198, 14),
    E = parallel(259, 14) }
  local list = {}
  for _, id in ipairs { "A", "B", "C", "D", "E" } do
    list[#list + 1] = { id = id, m = 0, times = times[id] }
  end
  local session = orrery.session { tasks = orrery.tasks.list(list), procs = 14, policy = policy }
  session:run_until(41)
  local procs = {}
  for i = 1, 5 do procs[list[i].id] = session:task(i).procs end
  session:finish()
  assert.is_true(session:check())
  return procs, session.now
end

describe("CautiousSaving", function()
  -- With 200 s between faults of 2 processors Young's period does (2 * 200 * 1)^0.5 = 20 s of work
  -- and takes a checkpoint of 1 s. Of 100 s of work a part is left when a fault strikes at 50: 40
  -- were saved at 41, it goes on at 51 with 60, so that 3 checkpoints follow.
  it("cuts tasks into the equal parts that cost least", function()
    local struck = { { time = 50, task = "A" } }
    assert.equal(51 + 60 + 3, makespan({ 200, 100 }, "none", struck))
    -- An hour undone costs 1.75 h: 7 parts cost 7 + 1.75 * 0.5 * (100 / 7 + 1) / 2 = 13.69 s, 6 or
    -- 8 cost more. 3 parts are saved at 45.9; 4 are left, with 3 checkpoints.
    assert.near(51 + 400 / 7 + 3, makespan({ 200, 100 }, NAME, struck), 1e-6)
    -- Efficiency 0.5: 1.75 + 0.5 * (1.75 + 6 * 0.2) = 3.225 h, 9 parts; 4 are saved at 48.4.
    assert.near(51 + 500 / 9 + 4, makespan({ 100, 100 }, NAME, struck), 1e-6)
    -- Efficiency 0.8: 1.75 + 0.2 * (1.75 + 6 * 0.2) = 2.34 h, 8 parts; 3 are saved at 40.5.
    assert.near(51 + 62.5 + 4, makespan({ 160, 100 }, NAME, struck), 1e-6)
  end)

  it("takes no checkpoint at the end of a task", function()
    -- as above: 7 parts, with 6 checkpoints between them
    assert.near(100 + 6, makespan({ 200, 100 }, NAME), 1e-6)
  end)

  -- At 40 there are 2 free processors. C would end at 100 and D at 99; these are enough for one of
  -- them. A new allocation has C on 4 until 91, D on 4 until 69.5, B on 2 until 90 and E on 2 until
  -- 89.5. But it is enough that one of B and E gives.
  it("moves no more tasks than a gain needs", function()
    local procs, last = after_the_first_end(NAME)
    assert.same({ A = 0, B = 2, C = 4, D = 4, E = 4 }, procs)
    assert.near(91, last, 1e-9)
    assert.same({ A = 0, B = 2, C = 4, D = 4, E = 2 }, (after_the_first_end("end-greedy")))
    assert.same({ A = 0, B = 4, C = 4, D = 2, E = 4 }, (after_the_first_end("end-local")))
  end)

  it("moves fewer tasks than a new allocation at every event", function()
    for seed = 1, 3 do
      local result = orrery.compare {
        tasks = { n = 30 }, procs = 300, runs = 5, seed = seed, faults = { mtbf_years = 20 },
        policies = { NAME, "end-greedy+iterated-greedy" },
      }
      local own, other = result:values(1, "moves"), result:values(2, "moves")
      for run = 1, 5 do assert.is_true(own[run] < other[run]) end
    end
  end)

  it("is ahead of the best published pair where tasks are not efficient", function()
    local result = orrery.compare {
      tasks = { n = 40 }, procs = 1000, runs = rounds(40, 40, 20), seed = 9,
      faults = { mtbf_years = 50 },
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
      tasks = { n = 50 }, procs = 110, runs = 30, seed = 9,
      policies = { NAME, "end-greedy", "end-local" },
    }
    local own = result:difference("end-greedy", 1, "makespan")
    assert.is_true(own.mean + own.half_width < 0)
  end)

  it("does not wait where tasks have many processors", function()
    local result = orrery.compare {
      tasks = { n = 100, sequential = 0 }, procs = 1000, runs = 30, seed = 9,
      policies = { NAME, "end-greedy", "end-local" },
    }
    for other = 2, 3 do
      local difference = result:difference(other, 1, "makespan")
      assert.is_true(difference.mean + difference.half_width < 0, other .. ": " .. difference.mean)
    end
  end)

  it("has limits for its options", function()
    for option, problem in pairs { ["slack=2"] = "a number from 0 to 1",
      ["price=0"] = "a number of at least 1", ["caution=-1"] = "a number of at least 0" } do
      local ok, message = pcall(makespan, { 2, 1 }, NAME .. ":" .. option)
      assert.is_false(ok)
      assert.matches(problem, message, 1, true)
    end
  end)
end)
