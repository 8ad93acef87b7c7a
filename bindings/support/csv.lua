-- csv: numbers and texts as CSV that reads back exactly.
local numbers = require "orrery.support.numbers"

local csv = {}

-- A number in full; empty for nil or nan.
function csv.number(value)
  return value == nil and "" or numbers.full(value)
end

-- The shortest text that reads back: a number as it was typed.
function csv.short(value)
  if not value then return "" end
  local text = ("%.15g"):format(value)
  return tonumber(text) == value and text or ("%.17g"):format(value)
end

function csv.field(text)
  text = tostring(text)
  if text:find('[,"\r\n]') then return '"' .. text:gsub('"', '""') .. '"' end
  return text
end

-- The cells of a line that `field` and `number` wrote, as texts.
function csv.cells(line)
  local cells, at = {}, 1
  while at <= #line + 1 do
    local behind
    if line:sub(at, at) == '"' then
      behind = at + 1
      repeat
        local _, last = line:find('"+', behind)
        behind = (last or #line) + 1
        -- an odd number of quotes ends the field
        local run = line:sub(at + 1, behind - 1):match '"*$'
      until #run % 2 == 1 or behind > #line
      cells[#cells + 1] = (line:sub(at + 1, behind - 2):gsub('""', '"'))
      at = behind + 1
    else
      behind = line:find(",", at, true) or #line + 1
      cells[#cells + 1] = line:sub(at, behind - 1)
      at = behind + 1
    end
  end
  return cells
end

-- The rows of a text behind its first line, each a table of texts by the names in that line.
function csv.rows(text)
  local rows, columns = {}, nil
  for line in text:gmatch "[^\r\n]+" do
    local cells, row = csv.cells(line), {}
    for c, name in ipairs(columns or {}) do row[name] = cells[c] end
    if columns then rows[#rows + 1] = row end
    columns = columns or cells
  end
  return rows
end

local function cell(value)
  if type(value) == "string" then return csv.field(value) end
  if math.type(value) == "float" and value == value then return csv.short(value) end
  return csv.number(value)
end

-- A whole file; numbers read back exactly.
--   columns  list of names
--   rows     list of rows, each a table with the columns' values under their names: numbers,
--            texts, or nil for an empty cell
function csv.text(columns, rows)
  local lines = { table.concat(columns, ",") }
  for i, row in ipairs(rows) do
    local cells = {}
    for c, name in ipairs(columns) do
      cells[c] = cell(row[name])
    end
    lines[i + 1] = table.concat(cells, ",")
  end
  return table.concat(lines, "\n") .. "\n"
end

return csv
