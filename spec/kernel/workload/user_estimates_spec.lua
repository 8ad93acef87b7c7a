-- Walltimes of Tsafrir's model against what READINGS 40 says, and against numbers worked by hand.
local naive = require "spec.support.naive_estimates"
local native = require "native_base"
local orrery = require "orrery"

local H = 3600
local STREAM = { 1, (1 << 32) + 2 } -- purpose, entity

-- `count` jobs; runtime(i) seconds, 1 by default.
local function jobs_of(count, runtime)
  local list = {}
  for i = 1, count do list[i] = { procs = 1, runtime = runtime and runtime(i) or 1 } end
  return orrery.jobs(list)
end

local function walltimes(jobs)
  local list = {}
  for i, job in jobs:each() do list[i] = job.walltime end
  return list
end

-- How many jobs ask for what: list of { time, jobs }, by time.
local function tally(jobs)
  local counts, list = {}, {}
  for _, time in ipairs(walltimes(jobs)) do counts[time] = (counts[time] or 0) + 1 end
  for time, count in pairs(counts) do list[#list + 1] = { time, count } end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  return list
end

local function fields(list, k)
  local found = {}
  for i, one in ipairs(list) do found[i] = one[k] end
  return found
end

describe("user estimates, worked by hand", function()
  it("are 20 popular times, of 200 jobs and 48 h", function()
    -- 15 times that all logs have, 48 h, multiples of 10 h (40, 30, 20) and of 5 h (45)
    local head = { 300, 600, 900, 1200, 1800, 1 * H, 2 * H, 3 * H, 4 * H, 5 * H, 6 * H, 8 * H,
      10 * H, 12 * H, 18 * H, 20 * H, 30 * H, 40 * H, 45 * H, 48 * H }
    local found = tally(jobs_of(200):user_estimates { longest = 48 * H })
    assert.same(head, fields(found, 1))
    -- 200 jobs have no tail. By rank, percent of 89: 21.73, 10.31, 8.71, 7.37, ...; of 200 jobs
    local counts = fields(found, 2)
    assert.equal(49, counts[20]) -- 200 * 21.7281 / 89 = 48.8
    table.sort(counts, function(a, b) return a > b end)
    assert.same({ 49, 23, 20, 17, 14, 12, 10, 9, 7, 6, 5, 5, 4, 4, 3, 3, 3, 2, 2, 2 }, counts)
  end)

  it("are other multiples where the longest is 18 h, and where it is 100 min", function()
    local found = tally(jobs_of(200):user_estimates { longest = 18 * H })
    assert.same({ 300, 600, 900, 1200, 1800, 1 * H, 2 * H, 3 * H, 4 * H, 5 * H, 6 * H, 8 * H,
      10 * H, 12 * H, 13 * H, 14 * H, 15 * H, 16 * H, 17 * H, 18 * H }, fields(found, 1))
    found = fields(tally(jobs_of(200):user_estimates { longest = 1000 * H }), 1)
    assert.same({ 12 * H, 18 * H, 200 * H, 400 * H, 600 * H, 800 * H, 1000 * H },
      { table.unpack(found, 14) })
    for i, time in ipairs(fields(tally(jobs_of(200):user_estimates { longest = 6000 }), 1)) do
      assert.equal(300 * i, time)
    end
  end)

  it("have the share of the longest that is given", function()
    local found = tally(jobs_of(200):user_estimates { longest = 48 * H, share = 0.445 })
    assert.same({ 48 * H, 100 }, found[#found]) -- half of 89%
  end)

  it("go to the longest jobs first", function()
    -- one job asks for 48 h, and it must be the one that runs 40 h
    for seed = 1, 20 do
      local jobs = jobs_of(4, function(i) return i == 3 and 40.5 * H or 10 end)
      local found = jobs:user_estimates { longest = 48 * H, seed = seed }
      assert.equal(48 * H, found[3].walltime)
      local others = tally(found)
      assert.equal(4, #others) -- 4 jobs have 4 of the most popular times
    end
  end)

  it("have a longest time that fits the jobs, by default", function()
    for _, case in ipairs { { 1, 2 }, { 2 * H, 2 }, { 2 * H + 1, 3 }, { 13 * H, 18 },
      { 50 * H, 72 }, { 300 * H, 13 * 24 } } do
      local found = tally(jobs_of(1, function() return case[1] end):user_estimates())
      assert.same({ { case[2] * H, 1 } }, found)
    end
  end)
end)

-- Random workloads: log-uniform runtimes of at most a share of the longest estimate.
local function instance(seed)
  local rng = orrery.random { seed = seed, entity = 40 }
  local longest = 60 * rng:integer(100, 100 + 4320 * rng:integer(0, 1))
  local count = ({ 1, 7, 60, 230, 700, 1500 })[rng:integer(1, 6)]
  local most = rng:uniform(0.1, 1) * longest
  local runtimes = {}
  for i = 1, count do
    runtimes[i] = math.floor(most ^ rng:uniform())
    if rng:uniform() < 0.1 then runtimes[i] = 0 end
  end
  local share
  if rng:uniform() < 0.5 then share = rng:uniform(0.01, 0.88) end
  return { longest = longest, share = share, seed = seed, set = seed % 3 }, runtimes
end

describe("user estimates", function()
  it("are those of a simple implementation, and as long as the runtimes", function()
    local fitted, refused = 0, 0
    for seed = 1, os.getenv "ORRERY_ALL" and 2000 or 60 do
      local options, runtimes = instance(seed)
      local jobs = jobs_of(#runtimes, function(i) return runtimes[i] end)
      local rng = native.stream(seed, options.set, 0, STREAM[1], STREAM[2])
      local expected, values = naive.of(runtimes, options, rng)
      local ok, found = pcall(jobs.user_estimates, jobs, options)
      if expected then
        fitted = fitted + 1
        for i, runtime in ipairs(runtimes) do
          local job = found[i]
          assert(job.walltime == expected[i], seed)
          assert(job.walltime >= runtime and job.runtime == runtime)
        end
        assert.is_true(#tally(found) <= #values)
      else
        refused = refused + 1
        assert.is_false(ok)
        assert.matches("the model has only %d+ estimates as long", tostring(found))
      end
    end
    assert.is_true(fitted > refused and refused > 0, fitted .. " " .. refused)
  end)

  it("have as many values, and as large a head, as the model says", function()
    for _, case in ipairs { { 1000, 35 }, { 5000, 59 }, { 10000, 90 } } do
      local found = tally(jobs_of(case[1]):user_estimates { longest = 48 * H })
      assert.equal(case[2], #found)
      table.sort(found, function(a, b) return a[2] > b[2] end)
      local head = 0
      for i = 1, 20 do head = head + found[i][2] end
      assert.near(0.89, head / case[1], 0.01)
    end
  end)

  it("are those of every log of Lublin's model, which is otherwise the same", function()
    for set = 1, 4 do
      local options = { procs = 256, days = 10, set = set }
      local without = orrery.lublin(options)
      options.walltimes = "tsafrir"
      local with = orrery.lublin(options)
      local expected = without:user_estimates { longest = 48 * H, set = set }
      assert.equal(expected:csv(), with:csv())
      for i, job in without:each() do
        local other = with[i]
        assert(job.submit == other.submit and job.procs == other.procs and job.queue == other.queue)
        assert(job.runtime == other.runtime and other.walltime >= job.runtime)
      end
    end
  end)

  it("keep the rest of a log, and leave the log as it is", function()
    local log = orrery.jobs { { id = "a", procs = 3, runtime = 50, submit = 7, walltime = 60,
      user = "u", queue = "q" } }
    local found = log:user_estimates()
    assert.same({ "a", 3, 50, 7, 2 * H, "u", "q" }, { found[1].id, found[1].procs, found[1].runtime,
      found[1].submit, found[1].walltime, found[1].user, found[1].queue })
    assert.equal(60, log[1].walltime)
    assert.equal(0, #orrery.jobs({}):user_estimates())
  end)

  it("refuse bad options and jobs that they do not fit", function()
    local jobs = jobs_of(3, function(i) return i == 2 and 3 * H or 1 end)
    for message, options in pairs {
      ["the longest estimate must be a multiple of 60 s of at least 6000 s, not 3600 s"] =
        { longest = 3600 },
      ["the longest estimate must be a multiple of 60 s of at least 6000 s, not 10801 s"] =
        { longest = 10801 },
      ["the longest estimate must be a multiple of 60 s of at least 6000 s, not inf s"] =
        { longest = math.huge },
      ["job 2 runs 10800 s, longer than the longest estimate, 7200 s"] = { longest = 7200 },
      ["the share of the longest estimate must be above 0 and below 0.89, not 0.9"] =
        { share = 0.9 },
      ["the share of the longest estimate must be above 0 and below 0.89, not -1"] = { share = -1 },
      ["user_estimates: share must be above 0"] = { share = 0 },
      ["user_estimates: longest must be above 0"] = { longest = 0 },
      ['user_estimates: longest must be a number, it is "long"'] = { longest = "long" },
      ["user_estimates: set must be between 0 and 9223372036854775807, it is -1"] = { set = -1 },
      ["user_estimates: unknown option 'max' (known: longest, share, seed, set)"] = { max = 1 },
    } do
      local ok, found = pcall(function() jobs:user_estimates(options) end)
      assert.is_false(ok)
      assert.equal(message, (found:gsub("^[^ ]*spec.lua:%d+: ", "")))
    end
    local ok, found = pcall(function()
      return jobs_of(10, function() return 3 * H end):user_estimates { longest = 3 * H }
    end)
    assert.is_false(ok)
    assert.equal("4 jobs run 10800 s or longer, but the model has only 3 estimates as long; let "
      .. "the longest estimate be longer, or the share of jobs that ask for it greater",
      (found:gsub("^[^ ]*spec.lua:%d+: ", "")))
  end)
end)
