-- orrery.compare with packs: whole co-schedules on processors that fail.
local orrery = require "orrery"

local LIST = {}
for i = 1, 7 do LIST[i] = { id = "t" .. i, m = 1e5 * i, profile = "amdahl", f = 0.02 * i } end
local TASKS = orrery.tasks.list(LIST)

local function of(positions)
  local list = {}
  for x, i in ipairs(positions) do list[x] = LIST[i] end
  return orrery.tasks.list(list)
end

local function packs(...)
  local list = table.pack(...)
  list.n = nil
  return { name = "given", pack = function() return list end }
end

local FAULTS = { mtbf_years = 0.2, downtime = 60 }

local function compare(fields)
  local spec = { tasks = TASKS, procs = 24, faults = FAULTS, runs = 4, seed = 3,
    policies = { "none", "end-local+iterated-greedy" } }
  for name, value in pairs(fields) do spec[name] = value end
  return orrery.compare(spec)
end

-- In the order in which they run: these three tasks are shorter than the other four.
local FIRST, SECOND = { 1, 2, 3 }, { 4, 5, 6, 7 }

describe("orrery.compare with packs", function()
  it("adds up the packs, each by itself under faults of its own", function()
    local result = compare { packs = packs(SECOND, FIRST) }
    assert.same({ "given / none", "given / end-local+iterated-greedy" },
      { result.policies[1].name, result.policies[2].name })
    assert.same({ FIRST, SECOND }, result.partitions[1][4])
    local parts = {}
    for b, positions in ipairs { FIRST, SECOND } do
      parts[b] = orrery.compare { tasks = of(positions), procs = 24, faults = FAULTS, runs = 4,
        seed = 3, set = b, policies = { "none", "end-local+iterated-greedy" } }
    end
    for i = 1, 2 do
      for run = 1, 4 do
        for _, metric in ipairs { "makespan", "faults", "redistributions", "useful", "idle" } do
          assert.equal(parts[1]:values(i, metric)[run] + parts[2]:values(i, metric)[run],
            result:values(i, metric)[run], metric)
        end
        local start = parts[1]:values(i, "makespan")[run]
        local ends = result:ends(i, run)
        for x, task in ipairs(FIRST) do assert.equal(parts[1]:ends(i, run)[x], ends[task]) end
        for x, task in ipairs(SECOND) do
          assert.equal(start + parts[2]:ends(i, run)[x], ends[task])
        end
        assert.equal(result:values(i, "makespan")[run] / result:values(1, "makespan")[run],
          result:values(i, "normalised")[run])
      end
    end
    assert.is_true(parts[1]:summary(1, "faults").mean > 0)
  end)

  it("gives a partition the same numbers whoever made it, and whatever stands beside it", function()
    local alone = compare { packs = packs(FIRST, SECOND) }
    local both = compare { packs = { "one-by-one", packs(SECOND, FIRST) } }
    for i = 1, 2 do
      assert.same(alone:values(i, "makespan"), both:values(2 + i, "makespan"))
      assert.same(both:values(1, "makespan"), both:values(2 + i, "baseline"))
    end
    assert.same(both:values(1, "makespan"), compare { packs = "one-by-one",
      policies = { "none" }, threads = 1 }:values(1, "makespan"))
  end)

  it("is that of the packs alone where nothing fails", function()
    local sum = 0
    for _, positions in ipairs { FIRST, SECOND } do
      sum = sum + orrery.compare { tasks = of(positions), procs = 24 }:values(1, "makespan")[1]
    end
    assert.near(sum, compare { packs = packs(FIRST, SECOND), faults = { mtbf = math.huge },
      runs = 1, policies = { "none" } }:values(1, "makespan")[1], 1e-9 * sum)
    local free = compare { packs = packs(FIRST, SECOND), fault_free = true, policies = { "none" } }
    assert.is_true(free:summary(1, "fault_free_ratio").mean > 1)
    assert.near(sum, free:values(1, "fault_free")[1], 1e-9 * sum)
  end)

  it("keeps two processors for each task, and k", function()
    local result = compare { packs = { "pack-by-pack", "random-pack" }, k = 3, procs = 8 }
    for i = 1, 4 do
      for _, pack in ipairs(result.partitions[i][1]) do assert.is_true(#pack <= 3) end
    end
    local narrow = compare { packs = { "pack-approx" }, procs = 5 } -- two tasks of two each
    for _, pack in ipairs(narrow.partitions[1][1]) do assert.is_true(#pack <= 2) end
  end)

  it("draws tasks anew in every run, and packs them anew", function()
    local drawn = { n = 6, m = { 1000, 2e6 } }
    local result = compare { tasks = drawn, packs = { "pack-by-pack", "one-by-one" }, runs = 3,
      k = 2 }
    local partitions = {}
    for run = 1, 3 do
      local parts = {}
      for b, pack in ipairs(result.partitions[1][run]) do parts[b] = table.concat(pack, " ") end
      partitions[table.concat(parts, "|")] = true
    end
    assert.is_not_nil(next(partitions, next(partitions))) -- not the same in all runs
    local again = compare { tasks = drawn, packs = { "one-by-one", "pack-by-pack" }, runs = 3,
      k = 2 }
    assert.same(result:values(1, "makespan"), again:values(3, "makespan"))
    assert.not_equal(result:values(1, "makespan")[1], result:values(1, "makespan")[2])
    local function by_function(run)
      return orrery.tasks.synthetic { n = 6, m = { 1000, 2e6 }, seed = 3, run = run }
    end
    local same = compare { tasks = by_function, packs = { "one-by-one" }, runs = 3, k = 2 }
    assert.same(again:values(1, "makespan"), same:values(1, "makespan"))
  end)

  it("prints, and writes files", function()
    local result = compare { packs = { "pack-by-pack:runs=9", "one-by-one" } }
    assert.matches("pack%-by%-pack:runs=9 / none", tostring(result))
    assert.matches("one%-by%-one / end%-local%+iterated%-greedy,4,", result:csv())
    assert.matches("pack%-by%-pack:runs=9 / none,1,t1,", result:ends_csv())
    assert.matches('"makespan"', result:json())
  end)

  it("says what is wrong", function()
    local function problem(fields)
      local ok, said = pcall(compare, fields)
      assert.is_false(ok)
      return said
    end
    assert.matches("unknown field 'plain'", problem { packs = "one-by-one", plain = true })
    assert.matches("faults.log: packs run one after the other", problem { packs = "one-by-one",
      faults = { mtbf = 1e9, log = {} } }, 1, true)
    assert.matches("procs: packs that run want at least 2, found 1", problem { packs = "one-by-one",
      procs = 1 })
    assert.matches("packs: expected a list of at least one pack policy", problem { packs = {} })
    assert.matches("'none' is a redistribution policy", problem { packs = { "none" } })
    assert.matches("k is the most tasks in a pack: give packs as well", problem { k = 2 })
    assert.matches("tasks: the function gave nil for run 1, not tasks", problem {
      packs = "one-by-one", tasks = function() end })
    assert.matches("task t3 is in no pack", problem { packs = packs({ 1, 2 }, { 4, 5, 6, 7 }) })
  end)
end)
