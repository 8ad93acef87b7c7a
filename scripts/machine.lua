-- machine: prints what is understood of a file that describes a machine
--
--   orrery machine cluster.lua
local argparse = require "argparse"
local command = require "orrery.command.command"
local orrery = require "orrery"

local parser = argparse("orrery machine", "Prints what is understood of a machine: a Lua file that "
  .. "returns a table and holds nothing else, as for --machine.")
parser:argument("file", "The file."):argname "FILE"

return command.new(parser, function(given) print(orrery.machine(given.file)) end)
