-- png: pictures made as SVG and converted to PNG by rsvg-convert, for papers and slides.

local confined = require "orrery.support.confined"
local gnuplot = require "orrery.draw.gnuplot"
local shell = require "orrery.support.shell"

local png = {}

local SCALE = 4 / 3 -- px to one of the SVG

function png.installed()
  return confined.is_child() or shell.has "rsvg-convert"
end

-- Writes the picture to path; whole or not at all. width, height: px of the SVG; without a height
-- the picture is as high as its contents.
function png.write(path, svg, width, height)
  if not png.installed() then
    error("gantt: PNG wants rsvg-convert, which is not installed (Debian: librsvg2-bin)", 0)
  end
  local words = { "rsvg-convert", "--format=png", "--keep-aspect-ratio",
    "--background-color=white", ("--width=%d"):format(width * SCALE // 1) }
  if height then
    height = height * SCALE // 1
    words[#words + 1] = ("--height=%d"):format(height)
    words[#words + 1] = ("--page-width=%d"):format(width * SCALE // 1)
    words[#words + 1] = ("--page-height=%d"):format(height)
  end
  gnuplot.whole(path, function() return gnuplot.run(words, svg) end)
end

return png
