-- The Standard Workload Format as it is written: logs, and schedules of one line per job.
local native = require "native_workload"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local path
before_each(function() path = os.tmpname() end)
after_each(function() os.remove(path) end)

local function read(text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  return orrery.read(path)
end

-- The lines of jobs, without the header.
local function lines(text)
  return (text:gsub(";[^\n]*\n", ""))
end

describe("a log in SWF", function()
  it("is written in order of submission, worked by hand", function()
    local jobs = orrery.jobs {
      { id = 7, procs = 4, time = 10.5, submit = 30, walltime = 60, user = 3,
        status = "completed" },
      { id = 9, procs = 2, time = 0, submit = 20, queue = "12", status = "timeout" },
      { id = 8, procs = 1, time = 5, submit = 20, partition = 0, status = "cancelled" },
    }
    assert.equal(([[
; Version: 2.2
; Conversion: orrery %s
; MaxJobs: 3
; MaxRecords: 3
9 20 -1 0 2 -1 -1 2 -1 -1 0 -1 -1 -1 12 -1 -1 -1
8 20 -1 5 1 -1 -1 1 -1 -1 5 -1 -1 -1 -1 0 -1 -1
7 30 -1 10.5 4 -1 -1 4 60 -1 1 3 -1 -1 -1 -1 -1 -1
]]):format(orrery.version), jobs:csv "swf")
  end)

  it("numbers what has names, and says which is which", function()
    local jobs = orrery.jobs {
      { id = "a", procs = 1, time = 1, user = "bob", queue = "5" },
      { id = "2", procs = 1, time = 1, user = "ann", queue = "05" },
      { id = "3", procs = 1, time = 1, user = "bob", partition = "big\nbox" },
    }
    assert.equal(([[
; Version: 2.2
; Conversion: orrery %s
; Note: job numbers are the positions of the jobs in the log
; MaxJobs: 3
; MaxRecords: 3
; User: 1 bob
; User: 2 ann
; Queue: 1 5
; Queue: 2 05
; Partition: 1 big
1 0 -1 1 1 -1 -1 1 -1 -1 -1 1 -1 -1 1 -1 -1 -1
2 0 -1 1 1 -1 -1 1 -1 -1 -1 2 -1 -1 2 -1 -1 -1
3 0 -1 1 1 -1 -1 1 -1 -1 -1 1 -1 -1 -1 1 -1 -1
]]):format(orrery.version), jobs:csv "swf")
  end)

  it("is read back as it was", function()
    local rng = orrery.random(5)
    for _ = 1, rounds(60, 60, 20) do
      local list, submit = {}, 0
      for i = 1, rng:integer(1, 40) do
        submit = submit + (rng:integer(0, 1) == 0 and 0 or rng:uniform(0, 1e4))
        list[i] = { id = i * 3, procs = rng:integer(1, 2147483647),
          time = rng:uniform(0, 1) ^ 9 * 1e8, submit = submit,
          walltime = rng:integer(0, 1) == 0 and rng:uniform(0, 1e5) or nil,
          user = rng:integer(0, 3) > 0 and rng:integer(0, 99) or nil,
          queue = rng:integer(0, 1) == 0 and rng:integer(0, 9) or nil,
          status = ({ "completed", "failed", "cancelled" })[rng:integer(1, 6)] }
      end
      local jobs = orrery.jobs(list)
      jobs:to_csv("swf", path)
      local again = orrery.read(path)
      assert.equal(#jobs, #again)
      for i, job in jobs:each() do assert.same(job, again[i]) end
      assert.equal(jobs:csv "swf", again:csv "swf")
    end
  end)

  it("keeps machine, calendar and waits", function()
    local log = read("; MaxProcs: 77\n; UnixStartTime: 1027839845.25\n"
      .. "5 1 12.5 3 4 -1 -1 4 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
      .. "6 2 -1 3 4 -1 -1 4 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n")
    local text = log:csv "swf"
    assert.matches("; UnixStartTime: 1027839845.25\n; MaxProcs: 77\n5 1 12.5 3 .*\n6 2 %-1 3 ",
      text)
    assert.equal(text, read(text):csv "swf")
    local month = orrery.mira_month { count = 50, days = 1, per_day = { 50, 50 } }
    local again = read(month:csv "swf")
    assert.equal(month.origin, again.origin)
    assert.equal(49152, again.machine_procs)
  end)
end)

describe("memory that runs out", function()
  it("is an error, and everything is given back, also by weeks", function()
    for _, name in ipairs { "small.swf", "sacct.txt", "plain.csv" } do
      local log = "spec/fixtures/workload/" .. name
      local whole, left, calls = native.write_failing(log, 0)
      assert.same({ nil, 0 }, { whole, left })
      assert.is_true(calls > 4)
      for n = 1, calls do
        local message, bytes = native.write_failing(log, n)
        assert.matches("memory", message)
        assert.equal(0, bytes)
      end
    end
  end)
end)

describe("a schedule in SWF", function()
  local function session(spec)
    local s = orrery.session(spec)
    return s
  end

  it("has a line for every job, also for those that are not over", function()
    -- 2 processors, greedy: A 0-10 on one, B 0-4 and, after its failure, 4-8; C from 8 on; D waits.
    local s = session {
      jobs = orrery.jobs {
        { id = 1, procs = 1, time = 10 }, { id = 2, procs = 1, time = 4, user = 6 },
        { id = 3, procs = 1, time = 20, submit = 1 }, { id = 4, procs = 2, time = 1, submit = 2 },
      },
      procs = 2, policy = "dispatch/greedy", failures = { 0, 1, 0, 0 },
    }
    s:run_until(9)
    s:write_schedule(path .. ".swf")
    local file = assert(io.open(path .. ".swf"))
    local text = file:read "a"
    file:close()
    assert.equal("1 0 -1 -1 -1 -1 -1 1 10 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
      .. "2 0 4 4 1 -1 -1 1 4 -1 1 6 -1 -1 -1 -1 -1 -1\n"
      .. "3 1 -1 -1 -1 -1 -1 1 20 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
      .. "4 2 -1 -1 -1 -1 -1 2 1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n", lines(text))
    assert.matches("; Note: simulated under the policy dispatch/greedy\n", text, 1, true)
    s:finish()
    s:write_schedule(path .. ".swf")
    local again = orrery.read(path .. ".swf")
    os.remove(path .. ".swf")
    assert.equal(4, #again)
    assert.equal(2, again.machine_procs)
    local weeks = again:weeks { hours = 1 }
    assert.near((10 + 4 + 20 + 2) / 7200, weeks[1].utilisation, 1e-12)
  end)

  it("is read back as the log that was simulated, with waits", function()
    local rng = orrery.random(12)
    for _ = 1, 30 do
      local list, submit = {}, 0
      for i = 1, 25 do
        submit = submit + rng:uniform(0, 50)
        list[i] = { id = i, procs = rng:integer(1, 8), time = rng:uniform(0, 100), submit = submit,
          user = rng:integer(1, 3) }
        list[i].walltime = list[i].time -- what the scheduler knows
      end
      local s = session { jobs = orrery.jobs(list), procs = 8, policy = "dispatch/easy" }
      s:finish()
      s:write_schedule(path .. ".swf")
      local again = orrery.read(path .. ".swf")
      os.remove(path .. ".swf")
      local jobs, starts = s.jobs, {}
      for _, attempt in ipairs(s:schedule()) do starts[attempt.position] = attempt.start end
      assert.equal(#jobs, #again)
      for i, job in jobs:each() do
        job.status, job.wait = "completed", starts[i] - job.submit
        assert.same(job, again[i])
      end
      for id, sub, wait in lines(again:csv "swf"):gmatch "(%d+) (%S+) (%S+) [^\n]*\n" do
        assert.equal(starts[tonumber(id)] - tonumber(sub), tonumber(wait))
      end
    end
  end)
end)
