-- failing-packs: Which packs are best where processors fail? No paper has it; the chapter wishes it
--
-- Co-schedules of several pack policies run pack after pack under redistribution policies, from
-- processors that never fail to such that often do. scripts/reproduce/failing-packs/README.md says
-- what came out.
local argparse = require "argparse"
local options = require "orrery.command.options"
local reproduction = require "orrery.command.reproduction"

local experiment = require "orrery.reproduce.failing-packs.experiment"
local report = require "orrery.reproduce.failing-packs.report"

local parser = argparse("orrery reproduce failing-packs", "Compares partitions of tasks into packs "
  .. "on processors that fail, with and without redistribution inside the packs, and writes "
  .. "figures, tables and a page.")

reproduction.options(parser, experiment.names, { runs = 15, out = "results/failing-packs" })
options.once(parser)

return reproduction.command(parser, {
  plan = experiment.plan, store = experiment.store, figures = experiment, report = report.write,
})
