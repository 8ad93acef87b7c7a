-- csv: numbers and texts as CSV that reads back exactly.
local csv = {}

-- A number in full; empty where there is none (nil or nan).
function csv.number(value)
  if value == nil or value ~= value then return "" end
  if math.type(value) == "integer" then return tostring(value) end
  return ("%.17g"):format(value)
end

-- The shortest text that reads back: a number as it was typed.
function csv.short(value)
  if not value then return "" end
  local text = ("%.15g"):format(value)
  return tonumber(text) == value and text or ("%.17g"):format(value)
end

function csv.field(text)
  if text:find('[,"\r\n]') then return '"' .. text:gsub('"', '""') .. '"' end
  return text
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
      local value = row[name]
      cells[c] = cell(value)
    end
    lines[i + 1] = table.concat(cells, ",")
  end
  return table.concat(lines, "\n") .. "\n"
end

return csv
