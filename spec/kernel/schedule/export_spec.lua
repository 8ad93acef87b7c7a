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

  it("is one record a job in the Standard Workload Format", function()
    local lines = {}
    for line in attempts(".swf", 4):gmatch "[^\n]*\n" do
      lines[#lines + 1] = line:find "^%d" and line or nil
    end
    assert.same({ "7 0.5 10.25 10.25 1 -1 -1 1 10.25 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
      "8 1.5 19.5 4 2 -1 -1 2 4 -1 1 -1 -1 -1 -1 -1 -1 -1\n" }, lines)
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
