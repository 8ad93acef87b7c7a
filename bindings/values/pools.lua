-- pools: amounts that a machine has beside processors, as users give them: { gpu = 8, mem = "2T" }.
local checks = require "orrery.support.checks"
local core = require "orrery.core"

local pools = {}

local SCALE = { [""] = 1, K = 2 ^ 10, M = 2 ^ 20, G = 2 ^ 30, T = 2 ^ 40 }

-- A whole amount; what: for errors.
function pools.amount(what, given)
  local whole = math.type(given) == "float" and math.tointeger(given) -- 2^52, which has an exponent
  local number, unit = tostring(whole or given):match "^(%d+%.?%d*)([KMGT]?)$"
  local amount = number and math.tointeger(tonumber(number) * SCALE[unit])
  checks.expect(amount and amount <= 2 ^ 53, what,
    "a whole number of at least 0, as 8, 512G or 2T (2^53 at most)", "'" .. tostring(given) .. "'")
  return amount
end

-- The percent of "+10%" or "-5%"; nil: it is no such text.
function pools.percent(text)
  return tonumber(tostring(text):match "^([+-]%d+%.?%d*)%%$")
end

local LARGE = 2 ^ 20 -- an amount of this or more is of bytes; less of what is no memory is counted
local COUNTS = { jobs = true, procs = true, processors = true, nodes = true } -- of any size

-- An amount of bytes, in the largest unit of which it is a whole number; name: of what it is, which
-- may be counted.
function pools.text(amount, name)
  if COUNTS[name] then return tostring(amount) end
  local least = name and not name:find "^mem" and LARGE or 1
  for _, unit in ipairs { "T", "G", "M", "K" } do
    if amount >= least and amount % SCALE[unit] == 0 then
      return ("%d%s"):format(amount // SCALE[unit], unit)
    end
  end
  return tostring(amount)
end

-- What a job needs, as "4 gpu", "2G mem", "exclusive" or "no gpu".
function pools.said(amount, name)
  if name == "exclusive" then return amount == 0 and "not exclusive" or name end
  if amount == 0 then return (name == "nodes" and "any " or "no ") .. name end
  return ("%s %s"):format(pools.text(amount, name), amount == 1 and name == "nodes" and "node"
    or name)
end

function pools.check_name(what, name)
  checks.expect(type(name) == "string" and name:find "^[%w_.:/-]+$" and #name < 48, what,
    "names of at most 47 letters, digits and ._:/-", "'" .. tostring(name) .. "'")
end

-- The names, sorted.
function pools.names(given)
  local names = {}
  checks.expect(type(given) == "table", "pools", "a table as { gpu = 8 }", type(given))
  for name in pairs(given) do
    pools.check_name("pools", name)
    checks.refuse(name == "procs", "pools.procs: the machine's processors are no pool: give procs "
      .. "(--procs)")
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- The names and their amounts.
function pools.list(given)
  local names, amounts = pools.names(given), {}
  for i, name in ipairs(names) do amounts[i] = pools.amount("pools." .. name, given[name]) end
  return names, amounts
end

-- As an option of core functions; nil: none are given.
function pools.of(given)
  if given == nil then return nil end
  return core.pools(pools.list(given))
end

return pools
