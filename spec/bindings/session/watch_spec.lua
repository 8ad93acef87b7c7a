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
