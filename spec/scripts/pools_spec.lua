-- What jobs need of pools, read from logs, and --pool of the program.
local orrery = require "orrery"
local program = require "spec.support.program"

local folder

setup(function() folder = program.folder() end)
teardown(function() program.remove(folder) end)

local CSV = "id,submit,procs,runtime,gpu,mem\na,0,1,10,2,1G\nb,1,2,10,1,\nc,2,1,5,,2G\n"
  .. "d,3,1,20,1,1G\n"

local function run(text, arguments)
  program.write(folder, "log.csv", text)
  return program.run(folder, arguments)
end

local function needs(name, text, pools)
  program.write(folder, name, text)
  local list = {}
  for i, job in ipairs(orrery.read(folder .. "/" .. name, { pools = pools })) do
    list[i] = ("%s: %d %d %d"):format(job.id, job.needs.gpu, job.needs.mem, job.needs.matlab)
  end
  return list
end

describe("what jobs need", function()
  local POOLS = { gpu = 8, mem = "1T", matlab = 3 }

  it("stands in columns of a CSV", function()
    assert.same({ "a: 2 1073741824 0", "b: 1 0 0", "c: 0 2147483648 0", "d: 1 1073741824 0" },
      needs("log.csv", CSV, POOLS))
  end)

  it("is asked for by each job, also in a text that a job before it has", function()
    local line = "|COMPLETED|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T00:10:00|600|2|"
      .. "cpu=2,mem=1G,gres/gpu=2\n"
    assert.same({ "1: 2 1073741824 0", "2: 2 1073741824 0", "3: 2 1073741824 0" },
      needs("same.txt", "JobIDRaw|State|Submit|Start|End|ElapsedRaw|NCPUS|AllocTRES\n" .. 1 .. line
        .. 2 .. line .. 3 .. line, POOLS))
  end)

  it("is what Slurm's jobs ask for", function()
    local head = "JobIDRaw|State|Submit|Start|End|ElapsedRaw|NCPUS|AllocTRES|ReqTRES|Licenses\n"
    local when = "|COMPLETED|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T00:10:00|600|2|"
    assert.same({ "1: 2 4294967296 0", "2: 3 524288000 1", "3: 0 1048576000 0", "4: 0 0 2" },
      needs("dump.txt", head
        .. 1 .. when .. "cpu=2,gres/gpu=2,gres/gpu:a100=2,mem=4G|cpu=2,gres/gpu=2,mem=4G|\n"
        .. 2 .. when .. "cpu=2,gres/gpu:a100=3,license/matlab=1,mem=500M|cpu=2|matlab@server:1\n"
        .. 3 .. when .. "cpu=2,mem=1000M|cpu=2,mem=1000M|\n" .. 4 .. when .. "cpu=2||matlab:2\n",
        POOLS))
    local result = orrery.compare { jobs = folder .. "/dump.txt", procs = 8,
      pools = { gpu = 4, matlab = 2 } }
    assert.equal("not modelled: memory (3 jobs)", result.notes[1])
    program.write(folder, "dump.json", [[{"jobs": [{"job_id": 7, "state":
      {"current": ["COMPLETED"]},
      "time": {"submission": 1700000000, "start": 1700000000, "end": 1700000600, "elapsed": 600},
      "tres": {"allocated": [{"type": "cpu", "name": "", "count": 4},
        {"type": "mem", "name": "", "count": 2048}, {"type": "gres", "name": "gpu", "count": 2},
        {"type": "license", "name": "matlab", "count": 1}]}}]}]])
    local one = orrery.read(folder .. "/dump.json", { pools = POOLS })[1]
    assert.same({ gpu = 2, mem = 2 ^ 31, matlab = 1 }, one.needs)
  end)

  it("is memory of each node or processor, where AllocTRES has none, and of SWF", function()
    local when = "|COMPLETED|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T00:10:00|600|6|"
    assert.same({ "1: 0 6442450944 0", "2: 0 2147483648 0", "3: 0 1073741824 0",
      "4: 0 5368709120 0", "5: 0 0 0", "6: 0 4198330532 0" }, needs("dump.txt",
      "JobIDRaw|State|Submit|Start|End|ElapsedRaw|NCPUS|AllocTRES|ReqMem|NNodes\n"
      .. 1 .. when .. "cpu=6,node=2|1Gc|2\n" .. 2 .. when .. "cpu=6|1Gn|2\n" .. 3 .. when
      .. "cpu=6,mem=1G,node=2|4Gn|2\n" .. 4 .. when .. "cpu=6|5G|\n" .. 5 .. when .. "||\n"
      .. 6 .. when .. "cpu=6,mem=3.91G|3.9G|\n", POOLS))
    program.write(folder, "dump.json", [[{"jobs": [{"job_id": 7, "allocation_nodes": 3, "state":
      {"current": ["COMPLETED"]}, "required": {"CPUs": 4, "memory_per_cpu": {"set": false,
      "number": 0}, "memory_per_node": {"set": true, "infinite": false, "number": 1024}},
      "time": {"submission": 1700000000, "start": 1700000000, "end": 1700000600, "elapsed": 600},
      "tres": {"allocated": [{"type": "cpu", "name": "", "count": 4}]}}]}]])
    assert.equal(3 << 30, orrery.read(folder .. "/dump.json", { pools = POOLS })[1].needs.mem)
    program.write(folder, "log.swf", "1 0 0 10 4 -1 -1 4 10 1024 1 1 -1 -1 1 -1 -1 -1\n")
    assert.equal(4 << 20, orrery.read(folder .. "/log.swf", { pools = POOLS })[1].needs.mem)
  end)

  it("is an error where it is no amount", function()
    for found, text in pairs { ["1.5"] = "1.5", ["-1"] = "-1", ["many"] = "many" } do
      assert.same({ 2, "", "orrery: log.csv:2: column 5 (gpu): expected what a job needs of a "
        .. "pool, a whole number from 0 to 2^53, as 2, 512M or 64G, found \"" .. found .. "\"\n" },
        { run(CSV:gsub(",2,1G", "," .. text .. ",1G"), "replay log.csv --procs 4 --pool gpu=2") })
    end
    assert.equal(0, (run(CSV:gsub(",2,1G", ",many,1G"), "replay log.csv --procs 4")))
  end)

  it("is kept by selections, and written", function()
    program.write(folder, "log.csv", CSV)
    local jobs = orrery.read(folder .. "/log.csv", { pools = { gpu = 8 } })
    assert.same({ gpu = 1 }, jobs:between(1, 2)[1].needs)
    jobs:between(1, 2):to_csv("plain", folder .. "/part.csv")
    assert.matches("^id,[%l,]+,gpu\nb,[%d.,]+,1\n$", program.read(folder .. "/part.csv"))
  end)
end)

describe("--pool", function()
  it("models the memory of a dump, which counts as not modelled where it does not", function()
    local line = "|COMPLETED|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T00:10:00|600|2|"
    local text = "JobIDRaw|State|Submit|Start|End|ElapsedRaw|NCPUS|AllocTRES|ReqMem\n1" .. line
      .. "cpu=2,mem=4G|4G\n2" .. line
    local _, out = run(text .. "cpu=2,mem=2G|2G\n", "replay log.csv --procs 4 --pool mem=8G")
    assert.is_nil(out:find("not modelled", 1, true))
    _, out = run(text .. "cpu=2|1Gc\n", "replay log.csv --procs 4 --pool mem=8G")
    assert.is_nil(out:find("not modelled", 1, true))
  end)

  -- By hand: 2 GPUs from 0 s, 3 from 300 s on; 3.91 GiB are 4198330531.84 bytes.
  it("is named where it would model what is not, with what was in use at once #long", function()
    local text = "JobIDRaw|Partition|State|Submit|Start|ElapsedRaw|NCPUS|AllocTRES|Licenses\n"
      .. "1|a|COMPLETED|2024-01-01T00:00:00|2024-01-01T00:00:00|600|4|cpu=4,gres/gpu:a100=2,"
      .. "gres/gpu=2,mem=3.91G|matlab:2\n2|b|COMPLETED|2024-01-01T00:00:00|2024-01-01T00:05:00|"
      .. "600|4|gres/gpu=3,mem=1|\n"
    local _, out = run(text, "replay log.csv --procs 8")
    assert.matches("\nnote: to model it: --pool gpu=5 (in use at once), --pool mem=SIZE (of the "
      .. "machine), --pool matlab=2 (in use at once); --machine FILE says which nodes and "
      .. "partitions have what, as a slurm.conf does\n", out, 1, true)
    _, out = run(text, "replay log.csv --procs 8 --pool gpu=5 --pool mem=4198330532 "
      .. "--pool matlab=2")
    assert.is_nil(out:find("--pool", 1, true))
    assert.matches("job 1 needs 4198330532 of pool mem", select(3, run(text,
      "replay log.csv --procs 8 --pool mem=4198330531")), 1, true)
    text = text:gsub("AllocTRES|Licenses", "Other|Else")
    _, out = run(text, "log log.csv")
    local hint = "the dump has no column AllocTRES (in JSON: no tres): if jobs waited for GPUs"
    assert.matches("; " .. hint, out, 1, true)
    text = '{"jobs": [{"job_id": 1, "time": {"submission": 100, "start": 200, "end": 300, '
      .. '"limit": 5}, "state": {"current": ["COMPLETED"]}, "required": {"CPUs": 4}%s}]}'
    assert.matches("note: " .. hint, select(2, run(text:format "", "log log.csv")), 1, true)
    assert.matches(hint, select(2, run(text:format ', "tres": {"allocated": []}',
      "log log.csv")), 1, true)
    text = text:format ', "tres": {"allocated": [{"type": "cpu", "count": 4}]}'
    assert.is_nil(select(2, run(text, "log log.csv")):find(hint, 1, true))
    text = "1 0 0 10 1 -1 -1 4 10 100 1 1 -1 -1 1 -1 -1 -1\n" -- 4 times 100 KB
    assert.matches("to model it: --pool mem=SIZE", select(2, run(text, "log log.csv")), 1, true)
    assert.matches("job 1 needs 409600 of pool mem", select(3, run(text,
      "replay log.csv --procs 8 --pool mem=1K")), 1, true)
  end)

  -- With 2 GPUs b and d wait for a's until 10: 9 s and 7 s. With 3 only d does.
  it("is respected, and compared where it is given twice", function()
    local code, out = run(CSV, "compare log.csv --procs 4 --policy easy --pool mem=4G --pool gpu=2 "
      .. "--pool gpu=3 --metric wait_mean")
    assert.equal(0, code)
    assert.matches("\neasy, gpu=2 +4%.000\neasy, gpu=3 +1%.750 ", out)
  end)

  -- 2 and 25% are 2.5, which is 3 GPUs; a machine's amount is a base, too.
  it("may be some percent more than its first amount", function()
    local all = { run(CSV, "compare log.csv --procs 4 --policy easy --pool mem=4G --pool gpu=2 "
      .. "--pool gpu=3 --metric wait_mean") }
    assert.same(all, { run(CSV, "compare log.csv --procs 4 --policy easy --pool mem=4G "
      .. "--pool gpu=2 --pool gpu=+25% --metric wait_mean") })
    program.write(folder, "m.lua", "return { procs = 4, pools = { gpu = 2, mem = '4G' } }")
    assert.same(all, { run(CSV, "compare log.csv --machine m.lua --policy easy --pool gpu=+25% "
      .. "--metric wait_mean") })
    assert.matches("\neasy, gpu=2 .*\neasy, gpu=1 ", (select(2, run("id,submit,procs,runtime,gpu\n"
      .. "a,0,1,9,1\n", "compare log.csv --procs 4 --policy easy --pool gpu=2 --pool gpu=-30%"))))
    assert.same({ 2, "", "orrery: --pool gpu=+10%: of which amount? Give --pool gpu=AMOUNT before "
      .. "it\n" }, { run(CSV, "replay log.csv --procs 4 --pool gpu=+10%") })
  end)

  it("leaves out jobs that need more, and notes what nobody needs", function()
    local code, out = run(CSV, "replay log.csv --procs 4 --pool gpu=1 --pool lic=1 --pool zip=2 "
      .. "--wide drop")
    assert.equal(0, code)
    assert.matches("note: no job needs anything of pool lic, pool zip\n", out)
    assert.matches("1 record of the log was left out: 1 x wider than the machine %(the first in "
      .. "line 2%)", out)
    assert.same({ 2, "", "orrery: job a needs 2 of pool gpu, but the machine has 1 (--wide drop "
      .. "leaves such jobs out when the log is read)\n" },
      { run(CSV, "replay log.csv --procs 4 --pool gpu=1") })
  end)

  it("is refused where it is no amount, or given twice", function()
    assert.same({ 2, "", "orrery: pools.gpu: expected a whole number of at least 0, as 8, 512G "
      .. "or 2T (2^53 at most), found 'x'\n" },
      { run(CSV, "replay log.csv --procs 4 --pool gpu=x") })
    assert.same({ 2, "", "orrery: pools.procs: the machine's processors are no pool: give procs "
      .. "(--procs)\n" }, { run(CSV, "replay log.csv --procs 4 --pool procs=3") })
    assert.same({ 2, "", "orrery: --pool gpu is given 2 times\n" },
      { run(CSV, "replay log.csv --procs 4 --pool gpu=1 --pool gpu=2") })
    for _, words in ipairs { "redistribute --pool gpu=1", "pack --machine m.lua",
      "redistribute --limit jobs=1", "pack --pool=x" } do
      local code, _, problem = program.run(folder, words)
      assert.equal(2, code)
      assert.matches("^orrery: %-%-%l+: %l+ [%l ]*run on counted processors %(%-%-procs%), without",
        problem)
    end
    for _, call in ipairs { orrery.compare, orrery.session } do
      local ok, problem = pcall(call, { tasks = {}, procs = 8,
        machine = "m.lua" })
      assert.is_truthy(not ok and problem:find("machine: malleable tasks run on counted "
        .. "processors", 1, true), problem)
    end
    assert.is_false((pcall(orrery.packs, { procs = 8, pools = { gpu = 1 } })))
  end)
end)
