-- Sets of jobs: by day, by week, given ones, under another load; and what is kept of their jobs.
local orrery = require "orrery"

local WEEK = 168 * 3600

local function month() return orrery.mira_month { seed = 3 } end

-- All numbers of a result as text.
local function digits(result) return result:csv() end

local function random_jobs(seed, n, span)
  local rng, list = orrery.random(seed), {}
  for i = 1, n do
    list[i] = {
      submit = rng:uniform(0, span), procs = rng:integer(1, 20), time = rng:uniform(0, 40000),
    }
  end
  return orrery.jobs(list)
end

describe("by week", function()
  it("is blocks of 168 hours from the first submission on, without the empty ones", function()
    local jobs = orrery.jobs {
      { submit = 500 + WEEK, procs = 1, time = 1 }, { submit = 500, procs = 1, time = 1 },
      { submit = 499 + WEEK, procs = 1, time = 1 },
      { submit = 501 + 3 * WEEK, procs = 1, time = 1 },
      { submit = 499 + 4 * WEEK, procs = 1, time = 0 },
    }
    local result = orrery.compare { jobs = jobs, procs = 1, by = "week" }
    local found = {}
    for i, set in ipairs(result.sets) do found[i] = { set.name, set.count } end
    assert.same({ { 1, 2 }, { 2, 1 }, { 4, 2 } }, found)
    assert.equal(5, #orrery.compare({ jobs = jobs, procs = 1 }):jobs(1, "wait"))
  end)

  it("has the days on which they begin as names, where the log has dates", function()
    local result = orrery.compare { jobs = month(), by = "week" }
    local names, count = {}, 0
    for i, set in ipairs(result.sets) do
      names[i], count = set.name, count + set.count
    end
    assert.same({ "2019-06-01", "2019-06-08", "2019-06-15", "2019-06-22" }, names)
    assert.equal(#month():between(month()[1].submit, month()[1].submit + 4 * WEEK), count)
    assert.equal("week 5 is left out: the log ends 47.0 h into it", result.notes[1])
  end)

  -- The last seventh of the second week begins 12 * 86400 s after the first submission, at 500 s.
  it("leaves out a last week on whose last day nothing is submitted, as `weeks` does", function()
    local function sets(...)
      local list = { { submit = 500, procs = 1, time = 1 } }
      for i, submit in ipairs { ... } do list[i + 1] = { submit = submit, procs = 1, time = 1 } end
      local result = orrery.compare { jobs = orrery.jobs(list), procs = 1, by = "week" }
      return #result.sets, result.notes[1]
    end
    assert.same({ 1, "week 2 is left out: the log ends 144.0 h into it" },
      { sets(499.9 + 13 * 86400) })
    assert.same({ 2 }, { sets(500 + 13 * 86400) })
    assert.same({ 1 }, { sets(501) }) -- a log without another week keeps it
  end)

  it("is each week for itself, with any number of threads", function()
    local jobs = random_jobs(9, 400, 6 * WEEK)
    local spec = {
      procs = 20, policies = { "easy", "fcfs", "conservative" }, seed = 5, runs = 3,
      errors = { mean_probability = 0.2 },
    }
    local function run(more)
      for key, value in pairs(spec) do more[key] = value end
      return orrery.compare(more)
    end
    local one = run { jobs = jobs, by = "week", threads = 1 }
    assert.equal(6, #one.sets)
    for _, threads in ipairs { 2, 3, 7 } do
      assert.equal(digits(one), digits(run { jobs = jobs, by = "week", threads = threads }))
    end
    for s, set in ipairs(one.sets) do
      local alone = run { jobs = set.jobs, set = s - 1 }
      for p = 1, 3 do
        for _, metric in ipairs { "makespan", "bsld_mean", "wait_mean", "failures" } do
          assert.same(alone:values(p, metric), one:values(p, metric, s))
        end
      end
    end
  end)

  it("gives the error of the first set, scenario and policy, with any number of threads", function()
    local fragile = {
      name = "fragile",
      dispatch = function(sim)
        for job in sim:fitting() do
          if job.id == "300" or job.id == "20" then error("job " .. job.id, 0) end
          sim:start(job)
        end
      end,
    }
    local jobs, messages = random_jobs(9, 400, 6 * WEEK), {}
    for i, threads in ipairs { 1, 2, 7 } do
      local ok, problem = pcall(orrery.compare, {
        jobs = jobs, by = "week", procs = 20, policies = { "greedy", fragile }, threads = threads,
      })
      assert.is_false(ok)
      messages[i] = problem
    end
    assert.matches("policy fragile: dispatch at time .*: job ", messages[1])
    assert.equal(messages[1], messages[2])
    assert.equal(messages[1], messages[3])
  end)
end)

describe("sets", function()
  it("are simulated each for itself, under their names", function()
    local a, b = random_jobs(1, 30, 1e5), random_jobs(2, 50, 1e5)
    local result = orrery.compare {
      sets = { { name = "a", jobs = a }, { jobs = b } }, procs = 20, policies = { "easy", "fcfs" },
    }
    assert.same({ "a", 2 }, { result.sets[1].name, result.sets[2].name })
    assert.equal("80 jobs in 2 sets on 20 processors, 1 scenario each, seed 1", result:title())
    for s, jobs in ipairs { a, b } do
      local alone = orrery.compare { jobs = jobs, procs = 20, policies = { "easy", "fcfs" } }
      assert.same(alone:values(2, "bsld_mean"), result:values(2, "bsld_mean", s))
      assert.same(alone:jobs(2, "wait"), result:jobs(2, "wait", s))
    end
    assert.has_error(function() result:jobs(1, "wait") end,
      "there are 2 sets: say which one's jobs")
  end)

  it("are checked", function()
    local jobs = random_jobs(1, 3, 10)
    local function refused(expected, spec)
      spec.procs = 20
      local ok, problem = pcall(orrery.compare, spec)
      assert.is_false(ok)
      assert.matches(expected, problem, 1, true)
    end
    refused("sets are the jobs: give neither jobs nor by", { jobs = jobs, sets = {} })
    refused("sets: expected a list", { sets = {} })
    refused("sets[1].jobs: expected a workload, found nil", { sets = { { name = "x" } } })
    refused("sets[2]: unknown field 'job'", { sets = { { jobs = jobs }, { job = jobs } } })
    refused("sets[1]: there are no jobs", { sets = { { jobs = orrery.jobs {} } } })
    refused("by: expected 'day' or 'week', found 'month'", { jobs = jobs, by = "month" })
    refused("load: expected a number above 0, found '0'", { jobs = jobs, load = 0 })
  end)
end)

describe("load", function()
  it("divides what lies between submissions, in each set", function()
    local jobs = orrery.jobs {
      { submit = 100, procs = 1, time = 10 }, { submit = 120, procs = 1, time = 10 },
    }
    local s = orrery.session { jobs = jobs, procs = 1, load = 4 }
    assert.same({ 100, 105 }, { s:job(1).submit, s:job(2).submit })
    assert.same({ 10, 10 }, { s:job(1).time, s:job(2).time })
    assert.equal(20, s:finish().makespan)
    local weeks = orrery.compare { jobs = random_jobs(4, 100, 3 * WEEK), procs = 20, load = 3,
      by = "week" }
    assert.equal(3, #weeks.sets)
    local alone = orrery.compare { jobs = random_jobs(4, 100, 3 * WEEK):load(1), procs = 20,
      load = 3, by = "week", threads = 1 }
    assert.equal(digits(alone), digits(weeks))
  end)
end)

describe("what is kept of jobs", function()
  local jobs = random_jobs(12, 200, 3e5)

  it("is what the metrics are made of", function()
    local result = orrery.compare {
      jobs = jobs, procs = 20, policies = { "easy", "fcfs" }, quantiles = true,
      errors = { mean_probability = 0.2 },
    }
    for p = 1, 2 do
      for _, what in ipairs { "wait", "flow", "bsld" } do
        local list = result:jobs(p, what)
        assert.near(result:values(p, what .. "_mean")[1], orrery.summary(list).mean,
          1e-9 * orrery.summary(list).max)
        local quantiles = orrery.quantiles(list, { 0.5, 0.9, 0.95, 0.99 })
        for i, part in ipairs { 50, 90, 95, 99 } do
          assert.equal(quantiles[i], result:values(p, what .. "_p" .. part)[1])
        end
      end
      assert.equal(result:values(p, "wait_max")[1], orrery.summary(result:jobs(p, "wait")).max)
      for i, time in ipairs(result:jobs(p, "end")) do
        assert.equal(jobs[i].time, result:jobs(p, "runtime")[i])
        if i > 5 then break end
        assert.equal(time - jobs[i].submit, result:jobs(p, "flow")[i])
      end
    end
    assert.matches('"bsld_p99":{', (result:json():gsub("%s", "")), 1, true)
  end)

  it("is nothing where it was not asked for", function()
    local function refused(expected, spec, ask)
      spec.jobs, spec.procs = jobs, 20
      local ok, problem = pcall(ask, orrery.compare(spec))
      assert.is_false(ok)
      assert.matches(expected, problem, 1, true)
    end
    local function waits(result) return result:jobs(1, "wait") end
    refused("the times of jobs are kept of runs = 1 only", { runs = 2 }, waits)
    refused("and not with keep = false", { keep = false }, waits)
    refused("wait_p50 was not asked for: give quantiles = true", { quantiles = false },
      function(result) return result:values(1, "wait_p50") end)
    refused("of a job there is no 'wate' (known: end, runtime, time, flow", {},
      function(result) return result:jobs(1, "wate") end)
  end)

  it("leaves out of quantiles what is outside of the window", function()
    local result = orrery.compare { jobs = jobs, procs = 20, quantiles = true, warmup = 1e5 }
    local first, list = math.huge, {}
    for _, job in ipairs(jobs) do first = math.min(first, job.submit) end
    for i, wait in ipairs(result:jobs(1, "wait")) do
      if jobs[i].submit >= first + 1e5 then list[#list + 1] = wait end
    end
    assert.is_true(#list < 180)
    assert.equal(orrery.quantiles(list, { 0.9 })[1], result:values(1, "wait_p90")[1])
  end)
end)
