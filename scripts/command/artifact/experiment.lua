-- Running the commands of an artifact, and comparing their output.
local command = require "orrery.command.command"
local commands = require "orrery.command.artifact.commands"
local files = require "orrery.command.artifact.files"
local lfs = require "lfs"
local orrery = require "orrery"
local progress = require "orrery.command.progress"
local quote = require("orrery").tools.quote
local untrusted = require "orrery.command.untrusted"

local experiment = {}

-- The user's own policies and Lua modules are hidden, because another machine does not have them.
local HIDDEN = { "ORRERY_PATH", "ORRERY_TRACEBACK", "LUA_PATH", "LUA_PATH_5_4", "LUA_CPATH",
  "LUA_CPATH_5_4" }

-- Programs that commands start: the shell for all, those that draw, those that wait for others, and
-- those of the portable archive's own script.
local STARTED = { "sh", "env", "gnuplot", "rsvg-convert", "sleep", "timeout", "dirname",
  "readlink" }

-- What commands are confined to: the files of the system, of Orrery and of the artifact can be
-- read, those below `place` be written. one: the command; with a program that the user allows
-- anything that is installed can be started.
local function confinement(place, one, used)
  local roots, confined = orrery.tools.roots(), orrery.tools.confined()
  local reads = untrusted.paths_read { roots[#roots] }
  for _, path in ipairs(confined.fonts()) do reads[#reads + 1] = path end
  for _, file in ipairs(used.outside) do reads[#reads + 1] = file.from end
  local runs = confined.programs(STARTED)
  runs[#runs + 1] = orrery.tools.executable()
  runs[#runs + 1] = lfs.symlinkattributes("/proc/self/exe", "target")
  reads[#reads + 1] = runs[#runs]:match "^(.*)/" -- with the libraries of the archive
  if one.program then table.move({ "/usr", "/bin", "/opt", place }, 1, 4, #runs + 1, runs) end
  return { reads = reads, runs = runs, writes = { place, "/dev/null" },
    temporary = command.make_folder(place .. "/temporary") }
end

-- Runs a line of the shell; confined to paths, if any. Its exit status.
local function run_line(line, paths)
  local _, how, status
  if not paths then
    _, how, status = os.execute(line)
    return how == "signal" and 128 + status or status
  end
  status, how = orrery.tools.confined().command({ "sh", "-c", line }, paths)
  if not status then
    command.fail("the commands cannot be confined: %s; nothing was run (--unconfined runs them "
      .. "with your rights)", how)
  end
  return status
end

-- Runs the program with these words in a folder: returns its exit status and its error output.
local function run_one(words, folder, printed, paths)
  local complaints = printed .. ".err"
  local hidden = ""
  for _, name in ipairs(HIDDEN) do hidden = hidden .. " -u " .. name end
  if paths then hidden = hidden .. " TMPDIR=" .. quote(paths.temporary) end
  local line = ("cd %s && exec env%s XDG_CONFIG_HOME=/nonexistent %s %s >%s 2>%s </dev/null")
    :format(quote(folder), hidden, quote(orrery.tools.executable()),
      commands.line(words):sub(#"orrery " + 1), quote(printed), quote(complaints))
  local status = run_line(line, paths)
  local said = command.read_file(complaints) or ""
  os.remove(complaints)
  if status == 128 + 2 or status == 128 + 15 or orrery.tools.interrupted() then
    command.fail "interrupted"
  end
  return status, said
end

-- Runs the commands in `place`/files, one after the other; printed text goes to `place`/printed.
-- Returns { commands = { words =, seconds =, status =, said = }, sums = SHA-256 of the outputs, by
-- name below `place` }. used: the files, as inputs.of gives them; is_confined: whether commands
-- write below `place` alone
function experiment.run(place, list, used, is_confined)
  place = files.absolute(place)
  files.lay(place .. "/files", used)
  command.make_folder(place .. "/printed")
  local laid = files.sums(place)
  local found = {}
  for i, one in ipairs(list) do
    local before = os.time()
    local status, said = progress.doing(("command %d of %d: %s"):format(i, #list,
      commands.line(one.words)), run_one, one.words, place .. "/files",
      ("%s/printed/%d.txt"):format(place, i), is_confined and confinement(place, one, used))
    found[i] = { words = one.words, seconds = os.difftime(os.time(), before), status = status,
      said = said }
  end
  files.remove(place .. "/temporary")
  local sums = files.sums(place)
  for name, sum in pairs(laid) do -- unchanged inputs are not outputs
    if sums[name] == sum then sums[name] = nil end
  end
  return { commands = found, sums = sums }
end

-- Ends where a command failed. list: with the places of the commands
function experiment.check(found, list)
  for i, one in ipairs(found.commands) do
    if one.status ~= 0 then
      command.misuse("%s: %s ended with status %d:\n%s", list[i].place, commands.line(one.words),
        one.status, (one.said:gsub("%s+$", "")))
    end
    one.status, one.said = nil, nil
  end
end

-- The outputs of two runs: a list of { path =, sha256 =, varies = }, sorted.
function experiment.outputs(first, second)
  local list, equal = {}, 0
  for path, sum in pairs(first.sums) do
    local varies = second.sums[path] ~= sum
    list[#list + 1] = { path = path, sha256 = sum, varies = varies }
    equal = equal + (varies and 0 or 1)
  end
  for path in pairs(second.sums) do
    if not first.sums[path] then
      command.fail("%s came out of the second run alone; it cannot be expected anywhere", path)
    end
  end
  if equal == 0 then
    command.fail "no output was equal in two runs; there is nothing to verify"
  end
  table.sort(list, function(a, b) return a.path < b.path end)
  return list
end

-- --- comparing ----------------------------------------------------------------------------------

local function first_difference(expected, found)
  local number, ours = 0, (found .. "\n"):gmatch "(.-)\n"
  for line in (expected .. "\n"):gmatch "(.-)\n" do
    number = number + 1
    local other = ours()
    if other ~= line then
      return ("  line %d, expected: %s\n  line %d, found:    %s"):format(number, line, number,
        other or "the end of the text")
    end
  end
  return ("  expected %d lines, found more"):format(number)
end

-- The number of outputs that must be equal.
function experiment.compared(artifact)
  local count = 0
  for _, one in ipairs(artifact.outputs) do count = count + (one.varies and 0 or 1) end
  return count
end

-- Prints the differences from the artifact in `dir`; returns the number of different outputs.
-- place: the folder of experiment.run; found: its result
function experiment.compare(dir, artifact, place, found)
  local different, expected = 0, {}
  local function differs(path, why)
    different = different + 1
    print(("%s: differs\n%s"):format(path, why))
  end
  for i, one in ipairs(found.commands) do
    print(("%d of %d, %s: %d s (%d s where it was made)"):format(i, #found.commands,
      commands.line(one.words), one.seconds, artifact.commands[i].seconds))
    if one.status ~= 0 then
      print(("  ended with status %d: %s"):format(one.status, (one.said:gsub("%s+$", ""))))
    end
  end
  for _, one in ipairs(artifact.outputs) do
    expected[one.path] = true
    local sum = found.sums[one.path]
    if not sum then
      differs(one.path, "  it did not come out")
    elseif sum ~= one.sha256 and not one.varies then
      differs(one.path, first_difference(
        command.read_file(("%s/expected/%s"):format(dir, one.path)) or "",
        command.read_file(place .. "/" .. one.path) or ""))
    end
  end
  for _, path in ipairs(orrery.tools.sorted(found.sums)) do
    if not expected[path] then differs(path, "  it did not come out where this was made") end
  end
  return different
end

-- --- the machine --------------------------------------------------------------------------------

-- The machine of the commands: texts and numbers for a reader.
function experiment.machine()
  local pipe = assert(io.popen "uname -srm")
  local system = pipe:read "l"
  pipe:close()
  local text = lfs.attributes "/proc/cpuinfo" and command.read_file "/proc/cpuinfo" or ""
  return { cores = orrery.tools.cores(), system = system,
    processor = text:match "model name%s*:%s*([^\n]+)" or "unknown" }
end

return experiment
