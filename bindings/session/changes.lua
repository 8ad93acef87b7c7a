-- changes: a user's changes (s:change), converted for the C part, and in words for the history.
--
-- `d` is a session's inner table (session.lua). Wrong changes raise errors.

local checks = require "orrery.support.checks"
local clock = require "orrery.support.clock"
local add_window = require("orrery.core").add_window
local limits = require "orrery.values.limits"
local lists = require "orrery.support.lists"
local all_names = require "orrery.support.names"
local new_ids = require("orrery.core").ids
local policy_list = require "orrery.run.policy_list"
local pools = require "orrery.values.pools"

local check_fields, expect, refuse = checks.fields, checks.expect, checks.refuse
local shown = checks.quoted

local changes = {}

local function check_table(what, given)
  expect(type(given) == "table", what, "a table", shown(given))
end

local function time_text(d, time) return clock.text(time, d.kind.calendar(d.core)) end

-- The list, or the list of the one thing that is given instead.
local function list_of(what, given, is_one)
  if is_one(given) then return { given } end
  check_table(what, given)
  for key in pairs(given) do
    refuse(math.type(key) ~= "integer" or key < 1 or key > #given,
      "%s: expected a list, but it has the key '%s'", what, key)
  end
  return given
end

local function is_name(given) return type(given) ~= "table" end

-- "a", "a and b", "a, b, c and 4 more"
local function names(ids)
  if #ids > 4 then
    return ("%s and %d more"):format(table.concat(ids, ", ", 1, 3), #ids - 3)
  end
  local last = ids[#ids]
  return #ids < 2 and last or table.concat(ids, ", ", 1, #ids - 1) .. " and " .. last
end

local function counted(d, ids)
  return ("%s %s"):format(#ids == 1 and d.kind.one or d.kind.many, names(ids))
end

local function is_table(given)
  return type(given) == "table" and given[1] == nil and next(given) ~= nil
end

local function places(d, what, given)
  local positions, ids = {}, {}
  local all = d.kind.all(d.core)
  for i, one in ipairs(list_of(what, given, is_name)) do
    positions[i] = d.kind.position(d, what, one)
    ids[i] = all[positions[i]].id
  end
  return positions, ids
end

-- --- one after the other ------------------------------------------------------------------------

local change = {}

-- The policy settings after a change, from those before it: { policy =, priority =, options = }.
-- Unchanged settings stay; a priority that is false means the policy's own.
local function decide_anew(old, given)
  local new = lists.merged(old, { policy = given.policy, options = lists.merged(old.options,
    given.options) })
  if given.priority == nil then return new end
  new.priority = given.priority or nil
  if type(new.policy) == "table" and new.policy.policy ~= nil then -- with a priority of its own
    new.policy = lists.merged(new.policy)
    new.policy.priority = nil
  end
  return new
end

-- Prepares a policy by make(given, used, core), and returns the session's settings for it; all
-- options that are `asked_for` must be options of the policy.
function changes.prepare(make, given, asked_for, core)
  local used = {}
  local prepared = make(given, used, core)
  policy_list.check_used(asked_for or {}, used)
  return prepared, { policy = prepared.policy_name, priority = prepared.priority_name,
    given = given }
end

-- Policy, priority and options belong together: parts that are not given stay unchanged.
local function decides(d, given, result)
  if given.policy == nil and given.priority == nil and given.options == nil then return end
  if given.options ~= nil then check_table("options", given.options) end
  result.core.policy, result.setting = changes.prepare(d.prepare,
    decide_anew(d.setting.given, given), given.options, d.core)
  result.texts[#result.texts + 1] = ("%s decides"):format(d.kind.label(result.setting))
end

function change.seed(_, given, result)
  expect(math.type(given) == "integer", "seed", "a whole number", shown(given))
  result.core.seed = given
  result.texts[#result.texts + 1] = ("the future is that of seed %d"):format(given)
end

function change.procs(d, given, result)
  local core = given
  if type(given) ~= "table" then core = { procs = given } end
  check_fields("procs", core, "sessions.ProcsNow")
  local ends = core["until"]
  if ends ~= nil then
    ends = clock.instant("procs: until", ends, d.kind.calendar(d.core), d.core.now)
    refuse(ends <= d.core.now, "procs: until %s, but the clock stands at %s", time_text(d, ends),
      time_text(d, d.core.now))
  end
  expect(core.group == nil or type(core.group) == "string", "procs: group", "the name of a group",
    shown(core.group))
  result.core.procs = { procs = checks.count("procs", core.procs, 0), group = core.group,
    ["until"] = ends }
  result.texts[#result.texts + 1] = ("%d processors%s %s"):format(core.procs,
    core.group and " in group " .. core.group or "",
    ends and ends < math.huge and "until " .. time_text(d, ends) or "from now on")
end

function change.pools(_, given, result)
  result.core.pools = pools.of(given)
  for _, name in ipairs(pools.names(given)) do
    result.texts[#result.texts + 1] = ("%s of pool %s from now on"):format(given[name], name)
  end
end

function change.limit(_, given, result)
  local value, list = limits.of(given)
  result.core.limit = value
  for _, one in ipairs(list or {}) do
    result.texts[#result.texts + 1] = "limit " .. one.text .. " from now on"
  end
end

-- The number of the first processor of one of the policy's groups, and the size of the group.
local function find_group(d, name)
  local first, known = 0, {}
  expect(type(name) == "string", "drain_at: group", "the name of a group", shown(name))
  for i, group in ipairs(d.core.groups) do
    if group.name == name then return first, math.min(group.procs, d.core.machine - first) end
    first, known[i] = first + group.procs, group.name
  end
  error(("drain_at: there is no group '%s', there are %s"):format(name,
    table.concat(known, ", ")), 0)
end

local function new_windows(d) return d.new_windows(d.core.machine, d.core:nodes()) end

-- Whole processors or nodes; by default the whole machine, or group.
local function what_drains(what, given, machine)
  local procs = given.procs
  local nodes = require("orrery.values.windows").nodes(what .. ": nodes", given.nodes)
  refuse(procs ~= nil and nodes, "%s: give either procs or nodes, or neither", what)
  if nodes then
    return nil, nodes, (nodes:find "^%d+$" and "node " or "nodes ") .. nodes
  end
  procs = procs == nil and machine or checks.count(what .. ": procs", procs, 1)
  return procs, nil, ("%d processor%s"):format(procs, procs == 1 and "" or "s")
end

-- When drained processors are back; and the same as text.
local function return_of(d, what, given)
  if given["until"] == nil then return math.huge, "" end
  local back = clock.instant(what .. ": until", given["until"], d.kind.calendar(d.core), d.core.now)
  return back, back < math.huge and " until " .. time_text(d, back) or ""
end

local function add_drain(what, ...)
  require("orrery.values.windows").add(what, add_window, ...)
end

local function is_one_place(given) return is_name(given) or is_table(given) end

-- Processors that are drained now, or come back.
local function now_drained(name, class, text)
  change[name] = function(d, given, result)
    local windows = new_windows(d)
    for _, one in ipairs(list_of(name, given, is_one_place)) do
      if type(one) ~= "table" then one = { nodes = one } end
      check_fields(name, one, class)
      local back, till = return_of(d, name, one)
      refuse(back <= d.core.now, "%s: until %s, but the clock stands at %s", name,
        time_text(d, back), time_text(d, d.core.now))
      local procs, nodes, which = what_drains(name, one, d.core.machine)
      add_drain(name, windows, d.core.now, back, procs, nodes, nil, nil, d.core.machine)
      result.texts[#result.texts + 1] = text:format(which, till)
    end
    result.core[name == "drain" and "drains" or "returns"] = windows
  end
end

now_drained("drain", "sessions.Drain", "%s drained now%s")
now_drained("bring_back", "sessions.BringBack", "%s brought back%s")

function change.drain_at(d, given, result)
  local policy_changes = result.given.policy ~= nil or result.given.options ~= nil
  local calendar, windows = d.kind.calendar(d.core), new_windows(d)
  for _, one in ipairs(list_of("drain_at", given, is_table)) do
    check_fields("drain_at", one, "sessions.DrainAt")
    local at = clock.instant("drain_at: at", one.at, calendar, d.core.now)
    local back, till = return_of(d, "drain_at", one)
    refuse(at <= d.core.now, "drain_at: at %s, but the clock stands at %s", time_text(d, at),
      time_text(d, d.core.now))
    refuse(back <= at, "drain_at: until %s, which is no later than at %s", time_text(d, back),
      time_text(d, at))
    local first, count = 0, d.core.machine
    if one.group ~= nil then
      refuse(one.nodes ~= nil, "drain_at: give either group or nodes")
      refuse(policy_changes, "drain_at: a group is one of the policy that decides until now, so "
        .. "drain it in a change of its own")
      first, count = find_group(d, one.group)
    end
    local procs, nodes, text = what_drains("drain_at", one, count)
    refuse(one.group ~= nil and procs > count, "drain_at: expected 1 to %d processors, as many as "
      .. "group %s has, found %d", count, one.group, procs)
    add_drain("drain_at", windows, at, back, procs, nodes, nil, nil, first + count)
    result.texts[#result.texts + 1] = ("%s%s drained at %s%s"):format(text,
      one.group and " in group " .. one.group or "", time_text(d, at), till)
  end
  result.core.windows = windows
end

function change.submit(d, given, result)
  local all, known = d.submit(d, given)
  local ids = {}
  for i, one in ipairs(all) do ids[i] = one.id end
  result.core.submit = all
  for name, value in pairs(known or {}) do result.core[name] = value end
  if #ids > 0 then
    result.texts[#result.texts + 1] = counted(d, ids) .. " submitted"
  end
end

local function by_list(name, text)
  change[name] = function(d, given, result)
    local positions, ids = places(d, name, given)
    result.core[name] = positions
    if #ids > 0 then result.texts[#result.texts + 1] = text:format(counted(d, ids)) end
  end
end

by_list("cancel", "%s cancelled")
by_list("fail", "the attempt fails of %s")
by_list("checkpoint", "%s checkpointed")
by_list("preempt", "%s preempted")

-- Seconds, also from a text as "6h"; nil for other values.
local function span_of(value)
  local seconds = type(value) == "string" and clock.span(value) or value
  return type(seconds) == "number" and seconds >= 0 and seconds < math.huge and seconds or nil
end

local function factor_of(value)
  return type(value) == "number" and value > 0 and value < math.huge and value or nil
end

-- { [job] = value }: for the core by position, in the texts in order of position. `read` gives the
-- value, nil where it is not as `expected`; `text` gives the consequence for a job as text.
local function by_position(name, expected, read, text)
  change[name] = function(d, given, result)
    check_table(name, given)
    local one, values, order, all = d.kind.one, {}, {}, d.kind.all(d.core)
    for key, value in pairs(given) do
      local position = d.kind.position(d, name, key)
      refuse(values[position], "%s: %s %s is given twice", name, one, key)
      values[position] = read(value)
      expect(values[position], name, expected:format(one, tostring(key)), shown(value))
      order[#order + 1] = position
    end
    table.sort(order)
    result.core[name] = values
    for _, position in ipairs(order) do
      result.texts[#result.texts + 1] = ("%s %s takes %s"):format(one, all[position].id,
        text(values[position]))
    end
  end
end

by_position("runtime", "seconds, or a text as '6h', for %s %s", span_of, clock.span_text)
by_position("work", "a factor above 0 for %s %s", factor_of,
  function(factor) return ("%g times as long"):format(factor) end)

local function one_fault(d, given)
  check_table("fault", given)
  local one = d.kind.one
  check_fields("fault", given, one == "job" and "sessions.JobFault" or "sessions.TaskFault")
  local count = 0
  for _, name in ipairs { one, "processor", "node" } do
    count = count + (given[name] ~= nil and 1 or 0)
  end
  refuse(count ~= 1, one == "job" and "fault: give either job, or processor, or node"
    or "fault: give either task or processor")
  if given[one] ~= nil then
    refuse(given.repair ~= nil, one == "job" and "fault: repair goes with processor or node"
      or "fault: repair goes with processor")
    local position = d.kind.position(d, "fault", given[one])
    return { [one] = position },
      ("fault of %s %s"):format(one, d.kind.all(d.core)[position].id)
  end
  local repair = span_of(given.repair)
  expect(given.repair == nil or repair, "fault: repair", "seconds, or a text as '6h'",
    shown(given.repair))
  if given.node ~= nil then
    return { node = checks.count("fault: node", given.node, 1), repair = repair or math.huge },
      ("node %d fails%s"):format(given.node, repair and ", for " .. clock.span_text(repair) or "")
  end
  local processor = checks.count("fault: processor", given.processor, 0)
  return { processor = processor, repair = repair }, ("fault on processor %d"):format(processor)
end

function change.fault(d, given, result)
  local faults = {}
  for i, one in ipairs(list_of("fault", given, is_table)) do
    faults[i], result.texts[#result.texts + 1] = one_fault(d, one)
  end
  result.core.fault = faults
end

-- A kind of nodes: its number, or what nodes have, with amounts as numbers.
local function kind_of_nodes(what, given)
  if type(given) ~= "table" then return checks.count(what, given, 1), "kind " .. tostring(given) end
  local has = { procs = checks.count(what .. ".procs", given.procs, 1, nil, checks.MOST) }
  local texts = {}
  for _, name in ipairs(all_names.sorted(given)) do
    has[name] = has[name] or pools.amount(what .. "." .. name, given[name])
    texts[#texts + 1] = ("%s %s"):format(given[name], name)
  end
  return has, table.concat(texts, ", ")
end

function change.add_nodes(_, given, result)
  local list = {}
  for i, one in ipairs(list_of("add_nodes", given, is_table)) do
    check_fields("add_nodes", one, "sessions.AddNodes")
    local kind, text = kind_of_nodes("add_nodes: kind", one.kind)
    local count = checks.count("add_nodes: count", one.count, 1, nil, checks.MOST)
    local partitions = one.partitions
    partitions = partitions and list_of("add_nodes: partitions", partitions, is_name)
    for _, name in ipairs(partitions or {}) do
      expect(type(name) == "string", "add_nodes: partitions", "names", shown(name))
    end
    refuse(partitions and #partitions == 0, "add_nodes: partitions: an empty list")
    list[i] = { count = count, kind = kind, partitions = partitions }
    result.texts[#result.texts + 1] = ("%d node%s of %s added%s"):format(count,
      count == 1 and "" or "s", text, partitions and " to " .. names(partitions) or "")
  end
  result.core.add_nodes = list
end

-- --- all together -------------------------------------------------------------------------------

-- A copy that nobody changes; policies and workloads are not copied.
local function frozen(value, depth)
  if type(value) ~= "table" or depth == 0 then return value end
  local copy = {}
  for key, item in pairs(value) do
    copy[key] = key ~= "policy" and key ~= "priority" and frozen(item, depth - 1) or item
  end
  return copy
end

-- The changes of a user as { core = for the C part, setting = the policy settings from then on,
-- texts = the changes in words, given = a copy of the argument }.
function changes.make(d, given)
  local known = checks.names_of(d.kind.one == "job" and "sessions.JobChanges"
    or "sessions.TaskChanges")
  check_fields("change", given, known)
  local result = { core = {}, setting = d.setting, texts = {}, given = frozen(given, 3) }
  decides(d, given, result)
  for _, name in ipairs(known) do
    if change[name] and given[name] ~= nil then change[name](d, given[name], result) end
  end
  return result
end

-- --- for makers of sessions ----------------------------------------------------------------------

-- The set of known ids. Counted once, then updated as jobs come.
function changes.ids(d)
  if not d.ids then
    local is_jobs = d.kind.one == "job"
    d.ids = new_ids(is_jobs and d.core.jobs or nil)
    for _, one in ipairs(is_jobs and {} or d.core.tasks) do d.ids:add(one.id) end
  end
  return d.ids
end

-- An id that no job or task has yet.
function changes.new_id(d)
  local known, n = changes.ids(d), d.named or 0
  repeat n = n + 1 until not known:has("new" .. n)
  d.named = n
  return "new" .. n
end

-- The submitted jobs or tasks as a list of tables that all have an id, a new one where they had
-- none; nil where a workload is submitted.
function changes.listed(d, given)
  local kind = checks.kind_of(given)
  if kind == "orrery.jobs" or kind == "orrery.tasks" then return nil end
  local list, known = {}, changes.ids(d)
  for i, one in ipairs(list_of("submit", given, is_table)) do
    expect(type(one) == "table", "submit", "a table for every " .. d.kind.one, shown(one))
    list[i] = lists.merged(one)
    if one.id == nil then
      list[i].id = changes.new_id(d)
    else
      refuse(known:has(tostring(one.id)), "submit: there is a %s '%s' already", d.kind.one, one.id)
    end
  end
  return list
end

return changes
