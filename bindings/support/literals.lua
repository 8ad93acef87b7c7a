-- literals: plain data as Lua source, exact or for people.
local literals = {}

local MOST_ITEMS = 40 -- of a list for people; longer ones are not a matter for a page
local DEEPEST = 5 -- tables in tables, for people

local function of_number(value, exact)
  if value == math.huge then return "math.huge" end
  if value == -math.huge and exact then return "-math.huge" end
  if math.type(value) == "integer" then return tostring(value) end
  for digits = exact and 15 or 6, 17 do -- the shortest that reads back
    local text = ("%." .. digits .. "g"):format(value)
    if tonumber(text) == value then
      -- A float whose text looks like a whole number gets a ".0".
      return exact and text:match "^-?%d+$" and text .. ".0" or text
    end
  end
  return "0 / 0"
end

local function of_string(value) return (("%q"):format(value):gsub("\\\n", "\\n")) end

-- A key, as it stands before the `=`. Exact ones may be words of Lua.
function literals.key(key, exact)
  if not exact and type(key) == "string" and key:match "^[%a_][%w_]*$" then return key end
  local text = type(key) == "string" and of_string(key)
    or type(key) == "number" and of_number(key, true) or tostring(key)
  return ("[%s]"):format(text)
end

-- The keys of a table, numbers before names.
function literals.keys(value)
  local keys = {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b)
    if type(a) ~= type(b) then return type(a) < type(b) end
    if type(a) == "boolean" then return not a and b end
    return a < b
  end)
  return keys
end

local of_value -- forward: tables hold values

local function of_table(value, depth, of_function)
  local exact, items, keys, count = not of_function, {}, literals.keys(value), 0
  if not exact and #keys > MOST_ITEMS then return ("{ --[[ %d items ]] }"):format(#keys) end
  for i, key in ipairs(keys) do
    local text = of_value(value[key], depth + 1, of_function)
    if text == nil then return nil end
    if key == count + 1 then
      count, items[i] = key, text
    else
      items[i] = literals.key(key, exact) .. " = " .. text
    end
  end
  return #items > 0 and "{ " .. table.concat(items, ", ") .. " }" or "{}"
end

function of_value(value, depth, of_function)
  local kind = type(value)
  if kind == "string" then return of_string(value) end
  if kind == "number" then return of_number(value, not of_function) end
  if kind == "function" and of_function then return of_function(value) end
  if kind ~= "table" then return kind == "boolean" and tostring(value) or nil end
  if of_function and depth > DEEPEST then return nil end
  return of_table(value, depth, of_function)
end

-- The source of plain data that gives equal data, to the last bit. Raises an error for data that
-- cannot be written.
function literals.exact(value)
  return of_value(value, 0) or error("only plain data can be written as Lua", 2)
end

-- The value of source written with `exact`.
function literals.read(text)
  return assert(load("return " .. text, "=data", "t", { math = { huge = math.huge } }))()
end

-- Source for people: short numbers, long lists left out, functions as of_function(f) gives them;
-- nil where the value holds anything else.
function literals.shown(value, of_function) return of_value(value, 0, of_function) end

return literals
