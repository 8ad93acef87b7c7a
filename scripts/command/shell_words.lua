-- The candidates for the last word of a command line, for completion in shells. Commands and
-- options come from the parsers, which are made from the schema.
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local policy_kinds = require "orrery.schema.policy_kinds"

local joined, tools = lists.joined, orrery.tools
local shell_words = {}

local FILES = { { word = ":" } } -- names of files, which the shell knows

-- --- lists --------------------------------------------------------------------------------------

local function plain(names)
  return lists.map(names, function(name) return { word = name } end)
end

-- The part of a text that fits a line.
local function brief(text)
  text = (text or ""):gsub("%s+", " "):match "^(.-)%.%f[%s\0]" or text or ""
  return text ~= "" and text:gsub("%s+", " ") or nil
end

local function scripts(folder)
  return lists.map(tools.commands(folder), function(one)
    return { word = one.name, about = brief(one.about) }
  end)
end

-- Policies of these kinds, also by their short names.
local function policies(...)
  local kinds, list = lists.set { ... }, {}
  for _, name in ipairs(tools.policy_names()) do
    local kind, own = name:match "^(%w+)/(.*)$"
    if kinds[kind] or not next(kinds) then
      list[#list + 1], list[#list + 2] = { word = own }, { word = name }
    end
  end
  return joined(list, FILES)
end

-- --- values of options and arguments -------------------------------------------------------------

-- The names of the kinds of policies that a command runs; where none is its own, those that
-- schedule jobs, which `redirect` has, too.
local function kinds_of(command)
  local function run_by(its)
    return policy_kinds.names(function(kind)
      return not kind.under and policy_kinds.taken_as(kind.name).command == its
    end)
  end
  local own = run_by(command)
  return own[1] and own or lists.joined(run_by(nil), { "redirect" })
end

local function of_tasks() return policies(table.unpack(kinds_of "redistribute")) end

local OPTIONS = {
  ["--policy"] = function(name)
    if name == "conform" then return policies("dispatch", "priority") end
    return policies(table.unpack(kinds_of(name)))
  end,
  ["--priority"] = function() return policies "priority" end,
  ["--on-end"] = of_tasks,
  ["--on-fault"] = of_tasks,
}

local ARGUMENTS = { -- by the command's name
  help = function() return joined(scripts(), plain { "metrics" }) end,
  examples = function() return scripts "examples/" end,
  reproduce = function() return scripts "reproduce/" end,
  policies = function() return policies() end,
  check = function() return policies() end,
  ["new-policy"] = function()
    return plain(policy_kinds.templates)
  end,
}

local PATHS = { FILE = true, DIR = true, FOLDER = true, SPEC = true }

local function values_of(name, option)
  local of = OPTIONS[option._aliases and option._aliases[1] or ""]
  if of then return of(name) end
  if option._choices then return plain(option._choices) end
  local shown = type(option._argname) == "string" and option._argname or option._name
  if shown == "LOG" then return joined(plain(tools.log_names()), FILES) end
  return PATHS[shown] and FILES or {}
end

local function options_of(parser)
  local list = {}
  for _, option in ipairs(parser._options) do
    for _, alias in ipairs(option._hidden and {} or option._aliases) do
      list[#list + 1] = { word = alias, about = brief(option._description) }
    end
  end
  return list
end

-- The option of this name that takes a value.
local function option_with_value(parser, alias)
  return lists.find(parser._options, function(option)
    return option._maxargs ~= 0 and lists.set(option._aliases)[alias]
  end)
end

-- --- a command line -----------------------------------------------------------------------------

-- The number of arguments behind the command, without the last word.
local function arguments_before(parser, words, from)
  local count, at = 0, from
  while at < #words do
    if words[at]:find "^%-." then
      if option_with_value(parser, words[at]) then at = at + 1 end
    else
      count = count + 1
    end
    at = at + 1
  end
  return count
end

local function of_argument(name, parser, words, from)
  local at = arguments_before(parser, words, from) + 1
  local last = parser._arguments[#parser._arguments]
  local argument = parser._arguments[at] or last and last._maxargs == math.huge and last
  if at == 1 and ARGUMENTS[name] then return ARGUMENTS[name]() end
  return argument and values_of(name, argument) or {}
end

local function of_command(name, parser, words, from)
  local word, before = words[#words], words[#words - 1]
  local alias, value = word:match "^(%-%-[%w-]+)=(.*)$"
  local option = alias and option_with_value(parser, alias)
  if option then return values_of(name, option), value, alias .. "=" end
  option = option_with_value(parser, before)
  if option and #words > from then return values_of(name, option), word end
  if word:find "^%-" then return options_of(parser), word end
  return of_argument(name, parser, words, from), word
end

local function subcommands(parser)
  return lists.map(parser._commands, function(one)
    return { word = one._name, about = brief(one._description) }
  end)
end

local function of_program()
  return joined(scripts(), plain { "--version", "--help", "-e", "-i" }, FILES)
end

-- bash makes three words of --option=value.
local function without_equals(words)
  local n = #words
  if words[n] == "=" then
    words[n] = ""
  elseif words[n - 1] == "=" then
    table.remove(words, n - 1)
  end
  return words
end

-- The candidates for the last word: a list of { word =, about = }.
function shell_words.candidates(words)
  words = without_equals(words)
  local name, typed, front = words[1], words[#words] or "", ""
  local list
  if #words < 2 then
    list = of_program()
  else
    local parser, from = tools.parser(name), 2
    if not parser then return FILES end
    for _, one in ipairs(parser._commands) do -- of a command that has some itself
      if one._name == words[2] and #words > 2 then parser, from = one, 3 end
    end
    if #parser._commands > 0 and #words == 2 then
      list = joined(subcommands(parser), options_of(parser))
    else
      list, typed, front = of_command(name, parser, words, from)
    end
  end
  local fitting = {}
  for _, one in ipairs(list) do
    if one.word == ":" then
      fitting[#fitting + 1] = one
    elseif one.word:sub(1, #typed) == typed then
      fitting[#fitting + 1] = { word = (front or "") .. one.word, about = one.about }
    end
  end
  return fitting
end

return shell_words
