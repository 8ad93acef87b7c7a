-- machine: what is simulated on, as a value: a table, or a file that holds one and nothing else.
--
--   machine.of(given)        the table, checked; it prints
--   machine.applied(spec)    the fields of a comparison or session with those of its machine; what
--                            is given beside the machine replaces what that says
local checks = require "orrery.support.checks"
local limits = require "orrery.values.limits"
local literal_file = require "orrery.support.literal_file"

local machine = {}

local LARGEST = 1 << 20 -- bytes of a file

local Machine = { __name = "orrery.machine" }

function Machine:__tostring()
  local lines = { ("processors  %s"):format(self.procs or "as the log says") }
  for i, text in ipairs(limits.texts(self.limits)) do
    lines[#lines + 1] = (i == 1 and "limits      " or "            ") .. text
  end
  return table.concat(lines, "\n")
end

local function read(path)
  local file, problem = io.open(path, "rb")
  checks.refuse(not file, "machine: %s", problem)
  local text = file:read(LARGEST + 1) or ""
  file:close()
  checks.refuse(#text > LARGEST, "machine: %s: a file of more than %d bytes", path, LARGEST)
  local ok, given = pcall(literal_file.read, path, text)
  checks.refuse(not ok, "machine: %s", not ok and given.message or given)
  return given
end

function machine.of(given)
  local what = type(given) == "string" and "machine: " .. given or "machine"
  if type(given) == "string" then given = read(given) end
  checks.fields(what, given, "runs.Machine")
  local procs = given.procs
  if procs ~= nil then procs = checks.count(what .. ": procs", procs, 1) end
  return setmetatable({ procs = procs, limits = given.limits }, Machine)
end

function machine.applied(spec)
  if spec.machine == nil then return spec end
  local own, given = {}, machine.of(spec.machine)
  for name, value in pairs(spec) do own[name] = value end
  own.machine, own.procs = nil, spec.procs or given.procs
  if limits.of(spec.limit) == nil then own.limit = given.limits end
  return own
end

return machine
