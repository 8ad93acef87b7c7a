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
