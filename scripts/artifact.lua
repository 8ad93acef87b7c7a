-- artifact: packs commands, their files and their output, for another machine to run and compare
--
--   orrery artifact make commands.txt -o artifact --title "Aging beside EASY"
--   orrery artifact verify artifact --outside ~/logs
local appendix = require "orrery.command.artifact.appendix"
local argparse = require "argparse"
local command = require "orrery.command.command"
local commands = require "orrery.command.artifact.commands"
local experiment = require "orrery.command.artifact.experiment"
local files = require "orrery.command.artifact.files"
local inputs = require "orrery.command.artifact.inputs"
local lfs = require "lfs"
local lists = require "orrery.support.lists"
local options = require "orrery.command.options"
local orrery = require "orrery"

local parser = argparse("orrery artifact", "Packs an experiment into a folder: its commands, the "
  .. "policies and specifications that they name, checksums of the logs, what comes out, and the "
  .. "text for an artifact appendix. Another machine verifies all of it with one command.")
parser:command_target "action"

local make = parser:command("make", "Runs the commands of a file twice, and writes the folder.")
make:argument("COMMANDS", "A file with a command of orrery per line, as `compare --log log.swf "
  .. "--policy ./mine.lua --policy easy`; # begins a comment.")
options.add(make, { {
  { "-o --out DIR", "Folder to write; it must not be there." },
  { "--title TEXT", "What the experiment is called (default: the folder's name)." },
  { "--about TEXT", "What it shows: the abstract of the appendix." },
  { "--with FILE", "A file that a specification reads by itself: it is packed, too.",
    several = true },
  { "--outside FILE", "A file that is not packed: its checksum is. So are all logs.",
    several = true },
  { "--with-logs", "Pack the logs, too." },
} })

local verify = parser:command("verify", "Runs the commands of such a folder, and compares.")
verify:argument("DIR", "The folder.")
options.add(verify, { {
  { "--outside DIR", "Where the files are that are not packed (default: DIR/outside)." },
  { "--keep DIR", "Folder for what comes out here; it must not be there." },
  { "--programs", "Run the programs that commands of it name (--propose). Without this option such "
    .. "an artifact is refused, and its programs are named." },
  { "--unconfined", "Run the commands with your rights. Otherwise they have no network, write in a "
    .. "folder of their own alone and start only what draws; where the system cannot confine them "
    .. "so (seccomp, Landlock) they are not run." },
} })

-- --- making -------------------------------------------------------------------------------------

local function free_place(option, path)
  if lfs.attributes(path) then command.misuse("%s %s: is there already", option, path) end
  local folder = path:match "^(.*)/[^/]+$" or "."
  if folder ~= "" and lfs.attributes(folder, "mode") ~= "directory" then
    command.misuse("%s %s: there is no folder %s", option, path, folder)
  end
end

-- Runs the commands twice; what came out the first time is kept.
local function run_twice(stage, list, used)
  local first = experiment.run(stage .. "/first", list, used)
  experiment.check(first, list)
  local second = experiment.run(stage .. "/second", list, used)
  experiment.check(second, list)
  local outputs = experiment.outputs(first, second)
  files.copy_all(stage .. "/first", stage .. "/expected", lists.fields(outputs, "path"))
  files.remove(stage .. "/first")
  files.remove(stage .. "/second")
  return first.commands, outputs
end

local function make_artifact(given)
  if not given.out then
    command.misuse("-o: which folder? `orrery artifact make %s -o DIR`", given.COMMANDS)
  end
  given.out = given.out:gsub("(.)/+$", "%1")
  free_place("-o", given.out)
  local list = commands.read(given.COMMANDS)
  local used = inputs.of(list, given)
  files.in_stage(given.out, function(stage)
    files.pack(stage, used)
    local run, outputs = run_twice(stage, list, used)
    local artifact = { format = 1, version = orrery.version, made = os.date "!%Y-%m-%d",
      title = given.title or given.out:match "[^/]+$", about = given.about or nil,
      machine = experiment.machine(), commands = run, files = used.packed,
      outside = used.outside, outputs = outputs }
    files.write(stage, artifact, appendix.text(stage, artifact))
  end)
  print(("wrote %s: %d command%s, each run twice; `orrery artifact verify %s` runs them again")
    :format(given.out, #list, #list == 1 and "" or "s", orrery.tools.quote(given.out)))
end

-- --- verifying ----------------------------------------------------------------------------------

-- Names the programs that the commands would run; refuses them where the user has not asked for it.
local function check_programs(dir, artifact, allowed)
  local list = {}
  for i, one in ipairs(artifact.commands) do
    if one.program then
      list[#list + 1] = ("command %d, %s"):format(i, one.program)
    end
  end
  if #list == 0 then return end
  local text = table.concat(list, "\n  ")
  if not allowed then
    command.misuse("%s runs programs that are not Orrery's:\n  %s\n--programs runs them", dir, text)
  end
  print("programs:\n  " .. text)
end

local function verify_artifact(given)
  local dir = given.DIR:gsub("(.)/+$", "%1")
  if given.keep then free_place("--keep", given.keep) end
  local artifact = files.read(dir)
  print(("%s: Orrery %s, made on %s"):format(artifact.title, artifact.version, artifact.made))
  files.check(dir, artifact)
  check_programs(dir, artifact, given.programs)
  local used = files.find_outside(dir, artifact, given.outside or dir .. "/outside")
  local different = 0
  files.in_scratch(given.keep, function(place)
    local found = experiment.run(place, artifact.commands, used, not given.unconfined)
    different = experiment.compare(dir, artifact, place, found)
  end)
  if different > 0 then
    command.fail("not verified: %d of the outputs differ%s", different,
      given.keep and "; what came out here is in " .. given.keep or
      "; --keep DIR keeps what comes out here")
  end
  print(("verified: %d commands, %d files, all equal"):format(#artifact.commands,
    experiment.compared(artifact)))
end

return command.new(parser, function(given)
  orrery.tools.term_is_interrupt()
  if given.action == "make" then return make_artifact(given) end
  return verify_artifact(given)
end)
