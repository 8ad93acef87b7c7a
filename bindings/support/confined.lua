-- confined: runs a function in a child process that can read, compute and print, and nothing else.
--
-- The child has limits and a filter of system calls (confined.c, filter.h), which it cannot remove.
-- It sends files, drawings, and the result of the function. After a success this process writes the
-- allowed files; it makes drawings in a child of their own.
local core = require "orrery.core"

local confined = {}

local to_parent -- the file descriptor to the parent; nil: this process is not such a child

function confined.is_child() return to_parent ~= nil end

-- Messages: "w" a file, its path and its bytes; "d" the words of a program and its input, which is
-- answered; at the end "o" the result of the function, or "e" the exit status and the message of an
-- error. The first message is "r", or "x" with the reason why no filter is possible.

local CAUSES = { [24] = "it took more processor time than --untrusted-hours allows",
  [25] = "it wrote more than its limit", [9] = "it was killed",
  [31] = "it made a system call that is not allowed there" } -- by numbers of signals

local SIZE = 4 << 30 -- the largest size in bytes of a file that is its standard output

-- --- what is there to be read and run ------------------------------------------------------------

local function add(list, path) list[#list + 1] = path end

-- The program's place on PATH; nil: it is not there.
local function find(name)
  for folder in (os.getenv "PATH" or ""):gmatch "[^:]+" do
    local path = folder .. "/" .. name
    if folder:sub(1, 1) == "/" and require("lfs").attributes(path, "mode") == "file" then
      return path
    end
  end
end

-- The files of these programs, and the loader that starts all of them.
function confined.programs(names)
  local list = {}
  for _, name in ipairs(names) do add(list, find(name)) end
  for line in io.lines "/proc/self/maps" do
    local path = line:match "%s(/%S*/ld[^/]*)$"
    if path and path ~= list[#list] then add(list, path) end
  end
  return list
end

-- The paths of fonts, and of what says which there are.
function confined.fonts()
  local list = { "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig",
    "/etc/fonts", "/var/cache/fontconfig" }
  local home = os.getenv "HOME"
  for _, folder in ipairs(home and { ".fonts", ".fonts.conf", ".local/share/fonts",
    ".config/fontconfig", ".cache/fontconfig" } or {}) do add(list, home .. "/" .. folder) end
  return list
end

-- Runs a program (words), with what it starts under a filter: no network; files are read, run and
-- written beneath these lists of paths alone. Its exit status (128 and the number of a signal); nil
-- and the reason where it cannot be confined.
function confined.command(words, paths)
  return core.confined_command(words, paths.reads, paths.runs, paths.writes)
end

-- --- in the child -------------------------------------------------------------------------------

-- The drawing of a text by a program: whether it succeeded, the bytes, and the error messages.
function confined.draw(words, text)
  core.confined_send(to_parent, "d", table.concat(words, "\0"), text)
  local _, bytes, said = core.confined_receive(to_parent)
  if not bytes then error("the process that draws is gone", 0) end
  return said:sub(1, 1) == "+", bytes, said:sub(2)
end

local function run_child(f)
  local ok, result = pcall(f)
  if ok and not io.stdout:flush() then
    ok, result = false, { exit = 1, message = "cannot write everything to standard output" }
  end
  if ok then
    core.confined_send(to_parent, "o", tostring(result or ""), "")
  elseif type(result) == "table" and result.exit then
    core.confined_send(to_parent, "e", tostring(result.exit), tostring(result.message))
  else
    core.confined_send(to_parent, "e", "", tostring(result))
  end
  core.confined_end()
end

-- --- in the parent ------------------------------------------------------------------------------

local ARGUMENTS = { gnuplot = { "%-" }, ["rsvg-convert"] = { "%-%-format=png",
  "%-%-keep%-aspect%-ratio", "%-%-background%-color=white", "%-%-width=%d+", "%-%-height=%d+",
  "%-%-page%-width=%d+", "%-%-page%-height=%d+" } }

-- Whether a program may draw, and its words are allowed.
local function is_drawing(words)
  local known = ARGUMENTS[words[1]]
  for i = 2, known and #words or 0 do
    local found = false
    for _, pattern in ipairs(known) do found = found or words[i]:find("^" .. pattern .. "$") end
    if not found then return false end
  end
  return known ~= nil
end

local function draw(fd, list, text)
  local words = {}
  for word in (list .. "\0"):gmatch "([^\0]*)\0" do words[#words + 1] = word end
  if not is_drawing(words) then return core.confined_send(fd, "d", "", "-not allowed") end
  local done, bytes, said = core.confined_draw(words, text)
  core.confined_send(fd, "d", bytes, (done and "+" or "-") .. said)
end

local function how_it_ended(fd, pid)
  local signal = core.confined_wait(fd, pid)
  return CAUSES[signal] or signal and ("signal %d"):format(signal) or "it did not say why"
end

-- Receives everything from the child, until it ends: the result of the function, and the files.
local function listen(fd, pid, may_write)
  local files = {}
  while true do
    local kind, a, b = core.confined_receive(fd, pid)
    if kind == "w" and may_write[a] then
      files[#files + 1] = { a, b }
    elseif kind == "w" then
      core.confined_wait(fd, pid)
      error(("cannot write %s: an untrusted run writes the files that its options name"):format(a),
        0)
    elseif kind == "d" then
      draw(fd, a, b)
    elseif kind == "o" or kind == "e" then
      core.confined_wait(fd, pid)
      if kind == "e" then
        local exit = math.tointeger(tonumber(a))
        error(exit and { exit = exit, message = b } or b, 0)
      end
      return a, files
    elseif kind ~= "r" then
      error("the untrusted run ended: " .. how_it_ended(fd, pid), 0)
    end
  end
end

-- Runs f in such a child. Returns true and what f returned, as text; false and why the system has
-- no filter, with nothing run. Raises what f raised. options:
--   reads     paths of what may be read, where the system can tell (nil: everything)
--   writes    paths of the files that may be written
--   seconds, memory   of processor time, bytes of address space
function confined.run(options, f)
  local is_child, fd, pid = core.confine(options.seconds, options.memory, SIZE, options.reads)
  if is_child then
    to_parent = fd
    run_child(f)
  elseif is_child == nil then
    return false, fd
  end
  local kind, why = core.confined_receive(fd, pid)
  if kind ~= "r" then
    core.confined_wait(fd, pid)
    return false, why or "the process did not begin"
  end
  local may_write = {}
  for _, path in ipairs(options.writes or {}) do may_write[path] = true end
  local result, files = listen(fd, pid, may_write)
  for _, file in ipairs(files) do core.write_file(file[1], file[2]) end
  return true, result
end

return confined
