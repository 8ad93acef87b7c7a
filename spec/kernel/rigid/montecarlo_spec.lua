-- Monte Carlo runs: the same bits however they are computed.
local merge = require "spec.support.merge"
local orrery = require "orrery"
local instances = require "spec.support.instances"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

local METRICS = { "makespan", "lower_bound", "ratio", "wait_mean", "wait_max", "flow_mean",
  "utilisation", "starts", "failures", "killed" }

-- All numbers of all policies and scenarios, as one list.
local function numbers(result)
  local list = {}
  for p in ipairs(result.policies) do
    for _, metric in ipairs(METRICS) do
      for _, value in ipairs(result:values(p, metric)) do list[#list + 1] = value end
    end
  end
  return list
end

local function all_disciplines()
  local list = {}
  for i, name in ipairs(rigid.names) do
    list[i] = { name = name, dispatch = rigid.disciplines[name] }
  end
  return list
end

-- A policy that uses everything a hook may use: state, random numbers, the view.
local function restless(per)
  return {
    name = "restless " .. per, per = per,
    init = function(sim) sim.state = { started = 0, noise = math.random() } end,
    priority = function(job, view)
      view.state.asked = (view.state.asked or 0) + 1
      return math.random() + view.state.noise * job.procs + view.state.asked * 1e-3
    end,
    dispatch = function(sim)
      local some = false
      for job in sim:waiting() do
        if job.procs <= sim.free and (not some or math.random(3) > 1) then
          sim:start(job)
          some = true
          sim.state.started = sim.state.started + 1
        end
      end
    end,
  }
end

local JOBS = {}
do
  local rng = orrery.random(31)
  for i = 1, 25 do
    JOBS[i] = {
      procs = rng:integer(1, 6), time = rng:integer(0, 20), submit = rng:integer(0, 3) * 9,
    }
  end
end

-- What is drawn for each node is drawn for the first policy of a scenario, and the others begin
-- with the same.
describe("failures of nodes", function()
  -- The last one has more nodes than the others.
  local POLICIES = { "dispatch/greedy", "dispatch/easy", "dispatch/conservative", {
    name = "two groups", dispatch = { discipline = "fcfs" },
    groups = { { name = "main", procs = 8 }, { name = "more", procs = 2, extra = true } },
    on_submit = function(sim, job) if job.procs == 1 then sim:move(job, "more") end end,
  } }

  local LAWS = {
    { law = "exponential" },
    { law = "weibull", shape = 0.7 },
    { law = "weibull", shape = 0.7, lemons = "0.3:4", domains = { nodes = 2, mtbf = 500 } },
    { law = "lognormal", shape = 1, retire_after = 2, spares = 3, swap = 5 },
    { law = "weibull", shape = 1.5, prediction = { lead = 5, recall = 0.5, precision = 0.5 } },
  }

  local function compare(policies, law, threads)
    local result = orrery.compare {
      jobs = orrery.jobs(JOBS), procs = 8, runs = 30, seed = 6, threads = threads,
      errors = { mean_probability = 0.1 }, policies = policies, equal_procs = false,
      node_failures = merge({ mtbf = 300, repair = "exponential:10" }, law),
    }
    local list = {}
    for p, policy in ipairs(result.policies) do
      list[p] = { policy.name, result:values(p, "makespan"), result:values(p, "node_failures"),
        result:values(p, "work_lost"), result:values(p, "flow_mean") }
    end
    return list
  end

  for i, law in ipairs(LAWS) do
    it("are the same for all policies together as for each alone, law " .. i, function()
      local orders = { { 4, 1, 4, 2 }, { 1, 2, 3, 4 }, { 3, 3 } }
      for n = 1, rounds(#orders, #orders, 1) do
        local order = orders[n]
        local together, alone = {}, {}
        for k, p in ipairs(order) do
          local policy = POLICIES[p]
          if type(policy) == "string" then policy = { policy = policy } end
          together[k] = merge(policy, { name = "p" .. k })
          alone[k] = compare({ together[k] }, law, 1)[1]
        end
        local struck = 0
        for _, count in ipairs(alone[1][3]) do struck = struck + count end
        assert.is_true(struck > 10)
        for _, threads in ipairs { 1, 2, 7 } do
          assert.same(alone, compare(together, law, threads))
        end
      end
    end)
  end
end)

describe("the same bits for 1, 2 and 7 threads", function()
  local function compare(threads, spec)
    return orrery.compare(merge({
      jobs = orrery.jobs(JOBS), procs = 8, runs = rounds(150, 150, 25), seed = 4, threads = threads,
      errors = { mean_probability = 0.4 },
    }, spec))
  end

  local function check(spec)
    local one = numbers(compare(1, spec))
    assert.same(one, numbers(compare(2, spec)))
    assert.same(one, numbers(compare(7, spec)))
    assert.are_not.same(one, numbers(compare(2, merge(spec, { seed = 5 }))))
  end

  it("with the kernel's own policies", function()
    for _, rule in ipairs { "lpt", "random" } do
      check { policies = all_disciplines(), priority = rule }
    end
  end)

  for _, per in ipairs { "scenario", "attempt", "decision" } do
    it("with Lua hooks per " .. per .. ", state and random numbers", function()
      check { policies = { restless(per) } }
      check { policies = { "dispatch/easy", "dispatch/shelf", "dispatch/conservative" },
        priority = { per = per, priority = function(job) return math.random() * job.procs end } }
    end)
  end

  it("with random numbers in a priority per workload", function()
    check { policy = "dispatch/easy", priority = function() return math.random(1000) end }
  end)

  it("and the error is that of the first scenario that fails", function()
    local messages = {}
    for i, threads in ipairs { 1, 2, 7 } do
      local ok, message = pcall(compare, threads, { policy = {
        name = "fragile",
        dispatch = function(sim)
          for job in sim:waiting() do
            if job.procs <= sim.free then sim:start(job) end
            if job.attempts == 5 then error("fifth attempt of " .. job.id, 0) end
          end
        end,
      } })
      assert.is_false(ok)
      messages[i] = message
    end
    assert.is_truthy(messages[1]:find("policy fragile: dispatch at time .*fifth attempt of"))
    assert.equal(messages[1], messages[2])
    assert.equal(messages[1], messages[3])
  end)
end)

describe("Monte Carlo numbers equal those of sessions", function()
  -- Sessions record, so they walk every event; Monte Carlo runs use the closed form at the end.
  local function check(rng, instance, q, rule)
    local spec = rigid.spec(instance, {
      failures = false, seed = rng:integer(1, 1000), set = rng:integer(0, 5),
      errors = { mean_probability = q }, batch = rng:integer(0, 1) == 0,
    })
    spec.failures = nil
    local result = orrery.compare(merge(spec, {
      policies = all_disciplines(), priority = rule, runs = 3, threads = 1,
    }))
    for p, name in ipairs(rigid.names) do
      for scenario = 1, 3 do
        local session = orrery.session(merge(spec, {
          policy = { dispatch = rigid.disciplines[name] }, priority = rule, scenario = scenario,
        }))
        if scenario == 2 then while session:step() do end end
        local metrics = session:finish()
        assert.is_true(session:check())
        for _, metric in ipairs(METRICS) do
          local found = result:values(p, metric)[scenario]
          if found ~= metrics[metric] then
            error(("%s, scenario %d, %s: %.17g in Monte Carlo, %.17g in a session\n%s"):format(name,
              scenario, metric, found, metrics[metric], instances.describe(instance)))
          end
        end
      end
    end
  end

  for _, q in ipairs { 0, 0.3, 0.8 } do
    it("at q = " .. q, function()
      local rng = orrery.random(32)
      for _ = 1, rounds(40, 10, 3) do
        local instance = instances.random(rng, { n = 10 })
        -- Areas of one magnitude, so that nobody needs millions of attempts.
        for _, job in ipairs(instance.list) do job.time = math.min(job.time, 8) end
        local mean = orrery.jobs(instance.list):mean_area()
        local widest = 0
        for _, job in ipairs(instance.list) do widest = math.max(widest, job.procs * job.time) end
        if widest <= 4 * mean then check(rng, instance, q, rigid.pick(rng, rigid.rules)) end
      end
    end)
  end

  it("with the priority drawn per scenario", function()
    local rng = orrery.random(33)
    for _ = 1, rounds(10, 10, 3) do
      check(rng, instances.random(rng, { n = 8, positive = true }), 0.1, "random")
    end
  end)
end)

describe("scenarios", function()
  local function drawn(jobs, scenario, more)
    return orrery.session(merge({
      jobs = orrery.jobs(jobs), procs = 8, scenario = scenario, seed = 3,
      errors = { rate = 0.02 },
    }, more)):failures()
  end

  it("do not change for the jobs there are when jobs are appended", function()
    local some = 0
    for scenario = 1, 50 do
      local few = {}
      for i = 1, 20 do few[i] = JOBS[i] end
      local before, after = drawn(few, scenario), drawn(JOBS, scenario)
      for i = 1, 20 do
        assert.equal(before[i], after[i])
        some = some + before[i]
      end
    end
    assert.is_true(some > 100)
  end)

  it("do not depend on the policy, the priority, batch or walltimes", function()
    local other = {
      policy = "dispatch/shelf", priority = "random", batch = true, walltimes = "log",
      verification = 1,
    }
    for scenario = 1, 20 do
      assert.same(drawn(JOBS, scenario), drawn(JOBS, scenario, other))
    end
  end)

  it("differ by seed, set and number", function()
    local first = drawn(JOBS, 1)
    assert.are_not.same(first, drawn(JOBS, 2))
    assert.are_not.same(first, drawn(JOBS, 1, { seed = 4 }))
    assert.are_not.same(first, drawn(JOBS, 1, { set = 1 }))
    assert.same(first, drawn(JOBS, 1, { set = 0 }))
  end)

  it("given as counts equal the drawn ones", function()
    local rows = {}
    for scenario = 1, 30 do rows[scenario] = drawn(JOBS, scenario) end
    local function run(more)
      return numbers(orrery.compare(merge({
        jobs = orrery.jobs(JOBS), procs = 8, seed = 3, policies = all_disciplines(),
        priority = "lpt",
      }, more)))
    end
    assert.same(run { errors = { rate = 0.02 }, runs = 30 }, run { failures = rows })
  end)

  it("follow the geometric law of RR-9296, section 3.4", function()
    local jobs = orrery.jobs { { procs = 4, time = 10 }, { procs = 2, time = 5 } }
    local result = orrery.compare {
      jobs = jobs, procs = 8, runs = 20000, errors = { mean_probability = 0.3 }, seed = 9,
    }
    -- E f = exp(lambda a) - 1 with lambda = -ln(1 - q) / mean area
    local rate = -math.log(0.7) / 25
    local expected = math.exp(rate * 40) + math.exp(rate * 10) - 2
    local summary = result:summary(1, "failures")
    assert.is_true(math.abs(summary.mean - expected) < 4 * summary.sd / math.sqrt(20000))
  end)
end)
