-- The simulation inside a session, which can be changed: a change is a fork with changes that takes
-- its place. Nothing has happened where it is refused.
local Changeable = {}

local function changeable(core) return setmetatable({ core = core }, Changeable) end

local methods = {}

function methods:fork(change) return changeable((self.core:fork(change))) end

-- Returns the remarks. A number of processors stands for them and no end.
function methods:change(given)
  local change = {}
  for name, value in pairs(given) do change[name] = value end
  if type(change.procs) == "number" then change.procs = { procs = change.procs } end
  local core, remarks = self.core:fork(change)
  self.core:close()
  self.core = core
  return remarks
end

function Changeable:__index(name)
  if methods[name] then return methods[name] end
  local value = self.core[name]
  if type(value) ~= "function" then return value end
  return function(_, ...) return value(self.core, ...) end
end

return changeable
