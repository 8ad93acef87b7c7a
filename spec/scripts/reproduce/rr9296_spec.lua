-- `orrery reproduce rr9296`: its files against numbers computed here, and what it refuses.
local few = require "spec.support.few"
local orrery = require "orrery"
local paper_table = require "spec.support.paper_table"
local program = require "spec.support.program"
local tables = require "spec.support.tables"

local SETS, RUNS, PROCS, SEED = 2, 5, 10000, 3 -- of --quick; the seed is given

describe("orrery reproduce rr9296 --quick", function()
  local folder

  setup(function()
    folder = program.folder()
    local status, out, err = program.run(folder, "reproduce rr9296 --quick --out a/b --seed "
      .. SEED)
    assert.same({ 0, "" }, { status, err })
    assert.matches("\nthe page is a/b/page%.md\n$", out)
    folder = folder .. "/a/b"
  end)

  teardown(function() program.remove((folder:gsub("/a/b$", ""))) end)

  local function numbers(name) return tables.read(folder .. "/" .. name .. ".csv") end

  -- Compares a figure's row and the rows of its sets with runs of our own.
  --   results  one result per set, with one policy
  local function check(name, wanted, results)
    local row, sets, samples = tables.find(numbers(name), wanted), numbers(name .. "-sets"), {}
    for s, result in ipairs(results) do
      local values = result:values(1, "ratio")
      samples[s] = tables.mean(values)
      local key = { set = rawget(result, "named") or s }
      for k, v in pairs(wanted) do key[k] = v end
      local one = tables.find(sets, key)
      assert.near(samples[s], one.ratio_mean, 1e-12)
      assert.near(tables.mean(result:values(1, "failures")), one.failures, 1e-9)
      assert.equal(#values, one.runs)
    end
    assert.near(tables.mean(samples), row.ratio_mean, 1e-12)
    assert.near(few(samples), row.ratio_half_width, 1e-8)
    assert.equal(#samples, row.sets)
    assert.near(math.max(table.unpack(samples)), row.ratio_max, 1e-12)
  end

  local function synthetic(q, procs, policy, runs)
    local results = {}
    for s = 1, SETS do
      results[s] = orrery.compare {
        jobs = orrery.synthetic { seed = SEED, set = s - 1 }, procs = procs, seed = SEED,
        set = s - 1, runs = runs or RUNS, errors = { mean_probability = q }, policies = { policy },
      }
    end
    return results
  end

  it("writes every figure as CSV, PNG and SVG, and a page", function()
    local expected = {}
    local without_sets = { ["figure-1"] = true, ["figure-bound"] = true,
      ["figure-shelf-ratio"] = true }
    for _, name in ipairs { "figure-1", "figure-2", "figure-3", "figure-4", "figure-5", "figure-6",
      "table-1", "figure-kept", "figure-capped", "figure-bound", "figure-shelf-ratio" } do
      for _, ending in ipairs { ".csv", "-sets.csv", ".png", ".svg" } do
        local of_sets = without_sets[name] and ending == "-sets.csv"
        expected[#expected + 1] = not of_sets and name .. ending or nil
      end
      assert.equal("\137PNG", program.read(folder .. "/" .. name .. ".png"):sub(1, 4))
      assert.matches("</svg>%s*$", program.read(folder .. "/" .. name .. ".svg"))
    end
    local bound = program.read(folder .. "/figure-bound.svg")
    assert.is_truthy(bound:find ">%s*0%.05%s*<") -- a tick every 0.05
    assert.is_nil(bound:find ">%s*0%.0[1-46-9]%s*<")
    table.move({ "figure-1-jobs.csv", "page.md", "times.csv" }, 1, 3, #expected + 1, expected)
    table.sort(expected)
    assert.equal(table.concat(expected, " "), program.listing(folder))
  end)

  it("has every heuristic, priority and point in its tables", function()
    local columns = { "q", "procs", "cap", "heuristic", "priority", "ratio_mean",
      "ratio_half_width", "ratio_sd", "ratio_min", "ratio_max", "failures", "sets", "runs" }
    for name, count in pairs {
      ["figure-2"] = 6 * 7 * 4, ["figure-3"] = 6 * 7 * 4, ["figure-4"] = 6 * 2 * 8,
      ["figure-5"] = 4 * 7 * 3, ["figure-6"] = 2 * 7 * 3, ["table-1"] = 6 * 3,
      ["figure-kept"] = 5 * (2 * 4 + 3), ["figure-capped"] = 2 * 2 * 4 * 2,
    } do
      local rows, head = numbers(name)
      assert.same(columns, head)
      assert.equal(count, #rows, name)
      local sets = numbers(name .. "-sets")
      local of_rows = 0
      for _, row in ipairs(rows) do of_rows = of_rows + row.sets end
      assert.equal(of_rows, #sets, name)
      for _, row in ipairs(rows) do assert.is_true(row.ratio_min > 1 - 1e-12) end
    end
  end)

  it("has the numbers of orrery.compare", function()
    check("figure-2", { q = 0.5, heuristic = "R-LIST-1 (head)", priority = "SPT" },
      synthetic(0.5, PROCS, { policy = "list", priority = "spt",
        options = { reservations = 1, reading = "head" } }))
    check("figure-2", { q = 0.3, heuristic = "R-LIST-Q", priority = "LA" },
      synthetic(0.3, PROCS, { policy = "list", priority = function(job)
        return job.procs * job.time
      end, options = { reservations = "all" } }))
    check("figure-3", { procs = 20000, heuristic = "R-SHELF-B", priority = "HPA" },
      synthetic(0.3, 20000, { policy = "shelf", priority = "hpa" }))
  end)

  it("takes one scenario for all where nothing is drawn, and all where something is", function()
    check("figure-2", { q = 0, heuristic = "R-LIST-1", priority = "LPT" },
      synthetic(0, PROCS, { policy = "easy", priority = "lpt" }, 1))
    check("figure-2", { q = 0, heuristic = "R-LIST-0", priority = "RANDOM" },
      synthetic(0, PROCS, { policy = "greedy", priority = "random" }))
  end)

  it("has the same numbers where figures share them", function()
    local two, three = numbers "figure-2", numbers "figure-3"
    for _, row in ipairs(numbers "figure-4") do
      local key = { q = row.q, procs = row.procs, heuristic = row.heuristic,
        priority = row.priority }
      local there = row.procs == PROCS and two or three
      if row.procs ~= PROCS or row.q ~= 0.3 then
        assert.equal(tables.find(there, key).ratio_mean, row.ratio_mean)
      end
    end
  end)

  it("takes the days of the log as they come by day", function()
    local log = orrery.read(orrery.home .. "/data/mira/sample-2019-06.csv")
    local days = log:days()
    local jobs = log:between("2019-06-01 00:00:00", "2019-06-04 00:00:00")
    local result = orrery.compare {
      jobs = jobs, procs = 49152, batch = true, by = "day", runs = RUNS, seed = SEED,
      errors = { mean_probability = 0.1 }, policies = { "shelf-nofill", "easy" }, priority = "lpt",
    }
    for policy, heuristic in ipairs { "R-SHELF-NB", "R-LIST-1" } do
      local means = result:set_means(policy, "ratio")
      for _, name in ipairs { "table-1", policy == 1 and "figure-6" or "figure-5" } do
        local row = tables.find(numbers(name), { q = 0.1, heuristic = heuristic, priority = "LPT" })
        assert.near(tables.mean(means), row.ratio_mean, 1e-12)
        assert.equal(49152, row.procs)
        for s = 1, 3 do
          local one = tables.find(numbers(name .. "-sets"), { q = 0.1, heuristic = heuristic,
            priority = "LPT", set = days[s].day })
          assert.near(means[s], one.ratio_mean, 1e-12)
          assert.equal(#days[s].jobs, one.jobs)
        end
      end
    end
  end)

  it("cuts failures off in its explanation of the shelves", function()
    local rows = numbers "figure-capped-sets"
    local function failures(q, cap)
      return tables.find(rows, { q = q, cap = cap, heuristic = "R-LIST-0", priority = "LA",
        set = 1 })
        .failures
    end
    local jobs = orrery.synthetic { seed = SEED, set = 0 }
    local counts = orrery.session { jobs = jobs, procs = PROCS, seed = SEED,
      errors = { mean_probability = 0.9 } }:failures()
    local drawn, capped = 0, 0
    for _, count in ipairs(counts) do
      drawn, capped = drawn + count, capped + math.min(count, 30)
    end
    assert.equal(drawn, failures(0.9, ""))
    assert.equal(capped, failures(0.9, 30))
    assert.equal(0, failures(0, ""))
  end)

  it("has the jobs of the log, and how many there are each day", function()
    local days = orrery.read(orrery.home .. "/data/mira/sample-2019-06.csv"):days()
    local rows, jobs, at = numbers "figure-1", numbers "figure-1-jobs", 0
    assert.equal(3, #rows)
    for i, row in ipairs(rows) do
      assert.same({ days[i].day, #days[i].jobs }, { row.day, row.jobs })
      for _, job in days[i].jobs:each() do
        at = at + 1
        assert.same({ row.day, job.procs, job.runtime }, { jobs[at].day, jobs[at].procs,
          jobs[at].runtime })
      end
    end
    assert.equal(at, #jobs)
  end)

  it("has the expected ratio of R-SHELF, which simulations agree with", function()
    local found = {}
    for _, row in ipairs(numbers "figure-shelf-ratio") do
      if row.procs == 10 and row.scale == 10 then found[#found + 1] = row end
    end
    assert.equal(8, #found) -- 4 rates in each panel
    for _, row in ipairs(found) do
      local list = {}
      for j = 1, 10 do list[j] = { procs = 1, time = row.scale / j } end
      local result = orrery.compare { jobs = orrery.jobs(list), procs = 10, runs = 20000,
        errors = { rate = row.rate }, policies = { "shelf-nofill", "greedy" } }
      local shelf, optimal = result:values(1, "makespan"), result:values(2, "makespan")
      local apart = {} -- of mean 0 where the ratio is that of the means
      for i, value in ipairs(shelf) do apart[i] = value - row.ratio * optimal[i] end
      local s = orrery.summary(apart)
      assert.is_true(math.abs(s.mean) <= 2 * s.half_width + 1e-9, ("%g: %g +- %g"):format(row.rate,
        s.mean, s.half_width))
    end
    -- By hand, with two jobs of 2 s and 1 s that fail with probabilities a and b: the first shelf
    -- takes 2 s, and shelf i > 1 takes 2 s where the first job fails again, else 1 s if the second
    -- does: 2 + 2 a / (1 - a) + b / (1 - b) - a b / (1 - a b). The optimum takes the longer one.
    local ratio = require "orrery.reproduce.rr9296.shelf_ratio"
    local a, b = 1 - math.exp(-2 * 0.3), 1 - math.exp(-0.3)
    local shelf, optimal = ratio.expected(2, 2, 0.3)
    assert.near(2 + 2 * a / (1 - a) + b / (1 - b) - a * b / (1 - a * b), shelf, 1e-12)
    local sum = 0
    for x = 0, 999 do sum = sum + 1 - (1 - a ^ (x // 2)) * (1 - b ^ x) end
    assert.near(sum, optimal, 1e-12)
  end)

  it("counts the scenarios that one job decides", function()
    local found = 0
    for s = 1, SETS do
      local jobs = orrery.synthetic { seed = SEED, set = s - 1 }
      local result = orrery.compare { jobs = jobs, procs = PROCS, seed = SEED, set = s - 1,
        errors = { mean_probability = 0.5 } }
      -- With more processors than all jobs together ask for, the bound is the longest of them.
      local alone = orrery.compare { jobs = jobs, procs = 100 * 2000, seed = SEED, set = s - 1,
        errors = { mean_probability = 0.5 } }
      local function bound_of(one) return one:values(1, "lower_bound")[1] end
      if bound_of(alone) == bound_of(result) then found = found + 1 end
    end
    local row = tables.find(numbers "figure-bound", { workload = "synthetic", q = 0.5 })
    assert.equal(found / SETS, row.share_mean)
    assert.equal(0, tables.find(numbers "figure-bound", { workload = "synthetic",
      q = 0 }).share_mean)
  end)

  it("says what of the paper is here, each row backed by something", function()
    paper_table.check("rr9296", program.read(folder .. "/page.md"))
  end)

  it("has a page with all figures and verdicts", function()
    local text = program.read(folder .. "/page.md")
    for _, name in ipairs { "figure-2", "figure-6", "table-1", "figure-kept" } do
      assert.matches("](" .. name .. ".png)", text, 1, true)
    end
    local statements, of_log = 0, 0
    for place, verdict in text:gmatch "\n| %d+%. [^\n]* | ([^|\n]+) | %*%*([a-z ]+)%*%*" do
      if verdict == "cannot be tested here" then -- the bundled month is not the report's log
        assert.is_truthy(place:find "^5%.3" or place == "5.1, figure 1")
        of_log = of_log + 1
      else
        assert.is_true(verdict == "holds" or verdict == "does not hold"
          or verdict == "not decided")
      end
      statements = statements + 1
    end
    assert.equal(16, of_log)
    assert.is_true(statements >= 30, statements .. " statements")
  end)

  it("computes a verdict from its samples", function()
    -- LA against LPT under R-LIST-0: the pairs that the page has are those of the sets' table.
    local rows, differences = numbers "figure-2-sets", {}
    for s = 1, SETS do
      local function value(priority)
        return tables.find(rows, { q = 0.5, set = s, heuristic = "R-LIST-0", priority = priority })
          .ratio_mean
      end
      differences[s] = value "LA" - value "LPT"
    end
    local shown = program.read(folder .. "/page.md"):match
      "| R%-LIST%-0, q = 0%.5: LA less LPT | (%-?[%d.]+) ±"
    assert.near(tables.mean(differences), tonumber(shown), 6e-5)
  end)

  it("says how long each part took", function()
    local rows = numbers "times"
    assert.is_true(#rows >= 20)
    assert.equal(6 * 7 * SETS * RUNS * 3 + 6 * 6 * SETS + 6 * SETS * RUNS, (function()
      local steps = 0
      for _, row in ipairs(rows) do
        if row.figure == 2 then steps = steps + row.simulations end
      end
      return steps
    end)())
  end)
end)

describe("orrery reproduce rr9296", function()
  local folder

  before_each(function()
    folder = program.folder()
    program.write(folder, "jobs.csv", "id,procs,time\nA,3,4\nB,2,4\n")
    program.write(folder, "file", "")
  end)
  after_each(function() program.remove(folder) end)

  local function refused(status, message, arguments, environment)
    local real, out, err = program.run(folder, "reproduce rr9296 " .. arguments, environment)
    assert.same({ status, "" }, { real, out })
    assert.matches(message, err, 1, true)
    assert.equal("file jobs.csv", program.listing(folder))
  end

  it("refuses what it cannot do before it runs or writes anything", function()
    refused(2, "argument for option '--figure' must be one of '1', '2', '3', '4', '5', '6', "
      .. "'table-1'", "--figure 7")
    refused(2, "--sets: expected a whole number from 1 to 1000000, found '0'", "--sets 0")
    refused(2, "--runs: expected a whole number, found 'many'", "--runs many")
    refused(2, "must be one of 'greedy', 'easy', 'easy-head'", "--without fcfs")
    refused(2, "--without leaves no heuristic to simulate", "--without greedy --without easy "
      .. "--without easy-head --without conservative --without shelf --without shelf-nofill")
    refused(2, "--out: expected the name of a folder", "--out ''")
    refused(2, "--out: file is no folder", "--out file")
    refused(2, "--out: file is no folder", "--out file/below")
    refused(1, "cannot write in /proc", "--out /proc/below")
    refused(2, "no.csv", "--log no.csv")
    refused(2, "jobs.csv does not say how many processors the machine has: give --procs N",
      "--log jobs.csv")
    refused(2, "--from: ", "--from yesterday")
    refused(2, "no job was submitted before 2001-01-01", "--to 2001-01-01")
    refused(2, "unknown option '--figures'", "--figures 2")
    refused(1, "the figures want gnuplot, which is not installed", "", "PATH=/nonexistent")
  end)

  it("takes the part of a log that it is asked for", function()
    local status = program.run(folder, "reproduce rr9296 --runs 1 --figure table-1 "
      .. "--without conservative --from 2019-06-10 --to '2019-06-12 00:00:00' --out o")
    assert.equal(0, status)
    local days = {}
    for _, row in ipairs((tables.read(folder .. "/o/table-1-sets.csv"))) do days[row.set] = true end
    assert.same({ ["2019-06-10"] = true, ["2019-06-11"] = true }, days)
  end)

  it("runs what it is asked for, and nothing else", function()
    local status, out, err = program.run(folder, "reproduce rr9296 --quick --figure table-1 "
      .. "--without conservative --without easy-head --log jobs.csv --procs 4 --out o/")
    assert.same({ 0, "" }, { status, err })
    assert.equal("page.md table-1-sets.csv table-1.csv table-1.png table-1.svg times.csv",
      program.listing(folder .. "/o"))
    -- A and B, 3 and 2 of 4 processors for 4 s: one after the other, 8 s; the bound is 20 / 4 = 5.
    local rows = tables.read(folder .. "/o/table-1.csv")
    assert.equal(3 * 4, #rows)
    for _, heuristic in ipairs { "R-LIST-0", "R-LIST-1", "R-SHELF-B", "R-SHELF-NB" } do
      assert.near(1.6, tables.find(rows, { q = 0, heuristic = heuristic }).ratio_mean, 1e-12)
    end
    assert.is_nil(out:find("priority", 1, true))
  end)

  it("gives the same numbers with any number of threads", function()
    for _, threads in ipairs { 1, 2 } do
      local status = program.run(folder, ("reproduce rr9296 --quick --figure 4 --without "
        .. "conservative --threads %d --out t%d"):format(threads, threads))
      assert.equal(0, status)
    end
    assert.equal(program.read(folder .. "/t1/figure-4.csv"),
      program.read(folder .. "/t2/figure-4.csv"))
  end)
end)

describe("reservations that are kept", function()
  local path = orrery.home .. "/scripts/reproduce/rr9296/kept_reservations.lua"

  local function starts(each, failures)
    local session = orrery.session {
      jobs = orrery.jobs { { id = "A", procs = 2, time = 10 }, { id = "B", procs = 2, time = 5 },
        { id = "C", procs = 2, time = 3 } },
      procs = 2, priority = "lpt", policy = path .. ":each=" .. each, failures = failures,
    }
    session:finish()
    assert(session:check())
    local list = {}
    for i, attempt in ipairs(session:schedule()) do
      list[i] = ("%s %g"):format(attempt.id, attempt.start)
    end
    return table.concat(list, ", ")
  end

  it("send a failed job behind all that were made", function()
    -- At 0 A starts, and B and C are reserved at 10 and 15. When A fails at 10 it has the highest
    -- priority, and yet waits until 18. With one reservation a decision, A takes it both times.
    assert.equal("A 0, B 10, C 15, A 18", starts("all", { 1, 0, 0 }))
    assert.equal("A 0, A 10, B 20, C 25", starts("1", { 1, 0, 0 }))
    assert.equal("A 0, B 10, C 15", starts("all", { 0, 0, 0 }))
  end)

  it("change nothing where nothing fails", function()
    for set = 0, 19 do
      local result = orrery.compare {
        jobs = orrery.synthetic { seed = 9, set = set, count = 40 }, procs = 4000 + 300 * set,
        policies = { "dispatch/list:reservations=all", path .. ":each=all" },
        priority = "random", seed = set,
      }
      assert.same(result:values(1, "makespan"), result:values(2, "makespan"))
      assert.same(result:values(1, "wait_mean"), result:values(2, "wait_mean"))
    end
  end)

  it("make a difference where something fails", function()
    local result = orrery.compare {
      jobs = orrery.synthetic { seed = 9 }, procs = 10000, runs = 5, priority = "lpt",
      errors = { mean_probability = 0.3 },
      policies = { "dispatch/list:reservations=all", path .. ":each=all" },
    }
    assert.is_true(result:difference(1, 2).mean > 0.05)
  end)
end)
