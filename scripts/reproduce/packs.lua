-- packs: J. Scheduling 2016, section 6: tasks in packs, on small workloads and on a large one
--
-- The paper's own profiles were never published, and of its synthetic workload constants are open:
-- scripts/reproduce/packs/README.md says what is used instead, and what came out.
local command = require "orrery.command.command"
local options = require "orrery.command.options"
local reproduction = require "orrery.command.reproduction"

local paper = reproduction.paper("packs", "Makes packs of the three workloads of the paper by its "
  .. "heuristics, sets what comes out beside what the paper states, and writes figures, tables and "
  .. "a page.", { runs = 30 })
local parser = paper.parser

local function number(name, least, about)
  return parser:option(name, about):argname "X":convert(command.number(name, least))
end

parser:group("Workload-III",
  parser:option("--tasks", "Tasks (default: 260)."):argname "N"
    :convert(command.integer("--tasks", 1, 1000000)),
  parser:option("--nodes", "Processors of the machine, which are nodes (default: 32).")
    :argname "P":convert(command.integer("--nodes", 1, 100000)),
  parser:option("--cores", "Cores of a node (default: 8)."):argname "C"
    :convert(command.integer("--cores", 1, 100000)),
  number("--m-inf", 2, "Smallest size m (default: 1000)."),
  number("--m-sup", 2, "Largest size (default: 10000)."),
  parser:option("--longest", "Sequential time of a task with m = 10000, s (default: 1e5).")
    :argname "S":convert(options.positive "--longest"),
  number("--overhead", 0, "Factor of the overheads kappa, which are in s (default: 1)."),
  parser:option("--log-of", "What 'c m log2 n' takes the logarithm of: m (default) or tasks.")
    :choices { "m", "tasks" })
options.once(parser)

return reproduction.command(paper)
