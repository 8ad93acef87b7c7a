-- names: the known name that an unknown one probably means.
local names = {}

-- Edits from a to b: letters added, left out, replaced, or two neighbours swapped.
local function distance(a, b)
  local rows = { [0] = {} }
  for j = 0, #b do rows[0][j] = j end
  for i = 1, #a do
    rows[i] = { [0] = i }
    for j = 1, #b do
      local same = a:byte(i) == b:byte(j) and 0 or 1
      local least = math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + same)
      if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
        least = math.min(least, rows[i - 2][j - 2] + 1)
      end
      rows[i][j] = least
    end
  end
  return rows[#a][#b]
end

-- The only element of `list` with this beginning; nil: several have it, or the beginning is too
-- short.
local function begins(name, list)
  local found
  for _, candidate in ipairs(#name > 2 and list or {}) do
    if candidate:sub(1, #name):lower() == name:lower() then
      if found then return nil end
      found = candidate
    end
  end
  return found
end

-- The element of `list` most similar to `name`; nil: none is similar.
function names.nearest(name, list)
  local best, least = nil, math.max(2, #name // 2)
  for _, candidate in ipairs(list) do
    local d = distance(name:lower(), candidate:lower())
    if d < least then best, least = candidate, d end
  end
  return best or begins(name, list)
end

-- ", did you mean 'x'?" where one of `list` is like `name`, else `otherwise` (nothing).
function names.suggestion(name, list, otherwise)
  local near = type(name) == "string" and names.nearest(name, list)
  return near and (", did you mean '%s'?"):format(near) or otherwise or ""
end

-- The keys of tables, sorted.
function names.sorted(...)
  local list = {}
  for _, set in ipairs { ... } do
    for name in pairs(set) do list[#list + 1] = name end
  end
  table.sort(list)
  return list
end

return names
