-- Why a job waits: s:why against a computation of its own. That one takes a state apart (who runs
-- until when by plan, who waits in which order), and plans once as it is, and once with the job
-- running from now on. It knows nothing of the kernel's plans.
local naive_conservative = require "spec.support.naive_conservative"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"
local temporary = require "spec.support.temporary"

-- --- plans, naively -----------------------------------------------------------------------------

local function free_at(procs, held, time)
  for _, one in ipairs(held) do
    if one.from <= time and time < one.till then procs = procs - one.procs end
  end
  return procs
end

local function fits(procs, held, from, till, wanted)
  if free_at(procs, held, from) < wanted then return false end
  for _, one in ipairs(held) do
    local inside = from < one.from and one.from < till
    if inside and free_at(procs, held, one.from) < wanted then return false end
  end
  return true
end

local function earliest(procs, held, now, job)
  local times = { now }
  for _, one in ipairs(held) do
    if one.till > now then times[#times + 1] = one.till end
  end
  table.sort(times)
  for _, time in ipairs(times) do
    if fits(procs, held, time, time + job.time, job.procs) then return time end
  end
end

local function hold(held, job, from)
  held[#held + 1] = { from = from, till = from + job.time, procs = job.procs }
end

-- Planned starts by position: of the first `most` that cannot start now, and of who starts now.
local function plan_list(state, most)
  local planned, reserved = {}, 0
  for _, job in ipairs(state.queue) do
    local time = earliest(state.procs, state.held, state.now, job)
    if time == state.now or reserved < most then
      planned[job.position] = time
      hold(state.held, job, time)
      if time > state.now then reserved = reserved + 1 end
    end
  end
  return planned
end

local function plan_fcfs(state)
  local planned = {}
  for _, job in ipairs(state.queue) do
    local time = earliest(state.procs, state.held, state.now, job)
    planned[job.position] = time
    if time > state.now then return planned end
    hold(state.held, job, time)
  end
  return planned
end

-- Who is first behind those that start begins the next shelf.
local function plan_shelf(state)
  local planned, first = {}, state.queue[1]
  if #state.held == 0 then
    planned, first = plan_fcfs(state), nil
    for _, job in ipairs(state.queue) do
      if planned[job.position] ~= state.now then
        first = job
        break
      end
    end
  end
  local last = state.now
  for _, one in ipairs(state.held) do last = math.max(last, one.till) end
  if first then planned[first.position] = last end
  return planned
end

-- Who has a reservation keeps it, or gets another one, by reading 34.
local function plan_conservative(state)
  local planned, kept, positions, jobs = {}, {}, {}, {}
  for i, job in ipairs(state.queue) do
    positions[i], jobs[job.position] = job.position, job
    kept[job.position] = job.reserved
      and naive_conservative.hold(job.reserved, job.reserved + job.time, job.procs)
  end
  naive_conservative.decide {
    now = state.now, procs = state.procs, held = state.held, queue = positions, kept = kept,
    free = function() return free_at(state.procs, state.held, state.now) end,
    freed = state.changed, is_new = function() return true end,
    wanted = function(position, time)
      local job = jobs[position]
      return naive_conservative.hold(time, time + job.time, job.procs)
    end,
    start = function(position) hold(state.held, jobs[position], state.now)
      planned[position] = state.now end,
    promise = function() end,
  }
  for position, one in pairs(kept) do planned[position] = one.from end
  return planned
end

-- EASY as a policy's own function.
local function easy(sim)
  local reserved = false
  for job in sim:waiting() do
    if sim:can_start(job) then
      sim:start(job)
    elseif not reserved then
      sim:reserve(job)
      reserved = true
    end
  end
end

local CASES = {
  { name = "EASY", policy = "easy", plan = function(state) return plan_list(state, 1) end },
  { name = "EASY in Lua", policy = { name = "mine", dispatch = easy },
    plan = function(state) return plan_list(state, 1) end },
  { name = "list(3)", policy = { name = "three", dispatch = { discipline = "list",
    reservations = 3 } }, plan = function(state) return plan_list(state, 3) end },
  { name = "list(all)", policy = { name = "all", dispatch = { discipline = "list",
    reservations = "all" } }, plan = function(state) return plan_list(state, math.huge) end },
  { name = "greedy", policy = "greedy", plan = function(state) return plan_list(state, 0) end },
  { name = "FCFS", policy = "fcfs", plan = plan_fcfs },
  { name = "shelf", policy = { name = "shelf", dispatch = { discipline = "shelf" } },
    plan = plan_shelf },
  { name = "conservative", policy = "conservative", plan = plan_conservative },
}

-- --- random states ------------------------------------------------------------------------------

local function workload(rng, procs)
  local list, time = {}, 0
  for i = 1, rng:integer(6, 16) do
    local runtime = rng:integer(1, 30)
    time = time + rng:integer(0, 6)
    list[i] = { submit = time, procs = rng:integer(1, rng:integer(1, procs)), runtime = runtime,
      walltime = runtime + rng:integer(0, 2) * rng:integer(0, 20) }
  end
  return orrery.jobs(list)
end

-- A state somewhere on the way; half of them right behind a change, before the decision on it.
local function random_session(rng, policy)
  local procs = rng:integer(2, 9)
  local s = orrery.session { jobs = workload(rng, procs), procs = procs, policy = policy,
    walltimes = "log" }
  for _ = 1, rng:integer(3, 20) do
    if not s:step() then break end
  end
  if rng:integer(1, 4) == 1 and s.next_event < math.huge then
    s:run_until(s.now + (s.next_event - s.now) / 2)
  end
  local running = s:running()
  local changed = #running > 0 and rng:integer(0, 1) == 1
  if changed then s:change { cancel = running[rng:integer(1, #running)].position } end
  return s, procs, changed
end

-- The parts of a state; `forced` runs from now on.
local function state_of(s, procs, changed, forced)
  local state = { now = s.now, procs = procs, queue = {}, held = {}, changed = changed }
  for _, job in ipairs(s:running()) do
    state.held[#state.held + 1] = { from = job.start, till = job.planned_end, procs = job.procs }
  end
  for _, job in ipairs(s:waiting()) do
    if job.position == forced then
      hold(state.held, job, s.now)
      state.changed = true
    else
      state.queue[#state.queue + 1] = job
    end
  end
  return state
end

local function expected_delays(s, before, after, forced)
  local now, later = {}, {}
  for _, job in ipairs(s:waiting()) do
    local planned, delayed = before[job.position], after[job.position]
    if job.position ~= forced and planned and not (delayed and delayed <= planned) then
      local list = planned == s.now and now or later
      list[#list + 1] = { id = job.id, position = job.position, planned = planned,
        delayed = delayed or math.huge }
    end
  end
  table.sort(now, function(a, b) return a.position < b.position end)
  return table.move(later, 1, #later, #now + 1, now)
end

-- What starts at this instant if it goes on.
local function starts_next(s)
  local fork, started = s:fork(), {}
  fork:step()
  if fork.now > s.now then return started, false end
  for _, attempt in ipairs(fork:schedule()) do
    if attempt.start == s.now then started[attempt.position] = true end
  end
  return started, true
end

describe("s:why agrees with a plan of its own, in many states:", function()
  for number, case in ipairs(CASES) do
    it(case.name, function()
      local rng = orrery.random(number)
      local seen, count = {}, rounds(1000, 250, 20)
      for _ = 1, count do
        local s, procs, changed = random_session(rng, case.policy)
        local before = case.plan(state_of(s, procs, changed))
        local started, decides = starts_next(s)
        for _, job in ipairs(s:waiting()) do
          local why = s:why(job.position)
          local free = s.free
          seen[why.reason] = (seen[why.reason] or 0) + 1
          if decides then
            assert.equal(started[job.position] or false, why.reason == "nothing", why.text)
          end
          assert.equal(before[job.position] == s.now, why.reason == "nothing", why.text)
          if why.reason == "nothing" then
            assert.same({}, why.delays)
          elseif job.procs > free then
            assert.equal("full", why.reason)
            assert.same({ job.procs, free }, { why.procs, why.free })
          else
            local after = case.plan(state_of(s, procs, changed, job.position))
            assert.same(expected_delays(s, before, after, job.position), why.delays)
          end
        end
      end
      assert.truthy(seen.nothing and seen.full)
      if case.name ~= "greedy" then
        assert.truthy((seen.delay or seen.order or 0) > math.min(50, count / 5))
      end
    end)
  end
end)

-- What no plan of its own is here for: particular processors, groups, orders that change.
local OTHERS = {
  { name = "EASY on contiguous processors", policy = "easy:place=contiguous" },
  { name = "conservative on contiguous processors", policy = "conservative:place=contiguous" },
  { name = "FCFS on nodes", policy = { name = "nodes", dispatch = { discipline = "fcfs",
    place = "nodes", node_procs = 2 } } },
  { name = "an order that changes", policy = { name = "aging", per = "decision", dispatch = "easy",
    priority = function(job, sim) return (sim.now - job.submit) / job.time end } },
  { name = "backfilling in another order", policy = "easy-sjf" },
  { name = "two groups", policy = { name = "two", groups = { { name = "one", procs = 1,
    extra = true, dispatch = "fcfs" }, { name = "rest", dispatch = "easy" } },
    on_submit = function(sim, job) if job.procs > 1 then sim:move(job, "rest") end end } },
}

describe("s:why says that nothing hinders exactly the jobs that start:", function()
  for number, case in ipairs(OTHERS) do
    it(case.name, function()
      local rng, nothing, others = orrery.random(100 + number), 0, 0
      local count = rounds(800, 200, 50)
      for _ = 1, count do
        local s = random_session(rng, case.policy)
        local started, decides = starts_next(s)
        for _, job in ipairs(decides and s:waiting() or {}) do
          local why = s:why(job.position)
          assert.equal(started[job.position] or false, why.reason == "nothing", why.text)
          nothing = nothing + (why.reason == "nothing" and 1 or 0)
          others = others + (why.reason ~= "nothing" and 1 or 0)
          for _, one in ipairs(why.delays) do assert.is_true(one.delayed > one.planned) end
        end
      end
      assert.is_true(nothing > math.min(10, count / 20) and others > math.min(50, count / 4))
    end)
  end
end)

describe("s:why in words", function()
  local function session(list, fields)
    local spec = { jobs = orrery.jobs(list), procs = 10, policy = "easy", walltimes = "log" }
    for key, value in pairs(fields or {}) do spec[key] = value end
    return orrery.session(spec)
  end

  local LIST = {
    { id = "a", procs = 6, runtime = 3600, walltime = 3600 },
    { id = "wide", procs = 10, runtime = 600, walltime = 600, submit = 10 },
    { id = "long", procs = 4, runtime = 4310, walltime = 4310, submit = 20 },
    { id = "later", procs = 1, runtime = 5, walltime = 5, submit = 9000 },
  }

  local function says(expected, s, job, reason)
    local why = s:why(job)
    assert.equal(expected, why.text)
    assert.equal(expected, tostring(why))
    assert.equal(reason, why.reason)
    return why
  end

  it("tells what is reserved, and who would be delayed by how much", function()
    local s = session(LIST)
    s:run_until(20)
    says("job a: it does not wait, it runs", s, "a", "running")
    local wide = says("job wide: it needs 10 processors, 4 of the machine are free; reserved for "
      .. "60.0 min on 10 processors", s, "wide", "full")
    assert.equal(3600, wide.reserved)
    local long = says("job long: it fits, but is blocked by job wide: starting it now would delay "
      .. "job wide by 12.2 min, from 60.0 min to 72.2 min; by plan it fits at 70.0 min at the "
      .. "earliest", s, "long", "delay")
    assert.same({ { id = "wide", position = 2, planned = 3600, delayed = 4330 } }, long.delays)
    assert.equal("wide", long.blocker)
    says("job later: it is not submitted yet: that is at 2.50 h", s, "later", "pending")
    s:change { cancel = "a" }
    says("job wide: nothing hinders it: a decision starts it now", s, "wide", "nothing")
    s:finish()
    says("job a: it does not wait, it is over", s, "a", "over")
  end)

  it("tells of strict order and of shelves", function()
    local s = session(LIST, { policy = "fcfs" })
    s:run_until(20)
    says("job long: it fits, but nobody passes job wide; starting it now would delay job wide by "
      .. "12.2 min, from 60.0 min to 72.2 min", s, "long", "order")
    s = session(LIST, { policy = { name = "shelf", dispatch = { discipline = "shelf" } } })
    s:run_until(10)
    s:change { cancel = "wide" }
    s:run_until(20)
    says("job long: the shelf that runs must be over before it begins the next, at 60.0 min", s,
      "long", "order")
    s:back_to(9)
    s:run_until(20)
    says("job long: it fits, but nobody passes job wide; starting it now would delay job wide by "
      .. "12.2 min, from 60.0 min to 72.2 min", s, "long", "order")
  end)

  it("tells of jobs that start first", function()
    for _, policy in ipairs { "fcfs", { name = "shelf", dispatch = { discipline = "shelf" } } } do
      local s = session({ { id = "a", procs = 10, runtime = 50 },
        { id = "b", procs = 6, runtime = 5, submit = 1 },
        { id = "c", procs = 6, runtime = 5, submit = 2 } }, { policy = policy })
      s:run_until(2)
      s:change { cancel = "a" }
      says("job b: nothing hinders it: a decision starts it now", s, "b", "nothing")
      says("job c: it fits, but nobody passes job b; starting it now would delay job b by 5 s, "
        .. "from 2 s to 7 s", s, "c", "order")
    end
  end)

  it("tells of processors that are out, and of groups", function()
    local s = session(LIST)
    s:run_until(20)
    s:change { fault = { processor = 9, repair = 5000 } }
    says("job wide: it needs 10 processors, the machine has 9 in service (1 failed); reserved for "
      .. "83.7 min on 10 processors", s, "wide", "capacity")
    s:step()
    s:change { procs = 8 }
    says("job wide: it needs 10 processors, the machine has 8 in service (2 drained); "
      .. "nothing says when it can start", s, "wide", "capacity")
    s = session(LIST, { policy = { name = "two", groups = { { name = "small", procs = 2,
      dispatch = "easy" }, { name = "big", dispatch = "easy" } }, on_submit = function(sim, job)
        if job.procs > 2 then sim:move(job, "big") end
      end }, procs = 12 })
    s:run_until(20)
    says("job wide: it needs 10 processors, 4 of group big are free; reserved for 60.0 min on 10 "
      .. "processors", s, "wide", "full")
  end)

  it("tells what a policy of one's own holds, or just leaves", function()
    local s = session(LIST, { policy = { name = "mine", dispatch = function(sim)
      for job in sim:fitting() do
        if job.procs == 6 then sim:start(job) end
      end
    end, on_submit = function(sim, job)
      if job.id == "wide" then sim:hold(job) end
    end } })
    s:run_until(20)
    says("job wide: the policy holds it, until it is released or moved", s, "wide", "held")
    says("job long: it fits and would delay nobody that has a planned start; the policy lets it "
      .. "wait; by plan it fits at 20 s at the earliest", s, "long", "policy")
  end)

  it("tells what the log says, and what a job comes after", function()
    local s = session({ { id = "x", procs = 2, runtime = 5, submit = 0, wait = 50 } },
      { policy = "recorded" })
    s:run_until(1)
    says("job x: the log tells that it starts at 50 s", s, "x", "log")
    local log = temporary.file("F", "1 0 -1 5 2 -1 -1 2 5 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
      .. "2 1 -1 5 2 -1 -1 2 5 -1 1 -1 -1 -1 -1 -1 1 3\n", orrery.read, { dependencies = true })
    s = orrery.session { jobs = log, procs = 4, dependencies = true }
    s:run_until(2)
    says("job 2: it is not submitted yet: it comes after jobs that are not over (1+3)", s, "2",
      "pending")
  end)

  it("leaves everything as it is", function()
    local asked = 0
    local function policy()
      return { name = "telling", init = function(sim) sim.state.calls = 0 end,
        dispatch = function(sim)
          sim.state.calls = sim.state.calls + 1
          sim:note { calls = sim.state.calls }
          easy(sim)
        end }
    end
    local one, other = session(LIST, { policy = policy() }), session(LIST, { policy = policy() })
    repeat
      for _, job in ipairs(one:waiting()) do
        asked = asked + 1
        one:why(job.id)
      end
      other:step()
    until not one:step()
    assert.is_true(asked > 2)
    assert.same(other:schedule(), one:schedule())
    assert.same(other.notes, one.notes)
    assert.same(other.state, one.state)
  end)

  it("refuses what is not there", function()
    assert.has_error(function() session(LIST):why "b" end)
    assert.has_error(function() session(LIST):why(9) end)
    assert.has_error(function() orrery.session { tasks = { n = 3 }, procs = 12 }:why(1) end)
  end)
end)
