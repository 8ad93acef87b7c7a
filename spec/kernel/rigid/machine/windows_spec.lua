-- Windows (READINGS 48), held against a naive reference: processors in sets, windows in a list.
local orrery = require "orrery"
local events = require "spec.support.events"
local rounds = require "spec.support.rounds"

-- A simulation to its end, and what it did.
local function history_of(spec)
  local sim = events.simulation(spec)
  local ok, message = pcall(sim.finish, sim)
  local lines = ok and events.lines(sim:attempts())
  local fine, objection = true, nil
  if ok then fine, objection = sim:check() end
  sim:destroy()
  if not ok then error(message, 2) end
  assert(fine, objection)
  return lines
end

local function by_hand(procs, group, jobs, windows)
  local spec = { procs = procs, verification = 0, groups = { group }, windows = windows }
  group.procs = procs
  for i, job in ipairs(jobs) do
    spec[i] = { procs = job[1], time = job[2], submit = job[3] or 0, user = job.user }
  end
  return history_of(spec)
end

local function easy() return { discipline = "list", reservations = 1 } end

describe("by hand", function()
  -- Four processors, of which 2 and 3 are closed from 10 to 20. Job 1 ends before, job 2 would not,
  -- and has to wait; job 3 is narrow enough to run beside the window.
  local JOBS = { { 4, 8 }, { 3, 5 }, { 2, 30 } }
  local CLOSED = { { from = 10, to = 20, first = 2, count = 2 } }

  it("nobody is planned into a window", function()
    assert.same({
      "job 1 attempt 1 in group 1: 0 to 8, completed, on 0 1 2 3",
      "job 2 attempt 1 in group 1: 20 to 25, completed, on 0 1 2",
      "job 3 attempt 1 in group 1: 25 to 55, completed, on 0 1",
    }, by_hand(4, easy(), JOBS, CLOSED))
    assert.same({
      "job 1 attempt 1 in group 1: 0 to 8, completed, on 0 1 2 3",
      "job 3 attempt 1 in group 1: 8 to 38, completed, on 0 1",
      "job 2 attempt 1 in group 1: 38 to 43, completed, on 0 1 2",
    }, by_hand(4, { discipline = "list", reservations = 0 }, JOBS, CLOSED))
  end)

  -- Six processors, of which 5 is closed from 30 to 40. Jobs 1 and 2 run on 0 to 2 until 4 and on 3
  -- to 5 until 10; job 3 is planned from 10 to 15, job 4 beside it from 4 to 12. Job 5 is the first
  -- that reaches the window, and waits for all processors. Then job 4, which starts first, is given
  -- 0 and 1, and job 3 the others: if job 3 chose first, it would take 0 to 3, and job 4 would find
  -- none before 10.
  local BINDING = { { 3, 4 }, { 3, 10 }, { 4, 5 }, { 2, 8 }, { 6, 20 } }
  local BOUND = {
    "job 1 attempt 1 in group 1: 0 to 4, completed, on 0 1 2",
    "job 2 attempt 1 in group 1: 0 to 10, completed, on 3 4 5",
    "job 4 attempt 1 in group 1: 4 to 12, completed, on 0 1",
    "job 3 attempt 1 in group 1: 10 to 15, completed, on 2 3 4 5",
    "job 5 attempt 1 in group 1: 40 to 60, completed, on 0 1 2 3 4 5",
  }
  local BEHIND = { { from = 30, to = 40, first = 5, count = 1 } }

  it("promises bind to processors in order of their starts", function()
    assert.same(BOUND, by_hand(6, { discipline = "conservative" }, BINDING, BEHIND))
  end)

  it("reservations of a policy bind to processors when one reaches a window", function()
    local reserved = {}
    local function dispatch(sim, group)
      for _, position in ipairs(sim:waiting(group)) do
        if sim:can_start(position) then
          sim:start(position)
        elseif sim:now() < 4 then
          reserved[#reserved + 1] = ("%d at %g"):format(position, sim:reserve(position))
        else
          sim:reserve(position)
        end
      end
    end
    local lines = by_hand(6, { discipline = "custom", dispatch = dispatch }, BINDING, BEHIND)
    assert.same({ "3 at 10", "4 at 4", "5 at 40" }, reserved)
    table.remove(lines, 3) -- which processors the others get is another question
    assert.equal("job 5 attempt 1 in group 1: 40 to 60, completed, on 0 1 2 3 4 5", lines[#lines])
  end)

  it("a reservation is for its user and its job alone", function()
    local windows = { { from = 5, to = 20, first = 0, count = 3, user = "ann" } }
    assert.same({
      "job 1 attempt 1 in group 1: 0 to 4, completed, on 0 1",
      "job 3 attempt 1 in group 1: 6 to 16, completed, on 0 1",
      "job 2 attempt 1 in group 1: 20 to 30, completed, on 0 1",
    }, by_hand(4, easy(), { { 2, 4, user = "bob" }, { 2, 10, user = "bob" },
      { 2, 10, 6, user = "ann" } }, windows))
    windows[1].user, windows[1].job = nil, "2"
    assert.same({
      "job 1 attempt 1 in group 1: 0 to 4, completed, on 0 1",
      "job 2 attempt 1 in group 1: 0 to 10, completed, on 2 3",
      "job 3 attempt 1 in group 1: 20 to 30, completed, on 0 1",
    }, by_hand(4, easy(), { { 2, 4, user = "bob" }, { 2, 10, user = "bob" },
      { 2, 10, 6, user = "ann" } }, windows))
  end)

  -- A policy that looks at nothing starts job 1 at 0; it is interrupted at 5, and starts anew when
  -- the window closes.
  it("who still runs when one opens is interrupted", function()
    local custom = { discipline = "custom", dispatch = function(sim)
      for _, j in ipairs(sim:waiting(1)) do
        if sim:free(1) >= 2 then sim:start(j) end
      end
    end }
    assert.same({
      "job 1 attempt 1 in group 1: 0 to 5, node_failure, on 0 1",
      "job 1 attempt 2 in group 1: 7 to 17, completed, on 0 1",
    }, by_hand(2, custom, { { 2, 10 } }, { { from = 5, to = 7, first = 1, count = 1 } }))
  end)

  it("the machine has a size over time", function()
    assert.same({
      "job 1 attempt 1 in group 1: 0 to 8, completed, on 0 1",
      "job 2 attempt 1 in group 1: 8 to 11, completed, on 0 1",
      "job 3 attempt 1 in group 1: 20 to 25, completed, on 0 1 2 3",
    }, by_hand(4, easy(), { { 2, 8 }, { 2, 3, 7 }, { 4, 5, 7 } }, {
      { from = 6, to = 20, first = -2, count = 2 } }))
  end)

  it("a job that no window leaves enough for never starts", function()
    assert.has_error(function()
      by_hand(4, easy(), { { 4, 8 } }, { { from = 6, to = math.huge, first = -1, count = 2 } })
    end)
  end)
end)

describe("jobs beside windows", function()
  for _, discipline in ipairs { "list", "conservative", "fcfs", "shelf" } do
    it("run where the reference runs them: " .. discipline, function()
      for seed = 1, rounds(2000, 200) do
        events.compare(seed, { windows = true, hooks = false, outages = false, groups = 1,
          custom = false, discipline = discipline })
      end
    end)
  end

  -- Plans take windows in as searches come to them.
  it("run where the reference runs them, also between many", function()
    for seed = 1, rounds(1000, 120) do
      events.compare(seed, { windows = "many", outages = seed % 3 == 0, groups = 1 + seed % 2 })
      events.compare(seed, { windows = "many", hooks = false, outages = false, groups = 1,
        custom = false, discipline = ({ "list", "conservative", "fcfs" })[seed % 3 + 1] })
    end
  end)

  -- Which tell more than 64 parts of the machine apart.
  it("run where the reference runs them, also on large machines #long", function()
    for seed = 1, rounds(1000, 60) do
      events.compare(seed, { windows = "many", procs = { 129, 150 }, hooks = false,
        outages = seed % 4 == 0, groups = 1, custom = false,
        discipline = ({ "list", "conservative", "fcfs" })[seed % 3 + 1] })
    end
  end)

  it("do so with groups, nodes that fail, policies of their own and hooks that act", function()
    local struck = 0
    for seed = 1, rounds(5000, 400, 100) do
      struck = struck + events.compare(seed, { windows = true }).totals.node_failure
    end
    assert.is_true(struck > 20)
  end)
end)

-- EASY's head, behind jobs that start at 0, held against every start: at the first time at which
-- enough processors are free until its end it starts, whoever is behind it.
describe("the head of EASY beside windows", function()
  local function earliest(procs, started, windows, head)
    for from = 1, 200 do
      local free = 0
      for p = 0, procs - 1 do
        local open = true
        for _, w in ipairs(windows) do
          local inside = p >= w.first and p < w.first + w.count
          open = open and not (inside and w.from < from + head.time and w.to > from)
        end
        for _, a in ipairs(started) do
          open = open and not (a.on[p] and a.finish > from)
        end
        free = free + (open and 1 or 0)
      end
      if free >= head.procs then return from end
    end
  end

  it("starts at the earliest of all starts", function()
    local waited = 0
    for seed = 1, rounds(3000, 300, 300) do
      local rng = orrery.random(seed)
      local procs = rng:integer(2, 12)
      local spec = { procs = procs, verification = 0, groups = { easy() }, windows = {} }
      spec.groups[1].procs = procs
      for i = 1, rng:integer(1, 4) do
        local from, first = rng:integer(1, 30), rng:integer(0, procs - 1)
        spec.windows[i] = { from = from, to = from + rng:integer(1, 15), first = first,
          count = rng:integer(1, procs - first) }
      end
      for i = 1, rng:integer(1, 5) do
        spec[i] = { procs = rng:integer(1, procs), time = rng:integer(1, 20), submit = 0 }
      end
      local early, started = #spec, {}
      spec[early + 1] = { procs = rng:integer(1, procs), time = rng:integer(1, 25), submit = 1 }
      local head = spec[early + 1]
      for _ = 1, rng:integer(0, 6) do
        spec[#spec + 1] = { procs = rng:integer(1, procs), time = rng:integer(1, 25), submit = 1 }
      end
      local sim = events.simulation(spec)
      sim:finish()
      local found, at_once = nil, 0
      for _, a in ipairs(sim:attempts()) do
        if a.position == early + 1 then found = a.start end
        if a.position <= early and a.start == 0 then
          at_once = at_once + 1
          local one = { finish = a.finish, on = {} }
          for i = 1, #a.processors, 2 do
            for p = a.processors[i], a.processors[i + 1] do one.on[p] = true end
          end
          started[at_once] = one
        end
      end
      sim:destroy()
      if at_once == early then -- so it is the head at 1
        assert.equal(earliest(procs, started, spec.windows, head), found, "seed " .. seed)
        waited = waited + (found > 1 and 1 or 0)
      end
    end
    assert.is_true(waited > 30)
  end)
end)

describe("a copy between windows", function()
  it("has the same future, and so has one that was changed by nothing", function()
    for seed = 1, rounds(1000, 150) do
      local spec, rng = events.drawn(seed, { windows = true })
      local sim = events.simulation(spec)
      for _ = 1, rng:integer(0, 12) do sim:step() end
      local copy, changed = sim:copy(), sim:transplant()
      for _, one in ipairs { sim, copy, changed } do one:finish() end
      assert.same(events.lines(sim:attempts()), events.lines(copy:attempts()))
      assert.same(events.lines(sim:attempts()), events.lines(changed:attempts()))
      assert.is_true(copy:check())
      for _, one in ipairs { sim, copy, changed } do one:destroy() end
    end
  end)
end)
