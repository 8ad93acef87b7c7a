-- machine: what is simulated on, as a value: a table, or a file that holds one and nothing else.
--
--   machine.of(given)        the table, checked; it prints
--   machine.applied(spec)    the fields of a comparison or session with those of its machine; what
--                            is given beside the machine replaces what that says
local checks = require "orrery.support.checks"
local limits = require "orrery.values.limits"
local pools = require "orrery.values.pools"
local literal_file = require "orrery.support.literal_file"

local machine = {}

local Machine = { __name = "orrery.machine" }

function Machine:__tostring()
  local lines = { ("processors  %s"):format(self.procs or "as the log says") }
  for i, name in ipairs(self.pools and pools.names(self.pools) or {}) do
    lines[#lines + 1] = ("%-12s%s = %s"):format(i == 1 and "pools" or "", name, self.pools[name])
  end
  local _, list = limits.of(self.limits)
  for i, one in ipairs(list or {}) do
    lines[#lines + 1] = (i == 1 and "limits      " or "            ") .. one.text
  end
  return table.concat(lines, "\n")
end

function machine.of(given)
  local what = type(given) == "string" and "machine: " .. given or "machine"
  if type(given) == "string" then given = literal_file.load("machine", given) end
  checks.fields(what, given, "runs.Machine")
  local procs = given.procs
  if procs ~= nil then
    procs = checks.count(what .. ": procs", procs, 1)
    checks.refuse(procs >= 2^31 - 1, "%s: procs: expected at most 2147483646, found %d", what,
      procs)
  end
  for name, of in pairs { pools = pools.of, limits = limits.of } do -- check them
    local ok, problem = pcall(of, given[name])
    checks.refuse(not ok, "%s: %s", what, type(problem) == "table" and problem.message or problem)
  end
  return setmetatable({ procs = procs, limits = given.limits, pools = given.pools }, Machine)
end

function machine.applied(spec)
  if spec.machine == nil then return spec end
  local own, given = {}, machine.of(spec.machine)
  for name, value in pairs(spec) do own[name] = value end
  own.machine, own.procs = nil, spec.procs or given.procs
  own.pools = spec.pools or given.pools
  if limits.of(spec.limit) == nil then own.limit = given.limits end
  return own
end

return machine
