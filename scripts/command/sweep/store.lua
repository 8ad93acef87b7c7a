-- store: the folder of a sweep: finished cells, claims of cells, and results.
--
--   manifest.json     the sweep, and Orrery's version; another specification is refused once there
--                     are records
--   cells/NAME        the record of a finished cell; the name comes from what identity.lua says
--   lock, claims/     claims on cells: claims.lua has the rules
--   results.csv       all records as one table, once all are there
--
-- A record is one file per cell, written beside its place, brought to the disk (fsync) and then
-- renamed, so that neither a killed process nor a full disk nor a power failure leaves a part of
-- one under its name; its last line is nevertheless a checksum over the rest. One file per cell
-- instead of one log for all: processes and machines need no agreement about the order of writing,
-- and a torn file cannot damage a second cell. A cell that is computed twice, because a claim
-- failed, has the same record twice.
local claims = require "orrery.command.claims"
local command = require "orrery.command.command"
local csv = require "orrery.command.csv"
local grid = require "orrery.command.sweep.grid"
local identity = require "orrery.command.sweep.identity"
local json = require "dkjson"
local lfs = require "lfs"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local output = require "orrery.command.output"

local store = { checksum = orrery.tools.checksum }
store.__index = store

-- The manifest of a sweep.
function store.describe(spec)
  local manifest = identity.of(spec)
  manifest.version, manifest.columns = orrery.version, grid.columns(spec)
  manifest.cells, manifest.title, manifest.path = spec.count, spec.title, spec.path
  manifest.metrics, manifest.by = spec.metric_names, (spec.fixed or {}).by
  return manifest
end

local REASONS = {
  { "version", "it was begun by version %s, this is %s" },
  { "spec", "the specification has changed since (%s, now %s)" },
  { "policies", "a policy's file has changed since (%s, now %s)" },
  { "per_run", "it was begun with per_run = %s, this is %s" },
  { "names", "it was begun with the axes %s, this has %s" },
}

-- The difference by which two manifests are different sweeps, regardless of the values of their
-- axes; nil: none.
local function difference(was, is)
  for _, reason in ipairs(REASONS) do
    local name, text = table.unpack(reason)
    if was[name] ~= is[name] then return text:format(tostring(was[name]), tostring(is[name])) end
  end
  for _, path in ipairs(orrery.tools.sorted(is.files)) do
    local sum = was.files[path]
    if sum and sum ~= is.files[path] then return REASONS[3][2]:format(sum, is.files[path]) end
  end
end

local function check_same(dir, was, is)
  local text = difference(was, is)
  if text then
    command.misuse("%s: %s; results of the two are not mixed: choose another folder", dir, text)
  end
end

-- The manifest of a folder; nil: none.
function store.manifest(dir)
  local text = command.read_file(dir .. "/manifest.json")
  if not text then return nil end
  local manifest = command.decode(text)
  if type(manifest) ~= "table" or not manifest.spec or not manifest.axes then
    command.misuse("%s/manifest.json: this is no manifest of a sweep", dir)
  end
  return manifest
end

local function open_claims(dir)
  local path = dir .. "/lock"
  orrery.tools.check_place(path)
  local handle, problem = io.open(path, "a+b")
  if not handle then command.fail("cannot write %s: %s", path, problem:sub(#path + 3)) end
  return claims.new(handle, path, dir .. "/claims")
end

local function has_records(dir)
  for name in lfs.dir(dir .. "/cells") do
    if name:match "^%x+$" then return true end
  end
  return false
end

local TABLES = { "results.csv", "runs.csv", "paired.csv" }

local function write_manifest(dir, is)
  orrery.tools.write_file(dir .. "/manifest.json", json.encode(is, { indent = true }) .. "\n")
end

-- The axes have other values than before: tables of the old ones go, and a policy's file of then
-- must not have changed when it comes back.
local function regrid(dir, was, is)
  for path, sum in pairs(was.files) do is.files[path] = is.files[path] or sum end
  for _, name in ipairs(TABLES) do os.remove(dir .. "/" .. name) end
  write_manifest(dir, is)
end

-- The folder of this sweep, which is made where it does not exist; a folder of another sweep
-- without records becomes this sweep's.
local function begin(dir, is)
  local was = store.manifest(dir)
  local self = setmetatable({ dir = dir, manifest = is, good = {} }, store)
  if was and difference(was, is) and not has_records(dir) then
    self.anew = true
    write_manifest(dir, is)
  elseif was then
    check_same(dir, was, is)
    if was.grid ~= is.grid then regrid(dir, was, is) end
  else
    command.make_folder(dir)
    command.make_folder(dir .. "/cells")
    write_manifest(dir, is)
  end
  claims.remove_left_over(dir)
  claims.remove_left_over(dir .. "/cells")
  claims.remove_left_over(dir .. "/claims")
  return self
end

-- Opens the folder of a sweep for work.
function store.open(dir, spec)
  local self = begin(dir, store.describe(spec))
  self.claims = open_claims(dir)
  return self
end

-- Opens an existing folder for reading, without the specification.
function store.look(dir)
  local manifest = store.manifest(dir)
  if not manifest then command.misuse("%s: there is no sweep here, no manifest.json", dir) end
  return setmetatable({ dir = dir, manifest = manifest, good = {} }, store)
end

-- A new folder for records of the same sweep as the records in `other`.
function store.beside(other, dir) return begin(dir, other.manifest) end

-- Refuses a folder with records of another sweep, or of one with other values on its axes.
function store:check_same(other)
  check_same(other.dir, other.manifest, self.manifest)
  if other.manifest.grid ~= self.manifest.grid then
    command.misuse("%s: its axes have other values than those of %s: let one specification sweep "
      .. "both folders, then merge them", other.dir, self.dir)
  end
end

-- The key of cell i; its number where there are no axes.
local function key_of(self, i)
  local is = self.manifest
  return #is.axes == 0 and i or identity.point(is.axes, grid.indices(is, i))
end

-- The name of its record, in hexadecimal digits.
local function name_of(self, i)
  local is, key = self.manifest, key_of(self, i)
  if key == i then return ("%07d"):format(i) end
  local parts = { is.version, is.spec, is.policies, tostring(is.per_run), key }
  return store.checksum(table.concat(parts, " "))
end

-- The file of its record.
function store:path(i) return ("%s/cells/%s"):format(self.dir, name_of(self, i)) end

-- --- records ------------------------------------------------------------------------------------

-- The seconds in the head of a record, if the record is of cell i. The head mostly has the form in
-- which this program writes it: then its parts are found in the text, without a table.
local function seconds_of(self, i, head)
  local cell = '"cell":' .. json.encode(key_of(self, i))
  if head:find(cell, 1, true) and head:find('"spec":"' .. self.manifest.spec .. '"', 1, true) then
    local seconds = tonumber(head:match '"seconds":([^,}]+)')
    if seconds then return seconds end
  end
  local about = command.decode(head)
  return type(about) == "table" and about.cell == key_of(self, i)
    and about.spec == self.manifest.spec and about.seconds or nil
end

-- The record of cell i as it was given to `write`, or nil: not there, or (second value) damaged.
function store:read(i)
  local text = command.read_file(self:path(i))
  if not text then return nil end
  local body, sum = text:match "^(.*\n)checksum (%x+)\n$"
  if not body or store.checksum(body) ~= sum then return nil, "damaged" end
  local head, summary, runs = body:match "^([^\n]*)\n(.-)%-%-\n(.*)$"
  local seconds = head and seconds_of(self, i, head)
  if not seconds then return nil, "damaged" end
  self.good[i] = seconds
  local notes = head:find('"notes":', 1, true) and command.decode(head).notes or ""
  return { seconds = seconds, summary = summary, runs = runs, notes = notes }
end

-- Whether the record exists; it is not read.
function store:is_there(i) return lfs.attributes(self:path(i)) ~= nil end

-- Whether a valid record exists.
function store:has(i) return self.good[i] ~= nil or self:read(i) ~= nil end

-- Keeps the result of cell i: rows of CSV, and its seconds. The rows begin with grid.ROW, in whose
-- place the tables have the number and the values of the cell.
function store:write(i, record)
  local head = json.encode({ cell = key_of(self, i), spec = self.manifest.spec,
    seconds = record.seconds, notes = record.notes ~= "" and record.notes or nil })
  local body = ("%s\n%s--\n%s"):format(head, record.summary, record.runs)
  orrery.tools.write_file(self:path(i), ("%schecksum %s\n"):format(body, store.checksum(body)))
end

-- Keeps a record of another folder of this sweep, as the same file if both are on one disk. A
-- record is never changed, only replaced.
function store:take(i, other, record)
  if not lfs.link(other:path(i), self:path(i)) then self:write(i, record) end
  self.good[i] = record.seconds
end

-- --- claims -------------------------------------------------------------------------------------

-- The byte of the lock: a cell has the same byte in every grid that contains it.
local function byte_of(self, i) return tonumber(name_of(self, i):sub(1, 12), 16) end

-- Claims cell i; returns whether this process has it. Claims end with the process, or with release.
function store:claim(i) return self.claims:take(byte_of(self, i), name_of(self, i)) end

function store:release(i) self.claims:give_back(byte_of(self, i), name_of(self, i)) end

-- --- all cells -----------------------------------------------------------------------------------

-- The numbers of the cells of a list (nil: of all) without a valid record; among these the cells
-- whose record is damaged; and the total seconds of the others. A record that this process has
-- found valid is not read again: records never change.
function store:missing(cells)
  local missing, damaged, seconds = {}, {}, 0
  for at = 1, cells and #cells or self.manifest.cells do
    local i = cells and cells[at] or at
    local problem
    if not self.good[i] then problem = select(2, self:read(i)) end
    if not self.good[i] then missing[#missing + 1] = i end
    if problem then damaged[#damaged + 1] = i end
    seconds = seconds + (self.good[i] or 0)
  end
  return missing, damaged, seconds
end

local function head_of(self, last)
  return table.concat(self.manifest.columns, ",") .. "," .. last .. "\n"
end

-- The rows with the number and the values of the cell in their place.
local function filled(self, i, rows)
  local cells = { tostring(i) }
  for a, at in ipairs(grid.indices(self.manifest, i)) do
    cells[a + 1] = self.manifest.axes[a].values[at]
  end
  local text = table.concat(cells, ",") .. ","
  return (rows:gsub(grid.ROW, function() return text end))
end

-- The table of all records, which must be there: one row per cell, policy and metric. And the notes
-- on their logs, each once.
function store:summary()
  local parts, notes, seen = { head_of(self, "metric,n,mean,sd,half_width,min,max") }, {}, {}
  for i = 1, self.manifest.cells do
    local record = self:read(i)
    parts[i + 1] = filled(self, i, record.summary)
    for note in record.notes:gmatch "[^\n]+" do
      if not seen[note] then seen[note], notes[#notes + 1] = true, note end
    end
  end
  return table.concat(parts), notes
end

-- The table with one row per cell, policy and run; a sweep with per_run only.
function store:runs()
  local parts, columns = {}, nil
  for i = 1, self.manifest.cells do
    local first, rows = self:read(i).runs:match "^([^\n]*)\n(.*)$"
    if columns and first ~= columns then
      command.fail("%s: cells %d and %d have other metrics; name them in `metrics`", self.dir, 1, i)
    end
    columns, parts[i] = first, filled(self, i, rows)
  end
  return head_of(self, columns) .. table.concat(parts)
end

-- The rows of one of these, "summary" or "runs", as tables of texts by column.
function store:rows(what) return csv.rows((self[what](self))) end

-- A row of the table for JSON: numbers are numbers, and empty values are absent.
local function plain(row)
  local copy = {}
  for name, text in pairs(row) do
    if text ~= "" then copy[name] = tonumber(text) or text end
  end
  return copy
end

-- Writes the tables of a complete sweep. given: the options, of which it uses json.
function store:write_tables(given)
  local text, notes = self:summary()
  orrery.tools.write_file(self.dir .. "/results.csv", text)
  print(("%d cells: %s/results.csv"):format(self.manifest.cells, self.dir))
  for _, note in ipairs(notes) do print("note: " .. note) end
  if self.manifest.per_run then
    orrery.tools.write_file(self.dir .. "/runs.csv", self:runs())
    print(("every run: %s/runs.csv"):format(self.dir))
  end
  output.write(given, { json = function(path)
    output.json(path, { title = self.manifest.title, cells = self.manifest.cells,
      notes = notes[1] and notes or nil, rows = lists.map(self:rows "summary", plain) })
  end })
  if self.claims then self.claims:clear() end
end

-- The numbers of a sorted list in few words: "1-3, 7".
function store.ranges(list)
  local parts, from = {}, 1
  for i = 1, #list do
    if list[i + 1] ~= list[i] + 1 then
      parts[#parts + 1] = from == i and tostring(list[i]) or ("%d-%d"):format(list[from], list[i])
      from = i + 1
    end
  end
  if #parts > 12 then
    return table.concat(parts, ", ", 1, 12) .. (", and more (%d in all)"):format(#list)
  end
  return table.concat(parts, ", ")
end

return store
