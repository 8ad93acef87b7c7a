-- lists: functions of lists: they give other lists, or elements.
local lists = {}

-- f(one, position) of each.
function lists.map(list, f)
  local made = {}
  for i, one in ipairs(list) do made[i] = f(one, i) end
  return made
end

-- One field of each element.
function lists.fields(list, name)
  return lists.map(list, function(one) return one[name] end)
end

-- The elements for which wanted(one) is true.
function lists.those(list, wanted)
  local found = {}
  for _, one in ipairs(list) do
    if wanted(one) then found[#found + 1] = one end
  end
  return found
end

-- The first element for which wanted(one) is true; nil: none.
function lists.find(list, wanted)
  for _, one in ipairs(list) do
    if wanted(one) then return one end
  end
end

-- The first element with the least of(one); nil where of gives no number for any.
function lists.least(list, of)
  local found, least
  for _, one in ipairs(list) do
    local value = of(one)
    if value and (not least or value < least) then found, least = one, value end
  end
  return found
end

-- The elements as keys, each with the value true.
function lists.set(list)
  local set = {}
  for _, one in ipairs(list) do set[one] = true end
  return set
end

-- The concatenation of several lists.
function lists.joined(...)
  local list = {}
  for _, one in ipairs { ... } do table.move(one, 1, #one, #list + 1, list) end
  return list
end

-- A new table with the fields of all of these, of a field that several have the last one's; nil has
-- none.
function lists.merged(...)
  local all = {}
  for i = 1, select("#", ...) do
    for key, value in pairs((select(i, ...)) or {}) do all[key] = value end
  end
  return all
end

return lists
