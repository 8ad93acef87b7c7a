-- reference: all that is known of the functions, objects and tables of the module, in one table,
-- for the prompt, the manuals and the annotations.
local help = require "orrery.reference.help"
local objects = require "orrery.reference.objects"
local schema = require "orrery.reference.schema"
local text = require "orrery.reference.text"

local reference = {}

for _, part in ipairs { schema, text, objects, help } do
  for name, value in pairs(part) do reference[name] = value end
end

return reference
