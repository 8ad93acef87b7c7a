-- orrery: the public functions. Each loads what it needs when it is first called.
local caller_error = require "orrery.support.caller_error"
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local names = require "orrery.support.names"

local checked, public = caller_error.checked, caller_error.public
local orrery = core.module

for name, value in pairs(core.values) do orrery[name] = value end

orrery.version = core.version
orrery.home = core.home
orrery.tasks = {}
for _, name in ipairs { "synthetic", "read", "list" } do
  orrery.tasks[name] = function(...) return require("orrery.values.tasks")[name](...) end
end
orrery.tools = require "orrery.tools"
orrery.draw = setmetatable({}, { __index = function(_, name)
  local module = "orrery.draw." .. tostring(name)
  if core.embedded(module) then return require(module) end
  error(("there is no picture '%s'"):format(tostring(name)), 2)
end })

-- A method that runs a function of a module that draws, which is loaded at the first call.
local function drawn(module, name)
  return function(...) return checked(orrery.draw[module][name], ...) end
end

-- The same, of a result, where the values of all scenarios are looked at.
local function drawn_of_values(module, name)
  local draw = drawn(module, name)
  return function(result, ...)
    require("orrery.run.results").need_values(result)
    return draw(result, ...)
  end
end

-- The methods that draw, by class.
core.drawn = {
  ["orrery.result"] = { plot = drawn_of_values("plots", "result"),
    report = drawn_of_values("report", "write") },
  ["orrery.search"] = { report = drawn("search_report", "write") },
  ["orrery.session"] = { show = drawn("terminal", "show"), gantt = drawn("gantt", "write"),
    plot = drawn("plots", "session") },
}
local _, coschedules = core.class "orrery.packs.coschedule"
coschedules.show, coschedules.gantt = drawn("terminal", "show"), drawn("gantt", "write")

-- --- workloads ----------------------------------------------------------------------------------

-- Jobs from a log, given by its path or its name.
function orrery.read(log, options)
  local logs = require "orrery.values.logs"
  checked(checks.expect, type(log) == "string", "read", "the path or the name of a log", type(log))
  options = checked(logs.options, options)
  return core.values.read(logs.find(log), options)
end

-- The busy weeks of a log, given by its path, its name, or as jobs: jobs:weeks(options).
function orrery.weeks(log, options)
  if type(log) == "string" then log = orrery.read(log) end
  local kind = checks.kind_of(log)
  checked(checks.expect, kind == "orrery.jobs", "weeks",
    "the path or the name of a log, or jobs", kind)
  return caller_error.call(function() return log:weeks(options) end)
end

-- The methods of jobs that are written in Lua; their code is loaded at the first call.
local _, jobs = core.class "orrery.jobs"
for _, name in ipairs { "describe", "plot", "report" } do
  jobs[name] = public(function(...) return require("orrery.draw.log")[name](...) end)
end

-- --- running ------------------------------------------------------------------------------------

-- A machine of a file or a table.
orrery.machine = public(function(given) return require("orrery.values.machine").of(given) end)

-- Several policies on the same scenarios.
orrery.compare = public(function(spec)
  return require("orrery.run.compare").run(spec)
end)

-- Searches among many policies for one that is better than given ones.
orrery.search = public(function(spec)
  return require("orrery.search.search").run(spec)
end)

-- Packs of moldable tasks, by several policies.
orrery.packs = public(function(spec)
  return require("orrery.run.packs").run(spec)
end)

-- Tasks on processors, to be put into packs.
orrery.pack_problem = public(function(spec)
  checks.fields("pack_problem", spec, "packs.ProblemSpec")
  for _, name in ipairs { "tasks", "procs" } do
    if spec[name] == nil then error(("pack_problem: %s is missing"):format(name), 0) end
  end
  return core.pack_problem(spec.tasks, spec.procs, spec.k, spec.least)
end)

-- One simulation to step through.
orrery.session = public(function(spec)
  local has_tasks = require("orrery.run.compare").has_tasks(spec)
  return require(has_tasks and "orrery.session.tasks" or "orrery.session.jobs")(spec)
end)

-- The differences between two sessions.
function orrery.diff(a, b, options) return require("orrery.session.diff").of(a, b, options) end

orrery.expected = public(function(given) return require("orrery.values.expected")(given) end)

-- --- policies and the reference -----------------------------------------------------------------

function orrery.policies() return require("orrery.host.catalogue").list() end

orrery.describe = public(function(name, limits)
  checks.expect(type(name) == "string", "describe", "the name or the path of a policy", type(name))
  return require("orrery.host.catalogue").describe(name, limits)
end)

-- The reference's entry for a function, an object or a name, in lines of `width` characters.
function orrery.help(thing, width)
  checked(checks.expect, width == nil or type(width) == "number", "help",
    "the width in letters", checks.shown(width))
  return require("orrery.reference.help").help(thing, width)
end

return names.closed(orrery, "orrery has")
