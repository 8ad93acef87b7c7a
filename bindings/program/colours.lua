-- colours: the colours of the prompt: names in help, heads of tables, errors. Not on terminals
-- without colours, nor for users who want none (NO_COLOR, see no-color.org).
--
-- Typed lines have no colours: readline draws them.
local core = require "orrery.core"

local colours = {}

local BOLD, DIM, RED, GREEN, CYAN = "1", "2", "31", "32", "36"

local function paint(style, text) return ("\27[%sm%s\27[m"):format(style, text) end

-- Whether the output is a terminal with colours.
function colours.wanted()
  local none, term = os.getenv "NO_COLOR", os.getenv "TERM"
  return (none == nil or none == "") and term ~= nil and term ~= "" and term ~= "dumb"
    and core.is_terminal(1)
end

local function cells_of(line)
  local count = 1
  for _ in line:gmatch "%S  +%f[%S]" do count = count + 1 end
  return count
end

-- The head of a table: at least three columns without numbers, and no such line before.
local function is_head(line, before)
  return not line:find "^ " and not line:find "%d" and cells_of(line) >= 3
    and cells_of(before) < 3
end

-- The painters of lines, by the kind of text: functions of the line, the line before and its
-- number.
local PAINTERS = {
  help = function(line, _, number)
    if number == 1 then return paint(BOLD, line) end
    return (line:gsub("^(  +)([^%s].-)(  +%f[%S])", function(indent, name, gap)
      return indent .. paint(CYAN, name) .. gap
    end))
  end,
  value = function(line, before, number)
    if line:find "^%s*%.%.%. " or line:find "^not shown: " or line:find "^nil%f[^%w]"
      or line:find "^±" or line:find "^differences are " then
      return paint(DIM, line)
    end
    if is_head(line, before) or number == 1 and line:find "^session " then
      return paint(BOLD, line)
    end
    return (line:gsub("  significant$", "  " .. paint(GREEN, "significant")))
  end,
  error = function(line, _, number)
    if number == 1 or line:find "^ *%^$" then return paint(RED, line) end
    return line:find "^ " and line or paint(CYAN, line) -- advice
  end,
}

local function painted(what, text)
  local lines, before = {}, ""
  for line in (core.harmless(text) .. "\n"):gmatch "([^\n]*)\n" do
    local shown = line == "" and line or PAINTERS[what](line, before, #lines + 1)
    lines[#lines + 1], before = shown, line
  end
  return table.concat(lines, "\n")
end

-- Prints a text: "help", a "value" or an "error".
function colours.print(what, text)
  local file = what == "error" and io.stderr or io.stdout
  file:write(painted(what, text), "\n")
  file:flush()
end

-- The mark before a typed line; it tells readline which characters have no width.
function colours.mark(text)
  return ("\1\27[%sm\2%s\1\27[m\2"):format(CYAN, text)
end

return colours
