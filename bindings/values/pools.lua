-- pools: amounts that a machine has beside processors, as users give them: { gpu = 8, mem = "2T" }.
local checks = require "orrery.support.checks"
local core = require "orrery.core"

local pools = {}

local SCALE = { [""] = 1, K = 2 ^ 10, M = 2 ^ 20, G = 2 ^ 30, T = 2 ^ 40 }

local function amount_of(name, given)
  local number, unit = tostring(given):match "^(%d+%.?%d*)([KMGT]?)$"
  local amount = number and math.tointeger(tonumber(number) * SCALE[unit])
  checks.expect(amount and amount <= 2 ^ 53, "pools." .. name,
    "a whole number of at least 0, as 8, 512G or 2T (2^53 at most)", "'" .. tostring(given) .. "'")
  return amount
end

-- The names, sorted.
function pools.names(given)
  local names = {}
  checks.expect(type(given) == "table", "pools", "a table as { gpu = 8 }", type(given))
  for name in pairs(given) do
    checks.expect(type(name) == "string" and name:find "^[%w_.:/-]+$" and #name < 48, "pools",
      "names of at most 47 letters, digits and ._:/-", "'" .. tostring(name) .. "'")
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- As an option of core functions; nil: none are given.
function pools.of(given)
  if given == nil then return nil end
  local names, amounts = pools.names(given), {}
  for i, name in ipairs(names) do amounts[i] = amount_of(name, given[name]) end
  return core.pools(names, amounts)
end

return pools
