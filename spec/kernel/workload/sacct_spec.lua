-- Dumps of Slurm's accounting, as `sacct -P` writes them. What holds for every format (pieces of
-- any size, prefixes, memory that runs out) is in reader_spec.lua.
local orrery = require "orrery"
local native = require "native_workload"
local temporary = require "spec.support.temporary"
local rounds = require "spec.support.rounds"

local path = "spec/fixtures/workload/sacct.txt"

-- The end of what is said of a column that is missing.
local COMMAND = "sacct -aPX --format=JobID,JobIDRaw,User,Account,Partition,QOS,State,Submit,"
  .. "Eligible,Start,End,ElapsedRaw,Suspended,TimelimitRaw,NCPUS,NNodes,AllocTRES,ReqMem,"
  .. "Constraints,Reservation,JobName,SubmitLine"
local GIVES = ": sacct --format gives it, as in " .. COMMAND

local function text_of(jobs)
  local found = {}
  for i, job in jobs:each() do
    found[i] = ("%s %g %d %g %s %s %s %s %s"):format(job.id, job.submit, job.procs, job.time,
      job.walltime, job.user, job.qos, job.partition, job.status)
  end
  return found
end

local function read(text, options)
  return temporary.file("F", text, orrery.read, options)
end

local function fails(text, message, options)
  local ok, problem = pcall(read, text, options or { strict = true })
  assert.is_false(ok)
  assert.equal(message, problem)
end

describe("a dump of sacct", function()
  it("is read by the names of its columns", function()
    local jobs = orrery.read(path)
    assert.equal("2023-03-01 07:59:30", jobs.origin)
    assert.same({
      "101 30 64 3600 7200.0 ann normal batch completed",
      "102 0 32 7200 7200.0 bob nil batch timeout",
      "103 31 8 30 nil ann normal long cancelled",
      "107 35 96 10 60.0 cy normal batch node_fail",
      "108 36 16 0 60.0 cy normal batch failed",
    }, text_of(jobs))
    local part = "part of a job that has a record of its own"
    assert.same({
      { line = 3, id = "101.batch", reason = part },
      { line = 4, id = "101.extern", reason = part },
      { line = 5, id = "101.0", reason = part },
      { line = 8, id = "104", reason = "cancelled before it ran" },
      { line = 9, id = "105", reason = "not over when the log was written" },
      { line = 10, id = "106", reason = "not over when the log was written" },
      { line = 13, id = "109", reason = "number of processors unknown" },
    }, jobs:dropped())
    assert.is_nil(jobs.machine_procs)
  end)

  it("has accounts and QOS, which are no queues, and what is added keeps its own", function()
    local head = "JobID|Submit|Elapsed|State|NCPUS|Account|QOS|Partition\n"
    local row = "%d|2023-03-01T08:00:00|00:01:00|COMPLETED|2|%s|%s|p\n"
    local jobs = read(head .. row:format(1, "phys", "high") .. row:format(2, "bio", ""))
    local s, found = orrery.session { jobs = jobs, procs = 4, policy = "easy" }, {}
    s:submit { { id = "3", submit = 60, procs = 1, runtime = 5, account = "bio", queue = "q" } }
    for i = 1, 3 do
      local job = s:job(i)
      found[i] = { job.account or "-", job.qos or "-", job.queue or "-" }
    end
    assert.same({ { "phys", "high", "-" }, { "bio", "-", "-" }, { "bio", "-", "q" } }, found)
    assert.equal("id,submit,procs,runtime,partition,status,account,qos\n"
      .. "1,0,2,60,p,completed,phys,high\n2,0,2,60,p,completed,bio,\n", jobs:csv())
    assert.same({ { name = "phys", jobs = 1, area = 120 }, { name = "bio", jobs = 1, area = 120 } },
      jobs:describe().shares.account)
    assert.matches("not modelled, but as labels that policies read: 2 QOS", read(head
      .. row:format(1, "a", "x") .. row:format(2, "a", "y")):describe().not_modelled, 1, true)
  end)

  -- By hand: of the array's three tasks on 8 processors two run at a time, and job 4 passes the
  -- third, whatever column has the name of the task.
  it("knows the array of each task, which a limit may be on", function()
    local rows = {}
    for i, shown in ipairs { "10_1", "10_2", "10_[3]", "4" } do
      rows[i] = ("%d|%s|2023-03-01T08:00:00|01:00:00|COMPLETED|1\n"):format(i, shown)
    end
    local text = "JobIDRaw|JobID|Submit|Elapsed|State|NCPUS\n" .. table.concat(rows)
    for _, dump in ipairs { text, (text:gsub("[^|\n]+|", "", 1):gsub("\n%d+|", "\n")) } do
      local jobs = read(dump)
      local s, found = orrery.session { jobs = jobs, procs = 8, policy = "easy",
        limit = "jobs/array=2" }, {}
      for i, job in jobs:each() do found[i] = job.array or "-" end
      assert.equal("10 10 10 -", table.concat(found, " "))
      s:finish()
      for i = 1, 4 do found[i] = s:job(i).start end
      assert.same({ 0, 0, 3600, 0 }, found)
    end
  end)

  -- Of each job its submission and its wait, s.
  local function waits(jobs)
    local list = {}
    for i, job in jobs:each() do list[i] = { job.submit, job.wait or false } end
    return list
  end

  -- By hand, from 8:00 on: job 2 could start at 9:00 and did at 9:02; job 3 does not say when it
  -- could; job 4 started before it could, so that this cannot be right.
  it("has jobs wait from the time when they could start", function()
    local dump = "spec/fixtures/dumps/sacct-eligible.txt"
    assert.same({ { 0, 10 }, { 3600, 120 }, { 120, 60 }, { 180, 60 } }, waits(orrery.read(dump)))
    assert.same({ { 0, 10 }, { 60, 3660 }, { 120, 60 }, { 180, 60 } },
      waits(orrery.read(dump, { submitted = "submit" })))
    local function json(options)
      return waits(read([[{"jobs": [{"job_id": 1, "state": {"current": ["COMPLETED"]},
        "required": {"CPUs": 4}, "time": {"submission": 1677657600, "eligible": 1677657600,
        "start": 1677657610, "end": 1677658210, "elapsed": 600}}, {"job_id": 2, "state":
        {"current": ["COMPLETED"]}, "required": {"CPUs": 4}, "time": {"submission": 1677657660,
        "eligible": 1677661200, "start": 1677661320, "end": 1677661920, "elapsed": 600}}]}]],
        options))
    end
    assert.same({ { 0, 10 }, { 3600, 120 } }, json {})
    assert.same({ { 0, 10 }, { 60, 3660 } }, json { submitted = "submit" })
  end)

  it("has jobs that come after others submitted by their users, where that is read", function()
    local dump = "JobID|Submit|Eligible|Start|Elapsed|NCPUS|State|Dependency\n"
      .. "1|2023-03-01T08:00:00|2023-03-01T08:00:00|2023-03-01T08:00:00|00:10:00|4|COMPLETED|\n"
      .. "2|2023-03-01T08:01:00|2023-03-01T08:10:00|2023-03-01T08:11:00|00:10:00|4|COMPLETED|"
      .. "afterok:1\n"
    assert.same({ { 0, 0 }, { 600, 60 } }, waits(read(dump)))
    assert.same({ { 0, 0 }, { 60, 600 } }, waits(read(dump, { dependencies = true })))
  end)

  it("is asked for one or the other submission", function()
    local ok, problem = pcall(orrery.read, path, { submitted = "start" })
    assert.is_false(ok)
    assert.matches("read: submitted: expected one of eligible, submit, found 'start'", problem, 1,
      true)
  end)

  it("says which times do not fit together", function()
    local remarks = orrery.read("spec/fixtures/dumps/sacct-times.txt"):describe().remarks
    assert.same({
      "1 x start before the submission (the first in line 10): the wait is not known; if these "
        .. "are local times of a clock that was set back, --timezone says whose clock",
      "1 x end before the start (the first in line 7): the elapsed time counts; if these are local "
        .. "times of a clock that was set back, --timezone says whose clock",
      "1 x elapsed time that is not end less start (the first in line 9): the elapsed time counts",
    }, remarks)
    local result = orrery.compare { jobs = orrery.read "spec/fixtures/dumps/sacct-times.txt",
      procs = 8, policies = { "easy" } }
    for i, remark in ipairs(remarks) do assert.equal(remark, result.notes[i]) end
  end)

  it("counts CPUs where it has them, or nodes", function()
    local function procs(jobs)
      local list = {}
      for i, job in jobs:each() do list[i] = job.procs end
      return list
    end
    assert.same({ 64, 32, 8, 96, 16 }, procs(orrery.read(path, { count = "cpus" })))
    assert.same({ 2, 1, 1, 3, 1 }, procs(orrery.read(path, { count = "nodes" })))
    local head = "JobID|Submit|Elapsed|State|%s\n"
    local row = "7|2023-03-01T08:00:00|01:00|COMPLETED|%s\n"
    local function count(names, values, options)
      return read(head:format(names) .. row:format(values), options)[1].procs
    end
    assert.equal(5, count("NNodes", "5"))
    assert.equal(5, count("ReqNodes|AllocNodes", "4|5"))
    assert.equal(4, count("ReqNodes|AllocNodes", "4|0"))
    assert.equal(9, count("NNodes|NCPUS", "5|9"))
    assert.equal(9, count("NCPUS|AllocCPUS", "9|9"))
    assert.equal(5, count("NNodes|NCPUS", "5|9", { count = "nodes" }))
    assert.equal(7, count("NProcs", "7"))
    fails(head:format "NCPUS" .. row:format "9",
      "F:1: column NNodes (or AllocNodes, ReqNodes) is missing in a dump of sacct" .. GIVES,
      { count = "nodes" })
    fails(head:format "NNodes" .. row:format "9",
      "F:1: column AllocCPUS (or NCPUS, ReqCPUS) is missing in a dump of sacct" .. GIVES,
      { count = "cpus" })
  end)

  it("may have the plain columns instead of the raw ones, and no state", function()
    local jobs = read("jobid|submit|start|end|elapsed|timelimit|ncpus|\n"
      .. "12_3|2023-03-01T08:00:00|2023-03-01T08:00:09|2023-03-03T08:00:00|1-23:59:51|"
      .. "2-00:00:00|4|\n"
      .. "13|2023-03-01T08:00:00|2023-03-01T08:00:09|2023-03-01T08:01:09|01:00|UNLIMITED|4|\n"
      .. "14|2023-03-01T08:00:00|2023-03-01T08:00:09|Unknown|01:00|UNLIMITED|4|\n"
      .. "15|2023-03-01T08:00:00|Unknown|2023-03-01T08:00:09|00:00:00|10:00|4|\n"
      .. "16|2023-03-01T08:00:00|2023-03-01T08:00:09|2023-03-01T08:01:09|00:01:00.250||4|\n")
    assert.same({
      "12_3 0 4 172791 172800.0 nil nil nil nil",
      "13 0 4 60 nil nil nil nil nil",
      "16 0 4 60.25 nil nil nil nil nil",
    }, text_of(jobs))
    assert.same({
      { line = 4, id = "14", reason = "not over when the log was written" },
      { line = 5, id = "15", reason = "runtime unknown" },
    }, jobs:dropped())
    jobs = read("JobID|Submit|Start|End|NCPUS\n"
      .. "1|2023-03-01T08:00:00|2023-03-01T08:00:09|2023-03-01T08:01:09|4\n")
    assert.equal(60, jobs[1].time)
  end)

  it("is told from other formats by its header", function()
    assert.same({ "1 0 2 3 nil nil nil nil nil" }, text_of(read("id,procs,time,a|b\n1,2,3,4\n")))
    fails("a|b|c\n1|2|3\n", "F:1: not a job log: expected Mira's CSV (columns QUEUED_TIMESTAMP, "
      .. "RUNTIME_SECONDS, NODES_USED), plain CSV (columns id, procs, runtime), out_jobs.csv of "
      .. "Batsim or a schedule (columns job_id, submission_time, requested_number_of_resources, "
      .. "execution_time), a dump of sacct (sacct -P), JSON of Batsim or of sacct --json or the "
      .. "Standard Workload Format; the first line has: a|b|c (--columns says what the columns of "
      .. "another CSV are, --header what those of a log without a first line of names are)")
  end)

  -- A delimiter of up to seven bytes, of which a text may have the first ones.
  it("has the delimiter that follows its first name, and bars before any other", function()
    local text = "JobID|Submit|Elapsed|NCPUS|State|User\n"
      .. "7|2023-03-01T08:00:00|01:00:00|4|COMPLETED|%s\n"
    local function with(delimiter, user)
      return text_of(read((text:gsub("|", delimiter)):format(user)))
    end
    for delimiter, user in pairs { [";"] = "a#b", ["#"] = "a;b", ["^~"] = "a^b", ["<-=#=->"] =
      "a<-=#=-", ["<>"] = "a<b" } do
      local expected = { ("7 0 4 3600 nil %s nil nil completed"):format(user) }
      assert.same(expected, with(delimiter, user))
      local ended = (text:gsub("|", delimiter):gsub("\n", delimiter .. "\n")):format(user)
      assert.same(expected, text_of(read(ended))) -- as sacct --parsable ends its lines
    end
    for _, delimiter in ipairs { "<-=+#=->", " ", "= =" } do
      local ok, problem = pcall(with, delimiter, "ann")
      assert.is_false(ok)
      assert.matches("^F:1: not a job log: ", problem)
    end
    local jobs = read("x-y|JobIDRaw|Submit|ElapsedRaw|NCPUS|State\n"
      .. "a-b|7|2023-03-01T08:00:00|60|4|FAILED\n")
    assert.same({ "7 0 4 60 nil nil nil nil failed" }, text_of(jobs))
    assert.equal("columns of the log that are not read: x-y", jobs:describe().not_read)
  end)

  it("is read as it was written, whatever the order of its columns", function()
    local rng = orrery.random(21)
    local states = { "COMPLETED", "FAILED", "TIMEOUT", "CANCELLED by 7", "NODE_FAIL" }
    for _ = 1, rounds(40, 40, 20) do
      local columns = { "JobIDRaw", "User", "Submit", "Start", "End", "ElapsedRaw", "TimelimitRaw",
        "NCPUS", "State", "Comment" }
      for i = #columns, 2, -1 do
        local k = rng:integer(1, i)
        columns[i], columns[k] = columns[k], columns[i]
      end
      local lines, expected = { table.concat(columns, "|") }, {}
      for i = 1, 30 do
        local submit, wait, run = rng:integer(0, 50000), rng:integer(0, 9999), rng:integer(0, 20000)
        local limit, procs = rng:integer(1, 999), rng:integer(1, 5000)
        if i == 1 then submit = 0 end
        local state = states[rng:integer(1, #states)]
        local function date(t) return os.date("!%Y-%m-%dT%H:%M:%S", 1700000000 + t) end
        local row = { JobIDRaw = i, User = "u" .. i % 4, Submit = date(submit),
          Start = date(submit + wait), End = date(submit + wait + run), ElapsedRaw = run,
          TimelimitRaw = limit, NCPUS = procs, State = state, Comment = "x,\"y" }
        local cells = {}
        for c, name in ipairs(columns) do cells[c] = row[name] end
        lines[#lines + 1] = table.concat(cells, "|")
        expected[i] = ("%d %g %d %g %s u%d nil nil %s"):format(i, submit, procs, run, limit * 60.0,
          i % 4, state:lower():match "[a-z_]+")
      end
      local text = table.concat(lines, "\r\n")
      local jobs = read(text)
      assert.same(expected, text_of(jobs))
      assert.equal(native.feed(text, #text), (native.feed(text, 13)))
    end
  end)
end)

describe("a bad dump of sacct", function()
  local head = "JobID|Submit|Elapsed|Timelimit|NCPUS|Start|State\n"
  local function row(changed)
    local good = { "7", "2023-03-01T08:00:00", "01:00:00", "02:00:00", "4", "2023-03-01T08:00:01",
      "COMPLETED" }
    for i, value in pairs(changed) do good[i] = value end
    return head .. table.concat(good, "|") .. "\n"
  end

  for what, case in pairs {
    ["without ids"] = { "Submit|Elapsed|NCPUS|State\n",
      ":1: column JobIDRaw (or JobID) is missing in a dump of sacct" .. GIVES },
    ["without submissions"] = { "\nJobID|Elapsed|NCPUS|State\n",
      ":2: column Submit is missing in a dump of sacct" .. GIVES },
    ["without runtimes"] = { "JobID|Submit|NCPUS|State|End\n",
      ":1: column ElapsedRaw (or Elapsed, or Start and End) is missing in a dump of sacct"
      .. GIVES },
    ["without states"] = { "JobID|Submit|NCPUS|Elapsed\n",
      ":1: column State (or End) is missing in a dump of sacct" .. GIVES },
    ["without sizes"] = { "JobID|Submit|State|Elapsed\n",
      ":1: column AllocCPUS (or NCPUS, ReqCPUS, NNodes) is missing in a dump of sacct"
      .. GIVES },
    ["with too few fields"] = { head .. "1|2\n",
      ":2: expected 7 fields as in the header, found 2" },
    ["with too many fields"] = { row { [7] = "COMPLETED|x" },
      ":2: expected 7 fields as in the header, found 8, and which texts have a delimiter cannot be "
      .. "told" },
    ["with a cut line"] = { row({}) .. "8|2023-03-01T08:0",
      ":3: expected 7 fields as in the header, found 2" },
    ["with half a date"] = { row { [2] = "2023-03-01T08:0" },
      ':2: column 2 (Submit): expected a time as YYYY-MM-DDTHH:MM:SS, or Unknown, '
      .. 'found "2023-03-01T08:0"' },
    ["with a day that does not exist"] = { row { [6] = "2023-02-29T08:00:00" },
      ':2: column 6 (Start): expected a time as YYYY-MM-DDTHH:MM:SS, or Unknown, '
      .. 'found "2023-02-29T08:00:00"' },
    ["with a duration of hours"] = { row { [3] = "1-23" },
      ':2: column 3 (Elapsed): expected a duration as [days-]hours:minutes:seconds, found "1-23"' },
    ["with a negative duration"] = { row { [3] = "01:-3:00" },
      ':2: column 3 (Elapsed): expected a duration as [days-]hours:minutes:seconds, '
      .. 'found "01:-3:00"' },
    ["with a limit in words"] = { row { [4] = "forever" },
      ':2: column 4 (Timelimit): expected a duration as [days-]hours:minutes:seconds, '
      .. 'found "forever"' },
    ["with half a CPU"] = { row { [5] = "1.5" },
      ':2: column 5 (NCPUS): expected a whole number from 0 to 2147483647, found "1.5"' },
    ["without an id"] = { row { [1] = "" },
      ":2: column 1 (JobID): expected the id of a job, found nothing" },
    ["with nothing but steps"] = { row { [1] = "7.batch" },
      ": no job is left: the only record was dropped, in line 2 "
      .. "(part of a job that has a record of its own)" },
    ["with a header only"] = { head, ": there is a header, but no job" },
  } do
    it(what, function()
      fails(case[1], "F" .. case[2])
      for _, piece in ipairs { 1, 3, 50 } do
        assert.same({ nil, "fed" .. case[2], 3 }, { native.feed(case[1], piece, true) })
      end
    end)
  end
end)

describe("a job of sacct that could start at once", function()
  local function dropped(submit, eligible, suspended)
    local jobs = read(("JobID|Submit|Eligible|Start|Elapsed|Suspended|NCPUS|State\n"
      .. "7|%s|%s|2023-03-01T08:00:09|01:00|%s|4|COMPLETED\n"
      .. "8|2023-03-01T08:00:00|2023-03-01T08:00:00|2023-03-01T08:00:09|01:00|00:00:00|4|"
      .. "COMPLETED\n"):format(submit, eligible, suspended), { strict = true })
    local last = jobs[#jobs]
    assert.same({ "8", 9, 60 }, { last.id, last.wait, last.time })
    return #jobs == 1 and jobs:dropped()[1].reason or jobs[1].time
  end

  it("is submitted then, also where nobody knows when", function()
    local at = "2023-03-01T08:00:00"
    assert.equal(60, dropped(at, at, "00:00:00"))
    assert.equal(60, dropped(at, "", ""))
    assert.equal(60, dropped(at, "Unknown", "Unknown"))
    assert.equal("submission time unknown", dropped("Unknown", "Unknown", ""))
    assert.equal("submission time unknown", dropped("", "", ""))
  end)

  -- What has elapsed is without that, and the time from start to end is with it.
  it("does not run while it is suspended", function()
    local at = "2023-03-01T08:00:00"
    assert.equal(60, dropped(at, at, "00:00:10"))
    for suspended, time in pairs { ["00:00:00"] = 60, ["00:00:10"] = 50, ["00:00"] = 60,
      ["00:01:00"] = 0, ["00:02:00"] = 0, [""] = 60 } do
      local jobs = read(("JobID|Submit|Start|End|Suspended|NCPUS\n7|%s|2023-03-01T08:00:09|"
        .. "2023-03-01T08:01:09|%s|4\n"):format(at, suspended), { strict = true })
      assert.equal(time, jobs[1].time)
      assert.same(suspended == "00:02:00" and 1 or 0, #jobs:describe().remarks)
    end
  end)
end)

describe("rows of sacct that are asked for", function()
  it("are told by the texts of the dump, the state too", function()
    local head = "JobIDRaw|State|Submit|ElapsedRaw|NCPUS\n"
    local text = head .. "1|COMPLETED|2024-01-01T00:00:00|60|1\n1.0|COMPLETED|"
      .. "2024-01-01T00:00:00|60|1\n2|FAILED|2024-01-01T00:00:00|60|1\n"
    local jobs = read(text, { rows = "State=COMPLETED" })
    assert.same({ 1, "1", "completed" }, { #jobs, jobs[1].id, jobs[1].status })
    jobs = read(text, { rows = "State!=COMPLETED" })
    assert.same({ 1, "2", "failed" }, { #jobs, jobs[1].id, jobs[1].status })
  end)
end)

-- The reader keeps the last state, labels and day, which the next row often has again.
describe("a row of sacct", function()
  -- Of one length, and each with a next or another first letter.
  it("has its own state, user and day behind one that is almost the same", function()
    local head, rows = "JobIDRaw|User|State|Submit|ElapsedRaw|NCPUS\n", {}
    local states = { "BOOT_FAIL", "COMPLETED", "BOOT_FAIL", "CANCELLED", "COMPLETED", "NODE_FAIL" }
    local users = { "ann", "anm", "ann", "an", "anna", "" }
    local days = { "2024-03-08", "2024-03-09", "2024-03-08", "2024-03-08", "2024-03-18",
      "2024-04-08" }
    for i, state in ipairs(states) do
      rows[i] = ("%d|%s|%s|%sT00:00:%02d|9|2\n"):format(i, users[i], state, days[i], i)
    end
    local jobs = read(head .. table.concat(rows))
    assert.equal(6, #jobs)
    for i, job in jobs:each() do
      assert.same({ states[i]:lower(), users[i], ("%s 00:00:%02d"):format(days[i], i) },
        { job.status, job.user or "", jobs:date(job.submit) })
    end
  end)

  it("is read alike whatever the row before it was", function()
    local rng = orrery.random(36)
    local function one(list) return list[rng:integer(1, #list)] end
    local states = { "COMPLETED", "FAILED", "COMPLETE", "CANCELLED by 7", "CANCELLED by 70",
      "CANCELLED by a user with a name of forty bytes", "OUT_OF_ME+", "RUNNING", "" }
    local days, names = { "2024-02-28", "2024-02-29", "2024-03-01" }, { "", "a", "ab", "b" }
    local clocks = { "T00:00:00", "T23:59:59", "T12:00", "T24:00:00", " 01:02:03" }
    local head = "JobIDRaw|User|Account|Partition|QOS|State|Submit|Start|ElapsedRaw|NCPUS\n"
    for _ = 1, 20 do
      local rows = {}
      for i = 1, 30 do
        rows[i] = ("%d|%s|%s|%s|%s|%s|%s%s|%s%s|9|2\n"):format(i, one(names), one(names),
          one(names), one(names), one(states), one(days), one(clocks), one(days), one(clocks))
      end
      local all, alone = read(head .. table.concat(rows)), {}
      local dates = {}
      for _, text in ipairs(rows) do
        local done, jobs = pcall(read, head .. text)
        if done then
          local job = jobs[1]
          alone[#alone + 1], dates[#dates + 1] = job, jobs:date(job.submit)
        end
      end
      assert.equal(#alone, #all)
      for i, job in all:each() do
        for _, field in ipairs { "id", "user", "account", "partition", "qos", "status", "wait" } do
          assert.equal(tostring(alone[i][field]), tostring(job[field]))
        end
        assert.equal(dates[i], all:date(job.submit))
      end
    end
  end)
end)

-- A text may have bars. Then every other column has to be what such a column can be, also one that
-- is not read otherwise.
describe("a row of sacct with bars in a text", function()
  local NAMES = { "JobID", "JobName", "Submit", "Elapsed", "NCPUS", "State", "User", "ExitCode",
    "Planned", "CPUTimeRAW", "Group", "" }
  local GOOD = { JobID = "7", JobName = "x", Submit = "2023-03-01T08:00:00", Elapsed = "01:00",
    NCPUS = "4", State = "COMPLETED", User = "ann", ExitCode = "0:0", Planned = "00:10",
    CPUTimeRAW = "240", Group = "staff", [""] = "" }

  -- The jobs of a row with changed texts, or what is wrong with it.
  local function jobs_of(changed, names)
    local cells = {}
    for i, name in ipairs(names or NAMES) do cells[i] = changed[name] or GOOD[name] end
    local ok, found = pcall(read, table.concat(names or NAMES, "|") .. "\n"
      .. table.concat(cells, "|") .. "\n", { strict = true })
    return ok and found or found:match "F:%d: (.*), and which texts .* told" or found
  end

  local function is_read(changed, names)
    local jobs = jobs_of(changed, names)
    if type(jobs) == "string" then error(jobs, 2) end
    assert.same({ 60, 4, 1 }, { jobs[1].time, jobs[1].procs, #jobs })
  end

  it("is put right where all others fit", function()
    is_read {}
    for _, name in ipairs { "a|b", "|", "||", "a|2023-03-01T08:00:00", ("|"):rep(24) } do
      is_read { JobName = name }
    end
    assert.equal("expected 12 fields as in the header, found 37",
      jobs_of { JobName = ("|"):rep(25) })
    for column, texts in pairs { JobID = { "7", "7_3", "7_[1-9]", "70+1" },
      State = { "FAILED", "NODE_FAIL", "OUT_OF_ME+", "CANCELLED by 7" }, User = { "", "b.c" },
      ExitCode = { "", "1:15", "9" }, Planned = { "", "1-00:00:00", "UNLIMITED", "Unknown" },
      CPUTimeRAW = { "", "1e3", "Unknown" }, Group = { "", "a-b" } } do
      for _, text in ipairs(texts) do is_read { JobName = "a|b", [column] = text } end
    end
  end)

  it("is not put right where another does not fit", function()
    local wrong = "expected 12 fields as in the header, found 13"
    for column, texts in pairs { State = { "FAILED soon", "failed", "FAILED2", "CANCELLED of 7",
      "CANCELLED by" }, User = { "ann b" }, ExitCode = { "x", "0 0", "0;0" },
      Planned = { "soon", "5 min" }, CPUTimeRAW = { "many", "-1" }, Group = { "two words" },
      [""] = { "x", " " } } do
      for _, text in ipairs(texts) do
        assert.equal(wrong, jobs_of { JobName = "a|b", [column] = text }, column .. ": " .. text)
        is_read { [column] = text } -- what is not read may be anything where no bar is too many
      end
    end
    for column, texts in pairs { JobID = { "x7", "" , "7 8" }, Submit = { "2023-03-01" },
      Elapsed = { "1 h" }, NCPUS = { "four", "1.5", "-1" } } do
      for _, text in ipairs(texts) do
        assert.equal(wrong, jobs_of { JobName = "a|b", [column] = text }, column .. ": " .. text)
      end
    end
  end)

  it("is not put right where two ways fit", function()
    local two = { "JobID", "Submit", "Elapsed", "JobName", "NCPUS", "Comment", "State" }
    GOOD.Comment = "c"
    is_read({ JobName = "a|b" }, two)
    is_read({ Comment = "c|d" }, two)
    is_read({ JobName = "a|b", Comment = "c|5x" }, two)
    is_read({ JobName = "a|b", Comment = "c|d|e" }, two)
    -- no number of processors is one that is not known
    assert.equal("expected 7 fields as in the header, found 9",
      jobs_of({ JobName = "a", Comment = "c||d" }, two))
    -- 4|c|5|d may be 4 and a comment, or a name with a bar, 5 and a comment
    assert.equal("expected 7 fields as in the header, found 9",
      jobs_of({ JobName = "a", Comment = "c|5|d" }, two))
    -- both ways of cutting name and comment give the same
    is_read({ JobName = "a|b" }, { "JobID", "Submit", "Elapsed", "JobName", "Comment", "NCPUS",
      "State" })
  end)
end)

-- Of columns with widths; sacct cuts what is longer and puts a plus behind it.
describe("a dump of sacct with columns of widths", function()
  local head = "JobID           Submit               Elapsed NCPUS      State \n"
    .. "------- ------------------- ---------- ----- ---------- \n"
  local row = "%-7s 2023-03-01T08:00:00 %10s %5s %10s \n"

  it("has its texts below the dashes", function()
    assert.same({ "7 0 4 60 nil nil nil nil completed", "8 0 12345 86400 nil nil nil nil cancelled",
      "9_[1-3] 0 1 3600 nil nil nil nil out_of_me" }, text_of(read(head
      .. row:format(7, "00:01:00", 4, "COMPLETED")
      .. row:format(8, "1-00:00:00", 12345, "CANCELLED+")
      .. row:format("9_[1-3]", "01:00:00", 1, "OUT_OF_ME+"))))
    assert.same({ "7 0 4 60 nil nil nil nil completed" }, text_of(read(head
      .. (row:format(7, "00:01:00", 4, "COMPLETED"):gsub(" \n", "\r\n")))))
  end)

  it("is refused where text stands between two, or behind the last", function()
    local between = "F:3: expected columns as wide as the dashes under the header, found text "
      .. "between them"
    local fine = row:format(7, "00:01:00", 4, "COMPLETED")
    fails(head .. fine:gsub("^7       ", "7      x"), between)
    fails(head .. fine:gsub(" \n", "xx\n"), between)
    fails(head .. fine:gsub(" \n", " x\n"), between)
  end)

  it("has as many groups of dashes as names", function()
    local groups = "F:2: expected 5 groups of dashes as there are names of columns, found %d: with "
      .. "-P, sacct puts bars between columns"
    fails(head:gsub(" %-+ \n", "\n"), groups:format(4))
    fails(head:gsub(" \n$", " --\n"), groups:format(6))
  end)
end)
