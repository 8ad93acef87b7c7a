-- Expected times, periods, remaining work, costs of redistributions.
local orrery = require "orrery"
local native = require "native_faults"
local rounds = require "spec.support.rounds"

local function near(expected, found, tolerance)
  local difference = math.abs(found - expected)
  if found == expected or difference <= (tolerance or 1e-14) * math.abs(expected) then return end
  error(("expected %.17g, found %.17g"):format(expected, found), 2)
end

-- mu of 2 processors 100 s, C = 2 s: tau = sqrt(2 * 100 * 2) + 2 = 22 s, 20 s of work in each.
local by_hand = { time = 50, procs = 2, mtbf = 200, checkpoint = 2, recovery = 3, downtime = 5 }

describe("a task that checkpoints", function()
  it("worked by hand", function()
    local e = native.expected(by_hand, 1, 0, 7)
    near(22, e.period)
    near(20, e.work)
    near(0.01, e.rate)
    assert.equal(2, e.checkpoints)
    near(10, e.last)
    near(7 + 50 + 4, e.finish)
    -- exp(0.03) (100 + 5) (2 (exp(0.22) - 1) + exp(0.1) - 1)
    near(64.629139558153194, e.time)
    local half = native.expected(by_hand, 0.5, 0, 0)
    assert.equal(1, half.checkpoints)
    near(5, half.last)
    near(27, half.finish)
  end)

  it("worked by hand, with a checkpoint as its last act", function()
    local e = native.expected(by_hand, 0.4)
    assert.same({ 1, 0 }, { e.checkpoints, e.last })
    near(22, e.finish)
    near(math.exp(0.03) * 105 * (math.exp(0.22) - 1), e.time)
  end)

  it("has so much work left after events, worked by hand", function()
    for _, case in ipairs {
      { 0, 1, 1 }, { 15, 0.7, 1 }, { 20, 0.6, 1 },
      { 21, 0.6, 1 }, -- in the middle of a checkpoint
      { 22, 0.6, 0.6 }, { 25, 0.54, 0.6 }, { 42, 0.2, 0.6 }, { 43.5, 0.2, 0.6 }, { 44, 0.2, 0.2 },
      { 49, 0.1, 0.2 }, { 54, 0, 0.2 }, { 1000, 0, 0 },
    } do
      local elapsed, left, struck = table.unpack(case)
      local e = native.expected(by_hand, 1, elapsed)
      assert.is_true(math.abs(e.left - left) < 1e-15)
      assert.is_true(math.abs(e.left_struck - struck) < 1e-15)
    end
    assert.equal(0, native.expected(by_hand, 0.1, 22).left)
    assert.equal(0, native.expected(by_hand, 0.1, 22).left_struck)
  end)

  it("has as much work left as a clock that ticks through its periods says", function()
    local rng = orrery.random(5)
    for _ = 1, rounds(2000, 2000, 167) do
      local task = { time = rng:uniform(1, 1000), procs = rng:integer(1, 50),
        mtbf = 10 ^ rng:uniform(1, 6), checkpoint = 10 ^ rng:uniform(-2, 2) }
      local elapsed = rng:uniform(0, 2000)
      local e = native.expected(task, 1, elapsed)
      local clock, done, kept = 0, 0, 0
      while clock + e.period <= elapsed do
        clock, done = clock + e.period, done + e.work
        kept = done
      end
      done = done + math.min(elapsed - clock, e.work)
      -- a clock's sum and a quotient may see the end of a period differently
      local edge = math.abs((elapsed / e.period + 0.5) % 1 - 0.5) < 1e-9
      assert.is_true(math.abs(e.left - math.max(1 - done / task.time, 0)) < 1e-9)
      assert.is_true(edge
        or math.abs(e.left_struck - math.max(1 - kept / task.time, 0)) < 1e-9)
    end
  end)

  it("has nothing left when it ends undisturbed, and something just before", function()
    local rng = orrery.random(6)
    for _ = 1, rounds(2000, 2000, 167) do
      local task = { time = rng:uniform(1, 1000), procs = rng:integer(1, 50),
        mtbf = 10 ^ rng:uniform(1, 6), checkpoint = 10 ^ rng:uniform(-2, 1) }
      local alpha = rng:uniform()
      local e = native.expected(task, alpha)
      assert.is_true(native.expected(task, alpha, e.finish).left < 1e-12)
      if e.last > 1e-6 * task.time then
        assert.is_true(native.expected(task, alpha, e.finish - e.last / 2).left > 0)
      end
    end
  end)
end)

describe("the expected time", function()
  -- One execution: periods of length tau and the last one; what a fault interrupts begins anew
  -- after a downtime and a recovery, which may itself be interrupted (equation 1.6 counts that).
  local function execute(rng, e, task)
    local clock, mean = 0, 1 / e.rate
    for period = 1, e.checkpoints + 1 do
      local length = period <= e.checkpoints and e.period or e.last
      local fault = rng:exponential(mean)
      while fault < length do
        clock = clock + fault + task.downtime
        fault = rng:exponential(mean)
        while fault < task.recovery do
          clock = clock + fault + task.downtime
          fault = rng:exponential(mean)
        end
        clock = clock + task.recovery
        fault = rng:exponential(mean)
      end
      clock = clock + length
    end
    return clock
  end

  it("is the mean of simulated executions #long", function()
    local rng, misses, count = orrery.random(17), 0, 0
    for _, length in ipairs { 0.3, 3, 10 } do -- all in multiples of the mean time between faults
      for _, cost in ipairs { 1e-4, 0.01, 0.1, 1 } do
        for _, times in ipairs { { 0, 0 }, { 0, 0.05 }, { 0.1, 0.02 }, { 1, 0.8 } } do
          for _, alpha in ipairs { 1, 0.13 } do
            local procs, mu = rng:integer(1, 8), 10 ^ rng:uniform(-2, 8)
            local task = { time = length * mu, procs = procs, mtbf = mu * procs,
              checkpoint = cost * mu, downtime = times[1] * mu, recovery = times[2] * mu,
              daly = count % 2 }
            local e = native.expected(task, alpha)
            local samples = {}
            for i = 1, 1000 do samples[i] = execute(rng, e, task) end
            local s = orrery.summary(samples)
            local distance = math.abs(s.mean - e.time) / s.half_width
            count = count + 1
            assert.is_true(distance < 2.2)
            if distance > 1 then misses = misses + 1 end
          end
        end
      end
    end
    assert.equal(96, count)
    assert.is_true(misses <= 12) -- 5 expected
  end)

  it("is the work and the checkpoints where faults hardly come", function()
    for power = 12, 308 do
      local mtbf = 10.0 ^ power
      -- so cheap a checkpoint that there are about 20
      local task = { time = 1000, procs = 4, mtbf = mtbf, checkpoint = 50 * 50 * 2 / mtbf,
        downtime = 60, recovery = 10 }
      local e = native.expected(task, 0.7)
      assert.is_true(e.checkpoints > 5)
      near(700 + e.checkpoints * e.checkpoint, e.time, 1e-15 + 2000 * e.rate)
      task.checkpoint = 50
      near(700, native.expected(task, 0.7).time, 1e-15 + 2000 * e.rate)
    end
    local rare = { time = 1000, procs = 1, mtbf = 1.7e308, checkpoint = 1, downtime = 60 }
    near(700, native.expected(rare, 0.7).time)
    near(1e-12, native.expected(rare, 1e-15).time)
  end)

  it("goes to the limit where alpha or the checkpoint vanish", function()
    local free = { time = 50, procs = 2, mtbf = 200, checkpoint = 0, recovery = 3, downtime = 5 }
    local rate_of_time = math.exp(0.03) * 105 * 0.01
    for _, alpha in ipairs { 1, 0.3, 1e-9, 1e-300, 0 } do
      local e = native.expected(free, alpha)
      near(rate_of_time * alpha * 50, e.time)
      assert.same({ 0, 0 }, { e.period, e.last })
      assert.equal(alpha > 0 and math.huge or 0, e.checkpoints)
      near(alpha * 50, e.finish)
    end
    for power = -320, -12, 4 do
      free.checkpoint = 10.0 ^ power
      near(rate_of_time * 50, native.expected(free, 1).time, 1e-14 + 2 * free.checkpoint ^ 0.5)
    end
    for _, alpha in ipairs { 1e-4, 1e-9, 1e-100, 1e-300 } do
      near(rate_of_time * alpha * 50, native.expected(by_hand, alpha).time, alpha * 50 + 1e-14)
    end
    assert.equal(0, native.expected(by_hand, 0).time)
    free.checkpoint = 0
    assert.equal(0.5, native.expected(free, 1, 25).left)
    assert.equal(0.5, native.expected(free, 1, 25).left_struck)
    assert.equal(1, native.expected(free, 1, 0).left_struck)
  end)

  it("is the plain time in the fault-free context, where nothing costs anything", function()
    local task = { time = 50, procs = 2, mtbf = math.huge, checkpoint = 2, recovery = 3,
      downtime = 5 }
    local e = native.expected(task, 0.3, 5, 100)
    assert.same({ 15, 0, 15, 115, math.huge, 0, 0 }, { e.time, e.checkpoints, e.last, e.finish,
      e.period, e.checkpoint, e.recovery })
    assert.same({ 0.3 - 0.1, 0.3 }, { e.left, e.left_struck })
    assert.equal(0, native.checkpoint_cost({ mtbf = math.huge, fixed = 3 }, 100, 4))
  end)

  it("is infinity, never nan, where no period ends; and grows with the work", function()
    local values = { 0, 5e-324, 1e-300, 1e-12, 1, 1e5, 1e100, 1e300 }
    local infinite = 0
    for _, mtbf in ipairs { 5e-324, 1e-308, 1e-300, 1e-9, 1, 1e9, 1e100, 1e300, math.huge } do
      for _, checkpoint in ipairs(values) do
        for _, recovery in ipairs { 0, 1, 1e300 } do
          for daly = 0, 1 do
            local task = { time = 1e4, procs = 8, mtbf = mtbf, checkpoint = checkpoint,
              recovery = recovery, daly = daly, downtime = 10 * daly }
            local before = -1
            for _, alpha in ipairs { 0, 1e-300, 1e-12, 0.1, 0.5, 1 } do
              local e = native.expected(task, alpha, alpha * 1e4)
              for _, value in pairs(e) do
                assert.is_true(value == value and value >= 0) -- not nan
              end
              assert.is_true(e.left <= alpha and e.left_struck >= e.left * (1 - 1e-15))
              assert.is_true(e.time >= before and (alpha > 0 or e.time == 0))
              before = e.time
            end
            if before == math.huge then infinite = infinite + 1 end
          end
        end
      end
    end
    assert.is_true(infinite > 50)
    assert.equal(math.huge, native.expected({ time = 1e4, mtbf = 1, checkpoint = 800 }, 1).time)
  end)
end)

describe("the period", function()
  -- What a second of work costs with w of it between two checkpoints.
  local function price(w, checkpoint, mu)
    return (math.exp((w + checkpoint) / mu) - 1) / w
  end

  it("is Young's, or Daly's for a checkpoint below 2 mu, worked by hand", function()
    local task = { time = 50, procs = 2, mtbf = 200, checkpoint = 2, daly = 1 }
    near(20 * (1 + 0.1 / 3 + 0.01 / 9), native.expected(task).period)
    task.checkpoint = 199
    assert.is_true(native.expected(task).work > 80)
    task.checkpoint = 200
    near(300, native.expected(task).period)
    near(100, native.expected(task).work)
    task.daly = 0
    near(400, native.expected(task).period)
  end)

  it("of Daly is the better one, and near the best there is", function()
    for power = -6, -0.5, 0.25 do
      local mu = 1000
      local checkpoint = mu * 10 ^ power
      local task = { procs = 1, mtbf = mu, checkpoint = checkpoint }
      local young = price(native.expected(task).work, checkpoint, mu)
      task.daly = 1
      local work = native.expected(task).work
      local daly, best = price(work, checkpoint, mu), math.huge
      for i = 1, 400 do best = math.min(best, price(work * (0.5 + i / 400), checkpoint, mu)) end
      assert.is_true(daly < young)
      assert.is_true(daly < best * (1 + 1e-3))
    end
  end)
end)

describe("a checkpoint", function()
  it("costs c m / j + C0", function()
    assert.equal(0.25 * 1000 / 8 + 3, native.checkpoint_cost({ unit = 0.25, fixed = 3 }, 1000, 8))
  end)
end)

describe("a redistribution", function()
  it("worked by hand", function()
    local platform = { startup = 3, latency = 0.5, bandwidth = 10 }
    for _, case in ipairs {
      { 4, 6, 4, 3 + 4 * (1200 / 240 + 0.5) }, { 6, 4, 4, 25 },
      { 2, 10, 8, 3 + 8 * (1200 / 200 + 0.5) }, { 10, 2, 8, 55 },
      { 2, 4, 2, 3 + 2 * (15 + 0.5) }, { 6, 6, 0, 0 }, { 2, 1000000, 999998 },
    } do
      local cost, in_turn = native.redistribution(platform, 1200, case[1], case[2])
      assert.equal(case[3], in_turn)
      if case[4] then near(case[4], cost) end
    end
    platform.bandwidth = math.huge
    assert.equal(3 + 4 * 0.5, (native.redistribution(platform, 1200, 4, 6)))
  end)

  it("takes as many rounds as its busiest processor has messages, in either direction", function()
    for from = 2, 40, 2 do
      for to = 2, 40, 2 do
        -- every one of the processors that stay exchanges a message with every one that comes or
        -- goes; no two messages of a round have an end in common
        local stay, move = math.min(from, to), math.abs(from - to)
        local cost, in_turn = native.redistribution({}, 1, from, to)
        assert.equal(move == 0 and 0 or math.max(stay, move), in_turn)
        near(in_turn / (from * to), cost)
      end
    end
  end)
end)
