-- Scripts by their names: one command lists and runs the scripts in a folder below scripts/, such
-- as scripts/examples/.
local command = require "orrery.command.command"
local orrery = require "orrery"

local script_folder = {}

-- Runs the script of this name in a list of orrery.tools.commands with these arguments, as the
-- program does. For messages: `what` names the scripts, `lister` the command that lists them.
function script_folder.run(list, name, arguments, what, lister)
  local names = {}
  for i, one in ipairs(list) do
    names[i] = one.name
    if one.name == name then
      arguments[0] = one.path
      arg = arguments -- luacheck: ignore 121
      return orrery.tools.run(one.path, table.unpack(arguments))
    end
  end
  command.misuse("there is no %s '%s'%s", what, name,
    orrery.tools.suggestion(name, names, ("; `orrery %s` lists them"):format(lister)))
end

-- The command that lists the scripts, or runs the named one. `what`: the name of the scripts in
-- messages.
function script_folder.command(parser, folder, what)
  local function list() return orrery.tools.commands(folder .. "/") end
  local listing = command.new(parser, function() command.print_list(list()) end)
  function listing.instead()
    local name = arg[1]
    return name and name:sub(1, 1) ~= "-" and function()
      return script_folder.run(list(), name, table.move(arg, 2, #arg, 1, {}), what, folder)
    end
  end
  return listing
end

return script_folder
