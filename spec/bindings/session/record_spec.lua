-- What the record of a run costs, and that it needs nothing of its workload but what it holds.
local orrery = require "orrery"
local program = require "spec.support.program"

-- A sanitizer's runtime has memory of its own.
local it_plain = (os.getenv "ASAN_OPTIONS" or os.getenv "TSAN_OPTIONS") and function() end or it

describe("the record of a session", function()
  local folder
  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  -- 201 bytes before attempts were packed, their array had its size at once, and submissions were
  -- those of the workload. Beside the record there are the state of the simulation and the checker.
  it_plain("takes at most 170 bytes of memory for each job, checked and written", function()
    program.write(folder, "most.lua", [[
      local function peak()
        return tonumber(io.open "/proc/self/status":read "a":match "VmHWM:%s+(%d+)")
      end
      local jobs = orrery.lublin { procs = 1000, count = 200000, load = 0.8, seed = 1 }
      local before = peak()
      local s = orrery.session { jobs = jobs, procs = 1000, policy = "easy" }
      s:finish()
      assert(s:check())
      s:write_schedule "x.csv"
      print((peak() - before) * 1024 / #jobs)]])
    local status, text, err = program.run(folder, "most.lua")
    assert.same({ 0, "" }, { status, err })
    assert.is_true(tonumber(text) < 170, text)
  end)

  it("outlives the workload that the caller has forgotten, also in forks with more jobs", function()
    local function outcome(forget)
      local jobs = orrery.lublin { procs = 64, count = 300, load = 0.9, seed = 3 }
      local s = orrery.session { jobs = jobs, procs = 64, policy = "easy" }
      s:run_until(5000)
      local fork = s:fork { submit = { procs = 1, time = 60 } }
      fork:submit { id = "new", procs = 64, time = 5 }
      if forget then
        jobs, s = nil, nil -- luacheck: ignore
        collectgarbage()
        collectgarbage()
      end
      fork:finish()
      assert(fork:check())
      return fork:write_schedule()
    end
    assert.equal(outcome(false), outcome(true))
  end)
end)
