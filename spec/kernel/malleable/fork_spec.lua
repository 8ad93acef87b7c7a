-- A copied run has the same future; a run in pieces is the run at once.
local orrery = require "orrery"
local packs = require "spec.support.packs"
local runs = require "spec.support.pack_runs"
local rounds = require "spec.support.rounds"

local snapshot, random_spec, some_steps = runs.snapshot, runs.random_spec, runs.some_steps
local moody, holds, LAWS = runs.moody, runs.holds, runs.laws

describe("a fork", function()
  it("has the same future, bit for bit, and does not touch the original", function()
    local rng = orrery.random(121)
    local moved, count = 0, rounds(120, 120, 40)
    for _ = 1, count do
      local original = orrery.session(random_spec(rng))
      if rng:integer(1, 2) == 1 then
        some_steps(rng, original)
      else
        original:run_until(rng:uniform(0, 1.2) * original.expected)
      end
      holds(original)
      local fork = original:fork()
      assert.equal(snapshot(original), snapshot(fork))
      some_steps(rng, fork)
      holds(fork)
      local second, before = fork:fork(), snapshot(original)
      fork:finish()
      assert.equal(before, snapshot(original))
      second:finish()
      original:finish()
      holds(fork)
      assert.equal(snapshot(original), snapshot(fork))
      assert.equal(snapshot(original), snapshot(second))
      moved = moved + original:measure().moves
    end
    assert.is_true(moved > 5 / 3 * count)
  end)

  it("lives on when the original is gone", function()
    local rng = orrery.random(122)
    for _ = 1, 10 do
      local spec = random_spec(rng)
      local original = orrery.session(spec)
      original:step()
      local fork = original:fork()
      original:finish()
      local expected = snapshot(original)
      original, spec = nil, nil -- luacheck: ignore
      collectgarbage()
      collectgarbage()
      fork:finish()
      assert.equal(expected, snapshot(fork))
    end
  end)
end)

describe("a run", function()
  it("in pieces is the run at once, and the same again", function()
    local rng = orrery.random(123)
    for _ = 1, rounds(60, 60, 20) do
      local spec = random_spec(rng)
      local whole, pieces, steps = orrery.session(spec), orrery.session(spec), orrery.session(spec)
      local stride, time = whole.expected / rng:integer(2, 12), 0
      whole:finish()
      for _ = 1, 40 do
        time = time + rng:uniform(0, stride)
        pieces:run_until(time)
        assert.is_true(pieces.now >= math.min(time, pieces.now) and pieces.next_event > time)
        holds(pieces)
      end
      while steps:step() do holds(steps) end
      assert.equal(snapshot(whole), snapshot(steps))
      pieces:finish()
      assert.equal(snapshot(whole), snapshot(pieces))
    end
  end)

  it("goes through instants in order, and stands at its makespan when it is over", function()
    local rng = orrery.random(124)
    for _ = 1, rounds(60, 60, 20) do
      local session = orrery.session(random_spec(rng))
      local before = -1
      while session:step() do
        assert.is_true(session.now > before)
        before = session.now
      end
      assert.is_true(session.now > before)
      assert.equal(math.huge, session.next_event)
      assert.equal(session:measure().makespan, math.max(table.unpack(session:ends())))
      local last = snapshot(session)
      assert.is_false(session:step())
      assert.equal(last, snapshot(session))
    end
  end)
end)

describe("a comparison", function()
  local function run(threads, policies, more)
    local spec = {
      tasks = { n = 6, m = { 1e5, 3e5 } }, procs = 31, runs = 15, seed = 5, threads = threads,
      faults = { mtbf_years = 0.5, downtime = 600 }, policies = policies, fault_free = true,
    }
    for key, value in pairs(more or {}) do spec[key] = value end
    return orrery.compare(spec)
  end

  it("gives the same bits for 1, 2 and 7 threads", function()
    local list = { moody(), table.unpack(packs.policies) }
    local function text(threads, more)
      local result = run(threads, list, more)
      local lines = { result:csv(), result:ends_csv() }
      for _, name in ipairs { "normalised", "baseline", "fault_free", "useful", "lost", "idle" } do
        for p = 1, #list do
          for _, value in ipairs(result:values(p, name)) do
            lines[#lines + 1] = ("%a"):format(value)
          end
        end
      end
      return table.concat(lines, "\n")
    end
    local tasks = orrery.tasks.synthetic { n = 6, m = { 1e5, 3e5 } }
    for _, more in ipairs { {}, { tasks = tasks } } do
      local one = text(1, more)
      assert.is_true(one == text(2, more)) -- equal would print it all
      assert.is_true(one == text(7, more))
    end
  end)

  it("gives every policy the same faults, whatever it does", function()
    local idle = { name = "idle", on_end = function() end, on_fault = function() end }
    for _, law in ipairs(LAWS) do
      local faults = { mtbf_years = 0.5, law = law[1], shape = law[2] }
      local result = run(2, { "none", "end-greedy+iterated-greedy", idle }, { faults = faults })
      assert.same(result:values(1, "makespan"), result:values(3, "makespan"))
      assert.same(result:values(1, "faults"), result:values(3, "faults"))
      for p = 1, 3 do assert.same(result:values(1, "baseline"), result:values(p, "baseline")) end
      assert.same(result:values(1, "makespan"), result:values(1, "baseline"))
      -- and the same instants, as far as both runs go
      local spec = { tasks = { n = 6, m = { 1e5, 3e5 } }, procs = 31, seed = 5, faults = faults }
      local lists = {}
      for p, policy in ipairs { "none", "end-greedy+iterated-greedy" } do
        spec.policy = policy
        local session = orrery.session(spec)
        session:finish()
        lists[p] = session:faults()
      end
      local common = math.min(#lists[1], #lists[2])
      assert.is_true(common > 3)
      for i = 1, common do assert.same(lists[1][i], lists[2][i]) end
    end
  end)
end)
