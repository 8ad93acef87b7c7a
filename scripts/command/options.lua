-- Options of commands: their declaration, and the fields that orrery.compare and other functions
-- get from them.
--
-- An option is a table:
--   { "--procs N", "Processors of the machine.", kind = "integer", least = 1 }
-- The words are its names and the name of its value; without a value it is a flag, or has choices.
-- Its help text follows. It may have:
--   kind      of a value: a key of KINDS; otherwise it is a text
--   convert   argparse's converter, instead
--   least, most   of the kinds "integer" and "number"
--   positive  of the kind "duration": true: 0 is not allowed
--   choices   the texts that may be given;  default   as argparse has it
--   several   true: it may be given several times
--   factor    by which the field of the schema is more than what is given
-- The schema has the options of fields, as `flag`: kind and choices follow from the field's type.
local orrery = require "orrery"
local command = require "orrery.command.command"

local options = {}

-- --- kinds: argparse's converters, by the name of an option --------------------------------------

local KINDS = {}

function KINDS.integer(name, option) return command.integer(name, option.least, option.most) end

function KINDS.number(name, option) return command.number(name, option.least) end

-- A finite number above 0.
function KINDS.positive(name)
  local number = command.number(name)
  return function(text)
    local value, problem = number(text)
    if value and value <= 0 then
      return nil, ("%s: expected a number above 0, found '%s'"):format(name, text)
    end
    return value, problem
  end
end

-- A span of time of at least 0: seconds, or a number with a unit.
function KINDS.duration(name, option)
  return function(text)
    local seconds = orrery.tools.span(text)
    local positive = option.positive and seconds == 0
    if seconds and not positive then return seconds end
    return nil, ("%s: expected %sseconds, or a number with s, m, h, d, w or y behind it, found "
      .. "'%s'"):format(name, option.positive and "more than 0 " or "", text)
  end
end

-- A field of node_failures as a text: it is checked, and stays a text.
function KINDS.nodes(name, option)
  return function(text)
    local fine, problem = orrery.tools.node_text(option.field, text)
    if fine then return text end
    return nil, ("%s: %s"):format(name, problem)
  end
end

-- A kind of a text that read(text) gives as a value; nil and (if it is not the whole) what is wrong
-- with it where it is not as `wanted`.
local function expected(wanted, read)
  return function(name)
    return function(text)
      local value, wrong = read(text)
      if value ~= nil then return value end
      return nil, ("%s: expected %s, found '%s'"):format(name, wanted, wrong or text)
    end
  end
end

-- The work between two checkpoints: a span of time above 0, or the name of a rule.
KINDS["checkpoint period"] = expected("none, young, daly or more than 0 seconds, as 3600 or 1h",
  function(text)
    if text == "none" or text == "young" or text == "daly" then return text end
    local seconds = orrery.tools.span(text)
    return seconds and seconds > 0 and seconds or nil
  end)

KINDS["checkpoint cost"] = expected("a time as 120 or 2m, or one of the processors as "
  .. "30+0.5*procs or 30+2h/procs", function(text)
    return orrery.tools.checkpoint_cost(text) and text or nil
  end)

-- Events before which jobs write a checkpoint.
KINDS.moments = expected("a list of kill, drain and window, each once, as kill,window",
  function(text)
    local list, seen = {}, {}
    for one in (text .. ","):gmatch "(.-)," do
      if one ~= "kill" and one ~= "drain" and one ~= "window" or seen[one] then return nil end
      list[#list + 1], seen[one] = one, true
    end
    return list
  end)

-- The name of a time zone of the system's database.
function KINDS.timezone(name)
  return function(text)
    local known, problem = orrery.tools.attempt(orrery.tools.zone, nil, text)
    if known or text == "UTC" then return text end
    return nil, ("%s: %s"):format(name, problem.message)
  end
end

-- A date, perhaps with a time of day.
KINDS.date = expected("a date as '2019-06-14 07:04'", function(text)
  return text:match "^%d%d%d%d%-%d%d%-%d%d$" or text:match "^%d%d%d%d%-%d%d%-%d%d %d%d:%d%d"
    and text or nil
end)

-- Finite numbers that fulfil is_one(number); `inf` allows one more number.
local function range(wanted, is_one, inf)
  return expected("a number " .. wanted, function(text)
    if text == "inf" and inf then return math.huge end
    local value = tonumber(text)
    return value and value < math.huge and is_one(value) and value or nil
  end)
end

local function above_zero(x) return x > 0 end

KINDS["above 0"] = range("above 0", above_zero)
KINDS["above 0, or inf"] = range("above 0, or inf", above_zero, true)
KINDS["above 0, up to 1"] = range("above 0, up to 1", function(x) return x > 0 and x <= 1 end)
KINDS.share = range("from 0 to 1", function(x) return x >= 0 and x <= 1 end)

-- A share, also in percent.
KINDS.precision = expected("a share above 0 and below 1, as 1% or 0.01", function(text)
  local number, percent = text:match "^(.-)(%%?)$"
  local share = tonumber(number)
  if share and percent == "%" then share = share / 100 end
  return share and share > 0 and share < 1 and share or nil
end)

KINDS.probabilities = expected("a mean failure probability, at least 0 and less than 1",
  function(text)
    local list = {}
    for part in (text .. ","):gmatch("(.-),") do
      local q = tonumber(part)
      if not q or not (q >= 0 and q < 1) then return nil, part end
      list[#list + 1] = q
    end
    return list
  end)

function KINDS.assignment(name)
  return expected(name == "--pool" and "NAME=AMOUNT" or "option=value", function(text)
    local option, value = text:match("^([%w_.:/-]+)=(.*)$")
    return option and { name = option, value = value } or nil
  end)(name)
end

options.positive = KINDS.positive

-- --- the schema's -------------------------------------------------------------------------------

local made = setmetatable({}, { __mode = "k" }) -- entry of the schema -> its option

local function of_field(entry)
  if made[entry] then return made[entry] end
  local option = { field = entry[1], kind = entry[2]:match "^%l+", choices = {} }
  if entry[2]:find '^"' then
    for choice in entry[2]:gmatch '"([^"]*)"' do table.insert(option.choices, choice) end
  end
  for key, value in pairs(entry.flag) do option[key] = value end
  option[2] = option[2]:gsub("\n%s*", " ")
  option.key = option[1]:match "%-%-([%w-]+)":gsub("-", "_") -- under which argparse keeps a value
  made[entry] = option
  return option
end

-- The fields of a class of the schema, "FILE.CLASS" or "FILE.CLASS.MARK", as they were given.
function options.fields(path, given)
  local fields = {}
  for _, entry in ipairs(orrery.tools.fields_of(path)) do
    local option = entry.flag and of_field(entry)
    local value = option and given[option.key]
    if value ~= nil and option.factor then value = value * option.factor end
    if option then fields[entry[1]] = value end
  end
  return fields
end

-- The limits given by --limit-seconds and so on.
function options.limits(given) return options.fields("runs.Limits", given) end

-- --- adding them to a parser --------------------------------------------------------------------

local function add_option(parser, option)
  local names, values = {}, {}
  for word in option[1]:gmatch "%S+" do
    table.insert(word:find "^%-" and names or values, word)
  end
  local choices = option.choices or {}
  if #values + #choices == 0 then return parser:flag(table.concat(names, " "), option[2]) end
  local added = parser:option(table.concat(names, " "), option[2], option.default)
    :show_default(not option[2]:find("(default", 1, true)) -- else the help says it twice
  if #choices > 0 then added:choices(choices) end
  if values[1] then added:argname(values[2] and values or values[1]) end
  if values[2] then added:args(#values) end
  local kind = KINDS[option.kind]
  local convert = option.convert or kind and kind(names[#names], option)
  if convert then added:convert(convert) end
  return option.several and added:count "*" or added
end

-- "FILE.CLASS: field field ..." -> the class, the fields, whether dots follow.
local function parts_of(item)
  local class, names, dots = item:match "^([%w.]+):? ?([%w_ ]*)(%.*)$"
  return class, names, dots ~= ""
end

-- The fields that items name: class -> field -> true.
local function named_in(groups)
  local named = {}
  for _, group in ipairs(groups) do
    for _, item in ipairs(group) do
      local class, names = parts_of(type(item) == "string" and item or "")
      for name in (names or ""):gmatch "%S+" do
        named[class] = named[class] or {}
        named[class][name] = true
      end
    end
  end
  return named
end

-- Calls add(option) for every option of an item. classes: fields that were found before.
local function each_of(item, named, classes, add)
  if type(item) == "table" then return add(item) end
  local class, names, dots = parts_of(item)
  local fields = classes[class] or orrery.tools.fields_of(class)
  classes[class] = fields
  for _, entry in ipairs(names == "" and fields or {}) do
    if entry.flag then add(of_field(entry)) end
  end
  for name in names:gmatch "%S+" do
    local i = 1
    while fields[i][1] ~= name do i = i + 1 end
    repeat
      if fields[i].flag then add(of_field(fields[i])) end
      i = i + 1
    until not dots or not fields[i] or named[class][fields[i][1]]
  end
end

-- Adds options in groups, each a list with its `title` in the help (nil: among the others). An item
-- is an option; or "FILE.CLASS", all those of a class of the schema; or "FILE.CLASS: field field",
-- those of some fields; with " ..." behind them also the options that no item names, each behind
-- the option of the field above it.
function options.add(parser, groups)
  local named, classes = named_in(groups), {}
  for _, group in ipairs(groups) do
    local added = {}
    for _, item in ipairs(group) do
      each_of(item, named, classes, function(option)
        added[#added + 1] = add_option(parser, option)
      end)
    end
    if group.title then parser:group(group.title, table.unpack(added)) end
  end
end

-- An option that may be given once is an error if it is given twice.
function options.once(parser)
  for _, option in ipairs(parser._options) do
    if option._maxcount == 1 then option:overwrite(false) end
  end
end

-- --- options of several commands -----------------------------------------------------------------

options.SET = "runs.JobsSpec: options"
options.JSON = { "--json FILE", "What was run and the summary of every metric." }
options.TABLE = { "--json FILE", "What is printed, as JSON." }
options.GANTT = { "--gantt FILE", "The same as a picture: .html, in which a browser zooms; or for "
  .. "papers .svg, or .png (wants rsvg-convert)." }
options.REPORT = { "--report FILE", "A page of HTML with tables, plots and schedules, and how to "
  .. "get it again." }

-- --- which go together --------------------------------------------------------------------------

function options.exclude(given, first, second, why)
  if given[first:gsub("-", "_")] ~= nil and given[second:gsub("-", "_")] ~= nil then
    command.misuse("--%s and --%s exclude each other: %s", first, second, why)
  end
end

-- The option writes only one file: "--gantt writes one schedule: give one policy, not 2".
function options.only(name, writes, what, count)
  if count > 1 then command.misuse("--%s %s: give one %s, not %d", name, writes, what, count) end
end

-- The assignments of --set, as a table name -> value.
function options.assignments(list)
  local set = {}
  for _, one in ipairs(list or {}) do
    if set[one.name] ~= nil then command.misuse("--set %s is given twice", one.name) end
    set[one.name] = one.value
  end
  return set
end

return options
