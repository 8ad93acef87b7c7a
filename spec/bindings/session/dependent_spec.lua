-- Jobs that come after others: orrery.dependent, held against a naive scheduler that submits jobs
-- as others end, and what is read of it from logs.
local naive = require "spec.support.naive_conformance"
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"
local temporary = require "spec.support.temporary"

-- A line of SWF: the job that it comes after, and the think time.
local function line(job)
  local link = job.after and job.after[1] or { -1, -1 }
  return ("%s %d -1 %d %d -1 -1 %d %d -1 1 -1 -1 -1 -1 -1 %s %d\n"):format(job.id, job.submit,
    job.runtime, job.procs, job.procs, job.walltime, link[1], link[2] or -1)
end

local function log_of(list, procs)
  local lines = { ("; MaxProcs: %d\n"):format(procs) }
  for i, job in ipairs(list) do lines[i + 1] = line(job) end
  return table.concat(lines)
end

local function random_jobs(rng, procs)
  local list, t = {}, 0
  for i = 1, rng:integer(2, 14) do
    local runtime = rng:integer(1, 20)
    list[i] = { id = tostring(i), submit = t, procs = rng:integer(1, procs), runtime = runtime,
      walltime = math.max(1, runtime + rng:integer(-3, 20)) }
    if i > 1 and rng:integer(1, 2) == 1 then
      local think = rng:integer(-1, 9)
      list[i].after = { { tostring(rng:integer(1, i - 1)), think >= 0 and think or nil } }
    end
    t = t + rng:integer(0, 6)
  end
  return list
end

describe("jobs that come after others", function()
  it("are submitted when these have ended, as in a naive scheduler", function()
    local rng, moved = orrery.random(29), 0
    for _ = 1, rounds(200) do
      local procs = rng:integer(1, 8)
      local list = random_jobs(rng, procs)
      local jobs = temporary.file("F", log_of(list, procs), orrery.read, { dependencies = true })
      for _, policy in ipairs { "fcfs", "easy", "conservative" } do
        local spec = { jobs = jobs, walltimes = "log", policy = "dispatch/" .. policy }
        local dependent = orrery.dependent(spec)
        spec.jobs = dependent
        local session = orrery.session(spec)
        session:finish()
        assert.is_true(session:check())
        local expected = {}
        for _, start in ipairs(naive.run { jobs = list, procs = procs, policy = policy }) do
          expected[start.id] = start.start
        end
        for i = 1, #list do
          assert.equal(expected[list[i].id], session:job(i).start, policy)
          if dependent[i].submit ~= list[i].submit then moved = moved + 1 end
        end
      end
    end
    assert.is_true(moved > 50)
  end)

  -- By hand, on 4 processors: job 1 runs from 0 to 10. Job 2 is submitted 30 s behind its end, at
  -- 40, and runs to 45. Job 3 has no think time and waits for that end. Job 4 comes at 60, as the
  -- log says, when job 2 is long over.
  local HAND = {
    { id = "1", submit = 0, procs = 4, runtime = 10, walltime = 10 },
    { id = "2", submit = 1, procs = 2, runtime = 5, walltime = 5, after = { { "1", 30 } } },
    { id = "3", submit = 2, procs = 4, runtime = 7, walltime = 7, after = { { "2" } } },
    { id = "4", submit = 60, procs = 4, runtime = 7, walltime = 7, after = { { "2" } } },
  }

  it("are submitted so by hand", function()
    temporary.file("F", log_of(HAND, 4), function(path)
      local jobs = orrery.read(path, { dependencies = true })
      assert.same({ "1+30", "2", "2" }, { jobs[2].after, jobs[3].after, jobs[4].after })
      assert.is_nil(orrery.read(path)[2].after)
      local dependent, count = orrery.dependent { jobs = jobs, policy = "fcfs" }
      assert.equal(3, count)
      assert.same({ 0, 40, 45, 60 }, { dependent[1].submit, dependent[2].submit,
        dependent[3].submit, dependent[4].submit })
      assert.equal(4, dependent.machine_procs)
      assert.equal("1+30", jobs:filter(function(job) return job.id == "2" end)[1].after)
      local some = jobs:filter(function(job) return job.id ~= "1" end)
      assert.same({ 1, 6 }, { orrery.dependent({ jobs = some, policy = "fcfs" })[1].submit,
        orrery.dependent({ jobs = some, policy = "fcfs" })[2].submit })
      local status, out = program.run(".", "replay " .. path .. " --dependencies --policy fcfs")
      assert.equal(0, status)
      assert.matches("\nmakespan +67 s\n", out)
      assert.matches("\nnote: 3 jobs come after others\n", out, 1, true)
      local code, _, err = program.run(".", "replay " .. path
        .. " --dependencies --policy fcfs --policy easy")
      assert.equal(2, code)
      assert.matches("--dependencies gives every policy submissions of its own: give one --policy",
        err, 1, true)
    end)
  end)

  it("are refused in a circle, and beside options that move submissions", function()
    local circle = { { id = "1", submit = 0, procs = 1, runtime = 5, walltime = 5,
      after = { { "2", 1 } } }, { id = "2", submit = 0, procs = 1, runtime = 5, walltime = 5,
      after = { { "1", 1 } } } }
    local jobs = temporary.file("F", log_of(circle, 4), orrery.read, { dependencies = true })
    local function refused(spec, message)
      spec.jobs = jobs
      local ok, problem = pcall(orrery.dependent, spec)
      assert.is_false(ok)
      assert.equal(message, (problem:gsub("^[^ ]*spec.lua:%d+: ", "")))
    end
    refused({ policy = "fcfs" },
      "dependent: jobs come after each other in a circle: job '1' after itself")
    refused({ policy = "fcfs", batch = true },
      "dependent: jobs that come after others are not submitted by `batch` or `load`")
  end)

  it("are read from dumps of sacct, where its columns or the line of submission tell", function()
    local head = "JobIDRaw|Submit|Start|ElapsedRaw|NCPUS|State|%s\n"
    local row = "%d|2023-03-01T08:00:00|2023-03-01T08:00:00|60|1|COMPLETED|%s\n"
    local function after(column, text)
      return temporary.file("F", head:format(column) .. row:format(7, "") .. row:format(8, text),
        orrery.read, { dependencies = true })[2].after
    end
    assert.equal("7", after("Dependency", "afterok:7(unfulfilled)"))
    assert.equal("7 12_3", after("Dependency", "afterany:7:12_3"))
    assert.equal("7 9", after("SubmitLine", "sbatch -d afterok:7,afternotok:9 run.sh"))
    assert.equal("7", after("SubmitLine", "sbatch --dependency=aftercorr:7 sh -c 'a | b'"))
    assert.is_nil(after("SubmitLine", "sbatch --dependency=after:7 run.sh"))
    assert.is_nil(after("Dependency", "singleton"))
    assert.is_nil(after("Dependency", ""))
  end)
end)
