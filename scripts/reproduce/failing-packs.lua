-- failing-packs: Which packs are best where processors fail? No paper has it; the chapter wishes it
--
-- Co-schedules of several pack policies run pack after pack under redistribution policies, from
-- processors that never fail to such that often do. scripts/reproduce/failing-packs/README.md says
-- what came out.
local options = require "orrery.command.options"
local reproduction = require "orrery.command.reproduction"

local paper = reproduction.paper("failing-packs", "Compares partitions of tasks into packs on "
  .. "processors that fail, with and without redistribution inside the packs, and writes figures, "
  .. "tables and a page.", { runs = 15 })
options.once(paper.parser)

return reproduction.command(paper)
