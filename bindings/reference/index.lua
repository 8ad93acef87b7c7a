-- index: the classes of the schema, by name. The tables of spec/API.md and policies/README.md
-- (`make docs`), orrery.help, the annotations for editors and the man page are made from it; specs
-- demand an entry for every name.
--
-- The files in schema/ return lists of classes; a class is a list of entries:
--
--   {
--     class = "Jobs",        orrery.Jobs in the annotations; types below call it Jobs
--     kind = "jobs",         what help and completion call its values; none: a table of fields
--     names = { "log" },     other names under which help finds it
--     shown = "jobs",        what stands before a member: jobs.origin, jobs:days()
--     bare = true,           but not in the tables of the READMEs
--     functions = true,      its members are functions, not methods
--     metatable = "...",     by which the values of C are known: its name in the registry
--     lua_class = "...",     the same for those of Lua: its name in core.classes
--     host = true,           only policies have such values
--     at_prompt = true,      its members are globals of the prompt
--     parent = "Summary",    it has that class's fields, too
--     about = "...", head = "heading of the first column",
--     { "day", "(day: string|integer): Jobs", "those submitted on a day, ..." },
--     { "procs", "integer?", "of the machine", unit = "processors", default = "1" },
--     ...
--   }
--
-- An entry is a name, a type and a text. A type that begins with `(` is the signature of a method
-- (in a class of functions, of a function); all others are types of LuaCATS, in which a function
-- stands last and a `?` at the end says that the field may be left out (`optional = true` of
-- functions). Whatever is a number has a unit, "" if that is none. `#` and `[]` (with `index`) are
-- the operators. Texts are Markdown; {fields CLASS} lists the fields of a class. `group` puts an
-- entry into a table of its own; `of` says which of several functions have the field, see runs.lua.
-- `flag` is the option of commands for a field, as scripts/command/options.lua declares options. A
-- class takes entries from others with `include`, see schema/included.lua.
--
-- { alias = "Name", type = "...", words = "what help calls it" } names a type.

local included = require "orrery.schema.included"

local FILES = { "module", "jobs", "tasks", "packs", "runs", "results", "search", "sessions",
  "pictures", "random", "policies", "redistribution", "prompt" }

local index = { classes = {}, aliases = {}, by_class = {} }

-- --- signatures ---------------------------------------------------------------------------------

local OPEN, CLOSE = { ["("] = 1, ["{"] = 1, ["["] = 1, ["<"] = 1 }, {
  [")"] = 1, ["}"] = 1, ["]"] = 1, [">"] = 1,
}

-- The parts of a text between commas (or other separators) that stand in no brackets or quotes.
function index.split(text, separator)
  local parts, depth, quoted, from = {}, 0, false, 1
  for at = 1, #text do
    local letter = text:sub(at, at)
    if letter == '"' then quoted = not quoted end
    if not quoted then depth = depth + (OPEN[letter] or 0) - (CLOSE[letter] or 0) end
    if letter == (separator or ",") and depth == 0 and not quoted then
      parts[#parts + 1] = text:sub(from, at - 1):match "^%s*(.-)%s*$"
      from = at + 1
    end
  end
  local last = text:sub(from):match "^%s*(.-)%s*$"
  if last ~= "" then parts[#parts + 1] = last end
  return parts
end

-- "(a: T, b?: U): R, S" as the list of { name =, type =, optional = } and the list of types. A
-- returned function includes the text behind it: the other commas belong to it.
local function parse_signature(text)
  local inside, rest = text:match "^(%b())%s*:?%s*(.*)$"
  local params = {}
  for i, param in ipairs(index.split(inside:sub(2, -2))) do
    local name, optional, type_of = param:match "^([%w_]+)(%??):%s*(.+)$"
    params[i] = { name = name, optional = optional == "?", type = type_of }
  end
  return params, rest:match "^fun%(" and { rest } or index.split(rest)
end

-- "a[, b[, c]]": the names of parameters, those that may be left out in brackets.
local function parameter_list(params)
  local text, open = "", 0
  for i, param in ipairs(params) do
    if param.optional then
      text, open = text .. "[", open + 1
    end
    text = text .. (i > 1 and ", " or "") .. param.name
  end
  return text .. ("]"):rep(open)
end

-- The written form of an entry: jobs:day(day), jobs.origin, #jobs, jobs[i]; without owner only the
-- name.
local function written(owner, entry)
  if entry.name == "#" then return "#" .. owner end
  if entry.name == "[]" then return ("%s[%s]"):format(owner, entry.index) end
  local call = entry.params and ("(%s)"):format(parameter_list(entry.params)) or ""
  if not owner then return entry.name .. call end
  return owner .. (entry.is_method and ":" or ".") .. entry.name .. call
end

function index.tables_in(type_text)
  local list = {}
  for name in type_text:gmatch "%u%w+" do
    local class = index.by_class[name]
    if class and not class.kind then list[#list + 1] = class end
  end
  return list
end

-- --- loading ------------------------------------------------------------------------------------

local function one_line(text) return (text:gsub("%s*\n%s*", " ")) end

local function add_entry(class, given)
  local entry = { class = class, name = given[1], type = one_line(given[2]),
    about = one_line(given[3] or ""), optional = given.optional or false }
  for _, key in ipairs { "unit", "default", "of", "group", "index", "overloads", "formula" } do
    entry[key] = given[key]
  end
  if entry.type:match "^%(" then
    entry.params, entry.returns = parse_signature(entry.type)
    entry.is_method = not class.functions
  elseif entry.type:match "%?$" and not entry.type:find("fun(", 1, true) then
    entry.type, entry.optional = entry.type:sub(1, -2), true
  end
  entry.written = written(class.shown, entry)
  entry.in_tables = class.bare and written(nil, entry) or entry.written
  class.entries[#class.entries + 1], class.by_name[entry.name] = entry, entry
end

-- The entries of a class, first its parent's.
local function members_of(class)
  local parent = class.parent and index.by_class[class.parent]
  local list = parent and table.move(parent.entries, 1, #parent.entries, 1, {}) or {}
  return table.move(class.entries, 1, #class.entries, #list + 1, list)
end

local function add_part(class, mark)
  local name = class.part_names[mark]
  local part = { name = class.parts[mark], names = { name }, about = class.about:format(name),
    part_of = class, file = class.file, entries = {}, by_name = {} }
  part.members = part.entries
  for _, entry in ipairs(class.entries) do
    if entry.of:find(mark, 1, true) then
      local copy = { class = part }
      for key, value in pairs(entry) do copy[key] = copy[key] or value end
      part.entries[#part.entries + 1], part.by_name[copy.name] = copy, copy
    end
  end
  index.classes[#index.classes + 1], index.by_class[part.name] = part, part
end

local function add_class(given, file)
  if given.alias then
    index.aliases[#index.aliases + 1] =
      { name = given.alias, type = one_line(given.type), about = given.about, words = given.words }
    return
  end
  local class = { entries = {}, by_name = {} }
  for key, value in pairs(given) do
    if type(key) == "string" then class[key] = value end
  end
  class.name, class.about, class.file = given.class, one_line(given.about), file
  for _, entry in ipairs(included.entries(given)) do add_entry(class, entry) end
  class.members = members_of(class)
  index.classes[#index.classes + 1], index.by_class[class.name] = class, class
  for _, mark in ipairs(class.parts and { "c", "s" } or {}) do add_part(class, mark) end
end

for _, file in ipairs(FILES) do
  local classes = require("orrery.schema." .. file)
  for _, class in ipairs(classes) do add_class(class, file) end
end

return index
