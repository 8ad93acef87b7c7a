-- Co-schedules: MAKE-PACK, Algorithm 1 in their packs, metrics, and what is refused.
local moldable = require "spec.support.moldable"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local function random_procs(rng, one)
  local procs = {}
  for i = 1, one.n do procs[i] = rng:integer(one.least[i], one.p) end
  return procs
end

-- The tasks of figure 1: four packs, of which two have three tasks, one has one, one has two.
local function example()
  local tasks = orrery.tasks.list { { times = { 10, 6 } }, { times = { 9, 5 } }, { times = { 8 } },
    { times = { 7, 6, 5, 4, 4 } }, { times = { 3 } } }
  return orrery.pack_problem { tasks = tasks, procs = 5, k = 3 }
end

describe("MAKE-PACK", function()
  it("by hand: the first pack with room", function()
    -- by time: 1 (10 s on 1), 3 (8 on 1), 2 (5 on 4), 4 (4 on 4), 5 (3 on 2)
    local c = example():make_pack { 1, 4, 1, 4, 2 }
    assert.same({ { 1, 3, 5 }, { 2 }, { 4 } }, c:packs())
    assert.equal(10 + 5 + 4, c.cost)
    assert.same({ 1, 4, 1, 4, 2 }, c:procs())
    assert.equal("5 tasks in 3 packs: 19 s", tostring(c))
  end)

  it("fills packs with k tasks, in the order of their creation", function()
    local c = example():make_pack { 1, 1, 1, 1, 1 }
    assert.same({ { 1, 2, 3 }, { 4, 5 } }, c:packs())
    assert.equal(17, c.cost)
  end)

  it("is the plain one, on thousands of random problems", function()
    local rng = orrery.random(63)
    for trial = 1, rounds(3000, 3000, 250) do
      local one = moldable.random(rng, 20, 24)
      local procs = random_procs(rng, one)
      local pack_of, packs, cost = moldable.make_pack(one, procs)
      local c = moldable.problem(one):make_pack(procs)
      assert.same(moldable.lists(pack_of, packs), c:packs(), trial)
      assert.same(procs, c:procs(), trial)
      assert.equal(cost, c.cost, trial)
      assert(c:check())
    end
  end)

  it("is the plain one for 700 tasks", function()
    local rng, list, procs = orrery.random(64), {}, {}
    for i = 1, 700 do
      list[i], procs[i] = { times = { rng:integer(1, 300) } }, rng:integer(1, 40)
    end
    local tasks = orrery.tasks.list(list)
    local one = { n = 700, p = 64, most = 9, tasks = tasks, t = moldable.table_of(tasks, 64) }
    local pack_of, packs = moldable.make_pack(one, procs)
    local problem = orrery.pack_problem { tasks = tasks, procs = 64, k = 9 }
    assert.same(moldable.lists(pack_of, packs), problem:make_pack(procs):packs())
  end)
end)

describe("a co-schedule", function()
  it("has Algorithm 1 in its packs where no processors are given", function()
    local c = example():coschedule { { 1, 2 }, { 3, 5 }, { 4 } }
    assert.same({ 3, 2, 4, 5, 1 }, c:procs())
    assert.equal(6 + 8 + 4, c.cost)
    assert.equal(2, c:pack_of(5))
    assert.equal(2, c:procs_of(2))
    assert.equal(5, c.count)
    assert.equal(3, #c)
    assert.same({ 3, 1, 2 }, c:order())
    assert.same({ 1, 2 }, c[1].tasks)
    assert.same({ 3, 2 }, c[1].procs)
    assert.equal(6, c[1].cost)
    assert.near(1 - (18 + 10) / 30, c[1].idle, 1e-15)
    assert.is_nil(c[4])
  end)

  it("is balanced as Algorithm 1 does it, and the one before stays", function()
    local c = example():make_pack { 1, 4, 1, 4, 2 }
    local balanced = c:balance()
    assert.same(c:packs(), balanced:packs())
    assert.same({ 2, 5, 2, 5, 1 }, balanced:procs())
    assert.equal(8 + 5 + 4, balanced.cost)
    assert.equal(19, c.cost)
  end)

  it("one by one is the sum of times on all processors", function()
    local c = example():one_by_one()
    assert.equal(6 + 5 + 8 + 4 + 3, c.cost)
    assert.equal(1, c:metrics().relative_cost)
    assert.equal(1, c:metrics().relative_response)
    assert.equal(5, #c)
  end)

  it("metrics by hand", function()
    -- packs of 4 s, 6 s and 8 s, in this order; ends: task 4: 4; 1: 4 + 6; 2: 4 + 5; 3: 10 + 8;
    -- 5: 10 + 3. One by one: 3, 7, 12, 18, 26
    local m = example():coschedule({ { 1, 2 }, { 3, 5 }, { 4 } }, { 2, 2, 1, 4, 1 }):metrics()
    assert.equal(18, m.cost)
    assert.equal(3, m.packs)
    assert.equal(18 / 26, m.relative_cost)
    assert.near((12 + 10 + 8 + 16 + 3) / (5 * 18), m.packing_ratio, 1e-15)
    assert.near((4 + 10 + 9 + 18 + 13) / 5, m.response, 1e-15)
    assert.near((4 + 10 + 9 + 18 + 13) / (3 + 7 + 12 + 18 + 26), m.relative_response, 1e-15)
  end)

  it("metrics are the plain ones", function()
    local rng = orrery.random(65)
    for trial = 1, rounds(1000, 1000, 84) do
      local one = moldable.random(rng, 10, 12)
      local c = moldable.problem(one):make_pack(random_procs(rng, one))
      if trial % 2 == 0 then c = c:balance() end
      local plain, m = moldable.metrics(one, c:packs(), c:procs()), c:metrics()
      for name, value in pairs(plain) do
        if math.abs(m[name] - value) > 1e-12 * value then
          error(("%d: %s is %.17g, not %.17g"):format(trial, name, m[name], value))
        end
      end
      assert(c:check())
    end
  end)

  it("refuses packs that are none", function()
    local problem = example()
    local function fails(message, packs, procs)
      assert.has_error(function() problem:coschedule(packs, procs) end, message)
    end
    fails("task 5 is in no pack", { { 1, 2 }, { 3, 4 } })
    fails("task 1 is in pack 1 and in pack 2", { { 1, 2 }, { 3, 4, 1 }, { 5 } })
    fails("task 2 is twice in pack 1", { { 1, 2, 2 }, { 3, 4 }, { 5 } })
    fails("pack 2 is empty", { { 1, 2, 3 }, {}, { 4, 5 } })
    fails("pack 1 has 4 tasks, at most 3 are allowed", { { 1, 2, 3, 4 }, { 5 } })
    fails("the tasks of pack 2 have 6 processors, there are 5", { { 1, 2 }, { 3, 4, 5 } },
      { 1, 2, 1, 2, 3 })
    fails("a number of processors must be a whole number from 1 to 5, not 6",
      { { 1, 2 }, { 3, 4, 5 } }, { 6, 2, 1, 2, 3 })
    fails("5 tasks, but numbers of processors for 2", { { 1, 2 }, { 3, 4, 5 } }, { 1, 2 })
    fails("pack 2 must be a list of positions, it is a number", { { 1, 2 }, 3 })
    fails("5 tasks go into 1 to 5 packs, not 0", {})
    fails("the position of a task must be a whole number from 1 to 5, not 6", { { 6 } })
  end)

  it("refuses fewer processors than a task needs", function()
    local tasks = orrery.tasks.list { { times = { 5 } }, { times = { 5 } } }
    local problem = orrery.pack_problem { tasks = tasks, procs = 3, least = { 2, 2 } }
    assert.has_error(function() problem:make_pack { 2, 1 } end,
      "task 2 runs on 2 to 3 processors, not on 1")
    assert.has_error(function() problem:coschedule { { 1, 2 } } end,
      "the tasks of pack 1 have 4 processors, there are 3")
  end)
end)
