-- What is drawn, where processors come and go: from what a session tells, by hand.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local model = orrery.draw.model

local GROUPS = { { name = "main", procs = 4 } }

-- A session of one job on processor 0, with outages.
local function session(outages, more)
  local s = {
    procs = 4, over = true, now = 20, groups = GROUPS, policy = "mine",
    jobs = { { submit = 0 } },
    outages = function() return outages end,
    timeline = function() return { { time = 0, busy = 1, waiting = 0 } } end,
    job = function() return { id = "a", submit = 0 } end,
    schedule = function()
      return { { id = "a", position = 1, attempt = 1, start = 0, finish = 20,
        outcome = "completed", group = "main", processors = "0" } }
    end,
  }
  for key, value in pairs(more or {}) do s[key] = value end
  return s
end

local function downs(outages)
  local list = {}
  for i, box in ipairs(model.of(session(outages), {}).down) do
    list[i] = ("%d-%d %g %g %s"):format(box.ranges[1][1], box.ranges[1][2], box.start, box.finish,
      box.why)
  end
  table.sort(list)
  return list
end

describe("the clock of a picture", function()
  local month = orrery.read(orrery.home .. "/data/mira/sample-2019-06.csv")
  local function clock(options, change)
    local s = orrery.session { jobs = month:between(0, 86400), policy = "easy",
      batch = options.batch }
    if change then s:run_until(3600) s:change(change) end
    return model.of(s, {}).clock
  end

  it("is that of the log, but not for a batch, also where a job came later", function()
    local new = { submit = { id = "new", procs = 1024, runtime = 60 } }
    assert.is_table(clock {})
    assert.is_table(clock({}, new))
    assert.is_nil(clock { batch = true })
    assert.is_nil(clock({ batch = true }, new))
  end)
end)

describe("processors that are out", function()
  it("fail, are drained, come back before their time, and are added", function()
    assert.same({ "1-1 2 5 failure" }, downs {
      { what = "failure", start = 2, finish = 5, first = 1, procs = 1 } })
    assert.same({ "1-1 2 inf drained", "2-2 2 9 drained", "3-3 2 inf drained" }, downs {
      { what = "drained", start = 2, finish = math.huge, first = 1, procs = 3 },
      { what = "back", start = 9, finish = math.huge, first = 2, procs = 1 } })
    assert.same({ "4-5 -inf 7 added" }, downs {
      { what = "added", start = 7, finish = 7, first = 4, procs = 2 } })
    -- what is over stays as it was, and failures are not what comes back
    assert.same({ "1-2 2 5 drained", "1-2 6 9 drained", "2-2 6 30 failure" }, downs {
      { what = "drained", start = 2, finish = 5, first = 1, procs = 2 },
      { what = "drained", start = 6, finish = 40, first = 1, procs = 2 },
      { what = "failure", start = 6, finish = 30, first = 2, procs = 1 },
      { what = "back", start = 9, finish = 40, first = 1, procs = 2 } })
  end)

  it("are shown, even if they are more than the machine has now", function()
    local m = model.of(session { { what = "added", start = 7, finish = 7, first = 4, procs = 2 } },
      {})
    assert.equal(6, m.procs)
    assert.equal("processors 4-5 are not there yet\nuntil 7 s", m.down[1].title)
    m = model.of(session { { what = "drained", start = 7, finish = math.huge, first = 3,
      procs = 1 } }, {})
    assert.equal("processor 3 is drained\nfrom 7 s on", m.down[1].title)
  end)

  it("leave groups where their attempts are", function()
    local list = { { name = "a", procs = 2 }, { name = "b", procs = 2 } }
    local function bands(outages)
      return model.of(session(outages, { groups = list, schedule = function()
        return { { id = "a", position = 1, attempt = 1, start = 0, finish = 20,
          outcome = "completed", group = "a", processors = "0 2" },
          { id = "b", position = 2, attempt = 1, start = 0, finish = 20,
            outcome = "completed", group = "b", processors = "3-4" } }
      end }), {}).bands
    end
    assert.same({ { name = "a", first = 0, procs = 2 }, { name = "b", first = 2, procs = 2 } },
      bands {})
    assert.same({ { name = "a", first = 0, procs = 3 }, { name = "b", first = 3, procs = 2 } },
      bands { { what = "drained", start = 2, finish = 5, first = 1, procs = 1 } })
  end)
end)

describe("times", function()
  local axis = orrery.draw.axis

  it("have dates of the calendar, and ticks at round ones", function()
    local rng = orrery.random(8)
    for _ = 1, rounds(300, 300, 25) do
      local time = rng:integer(-2000000000, 4000000000)
      assert.equal(os.date("!%Y-%m-%d %H:%M:%S", time), axis.instant(0, { { 0, time } }))
    end
    local function texts(...)
      local list = {}
      for i, tick in ipairs((axis.times(...))) do list[i] = tick[2] end
      return table.concat(list, ", ")
    end
    local day = { { 0, 1561852800 } } -- 2019-06-30
    assert.equal("30 Jun, 06:00, 12:00, 18:00, 1 Jul", texts(0, 86400, 6, day))
    assert.equal("30 Jun, 00:00:15, 00:00:30, 00:00:45, 00:01:00", texts(0, 60, 5, day))
    assert.equal("Jul 2019, Jan 2020, Jul 2020", texts(0, 400 * 86400, 4, day))
    assert.equal("2020, 2025, 2030", texts(0, 12 * 366 * 86400, 3, day))
    assert.equal("0, 1, 2, 3, 4", texts(0, 4 * 3600, 4))
  end)

  it("have at most so many ticks, inside and evenly spread", function()
    local rng = orrery.random(9)
    for _ = 1, rounds(400, 400, 34) do
      local from, span = rng:uniform(-1e8, 1e8), 10 ^ rng:uniform(-1, 9)
      local most, clock = rng:integer(2, 20), rng:integer(0, 1) == 1 and { { 0, 1.5e9 } } or nil
      local ticks = axis.times(from, from + span, most, clock)
      assert.is_true(#ticks <= most + 1)
      for i, tick in ipairs(ticks) do
        assert.is_true(tick[1] >= from - 1e-6 * span and tick[1] <= from + span * (1 + 1e-6))
        assert.is_true(i == 1 or tick[1] > ticks[i - 1][1])
      end
      if not clock then assert.is_true(#ticks >= most / 5 - 1) end
    end
  end)

  it("are spans in the unit that suits them", function()
    assert.equal("1.5 min", axis.span(90))
    assert.equal("2 h", axis.span(7200))
    assert.equal("100 d", axis.span(100 * 86400))
    assert.equal("20 years", axis.span(20 * 365 * 86400))
    assert.equal("0 s", axis.span(0))
  end)
end)

-- What is drawn, in short: of each box its id, its time, its ranges of processors, and its title.
local function boxes_of(m)
  local list = {}
  for i, box in ipairs(m.boxes) do
    local ranges = {}
    for r, range in ipairs(box.ranges) do ranges[r] = ("%d-%d"):format(range[1], range[2]) end
    list[i] = ("%s %g %g %s %s"):format(box.id, box.start, box.finish, table.concat(ranges, ","),
      box.title:gsub("\n", " / "))
  end
  return list
end

local function steps(m)
  local list = {}
  for i, step in ipairs(m.steps) do
    list[i] = ("%g %s %s"):format(step.time, step.busy, step.waiting or "-")
  end
  return table.concat(list, ", ")
end

describe("what is drawn of jobs", function()
  local s = orrery.session { procs = 4, policy = "easy", failures = { 1, 0, 0 }, walltimes = "log",
    jobs = orrery.jobs {
      { id = "A", procs = 2, time = 10, user = "u", submit = 0, walltime = 20 },
      { id = "B", procs = 4, time = 5, submit = 1, walltime = 5 },
      { id = "C", procs = 1, time = 1, submit = 2, walltime = 1 } } }
  s:finish()

  it("are attempts, steps and a sentence", function()
    local m = model.of(s, { title = "mine" })
    assert.same({
      "A 0 10 0-1 job A, attempt 1: failed / 0 s to 10 s (10 s) / 2 processors: 0-1 / user u, "
        .. "submitted 0 s",
      "C 2 3 2-2 job C / 2 s to 3 s (1 s) / 1 processor: 2 / submitted 2 s",
      "A 10 20 0-1 job A, attempt 2 / 10 s to 20 s (10 s) / 2 processors: 0-1 / user u, "
        .. "submitted 0 s",
      "B 20 25 0-3 job B / 20 s to 25 s (5 s) / 4 processors: 0-3 / submitted 1 s" }, boxes_of(m))
    assert.equal("0 2 0, 1 2 1, 2 3 1, 3 2 1, 20 4 0, 25 0 0", steps(m))
    assert.same({ "failed", 0, 25, 4, "job", "easy", "mine" },
      { m.boxes[1].look, m.from, m.to, m.procs, m.what, m.policy, m.title })
    assert.is_nil(m.boxes[2].look)
    assert.same({ {}, {} }, { m.marks, m.down })
    assert.equal("3 jobs on 4 processors, 25 s, 61.0% busy", m.said) -- 61 of 100
    assert.same({ 1, 2, 3 }, { model.jobs(m)[1].who, model.jobs(m)[2].who, model.jobs(m)[3].who })
    local rest = model.jobs(m, { true, true })
    assert.same({ 1, "C" }, { #rest, rest[1].id })
  end)

  it("are those of a part of the time alone", function()
    local m = model.of(s, { from = 3.5, to = 10 })
    assert.same({ 2, "A", "A" }, { #m.boxes, m.boxes[1].id, m.boxes[2].id })
    assert.equal("1 job on 4 processors, 6.5 s, 50.0% busy", m.said)
    assert.equal(21, model.of(s, { from = 20, to = 20 }).to)
    assert.has_error(function() model.of(s, { from = 9, to = 8 }) end,
      "to: expected a time after from, 9 s, found 8 s")
    assert.has_error(function() model.of(s, { group = "x" }) end,
      "group: there is no group 'x' (known: main)")
    assert.has_error(function() model.of(s, { from = {} }) end)
  end)
end)

describe("what is drawn of a group", function()
  local s = session({}, { groups = { { name = "a", procs = 1 }, { name = "b", procs = 3 } },
    schedule = function()
      return { { id = "a", position = 1, attempt = 1, start = 0, finish = 20, group = "b",
        outcome = "completed", processors = "0 2-3" } }
    end })

  it("are its processors alone, from 0 on", function()
    local m = model.of(s, { group = "b" })
    assert.same({ { { 1, 2 } }, 3, 1, 3 }, { m.boxes[1].ranges, m.procs, m.first, m.last })
    m = model.of(s, { group = "a" })
    assert.same({ { { 0, 0 } }, 1, 0, 0 }, { m.boxes[1].ranges, m.procs, m.first, m.last })
    assert.has_error(function() model.of(s, { group = "c" }) end,
      "group: there is no group 'c' (known: a, b)")
    assert.same({ { { 0, 0 }, { 2, 3 } }, 4 },
      { model.of(s, {}).boxes[1].ranges, model.of(s, {}).procs })
  end)
end)

describe("what is drawn of tasks", function()
  local tasks = orrery.tasks.list { { id = "a", times = { 10, 6, 5, 4 } },
    { id = "b", times = { 20, 12, 9, 8 } } }

  it("are stints, faults, and steps of busy processors", function()
    local s = orrery.session { tasks = tasks, procs = 4, policy = "end-local+iterated-greedy",
      costs = {}, faults = { mtbf = 1e6, log = { { time = 3, processor = 1 } } } }
    s:finish()
    local m = model.of(s, {})
    assert.same({ "a 0 6 0-1 task a / 0 s to 6 s (6 s) / 2 processors: 0-1",
      "b 0 6 2-3 task b / 0 s to 6 s (6 s) / 2 processors: 2-3",
      "b 6 10 0-3 task b / 6 s to 10 s (4 s) / 4 processors: 0-3" }, boxes_of(m))
    assert.same({ { time = 3, title = "fault at 3 s, processor 1" } }, m.marks)
    assert.equal("0 4 -, 6 4 -, 10 0 -", steps(m))
    assert.equal("2 tasks on 4 processors, 10 s, 100.0% busy", m.said)
    assert.same({}, model.of(s, { from = 4 }).marks)
  end)

  it("in packs are packs, one after the other", function()
    local packs = orrery.packs { tasks = tasks, procs = 4, k = 1 }:coschedule()
    local m = model.of(packs, {})
    assert.same({ "a 0 4 0-3 task a, pack 1 of 2 / 0 s to 4 s (4 s) / 4 processors",
      "b 4 12 0-3 task b, pack 2 of 2 / 4 s to 12 s (8 s) / 4 processors" }, boxes_of(m))
    assert.same({ { name = "P1", start = 0, finish = 4 }, { name = "P2", start = 4, finish = 12 } },
      m.packs)
    assert.equal("2 tasks on 4 processors, 12 s, 100.0% busy", m.said)
    local both = orrery.packs { tasks = tasks, procs = 4, k = 2 }:coschedule()
    assert.same({ "a 0 10 0-0 task a, pack 1 of 1 / 0 s to 10 s (10 s) / 1 processor",
      "b 0 9 1-3 task b, pack 1 of 1 / 0 s to 9 s (9 s) / 3 processors" },
      boxes_of(model.of(both, {})))
  end)
end)

-- A session of one attempt a position, one second after the other, of jobs with these fields.
local function of_fields(jobs, more)
  local schedule = {}
  for i in ipairs(jobs) do
    schedule[i] = { id = "j" .. i, position = i, attempt = 1, start = i - 1, finish = i,
      outcome = "completed", group = "main", processors = "0" }
    jobs[i].submit = 0
  end
  return session({}, { jobs = jobs, job = function(_, i) return jobs[i] end,
    schedule = function() return schedule end }, more)
end

-- The hues of the boxes, and what they mean.
local function hues(jobs, by)
  local m, list, said = model.of(of_fields(jobs), { colour = by }), {}, {}
  for i, box in ipairs(m.boxes) do list[i] = box.hue end
  for i, one in ipairs(m.hues or {}) do said[i] = ("%d %s"):format(one[1], one[2]) end
  return table.concat(list, " "), table.concat(said, ", ")
end

local function with(name, ...)
  local jobs = {}
  for i, value in ipairs { ... } do jobs[i] = { [name] = value or nil } end
  return jobs
end

-- 14 hues are of jobs and texts, the 15th is of no amount, 16 to 22 are of little to much.
describe("the hues of attempts", function()
  it("are of texts, from the last that starts on, and the last hue is of none", function()
    assert.same({ "1 2 14 1", "1 ann, 2 bob, 14 no user" },
      { hues(with("user", "ann", "bob", false, "ann"), "user") })
    assert.same({ "1", "1 q" }, { hues(with("qos", "q"), "qos") })
  end)

  it("are of the texts with most attempts where there are as many as hues, or more", function()
    local names = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m" }
    assert.same({ "13 12 11 10 9 8 7 6 5 4 3 2 1", "1 m, 2 l, 3 k, 4 j, 5 i, 6 h, 7 g, 8 f, 9 e, "
      .. "10 d, 11 c, 12 b, 13 a" }, { hues(with("user", table.unpack(names)), "user") })
    table.move({ "n", "m" }, 1, 2, 14, names)
    assert.same({ "2 3 4 5 6 7 8 9 10 11 12 13 1 14 1", "1 m, 2 a, 3 b, 4 c, 5 d, 6 e, 7 f, 8 g, "
      .. "9 h, 10 i, 11 j, 12 k, 13 l, 14 others" },
      { hues(with("user", table.unpack(names)), "user") })
  end)

  it("are of partitions by themselves, where there are two to eight", function()
    assert.same({ "2 1", "1 b, 2 a" }, { hues(with("partition", "a", "b")) })
    assert.same({ "8 7 6 5 4 3 2 1", "1 8, 2 7, 3 6, 4 5, 5 4, 6 3, 7 2, 8 1" },
      { hues(with("partition", "1", "2", "3", "4", "5", "6", "7", "8")) })
    assert.same({ "", "" }, { hues(with("partition", "a", "a")) })
    assert.same({ "", "" },
      { hues(with("partition", "1", "2", "3", "4", "5", "6", "7", "8", "9")) })
    assert.same({ "", "" }, { hues(with("partition", "a", "b"), "job") })
  end)

  local function amounts(...)
    local jobs = {}
    for i, amount in ipairs { ... } do jobs[i] = { needs = amount and { gpu = amount } or nil } end
    return hues(jobs, "gpu")
  end

  it("are of amounts, spread over the scale where they are few", function()
    assert.same({ "22 22", "22 4 gpu" }, { amounts(4, 4) })
    assert.same({ "22 15 15", "15 no gpu, 22 1024 gpu" }, { amounts(1024, false, 0) })
    assert.same({ "22 16", "16 2 gpu, 22 3 gpu" }, { amounts(3, 2) })
    assert.same({ "16 19 15 22", "15 no gpu, 16 1 gpu, 19 2 gpu, 22 9 gpu" },
      { amounts(1, 2, false, 9) })
    assert.same({ "22 21 20 19 18 17 16", "16 1 gpu, 17 2 gpu, 18 3 gpu, 19 4 gpu, 20 5 gpu, "
      .. "21 6 gpu, 22 7 gpu" }, { amounts(7, 6, 5, 4, 3, 2, 1) })
  end)

  it("are of the half, a quarter and so on where amounts are many", function()
    local said = "16 up to 2 gpu, 17 up to 4 gpu, 18 up to 8 gpu, 19 up to 16 gpu, "
      .. "20 up to 32 gpu, 21 up to 63 gpu, 22 up to 125 gpu" -- 125 / 64 = 1.95, and so on
    assert.same({ "16 16 17 17 18 19 20 21 21 22 22", said },
      { amounts(1, 2, 3, 4, 5, 9, 17, 33, 63, 64, 125) })
    assert.same({ "16 17 18 19 20 21 22 22 15", "15 no gpu, " .. said },
      { amounts(2, 3, 8, 16, 32, 33, 64, 125, false) })
  end)

  it("are of nothing that no job needs", function()
    for _, jobs in ipairs { with("user", "a") } do
      assert.has_error(function() hues(jobs, "gpu") end, "colour: expected job, user, queue, "
        .. "partition, account, qos, array, or what jobs need of nodes or pools, found 'gpu'")
    end
  end)
end)

describe("what is said of attempts", function()
  local function titles(attempts, more)
    for i, a in ipairs(attempts) do
      attempts[i] = { id = "x", position = a[4] or 1, attempt = i, start = i, finish = i + 1,
        outcome = a[1], group = a[2] or "a", processors = a[3] or "1" }
    end
    local s = { groups = { { name = "a", procs = 2 }, { name = "b", procs = 2 } },
      job = function() return { submit = 0, user = "u", queue = "q", partition = "p" } end,
      schedule = function() return attempts end }
    for key, value in pairs(more or {}) do s[key] = value end
    local list, looks = {}, {}
    for i, box in ipairs(model.of(session({}, s), {}).boxes) do
      list[i], looks[i] = box.title, box.look or "-"
    end
    return list, table.concat(looks, " ")
  end

  it("is how they ended, and all that is known of their job", function()
    local list, looks = titles { { "failed" }, { "killed" }, { "preempted", "a" },
      { "preempted", "a" }, { "node_failure", "b" }, { "cancelled" }, { "running" } }
    assert.equal("failed killed preempted redirected node_failure cancelled running", looks)
    for i, said in ipairs { "failed", "killed at its walltime", "preempted", "redirected",
      "lost to a node's failure", "cancelled", "running, planned until then" } do
      assert.equal(("job x, attempt %d: %s\n%d s to %d s (1 s)\n1 processor: 1\nuser u, queue q, "
        .. "partition p, submitted 0 s, group %s"):format(i, said, i, i + 1, i == 5 and "b" or "a"),
        list[i])
    end
    looks = select(2, titles { { "preempted", "a", "0", 1 }, { "completed", "b", "0", 2 } })
    assert.equal("preempted -", looks) -- another job's is not what follows
  end)

  it("names the first of many processors", function()
    local text = "10 12 14 16 18 20 22 24 26 28 30 32 34 36 38 40 42 44 46 48 50 52 54 56"
    for more, said in pairs { ["8"] = "24 %s 54 568", ["89"] = "24 %s 54 …",
      [" 58"] = "25 %s 54 56 …", ["-57"] = "25 %s 54 …" } do -- it has 71 bytes, and 72 are shown
      local list = titles({ { "completed", "a", text .. more } }, { groups = GROUPS })
      assert.equal(said:format("processors: 10 12 14 16 18 20 22 24 26 28 30 32 34 36 38 "
        .. "40 42 44 46 48 50 52"), list[1]:match "\n(%d+ processors.-)\n")
    end
  end)

  it("is left out of a bare model, and boxes of a light one", function()
    local jobs = { { id = "A", procs = 2, time = 10, submit = 0 },
      { id = "B", procs = 4, time = 5, submit = 1 } }
    local s = orrery.session { procs = 4, policy = "easy", jobs = orrery.jobs(jobs) }
    s:finish()
    local m = model.of(s, {}, "bare")
    assert.same({ 2, "A" }, { #m.boxes, m.boxes[1].id })
    assert.is_nil(m.boxes[1].title)
    m = model.of(s, {}, "light")
    assert.same({ {}, 0, 4, 0, 15, "2 jobs on 4 processors, 15 s, 66.7% busy" },
      { m.boxes, m.first, m.procs, m.from, m.to, m.said }) -- 40 of 60
    assert.is_nil(m.steps)
    assert.is_not_nil(m.session)
    assert.is_nil(model.of(s, {}).session)
  end)
end)

describe("the clock of a picture", function()
  local month = orrery.read(orrery.home .. "/data/mira/sample-2019-06.csv")
  local jobs = month:between(0, 86400)

  -- The first, the middle and the last job are asked.
  it("goes where a job is not submitted as in its log", function()
    local function clock(at)
      return model.of(session({}, { jobs = jobs, job = function(_, i)
        return { submit = jobs[i].submit + (i == at and 1 or 0) }
      end }), {}).clock
    end
    assert.is_table(clock(0))
    for _, at in ipairs { 1, (#jobs + 1) // 2, #jobs } do assert.is_nil(clock(at)) end
  end)

  it("says dates once where a day is one", function()
    local function said(start, finish)
      local s = session({}, { jobs = jobs, job = function(_, i) return jobs[i] end,
        schedule = function()
          return { { id = "a", position = 1, attempt = 1, start = start, finish = finish,
            outcome = "completed", group = "main", processors = "0" } }
        end })
      local m = model.of(s, {})
      return m.boxes[1].title:match "\n(.-) %(", m.said, m.clock[1][2]
    end
    local _, _, zero = said(0, 1)
    local midnight = -zero % 86400
    local function date(time) return os.date("!%Y-%m-%d %H:%M:%S", zero + time) end
    local first, last = midnight + 3600, midnight + 7200
    assert.equal(date(first) .. " to 02:00:00", (said(first, last)))
    last = midnight + 86400 + 60
    assert.equal(date(first) .. " to " .. date(last), (said(first, last)))
    assert.equal(("1 job on 4 processors, %s to %s, 23 h, 25.0%% busy"):format(
      date(first):sub(1, 16), date(last):sub(1, 16)), (select(2, said(first, last))))
  end)
end)

describe("a picture", function()
  it("begins and ends with what is there, or is a second at now", function()
    local function times(more)
      more.schedule = more.schedule or function() return {} end
      local m = model.of(session({}, more), {})
      return { m.from, m.to, m.now or "over", m.said }
    end
    assert.same({ 0, 1, "over", "0 jobs on 4 processors, 1 s, 0.0% busy" }, times {})
    assert.same({ 7, 8, 7, "0 jobs on 4 processors, 1 s" }, times { over = false, now = 7 })
    local s = session {}
    assert.same({ 0, 30, 30, "1 job on 4 processors, 30 s" },
      times { over = false, now = 30, schedule = s.schedule })
    assert.same({ 0, 20, 10, "1 job on 4 processors, 20 s" },
      times { over = false, now = 10, schedule = s.schedule })
  end)

  it("has times of numbers, and of texts where its session reads them", function()
    local more = { seconds = function(_, text)
      if text == "noon" then return 12 end
      error("here: seconds: no time '" .. text .. "'", 0)
    end }
    assert.equal(12, model.of(session({}, more), { from = "noon" }).from)
    assert.has_error(function() model.of(session({}, more), { to = "x" }) end,
      "to: no time 'x'")
    assert.has_error(function() model.of(session({}, more), { to = true }) end,
      "to: expected seconds, found 'true'")
    assert.has_error(function() model.of(session({}, more), { from = 0 / 0 }) end,
      ("from: expected seconds, found '%s'"):format(0 / 0))
    assert.has_error(function() model.of(session {}, { from = "noon" }) end,
      "from: expected seconds, found 'noon'")
  end)

  -- Of 80 processor seconds 20 are busy; processors that left or were not there yet count less.
  it("counts the processors that were there", function()
    local function said(...)
      return model.of(session { ... }, {}).said
    end
    assert.equal("1 job on 4 processors, 20 s, 25.0% busy", said())
    assert.equal("1 job on 4 processors, 20 s, 28.6% busy",
      said { what = "drained", start = 10, finish = math.huge, first = 3, procs = 1 })
    assert.equal("1 job on 4 processors, 20 s, 40.0% busy",
      said { what = "drained", start = 5, finish = 20, first = 2, procs = 2 })
    assert.equal("1 job on 4 processors, 20 s, 33.3% busy",
      said { what = "added", start = 10, finish = 10, first = 2, procs = 2 })
    for _, why in ipairs { "failure", "window", "reserved" } do
      assert.equal("1 job on 4 processors, 20 s, 25.0% busy",
        said { what = why, start = 5, finish = 20, first = 2, procs = 2 })
    end
    local s = session { { what = "drained", start = 2, finish = 12, first = 2, procs = 2 } }
    assert.equal("1 job on 4 processors, 4 s, 33.3% busy", -- 4 of 4 * 4 - 2 * 2
      model.of(s, { from = 10, to = 14 }).said)
    assert.equal("1 job on 4 processors, 4 s, 25.0% busy", model.of(s, { from = 12, to = 16 }).said)
  end)
end)

describe("outages", function()
  it("of neighbours are one where they are of one time and reason", function()
    local function list(...)
      local all = {}
      for i, one in ipairs { ... } do
        all[i] = { what = one[1], start = one[2], finish = one[3], first = one[4], procs = 1 }
      end
      local found = {}
      for i, box in ipairs(model.of(session(all), {}).down) do
        found[i] = ("%s %g-%g %d-%d"):format(box.why, box.start, box.finish, box.ranges[1][1],
          box.ranges[1][2])
      end
      return table.concat(found, ", ")
    end
    assert.equal("failure 2-5 0-1, failure 2-5 3-3",
      list({ "failure", 2, 5, 3 }, { "failure", 2, 5, 1 }, { "failure", 2, 5, 0 }))
    assert.equal("drained 2-5 0-1, failure 2-5 0-1", list({ "failure", 2, 5, 1 },
      { "drained", 2, 5, 1 }, { "failure", 2, 5, 0 }, { "drained", 2, 5, 0 }))
    assert.equal("failure 1-5 1-1, failure 2-4 3-3, failure 2-5 2-2",
      list({ "failure", 2, 5, 2 }, { "failure", 1, 5, 1 }, { "failure", 2, 4, 3 }))
    assert.equal("drained 2-5 0-0, failure 2-5 1-1",
      list({ "failure", 2, 5, 1 }, { "drained", 2, 5, 0 }))
  end)

  it("say why", function()
    for why, text in pairs { failure = "processor 2 is out\n2 s to 5 s (3 s)",
      window = "processor 2 is closed, as was known\n2 s to 5 s (3 s)",
      reserved = "processor 2 is reserved\n2 s to 5 s (3 s)" } do
      assert.equal(text, model.of(session { { what = why, start = 2, finish = 5, first = 2,
        procs = 1 } }, {}).down[1].title)
    end
  end)

  it("are over for those that come back, also of several, and not for those that were", function()
    assert.same({ "0-0 2 9 drained", "1-2 2 4 drained", "3-3 3 9 drained" }, downs {
      { what = "drained", start = 2, finish = 9, first = 0, procs = 2 },
      { what = "drained", start = 2, finish = 9, first = 2, procs = 1 },
      { what = "drained", start = 3, finish = 9, first = 3, procs = 1 },
      { what = "back", start = 4, finish = 9, first = 1, procs = 2 } })
    assert.same({ "2-2 2 4 drained" }, downs {
      { what = "drained", start = 2, finish = 4, first = 2, procs = 1 },
      { what = "back", start = 4, finish = 9, first = 2, procs = 1 } })
  end)

  it("of a group are moved with it", function()
    local s = session({ { what = "failure", start = 2, finish = 5, first = 0, procs = 3 },
      { what = "failure", start = 6, finish = 7, first = 0, procs = 1 } },
      { groups = { { name = "a", procs = 1 }, { name = "main", procs = 3 } } })
    local m = model.of(s, { group = "main", to = 20 })
    assert.same({ 1, { { 0, 1 } } }, { #m.down, m.down[1].ranges })
    assert.is_nil(m.bands)
  end)

  it("leave no bands where groups are not one run of processors each", function()
    local function bands(...)
      local list = {}
      for i, one in ipairs { ... } do
        list[i] = { id = "x", position = i, attempt = 1, start = 0, finish = 9,
          outcome = "completed", group = one[1], processors = one[2] }
      end
      local m = model.of(session({ { what = "drained", start = 2, finish = 5, first = 1,
        procs = 1 } }, { groups = { { name = "a", procs = 2 }, { name = "b", procs = 2 } },
        schedule = function() return list end }), {})
      return m.bands
    end
    assert.is_nil(bands({ "a", "0" }, { "b", "1" }, { "a", "1" })) -- both have processor 1
    assert.same({ { name = "b", first = 0, procs = 2 }, { name = "a", first = 2, procs = 3 } },
      bands({ "a", "3-4" }, { "b", "0-1" }, { "a", "2" }))
    assert.same({ { name = "a", first = 0, procs = 1 }, { name = "b", first = 1, procs = 1 } },
      bands({ "a", "0" }, { "b", "1" }))
  end)
end)

describe("stints of tasks", function()
  it("are boxes of spans without a gap on the same processors, with marks over them", function()
    local kinds = { "work", "checkpoint", "lost", "downtime", "recovery", "redistribution" }
    local spans = {}
    for i, kind in ipairs(kinds) do
      spans[i] = { position = 1, id = "t", start = i, finish = i + 1, kind = kind,
        processors = "0-1" }
    end
    spans[7] = { position = 1, id = "t", start = 7, finish = 9, kind = "work", processors = "0" }
    spans[8] = { position = 1, id = "t", start = 10, finish = 12, kind = "work", processors = "0" }
    local out = { { what = "failure", start = 3, finish = 5, first = 1, procs = 1 } }
    local s = session(out, { tasks = {}, schedule = function() return spans end, faults = function()
      return { { time = 2, task = "t" }, { time = 12, processor = 0 },
        { time = 13, processor = 0 } }
    end })
    local m = model.of(s, {})
    assert.same({ "t 1 7 0-1 task t / 1 s to 7 s (6 s) / 2 processors: 0-1",
      "t 7 9 0-0 task t / 7 s to 9 s (2 s) / 1 processor: 0",
      "t 10 12 0-0 task t / 10 s to 12 s (2 s) / 1 processor: 0" }, boxes_of(m))
    assert.equal("processor 1 is out\n3 s to 5 s (2 s)", m.down[1].title)
    assert.equal("1 2 -, 7 1 -, 9 0 -, 10 1 -, 12 0 -", steps(m))
    assert.same({ "fault at 2 s, task t", "fault at 12 s, processor 0" },
      { m.marks[1].title, m.marks[2].title, m.marks[3] })
    local said = {}
    for i, one in ipairs(m.over) do
      assert.equal(m.boxes[1], one.who)
      assert.same({ kinds[i + 1], { { 0, 1 } } }, { one.look, one.ranges })
      said[i] = one.title
    end
    assert.same({ "task t takes a checkpoint\n2 s to 3 s (1 s)",
      "task t works, and a fault undoes it\n3 s to 4 s (1 s)",
      "task t is down\n4 s to 5 s (1 s)", "task t recovers\n5 s to 6 s (1 s)",
      "task t moves\n6 s to 7 s (1 s)" }, said)
    assert.equal(1, #model.of(s, { from = 6.5 }).over)
    assert.same({ 3, 2, 1 }, { #model.of(s, { from = 7 }).boxes, #model.of(s, { from = 8 }).boxes,
      #model.of(s, { to = 6.9 }).boxes })
  end)
end)

-- Ten seconds of work, a checkpoint, and a failure at 14 that undoes two seconds.
describe("attempts that write checkpoints", function()
  it("are marked where they write, recover and lose", function()
    local s = orrery.session { procs = 1, policy = "easy", checkpoint = { cost = 2, recovery = 3,
      period = 10 }, node_failures = { log = { { time = 14, processor = 0 } } },
      jobs = orrery.jobs { { id = "a", procs = 1, time = 15, submit = 0 } } }
    s:finish()
    local list, m = {}, model.of(s, {})
    for i, one in ipairs(m.over) do
      list[i] = ("%s %s %g %d %s"):format(one.look, one.who.id, one.start, one.ranges[1][2],
        one.title)
    end
    assert.same({ "checkpoint a 10 0 job a: writes a checkpoint\n10 s to 12 s (2 s)",
      "node_failure a 12 0 job a: lost to a node's failure\n12 s to 14 s (2 s)",
      "recovery a 14 0 job a: recovers\n14 s to 17 s (3 s)" }, list)
    assert.same({ m.boxes[1], m.boxes[1], m.boxes[2] },
      { m.over[1].who, m.over[2].who, m.over[3].who })
    assert.is_nil(m.boxes[1].look)
    assert.is_nil(m.boxes[1].hue)
    s = orrery.session { procs = 1, checkpoint = { cost = 2, period = 10 },
      jobs = orrery.jobs { { procs = 1, time = 15, submit = 0 } } }
    s:finish()
    assert.equal(1, #model.of(s, {}).over) -- of one attempt that completes
  end)
end)
