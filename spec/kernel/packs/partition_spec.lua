-- Partitions that change: gains are what a move or swap then does.
local moldable = require "spec.support.moldable"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local function near(expected, value, what)
  if value ~= expected and math.abs(value - expected) > 1e-9 * (1 + math.abs(expected)) then
    error(("%s: %.17g, expected %.17g"):format(what, value, expected), 2)
  end
end

-- The plain cost of a partition, by the packs that it says.
local function plain_cost(one, q)
  local pack_of, packs = {}, 0
  for i = 1, one.n do
    pack_of[i] = q:pack_of(i)
    packs = math.max(packs, pack_of[i])
  end
  assert.equal(packs, #q)
  return moldable.balanced_cost(one, moldable.lists(pack_of, packs))
end

-- The largest of gain(1), gain(2), ..., gain(most).
local function best_of(most, gain)
  local best = -math.huge
  for x = 1, most do best = math.max(best, gain(x)) end
  return best
end

describe("a partition", function()
  it("by hand", function()
    local tasks = orrery.tasks.list {
      { times = { 8, 4 } }, { times = { 7, 4 } }, { times = { 6 } },
    }
    local problem = orrery.pack_problem { tasks = tasks, procs = 2, k = 2 }
    local q = problem:partition(problem:coschedule { { 1, 2 }, { 3 } })
    assert.equal(8 + 6, q:cost())
    assert.equal(8, q:pack_cost(1))
    assert.equal(2, q:pack_of(3))
    assert.equal(14 - (4 + 4 + 6), q:move_gain(1, 3)) -- a pack of its own
    assert.equal(14 - (4 + 8), q:move_gain(1, 2))
    assert.equal(14 - (4 + 7), q:move_gain(2, 2))
    assert.equal(-math.huge, q:move_gain(3, 1)) -- has two
    assert.equal(-math.huge, q:move_gain(3, 3)) -- is alone already
    assert.equal(-math.huge, q:move_gain(1, 1))
    assert.equal(14 - (7 + 4), q:swap_gain(1, 3))
    assert.same({ 2, 2 }, { q:best_move(1) })
    assert.same({ 3, 3 }, { q:best_swap(1) })
    q:move(1, 2)
    assert.equal(12, q:cost())
    assert.same({ { 2 }, { 1, 3 } }, q:coschedule():packs())
    assert.has_error(function() q:move(2, 2) end, "task 2 can't move from pack 1 to pack 2")
    assert.has_error(function() q:swap(1, 3) end, "tasks 1 and 3 can't change places")
    assert.has_error(function() q:move(1, 4) end,
      "the number of a pack must be a whole number from 1 to 3, not 4")
    q:move(1, 3)
    assert.equal(4 + 4 + 6, q:cost())
    q:move(2, 2) -- its pack is empty then, and the last one takes its number
    assert.equal(2, #q)
    assert.same({ 1, 2, 2 }, { q:pack_of(1), q:pack_of(2), q:pack_of(3) })
  end)

  it("knows what every step gains, on random walks", function()
    local rng = orrery.random(75)
    for _ = 1, rounds(150, 150, 20) do
      local one = moldable.random(rng, 9, 9)
      local problem, start = moldable.problem(one), {}
      for i = 1, one.n do start[i] = one.p end
      local q = problem:partition(problem:make_pack(start))
      for _ = 1, 12 do
        local i, j, b = rng:integer(1, one.n), rng:integer(1, one.n), rng:integer(1, #q + 1)
        local before = q:cost()
        near(plain_cost(one, q), before, "cost")
        local gain = best_of(#q + 1, function(x) return q:move_gain(i, x) end)
        local found, own = q:best_move(i)
        near(gain, own, "best move")
        if found then assert.equal(own, q:move_gain(i, found)) end
        gain = best_of(one.n, function(x) return q:swap_gain(i, x) end)
        found, own = q:best_swap(i)
        near(gain, own, "best swap")
        if found then assert.equal(own, q:swap_gain(i, found)) end
        if q:move_gain(i, b) > -math.huge then
          gain = q:move_gain(i, b)
          q:move(i, b)
          near(before - gain, q:cost(), "move")
        elseif q:swap_gain(i, j) > -math.huge then
          gain = q:swap_gain(i, j)
          q:swap(i, j)
          near(before - gain, q:cost(), "swap")
        else
          assert.has_error(function() q:move(i, b) end)
          assert.has_error(function() q:swap(i, j) end)
        end
      end
      local c = q:coschedule()
      assert(c:check())
      near(q:cost(), c.cost, "co-schedule")
    end
  end)
end)
