-- examples: shows and runs short what-if examples, to read and to change
--
--   orrery examples                       what there is
--   orrery examples five-lines
--   orrery examples five-lines --quick
local argparse = require "argparse"
local script_folder = require "orrery.command.script_folder"
local orrery = require "orrery"

local parser = argparse("orrery examples", "Runs one of the examples: what-if stories of some "
  .. "fifty lines that end in a number with its interval. Without a name it lists them. They are "
  .. "in " .. orrery.home .. "/scripts/examples.")
parser:argument("name", "Which one; --quick behind it runs less of it."):args "?":argname "NAME"

return script_folder.command(parser, "examples", "example")
