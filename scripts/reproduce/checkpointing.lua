-- checkpointing: Jobs that write checkpoints, under schedulers: which statements hold
--
--   orrery reproduce checkpointing --quick
--   orrery reproduce checkpointing --figure waste --figure weibull
--   orrery reproduce checkpointing --sets 60
local reproduction = require "orrery.command.reproduction"

return reproduction.command("checkpointing", "Runs jobs that write checkpoints on machines whose "
  .. "nodes fail: one job over its period, wide jobs under Weibull's law, one period for all jobs, "
  .. "checkpoints on demand, and schedulers over node MTBF, cost and width; and says which "
  .. "statements of the literature hold.", { sets = 30, once = true }, {})
