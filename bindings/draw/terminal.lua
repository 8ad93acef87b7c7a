-- terminal: a schedule as text, in the size of the window.
--
-- With colours every character shows two rows of processors, by half blocks; without, every job has
-- a letter.

local axis = require "orrery.draw.axis"
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local model = require "orrery.draw.model"
local options_of = require "orrery.draw.options"
local palette = require "orrery.draw.palette"
local steps = require "orrery.draw.steps"

local terminal = {}

local LEAST = 0.15 -- the share of a cell that something must have to be seen

-- --- the window ---------------------------------------------------------------------------------

local function environment(name)
  local value = os.getenv(name)
  return value ~= "" and value or nil
end

local function is_utf8()
  local locale = environment "LC_ALL" or environment "LC_CTYPE" or environment "LANG" or ""
  return locale:lower():gsub("-", ""):find("utf8", 1, true) ~= nil
end

-- Columns, rows, and whether the terminal has colours and Unicode.
function terminal.window()
  local columns, rows = core.window()
  local colour = core.is_terminal(1) and not environment "NO_COLOR" and os.getenv "TERM" ~= "dumb"
  return columns or tonumber(environment "COLUMNS") or 80, rows or tonumber(environment "LINES")
    or 24, colour, is_utf8()
end

-- --- colours ------------------------------------------------------------------------------------

local cube = {}

-- The terminal code of a colour: its red, green and blue in a terminal with true colour, else the
-- nearest of 256 colours.
local function colour_of(text)
  if not cube[text] then
    local r, g, b = palette.rgb(text)
    local function level(x) return x < 48 and 0 or x < 115 and 1 or (x - 35) // 40 end
    local depth = os.getenv "COLORTERM"
    cube[text] = (depth == "truecolor" or depth == "24bit") and ("2;%d;%d;%d"):format(r, g, b)
      or ("5;%d"):format(16 + 36 * level(r) + 6 * level(g) + level(b))
  end
  return cube[text]
end

-- A line under construction: text, its columns, and the present colours.
local Line = {}
Line.__index = Line

local function line(colour) return setmetatable({ colour = colour, columns = 0 }, Line) end

-- front and back: "#RRGGBB", nil for the terminal's own.
function Line:add(text, front, back)
  if self.colour and (front ~= self.front or back ~= self.back) then
    self[#self + 1] = ("\27[%s;%sm"):format(front and "38;" .. colour_of(front) or "39",
      back and "48;" .. colour_of(back) or "49")
    self.front, self.back = front, back
  end
  self[#self + 1] = text
  self.columns = self.columns + utf8.len(text)
end

function Line:text()
  if self.front or self.back then self[#self + 1] = "\27[0m" end
  return self.colour and table.concat(self):gsub(" +$", "") or table.concat(self)
end

-- A text of one line without control sequences for the terminal.
local function harmless(text)
  return (core.harmless(text):gsub("%c", " "))
end

-- At most `width` columns of a text without colours.
function terminal.cut(text, width, unicode)
  text = harmless(text)
  if utf8.len(text) <= width then return text end
  local dots = unicode and "…" or "..."
  local keep = math.max(0, width - utf8.len(dots))
  return text:sub(1, utf8.offset(text, keep + 1) - 1) .. (width > utf8.len(dots) and dots or "")
end

-- Lines without trailing spaces, cut to the window's width. colours: by number of a line, "#RRGGBB"
-- for the whole line.
function terminal.lines(lines, settled, colours)
  for i, text in ipairs(lines) do
    lines[i] = terminal.cut((text:gsub(" +$", "")), settled.width, settled.unicode)
    if settled.colour and colours and colours[i] then
      local coloured = line(true)
      coloured:add(lines[i], colours[i])
      lines[i] = coloured:text()
    end
  end
  return table.concat(lines, "\n")
end

-- --- cells --------------------------------------------------------------------------------------

-- Calls see(row, column, share) for every cell that a box has a share of; row 1 is on top.
local function each_cell(grid, box, see)
  local x0 = math.max((box.start - grid.from) / grid.dt, 0)
  local x1 = math.min((box.finish - grid.from) / grid.dt, grid.columns)
  for _, range in ipairs(box.ranges) do
    local y0 = (grid.procs - range[2] - 1) / grid.dp
    local y1 = (grid.procs - range[1]) / grid.dp
    for row = math.floor(y0), math.min(math.ceil(y1), grid.rows) - 1 do
      local high = math.min(y1, row + 1) - math.max(y0, row)
      for column = math.floor(x0), math.ceil(x1) - 1 do
        see(row + 1, column + 1, high * (math.min(x1, column + 1) - math.max(x0, column)))
      end
    end
  end
end

-- The box with the largest share of each cell: cells[row][column] = { box, share }.
local function layer(grid, list)
  local cells = {}
  for row = 1, grid.rows do cells[row] = {} end
  for _, box in ipairs(list) do
    each_cell(grid, box, function(row, column, share)
      local cell = cells[row][column]
      if not cell then
        cells[row][column] = { box, share }
      elseif share > cell[2] then
        cell[1], cell[2] = box, share
      end
    end)
  end
  return cells
end

-- A box that would be invisible gets the cell in its middle, if that is free.
local function rescue(grid, boxes, cells)
  local seen = {}
  for row = 1, grid.rows do
    for _, cell in pairs(cells[row]) do
      if cell[2] >= LEAST then seen[cell[1].who] = true end
    end
  end
  for _, box in ipairs(boxes) do
    if not seen[box.who] then
      local range = box.ranges[1]
      local row = (grid.procs - (range[1] + range[2] + 1) / 2) / grid.dp // 1 | 0
      local column = ((box.start + box.finish) / 2 - grid.from) / grid.dt // 1 | 0
      row, column = math.min(row + 1, grid.rows), math.max(1, math.min(column + 1, grid.columns))
      local cell = cells[row][column]
      if not cell or cell[2] < LEAST then
        cells[row][column], seen[box.who] = { box, 1 }, true
      end
    end
  end
end

local function grid_of(m, columns, rows)
  local grid = { columns = columns, rows = rows, procs = m.procs, from = m.from, to = m.to,
    dt = (m.to - m.from) / columns, dp = m.procs / rows }
  grid.boxes, grid.down = layer(grid, m.boxes), layer(grid, m.down)
  grid.over = m.over and layer(grid, m.over)
  rescue(grid, m.boxes, grid.boxes)
  return grid
end

-- The contents of a cell: the box and its look; or "down".
local function at(grid, m, row, column)
  local cell = grid.boxes[row] and grid.boxes[row][column]
  if cell and cell[2] >= LEAST then
    local box, look = cell[1], cell[1].look
    local over = grid.over and grid.over[row][column]
    if over and over[2] >= 0.4 then look = over[1].look end
    if look == "running" and grid.from + (column - 0.5) * grid.dt < (m.now or 0) then look = nil end
    return box, look
  end
  local down = grid.down[row] and grid.down[row][column]
  if down and down[2] >= LEAST then return "down" end
end

-- --- with colours -------------------------------------------------------------------------------

local SIGNS = { stripes = { "╱", "/" }, cross = { "╳", "x" }, level = { "─", "-" },
  upright = { "│", "|" }, dots = { "·", "." }, back = { "╲", "\\" }, pale = { "░", ":" },
  dark = { "▓", "#" }, black = { "█", "#" } }

local function sign(look, unicode) return SIGNS[palette.LOOKS[look][2]][unicode and 1 or 2] end

local function shade(box, look)
  if box == "down" then return palette.DOWN end
  if not box then return nil end
  local colour = palette.of_job(box.who)
  if not look then return colour end
  return palette.mix(colour, look == "running" and "#FFFFFF" or "#000000", 0.4)
end

local function colour_cell(grid, m, row, column, unicode, out)
  local above, above_look = at(grid, m, unicode and 2 * row - 1 or row, column)
  local below, below_look = above, above_look
  if unicode then below, below_look = at(grid, m, 2 * row, column) end
  if above == below and above_look == below_look then
    if above_look then
      local colour = palette.of_job(above.who)
      out:add(sign(above_look, unicode), palette.ink(colour), colour)
    elseif above == "down" then
      out:add(unicode and "░" or "%", "#000000", palette.DOWN)
    else
      out:add(" ", nil, shade(above))
    end
    return
  end
  local top, bottom = shade(above, above_look), shade(below, below_look)
  if top then out:add("▀", top, bottom) else out:add("▄", bottom) end
end

-- Puts a name into the middle of a run of columns.
local function write_name(names, box, columns, run)
  local length = utf8.len(box.id)
  if columns < length + 2 then return end
  local column = run[2] + (columns - length) // 2
  for _, code in utf8.codes(box.id) do
    names[run[1]][column] = { utf8.char(code), box }
    column = column + 1
  end
end

-- Names of jobs where a row of characters has room: names[row][column] = a character, and its box.
local function names_of(grid, m, rows, half)
  local names = {}
  for row = 1, rows do names[row] = {} end
  if #m.boxes > 80 then return names end
  local function whole(row, column, box)
    if not half then return at(grid, m, row, column) == box end
    return at(grid, m, 2 * row - 1, column) == box and at(grid, m, 2 * row, column) == box
  end
  for _, box in ipairs(m.boxes) do
    local runs, best = {}, 0 -- of the longest: row, first column
    for row = 1, rows do
      local run = 0
      for column = 1, grid.columns + 1 do
        if column <= grid.columns and whole(row, column, box) then
          run = run + 1
        else
          if run > best then runs, best = {}, run end
          if run == best then runs[#runs + 1] = { row, column - run } end
          run = 0
        end
      end
    end
    write_name(names, box, best, runs[(#runs + 1) // 2])
  end
  return names
end

-- Adds a cell to a line: a letter of a name, or the cell's contents.
local function colour_cells(grid, m, rows, unicode)
  local names = names_of(grid, m, rows, unicode)
  return function(row, column, out)
    local name = names[row][column]
    if not name then return colour_cell(grid, m, row, column, unicode, out) end
    local colour = palette.of_job(name[2].who)
    out:add(name[1], palette.ink(colour), colour)
  end
end

-- --- without ------------------------------------------------------------------------------------

local function letter(box) return string.char(65 + (box.who - 1) % 26) end

local function plain_cell(grid, m, row, column, unicode)
  local box, look = at(grid, m, row, column)
  if not box then return m.over and " " or unicode and "·" or "." end
  if box == "down" then return unicode and "░" or "%" end
  if not look then return letter(box) end
  if m.over then return sign(look, unicode) end
  return letter(box):lower()
end

local function plain_cells(grid, m, _, unicode)
  return function(row, column, out) out:add(plain_cell(grid, m, row, column, unicode)) end
end

-- --- below it -----------------------------------------------------------------------------------

local BARS = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" }

-- A row of bars; 0 is empty, whatever is more is seen.
function terminal.bars(values, most, unicode)
  local cells = {}
  for i, value in ipairs(values) do
    if value <= 0 or most <= 0 then
      cells[i] = unicode and " " or "."
    elseif unicode then
      cells[i] = BARS[math.max(1, math.min(8, math.ceil(value / most * 8)))]
    else
      cells[i] = ("%d"):format(math.max(0, math.min(9, value / most * 10 // 1)))
    end
  end
  return table.concat(cells)
end

-- The names of ticks, each centred below its place, as many as fit.
function terminal.tick_line(ticks, from, to, columns)
  local cells, free = {}, 1
  for i = 1, columns do cells[i] = " " end
  for _, tick in ipairs(ticks) do
    local column = (tick[1] - from) / (to - from) * columns // 1 + 1 | 0
    local first = math.max(column - #tick[2] // 2, 1)
    if first >= free and first + #tick[2] - 1 <= columns then
      for c = 1, #tick[2] do cells[first + c - 1] = tick[2]:sub(c, c) end
      free = first + #tick[2] + 1
    end
  end
  return table.concat(cells)
end

-- Busy processors, as means, and waiting jobs, as maxima; returns the largest number of waiting
-- jobs.
local function curves(m, gutter, columns, unicode, out)
  local function add(head, field, which, full)
    local values, most = {}, 0
    for i, part in ipairs(steps.parts(m.steps, field, m.from, m.to, columns)) do
      values[i], most = part[which], math.max(most, part[2])
    end
    out[#out + 1] = (gutter(head) .. terminal.bars(values, full or most, unicode)):gsub(" +$", "")
    return most
  end
  add("busy", "busy", 1, m.procs)
  return m.steps[1] and m.steps[1].waiting and add("wait", "waiting", 2)
end

local function looks_of(m, options, words)
  local looks = {}
  for _, list in ipairs { m.boxes, m.over or {} } do
    for _, box in ipairs(list) do
      if box.look then looks[box.look] = true end
    end
  end
  local small = {}
  for _, name in ipairs(palette.ORDER) do
    if looks[name] and (options.colour or m.over) then
      words[#words + 1] = sign(name, options.unicode) .. " " .. palette.LOOKS[name][1]
    elseif looks[name] then
      small[#small + 1] = palette.LOOKS[name][1]
    end
  end
  if #small > 0 then words[#words + 1] = "lower case " .. table.concat(small, " or ") end
end

-- The meaning of colours, letters and signs.
local function legend(m, most, options)
  local words = {}
  looks_of(m, options, words)
  if #m.down > 0 then words[#words + 1] = (options.unicode and "░" or "%") .. " out" end
  if most and most > 0 then words[#words + 1] = ("wait: up to %d jobs"):format(most) end
  if not options.colour then
    local list = model.jobs(m)
    if #list > 26 then words[#words + 1] = ("letters are %ss in turn"):format(m.what) end
    for i = 1, #list <= 26 and #list or 0 do
      words[#words + 1] = letter(list[i]) .. " " .. list[i].id
    end
  end
  return table.concat(words, ", ")
end

-- --- the whole ----------------------------------------------------------------------------------

-- The left margin: the number of processors on top, 0 at the bottom, or names of nodes in the
-- middle of their rows, as many as have room; spaces between.
local function margin(m, rows, wide)
  local texts = { tostring(m.procs), [rows] = "0" }
  if m.nodes then texts = {} end
  for i = 1, m.nodes and #m.nodes - 1 or 0 do
    local middle = (m.nodes[i] + m.nodes[i + 1]) / 2
    local row = math.min(rows, (m.procs - middle) * rows // m.procs + 1 | 0)
    texts[row] = texts[row] or "node " .. i
  end
  return function(row)
    local text = type(row) == "string" and row or texts[row] or ""
    return (" "):rep(wide - 1 - #text) .. text:sub(1, wide - 1) .. " "
  end
end

-- A wide machine has as many rows as fit into the window, a small one a row per processor.
-- Nodes have equally many rows each, where there are enough.
local function rows_of(m, height)
  local rows = math.min(math.max(3, height - 6), math.max(m.procs, 3))
  local nodes = m.nodes and #m.nodes - 1 or rows + 1
  return nodes > rows and rows or rows // nodes * nodes
end

-- The picture as text, no line longer than options.width.
function terminal.text(m, options)
  for _, box in ipairs(m.boxes) do box.id = harmless(box.id) end
  local wide = (m.nodes and #("node " .. #m.nodes - 1) or math.max(#tostring(m.procs), 4)) + 1
  local rows, columns = rows_of(m, options.height), math.max(1, options.width - wide)
  local half = options.colour and options.unicode
  local grid = grid_of(m, columns, half and 2 * rows or rows)
  local gutter, out = margin(m, rows, wide), {}
  out[1] = terminal.cut(m.said, options.width, options.unicode)
  local add_cell = (options.colour and colour_cells or plain_cells)(grid, m, rows, options.unicode)
  for row = 1, rows do
    local text = line(options.colour)
    text:add(gutter(row))
    for column = 1, columns do add_cell(row, column, text) end
    out[row + 1] = text:text()
  end
  local ticks, title = axis.times(m.from, m.to, columns / 9, m.clock, m.zone)
  out[#out + 1] = (gutter(title:match "%((%a+)%)" or "") .. terminal.tick_line(ticks, m.from, m.to,
    columns)):gsub(" +$", "")
  local most = curves(m, gutter, columns, options.unicode, out)
  out[#out + 1] = terminal.cut(legend(m, most, options), options.width, options.unicode)
  return (table.concat(out, "\n"):gsub("%s+$", ""))
end

-- Fills in defaults from the window.
function terminal.settle(options)
  local columns, rows, colour, unicode = terminal.window()
  for _, name in ipairs { "colour", "unicode" } do
    local given = options[name]
    checks.expect(given == nil or type(given) == "boolean", name, "true or false in the terminal"
      .. (name == "colour" and " (s:gantt colours jobs by what they are)" or ""),
      checks.quoted(given))
  end
  local settled = {
    width = options_of.number(options, "width", columns, 10, 1000),
    height = options_of.number(options, "height", rows - 1, 5, 1000),
    colour = colour, unicode = unicode,
  }
  if options.colour ~= nil then settled.colour = options.colour end
  if options.unicode ~= nil then settled.unicode = options.unicode end
  return settled
end

-- Prints a session or co-schedule; with text = true the text is returned instead.
function terminal.show(given, options)
  options = options_of.checked(options, "ShowOptions")
  return options_of.say(terminal.text(model.of(given, options, "bare"), terminal.settle(options)),
    options)
end

return terminal
