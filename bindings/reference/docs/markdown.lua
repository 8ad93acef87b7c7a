-- The tables of the READMEs, from the reference. The text between these marks is generated:
--
--   <!-- reference: Jobs -->                      the members of a class
--   <!-- reference: Policy hooks -->              those of one group
--   <!-- reference options: ReadOptions ... -->   a row for every class, with its fields
--   <!-- reference metrics: jobs -->              a row for every metric of jobs, tasks or packs
--   <!-- end -->
--
-- Returns update(reference, text, path), the text with all tables written anew.

local function row(cells)
  return (("| " .. table.concat(cells, " | ") .. " |"):gsub(" +|", " |"))
end

local function code(text) return ("`%s`"):format(text) end

-- Lua values are shown as code.
local function default_cell(default)
  if not default then return "" end
  return default:match '^["{]' and code(default) or default
end

local COLUMNS = {
  { key = "of", head = "", cell = function(entry) return entry.of or "" end },
  { key = "default", head = "default",
    cell = function(entry) return default_cell(entry.default) end },
  { key = "unit", head = "unit", cell = function(entry) return entry.unit or "" end },
}

-- The columns between name and text: those in which enough stands.
local function columns_of(entries)
  local columns = {}
  for _, column in ipairs(COLUMNS) do
    local filled = 0
    for _, entry in ipairs(entries) do
      if entry[column.key] and entry[column.key] ~= "" then filled = filled + 1 end
    end
    if filled >= 2 or filled == #entries then
      columns[#columns + 1] = column
      columns[column.key] = true
    end
  end
  return columns
end

-- The text of a row, with the values that have no column of their own.
local function about_cell(reference, entry, columns)
  local about, rest = reference.full(entry), {}
  if not columns.default and entry.default then
    rest[1] = "default: " .. default_cell(entry.default)
  end
  if not columns.unit and (entry.unit or "") ~= "" then rest[#rest + 1] = entry.unit end
  return #rest == 0 and about or ("%s (%s)"):format(about, table.concat(rest, ", "))
end

local function members(reference, class, group)
  local entries = {}
  for _, entry in ipairs(class.entries) do
    if entry.group == group then entries[#entries + 1] = entry end
  end
  assert(#entries > 0, class.name)
  local columns, lines = columns_of(entries), {}
  local head, rule = { group == "hooks" and "hook" or class.head or "" }, { "---" }
  for i, column in ipairs(columns) do head[i + 1], rule[i + 1] = column.head, "---" end
  head[#head + 1], rule[#rule + 1] = "", "---"
  lines[1], lines[2] = row(head), row(rule)
  for i, entry in ipairs(entries) do
    local cells = { code(entry.in_tables) }
    for c, column in ipairs(columns) do cells[c + 1] = column.cell(entry) end
    cells[#cells + 1] = about_cell(reference, entry, columns)
    lines[i + 2] = row(cells)
  end
  return lines
end

local function options(reference, names)
  local lines = { row { "options of", "" }, row { "---", "---" } }
  for name in names:gmatch "%w+" do
    local class = assert(reference.by_class[name], name)
    lines[#lines + 1] = row { code(class.names[1]), reference.expand(("{fields %s}"):format(name)) }
  end
  return lines
end

local UNIT = { s = "s", ["processor-seconds"] = "processor-s" }

-- Neighbours with one formula stand in one row.
local function metrics(what)
  local all = require "orrery.values.metrics"
  local lines, last = { row { "name", "unit", "better", "formula" } }, nil
  lines[2] = row { "---", "---", "---", "---" }
  for _, entry in ipairs(all[what].class) do
    local one = all[what].by_name[entry[1]]
    local name = code(one.name)
    if last and last.formula == one.formula then name = last.text .. ", " .. name end
    if not last or last.formula ~= one.formula then lines[#lines + 1] = "" end
    lines[#lines] = row { name, UNIT[one.unit] or "", one.better or "", one.formula }
    last = { text = name, formula = one.formula }
  end
  return lines
end

local function lines_of(reference, kind, what, path)
  if kind == " options" then return options(reference, what) end
  if kind == " metrics" then return metrics(what) end
  local name, group = what:match "^(%w+) ?(%w*)$"
  local class = reference.by_class[name]
  if not class then
    error(("%s: there is no class %s in the reference (bindings/schema/)"):format(path,
      what), 0)
  end
  return members(reference, class, group ~= "" and group or nil)
end

return {
  update = function(reference, text, path)
    return (text:gsub("(<!%-%- reference( ?%w*): ([%w ]-) %-%->\n).-(<!%-%- end %-%->)",
      function(first, kind, what, last)
        local lines = lines_of(reference, kind, what, path)
        return ("%s%s\n%s"):format(first, table.concat(lines, "\n"), last)
      end))
  end,
}
