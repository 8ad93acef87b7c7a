-- When is decided at an instant (READINGS 35): the engine against naive references of every
-- convention, on random instances, on logs, and in cases worked by hand.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local logs = require "spec.support.logs"
local naive = require "spec.support.naive"
local online = require "spec.support.naive_online"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

local CONVENTIONS = { "batched", "ends-first", "submissions-first", "pyss" }

-- The starts of a list of { submit, procs, runtime, walltime }.
local function starts(instant, procs, list, policy)
  local jobs = {}
  for i, one in ipairs(list) do
    jobs[i] = { submit = one[1], procs = one[2], runtime = one[3], walltime = one[4] }
  end
  local s = orrery.session {
    jobs = orrery.jobs(jobs), procs = procs, walltimes = "log", instant = instant,
    policy = policy or "dispatch/easy",
  }
  s:finish()
  assert(s:check())
  local found = {}
  for i = 1, #list do found[i] = s:job(i).start end
  return found
end

describe("worked by hand,", function()
  -- At 10 job 1 ends, earlier than planned, job 2 is submitted for both processors, job 3 for one.
  it("a submission of the instant of an end", function()
    local list = { { 0, 2, 10, 20 }, { 10, 2, 5, 5 }, { 10, 1, 3, 3 } }
    for _, instant in ipairs(CONVENTIONS) do
      assert.same({ 0, 10, 15 }, starts(instant, 2, list))
    end
  end)

  -- At 10 one processor comes free. Job 2 wants two and waits; job 4, submitted before job 5, may
  -- run until job 3 is planned to end at 30, and so may 5: who comes first has the processor.
  -- Shortest first, job 5 comes first where both are there when the decision is taken.
  it("two submissions under EASY that backfills the shortest first", function()
    local list = { { 0, 1, 10, 20 }, { 1, 2, 5, 5 }, { 0, 1, 30, 30 }, { 10, 1, 9, 9 },
      { 10, 1, 2, 2 } }
    local found = {}
    for _, instant in ipairs(CONVENTIONS) do
      local all = starts(instant, 2, list, "dispatch/easy-sjf")
      found[instant] = { all[4], all[5] }
    end
    assert.same({
      batched = { 12, 10 }, -- all is applied, and job 5 is shorter
      ["ends-first"] = { 10, 19 }, -- job 4 comes to a free processor
      ["submissions-first"] = { 12, 10 }, -- both wait when job 1 ends
      pyss = { 12, 10 }, -- likewise: job 1 was planned to end at 20
    }, found)
  end)

  -- The same, but job 1 ends as planned: for pyss its processor is free before job 4 comes.
  it("an end as planned", function()
    local list = { { 0, 1, 10, 10 }, { 1, 2, 5, 5 }, { 0, 1, 30, 30 }, { 10, 1, 9, 9 },
      { 10, 1, 2, 2 } }
    local function found(instant)
      local all = starts(instant, 2, list, "dispatch/easy-sjf")
      return { all[4], all[5] }
    end
    assert.same({ 12, 10 }, found "batched")
    assert.same({ 12, 10 }, found "submissions-first")
    assert.same({ 10, 19 }, found "pyss")
  end)

  -- Two jobs end at 10. After the end of job 1 alone, job 3 does not fit, and job 4 is backfilled.
  it("a decision between two ends", function()
    local list = { { 0, 1, 10, 20 }, { 0, 1, 10, 20 }, { 1, 2, 5, 5 }, { 2, 1, 9, 9 } }
    assert.same({ 0, 0, 10, 15 }, starts("batched", 2, list))
    assert.same({ 0, 0, 19, 10 }, starts("ends-first", 2, list))
    assert.same({ 0, 0, 19, 10 }, starts("pyss", 2, list))
    local planned = { { 0, 1, 10, 10 }, { 0, 1, 10, 10 }, { 1, 2, 5, 5 }, { 2, 1, 9, 9 } }
    assert.same({ 0, 0, 10, 15 }, starts("ends-first", 2, planned)) -- the shadow time is now
    assert.same({ 0, 0, 10, 15 }, starts("pyss", 2, planned))
  end)

  it("a policy is told of every event between two decisions", function()
    local policy = {
      on_submit = function(sim) sim.state.told = (sim.state.told or "") .. " submit" end,
      on_start = function(sim) sim.state.told = sim.state.told .. " start" end,
      on_end = function(sim)
        if sim.now == 10 then error(sim.state.told) end
        sim.state.told = sim.state.told .. " end"
      end,
      dispatch = function(sim)
        sim.state.told = sim.state.told .. " decide"
        for job in sim:waiting() do if job.procs <= sim.free then sim:start(job) end end
      end,
    }
    local function told(instant)
      local s = orrery.session {
        jobs = orrery.jobs { { procs = 1, runtime = 5 }, { procs = 1, runtime = 5, submit = 5 },
          { procs = 1, runtime = 5, submit = 5 } }, procs = 2, policy = policy, instant = instant,
      }
      local _, problem = pcall(s.finish, s)
      return problem:match "submit decide start (.*)"
    end
    assert.equal("end submit submit decide start start", told "batched")
    assert.equal("end submit decide start submit decide start", told "ends-first")
    assert.equal("submit decide start submit decide end decide start", told "submissions-first")
    assert.equal("end submit decide start submit decide start", told "pyss")
  end)

  it("a policy is told at once of what it starts where it is idle", function()
    local function waits() end
    local policy = {
      groups = { { name = "a", procs = 1, dispatch = waits },
        { name = "b", procs = 1, dispatch = waits } },
      on_submit = function(sim, job) sim.state.job = job end,
      on_idle = function(sim)
        if sim.state.job then sim:start(sim.state.job) end
        sim.state.job = nil
      end,
      on_start = function(sim) sim.state.told = sim.now end,
      on_end = function(sim)
        error(("told at %g, over at %g"):format(sim.state.told or -1, sim.now))
      end,
    }
    for _, instant in ipairs(CONVENTIONS) do
      local s = orrery.session {
        jobs = orrery.jobs { { procs = 1, runtime = 5 } }, procs = 2, policy = policy,
        instant = instant,
      }
      local _, problem = pcall(s.finish, s)
      assert.equal("told at 0, over at 5", problem:match "told.*", instant)
    end
  end)

  it("an unknown convention is an error", function()
    assert.has_error(function()
      orrery.session {
        jobs = orrery.jobs { { procs = 1, time = 5 } }, procs = 2, instant = "cqsim",
      }
    end, "instant must be one of batched, ends-first, submissions-first, pyss, "
      .. 'it is "cqsim"')
  end)
end)

describe("every convention equals the naive reference", function()
  local function try(rng, instance, discipline)
    local rule = rigid.pick(rng, rigid.rules)
    rigid.hold_against_reference(instance, discipline, rule, naive.priorities(instance.procs)[rule])
  end

  for i, instant in ipairs(CONVENTIONS) do
    it("under every discipline, with failures and walltimes: " .. instant, function()
      local rng = orrery.random(350 + i)
      for _ = 1, rounds(1200, nil, 13) do
        local instance = instances.random(rng, { n = 12, procs = { 2, 3, 4, 5, 8 } })
        instance.instant = instant
        try(rng, instance, rigid.pick(rng, rigid.names))
      end
    end)

    it("under EASY that backfills the shortest first: " .. instant, function()
      local rng = orrery.random(360 + i)
      for _ = 1, rounds(600, nil, 10) do
        local instance = instances.random(rng, { n = 12, procs = { 2, 3, 4, 5, 8 } })
        instance.instant = instant
        local session = orrery.session(rigid.spec(instance, { policy = "dispatch/easy-sjf" }))
        session:finish()
        local reference = rigid.reference_spec(instance, "easy")
        reference.backfill = function(job) return -job.time end
        local problem = rigid.difference(session:schedule(), naive.run(reference))
        if problem then error(problem .. "\n" .. instances.describe(instance)) end
        assert(session:check())
      end
    end)

    it("under conservative backfilling: " .. instant, function()
      local rng = orrery.random(380 + i)
      for _ = 1, rounds(800, nil, 10) do
        local instance = instances.random(rng, { n = 12, procs = { 2, 3, 4, 5, 8 } })
        instance.instant = instant
        local rule = rigid.pick(rng, rigid.rules)
        local session = orrery.session(rigid.spec(instance, { priority = rule,
          policy = { dispatch = { discipline = "conservative" } } }))
        session:finish()
        local reference = rigid.reference_spec(instance, "easy",
          naive.priorities(instance.procs)[rule])
        reference.discipline = "conservative"
        local problem = rigid.difference(session:schedule(), naive.run(reference))
        if problem then error(problem .. "\n" .. instances.describe(instance)) end
        assert(session:check())
      end
    end)
  end

  it("also where the policy has functions, and in comparisons", function()
    local rng = orrery.random(370)
    for _ = 1, rounds(300, nil, 10) do
      local instance = instances.random(rng, { n = 12, procs = { 2, 3, 4, 5, 8 } })
      instance.instant = rigid.pick(rng, CONVENTIONS)
      local discipline = rigid.pick(rng, rigid.names)
      local function makespan(more, policy)
        policy.dispatch = rigid.disciplines[discipline]
        more.policy = policy
        local spec = rigid.spec(instance, more)
        spec.failures = { spec.failures }
        return orrery.compare(spec):values(1, "wait_mean")[1]
      end
      local expected = makespan({}, {})
      assert.equal(expected, makespan({ plain = true }, {}))
      assert.equal(expected, makespan({}, { on_end = function() end }))
    end
  end)
end)

-- Conventions matter where a log has many events at one instant: submissions as they are, and
-- rounded down to minutes. ORRERY_ALL=1 in the environment holds whole logs against the reference.
local LOGS = {
  { name = "HPC2N 2002", file = "hpc2n-2002.swf" },
  { name = "Mira, January 2019", file = "mira-2019-01.csv" },
}
local MOST = os.getenv "ORRERY_ALL" and math.huge or 700

-- The reference for conservative backfilling takes all day for a long queue.
local FEW = os.getenv "ORRERY_ALL" and 300 or 200

-- The first jobs of a log, submitted at multiples of `grid` s: for orrery, and for a reference.
local function beginning(log, most, grid)
  local list, reference = {}, {}
  for i, job in ipairs(log) do
    if i > most then break end
    job.submit = job.submit // grid * grid
    list[i] = job
    reference[i] = { submit = job.submit, procs = job.procs, time = job.runtime,
      walltime = job.walltime, estimate = job.walltime or job.runtime }
  end
  return orrery.jobs(list), reference
end

local function expected_starts(reference, procs, policy, instant)
  if policy ~= "conservative" then return online.run(reference, procs, policy, instant) end
  local list = {}
  for _, attempt in ipairs(naive.run { jobs = reference, procs = procs, walltimes = "log",
    discipline = policy, instant = instant }) do list[attempt.position] = attempt.start end
  return list
end

for _, given in ipairs(LOGS) do
  describe("every job starts as the naive reference says #long: " .. given.name, function()
    for _, instant in ipairs(CONVENTIONS) do
      for _, policy in ipairs { "fcfs", "easy", "easy-sjf", "conservative" } do
        it(("%s, %s"):format(policy, instant), function()
          local log = orrery.read(logs.path(given.file, pending))
          for _, grid in ipairs { 1, 60 } do
            local jobs, reference = beginning(log, policy == "conservative" and FEW or MOST, grid)
            local session = orrery.session { jobs = jobs, procs = log.machine_procs,
              instant = instant, walltimes = "log", policy = "dispatch/" .. policy }
            session:finish()
            local expected = expected_starts(reference, log.machine_procs, policy, instant)
            for _, attempt in ipairs(session:schedule()) do
              assert.equal(expected[attempt.position], attempt.start)
            end
          end
        end)
      end
    end
  end)
end
