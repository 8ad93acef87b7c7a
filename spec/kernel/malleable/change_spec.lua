-- What-if: a run that is changed on its way.
local orrery = require "orrery"
local native = require "native_malleable"
local packs = require "spec.support.packs"
local runs = require "spec.support.pack_runs"
local rounds = require "spec.support.rounds"

local snapshot, holds = runs.snapshot, runs.holds
local start, prepared, somewhere = runs.start, runs.prepared, runs.somewhere
local pack, sum, refused = runs.pack, runs.sum, runs.refused

describe("a fault by somebody's will", function()
  -- t1 has 2 of 4 processors and would take 100 s, t2 200 s. Nothing is saved: at 60 all is lost.
  it("strikes a task now, worked by hand", function()
    local session = pack({ 200, 400 }, 4, "none")
    session:run_until(60)
    assert.same({}, session:change { fault = { { task = 2 } } })
    assert.equal(60, session.next_event)
    assert.is_true(session:step())
    assert.equal(60, session.now)
    assert.equal("locked", session:task(2).state)
    assert.equal(265, session:task(2)["end"])
    local metrics = session:finish()
    assert.same({ 100, 265 }, session:ends())
    assert.equal(1, metrics.faults)
    assert.equal(120, metrics.lost)
    assert.equal(10, metrics.recovery)
    assert.equal(200 + 400, metrics.useful)
    assert.equal(2 * 165, metrics.idle)
    assert.same({ { time = 60, task = 2 } }, session:faults())
    holds(session)
  end)

  it("says so where it has no effect", function()
    local session = pack({ 200, 400 }, 7, "none")
    session:run_until(60)
    session:change { fault = { { processor = 1 } } }
    session:step()
    assert.same({
      "task t1 is locked until 65: the fault has no effect",
      "processor 6 is idle: the fault has no effect",
    }, session:change { fault = { { task = 1 }, { processor = 6 }, { task = 2 } } })
    session:step()
    assert.equal(2, session:measure().faults)
    assert.equal(4, #session:faults())
    session:finish()
    assert.same({ "task t1 is over: the fault has no effect" },
      session:change { fault = { { task = 1 } } })
    holds(session)
  end)

  it("is the same as one of the log, bit for bit", function()
    local rng, struck, absorbed, count = orrery.random(141), 0, 0, rounds(150, 150, 50)
    for _ = 1, count do
      local world = packs.random(rng)
      local policy = runs.random_policy(rng)
      local session = start(packs.spec(world, { policy = policy }))
      somewhere(rng, session)
      if rng:integer(1, 4) == 1 then -- when a task becomes ready
        local task = session:task(rng:integer(1, #world.tasks))
        if task.ready > session.now then session:run_until(task.ready) end
      end
      if not session.over then
        local time, at = session.now, 1
        local fault = rng:integer(1, 2) == 1 and { task = rng:integer(1, #world.tasks) }
          or { processor = rng:integer(0, world.procs - 1) }
        local remarks = session:change { fault = { fault } }
        holds(session)
        while world.faults[at] and world.faults[at].time <= time do at = at + 1 end
        table.insert(world.faults, at, { time = time, task = fault.task,
          processor = fault.processor })
        local scripted = start(packs.spec(world, { policy = policy }))
        local before = session:measure().faults
        if #remarks == 0 then
          assert.equal(time, session.next_event)
          session:step()
          assert.is_true(session:measure().faults > before)
          struck = struck + 1
        else
          absorbed = absorbed + 1
        end
        session:finish()
        scripted:finish()
        runs.same(snapshot(scripted), snapshot(session), packs.describe(world))
        holds(session)
      end
    end
    assert.is_true(struck > 0.3 * count and absorbed > count / 10, struck .. " " .. absorbed)
  end)
end)

describe("another seed", function()
  it("is the same run where it is the same seed, at any time", function()
    local rng, faults, count = orrery.random(142), 0, rounds(80, 80, 30)
    for _ = 1, count do
      local spec = runs.random_spec(rng)
      local session = start(spec)
      somewhere(rng, session)
      local plain = session:fork()
      session:change { seed = spec.seed }
      runs.same(snapshot(plain), snapshot(session))
      plain:finish()
      session:finish()
      runs.same(snapshot(plain), snapshot(session))
      faults = faults + session:measure().faults
    end
    assert.is_true(faults > 5 / 4 * count, faults)
  end)

  it("gives the faults of that seed after now, and keeps those before", function()
    local rng, differ = orrery.random(143), 0
    for _, law in ipairs(runs.laws) do
      for _ = 1, 15 do
        local spec = {
          tasks = { n = 5, m = { 1e5, 3e5 } }, procs = 23, seed = rng:integer(1, 1000),
          faults = { mtbf_years = 0.3, law = law[1], shape = law[2], downtime = 600 },
          policy = "end-greedy+iterated-greedy",
        }
        local session = start(spec)
        session:run_until(rng:uniform(0, 1) * session.expected)
        local now, kept = session.now, session:faults()
        spec.seed = spec.seed + 1
        local other = start(spec)
        session:change { seed = spec.seed }
        holds(session)
        session:finish()
        other:finish()
        local found, expected = session:faults(), {}
        for _, fault in ipairs(kept) do expected[#expected + 1] = fault end
        for _, fault in ipairs(other:faults()) do
          if fault.time > now then expected[#expected + 1] = fault end
        end
        local common = math.min(#found, #expected)
        for i = 1, common do assert.same(expected[i], found[i]) end
        differ = differ + common - #kept
        holds(session)
      end
    end
    assert.is_true(differ > 100)
  end)
end)

describe("another policy", function()
  it("begins with a state of its own, and the same one keeps what it has", function()
    local session = pack({ 200, 400, 900 }, 6, runs.moody())
    assert.same({ count = 0 }, session.state)
    session:step()
    assert.equal(1, session.state.count)
    session:change { policy = debug.getuservalue(session, 3) }
    assert.equal(1, session.state.count)
    local counting = {
      name = "counting", init = function(sim) sim.state.since = { sim.now, sim.running_count } end,
      on_end = function(sim, task) table.insert(sim.state.since, task.id) end,
    }
    local now = session.now
    session:change { policy = prepared(counting) }
    assert.same({ since = { now, 2 } }, session.state)
    session:finish()
    assert.equal(now, session.state.since[1])
    assert.equal("t2", session.state.since[3])
    session:change { policy = prepared "none" }
    assert.is_nil(session.state)
    holds(session)
  end)

  it("is the same run where it is the same policy, from the start", function()
    local rng = orrery.random(144)
    for _ = 1, rounds(40, 40, 20) do
      local spec = runs.random_spec(rng, "none")
      local session = start(spec)
      spec.policy = packs.policies[rng:integer(1, #packs.policies)]
      local plain = start(spec)
      session:change { policy = prepared(spec.policy) }
      plain:finish()
      session:finish()
      runs.same(snapshot(plain), snapshot(session))
    end
  end)

  it("that fails to begin changes nothing", function()
    local session = pack({ 200, 300 }, 8, runs.moody())
    session:step()
    local sick = { name = "sick", on_end = function() end }
    function sick.init(sim) if sim.now > 0 then error "not today" end end
    refused("not today", session, { policy = prepared(sick) })
    session:finish()
  end)
end)

describe("a task that is cancelled", function()
  -- At 50 t1 has done half of its work on 2 processors; t2 has 300 of 400 left.
  it("is over, and its processors are free, worked by hand", function()
    local session = pack({ 200, 400 }, 4, "none")
    session:run_until(50)
    session:change { cancel = { 1 } }
    assert.equal(50, session.next_event)
    assert.equal(2, session.free)
    assert.equal("over", session:task(1).state)
    assert.equal(0.5, session:task(1).left)
    local metrics = session:finish()
    assert.same({ 50, 200 }, session:ends())
    assert.equal(100 + 400, metrics.useful)
    assert.equal(300, metrics.idle)
    holds(session)
  end)

  it("has the policy called, as by an end", function()
    local session = pack({ 200, 400 }, 4, "end-local")
    session:run_until(50)
    session:change { cancel = { 1 } }
    session:step()
    assert.equal(50, session.now)
    assert.equal(4, session:task(2).procs)
    session:finish()
    assert.same({ 50, 125 }, session:ends()) -- 300 left on 4 processors
    holds(session)
  end)

  it("ends the run where it was the last", function()
    local session = pack({ 200, 400 }, 4, "end-local")
    session:run_until(30)
    session:change { cancel = { 2, 1 } }
    assert.is_true(session.over)
    assert.equal(math.huge, session.next_event)
    assert.is_false(session:step())
    local metrics = session:finish()
    assert.equal(30, metrics.makespan)
    assert.equal(120, metrics.useful)
    holds(session)
    refused("cancel: task t1 is over since 30", session, { cancel = { 1 } })
  end)

  -- Struck at 60 it is down until 65; cancelled at 62.
  it("may be one that is locked", function()
    local session = pack({ 200, 400 }, 4, "none")
    session:run_until(60)
    session:change { fault = { { task = 2 } } }
    session:run_until(62)
    session:change { cancel = { 2 } }
    local metrics = session:finish()
    assert.same({ 100, 62 }, session:ends())
    assert.equal(4, metrics.recovery)
    assert.equal(120, metrics.lost)
    assert.equal(400, sum(metrics))
    holds(session)
  end)

  it("leaves a schedule that holds, whatever the run and the instant", function()
    local rng, cancelled, moved, count = orrery.random(145), 0, 0, rounds(150, 150, 50)
    for _ = 1, count do
      local session = start(runs.random_spec(rng))
      for _ = 1, rng:integer(1, 4) do
        somewhere(rng, session)
        local task = runs.a_running_task(rng, session)
        if task then
          local now, before = session.now, session:measure().moves
          session:change { cancel = { task } }
          assert.equal(now, session:ends()[task])
          holds(session)
          cancelled = cancelled + 1
          session:step()
          moved = moved + session:measure().moves - before
        end
      end
      local metrics = session:finish()
      holds(session)
      local all = session.procs * metrics.makespan
      assert.near(all, sum(metrics), 1e-9 * all)
    end
    assert.is_true(cancelled > count and moved > count / 6, cancelled .. " " .. moved)
  end)
end)

describe("a change", function()
  it("of a fork is the change on the spot, and leaves the original alone", function()
    local rng = orrery.random(146)
    for _ = 1, rounds(100, 100, 20) do
      local session = start(runs.random_spec(rng))
      somewhere(rng, session)
      local fork, before = session:fork(), snapshot(session)
      local change = runs.random_change(rng, session)
      fork:change(change)
      holds(fork)
      runs.some_steps(rng, fork)
      runs.same(before, snapshot(session))
      fork:finish()
      runs.same(before, snapshot(session))
      session:change(change)
      local copy = session:fork() -- what is due is copied, too
      session:finish()
      copy:finish()
      runs.same(snapshot(session), snapshot(fork))
      runs.same(snapshot(session), snapshot(copy))
      holds(session)
    end
  end)

  it("of nothing changes nothing", function()
    local rng = orrery.random(147)
    for _ = 1, rounds(60, 60, 20) do
      local session = start(runs.random_spec(rng))
      somewhere(rng, session)
      local plain = session:fork()
      for _ = 1, rng:integer(1, 3) do
        assert.same({}, session:change {})
        runs.same(snapshot(plain), snapshot(session))
        runs.some_steps(orrery.random(1), session)
        runs.some_steps(orrery.random(1), plain)
      end
      plain:finish()
      session:finish()
      runs.same(snapshot(plain), snapshot(session))
    end
  end)

  it("that cannot be made is refused whole", function()
    local session = pack({ 200, 400 }, 5, "end-local")
    session:run_until(10)
    refused("cancel: there is no task at position 3 among 2", session, { cancel = { 1, 3 } })
    refused("cancel: task t1 is over since 10", session, { cancel = { 1, 1 } })
    refused("cancel: expected a position, found x", session, { cancel = { "x" } })
    refused("cancel: expected a table, found number", session, { cancel = 1 })
    refused("fault: there is no task at position 9 among 2", session,
      { cancel = { 1 }, fault = { { task = 9 } } })
    refused("fault: processor 5 is not among 0 to 4", session, { fault = { { processor = 5 } } })
    refused("fault: either its processor or its task must be given", session, { fault = { {} } })
    refused("fault: either its processor or its task must be given", session,
      { fault = { { task = 1, processor = 1 } } })
    refused("table expected, got number", session, { fault = { 7 } })
    local outer = orrery.session { tasks = runs.tasks { 200, 400 }, procs = 5, policy = "none" }
    for message, change in pairs {
      ["fault: give either task or processor"] = { fault = { { task = 1, processor = 1 } } },
      ["unknown field 'runtime'"] = { runtime = {} },
    } do
      local _, found = pcall(outer.change, outer, change)
      assert.matches(message, found, 1, true)
    end
    session:finish()
    assert.same({ 100, 150 }, session:ends())
  end)

  it("lets a run go on in pieces, as many instants as one likes", function()
    local session = pack({ 200, 300, 400 }, 6, "none")
    assert.is_false(session:run_until(400, 1))
    assert.equal(100, session.now)
    assert.is_true(session:run_until(120, 1))
    assert.equal(120, session.now)
    assert.is_false(session:run_until(400, 0))
    assert.is_true(session:run_until(400, 2))
    assert.is_true(session.over)
  end)
end)

describe("a simulation that is not recorded", function()
  it("has the same future after the same changes, which copy it once, and after none", function()
    local struck, absorbed, fatal = 0, 0, 0
    for _, law in ipairs { "exponential", "weibull" } do
      for number = 1, 150 do
        local problem, hit, idle, lost = native.twins(law, number)
        assert.equal("", problem, law .. " " .. number)
        struck, absorbed, fatal = struck + hit, absorbed + idle, fatal + lost
      end
    end
    assert.is_true(struck > 3000 and absorbed > 3000 and fatal > 50,
      struck .. " " .. absorbed .. " " .. fatal)
  end)
end)
