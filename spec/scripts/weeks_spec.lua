-- `orrery weeks`: transcripts.
local orrery = require "orrery"
local program = require "spec.support.program"

local HOURS = { 1, 2, 2, 5 } -- hours of work, an hour after the other, on one processor of two

describe("orrery weeks", function()
  local folder

  before_each(function()
    folder = program.folder()
    local lines = { "; MaxProcs: 2", "; UnixStartTime: 1027839845" }
    for i, hours in ipairs(HOURS) do
      lines[#lines + 1] = ("%d %d 0 %d 1 -1 -1 1 -1 -1 %d 3 -1 -1 -1 -1 -1 -1"):format(i,
        (i - 1) * 7200, hours * 3600, i == 4 and 5 or 1)
    end
    -- Jobs of no work in the last seventh of blocks 3 and 4, so that these are whole.
    for i, submit in ipairs { 21590, 28790 } do
      lines[#lines + 1] = ("%d %d 0 0 1 -1 -1 1 -1 -1 %d 3 -1 -1 -1 -1 -1 -1"):format(4 + i, submit,
        i == 2 and 5 or 1)
    end
    program.write(folder, "log.swf", table.concat(lines, "\n") .. "\n")
  end)
  after_each(function() program.remove(folder) end)

  local function run(arguments) return program.run(folder, "weeks " .. arguments) end

  it("shows the busy weeks", function()
    -- Blocks of two hours: 1 of 4 hours, 2 of 4, 2 of 4, 2 of 4; submitted 1, 2, 2, 5.
    assert.same({ 0, [[
week               begins  jobs  utilisation
2     2002-07-28 09:04:05     1       0.5000
3     2002-07-28 11:04:05     2       0.5000
4     2002-07-28 13:04:05     2       0.5000
a week's utilisation is that by the work that ran in it
]], "" }, { run "log.swf --hours 2 --utilisation 0.5" })
    assert.same({ 0, [[
week               begins  jobs  utilisation
4     2002-07-28 13:04:05     2       1.2500
a week's utilisation is that by the work that was submitted in it
]], "" }, { run "log.swf --hours 2 --by submitted" })
  end)

  -- Blocks of three hours, of which the third begins at 21600 s: its last seventh at 30857 s.
  it("leaves out the last one where the log ends before it, and says so", function()
    assert.same({ 0, [[
week               begins  jobs  utilisation
1     2002-07-28 07:04:05     2       0.3333
2     2002-07-28 10:04:05     2       0.5000
a week's utilisation is that by the work that ran in it
note: week 3 is left out: the log ends 2.0 h into it
]], "" }, { run "log.swf --hours 3 --utilisation 0.3" })
    assert.matches("\n1 ", (select(2, run "log.swf --hours 9 --utilisation 0.3")))
  end)

  it("writes each to a file of its own, and the table", function()
    local status, out, err = run("log.swf --hours 2 --utilisation 0.3 --procs 1 -o a/b "
      .. "--csv t.csv --status completed")
    assert.same({ 0, "" }, { status, err })
    assert.matches("1     2002%-07%-28 07:04:05     1       0.5000  a/b/log%-week001.swf\n", out)
    assert.equal("log-week001.swf log-week002.swf log-week003.swf",
      program.listing(folder .. "/a/b"))
    assert.equal([[
week,date,from,to,jobs,utilisation,file
1,2002-07-28 07:04:05,0,7200,1,0.5,a/b/log-week001.swf
2,2002-07-28 09:04:05,7200,14400,1,1,a/b/log-week002.swf
3,2002-07-28 11:04:05,14400,21600,2,1,a/b/log-week003.swf
]], program.read(folder .. "/t.csv"))
    local week = orrery.read(folder .. "/a/b/log-week002.swf")
    assert.same({ id = "2", submit = 7200, procs = 1, runtime = 7200, time = 7200, area = 7200,
      wait = 0, user = "3", status = "completed" }, week[1])
    assert.same({ 1, 2, "2002-07-28 07:04:05" }, { #week, week.machine_procs, week.origin })
  end)

  it("says what is wrong", function()
    local function fails(status, message, arguments)
      assert.same({ status, "", "orrery: " .. message .. "\n" }, { run(arguments) })
    end
    fails(1, "no week of log.swf has a mean utilisation of 0.7 or more: the busiest has 0.5000, by "
      .. "the work that ran in it", "log.swf --hours 2 -o x")
    assert.equal("log.swf", program.listing(folder))
    program.write(folder, "jobs.csv", "id,procs,time\n1,2,3\n")
    fails(2, "jobs.csv does not say how many processors the machine has: give --procs N",
      "jobs.csv")
    fails(2, "none.swf: No such file or directory", "none.swf")
    local status, _, err = run "log.swf --hours 0"
    assert.equal(2, status)
    assert.matches("%-%-hours: expected a number above 0, found '0'", err)
    status, _, err = run "log.swf --wide no"
    assert.equal(2, status)
    assert.matches("wide", err)
  end)
end)
