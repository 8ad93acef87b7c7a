-- A newcomer with a dump of a Slurm cluster whose GPUs, memory and partitions made jobs wait: what
-- is said of it has no wrong number, and says that the simulation does not explain the waits.
local dump = require "spec.support.slurm_dump"
local orrery = require "orrery"
local program = require "spec.support.program"

describe("a dump of a cluster with partitions, arrays, GPUs, steps and holds", function()
  local path = os.tmpname()
  local jobs, truth = dump.write(path, 1200, 7)

  it("is scheduled within its limits, and GPUs are what jobs wait for", function()
    local waits = {}
    for name, pool in pairs(dump.PARTITIONS) do
      local events, used = {}, { 0, 0, 0 }
      for _, job in ipairs(jobs) do
        if job.partition == name then
          events[#events + 1] = { job.start, 1, job }
          events[#events + 1] = { job.start + job.runtime, -1, job }
          assert.is_true(job.start >= job.eligible and job.runtime <= 60 * job.minutes)
          waits[name] = (waits[name] or 0) + job.start - job.eligible
        end
      end
      table.sort(events, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end)
      for _, event in ipairs(events) do
        for i, what in ipairs { "procs", "memory", "gpus" } do
          used[i] = used[i] + event[2] * event[3][what]
          assert.is_true(used[i] <= pool[i])
        end
      end
    end
    assert.is_true(waits.gpu > 5 * waits.cpu)
  end)

  it("is read as it is: jobs, elements of arrays, waits from Eligible or Submit, no steps",
    function()
      local log = orrery.read(path)
      assert.equal(truth.jobs, #log)
      local sum, raw = 0, {}
      for _, job in log:each() do
        sum = sum + job.wait
        raw[job.id] = true
      end
      assert.equal(truth.wait, sum)
      for _, job in ipairs(jobs) do assert.is_true(raw[tostring(job.raw)]) end
      sum = 0
      for _, job in orrery.read(path, { submitted = "submit" }):each() do sum = sum + job.wait end
      assert.equal(truth.from_submit, sum)
      local reasons = {}
      for _, one in ipairs(log:describe().dropped) do reasons[one.reason] = one.records end
      assert.same({ ["part of a job that has a record of its own"] = truth.steps,
        ["cancelled before it ran"] = 1, ["not over when the log was written"] = 1 }, reasons)
      assert.is_true(truth.elements > 100 and truth.held > 50)
    end)

  it("gets a verdict and its reasons from every command of README", function()
    local _, out = program.run(".", "log " .. path .. " --procs 768")
    local function has(text) assert.matches(text, out, 1, true) end
    has(("%d jobs of 12 users"):format(truth.jobs))
    has(("note: %d x eligible later than submitted"):format(truth.held))
    has(("note: not modelled: gres/gpu (%d jobs, 32 in use at once), memory (all jobs), "
      .. "nodes (all jobs, "):format(truth.gpus))
    has "in use at once); labels that only policies read: 2 partitions"
    has "fidelity of easy: the waits of this log come from another policy, or from something that "
    has ", by when jobs could start"
    _, out = program.run(".", "replay " .. path .. " --procs 768 --walltimes log --policy recorded "
      .. "--policy easy --timezone Europe/Berlin")
    has(("wait, mean              %.2f min     0 min"):format(truth.wait / truth.jobs / 60))
    has "0 s as simulated; 0% of the recorded waiting explained"
    has(("%d records of the log were left out: %d x part"):format(truth.steps + 2, truth.steps))
    local r = orrery.compare { jobs = orrery.read(path), procs = 768, walltimes = "log",
      policies = { "easy" } }
    assert.equal("not", r:fidelity().verdict)
    -- GPUs and memory as pools explain it; in the partition without GPUs every wait is the dump's.
    r = orrery.compare { jobs = path, procs = 768, walltimes = "log", policies = { "easy" },
      pools = { gpu = 32, mem = "3T" } }
    assert.equal("explains", r:fidelity().verdict)
    _, out = program.run(".", "replay " .. path .. " --rows Partition=cpu --procs 512 --walltimes "
      .. "log --policy easy --pool mem=2T")
    has "100% of the recorded waiting explained; rank correlation of waits 1.00"
    os.remove(path)
  end)
end)
