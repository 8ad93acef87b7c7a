-- Events and actions by cases worked by hand, and what is refused.
local events = require "spec.support.events"
local faults = require "native_faults"

-- times: { start, finish, outcome, group } of every attempt, in order of start
local function story(sim)
  local list = {}
  for i, a in ipairs(sim:attempts()) do
    list[i] = { a.position, a.start, a.finish, a.outcome, a.group }
  end
  return list
end

local function easy(procs) return { procs = procs, discipline = "list", reservations = 1 } end
local function fcfs(procs) return { procs = procs, discipline = "fcfs" } end

local function spec_of(jobs, groups, more)
  local spec = { verification = 0, procs = 0, groups = groups, several = true }
  for i, job in ipairs(jobs) do
    spec[i] = { procs = job[1], time = job[2], submit = job[3], walltime = job[4] }
  end
  for _, group in ipairs(groups) do spec.procs = spec.procs + group.procs end
  spec.walltimes = true
  for key, value in pairs(more or {}) do spec[key] = value end
  return spec
end

local function finished(spec)
  local sim = events.simulation(spec)
  local metrics = sim:finish()
  assert.is_true(sim:check())
  return story(sim), metrics, sim
end

-- The message of the error that the run ends with.
local function stopped(spec)
  local sim = events.simulation(spec)
  local ok, message = pcall(sim.finish, sim)
  assert.is_false(ok)
  return message
end

describe("a group where a job waits in front of another", function()
  it("decides again when a job enters, leaves the queue or ends there", function()
    -- All but 4, 6 and 7 move to the second group, of 2 processors. 1 holds one of them until 100.
    -- 2 wants both, and 3 would end too late to start before it. 4 changes nothing there. 5 comes
    -- at 10 and fits. 6 takes 2 out of the queue at 20, so that 3 starts; 7 brings 2 back.
    local found = finished(spec_of({ { 1, 100, 0 }, { 2, 10, 1 }, { 1, 200, 2 }, { 1, 1, 3 },
      { 1, 5, 10 }, { 1, 1, 20 }, { 1, 1, 30 } }, { easy(1), easy(2) }, {
        on_submit = function(sim, j)
          if j < 4 or j == 5 then sim:move(j, 2) end
          if j == 6 then sim:hold(2) elseif j == 7 then sim:release(2) end
        end,
      }))
    assert.same({
      { 1, 0, 100, "completed", 2 }, { 4, 3, 4, "completed", 1 }, { 5, 10, 15, "completed", 2 },
      { 6, 20, 21, "completed", 1 }, { 3, 20, 220, "completed", 2 }, { 7, 30, 31, "completed", 1 },
      { 2, 220, 230, "completed", 2 },
    }, found)
  end)

  it("and at any event where priorities change with the time", function()
    -- As above, but from 50 on 3 is in front of 2. 4 comes to the other group at 60.
    local second = easy(2)
    second.per = "decision"
    second.priority = function(j, sim) return sim:now() < 50 and -j or j end
    local found = finished(spec_of({ { 1, 100, 0 }, { 2, 10, 1 }, { 1, 200, 2 }, { 1, 1, 60 } },
      { easy(1), second }, { on_submit = function(sim, j) if j < 4 then sim:move(j, 2) end end }))
    assert.same({ { 1, 0, 100, "completed", 2 }, { 4, 60, 61, "completed", 1 },
      { 3, 60, 260, "completed", 2 }, { 2, 260, 270, "completed", 2 } }, found)
  end)
end)

describe("redirection", function()
  it("kills a job and starts it from nothing in the other group", function()
    -- 1 holds the machine of 4 from 0 to 100; 2 comes at 10 and has to wait; 1 goes to the group of
    -- 4 extra processors, where it starts at 10 and ends at 110. 2 runs at once.
    local found, metrics, sim = finished(spec_of({ { 4, 100, 0 }, { 4, 5, 10 } },
      { easy(4), fcfs(4) }, {
        on_submit = function(sim, j)
          if sim:free(1) == 0 and j == 2 then sim:move(1, 2) end
        end,
      }))
    assert.same({
      { 1, 0, 10, "preempted", 1 }, { 1, 10, 110, "completed", 2 }, { 2, 10, 15, "completed", 1 },
    }, { found[1], found[3], found[2] })
    assert.same({ 3, 1, 1, 0 },
      { metrics.starts, metrics.redirected, metrics.preempted, metrics.failures })
    assert.equal(40, metrics.work_lost)
    assert.equal(110, metrics.makespan)
    assert.equal((40 + 400 + 20) / (8 * 110), metrics.utilisation)
    assert.same({ state = "over", group = 2, attempts = 2, arrival = 10, start = 10,
      planned_end = 110 }, sim:job(1))
  end)

  it("queues in the order of arrival there", function()
    -- 3 and then 2 are moved to the other group, which has room for one of them at a time.
    local found = finished(spec_of({ { 1, 50, 0 }, { 1, 50, 0 }, { 1, 50, 0 }, { 1, 1, 5 },
      { 1, 1, 6 } }, { fcfs(3), fcfs(1) }, {
        on_submit = function(sim, j)
          if j == 4 then sim:move(3, 2) elseif j == 5 then sim:move(2, 2) end
        end,
      }))
    assert.same({
      { 1, 0, 50, "completed", 1 }, { 2, 0, 6, "preempted", 1 }, { 3, 0, 5, "preempted", 1 },
      { 4, 5, 6, "completed", 1 }, { 3, 5, 55, "completed", 2 }, { 5, 6, 7, "completed", 1 },
      { 2, 55, 105, "completed", 2 },
    }, found)
  end)

  it("leaves the failures of a job to the attempts that reach their end", function()
    -- 1 is to fail once: its first attempt is interrupted, the second fails, the third completes.
    local found, metrics = finished(spec_of({ { 1, 10, 0 }, { 1, 1, 4 } }, { fcfs(2), fcfs(1) }, {
      failures = { 1, 0 },
      on_submit = function(sim, j) if j == 2 then sim:move(1, 2) end end,
    }))
    assert.same({
      { 1, 0, 4, "preempted", 1 }, { 2, 4, 5, "completed", 1 }, { 1, 4, 14, "failed", 2 },
      { 1, 14, 24, "completed", 2 },
    }, found)
    assert.same({ 4, 1, 1, 14 },
      { metrics.starts, metrics.failures, metrics.redirected, metrics.work_lost })
  end)
end)

describe("a requeued job", function()
  it("keeps its place in the queue, and what it reserves is planned anew", function()
    -- 1 (3 procs, to 20) runs; 2 (2 procs) waits; at 5 the hook requeues 1, which is before
    -- 2 in the queue and starts again at once.
    local found = finished(spec_of({ { 3, 20, 0 }, { 2, 3, 1 }, { 1, 1, 5 } }, { easy(3) }, {
      on_submit = function(sim, j) if j == 3 then sim:requeue(1) end end,
    }))
    assert.same({
      { 1, 0, 5, "preempted", 1 }, { 1, 5, 25, "completed", 1 }, { 2, 25, 28, "completed", 1 },
      { 3, 25, 26, "completed", 1 },
    }, found)
  end)

  it("lets others start in a dispatch that preempts", function()
    -- Preemptive: whoever is shorter takes the processors of who runs.
    local found = finished(spec_of({ { 2, 10, 0 }, { 2, 3, 4 } }, { {
      procs = 2, discipline = "custom",
      dispatch = function(sim)
        local waiting, running = sim:waiting(1), sim:running(1)
        if #running > 0 and waiting[#waiting] == 2 then sim:requeue(running[1]) end
        if sim:free(1) == 2 then sim:start(waiting[#waiting]) end
      end,
    } }, { on_end = function() end }))
    assert.same({ { 1, 0, 4, "preempted", 1 }, { 2, 4, 7, "completed", 1 } },
      { found[1], found[2] })
  end)
end)

describe("a killed job", function()
  it("is over, and its processors are free at once", function()
    local found, metrics, sim = finished(spec_of({ { 2, 100, 0 }, { 2, 5, 1 } }, { easy(2) }, {
      on_timer = function(sim) sim:kill(1) end,
      on_submit = function(sim, j) if j == 1 then sim:wake_at(30) end end,
    }))
    assert.same({ { 1, 0, 30, "cancelled", 1 }, { 2, 30, 35, "completed", 1 } }, found)
    assert.same({ 1, 60, 35, 0 },
      { metrics.killed, metrics.work_lost, metrics.makespan, metrics.preempted })
    assert.equal("over", sim:job(1).state)
  end)

  it("does not hear of its own end, others do, with what came of it", function()
    local heard = {}
    finished(spec_of({ { 1, 100, 0 }, { 1, 5, 0 }, { 1, 5, 0 }, { 1, 9, 0, 4 } }, { easy(4) }, {
      failures = { 0, 0, 1, 0 },
      on_submit = function(sim, j) if j == 1 then sim:wake_at(30) end end,
      on_timer = function(sim) sim:kill(1) end,
      on_end = function(sim, j, outcome) heard[#heard + 1] = { sim:now(), j, outcome } end,
    }))
    assert.same({ { 4, 4, "killed" }, { 5, 2, "completed" }, { 5, 3, "failed" },
      { 10, 3, "completed" } }, heard)
  end)
end)

describe("a timer", function()
  it("is an instant of its own, once however often it was asked for", function()
    local woken = {}
    local found = finished(spec_of({ { 1, 100, 0 }, { 1, 1, 50 } }, { easy(1) }, {
      on_submit = function(sim, j)
        if j == 1 then sim:wake_at(20) sim:wake_at(7.5) sim:wake_at(20) end
      end,
      on_timer = function(sim)
        woken[#woken + 1] = sim:now()
        if sim:now() == 20 then sim:wake_at(100) end
      end,
    }))
    assert.same({ 7.5, 20, 100 }, woken)
    assert.equal(2, #found)
  end)

  it("brings a decision, by which what nobody else would notice happens", function()
    -- The queue is in order of a priority that changes at 30: then 2 stands before 1.
    local found = finished(spec_of({ { 1, 10, 0 }, { 1, 10, 1 }, { 1, 35, 0 } }, { {
      procs = 1, discipline = "custom",
      dispatch = function(sim)
        if sim:now() == 0 then sim:start(3) sim:wake_at(60) end
        if sim:now() == 60 then sim:start(2) sim:wake_at(80) end
        if sim:now() == 80 then sim:start(1) end
      end,
    } }))
    assert.same({ { 3, 0, 35, "completed", 1 }, { 2, 60, 70, "completed", 1 },
      { 1, 80, 90, "completed", 1 } }, found)
  end)
end)

describe("a held job", function()
  it("waits outside of the queue and keeps its arrival", function()
    -- 1 is held from its submission until 20, 3 runs from 2 on: at 20 job 1 starts before job 4,
    -- which came later, as soon as 3 is over.
    local found, _, sim = finished(spec_of({ { 1, 5, 0 }, { 1, 30, 2 }, { 1, 5, 3 } }, {
      fcfs(1),
    }, {
      on_submit = function(sim, j)
        if j == 1 then
          sim:hold(1)
          assert.equal("held", sim:job(1).state)
          assert.same({ 1, 0 }, { sim:look().held, sim:look().waiting })
          sim:wake_at(20)
        end
      end,
      on_timer = function(sim) sim:release(1) end,
    }))
    assert.same({ { 2, 2, 32, "completed", 1 }, { 1, 32, 37, "completed", 1 },
      { 3, 37, 42, "completed", 1 } }, found)
    assert.equal(0, sim:look().held)
  end)

  it("gives up its reservation, which others may have", function()
    -- 2 is to start at 10 on all processors; without it 3 starts at once.
    for _, discipline in ipairs { "list", "conservative" } do
      local found = finished(spec_of({ { 1, 10, 0 }, { 2, 10, 1 }, { 1, 20, 2 }, { 1, 1, 4 } },
        { { procs = 2, discipline = discipline, reservations = math.huge } }, {
          on_submit = function(sim, j)
            if j == 4 then sim:hold(2) sim:wake_at(40) end
          end,
          on_timer = function(sim) sim:release(2) end,
        }))
      assert.same({ { 1, 0, 10, "completed", 1 }, { 3, 4, 24, "completed", 1 },
        { 4, 10, 11, "completed", 1 }, { 2, 40, 50, "completed", 1 } }, found)
    end
  end)
end)

describe("the order of an instant", function()
  it("is ends, submissions, timer, decisions, starts, idle", function()
    local log = {}
    local function note(name)
      return function(sim, what) log[#log + 1] = { sim:now(), name, what, sim:look().hook } end
    end
    local spec = spec_of({ { 1, 5, 0 }, { 1, 5, 5 }, { 1, 0, 5 } }, { easy(2), easy(1) }, {
      on_start = note "start", on_end = note "end", on_idle = note "idle", on_timer = note "timer",
    })
    spec.on_submit = function(sim, j)
      note "submit"(sim, j)
      if j == 1 then sim:wake_at(5) end
    end
    finished(spec)
    assert.same({
      { 0, "submit", 1, "on_submit" }, { 0, "start", 1, "on_start" }, { 0, "idle", 1, "on_idle" },
      { 0, "idle", 2, "on_idle" },
      { 5, "end", 1, "on_end" }, { 5, "submit", 2, "on_submit" }, { 5, "submit", 3, "on_submit" },
      { 5, "timer", nil, "on_timer" }, { 5, "start", 2, "on_start" }, { 5, "start", 3, "on_start" },
      { 5, "end", 3, "on_end" }, { 5, "idle", 1, "on_idle" }, { 5, "idle", 2, "on_idle" },
      { 10, "end", 2, "on_end" },
    }, log)
  end)

  it("tells of a start before its end, also if it takes no time", function()
    local log = {}
    finished(spec_of({ { 1, 0, 0 } }, { easy(1) }, {
      on_submit = function(sim, j) sim:start(j) end,
      on_start = function(_, j) log[#log + 1] = "start " .. j end,
      on_end = function(_, j) log[#log + 1] = "end " .. j end,
    }))
    assert.same({ "start 1", "end 1" }, log)
  end)

  it("does not tell of a start that was taken back", function()
    local started = {}
    finished(spec_of({ { 1, 5, 0 }, { 1, 5, 0 } }, { easy(2) }, {
      on_start = function(sim, j)
        started[#started + 1] = { sim:now(), j }
        if j == 1 and sim:now() == 0 then sim:hold((function() sim:requeue(2) return 2 end)()) end
        if j == 1 then sim:wake_at(sim:now() + 3) end
      end,
      on_timer = function(sim) if sim:job(2).state == "held" then sim:release(2) end end,
    }))
    assert.same({ { 0, 1 }, { 3, 2 } }, started)
  end)
end)

describe("a simulation of no jobs", function()
  it("is over, with groups, hooks and outages, too", function()
    local found, metrics = finished(spec_of({}, { easy(2), fcfs(2) }, {
      on_idle = function() end, on_start = function() end,
      outages = { { time = 1, repaired = 2, first = 0, count = 3 } },
    }))
    assert.same({}, found)
    assert.same({ 0, 0 }, { metrics.starts, metrics.makespan })
  end)
end)

describe("backfilling in another order", function()
  it("tries the jobs behind the reservation in it", function()
    -- 1 holds 3 of 4 until 10, 2 wants all 4; behind it 3 (first come) and 4 (shorter) want the one
    -- processor that is free until 10: by the order of the queue 3, by the shortest 4.
    local function run(backfill)
      local group = easy(4)
      local jobs = { { 3, 10, 0 }, { 4, 5, 1 }, { 1, 8, 2 }, { 1, 6, 2 } }
      if backfill then group.backfill = function(j) return -jobs[j][2] end end
      local found = finished(spec_of(jobs, { group }))
      return { found[2][1], found[2][2] }
    end
    assert.same({ 3, 2 }, run(false))
    assert.same({ 4, 2 }, run(true))
  end)
end)

describe("node failures", function()
  it("requeue the jobs on them, under EASY, which plans with the repair", function()
    -- 4 processors. 1 (2 procs, 20 s) on 0-1, 2 (1 proc, 20 s) on 2. At 5 processors 0-1 fail until
    -- 30: 1 waits again; it stands first in the queue and finds only one processor free until 20,
    -- two then (2 is over): it is reserved for 20. 3 (1 proc, 10 s), submitted at 6, is over by 16
    -- and is backfilled; 4 (1 proc, 15 s), submitted at 6, would be in the way until 31 and waits
    -- for 30, when 0-1 are back.
    local found, metrics = finished(spec_of(
      { { 2, 20, 0 }, { 1, 20, 0 }, { 1, 10, 6 }, { 1, 15, 6 } }, { easy(4) },
      { outages = { { time = 5, repaired = 30, first = 0, count = 2 } } }))
    assert.same({
      { 1, 0, 5, "node_failure", 1 }, { 2, 0, 20, "completed", 1 }, { 3, 6, 16, "completed", 1 },
      { 1, 20, 40, "completed", 1 }, { 4, 30, 45, "completed", 1 },
    }, found)
    assert.same({ 1, 10, 0 }, { metrics.node_failures, metrics.work_lost, metrics.preempted })
  end)

  it("put processors out until the later of two repairs", function()
    local found, _, sim = finished(spec_of({ { 2, 5, 0 }, { 1, 1, 0 } }, { fcfs(2) }, {
      outages = {
        { time = 1, repaired = 10, first = 0, count = 1 },
        { time = 3, repaired = 6, first = 0, count = 2 },
        { time = 4, repaired = 20, first = 1, count = 1 },
      },
    }))
    assert.same({ { 1, 0, 1, "node_failure", 1 }, { 1, 20, 25, "completed", 1 },
      { 2, 25, 26, "completed", 1 } }, found)
    assert.equal(0, sim:look().down)
  end)

  it("take the work, not the processors, where the repair takes no time", function()
    local found = finished(spec_of({ { 1, 5, 0 } }, { fcfs(2) }, {
      outages = { { time = 2, repaired = 2, first = 0, count = 1 } },
    }))
    assert.same({ { 1, 0, 2, "node_failure", 1 }, { 1, 2, 7, "completed", 1 } }, found)
  end)

  it("strike across groups, and tell of every job", function()
    local struck = {}
    local found = finished(spec_of({ { 2, 9, 0 }, { 2, 9, 0 } }, { fcfs(2), fcfs(2) }, {
      on_submit = function(sim, j) if j == 2 then sim:move(2, 2) end end,
      on_end = function(sim, j, outcome)
        if outcome == "node_failure" then
          struck[#struck + 1] = { j, sim:look_group(1).down, sim:look_group(2).down }
        end
      end,
      outages = { { time = 3, repaired = 8, first = 1, count = 2 } },
    }))
    assert.same({ { 1, 1, 1 }, { 2, 1, 1 } }, struck)
    assert.same({ { 1, 8, 17, "completed", 1 }, { 2, 8, 17, "completed", 2 } },
      { found[3], found[4] })
  end)

  it("are those of the source where they are drawn, whatever the policy", function()
    -- 9 processors in nodes of 2, the last of which has one; the first job comes at 7.
    for _, law in ipairs { "exponential", "weibull", "lognormal" } do
      for _, discipline in ipairs { "list", "fcfs" } do
        local group, jobs = { procs = 9, discipline = discipline, reservations = 1 }, {}
        for i = 1, 80 do jobs[i] = { i % 4 + 1, 10 + i % 13, 5 + i * 2 } end
        local _, metrics, sim = finished(spec_of(jobs, { group }, {
          seed = 5, scenario = 3,
          nodes = { mtbf = 150, repair = 6.5, procs = 2, law = law, shape = 0.8 },
        }))
        local found, expected, out = sim:outages(), {}, {}
        local source =
          faults.source { law = law, procs = 5, mtbf = 150, shape = 0.8 }
        source:reset(5, 0, 3)
        local times, nodes = source:take(4 * #found)
        for i, time in ipairs(times) do
          local at, node = 7 + time, nodes[i]
          if at > found[#found].time then break end
          if not out[node] or at >= out[node] then -- a node that is down does not fail
            out[node] = at + 6.5
            expected[#expected + 1] = { time = at, repaired = at + 6.5, first = 2 * node,
              count = node == 4 and 1 or 2 }
          end
        end
        assert.same(expected, found)
        assert.is_true(#found > 10 and metrics.node_failures > 5)
      end
    end
  end)

  it("that are given must be possible", function()
    local function refused(...)
      local list = {}
      for i, o in ipairs { ... } do
        list[i] = { time = o[1], repaired = o[2], first = o[3], count = o[4] }
      end
      return select(2, pcall(events.simulation, spec_of({ { 1, 1, 0 } }, { easy(4) },
        { outages = list })))
    end
    assert.is_truthy(refused({ 5, 6, 0, 1 }, { 4, 6, 0, 1 }):find(
      "node failure 2: its time must be finite and at least 5, it is 4", 1, true))
    assert.is_truthy(refused({ 5, 4, 0, 1 }):find("must be repaired at a time that is no", 1, true))
    assert.is_truthy(refused({ 5, 6, 3, 2 }):find(
      "2 processors from 3 on are not among 0 to 3", 1, true))
    assert.is_truthy(refused({ 5, 6, 0, 0 }):find("are not among", 1, true))
    local nodes = { mtbf = 1, repair = -1, procs = 1, law = "weibull" }
    assert.error_matches(function()
      events.simulation(spec_of({ { 1, 1, 0 } }, { easy(4) }, { nodes = nodes }))
    end, "the repair of a node must take a finite number of seconds >= 0, not %-1")
  end)
end)

describe("a reservation", function()
  it("is forgotten when the dispatch ends an attempt", function()
    local seen = {}
    finished(spec_of({ { 1, 100, 0 }, { 2, 5, 1 }, { 1, 200, 1 } }, { {
      procs = 2, discipline = "custom",
      dispatch = function(sim)
        if sim:now() == 0 then return sim:start(1) end
        if sim:now() == 1 and #seen == 0 then
          seen[1], seen[2] = sim:reserve(2), sim:can_start(3)
          sim:requeue(1)
          seen[3], seen[4] = sim:can_start(3), sim:reserve(2)
          seen[5] = sim:earliest_start(1, 1, 10)
        end
        for _, j in ipairs(sim:waiting(1)) do
          if sim:can_start(j) then sim:start(j) end
        end
      end,
    } }))
    assert.same({ 100, false, true, 1, 6 }, seen)
  end)
end)

describe("a question", function()
  it("is answered for each group, with its repairs", function()
    local answers = {}
    finished(spec_of({ { 2, 10, 0 }, { 1, 7, 1 } }, { easy(2), easy(3) }, {
      outages = { { time = 0, repaired = 4, first = 2, count = 2 } },
      on_submit = function(sim, j)
        if j == 1 then return end
        for group = 1, 2 do
          for procs = 1, 4 do
            answers[#answers + 1] = sim:earliest_start(group, procs, 5)
          end
        end
        answers[#answers + 1] = sim:can_start(2)
        sim:move(2, 2)
        answers[#answers + 1] = sim:can_start(2)
        answers[#answers + 1] = sim:find_group("group2")
        answers[#answers + 1] = sim:find_group("group3")
      end,
    }))
    local inf = math.huge
    assert.same({ 10, 10, inf, inf, 1, 4, 4, inf, false, true, 2, 0 }, answers)
  end)

  it("knows the order of a queue that a hook has changed", function()
    local seen = {}
    local group = easy(1)
    group.per, group.priority = "attempt", function(j) return -j % 3 end
    finished(spec_of({ { 1, 9, 0 }, { 1, 9, 1 }, { 1, 9, 2 }, { 1, 9, 3 } }, { group }, {
      on_submit = function(sim) seen[#seen + 1] = table.concat(sim:waiting(1), " ") end,
    }))
    assert.same({ "1", "2", "2 3", "4 2 3" }, seen) -- priorities 2, 1, 0, 2
  end)
end)

describe("an action is refused", function()
  local jobs = { { 2, 10, 0 }, { 2, 10, 0 }, { 1, 10, 50 } }
  local function refused(expected, action, more)
    local spec = spec_of(jobs, { easy(3), fcfs(1) }, {
      on_timer = function(sim) action(sim) end,
    })
    spec.on_submit = function(sim, j) if j == 1 then sim:wake_at(5) end end
    for key, value in pairs(more or {}) do spec[key] = value end
    local message = stopped(spec)
    if not message:find(expected, 1, true) then
      error(("expected '%s' in: %s"):format(expected, message), 2)
    end
    assert.is_truthy(message:find("^policy spec: on_timer at time [%d.]+: "), message)
  end

  it("on a job in the wrong state", function()
    refused("job 1 cannot be started: it is running already", function(s) s:start(1) end)
    refused("job 2 cannot be killed: it is waiting", function(s) s:kill(2) end)
    refused("job 2 cannot be requeued: it is waiting", function(s) s:requeue(2) end)
    refused("job 1 cannot be held: it is running already", function(s) s:hold(1) end)
    refused("job 2 cannot be released: it is waiting", function(s) s:release(2) end)
    refused("job 3 cannot be moved: it is not submitted yet", function(s) s:move(3, 2) end)
    refused("job number 7 cannot be killed: there are 3 jobs", function(s) s:kill(8) end)
    refused("job 1 cannot be killed: it is over", function(s) s:kill(1) s:kill(1) end)
    refused("job 2 cannot be started: it is held", function(s) s:hold(2) s:start(2) end)
  end)

  it("on a group that is not there or too small", function()
    refused("job 2 cannot be moved: there is no group 2, they are numbered from 0 to 1",
      function(s) s:move(2, 3) end)
    refused("job 1 cannot be moved: it needs 2 processors and group group2 has 1",
      function(s) s:move(1, 2) end)
  end)

  it("when it does not fit", function()
    refused("job 2 cannot be started: it needs 2 processors and 1 are free in its group group1",
      function(s) s:start(2) end)
  end)

  it("when it reserves outside of a decision", function()
    refused("only the dispatch hook may do that", function(s) s:reserve(2) end)
  end)

  it("for a time that is not to come", function()
    refused("time 5 is no time to wake up at", function(s) s:wake_at(5) end)
    refused("is no time to wake up at", function(s) s:wake_at(math.huge) end)
    refused("is no time to wake up at", function(s) s:wake_at(0 / 0) end)
  end)

  it("outside of any hook, and nothing changes", function()
    local sim = events.simulation(spec_of(jobs, { easy(3) }, { on_end = function() end }))
    sim:step()
    for _, name in ipairs { "kill", "requeue", "hold" } do
      assert.error_matches(function() sim[name](sim, 1) end, "only the dispatch hook and the hooks")
    end
    assert.error_matches(function() sim:wake_at(9) end, "only the dispatch hook and the hooks")
    assert.equal("running", sim:job(1).state)
    sim:finish()
  end)

  it("inside a priority", function()
    local group = easy(3)
    group.per = "attempt"
    group.priority = function(j, sim) if j == 2 then sim:kill(1) end return 0 end
    assert.is_truthy(stopped(spec_of(jobs, { group })):find("only the dispatch hook", 1, true))
  end)
end)

describe("a policy is stopped", function()
  it("when it starts and ends for ever at one instant", function()
    local message = stopped(spec_of({ { 1, 5, 3 } }, { easy(1) }, {
      on_start = function(sim, j) sim:requeue(j) end,
    }))
    assert.is_truthy(message:find(
      "^policy spec: on_start at time 3: .*job 1 cannot be requeued: " ..
      "the policy has acted 1016 times at this instant"), message)
  end)

  it("when two groups play ball with a job", function()
    local function throw(to)
      return function(sim) sim:move(1, to) end
    end
    local message = stopped(spec_of({ { 1, 5, 3 } }, {
      { procs = 1, discipline = "custom", dispatch = throw(2) },
      { procs = 1, discipline = "custom", dispatch = throw(1) },
    }))
    assert.matches("goes round in circles", message, 1, true)
  end)

  it("when only held jobs are left", function()
    local message = stopped(spec_of({ { 1, 5, 3 }, { 1, 5, 4 } }, { easy(1) }, {
      on_submit = function(sim, j) if j == 2 then sim:hold(2) end end,
    }))
    assert.is_truthy(message:find(
      "policy spec: nothing can happen any more at time 8 although 1 " ..
      "jobs are held", 1, true), message)
  end)

  it("when it wakes up for ever and nothing runs", function()
    local message = stopped(spec_of({ { 1, 5, 3 } }, { easy(1) }, {
      on_submit = function(sim) sim:hold(1) sim:wake_at(4) end,
      on_timer = function(sim) sim:wake_at(sim:now() + 1) end,
    }))
    assert.matches("woken up 100000 times in a row", message, 1, true)
  end)

  it("when it wakes up ever so little later and the job that runs never ends", function()
    local message = stopped(spec_of({ { 1, 5, 3 } }, { easy(1) }, {
      on_submit = function(sim) sim:wake_at(4) end,
      on_timer = function(sim) sim:wake_at(sim:now() * (1 + 2 ^ -52)) end,
    }))
    assert.equal("policy spec: at time 4.0000000008881775 it has woken up 1000000 times in a row, "
      .. "since when no attempt reached its end, no job came and no node failed", message)
  end)

  it("when a job is too wide for its group after on_submit", function()
    local message = stopped(spec_of({ { 1, 5, 0 }, { 3, 5, 3 } }, { easy(2), easy(2) }, {
      on_end = function() end, procs = 4,
    }))
    assert.is_truthy(message:find("policy spec: job 2, submitted at time 3, needs 3 processors, " ..
      "and its group group1 has 2", 1, true), message)
  end)

  it("when its groups are no division of the machine", function()
    local function refused(groups, procs)
      local spec = spec_of({ { 1, 5, 0 } }, groups, { procs = procs })
      return select(2, pcall(events.simulation, spec))
    end
    assert.is_truthy(refused({ easy(2), easy(2) }, 5):find(
      "its groups have 4 processors and the machine has 5", 1, true))
    assert.is_truthy(refused({ easy(2), easy(0) }, 2):find("a group has at least one", 1, true))
  end)
end)
