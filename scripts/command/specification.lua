-- specification: a Lua file that returns a table of fields, the input of sweeps and searches.
local command = require "orrery.command.command"
local lfs = require "lfs"
local orrery = require "orrery"

local specification = {}

function specification.text(path)
  local text = command.read_file(path)
  if text then return text end
  command.misuse("cannot read %s: %s", path, lfs.attributes(path) and "it is a folder"
    or "No such file or directory")
end

function specification.run(path, text)
  local chunk, problem = load(text, "@" .. path, "t")
  if not chunk then command.misuse("%s", problem) end
  orrery.tools.search_beside(path)
  local done, given = pcall(chunk)
  if not done then
    if type(given) == "table" and math.type(given.exit) then error(given, 0) end
    command.misuse("%s%s", type(given) == "string" and "" or path .. ": it ended with the error ",
      tostring(given))
  end
  if type(given) ~= "table" then
    command.misuse("%s: expected a file that returns a table, this one returns %s", path,
      type(given))
  end
  return given
end

return specification
