-- json: plain data as JSON that reads back exactly: numbers in full, keys in order of their names.
local names = require "orrery.support.names"
local numbers = require "orrery.support.numbers"

local json = {}

-- A number in full: 17 significant digits, as in CSV.
local Exact = { __tojson = function(self) return numbers.full(self.value) end }

local Object = { __jsontype = "object" } -- also when it is empty

local List = { __jsontype = "array" }

-- Marks a table as a list, which it also is when it is empty.
function json.list(given) return setmetatable(given, List) end

-- Embeds the given text of JSON, in one line: ends of lines may only be between values.
function json.raw(text)
  text = text:gsub("%s*\n%s*", "")
  return setmetatable({}, { __tojson = function() return text end })
end

json.null = json.raw "null"

local function writes_itself(value)
  local metatable = getmetatable(value)
  return type(metatable) == "table" and metatable.__tojson
end

-- A copy with all of its numbers in full. NaN (the interval of a single scenario) and infinities
-- have no place in JSON: such a field is left out. So are functions.
function json.exact(given)
  local is_list = getmetatable(given) == List
  local copy = setmetatable({}, is_list and List or #given == 0 and Object or nil)
  for key, value in pairs(given) do
    if type(value) == "table" then
      copy[key] = writes_itself(value) and value or json.exact(value)
    elseif math.type(value) == "float" then
      copy[key] = value - value == 0 and setmetatable({ value = value }, Exact) or nil
    elseif type(value) ~= "function" then
      copy[key] = value
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

-- JSON is UTF-8: a byte of a name (a file, a job's id, a policy) that is not is shown as `\xff`.
local function readable(text)
  local parts, from = {}, 1
  while true do
    local fine, bad = utf8.len(text, from)
    if fine then break end
    parts[#parts + 1] = text:sub(from, bad - 1) .. ("\\\\x%02x"):format(text:byte(bad))
    from = bad + 1
  end
  return table.concat(parts) .. text:sub(from)
end

-- JSON in one line: fields in this order, then the others by name.
function json.line(value, order)
  local keys, known = table.move(order, 1, #order, 1, {}), {}
  for _, key in ipairs(order) do known[key] = true end
  for _, key in ipairs(names.sorted(keys_of(value, {}))) do
    if not known[key] then keys[#keys + 1] = key end
  end
  return readable(require("dkjson").encode(json.exact(value), { keyorder = keys })) .. "\n"
end

-- JSON that is always equal for equal data, with an end of line.
function json.text(value)
  return readable(require("dkjson").encode(value,
    { indent = true, keyorder = names.sorted(keys_of(value, {})) })) .. "\n"
end

return json
