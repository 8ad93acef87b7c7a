-- What policies know of silent errors: sim.silent_error_rate and job.silent_error_probability,
-- against the formulas of RR-9296, section 5.1, and against how often attempts fail.
local orrery = require "orrery"

local rng = orrery.random(7)

local function drawn_jobs(count)
  local rows = {}
  for i = 1, count do
    rows[i] = { id = tostring(i), procs = rng:integer(1, 8), runtime = rng:integer(1, 5000) }
  end
  return orrery.jobs(rows)
end

-- What a policy sees of each job at its submission, and that a priority per workload sees the same.
local function seen_of(jobs, errors, failures)
  local s = orrery.session { jobs = jobs, procs = 8, errors = errors, failures = failures,
    batch = true,
    policy = { dispatch = "fcfs", on_submit = function(sim, job)
      sim:note { rate = sim.silent_error_rate, probability = job.silent_error_probability }
    end } }
  s:run_until(0)
  return s.notes
end

describe("what a policy knows of silent errors", function()
  it("is the rate for a mean probability, and the probability of each job", function()
    for _ = 1, 50 do
      local jobs, q = drawn_jobs(rng:integer(1, 20)), rng:uniform() * 0.95
      local area, count = 0, 0
      for _, job in jobs:each() do area, count = area + job.procs * job.runtime, count + 1 end
      local rate = -math.log(1 - q) * count / area
      local notes = seen_of(jobs, { mean_probability = q })
      for i, job in jobs:each() do
        assert.near(rate, notes[i].rate, 1e-9 * rate)
        local probability = 1 - math.exp(-rate * job.procs * job.runtime)
        assert.near(probability, notes[i].probability, 1e-9)
      end
    end
  end)

  -- 4 processors for 250 s at 0.001 errors per processor-second: one error is expected.
  it("by hand: the rate that is given, 1 - 1/e", function()
    local jobs = orrery.jobs { { id = "a", procs = 4, runtime = 250 } }
    local notes = seen_of(jobs, { rate = 0.001 })
    assert.equal(0.001, notes[1].rate)
    assert.near(1 - math.exp(-1), notes[1].probability, 1e-12)
  end)

  it("is 0 where errors are not drawn, or failures are given", function()
    local jobs = drawn_jobs(2)
    for _, notes in ipairs { seen_of(jobs), seen_of(jobs, nil, { { 1, 0 } }) } do
      assert.equal(0, notes[1].rate)
      assert.equal(0, notes[1].probability)
    end
  end)

  it("is known to a priority per workload, and in forks", function()
    local jobs = orrery.jobs { { id = "narrow", procs = 1, runtime = 100 },
      { id = "wide", procs = 8, runtime = 100 } }
    local s = orrery.session { jobs = jobs, procs = 8, errors = { rate = 0.001 }, batch = true,
      policy = { dispatch = "fcfs", priority = function(job, view)
        return view.silent_error_rate * job.silent_error_probability
      end } }
    s:run_until(0)
    assert.equal("running", s:job("wide").state)
    local other = s:fork { policy = { dispatch = function(sim)
      sim:note { rate = sim.silent_error_rate }
      for job in sim:fitting() do sim:start(job) end
    end } }
    other:finish()
    assert.equal(0.001, other.notes[1].rate)
  end)

  it("is how often attempts fail", function()
    local jobs = orrery.jobs { { id = "a", procs = 2, runtime = 100 } }
    local result = orrery.compare { jobs = jobs, procs = 2, errors = { rate = 0.004 },
      policies = { "fcfs" }, runs = 4000 }
    local failed = result:summary(1, "failures").mean
    local p = 1 - math.exp(-0.8)
    assert.near(p / (1 - p), failed, 5 * math.sqrt(p / (1 - p) ^ 2 / 4000))
  end)
end)
