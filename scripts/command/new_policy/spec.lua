-- What NAME.lua promises. In the folder of this file:
--
--   RUN
local orrery = require "orrery"

local here = debug.getinfo(1, "S").source:match "^@(.*/)" or "./"
local policy = here .. "NAME.lua"

describe("NAME", function()
  -- SPECS
end)
