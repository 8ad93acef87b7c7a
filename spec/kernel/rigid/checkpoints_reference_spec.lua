-- Checkpoints of rigid jobs, attempt by attempt, held against a naive reference (READINGS 36).
local orrery = require "orrery"
local events = require "spec.support.events"
local rounds = require "spec.support.rounds"

-- ORRERY_ROUNDS=every takes minutes.
local INSTANCES = ({ some = 2000, all = 5000, every = 50000 })[os.getenv "ORRERY_ROUNDS"] or 200

local ACTS = { "interrupt", "preempt", "preempt", "checkpoint", "checkpoint", "move", "hold",
  "release", "wake", "start" }

local function near(a, b) return math.abs(a - b) <= 1e-9 * (1 + math.abs(b)) end

-- What was saved and written, where that differs, as text.
local function difference(found, expected)
  local problem = events.difference(found, expected)
  for i = 1, problem and 0 or #expected do
    local a, b = found[i], expected[i]
    if not near(a.saved, b.saved) or a.checkpoints ~= b.checkpoints then
      return ("attempt %d of job %d, %.17g to %.17g: found %.17g s saved and %d checkpoints; "
        .. "expected %.17g and %d"):format(b.attempt, b.position, b.start, b.finish, a.saved,
        a.checkpoints, b.saved, b.checkpoints)
    end
  end
  return problem
end

local function describe_pays(spec)
  local lines = {}
  for j, pays in ipairs(spec.checkpoints) do
    lines[j] = ("job %d: C = %.17g, R = %.17g, tau = %s"):format(j, pays.cost, pays.recovery,
      pays.period and ("%.17g"):format(pays.period) or "none")
  end
  return table.concat(lines, "\n")
end

-- Drains that are announced at a time; none, or another window, may be known from the beginning.
local function random_drains(seed, spec)
  local rng, first = orrery.random(seed, 7), math.huge
  for _, job in ipairs(spec) do first = math.min(first, job.submit) end
  local change = { at = first + rng:integer(0, 40) / 2, windows = {} }
  for i = 1, rng:integer(1, 3) do
    local from, low = change.at + rng:integer(1, 30) / 2, rng:integer(0, spec.procs - 1)
    change.windows[i] = { from = from, to = from + rng:integer(1, 40) / 2, first = low,
      count = rng:integer(1, spec.procs - low), drains = rng:integer(0, 3) > 0 }
  end
  return change
end

-- Where there is a change, it is made when the clock stands there.
local function finish(sim, change)
  if change then
    sim:run_until(change.at)
    if sim:now() == change.at and sim:next_event() < math.huge then
      sim = sim:transplant(change.windows)
    end
  end
  return sim, pcall(sim.finish, sim)
end

local function compare(seed, options, seen)
  local mine, other = events.twice(seed, options)
  local change = options.drains and random_drains(seed, mine)
  local expected = events.naive(other, change)
  local sim, ok, metrics = finish(events.simulation(mine), change)
  local problem = not ok and metrics
  if ok then
    local fine, objection = sim:check()
    problem = difference(sim:attempts(), expected.history) or not fine and objection
  end
  if problem then
    local drains = change and ("at %g: %s"):format(change.at, events.describe_windows(change))
    error(("seed %d: %s\n%s\n%s\n%s"):format(seed, problem, drains, describe_pays(other),
      events.describe(other)), 2)
  end
  for _, attempt in ipairs(expected.history) do
    seen[attempt.outcome] = (seen[attempt.outcome] or 0) + 1
    seen.checkpoints = seen.checkpoints + attempt.checkpoints
    local kept = attempt.outcome ~= "completed" and attempt.saved > 0
    seen.saved = seen.saved + (kept and 1 or 0)
    seen.requeued = seen.requeued + (attempt.outcome == "killed" and kept and 1 or 0)
    if attempt.heeded then seen[attempt.heeded] = seen[attempt.heeded] + 1 end
  end
  sim:destroy()
end

describe("checkpoints of rigid jobs", function()
  -- C = 2, R = 3, tau = 10, w = 35: checkpoints are complete at 12, 24 and 36, the work at 41.
  local function by_hand(spec)
    spec.procs, spec.verification = 4, 0
    spec.groups = spec.groups or { { procs = 4, discipline = "fcfs" } }
    spec[1] = { procs = 2, time = 35, submit = 0, walltime = spec.walltime }
    spec.walltimes = spec.walltime ~= nil
    spec.checkpoints = { { cost = 2, recovery = 3, period = not spec.no_period and 10 or nil } }
    local lines = {}
    local function note(attempts)
      for i, a in ipairs(attempts) do
        lines[i] = ("%g to %g %s, %g saved by %d"):format(a.start, a.finish, a.outcome, a.saved,
          a.checkpoints)
      end
      return table.concat(lines, "; ")
    end
    local sim = events.simulation(spec)
    sim:finish()
    assert(sim:check())
    local found = note(sim:attempts())
    assert.equal(found, note(events.naive(spec).history))
    return found
  end

  local function struck_at(time, more)
    local spec = { outages = { { time = time, repaired = time, first = 0, count = 1 } } }
    for key, value in pairs(more or {}) do spec[key] = value end
    return by_hand(spec)
  end

  it("are those of cases worked by hand", function()
    assert.equal("0 to 41 completed, 35 saved by 3", by_hand {})
    assert.equal("0 to 9 node_failure, 0 saved by 0; 9 to 50 completed, 35 saved by 3",
      struck_at(9))
    -- just complete; and an instant before that
    assert.equal("0 to 24 node_failure, 20 saved by 2; 24 to 44 completed, 35 saved by 1",
      struck_at(24))
    assert.equal("0 to 23.5 node_failure, 10 saved by 1; 23.5 to 55.5 completed, 35 saved by 2",
      struck_at(23.5))
    -- the walltime is an estimate of the work: 25 of it end at 12 + 12 + 5
    assert.equal("0 to 29 killed, 0 saved by 2", by_hand { walltime = 25 })
    assert.equal("0 to 24 node_failure, 20 saved by 2; 24 to 32 killed, 0 saved by 0",
      struck_at(24, { walltime = 25 }))
    assert.equal("0 to 41 failed, 0 saved by 3; 41 to 82 completed, 35 saved by 3",
      by_hand { failures = { 1 } })
  end)

  local function demanded(at, action, more)
    local spec = { on_start = function(sim) if sim:now() == 0 then sim:wake_at(at) end end,
      on_timer = function(sim) sim[action](sim, 1) end }
    for key, value in pairs(more or {}) do spec[key] = value end
    return by_hand(spec)
  end

  it("on demand are those of cases worked by hand", function()
    -- at 15 the first 13 s of work are saved by 17; then 22 are left, with 2 checkpoints
    assert.equal("0 to 43 completed, 35 saved by 4", demanded(15, "checkpoint"))
    assert.equal("0 to 17 preempted, 13 saved by 2; 17 to 46 completed, 35 saved by 2",
      demanded(15, "preempt"))
    -- the one under way; nothing new; while it recovers
    assert.equal("0 to 41 completed, 35 saved by 3", demanded(11, "checkpoint"))
    assert.equal("0 to 12 preempted, 10 saved by 1; 12 to 44 completed, 35 saved by 2",
      demanded(11, "preempt"))
    assert.equal("0 to 12 preempted, 10 saved by 1; 12 to 44 completed, 35 saved by 2",
      demanded(12, "preempt"))
    assert.equal("0 to 12 node_failure, 10 saved by 1; 12 to 13 preempted, 10 saved by 0; "
      .. "13 to 45 completed, 35 saved by 2", demanded(13, "preempt",
      { outages = { { time = 12, repaired = 12, first = 0, count = 1 } } }))
    -- struck while it writes: 10 stay saved
    assert.equal("0 to 16 node_failure, 10 saved by 1; 16 to 48 completed, 35 saved by 2",
      demanded(15, "preempt", { outages = { { time = 16, repaired = 16, first = 0, count = 1 } } }))
  end)

  it("before a kill, a drain or a window are those of cases worked by hand", function()
    local BEFORE = { kill = 1, drain = 2, window = 4 }
    -- killed at 29; at 27 there are 3 s behind the checkpoint of 24
    assert.equal("0 to 29 killed, 0 saved by 3", by_hand { walltime = 25, before = BEFORE.kill })
    assert.equal("0 to 29 killed, 20 saved by 2; 29 to 49 completed, 35 saved by 1",
      by_hand { walltime = 25, requeue_killed = true })
    assert.equal("0 to 29 killed, 23 saved by 3; 29 to 46 completed, 35 saved by 1",
      by_hand { walltime = 25, requeue_killed = true, before = BEFORE.kill })
    -- 8 s, 7 s of work behind a recovery, and so on; without any the job does not get on
    assert.equal("0 to 10 killed, 8 saved by 1; 10 to 23 killed, 16 saved by 1; "
      .. "23 to 36 killed, 24 saved by 1; 36 to 49 killed, 32 saved by 1; "
      .. "49 to 55 completed, 35 saved by 0",
      by_hand { walltime = 10, no_period = true, requeue_killed = true, before = BEFORE.kill })
    assert.equal("0 to 10 killed, 0 saved by 0",
      by_hand { walltime = 10, no_period = true, requeue_killed = true })
    -- 2 s are just what a checkpoint takes: there is nothing to write yet
    assert.equal("0 to 2 killed, 0 saved by 0",
      by_hand { walltime = 2, requeue_killed = true, before = BEFORE.kill })

    local function closed(window, before)
      window.first, window.count = 0, 4
      local function dispatch(sim)
        for _, j in ipairs(sim:waiting(1)) do
          if sim:free(1) >= 2 then sim:start(j) end
        end
      end
      return by_hand { windows = { window }, before = before,
        groups = { { procs = 4, discipline = "custom", dispatch = dispatch } } }
    end
    local lost = "0 to 30 node_failure, 20 saved by 2; 32 to 52 completed, 35 saved by 1"
    local saved = "0 to 30 node_failure, 24 saved by 3; 32 to 48 completed, 35 saved by 1"
    assert.equal(lost, closed({ from = 30, to = 32 }, BEFORE.drain + BEFORE.kill))
    assert.equal(saved, closed({ from = 30, to = 32 }, BEFORE.window))
    assert.equal(lost, closed({ from = 30, to = 32, drains = true }, BEFORE.window))
    assert.equal(saved, closed({ from = 30, to = 32, drains = true }, BEFORE.drain))
    -- the one under way; no time for any; the job is done by then
    assert.equal("0 to 24.5 node_failure, 20 saved by 2; 26 to 46 completed, 35 saved by 1",
      closed({ from = 24.5, to = 26 }, BEFORE.window))
    assert.equal("0 to 1 node_failure, 0 saved by 0; 2 to 43 completed, 35 saved by 3",
      closed({ from = 1, to = 2 }, BEFORE.window))
    assert.equal("0 to 41 completed, 35 saved by 3", closed({ from = 41, to = 50 }, BEFORE.window))
  end)

  it("are those of a warning, by hand", function()
    local function warned(lead, action)
      return struck_at(15, { lead = lead, on_warning = function(sim, first, count, at)
        assert.same({ 0, 1, 15 }, { first, count, at })
        for _, j in ipairs(sim:running_on(first, count)) do sim[action](sim, j) end
      end })
    end
    -- at 12 the first 10 are just saved; at 13, 11, by 15; at 14 there is no time for it
    assert.equal("0 to 15 node_failure, 10 saved by 1; 15 to 47 completed, 35 saved by 2",
      warned(3, "checkpoint"))
    assert.equal("0 to 15 node_failure, 11 saved by 2; 15 to 46 completed, 35 saved by 2",
      warned(2, "checkpoint"))
    assert.equal("0 to 15 node_failure, 10 saved by 1; 15 to 47 completed, 35 saved by 2",
      warned(1, "checkpoint"))
    assert.equal("0 to 14 preempted, 10 saved by 1; 14 to 15 node_failure, 10 saved by 0; "
      .. "15 to 47 completed, 35 saved by 2", warned(1, "requeue"))
  end)

  it("are those of the reference where policies act on warnings", function()
    local seen = { checkpoints = 0, saved = 0, requeued = 0 }
    for seed = 1, INSTANCES do
      compare(seed, { checkpoints = true, warnings = true, acts = ACTS, budget = 12 }, seen)
    end
    for _, name in ipairs { "completed", "failed", "killed", "preempted", "cancelled",
      "node_failure", "checkpoints", "saved" } do
      assert.is_true(seen[name] > INSTANCES / 20, name .. " " .. seen[name])
    end
  end)

  it("are those of the reference", function()
    local seen = { checkpoints = 0, saved = 0, requeued = 0, kill = 0, drain = 0, window = 0 }
    for seed = 1, INSTANCES do
      compare(seed, { checkpoints = true, before = seed % 3 > 0, windows = seed % 2 == 0,
        acts = ACTS, budget = 12, custom = seed % 4 == 2 and "often" or nil,
        drains = seed % 5 < 2, warnings = seed % 7 < 2 }, seen)
    end
    for _, name in ipairs { "completed", "failed", "killed", "preempted", "cancelled",
      "node_failure", "checkpoints", "saved", "requeued", "kill" } do
      assert.is_true(seen[name] > INSTANCES / 20, name .. " " .. seen[name])
    end
    assert.is_true(seen.drain + seen.window > INSTANCES / 200, seen.drain .. " and " .. seen.window)
  end)
end)

describe("a simulation with checkpoints", function()
  -- Also between events: inside of work, of checkpoints and of recoveries.
  local function some_time(rng, sim, most)
    for _ = 1, rng:integer(0, most) do
      local now, at = sim:now(), sim:next_event()
      if rng:integer(0, 1) == 1 and now > -math.huge and at > now and at < math.huge then
        sim:run_until(now + (at - now) * rng:uniform(0, 1))
      else
        sim:step()
      end
    end
  end

  it("copied or transplanted at any time has the same future, as without short ways", function()
    local saved, seeds = 0, rounds(1200)
    for seed = 1, seeds do
      local spec, rng = events.drawn(seed, { checkpoints = true, acts = ACTS, before = true,
        windows = seed % 4 < 2, warnings = seed % 2 == 0 })
      local sim = events.simulation(spec)
      some_time(rng, sim, 20)
      local copy, other = sim:copy(), sim:transplant()
      assert.same(sim:look(), other:look())
      some_time(rng, other, 4)
      local second = other:transplant()
      local metrics = sim:finish()
      local attempts = sim:attempts()
      for _, each in ipairs { copy, other, second } do
        assert.same(metrics, each:finish())
        assert.same(attempts, each:attempts())
        assert.is_true(each:check())
        each:destroy()
      end
      sim:reset(1)
      assert.same(metrics, sim:finish())
      assert.same(attempts, sim:attempts())
      sim:destroy()
      spec.plain = true
      local plain = events.simulation(spec)
      assert.same(metrics, plain:finish())
      assert.same(attempts, plain:attempts())
      plain:destroy()
      for _, a in ipairs(attempts) do
        saved = saved + (a.outcome ~= "completed" and a.saved > 0 and 1 or 0)
      end
    end
    assert.is_true(saved > 5 / 3 * seeds, saved)
  end)
end)
