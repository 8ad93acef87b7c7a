-- formats: formats of logs as data, in Lua files that hold no functions: scripts/formats/NAME.lua
-- in the user's folders and in Orrery's.
local checks = require "orrery.support.checks"
local folders = require "orrery.support.folders"
local literal_file = require "orrery.support.literal_file"

local formats = {}

local FOLDER = "scripts/formats"
local KNOWN = { about = "string", delimiter = "string", depth = "number", header = "string",
  signs = "table", records = "table", columns = "table", needs = "table", states = "table",
  absent = "table" }

local shipped -- what `all` gives

local function refuse(path, message, ...)
  checks.refuse(true, "format: %s: " .. message, path, ...)
end

local function escaped(text) return (text:gsub("[\\,:|=!]", "\\%0")) end

-- A column with its unit: the name may hold what the map takes for marks, but for the unit's colon.
local function column_text(path, field, column)
  if type(column) ~= "string" or column == "" then
    refuse(path, "columns: %s: expected a text with the name of a field", field)
  end
  return ("%s=%s"):format(field, (column:gsub(",", "\\,")))
end

local function sorted(map)
  local keys = {}
  for key in pairs(map) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return keys
end

local function columns_text(path, columns)
  local parts = {}
  local fields = sorted(columns)
  table.sort(fields, function(a, b) -- the id comes first, so that messages can name the job
    if (a == "id") ~= (b == "id") then return a == "id" end
    return tostring(a) < tostring(b)
  end)
  for _, field in ipairs(fields) do
    local given = columns[field]
    for _, column in ipairs(type(given) == "table" and given or { given }) do
      parts[#parts + 1] = column_text(path, field, column)
    end
  end
  return table.concat(parts, ",")
end

-- { type = "E", state = { "a", "b" } } as "state=a|b,type=E"; plain: without escapes.
local function words_text(path, what, map, plain)
  local parts = {}
  for _, key in ipairs(sorted(map)) do
    local given, words = map[key], {}
    if math.type(key) == "integer" then -- a name without words
      parts[#parts + 1] = given
    else
      for i, word in ipairs(type(given) == "table" and given or { given }) do
        if type(word) ~= "string" then refuse(path, "%s: %s: expected texts", what, key) end
        words[i] = plain and word or escaped(word)
      end
      parts[#parts + 1] = ("%s=%s"):format(plain and key or escaped(key), table.concat(words, "|"))
    end
  end
  return #parts > 0 and table.concat(parts, ",") or nil
end

-- "*" stands for all other states, so it comes last.
local function states_text(path, states)
  local parts = {}
  for _, state in ipairs(sorted(states)) do
    if type(state) ~= "string" or type(states[state]) ~= "string" then
      refuse(path, "states: expected words of the log with the status that each means")
    end
    if state ~= "*" then parts[#parts + 1] = state .. "=" .. states[state] end
  end
  if states["*"] then parts[#parts + 1] = "*=" .. states["*"] end
  return table.concat(parts, ",")
end

-- The description of a format for the kernel, from the table that its file holds.
local function described(name, path, given)
  if type(given.header) == "table" then given.header = table.concat(given.header, ",") end
  for _, key in ipairs(sorted(given)) do
    local kind = KNOWN[key]
    if not kind then
      refuse(path, "unknown field '%s' (known: %s)", tostring(key),
        table.concat(sorted(KNOWN), ", "))
    elseif type(given[key]) ~= kind then
      refuse(path, "%s: expected a %s, found a %s", key, kind == "string" and "text" or kind,
        type(given[key]))
    end
  end
  if not given.columns then refuse(path, "columns is missing: which fields mean what") end
  for need, column in pairs(given.needs or {}) do
    if type(need) ~= "string" or not need:find "^[%w_:-]+$" then
      refuse(path, "needs: expected names of pools or resources, found '%s'", tostring(need))
    end
    given.columns["needs." .. need] = column
  end
  local depth = given.depth
  if depth and (math.type(depth) ~= "integer" or depth < 0 or depth > 9) then
    refuse(path, "depth: expected a whole number from 0 to 9")
  end
  return { name = name, about = given.about or name, depth = depth, header = given.header,
    delimiter = given.delimiter, columns = columns_text(path, given.columns),
    signs = given.signs and words_text(path, "signs", given.signs, true),
    records = given.records and words_text(path, "records", given.records),
    states = given.states and states_text(path, given.states),
    absent = given.absent and words_text(path, "absent", given.absent, true) }
end

local function load(name, path)
  return described(name, path, literal_file.load("format", path))
end

function formats.all()
  if shipped then return shipped end
  local list = {}
  for _, script in ipairs(folders.scripts(FOLDER)) do
    list[#list + 1] = load(script.name, script.path)
  end
  shipped = list
  return list
end

function formats.find(given)
  checks.expect(type(given) == "string", "read: format", "the name or the file of a format",
    type(given))
  if given:match "/" or given:match "%.lua$" then return load(given, given) end
  local known = {}
  for i, format in ipairs(formats.all()) do
    if format.name == given then return format end
    known[i] = format.name
  end
  checks.refuse(true, "format: there is no format '%s' (known: %s; a file has .lua or a slash in "
    .. "its name)", given, table.concat(known, ", "))
end

return formats
