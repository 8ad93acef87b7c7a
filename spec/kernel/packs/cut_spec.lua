-- The cheapest cut of a sequence is what trying all cuts finds.
local naive = require "spec.support.naive_packs"
local orrery = require "orrery"
local packing = require "spec.support.packing"
local rounds = require "spec.support.rounds"

local function shuffled(rng, n)
  local list = {}
  for i = 1, n do table.insert(list, rng:integer(1, i), i) end
  return list
end

-- The least cost of the tasks from position x on, all ways of cutting tried.
local function cheapest(given, list, x)
  if x > #list then return 0 end
  local best, pack = math.huge, {}
  for last = x, math.min(#list, x + given.k - 1) do
    pack[#pack + 1] = list[last]
    local cost = select(2, naive.allocate(given, pack))
    best = math.min(best, cost + cheapest(given, list, last + 1))
  end
  return best
end

describe("orr_cut", function()
  it("finds the cheapest of all cuts, and nothing at its own cost", function()
    local rng = orrery.random(72)
    for _ = 1, rounds(200, 200, 20) do
      local given = packing.problem(rng, 7, 9, rng:integer(1, 2) == 1)
      local problem = orrery.pack_problem { tasks = given.tasks, procs = given.procs, k = given.k,
        least = given.least }
      local list = shuffled(rng, #given.times)
      local wanted, found = cheapest(given, list, 1), problem:cut(list)
      assert.is_true(math.abs(found.cost - wanted) <= 1e-12 * wanted, packing.describe(given))
      assert(found:check())
      local at = 0
      for _, pack in ipairs(found:packs()) do -- neighbours, in order
        local mine = {}
        for x = 1, #pack do mine[x] = list[at + x] end
        assert.equal(packing.text { mine }, packing.text { pack })
        at = at + #pack
      end
      assert.is_nil(problem:cut(list, wanted * (1 - 1e-9)))
      assert.equal(found.cost, problem:cut(list, wanted * (1 + 1e-9)).cost)
    end
  end)

  it("by hand: two long tasks, and two short ones behind them", function()
    local tasks = orrery.tasks.list { { times = { 10 } }, { times = { 9 } }, { times = { 2 } },
      { times = { 1 } } }
    local problem = orrery.pack_problem { tasks = tasks, procs = 2 }
    assert.same({ { 1, 2 }, { 3, 4 } }, problem:cut({ 1, 2, 3, 4 }):packs())
    assert.same({ { 3 }, { 1, 2 }, { 4 } }, problem:cut({ 3, 2, 1, 4 }):packs())
  end)

  it("wants every task once", function()
    local tasks = orrery.tasks.list { { times = { 1 } }, { times = { 2 } } }
    local problem = orrery.pack_problem { tasks = tasks, procs = 2 }
    assert.has_error(function() problem:cut { 1 } end, "2 tasks, but a sequence of 1 to cut")
    assert.has_error(function() problem:cut { 1, 1 } end, "task 1 is twice in a pack")
    assert.error_matches(function() problem:cut({ 1, 2 }, "less") end, "number expected")
  end)
end)
