-- job_policy: checks the table of a policy for jobs (order, dispatch, hooks, groups) for the host.
--
-- load(policy, tools) adds the fields of the checked policy to `policy` and returns the list of its
-- inits; `tools` is what the sandbox shares. Where a policy names another one that the description
-- does not bring along (in `names`, as "dispatch:easy"), its name goes into the list `missing`, and
-- something else stands in for it.
local placement = require "orrery.host.placement"
local policy_checks = require "orrery.host.policy_checks"

local check_hook, contains, fail = policy_checks.hook, policy_checks.contains, policy_checks.fail

-- One policy that is loaded: the description and the functions of the sandbox.
local Loader = {}
Loader.__index = Loader

local PER = { "workload", "scenario", "attempt", "change", "decision" }
local DISCIPLINES = {
  list = { "discipline", "reservations", "reading" },
  fcfs = { "discipline" },
  shelf = { "discipline", "fill" },
  conservative = { "discipline" },
}
for _, keys in pairs(DISCIPLINES) do
  table.move(placement.keys, 1, #placement.keys, #keys + 1, keys)
end
DISCIPLINES.recorded = { "discipline" }
local GROUP_KEYS = { "name", "procs", "extra", "dispatch", "priority", "per", "backfill" }

local function check_per(part, per)
  if not contains(PER, per) then
    fail(part, "per must be one of %s, it is '%s'", table.concat(PER, ", "), tostring(per))
  end
  return per
end

-- A policy that another one names: its part and its table; nothing where it is still missing.
function Loader:named(kind, name)
  local part = self.description.names and self.description.names[kind .. ":" .. name]
  if not part then
    self.missing[#self.missing + 1] = { kind = kind, name = name }
    return
  end
  local value = self.load_part(part, kind)
  for _, key in ipairs { "init", "groups", table.unpack(self.events) } do
    if value[key] ~= nil then
      fail(part, "it has its own '%s' and cannot be a part of another policy", key)
    end
  end
  return part, value
end

-- --- orders -------------------------------------------------------------------------------------

-- A priority or an order of backfilling: a function, a table { priority =, per = }, or a name.
function Loader:check_order(part, what, given, per)
  local kind = type(given)
  if kind == "function" then return given, check_per(part, per or "workload") end
  if kind == "string" then
    local other, value = self:named("priority", given)
    if not other then return function() return 0 end, "workload" end
    if not value.priority then fail(other, "it has no priority") end
    return self:check_order(other, what, value.priority, value.per)
  end
  if kind == "table" then
    policy_checks.keys(part, given, { "priority", "per" }, "in " .. what)
    if given.priority ~= nil then return self:check_order(part, what, given.priority, given.per) end
    fail(part, "%s has no priority", what)
  end
  fail(part, "%s must be a function, a table or the name of a priority, it is a %s", what, kind)
end

-- The number as an integer; nil if it is not a whole number, or is below `least`.
local function whole(value, least)
  local number = type(value) == "number" and math.tointeger(value)
  return number and number >= least and number or nil
end

local function check_reservations(part, value)
  if value == "all" then return math.huge end
  return whole(value, 0)
    or fail(part, "reservations must be a whole number >= 0 or 'all', it is '%s'", tostring(value))
end

-- dispatch = { discipline = "list", reservations = m, reading = "blocked" | "head" }
--          | { discipline = "fcfs" } | { discipline = "shelf", fill = true | false }
--          | { discipline = "conservative" }; each with place, node_procs (placement.lua)
--          | { discipline = "recorded" }
local function check_discipline(part, given)
  local keys = DISCIPLINES[given.discipline] or fail(part,
    "dispatch.discipline must be list, fcfs, shelf, conservative or recorded, it is '%s'",
    tostring(given.discipline))
  policy_checks.keys(part, given, keys, "in dispatch")
  local reading = given.reading or "blocked"
  if reading ~= "blocked" and reading ~= "head" then
    fail(part, "reading must be blocked or head, it is '%s'", tostring(reading))
  end
  local fields = placement.check(part, given)
  fields.discipline, fields.reading = given.discipline, reading
  fields.fill = given.fill and true or false
  fields.reservations = check_reservations(part, given.reservations or 0)
  return fields
end

function Loader:add_orders(fields, part, given)
  if given.priority ~= nil then
    fields.priority, fields.per = self:check_order(part, "priority", given.priority, given.per)
  elseif given.per ~= nil then
    check_per(part, given.per)
  end
  if given.backfill ~= nil then
    fields.backfill, fields.backfill_per = self:check_order(part, "backfill", given.backfill)
  end
  return fields
end

-- The dispatch of another policy, with the orders that belong to it.
function Loader:dispatch_of(name)
  local part, value = self:named("dispatch", name)
  if not part then return { discipline = "list", reservations = 0, reading = "blocked" } end
  return self:add_orders(self:check_dispatch(part, value.dispatch), part, value)
end

function Loader:check_dispatch(part, given)
  if type(given) == "function" then return { discipline = "custom", dispatch = given } end
  if type(given) == "table" then return check_discipline(part, given) end
  if type(given) == "string" then return self:dispatch_of(given) end
  fail(part, "dispatch must be a function or a table, it is a %s", type(given))
end

local ORDER_FIELDS = { "priority", "per", "backfill", "backfill_per" }
local DISPATCH_FIELDS = { "discipline", "dispatch", "reservations", "reading", "fill", "place",
  "node_procs", "choose", "choose_nodes" }

local function copy_fields(to, from, fields)
  for _, key in ipairs(fields) do to[key] = from[key] end
end

-- Order, backfilling and dispatch that `given` says, a policy's table or one of its groups; what it
-- does not say is as in `otherwise`.
function Loader:check_fields(part, given, otherwise)
  local fields = {}
  copy_fields(fields, otherwise, ORDER_FIELDS)
  if given.dispatch == nil then
    copy_fields(fields, otherwise, DISPATCH_FIELDS)
  else
    for key, item in pairs(self:check_dispatch(part, given.dispatch)) do fields[key] = item end
    if otherwise.asked_for then copy_fields(fields, otherwise, { "priority", "per" }) end
  end
  self:add_orders(fields, part, given)
  if fields.backfill and fields.discipline and fields.discipline ~= "list" then
    fail(part, "backfill is for the discipline 'list'; this one is '%s'", fields.discipline)
  end
  return fields
end

-- --- groups -------------------------------------------------------------------------------------

local function check_group_names(part, list)
  local seen = {}
  for i, group in ipairs(list) do
    if type(group) ~= "table" then
      fail(part, "groups: group %d must be a table, it is a %s", i, type(group))
    end
    policy_checks.keys(part, group, GROUP_KEYS,
      "in group " .. (type(group.name) == "string" and group.name or i))
    if type(group.name) ~= "string" or group.name == "" then
      fail(part, "groups: group %d has no name", i)
    end
    if seen[group.name] then fail(part, "groups: two are called '%s'", group.name) end
    seen[group.name] = true
  end
end

-- The processors of every group, and the number of extra processors among them.
local function divide(part, list, machine)
  local procs, inside, extra, rest = {}, 0, 0, nil
  for i, group in ipairs(list) do
    if group.procs ~= nil then
      procs[i] = whole(group.procs, 1)
        or fail(part, "group %s: procs must be a whole number of at least 1, it is %s", group.name,
          tostring(group.procs))
      if group.extra then extra = extra + procs[i] else inside = inside + procs[i] end
    elseif group.extra then
      fail(part, "group %s is on top of the machine and must say its procs", group.name)
    elseif rest then
      fail(part, "groups: '%s' and '%s' both have no procs; only one can have the rest",
        list[rest].name, group.name)
    else
      rest = i
    end
  end
  local left = machine - inside
  if rest and left < 1 then
    fail(part, "group %s has the rest of the machine, but the others have %d of its %d processors",
      list[rest].name, inside, machine)
  elseif not rest and left ~= 0 then
    fail(part, "the groups have %d processors together, the machine has %d; a group without procs "
      .. "has the rest", inside, machine)
  end
  if rest then procs[rest] = left end
  return procs, extra
end

-- The checked groups, and their extra processors.
function Loader:check_groups(part, value, fields)
  local list = value.groups
  if type(list) == "function" then
    list = self.call(part, "groups", list, self.description.procs, self.description.nodes)
  end
  if type(list) ~= "table" or #list == 0 then
    fail(part, "groups must be a list of at least one group, or a function that returns one")
  end
  check_group_names(part, list)
  local procs, extra = divide(part, list, self.description.procs)
  local groups = {}
  for i, group in ipairs(list) do
    if group.dispatch == nil and value.dispatch == nil then
      fail(part, "group %s has no dispatch, nor has the policy", group.name)
    end
    groups[i] = self:check_fields(part, group, fields)
    groups[i].name, groups[i].procs = group.name, procs[i]
  end
  groups[1].procs = groups[1].procs + (self.description.more or 0)
  return groups, extra
end

-- --- the policy ---------------------------------------------------------------------------------

-- The priority that the run asks for, which goes before the policy's own.
function Loader:load_priority(policy, inits)
  local part = self.description.priority
  local value, options = self.load_part(part, "priority")
  if not value.priority then fail(part, "it has no priority") end
  for _, key in ipairs { "dispatch", "groups", "backfill", table.unpack(self.events) } do
    if value[key] ~= nil then
      fail(part, "it has %s %s; give it as the policy", key:match "^[o]" and "an" or "a", key)
    end
  end
  check_hook(part, value, "priority")
  policy.description.priority = self.describe(part, value, options)
  inits[#inits + 1] = check_hook(part, value, "init")
  return { priority = value.priority, per = check_per(part, value.per or "workload"),
    asked_for = true }
end

function Loader:load_dispatch(policy, inits)
  local part = self.description.dispatch
  local value, options = self.load_part(part, "dispatch")
  if value.dispatch == nil and value.groups == nil then
    fail(part, value.priority
      and "it is a priority and says nothing of dispatch; give it as the priority"
      or "it has no dispatch")
  end
  check_hook(part, value, "priority")
  check_per(part, value.per or "workload")
  local said, hooks = self.describe(part, value, options), {}
  for _, name in ipairs(self.events) do
    policy[name] = check_hook(part, value, name)
    if policy[name] then hooks[#hooks + 1] = name end
  end
  inits[#inits + 1] = check_hook(part, value, "init")
  said.groups = value.groups ~= nil or nil
  said.on_end, said.hooks = nil, hooks -- on_end and on_fault of a description are those of tasks
  policy.description.dispatch = said
  return part, value
end

-- A policy that only lists itself (orrery policies) knows no machine.
function Loader:finish(policy, part, value, order)
  local fields = { priority = order.priority, per = order.per }
  if not order.asked_for then
    fields = self:check_fields(part, value, {})
  elseif value.dispatch ~= nil then
    local own = { dispatch = value.dispatch, backfill = value.backfill }
    fields = self:check_fields(part, own, order)
  end
  fields.asked_for = order.asked_for
  local first = fields
  if value.groups ~= nil and self.description.procs then
    policy.groups, policy.extra = self:check_groups(part, value, fields)
    first = policy.groups[1]
  end
  copy_fields(policy, first, ORDER_FIELDS)
  copy_fields(policy, first, DISPATCH_FIELDS)
end

function Loader:load(policy)
  local inits, part, value = {}, nil, nil
  if self.description.dispatch then part, value = self:load_dispatch(policy, inits) end
  local order = {}
  if self.description.priority then order = self:load_priority(policy, inits) end
  if part then
    self:finish(policy, part, value, order)
  else
    copy_fields(policy, order, { "priority", "per" })
  end
  policy.description.extra, policy.description.missing = policy.extra, self.missing
  policy.description.groups = policy.groups and true
  return inits
end

return {
  load = function(policy, tools)
    tools.missing = {}
    return setmetatable(tools, Loader):load(policy)
  end,
}
