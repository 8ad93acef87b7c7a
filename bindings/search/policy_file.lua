-- policy_file: a candidate as the file of a policy: the files of its policy and of its priority,
-- with the values that were found as defaults of their options.
local literals = require "orrery.support.literals"
local policies = require "orrery.host.policies"

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

-- The text of the file; nil where the candidate is not made of files.
--   about  lines that say where it comes from
function policy_file.of(candidate, about)
  local given, head = candidate.policy, {}
  for i, line in ipairs(about) do head[i] = comment(line) end
  local text, own = part_of(given.policy, "dispatch")
  if not text then return nil end
  local found, lines = {}, { table.concat(head, "\n"), "local policy = " .. text }
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
