-- search_front: the front of a search for several metrics in its page: tables, and a picture.
local figure = require "orrery.draw.figure"
local front_text = require "orrery.search.front_text"
local gnuplot = require "orrery.draw.gnuplot"
local metrics = require "orrery.values.metrics"

local search_front = {}

local PANEL = { 560, 360 }
local OURS = { "not dominated *", "on the front" } -- curves of candidates

-- The point of a candidate or baseline in two of the metrics on the testing samples.
local function point(found, one, x, y)
  local means = one.means.testing
  local of_x, of_y = metrics.of(found.metrics[x]), metrics.of(found.metrics[y])
  return { means[x].mean / of_x.scale, means[y].mean / of_y.scale }
end

-- The panel of the first metric and another one.
local function panel_of(found, y)
  local curves = {}
  for _, member in ipairs(found.front) do
    local name = OURS[member.extends and 1 or 2]
    curves[name] = curves[name] or {}
    table.insert(curves[name], point(found, member, 1, y))
  end
  for _, baseline in ipairs(found.baselines) do
    curves[baseline.name] = { point(found, baseline, 1, y) }
  end
  return { title = "", x = metrics.of(found.metrics[1]).axis, y = metrics.of(found.metrics[y]).axis,
    curves = curves }
end

local function picture(found)
  local names, styles, panels = {}, {}, {}
  local some = { false, false }
  for _, member in ipairs(found.front) do some[member.extends and 1 or 2] = true end
  for i, name in ipairs(OURS) do
    if some[i] then names[#names + 1] = name end
    styles[name] = { colour = "#0072b2", mark = i == 1 and 7 or 6, lines = false }
  end
  for i, baseline in ipairs(found.baselines) do
    names[#names + 1] = baseline.name
    styles[baseline.name] = { colour = "#555555", mark = 1 + (i - 1) % 5, lines = false }
  end
  for y = 2, #found.metrics do panels[#panels + 1] = panel_of(found, y) end
  return gnuplot.svg(function(path)
    figure.draw(path, { title = "", columns = 1, panel = PANEL, curves = names, styles = styles,
      panels = panels })
  end)
end

-- Adds it to a page (html.lua).
function search_front.add(page, found)
  page:heading "The front, on samples that the search had not seen"
  if gnuplot.installed() then
    page:figure(picture(found), "Means on the testing samples; less is better, unless the metric "
      .. "says otherwise. Filled: significantly better than each baseline in some metric.")
  end
  page:rows(front_text.member_rows(found, "testing"), front_text.about(found))
  page:rows(front_text.difference_rows(found), "Differences on the testing samples")
  page:heading "How much was over-fitting"
  page:rows(front_text.member_rows(found, "training"), "The same on the training samples")
  for i, member in ipairs(found.front) do
    local text = found:policy(nil, i)
    if text then
      page:heading(member.name)
      page:code(text)
    end
  end
end

return search_front
