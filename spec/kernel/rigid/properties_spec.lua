-- What RR-9296 proves about the disciplines, over thousands of random instances.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

-- The proofs are about batch scheduling without an error detector's time (READINGS 30) and with
-- walltimes that are the runtimes. A few ulp, because the bound's area is a rounded sum.
local function batch_instance(rng, options)
  options = options or {}
  options.batch, options.walltimes, options.verification = true, false, false
  options.failures = 4
  return instances.random(rng, options)
end

local ROUNDING = 1 + 1e-12

-- Several scenarios of one instance in one Monte Carlo run.
local function scenarios(rng, instance, count)
  local rows = {}
  for r = 1, count do
    rows[r] = {}
    for i = 1, #instance.list do rows[r][i] = math.max(0, rng:integer(-2, 4)) end
  end
  return rows
end

-- draw: function(instance): the failures of its scenarios (default: random ones).
local function assert_bound(rng, policies, rules, bound, draw)
  for _ = 1, rounds(500, nil, 10) do
    local instance = batch_instance(rng, { n = 25 })
    local rule = rigid.pick(rng, rules)
    local result = orrery.compare {
      jobs = orrery.jobs(instance.list), procs = instance.procs, threads = 1,
      failures = draw and draw(instance) or scenarios(rng, instance, 8), policies = policies,
      priority = rule,
    }
    for p in ipairs(policies) do
      for _, ratio in ipairs(result:values(p, "ratio")) do
        if ratio > bound(instance.procs) * ROUNDING then
          error(("%d with %s: %.17g > %.17g\n%s"):format(p, rule, ratio, bound(instance.procs),
            instances.describe(instance)))
        end
      end
    end
  end
end

describe("approximation ratios", function()
  it("Proposition 2: greedy is within (2 - 1/P) L(f) for any priority", function()
    local rules = { "fcfs", "lpt", "spt", "hpa", "lpa", "la", "sa", "ljf", "random" }
    assert_bound(orrery.random(21), { "dispatch/greedy" }, rules,
      function(procs) return 2 - 1 / procs end)
  end)

  -- The proof needs two facts. Large jobs run one after the other from the start: they come first,
  -- by falling width, so that whatever runs beside one leaves room for the next. And the first job
  -- of the queue that cannot start now is kept out by running jobs alone: a reservation can only
  -- keep out jobs behind its own. Both hold for every m and in both readings.
  it("Proposition 1: reservations of any depth with LJF are within (3 - 4/(P+1)) L(f)", function()
    local policies = {}
    for _, reading in ipairs { "blocked", "head" } do
      for _, m in ipairs { 1, 2, 5, "all" } do
        policies[#policies + 1] =
          { dispatch = { discipline = "list", reservations = m, reading = reading } }
      end
    end
    assert_bound(orrery.random(22), policies, { "ljf" },
      function(procs) return 3 - 4 / (procs + 1) end)
  end)

  -- NFDH: a shelf and the first job of the next one are wider than the machine together, and all
  -- of them take at least as long as that job. So all shelves but the first take at most twice the
  -- work of all jobs over P.
  it("shelves with LPT are within 3 L without failures", function()
    assert_bound(orrery.random(26), { "dispatch/shelf", "dispatch/shelf-nofill" }, { "lpt" },
      function() return 3 end, function(instance)
        local counts = {}
        for i = 1, #instance.list do counts[i] = 0 end
        return { counts }
      end)
  end)

  it("no schedule beats the lower bound", function()
    local rng = orrery.random(23)
    for _ = 1, rounds(300, 300, 13) do
      local instance = instances.random(rng)
      local session = orrery.session(rigid.spec(instance, {
        policy = { dispatch = rigid.disciplines[rigid.pick(rng, rigid.names)] },
      }))
      local metrics = session:finish()
      assert.is_true(metrics.makespan * ROUNDING >= metrics.lower_bound)
    end
  end)
end)

-- Proposition 3: P jobs of one processor, t_j = P/j, f_j = j - 1.
local function proposition_3(procs)
  local list, failures = {}, {}
  for j = 1, procs do list[j], failures[j] = { procs = 1, time = procs / j }, j - 1 end
  return orrery.jobs(list), failures
end

describe("Proposition 3's instance", function()
  local function makespan(procs, policy, priority)
    local jobs, failures = proposition_3(procs)
    return orrery.session {
      jobs = jobs, procs = procs, policy = policy, priority = priority, failures = failures,
    }:finish().makespan
  end

  it("takes shelves P (1 + 1/2 + ... + 1/P), under every order", function()
    for procs = 1, rounds(60, 60, 12) do
      local sum = 0 -- shelf after shelf, as the clock adds them
      for j = 1, procs do sum = sum + procs / j end
      for _, policy in ipairs { "dispatch/shelf", "dispatch/shelf-nofill" } do
        for _, rule in ipairs { "lpt", "spt", "random" } do
          assert.equal(sum, makespan(procs, policy, rule))
        end
      end
    end
  end)

  it("takes greedy P", function()
    for _, procs in ipairs { 1, 2, 4 } do
      assert.equal(procs, makespan(procs, "dispatch/greedy"))
    end
    for procs = 1, 60 do -- j times P/j is P but for the rounding of j additions
      assert.is_true(math.abs(makespan(procs, "dispatch/greedy") - procs) <= procs * procs * 2^-52)
    end
  end)
end)

-- At every instant, once the policy has decided.
local function after_every_step(instance, more, look)
  local session = orrery.session(rigid.spec(instance, more))
  repeat
    local goes_on = session:step()
    look(session)
  until not goes_on
end

describe("after every decision", function()
  it("greedy leaves no waiting job that fits", function()
    local rng = orrery.random(24)
    local seen = 0
    for _ = 1, rounds(400, 400, 67) do
      local more = { policy = "dispatch/greedy", priority = rigid.pick(rng, rigid.rules) }
      after_every_step(instances.random(rng), more, function(session)
        for _, job in ipairs(session:waiting()) do
          seen = seen + 1
          assert.is_true(job.procs > session.free)
        end
      end)
    end
    assert.is_true(seen > 1000)
  end)

  it("no list discipline leaves the first of the queue waiting when it fits", function()
    local rng = orrery.random(25)
    for _ = 1, rounds(400, 400, 17) do
      local discipline = rigid.pick(rng, { "easy", "two", "all", "head1", "fcfs" })
      local more = {
        policy = { dispatch = rigid.disciplines[discipline] },
        priority = rigid.pick(rng, rigid.rules),
      }
      after_every_step(instances.random(rng), more, function(session)
        local first = session:waiting()[1]
        assert.is_true(not first or first.procs > session.free)
      end)
    end
  end)

  it("free processors, running and waiting jobs add up", function()
    local rng = orrery.random(26)
    for _ = 1, rounds(200, 200, 10) do
      local instance = instances.random(rng)
      local more = { policy = { dispatch = rigid.disciplines[rigid.pick(rng, rigid.names)] } }
      after_every_step(instance, more, function(session)
        local free, states = instance.procs, {}
        for _, job in ipairs(session:running()) do free = free - job.procs end
        assert.equal(free, session.free)
        for i = 1, #instance.list do
          local state = session:job(i).state
          states[state] = (states[state] or 0) + 1
        end
        assert.equal(#session:running(), states.running or 0)
        assert.equal(#session:waiting(), states.waiting or 0)
        assert.equal(session.over, states.over == #instance.list)
      end)
    end
  end)
end)
