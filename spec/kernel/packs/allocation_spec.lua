-- Allocations under construction: the loops of PACK-APPROX and PACK-BY-PACK over them are what the
-- plain ones compute.
local moldable = require "spec.support.moldable"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local function pack_by_pack(problem, epsilon)
  local a, packs = problem:allocation(), {}
  while a:head() do
    local _, _, longest = a:grow(epsilon)
    packs[#packs + 1] = a:take((1 - epsilon) * longest)
  end
  return packs
end

-- The same without grow.
local function pack_by_pack_step_by_step(problem, epsilon)
  local a, packs = problem:allocation(), {}
  while a:head() do
    local _, procs, longest = a:head()
    if procs == problem.procs or a:requested((1 - epsilon) * longest) >= problem.procs then
      packs[#packs + 1] = a:take((1 - epsilon) * longest)
    else
      a:raise()
    end
  end
  return packs
end

local function pack_approx(problem, balance)
  local a, best, mark = problem:allocation(), math.huge, nil
  while true do
    local cost
    if balance == "each" then
      cost = a:make_pack():balance().cost
    else
      cost = a:pack_cost(best)
    end
    if cost and cost < best then best, mark = cost, a:mark() end
    if a:is_saturated() then break end
    a:raise()
  end
  a:rewind(mark)
  local c = a:make_pack()
  return balance == "none" and c or c:balance(), best
end

describe("an allocation", function()
  it("by hand: the longest first, again and again", function()
    local tasks = orrery.tasks.list { { times = { 8, 5, 4 } }, { times = { 9, 5 } },
      { times = { 2 } } }
    local a = orrery.pack_problem { tasks = tasks, procs = 4 }:allocation()
    assert.same({ 2, 1, 9 }, { a:head() })
    assert.equal(19, a:work())
    assert.equal(2, a:requested(8))
    assert.equal(3, a:requested(2))
    assert.equal(1, a:requested(8.5))
    assert.is_false(a:is_saturated()) -- 19 / 4 < 9
    a:raise()
    assert.same({ 1, 1, 8 }, { a:head() })
    assert.equal(20, a:work())
    assert.equal(1, a:requested(8))
    a:raise()
    assert.same({ 1, 2, 5 }, { a:head() }) -- the second takes 5, too
    assert.equal(4, a:requested(5))
    assert.equal(22, a:work())
    assert.is_true(a:is_saturated()) -- 22 / 4 > 5
    assert.equal(2, a:mark())
    assert.equal(7, a:pack_cost()) -- 1 and 2 in one pack, 3 in another
    assert.is_nil(a:pack_cost(7))
    assert.equal(7, a:pack_cost(7.1))
    a:rewind(1)
    assert.same({ 1, 1, 8 }, { a:head() })
    assert.same({ 1, 2, 1 }, { a:procs(1), a:procs(2), a:procs(3) })
    assert.same({ 8, 5, 2 }, { a:time(1), a:time(2), a:time(3) })
    assert.equal(8, a:pack_cost())
    assert.same({ 1, 2 }, a:take(5))
    assert.equal(1, #a)
    assert.same({ 3, 1, 2 }, { a:head() })
    assert.same({ 3 }, a:take(100)) -- the head always goes
    assert.is_nil(a:head())
  end)

  it("PACK-BY-PACK by hand", function()
    -- 8 s and 5 s ask for 1 + 1, so the first gets a second: 4 s; 5 s and 4 s ask for 1 + 2, so the
    -- other gets one: 3 s; at least 2 s take all three, which ask for 2 + 2 + 1; two of them fit
    local tasks = orrery.tasks.list {
      { times = { 8, 4 } }, { times = { 5, 3 } }, { times = { 2 } },
    }
    local problem = orrery.pack_problem { tasks = tasks, procs = 4 }
    assert.same({ { 1, 2 }, { 3 } }, pack_by_pack(problem, 0.5))
  end)

  it("the fullest pack by hand", function()
    -- on their least processors: 1 works 8 on 1, 2 14 on 2, 3 12 on 2, 4 6 on 1, 5 5 on 1
    local tasks = orrery.tasks.list { { times = { 8 } }, { times = { 9, 7 } }, { times = { 9, 6 } },
      { times = { 6 } }, { times = { 5 } } }
    local function pack(k, time)
      local a = orrery.pack_problem { tasks = tasks, procs = 4, k = k,
        least = { 1, 2, 2, 1, 1 } }:allocation()
      return a:take_fullest(time), a
    end
    -- three processors are left beside 1: 14 + 6 with 2 and 4; with one place left 14 with 2
    assert.same({ 1, 2, 4 }, (pack(4, 0)))
    assert.same({ 1, 2 }, (pack(2, 0)))
    assert.same({ 1, 2 }, (pack(4, 6.5)))
    assert.same({ 1 }, (pack(4, 100)))
    local _, a = pack(4, 0)
    assert.same({ 3, 2, 6 }, { a:head() })
    assert.equal(3, a:requested(5))
    assert.same({ 3, 5 }, a:take_fullest(0))
    assert.same({}, a:take_fullest(0))
    assert.is_nil(a:head())
    -- equal work: the longer ones, in front
    local three = orrery.tasks.list { { times = { 9 } }, { times = { 4 } }, { times = { 4 } } }
    assert.same({ 1, 2 },
      orrery.pack_problem { tasks = three, procs = 2 }:allocation():take_fullest(0))
  end)

  it("PACK-BY-PACK is the plain one, on random problems", function()
    local rng = orrery.random(66)
    for trial = 1, rounds(1500, 1500, 125) do
      local one = moldable.random(rng, 12, 16)
      local problem, epsilon = moldable.problem(one), rng:integer(0, 10) / 10
      local plain = moldable.pack_by_pack(one, epsilon)
      assert.same(plain, pack_by_pack(problem, epsilon), trial)
      assert.same(plain, pack_by_pack_step_by_step(problem, epsilon), trial)
    end
  end)

  it("PACK-APPROX by hand", function()
    -- on one each both fit into one pack of 8 s, and the work is 14 <= 2 * 8; with the second
    -- processor for the first task they need 6 s and 4 s, and the work is 14 > 2 * 6
    local tasks = orrery.tasks.list { { times = { 8, 4 } }, { times = { 6 } } }
    local c, best = pack_approx(orrery.pack_problem { tasks = tasks, procs = 2 }, "none")
    assert.equal(8, best)
    assert.same({ { 1, 2 } }, c:packs())
    assert.equal(8, moldable.pack_approx({ n = 2, p = 2, most = 2, least = { 1, 1 },
      t = moldable.table_of(tasks, 2) }, "none"))
  end)

  it("PACK-APPROX is the plain one in every balance, on random problems", function()
    local rng = orrery.random(67)
    for trial = 1, rounds(700, 700, 59) do
      local one = moldable.random(rng, 10, 12)
      local problem = moldable.problem(one)
      for _, balance in ipairs { "none", "end", "each" } do
        local c, best = pack_approx(problem, balance)
        assert(c:check())
        assert.equal(moldable.pack_approx(one, balance), c.cost, balance .. trial)
        if balance ~= "end" then assert.equal(best, c.cost) end
      end
    end
  end)

  it("what is asked of it does not depend on the way there", function()
    local rng = orrery.random(68)
    for trial = 1, rounds(300, 300, 25) do
      local one = moldable.random(rng, 9, 9)
      local a, states = moldable.problem(one):allocation(), {}
      repeat
        local state = { procs = {}, head = { a:head() }, work = a:work(), cost = a:pack_cost() }
        for i = 1, one.n do state.procs[i] = a:procs(i) end
        states[#states + 1] = state
        local saturated = select(2, a:head()) == one.p
        if not saturated then a:raise() end
      until saturated
      for back = #states, 1, -rng:integer(1, 3) do
        local was = states[back]
        a:rewind(back - 1)
        local procs, time = {}, rng:uniform(0, 2) * was.head[3]
        local requested = 0
        for i = 1, one.n do
          procs[i] = a:procs(i)
          if a:time(i) >= time then requested = requested + procs[i] end
        end
        assert.same(was.procs, procs, trial)
        assert.same(was.head, { a:head() })
        assert.equal(was.work, a:work())
        assert.equal(was.cost, a:pack_cost())
        assert.equal(requested, a:requested(time))
      end
    end
  end)

  it("refuses what it can't do", function()
    local tasks = orrery.tasks.list { { id = "a", times = { 8 } }, { times = { 9 } } }
    local a = orrery.pack_problem { tasks = tasks, procs = 2, least = { 2, 2 } }:allocation()
    local function fails(message, f) assert.has_error(f, message) end
    fails("task 2 has all 2 processors", function() a:raise() end)
    fails("epsilon must be a number from 0 to 1, not 1.5", function() a:grow(1.5) end)
    fails("0 processors have been given, not 3", function() a:rewind(3) end)
    local many = {}
    for i = 1, 3000 do many[i] = { times = { i } } end
    local large = orrery.pack_problem { tasks = orrery.tasks.list(many), procs = 1000 }
    fails("the fullest pack of 3000 tasks, at most 1000 on 1000 processors, takes too much memory",
      function() large:allocation():take_fullest(0) end)
    a:take(0)
    for _, name in ipairs { "work", "is_saturated", "pack_cost", "make_pack" } do
      fails("1 of 2 tasks have been taken out of the list", function() a[name](a) end)
    end
    a:take(0)
    fails("there is no task left to give a processor to", function() a:raise() end)
    assert.has_error(function() return a.grown end)
  end)
end)
