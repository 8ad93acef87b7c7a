-- The costs of a pack that grows are those of Algorithm 1, exactly.
local naive = require "spec.support.naive_packs"
local orrery = require "orrery"
local packing = require "spec.support.packing"
local rounds = require "spec.support.rounds"

local function problem_of(given)
  return orrery.pack_problem { tasks = given.tasks, procs = given.procs, k = given.k,
    least = given.least }
end

local function shuffled(rng, n)
  local list = {}
  for i = 1, n do table.insert(list, rng:integer(1, i), i) end
  return list
end

describe("orr_open_pack_costs", function()
  it("are those of Algorithm 1 for every beginning of a list", function()
    local rng = orrery.random(71)
    for _ = 1, rounds(300, 300, 25) do
      local given = packing.problem(rng, 10, 12, rng:integer(1, 2) == 1)
      local problem, list = problem_of(given), shuffled(rng, #given.times)
      local beginning = {}
      for x, cost in ipairs(problem:costs(list)) do
        beginning[x] = list[x]
        assert.equal(select(2, naive.allocate(given, beginning)), cost, packing.describe(given))
      end
    end
  end)

  it("by hand: the makespan rises to where somebody can do with fewer", function()
    -- On 4 processors. 1 alone takes 3. With 2 there are two for each, or three and one: 6. With 3,
    -- which takes 10 on any number, everybody has time.
    local tasks = orrery.tasks.list { { times = { 12, 6, 4, 3 } }, { times = { 6, 3, 2, 1.5 } },
      { times = { 10 } } }
    local problem = orrery.pack_problem { tasks = tasks, procs = 4 }
    assert.same({ 3, 6, 10 }, problem:costs { 1, 2, 3 })
    assert.same({ 10, 10, 10 }, problem:costs { 3, 2, 1 })
    assert.same({}, problem:costs {})
  end)

  it("are infinite from where the least numbers do not fit", function()
    local tasks = orrery.tasks.list { { times = { 4, 2 } }, { times = { 4, 2 } },
      { times = { 1 } } }
    local problem = orrery.pack_problem { tasks = tasks, procs = 3, least = { 2, 2, 1 } }
    assert.same({ 2, 2, math.huge }, problem:costs { 1, 3, 2 })
  end)

  it("want different tasks that exist", function()
    local tasks = orrery.tasks.list { { times = { 4 } } }
    local problem = orrery.pack_problem { tasks = tasks, procs = 3 }
    assert.has_error(function() problem:costs { 1, 1 } end, "task 1 is twice in a pack")
    assert.error_matches(function() problem:costs { 2 } end, "whole number from 1 to 1, not 2")
  end)
end)
