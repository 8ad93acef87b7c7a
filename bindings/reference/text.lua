-- text: the texts of entries, as Markdown and as plain text.
local index = require "orrery.reference.index"

local text = {}

local COUNTS = { processors = true, jobs = true, tasks = true, days = true }

-- Whether a text names the unit itself, such as "free processors": then the unit is not repeated.
local function names_unit(about, unit)
  return COUNTS[unit] and about:find(unit, 1, true) ~= nil
end

-- The unit of a field where it does not go without saying.
local function unit_beside(field)
  local unit = field.unit or ""
  if unit:match "^of the" or unit == "processors" and field.name:find "procs" then return "" end
  return field.default and (COUNTS[unit] or not field.default:match "^[{%d]") and "" or unit
end

-- "100 s: of the machine": the text in brackets behind a field's name.
local function in_brackets(field)
  local head, unit, about = field.default or "", unit_beside(field), text.expand(field.about)
  if unit ~= "" and not names_unit(about, unit) then
    head = head .. (head ~= "" and " " or "") .. unit
  end
  return head .. (head ~= "" and about ~= "" and ": " or "") .. about
end

-- "`id`, `submit` (s), `procs` (processors)": the fields of a class.
local function fields_of(name)
  local class, list = assert(index.by_class[name], name), {}
  for i, field in ipairs(class.entries) do
    local inside = in_brackets(field)
    list[i] = ("`%s`"):format(field.name) .. (inside ~= "" and (" (%s)"):format(inside) or "")
  end
  return table.concat(list, ", ")
end

-- Markdown with {fields CLASS} written out.
function text.expand(about)
  return (about:gsub("{fields ([%w_]+)}", fields_of))
end

-- A text with the unit and the default of its entry: "time for a repair (s; default: 60)".
function text.with_unit(entry, about)
  local unit, rest = entry.unit or "", {}
  if unit ~= "" and not names_unit(about, unit) then rest[1] = unit end
  if entry.default then rest[#rest + 1] = "default: " .. entry.default end
  if #rest == 0 then return about end
  return ("%s%s(%s)"):format(about, about == "" and "" or " ", table.concat(rest, "; "))
end

-- Without the marks of Markdown.
function text.plain(given)
  return (given:gsub("%[([^%[%]]*)%]%([^()]*%)", "%1"):gsub("`", ""))
end

-- The text of an entry with its unit; of a hook with how it is called.
function text.full(entry)
  local about = text.expand(entry.about)
  local call = entry.type:match "^fun(%b())" or entry.type:match "^false|fun(%b())"
  if call and entry.class.head == "key" then
    local names = call:gsub("(%w+)%??:[^,()]+", "%1")
    about = ("`function%s`: %s"):format(names, about)
  end
  return about
end

-- "{ id, start, finish, ... }": the first fields of a class.
local function first_fields(name)
  local names = {}
  for i, field in ipairs(index.by_class[name].entries) do
    names[i] = i < 5 and field.name or i == 5 and "..." or nil
  end
  return (("{ %s }"):format(table.concat(names, ", ")):gsub("%.%.%. }", "...}"))
end

-- A few words: the text before the first semicolon or full stop, or before a colon, if it is long
-- enough.
function text.brief(entry)
  local about = text.plain(entry.about:gsub("{fields ([%w_]+)}", first_fields))
  local first = about:match "^(.-)[;.]%s" or about:match "^(.-)[;.]?$"
  local words = first:match "^(.-):%s"
  if words and select(2, words:gsub("%S+", "")) > 2 then first = words end
  first = first:gsub("%s*%([^()]*$", "") -- a bracket that was cut
  return text.with_unit({ unit = entry.unit }, first)
end

local function letters(given) return utf8.len(given) or #given end

-- Lines of at most `width` letters, each behind `indent`; the first one behind `first` instead.
function text.wrap(given, width, indent, first)
  local lines, line = {}, first or indent
  local empty = true
  for word in given:gmatch "%S+" do
    if not empty and letters(line) + 1 + letters(word) > width then
      lines[#lines + 1], line, empty = line, indent, true
    end
    line, empty = line .. (empty and "" or " ") .. word, false
  end
  lines[#lines + 1] = line:gsub("%s+$", "")
  return table.concat(lines, "\n")
end

return text
