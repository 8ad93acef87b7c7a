-- What jobs ask for and simulations do not model: it is counted, by name.
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"
local temporary = require "spec.support.temporary"

local HEAD = "JobIDRaw|Partition|State|Submit|Start|End|ElapsedRaw|NCPUS|AllocTRES|ReqMem|Licenses|"
  .. "Constraints\n"

local function row(id, partition, start, seconds, tres, more)
  return ("%s|%s|COMPLETED|2024-01-01T00:00:00|2024-01-01T%s|2024-01-01T23:00:00|%d|4|%s|%s\n")
    :format(id, partition, start, seconds, tres, more)
end

local folder = program.folder() -- one for all: each is a process of its own to make and to remove
teardown(function() program.remove(folder) end)

local function read(text, name)
  program.write(folder, name or "log.txt", text)
  return orrery.read(folder .. "/" .. (name or "log.txt"), { wide = "keep" })
end

local function told(text, name) return read(text, name):describe().not_modelled end

describe("what is not modelled", function()
  -- By hand: 2 GPUs from 0 to 600 s, 3 from 300 to 900 s (the record stands twice), and 1 from 600
  -- s on, when the first 2 are free: 5 at once.
  it("of a dump of sacct: TRES, memory, licenses, constraints, partitions", function()
    local second = row(2, "gpu", "00:05:00", 600, "cpu=4,gres/gpu=3,mem=16G", "16Gn|matlab:2|fast")
    local log = read(HEAD .. row(1, "gpu", "00:00:00", 600,
      "billing=4,cpu=4,gres/gpu:a100=2,gres/gpu=2,mem=1G,node=1", "1G||") .. second .. second
      .. row(3, "cpu", "00:10:00", 300, "cpu=4,gres/gpu=1,node=1", "0||")
      .. row(4, "cpu", "00:10:00", 300, "cpu=4,node=1", "||"))
    local expected = "not modelled: gres/gpu (3 jobs, 5 in use at once), memory (2 jobs), "
      .. "license/matlab (1 job, 2 in use at once), Constraints (1 job); labels that only policies "
      .. "read: 2 partitions"
    assert.equal(4, #log)
    assert.equal(expected, log:describe().not_modelled)
    local result = orrery.compare { jobs = log, procs = 16 }
    assert.truthy(table.concat(result.notes, "\n"):find(expected, 1, true))
    assert.truthy(result:json():find(expected, 1, true))
    assert.truthy(tostring(log:describe()):find("note: " .. expected, 1, true))
  end)

  it("of a heterogeneous job, whose parts are one job", function()
    local tres = "cpu=4,gres/gpu=1"
    local log = read(HEAD:gsub("JobIDRaw", "JobID") .. row("7+0", "p", "00:00:00", 600, tres, "||")
      .. row("8", "p", "00:20:00", 60, tres, "||") .. row("7+1", "p", "00:00:00", 600, tres, "||"))
    assert.equal(2, #log)
    assert.equal("not modelled: gres/gpu (all jobs, 2 in use at once)",
      (log:describe().not_modelled:gsub(";.*", "")))
  end)

  it("of sacct's JSON, by type and name, whatever their length", function()
    local text = program.read "spec/fixtures/dumps/sacct.json"
    local function with(one)
      return told((text:gsub('"allocated": %[', "%0" .. one, 1)), "a.json")
    end
    local one = '{"type": "%s", "name": %s, "id": 1001, "count": %s},'
    assert.matches("gres/x (1 job, 2 in use at once)", with(one:format("gres", '"x"', 2)), 1, true)
    assert.matches("license/ab (1 job, 3 in use at once)", with(one:format("license", '"ab"', 3)),
      1, true)
    assert.matches("bb (1 job, 7 in use at once)", with(one:format("bb", '""', 7)), 1, true)
    assert.matches("bb (1 job, 7 in use at once)", with(one:format("bb", "null", 7)), 1, true)
  end)

  it("of SWF, plain CSV and formats as data", function()
    local line = "%d 0 0 10 1 -1 -1 1 10 %d 1 1 -1 -1 %d -1 -1 -1\n"
    assert.equal("not modelled: memory (1 job); labels that only policies read: 2 queues",
      read("; MaxProcs: 4\n" .. line:format(1, 100, 1) .. line:format(2, -1, 2)):describe()
      .not_modelled)
    assert.equal("not modelled: gpus (1 job)",
      read("id,procs,runtime,gpus\na,1,10,2\nb,1,10,0\n", "a.csv"):describe().not_modelled)
    assert.is_nil(read("id,procs,runtime\na,1,10\n", "a.csv"):describe().not_modelled)
    local jobs = orrery.read("spec/fixtures/dumps/format-alibaba-pai.csv")
    assert.matches("^not modelled: plan_gpu %(1 job%), plan_mem %(all jobs",
      jobs:describe().not_modelled)
  end)

  -- Nodes by hand: 2 from 0 to 600 s, 3 from 300 to 900 s, so 5 at once.
  it("of what else may let jobs wait: nodes, priorities, dependencies, used memory", function()
    local text = "JobID|State|Submit|Start|ElapsedRaw|NCPUS|NNodes|Priority|Dependency|"
      .. "Reservation\n"
      .. "1|COMPLETED|2024-01-01T00:00:00|2024-01-01T00:00:00|600|4|2|100||77\n"
      .. "2|COMPLETED|2024-01-01T00:00:00|2024-01-01T00:05:00|600|4|3|0|afterok:1|\n"
    assert.equal("not modelled: Reservation (1 job), Priority (1 job), nodes (all jobs, 5 in use "
      .. "at once), dependencies (1 job)", told(text))
    local line = "%d 0 0 10 1 -1 %d 1 10 -1 1 1 -1 -1 1 -1 %d -1\n"
    assert.equal("not modelled: memory (1 job), dependencies (1 job)",
      read(line:format(1, 5, -1) .. line:format(2, -1, 1)):describe().not_modelled)
  end)

  it("of more than 24 kinds, of which 24 are named", function()
    local licenses = {}
    for i = 1, 12 do licenses[i] = "l" .. i end
    local first, text = table.concat(licenses, ","), HEAD
    for i = 0, 2 do
      text = text .. row(i + 1, "p", "00:00:00", 60, "cpu=4",
        ("|%s|"):format(first:gsub("l", "l" .. i)))
    end
    local said = read(text):describe().not_modelled
    assert.equal(24, select(2, said:gsub("license/", "")))
    assert.matches("license/l112 %(1 job, 1 in use at once%) and 12 more$", said)
  end)

  it("agrees with a naive count", function()
    local rng = orrery.random(8)
    for _ = 1, rounds(100, 100, 20) do
      local rows, uses, count, peak = {}, {}, 0, 0
      for i = 1, rng:integer(1, 12) do
        local start, seconds, gpus = rng:integer(0, 59), rng:integer(1, 30), rng:integer(0, 3)
        rows[i] = row(i, "p", ("00:00:%02d"):format(start), seconds,
          "cpu=4,gres/gpu=" .. gpus, "||")
        uses[i] = { start, start + seconds, gpus }
        count = count + (gpus > 0 and 1 or 0)
      end
      for t = 0, 90 do
        local used = 0
        for _, use in ipairs(uses) do used = used + (use[1] <= t and t < use[2] and use[3] or 0) end
        peak = math.max(peak, used)
      end
      local said = read(HEAD .. table.concat(rows)):describe().not_modelled
      local jobs = count == #rows and "all jobs" or count .. " job" .. (count == 1 and "" or "s")
      assert.equal(count > 0 and ("not modelled: gres/gpu (%s, %d in use at once)"):format(jobs,
        peak) or nil, said)
    end
  end)
end)

describe("lists of what a job has", function()
  local head = "JobIDRaw|State|Submit|Start|ElapsedRaw|NCPUS|AllocTRES|ReqMem\n"

  it("name the same things, however many of them there are", function()
    for list, said in pairs {
      ["billing=4,cpu=4,mem=0,node=1|0"] = "nil",
      ["billing=4,cpu=4,mem=,node="] = "memory (all jobs)",
      ["cpu=4,node=1|4G"] = "memory (all jobs)",
      ["cpu=4,gres/gpu=2,mem=4G,node=1"] =
        "gres/gpu (all jobs, 2 in use at once), memory (all jobs)",
      ["mem=4G,node=1,gres/gpu=2"] = "memory (all jobs), gres/gpu (all jobs, 2 in use at once)",
      ["cpu=4,gres/gpu:a100=2,mem=4G"] =
        "gres/gpu:a100 (all jobs, 2 in use at once), memory (all jobs)",
      ["gres/gpu:a100=2,mem=4G,gres/gpu=3"] = -- the total counts
        "memory (all jobs), gres/gpu (all jobs, 3 in use at once)",
      ["mem=1G,gres/gpu=2,bb/x=7"] =
        "memory (all jobs), gres/gpu (all jobs, 2 in use at once), "
          .. "bb/x (all jobs, 7 in use at once)",
    } do
      local text = "1|COMPLETED|1700000000|1700000000|9|4|" .. list
      assert.equal(said, (tostring(read(head .. text .. (list:find "|" and "" or "|") .. "\n")
        :describe().not_modelled):gsub("^not modelled: ", "")))
    end
  end)

  it("are its needs of what is modelled, in any order", function()
    local rng, pools = orrery.random(12), { nodes = 9, gpu = 99, mem = "1T", bb = 99 }
    for _ = 1, rounds(60, 60, 20) do
      local nodes, gpus, gigabytes = rng:integer(0, 4), rng:integer(0, 3), rng:integer(0, 5)
      local list = { "cpu=4", "billing=7" }
      for _, one in ipairs { { "node=%d", nodes }, { "gres/gpu=%d", gpus },
        { "mem=%dG", gigabytes } } do
        if one[2] > 0 then
          table.insert(list, rng:integer(1, #list + 1), one[1]:format(one[2]))
        end
      end
      local text = table.concat(list, ",")
      local jobs = temporary.file("F", head:gsub("|ReqMem", "")
        .. "1|COMPLETED|1700000000|1700000000|9|4|" .. text .. "\n", orrery.read, { pools = pools })
      assert.same({ nodes = nodes, gpu = gpus, mem = gigabytes << 30, bb = 0 }, jobs[1].needs, text)
    end
  end)

  it("end where the file ends", function() -- what is behind it is for the sanitizers
    assert.equal("not modelled: memory (all jobs)",
      told(head:gsub("|ReqMem", "") .. "1|COMPLETED|1700000001|1700000001|9|4|mem="))
  end)
end)

-- Times of months, and times that are not whole, are sorted by other digits.
describe("what is in use at once over months", function()
  it("agrees with a naive count", function()
    local rng = orrery.random(10)
    for _, unit in ipairs { 1, 7001, 40009, 0.25, 12345.5 } do
      local lines, uses, peak = { "JobIDRaw|State|Submit|Start|ElapsedRaw|NCPUS|AllocTRES" }, {}, 0
      for i = 1, 60 do
        local start, seconds = rng:integer(0, 900) * unit, rng:integer(1, 300) * unit
        local gpus = rng:integer(1, 4)
        uses[i] = { start, start + seconds, gpus }
        lines[i + 1] = ("%d|COMPLETED|1700000000|%.17g|%.17g|1|gres/gpu=%d"):format(i,
          1700000000 + start, seconds, gpus)
      end
      for _, at in ipairs(uses) do
        local used = 0
        for _, use in ipairs(uses) do
          used = used + (use[1] <= at[1] and at[1] < use[2] and use[3] or 0)
        end
        peak = math.max(peak, used)
      end
      assert.equal(("not modelled: gres/gpu (all jobs, %d in use at once)"):format(peak),
        read(table.concat(lines, "\n") .. "\n"):describe().not_modelled)
    end
  end)
end)

-- Records that stand twice, parts of jobs, texts that come again, more names than a word has bits.
describe("what many jobs ask for", function()
  it("agrees with a naive count", function()
    local rng, head = orrery.random(9), HEAD:gsub("JobIDRaw", "JobID")
    for round = 1, rounds(40, 40, 16) do
      local rows, jobs, of_job, count = {}, {}, {}, rng:integer(1, 40)
      local names = round % 2 == 0 and 6 or 60
      local function add(id, job)
        local list, start, seconds = {}, rng:integer(0, 59), rng:integer(1, 30)
        for k = 1, rng:integer(0, 3) do
          local amount = rng:integer(0, 2)
          list[k] = ("gres/n%02d=%d"):format((rng:integer(1, names) + 20 * k) % names, amount)
        end
        local seen = {}
        for _, one in ipairs(list) do
          local name, amount = one:match "(n%d+)=(%d)"
          if amount ~= "0" and not seen[name] then
            seen[name] = true
            of_job[job] = of_job[job] or {}
            of_job[job][name] = true
          end
        end
        rows[#rows + 1] = row(id, "p", ("00:00:%02d"):format(start), seconds,
          "cpu=4," .. table.concat(list, ","), "||")
      end
      for i = 1, count do
        if rng:integer(1, 4) == 1 then
          for part = 0, 1 do add(i .. "+" .. part, i) end
        else
          add(i, i)
        end
        if rng:integer(1, 5) == 1 then rows[#rows + 1] = rows[#rows] end
      end
      for _, asks in pairs(of_job) do
        for name in pairs(asks) do jobs[name] = (jobs[name] or 0) + 1 end
      end
      local said = read(head .. table.concat(rows)):describe().not_modelled or ""
      for name, number in pairs(jobs) do
        local expected = number == count and "all jobs"
          or ("%d job%s"):format(number, number == 1 and "" or "s")
        if said:find("gres/" .. name, 1, true) then
          assert.matches(("gres/%s %%(%s[,)]"):format(name, expected), said)
        end
      end
      local named = select(2, said:gsub("gres/", ""))
      local different = 0
      for _ in pairs(jobs) do different = different + 1 end
      assert.equal(math.min(24, different), named)
    end
  end)
end)

describe("columns that are not read", function()
  local NOT = "columns of the log that are not read: "

  it("are named, of each format", function()
    local function unread(text, name) return read(text, name):describe().not_read end
    local sacct = "JobID|%sState|Submit|Start|ElapsedRaw|NCPUS|WorkDir|Elapsed|NNodes|\n"
    local job = "1|x|COMPLETED|2024-01-01T00:00:00|2024-01-01T00:00:00|600|4|/|00:10:00|2|\n"
    assert.equal(NOT .. "Comment, WorkDir", unread(sacct:format "Comment|" .. job))
    local line = "1 0 0 10 1 %d -1 1 10 -1 1 1 %d -1 1 -1 -1 -1\n"
    assert.is_nil(unread(line:format(-1, -1)))
    assert.equal(NOT .. "group, average CPU time",
      unread(line:format(-1, 3) .. line:format(7, -1)))
    assert.equal(NOT .. "MODE", unread("QUEUED_TIMESTAMP,RUNTIME_SECONDS,NODES_USED,MODE\n"
      .. "2019-06-01 00:00:00,10,1,script\n", "m.csv"))
    assert.is_nil(unread("job_id,submission_time,execution_time,"
      .. "requested_number_of_resources,finish_time\n1,0,1,1,1\n", "o.csv"))
    assert.equal(NOT .. "profile, time", unread("job_id,submission_time,execution_time,user,"
      .. "requested_number_of_resources,profile,time\n1,0,1,u,1,p,3\n", "o.csv"))
    assert.equal(NOT .. "date, Resource_List.walltimes", unread(
      "04/01/2023 01:00:00;E;1.s;user=u ctime=1680300000 start=1680300000 end=1680300060 "
      .. "Resource_List.ncpus=4 Resource_List.place=free\n04/01/2023 01:00:00;E;2.s;"
      .. "ctime=1680300000 start=1680300001 end=1680300061 Resource_List.place=free "
      .. "Resource_List.ncpus=4 Resource_List.walltimes=x Exit_status=0\n", "pbs.txt"))
    assert.equal(NOT .. "id_array_job, kill_requid, nodes_alloc, time_eligible, job_type",
      orrery.read("spec/fixtures/dumps/format-supercloud.csv"):describe().not_read)
    assert.equal(NOT .. "fake, host_ids, vc2", unread('[{"jobid":"1","vc":"v","user":"u","status":'
      .. '"Pass","submitted_time":"2023-03-01 08:00:00","fake":0,"attempts":[{"start_time":'
      .. '"2023-03-01 08:00:01","end_time":"2023-03-01 08:00:09","detail":[{"ip":"i","gpus":["a"]}]'
      .. '}]},{"jobid":"2","vc":"v","user":"u","status":"Pass","submitted_time":'
      .. '"2023-03-01 08:00:00","host_ids":1,"fake":2,"vc2":1,"attempts":[{"start_time":'
      .. '"2023-03-01 08:00:01","end_time":"2023-03-01 08:00:09","detail":[{"ip":"i","gpus":["a"]}]'
      .. '}]}]', "philly.json"))
    assert.equal(NOT .. "wall_time (did you mean walltime?)",
      unread("id,procs,runtime,wall_time\n1,1,1,1\n", "p.csv"))
    assert.equal(NOT .. "name, steps",
      orrery.read("spec/fixtures/dumps/sacct.json"):describe().not_read)
  end)

  it("are 24 at most, and the number of others", function()
    local names = {}
    for i = 1, 30 do names[i] = "q" .. i end
    local said = read("id,procs,runtime," .. table.concat(names, ",") .. "\na,1,10"
      .. (",x"):rep(30) .. "\n", "a.csv"):describe().not_read
    assert.equal(NOT .. table.concat(names, ", ", 1, 24) .. " and 6 more", said)
  end)

  it("are noted in comparisons, which selections of the log do not forget", function()
    local log = read("id,procs,runtime,qqq\na,1,10,x\nb,1,10,x\n", "a.csv")
    for _, jobs in ipairs { log, log:between(0, 10) } do
      local result = orrery.compare { jobs = jobs, procs = 1 }
      assert.equal(NOT .. "qqq", result.notes[1])
    end
  end)
end)
