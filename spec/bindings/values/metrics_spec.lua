-- The registry of metrics: what runs give, what it says of them, and what tables list.
local orrery = require "orrery"

local metrics = orrery.tools.metrics()

-- The names of what one run gives.
local function given(spec)
  local names = {}
  for name in pairs(orrery.compare(spec).sets[1].metrics:scenario(1, 1)) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

local function known(kind)
  local names = {}
  for name in pairs(kind.by_name) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local JOBS = orrery.jobs { { id = "a", procs = 1, time = 1 } }

describe("the registry of metrics", function()
  it("knows what runs give, no more and no less", function()
    assert.same(known(metrics.jobs), given { jobs = JOBS, procs = 1, quantiles = true })
    assert.same(known(metrics.tasks), given { tasks = { n = 2 }, procs = 8 })
    local of_packs = orrery.packs { tasks = orrery.tasks.synthetic { n = 2 }, procs = 8 }
    local names = {}
    for name in pairs(of_packs.sets[1].metrics:scenario(1, 1)) do names[#names + 1] = name end
    table.sort(names)
    assert.same(known(metrics.packs), names)
  end)

  it("gives every metric to JSON and the page of all metrics", function()
    local function summaries(spec)
      local result = orrery.compare(spec)
      local list = { table.unpack(result.kind.summaries(result)) }
      table.sort(list)
      return list
    end
    assert.same(known(metrics.jobs), summaries { jobs = JOBS, procs = 1, quantiles = true })
    assert.same(known(metrics.tasks),
      summaries { tasks = { n = 2 }, procs = 8, fault_free = true })
  end)

  it("has the names and the units of METRICS.md", function()
    local units, file = {}, assert(io.open("spec/METRICS.md"))
    for line in file:lines() do
      local names, unit = line:match "^| (`[^|]+) | ([^|]*)|"
      for name in (names or ""):gmatch "`([%w_]+)`" do units[name] = units[name] or unit end
    end
    file:close()
    for _, kind in ipairs { metrics.jobs, metrics.tasks, metrics.packs } do
      for _, entry in ipairs(kind.class) do
        local unit = ({ s = "s ", ["processor-seconds"] = "processor-s " })[entry.unit] or ""
        assert.equal(unit, units[entry[1]], entry[1])
      end
    end
  end)

  it("says of every metric how it is computed and which way is better", function()
    for _, kind in ipairs { metrics.jobs, metrics.tasks, metrics.packs } do
      for _, entry in ipairs(kind.class) do
        local one = kind.by_name[entry[1]]
        assert.is_truthy(#one.formula > 0, one.name)
        assert.is_truthy(({ less = true, more = true, [false] = true })[one.better], one.name)
      end
    end
    assert.equal("33%", metrics.better_share("utilisation", { 1, 2, 3 }, { 1, 3, 2.5 }))
    assert.equal("67%", metrics.better_share("wait_mean", { 1, 2, 3 }, { 0, 3, 2.5 }))
    assert.same({ "higher in", "lower in", "lower in" }, { metrics.better_in "utilisation",
      metrics.better_in "wait_mean", metrics.better_in "starts" })
  end)

  it("lists metrics that there are, each once", function()
    local lists = 0
    for name, kind in pairs { jobs = metrics.jobs, tasks = metrics.tasks, packs = metrics.packs } do
      for key, list in pairs(kind) do
        local seen = {}
        for _, metric in ipairs(type(list[1]) == "string" and list or {}) do
          assert.is_table(kind.by_name[metric], ("%s, %s: %s"):format(name, key, metric))
          assert.is_nil(seen[metric], ("%s, %s: %s"):format(name, key, metric))
          seen[metric], lists = true, lists + 1
        end
      end
    end
    assert.is_true(lists > 50)
  end)
end)

-- By hand: one job of 4 s, which fails 0 to 4 times; each attempt begins where the last one ended.
describe("the summary of a metric", function()
  local function kept(more)
    local spec = { procs = 1, policies = { "easy" }, jobs = orrery.jobs { { procs = 1, time = 4 } },
      failures = { { 3 }, { 0 }, { 4 }, { 1 }, { 2 } } }
    for name, value in pairs(more or {}) do spec[name] = value end
    return orrery.compare(spec).sets[1].metrics
  end
  local named = kept { metrics = { "makespan", "failures" } }

  it("has mean, extremes and quartiles, of floats and of counts", function()
    for name, unit in pairs { makespan = 4, failures = 1 } do
      local s, least = named:summary(1, name), name == "makespan" and 4 or 0
      assert.same({ 5, least, least + unit, least + 2 * unit, least + 2 * unit, least + 3 * unit,
        least + 4 * unit }, { s.count, s.min, s.q1, s.median, s.mean, s.q3, s.max })
      assert.near(unit * math.sqrt(2.5), s.sd, 1e-12)
      assert.near(0, s.skewness, 1e-12)
    end
  end)

  it("is of metrics that were named", function()
    assert.is_nil(named:summary(1, "wait_mean"))
    assert.is_nil(named:summary(1, "makespam"))
    assert.is_nil(kept():summary(1, "makespan"))
    assert.same({ 16.0, 4.0, 20.0, 8.0, 12.0 }, named:column(1, "makespan"))
    assert.error_matches(function() return named:column(1, "wait_mean") end,
      "wait_mean was not kept: name it in metrics", 1, true)
  end)
end)

describe("a metric as text", function()
  local values = require "orrery.values.metrics"

  it("by hand: has its unit, and its interval where there is one", function()
    for expected, what in pairs {
      ["2.00 ± 0.01"] = { "makespan", 7200, 36 }, ["+2.00"] = { "makespan", 7200, nil, true },
      ["2.00"] = { "makespan", 7200, 0 / 0 }, ["3.00"] = { "makespan", 10800, 0 },
      ["-2.00 [1.00, 5.00]"] = { "makespan", -7200, { low = 3600, high = 18000, half_width = 1 } },
      ["2.00 ± 0.10"] = { "makespan", 7200, { half_width = 360 } },
      ["0.017 ± 0.002"] = { "wait_mean", 60, 6 },
      ["0.5000 ± 0.0100"] = { "utilisation", 0.5, 0.01 },
    } do
      assert.equal(expected, values.text(table.unpack(what, 1, 4)))
    end
    for expected, what in pairs { ["2.00 [1.00, 3.00]"] = { 3600, 10800 },
      ["2.00"] = { -math.huge, 10800 }, ["+2.00 [+1.00, +3.00]"] = { 3600, 10800, true },
      ["+2.00"] = { 0 / 0, 10800, true } } do
      assert.equal(expected, values.text_between("makespan", 7200, table.unpack(what, 1, 3)))
    end
    assert.same({ "< 0.0001", "0.0001", "0.5000" }, { values.p_text(0.00009),
      values.p_text(0.0001), values.p_text(0.5) })
  end)

  it("by hand: is shown in the unit that suits the values", function()
    for name, expected in pairs { makespan = { "1 s", "1.00 h", "277.78 h" },
      utilisation = { "100.0%", "360000.0%", "100000000.0%" },
      bsld_mean = { "1.00", "3600.00", "1000000.00" }, starts = { "1", "3600", "1000000" } } do
      local found, one = {}, values.of(name)
      for i, list in ipairs { { 1 }, { 3600, 7200 }, { 1e6 } } do
        found[i] = values.shown(one, list)(list[1])
      end
      assert.same(expected, found)
    end
    local one = values.of "makespan"
    assert.same({ 3600, "makespan (h)", "s", "Makespan (h)" },
      { one.scale, one.title, one.unit, one.axis })
    assert.same({ 1, "mean bounded slowdown" },
      { values.of("bsld_mean").scale, values.of("bsld_mean").title })
  end)
end)
