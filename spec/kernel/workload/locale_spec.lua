-- Files have a decimal point whatever locale the program runs in, read and written.
local comma = require "spec.support.comma_locale"
local faults = require "native_faults"
local orrery = require "orrery"
local temporary = require "spec.support.temporary"

-- Numbers that the short way of reading cannot do are among them: an exponent, many digits.
local logs = {
  plain = "id,submit,procs,time,walltime\na,0.5,4,1.25e1,20.125\nb,1.5,2,3.0000000000000000001,\n",
  swf = "; MaxProcs: 8\n1 0.5 2.5 1.25e1 4 -1 -1 4 20.125 -1 1 1 -1 -1 1 1 -1 -1\n",
  sacct = "JobIDRaw|Submit|Start|End|Elapsed|NCPUS|State\n" ..
    "1|2024-01-01T00:00:00.5|2024-01-01T00:00:02|2024-01-01T00:00:20|00:00:17.625|4|COMPLETED\n",
  batsim = [[{"nb_res": 4, "jobs": [{"id": "1", "subtime": 0.5, "res": 2, "profile": "p",
    "walltime": 20.125}], "profiles": {"p": {"type": "delay", "delay": 1.25e1}}}]],
}
local tasks = "id,m,profile\na,2.5e1,amdahl:0.0625\nb,3,power:0.3000000000000000001\n"

local function read_all()
  local all = {}
  for name, text in pairs(logs) do
    local jobs = temporary.file("FILE", text, orrery.read)
    all[name] = { csv = jobs:csv(), swf = jobs:csv "swf" }
    for i, job in ipairs(jobs) do
      all[name][i] = { job.id, job.submit, job.procs, job.time, job.walltime }
    end
  end
  all.tasks = temporary.file("FILE", tasks, function(path) return orrery.tasks.read(path):csv() end)
  return all
end

describe("in a locale with a decimal comma", function()
  it("files are read and written as in any other", function()
    local here
    local possible, why = comma(function() here = read_all() end)
    if not possible then return pending(why) end
    assert.same(read_all(), here)
    assert.same({ "a", 0.5, 4, 12.5, 20.125 }, here.plain[1])
    assert.same({ "1", 0.5, 2, 12.5, 20.125 }, here.batsim[1])
    assert.equal("id,submit,procs,runtime,status\n1,0,4,17.625,completed\n", here.sacct.csv)
    assert.equal("id,m,profile\na,25,amdahl:0.0625\nb,3,power:0.3\n", here.tasks)
  end)

  it("a log of faults is read, and what is wrong with it told", function()
    local read, message
    local possible, why = comma(function()
      read = temporary.file("FILE", "time,processor\n1.5,0\n2.5e0,3\n", function(path)
        return (faults.read(path, nil, 4))
      end)
      message = select(2, temporary.file("FILE", "time,processor\n1.5,0\n0.25,3\n", function(path)
        return faults.read(path, nil, 4)
      end))
    end)
    if not possible then return pending(why) end
    assert.same({ { 1.5, 0, -1 }, { 2.5, 3, -1 } }, read)
    assert.matches(":3: column 1 %(time%): expected a time that is not before the last one, " ..
      '1%.5, found "0%.25"$', message)
  end)
end)
