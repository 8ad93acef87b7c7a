-- Groups, events, actions and outages, held against a naive reference.
local events = require "spec.support.events"
local rounds = require "spec.support.rounds"

local function compare(seed, options)
  local mine, other = events.twice(seed, options)
  local expected = events.naive(other)
  local sim = events.simulation(mine)
  local ok, metrics = pcall(sim.finish, sim)
  local problem = not ok and metrics
  if ok then
    local fine, objection = sim:check()
    problem = events.difference(sim:attempts(), expected.history) or not fine and objection
  end
  if not problem then
    local t = expected.totals
    local expects = { preempted = t.preempted, redirected = t.redirected,
      node_failures = t.node_failure, starts = #expected.history }
    for name, count in pairs(expects) do
      if metrics[name] ~= count then
        problem = ("%s: found %g, expected %d"):format(name, metrics[name], count)
      end
    end
  end
  if problem then
    error(("seed %d: %s\n%s"):format(seed, problem, events.describe(other)), 2)
  end
  sim:destroy()
  return expected
end

describe("a simulation with groups and events", function()
  it("is that of the reference", function()
    local seen = { preempted = 0, cancelled = 0, node_failure = 0, redirected = 0 }
    local seeds = rounds(1500, 1500, 200)
    for seed = 1, seeds do
      local totals = compare(seed).totals
      for name in pairs(seen) do seen[name] = seen[name] + totals[name] end
    end
    for name, count in pairs(seen) do assert.is_true(count > seeds / 15, name .. " " .. count) end
  end)

  it("is the same in the plain event loop, without a recording, and once more", function()
    for seed = 1, rounds(300, 300, 60) do
      local function run(change)
        local spec = events.twice(seed, { budget = 6 })
        change(spec)
        local sim = events.simulation(spec)
        return sim, sim:finish()
      end
      local sim, expected = run(function() end)
      local plain, found = run(function(spec) spec.plain = true end)
      assert.same(events.lines(sim:attempts()), events.lines(plain:attempts()))
      assert.same(expected, found)
      assert.same(expected, (select(2, run(function(spec) spec.record = false end))))
      local measured = sim:measure()
      for name, value in pairs(expected) do -- sums in another order
        local near = math.abs(measured[name] - value) <= 1e-9 * (1 + math.abs(value))
        assert.is_true(name == "redirected" or near, name)
      end
      sim:destroy()
      plain:destroy()
    end
  end)
end)

local function drawn_spec(seed) return events.drawn(seed, { fair = true }) end

describe("a copy of it", function()
  it("has the same future from any instant on, and leaves the original alone", function()
    local interrupted = 0
    for seed = 1, rounds(500, 500, 100) do
      local spec, rng = drawn_spec(seed)
      local sim = events.simulation(spec)
      for _ = 1, rng:integer(0, 12) do sim:step() end
      local before = events.lines(sim:attempts())
      local copy = sim:copy()
      assert.same(sim:look(), copy:look())
      for group = 1, #spec.groups do
        assert.same(sim:waiting(group), copy:waiting(group))
        assert.same(sim:running(group), copy:running(group))
        assert.same(sim:look_group(group), copy:look_group(group))
      end
      for _ = 1, rng:integer(0, 4) do copy:step() end
      local second = copy:copy()
      local metrics = second:finish()
      assert.same(before, events.lines(sim:attempts()))
      assert.same(metrics, sim:finish())
      assert.same(metrics, copy:finish())
      local lines = events.lines(sim:attempts())
      assert.same(lines, events.lines(copy:attempts()))
      assert.same(lines, events.lines(second:attempts()))
      assert.is_true(second:check())
      interrupted = interrupted + metrics.preempted + metrics.node_failures
      sim:reset(1) -- and from the beginning
      assert.same(metrics, sim:finish())
      assert.same(lines, events.lines(sim:attempts()))
      for _, each in ipairs { sim, copy, second } do each:destroy() end
    end
    assert.is_true(interrupted > 300)
  end)

  it("and the simulation itself fail cleanly wherever memory ends", function()
    for seed = 1, 12 do
      local allowed = 0
      repeat
        local spec = drawn_spec(seed)
        spec.allowed = allowed
        local ok, sim = pcall(events.simulation, spec)
        local message = sim
        if ok then
          ok, message = pcall(function()
            for _ = 1, 4 do sim:step() end
            local copy = sim:copy()
            copy:finish()
            copy:destroy()
            sim:finish()
          end)
        end
        if not ok then assert.is_truthy(tostring(message):find("memory", 1, true), message) end
        collectgarbage()
        allowed = allowed + 1
      until ok
      assert.is_true(allowed > 20)
    end
  end)
end)
