-- fields_seen: a class of the schema with the fields that hooks see. Their names, types, units and
-- texts stand beside their values in host/views_jobs.c and host/views_tasks.c; methods are written
-- here in schema/.
local core = require "orrery.core"

return function(class)
  local fields = core.fields_seen(class.class)
  table.move(class, 1, #class, #fields + 1)
  return table.move(fields, 1, #fields, 1, class)
end
