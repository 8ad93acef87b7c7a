-- orrery.diff: what differs between two sessions.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local rigid = require "spec.support.rigid"
local packs = require "spec.support.packs"
local rounds = require "spec.support.rounds"

-- On 4 processors: FCFS keeps c behind b, the greedy policy starts it at once.
local function by(policy, more)
  local list = { { id = "a", procs = 2, time = 10 }, { id = "b", procs = 3, time = 5, submit = 1 },
    { id = "c", procs = 2, time = 3600, submit = 2 } }
  return orrery.session { jobs = orrery.jobs(table.move(more or {}, 1, #(more or {}), 4, list)),
    procs = 4, policy = policy }
end

local function finished(session)
  session:finish()
  return session
end

describe("a difference of sessions of jobs", function()
  it("names what differs besides the policy", function()
    local jobs = orrery.jobs { { id = "a", procs = 1, time = 9, walltime = 20 } }
    local function session(fields)
      fields.jobs, fields.policy = jobs, "easy"
      return orrery.session(fields)
    end
    local a = session { procs = 2, walltimes = "log" }
    assert.same({ "easy, processors 2, walltimes log, at 0 s",
      "easy, processors 3, walltimes runtime, at 0 s" },
      orrery.diff(a, session { procs = 3 }).titles)
    assert.same({ "easy, at 0 s", "easy, at 0 s" },
      orrery.diff(a, session { procs = 2, walltimes = "log" }).titles)
    assert.same({ "easy, load 1, walltimes log, at 0 s", "easy, load 2, walltimes of a function, "
      .. "at 0 s" }, orrery.diff(a, session { procs = 2, load = 2,
      walltimes = function() return 10 end }).titles)
  end)

  it("sees a job that only one of two sessions started before it was cancelled", function()
    local function cancelled(cancel_at)
      local s = by "fcfs"
      s:run_until(cancel_at)
      s = s:fork { cancel = "b" }
      s:finish()
      return s
    end
    local d = orrery.diff(cancelled(2), cancelled(12))
    local b = d.jobs[2] -- behind c, which starts later
    assert.same({ 1, "b", "started in b", 10 }, { d.same, b.id, b.what, b.b.start })
    assert.is_nil(b.a.start)
    assert.equal(b.a.state, b.b.state)
  end)

  it("is what one works out by hand", function()
    local d = orrery.diff(finished(by "fcfs"), finished(by "greedy"))
    -- fcfs: a 0-10, b 10-15, c 15-3615; greedy: a 0-10, c 2-3602, b 3602-3607
    assert.equal(1, d.same)
    assert.equal(2, #d.jobs)
    assert.same({ "b", "later", 3592, 3592, 10, 3602 }, { d.jobs[1].id, d.jobs[1].what,
      d.jobs[1].start, d.jobs[1].finish, d.jobs[1].a.start, d.jobs[1].b.start })
    assert.same({ "c", "earlier", -13, -13 },
      { d.jobs[2].id, d.jobs[2].what, d.jobs[2].start, d.jobs[2].finish })
    local makespan = d.metrics[1]
    assert.same({ "makespan", 3615, 3607, -8 },
      { makespan.name, makespan.a, makespan.b, makespan.difference })
    assert.equal([[
a: fcfs, at 60.2 min
b: greedy, at 60.1 min

                                   a          b       b - a
makespan                   60.25 min  60.12 min        -8 s
makespan / lower bound        1.0036     1.0014     -0.0022
wait, mean                  0.12 min  20.01 min  +19.88 min
wait, longest               0.22 min  60.02 min  +59.80 min
flow time, mean            20.21 min  40.09 min  +19.88 min
bounded slowdown, mean          1.00      20.70      +19.70
bounded slowdown, largest       1.00      60.10      +59.10
utilisation                    50.0%      50.1%       +0.1%
attempts                           3          3           0

2 of 3 jobs differ
1 start earlier: by 13 s in the mean, at most 13 s (job c)
1 start later: by 59.9 min in the mean, at most 59.9 min (job b)

job  procs     in b  start in a  start in b   start by     end by
b        3    later        10 s    60.0 min  +59.9 min  +59.9 min
c        2  earlier        15 s         2 s      -13 s      -13 s]], tostring(d))
    assert.equal("job,position,what,a_start,b_start,start_difference,a_finish,b_finish,"
      .. "finish_difference,a_state,b_state\n" .. [[
b,2,later,10,3602,3592,15,3607,3592,over,over
c,3,earlier,15,2,-13,3615,3602,-13,over,over
]], d:csv())
  end)

  it("compares what is known so far", function()
    local d = orrery.diff(by "fcfs":run_until(3), by "greedy":run_until(3))
    assert.equal(1, #d.jobs)
    assert.same({ "c", "started in b" }, { d.jobs[1].id, d.jobs[1].what })
    assert.is_nil(d.jobs[1].start)
    local found = {}
    for _, m in ipairs(d.metrics) do found[m.name] = { m.a, m.b } end
    assert.same({ now = { 3, 3 }, over = { 0, 0 }, running = { 1, 2 }, waiting = { 2, 1 },
      started = { 1, 2 }, wait_mean = { 0, 0 }, wait_max = { 0, 0 }, busy = { 2, 4 } }, found)
    assert.matches("\n1 of 3 jobs differ\n1 started in b: job c\n", tostring(d))
  end)

  it("knows jobs of only one by their ids, and those that end otherwise", function()
    local a = orrery.session { procs = 1, jobs = orrery.jobs { { id = "x", procs = 1, time = 1 },
      { id = "y", procs = 1, time = 2 }, { id = "z", procs = 1, time = 3 } } }
    local b = orrery.session { procs = 1, jobs = orrery.jobs { { id = "x", procs = 1, time = 5 },
      { id = "z", procs = 1, time = 3 }, { id = "new", procs = 1, time = 3 } } }
    local d = orrery.diff(finished(a), finished(b))
    local found = {}
    for i, job in ipairs(d.jobs) do found[i] = { job.id, job.what, job.start, job.finish } end
    assert.same({ { "x", "other end", 0, 4 }, { "z", "later", 2, 2 }, { "y", "only in a" },
      { "new", "only in b" } }, found)
    assert.equal(0, d.same)
  end)

  it("cuts long lists with a count", function()
    local more = {}
    for i = 1, 30 do more[i] = { id = "m" .. i, procs = 2, time = 100, submit = 3 } end
    local a, b = finished(by("fcfs", more)), finished(by("greedy", more))
    local d = orrery.diff(a, b, { top = 4 })
    assert.equal(1 + #d.jobs, #d:rows())
    assert.equal(3, #d:rows(2))
    local _, lines = tostring(d):gsub("\n", "\n")
    local _, fewer = tostring(orrery.diff(a, b, { top = 0 })):gsub("\n", "\n")
    assert.equal(4, lines - fewer)
    assert.matches(("\n%%.%%.%%. and %d more$"):format(#d.jobs - 4), tostring(d))
  end)

  it("is the difference of the schedules, of random runs", function()
    local rng = orrery.random(311)
    local differing = 0
    for _ = 1, rounds(100, 100, 33) do
      local instance = instances.random(rng)
      local function session()
        return orrery.session(rigid.spec(instance, {
          policy = { dispatch = rigid.disciplines[rigid.pick(rng, rigid.names)] },
          priority = rigid.pick(rng, { "spt", "lpt", "fcfs" }),
        }))
      end
      local a, b = finished(session()), finished(session())
      local starts = { {}, {} }
      for i, s in ipairs { a, b } do
        for _, attempt in ipairs(s:schedule()) do
          starts[i][attempt.position] = starts[i][attempt.position] or attempt.start
        end
      end
      local expected = {}
      for i = 1, #a.jobs do
        local by_b = starts[2][i] - starts[1][i]
        if by_b ~= 0 then expected[i] = by_b end
      end
      local d, found = orrery.diff(a, b), {}
      for i, job in ipairs(d.jobs) do
        if job.start ~= 0 then found[job.position] = job.start end
        assert.equal(job.what,
          job.start == 0 and "other end" or job.start < 0 and "earlier" or "later")
        local before = d.jobs[i - 1]
        local function size(one) return math.max(math.abs(one.start), math.abs(one.finish)) end
        assert.is_true(not before or size(before) >= size(job))
      end
      assert.same(expected, found)
      assert.equal(#a.jobs, d.same + #d.jobs)
      differing = differing + #d.jobs
      for _, m in ipairs(d.metrics) do
        assert.equal(a:finish()[m.name], m.a)
        assert.equal(b:finish()[m.name] - m.a, m.difference)
      end
    end
    assert.is_true(differing > 100)
  end)
end)

describe("a difference of sessions of tasks", function()
  it("is that of their ends", function()
    local rng = orrery.random(312)
    for _ = 1, rounds(40, 40, 20) do
      local pack = packs.random(rng)
      local a = packs.session(pack, "none+none")
      local b = packs.session(pack, "end-local+iterated-greedy")
      if rng:integer(0, 1) == 1 then a:finish() end
      b:finish()
      local d, ends = orrery.diff(a, b), { a:ends(), b:ends() }
      local found = {}
      for _, task in ipairs(d.tasks) do
        found[task.position] = true
        local by_b = ends[2][task.position] - ends[1][task.position]
        assert.equal(by_b, task.finish)
        if by_b ~= 0 then assert.equal(by_b < 0 and "earlier" or "later", task.what) end
      end
      for i = 1, #a.tasks do
        if not found[i] then assert.equal(ends[1][i], ends[2][i]) end
      end
      assert.equal(a.over and "makespan" or "now", d.metrics[1].name)
      assert.equal(b:measure().makespan - a.now, d.metrics[1].difference)
    end
  end)

  it("prints", function()
    local function session(policy)
      return finished(orrery.session { tasks = { n = 6 }, procs = 40, policy = policy,
        faults = { mtbf_years = 5 } })
    end
    local text = tostring(orrery.diff(session "none", session "end-local+iterated-greedy"))
    assert.matches("^a: none, at 414.6 d\nb: end%-local%+iterated%-greedy, at 377.6 d\n", text)
    assert.matches("\n5 of 6 tasks differ\n1 end earlier: by 38.7 d in the mean, at most 38.7 d "
      .. "%(task 1%)\n4 end later: ", text)
    assert.matches("\ntask     in b  end in a  end in b    end by\n", text) -- nobody has processors
    assert.matches("\n6       later   318.2 d   372.6 d   %+54.4 d\n", text)
    assert.matches("\nmakespan %s+414.56 d  377.62 d", text)
  end)

  it("is of clocks and processors while they run", function()
    local s = orrery.session { tasks = { n = 3 }, procs = 20, policy = "end-local" }
    local t = s:fork():run_until "9d"
    t:change { procs = 22, submit = { id = "late", m = 1e6 } }
    local text = tostring(orrery.diff(s, t))
    assert.matches("\nclock %s+0 s  216.00 h", text)
    assert.is_nil(text:find("makespan", 1, true))
    assert.matches("procs in a  procs in b\n", text)
    assert.matches("\nlate  only in b .* 2\n?", text)
  end)
end)

describe("a difference", function()
  it("of a session and its fork is nothing", function()
    for _, s in ipairs { by "easy", orrery.session { tasks = { n = 4 }, procs = 16 } } do
      s:step()
      local fork = s:fork()
      for _ = 1, 2 do
        local d = orrery.diff(s, fork)
        assert.equal(0, #(d.jobs or d.tasks))
        for _, m in ipairs(d.metrics) do assert.equal(0, m.difference) end
        assert.matches("\n0 of %d+ [jt]", tostring(d))
        s:finish()
        fork:finish()
      end
    end
  end)

  it("is of two sessions of one kind", function()
    local jobs, tasks = by "easy", orrery.session { tasks = { n = 2 }, procs = 4 }
    local function problem(...)
      local arguments = table.pack(...)
      local ok, text = pcall(function()
        local d = orrery.diff(table.unpack(arguments, 1, arguments.n))
        return d
      end)
      assert.is_false(ok)
      assert.matches("^spec/bindings/session/diff_spec%.lua:%d+: diff: ", text)
      return text:match "diff: (.*)"
    end
    assert.equal("one session is of jobs, the other of tasks", problem(jobs, tasks))
    assert.equal("expected two sessions, found a session and nil", problem(jobs))
    assert.equal("expected two sessions, found table and a session", problem({}, jobs))
    assert.equal("top: expected a whole number of at least 0, found -1",
      problem(jobs, jobs, { top = -1 }))
    assert.equal("unknown field 'tp', did you mean 'top'? (known: top)",
      problem(jobs, jobs, { tp = 1 }))
  end)

  it("is written complete or not at all", function()
    local path = os.tmpname()
    local d = orrery.diff(finished(by "fcfs"), finished(by "greedy"))
    d:csv(path)
    local file <close> = assert(io.open(path))
    assert.equal(d:csv(), file:read "a")
    os.remove(path)
    assert.is_false(pcall(d.csv, d, "/nowhere/at/all.csv"))
  end)
end)
