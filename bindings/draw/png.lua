-- png: pictures that are made as SVG, as PNG by rsvg-convert: for papers and slides.

local gnuplot = require "orrery.draw.gnuplot"
local shell = require "orrery.support.shell"

local png = {}

local SCALE = 4 / 3 -- px to one of the SVG

function png.installed()
  return os.execute("command -v rsvg-convert >/dev/null 2>&1") == true
end

-- Writes the picture to path; complete or not at all. width, height: px of the SVG; where the
-- height is given the picture stands in so many, else it is as high as it comes out.
function png.write(path, svg, width, height)
  if not png.installed() then
    error("gantt: PNG wants rsvg-convert, which is not installed (Debian: librsvg2-bin)", 0)
  end
  local size = ("--width=%d"):format(width * SCALE // 1)
  if height then
    height = height * SCALE // 1
    size = ("%s --height=%d --page-width=%d --page-height=%d"):format(size, height,
      width * SCALE // 1, height)
  end
  gnuplot.whole(path, function(file)
    return gnuplot.run(("rsvg-convert --format=png --keep-aspect-ratio --background-color=white %s "
      .. "--output=%s"):format(size, shell.quote(file):gsub("%%", "%%%%")) .. " %s", svg)
  end)
end

return png
