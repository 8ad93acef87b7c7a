-- The short ways (kernel/rigid/fast/shortcuts.c, list_loop.c, list_all.c, disciplines.c, and those
-- of kernel/schedule/metrics.c) against the plain event loop: the same bits in every metric of
-- every scenario.
local merge = require "spec.support.merge"
local orrery = require "orrery"
local native = require "native_rigid"
local runs = require "native_runs"
local instances = require "spec.support.instances"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

local METRICS = { "makespan", "lower_bound", "ratio", "wait_mean", "wait_max", "flow_mean",
  "utilisation", "starts", "failures", "killed", "bsld_mean", "bsld_max", "work_lost", "work_cut",
  "waste", "goodput", "ettr", "interruptions" }

local POLICIES = {}
for i, name in ipairs(rigid.names) do
  POLICIES[i] = { name = name, dispatch = rigid.disciplines[name] }
end

-- Some of them: a policy takes longer to load than a small instance to run.
local function some_policies(rng)
  local a = rng:integer(1, #POLICIES)
  return { POLICIES[a], POLICIES[(a + rng:integer(1, #POLICIES - 1) - 1) % #POLICIES + 1] }
end

local RULES = { "fcfs", "lpt", "spt", "hpa", "lpa", "la", "sa", "ljf", "random" }

-- Runs a spec of orrery.compare both ways; returns the result and the number of attempts.
local function assert_same_both_ways(spec, about)
  local plain = orrery.compare(merge(spec, { plain = true, threads = 1 }))
  local short = orrery.compare(merge(spec, { plain = false, threads = spec.threads or 1 }))
  local attempts = 0
  for p, policy in ipairs(plain.policies) do
    for _, metric in ipairs(METRICS) do
      local expected, found = plain:values(p, metric), short:values(p, metric)
      for i, value in ipairs(expected) do
        if metric == "starts" then attempts = attempts + value end
        if found[i] ~= value and (found[i] == found[i] or value == value) then
          error(("%s, %s of scenario %d: found %.17g, plain %.17g\n%s"):format(policy.name, metric,
            i, found[i], value, about and about() or ""))
        end
      end
    end
  end
  return short, attempts
end

-- Few failures most of the time, many once in a while.
local function failure_counts(rng, jobs, scenarios)
  local rows = {}
  for r = 1, scenarios do
    local most = rng:uniform(0, 7)
    rows[r] = {}
    for i = 1, jobs do rows[r][i] = math.floor(2 ^ rng:uniform(0, most)) - 1 end
  end
  return rows
end

describe("short ways", function()
  -- Small numbers: many ends at one instant, exact fits, jobs of no length, walltimes that kill.
  it("give the plain loop's numbers on random instances, for every discipline and rule", function()
    local rng = orrery.random { seed = 40 }
    local attempts = 0
    for round = 1, rounds(600, nil, 20) do
      local instance = instances.random(rng, { n = round % 3 == 0 and 30 or 9 })
      local failures = failure_counts(rng, #instance.list, 10)
      local spec = {
        jobs = orrery.jobs(instance.list), procs = instance.procs, seed = round,
        failures = failures, walltimes = instance.walltimes, batch = rng:integer(0, 1) == 1,
        verification = instance.verification, policies = some_policies(rng),
        priority = rigid.pick(rng, RULES),
      }
      local _, more = assert_same_both_ways(spec, function()
        local lines = { instances.describe(instance), tostring(spec.priority),
          spec.batch and "batch" or "as submitted" }
        for _, row in ipairs(failures) do lines[#lines + 1] = table.concat(row, " ") end
        return table.concat(lines, "\n")
      end)
      attempts = attempts + more
    end
    assert.is_true(attempts > 500 * rounds(600, nil, 20))
  end)

  it("give the plain loop's numbers for drawn failures with q from 0 to 0.95", function()
    for i, rule in ipairs(RULES) do
      for k = 1 + i % rounds(1, 1, 5), 8, rounds(1, 1, 5) do
        local q = ({ 0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95 })[k]
        assert_same_both_ways {
          jobs = orrery.synthetic { seed = i, set = k, count = 24, time = { 3000, 9000 },
            procs = { 700, 2000 } },
          procs = 10000, runs = 3, policies = POLICIES, priority = rule,
          errors = { mean_probability = q }, verification = ({ 0, 0.7 })[k % 2 + 1],
        }
      end
    end
  end)

  it("give the plain loop's numbers on the synthetic sets, with any number of threads", function()
    for i, rule in ipairs(RULES) do
      for threads = 1 + i % rounds(1, 1, 3), 3, rounds(1, 1, 3) do
        assert_same_both_ways {
          jobs = orrery.synthetic { seed = i, set = threads }, procs = 10000, runs = 4, seed = i,
          policies = POLICIES, priority = rule, threads = threads,
          errors = { mean_probability = 0.2 * threads },
        }
      end
    end
  end)

  -- Scenarios without anything random are simulated once (kernel/rigid/montecarlo.c).
  it("give the plain loop's numbers for scenarios without failures among others", function()
    local rng = orrery.random { seed = 49 }
    for round = 1, rounds(60) do
      local instance, failures = instances.random(rng), {}
      for r = 1, 12 do
        failures[r] = failure_counts(rng, #instance.list, 1)[1]
        for i = 1, r % 3 > 0 and #instance.list or 0 do failures[r][i] = 0 end
      end
      assert_same_both_ways {
        jobs = orrery.jobs(instance.list), procs = instance.procs, seed = round,
        failures = failures, walltimes = instance.walltimes, policies = some_policies(rng),
        verification = instance.verification, priority = rigid.pick(rng, { "random", "lpt" }),
        threads = round % 2 + 1,
      }
    end
  end)

  -- On both sides of what the loop of greedy lists keeps in a list of its own.
  it("give the plain loop's numbers where any number of jobs run at a time", function()
    local rng = orrery.random { seed = 46 }
    for round = 1, rounds(40) do
      local least, whole = rng:integer(100, 900), round % 2 == 0
      local list = {}
      for i = 1, 150 do
        local time = rng:uniform(100, 1000)
        list[i] = { procs = rng:integer(least, 2 * least), submit = whole and i // 40 * 500 or nil,
          time = whole and time // 50 * 50 or time }
      end
      assert_same_both_ways {
        jobs = orrery.jobs(list), procs = 30000, runs = 3, priority = rigid.pick(rng, RULES),
        policies = { "dispatch/greedy", "dispatch/easy", "dispatch/fcfs" },
        errors = { mean_probability = rng:uniform(0, 0.9) },
      }
    end
  end)

  it("give the plain loop's numbers over many shelves", function()
    for q = 0, 0.6, 0.3 do
      assert_same_both_ways {
        jobs = orrery.synthetic { seed = 45, count = 1500, procs = { 300, 600 } }, procs = 1000,
        runs = 2, policies = { "dispatch/shelf", "dispatch/shelf-nofill" }, priority = "hpa",
        errors = { mean_probability = q },
      }
    end
  end)

  it("leave priorities per attempt and per decision, and hooks, to the plain loop", function()
    local rng = orrery.random { seed = 41 }
    for round = 1, rounds(100, 100, 10) do
      local instance = instances.random(rng)
      for _, per in ipairs { "scenario", "attempt", "decision" } do
        local priority = {
          per = per, priority = function(job, view)
            return per == "scenario" and math.random() or job.attempts * view.now % 3
          end,
        }
        assert_same_both_ways {
          jobs = orrery.jobs(instance.list), procs = instance.procs, seed = round,
          failures = failure_counts(rng, #instance.list, 3), policies = some_policies(rng),
          verification = instance.verification, priority = priority,
        }
      end
    end
  end)

  it("give the plain loop's numbers on the bundled month", function()
    local log = orrery.read "data/mira/sample-2019-06.csv"
    local day = log:day "2019-06-14"
    for _, rule in ipairs { "lpt", "fcfs", "random" } do
      assert_same_both_ways {
        jobs = day, batch = true, runs = 2, policies = POLICIES, priority = rule,
        errors = { mean_probability = 0.1 },
      }
      assert_same_both_ways {
        jobs = day, runs = 2, policies = POLICIES, priority = rule, walltimes = "log",
        errors = { mean_probability = 0.05 }, verification = 30,
      }
    end
  end)
end)

describe("short ways from the middle of a run", function()
  it("give the plain loop's numbers after any number of steps, in a copy as well", function()
    local rng = orrery.random { seed = 44 }
    local policies = { { reservations = 0 }, { reservations = 1 }, { reservations = 3 },
      { reservations = math.huge }, { fill = true }, { fill = false } }
    for _ = 1, rounds(1500, nil, 16) do
      local instance = instances.random(rng)
      local jobs = { procs = instance.procs, verification = instance.verification or 0,
        walltimes = instance.walltimes }
      for i, job in ipairs(instance.list) do jobs[i] = job end
      local failures = failure_counts(rng, #instance.list, 1)[1]
      local policy, steps = rigid.pick(rng, policies), rng:integer(0, 20)
      local plain = { runs.run(jobs, failures, policy, 0, false, true) }
      for _, copied in ipairs { false, true } do
        assert.same(plain, { runs.run(jobs, failures, policy, steps, copied, false) })
      end
    end
  end)
end)

-- Worked by hand.
describe("both ways give", function()
  local function run(procs, list, failures, policy, priority, more)
    local spec = merge({
      jobs = orrery.jobs(list), procs = procs, failures = { failures }, policy = policy,
      priority = priority,
    }, more or {})
    local result = assert_same_both_ways(spec)
    local values = {}
    for _, metric in ipairs(METRICS) do values[metric] = result:values(1, metric)[1] end
    return values
  end

  -- 4 processors, LPT: A (3 procs, 5 s, fails twice), B (2 procs, 4 s), C (1 proc, 2 s, fails
  -- 5 times). A and C start at 0. C fails at 2, 4, 6, 8 and 10 and starts again every time, as B,
  -- in front of it, has no room beside A; A fails at 5 and 10 and is in front of both. C is over at
  -- 12, A at 15, and then B runs from 15 to 19.
  local MIXED = { { procs = 3, time = 5 }, { procs = 2, time = 4 }, { procs = 1, time = 2 } }

  it("greedy: retries beside a job that waits", function()
    local m = run(4, MIXED, { 2, 0, 5 }, "dispatch/greedy", "lpt")
    assert.same({ 19, 10, (10 + 15 + 10) / 3 }, { m.makespan, m.starts, m.wait_mean })
  end)

  -- The same with EASY: B is reserved when A ends (5, then 10, then 15), C may run beside it: 2 of
  -- 4 processors are left. Nothing changes.
  it("EASY: retries behind a reservation that moves", function()
    local m = run(4, MIXED, { 2, 0, 5 }, "dispatch/easy", "lpt")
    assert.same({ 19, 10, 15 }, { m.makespan, m.starts, m.wait_max })
  end)

  -- With B of 4 processors, C may start only if it is over when A is planned to end: at 0 (until
  -- 2), at 2 (until 4), not at 4. At 5 A fails and starts again, until 10; then C starts, until 7,
  -- and at 7, until 9; at 9 it fails a fourth time, and waits. At 10 A fails again: A and C start,
  -- C fails at 12, starts and is over at 14; A is over at 15; B from 15 to 19.
  it("EASY: a retry that has to wait", function()
    local list = { { procs = 3, time = 5 }, { procs = 4, time = 4 }, { procs = 1, time = 2 } }
    for _, policy in ipairs { "dispatch/easy", "dispatch/list:reservations=all" } do
      local m = run(4, list, { 2, 0, 5 }, policy, "lpt")
      assert.same({ 19, 10, (10 + 15 + 12) / 3 }, { m.makespan, m.starts, m.wait_mean })
    end
  end)

  -- 3 processors, LPT: A (2 procs, 5 s, fails 3 times), B (2 procs, 4 s, fails once), C (1 proc,
  -- 1 s). Shelves: A C at 0 (C is over at 1), A alone at 5, 10 and 15 - B does not fit beside it -
  -- where it is over at 20; B at 20 and at 24, over at 28.
  it("shelves: the same shelf again and again", function()
    local list = { { procs = 2, time = 5 }, { procs = 2, time = 4 }, { procs = 1, time = 1 } }
    local m = run(3, list, { 3, 1, 0 }, "dispatch/shelf", "lpt")
    assert.same({ 28, 7, (15 + 24 + 0) / 3 }, { m.makespan, m.starts, m.wait_mean })
    -- without filling, B closes the shelf of A, and C is on B's second shelf
    m = run(3, list, { 3, 1, 0 }, "dispatch/shelf-nofill", "lpt")
    assert.same({ 28, 7, (15 + 24 + 20) / 3 }, { m.makespan, m.starts, m.wait_mean })
  end)

  -- The last job alone: a third of a second ten million times, verified in a tenth, as it is added.
  it("a tail of ten million attempts", function()
    local time, verification, count = 1 / 3, 0.1, 10000000
    local clock = 0
    for _ = 1, count + 1 do clock = (clock + time) + verification end
    local spec = {
      jobs = orrery.jobs { { procs = 1, time = time } }, procs = 1, failures = { { count } },
      verification = verification,
    }
    for _, policy in ipairs { "dispatch/greedy", "dispatch/shelf" } do
      local result = orrery.compare(merge(spec, { policy = policy }))
      assert.same({ clock, count + 1 }, { result:values(1, "makespan")[1],
        result:values(1, "starts")[1] })
    end
  end)
end)

describe("repeated attempts", function()
  local function added(clock, time, verification, count)
    for _ = 1, count do clock = (clock + time) + verification end
    return clock
  end

  local function check(clock, time, verification, count)
    local found = native.repeat_attempts(clock, time, verification, count)
    local expected = added(clock, time, verification, count)
    if found ~= expected then
      error(("%.17g + %d (%.17g + %.17g): found %.17g, expected %.17g"):format(clock, count, time,
        verification, found, expected))
    end
  end

  it("end where as many additions end", function()
    local rng = orrery.random { seed = 42 }
    for _ = 1, rounds(6000, 6000, 150) do
      local clock = rng:uniform(0, 1) * 2 ^ rng:integer(-3, 30)
      local time = rng:uniform(0, 1) * 2 ^ rng:integer(-20, 15)
      local verification = rng:integer(0, 1) * rng:uniform(0, 1) * 2 ^ rng:integer(-20, 5)
      check(clock, time, verification, rng:integer(0, 400))
    end
  end)

  -- Numbers half-way between two multiples of the last place of the clock: ties to even.
  it("end there where every addition is a tie", function()
    local rng = orrery.random { seed = 43 }
    for _ = 1, rounds(6000, 6000, 150) do
      local place = 2.0 ^ -rng:integer(0, 8)
      local clock = 2 ^ 52 * place * 2 ^ rng:integer(-1, 0) + rng:integer(0, 50) * place
      check(clock, rng:integer(0, 9) * place / 2, rng:integer(0, 3) * place / 4,
        rng:integer(0, 400))
      check(2 ^ 53 * place - rng:integer(0, 300) * place, rng:integer(0, 9) * place / 2,
        rng:integer(0, 3) * place / 4, rng:integer(0, 400))
    end
  end)

  local function check_until(clock, time, verification, limit)
    local finish, start, attempts = clock, clock, 0
    while finish < limit do
      start, finish = finish, (finish + time) + verification
      attempts = attempts + 1
    end
    local found = { native.repeat_until(clock, time, verification, limit) }
    if found[1] ~= finish or found[2] ~= start or found[3] ~= attempts then
      error(("%.17g + n (%.17g + %.17g) until %.17g: found %.17g, %.17g, %d, expected %.17g, %.17g,"
        .. " %d"):format(clock, time, verification, limit, found[1], found[2], found[3], finish,
        start, attempts))
    end
  end

  it("end where as many additions reach a limit", function()
    local rng = orrery.random { seed = 47 }
    for _ = 1, rounds(6000, 6000, 150) do
      local clock = rng:uniform(0, 1) * 2 ^ rng:integer(-3, 30)
      local time = (1 + rng:uniform(0, 1)) * 2 ^ rng:integer(-8, 15)
      local verification = rng:integer(0, 1) * rng:uniform(0, 1) * 2 ^ rng:integer(-20, 5)
      local count = rng:integer(0, 400)
      check_until(clock, time, verification, clock + rng:uniform(0, count) * time)
      check_until(clock, time, verification, added(clock, time, verification, count))
    end
  end)

  it("end at a limit where every addition is a tie, from 0 and from below", function()
    local rng = orrery.random { seed = 48 }
    for _ = 1, rounds(6000, 6000, 150) do
      local place = 2.0 ^ -rng:integer(0, 8)
      local clock = 2 ^ 52 * place * 2 ^ rng:integer(-1, 0) + rng:integer(0, 50) * place
      local time, verification = rng:integer(2, 9) * place / 2, rng:integer(0, 3) * place / 4
      check_until(clock, time, verification, clock + rng:integer(0, 900) * place)
      clock = 2 ^ 53 * place - rng:integer(0, 300) * place
      check_until(clock, rng:integer(3, 9) * place, verification, clock + rng:integer(0, 400))
    end
    check_until(0, 0.1, 0, 100)
    check_until(-1000.5, 7.3, 0.1, 2000)
    check_until(5, 1, 0, 5)
  end)

  it("end there from 0, where nothing moves, and where the clock cannot", function()
    for _, count in ipairs { 0, 1, 3, 13, 1000 } do
      check(0, 0.1, 0, count)
      check(0, 0, 0, count)
      check(5, 0, 0, count)
      check(2.0 ^ 60, 1, 0, count)
      check(0, 5e-324, 0, count)
      check(1e308, 1e307, 0, count)
      check(-1000.5, 7.3, 0.1, count)
    end
  end)
end)
