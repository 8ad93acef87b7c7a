-- redirection: Online scheduling with redirection (IPDPSW 2020), figures 1 and 2
--
--   orrery reproduce redirection --log curie=CEA-Curie-2011-2.1-cln.swf --log ricc=RICC-2010-2.swf
--   orrery reproduce redirection --quick
--   orrery reproduce redirection my-log.swf --weeks 100
--   orrery reproduce redirection my-log.swf --raise 1 --utilisation 0.6 --no-generated
local reproduction = require "orrery.command.reproduction"

local redirection = reproduction.command("redirection", "Runs weeks of logs under FCFS with EASY "
  .. "backfilling, with and without the redirection of jobs that make many others wait, as Faure, "
  .. "Lucarelli, Richard and Trystram did (IPDPSW 2020), and says which of their findings hold.",
  {}, {
    { "--weeks N", "Weeks of each generated log (default: 20).", kind = "integer", least = 1,
      most = 10000 },
    { "--log NAME=FILE", "A job log under a name; may be given several times. Of logs named curie, "
      .. "intrepid and ricc the paper's thresholds and gains are looked at.", several = true,
      convert = reproduction.named_log },
    { "--no-generated", "Only the given logs, no generated ones." },
    { "--utilisation U", "Only weeks whose jobs need at least this share of the machine "
      .. "(default: 0.7).", kind = "number", least = 0, default = 0.7 },
    { "--raise FACTOR", "A week of a log that needs less comes up to so many times as fast, until "
      .. "it needs that much; 1: it is left out, as in the paper (default: 2.5).",
      kind = "number", least = 1, default = 2.5 },
  })
redirection.parser:argument("logs", "Job logs, as orrery replay reads them, under the names of "
  .. "their files (default: the bundled month)."):args "*":argname "LOG"

return redirection
