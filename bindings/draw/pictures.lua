-- pictures: the methods that draw results and co-schedules; session_pictures.lua has the methods of
-- sessions. The drawing modules are loaded for the first picture that needs them.
--
-- Returns orrery.draw: the modules of this folder by name.

local caller_error = require "orrery.support.caller_error"
local core = require "orrery.core"
local renamed = require "orrery.support.renamed"
local results = require "orrery.run.results"

local pictures = setmetatable({}, { __index = function(self, name)
  local module = "orrery.draw." .. tostring(name)
  if not package.preload[module] then
    error(renamed(module, core.home) or ("there is no picture '%s'"):format(tostring(name)), 3)
  end
  rawset(self, name, require(module))
  return rawget(self, name)
end })

-- A method that runs a module's function. Its errors name the place where it was called.
local function method(module, name)
  return function(...) return caller_error.checked(pictures[module][name], ...) end
end

-- Co-schedules are values of the C part, which knows no pictures.
local _, coschedules = core.class "orrery.packs.coschedule"
coschedules.show, coschedules.gantt = method("terminal", "show"), method("gantt", "write")

-- A method of results that looks at the values of all scenarios.
local function of_values(module, name)
  local draw = method(module, name)
  return function(result, ...)
    results.need_values(result)
    return draw(result, ...)
  end
end

results.class.plot = of_values("plots", "result")
results.class.report = of_values("report", "write")

return pictures
