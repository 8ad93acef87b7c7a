-- gnuplot: pictures by gnuplot that are complete or not there.

local confined = require "orrery.support.confined"
local core = require "orrery.core"
local palette = require "orrery.draw.palette"
local shell = require "orrery.support.shell"

local gnuplot = {}

-- Colours that everybody can tell apart, and a mark of its own for each.
local COLOURS = palette.PALETTE
local MARKS = { 7, 5, 9, 13, 11, 15, 6, 4 }
local DASHES = 5 -- kinds of lines, the first without gaps

-- Colour, mark and dashes of the i-th of several curves. From the ninth on colours come again, with
-- another mark and other dashes.
function gnuplot.style(i)
  local at, again = (i - 1) % #COLOURS, (i - 1) // #COLOURS
  return COLOURS[at + 1], MARKS[(at + 3 * again) % #MARKS + 1], again % DASHES + 1
end

local function ending(path)
  return (path:match("%.([%w]+)$") or ""):lower()
end

-- Whether a file of this name can be drawn.
function gnuplot.draws(path)
  return ending(path) == "png" or ending(path) == "svg"
end

function gnuplot.installed()
  return confined.is_child() or os.execute("command -v gnuplot >/dev/null 2>&1") == true
end

local function quote_file(text) return "'" .. text:gsub("'", "''") .. "'" end

-- A text to be shown.
function gnuplot.quote(text)
  return quote_file(core.harmless(text):gsub("%c", " "))
end

-- Rows of numbers as the data block $name.
function gnuplot.block(name, rows)
  local lines = { ("$%s << EOD"):format(name) }
  for i, row in ipairs(rows) do
    local cells = {}
    for c, value in ipairs(row) do cells[c] = ("%.17g"):format(value) end
    lines[i + 1] = table.concat(cells, " ")
  end
  lines[#lines + 1] = "EOD"
  return table.concat(lines, "\n")
end

-- Ticks of an axis: a list of { at, text }.
function gnuplot.ticks(axis, list, more)
  local cells = {}
  for i, tick in ipairs(list) do
    cells[i] = ("%s %.17g"):format(gnuplot.quote(tick[2]), tick[1])
  end
  return ("set %stics (%s)%s"):format(axis, table.concat(cells, ", "), more or "")
end

-- The plot command of a horizontal line.
function gnuplot.level(value)
  return ("%.17g with lines lc rgb '#000000' dt 2 lw 0.8 notitle"):format(value)
end

-- The range of an axis: { least, most }; what is nil comes from the data.
function gnuplot.range(axis, limits)
  local function limit(value) return value and ("%.17g"):format(value) or "*" end
  limits = limits or {}
  return ("set %srange [%s:%s]"):format(axis, limit(limits[1]), limit(limits[2]))
end

-- The first lines of a script that draws to `file` (nil: to its standard output), whose name ends
-- as path does. Width and height
-- are those of a SVG; a PNG has a third more pixels.
function gnuplot.terminal(path, file, width, height)
  local kinds = {
    png = 'pngcairo noenhanced size %d,%d font "sans,15" linewidth 2',
    svg = 'svg noenhanced size %d,%d font "sans,13" background "white" linewidth 1.5',
  }
  local scale = ending(path) == "png" and 4 / 3 or 1
  return "set terminal " .. kinds[ending(path)]:format(width * scale // 1, height * scale // 1)
    .. (file and "\nset output " .. quote_file(file) or "")
end

function gnuplot.demand()
  if gnuplot.installed() then return end
  error("plot: gnuplot is not installed (Debian: gnuplot-nox)", 0)
end

-- What a program, the list of its words, says to a text, and whether it was done; and what it
-- wrote, where it wrote to no file because this process must not.
function gnuplot.run(words, text)
  core.check_writing "a picture"
  if confined.is_child() then
    local done, bytes, said = confined.draw(words, text)
    return said, done, bytes
  end
  local source, quoted = os.tmpname(), {}
  local handle = assert(io.open(source, "w"))
  handle:write(text)
  handle:close()
  for i, word in ipairs(words) do quoted[i] = shell.quote(word) end
  local pipe = assert(io.popen(("%s %s 2>&1"):format(table.concat(quoted, " "), source)))
  local said = pipe:read "a"
  local done = pipe:close()
  os.remove(source)
  return said, done
end

local function run(script)
  return gnuplot.run({ "gnuplot", confined.is_child() and "-" or nil }, script .. "\nset output\n")
end

local function fail(path, said)
  error(("cannot draw %s: %s"):format(path, (said:gsub("%s+$", ""))), 0)
end

local captured -- the next picture, where it is wanted as text

-- Writes to path what make(file) writes to `file`, complete or not at all. make gives what is
-- wrong, and whether it was done; without a file also what it drew.
function gnuplot.whole(path, make)
  core.check_writing(path)
  if confined.is_child() then
    local said, drawn, bytes = make(nil)
    if not drawn then fail(path, said) end
    if captured then captured = bytes else core.write_file(path, bytes) end
    return
  end
  local file = core.temporary(path)
  local handle, refused = io.open(file, "w") -- other programs would say it at length
  if not handle then
    error(("cannot write %s: %s"):format(path, refused:match ": ([^:]*)$" or refused), 0)
  end
  handle:close()
  local said, drawn = make(file)
  if drawn then return core.replace_file(file, path) end
  os.remove(file)
  fail(path, said)
end

-- Draws to path what script(file), the text of a script, draws to `file`.
function gnuplot.draw(path, script)
  gnuplot.whole(path, function(file) return run(script(file)) end)
end

-- What draw(path) draws to a file of this name, as the part of a page of HTML.
function gnuplot.svg(draw)
  local text
  if confined.is_child() then
    captured = ""
    local done, problem = pcall(draw, "picture.svg")
    text, captured = captured, nil
    if not done then error(problem, 0) end
  else
    local path = os.tmpname()
    os.remove(path)
    path = path .. ".svg"
    draw(path)
    local file = assert(io.open(path, "rb"))
    text = file:read "a"
    file:close()
    os.remove(path)
  end
  return (text:gsub("^.-<svg", "<svg", 1))
end

-- What a script draws into the terminal, as text without empty lines around it.
function gnuplot.text(script)
  local said, drawn, bytes = run(script)
  said = drawn and bytes or said
  if not drawn then error("cannot draw: " .. said:gsub("%s+$", ""), 0) end
  local lines = {}
  for line in said:gmatch "[^\n]*" do
    if not line:match "^Warning: " then lines[#lines + 1] = (line:gsub("[%s\f]+$", "")) end
  end
  while lines[1] == "" do table.remove(lines, 1) end
  while lines[#lines] == "" do lines[#lines] = nil end
  return table.concat(lines, "\n")
end

return gnuplot
