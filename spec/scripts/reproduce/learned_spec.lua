-- `orrery reproduce learned`: its files against orrery.compare.
local orrery = require "orrery"
local paper_table = require "spec.support.paper_table"
local program = require "spec.support.program"
local tables = require "spec.support.tables"

describe("orrery reproduce learned --quick", function()
  local folder

  setup(function()
    folder = program.folder()
    local status, out, err = program.run(folder,
      "reproduce learned --quick --procs 128 --out o --seed 4")
    assert.same({ 0, "" }, { status, err })
    assert.matches("\nthe page is o/page%.md\n$", out)
    folder = folder .. "/o"
  end)

  teardown(function() program.remove((folder:gsub("/o$", ""))) end)

  it("writes figures, tables and a page", function()
    assert.equal("figure-backfilling.csv figure-backfilling.png figure-backfilling.svg "
      .. "figure-plain.csv figure-plain.png figure-plain.svg page.md sequences.csv times.csv",
      program.listing(folder))
    local page = program.read(folder .. "/page.md")
    assert.matches("Medians over the sequences:", page)
    paper_table.check("learned", page)
  end)

  -- What the plan says, said again: slices by hand, estimates asked for beside the log.
  local function sequences(load)
    local log = orrery.lublin { procs = 128, days = 6, week = false, load = load, seed = 4 }
      :user_estimates { longest = 48 * 3600, seed = 4 }
    local first, list = log[1].submit, {}
    for s = 1, 3 do
      list[s] = { name = s, jobs = log:between(first + (s - 1) * 2 * 86400, first + s * 2 * 86400) }
    end
    return list
  end

  it("has the numbers of orrery.compare", function()
    local rows, summaries = tables.read(folder .. "/sequences.csv"), {}
    for _, name in ipairs { "plain", "backfilling" } do
      summaries[name] = tables.read(folder .. "/figure-" .. name .. ".csv")
    end
    for _, case in ipairs { { "none", "runtimes", "model", nil, "dispatch/fcfs", "WFP3" },
      { "EASY", "estimates", "0.9", 0.9, "dispatch/easy", "F2" },
      { "EASY", "runtimes", "0.9", 0.9, "dispatch/easy", "FCFS" },
      { "none", "estimates", "model", nil, "dispatch/fcfs", "SPT" } } do
      local found = {}
      for s, set in ipairs(sequences(case[4])) do
        local result = orrery.compare { jobs = set.jobs, policy = case[5], tau = 10,
          priority = case[6]:lower(), walltimes = case[2] == "estimates" and "log" or "runtime" }
        local sum = 0
        for i, bsld in ipairs(result:jobs(1, "bsld")) do
          if i > 16 then sum = sum + bsld end
        end
        found[s] = sum / (#set.jobs - 16)
        local row = tables.find(rows, { backfilling = case[1], load = tonumber(case[3]) or case[3],
          known = case[2], rule = case[6], sequence = ("2024-01-0%d"):format(2 * s - 1) })
        assert.near(found[s], row.bsld_mean, 1e-9 * found[s])
        assert.equal(#set.jobs, row.jobs)
      end
      table.sort(found)
      local row = tables.find(summaries[case[1] == "none" and "plain" or "backfilling"],
        { load = tonumber(case[3]) or case[3], known = case[2], rule = case[6] })
      assert.near(found[2], row.median, 1e-9 * found[2])
      assert.near(tables.mean(found), row.mean, 1e-9 * row.mean)
    end
  end)

  it("has 1 for F1 over itself, and FCFS that no estimate changes without backfilling", function()
    local rows = tables.read(folder .. "/figure-plain.csv")
    for _, row in ipairs(rows) do
      if row.rule == "F1" then assert.equal(1, row.over_f1) end
    end
    local known = tables.find(rows, { load = 0.9, known = "runtimes", rule = "FCFS" })
    local guessed = tables.find(rows, { load = 0.9, known = "estimates", rule = "FCFS" })
    assert.equal(known.mean, guessed.mean)
  end)

  -- By itself: sequences of 15 days of a log on its own machine, by its walltimes, and the
  -- statements that were untested without it.
  it("takes logs #long", function()
    local log = orrery.lublin { procs = 64, days = 31, load = 0.6, seed = 9, walltimes = "tsafrir" }
    log:to_csv("swf", folder .. "/mine.swf")
    local status, out, err = program.run(folder,
      "reproduce learned --quick --figure plain --log mine=mine.swf --out with-log")
    assert.same({ 0, "" }, { status, err })
    assert.matches("with runtimes, without backfilling (log mine) (logs)", out, 1, true)
    local rows = tables.read(folder .. "/with-log/sequences.csv")
    local slices = orrery.read(folder .. "/mine.swf"):slices { days = 15, warmup_jobs = 16 }
    local result = orrery.compare { sets = slices, tau = 10, walltimes = "log",
      policies = { { policy = "dispatch/fcfs", priority = "f2" } } }
    local of_log = tables.all(rows, { load = "mine", known = "estimates", rule = "F2" })
    assert.same(result:set_means(1, "bsld_mean"), { of_log[1].bsld_mean, of_log[2].bsld_mean })
    assert.equal(2, #of_log)
    os.remove(folder .. "/mine.swf")
  end)

  it("says what is wrong with an option", function()
    local function refused(words, message)
      local status, _, err = program.run(folder, "reproduce learned " .. words)
      assert.equal(2, status)
      assert.matches(message, err, 1, true)
    end
    refused("--procs none", "--procs: expected a whole number, found 'none'")
    refused("--procs 0", "--procs: expected a whole number from 1 to 1000000, found '0'")
    refused("--sets 0", "--sets: expected a whole number from 1 to 1000000, found '0'")
    refused("--figure 1", "must be one of")
  end)
end)
