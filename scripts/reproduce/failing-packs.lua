-- failing-packs: Which packs are best where processors fail? No paper has it; the chapter wishes it
--
-- Co-schedules of several pack policies run pack after pack under redistribution policies, from
-- processors that never fail to such that often do. scripts/reproduce/failing-packs/README.md says
-- what came out.
local reproduction = require "orrery.command.reproduction"

return reproduction.command("failing-packs", "Compares partitions of tasks into packs on "
  .. "processors that fail, with and without redistribution inside the packs, and writes figures, "
  .. "tables and a page.", { runs = 15, once = true }, {})
