-- Jobs as Lua values: making, reading, selecting, writing.
local orrery = require "orrery"
local temporary = require "spec.support.temporary"
local rounds = require "spec.support.rounds"

local function fails(use, message)
  local ok, found = pcall(use)
  assert.is_false(ok)
  assert.equal(message, (tostring(found):gsub("^[^ ]*spec.lua:%d+: ", "")))
end

local function ids(jobs)
  local list = {}
  for i, job in jobs:each() do list[i] = job.id end
  return table.concat(list, " ")
end

-- A log with a calendar, from times as Mira writes them.
local function calendar(times)
  local rows = { "COBALT_JOBID,QUEUED_TIMESTAMP,RUNTIME_SECONDS,NODES_USED\n" }
  for i, time in ipairs(times) do rows[#rows + 1] = i .. "," .. time .. ",60,512\n" end
  return temporary.file("FILE", table.concat(rows), orrery.read)
end

local function read(text, options) return temporary.file("FILE", text, orrery.read, options) end

local function random_jobs(rng, n)
  local list = {}
  for i = 1, n do
    list[i] = {
      id = ({ "plain", "a,b", 'say "so"', " blanks ", "two\nlines", "\ttab", "é", "#1" })
        [rng:integer(1, 8)] .. i,
      submit = rng:integer(0, 1) == 0 and rng:integer(0, 1000) or rng:uniform(0, 1e6),
      procs = rng:integer(1, 2147483647),
      time = rng:uniform(0, 1) ^ 30 * 1e9,
      walltime = rng:integer(0, 1) == 0 and rng:uniform(0, 1e5) or nil,
      user = rng:integer(0, 1) == 0 and "user " .. rng:integer(1, 9) or nil,
      queue = rng:integer(0, 9) == 0 and 'a, "b" ' or nil,
      partition = rng:integer(0, 20) == 0 and rng:integer(1, 3) or nil,
      status = rng:integer(0, 30) == 0 and "completed" or nil,
    }
  end
  return orrery.jobs(list)
end

describe("orrery.jobs", function()
  it("makes jobs from tables", function()
    local jobs = orrery.jobs {
      { procs = 4, time = 10 },
      { id = 17, submit = 5, procs = 512.0, time = 0.5, walltime = 60 },
      { id = "x", procs = 1, time = 0, area = 0 },
    }
    assert.equal(3, #jobs)
    assert.same({ id = "1", submit = 0, procs = 4, runtime = 10, time = 10, area = 40 }, jobs[1])
    assert.same({ id = "17", submit = 5, procs = 512, runtime = 0.5, time = 0.5, walltime = 60,
      area = 256 }, jobs[2])
    assert.equal("x", jobs[3].id)
    assert.equal("integer", math.type(jobs[2].procs))
    assert.equal(jobs:csv(), orrery.jobs({ jobs[1], jobs[2], jobs[3] }):csv())
    assert.equal(0, #orrery.jobs {})
  end)

  it("takes the runtime, also by its old name", function()
    local new = orrery.jobs { { procs = 4, runtime = 10, walltime = 12 } }
    assert.same({ id = "1", submit = 0, procs = 4, runtime = 10, time = 10, walltime = 12,
      area = 40 }, new[1])
    assert.same(new[1], orrery.jobs({ { procs = 4, time = 10, walltime = 12 } })[1])
    assert.same(new[1], orrery.jobs({ { procs = 4, runtime = 10, time = 10, walltime = 12 } })[1])
    for _, changed in ipairs { "runtime", "time" } do
      local record = new[1]
      record[changed] = 20
      fails(function() orrery.jobs { record } end, ("jobs: job 1: runtime is %s and time is %s, "
        .. "but time is the old name of runtime; leave time out"):format(
        changed == "runtime" and "20.0" or "10.0", changed == "time" and "20.0" or "10.0"))
    end
  end)

  it("keeps what jobs pay for checkpoints, also in a file and in a selection", function()
    local rng = orrery.random(9)
    for _ = 1, rounds(100, 100, 20) do
      local rows, known = {}, rng:integer(0, 3)
      for i = 1, rng:integer(1, 8) do
        rows[i] = { procs = i, runtime = 10,
          checkpoint = known % 2 == 1 and rng:integer(0, 2) > 0 and rng:uniform(0, 9) or nil,
          recovery = known > 1 and rng:integer(0, 2) > 0 and rng:integer(0, 3) or nil }
      end
      local jobs = orrery.jobs(rows)
      local function check(found)
        assert.equal(#rows, #found)
        for i, row in ipairs(rows) do
          assert.equal(row.checkpoint, found[i].checkpoint)
          assert.equal(row.recovery, found[i].recovery)
        end
      end
      check(jobs)
      check(read(jobs:csv()))
      check(jobs:load(2))
      check(jobs:filter(function() return true end))
    end
    local text = "id,procs,runtime,checkpoint,recovery\n1,2,3,4.5,\n2,2,3,,0\n"
    assert.matches("checkpoint,recovery\n1,0,2,3,4.5,\n2,0,2,3,,0\n",
      read(text):csv(), 1, true)
    local mapped = read("n,t,c,r\n1,10,2,5\n",
      { columns = "procs=n,runtime=t,checkpoint=c:min,recovery=r:ms" })
    assert.same({ 120, 0.005 }, { mapped[1].checkpoint, mapped[1].recovery })
  end)

  it("gives every field of a table back, and of parts of them", function()
    local rng = orrery.random(5)
    for _ = 1, rounds(30, 30, 10) do
      local list = {}
      for i = 1, rng:integer(1, 9) do
        local row = { id = "j" .. i, submit = rng:integer(0, 9), procs = rng:integer(1, 9),
          runtime = rng:integer(0, 99) }
        for _, name in ipairs { "walltime", "wait", "checkpoint", "recovery" } do
          if rng:uniform() < 0.5 then row[name] = rng:integer(0, 9) + 0.5 end
        end
        for _, name in ipairs(require("orrery.schema.labels").names) do
          if rng:uniform() < 0.5 then row[name] = name .. rng:integer(1, 3) end
        end
        row.needs = { gpu = rng:integer(0, 3), lic = rng:integer(0, 3) }
        list[i] = row
      end
      list[1].needs = { gpu = 1, lic = 2 } -- a name is known where a job has some of it
      local jobs, half = orrery.jobs(list), {}
      for i, job in jobs:each() do
        list[i].time, list[i].area = list[i].runtime, list[i].procs * list[i].runtime
        assert.same(list[i], job)
        assert.same(job, jobs[i])
      end
      for i, job in jobs:filter(function(job) return job.submit < 5 end):each() do half[i] = job end
      local expected = {}
      for _, row in ipairs(list) do
        if row.submit < 5 then expected[#expected + 1] = row end
      end
      table.sort(expected, function(a, b) return a.id < b.id end)
      assert.same(expected, half)
    end
  end)

  it("refuses a cost of checkpoints that is none", function()
    fails(function() orrery.jobs { { procs = 1, time = 4, checkpoint = -1 } } end,
      "jobs: job 1: a checkpoint must take a number of seconds >= 0, not -1")
    fails(function() orrery.jobs { { procs = 1, time = 4, recovery = math.huge } } end,
      "jobs: job 1: a recovery must take a number of seconds >= 0, not inf")
    fails(function() orrery.jobs { { procs = 1, time = 4, recovery = "soon" } } end,
      "jobs: job 1: recovery must be a number, not soon")
    local ok, problem = pcall(read, "id,procs,runtime,checkpoint\n1,2,3,-4\n",
      { strict = true })
    assert.is_false(ok)
    assert.matches("expected a number of seconds >= 0, found \"-4\"", tostring(problem), 1, true)
  end)

  it("refuses what is no job", function()
    fails(function() orrery.jobs { { proc = 4, time = 10 } } end,
      "jobs: job 1: unknown field 'proc' (known: id, submit, procs, runtime, walltime, "
      .. "wait, checkpoint, recovery, needs, area, user, queue, partition, status, account, qos, "
      .. "array)")
    fails(function() orrery.jobs { { procs = 1, time = 4, user = {} } } end,
      "jobs: job 1: user must be a string or an integer, not a table")
    fails(function() orrery.jobs { { procs = 1, time = 4, queue = "" } } end,
      "jobs: job 1: queue can't be empty or hold zero bytes")
    fails(function() orrery.jobs { { procs = 4, time = 10 }, { procs = 4 } } end,
      "jobs: job 2: runtime is missing")
    fails(function() orrery.jobs { { time = 4 } } end, "jobs: job 1: procs is missing")
    fails(function() orrery.jobs { { procs = 1.5, time = 4 } } end,
      "jobs: job 1: procs must be a whole number from 1 to 2147483647, not 1.5")
    fails(function() orrery.jobs { { procs = 1, time = "4" } } end,
      "jobs: job 1: time must be a number, not 4")
    fails(function() orrery.jobs { { procs = 1, time = 0 / 0 } } end,
      "jobs: job 1: time must be a number, not " .. tostring(0 / 0))
    fails(function() orrery.jobs { { procs = 1, time = -4 } } end,
      "jobs: job 1: a runtime must be a number of seconds >= 0, not -4")
    fails(function() orrery.jobs { { procs = 1, time = math.huge } } end,
      "jobs: job 1: a runtime must be a number of seconds >= 0, not inf")
    fails(function() orrery.jobs { { procs = 1, time = 4, submit = -1 } } end,
      "jobs: job 1: a submission time must be a number of seconds >= 0, not -1")
    fails(function() orrery.jobs { { procs = 1, time = 4, walltime = -1 } } end,
      "jobs: job 1: a walltime must be a number of seconds >= 0, not -1")
    fails(function() orrery.jobs { { procs = 2, time = 4, area = 9 } } end,
      "jobs: job 1: area is procs * runtime, 8.0; leave it out")
    fails(function() orrery.jobs { { id = {}, procs = 2, time = 4 } } end,
      "jobs: job 1: id must be a string or an integer, not a table")
    fails(function() orrery.jobs { { id = "", procs = 2, time = 4 } } end,
      "jobs: job 1: an id can't be empty or hold zero bytes")
    fails(function() orrery.jobs { 5 } end,
      "jobs: expected a list of tables, but element 1 is a number")
    fails(function() orrery.jobs { procs = 2, time = 4 } end,
      "jobs: expected a list of tables { id, submit, procs, runtime, walltime }, "
      .. "but there are other keys than 1 to 0")
  end)
end)

describe("a jobs value", function()
  it("cannot be released while a simulation may still need it", function()
    local jobs = orrery.jobs { { procs = 1, time = 1 } }
    assert.equal("jobs", getmetatable(jobs))
    local ok, problem = pcall(function() local _ <close> = jobs end)
    assert.is_false(ok)
    assert.matches("variable '_' got a non%-closable value", problem)
  end)

  local jobs = orrery.jobs {
    { id = "a", procs = 1, time = 10 },
    { id = "b", procs = 2, time = 20, submit = 86399.5 },
    { id = "c", procs = 3, time = 30, submit = 86400 },
    { id = "d", procs = 4, time = 40, submit = 5 },
  }

  it("is read by position, and with ipairs and each", function()
    assert.equal("b", jobs[2].id)
    assert.equal("b", jobs[2.0].id)
    assert.is_nil(jobs[0])
    assert.is_nil(jobs[5])
    local seen = {}
    for i, job in ipairs(jobs) do seen[i] = job.id end
    assert.same({ "a", "b", "c", "d" }, seen)
    assert.equal("a b c d", ids(jobs))
    jobs[1].procs = 77 -- a fresh table each time
    assert.equal(1, jobs[1].procs)
  end)

  it("refuses unknown fields and changes", function()
    local known = " (known: machine_procs, origin, zone, warmup_jobs, a position, or the methods "
      .. "describe, plot, report, between, counting, csv, date, day, days, dropped, each, filter, "
      .. "load, mean_area, position, seconds, slices, to_csv, user_estimates, values, week, weeks)"
    fails(function() return jobs.machine end, "jobs have no field 'machine'" .. known)
    fails(function() return jobs[1.5] end, "jobs have no field '1.5'" .. known)
    fails(function() return jobs[true] end, "jobs have no field 'true'" .. known)
    fails(function() jobs[1] = nil end, "jobs can't be changed; make new ones with orrery.jobs")
    fails(function() jobs.day(5) end,
      "bad argument #1 to 'day' (orrery.jobs expected, got number)")
  end)

  it("tells what it is", function()
    assert.equal("4 jobs of 1 to 4 procs, submitted on days 0 to 1", tostring(jobs))
    assert.equal("no jobs", tostring(orrery.jobs {}))
    assert.equal("1 job of 512 to 512 procs, submitted 2019-06-01 to 2019-06-01",
      tostring(calendar { "2019-06-01 12:00:00" }))
    assert.equal((10 + 40 + 90 + 160) / 4, jobs:mean_area())
    assert.equal(0, orrery.jobs({}):mean_area())
  end)

  it("is filtered", function()
    assert.equal("b d", ids(jobs:filter(function(job) return job.procs % 2 == 0 end)))
    assert.equal(0, #jobs:filter(function() return false end))
    fails(function() jobs:filter(function(job) error("at " .. job.id, 0) end) end, "at a")
  end)

  it("shows who submitted what, also to filters, and in selections of selections", function()
    local list = {}
    for i = 1, 40 do
      list[i] = { procs = 1, time = 1, submit = i, user = i % 7 > 0 and "u" .. i % 7 or nil,
        queue = i > 20 and "late" or nil, status = i == 40 and "failed" or nil }
    end
    local all = orrery.jobs(list)
    local some = all:filter(function(job) return job.user and job.submit > 10 end)
      :between(15, 40):filter(function(job) return job.user ~= "u3" end)
    local seen = 0
    for _, job in some:each() do
      local from = list[tonumber(job.id)]
      assert.same({ from.user, from.queue, from.status }, { job.user, job.queue, job.status })
      assert.is_nil(job.partition)
      seen = seen + 1
    end
    assert.equal(18, seen)
  end)

  it("is cut into intervals, the end excluded", function()
    assert.equal("a d", ids(jobs:between(0, 86399.5)))
    assert.equal("b", ids(jobs:between(86399.5, 86400)))
    assert.equal(5, jobs:between(1, 10)[1].submit) -- this clock does not move
    assert.equal(0, #jobs:between(10, 1))
    fails(function() jobs:between("2019-06-01", 5) end,
      "these jobs have no calendar times: days are numbers, 0 for the first 86400 seconds of the "
      .. "log's clock")
  end)

  it("comes faster under another load, the first job when it came", function()
    local later = orrery.jobs {
      { id = "x", procs = 2, time = 5, submit = 70, walltime = 9, user = "u" },
      { id = "y", procs = 3, time = 6, submit = 10 },
      { id = "z", procs = 4, time = 7, submit = 10.5 },
    }
    local loaded = later:load(4)
    assert.same({ id = "x", procs = 2, runtime = 5, time = 5, submit = 25, walltime = 9,
      user = "u", area = 10 }, loaded[1])
    assert.same({ 10, 10.125 }, { loaded[2].submit, loaded[3].submit })
    assert.equal(130, later:load(0.5)[1].submit)
    assert.equal(70, later[1].submit)
    assert.equal(0, #orrery.jobs({}):load(2))
    local rng = orrery.random(9)
    for _ = 1, rounds(50, 50, 20) do
      local jobs_of, factor = random_jobs(rng, 20), rng:uniform(0.1, 5)
      local again = jobs_of:load(factor):load(1 / factor)
      for i, job in jobs_of:each() do
        assert.near(job.submit, again[i].submit, 1e-9 * (1 + job.submit))
        local other = again[i]
        job.submit, other.submit = nil, nil
        assert.same(job, other)
      end
    end
    for _, bad in ipairs { 0, -1, math.huge, 0 / 0 } do
      fails(function() later:load(bad) end,
        ("a factor of the load must be a number above 0, not %g"):format(bad))
    end
    fails(function() later:load(1e-308) end,
      "a load factor of 1e-308 leaves times that are not finite")
  end)

  it("without calendar has days with numbers", function()
    local days = jobs:days()
    assert.same({ 0, 1 }, { days[1].day, days[2].day })
    assert.equal("a b d", ids(days[1].jobs))
    assert.equal("c", ids(days[2].jobs))
    assert.equal("c", ids(jobs:day(1)))
    fails(function() jobs:day(7) end,
      "no job was submitted in day 7; the log covers the days 0 to 1")
    fails(function() jobs:day "2019-06-01" end,
      "these jobs have no calendar times: days are numbers, 0 for the first 86400 seconds of the "
      .. "log's clock")
    assert.same({}, orrery.jobs({}):days())
  end)
end)

-- By hand: job 1 asks for 8 CPUs and 2 nodes and has 4 CPUs on 1; it could start 60 s after its
-- submission, and did after 90 s.
describe("orrery.read with a table of options", function()
  local text = "JobID|Submit|Eligible|Start|Elapsed|NCPUS|ReqCPUS|NNodes|ReqNodes|State\n"
    .. "1|2023-03-01T08:00:00|2023-03-01T08:01:00|2023-03-01T08:01:30|00:10:00|4|8|1|2|COMPLETED\n"

  local function first(options)
    local job = read(text, options)[1]
    return { job.procs, job.wait }
  end

  it("reads what no option is about as without one", function()
    assert.same({ 4, 30 }, first())
    assert.same({ 4, 30 }, first {})
  end)

  it("takes each of the words of an option", function()
    for word, expected in pairs { eligible = { 4, 30 }, submit = { 4, 90 } } do
      assert.same(expected, first { submitted = word })
    end
    for word, procs in pairs { requested = 8, allocated = 4 } do
      assert.same({ procs, 30 }, first { procs_of = word })
    end
    for word, procs in pairs { cpus = 4, nodes = 1 } do
      assert.same({ procs, 30 }, first { count = word })
    end
    assert.same({ 2, 30 }, first { count = "nodes", procs_of = "requested" })
  end)

  it("has jobs that are wider than the machine refused, dropped or kept", function()
    local wide = "; MaxProcs: 4\n1 0 0 9 8 -1 -1 8 9 -1 1 1 1 -1 1 -1 -1 -1\n"
      .. "2 0 0 9 4 -1 -1 4 9 -1 1 1 1 -1 1 -1 -1 -1\n"
    assert.equal("2", ids(read(wide, { wide = "drop" })))
    assert.equal("1 2", ids(read(wide, { wide = "keep" })))
    for _, options in ipairs { {}, { wide = "error" } } do
      local ok, problem = pcall(read, wide, options)
      assert.is_false(ok)
      assert.matches("FILE:2: field 8 (requested processors): expected at most the 4 processors "
        .. "of the machine", problem, 1, true)
    end
  end)
end)

describe("a log with a calendar", function()
  local log = calendar {
    "2019-06-16 23:59:59.999999", -- Sunday, week 24
    "2019-06-17 00:00:00",
    "2019-06-10 00:00:00.25",
    "2019-06-09 23:59:59.999999",
    "2019-06-10 07:00:00.1",
  }

  it("is cut into days, and second 0 moves with them", function()
    local day = log:day "2019-06-10"
    assert.equal("3 5", ids(day))
    assert.equal(0, day[1].submit)
    assert.equal(25199.85, day[2].submit)
    assert.equal("2019-06-10 00:00:00.250000", day.origin)
    assert.equal(49152, day.machine_procs)
    assert.equal("3 5", ids(day:day "2019-06-10"))
    local days = {}
    for i, entry in ipairs(log:days()) do days[i] = entry.day .. " " .. ids(entry.jobs) end
    assert.same({ "2019-06-09 4", "2019-06-10 3 5", "2019-06-16 1", "2019-06-17 2" }, days)
  end)

  it("is cut into ISO weeks", function()
    assert.equal("1 3 5", ids(log:week "2019-W24"))
    assert.equal("4", ids(log:week "2019-W23"))
    assert.equal("2", ids(log:week "2019-W25"))
    local found = {}
    for i, week in ipairs((log:weeks { procs = 49152, utilisation = 0 })) do
      found[i] = { week.week, week.from, week.to, week.date }
    end
    assert.same({ { 1, 0, 604800, "2019-06-09 23:59:59.999999" },
      { 2, 604800, 1209600, "2019-06-16 23:59:59.999999" } }, found)
    fails(function() log:week "2019-W26" end,
      "no job was submitted in 2019-W26; the log covers the days 2019-06-09 to 2019-06-17")
    fails(function() log:week "2019-26" end,
      "bad argument #1 to 'week' (expected an ISO week as YYYY-Www (2019-W24), not '2019-26')")
  end)

  it("is cut into intervals by dates or by its clock", function()
    assert.equal("3 5", ids(log:between("2019-06-10", "2019-06-11")))
    assert.equal("1 3 5", ids(log:between("2019-06-10 00:00", "2019-06-17 00:00:00")))
    assert.equal("4", ids(log:between(0, 0.000001)))
    fails(function() log:between("June", 3) end,
      "bad argument #1 to 'between' (expected seconds or YYYY-MM-DD[ HH:MM[:SS]], not 'June')")
  end)

  it("says which days it covers", function()
    fails(function() log:day "2019-06-11" end,
      "no job was submitted in 2019-06-11; the log covers the days 2019-06-09 to 2019-06-17")
    fails(function() log:day "2019-06-31" end,
      "bad argument #1 to 'day' (expected a day as YYYY-MM-DD, not '2019-06-31')")
  end)

  it("keeps every microsecond through selections of selections", function()
    local rng = orrery.random(2)
    local times = {}
    for i = 1, 500 do
      times[i] = ("2019-%02d-%02d %02d:%02d:%02d.%06d"):format(rng:integer(1, 12),
        rng:integer(1, 28), rng:integer(0, 23), rng:integer(0, 59), rng:integer(0, 59),
        rng:integer(1, 999999))
    end
    local whole = calendar(times)
    local part = whole:between("2019-03-01", "2019-11-01"):filter(function(job)
      return tonumber(job.id) % 3 == 0
    end)
    assert.is_true(#part > 50)
    local seen = 0
    for line in part:csv("mira"):gmatch "[^\n]+" do
      local id, time = line:match "^(%d+),([^,]+),"
      if id then
        assert.equal(times[tonumber(id)], time)
        seen = seen + 1
      end
    end
    assert.equal(#part, seen)
  end)
end)

describe("writing", function()
  local path

  before_each(function() path = os.tmpname() end)
  after_each(function() os.remove(path) end)

  it("is undone by reading, in plain CSV", function()
    local rng = orrery.random(1)
    for n = 1, rounds(60, 60, 20) do
      local jobs = random_jobs(rng, n)
      jobs:to_csv("plain", path)
      local again = orrery.read(path)
      assert.equal(#jobs, #again)
      for i, job in jobs:each() do assert.same(job, again[i]) end
    end
  end)

  it("is undone by reading, in Mira's format", function()
    local month = orrery.mira_month { count = 300, days = 3, per_day = { 80, 120 }, seed = 4 }
    month:to_csv("mira", path)
    local again = orrery.read(path)
    assert.equal(month.origin, again.origin)
    for i, job in month:each() do assert.same(job, again[i]) end
  end)

  it("has all texts that the schema names, in tables and in plain CSV", function()
    local names = require("orrery.schema.labels").names
    local row = { id = "1", procs = 1, runtime = 2 }
    local _, problem = pcall(orrery.jobs, { { procs = 1, runtime = 2, nothing = 1 } })
    assert.equal(table.concat(names, ", "), problem:match "area, (.*)%)$")
    for _, name in ipairs(names) do row[name] = "of " .. name end
    local jobs = orrery.jobs { row }
    assert.equal("id,submit,procs,runtime," .. table.concat(names, ","), jobs:csv():match "^[^\n]*")
    for _, name in ipairs(names) do assert.equal(row[name], jobs[1][name]) end
  end)

  it("keeps labels in Mira's format, a status as success or failure", function()
    local jobs = temporary.file("FILE",
      "QUEUED_TIMESTAMP,RUNTIME_SECONDS,NODES_USED,USERNAME_GENID,QUEUE_NAME,EXIT_STATUS\n"
      .. "2019-06-01 00:00:00,1,1,u1,q 1,0\n2019-06-01 00:00:00,1,1,,,7\n"
      .. "2019-06-01 00:00:00,1,1,,,\n", orrery.read)
    jobs:to_csv("mira", path)
    assert.matches("NODES_REQUESTED,USERNAME_GENID,QUEUE_NAME,EXIT_STATUS\n.*,u1,q 1,0\n"
      .. ".*,,,1\n.*,,,\n$", jobs:csv "mira")
    local again = orrery.read(path)
    for i, job in jobs:each() do assert.same(job, again[i]) end
  end)

  it("has the columns it needs", function()
    assert.equal("id,submit,procs,runtime\na,0,2,0.1\n",
      orrery.jobs({ { id = "a", procs = 2, time = 0.1 } }):csv())
    assert.equal("id,submit,procs,runtime,walltime\na,0,2,3,\nb,0,2,3,7\n",
      orrery.jobs({ { id = "a", procs = 2, time = 3 }, { id = "b", procs = 2, time = 3,
        walltime = 7 } }):csv "plain")
  end)

  it("leaves no half a file", function()
    local jobs = orrery.jobs { { procs = 2, time = 3 } }
    fails(function() jobs:to_csv("plain", "/nonexistent/x.csv") end,
      "cannot write /nonexistent/x.csv: No such file or directory")
    fails(function() jobs:to_csv("plain", "spec") end, "cannot write spec: Is a directory")
    assert.is_nil(io.open "spec.tmp")
    fails(function() jobs:to_csv("mira", path) end,
      "these jobs have no calendar times, which Mira's format needs")
    fails(function() jobs:to_csv("xml", path) end,
      "bad argument #1 to 'to_csv' (invalid option 'xml')")
    fails(function() jobs:to_csv() end, "bad argument #1 to 'to_csv' (value expected)")
    fails(function() jobs:to_csv "plain" end,
      "bad argument #2 to 'to_csv' (string expected, got no value)")
    assert.equal(0, io.open(path):seek "end")
  end)
end)

-- By hand: in Berlin the first submission was at 7:00 UTC, second 1677654000 since 1970. Its clocks
-- were set forward on 2023-03-26 at 1:00 UTC, second 1679792400, and back on 2023-10-29 at 1:00
-- UTC, 1698541200; on 2024-03-31 again, more than a year behind the submission.
describe("the clock of a log", function()
  local core = require "orrery.core"
  local text = "JobID|Submit|Elapsed|NCPUS|State\n7|2023-03-01T08:00:00|01:00|4|COMPLETED\n"

  it("is set as it is in its zone, up to a year later", function()
    local berlin, origin = read(text, { timezone = "Europe/Berlin" }), 1677654000
    local list = { { 0.0, origin + 3600.0 }, { 2138400.0, origin + 7200.0 },
      { 20887200.0, origin + 3600.0 } }
    assert.same(list, core.clock(berlin, 0))
    list[4] = { 1711846800.0 - origin, origin + 7200.0 }
    assert.same(list, core.clock(berlin, 40 * 86400))
    assert.same({ { 0.0, origin + 3600.0 } }, core.clock(read(text, { timezone = "UTC" }), 0))
    assert.is_nil(core.clock(orrery.jobs { { procs = 1, time = 1 } }, 0))
  end)
end)

describe("what a log is described with", function()
  local core = require "orrery.core"

  -- By hand: the second has the id of the first.
  it("has repeated ids, columns that are not read, and other remarks in order", function()
    local found = table.pack(core.log_remarks(read("id,procs,runtime,x,y\na,1,2,3,4\n"
      .. "a,1,3,3,4\n")))
    assert.same({ 6, 1, "a", "x, y", 2, true, 0 }, { found.n, found[1], found[2], found[3],
      found[4].ignored, found[4].plain, found[5] })
    assert.is_nil(found[4].asked or found[4].remedy or found[4].machine or found[4][1])
    found = table.pack(core.log_remarks(orrery.read "spec/fixtures/dumps/sacct-times.txt"))
    assert.same({ 3, false }, { #found[4], found[4].plain })
    for i, start in ipairs { "1 x start before the submission (the first in line 10): ",
      "1 x end before the start (the first in line 7): ",
      "1 x elapsed time that is not end less start (the first in line 9): " } do
      assert.equal(start, found[4][i]:sub(1, #start))
    end
  end)

  it("has the options that would model what is not", function()
    local head = "JobIDRaw|State|Submit|Start|ElapsedRaw|NCPUS|NNodes|Partition|QOS|AllocTRES\n"
    local row = "%d|COMPLETED|1700000000|17000000%02d|9|4|%d|%s|%s|%s\n"
    local jobs = read(head .. row:format(1, 0, 1, "p", "x", "gres/gpu:a=2,mem=4G")
      .. row:format(2, 5, 2, "q", "y", "gres/gpu:b=3") .. row:format(3, 50, 2, "q", "z", ""))
    local remarks = select(4, core.log_remarks(jobs))
    assert.equal("to model it: --pool gpu=5 (in use at once), --pool mem=SIZE (of the machine); "
      .. "--machine FILE says which nodes and partitions have what, as a slurm.conf does",
      remarks.remedy)
    assert.equal("not modelled: gres/gpu:a (1 job, 2 in use at once), memory (1 job), nodes (all "
      .. "jobs, 3 in use at once), gres/gpu:b (1 job, 3 in use at once); labels that only policies "
      .. "read: 2 partitions and 3 QOS", remarks.asked)
    remarks = select(4, core.log_remarks(jobs, true)) -- the machine has partitions
    assert.equal("to model it: --pool gpu=5 (in use at once), --pool mem=SIZE (of the machine)",
      remarks.remedy)
    assert.matches("; labels that only policies read: 3 QOS$", remarks.asked)
  end)
end)

describe("jobs and their calendar", function()
  local day = orrery.read "data/mira/sample-2019-06.csv"

  it("have the seconds of a date, and the date of seconds", function()
    assert.equal("2019-06-01 00:18:52", day.origin:sub(1, 19))
    assert.equal(13 * 86400 + 6 * 3600 + 30 - (18 * 60 + 52), day:seconds "2019-06-14 06:00:30")
    assert.equal(-(18 * 60 + 52), day:seconds "2019-06-01")
    assert.equal(17, day:seconds(17))
    assert.equal("2019-06-14 06:00:30", day:date(day:seconds "2019-06-14 06:00:30"))
    assert.equal("2019-06-01 00:18:52.500000", day:date(0.5))
    local rng = orrery.random(3)
    for _ = 1, rounds(100, 100, 20) do
      local time = rng:integer(-1e9, 1e9)
      assert.equal(time, day:seconds(day:date(time)))
    end
    assert.is_nil(day:date(1e300))
    assert.is_nil(day:date(0 / 0))
  end)

  it("say where there is none", function()
    local jobs = orrery.jobs { { procs = 1, time = 1 } }
    assert.is_nil(jobs:date(1))
    assert.equal(1, jobs:seconds(1))
    assert.has_error(function() jobs:seconds "2019-06-14" end)
    assert.has_error(function() day:seconds "noon" end)
  end)

  it("of which several have one id are noted, in whatever order the ids stand", function()
    local function note(...)
      local lines = { "id,submit,procs,runtime" }
      for i, id in ipairs { ... } do lines[i + 1] = id .. ",0,1,2" end
      local jobs = temporary.file("F", table.concat(lines, "\n") .. "\n", orrery.read)
      assert.equal(select("#", ...), #jobs)
      return orrery.compare { jobs = jobs, procs = 1, policy = "easy" }.notes[1]
    end
    local told = "%s the id of another one, the first %s: each record is a job of its own"
    assert.equal(told:format("3 jobs of the log have", "a"), note("a", "b", "a", "b", "a"))
    assert.equal(told:format("1 job of the log has", "9"), note("9", "9", "10"))
    assert.is_nil(note("9", "10", "11"))
    assert.is_nil(note("11", "9", "10"))
  end)

  it("are found by their ids", function()
    local jobs = orrery.jobs { { id = "a", procs = 1, time = 1 }, { id = "b", procs = 1, time = 1 },
      { id = "a", procs = 1, time = 1 }, { id = "a", procs = 1, time = 1 } }
    assert.same({ 1, 3 }, { jobs:position "a" })
    assert.same({ 2 }, { jobs:position "b" })
    assert.same({}, { jobs:position "c" })
    for i = 1, #day, 97 do assert.equal(i, (day:position(day[i].id))) end
  end)
end)
