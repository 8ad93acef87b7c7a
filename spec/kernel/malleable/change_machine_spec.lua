-- What-if: tasks that come, or need more time, and a machine that grows and shrinks under a run.
local orrery = require "orrery"
local runs = require "spec.support.pack_runs"
local rounds = require "spec.support.rounds"

local snapshot, holds, start, pack = runs.snapshot, runs.holds, runs.start, runs.pack
local somewhere, refused, sum = runs.somewhere, runs.refused, runs.sum

local function held_by(session, id)
  local processors
  for _, span in ipairs(session:schedule()) do
    if span.id == id then processors = span.processors end
  end
  return processors
end

-- Processor-seconds of a machine that is to have `sizes`, a list of { time, procs } from 0 on, and
-- that cannot let go of what tasks hold: read off the schedule alone.
local function capacity(session, sizes, stop)
  local steps = {}
  for _, size in ipairs(sizes) do steps[#steps + 1] = { size[1], 0, size[2] } end
  for _, span in ipairs(session:schedule()) do
    steps[#steps + 1] = { span.start, span.procs }
    steps[#steps + 1] = { span.finish, -span.procs }
  end
  for i, step in ipairs(steps) do step.order = i end
  table.sort(steps, function(a, b)
    if a[1] ~= b[1] then return a[1] < b[1] end
    return a.order < b.order
  end)
  local total, held, size, now = 0, 0, 0, 0
  for _, step in ipairs(steps) do
    total = total + math.max(held, size) * (math.min(step[1], stop) - now)
    now, held, size = math.min(step[1], stop), held + step[2], step[3] or size
  end
  return total + math.max(held, size) * (stop - now)
end

describe("work that takes longer than thought", function()
  -- At 50 t1 has 100 of 200 processor-seconds left on 2 processors, t2 300 of 400.
  it("is what was left, worked by hand", function()
    local session = pack({ 200, 400 }, 4, "none")
    session:run_until(50)
    session:change { work = { [2] = 2, [1] = 0.5 } }
    assert.equal(75, session.next_event)
    assert.equal(1.5, session:task(2).left)
    local metrics = session:finish()
    assert.same({ 75, 350 }, session:ends())
    assert.equal(150 + 700, metrics.useful)
    assert.equal(550, metrics.idle)
    holds(session)
  end)

  -- C = 2 on 2 processors, mu = 25, tau = 10 + 2: at 28 two periods and 4 s are done, 24 of 100.
  -- The 76 s left become 38: until then 62 s of work in all, six checkpoints, so 74. A fault at 33
  -- undoes what was done since 24, of the work before the change as of that after it.
  it("leaves the periods as they are, worked by hand", function()
    local function example()
      local session = start {
        tasks = orrery.tasks.list { { m = 0, times = { 150, 100 } } }, procs = 2, policy = "none",
        faults = { mtbf = 50, log = {}, downtime = 3 }, costs = { checkpoint_fixed = 2 },
      }
      assert.equal(120, session:task(1)["end"])
      session:run_until(28)
      session:change { work = { 0.5 } }
      return session
    end
    local session = example()
    assert.near(74, session:task(1)["end"], 1e-9)
    assert.near(0.38, session:task(1).left, 1e-12)
    session:run_until(33)
    session:change { fault = { { task = 1 } } }
    session:step()
    assert.near(0.42, session:task(1).left, 1e-12) -- 62 - 20
    assert.near(33 + 3 + 2 + 42 + 4 * 2, session:task(1)["end"], 1e-9)
    local metrics = session:finish()
    assert.near(2 * 62, metrics.useful, 1e-9)
    assert.near(2 * 9, metrics.lost, 1e-9)
    holds(session)
    session = example() -- while it recovers, all of it is left
    session:change { fault = { { task = 1 } } }
    session:run_until(30)
    session:change { work = { 2 } }
    assert.near(0.84, session:task(1).left, 1e-12)
    session:finish()
    assert.near(28 + 3 + 2 + 84 + 8 * 2, session:ends()[1], 1e-9)
    holds(session)
  end)

  it("may be next to nothing, at any moment", function()
    local rng = orrery.random(151)
    for _ = 1, rounds(60, 60, 20) do
      local session = start(runs.random_spec(rng))
      somewhere(rng, session)
      local task = runs.a_running_task(rng, session)
      if task then
        session:change { work = { [task] = 1e-300 } }
        session:change { work = { [task] = 1e-300 } }
        assert.is_true(session:task(task)["end"] >= session.now)
        holds(session)
        session:finish()
        holds(session)
      end
    end
  end)

  it("cannot be none, or have no end", function()
    local session = pack({ 200, 400 }, 4, "none")
    session:run_until(50)
    refused("work: the factor must be a finite number > 0, it is 0", session, { work = { 0 } })
    refused("work: the factor must be a finite number > 0, it is -1", session, { work = { -1 } })
    refused("the factor must be a finite number > 0, it is inf", session,
      { work = { [2] = math.huge } })
    refused("number expected, got string", session, { work = { "x" } })
    refused("work: there is no task at position 3 among 2", session, { work = { [3] = 2 } })
    refused("work: expected a position, found x", session, { work = { x = 2 } })
    refused("work: task t1 would end at infinity", session, { work = { 1.7e308 } })
    session:run_until(100)
    refused("work: task t1 is over since 100", session, { work = { 2 } })
  end)
end)

describe("tasks that are submitted", function()
  -- t1 has 2 of 9 processors until 110, t2 6 until 100. Then 7 are free, of which 8 is alone: n1
  -- and n2 take 30 and 150 s on 2 each, and n2 75 on 4.
  it("start at once on what is free, worked by hand", function()
    local session = pack({ 220, 600 }, 9, "none")
    assert.same({ 2, 6 }, { session:task(1).procs, session:task(2).procs })
    session:run_until(105)
    assert.equal(7, session.free)
    session:change { submit = runs.tasks({ 60, 300 }, "n") }
    assert.same({ 2, 4 }, { session:task(3).procs, session:task(4).procs })
    assert.same({ 105, 105 }, { session:task(3).ready, session:task(4).ready })
    assert.equal(1, session.free)
    assert.equal(4, #session.tasks)
    assert.equal("n2", session.tasks[4].id)
    local metrics = session:finish()
    assert.same({ "2-3", "4-7" }, { held_by(session, "n1"), held_by(session, "n2") })
    assert.same({ 110, 100, 135, 180 }, session:ends())
    assert.near(1180, metrics.useful, 1e-9)
    assert.near(9 * 180, sum(metrics), 1e-9)
    holds(session)
  end)

  it("are as many as there is room for, and have ids of their own", function()
    local session = pack({ 200, 400 }, 7, "none")
    session:run_until(10)
    refused("submit: 1 task needs 2 processors to start on, and 1 is free", session,
      { submit = runs.tasks({ 10 }, "n") })
    session:run_until(150)
    refused("submit: 4 tasks need 2 processors each to start on, and 7 are free", session,
      { submit = runs.tasks({ 10, 10, 10, 10 }, "n") })
    refused("two tasks have the id \"t1\"", session, { submit = runs.tasks({ 10, 10 }) })
    refused("orrery.tasks expected, got table", session, { submit = {} })
    session:change { submit = orrery.tasks.list { { m = 100 }, { m = 200, id = "x" } } }
    assert.same({ "3", "x" }, { session.tasks[3].id, session.tasks[4].id })
    assert.is_false(session.over)
    session:finish()
    holds(session)
  end)

  it("are what they were: profiles, tables, repaired ones", function()
    local rng = orrery.random(152)
    local list = {}
    for i = 1, 40 do
      local kind = rng:integer(1, 4)
      list[i] = { m = rng:uniform(1000, 2000), profile = ({ "synthetic", "amdahl", "power" })[kind],
        times = kind == 4 and { 9, 8, 9, rng:uniform(1, 9) } or nil }
    end
    local more = orrery.tasks.list(list)
    local session = pack({ 10 }, 200, "none")
    session:change { submit = more }
    assert.equal(more.repaired, session.tasks.repaired)
    assert.is_true(more.repaired > 3)
    for i = 1, 40 do
      for _, j in ipairs { 1, 2, 3, 4, 5, 64 } do
        assert.equal(more:time(i, j), session.tasks:time(i + 1, j))
      end
      local a, b = more[i], session.tasks[i + 1]
      assert.same({ a.m, a.profile, a.sequential, a.parameter, a.columns },
        { b.m, b.profile, b.sequential, b.parameter, b.columns })
      assert.equal(tostring(i + 1), b.id)
    end
  end)

  it("may come to a machine on which nothing runs any more", function()
    local session = pack({ 200 }, 4, "end-local")
    session:finish()
    session:change { submit = runs.tasks({ 80 }, "n") }
    assert.is_false(session.over)
    local metrics = session:finish()
    assert.same({ 50, 70 }, session:ends())
    assert.equal(70 * 4, sum(metrics))
    holds(session)
  end)

  it("leave a fork of before alone, which lives on its own", function()
    local session = pack({ 200, 400, 300 }, 20, "end-greedy+iterated-greedy")
    session:run_until(30)
    local fork = session:fork()
    for i = 1, 5 do
      fork:change { cancel = { fork:running()[1].position } }
      fork:change { submit = runs.tasks({ 100 + i }, "n" .. i .. "-") }
      collectgarbage()
    end
    session = session:finish() and session
    assert.equal(3, #session.tasks)
    session = nil -- luacheck: ignore
    collectgarbage()
    fork:finish()
    assert.equal(8, #fork.tasks)
    holds(fork)
  end)
end)

describe("a machine that shrinks", function()
  -- t1 has 0-1 of 12 until 50, t2 2-5 until 100, and neither can use more. Down to 5: 6-11 leave at
  -- once; when t1 ends, 1 follows, and 0 stays alone.
  it("lets go of free processors, then of those that become free, worked by hand", function()
    local session = start { tasks = orrery.tasks.list { { times = { 100, 50 } },
      { times = { 400, 200, 400 / 3, 100 } } }, procs = 12, policy = "none",
      faults = { mtbf = math.huge, log = {} } }
    assert.same({ 2, 4, 6 }, { session:task(1).procs, session:task(2).procs, session.free })
    session:change { procs = 5 }
    assert.same({ 5, 0, 1 }, { session.procs, session.free, session.draining })
    holds(session)
    session:run_until(60)
    assert.same({ 5, 1, 0 }, { session.procs, session.free, session.draining })
    holds(session)
    assert.same({ "processor 1 is not on the machine: the fault has no effect",
      "processor 9 is not on the machine: the fault has no effect",
      "processor 0 is idle: the fault has no effect" },
      session:change { fault = { { processor = 1 }, { processor = 9 }, { processor = 0 } } })
    local metrics = session:finish()
    assert.same({ 50, 100 }, session:ends())
    assert.equal(500, metrics.useful)
    assert.equal(50, metrics.idle)
    holds(session)
  end)

  it("takes from nobody, but gives to nobody either", function()
    local session = pack({ 200, 400 }, 8, "none+shortest-tasks-first")
    assert.same({ 4, 4 }, { session:task(1).procs, session:task(2).procs })
    session:run_until(10)
    session:change { procs = 2 }
    assert.same({ 2, 0 }, { session.procs, session.free })
    session:change { fault = { { task = 1 } } }
    session:step()
    assert.same({ 4, 4 }, { session:task(1).procs, session:task(2).procs })
    refused("submit: 1 task needs 2 processors to start on, and 0 are free", session,
      { submit = runs.tasks({ 10 }, "n") })
    session:finish() -- t1 from 15 to 65
    assert.same({ 65, 100 }, session:ends())
    assert.equal(0, session:measure().moves)
    holds(session)
  end)

  it("does not let a policy hand on what is to leave", function()
    local function swap(sim)
      local tasks = sim:tasks()
      assert(sim.free == -2, "free below 0: " .. sim.free)
      sim:give(tasks[1], -2)
      sim:give(tasks[2], 2)
    end
    local session = pack({ 400, 800, 100 }, 10, { name = "swap", on_end = swap })
    assert.same({ 4, 4, 2 }, { session:task(1).procs, session:task(2).procs,
      session:task(3).procs })
    session:change { procs = 6 }
    local ok, message = pcall(session.finish, session)
    assert.is_false(ok)
    assert.is_truthy(message:find("2 processors have yet to leave the machine: hands out 8 "
      .. "processors; there are 6", 1, true), message)
  end)

  it("shows policies the size that it is to have", function()
    local look = { name = "look" }
    function look.on_end(sim)
      table.insert(sim.state, { sim.procs, sim.free, sim:tasks()[1] and sim:tasks()[1].most })
    end
    local session = pack({ 200, 800, 800 }, 16, look)
    assert.same({ 2, 8, 6 }, { session:task(1).procs, session:task(2).procs,
      session:task(3).procs })
    session:change { procs = 9 }
    session:run_until(100) -- t1 ends, 5 of 7 have yet to leave; t2 ends, and 3 of its 8 are free
    assert.same({ { 9, -5, 8 }, { 9, 3, 8 } }, session.state)
    session:finish()
    holds(session)
  end)

  it("is what heuristics that begin anew share out", function()
    local session = pack({ 200, 400 }, 8, "end-greedy")
    session:run_until(10)
    session:change { procs = 2 }
    session:finish() -- at 50 t1 ends, and t2, with 200 of 400 left, keeps 2 of 4
    assert.same({ 50, 150 }, session:ends())
    assert.equal(1, session:measure().moves)
    holds(session)
  end)

  it("may come back to what it was", function()
    local session = pack({ 200, 400, 100 }, 13, "end-local")
    session:run_until(5)
    session:change { procs = { procs = 4, ["until"] = 21 } }
    assert.equal(4, session.procs)
    session:run_until(21)
    assert.equal(21, session.now)
    assert.equal(13, session.procs)
    session:finish()
    holds(session)
  end)
end)

describe("a machine that grows", function()
  -- 4 more behind the last of 5, of which 4 is alone.
  it("gives what came to the next redistribution, worked by hand", function()
    local session = pack({ 200, 400 }, 5, "end-local")
    session:run_until(10)
    session:change { procs = 9 }
    assert.same({ 9, 5, 9 }, { session.procs, session.free, session.numbered })
    assert.equal(100, session.next_event)
    session:run_until(101)
    assert.equal(8, session:task(2).procs) -- t1 ended: 2 of its and 4 that are free
    assert.equal("0-7", held_by(session, "t2"))
    local metrics = session:finish()
    assert.same({ 100, 125 }, session:ends())
    assert.near(5 * 10 + 9 * 115, sum(metrics), 1e-9)
    holds(session)
  end)

  it("lets a task have more than the machine had", function()
    local session = pack({ 400, 100 }, 4, "end-local")
    assert.equal(4, session:task(1).most)
    session:change { procs = 12 }
    assert.equal(12, session:task(1).most)
    session:finish()
    assert.same({ 75 + (400 - 100) / 12 - 25, 50 }, session:ends())
    holds(session)
  end)

  it("has faults of its own on what came, and the same ones as before on the rest", function()
    for _, law in ipairs(runs.laws) do
      local spec = {
        tasks = { n = 4, m = { 1e5, 3e5 } }, procs = 17, policy = "none",
        faults = { mtbf_years = 0.1, law = law[1], shape = law[2], downtime = 600 },
      }
      local session = start(spec)
      session:run_until(session.expected / 3)
      local grown, now = session:fork(), session.now
      grown:change { procs = 40 }
      local again = grown:fork()
      again:change { procs = 45 } -- 40 .. 44 fail by themselves
      for _, one in ipairs { session, grown, again } do one:finish() end
      local function below(one, procs)
        local list = {}
        for _, fault in ipairs(one:faults()) do
          if fault.processor < procs then list[#list + 1] = fault end
        end
        return list
      end
      assert.same(session:faults(), below(grown, 17))
      assert.same(grown:faults(), below(again, 40))
      local new = #grown:faults() - #session:faults()
      local old = 0
      for _, fault in ipairs(session:faults()) do old = old + (fault.time > now and 1 or 0) end
      assert.is_true(new > old / 2 and old > 10, ("%d %d"):format(new, old))
      for _, fault in ipairs(again:faults()) do
        assert.is_true(fault.processor < 17 or fault.time > now)
      end
      holds(grown)
    end
  end)

  it("forgets what came when the seed changes only as far as the faults are drawn anew", function()
    for _, law in ipairs(runs.laws) do
      local session = start {
        tasks = { n = 4, m = { 1e5, 3e5 } }, procs = 17, policy = "end-local+iterated-greedy",
        faults = { mtbf_years = 0.1, law = law[1], shape = law[2], downtime = 600 }, seed = 5,
      }
      session:run_until(session.expected / 4)
      session:change { procs = 30 }
      session:run_until(session.expected / 2)
      local same = session:fork()
      same:change { seed = 5 }
      session:finish()
      same:finish()
      runs.same(snapshot(session), snapshot(same))
      holds(same)
    end
  end)

  it("may go back to what it was, and refuses sizes that are none", function()
    local session = pack({ 200, 400 }, 4, "end-local")
    session:run_until(10)
    refused("procs must be between 0 and 2147483646, it is -1", session, { procs = -1 })
    refused("procs: until must be later than now, 10, it is 10", session,
      { procs = { procs = 6, ["until"] = 10 } })
    refused("procs: expected a table, found string", session, { procs = "many" })
    refused("procs: a machine cannot have -1 processors", session, { procs = {} })
    refused([[until must be a number, it is "soon"]], session,
      { procs = { procs = 6, ["until"] = "soon" } })
    refused("procs: a machine for tasks has no groups", session,
      { procs = { procs = 6, group = "main" } })
    session:change { procs = { procs = 8, ["until"] = 110 } }
    assert.equal(100, session.next_event)
    session:run_until(100)
    assert.equal(8, session:task(2).procs)
    assert.equal(110, session.next_event)
    session:step()
    assert.same({ 4, 0 }, { session.procs, session.free })
    session:change { submit = runs.tasks({}, "n") }
    session:finish()
    assert.same({ 100, 125 }, session:ends())
    holds(session)
  end)
end)

describe("whatever is changed", function()
  it("the checker is content at every stage, and no processor-second is lost", function()
    local rng, sessions = orrery.random(153), rounds(180, 180, 60)
    local counts = { procs = 0, submit = 0, cancel = 0, work = 0, fault = 0, leaving = 0 }
    for _ = 1, sessions do
      local session = start(runs.random_spec(rng))
      local sizes = { { 0, session.procs } }
      for _ = 1, rng:integer(1, 6) do
        somewhere(rng, session)
        local change = runs.random_change(rng, session)
        local now, before = session.now, session.procs
        session:change(change)
        holds(session)
        for name in pairs(counts) do counts[name] = counts[name] + (change[name] and 1 or 0) end
        if change.procs then
          if sizes.undo and sizes.undo > now then sizes[#sizes] = nil end
          sizes[#sizes + 1] = { now, session.procs }
          sizes.undo = change.procs["until"]
          if sizes.undo then sizes[#sizes + 1] = { sizes.undo, before } end
          local held = 0
          for _, task in ipairs(session:running()) do held = held + task.procs end
          counts.leaving = counts.leaving + (held > session.procs and 1 or 0)
        end
        runs.some_steps(rng, session)
        holds(session)
      end
      local metrics = session:finish()
      holds(session)
      local all = capacity(session, sizes, metrics.makespan)
      assert.near(all, sum(metrics), 1e-9 * all)
    end
    for name, count in pairs(counts) do assert.is_true(count > sessions / 7, name) end
  end)
end)
