-- Limits of what the running jobs of one key may use (READINGS 57), against the naive reference.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local naive = require "spec.support.naive"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

-- --- random instances ---------------------------------------------------------------------------

local KEYS = { "user", "array", "partition", "queue", "all" }

-- Gives jobs labels, or none, and limits that every job alone is within. There are more GPUs than
-- all need, so only limits hold them back.
local function limited(rng, options)
  local instance = instances.random(rng, options)
  local users, gpus = rng:integer(1, 4), orrery.random(instance.list[1].time * 1e6 // 1 | 0)
  for _, job in ipairs(instance.list) do
    local user, partition = rng:integer(0, users), rng:integer(0, 2)
    job.user = user > 0 and "u" .. user or nil
    job.array = rng:integer(0, 2) > 0 and "a" .. user or nil
    job.partition = partition > 0 and "p" .. partition or nil
    job.queue = "only"
    job.needs = gpus:integer(0, 2) > 0 and { gpu = gpus:integer(0, 4) } or nil
  end
  instance.pools = { gpu = 1000 }
  instance.limit, instance.least = {}, {}
  for i = 1, rng:integer(1, 3) do
    local one = { per = rigid.pick(rng, KEYS), most = {} }
    if one.per == "partition" and rng:integer(0, 1) == 1 then one.only = "p1" end
    local widest = 1
    for _, job in ipairs(instance.list) do
      local key = one.per == "all" or job[one.per]
      if key and (not one.only or one.only == key) then widest = math.max(widest, job.procs) end
    end
    if rng:integer(0, 1) == 1 then one.most.jobs = rng:integer(1, 4) end
    if not one.most.jobs or rng:integer(0, 2) == 0 then
      one.most.procs = rng:integer(widest, 2 * widest)
    end
    if rng:integer(0, 2) == 0 then one.most.waiting = rng:integer(1, 6) end
    if gpus:integer(0, 2) == 0 then one.most.gpu = gpus:integer(4, 8) end
    instance.limit[i], instance.least[i] = one, widest
  end
  return instance
end

-- The same limits with other amounts, within which every job alone is, too.
local function other_limits(rng, instance)
  local list, known = {}, {}
  for i, one in ipairs(instance.limit) do
    local copy = { per = one.per, only = one.only, most = {} }
    for of, most in pairs(one.most) do
      local name = ("%s %s %s"):format(of, one.per, one.only)
      local least = of == "procs" and instance.least[i] or of == "gpu" and 4 or 1
      copy.most[of] = known[name] and most or rng:integer(least, 2 * math.max(2, least))
      known[name] = true
    end
    list[i] = copy
  end
  return list, function() -- what changes, each limit once
    local changed, told = {}, {}
    for _, one in ipairs(list) do
      for of, most in pairs(one.most) do
        local name = ("%s %s %s"):format(of, one.per, one.only)
        if not told[name] then
          changed[#changed + 1] = { per = one.per, only = one.only, most = { [of] = most } }
        end
        told[name] = true
      end
    end
    return changed
  end
end

local PER = { "workload", "scenario", "attempt", "decision" }

local function try(rng, instance, discipline)
  local rule = rigid.pick(rng, rigid.rules)
  local key = naive.priorities(instance.procs)[rule]
  local priority = rng:integer(0, 1) == 0 and rule
    or { per = rigid.pick(rng, PER), priority = function(job) return key(job) end }
  return rigid.hold_against_reference(instance, discipline, priority, key)
end

-- Whether starts are others than without the limits, and how many jobs these refuse.
local function changed(instance, discipline)
  local spec = rigid.reference_spec(instance, discipline)
  local with, refused = naive.run(spec)
  spec.limit = nil
  return rigid.difference(with, naive.run(spec)) and 1 or 0, #refused
end

describe("limits", function()
  -- Decisions that reach no window are those without windows, and limits count in them.
  it("start the same jobs beside a window that no plan reaches", function()
    local rng, differ, count = orrery.random(4400), 0, rounds(2000, 150, 15)
    for _ = 1, count do
      local instance = limited(rng, { n = 12 })
      local policy = rigid.pick(rng, { "easy", "list:reservations=2", "easy-sjf", "aging",
        "conservative", "fcfs" })
      local function starts(limit, window)
        local s = orrery.session { jobs = orrery.jobs(instance.list), procs = instance.procs,
          policy = policy, limit = limit, maintenance = window, pools = instance.pools }
        s:finish()
        local list = {}
        for k, a in ipairs(s:schedule()) do list[k] = ("%s@%.17g"):format(a.id, a.start) end
        table.sort(list)
        return table.concat(list, " ")
      end
      local far = { { from = 2.0 ^ 40, to = 2.0 ^ 40 + 9, procs = 1 } }
      local with = starts(instance.limit)
      assert.equal(with, starts(instance.limit, far), policy)
      assert.equal(starts(), starts({ "jobs=1000" }, far), policy)
      differ = differ + (with ~= starts() and 1 or 0)
    end
    assert.is_true(differ > count / 15)
  end)

  for i, discipline in ipairs(rigid.names) do
    it("are those of the naive reference: " .. discipline, function()
      local rng, differ, gone, count = orrery.random(4000 + i), 0, 0, rounds(600, 300, 22)
      for _ = 1, count do
        local instance = limited(rng, { n = 20 })
        try(rng, instance, discipline)
        local differs, refused = changed(instance, discipline)
        differ, gone = differ + differs, gone + refused
      end
      assert.is_true(differ > count / 8 and gone > count)
    end)
  end

  it("hold where every event has a decision of its own", function()
    local rng = orrery.random(4100)
    for _ = 1, rounds(1200, 400, 20) do
      local instance = limited(rng, { n = 12 })
      instance.instant = rigid.pick(rng, { "ends-first", "submissions-first", "pyss" })
      try(rng, instance, rigid.pick(rng, { "greedy", "easy", "two", "fcfs", "shelf" }))
    end
  end)
end)

-- --- what happens on the way --------------------------------------------------------------------

local function starts(session)
  local list = {}
  for i, attempt in ipairs(session:schedule()) do
    list[i] = ("%s %d %.17g %.17g %s"):format(attempt.id, attempt.attempt, attempt.start,
      attempt.finish, attempt.outcome)
  end
  return list
end

local CHANGES = {
  function() return {} end,
  function(rng, s)
    return { submit = { procs = 1, runtime = 3, user = rigid.pick(rng, { "u1", "new" }),
      submit = s.now + rng:integer(0, 2) } }
  end,
  function(rng)
    return { policy = { dispatch = rigid.disciplines[rigid.pick(rng, rigid.names)] } }
  end,
  function(rng, s)
    local waiting = s:waiting()
    return #waiting > 0 and { cancel = waiting[rng:integer(1, #waiting)].position } or {}
  end,
  function(rng, s)
    local running = s:running()
    return #running > 0 and { cancel = running[rng:integer(1, #running)].position } or {}
  end,
  function(rng, s) return { procs = { procs = rng:integer(1, 4), ["until"] = s.now + 9 } } end,
}

describe("limits on the way", function()
  it("may change, which is as in the naive reference", function()
    local rng, differ = orrery.random(4500), 0
    for _ = 1, rounds(6000, 1500, 150) do
      local instance, discipline = limited(rng, { n = 20 }), rigid.pick(rng, rigid.names)
      local s = orrery.session(rigid.spec(instance, { batch = instance.batch,
        policy = { dispatch = rigid.disciplines[discipline] } }))
      local spec = rigid.reference_spec(instance, discipline)
      local before, at = naive.run(spec), s.now
      spec.changes = {}
      for i = 1, rng:integer(1, 2) do
        local limit, turned = other_limits(rng, instance)
        at = at + rng:integer(0, 60)
        s:run_until(at)
        s = s:fork { limit = turned() }
        spec.changes[i] = { at = at, limit = limit }
      end
      s:finish()
      local expected = naive.run(spec)
      assert.is_nil(rigid.difference(s:schedule(), expected), instances.describe(instance))
      assert(s:check())
      differ = differ + (rigid.difference(before, expected) and 1 or 0)
    end
    assert.is_true(differ > 20)
  end)

  it("hold with nodes that fail, forks and changes, as the checker finds", function()
    local rng, interrupted = orrery.random(4200), 0
    for _ = 1, rounds(3000, 600, 25) do
      local instance = limited(rng, { n = 20, positive = true, procs = { 4, 7, 13 } })
      local dispatch = { place = rng:integer(0, 2) == 0 and "contiguous" or nil }
      for name, value in pairs(rigid.disciplines[rigid.pick(rng, rigid.names)]) do
        dispatch[name] = value
      end
      local spec = rigid.spec(instance, {
        policy = { dispatch = dispatch },
        node_failures = rng:integer(0, 1) == 1 and { mtbf = 100, repair = rng:integer(0, 5) }
          or nil,
        failures = instance.failures,
      })
      local session = orrery.session(spec)
      for _ = 1, rng:integer(0, 12) do session:step() end
      local fork, same = session:fork(), session:fork {}
      for _ = 1, rng:integer(0, 3) do
        local other = session:fork(rigid.pick(rng, CHANGES)(rng, session))
        for _ = 1, rng:integer(0, 3) do other:step() end
        other:finish()
        assert(other:check())
      end
      interrupted = interrupted + session:finish().node_failures
      assert(session:check())
      fork:finish()
      same:finish()
      assert.same(starts(session), starts(fork))
      assert.same(starts(session), starts(same))
    end
    assert.is_true(interrupted > 10)
  end)
end)

-- Jobs of the Lublin model (its seed is 5), with walltimes, of so many users by chance.
local function users_of(users, seed, model)
  local rng, list = orrery.random(seed), {}
  model.seed = 5
  for i, job in ipairs(orrery.lublin(model)) do
    list[i] = { procs = job.procs, runtime = job.time, submit = job.submit,
      walltime = job.time * rng:uniform(1, 3), user = "u" .. rng:integer(1, users) }
  end
  return orrery.jobs(list)
end

-- A decision by a formula sorts only the jobs that can matter to it, where there are many jobs.
describe("limits under priorities by formulas", function()
  it("are those of plain decisions", function()
    local jobs = users_of(30, 4300, { days = 27, procs = 256, load = 0.95 })
    assert.is_true(#jobs > 10000)
    local policies = rounds(2, 2, 1) == 2 and { "easy", "fcfs" } or { "easy" }
    local spec = { jobs = jobs, procs = 256, policies = policies, priority = "wfp3",
      walltimes = "log", limit = { "procs/user=256", "jobs/user=2" } }
    local fast = orrery.compare(spec)
    spec.plain = true
    local plain = orrery.compare(spec)
    for i in ipairs(spec.policies) do
      assert.same(plain:jobs(i, "wait"), fast:jobs(i, "wait"))
    end
  end)
end)

describe("shipped policies with a dispatch function of their own", function()
  it("start nobody who is over a limit #long", function()
    orrery.compare { jobs = users_of(9, 4400, { days = 3, procs = 128, load = 1 }), procs = 128,
      check = true, walltimes = "log",
      limit = { "procs/user=128", "jobs/user=2" }, policies = { "dispatch/knapsack",
        "dispatch/lookahead", "dispatch/easy-plus-plus", "dispatch/preemptive",
        "dispatch/error-aware", "dispatch/likely-short:patience=7200" } }
  end)
end)

-- --- by hand ------------------------------------------------------------------------------------

-- Eight processors, four for each user. Job 2 is over ana's limit until job 1 ends: job 3 passes
-- it. Job 4 is blocked, and reserved for 8, when job 3 ends. Job 5 ends before; job 6 would not,
-- and takes a processor too many. Job 2 has its place in front of job 6 again at 10.
local SIX = {
  { id = "1", submit = 0, procs = 4, runtime = 10, user = "ana" },
  { id = "2", submit = 0, procs = 2, runtime = 5, user = "ana" },
  { id = "3", submit = 0, procs = 2, runtime = 8, user = "ben" },
  { id = "4", submit = 1, procs = 3, runtime = 4, user = "cat" },
  { id = "5", submit = 2, procs = 2, runtime = 3, user = "dan" },
  { id = "6", submit = 2, procs = 4, runtime = 7, user = "dan" },
}

local function session(policy, limit, list)
  return orrery.session { jobs = orrery.jobs(list or SIX), procs = 8, policy = policy,
    limit = limit }
end

local function first_starts(policy, limit, list)
  local s, by_id = session(policy, limit, list), {}
  s:finish()
  assert(s:check())
  for _, attempt in ipairs(s:schedule()) do by_id[tonumber(attempt.id)] = attempt.start end
  return by_id
end

-- Two nodes of four processors and four GPUs; ana may have five GPUs and 3 KB, and the partition
-- debug has no GPU. Job 2 would be the sixth; job 3 has none and passes it; job 4 is ben's.
local NEEDY = {
  { id = "1", submit = 0, procs = 1, runtime = 10, user = "ana", needs = { gpu = 3 } },
  { id = "2", submit = 1, procs = 1, runtime = 5, user = "ana", needs = { gpu = 3 } },
  { id = "3", submit = 2, procs = 1, runtime = 4, user = "ana", needs = { mem = 2048 } },
  { id = "4", submit = 3, procs = 1, runtime = 4, user = "ben", needs = { gpu = 4 } },
  { id = "5", submit = 4, procs = 1, runtime = 4, user = "ana", needs = { mem = 2048 } },
  { id = "6", submit = 5, procs = 1, runtime = 1, user = "ben", needs = { gpu = 1 },
    partition = "debug" },
}

describe("a limit on what the machine has beside processors", function()
  local function needy(policy)
    return orrery.session { jobs = orrery.jobs(NEEDY), policy = policy,
      machine = { nodes = { { count = 2, procs = 4, gpu = 4, mem = "4K" } },
        partitions = { all = { default = true }, debug = {} } },
      limit = { { most = { gpu = 5, mem = "3K" }, per = "user" }, "gpu/partition:debug=0" } }
  end

  it("by hand: holds back only those that need it, and says so", function()
    for _, policy in ipairs { "easy", "conservative", "fcfs", "greedy", "list:reservations=2" } do
      local s = needy(policy)
      s:run_until(5)
      assert.equal("job 2: with it user ana would exceed its limit of 5 gpu, of which 3 are in use",
        tostring(s:why "2"))
      assert.equal("job 5: with it user ana would exceed its limit of 3K mem, of which 2K are in "
        .. "use", tostring(s:why "5"))
      assert.matches("^job 6: it was refused at submission, at 5 s: it asks for 1 gpu; the limit "
        .. "of partition debug is 0", tostring(s:why "6"))
      local more = s:fork { limit = { { most = { gpu = 6 }, per = "user" } } }
      local list = {}
      for i, one in ipairs { s, more } do
        one:finish()
        assert(one:check())
        local at = {}
        for _, a in ipairs(one:schedule()) do at[tonumber(a.id)] = a.start end
        list[i] = at
      end
      -- with six job 2 waits for GPUs, and nobody passes it under FCFS
      local last = policy == "fcfs" and 7 or 6
      assert.same({ { 0, 10, 2, 3, 6 }, { 0, 7, 2, 3, last } }, list, policy)
    end
  end)

  -- A limit that is lowered below what runs holds back only who needs some of it.
  it("by hand: is none for jobs that need nothing of it", function()
    local s = needy "easy"
    s:run_until(1)
    s:change { limit = { { most = { gpu = 1 }, per = "user" } } }
    s:run_until(9)
    local at = {}
    for i, a in ipairs(s:schedule()) do at[i] = ("%s@%g"):format(a.id, a.start) end
    assert.equal("1@0 3@2 5@6", table.concat(at, " "))
  end)

  it("by hand: counts the nodes that jobs ask for, and wants every job to ask", function()
    local function starts_with(last)
      local s = orrery.session { policy = "easy", limit = "nodes/user=3", jobs = orrery.jobs {
        { id = "1", procs = 2, runtime = 10, needs = { nodes = 2 }, user = "ana" },
        { id = "2", procs = 2, runtime = 5, needs = { nodes = 2 }, user = "ana" },
        { id = "3", procs = 1, runtime = 5, needs = { nodes = last }, user = "ana" } },
        machine = { nodes = { { count = 8, procs = 1 } } } }
      s:finish()
      assert(s:check())
      local list = {}
      for _, a in ipairs(s:schedule()) do list[tonumber(a.id)] = a.start end
      return list
    end
    assert.same({ 0, 10, 0 }, starts_with(1))
    local _, message = pcall(starts_with)
    assert.matches("job 3 asks for processors, not for a number of nodes, which limit nodes/user "
      .. "is on", message, 1, true)
  end)

  -- The first job needs of gpu, so nodes are its workload's second need, and the only one of the
  -- jobs that come: one with a new session's memory, the other in the place that it then has.
  it("by hand: knows the needs of jobs that come by their names", function()
    local s = orrery.session { policy = "easy", limit = "nodes/user=3",
      jobs = orrery.jobs { { id = "1", procs = 2, runtime = 10, needs = { gpu = 1 } } },
      machine = { nodes = { { count = 8, procs = 1, gpu = 2 } } } }
    s:run_until(1)
    for id = 2, 3 do
      s:submit { id = tostring(id), submit = 2, procs = 2, needs = { nodes = 2 }, runtime = 5,
        user = "ana" }
    end
    s:finish()
    assert(s:check())
    local at = {}
    for i, a in ipairs(s:schedule()) do at[i] = ("%s@%g"):format(a.id, a.start) end
    assert.equal("1@0 2@2 3@7", table.concat(at, " "))
  end)
end)

-- Four processors, one waiting job for each user. Job 2 waits when job 3 comes, also when job 5
-- comes at 10, before the decision that starts it; nobody of ana's waits when job 6 comes.
local WAITING = {
  { id = "1", submit = 0, procs = 4, runtime = 10, user = "ana" },
  { id = "2", submit = 1, procs = 4, runtime = 5, user = "ana" },
  { id = "3", submit = 2, procs = 1, runtime = 1, user = "ana" },
  { id = "4", submit = 2, procs = 1, runtime = 1, user = "ben" },
  { id = "5", submit = 10, procs = 1, runtime = 1, user = "ana" },
  { id = "6", submit = 11, procs = 1, runtime = 1, user = "ana" },
}

describe("a limit on waiting jobs", function()
  local function four(limit, policy, list)
    return orrery.session { jobs = orrery.jobs(list or WAITING), procs = 4, limit = limit,
      policy = policy or "easy" }
  end
  local function times(s)
    local list = {}
    for i, a in ipairs(s:schedule()) do list[i] = ("%s@%g"):format(a.id, a.start) end
    return table.concat(list, " ")
  end

  it("refuses the jobs that come while so many wait", function()
    local s = four "waiting/user=1"
    local m = s:finish()
    assert.equal("1@0 2@10 4@15 6@15", times(s))
    assert.same({ 2, 6.5, 0, 16, 4 }, { m.refused, m.wait_mean, m.killed, m.makespan, m.starts })
    assert.same({ 2, 6.5 }, { s:measure().refused, s:measure().wait_mean })
    assert(s:check())
    assert.equal("job 3: it was refused at submission, at 2 s: user ana was at its limit of "
      .. "waiting jobs, 1", tostring(s:why "3"))
    assert.same({ "refused", "over" }, { s:job "3".state, s:job "2".state })
    s = four "waiting=2" -- jobs 2 and 3 wait when job 4 comes
    s:finish()
    assert.equal("1@0 2@10 3@15 6@15", times(s))
  end)

  it("is another one from now on after a change, and counts jobs that are submitted by hand",
    function()
      local s = four "waiting/user=1"
      s:run_until(5)
      local more = s:fork { limit = "waiting/user=2" }
      more:submit { id = "7", procs = 1, runtime = 1, user = "ana" }
      s:submit { id = "7", procs = 1, runtime = 1, user = "ana" }
      local refused = {}
      for i, one in ipairs { s, more } do
        refused[i] = one:finish().refused
        assert(one:check())
      end
      assert.equal("1@0 2@10 4@15 6@15", times(s))
      assert.equal("1@0 2@10 4@15 7@15 6@15", times(more)) -- and job 5 comes while 2 and 7 wait
      assert.same({ 3, 2 }, refused)
    end)

  it("is checked of runs that are stopped before jobs come that it refuses", function()
    for seed = 1, rounds(300, 60, 10) do
      local rng, rows = orrery.random(seed), {}
      for i = 1, rng:integer(2, 12) do
        rows[i] = { id = "" .. i, submit = rng:integer(0, 9), procs = rng:integer(1, 4),
          runtime = rng:integer(1, 6), user = rng:integer(0, 2) > 0 and "ana" or "ben" }
      end
      local limit = "waiting/user=" .. rng:integer(1, 2)
      local s = four(limit, rigid.pick(rng, { "fcfs", "easy" }), rows)
      repeat
        assert(s:check())
      until not s:step()
      assert(s:check())
    end
  end)

  it("counts those that wait by user, also where a change numbers the users anew", function()
    assert.equal(1, require "native_rigid".moved_limits())
  end)

  it("by hand: leaves refused jobs out of their user's mean slowdown, and counts them", function()
    local rows = {}
    for i, user in ipairs { "ana", "ana", "ana", "bo" } do
      rows[i] = { id = "" .. i, submit = i - 1, procs = 4, runtime = 100, user = user }
    end
    local result = orrery.compare { jobs = orrery.jobs(rows), procs = 4, policies = { "easy" },
      limit = "waiting/user=1" }
    local slowdowns = result:jobs(1, "bsld") -- job 2 waits 99 s, and job 4 197 s
    assert.same({ 1, 1.99, 2.97 }, { slowdowns[1], slowdowns[2], slowdowns[4] })
    assert.is_true(slowdowns[3] ~= slowdowns[3])
    local texts = require "orrery.run.per".tables(result, "user")[1][2]
    assert.same({ "ana", "3", "1", "75.0%", "50 s", "94 s", "99 s", "1.495" }, texts[2])
    assert.same({ "bo", "1", "0" }, table.move(texts[3], 1, 3, 1, {}))
  end)

  it("counts jobs that their policy holds", function()
    local policy = { dispatch = function() end, on_submit = function(sim, job)
      if job.id == "1" then sim:hold(job) end
    end }
    local s = four("waiting/user=1", policy)
    s:run_until(5)
    assert.same({ "held", "refused", "refused" }, { s:job "1".state, s:job "2".state,
      s:job "3".state })
    local other = s:fork { policy = "easy" }
    other:finish()
    assert.equal("1@5 4@15 5@15", times(other)) -- nobody of ana's waits when job 5 comes
  end)
end)

describe("a user at a limit", function()
  it("is passed by others, and comes back to its place", function()
    assert.same({ 0, 10, 0, 8, 2, 12 }, first_starts("easy", "procs/user=4"))
    assert.same({ 0, 0, 0, 8, 5, 10 }, first_starts("easy"))
    -- job 6 has a reservation since 5; job 2 gets one at 10, as a job that is submitted then
    assert.same({ 0, 12, 0, 8, 2, 10 }, first_starts("conservative", "procs/user=4"))
  end)

  it("is said to be so", function()
    local s = session("easy", "procs/user=4")
    s:run_until(2)
    assert.equal("job 2: user ana is at its limit of 4 processors", tostring(s:why "2"))
    local why = s:why "2"
    assert.same({ "limit", "processors", 4, 4, "user", "ana" },
      { why.reason, why.amount, why.most, why.used, why.per, why.key })
    assert.same({ 3, 3, 0 }, { s.counts.waiting, s.counts.running, s.counts.pending })
    assert.equal("4", s:waiting()[1].id)
    assert.equal("2", s:waiting()[2].id) -- behind those of the queue
    assert.equal("job 6: with it user dan would exceed its limit of 4 processors, of which 2 are "
      .. "in use", tostring(s:why "6"))
    s = session("easy", "jobs=2")
    s:run_until(0)
    assert.equal("job 3: the machine is at its limit of 2 jobs", tostring(s:why "3"))
  end)

  it("may be one of one value, and of no value there is none", function()
    local function copy(user)
      local all = {}
      for i, job in ipairs(SIX) do
        all[i] = { id = job.id, submit = job.submit, procs = job.procs, runtime = job.runtime,
          user = user(job) }
      end
      return all
    end
    assert.same(first_starts("easy"), first_starts("easy", { { most = { procs = 4 }, per = "user",
      only = "ben" } }))
    assert.same(first_starts("easy"),
      first_starts("easy", "jobs/user=1", copy(function() end)))
    assert.same(first_starts("easy", "procs/user=4"), first_starts("easy", "procs/user:ana=4",
      copy(function(job) return job.user == "ana" and "ana" or nil end)))
  end)

  it("is not started by a dispatch function of a policy, which can ask", function()
    local function policy(asks)
      return { dispatch = function(sim)
        local all = {}
        for job in sim:waiting() do all[#all + 1] = job end
        for _, job in ipairs(all) do
          if asks and sim:can_start(job) or not asks and job.procs <= sim.free then
            sim:start(job)
          end
        end
      end }
    end
    local s = session(policy(true), "procs/user=4")
    s:finish()
    assert(s:check())
    local _, message = pcall(function() session(policy(false), "procs/user=4"):finish() end)
    assert.is_truthy(message:find("job 2 cannot be started: running jobs use a limit "
      .. "(sim:can_start tells)", 1, true))
  end)

  -- Job 2 is aside until 10; with 6 processors for a user it starts at once, at 3 none of ana's can
  -- until both are over but job 1, and job 6 would be more than dan's alone.
  it("may get more, or less, from now on", function()
    local s = session("easy", "procs/user=4")
    s:run_until(0)
    local more, less = s:fork { limit = "procs/user=6" }, s:fork { limit = "procs/user=3" }
    more:finish()
    assert(more:check())
    local by_id = {}
    for _, a in ipairs(more:schedule()) do by_id[tonumber(a.id)] = a.start end
    assert.same({ 0, 0, 0, 8, 5, 10 }, by_id)
    assert.equal("limit procs/user=3 from now on (1 job, the first is 6, needs more than there is "
      .. "from now on and cannot start)", less.history[#less.history].text)
    assert.equal("job 2: user ana is at its limit of 3 processors", tostring(less:why "2"))
    assert.error_matches(function() s:fork { limit = "procs/queue=3" } end,
      "there is no limit procs/queue to change")
    for _, most in ipairs { 3, 6, 8 } do
      assert.error_matches(function() s:fork { limit = { "procs/user=6", "procs/user=" .. most } }
        end, "limit procs/user: a change gives it once, not twice")
    end
  end)

  -- Job 6 needs 4 processors: with 3 for a user it waits until it is given 4 again.
  it("waits for a limit that was lowered to be raised", function()
    local s = session("easy", "procs/user=4")
    s:run_until(0)
    s = s:fork { limit = "procs/user=3" }
    s:run_until(60)
    assert.same({ 60, 1 }, { s.now, s.counts.waiting })
    assert.equal("job 6: with it user dan would exceed its limit of 3 processors, of which 0 are "
      .. "in use", tostring(s:why "6"))
    assert.equal(67, s:fork { limit = "procs/user=4" }:finish().makespan)
    assert.error_matches(function() s:finish() end, "starts at time 60 although 1 jobs wait")
  end)

  it("is kept for users of whom many jobs were refused before", function()
    local s = session("easy", "procs/user=4")
    s:run_until(1)
    s:submit { procs = 1, runtime = 2, user = "ana" }
    for i = 1, 1600 do -- more labels than there are keys for jobs to come
      assert.is_false((pcall(s.submit, s, { procs = 5, runtime = 1, user = "u" .. i,
        account = "a" .. i, partition = "p" .. i, qos = "q" .. i, queue = "r" .. i,
        array = "y" .. i })))
    end
    for i = 1, 3 do
      s:submit { procs = 3, runtime = 5, user = "last" }
      s:run_until(1 + i)
    end
    s:finish()
    assert(s:check())
  end)

  -- A session refuses what a comparison refuses, and starts what that starts.
  it("cannot submit what is more than it", function()
    local s = session("easy", "procs/user=3")
    local result = orrery.compare { jobs = orrery.jobs(SIX), procs = 8, policies = { "easy" },
      limit = "procs/user=3" }
    assert.equal(result:values(1, "wait_mean")[1], s:finish().wait_mean)
    assert.equal("job 1: it was refused at submission, at 0 s: it asks for 4 processors; the limit "
      .. "of user ana is 3 (s:submit takes it after a change that raises this)",
      tostring(s:why "1"))
    assert.equal("refused", s:job "6".state)
    assert.matches("refused +2 of 6 jobs need more than a limit and are refused at submission, the "
      .. "first is 1 %(procs/user=3%)", tostring(s))
    local more = s:fork { limit = "procs/user=4" }
    more:submit { id = "1", procs = 4, runtime = 5, user = "ana" }
    more:step()
    assert.equal("running", more:job "1".state)
    s = session("easy", "procs/user=4")
    local _, message = pcall(s.submit, s, { procs = 5, runtime = 1, user = "eve" })
    assert.is_truthy(tostring(message):find("needs 5 of procs/user, and the limit is 4", 1, true))
  end)
end)
