-- show: values as text for the prompt.
--
-- show.text(value, options) gives the text, without the last line's end. Objects give their own
-- text: __text(object, width) in the metatable, else __tostring. Lists of records become tables,
-- other tables become lines of names and values. Long values are cut, with a count. Options:
-- `width` (100 columns), `rows` (20), `help` (a function from a function to its description, or
-- nil).
--
-- Numbers have 6 significant digits, but all digits before the point (numbers.lua); print(x) shows
-- all digits.

local numbers = require "orrery.support.numbers"

local show = {}

-- Only needed for tables: the program starts without it.
local function metrics() return require "orrery.values.metrics" end

local MARGIN = 2       -- columns between columns
local CELL = 40        -- the widest text in a table, where others want the room
local NARROW = 24      -- no text is cut to less
local TEXT_LINES = 30  -- of a text with many lines
local DEPTH = 3        -- tables in tables in tables

-- --- numbers and texts --------------------------------------------------------------------------

show.number = numbers.shown

local function width_of(text) return utf8.len(text) or #text end

-- The text in at most `width` columns.
local function cut(text, width)
  if width_of(text) <= width then return text end
  if not utf8.len(text) then return text:sub(1, width - 1) .. "…" end
  return text:sub(1, utf8.offset(text, width) - 1) .. "…"
end

local function pad(text, width, right)
  local space = (" "):rep(width - width_of(text))
  return right and space .. text or text .. space
end

local ESCAPES = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ['"'] = '\\"', ["\\"] = "\\\\" }

local function quoted(text)
  return '"' .. text:gsub('[\n\r\t"\\]', ESCAPES)
    :gsub("%c", function(c) return ("\\%d"):format(c:byte()) end) .. '"'
end

local function more(count) return ("... %d more"):format(count) end

-- --- kinds of values -----------------------------------------------------------------------------

local function metatable_of(value)
  local kind = type(value)
  return (kind == "table" or kind == "userdata") and debug.getmetatable(value) or nil
end

-- The own text of a table or userdata; nil: it has none.
local function own_text(value)
  local metatable = metatable_of(value)
  if not metatable or metatable.__tostring == nil then
    return type(value) == "userdata" and metatable and metatable.__name or nil -- no address
  end
  local done, text = pcall(tostring, value)
  return done and text or ("(cannot be shown: %s)"):format(tostring(text))
end

-- The length of a list; nil for other and empty tables.
local function list_length(value)
  local n = #value
  if n == 0 then return nil end
  local count = 0
  for _ in next, value do
    count = count + 1
    if count > n then return nil end
  end
  return count == n and n or nil
end

local function is_plain(value) return type(value) == "table" and own_text(value) == nil end

-- The order of the keys of a record: first its name, then its subject, then the others by name, and
-- last long values that are seldom needed.
local RANKS = { options = 101, hooks = 102, path = 103, source = 104 }
for rank, name in ipairs { "name", "title", "week", "day", "date", "user", "id", "position",
  "attempt", "kind", "state", "outcome", "submit", "arrival", "start", "from", "finish", "to",
  "planned_end", "promised", "reserved", "procs", "runtime", "time", "what", "per", "about" } do
  RANKS[name] = rank
end

local function key_before(a, b)
  local ra, rb = RANKS[a] or 100, RANKS[b] or 100
  if ra ~= rb then return ra < rb end
  return tostring(a) < tostring(b)
end

local function sorted_keys(value)
  local keys, are_names = {}, true
  for key in next, value do
    keys[#keys + 1] = key
    are_names = are_names and type(key) == "string"
  end
  table.sort(keys, are_names and key_before or function(a, b)
    local na, nb = math.type(a), math.type(b)
    if na and nb then return a < b end
    if na or nb then return na ~= nil end
    return tostring(a) < tostring(b)
  end)
  return keys
end

-- --- in one line --------------------------------------------------------------------------------

local inline

local function inline_table(value, width, seen)
  if seen[value] then return "(itself)" end
  if next(value) == nil then return "{}" end
  seen[value] = true
  local parts, used, n = {}, 4, list_length(value)
  local keys = not n and sorted_keys(value)
  for i = 1, n or #keys do
    local key = n and i or keys[i]
    local item = inline(value[key], math.max(width - used, NARROW), seen)
    if not n then item = ("%s = %s"):format(tostring(key), item) end
    used = used + width_of(item) + 2
    if used > width and i > 1 then
      parts[i] = "…"
      break
    end
    parts[i] = item
  end
  seen[value] = nil
  return "{ " .. table.concat(parts, ", ") .. " }"
end

function inline(value, width, seen)
  if type(value) == "number" then return show.number(value) end
  if type(value) == "string" then return cut(quoted(value), math.max(width, NARROW)) end
  local text = own_text(value)
  if text then
    local first = text:match "^[^\n]*"
    return cut(first == text and first or first .. " …", math.max(width, NARROW))
  end
  if type(value) == "table" then
    if seen.depth and seen.depth >= DEPTH then return "{…}" end
    seen.depth = (seen.depth or 0) + 1
    local line = inline_table(value, width, seen)
    seen.depth = seen.depth - 1
    return line
  end
  if type(value) == "function" then return "function" end
  return tostring(value)
end

-- --- lists of records, as tables ----------------------------------------------------------------

-- Whether the first elements of the list are records: plain tables with names.
local function are_records(list, count)
  for i = 1, count do
    local one = list[i]
    if not is_plain(one) or next(one) == nil or list_length(one) then return false end
    for key in next, one do
      if type(key) ~= "string" then return false end
    end
  end
  return true
end

local function cell(value)
  if value == nil then return "" end
  if type(value) == "string" then return (value:gsub("%c+", " ")) end
  return inline(value, CELL, {})
end

-- The columns of the records: { name =, cells =, width =, right = whether they are numbers }.
local function columns_of(list, count)
  local names, seen = {}, {}
  for i = 1, count do
    for key in next, list[i] do
      if not seen[key] then seen[key], names[#names + 1] = true, key end
    end
  end
  table.sort(names, key_before)
  local columns = {}
  for c, name in ipairs(names) do
    local column = { name = name, cells = {}, width = width_of(name), right = true, least = 0 }
    for i = 1, count do
      local value = list[i][name]
      if value ~= nil and type(value) ~= "number" then column.right = false end
      column.cells[i] = cell(value)
      column.width = math.max(column.width, width_of(column.cells[i]))
    end
    column.least = (column.right or c == 1) and column.width or math.min(column.width, NARROW)
    columns[c] = column
  end
  return columns
end

local function total(columns, field)
  local sum = -MARGIN
  for _, column in ipairs(columns) do sum = sum + column[field] + MARGIN end
  return sum
end

-- Makes the columns fit: leaves out the last ones, then narrows the widest texts. Returns the names
-- of the columns left out.
local function fit(columns, width)
  local out = {}
  while #columns > 1 and total(columns, "least") > width do
    table.insert(out, 1, table.remove(columns).name)
  end
  while total(columns, "width") > width do
    local widest
    for _, column in ipairs(columns) do
      if column.width > column.least and (not widest or column.width > widest.width) then
        widest = column
      end
    end
    if not widest then break end
    widest.width = math.max(widest.least, widest.width - (total(columns, "width") - width))
  end
  return out
end

local function row(columns, texts)
  local cells = {}
  for c, column in ipairs(columns) do
    cells[c] = pad(cut(texts(column), column.width), column.width, column.right)
  end
  return (table.concat(cells, (" "):rep(MARGIN)):gsub("%s+$", ""))
end

local function records(list, count, n, options)
  local columns = columns_of(list, count)
  local out = fit(columns, options.width)
  local lines = { row(columns, function(column) return column.name end) }
  for i = 1, count do
    lines[i + 1] = row(columns, function(column) return column.cells[i] end)
  end
  if n > count then lines[#lines + 1] = more(n - count) end
  if #out > 0 then
    lines[#lines + 1] = cut("not shown: " .. table.concat(out, ", "), options.width)
  end
  return lines
end

-- --- other tables -------------------------------------------------------------------------------

-- Numbers, texts and the like, as many per line as fit.
local function wrapped(list, n, options)
  local lines, line, shown = {}, "", 0
  for i = 1, n do
    local item = inline(list[i], options.width - 4, {}) .. (i < n and "," or "")
    if line ~= "" and width_of(line) + width_of(item) + 3 > options.width then
      if #lines + 1 >= options.rows then break end
      lines[#lines + 1], line = line, ""
    end
    line, shown = line == "" and item or line .. " " .. item, i
  end
  lines[#lines + 1] = line
  if shown < n then lines[#lines + 1] = more(n - shown) end
  if #lines == 1 and width_of(lines[1]) + 4 <= options.width then
    return { "{ " .. lines[1] .. " }" }
  end
  for i, one in ipairs(lines) do lines[i] = "  " .. one end
  table.insert(lines, 1, "{")
  lines[#lines + 1] = "}"
  return lines
end

local function one_per_line(list, count, n, options)
  local lines = {}
  for i = 1, count do lines[i] = inline(list[i], options.width, {}) end
  if n > count then lines[#lines + 1] = more(n - count) end
  return lines
end

local block -- the lines of a table

-- The value behind a name: on the line, or as a block of lines.
local function named_value(lines, name, value, options, depth, seen)
  local room = options.width - 2 * depth - width_of(name) - MARGIN
  local text = inline(value, math.max(room, NARROW), {})
  local fits = not text:find "…" or not is_plain(value) or depth >= DEPTH or seen[value]
  if fits then
    lines[#lines + 1] = ("  "):rep(depth) .. name .. (" "):rep(MARGIN) .. text
    return
  end
  lines[#lines + 1] = (("  "):rep(depth) .. name):gsub("%s+$", "")
  for _, line in ipairs(block(value, options, depth + 1, seen)) do lines[#lines + 1] = line end
end

local function names_and_values(value, options, depth, seen)
  local keys, width, lines = sorted_keys(value), 0, {}
  local most = math.min(#keys, 2 * options.rows)
  for i = 1, most do width = math.max(width, width_of(tostring(keys[i]))) end
  for i = 1, most do
    named_value(lines, pad(tostring(keys[i]), width), value[keys[i]], options, depth, seen)
  end
  if #keys > most then lines[#lines + 1] = ("  "):rep(depth) .. more(#keys - most) end
  return lines
end

function block(value, options, depth, seen)
  local n = list_length(value)
  local indent = ("  "):rep(depth)
  if not n then
    seen[value] = true
    local lines = names_and_values(value, options, depth, seen)
    seen[value] = nil
    return lines
  end
  local count = n > options.rows + 1 and options.rows or n
  local inner = { width = options.width - 2 * depth, rows = options.rows }
  local lines
  if are_records(value, count) then
    lines = records(value, count, n, inner)
  elseif type(value[1]) == "table" or type(value[1]) == "userdata" then
    lines = one_per_line(value, count, n, inner)
  else
    lines = wrapped(value, n, inner)
  end
  for i, line in ipairs(lines) do lines[i] = indent .. line end
  return lines
end

local function table_text(value, options)
  if next(value) == nil then return "{}" end
  if metrics().are(value) then
    return table.concat(require "orrery.support.columns"(metrics().account { value }), "\n")
  end
  local n = list_length(value)
  local line = not (n and are_records(value, math.min(n, options.rows)))
    and inline(value, options.width, {})
  if line and width_of(line) <= options.width and not line:find "…"
    and (n or width_of(line) <= options.width / 2) then
    return line
  end
  local lines = block(value, options, 0, {})
  for i, one in ipairs(lines) do lines[i] = cut(one, options.width) end
  return table.concat(lines, "\n")
end

-- --- views of their own -------------------------------------------------------------------------

local function jobs_text(jobs, width)
  local text = tostring(jobs)
  local n, first = #jobs, {}
  for i = 1, math.min(n, n > 9 and 8 or 9) do first[i] = jobs[i] end
  if #first == 0 then return text end
  return text .. "\n" .. table.concat(records(first, #first, n, { width = width }), "\n")
end

local VIEWS = { ["orrery.jobs"] = jobs_text }

local function function_text(value, options)
  local known = options.help and options.help(value)
  if known then return known end
  local info = debug.getinfo(value, "Su")
  if info.what == "C" then return tostring(value) end
  local names = {}
  for i = 1, info.nparams do names[i] = debug.getlocal(value, i) end
  if info.isvararg then names[#names + 1] = "..." end
  return ("function(%s), %s line %d"):format(table.concat(names, ", "), info.short_src,
    info.linedefined)
end

local function string_text(value)
  local lines = {}
  for line in (value .. "\n"):gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  local rest = #lines - TEXT_LINES
  if rest <= 1 then return value end
  return ("%s\n... %d more lines; print has them all"):format(
    table.concat(lines, "\n", 1, TEXT_LINES), rest)
end

function show.text(value, options)
  options = options or {}
  options = { width = math.max(options.width or 100, 20), rows = options.rows or 20,
    help = options.help }
  local kind = type(value)
  if kind == "number" then return show.number(value) end
  if kind == "string" then return string_text(value) end
  if kind == "function" then return function_text(value, options) end
  local metatable = metatable_of(value)
  local view = metatable and (VIEWS[metatable.__name] or metatable.__text)
  if view then
    local done, text = pcall(view, value, options.width)
    if done then return text end
  end
  local text = own_text(value)
  if text then return text end
  if kind == "table" then return table_text(value, options) end
  return tostring(value)
end

return show
