-- logs: job logs known by a name instead of a path: `mira-2019`, `sample-2019-06`.

local checks = require "orrery.support.checks"
local core = require "orrery.core"
local folders = require "orrery.support.folders"

local logs = {}

local CHOICES = { wide = { "error", "drop", "keep" }, count = { "cpus", "nodes" },
  submitted = { "eligible", "submit" }, procs_of = { "requested", "allocated" } }

local function check_choice(given, name)
  local fine = given[name] == nil
  for _, choice in ipairs(CHOICES[name]) do fine = fine or given[name] == choice end
  checks.expect(fine, "read: " .. name, "one of " .. table.concat(CHOICES[name], ", "),
    ("'%s'"):format(given[name]))
end

-- The folder of the user's own logs of Mira; nil where the user has no home.
function logs.own_folder()
  local data = os.getenv("XDG_DATA_HOME")
  local home = os.getenv("HOME")
  if data and data ~= "" then return data .. "/orrery/mira" end
  return home and home .. "/.local/share/orrery/mira"
end

local function places()
  local list = { logs.own_folder() }
  for _, root in ipairs(folders.roots()) do list[#list + 1] = root .. "/data/mira" end
  return list
end

-- Opening a pipe would read from it, so existence is tested without opening.
local function exists(path) return require("lfs").attributes(path, "mode") ~= nil end

-- The path of a log given by its path or its name; an existing file comes first. A name is the name
-- of a file in one of the folders, without its extension.
function logs.find(given)
  if not given:match("^[%w_-]+$") or exists(given) then return given end
  for _, folder in ipairs(places()) do
    for _, ending in ipairs { ".csv.gz", ".csv" } do
      local path = ("%s/%s%s"):format(folder, given, ending)
      if exists(path) then return path end
    end
  end
  local year = given:match("^mira%-(%d%d%d%d)$")
  if not year then return given end
  checks.refuse(true, "%s: there is no file of this name, and no log: `orrery fetch-mira %s` "
    .. "fetches it", given, year)
end

-- All names of logs, sorted.
function logs.names()
  local names, seen = {}, {}
  for _, folder in ipairs(places()) do
    for _, file in ipairs(folders.files(folder)) do
      local name = file:match "^([%w_-]+)%.csv$" or file:match "^([%w_-]+)%.csv%.gz$"
      if name and not seen[name] then seen[name], names[#names + 1] = true, name end
    end
  end
  table.sort(names)
  return names
end

local function check_text(given, name)
  checks.expect(given[name] == nil or type(given[name]) == "string", "read: " .. name, "a text",
    type(given[name]))
end

local function check_flag(given, name)
  checks.expect(given[name] == nil or type(given[name]) == "boolean", "read: " .. name,
    "true or false", ("'%s'"):format(given[name]))
end

-- The map of columns as a text, which a table says field by field.
local function columns_of(given)
  if type(given.columns) ~= "table" then
    checks.expect(given.columns == nil or type(given.columns) == "string", "read: columns",
      "a text or a table", type(given.columns))
    return given.columns
  end
  local parts = {}
  for field, column in pairs(given.columns) do
    checks.expect(type(field) == "string" and type(column) == "string", "read: columns",
      "names of fields with texts", ("[%s] = %s"):format(field, column))
    parts[#parts + 1] = field .. "=" .. column:gsub(",", "\\,")
  end
  table.sort(parts)
  return table.concat(parts, ",")
end

local DELIMITERS = { comma = ",", semicolon = ";", tab = "\t", bar = "|", colon = ":", blank = " " }

-- The delimiter as a character; nil: the header tells it.
local function delimiter_of(given)
  local delimiter = given.delimiter
  if delimiter == nil then return nil end
  local character = DELIMITERS[delimiter] or delimiter
  checks.expect(type(character) == "string" and character:match "^[^%w\"\r\n%z\128-\255]$",
    "read: delimiter", "semicolon, blank, tab, colon, bar, comma, or another character that is "
    .. "neither a letter nor a digit nor a quote", ("'%s'"):format(delimiter))
  return character
end

-- The reader's options, from the user's options of orrery.read.
function logs.options(given)
  given = given == nil and {} or given
  checks.fields("read", given, "module.ReadOptions")
  local status = given.status
  if type(status) == "table" then status = table.concat(status, ",") end
  checks.expect(status == nil or type(status) == "string", "read: status",
    "a text or a list of texts", type(status))
  check_flag(given, "ran")
  check_flag(given, "strict")
  check_flag(given, "damaged")
  check_flag(given, "dependencies")
  check_text(given, "header")
  check_text(given, "timezone")
  check_text(given, "origin")
  check_text(given, "rows")
  checks.expect(given.procs == nil or math.type(given.procs) == "integer" and given.procs > 0
    and given.procs < 2^31 - 1, "read: procs", "a whole number of processors",
    ("'%s'"):format(given.procs))
  check_choice(given, "wide")
  check_choice(given, "count")
  check_choice(given, "submitted")
  check_choice(given, "procs_of")
  return { status = status, ran = given.ran, wide = given.wide, count = given.count,
    procs = given.procs, procs_of = given.procs_of, strict = given.strict, damaged = given.damaged,
    submitted = given.submitted, dependencies = given.dependencies, header = given.header,
    columns = columns_of(given), timezone = given.timezone, origin = given.origin,
    format = given.format ~= nil and { require "orrery.values.formats".find(given.format) } or nil,
    formats = function() return require "orrery.values.formats".all() end, -- asked for if need be
    rows = given.rows, delimiter = delimiter_of(given),
    threads = given.threads and checks.count("read: threads", given.threads, 1) or core.cores() }
end

return logs
