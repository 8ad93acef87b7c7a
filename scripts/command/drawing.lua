-- drawing: what figures of several heuristics share: who has which colour and mark, lists of them,
-- and how far their intervals reach.
local cells = require "orrery.command.cells"

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
  return drawing.fields(heuristics, "name"), styles
end

-- One field of each.
function drawing.fields(list, name)
  local values = {}
  for i, one in ipairs(list) do values[i] = one[name] end
  return values
end

-- Those of which wanted(one) is true.
function drawing.those(list, wanted)
  local found = {}
  for _, one in ipairs(list) do
    if wanted(one) then found[#found + 1] = one end
  end
  return found
end

-- The first one for which of(one) is least; nil where of gives a number for none.
function drawing.least(list, of)
  local found, least
  for _, one in ipairs(list) do
    local value = of(one)
    if value and (not least or value < least) then found, least = one, value end
  end
  return found
end

-- The first one for which of(one) is least; nil where of gives a number for none.
function drawing.least(list, of)
  local found, least
  for _, one in ipairs(list) do
    local value = of(one)
    if value and (not least or value < least) then found, least = one, value end
  end
  return found
end

-- One list of several.
function drawing.joined(...)
  local list = {}
  for _, one in ipairs { ... } do table.move(one, 1, #one, #list + 1, list) end
  return list
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

-- The least and the greatest end of an interval in all panels; 1 is among them.
function drawing.extent(panels)
  local least, most = 1, 1
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
