-- EASY++ (READINGS 43): by hand, against a naive simulator on random instances and on the HPC2N
-- log, and with all that may interrupt a job.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local logs = require "spec.support.logs"
local naive = require "spec.support.naive_predictions"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

local OTHER = { { "predict", "submission" }, { "correct", "first" }, { "decide", "events" },
  { "means", "seconds" } }

local function starts(list, procs, more)
  local spec = {
    jobs = orrery.jobs(list), procs = procs, walltimes = "log", policy = "dispatch/easy-plus-plus",
  }
  for key, value in pairs(more or {}) do spec[key] = value end
  local session = orrery.session(spec)
  session:finish()
  assert(session:check())
  local found = {}
  for i = 1, #list do found[i] = session:job(i).start end
  return found, session
end

local function job(submit, procs, runtime, walltime, user)
  return { submit = submit, procs = procs, runtime = runtime, walltime = walltime, user = user }
end

describe("dispatch/easy-plus-plus", function()
  -- Ann's jobs of 100 and 200 s predict 150 s for the next one, whatever she asks for.
  local function history(...)
    return { job(0, 1, 100, 5000, "ann"), job(0, 1, 200, 5000, "ann"), ... }
  end

  it("backfills by the mean of the last two jobs of a user", function()
    -- Ben's job runs from 300 to 1000, Cem's needs all. At 300 Ann's next is predicted to end at
    -- 450, Dan's, whom nobody knows, at 300 + 5000.
    local list = history(job(300, 1, 700, 700, "ben"), job(300, 2, 10, 10, "cem"),
      job(300, 1, 5, 5000, "dan"), job(300, 1, 120, 5000, "ann"))
    assert.same({ 0, 0, 300, 1000, 1010, 300 }, starts(list, 2))
    assert.same({ 0, 0, 300, 1000, 1010, 1010 }, starts(list, 2, { policy = "dispatch/easy" }))
  end)

  -- The same on a node of 3 processors and a GPU, which Ben's job has, and for which Cem's waits.
  it("does so on a machine of nodes", function()
    local list = history(job(300, 1, 700, 700, "ben"), job(300, 2, 10, 10, "cem"),
      job(300, 1, 5, 5000, "dan"), job(300, 1, 120, 5000, "ann"), job(301, 1, 10, 650, "eva"))
    list[3].needs, list[4].needs = { gpu = 1 }, { gpu = 1 }
    local machine = { nodes = { { count = 1, procs = 3, gpu = 1 } } }
    -- At 305 Dan's is over. By walltimes one of Dan's and Ann's leaves Cem's two processors, and
    -- Eva's ends in time.
    assert.same({ 0, 0, 300, 1000, 300, 300, 305 }, starts(list, nil, { machine = machine }))
    assert.same({ 0, 0, 300, 1000, 300, 305, 301 },
      starts(list, nil, { machine = machine, policy = "dispatch/easy" }))
  end)

  -- Until 350 one job of Ann's is over. Then there are two, and her waiting job is predicted to
  -- take 75 s.
  it("predicts the walltime until two jobs of the user are over", function()
    local list = { job(0, 1, 100, 5000, "ann"), job(300, 1, 700, 700, "ben"),
      job(300, 2, 10, 10, "cem"), job(300, 1, 120, 5000, "ann"), job(300, 1, 50, 60, "ann") }
    assert.same({ 0, 300, 1000, 350, 300 }, starts(list, 2))
  end)

  it("raises a prediction that its job outlives, by 1 min, 5 min, 15 min, ...", function()
    -- Ann's job at 300 is predicted to end at 450, then at 510, 810, 1710, 3510; it does at 2000. A
    -- job of Ben's wants both processors; another of 400 s comes at 520, and may run beside
    -- Ann's while that is predicted to end at 810 or later, if it ends by then: at 810, when the
    -- prediction becomes 1710.
    local list = history(job(300, 1, 1700, 5000, "ann"), job(310, 2, 10, 10, "ben"),
      job(520, 1, 400, 400, "cem"))
    assert.same({ 0, 0, 300, 2000, 810 }, starts(list, 2))
  end)

  -- Ann's job at 10 is predicted to take no time, and so at once to end at 70: from 20 on there is
  -- room for 45 s beside it.
  it("raises a prediction of no time when its job starts", function()
    assert.same({ 0, 0, 10, 110, 20 }, starts({
      job(0, 1, 0, 5000, "ann"), job(0, 1, 0, 5000, "ann"), job(10, 1, 100, 5000, "ann"),
      job(10, 2, 5, 5, "ben"), job(20, 1, 45, 45, "cem"),
    }, 2))
  end)

  it("kills at the walltime alone", function()
    local list = history(job(300, 1, 9000, 400, "ann"))
    local _, session = starts(list, 2)
    local last = session:schedule()[3]
    assert.same({ 700, "killed" }, { last.finish, last.outcome })
  end)

  -- Cem's job waits for both processors until 1000, Ben's end. Beside Ben's, Ann's two jobs of 3 s
  -- run from 870, Eva's end, to 876. Then her long job ends in time by the mean of 3 and 3 s, of
  -- the moment, and not by that of 60 and 200 s, at its submission: 876 + 130 is behind 1000.
  it("predicts at the submission, if told so (by hand)", function()
    local list = { job(0, 1, 60, 5000, "ann"), job(0, 1, 200, 5000, "ann"),
      job(250, 1, 750, 750, "ben"), job(260, 1, 10, 20, "dan"),
      job(270, 1, 600, 600, "eva"), job(275, 2, 10, 10, "cem"),
      job(280, 1, 100, 5000, "ann"), job(280, 1, 3, 3, "ann"), job(280, 1, 3, 3, "ann") }
    local moment = starts(list, 2)
    local told = starts(list, 2, { options = { predict = "submission" } })
    assert.same({ 870, 870, 873, 1010 }, { moment[8], told[8], told[9], told[7] })
    assert.equal(876, moment[7])
  end)

  -- As in the spec of corrections above: predicted to end at 450, then at 510 and 750, or 810. The
  -- job of 240 s at 520 may run beside it if it ends by 750, 240 s before which is 510.
  it("adds corrections to the first prediction, or corrects to the walltime", function()
    local list = history(job(300, 1, 1700, 5000, "ann"), job(310, 2, 10, 10, "ben"),
      job(520, 1, 240, 240, "cem"))
    assert.equal(520, starts(list, 2)[5])
    assert.equal(750, starts(list, 2, { options = { correct = "first" } })[5])
    assert.equal(2010, starts(list, 2, { options = { correct = "first", decide = "events" } })[5])
    -- Cem's third may start when the second is over if that of Ann is predicted to end by 5300, its
    -- walltime; else at 810, when she is predicted to take another 15 min.
    list[6] = job(530, 1, 700, 700, "cem")
    assert.equal(810, starts(list, 2)[6])
    assert.equal(760, starts(list, 2, { options = { correct = "walltime" } })[6])
  end)

  -- Ann's next is predicted to take the mean of 100 and 201 s: till 450.5, or
  -- 450, Ben's end.
  it("cuts means to whole seconds, if told so (by hand)", function()
    local list = { job(0, 1, 100, 5000, "ann"), job(0, 1, 201, 5000, "ann"),
      job(260, 1, 190, 190, "ben"), job(270, 2, 10, 10, "cem"), job(300, 1, 120, 5000, "ann") }
    assert.equal(460, starts(list, 2)[5])
    assert.equal(300, starts(list, 2, { options = { means = "seconds" } })[5])
  end)

  -- Ann's third job ends at 450, as predicted. Behind Cem's, which waits for Ben's end, both others
  -- fit in, one by one: the shorter first, or, where Ann's processor is free at Dan's submission,
  -- his.
  it("has what ends as predicted over before submissions, as pyss does (by hand)", function()
    local list = history(job(300, 1, 150, 5000, "ann"), job(300, 1, 700, 700, "ben"),
      job(450, 2, 10, 10, "cem"), job(450, 1, 400, 400, "dan"), job(450, 1, 100, 100, "eva"))
    local options = { variant = "published" }
    assert.same({ 0, 0, 300, 300, 1000, 550, 450 },
      starts(list, 2, { options = options, instant = "submissions-first" }))
    assert.same({ 0, 0, 300, 300, 1000, 450, 850 },
      starts(list, 2, { options = options, instant = "pyss" }))
  end)

  it("starts what a naive pyss starts, where times are whole minutes", function()
    local rng = orrery.random(48)
    local other = { pyss = true }
    for _, option in ipairs(OTHER) do other[option[1]] = option[2] end
    for _ = 1, rounds(1200) do
      local procs, list, submit = rng:integer(2, 9), {}, 0
      for i = 1, rng:integer(5, 60) do
        submit = submit + 60 * rng:integer(0, 2)
        local side = rng:integer(1, 6)
        local time = 60 * side * side
        list[i] = { submit = submit, procs = rng:integer(1, procs), time = time,
          walltime = time * math.max(1, rng:integer(-4, 9)), user = "u" .. rng:integer(1, 2) }
      end
      local more = { options = { variant = "published" }, instant = "pyss" }
      assert.same(naive.run(list, procs, false, other), (starts(list, procs, more)))
    end
  end)

  it("refuses a planned end that is no number", function()
    local policy = { dispatch = "easy", planned_end = function() return "soon" end }
    local message = select(2, pcall(starts, { job(0, 1, 5, 5) }, 1,
      { policy = policy, instant = "pyss" }))
    assert.matches("planned_end.*a planned end must be a number, this is string", tostring(message))
  end)

  it("starts what a naive simulator starts, on random instances", function()
    local rng = orrery.random(43)
    local corrections = 0
    for round = 1, rounds(1200) do
      local procs, list = rng:integer(1, 9), {}
      local spread, users = 100 * rng:integer(0, 20), rng:integer(1, 4)
      local unit = rng:integer(1, 2) == 1 and 60 or 7 -- ends at the time of corrections, or not
      for i = 1, rng:integer(2, 25) do
        local time = unit * rng:integer(1, rng:integer(1, 3) == 1 and 60 or 6)
        local user = rng:integer(0, users)
        list[i] = {
          submit = rng:integer(0, spread), procs = rng:integer(1, procs), time = time,
          walltime = rng:integer(1, 6) == 1 and math.ceil(0.8 * time) or time * rng:integer(1, 9),
          user = user > 0 and "u" .. user or nil,
        }
      end
      local in_order, other = rng:integer(1, 3) == 1, {}
      if round % 7 == 1 then other.correct = "walltime" end -- unless the next says "first"
      for _, option in ipairs(round % 2 == 0 and OTHER or {}) do
        if round % 5 == 0 or rng:integer(1, 3) == 1 then other[option[1]] = option[2] end
      end
      local options = { backfill = in_order and "queue" or nil }
      if round % 10 == 0 then options.variant = "published" else
        for option, value in pairs(other) do options[option] = value end
      end
      local found = starts(list, procs, { options = options })
      for i, one in ipairs(list) do one.user = one.user or i end -- nobody's: each by itself
      local expected, outlived = naive.run(list, procs, in_order, other)
      assert.same(expected, found)
      corrections = corrections + outlived
    end
    assert.is_true(corrections > rounds(1200))
  end)

  it("starts what a naive simulator starts, on the HPC2N log", function()
    local list = {}
    for i, one in ipairs(orrery.read(logs.path("hpc2n-2002.swf", pending))) do
      if i > rounds(2000) then break end
      one.walltime = one.walltime or one.runtime
      list[i] = { submit = one.submit, procs = one.procs, runtime = one.runtime,
        walltime = one.walltime, user = one.user }
    end
    local found = starts(list, 240)
    for i, one in ipairs(list) do one.time, one.user = one.runtime, one.user or i end
    assert.same(naive.run(list, 240), found)
  end)

  it("has the slowdowns of reading 43 on the HPC2N log", function()
    local jobs = orrery.read(logs.path("hpc2n-2002.swf", pending))
    local function slowdown(policy, load)
      local metrics = orrery.session {
        jobs = jobs, walltimes = "log", policy = policy, load = load,
      }:finish()
      return ("%.2f"):format(metrics.bsld_mean)
    end
    assert.same({ "9.07", "8.89" }, { slowdown("easy", 1), slowdown("easy-plus-plus", 1) })
    assert.same({ "29.76", "24.60" }, { slowdown("easy", 1.5), slowdown("easy-plus-plus", 1.5) })
  end)

  -- Ann's at 270 is predicted to take no time, and at once to end at 330, her walltime: whether
  -- this is followed by a decision, in which Dan's starts. With ends first a prediction that is
  -- outlived is corrected before or after the submissions of that moment.
  it("decides in a comparison as in a session where events have one moment", function()
    local function same(list, instant)
      local fields = { jobs = orrery.jobs(list), procs = 9, walltimes = "log", instant = instant,
        policy = "easy-plus-plus" }
      assert.equal(orrery.session(fields):finish().wait_mean,
        orrery.compare(fields).sets[1].metrics:scenario(1, 1).wait_mean)
    end
    same { job(270, 4, 30, 60, "ann"), job(200, 9, 20, 40, "ben"), job(170, 9, 60, 525, "ben"),
      job(240, 1, 50, 25, "ann"), job(170, 9, 30, 22.5), job(190, 2, 0, 30, "ann"),
      job(230, 3, 0, 30, "ann"), job(210, 2, 0, 52.5, "dan") }
    same({ job(320, 3, 30, 540, "ben"), job(290, 4, 40, 210, "ben"), job(280, 2, 40, 320),
      job(130, 8, 50, 125), job(160, 7, 70, 35), job(170, 4, 90, 1012.5, "ben"),
      job(350, 3, 40, 150, "ann"), job(160, 8, 10, 20, "ben"), job(120, 4, 80, 280),
      job(250, 2, 50, 62.5, "ben"), job(150, 8, 10, 15, "ben"), job(210, 6, 10, 70, "ann") },
      "ends-first")
  end)

  -- What a comparison may have beside jobs; in those of the first line the kernel may plan.
  local RUNS = {
    {}, { overrun = "extend" }, { overrun = "cap" }, { grace = 13 }, { load = 1.7 },
    { batch = true }, { dependencies = true }, { errors = { rate = 2e-4 } },
    { instant = "submissions-first" }, { instant = "ends-first" },
    { verification = 0.7 }, { priority = "priority/lpt" }, { limit = "jobs/user=2" },
    { checkpoint = { period = 30, cost = 2 } }, { pools = { x = 5 } },
    { node_failures = { mtbf = 4000, repair = 100 }, max_attempts = 1000 },
    { maintenance = { { from = 200, to = 300, procs = 1 } } },
    { capacity = { { from = 200, procs = 7 }, { from = 700, procs = 9 } } },
    { reservations = { { from = 250, to = 400, procs = 2, user = "u1" } } },
  }

  -- Sessions have no short way.
  it("decides in a comparison as in a session, on random instances", function()
    local rng = orrery.random(46)
    for round = 1, rounds(400) do
      local list, more = {}, RUNS[1 + round % #RUNS]
      for i = 1, rng:integer(2, 25) do
        local time = rng:integer(round % 4 == 0 and 0 or 1, 9) * rng:integer(1, 2) * 10
        list[i] = { submit = 10 * rng:integer(0, 40), procs = rng:integer(1, 7), runtime = time,
          walltime = time * rng:integer(1, 9) * rng:integer(1, 9) / 8,
          user = ({ "u1", "u2" })[rng:integer(1, 3)],
          needs = more.pools and { x = rng:integer(0, 4) } }
      end
      local options = { backfill = round % 3 == 0 and "queue" or nil }
      for _, option in ipairs(OTHER) do
        if rng:integer(1, 8) == 1 then options[option[1]] = option[2] end
      end
      local fields = { jobs = orrery.jobs(list), procs = 9, walltimes = "log", options = options,
        policy = "easy-plus-plus" }
      for key, value in pairs(more) do fields[key] = value end
      local session = orrery.session(fields):finish()
      local compared = orrery.compare(fields).sets[1].metrics:scenario(1, 1)
      for _, name in ipairs { "makespan", "wait_mean", "wait_max", "bsld_mean", "starts" } do
        assert.equal(session[name], compared[name])
      end
    end
  end)

  it("decides in a comparison as in a session, on the HPC2N log", function()
    for _, instant in ipairs { "batched", "ends-first" } do
      local fields = { jobs = orrery.read(logs.path("hpc2n-2002.swf", pending)), walltimes = "log",
        policy = "easy-plus-plus", instant = instant ~= "batched" and instant or nil }
      local compared = orrery.compare(fields).sets[1].metrics:scenario(1, 1)
      assert.equal(orrery.session(fields):finish().wait_mean, compared.wait_mean)
    end
  end)

  it("passes the checker with failures, detectors and jobs that take no time", function()
    local rng = orrery.random(44)
    for _ = 1, rounds(200) do
      local instance = instances.random(rng)
      for _, one in ipairs(instance.list) do one.user = "u" .. rng:integer(1, 2) end
      local session = orrery.session(rigid.spec(instance, { policy = "easy-plus-plus" }))
      session:finish()
      assert(session:check())
    end
  end)

  it("goes on where a job is cancelled that has not started", function()
    local session = orrery.session { procs = 4, policy = "easy-plus-plus", jobs = orrery.jobs {
      { procs = 4, runtime = 10, user = "a" }, { procs = 4, runtime = 5, user = "a" },
      { procs = 4, runtime = 5, user = "a" } } }
    session:run_until(3)
    session:change { cancel = 2 }
    assert.equal(15, session:finish().makespan)
    assert(session:check())
  end)

  it("goes on from a fork, and takes over from EASY", function()
    local rng = orrery.random(45)
    for _ = 1, rounds(40) do
      local instance = instances.random(rng, { n = 20 })
      for _, one in ipairs(instance.list) do one.user = "u" .. rng:integer(1, 2) end
      local whole = orrery.session(rigid.spec(instance, { policy = "easy-plus-plus" }))
      whole:run_until(rng:integer(0, 30))
      local fork = whole:fork()
      whole:finish()
      fork:finish()
      assert.is_nil(rigid.difference(fork:schedule(), whole:schedule()))
      local easy = orrery.session(rigid.spec(instance, { policy = "easy" }))
      easy:run_until(rng:integer(0, 30))
      local changed = easy:fork { policy = "easy-plus-plus" }
      changed:finish()
      assert(changed:check())
    end
  end)
end)
