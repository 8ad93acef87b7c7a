-- A copied simulation has the same future, and a future of its own.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

-- Remembers, draws and looks around: nothing of that may be lost in a copy.
local function moody(per)
  return {
    name = "moody", per = per,
    init = function(sim) sim.state = { count = 0, seen = {}, nested = { list = { 1, 2 } } } end,
    priority = function(job, view)
      local state = view.state
      state.count = state.count + 1
      state.seen[job.position] = (state.seen[job.position] or 0) + 1
      return math.random() * state.seen[job.position] + job.time % 3
    end,
  }
end

local function moody_dispatch(sim)
  local state = sim.state
  state.nested.list[#state.nested.list + 1] = sim.now
  state.nested.list[1] = #state.nested.list
  for job in sim:waiting() do
    if job.procs <= sim.free and (sim.running_count == 0 or math.random(4) > 1) then
      sim:start(job)
    end
  end
end

local function random_policy(rng)
  local per = rigid.pick(rng, { "scenario", "attempt", "decision" })
  local policy = { dispatch = rigid.disciplines[rigid.pick(rng, rigid.names)] }
  if rng:integer(0, 2) == 0 then policy = { dispatch = moody_dispatch } end
  if rng:integer(0, 3) == 0 then
    policy.init = function(sim) sim.state = { nested = { list = {} } } end
    return policy, rigid.pick(rng, rigid.rules)
  end
  return policy, moody(per)
end

local function some_steps(rng, session)
  for _ = 1, rng:integer(0, 6) do session:step() end
end

local function snapshot(session)
  local parts = { session.now, session.next_event, session.free }
  for _, list in ipairs { session:waiting(), session:running(), session:schedule() } do
    for _, item in ipairs(list) do
      parts[#parts + 1] = ("%s %s %s %s"):format(item.position, item.attempts or item.attempt,
        item.start, item.finish)
    end
  end
  return table.concat(parts, "\n")
end

describe("a fork", function()
  it("has the same future as the original, and a fork of it, too", function()
    local rng = orrery.random(41)
    for _ = 1, rounds(400, 400, 34) do
      local instance = instances.random(rng)
      local policy, priority = random_policy(rng)
      if not policy.init and policy.dispatch == moody_dispatch then
        priority.init = moody "attempt".init
      end
      local original = orrery.session(rigid.spec(instance, {
        policy = policy, priority = priority,
      }))
      some_steps(rng, original)
      local fork = original:fork()
      assert.equal(snapshot(original), snapshot(fork))
      some_steps(rng, fork)
      local second = fork:fork()
      local before = snapshot(original)
      local metrics = fork:finish()
      assert.equal(before, snapshot(original)) -- a fork does not touch the original
      assert.same(metrics, second:finish())
      assert.same(metrics, original:finish())
      local difference = rigid.difference(fork:schedule(), original:schedule())
        or rigid.difference(second:schedule(), original:schedule())
      if difference then error(difference .. "\n" .. instances.describe(instance)) end
      for i, attempt in ipairs(fork:schedule()) do
        assert.equal(attempt.processors, original:schedule()[i].processors)
      end
      assert.is_true(fork:check())
      assert.is_true(original:check())
      assert.same(original:failures(), fork:failures())
    end
  end)

  it("works at any instant between events, and of a run that is over", function()
    local rng = orrery.random(42)
    for _ = 1, rounds(100, 100, 20) do
      local instance = instances.random(rng)
      local original = orrery.session(rigid.spec(instance, { policy = "dispatch/conservative" }))
      original:run_until(rng:uniform(0, 20))
      local fork = original:fork()
      assert.equal(original.now, fork.now)
      assert.same(original:finish(), fork:finish())
      assert.same(original:measure(), original:fork():measure())
    end
  end)

  it("lives on when the original is gone", function()
    local original = orrery.session(rigid.spec(instances.random(orrery.random(3)),
      { policy = "dispatch/easy", priority = moody "decision" }))
    original:step()
    local fork = original:fork()
    local expected = original:finish()
    original = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.same(expected, fork:finish())
  end)

  it("keeps sharing and cycles inside sim.state", function()
    local session = orrery.session {
      jobs = orrery.jobs { { procs = 1, time = 1 }, { procs = 1, time = 1 } }, procs = 1,
      policy = {
        dispatch = function(sim)
          local state = sim.state
          assert(state.a == state.b and state.a.self == state.a and state[state.a] == "key")
          local first = sim:waiting()()
          if sim.free > 0 then sim:start(first) end
        end,
        init = function(sim)
          local shared = {}
          shared.self = shared
          sim.state = { a = shared, b = shared, [shared] = "key", text = "x", flag = true }
        end,
      },
    }
    session:step()
    assert.equal(2, session:fork():fork():finish().makespan)
  end)

  local function refused(value, message)
    local session = orrery.session {
      jobs = orrery.jobs { { procs = 1, time = 1 } }, procs = 1,
      policy = {
        name = "keeper", init = function(sim) sim.state.kept = value(sim) end,
        dispatch = function(sim)
          for job in sim:waiting() do sim:start(job) end
        end,
      },
    }
    local ok, found = pcall(session.fork, session)
    assert.is_false(ok)
    assert.equal("policy keeper: sim.state: " .. message, found)
    assert.equal(1, session:finish().makespan) -- the original goes on
  end

  it("refuses a state that is not plain data", function()
    local only = "; only numbers, strings, booleans and tables of these can be copied with a "
      .. "simulation"
    refused(function() return function() end end, "holds a function" .. only)
    refused(function(sim) return sim end, "holds a sim" .. only)
    refused(function() return { { math.floor } } end, "holds a function" .. only)
    refused(function() return setmetatable({}, {}) end,
      "holds a table with a metatable; only plain tables can be copied with a simulation")
    refused(function()
      local deep = {}
      for _ = 1, 300 do deep = { deep } end
      return deep
    end, "is nested more than 200 tables deep")
  end)
end)
