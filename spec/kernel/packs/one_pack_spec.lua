-- One pack: Algorithm 1 in its two ways, the plain loop and the dynamic program.
local moldable = require "spec.support.moldable"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

-- Some of the tasks, not always in order, whose least numbers fit into p.
local function random_pack(rng, one)
  local pack, all, sum = {}, {}, 0
  for i = 1, one.n do all[i] = i end
  for _, i in ipairs(moldable.shuffle(rng, all)) do
    if #pack < one.most and sum + one.least[i] <= one.p then
      pack[#pack + 1], sum = i, sum + one.least[i]
    end
  end
  return pack
end

local function assert_as_printed(one, pack, what)
  local problem = moldable.problem(one)
  local procs, cost = moldable.one_pack(one, pack)
  local expected = {}
  for x, i in ipairs(pack) do expected[x] = procs[i] end
  local fast, cost_of_fast = problem:one_pack(pack)
  local printed, cost_of_printed = problem:one_pack(pack, "printed")
  assert.same(expected, printed, what)
  assert.same(expected, fast, what)
  assert.equal(cost, cost_of_printed, what)
  assert.equal(cost, cost_of_fast, what)
  assert.equal(cost, problem:cost(pack), what)
end

describe("one pack", function()
  it("by hand: 7 processors for three tasks", function()
    -- 12, 12, 4 on one each; the first: 6; the second: 8; the second again: 6; the first: 4
    local tasks = orrery.tasks.list { { times = { 12, 6, 4, 3 } }, { times = { 12, 8, 6 } },
      { times = { 4, 2 } } }
    local problem = orrery.pack_problem { tasks = tasks, procs = 7 }
    local procs, cost = problem:one_pack { 1, 2, 3 }
    assert.same({ 3, 3, 1 }, procs)
    assert.equal(6, cost)
    assert.same({ 3, 1, 3 }, (problem:one_pack({ 2, 3, 1 }, "printed")))
  end)

  it("gives out all processors, also those that are no use, ties by position", function()
    local tasks = orrery.tasks.list { { times = { 5 } }, { times = { 5 } }, { times = { 9, 8 } } }
    local problem = orrery.pack_problem { tasks = tasks, procs = 9 }
    assert.same({ 1, 1, 7 }, (problem:one_pack { 1, 2, 3 }))
    assert.same({ 8, 1 }, (problem:one_pack { 1, 2 }))
    assert.same({ 1, 8 }, (problem:one_pack { 2, 1 }))
    assert.same({ 9 }, (problem:one_pack { 2 }))
  end)

  it("respects least numbers of processors", function()
    local tasks = orrery.tasks.list { { times = { 90, 50, 40 } }, { times = { 10, 9 } } }
    local problem = orrery.pack_problem { tasks = tasks, procs = 4, least = { 1, 3 } }
    local procs, cost = problem:one_pack { 1, 2 }
    assert.same({ 1, 3 }, procs)
    assert.equal(90, cost)
  end)

  it("is the plain loop and the dynamic program, on thousands of random packs", function()
    local rng = orrery.random(61)
    for trial = 1, rounds(3000, 3000, 250) do
      local one = moldable.random(rng, 8, 24)
      local pack = random_pack(rng, one)
      assert_as_printed(one, pack, trial)
      assert.equal(moldable.one_pack_cost(one, pack), moldable.problem(one):cost(pack), trial)
    end
  end)

  it("is the plain loop where there are many processors for few tasks", function()
    local rng = orrery.random(62)
    for trial = 1, rounds(150, 150, 20) do
      local one = moldable.random(rng, 5, 400)
      assert_as_printed(one, random_pack(rng, one), trial)
    end
  end)

  it("is the printed loop without a table of times, on 30,000 processors", function()
    local tasks = orrery.tasks.synthetic { n = 80, m = { 100, 1e6 }, seed = 2 }
    local problem = orrery.pack_problem { tasks = tasks, procs = 30000 }
    local pack = {}
    for i = 1, 80 do pack[i] = i end
    local fast, cost = problem:one_pack(pack)
    local printed, same_cost = problem:one_pack(pack, "printed")
    assert.same(printed, fast)
    assert.equal(same_cost, cost)
    assert.equal(cost, problem:cost(pack))
  end)

  it("costs infinitely much where the least numbers do not fit", function()
    local tasks = orrery.tasks.list { { times = { 5 } }, { times = { 5 } } }
    local problem = orrery.pack_problem { tasks = tasks, procs = 3, least = { 2, 2 } }
    assert.equal(math.huge, problem:cost { 1, 2 })
    assert.has_error(function() problem:one_pack { 1, 2 } end,
      "the tasks of a pack need at least 4 processors, there are 3")
  end)
end)

describe("a problem of packs", function()
  local tasks = orrery.tasks.list { { id = "a", times = { 8, 4, 4 } }, { id = "b", times = { 3 } } }

  it("says what it is", function()
    local problem = orrery.pack_problem { tasks = tasks, procs = 4, k = 9, least = { 1, 2 } }
    assert.equal("2 tasks on 4 processors, at most 2 in a pack", tostring(problem))
    assert.equal(2, #problem)
    assert.equal(4, problem.procs)
    assert.equal(2, problem.k)
    assert.equal(tasks, problem.tasks)
    assert.equal(2, problem:least(2))
    assert.equal(4, problem:time(1, 4))
    assert.equal(2, problem:procs_for(1, 4))
    assert.equal(2, problem:procs_for(2, 3))
    assert.is_nil(problem:procs_for(1, 3.9))
  end)

  it("refuses what makes no sense", function()
    local function fails(message, spec)
      assert.has_error(function() orrery.pack_problem(spec) end, message)
    end
    fails("procs must be a whole number from 1 to 2147483647, not 0", { tasks = tasks, procs = 0 })
    fails("k must be a whole number from 1 to 2147483647, not 0",
      { tasks = tasks, procs = 3, k = 0 })
    fails("task b: its least number of processors must be from 1 to the 3 that there are, not 4",
      { tasks = tasks, procs = 3, least = { 1, 4 } })
    fails("2 tasks, but least numbers of processors for 1",
      { tasks = tasks, procs = 3, least = { 1 } })
    fails("there are no tasks to put into packs", { tasks = orrery.tasks.list {}, procs = 3 })
    fails("pack_problem: tasks is missing", { procs = 3 })
  end)

  it("refuses positions and fields that are not there", function()
    local problem = orrery.pack_problem { tasks = tasks, procs = 4 }
    assert.has_error(function() problem:one_pack { 1, 3 } end,
      "the position of a task must be a whole number from 1 to 2, not 3")
    assert.has_error(function() problem:one_pack { 1, 1 } end, "task a is twice in a pack")
    assert.has_error(function() problem:one_pack {} end, "a pack has from 1 to 2 tasks, not 0")
    assert.has_error(function() return problem.proc end)
  end)
end)
