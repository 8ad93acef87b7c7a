-- policies: lists the policies, or describes one policy and its options
--
--   orrery policies
--   orrery policies easy
local argparse = require "argparse"
local command = require "orrery.command.command"
local options = require "orrery.command.options"
local orrery = require "orrery"
local output = require "orrery.command.output"

local parser = argparse("orrery policies", "Lists all policies, your own included, with what they "
  .. "say about themselves; with a name, one of them in detail.")
parser:argument("name", "A policy: its name, or its file."):args "?":argname "NAME"
options.add(parser, { { options.TABLE, output.QUIET } })

local PER = {
  workload = "asked once per job", scenario = "asked anew in every scenario",
  attempt = "asked again whenever a job comes back to the queue",
  decision = "asked for all waiting jobs at every decision",
}

-- Removes empty texts.
local function described(policy)
  if policy.about == "" then policy.about = nil end
  if policy.title == "" then policy.title = nil end
  if policy.hooks then orrery.tools.list(policy.hooks) end
  return policy
end

-- "1 jobs, or all": the default with its unit, and what else may be given.
local function values_of(option)
  local text = tostring(option.default) .. (option.unit and " " .. option.unit or "")
  local others = {}
  for _, value in ipairs(option.values or {}) do
    if value ~= option.default then others[#others + 1] = tostring(value) end
  end
  return #others > 0 and text .. ", or " .. table.concat(others, ", ") or text
end

-- " (from 0 to 1)": which numbers may be given.
local function range_of(option)
  local text = option.least and option.most and ("from %g to %g"):format(option.least, option.most)
    or option.least and ("at least %g"):format(option.least)
    or option.most and ("at most %g"):format(option.most)
  return text and " (" .. text .. ")" or ""
end

-- --- all ----------------------------------------------------------------------------------------

local function print_all(list)
  local rows = {}
  for _, policy in ipairs(list) do
    if policy.problem then
      rows[#rows + 1] = { name = policy.name,
        about = "cannot be used: " .. policy.problem:match("^[^\n]*") }
    else
      rows[#rows + 1] = { name = policy.name, about = policy.about or policy.title or "" }
      for _, name in ipairs(orrery.tools.sorted(policy.options or {})) do
        rows[#rows + 1] = { name = "",
          about = ("  %s = %s"):format(name, values_of(policy.options[name])) }
      end
    end
  end
  command.print_list(rows)
end

-- --- one ----------------------------------------------------------------------------------------

local function line(name, text)
  if text then print(("  %-8s %s"):format(name, text)) end
end

-- The hooks of a policy, without the one that its kind is named after; nil: none.
local function hooks(policy)
  if policy.hooks then return policy.hooks[1] and table.concat(policy.hooks, ", ") end
  local list = {}
  if policy.on_end then list[1] = "on_end, when a task ends" end
  if policy.on_fault then list[#list + 1] = "on_fault, when a fault strikes one" end
  if policy.on_start then list[#list + 1] = "on_start, before they start" end
  if policy.period then list[#list + 1] = "period, for their checkpoints" end
  return list[1] and table.concat(list, "; ")
end

local function print_one(policy)
  print(policy.title and ("%s: %s"):format(policy.name, policy.title) or policy.name)
  line("about", policy.about or not policy.title and command.NOTHING or nil)
  line("source", policy.source)
  line("file", policy.path)
  line("per", policy.per and ("%s: the priority is %s"):format(policy.per, PER[policy.per]))
  line("hooks", hooks(policy))
  for i, name in ipairs(orrery.tools.sorted(policy.options or {})) do
    local option = policy.options[name]
    line(i == 1 and "options" or "", ("%s = %s%s%s"):format(name, values_of(option),
      range_of(option), option.about and ": " .. option.about or ""))
  end
end

return command.new(parser, function(given)
  output.check(given)
  local list = given.name and { orrery.describe(given.name) } or orrery.policies()
  for _, policy in ipairs(list) do described(policy) end
  if given.name then print_one(list[1]) else print_all(list) end
  output.write(given, { json = function(path) output.json(path, { policies = list }) end })
end)
