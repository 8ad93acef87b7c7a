-- slurm_conf: the nodes, partitions and licences of a slurm.conf, as the table of a machine.
--
--   slurm_conf.is(text)          whether a text is one
--   slurm_conf.read(path, text)  the table; its list not_modelled names what is left out of it
local checks = require "orrery.support.checks"
local names = require "orrery.support.names"

local slurm_conf = {}

-- Keys that say nothing about when jobs start, and those that are read below.
local KNOWN = {}
for word in ([[nodename nodehostname nodeaddr port bcastaddr cpus procs sockets corespersocket
  threadspercore boards socketsperboard realmemory gres tmpdisk partitionname nodes maxtime default
  prioritytier priority oversubscribe shared]]):gmatch "%S+" do KNOWN[word] = true end

-- Keys outside of nodes and partitions that do.
local GLOBAL = {}
for word in ([[schedulerparameters prioritytype preempttype topologyplugin overtimelimit
  defmempercpu defmempernode maxmempercpu maxmempernode maxarraysize downnodes nodeset
  frontendname jobsubmitplugins accountingstorageenforce]]):gmatch "%S+" do GLOBAL[word] = true end

function slurm_conf.is(text)
  return ("\n" .. text:lower()):find "\n%s*nodename%s*=" ~= nil
end

local function fail(at, ...) checks.refuse(true, "machine: %s:%d: " .. (...), at.path, at.line,
  select(2, ...)) end

-- Lines with their numbers, without comments; a backslash at the end joins the next one.
local function lines_of(text)
  local number, begin, joined = 0, nil, ""
  return coroutine.wrap(function()
    for line in (text .. "\n"):gmatch "([^\n]*)\n" do
      number, begin = number + 1, begin or number + 1
      line = line:gsub("\r$", ""):gsub("^#.*", ""):gsub("([^\\])#.*", "%1")
      joined = joined .. line:gsub("\\%s*$", " ")
      if not line:find "\\%s*$" then
        if joined:find "%S" then coroutine.yield(begin, joined) end
        begin, joined = nil, ""
      end
    end
    if joined:find "%S" then coroutine.yield(begin, joined) end
  end)
end

-- The keys of a line in lower case with their values, and the first of them.
local function keys_of(at, line)
  local keys, first, rest = {}, nil, line
  while rest:find "%S" do
    local key, behind = rest:match "^%s*([%w_]+)%s*=%s*()"
    if not key then fail(at, "expected KEY=VALUE, found '%s'", rest:match "^%s*(%S*)") end
    local value, stop = rest:match('^"([^"]*)"()', behind)
    if not value then value, stop = rest:match("^(%S*)()", behind) end
    keys[key:lower()], first, rest = value, first or key:lower(), rest:sub(stop)
  end
  return keys, first
end

-- Adds the names of one piece of a list of hosts: "nid[01-04,7]", perhaps with several brackets.
local function expand(at, piece, list)
  local before, inside, behind = piece:match "^([^%[%]]*)%[([%d,-]+)%](.*)$"
  if not before then
    if piece == "" or piece:find "[%[%]]" then
      fail(at, "expected a list of nodes, found '%s'", piece)
    end
    list[#list + 1] = piece
    return
  end
  for part in (inside .. ","):gmatch "([^,]*)," do
    local low, high = part:match "^(%d+)%-?(%d*)$"
    high = high == "" and low or high
    if not low or tonumber(high) < tonumber(low) or tonumber(high) - tonumber(low) > 1e6 then
      fail(at, "expected a list of nodes, found '%s'", piece)
    end
    for number = tonumber(low), tonumber(high) do
      expand(at, ("%s%0" .. #low .. "d%s"):format(before, number, behind), list)
    end
  end
end

local function hosts_of(at, text)
  local list = {}
  for piece in (text:gsub("%b[]", function(inside) return (inside:gsub(",", "\0")) end) .. ",")
    :gmatch "([^,]*)," do
    expand(at, (piece:gsub("%z", ",")), list)
  end
  return list
end

local function number(at, keys, name, default)
  local value = keys[name]
  if value == nil then return default end
  local whole = value:match "^%d+$" and math.tointeger(tonumber(value))
  if not whole then fail(at, "%s: expected a whole number, found '%s'", name, value) end
  return whole
end

local SCALE = { [""] = 1, k = 2^10, m = 2^20, g = 2^30, t = 2^40 }

-- "gpu:a100:4(S:0-1),nvme:2": by name, and by name and type, to the types of each name.
local function resources(at, text, types)
  local has = {}
  for one in (text:gsub("%b()", "") .. ","):gmatch "([^,]*)," do
    local name, kind, count, unit = one:match "^([%w_-]+):([%a_][%w_.-]*):?(%d*)([KMGTkmgt]?)$"
    if not name then name, count, unit = one:match "^([%w_-]+):?(%d*)([KMGTkmgt]?)$" end
    if kind == "no_consume" then kind = nil end
    if not name and one ~= "" then fail(at, "gres: expected NAME:TYPE:COUNT, found '%s'", one) end
    if name then
      local amount = (tonumber(count) or 1) * SCALE[unit:lower()] // 1 | 0
      has[name] = (has[name] or 0) + amount
      if kind then
        types[name] = types[name] or {}
        types[name][kind], has[name .. ":" .. kind] = true, (has[name .. ":" .. kind] or 0) + amount
      end
    end
  end
  return has
end

-- Minutes, minutes:seconds, hours:minutes:seconds, days-hours...: in seconds; nil: no limit.
local function time_of(at, text)
  if text == nil or text:upper() == "INFINITE" or text:upper() == "UNLIMITED" or text == "-1" then
    return nil
  end
  local days, clock = text:match "^(%d+)%-(.*)$"
  local parts = {}
  for part in (clock or text):gmatch "[^:]+" do parts[#parts + 1] = tonumber(part) end
  local shown = (clock or text):match "^%d+:?%d*:?%d*$"
  if not shown then fail(at, "maxtime: expected minutes or D-HH:MM:SS, found '%s'", text) end
  local scale = days and { 3600, 60, 1 } or parts[3] and { 3600, 60, 1 } or { 60, 1 }
  local seconds = 86400 * (tonumber(days) or 0)
  for i, part in ipairs(parts) do seconds = seconds + part * scale[i] end
  return seconds
end

local function with_defaults(keys, defaults)
  for key, value in pairs(defaults) do keys[key] = keys[key] or value end
  return keys
end

local function note(list, where, keys)
  for key in pairs(keys) do
    local idle = key == "state" and (keys.state:upper() == "UP" or keys.state:upper() == "UNKNOWN")
    if not KNOWN[key] and not idle then list[("%s of %s"):format(key, where)] = true end
  end
end

local function add_nodes(conf, at, keys)
  local cpus = number(at, keys, "cpus") or number(at, keys, "procs") or
    (number(at, keys, "sockets") or number(at, keys, "boards", 1)
      * number(at, keys, "socketsperboard", 1))
    * number(at, keys, "corespersocket", 1) * number(at, keys, "threadspercore", 1)
  local kind = { procs = cpus, has = resources(at, keys.gres or "", conf.types) }
  kind.memory = number(at, keys, "realmemory")
  note(conf.left, "nodes", keys)
  for _, name in ipairs(hosts_of(at, keys.nodename)) do
    if conf.number[name] then fail(at, "node %s stands there twice", name) end
    conf.nodes[#conf.nodes + 1] = kind
    conf.number[name] = #conf.nodes
  end
end

-- The numbers of a list of nodes as "1-60,65".
local function numbers_of(conf, at, text)
  if text:upper() == "ALL" then return "all" end
  local list, parts = {}, {}
  for i, name in ipairs(hosts_of(at, text)) do
    list[i] = conf.number[name] or fail(at, "nodes: there is no node '%s'%s", name,
      names.suggestion(name, names.sorted(conf.number)))
  end
  table.sort(list)
  for _, one in ipairs(list) do
    local last = parts[#parts]
    if last and one <= last[2] + 1 then last[2] = one else parts[#parts + 1] = { one, one } end
  end
  for i, part in ipairs(parts) do parts[i] = part[1] .. "-" .. part[2] end
  return table.concat(parts, ",")
end

local function add_partition(conf, at, keys)
  note(conf.left, "partitions", keys)
  local shared = (keys.oversubscribe or keys.shared or "NO"):upper()
  if shared:find "^FORCE" or shared:find "^YES" then
    conf.left["oversubscribe=" .. shared] = true
  end
  if not keys.nodes then fail(at, "partition %s has no nodes", keys.partitionname) end
  for name in keys.partitionname:gmatch "[^,]+" do
    conf.partitions[name] = { nodes = numbers_of(conf, at, keys.nodes),
      max_time = time_of(at, keys.maxtime), exclusive = shared == "EXCLUSIVE",
      priority = number(at, keys, "prioritytier") or number(at, keys, "priority", 1),
      default = (keys.default or ""):upper() == "YES" or nil }
  end
end

-- Equal nodes that follow each other are a kind.
local function kinds_of(conf)
  local kinds, last = {}, nil
  local memory = not conf.select or conf.select:lower():find "memory" ~= nil
  for _, node in ipairs(conf.nodes) do
    if node ~= last then
      local kind = { count = 0, procs = node.procs }
      kind.mem = memory and node.memory and node.memory .. "M" or nil
      for name, amount in pairs(node.has) do -- types only count where there are several
        local of = name:match "^(.-):"
        if not of or next(conf.types[of], next(conf.types[of])) then kind[name] = amount end
      end
      kinds[#kinds + 1], last = kind, node
    end
    kinds[#kinds].count = kinds[#kinds].count + 1
  end
  if not memory then conf.left["memory (SelectTypeParameters has none)"] = true end
  return kinds
end

local function pools_of(at, text, pools)
  for one in text:gmatch "[^,;]+" do
    local name, count = one:match "^([^:=]+)[:=]?(%d*)$"
    if not name then fail(at, "licenses: expected NAME:COUNT, found '%s'", one) end
    pools[name:match "^[^@]+"] = math.tointeger(tonumber(count)) or 1
  end
end

function slurm_conf.read(path, text)
  local conf = { nodes = {}, number = {}, types = {}, partitions = {}, left = {} }
  local pools, defaults, later = {}, { nodename = {}, partitionname = {} }, {}
  for line, shown in lines_of(text) do
    local at = { path = path, line = line }
    if shown:lower():find "^%s*include%s" then
      fail(at, "Include is not read: expected one file with all lines, found '%s'",
        shown:match "^%s*(.-)%s*$")
    end
    local keys, first = keys_of(at, shown)
    local own = defaults[first]
    if own and keys[first]:upper() == "DEFAULT" then
      keys[first] = nil
      for key, value in pairs(keys) do own[key] = value end
    elseif own then
      with_defaults(keys, own)
      later[#later + 1] = first == "partitionname" and { at, keys } or nil
      if first == "nodename" then add_nodes(conf, at, keys) end
    end
    conf.select = keys.selecttypeparameters or conf.select
    conf.linear = conf.linear or keys.selecttype == "select/linear"
    if keys.licenses and not own then pools_of(at, keys.licenses, pools) end
    for key in pairs(own and {} or keys) do if GLOBAL[key] then conf.left[key] = true end end
  end
  for _, one in ipairs(later) do add_partition(conf, one[1], one[2]) end
  for _, partition in pairs(conf.partitions) do
    partition.exclusive = partition.exclusive or conf.linear or nil
  end
  local kinds = kinds_of(conf)
  local left = names.sorted(conf.left)
  return { nodes = kinds, partitions = next(conf.partitions) and conf.partitions,
    pools = next(pools) and pools, not_modelled = left[1] and left }
end

return slurm_conf
