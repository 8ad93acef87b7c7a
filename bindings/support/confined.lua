-- confined: runs a function in a child process that can read, compute and print, and nothing else.
--
-- The child has limits and a filter of system calls (confined.c, filter.h), which it cannot remove.
-- It sends files, drawings, and the result of the function. After a success this process writes the
-- allowed files; it makes drawings in a child of their own.
local core = require "orrery.core"
local folders = require "orrery.support.folders"

local confined = {}

local to_parent -- the channel to the parent; nil: this process is not such a child

function confined.is_child() return to_parent ~= nil end

-- Messages: "w" a file, its path and its bytes; "d" the words of a program and its input, which is
-- answered; at the end "o" the result of the function, or "e" the exit status and the message of an
-- error. The first message is "r", or "x" with the reason why no filter is possible.

local CAUSES = { [24] = "it took more processor time than --untrusted-hours allows",
  [25] = "it wrote more than its limit", [9] = "it was killed",
  [31] = "it made a system call that is not allowed there" } -- by numbers of signals

local MIB = 1 << 20
local MOST_SENT, MOST_PRINTED, MOST_DRAWN = 2048 * MIB, 1024 * MIB, 256 * MIB -- bytes
local MOST_SAID = 65536 -- bytes of an error's message

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

-- The files of these programs, and the loaders that start them.
function confined.programs(names)
  local list = {}
  for _, name in ipairs(names) do add(list, find(name)) end
  for _, folder in ipairs { "/lib", "/lib64" } do
    for _, name in ipairs(folders.files(folder)) do
      if name:find "^ld[-.]" then add(list, folder .. "/" .. name) end
    end
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

-- What a drawing program reads besides fonts: libraries, and data of its own.
local OF_DRAWING = { "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64",
  "/usr/share/gnuplot", "/usr/share/glib-2.0", "/usr/share/mime", "/etc/ld.so.cache" }

-- The drawing of a text by a program: whether it succeeded, its bytes, its error messages, and the
-- processor time, s. It has so many seconds, and bytes of memory.
function confined.run_drawing(words, text, seconds, memory)
  local reads = confined.fonts()
  table.move(OF_DRAWING, 1, #OF_DRAWING, #reads + 1, reads)
  return core.confined_draw(words, text, reads, confined.programs { words[1] }, seconds, memory,
    MOST_DRAWN)
end

-- Ends the child, and raises why the run ended; without a reason the system's.
local function fail(self, why)
  local _, signal = core.confined_wait(self.channel)
  why = why or "the untrusted run ended: " .. (CAUSES[signal]
    or signal and ("signal %d"):format(signal) or "it did not say why")
  error(why, 0)
end

-- Draws what the child asks for, and takes the time for it from that of the child.
local function draw(self, list, text)
  local words = {}
  for word in (list .. "\0"):gmatch "([^\0]*)\0" do add(words, word) end
  local left = self.draws[words[1]] or 0
  if left == 0 then return false end
  self.draws[words[1]] = left - 1
  local done, bytes, said, seconds = confined.run_drawing(words, text, self.seconds, self.memory)
  self.seconds = math.max(self.seconds - seconds, 1)
  local is_sent = core.confined_send(self.channel, "d", bytes, (done and "+" or "-") .. said)
  return is_sent or fail(self)
end

-- Receives everything from the child, until it ends: the result of the function, and the files.
local function listen(self)
  local files = {}
  while true do
    local kind, a, b = core.confined_receive(self.channel)
    if kind == "w" and self.may_write[a] then
      add(files, { a, b })
    elseif kind == "w" then
      fail(self, ("cannot write %s: an untrusted run writes the files that its options name")
        :format(a:sub(1, MOST_SAID)))
    elseif kind == "d" then
      if not draw(self, a, b) then
        fail(self, "the untrusted run ended: it asked for a drawing that no option asks for")
      end
    elseif kind == "o" or kind == "e" then
      local problem = core.confined_wait(self.channel)
      if kind == "o" and problem == "" then return a, files end
      if kind == "o" then a, b = 1, "cannot write everything to standard output: " .. problem end
      local exit = math.tointeger(tonumber(a))
      b = b:sub(1, MOST_SAID)
      error(exit and { exit = exit, message = b } or b, 0)
    elseif kind == false then
      fail(self, ("the untrusted run ended: it %s more than %d MiB"):format(a, (a == "sent"
        and MOST_SENT or MOST_PRINTED) // MIB))
    else
      fail(self, kind and "the untrusted run ended: it sent a message that nobody knows")
    end
  end
end

-- Whether the system can say which files a process reads; without that nothing is drawn.
function confined.can_draw() return core.landlock() > 0 end

-- Runs f in such a child. Returns true and what f returned, as text; false and why the system has
-- no filter, with nothing run. Raises what f raised. options:
--   reads     paths of what may be read, where the system can tell (nil: everything)
--   writes    paths of the files that may be written
--   draws     how often a program may draw, by its name
--   seconds, memory   of processor time, bytes of address space; also those of drawing
function confined.run(options, f)
  local is_child, channel = core.confine(options.seconds, options.memory, MOST_SENT, MOST_SENT,
    MOST_PRINTED, options.reads)
  if is_child then
    to_parent = channel
    run_child(f)
  elseif is_child == nil then
    return false, channel
  end
  local kind, why = core.confined_receive(channel)
  if kind ~= "r" then
    core.confined_wait(channel)
    return false, why or "the process did not begin"
  end
  local self = { channel = channel, seconds = options.seconds, memory = options.memory,
    draws = options.draws or {}, may_write = {} }
  for _, path in ipairs(options.writes or {}) do self.may_write[path] = true end
  local result, files = listen(self)
  for _, file in ipairs(files) do core.write_file(file[1], file[2]) end
  return true, result
end

return confined
