-- `orrery reproduce redistribution`: its files against numbers computed here, and what it refuses.
local few = require "spec.support.few"
local orrery = require "orrery"
local paper_table = require "spec.support.paper_table"
local program = require "spec.support.program"
local tables = require "spec.support.tables"

local RUNS, SEED = 3, 5 -- of --quick; the seed is given
local USUAL = { 1.5e6, 2.5e6 }

describe("orrery reproduce redistribution --quick", function()
  local folder

  setup(function()
    folder = program.folder()
    local status, out, err = program.run(folder, "reproduce redistribution --quick --out a/b "
      .. "--policy end-local --seed " .. SEED)
    assert.same({ 0, "" }, { status, err })
    assert.matches("\nthe page is a/b/page%.md\n$", out)
    folder = folder .. "/a/b"
  end)

  teardown(function() program.remove((folder:gsub("/a/b$", ""))) end)

  local function numbers(name) return tables.read(folder .. "/" .. name .. ".csv") end

  -- Compares a figure's row and the rows of its runs with those of a policy of a result.
  local function check(name, wanted, result, policy, metric)
    local row, runs = tables.find(numbers(name), wanted), tables.all(numbers(name .. "-runs"),
      wanted)
    local values = result:values(policy, metric or "normalised")
    assert.equal(RUNS, #runs)
    for r, one in ipairs(runs) do
      assert.equal(r, one.run)
      assert.near(values[r], one.normalised, 1e-12)
      if not metric then
        assert.equal(result:values(policy, "makespan")[r], one.makespan)
        assert.equal(result:values(policy, "faults")[r], one.faults)
        assert.equal(result:values(policy, "redistributions")[r], one.redistributions)
        assert.equal(result:values(policy, "moves")[r], one.moves)
      end
    end
    assert.near(tables.mean(values), row.normalised_mean, 1e-12)
    assert.near(few(values), row.normalised_half_width, 1e-8)
    assert.equal(RUNS, row.runs)
  end

  it("writes every figure as CSV, PNG and SVG, and a page", function()
    local expected = { "page.md", "times.csv", "figure-time.csv" }
    for _, figure in ipairs { 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, "parts" } do
      local name = "figure-" .. figure
      for _, ending in ipairs { ".csv", "-runs.csv", ".png", ".svg" } do
        expected[#expected + 1] = name .. ending
      end
      assert.equal("\137PNG", program.read(folder .. "/" .. name .. ".png"):sub(1, 4))
      assert.matches("</svg>%s*$", program.read(folder .. "/" .. name .. ".svg"))
    end
    table.sort(expected)
    assert.equal(table.concat(expected, " "), program.listing(folder))
  end)

  it("says what of the papers is here, as the README does", function()
    paper_table.check("redistribution", program.read(folder .. "/page.md"))
  end)

  it("has every heuristic, size and point in its tables", function()
    local columns = { "sizes", "n", "procs", "sequential", "mtbf_years", "checkpoint", "heuristic",
      "normalised_mean", "normalised_half_width", "normalised_sd", "normalised_min",
      "normalised_max", "makespan", "faults", "redistributions", "moves", "runs" }
    -- ten curves: none, three faults' heuristics with two ends', the project's own, the given one,
    -- without faults
    for name, count in pairs {
      ["figure-5"] = 3 * 3 * 3, ["figure-6"] = 3 * 2 * 2, ["figure-7"] = 10 * 3 * 2,
      ["figure-8"] = 10 * 3 * 2, ["figure-10"] = 10 * 3 * 3, ["figure-11"] = 10 * (3 + 2 * 2),
      ["figure-12"] = 10 * 3 * 2, ["figure-13"] = 10 * 3 * 3, ["figure-14"] = 10 * 3 * 2,
      ["figure-parts"] = 8 * (3 + 2),
    } do
      local rows, head = numbers(name)
      assert.same(columns, head)
      assert.equal(count, #rows, name)
      assert.equal(count * RUNS, #numbers(name .. "-runs"), name)
      for _, row in ipairs(tables.all(rows, { heuristic = "No redistribution" })) do
        assert.same({ 1, 1, 1 }, { row.normalised_min, row.normalised_mean, row.normalised_max })
      end
    end
  end)

  it("has the numbers of orrery.compare", function()
    check("figure-8", { sizes = "default", procs = 400, mtbf_years = 100,
      heuristic = "IteratedGreedy-EndGreedy" }, orrery.compare {
        tasks = { n = 20, m = USUAL, sequential = 0.08 }, procs = 400, runs = RUNS, seed = SEED,
        faults = { mtbf_years = 100 }, costs = { checkpoint = 1 },
        policies = { { on_end = "end-greedy", on_fault = "iterated-greedy" } },
      }, 1)
    check("figure-10", { sizes = "heterogeneous", mtbf_years = 5,
      heuristic = "ShortestTasksFirst (literal)-EndLocal" }, orrery.compare {
        tasks = { n = 20, m = { 1500, 2.5e6 }, sequential = 0.08 }, procs = 200, runs = RUNS,
        seed = SEED, faults = { mtbf_years = 5 }, costs = { checkpoint = 1 },
        policies = { { on_end = "end-local", on_fault = "shortest-tasks-first",
          options = { literal = true } } },
      }, 1)
    check("figure-12", { sizes = "homogeneous", checkpoint = 0.1,
      heuristic = "ShortestTasksFirst-EndGreedy" }, orrery.compare {
        tasks = { n = 20, m = { 2499000, 2.5e6 } }, procs = 200, runs = RUNS, seed = SEED,
        faults = { mtbf_years = 100 }, costs = { checkpoint = 0.1 },
        policies = { "end-greedy+shortest-tasks-first" },
      }, 1)
    check("figure-14", { sizes = "default", sequential = 0.5, heuristic = "end-local" },
      orrery.compare {
        tasks = { n = 20, m = USUAL, sequential = 0.5 }, procs = 200, runs = RUNS, seed = SEED,
        faults = { mtbf_years = 100 }, policies = { "redistribute/end-local" },
      }, 1)
  end)

  it("takes no checkpoints where nothing fails", function()
    check("figure-5", { sizes = "default", procs = 90, heuristic = "EndLocal" }, orrery.compare {
      tasks = { n = 20, m = USUAL }, procs = 90, runs = RUNS, seed = SEED,
      policies = { "end-local" },
    }, 1)
    for _, row in ipairs(numbers "figure-5") do
      assert.same({ "inf", "", 0 }, { row.mtbf_years, row.checkpoint, row.faults })
    end
  end)

  it("sets the best case against the same runs with faults", function()
    local result = orrery.compare {
      tasks = { n = 20, m = USUAL }, procs = 200, runs = RUNS, seed = SEED, fault_free = true,
      faults = { mtbf_years = 5 }, policies = { "end-local" },
    }
    local free, baseline = result:values(1, "fault_free"), result:values(1, "baseline")
    local runs = tables.all(numbers "figure-10-runs", { sizes = "default", mtbf_years = 5,
      heuristic = "No faults (EndLocal)" })
    for r = 1, RUNS do
      assert.near(free[r] / baseline[r], runs[r].normalised, 1e-12)
      assert.equal(free[r], runs[r].makespan)
    end
  end)

  it("has the same numbers where figures share them", function()
    local ten = numbers "figure-10"
    for _, row in ipairs(tables.all(numbers "figure-13", { checkpoint = 1 })) do
      local same = tables.find(ten, { sizes = "default", mtbf_years = row.mtbf_years,
        heuristic = row.heuristic })
      assert.equal(same.normalised_mean, row.normalised_mean)
    end
  end)

  it("follows one execution, event by event", function()
    local rows = tables.all(numbers "figure-9", { heuristic = "ShortestTasksFirst-EndLocal" })
    local result = orrery.compare {
      tasks = { n = 20, m = USUAL }, procs = 200, runs = RUNS, seed = SEED,
      faults = { mtbf_years = 50 }, policies = { "end-local+shortest-tasks-first" },
    }
    local makespans = result:values(1, "makespan")
    assert.equal(0, rows[1].time)
    assert.equal(20, rows[1].running)
    local session = orrery.session {
      tasks = { n = 20, m = USUAL }, procs = 200, seed = SEED, faults = { mtbf_years = 50 },
      policy = "end-local+shortest-tasks-first",
    }
    local procs, latest = {}, 0
    for i, task in ipairs(session:running()) do
      procs[i], latest = task.procs, math.max(latest, task.finish)
    end
    local square = 0
    for _, p in ipairs(procs) do square = square + (p - tables.mean(procs)) ^ 2 end
    assert.near(tables.mean(procs), rows[1].procs_mean, 1e-12)
    assert.near(math.sqrt(square / 20), rows[1].procs_sd, 1e-9)
    assert.equal(latest, rows[1].makespan)
    local last = rows[#rows]
    assert.same({ makespans[1], makespans[1], 0 }, { last.time, last.makespan, last.running })
    for i = 2, #rows do
      assert.is_true(rows[i].time >= rows[i - 1].time)
      assert.is_true(rows[i].running <= rows[i - 1].running)
      assert.is_true(rows[i].procs_mean * rows[i].running <= 200 + 1e-9)
    end
    local runs = tables.all(numbers "figure-9-runs", { heuristic = "ShortestTasksFirst-EndLocal" })
    for r = 1, RUNS do assert.equal(makespans[r], runs[r].makespan) end
  end)

  it("has a page with all figures and verdicts", function()
    local text = program.read(folder .. "/page.md")
    for i = 5, 14 do assert.matches(("](figure-%d.png)"):format(i), text, 1, true) end
    local statements = 0
    for verdict in text:gmatch "\n| %d+%. [^\n]* | %*%*([a-z ]+)%*%*" do
      assert.is_true(verdict == "holds" or verdict == "does not hold" or verdict == "not decided")
      statements = statements + 1
    end
    assert.is_true(statements >= 50, statements .. " statements")
  end)

  it("computes a verdict from its samples", function()
    local rows, differences = numbers "figure-8-runs", {}
    for run = 1, RUNS do
      local function value(heuristic)
        return tables.find(rows, { sizes = "default", procs = 400, run = run,
          heuristic = heuristic })
          .normalised
      end
      differences[run] = value "ShortestTasksFirst-EndGreedy" - value "ShortestTasksFirst-EndLocal"
    end
    local shown = program.read(folder .. "/page.md"):match
      "| p = 400: ShortestTasksFirst%-EndGreedy less ShortestTasksFirst%-EndLocal | (%-?[%d.]+) ±"
    assert.near(tables.mean(differences), tonumber(shown), 6e-5)
  end)

  it("times every heuristic in the smallest and the largest cells", function()
    local rows = numbers "figure-time"
    assert.equal(4 * 6, #rows)
    for _, row in ipairs(rows) do
      assert.is_true(row.seconds_mean > 0 and row.seconds_max >= row.seconds_mean)
      assert.equal(RUNS, row.runs)
    end
    -- the runs are those of the other figures
    local one = { n = 20, procs = 200, heuristic = "IteratedGreedy-EndLocal" }
    assert.near(tables.find(numbers "figure-10", { sizes = "default", mtbf_years = 100,
      heuristic = one.heuristic }).makespan, tables.find(rows, one).makespan, 1e-3)
  end)

  it("has about 98 days of sequential work in the largest task", function()
    local tasks = orrery.tasks.list { { m = 2.5e6, f = 0.08 } }
    assert.near(98.4, tasks:time(1, 100000000) / 86400, 0.05)
    assert.near(134, tasks:time(1, 50) / 86400, 1)
    assert.near(277, tasks:time(1, 10) / 86400, 5)
  end)

  -- The colour says the heuristic at faults, the dashes the one at ends. What is no heuristic of
  -- the papers has no marks.
  it("draws no two curves alike", function()
    local paper = require "orrery.reproduce.redistribution.plan"
    for _, list in ipairs { paper.heuristics, paper.ends, paper.faults } do
      local seen, shown = {}, { paper.none, paper.fault_free, table.unpack(list) }
      for i, one in ipairs(shown) do
        local style = one.style
        local look = table.concat({ style.colour, tostring(style.mark), style.dash or 1 }, " ")
        assert.is_nil(seen[look], one.name)
        seen[look] = one.name
        assert.equal(i <= 2, style.marks == false)
        assert.equal(i == 2 and 3 or one.policy:find "end%-local" and 2 or nil, style.dash)
      end
    end
  end)

  it("says how many simulations each figure took", function()
    local rows = numbers "times"
    -- with none: 3 policies, or 9 and 2 more without faults, which for 20 tasks figure 5 has; and
    -- the 5 more of "parts" in the cell that it shares
    assert.equal(3 * 3 * RUNS * 3, tables.find(rows, { figure = 5 }).simulations)
    assert.equal(3 * RUNS * (2 * 9 + 2) + 5 * RUNS, tables.find(rows, { figure = 7 }).simulations)
  end)
end)

describe("orrery reproduce redistribution", function()
  local folder

  before_each(function()
    folder = program.folder()
    program.write(folder, "file", "")
  end)
  after_each(function() program.remove(folder) end)

  local function refused(status, message, arguments, environment)
    local real, out, err = program.run(folder, "reproduce redistribution " .. arguments,
      environment)
    assert.same({ status, "" }, { real, out })
    assert.matches(message, err, 1, true)
    assert.equal("file", program.listing(folder))
  end

  it("refuses what it cannot do before it runs or writes anything", function()
    refused(2, "argument for option '--figure' must be one of '5', '6', '7', '8', '9', '10', '11', "
      .. "'12', '13', '14', 'parts', 'time', '1.4', '1.5', '1.6', '1.7'", "--figure 4")
    refused(2, "unknown option '--sets'", "--sets 3")
    refused(2, "--runs: expected a whole number from 1 to 1000000000, found '0'", "--runs 0")
    refused(2, "--policy end-locl: ", "--policy end-locl")
    refused(2, "--policy end-local is there twice", "--policy end-local --policy end-local")
    refused(2, "--out: expected the name of a folder", "--out ''")
    refused(2, "--out: file is no folder", "--out file")
    refused(1, "cannot write in /proc", "--out /proc/below")
    refused(1, "the figures want gnuplot, which is not installed", "", "PATH=/nonexistent")
  end)

  it("takes the chapter's numbers of figures, and a policy of the user's own", function()
    program.write(folder, "idle.lua", 'return { name = "Idle", on_fault = function() end }\n')
    local status, out, err = program.run(folder, "reproduce redistribution --quick --runs 2 "
      .. "--figure 1.7 --policy end-local+idle.lua --out o")
    assert.same({ 0, "" }, { status, err })
    assert.matches("Cheaper checkpoints gain more", out, 1, true)
    assert.equal("figure-12-runs.csv figure-12.csv figure-12.png figure-12.svg page.md times.csv",
      program.listing(folder .. "/o"))
    assert.equal(6, #tables.all(tables.read(folder .. "/o/figure-12.csv"),
      { heuristic = "end-local+idle.lua", runs = 2 }))
  end)

  it("gives the same for any number of threads, and other numbers for another seed", function()
    local function run(name, arguments)
      assert.equal(0, (program.run(folder, "reproduce redistribution --quick --figure 8 --out "
        .. name .. " " .. arguments)))
      return program.read(folder .. "/" .. name .. "/figure-8-runs.csv")
    end
    local one = run("one", "--threads 1")
    assert.equal(one, run("three", "--threads 3"))
    assert.not_equal(one, run("other", "--seed 2"))
  end)
end)
