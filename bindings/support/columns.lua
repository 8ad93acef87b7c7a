-- columns: rows of texts as aligned lines.

local function pad(text, width, right)
  local length = utf8.len(text) or #text
  local space = (" "):rep(width - length)
  return right and space .. text or text .. space
end

local function widths_of(rows)
  local widths = {}
  for _, row in ipairs(rows) do
    for i, cell in ipairs(row) do
      widths[i] = math.max(widths[i] or 0, utf8.len(cell) or #cell)
    end
  end
  return widths
end

-- Columns that stand side by side in `width` letters, each time behind the first one: a list of
-- { from, to }.
local function parts_of(widths, width)
  local parts, used = { { 2, 1 } }, widths[1] or 0
  for i = 2, #widths do
    local last = parts[#parts]
    if used + 2 + widths[i] > width and last[2] >= last[1] then
      parts[#parts + 1], used = { i, i }, widths[1] + 2 + widths[i]
    else
      last[2], used = i, used + 2 + widths[i]
    end
  end
  return parts
end

-- Lines up rows of texts; the first column to the left, all others to the right. Columns that do
-- not fit into `width` letters (nil: no limit) follow below, behind the first column again.
return function(rows, width)
  local widths, lines = widths_of(rows), {}
  for p, part in ipairs(parts_of(widths, width or math.huge)) do
    if p > 1 then lines[#lines + 1] = "" end
    for _, row in ipairs(rows) do
      local cells = { row[1] and pad(row[1], widths[1]) }
      for i = part[1], math.min(part[2], #row) do
        cells[#cells + 1] = pad(row[i], widths[i], true)
      end
      lines[#lines + 1] = (table.concat(cells, "  "):gsub("%s+$", ""))
    end
  end
  return lines
end
