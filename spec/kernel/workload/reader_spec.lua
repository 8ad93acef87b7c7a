-- The readers: what they make of good files, and what they say of bad ones.
local orrery = require "orrery"
local logs = require "spec.support.logs"
local native = require "native_workload"
local temporary = require "spec.support.temporary"
local rounds = require "spec.support.rounds"

local fixtures = "spec/fixtures/workload/"
local FIXTURES = { "plain.csv", "mira.csv", "small.swf", "sacct.txt", "batsim.json" }

local function bytes_of(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read "a"
  file:close()
  return bytes
end

local function gzip(bytes, options)
  return temporary.file("FILE", bytes, function(path)
    local pipe = assert(io.popen("gzip -nc " .. (options or "") .. " " .. path, "r"))
    local zipped = pipe:read "a"
    pipe:close()
    return zipped
  end)
end

-- A job as a plain table, without its old name of the runtime.
local function plain(job)
  assert.equal(job.runtime, job.time)
  job.time = nil
  return job
end

-- A workload as plain tables.
local function list(jobs)
  local result = {}
  for i, job in jobs:each() do result[i] = plain(job) end
  return result
end

local function read(bytes, options)
  return temporary.file("FILE", bytes, function(path) return orrery.read(path, options) end)
end

-- assert.error takes what looks like a position off the message: ours begin with one.
local function fails(path, message)
  assert.same({ false, message }, { pcall(orrery.read, path, { strict = true }) })
end

describe("a good file", function()
  it("in plain CSV", function()
    local jobs = orrery.read(fixtures .. "plain.csv")
    assert.same({
      { id = "a1", submit = 0, procs = 4, runtime = 100, walltime = 120, area = 400 },
      { id = "b-2", submit = 10.5, procs = 512, runtime = 512, area = 262144 },
      { id = "c,3", submit = 20, procs = 1, runtime = 0.1, walltime = 0.25, area = 0.1 },
      { id = "4", submit = 30, procs = 2147483647, runtime = 0, walltime = 0, area = 0 },
    }, list(jobs))
    assert.is_nil(jobs.machine_procs)
    assert.is_nil(jobs.origin)
    assert.same({}, jobs:dropped())
  end)

  it("in Mira's format", function()
    local jobs = orrery.read(fixtures .. "mira.csv")
    assert.same({
      { id = "1001", submit = 2591999.999999, procs = 512, runtime = 37, walltime = 3600,
        area = 18944 },
      { id = "1002", submit = 0, procs = 49152, runtime = 86494, area = 49152.0 * 86494 },
      { id = "1003", submit = 131400.5, procs = 1024, runtime = 100, walltime = 7200,
        area = 102400 },
      { id = "1004", submit = 172800, procs = 2048, runtime = 100, walltime = 7200,
        area = 204800 },
    }, list(jobs))
    assert.equal(49152, jobs.machine_procs)
    assert.equal("2019-06-01 00:00:00", jobs.origin)
    assert.same({
      { line = 6, id = "1005", reason = "number of processors unknown" },
      { line = 7, id = "1006", reason = "runtime unknown" },
      { line = 8, id = "1007", reason = "submission time unknown" },
    }, jobs:dropped())
  end)

  it("in the Standard Workload Format", function()
    local jobs = orrery.read(fixtures .. "small.swf")
    assert.same({
      { id = "1", submit = 0, procs = 32, runtime = 31405, walltime = 37980, area = 32 * 31405,
        wait = 308434, user = "1", partition = "1", status = "completed" },
      { id = "3", submit = 12.5, procs = 30, runtime = 0, area = 0, wait = 0, user = "7",
        queue = "2", status = "failed" },
      { id = "6", submit = 86400, procs = 3, runtime = 10, walltime = 60, area = 30, wait = 0,
        partition = "1", status = "cancelled" },
    }, list(jobs))
    assert.equal(240, jobs.machine_procs)
    assert.equal("2002-07-28 07:04:05", jobs.origin)
    assert.same({
      { line = 9, id = "2", reason = "runtime unknown" },
      { line = 12, id = "4", reason = "submission time unknown" },
      { line = 13, id = "5", reason = "number of processors unknown" },
    }, jobs:dropped())
  end)

  it("in SWF, with several jobs before one", function()
    local function jobs_of(field, value)
      local row = { 2, 5, 0, 9, 1, -1, -1, 1, 9, -1, 1, 1, 1, 1, 1, 1, -1, -1 }
      row[field] = value
      local jobs, found = read("1 0 0 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n"
        .. table.concat(row, " ") .. "\n", { dependencies = true }), {}
      for i, job in jobs:each() do found[i] = tostring(job.after) end
      return found, jobs:dropped()[1]
    end
    for text, after in pairs { ["1"] = "1", ["1&3"] = "1 3", ["3&1"] = "3 1", ["-1"] = "nil" } do
      assert.same({ "nil", after }, (jobs_of(17, text)))
    end
    for text, name in pairs { ["1&x"] = "17 (preceding job)", ["1&4"] = "12 (user)" } do
      local found, dropped = jobs_of(tonumber(name:match "%d+"), text)
      assert.same({ "nil" }, found)
      assert.equal(("field %s: expected a number, found \"%s\""):format(name, text), dropped.detail)
    end
  end)

  it("has labels where the log knows them", function()
    local jobs = read("status,id,user,procs,time,partition,queue\n"
      .. 'completed,1,ann,2,3,,"a, b"\n,2,,2,3,big,\n,3,ann,2,3,,\n')
    assert.same({
      { id = "1", submit = 0, procs = 2, runtime = 3, area = 6, user = "ann", queue = "a, b",
        status = "completed" },
      { id = "2", submit = 0, procs = 2, runtime = 3, area = 6, partition = "big" },
      { id = "3", submit = 0, procs = 2, runtime = 3, area = 6, user = "ann" },
    }, list(jobs))
    local mira = read("EXIT_CODE,QUEUED_TIMESTAMP,RUNTIME_SECONDS,NODES_USED,USERNAME_GENID,"
      .. "EXIT_STATUS,QUEUE_NAME\n"
      .. "1,2019-06-01 00:00:00,1,1,user7,0.0,prod-long\n"
      .. "0,2019-06-01 00:00:00,1,1,,143,\n"
      .. "0,2019-06-01 00:00:00,1,1,user7,,prod-long\n"
      .. "1,2019-06-01 00:00:00,1,1,user8,,\n"
      .. ",2019-06-01 00:00:00,1,1,user8,KILLED,\n"
      .. ",2019-06-01 00:00:00,1,1,,,\n")
    local found = {}
    for i, job in mira:each() do
      found[i] = ("%s %s %s %s"):format(job.user, job.queue, job.partition, job.status)
    end
    assert.same({ "user7 prod-long nil completed", "nil nil nil failed",
      "user7 prod-long nil completed", "user8 nil nil failed", "user8 nil nil KILLED",
      "nil nil nil nil" }, found)
  end)

  it("takes MaxNodes where there is no MaxProcs, and no origin where there is none", function()
    local line = ("1 "):rep(18) .. "\n"
    local jobs = read("; MaxNodes: 77\n" .. line)
    assert.equal(77, jobs.machine_procs)
    assert.is_nil(jobs.origin)
    assert.is_nil(read(line).machine_procs)
    assert.is_nil(read("; MaxProcs: -1\n; Note: MaxProcs: 5\n" .. line).machine_procs)
  end)

  it("has its columns in any order, and others between them", function()
    local jobs = read("x,time,walltime,id,procs,y\nq,5,,n,2,\n")
    assert.same({ { id = "n", submit = 0, procs = 2, runtime = 5, area = 10 } }, list(jobs))
    jobs = read("NODES_REQUESTED,RUNTIME_SECONDS,QUEUED_TIMESTAMP\n4,5,2019-06-01T00:00:01\n")
    assert.same({ { id = "1", submit = 0, procs = 4, runtime = 5, area = 20 } }, list(jobs))
    assert.equal("2019-06-01 00:00:01", jobs.origin)
  end)

  it("is plain when id, procs and runtime are there, whatever else is", function()
    for _, name in ipairs { "runtime", "time" } do
      local jobs = read("id,procs," .. name .. ",NODES_USED\n1,2,3,4\n")
      assert.equal(2, jobs[1].procs)
      assert.is_nil(jobs.machine_procs)
    end
  end)

  it("may have the runtime by its old name", function()
    local new = read("id,submit,procs,runtime,walltime\na,5,2,30,40\nb,6,3,,1\n")
    local old = read("id,submit,procs,time,walltime\na,5,2,30,40\nb,6,3,,1\n")
    assert.same({ { id = "a", submit = 5, procs = 2, runtime = 30, walltime = 40, area = 60 } },
      list(new))
    assert.same(list(new), list(old))
    assert.same(new:dropped(), old:dropped())
    assert.equal("id,submit,procs,runtime,walltime\na,5,2,30,40\n", new:csv())
    assert.equal(new:csv(), old:csv())
    assert.equal(new:csv(), read(new:csv()):csv())
  end)

  it("may have a byte order mark, CRLF, CR alone, blank lines, blanks, no last newline", function()
    for _, name in ipairs(FIXTURES) do
      local bytes = bytes_of(fixtures .. name)
      local expected = assert(native.feed(bytes, #bytes))
      for _, changed in ipairs {
        "\xEF\xBB\xBF" .. bytes,
        bytes:gsub("\n", "\r\n"),
        bytes:gsub("\n+$", ""),
        gzip(bytes),
        gzip("\xEF\xBB\xBF" .. bytes),
      } do
        assert.equal(expected, (native.feed(changed, #changed)))
      end
    end
    local bytes = bytes_of(fixtures .. "plain.csv")
    local expected = native.feed(bytes, #bytes)
    assert.equal(expected, (native.feed((bytes:gsub("\n", "\r")), 7)))
    assert.equal(expected, (native.feed("\n \n" .. bytes:gsub("\n", "\n\n\t\n"), 7)))
    bytes = bytes:gsub("c,3", "c3") -- blanks around a comma go, those in quotes stay
    assert.equal((native.feed(bytes, 7)), (native.feed(bytes:gsub(",", " ,\t"), 7)))
  end)

  it("may begin with more blanks than are looked at to tell the format", function()
    for _, blank in ipairs { " ", "\n", "\t\n" } do
      local bytes = blank:rep(200000)
      for _, piece in ipairs { 1000, #bytes } do
        local jobs, message = native.feed(bytes, piece)
        assert.is_nil(jobs)
        assert.matches("^fed: .*no job", message)
      end
    end
  end)

  it("may be gzip in several members with padding behind", function()
    local bytes = bytes_of(fixtures .. "plain.csv")
    local zipped = gzip(bytes:sub(1, 50)) .. gzip(bytes:sub(51)) .. "\0\0\0"
    for _, piece in ipairs { 1, 2, 3, 100, #zipped } do
      assert.equal(native.feed(bytes, #bytes), (native.feed(zipped, piece)))
    end
  end)

  it("gives the same for every size of the pieces it comes in #long", function()
    for _, name in ipairs(FIXTURES) do
      local bytes = bytes_of(fixtures .. name)
      for _, variant in ipairs {
        bytes, "\xEF\xBB\xBF" .. bytes:gsub("\n", "\r\n"), gzip(bytes),
      } do
        local expected = assert(native.feed(variant, #variant))
        for piece = 1, #variant do
          assert.equal(expected, (native.feed(variant, piece)))
        end
      end
    end
  end)

  it("is read the same from every prefix in every size of pieces, errors included", function()
    for _, name in ipairs(FIXTURES) do
      local bytes = bytes_of(fixtures .. name):sub(1, 260):gsub("\n", "\r\n")
      for length = 0, #bytes do
        local prefix = bytes:sub(1, length)
        local expected = table.pack(native.feed(prefix, length + 1))
        for _, piece in ipairs { 1, 2, 3, 7, 64 } do
          assert.same(expected, table.pack(native.feed(prefix, piece)))
        end
      end
    end
  end)
end)

describe("a damaged file", function()
  -- A byte changed, a piece lost, or a piece twice.
  local function damage(rng, bytes)
    local at, length = rng:integer(1, #bytes), rng:integer(1, 30)
    local kind = rng:integer(1, 3)
    if kind == 1 then
      local byte = ({ "|", ",", '"', "-", "9", "\n", " ", "}", ":", "\xff", "e", "." })
        [rng:integer(1, 12)]
      return bytes:sub(1, at - 1) .. byte .. bytes:sub(at + 1)
    elseif kind == 2 then
      return bytes:sub(1, at - 1) .. bytes:sub(at + length)
    end
    return bytes:sub(1, at + length) .. bytes:sub(at)
  end

  local function refused(rng, bytes, strict)
    local whole = table.pack(native.feed(bytes, #bytes + 1, strict))
    assert.same(whole, table.pack(native.feed(bytes, rng:integer(1, 40), strict)))
    if whole[1] then return 0, whole[1] end
    assert.equal(3, whole[3])
    assert.matches("^fed:%d*:? ", whole[2])
    return 1
  end

  it("is read, or an error says where, the same for every size of pieces", function()
    local rng = orrery.random(77)
    for _, name in ipairs(FIXTURES) do
      local bytes, strict, lenient = bytes_of(fixtures .. name), 0, 0
      for _ = 1, rounds(300, 300, 25) do
        local damaged = damage(rng, damage(rng, bytes))
        local bad, all = refused(rng, damaged, true)
        local worse, some = refused(rng, damaged, false)
        assert.is_true(worse <= bad) -- what a strict reader takes is read by any, and the same
        if all then assert.equal(all, some) end
        strict, lenient = strict + bad, lenient + worse
      end
      assert.is_true(strict > 20 and strict < 300 and lenient < strict)
    end
  end)
end)

-- What was left out: "id reason" after each other.
local function dropped(jobs)
  local found = {}
  for i, record in ipairs(jobs:dropped()) do found[i] = record.id .. " " .. record.reason end
  return table.concat(found, ", ")
end

local function ids(jobs)
  local found = {}
  for i, job in jobs:each() do found[i] = job.id end
  return table.concat(found, " ")
end

-- A line of SWF: id, run time, processors, status.
local function swf(id, run, procs, status)
  return ("%s 0 5 %s %s -1 -1 %s 60 -1 %s -1 -1 -1 -1 -1 -1 -1\n"):format(id, run, procs, procs,
    status)
end

describe("reading a part", function()
  local log = "; MaxProcs: 8\n" .. swf(1, 10, 2, 1) .. swf(2, 20, 2, 0) .. swf(3, 0, 2, 5)
    .. swf(4, 7, 2, 5) .. swf(5, -1, 2, 5) .. swf(6, 9, 2, -1)

  it("by status", function()
    assert.equal("1 2 3 4 6", ids(read(log)))
    assert.equal("1", ids(read(log, { status = "completed" })))
    assert.equal("1 3 4", ids(read(log, { status = "completed,cancelled" })))
    local some = read(log, { status = { "failed", "unknown" } })
    assert.equal("2 6", ids(some))
    assert.equal("1 of another status, 3 of another status, 4 of another status, "
      .. "5 runtime unknown", dropped(some))
    local path = fixtures .. "small.swf"
    assert.equal("6", ids(orrery.read(path, { status = "cancelled" })))
    local ok, problem = pcall(read, log, { status = "done" })
    assert.is_false(ok)
    assert.matches("no job is left: all 6 records were dropped, the first in line 2 %(of another "
      .. "status%): %-%-status says which are kept$", problem)
  end)

  it("without jobs that never ran", function()
    local ran = read(log, { ran = true })
    assert.equal("1 2 4 6", ids(ran))
    assert.equal("3 cancelled before it ran, 5 runtime unknown", dropped(ran))
    assert.equal("1 2 3", ids(read(swf(1, 0, 2, 1) .. swf(2, 0, 2, 0) .. swf(3, 0, 2, -1),
      { ran = true })))
  end)

  it("counts a job that was swapped out once, by the line of the whole of it", function()
    local jobs = read(swf(1, 10, 2, 1) .. swf(2, 30, 2, 0) .. swf(2, 10, 2, 2) .. swf(2, 20, 2, 4)
      .. swf(3, 5, 2, 1) .. swf(4, 5, 2, 2) .. swf(4, 6, 2, 3))
    assert.equal("1 2 3", ids(jobs))
    assert.equal(30, jobs[2].time)
    assert.equal("failed", jobs[2].status)
    local part = " part of a job that has a record of its own"
    local lone = " partial execution of a job without a record of its own"
    assert.equal("2" .. part .. ", 2" .. part .. ", 4" .. lone .. ", 4" .. lone, dropped(jobs))
  end)

  it("with jobs wider than the machine", function()
    local wide = "; MaxProcs: 8\n; MaxNodes: 2\n" .. swf(1, 10, 8, 1) .. swf(2, 20, 9, 0)
      .. swf(3, -1, 9, 5)
    local message = ':4: field 8 (requested processors): expected at most the 8 processors of the '
      .. 'machine (MaxProcs) (--wide drop leaves wider jobs out), found "9"'
    temporary.file("FILE", wide, function(path) fails(path, path .. message) end)
    assert.equal("1 2", ids(read(wide, { wide = "keep" })))
    assert.equal("1", ids(read(wide, { status = "completed" }))) -- it is left out before
    local some = read(wide, { wide = "drop" })
    assert.equal("1", ids(some))
    assert.equal("2 wider than the machine, 3 runtime unknown", dropped(some))
    assert.equal("1 2", ids(read((wide:gsub("MaxProcs", "Procs")))))
    local mira = "QUEUED_TIMESTAMP,RUNTIME_SECONDS,NODES_USED\n2019-06-01 00:00:00,1,49152\n"
      .. "2019-06-01 00:00:00,1,49153\n"
    temporary.file("FILE", mira, function(path)
      fails(path, path .. ':3: column 3 (NODES_USED): expected at most the 49152 processors of '
        .. 'Mira (--wide drop leaves wider jobs out), found "49153"')
    end)
    assert.equal(1, #read(mira, { wide = "drop" }))
    assert.equal(2, #read((mira:gsub("USED", "REQUESTED,NODES_USED"):gsub("\n2(.-)\n",
      "\n2%1,512\n"):gsub("(49153)\n", "%1,512\n"))))
  end)

  it("refuses other options", function()
    local function refused(options, message)
      local ok, found = pcall(orrery.read, fixtures .. "small.swf", options)
      assert.is_false(ok)
      assert.equal(message, (found:gsub("^[^ ]*spec.lua:%d+: ", "")))
    end
    refused({ statu = "x" }, "read: unknown field 'statu', did you mean 'status'? "
      .. "(known: columns, count, damaged, delimiter, dependencies, format, header, machine, "
      .. "origin, pools, procs, procs_of, ran, rows, status, strict, submitted, threads, timezone, "
      .. "wide)")
    refused({ status = 5 }, "read: status: expected a text or a list of texts, found number")
    refused({ status = "a,,b" }, 'status: an empty status in the list of statuses "a,,b"')
    local many = ("a,"):rep(33) .. "a"
    refused({ status = many }, ('status: more than 32 statuses: "%s"'):format(many))
    refused({ ran = 1 }, "read: ran: expected true or false, found '1'")
    refused({ wide = "no" }, "read: wide: expected one of error, drop, keep, found 'no'")
    refused({ count = 5 }, "read: count: expected one of cpus, nodes, found '5'")
    refused("all", "read: expected a table, found string")
  end)
end)

describe("numbers", function()
  it("are what strtod makes of them", function()
    local rng = orrery.random(5)
    local function digits(n)
      local text = ""
      for _ = 1, n do text = text .. rng:integer(0, 9) end
      return text
    end
    for _ = 1, rounds(20000, 20000, 5000) do
      local text = digits(rng:integer(1, 20))
      if rng:integer(0, 1) == 1 then text = text .. "." .. digits(rng:integer(0, 24)) end
      if rng:integer(0, 3) == 0 then text = text .. "e" .. rng:integer(-30, 30) end
      if rng:integer(0, 3) == 0 then text = "-" .. text end
      assert.equal(native.strtod(text), native.number(text), text)
    end
    for _, text in ipairs { "0", "-0", "9007199254740993", "9007199254740992.5", ".5", "5.", "+7",
      "18446744073709551615", "9999999999999999999", "1e308", "4.9e-324", "1e-400",
      "0.1000000000000000055511151231257827021181583404541015625" } do
      assert.equal(native.strtod(text), native.number(text), text)
    end
  end)

  it("are nothing else", function()
    for _, text in ipairs { "", " ", "-", "+", ".", "1 ", " 1", "1e", "1e+", "0x10", "inf", "nan",
      "1e999", "1,5", "--1", "1.2.3", "12a", "1\0" } do
      assert.is_nil(native.number(text), text)
    end
  end)

  it("may be as long as a program prints them", function()
    assert.equal(1, native.number("1." .. ("0"):rep(1000)))
    assert.is_nil(native.number("1." .. ("0"):rep(2000)))
  end)
end)

describe("a bad file", function()
  local good = ("1 "):rep(17) .. "1\n"

  -- { what, bytes, message }; the message stands behind the name of the file.
  local cases = {
    { "empty", "", ": the file is empty" },
    { "blank lines only", "\n \n\n", ": nothing but blank lines" },
    { "a header only", "id,procs,time\n", ": there is a header, but no job" },
    { "a header without newline", "id,procs,time", ": there is a header, but no job" },
    { "comments only", "; MaxProcs: 3\n", ": there is a header, but no job" },
    { "nothing but dropped records", "id,procs,time\n1,,3\n2,3,\n",
      ": no job is left: all 2 records were dropped, the first in line 2 "
      .. "(number of processors unknown)" },
    { "text for a number", "id,time,procs\n\n1,abc,4\n",
      ':3: column 2 (time): expected a number of seconds, found "abc"' },
    { "a negative time", "id,procs,time\n1,2,-5\n",
      ':2: column 3 (time): expected a number of seconds >= 0, found "-5"' },
    { "a negative submission", "id,procs,time,submit\n1,2,5,-1\n",
      ':2: column 4 (submit): expected a number of seconds >= 0, found "-1"' },
    { "an infinite time", "id,procs,time\n1,2,inf\n",
      ':2: column 3 (time): expected a number of seconds, found "inf"' },
    { "half a processor", "id,procs,time\n1,2.5,5\n",
      ':2: column 2 (procs): expected a whole number of processors, found "2.5"' },
    { "no processor", "id,procs,time\n1,0,5\n",
      ':2: column 2 (procs): expected a number of processors from 1 to 2147483647, found "0"' },
    { "too many processors", "id,procs,time\n1,2147483648,5\n",
      ':2: column 2 (procs): expected a number of processors from 1 to 2147483647, '
      .. 'found "2147483648"' },
    { "no id", "id,procs,time\n,1,5\n",
      ":2: column 1 (id): expected the id of a job, found nothing" },
    { "too few fields", "id,procs,time\r\n1,2,3\r\n1,2\r\n",
      ":3: expected 3 fields as in the header, found 2" },
    { "too many fields", "id,procs,time\n1,2,3,4\n",
      ":2: expected 3 fields as in the header, found 4" },
    { "a cut line", "id,procs,time\n1,2,3\n1,2",
      ":3: expected 3 fields as in the header, found 2" },
    { "a missing column", "id,procs,when\n1,2,3\n",
      ":1: column runtime is missing in what looks like a plain CSV log; there are: id, procs, "
      .. "when" },
    { "a runtime and its old name", "id,time,procs,runtime\n1,2,3,4\n",
      ":1: columns 4 (runtime) and 2 (time) are the same: time is the old name of runtime; leave "
      .. "one out" },
    { "a runtime and its old name, the same in all rows", "id,procs,runtime,time\n1,2,3,3\n",
      ":1: columns 3 (runtime) and 4 (time) are the same: time is the old name of runtime; leave "
      .. "one out" },
    { "a runtime that is none", "id,procs,runtime\n1,2,x\n",
      ':2: column 3 (runtime): expected a number of seconds, found "x"' },
    { "Mira without sizes", "\nQUEUED_TIMESTAMP,RUNTIME_SECONDS\n",
      ":2: column NODES_USED (or NODES_REQUESTED) is missing in what looks like Mira's job log; "
      .. "there are: QUEUED_TIMESTAMP, RUNTIME_SECONDS" },
    { "Mira without runtimes", "QUEUED_TIMESTAMP,NODES_USED\n",
      ":1: column RUNTIME_SECONDS is missing in what looks like Mira's job log; there are: "
      .. "QUEUED_TIMESTAMP, NODES_USED" },
    { "the same column twice", "id,procs,time,procs\n",
      ':1: columns 2 and 4 have the same name, "procs"' },
    { "another header", "a,,b\n1,2,3\n",
      ":1: not a job log: expected Mira's CSV (columns QUEUED_TIMESTAMP, RUNTIME_SECONDS, "
      .. "NODES_USED), plain CSV (columns id, procs, runtime), out_jobs.csv of Batsim or a "
      .. "schedule (columns job_id, submission_time, requested_number_of_resources, "
      .. "execution_time), a dump of sacct (sacct -P), JSON of Batsim or of sacct --json or the "
      .. "Standard Workload Format; "
      .. "the first line has: a, (no name), b (--columns says what the columns of another CSV are, "
      .. "--header what those of a log without a first line of names are)" },
    { "half a timestamp", "QUEUED_TIMESTAMP,RUNTIME_SECONDS,NODES_USED\n2019-06-01 00:1",
      ':2: column 1 (QUEUED_TIMESTAMP): expected a time as YYYY-MM-DD HH:MM:SS, '
      .. 'found "2019-06-01 00:1"' },
    { "a timestamp without seconds",
      "QUEUED_TIMESTAMP,RUNTIME_SECONDS,NODES_USED\n2019-06-01 00:10,1,1\n",
      ':2: column 1 (QUEUED_TIMESTAMP): expected a time as YYYY-MM-DD HH:MM:SS, '
      .. 'found "2019-06-01 00:10"' },
    { "a day that does not exist",
      "QUEUED_TIMESTAMP,RUNTIME_SECONDS,NODES_USED\n2019-02-29 00:10:00,1,1\n",
      ':2: column 1 (QUEUED_TIMESTAMP): expected a time as YYYY-MM-DD HH:MM:SS, '
      .. 'found "2019-02-29 00:10:00"' },
    { "negative nodes",
      "QUEUED_TIMESTAMP,RUNTIME_SECONDS,NODES_USED\n2019-02-28 00:10:00,1,-1\n",
      ':2: column 3 (NODES_USED): expected a number of processors from 0 to 2147483647, '
      .. 'found "-1"' },
    { "long garbage", "id,procs,time\n1,2," .. ("x"):rep(50) .. "\n",
      ':2: column 3 (time): expected a number of seconds, found "' .. ("x"):rep(40) .. '..."' },
    { "unprintable garbage", "id,procs,time\n1,2,\"a\n\1\xC3\xA9\"\"\"\n",
      ':2: column 3 (time): expected a number of seconds, found "a\\n\\x01\\xc3\\xa9\\""' },
    { "an error behind a newline in quotes", "id,procs,time\n\"1\n2\",2,3\n2,x,1\n",
      ':4: column 2 (procs): expected a whole number of processors, found "x"' },
    { "the same with CRLF", "id,procs,time\r\n\"1\r\n2\",2,3\r\n\r\n2,x,1\r\n",
      ':5: column 2 (procs): expected a whole number of processors, found "x"' },
    { "the same with CR", "id,procs,time\r\"1\r2\",2,3\r\r2,x,1\r",
      ':5: column 2 (procs): expected a whole number of processors, found "x"' },
    { "an error in a row of several lines", "id,procs,time\n\"1\n2\",x,3\n",
      ':2: column 2 (procs): expected a whole number of processors, found "x"' },
    { "a quote that is not closed", "id,procs,time\n1,2,3\n\"2,3,4\n3,4,5\n",
      ":3: a quoted field of the row that begins here is not closed" },
    { "a quote in the middle", "id,procs,time\n1,2,3\"4\n",
      ':2: column 3: a quote (") inside a field without quotes, or text behind a closing quote' },
    { "text behind a quote", "id,procs,time\n1,\"2\"x,3\n",
      ':2: column 2: a quote (") inside a field without quotes, or text behind a closing quote' },
    { "a very long field", "id,procs,time\n1,\"" .. ("y\n"):rep(600000),
      ":2: a field of more than 1 MiB: a closing quote is missing" },
    { "binary data", "\x7fELF\2\1\1\0\0\0",
      ":1: not a job log: binary data (a zero byte) where text is due" },
    { "a zero byte later", "id,procs,time\n1,2,3\n\0",
      ":3: binary data (a zero byte) where text is due" },
    { "SWF with too few fields", "; x\n\n" .. good .. "1 2 3\n",
      ":4: expected 18 fields, found 3" },
    { "SWF cut in the middle", good .. good:sub(1, 20),
      ':2: expected 18 fields, found 10 (a log of fewer begins with a comment: "; ...")' },
    { "SWF with text", good .. "1 2 3 x 5\n",
      ':2: field 4 (run time): expected a number, found "x"' },
    { "SWF with a negative time", (good:gsub("^1 1 1 1", "1 1 1 -2")),
      ':1: field 4 (run time): expected a number of seconds >= 0, or -1 for unknown, found "-2"' },
    { "SWF with a negative submission", (good:gsub("^1 1", "1 -3.5")),
      ':1: field 2 (submit time): expected a number of seconds >= 0, or -1 for unknown, '
      .. 'found "-3.5"' },
    { "SWF with half a processor", (good:gsub("^1 1 1 1 1", "1 1 1 1 1.5")),
      ':1: field 5 (allocated processors): expected a number of processors up to 2147483647, '
      .. 'or -1 for unknown, found "1.5"' },
    { "SWF with nothing but dropped records", (good:gsub("^1 1 1 1", "1 1 1 -1")),
      ": no job is left: the only record was dropped, in line 1 (runtime unknown)" },
    { "SWF with a zero byte in a line", good .. "2 1\0 3\n" .. good,
      ":2: binary data (a zero byte) where text is due" },
    { "SWF with a zero byte behind the lines by which it is known", good:rep(30) .. "2 1\0 3\n"
      .. good, ":31: binary data (a zero byte) where text is due" },
    { "digits without end", ("1"):rep(70000),
      ":1: not a job log: a first line of more than 65536 bytes" },
    { "one number", "17\n",
      ':1: expected 18 fields, found 1 (a log of fewer begins with a comment: "; ...")' },
  }

  for _, case in ipairs(cases) do
    it("with " .. case[1], function()
      local what, bytes, message = table.unpack(case)
      assert.is_string(what)
      temporary.file("FILE", bytes, function(path) fails(path, path .. message) end)
      local pieces = #bytes > 1000 and { 1000, 4096 } or { 1, 2, 3, 5, 8, 13, 100 }
      for _, piece in ipairs(pieces) do
        assert.same({ nil, "fed" .. message, 3 }, { native.feed(bytes, piece, true) })
      end
      local zipped = gzip(bytes)
      assert.same({ nil, "fed" .. message, 3 }, { native.feed(zipped, 3, true) })
    end)
  end

  -- In one piece, which is not kept, and in pieces, of which the line is put together.
  it("with a line that is too long, up to its end", function()
    local most, wrong = 1 << 20, "a line of more than 1 MiB"
    for lines, piece in pairs { [1] = 300000, [30] = 2 << 20 } do -- the format is known after 20
      local long = good:rep(lines) .. ("1"):rep(most + 1) .. "\n" .. good
      assert.same({ nil, ("fed:%d: %s"):format(lines + 1, wrong), 3 },
        { native.feed(long, piece, true) })
      local found = native.feed(long, piece)
      assert.equal(lines + 1, select(2, found:gsub("\n1 ", "")))
      assert.matches(("\ndropped %d  a line or field that is too long %s\n$"):format(lines + 1,
        wrong), found)
    end
    local _, message = native.feed(good .. "1" .. (" "):rep(most - 1) .. "\n", most, true)
    assert.equal("fed:2: expected 18 fields, found 1 (a log of fewer begins with a comment: "
      .. '"; ...")', message)
  end)

  it("names as many columns as fit, and more columns than a log has are no log", function()
    local names = {}
    for i = 1, 1000 do names[i] = "column_" .. i end
    local _, message = native.feed(table.concat(names, ",") .. "\n", 100)
    assert.matches("the first line has: column_1, column_2, .*, %.%.%. %(%-%-columns", message)
    assert.is_true(#message < 1500)
    _, message = native.feed((","):rep(5000), 100)
    assert.equal("fed:1: not a job log: a first line of more than 4096 fields", message)
  end)

  it("of gzip, cut or damaged", function()
    local zipped = gzip(bytes_of(fixtures .. "mira.csv"))
    for cut = 2, #zipped - 1 do
      local _, message = native.feed(zipped:sub(1, cut), cut, true)
      assert.equal("fed: the gzip data ends too early: the file is not complete, after " .. cut
        .. " bytes", message)
    end
    local damaged = zipped:sub(1, -9) .. "\1\2\3\4" .. zipped:sub(-4)
    assert.same({ nil, "fed: damaged gzip data (incorrect data check), after " .. #zipped - 4
      .. " bytes", 3 },
      { native.feed(damaged, 5, true) })
    assert.same({ nil, "fed: damaged gzip data (something else follows it), after " .. #zipped
      .. " bytes", 3 },
      { native.feed(zipped .. "x", 5, true) })
    assert.equal("fed: the gzip data ends too early: the file is not complete, after 15 bytes: "
      .. "how much is missing cannot be told",
      (select(2, native.feed(zipped:sub(1, 15), 4))))
    assert.equal("fed: the file is empty", (select(2, native.feed(gzip "", 1))))
  end)

  -- The last line of what is there may be a part of one, in any of its columns.
  it("of gzip, cut: read up to the last whole line, if that is wanted", function()
    local rng, lines, parts = orrery.random(12), { "id,procs,time,user" }, 0
    for i = 1, 150 do
      lines[i + 1] = ("%d,%d,%d,%s"):format(i, rng:integer(1, 900), rng:integer(100, 99999),
        ("ab"):rep(rng:integer(1, 9)) .. rng:integer(0, 9999))
    end
    local bytes = table.concat(lines, "\n") .. "\n"
    local zipped = gzip(bytes)
    for cut = #zipped // 2, #zipped - 9, 19 do
      local jobs = temporary.file("FILE", zipped:sub(1, cut), orrery.read, { damaged = true })
      for i, job in jobs:each() do
        assert.equal(lines[i + 1], ("%s,%d,%g,%s"):format(job.id, job.procs, job.time, job.user))
      end
      parts = parts + (#jobs < 150 and 1 or 0)
      assert.is_true(#jobs > 20)
    end
    assert.is_true(parts > 20, parts)
  end)

  it("that can't be read", function()
    fails("/nonexistent/log.csv", "/nonexistent/log.csv: No such file or directory")
    fails("spec", "spec: Is a directory")
  end)
end)

-- What is behind the line of a quote that is not closed is read as if that line were empty, however
-- many lines the row had taken in by then, and whether another quote or the end says so.
describe("a row with a quote that is not closed", function()
  it("costs its line and no other", function()
    local rng = orrery.random(41)
    for _ = 1, rounds(300, 300, 60) do
      local lines, good, bad = { "id,procs,time,user" }, { "id,procs,time,user" }, {}
      local share, ending = rng:uniform(0, 0.6), rng:uniform() < 0.3 and "\r\n" or "\n"
      for i = 2, rng:integer(3, 25) do
        local row = ("%d,%d,%d,%s"):format(i, rng:integer(1, 99), rng:integer(0, 999),
          rng:uniform() < 0.3 and '"a ' .. i .. '"' or "u" .. rng:integer(1, 3))
        good[i], lines[i] = row, row
        if i > 2 and rng:uniform() < share then
          good[i], lines[i], bad[#bad + 1] = "", '"x' .. row:gsub('"', ""), i
        end
      end
      local text, jobs, found = table.concat(lines, ending) .. ending
      jobs, found = read(text), {}
      assert.equal(read(table.concat(good, ending) .. ending):csv(), jobs:csv(), text)
      for i, record in ipairs(jobs:dropped()) do found[i] = record.line end
      assert.same(bad, found)
      for _, piece in ipairs { 1, 7, #text } do
        assert.equal((native.feed(text, #text)), (native.feed(text, piece)))
      end
    end
  end)
end)

describe("a record that is left out", function()
  it("has its id where that was read before what is wrong", function()
    local function left_out(text, columns)
      local found = {}
      for i, record in ipairs(read(text .. "\n", { columns = columns }):dropped()) do
        found[i] = ("%d %s"):format(record.line, record.id)
      end
      return found
    end
    assert.same({ "2 a", "4 c", "6 " },
      left_out 'id,procs,time\na,x,1\nb,1,1\nc,1,-1\nd,1,1\n"e,1,1')
    assert.same({ "2 ", "4 c" }, left_out "procs,id,time\nx,a,1\n1,b,1\n1,c,-1")
    assert.same({ "3 " }, left_out "procs,time,id\n1,1,a\n1,x,b")
    local columns = { id = "i", procs = "p", runtime = "t" }
    assert.same({ "2 a" }, left_out("i,p,t\na,x,1\nb,1,1", columns))
    assert.same({ "2 " }, left_out("p,i,t\nx,a,1\n1,b,1", columns))
  end)
end)

describe("labels", function()
  it("are numbered as they come, the same text always the same", function()
    local rng = orrery.random(3)
    local texts, expected, seen, n = {}, {}, {}, 0
    for i = 1, 3000 do
      local text = ("u"):rep(rng:integer(0, 2)) .. rng:integer(0, 800)
      if rng:integer(0, 9) == 0 then text = "" end
      if text ~= "" and not seen[text] then
        n = n + 1
        seen[text] = n
      end
      texts[i], expected[i] = text, seen[text] or 0
    end
    local numbers, left, calls = native.labels(texts)
    assert.is_true(n > 900)
    assert.same(expected, numbers)
    assert.equal(0, left)
    for call = 1, calls do
      local some, bytes, _, message = native.labels(texts, call)
      assert.matches("memory", message)
      assert.equal(0, bytes)
      for i, number in ipairs(some) do assert.equal(expected[i], number) end
    end
  end)
end)

describe("memory that runs out", function()
  it("is an error, and everything is given back", function()
    local path = os.tmpname()
    local file = assert(io.open(path, "wb"))
    file:write(gzip(orrery.mira_month { days = 2, count = 200, per_day = { 50, 150 } }:csv "mira"))
    file:close()
    for _, name in ipairs { fixtures .. "plain.csv", fixtures .. "mira.csv",
      fixtures .. "small.swf", fixtures .. "sacct.txt", fixtures .. "batsim.json", path } do
      local whole, left, calls = native.read_failing(name, 0)
      assert.same({ nil, 0 }, { whole, left })
      assert.is_true(calls > 5)
      for n = 1, calls do
        local message, bytes = native.read_failing(name, n)
        assert.matches("memory", message)
        assert.equal(0, bytes)
      end
    end
    os.remove(path)
  end)
end)

describe("the real logs", function()
  local function trace(name, use)
    it(name, function() use(orrery.read(logs.path(name, pending))) end)
  end

  trace("mira-2019-01.csv", function(jobs)
    assert.equal(3000, #jobs)
    assert.equal(0, #jobs:dropped())
    assert.equal("2019-01-01 07:14:22", jobs.origin)
    assert.same({ id = "1724831", submit = 44, procs = 512, runtime = 3643, area = 512 * 3643 },
      plain(jobs[2]))
    assert.equal(30, #jobs:days())
    assert.equal(255, #jobs:day "2019-01-05")
  end)

  trace("hpc2n-2002.swf", function(jobs)
    assert.equal(240, jobs.machine_procs)
    assert.equal(3145, #jobs)
    assert.equal(25, #jobs:dropped())
    assert.same({ id = "1", submit = 0, procs = 30, runtime = 31405, walltime = 37980,
      area = 942150, wait = 308434, user = "1", partition = "1", status = "completed" },
      plain(jobs[1]))
  end)
end)

describe("The Standard Workload Format", function()
  it("keeps labels as they stand, also where they begin like those of the job before", function()
    local users, lines = { "12", "1", "1", "01", "1.0", "123", "12", "-1", "12" }, {}
    for i, user in ipairs(users) do
      lines[i] = ("%d %d -1 9 1 -1 -1  -1 -1 -1 1 %s -1 -1 %s -1 -1 -1 \n"):format(i, i, user,
        users[#users + 1 - i])
    end
    local jobs = temporary.file("swf", table.concat(lines), orrery.read)
    for i, job in jobs:each() do
      assert.equal(users[i] ~= "-1" and users[i] or nil, job.user)
      assert.equal(users[#users + 1 - i] ~= "-1" and users[#users + 1 - i] or nil, job.queue)
      assert.same({ i, 9, 1 }, { job.submit, job.time, job.procs })
    end
  end)
end)
