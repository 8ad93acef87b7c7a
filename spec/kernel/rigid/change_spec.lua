-- Changes from outside, between two instants: what if?
local events = require "spec.support.events"

local orrery = require "orrery"


-- --- nothing is changed -------------------------------------------------------------------------

-- Hooks whose chance is drawn from the simulation's own generator.
local function drawn_spec(seed, options)
  local rng = orrery.random(seed)
  local choice = { custom = false, budget = math.huge }
  for key, value in pairs(options or {}) do choice[key] = value end
  local spec = events.random(rng, choice,
    function(sim) return { integer = function(_, low, high) return sim:random(low, high) end } end)
  if rng:integer(0, 3) == 0 then
    spec.outages = nil
    spec.nodes = { mtbf = 40, repair = 4, procs = 1, shape = 0.7,
      law = ({ "exponential", "weibull", "lognormal" })[rng:integer(1, 3)] }
  end
  return spec, rng
end

local function some_steps(rng, sim, most)
  for _ = 1, rng:integer(0, most) do sim:step() end
end

local function destroy(...)
  for _, sim in ipairs { ... } do sim:destroy() end
end

describe("a transplant without changes", function()
  it("has the future of a copy, with groups, hooks, plans and nodes that fail", function()
    local interrupted = 0
    for seed = 1, 400 do
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
    assert.is_true(interrupted > 200)
  end)

  it("also where nothing is recorded", function()
    for seed = 401, 500 do
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
  for i, attempt in ipairs(session:schedule()) do
    list[i] = ("%s#%d %g-%g %s"):format(attempt.position, attempt.attempt, attempt.start,
      attempt.finish, attempt.outcome)
  end
  return list
end

-- The session of the C part, which takes changes that are in its own terms.
local function core_of(session)
  local _, inside = next(session)
  return inside.core
end

-- Four processors; job 2 fails once; 3 is wide; 4 comes later.
local function four(more)
  local spec = {
    jobs = orrery.jobs { { procs = 2, time = 10 }, { procs = 2, time = 5 },
      { procs = 4, time = 3, submit = 1 }, { procs = 1, time = 7, submit = 20 } },
    procs = 4, policy = "dispatch/easy", failures = { 0, 1, 0, 0 },
  }
  for key, value in pairs(more or {}) do spec[key] = value end
  return core_of(orrery.session(spec))
end

local function finish(session)
  local metrics = session:finish()
  assert.is_true(session:check())
  for name, value in pairs(session:measure()) do
    assert.is_true(math.abs(metrics[name] - value) <= 1e-9 * (1 + math.abs(value)), name)
  end
  return metrics
end

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
    assert.same({ "1#1 0-2 cancelled", "2#1 0-5 failed", "2#2 5-10 completed" }, positions(s))
    assert.equal(10, m.makespan)
    assert.equal(3, m.killed)
    assert.equal(1, m.failures)
    assert.equal((2 * 2 + 10 * 2) / 40, m.utilisation)
    assert.equal(2 * 2 + 5 * 2, m.work_lost)
    assert.equal(10, m.lower_bound) -- job 2 twice
    assert.equal(5 / 2, m.wait_mean) -- of jobs 1 and 2
  end)
end)
