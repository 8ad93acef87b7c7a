-- folders: the folders of policies, scripts and data, and making folders.
local core = require "orrery.core"

local folders = {}

-- Folders with policies/ and scripts/: the user's own first, then Orrery's.
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

-- The names in a folder, sorted; none where the folder does not exist.
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

-- The Lua files of a folder in all roots, or of the folders `depth` below it: a sorted list of
-- { name =, folder = (nil: this one), short = (without it), path = }. Of two files with one name it
-- has the first one found.
function folders.scripts(top, depth)
  local list, seen = {}, {}
  local function add(path, folder, below)
    for _, file in ipairs(folders.files(path)) do
      local inside = folder and folder .. "/" .. file or file
      if below > 0 then
        add(path .. "/" .. file, inside, below - 1)
      elseif file:sub(-4) == ".lua" and #file > 4 and not seen[inside] then
        seen[inside] = true
        list[#list + 1] = { name = inside:sub(1, -5), folder = folder, short = file:sub(1, -5),
          path = path .. "/" .. file }
      end
    end
  end
  for _, root in ipairs(folders.roots()) do add(root .. "/" .. top, nil, depth or 0) end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

-- Makes a folder and its missing parents: true, or nil and the error.
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
