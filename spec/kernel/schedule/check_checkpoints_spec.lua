-- The checker of checkpoints: a right record passes, and every number of it that is made wrong is
-- found.
local native = require "native_checkpoints"

local COMPLETED, FAILED, KILLED, PREEMPTED, NODE_FAILED = 1, 2, 3, 4, 6

describe("a recorded run with checkpoints", function()
  it("has the attempts that the formulas say, by hand", function()
    local list, off = native.attempts()
    local found = {}
    for _, a in ipairs(list) do
      found[("%d.%d"):format(a[1], a[2])] = table.move(a, 3, #a, 1, {})
    end
    -- start, end, outcome, saved, kept, written, lost, in checkpoints, in recoveries
    assert.same({
      -- 45 s on demand until 55, 100 s until 155 and 165, 85 s lost
      ["1.1"] = { 0, 250, NODE_FAILED, 0, 145, 2, 85, 20, 0 },
      -- 7 + 855 + 8 * 10 + 1, on the processor of job 4
      ["1.2"] = { 250, 1193, COMPLETED, 145, 1000, 8, 0, 80, 7 },
      ["2.1"] = { 0, 55, PREEMPTED, 0, 45, 1, 0, 10, 0 },
      -- 7 + 955 + 15 * 10 + 1
      ["2.2"] = { 55, 1168, COMPLETED, 45, 1000, 15, 0, 150, 7 },
      -- 1000 + 33 * 5 + 1, twice
      ["3.1"] = { 0, 1166, FAILED, 0, 0, 33, 1001, 165, 0 },
      ["3.2"] = { 1166, 2332, COMPLETED, 0, 1000, 33, 0, 165, 0 },
      -- 100 + 3 * 5
      ["4.1"] = { 0, 115, KILLED, 0, 0, 3, 100, 15, 0 },
      -- 200 s and 4 of them; 44 s until 248, of the checkpoint then there are 2 s
      ["5.1"] = { 0, 250, NODE_FAILED, 0, 200, 1, 44, 6, 0 },
      -- 7 + 800 + 3 * 4 + 1
      ["5.2"] = { 260, 1080, COMPLETED, 200, 1000, 3, 0, 12, 7 },
    }, found)
    assert.equal(0, off)
  end)

  local CHANGES = { "start", "end", "saved", "kept", "period", "lost", "checkpoint_time",
    "recovery_time", "written" }

  it("is found wrong wherever a number is", function()
    for _, at in ipairs { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 2, 2 }, { 3, 1 }, { 3, 2 }, { 4, 1 },
      { 5, 1 }, { 5, 2 } } do
      for _, name in ipairs(CHANGES) do
        for _, by in ipairs { 1, -1 } do
          -- what writes none of itself may have any period, and a longer one may be as many
          local same = name == "period" and (by == 1 or (at[1] == 2 and at[2] == 1))
          local message = native.breach(at[1], at[2], name, name == "period" and 40 * by or by)
          local where = ("attempt %d of job %d: %s by %d"):format(at[2], at[1], name, by)
          if not same then
            assert.matches("^schedule check: job ", message or where .. " is not found")
          end
        end
      end
    end
  end)

  it("is found wrong where a checkpoint on demand is", function()
    for name, message in pairs {
      demand_time = "saves on demand other work than was done",
      demand_complete = "has a checkpoint on demand that is complete at",
      demand_done = "saves on demand other work than was done",
    } do
      for _, job in ipairs { 1, 2, 5 } do
        assert.matches(message, native.breach(job, 1, name, 1), 1, true)
      end
    end
    assert.matches("counts a checkpoint that is complete only at: found 110",
      native.breach(1, 1, "periodic", 1), 1, true)
    assert.matches("does not count a checkpoint that is complete at",
      native.breach(5, 1, "periodic", -1), 1, true)
    assert.matches("writes a checkpoint on demand at: found -5", native.breach(1, 1, "demand_time",
      -50), 1, true)
    assert.matches("stays longer than it was to", native.breach(2, 1, "leaves", -1), 1, true)
  end)

  it("is found wrong where a job was killed and waited again", function()
    local list, off = native.attempts(true)
    local found = {}
    for _, a in ipairs(list) do
      if a[1] == 4 then found[#found + 1] = table.move(a, 3, #a, 1, {}) end
    end
    -- 90 s with 3 of 5 s each by 105, 5 s of work by 110; then 7 s for the recovery, 30 s three
    -- times with their checkpoints, and 5 s of work, until 5 s before the end
    assert.same({ 0, 115, KILLED, 0, 95, 4, 0, 20, 0 }, found[1])
    assert.same({ 115, 237, KILLED, 95, 190, 4, 0, 20, 7 }, found[2])
    assert.equal(11, #found)
    assert.equal(0, off)
    for _, number in ipairs { 1, 2, 5, 11 } do
      for _, name in ipairs { "start", "end", "saved", "kept", "lost", "checkpoint_time",
        "recovery_time", "written", "asked" } do
        for _, by in ipairs { 1, -1 } do
          local message = native.breach(4, number, name, by, true)
          assert.matches("^schedule check: job ", message or ("attempt %d: %s by %d is not found")
            :format(number, name, by))
        end
      end
    end
    for _, case in ipairs {
      { "kept", -95, "is killed and keeps work: found 0, expected 95" },
      { "leaves", 1, "is killed at another time than it must be: found 116, expected 115" },
      { "asked", 1, "has an estimate that kills made longer by: found 1, expected 0" },
      { "demand_time", 1, "saves on demand other work than was done" },
    } do
      assert.matches(case[3], native.breach(4, 1, case[1], case[2], true), 1, true)
    end
  end)

  it("says what is wrong", function()
    for _, case in ipairs {
      { 1, 2, "saved", 1, "begins with work saved: found 146, expected 145" },
      { 1, 1, "kept", -145, "keeps work: found 0, expected 145" },
      { 3, 1, "kept", 30, "keeps work: found 30, expected 0" },
      { 3, 1, "lost", -1, "has lost work: found 1000, expected 1001" },
      { 1, 2, "written", -1, "has written checkpoints: found 7, expected 8" },
      { 1, 1, "written", 1, "counts a checkpoint that is complete only at" },
      { 1, 1, "written", -1, "does not count a checkpoint that is complete at" },
      { 1, 2, "period", -146, "has a period that cannot be" },
      { 1, 2, "recovery_time", -7, "work, checkpoints and recoveries are not its time" },
      { 3, 1, "end", -1, "work, checkpoints and recoveries are not its time" },
      { 2, 2, "period", 100, "has written checkpoints: found 15, expected 5" },
    } do
      assert.matches(case[5], native.breach(table.unpack(case, 1, 4)), 1, true)
    end
  end)
end)
