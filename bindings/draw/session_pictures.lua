-- session_pictures: the methods that draw sessions. A comparison draws results and does not load
-- this file and sessions.
local caller_error = require "orrery.support.caller_error"
local pictures = require "orrery.draw.pictures"
local sessions = require "orrery.session.session"

local function method(module, name)
  return function(...) return caller_error.checked(pictures[module][name], ...) end
end

for _, kind in ipairs { sessions.jobs, sessions.tasks } do
  kind.methods.show, kind.methods.gantt = method("terminal", "show"), method("gantt", "write")
  kind.methods.plot = method("plots", "session")
end

return sessions
