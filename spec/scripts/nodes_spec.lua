-- Jobs on machines of nodes, worked out by hand (READINGS 58 and 59), and --machine of the program.
local dump = require "spec.support.slurm_dump"
local orrery = require "orrery"
local program = require "spec.support.program"

-- When the jobs start, in the order of the list; submissions are 0, 1, 2 ...
local function starts(policy, jobs, machine)
  for i, job in ipairs(jobs) do job.submit = i - 1 end
  local result = orrery.compare { jobs = orrery.jobs(jobs), machine = machine, check = true,
    policies = { policy } }
  local list = {}
  for i, wait in ipairs(result:jobs(policy, "wait")) do list[i] = i - 1 + wait end
  return list
end

describe("on nodes", function()
  it("a job waits for GPUs while processors are free", function()
    local function jobs()
      return { { procs = 2, runtime = 10, needs = { gpu = 1 } },
        { procs = 2, runtime = 20, needs = { gpu = 1 } },
        { procs = 1, runtime = 10, needs = { gpu = 1 } }, -- 4 processors are free, and no GPU
        { procs = 2, runtime = 100 } } -- delays nobody on what is left of node 0
    end
    local machine = { nodes = { { count = 2, procs = 4, gpu = 1 } } }
    assert.same({ 0, 1, 10, 3 }, starts("easy", jobs(), machine))
    assert.same({ 0, 1, 10, 10 }, starts("fcfs", jobs(), machine))
    assert.same({ 0, 1, 10, 3 }, starts("conservative", jobs(), machine))
    -- Of two GPUs in one node the third job has one at once.
    machine = { nodes = { { count = 1, procs = 4, gpu = 1 }, { count = 1, procs = 4, gpu = 2 } } }
    assert.same({ 0, 1, 2, 3 }, starts("easy", jobs(), machine))
  end)

  it("memory fills a node", function()
    local machine = { nodes = { { count = 2, procs = 4, mem = "8G" } } }
    local G = 2^30 | 0
    -- a fills node 0 with one processor. Six processors with 1 GiB each find four places.
    assert.same({ 0, 10 }, starts("easy", { { procs = 1, runtime = 10, needs = { mem = 8 * G } },
      { procs = 6, runtime = 10, needs = { mem = 6 * G } } }, machine))
    assert.same({ 0, 1 }, starts("easy", { { procs = 1, runtime = 10, needs = { mem = 8 * G } },
      { procs = 4, runtime = 10, needs = { mem = 8 * G } } }, machine))
    -- An even share on each of two nodes: of 9 GiB 4.5 do not fit beside 4.
    assert.same({ 0, 10 }, starts("easy", { { procs = 1, runtime = 10, needs = { mem = 4 * G } },
      { procs = 2, runtime = 10, needs = { nodes = 2, mem = 9 * G } } }, machine))
    assert.same({ 0, 1 }, starts("easy", { { procs = 1, runtime = 10, needs = { mem = 4 * G } },
      { procs = 2, runtime = 10, needs = { nodes = 2, mem = 8 * G } } }, machine))
  end)

  -- Nodes of 4 and 8 processors, each with a failure in 100,000 s. A checkpoint of 50 s comes after
  -- sqrt(2 mu 50) s of work: 3162 s on a node, 2236 s on two, 1826 s on three.
  it("a job fails as often as its nodes, and writes checkpoints so", function()
    local machine = { nodes = { { count = 2, procs = 4 }, { count = 1, procs = 8 } } }
    local list = { { procs = 8, runtime = 6000 }, { procs = 9, runtime = 6000 },
      { procs = 3, runtime = 6000, needs = { nodes = 3 } }, { procs = 1, runtime = 6000 } }
    local function lengths(more)
      local spec = { jobs = orrery.jobs(list), machine = machine, checkpoint = { cost = 50 },
        policy = "greedy" }
      for name, value in pairs(more) do spec[name] = value end
      local s, found = orrery.session(spec), {}
      s:run_until(0)
      for i = 1, #list do found[i] = (s:job(i).next_length - 6000) // 50 end
      return found
    end
    assert.same({ 1, 2, 3, 1 }, lengths { node_failures = { mtbf = 1e5 } })
    assert.same({ 2, 4, 7, 2 }, lengths { node_failures = { mtbf = 1e5 }, policy = { -- per 2500 s
      dispatch = "greedy", period = function(job) return 1 / (40 * job.error_rate) end } })
    assert.same({ 1, 2, 3, 1 }, lengths { checkpoint = { cost = 50, mtbf = 1e5 } })
    machine.nodes = { { count = 3, procs = 8 } } -- of one size
    assert.same({ 1, 2, 3, 1 }, lengths { node_failures = { mtbf = 1e5 } })
    assert.same({ 1, 2, 3, 1 }, lengths { checkpoint = { cost = 50, mtbf = 1e5, period = "daly" } })
  end)

  it("an exclusive job is alone on its nodes", function()
    local machine = { nodes = { { count = 2, procs = 4 } } }
    local function jobs()
      return { { procs = 1, runtime = 10 }, { procs = 5, runtime = 10, needs = { exclusive = 1 } },
        { procs = 1, runtime = 5 } }
    end
    assert.same({ 0, 10, 2 }, starts("easy", jobs(), machine))
    machine.partitions = { lone = { exclusive = true, default = true } }
    assert.same({ 0, 10, 2 }, starts("easy", jobs(), machine))
  end)

  it("partitions share nodes, and each has its own queue", function()
    local machine = { nodes = { { count = 3, procs = 1 } },
      partitions = { x = { nodes = "1-2" }, y = { nodes = "2-3" }, z = { nodes = "3" } } }
    local function jobs()
      return { { procs = 2, runtime = 10, partition = "x" },
        { procs = 2, runtime = 10, partition = "y" }, -- node 2 is busy until 10
        { procs = 1, runtime = 5, partition = "y" }, -- over before
        { procs = 1, runtime = 5, partition = "z" } } -- would delay the second
    end
    assert.same({ 0, 10, 2, 20 }, starts("easy", jobs(), machine))
    assert.same({ 0, 10, 20, 20 }, starts("fcfs", jobs(), machine)) -- y stops z, which shares 3
    machine.nodes[1].count = 4 -- the same behind 125 other partitions
    for i = 1, 125 do machine.partitions[("a%03d"):format(i)] = { nodes = "4" } end
    assert.same({ 0, 10, 20, 20 }, starts("fcfs", jobs(), machine))
    machine.partitions.y.nodes = "2" -- the second job never fits: only it is left out
    local result = orrery.compare { jobs = orrery.jobs(jobs()), machine = machine,
      policies = { "fcfs" } }
    assert.equal(3, result:values("fcfs", "starts")[1])
  end)

  it("the partition with the larger priority comes first", function()
    local machine = { nodes = { { count = 1, procs = 4 } },
      partitions = { a = { default = true }, b = { priority = 1 } } }
    assert.same({ 0, 20, 10 }, starts("fcfs", { { procs = 4, runtime = 10 },
      { procs = 4, runtime = 10 }, { procs = 4, runtime = 10, partition = "b" } }, machine))
  end)
end)

describe("a policy on nodes", function()
  it("sees what is free of resources, on partitions and on each node", function()
    local session = orrery.session { jobs = orrery.jobs {
      { procs = 3, runtime = 10, needs = { gpu = 2 }, partition = "b" },
      { submit = 1, procs = 8, runtime = 1, partition = "b" } },
      machine = { nodes = { { count = 1, procs = 4 }, { count = 2, procs = 4, gpu = 4 } },
        partitions = { a = { nodes = "1-2" }, b = { nodes = "2-3" } }, pools = { matlab = 5 } },
      policy = { name = "looks", dispatch = "dispatch/easy", on_submit = function(sim, job)
        local node = sim:nodes()[2]
        sim:note(("%d %d %d %d %d %d | %d %d %d %d %d"):format(job.position, sim:free_of "gpu",
          sim:free_of("gpu", "a"), sim:free_of "a", sim:free_of "b", sim:free_of "matlab",
          node.number, node.first, node.procs, node.free, node.gpu))
        local ok, problem = pcall(sim.free_of, sim, "gpus")
        if not ok then sim:note(problem) end
      end } }
    session:finish()
    local notes = session.notes
    assert.same({ "1 8 4 8 8 5 | 2 4 4 4 4", "2 6 2 5 5 5 | 2 4 4 1 2" },
      { notes[1].text, notes[3].text })
    assert.matches("the machine has no pool, resource of nodes or partition 'gpus'", notes[2].text)
  end)
end)

describe("why a job waits on nodes", function()
  local function why(jobs, machine, position)
    local session = orrery.session { jobs = orrery.jobs(jobs), machine = machine, policy = "easy" }
    session:run_until(position)
    return session:why(position)
  end

  it("names what nodes lack", function()
    local found = why({ { procs = 2, runtime = 10, needs = { gpu = 1 } },
      { submit = 1, procs = 1, runtime = 10, needs = { gpu = 2 } } },
      { nodes = { { count = 1, procs = 4, gpu = 2 } }, partitions = { g = { default = true } } }, 2)
    assert.same({ "nodes", "gpu", 2, 2, 0, 10 },
      { found.reason, found.lacking, found.needs, found.free, found.fitting, found.earliest })
    assert.equal("job 2: it waits for 2 gpu: the node of partition g can take 0 of its 1 "
      .. "processors, and it fits by plan at 10 s; 2 processors of the machine are free; "
      .. "free gpu: 1 on node 1", tostring(found))
    found = why({ { procs = 3, runtime = 10 },
      { submit = 1, procs = 4, runtime = 10, needs = { nodes = 2 } } },
      { nodes = { { count = 2, procs = 4 } } }, 2)
    assert.same({ "nodes", nil, 2, 2, 1 },
      { found.reason, found.lacking, found.nodes, found.wanted_nodes, found.fitting })
    assert.equal("job 2: it waits for 2 nodes: 1 of the 2 nodes of the machine have their share, "
      .. "and it fits by plan at 10 s; 5 processors of the machine are free; free processors: "
      .. "4 on node 2, 1 on node 1", tostring(found))
  end)
end)

describe("--machine of nodes", function()
  local folder
  setup(function() folder = program.folder() end)
  teardown(function() program.remove(folder) end)

  it("compares two machines on the same jobs", function()
    program.write(folder, "log.csv", "id,submit,procs,runtime,gpu\na,0,2,10,1\nb,0,2,10,1\n")
    for gpus = 1, 2 do
      program.write(folder, gpus .. ".lua",
        ("return { nodes = { { count = 1, procs = 4, gpu = %d } } }"):format(gpus))
    end
    program.write(folder, "3.lua", "return { nodes = { { count = 1, procs = 4, gpus = 3 } } }")
    local function compare(words)
      return program.run(folder, "compare log.csv --policy easy --metric wait_mean " .. words)
    end
    local status, out = compare "--machine 1.lua --machine 2.lua"
    assert.is_truthy(status == 0
      and out:find "easy, 1.lua +5%.000" and out:find "easy, 2.lua +0%.000 +%-5%.000",
      out)
    local _, _, problem = compare "--machine 1.lua --machine 3.lua"
    assert.equal("orrery: --machine: 3.lua has gpus, and 1.lua does not say how much it has, "
      .. "perhaps 0\n", problem)
    _, _, problem = compare "--machine 1.lua --machine 2.lua --procs 4"
    assert.equal("orrery: several --machine and --procs or --pool exclude each other\n", problem)
    program.write(folder, "4.lua", "return { nodes = { { count = 1, procs = 1, gpu = 3 } } }")
    program.write(folder, "more.csv", "id,submit,procs,runtime,gpu\na,0,1,10,0\nb,0,2,10,1\n")
    status, out = program.run(folder, "compare more.csv --policy easy --machine 1.lua --machine "
      .. "4.lua --json both.json")
    assert.equal(0, status)
    local own = {}
    for machine, procs in program.read(folder .. "/both.json")
      :gmatch '"machine": ?"(%d).lua",.-"procs": ?(%d+)' do
      own[machine] = procs
    end
    assert.same({ ["1"] = "4", ["4"] = "1" }, own)
    assert.matches("^1 job on 4", out)
    assert.matches("note: compared on the 1 of 2 jobs that can start on every machine; left out "
      .. "for not starting: 0 of 1.lua, 1 of 4.lua", out)
    program.write(folder, "more.csv", "id,submit,procs,runtime,gpu\nb,0,2,10,1\n")
    _, _, problem = program.run(folder, "compare more.csv --policy easy --machine 1.lua --machine "
      .. "4.lua")
    assert.equal("orrery: --machine: no job can start on all of these machines\n", problem)
  end)

  it("reaches sessions, schedules and --per; what is not for nodes is refused #long", function()
    program.write(folder, "gpus.csv", "id,submit,procs,runtime,partition,gpu\na,0,2,10,x,1\n"
      .. "b,0,2,10,x,1\nc,0,2,10,y,0\nd,0,9,10,y,0\n")
    program.write(folder, "m.lua", "return { nodes = { { count = 2, procs = 4, gpu = 1 } },\n"
      .. "partitions = { x = { nodes = '1' }, y = {} } }")
    local _, out = program.run(folder, "replay gpus.csv --machine m.lua --policy easy --per gpu "
      .. "--schedule s.csv")
    assert.matches("no GPUs +1 +33.3%% +0 s", out)
    assert.matches("asks for GPUs +2 +66.7%% +5 s", out)
    assert.matches("note: 1 of 4 jobs can never start and is refused at submission", out)
    assert.not_matches("not modelled", out)
    assert.equal(4, select(2, program.read(folder .. "/s.csv"):gsub("\n", "")))
    _, out = program.run(folder, "replay gpus.csv --procs 9 --policy easy")
    assert.matches("not modelled, but as labels that policies read: 2 partitions", out)
    local session = orrery.session { jobs = folder .. "/gpus.csv", machine = folder .. "/m.lua" }
    assert.matches("refused +1 of 4 jobs can never start", tostring(session))
    program.write(folder, "grid.lua", "return { axes = { { 'policy', { 'easy' } } }, metrics = { "
      .. "'wait_mean' }, fixed = { jobs = 'gpus.csv', machine = 'm.lua' } }")
    assert.equal(0, (program.run(folder, "sweep grid.lua -o grid --quiet")))
    assert.matches("wait_mean,1,3%.33", program.read(folder .. "/grid/results.csv"))
    program.write(folder, "m.lua", "return { nodes = { { count = 2, procs = 4, gpu = 2 } } }")
    local again, _, changed = program.run(folder, "sweep grid.lua -o grid --quiet")
    assert.is_truthy(again ~= 0, changed)
    program.write(folder, "m.lua", "return { nodes = { { count = 2, procs = 4, gpu = 1 } },\n"
      .. "partitions = { x = { nodes = '1' }, y = {} } }")
    program.write(folder, "groups.lua", "return { dispatch = 'easy', groups = { { name = 'a' }, "
      .. "{ name = 'b', procs = 1 } } }")
    for policy, message in pairs {
      ["redirect/threshold"] = "threshold adds processors, which is not there on a "
        .. "machine of nodes (--machine)",
      ["easy-plus-plus:correct=walltime"] = "on a machine of nodes (--machine) correct is last, "
        .. "and decide is corrections",
      ["easy-plus-plus:decide=events"] = "on a machine of nodes (--machine) correct is last, and "
        .. "decide is corrections",
      ["./groups.lua"] = "groups of processors are not there on a machine of nodes (--machine), "
        .. "which has partitions",
    } do
      local status, _, problem = program.run(folder, "replay gpus.csv --machine m.lua --policy "
        .. policy)
      assert.is_truthy(status ~= 0 and problem:find(message, 1, true), problem)
    end
    program.write(folder, "w.csv", "from,to,procs\n5,9,3\n")
    program.write(folder, "r.csv", "from,to,procs,user\n5,9,3,ana\n")
    program.write(folder, "n.csv", "from,to,nodes\n5,9,x\n20,30,all\n")
    for options, message in pairs {
      ["--maintenance w.csv"] = "a window (of maintenance, capacity or a drain) at 5 s is on the "
        .. "processors 5 to 7, which are not whole nodes of the machine (--machine)",
      ["--reservations r.csv"] = "a window (of maintenance, capacity or a drain) at 5 s is on the "
        .. "processors 5 to 7, which are not whole nodes of the machine (--machine)",
      ["--node-mtbf 9d --node-procs 3"] = "nodes of 3 processors fail (--node-procs), and the "
        .. "machine has nodes of 4 (--machine): without --node-procs these fail",
    } do
      local status, _, problem = program.run(folder,
        "replay gpus.csv --machine m.lua --policy easy " .. options)
      assert.is_truthy(status ~= 0 and problem:find(message, 1, true), problem)
    end
    assert.equal(0, (program.run(folder, "replay gpus.csv --machine m.lua --policy easy "
      .. "--maintenance n.csv --node-mtbf 90d")))
  end)

  it("explains the waits of a dump of a cluster with GPUs, memory and partitions", function()
    dump.write(folder .. "/dump", 1200, 7)
    -- A limit of the machine may be on nobody here, also where the fidelity is computed.
    program.write(folder, "cluster.lua",
      (dump.MACHINE:gsub("partitions =", "limits = 'jobs/account=5', partitions =", 1)))
    local function verdict(machine)
      return orrery.compare { jobs = folder .. "/dump", procs = 768, walltimes = "log",
        policies = { "easy" }, machine = machine }:fidelity()
    end
    local with = verdict(folder .. "/cluster.lua")
    assert.is_truthy(with.verdict == "explains" and with.explained > 0.85, tostring(with))
    assert.equal("not", verdict(nil).verdict)
    -- Where two jobs of an array run at a time, the machine explains it with this limit only.
    dump.write(folder .. "/dump", 1200, 7, 2)
    assert.equal("in part", verdict(folder .. "/cluster.lua").verdict)
    program.write(folder, "cluster.lua",
      (dump.MACHINE:gsub("partitions =", "limits = 'jobs/array=2', partitions =", 1)))
    assert.equal("explains", verdict(folder .. "/cluster.lua").verdict)
  end)
end)
