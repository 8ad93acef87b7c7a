-- dispatch/likely-short: by hand, EASY where all is known, and against a naive form.
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

-- How likely each of 24 shares of the walltime is for a job, from all jobs that are over.
local function chances(over, job, prior)
  local function half_steps(time) return math.floor(2 * math.log(math.max(time, 1), 2)) end
  local function is_alike(a, b)
    return a.queue == b.queue and half_steps(a.time) == half_steps(b.time)
  end
  local function has_shape(a, b)
    return is_alike(a, b) and math.floor(math.log(a.procs, 2)) == math.floor(math.log(b.procs, 2))
  end
  local function has_user(a, b) return b.user and a.user == b.user end
  local kinds = { function() return true end, is_alike, has_shape, has_user,
    function(a, b) return has_user(a, b) and has_shape(a, b) end }
  local chance = { 1 }
  for step = 2, 24 do chance[step] = 0 end
  for _, belongs in ipairs(kinds) do
    local number, count = {}, 0
    for _, one in ipairs(over) do
      if belongs(one, job) then
        number[one.step], count = (number[one.step] or 0) + 1, count + 1
      end
    end
    for step = 1, count > 0 and 24 or 0 do
      chance[step] = ((number[step] or 0) + prior * chance[step]) / (count + prior)
    end
  end
  return chance
end

local function step_of(share)
  for step = 1, 23 do
    if share > 2 ^ (-step / 2) then return step end
  end
  return 24
end

-- Lets waiting jobs wait again, which estimates them anew.
local function again(sim, is_meant)
  local list = {}
  for job in sim:waiting() do
    if is_meant(job) then list[#list + 1] = job end
  end
  for _, job in ipairs(list) do
    sim:hold(job)
    sim:release(job)
  end
end

-- The waiting jobs: those that have waited too long, by submission, then the others.
local function in_order(sim, patience)
  local list = {}
  for job in sim:waiting() do
    local is_old = sim.now >= job.submit + patience
    list[#list + 1] = { job, is_old and job.submit or math.huge, is_old and job.position or 0,
      #list }
  end
  table.sort(list, function(a, b)
    for k = 2, 4 do
      if a[k] ~= b[k] then return a[k] < b[k] end
    end
    return false
  end)
  for i, one in ipairs(list) do list[i] = one[1] end
  return list
end

-- When a job can start if all that run, and one more, take their walltimes.
local function latest(sim, job, more)
  local ends, best = {}, math.huge
  for i, one in ipairs(sim:running()) do
    ends[i] = { at = one.start + one.time, procs = one.procs }
  end
  if more then ends[#ends + 1] = { at = sim.now + more.time, procs = more.procs } end
  for _, one in ipairs(ends) do
    local free = sim.procs
    for _, other in ipairs(ends) do
      if other.at > one.at then free = free - other.procs end
    end
    if free >= job.procs then best = math.min(best, one.at) end
  end
  return best
end

-- The policy as its text says it: every kind is counted anew from all jobs that are over.
local function naive(options)
  return {
    per = "attempt",
    priority = function(job, view) return view.state.order[job.position] end,
    init = function(sim)
      sim.state = { over = {}, order = {}, leaves = {}, count = 0, sum = 0, rates = 0 }
    end,
    estimate = function(job, view)
      local state, time, rate = view.state, 0, 0
      for step, chance in ipairs(chances(state.over, job, options.prior)) do
        local seconds = (step == 1 and 1 or 2 ^ (0.25 - step / 2)) * job.time
        time, rate = time + chance * seconds, rate + chance / math.max(seconds, 60)
      end
      if not state.order[job.position] then
        state.count, state.sum = state.count + 1, state.sum + time
        state.rates = state.rates + rate
      end
      state.order[job.position] = -math.max(time, 1) ^ (1 - options.chance)
        * rate ^ -options.chance * job.procs ^ options.width
      local mean, short = state.sum / state.count, 60 * state.rates / state.count
      local part = mean > 0 and math.min(1, time / (options.long * mean)) or 0
      state.leaves[job.position] = math.min(view.procs - job.procs,
        math.floor(options.share * short ^ 2 * part * view.procs))
      return math.sqrt(time * job.time)
    end,
    on_submit = function(sim, job)
      local due = job.submit + options.patience
      if due > sim.now then sim:wake_at(due) end
    end,
    on_timer = function(sim)
      again(sim, function(other) return other.submit + options.patience == sim.now end)
    end,
    on_end = function(sim, job, outcome)
      if outcome ~= "completed" and outcome ~= "killed" then return end
      table.insert(sim.state.over, { queue = job.queue, time = job.time, procs = job.procs,
        user = job.user, step = step_of((sim.now - job.start) / math.max(job.time, 1e-9)) })
      again(sim, function(other) return job.user and other.user == job.user end)
    end,
    dispatch = function(sim)
      local is_first, old = true, nil
      for _, job in ipairs(in_order(sim, options.patience)) do
        local is_old = sim.now >= job.submit + options.patience
        local leaves = sim.free - job.procs >= (is_old and 0 or sim.state.leaves[job.position])
        if leaves and sim:can_start(job)
          and (not old or latest(sim, old, job) <= latest(sim, old)) then
          sim:start(job)
        elseif is_first then
          if job.procs > sim.free then sim:reserve(job) end
          old, is_first = is_old and job, false
        end
      end
    end,
  }
end

describe("dispatch/likely-short", function()
  local function job(id, user, submit, runtime, walltime)
    return { id = id, procs = 1, user = user, submit = submit, runtime = runtime,
      walltime = walltime }
  end

  local function by_hand(list, options)
    return starts { jobs = orrery.jobs(list), procs = 1, walltimes = "log",
      policy = "likely-short", options = options }
  end

  -- One processor. Ann's job took a hundredth of what she asked for: her next one, d, is expected
  -- to be shorter than Bob's. Without users the one with the shortest walltime is first, c.
  it("lets a job start first whose user's jobs ended early", function()
    local list = { job("a", "ann", 0, 10, 1000), job("b", "bob", 1, 1000, 1000),
      job("c", "bob", 2, 900, 900), job("d", "ann", 3, 10, 1000) }
    assert.same({ 0, 920, 20, 10 }, by_hand(list, { prior = 0.1 }))
    list[1].user, list[4].user = nil, nil
    list[2].user, list[3].user = nil, nil -- without users they are all alike
    assert.same({ 0, 910, 10, 1910 }, by_hand(list, { prior = 0.1 }))
  end)

  -- While b and c wait, a is over and says what b takes: b, which came behind c, starts first.
  it("judges the waiting jobs of a user anew when another is over", function()
    local list = { job("a", "ann", 0, 10, 1000), job("c", "bob", 1, 900, 900),
      job("b", "ann", 2, 10, 1000) }
    assert.same({ 0, 20, 10 }, by_hand(list, { prior = 0.01 }))
  end)

  -- Ten jobs of Ann took all she asked for, the last one next to nothing.
  it("forgets the first jobs of a user", function()
    local list = {}
    for i = 1, 10 do list[i] = job("a" .. i, "ann", 1000 * (i - 1), 1000, 1000) end
    list[11] = job("b", "ann", 10000, 10, 1000)
    list[12] = job("c", "bob", 10001, 500, 500)
    list[13] = job("d", "ann", 10002, 10, 1000)
    local function order(memory)
      local found = by_hand(list, { prior = 0.01, memory = memory })
      return found[13] < found[12] and "d c" or "c d"
    end
    assert.same({ "d c", "c d" }, { order(1), order(100) })
  end)

  -- The mean of 60 s over the time (at most 1) is 1 for a, and half that for a and b, of which the
  -- longer has to leave a quarter of `share`: 3 of 12 processors. b waits for a, c starts at once.
  it("leaves room for short jobs by how many there are", function()
    local list = { job("a", "ann", 0, 60), job("b", "ann", 1, 1e9), job("c", "ann", 2, 10) }
    list[1].procs, list[2].procs, list[3].procs = 7, 3, 4
    local function found(share)
      return starts { jobs = orrery.jobs(list), procs = 12, policy = "likely-short",
        options = { share = share, long = 1 } }
    end
    assert.same({ 0, 60, 2 }, found(1))
    assert.same({ 0, 1, 60 }, found(0.6)) -- 1 processor is enough, and b leaves 2
  end)

  -- Two processors. From 30 s on a job of one processor and 60 s comes every 30 s and starts at
  -- once: w, of both processors, waits for 270. With a patience of 100 s w is old at 101, holds its
  -- reservation at 150, and only y ends before.
  it("lets a job that has waited too long go before all younger ones", function()
    local list = { job("w", nil, 1, 50), job("y", nil, 121, 20) }
    list[1].procs = 2
    for i = 1, 8 do list[i + 2] = job("x" .. i, nil, 30 * (i - 1), 60) end
    local function found(patience, without)
      local jobs = orrery.jobs(list):filter(function(one) return one.id ~= without end)
      return starts { jobs = jobs, procs = 2, policy = "likely-short",
        options = { share = 0, patience = patience } }
    end
    assert.same({ 270, 0, 30, 60, 90, 120, 150, 180, 210 }, found(1e6, "y"))
    assert.same({ 150, 121, 0, 30, 60, 90, 200, 200, 260, 260 }, found(100))
  end)

  -- w runs from 70 to 103, where it fails. x1 and x2 pass it then, x3 does not: w is old at 160.
  it("lets no job be forgotten that ran meanwhile", function()
    local list = { job("z", nil, 0, 70), job("w", nil, 60, 33), job("x1", nil, 75, 60),
      job("x2", nil, 104, 60), job("x3", nil, 134, 60) }
    list[1].procs, list[2].procs = 2, 2
    local function found(patience)
      return starts { jobs = orrery.jobs(list), procs = 2, policy = "likely-short",
        failures = { 0, 1, 0, 0, 0 }, options = { share = 0, patience = patience } }
    end
    assert.same({ 0, 223, 103, 104, 163 }, found(1e6))
    assert.same({ 0, 164, 103, 104, 197 }, found(100))
  end)

  local function random_spec(rng, k)
    local instance = instances.random(rng, { positive = true, n = 40, walltimes = k % 3 > 0 })
    for _, one in ipairs(instance.list) do
      one.time = math.max(1, one.time * (k % 4 == 0 and 100 or 1))
      one.walltime = one.walltime and math.max(1, one.walltime)
      one.user = k % 2 == 0 and rng:uniform() < 0.9 and "u" .. math.floor(3 * rng:uniform()) or nil
    end
    return { jobs = orrery.jobs(instance.list), procs = instance.procs,
      walltimes = instance.walltimes, verification = instance.verification }
  end

  it("is EASY, least area first, where runtimes are known and nothing is left", function()
    local rng = orrery.random(21)
    for k = 1, rounds(60, 60, 20) do
      local spec = random_spec(rng, k)
      spec.walltimes, spec.policy, spec.priority = nil, "easy", "saf"
      local easy = starts(spec)
      spec.policy, spec.priority = "likely-short", nil
      spec.options = { share = 0, width = 1, chance = 0 }
      assert.same(easy, starts(spec))
    end
  end)

  it("equals its naive form", function()
    local rng, differ, count = orrery.random(22), 0, rounds(80, 80, 25)
    for k = 1, count do
      local spec = random_spec(rng, k)
      local options = { share = rng:uniform(), long = 1 + 3 * rng:uniform(), chance = rng:uniform(),
        width = rng:uniform(0, 2), prior = 0.1 + 5 * rng:uniform(), memory = 1000,
        patience = k % 3 == 0 and 1e6 or rng:integer(0, 60) * (k % 4 == 0 and 100 or 1) }
      spec.policy, spec.options = "likely-short", options
      local ours = starts(spec)
      spec.policy, spec.options = naive(options), nil
      assert.same(starts(spec), ours)
      spec.policy, spec.options, spec.priority = "easy", nil, "saf"
      if table.concat(starts(spec), " ") ~= table.concat(ours, " ") then differ = differ + 1 end
    end
    assert.is_true(differ > 3 / 8 * count)
  end)

  -- Where nothing fails, a job that is old waits for the older ones, each of which waits at most
  -- until all that runs is over, and then runs.
  it("lets nobody wait longer than its patience and the older jobs permit", function()
    local rng, waited = orrery.random(23), 0
    for k = 1, rounds(300, 300, 50) do
      local spec = random_spec(rng, k)
      local patience = rng:integer(0, 20) * (k % 4 == 0 and 100 or 1)
      spec.verification, spec.policy = nil, "likely-short"
      spec.options = { share = rng:uniform(), long = 1, patience = patience }
      local found, longest = starts(spec), 0
      for i = 1, #spec.jobs do
        local one = spec.jobs[i]
        longest = math.max(longest, spec.walltimes and one.walltime or one.runtime)
      end
      for i = 1, #found do
        local submit, older = spec.jobs[i].submit, 0
        local due = submit + patience
        for j = 1, #found do
          local other = spec.jobs[j].submit
          local is_older = other < submit or other == submit and j < i
          older = older + (is_older and found[j] > due and 1 or 0)
        end
        assert.is_true(found[i] <= due + (1 + older) * longest)
        if found[i] > due + longest / 2 then waited = waited + 1 end
      end
    end
    assert.is_true(waited > 200)
  end)
end)
