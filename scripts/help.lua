-- help: describes Orrery and lists its commands; help COMMAND: describes one command
--
--   orrery help replay
--   orrery help metrics
local argparse = require "argparse"
local command = require "orrery.command.command"
local options = require "orrery.command.options"
local orrery = require "orrery"
local output = require "orrery.command.output"
local policy_kinds = require "orrery.schema.policy_kinds"

local parser = argparse("orrery help", "Says what Orrery is and which commands it has.")
parser:argument("command", "The same as orrery COMMAND --help; or metrics: what can be "
  .. "measured."):args "?":argname "COMMAND"
options.add(parser, { { options.TABLE, output.QUIET } })

local HEAD = [[
Orrery %s simulates job scheduling on machines that fail, under policies written in Lua.

  orrery COMMAND ...      a command; orrery help COMMAND tells its options,
                          orrery help metrics what can be measured
  orrery FILE.lua ...     a script, with `orrery` loaded
  orrery                  a prompt (-i: also where the input is no terminal)
  orrery -e CODE          runs the code
  orrery --version, --help

Commands:]]

local TAIL = [[

Policies and commands of your own are found in every folder of ORRERY_PATH (separated by colons),
then in %s, then in
%s: policies/dispatch/NAME.lua, policies/priority/NAME.lua,
and so in policies/redirect, %s; scripts/NAME.lua. A policy
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

-- "policies/pack and policies/redistribute": folders of policies that the text has no example of.
local function other_folders()
  local names = policy_kinds.names(function(kind) return kind.of ~= "jobs" end)
  return (("policies/" .. table.concat(names, ", policies/")):gsub(",( [^,]*)$", " and%1"))
end

local KINDS = { { "jobs", "jobs (replay, compare)" }, { "tasks", "malleable tasks (redistribute)" },
  { "packs", "packs (pack)" } }

-- The description of the metrics of a kind: unit, which direction is better, and text.
local function metrics_of(kind)
  local of, list = orrery.tools.metrics()[kind], {}
  for _, part in ipairs { of.class, of.more or {} } do
    for _, entry in ipairs(part) do
      local one = of.by_name[entry[1]]
      list[#list + 1] = { name = one.name, of = kind, unit = one.unit,
        better = one.better or "neither", what = entry[3] or one.label:match "%S.*" }
    end
  end
  return list
end

local function show_metrics(given)
  local all = {}
  for _, kind in ipairs(KINDS) do
    local rows = metrics_of(kind[1])
    table.move(rows, 1, #rows, #all + 1, all)
    for i, one in ipairs(rows) do
      local notes = { one.unit ~= "" and one.unit or nil }
      if one.better ~= "neither" then notes[#notes + 1] = one.better .. " is better" end
      rows[i] = { name = one.name, about = one.what .. (notes[1] and (" (%s)"):format(
        table.concat(notes, "; ")) or "") }
    end
    print(("Metrics of %s:"):format(kind[2]))
    command.print_list(rows, "  ")
    print ""
  end
  print "spec/METRICS.md has the formulas."
  output.write(given, { json = function(path) output.json(path, { metrics = all }) end })
end

return command.new(parser, function(given)
  output.check(given)
  if given.command == "metrics" then return show_metrics(given) end
  local commands = orrery.tools.commands()
  if given.command then -- one of the user's own may be any script: only running it tells
    local folder = require "orrery.command.script_folder"
    return folder.run(commands, given.command, { "--help" }, "command", "help")
  end
  print(HEAD:format(orrery.version))
  command.print_list(commands, "  ")
  print(TAIL:format(own_folder(), orrery.home, other_folders()))
  output.write(given, { json = function(path) output.json(path, { commands = commands }) end })
end)
