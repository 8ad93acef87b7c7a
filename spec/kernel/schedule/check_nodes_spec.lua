-- The checker of nodes and partitions: a right schedule passes, and every broken rule has its
-- message.
local native = require "native_runs"

-- Nodes 1 and 2 have processors 0-3 and 4-7 and 10 of memory, node 3 has 8-11, 20 and two GPUs.
-- Job 1 asks for two nodes, job 2 runs beside it with its share of memory, job 3 has the GPUs.
-- From 10 on job 4 has node 1 for itself, while job 5 is on the others.
local function world()
  return {
    procs = 12, verification = 0,
    kinds = { { count = 2, procs = 4, mem = 10, gpu = 0 }, { count = 1, procs = 4, mem = 20,
      gpu = 2 } },
    partitions = { { name = "cpu", low = 0, high = 1 }, { name = "all", low = 0, high = 2 },
      { name = "own", low = 0, high = 2, exclusive = true } },
    { procs = 3, time = 10, submit = 0, nodes = 2, mem = 9, partition = "cpu" },
    { procs = 4, time = 10, submit = 0, mem = 19, partition = "all" },
    { procs = 1, time = 10, submit = 0, gpu = 2, partition = "all" },
    { procs = 2, time = 5, submit = 10, exclusive = 1, partition = "all" },
    { procs = 5, time = 5, submit = 10, mem = 8, partition = "all" },
  }
end

local PROCESSORS = { { 0, 1, 4, 4 }, { 2, 3, 8, 9 }, { 10, 10 }, { 0, 1 }, { 4, 8 } }

local function attempts()
  local list = {}
  for i, processors in ipairs(PROCESSORS) do
    local start = i < 4 and 0 or 10
    list[i] = { position = i, attempt = 1, start = start, finish = i < 4 and 10 or 15, outcome = 1,
      processors = processors }
  end
  return list
end

local function objects(message, change)
  local jobs, list = world(), attempts()
  change(list, jobs)
  local ok, found = native.check(jobs, list)
  assert.is_nil(ok)
  if not found:find(message, 1, true) then
    error(("expected '%s' in: %s"):format(message, found), 2)
  end
end

describe("the checker of nodes", function()
  -- On node 1: 5 of job 1 and ceil(2 * 19 / 4) = 10 of job 2; with 15 in use the world of the other
  -- specs has as much.
  local function fits(jobs) jobs.kinds[1].mem = 15 end

  it("accepts what fits, to the last byte", function()
    local jobs = world()
    fits(jobs)
    assert.is_true(native.check(jobs, attempts()))
  end)

  local function breaks(message, change)
    objects(message, function(list, jobs)
      fits(jobs)
      change(list, jobs)
    end)
  end

  it("rejects more of a resource than a node has", function()
    objects("job 2, attempt 1 from 0 to 10 (completed): more of mem is in use on node 1 than it "
      .. "has: found 15, expected 10", function() end)
    breaks("more of mem is in use on node 1 than it has: found 15, expected 14", function(_, jobs)
      jobs.kinds[1].mem = 14
    end)
    breaks("more of mem is in use on node 3 than it has: found 10, expected 9", function(_, jobs)
      jobs.kinds[2].mem = 9
    end)
    breaks("job 3, attempt 1 from 0 to 10 (completed): more of gpu is in use on node 2 than it "
      .. "has: found 2, expected 0", function(list) list[3].processors = { 5, 5 } end)
  end)

  it("rejects a share that nobody else leaves there", function()
    breaks("job 5, attempt 1 from 10 to 15 (completed): more of mem is in use on node 2 than it "
      .. "has: found 17, expected 15", function(_, jobs) jobs[5].mem = 21 end) -- ceil(4 * 21 / 5)
    breaks("more of gpu is in use on node 3 than it has: found 3, expected 2", function(_, jobs)
      jobs[2].gpu = 2 -- one with each half, and node 1 has some
      jobs.kinds[1].gpu = 2
    end)
  end)

  it("rejects another number of nodes than the job asked for", function()
    breaks("job 1, attempt 1 from 0 to 10 (completed): number of nodes: found 1, expected 2",
      function(list)
        list[1].processors, list[2].processors = { 0, 2 }, { 3, 4, 8, 9 }
      end)
  end)

  it("rejects shares that are not even, or the larger one behind", function()
    breaks("processors on one of its nodes: found 1, expected 2", function(list)
      list[1].processors, list[2].processors = { 0, 0, 4, 5 }, { 2, 3, 8, 9 }
    end)
    breaks("processors on one of its nodes: found 3, expected 2", function(list, jobs)
      jobs[1].procs, list[1].processors = 4, { 0, 2, 4, 4 }
      list[2].processors = { 3, 3, 5, 5, 8, 9 }
    end)
  end)

  it("rejects nodes of another partition", function()
    breaks("job 1, attempt 1 from 0 to 10 (completed): is on a node that is not of its partition, "
      .. "number: found 3", function(list)
      list[1].processors, list[2].processors = { 0, 1, 11, 11 }, { 2, 3, 8, 9 }
    end)
  end)

  it("rejects whoever is on a node with an exclusive job", function()
    breaks("job 5, attempt 1 from 10 to 15 (completed): shares a node with an exclusive job; jobs "
      .. "there: found 2, expected 1", function(list) list[5].processors = { 3, 7 } end)
    breaks("job 5, attempt 1 from 10 to 15 (completed): shares a node with an exclusive job",
      function(list, jobs)
        jobs[4].exclusive, jobs[4].partition = nil, "own"
        list[5].processors = { 3, 7 }
      end)
    breaks("job 4, attempt 1 from 10 to 15 (completed): shares a node with an exclusive job",
      function(list, jobs)
        jobs[4].exclusive, jobs[5].exclusive = nil, 1
        list[4], list[5] = list[5], list[4]
        list[4].processors = { 3, 7 }
      end)
    breaks("job 3, attempt 1 from 0 to 10 (completed): shares a node with an exclusive job",
      function(_, jobs) jobs[3].exclusive = 1 end)
  end)

  -- Processor 3 fails at 10, as jobs 1 and 2 are over.
  it("rejects a node of which a processor is down", function()
    breaks("job 4, attempt 1 from 10 to 15 (completed): is on a node of which a processor is out "
      .. "until: found 11, expected 10", function(list)
      list.outages = { { time = 10, repaired = 11, first = 3, count = 1, attempts = 3 } }
    end)
    local jobs, list = world(), attempts()
    fits(jobs)
    list.outages = { { time = 10, repaired = 11, first = 9, count = 3, attempts = 3 } }
    list[5].start, list[5].finish = 11, 16
    assert.is_true(native.check(jobs, list))
  end)

  -- Processor 3 is drained at 10, and comes back at 12.
  it("rejects a node of which a processor is drained", function()
    local DRAINED = 1
    breaks("job 4, attempt 1 from 10 to 15 (completed): is on a node of which a processor is out "
      .. "until: found inf, expected 10", function(list)
      list.outages = { { time = 10, repaired = math.huge, first = 3, count = 1, attempts = 3,
        kind = DRAINED } }
    end)
    local jobs, list = world(), attempts()
    fits(jobs)
    list.outages = { { time = 10, repaired = 30, first = 3, count = 1, attempts = 3,
      kind = DRAINED }, { time = 12, repaired = 30, first = 3, count = 1, attempts = 4, kind = 2 } }
    list[4], list[5] = list[5], list[4]
    list[5].start, list[5].finish = 12, 17
    assert.is_true(native.check(jobs, list))
  end)

  it("counts what is over no more, and attempts that fail once each", function()
    local jobs, list = world(), attempts()
    fits(jobs)
    list[1].outcome = 2
    list[6] = { position = 1, attempt = 2, start = 15, finish = 25, outcome = 1,
      processors = { 0, 1, 4, 4 } }
    assert.is_true(native.check(jobs, list, { 1, 0, 0, 0, 0 }))
  end)
end)
