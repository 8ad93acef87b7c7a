-- The instances that the proofs of hardness build from 3-PARTITION, for the paper on packs
-- (theorem 2), RR-8795 (theorem 2) and the chapter (theorem 1.7 and the examples of 1.4.5).
local orrery = require "orrery"

-- --- 3-PARTITION --------------------------------------------------------------------------------

-- Whether the numbers can be divided into triplets of equal sums; if so, the triplet of each.
local function three_partition(numbers)
  local sum, triplets = 0, #numbers // 3
  for _, a in ipairs(numbers) do sum = sum + a end
  if sum % triplets ~= 0 then return nil end
  local left, count, of = {}, {}, {}
  for k = 1, triplets do left[k], count[k] = sum // triplets, 0 end
  local function place(i)
    if i > #numbers then return true end
    for k = 1, triplets do
      if count[k] < 3 and numbers[i] <= left[k] then
        left[k], count[k], of[i] = left[k] - numbers[i], count[k] + 1, k
        if place(i + 1) then return true end
        left[k], count[k] = left[k] + numbers[i], count[k] - 1
      end
    end
    return false
  end
  return place(1) and of or nil
end

-- 3n random numbers between B / 4 and B / 2 whose sum is n B.
local function random_numbers(rng, triplets, b)
  while true do
    local numbers, sum = {}, 0
    for i = 1, 3 * triplets do
      numbers[i] = rng:integer(b // 4 + 1, (b - 1) // 2)
      sum = sum + numbers[i]
    end
    if sum == triplets * b then return numbers end
  end
end

-- --- packs --------------------------------------------------------------------------------------

-- The least cost of the instance that theorem 2 of the paper on packs makes of the numbers.
local function cost_of_packs(numbers, b, k)
  local triplets, list, procs = #numbers // 3, {}, b + (k - 3) * (b + 1)
  for i, a in ipairs(numbers) do
    list[i] = { most = procs, time = function(j) return j < a and 1 + 1 / a or 1 end }
  end
  for _ = 1, triplets * (k - 3) do
    list[#list + 1] = { most = procs, time = function(j) return math.max((b + 1) / j, 1) end }
  end
  return orrery.pack_problem { tasks = orrery.tasks.list(list), procs = procs, k = k }
    :optimal().cost
end

describe("theorem 2 of the paper on packs", function()
  it("by hand: 5 5 5 5 6 6 has triplets of 16, 5 5 5 5 5 7 has none", function()
    assert.is_truthy(three_partition { 5, 5, 5, 5, 6, 6 })
    assert.is_nil(three_partition { 5, 5, 5, 5, 5, 7 })
    for _, k in ipairs { 3, 4, 5 } do
      assert.near(2, cost_of_packs({ 5, 5, 5, 5, 6, 6 }, 16, k), 1e-12)
      assert.is_true(cost_of_packs({ 5, 5, 5, 5, 5, 7 }, 16, k) > 2 + 1e-3)
    end
  end)

  it("costs n exactly where the numbers can be divided into triplets", function()
    local rng, found = orrery.random(71), { [true] = 0, [false] = 0 }
    for _ = 1, 60 do
      local triplets, b, k = rng:integer(2, 3), rng:integer(16, 40), rng:integer(3, 4)
      local numbers = random_numbers(rng, triplets, b)
      local can, cost = three_partition(numbers) ~= nil, cost_of_packs(numbers, b, k)
      assert.equal(can, cost <= triplets + 1e-9, table.concat(numbers, " "))
      found[can] = found[can] + 1
    end
    assert.is_true(found[true] > 10 and found[false] > 10)
  end)
end)

-- --- redistribution -----------------------------------------------------------------------------

-- A task that takes time(x) on x pairs; of an odd number of processors the work is between that of
-- its neighbours, so that both inequalities of speedup profiles hold.
local function on_pairs(most, time)
  local function work(x) return x == 0 and 0 or 2 * x * time(x) end
  return { most = 2 * most, time = function(j)
    return j % 2 == 0 and time(j // 2) or (work(j // 2) + work(j // 2 + 1)) / (2 * j)
  end }
end

-- The instance that theorem 2 of RR-8795 makes of 3m numbers: as many small tasks, then m large
-- ones. A processor of the report is a pair here, since checkpoints need buddies. Its tasks,
-- processors and deadline.
local function instance_of(numbers)
  local m, sum, longest, list = #numbers // 3, 0, 0, {}
  for i, a in ipairs(numbers) do
    sum, longest = sum + a, math.max(longest, a)
    list[i] = on_pairs(6, function(x) return x == 1 and a or 3 * a / 4 end)
  end
  local deadline = longest + 1
  local work = 4 * deadline - sum // m
  for _ = 1, m do
    list[#list + 1] = on_pairs(5, function(x) return x <= 4 and work / x or 2 / 9 * work end)
  end
  return orrery.tasks.list(list), 2 * #list, deadline
end

-- Moves that cost nothing.
local FREE = { bandwidth = 1e300 }

-- The makespan where large task k has extra(ended)[k] pairs of small tasks of which so many ended.
local function makespan(numbers, extra, costs)
  local tasks, procs = instance_of(numbers)
  local m = #numbers // 3
  local session = orrery.session { tasks = tasks, procs = procs, costs = costs or FREE, policy = {
    name = "hands on", on_end = function(sim, task)
      local large = {}
      for _, one in ipairs(sim:running()) do large[one.position - 3 * m] = one end
      sim.state.ended = (sim.state.ended or 0) + 1
      local pairs_of = extra(sim.state.ended, task.position, sim.state)
      for k = 1, m do
        if large[k] and not large[k].locked then sim:assign(large[k], 2 + 2 * pairs_of[k]) end
      end
    end } }
  session:finish()
  assert(session:check())
  return session.now
end

-- Every small task leaves its pair to the large task of its triplet.
local function by_triplets(of)
  return function(_, task, state)
    if not state.count then
      state.count = {}
      for _, k in ipairs(of) do state.count[k] = 0 end
    end
    if of[task] then state.count[of[task]] = state.count[of[task]] + 1 end
    return state.count
  end
end

local function heuristic(numbers, policy)
  local tasks, procs = instance_of(numbers)
  local session = orrery.session { tasks = tasks, procs = procs, costs = FREE, policy = policy }
  session:finish()
  return session.now
end

describe("theorem 2 of RR-8795", function()
  local deadline = 7 -- of the numbers with triplets below

  it("is met at the deadline by the triplets, and by nothing earlier", function()
    local numbers = { 5, 6, 5, 5, 6, 5 }
    local of = three_partition(numbers)
    assert.near(deadline, makespan(numbers, by_triplets(of)), 1e-12)
    for _, policy in ipairs { "none", "end-local", "end-greedy" } do
      assert.is_true(heuristic(numbers, policy) >= deadline - 1e-12, policy)
    end
  end)

  it("is missed by all ways to hand the pairs on where there are no triplets", function()
    local numbers, best = { 5, 5, 5, 5, 5, 7 }, math.huge
    for code = 0, 63 do
      local of, first = {}, 0
      for i = 1, 6 do
        of[i] = 1 + (code >> (i - 1) & 1)
        first = first + of[i] % 2
      end
      if first == 3 then best = math.min(best, makespan(numbers, by_triplets(of))) end
    end
    assert.is_true(best > 8 + 0.1)
  end)

  -- B = 31 and 8 10 11 11 11 11: the triplets with 8 sum up to 29 or 30. But the pair that is free
  -- at 8 may help the first large task for 2 s, and at 10, when there are two, both may help the
  -- second for 1 s: 12 + 2 + 0 + 3 = 12 + 0 + 2 + 3 = 17 = 4 * 12 - 31 of work at the deadline.
  local NONE = { 8, 10, 11, 11, 11, 11 }

  -- ended -> the pairs of both large tasks
  local SHARES = { { 1, 0 }, { 0, 2 }, { 1, 2 }, { 2, 2 }, { 3, 2 }, { 3, 3 } }

  it("has the times of the report on pairs, by hand: 17 s of work in a large task", function()
    local tasks, procs, most = instance_of(NONE)
    assert.same({ 16, 12, 0 }, { procs, most, tasks.repaired })
    for x, time in ipairs { 8, 6, 6 } do assert.near(time, tasks:time(1, 2 * x), 1e-12) end
    for x, time in ipairs { 17, 17 / 2, 17 / 3, 17 / 4, 34 / 9 } do
      assert.near(time, tasks:time(7, 2 * x), 1e-12)
    end
  end)

  it("has a counterexample as it is proven: the deadline is met without triplets", function()
    assert.is_nil(three_partition(NONE))
    local function shares(ended) return SHARES[ended] or { 3, 3 } end
    assert.near(12, makespan(NONE, shares), 1e-9)
  end)

  it("is not met so with a constant cost of moves, as in theorem 1.7 of the chapter", function()
    local function shares(ended) return SHARES[ended] or { 3, 3 } end
    assert.is_true(makespan(NONE, shares, { bandwidth = 1e300, startup = 0.01 }) > 12 + 1e-3)
  end)
end)

-- The makespan of two tasks on three pairs where the first has `first` of them until one ends and
-- the other takes all. t[i][j]: the time of task i on j pairs.
local function two_tasks(t, first)
  local a, b = t[1][first], t[2][3 - first]
  local left = a < b and 1 - a / b or 1 - b / a
  return math.min(a, b) + left * (a < b and t[2] or t[1])[3]
end

describe("the examples of section 1.4.5 of the chapter", function()
  local function simulated(t, policy)
    local list = {}
    for i, times in ipairs(t) do
      list[i] = on_pairs(3, function(x) return times[x] end)
    end
    local session = orrery.session { tasks = orrery.tasks.list(list), procs = 6, costs = FREE,
      policy = policy }
    session:finish()
    return session.now
  end

  it("Algorithm 1 is not optimal before redistributions", function()
    -- the third pair hardly helps the longest task, which gets it
    local t = { { 10, 9.9, 6.6 }, { 9, 4.5, 4.5 } }
    assert.near(9.9, simulated(t, "none"), 1e-12)
    assert.near(9.6, two_tasks(t, 2), 1e-12)
    assert.near(9.6, simulated(t, "end-local"), 1e-12)
    assert.near(4.5 + 0.55 * 6.6, two_tasks(t, 1), 1e-12) -- 8.13 s
  end)

  it("nor is the best speedup: the task with the worse one needs the pair", function()
    local t = { { 2, 1, 1 }, { 10, 5.2, 4 } }
    assert.near(4.6, two_tasks(t, 2), 1e-12)
    assert.near(2 + (1 - 2 / 5.2) * 4, two_tasks(t, 1), 1e-12) -- 4.46 s
    assert.near(two_tasks(t, 1), simulated(t, "end-local"), 1e-12)
  end)
end)
