-- --per: how long the jobs of each group waited; held against a recount of the schedule.
local orrery = require "orrery"
local program = require "spec.support.program"

describe("--per", function()
  local folder
  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  it("has a table by hand for each policy", function()
    -- a holds 3 of 4 processors until 100 and b wants all: under EASY c (60 s) fills in, with FCFS
    -- it waits for b's end at 150; d (90 s, to 120) would delay b. Bounded slowdowns have 60 s:
    -- that of b is (90 + 50) / 60
    program.write(folder, "log.csv", "id,submit,procs,runtime,queue\na,0,3,100,long\n"
      .. "b,10,4,50,long\nc,20,1,60,short\nd,30,1,90,\n")
    local status, out, err = program.run(folder,
      "replay log.csv --procs 4 --policy easy --policy fcfs --per queue")
    assert.same({ 0, "" }, { status, err })
    assert.equal([[

easy
queue   jobs  of the work  mean wait      95%  longest  slowdown
long       2        76.9%       45 s     86 s     90 s   1.66667
(none)     1        13.8%    2.0 min  2.0 min  2.0 min   2.33333
short      1         9.2%        0 s      0 s      0 s         1

fcfs
queue   jobs  of the work  mean wait      95%  longest  slowdown
long       2        76.9%       45 s     86 s     90 s   1.66667
(none)     1        13.8%    2.0 min  2.0 min  2.0 min   2.33333
short      1         9.2%    2.2 min  2.2 min  2.2 min   3.16667
]], out:match "\n\neasy\nqueue.*":sub(2))
  end)

  -- Waits 0, 30, 10 s of 60, 30, 90 s: slowdowns 1, (30 + 30) / 60, 100 / 90. The wait of d is not
  -- known. Areas 60, 60, 90, 90 s.
  it("is of recorded waits for a log", function()
    program.write(folder, "log.csv", "id,at,begin,procs,runtime,user,account\na,0,0,1,60,u,p\n"
      .. "b,0,30,2,30,v,p\nc,20,30,1,90,u,q\nd,50,,1,90,v,q\n")
    local read = "log log.csv --procs 4 --columns id=id,submit=at,start=begin,procs=procs,"
      .. "runtime=runtime,user=user,account=account "
    local _, out = program.run(folder, read .. "--per account --json j.json --report r.html")
    local text = [[
account  jobs  of the work  mean wait   95%  longest  slowdown
q           2        60.0%       10 s  10 s     10 s   1.11111
p           2        40.0%       15 s  29 s     30 s         1
]]
    assert.matches(text, out, 1, true)
    assert.matches('"name":"q"', program.read(folder .. "/j.json"), 1, true)
    assert.matches("Waits by account", program.read(folder .. "/r.html"), 1, true)
    _, out = program.run(folder, read .. "--per account --user u")
    assert.matches("\nq +1 +60.0%% +10 s +10 s +10 s +1.11111\np +1 +40.0%% +0 s", out)
  end)

  -- 12 weeks, in which users s and l come at equal times; the means of a recount of the schedule.
  it("has paired differences where there are enough weeks", function()
    local lines, rng = { "id,submit,procs,runtime,user" }, orrery.random(8)
    for i = 1, 600 do
      lines[i + 1] = ("%d,%d,%d,%d,%s"):format(i, i * 12000, rng:integer(1, 8),
        math.floor(rng:exponential(9000)), i % 3 == 0 and "l" or i < 90 and "early" or "s")
    end
    program.write(folder, "log.csv", table.concat(lines, "\n") .. "\n")
    local status, out = program.run(folder, "compare log.csv --procs 8 --policy fcfs "
      .. "--policy easy --per user --report r.html")
    assert.equal(0, status)
    local result = orrery.compare { jobs = orrery.read(folder .. "/log.csv"), procs = 8,
      policies = { "fcfs", "easy" } }
    local a, b, sums = result:jobs(1, "wait"), result:jobs(2, "wait"), {}
    for i = 3, 600, 3 do sums[#sums + 1] = (b[i] - a[i]) / 3600 end
    local table_of_easy = out:match "\n\neasy\nuser.*"
    assert.matches("slowdown +difference %(h%)\n", table_of_easy)
    assert.equal(("%+.3f"):format(orrery.summary(sums).mean),
      table_of_easy:match "\nl .*  (%S+) %[[^\n]*\n")
    assert.matches("\nearly [^[]-\n", table_of_easy) -- less than 8 weeks
    assert.matches("difference: of the mean wait from that under fcfs", out, 1, true)
    assert.matches("difference (h)", program.read(folder .. "/r.html"), 1, true)
  end)

  it("counts as the schedule does #long", function()
    local rng = orrery.random(5)
    for _ = 1, 20 do
      local lines, parts = { "id,submit,procs,runtime,partition" }, { "a", "b", "c" }
      for i = 1, 60 do
        lines[i + 1] = ("%d,%d,%d,%d,%s"):format(i, i * 5, rng:integer(1, 8), rng:integer(1, 300),
          parts[rng:integer(1, 3)])
      end
      program.write(folder, "log.csv", table.concat(lines, "\n") .. "\n")
      local status, out = program.run(folder,
        "replay log.csv --procs 8 --policy easy --per partition --schedule s.csv")
      assert.equal(0, status)
      local partition, sums = {}, {}
      for i = 2, #lines do
        local id, part = lines[i]:match "^(%d+),.*,(%a)$"
        partition[id] = part
      end
      for _, job in orrery.read(folder .. "/s.csv", { procs = 8 }):each() do
        local sum = sums[partition[job.id]] or { 0, 0, 0 }
        sums[partition[job.id]] = { sum[1] + 1, sum[2] + job.wait, math.max(sum[3], job.wait) }
      end
      for part, sum in pairs(sums) do
        local jobs, mean, longest = out:match("\n" .. part
          .. " +(%d+) +[%d.]+%% +([%d.]+ %l+) +[%d.]+ %l+ +([%d.]+ %l+) ")
        assert.same({ tostring(sum[1]), orrery.tools.span_text(math.floor(sum[2] / sum[1] + 0.5)),
          orrery.tools.span_text(math.floor(sum[3] + 0.5)) }, { jobs, mean, longest })
      end
    end
  end)

  it("puts what has no row of its own into one, and sizes in order", function()
    local lines = { "id,submit,procs,runtime,user" }
    for i = 1, 30 do lines[i + 1] = ("%d,0,%d,%d,u%d"):format(i, i, 1000 - i, i) end
    program.write(folder, "log.csv", table.concat(lines, "\n") .. "\n")
    local _, out = program.run(folder, "replay log.csv --procs 500 --policy easy --per user")
    local _, rows = out:gsub("\nu%d+ ", "")
    assert.equal(20, rows)
    assert.matches("\n10 others +10 +", out)
    _, out = program.run(folder, "replay log.csv --procs 500 --policy easy --per size")
    assert.matches("\n1 +1 .*\n2%-3 +2 .*\n4%-7 +4 .*\n8%-15 +8 .*\n16%-31 +15 ", out)
  end)

  it("is of a single scenario of a log that tells the key", function()
    for arguments, message in pairs {
      ["--per size --runs 3 --q 0.1"] = "--per is of one scenario: give --runs 1, not 3",
      ["--per user --day 2019-06-14"] = "--per user: the log tells it of no job",
      ["--per size --by day"] = "--per and --by exclude each other",
      ["--per moon"] = "argument for option '--per' must be one of",
    } do
      local status, out, err = program.run(folder, "replay " .. arguments)
      assert.same({ 2, "" }, { status, out })
      assert.matches(message, err, 1, true)
    end
  end)
end)
