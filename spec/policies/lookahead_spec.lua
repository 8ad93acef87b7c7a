-- Backfilling with lookahead (READINGS 42): by hand, and against all sets of jobs on random
-- instances.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

-- The starts of jobs, list of { submit =, procs =, time =, walltime = }.
local function starts(list, procs, more)
  local spec = {
    jobs = orrery.jobs(list), procs = procs, walltimes = "log", policy = "dispatch/lookahead",
  }
  for key, value in pairs(more or {}) do spec[key] = value end
  local session = orrery.session(spec)
  session:finish()
  assert(session:check())
  local found = {}
  for i = 1, #list do found[i] = session:job(i).start end
  return found
end

local function job(submit, procs, time) return { submit = submit, procs = procs, time = time } end

-- When the head will have its processors by the planned ends, and how many it leaves over then.
local function shadow(sim, head)
  local running = sim:running()
  table.sort(running, function(a, b) return a.planned_end < b.planned_end end)
  local free, time = sim.free, nil
  for _, one in ipairs(running) do
    if time and one.planned_end > time then break end
    free = free + one.procs
    if free >= head.procs then time = one.planned_end end
  end
  return time, free - head.procs
end

-- The definition: of all sets of jobs behind the head that may start together, the one that uses
-- most processors. Sets are numbered, the n-th job counts 2^(n-1): of equal sets the smallest
-- number is the one whose last job comes first.
local function best_set(verification, window)
  return function(sim)
    local head, others = nil, {}
    for one in sim:waiting() do
      if head then
        others[#others + 1] = one
      elseif one.procs <= sim.free then
        sim:start(one)
      else
        head = one
      end
    end
    if not head then return end
    local time, extra = shadow(sim, head)
    if time == sim.now and head.time == 0 then return end
    local able = {}
    for _, one in ipairs(others) do
      local late = (sim.now + one.time) + verification > time
      if one.procs <= sim.free and not (late and one.procs > extra) and #able ~= window then
        able[#able + 1] = { job = one, late = late and one.procs or 0 }
      end
    end
    local best, most = 0, 0
    for set = 1, (1 << #able) - 1 do
      local used, late = 0, 0
      for i, one in ipairs(able) do
        if set >> (i - 1) & 1 == 1 then used, late = used + one.job.procs, late + one.late end
      end
      if used <= sim.free and late <= extra and used > most then best, most = set, used end
    end
    for i, one in ipairs(able) do
      if best >> (i - 1) & 1 == 1 then sim:start(one.job) end
    end
  end
end

-- A job runs, one that has to wait for it comes, and then many others, of which not all fit.
local function crowd(rng)
  local procs = rng:integer(6, 20)
  local first = rng:integer(1, procs // 2)
  local list = { { procs = first, submit = 0 },
    { procs = rng:integer(procs - first + 1, procs), submit = 1 } }
  for i = 3, rng:integer(6, 12) do
    list[i] = { procs = rng:integer(1, procs // 2), submit = rng:integer(1, 2) }
  end
  for i, one in ipairs(list) do
    one.time = rng:integer(i == 1 and 8 or 1, 12)
    one.walltime = one.time + rng:integer(0, 2) * rng:integer(0, 4)
  end
  return { list = list, procs = procs, walltimes = "log" }
end

local CONVENTIONS = { "batched", "ends-first", "submissions-first", "pyss" }

local function random(rng)
  local instance = rng:integer(1, 5) == 1 and instances.random(rng, { n = 12 }) or crowd(rng)
  instance.instant = CONVENTIONS[rng:integer(1, #CONVENTIONS)]
  return instance
end

describe("dispatch/lookahead", function()
  -- 3 of 10 processors run until 10; the head needs 8. EASY takes the job of 4 and cannot use the
  -- other 3; 2 + 5 fill the machine. All of them end by the shadow time.
  it("fills the machine where EASY takes what comes first", function()
    local list = { job(0, 3, 10), job(1, 8, 5), job(1, 4, 9), job(1, 2, 9), job(1, 5, 9) }
    assert.same({ 0, 10, 15, 1, 1 }, starts(list, 10))
    assert.same({ 0, 10, 1, 1, 15 }, starts(list, 10, { policy = "dispatch/easy" }))
  end)

  -- The head needs 8 at 10, so that 2 of 10 processors are extra. The jobs of 4 and 3 would fill
  -- the machine, but end after 10: only one of 2 may. With it the one of 5 that ends in time.
  it("gives jobs that end after the shadow time the extra processors alone", function()
    local list = { job(0, 3, 10), job(1, 8, 5), job(1, 4, 20), job(1, 3, 20), job(1, 2, 20),
      job(1, 2, 20), job(1, 5, 9) }
    assert.same({ 0, 10, 15, 15, 1, 21, 1 }, starts(list, 10))
  end)

  -- 2 + 4, 3 + 3 and 6 use all 6 processors.
  it("of equal choices takes the one whose last job comes first", function()
    local busy, head = job(0, 1, 10), job(1, 7, 5)
    assert.same({ 0, 10, 15, 1, 1, 15, 24 }, starts({ busy, head, job(1, 2, 9), job(1, 3, 9),
      job(1, 3, 9), job(1, 4, 9), job(1, 6, 9) }, 7))
    assert.same({ 0, 10, 1, 1, 15 }, starts({ busy, head, job(1, 4, 9), job(1, 2, 9),
      job(1, 6, 9) }, 7))
  end)

  -- The second job can start when the first one has ended, at the same instant.
  it("lets a job that takes no time go first", function()
    assert.same({ 0, 0, 0 }, starts({ job(0, 6, 0), job(0, 8, 0), job(0, 4, 5) }, 10))
  end)

  it("looks at the first jobs that could start by themselves", function()
    local list = { job(0, 3, 10), job(1, 8, 5), job(1, 9, 1), job(1, 4, 9), job(1, 2, 9),
      job(1, 5, 9) }
    assert.same({ 0, 10, 15, 1, 1, 16 }, starts(list, 10, { options = { window = 2 } }))
    assert.same({ 0, 10, 15, 16, 1, 1 }, starts(list, 10, { options = { window = 3 } }))
  end)

  it("starts the best of all sets of jobs, on random instances", function()
    local rng = orrery.random(42)
    local others = 0
    for _ = 1, rounds(1200) do
      local instance = random(rng)
      local window = rng:integer(1, 3) == 1 and rng:integer(1, 5) or "all"
      local function run(policy, options)
        local session = orrery.session(rigid.spec(instance, { policy = policy, options = options }))
        session:finish()
        assert(session:check())
        return session:schedule()
      end
      local found = run("dispatch/lookahead", { window = window })
      local expected = run { dispatch = best_set(instance.verification or 0, window) }
      local problem = rigid.difference(found, expected)
      if problem then error(problem .. "\n" .. instances.describe(instance)) end
      if rigid.difference(found, run "easy") then others = others + 1 end
    end
    assert.is_true(others > rounds(1200) // 10) -- it is not EASY
  end)
end)
