-- rr9296: Resilient rigid jobs under silent errors (RR-9296), figures 1 to 6 and table 1
--
--   orrery reproduce rr9296 --quick
--   orrery reproduce rr9296 --figure 2 --without conservative
--   orrery reproduce rr9296 --figure table-1 --log mira-2019 --from 2019-06-01 --to 2019-07-01
local reproduction = require "orrery.command.reproduction"

local keys = require("orrery.reproduce.rr9296.plan").keys

return reproduction.command("rr9296", "Simulates five heuristics with seven priorities on jobs "
  .. "that fail, as section 5 of the research report RR-9296, and says which of its statements "
  .. "hold.", { sets = 30, runs = 1000 }, {
  { "--log FILE", "Job log for figures 5, 6 and table 1 (default: the bundled month)." },
  { "--from T", "Only jobs of the log submitted at or after T: a date, or its seconds." },
  { "--to T", "Only jobs submitted before T." },
  { "--procs N", "Processors of the log's machine (default: what the log says).",
    kind = "integer", least = 1, most = 2147483646 },
  { "--days N", "Only the first N of these days (default: all).", kind = "integer", least = 1,
    most = 1000000 },
  { "--without NAME", "Leaves a heuristic out: " .. table.concat(keys, ", ")
    .. ". May be given several times.", several = true, choices = keys },
  { "--extra-runs N", "Scenarios of each set in 'kept' and 'capped' (default: 10).",
    kind = "integer", least = 1, most = 1000000 },
})
