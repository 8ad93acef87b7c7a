-- Packs of moldable tasks, by the letter of the paper and of readings 15 to 23: no shortcuts, lists
-- that are sorted again at every step, all partitions for the optimum. What the kernel and the
-- policies are held against.
--
-- A problem is { times = { { t(1), t(2), ... t(p) }, ... }, procs = p, k =, least = { ... } or nil
-- }: every task with a time for every number of processors, as they should be (reading 20).
local naive = {}

local function least_of(problem, task) return problem.least and problem.least[task] or 1 end

-- --- one pack -----------------------------------------------------------------------------------

-- Algorithm 1: one processor after the other to the longest task. Processors in the order of the
-- list, and the cost; nil and inf where the least numbers do not fit.
function naive.allocate(problem, list)
  local procs, available = {}, problem.procs
  for x, task in ipairs(list) do
    procs[x] = least_of(problem, task)
    available = available - procs[x]
  end
  if available < 0 then return nil, math.huge end
  local function time(x) return problem.times[list[x]][procs[x]] end
  local function longest()
    local best
    for x, task in ipairs(list) do
      if not best or time(x) > time(best) or time(x) == time(best) and task < list[best] then
        best = x
      end
    end
    return best
  end
  for _ = 1, #list > 0 and available or 0 do
    local x = longest()
    procs[x] = procs[x] + 1
  end
  return procs, #list > 0 and time(longest()) or 0
end

-- The same cost by the paper's dynamic program, c(i, q).
function naive.dynamic(problem, list)
  local before = {}
  for q = 0, problem.procs do before[q] = 0 end
  for _, task in ipairs(list) do
    local now = {}
    for q = 0, problem.procs do
      now[q] = math.huge
      for mine = least_of(problem, task), q do
        now[q] = math.min(now[q], math.max(before[q - mine], problem.times[task][mine]))
      end
    end
    before = now
  end
  return before[problem.procs]
end

function naive.cost(problem, packs)
  local cost = 0
  for _, pack in ipairs(packs) do cost = cost + select(2, naive.allocate(problem, pack)) end
  return cost
end

-- --- Algorithm 2 --------------------------------------------------------------------------------

-- Tasks by time under the allocation, the longest first, ties by position.
local function by_time(problem, sigma, tasks)
  local list = table.move(tasks, 1, #tasks, 1, {})
  table.sort(list, function(a, b)
    local first, second = problem.times[a][sigma[a]], problem.times[b][sigma[b]]
    if first ~= second then return first > second end
    return a < b
  end)
  return list
end

local function all(problem)
  local list = {}
  for task in ipairs(problem.times) do list[task] = task end
  return list
end

-- First fit, with the cost under these processors.
function naive.make_packs(problem, sigma)
  local packs, free, cost = {}, {}, 0
  for _, task in ipairs(by_time(problem, sigma, all(problem))) do
    local at = 1
    while packs[at] and (free[at] < sigma[task] or #packs[at] >= problem.k) do at = at + 1 end
    if not packs[at] then
      packs[at], free[at] = {}, problem.procs
      cost = cost + problem.times[task][sigma[task]]
    end
    table.insert(packs[at], task)
    free[at] = free[at] - sigma[task]
  end
  return packs, cost
end

-- --- heuristics ---------------------------------------------------------------------------------

local function start(problem)
  local sigma = {}
  for task in ipairs(problem.times) do sigma[task] = least_of(problem, task) end
  return sigma
end

-- Algorithm 3 with reading 17. Packs, and the processors where balance is "none".
function naive.approx(problem, balance)
  local sigma, p, best, found, given = start(problem), problem.procs, math.huge, nil, nil
  while true do
    local work = 0
    for task, procs in ipairs(sigma) do work = work + problem.times[task][procs] * procs end
    local longest = by_time(problem, sigma, all(problem))[1]
    local packs, cost = naive.make_packs(problem, sigma)
    if balance == "each" then cost = naive.cost(problem, packs) end
    if cost < best then best, found, given = cost, packs, table.move(sigma, 1, #sigma, 1, {}) end
    if work / p > problem.times[longest][sigma[longest]] or sigma[longest] == p then break end
    sigma[longest] = sigma[longest] + 1
  end
  return found, balance == "none" and given or nil
end

-- The first of the candidates and those others that have the most work beside it, of all subsets
-- that fit; works are added up from the last, and of equal subsets the earliest counts.
local function fullest_of(problem, sigma, candidates)
  local most, found = -1, nil
  local function choose(at, pack, free)
    if at <= #candidates then
      local task = candidates[at]
      if sigma[task] <= free and #pack < problem.k then
        pack[#pack + 1] = task
        choose(at + 1, pack, free - sigma[task])
        pack[#pack] = nil
      end
      if at > 1 then choose(at + 1, pack, free) end
      return
    end
    local work = 0
    for x = #pack, 1, -1 do
      local procs = sigma[pack[x]]
      work = work + problem.times[pack[x]][procs] * procs
    end
    if work > most then most, found = work, table.move(pack, 1, #pack, 1, {}) end
  end
  choose(1, {}, problem.procs)
  return found
end

-- PACK-BY-PACK with reading 18: the packs, whose allocation is Algorithm 1's.
--   fullest  whether the candidates are chosen that leave the least time idle
function naive.pack_by_pack(problem, epsilon, fullest)
  local sigma, left, packs = start(problem), all(problem), {}
  local function remove(pack)
    local gone = {}
    for _, task in ipairs(pack) do gone[task] = true end
    for at = #left, 1, -1 do
      if gone[left[at]] then table.remove(left, at) end
    end
    packs[#packs + 1] = pack
  end
  local function first_of(candidates)
    if fullest then return fullest_of(problem, sigma, candidates) end
    local pack, used = {}, 0
    for _, task in ipairs(candidates) do
      if used + sigma[task] > problem.procs or #pack == problem.k then break end
      pack[#pack + 1], used = task, used + sigma[task]
    end
    return pack
  end
  while #left > 0 do
    local list, candidates, request = by_time(problem, sigma, left), {}, 0
    local longest = problem.times[list[1]][sigma[list[1]]]
    for _, task in ipairs(list) do
      if problem.times[task][sigma[task]] >= (1 - epsilon) * longest then
        candidates[#candidates + 1], request = task, request + sigma[task]
      end
    end
    if sigma[list[1]] == problem.procs then
      remove { list[1] }
    elseif request >= problem.procs then
      remove(first_of(candidates))
    else
      sigma[list[1]] = sigma[list[1]] + 1
    end
  end
  return packs
end

-- --- the optimum --------------------------------------------------------------------------------

-- The cheapest of all partitions into packs of at most k tasks: its cost and packs.
function naive.optimum(problem)
  local n, best, found = #problem.times, math.huge, nil
  local packs = {}
  local function place(task)
    if task > n then
      local cost = naive.cost(problem, packs)
      if cost < best then
        best, found = cost, {}
        for b, pack in ipairs(packs) do found[b] = table.move(pack, 1, #pack, 1, {}) end
      end
      return
    end
    for b = 1, #packs + 1 do
      local pack = packs[b]
      if not pack then
        pack = {}
        packs[b] = pack
      end
      if #pack < problem.k then
        pack[#pack + 1] = task
        place(task + 1)
        pack[#pack] = nil
      end
      if #pack == 0 then packs[b] = nil end
    end
  end
  place(1)
  return best, found
end

-- --- measures -----------------------------------------------------------------------------------

-- One task after the other on all processors, the shortest first: cost and mean response.
local function one_by_one(problem)
  local times, clock, response = {}, 0, 0
  for task, row in ipairs(problem.times) do times[task] = row[problem.procs] end
  table.sort(times)
  for _, time in ipairs(times) do
    clock = clock + time
    response = response + clock
  end
  return clock, response / #times
end

-- What the paper measures. packs: lists of tasks; sigma: processors of each task, nil: Algorithm 1.
function naive.measure(problem, packs, sigma)
  local list, work = {}, 0
  for b, pack in ipairs(packs) do
    local procs = sigma and {} or naive.allocate(problem, pack)
    local one = { tasks = pack, procs = procs, cost = 0, first = math.huge }
    for x, task in ipairs(pack) do
      if sigma then procs[x] = sigma[task] end
      local time = problem.times[task][procs[x]]
      one.cost, one.first = math.max(one.cost, time), math.min(one.first, task)
      work = work + time * procs[x]
    end
    list[b] = one
  end
  table.sort(list, function(a, b)
    if a.cost ~= b.cost then return a.cost < b.cost end
    return a.first < b.first
  end)
  local clock, response = 0, 0
  for _, one in ipairs(list) do
    for x, task in ipairs(one.tasks) do
      response = response + clock + problem.times[task][one.procs[x]]
    end
    clock = clock + one.cost
  end
  local base_cost, base_response = one_by_one(problem)
  return {
    packs = #packs, cost = clock, relative_cost = clock / base_cost,
    packing_ratio = work / (problem.procs * clock),
    relative_response = response / #problem.times / base_response,
  }
end

-- The two bounds of the paper's proof.
function naive.bounds(problem)
  local longest, work = 0, 0
  for task, row in ipairs(problem.times) do
    longest = math.max(longest, row[problem.procs])
    work = work + least_of(problem, task) * row[least_of(problem, task)]
  end
  return longest, work / problem.procs
end

return naive
