-- orrery: the public functions. Each loads what it needs when it is first called.
local caller_error = require "orrery.support.caller_error"
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local names = require "orrery.support.names"

local public = caller_error.public
local orrery = core.module

for name, value in pairs(core.values) do orrery[name] = value end

orrery.version = core.version
orrery.home = core.home
orrery.tasks = require "orrery.values.tasks"
orrery.tools = require "orrery.tools"
orrery.draw = setmetatable({}, { __index = function(_, name)
  return require("orrery.draw.pictures")[name]
end })

-- The modules that have pictures get them here, so that none of them needs to know what draws.
local function with_pictures(module)
  require "orrery.draw.pictures"
  return require(module)
end

-- --- workloads ----------------------------------------------------------------------------------

-- Jobs from a log, given by its path or its name.
function orrery.read(log, options)
  if type(log) ~= "string" then
    error(("read: expected the path or the name of a log, found %s"):format(type(log)), 2)
  end
  local logs = require "orrery.values.logs"
  local ok, checked = pcall(logs.options, options)
  if not ok then error(caller_error.without_place(checked), 2) end
  return core.values.read(logs.find(log), checked)
end

-- The busy weeks of a log, given by its path, its name, or as jobs: jobs:weeks(options).
function orrery.weeks(log, options)
  if type(log) == "string" then log = orrery.read(log) end
  local kind = checks.kind_of(log)
  if kind ~= "orrery.jobs" then
    error(("weeks: expected the path or the name of a log, or jobs, found %s"):format(kind), 2)
  end
  return caller_error.call(function() return log:weeks(options) end)
end

-- --- running ------------------------------------------------------------------------------------

-- Several policies on the same scenarios.
orrery.compare = public(function(spec)
  return with_pictures("orrery.run.compare").run(spec)
end)

-- Packs of moldable tasks, by several policies.
orrery.packs = public(function(spec)
  return with_pictures("orrery.run.packs").run(spec)
end)

orrery.pack_problem = public(function(spec)
  return with_pictures("orrery.packs.problem")(spec)
end)

-- One simulation to step through.
orrery.session = public(function(spec)
  local has_tasks = require("orrery.run.compare").has_tasks(spec)
  return with_pictures(has_tasks and "orrery.session.tasks" or "orrery.session.jobs")(spec)
end)

-- What differs between two sessions.
function orrery.diff(a, b, options) return require("orrery.session.diff").of(a, b, options) end

orrery.expected = public(function(given) return require("orrery.values.expected")(given) end)

-- --- policies and the reference -----------------------------------------------------------------

function orrery.policies() return require("orrery.host.catalogue").list() end

function orrery.describe(name)
  if type(name) ~= "string" then
    error(("describe: expected the name or the path of a policy, found %s"):format(type(name)), 2)
  end
  return require("orrery.host.catalogue").describe(name)
end

-- What the reference says of a thing (a function, an object, a name), in lines of `width` letters.
function orrery.help(thing, width)
  if width ~= nil and type(width) ~= "number" then
    error(("help: expected the width in letters, found %s"):format(checks.shown(width)), 2)
  end
  return require("orrery.reference.help").help(thing, width)
end

-- --- what is not there --------------------------------------------------------------------------

return setmetatable(orrery, { __index = function(_, name)
  local known = names.sorted(orrery)
  error(("orrery has no '%s'%s (known: %s)"):format(tostring(name), names.suggestion(name, known),
    table.concat(known, ", ")), 2)
end })
