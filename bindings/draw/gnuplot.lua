-- gnuplot: pictures by gnuplot, written whole or not at all.

local confined = require "orrery.support.confined"
local core = require "orrery.core"
local palette = require "orrery.draw.palette"
local lists = require "orrery.support.lists"
local shell = require "orrery.support.shell"

local gnuplot = {}

-- Colours that everybody can tell apart, each with its own mark.
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

-- Whether files with this extension can be drawn.
function gnuplot.draws(path)
  return ending(path) == "png" or ending(path) == "svg"
end

function gnuplot.installed()
  return confined.is_child() or shell.has "gnuplot"
end

-- A text to be shown.
function gnuplot.quote(text)
  return "'" .. core.harmless(text):gsub("%c", " "):gsub("'", "''") .. "'"
end

-- Rows of numbers as the data block $name.
function gnuplot.block(name, rows)
  local lines = { ("$%s << EOD"):format(name) }
  for i, row in ipairs(rows) do
    local cells = lists.map(row, function(value) return ("%.17g"):format(value) end)
    lines[i + 1] = table.concat(cells, " ")
  end
  lines[#lines + 1] = "EOD"
  return table.concat(lines, "\n")
end

-- Ticks of an axis: a list of { at, text }.
function gnuplot.ticks(axis, list, more)
  local cells = lists.map(list, function(tick)
    return ("%s %.17g"):format(gnuplot.quote(tick[2]), tick[1])
  end)
  return ("set %stics (%s)%s"):format(axis, table.concat(cells, ", "), more or "")
end

-- The plot command of a horizontal line.
function gnuplot.level(value)
  return ("%.17g with lines lc rgb '#000000' dt 2 lw 0.8 notitle"):format(value)
end

-- The range of an axis: { least, most }; nil: from the data.
function gnuplot.range(axis, limits)
  local function limit(value) return value and ("%.17g"):format(value) or "*" end
  limits = limits or {}
  return ("set %srange [%s:%s]"):format(axis, limit(limits[1]), limit(limits[2]))
end

-- The first line of a script that draws a picture for path, in the format of its extension. Width
-- and height are for SVG; a PNG has a third more pixels.
function gnuplot.terminal(path, width, height)
  local kinds = {
    png = 'pngcairo noenhanced size %d,%d font "sans,15" linewidth 2',
    svg = 'svg noenhanced size %d,%d font "sans,13" background "white" linewidth 1.5',
  }
  local scale = ending(path) == "png" and 4 / 3 or 1
  return "set terminal " .. kinds[ending(path)]:format(width * scale // 1, height * scale // 1)
end

function gnuplot.demand()
  if gnuplot.installed() then return end
  error("plot: gnuplot is not installed (Debian: gnuplot-nox)", 0)
end

-- The output of a program (a list of words) for a text, whether it succeeded, and its error
-- messages. The text is its input where this process must not write, else a file.
local function ask(words, text)
  if confined.is_child() then
    local done, output, said = confined.draw(words, text)
    return output, done, said
  end
  local quoted, source, said = {}, core.scratch(text), nil
  for i, word in ipairs(words) do quoted[i] = word == "-" and "" or shell.quote(word) end
  local done, output, ended = pcall(function()
    said = core.scratch ""
    return shell.read(("%s %s 2>%s"):format(table.concat(quoted, " "), shell.quote(source),
      shell.quote(said)))
  end)
  local complaint = said and shell.contents(said)
  os.remove(source)
  if said then os.remove(said) end
  if not done then error(output, 0) end
  return output, ended, complaint
end

-- The drawing of a text by a program (a list of words); or nil and the error.
function gnuplot.run(words, text)
  core.check_writing "a picture"
  local output, done, said = ask(words, text)
  if done then return output end
  return nil, said ~= "" and said:gsub("%s+$", "") or words[1] .. " fails"
end

-- The picture that is drawn next, if it is wanted as text.
local captured

-- The last bytes of complete files.
local ENDS = { png = "IEND\xAE\x42\x60\x82$", svg = "</svg>%s*$" }

-- Writes the picture of make() to path, whole or not at all; an error where make returns a problem.
function gnuplot.whole(path, make)
  core.check_writing(path)
  local picture, problem = make()
  if picture and not picture:find(ENDS[ending(path)]) then problem = "the picture is not whole" end
  if problem then error(("cannot draw %s: %s"):format(path, problem), 0) end
  if captured then captured = picture else core.write_file(path, picture) end
end

function gnuplot.draw(path, script)
  gnuplot.whole(path, function() return gnuplot.run({ "gnuplot", "-" }, script) end)
end

-- The drawing of draw(path) as a part of an HTML page.
function gnuplot.svg(draw)
  captured = ""
  local done, problem = pcall(draw, "picture.svg")
  local text = captured
  captured = nil
  if not done then error(problem, 0) end
  return (text:gsub("^.-<svg", "<svg", 1))
end

-- The drawing of a script into the terminal, as text without empty lines around it.
function gnuplot.text(script)
  local drawn, problem = gnuplot.run({ "gnuplot", "-" }, script)
  if not drawn then error("cannot draw: " .. problem, 0) end
  local lines = {}
  for line in drawn:gmatch "[^\n]*" do lines[#lines + 1] = (line:gsub("[%s\f]+$", "")) end
  while lines[1] == "" do table.remove(lines, 1) end
  while lines[#lines] == "" do lines[#lines] = nil end
  return table.concat(lines, "\n")
end

return gnuplot
