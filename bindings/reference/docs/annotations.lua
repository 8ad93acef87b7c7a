-- Annotations for editors with lua-language-server (LuaCATS), from the reference.
--
-- Returns a function of the reference that gives the text of share/orrery/meta/orrery.lua.

local WIDTH = 100

-- Classes of ours in a type get their full name: "Jobs|string" -> "orrery.Jobs|string".
local function qualified(given)
  local parts = {}
  for text, quoted in (given .. '""'):gmatch '([^"]*)("[^"]*")' do
    parts[#parts + 1] = text:gsub("%f[%w_.]%u[%w_]*", "orrery.%0")
    parts[#parts + 1] = quoted
  end
  parts[#parts] = nil
  return table.concat(parts)
end

local function full_name(class)
  return class.name == "orrery" and "orrery" or "orrery." .. class.name
end

-- The text of an entry, links as their words.
local function about(reference, entry)
  return (reference.with_unit(entry, reference.full(entry)):gsub("%[([^%[%]]*)%]%([^()]*%)", "%1"))
end

local function field(reference, entry)
  local name = entry.name == "[]" and "[integer]" or entry.name .. (entry.optional and "?" or "")
  return (("---@field %s %s %s"):format(name, qualified(entry.type), about(reference, entry))
    :gsub("%s+$", ""))
end

local function overload(text)
  local params, returns = text:match "^(%b())%s*:?%s*(.*)$"
  return ("---@overload fun%s%s"):format(qualified(params),
    returns ~= "" and ": " .. qualified(returns) or "")
end

local function method(reference, class, owner, entry)
  local lines = { "", reference.wrap(about(reference, entry), WIDTH, "---") }
  local names = {}
  for i, param in ipairs(entry.params) do
    names[i] = param.name
    lines[#lines + 1] = ("---@param %s%s %s"):format(param.name, param.optional and "?" or "",
      qualified(param.type))
  end
  for i, one in ipairs(entry.returns) do
    local unit = i == 1 and entry.unit and entry.unit ~= "" and " # " .. entry.unit or ""
    lines[#lines + 1] = ("---@return %s%s"):format(qualified(one), unit)
  end
  for _, text in ipairs(entry.overloads or {}) do lines[#lines + 1] = overload(text) end
  lines[#lines + 1] = ("function %s%s%s(%s) end"):format(owner, class.functions and "." or ":",
    entry.name, table.concat(names, ", "))
  return table.concat(lines, "\n")
end

local function class_lines(reference, class)
  local parent = class.parent and ": orrery." .. class.parent or ""
  local lines, methods = { "", reference.wrap(class.about, WIDTH, "---"),
    ("---@class %s%s"):format(full_name(class), parent) }, {}
  for _, entry in ipairs(class.entries) do
    if entry.params then
      methods[#methods + 1] = entry
    elseif entry.name == "#" then
      lines[#lines + 1] = "---@operator len: integer"
    else
      lines[#lines + 1] = field(reference, entry)
    end
  end
  if #methods == 0 then return lines end
  lines[#lines + 1] = ("local %s = {}"):format(class.name)
  for _, entry in ipairs(methods) do
    lines[#lines + 1] = method(reference, class, class.name, entry)
  end
  return lines
end

return function(reference)
  local lines = {
    "---@meta orrery", "",
    "-- The module orrery and its policies, for editors. Written by `make` from the reference.",
  }
  local function add(more) table.move(more, 1, #more, #lines + 1, lines) end
  for _, alias in ipairs(reference.aliases) do
    add { "", "---" .. alias.about,
      ("---@alias orrery.%s %s"):format(alias.name, qualified(alias.type)) }
  end
  for _, class in ipairs(reference.classes) do
    if not class.parts and not class.at_prompt then add(class_lines(reference, class)) end
  end
  add { "", "return orrery", "" }
  return table.concat(lines, "\n")
end
