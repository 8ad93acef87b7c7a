-- Means over days and weeks of one log: their intervals, and where there is none.
local orrery = require "orrery"
local parts = require "orrery.values.parts"
local rounds = require "spec.support.rounds"

local function log(days, seed)
  return orrery.lublin { procs = 64, days = days, load = 0.7, seed = seed }
end

local function compare(jobs, by, policies)
  return orrery.compare { jobs = jobs, procs = 64, by = by, policies = policies }
end

local function ones(n)
  local list = {}
  for i = 1, n do list[i] = 1 end
  return list
end

describe("the interval of a mean over parts of a log", function()
  it("is that of blocks in order of time", function()
    local rng = orrery.random(1)
    for by, least in pairs { day = 28, week = 8 } do
      for _, n in ipairs { 1, 2, least - 1, least, 40 } do
        local list = {}
        for i = 1, n do list[i] = rng:exponential(1) end
        local low, high, half = parts.ends(by, list, 0.9)
        if n < least then
          assert.is_true(half ~= half and low ~= low and high ~= high)
        else
          local found = orrery.series_mean(list, ones(n), 0.9)
          assert.same({ found.low, found.high }, { low, high })
          assert.equal(math.max(found.high - found.mean, found.mean - found.low), half)
        end
      end
    end
  end)

  it("is that of results, of their differences, and of what is significant", function()
    local policies = { "easy", "greedy", "fcfs" }
    for _, case in ipairs { { 30, "day" }, { 182, "week" } } do
      local result = compare(log(case[1]), case[2], policies)
      local list, marks = result:differences "wait_mean", {}
      for i = 1, 3 do
        local a, b = result:set_means(1, "wait_mean"), result:set_means(i, "wait_mean")
        local own, mean = result:summary(i, "wait_mean"), orrery.series_mean(b, ones(#b))
        assert.same({ mean.low, mean.high }, { own.low, own.high })
        assert.near(math.max(own.high - own.mean, own.mean - own.low), own.half_width, 1e-9)
        for s, value in ipairs(a) do b[s] = b[s] - value end
        if i > 1 then
          local found = orrery.series_mean(b, ones(#b))
          assert.near(found.mean, list[i].mean, 1e-9)
          assert.near(found.low, list[i].low, 1e-6)
          assert.near(found.high, list[i].high, 1e-6)
          assert.equal(found.significant, result:difference(1, i, "wait_mean").significant)
          marks[i] = orrery.series_mean(b, ones(#b), 0.975).significant
          assert.is_true(list[i].significant or not marks[i])
          assert.is_true(list[i].rank_p ~= list[i].rank_p and not list[i].rank_significant)
        end
      end
      assert.is_true(marks[2] or marks[3] or case[2] == "day")
      -- a single set has its scenarios
      assert.is_true(result:summary(1, "wait_mean", 1).half_width ~= 0)
    end
  end)

  it("is none, with no star, where they are few, and that is said", function()
    for _, case in ipairs { { 5, "day", "5 days of a log are too few for an interval" },
      { 30, "week", "4 weeks of a log are too few for an interval" } } do
      local result = compare(log(case[1]), case[2], { "easy", "fcfs" })
      local s, d = result:summary(1), result:differences()[2]
      assert.is_true(s.half_width ~= s.half_width and d.half_width ~= d.half_width)
      assert.is_true(d.sd > 0 and not d.significant)
      local text = tostring(result)
      assert.matches("\n" .. case[3], text, 1, true)
      assert.is_nil(text:find("[%[±]"))
      assert.is_nil(text:find(" *\n", 1, true))
      assert.is_nil(require("dkjson").decode(result:json()).policies[2].metrics.ratio.half_width)
    end
    assert.matches("\n[low, high] is the 95% interval of a mean over days; * marks",
      tostring(compare(log(30), "day", { "easy", "fcfs" })), 1, true)
  end)

  -- Weeks like those of Lublin's model: heavy-tailed. Student's interval covers less than 90% of
  -- the means of 8.
  it("covers the mean of skewed parts in 92% to 98%, where Student's does not", function()
    local samples, truth = rounds(2000, nil, 100), math.exp(0.5)
    local slack = 4 * math.sqrt(0.95 * 0.05 / samples)
    for _, n in ipairs { 8, 13, 26 } do
      local rng, hits, student, told = orrery.random(n), 0, 0, 0
      for _ = 1, samples do
        local list = {}
        for i = 1, n do list[i] = rng:lognormal(0, 1) end
        local s = orrery.summary(list)
        local low, high = parts.ends("week", list, 0.95)
        if low == low then told = told + 1 end
        if low <= truth and truth <= high then hits = hits + 1 end
        local t = math.abs(s.mean - truth) / s.sd * math.sqrt(n)
        if t <= orrery.student_quantile(0.975, n - 1) then
          student = student + 1
        end
      end
      assert.is_true(hits >= (0.92 - slack) * told and hits <= (0.98 + slack) * told,
        n .. ": " .. hits)
      assert.is_true(student < 0.92 * samples, n .. ": " .. student)
    end
  end)
end)
