-- R-LIST-Q, with a reservation for every job, keeps its plan from decision to decision; R-LIST(m)
-- with m above the number of jobs is the same by definition and plans everything anew. They must
-- agree to the bit.
local orrery = require "orrery"
local logs = require "spec.support.logs"
local rounds = require "spec.support.rounds"

local ANEW = { policy = "dispatch/list", options = { reservations = 10 ^ 6 } }

local function assert_equal_runs(spec)
  spec.policies = { "dispatch/list:reservations=all", ANEW }
  local result = orrery.compare(spec)
  for _, metric in ipairs { "makespan", "wait_mean", "wait_max", "flow_mean", "failures" } do
    local kept, anew = result:values(1, metric), result:values(2, metric)
    for i = 1, #kept do
      assert(kept[i] == anew[i], ("%s of scenario %d: %.17g, planned anew %.17g"):format(metric, i,
        kept[i], anew[i]))
    end
  end
end

describe("a plan that is kept", function()
  local priorities = { "lpt", "spt", "hpa", "lpa", "la", "sa", "fcfs", "ljf", "random" }

  it("equals planning anew on the synthetic sets, for every priority and many probabilities",
    function()
      for i, priority in ipairs(priorities) do
        for set = 1, rounds(4, 4, 1) do
          assert_equal_runs {
            jobs = orrery.synthetic { seed = i, set = set, count = 40 + 20 * set }, procs = 10000,
            runs = 10, errors = { mean_probability = 0.2 * (set - 1) }, priority = priority,
          }
        end
      end
    end)

  -- The loop of its own begins with 32 jobs that run and ends with more than 64.
  it("equals planning anew, and the plain loop, where few and many run at a time", function()
    local rng = orrery.random { seed = 21 }
    for round = 1, rounds(40, 40, 3) do
      local list = {}
      for i = 1, 160 do
        local wide = rng:uniform() < 0.1 * (round % 4)
        list[i] = { procs = wide and rng:integer(60, 100) or rng:integer(1, 2),
          time = rng:integer(1, 40) / 4 }
      end
      local spec = { jobs = orrery.jobs(list), procs = 100, runs = 2, seed = round, threads = 1,
        errors = { mean_probability = rng:uniform(0, 0.3) },
        verification = round % 3 / 8, priority = priorities[round % #priorities + 1] }
      assert_equal_runs(spec)
      spec.policies = { "dispatch/list:reservations=all", "dispatch/easy",
        "dispatch/list:reservations=1,reading=head" }
      local quick = orrery.compare(spec)
      spec.plain = true
      local plain = orrery.compare(spec)
      for i = 1, #spec.policies do
        assert.same(plain:values(i, "flow_mean"), quick:values(i, "flow_mean"))
        assert.same(plain:values(i, "starts"), quick:values(i, "starts"))
      end
    end
  end)

  -- Where jobs fail often many wait, with ties and jobs of no length.
  it("equals planning anew where most attempts fail and many wait", function()
    local rng = orrery.random { seed = 22 }
    for round = 1, rounds(150, 150, 6) do
      local list, procs = {}, ({ 4, 8, 16, 32, 1000 })[rng:integer(1, 5)]
      for i = 1, rng:integer(20, 70) do
        list[i] = { procs = rng:integer(1, procs), time = round % 4 == 0 and rng:integer(0, 9)
          or rng:integer(10, 90) / 8 }
      end
      assert_equal_runs { jobs = orrery.jobs(list), procs = procs, runs = 4, seed = round,
        threads = 1, errors = { mean_probability = rng:uniform(0.2, 0.75) },
        verification = round % 3 / 8, priority = priorities[round % #priorities + 1] }
    end
  end)

  -- At 4 s A fails and starts again. S would begin at 8 s, when M, started now, would be over: it
  -- is skipped. X begins at 6 s, and then M has no processor.
  it("is planned as far as the narrow jobs reach after a failure, worked by hand", function()
    local spec = {
      jobs = orrery.jobs {
        { id = "A", procs = 2, time = 4 }, { id = "R", procs = 1, time = 6 },
        { id = "B", procs = 1, time = 3.5 }, { id = "S", procs = 4, time = 2 },
        { id = "X", procs = 2, time = 1 }, { id = "M", procs = 1, time = 3 },
      },
      procs = 4, failures = { { 1, 0, 0, 0, 0, 0 } },
      policies = { "dispatch/list:reservations=all" },
    }
    local result = orrery.compare(spec)
    assert.same({ 13 }, result:values(1, "makespan"))
    assert.same({ 28 / 6 }, result:values(1, "wait_mean")) -- A waits 4 s, S 8, X 6, M 10
    assert.same({ 10 }, result:values(1, "wait_max"))
  end)

  -- Many reservations: also more steps than are compared together.
  it("equals planning anew where many wait, and narrow ones are long or short", function()
    local rng = orrery.random { seed = 23 }
    for round = 1, rounds(60, 60, 4) do
      local list, procs = {}, rng:integer(20, 400)
      for i = 1, rng:integer(60, 220) do
        local narrow = rng:uniform() < 0.3
        list[i] = { procs = rng:integer(1, narrow and procs // 20 or procs // 2),
          time = narrow and rng:integer(1, 400) / 8 or rng:integer(10, 90) / 8 }
      end
      assert_equal_runs { jobs = orrery.jobs(list), procs = procs, runs = 2, seed = round,
        threads = 1, errors = { mean_probability = rng:uniform(0, 0.6) },
        verification = round % 3 / 8, priority = priorities[round % #priorities + 1] }
    end
  end)

  it("equals planning anew where jobs fail that take no time", function()
    local rng = orrery.random { seed = 24 }
    for round = 1, rounds(400, 400, 17) do
      local list, failures = {}, { {}, {} }
      for i = 1, rng:integer(4, 24) do
        list[i] = { procs = rng:integer(1, 5), time = math.max(0, rng:integer(-2, 6)) }
        for _, counts in ipairs(failures) do counts[i] = math.max(0, rng:integer(-3, 3)) end
      end
      assert_equal_runs { jobs = orrery.jobs(list), procs = rng:integer(5, 9), failures = failures,
        seed = round, threads = 1, priority = priorities[round % #priorities + 1] }
    end
  end)

  -- Small whole numbers: many ends at one instant, exact fits, jobs of no length, early ends.
  it("equals planning anew with ties, submissions, walltimes and verification", function()
    local rng = orrery.random { seed = 20 }
    for round = 1, rounds(1500, 1500, 30) do
      local list = {}
      local online, zero = rng:uniform() < 0.6, rng:uniform() < 0.2
      for i = 1, rng:integer(2, 40) do
        local time = rng:integer(zero and 0 or 1, 6)
        list[i] = {
          procs = rng:integer(1, 8), time = time, submit = online and rng:integer(0, 30) or 0,
          walltime = rng:uniform() < 0.3 and rng:integer(1, 8) or time,
        }
      end
      assert_equal_runs {
        jobs = orrery.jobs(list), procs = 8, runs = 3, seed = round, threads = 1,
        errors = { mean_probability = rng:uniform(0, 0.6) },
        walltimes = rng:uniform() < 0.3 and "log" or "runtime",
        verification = ({ 0, 0, 1, 0.1 })[rng:integer(1, 4)],
        priority = priorities[rng:integer(1, #priorities)],
      }
    end
  end)

  it("equals planning anew on the bundled month, day by day and as submitted", function()
    local log = orrery.read "data/mira/sample-2019-06.csv"
    assert_equal_runs {
      jobs = log, by = "day", batch = true, runs = 3, errors = { mean_probability = 0.05 },
      priority = "lpt",
    }
    assert_equal_runs { jobs = log, runs = 2, errors = { mean_probability = 0.02 } }
    assert_equal_runs { jobs = log, walltimes = "log" }
  end)

  it("equals planning anew on a real log", function()
    local log = orrery.read(logs.path("hpc2n-2002.swf", pending))
    assert_equal_runs { jobs = log }
    assert_equal_runs { jobs = log, walltimes = "log" }
  end)

  it("survives looks and forks in the middle", function()
    local jobs = orrery.synthetic { seed = 9, count = 80 }
    local function session(policy)
      return orrery.session {
        jobs = jobs, procs = 10000, policy = policy, priority = "lpt",
        errors = { mean_probability = 0.4 },
      }
    end
    local kept, anew = session "dispatch/list:reservations=all", session(ANEW)
    local fork
    repeat
      local more = kept:step()
      anew:step()
      assert.equal(anew.now, kept.now)
      if #kept:running() % 3 == 0 then fork = kept:fork() end
    until not more
    assert.same(anew:schedule(), kept:schedule())
    fork:finish()
    assert.same(anew:schedule(), fork:schedule())
  end)
end)
