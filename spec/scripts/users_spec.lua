-- `orrery replay --users` and `--timeline`: the files.
local orrery = require "orrery"
local program = require "spec.support.program"

describe("orrery replay", function()
  local folder

  before_each(function()
    folder = program.folder()
    -- One processor: a 0-10, b (user 7) 10-15 after a wait of 8, c (user 3) 20-30.
    program.write(folder, "log.swf", "; MaxProcs: 1\n"
      .. "1 0 -1 10 1 -1 -1 1 10 -1 1 7 -1 -1 -1 -1 -1 -1\n"
      .. "2 2 -1 5 1 -1 -1 1 5 -1 1 7 -1 -1 -1 -1 -1 -1\n"
      .. "3 20 -1 10 1 -1 -1 1 10 -1 1 3 -1 -1 -1 -1 -1 -1\n")
  end)
  after_each(function() program.remove(folder) end)

  local function replay(arguments)
    local status, out, err = program.run(folder, "replay log.swf " .. arguments)
    return status, err, out
  end

  it("writes what became of every user's jobs", function()
    local status, err = replay "--policy easy --policy fcfs --tau 2 --users u.csv"
    assert.same({ 0, "" }, { status, err })
    local rows = "7,2,15,4,8,11.5,1.8,2.6\n"
    assert.equal("policy,priority,set,user,jobs,work,wait_mean,wait_max,flow_mean,bsld_mean,"
      .. "bsld_max\n"
      .. "easy,fcfs,all," .. rows .. "easy,fcfs,all,3,1,10,0,0,10,1,1\n"
      .. "fcfs,fcfs,all," .. rows .. "fcfs,fcfs,all,3,1,10,0,0,10,1,1\n",
      program.read(folder .. "/u.csv"))
  end)

  it("writes the timeline, as CSV or as a picture #long", function()
    replay "--timeline t.csv"
    assert.equal("time,busy,running,waiting,waiting_procs\n0,1,1,0,0\n2,1,1,1,1\n10,1,1,0,0\n"
      .. "15,0,0,0,0\n20,1,1,0,0\n30,0,0,0,0\n", program.read(folder .. "/t.csv"))
    local status, err = replay "--timeline t.svg"
    assert.same({ 0, "" }, { status, err })
    local svg = program.read(folder .. "/t.svg")
    for _, text in ipairs { "Busy processors", "Waiting jobs", "Time (s)",
      "3 jobs on 1 processor, dispatch/greedy" } do
      assert.matches(">" .. text .. "<", svg, 1, true)
    end
    assert.equal("log.swf t.csv t.svg", program.listing(folder))
    -- the bundled month has more steps than a picture shows
    assert.equal(0, (program.run(folder, "replay --timeline m.png --policy easy")))
    assert.equal("\137PNG", program.read(folder .. "/m.png"):sub(1, 4))
  end)

  it("refuses what has no single scenario", function()
    local function refused(expected, arguments, log)
      local status, _, err = program.run(folder, ("replay '%s' %s"):format(log or "log.swf",
        arguments))
      assert.equal(2, status)
      assert.matches(expected, err, 1, true)
      assert.equal("log.swf", program.listing(folder))
    end
    refused("--users is of one scenario: give --runs 1, not 3", "--runs 3 --users u.csv")
    refused("--users has no place for q", "--q 0,0.1 --users u.csv")
    refused("--timeline writes one timeline: give one --policy, not 2",
      "--policy easy --policy fcfs --timeline t.csv")
    refused("--timeline writes one timeline: give one set of jobs, not 30",
      "--timeline t.csv --by day", orrery.home .. "/data/mira/sample-2019-06.csv")
  end)
end)
