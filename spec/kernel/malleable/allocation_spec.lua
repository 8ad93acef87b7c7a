-- The initial allocation (RR-8795, Algorithm 1) and j_max, by brute force.
local orrery = require "orrery"
local naive = require "spec.support.naive_pack"
local packs = require "spec.support.packs"
local rounds = require "spec.support.rounds"

local function expected(tasks, pack, i, j)
  return (orrery.expected {
    time = tasks:time(i, j), work = 1, procs = j, mtbf = pack.mtbf, downtime = pack.downtime,
    checkpoint = naive.checkpoint(pack, pack.tasks[i], j),
  })
end

-- The smallest possible largest t^R(1), over all even allocations.
local function best(tasks, pack)
  local times = {}
  for i = 1, #tasks do
    times[i] = {}
    for j = 2, pack.procs, 2 do times[i][j] = expected(tasks, pack, i, j) end
  end
  local function search(i, left)
    if i > #tasks then return 0 end
    local least = math.huge
    for j = 2, left - 2 * (#tasks - i), 2 do
      least = math.min(least, math.max(times[i][j], search(i + 1, left - j)))
    end
    return least
  end
  return search(1, pack.procs)
end

local function small_pack(rng)
  local pack
  repeat pack = packs.random(rng, { n = 4 }) until pack.procs <= 22
  pack.faults = {}
  return pack
end

-- Downtimes and faults that make more processors a bad idea.
local function harsh(rng, pack)
  local span = naive.time(pack.tasks[1], 2)
  pack.mtbf = rng:uniform(0.2, 3) * pack.procs * span
  pack.downtime = rng:uniform(0, 3) * span
  for _, task in ipairs(pack.tasks) do
    if task.f then task.f = 0.3 end
  end
  return pack
end

local function allocation(session)
  local sigma, held = {}, 0
  for i = 1, #session.tasks do
    sigma[i] = session:task(i).procs
    held = held + sigma[i]
    assert.is_true(sigma[i] >= 2 and sigma[i] % 2 == 0)
  end
  assert.equal(session.procs - session.free, held)
  assert.is_true(session.free >= 0)
  return sigma
end

describe("the initial allocation", function()
  it("minimises the largest expected time over all even allocations", function()
    local rng = orrery.random(111)
    local binds = 0
    for c = 1, 250 do
      local pack = small_pack(rng)
      if c % 2 == 0 then harsh(rng, pack) end
      local session = packs.session(pack, "none")
      local largest = 0
      for i, j in ipairs(allocation(session)) do
        largest = math.max(largest, expected(session.tasks, pack, i, j))
      end
      assert.equal(largest, session.expected)
      local least = best(session.tasks, pack)
      if math.abs(largest - least) > 1e-12 * least then
        error(("found %.17g, the best is %.17g\n%s"):format(largest, least, packs.describe(pack)))
      end
      if session.free >= 2 then binds = binds + 1 end
    end
    assert.is_true(binds > 20, "more processors always help")
  end)

  it("gives two more to the longest task, and stops where no number helps it", function()
    local rng = orrery.random(112)
    for c = 1, rounds(200, 200, 20) do
      local pack = small_pack(rng)
      if c % 2 == 0 then harsh(rng, pack) end
      local most = {}
      for i, task in ipairs(pack.tasks) do most[i] = naive.most(pack, task) end
      assert.same(naive.initial(pack, most), allocation(packs.session(pack, "none")))
    end
  end)

  it("is this, by hand", function()
    local function of(procs, times)
      local list = {}
      for i, task in ipairs(times) do list[i] = { times = task } end
      return allocation(orrery.session { tasks = orrery.tasks.list(list), procs = procs })
    end
    local fast = { 240, 120, 80, 60, 48, 40, 35, 30 }
    assert.same({ 2, 2 }, of(4, { fast, fast }))
    assert.same({ 4, 2 }, of(6, { fast, fast })) -- of equal ones the first
    assert.same({ 4, 4 }, of(9, { fast, fast })) -- the ninth stays idle
    assert.same({ 2, 2 }, of(12, { { 130, 125 }, fast })) -- the longest cannot be improved
    assert.same({ 2, 4 }, of(12, { { 130, 100 }, fast })) -- nor can it when it has become that
  end)
end)

describe("j_max", function()
  -- The definition on the raw times: no larger even number is strictly faster.
  local function by_definition(tasks, pack, i)
    for j = 2, pack.procs - pack.procs % 2, 2 do
      local own, beaten = expected(tasks, pack, i, j), false
      for k = j + 2, pack.procs, 2 do beaten = beaten or expected(tasks, pack, i, k) < own end
      if not beaten then return j end
    end
  end

  it("is the smallest even number such that no larger one is strictly faster", function()
    local rng = orrery.random(113)
    local less = 0
    for c = 1, 150 do
      local pack = packs.random(rng, { n = 3 })
      pack.faults = {}
      if c % 2 == 0 then harsh(rng, pack) end
      local session = packs.session(pack, "none")
      for i = 1, #pack.tasks do
        local most = session:task(i).most
        assert.equal(by_definition(session.tasks, pack, i), most)
        if most < pack.procs - 1 then less = less + 1 end
      end
    end
    assert.is_true(less > 50, "it hardly binds")
  end)

  -- t^R is t for any number then; computed through the rate of faults it was so but for a rounding.
  it("is 2 where more are not faster, and checkpoints and downtimes cost nothing", function()
    local rng = orrery.random(115)
    for _ = 1, rounds(300, 300, 25) do
      local session = orrery.session {
        tasks = orrery.tasks.list { { times = { rng:uniform(1, 1e5) } } }, procs = 40,
        faults = { mtbf = rng:uniform(1, 1e9) },
      }
      assert.equal(2, session:task(1).most)
      assert.equal(38, session.free)
      assert.equal(session:ends()[1], session.expected)
    end
  end)

  it("is never exceeded, with whatever policy", function()
    local rng = orrery.random(114)
    for _ = 1, rounds(60, 60, 20) do
      local pack = harsh(rng, packs.random(rng, { n = 4 }))
      local session = packs.session(pack, packs.policies[rng:integer(1, #packs.policies)])
      repeat
        for i = 1, #pack.tasks do
          local task = session:task(i)
          assert.is_true(task.procs <= task.most)
        end
      until not session:step()
    end
  end)
end)
