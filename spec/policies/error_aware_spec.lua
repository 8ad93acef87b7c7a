-- dispatch/error-aware: by hand, and what it is where its options leave nothing of its own.
local instances = require "spec.support.instances"
local orrery = require "orrery"

local attempts = require "spec.support.attempts"
local rounds = require "spec.support.rounds"

describe("dispatch/error-aware", function()
  -- The first seed of which these jobs fail so often.
  local function seed_of(spec, failures)
    for seed = 1, 10000 do
      spec.seed = seed
      local found = orrery.session(spec):failures()
      if table.concat(found, " ") == table.concat(failures, " ") then return end
    end
    error "no such seed"
  end

  -- a comes first, then b, then c (log of the time, expected errors, half the log of the width:
  -- 7.8, 7.3, 7.1). b would wait for a, which fails with probability 1 - exp(-0.3) = 26% and then
  -- starts again before b: a reservation for b would keep the whole machine idle for c in vain.
  local function by_hand(options)
    local spec = { jobs = orrery.jobs { { id = "a", procs = 3, runtime = 1000 },
      { id = "b", procs = 4, runtime = 600 }, { id = "c", procs = 1, runtime = 1100 } },
      procs = 4, batch = true, errors = { rate = 1e-4 }, policy = "error-aware",
      options = options }
    seed_of(spec, { 1, 0, 0 })
    return attempts(spec)
  end

  it("holds no reservation that failures would often make vain", function()
    assert.same({ "a 0-1000 failed", "c 0-1100", "a 1000-2000", "b 2000-2600" }, by_hand())
  end)

  it("holds one where more waste is allowed", function()
    assert.same({ "a 0-1000 failed", "a 1000-2000", "b 2000-2600", "c 2600-3700" },
      by_hand { waste = 1 })
  end)

  local function random_spec(rng, k)
    local instance = instances.random(rng, { batch = k % 2 == 0, positive = true, n = 30 })
    for _, job in ipairs(instance.list) do
      job.time = rng:uniform(1, 40) -- logarithms of equal areas would differ in the last digit
      if job.walltime then job.walltime = job.time * rng:uniform(0.8, 3) end
    end
    return { jobs = orrery.jobs(instance.list), procs = instance.procs, seed = k,
      walltimes = instance.walltimes, verification = instance.verification }
  end

  -- Calls f(spec, rng) for random instances and counts in how many the two policies that it
  -- returns, each { policy =, priority =, options = }, make what a third one does not.
  local COUNT = rounds(60, 60, 20)
  local function same(f)
    local rng, differ = orrery.random(9), 0
    for k = 1, COUNT do
      local spec = random_spec(rng, k)
      local ours, theirs, other = f(spec, rng)
      local function of(one)
        spec.policy, spec.priority, spec.options = one.policy, one.priority, one.options
        return attempts(spec)
      end
      local found = of(theirs)
      assert.same(found, of(ours))
      if table.concat(of(other)) ~= table.concat(found) then differ = differ + 1 end
    end
    return differ
  end

  it("without errors is list scheduling with all reservations, longest first", function()
    local differ = same(function()
      return { policy = "error-aware" },
        { policy = "list:reservations=all", priority = "lpt" },
        { policy = "greedy", priority = "lpt" }
    end)
    assert.is_true(differ > COUNT / 6)
  end)

  it("where errors are rare and jobs wide goes by area, the head alone reserved", function()
    local differ = same(function(spec)
      spec.errors = { rate = 1e-4 }
      return { policy = "error-aware", options = { calm = 1e9, wide = 0 } },
        { policy = "list:reservations=1,reading=head", priority = "la" },
        { policy = "list:reservations=all", priority = "la" }
    end)
    assert.is_true(differ > COUNT / 6)
  end)

  it("where any waste is allowed is list scheduling with all reservations, by its order", function()
    local differ = same(function(spec, rng)
      local rate, risk = 10 ^ rng:uniform(-5, -2), rng:uniform(0, 2)
      spec.errors = { rate = rate }
      local function order(job)
        return math.log(math.max(job.time, 1)) + risk * rate * job.area
      end
      return { policy = "error-aware", options = { waste = 1, slope = 0, calm = 0, risk = risk } },
        { policy = "list:reservations=all", priority = order },
        { policy = "error-aware", options = { waste = 0, slope = 0, calm = 0, risk = risk,
          misses = 1 } }
    end)
    assert.is_true(differ > COUNT / 6)
  end)
end)
