-- Slices: jobs in parts of equal length, the first jobs of each left out of metrics.
local orrery = require "orrery"

local DAY = 86400

local function ids(jobs)
  local list = {}
  for i, job in jobs:each() do list[i] = job.id end
  return table.concat(list, " ")
end

local function log_of(rows)
  local list = {}
  for i, row in ipairs(rows) do
    list[i] = { id = row[1], submit = row[2], procs = row[3] or 1, runtime = row[4] or 60 }
  end
  return orrery.jobs(list)
end

describe("slices, worked by hand", function()
  -- Two days each, from 1000 s on: 1000-173800, 173800-346600. The last submission is on the fifth
  -- day, which fills no slice.
  local log = log_of { { "c", 90000, 2, 600 }, { "a", 1000, 1, 600 }, { "d", 173799 },
    { "b", 1000, 2, 60 }, { "f", 200000, 2, 60 }, { "e", 173800 }, { "g", 346600 } }

  it("are jobs by submission, and begin where the one before ends", function()
    local slices = log:slices { days = 2 }
    assert.equal(2, #slices)
    assert.same({ "a b c d", "e f" }, { ids(slices[1].jobs), ids(slices[2].jobs) })
    assert.same({ 1, 2, 0 }, { slices[1].name, slices[2].name, slices[1].jobs.warmup_jobs })
    local days = log:slices { days = 1 } -- the fourth has no jobs
    assert.same({ "a b", "c d", "e f", "g" },
      { ids(days[1].jobs), ids(days[2].jobs), ids(days[3].jobs), ids(days[4].jobs) })
    assert.same({ 3, 5 }, { days[3].name, days[4].name })
    assert.equal("a b c d e f g", ids(log:slices({ days = 5 })[1].jobs))
  end)

  it("simulate the warm-up, and leave it out of metrics", function()
    -- On 2 processors a runs until 1600, and b waits for it until 1600 and ends at 1660.
    local slice = log:slices({ days = 2, warmup_jobs = 1 })[1].jobs
    local spec = { jobs = slice, procs = 2, policy = "dispatch/fcfs" }
    local m = orrery.compare(spec).sets[1].metrics:scenario(1, 1)
    assert.equal(200, m.wait_mean) -- of b, c and d: 600, 0, 0
    assert.equal(600, m.wait_max)
    assert.equal(4, m.starts)
    assert.equal(173799 + 60 - 1000, m.makespan)
    -- held from 1000, when b comes, to 173799, when d comes: a 600, b 2 * 60, c 2 * 600
    assert.near((600 + 120 + 1200) / (2 * (173799 - 1000)), m.utilisation, 1e-15)
    -- with both that come first the window begins at 90000
    spec.jobs = log:between(0, 173800):slices({ days = 2, warmup_jobs = 2 })[1].jobs
    m = orrery.compare(spec).sets[1].metrics:scenario(1, 1)
    assert.equal(0, m.wait_mean)
    assert.near(1200 / (2 * (173799 - 90000)), m.utilisation, 1e-15)
    assert.equal(0, orrery.session(spec):finish().wait_mean)
    -- all at once: the warm-up is left out, and there is no window
    spec.batch = true
    m = orrery.compare(spec).sets[1].metrics:scenario(1, 1)
    assert.same({ (660 + 1260) / 2, 1320 }, { m.wait_mean, m.makespan })
  end)

  it("are the sets of a comparison, named after their days", function()
    local lublin = orrery.lublin { procs = 64, days = 4, load = 0.6 }
    local slices = lublin:slices { days = 2, warmup_jobs = 16 }
    assert.same({ "2024-01-01", "2024-01-03" }, { slices[1].name, slices[2].name })
    local result = orrery.compare { sets = slices, policies = { "easy", "fcfs" } }
    assert.matches("in 2 sets on 64 processors", tostring(result))
    assert.equal(#slices[1].jobs, result.sets[1].count)
  end)

  it("keep their warm-up in what is made of them", function()
    local slice = log:slices({ days = 5, warmup_jobs = 3 })[1].jobs
    assert.equal(3, slice:load(2).warmup_jobs)
    assert.equal(3, slice:user_estimates().warmup_jobs)
    assert.equal(2, slice:filter(function(job) return job.id ~= "b" end).warmup_jobs)
    assert.equal(0, slice:between(173800, 1e9).warmup_jobs)
    assert.equal(0, log.warmup_jobs)
    local s = orrery.session { jobs = slice, procs = 2 }
    s:change { submit = { id = "h", submit = 400000, procs = 1, runtime = 60 } }
    assert.equal(0, s:finish().wait_mean) -- of d to h; b waited
  end)
end)

-- --- a simple implementation -------------------------------------------------------------------

local function naive_slices(jobs, days)
  local list, first, last = {}, math.huge, -math.huge
  for i, job in jobs:each() do
    list[i] = { job.submit, i, job.id }
    first, last = math.min(first, job.submit), math.max(last, job.submit)
  end
  table.sort(list, function(a, b)
    if a[1] ~= b[1] then return a[1] < b[1] end
    return a[2] < b[2]
  end)
  local slices, whole = {}, ((last - first) // DAY + 1) // days
  for number = 0, whole - 1 do
    local found = {}
    for _, one in ipairs(list) do
      local day = (one[1] - first) // DAY
      if day >= number * days and day < (number + 1) * days then found[#found + 1] = one[3] end
    end
    if #found > 0 then slices[#slices + 1] = table.concat(found, " ") end
  end
  return slices
end

local function random_log(seed)
  local rng, rows = orrery.random { seed = seed, entity = 41 }, {}
  local days = rng:integer(1, 40)
  for i = 1, rng:integer(1, 60) do
    local submit = rng:uniform(500, 500 + days * DAY)
    if rng:uniform() < 0.3 then submit = 500 + DAY * rng:integer(0, days) end
    if rng:uniform() < 0.1 then submit = 500 end
    rows[i] = { "j" .. i, submit, rng:integer(1, 4), rng:uniform(1, 40000) }
  end
  return log_of(rows)
end

describe("slices", function()
  it("have the jobs of a simple implementation", function()
    for seed = 1, 300 do
      local log = random_log(seed)
      local days = seed % 9 + 1
      local expected, found = naive_slices(log, days), {}
      local ok, slices = pcall(log.slices, log, { days = days })
      for i, slice in ipairs(ok and slices or {}) do found[i] = ids(slice.jobs) end
      assert.same(expected, found)
      assert.equal(#expected > 0, ok)
    end
  end)

  it("have the metrics of all their jobs but the first", function()
    for seed = 1, 60 do
      local warmup = seed % 4
      local ok, slices = pcall(function()
        return random_log(seed):slices { days = 20, warmup_jobs = warmup }
      end)
      for _, slice in ipairs(ok and slices or {}) do
        local result = orrery.compare { jobs = slice.jobs, procs = 4,
          policies = { "easy", "greedy" }, quantiles = true }
        for policy = 1, 2 do
          local sum, most, count = 0, 0, 0
          for i, wait in ipairs(result:jobs(policy, "wait")) do
            if i > warmup then sum, most, count = sum + wait, math.max(most, wait), count + 1 end
          end
          assert.near(sum / count, result:values(policy, "wait_mean")[1], 1e-9 * (1 + sum))
          assert.equal(most, result:values(policy, "wait_max")[1])
        end
        local whole = orrery.compare { jobs = slice.jobs:filter(function() return true end),
          procs = 4, policies = { "easy" } }
        assert.equal(result:values(1, "bsld_mean")[1], whole:values(1, "bsld_mean")[1])
      end
    end
  end)

  it("weigh no week with jobs of the warm-up", function()
    local jobs = orrery.lublin { procs = 64, days = 15, load = 0.9 }
    local slice = jobs:slices({ days = 15, warmup_jobs = 100 })[1].jobs
    local result = orrery.compare { jobs = slice, policies = { "fcfs", "easy" } }
    local weekly = result:weekly(1, 2, "wait_mean")
    assert.near(result:difference(1, 2, "wait_mean").mean, weekly.mean,
      1e-9 * math.abs(weekly.mean))
  end)

  it("refuse bad options", function()
    local log = log_of { { "a", 0 }, { "b", 100 }, { "c", 3 * DAY } }
    for message, options in pairs {
      ["slices: expected days, the length of a slice"] = {},
      ["slices: days must be between 1 and 2147483647, it is 0"] = { days = 0 },
      ["slices: days must be a whole number, it is 1.5"] = { days = 1.5 },
      ['slices: days must be a whole number, it is "2"'] = { days = "2" },
      ["slices: warmup_jobs must be between 0 and 2147483647, it is -1"] = {
        days = 1, warmup_jobs = -1 },
      ["slices: slice 1 has 2 jobs, and the first 2 are for the warm-up"] = {
        days = 1, warmup_jobs = 2 },
      ["slices: slice 4 has 1 job, and the first 1 are for the warm-up"] = {
        days = 1, warmup_jobs = 1 },
      ["slices: the jobs come over less than 5 days"] = { days = 5 },
      ["slices: unknown option 'day' (known: days, warmup_jobs)"] = { day = 5 },
    } do
      local ok, found = pcall(function() log:slices(options) end)
      assert.is_false(ok)
      assert.equal(message, (tostring(found):gsub("^[^ ]*spec.lua:%d+: ", "")))
    end
    local slice = log:slices({ days = 4, warmup_jobs = 2 })[1].jobs
    local ok, found = pcall(orrery.compare, { procs = 1,
      jobs = slice:filter(function(job) return job.id ~= "c" end) })
    assert.is_false(ok)
    assert.matches("the 2 jobs of a slice's warm-up, a warmup of 0 s and a cooldown of 0 s leave "
      .. "no job to observe: submissions span 1.667 min", tostring(found), 1, true)
  end)
end)
