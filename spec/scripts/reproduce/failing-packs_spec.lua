-- `orrery reproduce failing-packs`: its files against orrery.compare.
local orrery = require "orrery"
local program = require "spec.support.program"
local tables = require "spec.support.tables"

describe("orrery reproduce failing-packs --quick", function()
  local folder

  setup(function()
    folder = program.folder()
    local status, out, err = program.run(folder, "reproduce failing-packs --quick --out o --seed 4")
    assert.same({ 0, "" }, { status, err })
    assert.matches("\nthe page is o/page%.md\n$", out)
    folder = folder .. "/o"
  end)

  teardown(function() program.remove((folder:gsub("/o$", ""))) end)

  it("writes figures, tables and a page", function()
    assert.equal("figure-k.csv figure-k.png figure-k.svg figure-mtbf.csv figure-mtbf.png "
      .. "figure-mtbf.svg page.md", program.listing(folder))
    assert.matches("## Questions", program.read(folder .. "/page.md"))
  end)

  it("has the numbers of orrery.compare", function()
    local rows = tables.read(folder .. "/figure-mtbf.csv")
    local fractions = { 0, 0.04, 0.08, 0.16, 0.32 }
    local result = orrery.compare {
      tasks = function(run)
        local list = {}
        for i = 1, 12 do
          local rng = orrery.random { seed = 4, scenario = run, entity = i }
          list[i] = { m = rng:uniform(1.5e5, 2.5e6), f = fractions[(i - 1) % 5 + 1] }
        end
        return orrery.tasks.list(list)
      end,
      procs = 48, k = 4, runs = 3, seed = 4, faults = { mtbf_years = 1 },
      costs = { checkpoint = 0.1 }, packs = { "sorted-cuts", "pack-by-pack:runs=9" },
      policies = { "none", "end-local+none" },
    }
    local row = tables.find(rows, { mtbf_years = 1, packs_by = "sorted-cuts",
      heuristic = "EndLocal" })
    local base, mine, sum = result:values(3, "makespan"), result:values(2, "makespan"), 0
    for run = 1, 3 do sum = sum + mine[run] / base[run] / 3 end
    assert.near(sum, row.relative, 1e-12)
    assert.near(tables.mean(mine), row.makespan, 1e-6)
    assert.is_true(row.faults > 0)
    assert.equal(1, tables.find(rows, { mtbf_years = "inf", packs_by = "PACK-BY-PACK-9",
      heuristic = "no redistribution" }).relative)
  end)

  it("puts as many tasks into a pack as k allows, or fewer", function()
    local rows = tables.read(folder .. "/figure-k.csv")
    assert.equal(6, tables.find(rows, { k = 2, packs_by = "k at a time",
      heuristic = "EndLocal" }).packs)
    assert.equal(1, tables.find(rows, { k = 12, packs_by = "k at a time",
      heuristic = "EndLocal" }).packs)
    assert.equal(12, tables.find(rows, { k = 12, packs_by = "one by one",
      heuristic = "EndLocal" }).packs)
  end)
end)
