-- orrery.expected.
local orrery = require "orrery"

local function by_hand(changes)
  local given = { time = 50, procs = 2, mtbf = 200, checkpoint = 2, recovery = 3, downtime = 5 }
  for name, value in pairs(changes or {}) do given[name] = value end
  return given
end

describe("orrery.expected", function()
  it("gives the expected time and what it comes from", function()
    local time, details = orrery.expected(by_hand())
    assert.is_true(math.abs(time - 64.629139558153194) < 1e-12)
    assert.same({ period = 22, checkpoints = 2, last = 10 }, details)
    assert.equal("integer", math.type(details.checkpoints))
    local none, nothing = orrery.expected(by_hand { work = 0 })
    assert.same({ 0, { period = 22, checkpoints = 0, last = 0 } }, { none, nothing })
    local _, daly = orrery.expected(by_hand { period = "daly" })
    assert.is_true(math.abs(daly.period - 20 * (1 + 0.1 / 3 + 0.01 / 9)) < 1e-12)
  end)

  it("has defaults", function()
    local given = { time = 50, procs = 2, mtbf = 200, checkpoint = 2 }
    assert.equal((orrery.expected(by_hand { work = 1, downtime = 0, recovery = 2,
      period = "young" })), (orrery.expected(given)))
  end)

  it("gives a curve for a list of numbers of processors", function()
    local asked = {}
    local procs = { 1, 2, 16, 2 }
    local times, details = orrery.expected {
      procs = procs, mtbf = 1000, work = 0.5, downtime = function(j) return 3 * j end,
      time = function(j)
        assert.equal("integer", math.type(j))
        asked[#asked + 1] = j
        return 100 / j
      end,
      checkpoint = function(j) return 8 / j end,
      recovery = function(j) return 1 / j end,
    }
    assert.same(procs, asked)
    for i, j in ipairs(procs) do
      local time, detail = orrery.expected { procs = j, mtbf = 1000, work = 0.5, time = 100 / j,
        checkpoint = 8 / j, recovery = 1 / j, downtime = 3 * j }
      assert.equal(time, times[i])
      assert.same(detail, details[i])
    end
    assert.same({ {}, {} }, { orrery.expected(by_hand { procs = {} }) })
    assert.equal((orrery.expected(by_hand())),
      (orrery.expected(by_hand { time = function(j) return 25 * j end })))
  end)

  it("reports infinity where a period never ends, and no checkpoint where nothing fails", function()
    assert.equal(math.huge, (orrery.expected(by_hand { mtbf = 1e-3 })))
    local time, details = orrery.expected(by_hand { mtbf = math.huge, work = 0.5 })
    assert.same({ 25, { period = math.huge, checkpoints = 0, last = 25 } }, { time, details })
    local _, free = orrery.expected(by_hand { checkpoint = 0 })
    assert.same({ period = 0, checkpoints = math.huge, last = 0 }, free)
  end)

  it("refuses what it cannot compute", function()
    for message, changes in pairs {
      ["time must be a finite number > 0, not 0"] = { time = 0 },
      ["time must be a finite number > 0, not 50"] = { time = "50" },
      ["time must be a finite number > 0, not inf"] = { time = math.huge },
      ["time(2) must be a finite number > 0, not -2"] = { time = function(j) return -j end },
      ["time(2) must be a finite number > 0, not nil"] = { time = function() end },
      ["checkpoint must be a finite number >= 0, not -1"] = { checkpoint = -1 },
      ["downtime must be a finite number >= 0, not false"] = { downtime = false },
      ["recovery(2) must be a finite number >= 0, not inf"] =
        { recovery = function() return math.huge end },
      ["mtbf must be a number > 0, not 0"] = { mtbf = 0 },
      ["work must be a number from 0 to 1, not 1.5"] = { work = 1.5 },
      ["procs must be a whole number from 1 to 2147483647, or a list of them, not 2.5"] =
        { procs = 2.5 },
      ["procs[2] must be a whole number from 1 to 2147483647, not 0"] = { procs = { 1, 0 } },
      ["procs has other keys than 1 to 1"] = { procs = { 1, most = 2 } },
      ["period must be 'young' or 'daly', not 'youngs'"] = { period = "youngs" },
      ["unknown field 'recover', did you mean 'recovery'? (known: checkpoint, downtime, mtbf, "
        .. "period, procs, recovery, time, work)"] = { recover = 1 },
    } do
      local ok, found = pcall(orrery.expected, by_hand(changes))
      assert.same({ false, "expected: " .. message }, { ok, found })
    end
    for _, name in ipairs { "time", "procs", "mtbf", "checkpoint" } do
      local given = by_hand()
      given[name] = nil
      local _, found = pcall(orrery.expected, given)
      assert.equal(("expected: %s is missing"):format(name), found)
    end
    local _, found = pcall(orrery.expected, 5)
    assert.equal("expected: expected a table, found number", found)
    -- an error names the line that called
    _, found = pcall(function() local t = orrery.expected { time = 1 } return t end)
    assert.is_truthy(found:find("^%S*expected_spec.lua:%d+: expected: procs is missing$"))
    _, found = pcall(orrery.expected, by_hand { time = function() error("mine", 0) end })
    assert.equal("mine", found)
  end)
end)
