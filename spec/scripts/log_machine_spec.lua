-- What of a log fits a machine: orrery log --machine; and --where over what jobs need.
local orrery = require "orrery"
local program = require "spec.support.program"

local MACHINE = [[return {
  nodes = { { count = 3, procs = 4 }, { count = 2, procs = 2, gpu = 4, mem = "64G" } },
  pools = { matlab = 5 }, limits = { { most = { procs = 3 }, per = "user" } },
  partitions = { cpu = { nodes = "1-3" }, gpu = { nodes = "4-5" }, all = { default = true } } }
]]
local HEAD = "id,submit,procs,runtime,w,gpu,matlab,mem,partition,user\n"

describe("orrery log with a machine", function()
  local folder
  before_each(function()
    folder = program.folder()
    program.write(folder, "m.lua", MACHINE)
  end)
  after_each(function() program.remove(folder) end)

  local function run(words, rows)
    program.write(folder, "log.csv", HEAD .. rows)
    return program.run(folder, words)
  end

  it("by hand: says what was used at once, and what can never start", function()
    local status, out = run("log log.csv --columns wait=w --machine m.lua",
      "a,0,2,10,0,0,5,0,cpu,ann\nb,0,2,20,0,3,0,96G,gpu,\nc,0,1,10,5,1,1,32G,,\n"
      .. "d,5,1,10,7,20,6,0,,\ne,30,4,5,0,0,0,0,,bob\n")
    assert.equal(0, status)
    assert.matches("processors +16 +5 +31.2%%\n", out) -- a, b and c from 5 to 10
    assert.matches("pool matlab +5 +7 +140.0%%\n", out) -- c and d from 12 to 15
    assert.matches("gpu +8 +24 +300.0%%\n", out) -- b, c and d from 12 to 15
    assert.matches("mem +128G +128G +100.0%%\n", out)
    assert.matches("note: 1 of 5 jobs can never start, for asking for more than all of pool matlab",
      out)
    assert.matches("1 of 5 jobs can never start and is refused at submission, .*first is d", out)
    assert.matches("1 of 5 jobs needs more than a limit .*first is e %(procs/user=3%)", out)
    assert.not_matches("not modelled", out) -- partitions are
  end)

  it("says nothing of use at once where the log tells no starts", function()
    local status, out = run("log log.csv --machine m.lua", "a,0,4,10,,0,5,0,cpu,\n")
    assert.equal(0, status)
    assert.matches("pool matlab +5 +%- +%-\n", out)
    assert.matches("not modelled, but as labels that policies read: 2 partitions",
      select(2, run("log log.csv", "a,0,4,10,,0,5,0,cpu,\nb,0,4,10,,0,5,0,gpu,\n")))
    for words, times in pairs { [""] = 1, [" --machine m.lua"] = 0 } do
      local rows = "a,0,4,10,,0,5,0,cpu,\nb,0,4,10,,0,5,0,gpu,\n"
      assert.equal(times, select(2, select(2, run("log log.csv" .. words, rows))
        :gsub("to model it: %-%-machine", "")))
    end
  end)

  it("counts at once what a naive scan counts", function()
    for seed = 1, 5 do
      local rng, rows, jobs, most = orrery.random { seed = seed }, {}, {}, 0
      for i = 1, 40 do
        local job = { rng:integer(0, 60), rng:integer(0, 20), rng:integer(0, 9), rng:integer(0, 5) }
        jobs[i] = job
        rows[i] = ("%d,%d,1,%d,%d,0,%d,0,,\n"):format(i, job[1], job[2], job[3], job[4])
      end
      for time = 0, 100 do
        local now = 0
        for _, job in ipairs(jobs) do
          local start = job[1] + job[3]
          if start <= time and time < start + job[2] then now = now + job[4] end
        end
        most = math.max(most, now)
      end
      local _, out = run("log log.csv --columns wait=w --machine m.lua", table.concat(rows))
      assert.matches(("pool matlab +5 +%d "):format(most), out)
    end
  end)

  it("has its amounts in --where, also with units", function()
    local rows = "a,0,2,10,0,0,5,0,cpu,ann\nb,0,2,20,0,3,0,96G,gpu,bob\nc,0,1,10,5,1,1,32G,,64G\n"
    for condition, count in pairs { ["gpu > 0"] = 2, ["mem > 64G"] = 1,
      ["matlab == 1 or gpu > 2"] = 2, ["mem >= 32768M"] = 2, ["user == '64G'"] = 1 } do
      local status, out = run(('log log.csv --machine m.lua --where "%s"'):format(condition), rows)
      assert.equal(0, status)
      assert.matches(("note: counted: %d of 3 jobs"):format(count), out)
    end
    local _, _, problem = run('log log.csv --machine m.lua --where "gpus > 0"', rows)
    assert.matches("a job has no field 'gpus'.*, qos, and what %-%-machine or %-%-pool has%)",
      problem)
  end)

  it("has types of resources in --where, but not in its texts", function()
    program.write(folder, "typed.csv", "id,submit,runtime,procs,user,gpu,gpu:a100\n"
      .. "a,0,9,1,ann,2,2\nb,0,9,1,x gpu:a100 64G,0,0\nc,0,9,1,ann,1,0\n")
    for condition, count in pairs { ["gpu:a100 > 0"] = 1, ["gpu:a100<1 and user:find 'a'"] = 2,
      ["gpu > 0 and gpu:a100 == 0"] = 1, ["user == 'x gpu:a100 64G'"] = 1 } do
      local status, out = program.run(folder, ('replay typed.csv --procs 4 --pool gpu=4 '
        .. '--pool gpu:a100=2 --where "%s"'):format(condition))
      assert.equal(0, status, out)
      assert.matches(("note: counted: %d of 3 jobs"):format(count), out)
    end
  end)
end)
