-- `orrery reproduce checkpointing`: its files against orrery.compare and against the closed form,
-- written down again.
local orrery = require "orrery"
local program = require "spec.support.program"
local tables = require "spec.support.tables"

local YEAR = 365 * 86400

describe("orrery reproduce checkpointing --quick", function()
  local folder, out

  setup(function()
    folder = program.folder()
    local status, text, err = program.run(folder,
      "reproduce checkpointing --quick --out o --seed 4")
    assert.same({ 0, "" }, { status, err })
    folder, out = folder .. "/o", text
  end)

  teardown(function() program.remove((folder:gsub("/o$", ""))) end)

  it("writes figures, tables and a page", function()
    local expected = {}
    for _, name in ipairs { "aware", "demand", "periods", "policies", "warnings", "waste",
      "weibull" } do
      for _, ending in ipairs { "csv", "png", "svg" } do
        expected[#expected + 1] = ("figure-%s.%s"):format(name, ending)
      end
    end
    assert.equal(table.concat(expected, " ") .. " page.md times.csv", program.listing(folder))
    assert.matches("\nthe page is o/page%.md\n$", out)
    local page = program.read(folder .. "/page.md")
    for _, source in ipairs { "Young 1974; Daly 2006", "Bougeret et al. 2011", "Niu et al. 2012",
      "Oliner, Rudolph and Sahoo 2006", "dispatch/checkpoint-aware" } do
      assert.matches(source, page, 1, true)
    end
  end)

  -- The waste of one job, segment by segment, in each of which failures strike until none does.
  local function closed_form(mtbf, w, tau, C, R)
    local sum, done, first = 0, 0, true
    local function expected(seconds, recovery) -- of a segment with a recovery after each failure
      return mtbf * (math.exp(seconds / mtbf) - 1) * math.exp(recovery / mtbf)
    end
    while done < w do
      local work = math.min(tau, w - done)
      local is_last = done + work >= w
      sum = sum + expected(work + (is_last and 0 or C), first and 0 or R)
      done, first = done + work, false
    end
    return 1 - w / sum
  end

  it("has the closed form, and simulated wastes near it", function()
    local rows = tables.read(folder .. "/figure-waste.csv")
    assert.equal(10, #rows)
    for _, row in ipairs(rows) do
      local C = row.cost * 1e5
      local tau = row.over_young * math.sqrt(2 * 1e5 * C)
      assert.near(tau / 1e5, row.period, 1e-12)
      local expected = closed_form(1e5, 50e5, tau, C, C)
      assert.near(expected, row.closed_form, 1e-9)
      assert.equal(60, row.samples)
      assert.is_true(math.abs(row.mean - expected) < 4 * row.half_width + 1e-3, row.over_young)
    end
  end)

  -- For C <= MTBF / 100, as accepted: by a dense search of its own.
  it("has Young's and Daly's periods within 2% of the least waste", function()
    for _, share in ipairs { 1e-4, 1e-3, 1e-2 } do
      local C = share * 1e5
      local young = math.sqrt(2 * 1e5 * C)
      local x = C / 2e5
      local daly = young * (1 + math.sqrt(x) / 3 + x / 9) - C
      local least = math.huge
      for k = -200, 200 do
        least = math.min(least, closed_form(1e5, 50e5, young * 2 ^ (k / 100), C, C))
      end
      assert.is_true(closed_form(1e5, 50e5, young, C, C) <= 1.02 * least)
      assert.is_true(closed_form(1e5, 50e5, daly, C, C) <= 1.02 * least)
    end
    assert.matches("holds +At Young's and at Daly's period the closed form's waste is within 2%%",
      out)
  end)

  it("has the numbers of orrery.compare for a wide job under Weibull's law", function()
    local row = tables.find(tables.read(folder .. "/figure-weibull.csv"),
      { place = "old", shape = 0.7, over_young = 0.5 })
    local result = orrery.compare {
      jobs = orrery.jobs { { procs = 1, runtime = 1 },
        { procs = 1024, runtime = 20 * 86400, submit = 5 * YEAR } },
      procs = 1024, policies = { "easy" }, runs = 10, seed = 4,
      node_failures = { mtbf = "5y", law = "weibull", shape = 0.7 },
      checkpoint = { cost = 600, period = 0.5 * math.sqrt(2 * 5 * YEAR / 1024 * 600) },
    }
    assert.near(tables.mean(result:values(1, "waste")), row.mean, 1e-12)
  end)

  it("has the numbers of orrery.compare where failures are announced", function()
    local row = tables.find(tables.read(folder .. "/figure-warnings.csv"),
      { place = "job", recall = 0.5, precision = 0.5, checkpoints = "at warnings alone" })
    local result = orrery.compare {
      jobs = orrery.jobs { { procs = 1024, runtime = 20 * 86400 } }, procs = 1024, runs = 10,
      policies = { { dispatch = "greedy", on_warning = function(sim)
        for _, job in ipairs(sim:running()) do sim:checkpoint(job) end
      end } }, seed = 4, checkpoint = { cost = 600, period = "none" }, node_failures = {
        mtbf = "5y", prediction = { recall = 0.5, precision = 0.5, lead = "11m" } },
    }
    assert.near(tables.mean(result:values(1, "waste")), row.mean, 1e-12)
  end)

  local function sets(procs, load)
    local list = {}
    for s = 1, 4 do
      list[s] = { name = tostring(s), jobs = orrery.lublin { procs = procs, days = 3, week = false,
        walltimes = "users", load = load, seed = 4, set = s } }
    end
    return list
  end

  it("has the numbers of orrery.compare for schedulers and for the tests", function()
    local result = orrery.compare { sets = sets(256, 0.8), procs = 256, warmup = 86400,
      walltimes = "log", policies = { "checkpoint-aware" }, seed = 4,
      node_failures = { mtbf = "1y", repair = "4h" },
      checkpoint = { cost = 1800, period = "young" } }
    local rows = tables.read(folder .. "/figure-policies.csv")
    for _, metric in ipairs { "ratio", "bsld_mean", "waste" } do
      local row = tables.find(rows, { log = "lublin", axis = "cost", value = 1800,
        policy = "checkpoint-aware", metric = metric })
      assert.near(tables.mean(result:values(1, metric)), row.mean, 1e-9 * row.mean)
    end
    result = orrery.compare { sets = sets(512, 0.9), procs = 512, warmup = 86400,
      walltimes = "log", policies = { { policy = "easy", priority = "f3" } }, seed = 4,
      node_failures = { mtbf = "2y", law = "weibull", shape = 0.7, lemons = "0.05:10",
        repair = "lognormal:4h,1.2" }, checkpoint = { cost = 600, period = "young" } }
    rows = tables.read(folder .. "/figure-aware.csv")
    local row = tables.find(rows, { test = "rough", policy = "easy + f3" })
    assert.near(tables.mean(result:values(1, "bsld_mean")), row.bsld_mean, 1e-9 * row.bsld_mean)
  end)

  it("compares with every policy but those that cannot, and with itself, blanked", function()
    local rows, seen = tables.read(folder .. "/figure-aware.csv"), {}
    for _, row in ipairs(rows) do seen[row.policy] = true end
    local missing = {}
    for _, policy in ipairs(orrery.policies()) do
      local short = policy.name:match "/(.+)$"
      local is_order = policy.kind == "priority"
      if (is_order or policy.kind == "dispatch") and policy.path:find(orrery.home, 1, true) == 1
        and not seen[is_order and "easy + " .. short or short] then
        missing[#missing + 1] = policy.name
      end
    end
    assert.same({ "dispatch/likely-short", "dispatch/partitions", "dispatch/recorded",
      "redirect/threshold" }, missing)
    -- without what it knows it is EASY, least area first
    for _, test in ipairs { "calm", "rough", "mira" } do
      local blank = tables.find(rows, { test = test, policy = "aware of nothing" })
      local saf = tables.find(rows, { test = test, policy = "easy + saf" })
      assert.equal(saf.bsld_mean, blank.bsld_mean)
    end
  end)

  it("draws the ten best of each test, a panel for each", function()
    local counts, titles = {}, {}
    for _, row in ipairs(tables.read(folder .. "/figure-aware.csv")) do
      counts[row.test] = (counts[row.test] or 0) + 1
    end
    for _, test in ipairs { "calm", "rough", "mira" } do assert.is_true(counts[test] > 10) end
    local picture = program.read(folder .. "/figure-aware.svg")
    for title in picture:gmatch "<text>([^<]*): the 10 with the least mean</text>" do
      titles[#titles + 1] = title
    end
    assert.same({ "256 processors, load 0.8, exponential failures",
      "512 processors, load 0.9, Weibull's failures, lemons", "Mira, June 2019" }, titles)
  end)

  it("says what is wrong with an option", function()
    local function refused(words, message)
      local status, _, err = program.run(folder, "reproduce checkpointing " .. words)
      assert.equal(2, status)
      assert.matches(message, err, 1, true)
    end
    refused("--sets 0", "--sets: expected a whole number from 1 to 1000000, found '0'")
    refused("--figure 1", "must be one of")
  end)
end)
