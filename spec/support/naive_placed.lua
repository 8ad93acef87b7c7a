-- Jobs on particular processors, naively (READINGS 46): the reference that the kernel's placements
-- are held against. Everything that is held is a list of { from =, till =, processors = set }; a
-- set has true for every processor in it. Times may be anything that `before` compares.
local naive_placed = {}

local function set_of(list)
  local set = {}
  for _, p in ipairs(list) do set[p] = true end
  return set
end

function naive_placed.hold(from, till, list)
  return { from = from, till = till, processors = set_of(list) }
end

-- The processors of a group that nothing holds between two times, ascending.
local function free_between(g, held, from, till, before)
  local list = {}
  for p = g.first, g.first + g.procs - 1 do
    local free = true
    for _, other in ipairs(held) do
      if other.processors[p] and before(other.from, till) and before(from, other.till) then
        free = false
      end
    end
    if free then list[#list + 1] = p end
  end
  return list
end

-- --- which of the free processors ---------------------------------------------------------------

local find = {}

function find.named(_, free, procs)
  return #free >= procs and table.move(free, 1, procs, 1, {}) or nil
end

-- g.seen: how often each has failed.
function find.reliable(g, free, procs)
  local order = table.move(free, 1, #free, 1, {})
  table.sort(order, function(a, b)
    if g.seen[a] ~= g.seen[b] then return g.seen[a] < g.seen[b] end
    return a < b
  end)
  local list = table.move(order, 1, procs, 1, {})
  table.sort(list)
  return #free >= procs and list or nil
end

function find.contiguous(_, free, procs)
  local set = set_of(free)
  for _, low in ipairs(free) do
    local list = {}
    while #list < procs and set[low + #list] do list[#list + 1] = low + #list end
    if #list == procs then return list end
  end
end

function find.nodes(g, free, procs)
  local set, list = set_of(free), {}
  for low = g.first, g.first + g.procs - 1, g.node_procs do
    local last = math.min(low + g.node_procs, g.first + g.procs) - 1
    local whole = true
    for p = low, last do whole = whole and set[p] end
    for p = low, whole and last or low - 1 do
      if #list < procs then list[#list + 1] = p end
    end
  end
  return #list == procs and list or nil
end

function find.chosen(g, free, procs, position)
  local runs = {}
  for _, p in ipairs(free) do
    if #runs > 0 and runs[#runs] == p - 1 then
      runs[#runs] = p
    else
      table.move({ p, p }, 1, 2, #runs + 1, runs)
    end
  end
  local chosen, list = g.choose(position, runs), {}
  for i = 1, #(chosen or {}), 2 do
    for p = chosen[i], chosen[i + 1] do list[#list + 1] = p end
  end
  return #free >= procs and #list == procs and list or nil
end

-- The processors that a job gets out of the free ones, ascending; nil: it cannot run there.
function naive_placed.find(g, free, procs, position)
  return find[g.place or "named"](g, free, procs, position)
end

-- --- when ---------------------------------------------------------------------------------------

-- The earliest time from `now` on, until when, and the processors; nil: never.
function naive_placed.earliest(g, held, now, procs, position, till_of, before)
  local times = { now }
  for _, other in ipairs(held) do
    if before(now, other.from) then times[#times + 1] = other.from end
    if before(now, other.till) then times[#times + 1] = other.till end
  end
  table.sort(times, before)
  for _, from in ipairs(times) do
    local till = till_of(from)
    local free = free_between(g, held, from, till, before)
    local list = naive_placed.find(g, free, procs, position)
    if list then return from, till, list end
  end
end

-- The processors from one time until another; nil: there are none.
function naive_placed.at(g, held, from, till, procs, position, before)
  return naive_placed.find(g, free_between(g, held, from, till, before), procs, position)
end

function naive_placed.is_free(g, held, wanted, before)
  local free = set_of(free_between(g, held, wanted.from, wanted.till, before))
  for p in pairs(wanted.processors) do
    if not free[p] then return false end
    local node = g.place == "nodes" and (p - g.first) // g.node_procs
    for other = g.first, g.first + g.procs - 1 do -- also what is idle on its nodes
      local same = node and (other - g.first) // g.node_procs == node
      if same and not free[other] then return false end
    end
  end
  return true
end

return naive_placed
