-- What policies may decide beside the papers' two events: what tasks start on (on_start), periods
-- of checkpoints (period), and redistributions after every fault (every_fault). Against the naive
-- engine, and by hand; and the questions that go with them: expected_last and the risk of a task.
local orrery = require "orrery"
local naive = require "spec.support.naive_pack"
local packs = require "spec.support.packs"
local rounds = require "spec.support.rounds"

-- The hook of a shipped policy.
local function shipped(name, hook)
  if name == "none" then return false end
  local policy = dofile("policies/redistribute/" .. name .. ".lua")
  if type(policy) == "function" then policy = policy { literal = false } end
  return policy[hook]
end

local ENDS = { "none", "end-local", "end-greedy" }
local FAULTS = { "none", "shortest-tasks-first", "iterated-greedy" }

-- Another share of the usual work for every size and number of processors.
local function period(question)
  local share = 0.3 + question.size % 1 + question.procs % 3 * 0.4
  return question.checkpoint + share * (question.period - question.checkpoint)
end

-- Half of what is above two goes to others, in order of position, as far as j_max lets it.
local function spread(procs, most)
  local spare = 0
  for i, held in ipairs(procs) do
    local more = (held - 2) // 4 * 2
    procs[i], spare = held - more, spare + more
  end
  for i = #procs, 1, -1 do
    local more = math.min(spare, math.max(most[i] - procs[i], 0))
    procs[i], spare = procs[i] + more, spare - more
  end
end

local function start(sim)
  local tasks, procs, most = {}, {}, {}
  for _, task in ipairs(sim:tasks()) do
    tasks[task.position], procs[task.position], most[task.position] = task, task.procs, task.most
  end
  spread(procs, most)
  for _, task in ipairs(tasks) do sim:assign(task, 2) end
  for i, task in ipairs(tasks) do sim:assign(task, procs[i]) end
end

describe("the engine under a policy that decides more, held against a naive one", function()
  local function hold(seed, count, with)
    local rng = orrery.random(seed)
    local seen = { faults = 0, redistributions = 0, calls = 0, unlike = 0 }
    for _ = 1, count do
      local pack = packs.random(rng)
      pack.made = packs.tasks(pack)
      local on_end, on_fault = ENDS[rng:integer(1, 3)], FAULTS[rng:integer(1, 3)]
      local usual = naive.run(pack, on_end .. "+" .. on_fault)
      for name, value in pairs(with.naive) do pack[name] = value end
      local expected = naive.run(pack, on_end .. "+" .. on_fault)
      local policy = { name = "own", on_end = shipped(on_end, "on_end"),
        on_fault = shipped(on_fault, "on_fault") }
      for name, value in pairs(with.policy) do policy[name] = value end
      if not policy.on_fault then policy.every_fault = nil end
      local session = packs.session(pack, policy)
      local metrics = session:finish()
      local problem = packs.difference(session, metrics, expected)
      local fine, objection = session:check()
      problem = problem or not fine and objection
      if problem then
        error(("%s+%s: %s\n%s"):format(on_end, on_fault, problem, packs.describe(pack)), 2)
      end
      for name in pairs(seen) do seen[name] = seen[name] + (expected[name] or 0) end
      local differs = expected.makespan ~= usual.makespan or expected.moves ~= usual.moves
      if differs then seen.unlike = seen.unlike + 1 end
    end
    return seen
  end

  local COUNT = rounds(150, 150, 90)

  it("runs with periods of its own", function()
    local seen = hold(401, COUNT, { naive = { period = period }, policy = { period = period } })
    assert.is_true(seen.faults > 2 * COUNT and seen.redistributions > 2 / 3 * COUNT
      and seen.unlike > COUNT / 3)
  end)

  it("redistributes after every fault", function()
    local more = { every_fault = true }
    local seen = hold(402, COUNT, { naive = more, policy = more })
    assert.is_true(seen.calls > 2 * COUNT and seen.unlike > COUNT / 30,
      seen.calls .. " " .. seen.unlike)
  end)

  it("starts on what was proposed", function()
    local seen = hold(403, 150, { naive = { start = spread }, policy = { on_start = start } })
    assert.is_true(seen.faults > 300 and seen.unlike > 30)
  end)

  it("does all three", function()
    hold(404, rounds(100, 100, 40), { naive = { start = spread, period = period,
      every_fault = true }, policy = { on_start = start, period = period, every_fault = true } })
  end)
end)

-- --- by hand -------------------------------------------------------------------------------------

-- Perfectly parallel tasks: work is in s on one processor.
local function parallel(works, procs, m)
  local list = {}
  for i, work in ipairs(works) do
    local times = {}
    for j = 1, procs do times[j] = work / j end
    list[i] = { id = ("ABC"):sub(i, i), m = m or 0, times = times }
  end
  return orrery.tasks.list(list)
end

describe("on_start, by hand", function()
  -- Algorithm 1 gives A and B 4 each on 8 processors. On 2 and 6: A until 12, B until 4.
  it("costs nothing", function()
    local function is(expected, ...)
      local found = table.concat({ ... }, " ")
      if found ~= expected then error(found .. " in place of " .. expected) end
    end
    local session = orrery.session { tasks = parallel({ 24, 24 }, 8), procs = 8,
      faults = { mtbf = math.huge }, policy = { on_start = function(sim)
        local a, b = table.unpack(sim:tasks())
        is("4 4 6.0 0.0 0 6.0", a.procs, b.procs, a.finish, sim.now, sim.free, sim.expected)
        sim:assign(a, 2)
        sim:assign(b, 6)
        is("12.0 4.0 0 12.0", a.finish, b.finish, sim.free, sim:expected_last())
        if a.locked then error "locked" end
      end } }
    local metrics = session:finish()
    assert.same({ 12, 4 }, session:ends())
    assert.same({ 0, 0, 12 }, { metrics.moves, metrics.redistribution, metrics.makespan })
  end)

  it("is refused as any proposal is, and again in the next run", function()
    local function refuses(expected, action)
      local spec = { tasks = parallel({ 24, 24 }, 8), procs = 8, runs = 2, threads = 1,
        faults = { mtbf = math.huge }, policy = { name = "bad", on_start = action } }
      local ok, message = pcall(orrery.compare, spec)
      assert.is_false(ok)
      assert.matches("policy bad: on_start", message, 1, true)
      assert.matches(expected, message, 1, true)
    end
    refuses("hands out 10 processors; there are 8", function(sim) sim:give(sim:longest(), 2) end)
    refuses("even number", function(sim) sim:assign(sim:longest(), 3) end)
    refuses("must return nothing", function() return 4 end)
  end)
end)

describe("period, by hand", function()
  -- A task of 12 s on 2 processors, C = 1 and R = 1: with a period of 4, 3 s of work each, it takes
  -- 3 checkpoints where it is not struck (Nff = floor(12 / 3) = 4, of which one at its end). Struck
  -- at 6, in its second period, it has saved 3 s, recovers until 7, and has 9 s left: 9 + 3 = 19.
  local function run(policy, log)
    local session = orrery.session { tasks = parallel({ 24 }, 2, 2), procs = 2, policy = policy,
      faults = { mtbf = 100, log = log }, costs = { checkpoint = 1 } }
    local metrics = session:finish()
    assert.is_true(session:check())
    return metrics
  end

  it("decides when work is saved", function()
    local policy = { period = function(question)
      local expected = { position = 1, procs = 2, size = 2, time = 12, alone = 24, checkpoint = 1,
        mtbf = 50, downtime = 0, period = 11 }
      for name, value in pairs(question) do
        if expected[name] ~= value then error(name .. " is " .. value) end
        expected[name] = nil
      end
      if next(expected) then error(next(expected) .. " is missing") end
      return 4
    end }
    assert.equal(12 + 4, run(policy, {}).makespan)
    assert.equal(7 + 9 + 3, run(policy, { { time = 6, task = 1 } }).makespan)
    -- Young's: 10 s of work, of which 5 are lost
    assert.equal(7 + 12 + 1, run("none", { { time = 6, task = 1 } }).makespan)
  end)

  it("must be longer than a checkpoint, and is asked without a simulation", function()
    local function refuses(expected, action)
      local ok, message = pcall(run, { name = "bad", period = action }, {})
      assert.is_false(ok)
      assert.matches(expected, message, 1, true)
    end
    refuses("policy bad: period of task A on 2 processors must be a finite number larger than its "
      .. "checkpoint of 1 s, it is 1", function() return 1 end)
    refuses("it is inf", function() return math.huge end)
    refuses("a finite number", function() return 0 / 0 end)
    refuses("a period must be a number, this is nil", function() end)
    refuses("math.random can be used only inside a hook", function() return math.random() end)
  end)

  it("does not change while tasks run", function()
    local spec = { tasks = parallel({ 24 }, 2, 2), procs = 2, faults = { mtbf = 100 },
      policy = { name = "own", period = function(q) return q.period end } }
    local session = orrery.session(spec)
    local ok, message = pcall(session.fork, session, { policy = "end-local" })
    assert.is_false(ok)
    assert.matches("own gives the periods of checkpoints", message, 1, true)
    session:fork():finish()
  end)
end)

-- --- questions -----------------------------------------------------------------------------------

describe("expected_last", function()
  -- The definition: proposes, looks, and takes it back. Half of the proposals are refused.
  local function naively(sim, proposal)
    local before = {}
    for _, task in ipairs(sim:tasks()) do before[#before + 1] = { task, task.procs } end
    for _, one in ipairs(before) do
      if proposal[one[1]] then sim:assign(one[1], proposal[one[1]]) end
    end
    local last = -math.huge
    for _, task in ipairs(sim:running()) do last = math.max(last, task.finish) end
    for _, one in ipairs(before) do sim:assign(table.unpack(one)) end
    return last
  end

  local function compare(sim)
    for _ = 1, 3 do
      local free, proposal, before = sim.free, {}, {}
      for _, task in ipairs(sim:tasks()) do
        local more = 2 * math.random(-2, 2)
        local procs = math.max(2, task.procs + more)
        if procs ~= task.procs and procs <= math.max(task.most, task.held)
          and free >= procs - task.procs and math.random(2) == 1 then
          proposal[task] = procs
          free = free - (procs - task.procs)
        end
        before[task] = { task.procs, task.finish }
      end
      local last, list = sim:expected_last(proposal), sim:longest()
      for task, was in pairs(before) do
        if task.procs ~= was[1] or task.finish ~= was[2] then error "changed" end
      end
      if sim:longest() ~= list then error "changed the list" end
      local expected = naively(sim, proposal)
      if last ~= expected then error(("%.17g in place of %.17g"):format(last, expected)) end
      sim.state.count = sim.state.count + 1
      if math.random(2) == 1 then
        for task, procs in pairs(proposal) do
          if procs < task.procs then sim:assign(task, procs) end
        end
      end
    end
    sim:note { count = sim.state.count }
  end

  it("is what the tasks would say, and changes nothing", function()
    local rng = orrery.random(405)
    for _ = 1, rounds(80, 80, 20) do
      packs.session(packs.random(rng), { name = "asks", on_end = compare, on_fault = compare,
        init = function(sim) sim.state.count = 0 end, every_fault = true }):finish()
    end
  end)

  -- A and B on 4 each of 8, without data: A ends at 6 and B at 8.
  local function on_start(action)
    return orrery.session { tasks = parallel({ 24, 32 }, 8), procs = 8,
      faults = { mtbf = math.huge }, policy = { name = "asks", on_start = action } }
  end

  it("by hand", function()
    on_start(function(sim)
      local b, a = table.unpack(sim:tasks())
      local found = { sim:expected_last(), sim:expected_last { [a] = 2, [b] = 6 },
        sim:expected_last { [a] = 2 }, sim:expected_last {}, sim:expected_last { [b] = 2 } }
      local text = table.concat(found, " ")
      if text ~= "8.0 12.0 12.0 8.0 16.0" then error(text) end
    end)
  end)

  it("refuses what cannot be", function()
    local function refuses(expected, action)
      local ok, message = pcall(on_start, action)
      assert.is_false(ok)
      assert.matches(expected, message, 1, true)
    end
    refuses("hands out 12 processors; there are 8", function(sim)
      sim:expected_last { [sim:longest()] = 8 }
    end)
    refuses("even number", function(sim) sim:expected_last { [sim:longest()] = 3 } end)
    refuses("{ [task] = processors, ... }", function(sim) sim:expected_last { 4 } end)
    refuses("{ [task] = processors, ... }", function(sim)
      sim:expected_last { [sim:longest()] = "many" }
    end)
    refuses("table expected", function(sim) sim:expected_last(4) end)
  end)
end)

describe("share_out after start_over", function()
  local function proposed(sim)
    local list = { ("%.17g"):format(sim.expected) }
    for _, task in ipairs(sim:tasks()) do
      list[#list + 1] = ("%d: %d %.17g"):format(task.position, task.procs, task.finish)
    end
    return table.concat(list, "\n")
  end

  -- Two at a time, as the manual says.
  local function step_by_step(sim)
    sim:start_over()
    while true do
      local task = sim:longest()
      if not task or not sim:improvement(task) then return end
      sim:give(task, 2)
    end
  end

  local function compare(sim)
    step_by_step(sim)
    local expected = proposed(sim)
    sim:start_over()
    local last = math.random(2) == 1 and sim:expected_last {} -- before all is known
    if last then
      sim:start_over()
      sim:tasks()
      if last ~= sim:expected_last {} then error "expected_last is not that of all" end
      sim:start_over()
    end
    sim:share_out()
    if proposed(sim) ~= expected then error(expected .. "\nin place of\n" .. proposed(sim)) end
    if not sim.state then return end -- at the start
    sim.state.count = sim.state.count + 1
    sim:note { count = sim.state.count }
  end

  it("is the loop, at the start, with periods of its own, and after every fault", function()
    local rng, most = orrery.random(406), 0
    for i = 1, rounds(150, 150, 50) do
      local session = packs.session(packs.random(rng), { name = "loops", on_start = compare,
        on_end = compare, on_fault = compare, every_fault = true, period = i % 2 == 0 and period
          or nil, init = function(sim) sim.state.count = 0 end })
      session:finish()
      for _, note in ipairs(session.notes) do most = math.max(most, note.count) end
    end
    assert.is_true(most > 20)
  end)

  -- A task keeps its processors where a bound says so, without a look at fewer.
  it("is the loop where most tasks keep what they hold, with few and many checkpoints", function()
    for i, years in ipairs { 1, 5, 30, 300 } do
      local session = orrery.session { tasks = { n = 60 }, seed = i, procs = 60 * (2 + 4 * i),
        faults = { mtbf_years = years }, policy = { name = "loops", on_end = compare,
          on_fault = compare, init = function(sim) sim.state.count = 0 end } }
      session:finish()
      assert.is_true(#session.notes > 20)
    end
  end)

  it("is the loop where many tasks start, whatever data they would move", function()
    for i, procs in ipairs { 400, 900, 4000 } do
      orrery.session { tasks = { n = 200 }, seed = i, procs = procs, faults = { mtbf_years = 5 },
        policy = { name = "loops", on_start = compare } }
    end
  end)
end)

describe("the risk of a task, by hand", function()
  -- 12 s on 2 processors with an MTBF of 50 s together; on 1 s of work and 1 s of checkpoint per
  -- period it computes for 12 + 12 - 1 = 23 s (Nff = floor(12 / 1) = 12: 24 s).
  it("is that of a fault before its end", function()
    local session = orrery.session { tasks = parallel({ 24 }, 4, 2), procs = 4,
      faults = { mtbf = 100, log = {} }, costs = { checkpoint = 1 }, policy = {
        period = function(question) return question.checkpoint + 1 end,
        on_start = function(sim)
          local task = sim:longest()
          sim:assign(task, 2)
          local rate, probability = task.error_rate, task.failure_probability
          if rate ~= 2 / 100 or math.abs(probability - (1 - math.exp(-0.02 * 24))) > 1e-15 then
            error(rate .. " " .. probability)
          end
        end,
      } }
    session:finish()
  end)

  it("is none where nothing fails, and of what is over", function()
    local function check(sim, ended)
      if ended.error_rate ~= 0 or ended.failure_probability ~= 0 then error "over" end
      for _, task in ipairs(sim:running()) do
        local expected = task.procs / sim.mtbf
        if task.error_rate ~= expected then error "rate" end
        local probability = task.failure_probability
        if expected == 0 and probability ~= 0 then error "probability" end
        if not (probability >= 0 and probability <= 1) then error "probability" end
      end
    end
    local rng = orrery.random(406)
    for _ = 1, 40 do packs.session(packs.random(rng), { on_end = check }):finish() end
  end)
end)
