-- CSV files as tables of rows, for specs that hold what a command wrote.
local program = require "spec.support.program"

local tables = {}

-- The rows of a CSV file without quotes, as tables by column name (numbers where they are numbers);
-- the list of columns.
function tables.read(path)
  local rows, columns = {}, nil
  for line in program.read(path):gmatch "[^\n]+" do
    local cells = {}
    for cell in (line .. ","):gmatch "(.-)," do cells[#cells + 1] = cell end
    if columns then
      local row = {}
      for i, name in ipairs(columns) do row[name] = tonumber(cells[i]) or cells[i] end
      rows[#rows + 1] = row
    else
      columns = cells
    end
  end
  return rows, columns
end

-- The rows whose columns have all the wanted values.
function tables.all(rows, wanted)
  local found = {}
  for _, row in ipairs(rows) do
    local same = true
    for key, value in pairs(wanted) do same = same and row[key] == value end
    if same then found[#found + 1] = row end
  end
  return found
end

-- The one such row; another number of them is an error.
function tables.find(rows, wanted)
  local found = tables.all(rows, wanted)
  if #found ~= 1 then error(("%d such rows, expected 1"):format(#found), 2) end
  return found[1]
end

function tables.mean(list)
  local sum = 0
  for _, value in ipairs(list) do sum = sum + value end
  return sum / #list
end

return tables
