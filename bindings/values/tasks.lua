-- tasks: orrery.tasks, the constructor of tasks.
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local public = require("orrery.support.caller_error").public

local check_fields, expect = checks.fields, checks.expect
local tasks = {}

local SEQUENTIAL = 0.08 -- f of RR-8795, section 6.1

local function number(what, value)
  if type(value) ~= "number" then
    error(("%s must be a number, not %s"):format(what, tostring(value)), 0)
  end
  return value
end

local function integer(what, value, least, most)
  local whole = type(value) == "number" and math.tointeger(value)
  if not whole or whole < least or whole > most then
    error(("%s must be a whole number%s, not %s"):format(what,
      least > math.mininteger and (" >= %d"):format(least) or "", tostring(value)), 0)
  end
  return whole
end

local function sequential(what, options)
  local f = options.sequential
  if f == nil then return SEQUENTIAL end
  return number(what .. ": sequential", f)
end

-- Tasks of RR-8795, section 6.1.
tasks.synthetic = public(function(options)
  local what = "tasks.synthetic"
  options = options or {}
  check_fields(what, options, "tasks.TaskOptions")
  local m = options.m
  if m == nil then m = { 1.5e6, 2.5e6 } end
  if type(m) ~= "table" or #m ~= 2 or type(m[1]) ~= "number" or type(m[2]) ~= "number" then
    error(what .. ": m must be a list of two numbers", 0)
  end
  local function whole(name, default, least, most)
    local value = options[name]
    if value == nil then return default end
    return integer(("%s: %s"):format(what, name), value, least, most or math.maxinteger)
  end
  return core.tasks_synthetic(whole("n", 100, 1, 0x7fffffff), m[1], m[2],
    sequential(what, options), whole("seed", 1, math.mininteger), whole("set", 0, 0),
    whole("run", 1, 0))
end)

-- Tasks from a CSV file.
tasks.read = public(function(path, options)
  options = options or {}
  check_fields("tasks.read", options, "tasks.SequentialOption")
  expect(type(path) == "string", "tasks.read", "the path of a file", type(path))
  return core.tasks_read(path, sequential("tasks.read", options))
end)

-- --- from a list --------------------------------------------------------------------------------

local PARAMETER = { synthetic = "f", amdahl = "f", power = "e" }

local function id_of(what, id)
  if id == nil then return nil end
  if type(id) ~= "string" and math.type(id) ~= "integer" then
    error(("%s: id must be a string or an integer, not a %s"):format(what, type(id)), 0)
  end
  id = tostring(id)
  if id == "" or id:find("\0", 1, true) then
    error(what .. ": an id can't be empty or hold zero bytes", 0)
  end
  return id
end

local function excluded(what, given, names, why)
  for _, name in ipairs(names) do
    if given[name] ~= nil then error(("%s: %s %s"):format(what, name, why), 0) end
  end
end

local function family(what, given, f)
  excluded(what, given, { "most" }, "goes with time, a function")
  local profile = given.profile
  if profile == nil then profile = "synthetic" end
  local name = PARAMETER[profile]
  if not name then
    error(("%s: profile must be synthetic, amdahl or power, not '%s'"):format(what,
      tostring(profile)), 0)
  end
  excluded(what, given, { name == "f" and "e" or "f" },
    ("does not go with the profile %s, whose parameter is %s"):format(profile, name))
  if given.m == nil then error(what .. ": m is missing", 0) end
  local parameter = given[name]
  if parameter == nil then parameter = name == "f" and f or 1 - f end
  return { id = id_of(what, given.id), m = number(what .. ": m", given.m), profile = profile,
    parameter = number(("%s: %s"):format(what, name), parameter) }
end

-- A function of the number of processors is asked once for every number up to `most`.
local function sample(what, given)
  if type(given.time) ~= "function" then
    error(("%s: time must be a function of the number of processors, not a %s"):format(what,
      type(given.time)), 0)
  end
  if given.most == nil then
    error(what .. ": most is missing: up to how many processors the function time is asked", 0)
  end
  local times = {}
  for j = 1, integer(what .. ": most", given.most, 1, 0x7fffffff) do
    local t = given.time(j)
    if type(t) ~= "number" then
      error(("%s: time(%d) gave a %s, not a number"):format(what, j, type(t)), 0)
    end
    times[j] = t
  end
  return times
end

local function listed(what, given)
  local times = given.times
  if type(times) ~= "table" or #times == 0 then
    error(what .. ": times must be a list of at least one number", 0)
  end
  if not checks.is_list(times) then
    error(("%s: times has other keys than 1 to %d"):format(what, #times), 0)
  end
  for j, t in ipairs(times) do number(("%s: times[%d]"):format(what, j), t) end
  return times
end

local function measured(what, given)
  excluded(what, given, { "profile", "f", "e" }, "does not go with times that are given")
  if given.times ~= nil then
    excluded(what, given, { "time", "most" }, "and times exclude each other")
  end
  local m = given.m
  if m == nil then m = 0 end
  return { id = id_of(what, given.id), m = number(what .. ": m", m),
    times = given.times == nil and sample(what, given) or listed(what, given) }
end

-- Tasks from tables.
tasks.list = public(function(list, options)
  options = options or {}
  check_fields("tasks.list", options, "tasks.SequentialOption")
  expect(type(list) == "table", "tasks.list", "a list of tables", type(list))
  if not checks.is_list(list) then
    error(("tasks.list: expected a list of tables, but there are other keys than 1 to %d"):format(
      #list), 0)
  end
  local f, plain = sequential("tasks.list", options), {}
  for i, given in ipairs(list) do
    local what = ("tasks.list: task %d"):format(i)
    check_fields(what, given, "tasks.TaskRow")
    plain[i] = (given.times ~= nil or given.time ~= nil) and measured(what, given)
      or family(what, given, f)
  end
  return core.tasks_list(plain)
end)

return tasks
