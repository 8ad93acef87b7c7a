-- Sources of faults. The tests of distributions are Kolmogorov's and Pearson's with fixed seeds, at
-- limits that a right source exceeds once in a thousand seeds.
local random = require "native_random"
local forms = require "spec.support.laws"
local native = require "native_faults"
local rounds = require "spec.support.rounds"
local temporary = require "spec.support.temporary"

local kolmogorov, exponential_law = forms.kolmogorov, forms.exponential
local weibull_law, lognormal_law = forms.weibull, forms.lognormal

local function source(fields)
  return assert(native.source(fields))
end

local function started(fields, run)
  local s = source(fields)
  assert.is_true(s:reset(fields.seed or 1, fields.set or 0, run or 1))
  return s
end

-- What a renewal source has to give: the processors' gaps, summed and merged the plain way.
local function merged(s, procs, count)
  local due, gaps, times, processors = {}, {}, {}, {}
  for i = 0, procs - 1 do
    due[i], gaps[i] = s:gap(i, 0), 1
  end
  for k = 1, count do
    local first = 0
    for i = 1, procs - 1 do
      if due[i] < due[first] then first = i end
    end
    times[k], processors[k] = due[first], first
    due[first] = due[first] + s:gap(first, gaps[first])
    gaps[first] = gaps[first] + 1
  end
  return times, processors
end

describe("exponential faults", function()
  local procs, mtbf, count = 50, 1000, 40000
  local times, processors = started({ law = "exponential", procs = procs, mtbf = mtbf }):take(count)

  it("come as a Poisson process of rate procs / mtbf", function()
    local gaps, windows = {}, {}
    for i, time in ipairs(times) do
      gaps[i] = time - (times[i - 1] or 0)
      local window = 1 + time // 100
      windows[window] = (windows[window] or 0) + 1
    end
    assert.is_true(kolmogorov(gaps, exponential_law(mtbf / procs)) < 1.95)
    -- the counts of windows of 5 expected faults: variance = mean
    local n = #windows - 1
    local sum, squares = 0, 0
    for i = 1, n do
      local x = windows[i] or 0
      sum, squares = sum + x, squares + x * x
    end
    local mean, variance = sum / n, (squares - sum * sum / n) / (n - 1)
    assert.is_true(math.abs(mean - 5) < 3.3 * math.sqrt(5 / n))
    assert.is_true(math.abs(variance / mean - 1) < 3.3 * math.sqrt(2 / n))
  end)

  it("hit every processor alike", function()
    local hits, chi = {}, 0
    for i = 0, procs - 1 do hits[i] = 0 end
    for _, i in ipairs(processors) do hits[i] = hits[i] + 1 end
    for i = 0, procs - 1 do chi = chi + (hits[i] - count / procs) ^ 2 / (count / procs) end
    assert.is_true(chi > 23.98 and chi < 85.35) -- 49 degrees of freedom, 0.1% on either side
  end)

  it("come in gaps of mean mtbf on each processor", function()
    local last, gaps = {}, {}
    for k, i in ipairs(processors) do
      gaps[#gaps + 1] = times[k] - (last[i] or 0)
      last[i] = times[k]
    end
    assert.is_true(kolmogorov(gaps, exponential_law(mtbf)) < 1.95)
  end)

  it("allocate nothing", function()
    local s = started { law = "exponential", procs = 1000000, mtbf = 1 }
    local before = s:allocations()
    s:take(1000)
    s:reset(1, 0, 2)
    assert.equal(before, s:allocations())
  end)
end)

describe("renewal faults", function()
  for _, case in ipairs {
    { "weibull", 0.5, weibull_law }, { "weibull", 1, weibull_law }, { "weibull", 3, weibull_law },
    { "lognormal", 0.3, lognormal_law }, { "lognormal", 1.2, lognormal_law },
  } do
    local law, shape, make = table.unpack(case)
    it(("have gaps of the law: %s %g"):format(law, shape), function()
      local mtbf = 1e6
      local s = started { law = law, procs = 400, mtbf = mtbf, shape = shape, seed = 3 }
      local gaps, sum, squares = {}, 0, 0
      for i = 0, 399 do
        for n = 0, 49 do
          local gap = s:gap(i, n)
          gaps[#gaps + 1], sum, squares = gap, sum + gap, squares + gap * gap
        end
      end
      local n = #gaps
      local error = math.sqrt((squares / n - (sum / n) ^ 2) / n)
      assert.is_true(math.abs(sum / n - mtbf) < 3.3 * error)
      assert.is_true(kolmogorov(gaps, make(mtbf, shape)) < 1.95)
    end)
  end

  it("have gaps of the law in its tails too, to all digits", function()
    local function near(expected, found)
      assert.is_true(math.abs(found - expected) <= 2e-15 * math.abs(expected))
    end
    for _, case in ipairs {
      { 0.3, -0.52440051270804081597 }, { 0.025, -1.9599639845400542118 },
      { 1e-3, -3.0902323061678135354 }, { 1e-10, -6.3613409024040561991 },
      { 1e-100, -21.273453560965324294 }, { 1e-300, -37.047096299361199237 },
    } do
      local u, z = table.unpack(case)
      local gap = native.gap_at("lognormal", math.exp(0.5), 1, u)
      local other = native.gap_at("lognormal", math.exp(0.5), 1, 1 - u)
      near(z, math.log(gap))
      if u > 0.1 then near(-z, math.log(other)) end
    end
    near(5e-300, native.gap_at("weibull", 5, 1, 1e-300))
    near(5 * math.log(4), native.gap_at("weibull", 5, 1, 0.75))
    near(math.sqrt(math.log(4)), native.gap_at("weibull", math.sqrt(math.pi) / 2, 2, 0.75))
    assert.equal(math.huge, (native.gap_at("weibull", 5, 1, 1)))
    assert.equal(math.huge, (native.gap_at("lognormal", 5, 1, 1)))
  end)

  it("are looked for a little further than they are", function()
    local rng = random(8)
    for _ = 1, rounds(20000, 20000, 2500) do
      local law = rng:uniform() < 0.5 and "weibull" or "lognormal"
      local shape, u = 10 ^ rng:uniform(-1.5, 3), 10 ^ rng:uniform(-20, 0)
      local gap, share = native.gap_at(law, 3e9, shape, u)
      if gap > 1e-300 then
        assert.is_true(share >= u)
        assert.is_true(share <= u * (1 + 1e-4))
      end
    end
  end)

  it("are the sums of every processor's gaps, whatever the windows", function()
    for _, case in ipairs {
      { "weibull", 0.1 }, { "weibull", 0.7 }, { "weibull", 1 }, { "weibull", 20 },
      { "weibull", 1e6 }, { "weibull", 3e15 }, { "lognormal", 1e-6 }, { "lognormal", 1e-16 },
      { "lognormal", 0.5 }, { "lognormal", 2 }, { "lognormal", 6 },
    } do
      local law, shape = table.unpack(case)
      for run, procs in ipairs { 1, 2, 17, 60 } do
        local times, processors
        for _, window in ipairs { 1, 2, 5, 30, 1000000 } do
          local fields = { law = law, procs = procs, mtbf = 3e9, shape = shape, window = window }
          local s = started(fields, run)
          if not times then times, processors = merged(s, procs, 400) end
          local found_times, found_processors = s:take(400)
          assert.same(times, found_times)
          assert.same(processors, found_processors)
        end
      end
    end
  end)

  it("of a processor do not depend on how many others there are", function()
    local function of_first(procs)
      local times, found = {}, {}
      local s = started { law = "weibull", procs = procs, mtbf = 100, shape = 0.7 }
      local all_times, all = s:take(200 * procs, 1500)
      for k, i in ipairs(all) do
        if i < 5 then
          times[#times + 1], found[#found + 1] = all_times[k], i
        end
      end
      return { times, found }
    end
    local few = of_first(5)
    assert.is_true(#few[1] > 40)
    assert.same(few, of_first(300))
  end)

  it("at one instant come in order of processor", function()
    -- so steep that every gap is the mean
    for _, window in ipairs { 1, 7, 100 } do
      local s = started { law = "weibull", procs = 30, mtbf = 8, shape = 1e18, window = window }
      for instant = 1, 3 do
        local times, processors = s:take(30)
        for i = 1, 30 do
          assert.equal(8 * instant, times[i])
          assert.equal(i - 1, processors[i])
        end
      end
    end
  end)

  it("are no trouble for a million processors", function()
    local procs, mtbf = 1000000, 100 * 365 * 86400
    local s = started { law = "weibull", procs = procs, mtbf = mtbf, shape = 0.7, seed = 9 }
    local times, processors = s:take(3000)
    local first, again = {}, 0
    for k, i in ipairs(processors) do
      assert.is_true(k == 1 or times[k] >= times[k - 1])
      if first[i] then again = again + 1 else first[i] = times[k] end
    end
    local early, last = 0, times[#times]
    for i = 0, procs - 1 do
      local gap = s:gap(i, 0)
      if gap <= last then
        early = early + 1
        assert.equal(gap, first[i])
      end
    end
    assert.equal(3000, early + again)
    assert.equal(0, s:destroy())
  end)
end)

describe("a source of faults", function()
  local laws = {
    { law = "exponential", procs = 20, mtbf = 100 },
    { law = "weibull", procs = 20, mtbf = 100, shape = 0.6, window = 3 },
    { law = "lognormal", procs = 20, mtbf = 100, shape = 1, window = 3 },
    { law = "log", procs = 20, log = {
      { time = 0, processor = 19 }, { time = 2.5, processor = 0 }, { time = 2.5, task = 3 },
      { time = 7, processor = 19 }, { time = 8, processor = 1 },
    } },
  }

  for _, fields in ipairs(laws) do
    it("stands before its first fault after a reset, and repeats it: " .. fields.law, function()
      local s = source(fields)
      assert.same({ math.huge, -1, -1 }, { s:peek() })
      assert.is_true(s:reset(1, 2, 3))
      local first = { s:peek() }
      assert.is_true(first[1] < math.huge)
      assert.same(first, { s:peek() })
      local all = { s:take(50) }
      assert.equal(first[1], all[1][1])
      assert.is_true(s:reset(1, 2, 3))
      assert.same(all, { s:take(50) })
    end)

    it("gives its copy the same future, and its own: " .. fields.law, function()
      for taken = 0, 30, 5 do
        local s = started(fields)
        s:take(taken)
        local copy = s:copy()
        local of_copy = { copy:take(60) }
        assert.same(of_copy, { s:take(60) })
        copy:reset(1, 0, 1)
        s:reset(1, 0, 1)
        assert.same({ s:take(60) }, { copy:take(60) })
      end
    end)

    it("fails cleanly wherever memory ends: " .. fields.law, function()
      local n = 1
      repeat
        local starved = { fail_at = n }
        for key, value in pairs(fields) do starved[key] = value end
        local s, message, status, bytes = native.source(starved)
        if not s then
          assert.same({ 1, 0 }, { status, bytes })
          assert.matches("memory", message, 1, true)
        end
        n = n + 1
      until s
      assert.is_true(n > 2)
      local s = started(fields)
      n = 1
      repeat
        local copy, _, status, bytes = s:copy(n)
        if not copy then assert.same({ 1, 0 }, { status, bytes }) end
        n = n + 1
      until copy
      assert.is_true(n > 2)
    end)
  end

  it("has other faults in another run, set or with another seed", function()
    for _, fields in ipairs { laws[1], laws[2], laws[3] } do
      local seen = {}
      for seed = 1, 3 do
        for set = 0, 2 do
          for run = 1, 3 do
            fields.seed, fields.set = seed, set
            local time = started(fields, run):peek()
            assert.is_nil(seen[time])
            seen[time] = true
          end
        end
      end
      fields.seed, fields.set = nil, nil
    end
  end)

  it("gives a log as it is, to the end", function()
    local s = started(laws[4])
    assert.same({ 0, 19, -1 }, { s:peek() })
    s:take(2)
    assert.same({ 2.5, -1, 3 }, { s:peek() })
    assert.same({ { 2.5, 7, 8 }, { 3, 19, 1 } }, { s:take(9) })
    assert.same({ math.huge, -1, -1 }, { s:peek() })
    assert.same({ {}, {} }, { s:take(1) })
  end)

  it("that grows has the faults of the others as before, and those of the new ones from then on",
    function()
      for _, law in ipairs { "exponential", "weibull", "lognormal" } do
        local fields = { law = law, procs = 20, mtbf = 1000, shape = 1.5 }
        local count, least, sum, grown, plain = 0, math.huge, 0, started(fields), started(fields)
        local before = #grown:take(1e6, 500)
        assert.equal(before, #plain:take(1e6, 500))
        assert.is_true(grown:grow(20, 500))
        local times, processors = grown:take(1e6, 40500)
        local old = { {}, {} }
        for i, processor in ipairs(processors) do
          if processor < 20 then
            table.insert(old[1], times[i])
            table.insert(old[2], processor)
          else
            count, least, sum = count + 1, math.min(least, times[i]), sum + processor
          end
        end
        assert.same({ plain:take(1e6, 40500) }, old)
        assert.is_true(math.abs(count - 800) < 3.3 * math.sqrt(800), law .. count) -- 20 x 40
        assert.is_true(least >= 500 and least < 1000, law .. least)
        assert.is_true(math.abs(sum / count - 29.5) < 1, law)
        -- after a reset all are one machine, new at 0; or only the first remain
        fields.procs = 40
        assert.is_true(grown:reset(1, 0, 1))
        assert.same({ started(fields):take(300) }, { grown:take(300) })
        assert.is_true(grown:keep(20) and grown:reset(1, 0, 1))
        fields.procs = 20
        assert.same({ started(fields):take(300) }, { grown:take(300) })
        assert.is_true(grown:keep(30) and grown:reset(1, 0, 1))
        assert.same({ started(fields):take(300) }, { grown:take(300) })
      end
    end)

  it("without faults has none", function()
    for _, fields in ipairs {
      { law = "none" }, { law = "log", log = {} }, { law = "exponential", mtbf = math.huge },
      { law = "weibull", mtbf = math.huge }, { law = "lognormal", mtbf = math.huge },
    } do
      fields.procs = 3
      local s = started(fields)
      assert.same({ math.huge, -1, -1 }, { s:peek() })
      assert.same({ { {}, {} }, { math.huge, -1, -1 } }, { { s:take(5) }, { s:peek() } })
      assert.same({ math.huge, -1, -1 }, { s:copy():peek() })
    end
  end)

  it("says when its window finds no memory, and works after that", function()
    -- all faults fall into one window, which outgrows its calendar
    local fields = { law = "weibull", procs = 1000, mtbf = 50, shape = 200, fail_at = 6 }
    local s = source(fields)
    local ok, message, status = s:reset(1, 0, 1)
    if ok then ok, message, status = s:take(2000) end
    assert.same({ nil, 1 }, { ok, status })
    assert.matches("memory", message, 1, true)
    assert.is_true(s:reset(1, 0, 1))
    fields.fail_at = 0
    assert.same({ started(fields):take(2000) }, { s:take(2000) })
  end)

  it("refuses numbers out of range", function()
    for message, fields in pairs {
      ["faults need at least 1 processor, not 0"] = { law = "none", procs = 0 },
      ["mtbf must be > 0, it is 0"] = { law = "exponential", mtbf = 0 },
      ["mtbf must be > 0, it is -1"] = { law = "weibull", mtbf = -1 },
      ["shape must be a finite number > 0, it is 0"] = { law = "weibull", mtbf = 5, shape = 0 },
      ["shape must be a finite number > 0, it is inf"] =
        { law = "lognormal", mtbf = 5, shape = math.huge },
      ["shape 0.001 makes no law with a mean of 5 s"] =
        { law = "weibull", mtbf = 5, shape = 0.001 },
      ["fault 1: its time must be finite and at least 0, it is -1"] =
        { law = "log", log = { { time = -1, processor = 0 } } },
      ["fault 2: its time must be finite and at least 3, it is 2.5"] =
        { law = "log", log = { { time = 3, processor = 0 }, { time = 2.5, task = 0 } } },
      ["fault 1: its time must be finite and at least 0, it is inf"] =
        { law = "log", log = { { time = math.huge, processor = 0 } } },
      ["fault 1: either its processor or its task must be given"] =
        { law = "log", log = { { time = 3, processor = 0, task = 0 } } },
      ["fault 2: either its processor or its task must be given"] =
        { law = "log", log = { { time = 3, task = 0 }, { time = 3 } } },
      ["fault 1: processor 4 is not among 0 to 3"] =
        { law = "log", procs = 4, log = { { time = 3, processor = 4 } } },
    } do
      assert.same({ nil, message, 2, 0 }, { native.source(fields) })
    end
    local nan = { native.source { law = "exponential", mtbf = 0 / 0 } }
    assert.equal(2, nan[3])
  end)
end)

describe("a log of faults where there are no tasks", function()
  it("names processors", function()
    temporary.file("FILE", "processor,time\n3,1.5\n0,2\n", function(path)
      assert.same({ { 1.5, 3, -1 }, { 2, 0, -1 } }, (native.read(path, nil, 4)))
    end)
  end)

  it("cannot name a task", function()
    temporary.file("FILE", "time,task\n1,a\n", function(path)
      local log, message = native.read(path, nil, 4)
      assert.is_nil(log)
      assert.equal("a fault log has the columns time and processor; the first line has: time, task",
        message:match("a fault log.*"))
    end)
  end)
end)

describe("the seeds of the tests above", function()
  it("are not what makes them pass: the tests reject laws that are a little wrong", function()
    local rng, gaps = random(4), {}
    for i = 1, 20000 do gaps[i] = rng:weibull(1.05, 100) end
    assert.is_true(kolmogorov(gaps, exponential_law(100 * forms.gamma(1 + 1 / 1.05))) > 1.95)
  end)
end)
