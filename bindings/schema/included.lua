-- included: the entries of a class of the schema, with those that it takes from other classes:
--
--   { include = "runs.JobsSpec", "seed", "set", of = false, about = "..." }
--
-- stands for the entries of these names in class JobsSpec of runs.lua. What else is said there they
-- have instead (about: the text), and what is false there they have not.

local included = {}

local made = setmetatable({}, { __mode = "k" }) -- such an item -> its entries
local own = setmetatable({}, { __mode = "k" }) -- a class that takes none -> the number of its own

function included.find(path)
  local file, name = path:match "^(%w+)%.(%w+)"
  for _, class in ipairs(require("orrery.schema." .. file)) do
    if class.class == name then return class end
  end
  error(("there is no class %s in schema/%s.lua"):format(name, file))
end

local function taken(name, given)
  for _, entry in ipairs(included.entries(included.find(given.include))) do
    if entry[1] == name then
      local copy = table.move(entry, 1, 3, 1, {})
      for _, from in ipairs { entry, given } do
        for key, value in pairs(from) do
          if type(key) == "string" then copy[key] = value or nil end
        end
      end
      copy[3] = given.about or copy[3]
      return copy
    end
  end
  error(("%s has no field %s"):format(given.include, name))
end

local function entries_of(given)
  if not made[given] then
    made[given] = {}
    for i, name in ipairs(given) do made[given][i] = taken(name, given) end
  end
  return made[given]
end

function included.entries(class)
  if own[class] == #class then return class end
  local list
  for i, given in ipairs(class) do
    if given.include then
      list = list or table.move(class, 1, i - 1, 1, {})
      table.move(entries_of(given), 1, #given, #list + 1, list)
    elseif list then
      list[#list + 1] = given
    end
  end
  if not list then own[class] = #class end
  return list or class
end

return included
