-- The dispatch hook: the kernel's disciplines written in Lua are the kernel's disciplines.
local orrery = require "orrery"
local events = require "spec.support.events"
local instances = require "spec.support.instances"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

local in_lua = {}

function in_lua.greedy(sim)
  for job in sim:waiting() do
    if job.procs <= sim.free then sim:start(job) end
  end
end

function in_lua.fcfs(sim)
  for job in sim:waiting() do
    if job.procs > sim.free then return end
    sim:start(job)
  end
end

-- R-LIST(m), READINGS 25.
local function list(most, head)
  return function(sim)
    local reserved, place = 0, 0
    for job in sim:waiting() do
      place = place + 1
      if sim:can_start(job) then
        sim:start(job)
      elseif (head and place or reserved + 1) <= most then
        local start = sim:reserve(job)
        assert(start >= sim.now)
        reserved = reserved + 1
      end
    end
  end
end
in_lua.easy, in_lua.two, in_lua.all = list(1), list(2), list(math.huge)
in_lua.head1, in_lua.head5 = list(1, true), list(5, true)

-- The same by the kernel.
local called = {
  greedy = function(sim) sim:list(0) end, easy = function(sim) sim:list() end,
  two = function(sim) sim:list(2) end, all = function(sim) sim:list "all" end,
}

-- EASY as everybody writes it, without a plan: shadow time and extra processors. (Jobs that take no
-- time and verification are left to those above.)
local function easy_by_hand(sim)
  local first
  for job in sim:waiting() do
    if job.procs > sim.free then
      first = job
      break
    end
    sim:start(job)
  end
  if not first then return end
  local shadow = sim:earliest_start(first.procs, first.time)
  local extra = sim.free - first.procs
  for _, job in ipairs(sim:running()) do
    if job.planned_end <= shadow then extra = extra + job.procs end
  end
  for job in sim:waiting(sim.free) do
    if job.procs <= sim.free and (sim.now + job.time <= shadow or job.procs <= extra) then
      if sim.now + job.time > shadow then extra = extra - job.procs end
      sim:start(job)
    end
  end
end

function in_lua.shelf(sim)
  if sim.running_count > 0 then return end
  for job in sim:waiting() do
    if job.procs <= sim.free then sim:start(job) end
  end
end

local function hold(instance, rule, hook, builtin)
  local kernel = orrery.session(rigid.spec(instance, {
    policy = { dispatch = rigid.disciplines[builtin] }, priority = rule,
  }))
  local lua = orrery.session(rigid.spec(instance, {
    policy = { dispatch = hook }, priority = rule,
  }))
  assert.same(kernel:finish(), lua:finish())
  local difference = rigid.difference(lua:schedule(), kernel:schedule())
  if difference then
    error(("%s: %s\n%s"):format(builtin, difference, instances.describe(instance)), 2)
  end
end

describe("a dispatch hook in Lua equals the kernel's", function()
  for i, name in ipairs {
    "greedy", "fcfs", "easy", "two", "all", "head1", "head5", "shelf",
  } do
    it(name, function()
      local rng = orrery.random(50 + i)
      for _ = 1, rounds(250) do
        hold(instances.random(rng), rigid.pick(rng, rigid.rules), in_lua[name], name)
      end
    end)
  end

  for i, name in ipairs { "greedy", "easy", "two", "all" } do
    it(name .. ", by sim:list", function()
      local rng = orrery.random(70 + i)
      for _ = 1, rounds(250) do
        hold(instances.random(rng), rigid.pick(rng, rigid.rules), called[name], name)
      end
    end)
  end

  it("a list, by sim:list, beside windows, outages, groups, checkpoints and hooks", function()
    local compared = 0
    for seed = 1, rounds(10000, 1500, 200) do
      local options = { windows = seed % 2 == 0, checkpoints = seed % 3 == 0, places = false,
        custom = false, discipline = "list" }
      local spec = events.drawn(seed, options)
      local expected = events.times(spec)
      spec = events.drawn(seed, options) -- hooks draw anew
      for _, group in ipairs(spec.groups) do
        if not (group.backfill or group.reading) then
          local most = group.reservations
          group.discipline, group.dispatch = "custom", function(sim) sim:list(most) end
          compared = compared + 1
        end
      end
      assert.equal(expected, events.times(spec), "seed " .. seed)
    end
    assert.is_true(compared > 100)
  end)

  it("easy, by shadow time and extra processors", function()
    local rng = orrery.random(60)
    for _ = 1, rounds(250) do
      local instance = instances.random(rng, { positive = true, verification = false })
      for _, job in ipairs(instance.list) do
        job.time = math.max(job.time, 0.5)
        job.walltime = job.walltime and math.max(job.walltime, 0.25)
      end
      hold(instance, rigid.pick(rng, rigid.rules), easy_by_hand, "easy")
    end
  end)
end)

describe("what a dispatch hook sees", function()
  -- One decision: jobs a (2 procs, 10 s) runs, b (3) and c (1) wait, on 3 processors.
  local function look(hook)
    local session = orrery.session {
      jobs = orrery.jobs {
        { id = "a", procs = 2, time = 10 }, { id = "b", procs = 3, time = 4, submit = 1 },
        { id = "c", procs = 1, time = 9, submit = 1 },
        { id = "d", procs = 1, time = 9.5, submit = 1 },
      },
      procs = 3, verification = 0.25,
      policy = {
        dispatch = function(sim)
          if sim.now == 1 then return hook(sim) end
          for job in sim:waiting() do sim:start(job) end
        end,
      },
    }
    session:run_until(1)
  end

  it("is the clock, the machine and the jobs", function()
    look(function(sim)
      assert(sim.now == 1 and sim.free == 1 and sim.procs == 3 and sim.group == "main")
      assert(sim.waiting_count == 3 and sim.running_count == 1)
      local names = ""
      for job in sim:waiting() do names = names .. job.id end
      assert(names == "bcd")
      names = ""
      for job in sim:waiting(1) do names = names .. job.id end
      assert(names == "cd")
      for _ in sim:waiting(0) do error "nobody needs no processors" end
      local running = sim:running()
      assert(#running == 1 and running[1].id == "a" and running[1].start == 0)
      assert(running[1].planned_end == 10.25 and running[1].attempts == 1)
      assert(running[1].position == 1 and running[1].area == 20 and running[1].submit == 0)
      local again
      for job in sim:waiting() do again = again or job end
      assert(again.attempts == 0 and again.start == nil and again.planned_end == nil)
    end)
  end)

  it("is when jobs can start, given reservations", function()
    look(function(sim)
      local jobs = {}
      for job in sim:waiting() do jobs[job.id] = job end
      local b, c, d = jobs.b, jobs.c, jobs.d
      assert(sim:earliest_start(3, 1) == 10.25)
      assert(sim:earliest_start(1, 1000) == 1)
      assert(not sim:can_start(b) and sim:can_start(c) and sim:can_start(d))
      assert(sim:reserve(b) == 10.25)
      assert(sim:can_start(c)) -- (1 + 9) + 0.25 is just in time
      assert(not sim:can_start(d))
      assert(sim:earliest_start(1, 9) == 1 and sim:earliest_start(1, 9.1) == 14.5)
      sim:start(c)
      assert(sim:earliest_start(1, 0) == 10.25 + 4.25)
    end)
  end)

  it("is what a list starts, by hand", function()
    look(function(sim)
      sim:list() -- b holds 10.25: c ends just in time, and takes the last processor
      assert(sim.free == 0 and sim:running()[2].id == "c" and sim.running_count == 2)
    end)
  end)

  local function refuses(message, hook)
    assert.error_matches(function() look(hook) end, "jobs cannot be listed: " .. message)
  end

  it("is no list behind reservations", function()
    refuses("this decision has reservations already", function(sim)
      sim:reserve(sim:waiting()())
      sim:list()
    end)
  end)

  it("is no list with fewer than no reservations, or with a word", function()
    refuses("a number of reservations is at least 0, not %-1", function(sim) sim:list(-1) end)
    assert.error_matches(function() look(function(sim) sim:list "any" end) end, "number expected")
  end)

  it("is no list in another hook", function()
    local session = orrery.session {
      jobs = orrery.jobs { { procs = 1, time = 1 } }, procs = 1,
      policy = { dispatch = { discipline = "fcfs" }, on_submit = function(sim) sim:list() end },
    }
    assert.error_matches(function() session:finish() end,
      "jobs cannot be listed: only the dispatch hook may do that")
  end)
end)
