-- A comparison that keeps summaries says what one says that keeps the values, in memory that does
-- not grow with the scenarios.
local merge = require "spec.support.merge"
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local function raises(text, f, ...)
  local ok, problem = pcall(f, ...)
  assert.is_false(ok)
  assert.is_truthy(tostring(problem):find(text, 1, true), tostring(problem))
end

-- The share of itself by which a quartile may be off.
local OFF = 2.0 ^ -10

local EXACT = { "count", "mean", "min", "max" }
local ROUNDED = { sd = 1e-12, half_width = 1e-12 }
local QUARTILES = { q1 = OFF, median = OFF, q3 = OFF }

local function same(what, expected, found, share)
  local is_near = expected == found or expected ~= expected and found ~= found
    or share and math.abs(found - expected) <= share * math.abs(expected)
  assert.is_truthy(is_near, ("%s: %.17g, but with summaries %.17g"):format(what, expected, found))
end

-- Compares two summaries of the same samples.
local function compare(what, expected, found, shares)
  for _, field in ipairs(EXACT) do same(what .. field, expected[field], found[field]) end
  for _, list in ipairs { ROUNDED, shares } do
    for field, share in pairs(list) do
      same(what .. field, expected[field], found[field], share)
    end
  end
end

local METRICS = { "ratio", "makespan", "wait_mean", "utilisation", "failures", "bsld_mean",
  "killed", "ettr", "work_lost", "starts" }

local function random_spec(rng, seed)
  local function jobs(count) return orrery.synthetic { count = count, seed = seed } end
  return {
    sets = { { jobs = jobs(rng:integer(1, 20)) }, seed % 4 == 0 and { jobs = jobs(9) } or nil },
    procs = 3000, seed = seed, runs = rng:integer(2, 300), threads = rng:integer(1, 7),
    policies = { "greedy", "easy", seed % 2 == 0 and "conservative" or nil },
    errors = { mean_probability = seed % 5 == 0 and 0 or 0.3 }, quantiles = seed % 3 == 0,
    metrics = seed % 3 == 1 and METRICS or nil,
  }
end

local function compare_results(all, few)
  local names = { table.unpack(METRICS) }
  if all.spec.quantiles then names[#names + 1] = "wait_p90" end
  for _, metric in ipairs(names) do
    local differences = all:differences(metric)
    for i, d in ipairs(few:differences(metric)) do
      compare(metric .. " ", all:summary(i, metric), few:summary(i, metric), QUARTILES)
      compare(metric .. " difference ", differences[i], d, {})
      assert.equal(differences[i].significant, d.significant)
      for s in ipairs(all.sets) do
        compare(metric .. " in a set ", all:summary(i, metric, s), few:summary(i, metric, s),
          QUARTILES)
      end
    end
  end
  assert.equal(tostring(all), tostring(few))
end

describe("summaries = true", function()
  it("has the numbers of all values", function()
    local rng = orrery.random(17)
    for seed = 1, rounds(40) do
      local spec = random_spec(rng, seed)
      compare_results(orrery.compare(spec), orrery.compare(merge(spec, { summaries = true })))
    end
  end)

  -- Two blocks, or one, and a part of one: with two policies a block has 2^14 scenarios.
  it("has them over several blocks, with any number of threads", function()
    local spec = { jobs = orrery.jobs { { procs = 1, time = 10 }, { procs = 2, time = 7 },
      { procs = 1, time = 15 } }, procs = 2, runs = rounds(40000, 40000, 17000),
      policies = { "greedy", "easy" },
      errors = { mean_probability = 0.3 }, metrics = METRICS }
    local all, texts = orrery.compare(spec), {}
    assert.is_true(all:difference(1, 2).sd > 0)
    for i, threads in ipairs(rounds(3, 3, 2) == 3 and { 1, 2, 7 } or { 1, 7 }) do
      local few = orrery.compare(merge(spec, { summaries = true, threads = threads }))
      compare_results(all, few)
      texts[i] = few:json():gsub('"threads":%d', "")
    end
    assert.equal(texts[1], texts[2])
    assert.equal(texts[1], texts[#texts])
  end)

  -- Given failures: none, one, two and three of the only job, which takes 10 s.
  it("is right in a case by hand", function()
    local said = {}
    local result = orrery.compare { jobs = orrery.jobs { { procs = 1, time = 10 } }, procs = 1,
      failures = { { 0 }, { 1 }, { 2 }, { 3 } }, policies = { "greedy", "easy" }, summaries = true,
      progress = function(done, total) said = { done, total } end }
    local s = result:summary(1, "makespan")
    assert.same({ 4, 25, 10, 40 }, { s.count, s.mean, s.min, s.max })
    assert.is_true(math.abs(s.sd - math.sqrt(500 / 3)) < 1e-12)
    assert.same({ 17.5, 25, 32.5 }, { s.q1, s.median, s.q3 })
    local d = result:difference(1, 2, "makespan")
    assert.same({ 4, 0, 0, false }, { d.count, d.mean, d.sd, d.significant })
    assert.same({ 0, 0 }, { d.negative, d.positive })
    assert.same({ 8, 8 }, said)
  end)

  it("has paired differences with their signs, and no ranks", function()
    local spec = { jobs = orrery.synthetic { count = 15, seed = 2 }, procs = 3000, runs = 200,
      policies = { "greedy", "easy" }, errors = { mean_probability = 0.3 } }
    local all = orrery.compare(spec)
    local few = orrery.compare(merge(spec, { summaries = true }))
    local first, second, less, more = all:values(1, "ratio"), all:values(2, "ratio"), 0, 0
    for i, value in ipairs(first) do
      less = less + (second[i] < value - 1e-12 * value and 1 or 0)
      more = more + (second[i] > value + 1e-12 * value and 1 or 0)
    end
    local d = few:difference(1, 2)
    assert.is_true(less > 0 and more > 0)
    assert.same({ less, more }, { d.negative, d.positive })
    for _, field in ipairs { "median", "shift", "shift_low", "shift_high", "rank_p",
      "rank_significant" } do
      assert.is_nil(d[field])
      assert.is_nil(few:differences()[2][field])
    end
    assert.is_truthy(all:json():find "rank_p")
    assert.is_nil(few:json():find "rank")
  end)

  it("refuses what needs the values", function()
    local spec = { jobs = orrery.synthetic { count = 5 }, procs = 3000, runs = 9,
      policies = { "greedy", "easy", "conservative" }, summaries = true }
    local result = orrery.compare(spec)
    local NOT_KEPT = "the values of scenarios are not kept with `summaries`: compare without it"
    for _, call in ipairs { { "values", 1, "ratio" }, { "samples", 1, "ratio" }, { "csv" },
      { "plot" }, { "report", os.tmpname() } } do
      raises(NOT_KEPT, result[call[1]], result, table.unpack(call, 2))
    end
    local metrics = result.sets[1].metrics
    raises(NOT_KEPT, metrics.column, metrics, 1, "ratio")
    raises(NOT_KEPT, metrics.scenario, metrics, 1, 1)
    raises("only differences from the first policy are kept", result.difference, result, 2, 3)
    raises("there is no metric 'x'", result.summary, result, 1, "x")
    raises("wait_p90 was not asked for", result.summary, result, 1, "wait_p90")
    raises("starts was not kept", function()
      orrery.compare(merge(spec, { metrics = { "killed" } })):summary(1, "starts")
    end)
    raises("summaries are of many scenarios: give runs", orrery.compare,
      merge(spec, { runs = 1 }))
    raises("summaries and precision exclude each other", orrery.compare,
      merge(spec, { precision = 0.1, runs = 300 }))
    raises("cannot be joined", orrery.tools.joined, { { result = result, label = "a" } })
  end)
end)

describe("--summaries", function()
  local folder

  setup(function()
    folder = program.folder()
    program.write(folder, "jobs.csv", "id,submit,procs,runtime\na,0,2,10\nb,1,1,9\nc,2,1,4\n")
  end)
  teardown(function() program.remove(folder) end)

  it("prints what is printed without it #long", function()
    for _, arguments in ipairs {
      "replay jobs.csv --procs 2 --q 0.2 --runs 50 --policy greedy --policy easy",
      "replay jobs.csv --procs 2 --q 0.2 --q 0.1 --runs 50 --quantiles",
      "compare jobs.csv --procs 2 --q 0.2 --runs 50 --policy greedy --policy easy",
      "compare jobs.csv --procs 2 --q 0.2 --runs 50 --policy easy --priority lpt --priority fcfs"
        .. " --metric utilisation",
    } do
      local status, text, err = program.run(folder, arguments)
      assert.same({ 0, "" }, { status, err })
      assert.same({ 0, text, "" }, { program.run(folder, arguments .. " --summaries") })
    end
  end)

  it("goes with no file that has all values", function()
    local function refused(arguments)
      local status, _, err = program.run(folder, "compare jobs.csv --procs 2 --q 0.2 --policy easy "
        .. "--policy greedy --summaries " .. arguments)
      assert.equal(2, status)
      return err
    end
    for _, option in ipairs { "--csv x.csv", "--plot x.svg", "--report x.html" } do
      assert.is_truthy(refused("--runs 9 " .. option):find("the values of all scenarios", 1, true))
    end
    assert.is_truthy(refused(""):find("--summaries is of many scenarios: give --runs", 1, true))
    assert.is_truthy(refused("--runs 9 --procs 3"):find("exclude each other", 1, true))
  end)

  -- The most memory at any time, kB. The values of the six metrics need 96 bytes a scenario.
  it("takes no more memory for more scenarios #long", function()
    local function most(runs, more)
      program.write(folder, "most.lua", ([[
        orrery.compare { jobs = orrery.read "jobs.csv", procs = 2, runs = %d,
          policies = { "greedy", "easy" }, errors = { mean_probability = 0.2 }, threads = 1,
          metrics = { "makespan", "wait_mean", "utilisation", "failures", "bsld_mean" }, %s }
        for line in io.lines "/proc/self/status" do
          local peak = line:match "^VmHWM:%%s+(%%d+)"
          if peak then print(peak) end
        end]]):format(runs, more))
      local status, text, err = program.run(folder, "most.lua")
      assert.same({ 0, "" }, { status, err })
      return tonumber(text)
    end
    local few, many = most(40000, "summaries = true"), most(160000, "summaries = true")
    assert.is_true(many - few < 1000, many - few)
    assert.is_true(most(160000, "") - most(40000, "") > 8000)
  end)
end)
