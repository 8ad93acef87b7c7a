-- drawing: the common part of figures of several heuristics: colours and marks, curves, and the
-- extent of their intervals.
local cells = require "orrery.command.cells"
local lists = require "orrery.support.lists"

local drawing = {}

-- Colours that everybody can tell apart (Okabe and Ito).
drawing.BLUE, drawing.RED, drawing.GREEN, drawing.BLACK = "#0072B2", "#D55E00", "#009E73", "#000000"
drawing.PURPLE, drawing.SKY, drawing.ORANGE = "#CC79A7", "#56B4E9", "#E69F00"
drawing.GREY = "#777777"

-- A heuristic, and how its curve is drawn.
function drawing.heuristic(key, name, policy, colour, mark, dash)
  return { key = key, name = name, policy = policy,
    style = { colour = colour, mark = mark, dash = dash } }
end

-- Their names in order, and name -> style.
function drawing.names_and_styles(heuristics)
  local styles = {}
  for _, one in ipairs(heuristics) do styles[one.name] = one.style end
  return lists.fields(heuristics, "name"), styles
end

-- The curves of several heuristics, by their names: { x, mean, half width of its 95% interval } at
-- each point { x = } that has samples(point, heuristic).
function drawing.curves(heuristics, points, samples)
  local curves = {}
  for _, one in ipairs(heuristics) do
    local curve = {}
    for _, point in ipairs(points) do
      local found = samples(point, one)
      if found then curve[#curve + 1] = cells.point(point.x, found) end
    end
    curves[one.name] = curve
  end
  return curves
end

-- A panel of paired differences, with the fields of `panel`: each of the heuristics less `base`,
-- sample by sample. Where samples are sets of jobs or tasks, most of the width of a mean's band
-- comes from the differences of the sets; paired differences remove it.
function drawing.differences(panel, base, heuristics, points, samples)
  local curves = drawing.curves(heuristics, points, function(point, one)
    return one ~= base and cells.less(samples(point, one), samples(point, base))
  end)
  curves[base.name] = nil
  return lists.merged({ y = "Less " .. base.name .. ", pair by pair", curves = curves, line = 0 },
    panel)
end

-- The smallest and the largest end of an interval in all panels; `among` (default: 1) is included.
function drawing.extent(panels, among)
  local least, most = among or 1, among or 1
  for _, panel in ipairs(panels) do
    for _, points in pairs(panel.curves) do
      for _, point in ipairs(points) do
        local half = point[3] == point[3] and point[3] or 0
        least, most = math.min(least, point[2] - half), math.max(most, point[2] + half)
      end
    end
  end
  return least, most
end

return drawing
