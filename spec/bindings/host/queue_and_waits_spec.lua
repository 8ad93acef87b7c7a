-- What a policy may ask about its queue (waiting_work, waiting_by_procs, waiting_by_time) and about
-- the waits of late (recent_wait), held against the same counted one by one.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"
local instances = require "spec.support.instances"
local rigid = require "spec.support.rigid"
local pick = rigid.pick

-- A userdata, which keeps a policy in this state.
local outside = orrery.jobs { { procs = 1, time = 1 } }

-- --- the reference -------------------------------------------------------------------------------

local function class_of(size)
  local class = 1
  while class < 31 and size >= 2 ^ class do class = class + 1 end
  return class
end

-- Of the jobs that wait in the group: their work, and their numbers by classes.
local function composition(sim, group)
  local parts, by_procs, by_time = 0, {}, {}
  for i = 1, 31 do by_procs[i], by_time[i] = 0, 0 end
  for job in sim:waiting(nil, group) do
    parts = parts + math.floor(job.time * 2 ^ 20 + 0.5) * job.procs
    local width, length = class_of(job.procs), class_of(job.time)
    by_procs[width] = by_procs[width] + 1
    by_time[length] = by_time[length] + 1
  end
  return parts / 2 ^ 20, by_procs, by_time
end

local function quantile(waits, probability)
  local last = table.move(waits, math.max(1, #waits - 127), #waits, 1, {})
  if #last == 0 then return nil end
  table.sort(last)
  local position = (#last - 1) * probability
  local below = math.floor(position)
  local low, high = last[below + 1], last[below + 2]
  if position == below or low == high then return low end
  return low + (position - below) * (high - low)
end

local function same(expected, found, what, sim, group)
  if expected ~= found then
    error(("at %.17g s, %s of %s: %s, not %s"):format(sim.now, what, tostring(group),
      tostring(found), tostring(expected)), 0)
  end
end

local function compare_group(sim, group)
  local work, by_procs, by_time = composition(sim, group)
  same(work, sim:look(group).waiting_work, "waiting_work", sim, group)
  if sim.group == group then same(work, sim.waiting_work, "sim.waiting_work", sim, group) end
  for name, expected in pairs { waiting_by_procs = by_procs, waiting_by_time = by_time } do
    local found = sim[name](sim, group)
    same(#expected, #found, "#" .. name, sim, group)
    for i = 1, 31 do same(expected[i], found[i], name .. " " .. i, sim, group) end
  end
  -- while one group decides, on_start is still to be called for what the other one has started
  if sim.state.deciding and sim.group ~= group then return work end
  for _, probability in ipairs { 0, 0.25, 0.5, 0.9, 1, math.random() } do
    same(quantile(sim.state.waits[group], probability), sim:recent_wait(probability, group),
      "recent_wait " .. probability, sim, group)
  end
  return work
end

local asked = 0 -- times

local function compare(sim)
  if math.random(1, 3) < 3 then return end -- nobody asks everywhere
  asked = asked + 1
  local all = 0
  for _, group in ipairs(sim.groups) do all = all + compare_group(sim, group) end
  if not sim.group then same(all, sim.waiting_work, "waiting_work", sim, "all") end
end

-- --- a policy that does all there is to do -------------------------------------------------------

local function note_start(sim, job)
  local state = sim.state
  if job.attempts ~= 1 or state.noted[job.position] then return end
  state.noted[job.position] = true
  local waits = state.waits[job.group]
  waits[#waits + 1] = sim.now - job.submit
end

local function one_of(list) return #list > 0 and list[math.random(1, #list)] or nil end

local function listed(iterator)
  local list = {}
  for job in iterator do list[#list + 1] = job end
  return list
end

local function move(sim, job)
  local group = one_of(sim.groups)
  if job.procs <= sim:look(group).procs then sim:move(job, group) end
end

-- Something with one job of the group, once in a while.
local function act(sim, group)
  local job = one_of(listed(sim:waiting(nil, group)))
  local running = one_of(sim:running(group))
  if running and running.start == sim.now then running = nil end -- on_start is still to be called
  local what = math.random(1, 24)
  if job and what <= 2 then
    sim.state.held[#sim.state.held + 1] = job.position
    sim:hold(job)
    sim:wake_at(sim.now + 7)
  elseif job and what == 3 then
    move(sim, job)
  elseif running and what == 4 then
    sim:requeue(running)
  elseif running and what == 5 then
    move(sim, running)
  elseif running and what == 6 and sim.state.kills < 5 then
    sim.state.kills = sim.state.kills + 1
    sim:kill(running)
  end
end

local function release(sim)
  for _, position in ipairs(sim.state.held) do
    local job = sim:job(position)
    if job.state == "held" then sim:release(job) end
  end
  sim.state.held = {}
end

local function dispatch(sim)
  local _ = outside
  local blocked = false
  sim.state.deciding = true
  compare(sim)
  for job in sim:waiting() do
    if not blocked and sim:can_start(job) then
      sim:start(job)
      note_start(sim, job)
      compare(sim)
    elseif math.random(1, 4) > 1 then
      blocked = true
    end
  end
  sim.state.deciding = false
end

local DISPATCHES = {
  dispatch, dispatch, { discipline = "list", reservations = 1 }, { discipline = "conservative" },
  { discipline = "list" }, { discipline = "list", reservations = "all" }, { discipline = "shelf" },
}

local function key(job, view)
  if view.group and job.position % 3 == 0 then -- also while a queue is being ordered
    local work = view.waiting_work
    assert(work >= 0 and (work > 0 or view.waiting_count == 0))
  end
  return job.position * 7 % 5 + (view.now - job.submit) % 3
end

local function shortest_first(job) return -job.time end

local function policy_of(rng)
  local groups = { { name = "one" }, { name = "two", procs = 3, extra = true } }
  groups[2].dispatch = pick(rng, DISPATCHES)
  local own = pick(rng, DISPATCHES)
  local per = pick(rng, { "attempt", "decision" })
  local backfilling = type(own) == "table" and own.reservations == 1
  local backfill = backfilling and rng:integer(0, 1) == 1 and shortest_first or nil
  if rng:integer(0, 2) == 0 then groups = nil else groups[1].backfill = backfill end
  return {
    name = "asking", per = per, priority = rng:integer(0, 1) == 1 and key or nil,
    dispatch = own, groups = groups,
    backfill = not groups and backfill or nil,
    init = function(sim)
      local _ = outside
      sim.state.waits, sim.state.noted, sim.state.held, sim.state.kills = {}, {}, {}, 0
      for _, group in ipairs(sim.groups) do sim.state.waits[group] = {} end
    end,
    on_start = note_start,
    on_submit = function(sim)
      compare(sim)
      sim:wake_at(sim.now + 13)
    end,
    on_end = function(sim) compare(sim) end,
    on_timer = function(sim)
      compare(sim)
      release(sim)
      compare(sim)
      for _, group in ipairs(sim.groups) do act(sim, group) end
      compare(sim)
    end,
  }
end

-- --- instances -----------------------------------------------------------------------------------

local function job_of(rng)
  local time = rng:integer(1, 80) / pick(rng, { 1, 1, 10, 3 })
  return {
    procs = rng:integer(1, 3) == 1 and rng:integer(1, 8) or rng:integer(1, 3), runtime = time,
    submit = rng:integer(0, 300), walltime = time * pick(rng, { 1, 1.5, 4, 0.7 }),
  }
end

local function session_of(seed)
  local rng = orrery.random(seed)
  local jobs = {}
  for i = 1, pick(rng, { 30, 60, 300 }) do
    jobs[i] = job_of(rng)
    jobs[i].id = "j" .. i
  end
  local fails = rng:integer(0, 1) == 1
  return orrery.session {
    jobs = orrery.jobs(jobs), procs = 8, policy = policy_of(rng), seed = seed,
    errors = rng:integer(0, 1) == 1 and { rate = 2e-3 } or nil, walltimes = "log",
    node_failures = fails and { mtbf = 800, repair = 10 } or nil,
  }, rng
end

local function change(session, rng)
  local what, position = rng:integer(1, 4), rng:integer(1, 30)
  local state = session:job(position).state
  if what == 1 and state ~= "over" then
    session:change { cancel = position }
  elseif what == 2 and (state == "waiting" or state == "pending") then
    session:change { runtime = { [position] = rng:integer(1, 90) + 0.1 } }
  elseif what == 3 then
    session:change { submit = { { procs = rng:integer(1, 5), time = rng:integer(1, 50) / 7 } } }
  elseif what == 4 then
    session:change { procs = { procs = rng:integer(4, 7), ["until"] = session.now + 40 } }
  end
end

local function lines(session)
  local text = {}
  for i, attempt in ipairs(session:schedule()) do
    text[i] = ("%s %.17g-%.17g %s"):format(attempt.id, attempt.start, attempt.finish,
      attempt.outcome)
  end
  return table.concat(text, "\n")
end

describe("the queue and the recent waits, as a policy asks for them,", function()
  it("are what is counted one by one, in all that happens to jobs #long", function()
    local failed, interrupted, seeds = 0, 0, rounds(120, 30, 8)
    for seed = 1, seeds do
      local session, rng = session_of(seed)
      session:run_until(rng:integer(0, 200))
      local other = session:fork()
      for _ = 1, 4 do
        change(session, rng)
        session:run_until(session.now + rng:integer(0, 60))
      end
      session:back_to(math.max(0, session.now - rng:integer(0, 100)))
      local metrics = session:finish()
      failed, interrupted = failed + metrics.failures, interrupted + metrics.interruptions
      local again = other:fork()
      other:finish()
      again:finish()
      assert.equal(lines(other), lines(again))
    end
    assert.is_true(asked > 40 * seeds)
    assert.is_true(failed > seeds and interrupted > 10 * seeds, failed .. " " .. interrupted)
  end)
end)

-- --- by hand -------------------------------------------------------------------------------------

-- Runs the jobs in their order on 4 processors, and returns what `look` returned for every
-- submission.
local function seen_at_submissions(jobs, look, more)
  local seen = {}
  local policy = { name = "looking", dispatch = { discipline = "fcfs" },
    on_submit = function(sim)
      local _ = outside
      seen[#seen + 1] = look(sim)
    end }
  for name, value in pairs(more or {}) do policy[name] = value end
  orrery.session { jobs = orrery.jobs(jobs), procs = 4, policy = policy }:finish()
  return seen
end

local function jobs_at(submits, procs, time)
  local jobs = {}
  for i, submit in ipairs(submits) do jobs[i] = { submit = submit, procs = procs, time = time } end
  return jobs
end

describe("what a policy is told of its queue", function()
  it("is the sum of the areas, and numbers of jobs from 2^(i-1) to below 2^i", function()
    local jobs = { { procs = 4, time = 100 }, { procs = 1, time = 1.5 }, { procs = 2, time = 2 },
      { procs = 3, time = 3.75 }, { procs = 4, time = 0.25 } }
    local seen = seen_at_submissions(jobs, function(sim)
      return { sim.waiting_work, sim:waiting_by_procs(), sim:waiting_by_time() }
    end)
    local last = seen[5] -- on_submit comes one by one, before anything starts
    assert.equal(400 + 1.5 + 4 + 11.25 + 1, last[1])
    assert.same({ 1, 2, 2 }, { table.unpack(last[2], 1, 3) })
    assert.same({ 2, 2, 0, 0, 0, 0, 1, 0 }, { table.unpack(last[3], 1, 8) })
    assert.equal(400, seen[1][1])
  end)

  it("knows times of more than 2^31 s, and counts those of more than 2^43 s as that", function()
    local jobs = { { procs = 1, time = 2 ^ 31 - 1 }, { procs = 1, time = 2 ^ 40 },
      { procs = 3, time = 1e15 } }
    local seen = seen_at_submissions(jobs, function(sim)
      return { sim.waiting_work, sim:waiting_by_time()[31], #sim:waiting_by_time() }
    end)
    assert.same({ { 2 ^ 31 - 1, 1, 31 }, { 2 ^ 31 - 1 + 2 ^ 40, 2, 31 },
      { 2 ^ 31 - 1 + 2 ^ 40 + 3 * 2 ^ 43, 3, 31 } }, seen)
  end)

  it("is that of a priority, too, which is computed while jobs are ordered", function()
    local function metrics(priority)
      local session = orrery.session { jobs = orrery.read "sample-2019-06", walltimes = "log",
        policy = { name = "p", per = "decision", priority = priority,
          dispatch = { discipline = "list", reservations = 1 } } }
      session:run_until "2019-06-08"
      return session:finish()
    end
    -- the shortest first where much waits, the widest first elsewhere
    local by_work = metrics(function(job, view)
      return view.waiting_work > 3e9 and -job.time or job.procs
    end)
    local counted = metrics(function(job, view)
      local work = 0
      for other in view:waiting() do work = work + other.area end
      return work > 3e9 and -job.time or job.procs
    end)
    assert.same(counted, by_work)
  end)
end)

describe("recent_wait", function()
  it("interpolates between the waits of first starts, from the submission on", function()
    -- one after the other for 10 s each: waits of 0, 9, 18 and 27 s
    local jobs = jobs_at({ 0, 1, 2, 3, 35 }, 4, 10)
    local seen = seen_at_submissions(jobs, function(sim)
      return { sim:recent_wait(0) or "none", sim:recent_wait(0.5), sim:recent_wait(1) }
    end)
    assert.same({ { "none" }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 13.5, 27 } }, seen)
  end)

  it("forgets all but the last 128", function()
    -- the first 100 wait for long, the 130 behind them not at all
    local submits = {}
    for i = 1, 230 do submits[i] = i <= 100 and 0 or 10 * i end
    local seen = seen_at_submissions(jobs_at(submits, 4, 10), function(sim)
      return { sim:recent_wait(0), sim:recent_wait(1) }
    end)
    assert.same({ 0, 990 }, seen[101])
    assert.same({ 0, 990 }, seen[228]) -- of 100 - 227
    assert.same({ 0, 0 }, seen[229])
  end)

  it("counts an attempt that is made anew once", function()
    local seen = seen_at_submissions(jobs_at({ 0, 4, 30 }, 4, 10), function(sim)
      for _, job in ipairs(sim:running()) do sim:requeue(job) end
      return { sim:recent_wait(0), sim:recent_wait(1) }
    end)
    assert.same({ {}, { 0, 0 }, { 0, 10 } }, seen) -- not 4 s, at which the first began anew
  end)

  it("goes on for another policy that takes over, where its group has the name", function()
    local seen
    local session = orrery.session { jobs = orrery.jobs(jobs_at({ 0, 1, 2, 40 }, 4, 10)),
      procs = 4, policy = "easy" }
    session:run_until(30)
    local function look(name)
      return { name = "other", groups = { { name = name } }, dispatch = { discipline = "fcfs" },
        on_submit = function(sim)
          local _ = outside
          seen = sim:recent_wait(1) or "none"
        end }
    end
    session:fork({ policy = look "main" }):finish()
    assert.equal(18, seen)
    session:fork({ policy = look "own" }):finish()
    assert.equal("none", seen)
  end)

  it("refuses what is no probability, and a place in no group", function()
    local function message(call)
      return seen_at_submissions(jobs_at({ 0 }, 1, 1), function(sim)
        return select(2, pcall(call, sim))
      end)[1]
    end
    for _, wrong in ipairs { -0.1, 1.1, 0 / 0, math.huge } do
      assert.matches("a quantile's probability is in %[0, 1%]",
        message(function(sim) sim:recent_wait(wrong) end))
    end
    assert.matches("number expected, got no value", message(function(sim) sim:recent_wait() end))
    assert.matches("there is no group 'x' %(known: main%)",
      message(function(sim) sim:recent_wait(0.5, "x") end))
    assert.matches("there is no group 'x'", message(function(sim) sim:waiting_by_procs "x" end))
    assert.matches("there is no group 'x'", message(function(sim) sim:waiting_by_time "x" end))
  end)
end)

describe("sim:startable", function()
  -- The first job that cannot start has a reservation; of the others those start that leave it
  -- free, one by one, but for every third.
  local function starts(instance, loop)
    local policy = { name = "EASY", dispatch = function(sim)
      for job in sim:waiting() do
        if not sim:can_start(job) then
          sim:reserve(job)
          break
        end
        sim:start(job)
      end
      loop(sim)
    end }
    local session = orrery.session(rigid.spec(instance, { policy = policy }))
    session:finish()
    return session:schedule()
  end

  local function by_fitting(sim)
    for job in sim:fitting() do
      if sim:can_start(job) and job.position % 3 > 0 then sim:start(job) end
    end
  end

  local function by_startable(sim)
    for job in sim:startable() do
      assert(sim:can_start(job))
      if job.position % 3 > 0 then sim:start(job) end
    end
  end

  -- Of 4 processors A has 3 until 10. B waits for all. C would delay it, D ends when A does, and
  -- then E has no processor.
  it("gives the jobs that can start when their turn comes (by hand)", function()
    local instance = { procs = 4, list = {
      { procs = 3, time = 10, submit = 0 }, { procs = 4, time = 5, submit = 1 },
      { procs = 1, time = 10, submit = 1 }, { procs = 1, time = 9, submit = 1 },
      { procs = 1, time = 2, submit = 1 },
    } }
    local schedule, found = starts(instance, function(sim)
      for job in sim:startable() do sim:start(job) end
    end), {}
    for _, attempt in ipairs(schedule) do found[attempt.position] = attempt.start end
    assert.same({ 0, 10, 15, 1, 15 }, found)
  end)

  it("gives those of sim:fitting that can start, on random instances", function()
    local rng = orrery.random(51)
    for _ = 1, rounds(400) do
      local instance = instances.random(rng, { n = 25 })
      assert.is_nil(rigid.difference(starts(instance, by_startable), starts(instance, by_fitting)))
    end
  end)
end)

describe("a policy that follows its queue and its waits", function()
  it("has the same results with any number of threads", function()
    local policy = { name = "following",
      dispatch = function(sim)
        local most = (sim:recent_wait(0.75) or 0) + sim.waiting_work / sim.procs
        for job in sim:fitting() do
          if job.time <= most or sim:waiting_by_procs()[1] < 3 then sim:start(job) end
        end
        if sim.running_count == 0 then
          for job in sim:fitting() do sim:start(job) end
        end
      end }
    local function table_of(threads)
      local jobs = {}
      for i = 1, 200 do
        jobs[i] = { procs = 1 + i * 7 % 8, time = 10 + i * 37 % 90, submit = 4 * i }
      end
      local result = orrery.compare { jobs = orrery.jobs(jobs), procs = 16, runs = 21,
        errors = { rate = 1e-4 }, policies = { policy, "easy" }, threads = threads }
      return result:csv()
    end
    local one = table_of(1)
    assert.equal(one, table_of(2))
    assert.equal(one, table_of(7))
  end)
end)
