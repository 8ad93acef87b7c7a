-- Machines of nodes: what is understood of tables, and what is read for them.
local orrery = require "orrery"
local core = require "orrery.core"
local program = require "spec.support.program"

local function refused(message, given)
  local ok, problem = pcall(orrery.machine, given)
  assert.is_truthy(not ok and tostring(problem):find(message, 1, true), problem)
end

describe("a machine of nodes", function()
  local KINDS = { { count = 60, procs = 64, mem = "256G" },
    { count = 4, procs = 64, mem = "1T", gpu = 8 } }

  it("prints its kinds, its partitions and what they share", function()
    local text = tostring(orrery.machine { nodes = KINDS, pools = { matlab = 20 }, partitions = {
      batch = { nodes = "1-60", max_time = "2d", default = true },
      debug = { nodes = "1-8,61", priority = 10, exclusive = true }, all = {} } })
    assert.equal([[
processors 4096
pools matlab = 20

nodes count procs gpu mem
1-60 60 64 0 256G
61-64 4 64 8 1T
total 64 4096 32 19T

partition nodes max time priority exclusive shares nodes with
all 1-64 - 0 no batch (60), debug (9)
batch (default) 1-60 48.00 h 0 no all (60), debug (8)
debug 1-8,61 - 10 yes all (9), batch (8)]], (text:gsub(" +", " ")))
  end)

  it("is an error where it is wrong", function()
    local function nodes(kind, message) refused(message, { nodes = { kind } }) end
    nodes({ count = 0, procs = 4 }, "nodes[1].count: expected a whole number of at least 1")
    nodes({ count = 1, prcs = 4 }, "nodes[1]: unknown field 'prcs', did you mean 'procs'?")
    nodes({ count = 1, procs = 4, mem = "2GB" }, "nodes[1].mem: expected a whole number of at")
    nodes({ count = 1, procs = 4, mem = -1 }, "nodes[1].mem: expected a whole number of at")
    nodes({ count = 1, procs = 4, nodes = 1 }, "nodes[1]: no resource has the name 'nodes'")
    nodes({ count = 2^20 | 0, procs = 2^20 | 0 }, "more than 2147483646 processors")
    nodes({ count = 2^24 + 1 | 0, procs = 1 }, "nodes[1]: expected at most 16777216 nodes in all, "
      .. "found 16777217")
    local ok, problem = pcall(core.nodes, { kinds = { { count = 2^24 + 1 | 0, procs = 1 } } })
    assert.is_truthy(not ok and tostring(problem):find("a machine has at most 16777216 nodes, not "
      .. "16777217", 1, true), problem)
    nodes({ count = 1, procs = 4, mem = 1.5 }, "nodes[1].mem: expected a whole number of at least")
    local large = tostring(orrery.machine { nodes = { { count = 2, procs = 4, mem = 2^53 } },
      pools = { x = 2^52 } })
    assert.matches("x = 4503599627370496\n.* 9007199254740992\n.* 18014398509481984$", large)
    nodes(64, "nodes[1]: expected a table as { count = 60, procs = 64, mem = \"256G\" }, found 64")
    refused("nodes: expected a list of kinds", { nodes = { count = 1, procs = 4 } })
    refused("partitions are of nodes: give nodes", { procs = 8, partitions = { a = {} } })
    refused("procs: expected 4096, as many as the nodes have, found 4000",
      { procs = 4000, nodes = KINDS })
    refused("mem is a pool and a resource of nodes", { nodes = KINDS, pools = { mem = 4 } })
    local function partition(given, message)
      refused("partitions.a" .. message, { nodes = KINDS, partitions = { a = given } })
    end
    for _, text in ipairs { "0-3", "1-65", "4-2", "1-4,4", "5,1", "1-", "-3", "1,,2", "a", "" } do
      partition({ nodes = text }, ".nodes: expected ascending numbers of nodes from 1 to 64, as "
        .. "\"1-60,65\", found '" .. text .. "'")
    end
    partition({ node = "1" }, ": unknown field 'node', did you mean 'nodes'?")
    partition({ max_time = "2 days" }, ".max_time: expected seconds, or a text as '2d', found")
    partition({ exclusive = 1 }, ".exclusive: expected true or false, found 1")
    partition({ priority = 0.5 }, ".priority: expected a whole number")
    refused("a and b are both the default",
      { nodes = KINDS, partitions = { a = { default = true }, b = { default = true } } })
  end)

  it("has as many processors as is said beside it, and no pools of its resources", function()
    local jobs = orrery.jobs { { procs = 1, runtime = 1 } }
    local function fails(spec, message)
      spec.jobs, spec.machine = jobs, { nodes = KINDS }
      for _, call in ipairs { orrery.compare, orrery.session } do
        local ok, problem = pcall(call, spec)
        assert.is_truthy(not ok and tostring(problem):find(message, 1, true), problem)
      end
    end
    fails({ procs = 4097 }, "procs: expected 4096, as many as the nodes of the machine have")
    fails({ pools = { gpu = 4 } }, "gpu is a pool and a resource of nodes")
  end)

  -- What is behind the last of them is not touched: the first one binds as it does alone.
  it("has up to 8 resources, which all count", function()
    local kind = { count = 2, procs = 4 }
    for i = 1, 8 do kind["r" .. i] = i end
    for i = 1, 8 do
      local result = orrery.compare { policies = { "easy" }, machine = { nodes = { kind } },
        jobs = orrery.jobs { { id = "all", procs = 8, runtime = 1,
          needs = { nodes = 2, ["r" .. i] = 2 * i } }, { id = "more", procs = 2, runtime = 1,
          needs = { nodes = 2, ["r" .. i] = 2 * i + 1 } } } }
      assert.equal(1, result:values("easy", "starts")[1])
      assert.matches("1 of 2 jobs can never start .* the first is more", tostring(result))
    end
    kind.r9 = 1
    refused("at most 8", { nodes = { kind } })
  end)

  it("is made of kinds in a list", function()
    for found, given in pairs { ["an empty list"] = {}, ["'x'"] = "x",
      ["a table with names"] = { a = 1 } } do
      refused("machine: nodes: expected a list of kinds as { { count = 60, procs = 64 } }, found "
        .. found, { nodes = given })
    end
  end)

  it("leaves out jobs that never start, and says which", function()
    local jobs = orrery.jobs {
      { id = "fits", procs = 64, runtime = 1, partition = "batch" },
      { id = "gpus", procs = 8, runtime = 1, partition = "batch", needs = { gpu = 1 } },
      { id = "long", procs = 8, runtime = 1, walltime = 3601, partition = "debug" },
      { id = "lost", procs = 8, runtime = 1, partition = "nowhere" },
      { id = "lone", procs = 8, runtime = 1 },
      { id = "thin", procs = 1, runtime = 1, partition = "batch", needs = { nodes = 2 } },
    }
    local result = orrery.compare { jobs = jobs, policies = { "easy" }, walltimes = "log",
      machine = { nodes = KINDS, partitions = { batch = { nodes = "1-60" },
        debug = { nodes = "1-8", max_time = "1h" } } } }
    assert.is_truthy(tostring(result):find("5 of 6 jobs can never start and are refused at "
      .. "submission, for asking for a partition that the machine does not have (2), more time "
      .. "than the partition permits (1), more nodes than processors (1), more than the empty "
      .. "nodes of the partition have (1); the first is gpus, which asks for more than the empty "
      .. "nodes of the partition have (batch: 8 processors, 1 gpu)", 1, true), tostring(result))
    assert.equal(1, result:values("easy", "starts")[1])
    local ok, problem = pcall(orrery.compare, { jobs = jobs, policies = { "easy" },
      machine = { nodes = { { count = 1, procs = 2 } },
        partitions = { x = { nodes = "1" } } } })
    assert.is_truthy(not ok and tostring(problem):find("no job can ever start on these nodes, the "
      .. "first is fits, which asks for a partition that the machine does not have "
      .. "(batch)", 1, true), problem)
  end)
end)

-- What jobs need, as "id gpu=2 nodes=1", from a log with this text.
local function needs_of(text, machine, columns)
  local folder = program.folder()
  program.write(folder, "log", text)
  local lines = {}
  local ok, jobs = pcall(orrery.read, folder .. "/log", { machine = machine, columns = columns })
  program.remove(folder)
  if not ok then error(jobs, 0) end
  for i, job in ipairs(jobs) do
    local needs = {}
    for name, amount in pairs(job.needs or {}) do
      if amount > 0 then needs[#needs + 1] = (" %s=%d"):format(name, amount) end
    end
    table.sort(needs)
    lines[i] = job.id .. table.concat(needs)
  end
  return lines
end

describe("what is read for a machine of nodes", function()
  local MACHINE = { nodes = { { count = 4, procs = 64, mem = "1T", gpu = 8 } } }

  it("stands in columns: of the job, of a node, of a processor", function()
    assert.same({ "a gpu=16 mem=4096 nodes=2", "b gpu=2 mem=8192", "c exclusive=1 mem=1024" },
      needs_of("id,submit,procs,runtime,mem,mem_per_proc,nodes,gpu,gpu_per_node,exclusive\n"
        .. "a,0,8,1,4K,9K,2,,8,0\nb,0,8,1,0,1K,0,2,0,0\nc,0,8,1,1K,,,,,1\n", MACHINE))
    local ok, problem = pcall(needs_of, "id,submit,procs,runtime,gpu_per_node\na,0,8,1,x\n",
      MACHINE)
    assert.is_truthy(not ok and tostring(problem):find(
      "2: column 5 (gpu_per_node): expected what a job needs of a pool", 1, true), problem)
  end)

  it("stands in columns of other names", function()
    local text = "id,submit,procs,runtime,NumGPUs,Mem\na,0,2,10,2,4K\n"
    assert.same({ "a gpu=2 mem=8192" }, needs_of(text, MACHINE, "gpu=NumGPUs,mem_per_proc=Mem"))
    for columns, message in pairs {
      ["gpu=Nope"] = "column Nope is missing",
      ["gpu=NumGPUs:min"] = "columns: gpu: an amount has no unit, found \"min\"",
      ["gpus=NumGPUs"] = "columns: expected FIELD=COLUMN with one of the fields",
    } do
      local ok, problem = pcall(needs_of, text, MACHINE, columns)
      assert.is_truthy(not ok and tostring(problem):find(message, 1, true), problem)
    end
  end)

  it("stands in dumps of sacct: AllocTRES before ReqMem, of a node or of a processor", function()
    local HEAD = "JobIDRaw|Submit|Start|End|ElapsedRaw|AllocCPUS|State|AllocTRES|ReqTRES|ReqMem"
    local function job(id, rest)
      return ("\n%s|%s|%s|2026-01-01T01:00:00|3600|8|COMPLETED|%s"):format(id,
        "2026-01-01T00:00:00", "2026-01-01T00:00:00", rest)
    end
    assert.same({ "1 gpu=4 mem=2147483648 nodes=2", "2 mem=8589934592", "3 mem=3221225472 nodes=3",
      "4 mem=1073741824 nodes=1" },
      needs_of(HEAD .. job(1, "cpu=8,mem=2G,node=2,gres/gpu=4,gres/gpu:a100=4|cpu=8,mem=1G|4Gn")
        .. job(2, "||1Gc") .. job(3, "node=3||1Gn") .. job(4, "|node=1|1024M") .. "\n", MACHINE))
    assert.same({ "1 exclusive=1", "2", "3 exclusive=1" }, needs_of(HEAD .. "|SubmitLine"
      .. job(1, "|||sbatch --exclusive -N2 x.sh") .. job(2, "|||sbatch --exclusive=user x.sh")
      .. job(3, "|||srun --exclusive") .. "\n", MACHINE))
    local typed = { nodes = { { count = 1, procs = 8, gpu = 4, ["gpu:a100"] = 2 } } }
    assert.same({ "1 gpu:a100=2 gpu=2 nodes=1" },
      needs_of(HEAD .. job(1, "cpu=8,node=1,gres/gpu=2,gres/gpu:a100=2||") .. "\n", typed))
  end)

  it("stands in sacct's JSON", function()
    local function tres(kind, name, count)
      return ('{"type": "%s", "name": "%s", "count": %d}'):format(kind, name, count)
    end
    assert.same({ "7 exclusive=1 gpu=2 mem=1048576 nodes=2" },
      needs_of(([[{"jobs": [{"job_id": 7, "state":
      {"current": ["COMPLETED"]}, "time": {"submission": 1, "eligible": 1, "start": 1, "end": 11,
      "elapsed": 10}, "allocation_nodes": 2, "submit_line": "sbatch --exclusive",
      "tres": {"allocated": [%s]}}]}]]):format(
      table.concat({ tres("cpu", "", 4), tres("mem", "", 1), tres("node", "", 2),
        tres("gres", "gpu", 2) }, ", ")), MACHINE))
  end)

  it("stands in SWF in KB of a processor, as asked for or as used", function()
    assert.same({ "1 mem=4096", "2 mem=8192", "3" }, needs_of("; MaxProcs: 64\n"
      .. "1 0 0 1 4 -1 2 4 2 1 1 1 1 -1 1 -1 -1 -1\n2 0 0 1 4 -1 2 4 2 -1 1 1 1 -1 1 -1 -1 -1\n"
      .. "3 0 0 1 4 -1 -1 4 2 -1 1 1 1 -1 1 -1 -1 -1\n", MACHINE))
  end)
end)

-- By hand: 2 nodes of 4 processors, of which partition "a" has the first, for at most 60 s.
describe("the jobs that fit on nodes", function()
  local function fitting(list)
    local given = require("orrery.values.nodes").of("machine", {
      { count = 2, procs = 4, gpu = 1 } }, { a = { nodes = "1", max_time = 60 }, b = {} })
    local jobs = orrery.jobs(list)
    return jobs, table.pack(core.fitting(jobs, given.core))
  end
  local function job(id, partition, procs, more)
    local one = { id = id, procs = procs, runtime = 50, partition = partition }
    for key, value in pairs(more or {}) do one[key] = value end
    return one
  end

  it("are all of them, the same value, where each fits", function()
    local jobs, found = fitting { job("1", "a", 4), job("2", "b", 8) }
    assert.equal(1, found.n)
    assert.is_true(rawequal(jobs, found[1]))
  end)

  it("are the others, with the first that does not, why, and how many for each reason", function()
    local _, found = fitting { job("1", "a", 4), job("2", "b", 1, { needs = { nodes = 2 } }),
      job("3", "b", 8), job("4", "a", 1, { walltime = 61 }), job("5", "a", 5),
      job("6", "b", 1, { needs = { gpu = 3 } }), job("7", nil, 1), job("8", "c", 1),
      job("9", "a", 1, { walltime = 60 }), job("10", nil, 9) }
    local ids = {}
    for i, one in found[1]:each() do ids[i] = one.id end
    assert.same({ "1", "3", "9" }, ids)
    assert.same({ 4, 2, "shares", { partition = 3, time = 1, shares = 1, nodes = 2 } },
      { found.n, found[2], found[3], found[4] })
  end)
end)
