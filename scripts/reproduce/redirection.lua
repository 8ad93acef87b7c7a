-- redirection: Online scheduling with redirection (IPDPSW 2020), figures 1 and 2
--
--   orrery reproduce redirection --quick
--   orrery reproduce redirection my-log.swf --weeks 100
--   orrery reproduce redirection my-log.swf --raise 1 --utilisation 0.6 --no-generated
local command = require "orrery.command.command"
local reproduction = require "orrery.command.reproduction"

local paper = reproduction.paper("redirection", "Runs weeks of logs under FCFS with EASY "
  .. "backfilling, with and without the redirection of jobs that make many others wait, as Faure, "
  .. "Lucarelli, Richard and Trystram did (IPDPSW 2020), and says which of their findings hold.",
  {})
local parser = paper.parser

parser:argument("log", "Job logs, as orrery replay reads them (default: the bundled month).")
  :args "*":argname "LOG"
parser:option("--weeks", "Weeks of each generated log (default: 20).")
  :argname "N":convert(command.integer("--weeks", 1, 10000))
parser:flag("--no-generated", "Only the given logs, no generated ones.")
parser:option("--utilisation", "Only weeks whose jobs need at least this share of the machine "
  .. "(default: 0.7).", 0.7):argname "U":convert(command.number("--utilisation", 0))
parser:option("--raise", "A week of a log that needs less comes up to so many times as fast, until "
  .. "it needs that much; 1: it is left out, as in the paper (default: 2.5).", 2.5)
  :argname "FACTOR":convert(command.number("--raise", 1))

return reproduction.command(paper)
