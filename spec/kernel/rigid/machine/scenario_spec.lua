-- Scenarios: how often jobs fail, and what is too often.
local orrery = require "orrery"

describe("drawn failures", function()
  it("have the expectation exp(lambda p t) - 1", function()
    local jobs = orrery.jobs {
      { id = "a", procs = 2, time = 100 }, { id = "b", procs = 1, time = 500 },
      { id = "c", procs = 4, time = 10 },
    }
    local rate, runs = 1e-3, 20000
    local expected = 0
    for i = 1, #jobs do expected = expected + math.exp(rate * jobs[i].area) - 1 end
    local summary = orrery.compare {
      jobs = jobs, procs = 4, runs = runs, errors = { rate = rate },
    }:summary(1, "failures")
    assert.is_true(math.abs(summary.mean - expected) < 3 * summary.half_width)
    assert.is_true(summary.half_width < 0.05)
  end)

  it("follow from a mean probability by the mean area", function()
    -- areas 100 and 300, mean 200: lambda = -ln(1 - 0.5) / 200; worked by hand: the jobs fail with
    -- probabilities 1 - 0.5^(1/2) and 1 - 0.5^(3/2), on average 2^(1/2) - 1 and 2^(3/2) - 1 times
    local jobs = orrery.jobs { { procs = 1, time = 100 }, { procs = 3, time = 100 } }
    local summary = orrery.compare {
      jobs = jobs, procs = 4, runs = 20000, errors = { mean_probability = 0.5 },
    }:summary(1, "failures")
    local expected = math.sqrt(2) - 1 + math.sqrt(8) - 1
    assert.is_true(math.abs(summary.mean - expected) < 3 * summary.half_width)
  end)

  local function refused(spec, ...)
    local ok, message = pcall(orrery.compare, spec)
    assert.is_false(ok)
    for _, part in ipairs { ... } do assert.is_truthy(message:find(part, 1, true), message) end
  end

  it("are refused where the expectation is above the limit, with the job and the number", function()
    local jobs = orrery.jobs {
      { id = "small", procs = 1, time = 1 }, { id = "huge", procs = 10, time = 100 },
    }
    refused({ jobs = jobs, procs = 10, errors = { rate = 0.01 }, max_attempts = 20000 },
      "job huge (10 processors, 100 s) needs 22026.5 attempts on average",
      "more than the limit of 20000: lower the error rate or raise max_attempts")
    orrery.compare { jobs = jobs, procs = 10, errors = { rate = 0.001 }, max_attempts = 1000 }
    -- each of 300 fails exp(4) - 1 = 53.6 times on average, all together 16079 times
    local many = {}
    for i = 1, 300 do many[i] = { procs = 1, time = 4 } end
    local spec = { jobs = orrery.jobs(many), procs = 1, errors = { rate = 1 }, max_attempts = 1000 }
    refused(spec, "16079.4 attempts of all jobs together fail on average, more than the limit of "
      .. "10000: lower the error rate or raise max_attempts")
    spec.max_attempts = 2000
    orrery.compare(spec)
  end)

  it("are refused where a scenario draws more than the limit", function()
    local jobs = orrery.jobs { { id = "unlucky", procs = 1, time = 100 } }
    refused({ jobs = jobs, procs = 1, runs = 2000, errors = { rate = 0.01 }, max_attempts = 5 },
      "job unlucky (1 processors, 100 s) needs ", " attempts here and 2.71828 attempts on average",
      "more than the limit of 5")
  end)

  it("do not strike a job that is killed at its walltime", function()
    local jobs = orrery.jobs { { procs = 1, time = 100, walltime = 50 } }
    local result = orrery.compare {
      jobs = jobs, procs = 1, runs = 50, errors = { rate = 0.05 }, walltimes = "log",
    }
    assert.equal(0, result:summary(1, "failures").mean)
    assert.equal(1, result:summary(1, "killed").mean)
    assert.equal(50, result:summary(1, "makespan").max)
  end)
end)
