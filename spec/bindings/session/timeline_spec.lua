-- Busy processors and waiting jobs over time, and what became of every user's jobs.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

-- The state at an instant, counted from the schedule.
local function state_at(instance, schedule, time)
  local state = { time = time, busy = 0, running = 0, waiting = 0, waiting_procs = 0 }
  local submitted, gone = {}, {}
  for i, job in ipairs(instance.list) do submitted[i] = job.submit <= time end
  for _, a in ipairs(schedule) do
    if a.start <= time and (a.finish > time or a.outcome == "running") then
      state.busy = state.busy + instance.list[a.position].procs
      state.running = state.running + 1
      gone[a.position] = true
    elseif a.start <= time and a.outcome ~= "failed" then
      gone[a.position] = true
    end
  end
  for i, job in ipairs(instance.list) do
    if submitted[i] and not gone[i] then
      state.waiting, state.waiting_procs = state.waiting + 1, state.waiting_procs + job.procs
    end
  end
  return state
end

describe("a session's timeline", function()
  it("worked by hand", function()
    -- Two processors, FCFS. A 0-10 on one, B 5-10 waits for both, 10-12; C asks for one, 12-15. It
    -- takes no time from 15 to 15 for D.
    local s = orrery.session { procs = 2, policy = "fcfs", jobs = orrery.jobs {
      { procs = 1, time = 10, submit = 0 }, { procs = 2, time = 2, submit = 5 },
      { procs = 1, time = 3, submit = 6 }, { procs = 1, time = 0, submit = 15 },
    } }
    local function step(time, busy, running, waiting, waiting_procs)
      return { time = time, busy = busy, running = running, waiting = waiting,
        waiting_procs = waiting_procs }
    end
    assert.same({}, s:timeline())
    s:run_until(6)
    local steps = { step(0, 1, 1, 0, 0), step(5, 1, 1, 1, 2), step(6, 1, 1, 2, 3) }
    assert.same(steps, s:timeline())
    s:run_until(9)
    assert.same(steps, s:timeline())
    s:finish()
    table.insert(steps, step(10, 2, 1, 1, 1))
    table.insert(steps, step(12, 1, 1, 0, 0))
    table.insert(steps, step(15, 0, 0, 0, 0))
    assert.same(steps, s:timeline())
  end)

  it("is the state that the schedule tells, at every instant", function()
    local rng = orrery.random(91)
    for _ = 1, rounds(150, 150, 20) do
      local instance = instances.random(rng, { n = 10 })
      local s = orrery.session(rigid.spec(instance, {
        policy = rigid.pick(rng, { "dispatch/easy", "dispatch/greedy", "dispatch/shelf" }),
      }))
      if rng:integer(0, 1) == 1 then s:run_until(rng:uniform(0, 30)) else s:finish() end
      local schedule, steps, busy_time = s:schedule(), s:timeline(), 0
      for i, step in ipairs(steps) do
        assert.same(state_at(instance, schedule, step.time), step)
        local before = steps[i - 1]
        if before then
          assert.is_true(before.time < step.time)
          busy_time = busy_time + before.busy * (step.time - before.time)
          local middle = state_at(instance, schedule, (before.time + step.time) / 2)
          middle.time = before.time
          assert.same(before, middle) -- nothing is left out
        end
      end
      if s.over then
        local m = s:finish()
        assert.near(busy_time, m.utilisation * m.makespan * instance.procs, 1e-6)
        assert.equal(0, steps[#steps].waiting + steps[#steps].busy)
      end
    end
  end)
end)

describe("users", function()
  local NAMES = { "ann", "bob", "cy, the 3rd", nil }

  local function random_log(seed)
    local rng, list = orrery.random(seed), {}
    for i = 1, 80 do
      list[i] = { submit = rng:uniform(0, 4000), procs = rng:integer(1, 8),
        time = rng:uniform(0, 300), user = NAMES[rng:integer(1, 4)] }
    end
    return orrery.jobs(list)
  end

  it("have the means over their jobs, most work first", function()
    for _, warmup in ipairs { 0, 500 } do
      local jobs = random_log(3)
      local spec = { jobs = jobs, procs = 8, policy = "easy", warmup = warmup }
      local result, first = orrery.compare(spec), math.huge
      for _, job in ipairs(jobs) do first = math.min(first, job.submit) end
      local expected = {}
      for i, job in ipairs(jobs) do
        local name = job.user or ""
        local u = expected[name]
          or { jobs = 0, work = 0, wait = 0, flow = 0, bsld = 0, longest = 0 }
        if job.submit >= first + warmup then
          expected[name] = u
          u.jobs, u.work = u.jobs + 1, u.work + job.area
          for _, what in ipairs { "wait", "flow", "bsld" } do
            u[what] = u[what] + result:jobs(1, what)[i]
          end
          u.longest = math.max(u.longest, result:jobs(1, "wait")[i])
        end
      end
      local users, last, count = result:users(1), math.huge, 0
      assert.equal(4, #users)
      for _, u in ipairs(users) do
        local e = expected[u.user or ""]
        assert.is_true(u.work <= last)
        last, count = u.work, count + u.jobs
        assert.same({ e.jobs, e.longest }, { u.jobs, u.wait_max })
        for key, value in pairs { work = e.work, wait_mean = e.wait / e.jobs,
          flow_mean = e.flow / e.jobs, bsld_mean = e.bsld / e.jobs } do
          assert.near(value, u[key], 1e-9 * value, key)
        end
      end
      assert.equal(warmup == 0, count == 80)
      local session = orrery.session(spec)
      assert.has_error(function() session:users() end)
      session:finish()
      assert.same(users, session:users())
    end
  end)
end)
