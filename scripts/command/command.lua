-- Commands: their arguments, and the report of their errors to the user.
--
-- The script of a command returns the result of command.new. Loading it runs nothing: help, the man
-- page and the prompt ask the parser.
--
-- Exit status 2 is for bad input: a command that cannot be understood, a file that cannot be read,
-- an unknown policy. 1 is for all other failures.
local dkjson = require "dkjson"
local lfs = require "lfs"
local orrery = require "orrery"
local quote = require("orrery").tools.quote

local command = {}

-- Ends the command: it was not given as it should be.
function command.misuse(format, ...)
  error({ exit = 2, message = format:format(...) }, 0)
end

-- Ends the command: it cannot be done, or has not come to its end.
function command.fail(format, ...)
  error({ exit = 1, message = format:format(...) }, 0)
end

-- Ends as the program does that Ctrl-C stops: for a child process that Ctrl-C has ended, of which
-- the program, which waits, hears nothing itself.
function command.interrupted()
  error({ exit = 130, message = "interrupted" }, 0)
end

-- The words after the command's name. To argparse a value that begins with a minus sign is an
-- option: `--name -number` becomes `--name=-number`, which reaches the option itself.
function command.arguments()
  local list, options_end = {}, false
  for _, text in ipairs(arg) do
    local before = list[#list]
    if not options_end and before and before:match "^%-%-%w[%w-]*$" and text:match "^%-%.?%d" then
      list[#list] = before .. "=" .. text
    else
      list[#list + 1] = text
      options_end = options_end or text == "--"
    end
  end
  return list
end

local COUNTED = { ["orrery redistribute"] = "malleable tasks run",
  ["orrery pack"] = "tasks of packs run" }

-- The options after the command's name, as argparse reads them. Several values of one name are a
-- list under that name.
function command.parse(parser)
  local ok, options = parser:pparse(command.arguments())
  if ok then return options end
  local name, who = options:match "^unknown option '%-%-(%l+)'", COUNTED[parser._name]
  if who and (name == "machine" or name == "pool" or name == "limit") then
    command.misuse("--%s: %s on counted processors (--procs), without nodes, pools and limits; "
      .. "replay and compare have them", name, who)
  end
  command.misuse("%s\n`%s --help` lists the options", options, parser._name)
end

-- Refuses a value of an option that is not in a list.
function command.check_one(option, name, known)
  for _, one in ipairs(known) do
    if one == name then return end
  end
  command.misuse("--%s: expected one of %s, found '%s'%s", option, table.concat(known, ", "), name,
    orrery.tools.suggestion(name, known))
end

-- A position in our own files is of no use to the user of a command; a position in a policy is.
function command.without_position(problem)
  if type(problem) ~= "string" then return problem end
  local at, rest = problem:match("^([^\n]-%.lua):%d+: (.*)$")
  local ours = at and (at:match "^orrery/[%w_/]+%.lua$" -- part of the program itself
    or at:sub(1, #orrery.home + 9) == orrery.home .. "/scripts/")
  return ours and rest or problem
end

local BAD_INPUT = { argument = true, input = true } -- codes of errors, see support/raise.h

-- The results of f. Its errors become errors of the command: with a status, and a message for the
-- user.
function command.call(f, ...)
  local results = table.pack(pcall(f, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  local problem = results[2]
  if type(problem) ~= "string" then error(problem, 0) end
  local _, code = orrery.tools.error_code(problem)
  error({ exit = BAD_INPUT[code] and 2 or 1, message = command.without_position(problem) }, 0)
end

command.NOTHING = "(says nothing about itself)"

-- Prints names with their descriptions: a list of { name =, about = }.
function command.print_list(list, indent)
  local width = 0
  for _, one in ipairs(list) do width = math.max(width, utf8.len(one.name) or #one.name) end
  for _, one in ipairs(list) do
    local space = (" "):rep(width - (utf8.len(one.name) or #one.name))
    print((indent or "") .. one.name .. space .. "  "
      .. (one.about ~= "" and one.about or command.NOTHING))
  end
end

local NOT_THERE, NOT_ALLOWED, NO_FOLDER, IS_FOLDER = 2, 13, 20, 21 -- errno

-- The text of a file; nil: it does not exist, or is a folder. Any other error ends the command.
function command.read_file(path)
  local file, problem, code = io.open(path, "rb")
  local text
  if file then
    text, problem, code = file:read "a"
    file:close()
  end
  if text or code == NOT_THERE or code == NO_FOLDER or code == IS_FOLDER then return text end
  local raise = code == NOT_ALLOWED and command.misuse or command.fail
  raise("cannot read %s: %s", path, (problem:gsub("^.*: ", "")))
end

-- As dkjson.decode, which raises an error of its own where a text is nested too deep.
function command.decode(text)
  local done, value, at, problem = pcall(dkjson.decode, text)
  if not done then return nil, 1, "it is nested too deep" end
  return value, at, problem
end

-- Makes a folder, with its missing parents.
function command.make_folder(path)
  local made, problem = orrery.tools.make_folder(path)
  if not made then command.fail("cannot make the folder %s", problem) end
  return path
end

-- Removes a folder that has no folders in it, with its files.
function command.remove_folder(path)
  for name in lfs.dir(path) do
    if name ~= "." and name ~= ".." then os.remove(path .. "/" .. name) end
  end
  lfs.rmdir(path)
end

function command.line()
  local words = { "orrery", (arg[0] or ""):match "([^/]*)%.lua$" or arg[0] }
  for _, text in ipairs(arg) do words[#words + 1] = quote(text) end
  return table.concat(words, " ")
end

-- --- help ---------------------------------------------------------------------------------------

local EXAMPLES, OPTIONS = 2, 8 -- shown at most

-- The first examples in the head of the command's script, as a paragraph of its help; "": none.
local function examples_of(parser)
  local name = parser._name:match "^orrery ([%w_ -]+)$"
  local text = name and command.read_file(("%s/scripts/%s.lua"):format(orrery.home,
    (name:gsub(" ", "/")))) or ""
  local head, lines = text:match "^[^\n]*\n%-%-\n(.-)\n[^-]" or "", {}
  for line in head:gmatch "%-%-(   orrery [^\n]*)" do
    if #lines < EXAMPLES then lines[#lines + 1] = line end
  end
  return lines[1] and "Examples:\n" .. table.concat(lines, "\n") .. "\n\n" or ""
end

-- The usage in one line, for commands with many options.
local function usage_of(parser)
  if #parser._options <= OPTIONS then return parser:get_usage() end
  local words = { "Usage: " .. parser._name .. " [OPTION ...]" }
  for _, argument in ipairs(parser._arguments) do words[#words + 1] = argument:_get_usage() end
  return table.concat(words, " ")
end

-- Help begins with examples.
local function add_examples(parser)
  local plain = parser.get_help
  function parser.get_help(self)
    local text = plain(self):sub(#self:get_usage() + 1):gsub("^\n+", "")
    return usage_of(self) .. "\n\n" .. examples_of(self) .. text
  end
end

-- Fits the help texts to the window.
local function fit_window(parser)
  local width = math.max(orrery.tools.window(), 40)
  parser:help_max_width(width):usage_max_width(width)
end

-- A command.
--   parser  argparse's, for the options
--   run     function(options), with the options read by the parser
-- Optional fields: instead = function() that is called first, and may return a function to be
-- called in place of all others; parse = function() that returns the options.
function command.new(parser, run)
  add_examples(parser)
  return { about = parser._description, parser = parser, run = run }
end

-- Runs a command with the words of the command line.
function command.run(given)
  local other = given.instead and given.instead()
  if other then return other() end
  fit_window(given.parser)
  local options = given.parse and given.parse() or command.parse(given.parser)
  orrery.tools.is_command()
  if os.getenv "ORRERY_TRACEBACK" then return given.run(options) end
  command.call(given.run, options)
end

-- --- argparse's converters: a value, or nil and the error ----------------------------------------

-- A finite number of at least `least`. `name` is the option's.
function command.number(name, least)
  return function(text)
    local value = tonumber(text)
    if not value or value ~= value or math.abs(value) == math.huge then
      return nil, ("%s: expected a number, found '%s'"):format(name, text)
    elseif least and value < least then
      return nil, ("%s: expected a number of at least %g, found '%s'"):format(name, least, text)
    end
    return value
  end
end

-- A whole number; 1e3 is allowed.
function command.integer(name, least, most)
  return function(text)
    local value = math.tointeger(tonumber(text))
    if not value then
      return nil, ("%s: expected a whole number, found '%s'"):format(name, text)
    elseif value < (least or value) or value > (most or value) then
      return nil, ("%s: expected a whole number %s, found '%s'"):format(name,
        most and ("from %d to %d"):format(least, most) or ("of at least %d"):format(least), text)
    end
    return value
  end
end

return command
