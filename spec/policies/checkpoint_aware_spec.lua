-- dispatch/checkpoint-aware: by hand, what it does without its knowledge, and that its schedules
-- are possible; and the fields of a job that it reads.
local orrery = require "orrery"
local program = require "spec.support.program"

local PATH = "policies/dispatch/checkpoint-aware.lua"

local attempts = require "spec.support.attempts"
local rounds = require "spec.support.rounds"

local function by_hand(list, options)
  return attempts { jobs = orrery.jobs(list), procs = 4, policy = "checkpoint-aware",
    options = options, checkpoint = { cost = 10, recovery = 5, period = "none" } }
end

describe("dispatch/checkpoint-aware", function()
  local LONG = { id = "long", procs = 4, runtime = 10000 }
  local function job(id, fields)
    local one = { id = id, procs = 2, runtime = 100, submit = 1000 }
    for name, value in pairs(fields or {}) do one[name] = value end
    return one
  end

  -- It writes from 1000 to 1010, and later recovers for 5 s before its other 9000 s.
  it("lets a long job write a checkpoint and make room for a short one", function()
    assert.same({ "long 0-1010 preempted", "short 1010-1110", "long 1110-10115" },
      by_hand { LONG, job "short" })
  end)

  -- It would spare 8990 / 9000, and cost 9015 / 10000: that is not ten times as much.
  it("does not where that costs more than it spares", function()
    local list = { LONG, job("other", { runtime = 9000 }) }
    assert.same({ "long 0-10000", "other 10000-19000" }, by_hand(list))
    assert.same({ "long 0-1010 preempted", "other 1010-10010", "long 10010-19015" },
      by_hand(list, { factor = 1 }))
  end)

  it("makes room once for two jobs that find room together", function()
    assert.same({ "long 0-1010 preempted", "a 1010-1110", "b 1010-1210", "long 1210-10215" },
      by_hand { LONG, job "a", job("b", { runtime = 200 }) })
  end)

  -- Two narrow ones would do together; y alone does, and costs least for each of its processors.
  it("asks as few as are enough, those first that it costs least", function()
    assert.same({ "x 0-3000", "z 0-20000", "y 0-1010 preempted", "new 1010-1110", "y 1110-20115" },
      by_hand { job("x", { procs = 1, runtime = 3000, submit = 0 }),
        job("y", { procs = 2, runtime = 20000, submit = 0 }),
        job("z", { procs = 1, runtime = 20000, submit = 0 }), job "new" })
  end)

  -- Small jobs of 100 s, every 50 s, so that never two processors are free. Room costs one of them
  -- (15 + 200) / 100 and spares what the wide job has waited, less 10 s, over its 200 s: that is
  -- ten times as much at 4385. The next attempt ends at 4400.
  it("makes room for a job that was passed for long", function()
    local list = { { id = "wide", procs = 2, runtime = 200, submit = 75 } }
    for k = 0, 119 do
      list[k + 2] = { id = "s" .. k, procs = 1, runtime = 100, submit = 50 * k }
    end
    local function starts(options)
      local session = orrery.session { jobs = orrery.jobs(list), procs = 2, options = options,
        policy = "checkpoint-aware", checkpoint = { cost = 10, recovery = 5, period = "none" } }
      session:finish()
      return session:times().start[1], #session:schedule() - #list
    end
    assert.same({ 4410, 1 }, { starts() })
    assert.same({ 6050, 0 }, { starts { factor = 1e9 } }) -- behind the last of them
  end)

  -- By EASY nobody may start before the wide job who ends behind 1000.
  it("keeps no processors free for a job that has no room", function()
    local list = { job("a", { procs = 3, runtime = 1000, submit = 0 }),
      job("wide", { procs = 4, submit = 10 }),
      job("b", { procs = 1, runtime = 5000, submit = 20 }) }
    assert.same({ "a 0-1000", "b 20-5020", "wide 5020-5120" }, by_hand(list, { factor = 1e9 }))
    assert.same({ "a 0-1000", "wide 1000-1100", "b 1100-6100" },
      by_hand(list, { know = "nothing" }))
  end)

  it("asks nobody who can write no checkpoint", function()
    assert.same({ "long 0-10000", "short 10000-10100" }, attempts {
      jobs = orrery.jobs { LONG, job "short" }, procs = 4, policy = "checkpoint-aware",
      checkpoint = { cost = function(one) return one.id == "short" and 1 or nil end,
        period = "none" } })
    assert.same({ "long 0-10000", "short 10000-10100" }, attempts {
      jobs = orrery.jobs { LONG, job "short" }, procs = 4, policy = "checkpoint-aware" })
  end)

  it("takes Young's period for the failures that it has seen", function()
    local rate = 1e-7 -- of one of 256 processors
    local function period(know, failures, now, known)
      return dofile(PATH) { factor = 10, know = know }.period(
        { procs = 8, checkpoint_cost = 120, error_rate = known or 8 * rate },
        { procs = 256, now = now + 50, first_submit = 50, node_failures = failures })
    end
    local young, ten_days = math.sqrt(2 * 120 / (8 * rate)), 864000
    local expected = 256 * rate * ten_days
    assert.near(young, period("nothing", 99, ten_days), 1e-6)
    assert.near(young, period("checkpoints", 99, ten_days), 1e-6)
    assert.near(young, period("all", 0, 0), 1e-6)
    assert.near(young / math.sqrt(101 / (expected + 2)), period("failures", 99, ten_days), 1e-6)
    assert.near(young / math.sqrt(2 / (expected + 2)), period("all", 0, ten_days), 1e-6)
    -- where no rate is known: those of the past, of which 8 of 256 processors have their share
    assert.near(math.sqrt(2 * 120 * 32 * ten_days / 6), period("all", 6, ten_days, 0), 1e-6)
    assert.equal(math.huge, period("all", 0, ten_days, 0))
    assert.equal(math.huge, period("all", 0, 0, 0))
  end)

  -- 15 s are enough for a checkpoint of 10 s, of the 485 s of work by then; 5 s are not. After one
  -- failure in 500 s the period is sqrt(2 * 10 * 500) = 100 s: 95 or 99 checkpoints more.
  it("has work saved when a failure is announced, if there is time", function()
    local function warned(lead, know)
      return attempts { jobs = orrery.jobs { LONG }, procs = 4, policy = "checkpoint-aware",
        options = { know = know }, checkpoint = { cost = 10, recovery = 5, period = "none" },
        node_failures = { log = { { time = 500, processor = 2 } },
          prediction = { lead = lead } } }
    end
    assert.same({ "long 0-500 node_failure", "long 500-10970" }, warned(15))
    assert.same({ "long 0-500 node_failure", "long 500-10970" }, warned(15, "failures"))
    assert.same({ "long 0-500 node_failure", "long 500-11490" }, warned(5))
    assert.same({ "long 0-500 node_failure", "long 500-10500" }, warned(15, "checkpoints"))
  end)

  local function random_spec(k, rng)
    local list = {}
    for i = 1, 30 do
      local runtime = rng:integer(0, 4) * 10 ^ rng:uniform(0, 4)
      list[i] = { id = "j" .. i, procs = rng:integer(1, 8), runtime = runtime,
        submit = rng:uniform(0, 20000), walltime = runtime * rng:uniform(0.8, 3) }
    end
    return { jobs = orrery.jobs(list), procs = 8, seed = k, walltimes = "log",
      node_failures = { mtbf = 50000, procs = 2, repair = 300 },
      checkpoint = { cost = "5+0.5*procs", recovery = k % 7, period = "none" } }
  end

  it("without its knowledge is EASY, least area first, with Young's nominal period", function()
    local period = dofile(PATH) { factor = 10, know = "nothing" }.period
    local rng, differ = orrery.random(8), 0
    for k = 1, 40 do
      local spec = random_spec(k, rng)
      spec.policy, spec.options = "checkpoint-aware", { know = "nothing" }
      local found = attempts(spec)
      spec.options = nil
      local aware = attempts(spec)
      spec.policy = { dispatch = { discipline = "list", reservations = 1 }, period = period,
        per = "attempt", priority = function(one) return -one.area end }
      assert.same(attempts(spec), found)
      if table.concat(aware, "\n") ~= table.concat(found, "\n") then differ = differ + 1 end
    end
    assert.is_true(differ > 30) -- and so the policy is seen to do something
  end)

  it("without checkpoints is EASY, least area first", function()
    local rng = orrery.random(9)
    for k = 1, rounds(40, 40, 20) do
      local spec = random_spec(k, rng)
      spec.checkpoint, spec.policy = nil, "checkpoint-aware"
      local found = attempts(spec)
      spec.policy, spec.priority = "easy", "saf"
      assert.same(attempts(spec), found)
    end
  end)

  it("has only options that there are", function()
    local folder = program.folder()
    program.write(folder, "log.csv", "id,submit,procs,runtime\na,0,2,35\n")
    for text, message in pairs {
      ["know=most"] = "option know: expected all, checkpoints, failures, nothing, found 'most'",
      ["factor=-1"] = "option factor: expected a number of at least 0, found '-1'",
    } do
      local status, _, err = program.run(folder,
        "replay log.csv --procs 4 --policy checkpoint-aware:" .. text)
      assert.equal(2, status)
      assert.matches(message, err, 1, true)
    end
    program.remove(folder)
  end)
end)

describe("job.checkpoint_cost and job.recovery_cost", function()
  local function seen(checkpoint)
    local session = orrery.session { procs = 4, checkpoint = checkpoint,
      jobs = orrery.jobs { { id = "a", procs = 2, runtime = 9 },
        { id = "b", procs = 3, runtime = 9, checkpoint = 7 } },
      policy = { dispatch = "greedy", on_submit = function(sim, job)
        sim:note(("%s %s %s"):format(job.id, job.checkpoint_cost, job.recovery_cost))
      end } }
    session:finish()
    local list = {}
    for i, note in ipairs(session.notes) do list[i] = note.text end
    return list
  end

  it("are what a checkpoint and a recovery take, or nil", function()
    assert.same({ "a 5.0 5.0", "b 7.0 7.0" }, seen { cost = "4+0.5*procs", period = 3 })
    assert.same({ "a 5.0 1.0", "b 7.0 1.0" },
      seen { cost = "4+0.5*procs", recovery = 1, period = 3 })
    assert.same({ "a nil nil", "b 7.0 7.0" },
      seen { cost = function() return nil end, period = 3 })
    assert.same({ "a nil nil", "b nil nil" }, seen())
  end)
end)
