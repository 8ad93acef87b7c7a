-- Policies that can be watched: what they print and note.
local orrery = require "orrery"
local program = require "spec.support.program"
local temporary = require "spec.support.temporary"

local JOBS = {
  { id = "a", procs = 2, time = 10 }, { id = "b", procs = 2, time = 10, submit = 1 },
}

local function start_all(sim)
  for job in sim:fitting() do sim:start(job) end
end

local function session(policy, more)
  local spec = { jobs = orrery.jobs(JOBS), procs = 3, policy = policy }
  for key, value in pairs(more or {}) do spec[key] = value end
  return orrery.session(spec)
end

local function starts(s)
  local list = {}
  for i, attempt in ipairs(s:schedule()) do list[i] = { attempt.id, attempt.start } end
  return list
end

describe("sim:note", function()
  local policy = { name = "telling", dispatch = function(sim)
    for job in sim:fitting() do
      sim:start(job)
      sim:note { job = job, free = sim.free, share = 0.5, ok = true, far = math.huge }
    end
  end, on_end = function(sim) sim:note "over" end }

  it("is a table with times, hooks and jobs", function()
    local s = session(policy)
    s:finish()
    assert.same({
      { time = 0, hook = "dispatch", job = "a", free = 1, share = 0.5, ok = true, far = math.huge },
      { time = 10, hook = "on_end", job = "a", text = "over" },
      { time = 10, hook = "dispatch", job = "b", free = 1, share = 0.5, ok = true,
        far = math.huge },
      { time = 20, hook = "on_end", job = "b", text = "over" },
    }, s.notes)
    assert.equal("integer", math.type(s.notes[1].free))
  end)

  it("belongs to its session: forks have what was before, back_to undoes what came later",
    function()
      local s = session(policy)
      s:run_until(5)
      local fork = s:fork()
      s:finish()
      assert.equal(1, #fork.notes)
      assert.equal(4, #s.notes)
      fork:finish()
      assert.same(s.notes, fork.notes)
      assert.same(s.notes[1], s:back_to(5).notes[1])
      assert.equal(1, #s.notes)
      s:finish()
      assert.same(fork.notes, s.notes)
    end)

  it("keeps the latest 10000 and says how many it has dropped", function()
    local s = session { name = "chatty", dispatch = function(sim)
      start_all(sim)
      for i = 1, 6000 do sim:note { i = i } end
    end }
    s:step()
    assert.equal(6000, #s.notes)
    assert.is_nil(s.notes.dropped)
    local fork = s:fork()
    s:finish()
    assert.equal(10000, #s.notes)
    assert.equal(s.notes.dropped + 10000, 6000 * 3)
    assert.equal(6000, s.notes[10000].i)
    assert.equal(2001, s.notes[1].i)
    assert.equal(6000, #fork.notes)
  end)

  it("is refused where it cannot be kept, everywhere alike", function()
    for text, bad in pairs {
      ["its fields have names"] = { 5 },
      ["every note has a field 'time' already"] = { time = 5 },
      ["its field 'x' is a table; a note has numbers, texts, booleans and jobs"] = { x = {} },
      ["it has more than 1000 bytes"] = { x = ("x"):rep(1000) },
      ["table expected, got number"] = 5,
    } do
      local wrong = { name = "wrong", dispatch = function(sim) sim:note(bad) end }
      local ok, problem = pcall(function() session(wrong):finish() end)
      assert.is_false(ok)
      assert.truthy(problem:find(text, 1, true), problem)
      ok, problem = pcall(orrery.compare, { jobs = orrery.jobs(JOBS), procs = 3, runs = 2,
        policies = { wrong } })
      assert.is_false(ok)
      assert.truthy(problem:find(text, 1, true), problem)
    end
  end)

  it("changes no schedule", function()
    local silent = session { name = "silent", dispatch = start_all }
    local telling = session(policy)
    silent:finish()
    telling:finish()
    assert.same(starts(silent), starts(telling))
  end)

  it("is there for tasks", function()
    local s = orrery.session { tasks = { n = 3 }, procs = 12, faults = { mtbf_years = 5 },
      policy = { on_end = function(sim, task)
        sim:note { expected = sim.expected, ended = task }
      end } }
    s:finish()
    assert.is_true(#s.notes >= 1)
    assert.equal("on_end", s.notes[1].hook)
    assert.equal(s.notes[1].task, s.notes[1].ended)
  end)
end)

local LOUD = [[
return { dispatch = function(sim)
  for job in sim:fitting() do
    sim:start(job)
    print("start", job, "\27[31mred")
  end
end }]]

describe("print in a policy", function()
  -- Exit status, standard output, standard error.
  local function replay(options)
    return temporary.file("loud.lua", LOUD, function(path)
      return temporary.file("jobs.csv", "id,submit,procs,runtime\na,0,2,10\nb,1,2,10\n",
        function(log)
          return program.run(".", ("replay %s --procs 3 --policy %s %s"):format(log, path,
            options))
        end)
    end)
  end

  it("is shown, without commands to the terminal, where one scenario is replayed", function()
    local schedule = os.tmpname()
    for _, options in ipairs { "", "--threads 2", "--untrusted", "--schedule " .. schedule } do
      local status, _, err = replay(options)
      assert.equal(0, status, err)
      local _, count = err:gsub("start\tjob [ab]\t\\x1b%[31mred\n", "")
      assert.equal(2, count, options .. ": " .. err)
    end
    os.remove(schedule)
  end)

  it("is an error in Monte Carlo that a policy cannot catch", function()
    local status, _, err = replay "--q 0.1 --runs 5"
    assert.equal(1, status)
    assert.truthy(err:find("print: nobody looks on where several runs are compared. Use sim:note",
      1, true), err)
    local ok, problem = pcall(orrery.compare, { jobs = orrery.jobs(JOBS), procs = 3, runs = 2,
      policies = { { name = "sly", dispatch = function(sim)
        if pcall(print, "x") then return end
        start_all(sim)
      end } } })
    assert.is_false(ok)
    assert.truthy(problem:find("Use sim:note", 1, true))
  end)

  it("is an error outside of hooks", function()
    temporary.file("early.lua", 'print "x" return { dispatch = "easy" }', function(path)
      local ok, problem = pcall(session, path)
      assert.is_false(ok)
      assert.truthy(problem:find("print can be used only inside a hook", 1, true), problem)
    end)
  end)

  it("says nothing again when a session goes back", function()
    local status, out, err = program.run(".", [[-e "local s = orrery.session { procs = 3,
      jobs = orrery.jobs { { procs = 2, time = 10 } }, policy = { dispatch = function(sim)
        for job in sim:fitting() do sim:start(job) print(1) end
      end } }
      s:finish() s:back_to(5) s:finish()"]])
    assert.same({ 0, "", "1\n" }, { status, out, err })
  end)
end)

describe("s:step", function()
  local LIST = {
    { id = "a", procs = 6, runtime = 3600, user = "ann" },
    { id = "wide", procs = 10, runtime = 600, submit = 10, user = "bob" },
    { id = "long", procs = 4, runtime = 4310, submit = 10 },
    { id = "short", procs = 4, runtime = 20, submit = 10 },
  }

  local function easy(fields)
    local spec = { jobs = orrery.jobs(LIST), procs = 10, policy = "easy" }
    for key, value in pairs(fields or {}) do spec[key] = value end
    return orrery.session(spec)
  end

  it("shows what came, ended, started and was reserved", function()
    local s = easy()
    local _, first = s:step()
    assert.equal("at 0 s:\n  submitted  a\n  started    a on 0-5", tostring(first))
    local more, second = s:step()
    assert.is_true(more)
    assert.equal("at 10 s:\n  submitted  wide, long, short\n  started    short on 6-9\n"
      .. "  reserved   wide for 60.0 min", tostring(second))
    assert.same({ { id = "wide", position = 2, start = 3600 } }, second.reserved)
    assert.same({ { id = "short", position = 4, processors = "6-9" } }, second.started)
    assert.equal(10, second.time)
    s:step()
    assert.equal("at 0 s:\n  submitted  a\n  started    a on 0-5", tostring(first))
    local last
    repeat more, last = s:step() until not more
    assert.equal("at 2.36 h:\n  ended      long", tostring(last))
    assert.is_nil((select(2, orrery.session { tasks = { n = 3 }, procs = 12 }:step())))
  end)

  it("tells how attempts ended", function()
    local s = easy { failures = { 1, 0, 0, 0 } }
    s:run_until(3599)
    assert.equal("at 60.0 min:\n  ended      a (failed)\n  started    a on 0-5\n  reserved   wide "
      .. "for 2.00 h", tostring(select(2, s:step())))
  end)

  it("shows every event of a run once", function()
    local s = orrery.session { jobs = orrery.read("sample-2019-06"):day "2019-06-14",
      policy = "conservative",
      errors = { mean_probability = 0.05 } }
    local came, started, ended, more = 0, 0, 0, true
    while more do
      local now
      more, now = s:step()
      came, started, ended = came + #now.submitted, started + #now.started, ended + #now.ended
    end
    assert.same({ #s.jobs, #s:schedule(), #s:schedule() }, { came, started, ended })
  end)
end)

describe("lists of jobs", function()
  it("print as tables, with what is reserved", function()
    local s = orrery.session { procs = 10, policy = "easy", jobs = orrery.jobs {
      { id = "a", procs = 6, runtime = 3600, user = "ann" },
      { id = "wide", procs = 10, runtime = 600, submit = 10, user = "bob", walltime = 900 },
    } }
    s:run_until(100)
    assert.equal("id    user  procs  walltime  submitted  waited  reserved\n"
      .. "wide   bob     10  15.0 min       10 s    90 s  60.0 min", tostring(s:waiting()))
    assert.equal("id  user  procs  walltime  submitted  waited   ends by\n"
      .. "a    ann      6  60.0 min        0 s     0 s  60.0 min", tostring(s:running()))
    assert.equal(90, s:waiting()[1].waited)
    assert.equal(900, s:waiting()[1].walltime)
    s:finish()
    assert.equal("no jobs", tostring(s:waiting()))
  end)

  it("have dates where the log has", function()
    local s = orrery.session { jobs = orrery.read "sample-2019-06", policy = "easy" }
    s:run_until "2019-06-03 12:00"
    assert.matches("%d+ +8192 +6%.00 h  2019%-06%-02 22:53:17 +13%.11 h  2019%-06%-03 13:03:18",
      tostring(s:waiting()))
  end)
end)

describe("a trace", function()
  local LIST = {
    { id = "a", procs = 6, runtime = 3600 },
    { id = "wide", procs = 10, runtime = 600, submit = 10 },
    { id = "long", procs = 4, runtime = 4310, submit = 10 },
    { id = "short", procs = 4, runtime = 20, submit = 10 },
  }

  local function noting()
    return orrery.session { jobs = orrery.jobs(LIST), procs = 10, policy = { name = "noting",
      dispatch = "easy", on_end = function(sim, job)
        sim:note { ended = job, bytes = "\xff\27", far = math.huge }
      end } }
  end

  local function parsed(text)
    local lines = {}
    for line in text:gmatch "[^\n]+" do
      lines[#lines + 1] = assert(require("dkjson").decode(line))
    end
    return lines
  end

  it("has a line of JSON for every instant", function()
    local lines = parsed(noting():trace())
    assert.same({ policy = "noting", jobs = 4, procs = 10 }, lines[1])
    assert.same({ time = 10, submitted = { "wide", "long", "short" },
      started = { { job = "short", processors = "6-9" } },
      reserved = { { job = "wide", start = 3600 } } }, lines[3])
    assert.same({ time = 30, ended = { { job = "short", outcome = "completed" } }, notes = { {
      time = 30, hook = "on_end", job = "short", ended = "short", bytes = "\\xff\\x1b" } } },
      lines[4])
    assert.equal(7, #lines)
  end)

  it("is of the same schedule, and of all of it", function()
    for _, policy in ipairs { "easy", "conservative", "fcfs", { name = "three",
      dispatch = { discipline = "list", reservations = 3 } } } do
      local spec = { jobs = orrery.read("sample-2019-06"):day "2019-06-14", policy = policy,
        errors = { mean_probability = 0.05 } }
      local traced, plain = orrery.session(spec), orrery.session(spec)
      local lines, came, ended, k = parsed(traced:trace()), 0, 0, 0
      assert.same(plain:finish(), traced:finish())
      local schedule = plain:schedule()
      for _, line in ipairs(lines) do
        came, ended = came + #(line.submitted or {}), ended + #(line.ended or {})
        for _, start in ipairs(line.started or {}) do
          k = k + 1
          assert.same({ schedule[k].id, schedule[k].processors, schedule[k].start },
            { start.job, start.processors, line.time })
        end
      end
      assert.same({ #traced.jobs, #schedule, #schedule }, { came, ended, k })
    end
  end)

  it("goes on behind jobs that come later, and tells of them as well", function()
    local s, more = noting(), {}
    local first = s:trace()
    for i = 1, 2000 do
      more[i] = { id = "later " .. i, procs = i % 2 == 1 and 6 or 10, time = 600 }
    end
    s:change { submit = more }
    s:step()
    local lines, reserved = parsed(s:trace()), {}
    for i = 2, #lines do
      for _, one in ipairs(lines[i].reserved or {}) do reserved[one.job] = true end
    end
    assert.is_true(s.over and reserved["later 2000"])
    assert.equal(noting():trace(), first)
  end)

  it("tells reservations that are those of s:step()", function()
    local s, lines, n = noting(), parsed(noting():trace()), 1
    local told, more = {}, true
    while more do
      local now
      more, now = s:step()
      n = n + 1
      for _, one in ipairs(lines[n].reserved or {}) do told[one.job] = one.start end
      for _, one in ipairs(now.reserved) do assert.equal(told[one.id], one.start) end
    end
  end)

  it("is written by orrery replay --trace, complete or not at all", function()
    local folder = program.folder()
    program.write(folder, "log.csv", "id,submit,procs,runtime\na,0,2,10\nb,1,2,10\n")
    program.write(folder, "loud.lua", [[return { dispatch = function(sim)
      for job in sim:fitting() do sim:start(job) print("start", job) sim:note "started" end
    end }]])
    program.write(folder, "bad.lua", [[return { dispatch = function(sim)
      if sim.now > 5 then error "late" end
      for job in sim:fitting() do sim:start(job) end
    end }]])
    for _, more in ipairs { "", "--untrusted" } do
      local status, _, err = program.run(folder, "replay log.csv --procs 3 --policy loud.lua "
        .. "--trace t.jsonl " .. more)
      assert.same({ 0, 2 }, { status, select(2, err:gsub("start\tjob", "")) }, err)
      local lines = parsed(program.read(folder .. "/t.jsonl"))
      assert.same({ { text = "started", hook = "dispatch", time = 10 } }, lines[4].notes)
      os.remove(folder .. "/t.jsonl")
    end
    local status = program.run(folder, "replay log.csv --procs 3 --policy bad.lua --trace t.jsonl")
    assert.equal(1, status)
    assert.is_false(program.exists(folder .. "/t.jsonl"))
    for _, wrong in ipairs { "--runs 2", "--policy easy --policy fcfs", "--q 0.1 --q 0.2" } do
      local code, _, err = program.run(folder, "replay log.csv --procs 3 --trace t.jsonl " .. wrong)
      assert.equal(2, code)
      assert.truthy(err:find("--trace writes one trace", 1, true), err)
    end
    program.remove(folder)
  end)
end)

describe("s:break_at", function()
  local function session_of(policy)
    return orrery.session { procs = 10, policy = policy or "easy", jobs = orrery.jobs {
      { id = "a", procs = 6, runtime = 3600 }, { id = "b", procs = 10, runtime = 600, submit = 10 },
    } }
  end

  -- Where runs to the end stop, and why.
  local function stops(s)
    local list = {}
    repeat
      s:run_until(math.huge)
      list[#list + 1] = s.broke
    until not s.broke
    assert.is_true(s.over)
    return list
  end

  it("stops at times", function()
    local s = session_of():break_at { time = 500 }:break_at { time = "20m" }
    assert.equal(300, s:run_until(300).now)
    assert.is_nil(s.broke)
    assert.equal(500, s:run_until(4000).now)
    assert.equal("at 8.3 min: the time to stop at", s.broke)
    assert.equal(1200, s:run_until(4000).now)
    assert.same({}, stops(s))
  end)

  it("stops where a job comes, starts and ends", function()
    assert.same({ "at 10 s: job b is waiting, it was pending",
      "at 60.0 min: job b is running, it was waiting",
      "at 70.0 min: job b is over, it was running" }, stops(session_of():break_at { job = "b" }))
  end)

  it("stops at hooks", function()
    local s = session_of { name = "mine", dispatch = "easy", on_end = function() end }
    assert.same({ "at 60.0 min: hook on_end was called", "at 70.0 min: hook on_end was called" },
      stops(s:break_at { hook = "on_end" }))
    local tasks = orrery.session { tasks = { n = 3 }, procs = 12, policy = {
      on_end = function() end } }
    assert.equal(2, #stops(tasks:break_at { hook = "on_end" })) -- the last end leaves nobody
  end)

  it("stops where a function says so, and only in its own session", function()
    local s = session_of():break_at(function(self) return self.counts.waiting == 1 end)
    local fork = s:fork()
    assert.same({}, stops(fork))
    assert.same({ "at 10 s: the function says so" }, stops(s))
    s:back_to(0)
    assert.same({}, stops(s:break_at()))
  end)

  it("refuses what is no condition", function()
    for wrong, text in pairs { [5] = "expected { time = }, { job = }, { hook = } or a function",
      [{}] = "found an empty table", [{ hook = "on_ende" }] = "did you mean 'on_end'?",
      [{ what = 1 }] = "unknown field 'what'", [{ job = "c" }] = "there is no job 'c'",
      [{ time = "soon" }] = "expected seconds" } do
      local ok, problem = pcall(function() session_of():break_at(wrong) end)
      assert.is_false(ok)
      assert.truthy(problem:find(text, 1, true), problem)
    end
  end)
end)
