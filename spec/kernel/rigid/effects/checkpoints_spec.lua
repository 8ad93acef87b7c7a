-- Checkpoints of rigid jobs (READINGS 36): periods by hand, the expected time of a job that fails,
-- and what must hold of any run. The engine is held against a naive reference elsewhere.
local orrery = require "orrery"
local core = require "orrery.core"
local rounds = require "spec.support.rounds"

local function one_job(runtime, more)
  local spec = { jobs = orrery.jobs { { id = "a", procs = 1, runtime = runtime } }, procs = 1,
    policy = "dispatch/greedy" }
  for name, value in pairs(more) do spec[name] = value end
  return spec
end

describe("the period of checkpoints", function()
  it("is Young's and Daly's", function()
    -- mu = 20000 s for a job on 5 nodes, C = 100 s: sqrt(4e6) and
    -- 2000 (1 + sqrt(0.0025) / 3 + 0.0025 / 9) - 100
    assert.equal(2000, core.period("young", 1e5, 4, 20, 100))
    assert.equal(2000, core.period("young", 1e5, 4, 17, 100))
    assert.near(2000 * (1 + 0.05 / 3 + 0.0025 / 9) - 100, core.period("daly", 1e5, 4, 20, 100),
      1e-9)
    assert.equal(50, core.period("daly", 50, 1, 1, 100)) -- mu from C = 2 mu on
    assert.equal(50, core.period("daly", 50, 1, 1, 1000))
    assert.equal(100, core.period("young", 50, 1, 1, 100))
    assert.equal(math.huge, core.period("young", math.huge, 1, 1, 100))
    assert.equal(math.huge, core.period("daly", math.huge, 1, 1, 100))
  end)

  it("is seen in what a job takes", function()
    for period, checkpoints in pairs { [100] = 9, [99] = 10, ["5m"] = 3, none = 0, [1000] = 0,
      young = 5, daly = 5 } do -- 200 s, and 196.8 s
      local session = orrery.session(one_job(1000, { checkpoint = { cost = 10, period = period,
        mtbf = 2000 } }))
      assert.equal(1000 + 10 * checkpoints - (period == "young" and 10 or 0),
        session:finish().makespan, tostring(period))
    end
  end)
end)

describe("a job that writes checkpoints", function()
  it("takes its work and all of them where nothing fails", function()
    math.randomseed(7)
    for _ = 1, rounds(400) do
      local work, cost = math.random(0, 5000) / 8, math.random(0, 40) / 8
      local period = math.random(1, 800) / 8
      local session = orrery.session(one_job(work, { checkpoint = { cost = cost,
        period = period } }))
      local expected = work + math.max(math.ceil(work / period) - 1, 0) * cost
      assert.equal(expected, session:finish().makespan)
      assert.is_true(session:check())
    end
  end)

  -- The mean makespan of a job on one node that fails with rate lambda and is out for D, in periods
  -- of tau, the last of which has l of them.
  local function expected_time(lambda, D, work, tau, C, R)
    local n = math.ceil(work / tau)
    local function growth(x) return x < 1e-5 and x + x * x / 2 or math.exp(x) - 1 end
    if n == 1 then return (1 / lambda + D) * growth(lambda * work) end
    local last = work - (n - 1) * tau
    return (1 / lambda + D) * (growth(lambda * (tau + C)) * (1 + (n - 2) * math.exp(lambda * R))
      + math.exp(lambda * R) * growth(lambda * last))
  end

  it("takes as long as the formula of its expected time says", function()
    local all = os.getenv "ORRERY_ROUNDS" == "all"
    local sets, runs = all and 200 or 60, all and 10000 or 600
    local held = 0
    math.randomseed(36)
    for set = 1, sets do
      local x = 1e-4 * (2e4) ^ ((set - 1) / (sets - 1)) -- lambda (tau + C), from 1e-4 to 2
      local lambda = 10 ^ (-2 - 3 * math.random())
      local cycle = x / lambda
      local C = cycle * math.random() * 0.5
      local tau, R, D = cycle - C, C * 2 * math.random(), 3 / lambda * math.random()
      local n = math.max(math.random(1, 20), math.ceil(150 / (runs * x))) -- 150 failures or more
      local work = (n - 1 + math.random() * 0.999 + 0.001) * tau
      local result = orrery.compare(one_job(work, { runs = runs, set = set,
        checkpoint = { cost = C, recovery = R, period = tau },
        node_failures = { mtbf = 1 / lambda, repair = D } }))
      local sum, squares, expected = 0, 0, expected_time(lambda, D, work, tau, C, R)
      for _, value in ipairs(result:values(1, "makespan")) do
        sum, squares = sum + (value - expected), squares + (value - expected) ^ 2
      end
      local mean = sum / runs
      local error = math.sqrt((squares / runs - mean ^ 2) / (runs - 1))
      local off = math.abs(mean) / error
      held = held + (off <= 1.96 and 1 or 0)
      assert.is_true(off < 5, ("set %d: lambda %g, D %g, w %g, tau %g, C %g, R %g: the mean is %g "
        .. "standard errors off %g"):format(set, lambda, D, work, tau, C, R, off, expected))
    end
    assert.is_true(held >= 0.9 * sets, held .. " of " .. sets .. " intervals hold it")
  end)
end)

-- Jobs, and a policy that has checkpoints written, lets jobs leave and puts them back.
local ACTS = {
  dispatch = function(sim)
    for job in sim:waiting() do
      if job.procs <= sim.free then sim:start(job) end
    end
  end,
  on_start = function(sim) sim:wake_at(sim.now + 1 + math.random(0, 60) / 2) end,
  on_timer = function(sim)
    local running = sim:running()
    local job = running[math.random(1, math.max(#running, 1))]
    local what = math.random(1, 8)
    if not job then return end
    if job.procs == 4 then -- it cannot
      if what == 1 then sim:requeue(job) end
    elseif what <= 4 then
      sim:checkpoint(job)
    elseif what <= 7 then
      sim:preempt(job)
    else
      sim:requeue(job)
    end
  end,
  period = function(job) return 5 + 3 * (job.position % 7) + job.saved / 4 end,
}

local POLICIES = { "dispatch/easy", "dispatch/conservative", "dispatch/greedy", "dispatch/fcfs",
  "dispatch/easy-sjf", "dispatch/list:reservations=all", "dispatch/shelf", ACTS,
  { dispatch = { discipline = "list", reservations = 1, place = "contiguous" } },
  { dispatch = { discipline = "conservative", place = "named" }, period = ACTS.period } }

local function random_spec(k)
  local list = {}
  for i = 1, 25 do
    local runtime = math.random(0, 600) / 4
    list[i] = { id = "j" .. i, procs = math.random(1, 6), runtime = runtime,
      submit = math.random(0, 800) / 4, walltime = runtime * (0.7 + math.random()) }
  end
  return {
    jobs = orrery.jobs(list), procs = 8, policy = POLICIES[k % #POLICIES + 1], seed = k,
    walltimes = k % 3 == 0 and "log" or "runtime", verification = k % 4 == 1 and 1.5 or 0,
    errors = { mean_probability = k % 2 * 0.1 },
    checkpoint = { cost = function(job) if job.procs ~= 4 then return k % 5 / 2 + 0.5 end end,
      recovery = { fixed = 1, times_procs = k % 3 }, period = k % 2 == 0 and "young" or 20,
      mtbf = 400 },
    node_failures = { mtbf = 300 + 50 * (k % 9), procs = 2, repair = k % 7 },
  }
end

describe("runs with checkpoints", function()
  it("have records that the checker accepts, and metrics that add up", function()
    math.randomseed(5)
    for k = 1, rounds(160) do
      local spec = random_spec(k)
      local session = orrery.session(spec)
      local m = session:finish()
      local fine, message = session:check()
      assert.is_true(fine, message)
      assert.is_true(m.waste >= 0 and m.waste <= 1 and m.goodput <= m.utilisation)
      assert.is_true(m.work_lost >= 0 and m.checkpoint_time >= 0 and m.recovery_time >= 0)
    end
  end)

  it("have the same future in forks at any time", function()
    math.randomseed(6)
    for k = 1, rounds(80) do
      local session = orrery.session(random_spec(k))
      session:run_until(math.random(0, 3000) / 4)
      local fork = session:fork()
      fork:run_until(fork.now + math.random(0, 400) / 4)
      local m = session:finish()
      assert.same(m, fork:finish())
      assert.same(session:schedule(), fork:schedule())
      fork:back_to(math.random(0, 1000) / 4)
      assert.same(m, fork:finish())
    end
  end)

  it("give the same bits with 1, 2 and 7 threads", function()
    for k = 1, rounds(16) do
      math.randomseed(k)
      local spec, results = random_spec(k), {}
      spec.runs = 40
      for i, threads in ipairs { 1, 2, 7 } do
        spec.threads = threads
        results[i] = orrery.compare(spec):values(1, "makespan")
      end
      assert.same(results[1], results[2])
      assert.same(results[1], results[3])
    end
  end)

  it("can be changed: other runtimes, more jobs, another policy", function()
    math.randomseed(8)
    for k = 1, rounds(60) do
      local session = orrery.session(random_spec(k))
      session:run_until(math.random(200, 1200) / 4)
      local changes = { submit = { { procs = 2, runtime = 100 }, { procs = 4, runtime = 50 } } }
      local longer = session:waiting()[1]
      if longer then changes.runtime = { [longer.id] = 500 } end
      if k % 2 == 0 then changes.policy = ACTS end
      local changed = session:fork(changes)
      changed:finish()
      local fine, message = changed:check()
      assert.is_true(fine, message)
    end
  end)
end)

describe("a session", function()
  local function session()
    return orrery.session { jobs = orrery.jobs { { id = "a", procs = 1, runtime = 100 },
      { id = "b", procs = 1, runtime = 40 } }, procs = 1, policy = "dispatch/fcfs",
      checkpoint = { cost = 5, recovery = 3, period = 60 } }
  end

  local function starts(s)
    s:finish()
    assert.is_true(s:check())
    local list = {}
    for i, a in ipairs(s:schedule()) do list[i] = a.id .. a.start .. "-" .. a.finish end
    return table.concat(list, " ")
  end

  it("lets a job write a checkpoint, or write one and leave", function()
    local s = session()
    s:run_until(20)
    assert.equal("a0.0-105.0 b105.0-145.0", starts(s:fork()))
    -- 20 s, 5, and 80 s with one more
    assert.equal("a0.0-110.0 b110.0-150.0", starts(s:fork { checkpoint = "a" }))
    -- the job comes back in front of b: 3, and 80 s with one
    assert.equal("a0.0-25.0 a25.0-113.0 b113.0-153.0", starts(s:fork { preempt = "a" }))
    s:run_until(62) -- the periodic one is under way until 65
    assert.equal("a0.0-105.0 b105.0-145.0", starts(s:fork { checkpoint = "a" }))
    assert.equal("a0.0-65.0 a65.0-108.0 b108.0-148.0", starts(s:fork { preempt = "a" }))
    local t = s:fork { preempt = "a" }
    t:run_until(66) -- it recovers
    assert.equal("a0.0-65.0 a65.0-66.0 a66.0-109.0 b109.0-149.0", starts(t:fork { preempt = "a" }))
  end)

  it("says why it cannot", function()
    local s = session()
    s:run_until(20)
    assert.error_matches(function() s:fork { preempt = "b" } end,
      "job b does not run: it cannot write a checkpoint")
    local t = orrery.session(one_job(100, {}))
    t:run_until(20)
    assert.error_matches(function() t:fork { checkpoint = "a" } end, "job a writes no checkpoints")
  end)
end)

describe("wrong checkpoints", function()
  local function refused(checkpoint, message, more)
    local spec = one_job(100, more or {})
    spec.checkpoint = checkpoint
    local fine, found = pcall(orrery.session, spec)
    assert.is_false(fine)
    assert.matches(message, tostring(found), 1, true)
  end

  it("are refused", function()
    refused({ cost = -1 }, "checkpoint.cost: expected a number of seconds, a text as '2m'")
    refused({ cost = 0 / 0 }, "checkpoint.cost: expected a number of seconds")
    refused({ cost = 1, recovery = "soon" }, "checkpoint.recovery: expected a number of seconds")
    refused({ cost = 1, recovery = math.huge }, "checkpoint.recovery: expected")
    refused({ period = 10 }, "checkpoint: give the cost of a checkpoint")
    refused({ cost = 1, period = 0 }, "checkpoint.period: expected 'none', 'young', 'daly' or a "
      .. "time of work of more than 0 s, found 0")
    refused({ cost = 1, period = "yong" }, "checkpoint.period: expected 'none', 'young', 'daly'")
    refused({ cost = 1, period = "young" }, "the period 'young' follows from how often a node")
    refused({ cost = 0, period = "daly", mtbf = 100 }, "'daly' gives no period for job a")
    refused({ cost = 1, mtbf = 0 }, "checkpoint.mtbf: expected a number of seconds of more than 0")
    refused({ cost = { fixed = 1, per_proc = 2 } }, "checkpoint.cost: unknown field 'per_proc'")
    refused({ cost = { fixed = -1 } }, "checkpoint.cost.fixed: expected a number of seconds")
    refused({ cost = function() return "2" end, period = 5 },
      "expected a number of seconds of at least 0 for job a, found '2'")
    refused({ cost = 1, period = 1e-300 }, "too short for 100 s of work")
    refused({ costs = 1 }, "checkpoint: unknown field 'costs', did you mean 'cost'?")
    refused(5, "checkpoint: expected a table, found number")
  end)

  it("are refused of policies", function()
    local function finish(period, more)
      local policy = { dispatch = { discipline = "fcfs" }, period = period }
      for name, value in pairs(more or {}) do policy[name] = value end
      local session = orrery.session(one_job(100, { policy = policy,
        checkpoint = not (more and more.without) and { cost = 1, period = 10 } or nil }))
      local fine, message = pcall(session.finish, session)
      assert.is_false(fine)
      return tostring(message)
    end
    assert.matches("period for job a at time 0: .*a period must be a number, this is nil",
      finish(function() end))
    for _, value in ipairs { 0, -5, 0 / 0 } do
      assert.matches("the period of job a must be a number of seconds of work > 0",
        finish(function() return value end))
    end
    assert.matches("too short for 100 s of work", finish(function() return 1e-300 end))
    assert.matches("only the dispatch hook and the hooks of events may do that",
      finish(function(job, sim) sim:checkpoint(job) return 5 end))
    assert.matches("job a cannot be checkpointed: it is waiting",
      finish(nil, { on_submit = function(sim, job) sim:checkpoint(job) end }))
  end)

  it("are refused where there are none", function()
    local session = orrery.session(one_job(100, { policy = { dispatch = { discipline = "fcfs" },
      on_start = function(sim, job) sim:preempt(job) end } }))
    local fine, message = pcall(session.finish, session)
    assert.is_false(fine)
    assert.matches("job a cannot be preempted: it writes no checkpoints", tostring(message))
  end)
end)
