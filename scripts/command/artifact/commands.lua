-- The commands of an artifact: lines of a file, as words.
--
-- Words are written as for a shell, with quotes where necessary. Features of a shell (pipes,
-- variables, patterns) are refused: the commands run without a shell.
local command = require "orrery.command.command"
local orrery = require "orrery"

local commands = {}

-- Commands whose output follows from their words and files.
local KNOWN = { "check", "compare", "conform", "generate", "log", "merge", "pack", "redistribute",
  "replay", "reproduce", "search", "sweep", "weeks" }

local OF_SHELL = "[|&;<>()$`*?%[%]{}~!]"

-- The words of a line. place: "FILE:LINE"
local function words_of(line, place)
  local words, word, at = {}, nil, 1
  local function refuse(expected, found)
    command.misuse("%s:%d: expected %s, found %s", place, at, expected, found)
  end
  while at <= #line do
    local char = line:sub(at, at)
    if char:match "%s" then
      if word then words[#words + 1], word = word, nil end
      at = at + 1
    elseif char == "#" and not word then
      break
    elseif char == "'" or char == '"' then
      local close = line:find(char, at + 1, true)
      if not close then refuse(("a closing %s"):format(char), "the end of the line") end
      local inside = line:sub(at + 1, close - 1)
      if char == '"' and inside:find "[$`\\]" then
        refuse("plain text in \"quotes\"", ("'%s', which is for a shell"):format(
          inside:match "[$`\\]"))
      end
      word, at = (word or "") .. inside, close + 1
    elseif char == "\\" then
      if at == #line then refuse("a character behind \\", "the end of the line") end
      word, at = (word or "") .. line:sub(at + 1, at + 1), at + 2
    elseif char:match(OF_SHELL) then
      refuse("a plain word, or one in quotes", ("'%s', which is for a shell"):format(char))
    else
      word, at = (word or "") .. char, at + 1
    end
  end
  if word then words[#words + 1] = word end
  return words
end

-- Refuses words that are not a command with results of its own. place: for the message
function commands.check(words, place)
  for _, name in ipairs(KNOWN) do
    if words[1] == name then return end
  end
  command.misuse("%s: expected one of the commands %s, found '%s'%s", place,
    table.concat(KNOWN, ", "), tostring(words[1]),
    orrery.tools.suggestion(tostring(words[1]), KNOWN))
end

-- The commands of a file: a list of { words =, place = "FILE:LINE" }.
function commands.read(path)
  local text = command.read_file(path)
  if not text then command.misuse("cannot read %s: No such file or directory", path) end
  local list, number = {}, 0
  for line in (text .. "\n"):gmatch "(.-)\r?\n" do
    number = number + 1
    local place = ("%s:%d"):format(path, number)
    if line:find "%c" and line:gsub("\t", ""):find "%c" then
      command.misuse("%s: expected text, found a control character", place)
    end
    local words = words_of(line, place)
    if words[1] and words[1]:match "[^/]*$" == "orrery" then table.remove(words, 1) end
    if words[1] then
      commands.check(words, place)
      list[#list + 1] = { words = words, place = place }
    end
  end
  if #list == 0 then command.misuse("%s: expected a command per line, found none", path) end
  return list
end

-- The command as a user types it.
function commands.line(words)
  local quoted = { "orrery" }
  for i, word in ipairs(words) do quoted[i + 1] = orrery.tools.quote(word) end
  return table.concat(quoted, " ")
end

return commands
