-- Packs of moldable tasks: random problems, and the paper's algorithms in the plainest way, on a
-- table t[i][j] of times. A problem has tasks, n, p, least, t, most (tasks in a pack) and k, which
-- may be nil.
local orrery = require "orrery"

local moldable = {}

local function pick(rng, list) return list[rng:integer(1, #list)] end

-- --- problems ------------------------------------------------------------------------------------

local shapes = {
  ties = function(rng) return function() return rng:integer(1, 5) end end,
  steep = function(rng)
    local work = rng:uniform(10, 1000)
    return function(j) return work / j * rng:uniform(0.8, 1.4) end
  end,
  flat = function(rng)
    local time = rng:integer(1, 3) * 100
    return function() return time end
  end,
  any = function(rng) return function() return rng:uniform(1, 10) end end,
  perfect = function(rng)
    local work = rng:integer(1, 4) * 60
    return function(j) return work / j end
  end,
}
local kinds = { "ties", "steep", "flat", "any", "perfect" }

local function random_tasks(rng, n, p)
  local list, kind = {}, rng:integer(1, 2) == 1 and pick(rng, kinds)
  for i = 1, n do
    local times, shape = {}, shapes[kind or pick(rng, kinds)](rng)
    for j = 1, rng:integer(1, p) do times[j] = shape(j) end
    list[i] = { times = times }
    if rng:integer(1, 6) == 1 then
      list[i] = { m = rng:uniform(2, 50), profile = pick(rng, { "synthetic", "amdahl", "power" }) }
    end
  end
  return orrery.tasks.list(list)
end

function moldable.table_of(tasks, p)
  local t = {}
  for i = 1, #tasks do
    t[i] = {}
    for j = 1, p do t[i][j] = tasks:time(i, j) end
  end
  return t
end

-- At most n tasks and p processors, now and then with a limit k and with least numbers.
function moldable.random(rng, most_tasks, most_procs)
  local n, p = rng:integer(1, most_tasks), rng:integer(1, most_procs)
  local one = { n = n, p = p, tasks = random_tasks(rng, n, p), least = {} }
  if rng:integer(1, 3) > 1 then one.k = rng:integer(1, n + 1) end
  local high = rng:integer(1, 3) == 1 and rng:integer(1, p) or 1
  for i = 1, n do one.least[i] = rng:integer(1, high) end
  one.t = moldable.table_of(one.tasks, p)
  one.most = math.min(one.k or p, p, n)
  return one
end

function moldable.problem(one)
  return orrery.pack_problem { tasks = one.tasks, procs = one.p, k = one.k, least = one.least }
end

function moldable.shuffle(rng, list)
  for i = #list, 2, -1 do
    local j = rng:integer(1, i)
    list[i], list[j] = list[j], list[i]
  end
  return list
end

-- --- one pack ------------------------------------------------------------------------------------

-- Algorithm 1 as printed: processors by task, cost; nil where the least numbers do not fit.
function moldable.one_pack(one, pack)
  local t, procs, left = one.t, {}, one.p
  for _, i in ipairs(pack) do
    procs[i] = one.least[i]
    left = left - one.least[i]
  end
  if left < 0 then return nil, math.huge end
  local function longest()
    local head
    for _, i in ipairs(pack) do
      local time, best = t[i][procs[i]], head and t[head][procs[head]]
      if not head or time > best or (time == best and i < head) then head = i end
    end
    return head
  end
  for _ = 1, left do
    local head = longest()
    procs[head] = procs[head] + 1
  end
  local head = longest()
  return procs, t[head][procs[head]]
end

-- The dynamic program at the end of section 4.2.
function moldable.one_pack_cost(one, pack)
  local cost = {}
  for q = 0, one.p do cost[q] = 0 end
  for _, i in ipairs(pack) do
    local with = {}
    for q = 0, one.p do
      with[q] = math.huge
      for own = one.least[i], q do
        with[q] = math.min(with[q], math.max(cost[q - own], one.t[i][own]))
      end
    end
    cost = with
  end
  return cost[one.p]
end

-- --- many packs ----------------------------------------------------------------------------------

local function sorted(one, procs)
  local list = {}
  for i = 1, one.n do list[i] = i end
  table.sort(list, function(a, b)
    local x, y = one.t[a][procs[a]], one.t[b][procs[b]]
    return x > y or (x == y and a < b)
  end)
  return list
end

-- Algorithm 2: the pack of every task, their number, the cost.
function moldable.make_pack(one, procs)
  local packs, pack_of, cost = {}, {}, 0
  for _, i in ipairs(sorted(one, procs)) do
    local into
    for b, pack in ipairs(packs) do
      if not into and pack.free >= procs[i] and pack.tasks < one.most then into = b end
    end
    if not into then
      into = #packs + 1
      packs[into] = { free = one.p, tasks = 0 }
      cost = cost + one.t[i][procs[i]]
    end
    packs[into].free, packs[into].tasks = packs[into].free - procs[i], packs[into].tasks + 1
    pack_of[i] = into
  end
  return pack_of, #packs, cost
end

-- Lists of tasks from the pack of every task.
function moldable.lists(pack_of, packs)
  local lists = {}
  for b = 1, packs do lists[b] = {} end
  for i, b in ipairs(pack_of) do table.insert(lists[b], i) end
  return lists
end

-- Algorithm 1 in every pack: the cost.
function moldable.balanced_cost(one, lists)
  local cost = 0
  for _, list in ipairs(lists) do cost = cost + select(2, moldable.one_pack(one, list)) end
  return cost
end

-- Algorithm 3 with reading 17; balance is "none", "end" or "each". Its cost.
function moldable.pack_approx(one, balance)
  local procs, best, kept = {}, math.huge, nil
  for i = 1, one.n do procs[i] = one.least[i] end
  while true do
    local work = 0
    for i = 1, one.n do work = work + one.t[i][procs[i]] * procs[i] end
    local head = sorted(one, procs)[1]
    local pack_of, packs, cost = moldable.make_pack(one, procs)
    local lists = moldable.lists(pack_of, packs)
    if balance == "each" then cost = moldable.balanced_cost(one, lists) end
    if cost < best then best, kept = cost, lists end
    if work / one.p > one.t[head][procs[head]] or procs[head] == one.p then break end
    procs[head] = procs[head] + 1
  end
  return balance == "end" and moldable.balanced_cost(one, kept) or best
end

-- PACK-BY-PACK with reading 18: lists of tasks, in the order in which they were packed.
function moldable.pack_by_pack(one, epsilon)
  local procs, waiting, lists = {}, {}, {}
  for i = 1, one.n do procs[i], waiting[i] = one.least[i], true end
  while next(waiting) do
    local list = {}
    for _, i in ipairs(sorted(one, procs)) do
      if waiting[i] then list[#list + 1] = i end
    end
    local head, wanted, requested = list[1], {}, 0
    for _, i in ipairs(list) do
      if one.t[i][procs[i]] >= (1 - epsilon) * one.t[head][procs[head]] then
        wanted[#wanted + 1], requested = i, requested + procs[i]
      end
    end
    if procs[head] == one.p then wanted, requested = { head }, one.p end
    if requested >= one.p then
      local pack, free = {}, one.p
      for _, i in ipairs(wanted) do
        if procs[i] > free or #pack == one.most then break end
        pack[#pack + 1], free, waiting[i] = i, free - procs[i], nil
      end
      lists[#lists + 1] = pack
    else
      procs[head] = procs[head] + 1
    end
  end
  return lists
end

-- Section 6.2, with reading 22.
function moldable.metrics(one, lists, procs)
  local packs, cost, work, alone = {}, 0, 0, {}
  for b, list in ipairs(lists) do
    packs[b] = { list = list, cost = 0, first = math.huge }
    for _, i in ipairs(list) do
      packs[b].cost = math.max(packs[b].cost, one.t[i][procs[i]])
      packs[b].first = math.min(packs[b].first, i)
      work = work + one.t[i][procs[i]] * procs[i]
    end
    cost = cost + packs[b].cost
  end
  table.sort(packs, function(a, b)
    return a.cost < b.cost or (a.cost == b.cost and a.first < b.first)
  end)
  local start, response = 0, 0
  for _, pack in ipairs(packs) do
    for _, i in ipairs(pack.list) do response = response + start + one.t[i][procs[i]] end
    start = start + pack.cost
  end
  for i = 1, one.n do alone[i] = one.t[i][one.p] end
  table.sort(alone)
  local finish, response_alone = 0, 0
  for _, time in ipairs(alone) do
    finish = finish + time
    response_alone = response_alone + finish
  end
  return { packs = #lists, cost = cost, relative_cost = cost / finish,
    packing_ratio = work / (one.p * cost), response = response / one.n,
    relative_response = response / response_alone }
end

-- --- the optimum, by looking at all partitions ---------------------------------------------------

-- The smallest cost with at most `most` tasks in a pack.
function moldable.brute_force(one, most)
  local known, best, packs = {}, math.huge, {}
  local function cost_of(pack)
    local key = table.concat(pack, ",")
    known[key] = known[key] or select(2, moldable.one_pack(one, pack))
    return known[key]
  end
  local function put(i)
    if i > one.n then
      local cost = 0
      for _, pack in ipairs(packs) do cost = cost + cost_of(pack) end
      best = math.min(best, cost)
      return
    end
    for b = 1, #packs do
      local pack = packs[b]
      if #pack < most then
        pack[#pack + 1] = i
        if cost_of(pack) < best then put(i + 1) end
        pack[#pack] = nil
      end
    end
    packs[#packs + 1] = { i }
    put(i + 1)
    packs[#packs] = nil
  end
  put(1)
  return best
end

return moldable
