-- machine: what is simulated on, as a value: a table, a file that holds one and nothing else, or a
-- slurm.conf.
--
--   machine.of(given)        the table, checked; it prints
--   machine.applied(spec)    the fields of a comparison or session with those of its machine; what
--                            is given beside the machine replaces what that says. Its nodes,
--                            partitions and limits stay in the field `machine`
--   machine.nodes(given)     its nodes, see nodes.lua; nil: it has none
--   machine.read(given, own) the options `pools` and `nodes` of core.read: what is read for it of a
--                            log; own: pools in place of the machine's
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local limits = require "orrery.values.limits"
local lists = require "orrery.support.lists"
local literal_file = require "orrery.support.literal_file"
local names = require "orrery.support.names"
local nodes = require "orrery.values.nodes"
local pools = require "orrery.values.pools"
local slurm_conf = require "orrery.values.slurm_conf"

local machine = {}

local Machine = { __name = "orrery.machine" }

function Machine:__tostring()
  local lines = { ("processors  %s"):format(self.procs or "as the log says") }
  for i, name in ipairs(self.pools and pools.names(self.pools) or {}) do
    local amount = math.tointeger(self.pools[name]) or self.pools[name]
    lines[#lines + 1] = ("%-12s%s = %s"):format(i == 1 and "pools" or "", name, amount)
  end
  local _, list = limits.of(self.limits)
  for i, one in ipairs(list or {}) do
    lines[#lines + 1] = (i == 1 and "limits      " or "            ") .. one.text
  end
  if self.nodes then lines[#lines + 1] = "\n" .. tostring(machine.nodes(self)) end
  for i, one in ipairs(self.not_modelled or {}) do
    lines[#lines + 1] = (i == 1 and "\nnot modelled  " or "              ") .. one
  end
  return table.concat(lines, "\n")
end

function machine.nodes(given)
  return given and nodes.of("machine", given.nodes, given.partitions)
end

-- What a machine has is either of its nodes or a pool.
local function check_pools(what, has, given)
  for _, name in ipairs(has and given and pools.names(given) or {}) do
    for _, resource in ipairs(has.resources) do
      checks.refuse(name == resource, "%s: %s is a pool and a resource of nodes", what, name)
    end
    checks.refuse(name == "nodes" or name == "exclusive", "%s: no pool has the name '%s' where "
      .. "there are nodes", what, name)
  end
end

-- The partitions and limits, where a partition says its most waiting jobs with that as a limit.
local function with_waiting(given)
  local partitions, own = {}, given.limits or {}
  own = type(own) == "string" and { own } or own
  local list = type(own) == "table" and checks.is_list(own) and lists.joined(own)
  for _, name in ipairs(names.sorted(given.partitions or {})) do
    local one = lists.merged(given.partitions[name])
    partitions[name], one.max_waiting = one, nil
    local most = given.partitions[name].max_waiting
    if most and list then
      list[#list + 1] = { most = { waiting = most }, per = "partition", only = name }
    end
  end
  if not list or #list == #own then return given.partitions, given.limits end
  return partitions, list
end

function machine.of(given)
  local what = type(given) == "string" and "machine: " .. given or "machine"
  if type(given) == "string" then given = literal_file.load("machine", given, slurm_conf) end
  checks.fields(what, given, "runs.Machine")
  local has = nodes.of(what, given.nodes, given.partitions)
  local procs = given.procs
  if procs ~= nil then
    procs = checks.count(what .. ": procs", procs, 1)
    checks.refuse(procs >= 2^31 - 1, "%s: procs: expected at most 2147483646, found %d", what,
      procs)
    checks.refuse(has and has.procs ~= procs, "%s: procs: expected %d, as many as the nodes have, "
      .. "found %d", what, has and has.procs, procs)
  end
  local partitions, list = with_waiting(given)
  for _, one in ipairs { { pools.of, given.pools or {} }, { limits.of, list or {} } } do -- check
    local ok, problem = pcall(table.unpack(one))
    checks.refuse(not ok, "%s: %s", what, type(problem) == "table" and problem.message or problem)
  end
  check_pools(what, has, given.pools)
  return setmetatable({ procs = has and has.procs or procs, limits = list,
    pools = given.pools, nodes = given.nodes, partitions = partitions,
    not_modelled = given.not_modelled, node_names = given.node_names }, Machine)
end

-- The failures of nodes, of nodes of one size with that size; outages know the nodes' names.
local function failing(has, spec, node_names)
  local given, size = spec.node_failures, has.kinds[1].procs
  if type(given) ~= "table" or given.procs ~= nil then return given end
  if given.outages ~= nil and given.node_names == nil then
    given = lists.merged(given, { node_names = node_names })
  end
  for _, kind in ipairs(has.kinds) do size = size == kind.procs and size end
  return size and lists.merged(given, { procs = size }) or given
end

function machine.applied(spec)
  if spec.machine == nil then return spec end
  local own, given = {}, machine.of(spec.machine)
  for name, value in pairs(spec) do own[name] = value end
  checks.refuse(given.nodes and spec.procs and spec.procs ~= given.procs,
    "procs: expected %d, as many as the nodes of the machine have, found %s", given.procs,
    spec.procs)
  own.procs, own.pools = spec.procs or given.procs, spec.pools or given.pools
  check_pools("machine", machine.nodes(given), own.pools)
  if given.nodes then own.node_failures = failing(machine.nodes(given), spec, given.node_names) end
  if limits.of(spec.limit) == nil then own.limit = given.limits end
  own.machine = (given.nodes or given.limits) and setmetatable({ nodes = given.nodes,
    partitions = given.partitions, limits = given.limits }, Machine)
  return own
end

function machine.read(given, own_pools)
  local has = machine.nodes(given)
  local list, amounts = pools.list(own_pools or given.pools or {})
  check_pools("machine", has, own_pools or given.pools)
  local more = has and table.move(has.resources, 1, #has.resources, 3, { "nodes", "exclusive" })
  for _, name in ipairs(more or {}) do
    list[#list + 1], amounts[#amounts + 1] = name, 1 << 53 -- who needs too much is told later
  end
  return core.pools(list, amounts), has ~= nil
end

return machine
