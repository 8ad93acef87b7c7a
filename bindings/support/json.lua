-- json: plain data as JSON that reads back exactly: numbers in full, keys in order of their names.
local names = require "orrery.support.names"
local numbers = require "orrery.support.numbers"

local json = {}

-- A number in full: 17 significant digits, as in CSV.
local Exact = { __tojson = function(self) return numbers.full(self.value) end }

local Object = { __jsontype = "object" } -- also when it is empty

-- A copy with all of its numbers in full. NaN (the interval of a single scenario) and infinities
-- have no place in JSON: such a field is left out.
function json.exact(given)
  local copy = setmetatable({}, #given == 0 and Object or nil)
  for key, value in pairs(given) do
    if type(value) == "table" then
      copy[key] = json.exact(value)
    elseif math.type(value) ~= "float" then
      copy[key] = value
    elseif value - value == 0 then
      copy[key] = setmetatable({ value = value }, Exact)
    end
  end
  return copy
end

local function keys_of(value, seen)
  for key, item in pairs(value) do
    if type(key) == "string" then seen[key] = true end
    if type(item) == "table" and getmetatable(item) ~= Exact then keys_of(item, seen) end
  end
  return seen
end

-- The same text every time, with an end of line.
function json.text(value)
  return require("dkjson").encode(value,
    { indent = true, keyorder = names.sorted(keys_of(value, {})) }) .. "\n"
end

return json
