-- dispatch/room-for-short: by hand, EASY where nothing has to be left, and against a naive form.
local instances = require "spec.support.instances"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local function starts(spec)
  local session, found = orrery.session(spec), {}
  session:finish()
  assert.is_true(session:check())
  for i = 1, #session.jobs do found[i] = session:job(i).start end
  return found
end

-- The policy as its text says it: shares are counted anew from all jobs so far.
local function naive(options)
  local function step(time) return math.floor(4 * math.log(math.max(time, 1), 2)) end
  return {
    priority = function(job) return -math.max(job.time, 1) * job.procs ^ options.width end,
    init = function(sim) sim.state = { times = {}, leaves = {} } end,
    on_submit = function(sim, job)
      local times, shorter = sim.state.times, 0
      for _, time in ipairs(times) do
        if step(time) < step(job.time) then shorter = shorter + 1 end
        if step(time) == step(job.time) then shorter = shorter + 0.5 end
      end
      local rank = #times > 0 and shorter / #times or 0.5
      times[#times + 1] = job.time
      sim.state.leaves[job.position] = math.min(sim.procs - job.procs,
        math.floor(options.share * rank ^ options.power * sim.procs))
    end,
    dispatch = function(sim)
      local is_first = true
      for job in sim:waiting() do
        local leaves = sim.free - job.procs >= sim.state.leaves[job.position]
        if leaves and sim:can_start(job) then
          sim:start(job)
        elseif is_first then
          if job.procs > sim.free then sim:reserve(job) end
          is_first = false
        end
      end
    end,
  }
end

describe("dispatch/room-for-short", function()
  local function job(id, procs, runtime, submit)
    return { id = id, procs = procs, runtime = runtime, submit = submit }
  end

  -- Of 10 processors the longest job leaves 5. b is longer than all before it: it waits until a has
  -- left, and c, shorter than all, starts at once.
  it("lets a short job start where a long one has left room", function()
    local spec = { jobs = orrery.jobs { job("a", 6, 100, 0), job("b", 3, 1000, 1),
      job("c", 3, 10, 2) }, procs = 10, policy = "room-for-short",
      options = { share = 0.5, power = 1 } }
    assert.same({ 0, 100, 2 }, starts(spec))
    spec.policy, spec.priority, spec.options = "easy", "saf", nil
    assert.same({ 0, 1, 100 }, starts(spec))
  end)

  it("lets a job as wide as the machine start when it is empty", function()
    assert.same({ 0, 100 }, starts { jobs = orrery.jobs { job("a", 4, 100, 0),
      job("b", 4, 1e6, 1) }, procs = 4, policy = "room-for-short", options = { share = 1 } })
  end)

  -- What an error strikes that ran under EASY waits again under a policy that never saw it come.
  it("takes over who ran before and waits again", function()
    local again = 0
    for seed = 1, 40 do
      local s = orrery.session { jobs = orrery.jobs { job("a", 2, 100, 0), job("b", 4, 50, 0) },
        procs = 4, policy = "easy", seed = seed, errors = { mean_probability = 0.5 } }
      s:step()
      s:change { policy = "room-for-short" }
      s:finish()
      assert.is_true(s:check())
      if s:job(1).attempts > 1 then again = again + 1 end
    end
    assert.is_true(again > 1)
  end)

  local function random_spec(rng, k)
    local instance = instances.random(rng, { positive = true, n = 40, walltimes = k % 3 > 0 })
    for _, one in ipairs(instance.list) do
      one.time = math.max(1, one.time * (k % 4 == 0 and 100 or 1))
      one.walltime = one.walltime and math.max(1, one.walltime)
    end
    return { jobs = orrery.jobs(instance.list), procs = instance.procs,
      walltimes = instance.walltimes, verification = instance.verification }
  end

  it("is EASY, least area first, where nothing is left", function()
    local rng = orrery.random(11)
    for k = 1, rounds(80, 80, 20) do
      local spec = random_spec(rng, k)
      spec.policy, spec.priority = "easy", "saf"
      local easy = starts(spec)
      spec.policy, spec.priority, spec.options = "room-for-short", nil, { share = 0, width = 1 }
      assert.same(easy, starts(spec))
    end
  end)

  it("equals its naive form", function()
    local rng, differ = orrery.random(12), 0
    for k = 1, rounds(80, 80, 26) do
      local spec = random_spec(rng, k)
      local options = { share = rng:uniform(), power = rng:uniform(0, 4),
        width = rng:uniform(0, 2) }
      spec.policy, spec.options = "room-for-short", options
      local ours = starts(spec)
      spec.policy, spec.options = naive(options), nil
      assert.same(starts(spec), ours)
      spec.policy, spec.options = "room-for-short", { share = 0, width = options.width }
      if table.concat(starts(spec), " ") ~= table.concat(ours, " ") then differ = differ + 1 end
    end
    assert.is_true(differ > 15)
  end)
end)
