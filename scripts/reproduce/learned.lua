-- learned: Dynamic scheduling policies by machine learning (SC 2017): F1 to F4 against older rules
--
--   orrery reproduce learned --quick
--   orrery reproduce learned --figure plain --sets 40
--   orrery reproduce learned --procs 1024
--   orrery reproduce learned --log ctc=CTC-SP2-1996-3.1-cln.swf --log blue=blue.swf
local reproduction = require "orrery.command.reproduction"

return reproduction.command("learned", "Runs sequences of 15 days of Lublin and Feitelson's model "
  .. "under the rules F1 to F4, which Carastan-Santos and de Camargo obtained by machine learning "
  .. "(SC 2017), and under older rules, with and without backfilling, with runtimes and with "
  .. "users' estimates, and says which of their findings hold.", { sets = 10, once = true }, {
  { "--procs N", "Processors of the machine (default: 256).", kind = "integer", least = 1,
    most = 1000000, default = "256" },
  { "--log NAME=FILE", "A job log under a name, as well; may be given several times. Its first "
    .. "sequences of 15 days are run on its machine, with its walltimes as estimates.",
    several = true, convert = reproduction.named_log },
})
