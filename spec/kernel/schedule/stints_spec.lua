-- The record of malleable tasks: what became of the processors' time.
local random = require "native_random"
local native = require "native_stints"
local stints = require "spec.support.stints"
local rounds = require "spec.support.rounds"

local KINDS = { "useful", "checkpoint", "lost", "recovery", "redistribution" }
local KIND_OF_SPAN = {
  work = "useful", checkpoint = "checkpoint", lost = "lost", downtime = "recovery",
  recovery = "recovery", redistribution = "redistribution",
}

-- A stint on the pair 0-1 of a task that takes 100 s, ready at once; `more` adds and replaces.
local function stint(more)
  local s = {
    task = 1, procs = 2, from = 2, start = 0, down_until = 0, recovered = 0, moved = 0, ready = 0,
    stop = 0, alpha = 1, alpha_stop = 1, time = 100, checkpoint = 2, period = 12, why = 0,
    processors = { 0, 1 },
  }
  for key, value in pairs(more or {}) do s[key] = value end
  return s
end

local function record_of(one, stop, alpha_stop, why)
  local record = native.record(1, 16)
  record:begin(one)
  if stop then record:stop(1, stop, alpha_stop, why) end
  return record
end

-- The spans as one line: "work 0-10, checkpoint 10-12".
local function line(record, now)
  local list = {}
  for i, span in ipairs(record:spans(1, now)) do
    list[i] = ("%s %g-%g"):format(span.kind, span.start, span.finish)
  end
  return table.concat(list, ", ")
end

local function spent(record)
  local all, list = record:spent(), {}
  for i, kind in ipairs(KINDS) do list[i] = all[kind] end
  assert.equal(0, all.idle)
  return list
end

local function near(expected, found, scale)
  if math.abs(expected - found) > 1e-9 * math.max(scale or 1, math.abs(expected)) then
    error(("expected %.17g, found %.17g"):format(expected, found), 2)
  end
end

describe("the time of a stint", function()
  it("without checkpoints is work", function()
    local one = stint { checkpoint = 0, period = math.huge }
    local record = record_of(one, 100, 0, stints.COMPLETED)
    assert.equal("work 0-100", line(record))
    assert.same({ 200, 0, 0, 0, 0 }, spent(record))
    record = record_of(one, 40, 0.6, stints.MOVED)
    assert.equal("work 0-40", line(record))
    assert.same({ 80, 0, 0, 0, 0 }, spent(record))
  end)

  it("without checkpoints is lost when a fault strikes", function()
    local record = record_of(stint { checkpoint = 0, period = math.huge }, 40, 1, stints.STRUCK)
    assert.equal("lost 0-40", line(record))
    assert.same({ 0, 0, 80, 0, 0 }, spent(record))
  end)

  it("with checkpoints that cost nothing is never lost", function()
    local one = stint { checkpoint = 0, period = 0 }
    local record = record_of(one, 40, 0.6, stints.STRUCK)
    assert.equal("work 0-40", line(record))
    assert.same({ 80, 0, 0, 0, 0 }, spent(record))
    assert.equal("work 0-100", line(record_of(one, 100, 0, stints.COMPLETED)))
  end)

  it("has checkpoints between the periods, and none at the end", function()
    local record = record_of(stint { alpha = 0.35 }, 41, 0, stints.COMPLETED)
    assert.equal("work 0-10, checkpoint 10-12, work 12-22, checkpoint 22-24, work 24-34, "
      .. "checkpoint 34-36, work 36-41", line(record))
    assert.same({ 70, 12, 0, 0, 0 }, spent(record))
  end)

  it("ends with a checkpoint when the last period is a whole one", function()
    local record = record_of(stint { alpha = 0.2 }, 24, 0, stints.COMPLETED)
    assert.equal("work 0-10, checkpoint 10-12, work 12-22, checkpoint 22-24", line(record))
    assert.same({ 40, 8, 0, 0, 0 }, spent(record))
  end)

  it("has no slivers where rounding moves the end of a period", function()
    local rng, moved = random(503), 0
    for _ = 1, 300 do
      local ready, work, C = rng:uniform(0, 1e4), rng:uniform(0.1, 9), rng:uniform(0.01, 2)
      local n, time = rng:integer(1, 20), rng:uniform(100, 900)
      local one = stint {
        start = ready, down_until = ready, recovered = ready, moved = ready, ready = ready,
        time = time, alpha = n * work / time, checkpoint = C, period = work + C,
      }
      local stop = ready + n * work + n * C
      if stop ~= ready + n * (work + C) then moved = moved + 1 end
      assert.equal(2 * n, #record_of(one, stop, 0, stints.COMPLETED):spans(1))
    end
    assert.is_true(moved > 50)
  end)

  it("is lost from the last complete period on when a fault strikes", function()
    local record = record_of(stint(), 31, 0.8, stints.STRUCK)
    assert.equal("work 0-10, checkpoint 10-12, work 12-22, checkpoint 22-24, lost 24-31",
      line(record))
    assert.same({ 40, 8, 14, 0, 0 }, spent(record))
    -- in a checkpoint: the period is not complete
    record = record_of(stint(), 23.5, 0.9, stints.STRUCK)
    assert.equal("work 0-10, checkpoint 10-12, lost 12-23.5", line(record))
    assert.same({ 20, 4, 23, 0, 0 }, spent(record))
    -- when the period is just over, and before the first is
    assert.equal("work 0-10, checkpoint 10-12", line(record_of(stint(), 12, 0.9, stints.STRUCK)))
    assert.same({ 20, 4, 0, 0, 0 }, spent(record_of(stint(), 12, 0.9, stints.STRUCK)))
    assert.equal("lost 0-9", line(record_of(stint(), 9, 1, stints.STRUCK)))
    assert.equal("", line(record_of(stint(), 0, 1, stints.STRUCK)))
  end)

  it("keeps its work at a move, also when a checkpoint is under way", function()
    local record = record_of(stint(), 15, 0.87, stints.MOVED)
    assert.equal("work 0-10, checkpoint 10-12, work 12-15", line(record))
    assert.same({ 26, 4, 0, 0, 0 }, spent(record))
    record = record_of(stint(), 11, 0.9, stints.MOVED)
    assert.equal("work 0-10, checkpoint 10-11", line(record))
    for i, expected in ipairs { 20, 2, 0, 0, 0 } do near(expected, spent(record)[i]) end
  end)

  it("begins with downtime, recovery, redistribution and a checkpoint", function()
    local record = record_of(stint {
      procs = 6, from = 4, start = 100, down_until = 103, recovered = 107, moved = 108.5,
      ready = 110.5, processors = { 0, 3, 8, 9 }, alpha = 0.15, time = 80,
    }, 124.5, 0, stints.COMPLETED)
    assert.equal("downtime 100-103, recovery 103-107, redistribution 107-108.5, "
      .. "checkpoint 108.5-110.5, work 110.5-120.5, checkpoint 120.5-122.5, work 122.5-124.5",
      line(record))
    assert.same({ 72, 24, 0, 42, 9 }, spent(record))
    local span = record:spans(1)[1]
    assert.same({ 1, 6, 1 }, { span.task, span.procs, span.stint })
    assert.same({ 0, 3, 8, 9 }, record:list()[1].processors)
  end)

  it("is shown up to now", function()
    local running = record_of(stint { alpha = 0.35 })
    assert.equal("work 0-10, checkpoint 10-11", line(running, 11))
    assert.equal("work 0-7", line(running, 7))
    assert.equal("", line(running, 0))
    -- a running one has no more than its work
    assert.equal(line(record_of(stint { alpha = 0.35 }, 41, 0, stints.COMPLETED)), line(running))
    assert.equal("work 0-100", line(record_of(stint { checkpoint = 0, period = math.huge })))
    assert.equal("work 0-100", line(record_of(stint { checkpoint = 0, period = 0 })))
    local struck = record_of(stint(), 31, 0.8, stints.STRUCK)
    assert.equal("work 0-10, checkpoint 10-12, work 12-20", line(struck, 20))
    assert.equal("downtime 0-1.5", line(record_of(stint {
      down_until = 2, recovered = 3, moved = 4, ready = 5,
    }), 1.5))
    -- a visitor may stop
    assert.equal(3, #struck:spans(1, math.huge, 3))
  end)

  it("is one span of work where the clock does not tell periods apart", function()
    local one = stint { start = 1e9, down_until = 1e9, recovered = 1e9, moved = 1e9, ready = 1e9 }
    one.checkpoint, one.period = 1e-20, 1e-10
    assert.equal("work 1e+09-1e+09", line(record_of(one, 1e9 + 100, 0, stints.COMPLETED)))
  end)
end)

describe("a record", function()
  local function plain(list)
    local copy = {}
    for i, s in ipairs(list) do
      copy[i] = {}
      for key, value in pairs(s) do copy[i][key] = value end
      copy[i].ends, copy[i].order = nil, nil
    end
    return copy
  end

  it("has the stints by start and task, however an event began them", function()
    local rng = random(501)
    local record, moved = nil, 0
    for _ = 1, rounds(200, 200, 66) do
      local run = stints.run(rng, function(tasks, procs)
        record = native.record(tasks, procs)
        return record
      end)
      local list = record:list()
      local current = list.current
      list.current = nil
      assert.same(plain(run.stints), list)
      for task, at in ipairs(current) do
        assert.equal(task, list[at].task)
        assert.equal(stints.COMPLETED, list[at].why)
      end
      local copy = native.record(#run.tasks, run.procs)
      copy:copy(record)
      assert.same(record:list(), copy:list())
      record:clear()
      assert.same({}, { table.unpack(record:list()) })
      assert.equal(#list, #copy:list())
      moved = moved + #list - #run.tasks - run.effective
    end
    assert.is_true(moved > 200)
  end)

  it("accounts for every second of every processor once, in spans as in sums", function()
    local rng, record = random(502), nil
    local seen = {}
    for _ = 1, rounds(300, 300, 25) do
      local run = stints.run(rng, function(tasks, procs)
        record = native.record(tasks, procs)
        return record
      end)
      local done = {}
      for i, s in ipairs(run.stints) do
        local at, sums = s.start, {}
        for _, span in ipairs(record:spans(i)) do
          assert.equal(at, span.start)
          assert.is_true(span.start < span.finish)
          at = span.finish
          seen[span.kind] = true
          local kind = KIND_OF_SPAN[span.kind]
          sums[kind] = (sums[kind] or 0) + s.procs * (span.finish - span.start)
        end
        assert.equal(s.stop, at)
        local one, all = record:spent(i, i), 0
        for _, kind in ipairs(KINDS) do
          near(sums[kind] or 0, one[kind], run.makespan)
          assert.is_true(one[kind] >= 0)
          all = all + one[kind]
        end
        near(s.procs * (s.stop - s.start), all)
        done[s.task] = (done[s.task] or 0) + one.useful / (s.procs * s.time)
      end
      for _, share in ipairs(done) do near(1, share) end
    end
    for kind in pairs(KIND_OF_SPAN) do assert.is_true(seen[kind], kind) end
  end)

  it("that gets no memory says so and leaves nothing behind", function()
    local allowed = 0
    local fine, status, bytes = native.starve(allowed)
    while not fine do
      assert.same({ 1, 0 }, { status, bytes })
      allowed = allowed + 1
      fine, status, bytes = native.starve(allowed)
    end
    assert.same({ 0, 0 }, { status, bytes })
    assert.is_true(allowed > 6)
  end)
end)
