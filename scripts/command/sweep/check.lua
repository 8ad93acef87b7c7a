-- check: errors of a sweep's specification, found before its first cell is computed.
--
-- An axis must have an effect: `cell` reads it, or orrery.compare has a field of its name. A point
-- that notes its reads shows which axes `cell` reads. An axis that only some cells read (such as
-- the scale of one kind of workload) is allowed.
local command = require "orrery.command.command"
local grid = require "orrery.command.sweep.grid"
local orrery = require "orrery"

local check = {}

local MOST_CALLS = 1000 -- of `cell`; all cells of most sweeps, and a sample of large ones

-- A point that notes in read[name] which of its fields are read.
local function noting(point, read)
  return setmetatable({}, {
    __index = function(_, name)
      read[name] = true
      return point[name]
    end,
    __pairs = function()
      for name in pairs(point) do read[name] = true end
      return pairs(point)
    end,
  })
end

-- All cells, or a number of them, always the same ones.
local function sample(spec)
  local rng, cells = orrery.random(1), {}
  for n = 1, math.min(spec.count, MOST_CALLS) do
    cells[n] = spec.count > MOST_CALLS and rng:integer(1, spec.count) or n
  end
  return cells
end

local function all_work(spec, seen)
  for _, axis in ipairs(spec.axes) do
    if not seen.read[axis.name] and not seen.applied[axis.name] then return false end
  end
  return true
end

-- Calls `cell` until all axes have had an effect: read[name], applied[name]. Also returns the
-- fields of the first cell, nil where it fails: the error comes again, and is reported, when the
-- cell is computed.
local function look(spec)
  local seen = { read = {}, applied = {} }
  for _, i in ipairs(sample(spec)) do
    local done, fields, applied = pcall(grid.given, spec, i, function(point)
      return noting(point, seen.read)
    end)
    -- another thread may get the signal, and the cell be made
    if orrery.tools.interrupted() then error("interrupted", 0) end
    if done then
      seen.fields = seen.fields or fields
      for name in pairs(applied) do seen.applied[name] = true end
      if all_work(spec, seen) then break end
    end
  end
  return seen
end

local function refuse(spec, format, ...) command.misuse("%s: " .. format, spec.path, ...) end

-- The probable meaning of an idle axis: a field, or a name that `cell` reads without an axis.
local function suggestion(spec, name, seen)
  local others = grid.takes(seen.fields)
  for other in pairs(seen.read) do
    if type(other) == "string" then others[other] = true end
  end
  for _, axis in ipairs(spec.axes) do others[axis.name] = nil end
  return #name > 1 and orrery.tools.suggestion(name, orrery.tools.sorted(others)) or ""
end

local function check_axis(spec, name, seen)
  local read, applied = seen.read[name], seen.applied[name]
  -- using it twice is as wrong as never: jobs that come twice as fast, twice as fast again
  if name == "load" and read and applied then
    refuse(spec, "axis load: cell reads it and orrery.compare takes it, too: return `load = 1` "
      .. "where the jobs have it already, or do not read it")
  elseif read or applied then
    return
  elseif grid.takes(seen.fields)[name] then
    refuse(spec, "axis %s: cell returns what takes its place and does not read point.%s: all of "
      .. "its values would have the same results", name, name)
  end
  refuse(spec, "axis %s: %sno field of orrery.compare%s", name,
    spec.cell and "cell does not read it, and it is " or "it is ", suggestion(spec, name, seen))
end

local WANT = { jobs = "quantiles", tasks = "fault_free" }

-- The known metrics, and those of them that need a flag.
local function known_metrics(kind)
  local registry, flagged, known = orrery.tools.metrics()[kind], {}, {}
  for _, name in ipairs(registry.fault_free or {}) do flagged[name] = true end
  for _, entry in ipairs(registry.more or {}) do flagged[entry[1]] = true end
  for _, name in ipairs(registry.all) do known[name] = true end
  for name in pairs(flagged) do known[name] = true end
  return orrery.tools.sorted(known), known, flagged
end

local function check_metrics(spec, fields)
  local kind = fields.tasks ~= nil and "tasks" or "jobs"
  local names, known, flagged = known_metrics(kind)
  local seen = {}
  for _, name in ipairs(spec.metrics or {}) do
    if not known[name] then
      refuse(spec, "metrics: there is no metric '%s'%s (known: %s)", name,
        orrery.tools.suggestion(name, names), table.concat(names, ", "))
    elseif flagged[name] and not fields[WANT[kind]] then
      refuse(spec, "metrics: '%s' wants %s = true", name, WANT[kind])
    elseif seen[name] then
      refuse(spec, "metrics: '%s' is there twice", name)
    end
    seen[name] = true
  end
  spec.metric_names = spec.metrics or orrery.tools.metrics()[kind].csv
end

-- Refuses a specification with an axis without effect, or with an unknown metric; else sets
-- spec.metric_names to the metrics of the results.
function check.spec(spec)
  local seen = look(spec)
  for _, axis in ipairs(seen.fields and spec.axes or {}) do check_axis(spec, axis.name, seen) end
  check_metrics(spec, seen.fields or spec.fixed or {})
end

return check
