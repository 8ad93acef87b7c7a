-- windows: a user's settings of capacity known beforehand, checked: `maintenance`, `capacity` and
-- `reservations`, each a list or the name of a file.
local checks = require "orrery.support.checks"
local clock = require "orrery.support.clock"
local core = require "orrery.core"
local pools = require "orrery.values.pools"

local function either(what, given, one, other)
  checks.refuse((given[one] == nil) == (given[other] == nil), "%s: give either %s or %s", what, one,
    other)
end

local windows_of = {}

-- Calls the function that adds a window; its errors name the wrong window.
local function add(what, f, ...)
  local ok, message = pcall(f, ...)
  if not ok then error(("%s: %s"):format(what, message), 0) end
end

local function procs_of(what, given)
  local procs = given.procs
  checks.expect(procs == nil or math.tointeger(procs) and procs >= 0, what .. ".procs",
    "a whole number of processors", "'" .. tostring(procs) .. "'")
  return math.tointeger(procs)
end

windows_of.add = add

-- Nodes as text: '0-15,32', or a number or a list of numbers; nil: none are given.
function windows_of.nodes(what, nodes)
  if type(nodes) == "table" then nodes = table.concat(nodes, ",") end
  if math.type(nodes) == "integer" then nodes = tostring(nodes) end
  checks.expect(nodes == nil or type(nodes) == "string", what, "numbers of nodes as '3-15,32'",
    checks.quoted(nodes))
  return nodes
end

local function instant(what, given, field, jobs)
  if given[field] == math.huge then return math.huge end
  return clock.instant(what .. "." .. field, given[field], jobs, 0)
end

local function closed(windows, what, given, jobs)
  if given.pool ~= nil or given.amount ~= nil then
    checks.refuse(given.pool == nil or given.amount == nil or given.procs or given.nodes,
      "%s: give pool and amount, and neither procs nor nodes", what)
    pools.check_name(what .. ".pool", given.pool)
    return add(what, core.close_pool, windows, instant(what, given, "from", jobs),
      instant(what, given, "to", jobs), given.pool, pools.amount(what .. ".amount", given.amount))
  end
  either(what, given, "procs", "nodes")
  local user, job = given.user, given.job
  add(what, core.add_window, windows, instant(what, given, "from", jobs),
    instant(what, given, "to", jobs), procs_of(what, given),
    windows_of.nodes(what .. ".nodes", given.nodes),
    user ~= nil and tostring(user) or nil, job ~= nil and tostring(job) or nil)
end

local ADD = { maintenance = closed }

function ADD.capacity(windows, what, given, jobs)
  local procs = procs_of(what, given)
  checks.expect(procs ~= nil, what .. ".procs", "a whole number of processors", "none")
  add(what, core.add_size, windows, instant(what, given, "from", jobs), procs)
end

function ADD.reservations(windows, what, given, jobs)
  either(what, given, "user", "job")
  closed(windows, what, given, jobs)
end

local CLASS = { maintenance = "runs.MaintenanceWindow", capacity = "runs.CapacityStep",
  reservations = "runs.Reservation" }

-- No windows yet, of a machine of `procs` processors, with `nodes` in place of the machine's.
function windows_of.new(spec, procs, nodes)
  local failures = spec.node_failures
  local own = spec.machine and require("orrery.values.machine").nodes(spec.machine)
  return core.windows(procs, type(failures) == "table" and failures.procs or 1,
    { nodes = nodes or own and own.core, pools = pools.of(spec.pools) })
end

-- Returns the value for the runs, or nil without settings. `jobs` have the calendar; `procs` is the
-- size of the machine.
function windows_of.given(spec, jobs, procs)
  local windows
  for _, kind in ipairs { "maintenance", "capacity", "reservations" } do
    local given = spec[kind]
    if given ~= nil then
      windows = windows or windows_of.new(spec, procs)
      checks.expect(type(given) == "string" or type(given) == "table", kind,
        "the name of a file or a list", type(given))
      if type(given) == "string" then
        core.read_windows(windows, kind, given, jobs)
      else
        for i, one in ipairs(given) do
          local what = ("%s[%d]"):format(kind, i)
          checks.fields(what, one, CLASS[kind])
          ADD[kind](windows, what, one, jobs)
        end
      end
    end
  end
  return windows
end

return windows_of
