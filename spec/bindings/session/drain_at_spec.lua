-- drain_at, the change of a session that drains processors at a time: by hand, what is wrong
-- with it, and that futures are the same however they are come to. Which attempts it interrupts,
-- and what their checkpoints save, is held against a reference in spec/kernel/rigid.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local function rows(session)
  local list = {}
  for i, a in ipairs(session:schedule()) do
    list[i] = ("%s %g %g %s %s"):format(a.id, a.start, a.finish, a.processors, a.outcome)
  end
  return list
end

local function jobs()
  return orrery.jobs { { id = "a", procs = 2, runtime = 35 }, { id = "b", procs = 1, runtime = 15 },
    { id = "c", procs = 1, submit = 5, runtime = 12 }, { id = "d", procs = 2, submit = 6,
      runtime = 9 } }
end

local function at_2(policy, more)
  local spec = { jobs = jobs(), procs = 4, policy = policy }
  for key, value in pairs(more or {}) do spec[key] = value end
  local s = orrery.session(spec)
  s:run_until(2)
  return s
end

describe("drain_at", function()
  -- a and b run, on 0, 1 and 2; c fits on 3; d waits, and would begin at 17, but for the drain of 2
  -- and 3 from 20 to 30.
  it("keeps new attempts out, and interrupts those that still run", function()
    for _, policy in ipairs { "dispatch/easy", "dispatch/conservative", "dispatch/fcfs",
      "dispatch/list", "dispatch/lookahead", "dispatch/knapsack" } do
      local s = at_2(policy)
      s:change { drain_at = { at = 20, procs = 2, ["until"] = 30 } }
      s:finish()
      assert.same({ "a 0 35 0-1 completed", "b 0 15 2 completed", "c 5 17 3 completed",
        "d 30 39 2-3 completed" }, rows(s), policy)
      assert.is_true(s:check())
      assert.equal("at 2 s: 2 processors drained at 20 s until 30 s", tostring(s.history):match
        "at 2 s: 2[^\n]*")
      s = at_2(policy)
      s:change { drain_at = { { at = 10, nodes = 0, ["until"] = 12 },
        { at = "20s", nodes = { 3 } } } }
      local metrics = s:finish()
      local found = rows(s)
      assert.equal("a 0 10 0-1 node_failure", found[1])
      assert.equal(1, metrics.node_failures)
      assert.is_true(s:check())
    end
  end)

  it("lets jobs write a checkpoint before", function()
    local s = at_2("dispatch/easy", { checkpoint = { cost = 2, recovery = 1, period = "none",
      before = "drain" } })
    s:change { drain_at = { at = 20, nodes = "0-1", ["until"] = 30 } }
    s:run_until(20)
    local list = s:schedule()
    assert.same({ 18, 1, "node_failure" }, { list[1].saved, list[1].checkpoints, list[1].outcome })
    s:finish()
    assert.is_true(s:check())
  end)

  it("of a group is of its highest-numbered processors", function()
    local function dispatch(sim)
      for job in sim:waiting() do
        if sim:can_start(job) then sim:start(job) end
      end
    end
    local function begin()
      return at_2({ groups = { { name = "low", procs = 2, dispatch = dispatch },
        { name = "high", procs = 2, dispatch = dispatch } }, on_submit = function(sim, job)
          if job.id ~= "a" then sim:move(job, "high") end
        end })
    end
    local s = begin()
    s:change { drain_at = { { at = 20, group = "low", procs = 1, ["until"] = 40 },
      { at = 16, group = "high", ["until"] = 50 } } }
    s:run_until(20)
    local list = s.groups
    assert.same({ 1, 2 }, { list[1].down, list[2].down })
    assert.matches("1 processor in group low drained at 20 s until 40 s", tostring(s.history), 1,
      true)
    s:finish()
    assert.same({ "a 0 20 0-1 node_failure", "b 0 15 2 completed", "a 40 75 0-1 completed",
      "c 50 62 2 completed", "d 62 71 2-3 completed" }, rows(s))
    s = begin()
    for message, given in pairs {
      ["there is no group 'none', there are low, high"] = { at = 20, group = "none" },
      ["expected 1 to 2 processors, as many as group high has, found 3"] = { at = 20,
        group = "high", procs = 3 },
      ["give either group or nodes"] = { at = 20, group = "low", nodes = 1 },
      ["group: expected the name of a group, found 3"] = { at = 20, group = 3 },
    } do
      local fine, problem = pcall(s.change, s, { drain_at = given })
      assert.is_false(fine)
      assert.matches("drain_at: " .. message, tostring(problem), 1, true)
    end
    local fine, problem = pcall(s.change, s, { policy = "easy",
      drain_at = { at = 20, group = "low" } })
    assert.is_false(fine)
    assert.matches("drain it in a change of its own", tostring(problem), 1, true)
  end)

  it("of all processors for ever leaves jobs that cannot start", function()
    local s = at_2 "dispatch/easy"
    s:change { drain_at = { at = 10 } }
    local waits = s:fork {}
    waits:run_until(50)
    assert.equal(50, waits.now)
    assert.matches("next +nothing, unless something is changed", tostring(waits))
    local fine, problem = pcall(s.finish, s)
    assert.is_false(fine)
    assert.matches("nothing starts at time 10 although", tostring(problem))
  end)

  it("says what is wrong with it", function()
    local s = at_2 "dispatch/easy"
    for message, given in pairs {
      ["at 2 s, but the clock stands at 2 s"] = { at = 2 },
      ["at 1 s, but the clock stands at 2 s"] = { { at = 20 }, { at = 1 } },
      ["at: expected seconds"] = { procs = 1 },
      ["expected 1 to 4 processors, as many as the machine has, found 5"] = { at = 20, procs = 5 },
      ["procs: expected a whole number of at least 1, found 0"] = { at = 20, procs = 0 },
      ["node 4 is not among 0 to 3: the machine has 4 processors in nodes of 1"] = { at = 20,
        nodes = 4 },
      ["expected numbers of nodes and runs of them as '3-15,32', found"] = { at = 20, nodes = "x" },
      ["nodes: expected numbers of nodes as '3-15,32', found true"] = { at = 20, nodes = true },
      ["give either procs or nodes, or neither"] = { at = 20, nodes = 1, procs = 1 },
      ["until 20 s, which is no later than at 20 s"] = { at = 20, ["until"] = 20 },
      ["unknown field 'proc', did you mean 'procs'?"] = { at = 20, proc = 1 },
      ["expected a table, found 3"] = 3,
    } do
      local fine, problem = pcall(s.change, s, { drain_at = given })
      assert.is_false(fine)
      assert.matches("drain_at: " .. message, tostring(problem), 1, true)
    end
    s:finish() -- nothing has happened
    assert.same({ "a 0 35 0-1 completed", "b 0 15 2 completed", "c 5 17 3 completed",
      "d 17 26 2-3 completed" }, rows(s))
  end)

  it("has the same future in forks, after going back, and told of with all others", function()
    local rng, struck = orrery.random(3), 0
    for round = 1, rounds(120) do
      local list = {}
      for i = 1, 20 do
        list[i] = { procs = rng:integer(1, 8), runtime = rng:integer(10, 400),
          submit = rng:integer(0, 1500) }
      end
      local log = orrery.jobs(list)
      local policies = { "easy", "conservative", "list", "fcfs" }
      local s = orrery.session { jobs = log, procs = 8,
        policy = "dispatch/" .. policies[round % 4 + 1],
        checkpoint = { cost = 5, period = "none", before = "drain" } }
      local first, second = rng:uniform(0, 700), rng:uniform(0, 700)
      local function drain()
        local at = s.now + rng:integer(1, 400)
        return { drain_at = { at = at, nodes = rng:integer(0, 3) .. "-" .. rng:integer(4, 7),
          ["until"] = at + rng:integer(1, 500) } }
      end
      s:run_until(first)
      s:change(drain())
      s:run_until(first + second)
      s:change(drain())
      local fork = s:fork {}
      fork:finish()
      s:finish()
      local all = rows(s)
      assert.same(all, rows(fork))
      assert.is_true(s:check())
      assert.is_true(fork:check())
      s:back_to(first + second * rng:uniform(0, 1))
      s:finish()
      assert.is_true(s:check())
      for _, line in ipairs(all) do struck = struck + (line:find "node_failure" and 1 or 0) end
    end
    assert.is_true(struck > 5, struck)
  end)
end)
