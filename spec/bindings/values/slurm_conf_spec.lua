-- Machines of nodes from a slurm.conf: what is understood, what is left out, and what is refused.
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

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

  it("is an error where it is not understood #long", function()
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
