-- Schedules that are checked and written while they are made: the rows are those of the whole
-- record, which meanwhile has only attempts that are not settled. Each check that fails there, and
-- in the whole record, is in check_spec.lua: native_runs judges both ways.
local events = require "spec.support.events"
local native = require "native_runs"
local rounds = require "spec.support.rounds"

-- The rows of a spec's run, as a whole or by steps, and the longest record.
local function rows(make, by_steps)
  local sim = events.simulation(make())
  local ok, text, longest = pcall(sim.rows, sim, by_steps)
  sim:destroy()
  return ok and text or tostring(text), longest
end

describe("a schedule that is written while it is made", function()
  -- By hand, on two processors: job 1 runs from 0 to 9 on one of them. On the other job 2 fails at
  -- 2 and runs again 2-4; jobs 3 and 4 follow, 4-6 and 6-8, and job 5 at 9 needs both. While job 1
  -- runs nothing is settled, for rows come in order of start: at most the five attempts up to job
  -- 4's are there. Before job 5 starts, all but its own leave.
  local function by_hand()
    return { procs = 2, verification = 0, failures = { 0, 1, 0, 0, 0 },
      groups = { { procs = 2, discipline = "fcfs" } },
      { procs = 1, time = 9, submit = 0 }, { procs = 1, time = 2, submit = 0 },
      { procs = 1, time = 2, submit = 1 }, { procs = 1, time = 2, submit = 1 },
      { procs = 2, time = 1, submit = 1 } }
  end

  it("has the rows of the whole, and a record of what is not settled", function()
    local text, longest = rows(by_hand, true)
    assert.equal(rows(by_hand, false), text)
    local seen = {}
    for id, start, finish in text:gmatch "\n([^,]+),w0,%d+,%d,%d,%d,[A-Z_]+,(%d),%d,(%d+)" do
      seen[#seen + 1] = ("%s %s-%s"):format(id, start, finish)
    end
    assert.same({ "1 0-9", "2#1 0-2", "2 2-4", "3 4-6", "4 6-8", "5 9-10" }, seen)
    assert.equal(5, longest)
  end)

  -- By hand: a starts at 0, 1 s long, b at 1 and c at 2; a again at 3. At 2 only a has started
  -- before the last start, at 3 b; so two attempts are left.
  it("objects where a job starts again that is over and has left the record", function()
    local jobs = { procs = 4, verification = 0, { procs = 1, time = 1, submit = 0 },
      { procs = 1, time = 1, submit = 0 }, { procs = 1, time = 1, submit = 0 } }
    assert.same({ 2, "schedule check: job 1, attempt 1 from 3 to 4 (completed): starts again "
      .. "although its job is over: found nan, expected nan" },
      { native.again(jobs) })
  end)

  it("is that of random runs with groups, actions, outages and windows", function()
    local shorter, repeated = 0, 0
    local seeds = rounds(2000, 2000, 300)
    for seed = 1, seeds do
      local options = { windows = seed % 3 == 0 }
      local function make() return (events.twice(seed, options)) end
      local whole = rows(make, false)
      local text, longest = rows(make, true)
      if text ~= whole then
        error(("seed %d\n%s\nas a whole\n%s"):format(seed, text, whole))
      end
      local count = select(2, whole:gsub("\n", "")) - 1
      shorter = shorter + (longest < count and 1 or 0)
      repeated = repeated + (whole:find "#1," and 1 or 0)
    end
    assert.is_true(shorter > seeds / 3, tostring(shorter))
    assert.is_true(repeated > seeds / 5, tostring(repeated))
  end)
end)
