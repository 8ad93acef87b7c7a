-- nodes: the nodes and partitions of a machine as users give them, checked.
--
--   nodes.of(what, kinds, partitions)   an object: count, procs, resources (their names, sorted),
--                                       core (for core functions); tostring prints it as tables;
--                                       nil where there are no kinds. what: for errors
--   nodes.allow(given, sets)            leaves out of sets of jobs those that can never start on
--                                       them, and returns a note, or nil
--   nodes.refused(self, jobs)           why a job can never start on them
local checks = require "orrery.support.checks"
local clock = require "orrery.support.clock"
local columns = require "orrery.support.columns"
local core = require "orrery.core"
local lists = require "orrery.support.lists"
local names = require "orrery.support.names"
local counted = require("orrery.support.numbers").counted
local pools = require "orrery.values.pools"

local nodes = {}

local expect, refuse = checks.expect, checks.refuse

local MOST, TOP = checks.MOST, core.most -- of processors; of nodes, resources and partitions
local OTHER = { count = true, procs = true } -- fields of a kind that are no resources
local TAKEN = { nodes = true, exclusive = true }
local SIZED = { mem = true } -- what is bytes, where it is not known how the machine gives it

local Nodes = { __name = "orrery.nodes" }
Nodes.__index = Nodes

local function add_kind(self, what, given)
  expect(type(given) == "table", what, "a table as { count = 60, procs = 64, mem = \"256G\" }",
    checks.quoted(given))
  for _, name in ipairs { "count", "procs" } do
    for other in pairs(given[name] == nil and given or {}) do -- a resource has any name
      refuse(not OTHER[other] and names.nearest(tostring(other), { name }),
        "%s: unknown field '%s', did you mean '%s'?", what, other, name)
    end
    checks.count(what .. "." .. name, given[name], 1, nil, MOST)
  end
  local kind = { count = given.count, procs = given.procs, amounts = {} }
  for name, amount in pairs(given) do
    if not OTHER[name] then
      refuse(TAKEN[name], "%s: no resource has the name '%s'", what, name)
      pools.check_name(what, name)
      kind.amounts[name] = pools.amount(what .. "." .. name, amount)
      self.sized[name] = self.sized[name] or tostring(amount):find "%a$" ~= nil
    end
  end
  self.kinds[#self.kinds + 1] = kind
  self.count, self.procs = self.count + kind.count, self.procs + kind.count * kind.procs
  refuse(self.count > TOP.nodes, "%s: expected at most %d nodes in all, found %d", what, TOP.nodes,
    self.count)
  refuse(self.procs > MOST, "%s: the nodes have more than 2147483646 processors", what)
end

-- The nodes of a text as "1-60,65", counted from 1, as a list of { low, high }, counted from 0.
local function runs_of(what, given, count)
  local runs, last = {}, 0
  local expected = ("ascending numbers of nodes from 1 to %d, as \"1-60,65\""):format(count)
  for one in (tostring(given) .. ","):gmatch "([^,]*)," do
    local low, high = one:match "^%s*(%d+)%s*%-?%s*(%d*)%s*$"
    low, high = math.tointeger(low), math.tointeger(high) or high == "" and math.tointeger(low)
    expect(low and high and low > last and high >= low and high <= count
      and (one:find "-" ~= nil) == (one:match "%-%s*%d" ~= nil), what, expected,
      checks.quoted(given))
    runs[#runs + 1], last = { low - 1, high - 1 }, high
  end
  return runs
end

local function add_partition(self, what, name, given)
  checks.fields(what, given, "runs.MachinePartition")
  refuse(#name > 47, "%s: a name of more than 47 letters", what)
  refuse(name == "" or name:find "%c", "%s: a partition without a name, or with one that no "
    .. "terminal shows", what)
  for _, field in ipairs { "exclusive", "default" } do
    expect(given[field] == nil or type(given[field]) == "boolean", what .. "." .. field,
      "true or false", checks.quoted(given[field]))
  end
  local most = given.max_time
  local time = type(most) == "string" and clock.span(most) or most
  expect(most == nil or type(time) == "number" and time > 0, what .. ".max_time",
    "seconds, or a text as '2d'", checks.quoted(most))
  local priority = checks.count(what .. ".priority", given.priority, nil, 0, MOST)
  if given.max_waiting ~= nil then checks.count(what .. ".max_waiting", given.max_waiting, 1) end
  local all = given.nodes == nil or given.nodes == "all"
  self.partitions[#self.partitions + 1] = { name = name, max_time = time, priority = priority,
    exclusive = given.exclusive, default = given.default,
    runs = all and { { 0, self.count - 1 } } or runs_of(what .. ".nodes", given.nodes, self.count) }
  refuse(given.default and self.default, "%s: %s and %s are both the default", what, self.default,
    name)
  self.default = self.default or given.default and name
end

local function make(self)
  local kinds = {}
  for i, kind in ipairs(self.kinds) do
    local has = {}
    for r, name in ipairs(self.resources) do has[r] = kind.amounts[name] or 0 end
    kinds[i] = { count = kind.count, procs = kind.procs, has = has }
  end
  return core.nodes { kinds = kinds, resources = self.resources, partitions = self.partitions }
end

function nodes.of(what, kinds, partitions)
  refuse(kinds == nil and partitions ~= nil, "%s: partitions are of nodes: give nodes", what)
  if kinds == nil then return nil end
  expect(type(kinds) == "table" and checks.is_list(kinds) and #kinds > 0, what .. ": nodes",
    "a list of kinds as { { count = 60, procs = 64 } }",
    type(kinds) == "table" and (kinds[1] == nil and next(kinds) == nil and "an empty list"
      or "a table with names") or checks.quoted(kinds))
  local self = setmetatable({ kinds = {}, partitions = {}, resources = {}, sized = {}, count = 0,
    procs = 0 }, Nodes)
  for i, kind in ipairs(kinds) do add_kind(self, ("%s: nodes[%d]"):format(what, i), kind) end
  self.resources = names.sorted(self.sized)
  refuse(#self.resources > TOP.resources, "%s: nodes: expected at most %d resources, found %d",
    what, TOP.resources, #self.resources)
  expect(partitions == nil or type(partitions) == "table", what .. ": partitions",
    "a table as { batch = { nodes = \"1-60\" } }", checks.quoted(partitions))
  for name in pairs(partitions or {}) do
    expect(type(name) == "string", what .. ": partitions", "names", checks.quoted(name))
  end
  for _, name in ipairs(names.sorted(partitions or {})) do
    add_partition(self, ("%s: partitions.%s"):format(what, name), name, partitions[name])
  end
  refuse(#self.partitions > TOP.partitions, "%s: expected at most %d partitions, found %d", what,
    TOP.partitions, #self.partitions)
  self.core = make(self)
  return self
end

-- --- as tables ----------------------------------------------------------------------------------

local function runs_text(runs)
  local list = {}
  for i, run in ipairs(runs) do
    list[i] = run[1] == run[2] and tostring(run[1] + 1) or ("%d-%d"):format(run[1] + 1, run[2] + 1)
  end
  return table.concat(list, ",")
end

-- An amount as text, of what is among `sized` in bytes.
local function shown(sized, name, amount)
  return sized[name] and pools.text(amount) or tostring(amount)
end

-- How many nodes two partitions share.
local function shared(a, b)
  local count = 0
  for _, one in ipairs(a.runs) do
    for _, other in ipairs(b.runs) do
      count = count + math.max(0, math.min(one[2], other[2]) - math.max(one[1], other[1]) + 1)
    end
  end
  return count
end

local function sharing(self, one)
  local list = {}
  for _, other in ipairs(self.partitions) do
    local count = other ~= one and shared(one, other) or 0
    if count > 0 then list[#list + 1] = ("%s (%d)"):format(other.name, count) end
  end
  local more = #list > 5 and (" and %d more"):format(#list - 4) or nil
  return list[1] and table.concat(list, ", ", 1, more and 4) .. (more or "") or "-"
end

function Nodes:__tostring()
  local rows, total, first = { { "nodes", "count", "procs" } }, {}, 1
  table.move(self.resources, 1, #self.resources, 4, rows[1])
  for _, kind in ipairs(self.kinds) do
    local row = { runs_text { { first - 1, first + kind.count - 2 } }, tostring(kind.count),
      tostring(kind.procs) }
    for _, name in ipairs(self.resources) do
      local amount = kind.amounts[name] or 0
      row[#row + 1] = shown(self.sized, name, amount)
      total[name] = (total[name] or 0) + kind.count * amount
    end
    rows[#rows + 1], first = row, first + kind.count
  end
  local all = { "total", tostring(self.count), tostring(self.procs) }
  for _, name in ipairs(self.resources) do all[#all + 1] = shown(self.sized, name, total[name]) end
  rows[#rows + 1] = all
  local lines = columns(rows)
  if #self.partitions == 0 then return table.concat(lines, "\n") end
  rows = { { "partition", "nodes", "max time", "priority", "exclusive", "shares nodes with" } }
  for _, one in ipairs(self.partitions) do
    rows[#rows + 1] = { one.name .. (one.default and " (default)" or ""), runs_text(one.runs),
      one.max_time and one.max_time < math.huge and clock.span_text(one.max_time) or "-",
      tostring(one.priority), one.exclusive and "yes" or "no", sharing(self, one) }
  end
  lines[#lines + 1] = ""
  return table.concat(table.move(columns(rows), 1, #rows, #lines + 1, lines), "\n")
end

-- --- jobs that can never start ------------------------------------------------------------------

local REASONS = {
  { "partition", "a partition that the machine does not have" },
  { "time", "more time than the partition permits" },
  { "shares", "more nodes than processors" },
  { "nodes", "more than the empty nodes of the partition have" },
}

-- What a job asks for, as text: processors and those of `resources` that it needs;
-- sized: those that are bytes.
local function asked(job, resources, sized)
  local needs = job.needs or {}
  local list = { counted(job.procs, "processor") }
  if (needs.nodes or 0) > 0 then list[2] = "on " .. counted(needs.nodes, "node") end
  if (needs.exclusive or 0) > 0 then list[#list + 1] = "exclusive" end
  for _, name in ipairs(resources) do
    if not TAKEN[name] and (needs[name] or 0) > 0 then
      list[#list + 1] = ("%s %s"):format(shown(sized, name, needs[name]), name)
    end
  end
  return table.concat(list, ", ")
end

-- Why a job, alone in a list of jobs, can never start on nodes, with what it asks for and what
-- there is; nil: it can.
function nodes.refused(self, jobs)
  local _, at, why = core.fitting(jobs, self.core)
  if not at then return nil end
  local job = jobs[1]
  local partition = lists.find(self.partitions, function(one)
    return one.name == (job.partition or self.default)
  end)
  if why == "partition" then
    return ("it asks for %s, and the machine has %s"):format(job.partition and "partition "
      .. job.partition or "no partition", job.partition and "the partitions "
      .. table.concat(lists.fields(self.partitions, "name"), ", ") or "no default one")
  elseif why == "time" then
    return ("it asks for %s, and partition %s permits %s"):format(clock.span_text(job.walltime),
      partition.name, clock.span_text(partition.max_time))
  end
  local has, first = {}, 0
  for _, kind in ipairs(self.kinds) do
    local count = partition and shared({ runs = { { first, first + kind.count - 1 } } }, partition)
      or kind.count
    if count > 0 then
      has[#has + 1] = counted(count, "node") .. " of " .. asked({ procs = kind.procs,
        needs = kind.amounts }, self.resources, self.sized)
    end
    first = first + kind.count
  end
  return ("it asks for %s, which the empty nodes of %s do not hold: %s"):format(
    asked(job, self.resources, self.sized),
    partition and "partition " .. partition.name or "the machine", table.concat(has, "; "))
end

function nodes.allow(given, sets)
  local all, left, counts, first = 0, 0, {}, nil
  for _, set in ipairs(sets) do
    local kept, at, why, these = core.fitting(set.jobs, given)
    for reason, count in pairs(these or {}) do counts[reason] = (counts[reason] or 0) + count end
    if at and not first then
      local job = set.jobs[at]
      first = { id = job.id, why = why, asked = job.partition or "no partition" }
      if why ~= "partition" then
        first.asked = ("%s: %s"):format(first.asked, asked(job, names.sorted(job.needs), SIZED))
      end
    end
    all, left = all + #set.jobs, left + #kept
    set.jobs = kept
  end
  if not first then return nil end
  local parts = {}
  for _, one in ipairs(REASONS) do
    if one[1] == first.why then first.asked = ("%s (%s)"):format(one[2], first.asked) end
    local count = counts[one[1]] or 0
    if count > 0 then parts[#parts + 1] = ("%s (%d)"):format(one[2], count) end
  end
  refuse(left == 0, "machine: no job can ever start on these nodes, the first is %s, which asks "
    .. "for %s", first.id, first.asked)
  for i = #sets, 1, -1 do -- parts of a log
    if #sets[i].jobs == 0 then table.remove(sets, i) end
  end
  return ("%d of %d jobs can never start and %s refused at submission, for asking for %s; the "
    .. "first is %s, which asks for %s"):format(all - left, all, all - left == 1 and "is" or "are",
    table.concat(parts, ", "), first.id, first.asked)
end

return nodes
