-- redistribution: Malleable tasks under faults (RR-8795), figures 5 to 14; the chapter's 1.4 to 1.7
--
--   orrery reproduce redistribution --quick
--   orrery reproduce redistribution --figure 8 --policy end-local+my-own.lua
--   orrery reproduce redistribution --figure 1.6 --runs 200
local reproduction = require "orrery.command.reproduction"

return reproduction.command("redistribution", "Simulates packs of malleable tasks that faults "
  .. "strike, under four pairs of redistribution heuristics, as section 6 of the research report "
  .. "RR-8795 and section 1.5 of the chapter that came of it, and says which of their statements "
  .. "hold. The chapter's figures 1.4 to 1.7 are 6, 7, 11 and 12.", { runs = 50 }, {
  { "--policy POLICY", "A redistribution policy beside the papers' ones, as orrery redistribute "
    .. "takes it (end-local+FILE.lua). May be given several times.", several = true },
})
