-- Output files: what can be known before a long run is refused before it.
local command = require "lib.command"
local lfs = require "lfs"

local output = {}

local NAMES = { "csv", "json", "table", "plot", "schedule" }

local function check_folder(option, path)
  local folder = path:match("^(.*)/[^/]*$")
  if folder == "" then folder = "/" end
  if folder and lfs.attributes(folder, "mode") ~= "directory" then
    command.fail("--%s %s: there is no folder %s", option, path, folder)
  elseif path == "" or path:match("/$") or lfs.attributes(path, "mode") == "directory" then
    command.fail("--%s: '%s' is a folder, not a file", option, path)
  end
end

-- `given`: the options; those that name output files are looked at.
function output.check(given)
  local seen = {}
  for _, input in ipairs { "log", "failures" } do
    if given[input] then seen[given[input]] = input == "log" and "LOG" or "--failures" end
  end
  for _, name in ipairs(NAMES) do
    local path = given[name]
    if path then
      check_folder(name, path)
      if seen[path] then
        command.misuse("--%s and %s name the same file, %s", name, seen[path], path)
      end
      seen[path] = "--" .. name
    end
  end
end

return output
