-- help: what Orrery is and which commands it has; help COMMAND: one of them
local argparse = require "argparse"
local command = require "orrery.command.command"
local orrery = require "orrery"

local parser = argparse("orrery help", "Says what Orrery is and which commands it has.")
parser:argument("command", "The same as orrery COMMAND --help."):args "?":argname "COMMAND"

local HEAD = [[
Orrery %s simulates job scheduling on machines that fail, under policies written in Lua.

  orrery COMMAND ...      a command; orrery help COMMAND tells its options
  orrery FILE.lua ...     a script, with `orrery` loaded
  orrery                  a prompt (-i: also where the input is no terminal)
  orrery -e CODE          runs the code
  orrery --version, --help

Commands:]]

local TAIL = [[

Policies and commands of your own are found in every folder of ORRERY_PATH (separated by colons),
then in %s, then in
%s: policies/dispatch/NAME.lua, policies/priority/NAME.lua,
and so in policies/redirect, policies/pack and policies/redistribute; scripts/NAME.lua. A policy
may also be named by its file. A priority, whole:

  -- policies/priority/widest.lua
  return {
    name = "Widest first",
    about = "By processors, then by time.",
    priority = function(job) return job.procs + 1e-9 * job.time end,
  }

  orrery replay --priority widest

Try: orrery replay --day 2019-06-14
     orrery compare --policy greedy --policy easy --by day --batch --q 0.05 --runs 100
     orrery redistribute --runs 20 --policy none --policy end-local+iterated-greedy
     orrery policies
     orrery examples five-lines          (orrery examples: more what-if stories)
     orrery new-policy dispatch mine     (a policy to start from; orrery check tries it)]]

local function own_folder()
  local config = os.getenv "XDG_CONFIG_HOME"
  return config and config ~= "" and config .. "/orrery" or "~/.config/orrery"
end

return command.new(parser, function(given)
  local commands = orrery.tools.commands()
  if given.command then -- one of the user's own may be any script: only running it tells
    local folder = require "orrery.command.script_folder"
    return folder.run(commands, given.command, { "--help" }, "command", "help")
  end
  print(HEAD:format(orrery.version))
  command.print_list(commands, "  ")
  print(TAIL:format(own_folder(), orrery.home))
end)
