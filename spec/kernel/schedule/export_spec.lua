-- Files that are written the same whatever locale the program runs in.
local comma = require "spec.support.comma_locale"
local orrery = require "orrery"

local function content(path)
  local file <close> = assert(io.open(path))
  return file:read "a", os.remove(path)
end

local function attempts(ending, time)
  local path = os.tmpname() .. ending
  local s = orrery.session {
    jobs = orrery.jobs {
      { id = "7", procs = 1, time = 10.25, submit = 0.5, walltime = 20.1 },
      { id = "8", procs = 2, time = time or 4.1, submit = 1.5 },
    },
    procs = 2, policy = "dispatch/easy", failures = { 1, 0 },
  }
  s:finish()
  s:write_schedule(path)
  return (content(path))
end

local function program()
  local path = os.tmpname()
  local tasks = orrery.tasks.list { { times = { 4, 2.5 } }, { times = { 3.1 } } }
  orrery.pack_problem { tasks = tasks, procs = 2, k = 1 }:write_lp(path)
  return (content(path))
end

-- By hand: job 7 fails after its 10.25 s and runs again, then job 8, which wants both processors.
describe("a schedule without nodes, pools and checkpoints", function()
  it("has the columns of Batsim and our own, and no more", function()
    local lines = {}
    for line in attempts(".csv", 4):gmatch "[^\n]*\n" do lines[#lines + 1] = line end
    assert.same({
      "job_id,workload_name,submission_time,requested_number_of_resources,requested_time,success,"
        .. "final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,"
        .. "stretch,allocated_resources,promised_starting_time,user,queue,policy,submission_date,"
        .. "starting_date,finish_date,machine_procs\n",
      "7#1,w0,0.5,1,10.25,0,COMPLETED_FAILED,0.5,10.25,10.75,0,10.25,1,0,,,,dispatch/easy,,,,2\n",
      "7,w0,0.5,1,10.25,1,COMPLETED_SUCCESSFULLY,10.75,10.25,21,10.25,20.5,2,0,,,,dispatch/easy,"
        .. ",,,2\n",
      "8,w0,1.5,2,4,1,COMPLETED_SUCCESSFULLY,21,4,25,19.5,23.5,5.875,0-1,,,,dispatch/easy,,,,2\n",
    }, lines)
  end)

  -- 25.1 - 21 is not 4.1.
  it("is one record a job in the Standard Workload Format, with its own runtime", function()
    local lines = {}
    for line in attempts ".swf":gmatch "[^\n]*\n" do
      lines[#lines + 1] = line:find "^%d" and line or nil
    end
    assert.same({ "7 0.5 10.25 10.25 1 -1 -1 1 10.25 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
      "8 1.5 19.5 4.1 2 -1 -1 2 4.1 -1 1 -1 -1 -1 -1 -1 -1 -1\n" }, lines)
  end)
end)

-- By hand. Whatever stands behind the number of processors of the machine, row by row; and the
-- records in the Standard Workload Format.
describe("a schedule has columns", function()
  local function rows(spec, now)
    local list, records, s = {}, {}, orrery.session(spec)
    s[now and "run_until" or "finish"](s, now)
    for _, ending in ipairs { ".csv", ".swf" } do
      local path = os.tmpname() .. ending
      s:write_schedule(path)
      for line in content(path):gmatch "[^\n]+" do
        if ending == ".csv" then list[#list + 1] = line end
        if ending == ".swf" and line:find "^%d" then records[#records + 1] = line end
      end
    end
    return list, records
  end

  local function behind(list, what)
    local found = {}
    for i, line in ipairs(list) do found[i] = line:match(what .. "(.*)$") end
    return found
  end

  it("for labels that jobs have, and what they need of pools", function()
    local list, records = rows { procs = 2, pools = { gpu = 4, lic = 1 }, policy = "easy",
      jobs = orrery.jobs {
        { id = "7", procs = 2, time = 10, partition = "p", qos = "q", needs = { gpu = 3 },
          account = "a,b" },
        { id = "8", procs = 1, time = 4, user = "u", queue = "w", array = 5 } } }
    assert.same({ ",partition,account,qos,array,gpu,lic", ',p,"a,b",q,,3,0', ",,,,5,0,0" },
      { behind(list, "machine_procs")[1], behind(list, ",easy,,,,2")[2],
        behind(list, ",,u,w,easy,,,,2")[3] })
    assert.same({ "7 0 0 10 2 -1 -1 2 10 -1 1 -1 -1 -1 -1 1 -1 -1",
      "8 0 10 4 1 -1 -1 1 4 -1 1 1 -1 -1 1 -1 -1 -1" }, records)
  end)

  it("for what is saved, and for checkpoints", function()
    local list = rows { procs = 2, policy = "easy", checkpoint = { cost = 1, period = 4 },
      jobs = orrery.jobs { { procs = 2, time = 10 } } } -- 4 + 1 + 4 + 1 + 2
    assert.same({ ",saved,checkpoints", "0,12,12,0,12,1,0-1,,,,easy,,,,2,10,2" },
      { behind(list, "machine_procs")[1], behind(list, "COMPLETED_SUCCESSFULLY,")[2] })
  end)

  it("for the walltime, and for what came of an attempt", function()
    local jobs = orrery.jobs { { id = "7", procs = 2, time = 10, walltime = 5 },
      { id = "8", procs = 1, time = 6, walltime = 6, submit = 1 } }
    local list, records = rows { procs = 2, policy = "easy", walltimes = "log", jobs = jobs }
    assert.same({ "7,w0,0,2,5,0,COMPLETED_WALLTIME_REACHED,0,5,5,0,5,1,0-1,,,,easy,,,,2",
      "8,w0,1,1,6,1,COMPLETED_SUCCESSFULLY,5,6,11,4,10,1.6666666666666667,0,,,,easy,,,,2" },
      { list[2], list[3] })
    assert.same({ "7 0 0 5 2 -1 -1 2 5 -1 0 -1 -1 -1 -1 -1 -1 -1",
      "8 1 4 6 1 -1 -1 1 6 -1 1 -1 -1 -1 -1 -1 -1 -1" }, records)
    list, records = rows({ procs = 2, policy = "easy", jobs = jobs }, 4)
    assert.equal("7,w0,0,2,10,0,RUNNING,0,10,10,0,10,1,0-1,,,,easy,,,,2", list[2])
    assert.equal(2, #list)
    assert.same({ "7 0 -1 -1 -1 -1 -1 2 10 -1 -1 -1 -1 -1 -1 -1 -1 -1",
      "8 1 -1 -1 -1 -1 -1 1 6 -1 -1 -1 -1 -1 -1 -1 -1 -1" }, records)
  end)

  it("for dates where the log has some", function()
    local path = os.tmpname()
    local file = assert(io.open(path, "w"))
    file:write("; UnixStartTime: 1560492000\n" -- 2019-06-14 06:00
      .. "1 0 -1 5400.5 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
      .. "2 60 -1 60 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n")
    file:close()
    local list = rows { jobs = orrery.read(path), procs = 1, policy = "easy" }
    os.remove(path)
    assert.same({ "2019-06-14 06:00:00,2019-06-14 06:00:00,2019-06-14 07:30:00.500000,1,1",
      "2019-06-14 06:01:00,2019-06-14 07:30:00.500000,2019-06-14 07:31:00.500000,1,1" },
      { behind(list, ",easy,")[2], behind(list, ",easy,")[3] })
  end)
end)

describe("in a locale with a decimal comma", function()
  for name, written in pairs {
    csv = function() return attempts ".csv" end, swf = function() return attempts ".swf" end,
    program = program,
  } do
    it("numbers have a decimal point: " .. name, function()
      local plain, there, lua = written(), nil, nil
      local possible, why = comma(function()
        there, lua = written(), ("%.1f"):format(0.5)
      end)
      if not possible then return pending(why) end
      assert.equal("0,5", lua)
      assert.matches("%d%.%d", plain)
      assert.equal(plain, there)
    end)
  end
end)
