-- What a policy may not do: each is an error that names policy, hook, task and time, stops the
-- simulation, and leaves the kernel as it was.
local orrery = require "orrery"

local TASKS = orrery.tasks.list {
  { id = "A", m = 8, times = { 16, 8, 6, 5, 4.5, 4 } }, { id = "B", m = 8, times = { 4, 2, 1.5 } },
  { id = "C", m = 8, times = { 16, 8, 6, 5, 4.5, 4 } },
}

-- B ends at 2; A is struck at 1 and computes again at 1.5, C at 3 and 3.5.
local function open(policy, more)
  local spec = {
    tasks = TASKS, procs = 7, policy = policy,
    faults = { mtbf = math.huge, downtime = 0.5, log = { { time = 1, task = 1 },
      { time = 3, task = 3 } } },
  }
  for key, value in pairs(more or {}) do spec[key] = value end
  return orrery.session(spec)
end

local function refuses(hook, action, where, expected, more)
  local session = open({ name = "bad", [hook] = action }, more)
  local ok, message = pcall(session.finish, session)
  assert.is_false(ok)
  assert.matches("policy bad: " .. hook .. " for " .. where, message, 1, true)
  assert.matches(expected, message, 1, true)
  -- it stands still from then on, and says so
  local again, why = pcall(session.step, session)
  assert.is_false(again)
  assert.is_string(why)
  -- others go on
  assert.equal(11.5, open("none"):finish().makespan) -- C: 3 s lost, 0.5 s of downtime
end

describe("a policy may not", function()
  it("hand out more than there is, in one task or together", function()
    refuses("on_end", function(sim) sim:give(sim:longest(), 4) end, "task B at time 2",
      "hands out 8 processors; there are 7")
    refuses("on_end", function(sim)
      for _, task in ipairs(sim:tasks()) do sim:give(task, 2) end
    end, "task B at time 2", "hands out 8 processors; there are 7")
    refuses("on_fault", function(sim, task) sim:assign(task, 8) end, "task A at time 1",
      "task A cannot have 8 processors: the machine has 7")
  end)

  it("take away more than there is", function()
    refuses("on_end", function(sim) sim:give(sim:longest(), -2) end, "task B at time 2",
      "task A cannot have 0 processors")
    refuses("on_fault", function(sim, task) sim:give(task, -math.maxinteger) end,
      "task A at time 1", "task A cannot have")
    refuses("on_fault", function(sim, task) sim:give(task, math.maxinteger) end,
      "task A at time 1", "task A cannot have 2147483646 processors: the machine has 7")
  end)

  it("give what is no even number", function()
    for _, more in ipairs { 1, -1, 3 } do
      local code = ("return function(sim, task) sim:give(task, %d) end"):format(more)
      refuses("on_fault", load(code)(), "task A at time 1",
        ("task A cannot have %d processors"):format(2 + more))
    end
    refuses("on_fault", function(sim, task) sim:assign(task, 2.5) end, "task A at time 1",
      "number has no integer representation")
    refuses("on_fault", function(sim, task) sim:assign(task, 0 / 0) end, "task A at time 1",
      "number has no integer representation")
  end)

  it("exceed j_max", function()
    local tasks = orrery.tasks.list { { id = "A", times = { 16, 8 } }, { id = "B", times = { 2 } } }
    refuses("on_end", function(sim) sim:give(sim:longest(), 2) end, "task B at time 2",
      "task A cannot have 4 processors", { tasks = tasks, faults = { mtbf = math.huge } })
  end)

  it("touch a task that is locked or over", function()
    refuses("on_fault", function(sim, struck)
      for _, task in ipairs(sim:running()) do
        if struck.id == "C" and task.id == "A" then sim:give(task, 2) end
      end
    end, "task C at time 1.25", "task A is locked until 1.5", {
      faults = { mtbf = math.huge, downtime = 0.5, log = { { time = 1, task = 1 },
        { time = 1.25, task = 3 } } },
    })
    refuses("on_end", function(sim, task) sim:give(task, 2) end, "task B at time 2",
      "it is over")
  end)

  it("hope to improve a task that is locked or over", function()
    refuses("on_fault", function(sim, struck)
      local other = sim:running()[2] -- which was struck at 1
      if struck.id == "A" then return end
      error(("%s %s %s"):format(other.id, other.locked, sim:improvement(other, 4)))
    end, "task C at time 1.25", "A true nil", {
      faults = { mtbf = math.huge, downtime = 0.5, log = { { time = 1, task = 1 },
        { time = 1.25, task = 3 } } },
    })
    refuses("on_end", function(sim, over) error(tostring(sim:improvement(over, 4))) end,
      "task B at time 2", "nil")
  end)

  it("propose and then fail", function()
    refuses("on_end", function(sim)
      sim:give(sim:longest(), 2)
      error "after all"
    end, "task B at time 2", "after all")
    refuses("on_end", function() error(setmetatable({}, {})) end, "task B at time 2", "")
    refuses("on_end", function() return 1 end, "task B at time 2", "on_end returned 1")
  end)

  it("run for ever, inside of its limit of instructions", function()
    refuses("on_fault", function(sim)
      while true do sim:longest() end
    end, "task A at time 1", "instructions", { limits = { instructions = 20000 } })
  end)

  it("fill the memory", function()
    refuses("on_fault", function()
      local list = {}
      while true do list[#list + 1] = ("x"):rep(1000) .. #list end
    end, "task A at time 1", "memory", { limits = { memory = 2 ^ 23 | 0 } })
  end)
end)

describe("what is asked", function()
  it("is answered anew at every event", function()
    local seen = {}
    local session = open {
      on_fault = function(sim, task) -- A at 1
        seen[1] = seen[1] or #TASKS > 0 and sim:finish_with(task, 4) -- and nothing is assigned
      end,
      on_end = function(sim, over) -- B at 2
        if over.id ~= "B" then return end
        local a = sim:running()[1].id == "A" and sim:running()[1] or sim:running()[2]
        sim:assign(a, 4)
        seen[2], seen[3] = a.finish, sim:finish_with(a, 4)
      end,
    }
    session:finish()
    assert.are_not.equal(seen[1], seen[2])
    assert.equal(seen[3], seen[2])
  end)
end)

describe("what a policy keeps beyond its hook", function()
  -- Upvalues are read-only by contract, and these break it. They show the simulation whose hook
  -- runs, in a fork its own, and nothing that was.
  local function keeper()
    local kept, task
    return {
      name = "keeper",
      caches = { "kept", "task" }, -- else it is an error to keep them
      on_end = function(sim, over)
        if kept then
          assert(kept.now == sim.now and kept.free == sim.free)
          assert(task.over and task.procs == 0)
          kept:give(kept:longest(), 2)
        end
        kept, task = kept or sim, task or over
      end,
    }
  end

  it("is the simulation that asks, in a fork, too", function()
    local tasks = orrery.tasks.list {
      { times = { 20, 10 } }, { times = { 12, 6, 5, 4 } }, { times = { 36, 18, 12, 9, 8, 7 } },
    }
    local session = orrery.session { tasks = tasks, procs = 6, policy = keeper() }
    session:run_until(6) -- the second is over: kept
    local fork = session:fork()
    fork:finish()
    assert.equal(6, session.now)
    assert.equal(2, session:task(3).procs) -- what the fork gave its own task
    session:finish()
    assert.same(fork:ends(), session:ends())
    assert.equal(14, session:ends()[3]) -- at 10 it has 4 / 9 left, of 9 s, on 4 processors
    assert.equal(1, session:measure().moves)
    assert.is_true(session:check() and fork:check())
  end)
end)
