-- task_policies: describing policies for malleable tasks for the hosts.
--
-- The forms in which a user may give a policy:
--   "iterated-greedy"                    a name or a path, with options behind a colon; the hooks
--                                        that the file has are used
--   "end-local+iterated-greedy"          on_end of the first, on_fault of the second
--   { on_end = function, ... }           a policy itself, with the keys of a file
--   { on_end = part, on_fault = part, name =, options = }
--                                        parts: names, paths, tables, functions; false: nothing
--   { policy = ..., name =, options = }  any of these, with options and a name of its own
-- It becomes { name =, kind =, on_end = part, on_fault = part }, see sandbox.lua.

local checks = require "orrery.support.checks"
local policies = require "orrery.host.policies"
local policy_checks = require "orrery.host.policy_checks"
local policy_kinds = require "orrery.schema.policy_kinds"

local task_policies = {}

local KIND = policy_kinds.engines.tasks.name
local HOOKS = policy_kinds.engines.tasks.hooks

local function resolves(given)
  local named, name = pcall(policies.split_options, given)
  return named and pcall(policies.find, name, KIND)
end

-- "A+B" as A and B, split at the last + that has policies on both sides; nil for one policy. Where
-- a name is wrong, the last + is taken, so that the error tells which.
local function split(given)
  local at, first, second = 0, nil, nil
  for _ = 1, select(2, given:gsub("%+", "")) do
    at = given:find("+", at + 1, true)
    local left, right = given:sub(1, at - 1), given:sub(at + 1)
    if resolves(left) and resolves(right) then first, second = left, right end
  end
  if first or at == 0 or resolves(given) then return first, second end
  return given:sub(1, at - 1), given:sub(at + 1)
end

-- Whether the table names what its hooks are, rather than being a policy itself.
local function combines(given)
  for _, hook in ipairs(HOOKS) do
    if type(given[hook]) == "string" or type(given[hook]) == "table" then return true end
  end
  return false
end

local function combination(given)
  policy_checks.keys(nil, given, { "on_end", "on_fault", "name", "options" },
    "beside on_end and on_fault")
  local parts, names = {}, {}
  for i, hook in ipairs(HOOKS) do
    parts[hook] = given[hook] and policies.part(given[hook], KIND) or nil
    names[i] = parts[hook] and parts[hook].name or "none"
  end
  parts.name = table.concat(names, "+")
  return parts
end

-- One part for both hooks.
local function one_part(given)
  local part = policies.part(given, KIND)
  return { name = part.name, on_end = part, on_fault = part }
end

local function text_parts(given)
  local first, second = split(given)
  if not first then return one_part(given) end
  return {
    name = given, on_end = policies.part(first, KIND), on_fault = policies.part(second, KIND),
  }
end

-- Name and parts.
local function parts_of(given)
  if type(given) == "string" then return text_parts(given) end
  if type(given) == "function" then
    error("a function alone does not say when it is called: give { on_end = f } or "
      .. "{ on_fault = f }", 0)
  end
  if type(given) ~= "table" then
    error("expected the name of a redistribution policy or a table, found " .. type(given), 0)
  end
  return combines(given) and combination(given) or one_part(given)
end

local function check_own(given)
  local options, name = type(given.options), type(given.name)
  checks.expect(options == "nil" or options == "table", "options", "a table", options)
  checks.expect(name == "nil" or name == "string", "name", "text", name)
end

-- The policy, the options that it alone was given, and its own name.
local function unwrap(given)
  if type(given) ~= "table" or given.policy == nil and not combines(given) then return given end
  check_own(given)
  if given.policy == nil then return given, given.options, given.name end
  policy_checks.keys(nil, given, { "policy", "name", "options" }, "beside policy")
  return given.policy, given.options, given.name
end

-- The parts of a policy: { name =, on_end =, on_fault = }. on_end and on_fault are as policies.part
-- gives them, or nil; a part that stands for both hooks is the same table twice.
function task_policies.parts(given) return parts_of((unwrap(given))) end

-- A policy as { policy =, options =, name = }, also where it says these beside its parts.
function task_policies.choice(given)
  local policy, options, name = unwrap(given)
  if policy == given and options ~= nil or policy == given and name ~= nil then
    policy = { on_end = given.on_end, on_fault = given.on_fault }
  end
  return { policy = policy, options = options, name = name }
end

-- The options of a policy, name -> what its file declares; of two files that both have an option
-- the range is what both allow.
function task_policies.declared(given, limits)
  local parts, all = parts_of(given), {}
  for i, hook in ipairs(HOOKS) do
    local part = parts[hook]
    if part and not (i == 2 and part == parts.on_end) then
      for name, option in pairs(policies.declared_by(part, KIND, limits)) do
        local known = all[name]
        if known and type(known.default) == "number" and type(option.default) == "number" then
          known.least = math.max(known.least or -math.huge, option.least or -math.huge)
          known.most = math.min(known.most or math.huge, option.most or math.huge)
          if known.least == -math.huge then known.least = nil end
          if known.most == math.huge then known.most = nil end
          known.whole = known.whole or option.whole
        end
        all[name] = known or setmetatable({}, { __index = option })
      end
    end
  end
  return all
end

local function add_options(parts, set, used, limits)
  for i, hook in ipairs(HOOKS) do
    local part = parts[hook]
    if part and not (i == 2 and part == parts.on_end) then
      part.options = policies.options_for(part, KIND, set, used, limits)
    end
  end
end

-- The description of one policy, as policies.prepare gives it.
--   given   see above
--   set     options, name -> value; used: marked with the names that were taken
--   limits  { seconds =, memory =, instructions = } for loading; nil: the usual ones
function task_policies.prepare(given, set, used, limits)
  local policy, own, name = unwrap(given)
  local parts = parts_of(policy)
  parts.kind, parts.name = KIND, name or parts.name
  return policies.with_options(own, set, used, function(options, taken)
    add_options(parts, options, taken, limits)
    return policies.describing(parts)
  end)
end

return task_policies
