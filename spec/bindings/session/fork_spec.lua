-- What a session and its forks share, and that none of them sees what another one does.
local orrery = require "orrery"

local PROCS = 64

local function workload(count, seed)
  return orrery.lublin { procs = PROCS, count = count, load = 0.8, seed = seed }
end

local function begun(jobs, more)
  local spec = { jobs = jobs, procs = PROCS, policy = "easy", errors = { rate = 1e-7 }, seed = 3 }
  for key, value in pairs(more or {}) do spec[key] = value end
  return orrery.session(spec)
end

-- All attempts up to now, numbers in full.
local function record(s)
  local lines = {}
  for i, a in ipairs(s:schedule()) do
    lines[i] = ("%s %a %a %s %s"):format(a.id, a.start, a.finish, a.outcome, a.processors)
  end
  return table.concat(lines, "\n")
end

local function finished(s)
  s:finish()
  assert.is_true(s:check())
  return record(s)
end

describe("forks", function()
  local jobs = workload(400, 5)
  local middle = jobs[200].submit
  local straight = finished(begun(jobs))

  it("go on as the session does, a hundred from the same point", function()
    local s, forks = begun(jobs):run_until(middle), {}
    for i = 1, 100 do forks[i] = s:fork() end
    for i = 1, 100 do assert.equal(straight, finished(forks[i]), i) end
    assert.equal(straight, finished(s))
  end)

  it("stand where they were made while the session goes on, and the reverse", function()
    local s = begun(jobs):run_until(middle)
    local before, counts = record(s), s.counts
    local first, second = s:fork(), s:fork()
    s:step()
    s:change { cancel = s:waiting()[1] and s:waiting()[1].id or s:running()[1].id }
    s:run_until(2 * middle)
    assert.same({ middle, middle }, { first.now, second.now })
    assert.same(counts, first.counts)
    assert.equal(before, record(first))
    first:run_until(2 * middle)
    assert.not_equal(before, record(first))
    assert.equal(before, record(second))
    assert.equal(straight, finished(second))
    assert.equal(straight, finished(first))
    assert.not_equal(straight, finished(s))
  end)

  it("of forks, and with changes, leave the point as it is", function()
    local s = begun(jobs):run_until(middle)
    local fork = s:fork()
    local changed = fork:fork { priority = "spt" }
    local here = changed:fork()
    local of_fork = fork:fork()
    assert.not_equal(straight, finished(changed))
    assert.equal(finished(changed), finished(here))
    fork:submit { id = "more", procs = PROCS, time = 60 }
    fork:finish()
    for _, one in ipairs { of_fork:fork(), of_fork, s } do assert.equal(straight, finished(one)) end
    assert.is_nil(record(s):find("more", 1, true))
  end)

  it("live on when the session is gone, and the reverse", function()
    local s = begun(jobs):run_until(middle)
    local fork, other = s:fork(), s:fork()
    s = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    local last = fork:fork()
    assert.equal(straight, finished(fork))
    fork = nil -- luacheck: ignore
    collectgarbage()
    assert.equal(straight, finished(other))
    other = nil -- luacheck: ignore
    collectgarbage()
    assert.equal(straight, finished(last))
  end)

  it("have a policy's state of their own", function()
    local counting = { name = "counting", dispatch = function(sim)
      sim.state.calls = (sim.state.calls or 0) + 1
      for job in sim:waiting() do
        if job.procs <= sim.free then sim:start(job) end
      end
    end }
    local s = begun(jobs, { policy = counting }):run_until(middle)
    local calls, fork = s.state.calls, s:fork()
    assert.is_true(calls > 0)
    s:run_until(2 * middle)
    assert.equal(calls, fork.state.calls)
    assert.equal(finished(s), finished(fork))
  end)

  it("cannot be made while the policy runs", function()
    local box = setmetatable({}, { __index = {} }) -- stays in this state
    local asking = { name = "asking", dispatch = { discipline = "fcfs" }, per = "decision",
      priority = function(job)
        if box.session then box.session:fork() end
        return -job.time
      end }
    box.session = begun(jobs, { policy = asking })
    assert.error_matches(function() box.session:finish() end,
      "a simulation cannot be copied from inside its own policy")
  end)

  it("note reservations for themselves", function()
    local s = begun(jobs):run_until(middle)
    local fork, quiet = s:fork(), s:fork()
    local trace = s:trace()
    assert.is_truthy(trace:find("reserv", 1, true))
    assert.equal(trace, fork:trace())
    assert.equal(straight, finished(quiet))
  end)

  it("go on alike for tasks", function()
    local function pack()
      return orrery.session { tasks = { n = 8 }, procs = 40, faults = { mtbf_years = 5 } }
    end
    local s = pack()
    local total = pack():finish().makespan
    s:run_until(total / 2)
    local forks = { s:fork(), s:fork(), s:fork() }
    s:step()
    assert.equal(total / 2, forks[1].now)
    forks[3] = forks[1]:fork()
    for _, one in ipairs(forks) do assert.equal(total, one:finish().makespan) end
    assert.equal(total, s:finish().makespan)
  end)

  it("rank many jobs by the formula of a priority as by calls of it", function()
    local function area(job) return job.time * job.procs end
    local function mine(priority)
      return { name = "mine", priority = priority,
        dispatch = { discipline = "list", reservations = 1 } }
    end
    local formula = mine(function(job) return -job.time * job.procs end)
    local called = mine(function(job) return -tonumber(("%a"):format(area(job))) end)
    local many = workload(10000, 9)
    local here = many[3000].submit
    local expected = finished(begun(many, { policy = called }))
    assert.equal(expected, finished(begun(many, { policy = formula })))
    local s = begun(many):run_until(here)
    assert.equal(finished(s:fork { policy = called }), finished(s:fork { policy = formula }))
  end)

  it("take no memory until they go on", function()
    local function resident()
      for line in io.lines "/proc/self/status" do
        local kb = line:match "^VmRSS:%s*(%d+)"
        if kb then return tonumber(kb) / 1024 end
      end
    end
    local many = workload(20000, 7)
    local s, forks = begun(many):run_until(many[10000].submit), {}
    s:fork()
    collectgarbage()
    local before = resident()
    for i = 1, 100 do forks[i] = s:fork() end
    local grown = resident() - before
    assert.is_true(grown < 20, ("%d forks take %.0f MB"):format(#forks, grown))
  end)
end)
