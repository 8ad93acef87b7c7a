-- gnuplot: pictures by gnuplot that are complete or not there.

local palette = require "orrery.draw.palette"

local gnuplot = {}

-- Colours that everybody can tell apart, and a mark of its own for each.
gnuplot.COLOURS = palette.PALETTE
gnuplot.MARKS = { 7, 5, 9, 13, 11, 15, 6, 4 }

-- Colour and mark of the i-th of several curves.
function gnuplot.style(i)
  local at = (i - 1) % #gnuplot.COLOURS + 1
  return gnuplot.COLOURS[at], gnuplot.MARKS[at]
end

local function ending(path)
  return (path:match("%.([%w]+)$") or ""):lower()
end

-- Whether a file of this name can be drawn.
function gnuplot.draws(path)
  return ending(path) == "png" or ending(path) == "svg"
end

function gnuplot.installed()
  return os.execute("command -v gnuplot >/dev/null 2>&1") == true
end

function gnuplot.quote(text)
  return "'" .. text:gsub("'", "''"):gsub("%c", " ") .. "'"
end

-- The first lines of a script that draws to `file`, whose name ends as path does. Width and height
-- are those of a SVG; a PNG has a third more pixels.
function gnuplot.terminal(path, file, width, height)
  local kinds = {
    png = 'pngcairo noenhanced size %d,%d font "sans,15" linewidth 2',
    svg = 'svg noenhanced size %d,%d font "sans,13" background "white" linewidth 1.5',
  }
  local scale = ending(path) == "png" and 4 / 3 or 1
  return "set terminal " .. kinds[ending(path)]:format(width * scale // 1, height * scale // 1)
    .. "\nset output " .. gnuplot.quote(file)
end

-- Where panel i of a picture stands, row after row below a title. All in dots: `title` and `height`
-- of the whole; spec.panel is { width, height } of one, spec.columns how many stand in a row.
function gnuplot.place(spec, i, title, height)
  local column, row = (i - 1) % spec.columns, (i - 1) // spec.columns
  return ("set origin %.5f, %.5f\nset size %.5f, %.5f"):format(column / spec.columns,
    1 - (title + (row + 1) * spec.panel[2]) / height, 1 / spec.columns, spec.panel[2] / height)
end

-- What gnuplot says to a script, and whether it did it.
local function run(script)
  local source = os.tmpname()
  local handle = assert(io.open(source, "w"))
  handle:write(script, "\nset output\n")
  handle:close()
  local pipe = assert(io.popen("gnuplot '" .. source .. "' 2>&1"))
  local said = pipe:read "a"
  local done = pipe:close()
  os.remove(source)
  return said, done
end

-- Writes to path what make(file) writes to `file`, complete or not at all. make gives what is
-- wrong, and whether it was done.
function gnuplot.whole(path, make)
  local file = path .. ".tmp"
  local handle, refused = io.open(file, "w") -- other programs would say it at length
  if not handle then
    error(("cannot write %s: %s"):format(path, refused:match ": ([^:]*)$" or refused), 0)
  end
  handle:close()
  local said, drawn = make(file)
  local problem = not drawn and (said:gsub("%s+$", "")) or select(2, os.rename(file, path))
  if not problem then return end
  os.remove(file)
  error(("cannot draw %s: %s"):format(path, problem), 0)
end

-- Draws to path what script(file), the text of a script, draws to `file`.
function gnuplot.draw(path, script)
  gnuplot.whole(path, function(file) return run(script(file)) end)
end

-- What a script draws into the terminal, as text without empty lines around it.
function gnuplot.text(script)
  local said, drawn = run(script)
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
