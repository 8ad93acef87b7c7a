-- reference: all that is known of the functions, objects and tables of the module, in one table,
-- for the prompt, the manuals and the annotations.
local help = require "orrery.reference.help"
local objects = require "orrery.reference.objects"
local index = require "orrery.reference.index"
local text = require "orrery.reference.text"

local reference = {}

for _, part in ipairs { index, text, objects, help } do
  for name, value in pairs(part) do reference[name] = value end
end

return reference
