-- slurm_conf: the nodes, partitions and licences of a slurm.conf, as the table of a machine.
--
--   slurm_conf.is(text)          whether a text is one
--   slurm_conf.read(path, text)  the table; its list not_modelled names what is left out of it;
--                                node_names are those of its nodes, with commas
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local names = require "orrery.support.names"
local pools = require "orrery.values.pools"

local slurm_conf = {}

local function set(text)
  local words = {}
  for word in text:gmatch "%S+" do words[word] = true end
  return words
end

-- Keys of nodes and partitions that are read below, or say nothing about when the jobs of a log
-- start.
local KNOWN = set [[nodename nodehostname nodeaddr port bcastaddr cpus procs sockets corespersocket
  threadspercore boards socketsperboard realmemory memspeclimit corespeccount cpuspeclist gres
  tmpdisk reason partitionname nodes maxtime default prioritytier priority oversubscribe shared
  hidden rootonly disablerootjobs tresbillingweights cpubind defaulttime defmempercpu defmempernode
  defmempergpu defcpupergpu jobdefaults]]

-- Other keys that say something about it.
local GLOBAL = set [[schedulerparameters prioritytype preempttype topologyplugin overtimelimit
  maxmempercpu maxmempernode frontendname jobsubmitplugins accountingstorageenforce]]

local OUT = set "DOWN DRAIN FAIL FAILING" -- states of nodes that get no jobs
local MOST_NODES = 1 << 17

slurm_conf.LARGEST = 1 << 24 -- bytes

local MARKS = set "nodename partitionname clustername include"

function slurm_conf.is(text)
  for key in text:lower():gmatch "%f[^\n\0]%s*(%l+)%s*[= ]" do
    if MARKS[key] then return true end
  end
  return false
end

-- at: { path =, line = }
local function refuse(wrong, at, expected, found)
  checks.refuse(wrong, "machine: %s:%d: expected %s, found '%s'", at.path, at.line, expected, found)
end

-- Lines with their numbers, without comments; a backslash at the end joins the next one.
local function lines_of(text)
  return coroutine.wrap(function()
    local number, begin, joined = 0, 1, ""
    for line in (text .. "\n"):gmatch "([^\n]*)\n" do
      number = number + 1
      line = line:gsub("\r$", ""):gsub("^#.*", ""):gsub("([^\\])#.*", "%1")
      local goes_on = line:find "\\%s*$"
      joined = joined .. line:gsub("\\%s*$", " ")
      if not goes_on then
        if joined:find "%S" then coroutine.yield(begin, joined) end
        begin, joined = number + 1, ""
      end
    end
  end)
end

-- The keys of a line in lower case with their values, and the first of them.
local function keys_of(at, line)
  local keys, first, rest = {}, nil, line
  while rest:find "%S" do
    local key, behind = rest:match "^%s*([%w_]+)%s*=%s*()"
    refuse(not key, at, "KEY=VALUE", rest:match "^%s*(%S*)")
    local value, stop = rest:match('^"([^"]*)"()', behind)
    if not value then value, stop = rest:match("^(%S*)()", behind) end
    keys[key:lower()], first, rest = value, first or key:lower(), rest:sub(stop)
  end
  return keys, first
end

-- Adds the names of one piece of a list of hosts: "nid[01-04,7]", perhaps with several brackets.
local function expand(at, piece, list)
  local before, inside, behind = piece:match "^([^%[%]]*)%[([%d,-]+)%](.*)$"
  refuse(not before and (piece == "" or piece:find "[%[%]]"), at, "a list of nodes", piece)
  if not before then list[#list + 1] = piece end
  for part in ((inside or "") .. ","):gmatch(before and "([^,]*)," or "^$") do
    local low, high = part:match "^(%d+)%-?(%d*)$"
    local from, to = tonumber(low), tonumber(high ~= "" and high or low)
    refuse(not from or to < from or to - from > MOST_NODES, at, "a list of nodes", piece)
    for number = from, to do
      refuse(#list > MOST_NODES, at, "at most " .. MOST_NODES .. " nodes", piece)
      expand(at, ("%s%0" .. #low .. "d%s"):format(before, number, behind), list)
    end
  end
end

local function hosts_of(at, text)
  local list = {}
  text = text:gsub("%b[]", function(inside) return (inside:gsub(",", "\0")) end)
  for piece in (text .. ","):gmatch "([^,]*)," do expand(at, piece:gsub("%z", ","), list) end
  return list
end

local function number(at, keys, name, default)
  local text = keys[name]
  local value = text and #text < 11 and text:find "^%d+$" and math.tointeger(tonumber(text))
  refuse(text and not (value and value < 2 ^ 31 - 1), at,
    "a whole number up to 2147483646 for " .. name, text)
  return value or default
end

-- The value of a key, in capitals, which is one of these words.
local function word_of(at, keys, name, default, known)
  local word = (keys[name] or default):upper():match "^[^:]*"
  refuse(not set(known)[word], at, ("one of %s for %s"):format(known, name), keys[name])
  return word
end

-- An amount of a resource or a licence, with a unit; none: 1.
local function amount_of(at, name, text)
  local what = ("machine: %s:%d: %s"):format(at.path, at.line, name)
  return text == "" and 1 or pools.amount(what, text)
end

-- "gpu:a100:4(S:0-1),nvme:2": amounts by name, and by name and type, whose types are noted.
local function resources(at, text, types)
  local has = {}
  local function add(name, more) has[name] = (has[name] or 0) + more end
  for one in text:gsub("%b()", ""):gsub("[^,]+:no_consume:[^,]*", ""):gmatch "[^,]+" do
    local name, kind, count = one:match "^([%w_-]+):([%a_][%w_.-]*):?(%d*[KMGT]?)$"
    if not name then name, count = one:match "^([%w_-]+):?(%d*[KMGT]?)$" end
    refuse(not name, at, "NAME:TYPE:COUNT in gres", one)
    local found = amount_of(at, name, count)
    add(name, found)
    if kind then
      types[name] = types[name] or {}
      types[name][kind] = true
      add(name .. ":" .. kind, found)
    end
  end
  return has
end

-- Minutes, minutes:seconds, hours:minutes:seconds or days-hours...: in seconds, of whole minutes
-- as in Slurm; nil: no limit.
local function time_of(at, text)
  if not text or set("infinite unlimited -1")[text:lower()] then return nil end
  local days, clock = text:match "^(%d+)%-(.*)$"
  local a, b, c = (clock or text):match "^(%d+):?(%d*):?(%d*)$"
  refuse(not a or #text > 15, at, "minutes or D-HH:MM:SS for maxtime", text)
  if not days and c == "" then a, b, c = 0, a, b end
  return 86400 * (tonumber(days) or 0) + 3600 * tonumber(a) + 60 * (tonumber(b) or 0)
    + 60 * (((tonumber(c) or 0) + 59) // 60)
end

local function note(list, where, keys)
  for key, value in pairs(keys) do
    local idle = key == "state" and (value:upper() == "UP" or where == "nodes"
      and value:upper() ~= "CLOUD")
    if not KNOWN[key] and not idle then list[("%s of %s"):format(key, where)] = true end
  end
end

local function add_nodes(conf, at, keys)
  local sockets = number(at, keys, "sockets")
    or number(at, keys, "boards", 1) * number(at, keys, "socketsperboard", 1)
  local threads = number(at, keys, "threadspercore", 1)
  local all = 1.0 * sockets * number(at, keys, "corespersocket", 1) * threads
  local procs = number(at, keys, "cpus") or number(at, keys, "procs") or all
  refuse(procs > 2 ^ 31 - 2, at, "at most 2147483646 processors of a node", procs)
  refuse(procs < 1, at, "at least one processor of a node", "0")
  local memory = number(at, keys, "realmemory")
  local reserved = number(at, keys, "corespeccount", 0) * (procs == all and threads or 1)
    + (keys.cpuspeclist and #hosts_of(at, "[" .. keys.cpuspeclist .. "]") or 0)
  refuse(reserved >= procs, at, "fewer reserved cores than cores for corespeccount",
    keys.corespeccount or keys.cpuspeclist)
  local kind = { procs = math.tointeger(procs) - reserved,
    memory = memory and math.max(0, memory - number(at, keys, "memspeclimit", 0)),
    has = resources(at, keys.gres or "", conf.types) }
  note(conf.left, "nodes", keys)
  for _, name in ipairs(hosts_of(at, keys.nodename)) do
    refuse(conf.place[name], at, "each node once", name)
    conf.names[#conf.names + 1], conf.place[name] = name, #conf.names + 1
    conf.kinds[#conf.names], conf.states[#conf.names] = kind, (keys.state or ""):upper()
    for feature in (keys.features or keys.feature or ""):gmatch "[^,]+" do
      conf.features[feature] = conf.features[feature] or {}
      table.insert(conf.features[feature], name)
    end
  end
end

local function set_down(conf, at, keys)
  for _, name in ipairs(hosts_of(at, keys.downnodes)) do
    refuse(not conf.place[name], at, "the name of a node in downnodes", name)
    conf.states[conf.place[name]] = (keys.state or "DOWN"):upper()
  end
end

-- Numbers the nodes that may get jobs, and says which may not.
local function number_nodes(conf)
  local out = {}
  for i, name in ipairs(conf.names) do
    local state = conf.states[i]:match "^%a*"
    if not OUT[state] and state ~= "FUTURE" then
      conf.nodes[#conf.nodes + 1], conf.number[name] = conf.kinds[i], #conf.nodes + 1
      conf.counted[#conf.nodes] = name
    elseif OUT[state] then
      out[state] = out[state] or {}
      table.insert(out[state], name)
    end
  end
  for state, list in pairs(out) do
    local more = #list > 5 and (" and %d more"):format(#list - 5) or ""
    conf.left[("State=%s of nodes, which do not count: %s%s"):format(state,
      table.concat(list, ", ", 1, math.min(5, #list)), more)] = true
  end
end

-- The numbers of a list of nodes and sets of nodes as "1-60,65"; nil: none of them counts.
local function numbers_of(conf, at, text)
  if text:upper() == "ALL" then return "all" end
  local list, parts = {}, {}
  for _, name in ipairs(text == "" and {} or hosts_of(at, text)) do
    refuse(not conf.place[name] and not conf.sets[name], at, "the name of a node in nodes", name)
    for _, one in ipairs(conf.sets[name] or { name }) do list[#list + 1] = conf.number[one] end
  end
  table.sort(list)
  for _, one in ipairs(list) do
    local last = parts[#parts]
    if last and one <= last[2] + 1 then last[2] = one else parts[#parts + 1] = { one, one } end
  end
  for i, part in ipairs(parts) do parts[i] = table.concat(part, "-") end
  return parts[1] and table.concat(parts, ",")
end

-- The names of the nodes of a set: those of its list and those with its feature.
local function add_set(conf, at, keys)
  local list = keys.nodes and hosts_of(at, keys.nodes) or {}
  for _, name in ipairs(list) do
    refuse(not conf.place[name], at, "the name of a node in nodes", name)
  end
  local of = conf.features[keys.feature] or {}
  conf.sets[keys.nodeset] = table.move(of, 1, #of, #list + 1, list)
end

local function add_partition(conf, at, keys)
  note(conf.left, "partitions", keys)
  local shared = word_of(at, keys, keys.shared and "shared" or "oversubscribe", "NO",
    "NO YES FORCE EXCLUSIVE")
  if shared == "FORCE" or shared == "YES" then
    conf.left["oversubscribe of partitions"] = true
  end
  refuse(not keys.nodes, at, "nodes of the partition", keys.partitionname)
  local nodes = numbers_of(conf, at, keys.nodes)
  for name in keys.partitionname:gmatch "[^,]+" do
    refuse(conf.partitions[name], at, "each partition once", name)
    local time = time_of(at, keys.maxtime)
    local open = nodes and time ~= 0
    conf.left[("partition %s, of which no node counts or MaxTime is 0"):format(name)] = not open
      or nil
    local default = word_of(at, keys, "default", "NO", "NO YES") == "YES" or nil
    if default and conf.default then conf.default.default = nil end -- the last one counts
    local one = { nodes = nodes, max_time = time,
      exclusive = shared == "EXCLUSIVE" or conf.linear or nil,
      priority = number(at, keys, "prioritytier") or number(at, keys, "priority", 1),
      default = default }
    conf.default = default and one or conf.default
    conf.partitions[name] = open and one or nil
  end
end

-- Whether a resource counts by itself: types only do where there are several.
local function counts(conf, name)
  local of = name:match "^(.-):"
  return not of or next(conf.types[of], next(conf.types[of])) ~= nil
end

-- The kind of a node, and a text that equal ones have.
local function kind_of(conf, node, memory, typed)
  local kind, parts = { procs = node.procs }, {}
  kind.mem = memory and node.memory and node.memory .. "M" or nil
  for name, amount in pairs(node.has) do
    if counts(conf, name) and (typed or not name:find ":") then kind[name] = amount end
  end
  for i, name in ipairs(names.sorted(kind)) do parts[i] = name .. "=" .. kind[name] end
  return { kind, table.concat(parts, " ") }
end

-- Equal nodes that follow each other are a kind.
local function kinds_of(conf)
  local kinds, found, made, last, many = {}, {}, {}, nil, 0
  local memory = conf.select and conf.select:lower():find "memory" ~= nil
    or not conf.select and not conf.linear
  for _, node in ipairs(conf.kinds) do
    for name in pairs(node.has) do
      many = many + (counts(conf, name) and not found[name] and 1 or 0)
      found[name] = true
    end
  end
  local typed = many + (memory and 1 or 0) <= core.most.resources
  for _, node in ipairs(conf.nodes) do
    made[node] = made[node] or kind_of(conf, node, memory, typed)
    local kind, key = table.unpack(made[node])
    if key ~= last then
      kinds[#kinds + 1], last = { count = 0 }, key
      for name, value in pairs(kind) do kinds[#kinds][name] = value end
    end
    kinds[#kinds].count = kinds[#kinds].count + 1
  end
  conf.left["types of gres, which are too many"] = not typed or nil
  conf.left["memory, which SelectTypeParameters does not name"] = not memory or nil
  return kinds
end

local function add_pools(conf, at, text)
  for one in text:gmatch "[^,;]+" do
    local name, server, count = one:match "^%s*([^:=*@]+)([^:=*]*)[:=*]?(%d*)%s*$"
    refuse(not name, at, "NAME:COUNT in licenses", one)
    refuse(conf.servers[name .. server], at, "each licence once", name)
    conf.servers[name .. server] = true
    conf.pools[name] = (conf.pools[name] or 0) + amount_of(at, name, count)
  end
end

function slurm_conf.read(path, text)
  local conf = { nodes = {}, number = {}, types = {}, partitions = {}, pools = {}, left = {},
    names = {}, place = {}, kinds = {}, counted = {}, states = {}, features = {}, sets = {},
    servers = {} }
  local defaults, later = { nodename = {}, partitionname = {}, nodeset = {}, downnodes = {} }, {}
  for line, shown in lines_of((text:gsub("^\xEF\xBB\xBF", ""))) do -- without a byte order mark
    local at = { path = path, line = line }
    refuse(shown:lower():find "^%s*include%s", at, "one file with all lines (Include is not read)",
      shown:match "^%s*(.-)%s*$")
    local keys, first = keys_of(at, shown)
    local own, near = defaults[first], names.suggestion(first, { "nodename", "partitionname" })
    refuse(not own and near ~= "", at, "KEY=VALUE of a slurm.conf" .. near, first)
    if own and keys[first]:upper() == "DEFAULT" then
      keys[first] = nil
      for key, value in pairs(keys) do own[key] = value end
    elseif own then
      for key, value in pairs(own) do keys[key] = keys[key] or value end
      if first == "nodename" then add_nodes(conf, at, keys) end
      if first ~= "nodename" then later[#later + 1] = { at, keys, first } end
    end
    conf.select = not own and keys.selecttypeparameters or conf.select
    conf.linear = conf.linear or keys.selecttype == "select/linear"
    if keys.licenses and not own then add_pools(conf, at, keys.licenses) end
    for key, value in pairs(own and {} or keys) do
      conf.left[key] = GLOBAL[key] and not value:find "/none$" or conf.left[key]
    end
  end
  refuse(not conf.names[1], { path = path, line = 1 }, "lines with NodeName",
    "a slurm.conf without them")
  local function each(kind, add)
    for _, one in ipairs(later) do if one[3] == kind then add(conf, one[1], one[2]) end end
  end
  each("downnodes", set_down)
  number_nodes(conf)
  refuse(not conf.nodes[1], { path = path, line = 1 }, "a node that is not DOWN, DRAIN, FAIL or "
    .. "FUTURE", "none")
  each("nodeset", add_set)
  each("partitionname", add_partition)
  local kinds = kinds_of(conf)
  local left = names.sorted(conf.left)
  return { nodes = kinds, partitions = next(conf.partitions) and conf.partitions,
    pools = next(conf.pools) and conf.pools, not_modelled = left[1] and left,
    node_names = table.concat(conf.counted, ",") }
end

return slurm_conf
