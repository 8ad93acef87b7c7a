-- rr9296: Resilient rigid jobs under silent errors (RR-9296), figures 2 to 6 and table 1
--
--   orrery reproduce rr9296 --quick
--   orrery reproduce rr9296 --figure 2 --without conservative
--   orrery reproduce rr9296 --figure table-1 --log mira-2019 --from 2019-06-01 --to 2019-07-01
local command = require "orrery.command.command"
local reproduction = require "orrery.command.reproduction"

local paper = reproduction.paper("rr9296", "Simulates five heuristics with seven priorities on "
  .. "jobs that fail, as section 5 of the research report RR-9296, and says which of its "
  .. "statements hold.", { sets = 30, runs = 1000 })
local parser, keys = paper.parser, paper.plan.keys

parser:option("--log", "Job log for figures 5, 6 and table 1 (default: the bundled month).")
  :argname "FILE"
parser:option("--from", "Only jobs of the log submitted at or after T: a date, or its seconds.")
  :argname "T"
parser:option("--to", "Only jobs submitted before T."):argname "T"
parser:option("--procs", "Processors of the log's machine (default: what the log says).")
  :argname "N":convert(command.integer("--procs", 1, 2147483646))
parser:option("--days", "Only the first N of these days (default: all)."):argname "N"
  :convert(command.integer("--days", 1, 1000000))
parser:option("--without", "Leaves a heuristic out: " .. table.concat(keys, ", ")
  .. ". May be given several times."):count "*":argname "NAME":choices(keys)
parser:option("--extra-runs", "Scenarios of each set in 'kept' and 'capped' (default: 10).")
  :argname "N":convert(command.integer("--extra-runs", 1, 1000000))

return reproduction.command(paper)
