-- grid: the specification of a sweep, and the cells that it names.
--
-- A specification is a Lua file that returns a table:
--   title    its title
--   axes     list of { "name", { value, ... } }: numbers, texts, booleans. A cell is a point of
--            their product; the first axis varies slowest
--   fixed    fields of orrery.compare for all cells
--   cell     function(point) -> more of these fields, over the others; point.NAME is the value of
--            an axis. An axis that is itself such a field, or `q`, the mean failure probability of
--            a job, is one where `cell` does not return it
--   metrics  list of names; by default those of the result's CSV
--   per_run  true: the numbers of every run are kept, too
--   cost     function(point) -> the approximate time of a cell, in any unit: long ones go first
local command = require "orrery.command.command"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local specification = require "orrery.command.specification"

-- ROW: the mark of a row's begin in a record; no text contains it.
local grid = { ROW = "\1" }

local FIELDS = { "title", "axes", "fixed", "cell", "metrics", "per_run", "cost" }
-- Their types, in the order in which they are checked; axes have more to be checked.
local TYPES = { { "title", "string" }, { "fixed", "table" }, { "cell", "function" },
  { "cost", "function" }, { "per_run", "boolean" }, { "metrics", "table" } }
local RESERVED = { cell = true, metric = true, n = true, mean = true, sd = true,
  half_width = true, min = true, max = true, set = true, run = true }
local MOST_CELLS = 10000000

local function refuse(spec, format, ...)
  command.misuse("%s: %s", spec.path, format:format(...))
end

local function check_fields(spec, given)
  local known = lists.set(FIELDS)
  for name in pairs(given) do
    if not known[name] then
      refuse(spec, "unknown field '%s'%s (known: %s)", tostring(name),
        orrery.tools.suggestion(name, FIELDS), table.concat(FIELDS, ", "))
    end
  end
  for _, field in ipairs(TYPES) do
    local name, wanted = field[1], field[2]
    if given[name] ~= nil and type(given[name]) ~= wanted then
      refuse(spec, "%s: expected a %s, found %s", name, wanted, type(given[name]))
    end
    spec[name] = given[name]
  end
  for i, name in ipairs(given.metrics or {}) do
    if type(name) ~= "string" then
      refuse(spec, "metrics: expected names, found a %s at place %d", type(name), i)
    end
  end
end

local PLAIN = { string = true, number = true, boolean = true }

local function check_values(spec, name, values)
  if type(values) ~= "table" or #values == 0 then
    refuse(spec, "axis %s: expected a list of values", name)
  end
  local seen = {}
  for i, value in ipairs(values) do
    if not PLAIN[type(value)] or value ~= value then
      refuse(spec, "axis %s: value %d is %s; numbers, texts and true or false can be values, and "
        .. "cell(point) makes of them what it wants", name, i,
        value ~= value and "not a number" or "a " .. type(value))
    elseif seen[tostring(value)] then
      refuse(spec, "axis %s: %s is there twice", name, tostring(value))
    end
    seen[tostring(value)] = true
  end
end

local function check_axes(spec, given)
  if type(given.axes) ~= "table" or #given.axes == 0 then
    refuse(spec, 'axes: expected a list like { { "policy", { "easy", "fcfs" } } }')
  end
  spec.count, spec.axes = 1, {}
  local seen = {}
  for i, axis in ipairs(given.axes) do
    local name = type(axis) == "table" and axis[1]
    if type(name) ~= "string" or not name:match "^[%a_][%w_]*$" or RESERVED[name] or seen[name] then
      refuse(spec, "axis %d: expected a name of letters and digits of its own that no column of "
        .. "the results has, found %s", i, tostring(name))
    end
    seen[name] = true
    check_values(spec, name, axis[2])
    spec.axes[i] = { name = name, values = axis[2] }
    spec.count = spec.count * #axis[2]
    if spec.count > MOST_CELLS then refuse(spec, "more than %d cells", MOST_CELLS) end
  end
end

function grid.read(path)
  local spec = { path = path, text = specification.text(path) }
  local given = specification.run(path, spec.text)
  check_fields(spec, given)
  check_axes(spec, given)
  return spec
end

-- Cell i, from 1, as the indices of its values on the axes.
function grid.indices(spec, i)
  local indices, rest = {}, i - 1
  for a = #spec.axes, 1, -1 do
    local length = #spec.axes[a].values
    indices[a] = rest % length + 1
    rest = rest // length
  end
  return indices
end

-- The point of cell i, as a table name -> value.
function grid.point(spec, i)
  local point = {}
  for a, index in ipairs(grid.indices(spec, i)) do
    point[spec.axes[a].name] = spec.axes[a].values[index]
  end
  return point
end

-- The point of cell i, as text for a person: "policy = easy, q = 0.1".
function grid.describe(spec, i)
  local parts, point = {}, grid.point(spec, i)
  for a, axis in ipairs(spec.axes) do
    parts[a] = ("%s = %s"):format(axis.name, tostring(point[axis.name]))
  end
  return table.concat(parts, ", ")
end

-- Whether rows have a column for the policy besides the axes.
function grid.names_policy(spec)
  return not lists.find(spec.axes, function(axis) return axis.name == "policy" end)
end

-- The names of the columns that say which cell and which policy.
function grid.columns(spec)
  local names = { "cell" }
  for _, axis in ipairs(spec.axes) do names[#names + 1] = axis.name end
  if grid.names_policy(spec) then names[#names + 1] = "policy" end
  return names
end

local TAKEN = {}

-- The axes that orrery.compare takes, of tasks or of jobs, whichever the fields have: name -> true.
function grid.takes(fields)
  local class = fields.tasks ~= nil and "runs.TasksSpec.c" or "runs.JobsSpec.c"
  if not TAKEN[class] then
    TAKEN[class] = { q = class == "runs.JobsSpec.c" or nil }
    for _, entry in ipairs(orrery.tools.fields_of(class)) do TAKEN[class][entry[1]] = true end
  end
  return lists.merged(TAKEN[class])
end

-- Fields of orrery.compare that replace an axis, besides the field of its name, where `cell`
-- returns them.
local INSTEAD = { policy = { "policies" }, jobs = { "sets" }, q = { "errors", "failures" } }

local function is_overridden(name, fields)
  for _, other in ipairs(INSTEAD[name] or {}) do
    if fields[other] ~= nil then return true end
  end
  return fields[name] ~= nil
end

-- The fields of the specification for cell i: the fixed fields, overridden by axes that are fields,
-- then by the result of `cell` for wrap(point); and the axes that became fields: name -> true.
function grid.given(spec, i, wrap)
  local point, fields, applied = grid.point(spec, i), lists.merged(spec.fixed), {}
  local more = {}
  if spec.cell then more = spec.cell(wrap and wrap(point) or lists.merged(point)) end
  if type(more) ~= "table" then
    error(("cell: expected it to return a table, found %s"):format(type(more)), 0)
  end
  local takes = grid.takes { tasks = more.tasks or fields.tasks or point.tasks }
  for name, value in pairs(point) do
    if takes[name] and not is_overridden(name, more) then
      applied[name] = true
      if name == "q" then
        fields.errors = { mean_probability = value }
      else
        fields[name] = value
      end
    end
  end
  fields = lists.merged(fields, more)
  if fields.clairvoyant and applied.policy then
    error("clairvoyant: an axis of policies gives both rows of a policy the same name; give "
      .. "`policies` in `fixed` in place of the axis", 0)
  end
  return fields, applied
end

-- The arguments of orrery.compare for cell i.
function grid.fields(spec, i)
  local fields = grid.given(spec, i)
  fields.threads = fields.threads or 1
  return fields
end

return grid
