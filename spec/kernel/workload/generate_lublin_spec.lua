-- The model of Lublin and Feitelson against what its definition says, computed here anew: from the
-- published constants, by summing densities.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local BATCH = { serial = 0.2927, pow2 = 0.6686, low = 1.2, med = 5, high = 7, below = 0.875,
  first = { 6.57, 0.823 }, second = { 639.1, 0.0156 }, slope = -0.003, offset = 0.6986,
  gap = { 6.0415 * 1.0519, 0.8531 }, day = { 6.1271, 5.2740 } }
local INTERACTIVE = { serial = 0.1541, pow2 = 0.625, low = 1, med = 3, high = 5.5, below = 0.705,
  first = { 3.8351, 0.6605 }, second = { 7.073, 0.6856 }, slope = -0.0118, offset = 0.9156,
  gap = { 6.5510 * 0.9797, 0.6621 }, day = { 8.9186, 3.6680 } }
local WHOLE = { serial = 0.244, pow2 = 0.576, low = 0.8, med = 4.5, high = 7, below = 0.86,
  first = { 4.2, 0.94 }, second = { 312, 0.03 }, slope = -0.0054, offset = 0.78,
  gap = { 10.2303 * 1.0225, 0.4871 }, day = { 8.1737, 3.9631 } }
local TYPES = { batch = BATCH, interactive = INTERACTIVE, whole = WHOLE }

-- The distribution function of a gamma cut off at `cap`, tabulated by the trapezoidal rule; and the
-- mean of its exponential.
local tables = {}

local function tabulate(shape, scale, cap)
  local name = ("%g %g %g"):format(shape, scale, cap)
  if tables[name] then return tables[name] end
  local steps = 20000
  local h, sums, means = cap / steps, { [0] = 0.0 }, 0.0
  local peak = (shape - 1) * scale
  local function density(x)
    return x > 0 and math.exp((shape - 1) * math.log(x / peak) - (x - peak) / scale) or 0
  end
  local before = 0
  for i = 1, steps do
    local now = density(i * h)
    sums[i] = sums[i - 1] + (before + now) / 2
    means = means + (before * math.exp((i - 1) * h) + now * math.exp(i * h)) / 2
    before = now
  end
  local function distribution(x)
    local at = math.min(math.max(x / h, 0), steps - 1e-6)
    local i = math.floor(at)
    return (sums[i] + (sums[i + 1] - sums[i]) * (at - i)) / sums[steps]
  end
  tables[name] = { distribution = distribution, mean = means / sums[steps], mass = sums[steps] * h }
  return tables[name]
end

local function mass_below(shape, scale, cap)
  local below, all = tabulate(shape, scale, cap), tabulate(shape, scale, 3 * cap)
  return below.mass / all.mass
end

-- P(ln runtime <= x) for a size, and the mean runtime.
local function runtime_law(t, procs)
  local p = math.min(math.max(t.slope * procs + t.offset, 0), 1)
  local first, second = tabulate(t.first[1], t.first[2], 12), tabulate(t.second[1], t.second[2], 12)
  -- redrawn above the cap: each part counts by what of it lies below
  local a = p * mass_below(t.first[1], t.first[2], 12)
  local b = (1 - p) * mass_below(t.second[1], t.second[2], 12)
  return function(x) return (a * first.distribution(x) + b * second.distribution(x)) / (a + b) end,
    (a * first.mean + b * second.mean) / (a + b)
end

-- sqrt(n) times the largest distance of the sample from the distribution.
local function ks(sample, distribution)
  table.sort(sample)
  local n, distance = #sample, 0
  for i, x in ipairs(sample) do
    local f = distribution(x)
    distance = math.max(distance, i / n - f, f - (i - 1) / n)
  end
  return distance * math.sqrt(n)
end

local function size_share(t, x) -- P(log2 size <= x) of parallel jobs before rounding
  local function part(low, high) return math.min(math.max((x - low) / (high - low), 0), 1) end
  return t.below * part(t.low, t.med) + (1 - t.below) * part(t.med, t.high)
end

local function collect(jobs, size)
  local list = {}
  for _, job in jobs:each() do
    if job.procs == size then list[#list + 1] = math.log(job.time + 0.5) end
  end
  return list
end

describe("the sizes of the model", function()
  for name, t in pairs(TYPES) do
    it("have the published probabilities: " .. name, function()
      local n, counts = 60000, {}
      for _, job in orrery.lublin({ types = name, count = n, seed = 3 }):each() do
        counts[job.procs] = (counts[job.procs] or 0) + 1
      end
      local most = math.tointeger(math.floor(2 ^ t.high + 0.5))
      for size in pairs(counts) do assert.is_true(size >= 1 and size <= most, size) end
      for size = 1, most do
        local log = math.log(size, 2)
        local any = size_share(t, math.log(size + 0.5, 2)) - size_share(t, math.log(size - 0.5, 2))
        local p = (1 - t.serial - t.pow2) * any + (size == 1 and t.serial or 0)
        if log % 1 == 0 then
          p = p + t.pow2 * (size_share(t, log + 0.5) - size_share(t, log - 0.5))
        end
        local found = counts[size] or 0
        assert.is_true(math.abs(found - n * p) < 4.5 * math.sqrt(n * p) + 1,
          ("%d jobs of %d processors, not about %.0f"):format(found, size, n * p))
      end
    end)
  end

  it("fit machines of any size", function()
    for _, procs in ipairs { 1, 2, 3, 5, 100, 240, 10000, 49152, 2147483647 } do
      for _, types in ipairs { "both", "whole" } do
        local most = 0
        local count = rounds(2000, 2000, 500)
        for _, job in orrery.lublin({ procs = procs, types = types, count = count }):each() do
          assert.is_true(job.procs >= 1 and job.procs <= procs)
          most = math.max(most, job.procs)
        end
        assert.is_true(most > procs / 4, procs)
      end
    end
  end)

  it("are the machine's shares: 2^k times the sizes beyond the smallest", function()
    -- sizes from med on move with the machine
    local function wide(procs, from)
      local count = 0
      for _, job in orrery.lublin({ procs = procs, types = "whole", count = 20000 }):each() do
        if job.procs > from then count = count + 1 end
      end
      return count
    end
    assert.near(wide(128, 32), wide(4096, 1024), 3) -- but for rounding
  end)
end)

describe("the runtimes of the model", function()
  it("have the mixture of their size, cut off #long", function()
    local MANY = rounds(30000, 30000, 8000)
    for _, case in ipairs { { "batch", 1 }, { "batch", 64 }, { "interactive", 1 },
      { "interactive", 16 }, { "whole", 1 }, { "whole", 32 } } do
      local sample = collect(orrery.lublin { types = case[1], count = MANY, seed = 5 }, case[2])
      assert.is_true(#sample > MANY / 60)
      local law = runtime_law(TYPES[case[1]], case[2])
      -- runtimes are whole seconds, which below 20 s are no continuous distribution
      local longer = {}
      for _, x in ipairs(sample) do if x > 3 then longer[#longer + 1] = x end end
      local below = law(math.log(20))
      local n = #sample
      local sigma = math.sqrt(n * below * (1 - below))
      assert.is_true(math.abs(n - #longer - n * below) < 4.5 * sigma + 1)
      local d = ks(longer, function(x)
        return (law(math.log(math.exp(x) + 0.5)) - below) / (1 - below)
      end)
      local rounding = 0.03 * math.sqrt(#longer)
      assert.is_true(d < 2.3 + rounding, ("%s, %d: %.2f"):format(case[1], case[2], d))
    end
  end)

  it("are long for every job of more than some 250 processors, unless scaled", function()
    local function short(options)
      local count, all = 0, 0
      for _, job in orrery.lublin(options):each() do
        if job.procs > 300 and job.procs < 3000 then
          count, all = count + (job.time < 2000 and 1 or 0), all + 1
        end
      end
      return count / all
    end
    assert.equal(0, short { procs = 10000, types = "batch", count = 20000 })
    assert.is_true(short { procs = 10000, types = "batch", count = 20000, scaled = true } > 0.3)
  end)
end)

-- What the clock of arrivals shows after so many half hours from a Monday's midnight on.
local function clock(t, week)
  local day, sum, passed, weights = {}, 0, { [0] = 0.0 }, 0
  local all = tabulate(t.day[1], t.day[2], 600)
  for i = 11, 58 do
    local weight = all.distribution(i + 0.5) - all.distribution(i - 0.5)
    day[(i - 1) % 48], sum = weight, sum + weight
  end
  for _, weight in ipairs(week) do weights = weights + weight end
  for b = 0, 335 do
    passed[b + 1] = passed[b] + day[b % 48] * 48 / sum * week[b // 48 + 1] * 7 / weights
  end
  return function(time)
    local half_hours = time / 1800
    local weeks, b = half_hours // 336, math.floor(half_hours % 336)
    return weeks * 336 + passed[b] + (passed[b + 1] - passed[b]) * (half_hours % 1)
  end
end

describe("the arrivals of the model", function()
  it("are gaps of exp(gamma) on the clock of the day and the week #long", function()
    for name, t in pairs(TYPES) do
      local week = name == "batch" and { 3, 1, 2, 1, 1, 0.5, 0.5 } or { 1, 1, 1, 1, 1, 0.9, 0.65 }
      local law = tabulate(t.gap[1], t.gap[2], 13)
      -- long gaps, of which whole seconds are small parts
      local own = orrery.lublin_means { types = name, week = week }
      local jobs = orrery.lublin { types = name, week = week, count = 5000, load = own.load / 1000 }
      local at, before, sample = clock(t, week), 0, {}
      for i, job in jobs:each() do
        local now = at(job.submit)
        sample[i], before = math.log((now - before) * 1800 / 1000 + 1e-9), now
      end
      local d = ks(sample, law.distribution)
      assert.is_true(d < 2.3, ("%s: %.2f"):format(name, d))
    end
  end)

  it("follow the day and the week #long", function()
    local jobs = orrery.lublin { types = "whole", load = 60, days = 28, seed = 4 }
    local hours, days = {}, {}
    for _, job in jobs:each() do
      local hour, day = job.submit // 21600 % 4, job.submit // 86400 % 7
      hours[hour], days[day] = (hours[hour] or 0) + 1, (days[day] or 0) + 1
    end
    local at = clock(WHOLE, { 1, 1, 1, 1, 1, 1, 1 })
    for quarter = 0, 3 do
      local share = (at((quarter + 1) * 21600) - at(quarter * 21600)) / 48
      assert.near(share, hours[quarter] / #jobs, 0.03)
    end
    for day = 0, 6 do
      local share = (day == 5 and 0.9 or day == 6 and 0.65 or 1) / 6.55
      assert.is_true(math.abs(days[day] / #jobs / share - 1) < 0.12, day)
    end
  end)

  it("leave out days without weight, whatever day is the first (by hand)", function()
    local week = { 0, 0, 1, 0, 0, 0, 0 } -- Wednesdays
    for first, wednesday in pairs { ["2024-01-01"] = 2, ["2024-01-03"] = 0, ["2024-01-04"] = 6,
      ["1969-12-29"] = 2 } do
      for _, job in orrery.lublin({ week = week, count = 500, first_day = first }):each() do
        assert.equal(wednesday, job.submit // 86400 % 7)
      end
    end
  end)

  it("come on the calendar", function()
    local jobs = orrery.lublin { days = 21, first_day = "2024-01-01" }
    assert.equal("2024-01-01 00:00:00", jobs.origin)
    assert.equal(#jobs, #jobs:week "2024-W01" + #jobs:week "2024-W02" + #jobs:week "2024-W03")
  end)
end)

describe("the means of the model", function()
  local function mean_area(t, procs)
    local shift = math.log(procs / 128, 2)
    local fitted = setmetatable({ med = t.med + shift, high = t.high + shift }, { __index = t })
    local means = {}
    local function mean(size)
      means[size] = means[size] or select(2, runtime_law(t, size))
      return size * means[size]
    end
    local sum, before = t.serial * mean(1), 0
    for size = 1, procs do
      local now = size == procs and 1 or size_share(fitted, math.log(size + 0.5, 2))
      sum = sum + (1 - t.serial - t.pow2) * (now - before) * mean(size)
      before = now
    end
    before = 0
    for k = 0, math.log(procs, 2) do
      local now = 2 ^ k == procs and 1 or size_share(fitted, k + 0.5)
      sum, before = sum + t.pow2 * (now - before) * mean(2 ^ k), now
    end
    return sum
  end

  it("are the definition's", function()
    for name, t in pairs(TYPES) do
      local means = orrery.lublin_means { types = name, procs = 64 }
      local gap = tabulate(t.gap[1], t.gap[2], 13).mean
      assert.near(1, means.gap / gap, 1e-4)
      assert.near(1, means.area / mean_area(t, 64), 1e-4)
      assert.near(1, means.load / (means.area / (64 * means.gap)), 1e-12)
    end
    local batch = orrery.lublin_means { types = "batch", procs = 1000 }
    local interactive = orrery.lublin_means { types = "interactive", procs = 1000 }
    local both = orrery.lublin_means { procs = 1000 }
    assert.near(1, 1 / (1 / batch.gap + 1 / interactive.gap) / both.gap, 1e-12)
    assert.near(1, (batch.load + interactive.load) / both.load, 1e-12)
  end)

  it("are those of many jobs", function()
    for types, procs in pairs { batch = 128, whole = 10000, interactive = 777 } do
      local means = orrery.lublin_means { types = types, procs = procs }
      local areas, gaps = {}, {}
      for seed = 1, 10 do
        local jobs = orrery.lublin { types = types, procs = procs, count = 10000, seed = seed }
        areas[seed], gaps[seed] = jobs:mean_area(), jobs[#jobs].submit / #jobs
      end
      for name, list in pairs { area = areas, gap = gaps } do
        local s = orrery.summary(list)
        assert.is_true(math.abs(s.mean - means[name]) < 4.5 * s.sd / math.sqrt(10),
          ("%s, %s: %g, not %g"):format(types, name, s.mean, means[name]))
        assert.is_true(s.sd < 0.15 * s.mean)
      end
    end
  end)

  it("give the load that was aimed at", function()
    for _, load in ipairs { 0.5, 0.9, 1.2 } do
      assert.near(load, orrery.lublin_means({ procs = 10000, load = load }).load, 1e-12)
      local jobs = orrery.lublin { procs = 10000, load = load, count = 100000, types = "batch" }
      local found = jobs:mean_area() * #jobs / (10000 * jobs[#jobs].submit)
      assert.is_true(math.abs(found / load - 1) < 0.06, found)
    end
  end)
end)

describe("a log of the model", function()
  local function text(options) return orrery.lublin(options):csv() end

  it("depends on seed and set alone, and begins with the shorter one", function()
    assert.equal(text { seed = 3, days = 5 }, text { seed = 3, days = 5 })
    assert.not_equal(text { seed = 3, days = 5 }, text { seed = 4, days = 5 })
    assert.not_equal(text { seed = 3, days = 5 }, text { seed = 3, days = 5, set = 1 })
    for seed = 1, 20 do
      local options = { procs = 500, seed = seed, load = 0.8, walltimes = "users" }
      options.days = 10
      local long = text(options)
      options.days = 3
      local short = text(options)
      assert.equal(short, long:sub(1, #short))
      options.days, options.count = nil, 50
      short = text(options)
      assert.equal(short, long:sub(1, #short))
      assert.equal(50, #orrery.lublin(options))
    end
  end)

  it("is of 30 days, in order, in whole seconds", function()
    local jobs = orrery.lublin()
    local before = 0
    for _, job in jobs:each() do
      assert.is_true(job.submit >= before and job.submit < 30 * 86400)
      assert.equal(0, job.submit % 1)
      assert.equal(0, job.time % 1)
      assert.is_true(job.time >= 1 and job.time <= 162754) -- exp(12)
      assert.is_nil(job.walltime)
      before = job.submit
    end
    assert.is_true(before > 28 * 86400)
    assert.equal(128, jobs.machine_procs)
    assert.equal(0, #orrery.lublin { days = 0 })
    assert.equal(0, #orrery.lublin { count = 0 })
  end)

  it("stays what it is", function()
    assert.equal([[
id,submit,procs,runtime,walltime,queue,machine_procs
1,94,512,15487,23231,batch,1000
2,3311,512,22987,34481,batch,1000
3,12363,64,18272,27408,batch,1000
4,12916,1,40,60,batch,1000
]], text { types = "batch", count = 4, procs = 1000, load = 0.9, seed = 2, walltimes = 1.5 })
  end)

  it("names queues after the types", function()
    local count = { batch = 0, interactive = 0 }
    for _, job in orrery.lublin({ days = 20 }):each() do
      count[job.queue] = count[job.queue] + 1
      assert.is_nil(job.user)
    end
    local batch = orrery.lublin_means { types = "batch" }
    local interactive = orrery.lublin_means { types = "interactive" }
    assert.near(interactive.gap / batch.gap, count.batch / count.interactive, 0.05)
    assert.equal("batch", orrery.lublin({ types = "batch" })[1].queue)
    assert.is_nil(orrery.lublin({ types = "whole" })[1].queue)
  end)

  it("has the walltimes that were asked for", function()
    for _, job in orrery.lublin({ count = 500, walltimes = 1.5 }):each() do
      assert.equal(math.ceil(job.time * 1.5), job.walltime)
    end
    local near, requests, different = 0, {}, 0
    for _, job in orrery.lublin({ count = 5000, walltimes = "users" }):each() do
      assert.is_true(job.walltime >= job.time and job.walltime % 300 == 0)
      assert.is_true(job.walltime <= math.max(300, 10 * job.time))
      if not requests[job.walltime] then
        requests[job.walltime], different = true, different + 1
      end
      near = near + (job.walltime < 2 * job.time and 1 or 0)
    end
    assert.is_true(different > 10 and different <= 20)
    assert.is_true(near > 100 and near < 2500)
    -- the jobs are the same with and without
    local with, without = orrery.lublin { walltimes = 2 }, orrery.lublin()
    for i, job in without:each() do
      assert.same({ job.submit, job.procs, job.time },
        { with[i].submit, with[i].procs, with[i].time })
    end
  end)

  it("refuses bad options", function()
    for message, options in pairs {
      ["procs must be >= 1, not 0"] = { procs = 0 },
      ["lublin: procs must be a whole number, it is 1.5"] = { procs = 1.5 },
      ["lublin: count must be between 0 and 2147483647, it is -1"] = { count = -1 },
      ["days must be >= 0, not -1"] = { days = -1 },
      ["endless days need a count of jobs"] = { days = math.huge },
      ["expected days or a count of at most 100000000 jobs, not of 2.15e+09"] = { days = 1e18 },
      ["expected days or a count of at most 100000000 jobs, not of 1e+09"] =
        { days = math.huge, count = 1000000000 },
      ["expected days or a count of at most 100000000 jobs, not of 2.99e+08"] =
        { days = 36500, load = 20 },
      ['lublin: days must be a number, it is "many"'] = { days = "many" },
      ["load must be above 0 and at most 100, not -0.5"] = { load = -0.5 },
      ["load must be above 0 and at most 100, not 0.0"] = { load = 0 },
      ["load must be above 0 and at most 100, not 101"] = { load = 101 },
      ['lublin: types must be one of both, batch, interactive, whole, it is "big"'] =
        { types = "big" },
      ["lublin: week must be a list of seven numbers, Monday to Sunday, or false"] =
        { week = { 1, 2 } },
      ["week must be seven weights, Monday to Sunday, >= 0 and not all 0"] =
        { week = { 0, 0, 0, 0, 0, 0, 0 } },
      ['lublin: walltimes must be "users", "tsafrir" or a factor on runtimes from 1 on, not 0.5'] =
        { walltimes = 0.5 },
      ["lublin: scaled must be true or false, not 1"] = { scaled = 1 },
      ["lublin: first_day must be a day as YYYY-MM-DD, not monday"] = { first_day = "monday" },
      ["lublin: unknown option 'nodes' (known: procs, count, days, load, week, first_day, "
        .. "walltimes, types, scaled, seed, set)"] = { nodes = 3 },
    } do
      local ok, found = pcall(function() orrery.lublin(options) end)
      assert.is_false(ok)
      assert.equal(message, (found:gsub("^[^ ]*spec.lua:%d+: ", "")))
    end
  end)
end)
