-- Sessions of jobs that are changed: what the binding keeps together, and what it lets go.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local function begin(more)
  local list = {}
  for i = 1, 12 do list[i] = { procs = i % 3 + 1, time = 5 + i % 4, submit = i // 2 } end
  local spec = { jobs = orrery.jobs(list), procs = 4, policy = "dispatch/easy" }
  for key, value in pairs(more or {}) do spec[key] = value end
  return orrery.session(spec)
end

local function lines(session)
  local list = { tostring(session.now), session.procs, #session.jobs }
  for _, a in ipairs(session:schedule()) do
    list[#list + 1] = ("%s#%d %g-%g %s %s"):format(a.id, a.attempt, a.start, a.finish, a.outcome,
      a.processors)
  end
  return table.concat(list, "\n")
end

local function message_of(f, ...)
  local ok, problem = pcall(f, ...)
  assert.is_false(ok)
  return tostring(problem)
end

describe("a change that fails", function()
  local cases = {
    ["a policy whose init fails"] = {
      cancel = { 8 },
      policy = { name = "broken", dispatch = { discipline = "fcfs" },
        init = function() error("not today") end },
    },
    ["a policy whose priority fails"] = {
      runtime = { [9] = 3 }, policy = "dispatch/easy",
      priority = function() error("not today") end,
    },
    ["a policy that needs too long"] = {
      policy = { name = "slow", dispatch = { discipline = "fcfs" },
        init = function() while true do end end },
    },
    ["the last of several"] = { procs = 2, cancel = { 8 }, fault = { job = 12 } },
    ["a job that is over"] = { seed = 3, cancel = { 8, 1 } },
    ["processors that there cannot be"] = { cancel = { 9 }, fault = { processor = 4 } },
    ["a time that is past"] = { cancel = { 9 }, procs = { procs = 2, ["until"] = 3 } },
  }
  for name, changes in pairs(cases) do
    it("leaves the session as it was: " .. name, function()
      local s = begin { limits = { seconds = 0.2 } }
      s:run_until(10)
      local fork = s:fork()
      local before = lines(s)
      message_of(s.change, s, changes)
      collectgarbage()
      assert.equal(before, lines(s))
      assert.same(fork:finish(), s:finish())
      assert.equal(lines(fork), lines(s))
    end)
  end

  it("says what the policy did, and when", function()
    local s = begin()
    s:run_until(10)
    assert.is_truthy(message_of(s.change, s, {
      policy = { name = "broken", dispatch = { discipline = "fcfs" },
        init = function() error("not today") end },
    }):find("policy broken: init at time 10: .*not today"))
  end)
end)

describe("sessions that were changed", function()
  it("outlive each other in any order", function()
    local rng = orrery.random(5)
    local counting = {
      name = "counting", init = function(sim) sim.state.count = 0 end,
      dispatch = function(sim)
        sim.state.count = sim.state.count + 1
        for job in sim:fitting() do sim:start(job) end
      end,
    }
    local seen = setmetatable({}, { __mode = "k" }) -- a policy that cannot be copied
    local here = {
      name = "here", init = function(sim) sim.state.count = 0 end,
      dispatch = function(sim)
        seen[seen] = true
        for job in sim:fitting() do sim:start(job) end
      end,
    }
    local all = { begin(), begin { policy = counting } }
    for i = 1, 60 do
      local from = all[rng:integer(1, #all)]
      local fork = from:fork()
      if not fork.over then
        fork:run_until(fork.now + rng:integer(0, 3))
        local kind = i % 4
        if kind == 0 then fork:change { policy = counting }
        elseif kind == 1 then fork:change { policy = here }
        elseif kind == 2 then fork:change { submit = { procs = 1, time = 1 } }
        else fork:change { procs = rng:integer(3, 6) } end
      end
      all[rng:integer(1, 6)] = fork
      for k = 1, 6 do all[k] = all[k] or fork end
      if i % 5 == 0 then collectgarbage() end
    end
    for _, s in ipairs(all) do
      s:finish()
      assert.is_true(s:check())
    end
  end)

  it("keep the node failures that they were given", function()
    local log = {}
    for i = 1, 200 do log[i] = { time = i / 4, processor = i % 4, repair = 0.125 } end
    local s = begin { node_failures = { log = log } }
    local expected = begin { node_failures = { log = log } }:finish()
    for _ = 1, 3 do collectgarbage() end
    local rubbish = {}
    for i = 1, 2000 do rubbish[i] = orrery.random(i) end
    assert.is_true(#rubbish == 2000 and expected.node_failures > 10)
    assert.same(expected, s:finish())
  end)

  it("cannot be changed from inside their own policy", function()
    local here = setmetatable({}, { __index = {} }) -- cannot be copied into another state
    local s = begin {
      policy = {
        dispatch = function(sim)
          if here.session and not here.problem then
            here.problem = select(2, pcall(here.session.change, here.session, { cancel = { 12 } }))
          end
          for job in sim:fitting() do sim:start(job) end
        end,
      },
    }
    here.session = s
    s:finish()
    local problem = tostring(here.problem)
    assert.matches("cannot be changed from inside its own policy", problem, 1, true)
    assert.is_true(s:check())
  end)

  -- Whatever was done: what was added up on the way is what the record says, nobody is busier than
  -- all processors, and nobody faster than the bound.
  it("are not measured behind their last end", function()
    -- A job of 4 s from 0 on, and one to come at 100 that is cancelled: the makespan is 4 s.
    local function run(procs, ...)
      local s = orrery.session { procs = procs,
        jobs = orrery.jobs { { procs = 1, time = 4 }, { procs = 1, time = 1, submit = 100 } } }
      for i, change in ipairs { ... } do s:run_until(i + 4):change(change) end
      local used = s:finish().utilisation
      assert.equal(used, s:measure().utilisation)
      return used
    end
    assert.equal(1, run(1, { procs = 2, cancel = 2 }))
    assert.equal(1, run(1, { procs = 3 }, { cancel = 2 }))
    assert.equal(0.5, run(2, { procs = 1 }, { cancel = 2 }))
    assert.equal(0.5, run(2, { procs = 1 }, { procs = 2 }, { cancel = 2 }))
    assert.equal(5 / (2 * 101 - 1), run(2, { procs = 1 }, { procs = 2 })) -- away from 5 to 6
  end)

  it("have metrics that are those of their schedule", function()
    local rng = orrery.random(9)
    local policies = { "easy", "greedy", "conservative", "fcfs", "shelf" }
    local acts = {
      function(s)
        s:change { procs = { procs = rng:integer(3, 7), ["until"] = s.now + rng:integer(1, 20) } }
      end,
      function(s) s:change { cancel = rng:integer(1, 15) } end,
      function(s) s:change { runtime = { [rng:integer(1, 15)] = rng:integer(5, 30) } } end,
      function(s)
        s:change { policy = policies[rng:integer(1, 5)],
          fault = { processor = rng:integer(0, 4), repair = 3 } }
      end,
    }
    local done, count = 0, rounds(150, 150, 50)
    for k = 1, count do
      local list = {}
      for i = 1, 15 do
        list[i] = { procs = rng:integer(1, 3), time = rng:integer(0, 9),
          submit = rng:integer(0, 30) }
      end
      local s = orrery.session { jobs = orrery.jobs(list), procs = 5, policy = policies[k % 5 + 1],
        warmup = k % 2 * 4, errors = { mean_probability = 0.3 }, seed = k }
      for _ = 1, rng:integer(0, 10) do s:step() end
      for _ = 1, 3 do
        done = done + (pcall(acts[rng:integer(1, 4)], s) and 1 or 0) -- some are refused
        for _ = 1, rng:integer(0, 5) do s:step() end
      end
      local metrics = s:finish()
      assert.is_true(s:check())
      for name, value in pairs(s:measure()) do
        local near = math.abs(value - metrics[name]) <= 1e-9 * (1 + math.abs(value))
        assert.is_true(value == metrics[name] or near, name)
      end
      assert.is_true(metrics.utilisation <= 1 + 1e-9)
      assert.is_true(metrics.makespan >= metrics.lower_bound * (1 - 1e-12))
    end
    assert.is_true(done > 5 / 3 * count, done)
  end)
end)

describe("nodes that a change adds", function()
  local function at_0()
    return orrery.session { procs = 2, policy = "easy",
      jobs = orrery.jobs { { procs = 1, time = 9 } },
      machine = { nodes = { { count = 1, procs = 2, gpu = 1 } },
        partitions = { p = { nodes = "1", default = true }, q = { nodes = "1" } } } }
  end

  -- On which processors a job of q starts that needs all GPUs there are.
  local function place(s, gpus, partition)
    s:change { submit = { id = "z", procs = 1, time = 1, partition = partition,
      needs = { gpu = gpus, nodes = 1 } } }
    s:finish()
    for _, a in ipairs(s:schedule()) do
      if a.id == "z" then return a.processors end
    end
  end

  it("are of the kinds and in the partitions that the lists say", function()
    local function add(...) return at_0():fork { add_nodes = { ... } } end
    local two = { count = 2, kind = { procs = 3, gpu = 5 }, partitions = { "q" } }
    local one = { count = 1, kind = 1, partitions = { "p", "q" } }
    assert.equal("2", place(add(two, one), 5, "q"))
    assert.equal("4", place(add(one, two), 5, "q"))
    local ok, problem = pcall(place, add(two, one), 5, "p")
    assert.is_false(ok)
    assert.matches("job z can never start", problem, 1, true)
    assert.equal(10, add(two, one).procs)
    assert.equal(4, add(one).procs)
  end)
end)

describe("a change", function()
  it("is of the session alone that it is made in", function()
    local s = begin():run_until(3)
    s:change { cancel = { 10, "12" } }
    local fork = s:fork { cancel = 11 }
    local function states(of)
      return ("%s %s %s"):format(of:job("10").state, of:job("11").state, of:job("12").state)
    end
    assert.equal("over pending over", states(s))
    assert.equal("over over over", states(fork))
    assert.same({ 10, 9 }, { s:finish().starts, fork:finish().starts })
  end)

  it("refuses positions and numbers that are none", function()
    local s = begin():run_until(1)
    for message, given in pairs {
      ["cancel: there is no job 13 among 12"] = { cancel = 13 },
      ["cancel: there is no job 0 among 12"] = { cancel = 0 },
      ["fault: there is no job 13 among 12"] = { fault = { job = 13 } },
      ["procs must be between 0 and 2147483646, it is 2147483647"] = { procs = 2147483647 },
    } do
      assert.matches(message, message_of(s.fork, s, given), 1, true)
    end
  end)
end)
