-- `orrery reproduce policies`: its tables against orrery.compare.
local orrery = require "orrery"
local program = require "spec.support.program"
local tables = require "spec.support.tables"

describe("orrery reproduce policies --quick", function()
  local folder

  setup(function()
    folder = program.folder()
    local status, out, err = program.run(folder, "reproduce policies --quick --sets 2 --out o")
    assert.same({ 0, "" }, { status, err })
    assert.matches("error%-aware: .*room%-for%-short: .*much%-room: .*likely%-short: .*"
      .. "cautious%-saving: ", out)
  end)

  teardown(function() program.remove(folder) end)

  it("writes a table for each test", function()
    assert.equal("cautious-saving.csv error-aware.csv likely-short.csv much-room.csv "
      .. "room-for-short.csv", program.listing(folder .. "/o"))
  end)

  it("has the numbers of orrery.compare", function()
    local sets = {}
    for i = 1, 2 do sets[i] = { name = i, jobs = orrery.synthetic { seed = 77, set = i - 1 } } end
    local result = orrery.compare { sets = sets, procs = 10000, batch = true, seed = 77, runs = 2,
      errors = { mean_probability = 0.1 }, policies = { "error-aware",
        { policy = "list:reservations=3", priority = "la" } } }
    local d, found = result:difference(1, 2), 0
    for _, row in ipairs(tables.read(folder .. "/o/error-aware.csv")) do
      if row.point == "P = 10000; q = 0.1" and row.against == "list:reservations=3 + la" then
        found = found + 1
        assert.near(-d.mean, tonumber(row.difference), 1e-12)
        assert.near(d.half_width, tonumber(row.half_width), 1e-12)
      end
    end
    assert.equal(1, found)
  end)

  it("has those of orrery.compare for tasks, too", function()
    local result = orrery.compare { tasks = { n = 20, m = { 1.5e6, 2.5e6 }, sequential = 0.08 },
      procs = 200, runs = 2, seed = 424242, faults = { mtbf_years = 25 },
      policies = { "cautious-saving", "end-local+iterated-greedy" } }
    local d, found = result:difference(1, 2, "normalised"), 0
    for _, row in ipairs(tables.read(folder .. "/o/cautious-saving.csv")) do
      if row.against == "end-local+iterated-greedy" then
        found = found + 1
        assert.near(-d.mean, tonumber(row.difference), 1e-12)
      end
    end
    assert.equal(1, found)
  end)

  it("refuses a test that there is not", function()
    local status, _, err = program.run(folder, "reproduce policies --test nothing")
    assert.not_equal(0, status)
    assert.matches("argument for option .%-%-test. must be one of", err)
  end)
end)
