-- Policies that misbehave: each is an error that says what to mend, and the process goes on.
-- Those that mean it are in hostile_spec.lua.
local merge = require "spec.support.merge"
local orrery = require "orrery"
local refuse = require "spec.support.refused"
local rounds = require "spec.support.rounds"

local JOBS, start_all = refuse.JOBS, refuse.start_all
local refused, here, assert_all_is_well = refuse.policy, refuse.here, refuse.assert_all_is_well

describe("an error in a hook names policy, hook, job, time, file and line", function()
  it("dispatch", function()
    local line = here(2)
    refused({ dispatch = function(sim)
      if sim.now == 100 then error "oh no" end
      start_all(sim)
    end }, { "policy bad: dispatch at time 100: ", line .. "oh no" })
  end)

  it("from which function it was called, where there are several", function()
    local function fall() error "oh no" end
    local function stumble() fall() end
    refused({ dispatch = function() stumble() end }, { here(-2) .. "oh no", "stack traceback:",
      ("in upvalue 'stumble'"), here(-2):sub(1, -3) })
  end)

  it("the line also where the message has none", function()
    refused({ dispatch = function() error("oh no", 0) end }, { here() .. "oh no" })
  end)

  it("priority, at each of its times", function()
    local line = here(2)
    local function fail(job)
      if job.id == "late" then error "oh no" end
      return 0
    end
    refused({ priority = fail }, { "bad: priority for job late: ", line .. "oh no" })
    refused({ priority = fail, per = "scenario" },
      { "bad: priority for job late at time 0: ", line })
    refused({ priority = fail, per = "attempt" },
      { "bad: priority for job late at time 100: ", line })
    refused({ priority = fail, per = "decision" },
      { "bad: priority for job late at time 100: ", line })
  end)

  it("init", function()
    local line = here(1)
    refused({ dispatch = start_all, init = function() error "oh no" end },
      { "policy bad: init at time 0: ", line .. "oh no" })
  end)

  it("errors that are not text", function()
    refused({ dispatch = function() error { code = 1 } end }, "(error object: table: ")
    refused({ dispatch = function() error() end }, "policy bad: dispatch at time 0: ")
    refused({ dispatch = function()
      error(setmetatable({}, { __tostring = function() return "I am told" end }))
    end }, "I am told")
    refused({ dispatch = function()
      error(setmetatable({}, { __tostring = function() error "again" end }))
    end }, "policy bad: dispatch at time 0: ")
  end)

  it("a file of a policy, with its path", function()
    local path = os.tmpname() .. ".lua"
    local file = assert(io.open(path, "w"))
    file:write "return {\n  dispatch = function(sim)\n    sim.nothing()\n  end,\n}\n"
    file:close()
    local ok, message = pcall(function()
      orrery.session { jobs = JOBS, procs = 2, policy = path }:finish()
    end)
    os.remove(path)
    assert.is_false(ok)
    assert.matches(path .. ":3: sim has no field 'nothing'", message, 1, true)
  end)

  it("once: the session cannot go on after it", function()
    local session = orrery.session { jobs = JOBS, procs = 2,
      policy = { name = "bad", dispatch = function() error "oh no" end } }
    assert.is_false(pcall(session.finish, session))
    for _, method in ipairs { "finish", "step", "run_until" } do
      local ok, message = pcall(session[method], session, math.huge)
      assert.is_false(ok)
      assert.equal(
        "policy bad: the simulation was stopped by an error at time 0 and cannot go on", message)
    end
    local fork = session:fork()
    assert.is_false(pcall(fork.finish, fork))
  end)
end)

describe("a priority that is no number", function()
  it("nan", function()
    local nan = function(job) return job.id == "late" and 0 / 0 or 1 end
    refused({ priority = nan }, { "policy", "priority of job late is not a number (nan)" })
    for _, per in ipairs { "scenario", "attempt", "decision" } do
      refused({ priority = nan, per = per },
        { "at time ", "the priority of job late is not a number (nan)" })
    end
  end)

  it("another type, or nothing", function()
    refused({ priority = function() return "high" end },
      { "priority for job first", "a priority must be a number, this is string" })
    refused({ priority = function() end }, "a priority must be a number, this is nil")
    refused({ priority = function(job) return job end },
      "a priority must be a number, this is userdata")
    refused({ priority = function() return true end },
      "a priority must be a number, this is boolean")
  end)

  it("a time at which it changes that is none, or not to come", function()
    local function changing(time)
      return { per = "change", priority = function(job) return job.procs, time end }
    end
    refused(changing "soon", { "priority for job first at time 0: ",
      "the time at which a priority changes must be a number or nil, this is string" })
    refused({ per = "change", priority = function() return nil, 5 end },
      "a priority must be a number, this is nil")
    for _, time in ipairs { 0, -1, 0 / 0 } do
      refused(changing(time), { "at time 0 the priority of job first is to change at ",
        ", which is not later" })
    end
  end)

  it("but infinite ones are numbers", function()
    local session = orrery.session { jobs = JOBS, procs = 2, policy = "dispatch/fcfs",
      priority = function(job) return job.id == "second" and math.huge or -math.huge end }
    session:finish()
    assert.equal(2, session:schedule()[1].position)
  end)
end)

describe("what a policy says about itself is checked", function()
  local function load_refused(policy, message, field)
    local spec = { jobs = JOBS, procs = 2, [field or "policy"] = policy }
    local ok, found = pcall(orrery.session, spec)
    assert.is_false(ok)
    assert.equal(message, found)
    assert_all_is_well()
  end

  it("keys and types", function()
    load_refused({ "lpt", "spt" }, "policy table: expected one policy, found a list; several are "
      .. "given as policies = { { policy =, priority = }, ... }")
    load_refused({ name = "bad", dispatch = start_all, prority = 1 },
      "policy bad: unknown key 'prority' (known: name, about, source, options, per, priority, "
      .. "dispatch, init, backfill, groups, caches, on_submit, on_start, on_end, on_idle, "
      .. "on_timer, period, estimate, planned_end, on_warning)")
    load_refused({ name = "bad", dispatch = start_all, per = "hour" },
      "policy bad: per must be one of workload, scenario, attempt, change, decision, it is 'hour'")
    load_refused({ name = "bad", dispatch = start_all, priority = 5 },
      "policy bad: priority must be a function, it is a number")
    load_refused({ name = "bad", dispatch = start_all, init = "x" },
      "policy bad: init must be a function, it is a string")
    load_refused({ name = "bad", dispatch = 7 },
      "policy bad: dispatch must be a function or a table, it is a number")
    load_refused({ name = "bad" }, "policy bad: it has no dispatch")
    load_refused({ name = "bad" }, "policy bad: it has no priority", "priority")
    load_refused({ name = "bad", priority = function() return 1 end },
      "policy bad: it is a priority and says nothing of dispatch; give it as the priority")
    load_refused({ name = "bad", priority = function() return 1 end, dispatch = start_all },
      "policy bad: it has a dispatch; give it as the policy", "priority")
  end)

  it("disciplines", function()
    local function bad(dispatch, message)
      load_refused({ name = "bad", dispatch = dispatch }, "policy bad: " .. message)
    end
    local known = "dispatch.discipline must be list, fcfs, shelf, conservative or recorded, it is "
    bad({}, known .. "'nil'")
    bad({ discipline = "heap" }, known .. "'heap'")
    bad({ discipline = "list", fill = true },
      "unknown key 'fill' in dispatch (known: discipline, reservations, reading, place, "
        .. "node_procs, place_nodes)")
    bad({ discipline = "list", reading = "tail" }, "reading must be blocked or head, it is 'tail'")
    for _, m in ipairs { -1, 1.5, "some" } do
      bad({ discipline = "list", reservations = m },
        ("reservations must be a whole number >= 0 or 'all', it is '%s'"):format(m))
    end
  end)

  it("files that are no policy", function()
    local function file_refused(text, message)
      local path = os.tmpname() .. ".lua"
      local file = assert(io.open(path, "w"))
      file:write(text)
      file:close()
      local ok, found = pcall(orrery.session, { jobs = JOBS, procs = 2, policy = path })
      os.remove(path)
      assert.is_false(ok)
      assert.matches(message:gsub("PATH", path), found, 1, true)
    end
    file_refused("return {", "PATH:1: ")
    file_refused("return 5",
      "PATH must return a table, or a function from options to one; it returns number")
    file_refused("", "it returns nil")
    file_refused("error 'early'", "PATH:1: early")
    file_refused("return { dispatch = function() end, other = 1 }", "unknown key 'other' (known: ")
  end)
end)

describe("what a hook is given", function()
  it("has no unknown fields", function()
    refused({ dispatch = function(sim) return sim.clock end },
      { "sim has no field 'clock' (known: now, procs, free, " })
    refused({ priority = function(job) return job.walltime end },
      { "job has no field 'walltime' (known: id, position, submit, procs, time, area, " })
    refused({ priority = function(job) return job[1] end }, "job has no field '1'")
    refused({ dispatch = function(sim) return sim[{}] end }, "sim has no field 'a table'")
  end)

  it("is no runtime", function()
    local why = "job.runtime: a policy never sees how long a job takes; job.time is what the "
      .. "scheduler knows: the walltime in use, by default the runtime"
    refused({ priority = function(job) return job.runtime end }, why)
    refused({ dispatch = function(sim) return sim:waiting()().runtime end }, why)
  end)

  it("cannot be written to", function()
    refused({ priority = function(job)
      job.procs = 1
      return 1
    end }, "jobs cannot be changed by a policy (field 'procs'); keep what you remember in "
      .. "sim.state")
    refused({ dispatch = function(sim) sim.now = 5 end },
      "sim.now cannot be set; only sim.state can")
    refused({ dispatch = function(sim) sim.state = 5 end }, "table expected, got number")
    refused({ dispatch = function(sim) getmetatable(sim).__index = nil end }, "string")
  end)

  it("knows no clock where a priority is asked once per workload", function()
    refused({ priority = function(_, view) return view.now end },
      "now is not known when a priority is asked once per workload; say per = ")
    refused({ priority = function(job) return job.attempts end }, "attempts is not known when a")
    refused({ priority = function(_, view) return view.state.x end }, "state is not known when a")
    refused({ priority = function(_, view) return view:waiting() end }, "waiting is not known")
    local session = orrery.session { jobs = JOBS, procs = 2, policy = "dispatch/fcfs",
      priority = function(job, view)
        assert(view.procs == 2 and view.group == "main")
        return job.position
      end }
    session:finish()
    assert.equal(2, session:schedule()[1].position)
  end)

  it("is of no use after the run, nor in another", function()
    local kept = { jobs = JOBS } -- a userdata, so that the policy stays in this state
    local function keep(sim)
      local _ = kept.jobs
      kept.sim = sim
      for job in sim:waiting() do kept.job = job end
      kept.next = sim:waiting()
      start_all(sim)
    end
    local session = orrery.session { jobs = JOBS, procs = 2, policy = { dispatch = keep } }
    session:finish()
    local over = "sim can be used only inside a hook of the policy"
    local gone = "this job belongs to a run that is over; jobs can be used only inside a hook"
    local function all_fail()
      assert.has_error(function() return kept.sim.now end, over)
      assert.has_error(function() return kept.sim:waiting() end, over)
      assert.has_error(function() kept.sim.state = {} end, over)
      assert.has_error(function() return kept.job.id end, gone)
      assert.has_error(function() return kept.next() end, over)
      assert.equal("string", type(tostring(kept.job) .. tostring(kept.sim)))
    end
    all_fail()
    local old = kept.job
    orrery.session { jobs = JOBS, procs = 2, policy = {
      dispatch = function(sim)
        local _ = kept.jobs
        assert(not pcall(function() return old.id end))
        assert(not pcall(sim.start, sim, old))
        assert(not pcall(sim.can_start, sim, old))
        start_all(sim)
      end,
    } }:finish()
    session = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    all_fail()
  end)

  it("takes nothing but its own kind", function()
    refused({ dispatch = function(sim) sim:start(1) end }, "orrery.job expected, got number")
    refused({ dispatch = function(sim) sim:start(sim) end }, "orrery.job expected")
    refused({ dispatch = function(sim) sim.start() end }, "orrery.sim expected, got no value")
    refused({ dispatch = function(sim) sim:earliest_start(0, 1) end },
      "earliest_start: the machine has 1 to 2 processors, not 0")
    refused({ dispatch = function(sim) sim:earliest_start(3, 1) end }, "1 to 2 processors, not 3")
    refused({ dispatch = function(sim) sim:earliest_start(1, -1) end }, "at least 0")
    refused({ dispatch = function(sim) sim:earliest_start(1, 0 / 0) end }, "at least 0")
    refused({ dispatch = function(sim) sim:waiting(-1) end }, "at least 0")
    refused({ dispatch = function() math.random(2, 1) end }, "interval is empty")
  end)
end)

describe("a decision that cannot be carried out", function()
  local function jobs_of(sim)
    local list = {}
    for job in sim:waiting() do list[#list + 1] = job end
    return list
  end

  it("a job that does not fit", function()
    local line = here(3)
    refused({ dispatch = function(sim)
      for job in sim:waiting() do
        sim:start(job)
      end
    end }, { "policy bad: dispatch at time 0: ", line .. "job second cannot be started: it needs "
      .. "2 processors and 0 are free" })
  end)

  it("a job that runs, is over, or is not submitted", function()
    refused({ dispatch = function(sim)
      local job = jobs_of(sim)[1]
      sim:start(job)
      sim:start(job)
    end }, { "at time 0: ", "job first cannot be started: it is running already" })
    local kept = { jobs = JOBS }
    refused({ dispatch = function(sim)
      local _ = kept.jobs
      if sim.now == 0 then kept.job = jobs_of(sim)[1] end
      if sim.now == 10 then sim:start(kept.job) end
      start_all(sim)
    end }, { "at time 10: ", "job first cannot be started: it is over" })
    refused({ per = "scenario", dispatch = function(sim)
      local _ = kept.jobs
      sim:start(kept.late)
    end, priority = function(job)
      if job.id == "late" then kept.late = job end
      return 0
    end }, { "at time 0: ", "job late cannot be started: it is not submitted yet" })
  end)

  it("outside dispatch", function()
    refused({ per = "attempt", priority = function(job, view)
      view:start(job)
      return 1
    end }, { "at time 0: ", "job first cannot be started: only the dispatch hook and "
      .. "the hooks of events may do that" })
    refused({ per = "decision", priority = function(job, view)
      view:reserve(job)
      return 1
    end }, { "at time 0: ", "job first cannot be reserved: only the dispatch hook and "
      .. "the hooks of events may do that" })
    refused({ dispatch = start_all, init = function(sim)
      for job in sim:waiting() do sim:start(job) end
      sim:earliest_start(1, 1)
      error "nobody waits yet"
    end }, "nobody waits yet")
  end)

  it("reserving without end, and what is no longer waiting", function()
    refused({ dispatch = function(sim)
      local job = jobs_of(sim)[1]
      while true do sim:reserve(job) end
    end }, "cannot be reserved: more reservations than jobs in one decision")
    refused({ dispatch = function(sim)
      local job = jobs_of(sim)[1]
      sim:start(job)
      sim:reserve(job)
    end }, "job first cannot be reserved: it is running already")
  end)

  it("starting nothing although everything is free is an error, not a hang", function()
    local message = "policy bad: nothing starts at time 100 although 3 jobs wait, all 2 processors "
      .. "are free and no job is still to come"
    refused({ dispatch = function() end }, message)
    refused({ dispatch = function(sim)
      for job in sim:waiting() do
        sim:reserve(job)
      end
    end }, message)
  end)

  it("can be caught by the policy, and changes nothing", function()
    local session = orrery.session { jobs = JOBS, procs = 2, policy = { dispatch = function(sim)
      for job in sim:waiting() do pcall(sim.start, sim, job) end
    end } }
    assert.equal(101, session:finish().makespan)
    assert.is_true(session:check())
  end)
end)

describe("a function given at the prompt", function()
  local function compare(threads, more)
    return orrery.compare(merge({
      jobs = JOBS, procs = 2, runs = 40, threads = threads, errors = { mean_probability = 0.5 },
      seed = 3,
    }, more))
  end

  local function same_on_threads(more)
    local one, many = compare(1, more), compare(7, more)
    assert.same({}, one.notes)
    assert.same({}, many.notes)
    assert.same(one:values(1, "wait_mean"), many:values(1, "wait_mean"))
    return one
  end

  it("takes along numbers, tables, functions, recursion and library functions", function()
    local weight, floor, text = 0.5, math.floor, "x"
    local table_ = { deep = { 3, 4, [2.5] = "k" }, flag = true }
    table_.self = table_
    local function factorial(n) return n <= 1 and 1 or n * factorial(n - 1) end
    local function helper(job) return floor(job.time * weight) + factorial(job.procs) + #text end
    local result = same_on_threads { priority = { per = "attempt", priority = function(job)
      assert(table_.self == table_ and table_.deep[2.5] == "k" and table_.flag)
      return helper(job) + table_.deep[1] + ("%d"):format(2)
    end } }
    assert.is_truthy(#result:values(1, "makespan") == 40)
  end)

  it("takes along the globals that it names", function()
    _G.orrery_spec_weight = 2
    _G.orrery_spec_helper = function(job) return job.time * orrery_spec_weight end -- luacheck: ignore
    local ok, problem = pcall(same_on_threads, { policy = { dispatch = start_all,
      priority = function(job) return orrery_spec_helper(job) end } }) -- luacheck: ignore
    _G.orrery_spec_weight, _G.orrery_spec_helper = nil, nil
    assert.is_true(ok, problem)
  end)

  it("draws from the scenario's stream, also through a local name", function()
    local random = math.random
    local by_upvalue = same_on_threads { priority = { per = "attempt", priority = function()
      return random()
    end } }
    local by_global = same_on_threads { priority = { per = "attempt", priority = function()
      return math.random()
    end } }
    assert.same(by_global:values(1, "wait_mean"), by_upvalue:values(1, "wait_mean"))
  end)

  it("runs on one thread when it reads what cannot be copied, and the report names it", function()
    local log = JOBS
    local plain = compare(7, { policy = { name = "plain", dispatch = start_all } })
    local result = compare(7, { policy = { name = "reader", dispatch = function(sim)
      assert(#log == 3)
      start_all(sim)
    end } })
    assert.equal(1, #result.notes)
    assert.is_truthy(result.notes[1]:find(
      "policy reader runs on one thread: it reads log, which cannot be copied (", 1, true))
    assert.is_truthy(tostring(result):find("note: policy reader runs on one thread", 1, true))
    assert.same(plain:values(1, "wait_mean"), result:values(1, "wait_mean"))
    local nested = { inner = { log } }
    result = compare(7, { policy = { name = "nested", dispatch = start_all, per = "attempt",
      priority = function() return #nested.inner end } })
    assert.is_truthy(result.notes[1]:find("it reads nested.inner[1], which cannot be copied", 1,
      true))
  end)

  it("sees its globals and limits in the caller's state, in any order of upvalues #long", function()
    local log = JOBS
    local session = orrery.session { jobs = JOBS, procs = 2, policy = { dispatch = function(sim)
      local _ = log
      assert(math.max(1, 2) == 2 and tostring(1) == "1")
      start_all(sim)
    end } }
    assert.equal(101, session:finish().makespan)
    refused({ dispatch = function()
      local _ = log
      while true do end -- luacheck: ignore
    end }, "this call took more than 0.2 s", { limits = { seconds = 0.2 } })
  end)

  it("lives on when the coroutine that made the session is gone", function()
    local log = JOBS
    local session = coroutine.wrap(function()
      return orrery.session { jobs = JOBS, procs = 2, policy = { dispatch = function(sim)
        local _ = log
        start_all(sim)
      end } }
    end)()
    collectgarbage()
    collectgarbage()
    assert.equal(101, session:finish().makespan)
  end)
end)

describe("a policy in the caller's state", function()
  it("cannot make coroutines, in which no limit would hold", function()
    local wrap = coroutine.wrap
    refused({ dispatch = function() wrap(function() while true do end end)() end },
      "a policy cannot use coroutine.wrap: no limit holds in a coroutine")
  end)

  it("gets values where it asks for them, also in a coroutine made outside", function()
    local seen = {}
    local jobs_seen = coroutine.wrap(function(sim)
      while true do
        for job in sim:waiting() do seen[#seen + 1] = job.id end
        sim = coroutine.yield(#sim:running())
      end
    end)
    local session = orrery.session { jobs = JOBS, procs = 2, policy = { dispatch = function(sim)
      assert(math.type(jobs_seen(sim)) == "integer")
      start_all(sim)
    end } }
    session:step()
    assert.same({ session:job(1).id, session:job(2).id }, { seen[1], seen[2] })

    local tasks_seen = coroutine.wrap(function(sim)
      while true do
        for _ = 1, 1000 do sim:longest() end
        sim = coroutine.yield(sim:longest(), sim:tasks()[1], sim:shortest(1000000))
      end
    end)
    local pack = orrery.session { tasks = { n = 4 }, procs = 40, policy = { on_end = function(sim)
      local longest, first, none = tasks_seen(sim)
      assert(longest.position == first.position and rawequal(longest, first) and none == nil)
      for _ = 1, 1000 do sim:longest() end
    end } }
    assert.is_true(pack:finish().makespan > 0)
  end)

  local jobs = orrery.synthetic { count = 20, seed = 3 }
  local unportable = jobs -- an upvalue that no other state can have
  local random = math.random

  local function shuffled() return random() + math.random(10) end

  it("draws from the scenario's stream through the functions it reads, too", function()
    local function run()
      local result = orrery.compare {
        jobs = jobs, procs = 3000, runs = 20, threads = 4,
        policy = { dispatch = { discipline = "list" }, per = "scenario",
          priority = function() return #unportable * shuffled() end },
      }
      assert.is_truthy(result.notes[1]:find("unportable", 1, true))
      return table.concat(result:values(1, "makespan"), " ")
    end
    assert.equal(run(), run())
  end)
end)

describe("a session", function()
  local jobs = orrery.synthetic { count = 5, seed = 3 }

  it("asks init once", function()
    local calls = {}
    local session = orrery.session {
      jobs = jobs, procs = 3000,
      policy = {
        init = function() calls[#calls + 1] = jobs end, -- jobs keeps it in this state
        dispatch = function(sim) for job in sim:fitting() do sim:start(job) end end,
      },
    }
    session:finish()
    assert.equal(1, #calls)
  end)

  it("takes one list of failures for a scenario of any number", function()
    local session = orrery.session {
      jobs = jobs, procs = 3000, failures = { 1, 0, 2, 0, 0 }, scenario = 9,
    }
    assert.equal(3, session:finish().failures)
  end)
end)

describe("nested and repeated use", function()
  local jobs = orrery.synthetic { count = 10, seed = 4 }

  it("keeps the budget of a call that runs a fork of its own session", function()
    local box = { jobs = jobs } -- which keeps the policy in this state
    box.session = orrery.session {
      jobs = jobs, procs = 2000, limits = { seconds = 0.3 },
      policy = {
        dispatch = function(sim)
          start_all(sim)
          local other = box.other
          box.other = nil
          if other then
            other:finish()
            while true do end
          end
        end,
      },
    }
    box.other = box.session:fork()
    local ok, message = pcall(box.session.finish, box.session)
    assert.is_false(ok)
    assert.matches("more than 0.3 s", refuse.of_processor(message), 1, true)
    assert.matches("dispatch at time 0", message, 1, true)
  end)

  it("refuses to step, finish or fork a simulation from inside its own policy", function()
    for _, method in ipairs { "step", "finish", "fork" } do
      local box = { jobs = jobs }
      box.session = orrery.session {
        jobs = jobs, procs = 2000,
        policy = { dispatch = function() box.session[method](box.session) end },
      }
      local ok, message = pcall(box.session.step, box.session)
      assert.is_false(ok)
      assert.matches("from inside its own policy", message, 1, true)
    end
  end)

  it("charges a call's time to that call alone, whatever other policies wait", function()
    local function slow(sim)
      if sim.now == 0 then for _ = 1, 4e6 do local _ = sim end end -- well below the limit
      start_all(sim)
    end
    local list = {}
    for i = 1, 6 do list[i] = { name = "slow " .. i, dispatch = slow } end
    orrery.compare { jobs = jobs, procs = 2000, policies = list, limits = { seconds = 1 } }
  end)

  it("refuses two inits that undo each other", function()
    local init = function(sim) sim.state = { count = 0 } end
    local ok, message = pcall(orrery.compare, {
      jobs = jobs, procs = 2000, policy = { init = init, dispatch = start_all },
      priority = { init = init, per = "attempt", priority = function() return 0 end },
    })
    assert.is_false(ok)
    assert.matches("the priority's init replaced sim.state", message, 1, true)
  end)
end)

describe("numbers without sense", function()
  local jobs = orrery.synthetic { count = 10, seed = 4 }

  local function refuses(fields, expected)
    fields.jobs, fields.procs = fields.jobs or jobs, fields.procs or 2000
    local ok, message = pcall(orrery.compare, fields)
    assert.is_false(ok)
    assert.matches(expected, message, 1, true)
  end

  it("are errors", function()
    for _, bad in ipairs { -1, 0 / 0, math.huge } do
      refuses({ errors = { rate = bad } }, "errors.rate must be a finite number of at least 0")
    end
    for _, bad in ipairs { -1, 0 / 0, 1 } do
      refuses({ errors = { mean_probability = bad } }, "errors.mean_probability must be at least 0")
    end
    refuses({ limits = { second = 1 } }, "unknown field 'second', did you mean 'seconds'?")
    refuses({ batch = "no" }, "batch: expected true or false")
    refuses({ failures = {} }, "expected at least one scenario")
    refuses({ runs = 1 << 50 }, "GB")
    refuses({ verification = 1e308 * 1.7, jobs = orrery.jobs {
      { procs = 1, time = 5e15 }, { procs = 1, time = 5e15 },
    } }, "at time 1.6999999999999999e+308 the clock cannot tell one second from the next")
  end)

  it("end an endless clock, too", function()
    local session = orrery.session { procs = 1, jobs = orrery.jobs {
      { procs = 1, time = 5e15 }, { procs = 1, time = 5e15 },
    } }
    local ok, message = pcall(session.finish, session)
    assert.is_false(ok)
    assert.is_truthy(message:find("at time 10000000000000000 the clock cannot tell one second", 1,
      true))
  end)

  it("in options and texts of a policy are refused where they are read", function()
    local deep = {}
    for _ = 1, 3000 do deep = { deep } end
    refuses({ policy = { about = deep, dispatch = function() end } }, "about must be text")
    refuses({ policy = { options = { x = { default = 1, values = { deep } } },
      dispatch = function() end } }, "option x, an allowed value must be")
  end)
end)

describe("an error while a policy's file is read", function()
  it("names the file, of every kind of policy", function()
    local path = os.tmpname() .. ".lua"
    local readers = {
      function() orrery.session { jobs = JOBS, procs = 2, policy = path } end,
      function() orrery.session { jobs = JOBS, procs = 2, policy = "easy", priority = path } end,
      function() orrery.compare { tasks = { n = 2 }, procs = 4, policy = path } end,
      function() orrery.packs { tasks = { n = 2 }, procs = 4, policy = path } end,
    }
    for _, text in ipairs { "return {\n", "\27Lua", "error('boo', 0)", "error({})", "return 5", "",
      "return function() return 7 end", "return { dispatch = 5, on_end = 5, priority = 5 }",
      "return " .. ("("):rep(300) .. 1 .. (")"):rep(300) } do
      local file = assert(io.open(path, "w"))
      file:write(text)
      file:close()
      for i, read in ipairs(readers) do
        local ok, problem = pcall(read)
        assert.is_false(ok)
        assert.is_truthy(problem:find(path, 1, true), ("%d: %s: %s"):format(i, text, problem))
      end
    end
    os.remove(path)
  end)
end)

describe("what a policy says of itself", function()
  local core, refused_memory = require "orrery.core", require "native_refused"
  local policies = require "orrery.host.policies"

  -- The reader's memory ends at each of its allocations in turn; the policy is in a state of its
  -- own, and an error of one state never runs into the other.
  it("is read whole, or not at all, where memory runs out", function()
    local text = [[return {
      options = { a = { default = 1, about = ("long "):rep(50) }, b = { default = 2 } },
      notes = { { { { "deep" } } } }, name = "says much",
      dispatch = function(sim) for job in sim:waiting() do sim:start(job) end end }]]
    local prepared = policies.describing(policies.text("told", text))
    local whole = core.describe(prepared)
    local failed, step = 0, rounds(1, 1, 7)
    for n = 0, 3000, step do
      local ok, said = refused_memory.lua(n, core.describe, prepared, nil, n % 2 == 1)
      if ok then
        assert.same(whole, said)
        if n > 50 and failed * step < n then break end
      else
        failed = failed + 1
        assert.matches("not enough memory", tostring(said))
      end
    end
    assert.is_true(failed * step > 20, failed)
    assert_all_is_well()
  end)

  it("is the same for each kind, of a part that is given by its name", function()
    local function of(name)
      local d = orrery.describe(name)
      return { d.name, d.kind, d.on_end, d.on_fault, d.groups }
    end
    assert.same({ "redistribute/end-local", "redistribute", true, nil, nil },
      of "redistribute/end-local")
    assert.same({ "redistribute/none", "redistribute", false, false, nil }, of "redistribute/none")
    assert.same({ "pack/one-by-one", "pack" }, of "pack/one-by-one")
    assert.same({ "priority/spt", "priority" }, of "priority/spt")
    assert.same({ "redirect/threshold", "dispatch", nil, nil, true }, of "redirect/threshold")
    for kind, name in pairs { redistribute = "end-greedy", pack = "random-pack",
      priority = "random", dispatch = "shelf" } do
      assert.equal(kind, policies.kind_of_file(("policies/%s/%s.lua"):format(kind, name)))
      local _, folder = policies.describe(name, kind)
      assert.equal(kind, folder)
    end
  end)

  it("may be large or deep, and is an error of its reader at most", function()
    for text, message in pairs {
      ["local t = {} for i = 1, 400 do t = { t } end return { deep = t, dispatch = print }"]
        = "deep",
      ["return { wide = ('x'):rep(40 << 20), dispatch = print }"] = "not enough memory",
      ["return setmetatable({}, { __index = function() error 'caught' end })"] = "caught",
      ["return setmetatable({ dispatch = print }, { __pairs = function() error 'caught' end })"]
        = "",
    } do
      local ok, problem = pcall(core.describe, policies.describing(policies.text("odd", text)),
        { memory = 16 << 20 })
      assert.is_true(ok or tostring(problem):find(message, 1, true) ~= nil, problem)
    end
    assert_all_is_well()
  end)
end)
