-- The checker of malleable tasks, where somebody changed the run: what was done right passes, and
-- every broken rule has its message.
local native = require "native_stints"
local stints = require "spec.support.stints"

-- Worked by hand, without checkpoints. Task a takes 100 s on 2 processors, b 200 s, c 50 s.
--
--   0    a has 0-1 of 6 processors, b 2-3; 4-5 are free
--   10   c comes, and has 4-5 until 60
--   20   what is left of b takes twice as long: 0.9 of 200 s; it ends at 380
--   30   the machine is to have 3 processors: all 6 are held
--   60   c ends, 4-5 leave
--   100  a ends, 1 leaves, and 0 stays alone
--   150  6 again: 1, then 4-5 come back
--   200  8: 6-7 come
--   250  7: 7 leaves
local function stint(task, processors, start, time, stop)
  return {
    task = task, procs = #processors // 2 * 2, processors = processors, start = start,
    down_until = start, recovered = start, moved = start, ready = start, stop = stop, alpha = 1,
    alpha_stop = 0, why = stints.COMPLETED, from = 2, checkpoint = 0, time = time,
    period = math.huge,
  }
end

local function example()
  return {
    procs = 6,
    platform = {
      mtbf = math.huge, downtime = 3, checkpoint_unit = 0, checkpoint_fixed = 2, startup = 0,
      latency = 0, bandwidth = 10, rule = "young",
    },
    tasks = {
      { id = "a", size = 0, times = { 150, 100 } }, { id = "b", size = 0, times = { 250, 200 } },
      { id = "c", size = 0, times = { 90, 50 } },
    },
    stints = {
      stint(1, { 0, 1 }, 0, 100, 100), stint(2, { 2, 3 }, 0, 200, 380),
      stint(3, { 4, 5 }, 10, 50, 60),
    },
    changes = {
      { what = "submit", time = 10, task = 3 },
      { what = "work", time = 20, task = 2, stint = 1, factor = 2 },
      { what = "size", time = 30, procs = 3 },
      { what = "leaves", time = 60, low = 4, high = 5 },
      { what = "leaves", time = 100, low = 1, high = 1 },
      { what = "size", time = 150, procs = 6 },
      { what = "comes", time = 150, low = 1, high = 1 },
      { what = "comes", time = 150, low = 4, high = 5 },
      { what = "size", time = 200, procs = 8 },
      { what = "comes", time = 200, low = 6, high = 7 },
      { what = "size", time = 250, procs = 7 },
      { what = "leaves", time = 250, low = 7, high = 7 },
    },
    faults = {
      { time = 10, processor = 4 }, -- c came after it
      { time = 50, processor = 7 }, -- not there yet
      { time = 70, processor = 4 }, -- away
      { time = 160, processor = 1 }, -- idle
    },
  }
end

local function fixed()
  local run = example()
  run.stints[2].added = 0.9
  for _, s in ipairs(run.stints) do s.procs = 2 end
  return run
end

local function rejected(message, change)
  local run = fixed()
  run = change(run, run.changes, run.stints) or run
  local ok, found = native.check(run)
  assert.is_nil(ok)
  if not found:find(message, 1, true) then
    error(("expected '%s' in: %s"):format(message, found), 2)
  end
  assert.matches("^stint check: ", found)
end

local function without(list, i) table.remove(list, i) end

describe("the checker of stints, of a run that was changed,", function()
  it("accepts the example worked by hand", function()
    assert.is_true(native.check(fixed()))
    local run = fixed()
    run.faults = nil
    assert.is_true(native.check(run))
  end)

  it("takes the last of many sizes of one instant, in the order of the record", function()
    local run, changes = fixed(), {}
    for i, change in ipairs(run.changes) do
      if i == 3 then
        for other = 1, 40 do
          changes[#changes + 1] = { what = "size", time = change.time, procs = 3 + other * 7 % 5 }
        end
      end
      changes[#changes + 1] = change
    end
    run.changes = changes
    assert.is_true(native.check(run))
  end)

  it("says where there is no memory", function()
    for allowed = 0, 1 do
      local ok, message, status = native.check(fixed(), allowed)
      assert.same({ nil, 1 }, { ok, status })
      assert.matches("memory", message, 1, true)
    end
    assert.is_true(native.check(fixed(), 2))
  end)

  it("rejects tasks that come at another time, twice, or of themselves", function()
    rejected("start of the task: found 10, expected 0", function(_, c) without(c, 1) end)
    rejected("start of the task: found 10, expected 9", function(_, c) c[1].time = 9 end)
    rejected("start of the task: found 0, expected 10", function(_, c) c[1].task = 1 end)
    rejected("change 0 at 10: there is no task at position 3", function(_, c) c[1].task = 4 end)
    rejected("change 1 at 10: the task is submitted twice", function(_, c)
      table.insert(c, 2, { what = "submit", time = 10, task = 3 })
    end)
  end)

  it("rejects work that was changed by nobody, or in another way", function()
    rejected("share of the work that changes added: found 0.9", function(_, c) without(c, 2) end)
    rejected("share of the work that changes added: found 0.9", function(_, c)
      c[2].factor = 2.001
    end)
    rejected("share of the work that changes added: found 0.9", function(_, c) c[2].time = 21 end)
    rejected("share of the work that changes added: found 0.9", function(_, c) c[2].stint = 2 end)
    rejected("share of the work that changes added", function(_, _, s) s[2].added = 0.91 end)
    rejected("completes at another time than it must: found 380.5, expected 380",
      function(_, _, s) s[2].stop = 380.5 end)
    rejected("change 1 at 20: the factor 0 is out of range", function(_, c) c[2].factor = 0 end)
    rejected("change 2 at 20: task b has no stint 2", function(_, c)
      table.insert(c, 3, { what = "work", time = 20, task = 2, stint = 2, factor = 2 })
    end)
    rejected("its work is changed when it does not run: found 5, expected 60", function(_, c)
      table.insert(c, 1, { what = "work", time = 5, task = 3, stint = 1, factor = 2 })
    end)
  end)

  it("rejects processors that come from nowhere, or twice", function()
    rejected("processors 8-9 cannot come or leave together, or are too far out",
      function(_, c) c[10].low, c[10].high = 8, 9 end)
    rejected("processors 7-8 cannot come or leave together", function(_, c)
      c[10].low, c[10].high = 7, 8
    end)
    rejected("processors 4-5 come, of which 2 are there", function(_, c)
      c[10].low, c[10].high, c[11], c[12] = 4, 5, nil, nil
    end)
    rejected("processors 0-1 leave, of which 1 are there", function(_, c)
      c[6] = { what = "leaves", time = 140, low = 0, high = 1 }
    end)
  end)

  it("rejects processors that leave while they are held, or do not leave", function()
    rejected("processors 2-3 are held by task b until 380", function(_, c)
      c[4].low, c[4].high = 2, 3
    end)
    rejected("change 3 at 59: processors 4-5 are held by task c until 60", function(_, c)
      c[4].time = 59
    end)
    rejected("at 100 there are 4 processors, where 3 are to be and tasks hold 2",
      function(_, c) c[5].time = 101 end)
    rejected("at 60 there are 6 processors, where 3 are to be and tasks hold 4",
      function(_, c) c[4].time = 61 end)
    rejected("at 30 there are 6 processors, where 7 are to be", function(_, c) c[3].procs = 7 end)
    rejected("change 2 at 30: -1 processors", function(_, c) c[3].procs = -1 end)
    rejected("change 11 at 240: it comes before the one in front of it", function(_, c)
      c[12].time = 240
    end)
  end)

  it("rejects a lower pair that leaves in place of a higher one", function()
    rejected("processors 4-5 leave, while 6-7 are free", function(run, c)
      c[11].procs, run.partial = 6, true
      c[12].low, c[12].high = 4, 5
    end)
  end)

  it("rejects tasks on processors that are away", function()
    rejected("processors 4-5 are not on the machine", function(run, c)
      run.procs = 4
      run.changes = { c[1], c[2], { what = "size", time = 30, procs = 6 },
        { what = "comes", time = 30, low = 4, high = 5 } }
    end)
    rejected("processors 6-7 are out of order or not on the machine", function(run, c, s)
      s[3].processors = { 6, 7 }
      run.changes = { c[1], c[2] }
    end)
  end)

  -- d comes at 60 on processors that were to leave.
  it("rejects tasks that get processors while others are to leave", function()
    rejected("gets processors while tasks hold 6 on a machine of 5", function(run, c, s)
      run.tasks[4] = { id = "d", size = 0, times = { 90, 50 } }
      c[3].procs = 5
      run.changes = { c[1], c[2], c[3], { what = "submit", time = 60, task = 4 },
        { what = "leaves", time = 100, low = 1, high = 1 } }
      s[4] = stint(4, { 4, 5 }, 60, 50, 110)
      s[4].procs = 2
    end)
  end)
end)
