-- commands: where the program finds its commands, and where its prompt keeps its history.

local orrery = ...

local start = {}

-- A script from the folders that hold policies/ and scripts/, NAME or FOLDER/NAME; nil where there
-- is none.
local function find_command(name)
  if not name:match("^[%w_-]+$") and not name:match("^[%w_-]+/[%w_-]+$") then return nil end
  for _, root in ipairs(orrery.tools.roots()) do
    local path = ("%s/scripts/%s.lua"):format(root, name)
    local file = io.open(path, "rb")
    if file then
      file:close()
      return path
    end
  end
end

local function first_line(path)
  local file = io.open(path)
  local line = file and file:read("l")
  if file then file:close() end
  return line
end

-- All commands: a sorted list of { name =, path =, about = } from the first line of each script,
-- `-- name: what it does`.
function start.commands()
  local seen, list = {}, {}
  for _, root in ipairs(orrery.tools.roots()) do
    for _, file in ipairs(orrery.tools.files(root .. "/scripts")) do
      local name = file:match("^([%w_-]+)%.lua$")
      if name and not seen[name] then
        seen[name] = true
        local path = root .. "/scripts/" .. file
        local about = (first_line(path) or ""):match("^%-%-%s*[%w_-]+:%s*(.*)$")
        list[#list + 1] = { name = name, path = path, about = about or "" }
      end
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

-- The path of the script that the first argument names. Raises an error that says what to do.
function start.find(name)
  if name:match("%.lua$") then return name end
  local path = find_command(name)
  if path then return path end
  if name:find("/", 1, true) then return name end
  local names = {}
  for i, command in ipairs(start.commands()) do names[i] = command.name end
  local near = orrery.tools.nearest(name, names)
  error(("there is no command '%s'%s"):format(name,
    near and (", did you mean '%s'?"):format(near) or "; `orrery help` lists them"), 0)
end

-- The parser of a command that Orrery ships, nil for others: its script runs until it parses what
-- was typed.
function start.parser(name)
  local path = ("%s/scripts/%s.lua"):format(orrery.home, name)
  local script = find_command(name) == path and loadfile(path)
  if not script then return nil end
  local argparse, taken, typed = require "argparse", nil, arg
  local function stop() error("the parser is made", 0) end
  package.loaded.argparse = function(...)
    local parser = argparse(...)
    taken = taken or parser
    parser.parse, parser.pparse = stop, stop
    return parser
  end
  arg = { [0] = path } -- luacheck: ignore 121
  pcall(script)
  arg, package.loaded.argparse = typed, argparse -- luacheck: ignore 121
  return taken
end

-- Where the prompt keeps its history; the folder is made.
function start.history_file()
  local state = os.getenv("XDG_STATE_HOME")
  local home = os.getenv("HOME")
  if (not state or state == "") and not home then return nil end
  if not state or state == "" then state = home .. "/.local/state" end
  orrery.tools.make_folder(state .. "/orrery")
  return state .. "/orrery/history"
end

-- Commands share code in scripts/lib/.
package.path = orrery.home .. "/scripts/?.lua;" .. package.path

orrery.tools.commands, orrery.tools.parser = start.commands, start.parser

return start
