-- policy_file: a candidate as the file of a policy: the files of its policy and of its priority,
-- with the values that were found as defaults of their options.
local literals = require "orrery.support.literals"
local policies = require "orrery.host.policies"
local policy_kinds = require "orrery.schema.policy_kinds"
local task_policies = require "orrery.host.task_policies"

local policy_file = {}

local function expression_of(text)
  return ("(function(...)\n%s\nend)(...)"):format((text:gsub("%s+$", "")))
end

-- The text of a policy's file as an expression of its own, and the options behind its name.
local function part_of(given, kind)
  local own_text = policies.text_of(given)
  if own_text then return expression_of(own_text), {} end
  if type(given) ~= "string" then return nil end
  local name, own = policies.split_options(given)
  local _, text = policies.find(name, kind)
  return expression_of(text), own or {}
end

local function comment(text) return "-- " .. text:gsub("%c", " ") end

local BODY = [[
local found = %s -- values of options

local function said_by(file, options) return type(file) == "function" and file(options) or file end

return function(options)
  local said = said_by(policy, options)
  said.name = %s
%s  for name, value in pairs(found) do
    local option = said.options[name]
    if type(option) == "table" then option.default = value else said.options[name] = value end
  end
  return said
end
]]

local ORDER = [[
  local order = said_by(priority, options)
  said.priority, said.per = order.priority, order.per
  for name, option in pairs(order.options or {}) do
    said.options = said.options or {}
    said.options[name] = option
  end
]]

-- A value of an option that was given as text, behind the name of the policy.
local function value_of(text)
  if text == "true" or text == "false" then return text == "true" end
  return math.tointeger(text) or tonumber(text) or text
end

local function head_of(about)
  local head = {}
  for i, line in ipairs(about) do head[i] = comment(line) end
  return table.concat(head, "\n")
end

-- --- redistribution policies --------------------------------------------------------------------

-- The hooks of two files in one. What was given behind one's name is that one's alone.
local JOINED = [[
local found = %s -- values of options
local bound = { %s, %s } -- of the first and of the second alone

local function said_by(file, own, options)
  local all = {}
  for name, value in pairs(options) do all[name] = value end
  for name, value in pairs(own) do all[name] = value end
  return type(file) == "function" and file(all) or file
end

local function options_of(first, second)
  local all = {}
  for i, said in ipairs { first, second } do
    for name, option in pairs(said.options or {}) do
      if bound[i][name] == nil and all[name] == nil then all[name] = option end
    end
  end
  for name, value in pairs(found) do
    if type(all[name]) == "table" then
      all[name].default = value
    elseif all[name] ~= nil then
      all[name] = value
    end
  end
  return all
end

return function(options)
  local first, second = said_by(first, bound[1], options), said_by(second, bound[2], options)
  local caches = {}
  for _, said in ipairs { first, second } do
    for _, name in ipairs(said.caches or {}) do caches[#caches + 1] = name end
  end
  return {
    name = %s,
    options = options_of(first, second), caches = caches[1] and caches,
    on_end = first.on_end, on_fault = second.on_fault, every_fault = second.every_fault,
    on_start = first.on_start or second.on_start, period = first.period or second.period,
    init = (first.init or second.init) and function(sim)
      if first.init then first.init(sim) end
      if second.init then second.init(sim) end
    end,
  }
end
]]

local function values_of(own)
  local values = {}
  for name, value in pairs(own or {}) do values[name] = value_of(value) end
  return values
end

-- The option values that belong to one of two files alone: the options behind its name; for the
-- second file also its defaults of options that both declare and that were not searched.
local function bound_of(first, second, found)
  local of_first, of_second = values_of(first and first.own), values_of(second and second.own)
  local declared = { {}, {} }
  for i, part in pairs { first, second } do
    declared[i] = policies.declared_by(part, policy_kinds.engines.tasks.name)
  end
  for name in pairs(declared[1]) do
    local option = declared[2][name]
    if option and found[name] == nil and of_second[name] == nil then
      of_second[name] = option.default
    end
  end
  return of_first, of_second
end

local function joined(candidate, parts, about)
  local first, second = parts.on_end, parts.on_fault
  if first and not first.text or second and not second.text then return nil end
  local found = candidate.policy.options or {}
  local of_first, of_second = bound_of(first, second, found)
  return table.concat({ head_of(about),
    "local first = " .. (first and expression_of(first.text) or "{}"),
    "local second = " .. (second and expression_of(second.text) or "{}"),
    JOINED:format(literals.shown(found), literals.shown(of_first), literals.shown(of_second),
      literals.exact(candidate.name)) }, "\n")
end

-- --- all of them --------------------------------------------------------------------------------

-- The text of the file; nil where the candidate is not made of files.
--   about  lines that say where it comes from
function policy_file.of(candidate, about)
  local given = candidate.policy
  if candidate.kind == "tasks" then
    local parts = task_policies.parts(given)
    if parts.on_end ~= parts.on_fault then return joined(candidate, parts, about) end
  end
  local text, own = part_of(given.policy, policy_kinds.engines[candidate.kind or "jobs"].name)
  if not text then return nil end
  local found, lines = {}, { head_of(about), "local policy = " .. text }
  for name, value in pairs(own) do found[name] = value_of(value) end
  if given.priority ~= nil then
    local order, of_order = part_of(given.priority, "priority")
    if not order then return nil end
    for name, value in pairs(of_order) do found[name] = value_of(value) end
    lines[#lines + 1] = "local priority = " .. order
  end
  for name, value in pairs(given.options or {}) do found[name] = value end
  lines[#lines + 1] = BODY:format(literals.shown(found), literals.exact(candidate.name),
    given.priority ~= nil and ORDER or "")
  return table.concat(lines, "\n")
end

return policy_file
