-- Changes from outside, between two instants: what if?
local events = require "spec.support.events"
local instances = require "spec.support.instances"
local changeable = require "spec.support.changeable"
local orrery = require "orrery"
local policies = require "orrery.host.policies"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

-- --- nothing is changed -------------------------------------------------------------------------

-- Hooks whose chance is drawn from the simulation's own generator.
local drawn_spec = events.drawn

local function some_steps(rng, sim, most)
  for _ = 1, rng:integer(0, most) do sim:step() end
end

local function destroy(...)
  for _, sim in ipairs { ... } do sim:destroy() end
end

describe("a transplant without changes", function()
  it("has the future of a copy, with groups, hooks, plans and nodes that fail", function()
    local interrupted = 0
    for seed = 1, rounds(250, 250, 60) do
      local spec, rng = drawn_spec(seed)
      local sim = events.simulation(spec)
      some_steps(rng, sim, 12)
      local before = events.lines(sim:attempts())
      local other = sim:transplant()
      assert.same(sim:look(), other:look())
      assert.equal(sim:next_event(), other:next_event())
      for group = 1, #spec.groups do
        assert.same(sim:waiting(group), other:waiting(group))
        assert.same(sim:running(group), other:running(group))
        assert.same(sim:look_group(group), other:look_group(group))
      end
      some_steps(rng, other, 4)
      local second = other:transplant()
      local metrics = second:finish()
      assert.same(before, events.lines(sim:attempts()))
      assert.same(metrics, sim:finish())
      assert.same(metrics, other:finish())
      local lines = events.lines(sim:attempts())
      assert.same(lines, events.lines(other:attempts()))
      assert.same(lines, events.lines(second:attempts()))
      assert.same(sim:outages(), second:outages())
      assert.is_true(second:check())
      interrupted = interrupted + metrics.preempted + metrics.node_failures
      second:reset(1) -- and from the beginning
      assert.same(metrics, second:finish())
      assert.same(lines, events.lines(second:attempts()))
      destroy(sim, other, second)
    end
    assert.is_true(interrupted > 100)
  end)

  it("has the run of the straight one after a reset, also if another policy began", function()
    local over = 0
    for seed = 301, 300 + rounds(100, 100, 40) do
      local spec, rng = drawn_spec(seed, { groups = 1, hooks = false })
      local group = spec.groups[1]
      group.priority, group.per = function(j) return j * 7 % 5 end, "workload"
      group.backfill, group.backfill_per = nil, nil
      local sim = events.simulation(spec)
      for _ = 1, rng:integer(1, 30) do sim:step() end
      local other = sim:transplant(nil, true)
      over = over + other:look().over
      other:reset(1)
      sim:reset(1)
      assert.same(sim:finish(), other:finish())
      assert.same(events.lines(sim:attempts()), events.lines(other:attempts()))
      destroy(sim, other)
    end
    assert.is_true(over > 100)
  end)

  it("also where nothing is recorded", function()
    for seed = 401, 450 do
      local spec, rng = drawn_spec(seed, { groups = 1, hooks = false })
      spec.record = false
      local sim = events.simulation(spec)
      some_steps(rng, sim, 12)
      local other = sim:transplant()
      assert.same(other:finish(), sim:finish())
      destroy(sim, other)
    end
  end)
end)

-- --- what the specs of sessions share -----------------------------------------------------------

local function positions(session)
  local list = {}
  for i, a in ipairs(session:schedule()) do
    list[i] = ("%s#%d %.17g-%.17g %s"):format(a.position, a.attempt, a.start, a.finish, a.outcome)
    list[i] = list[i] .. " on " .. a.processors
  end
  return list
end

-- Short, for cases worked by hand.
local function short(session)
  local list = {}
  for i, a in ipairs(session:schedule()) do
    list[i] = ("%s#%d %g-%g %s %s"):format(a.position, a.attempt, a.start, a.finish, a.outcome,
      a.processors)
  end
  return list
end

-- The session of the C part, which takes changes that are in its own terms.
local function core(spec)
  local _, inside = next(orrery.session(spec))
  return changeable(inside.core)
end

local function prepared(policy, priority, procs)
  return policies.prepare(policy, priority, {}, {}, nil, procs)
end

local function check(session)
  local fine, objection = session:check()
  if not fine then error(objection, 2) end
end

local function finish(session)
  local metrics = session:finish()
  check(session)
  for name, value in pairs(session:measure()) do
    local near = metrics[name] == value
      or math.abs(metrics[name] - value) <= 1e-9 * (1 + math.abs(value))
    assert.is_true(near, ("%s: %.17g, measured %.17g"):format(name, metrics[name], value))
  end
  return metrics
end

-- Four processors; job 2 fails once; 3 is wide; 4 comes later.
local function four(more)
  local spec = {
    jobs = orrery.jobs { { procs = 2, time = 10 }, { procs = 2, time = 5 },
      { procs = 4, time = 3, submit = 1 }, { procs = 1, time = 7, submit = 20 } },
    procs = 4, policy = "dispatch/easy", failures = { 0, 1, 0, 0 },
  }
  for key, value in pairs(more or {}) do spec[key] = value end
  return core(spec)
end

-- --- worked by hand ------------------------------------------------------------------------------

describe("a job that is cancelled", function()
  it("is over wherever it was, and everybody else goes on", function()
    local s = four()
    s:run_until(2)
    s:change { cancel = { 1, 3, 4 } } -- running, waiting, pending
    assert.equal(2.0, s.next_event)
    for position = 1, 4 do
      assert.equal(position == 2 and "running" or "over", s:job(position).state)
    end
    local m = finish(s)
    assert.same({ "1#1 0-2 cancelled 0-1", "2#1 0-5 failed 2-3", "2#2 5-10 completed 0-1" },
      short(s))
    assert.equal(10, m.makespan)
    assert.equal(3, m.killed)
    assert.equal(1, m.failures)
    assert.equal((2 * 2 + 10 * 2) / 40, m.utilisation)
    assert.equal(2 * 2 + 5 * 2, m.work_lost)
    assert.equal(10, m.lower_bound) -- job 2 twice
    assert.equal(5 / 2, m.wait_mean) -- of jobs 1 and 2
  end)

  it("may have failed before; its attempts count, it does not", function()
    local s = four()
    s:run_until(2)
    s:change { procs = { procs = 2 } }
    s:run_until(7)
    assert.equal("waiting", s:job(2).state)
    s:change { cancel = { 2, 3 } }
    local m = finish(s)
    assert.same({ 2, 1, 3 }, { m.killed, m.failures, m.starts })
    assert.equal(10, m.work_lost)
    assert.equal((20 + 10 + 7) / (4 * 27 - 2 * 22), m.utilisation)
    assert.equal(0, m.wait_mean) -- of jobs 1 and 4
  end)

  it("leaves the queue in the timeline and in SWF, and has no row in CSV", function()
    local s = four()
    s:run_until(2)
    s:change { cancel = { 3, 4 } }
    s:step()
    local line = s:timeline()
    assert.same({ 2, 0 }, { line[#line].time, line[#line].waiting })
    finish(s)
    local file = os.tmpname()
    s:write_schedule(file)
    local rows = 0
    for row in io.lines(file) do
      rows = rows + 1
      assert.is_nil(row:match("^[34]"))
    end
    assert.equal(4, rows)
    os.remove(file)
    s:write_schedule(file .. ".swf")
    local found = {}
    for row in io.lines(file .. ".swf") do
      local id, submit, wait, time, status = row:match(
        "^%s*(%d+) (%S+) (%S+) (%S+) %S+ %S+ %S+ %S+ %S+ %S+ (%S+)")
      if id then found[#found + 1] = table.concat({ id, submit, wait, time, status }, " ") end
    end
    os.remove(file .. ".swf")
    assert.same({ "1 0 0 10 1", "2 0 5 5 1", "3 1 1 -1 5", "4 20 -1 -1 5" }, found)
  end)
end)

describe("a job", function()
  it("can be submitted, and gets the next position", function()
    local s = four()
    s:run_until(2)
    s:change { submit = orrery.jobs { { procs = 2, time = 2, submit = 4 },
      { procs = 1, time = 100, submit = 2, id = "late" } } }
    assert.equal(6, #s.jobs)
    assert.equal("5", s:job(5).id)
    assert.equal("pending", s:job(6).state) -- until the next step
    s:step()
    assert.equal("waiting", s:job(6).state)
    finish(s)
    assert.same({ "1#1 0-10 completed 0-1", "2#1 0-5 failed 2-3", "2#2 5-10 completed 2-3",
      "3#1 10-13 completed 0-3", "6#1 13-113 completed 0", "5#1 13-15 completed 1-2",
      "4#1 20-27 completed 1" }, short(s))
  end)

  it("cannot be submitted in the past", function()
    local s = four()
    s:run_until(2)
    assert.has_error(function()
      s:change { submit = orrery.jobs { { procs = 2, time = 2, submit = 1 } } }
    end, "job 5 cannot be submitted at 1 s: it is 2 s already")
    assert.equal(4, #s.jobs)
  end)

  it("can get another runtime; what it has run by the old one stays", function()
    local s = four()
    s:run_until(6)
    s:change { runtime = { [1] = 7, [2] = 20, [4] = 1 } } -- 2 runs again since 5
    assert.equal(7, s:job(1).planned_end)
    assert.equal(25, s:job(2).planned_end)
    local m = finish(s)
    assert.same({ "1#1 0-7 completed 0-1", "2#1 0-5 failed 2-3", "2#2 5-25 completed 2-3",
      "4#1 20-21 completed 0", "3#1 25-28 completed 0-3" }, short(s))
    assert.equal(28, m.makespan)
    assert.equal(2 * 5, m.work_lost)
    assert.equal((14 + 10 + 40 + 1 + 12) / (4 * 28), m.utilisation)
    assert.equal(25, m.lower_bound) -- 5 + 20
  end)

  it("cannot have run longer than it runs", function()
    local s = four()
    s:run_until(6)
    assert.has_error(function() s:change { runtime = { [1] = 5 } } end,
      "job 1: its attempt has run for 6 s already, so its runtime cannot be 5 s")
    s:run_until(10)
    assert.has_error(function() s:change { runtime = { [1] = 50 } } end,
      "job 1: its runtime cannot be changed, it is over")
    s:change { runtime = { [3] = 0 } }
    finish(s)
  end)

  it("keeps the walltime that it asked for", function()
    local s = core {
      jobs = orrery.jobs { { procs = 1, time = 5, walltime = 8 }, { procs = 1, time = 5 } },
      procs = 2, walltimes = "log",
    }
    s:step()
    s:change { runtime = { 9, 9 } }
    assert.same({ 8, 9 }, { s:job(1).planned_end, s:job(2).planned_end })
    finish(s)
    assert.same({ "1#1 0-8 killed 0", "2#1 0-9 completed 1" }, short(s))
    assert.equal(1, s.overruns)
  end)

  it("can fail at the end of its attempt, once more than it would", function()
    local s = four()
    s:run_until(2)
    assert.same({ "job 2: its attempt was to fail anyway" }, s:change { fail = { 1, 2, 3 } })
    assert.same({ 1, 1, 1, 0 }, s:failures())
    finish(s)
  end)
end)

describe("failures still to come", function()
  it("are those of the new seed; attempts that have failed stay", function()
    local list = {}
    for i = 1, 60 do list[i] = { procs = 1 + i % 3, time = 3 + i % 5, submit = i // 4 } end
    local spec = { jobs = orrery.jobs(list), procs = 6, errors = { mean_probability = 0.5 } }
    spec.seed = 2
    local other = core(spec):failures()
    spec.seed = 1
    local s = core(spec)
    s:run_until(30)
    local failed, before = {}, s:failures()
    for i = 1, 60 do failed[i] = 0 end
    for _, a in ipairs(s:schedule()) do
      if a.outcome == "failed" then failed[a.position] = failed[a.position] + 1 end
    end
    s:change { seed = 2, submit = orrery.jobs { { procs = 1, time = 4, submit = 40 } } }
    local after, over, unfinished = s:failures(), 0, 0
    for i = 1, 60 do
      local is_over = s:job(i).state == "over"
      over, unfinished = over + (is_over and 1 or 0), unfinished + (is_over and 0 or 1)
      assert.equal(is_over and before[i] or failed[i] + other[i], after[i])
    end
    assert.is_true(over > 10 and unfinished > 10)
    list[61] = { procs = 1, time = 4, submit = 40 }
    spec.jobs, spec.seed = orrery.jobs(list), 2
    spec.errors = { rate = -math.log(0.5) / (function()
      local sum = 0
      for i = 1, 60 do sum = sum + list[i].procs * list[i].time end
      return sum / 60
    end)() }
    assert.equal(core(spec):failures()[61], after[61])
    finish(s)
  end)

  it("do not change where they were given", function()
    local s = four()
    assert.same({ "the failures of jobs were given: the seed does not change them" },
      s:change { seed = 7 })
    assert.same({ 0, 1, 0, 0 }, s:failures())
  end)

  it("are those of the nodes, too", function()
    local list = {}
    for i = 1, 40 do list[i] = { procs = 2, time = 5, submit = i } end
    local function begin(seed)
      return core { jobs = orrery.jobs(list), procs = 4, seed = seed,
        node_failures = { mtbf = 60, repair = 3 } }
    end
    local function strikes(s, from)
      local found = {}
      for _, o in ipairs(s:outages()) do
        if o.start > from then found[#found + 1] = ("%d at %.17g"):format(o.first, o.start) end
      end
      return found
    end
    local s, other = begin(1), begin(2)
    s:run_until(20)
    s:change { seed = 2 }
    finish(s)
    finish(other)
    local found, expected = strikes(s, 20), strikes(other, 20)
    for i = 1, 5 do assert.equal(expected[i], found[i]) end
  end)
end)

describe("processors", function()
  it("are drained, highest-numbered first; a busy one leaves when its attempt ends", function()
    local s = four { policy = "dispatch/fcfs" }
    s:run_until(2)
    s:change { procs = { procs = 1 } }
    assert.same({ 1, 0, 3 }, { s.procs, s.free, s.draining })
    s:run_until(5)
    assert.same({ 1, 0, 1 }, { s.procs, s.free, s.draining })
    assert.equal("waiting", s:job(2).state)
    assert.has_error(function() s:finish() end, "policy dispatch/fcfs: nothing starts at time 20 "
      .. "although 3 jobs wait, all 1 processors that are not drained (3 are) are free and no job "
      .. "is still to come")
  end)

  -- What a change has taken away another one may give back: until then the jobs wait.
  it("may be too few for all that wait, who wait until a later change", function()
    local s = four { policy = "dispatch/fcfs" }
    s:run_until(2)
    s:change { procs = { procs = 1 } }
    s:run_until(100)
    assert.same({ 100, 3, 0 }, { s.now, s.counts.waiting, s.counts.running })
    assert.equal("capacity", s:why(2).reason)
    local back = s:fork { procs = { procs = 4 } }
    back:finish()
    assert(back:check())
    local times = {}
    for i, a in ipairs(back:schedule()) do times[i] = a.start end
    assert.equal(100, times[#times - 2])
    assert.is_true(times[#times - 3] <= 20)
    assert.error_matches(function() s:step() end, "nothing starts at time 100 although 3 jobs wait")
    assert.error_matches(function() s:step() end, "cannot go on")
  end)

  it("may be too few while nodes fail by a law, too #long", function()
    local rng, stood = orrery.random(77), 0
    for _ = 1, 200 do
      local list = {}
      for i = 1, 8 do
        list[i] = { procs = rng:integer(1, 6), runtime = rng:integer(1, 20),
          submit = rng:integer(0, 30) }
      end
      local s = orrery.session { jobs = orrery.jobs(list), procs = 6, seed = rng:integer(1, 999),
        policy = "easy", node_failures = { mtbf = 300, procs = 2, repair = 7 } }
      s:run_until(rng:integer(0, 30))
      s:change { procs = { procs = rng:integer(0, 5) } }
      s:run_until(500)
      assert.equal(500, s.now)
      if s.counts.waiting > 0 and s.counts.running == 0 then
        stood = stood + 1
        assert.error_matches(function() s:fork():finish() end, "%d jobs wait")
      end
      s:change { procs = { procs = 6 } }
      s:finish()
      assert(s:check())
    end
    assert.is_true(stood > 50)
  end)

  it("come back, which plans know", function()
    local s = four()
    s:run_until(2)
    s:change { procs = { procs = 2, ["until"] = 20 } }
    local m = finish(s)
    assert.same({ "1#1 0-10 completed 0-1", "2#1 0-5 failed 2-3", "2#2 10-15 completed 0-1",
      "3#1 20-23 completed 0-3", "4#1 23-30 completed 0" }, short(s))
    assert.equal((20 + 10 + 10 + 12 + 7) / (4 * 30 - 2 * 15), m.utilisation)
  end)

  it("come back before their time, and then behind the last", function()
    local s = four()
    s:run_until(5)
    s:change { procs = { procs = 2, ["until"] = 50 } }
    s:run_until(8)
    s:change { procs = { procs = 5 } }
    assert.same({ 5, 1, 5 }, { s.procs, s.free, s.numbered }) -- 2 and 3 have not left
    local m = finish(s)
    assert.same({ "1#1 0-10 completed 0-1", "2#1 0-5 failed 2-3", "2#2 5-10 completed 2-3",
      "3#1 10-13 completed 0-3", "4#1 20-27 completed 0" }, short(s))
    assert.equal((20 + 20 + 12 + 7) / (5 * 27 - 8), m.utilisation) -- busy ones did not leave
  end)

  it("that are lent leave at their time", function()
    local s = four { policy = "dispatch/greedy" }
    s:run_until(2)
    s:change { procs = { procs = 8, ["until"] = 6 } }
    assert.same({ 8, 4 }, { s.procs, s.free })
    s:run_until(6)
    assert.same({ 4, 0 }, { s.procs, s.draining })
    finish(s)
    assert.same({ "1#1 0-10 completed 0-1", "2#1 0-5 failed 2-3", "3#1 2-5 completed 4-7",
      "2#2 5-10 completed 2-3", "4#1 20-27 completed 0" }, short(s))
  end)

  it("that are lent are not planned with behind their time", function()
    local s = four()
    s:run_until(2)
    s:change { procs = { procs = 8, ["until"] = 4 } }
    s:step()
    assert.equal("waiting", s:job(3).state) -- it would run until 5
    finish(s)
    assert.equal("3#1 10-13 completed 0-3", short(s)[4])
  end)

  it("are struck: all jobs of the node wait again, and it is out", function()
    local s = four()
    s:run_until(2)
    assert.same({}, s:change { fault = { { job = 1 }, { processor = 3, repair = 4 } } })
    assert.same({ 0, 3, 1 }, { #s:running(), s.free, s.down })
    local m = finish(s)
    assert.same({ "1#1 0-2 node_failure 0-1", "2#1 0-2 node_failure 2-3", "1#2 2-12 completed 0-1",
      "2#2 6-11 failed 2-3", "2#3 11-16 completed 2-3", "3#1 16-19 completed 0-3",
      "4#1 20-27 completed 0" }, short(s))
    assert.equal(2, m.node_failures)
    assert.same({ "processor 2: nothing ran there, the fault has no effect" },
      four():change { fault = { { processor = 2 } } })
    assert.has_error(function() four():change { fault = { { job = 4 } } } end,
      "job 4 does not run: no fault can strike it")
  end)
end)

describe("a running job", function()
  -- A checkpoint takes 1 s, and so does going on from one; none is written by itself. All jobs
  -- write one from 3 to 4. Job 2 leaves with it, and job 1 is made to leave then: both have 7 s
  -- left. Job 3 ends a second later.
  it("writes a checkpoint, and leaves behind it where it is to", function()
    local job = { procs = 1, time = 10 }
    local s = core { jobs = orrery.jobs { job, job, job }, procs = 3, policy = "dispatch/fcfs",
      checkpoint = { cost = 1, period = "none" } }
    assert.has_error(function() s:change { checkpoint = { 1 } } end,
      "job 1 does not run: it cannot write a checkpoint")
    s:run_until(3)
    s:change { checkpoint = { 1, 3 }, preempt = { 2 } }
    assert.equal(3, #s:running())
    s:run_until(4)
    s:change { preempt = { 1 } } -- just written: it leaves at once
    assert.equal("waiting", s:job(1).state)
    finish(s)
    assert.same({ "1#1 0-4 preempted 0", "2#1 0-4 preempted 1", "3#1 0-11 completed 2",
      "2#2 4-12 completed 1", "1#2 4-12 completed 0" }, short(s))
    s = four()
    s:run_until(2)
    assert.has_error(function() s:change { preempt = { 1 } } end, "job 1 writes no checkpoints")
  end)

  -- Job 1 ends at 11 in place of 10, so that job 3, from 3.5 to 11, does not delay job 2.
  it("is planned with to the end that its checkpoint puts off", function()
    local s = core { jobs = orrery.jobs { { procs = 1, time = 10 },
      { procs = 2, time = 5, submit = 1 }, { procs = 1, time = 7.5, submit = 3.5 } }, procs = 2,
      policy = "dispatch/easy", checkpoint = { cost = 1, period = "none" } }
    s:run_until(3)
    s:change { checkpoint = { 1 } }
    finish(s)
    assert.same({ "1#1 0-11 completed 0", "3#1 3.5-11 completed 1", "2#1 11-16 completed 0-1" },
      short(s))
  end)
end)

describe("another policy", function()
  it("takes over everything that runs and waits", function()
    local s = four { policy = "dispatch/fcfs" }
    s:run_until(2)
    assert.same({ 3 }, { s:waiting()[1].position })
    s:change { policy = prepared("dispatch/greedy", "spt", 4),
      submit = orrery.jobs { { procs = 2, time = 4, submit = 3 } } }
    finish(s)
    assert.same({ "1#1 0-10 completed 0-1", "2#1 0-5 failed 2-3", "5#1 5-9 completed 2-3",
      "2#2 9-14 completed 2-3", "3#1 14-17 completed 0-3", "4#1 20-27 completed 0" }, short(s))
  end)

  it("hears of everybody who is there", function()
    local function note(what)
      return function(sim, job, outcome)
        table.insert(sim.state, what .. " " .. job.position .. (outcome and " " .. outcome or ""))
      end
    end
    local s = four()
    s:run_until(2)
    s:change { policy = prepared({
      name = "listener", on_submit = note "submit", on_start = note "start", on_end = note "end",
      init = function(sim) sim.state[1] = #sim:running("main") end,
      dispatch = function(sim)
        for job in sim:fitting() do sim:start(job) end
      end,
    }, nil, 4) }
    s:step()
    s:change { cancel = { 1, 3 }, fault = { { job = 2 } } }
    s:step()
    assert.same({ 2, "start 1", "start 2", "submit 3", "end 1 cancelled",
      "end 2 node_failure", "end 3 cancelled", "start 2" }, s.state)
    finish(s)
  end)

  it("lets go who was held, and is asked anew", function()
    local holder = {
      name = "holder", dispatch = { discipline = "fcfs" },
      on_submit = function(sim, job) if job.position == 2 then sim:hold(job) end end,
    }
    local s = four { policy = holder }
    s:run_until(2)
    assert.equal("held", s:job(2).state)
    s:change { policy = prepared("dispatch/fcfs", nil, 4) }
    finish(s)
    assert.same({ "1#1 0-10 completed 0-1", "2#1 2-7 failed 2-3", "2#2 7-12 completed 2-3",
      "3#1 12-15 completed 0-3", "4#1 20-27 completed 0" }, short(s))
  end)

  it("keeps its state where it is the same one", function()
    local counting = {
      name = "counting", init = function(sim) sim.state.count = 0 end,
      dispatch = function(sim)
        sim.state.count = sim.state.count + 1
        for job in sim:fitting() do sim:start(job) end
      end,
    }
    local s = four { policy = counting }
    s:run_until(2)
    local count = s.state.count
    assert.is_true(count > 1)
    s:change { policy = prepared(counting, nil, 4) }
    assert.equal(count, s.state.count)
    s:change { policy = prepared(counting, "lpt", 4) }
    assert.equal(0, s.state.count)
    finish(s)
  end)

  it("may have groups, or have had", function()
    local s = four { jobs = orrery.jobs { { procs = 2, time = 10 }, { procs = 2, time = 5 },
      { procs = 4, time = 3, submit = 1 }, { procs = 1, time = 7, submit = 20 },
      { procs = 1, time = 30, submit = 3 } }, failures = { 0, 1, 0, 0, 0 } }
    s:run_until(2)
    local split = {
      name = "split", dispatch = { discipline = "fcfs" },
      groups = { { name = "main", procs = 4 }, { name = "more", procs = 2, extra = true } },
      on_submit = function(sim, job) if job.procs == 1 then sim:move(job, "more") end end,
    }
    s:change { policy = prepared(split, nil, 4) }
    assert.same({ 6, 2 }, { s.procs, s.free })
    s:run_until(4)
    s:change { policy = prepared("dispatch/fcfs", nil, s.machine) }
    assert.same({ 4, 6, 1 }, { s.procs, s.numbered, s.draining })
    finish(s)
    assert.same({ "1#1 0-10 completed 0-1", "2#1 0-5 failed 2-3", "5#1 3-33 completed 4",
      "2#2 5-10 completed 2-3", "3#1 10-13 completed 0-3", "4#1 20-27 completed 0" }, short(s))
    assert.same({ "main", "main", "more", "main", "main", "main" }, (function()
      local names = {}
      for i, a in ipairs(s:schedule()) do names[i] = a.group end
      return names
    end)())
    s = four()
    s:run_until(2)
    assert.has_error(function()
      s:change { policy = prepared({ name = "halves", dispatch = { discipline = "fcfs" },
        groups = { { name = "a", procs = 1 }, { name = "b", procs = 3 } } }, nil, 4) }
    end, "policy halves cannot take over at time 2: job 1 runs on processors 0 to 1, which are not "
      .. "of one group of it")
    finish(s)
  end)
end)

-- --- equal to what is known ---------------------------------------------------------------------

local function same_schedule(found, expected, about)
  for i = 1, math.max(#found, #expected) do
    if found[i] ~= expected[i] then
      error(("attempt %d: found %s; expected %s\n%s"):format(i, found[i], expected[i],
        instances.describe(about)), 2)
    end
  end
end

local function random_spec(rng, options)
  local instance = instances.random(rng, options)
  return rigid.spec(instance, {
    policy = { dispatch = rigid.disciplines[rigid.pick(rng, rigid.names)] },
    priority = rigid.pick(rng, rigid.rules),
  }), instance
end

local function some_instants(rng, session)
  for _ = 1, rng:integer(0, 8) do session:step() end
end

describe("a change is as if it had been so:", function()
  it("a job submitted later", function()
    local rng = orrery.random(71)
    for _ = 1, rounds(120, 120, 25) do
      local spec, instance = random_spec(rng)
      local n = #instance.list
      if n > 1 then
        local last = instance.list[n]
        local fewer = { table.unpack(instance.list, 1, n - 1) }
        spec.jobs = orrery.jobs(fewer)
        spec.failures = { table.unpack(instance.failures, 1, n - 1) }
        local s = core(spec)
        some_instants(rng, s)
        if s.now < last.submit then
          instance.failures[n] = 0 -- counts that are given are of the jobs that were
          spec.jobs, spec.failures = orrery.jobs(instance.list), instance.failures
          local all = core(spec)
          s:change { submit = orrery.jobs { last } }
          finish(s)
          all:finish()
          same_schedule(positions(s), positions(all), instance)
        end
      end
    end
  end)

  it("another runtime of a job that did not start", function()
    local rng = orrery.random(72)
    local changed = 0
    for _ = 1, rounds(120, 120, 40) do
      local spec, instance = random_spec(rng, { walltimes = false })
      spec.priority = ({ spec.priority, "lpt", "spt" })[rng:integer(1, 3)]
      local s = core(spec)
      some_instants(rng, s)
      local runtimes = {}
      for i, job in ipairs(instance.list) do
        if s:job(i).state == "pending" and rng:integer(0, 1) == 0 then
          changed = changed + 1
          runtimes[i] = rng:integer(0, 20)
          job.time = runtimes[i]
        end
      end
      spec.jobs = orrery.jobs(instance.list)
      local expected = core(spec)
      expected:finish()
      s:change { runtime = runtimes }
      finish(s)
      same_schedule(positions(s), positions(expected), instance)
    end
    assert.is_true(changed > 40)
  end)

  it("a job cancelled before it comes", function()
    local rng = orrery.random(73)
    local cancelled = 0
    for _ = 1, rounds(120, 120, 40) do
      local spec, instance = random_spec(rng)
      for i, job in ipairs(instance.list) do job.id = "job " .. i end
      spec.jobs = orrery.jobs(instance.list)
      local s = core(spec)
      some_instants(rng, s)
      local list, failures, gone = {}, {}, {}
      for i, job in ipairs(instance.list) do
        if s:job(i).state == "pending" and rng:integer(0, 1) == 0 then
          gone[#gone + 1] = i
        else
          list[#list + 1], failures[#failures + 1] = job, instance.failures[i]
        end
      end
      cancelled = cancelled + #gone
      spec.jobs, spec.failures = orrery.jobs(list), failures
      local expected = core(spec)
      expected:finish()
      s:change { cancel = gone }
      finish(s)
      local function by_id(session)
        local lines = positions(session)
        for i, a in ipairs(session:schedule()) do lines[i] = lines[i]:gsub("^%d+", a.id) end
        return lines
      end
      same_schedule(by_id(s), by_id(expected), instance)
    end
    assert.is_true(cancelled > 40)
  end)

  it("the policy from the beginning", function()
    local rng = orrery.random(74)
    for _ = 1, rounds(80, 80, 30) do
      local spec, instance = random_spec(rng)
      local expected = core(spec)
      expected:finish()
      local policy = prepared(spec.policy, spec.priority, spec.procs)
      local other = random_spec(rng)
      spec.policy, spec.priority = other.policy, other.priority
      local s = core(spec)
      s:change { policy = policy }
      finish(s)
      same_schedule(positions(s), positions(expected), instance)
    end
  end)

  local DRAINED = rounds(120, 120, 25)

  -- Who drains waits for the ends of attempts, which a log of outages says beforehand.
  local function drained_spec(seed, names, busy_too)
    local rng = orrery.random(seed)
    local drained, left = 0, 0
    for _ = 1, DRAINED do
      local spec, instance = random_spec(rng, { walltimes = false })
      spec.policy = { dispatch = rigid.disciplines[rigid.pick(rng, names)] }
      local s = core(spec)
      some_instants(rng, s)
      s:step()
      if not s.over then s:run_until((s.now + s.next_event) / 2) end -- between two instants
      local ends = {}
      for _, a in ipairs(s:schedule()) do
        if a.outcome == "running" then
          for low, high in (a.processors .. " "):gmatch("(%d+)%-?(%d*) ") do
            for p = tonumber(low), tonumber(high) or tonumber(low) do ends[p] = a.finish end
          end
        end
      end
      local first = busy_too and 0 or spec.procs
      while first > 0 and not ends[first - 1] do first = first - 1 end
      if first < spec.procs and not s.over then
        local low, back = rng:integer(first, spec.procs - 1), s.now + rng:integer(1, 20)
        local log = {}
        for p = low, spec.procs - 1 do
          local from = ends[p] or s.now
          left = left + (ends[p] and from < back and 1 or 0)
          if from < back then
            log[#log + 1] = { time = from, processor = p, repair = back - from, until_ = back }
          end
        end
        table.sort(log, function(x, y) return x.time < y.time end)
        for _, one in ipairs(log) do -- the sum must be that very time
          if one.time + one.repair ~= one.until_ then log.inexact = true end
          one.until_ = nil
        end
        if not log.inexact then
          drained = drained + 1
          spec.node_failures = { log = log }
          local expected = core(spec)
          expected:finish()
          s:change { procs = { procs = low, ["until"] = back } }
          finish(s)
          same_schedule(positions(s), positions(expected), instance)
        end
      end
    end
    return drained, left
  end

  it("idle processors out for repair", function()
    assert.is_true(drained_spec(75, rigid.names) > DRAINED / 4)
  end)

  it("busy processors out for repair from the end of their attempts on", function()
    local drained, left = drained_spec(76, { "greedy", "fcfs", "shelf", "shelf_nofill" }, true)
    assert.is_true(math.min(drained, left) > DRAINED / 3, drained .. " " .. left)
  end)
end)

-- --- anything, at any time -----------------------------------------------------------------------

-- What can be done to a simulation of native_events now; each is tried, and may be refused.
local function disturb(rng, sim, spec)
  local kind, job = rng:integer(1, 5), rng:integer(1, #spec)
  local state = sim:job(job).state
  if kind == 1 and state ~= "over" then
    sim:cancel(job)
    assert.equal("over", sim:job(job).state)
  elseif kind == 2 and state ~= "over" then
    pcall(sim.fail_attempt, sim, job) -- no attempt of one that is killed fails
  elseif kind == 3 and state == "running" then
    sim:strike_job(job)
    assert.equal("waiting", sim:job(job).state)
  elseif kind == 4 then
    sim:strike_node(rng:integer(0, spec.procs - 1), rng:integer(0, 5))
  elseif kind == 5 then
    local group = rng:integer(1, #spec.groups)
    local procs = rng:integer(0, spec.groups[group].procs)
    local back = rng:integer(0, 3) > 0 and sim:now() + rng:integer(1, 15) or math.huge
    sim:set_service(group, procs, back)
  end
end

local function conserved(sim, spec)
  for group = 1, #spec.groups do
    local view, held = sim:look_group(group), 0
    for _, j in ipairs(sim:running(group)) do held = held + spec[j].procs end
    assert.equal(view.procs, view.free + view.down + held)
  end
end

-- To its end, where there is one: without processors nothing may start any more.
local function try_finish(sim)
  local ok, result = pcall(sim.finish, sim)
  if ok then return result end
  assert.is_truthy(result:find("nothing starts", 1, true)
    or result:find("nothing can happen any more", 1, true), result)
  return result:match("at time (%S+)")
end

describe("changes of anything at any time", function()
  it("keep the schedule possible, with groups, hooks and nodes that fail", function()
    local finished, stuck, count = 0, 0, rounds(300, 300, 50)
    for seed = 1, count do
      local spec, rng = drawn_spec(seed + 2000)
      local original = events.simulation(spec)
      some_steps(rng, original, 10)
      local before = events.lines(original:attempts())
      local sim = original:transplant()
      for _ = 1, rng:integer(1, 6) do
        for _ = 1, rng:integer(1, 3) do
          disturb(rng, sim, spec)
          conserved(sim, spec)
        end
        assert.is_true(sim:check())
        if not pcall(sim.step, sim) then break end
        conserved(sim, spec)
      end
      local ok, copy = pcall(sim.transplant, sim)
      if ok then
        local twin = sim:copy()
        local metrics = try_finish(sim)
        assert.same(metrics, try_finish(copy))
        assert.same(metrics, try_finish(twin))
        for _, each in ipairs { copy, twin } do
          assert.same(events.lines(sim:attempts()), events.lines(each:attempts()))
        end
        assert.is_true(sim:check())
        if type(metrics) == "table" then
          finished = finished + 1
          local measured = sim:measure()
          for name, value in pairs(metrics) do
            local near = value == measured[name] or name == "redirected"
              or math.abs(measured[name] - value) <= 1e-9 * (1 + math.abs(value))
            assert.is_true(near, ("seed %d, %s: %.17g, measured %.17g"):format(seed, name, value,
              measured[name]))
          end
        else
          stuck = stuck + 1
        end
        destroy(copy, twin)
      end
      assert.same(before, events.lines(original:attempts()))
      original:finish()
      destroy(original, sim)
    end
    assert.is_true(finished > 0.4 * count and stuck > count / 30, finished .. " " .. stuck)
  end)
end)

describe("a pool that becomes smaller", function()
  it("by hand: is told of each pool where a job to come needs more", function()
    local s = orrery.session { procs = 4, policy = "easy", pools = { first = 2, last = 2 },
      jobs = orrery.jobs { { procs = 1, time = 20 },
        { id = "x", procs = 1, time = 5, submit = 40, needs = { first = 2 } },
        { id = "y", procs = 1, time = 5, submit = 40, needs = { last = 2 } } } }:run_until(10)
    local told = "at 10 s: 1 of pool %s from now on (1 job, the first is %s, needs more than there "
      .. "is from now on and cannot start)"
    for pool, job in pairs { first = "x", last = "y" } do
      assert.equal(told:format(pool, job), tostring(s:fork { pools = { [pool] = 1 } }.history[2]))
      assert.equal(("at 10 s: 2 of pool %s from now on"):format(pool),
        tostring(s:fork { pools = { [pool] = 2 } }.history[2]))
    end
  end)
end)
