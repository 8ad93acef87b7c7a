-- Estimates of a policy, held against a naive reference (READINGS 43).
local events = require "spec.support.events"
local rounds = require "spec.support.rounds"

local INSTANCES = ({ some = 2000, all = 5000, every = 50000 })[os.getenv "ORRERY_ROUNDS"] or 200

describe("estimates of a policy", function()
  -- The starts and ends of a list of { procs, time, walltime, estimate } on 4 processors, all there
  -- at 0, with EASY.
  local function by_hand(jobs, more)
    local spec = { procs = 4, verification = 0, walltimes = true,
      groups = { { procs = 4, discipline = "list", reservations = 1 } },
      estimate = function(_, j) return jobs[j][4] end }
    for key, value in pairs(more or {}) do spec[key] = value end
    for j, job in ipairs(jobs) do
      spec[j] = { procs = job[1], time = job[2], walltime = job[3], submit = 0 }
    end
    local function note(attempts)
      local lines = {}
      for i, a in ipairs(attempts) do
        lines[i] = ("%d: %g to %g %s"):format(a.position, a.start, a.finish, a.outcome)
      end
      return table.concat(lines, "; ")
    end
    local sim = events.simulation(spec)
    sim:finish()
    assert(sim:check())
    local found = note(sim:attempts())
    assert.equal(found, note(events.naive(spec).history))
    return found
  end

  it("plan, where walltimes would not let a job fill in", function()
    -- job 2 waits for 1, until 100; job 3 is believed to end by then, and does
    assert.equal("1: 0 to 100 completed; 3: 0 to 50 completed; 2: 100 to 110 completed",
      by_hand { { 2, 100, 200, 100 }, { 4, 10, 10, 10 }, { 2, 50, 500, 90 } })
    assert.equal("1: 0 to 100 completed; 2: 100 to 110 completed; 3: 110 to 160 completed",
      by_hand { { 2, 100, 100, 100 }, { 4, 10, 10, 10 }, { 2, 50, 500, 101 } })
  end)

  it("are corrected when they are outlived, and jobs are killed at the walltime alone", function()
    -- 1 is believed to end at 100, then at 160, then at 460: only then 3 is believed to end before
    assert.equal("1: 0 to 300 completed; 3: 160 to 230 completed; 2: 300 to 310 completed",
      by_hand { { 2, 300, 900, 100 }, { 4, 10, 10, 10 }, { 2, 70, 200, 101 } })
    assert.equal("1: 0 to 900 killed; 2: 900 to 910 completed",
      by_hand { { 2, 1000, 900, 100 }, { 4, 10, 10, 10 } })
    -- 189 h by the published steps, then 200 h more, 400, 800, ...: 30,000 years in about 30
    assert.equal("1: 0 to 1e+12 completed; 2: 1e+12 to 1e+12 completed",
      by_hand { { 2, 1e12, 1e13, 100 }, { 4, 10, 10, 10 } })
    -- believed to take no time at all
    assert.equal("1: 0 to 300 completed; 3: 0 to 70 completed; 2: 300 to 310 completed",
      by_hand { { 2, 300, 900, 0 }, { 4, 10, 10, 10 }, { 2, 70, 70, 0 } })
  end)

  it("are those of the reference, also with failures, windows and hooks that act", function()
    local outlived, more = 0, 0
    for seed = 1, INSTANCES do
      local expected = events.compare(seed, { estimates = true, windows = seed % 3 == 0,
        custom = seed % 4 == 0 and "often" or nil })
      for _, attempt in ipairs(expected.history) do
        outlived = outlived + (attempt.outlived > 0 and 1 or 0)
        more = more + (attempt.outlived > 1 and 1 or 0)
      end
    end
    assert.is_true(outlived > INSTANCES and more > INSTANCES // 20, outlived .. " " .. more)
  end)

  it("are those of a simulation that is copied or transplanted at any time", function()
    for seed = 1, rounds(600) do
      local spec, rng = events.drawn(seed, { estimates = true, windows = seed % 4 < 2 })
      local sim = events.simulation(spec)
      for _ = 1, rng:integer(0, 20) do sim:step() end
      local copy, other = sim:copy(), sim:transplant()
      assert.same(sim:look(), other:look())
      for _ = 1, rng:integer(0, 4) do other:step() end
      local second = other:transplant()
      local metrics = sim:finish()
      local attempts = sim:attempts()
      for _, each in ipairs { copy, other, second } do
        assert.same(metrics, each:finish())
        assert.same(attempts, each:attempts())
        assert.is_true(each:check())
        each:destroy()
      end
      sim:reset(1)
      assert.same(metrics, sim:finish())
      sim:destroy()
    end
  end)

  it("are refused where jobs write checkpoints, or where they are no numbers", function()
    assert.has_error(function()
      by_hand({ { 2, 100, 200, 100 } },
        { checkpoints = { { cost = 1, recovery = 1, period = 9 } } })
    end, "policy spec: it estimates how long jobs take, and cannot where jobs write checkpoints")
    for _, wrong in ipairs { -1, 0 / 0 } do
      local ok, problem = pcall(by_hand, { { 2, 100, 200, wrong } })
      assert.is_false(ok)
      assert.matches("policy spec: estimate at time 0: the estimate of job 1 must be a number of "
        .. "seconds >= 0, it is %-?[n1]", problem)
    end
  end)
end)
