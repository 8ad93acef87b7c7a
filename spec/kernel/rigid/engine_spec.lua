-- The engine against the naive reference, start by start and end by end, exactly.
local orrery = require "orrery"
local naive = require "spec.support.naive"
local instances = require "spec.support.instances"
local logs = require "spec.support.logs"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

local PER = { "workload", "workload", "scenario", "attempt", "decision" }

-- The rule as a Lua function, asked at a random one of the four times.
local function as_function(rng, key)
  return { per = rigid.pick(rng, PER), priority = function(job) return key(job) end }
end

local function try(rng, instance, discipline)
  local rule = rigid.pick(rng, rigid.rules)
  local key = naive.priorities(instance.procs)[rule]
  local priority = rng:integer(0, 1) == 0 and rule or as_function(rng, key)
  return rigid.hold_against_reference(instance, discipline, priority, key)
end

describe("every discipline equals the naive reference", function()
  for i, discipline in ipairs(rigid.names) do
    it("on random small instances: " .. discipline, function()
      local rng = orrery.random(1000 + i)
      for _ = 1, rounds(550, nil, 10) do try(rng, instances.random(rng), discipline) end
    end)
  end

  it("on instances of two or three processors with jobs that take no time", function()
    local rng = orrery.random(77)
    for _ = 1, rounds(1200, nil, 13) do
      local instance = instances.random(rng, { n = 8, procs = { 2, 3, 13 } })
      for _, job in ipairs(instance.list) do
        if rng:integer(0, 1) == 0 then job.time, job.walltime = 0, job.walltime and 0 end
      end
      try(rng, instance, rigid.pick(rng, rigid.names))
    end
  end)

  it("on mid-size instances", function()
    local rng = orrery.random(5)
    for _, discipline in ipairs { "greedy", "easy", "two", "head5", "all", "shelf" } do
      local n = rng:integer(60, 100)
      n = rounds(n, n, n // 2)
      local instance = instances.random(rng, { n = n, procs = { 16, 40, 100 } })
      while #instance.list < n // 2 do
        instance = instances.random(rng, { n = n, procs = { 16, 40, 100 } })
      end
      try(rng, instance, discipline)
    end
  end)
end)

describe("the engine", function()
  it("releases all jobs at time 0 in batch mode", function()
    local rng = orrery.random(6)
    for _ = 1, rounds(100, 100, 10) do
      local instance = instances.random(rng)
      instance.batch = true
      local _, session = try(rng, instance, rigid.pick(rng, rigid.names))
      assert.equal(0, session:schedule()[1].start)
    end
  end)

  it("follows orders that change at every decision", function()
    local rng = orrery.random(8)
    for _ = 1, rounds(150, 150, 10) do
      local instance = instances.random(rng)
      -- Aging: what waits longer comes first; the order by submission, in other words.
      local aging = {
        per = "decision", priority = function(job, view) return view.now - job.submit end,
      }
      rigid.hold_against_reference(instance, rigid.pick(rng, rigid.names), aging,
        function(job) return -job.submit end)
    end
  end)

  it("asks again per attempt whenever a job enters the queue", function()
    -- A job that failed goes behind the others: with one processor, attempts take turns.
    local session = orrery.session {
      jobs = orrery.jobs { { procs = 1, time = 1 }, { procs = 1, time = 1 } }, procs = 1,
      failures = { 2, 1 },
      priority = { per = "attempt", priority = function(job) return -job.attempts end },
    }
    session:finish()
    local order = {}
    for i, attempt in ipairs(session:schedule()) do order[i] = attempt.position end
    assert.same({ 1, 2, 1, 2, 1 }, order)
  end)

  -- By hand: c is longer than d until 5, and then in front, also of e. At 3, which a has named, a
  -- does not wait, and nothing happens.
  it("asks again per change, at the time that the priority has named", function()
    local session = orrery.session {
      jobs = orrery.jobs { { id = "a", procs = 1, time = 4 }, { id = "c", procs = 1, time = 9 },
        { id = "d", procs = 1, time = 4 }, { id = "e", procs = 1, time = 1, submit = 6 } },
      procs = 1,
      priority = { per = "change", priority = function(job, view)
        if job.id == "c" and view.now >= 5 then return 0 end
        return -job.time, job.id == "c" and 5 or job.id == "a" and 3 or nil
      end },
    }
    local instants, starts = {}, {}
    while session:step() do instants[#instants + 1] = session.now end
    for i, attempt in ipairs(session:schedule()) do
      starts[i] = ("%s at %g"):format(attempt.id, attempt.start)
    end
    assert.same({ "a at 0", "d at 4", "c at 8", "e at 17" }, starts)
    assert.same({ 0, 4, 5, 6, 8, 17 }, instants)
  end)

  it("bears that all jobs fail at once under an order that changes", function()
    for n = 1, 40 do
      local list, failures = {}, {}
      for i = 1, n do list[i], failures[i] = { procs = 1, time = 10 }, 3 end
      local session = orrery.session {
        jobs = orrery.jobs(list), procs = n, failures = failures,
        priority = { per = "attempt", priority = function(job) return job.position end },
      }
      assert.equal(40, session:finish().makespan)
      assert.is_true(session:check())
    end
  end)

  it("steps one instant at a time, jobs that take no time included", function()
    local session = orrery.session {
      jobs = orrery.jobs { { procs = 1, time = 0 }, { procs = 1, time = 0 },
        { procs = 1, time = 5 }, { procs = 1, time = 1, submit = 3 } },
      procs = 1,
    }
    assert.is_true(session:step())
    assert.equal(0, session.now)
    assert.equal("over", session:job(2).state)
    assert.equal("running", session:job(3).state)
    assert.equal("pending", session:job(4).state)
    assert.equal(3, session.next_event)
    session:run_until(4)
    assert.equal(4, session.now)
    assert.equal("waiting", session:job(4).state)
    assert.is_true(session:step())
    assert.is_false(session:step())
    assert.equal(6, session.now)
    assert.is_true(session.over)
  end)

  it("ends when it is run until the end of time", function()
    local session = orrery.session { jobs = orrery.jobs { { procs = 1, time = 5 } }, procs = 1 }
    session:run_until(math.huge)
    assert.is_true(session.over)
    assert.equal(5, session.now)
    session:run_until(7)
    assert.equal(7, session.now)
    assert.equal(5, session:finish().makespan)
  end)

  it("runs workloads without jobs and with one", function()
    for _, discipline in ipairs(rigid.names) do
      local policy = { dispatch = rigid.disciplines[discipline] }
      local none = orrery.session { jobs = orrery.jobs {}, procs = 4, policy = policy }
      local metrics = none:finish()
      assert.equal(0, metrics.makespan)
      assert.equal(0, metrics.starts)
      assert.is_true(none:check())
      local one = orrery.session {
        jobs = orrery.jobs { { procs = 4, time = 3, submit = 10 } }, procs = 4, policy = policy,
      }
      assert.equal(3, one:finish().makespan)
      assert.equal(13, one.now)
    end
  end)

  it("gives the same schedule stepped, run in pieces and finished", function()
    local rng = orrery.random(9)
    for _ = 1, rounds(100, 100, 10) do
      local instance = instances.random(rng)
      local function fresh(discipline)
        return orrery.session(rigid.spec(instance, {
          policy = { dispatch = rigid.disciplines[discipline] }, priority = "lpt",
        }))
      end
      local discipline = rigid.pick(rng, rigid.names)
      local whole, stepped, pieces = fresh(discipline), fresh(discipline), fresh(discipline)
      local metrics = whole:finish()
      while stepped:step() do end
      local till = 0
      while not pieces.over do
        assert.is_true(pieces:check())
        till = till + rng:uniform(0, 5)
        pieces:run_until(till)
      end
      assert.is_nil(rigid.difference(stepped:schedule(), whole:schedule()))
      assert.is_nil(rigid.difference(pieces:schedule(), whole:schedule()))
      assert.same(metrics, stepped:finish())
      for name, value in pairs(pieces:measure()) do
        assert.equal(value, metrics[name], name)
      end
    end
  end)
end)

describe("the real log", function()
  local function prefix(jobs, count)
    local list = {}
    for i = 1, count do list[i] = jobs[i] end
    return list
  end

  for name, procs in pairs { ["mira-2019-01.csv"] = 49152, ["hpc2n-2002.swf"] = 240 } do
    it("equals the reference on the first jobs of " .. name, function()
      local jobs = orrery.read(logs.path(name, pending))
      local machine = jobs.machine_procs or procs
      local rng = orrery.random(11)
      for _, discipline in ipairs { "greedy", "easy", "all", "head2", "shelf", "fcfs" } do
        local most = discipline == "all" and 40 or 70
        local instance = {
          list = prefix(jobs, rounds(most, most, most // 2)), procs = machine,
          failures = {}, walltimes = "log",
        }
        for i in ipairs(instance.list) do instance.failures[i] = math.max(0, rng:integer(-3, 1)) end
        try(rng, instance, discipline)
        instance.batch = true
        try(rng, instance, discipline)
      end
    end)
  end
end)
