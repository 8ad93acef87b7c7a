-- policies: finding policies by name and describing them for the hosts.

local closures = require "orrery.host.closures"
local core = require "orrery.core"
local folders = require "orrery.support.folders"
local policy_checks = require "orrery.host.policy_checks"
local policy_kinds = require "orrery.schema.policy_kinds"
local suggestion = require("orrery.support.names").suggestion

local KINDS = policy_kinds.by_name

local policies = {}

-- --- where they are -----------------------------------------------------------------------------

local IO_ERROR, IS_FOLDER = 5, 21 -- errno
local MOST = 64 << 20 -- bytes that are read of a file; limits.source is less

local function read(path)
  local file, problem, code = io.open(path, "rb")
  if not file then
    if code == IO_ERROR then core.note_code(problem, "io") end
    return nil, problem
  end
  local parts, size, part = {}, 0
  repeat
    part, problem, code = file:read(1 << 16)
    parts[#parts + 1], size = part, size + #(part or "")
  until not part or size > MOST
  local text = not code and table.concat(parts) or nil
  file:close()
  if text and #text > MOST then return nil, ("%s: it has more than %d bytes"):format(path, MOST) end
  local is_folder = code == IS_FOLDER
  if not text and not is_folder then core.note_code(path .. ": " .. problem, "io") end
  return text, not text and not is_folder and path .. ": " .. problem or nil
end

-- All policies that have a name: a sorted list of { name = "dispatch/easy", folder =, short =,
-- path = }. The specs of a policy beside it are none.
function policies.list()
  local list = {}
  for _, file in ipairs(folders.scripts("policies", 1)) do
    if file.short:sub(-5) ~= "_spec" then list[#list + 1] = file end
  end
  return list
end

function policies.names()
  local names = {}
  for i, policy in ipairs(policies.list()) do names[i] = policy.name end
  return names
end

-- --- names --------------------------------------------------------------------------------------

-- Whether a policy of that folder may be what is asked for by `kind`; nil: anything. In a folder
-- that Orrery does not know there are policies for jobs.
local function may_be(folder, kind)
  return kind == nil or folder == kind or kind == "dispatch" and not KINDS[folder]
    or KINDS[folder] and KINDS[folder].stands_for == kind
end

-- The policy is there, but it is of another kind.
local function misplaced(name, policy, kind)
  local found = KINDS[policy.folder] or KINDS.dispatch
  local subject = name == policy.name and ("'%s' is %s"):format(name, found.what)
    or ("'%s' is %s (%s)"):format(name, found.what, policy.name)
  local asked = policy_kinds.taken_as(kind)
  if asked.instead and asked.instead[found.of] then
    error(("%s; %s"):format(subject, asked.instead[found.of]), 0)
  elseif asked.wanted then
    error(("%s, %s"):format(subject, asked.wanted), 0)
  elseif found.of ~= "jobs" then
    error(("%s, for tasks; jobs want %s"):format(subject, asked.what), 0)
  end
  error(("%s; %s"):format(subject, found.give), 0)
end

local function unknown(name, kind)
  local names = {}
  for _, policy in ipairs(policies.list()) do
    if name == policy.short or name == policy.name then misplaced(name, policy, kind) end
    if may_be(policy.folder, kind) then
      names[#names + 1] = policy.name
      names[#names + 1] = policy.short
    end
  end
  error(("there is no policy '%s'%s"):format(name,
    suggestion(name, names, "; `orrery policies` lists them")), 0)
end

-- The file of a policy given by name or path; `kind` is the folder that may be left out, nil: any.
-- Files are read whenever they are asked for: what has changed since is what runs.
local function find(name, kind)
  local is_path = name:match("%.lua$") or name:find("/", 1, true)
  if is_path then
    local text, problem = read(name)
    if text then return name, text end
    if name:match("%.lua$") then
      error("cannot read the policy file " .. (problem or name .. ": it is a folder"), 0)
    end
  end
  local folder, short = name:match "^([%w_-]+)/([%w_-]+)$"
  folder, short = folder or kind, short or name:match "^[%w_-]+$"
  if folder and short and short:sub(-5) ~= "_spec" and may_be(folder, kind) then -- most are there
    for _, root in ipairs(folders.roots()) do
      local path = ("%s/policies/%s/%s.lua"):format(root, folder, short)
      local text = read(path)
      if text then return path, text end
    end
  end
  local found
  for _, policy in ipairs(policies.list()) do
    local may = may_be(policy.folder, kind)
    if policy.name == name and may or policy.folder == kind and policy.short == name then
      found = policy
      break
    elseif policy.short == name and may then
      found = found or policy
    end
  end
  if not found then unknown(name, kind) end
  local text, problem = read(found.path)
  if not text then error("cannot read the policy file " .. problem, 0) end
  return found.path, text
end

-- While `policies.memory` is a table, policies with names are read once, what a text declares is
-- asked once, and a prepared policy keeps its Lua state for runs (its field `ready`, until that is
-- nil). Who prepares many policies sets it to {} before and to nil behind each.
--   found     kind .. name -> { path, text };  declared  kind .. text -> options
local function remembered(memory, name, kind)
  local key = (kind or "") .. ":" .. name
  memory.found = memory.found or {}
  if not memory.found[key] then memory.found[key] = { find(name, kind) } end
  return memory.found[key][1], memory.found[key][2]
end

-- The path and the text of that file. policies.on_read(path, text) is told, where there is one.
function policies.find(name, kind)
  local is_remembered = policies.memory and not name:match "%.lua$"
  local path, text
  if is_remembered then
    path, text = remembered(policies.memory, name, kind)
  else
    path, text = find(name, kind)
  end
  if text:sub(1, 1) == "\27" then -- of which Lua tells no file
    error(("policy %s: attempt to load a binary chunk; a policy's file is text"):format(path), 0)
  end
  if policies.on_read then policies.on_read(path, text) end
  return path, text
end

-- --- descriptions for the hosts -----------------------------------------------------------------

-- A name for a policy without one: where it was written.
local function name_of(value)
  if type(value) == "table" then
    if value.name ~= nil then return tostring(value.name) end
    local hook = value.dispatch or value.priority or value.on_submit
    for _, kind in ipairs(policy_kinds) do
      for _, name in ipairs(kind.hooks) do hook = hook or value[name] end
    end
    return type(hook) == "function" and name_of(hook) or "table"
  end
  local info = debug.getinfo(value, "S")
  return ("function at %s:%d"):format(info.short_src, info.linedefined)
end

-- "dispatch/list:reservations=3,reading=head": the name, and the options behind it (nil: none).
function policies.split_options(given)
  local name, list = given:match("^(.-):([%w_-]+=.*)$")
  if not name then return given end
  local options = {}
  for one in (list .. ","):gmatch("(.-),") do
    local key, value = one:match("^([%w_-]+)=(.*)$")
    if not key then
      error(("policy %s: expected option=value behind the colon, found '%s'"):format(given, one), 0)
    end
    options[key] = value
  end
  return name, options
end

-- A policy's file that lies nowhere, to be given in the place of a path.
local Text = {}
function policies.text(name, text) return setmetatable({ name = name, text = text }, Text) end
function policies.text_of(given) return getmetatable(given) == Text and given.text or nil end

-- A part (see sandbox.lua) from what a user gives: a name (with options), a path, a table or a
-- function. `kind` is the folder.
function policies.part(given, kind, options)
  if type(given) == "string" then
    local name, own = policies.split_options(given)
    local path, text = policies.find(name, kind)
    return { name = given, path = path, text = text, options = options, own = own }
  end
  if getmetatable(given) == Text then
    return { name = given.name, path = given.name, text = given.text, options = options }
  elseif type(given) == "table" or type(given) == "function" then
    return {
      name = name_of(given), value = given, options = options,
      plain = type(given) == "function" and kind ~= "dispatch" or nil,
    }
  end
  error(("expected the name of a policy, a table or a function, found %s"):format(type(given)), 0)
end

-- A part that is a file, among those of a description.
local function file_of(value)
  for _, part in pairs(value) do
    local path = type(part) == "table" and (part.path or file_of(part))
    if path then return path end
  end
end

-- A description for the hosts, as text, or with the reason why it cannot be copied. A file may be
-- by a stranger: it is never loaded into the caller's state.
function policies.describing(value)
  local text, reason = closures.encode(value, _G)
  local file = not text and file_of(value)
  if file then
    error(("policy %s reads %s; the file %s runs only in a Lua state of its own, where numbers, "
      .. "texts, tables and functions can be copied"):format(value.name, reason, file), 0)
  end
  return {
    text = text, value = not text and value or nil, reason = reason, policy_name = value.name,
  }
end

-- The host's description of a part. The part stands for all hooks of its kind, the folder.
local function describe_part(part, kind, limits)
  local its = policy_kinds.taken_as(kind)
  local value = { name = part.name, kind = its.of ~= "jobs" and its.name or nil }
  for _, hook in ipairs(its.hooks) do value[hook] = part end
  return core.describe(policies.describing(value), limits)[its.hooks[1]]
end

-- The name of the kind of policy in a file.
function policies.kind_of_file(path, limits)
  local part = policies.part(path)
  local value = { name = part.name, kind = "any", any = part }
  return core.describe(policies.describing(value), limits).kind
end

-- The description of a policy: the table that its file returns, checked; and the name of its kind.
function policies.describe(name, kind, limits)
  local folder = kind or name:match("^(.-)/") or "dispatch"
  if not KINDS[folder] then folder = "dispatch" end
  return describe_part(policies.part(name, folder), folder, limits), folder
end

local function declared_by(part, kind, limits)
  local memory = part.text and policies.memory
  if not memory then return describe_part(part, kind, limits).options end
  local key = kind .. ":" .. part.text
  memory.declared = memory.declared or {}
  memory.declared[key] = memory.declared[key] or describe_part(part, kind, limits).options
  return memory.declared[key]
end

-- The options that a part's file declares; options behind the file's name do not change them.
function policies.declared_by(part, kind, limits)
  return declared_by({ name = part.name, path = part.path, text = part.text, value = part.value,
    plain = part.plain }, kind, limits)
end

-- The options of a part: the options in `set` that it declares (they are marked in `used`; the rest
-- is for other policies), overridden by its own.
function policies.options_for(part, kind, set, used, limits)
  local own = part.own
  part.own = nil
  if not next(set) then return own end
  local declared, mine = declared_by(part, kind, limits), {}
  for name, value in pairs(set) do
    if declared[name] then
      mine[name] = value
      used[name] = true
    end
  end
  for name, value in pairs(own or {}) do mine[name] = value end
  return mine
end

-- Calls prepare(options, used) with the options that a policy alone was given, all of which it must
-- have, or with those of the run.
function policies.with_options(own, set, used, prepare)
  if not own then return prepare(set, used) end
  local taken = {}
  local prepared = prepare(own, taken)
  for name in pairs(own) do
    if not taken[name] then
      error(("policy %s has no option '%s'"):format(prepared.policy_name, name), 0)
    end
  end
  return prepared
end

local function write_description(prepared, value)
  local made = policies.describing(value)
  prepared.text, prepared.value, prepared.reason = made.text, made.value, made.reason
  prepared.ready = nil
end

-- Brings along the policies that `value` names, and those that these name.
local function add_names(prepared, value, limits)
  value.names = {}
  while true do
    write_description(prepared, value)
    local said
    said, prepared.ready = core.describe(prepared, limits, true)
    if #said.missing == 0 then return said end
    for _, one in ipairs(said.missing) do
      local found, part = pcall(policies.part, one.name, one.kind)
      if not found then error(("policy %s: %s"):format(value.name, part), 0) end
      part.options, part.own = part.own, nil
      value.names[one.kind .. ":" .. one.name] = part
    end
  end
end

-- Gives a prepared policy `more` extra processors, in its first group.
function policies.add_processors(prepared, more)
  prepared.procs = prepared.procs + more
  if not prepared.has_groups then return end
  prepared.description.more = more
  write_description(prepared, prepared.description)
end

-- The description of one policy with its priority: { text = ... }, or { value =, reason = } where
-- it reads something that cannot be copied; the names for reports; procs, with the extra
-- processors of its groups, and how many these are.
--   policy    name, path, table, or function(sim) (a dispatch hook); or one of these with its own
--             priority, options and name: { policy =, priority =, options =, name = }
--   priority  name, path, table, function(job, view), or nil: the policy's own, else FCFS
--   set       options, name -> value; used: marked with the names that were taken
--   limits    { seconds =, memory =, instructions = } for loading; nil: the usual ones
--   procs     of the machine;  nodes: whether it has nodes;  plain: whether nothing but jobs of
--             2 s or more and failures of jobs happens (the order is the policy's own)
function policies.prepare(policy, priority, set, used, limits, procs, nodes, plain)
  if type(policy) == "table" and policy.policy ~= nil then
    policy_checks.keys(nil, policy, { "policy", "priority", "options", "name" }, "beside policy")
    local result = policies.with_options(policy.options, set, used, function(options, taken)
      return policies.prepare(policy.policy, policy.priority or priority, options, taken, limits,
        procs, nodes, plain)
    end)
    result.policy_name = policy.name or result.policy_name
    return result
  end
  if type(policy) == "function" then policy = { dispatch = policy } end
  local dispatch = policies.part(policy, "dispatch")
  dispatch.options = policies.options_for(dispatch, "dispatch", set, used, limits)
  local order = priority ~= nil and policies.part(priority, "priority") or nil
  if order then order.options = policies.options_for(order, "priority", set, used, limits) end
  local name = order and dispatch.name .. " + " .. order.name or dispatch.name
  local value = { name = name, dispatch = dispatch, priority = order, procs = procs,
    nodes = nodes or nil, plain = plain and not order or nil }
  local prepared = { policy_name = dispatch.name, description = value }
  local said = add_names(prepared, value, limits)
  prepared.priority_name = order and order.name or said.dispatch.priority and "own" or nil
  prepared.has_groups, prepared.extra = said.groups, said.extra or 0
  prepared.procs = procs + prepared.extra
  return prepared
end

-- --- errors of the given policies ---------------------------------------------------------------

-- A policy that there is not, cannot be read or does not have the option is bad input: the errors
-- of these functions say so, unless the file reached a limit.
for _, name in ipairs { "find", "split_options", "part", "describe", "kind_of_file", "describing",
  "options_for", "with_options", "prepare", "declared_by" } do
  local plain = policies[name]
  policies[name] = function(...)
    local results = table.pack(pcall(plain, ...))
    if results[1] then return table.unpack(results, 2, results.n) end
    local problem = results[2]
    local _, code = core.error_code(problem)
    if not code or code == "policy" then core.note_code(problem, "input") end
    error(problem, 0)
  end
end

return policies
