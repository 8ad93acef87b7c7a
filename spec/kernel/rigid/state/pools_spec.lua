-- Pools (READINGS 55): a case by hand, and instances against a reference that only follows the
-- definitions.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local function starts_of(session)
  session:finish()
  local list = {}
  for i, a in ipairs(session:schedule()) do list[i] = ("%s@%g"):format(a.id, a.start) end
  table.sort(list)
  return list
end

describe("by hand", function()
  -- One licence, on 4 processors. b needs it, and waits for a's until 10: EASY reserves 10 for b on
  -- 2 processors, with the licence. c ends by then, and starts. d goes on behind 10 on processors
  -- that b leaves free, and starts. e would have the licence then: it waits until b is over. f fits
  -- on the processors that are free, but they are not free enough at 10.
  local JOBS = {
    { id = "a", procs = 1, runtime = 10, submit = 0, needs = { lic = 1 } },
    { id = "b", procs = 2, runtime = 10, submit = 1, needs = { lic = 1 } },
    { id = "c", procs = 1, runtime = 5, submit = 2 },
    { id = "d", procs = 1, runtime = 20, submit = 3 },
    { id = "e", procs = 1, runtime = 2, submit = 4, needs = { lic = 1 } },
    { id = "f", procs = 2, runtime = 9, submit = 7 },
  }
  local function session(policy, lic)
    return orrery.session { jobs = orrery.jobs(JOBS), procs = 4, policy = policy,
      pools = { lic = lic } }
  end

  it("a licence blocks the head", function()
    assert.same({ "a@0", "b@10", "c@2", "d@3", "e@20", "f@20" },
      starts_of(session("dispatch/easy", 1)))
    assert.same({ "a@0", "b@10", "c@10", "d@10", "e@20", "f@20" },
      starts_of(session("dispatch/fcfs", 1)))
    assert.same({ "a@0", "b@1", "c@2", "d@7", "e@10", "f@11" },
      starts_of(session("dispatch/fcfs", 2)))
  end)

  -- Of 4, h needs 3 when a's 2 are back at 10, which leaves 1 behind it: for j, and not for k, too.
  it("jobs behind share what a reservation leaves", function()
    for _, policy in ipairs { "dispatch/easy", "dispatch/list:reservations=2" } do
      local rows = {}
      for i, row in ipairs { { "a", 0, 2, 10 }, { "h", 1, 3, 10 }, { "j", 2, 1, 20 },
        { "k", 2, 1, 20 } } do
        rows[i] = { id = row[1], submit = row[2], needs = { x = row[3] }, runtime = row[4],
          procs = 1 }
      end
      assert.same({ "a@0", "h@10", "j@2", "k@20" }, starts_of(orrery.session {
        jobs = orrery.jobs(rows), procs = 10, policy = policy, pools = { x = 4 } }))
    end
  end)

  -- h waits for 0 until 9. a and b need x one after the other; from 6 on b would delay h, which
  -- knapsack lets jobs do for a day.
  it("policies that start jobs from a list of their own plan with pools", function()
    for _, policy in ipairs { "easy-plus-plus", "knapsack", "lookahead", "easy" } do
      assert.same(policy == "knapsack" and { "0@0", "a@1", "b@6", "h@11" }
        or { "0@0", "a@1", "b@18", "h@9" }, starts_of(orrery.session { procs = 4,
        pools = { x = 1 }, policy = policy, jobs = orrery.jobs {
          { id = "0", procs = 1, runtime = 9 }, { id = "h", procs = 4, runtime = 9, submit = 1 },
          { id = "a", procs = 1, runtime = 5, submit = 1, needs = { x = 1 } },
          { id = "b", procs = 1, runtime = 5, submit = 1, needs = { x = 1 } } } }), policy)
    end
  end)

  -- z holds its processor for an instant, so h is behind it; k is over before h begins.
  it("a reservation behind a job of 0 s takes its share as late as its processors", function()
    assert.same({ "h@0", "k@0", "z@0" }, starts_of(orrery.session { procs = 3, pools = { x = 2 },
      policy = "easy", jobs = orrery.jobs { { id = "z", procs = 1, runtime = 0 },
        { id = "h", procs = 3, runtime = 5, needs = { x = 2 } },
        { id = "k", procs = 1, runtime = 0, needs = { x = 1 } } } }))
  end)

  -- One of two licences is closed from 10 to 30. a, of 20 s, needs both: it is reserved for 30. b
  -- is over before. d goes on with the licence that stays. c would end as the window opens, but b
  -- has a licence until 9: it is behind a.
  local CLOSED = {
    { id = "a", procs = 1, runtime = 20, submit = 0, needs = { lic = 2 } },
    { id = "b", procs = 1, runtime = 8, submit = 1, needs = { lic = 1 } },
    { id = "c", procs = 1, runtime = 9, submit = 1, needs = { lic = 2 } },
    { id = "d", procs = 1, runtime = 15, submit = 2, needs = { lic = 1 } },
  }
  local function closed(policy, window, more)
    local spec = { jobs = orrery.jobs(CLOSED), procs = 4, policy = policy, pools = { lic = 2 },
      maintenance = window or { { from = 10, to = 30, pool = "lic", amount = 1 } } }
    for name, value in pairs(more or {}) do spec[name] = value end
    return orrery.session(spec)
  end

  it("a window closes a part of a pool, and all plan with it", function()
    for _, policy in ipairs { "greedy", "easy", "list:reservations=2", "conservative",
      "lookahead" } do
      assert.same({ "a@30", "b@1", "c@50", "d@2" }, starts_of(closed(policy)), policy)
    end
    assert.same({ "a@30", "b@50", "c@58", "d@67" }, starts_of(closed "fcfs"))
    assert.same({ "a@30", "b@1", "c@50", "d@9" }, starts_of(closed "easy-plus-plus")) -- a's
    -- predicted start is at 9, when the window is still to come
    assert.same({ "a@30", "b@1", "c@50", "d@2" }, starts_of(closed("easy", {
      { from = 10, to = 20, pool = "lic", amount = 1 },
      { from = 20, to = 30, pool = "lic", amount = "1" } })))
    local s = closed "easy"
    s:run_until(0)
    assert.equal("job a: it waits for 2 of pool lic, of which 2 are free now, and closed before "
      .. "its planned end, and it fits by plan at 30 s; 4 processors of the machine are free",
      s:why("a").text)
    s:run_until(20)
    assert.equal(1, s:why("a").pool_free)
  end)

  it("windows of pools stand in a file, with those of processors", function()
    local path = os.tmpname()
    local function starts(text)
      local file <close> = assert(io.open(path, "w"))
      file:write(text)
      file:close()
      return starts_of(closed("easy", path))
    end
    assert.same({ "a@30", "b@1", "c@50", "d@2" }, starts "from,to,pool,amount\n10,30,lic,1\n")
    assert.same({ "a@31", "b@1", "c@51", "d@2" },
      starts "from,to,pool,amount,procs\n10,30,lic,1,\n30,31,,,4\n")
    for text, message in pairs {
      ["from,to,pool\n1,2,lic\n"] = ":1: .*has the columns from, to and procs or nodes, or pool",
      ["from,to,pool,amount\n1,2,lic,\n"] = ":2: .*a row has pool and amount, or neither",
      ["from,to,pool,amount,procs\n1,2,lic,1,1\n"] = ":2: .*a row has pool and amount, or",
      ["from,to,pool,amount\n1,2,lic,1.5\n"] = ":2: column 4 %(amount%): expected an amount of",
      ["from,to,pool,amount\n1,2,lic,0\n"] = ":2: .*an amount of pool lic from 1 to 2^53, found 0",
      ["from,to,pool,amount\n1,2,lic,3\n"] =
        ":2: a window closes 3 of pool lic: expected 1 to 2, as much",
      ["from,to,pool,amount\n1,2,lik,1\n"] =
        ":2: a window closes 1 of pool lik, which there is not",
      ["from,to,pool,amount\n2,2,lic,1\n"] = ":2: .*ends later than it begins",
    } do
      assert.error_matches(function() starts(text) end, message)
    end
    os.remove(path)
    assert.error_matches(function() closed("easy", { { from = 1, to = 2, pool = "lic" } }) end,
      "maintenance%[1%]: give pool and amount, and neither procs nor nodes")
    assert.error_matches(function()
      closed("easy", { { from = 1, to = 2, pool = "gpu", amount = 1 } },
        { machine = { nodes = { { count = 1, procs = 4, gpu = 2 } } } })
    end, "closes 1 of pool gpu, which is a resource of nodes: expected nodes in place of pool")
  end)

  it("a change gives a pool more or less from now on", function()
    local s = closed "easy"
    s:run_until(3)
    local more, less = s:fork { pools = { lic = 3 } }, s:fork { pools = { lic = 1 } }
    assert.same({ "a@17", "b@1", "c@37", "d@2" }, starts_of(more))
    assert(more:check())
    local function told(one)
      local texts = {}
      for i, entry in ipairs(one.history) do texts[i] = entry.text end
      return table.concat(texts, "; ")
    end
    assert.matches("3 of pool lic from now on", told(more))
    assert.matches("2 jobs, the first is a, need more than there is from now on and cannot start",
      told(less))
    assert.equal(0, less:why("a").pool_free)
    assert.error_matches(function() less:submit { procs = 1, runtime = 1, needs = { lic = 2 } } end,
      "needs 2 of pool lic, but the machine has 1")
    assert.error_matches(function() less:finish() end, "2 jobs wait")
    assert.error_matches(function() s:fork { pools = { x = 1 } } end, "has no pool 'x'")
    assert.error_matches(function() s:fork { pools = { lic = -1 } } end, "a whole number")
  end)

  it("where a change leaves too little for who waits, the pool is named", function()
    local s = orrery.session { procs = 1, pools = { lic = 4 },
      jobs = orrery.jobs { { procs = 1, time = 5, submit = 9, needs = { lic = 2 } } } }
    s:run_until(2)
    s:change { pools = { lic = 1 } }
    s:run_until(30)
    assert.same({ 30, 1, 0 }, { s.now, s.counts.waiting, s.counts.running })
    assert.equal("job 1: it waits for 2 of pool lic, of which 1 are free, and nothing says when "
      .. "there is enough; 1 processors of the machine are free", tostring(s:why "1"))
    local back = s:fork { pools = { lic = 2 } }
    assert.equal(35, back:finish().makespan + 9)
    assert(back:check())
    local _, message = pcall(s.finish, s)
    assert.matches("nothing starts at time %d+ although 1 jobs wait, all 1 processors are free, of "
      .. "pool lic 1 of 4 are there and no job is still to come", message)
  end)

  it("why says what is missing", function()
    local s = session("dispatch/easy", 1)
    s:run_until(2)
    local why = s:why "b"
    assert.equal("pool", why.reason)
    assert.equal(10, why.earliest)
    assert.equal("job b: it waits for 1 of pool lic, of which 0 are free, and it fits by plan at "
      .. "10 s; 2 processors of the machine are free", why.text)
    assert.same({ "lic", 1, 0 }, { why.pool, why.needs, why.pool_free })
  end)

  -- The jobs need of a pool that the machine does not have, which nobody counts.
  it("policies see no needs of what the machine does not have", function()
    local seen = {}
    for _, pools in ipairs { false, { other = 3 }, { lic = 3 } } do
      local s = orrery.session { jobs = orrery.jobs(JOBS), procs = 4, pools = pools or nil,
        policy = { dispatch = { discipline = "list", reservations = 1 },
          on_submit = function(sim, job)
            local needs = job.needs
            if job.id == "b" then
              sim:note(needs and ("%s %s"):format(needs.lic, needs.other) or "nothing")
            end
          end } }
      s:finish()
      seen[#seen + 1] = s.notes[1].text
    end
    assert.same({ "nothing", "nothing", "1 nil" }, seen)
    local s = orrery.session { jobs = orrery.jobs(JOBS), procs = 4, policy = "easy-plus-plus" }
    assert(s:finish() and s:check())
  end)

  -- A session that begins with a pool that cannot bind does not look at it, and a changed one does.
  it("a change keeps the queue in its order, also where no job needs of a pool", function()
    for _, policy in ipairs { "easy", "conservative", "easy-plus-plus", "fcfs" } do
      for _, needs in ipairs { false, { lic = 1 } } do
        local s = orrery.session { procs = 6, pools = { lic = 3 }, policy = policy,
          priority = "spt", jobs = orrery.jobs {
            { id = "1", submit = 1, procs = 3, runtime = 3, needs = needs or nil },
            { id = "2", submit = 1, procs = 3, runtime = 3 },
            { id = "3", submit = 3, procs = 5, runtime = 1 } } }
        s:run_until(3)
        s:change { seed = 4 }
        assert.equal("3", s:waiting()[1].id)
        s:finish()
        assert.same({ "1@1", "2@1", "3@4" }, starts_of(s))
      end
    end
  end)

  it("policies see what is free, and cannot take more", function()
    local s = orrery.session { jobs = orrery.jobs(JOBS), procs = 4, pools = { lic = 1 }, policy = {
      name = "own", dispatch = function(sim)
        for job in sim:waiting() do
          if sim:can_start(job) then
            sim:start(job)
          elseif job.id == "b" and sim.now == 1 then
            local _, message = pcall(sim.start, sim, job)
            sim:note(("%d of %d: %s"):format(sim:free_of "lic", job.needs.lic, message))
          end
        end
      end } }
    assert.same({ "a@0", "b@16", "c@2", "d@3", "e@10", "f@7" }, starts_of(s))
    assert.matches("0 of 1: .*job b cannot be started: less of a pool is free than it needs",
      s.notes[1].text)
  end)

  it("a job that needs more than there is never starts", function()
    local s = session("dispatch/easy", 0)
    assert.matches("job a: it was refused at submission, .*it asks for 1 lic; the machine has 0",
      tostring(s:why "a"))
    assert.matches("refused +%d of 6 jobs need more than a pool has and are refused at submission, "
      .. "the first is a %(lic=0%)", tostring(s))
    s:finish()
    assert.equal("over", s:job "d".state)
    assert.error_matches(function()
      orrery.compare { jobs = orrery.jobs(JOBS), procs = 4, pools = { lic = 0 } }
    end, "job a needs 1 of pool lic, but the machine has 0 %(%-%-wide drop")
  end)
end)

-- --- the reference ------------------------------------------------------------------------------

local POOLS = { "procs", "x", "y" }

-- Whether a job fits from a time until its planned end, beside what is held, { from, till, needs },
-- and what windows close.
local function fits(has, held, job, from)
  local times, till = { from }, from + job.walltime
  for _, h in ipairs(held) do
    if h.from > from and h.from < till then times[#times + 1] = h.from end
  end
  for _, w in ipairs(has.windows) do
    if w.from > from and w.from < till then times[#times + 1] = w.from end
  end
  for _, time in ipairs(times) do
    for _, pool in ipairs(POOLS) do
      local free = has[pool] - job[pool]
      for _, w in ipairs(has.windows) do
        if w.pool == pool and w.from <= time and time < w.to then free = free - w.amount end
      end
      for _, h in ipairs(held) do
        if h.from <= time and time < h.till then free = free - h.job[pool] end
      end
      if free < 0 and job[pool] > 0 then return false end
    end
  end
  return true
end

local function earliest(has, held, job, now)
  local best, ends = math.huge, {}
  for _, h in ipairs(held) do ends[#ends + 1] = h.till end
  for _, w in ipairs(has.windows) do ends[#ends + 1] = w.to end
  for _, till in ipairs(ends) do
    if till > now and till < best and fits(has, held, job, till) then best = till end
  end
  return fits(has, held, job, now) and now or best
end

local function hold(held, job, from)
  held[#held + 1] = { from = from, till = from + job.walltime, job = job }
end

local function held_by(running)
  local held = {}
  for _, r in ipairs(running) do hold(held, r.job, r.start) end
  return held
end

local decide = {}

function decide.list(at, m)
  local held, reserved = held_by(at.running), 0
  for _, job in ipairs(at.queue()) do
    local from = earliest(at.has, held, job, at.now)
    if from == at.now then
      at.start(job)
      hold(held, job, from)
    elseif reserved < m then
      reserved = reserved + 1
      hold(held, job, from)
    end
  end
end

function decide.shelf(at, m)
  for _, job in ipairs(#at.running == 0 and at.queue() or {}) do
    if fits(at.has, held_by(at.running), job, at.now) then
      at.start(job)
    elseif m == 0 then
      return
    end
  end
end

function decide.fcfs(at)
  for _, job in ipairs(at.queue()) do
    if not fits(at.has, held_by(at.running), job, at.now) then return end
    at.start(job)
  end
end

function decide.conservative(at)
  local held, first = held_by(at.running), at.returned or math.huge
  local kept = table.move(held, 1, #held, 1, {})
  for _, job in ipairs(at.doubted and at.queue() or {}) do
    if job.reserved and not fits(at.has, kept, job, job.reserved) then
      first = math.min(first, job.place)
      break
    end
    if job.reserved then hold(kept, job, job.reserved) end
  end
  local function reserve(list, without)
    for _, job in ipairs(list) do
      local all = table.move(held, 1, #held, 1, {})
      for _, other in ipairs(at.queue()) do
        if other.reserved and other ~= job and not without[other] then
          hold(all, other, other.reserved)
        end
      end
      job.reserved, without[job] = earliest(at.has, all, job, at.now), nil
    end
  end
  local front, behind, new, released = {}, {}, {}, {}
  for _, job in ipairs(at.queue()) do
    local list = not job.reserved and job.attempts == 0 and new or job.place < first and front
      or behind
    list[#list + 1] = job
    if list == behind then released[job] = true end
  end
  if at.ended or at.doubted then reserve(front, released) end
  reserve(behind, released)
  reserve(new, released)
  for _, job in ipairs(at.queue()) do if job.reserved == at.now then at.start(job) end end
end

-- The starts of all attempts. turns: { at =, x = } change amounts, unknown beforehand.
local function reference(has, jobs, kind, m, turns)
  has = setmetatable({}, { __index = has })
  local at, list, waiting = { has = has, running = {}, now = 0 }, {}, {}
  local coming = {}
  for i, job in ipairs(jobs) do
    coming[i] = setmetatable({ place = i, attempts = 0 }, { __index = job })
  end
  function at.queue()
    local queue = {}
    for _, job in ipairs(waiting) do queue[#queue + 1] = job end
    table.sort(queue, function(a, b) return a.place < b.place end)
    return queue
  end
  function at.start(job)
    list[#list + 1] = ("%s@%g"):format(job.id, at.now)
    for i, other in ipairs(waiting) do if other == job then table.remove(waiting, i) end end
    job.attempts, job.reserved = job.attempts + 1, nil
    at.running[#at.running + 1] = { job = job, start = at.now }
  end
  while #coming + #waiting + #at.running > 0 do
    local next = math.huge
    for _, job in ipairs(coming) do next = math.min(next, job.submit) end
    for _, r in ipairs(at.running) do next = math.min(next, r.start + r.job.runtime) end
    for _, w in ipairs(has.windows) do
      for _, time in ipairs { w.from, w.to } do
        if time > at.now then next = math.min(next, time) end
      end
    end
    local turn = turns and turns[1]
    at.now, at.ended, at.returned, at.doubted = next, false, nil, turn and turn.at < next
    if at.doubted then
      at.now, has.x = turn.at, turn.x
      table.remove(turns, 1)
      next = at.now
    end
    for i = #at.running, 1, -1 do
      local r = at.running[i]
      if r.start + r.job.runtime == next and not at.doubted then
        table.remove(at.running, i)
        at.ended = true
        if r.job.attempts <= r.job.failures then
          waiting[#waiting + 1] = r.job
          at.returned = math.min(at.returned or math.huge, r.job.place)
        end
      end
    end
    for i = #coming, 1, -1 do
      if coming[i].submit == next and not at.doubted then
        waiting[#waiting + 1] = table.remove(coming, i)
      end
    end
    decide[kind](at, m)
  end
  table.sort(list)
  return list
end

local KINDS = {
  { "list", 0, "dispatch/greedy" }, { "fcfs", nil, "dispatch/fcfs" },
  { "list", 1, "dispatch/easy" }, { "list", 2, "dispatch/list:reservations=2" },
  { "conservative", nil, "dispatch/conservative" },
  { "shelf", 0, { dispatch = { discipline = "shelf" } } },
  { "shelf", 1, { dispatch = { discipline = "shelf", fill = true } } },
}

local function random_instance(seed)
  local rng = orrery.random(seed)
  local has = { procs = rng:integer(2, 8), x = rng:integer(1, 4), y = rng:integer(1, 6),
    windows = {} }
  local jobs, submit, failures = {}, 0, {}
  for i = 1, rng:integer(2, 14) do
    submit = submit + math.max(0, rng:integer(-3, 4))
    local runtime = rng:integer(1, 12)
    jobs[i] = { id = tostring(i), submit = submit, runtime = runtime,
      walltime = runtime + math.max(0, rng:integer(-6, 6)), procs = rng:integer(1, has.procs),
      x = math.max(0, rng:integer(-3, has.x)), y = math.max(0, rng:integer(-9, has.y)),
      failures = math.max(0, rng:integer(-4, 2)) }
    jobs[i].needs = { x = jobs[i].x, y = jobs[i].y > 0 and jobs[i].y or nil }
    failures[i] = jobs[i].failures
  end
  if seed % 3 == 0 then -- as bytes, which searches of the queue look at in units of some
    has.y = has.y << 33 | rng:integer(0, 9)
    for _, job in ipairs(jobs) do
      if job.y > 0 then
        job.y = math.min(has.y, job.y << 33 | rng:integer(0, 9))
        job.needs.y = job.y
      end
    end
  end
  for i = 1, math.max(0, rng:integer(-2, 3)) do
    local from, pool = rng:integer(-5, 30), rng:integer(0, 1) == 0 and "x" or "y"
    has.windows[i] = { from = from, to = from + rng:integer(1, 20), pool = pool,
      amount = rng:integer(1, has[pool]) }
  end
  return has, jobs, failures
end

local function rows_of(jobs)
  local rows = {}
  for i, j in ipairs(jobs) do
    rows[i] = { id = j.id, submit = j.submit, runtime = j.runtime, walltime = j.walltime,
      procs = j.procs, needs = j.needs }
  end
  return rows
end

-- The amounts of x, which is enough for every job, at two times.
local function random_turns(seed, has, jobs)
  local rng, least = orrery.random(seed, 7), 0
  for _, job in ipairs(jobs) do least = math.max(least, job.x) end
  local first = jobs[1].submit + rng:integer(0, 20)
  return { { at = first, x = rng:integer(least, has.x + 2) },
    { at = first + rng:integer(1, 10), x = rng:integer(least, has.x + 2) } }
end

describe("random instances", function()
  it("start as by the definitions, and pass the checker", function()
    local turned = 0
    for seed = 1, rounds(3000, 300, 50) do
      local has, jobs, failures = random_instance(seed)
      local rows = rows_of(jobs)
      for _, kind in ipairs(KINDS) do
        local s = orrery.session { jobs = orrery.jobs(rows), procs = has.procs, policy = kind[3],
          pools = { x = has.x, y = has.y }, failures = failures, walltimes = "log",
          maintenance = has.windows }
        local fork, other
        local turns = random_turns(seed, has, jobs)
        if seed % 2 == 0 then
          other = s:fork()
          for _, turn in ipairs(turns) do
            other:run_until(turn.at)
            other = other:fork { pools = { x = turn.x } }
          end
        end
        if seed % 3 == 0 then
          s:run_until(seed % 17)
          fork = s:fork()
        end
        local expected = reference(has, jobs, kind[1], kind[2])
        local where = ("seed %d, %s %s"):format(seed, kind[1], kind[2])
        assert.same(expected, starts_of(s), where)
        assert(s:check())
        if other then
          local late = reference(has, jobs, kind[1], kind[2], turns)
          assert.same(late, starts_of(other), where .. ", changed")
          assert(other:check())
          turned = turned + (table.concat(late) ~= table.concat(expected) and 1 or 0)
        end
        if fork then assert.same(expected, starts_of(fork), where .. ", fork") end
      end
    end
    assert.is_true(turned > 20)
  end)

  -- Nodes of one processor each are counted processors, also beside windows of pools.
  it("start the same on nodes, which plan with windows of pools, too", function()
    for seed = 9001, 9000 + rounds(400, 100, 6) do
      local has, jobs = random_instance(seed)
      local function waits(count, wide, plain)
        local spec = { jobs = orrery.jobs(rows_of(jobs)), check = true, plain = plain,
          pools = { x = has.x, y = has.y }, walltimes = "log", maintenance = has.windows,
          procs = not count and has.procs or nil, machine = count
            and { nodes = { { count = count, procs = wide } } } or nil,
          policies = { "greedy", "easy", "list:reservations=2", "conservative", "fcfs" } }
        local result, list = orrery.compare(spec), {}
        for i in ipairs(spec.policies) do list[i] = result:jobs(i, "wait") end
        return list
      end
      assert.same(waits(), waits(has.procs, 1), seed)
      assert.same(waits(2, has.procs, true), waits(2, has.procs), seed)
    end
  end)

  it("start the same by plain decisions, also of every event", function()
    for seed = 4001, 4000 + rounds(1500, 200, 10) do
      local has, jobs = random_instance(seed)
      local spec = { jobs = orrery.jobs(rows_of(jobs)), procs = has.procs, check = true,
        pools = { x = has.x, y = has.y }, walltimes = "log", maintenance = has.windows,
        instant = seed % 2 == 0 and "ends-first" or nil, policies = { "greedy", "easy", "fcfs",
          "conservative", "list:reservations=2", "list:reservations=3", "easy-plus-plus" } }
      local fast = orrery.compare(spec)
      spec.plain = true
      local plain = orrery.compare(spec)
      spec.plain, spec.check = false, false -- nobody watches
      local alone = orrery.compare(spec)
      spec.pools, spec.maintenance = { x = 1000, y = 1 << 50 }, nil
      local wide = orrery.compare(spec)
      local rows = rows_of(jobs)
      for _, row in ipairs(rows) do row.needs = nil end
      spec.pools, spec.jobs = nil, orrery.jobs(rows)
      local without = orrery.compare(spec)
      for i, policy in ipairs(spec.policies) do
        assert.same(plain:jobs(i, "wait"), fast:jobs(i, "wait"), seed .. policy)
        assert.same(plain:jobs(i, "wait"), alone:jobs(i, "wait"), seed .. policy)
        assert.same(without:jobs(i, "wait"), wide:jobs(i, "wait"), seed .. policy)
      end
    end
  end)

  -- Conservative backfilling keeps a timetable of each pool, plain decisions make plans anew.
  it("start the same by plain decisions in long queues #long", function()
    for seed = 1, rounds(300, 40, 6) do
      local rng, rows, submit, failures = orrery.random(seed, 11), {}, 0, {}
      for i = 1, 250 do
        submit = submit + math.max(0, rng:integer(-3, 6))
        local runtime = math.max(0, rng:integer(-2, 40))
        failures[i] = seed % 2 == 0 and math.max(0, rng:integer(-9, 1)) or 0
        rows[i] = { submit = submit, runtime = runtime, procs = rng:integer(1, 8),
          walltime = runtime + math.max(0, rng:integer(-20, 60)),
          needs = { x = math.max(0, rng:integer(-4, 9)), y = math.max(0, rng:integer(-9, 5)) } }
      end
      local spec = { jobs = orrery.jobs(rows), procs = rng:integer(8, 30), walltimes = "log",
        check = true, pools = { x = rng:integer(9, 12), y = rng:integer(5, 9) },
        instant = seed % 3 == 0 and "ends-first" or nil, failures = { failures },
        policies = { "conservative" } }
      local kept = orrery.compare(spec)
      spec.plain = true
      assert.same(orrery.compare(spec):jobs(1, "wait"), kept:jobs(1, "wait"), seed)
    end
  end)
end)
