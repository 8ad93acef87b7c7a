-- new-policy: writes a policy to start from, with its spec
--
--   orrery new-policy dispatch mine
--   orrery new-policy redistribute mine -o ~/.config/orrery/policies/redistribute
local argparse = require "argparse"
local command = require "orrery.command.command"
local lfs = require "lfs"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local policy_checks = require "orrery.host.policy_checks"
local policy_kinds = require "orrery.schema.policy_kinds"

local names = policy_kinds.templates

local function text_of(name) return ("%s (%s)"):format(name, policy_kinds.starts[name]) end

local parser = argparse("orrery new-policy", "Writes NAME.lua, a policy that runs as it is, with "
  .. "comments on what can be changed, and NAME_spec.lua, its specs for busted. Files that are "
  .. "there are never touched.")
parser:argument("kind", "What it decides: " .. table.concat(lists.map(names, text_of), "; ")
  .. "."):argname "KIND"
parser:argument("name", "Its name: letters, digits, - and _."):argname "NAME"
parser:option("-o --output", "The folder to write to.", ".")
  :argname "DIR":overwrite(false)

local function check_kind(kind)
  if policy_checks.contains(names, kind) then return end
  command.misuse("there is no kind '%s'%s (kinds: %s)", kind,
    orrery.tools.suggestion(kind, names), table.concat(names, ", "))
end

local function check_name(name)
  if not name:match "^[%w_-]+$" or name:match "^%-" then
    command.misuse("NAME: expected letters, digits, - and _, found '%s'", name)
  end
end

-- The command that lets busted find the module, for any place of this program.
local function run_line(name)
  local run = ("busted --lua=/usr/bin/lua5.4 %s_spec.lua"):format(name)
  local home = orrery.home
  local prefix = home:match "^(.*)/share/orrery$"
  if prefix == "/usr" or prefix == "/usr/local" then return run end
  local folder = prefix and prefix .. "/lib/lua/5.4" or home
  return ("LUA_CPATH_5_4='%s/?.so;;' \\\n--       %s"):format(folder, run)
end

local function template(file)
  local path = ("%s/scripts/command/new_policy/%s.lua"):format(orrery.home, file)
  return assert(command.read_file(path))
end

-- The files: the policy; and the specs of its kind in the common frame of all kinds.
local function files_of(given)
  local base = given.output .. "/" .. given.name
  local words = { NAME = given.name, RUN = run_line(given.name) }
  local specs = template "spec":gsub("  %-%- SPECS\n", { ["  -- SPECS\n"] =
    template(given.kind .. "_spec") })
  return { { base .. ".lua", (template(given.kind):gsub("%u+", words)) },
    { base .. "_spec.lua", (specs:gsub("%u+", words)) } }
end

return command.new(parser, function(given)
  check_kind(given.kind)
  check_name(given.name)
  local files = files_of(given)
  for _, file in ipairs(files) do
    if lfs.symlinkattributes(file[1], "mode") then
      command.fail("%s is there already; nothing was written", file[1])
    end
  end
  command.make_folder(given.output)
  for _, file in ipairs(files) do
    orrery.tools.write_file(file[1], file[2])
    print(file[1])
  end
  print(("try: orrery check %s"):format(files[1][1]))
end)
