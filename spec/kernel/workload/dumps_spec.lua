-- Damaged and odd logs, made after dumps of real machines: what is read of each, what is left out,
-- and why. spec/fixtures/dumps/expected.txt says it, file by file; after a change of the readers
-- `ORRERY_WRITE=1` writes what they say now there, to be looked at with git diff.
local lfs = require "lfs"
local native = require "native_workload"
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local folder = "spec/fixtures/dumps/"

-- What a user would say of some of the files.
local OPTIONS = {
  ["sacct-no-header.txt"] = {
    header = "JobIDRaw,JobName%30,User,Submit,Start,End,ElapsedRaw,TimelimitRaw,NCPUS,State",
  },
  ["plain-no-header.csv"] = { header = "id,submit,procs,runtime" },
  ["other.csv"] = {
    columns = { id = "jid", user = "who", procs = "nnumr", submit = "adt:%d.%m.%Y %H:%M",
      runtime = "min:min", walltime = "limit" },
  },
  ["unix.csv"] = {
    columns = "id=job,procs=nodes:16,submit=t_submit:unix,start=t_start:unix,end=t_end:unix",
  },
  ["sacct-autumn.txt"] = { timezone = "Europe/Stockholm" },
  ["local-dates.csv"] = { timezone = "Europe/Stockholm",
    columns = "id=job,procs=cpus,submit=submitted,start=started,runtime=seconds" },
  ["unix-never.csv"] = {
    columns = "id=job,procs=nodes,submit=t_submit:unix,start=t_start:unix,end=t_end:unix,"
      .. "runtime=run",
  },
  ["iso-zones.csv"] = { columns = "id=job,procs=cpus,submit=submitted,runtime=seconds" },
  ["mira-odd.csv"] = { wide = "drop" },
  ["plain-cut.csv.gz"] = { damaged = true }, ["swf-cut.swf.gz"] = { damaged = true },
  ["swf-damaged.swf.gz"] = { damaged = true }, ["swf-bad-sum.swf.gz"] = { damaged = true },
  ["swf-trailing.swf.gz"] = { damaged = true },
  ["plain-cut.csv.xz"] = { damaged = true }, ["plain-cut.csv.bz2"] = { damaged = true },
  ["plain-cut.csv.zst"] = { damaged = true }, ["plain-trailing.csv.zst"] = { damaged = true },
  ["format-own.txt"] = { format = folder .. "format-own.lua" },
  ["sacct-own-columns.txt"] = {
    columns = { procs = "NNodes:4", queue = "JobName", partition = "JobName" },
    rows = "User=ann|bob,JobName!=a",
  },
  ["blanks.txt"] = { delimiter = "blank", rows = "state=done",
    columns = "id=job,user=who,procs=cpus,runtime=t s,walltime=t s" },
  ["plain-colons.csv"] = { delimiter = "colon" },
  ["plain-minutes.csv"] = { columns = "walltime=walltime:min" },
  ["plain-since-1970.csv"] = { origin = "1970-01-01" },
  ["starts-only.csv"] = { columns = "id=job,submit=start,start=start,end=end,procs=cpus" },
  ["swf-both-processors.swf"] = { procs_of = "allocated" },
  ["sacct-hour.txt"] = { timezone = "Europe/Stockholm" },
  ["sacct-arrays.txt"] = { dependencies = true }, ["sacct-parts.json"] = { dependencies = true },
}

local function bytes_of(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read "a"
  file:close()
  return bytes
end

local function files()
  local list = {}
  for name in lfs.dir(folder) do
    if name:sub(1, 1) ~= "." and name ~= "expected.txt" and not name:match "%.lua$" then
      list[#list + 1] = name
    end
  end
  table.sort(list)
  return list
end

local BAD = {
  ["a field that cannot be read"] = true, ["a negative number"] = true,
  ["another number of fields"] = true, ["quotes that do not fit"] = true,
  ["binary data"] = true, ["a line or field that is too long"] = true,
  ["compressed data that is cut off or damaged"] = true,
  ["a line before the log begins"] = true, ["a profile that needs a platform"] = true,
}

-- "1: submitted at 0, 4 processors, 60 s of 100 s, ann, completed"
local function job_line(job)
  local parts = { ("%s: submitted at %.17g"):format(job.id, job.submit),
    ("%d processors"):format(job.procs),
    ("%.17g s of %s"):format(job.runtime,
      job.walltime and ("%.17g s"):format(job.walltime) or "?") }
  for _, name in ipairs { "user", "queue", "partition", "status" } do
    parts[#parts + 1] = job[name]
  end
  if job.account then parts[#parts + 1] = "account " .. job.account end
  if job.qos then parts[#parts + 1] = "QOS " .. job.qos end
  if job.after then parts[#parts + 1] = "after " .. job.after end
  return table.concat(parts, ", ")
end

local function record_line(record)
  return ("- line %d, %s: %s%s"):format(record.line, record.id == "" and "no id" or record.id,
    record.reason, record.detail and ": " .. record.detail or "")
end

-- What is made of a file, as text.
local function outcome(name, options)
  local lines = { "== " .. name .. (options and "" or ", as it is") }
  local ok, jobs = pcall(orrery.read, folder .. name, options)
  if not ok then
    lines[2] = "refused: " .. jobs
    return table.concat(lines, "\n"), nil
  end
  if jobs.origin then lines[#lines + 1] = "second 0 is " .. jobs.origin end
  for _, job in jobs:each() do lines[#lines + 1] = job_line(job) end
  for _, record in ipairs(jobs:dropped()) do lines[#lines + 1] = record_line(record) end
  for _, remark in ipairs(jobs:describe().remarks) do lines[#lines + 1] = "* " .. remark end
  return table.concat(lines, "\n"), jobs
end

local function all()
  local blocks = {}
  for _, name in ipairs(files()) do
    if OPTIONS[name] then blocks[#blocks + 1] = outcome(name, OPTIONS[name]) end
    blocks[#blocks + 1] = outcome(name, not OPTIONS[name] and {} or nil)
  end
  return table.concat(blocks, "\n\n") .. "\n"
end

describe("damaged and odd logs", function()
  it("are read, and what is left out is said", function()
    if os.getenv "ORRERY_WRITE" then
      local file = assert(io.open(folder .. "expected.txt", "wb"))
      file:write(all())
      file:close()
    end
    assert.equal(bytes_of(folder .. "expected.txt"), all())
  end)

  it("are refused by a strict reader where a record cannot be read, and nowhere else", function()
    for _, name in ipairs(files()) do
      local _, jobs = outcome(name, OPTIONS[name] or {})
      local bad = not jobs
      for _, record in ipairs(jobs and jobs:dropped() or {}) do bad = bad or BAD[record.reason] end
      local strict = { strict = true }
      for key, value in pairs(OPTIONS[name] or {}) do strict[key] = value end
      local ok, problem = pcall(orrery.read, folder .. name, strict)
      assert.equal(not bad, ok, name)
      assert.is_true(ok or problem:sub(1, #folder) == folder, name)
    end
  end)

  it("are the same in pieces of any size", function()
    for _, name in ipairs(files()) do
      local bytes = bytes_of(folder .. name)
      local whole = table.pack(native.feed(bytes, #bytes + 1))
      for piece = 1, 40 do
        assert.same(whole, table.pack(native.feed(bytes, piece)), name .. " " .. piece)
      end
    end
  end)

  it("give back all memory, wherever it runs out", function()
    for _, name in ipairs(files()) do
      local whole, left, calls = native.read_failing(folder .. name, 0)
      assert.equal(0, left)
      for n = 1, whole and 0 or calls do -- of what is read without options
        local message, bytes = native.read_failing(folder .. name, n)
        assert.matches("memory", message)
        assert.equal(0, bytes, name)
      end
    end
  end)

  it("with a line without end are read in little memory", function()
    local good = "%d 0 -1 60 4 -1 -1 4 100 -1 1 3 -1 -1 1 1 -1 -1\n"
    local long = ("1"):rep(5 << 20)
    local swf = "; MaxProcs: 8\n" .. good:format(1) .. "2 " .. long .. "\n" .. good:format(3)
    for _, piece in ipairs { 4096, #swf } do
      local jobs = table.pack(native.feed(swf, piece))
      assert.matches("dropped 3 [ 2]*a line or field that is too long", jobs[1])
      assert.same({ nil, "fed:3: a line of more than 1 MiB", 3 }, { native.feed(swf, piece, true) })
    end
    local csv = "id,procs,runtime\n1,2,3\n2,4," .. long .. "\n3,4,5\n"
    assert.matches("dropped 3 [ 2]*a line or field that is too long", (native.feed(csv, 4096)))
  end)

  it("are not what --columns and --header are about, where columns have no names", function()
    local known = { ["swf-extra-columns.swf"] = "the Standard Workload Format",
      ["batsim-sequences.json"] = "JSON of Batsim or of sacct --json" }
    for name, format in pairs(known) do
      local path = folder .. name
      local ok, problem = pcall(orrery.read, path, { columns = "procs=a,runtime=b" })
      assert.is_false(ok)
      assert.equal(path .. ": --columns is about a log whose columns have names, and this looks "
        .. "like " .. format .. ", whose columns are known: leave --columns out", problem)
    end
    local ok, problem = pcall(orrery.read, folder .. "batsim-sequences.json", { header = "id" })
    assert.is_false(ok)
    assert.matches("--header is about a log without a line of names, and this looks like JSON",
      problem, 1, true)
    ok, problem = pcall(orrery.read, folder .. "plain-no-header.csv",
      { header = "id,prcs,runtime" })
    assert.is_false(ok)
    assert.equal(folder .. "plain-no-header.csv: --header: column procs is missing in what looks "
      .. "like a plain CSV log; there are: id, prcs, runtime", problem)
  end)

  it("are counted by the command, the first of each reason with its line", function()
    local path = folder .. "plain-damaged.csv"
    local status, out = program.run(".", "replay " .. path .. " --procs 8")
    assert.equal(0, status)
    assert.matches('note: 6 records of the log were left out: 1 x a field that cannot be read (the '
      .. 'first in line 3: column 3 (procs): expected a whole number of processors, found "four"), '
      .. '2 x another number of fields (the first in line 4: expected 5 fields', out, 1, true)
    local code, _, problem = program.run(".", "replay " .. path .. " --procs 8 --strict")
    assert.equal(2, code)
    assert.matches('plain-damaged.csv:3: column 3 (procs): expected a whole number of processors, '
      .. 'found "four"', problem, 1, true)
    status, out = program.run(".", "replay " .. folder .. "unix.csv --procs 64 --columns "
      .. OPTIONS["unix.csv"].columns)
    assert.equal(0, status)
    assert.matches("1 x runtime unknown (the first in line 4)", out, 1, true)
    status = program.run(".", "replay " .. folder .. "plain-no-header.csv --procs 64 --header "
      .. "id,submit,procs,runtime")
    assert.equal(0, status)
  end)
end)

describe("damage", function()
  -- What a command prints of a file with these options: its status, output and errors.
  local function replayed(name, options)
    return program.run(".", ("replay %s%s --procs 64 %s"):format(folder, name, options))
  end

  it("of gzip data is an error with its place, unless --damaged says to read on", function()
    for name, place in pairs {
      ["swf-cut.swf.gz"] =
        "the gzip data ends too early: the file is not complete, after 190 bytes",
      ["plain-cut.csv.gz"] =
        "the gzip data ends too early: the file is not complete, after 182 bytes",
      ["swf-damaged.swf.gz"] =
        "damaged gzip data (invalid distance too far back), after 192 of 380 bytes",
      ["swf-bad-sum.swf.gz"] = "damaged gzip data (incorrect data check), after 376 of 380 bytes",
      ["swf-trailing.swf.gz"] =
        "damaged gzip data (something else follows it), after 54 of 58 bytes",
    } do
      local status, out, problem = replayed(name, "--quiet")
      assert.same({ 2, "" }, { status, out })
      assert.matches(name .. ": " .. place .. " (--damaged reads what can be read)", problem, 1,
        true)
      status, out = replayed(name, "--damaged")
      assert.equal(0, status)
      assert.matches("1 x compressed data that is cut off or damaged (the first in line", out, 1,
        true)
      assert.matches(place .. ": ", out, 1, true)
    end
  end)

  it("is told on standard error where nothing else is printed", function()
    for _, case in ipairs {
      { "replay %s --procs 64 --damaged --quiet", "swf-damaged.swf.gz",
        "note: 1 record of the log was left out: 1 x compressed data that is cut off or damaged" },
      { "log %s --damaged --quiet", "swf-damaged.swf.gz",
        "note: 1 record of the log was left out: 1 x compressed data that is cut off or damaged" },
      { "compare %s --procs 8 --policy easy --policy fcfs --quiet", "plain-damaged.csv",
        "note: 6 records of the log were left out: 1 x a field that cannot be read" },
      { "log %s --quiet", "plain-damaged.csv",
        "note: 6 records of the log were left out: 1 x a field that cannot be read" },
    } do
      local status, out, problem = program.run(".", case[1]:format(folder .. case[2]))
      assert.same({ 0, "" }, { status, out })
      assert.matches(case[3], problem, 1, true)
    end
    -- records that are whole, but no jobs, are nothing to be warned of
    assert.same({ 0, "", "" }, { program.run(".", ("replay %sbatsim-out-jobs.csv --procs 8 --quiet")
      :format(folder)) })
  end)
end)

describe("records", function()
  -- By hand: job 8 of 8:01 stands in both dumps and counts once; job 7 of 9:00 is another job than
  -- that of 8:00, and so is the second attempt of job 8; job 9 was cancelled while it waited.
  it("of overlapping dumps count once, whatever the order of their columns", function()
    local jobs, found = orrery.read(folder .. "sacct-overlap.txt"), {}
    for i, job in jobs:each() do
      found[i] = ("%s %g %g %s %s"):format(job.id, job.submit, job.wait, job.user, job.status)
    end
    assert.same({ "7 0 10 ann completed", "8 60 60 ann completed", "10 180 60 bob completed",
      "7 3600 10 ann completed", "8 60 3660 ann failed" }, found)
    assert.same({ { line = 4, id = "9", reason = "cancelled before it ran" },
      { line = 0, id = "8", reason = "the same as a record before" } }, jobs:dropped())
  end)

  it("that are the same count once: against a naive search", function()
    local rng = orrery.random(11)
    local head = "COBALT_JOBID,QUEUED_TIMESTAMP,WALLTIME_SECONDS,RUNTIME_SECONDS,NODES_USED,"
      .. "USERNAME_GENID\n"
    for _ = 1, rounds(60, 60, 10) do
      local rows, unique, seen = {}, {}, {}
      for i = 1, rng:integer(1, 60) do
        rows[i] = ("%d,2019-06-01 00:00:%02d,%s,%d,%d,%s"):format(rng:integer(1, 9),
          rng:integer(0, 2), rng:integer(0, 1) == 0 and "" or "100", rng:integer(1, 2),
          rng:integer(1, 2), rng:integer(0, 3) == 0 and "" or "ann")
        if not seen[rows[i]] then unique[#unique + 1] = rows[i] end
        seen[rows[i]] = true
      end
      local function read(list)
        return require("spec.support.temporary").file("F", head .. table.concat(list, "\n") .. "\n",
          orrery.read)
      end
      local jobs, naive = read(rows), read(unique)
      assert.equal(naive:csv(), jobs:csv())
      assert.equal(#rows - #unique, #jobs:dropped())
    end
  end)

  it("with a start of 0 never started, and walltimes of 0 are not known", function()
    local jobs = orrery.read(folder .. "unix-never.csv", OPTIONS["unix-never.csv"])
    assert.same({ 1, 60, { { line = 3, id = "2", reason = "runtime unknown" } } },
      { #jobs, jobs[1].wait, jobs:dropped() })
    jobs = orrery.read(folder .. "swf-max-procs.swf")
    assert.same({ 1152, 100, nil, 0 }, { jobs.machine_procs, jobs[1].walltime, jobs[2].walltime,
      jobs[3].walltime })
    assert.same({ "1 x walltime of 0 s (the first in line 3): it counts as not known" },
      jobs:describe().remarks)
  end)

  it("without names of columns are told the whole command", function()
    local ok, problem = pcall(orrery.read, folder .. "sacct-no-header.txt")
    assert.is_false(ok)
    local command = problem:match "or use (sacct [^;]*);"
    assert.truthy(bytes_of "README.md":find("`" .. command .. "`", 1, true))
    assert.matches("sacct-no-header.txt:1: a dump of sacct without the names of its columns "
      .. "(sacct -n): --header says them, or use sacct -aPX --format=JobID,", problem, 1, true)
  end)
end)

describe("a log with starts and without submissions", function()
  it("is told once what to do", function()
    local jobs = orrery.read(folder .. "starts-only.csv",
      { columns = "id=job,start=start,end=end,procs=cpus" })
    assert.same({ "the log has starts and no submissions: all jobs are submitted at second 0, "
      .. "unless --columns names a column (submit=COLUMN)" }, jobs:describe().remarks)
  end)
end)

describe("local times", function()
  it("are not called UTC", function()
    local hours = "submissions by hour (%s)"
    local jobs = orrery.read(folder .. "sacct-hour.txt")
    assert.same({ "local time", "local time" }, {
      jobs.zone, jobs:filter(function() return true end).zone })
    assert.matches(hours:format "local time", tostring(jobs:describe()), 1, true)
    jobs = orrery.read(folder .. "sacct-hour.txt", { timezone = "Europe/Stockholm" })
    assert.equal("Europe/Stockholm", jobs.zone)
    assert.matches(hours:format "Europe/Stockholm", tostring(jobs:describe()), 1, true)
    assert.equal("UTC", orrery.read(folder .. "sacct-hour.txt", { timezone = "UTC" }).zone)
    assert.equal("UTC", orrery.read(folder .. "sacct-epoch.txt").zone)
    assert.equal("UTC", orrery.read(folder .. "mira-named.csv").zone)
    assert.is_nil(orrery.read(folder .. "plain-minutes.csv").zone)
  end)

  local function times(name, options)
    local jobs, list = orrery.read(folder .. name, options), {}
    for i, job in jobs:each() do
      list[i] = { jobs:date(job.submit), job.wait or false, submit = job.submit }
    end
    return list, jobs:describe().remarks, jobs
  end

  -- By hand: on 2023-10-29 at 3:00 the clocks of Stockholm were set back to 2:00 (1:00 UTC). Job 2,
  -- submitted at 2:50 (0:50 UTC), started at the second 2:10 (1:10 UTC): 20 minutes later. Job 3
  -- ended at the second 2:20, 40 minutes after its start; job 4 took 100 minutes.
  it("of sacct are those of --timezone, also when its clocks are set back", function()
    local list, remarks, jobs = times("sacct-autumn.txt", OPTIONS["sacct-autumn.txt"])
    assert.same({ { "2023-10-29 01:00:00", 600, submit = 0 },
      { "2023-10-29 02:50:00", 1200, submit = 6600 }, { "2023-10-29 02:30:00", 600, submit = 5400 },
      { "2023-10-29 02:00:00", 600, submit = 3600 },
      { "2023-10-29 03:10:00", 600, submit = 11400 } }, list)
    assert.same({}, remarks)
    assert.equal("2023-10-29 01:00:00", jobs.origin)
    list, remarks = times("sacct-autumn.txt", {})
    assert.same({ { "2023-10-29 01:00:00", 600, submit = 0 },
      { "2023-10-29 02:50:00", false, submit = 6600 } },
      { list[1], list[2] })
    assert.equal(3, #remarks)
    assert.matches("1 x start before the submission (the first in line 3): the wait is not known; "
      .. "if these are local times of a clock that was set back, --timezone says whose clock",
      remarks[1], 1, true)
  end)

  it("are not told of --timezone where it is given", function()
    local text = "JobIDRaw|State|Submit|Start|End|ElapsedRaw|NCPUS\n1|COMPLETED|"
      .. "2023-10-29T05:05:00|2023-10-29T04:10:00|2023-10-29T02:40:00|1800|1\n"
    local jobs = require("spec.support.temporary").file("F", text, orrery.read,
      { timezone = "Europe/Berlin" })
    assert.same({ "1 x start before the submission (the first in line 2): the wait is not known",
      "1 x end before the start (the first in line 2): the elapsed time counts" },
      jobs:describe().remarks)
  end)

  -- By hand: Stockholm is 2 h ahead of UTC in July.
  it("of other dumps are those of --timezone where they say no zone", function()
    assert.same({ { "2023-07-01 12:00:00", 60, submit = 0 },
      { "2023-07-01 14:00:00", 60, submit = 7200 },
      { "2023-07-01 15:00:00", 60, submit = 10800 } },
      (times("local-dates.csv", OPTIONS["local-dates.csv"])))
  end)

  it("are not what formats define: SWF, Mira's, JSON", function()
    for _, name in ipairs { "mira-named.csv", "sacct.json", "swf-max-procs.swf" } do
      local list, _, jobs = times(name, {})
      local shown, _, shown_jobs = times(name, { timezone = "Europe/Stockholm" })
      for i, one in ipairs(list) do
        assert.equal(one.submit, shown[i].submit)
        assert.equal(one[2], shown[i][2])
      end
      assert.equal(jobs.origin, require("orrery.core").in_zone(shown_jobs, "UTC").origin)
    end
  end)

  it("are given by the option of commands, and an unknown zone is refused", function()
    local path = folder .. "sacct-autumn.txt"
    local _, out = program.run(".", "log " .. path .. " --timezone Europe/Stockholm")
    assert.matches("submitted 2023-10-29 01:00:00 to 2023-10-29 03:10:00", out, 1, true)
    assert.no.matches("start before the submission", out)
    local status, printed = program.run(".", "replay " .. path
      .. " --procs 16 --timezone Europe/Stockholm")
    assert.equal(0, status)
    assert.no.matches("start before the submission", printed)
    assert.equal(2, (program.run(".", "log " .. path .. " --timezone Europe/Nowhere")))
    local ok, problem = pcall(orrery.read, path, { timezone = "Europe/Nowhere" })
    assert.is_false(ok)
    assert.matches("Europe/Nowhere", problem, 1, true)
  end)
end)

describe("the machine", function()
  it("is Mira's where the log says so or does not say, and else not known", function()
    local jobs = orrery.read(folder .. "mira-named.csv")
    assert.same({ 49152, {} }, { jobs.machine_procs, jobs:describe().remarks })
    jobs = orrery.read(folder .. "mira-odd.csv", { wide = "keep" })
    assert.equal(49152, jobs.machine_procs)
    assert.matches("Mira's 49152 nodes are taken", jobs:describe().remarks[1], 1, true)
    assert.same({}, orrery.read(folder .. "mira-odd.csv", { wide = "keep", procs = 512 })
      :describe().remarks)
    for _, name in ipairs { "mira-other-machine.csv", "mira-mixed.csv" } do
      jobs = orrery.read(folder .. name)
      assert.same({ nil, {}, 2 }, { jobs.machine_procs, jobs:describe().remarks, #jobs })
      local status, out, problem = program.run(".", "replay " .. folder .. name)
      assert.same({ 2, "" }, { status, out })
      assert.matches("does not say how many processors the machine has: give --procs N", problem, 1,
        true)
      assert.equal(0, (program.run(".", "replay " .. folder .. name .. " --procs 4360")))
    end
  end)

  -- The size is a column, so that other readers of CSV read these files as before.
  it("of generated logs and of schedules is read back", function()
    local jobs = orrery.lublin { count = 20, procs = 96, seed = 3 }
    local temporary = require "spec.support.temporary"
    local again = temporary.file("F", jobs:csv(), orrery.read)
    assert.same({ 96, jobs:csv() }, { again.machine_procs, again:csv() })
    local dir = program.folder()
    program.write(dir, "log.csv", jobs:csv())
    assert.equal(0, (program.run(dir, "replay log.csv --procs 128 --quiet --schedule s.csv")))
    assert.equal(128, orrery.read(dir .. "/s.csv").machine_procs)
    assert.equal(0, (program.run(dir, "replay s.csv --quiet")))
    program.remove(dir)
  end)

  it("that is guessed is told in every output", function()
    for _, command in ipairs { "replay %s --wide drop", "log %s",
      "compare %s --wide drop --policy easy --policy fcfs" } do
      local path = folder .. "mira-odd.csv"
      local _, out = program.run(".", command:format(path))
      local _, given = program.run(".", command:format(path) .. " --procs 512")
      assert.matches("note: the log names no machine: Mira's 49152 nodes are taken, --procs says "
        .. "otherwise\n", out, 1, true)
      assert.no.matches("names no machine", given, 1, true)
    end
  end)
end)

describe("a map of columns", function()
  local function refused(columns, message)
    local ok, problem = pcall(orrery.read, folder .. "unix.csv", { columns = columns })
    assert.is_false(ok)
    assert.equal(message, problem)
  end

  it("that is none is refused, with what was expected", function()
    refused("submit", 'columns: expected FIELD=COLUMN with one of the fields id, submit, start, '
      .. 'end, procs, requested, machine, runtime, walltime, wait, think, checkpoint, recovery, '
      .. 'after, user, queue, '
      .. 'partition, status, asks, found "submit"')
    refused("procs=a,procs=b", "columns: procs is given twice")
    refused("procs=a", "columns: runtime=COLUMN is missing, or start=COLUMN and end=COLUMN")
    refused("runtime=a,start=b", "columns: procs=COLUMN is missing: how many processors a job has")
    refused("procs=a,runtime=b:weeks", 'columns: runtime: expected one of the units s, ms, us, ns, '
      .. 'min, h, d, found "weeks"')
    refused("procs=a,runtime=b,submit=c:%Y-%q", "columns: submit: a format may have %Y %y %m %b %d "
      .. '%H %I %M %S %f %p %z %%, not "%q"')
    refused("procs=a:x,runtime=b", 'columns: procs: expected a number of processors that each '
      .. 'counts, found "x"')
    refused("procs=a,runtime=b,user=c:d", 'columns: user: a text has no unit, found "d"')
    refused("procs=,runtime=b", "columns: procs: the name of its column is missing")
    refused("procs=" .. ("a"):rep(2000), "columns: a text of more than 1024 bytes")
    refused("procs=nodes,runtime=t", folder .. "unix.csv:1: column t is missing in what looks "
      .. "like a log with the columns given; there are: job, nodes, t_submit, t_start, t_end")
  end)

  it("is a layer over a log that is recognised", function()
    local function read(text, options)
      return require("spec.support.temporary").file("F", text, orrery.read, options)
    end
    local mira = "COBALT_JOBID,QUEUED_TIMESTAMP,START_TIMESTAMP,RUNTIME_SECONDS,NODES_USED,"
      .. "QUEUE_NAME,LIMIT\n1,2019-06-01 00:00:00,2019-06-01 00:01:00,60,512,prod,2\n"
    local jobs = read(mira, { columns = "walltime=LIMIT:h,user=QUEUE_NAME" })
    local job = jobs[1]
    assert.same({ 7200, "prod", "prod", 60, 512, 49152 },
      { job.walltime, job.user, job.queue, job.wait, job.procs, jobs.machine_procs })
    local attempts = "job_id,submission_time,requested_number_of_resources,execution_time\n"
      .. "7#1,0,4,10\n7,0,4,60\n"
    jobs = read(attempts, { columns = "procs=requested_number_of_resources:2" })
    assert.same({ 1, 8, "part of a job that has a record of its own" },
      { #jobs, jobs[1].procs, jobs:dropped()[1].reason })
    -- A log with bars that has some of Slurm's names is none of Slurm's.
    jobs = read("User|Start|End|n\nann|10|20|4\n", { columns = "start=Start,end=End,procs=n" })
    assert.equal(10, jobs[1].runtime)
    local ok, problem = pcall(read, "id,procs,runtime\n1,2,3\n", { columns = "user=who" })
    assert.is_false(ok)
    assert.matches("column who is missing in what looks like a plain CSV log; there are: id, "
      .. "procs, runtime", problem, 1, true)
  end)

  it("leaves out rows that were not asked for, and says so", function()
    local function refuses(rows, message)
      local ok, problem = pcall(orrery.read, folder .. "unix.csv", { rows = rows })
      assert.is_false(ok)
      assert.equal(message, problem)
    end
    for _, rows in ipairs { "State", "=x", "a,b=c" } do
      refuses(rows, "rows: expected COLUMN=WORD or COLUMN!=WORD, with bars between several words, "
        .. ('found "%s"'):format(rows:match "^[^,]+"))
    end
    local ok, problem = pcall(orrery.read, folder .. "sacct-tabs.txt", { rows = "Nodes=3" })
    assert.is_false(ok)
    assert.matches("column Nodes is missing in a dump of sacct", problem, 1, true)
    ok, problem = pcall(orrery.read, folder .. "swf-text-in-numbers.swf", { rows = "Nodes=3" })
    assert.is_false(ok)
    assert.matches("--rows is about a log whose columns have names", problem, 1, true)
    local status, out = program.run(".", "replay " .. folder .. "plain-colons.csv --procs 8 "
      .. "--delimiter colon --rows user=ann")
    assert.equal(0, status)
    assert.matches("1 record of the log was left out: 1 x not among the rows asked for", out, 1,
      true)
    assert.equal(2, (program.run(".", "replay x.csv --procs 8 --delimiter x")))
  end)

  it("reads times in every unit and format", function()
    local function one(columns, header, row)
      return require("spec.support.temporary").file("F", header .. "\n" .. row .. "\n",
        orrery.read, { columns = columns })
    end
    for unit, seconds in pairs { s = 1, ms = 1e-3, us = 1e-6, min = 60, h = 3600, d = 86400 } do
      local job = one("procs=p,runtime=t:" .. unit .. ",submit=s:" .. unit, "p,t,s", "2,3,5")[1]
      assert.equal(3 * seconds, job.runtime)
      assert.equal(5 * seconds, job.submit)
    end
    for format, text in pairs {
      ["%Y-%m-%dT%H:%M:%S"] = "2023-03-01T13:05:09", ["%F %T"] = "2023-03-01 13:05:09",
      ["%d/%b/%Y:%I:%M:%S %p"] = "01/Mar/2023:01:05:09 PM", ["%y%m%d%H%M%S"] = "230301130509",
      ["%d.%m.%Y %H:%M:%S.%f"] = "1.3.2023 13:05:09.0", ["%F %T %z"] = "2023-03-01 15:05:09 +02:00",
      unix = "1677675909", ["unix-ms"] = "1677675909000",
    } do
      local jobs = one("procs=p,runtime=t,submit=s:" .. format, "p,t,s", "2,3," .. text)
      assert.equal("2023-03-01 13:05:09", jobs.origin, format)
    end
    local job = one("procs=p:4,runtime=t,walltime=w", "p;t;w", "2;1:00:00;2-00:00:00")[1]
    assert.same({ 8, 3600, 172800 }, { job.procs, job.runtime, job.walltime })
    assert.equal(7, one({ procs = "a,b", runtime = "t" }, '"a,b",t', "7,3")[1].procs)
  end)
end)
