-- What a result answers: its texts and files by hand, the intervals of its means and differences,
-- and what it says to who asks for something that it has not.
local orrery = require "orrery"

describe("a result that is asked for what is not there", function()
  local result = orrery.compare { jobs = orrery.synthetic { count = 5 }, procs = 3000, runs = 2 }

  -- The message names the line here, however deep the method is that finds out.
  local function refused(message, ask)
    local line = debug.getinfo(ask, "S").linedefined
    local done, problem = pcall(ask)
    assert.is_false(done)
    local at, text = problem:match "results_spec%.lua:(%d+): (.*)$"
    assert.equal(line, tonumber(at), problem)
    assert.equal(message, text:sub(1, #message))
  end

  it("names the caller's line, and what there is", function()
    local known = " (known: ratio, makespan, lower_bound, wait_mean,"
    refused("there is no metric 'x'" .. known, function() local _ = result:values(1, "x") end)
    refused("there is no metric 'wait_men', did you mean 'wait_mean'?" .. known,
      function() local _ = result:summary(1, "wait_men") end)
    refused("wait_p50 was not asked for: give quantiles = true",
      function() local _ = result:set_means(1, "wait_p50") end)
    refused("there is no policy 'x' in this result", function() local _ = result:summary("x") end)
    refused("there is no policy '99' in this result", function() local _ = result:label(99) end)
  end)

  it("names the caller's line where it is of other things", function()
    for _, name in ipairs { "coschedule", "packs", "schedule", "write_schedule" } do
      refused("this result is not of packs", function() local _ = result[name](result) end)
    end
    refused("this result is of jobs and has no ends of tasks", function() result:ends(1, 1) end)
    refused("there is no set 7", function() result:jobs(1, "wait", 7) end)
  end)

  it("has no field that nobody gave it, and tells the one that is near", function()
    refused("a result has no 'nothing' (known: coschedule, csv,",
      function() local _ = result.nothing end)
    refused("a result has no 'seeed', did you mean 'seed'? (known: ",
      function() local _ = result.seeed end)
    assert.is_nil(result.partitions) -- other results have it
    assert.is_nil(rawget(result, "nothing"))
  end)
end)

describe("the differences of several policies from the first", function()
  local policies = {}
  for i = 1, 8 do
    policies[i] = { policy = "greedy", name = "p" .. i,
      priority = function(job) return job.position * (2 * i + 1) * 7919 % 101 end }
  end
  local spec = { jobs = orrery.synthetic { count = 15, set = 1 }, procs = 3000, runs = 30, seed = 1,
    errors = { mean_probability = 0.2 }, policies = policies }
  local result = orrery.compare(spec)

  -- Which are significant: by themselves, and by Holm, in the order of their size.
  local function expected(metric)
    local single, order, corrected = {}, {}, {}
    for i = 2, 8 do
      local d = result:difference(1, i, metric)
      single[i], corrected[i] = d.significant, false
      order[i - 1] = { i, math.abs(d.mean) / d.sd * math.sqrt(30) }
    end
    table.sort(order, function(a, b) return a[2] > b[2] end)
    for k, one in ipairs(order) do
      if one[2] <= orrery.student_quantile(1 - 0.025 / (8 - k), 29) then break end
      corrected[one[1]] = true
    end
    return single, corrected
  end

  it("are significant after Holm's correction", function()
    local lost = 0
    for _, metric in ipairs { "ratio", "wait_mean", "bsld_mean" } do
      local single, corrected = expected(metric)
      for i, d in ipairs(result:differences(metric)) do
        local alone = result:difference(1, i, metric)
        assert.same({ alone.mean, alone.half_width, corrected[i] or false },
          { d.mean, d.half_width, d.significant })
        lost = lost + (single[i] and not corrected[i] and 1 or 0)
      end
    end
    assert.is_true(lost > 0)
  end)

  it("have so many marks in the table and in JSON, which say so", function()
    local _, corrected = expected "ratio"
    local text, json = tostring(result), require("dkjson").decode(result:json())
    for i = 2, 8 do
      assert.equal(corrected[i], text:match("\np" .. i .. " [^\n]*"):sub(-2) == " *")
      assert.equal(corrected[i], json.policies[i].ratio_against_first.significant)
    end
    assert.matches("\n± is the 95% interval of a mean; * marks paired differences that are "
      .. "significant after Holm's correction for 7 comparisons", text, 1, true)
    spec.policies = { policies[1], policies[2] }
    assert.matches("* marks paired differences whose interval excludes 0",
      tostring(orrery.compare(spec)), 1, true)
  end)
end)

describe("what ranks say of differences", function()
  local policies = {}
  for i = 1, 8 do
    policies[i] = { policy = "easy", name = i == 2 and "easy" or "p" .. i,
      priority = function(job) return job.position * (2 * i + 1) * 7919 % 101 end }
  end
  local result = orrery.compare { jobs = orrery.synthetic { count = 15, set = 1 }, procs = 3000,
    runs = 9, seed = 1, errors = { mean_probability = 0.2 }, policies = policies }

  local function differences_of(i, metric)
    local list = {}
    for run, value in ipairs(result:values(1, metric)) do
      list[run] = result:values(i, metric)[run] - value
    end
    return list
  end

  it("is that of their signed ranks", function()
    for i = 2, 8 do
      local d, list = result:difference(1, i, "wait_mean"), differences_of(i, "wait_mean")
      local ranks = orrery.signed_rank(list)
      assert.same({ ranks.estimate, ranks.low, ranks.high, ranks.p, ranks.p <= 0.05,
        orrery.quantiles(list, { 0.5 })[1] }, { d.shift, d.shift_low, d.shift_high, d.rank_p,
        d.rank_significant, d.median })
    end
  end)

  it("is significant after Holm's correction, and in JSON", function()
    local found, lost = 0, 0
    for _, metric in ipairs { "ratio", "wait_mean", "bsld_mean", "utilisation", "failures" } do
      local order, corrected, list = {}, {}, result:differences(metric)
      for i = 2, 8 do
        order[i - 1] = i
        if list[i].sd == 0 then list[i].rank_p = 1 end
      end
      table.sort(order, function(a, b) return list[a].rank_p < list[b].rank_p end)
      for k, i in ipairs(order) do
        if list[i].rank_p > 0.05 / (8 - k) then break end
        corrected[i] = true
      end
      for i = 2, 8 do
        assert.equal(corrected[i] or false, list[i].rank_significant)
        found = found + (corrected[i] and 1 or 0)
        lost = lost + (list[i].rank_p <= 0.05 and not corrected[i] and 1 or 0)
      end
      assert.is_false(list[1].rank_significant)
    end
    assert.is_true(found > 0 and lost > 0, found .. " " .. lost)
    local json = require("dkjson").decode(result:json()).policies[2]
    local d, s = result:differences()[2], result:summary(2, "wait_mean")
    assert.same({ d.shift, d.rank_p, d.rank_significant, s.median, s.q1 },
      { json.ratio_against_first.shift, json.ratio_against_first.rank_p,
        json.ratio_against_first.rank_significant, json.metrics.wait_mean.median,
        json.metrics.wait_mean.q1 })
  end)

  it("is beside quartiles in a summary", function()
    local s, values = result:summary("easy", "wait_mean"), result:values("easy", "wait_mean")
    assert.same(orrery.quantiles(values, { 0.25, 0.5, 0.75 }), { s.q1, s.median, s.q3 })
    for name, value in pairs(orrery.summary(values)) do assert.equal(value, s[name]) end
  end)
end)

describe("a difference that is the same every time", function()
  it("is said to be so where the result is printed", function()
    local result = orrery.compare { jobs = orrery.jobs { { procs = 2, time = 10 } }, procs = 4,
      runs = 3, policies = { "greedy", "easy" } }
    assert.matches("\neasy .* %+0%.0000 %(the same every time%)\n", tostring(result))
    assert.is_false(result:difference(1, 2).significant)
  end)

  it("has no interval of 0 where it varies", function()
    local result = orrery.compare { jobs = orrery.jobs { { procs = 2, time = 10 } }, procs = 4,
      runs = 3, policies = { "greedy", "easy" } }
    local ratios = { { 1, 1, 2 }, { 1.5, 1.50001, 2.5 } }
    rawset(result, "samples", function(_, policy) return { table.unpack(ratios[policy]) } end)
    assert.matches("%+0%.5000 ± 3%.0e%-05 %*\n", tostring(result))
    assert.equal("+0.5000 ± 1.4e-05",
      require("orrery.values.metrics").text("ratio", 0.5, 1.4e-5, true))
  end)

  it("is none where only rounding tells the samples apart", function()
    local result = orrery.compare { jobs = orrery.jobs { { procs = 2, time = 10 } }, procs = 4,
      runs = 3, policies = { "greedy", "easy" } }
    local ratios = { { 0.1 + 0.2, 1, 2 }, { 0.3, 1, 2 + 1e-15 } }
    rawset(result, "samples", function(_, policy) return { table.unpack(ratios[policy]) } end)
    local d = result:difference(1, 2)
    assert.same({ 0, 0, 0, 0, 0, 0, false, false }, { d.mean, d.sd, d.min, d.max, d.median, d.shift,
      d.significant, d.rank_significant })
    assert.is_true(d.rank_p ~= d.rank_p and d.shift_high == math.huge)
    assert.equal("0%", require("orrery.values.metrics").better_share("ratio", ratios[2], ratios[1]))
  end)
end)

describe("a long comparison at the prompt", function()
  local shared = require "orrery.support.program"
  after_each(function() shared.during = nil end)

  it("says how far it is, and gives the same result", function()
    local function spec()
      return { jobs = orrery.synthetic { count = 9 }, procs = 3000, runs = 40, threads = 1,
        errors = { mean_probability = 0.1 }, policies = { "easy", "fcfs" } }
    end
    local plain, seen, given = orrery.compare(spec()):csv(), {}, spec()
    shared.during = function(what, f)
      seen[1] = what
      return f(function(done, total) seen[#seen + 1] = done .. "/" .. total end)
    end
    assert.equal(plain, orrery.compare(given):csv())
    assert.same({ "simulations", "80/80" }, { seen[1], seen[#seen] })
    assert.is_nil(given.progress)
    seen = {}
    given.progress = function() seen[1] = "own" end
    orrery.compare(given)
    assert.same({ "own" }, seen) -- who asks is told alone
  end)
end)

describe("a result by hand", function()
  -- All come at 0 on 4 processors: easy starts A and C, and B behind A; fcfs keeps C behind B. In
  -- the first scenario A fails once.
  local jobs = orrery.jobs { { id = "A", procs = 2, time = 10, user = "u" },
    { id = "B", procs = 4, time = 5 }, { id = "C", procs = 1, time = 1 } }
  local function compared(fields)
    local spec = { jobs = jobs, procs = 4, policies = { "easy", "fcfs" }, tau = 1 }
    for name, value in pairs(fields) do spec[name] = value end
    if spec.sets then spec.jobs = nil end
    return orrery.compare(spec)
  end
  local result = compared { failures = { { 1, 0, 0 }, { 0, 0, 0 } } }

  it("has a title, with as many sets, jobs and processors as there are", function()
    assert.equal("3 jobs on 4 processors, 2 scenarios each, seed 1", result:title())
    local one = orrery.jobs { { procs = 1, time = 3 } }
    assert.equal("1 job on 1 processor, 1 scenario each, seed 7",
      orrery.compare { jobs = one, procs = 1, seed = 7 }:title())
    assert.equal("4 jobs in 2 sets on 4 processors, 1 scenario each, seed 1",
      compared { sets = { { jobs = jobs }, { jobs = one } } }:title())
  end)

  it("has values by policy, metric and set, and their means by set", function()
    assert.same({ { 25, 15 }, { 26, 16 } },
      { result:values(1, "makespan"), result:values("fcfs", "makespan") })
    assert.same({ 20 }, result:set_means(1, "makespan"))
    assert.same({ 25, 15 }, result:samples(1, "makespan"))
    local sets = { { name = "x", jobs = jobs }, { name = "y",
      jobs = orrery.jobs { { procs = 1, time = 3 }, { procs = 1, time = 4 } } } }
    local two = orrery.compare { sets = sets, procs = 4, policies = { "easy", "fcfs" } }
    assert.same({ { 15, 4 }, { 4 }, { 15, 4 }, { 4 } }, { two:values(1, "makespan"),
      two:values(1, "makespan", 2), two:samples(1, "makespan"), two:samples(1, "makespan", 2) })
    assert.same({ 0, 0 }, two:jobs(1, "wait", 2))
    assert.has_error(function() two:jobs(1, "wait") end, "there are 2 sets: say which one's jobs")
    assert.has_error(function() result:jobs(1, "wait") end,
      "the times of jobs are kept of runs = 1 only, and not with keep = false")
    local d = two:difference(1, 2, "makespan")
    assert.same({ 0.5, 2, 0, 1 }, { d.mean, d.count, d.min, d.max })
  end)

  it("has rows of cells, and CSV with a row for each scenario", function()
    local rows = result:rows()
    assert.same({ "policy", "ratio", "makespan (s)", "mean wait (s)", "utilisation", "failures",
      "mean bsld", "ratio against the first" }, rows[1])
    assert.same({ "easy", "1.3567 ± 2.8473", "20.00", "6.67", "0.647", "0.50", "2.17", "" },
      rows[2])
    assert.equal("+0.0738 ± 0.6345", rows[3][8])
    assert.equal("policy,priority,set,scenario,makespan,lower_bound,ratio,failures,bsld_mean,"
      .. "bsld_max,wait_mean,utilisation,killed,redirected\n"
      .. "easy,fcfs,all,1,25,20,1.25,1,2.6666666666666665,5,10,0.60999999999999999,0,0\n"
      .. "easy,fcfs,all,2,15,10.25,1.4634146341463414,0,1.6666666666666667,3,3.3333333333333335,"
      .. "0.68333333333333335,0,0\n", result:csv():match "^(.*\n)fcfs,fcfs,all,1,26,20,1.3,1,11,26")
  end)

  it("has JSON with the call, the sets, and the summary of each metric", function()
    local json = require("dkjson").decode(result:json())
    assert.same({ 4, 2, 1, { { name = "all", jobs = 3 } }, { tau = 1, procs = 4 }, "easy", "fcfs" },
      { json.procs, json.runs, json.seed, json.sets, json.run, json.policies[1].policy,
        json.policies[1].priority })
    assert.is_nil(json.policies[1].ratio_against_first)
    local m = json.policies[2].metrics.makespan
    assert.same({ 2, 16, 18.5, 21, 21, 23.5, 26 },
      { m.count, m.min, m.q1, m.median, m.mean, m.q3, m.max })
    -- t(0.975; 1) * 2.1 * sd / sqrt 2
    assert.is_true(math.abs(m.half_width - 12.7062047 * 2.1 * 5) < 1e-4)
  end)

  -- Two days are too few for an interval; two sets of other kinds have one.
  it("has no interval over two days of a log", function()
    local days = orrery.jobs { { submit = 0, procs = 2, time = 10 },
      { submit = 1, procs = 3, time = 10 }, { submit = 86400, procs = 4, time = 5 },
      { submit = 86401, procs = 1, time = 30 } }
    local two = compared { jobs = days, by = "day" }
    assert.equal(2, #two.sets)
    local s, d = two:summary(1, "wait_mean"), two:difference(1, 2, "wait_mean")
    assert.is_true(s.half_width ~= s.half_width and s.sd > 0)
    assert.is_true(d.half_width ~= d.half_width or d.sd == 0)
    assert.is_false(two:differences("wait_mean")[2].significant)
    assert.matches("\n2 days of a log are too few for an interval\n?", tostring(two))
    local sets = { { jobs = two.sets[1].jobs }, { jobs = two.sets[2].jobs } }
    local width = compared { sets = sets }:summary(1, "wait_mean").half_width
    assert.is_true(width > 0 and width < math.huge)
  end)
end)

describe("a result of tasks by hand", function()
  local tasks = orrery.tasks.list { { id = "a", times = { 10, 6, 5, 4 } },
    { id = "b", times = { 20, 12, 9, 8 } } }
  local result = orrery.compare { tasks = tasks, procs = 4, faults = { mtbf = math.huge }, runs = 2,
    policies = { "none" } }

  it("is a table, with shares of the processors' time behind it", function()
    assert.equal([[
2 tasks on 4 processors, 2 runs each, seed 1
policy  makespan (s)  normalised  faults  redistributions
none           12.00      1.0000    0.00             0.00

% of processors' time  useful  checkpoints  lost  recovery  redistribution   idle
none                    75.00         0.00  0.00      0.00            0.00  25.00]],
      tostring(result))
  end)

  it("has CSV of runs, and of the ends of tasks", function()
    assert.equal("policy,run,makespan,faults,redistributions\nnone,1,12,0,0\nnone,2,12,0,0\n",
      result:csv())
    assert.equal("policy,run,task,end\nnone,1,a,6\nnone,1,b,12\nnone,2,a,6\nnone,2,b,12\n",
      result:ends_csv())
    assert.same({ 6, 12 }, result:ends("none", 2))
    assert.same({}, result.kind.summaries(result).fault_free_ratio or {})
  end)

  it("of packs has the packs, their schedule and the bound", function()
    local packs = orrery.packs { tasks = tasks, procs = 4, k = 1 }
    assert.matches("^2 tasks on 4 processors, at most 1 in a pack, 1 run each, seed 1\n",
      tostring(packs))
    assert.matches("\nno co-schedule costs less than 12 s (longest task 8, work 7.5, layers 12, "
      .. "work and tasks together 12)", tostring(packs), 1, true)
    assert.equal("policy,packs,cost,relative_cost,packing_ratio,relative_response\n"
      .. "pack/pack-by-pack,2,12,1,1,1\n", packs:csv())
    assert.equal("task,pack,procs,start,end\na,1,4,0,4\nb,2,4,4,12\n", packs:write_schedule())
    local second = packs:packs()[2]
    assert.same({ { "b" }, { 2 }, { 4 }, 8, 0, 4 }, { second.tasks, second.positions, second.procs,
      second.cost, second.idle, second.start })
    local two = orrery.packs { tasks = tasks, procs = 4, k = 2, runs = 2 }
    assert.equal("task,pack,procs,start,end\na,1,1,0,10\nb,1,3,0,9\n", two:write_schedule())
    assert.equal(",run\n", two:csv():match ",run\n")
    assert.has_error(function() two:coschedule(1, 3) end, "there is no run 3 in this result")
  end)
end)

-- In each of three weeks a job runs, and one of `other` s and one of 50 s wait for it: SPT is ahead
-- by the difference of both on one job of three, LPT behind.
describe("weeks by hand", function()
  local WEEK, list = 168 * 3600, {}
  for w, other in ipairs { 200, 50, 20 } do
    for j, time in ipairs { 100, other, 50 } do
      list[#list + 1] = { id = w .. "/" .. j, submit = (w - 1) * WEEK + j - 1, procs = 1,
        time = time, wait = j == 1 and 0 or 300 }
    end
  end
  local result = orrery.compare { jobs = orrery.jobs(list), procs = 1, tau = 1,
    policies = { { policy = "fcfs", priority = "lpt", name = "lpt" },
      { policy = "fcfs", priority = "spt", name = "spt" }, "recorded" } }

  it("have differences, and a week that is equal is not lower", function()
    local d = result:weekly(1, 2, "wait_mean")
    assert.same({ 3, 2, -50, -10, 0, { -50, 0, -10 }, false }, { d.count, d.lower, d.least,
      d.median, d.most, d.differences, d.significant })
    assert.same({ nil, nil, nil, nil }, { d.low, d.high, d.sd, d.happened })
    assert.is_true(math.abs(d.mean + 20) < 1e-12)
    local alone = result:weekly(1, 2, "wait_mean", { jobs = { 1, 8, 9 } })
    assert.same({ 2, 1, { 0, -30 / 2 } }, { alone.count, alone.lower, alone.differences })
    assert.equal(0, result:weekly(1, 2, "wait_mean", { jobs = {} }).count)
    local all = result:weekly_differences "wait_mean"
    assert.same({ 3, 0, 2, false }, { #all, all[1].mean, all[2].lower, all[2].significant })
  end)

  it("have no chance where one side is what happened", function()
    local d = result:weekly(1, 3, "wait_mean")
    assert.is_true(d.happened)
    assert.is_true(d.half_width ~= d.half_width)
    assert.same({ nil, nil, nil, false }, { d.low, d.high, d.rank_p, d.significant })
    local runs = orrery.compare { jobs = orrery.jobs(list), procs = 1, runs = 6, seed = 2,
      errors = { mean_probability = 0.2 }, policies = { "fcfs", "recorded" } }
    d = runs:difference(1, 2, "wait_mean")
    assert.same({ true, false, false, -math.huge, math.huge }, { d.happened, d.significant,
      d.rank_significant, d.shift_low, d.shift_high })
    assert.is_true(d.rank_p ~= d.rank_p)
  end)
end)

describe("the utilisation of resources", function()
  local function of(gpu) return orrery.jobs { { procs = 1, time = 10, needs = { gpu = gpu } } } end

  it("is the mean over sets and scenarios, and texts in columns", function()
    local result = orrery.compare { sets = { { jobs = of(1) }, { jobs = of(3) } }, procs = 2,
      pools = { gpu = 4 }, policies = { "fcfs", "easy" }, runs = 2 }
    local function utilisation(...) return result:resources(...)[1].utilisation end
    assert.same({ 0.5, 0.25, 0.75 }, { utilisation(1), utilisation(2, 1), utilisation("fcfs", 2) })
    local one = result:resources(1)[1]
    assert.same({ "gpu", "pool", 4 }, { one.name, one.kind, one.amount })
    assert.same({ { "utilisation of", "fcfs", "easy" }, { "pool gpu", "50.0%", "50.0%" } },
      result:resource_rows())
    local plain = orrery.compare { jobs = orrery.jobs { { procs = 1, time = 1 } }, procs = 1 }
    assert.same({}, plain:resources(1))
    assert.is_nil(plain:resource_rows())
  end)
end)
