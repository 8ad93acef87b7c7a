-- commands: the program's commands, and the file of the prompt's history.
local core = require "orrery.core"
local folders = require "orrery.support.folders"
local names_of = require "orrery.support.names"
local program = require "orrery.support.program"

local commands = {}

-- A script from the folders that hold policies/ and scripts/, NAME or FOLDER/NAME; nil where it
-- does not exist.
local function find_command(name)
  if not name:match("^[%w_-]+$") and not name:match("^[%w_-]+/[%w_-]+$") then return nil end
  for _, root in ipairs(folders.roots()) do
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

-- All commands, or (folder: "examples/") the scripts in that folder: a sorted list of { name =,
-- path =, about = } from the first line of each script, `-- name: what it does`.
function commands.list(folder)
  local list = {}
  for _, script in ipairs(folders.scripts(("scripts/" .. (folder or "")):gsub("/$", ""), 0)) do
    if script.name:match("^[%w_-]+$") then
      local about = (first_line(script.path) or ""):match("^%-%-%s*[%w_-]+:%s*(.*)$") or ""
      list[#list + 1] = { name = script.name, path = script.path, about = about }
    end
  end
  return list
end

-- The path of the script named by the first argument. Raises an error with advice.
function commands.find(name)
  if name:match("%.lua$") then return name end
  local path = find_command(name)
  if path then return path end
  if name:find("/", 1, true) then return name end
  local names = {}
  for i, command in ipairs(commands.list()) do names[i] = command.name end
  error(("there is no command '%s'%s"):format(name,
    names_of.suggestion(name, names, "; `orrery help` lists them")), 0)
end

-- A script of the user's may require modules beside it. They are looked for last of all, so that
-- none can stand for a module of the system.
local function search_beside(path)
  if not path:match "%.lua$" then return end
  local template = (path:match "^(.*/)" or "./") .. "?.lua"
  table.insert(package.searchers, function(name)
    local file, problem = package.searchpath(name, template)
    if not file then return problem end
    return assert(loadfile(file)), file
  end)
end

-- Runs a script. A script that returns a command (see orrery.command.command) gets the words behind
-- its name; any other script has then done its work.
function commands.run(path, ...)
  local script, problem = loadfile(path)
  if not script then error({ exit = first_line(path) and 1 or 2, message = problem }, 0) end
  if path ~= find_command(path:match "([^/]*)%.lua$" or "") then search_beside(path) end
  local returned = script(...)
  if type(returned) == "table" and returned.parser and returned.run then
    print = core.print -- luacheck: ignore 121
    return require("orrery.command.command").run(returned)
  end
end

-- The parser of a command that Orrery ships, nil for others: their scripts may do anything.
function commands.parser(name)
  local path = ("%s/scripts/%s.lua"):format(core.home, name)
  return find_command(name) == path and dofile(path).parser or nil
end

-- The file of the prompt's history; its folder is made.
function commands.history_file()
  local state = os.getenv("XDG_STATE_HOME")
  local home = os.getenv("HOME")
  if (not state or state == "") and not home then return nil end
  if not state or state == "" then state = home .. "/.local/state" end
  folders.make(state .. "/orrery")
  return state .. "/orrery/history"
end

program.commands, program.parser, program.run = commands.list, commands.parser, commands.run
program.search_beside = search_beside

return commands
