-- The engine for packs: against a naive implementation of the same readings, and by hand.
local orrery = require "orrery"
local naive = require "spec.support.naive_pack"
local packs = require "spec.support.packs"
local rounds = require "spec.support.rounds"

local function fail(pack, policy, problem)
  error(("%s: %s\n%s"):format(policy, problem, packs.describe(pack)), 2)
end

local function check(pack, policy, session)
  local fine, objection = session:check()
  if not fine then fail(pack, policy, objection) end
end

describe("the engine, held against a naive one", function()
  local COUNT = rounds(45, 45, 15)

  -- Every pack under every pair of heuristics.
  local function hold(seed, count, options)
    local rng = orrery.random(seed)
    local seen = { faults = 0, redistributions = 0, fatal = 0, calls = 0, unlike = 0 }
    for _ = 1, count do
      local pack = packs.random(rng, options)
      pack.made = packs.tasks(pack)
      local first
      for _, policy in ipairs(packs.policies) do
        local expected = naive.run(pack, policy)
        local session = packs.session(pack, policy)
        local metrics = session:finish()
        local problem = packs.difference(session, metrics, expected)
        if problem then fail(pack, policy, problem) end
        check(pack, policy, session)
        for name, sum in pairs(seen) do seen[name] = sum + (expected[name] or 0) end
        first = first or expected.makespan
        if expected.makespan ~= first then seen.unlike = seen.unlike + 1 end
      end
    end
    return seen
  end

  it("gives the same ends, counts and processors, with faults of tasks", function()
    local seen = hold(101, COUNT, { by_processor = false })
    assert.is_true(seen.faults > 22 * COUNT and seen.redistributions > 11 * COUNT, "too quiet")
    assert.is_true(seen.calls > 11 * COUNT and seen.unlike > 4 * COUNT, "policies hardly matter")
  end)

  it("gives the same ends, counts and processors, with faults of processors", function()
    local seen = hold(102, COUNT, { by_processor = true })
    assert.is_true(seen.faults > 11 * COUNT and seen.redistributions > 7 * COUNT, "too quiet")
    assert.is_true(seen.fatal > COUNT / 2, "no buddies")
  end)

  it("gives the same for more tasks", function()
    assert.is_true(hold(103, 12, { n = 12 }).redistributions > 100)
  end)
end)

describe("a run that no fault strikes", function()
  it("ends exactly at the largest t + Nff C, without checkpoints at the largest t", function()
    local rng = orrery.random(104)
    local checkpoints = 0
    for _ = 1, rounds(100, 100, 20) do
      local pack = packs.random(rng)
      pack.faults = {}
      local session = packs.session(pack, "none")
      local last = 0
      for i, task in ipairs(pack.tasks) do
        local j = session:task(i).procs
        local count = naive.checkpoints(pack, task, j, 1)
        local ends = naive.time(task, j) + count * naive.checkpoint(pack, task, j)
        assert.equal(ends, session:task(i)["end"])
        if pack.mtbf == math.huge then assert.equal(naive.time(task, j), ends) end
        checkpoints = checkpoints + count
        last = math.max(last, ends)
      end
      assert.equal(last, session:finish().makespan)
    end
    assert.is_true(checkpoints > 100)
  end)
end)

-- One task, 2 processors: mu / 2 = 50 s and C = R = 1 s make periods of 10 s of work; t = 32 s.
local SINGLE = {
  procs = 2, mtbf = 100, downtime = 2, checkpoint = 0, checkpoint_fixed = 1, startup = 0,
  latency = 0, bandwidth = 1, tasks = { { m = 0, times = { 64, 32 } } }, faults = {},
}

local function single(faults, more)
  local pack = setmetatable(more or {}, { __index = SINGLE })
  pack.faults = faults
  local session = packs.session(pack, "none")
  local metrics = session:finish()
  check(pack, "none", session)
  return metrics, session
end

local function spans(session)
  local list = {}
  for i, span in ipairs(session:schedule()) do
    list[i] = ("%d %s %g-%g on %s"):format(span.position, span.kind, span.start, span.finish,
      span.processors)
  end
  return list
end

describe("worked by hand, a task of 32 s with periods of 10 s and checkpoints of 1 s", function()
  local function expect(makespan, count, times, more)
    local faults = {}
    for i, time in ipairs(times) do faults[i] = { time = time, task = 1 } end
    local metrics, session = single(faults, more)
    assert.equal(makespan, metrics.makespan)
    assert.equal(count, metrics.faults)
    return session
  end

  it("takes three checkpoints", function() expect(35, 0, {}) end)

  it("goes back to its last checkpoint, waits and recovers", function()
    -- 22 s are left after 10; ready again at 16 + 2 + 1, two checkpoints to come
    local session = expect(43, 1, { 16 })
    assert.same({
      "1 work 0-10 on 0-1", "1 checkpoint 10-11 on 0-1", "1 lost 11-16 on 0-1",
      "1 downtime 16-18 on 0-1", "1 recovery 18-19 on 0-1", "1 work 19-29 on 0-1",
      "1 checkpoint 29-30 on 0-1", "1 work 30-40 on 0-1", "1 checkpoint 40-41 on 0-1",
      "1 work 41-43 on 0-1",
    }, spans(session))
    local spent = session:measure()
    assert.same({ 64, 6, 10, 6, 0, 0 }, { spent.useful, spent.checkpoint, spent.lost,
      spent.recovery, spent.redistribution, spent.idle })
  end)

  it("loses the period when it is struck during the checkpoint, and not at its end", function()
    expect(48.5, 1, { 21.5 })
    expect(38, 1, { 22 }) -- two periods are done: 25 + 12 + 1
  end)

  it("is struck at the very beginning, but not at its end", function()
    expect(38, 1, { 0 })
    expect(35, 0, { 35 })
    expect(35, 0, { 35, 35, 36 })
  end)

  it("is struck again only when it computes again", function()
    expect(43, 1, { 16, 16 })
    expect(43, 1, { 16, 18.5 })
    expect(46, 2, { 16, 19 })
    expect(52, 2, { 16, 25 })
    expect(62, 3, { 16, 25, 35 }) -- 6 s after 28; ready at 38; 22 + 2
  end)

  it("that never checkpoints loses everything since it was ready", function()
    expect(50, 1, { 16 }, { mtbf = math.huge })
    expect(52, 2, { 16, 18 }, { mtbf = math.huge }) -- ready at 18, struck there, ready at 20
  end)

  it("that checkpoints for nothing loses nothing but downtime", function()
    expect(34, 1, { 16 }, { checkpoint_fixed = 0 })
    expect(36, 2, { 16, 17, 18 }, { checkpoint_fixed = 0 })
  end)
end)

describe("a fault of a processor", function()
  it("is fatal when the buddy failed, and the task still recovers from that", function()
    local function fatal(list)
      for i, fault in ipairs(list) do list[i] = { time = fault[1], processor = fault[2] } end
      local metrics = single(list)
      return { metrics.fatal, metrics.faults, metrics.makespan }
    end
    assert.same({ 1, 1, 43 }, fatal { { 16, 0 }, { 17, 1 } })
    assert.same({ 1, 1, 43 }, fatal { { 16, 1 }, { 18.75, 0 } })
    assert.same({ 0, 1, 43 }, fatal { { 16, 0 }, { 17, 0 } }) -- the same one again
    assert.same({ 0, 2, 46 }, fatal { { 16, 0 }, { 19, 1 } }) -- it has recovered
  end)

  it("is as fatal in a fork that is made meanwhile", function()
    for fatal, second in pairs { [1] = 0, [0] = 1 } do
      local pack = setmetatable({
        faults = { { time = 16, processor = 1 }, { time = 17, processor = second } },
        procs = 4, -- faults that strike nobody are looked at only up to the next end, at 16.75
        tasks = { { m = 0, times = { 64, 32 } }, { m = 0, times = { 31.5, 15.75 } } },
      }, { __index = SINGLE })
      local fork = packs.session(pack, "none"):run_until(16.5):fork()
      assert.equal(fatal, fork:finish().fatal)
    end
  end)

  it("strikes who holds it at that moment, and nobody when it is idle", function()
    local pack = setmetatable({
      procs = 7, tasks = { { m = 0, times = { 64, 32 } }, { m = 0, times = { 64, 32 } } },
    }, { __index = SINGLE })
    pack.faults = {
      { time = 1, processor = 4 }, { time = 1, processor = 6 }, { time = 2, processor = 3 },
    }
    local session = packs.session(pack, "none")
    session:finish()
    assert.same({ 35, 40 }, session:ends()) -- 2 + 3 + 35
    assert.equal(1, session:measure().faults)
    assert.equal(3, #session:faults())
  end)

  it("that is idle until a task ends then and there strikes who takes it over", function()
    -- Nothing helps the first, so 6 and 7 stay idle until the second ends at 4. Where moves and
    -- checkpoints take no time the third then computes on them at once, and waits until 6.
    local pack = setmetatable({
      procs = 8, mtbf = math.huge, checkpoint_fixed = 0, faults = { { time = 4, processor = 6 } },
      tasks = { { m = 0, times = { 40, 20 } }, { m = 0, times = { 8, 4 } },
        { m = 0, times = { 32, 16, 12, 9, 7.5, 6.5 } } },
    }, { __index = SINGLE })
    local session = packs.session(pack, "end-local")
    assert.equal(1, session:finish().faults)
    assert.same({ 20, 4, 6 + 12 / 16 * 6.5 }, session:ends())
    check(pack, "end-local", session)
  end)
end)

describe("a redistribution, worked by hand,", function()
  it("of a task that was not struck", function()
    -- At 5 s the first has 27 of 32 s left. From 2 to 4 processors: 2 rounds of 8 / (4 2 4) + 0.25
    -- after 0.5, then a checkpoint: ready at 7.5; 27 / 32 of 16.5 s on 4 processors,
    -- in periods of 7.07: one checkpoint.
    local pack = setmetatable({
      procs = 4, startup = 0.5, latency = 0.25, bandwidth = 4,
      tasks = { { m = 8, times = { 62, 32, 21.6, 16.5 } }, { m = 8, times = { 5 } } },
    }, { __index = SINGLE })
    local session = packs.session(pack, "end-local")
    local metrics = session:finish()
    assert.same({ 7.5 + 13.921875 + 1, 5 }, session:ends())
    assert.same({ 1, 1, 0 }, { metrics.redistributions, metrics.moves, metrics.faults })
    assert.same({ "1 work 0-5 on 0-1", "2 work 0-5 on 2-3", "1 redistribution 5-6.5 on 0-3",
      "1 checkpoint 6.5-7.5 on 0-3" }, { table.unpack(spans(session), 1, 4) })
    check(pack, "end-local", session)
  end)

  it("of one that was struck: after downtime and recovery", function()
    -- On 4 processors: periods of 10. Struck at 16 it has 22 of 32 s left and recovers until 19.
    -- From 4 to 6: 4 rounds of 96 / (6 4 32), a checkpoint: ready at 20.5. On 6 it has 16.5 of 24 s
    -- left, in periods of 8.16: two checkpoints.
    local pack = setmetatable({
      procs = 6, mtbf = 200, bandwidth = 32,
      tasks = { { m = 96, times = { 120, 62, 42, 32, 28, 24 } }, { m = 0, times = { 4 } } },
      faults = { { time = 16, task = 1 } },
    }, { __index = SINGLE })
    for _, on_fault in ipairs { "shortest-tasks-first", "iterated-greedy" } do
      local session = packs.session(pack, "none+" .. on_fault)
      session:finish()
      assert.same({ 39, 4 }, session:ends())
      assert.same({ { time = 0, processors = "0-3" }, { time = 16, processors = "0-5" } },
        packs.holdings(session)[1])
      check(pack, on_fault, session)
    end
  end)

  it("is not made where nothing would be earlier, to the last bit", function()
    -- At 4 the first has half of its work left: on 4 processors 4 + 1 + 6 / 2, on 2 it ends at 8.
    local same = setmetatable({
      procs = 4, mtbf = math.huge, startup = 1,
      tasks = { { m = 0, times = { 16, 8, 7, 6 } }, { m = 0, times = { 8, 4 } } },
    }, { __index = SINGLE })
    -- Struck at 3 the first ends at 15; with 2 fewer processors so would the second.
    local donor = setmetatable({
      procs = 6, mtbf = math.huge, downtime = 0, faults = { { time = 3, task = 1 } },
      tasks = { { m = 0, times = { 24, 12, 9, 8 } }, { m = 0, times = { 32, 16, 13, 12 } } },
    }, { __index = SINGLE })
    for policy, case in pairs { ["end-local"] = { same, 8, 4 },
      ["shortest-tasks-first"] = { donor, 15, 12 } } do
      local session = packs.session(case[1], policy)
      assert.equal(0, session:finish().redistributions)
      assert.same({ case[2], case[3] }, session:ends())
      check(case[1], policy, session)
    end
  end)

  it("hands out the lowest-numbered processors, and takes back the highest", function()
    local task = { m = 0, times = { 64, 32, 24, 20, 18, 16 } }
    local pack = setmetatable({
      procs = 6, tasks = { task, { m = 0, times = { 4 } }, task }, mtbf = math.huge,
      faults = { { time = 10, task = 1 } },
    }, { __index = SINGLE })
    local session = packs.session(pack, {
      on_end = function(sim, over)
        if over.position == 2 then sim:give(sim:tasks()[2], 2) end
      end,
      on_fault = function(sim, struck)
        for _, other in ipairs(sim:tasks()) do
          if other ~= struck then sim:give(other, -2) end
        end
        sim:give(struck, 2)
      end,
    })
    session:finish()
    local found = packs.holdings(session)
    assert.same({ { time = 0, processors = "0-1" }, { time = 10, processors = "0-1 4-5" } },
      found[1])
    assert.same({ { time = 0, processors = "4-5" }, { time = 4, processors = "2-5" },
      { time = 10, processors = "2-3" } }, found[3])
    check(pack, "own", session)
  end)
end)
