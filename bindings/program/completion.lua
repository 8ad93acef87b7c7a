-- completion: the candidates of the Tab key at the prompt.
--
-- completion.candidates(text) gets the typed text up to the cursor (also the earlier lines of an
-- unfinished entry). It returns the list of possible last words, and a text to put behind the word
-- if only one is possible. completion.names(value) gives the names in a value.
--
-- It calls no function of the user. The members of Orrery's objects, and the fields of tables that
-- its functions take, come from the reference; for other values the names are the keys of a table,
-- and of its __index table. A metatable may also have `__names`: a list, or a function from the
-- object to a list.
local folders = require "orrery.support.folders"
local lazy = require "orrery.program.globals"
local logs = require "orrery.values.logs"
local orrery = require "orrery"
local policies_of = require "orrery.host.policies"
local program = require "orrery.support.program"
local sorted = require("orrery.support.names").sorted

local completion = {}

local function reference() return require "orrery.reference.help" end

local KEYWORDS = { "and", "break", "do", "else", "elseif", "end", "false", "for", "function",
  "goto", "if", "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until",
  "while" }

-- --- reading the typed text ----------------------------------------------------------------------

-- Goes through the text: calls visit(character, at) for characters outside of strings and comments.
-- If the last string is open the result is its quote and its begin.
local function scan(text, visit)
  local at = 1
  while at <= #text do
    local c = text:sub(at, at)
    if text:find("^%-%-", at) then
      local stop = text:find("\n", at, true)
      if not stop then return "-", at end
      at = stop + 1
    elseif c == '"' or c == "'" then
      local stop = at + 1
      while stop <= #text and text:sub(stop, stop) ~= c do
        stop = stop + (text:sub(stop, stop) == "\\" and 2 or 1)
      end
      if stop > #text then return c, at end
      at = stop + 1
    else
      if visit then visit(c, at) end
      at = at + 1
    end
  end
end

-- The open quote at the end of the text; nil: none.
function completion.quote(text)
  local quote = scan(text)
  return quote ~= "-" and quote or nil
end

-- The brackets that are open at the end of the text: a list of positions.
local function open_brackets(text)
  local open = {}
  scan(text, function(c, at)
    if c:find "[%(%[{]" then
      open[#open + 1] = at
    elseif c:find "[%)%]}]" then
      open[#open] = nil
    end
  end)
  return open
end

-- --- values -------------------------------------------------------------------------------------

local function is_ours(metatable)
  local name = metatable and rawget(metatable, "__name")
  return type(name) == "string" and name:find "^orrery%." ~= nil
end

local function metatable_of(value)
  local kind = type(value)
  if kind ~= "table" and kind ~= "userdata" and kind ~= "string" then return nil end
  return debug.getmetatable(value)
end

-- The field; nil where reading it would call a foreign __index.
local function field(value, key)
  for _ = 1, 10 do
    if type(value) == "table" and rawget(value, key) ~= nil then return rawget(value, key) end
    local metatable = metatable_of(value)
    local index = metatable and rawget(metatable, "__index")
    if type(index) == "function" and is_ours(metatable) then
      local done, found = pcall(index, value, key)
      return done and found or nil
    elseif type(index) ~= "table" then
      return nil
    end
    value = index
  end
end

local function joined(list, more) return table.move(more, 1, #more, #list + 1, list) end

local function add_keys(names, value)
  for key in next, value do
    if type(key) == "string" and key:find "^[%a_][%w_]*$" then names[key] = true end
  end
end

-- The names of a kind of objects in the reference; only methods if wanted.
local function names_of_kind(kind, methods_only)
  local list = {}
  for _, member in ipairs(reference().names(kind) or {}) do
    if member.method or not methods_only then list[#list + 1] = member.name end
  end
  return list
end

-- The names that the value's own __names gives; nil: it has none.
local function own_names(value, methods_only)
  local metatable = metatable_of(value)
  local own = metatable and rawget(metatable, "__names")
  if type(own) == "function" then
    local done, list = pcall(own, value)
    own = done and list or nil
  end
  if own then return own end
  if not is_ours(metatable) then return nil end
  local kind = reference().kind_of(value)
  return kind and names_of_kind(kind, methods_only)
end

function completion.names(value, methods_only)
  local names, own = {}, own_names(value, methods_only)
  for _, name in ipairs(own or {}) do names[name] = true end
  local at = not own and value or nil
  for _ = 1, 10 do
    if type(at) == "table" then add_keys(names, at) end
    local metatable = metatable_of(at)
    at = metatable and rawget(metatable, "__index")
    if type(at) ~= "table" then break end
  end
  for name in pairs(not own and methods_only and names or {}) do
    if type(field(value, name)) ~= "function" then names[name] = nil end
  end
  return sorted(names)
end

local function global(name)
  local value = rawget(_G, name)
  if value ~= nil then return value end
  return lazy[name] and lazy[name].value()
end

-- The last name or constant index of the text, and the text before it: `a.b[1]` gives 1, `a.b`.
local function last_part(text)
  local before, name = text:match "^(.-)([%a_][%w_]*)$"
  if name then return name, before end
  local rest, index = text:match "^(.-)%[%s*(%d+)%s*%]$"
  return math.tointeger(index), rest
end

-- The value of the names and constant indices at the end of the text, `a.b[1].c`; nil where it is
-- unknown without running code. The second result is the kind of a global that is not loaded yet.
local function resolve(text)
  local parts = {}
  repeat
    local part, before = last_part(text)
    if not part then return nil end
    table.insert(parts, 1, part)
    local is_field = type(part) == "string" and before:find "[.:]$" and not before:find "%.%.$"
    text = is_field and before:sub(1, -2) or before
  until type(part) == "string" and not is_field
  local first = parts[1]
  local value = global(first)
  if value == nil and #parts == 1 and lazy[first] then return nil, lazy[first].kind end
  for i = 2, #parts do
    if value == nil then return nil end
    value = field(value, parts[i])
  end
  return value
end

-- --- candidates ----------------------------------------------------------------------------------

local function beginning_with(names, prefix)
  local list = {}
  for _, name in ipairs(names) do
    if name:sub(1, #prefix) == prefix and (name:sub(1, 1) ~= "_" or prefix:sub(1, 1) == "_") then
      list[#list + 1] = name
    end
  end
  return list
end

-- The value of a text that is a chain of names; nil where it is unknown.
function completion.value(text) return (resolve(text)) end

-- The names in the value at the end of the text; none where it is unknown.
function completion.names_in(text, methods_only)
  local value, kind = resolve(text)
  if kind then return names_of_kind(kind, methods_only) end
  return value ~= nil and completion.names(value, methods_only) or {}
end

local function is_luas(name)
  local value = rawget(_G, name)
  return package.loaded[name] ~= nil and value ~= orrery
    or type(value) == "function" and debug.getinfo(value, "S").what == "C"
end

-- The names of all globals, sorted, Lua's own names last.
function completion.globals()
  local names, own, luas = {}, {}, {}
  add_keys(names, _G)
  add_keys(names, lazy)
  for _, name in ipairs(sorted(names)) do table.insert(is_luas(name) and luas or own, name) end
  return joined(own, luas)
end

-- The classes of the table whose brace is at open[n]: an argument of a function, or a field of a
-- known table.
local function classes_at(text, open, n)
  local before = open[n] and text:sub(1, open[n] - 1)
  if not before or text:sub(open[n], open[n]) ~= "{" then return {} end
  local name = before:match "([%a_][%w_]*)%s*=%s*$"
  if name then
    for _, class in ipairs(classes_at(text, open, n - 1)) do
      local entry = class.by_name[name]
      if entry then return reference().tables_in(entry.type) end
    end
    return {}
  end
  local called = resolve((before:gsub("%s*%(?%s*$", "")))
  local entry = type(called) == "function" and reference().entry_of(called)
  if not entry then return {} end
  local types = joined({}, entry.overloads or {})
  for _, param in ipairs(entry.params) do types[#types + 1] = param.type end
  return reference().tables_in(table.concat(types, " "))
end

-- The fields that the table around the cursor may have: `orrery.session { jobs = x, pol`; nil where
-- the table is unknown, or the cursor is not at a field.
local function table_fields(text, prefix)
  local open = open_brackets(text)
  local before = text:sub(1, #text - #prefix):gsub("%s+$", "")
  if #open == 0 or not before:find "[{,;]$" then return nil end
  local names = {}
  for _, class in ipairs(classes_at(text, open, #open)) do
    for _, entry in ipairs(class.entries) do names[entry.name] = true end
  end
  return beginning_with(sorted(names), prefix)
end

-- The names known to help, without policies. `compare` is a function and a command.
local function help_names()
  local names = {}
  for _, name in ipairs(joined(completion.names(orrery), reference().kinds())) do
    names[name] = true
  end
  for _, command in ipairs(program.commands()) do names[command.name] = true end
  return sorted(names)
end

local function in_code(text)
  local prefix = text:match "[%a_][%w_]*$" or ""
  local before = text:sub(1, #text - #prefix)
  local dot = before:match "([.:])$"
  if dot and not before:find "%.%.$" then
    return beginning_with(completion.names_in(before:sub(1, -2), dot == ":"), prefix)
  end
  if before:find "^%s*%?%s*$" then
    return beginning_with(joined(help_names(), completion.globals()), prefix)
  end
  local list = table_fields(text, prefix)
  if list and #list > 0 then return list end
  local names = joined(completion.globals(), KEYWORDS)
  table.sort(names)
  return beginning_with(names, prefix)
end

-- --- in texts -----------------------------------------------------------------------------------

local function files(prefix)
  local folder = prefix:match "^(.*/)" or ""
  local list = {}
  local home = os.getenv "HOME"
  local lfs = require "lfs"
  local real = folder:gsub("^~/", (home or "~") .. "/")
  local start = prefix:sub(#folder + 1)
  for _, name in ipairs(folders.files(real == "" and "." or real)) do
    if name:sub(1, #start) == start then
      local is_folder = lfs.attributes(real .. name, "mode") == "directory"
      list[#list + 1] = folder .. name .. (is_folder and "/" or "")
    end
  end
  return list
end

-- Policies by their full names and, where the folder may be left out, by their short names.
local function policies(prefix, wanted)
  local names = {}
  for _, policy in ipairs(policies_of.names()) do
    local folder, short = policy:match "^(.-)/(.+)$"
    if not wanted or wanted(folder) then
      names[policy] = true
      if prefix ~= "" then names[short] = true end
    end
  end
  return beginning_with(sorted(names), prefix)
end

local function is_priority(folder) return folder == "priority" end
local function is_no_priority(folder) return folder ~= "priority" end

-- The kinds of texts, by the field that has the text as its value, or the function that gets it.
local MEANT = {
  policy = is_no_priority, policies = is_no_priority, priority = is_priority,
}

local LOGS = { read = true, weeks = true, jobs = true }

local function strip(before)
  return (before:gsub("[%s={%(,]+$", ""))
end

local function meant_by(before)
  before = strip(before)
  while before:find "[\"']$" do -- the other texts of a list
    local shorter = before:gsub("([\"'])[^\"']*%1$", "")
    if shorter == before then break end
    before = strip(shorter)
  end
  return before:match "([%a_][%w_]*)$"
end

-- A path is left open, for one may go on; the name of a policy or a log is closed.
local function in_text(text, quote, at)
  local prefix = text:sub(at + 1)
  local word = meant_by(text:sub(1, at - 1))
  local list, are_files
  if LOGS[word] then
    list = beginning_with(logs.names(), prefix)
    are_files = #list == 0
    if prefix ~= "" or are_files then joined(list, files(prefix)) end
  else
    local is_asked = MEANT[word] or word == "describe" or word == "help" or prefix ~= ""
    list = is_asked and policies(prefix, MEANT[word]) or {}
    if word == "help" then joined(list, beginning_with(help_names(), prefix)) end
    are_files = #list == 0
    if are_files then list = files(prefix) end
  end
  return list, not are_files and quote or nil
end

function completion.candidates(text)
  local quote, at = scan(text)
  if quote == "-" then return {} end
  if quote then return in_text(text, quote, at) end
  return in_code(text)
end

return completion
