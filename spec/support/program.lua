-- Running the program from a spec, in a folder of its own.
local lfs = require "lfs"

local program = {}

local path = os.getenv "ORRERY" or "./orrery"
program.path = path:sub(1, 1) == "/" and path or lfs.currentdir() .. "/" .. path
program.home = lfs.currentdir()

local function read(file_path)
  local file = assert(io.open(file_path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end
program.read = read

function program.exists(file_path) return lfs.attributes(file_path) ~= nil end

-- An empty folder. (A process for each would cost more than many a spec.)
function program.folder()
  local name, folder
  repeat
    name = os.tmpname()
    folder = (os.getenv "TMPDIR" or "/tmp") .. "/" .. name:match "[^/]*$" .. ".d"
    os.remove(name)
  until lfs.mkdir(folder)
  return folder
end

local function remove_all(folder)
  for name in lfs.dir(folder) do
    local inside = folder .. "/" .. name
    if name ~= "." and name ~= ".." then
      if lfs.symlinkattributes(inside, "mode") == "directory" then remove_all(inside) end
      os.remove(inside)
    end
  end
end

-- A shell that has just been closed may still write its history there, and a spec may have taken
-- rights away.
function program.remove(folder)
  assert(folder:match "^/tmp/." or os.getenv "TMPDIR")
  pcall(remove_all, folder)
  if lfs.rmdir(folder) or not lfs.symlinkattributes(folder) then return end
  assert(os.execute(("for i in 1 2 3 4 5; do rm -rf '%s' && exit; sleep 0.2; done; exit 1"):format(
    folder)))
end

function program.write(folder, name, text)
  local file = assert(io.open(folder .. "/" .. name, "wb"))
  file:write(text)
  file:close()
end

-- The names in a folder, sorted, as one text.
function program.listing(folder)
  local names = {}
  for name in lfs.dir(folder) do
    if name ~= "." and name ~= ".." then names[#names + 1] = name end
  end
  table.sort(names)
  return table.concat(names, " ")
end

-- Exit status, standard output and standard error of `orrery ARGUMENTS`, run in `folder`.
-- `environment` ("NAME=value ...") is added; what the user of the specs has of his own is hidden.
-- `before` are words that start the program in their turn. (A sanitizer's runtime that is preloaded
-- for busted must not reach what the program starts.)
function program.run(folder, arguments, environment, before)
  local out, err = os.tmpname(), os.tmpname()
  local command = ("cd '%s' && unset LD_PRELOAD ORRERY_PATH ORRERY_HOME ORRERY_TRACEBACK && "
    .. "XDG_CONFIG_HOME=/nonexistent XDG_DATA_HOME=/nonexistent %s %s '%s' %s >%s 2>%s </dev/null")
    :format(folder, environment or "", before or "", program.path, arguments, out, err)
  local _, _, status = os.execute(command)
  local texts = { read(out), read(err) }
  os.remove(out)
  os.remove(err)
  return status, texts[1], texts[2]
end

return program
