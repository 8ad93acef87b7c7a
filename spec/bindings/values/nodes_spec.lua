-- Machines of nodes: what is understood of tables and of a slurm.conf, and what is read for them.
local orrery = require "orrery"
local core = require "orrery.core"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

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
  for i, job in ipairs(orrery.read(folder .. "/log", { machine = machine,
    columns = columns })) do
    local needs = {}
    for name, amount in pairs(job.needs or {}) do
      if amount > 0 then needs[#needs + 1] = (" %s=%d"):format(name, amount) end
    end
    table.sort(needs)
    lines[i] = job.id .. table.concat(needs)
  end
  program.remove(folder)
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

describe("a slurm.conf", function()
  local TEXT = [[
# a cluster
ClusterName=twin
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/multifactor
Licenses=matlab:20,ansys@server:5
NodeName=DEFAULT Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=256000 State=UNKNOWN
NodeName=nid[0001-0008] Weight=1
nodename=gpu[1-2],rack[0-1]gpu[3,4] CPUs=64 RealMemory=1048576 \
   Gres=gpu:a100:4(S:0-1),nvme:1 # with GPUs
PartitionName=DEFAULT State=UP
PartitionName=batch Nodes=nid[0005-0008],nid[0001-0004] MaxTime=2-00:00:00 Default=YES
PartitionName=debug Nodes=nid000[2,4-5] MaxTime=60 PriorityTier=10 AllowAccounts=a
PartitionName=gpu Nodes=gpu[1-2] MaxTime=1:30:00 OverSubscribe=EXCLUSIVE
PartitionName=all Nodes=ALL MaxTime=INFINITE
]]

  local function read(text)
    local folder = program.folder()
    program.write(folder, "slurm.conf", text)
    local ok, found = pcall(orrery.machine, folder .. "/slurm.conf")
    program.remove(folder)
    return ok and found, not ok and tostring(found)
  end

  it("is read as a machine", function()
    local found, problem = read(TEXT)
    assert.is_truthy(found, problem)
    assert.same({ { count = 8, procs = 64, mem = "256000M" },
      { count = 6, procs = 64, mem = "1048576M", gpu = 4, nvme = 1 } }, found.nodes)
    assert.same({ batch = { nodes = "1-8", max_time = 172800, priority = 1, default = true },
      debug = { nodes = "2-2,4-5", max_time = 3600, priority = 10 },
      gpu = { nodes = "9-10", max_time = 5400, priority = 1, exclusive = true },
      all = { nodes = "all", priority = 1 } }, found.partitions)
    assert.same({ matlab = 20, ansys = 5 }, found.pools)
    assert.same({ "allowaccounts of partitions", "prioritytype", "weight of nodes" },
      found.not_modelled)
    -- Types count where there are several; memory where it is handed out.
    found = read("NodeName=a[1-2] CPUs=4 Gres=gpu:a100:2,gpu:v100:1 RealMemory=9\n"
      .. "SelectTypeParameters=CR_CPU")
    assert.same({ { count = 2, procs = 4, gpu = 3, ["gpu:a100"] = 2, ["gpu:v100"] = 1 } },
      found.nodes)
    assert.same({ "memory, which SelectTypeParameters does not name" }, found.not_modelled)
    -- What is bought next year is no node yet.
    found = read "NodeName=a,b CPUs=2\nNodeName=c State=FUTURE\nPartitionName=p Nodes=b,c"
    assert.same({ 4, "2-2" }, { found.procs, found.partitions.p.nodes })
    assert.is_true(read("NodeName=a\nSelectType=select/linear\nPartitionName=p Nodes=a")
      .partitions.p.exclusive)
  end)

  it("names its nodes for outages, of which those that are down are none", function()
    local folder = program.folder()
    program.write(folder, "slurm.conf", "NodeName=a[2-3],b CPUs=4\nNodeName=c CPUs=2\n"
      .. "DownNodes=a3\n")
    local function failed(outages)
      program.write(folder, "outages", outages)
      local s = orrery.session { jobs = orrery.jobs { { procs = 1, runtime = 9 } }, policy = "easy",
        machine = folder .. "/slurm.conf", node_failures = { outages = folder .. "/outages" } }
      s:run_until(6)
      local list = {}
      for i, o in ipairs(s:outages()) do
        list[i] = ("%d %d %g"):format(o.first, o.procs, o.start)
      end
      return list
    end
    assert.same({ "4 4 3", "8 2 5" }, failed "node,from,to\nb,3,7\nc,5,7\n")
    for _, name in ipairs { "a3", "1" } do
      assert.error_matches(function() failed("node,from,to\n" .. name .. ",3,7\n") end,
        "outages:2: .*nodes of the machine .*of which \"" .. name .. "\" is none")
    end
    program.remove(folder)
  end)

  -- As slurmctld 22.05 and `scontrol show node` and `show partition` say of the same lines.
  it("means what it means to Slurm", function()
    local found, problem = read [[
Licenses=matlab,ansys@s1:5,ansys@s2*2
NodeName=DEFAULT Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000
NodeName=DEFAULT Feature=x
NodeName=n[1-3]r[01-02] CoreSpecCount=1 MemSpecLimit=100
NodeName=g[1-2,4] CPUs=8 ThreadsPerCore=1 Gres=gpu:a100:4(S:0-1),nvme:no_consume:1 Feature=big
NodeName=y CPUs=8 CoreSpecCount=2
NodeName=z CPUs=16 CpuSpecList=0-1,8
NodeName=DEFAULT RealMemory=500
NodeName=d1 State=DRAIN
NodeName=d[2-3]
NodeName=d[4-9] State=DOWN
NodeName=f1 State=FUTURE
NodeSet=bigs Feature=big
NodeSet=mix Feature=big Nodes=n1r01
DownNodes=d3 State=FAIL Reason="no fan"
PartitionName=DEFAULT MaxTime=1-12 State=UP
PartitionName=a Nodes=n[1-3]r[01-02] Default=YES PriorityTier=3 SelectTypeParameters=CR_Core
PartitionName=b Nodes=bigs MaxTime=30 Default=YES OverSubscribe=EXCLUSIVE Hidden=YES
PartitionName=c Nodes=mix,d2,f1 MaxTime=1 Priority=7
PartitionName=h Nodes=d[1-3] MaxTime=2-1:30 MaxNodes=2
PartitionName=i Nodes=d1
PartitionName=j Nodes=d2 MaxTime=90:30 AllowAccounts=x
PartitionName=k Nodes=y MaxTime=UNLIMITED
PartitionName=l Nodes=y MaxTime=0
]]
    assert.is_truthy(found, problem)
    assert.same({ { count = 6, procs = 14, mem = "900M" },
      { count = 3, procs = 8, mem = "1000M", gpu = 4 }, { count = 1, procs = 6, mem = "1000M" },
      { count = 1, procs = 13, mem = "1000M" },
      { count = 1, procs = 16, mem = "500M" } }, found.nodes)
    assert.same({ a = { nodes = "1-6", max_time = 129600, priority = 3 },
      b = { nodes = "7-9", max_time = 1800, priority = 1, exclusive = true, default = true },
      c = { nodes = "1-1,7-9,12-12", max_time = 60, priority = 7 },
      h = { nodes = "12-12", max_time = 178200, priority = 1 },
      j = { nodes = "12-12", max_time = 5460, priority = 1 },
      k = { nodes = "10-10", priority = 1 } }, found.partitions)
    assert.same({ matlab = 1, ansys = 7 }, found.pools)
    assert.same({ "State=DOWN of nodes, which do not count: d4, d5, d6, d7, d8 and 1 more",
      "State=DRAIN of nodes, which do not count: d1", "State=FAIL of nodes, which do not count: d3",
      "allowaccounts of partitions", "feature of nodes", "maxnodes of partitions",
      "partition i, of which no node counts or MaxTime is 0",
      "partition l, of which no node counts or MaxTime is 0",
      "selecttypeparameters of partitions" }, found.not_modelled)
  end)

  -- A random machine as a file in Lua and as lines of a slurm.conf.
  local function draw(rng)
    local kinds, parts, lines, count = {}, {}, {}, 0
    local function pick(list) return list[rng:integer(1, #list)] end
    for i = 1, rng:integer(1, 5) do
      local kind = { count = rng:integer(1, 12), procs = 10 * i + rng:integer(1, 9),
        mem = rng:integer(1, 9) << rng:integer(0, 15), gpu = pick { 0, 0, 4, 8 } }
      local gpus = kind.gpu > 0 and (", gpu = %d"):format(kind.gpu) or ""
      kinds[i] = ("{ count = %d, procs = %d, mem = '%dM'%s }"):format(kind.count, kind.procs,
        kind.mem, gpus)
      local cores = pick { ("CPUs=%d"):format(kind.procs),
        ("Boards=1 CoresPerSocket=%d"):format(kind.procs),
        ("Sockets=1 CoresPerSocket=%d CoreSpecCount=3 ThreadsPerCore=1"):format(kind.procs + 3) }
      local split = rng:integer(1, kind.count) -- one line or two for a kind
      local pieces = { { 1, split }, split < kind.count and { split + 1, kind.count } or nil }
      for _, piece in ipairs(pieces) do
        lines[#lines + 1] = ("NodeName=n[%04d-%04d] %s %s%s"):format(count + piece[1],
          count + piece[2], cores, rng:integer(0, 1) == 0 and "RealMemory=" .. kind.mem
          or ("RealMemory=%d MemSpecLimit=7"):format(kind.mem + 7),
          kind.gpu > 0 and pick { " Gres=gpu:%d", " Gres=gpu:a100:%d(S:0)" }:format(kind.gpu) or "")
      end
      count = count + kind.count
    end
    for i = 1, rng:integer(0, 4) do
      local low = rng:integer(1, count)
      local high, time = rng:integer(low, count), rng:integer(1, 9999)
      local alone, tier = rng:integer(0, 1) == 1, rng:integer(0, 9)
      parts[i] = ("p%d = { nodes = '%d-%d', max_time = %d, priority = %d%s%s }"):format(i, low,
        high, 60 * time, tier, alone and ", exclusive = true" or "",
        i == 1 and ", default = true" or "")
      lines[#lines + 1] = ("PartitionName=p%d Nodes=n[%04d-%04d] MaxTime=%s PriorityTier=%d%s%s")
        :format(i, low, high, pick { tostring(time), ("%d:%02d:00"):format(time // 60, time % 60),
          ("%d-%d:%d"):format(time // 1440, time // 60 % 24, time % 60) }, tier,
          alone and " OverSubscribe=EXCLUSIVE" or "", i == 1 and " Default=YES" or "")
    end
    return ("return { nodes = { %s }, pools = { m = 3 }%s }"):format(table.concat(kinds, ", "),
      parts[1] and ", partitions = { " .. table.concat(parts, ", ") .. " }" or ""),
      table.concat(lines, "\n") .. "\nLicenses=m:3\n"
  end

  it("is what the same machine in Lua is, on random machines", function()
    local rng = orrery.random(5)
    for _ = 1, rounds(60, 60, 25) do
      local lua, conf = draw(rng)
      local one, problem = read(lua)
      local other, wrong = read(conf)
      assert.is_truthy(one and other, (problem or wrong or "") .. "\n" .. lua .. "\n" .. conf)
      assert.equal(tostring(one), tostring(other), lua .. "\n" .. conf)
    end
  end)

  it("may be large: many nodes line by line, many partitions, many types of GPUs", function()
    local lines = { "PreemptType=preempt/none" }
    for i = 1, 3000 do
      lines[i + 1] = ("NodeName=node%d CPUs=32 RealMemory=128000 Feature=%s"):format(i,
        ("x"):rep(60))
    end
    for i = 1, 128 do
      lines[#lines + 1] = ("PartitionName=p%03d Nodes=node[%d-%d]"):format(i, i, i + 100)
    end
    local found, problem = read(table.concat(lines, "\n"))
    assert.is_truthy(found, problem)
    assert.same({ { count = 3000, procs = 32, mem = "128000M" } }, found.nodes)
    assert.equal("128-228", found.partitions.p128.nodes)
    assert.same({ "feature of nodes" }, found.not_modelled)
    local types = {}
    for i = 1, 9 do types[i] = ("NodeName=n%d Gres=gpu:t%d:%d"):format(i, i, i) end
    found = read(table.concat(types, "\n"))
    assert.same({ count = 1, procs = 1, gpu = 9 }, found.nodes[9])
    assert.same({ "types of gres, which are too many" }, found.not_modelled)
  end)

  it("may begin with a byte order mark, and lines may end with a carriage return",
    function()
      local plain = "ClusterName=x\nNodeName=a[1-2] CPUs=4\nPartitionName=p Nodes=a1\n"
      assert.same(read(plain), read("\xEF\xBB\xBF" .. plain:gsub("\n", "\r\n")))
    end)

  it("is an error where it is not understood", function()
    for text, message in pairs {
      ["NodeName=a\nInclude nodes.conf"] = "slurm.conf:2: expected one file with all lines "
        .. "(Include is not read), found 'Include nodes.conf'",
      ["NodeName=a CPUs=0"] = "slurm.conf:1: expected at least one processor of a node, found '0'",
      ["NodeName=a State=DRAIN"] = "slurm.conf:1: expected a node that is not DOWN, DRAIN, FAIL or "
        .. "FUTURE, found 'none'",
      ["NodeName=a CPUs=x"] = "slurm.conf:1: expected a whole number up to 2147483646 for cpus, "
        .. "found 'x'",
      ["NodeName=a CPUs=99999999999999999999"] = "slurm.conf:1: expected a whole number up to",
      ["NodeName=a Sockets=65536 CoresPerSocket=65536"] = "slurm.conf:1: expected at most 21474836",
      ["NodeName=a Gres=gpu:99999999999999999999"] = "slurm.conf:1: gpu: expected a whole number",
      ["NodeName=a Gres=gpu:a:9007199254740992K"] = "slurm.conf:1: gpu: expected a whole number of "
        .. "at least 0, as 8, 512G or 2T (2^53 at most), found '9007199254740992K'",
      ["NodeName=a\nLicenses=m:99999999999999999999"] = "slurm.conf:2: m: expected a whole number",
      ["NodeName=a\nLicenses=m:1,m:2"] = "slurm.conf:2: expected each licence once, found 'm'",
      ["NodeName=a\nPartitionName=p Nodes=a\nPartitionName=p Nodes=a"] =
        "slurm.conf:3: expected each partition once, found 'p'",
      ["NodeName=a\nPartitionName=p Nodes=a Default=maybe"] =
        "slurm.conf:2: expected one of NO YES for default, found 'maybe'",
      ["NodeName=a\nPartitonName=p Nodes=a"] =
        "slurm.conf:2: expected KEY=VALUE of a slurm.conf, did you mean 'partitionname'?",
      ["NodeName=a\nNodeSet=b Nodes=c"] =
        "slurm.conf:2: expected the name of a node in nodes, found 'c'",
      ["NodeName=a\nDownNodes=c"] =
        "slurm.conf:2: expected the name of a node in downnodes, found 'c'",
      ["NodeName=a CPUs=2 CoreSpecCount=2"] =
        "slurm.conf:1: expected fewer reserved cores than cores for corespeccount, found '2'",
      ["NodeName=a[1-9999][1-9999]"] = "slurm.conf:1: expected at most 131072 nodes, found 'a",
      ["ClusterName=c\nPartitionName=p Nodes=b"] = "slurm.conf:1: expected lines with NodeName",
      ["NodeName=a\nPartitionName=p\0 Nodes=a"] = "a partition without a name, or with one that",
      ["NodeName=a[3-1]"] = "slurm.conf:1: expected a list of nodes, found 'a[3-1]'",
      ["NodeName=a[1"] = "slurm.conf:1: expected a list of nodes, found 'a[1'",
      ["NodeName=a\n\nNodeName=b,a"] = "slurm.conf:3: expected each node once, found 'a'",
      ["NodeName=node1\nPartitionName=p Nodes=nod1"] =
        "slurm.conf:2: expected the name of a node in nodes, found 'nod1'",
      ["NodeName=a\nPartitionName=p"] = "slurm.conf:2: expected nodes of the partition, found 'p'",
      ["NodeName=a\nPartitionName=p Nodes=a MaxTime=soon"] =
        "slurm.conf:2: expected minutes or D-HH:MM:SS for maxtime, found 'soon'",
      ["NodeName=a CPUs 4"] = "slurm.conf:1: expected KEY=VALUE, found 'CPUs'",
      ["NodeName=a Gres=gpu:x:y"] =
        "slurm.conf:1: expected NAME:TYPE:COUNT in gres, found 'gpu:x:y'",
    } do
      local found, problem = read(text)
      assert.is_truthy(not found and problem:find(message, 1, true), problem or text)
    end
  end)
end)
