-- `orrery compare`: paired differences.
local orrery = require "orrery"
local program = require "spec.support.program"

describe("orrery compare", function()
  local folder

  before_each(function()
    folder = program.folder()
    program.write(folder, "jobs.csv", "id,procs,time\nA,3,4\nB,2,4\nC,1,9\nD,1,7\n")
    program.write(folder, "f.txt", "0 1 0 1\n0 0 0 0\n")
  end)
  after_each(function() program.remove(folder) end)

  local function compare(arguments)
    local status, out, err = program.run(folder, "compare " .. arguments)
    assert.same({ 0, "" }, { status, err })
    return out
  end

  it("takes differences scenario by scenario", function()
    -- Makespans (see replay_spec): greedy 14 and 11, easy 17 and 11, shelf-nofill 24 and 17; L is
    -- 14 and 9. With n = 2 the interval is 2.1 * 12.7062 sd / sqrt(2). Ratio, easy - greedy: 3/14
    -- and 0, mean 0.1071, sd 0.1515. shelf-nofill - greedy: 10/14 and 6/9, mean 0.6905, sd 0.0337.
    assert.equal([[
4 jobs on 4 processors, 2 scenarios each, seed 1
policy              normalised makespan        difference       %  lower in
greedy + lpt            1.1111 ± 2.9648
easy + lpt              1.2183 ± 0.1059  +0.1071 ± 2.8589   +9.64        0%  not significant
shelf-nofill + lpt      1.8016 ± 2.3295  +0.6905 ± 0.6353  +62.14        0%  not significant
differences are paired, against the first policy on the same scenarios; ± is the 95% interval]]
      .. "; 'significant' is after Holm's correction for 2 comparisons\n",
      compare("jobs.csv --procs 4 --policy greedy --policy easy --policy shelf-nofill "
      .. "--priority lpt --failures f.txt"))
  end)

  it("shows no minus in front of zeros, and no share of 0", function()
    local numbers = orrery.tools.numbers
    assert.equal("+0.00", numbers.relative(-1e-9, 4))
    assert.equal("-25.00", numbers.relative(-1, 4))
    assert.same({ "-", "-", "-" }, { numbers.relative(0, 0), numbers.relative(1, 0),
      numbers.relative(0 / 0, 4) })
    assert.same({ "0.00", "+0.0", "-0.01", "-inf" }, { numbers.formatted("%.2f", -0.0),
      numbers.formatted("%+.1f", -0.01), numbers.formatted("%.2f", -0.01),
      numbers.formatted("%.2f", -math.huge) })
    program.write(folder, "one.csv", "id,submit,procs,runtime\nA,0,1,4\nB,9,1,4\n")
    local out = compare("one.csv --procs 4 --policy greedy --policy easy --metric wait_mean")
    assert.is_nil(out:find("nan", 1, true), out)
  end)

  describe("--precision", function()
    local JOBS = "jobs.csv --procs 4 --policy greedy --policy easy --priority lpt "

    it("runs as many scenarios as it takes, the same for any number of threads", function()
      local out = compare(JOBS .. "--q 0.1 --precision 0.4% --csv one.csv --threads 1")
        :gsub("wrote [^\n]*\n", "")
      local runs = tonumber(out:match "0.4%% reached: (%d+) scenarios give ± [%d.]+%% of ratio\n")
      assert.is_true(runs > 256)
      assert.equal(out, compare(JOBS .. "--q 0.1 --precision 0.004 --threads 3"))
      assert.equal((out:gsub("note: [^\n]*\n", "wrote many.csv: numbers as CSV\n")),
        compare(JOBS .. "--q 0.1 --csv many.csv --runs " .. runs))
      assert.equal(program.read(folder .. "/many.csv"), program.read(folder .. "/one.csv"))
    end)

    it("is of the metric that is named", function()
      assert.is_truthy(compare(JOBS .. "--q 0.1 --precision 40% --metric wait_mean")
        :find "note: precision: 40%% reached: 256 scenarios give ± [%d.]+%% of wait_mean\n")
    end)

    it("ends after two scenarios where nothing fails", function()
      local out = compare(JOBS .. "--precision 1%")
      assert.matches("4 jobs on 4 processors, 2 scenarios each", out, 1, true)
      assert.matches("the same every time\n", out, 1, true)
      assert.is_truthy(out:find("note: precision: nothing is drawn at random, and both scenarios "
        .. "are the same\n", 1, true))
    end)

    it("says of each q how many scenarios it took, also on a plot", function()
      local out = compare(JOBS .. "--q 0,0.1 --precision 1% --plot p.svg --table t.csv")
      local runs = out:match "\n\nq = 0.1\n4 jobs on 4 processors, (%d+) scenarios each, seed 1\n"
      assert.matches("^q = 0\n4 jobs on 4 processors, 2 scenarios each, seed 1\n", out)
      assert.equal(2, select(2, out:gsub("note: precision: ", "")))
      local over = ("over 2 to %s scenarios"):format(runs)
      assert.is_truthy(program.read(folder .. "/p.svg"):find(over, 1, true))
    end)
  end)

  it("crosses policies and priorities", function()
    compare("jobs.csv --procs 4 --policy greedy --policy shelf --priority lpt --priority fcfs "
      .. "--failures f.txt --csv o.csv")
    local seen = {}
    for line in program.read(folder .. "/o.csv"):gmatch "\n([^\n]*,all,1,%d+)" do
      seen[#seen + 1] = line
    end
    -- greedy fcfs: see replay_spec. shelf fcfs: {A, C} until 9; {B, D} until 16; {B, D} until 23.
    assert.same({ "greedy,lpt,all,1,14", "greedy,fcfs,all,1,18", "shelf,lpt,all,1,20",
      "shelf,fcfs,all,1,23" }, seen)
  end)

  it("compares any metric, on the scenarios of orrery.compare", function()
    local jobs = orrery.read(program.home .. "/data/mira/sample-2019-06.csv"):day "2019-06-14"
    local result = orrery.compare {
      jobs = jobs, runs = 20, errors = { mean_probability = 0.05 }, quantiles = true,
      policies = { "greedy", "easy" },
    }
    local metrics = {
      makespan = { "makespan (h)", "%+.2f", 3600 }, wait_mean = { "mean wait (min)", "%+.3f", 60 },
      flow_mean = { "mean flow (h)", "%+.3f", 3600 }, utilisation = { "utilisation", "%+.4f", 1 },
      ratio = { "normalised makespan", "%+.4f", 1 },
      bsld_mean = { "mean bounded slowdown", "%+.3f", 1 },
      wait_p95 = { "95% of wait (h)", "%+.3f", 3600 },
      work_lost = { "processor-hours lost", "%+.1f", 3600 },
    }
    for metric, case in pairs(metrics) do
      local out = compare(("--day 2019-06-14 --q 0.05 --runs 20 --policy greedy --policy easy "
        .. "--metric %s --table t.csv"):format(metric))
      assert.matches("\npolicy +" .. case[1]:gsub("%p", "%%%0") .. " ", out)
      local difference = result:difference(1, 2, metric)
      local half = difference.sd == 0 and "" -- and no ± 0
        or " ± " .. case[2]:gsub("%+", ""):format(difference.half_width / case[3])
      assert.matches(" " .. case[2]:format(difference.mean / case[3]) .. half .. " ", out, 1, true)
      assert.matches("," .. metric .. "_mean,", program.read(folder .. "/t.csv"), 1, true)
    end
  end)

  it("takes days as samples, not the scenarios of one day", function()
    -- Without failures all scenarios of a day are alike: more of them are no more evidence.
    local function numbers(runs)
      local out = compare("--by day --batch --priority lpt --policy greedy --policy easy --runs "
        .. runs)
      return (assert(out:match "\neasy[^\n]*"))
    end
    assert.equal(numbers(1), numbers(3))
  end)

  it("says one scenario is none to judge by", function()
    assert.matches(" one scenario\n", compare "jobs.csv --procs 4 --policy greedy --policy easy")
  end)

  it("wants two", function()
    for _, arguments in ipairs { "", "--policy greedy", "--priority lpt" } do
      assert.same({ 2, "", "orrery: compare wants at least two: give --policy, --priority, "
        .. "--procs, --walltimes, --pool or --machine more than once\n" },
        { program.run(folder, "compare " .. arguments) })
    end
  end)

  it("knows its metrics", function()
    local status, out, err = program.run(folder, "compare --metric speed")
    assert.same({ 2, "" }, { status, out })
    assert.matches("^orrery: argument for option '%-%-metric' must be one of 'bsld_max', ", err)
  end)

  it("looks at the weeks of a log, where there is one scenario of it", function()
    for weeks, expected in pairs {
      [4] = "difference from fcfs; 4 paired weeks are too few for an interval (weeks below 0; "
        .. "median, range):\n",
      [8] = "difference from fcfs, 95% interval over 8 paired weeks (* excludes 0):\n",
    } do
      local rng, lines = orrery.random(3), { "id,submit,procs,time" }
      for i = 1, 50 * weeks do
        lines[i + 1] = ("%d,%d,%d,%d"):format(i, rng:integer(0, weeks * 604800 - 1),
          rng:integer(1, 20), rng:integer(1, 60000))
      end
      program.write(folder, "log.csv", table.concat(lines, "\n") .. "\n")
      local result = orrery.compare {
        jobs = orrery.read(folder .. "/log.csv"), procs = 20, policies = { "fcfs", "easy" },
      }
      local function cell(metric, scale)
        local w = result:weekly(1, 2, metric)
        local function number(key) return ("%+.3f"):format(w[key] / scale) end
        local text = w.low and ("%s [%s, %s]%s"):format(number "mean", number "low", number "high",
          w.significant and " *" or "") or ("%s (%s%d of %d; %s, %s to %s)"):format(number "mean",
          w.sd and "cannot tell; weeks below 0: " or "", w.lower, weeks, number "median",
          number "least", number "most")
        return (text:gsub("%p", "%%%0"))
      end
      for _, command in ipairs { "compare", "replay" } do
        local status, out = program.run(folder, command
          .. " log.csv --procs 20 --policy fcfs --policy easy")
        local day = result:summary(1, "wait_mean").mean >= 14 * 86400 -- then in days
        assert.equal(0, status)
        assert.matches(expected, out, 1, true)
        assert.matches("\neasy +" .. cell("bsld_mean", 1) .. "  +"
          .. cell("wait_mean", day and 86400 or 3600) .. "\n", out)
      end
      local by_week = compare "log.csv --procs 20 --policy fcfs --policy easy --by week"
      assert.matches(("^%d jobs in %d sets on 20 processors, 1 scenario each"):format(50 * weeks,
        weeks), by_week)
      assert.not_matches("paired weeks", by_week)
    end
  end)
end)
