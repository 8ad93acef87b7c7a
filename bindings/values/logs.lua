-- logs: job logs known by a name instead of a path: `mira-2019`, `sample-2019-06`.

local checks = require "orrery.support.checks"
local core = require "orrery.core"
local folders = require "orrery.support.folders"

local logs = {}

local CHOICES = { wide = { "error", "drop", "keep" }, count = { "cpus", "nodes" },
  submitted = { "eligible", "submit" }, procs_of = { "requested", "allocated" } }

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

local TYPES = { boolean = "true or false", string = "a text" }

-- Options that are texts, flags or one of several words.
local function check_plain(given)
  for name, choices in pairs(CHOICES) do
    local fine = given[name] == nil
    for _, choice in ipairs(choices) do fine = fine or given[name] == choice end
    if not fine then
      checks.expect(false, "read: " .. name, "one of " .. table.concat(choices, ", "),
        ("'%s'"):format(given[name]))
    end
  end
  for name, kind in pairs { ran = "boolean", strict = "boolean", damaged = "boolean",
    dependencies = "boolean", header = "string", timezone = "string", origin = "string",
    rows = "string" } do
    local value = given[name]
    if value ~= nil and type(value) ~= kind then
      checks.expect(false, "read: " .. name, TYPES[kind],
        kind == "string" and type(value) or ("'%s'"):format(value))
    end
  end
end

-- The map of columns as a text, which a table says field by field.
local function columns_of(given)
  if given.columns == nil then return nil end
  if type(given.columns) ~= "table" then
    checks.expect(type(given.columns) == "string", "read: columns", "a text or a table",
      type(given.columns))
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
  check_plain(given)
  checks.expect(given.procs == nil or math.type(given.procs) == "integer" and given.procs > 0
    and given.procs < 2^31 - 1, "read: procs", "a whole number of processors",
    ("'%s'"):format(given.procs))
  local read = {}
  for name, value in pairs(given) do read[name] = value end
  read.status, read.columns, read.delimiter = status, columns_of(given), delimiter_of(given)
  read.pools = given.pools ~= nil and require("orrery.values.pools").of(given.pools) or nil
  if given.machine ~= nil then
    local machine = require "orrery.values.machine"
    read.pools, read.nodes = machine.read(machine.of(given.machine), given.pools)
  end
  read.format = given.format ~= nil and { require "orrery.values.formats".find(given.format) }
    or nil
  read.formats = function() return require "orrery.values.formats".all() end -- if need be
  read.threads = given.threads and checks.count("read: threads", given.threads, 1) or core.cores()
  return read
end

return logs
