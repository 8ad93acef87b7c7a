-- expected: orrery.expected, the expected time of a task with checkpoints on processors that fail.
local checks = require "orrery.support.checks"
local core = require "orrery.core"

local function fail(text, ...)
  error("expected: " .. text:format(...), 0)
end

local function check(name, value, wanted, is_good)
  if type(value) ~= "number" or not is_good(value) then
    fail("%s must be %s, not %s", name, wanted, tostring(value))
  end
  return value
end

local function is_positive(x) return x > 0 and x < math.huge end
local function is_cost(x) return x >= 0 and x < math.huge end
local function is_rate(x) return x > 0 end
local function is_share(x) return x >= 0 and x <= 1 end
local function is_procs(x) return x >= 1 and x <= 0x7fffffff and x == math.floor(x) end

-- A value that may depend on the number of processors.
local function at(procs, name, value)
  if type(value) ~= "function" then return name, value end
  return ("%s(%d)"):format(name, procs), value(procs)
end

local function on(procs, given)
  local function cost(name, default)
    local value = given[name]
    if value == nil then value = default end
    local what
    what, value = at(procs, name, value)
    return check(what, value, "a finite number >= 0", is_cost)
  end
  local what, time = at(procs, "time", given.time)
  check(what, time, "a finite number > 0", is_positive)
  local checkpoint = cost("checkpoint")
  return core.expected(time, given.work or 1, procs, given.mtbf, checkpoint, cost("downtime", 0),
    cost("recovery", checkpoint), given.period == "daly")
end

local function check_given(given)
  checks.fields("expected", given, "tasks.ExpectedOptions")
  for _, name in ipairs { "time", "procs", "mtbf", "checkpoint" } do
    if given[name] == nil then fail("%s is missing", name) end
  end
  check("mtbf", given.mtbf, "a number > 0", is_rate)
  if given.work ~= nil then check("work", given.work, "a number from 0 to 1", is_share) end
  local period = given.period
  if period ~= nil and period ~= "young" and period ~= "daly" then
    fail("period must be 'young' or 'daly', not '%s'", tostring(period))
  end
end

return function(given)
  check_given(given)
  local wanted = "a whole number from 1 to 2147483647"
  if type(given.procs) ~= "table" then
    local procs = check("procs", given.procs, wanted .. ", or a list of them", is_procs)
    return on(math.tointeger(procs), given)
  end
  if not checks.is_list(given.procs) then
    fail("procs has other keys than 1 to %d", #given.procs)
  end
  local times, details = {}, {}
  for i, procs in ipairs(given.procs) do
    check(("procs[%d]"):format(i), procs, wanted, is_procs)
    times[i], details[i] = on(math.tointeger(procs), given)
  end
  return times, details
end
