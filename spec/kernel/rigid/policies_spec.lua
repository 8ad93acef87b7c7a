-- Policies that a C program writes: a built-in order beside hooks of its own, and disciplines that
-- there are not; live simulations that are changed.
local native = require "native_runs"
local events = require "spec.support.events"

local jobs = { procs = 4, verification = 0,
  { procs = 4, time = 3, submit = 0 }, { procs = 4, time = 9, submit = 0 },
  { procs = 4, time = 5, submit = 0 } }

local FCFS, LPT, SPT = 0, 1, 2
local ARGUMENT = 2

describe("a policy with a built-in order and hooks of its own", function()
  for rule, order in pairs { [FCFS] = { 0, 1, 2 }, [LPT] = { 1, 2, 0 }, [SPT] = { 0, 2, 1 } } do
    it(("has both, rule %d"):format(rule), function()
      local started, submitted = native.hooked(jobs, rule)
      assert.same(order, started)
      assert.equal(3, submitted)
    end)
  end
end)

describe("a discipline that there is not", function()
  it("is refused by number", function()
    for _, number in ipairs { 6, 77, -1 } do
      local status, message = native.refused(jobs, number)
      assert.equal(ARGUMENT, status)
      assert.equal(("policy strange: there is no discipline %d, they are numbered from 0 to 5")
        :format(number), message)
    end
  end)

  it("is a function of the policy's that is missing", function()
    local status, message = native.refused(jobs, 3)
    assert.equal(ARGUMENT, status)
    assert.equal("policy strange: its own dispatch function decides, and it has none", message)
  end)
end)

describe("an order of backfilling", function()
  it("is refused where the discipline does not backfill in one", function()
    for _, discipline in ipairs { "conservative", "fcfs", "shelf" } do
      local group = { procs = 2, discipline = discipline, backfill = function(j) return j end }
      local ok, message = pcall(events.simulation,
        { procs = 2, verification = 0, groups = { group }, { procs = 1, time = 2, submit = 0 } })
      assert.is_false(ok)
      assert.matches("it has an order of backfilling %(backfill%), and only lists backfill in one",
        message)
    end
  end)
end)

describe("a live simulation", function()
  it("ends no job whose runtime changes before somebody says so", function()
    local two = { procs = 2, verification = 0,
      { procs = 1, time = 2, submit = 0 }, { procs = 1, time = 2, submit = 0 } }
    for _, time in ipairs { 1, 2, 30 } do
      assert.same({ 2, 0, 0 }, { native.revised_live(two, time) })
    end
  end)

  it("submits the jobs that its clock goes past at the next instant", function()
    local three = { procs = 3, verification = 0, { procs = 1, time = 2, submit = 0 },
      { procs = 1, time = 2, submit = 5.25 }, { procs = 1, time = 2, submit = 20 } }
    assert.same({ 2, 0, 6 }, { native.passed_live(three, 6) }) -- the first should be over at 2
    assert.same({ 3, 0, 20 }, { native.passed_live(three, 20) })
  end)
end)
