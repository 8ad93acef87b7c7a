-- orrery.reproduce.policies.streams: streams of weeks of a log that are drawn anew.
local orrery = require "orrery"
local program = require "spec.support.program"
local streams = dofile "scripts/reproduce/policies/streams.lua"

local WEEK = 7 * 86400

describe("a stream of resampled weeks", function()
  local folder, path

  -- Two jobs in the first week, which use 1 of 16 processors each for half of it, and one in the
  -- second; the third is not drawn from.
  setup(function()
    folder = program.folder()
    path = folder .. "/log.csv"
    orrery.jobs({ { submit = 0, runtime = WEEK / 2, walltime = WEEK, procs = 1, user = "ann" },
      { submit = 3600, runtime = WEEK / 2, walltime = WEEK, procs = 1, user = "bob" },
      { submit = WEEK + 10, runtime = WEEK, walltime = WEEK, procs = 3 },
      { submit = 2 * WEEK, runtime = 5, procs = 16 } }):to_csv("plain", path)
  end)

  teardown(function() program.remove(folder) end)

  local function stream(seed, more)
    local given = { path = path, procs = 16, first = 1, last = 2, days = 70, seed = seed }
    for name, value in pairs(more or {}) do given[name] = value end
    return streams.resampled(given)
  end

  it("has whole weeks of the log, at their times of the week", function()
    local seen = { 0, 0 }
    for seed = 1, 5 do
      local jobs, at = stream(seed), 1
      for week = 0, 9 do
        local job = jobs[at]
        if job.procs == 1 then
          seen[1] = seen[1] + 1
          assert.same({ week * WEEK, "ann", WEEK / 2 }, { job.submit, job.user, job.runtime })
          assert.same({ week * WEEK + 3600, "bob", WEEK },
            { jobs[at + 1].submit, jobs[at + 1].user, jobs[at + 1].walltime })
          at = at + 2
        else
          seen[2] = seen[2] + 1
          assert.same({ week * WEEK + 10, 3 }, { job.submit, job.procs })
          at = at + 1
        end
      end
      assert.equal(at, #jobs + 1)
    end
    assert.is_true(seen[1] > 10 and seen[2] > 10)
  end)

  -- The mean of 1 and 3 processors of 16 is an eighth: at a half weeks pass four times as fast.
  it("has a load by letting time pass faster, and processors that count several times", function()
    local plain, faster = stream(3, { days = 280 }), stream(3, { load = 0.5, times = 5 / 2 })
    assert.equal(#plain, #faster)
    for i = 1, #plain do
      assert.near(plain[i].submit / 4, faster[i].submit, 1e-6)
      assert.equal(math.ceil(plain[i].procs * 5 / 2), faster[i].procs)
    end
  end)
end)
