-- folders: where policies, scripts and data are looked for, and making folders.
local core = require "orrery.core"

local folders = {}

-- Folders with policies/ and scripts/ in them: the user's own first, then what Orrery ships.
function folders.roots()
  local roots = {}
  for folder in (os.getenv("ORRERY_PATH") or ""):gmatch("[^:]+") do roots[#roots + 1] = folder end
  local config = os.getenv("XDG_CONFIG_HOME")
  local home = os.getenv("HOME")
  if config and config ~= "" then
    roots[#roots + 1] = config .. "/orrery"
  elseif home then
    roots[#roots + 1] = home .. "/.config/orrery"
  end
  roots[#roots + 1] = core.home
  return roots
end

-- The names in a folder, sorted; none where there is no folder.
function folders.files(folder)
  local lfs = require "lfs"
  local names = {}
  if lfs.attributes(folder, "mode") ~= "directory" then return names end
  for name in lfs.dir(folder) do
    if name:sub(1, 1) ~= "." then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end

-- Makes a folder and those above it, where they are not there: true, or nil and what is wrong.
function folders.make(path)
  local lfs = require "lfs"
  local made = path:sub(1, 1) == "/" and "" or "."
  for part in path:gmatch("[^/]+") do
    made = made .. "/" .. part
    local ok, problem = lfs.mkdir(made)
    if not ok and lfs.attributes(made, "mode") ~= "directory" then
      return nil, ("%s: %s"):format(made, problem)
    end
  end
  return true
end

return folders
