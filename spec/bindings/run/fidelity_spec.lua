-- fidelity: how well a simulation explains the waits that a log records.
local known_truth = require "spec.support.known_truth"
local logs = require "spec.support.waited_log"
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local function near(expected, found)
  assert.is_true(math.abs(expected - found) <= 1e-12 * math.max(1, math.abs(expected)),
    ("expected %.17g, found %.17g"):format(expected, found))
end

local function start_fitting(sim)
  for job in sim:waiting() do
    if job.procs <= sim.free then sim:start(job) end
  end
end

-- 12 jobs of 100 s come at once to one processor: they wait 0, 100, ..., 1100 s. The log says 50 of
-- the second and 1300 of the last; and nothing of one that comes later.
local function by_hand(all_known)
  local list = {}
  for i = 0, 11 do list[i + 1] = { 0, 100 * i, 100, 1, 100, 1 } end
  list[2][2], list[12][2] = 50, 1300
  list[13] = not all_known and { 100000, -1, 10, 1, 10, 1 } or nil
  return logs.read(logs.swf(list, 1))
end

-- As METRICS says it, as plainly as can be.
local function naive(recorded, simulated)
  local n, waited, both, sums = 0, 0, 0, { 0, 0, 0, 0 }
  local x, y = {}, {}
  for i, wait in ipairs(recorded) do
    if wait == wait then
      n = n + 1
      sums[1], sums[2] = sums[1] + wait, sums[2] + simulated[i]
      x[n], y[n] = wait < 60 and 0 or wait, simulated[i] < 60 and 0 or simulated[i]
      waited = waited + (x[n] > 0 and 1 or 0)
      both, sums[3], sums[4] = both + math.min(x[n], y[n]), sums[3] + x[n], sums[4] + y[n]
    end
  end
  local function rank(list, i)
    local r = 0.5
    for _, other in ipairs(list) do
      r = r + (other < list[i] and 1 or other == list[i] and 0.5 or 0)
    end
    return r - (n + 1) / 2
  end
  local xx, yy, xy = 0, 0, 0
  for i = 1, n do
    local a, b = rank(x, i), rank(y, i)
    xx, yy, xy = xx + a * a, yy + b * b, xy + a * b
  end
  return { jobs = n, waited = waited, recorded_mean = sums[1] / n, simulated_mean = sums[2] / n,
    explained = both > 0 and both / math.max(sums[3], sums[4]) or 0,
    correlation = xx > 0 and yy > 0 and xy / math.sqrt(xx * yy) or 0 }
end

describe("result:fidelity", function()
  it("by hand", function()
    local f = orrery.compare { jobs = by_hand(), policy = "fcfs" }:fidelity()
    assert.same({ 12, 10, "fcfs", "explains" }, { f.jobs, f.waited, f.policy, f.verdict })
    near(6750 / 12, f.recorded_mean)
    near(550, f.simulated_mean)
    near(6500 / 6700, f.explained)
    near(math.sqrt(142.5 / 143), f.correlation)
    assert.equal("fidelity of fcfs: the simulation explains the waits of this log (mean wait "
      .. "9.4 min as recorded, 9.2 min as simulated; 97% of the recorded waiting explained; rank "
      .. "correlation of waits 1.00)", tostring(f))
  end)

  it("agrees with a naive computation", function()
    local rng = orrery.random(4)
    for _ = 1, rounds(200, nil, 20) do
      local list, procs = {}, rng:integer(1, 3)
      for i = 1, rng:integer(2, 40) do
        list[i] = { rng:integer(0, 300), rng:integer(-1, 6) * rng:integer(1, 60),
          rng:integer(1, 80), rng:integer(1, procs), -1, 1 }
        list[i][2] = math.max(-1, list[i][2])
      end
      local jobs = logs.read(logs.swf(list, procs))
      local result = orrery.compare { jobs = jobs, policy = "easy" }
      local f = result:fidelity()
      local known = false
      for _, wait in ipairs(jobs:values "wait") do known = known or wait == wait end
      assert.equal(known, f ~= nil)
      local expected = f and naive(jobs:values "wait", result:jobs(1, "wait")) or {}
      for name, value in pairs(expected) do near(value, f[name]) end
    end
  end)

  -- Twelve at once on one processor wait 0 to 1100 s; on twelve none waits.
  it("has no correlation where all waits are equal, in the log or as simulated", function()
    for procs, step in pairs { [1] = 0, [12] = 10 } do
      local list = {}
      for i = 1, 12 do list[i] = { 0, 100 + step * i, 100, 1, 100, 1 } end
      local f = orrery.compare { jobs = logs.read(logs.swf(list, procs)), policy = "fcfs" }
        :fidelity()
      assert.same({ 0, 12, "not" }, { f.correlation, f.waited, f.verdict })
      near(procs == 1 and 1100 / 6600 or 0, f.explained)
    end
  end)

  it("says what is known of logs whose waits have a known cause #long", function()
    local jobs, found = known_truth.jobs(2, 6, 0.7), {}
    for _, cause in ipairs(known_truth.CAUSES) do
      local log = logs.read(known_truth.swf(jobs, cause[2](jobs)))
      for _, policy in ipairs { "easy", cause[3] } do
        local f = orrery.compare { jobs = log, policy = policy, walltimes = "log",
          overrun = "extend" }:fidelity()
        found[#found + 1] = ("%s, %s: %s"):format(cause[1], policy, f.verdict)
      end
    end
    assert.same({
      "EASY, easy: explains",
      "EASY, decided every 30 s, easy: explains",
      "FCFS without backfilling, easy: not",
      "FCFS without backfilling, fcfs: explains",
      "backfilling without reservations, easy: not",
      "backfilling without reservations, greedy: explains",
      "conservative backfilling, easy: explains",
      "conservative backfilling, conservative: explains",
      "aging: shorter jobs first, until they are old, easy: in part",
      "hidden shares: some users go first, easy: in part",
      "a hidden limit of 16 processors per user, easy: not",
      "a hidden limit of 2 jobs per user, easy: in part",
      "hidden GPUs, easy: not",
      "two hidden partitions, easy: not",
      "hidden holds of 30% of the jobs, easy: not",
      "half of the nodes drained, easy: not",
    }, found)
  end)

  it("proves nothing where nobody waited", function()
    local list = {}
    for i = 1, 30 do list[i] = { 1000 * i, i % 50, 10, 1, 10, 1 } end
    local f = orrery.compare { jobs = logs.read(logs.swf(list, 1)), policy = "easy" }:fidelity()
    assert.equal("nothing", f.verdict)
    assert.equal("fidelity: none of 30 jobs waited 60 s or longer in the log: it proves nothing "
      .. "about the model", tostring(f))
  end)

  it("is without failures, with the log's walltimes, on the log's machine, over its own time",
    function()
      local jobs = known_truth.jobs(3, 4, 0.7)
      local log = logs.read(known_truth.swf(jobs, known_truth.waits(jobs, { procs = 128 })))
      local function of(spec)
        spec.jobs = log
        local f = orrery.compare(spec):fidelity()
        return { f.explained, f.correlation, f.simulated_mean, f.verdict, f.policy }
      end
      local expected = of { policy = "easy", walltimes = "log", overrun = "extend" }
      assert.equal("explains", expected[4])
      for _, spec in ipairs { { policy = "easy" }, { policies = { "recorded", "easy" } },
        { policy = "recorded" }, { policy = "easy", batch = true },
        { policy = "easy", procs = 200, walltimes = "log" },
        { policy = "easy", errors = { mean_probability = 0.001 }, runs = 3,
          metrics = { "wait_mean" } },
        { policy = "easy", walltimes = function() return 1e6 end },
        { policy = "easy", walltimes = "log", clairvoyant = true },
        { policy = "easy", node_failures = { mtbf = "5y" } },
        { policies = { "easy", "list:reservations=2", "redirect/threshold" } } } do
        assert.same(expected, of(spec))
      end
      local s = orrery.session { jobs = log, policy = "fcfs" }
      assert.equal("fcfs", s:fidelity().policy)
      s:run_until(1e5)
      s:change { policy = "easy" }
      assert.equal(expected[1], s:fidelity().explained)
      s = orrery.session { jobs = log, policy = "recorded" }
      assert.equal(expected[1], s:fidelity().explained)
    end)

  it("simulates once more at most, and not where it has run", function()
    local core, jobs, count = require "orrery.core", by_hand(true), 0
    local original = core.montecarlo
    finally(function() core.montecarlo = original end)
    function core.montecarlo(sets, options, policies, ...)
      count = count + #policies * (options.runs or 1)
      return original(sets, options, policies, ...)
    end
    local function more(spec)
      spec.jobs = jobs
      local result = orrery.compare(spec)
      count = 0
      tostring(result)
      assert.truthy(result:fidelity() and result:json() and result.notes[1])
      return count
    end
    assert.equal(0, more { policy = "fcfs", walltimes = "log" })
    assert.equal(0, more { policies = { "recorded", "fcfs" }, walltimes = "log" })
    assert.equal(0, more { policies = { "recorded", "fcfs" }, walltimes = "log" })
    assert.equal(1, more { policies = { "recorded" }, walltimes = "log" })
    assert.equal(1, more { policies = { "fcfs", "easy" }, procs = 2, runs = 4 })
    jobs = jobs:load(2)
    count = 0
    tostring(orrery.compare { jobs = jobs, policy = "fcfs" })
    assert.equal(1, count)
  end)

  it("is nil without starts", function()
    local jobs = orrery.jobs { { procs = 1, runtime = 10 }, { procs = 1, runtime = 10 } }
    assert.is_nil(orrery.compare { jobs = jobs, procs = 1 }:fidelity())
    assert.is_nil(orrery.session { jobs = jobs, procs = 1 }:fidelity())
    assert.same({}, orrery.compare { jobs = jobs, procs = 1 }.notes)
    assert.is_nil(orrery.compare { jobs = by_hand():load(2), procs = 1 }:fidelity())
  end)

  it("is unknown where the simulation fails", function()
    local result = orrery.compare { jobs = by_hand(), procs = 7, policy = function(sim)
      assert(sim.procs == 7, "not on this machine")
      start_fitting(sim)
    end }
    assert.equal("unknown", result:fidelity().verdict)
    assert.matches("^fidelity of .* is not known: .*not on this machine",
      result.notes[#result.notes])
  end)

  it("stands in what commands print and write #long", function()
    local folder = program.folder()
    program.write(folder, "log.swf", known_truth.swf(known_truth.jobs(1, 2, 0.5),
      known_truth.waits(known_truth.jobs(1, 2, 0.5), { procs = 128 })))
    for _, arguments in ipairs { "replay log.swf --policy easy", "log log.swf",
      "compare log.swf --policy easy --policy fcfs",
      "compare log.swf --policy easy --procs 128 --procs 256", "replay log.swf --policy recorded",
      "replay log.swf --by day --policy easy" } do
      local status, out, err = program.run(folder, arguments)
      assert.same({ 0, "" }, { status, err })
      assert.truthy(out:find("note: fidelity of easy: the simulation explains", 1, true), out)
    end
    assert.equal(0, (program.run(folder,
      "replay log.swf --policy easy --json a.json --report a.html --quiet")))
    assert.equal("explains", require("dkjson").decode(program.read(folder .. "/a.json")).fidelity
      .verdict)
    assert.truthy(program.read(folder .. "/a.html"):find("fidelity of easy: the simulation "
      .. "explains", 1, true))
    program.remove(folder)
  end)
end)

describe("what happened is not a policy:", function()
  local jobs = known_truth.jobs(5, rounds(70, 70, 63), rounds(0.4, 0.4, 0.2))
  local log = logs.read(known_truth.swf(jobs, known_truth.waits(jobs, { procs = 128,
    strict = true })))

  it("differences from it have no interval and no star, and others are corrected without it",
    function()
      local result = orrery.compare { jobs = log, policies = { "easy", "recorded", "greedy" } }
      local own, both = result:weekly(1, 2), result:weekly(1, 3)
      assert.same({ true, false }, { own.happened, own.significant })
      assert.is_nil(own.low)
      assert.is_nil(both.happened)
      assert.is_not_nil(both.low)
      local text = tostring(result)
      assert.matches("difference from easy, 95%% interval over %d+ paired weeks %(%* excludes 0%)",
        text)
      assert.matches("\nrecorded +%+[%d.]+ +%+[%d.]+ *\n", text)
      result = orrery.compare { jobs = log, policies = { "recorded", "easy" } }
      assert.matches("difference from recorded, over %d+ paired weeks:\n", tostring(result))
      assert.is_false(result:weekly_differences "wait_mean"[2].significant)
      result = orrery.compare { jobs = log, policies = { "easy", "recorded" }, runs = 5,
        errors = { mean_probability = 0.01 } }
      local d = result:differences "wait_mean"[2]
      assert.is_true(d.half_width ~= d.half_width and d.rank_p ~= d.rank_p)
      assert.same({ false, false }, { d.significant, d.rank_significant })
    end)
end)
