-- Sessions as people use them: they stop, go on, are copied and go back, of jobs and tasks alike.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local rigid = require "spec.support.rigid"
local packs = require "spec.support.packs"
local rounds = require "spec.support.rounds"

local JOBS = {
  { id = "a", procs = 2, time = 10 }, { id = "b", procs = 3, time = 5, submit = 1 },
  { id = "c", procs = 4, time = 7200, submit = 3600 },
}

local function small(more)
  local spec = { jobs = orrery.jobs(JOBS), procs = 4, policy = "easy" }
  for key, value in pairs(more or {}) do spec[key] = value end
  return orrery.session(spec)
end

local function mira()
  return orrery.session { jobs = orrery.read "data/mira/sample-2019-06.csv", policy = "easy" }
end

local function pack(more)
  local spec = { tasks = { n = 3 }, procs = 12, faults = { mtbf_years = 5 } }
  for key, value in pairs(more or {}) do spec[key] = value end
  return orrery.session(spec)
end

-- What a call raises, with the place of the line that is asked for here.
local function raises(expected, f)
  local info = debug.getinfo(f, "S")
  local ok, problem = pcall(f)
  assert.is_false(ok)
  assert.equal(("%s:%d: %s"):format(info.short_src, info.linedefined, expected), problem)
end

-- All that can be seen of a session, as text; numbers in full.
local function seen(value)
  if math.type(value) == "float" then return ("%a"):format(value) end
  if type(value) ~= "table" then return tostring(value) end
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do parts[i] = ("%s=%s"):format(key, seen(value[key])) end
  return "{" .. table.concat(parts, " ") .. "}"
end

local function snapshot(s)
  local parts = { now = s.now, next_event = s.next_event, free = s.free, counts = s.counts,
    schedule = s:schedule(), running = s:running() }
  if getmetatable(s) == "session" then
    parts.waiting, parts.groups = s:waiting(), s.groups
  else
    parts.faults, parts.allocation, parts.expected = s:faults(), s:allocation(), s.expected
  end
  return seen(parts)
end

describe("a session", function()
  it("steps so many instants", function()
    local one, many = small(), small()
    for _ = 1, 3 do one:step() end
    assert.is_true(many:step(3))
    assert.equal(snapshot(one), snapshot(many))
    assert.is_false(many:step(100))
    assert.is_true(many.over)
    local tasks = pack()
    assert.is_false(tasks:step(math.huge))
    assert.is_true(tasks.over)
  end)

  it("says that an error has stopped it, until it goes back", function()
    local function late(sim)
      if sim.now > 100 then error "too late" end
      for job in sim:fitting() do sim:start(job) end
    end
    local s = small { policy = late }
    s:run_until(50)
    local before = tostring(s)
    assert.is_nil(before:find("error", 1, true))
    for _ = 1, 2 do -- the first error stays
      assert.is_false(pcall(s.finish, s))
      local text = tostring(s)
      assert.equal(1, text:find("session at 60.0 min, stopped by an error; back_to", 1, true))
      assert.is_truthy(text:match "\n  error +[^\n]*: too late")
      assert.is_nil(text:find("\n  next", 1, true))
    end
    s:back_to(50)
    assert.equal(1, tostring(s):find("session at 50 s\n", 1, true))
  end)

  it("has no times before 0", function()
    local s = small()
    for _, name in ipairs { "run_until", "run_before", "back_to" } do
      raises(name .. ": times begin at 0, -5 s is before", function() s[name](s, -5) end)
      raises(name .. ": times begin at 0, '-2h' is before", function() s[name](s, "-2h") end)
    end
    raises("run_before: times begin at 0, -5 s is before", function() s:run_before(-5.0) end)
    raises("run_until: times begin at 0, '2019-05-31' is before",
      function() mira():run_until "2019-05-31" end)
  end)

  it("takes a log by its path or its name, as comparisons do", function()
    local jobs = orrery.read "sample-2019-06"
    for _, given in ipairs { "data/mira/sample-2019-06.csv", "sample-2019-06" } do
      local s = orrery.session { jobs = given }
      assert.equal(#jobs, #s.jobs)
      assert.equal(49152, s.procs)
    end
    local spec = { policy = "dispatch/fcfs" }
    spec.jobs = jobs
    local expected = tostring(orrery.compare(spec))
    spec.jobs = "sample-2019-06"
    assert.equal(expected, tostring(orrery.compare(spec)))
    spec.jobs, spec.sets = nil, { { name = "all", jobs = "sample-2019-06" } }
    assert.equal(expected:match "dispatch/fcfs.*", tostring(orrery.compare(spec))
      :match "dispatch/fcfs.*")
    raises("nowhere.swf: No such file or directory",
      function() orrery.session { jobs = "nowhere.swf" } end)
  end)

  it("runs while a function says so, and while something is unfinished", function()
    local s = small()
    assert.equal(s, s:run_while(function(self) return self.now < 5 end))
    assert.equal(10, s.now) -- the first instant behind it
    local calls = 0
    s:run_while(function()
      calls = calls + 1
      return true
    end)
    assert.is_true(s.over)
    assert.equal(3, calls) -- b ends at 15; c starts at 3600; c ends
    s:run_while(function() error "not asked" end)
    local tasks = pack()
    tasks:run_while(function() return #tasks:running() == 3 end)
    assert.equal(2, #tasks:running())
  end)

  it("goes to a time that is a text", function()
    local s = small()
    assert.equal(90, s:run_until("90").now)
    assert.equal(120, s:run_until("2m").now)
    assert.equal(3720, s:run_until("+1h").now)
    assert.equal(3600, s:back_to("-2m").now)
    local log = mira()
    log:run_until "2019-06-14 06:00"
    assert.equal(log.jobs:seconds "2019-06-14 06:00", log.now)
    assert.equal("2019-06-14 06:00:00", log:clock())
    assert.equal("2019-06-14 07:30:00", log:clock "+90m")
    assert.equal("6.00 h", s:clock "6h")
    assert.equal(86400, s:seconds "1d")
    assert.equal(86400, pack():run_until("1d").now)
  end)

  it("shows jobs and tasks by their ids and positions", function()
    local s, tasks = small(), pack()
    assert.equal("b", s:job(2).id)
    assert.equal(3, s:job("c").position)
    assert.equal(tasks:task(2).size, tasks:task(tasks.tasks[2].id).size)
    raises("job: there is no job 'A', did you mean 'a'?", function() s:job "A" end)
    raises("job: there is no job 4 among 3; ids are texts", function() s:job(4) end)
    raises("job: expected the id of a job (a text) or its position, found nil",
      function() s:job() end)
    raises("task: there is no task 0 among 3; ids are texts", function() tasks:task(0) end)
    local twins = orrery.session { procs = 4, jobs = orrery.jobs {
      { id = "x", procs = 1, time = 1 }, { id = "x", procs = 1, time = 1 } } }
    raises("job: several jobs have the id 'x', for one those at the positions 1 and 2",
      function() twins:job "x" end)
  end)

  it("blames the line of its caller, and says what there is", function()
    local s, tasks = small(), pack()
    raises("step: expected a whole number of at least 1, found 0", function() s:step(0) end)
    raises("step: expected a whole number of at least 1, found 1.5", function() s:step(1.5) end)
    raises("run_while: expected a function of the session, found nil", function() s:run_while() end)
    raises("run_until: expected seconds, or a text as '6h', '+90m' (from now on) or "
      .. "'2019-06-14 06:00', found 'noon'", function() s:run_until "noon" end)
    raises("run_until: expected seconds, or a text as '6h', '+90m' (from now on) or "
      .. "'2019-06-14 06:00', found nil", function() s:run_until() end)
    raises("run_until: '2019-06-14' is a date, but these jobs have no calendar times; give seconds "
      .. "of the clock, or a text as '6h'", function() s:run_until "2019-06-14" end)
    raises("back_to: '2019-06-14' is a date, but tasks have no calendar times; give seconds of the "
      .. "clock, or a text as '6h'", function() tasks:back_to "2019-06-14" end)
    local log = mira()
    raises("run_until: expected a date as '2019-06-14 06:00', found '2019-06-14 26:00'",
      function() log:run_until "2019-06-14 26:00" end)
    raises("there is no group 'x'", function() s:waiting "x" end)
    raises("expected a session; its methods are called with a colon, as in s:step()",
      function() s.step() end)
    raises("a session's 'now' cannot be set; s:change { } changes what it can",
      function() s.now = 7 end)
  end)

  it("says what it has", function()
    local function problem(f)
      local ok, text = pcall(f)
      assert.is_false(ok)
      return text
    end
    local s, tasks = small(), pack()
    assert.matches("a session of jobs has no field 'fre', did you mean 'free'%? %(known: back_to, ",
      problem(function() return s.fre end))
    assert.matches("a session of jobs has no 'ends', which is for tasks",
      problem(function() return s.ends end))
    assert.matches("a session of tasks has no 'waiting', which is for jobs",
      problem(function() return tasks:waiting() end))
  end)

  it("prints", function()
    local s = small { priority = "lpt" }
    s:step(2)
    assert.equal([[
session at 1 s
  policy      easy + lpt
  jobs        1 to come, 1 waiting, 1 running, 0 over
  processors  2 of 4 busy
  next        at 10 s]], tostring(s))
    s:finish()
    s:back_to(3)
    assert.equal([[
session at 3 s
  policy      easy + lpt
  jobs        1 to come, 1 waiting, 1 running, 0 over
  processors  2 of 4 busy
  next        at 10 s
  history     at 3 s: back from 3.00 h]], tostring(s))
    local log = mira()
    log:run_until "2019-06-14 06:00"
    assert.matches("^session at 317%.69 h %(2019%-06%-14 06:00:00%)\n", tostring(log))
    local tasks = pack()
    assert.matches("\n  tasks       3 running, 0 over\n  processors  12 of 12 busy\n"
      .. "  next        at .*; expected to end at ", tostring(tasks))
    tasks:finish()
    assert.matches("\n  next        nothing, all tasks are over$", tostring(tasks))
  end)
end)

describe("history", function()
  it("is what was done, and prints", function()
    local s = small()
    assert.equal("nothing was changed", tostring(s.history))
    assert.equal("at 0 s: no change", tostring(s:fork():change({}).history[2]))
    local fork = s:run_until("1h"):fork()
    assert.equal(0, #s.history)
    fork:finish()
    fork:back_to "2h"
    assert.equal("at 60.0 min: forked\nat 2.00 h: back from 3.00 h", tostring(fork.history))
    local last = fork.history[2]
    assert.same({ "back_to", 7200, 10800 }, { last.what, last.time, last.from })
    fork:back_to(10) -- before it was forked
    assert.equal("at 10 s: back from 2.00 h", tostring(fork.history))
    assert.equal(0, #s.history)
  end)
end)

describe("back_to", function()
  it("is the session as it was", function()
    local s = small()
    s:run_until(2)
    local before = snapshot(s)
    s:finish()
    assert.equal(s, s:back_to(2))
    assert.equal(before, snapshot(s))
    assert.equal(s, s:back_to(2)) -- where it is
    assert.equal(1, #s.history)
  end)

  it("goes to the start, before the first event", function()
    for _, s in ipairs { small(), pack() } do
      local before = snapshot(s)
      s:finish()
      local after = snapshot(s)
      s:back_to "start"
      assert.equal(before, snapshot(s))
      s:finish()
      assert.equal(after, snapshot(s))
    end
  end)

  it("does not go forward", function()
    local s = small():run_until(10)
    raises("back_to: 60.0 min is still to come, the clock stands at 10 s",
      function() s:back_to "1h" end)
    assert.equal(10, s.now)
  end)

  it("returns at the end what a comparison says of its scenario, quantiles included", function()
    local spec = { jobs = orrery.synthetic { count = 40 }, procs = 3000, policy = "easy" }
    local result = orrery.compare { jobs = spec.jobs, procs = spec.procs, policies = { "easy" },
      quantiles = true }
    local session = orrery.session(spec)
    local metrics = session:finish()
    for name, value in pairs(metrics) do
      assert.equal(result:values(1, name)[1], value, name)
    end
    local waits, times = {}, session:times()
    for job, start in ipairs(times.start) do waits[job] = start - times.submit[job] end
    assert.equal(orrery.quantiles(waits, { 0.95 })[1], metrics.wait_p95)
  end)

  it("goes back to before an error of the policy", function()
    local s = small { policy = { name = "bad", dispatch = function(sim)
      if sim.now >= 3600 then error "oh no" end
      for job in sim:fitting() do sim:start(job) end
    end } }
    for _, method in ipairs { "finish", "finish", "run_until", "step" } do
      local ok, problem = pcall(s[method], s, math.huge)
      assert.is_false(ok)
      assert.matches("policy bad: ", problem)
    end
    s:back_to(20)
    assert.equal(2, s.counts.over)
    assert.is_false(pcall(s.step, s))
  end)

  it("needs no copy of a state that cannot be copied", function()
    local s = small { policy = {
      name = "keeper", init = function(sim) sim.state.kept = function() end end,
      dispatch = function(sim) for job in sim:fitting() do sim:start(job) end end,
    } }
    s:step(2)
    local before = snapshot(s)
    s:finish()
    assert.equal(before, snapshot(s:back_to(1)))
  end)

  -- Random instants of a run; after going back and forward again, the same as without.
  local function there_and_back(rng, make)
    local s, straight = make(), make()
    straight:finish()
    local expected, stop = snapshot(straight), straight.now
    local marks = {}
    for _ = 1, rng:integer(1, 6) do
      if rng:integer(0, 1) == 0 then s:run_until(math.min(stop, s.now + rng:uniform(0, stop / 4)))
      else s:step(rng:integer(1, 5)) end
      marks[#marks + 1] = { time = s.now, seen = snapshot(s) }
    end
    if rng:integer(0, 1) == 0 then s:finish() end
    for _ = 1, 3 do
      local mark = marks[rng:integer(1, #marks)]
      if mark.time <= s.now then
        s:back_to(mark.time)
        assert.equal(mark.seen, snapshot(s))
      end
    end
    local fork = s:fork()
    s:finish()
    fork:finish()
    assert.equal(expected, snapshot(s))
    assert.equal(expected, snapshot(fork))
    assert.is_true(s:check())
  end

  it("and forward again is the same, of random jobs", function()
    local rng = orrery.random(301)
    for _ = 1, rounds(60, 60, 20) do
      local instance = instances.random(rng)
      local spec = rigid.spec(instance, {
        policy = { dispatch = rigid.disciplines[rigid.pick(rng, rigid.names)] },
        priority = rigid.pick(rng, { "random", "lpt", "fcfs", "ljf" }),
      })
      there_and_back(rng, function() return orrery.session(spec) end)
    end
  end)

  it("and forward again is the same, of random packs", function()
    local rng = orrery.random(302)
    for _ = 1, rounds(60, 60, 20) do
      local spec = packs.spec(packs.random(rng), { policy = rigid.pick(rng, packs.policies) })
      there_and_back(rng, function() return orrery.session(spec) end)
    end
  end)

  it("keeps few snapshots, however long it runs", function()
    local list, failures = {}, {}
    for i = 1, 20 do list[i], failures[i] = { procs = 1, time = 1 + i / 100 }, 150 end
    local function long()
      return orrery.session { jobs = orrery.jobs(list), procs = 7, failures = failures }
    end
    local s, at_once = long(), long()
    local _, inside = next(s)
    local most, marks = 0, {}
    local function look() return seen { s:running(), s:waiting(), s:times() } end
    while s:step() do
      most = math.max(most, #inside.stops)
      if #marks < s.now / 20 then marks[#marks + 1] = { s.now, look() } end
    end
    assert.is_true(most > 8 and most <= 16, most)
    for i = #marks, 1, -3 do
      s:back_to(marks[i][1])
      assert.equal(marks[i][2], look())
    end
    at_once:finish()
    local _, other = next(at_once)
    assert.is_true(#other.stops > 0 and #other.stops <= 16)
  end)

  it("goes back from any of its snapshots", function()
    local list = {}
    local rng = orrery.random(5)
    for i = 1, 3000 do
      list[i] = { procs = rng:integer(1, 8), time = rng:integer(1, 20), submit = 8 * i }
    end
    local s = orrery.session { jobs = orrery.jobs(list), procs = 8, policy = "easy" }
    local marks = {}
    while s:step() do
      if rng:integer(1, 40) == 1 then
        marks[#marks + 1] = { s.now, seen { s:running(), s:waiting(), s.free } }
      end
    end
    for i = #marks, 1, -7 do
      s:back_to(marks[i][1])
      assert.equal(marks[i][2], seen { s:running(), s:waiting(), s.free })
    end
  end)
end)

-- --- changes ------------------------------------------------------------------------------------

-- Makes a random change, where it can: what can be given to change.
local changes = {}

function changes.task(rng, s)
  local running, kind = s:running(), rng:integer(1, 8)
  local one = running[rng:integer(1, math.max(1, #running))]
  if kind == 6 and one then return { work = { [one.id] = rng:uniform(0.5, 2) } } end
  if kind == 7 then
    return { procs = { procs = rng:integer(2, 2 * s.procs + 2), ["until"] =
      rng:integer(1, 2) == 1 and s.now + rng:uniform(0, s.expected) or nil } }
  end
  if kind == 8 then
    return { procs = s.procs + 4, submit = { times = { 1 + 0.1 * s.expected }, m = 100 } }
  end
  if kind == 1 and one then return { cancel = one.id } end
  if kind == 2 then return { seed = rng:integer(1, 99) } end
  if kind == 3 then return { policy = rigid.pick(rng, packs.policies) } end
  if kind == 4 and one then return { fault = { task = one.position } } end
  return { fault = { { processor = rng:integer(0, s.procs - 1) } }, seed = rng:integer(1, 99) }
end

local function some(rng, list) return list[rng:integer(1, math.max(1, #list))] end

-- Of random instances: jobs by position or id, who are wherever.
changes.job = function(rng, s)
  local widest = 1
  for _, job in ipairs(s.jobs) do widest = math.max(widest, job.procs) end
  local running, all = some(rng, s:running()), #s.jobs
  local job = rng:integer(1, 2) == 1 and running or some(rng, s:waiting())
  local kind = rng:integer(1, 11)
  if kind == 1 then return { cancel = { rng:integer(1, all) } } end
  if kind == 2 and job then return { cancel = job.id } end
  if kind == 3 then return { seed = rng:integer(1, 9) } end
  if kind == 4 then
    return { policy = { dispatch = rigid.disciplines[rigid.pick(rng, rigid.names)] } }
  end
  if kind == 5 then return { priority = rigid.pick(rng, rigid.rules) } end
  if kind == 6 and job then
    return { runtime = { [job.id] = (s.now - (job.start or s.now)) + rng:integer(0, 20) } }
  end
  if kind == 7 and job then return { fail = job.position } end
  if kind == 8 then
    return { fault = { processor = rng:integer(0, s.numbered - 1), repair = rng:integer(0, 9) } }
  end
  if kind == 9 then
    local more = { procs = rng:integer(1, 3), time = rng:integer(0, 9) }
    more.procs = math.min(more.procs, widest)
    return { submit = { more, rng:integer(1, 2) == 1 and more or nil } }
  end
  local procs = rng:integer(widest, math.max(widest, s.procs) + 3)
  if kind == 10 then return { procs = procs } end
  return { procs = { procs = rng:integer(0, 1) * procs, ["until"] = s.now + rng:integer(1, 20) } }
end

-- Goes on for a while, perhaps to between two instants.
local function wander(rng, s, horizon)
  local kind = rng:integer(1, 4)
  local time = math.min(horizon, s.now + rng:uniform(0, horizon / 4))
  if kind == 1 then s:run_until(math.max(s.now, time))
  elseif kind == 2 then s:step(rng:integer(1, 4)) end
end

local made = { [true] = 0, [false] = 0 } -- changes; those that could not be

-- A session that was changed on its way, and what it looked like before going on from a time.
local function changed(rng, s, kind, horizon)
  local marks = {}
  for _ = 1, rng:integer(1, 5) do
    wander(rng, s, horizon)
    if rng:integer(1, 2) == 1 and not s.over then
      while marks[#marks] and marks[#marks].time == s.now do marks[#marks] = nil end
      for _ = 1, rng:integer(1, 2) do
        local before = snapshot(s)
        local ok = pcall(s.change, s, changes[kind](rng, s))
        made[ok] = made[ok] + 1
        if not ok then assert.equal(before, snapshot(s)) end
      end
    end
    if s.next_event > s.now then -- all of this time has happened
      marks[#marks + 1] = { time = s.now, seen = snapshot(s) }
    end
  end
  return marks
end

-- What history says, done by hand.
local function by_hand(s, history)
  for _, entry in ipairs(history) do
    if not entry.at_once then s:run_until(entry.time) end
    if entry.changes then s:change(entry.changes) end
  end
  return s
end

-- Forks, rewinds and replays of a changed session have the same future.
local function holds_after_changes(rng, make, kind, about)
  local quiet = make()
  quiet:finish()
  local s = make()
  local marks = changed(rng, s, kind, quiet.now)
  local fork = s:fork()
  local replayed = by_hand(make(), s.history)
  replayed:run_until(s.now)
  if s.next_event > s.now then assert.equal(snapshot(s), snapshot(replayed), about) end
  s:finish()
  fork:finish()
  replayed:finish()
  local last = snapshot(s)
  assert.equal(last, snapshot(fork), about)
  assert.equal(last, snapshot(replayed), about)
  local fine, objection = s:check()
  assert.is_true(fine, objection)
  for _ = 1, 2 do
    local mark = marks[rng:integer(1, math.max(1, #marks))]
    if mark and mark.time < s.now then
      s:back_to(mark.time)
      if mark.seen ~= snapshot(s) then error(about .. "\n" .. mark.seen .. "\n" .. snapshot(s)) end
    end
  end
  local again = s:fork()
  s:finish()
  again:finish()
  assert.equal(snapshot(again), snapshot(s), about)
end

describe("a session that is changed", function()
  it("has one future, for forks, back and forward again, and by hand, of random packs", function()
    local rng = orrery.random(321)
    made = { [true] = 0, [false] = 0 }
    local count = rounds(40, 40, 16)
    for _ = 1, count do
      local pack_of = packs.random(rng)
      local spec = packs.spec(pack_of, { policy = rigid.pick(rng, packs.policies) })
      if pack_of.mtbf < math.huge and rng:integer(1, 2) == 1 then
        spec.faults.log, spec.max_faults = nil, 100000
      end
      holds_after_changes(rng, function() return orrery.session(spec) end, "task",
        packs.describe(pack_of))
    end
    assert.is_true(made[true] > 1.25 * count and made[false] < made[true] / 4)
  end)

  it("has one future, for forks, back and forward again, and by hand, of random jobs", function()
    local rng = orrery.random(322)
    made = { [true] = 0, [false] = 0 }
    for _ = 1, rounds(80, 80, 26) do
      local instance = instances.random(rng)
      local spec = rigid.spec(instance, {
        policy = { dispatch = rigid.disciplines[rigid.pick(rng, rigid.names)] },
        priority = rigid.pick(rng, { "random", "lpt", "fcfs", "ljf" }), seed = rng:integer(1, 9),
      })
      if rng:integer(1, 2) == 1 then
        spec.failures, spec.errors = nil, { mean_probability = 0.2 }
      end
      if rng:integer(1, 4) == 1 then
        spec.node_failures = { mtbf = 40, repair = 3, procs = rng:integer(1, 2) }
      end
      holds_after_changes(rng, function() return orrery.session(spec) end, "job",
        instances.describe(instance))
    end
    assert.is_true(made[true] > 50 and made[false] < made[true] / 4)
  end)

  -- On 4 processors at 2 s a runs, since 0 and until 10, and b waits: it wants 3.
  local function at_2(more) return small(more):run_until(2) end

  -- What came of changes: "id start-finish", attempt by attempt.
  local function comes(s, given)
    local fork, lines = s:fork(given), {}
    fork:finish()
    assert.is_true(fork:check())
    for i, one in ipairs(fork:schedule()) do
      lines[i] = ("%s %g-%g"):format(one.id, one.start, one.finish)
    end
    return table.concat(lines, ", "), tostring(fork.history[2]), fork
  end

  it("is one of jobs, worked by hand", function()
    local s = at_2()
    local function check(expected, text, given)
      local found, history = comes(s, given)
      assert.equal(expected, found)
      assert.equal("at 2 s: " .. text, history)
    end
    assert.equal("a 0-10, b 10-15, c 3600-10800", (comes(s)))
    check("a 0-2, a 2-12, b 12-17, c 3600-10800", "fault on processor 1 (job a)",
      { fault = { processor = 1 } })
    check("a 0-10, b 10-15, c 3600-10800",
      "fault on processor 3 (processor 3: nothing ran there, the fault has no effect)",
      { fault = { { processor = 3 } } })
    check("a 0-2, a 2-12, b 12-17, c 3600-10800", "fault of job a", { fault = { job = "a" } })
    check("a 0-2, b 2-7, c 3600-10800", "job a cancelled", { cancel = "a" })
    check("a 0-2, c 3600-10800", "jobs b and a cancelled", { cancel = { "b", 1 } })
    check("a 0-20, b 20-25, c 3600-3700", "job a takes 20 s; job c takes 100 s",
      { runtime = { [1] = 20, c = "100" } })
    check("a 0-10, b 10-15, b 15-20, c 3600-10800", "the attempt fails of job b", { fail = 2 })
    check("a 0-10, new1 2-5, mine 5-11, b 10-15, c 3600-10800", "jobs new1 and mine submitted",
      { submit = { { procs = 2, time = 3 },
        { procs = 1, time = 6, id = "mine", submit = "+2s" } } })
    check("a 0-10, b 10-15, new1 15-21, c 3600-10800", "fcfs decides; job new1 submitted",
      { policy = "fcfs", cancel = {}, submit = { { procs = 2, time = 6 } },
        fault = {}, runtime = {} })
  end)

  it("has other processors, worked by hand", function()
    local s = at_2()
    local function check(expected, text, procs)
      local found, history, fork = comes(s, { procs = procs })
      assert.equal(expected, found)
      assert.equal("at 2 s: " .. text, history)
      return fork
    end
    check("a 0-10, b 2-7, c 3600-10800", "5 processors from now on", 5)
    check("a 0-10, b 20-25, c 3600-10800", "2 processors until 20 s",
      { procs = 2, ["until"] = "+18s" })
    check("a 0-10, b 2-7, c 3600-10800", "5 processors in group main until 20.0 min",
      { procs = 5, group = "main", ["until"] = 1200 })
    local fork = s:fork { procs = { procs = 1, ["until"] = 3000 } }
    assert.same({ 1, 1, 0, 4 }, { fork.procs, fork.draining, fork.free, fork.numbered })
    assert.matches("processors  1 of 1 busy, 1 more until their jobs end", tostring(fork))
  end)

  it("keeps what it does not name", function()
    local s = at_2 { priority = "lpt", policy = "list", options = { reservations = 2 } }
    assert.same({ "list", "lpt" }, { s.policy, s.priority })
    local function decides(given)
      local fork = s:fork(given)
      return fork.policy .. " + " .. tostring(fork.priority)
    end
    assert.equal("easy + lpt", decides { policy = "easy" })
    assert.equal("easy + nil", decides { policy = "easy", priority = false })
    assert.equal("list + spt", decides { priority = "spt" })
    assert.equal("list + lpt", decides { options = { reservations = 3 } })
    assert.equal("mine + hpa", decides { policy = { policy = "fcfs", name = "mine",
      priority = "hpa" } })
    local mine = s:fork { policy = { policy = "fcfs", priority = "hpa" } }:fork { priority = "spt" }
    assert.same({ "fcfs", "spt" }, { mine.policy, mine.priority })
    raises("no policy here has an option 'reservation'; `orrery policies` lists them",
      function() s:change { options = { reservation = 3 } } end)
  end)

  it("keeps the state of a policy that stays, and makes that of another", function()
    local function policy(step)
      return {
        name = "counter", options = {}, init = function(sim) sim.state.count = 0 end,
        dispatch = function(sim)
          sim.state.count = sim.state.count + step
          for job in sim:fitting() do sim:start(job) end
        end,
      }
    end
    local ones, tens = policy(1), policy(10)
    local s = at_2 { policy = ones }
    assert.same({ count = 2 }, s.state)
    assert.same({ count = 2 }, s:fork({ policy = ones, seed = 3 }).state)
    local fork = s:fork { policy = tens }
    assert.same({ count = 0 }, fork.state)
    fork:step()
    assert.same({ count = 10 }, fork.state)
    s.state.count = 99 -- it is a copy
    assert.same({ count = 2 }, s.state)
    assert.is_nil(next(at_2().state or {}))
    fork:back_to(1.5)
    assert.same({ count = 2 }, fork.state)
    assert.equal("counter", fork.policy)
  end)

  it("reads a policy's file again", function()
    local path = os.tmpname() .. ".lua"
    local function write(order)
      local file = assert(io.open(path, "w"))
      file:write(("return { dispatch = 'fcfs', priority = function(job) return %s end }"):format(
        order))
      file:close()
    end
    local function first(s)
      s:finish()
      return s:schedule()[1].id
    end
    write "-job.time"
    local list = { { id = "long", procs = 4, time = 9 }, { id = "short", procs = 4, time = 1 } }
    local s = orrery.session { jobs = orrery.jobs(list), procs = 4, policy = path }
    write "job.time"
    local fork = s:fork { policy = path }
    assert.equal("long", first(fork))
    assert.equal("short", first(s))
    fork:back_to "start"
    assert.equal("short", first(fork))
    os.remove(path)
  end)

  it("of jobs is not changed by what cannot be", function()
    local s = at_2()
    local before = snapshot(s)
    local function refuses(expected, given)
      raises(expected, function() s:change(given) end)
      assert.equal(before, snapshot(s))
      assert.equal(0, #s.history)
    end
    refuses("change: unknown field 'work' (known: add_nodes, bring_back, cancel, checkpoint, "
      .. "drain, drain_at, fail, fault, limit, options, policy, pools, preempt, priority, procs, "
      .. "runtime, seed, submit)", { work = { 2 } })
    refuses("submit: job x is submitted at 1 s, but the clock stands at 2 s",
      { submit = { id = "x", procs = 1, time = 1, submit = 1 } })
    refuses("submit: there is a job 'c' already", { submit = { id = "c", procs = 1, time = 1 } })
    refuses("submit: expected a table, found 7", { submit = 7 })
    refuses("submit: expected a table for every job, found 7", { submit = { 7 } })
    refuses("runtime: expected seconds, or a text as '6h', for job a, found 'long'",
      { runtime = { a = "long" } })
    refuses("runtime: job a is given twice", { runtime = { 5, a = 5 } })
    refuses("fault: repair goes with processor or node", { fault = { job = "a", repair = 1 } })
    refuses("fault: repair: expected seconds, or a text as '6h', found -1",
      { fault = { processor = 1, repair = -1 } })
    refuses("fault: give either job, or processor, or node", { fault = {  { repair = 1 } } })
    refuses("job a: its attempt has run for 2 s already, so its runtime cannot be 1 s",
      { runtime = { a = 1 }, cancel = "b" })
    refuses("procs: there is no group 'x'", { procs = { procs = 3, group = "x" }, cancel = "b" })
    refuses("procs: group: expected the name of a group, found 1",
      { procs = { procs = 3, group = 1 } })
    refuses("job b does not run: no fault can strike it", { cancel = "a", fault = { job = "b" } })
  end)

  it("says in its history what was done", function()
    local s = pack()
    s:run_until "10d"
    assert.equal(s, s:change { fault = { task = 3 }, policy = "end-local+iterated-greedy" })
    s:change { cancel = { 1, "2" }, seed = 9 }
    s:run_until "12d"
    assert.equal("at 240.00 h: end-local+iterated-greedy decides; fault of task 3\n"
      .. "at 240.00 h: the future is that of seed 9; tasks 1 and 2 cancelled", tostring(s.history))
    local first, second = table.unpack(s.history)
    assert.same({ "change", 864000 }, { first.what, first.time })
    assert.is_nil(first.at_once)
    assert.is_true(second.at_once)
    assert.same({ cancel = { 1, "2" }, seed = 9 }, second.changes)
    s:change { fault = { task = "1" } }
    assert.matches("\nat 288.00 h: fault of task 1 %(task 1 is over: the fault has no effect%)$",
      tostring(s.history))
    assert.same({ "task 1 is over: the fault has no effect" }, s.history[3].remarks)
    assert.equal("end-local+iterated-greedy", s.policy)
    s:back_to "1d"
    assert.equal("none", s.policy:match "[^/]*$")
    assert.equal("at 24.00 h: back from 288.00 h, 3 changes undone", tostring(s.history))
    assert.equal(3, s.counts.running)
  end)

  it("keeps changes that were made at the time that it goes back to", function()
    local s = pack()
    s:run_until "10d"
    s:change { cancel = 2 }
    s:run_until "20d"
    s:back_to "10d"
    assert.equal("over", s:task(2).state)
    assert.equal(1, s.counts.over)
    s:back_to "9d"
    assert.equal(0, s.counts.over)
  end)

  it("is not changed by what cannot be", function()
    local s = pack()
    s:run_until "10d"
    local before = snapshot(s)
    local function refuses(expected, given)
      raises(expected, function() s:change(given) end)
      assert.equal(before, snapshot(s))
      assert.equal(0, #s.history)
      assert.is_false(given ~= nil and pcall(s.fork, s, given))
    end
    refuses("change: expected a table, found nil")
    refuses("change: unknown field 'cancl', did you mean 'cancel'? (known: cancel, fault, options, "
      .. "policy, procs, seed, submit, work)", { cancl = 1 })
    refuses("cancel: there is no task 'x'", { cancel = "x" })
    refuses("cancel: there is no task 4 among 3; ids are texts", { cancel = { 1, 4 } })
    refuses("cancel: expected a list, but it has the key 'task'", { cancel = { task = 1 } })
    refuses("seed: expected a whole number, found '7'", { seed = "7" })
    refuses("fault: expected a table, found 7", { fault = 7 })
    refuses("fault: give either task or processor", { fault = { task = 1, processor = 1 } })
    refuses("fault: unknown field 'job' (known: processor, task)", { fault = { job = 1 } })
    refuses("fault: processor: expected a whole number of at least 0, found -1",
      { fault = { processor = -1 } })
    refuses("work: expected a factor above 0 for task 1, found 0", { work = { [1] = 0 } })
    refuses("procs: expected a whole number of at least 0, found 1.5", { procs = 1.5 })
    refuses("procs: until 24.00 h, but the clock stands at 240.00 h",
      { procs = { procs = 3, ["until"] = "1d" } })
    refuses("options: expected a table, found 7", { options = 7 })
    refuses("no policy here has an option 'x'; `orrery policies` lists them",
      { options = { x = 1 } })
    refuses("'easy' is a dispatch policy (dispatch/easy), for jobs; tasks want a redistribution "
      .. "policy", { policy = "easy" })
  end)

  it("forks with changes", function()
    local s = pack():run_until "10d"
    local fork = s:fork { cancel = 1 }
    assert.equal(0, s.counts.over)
    assert.equal(1, fork.counts.over)
    assert.equal("at 240.00 h: forked\nat 240.00 h: task 1 cancelled", tostring(fork.history))
    assert.equal(0, #s.history)
  end)
end)
