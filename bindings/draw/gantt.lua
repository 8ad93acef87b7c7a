-- gantt: a schedule as a picture: a page in which people zoom (chart.lua), or SVG or PNG for papers
-- and slides.
--
-- The plot of an SVG is an inner <svg> with 100 units to the px; boxes are paths "Mx yhWvHh-Wz" in
-- whole numbers, as long as their jobs. A box shorter than a px has an outline of a px, whose width
-- does not change with the size of the picture.

local axis = require "orrery.draw.axis"
local chart = require "orrery.draw.chart"
local core = require "orrery.core"
local model = require "orrery.draw.model"
local options_of = require "orrery.draw.options"
local palette = require "orrery.draw.palette"
local png = require "orrery.draw.png"
local svg = require "orrery.draw.svg"

local gantt = {}

local UNIT = 100
local LEFT, RIGHT, SIZE = 68, 18, 12 -- px; of letters
local MOST_STROKED = 500 -- boxes; more have no outline
local MOST_BOXES = 20000 -- of a picture without zoom
local MOST_NAMED = 30    -- jobs whose names the legend has, if they are not in the picture
local LEAST = 40         -- units: a shorter box has an outline of its colour, so that it is visible
local OUTLINED = 300     -- units: a longer box has a white outline

local escape, number = svg.escape, svg.number

-- A line of a class in px: `format` is its path, with a %s for each of the numbers.
local function line(class, format, ...)
  local numbers = table.pack(...)
  for i, x in ipairs(numbers) do numbers[i] = number(x) end
  return ('<path class="%s" d="%s"/>'):format(class, format:format(table.unpack(numbers)))
end

-- The title of an axis on its left, upwards, with its middle at y.
local function side_title(y, title)
  return ('<text class="oc ot" transform="rotate(-90 14 %s)" x="14" y="%s">%s</text>'):format(
    number(y), number(y), title)
end

local function ticks_of(class, lines, texts)
  return ('<g class="%s"><path class="og-line" d="%s"/>%s</g>'):format(class,
    table.concat(lines), table.concat(texts))
end

-- The list of that key, made on first use.
local function list_of(lists, key)
  lists[key] = lists[key] or {}
  return lists[key]
end

-- --- where everything stands --------------------------------------------------------------------

local function plot_height(m)
  if m.procs <= 8 then return math.max(120, 34 * m.procs) end
  return math.min(480, math.max(300, 16 * m.procs))
end

-- px: the plot, the strip of waiting jobs below, and the whole picture.
local function layout(m, options)
  local width = options_of.number(options, "width", 1200, 300, 20000)
  local right = RIGHT
  for _, band in ipairs(m.bands or {}) do
    right = math.max(right, 14 + svg.width(band.name, SIZE))
  end
  local waiting = 0
  for _, step in ipairs(m.steps or {}) do waiting = math.max(waiting, step.waiting or 0) end
  local top = 50 + (m.packs and 14 or 0)
  local strip = waiting > 0 and 64 or 0
  local below = strip + 46
  local given = options_of.number(options, "height", nil, 200, 20000)
  local height = given and math.max(60, given - top - below - 30) or plot_height(m)
  return { x = LEFT, y = top, w = width - LEFT - right, h = height, width = width,
    strip = strip, strip_y = top + height + (strip > 0 and 12 or 0), waiting = waiting }
end

-- Units of the plot. A schedule is seen from below: processor 0 is at the bottom.
local function scales(m, at)
  local sx, sy = at.w * UNIT / (m.to - m.from), at.h * UNIT / m.procs
  local floor = math.floor
  return {
    x = function(time) return floor((time - m.from) * sx + 0.5) end,
    y = function(processor) return floor((m.procs - processor) * sy + 0.5) end,
    px = function(time) return at.x + floor((time - m.from) * sx + 0.5) / UNIT end,
    far = at.w * UNIT, sx = sx,
  }
end

-- The path of a box: a rectangle for each range of its processors. It is clipped to the shown part,
-- with a margin so that outlines are not clipped.
local function path(scale, ranges, start, finish)
  local x = math.max(scale.x(start), -200)
  local w = math.min(scale.x(finish), scale.far + 200) - x
  local out = {}
  for i, range in ipairs(ranges) do
    local top, bottom = scale.y(range[2] + 1), scale.y(range[1])
    out[i] = ("M%d %dh%dv%dh-%dz"):format(x, top, w, math.max(bottom - top, 1), w)
  end
  return table.concat(out)
end

local function length_class(scale, start, finish)
  local length = (finish - start) * scale.sx
  return length < LEAST and " oi" or length < OUTLINED and " ok" or ""
end

-- --- boxes --------------------------------------------------------------------------------------

local function titled(d, attributes, title)
  return ('<path %s d="%s"><title>%s</title></path>'):format(attributes, d, escape(title))
end

-- The number of a box's colour.
local function hue_of(m, box) return m.hues and box.hue or palette.of(box.who) end

local function boxes(m, scale, out)
  for _, box in ipairs(m.down) do
    out[#out + 1] = titled(path(scale, box.ranges, math.max(box.start, m.from),
      math.min(box.finish, m.to)), 'class="od"', box.title)
  end
  for _, box in ipairs(m.boxes) do
    local class = hue_of(m, box)
    out[#out + 1] = titled(path(scale, box.ranges, box.start, box.finish), ('class="o%d%s"'):format(
      class, length_class(scale, box.start, box.finish)), box.title)
  end
end

-- The marks over the boxes of jobs, a path per look; for running attempts the future part.
local function outcomes(m, scale, paths)
  for _, box in ipairs(m.boxes) do
    if box.look then
      local start = box.look == "running" and m.now and math.max(box.start, m.now) or box.start
      table.insert(list_of(paths, box.look), path(scale, box.ranges, start, box.finish))
    end
  end
end

-- Of spans too short to be visible some are drawn, so that something is visible.
local function spans(m, scale, paths)
  local drawn = {}
  for _, span in ipairs(m.over or {}) do
    local width = (span.finish - span.start) * scale.sx
    local last = drawn[span.who]
    local x = scale.x(span.start)
    if width >= LEAST or not last or x - last >= 300 then
      drawn[span.who] = x
      table.insert(list_of(paths, span.look), { path(scale, span.ranges, span.start, span.finish),
        span.title, width < LEAST })
    end
  end
end

-- The looks in use, in the order of the legend.
local function overlays(m, scale, id, out)
  local paths, looks = {}, {}
  outcomes(m, scale, paths)
  spans(m, scale, paths)
  for _, name in ipairs(palette.ORDER) do
    local list = paths[name]
    if list then
      looks[#looks + 1] = name
      local fill = svg.fill(name, id)
      if type(list[1]) == "table" then
        for _, one in ipairs(list) do
          out[#out + 1] = titled(one[1], fill .. (one[3] and ' class="oj"' or ""), one[2])
        end
      else
        out[#out + 1] = ('<path class="oo" %s d="%s"/>'):format(fill, table.concat(list))
      end
    end
  end
  return looks
end

-- --- names --------------------------------------------------------------------------------------

-- The place of a name in a rectangle of w x h px: its size, and whether it is turned; nil: it does
-- not fit.
local function fits(name, w, h)
  for _, size in ipairs { SIZE, 10 } do
    local length = svg.width(name, size) + 6
    if w >= length and h >= size + 2 then return size, false end
    if h >= length and w >= size + 2 then return size, true end
  end
end

local function label(m, box, x, y, size, turned)
  local ink = palette.ink(palette.CLASSES[hue_of(m, box)])
  local turn = turned and (' transform="rotate(-90 %s %s)"'):format(number(x), number(y)) or ""
  local halo = (box.look or m.over) and ' class="oh"' or ink == "#FFFFFF" and ' fill="#fff"' or ""
  return ('<text x="%s" y="%s" font-size="%d"%s%s>%s</text>'):format(number(x),
    number(y + size * 0.35), size, turn, halo, escape(box.id))
end

-- The names that fit into their boxes; returns who -> true for these.
local function labels(m, scale, at, out)
  local named = {}
  for _, box in ipairs(m.boxes) do
    local from = math.max(scale.x(box.start), 0) / UNIT
    local to = math.min(scale.x(box.finish), scale.far) / UNIT
    local best, best_h = nil, 0
    for _, range in ipairs(box.ranges) do
      local h = range[2] - range[1] + 1
      if h > best_h then best, best_h = range, h end
    end
    local top, bottom = scale.y(best[2] + 1) / UNIT, scale.y(best[1]) / UNIT
    local size, turned = fits(box.id, to - from, bottom - top)
    if size then
      named[box.who] = true
      out[#out + 1] = label(m, box, at.x + (from + to) / 2, at.y + (top + bottom) / 2, size, turned)
    end
  end
  return named
end

-- --- axes ---------------------------------------------------------------------------------------

local function time_axis(m, at, scale, out)
  local bottom = at.strip > 0 and at.strip_y + at.strip or at.y + at.h
  local ticks, title = axis.times(m.from, m.to, at.w / (m.clock and 64 or 85), m.clock, m.zone)
  local lines, texts = {}, {}
  for _, tick in ipairs(ticks) do
    local x = scale.px(tick[1])
    lines[#lines + 1] = ("M%s %dV%d"):format(number(x), at.y, bottom + 5)
    -- a label that would leave the picture at the right stands beside its line; bold text is wider
    local half = svg.width(tick[2], SIZE) * (tick[3] and 0.6 or 0.5)
    texts[#texts + 1] = svg.text(math.min(x, at.width - half - 2), bottom + 19, tick[2],
      tick[3] and 'class="om"' or nil)
  end
  out[#out + 1] = ticks_of("ox", lines, texts)
  out[#out + 1] = svg.text(at.x + at.w / 2, bottom + 37, title, 'class="oc ot"')
  return bottom
end

-- Few processors are named one by one, in the middle of their row; of many their number counts.
local function is_few(m, at) return m.procs <= 24 and at.h / m.procs >= 11 end

-- A row for each node: all have lines where there is room, and as many numbers, from 1, as fit.
local function node_axis(m, at, scale, out)
  local lines, texts, nodes = {}, {}, #m.nodes - 1
  local step = math.ceil(nodes * 13 / at.h)
  for i = 1, nodes do
    local low, high = at.y + scale.y(m.nodes[i]) / UNIT, at.y + scale.y(m.nodes[i + 1]) / UNIT
    if (i - 1) % step == 0 then
      texts[#texts + 1] = svg.text(at.x - 8, (step > 1 and low or (low + high) / 2) + 4,
        tostring(i))
    end
    if at.h / nodes >= 3 or (i - 1) % step == 0 then
      lines[#lines + 1] = ("M%d %sh%s"):format(at.x - 4, number(low), number(at.w + 4))
    end
  end
  out[#out + 1] = ticks_of("oy", lines, texts)
  out[#out + 1] = side_title(at.y + at.h / 2, "Node")
end

local function processor_axis(m, at, scale, out)
  if m.nodes then return node_axis(m, at, scale, out) end
  local lines, texts, few = {}, {}, is_few(m, at)
  local low = few and 0.5 or 0
  for _, tick in ipairs(few and axis.numbers(0, m.procs - 1, 24, true)
    or axis.numbers(0, m.procs, at.h / 40, true)) do
    local y = at.y + scale.y(tick[1] + low) / UNIT
    texts[#texts + 1] = svg.text(at.x - 8, y + 4, ("%d"):format(tick[1]))
    if not few then
      lines[#lines + 1] = ("M%d %sh%s"):format(at.x - 4, number(y), number(at.w + 4))
    end
  end
  out[#out + 1] = ticks_of("oy", lines, texts)
  out[#out + 1] = side_title(at.y + at.h / 2, few and "Processor" or "Processors")
end

local function bands(m, at, scale, out)
  for i, band in ipairs(m.bands or {}) do
    local y = scale.y(band.first) / UNIT
    local top = scale.y(band.first + band.procs) / UNIT
    out[#out + 1] = svg.text(at.x + at.w + 8, at.y + (y + top) / 2 + 4, band.name)
    if i > 1 then out[#out + 1] = line("ob", "M%s %sh%s", at.x, at.y + y, at.w) end
  end
end

local function pack_names(m, at, scale, out)
  for b, pack in ipairs(m.packs or {}) do
    local x, to = scale.px(pack.start), scale.px(pack.finish)
    if b > 1 then out[#out + 1] = line("ob", "M%s %sv%s", x, at.y - 6, at.h + 6) end
    if to - x > svg.width(pack.name, SIZE) + 6 then
      out[#out + 1] = svg.text((x + to) / 2, at.y - 8, pack.name, 'class="oc"')
    end
  end
end

-- Arrows, or lines where arrows do not fit.
local function marks(m, at, scale, out)
  local shape = #m.marks > at.w / 20 and "h1v-7h-1z" or "l-4-7h8z"
  for _, mark in ipairs(m.marks) do
    out[#out + 1] = ('<path class="of" d="M%s %d%s"><title>%s</title></path>'):format(
      number(scale.px(mark.time)), at.y, shape, escape(mark.title))
  end
end

local function now_line(m, at, scale, out)
  if not m.now or m.now < m.from or m.now > m.to then return end
  local x = scale.px(m.now)
  out[#out + 1] = line("on", "M%s %sv%s", x, at.y - 4, at.h + 4)
  out[#out + 1] = svg.text(x, at.y - 8, "now", 'class="oc"')
end

-- --- waiting jobs -------------------------------------------------------------------------------

-- A step function as a filled path; steps at one place of the time axis give their largest value.
local function steps_path(m, at, scale, most)
  local out, x, value, bottom = {}, nil, 0, at.strip * UNIT
  local function emit(next_x)
    if not x then return end
    out[#out + 1] = ("V%dH%d"):format(math.floor(bottom * (1 - value / most) + 0.5), next_x)
  end
  for _, step in ipairs(m.steps) do
    local here = math.max(math.min(scale.x(step.time), scale.far), 0) // 40 * 40
    if here ~= x then
      emit(here)
      x, value = here, step.waiting
    else
      value = math.max(value, step.waiting)
    end
  end
  emit(m.now and scale.x(m.now) or x or 0)
  return ("M%d %d%sV%dz"):format(math.max(scale.x(m.steps[1].time), 0), bottom, table.concat(out),
    bottom)
end

local function strip(m, at, scale, out)
  if at.strip == 0 then return end
  out[#out + 1] = ('<svg class="oq" x="%s" y="%s" width="%s" height="%s" viewBox="0 0 %d %d" '
    .. 'preserveAspectRatio="none"><path class="ow" d="%s"/></svg>'):format(at.x, at.strip_y,
    number(at.w), at.strip, at.w * UNIT, at.strip * UNIT, steps_path(m, at, scale, at.waiting))
  out[#out + 1] = svg.text(at.x - 8, at.strip_y + 10, ("%d"):format(at.waiting), 'class="oe"')
  out[#out + 1] = svg.text(at.x - 8, at.strip_y + at.strip, "0", 'class="oe"')
  out[#out + 1] = side_title(at.strip_y + at.strip / 2, "Waiting")
  out[#out + 1] = line("oa", "M%s %sh%s", at.x, at.strip_y + at.strip, at.w)
end

-- --- the legend ----------------------------------------------------------------------------------

-- List of { swatch, text }. `named`: the jobs whose names are in the picture.
local function legend_items(m, looks, named, id)
  local items = {}
  local function add(text, colour, over)
    items[#items + 1] = { ('<rect width="20" height="12" rx="1" fill="%s"/>'):format(colour)
      .. (over and ('<rect width="20" height="12" %s/>'):format(over) or ""), text }
  end
  for _, name in ipairs(looks) do
    add(palette.LOOKS[name][1], "#A9C9E6", svg.fill(name, id .. "k"))
  end
  if #m.down > 0 then add("processors that are out", palette.DOWN) end
  if #m.marks > 0 then
    items[#items + 1] = { '<path class="of" d="M10 11l-4-7h8z"/>', "fault" }
  end
  for _, one in ipairs(m.hues or {}) do add(one[2], palette.CLASSES[one[1]]) end
  local missing = m.hues and {} or model.jobs(m, named)
  if #missing > MOST_NAMED then
    add(("a colour per %s; point at one to see which it is"):format(m.what), palette.JOBS[1])
    return items
  end
  for _, box in ipairs(missing) do add(box.id, palette.of_job(box.who)) end
  return items
end

-- Draws the legend in as many rows as necessary; returns its height.
local function legend(items, at, y, out)
  local x, rows = at.x, 0
  for _, item in ipairs(items) do
    local width = 28 + svg.width(item[2], SIZE) + 18
    if x > at.x and x + width > at.width - 10 then x, rows = at.x, rows + 1 end
    out[#out + 1] = ('<g transform="translate(%s %s)">%s%s</g>'):format(number(x),
      number(y + rows * 20), item[1], svg.text(27, 10.5, item[2]))
    x = x + width
  end
  return #items > 0 and (rows + 1) * 20 or 0
end

-- --- the whole ----------------------------------------------------------------------------------

-- is_png: of a picture for rsvg-convert, which knows no strokes that stay as wide; there the plot
-- is as large as it will be seen.
local function style(is_png)
  local function stroke(px)
    return is_png and ("stroke-width:%gpx"):format(px * UNIT)
      or ("stroke-width:%gpx;vector-effect:non-scaling-stroke"):format(px)
  end
  local out = { ".og{font:12px system-ui,sans-serif;fill:#222;background:#fff}",
    ".og .oc,.og .ol{text-anchor:middle}.og .oe,.oy{text-anchor:end}.ox{text-anchor:middle}",
    ".og .ot{fill:#555}.og .om{font-weight:600}.og .o0{font-size:15px;font-weight:600}",
    ".og-line{stroke:#e4e4e4;fill:none}.oa{stroke:#888;fill:none}.ob{stroke:#222;stroke-width:1.3;",
    "fill:none}.on{stroke:#000;stroke-width:1.5;stroke-dasharray:4 3;fill:none}",
    ".of{fill:#C40000}.ow{fill:#8D99A6}.oh{fill:#000;stroke:#fff;stroke-width:2.4px;",
    "stroke-opacity:.7;paint-order:stroke}.ol,.oo{pointer-events:none}.os path{stroke:#fff;",
    stroke(0.8), "}",
    ".op path:hover{fill-opacity:.75}.op .oi,.op .oj{", stroke(0.5), "}.oj{stroke:#222}",
    ".op .ok{stroke:none}",
    (".od{fill:%s}"):format(palette.DOWN) }
  for i, colour in ipairs(palette.CLASSES) do
    out[#out + 1] = (".o%d{fill:%s}.op .o%d.oi{stroke:%s}"):format(i, colour, i, colour)
  end
  return table.concat(out)
end

-- The inner <svg>, the looks in use, and the patterns.
local function plot(m, at, scale, id)
  local out = {}
  boxes(m, scale, out)
  local looks = overlays(m, scale, id, out)
  return ('<svg class="op%s" x="%d" y="%d" width="%s" height="%s" viewBox="0 0 %d %d" '
    .. 'preserveAspectRatio="none">%s</svg>'):format(
    #m.boxes <= MOST_STROKED and not m.over and " os" or "", at.x, at.y, number(at.w),
    number(at.h), at.w * UNIT, at.h * UNIT, table.concat(out, "\n")), looks
end

local function open_tag(m, at, title, height)
  return ('<svg xmlns="http://www.w3.org/2000/svg" class="og" width="%d" height="%s" viewBox='
    .. '"0 0 %d %s" data-from="%.17g" data-to="%.17g" data-procs="%d" role="img" '
    .. 'aria-label="%s">'):format(at.width, number(height), at.width, number(height), m.from, m.to,
    m.procs, escape(title .. ": " .. m.said))
end

-- The picture as text. id: the prefix of ids in it.
local function picture(m, options, id, is_png)
  local at = layout(m, options)
  local scale, body = scales(m, at), {}
  local bottom = time_axis(m, at, scale, body)
  processor_axis(m, at, scale, body)
  local inner, looks = plot(m, at, scale, id)
  body[#body + 1] = inner
  local texts = {}
  local named = labels(m, scale, at, texts)
  body[#body + 1] = '<g class="ol">' .. table.concat(texts) .. "</g>"
  bands(m, at, scale, body)
  pack_names(m, at, scale, body)
  now_line(m, at, scale, body)
  marks(m, at, scale, body)
  body[#body + 1] = line("oa", "M%s %sv%sh%s", at.x, at.y, at.h, at.w)
  strip(m, at, scale, body)
  local title = m.title or m.policy or "Schedule"
  body[#body + 1] = svg.text(at.x, 20, title, 'class="o0"')
  body[#body + 1] = svg.text(at.x, 37, m.said, 'class="ot"')
  local y = bottom + 50
  local height = y + legend(legend_items(m, looks, named, id), at, y, body) + 8
  local defs = "<defs>" .. svg.patterns(looks, id, UNIT) .. svg.patterns(looks, id .. "k", 1)
    .. "</defs>"
  return table.concat({ open_tag(m, at, title, height),
    ("<title>%s</title><style>%s</style>"):format(escape(title), style(is_png)),
    ('<rect width="%d" height="%s" fill="#fff"/>'):format(at.width, number(height)), defs,
    table.concat(body, "\n"), "</svg>\n" }, "\n")
end

-- Writes several sessions to one page, .html, one below the other, with their titles.
function gantt.write_all(list, titles, file, colour)
  local models = {}
  for i, given in ipairs(list) do
    models[i] = model.of(given, { title = titles[i], colour = colour }, "light")
  end
  core.write_file(file, chart.page(models, {}))
end

-- Refuses a file for a picture of so many attempts; every job has one at least.
local function check_count(file, count)
  if count > MOST_BOXES and not file:lower():match "%.html$" then
    error(("gantt: %d attempts are too many for a picture without zoom (at most %d): write .html, "
      .. "or choose a part with from and to"):format(count, MOST_BOXES), 0)
  end
end

-- Refuses before the simulation what `write` refuses of its jobs.
function gantt.check(file, jobs, colour)
  check_count(file, #jobs)
  model.check_colour(jobs, colour)
end

-- Writes a session or co-schedule to a file, .html, .svg or .png, complete or not at all.
function gantt.write(given, file, options)
  local ending = options_of.ending("gantt", file, { "svg", "png", "html" })
  options = options_of.checked(options, "GanttOptions")
  if ending == "html" then
    local height = options_of.number(options, "height", nil, 200, 20000)
    return core.write_file(file, chart.page(model.of(given, options, "light"),
      { height = height, group = options.group }))
  end
  local light = model.of(given, options, "light")
  local count = light.session and core.schedule_sums(light.session, light.from, light.to,
    light.first, light.last).attempts or #light.boxes
  check_count(file, count)
  local m = model.of(given, options)
  if ending == "svg" then return core.write_file(file, picture(m, options, "o")) end
  local narrow = setmetatable({ width = options.width or 900 }, { __index = options })
  png.write(file, picture(m, narrow, "o", true), narrow.width, options.height)
end

return gantt
