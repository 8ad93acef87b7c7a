-- Packings that change: what a move would cost, and what it then does, against adding up anew.
local orrery = require "orrery"

local function near(expected, found, what)
  local infinite = math.max(expected, found) == math.huge
  if found ~= expected and (infinite or math.abs(found - expected) > 1e-12 * expected) then
    error(("%s: %.17g, expected %.17g"):format(what, found, expected), 3)
  end
end

-- The cost of packs from their definition, infinite where they cannot be.
local function plainly(problem, least, pack, procs)
  local longest, used, tasks, sum = {}, {}, {}, 0
  for i = 1, #problem do
    local b = pack[i]
    if procs[i] < least[i] then return math.huge end
    used[b], tasks[b] = (used[b] or 0) + procs[i], (tasks[b] or 0) + 1
    if used[b] > problem.procs or tasks[b] > problem.k then return math.huge end
    longest[b] = math.max(longest[b] or 0, problem:time(i, procs[i]))
  end
  for b = 1, #problem do sum = sum + (longest[b] or 0) end
  return sum
end

local function state_of(q, n)
  local pack, procs = {}, {}
  for i = 1, n do pack[i], procs[i] = q:pack_of(i), q:procs(i) end
  return pack, procs
end

describe("a packing", function()
  -- 1 on 1 of 3 processors: 9 s, 2 on 2: 4 s; 3 on 3: 3 s.
  it("by hand", function()
    local tasks = orrery.tasks.list {
      { times = { 9, 5, 4 } }, { times = { 8, 4, 3 } }, { times = { 6, 4, 3 } },
    }
    local problem = orrery.pack_problem { tasks = tasks, procs = 3, k = 2 }
    local q = problem:packing(problem:coschedule({ { 1, 2 }, { 3 } }, { 1, 2, 3 }))
    assert.equal(9 + 3, q:cost())
    assert.equal(9, q:pack_cost(1))
    assert.same({ 2, 0, 1, 3 }, { q:tasks(1), q:free(1), q:tasks(2), q:empty() })
    assert.equal(4 + 9 + 3, q:cost_with(1, 3, 1)) -- a pack of its own
    assert.equal(4 + 4 + 3, q:cost_with(1, 3, 3))
    assert.equal(math.huge, q:cost_with(1, 1, 2)) -- one is free, and it has that
    assert.equal(math.huge, q:cost_with(3, 1, 1)) -- has two
    assert.equal(9 + 3, q:cost_with(2, 1, 1))
    assert.equal(9 + 6, q:cost_with(3, 2, 1))
    assert.equal(9 + 3, q:cost())
    q:move(3, 2, 1)
    q:move(2, 2, 2)
    assert.equal(9 + 6, q:cost())
    q:move(1, 1, 3)
    assert.equal(4 + 6, q:cost())
    local c = q:coschedule()
    assert.same({ { 1 }, { 2, 3 } }, c:packs())
    assert.same({ 3, 2, 1 }, c:procs())
    q:move(1, 3, 3) -- leaves pack 1 empty, which the co-schedule has not
    assert.equal(1, q:empty())
    assert.same({ { 2, 3 }, { 1 } }, q:coschedule():packs())
    assert.has_error(function() q:move(3, 2, 2) end, "task 3 can't be on 2 processors in pack 2: "
      .. "it needs 1 at least, and 0 are free there besides those that it has, and 2 tasks in it, "
      .. "of 2 at most")
    assert.has_error(function() q:cost_with(1, 4, 1) end,
      "the number of a pack must be a whole number from 1 to 3, not 4")
    assert.has_error(function() q:cost_with(1, 1, 4) end,
      "a number of processors must be a whole number from 1 to 3, not 4")
  end)

  it("knows what every move costs, and does it, on random problems", function()
    local rng = orrery.random(811)
    local possible = 0
    for _ = 1, 60 do
      local n, procs = rng:integer(1, 14), rng:integer(1, 12)
      local list, least = {}, {}
      for i = 1, n do
        local first, times = rng:integer(1, 4) * rng:integer(1, 9), {}
        for j = 1, procs do times[j] = math.ceil(first / j) end -- ties
        list[i], least[i] = { times = times }, rng:integer(1, math.min(2, procs))
      end
      local problem = orrery.pack_problem { tasks = orrery.tasks.list(list), procs = procs,
        k = rng:integer(1, procs), least = least }
      local q = problem:packing(problem:one_by_one())
      for _ = 1, 60 do
        local i, b, j = rng:integer(1, n), rng:integer(1, n), rng:integer(1, procs)
        local pack, held = state_of(q, n)
        near(plainly(problem, least, pack, held), q:cost(), "cost")
        pack[i], held[i] = b, j
        local expected, before = plainly(problem, least, pack, held), q:cost()
        near(expected, q:cost_with(i, b, j), "cost_with")
        assert.equal(before, q:cost())
        local ok = pcall(q.move, q, i, b, j)
        assert.equal(expected < math.huge, ok)
        if ok then
          possible = possible + 1
          near(expected, q:cost(), "cost after the move")
        end
      end
      near(q:cost(), q:coschedule().cost, "the co-schedule")
      local empty = q:empty()
      assert.equal(empty ~= nil, #q:coschedule():packs() < n)
      if empty then assert.equal(0, q:tasks(empty)) end
    end
    assert.is_true(possible > 500, "nothing moves")
  end)

  it("comes back to the same bits", function()
    local rng = orrery.random(812)
    local problem = orrery.pack_problem {
      tasks = orrery.tasks.synthetic { n = 40, seed = 4 }, procs = 16, k = 5,
    }
    local q = problem:packing(problem:one_by_one())
    for _ = 1, 300 do
      local i, cost = rng:integer(1, 40), q:cost()
      local b, j = q:pack_of(i), q:procs(i)
      local to, procs = rng:integer(1, 40), rng:integer(1, 16)
      if pcall(q.move, q, i, to, procs) and rng:integer(1, 2) == 1 then
        q:move(i, b, j)
        assert.equal(cost, q:cost())
      end
    end
  end)
end)
