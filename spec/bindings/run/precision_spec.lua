-- `precision`: scenarios until the interval is narrow, and how often that interval is right.
local orrery = require "orrery"
local precision = require "orrery.run.precision"
local registry = require "orrery.values.metrics"
local rounds = require "spec.support.rounds"

local jobs = orrery.synthetic { count = 12, procs = { 1, 8 }, seed = 3 }

local NONE = {} -- in place of a field: there is none

local function compare(more)
  local spec = { jobs = jobs, procs = 8, errors = { mean_probability = 0.2 }, seed = 5,
    policies = { "greedy", "easy" } }
  for name, value in pairs(more) do spec[name] = value ~= NONE and value or nil end
  return orrery.compare(spec)
end

local function redistribute(more)
  local spec = { tasks = { n = 4 }, procs = 16, faults = { mtbf_years = 5 }, seed = 5,
    policies = { "none", "end-local+iterated-greedy" } }
  for name, value in pairs(more) do spec[name] = value ~= NONE and value or nil end
  return orrery.compare(spec)
end

-- How precise a result's difference is.
local function precision_of(result, metric)
  return result:difference(1, 2, metric).half_width / math.abs(result:summary(1, metric).mean)
end

-- The numbers of scenarios at which there is a look.
local function looks(most)
  local list = { precision.FIRST }
  while list[#list] < most do
    list[#list + 1] = math.min(most, list[#list] + list[#list] // 4)
  end
  return list
end

describe("precision", function()
  for name, run in pairs { jobs = compare, tasks = redistribute } do
    it("gives the numbers of as many runs, whatever the threads, of " .. name, function()
      local metric = "makespan"
      local at_first = precision_of(run { runs = precision.FIRST }, metric)
      local asked = { precision = at_first / 1.7, metric = metric, threads = 1 }
      local result = run(asked)
      local n = result.runs
      assert.is_true(n > 1.5 * precision.FIRST and n < 8 * precision.FIRST, n)
      local csv, last = run({ runs = n }):csv(), run({ runs = n }):values(2, metric)
      for _, threads in ipairs { 1, 3 } do
        asked.threads = threads
        local again = run(asked)
        assert.equal(n, again.runs)
        assert.equal(csv, again:csv())
        assert.same(last, again:values(2, metric))
      end
      for _, at in ipairs { 1, precision.FIRST, precision.FIRST + 1, n } do
        assert.equal(run({ runs = n }).sets[1].metrics:scenario(2, at).makespan,
          result.sets[1].metrics:scenario(2, at).makespan)
      end
    end)

    it("stops at the first look at which the differences are narrow, of " .. name, function()
      local asked = precision_of(run { runs = precision.FIRST }, "makespan") / 2
      local result = run { precision = asked, metric = "makespan", runs = 100000 }
      for _, n in ipairs(looks(100000)) do
        local reached = precision_of(run { runs = n }, "makespan") <= asked
        assert.equal(reached, n == result.runs, n)
        if reached then break end
      end
    end)
  end

  it("keeps the ends of tasks", function()
    local result = redistribute { precision = 0.3 }
    local plain = redistribute { runs = result.runs }
    assert.equal(plain:ends_csv(), result:ends_csv())
    local more = redistribute { precision = 1e-9, runs = 300 }
    assert.equal(redistribute({ runs = 300 }):ends_csv(), more:ends_csv())
  end)

  it("is of the mean where there is one policy", function()
    local result = compare { policies = { "easy" }, precision = 0.02, metric = "bsld_mean" }
    local summary = result:summary(1, "bsld_mean")
    assert.is_true(summary.half_width <= 0.02 * summary.mean)
    assert.equal(("precision: 2%% reached: %d scenarios give ± %.3g%% of bsld_mean"):format(
      result.runs, 100 * summary.half_width / summary.mean), result.notes[1])
  end)

  it("ends at the most that runs allows, and says what was reached", function()
    local result = compare { precision = 1e-6, runs = 300 }
    assert.equal(300, result.runs)
    assert.equal(("precision: 0.0001%% not reached with the most that runs allows: 300 scenarios "
      .. "give ± %.3g%% of ratio"):format(100 * precision_of(result, "ratio")), result.notes[1])
    assert.equal(300, select(2, result:csv():gsub("\n", "")) // 2)
  end)

  it("ends after two scenarios where nothing is random", function()
    local result = compare { errors = { mean_probability = 0 }, precision = 0.01 }
    assert.equal(2, result.runs)
    assert.equal("precision: nothing is drawn at random, and both scenarios are the same",
      result.notes[1])
    local tasks = redistribute { tasks = orrery.tasks.synthetic { n = 4 },
      precision = 0.01 }
    assert.equal(256, tasks.runs) -- the faults of `redistribute` stay
    tasks = redistribute { tasks = orrery.tasks.synthetic { n = 4 },
      faults = { mtbf = math.huge }, precision = 0.01 }
    assert.equal(2, tasks.runs)
  end)

  it("goes on where a policy draws for itself", function()
    local policy = { policy = "easy", priority = "random" }
    local result = compare { errors = { mean_probability = 0 }, precision = 0.5,
      policies = { policy } }
    assert.equal(precision.FIRST, result.runs)
    assert.equal(compare({ errors = { mean_probability = 0 }, runs = precision.FIRST,
      policies = { policy } }):csv(), result:csv())
  end)

  it("is reached at once where all differences are 0, and says so", function()
    local result = compare { policies = { "easy", { policy = "easy", name = "again" } },
      precision = 0.001 }
    assert.equal(precision.FIRST, result.runs)
    assert.equal("precision: all 256 scenarios say the same of ratio, and nothing of what is rarer",
      result.notes[1])
  end)

  it("takes a difference that rounding makes for none", function()
    local rng = orrery.random(1)
    local function run(_, count)
      local block = registry.columns(2, { "x" })
      for i = 1, count do
        block[1].x[i] = rng:uniform(1, 2)
        block[2].x[i] = block[1].x[i] * (1 + (i % 3 - 1) * 2.0 ^ -52)
      end
      return block
    end
    local _, n, note = precision.run({ share = 1e-20, metric = "x", most = 300 }, 2, "run", true,
      run)
    assert.equal(256, n)
    assert.equal("precision: all 256 runs say the same of x, and nothing of what is rarer", note)
  end)

  it("is no share of a mean of 0", function()
    local rng = orrery.random(1)
    local function run(_, count)
      local block = registry.columns(2, { "x" })
      for i = 1, count do block[1].x[i], block[2].x[i] = 0, rng:uniform() end
      return block
    end
    local _, n, note = precision.run({ share = 0.1, metric = "x", most = 300 }, 2, "run", true, run)
    assert.equal(300, n)
    assert.equal("precision: with a mean of 0 no interval is a share of x; 300 runs ran", note)
  end)

  it("tells progress block by block", function()
    local last
    compare { precision = 1e-9, runs = 320, threads = 1, progress = function(done, total)
      last = { done, total }
    end }
    assert.same({ 640, 640 }, last)
    local notes = compare({ precision = 1e-9, runs = 320, threads = 1, progress = function()
      error("dark", 0)
    end }).notes
    assert.equal(2, #notes)
    assert.equal("progress was not reported: dark", notes[1])
  end)

  it("has all schedules checked", function()
    local notes = compare({ precision = 1e-9, runs = 320, check = true }).notes
    assert.equal("checked: 640 schedules, every one of them possible", notes[#notes])
  end)

  describe("refuses", function()
    local function refused(message, more, run)
      local ok, problem = pcall(run or compare, more)
      assert.is_false(ok)
      assert.equal(message, (tostring(problem):gsub("^[^\n]-:%d+: ", "")))
    end

    it("what is no share", function()
      for given, shown in pairs { [0] = "0", [-0.01] = "-0.01", [1] = "1", [2] = "2",
        ["1%"] = "'1%'", [0 / 1e-300 + math.huge] = "inf" } do
        refused("precision: expected a share above 0 and below 1 (0.01: 1%), found " .. shown,
          { precision = given })
      end
      refused("precision: expected a share above 0 and below 1 (0.01: 1%), found '1'",
        { precision = "1" }, redistribute)
    end)

    it("too few runs", function()
      refused("runs, with precision: expected a whole number of at least 256, found 255",
        { precision = 0.01, runs = 255 })
    end)

    it("a metric that there is not, or that was not asked for", function()
      refused("metric is what precision is of: give precision", { metric = "makespan" })
      refused("metric: there is no 'makspan', did you mean 'makespan'? (known: "
        .. table.concat(registry.jobs.all, ", ") .. ")", { precision = 0.1, metric = "makspan" })
      refused("metric: there is no 'fault_free' (known: "
        .. table.concat(registry.tasks.all, ", ") .. ")",
        { precision = 0.1, metric = "fault_free" }, redistribute)
      assert.equal(256, compare({ precision = 0.9, metric = "wait_p95", quantiles = true }).runs)
    end)

    it("sets, given failures and packs", function()
      local set = { jobs = jobs }
      refused("precision: there are 2 sets of jobs, whose means more scenarios do not bring "
        .. "together; give one set", { precision = 0.1, sets = { set, set }, jobs = NONE })
      refused("precision and failures exclude each other: every row of the failures is one "
        .. "scenario", { precision = 0.1, failures = { { 1 } }, errors = NONE })
      refused("precision: packs that run one after the other have no precision; give runs",
        { precision = 0.1, packs = "one-by-one" }, redistribute)
    end)
  end)
end)

-- --- coverage -----------------------------------------------------------------------------------

-- Samples with mean 1: their standard deviation, a function that draws one, and what they are.
local LAWS = {
  { 0.3, function(rng) return 1 + 0.3 * rng:normal() end, "normal" },
  { 1, function(rng) return rng:exponential(1) end, "exponential" },
  { math.sqrt(math.exp(0.25) - 1), function(rng) return rng:lognormal(-0.125, 0.5) end,
    "lognormal, sigma 0.5" },
  { math.sqrt(math.exp(1) - 1), function(rng) return rng:lognormal(-0.5, 1) end,
    "lognormal, sigma 1" },
}

-- Metrics of which `policies` have independent samples of a law.
local function drawn(law, rng, policies)
  return function(_, count)
    local block = registry.columns(policies, { "x" })
    for i = 1, policies do
      for run = 1, count do block[i].x[run] = law[2](rng) end
    end
    return block
  end
end

-- How often the interval at the end has the truth, in %, and the mean number of scenarios.
-- times: of how many first blocks the precision wants the scenarios.
local function coverage(law, policies, times, repetitions, rng)
  local sd = law[1] * math.sqrt(policies)
  local asked = { metric = "x", most = 1000000,
    share = 1.96 * sd / math.sqrt(times * precision.FIRST) }
  local hits, scenarios = 0, 0
  for _ = 1, repetitions do
    local metrics, n = precision.run(asked, policies, "scenario", true, drawn(law, rng, policies))
    local summary = policies == 1 and orrery.summary(metrics:column(1, "x"))
      or orrery.summary_paired(metrics:column(1, "x"), metrics:column(2, "x"))
    local truth = policies == 1 and 1 or 0
    if math.abs(summary.mean - truth) <= summary.half_width then hits = hits + 1 end
    scenarios = scenarios + n
  end
  return 100 * hits / repetitions, scenarios / repetitions
end

describe("the interval after precision", function()
  local repetitions = rounds(2000, nil, 100)
  local slack = repetitions < 2000 and 3 or 0 -- percent: three standard errors of fewer repetitions
  for _, law in ipairs(LAWS) do
    for policies, what in ipairs { "a mean", "a difference" } do
      it(("covers %s of samples that are %s in 92%% to 98%%"):format(what, law[3]), function()
        local rng = orrery.random(11)
        for _, times in ipairs { 0.3, 1, 1.5, slack == 0 and 6 or nil } do
          local share, n = coverage(law, policies, times, repetitions, rng)
          assert.is_true(share >= 92 - slack and share <= 98 + slack,
            ("%.2f%% with %.0f scenarios"):format(share, n))
        end
      end)
    end
  end
end)
