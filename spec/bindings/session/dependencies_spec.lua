-- Jobs that come after others: held against a naive scheduler that submits jobs as others end, and
-- against logs with the submissions that came of it; and what is read of it from logs.
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

local function pick(rng, list) return list[rng:integer(1, #list)] end

local function read(list, procs)
  return temporary.file("F", log_of(list, procs), orrery.read, { dependencies = true })
end

-- The same jobs with the submissions of a session, and nothing to come after.
local function settled(list, session)
  local jobs = {}
  for i, job in ipairs(list) do
    jobs[i] = { id = job.id, submit = session:job(i).submit, procs = job.procs,
      runtime = job.runtime, walltime = job.walltime }
  end
  return orrery.jobs(jobs)
end

local function starts_of(session, count)
  local starts = {}
  for i = 1, count do starts[i] = session:job(i).start end
  return starts
end

local function finished(spec)
  local session = orrery.session(spec)
  session:finish()
  assert.is_true(session:check())
  return session
end

describe("jobs that come after others", function()
  -- By hand: the id 1 is used again at 100 s, for a job that ends at 150 s; job 2 comes after that
  -- one. Job 3 comes after the only job 4, which stands behind it and ends at 250 s.
  it("come after the latest job of an id that is used again", function()
    local session = finished { jobs = read({
      { id = "1", submit = 0, procs = 1, runtime = 10, walltime = 10 },
      { id = "1", submit = 100, procs = 1, runtime = 50, walltime = 50 },
      { id = "2", submit = 101, procs = 1, runtime = 5, walltime = 5, after = { { "1", 0 } } },
      { id = "1", submit = 200, procs = 1, runtime = 5, walltime = 5 },
      { id = "3", submit = 201, procs = 1, runtime = 5, walltime = 5, after = { { "4", 0 } } },
      { id = "4", submit = 205, procs = 1, runtime = 45, walltime = 45 },
    }, 4), policy = "easy", dependencies = true }
    assert.same({ 0, 100, 150, 200, 250, 205 }, starts_of(session, 6))
  end)

  it("are submitted when these have ended, as in a naive scheduler", function()
    local rng, moved = orrery.random(29), 0
    for _ = 1, rounds(200) do
      local procs = rng:integer(1, 8)
      local list = random_jobs(rng, procs)
      local jobs = read(list, procs)
      for _, policy in ipairs { "fcfs", "easy", "conservative" } do
        local session = finished { jobs = jobs, walltimes = "log", policy = "dispatch/" .. policy,
          dependencies = true }
        local expected = {}
        for _, start in ipairs(naive.run { jobs = list, procs = procs, policy = policy }) do
          expected[start.id] = start.start
        end
        for i = 1, #list do
          assert.equal(expected[list[i].id], session:job(i).start, policy)
          if session:job(i).submit ~= list[i].submit then moved = moved + 1 end
        end
      end
    end
    assert.is_true(moved > 50)
  end)

  -- What happens by a time does not depend on submissions behind it: the log with the submissions
  -- that came of a run gives that run. With submissions first it does not: a job that comes at the
  -- end of another would come before it.
  it("give the run of a log with the submissions that came of it", function()
    local rng = orrery.random(31)
    local policies = { "fcfs", "easy", "conservative", "greedy", "list:reservations=3",
      "priority/wfp3", "priority/f1", "priority/random", "priority/spt" }
    for _ = 1, rounds(60) do
      local procs = rng:integer(2, 8)
      local list = random_jobs(rng, procs)
      local jobs = read(list, procs)
      for _, name in ipairs(policies) do
        local spec = { jobs = jobs, procs = procs, walltimes = "log", dependencies = true,
          seed = rng:integer(1, 1000), scenario = rng:integer(1, 5),
          errors = rng:integer(1, 2) == 1 and { mean_probability = 0.3 } or nil,
          node_failures = rng:integer(1, 3) == 1 and { mtbf = 60, repair = 5 } or nil,
          instant = pick(rng, { "batched", "ends-first" }) }
        local priority = name:match "^priority/(.*)"
        spec.policy, spec.priority = priority and "easy" or name, priority
        local session = finished(spec)
        local again = {}
        for key, value in pairs(spec) do again[key] = value end
        again.jobs, again.dependencies = settled(list, session), nil
        assert.same(starts_of(finished(again), #list), starts_of(session, #list), name)
      end
    end
  end)

  it("are the same in forks, behind a return, and where something is changed that does not matter",
    function()
      local rng = orrery.random(37)
      for _ = 1, rounds(40) do
        local procs = rng:integer(2, 8)
        local list = random_jobs(rng, procs)
        local spec = { jobs = read(list, procs), walltimes = "log", dependencies = true,
          policy = pick(rng, { "fcfs", "easy", "conservative" }) }
        local whole = starts_of(finished(spec), #list)
        local session = orrery.session(spec)
        session:run_until(rng:integer(0, 60))
        local fork, changed = session:fork(), session:fork()
        changed = changed:change { submit = { { id = "late", procs = 1, runtime = 1,
          submit = 1e6 } } } or changed
        for _, one in ipairs { session, fork, changed } do
          one:finish()
          assert.is_true(one:check())
          assert.same(whole, starts_of(one, #list))
        end
      end
    end)

  it("are cut short with those before them, which may be changed or cancelled", function()
    local list = {
      { id = "1", submit = 0, procs = 4, runtime = 10, walltime = 10 },
      { id = "2", submit = 1, procs = 4, runtime = 5, walltime = 5, after = { { "1", 30 } } },
      { id = "3", submit = 2, procs = 4, runtime = 7, walltime = 7, after = { { "2", 1 } } } }
    local session = orrery.session { jobs = read(list, 4), policy = "fcfs", dependencies = true }
    session:run_until(5)
    assert.is_nil(session:job(2).submit)
    local other = session:fork()
    other = other:change { runtime = { ["1"] = 20 } } or other
    other:finish()
    assert.is_true(other:check())
    assert.same({ 0, 50, 56 }, starts_of(other, 3))
    local without = session:fork()
    without = without:change { cancel = { "2" } } or without
    without:finish()
    assert.is_true(without:check())
    assert.equal(10, without:job(3).start) -- job 2 is over at 5, and its user thinks until 6
    session:finish()
    assert.same({ 0, 40, 46 }, starts_of(session, 3))
  end)

  -- By hand, on 4 processors: job 1 runs from 0 to 10. Job 2 is submitted 30 s behind its end, at
  -- 40, and runs to 45. Job 3 has no think time and waits for that end. Job 4 comes at 60, as the
  -- log says, when job 2 is long over. Job 5 comes after a job that is not there.
  local HAND = {
    { id = "1", submit = 0, procs = 4, runtime = 10, walltime = 10 },
    { id = "2", submit = 1, procs = 2, runtime = 5, walltime = 5, after = { { "1", 30 } } },
    { id = "3", submit = 2, procs = 4, runtime = 7, walltime = 7, after = { { "2" } } },
    { id = "4", submit = 60, procs = 4, runtime = 7, walltime = 7, after = { { "2" } } },
    { id = "5", submit = 80, procs = 4, runtime = 7, walltime = 7, after = { { "77" } } },
  }

  it("are submitted so by hand, under every policy and in every scenario", function()
    temporary.file("F", log_of(HAND, 4), function(path)
      local jobs = orrery.read(path, { dependencies = true })
      assert.same({ "1+30", "2", "2" }, { jobs[2].after, jobs[3].after, jobs[4].after })
      assert.is_nil(orrery.read(path)[2].after)
      local result = orrery.compare { jobs = jobs, policies = { "fcfs", "easy" },
        dependencies = true, check = true }
      for policy = 1, 2 do
        assert.same({ 0, 40, 45, 60, 80 }, result:jobs(policy, "submit"))
        assert.same({ 0, 0, 0, 0, 0 }, result:jobs(policy, "wait"))
      end
      assert.same({ "3 jobs come after others",
        "1 time a job comes after one that is not there, which counts as over" },
        { result.notes[1], result.notes[2] })
      local many = orrery.compare { jobs = jobs, policies = { "fcfs", "greedy" }, runs = 20,
        dependencies = true, check = true, errors = { mean_probability = 0.5 } }
      assert.is_true(many:values(1, "makespan")[1] >= 87)
      local some = jobs:filter(function(job) return job.id ~= "1" end)
      assert.same({ 1, 6, 60, 80 }, orrery.compare({ jobs = some, policies = { "fcfs" }, procs = 4,
        dependencies = true }):jobs(1, "submit"))
      local status, out = program.run(".", "replay " .. path
        .. " --dependencies --policy fcfs --policy easy --runs 2 --q 0.1,0.2 --check")
      assert.equal(0, status)
      assert.matches("\nnote: 3 jobs come after others\n", out, 1, true)
      local code, _, err = program.run(".", "replay " .. path .. " --dependencies --batch")
      assert.equal(2, code)
      assert.matches("--dependencies and --batch exclude each other", err, 1, true)
    end)
  end)

  -- Job 2 waits for processors from time 1 on, 4 from time 3 on, and 3 comes after the first one,
  -- which ends at 50; job 5 is to come.
  it("are told as others to a policy that takes over: who runs, and who waits", function()
    local listens = { dispatch = "fcfs", init = function(sim) sim.state = { told = "" } end,
      on_start = function(sim, job) sim.state.told = sim.state.told .. " runs " .. job.id end,
      on_submit = function(sim, job) sim.state.told = sim.state.told .. " " .. job.id end }
    local function row(id, submit, procs, runtime)
      return { id = id, submit = submit, procs = procs, runtime = runtime, walltime = runtime }
    end
    local rows = { row("1", 0, 2, 50), row("2", 1, 4, 10), row("3", 2, 1, 9), row("4", 3, 3, 10),
      row("5", 100, 1, 1) }
    rows[3].after = { { "1" } }
    local jobs = read(rows, 4)
    local function told(dependencies, time)
      local s = orrery.session { jobs = jobs, policy = "fcfs", dependencies = dependencies }
      local fork = s:run_until(time):fork { policy = listens }
      fork:step()
      return fork.state.told
    end
    assert.equal(" runs 1 2 3 4", told(nil, 3))
    assert.equal(" runs 1 2 4", told(true, 3))
    assert.equal(" runs 2 4 3", told(true, 50))
  end)

  it("are refused in a circle, and beside options that move submissions", function()
    local circle = { { id = "1", submit = 0, procs = 1, runtime = 5, walltime = 5,
      after = { { "3", 1 } } }, { id = "2", submit = 0, procs = 1, runtime = 5, walltime = 5,
      after = { { "1", 1 } } }, { id = "3", submit = 0, procs = 1, runtime = 5, walltime = 5,
      after = { { "2", 1 } } }, { id = "0", submit = 0, procs = 1, runtime = 5, walltime = 5,
      after = { { "3", 1 } } } }
    local jobs = read(circle, 4)
    local function refused(spec, message)
      spec.jobs, spec.dependencies, spec.policy = jobs, true, "fcfs"
      local ok, problem = pcall(orrery.session, spec)
      assert.is_false(ok)
      assert.matches(message, problem, 1, true)
    end
    refused({}, "jobs come after each other in a circle: job 3 after itself")
    refused({ batch = true },
      "dependencies: submissions follow from the schedule, and not from `batch` or `load`")
    refused({ load = 2 },
      "dependencies: submissions follow from the schedule, and not from `batch` or `load`")
  end)

  it("are read from dumps of sacct, where its columns or the line of submission tell", function()
    local head = "JobIDRaw|Submit|Start|ElapsedRaw|NCPUS|State|%s\n"
    local row = "%d|2023-03-01T08:00:00|2023-03-01T08:00:00|60|1|COMPLETED|%s\n"
    local function after(column, text)
      return temporary.file("F", head:format(column) .. row:format(7, "") .. row:format(8, text),
        orrery.read, { dependencies = true })[2].after
    end
    assert.equal("7+ok", after("Dependency", "afterok:7(unfulfilled)"))
    assert.equal("? 7+ok 9 10", after("Dependency", "afterok:7?afterany:9:10(failed)"))
    assert.equal("7 9", after("Dependency", "afterany:7+5,afterany:9"))
    assert.equal("7 12_3", after("Dependency", "afterany:7:12_3"))
    assert.equal("7+ok 9", after("SubmitLine", "sbatch -d afterok:7,afternotok:9 run.sh"))
    assert.equal("7+ok", after("SubmitLine", "sbatch --dependency=aftercorr:7 sh -c 'a | b'"))
    assert.is_nil(after("SubmitLine", "sbatch tool afterok:7"))
    assert.is_nil(after("SubmitLine", "sbatch --dependency=after:7 run.sh"))
    assert.is_nil(after("Dependency", "singleton"))
    assert.is_nil(after("Dependency", ""))
  end)

  local function afters(text, options)
    options = options or {}
    options.dependencies = true
    local jobs = temporary.file("F", text, orrery.read, options)
    local list = {}
    for i, job in jobs:each() do list[i] = job.after or "-" end
    return table.concat(list, ", "), jobs
  end

  -- Job 1 runs from 0 to 10, job 2 from 0 to 20.
  local two = "id,submit,procs,runtime,walltime,after\n1,0,1,10,10,\n2,0,1,20,15,\n"

  it("of which one is enough are submitted at the first end", function()
    for after, submit in pairs { ["1 2"] = 20, ["? 1 2"] = 10, ["1&2"] = 20, ["? 2 1"] = 10,
      ["? 2 gone"] = 3, ["2 gone"] = 20, ["? 1+7 2"] = 17 } do
      local jobs = temporary.file("F", two .. "3,3,1,5,5," .. after .. "\n", orrery.read,
        { dependencies = true, procs = 4 })
      local session = finished { jobs = jobs, procs = 4, policy = "fcfs", dependencies = true }
      assert.equal(submit, session:job(3).submit, after)
    end
  end)

  it("have a note of what Slurm would not start, and of what is not understood", function()
    local text = "JobID|JobName|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State|Dependency\n"
      .. "7_1|a|2023-03-01T08:00:00|2023-03-01T08:00:00|90|1|1|COMPLETED|\n"
      .. "7_2|a|2023-03-01T08:00:00|2023-03-01T08:00:00|30|1|1|COMPLETED|\n"
      .. "9_2|a|2023-03-01T08:00:10|2023-03-01T08:00:30|60|1|1|COMPLETED|aftercorr:7\n"
      .. "10|a|2023-03-01T08:00:00|2023-03-01T08:02:00|60|1|1|COMPLETED|afterok:7_1\n"
      .. "11|a|2023-03-01T08:00:00|2023-03-01T08:02:00|60|1|1|COMPLETED|expand:7\n"
    local jobs = temporary.file("F", text, orrery.read, { dependencies = true })
    assert.same({ "7_2+ok", "7_1+ok" }, { jobs[3].after, jobs[4].after })
    local spec = { jobs = jobs, procs = 8, policy = "fcfs", dependencies = true, walltimes = "log" }
    local notes = table.concat(orrery.compare(spec).notes, "\n")
    assert.matches("1 job never starts and is left out: a job that must end well before (afterok) "
      .. "is killed at its walltime here; --grace and --overrun say when jobs are killed", notes, 1,
      true)
    assert.matches("1 dependency of the log is not understood, and left out, the first: expand",
      notes, 1, true)
    assert.error_matches(function() finished(spec):job "10" end, "10")
  end)

  -- Job 2 is killed at its walltime, 15 of 20 s. Who must wait for it to end well waits for ever,
  -- and so does who comes after these in any way; behind a question mark one of several is enough.
  it("that are never met leave jobs out, and those behind them", function()
    local text = two .. "3,1,1,5,5,2+ok\n4,1,1,5,5,3\n5,1,1,5,5,2\n6,1,1,5,5,? 2+ok 1\n"
      .. "7,1,1,5,5,? 2+ok 3\n8,1,1,5,5,? 3 gone\n9,1,1,5,5,1+ok 5\n"
    local jobs = temporary.file("F", text, orrery.read, { dependencies = true, procs = 9 })
    local spec = { jobs = jobs, procs = 9, policy = "fcfs", dependencies = true, walltimes = "log" }
    local s = finished(spec)
    local starts = {}
    for i, job in ipairs(s:schedule()) do starts[i] = job.id .. " at " .. job.start end
    assert.same({ "1 at 0.0", "2 at 0.0", "8 at 1.0", "6 at 10.0", "5 at 15.0", "9 at 20.0" },
      starts)
    local result = orrery.compare(spec)
    assert.equal(6, #result.sets[1].jobs)
    assert.matches("3 jobs never start and are left out", table.concat(result.notes, "\n"), 1, true)
    spec.overrun = "cap"
    assert.equal(9, #orrery.compare(spec).sets[1].jobs)
    spec.overrun, spec.grace = nil, 5
    assert.equal(9, #orrery.compare(spec).sets[1].jobs)
  end)

  it("that are never met are those that a naive search finds", function()
    local rng = orrery.random(36)
    for _ = 1, 60 do
      local n, text = rng:integer(2, 25), "id,submit,procs,runtime,walltime,after\n"
      local killed, before, any = {}, {}, {}
      for i = 1, n do
        local names = {}
        killed[i], before[i], any[i] = rng:integer(1, 4) == 1, {}, rng:integer(1, 3) == 1
        for _ = 1, i > 1 and rng:integer(0, 3) or 0 do
          local one = { rng:integer(1, i - 1), rng:integer(1, 2) == 1 }
          before[i][#before[i] + 1] = one
          names[#names + 1] = one[1] .. (one[2] and "+ok" or "")
        end
        text = text .. ("%d,%d,1,%d,10,%s%s\n"):format(i, i, killed[i] and 20 or 5,
          any[i] and #names > 0 and "? " or "", table.concat(names, " "))
      end
      local never, count = {}, 0
      for i = 1, n do
        local lost = 0
        for _, one in ipairs(before[i]) do
          if never[one[1]] or one[2] and killed[one[1]] then lost = lost + 1 end
        end
        never[i] = lost > 0 and (not any[i] or lost == #before[i])
        count = count + (never[i] and 0 or 1)
      end
      local jobs = temporary.file("F", text, orrery.read, { dependencies = true, procs = 30 })
      local s = finished { jobs = jobs, procs = 30, policy = "fcfs", dependencies = true,
        walltimes = "log" }
      assert.equal(count, #s:schedule())
      local ends = {} -- on so many processors every job starts when it is submitted
      for _, one in ipairs(s:schedule()) do ends[tonumber(one.id)] = one.finish end
      for i = 1, n do
        local due = (#before[i] == 0 or not any[i]) and i or math.huge
        for _, one in ipairs(before[i]) do
          local met = not never[one[1]] and not (one[2] and killed[one[1]])
          local at = met and math.max(ends[one[1]], i) or any[i] and math.huge or 0
          due = any[i] and math.min(due, at) or math.max(due, at)
        end
        if not never[i] then assert.equal(due + (killed[i] and 10 or 5), ends[i]) end
      end
    end
  end)

  -- By hand: 1 runs from 0 to 60; a singleton and an afterany behind it were submitted at 5.
  it("are submitted as their users did it, not when they could start", function()
    local row = "%d|ann|a|2023-03-01T08:00:%02d|2023-03-01T%s|2023-03-01T%s|60|1|COMPLETED|%s\n"
    local _, jobs = afters("JobID|User|JobName|Submit|Eligible|Start|ElapsedRaw|NCPUS|State|"
      .. "SubmitLine\n" .. row:format(1, 0, "08:00:00", "09:00:00", "x")
      .. row:format(2, 5, "09:01:00", "09:02:00", "sbatch -d singleton x")
      .. row:format(3, 5, "09:01:00", "09:02:00", "sbatch -d afterany:1 x"))
    assert.same({ 0, 5, 5 }, jobs:values "submit")
  end)

  -- By hand, of one user: a, a, b alone, a alone, c, a, a alone, a alone; bob has an a, too.
  it("on all jobs of a user and name before them are read where the dump has names", function()
    local row = "%s|%s|%s|2023-03-01T08:00:00|2023-03-01T08:00:00|60|1|COMPLETED|%s\n"
    local function jobs_of(list)
      local text = "JobID|User|JobName|Submit|Start|ElapsedRaw|NCPUS|State|SubmitLine\n"
      for i, one in ipairs(list) do
        text = text .. row:format(one[4] or i, one[1], one[2],
          one[3] and "sbatch -d singleton x" or "x")
      end
      return text
    end
    assert.equal("-, -, -, 1 2, -, -, -, 4 7, 8", (afters(jobs_of {
      { "ann", "a" }, { "ann", "a" }, { "ann", "b", true }, { "ann", "a", true }, { "bob", "a" },
      { "ann", "c" }, { "ann", "a" }, { "ann", "a", true }, { "ann", "a", true } })))
    -- elements of an array run one after the other
    assert.equal("-, 5_1, 5_2", (afters(jobs_of { { "ann", "my job", true, "5_1" },
      { "ann", "my job", true, "5_2" }, { "ann", "my job", true, "5_3" } })))
    local _, jobs = afters((jobs_of { { "ann", "a", true } }:gsub("JobName", "Comment")))
    assert.matches("1 dependency of the log is not understood, and left out, the first: "
      .. "singleton without a column JobName",
      table.concat(orrery.compare { jobs = jobs, procs = 1 }.notes, "\n"), 1, true)
  end)

  it("are several in SWF where a log has them, with ampersands", function()
    local row = "%d 0 0 10 1 -1 -1 1 10 -1 1 1 1 -1 1 1 %s %s\n"
    local jobs = temporary.file("F", "; MaxProcs: 8\n" .. row:format(4, -1, -1)
      .. row:format(5, -1, -1) .. row:format(6, "4&5", 7) .. row:format(7, "4&x", -1),
      orrery.read, { dependencies = true })
    assert.equal("4+7 5+7", jobs[3].after)
    assert.equal('field 17 (preceding job): expected a number, found "4&x"',
      jobs:dropped()[1].detail)
  end)

  it("are read from plain CSV and written to it, and to SWF as far as that has room", function()
    local text = "id,submit,procs,runtime,after\n1,0,4,10,\n2,1,2,5,1+30\n3,2,4,7,2\n"
      .. "4,60,4,7,2 1+5\n"
    local found, jobs = afters(text)
    assert.equal("-, 1+30, 2, 2 1+5", found)
    assert.equal(text, jobs:csv())
    local swf = jobs:csv "swf"
    assert.matches("; Note: of several preceding jobs of a job only the first is here\n", swf, 1,
      true)
    assert.equal("-, 1+30, 2, 2", (afters(swf)))
    assert.matches("; Note: preceding jobs are left out, for they are not named by numbers\n",
      select(2, afters((text:gsub("\n1,", "\na,"):gsub(",1%+30", ",a+30")))):csv "swf", 1, true)
    local _, bad = afters("id,procs,runtime,after\n1,4,10,\n2,4,10,1+soon\n")
    assert.equal(1, #bad)
    assert.equal("column 4 (after): expected ids of jobs with blanks between them, each with "
      .. '+SECONDS or +ok behind it or without, found "1+soon"', bad:dropped()[1].detail)
    assert.is_nil(temporary.file("F", text, orrery.read)[2].after)
  end)

  it("are read from any CSV, where --columns says so", function()
    assert.equal("-, 1+120, 1+30 2+7", (afters(
      "n,p,r,pre,t\n1,4,10,,\n2,2,5,1,2\n3,2,5,1 2+7,0.5\n",
      { columns = "id=n,procs=p,runtime=r,after=pre,think=t:min" })))
  end)

  it("are read from sacct --json", function()
    local job = '{"job_id": %d, "submit_line": "%s", "state": {"current": ["COMPLETED"]}, '
      .. '"time": {"submission": 1000, "start": 1000, "end": 1060, "elapsed": 60}, '
      .. '"tres": {"allocated": [{"type": "cpu", "count": 2}]}, "name": "a"}'
    assert.equal("-, 7+ok", (afters('{"jobs": [' .. job:format(7, "sbatch x") .. ", "
      .. job:format(8, "sbatch -d afterok:7 x") .. "]}")))
    assert.equal("-, 7", (afters('{"jobs": [' .. job:format(7, "sbatch x") .. ", "
      .. job:format(8, "sbatch -d singleton x") .. "]}")))
  end)

  -- Job 1 runs for 100 s and is killed at its walltime of 50 s: job 2 must not start behind it.
  it("say which jobs never start, in a session too", function()
    local jobs = temporary.file("F", "id,procs,runtime,walltime,after\n1,1,100,50,\n2,1,5,9,"
      .. "1+ok\n", orrery.read, { dependencies = true })
    local spec = { jobs = jobs, procs = 1, dependencies = true, walltimes = "log",
      overrun = "kill" }
    local note = "1 job never starts and is left out: a job that must end well before"
    assert.matches("\n  left out +" .. note, tostring(orrery.session(spec)))
    assert.matches(note, table.concat(orrery.compare(spec).notes, "\n"), 1, true)
    spec.overrun = "extend"
    assert.is_nil(tostring(orrery.session(spec)):find("left out", 1, true))
  end)
end)
