-- Changes of a session: what the history says of each, and what each refuses.
local orrery = require "orrery"

-- At 10 s: a and b run, c and d wait, e and f come at 40 s.
local function at_10(more)
  local list = {}
  for i, id in ipairs { "a", "b", "c", "d", "e", "f" } do
    list[i] = { id = id, procs = 2, time = 20, submit = i > 4 and 40 or 0 }
  end
  local spec = { jobs = orrery.jobs(list), procs = 4, policy = "dispatch/easy" }
  for key, value in pairs(more or {}) do spec[key] = value end
  return orrery.session(spec):run_until(10)
end

local GROUPS = { name = "two",
  groups = { { name = "low", procs = 1, dispatch = "fcfs" }, { name = "high", dispatch = "easy" } },
  on_submit = function(sim, job) sim:move(job, "high") end }
local NODES = { procs = 6, machine = { nodes = { { count = 3, procs = 2, gpu = 1 } },
  partitions = { p = { nodes = "1-2", default = true }, q = { nodes = "3" } },
  pools = { lic = 4 } } }

local function says(s, cases)
  for _, case in ipairs(cases) do
    assert.equal("at 10 s: " .. case[1], tostring(s:fork(case[2]).history[2]))
  end
end

local function refuses(s, cases)
  for _, case in ipairs(cases) do
    local ok, problem = pcall(s.fork, s, case[2])
    assert.is_false(ok, case[1])
    assert.equal(case[1], (tostring(problem):gsub("^%S-:%d+: ", "")))
  end
end

describe("a change says in the history", function()
  it("who decides, and how many processors there are", function()
    says(at_10(), {
      { "no change", {} },
      { "dispatch/easy + spt decides", { priority = "spt" } },
      { "fcfs decides; 3 processors from now on", { policy = "fcfs", procs = 3 } },
      { "0 processors from now on", { procs = 0 } },
      { "3 processors until 60.0 min", { procs = { procs = 3, ["until"] = "1h" } } },
      { "3 processors until 10.1 s", { procs = { procs = 3, ["until"] = 10.1 } } },
      { "3 processors from now on", { procs = { procs = 3, ["until"] = math.huge } } },
    })
  end)

  it("which jobs it is of, up to four by name", function()
    says(at_10(), {
      { "job e cancelled", { cancel = "e" } },
      { "jobs e and f cancelled", { cancel = { 5, "f" } } },
      { "jobs a, b, c and d cancelled", { cancel = { "a", "b", "c", "d" } } },
      { "jobs a, b, c and 2 more cancelled", { cancel = { "a", "b", "c", "d", "e" } } },
      { "no change", { cancel = {}, fault = {}, submit = {} } },
      { "the attempt fails of job c", { fail = "c" } },
      { "job new1 submitted", { submit = { procs = 1, time = 2 } } },
      { "jobs new1 and z submitted", { submit = { { procs = 1, time = 2 },
        { id = "z", procs = 1, time = 1 } } } },
      { "job a takes 30 s; job c takes 5.0 min; job d takes 0 s",
        { runtime = { c = "5m", a = 30, d = 0 } } },
    })
    says(at_10 { checkpoint = { cost = 1, period = 4 } }, { { "job a checkpointed; job b preempted",
      { checkpoint = "a", preempt = "b" } } })
  end)

  it("what fails, drains and comes back", function()
    says(at_10(), {
      { "fault of job a", { fault = { job = "a" } } },
      { "fault of job b; fault on processor 1 (job a)",
        { fault = { { job = "b" }, { processor = 1, repair = "2m" } } } },
      { "1 processor drained now until 60.2 min", { drain = { procs = 1, ["until"] = "+1h" } } },
      { "2 processors drained now", { drain = { procs = 2, ["until"] = math.huge } } },
      { "4 processors drained at 20 s until 30 s", { drain_at = { at = 20, ["until"] = 30 } } },
      { "1 processor drained at 20 s", { drain_at = { at = "+10", procs = 1 } } },
      { "1 processor brought back", { bring_back = { procs = 1 } } },
    })
  end)

  it("what becomes of nodes, pools and limits", function()
    says(at_10(NODES), {
      { "node 2 fails, for 2.0 min (job b)", { fault = { node = 2, repair = "2m" } } },
      { "node 3 fails (processor 4: nothing ran there)", { fault = { node = 3 } } },
      { "node 2 drained now; nodes 1-3 drained now until 20 s",
        { drain = { { nodes = "2" }, { nodes = "1-3", ["until"] = 20 } } } },
      { "nodes 1-2 drained now", { drain = "1-2" } },
      { "3 nodes of kind 1 added to p and q; 1 node of 1 gpu, 2 procs added to q", { add_nodes = {
        { count = 3, kind = 1, partitions = { "p", "q" } },
        { count = 1, kind = { procs = 2, gpu = 1 }, partitions = "q" } } } },
      { "2 of pool lic from now on", { pools = { lic = 2 } } },
    })
    says(at_10 { limit = "jobs/user=9" }, {
      { "limit jobs/user=2 from now on", { limit = "jobs/user=2" } } })
  end)
end)

describe("a change refuses", function()
  it("times that are over", function()
    refuses(at_10(), {
      { "procs: until 10 s, but the clock stands at 10 s",
        { procs = { procs = 1, ["until"] = 10 } } },
      { "drain: until 10 s, but the clock stands at 10 s",
        { drain = { procs = 1, ["until"] = 10 } } },
      { "drain_at: at 10 s, but the clock stands at 10 s", { drain_at = { at = 10 } } },
      { "drain_at: until 20 s, which is no later than at 20 s",
        { drain_at = { at = 20, ["until"] = 20 } } },
    })
  end)

  it("values of another kind", function()
    refuses(at_10(), {
      { "cancel: expected a list, but it has the key 'a'", { cancel = { a = 1 } } },
      { "cancel: expected a list, but it has the key '3'", { cancel = { "a", [3] = "b" } } },
      { "cancel: expected a list, but it has the key '0'", { cancel = { "a", [0] = "b" } } },
      { "cancel: expected a list, but it has the key '1.5'", { cancel = { "a", [1.5] = "b" } } },
      { "runtime: expected a table, found 3", { runtime = 3 } },
      { "runtime: expected seconds, or a text as '6h', for job a, found -1",
        { runtime = { a = -1 } } },
      { "runtime: expected seconds, or a text as '6h', for job c, found inf",
        { runtime = { c = math.huge } } },
      { "runtime: job a is given twice", { runtime = { 5, a = 5 } } },
      { "fault: repair: expected seconds, or a text as '6h', found inf",
        { fault = { processor = 0, repair = math.huge } } },
      { "fault: repair goes with processor or node", { fault = { job = "a", repair = 1 } } },
      { "fault: give either job, or processor, or node",
        { fault = { job = "a", processor = 1 } } },
      { "drain: procs: expected a whole number of at least 1, found 0", { drain = { procs = 0 } } },
      { "drain: give either procs or nodes, or neither", { drain = { procs = 1, nodes = "1" } } },
    })
    refuses(at_10(NODES), {
      { "fault: node: expected a whole number of at least 1, found 0", { fault = { node = 0 } } },
      { "fault: node 4 is not among the nodes 1 to 3 of the machine", { fault = { node = 4 } } },
      { "add_nodes: partitions: an empty list",
        { add_nodes = { count = 1, kind = 1, partitions = {} } } },
      { "add_nodes: kind: expected 1 to 1, for the kinds of nodes that there are, found 2",
        { add_nodes = { count = 1, kind = 2 } } },
    })
  end)

  it("groups that the policy has not", function()
    local function low(more)
      local given = { at = 20, group = "low" }
      for key, value in pairs(more) do given[key] = value end
      return { drain_at = given, policy = more.policy }
    end
    refuses(at_10 { policy = GROUPS, procs = 5 }, {
      { "drain_at: give either group or nodes", low { nodes = "1" } },
      { "drain_at: there is no group 'x', there are low, high", low { group = "x" } },
      { "drain_at: group: expected the name of a group, found 1", low { group = 1 } },
      { "drain_at: expected 1 to 1 processors, as many as group low has, found 2",
        low { procs = 2 } },
      { "drain_at: expected 1 to 4 processors, as many as group high has, found 5",
        low { group = "high", procs = 5 } },
    })
    says(at_10 { policy = GROUPS, procs = 5 }, {
      { "1 processor in group low drained at 20 s; 4 processors in group high drained at 30 s",
        { drain_at = { { at = 20, group = "low" }, { at = 30, group = "high" } } } },
      { "2 processors in group high from now on", { procs = { procs = 2, group = "high" } } },
    })
  end)
end)

describe("what a change drains", function()
  it("is out, by the group's place on the machine", function()
    local s = at_10 { policy = { name = "three", groups = { { name = "a", procs = 1,
      dispatch = "fcfs" }, { name = "b", procs = 2, dispatch = "easy" }, { name = "c", procs = 1,
      dispatch = "fcfs" } }, on_submit = function(sim, job) sim:move(job, "b") end } }
    local fork = s:fork { drain_at = { at = 40, group = "b", procs = 1 } }:run_until(41)
    local list = {}
    for i, group in ipairs(fork.groups) do list[i] = group.down end
    assert.same({ 0, 1, 0 }, list)
    fork = at_10():fork { drain = { procs = 2 } }:run_until(21)
    assert.equal(2, fork.procs)
    assert.equal(3, fork:change { bring_back = { procs = 1 } }.procs)
  end)
end)

describe("nodes that a change adds", function()
  it("join the partitions of the list, and outlive its names", function()
    local s = at_10(NODES):fork { add_nodes = { count = 2, kind = 1, partitions = { "q" } },
      cancel = { "e", "f" } }
    s:change { submit = { id = "z", procs = 6, time = 3, partition = "q" } }
    collectgarbage()
    s:finish()
    local placed = {}
    for _, a in ipairs(s:schedule()) do placed[a.id] = ("%g: %s"):format(a.start, a.processors) end
    assert.equal("10: 4-9", placed.z)
  end)
end)
