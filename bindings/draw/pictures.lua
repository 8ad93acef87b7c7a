-- draw: pictures of sessions, results and co-schedules. The parts, bindings/draw/*.lua, are
-- loaded when the first picture that wants them is drawn.
--
-- Called with the table `core` of internal functions, the module, the loader of embedded files, the
-- class of results, and `blame`; returns the parts by name, and `session`, the methods of sessions.

local core, orrery, load_embedded, Result, blame = ...

local draw = {}

local PARTS = {}
for _, name in ipairs { "axis", "boxes", "figure", "gantt", "gnuplot", "html", "metrics", "model",
  "palette", "pixels", "plots", "redraw", "report", "report_text", "steps", "svg", "terminal",
  "zoom" } do
  PARTS[name] = true
end

setmetatable(draw, { __index = function(self, name)
  if not PARTS[name] then error(("there is no picture '%s'"):format(tostring(name)), 2) end
  local part = load_embedded("draw/" .. name)(self, core, orrery)
  rawset(self, name, part)
  return part
end })

-- A method that runs a part's function. Its errors name the place where it was called.
local function method(part, name)
  return function(...)
    local found = table.pack(pcall(draw[part][name], ...))
    if found[1] then return table.unpack(found, 2, found.n) end
    local problem = found[2]
    if type(problem) == "string" then problem = problem:gsub("^orrery/[%w_/]+%.lua:%d+: ", "") end
    blame(problem)
  end
end

rawset(draw, "session", {
  show = method("terminal", "show"), gantt = method("gantt", "write"),
  plot = method("plots", "session"),
})

-- Co-schedules are values of the C part, which knows no pictures.
local coschedules = debug.getregistry()["orrery.packs.coschedule"].methods
coschedules.show, coschedules.gantt = method("terminal", "show"), method("gantt", "write")

Result.plot = method("plots", "result")
Result.report = method("report", "write")

return draw
