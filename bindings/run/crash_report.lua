-- crash_report: the details of a fatal error report that let the error be reproduced.
--
-- crash_report.check(details, ok, message, place)
-- returns `ok` and `message` as they are where there is no place (orr_runs_fail, in C), and raises
-- the report where there is one. details:
--   policies  their names        spec     what the run was given, a table
--   sets      { { name = } }, if there are several; `first` is the number of the first
--   run       what a scenario is called (default: "scenario")
--   policy    the position of the policy, where the place does not say it

local core = require "orrery.core"
local program = require "orrery.support.program"
local shell = require "orrery.support.shell"

local crash_report = {}

local function command_line()
  local given = rawget(_G, "arg")
  if type(given) ~= "table" or given[-1] == nil then return nil end
  local first, words = -1, {}
  while given[first - 1] ~= nil do first = first - 1 end
  for i = first, #given do words[#words + 1] = shell.quote(tostring(given[i])) end
  return table.concat(words, " ")
end

local function plain(value)
  return type(value) == "string" and ("%q"):format(value) or tostring(value)
end

local PLAIN = { number = true, string = true, boolean = true }

-- Fields that are numbers, texts and booleans, also those of a table in a field, in order; but not
-- the threads, on which nothing depends.
local function fields_of(spec, prefix, list)
  for name, value in pairs(spec) do
    if type(name) == "string" and PLAIN[type(value)] and name ~= "threads" then
      list[#list + 1] = prefix .. name .. " = " .. plain(value)
    elseif type(name) == "string" and type(value) == "table" and prefix == "" then
      fields_of(value, name .. ".", list)
    end
  end
  return list
end

local function sorted(list)
  table.sort(list)
  return #list > 0 and table.concat(list, ", ") or nil
end

local function options_of(options)
  local list = {}
  for name, value in pairs(type(options) == "table" and options or {}) do
    list[#list + 1] = tostring(name) .. "=" .. tostring(value)
  end
  return sorted(list)
end

-- details.policies is a list of names, or of { name =, priority = }.
local function policy_of(details, place)
  local policy = details.policies[place.policy or details.policy]
  if type(policy) ~= "table" then return policy end
  return policy.priority and policy.name .. " + " .. policy.priority or policy.name
end

local function where(details, place)
  local text = ("%d, seed %d"):format(place.scenario, place.seed)
  if place.set == 0 and not details.sets then return text end
  text = text .. (", set %d"):format(place.set)
  local set = details.sets and details.sets[place.set - (details.first or 0) + 1]
  return set and text .. (" (%s)"):format(set.name) or text
end

local function block(details, place)
  local spec = details.spec
  local command = command_line()
  local lines = {
    { "version", "orrery " .. core.version }, { "command", command },
    { "fields", not (command and program.of_command) and sorted(fields_of(spec, "", {}))
      or nil },
    { "policy", policy_of(details, place) }, { "options", options_of(spec.options) },
    { details.run or "scenario", place.scenario and where(details, place) },
    { "time", place.time and ("%.17g s"):format(place.time) },
    { "please", place.bug and "report this: it is a mistake of Orrery's own" or nil },
  }
  local text = {}
  for _, line in ipairs(lines) do
    if line[2] then text[#text + 1] = ("  %-9s %s"):format(line[1] .. ":", line[2]) end
  end
  return table.concat(text, "\n")
end

function crash_report.check(details, ok, message, place)
  if ok or type(place) ~= "table" then return ok, message end
  error(message .. "\n" .. block(details, place), 0)
end

return crash_report
