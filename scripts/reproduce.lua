-- reproduce: runs the experiments of a paper again and checks its statements
--
--   orrery reproduce                      what there is
--   orrery reproduce rr9296 --quick
--   orrery reproduce rr9296 --figure 2 --out results/rr9296
local argparse = require "argparse"
local orrery = require "orrery"
local script_folder = require "orrery.command.script_folder"

local parser = argparse("orrery reproduce", "Runs the experiments of a paper again. Without a name "
  .. "it lists the papers; orrery reproduce NAME --help tells the options of one.")
parser:argument("name", "Which paper; what follows are its options."):args "?":argname "NAME"

local names = {}
for i, one in ipairs(orrery.tools.commands "reproduce/") do
  names[i] = ("   %-21s %s"):format(one.name, one.about or "")
end
parser:epilog("Papers, and experiments of this project:\n" .. table.concat(names, "\n"))

return script_folder.command(parser, "reproduce", "reproduction")
