-- machine: prints what is understood of a file that describes a machine
--
--   orrery machine cluster.lua
--   orrery machine /etc/slurm/slurm.conf
local argparse = require "argparse"
local command = require "orrery.command.command"
local orrery = require "orrery"

local parser = argparse("orrery machine", "Prints what is understood of a machine: its nodes and "
  .. "partitions, pools and limits. The file is for --machine, too.")
parser:argument("file", "A Lua file that returns a table and holds nothing else, or a slurm.conf.")
  :argname "FILE"

return command.new(parser, function(given) print(orrery.machine(given.file)) end)
