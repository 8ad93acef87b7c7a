-- A policy that does anything at all, legal and illegal, in all of its functions: what the manual
-- forbids is refused with a clear message and changes nothing, what it allows is done, and the
-- schedule is possible. ORRERY_DECISIONS=1000000: so many of them.
local events = require "spec.support.events"
local native = require "native_decisions"
local rounds = require "spec.support.rounds"

local decisions = tonumber(os.getenv "ORRERY_DECISIONS") or rounds(200000, 200000, 70000)

describe("random decisions about rigid jobs", function()
  it("are carried out where they are legal, and otherwise refused without a trace", function()
    local accepted, refused, runs = native.rigid(decisions, 1)
    for verb, count in pairs(accepted) do
      assert.is_true(count > decisions / 100, verb)
      assert.is_true(refused[verb] > decisions / 100, verb)
    end
    assert.is_true(runs > decisions / 500)
  end)
end)

-- Job 1 runs until 10; the dispatch function reserves the machine for job 2 at 10 and releases job
-- 3, whose priority is asked for at once and asks itself. Job 3 would end after 10.
describe("a question of a priority in the middle of a decision", function()
  it("does not make the decision forget its reservations", function()
    local fits, asked
    local sim
    sim = events.simulation {
      procs = 4, verification = 0,
      { procs = 2, time = 10, submit = 0 },
      { procs = 4, time = 5, submit = 1 },
      { procs = 2, time = 20, submit = 0 },
      groups = { {
        procs = 4, per = "attempt", discipline = "custom",
        priority = function(job, view)
          if job == 3 and view:now() == 1 then asked = view:earliest_start(1, 2, 20) end
          return 0
        end,
        dispatch = function(view)
          if view:now() == 0 then
            view:hold(3)
            view:start(1)
          elseif view:now() == 1 then
            if view:job(3).state == "held" then
              assert(view:reserve(2) == 10)
              view:release(3)
              fits = view:can_start(3)
            end
          else
            for _, job in ipairs(view:waiting()) do
              if view:job(job).state == "waiting" and view:can_start(job) then view:start(job) end
            end
          end
        end,
      } },
    }
    sim:finish()
    assert.equal(15, asked)
    assert.is_false(fits)
  end)
end)

-- The priority of a job that begins anew is an error, when the attempt that ran is over already.
describe("an action that fails halfway", function()
  local function run(action)
    local second
    local sim = events.simulation {
      procs = 4, verification = 0,
      { procs = 2, time = 10, submit = 0 },
      { procs = 2, time = 10, submit = 0 },
      groups = { {
        procs = 4, per = "attempt", discipline = "custom",
        priority = function(job, view)
          if view:job(job).attempts > 0 then error("no priority for job " .. job, 0) end
          return 0
        end,
        dispatch = function(view)
          for _, job in ipairs(view:waiting()) do view:start(job) end
        end,
      } },
      on_start = function(view, job)
        if job == 2 then
          assert(not pcall(view[action], view, 1, 1))
          second = select(2, pcall(view.start, view, 1))
        end
      end,
    }
    local _, message = pcall(sim.finish, sim)
    return second, message, sim
  end

  it("stops the run although the policy goes on", function()
    for _, action in ipairs { "requeue", "move" } do
      local second, message, sim = run(action)
      assert.equal("job 1 cannot be started: an action before it has failed halfway", second)
      assert.matches("no priority for job 1", message, 1, true)
      assert.is_false((pcall(sim.step, sim)))
    end
  end)

  it("is forgotten when the simulation begins again", function()
    local _, first, sim = run "requeue"
    sim:reset()
    local _, again = pcall(sim.finish, sim)
    assert.equal(first, again)
  end)
end)
