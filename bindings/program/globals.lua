-- globals: the globals of the prompt and of scripts besides Lua and orrery.
--
-- A call, globals(), makes them: times at once, the rest by name, at the first use:
--   value  function() -> the value, nil before it is loaded
--   load   function() -> the value
--   kind   of the object, in the reference
-- The prompt adds its own; completion reads them.
local orrery = require "orrery"
local YEAR = require("orrery.support.clock").YEAR

local globals = {}

local month
globals.month = {
  kind = "jobs", value = function() return month end,
  load = function()
    month = month or orrery.read(orrery.home .. "/data/mira/sample-2019-06.csv")
    return month
  end,
}

local function set()
  for name, seconds in pairs { minute = 60, hour = 3600, day = 86400, week = 604800,
    year = YEAR } do
    _G[name] = seconds -- numbers, so that policies typed here can use them
  end
  setmetatable(_G, { __index = function(_, name)
    local one = globals[name]
    return one and one.load()
  end })
end

return setmetatable(globals, { __call = set })
