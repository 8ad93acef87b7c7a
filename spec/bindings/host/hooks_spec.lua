-- Hooks, actions and groups of policies for jobs, as Lua sees them.
local merge = require "spec.support.merge"
local of_processor = require "spec.support.refused".of_processor
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local EASY = { discipline = "list", reservations = 1 }

-- A list with a comment per call of a hook; `outside` (a userdata) keeps the policy in this state.
local outside = orrery.jobs { { procs = 1, time = 1 } }

local function run(list, procs, policy, more)
  local session = orrery.session(merge({
    jobs = orrery.jobs(list), procs = procs, policy = merge({ name = "mine" }, policy),
  }, more))
  local metrics = session:finish()
  assert.is_true(session:check())
  return session, metrics
end

local function attempts(session)
  local text = {}
  for i, attempt in ipairs(session:schedule()) do
    text[i] = ("%s %g-%g %s %s"):format(attempt.id, attempt.start, attempt.finish, attempt.group,
      attempt.outcome)
  end
  return text
end

describe("hooks are called", function()
  local function tracing(more)
    local seen = {}
    local function note(text) seen[#seen + 1] = text end
    return seen, merge({
      dispatch = EASY,
      on_submit = function(sim, job)
        local _ = outside
        note(("%g submit %s, %d wait"):format(sim.now, job.id, sim.waiting_count))
      end,
      on_start = function(sim, job)
        local _ = outside
        note(("%g start %s, attempt %d"):format(sim.now, job.id, job.attempts))
      end,
      on_end = function(sim, job, outcome)
        local _ = outside
        note(("%g end %s, %s, %s"):format(sim.now, job.id, outcome, job.state))
      end,
      on_idle = function(sim, group)
        local _ = outside
        note(("%g idle %s, %d free"):format(sim.now, group, sim.free))
      end,
    }, more)
  end

  it("in this order", function()
    local seen, policy = tracing()
    run({
      { id = "a", procs = 2, time = 5 }, { id = "b", procs = 2, time = 3, submit = 1 },
      { id = "c", procs = 1, time = 2, submit = 5, walltime = 1 },
    }, 2, policy, { failures = { 0, 1, 0 }, walltimes = "log" })
    assert.same({
      "0 submit a, 1 wait", "0 start a, attempt 1",
      "1 submit b, 1 wait",
      "5 end a, completed, over", "5 submit c, 2 wait", "5 start b, attempt 1",
      "8 end b, failed, waiting", "8 start b, attempt 2",
      "11 end b, completed, over", "11 start c, attempt 1", "11 idle main, 1 free",
      "12 end c, killed, over", -- and nothing is left to be idle for
    }, seen)
  end)

  it("when nodes fail", function()
    local seen, policy = tracing()
    policy.on_submit, policy.on_idle = nil, nil
    local _, metrics = run({ { id = "a", procs = 2, time = 5 }, { id = "b", procs = 1, time = 5 } },
      4, policy, { node_failures = { log = { { time = 3, processor = 1 } }, repair = 10 } })
    assert.same({
      "0 start a, attempt 1", "0 start b, attempt 1", "3 end a, node_failure, waiting",
    }, { seen[1], seen[2], seen[3] })
    assert.equal(1, metrics.node_failures)
    assert.equal(6, metrics.work_lost)
  end)

  it("at the times that were asked for, once each", function()
    local seen = {}
    run({ { id = "a", procs = 1, time = 10 } }, 1, {
      dispatch = EASY,
      on_start = function(sim)
        local _ = outside
        for _, time in ipairs { 7, 2, 7, 4.5 } do sim:wake_at(time) end
      end,
      on_timer = function(sim)
        seen[#seen + 1] = sim.now
        assert(sim.group == "main")
      end,
    })
    assert.same({ 2, 4.5, 7 }, seen)
  end)

  it("with one state, that a fork copies", function()
    local list = {}
    for i = 1, 20 do list[i] = { procs = i % 3 + 1, time = i % 7 + 1, submit = i } end
    local policy = {
      per = "attempt",
      priority = function(_, view) return view.state.count % 3 end,
      dispatch = EASY,
      init = function(sim) sim.state.count = 0 end,
      on_submit = function(sim) sim.state.count = sim.state.count + 1 end,
      on_end = function(sim) sim.state.count = sim.state.count * 2 % 101 end,
    }
    local session = orrery.session { jobs = orrery.jobs(list), procs = 4, policy = policy }
    session:run_until(9)
    local fork = session:fork()
    session:finish()
    fork:finish()
    assert.same(attempts(session), attempts(fork))
    local spec = { jobs = orrery.jobs(list), procs = 4, policy = policy, runs = 30,
      errors = { mean_probability = 0.3 } }
    local one = orrery.compare(merge(spec, { threads = 1 }))
    local many = orrery.compare(merge(spec, { threads = 5 }))
    assert.same(one:values(1, "flow_mean"), many:values(1, "flow_mean"))
  end)

  -- A policy that is copied into a Lua state of its own sees jobs and sim.state by a shorter way.
  it("with the same jobs and state where the policy is copied, and where it is not", function()
    local function policy(keeper)
      local function note(sim, what, job)
        local _, state = keeper, sim.state
        local seen = { [job] = "first" }
        seen[sim:job(job.position)] = what .. " " .. job.id .. " " .. tostring(job)
        for at, text in pairs(seen) do state[#state + 1] = text .. at.procs end
        if #state % 5 == 0 then sim.state = { #state, state[5] } end
      end
      return {
        dispatch = EASY,
        on_submit = function(sim, job) note(sim, "submit", job) end,
        on_start = function(sim, job) note(sim, "start", job) end,
        on_end = function(sim, job, outcome) note(sim, outcome, job) end,
      }
    end
    -- Three simulations in turns: two sessions, and a fork of one of them.
    local function states(spec)
      local a, b = orrery.session(spec), orrery.session(spec)
      for _ = 1, 4 do a:step() end
      local all = { a, b, (a:fork()) }
      local texts = {}
      for _ = 1, 30 do
        for i, session in ipairs(all) do
          if session.next_event then session:step() end
          texts[#texts + 1] = i .. ": " .. table.concat(session.state, "; ")
        end
      end
      return texts
    end
    for seed = 1, rounds(40) do
      local jobs = orrery.lublin { procs = 16, count = 12, load = 1.5, seed = seed }
      local copied = states { jobs = jobs, procs = 16, policy = policy() }
      assert.same(states { jobs = jobs, procs = 16, policy = policy(outside) }, copied)
      assert.is_truthy(table.concat(copied):find("completed", 1, true))
    end
  end)
end)

describe("actions", function()
  it("kill: the job is over, its work lost", function()
    local session, metrics = run({
      { id = "a", procs = 2, time = 100 }, { id = "b", procs = 1, time = 5, submit = 3 },
    }, 2, {
      dispatch = EASY,
      on_submit = function(sim, job)
        if job.id == "b" then sim:kill(sim:running()[1]) end
      end,
    })
    assert.same({ "a 0-3 main cancelled", "b 3-8 main completed" }, attempts(session))
    assert.equal(1, metrics.killed)
    assert.equal(6, metrics.work_lost)
    assert.equal("over", session:job(1).state)
  end)

  it("requeue: it waits again where it was", function()
    local session, metrics = run({
      { id = "a", procs = 2, time = 10 }, { id = "b", procs = 1, time = 5, submit = 3 },
    }, 2, {
      dispatch = EASY,
      on_submit = function(sim, job)
        if job.id == "b" then sim:requeue(sim:running()[1]) end
      end,
    })
    -- a came first and starts first
    assert.same({ "a 0-3 main preempted", "a 3-13 main completed", "b 13-18 main completed" },
      attempts(session))
    assert.equal(1, metrics.preempted)
    assert.equal(0, metrics.redirected)
  end)

  it("hold and release", function()
    local states = {}
    local session = run({
      { id = "a", procs = 1, time = 10 }, { id = "b", procs = 1, time = 5, submit = 1 },
    }, 4, {
      dispatch = EASY,
      on_submit = function(sim, job)
        local _ = outside
        if job.id ~= "b" then return end
        sim:hold(job)
        states[1] = job.state .. sim.waiting_count
        sim:wake_at(6)
      end,
      on_timer = function(sim)
        local job = sim:job(2)
        sim:release(job)
        states[2] = job.state .. sim.waiting_count
      end,
    })
    assert.same({ "held0", "waiting1" }, states)
    assert.same({ "a 0-10 main completed", "b 6-11 main completed" }, attempts(session))
  end)

  it("start: in any hook", function()
    local list = { { id = "a", procs = 1, time = 10 }, { id = "b", procs = 1, time = 1 } }
    local session = run(list, 1, {
      dispatch = EASY,
      on_submit = function(sim, job)
        if job.id == "b" then sim:start(job) end
      end,
    })
    assert.same({ "b 0-1 main completed", "a 1-11 main completed" }, attempts(session))
  end)

  it("move: behind those who are there, with its work lost", function()
    local session, metrics = run({
      { id = "a", procs = 1, time = 10 }, { id = "b", procs = 1, time = 5, submit = 1 },
    }, 2, {
      dispatch = EASY,
      groups = { { name = "one" }, { name = "two", procs = 1 } },
      on_submit = function(sim, job)
        if job.id == "b" then sim:move(sim:running()[1], "two") end
      end,
    })
    assert.same({ "a 0-1 one preempted", "b 1-6 one completed", "a 1-11 two completed" },
      attempts(session))
    assert.equal(1, metrics.redirected)
  end)
end)

describe("sim and job in hooks", function()
  it("show the group where the hook takes place, and others by name", function()
    local seen = {}
    run({
      { id = "a", procs = 3, time = 10, user = "ann", queue = "q", partition = "p" },
      { id = "b", procs = 1, time = 5, submit = 1 },
    }, 8, {
      dispatch = EASY,
      groups = { { name = "one" }, { name = "two", procs = 3 } },
      on_submit = function(sim, job)
        local _ = outside
        if job.id == "a" then
          seen.a = { job.user, job.queue, job.partition, job.state, job.group, job.arrival,
            job.attempts }
          return
        end
        seen.here = { sim.group, sim.procs, sim.free, sim.down, sim.waiting_count,
          sim.running_count }
        seen.first = sim:waiting(nil, "one")().id
        sim:move(job, "two")
        seen.b = { job.user, job.state, job.group, job.arrival }
        local two = sim:look "two"
        seen.two = { two.name, two.procs, two.free, two.down, two.waiting_count, two.running_count }
        seen.other = sim:waiting(nil, "two")().id
        seen.fits = sim:fitting("two")().id
        seen.running = #sim:running("two") .. sim:running()[1].id
        seen.earliest = { sim:earliest_start(3, 1), sim:earliest_start(2, 1),
          sim:earliest_start(3, 1, "two") }
        sim:wake_at(2)
      end,
      on_timer = function(sim)
        seen.timer = { tostring(sim.group), sim.procs, sim.free, sim.waiting_count,
          sim.running_count, table.concat(sim.groups, " ") }
        seen.nowhere = select(2, pcall(sim.waiting, sim))
        seen.unknown = select(2, pcall(sim.look, sim, "three"))
      end,
    })
    assert.same({ "ann", "q", "p", "waiting", "one", 0, 0 }, seen.a)
    assert.same({ "one", 5, 2, 0, 1, 1 }, seen.here)
    assert.equal("b", seen.first)
    assert.same({ [2] = "waiting", [3] = "two", [4] = 1 }, seen.b)
    assert.same({ "two", 3, 3, 0, 1, 0 }, seen.two)
    assert.equal("b", seen.other)
    assert.equal("b", seen.fits)
    assert.equal("0a", seen.running)
    assert.same({ 10, 1, 1 }, seen.earliest)
    assert.same({ "nil", 8, 4, 0, 2, "one two" }, seen.timer)
    assert.matches("on_timer takes place in no group; name one %(known: one, two%)", seen.nowhere)
    assert.matches("there is no group 'three' %(known: one, two%)", seen.unknown)
  end)

  it("a job by its position, when it is there", function()
    local problem
    run({ { id = "a", procs = 1, time = 3 }, { id = "b", procs = 1, time = 3, submit = 1 } }, 2, {
      dispatch = EASY,
      on_submit = function(sim, job)
        local _ = outside
        assert(rawequal(sim:job(job.position), job))
        if job.id == "a" then problem = select(2, pcall(sim.job, sim, 2)) end
        assert(not pcall(sim.job, sim, 0) and not pcall(sim.job, sim, 3))
        assert(sim.first_submit == 0)
      end,
    })
    assert.matches("the job at this position is not submitted yet", problem)
  end)

  it("down processors are known", function()
    local seen = {}
    run({ { procs = 1, time = 20 }, { procs = 3, time = 5, submit = 4 } }, 4, {
      dispatch = EASY,
      on_submit = function(sim, job)
        local _ = outside
        if job.position == 2 then
          seen = { sim.down, sim.free, sim:earliest_start(3, 5), sim:earliest_start(2, 5) }
        end
      end,
    }, { node_failures = { log = { { time = 3, processor = 2 } }, repair = 6 } })
    assert.same({ 1, 2, 9, 4 }, seen)
  end)
end)

-- --- what goes wrong ----------------------------------------------------------------------------

local JOBS = {
  { id = "first", procs = 2, time = 10 }, { id = "second", procs = 2, time = 5 },
  { id = "late", procs = 1, time = 1, submit = 100 },
}

-- The whole message holds every text, in a session and on two threads.
local function refused(policy, expected, more)
  local spec = merge({
    jobs = orrery.jobs(JOBS), procs = 2, policy = merge({ name = "bad", dispatch = EASY }, policy),
  }, more)
  local function attempt(go)
    local ok, message = pcall(go)
    assert.is_false(ok)
    message = of_processor(message)
    for _, text in ipairs(type(expected) == "table" and expected or { expected }) do
      if not message:find(text, 1, true) then
        error(("expected '%s' in: %s"):format(text, message), 3)
      end
    end
  end
  attempt(function() orrery.session(spec):finish() end)
  attempt(function() orrery.compare(merge(spec, { runs = 4, threads = 2 })) end)
end

local function here(offset)
  return ("hooks_spec.lua:%d: "):format(debug.getinfo(2, "l").currentline + (offset or 0))
end

describe("an error in a hook names the policy, the hook, job, time and line:", function()
  for _, hook in ipairs { "on_submit", "on_start", "on_end" } do
    it(hook, function()
      local line = here(2)
      refused({ [hook] = function(_, job)
        if job.id == "late" then error "oh no" end
      end }, { ("policy bad: %s for job late at time %d: "):format(hook,
        hook == "on_end" and 101 or 100), line .. "oh no" })
    end)
  end

  it("on_idle, on_timer", function()
    local line = here(1)
    refused({ on_idle = function() error "oh no" end },
      { "policy bad: on_idle at time 15: ", line .. "oh no" })
    refused({
      on_end = function(sim) sim:wake_at(12) end,
      on_timer = function() error "oh no" end,
    }, { "policy bad: on_timer at time 12: ", here(-1) .. "oh no" }, { jobs = orrery.jobs {
      { procs = 2, time = 5 }, { procs = 2, time = 50, submit = 20 },
    } })
  end)

  it("a value that is returned", function()
    refused({ on_submit = function(_, job) return job end },
      "on_submit returned job first; it must return nothing: what it wants it does with the "
      .. "methods of sim")
  end)

  it("a call that never ends", function()
    refused({ on_end = function() while true do end end }, -- luacheck: ignore
      { "policy bad: on_end for job first at time 10: ", "took more than 0.2 s" },
      { limits = { seconds = 0.2 } })
  end)
end)

describe("a decision that cannot be carried out names the job, the reason and the time:", function()
  local function on_late(act)
    return { on_submit = function(sim, job)
      if job.id == "late" then act(sim, sim:job(1), job) end
    end }
  end
  local AT = "policy bad: on_submit for job late at time 100: "

  it("killing, requeueing, moving, holding, releasing or starting a job that is over", function()
    local verbs = { kill = "killed", requeue = "requeued", hold = "held", release = "released",
      start = "started" }
    for method, verb in pairs(verbs) do
      refused(on_late(function(sim, first) sim[method](sim, first) end),
        { AT, ("job first cannot be %s: it is over"):format(verb) })
    end
    refused(on_late(function(sim, first) sim:move(first, "main") end),
      { AT, "job first cannot be moved: it is over" })
  end)

  it("starting twice, holding what runs, releasing what is not held, killing what waits", function()
    refused(on_late(function(sim, _, late)
      sim:start(late)
      sim:start(late)
    end), { AT, "job late cannot be started: it is running already" })
    refused(on_late(function(sim, _, late)
      sim:start(late)
      sim:hold(late)
    end), { AT, "job late cannot be held: it is running already" })
    refused(on_late(function(sim, _, late) sim:release(late) end),
      { AT, "job late cannot be released: it is waiting" })
    refused(on_late(function(sim, _, late) sim:kill(late) end),
      { AT, "job late cannot be killed: it is waiting" })
    refused(on_late(function(sim, _, late) sim:requeue(late) end),
      { AT, "job late cannot be requeued: it is waiting" })
  end)

  it("an unknown group, or one that is too small", function()
    local GROUPS = { { name = "one" }, { name = "two", procs = 1 } }
    refused(merge(on_late(function(sim, _, late) sim:move(late, "three") end), { groups = GROUPS }),
      { AT, "job late cannot be moved: there is no group 'three' (known: one, two)" },
      { procs = 3 })
    refused(merge(on_late(function(sim, _, late) sim:move(late) end), { groups = GROUPS }),
      { AT, "the name of a group expected, got no value" }, { procs = 3 })
    refused({ groups = GROUPS, on_submit = function(sim, job) sim:move(job, "two") end },
      { "at time 0: ", "job first cannot be moved: it needs 2 processors and group two has 1" },
      { procs = 3 })
    refused({ groups = { { name = "one" }, { name = "two", procs = 2 } } },
      { "first", "one", "2", "1", "time 0" }, { procs = 3 })
  end)

  it("times that are past, or none", function()
    refused(on_late(function(sim) sim:wake_at(100) end), { AT, "100" })
    refused(on_late(function(sim) sim:wake_at(99) end), { AT, "99" })
    refused(on_late(function(sim) sim:wake_at(math.huge) end), { AT, "inf" })
    refused(on_late(function(sim) sim:wake_at(0 / 0) end), { AT, "nan" })
  end)

  it("reserving, or acting in a priority", function()
    refused(on_late(function(sim, _, late) sim:reserve(late) end),
      { AT, "job late cannot be reserved: only the dispatch hook may do that" })
    refused({ per = "attempt", priority = function(job, view)
      view:kill(job)
      return 1
    end }, { "priority for job first at time 0: ", "job first cannot be killed: " })
  end)

  it("going round in circles", function()
    refused({ on_start = function(sim, job) sim:requeue(job) end },
      { "policy bad: on_start for job ", " at time 0: ", "round in circles" })
  end)

  it("can be caught by the policy, and changes nothing", function()
    local session = run(JOBS, 2, {
      dispatch = EASY,
      on_submit = function(sim, job)
        assert(not pcall(sim.kill, sim, job) and not pcall(sim.release, sim, job))
        assert(not pcall(sim.move, sim, job, "nowhere") and not pcall(sim.wake_at, sim, -1))
      end,
    })
    assert.same({ "first 0-10 main completed", "second 10-15 main completed",
      "late 100-101 main completed" }, attempts(session))
  end)
end)

-- --- groups and names ---------------------------------------------------------------------------

describe("groups", function()
  local function groups_of(groups, procs)
    local session = orrery.session {
      jobs = orrery.jobs { { procs = 1, time = 1 } }, procs = procs,
      policy = { name = "mine", dispatch = EASY, groups = groups },
    }
    local text = {}
    for i, group in ipairs(session.groups) do text[i] = group.name .. " " .. group.procs end
    return text, session.procs
  end

  it("divide the machine, or come on top of it", function()
    assert.same({ { "a 7", "b 3" }, 10 }, { groups_of({ { name = "a", procs = 7 },
      { name = "b", procs = 3 } }, 10) })
    assert.same({ { "a 3", "b 7" }, 10 }, { groups_of({ { name = "a", procs = 3 },
      { name = "b" } }, 10) })
    assert.same({ { "a 8", "b 5", "c 2" }, 15 }, { groups_of({ { name = "a" },
      { name = "b", procs = 5, extra = true }, { name = "c", procs = 2.0 } }, 10) })
    assert.same({ { "a 5", "b 5" }, 10 }, { groups_of(function(procs)
      return { { name = "a", procs = procs // 2 }, { name = "b" } }
    end, 10) })
    assert.same({ { "main 10" }, 10 }, { groups_of(nil, 10) })
  end)

  it("that make no sense are errors", function()
    local function bad(groups, message)
      local ok, found = pcall(groups_of, groups, 10)
      assert.is_false(ok)
      assert.equal("policy mine: " .. message, (found:gsub("^[^:]*:%d+: ", "")))
    end
    bad({}, "groups must be a list of at least one group, or a function that returns one")
    bad(5, "groups must be a list of at least one group, or a function that returns one")
    bad({ 5 }, "groups: group 1 must be a table, it is a number")
    bad({ { procs = 5 } }, "groups: group 1 has no name")
    bad({ { name = "a" }, { name = "a", procs = 1 } }, "groups: two are called 'a'")
    bad({ { name = "a", prcs = 1 } }, "unknown key 'prcs' in group a (known: name, procs, extra, "
      .. "dispatch, priority, per, backfill)")
    bad({ { name = "a", procs = 0 } }, "group a: procs must be a whole number of at least 1, it is "
      .. "0")
    bad({ { name = "a", procs = 2.5 } }, "group a: procs must be a whole number of at least 1, it "
      .. "is 2.5")
    bad({ { name = "a", procs = 9 } }, "the groups have 9 processors together, the machine has 10; "
      .. "a group without procs has the rest")
    bad({ { name = "a", procs = 11 } }, "the groups have 11 processors together, the machine has "
      .. "10; a group without procs has the rest")
    bad({ { name = "a", procs = 10 }, { name = "b" } },
      "group b has the rest of the machine, but the others have 10 of its 10 processors")
    bad({ { name = "a" }, { name = "b" } },
      "groups: 'a' and 'b' both have no procs; only one can have the rest")
    bad({ { name = "a", extra = true } },
      "group a is on top of the machine and must say its procs")
  end)

  it("have an order and a dispatch of their own: functions, tables, names", function()
    local list = {}
    for i = 1, 4 do list[i] = { id = "s" .. i, procs = 1, time = 5 - i } end
    for i = 1, 4 do list[i + 4] = { id = "l" .. i, procs = 1, time = 50 - i } end
    local session = run(list, 2, {
      dispatch = EASY,
      groups = {
        { name = "one", procs = 1, priority = "spt" },
        { name = "two", procs = 1, priority = function(job) return job.time end,
          dispatch = function(sim)
            for job in sim:fitting() do sim:start(job) end
            assert(sim.group == "two" and sim.procs == 1)
          end },
      },
      on_submit = function(sim, job)
        if job.time > 10 then sim:move(job, "two") end
      end,
    })
    local one, two = "", ""
    for _, attempt in ipairs(session:schedule()) do
      if attempt.group == "one" then one = one .. attempt.id else two = two .. attempt.id end
    end
    assert.equal("s4s3s2s1", one)
    assert.equal("l1l2l3l4", two)
  end)

  it("are named by sim.group whichever group the last hook was called in", function()
    local rng = orrery.random(7)
    for _ = 1, rounds(20) do
      local list = {}
      for i = 1, 40 do
        list[i] = { procs = 1, time = rng:integer(1, 20), submit = rng:integer(0, 40) }
      end
      local period, first = rng:integer(1, 4), list[1].submit
      run(list, 2, {
        groups = { { name = "one", procs = 1 }, { name = "two", procs = 1 } },
        priority = function(job, sim) return sim.group == "one" and job.time or -job.time end,
        per = "decision",
        dispatch = EASY,
        on_submit = function(sim, job)
          assert(sim.group == "one" and sim.group == job.group)
          if job.position // period % 2 == 0 then sim:move(job, "two") end
          assert(sim.group == "one")
          if job.submit == first then sim:wake_at(sim.now + period) end
        end,
        on_start = function(sim, job) assert(sim.group == job.group and sim.group == job.group) end,
        on_end = function(sim, job) assert(sim.group == job.group) end,
        on_idle = function(sim, group) assert(sim.group == group and sim.group == group) end,
        on_timer = function(sim) assert(sim.group == nil and sim.group == nil) end,
      })
    end
  end)

  it("may name policies, with options, in a comparison on threads", function()
    local list = {}
    for i = 1, 30 do list[i] = { procs = i % 4 + 1, time = i * 5 % 17 + 1, submit = i } end
    local function compare(dispatch, backfill)
      return orrery.compare {
        jobs = orrery.jobs(list), procs = 8, runs = 6, threads = 3,
        errors = { mean_probability = 0.2 },
        policy = { name = "mine", groups = {
          { name = "one", dispatch = dispatch, backfill = backfill },
          { name = "two", procs = 4, dispatch = "fcfs", priority = "random" },
        }, on_submit = function(sim, job)
          if job.position % 2 == 0 then sim:move(job, "two") end
        end },
      }:values(1, "flow_mean")
    end
    local all = compare({ discipline = "list", reservations = "all" })
    assert.same(all, compare "dispatch/list:reservations=all")
    assert.are_not.same(all, compare "greedy")
    assert.same(compare { discipline = "conservative" }, compare "conservative")
    assert.same(compare(EASY, function(job) return -job.time end), compare "easy-sjf")
    assert.same(compare(EASY, "spt"), compare "easy-sjf")
  end)
end)

describe("the hook estimate", function()
  -- 2 waits for 1, and 3 is asked for 500 s; only one who knows better lets it fill in.
  local USERS = orrery.jobs {
    { id = "1", submit = 0, procs = 2, time = 100, walltime = 200, user = "a" },
    { id = "2", submit = 1, procs = 4, time = 10, walltime = 10, user = "b" },
    { id = "3", submit = 2, procs = 2, time = 50, walltime = 500, user = "a" },
  }

  local function session_of(policy, more)
    local spec = { jobs = USERS, procs = 4, walltimes = "log", policy = policy }
    for key, value in pairs(more or {}) do spec[key] = value end
    return orrery.session(spec)
  end

  local function starts(s)
    s:finish()
    local list = {}
    for _, attempt in ipairs(s:schedule()) do
      list[#list + 1] = ("%s@%g"):format(attempt.id, attempt.start)
    end
    return table.concat(list, " ")
  end

  local function believing(estimate) return { dispatch = "easy", estimate = estimate } end

  it("says what is planned with, and policies see it", function()
    local function of(job) return ({ ["1"] = 100, ["2"] = 10, ["3"] = 60 })[job.id] end
    assert.equal("1@0 2@100 3@110", starts(session_of "easy"))
    assert.equal("1@0 3@2 2@100", starts(session_of(believing(of))))
    local function walltime(job) return job.time end
    assert.equal("1@0 2@100 3@110", starts(session_of(believing(walltime))))
    local seen = {}
    local policy = believing(of)
    policy.on_submit = function(sim, job)
      sim:note { length = job.next_length, asked = job.time }
    end
    local s = session_of(policy)
    s:finish()
    for i, note in ipairs(s.notes) do seen[i] = ("%g of %g"):format(note.length, note.asked) end
    assert.same({ "100 of 200", "10 of 10", "60 of 500" }, seen)
  end)

  it("goes on in a session whose policy is another one in the middle", function()
    local s = session_of(believing(function() return 30 end))
    s:run_until(20)
    assert.equal("1@0 2@100 3@110", starts(s:change { policy = "easy" }))
    local other = session_of "easy"
    other:run_until(20)
    assert.matches("^1@0 ", starts(other:change { policy = believing(function() return 30 end) }))
  end)

  it("cannot act, see runtimes, or say what is no number", function()
    local function refuses(pattern, estimate, more)
      local ok, problem = pcall(function() starts(session_of(believing(estimate), more)) end)
      assert.is_false(ok)
      assert.matches(pattern, tostring(problem))
    end
    refuses("estimate for job 1 at time 0: .*an estimate must be a number, this is nil",
      function() end)
    refuses("the estimate of job 1 must be a number of seconds >= 0, it is %-5",
      function() return -5 end)
    refuses("a policy never sees how long a job takes", function(job) return job.runtime end)
    refuses("only .* may", function(job, sim) sim:kill(job) return 1 end)
    refuses("cannot where jobs write checkpoints", function() return 1 end,
      { checkpoint = { cost = 1, period = 10 } })
  end)
end)

describe("what a policy with hooks says about itself is checked:", function()
  local function bad(policy, message)
    local ok, found = pcall(orrery.session, {
      jobs = orrery.jobs(JOBS), procs = 2, policy = merge({ name = "bad" }, policy),
    })
    assert.is_false(ok)
    assert.equal(message, found)
  end

  it("hooks, orders, names", function()
    bad({ dispatch = EASY, on_submit = 5 }, "policy bad: on_submit must be a function, it is a "
      .. "number")
    bad({ dispatch = EASY, backfill = 5 },
      "policy bad: backfill must be a function, a table or the "
      .. "name of a priority, it is a number")
    bad({ dispatch = EASY, backfill = {} }, "policy bad: backfill has no priority")
    bad({ dispatch = { discipline = "fcfs" }, backfill = "spt" },
      "policy bad: backfill is for the discipline 'list'; this one is 'fcfs'")
    bad({ dispatch = EASY, backfill = "sptt" },
      "policy bad: there is no policy 'sptt', did you mean 'spt'?")
    bad({ dispatch = "eazy" }, "policy bad: there is no policy 'eazy', did you mean 'easy'?")
    bad({ groups = { { name = "a", dispatch = "redirect/threshold" } } },
      "policy redirect/threshold: it has its own 'init' and cannot be a part of another policy")
    bad({ groups = { { name = "a" } } }, "policy bad: group a has no dispatch, nor has the policy")
    bad({ on_end = function() end },
      "policy bad: it redistributes tasks (it has an on_end), and schedules no jobs")
  end)

  it("a priority has no hooks", function()
    local ok, found = pcall(orrery.session, {
      jobs = orrery.jobs(JOBS), procs = 2,
      priority = { name = "bad", priority = function() return 1 end, on_start = function() end },
    })
    assert.is_false(ok)
    assert.equal("policy bad: it has an on_start; give it as the policy", found)
  end)
end)
