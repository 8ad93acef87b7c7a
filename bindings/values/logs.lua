-- logs: job logs that have a name, so that no path must be typed: `mira-2019`, `sample-2019-06`.

local checks = require "orrery.support.checks"
local folders = require "orrery.support.folders"

local logs = {}

local CHOICES = { wide = { "error", "drop", "keep" }, count = { "cpus", "nodes" } }

local function check_choice(given, name)
  local fine = given[name] == nil
  for _, choice in ipairs(CHOICES[name]) do fine = fine or given[name] == choice end
  checks.expect(fine, "read: " .. name, "one of " .. table.concat(CHOICES[name], ", "),
    ("'%s'"):format(given[name]))
end

-- Where the user's own logs of Mira are; nil where the user has no home.
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

-- Whoever opens a pipe reads from it, so the question is not asked by opening.
local function exists(path) return require("lfs").attributes(path, "mode") ~= nil end

-- The path of the log that is given by its path or its name; a file that is there comes first. A
-- name is that of a file in one of the folders, without its ending.
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
  error(("%s: there is no file of this name, and no log: `orrery fetch-mira %s` fetches it"):format(
    given, year), 0)
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

-- What the reader takes, from what a user gives to orrery.read.
function logs.options(given)
  if given == nil then return nil end
  checks.fields("read", given, "module.ReadOptions")
  local status = given.status
  if type(status) == "table" then status = table.concat(status, ",") end
  checks.expect(status == nil or type(status) == "string", "read: status",
    "a text or a list of texts", type(status))
  checks.expect(given.ran == nil or type(given.ran) == "boolean", "read: ran", "true or false",
    ("'%s'"):format(given.ran))
  check_choice(given, "wide")
  check_choice(given, "count")
  return { status = status, ran = given.ran, wide = given.wide, count = given.count }
end

return logs
