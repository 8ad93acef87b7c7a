-- The policies that hooks make possible: each by hand, and against something that it must equal.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local naive = require "spec.support.naive"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

local function finished(spec)
  local session = orrery.session(spec)
  local metrics = session:finish()
  assert.is_true(session:check())
  return session:schedule(), metrics
end

-- "id start-finish" of every attempt, with the outcome where it is not the usual one.
local function by_hand(list, procs, policy, options)
  local text = {}
  for i, attempt in ipairs(finished {
    jobs = orrery.jobs(list), procs = procs, policy = policy, options = options,
  }) do
    text[i] = ("%s %g-%g%s"):format(attempt.id, attempt.start, attempt.finish,
      attempt.outcome == "completed" and "" or " " .. attempt.outcome)
  end
  return text
end

-- The policy gives the schedules that the other fields of a run give.
local function equal_runs(name, options, other)
  local rng = orrery.random(#name + 17)
  for _ = 1, rounds(30, 30, 10) do
    local instance = instances.random(rng)
    local found = finished(rigid.spec(instance, { policy = name, options = options }))
    local expected = finished(rigid.spec(instance, other))
    local problem = rigid.difference(found, expected)
    if problem then error(problem .. "\n" .. instances.describe(instance)) end
  end
end

describe("dispatch/easy-sjf", function()
  -- EASY whose backfilling is sorted, in Lua.
  local function easy_sjf(sim)
    local blocked, others = nil, {}
    for job in sim:waiting() do
      if not blocked and sim:can_start(job) then
        sim:start(job)
      elseif not blocked then
        blocked = job
        sim:reserve(job)
      else
        others[#others + 1] = job
      end
    end
    for place, job in ipairs(others) do others[place] = { job = job, place = place } end
    table.sort(others, function(a, b)
      if a.job.time ~= b.job.time then return a.job.time < b.job.time end
      return a.place < b.place
    end)
    for _, one in ipairs(others) do
      if sim:can_start(one.job) then sim:start(one.job) end
    end
  end

  it("backfills the shortest first, by hand", function()
    assert.same({ "a 0-10", "d 0-2", "c 2-6", "b 10-20", "e 20-25" }, by_hand({
      { id = "a", procs = 3, time = 10 }, { id = "b", procs = 4, time = 10 },
      { id = "c", procs = 1, time = 4 }, { id = "d", procs = 1, time = 2 },
      { id = "e", procs = 1, time = 5 }, -- would end after b's reservation: 6 + 5 > 10
    }, 4, "easy-sjf"))
  end)

  it("is EASY with a sorted rest, on random instances", function()
    equal_runs("easy-sjf", nil, { policy = { dispatch = easy_sjf } })
    equal_runs("dispatch/list", { reservations = 1, backfill = "spt" },
      { policy = { dispatch = easy_sjf } })
  end)
end)

describe("dispatch/preemptive", function()
  it("kills the latest start for an urgent job, and no more than it needs", function()
    assert.same({
      "a 0-100", "b 5-7 preempted", "c 6-7 preempted", "u 7-17", "b 17-37", "c 17-47",
    }, by_hand({
      { id = "a", procs = 4, time = 100, submit = 0 },
      { id = "b", procs = 2, time = 20, submit = 5 },
      { id = "c", procs = 2, time = 30, submit = 6 },
      { id = "u", procs = 3, time = 10, submit = 7, queue = "urgent" },
    }, 8, "preemptive"))
  end)

  it("kills nobody where that would not be enough, or nobody more than so often", function()
    local list = {
      { id = "a", procs = 3, time = 10, submit = 0, queue = "urgent" },
      { id = "b", procs = 1, time = 20, submit = 0 },
      { id = "u", procs = 2, time = 5, submit = 1, queue = "urgent" },
    }
    assert.same({ "a 0-10", "b 0-20", "u 10-15" }, by_hand(list, 4, "preemptive"))
    list = { { id = "b", procs = 1, time = 10, submit = 0 } }
    for i = 1, 3 do
      list[i + 1] = { id = "u" .. i, procs = 1, time = 1, submit = 5 * i - 4, queue = "urgent" }
    end
    assert.same({
      "b 0-1 preempted", "u1 1-2", "b 2-6 preempted", "u2 6-7", "b 7-17", "u3 17-18",
    }, by_hand(list, 1, "preemptive", { kills = 2 }))
  end)

  it("counts the urgent jobs that wait already", function()
    assert.same({
      "a 0-1 preempted", "b 0-1 preempted", "u 1-11", "v 1-11", "a 11-61", "b 11-71",
    }, by_hand({
      { id = "a", procs = 2, time = 50, submit = 0 },
      { id = "b", procs = 2, time = 60, submit = 0 },
      { id = "u", procs = 2, time = 10, submit = 1, queue = "urgent" },
      { id = "v", procs = 2, time = 10, submit = 1, queue = "urgent" },
    }, 4, "preemptive"))
  end)

  it("with time: short jobs are urgent; without urgent jobs it is EASY", function()
    assert.same({ "a 0-3 preempted", "s 3-4", "a 4-54" }, by_hand({
      { id = "a", procs = 2, time = 50 }, { id = "s", procs = 1, time = 1, submit = 3 },
    }, 2, "preemptive", { time = 5 }))
    equal_runs("preemptive", nil, { policy = "easy" })
  end)

  it("never kills urgent jobs, and nobody too often, on random instances", function()
    local rng = orrery.random(31)
    local killed, count = 0, rounds(50, 50, 15)
    for _ = 1, count do
      local instance = instances.random(rng, { n = 20 })
      for i, job in ipairs(instance.list) do
        job.submit = rng:integer(0, 20)
        if i % 3 == 0 then job.queue = "urgent" end
      end
      local kills = {}
      for _, attempt in ipairs(finished(rigid.spec(instance, {
        policy = "preemptive", options = { kills = 2 },
      }))) do
        if attempt.outcome == "preempted" then
          kills[attempt.position] = (kills[attempt.position] or 0) + 1
          killed = killed + 1
          assert.is_nil(instance.list[attempt.position].queue)
        end
      end
      for _, times in pairs(kills) do assert.is_true(times <= 2) end
    end
    assert.is_true(killed > count / 2)
  end)
end)

describe("dispatch/aging", function()
  it("lets short jobs pass until a long one is old", function()
    local list = {
      { id = "a", procs = 1, time = 4, submit = 0 },
      { id = "long", procs = 1, time = 9, submit = 1 },
    }
    for i = 1, 4 do list[i + 2] = { id = "s" .. i, procs = 1, time = 3, submit = 2 } end
    assert.same({ "a 0-4", "s1 4-7", "s2 7-10", "long 10-19", "s3 19-22", "s4 22-25" },
      by_hand(list, 1, "aging", { patience = 8 })) -- old at 9
    assert.same({ "a 0-4", "s1 4-7", "s2 7-10", "s3 10-13", "s4 13-16", "long 16-25" },
      by_hand(list, 1, "aging"))
  end)

  it("without patience is EASY by submission, with much of it by time", function()
    equal_runs("aging", { patience = 0 }, { policy = "easy" })
    equal_runs("aging", { patience = 1e9 }, { policy = "easy", priority = "spt" })
  end)

  -- An old job that waits has no young one before it: it holds the first reservation.
  it("keeps the order of submission among those that are old", function()
    local rng = orrery.random(9)
    for _ = 1, rounds(60, 60, 20) do
      local instance = instances.random(rng, { n = 20, procs = { 1 }, failures = 0 })
      local patience = rng:integer(1, 12)
      local started = {}
      for _, attempt in ipairs(finished(rigid.spec(instance, {
        policy = "aging", options = { patience = patience },
      }))) do
        local job = instance.list[attempt.position]
        for _, before in ipairs(started) do -- a start that came before this one's
          local other = instance.list[before.position]
          local old = before.start > job.submit + patience
          if old then
            assert.is_true(other.submit + patience <= before.start and other.submit <= job.submit)
          end
        end
        started[#started + 1] = attempt
      end
    end
  end)
end)

describe("dispatch/fair-share", function()
  it("takes turns, by hand", function()
    local list = {
      { id = "a1", time = 10, user = "ann" }, { id = "a2", time = 10, user = "ann" },
      { id = "b1", time = 4, user = "bob" }, { id = "b2", time = 4, user = "bob" },
      { id = "b3", time = 4, user = "bob" },
    }
    for _, job in ipairs(list) do job.procs = 1 end
    -- at 10 ann has had 10 processor-seconds; bob has had 4 at 14, 8 at 18
    assert.same({ "a1 0-10", "b1 10-14", "b2 14-18", "b3 18-22", "a2 22-32" },
      by_hand(list, 1, "fair-share"))
    -- with a half-life of 5 s ann's 10 are 1.4 at 14, bob's 4 are 2.3; at 24 his are 0.6
    assert.same({ "a1 0-10", "b1 10-14", "a2 14-24", "b2 24-28", "b3 28-32" },
      by_hand(list, 1, "fair-share", { half_life = 5 }))
  end)

  it("gives back what an attempt did not use", function()
    -- ann's first job asks for 100 s and takes 1: she has had 1 of them, bob 2
    local found = finished {
      jobs = orrery.jobs {
        { id = "a", procs = 1, time = 1, walltime = 100, user = "ann" },
        { id = "b", procs = 1, time = 2, user = "bob" },
        { id = "c", procs = 1, time = 5, user = "bob" },
        { id = "d", procs = 1, time = 5, user = "ann" },
      },
      procs = 1, policy = "fair-share", walltimes = "log",
    }
    assert.equal("abdc", found[1].id .. found[2].id .. found[3].id .. found[4].id)
  end)

  it("is EASY where all jobs are one user's", function()
    equal_runs("fair-share", nil, { policy = "easy" })
  end)

  it("charges nobody for a job that was cancelled while it waited", function()
    local jobs = orrery.jobs {
      { id = "a1", procs = 1, time = 10, user = "ann" }, { id = "b1", procs = 1, time = 9,
        user = "bob" }, { id = "b2", procs = 1, time = 100, user = "bob" },
      { id = "a2", procs = 1, time = 10, user = "ann" },
    }
    local s = orrery.session { jobs = jobs, procs = 1, policy = "fair-share" }
    s:run_until(2)
    s:change { cancel = "b2" }
    s:run_until(10) -- ann has had 10 processor-seconds, bob nothing
    assert.equal("b1", s:running()[1].id)
    s:finish()
    assert.is_true(s:check())
  end)
end)

describe("dispatch/partitions", function()
  it("is EASY in two machines, on random instances", function()
    local rng = orrery.random(12)
    local both, count = 0, rounds(50, 50, 15)
    for _ = 1, count do
      local instance = instances.random(rng, { procs = { 4, 5, 8, 13 }, n = 20 })
      local limit, short = rng:integer(1, 10), rng:integer(1, instance.procs - 1)
      local widest = math.max(short, instance.procs - short)
      for _, job in ipairs(instance.list) do job.procs = math.min(job.procs, widest) end
      local parts = { { procs = instance.procs - short }, { procs = short } }
      for _, part in ipairs(parts) do part.list, part.of, part.failures = {}, {}, {} end
      for i, job in ipairs(instance.list) do
        local time = instance.walltimes and job.walltime or job.time
        local fits_long = job.procs <= parts[1].procs
        local part = parts[job.procs <= short and (time <= limit or not fits_long) and 2 or 1]
        local n = #part.list + 1
        part.list[n], part.of[n], part.failures[n] = job, i, instance.failures[i]
      end
      local expected = {}
      for _, part in ipairs(parts) do
        part.walltimes, part.verification = instance.walltimes, instance.verification
        for _, attempt in ipairs(naive.run(rigid.reference_spec(part, "easy"))) do
          attempt.position = part.of[attempt.position]
          expected[#expected + 1] = attempt
        end
      end
      if #parts[1].list > 0 and #parts[2].list > 0 then both = both + 1 end
      local found = finished(rigid.spec(instance, {
        policy = "partitions", options = { limit = limit, share = short / instance.procs },
      }))
      local function order(a, b)
        if a.start ~= b.start then return a.start < b.start end
        if a.position ~= b.position then return a.position < b.position end
        return a.attempt < b.attempt
      end
      table.sort(found, order)
      table.sort(expected, order)
      local problem = rigid.difference(found, expected)
      if problem then error(problem .. "\n" .. instances.describe(instance)) end
    end
    assert.is_true(both > count / 2)
  end)

  it("has the machine's partitions where it has nodes", function()
    local machine = { nodes = { { count = 3, procs = 1 } },
      partitions = { x = { nodes = "1-2", default = true }, y = { nodes = "2-3" } } }
    local jobs = orrery.jobs { { procs = 2, runtime = 10 },
      { procs = 2, runtime = 10, partition = "y" }, { procs = 1, runtime = 9, partition = "y" } }
    local result = orrery.compare { jobs = jobs, machine = machine, check = true,
      policies = { "partitions", "easy" }, options = { limit = 1 } }
    assert.same({ 0, 10, 0 }, result:jobs("partitions", "wait"))
    assert.same(result:jobs("easy", "wait"), result:jobs("partitions", "wait"))
    local s = orrery.session { jobs = jobs, machine = machine, policy = "partitions" }
    s:finish()
    assert.equal("20 s", s:clock())
  end)

  it("a job that is too wide for both is an error", function()
    local ok, message = pcall(finished, {
      jobs = orrery.jobs { { id = "wide", procs = 90, time = 7200, submit = 3 } }, procs = 100,
      policy = "partitions",
    })
    assert.is_false(ok)
    for _, text in ipairs { "wide", "long", "90", "75", "3" } do
      assert.matches(text, message, 1, true)
    end
  end)
end)

describe("dispatch/knapsack", function()
  -- What it must start of jobs that all wait: the fullest choice, and of these the first in order.
  local function best(widths, capacity)
    local found, most = nil, -1
    local n = #widths
    for mask = (1 << n) - 1, 0, -1 do -- the first job is the highest bit: larger masks come first
      local sum = 0
      for i = 1, n do
        if mask & (1 << (n - i)) ~= 0 then sum = sum + widths[i] end
      end
      if sum <= capacity and sum > most then found, most = mask, sum end
    end
    local chosen = {}
    for i = 1, n do chosen[i] = found & (1 << (n - i)) ~= 0 end
    return chosen
  end

  it("fills the machine as well as any choice can, the first in queue order", function()
    local rng = orrery.random(44)
    for _ = 1, rounds(80, 80, 20) do
      local unit, n = rng:integer(1, 3), rng:integer(1, 9)
      local procs, list, widths = rng:integer(1, 30), {}, {}
      for i = 1, n do
        widths[i] = math.min(procs, unit * rng:integer(1, 8))
        list[i] = { procs = widths[i], time = rng:integer(1, 3) }
      end
      local started = {}
      for i = 1, n do started[i] = false end
      for _, attempt in ipairs(finished {
        jobs = orrery.jobs(list), procs = procs, policy = "knapsack",
      }) do
        if attempt.start == 0 then started[attempt.position] = true end
      end
      assert.same(best(widths, procs), started)
    end
  end)

  it("reserves for the first job once it has waited too long", function()
    local list = { { id = "a", procs = 3, time = 10, submit = 0 } }
    list[2] = { id = "wide", procs = 4, time = 5, submit = 0 }
    for i = 1, 6 do list[i + 2] = { id = "n" .. i, procs = 1, time = 8, submit = 5 * i - 5 } end
    -- at 10 the wide job lets n2 and n3 go on; at 15 it has waited 15 s, and everybody waits for it
    local found = by_hand(list, 4, "knapsack", { patience = 12 })
    local start = {}
    for _, line in ipairs(found) do start[line:match "^%S+"] = tonumber(line:match " ([%d.]+)-") end
    assert.same({ 0, 0, 8, 10 }, { start.a, start.n1, start.n2, start.n3 })
    assert.equal(18, start.wide)
    assert.is_true(start.n4 >= 23)
  end)

  it("without patience is EASY", function()
    equal_runs("knapsack", { patience = 0 }, { policy = "easy" })
  end)
end)
