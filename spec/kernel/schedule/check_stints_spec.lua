-- The checker of malleable tasks: right records pass, and every broken rule has its message.
local comma = require "spec.support.comma_locale"
local random = require "native_random"
local native = require "native_stints"
local stints = require "spec.support.stints"
local rounds = require "spec.support.rounds"

local RUNNING, COMPLETED = stints.RUNNING, stints.COMPLETED
local STRUCK, MOVED = stints.STRUCK, stints.MOVED

-- Worked by hand. C = 2 everywhere; on 2 processors mu = 25, tau - C = sqrt(2 25 2) = 10, on 8
-- mu = 6.25, tau - C = 5. Redistribution between 2 and 8 of 160 data units: 6 rounds of
-- 160 / (2 8 10) + 0.5, and a start of 1: 10 s. Task "long" takes 100 s on 2 processors, 50 on 8,
-- task "short" 20 on 8.
--
--   short  0 - 28 on 8: four periods of 5 + 2.
--   long   0 - 28 on 2: two periods of 10 + 2 and 4 of work are 24 of 100, left 0.76. Moved to 8.
--          28 - 56.5: redistributed until 38, checkpoint until 40; two periods of 5 + 2, and 2.5 s
--          lost to the fault on processor 3; 10 of 50 done, left 0.56. Moved to 2.
--          56.5 - 90: down until 59.5, recovered (R of 8 processors) at 61.5, redistributed until
--          71.5, checkpoint until 73.5; one period of 10 + 2, 4.5 s lost; left 0.46.
--          90 - 149: down until 93, recovered at 95; 46 s of work, four checkpoints.
local function stint(task, procs, processors, times, alpha, why, left)
  return {
    task = task, procs = procs, processors = processors, start = times[1], down_until = times[2],
    recovered = times[3], moved = times[4], ready = times[5], stop = times[6], alpha = alpha,
    alpha_stop = left, why = why, from = times.from or procs, checkpoint = 2,
    time = task == 2 and 20 or procs == 2 and 100 or 50, period = procs == 2 and 12 or 7,
  }
end

local function example()
  return {
    procs = 13,
    platform = {
      mtbf = 50, downtime = 3, checkpoint_unit = 0, checkpoint_fixed = 2, startup = 1,
      latency = 0.5, bandwidth = 10, rule = "young",
    },
    tasks = {
      { id = "long", size = 160, times = { 150, 100, 90, 80, 70, 65, 57, 50 } },
      { id = "short", size = 7, times = { 30, 20 } },
    },
    stints = {
      stint(1, 2, { 0, 1 }, { 0, 0, 0, 0, 0, 28 }, 1, MOVED, 0.76),
      stint(2, 8, { 2, 5, 8, 11 }, { 0, 0, 0, 0, 0, 28 }, 1, COMPLETED, 0),
      stint(1, 8, { 0, 5, 10, 11 }, { 28, 28, 28, 38, 40, 56.5, from = 2 }, 0.76, STRUCK, 0.56),
      stint(1, 2, { 4, 5 }, { 56.5, 59.5, 61.5, 71.5, 73.5, 90, from = 8 }, 0.56, STRUCK, 0.46),
      stint(1, 2, { 4, 5 }, { 90, 93, 95, 95, 95, 149 }, 0.46, COMPLETED, 0),
    },
    faults = {
      { time = 10, processor = 7 }, -- idle
      { time = 28, processor = 2 }, -- its task has just completed
      { time = 28, task = 2 },
      { time = 30, processor = 0 }, -- not ready
      { time = 50, processor = 12 }, -- has no buddy, belongs to nobody
      { time = 56.5, processor = 3 },
      { time = 60, processor = 0 }, -- no longer its task's
      { time = 61, task = 1 }, -- recovering
      { time = 90, task = 1 },
    },
  }
end

local function rejected(message, change)
  local run = example()
  run = change(run, run.stints) or run
  local ok, found, status = native.check(run)
  assert.is_nil(ok)
  assert.equal(8, status)
  if not found:find(message, 1, true) then
    error(("expected '%s' in: %s"):format(message, found), 2)
  end
  assert.is_truthy(found:find("^stint check: "))
end

describe("the checker of stints", function()
  it("accepts the example worked by hand, whose time adds up", function()
    local run = example()
    assert.is_true(native.check(run))
    run.faults = nil
    assert.is_true(native.check(run))
    local record = native.record(2, 13)
    for _, s in ipairs(run.stints) do
      record:begin(s)
      record:stop(s.task, s.stop, s.alpha_stop, s.why)
    end
    local spent = record:spent()
    for kind, expected in pairs {
      useful = 400, checkpoint = 144, lost = 29, recovery = 20, redistribution = 100,
    } do
      assert.is_true(math.abs(spent[kind] - expected) < 1e-9, kind)
    end
  end)

  it("accepts random runs, whole and as they stand at any instant", function()
    local rng, seen = random(511), {}
    for _ = 1, rounds(1500, 1500, 500) do
      local run = stints.run(rng)
      assert.is_true(native.check(run))
      local part = stints.until_now(run, rng:uniform(0, run.makespan))
      assert.is_true(native.check(part))
      part.partial = false
      local _, message = native.check(part)
      assert.matches("is still running at the end of the run", message, 1, true)
      for _, s in ipairs(run.stints) do
        local key = ("%d %s"):format(s.why, s.period == 0 and "free" or
          s.period == math.huge and "none" or "checkpoints")
        seen[key] = (seen[key] or 0) + 1
      end
    end
    for why = COMPLETED, MOVED do
      for _, kind in ipairs { "free", "none", "checkpoints" } do
        assert.is_true((seen[why .. " " .. kind] or 0) > 100, why .. " " .. kind)
      end
    end
  end)

  it("names task, stint, time and numbers", function()
    local run = example()
    run.stints[3].moved = 38.25
    assert.equal("stint check: task long, stint 2 from 28 to 56.5 (struck): end of the "
      .. "redistribution: found 38.25, expected 38", (select(2, native.check(run))))
  end)

  it("rejects processors that two tasks hold", function()
    rejected("processors 2-3 are held by task short until 28", function(_, s)
      s[3].start, s[1].stop, s[1].alpha_stop, s[3].alpha = 27, 27, 0.77, 0.77
      s[3].down_until, s[3].recovered, s[3].moved, s[3].ready = 27, 27, 37, 39
      s[3].alpha_stop = 0.57
    end)
    rejected("processors 0-1 are held by task long until 28", function(_, s)
      s[2].processors = { 0, 3, 8, 11 }
    end)
  end)

  it("rejects processors that are not whole pairs on the machine", function()
    rejected("processors 1-2 are not whole pairs of buddies", function(_, s)
      s[1].processors = { 1, 2 }
    end)
    rejected("processors 4-4 are not whole pairs", function(_, s) s[5].processors = { 4, 4 } end)
    rejected("processors 12-13 are out of order or not on the machine", function(_, s)
      s[5].processors = { 12, 13 }
    end)
    rejected("processors 8-11 are out of order", function(_, s)
      s[2].processors = { 10, 11, 8, 11 }
    end)
    rejected("processors 4-5 are out of order", function(_, s)
      s[2].processors = { 2, 3, 4, 5, 8, 11 } -- would be one interval
    end)
    rejected("number of processors: found 6, expected 8", function(_, s)
      s[2].processors = { 2, 5, 8, 9 }
    end)
    rejected("number of processors: found 8, expected 7", function(_, s) s[2].procs = 7 end)
    rejected("its processors are not in the record", function(_, s) s[1].processors = {} end)
  end)

  it("rejects a redistribution that changes the processors which both have", function()
    local message = "those that both have were changed"
    rejected(message, function(_, s) s[3].processors = { 2, 9 } end)
    rejected(message, function(_, s)
      s[4].processors = { 6, 7 }
      s[5].processors = { 6, 7 }
    end)
    rejected(message, function(_, s) s[5].processors = { 6, 7 } end)
  end)

  it("rejects a start that is none", function()
    rejected("task short was never started", function(_, s) table.remove(s, 2) end)
    rejected("start of the task: found 1, expected 0", function(run, s)
      s[2].start = 1
      run.faults = nil
    end)
    rejected("share of the work left at the start: found 0.5", function(_, s) s[2].alpha = 0.5 end)
    rejected("processors before its start: found 2", function(_, s) s[2].from = 2 end)
    for _, field in ipairs { "down_until", "recovered", "moved", "ready" } do
      rejected("at the start: found 2, expected 0", function(_, s) s[2][field] = 2 end)
    end
    rejected("no task at position 2", function(_, s) s[2].task = 3 end)
  end)

  it("rejects a gap, an overlap, and what comes after the completion", function()
    rejected("start, where the stint before stopped: found 91, expected 90", function(_, s)
      s[5].start = 91
    end)
    rejected("start, where the stint before stopped: found 89, expected 90", function(_, s)
      s[5].start = 89
    end)
    rejected("the stint of this task before it is completed", function(_, s)
      s[6] = stint(1, 2, { 4, 5 }, { 149, 149, 149, 149, 149, 149 }, 0, COMPLETED, 0)
    end)
    rejected("the stint of this task before it is running", function(run, s)
      run.partial = true
      s[4].why = RUNNING
    end)
    rejected("is the task's last, which was not completed", function(_, s) s[5] = nil end)
    rejected("is still running at the end of the run", function(_, s) s[5].why = RUNNING end)
    rejected("for the unknown reason 5", function(_, s) s[5].why = 5 end)
    rejected("recorded behind a stint that starts later", function(_, s)
      s[2], s[3] = s[3], s[2]
    end)
    rejected("recorded behind a stint that starts later", function(_, s)
      s[1], s[2] = s[2], s[1]
    end)
  end)

  -- "long" is cancelled at 60, in its recovery, with 56 of 100 left; at 80, after 6.5 s
  -- of work; at 84 and 85, while it saves what it did in 10 s.
  it("accepts tasks that are cancelled, and knows what is left", function()
    local CANCELLED = stints.CANCELLED
    local function cancelled(time, left)
      local run = example()
      run.stints[5], run.faults[9] = nil, nil
      run.stints[4].stop, run.stints[4].why, run.stints[4].alpha_stop = time, CANCELLED, left
      while run.faults[#run.faults].time > time do table.remove(run.faults) end
      return run
    end
    assert.is_true(native.check(cancelled(60, 0.56)))
    assert.is_true(native.check(cancelled(85, 0.46)))
    assert.is_true(native.check(cancelled(84, 0.46)))
    assert.is_true(native.check(cancelled(80, 0.495)))
    rejected("share of the work left at a move: found 0.46", function()
      return cancelled(80, 0.46)
    end)
    rejected("stops before it is ready: found 56, expected 56.5", function()
      return cancelled(56, 0.56)
    end)
    rejected("the stint of this task before it is cancelled", function(_, s)
      s[4].why, s[4].alpha_stop = CANCELLED, 0.415
    end)
  end)

  it("rejects stops before the task is ready", function()
    rejected("stops before it is ready: found 39.5, expected 40", function(_, s)
      s[3].stop = 39.5
    end)
    rejected("stops before it is ready", function(_, s) s[3].stop = 0 / 0 end)
    rejected("stops before it is ready", function(_, s) s[4].stop, s[4].why = 73, MOVED end)
  end)

  it("rejects downtimes, recoveries, redistributions and checkpoints of a wrong length", function()
    rejected("end of the downtime: found 59, expected 59.5", function(_, s)
      s[4].down_until = 59
    end)
    rejected("end of the recovery: found 62, expected 61.5", function(_, s)
      s[4].recovered = 62
    end)
    rejected("end of the redistribution: found 61.5, expected 71.5", function(_, s)
      s[4].moved = 61.5
    end)
    rejected("end of the redistribution: found 37, expected 38", function(_, s)
      s[3].moved, s[3].ready = 37, 39
    end)
    rejected("end of the first checkpoint: found 71.5, expected 73.5", function(_, s)
      s[4].ready = 71.5
    end)
    -- where there is none
    rejected("end of the downtime: found 31, expected 28", function(_, s)
      s[3].down_until = 31
    end)
    rejected("end of the recovery: found 30, expected 28", function(_, s)
      s[3].recovered = 30
    end)
    rejected("end of the first checkpoint: found 97, expected 95", function(_, s)
      s[5].ready = 97
    end)
    rejected("processors before the redistribution: found 2, expected 8", function(_, s)
      s[4].from = 2
    end)
    rejected("the stint before stopped for a move, but both have 2 processors", function(_, s)
      s[4].why, s[4].alpha_stop, s[5].alpha = MOVED, 0.415, 0.415
    end)
  end)

  it("rejects wrong costs", function()
    rejected("t(j): found 90, expected 100", function(_, s) s[1].time = 90 end)
    rejected("C, a checkpoint: found 1.5, expected 2", function(_, s) s[1].checkpoint = 1.5 end)
    rejected("tau, the period: found 10, expected 12", function(_, s) s[1].period = 10 end)
    rejected("tau, the period: found 12, expected 14", function(run)
      run.platform.mtbf = 72
    end)
    rejected("tau, the period: found 12, expected ", function(run) run.platform.rule = "daly" end)
    rejected("C, a checkpoint: found 2, expected 0", function(run)
      run.platform.mtbf = math.huge
    end)
  end)

  it("rejects wrong work", function()
    rejected("share of the work left by a fault: found 0.51000000000000001, expected 0.5",
      function(_, s) s[3].alpha_stop = 0.51 end)
    rejected("share of the work left at a move: found 0.71999999999999997, expected 0.76",
      function(_, s) s[1].alpha_stop = 0.72 end)
    rejected("share of the work left: found 0.5", function(_, s) s[4].alpha = 0.5 end)
    rejected("completes at another time than it must: found 147, expected 149", function(_, s)
      s[5].stop = 147 -- a checkpoint is missing
    end)
    rejected("completes at another time than it must: found 26, expected 28", function(_, s)
      s[2].stop = 26 -- and the one at the end
    end)
    rejected("completes at another time than it must", function(_, s) s[5].stop = 149 + 1e-9 end)
    rejected("share of the work left at its completion: found 0.1", function(_, s)
      s[5].alpha_stop = 0.1
    end)
  end)

  it("rejects strikes without faults and faults without strikes", function()
    rejected("is struck, but there is no such fault", function(run) table.remove(run.faults) end)
    rejected("is struck, but there is no such fault", function(run)
      run.faults[6].processor = 8 -- idle
    end)
    rejected("is struck, but there is no such fault", function(run)
      run.faults[6].processor, run.faults[6].task = nil, 2
    end)
    local function with(fault)
      return function(run)
        table.insert(run.faults, fault)
        table.sort(run.faults, function(a, b) return a.time < b.time end)
      end
    end
    local message = "was not struck by the fault at "
    rejected("task long, stint 0 from 0 to 28 (moved): ready since 0, " .. message
      .. "5 on processor 1", with { time = 5, processor = 1 })
    rejected(message .. "40 on task 0", with { time = 40, task = 1 }) -- just ready
    rejected(message .. "0 on processor 9", with { time = 0, processor = 9 })
    rejected(message .. "0 on processor 9", function(run)
      table.insert(run.faults, 1, { time = 0, processor = 12 })
      table.insert(run.faults, 1, { time = 0, processor = 9 })
    end)
    rejected("is out of order, or names nothing", with { time = 5, processor = 13 })
    rejected("is out of order, or names nothing", with { time = 5 })
    rejected("is out of order, or names nothing", function(run)
      table.insert(run.faults, 1, { time = 11, processor = 7 })
    end)
    rejected("is moved when no task completes, is cancelled, or is struck", function(run, s)
      s[1].stop, s[1].alpha_stop = 29, 0.75 -- one second late
      s[3].start, s[3].down_until, s[3].recovered, s[3].moved, s[3].ready = 29, 29, 29, 39, 41
      s[3].alpha, s[3].alpha_stop, s[4].alpha, s[4].alpha_stop = 0.75, 0.55, 0.55, 0.45
      s[5].alpha, s[5].stop, run.faults = 0.45, 148, nil
    end)
  end)

  -- Without checkpoints, and a task that takes 100 s on any number of processors.
  local function bare(task, processors, from, start, ready, stop, alpha, why, left)
    local procs = 0
    for i = 1, #processors, 2 do procs = procs + processors[i + 1] - processors[i] + 1 end
    return {
      task = task, procs = procs, processors = processors, from = from, start = start,
      down_until = start, recovered = start, moved = ready, ready = ready, stop = stop,
      alpha = alpha, alpha_stop = left, why = why, checkpoint = 0, period = math.huge,
      time = task == 1 and 100 or 50,
    }
  end

  local function bare_run(startup, list, faults)
    return {
      procs = 6, stints = list, faults = faults,
      platform = {
        mtbf = math.huge, downtime = 0, checkpoint_unit = 1, checkpoint_fixed = 1, latency = 0,
        startup = startup, bandwidth = math.huge, rule = "young",
      },
      tasks = { { size = 9, times = { 100 } }, #list > 3 and { size = 0, times = { 50 } } or nil },
    }
  end

  local function on(...)
    local faults = {}
    for i, processor in ipairs { ... } do faults[i] = { time = 10, processor = processor } end
    return faults
  end

  local function verdict(run)
    local ok, message = native.check(run)
    if ok then return "fine" end
    return message:match "was not struck.*" or message:match ": ([^:]*)$"
  end

  it("counts faults on one task at one instant", function()
    local list = {
      bare(1, { 0, 1 }, 2, 0, 0, 10, 1, STRUCK, 1), bare(1, { 0, 1 }, 2, 10, 10, 10, 1, STRUCK, 1),
      bare(1, { 0, 1 }, 2, 10, 10, 110, 1, COMPLETED, 0),
    }
    assert.equal("2 strikes at 10, where there are 1 faults", verdict(bare_run(0, list, on(0))))
    assert.equal("is struck, but there is no such fault", verdict(bare_run(0, list, on(2, 4))))
    assert.equal("fine", verdict(bare_run(0, list, on(0, 0))))
    assert.equal("fine", verdict(bare_run(0, list, on(0, 1, 2, 5))))
  end)

  it("knows that faults come after the completions of their instant", function()
    local before = {
      bare(1, { 0, 1 }, 2, 0, 0, 50, 1, MOVED, 0.5),
      bare(2, { 2, 3 }, 2, 0, 0, 50, 1, COMPLETED, 0),
    }
    local going = bare(1, { 0, 3 }, 2, 50, 50, 100, 0.5, COMPLETED, 0)
    local struck = bare(1, { 0, 3 }, 2, 50, 50, 50, 0.5, STRUCK, 0.5)
    local again = bare(1, { 0, 3 }, 4, 50, 50, 100, 0.5, COMPLETED, 0)
    for processor = 0, 3 do
      local fault = { { time = 50, processor = processor } }
      local run = bare_run(0, { before[1], before[2], struck, again }, fault)
      assert.equal("fine", verdict(run))
      run.stints = { before[1], before[2], going }
      assert.equal("was not struck by the fault at 50 on processor " .. processor, verdict(run))
      run.faults[1].processor = 4
      assert.equal("fine", verdict(run))
    end
  end)

  it("knows the order of faults at one instant", function()
    local list = {
      bare(1, { 0, 1 }, 2, 0, 0, 10, 1, MOVED, 0.9), bare(2, { 2, 5 }, 4, 0, 0, 10, 1, STRUCK, 1),
      bare(1, { 0, 1, 4, 5 }, 2, 10, 11, 101, 0.9, COMPLETED, 0),
      bare(2, { 2, 3 }, 4, 10, 11, 61, 1, COMPLETED, 0),
    }
    assert.equal("fine", verdict(bare_run(1, list, on(2))))
    assert.equal("fine", verdict(bare_run(1, list, on(5, 5, 0))))
    assert.equal("was not struck by the fault at 10 on processor 0",
      verdict(bare_run(1, list, on(0, 2))))
  end)

  -- Random damage: each takes a run and breaks it; false where it has nothing to break.
  local FIELDS = {
    "start", "down_until", "recovered", "moved", "ready", "stop", "alpha", "alpha_stop", "time",
    "checkpoint", "period", "procs", "from", "why", "task",
  }

  local function any(rng, list) return list[rng:integer(1, #list)] end

  local function faults_at(run, time)
    local count = 0
    for _, fault in ipairs(run.faults) do count = count + (fault.time == time and 1 or 0) end
    return count
  end

  local damage = {}

  function damage.number(run, rng)
    local s, field = any(rng, run.stints), any(rng, FIELDS)
    local before = s[field]
    -- with a fault at this instant it may as well have been struck
    local others = faults_at(run, s.stop) - (before == STRUCK and 1 or 0)
    if field == "why" and others > 0 then return false end
    if field == "why" or field == "task" then
      s[field] = rng:integer(1, 3)
    elseif field == "procs" or field == "from" then
      s[field] = before + any(rng, { -2, -1, 1, 2 })
    elseif before < math.huge then
      s[field] = before + any(rng, { -1, 1 }) * math.max(before, 1) * any(rng, { 1e-6, 0.01, 1 })
    end
    return s[field] ~= before
  end

  function damage.lost_stint(run, rng)
    local s = table.remove(run.stints, rng:integer(1, #run.stints))
    return s.start < s.stop
  end

  function damage.double_stint(run, rng)
    local at = rng:integer(1, #run.stints)
    local s = run.stints[at]
    table.insert(run.stints, at, s)
    return s.start < s.stop
  end

  function damage.order(run, rng)
    local i, k = rng:integer(1, #run.stints), rng:integer(1, #run.stints)
    local a, b = run.stints[i], run.stints[k]
    run.stints[i], run.stints[k] = b, a
    return a.start ~= b.start or a.task ~= b.task
  end

  function damage.stolen_pair(run, rng)
    local a, b = any(rng, run.stints), any(rng, run.stints)
    if a.task == b.task or math.max(a.start, b.start) >= math.min(a.stop, b.stop) then
      return false
    end
    local i, k = 2 * rng:integer(1, #a.processors // 2), 2 * rng:integer(1, #b.processors // 2)
    a.processors[i - 1], a.processors[i] = b.processors[k - 1], b.processors[k]
  end

  function damage.lost_fault(run, rng)
    if #run.faults == 0 then return false end
    local fault, strikes = table.remove(run.faults, rng:integer(1, #run.faults)), 0
    for _, s in ipairs(run.stints) do
      strikes = strikes + (s.why == STRUCK and s.stop == fault.time and 1 or 0)
    end
    return strikes > faults_at(run, fault.time)
  end

  function damage.new_fault(run, rng)
    local s = any(rng, run.stints)
    local time = s.ready + rng:uniform(0, 1) * (s.stop - s.ready)
    if time >= s.stop then return false end
    local fault = { time = time }
    if rng:integer(0, 1) == 0 then fault.task = s.task else fault.processor = s.processors[1] end
    local at = #run.faults + 1
    while at > 1 and run.faults[at - 1].time > time do at = at - 1 end
    table.insert(run.faults, at, fault)
  end

  function damage.wrong_platform(run, rng)
    local moves, strikes, recoveries = false, false, false
    local platform, sized = run.platform, false
    for _, s in ipairs(run.stints) do
      moves = moves or (s.procs ~= s.from and run.tasks[s.task].size > 0)
      strikes = strikes or s.why == STRUCK
      recoveries = recoveries or s.checkpoint > 0
      sized = sized or run.tasks[s.task].size > 0
    end
    local field = any(rng, {
      "downtime", "startup", "latency", "bandwidth", "mtbf", "checkpoint_unit", "checkpoint_fixed",
    })
    platform[field] = platform[field] * 1.5 + (field:find "[my]t" and 0 or run.scale)
    if field == "downtime" then return strikes end
    if field == "startup" or field == "latency" then return moves end
    if field == "bandwidth" then return moves and platform.bandwidth < math.huge end
    if field == "checkpoint_unit" then return platform.mtbf < math.huge and sized end
    if field == "checkpoint_fixed" then return platform.mtbf < math.huge end
    return platform.mtbf < math.huge and recoveries
  end

  function damage.wrong_task(run, rng)
    local task = any(rng, run.tasks)
    for j, time in ipairs(task.times) do task.times[j] = time * 1.001 end
  end

  it("finds any damage done to random runs", function()
    local rng, names, done, count = random(512), {}, {}, rounds(1200, 1200, 200)
    for name in pairs(damage) do names[#names + 1] = name end
    table.sort(names)
    for _ = 1, count do
      local run = stints.run(rng)
      for _, name in ipairs(names) do
        local broken = stints.plain(run)
        broken.scale = run.scale
        if damage[name](broken, rng) ~= false then
          local ok, message = native.check(broken)
          if ok then error(name .. " was not found") end
          assert.matches("^stint check: ", message)
          done[name] = (done[name] or 0) + 1
        end
      end
    end
    for _, name in ipairs(names) do assert.is_true(done[name] > count / 12, name) end
  end)

  it("that gets no memory says so", function()
    local ok, message, status = native.check(example(), 0)
    assert.same({ nil, 1 }, { ok, status })
    assert.matches("memory", message, 1, true)
    assert.is_true(native.check(example(), 1))
  end)
end)

describe("the spans as CSV", function()
  local HEADER = "task,kind,start,finish,procs,processors\n"

  it("have a row each, stint by stint", function()
    local run = example()
    run.tasks[2].id = 'a "short", one'
    local text = native.export(run)
    local rows = {}
    for row in text:gmatch "[^\n]*\n" do rows[#rows + 1] = row end
    -- 5 periods and a checkpoint; 4 and 4; redistribution, first checkpoint, 2 and 2, lost; ...
    assert.equal(1 + 5 + 8 + 7 + 7 + 11, #rows)
    assert.equal(HEADER .. "long,work,0,10,2,0-1\nlong,checkpoint,10,12,2,0-1\n",
      table.concat(rows, "", 1, 3))
    assert.equal('"a ""short"", one",work,0,5,8,2-5 8-11\n', rows[7])
    assert.equal("long,redistribution,28,38,8,0-5 10-11\nlong,checkpoint,38,40,8,0-5 10-11\n",
      table.concat(rows, "", 15, 16))
    assert.equal("long,lost,54,56.5,8,0-5 10-11\n", rows[21])
    assert.equal("long,downtime,56.5,59.5,2,4-5\nlong,recovery,59.5,61.5,2,4-5\n",
      table.concat(rows, "", 22, 23))
    assert.equal("long,work,143,149,2,4-5\n", rows[#rows])
  end)

  it("stop at now", function()
    assert.equal(HEADER .. "long,work,0,1.1,2,0-1\n"
      .. "short,work,0,1.1,8,2-5 8-11\n", native.export(example(), 1.1))
  end)

  it("and the checker's messages have a decimal point in every locale", function()
    local run, text, message = example(), nil, nil
    run.stints[3].moved = 38.25
    local possible, why = comma(function()
      text = native.export(example(), 1.1)
      message = select(2, native.check(run))
    end)
    if not possible then return pending(why) end
    assert.equal(native.export(example(), 1.1), text)
    assert.equal(select(2, native.check(run)), message)
  end)

  it("end with an error when they cannot be written", function()
    local size = #native.export(example())
    for bytes = 0, size - 1 do
      assert.same({ nil, 4 }, { native.export(example(), nil, bytes) })
    end
    assert.equal(size, #native.export(example(), nil, size))
  end)
end)
