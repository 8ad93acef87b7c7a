-- `orrery reproduce policies`: its tables against orrery.compare.
local least_makespan = dofile "scripts/reproduce/policies/least_makespan.lua"
local orrery = require "orrery"
local program = require "spec.support.program"
local tables = require "spec.support.tables"

describe("orrery reproduce policies --quick", function()
  local folder

  setup(function()
    folder = program.folder()
    local status, out, err = program.run(folder, "reproduce policies --quick --sets 2 --out o")
    assert.same({ 0, "" }, { status, err })
    assert.matches("error%-aware: .*likely%-short: .*cautious%-saving: ", out)
  end)

  teardown(function() program.remove(folder) end)

  it("writes a table for each test", function()
    assert.equal("cautious-saving.csv error-aware.csv likely-short.csv",
      program.listing(folder .. "/o"))
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
      procs = 200, runs = 2, seed = 515151, faults = { mtbf_years = 25 },
      policies = { "cautious-saving", "end-local+iterated-greedy" } }
    local d, found = result:difference(1, 2, "normalised"), 0
    for _, row in ipairs(tables.read(folder .. "/o/cautious-saving.csv")) do
      if row.against == "end-local+iterated-greedy" then
        found = found + 1
        assert.near(-d.mean, tonumber(row.difference), 1e-12)
        local makespans, least = result:values(1, "makespan"), {}
        for run = 1, 2 do
          local tasks = orrery.tasks.synthetic { n = 20, seed = 515151, run = run }
          least[run] = least_makespan(tasks, 200)
          assert.is_true(least[run] < makespans[run])
        end
        local left = 1 - (least[1] + least[2]) / (makespans[1] + makespans[2])
        assert.near(left, tonumber(row.most_left), 1e-12)
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

describe("the least makespan of malleable tasks", function()
  -- Perfectly parallel tasks keep all processors busy: the work, over the processors.
  it("is the mean load of perfectly parallel tasks", function()
    local work, list = 0, {}
    for i = 1, 5 do
      list[i] = { id = "T" .. i, m = 1000 * i, profile = "amdahl", f = 0 }
    end
    local tasks = orrery.tasks.list(list)
    for i = 1, 5 do work = work + tasks:time(i, 1) end
    assert.near(1, least_makespan(tasks, 14) / (work / 14), 2e-9)
  end)

  -- A task takes 2 + 16 / j s on j processors: 10 s on 2, 6 s on 4. Two of them on 6 have 3 each:
  -- as long on 2 as on 4, with a mean rate of (1/10 + 1/6) / 2 = 2/15.
  it("has means between even numbers of processors", function()
    local tasks = orrery.tasks.list { { id = "A", m = 0, times = { 18, 10, 22 / 3, 6 } },
      { id = "B", m = 0, times = { 18, 10, 22 / 3, 6 } } }
    assert.near(10, least_makespan(tasks, 4), 1e-6)
    assert.near(7.5, least_makespan(tasks, 6), 1e-6)
  end)

  it("is below every makespan that a policy has", function()
    for seed = 1, 8 do
      local n = 2 + seed % 7
      local procs = 2 * n + 3 * seed
      local fields = { tasks = { n = n, sequential = seed % 4 / 10 }, procs = procs, seed = seed,
        runs = 2, policies = { "cautious-saving", "end-greedy", "end-local", "none" },
        faults = seed % 2 == 0 and { mtbf_years = 50 } or nil }
      local result = orrery.compare(fields)
      for run = 1, 2 do
        local tasks = orrery.tasks.synthetic { n = n, sequential = seed % 4 / 10, seed = seed,
          run = run }
        for policy = 1, 4 do
          assert.is_true(least_makespan(tasks, procs) <= result:values(policy, "makespan")[run])
        end
      end
    end
  end)
end)
