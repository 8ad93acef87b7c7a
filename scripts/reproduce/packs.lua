-- packs: J. Scheduling 2016, section 6: tasks in packs, on small workloads and on a large one
--
-- The paper's own profiles were never published, and of its synthetic workload constants are open:
-- scripts/reproduce/packs/README.md says what is used instead, and what came out.
local reproduction = require "orrery.command.reproduction"

return reproduction.command("packs", "Makes packs of the three workloads of the paper by its "
  .. "heuristics, sets what comes out beside what the paper states, and writes figures, tables and "
  .. "a page.", { runs = 30, once = true }, { title = "Workload-III",
  { "--tasks N", "Tasks (default: 260).", kind = "integer", least = 1, most = 1000000 },
  { "--nodes P", "Processors of the machine, which are nodes (default: 32).", kind = "integer",
    least = 1, most = 100000 },
  { "--cores C", "Cores of a node (default: 8).", kind = "integer", least = 1, most = 100000 },
  { "--m-inf X", "Smallest size m (default: 1000).", kind = "number", least = 2 },
  { "--m-sup X", "Largest size (default: 10000).", kind = "number", least = 2 },
  { "--longest S", "Sequential time of a task with m = 10000, s (default: 1e5).",
    kind = "positive" },
  { "--overhead X", "Factor of the overheads kappa, which are in s (default: 1).", kind = "number",
    least = 0 },
  { "--log-of", "What 'c m log2 n' takes the logarithm of: m (default) or tasks.",
    choices = { "m", "tasks" } },
})
