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
