-- Jobs that come one by one: a session that gets each at its time, in place, against one that has
-- the whole log; forks and going back in between; ids.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local rounds = require "spec.support.rounds"

local POLICIES = { { "greedy" }, { "easy" }, { "easy", "lpt" }, { "easy", "wfp3" }, { "fcfs" },
  { "conservative" }, { "dispatch/list:reservations=all" }, { "shelf" }, { "easy-sjf" },
  { "aging:patience=5" }, { "fair-share" }, { "conservative", "saf" }, { "easy", "random" } }

local function row(instance, i)
  local job = instance.list[i]
  return { id = "j" .. i, submit = job.submit, procs = job.procs, time = job.time,
    walltime = job.walltime, user = i % 3 > 0 and "u" .. i % 3 or nil }
end

local function by_submission(list)
  local order = {}
  for i = 1, #list do order[i] = i end
  table.sort(order, function(a, b)
    if list[a].submit ~= list[b].submit then return list[a].submit < list[b].submit end
    return a < b
  end)
  local sorted = {}
  for i, at in ipairs(order) do sorted[i] = list[at] end
  return sorted
end

local function schedule_text(session)
  local lines = {}
  for i, attempt in ipairs(session:schedule()) do
    lines[i] = ("%s %.17g %.17g %s"):format(attempt.id, attempt.start, attempt["end"] or -1,
      attempt.outcome)
  end
  return table.concat(lines, "\n")
end

describe("jobs that come one by one", function()
  it("run as they do in one log, also after forks and going back", function()
    local rng = orrery.random(5)
    for round = 1, rounds(600) do
      local instance = instances.random(rng, { n = 30, verification = false })
      instance.list = by_submission(instance.list)
      local policy = POLICIES[rng:integer(1, #POLICIES)]
      local all, first = {}, rng:integer(1, #instance.list)
      for i = 1, #instance.list do all[i] = row(instance, i) end
      local some = table.move(all, 1, first, 1, {})
      local more = { procs = instance.procs, policy = policy[1], priority = policy[2],
        walltimes = instance.walltimes }
      local function session(list)
        local spec = { jobs = orrery.jobs(list) }
        for key, value in pairs(more) do spec[key] = value end
        return orrery.session(spec)
      end
      local about = ("round %d, %s, first %d\n%s"):format(round, table.concat(policy, " "), first,
        instances.describe(instance))
      local whole, online = session(all), session(some)
      whole:finish()
      local forks = {}
      for i = first + 1, #all do
        local ahead = rng:integer(1, 3) == 1 -- it is known before its time
        if not ahead then online:run_before(all[i].submit) end
        if rng:integer(0, 1) == 1 then
          online:submit(all[i])
        else
          online:change { submit = all[i] }
        end
        if rng:integer(1, 8) == 1 then forks[#forks + 1] = { online:fork(), i } end
        -- Back is behind the instant, which has to be over.
        if rng:integer(1, 10) == 1 and online.next_event > online.now then
          local now = online.now
          online:run_until(now + 5)
          online:back_to(now)
        end
      end
      online:finish()
      assert.equal(schedule_text(whole), schedule_text(online), about)
      assert.is_true(online:check())
      for _, fork in ipairs(forks) do
        for i = fork[2] + 1, #all do
          fork[1]:run_before(all[i].submit)
          fork[1]:submit(all[i])
        end
        fork[1]:finish()
        assert.equal(schedule_text(whole), schedule_text(fork[1]), "a fork, " .. about)
      end
      online:back_to(whole.now / 2)
      online:finish()
    end
  end)

  it("find the machine as it is when they come, also where nobody was there before", function()
    local log = { { time = 50, processor = 0, repair = 10 },
      { time = 95, processor = 0, repair = 25 } }
    for _, failures in ipairs { { log = log }, { mtbf = 30, repair = 20 } } do
      for _, instant in ipairs { "batched", "ends-first" } do
        local rows = { { id = "a", submit = 0, procs = 1, time = 5 } }
        local function session()
          return orrery.session { jobs = orrery.jobs(rows), procs = 2, node_failures = failures,
            instant = instant }
        end
        local online = session()
        for at = 100, 900, 100 do
          online:run_until(at - 1)
          rows[#rows + 1] = { id = "b" .. at, submit = at, procs = 2, time = 3 }
          if at % 200 == 0 then online:submit(rows[#rows]) else
            online:change { submit = rows[#rows] }
          end
        end
        online:finish()
        local whole = session()
        whole:finish()
        assert.equal(schedule_text(whole), schedule_text(online))
        assert.same(whole:measure(), online:measure())
        if failures.log then assert.equal(120, online:schedule()[2].start) end
      end
    end
  end)

  -- By hand: b runs from 2 to 12, a from 15 to 25 on one of 4 processors each.
  it("count from the earliest, also where a later one was announced first", function()
    local s = orrery.session { jobs = orrery.jobs {}, procs = 4, policy = "fcfs" }
    s:submit { id = "a", submit = 15, procs = 1, runtime = 10 }
    s:submit { id = "b", submit = 2, procs = 1, runtime = 10 }
    s:finish()
    local m = s:measure()
    assert.same({ 23, 20 / (4 * 23) }, { m.makespan, m.utilisation })
  end)

  it("keep their ids, whatever their places", function()
    local s = orrery.session { jobs = orrery.jobs { { procs = 1, time = 5 } }, procs = 2 }
    s:submit { { id = "3", procs = 1, time = 1 }, { id = "2", procs = 1, time = 1 } }
    s:change { submit = { { id = "7", procs = 1, time = 1 }, { id = "5", procs = 1, time = 1 } } }
    local ids = {}
    for i, job in ipairs(s.jobs) do ids[i] = job.id end
    assert.same({ "1", "3", "2", "7", "5" }, ids)
    assert.error_matches(function() s:submit { id = "7", procs = 1, time = 1 } end,
      "there is a job '7' already")
  end)

  it("come as workloads, too", function()
    local s = orrery.session { jobs = orrery.jobs { { procs = 1, time = 5 } }, procs = 2 }
    for i = 1, 3 do s:submit(orrery.jobs { { id = "w" .. i, procs = 1, time = 1 } }) end
    s:submit { id = "x", procs = 1, time = 1 }
    assert.equal(5, #s.jobs)
    assert.error_matches(function() s:submit { id = "w2", procs = 1, time = 1 } end,
      "there is a job 'w2' already")
  end)

  -- Snapshots are taken on the way, and the copy goes on; what is behind them is made again.
  it("go back to wherever they were", function()
    local s = orrery.session { jobs = orrery.jobs { { procs = 1, time = 5 } }, procs = 3 }
    local texts, times = {}, {}
    for i = 1, 3000 do
      s:run_before(2.0 * i)
      s:submit { id = "j" .. i, procs = 1 + i % 2, runtime = i % 7, submit = 2 * i }
      if i % 500 == 250 then
        s:run_until(2 * i)
        times[#times + 1], texts[#texts + 1] = s.now, schedule_text(s)
      end
    end
    s:finish()
    assert.is_true(s:check())
    for k = #times, 1, -1 do
      s:back_to(times[k])
      assert.equal(texts[k], schedule_text(s))
    end
  end)

  -- From the second on they take the short way, where that can be.
  it("are one entry of the history behind the first, whatever they look like", function()
    local s = orrery.session { jobs = orrery.jobs { { procs = 1, time = 5 } }, procs = 2 }
    local rows = { { procs = 1, time = 1 }, { procs = 1, time = 1 }, { procs = 1, runtime = 2 },
      { id = 7, procs = 2, runtime = 2, submit = 3, walltime = 9, user = "ann", queue = "q" },
      { procs = 1, runtime = 1, submit = "+5m" }, { id = "x", procs = 1.0, time = 1 } }
    for i, one in ipairs(rows) do
      if i % 2 == 0 then s:submit(one) else s:change { submit = one } end
    end
    assert.equal(2, #s.history) -- the first has made room for the others
    assert.equal("5 jobs submitted, the last at 0 s", s.history[2].text)
    local ids = {}
    for i, job in ipairs(s.jobs) do ids[i] = job.id end
    assert.same({ "1", "new1", "new2", "new3", "7", "new4", "x" }, ids)
    local job = s.jobs[5]
    assert.same({ 3, 9, "ann", "q" }, { job.submit, job.walltime, job.user, job.queue })
    assert.equal(300, s.jobs[6].submit)
  end)

  it("are refused in the same words on the short way", function()
    local s = orrery.session { jobs = orrery.jobs { { procs = 1, time = 5 } }, procs = 2 }
    s:run_until(4)
    for _ = 1, 2 do s:submit { procs = 1, time = 3 } end
    local wrong = { { procs = 3, time = 1 }, { procs = 1, time = -1 }, { procs = 1 },
      { procs = 1, time = 1, submit = 1 }, { procs = 1, time = 1, color = "red" },
      { id = "1", procs = 1, time = 1 }, { id = 2.5, procs = 1, time = 1 },
      { procs = 1, time = 1, submit = "soon" }, { procs = "1", time = 1 } }
    local function refusal(given)
      local ok, message = pcall(s.submit, s, given)
      assert.is_false(ok)
      return (message:gsub("new%d+", "new"))
    end
    for _, job in ipairs(wrong) do assert.equal(refusal { job }, refusal(job)) end -- a list: long
    assert.equal(3, s.counts.pending + s.counts.waiting + s.counts.running)
  end)

  it("go back in the middle of them, and come again", function()
    local s = orrery.session { jobs = orrery.jobs { { procs = 1, time = 5 } }, procs = 2 }
    for i = 1, 9 do
      s:run_until(i)
      s:submit { procs = 1, time = 3 }
    end
    s:finish()
    s:back_to(4)
    assert.equal("3 jobs submitted, the last at 4 s", s.history[2].text)
    assert.equal(5, #s.jobs)
    s:submit { id = "new9", procs = 1, time = 3 }
    assert.equal(6, #s.jobs)
  end)

  it("leave alone what somebody has in hand", function()
    local s = orrery.session { jobs = orrery.jobs { { procs = 1, time = 5 } }, procs = 2 }
    s:submit { procs = 1, time = 3 }
    local before = s.jobs
    s:submit { procs = 1, time = 3 }
    assert.equal(2, #before)
    assert.equal(3, #s.jobs)
  end)

  it("that are refused change nothing", function()
    local s = orrery.session { jobs = orrery.jobs { { procs = 1, time = 5 } }, procs = 2,
      policy = { dispatch = { discipline = "list" }, per = "workload",
        priority = function(job) return job.procs > 1 and 0 / 0 or 1 end } }
    s:submit { procs = 1, time = 3 }
    s:step()
    for _, wrong in ipairs { { procs = 3, time = 1 }, { procs = 2, time = 1 },
      { procs = 1, time = 1, submit = -5 }, { procs = 1 } } do
      assert.has_error(function() s:submit(wrong) end)
      assert.equal(2, #s.jobs)
    end
    s:submit { procs = 1, time = 3 }
    s:finish()
    assert.equal(3, s.counts.over)
  end)

  -- By hand: one processor; a ends at 10, when b (3 s) and c (1 s) come: the shortest goes first.
  it("come before the decision of their instant", function()
    local s = orrery.session { jobs = orrery.jobs { { id = "a", procs = 1, time = 10 } }, procs = 1,
      policy = "fcfs", priority = "spt" }
    s:run_before(10)
    assert.equal(0, s.now)
    s:submit { id = "b", submit = 10, procs = 1, time = 3 }
    s:submit { id = "c", submit = 10, procs = 1, time = 1 }
    s:finish()
    assert.equal(10, s:job("c").start)
    assert.equal(11, s:job("b").start)
    s:back_to(10)
    assert.equal(10, s.now)
    assert.equal(1, s.counts.running)
  end)
end)

describe("tasks that are submitted", function()
  it("start now, by either call", function()
    for _, submit in ipairs {
      function(s, given) return s:submit(given) end,
      function(s, given) return s:change { submit = given } end,
    } do
      local s = orrery.session { tasks = orrery.tasks.list { { id = "a", m = 1e6 } }, procs = 2 }
      s:change { procs = 8 }
      assert.equal(s, submit(s, { { id = "b", m = 2e6 }, { id = "c", m = 1e6 } }))
      assert.equal(3, #s.tasks)
      assert.same({ running = 3, over = 0 }, s.counts)
      s:change { procs = 12 }
      submit(s, orrery.tasks.list { { id = "d", m = 5 } })
      assert.equal("d", s:running()[4].id)
      s:finish()
      assert.equal(4, s.counts.over)
      assert.is_true(s:check())
    end
  end)
end)
