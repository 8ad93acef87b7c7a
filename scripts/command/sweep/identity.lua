-- identity: the identity of a cell: its point, and the computation there, but not its number, which
-- changes when an axis gets more values.
--
-- The computation is the specification without the values of its axes, and the policy files that it
-- names.
local command = require "orrery.command.command"
local csv = require "orrery.command.csv"

local identity = {}

local checksum = require("orrery").tools.checksum
local lists = require "orrery.support.lists"

-- The end of the text in quotes that begins at a position.
local function quoted_end(text, at)
  local quote = text:sub(at, at)
  local last = at + 1
  while last < #text and text:sub(last, last) ~= quote do
    last = last + (text:sub(last, last) == "\\" and 2 or 1)
  end
  return last
end

-- The end of the comment, text or name that begins at a position, or the single character.
local function token_end(text, at)
  local level = text:match("^%-%-%[(=*)%[", at) or text:match("^%[(=*)%[", at)
  if level then return select(2, text:find("]" .. level .. "]", at, true)) or #text end
  if text:find("^%-%-", at) then return select(2, text:find("^[^\n]*", at)) end
  if text:find("^[\"']", at) then return quoted_end(text, at) end
  return select(2, text:find("^[%w_]+", at)) or at
end

-- A specification without the values of its axes. Only where the axes are written as `axes = { ...
-- }`, and no other thing is called axes: otherwise other parts may depend on them, and the whole
-- text is returned.
function identity.without_axes(text)
  local at, named, open, close, depth = 1, 0, nil, nil, 0
  while at <= #text do
    local last = token_end(text, at)
    local token = text:sub(at, last)
    if token == "axes" then
      named = named + 1
      open = open or text:match("^axes%s*=%s*(){", at)
    elseif open and not close and (token == "{" or token == "}") then
      depth = depth + (token == "{" and 1 or -1)
      if depth == 0 then close = at end
    end
    at = last + 1
  end
  return named == 1 and close and text:sub(1, open) .. text:sub(close) or text
end

-- The policies and machines that are named as files in a value: path -> checksum.
local function files_in(value, files)
  if type(value) == "string" and (value:match "%.lua$" or value:match "%.conf$") then
    files[value] = checksum(command.read_file(value) or "")
  elseif type(value) == "table" then
    for _, item in pairs(value) do files_in(item, files) end
  end
  return files
end

local function fixed_files(spec)
  local files, list = {}, {}
  for _, name in ipairs { "policy", "policies", "priority", "machine" } do
    files_in((spec.fixed or {})[name], files)
  end
  for path, sum in pairs(files) do list[#list + 1] = path .. "\n" .. sum end
  table.sort(list)
  return checksum(table.concat(list, "\0"))
end

local function text_of(value)
  return math.type(value) == "float" and csv.short(value) or csv.field(value)
end

-- The axes as plain texts: { name =, values = as the tables have them, types = } each.
local function axes_of(spec)
  local axes = {}
  for a, axis in ipairs(spec.axes) do
    axes[a] = { name = axis.name, values = {}, types = {} }
    for i, value in ipairs(axis.values) do
      axes[a].values[i] = text_of(value)
      axes[a].types[i] = math.type(value) or type(value)
    end
  end
  return axes
end

local function names_of(axes)
  local names = lists.fields(axes, "name")
  table.sort(names)
  return table.concat(names, ", ")
end

local function grid_of(axes)
  local parts = lists.map(axes, function(axis)
    return axis.name .. "\0" .. table.concat(axis.values, "\0") .. "\0"
      .. table.concat(axis.types, "\0")
  end)
  return checksum(table.concat(parts, "\1"))
end

-- The data that must be equal in two sweeps for them to be one sweep, as plain data. store.lua
-- decides about differences in `grid` and `files`, which belong to the axes.
function identity.of(spec)
  local axes, files = axes_of(spec), {}
  for _, axis in ipairs(spec.axes) do files_in(axis.values, files) end
  return { spec = checksum(identity.without_axes(spec.text)), policies = fixed_files(spec),
    per_run = spec.per_run or false, names = names_of(axes), axes = axes, grid = grid_of(axes),
    files = files }
end

-- A point as text: `indices` of its values on the axes, whose order does not matter.
function identity.point(axes, indices)
  local parts = {}
  for a, axis in ipairs(axes) do
    local at = indices[a]
    parts[a] = ("%s = %s (%s)"):format(axis.name, axis.values[at], axis.types[at])
  end
  table.sort(parts)
  return table.concat(parts, ", ")
end

return identity
