-- orrery.compare and orrery.session for malleable tasks: what they take, and the result.
local dkjson = require "dkjson"
local orrery = require "orrery"
local program = require "spec.support.program"

-- See task_policies_spec: without faults 8 s and, with end-local, 7.75 s.
local TASKS = orrery.tasks.list {
  { id = "A", m = 8, times = { 16, 8, 6, 5 } },
  { id = "B, too", m = 8, times = { 4, 2, 1.5, 1.25 } },
}
local DRAWN = { n = 5, m = { 1e5, 2e5 } }
local FAULTS = { mtbf_years = 2 }

local function merge(a, b)
  local all = {}
  for key, value in pairs(a) do all[key] = value end
  for key, value in pairs(b or {}) do all[key] = value end
  return all
end

local function drawn(more)
  return orrery.compare(merge({
    tasks = DRAWN, procs = 40, faults = FAULTS, runs = 6, seed = 3,
    policies = { "none", "end-local+iterated-greedy" },
  }, more))
end

describe("a comparison of redistribution policies", function()
  it("meets the same tasks in every run where they are given", function()
    local result = orrery.compare { tasks = TASKS, procs = 4, runs = 3 }
    assert.same({ 8, 8, 8 }, result:values(1, "makespan"))
    assert.same({ 8, 2 }, result:ends(1, 2))
    assert.same({ { name = "redistribute/none" } }, result.policies)
  end)

  it("draws sizes anew in every run, as orrery.tasks.synthetic does", function()
    local result = drawn { policies = { "none" }, faults = { mtbf = math.huge } }
    for run = 1, 3 do
      local tasks = orrery.tasks.synthetic { n = 5, m = { 1e5, 2e5 }, seed = 3, run = run }
      local same = orrery.compare { tasks = tasks, procs = 40 }
      assert.same(same:ends(1, 1), result:ends(1, run))
    end
    assert.are_not.equal(result:values(1, "makespan")[1], result:values(1, "makespan")[2])
  end)

  it("normalises by the run without redistribution, under the same faults", function()
    local result = drawn()
    local none, moved = result:values(1, "makespan"), result:values(2, "makespan")
    for run, ratio in ipairs(result:values(2, "normalised")) do
      assert.equal(moved[run] / none[run], ratio)
      assert.equal(none[run], result:values(2, "baseline")[run])
    end
    assert.same({ 1, 1, 1, 1, 1, 1 }, result:values(1, "normalised"))
    local differences = {}
    for run, time in ipairs(moved) do differences[run] = time / none[run] - 1 end
    local expected = orrery.summary(differences)
    local difference = result:difference(1, 2)
    assert.near(expected.mean, difference.mean, 1e-12)
    assert.near(expected.half_width, difference.half_width, 1e-12)
    assert.equal(orrery.summary(result:values(2, "normalised")).mean, result:summary(2).mean)
  end)

  it("tells the ratio to the run without faults where it is asked to", function()
    local result = drawn { fault_free = true }
    local never = drawn { faults = { mtbf = math.huge } }
    assert.same(never:values(2, "makespan"), result:values(2, "fault_free"))
    for run, ratio in ipairs(result:values(2, "fault_free_ratio")) do
      assert.equal(result:values(2, "makespan")[run] / never:values(2, "makespan")[run], ratio)
    end
    assert.is_truthy(tostring(result):find("to fault-free", 1, true))
    local nan = drawn():values(1, "fault_free")[1]
    assert.is_true(nan ~= nan)
  end)

  it("is the same for any number of threads, and another for another seed or set", function()
    local function numbers(more) return drawn(more):csv() end
    local one = numbers { threads = 1 }
    assert.equal(one, numbers { threads = 3 })
    assert.equal(one, numbers { set = 0 })
    assert.are_not.equal(one, numbers { set = 1 })
    assert.are_not.equal(one, numbers { seed = 4 })
  end)

  it("accounts for all of the processors' time", function()
    local result = drawn { faults = { mtbf_years = 2, downtime = 60 } }
    for run = 1, 6 do
      local sum = 0
      for _, part in ipairs { "useful", "checkpoint", "lost", "recovery", "redistribution",
        "idle" } do
        sum = sum + result:values(2, part)[run]
      end
      local all = 40 * result:values(2, "makespan")[run]
      assert.near(1, sum / all, 1e-12)
    end
    assert.is_true(orrery.summary(result:values(2, "recovery")).max > 0)
  end)

  it("runs what cannot be copied on one thread, and says so", function()
    local kept = TASKS
    local policy = { name = "mine", on_end = function(sim)
      if sim.free >= #kept then sim:give(sim:longest(), 2) end
    end }
    local result = orrery.compare { tasks = TASKS, procs = 4, runs = 8, threads = 4,
      policy = policy }
    assert.same({ 7.75, 7.75 }, { table.unpack(result:values(1, "makespan"), 7) })
    assert.equal("policy mine runs on one thread: it reads kept, which cannot be copied (2 tasks: "
      .. "2 table; m 8 to 8; t(1) 4 to ...)", result.notes[1])
  end)

  it("shows progress", function()
    local most = 0
    drawn { threads = 1, progress = function(done, total)
      assert.is_true(done <= total)
      most = math.max(most, done)
    end }
    assert.is_true(most > 0)
    local result = drawn { threads = 1, progress = function() error "dark" end }
    assert.is_truthy(result.notes[1]:find "^progress was not reported: .*dark$")
  end)

  it("takes faults and costs of every kind", function()
    local often = { mtbf_years = 0.2 }
    local function text_of(more) return drawn(merge({ faults = often }, more)):csv() end
    local seen = {}
    for i, more in ipairs {
      {}, { faults = { mtbf = 0.2 * 365 * 86400 } }, { faults = { mtbf_years = 0.3 } },
      { faults = merge(often, { law = "weibull", shape = 0.7 }) },
      { faults = merge(often, { law = "weibull", shape = 2 }) },
      { faults = merge(often, { law = "lognormal", shape = 1 }) },
      { faults = merge(often, { downtime = 3600 }) },
      { costs = { checkpoint = 2 } }, { costs = { checkpoint_fixed = 100 } },
      { costs = { period = "daly" } }, { costs = { startup = 1000 } }, { costs = { latency = 10 } },
      { costs = { bandwidth = 100 } }, { costs = { bandwidth = math.huge, latency = 10 } },
    } do
      local text = text_of(more)
      if i == 2 then assert.equal(seen[1], text) end
      for k = 1, i - 1 do assert.is_true(k == 1 and i == 2 or seen[k] ~= text, k .. " " .. i) end
      seen[i] = text
    end
    assert.equal(seen[1], text_of { faults = merge(often, { law = "exponential" }) })
    assert.equal(seen[1], text_of { costs = { checkpoint = 1, checkpoint_fixed = 0,
      startup = 0, latency = 0, bandwidth = 1, period = "young" } })
  end)

  it("takes faults from a list, by task or processor, and from a file", function()
    -- A is struck at 1 and has lost all; 0.5 s later it begins anew.
    local function makespan(log)
      local result = orrery.compare {
        tasks = TASKS, procs = 4, runs = 2,
        faults = { mtbf = math.huge, downtime = 0.5, log = log },
      }
      assert.same({ 1, 1 }, result:values(1, "faults"))
      assert.equal(result:values(1, "makespan")[1], result:values(1, "makespan")[2])
      return result:values(1, "makespan")[1]
    end
    assert.equal(9.5, makespan { { time = 1, task = "A" } })
    assert.equal(9.5, makespan { { time = 1, task = 1 } })
    assert.equal(9.5, makespan { { time = 1, processor = 1 } })
    assert.equal(8, makespan { { time = 1, processor = 2 }, { time = 7, task = 2 } })
    local folder = program.folder()
    program.write(folder, "f.csv", "time,task\n1,A\n")
    assert.equal(9.5, makespan(folder .. "/f.csv"))
    program.remove(folder)
    local drawn_ones = orrery.compare { -- whose ids are their positions
      tasks = DRAWN, procs = 40, runs = 2,
      faults = { mtbf_years = 5, log = { { time = 5, task = "5" }, { time = 6, task = 2 } } },
    }
    assert.same({ 2, 2 }, drawn_ones:values(1, "faults"))
  end)
end)

describe("a result of tasks", function()
  it("is written as CSV", function()
    local result = orrery.compare {
      tasks = TASKS, procs = 4, runs = 2,
      policies = { "none", { policy = "end-local", name = "a,b" } },
    }
    assert.equal([[
policy,run,makespan,faults,redistributions
none,1,8,0,0
none,2,8,0,0
"a,b",1,7.75,0,1
"a,b",2,7.75,0,1
]], result:csv())
    assert.equal([[
policy,run,task,end
none,1,A,8
none,1,"B, too",2
none,2,A,8
none,2,"B, too",2
"a,b",1,A,7.75
"a,b",1,"B, too",2
"a,b",2,A,7.75
"a,b",2,"B, too",2
]], result:ends_csv())
    local folder = program.folder()
    result:csv(folder .. "/runs.csv")
    result:ends_csv(folder .. "/ends.csv")
    assert.equal(result:csv(), program.read(folder .. "/runs.csv"))
    assert.equal(result:ends_csv(), program.read(folder .. "/ends.csv"))
    program.remove(folder)
  end)

  it("has 17 significant digits, and drawn tasks by their positions", function()
    local result = drawn()
    for line in result:csv():gmatch "\n([^\n]+)" do
      local name, run, makespan = line:match "^([^,]+),(%d+),([^,]+),"
      assert.equal(result:values(name, "makespan")[tonumber(run)], tonumber(makespan))
    end
    local ends = result:ends(2, 6)
    assert.is_truthy(result:ends_csv():find(("\nend-local+iterated-greedy,6,5,%.17g\n")
      :format(ends[5]), 1, true))
    assert.equal(math.max(table.unpack(ends)), result:values(2, "makespan")[6])
  end)

  it("prints as tables", function()
    local result = orrery.compare {
      tasks = TASKS, procs = 4, policies = { "none", "end-local" },
    }
    -- Of 4 * 8 processor-seconds B works 4 and A 16. With end-local A works 2 * 2, moves 4 * 2 and
    -- works 4 * 3.75: of 4 * 7.75 there are 4 + 4 + 15 useful.
    assert.equal([[
2 tasks on 4 processors, 1 run each, seed 1
policy     makespan (s)  normalised  faults  redistributions  against the first
none               8.00      1.0000    0.00             0.00
end-local          7.75      0.9688    0.00             1.00            -0.0312

% of processors' time  useful  checkpoints  lost  recovery  redistribution   idle
none                    62.50         0.00  0.00      0.00            0.00  37.50
end-local               74.19         0.00  0.00      0.00           25.81   0.00]],
      tostring(result))
    assert.is_truthy(tostring(drawn()):find("makespan (d)", 1, true))
  end)

  it("is written as JSON", function()
    local result = drawn { fault_free = true }
    local out = dkjson.decode(result:json())
    assert.equal(40, out.procs)
    assert.same({ { name = "all", tasks = 5 } }, out.sets)
    assert.same({ mtbf_years = 2 }, out.run.faults)
    assert.equal(5, out.run.tasks.n)
    local second = out.policies[2]
    assert.equal("end-local+iterated-greedy", second.policy)
    assert.is_nil(second.priority)
    assert.equal(result:difference(1, 2).mean, second.normalised_against_first.mean)
    for _, metric in ipairs { "normalised", "makespan", "fault_free_ratio", "idle" } do
      assert.equal(result:summary(2, metric).mean, second.metrics[metric].mean)
    end
  end)

  it("of jobs has no ends", function()
    local result = orrery.compare { jobs = orrery.synthetic { count = 3 }, procs = 4000 }
    for _, method in ipairs { "ends", "ends_csv" } do
      local ok, message = pcall(result[method], result, 1, 1)
      assert.is_false(ok)
      assert.matches("this result is of jobs", message, 1, true)
    end
  end)
end)

describe("a session of tasks", function()
  it("does not go back in time", function()
    local session = orrery.session { tasks = TASKS, procs = 4 }:run_until(1.5)
    assert.equal(1.5, session:run_until(1).now)
    assert.equal(8, session:run_until(100).now) -- all is over
  end)

  it("has other sizes, and other chance for its policy, in another set", function()
    local drawn_at = {}
    for set = 0, 1 do
      local result = orrery.compare { tasks = DRAWN, procs = 40, set = set }
      local tasks = orrery.tasks.synthetic { n = 5, m = DRAWN.m, set = set }
      assert.same(orrery.compare({ tasks = tasks, procs = 40 }):ends(1, 1), result:ends(1, 1))
      local seen = {}
      orrery.session { tasks = TASKS, procs = 4, set = set, policy = { on_end = function()
        seen[1] = #TASKS * math.random()
      end } }:finish()
      drawn_at[set] = seen[1]
    end
    assert.is_number(drawn_at[0])
    assert.are_not.equal(drawn_at[0], drawn_at[1])
  end)

  it("is not checked in the middle of an event", function()
    local session
    local unportable, answer = TASKS, {}
    session = orrery.session { tasks = TASKS, procs = 4, policy = { on_end = function()
      assert(#unportable == 2)
      answer[1], answer[2] = answer.session:check()
    end } }
    answer.session = session
    session:finish()
    assert.is_nil(answer[1])
    assert.matches("a simulation cannot be checked from inside its own policy", answer[2])
    assert.is_true(session:check())
  end)

  it("shows nobody how it is taken apart", function()
    local session = orrery.session { tasks = TASKS, procs = 4 }
    assert.equal("session of tasks", getmetatable(session))
    assert.equal("metrics",
      getmetatable(orrery.compare({ tasks = TASKS, procs = 4 }).sets[1].metrics))
  end)

  it("is a run of the comparison", function()
    local result = drawn()
    for run = 1, 3 do
      local session = orrery.session {
        tasks = DRAWN, procs = 40, faults = FAULTS, seed = 3, run = run,
        policy = "end-local+iterated-greedy",
      }
      local metrics = session:finish()
      assert.is_true(session:check())
      assert.same(result:ends(2, run), session:ends())
      for _, metric in ipairs { "normalised", "baseline", "fault_free" } do -- only compare knows
        assert.is_true(metrics[metric] ~= metrics[metric])
      end
      for _, metric in ipairs { "makespan", "faults", "redistributions", "idle", "lost" } do
        assert.equal(result:values(2, metric)[run], metrics[metric])
      end
    end
  end)

  it("passes the checker, whatever the policy, the costs and the faults", function()
    local rng, faults, moves = orrery.random(9), 0, 0
    local ends = { "none", "end-local", "end-greedy" }
    local strikes = { "none", "shortest-tasks-first", "shortest-tasks-first-literal",
      "iterated-greedy" }
    for run = 1, 300 do
      local n = rng:integer(1, 12)
      local session = orrery.session {
        tasks = { n = n, m = { 2e5, 2.5e6 }, sequential = rng:uniform(0, 0.3) },
        procs = 2 * n + rng:integer(0, 10 * n), run = run, max_faults = 1e5,
        policy = ends[rng:integer(1, 3)] .. "+" .. strikes[rng:integer(1, 4)],
        faults = { mtbf_years = rng:uniform(0.5, 8), downtime = rng:integer(0, 2) * 500 },
        costs = {
          checkpoint = rng:uniform(0.01, 2), checkpoint_fixed = rng:integer(0, 1) * 30,
          startup = rng:integer(0, 1) * 10, latency = rng:integer(0, 3) / 100,
          bandwidth = rng:uniform(0.5, 5), period = rng:integer(0, 1) == 0 and "young" or "daly",
        },
      }
      local metrics = session:finish()
      assert.same({ true }, { session:check() })
      faults, moves = faults + metrics.faults, moves + metrics.moves
    end
    assert.is_true(faults > 3000 and moves > 3000)
  end)

  it("steps, shows itself and is copied", function()
    local session = orrery.session { tasks = TASKS, procs = 4, policy = "end-local" }
    assert.same({ 0, 2, 0, 4, false }, { session.now, session.next_event, session.free,
      session.procs, session.over })
    assert.equal(8, session.expected)
    assert.is_true(session:step())
    local fork = session:fork()
    assert.equal(4, fork:task(1).procs)
    assert.equal("over", fork:task(2).state)
    assert.is_false(session:step())
    assert.equal(7.75, session.now)
    assert.same({ 7.75, 2 }, fork:run_until(7.75):ends())
  end)

  it("shows faults up to the clock, also those that strike nobody", function()
    local session = orrery.session {
      tasks = orrery.tasks.list { { id = "A", times = { 64, 32 } } }, procs = 2,
      costs = { checkpoint_fixed = 1 },
      faults = { mtbf = 100, downtime = 2, log = {
        { time = 16, processor = 0 }, { time = 17, processor = 1 }, { time = 18.5, processor = 1 },
      } },
    }
    for time, count in pairs { [15] = 0, [16] = 1, [16.5] = 1, [17] = 2, [18.25] = 2 } do
      assert.equal(count, #session:fork():run_until(time):faults())
    end
    session:finish()
    assert.equal(3, #session:faults())
    assert.is_true(session:check())
  end)

  it("tells how the processors were spread after every instant", function()
    local session = orrery.session {
      tasks = { n = 6 }, procs = 41, faults = { mtbf_years = 20 },
      policy = "end-local+iterated-greedy",
    }
    local seen = {}
    local function look()
      local running, sum, squares = session:running(), 0, 0
      for _, task in ipairs(running) do sum = sum + task.procs end
      local mean = sum / #running
      for _, task in ipairs(running) do squares = squares + (task.procs - mean) ^ 2 end
      seen[#seen + 1] = {
        time = session.now, running = #running, mean = mean, sd = math.sqrt(squares / #running),
        expected = session.expected,
      }
    end
    look()
    while session:step() do look() end
    assert.is_true(#seen > 6)
    assert.same(seen, session:allocation())
    assert.same(seen, session:fork():allocation())
  end)
end)

describe("what compare and session cannot take for tasks is an error:", function()
  local function refuses(fields, expected, run)
    fields = merge({ tasks = TASKS, procs = 4 }, fields)
    local ok, message = pcall(run or orrery.compare, fields)
    assert.is_false(ok)
    assert.equal(expected, message)
  end

  it("unknown fields", function()
    refuses({ proc = 1 }, "compare: unknown field 'proc', did you mean 'procs'? (known: check, "
      .. "costs, fault_free, faults, k, limits, max_faults, metric, options, packs, "
      .. "policies, policy, precision, procs, progress, runs, seed, set, tasks, threads)")
    refuses({ runs = 1 }, "session: unknown field 'runs', did you mean 'run'? (known: costs, "
      .. "faults, limits, max_faults, options, policy, procs, run, seed, set, tasks)",
      orrery.session)
    refuses({ tasks = { count = 5 } }, "tasks: unknown field 'count' (known: m, n, sequential)")
    refuses({ faults = { years = 5 } }, "faults: unknown field 'years' (known: downtime, law, log, "
      .. "mtbf, mtbf_years, shape)")
    refuses({ costs = { bandwith = 5 } }, "costs: unknown field 'bandwith', did you mean "
      .. "'bandwidth'? (known: bandwidth, checkpoint, checkpoint_fixed, latency, period, startup)")
    refuses({ limits = { second = 5 } }, "limits: unknown field 'second', did you mean 'seconds'? "
      .. "(known: instructions, memory, seconds, source)")
  end)

  it("tasks and machines", function()
    refuses({ jobs = orrery.synthetic() }, "jobs and tasks exclude each other")
    refuses({ tasks = 5 }, "tasks: expected tasks (orrery.tasks.read, list or synthetic) or a "
      .. "table { n =, m =, sequential = }, found number")
    local jobs = orrery.synthetic()
    refuses({ tasks = jobs }, "tasks: expected tasks (orrery.tasks.read, list or synthetic) or a "
      .. "table { n =, m =, sequential = }, found orrery.jobs")
    local ok, message = pcall(orrery.compare, { jobs = TASKS, procs = 4 })
    assert.is_false(ok)
    assert.equal("jobs: expected a workload, found orrery.tasks; the path of a log is "
      .. "one, orrery.jobs makes one from a list, orrery.synthetic draws one", message)
    refuses({ tasks = { n = 1.5 } }, "tasks.n: expected a whole number, found 1.5")
    refuses({ tasks = { n = "5" } }, "tasks.n: expected a number, found '5'")
    refuses({ tasks = { m = 5 } }, "tasks.m: expected a list of two numbers")
    refuses({ tasks = { m = { 5, 3 } } },
      "m must be between two numbers, 2 <= first <= second <= 1e+290, not 5 and 3")
    refuses({ procs = "4" }, "procs: expected a whole number, found 4")
    refuses({ procs = 3 }, "3 processors are too few: every one of 2 tasks needs 2, a processor "
      .. "and its buddy, so at least 4")
    for _, run in ipairs { orrery.compare, orrery.session } do
      ok, message = pcall(run, { tasks = TASKS })
      assert.is_false(ok)
      assert.equal("procs: give the number of processors of the machine", message)
    end
  end)

  it("faults", function()
    refuses({ faults = 5 }, "faults: expected a table, found number")
    refuses({ faults = {} },
      "faults: give mtbf_years, or mtbf in seconds (math.huge: nothing is checkpointed)")
    refuses({ faults = { mtbf = 1, mtbf_years = 1 } }, "faults: give mtbf_years or mtbf, not both")
    refuses({ faults = { mtbf = "1" } }, "faults.mtbf: expected a number, found '1'")
    refuses({ faults = { mtbf = 0 } }, "mtbf must be > 0, it is 0")
    refuses({ faults = { mtbf = 1, downtime = -1 } },
      "downtime must be a finite number >= 0, it is -1")
    refuses({ faults = { mtbf = 1, law = "normal" } },
      "faults.law: expected exponential, lognormal, weibull, found 'normal'")
    refuses({ faults = { mtbf = 1, law = "weibull" } }, "faults: the law weibull wants a shape")
    refuses({ faults = { mtbf = 1, shape = 1 } }, "faults: the law exponential has no shape")
    refuses({ faults = { mtbf = 1, law = "weibull", log = {} } },
      "faults: log and law exclude each other: the faults are given, or drawn")
    refuses({ faults = { mtbf = 1, log = 5 } },
      "faults.log: expected the name of a file or a list, found number")
    refuses({ faults = { mtbf = 1, log = { { time = 2, task = 1 }, { time = 1, task = 1 } } } },
      "fault 2: faults stand in order of time, and 1.0 comes after 2.0")
    refuses({ faults = { mtbf = 1, log = { { time = 2, task = "C" } } } },
      "fault 1: there is no task 'C'")
    refuses({ faults = { mtbf = 1, log = { { time = 2, processor = 4 } } } },
      "fault 1: expected a processor from 0 to 3, found 4")
    refuses({ faults = { mtbf = 1, log = { { time = 2 } } } },
      "fault 1: expected a task or a processor, and not both")
  end)

  it("costs, flags and runs", function()
    refuses({ costs = { checkpoint = -1 } }, "checkpoint must be a finite number >= 0, it is -1")
    refuses({ costs = { startup = {} } }, "costs.startup: expected a number, found a table")
    refuses({ costs = { bandwidth = 0 } }, "bandwidth must be > 0, it is 0")
    refuses({ costs = { period = "old" } }, "costs.period: expected daly, young, found 'old'")
    refuses({ fault_free = 1 }, "fault_free: expected true or false, found '1'")
    refuses({ policies = {} }, "policies: expected a list of at least one policy")
    for _, run in ipairs { orrery.compare, orrery.session } do
      refuses({ policy = false },
        "expected the name of a redistribution policy or a table, found boolean", run)
    end
    refuses({ policies = { "none" }, policy = "none" }, "give policy or policies, not both")
    refuses({ run = 0 }, "run: expected a whole number of at least 1, found 0", orrery.session)
  end)

  it("runs that would never end", function()
    local ok, message = pcall(orrery.compare, {
      tasks = TASKS, procs = 4, faults = { mtbf = 1 }, max_faults = 10,
    })
    assert.is_false(ok)
    assert.matches("more than 10 faults strike before all tasks are over", message, 1, true)
  end)

  -- By hand: a task of 8 s on 2 processors that each fail every 0.8 s, with C = 81 s: Young's
  -- period has sqrt(2 * 0.4 * 81) = 8.05 s of work, so that there is one. Each attempt succeeds
  -- with exp(-8 / 0.4), so that exp(20) - 1 = 4.85e8 faults strike on average; those that come
  -- while it recovers do not.
  it("runs of which it can be foreseen that more faults strike than may", function()
    local began = os.clock()
    local ok, message = pcall(orrery.compare, {
      tasks = orrery.tasks.list { { id = "A", m = 8, times = { 16, 8 } } }, procs = 2,
      faults = { mtbf = 0.8 }, costs = { checkpoint = 20.25 }, threads = 1,
    })
    assert.is_false(ok)
    assert.equal(("more than 10000000 faults strike before all tasks are over: %.6g are still to "
      .. "come on average, even on the best numbers of processors, %.6g of them on task A: let "
      .. "processors fail less often, or raise max_faults"):format(math.exp(20) - 1,
      math.exp(20) - 1), message:match "^[^\n]*")
    assert.is_true(os.clock() - began < 20)
  end)

  it("as many faults as are allowed, and one more", function()
    local log = {}
    for i = 1, 5 do log[i] = { time = i / 8, task = 2 } end
    local function run(most)
      return orrery.session { tasks = TASKS, procs = 4, max_faults = most,
        faults = { mtbf = math.huge, log = log } }:finish().faults
    end
    assert.equal(5, run(5))
    assert.is_false(pcall(run, 4))
  end)

  it("faults that strike nobody for ever, or faster than the clock can tell", function()
    for _, faults in ipairs { { mtbf = 1e-300 }, { mtbf = 1e7, downtime = 1e30 },
      { mtbf = 1e9, law = "lognormal", shape = 40 } } do
      local ok, message = pcall(orrery.compare, {
        tasks = DRAWN, procs = 40, faults = faults, max_faults = 100, threads = 1,
      })
      assert.is_false(ok)
      assert.matches("more than 100 times 100 faults in a row strike no task", message)
    end
  end)

  it("faults in a list that are misspelt", function()
    for expected, log in pairs {
      ["faults.log: fault 1: unknown field 'procesor'"] = { { time = 1, task = 1, procesor = 2 } },
      ["faults.log: expected a list of faults, but there are other keys than 1 to 0"] =
        { first = { time = 1, task = 1 } },
      ["fault 1: time must be a finite number of seconds >= 0, it is 1"] =
        { { time = "1", task = 1 } },
    } do
      local ok, message = pcall(orrery.compare, {
        tasks = TASKS, procs = 4, faults = { mtbf = 1e9, log = log },
      })
      assert.is_false(ok)
      assert.matches(expected, message, 1, true)
    end
  end)
end)
