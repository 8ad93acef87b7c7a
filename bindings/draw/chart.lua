-- chart: a schedule as part of a page, drawn there by gantt.js: its description as JSON, and its
-- attempts as columns (columns.c), which the charts of a page share.

local axis = require "orrery.draw.axis"
local core = require "orrery.core"
local html = require "orrery.draw.html"
local json = require "orrery.support.json"
local model = require "orrery.draw.model"
local lists = require "orrery.support.lists"
local names = require "orrery.support.names"
local palette = require "orrery.draw.palette"
local svg = require "orrery.draw.svg"

local chart = {}

local FINEST = 1e-8 -- of the time that is shown: the ticks of times that are not whole seconds
local LOOKS = { running = 0, completed = 1 } -- outcomes of boxes that are not of jobs

chart.style = svg.compact(require "orrery.draw.chart.css")

-- The script of a page with charts.
chart.script = ("(function () { 'use strict';\n%s\n})();"):format(svg.compact(table.concat({
  ("const HUES = ['%s'], AMOUNTS = ['%s'];"):format(table.concat(palette.JOBS, "', '"),
    table.concat(palette.AMOUNTS, "', '")),
  require "orrery.draw.gantt_data.js", require "orrery.draw.gantt_paint.js",
  require "orrery.draw.gantt_axis.js", require "orrery.draw.gantt_chart.js",
  (require "orrery.draw.gantt.js") }, "\n")))

-- --- columns ------------------------------------------------------------------------------------

-- Ranges of processors in the form of columns.c.
local function ranges_of(boxes)
  local counts, gaps, sizes = {}, {}, {}
  for i, box in ipairs(boxes) do
    local finish = 0
    counts[i] = #box.ranges
    for _, range in ipairs(box.ranges) do
      gaps[#gaps + 1], sizes[#sizes + 1] = range[1] - finish, range[2] - range[1]
      finish = range[2] + 2
    end
  end
  table.move(gaps, 1, #gaps, #counts + 1, counts)
  return table.move(sizes, 1, #sizes, #counts + 1, counts)
end

-- The columns of boxes of tasks; each box is an attempt, and its field `at` is the number of the
-- attempt.
local function box_columns(m)
  local boxes = table.move(m.boxes, 1, #m.boxes, 1, {})
  table.sort(boxes, function(a, b)
    if a.who ~= b.who then return a.who < b.who end
    return a.start < b.start
  end)
  local function ticks(time) return math.floor(time / m.tick + 0.5) end
  local c = { position = {}, job = {}, number = {}, wait = {}, time = {}, outcome = {},
    ranges = ranges_of(boxes) }
  local ids, last = {}, { who = 0 }
  for i, box in ipairs(boxes) do
    local is_new = box.who ~= last.who
    if is_new then
      ids[#ids + 1] = tostring(box.id):gsub("\n", " ") .. "\n"
      c.position[#c.position + 1] = box.who - last.who
    end
    box.at = i - 1
    c.job[i] = is_new and i > 1 and 1 or 0
    c.number[i] = is_new and 1 or c.number[i - 1] + 1
    c.wait[i] = ticks(box.start) - (is_new and 0 or ticks(last.finish))
    c.time[i] = ticks(box.finish) - ticks(box.start)
    c.outcome[i] = LOOKS[box.look] or LOOKS.completed
    last = box
  end
  for name, list in pairs(c) do c[name] = core.column(list) end
  c.id = core.packed(table.concat(ids))
  return c
end

local function columns_of(m)
  if not m.session then return box_columns(m) end
  return core.schedule_columns(m.session, m.from, m.to, m.first, m.last, m.tick, m.is_whole)
end

-- --- the description -----------------------------------------------------------------------------

local function tick_of(m)
  local sums = m.session and core.schedule_sums(m.session)
  if sums and sums.whole then return 1 end
  return math.min(10.0 ^ math.floor(math.log((m.to - m.from) * FINEST, 10)), 1)
end

local function down_of(m)
  return lists.map(m.down, function(box)
    return { math.max(box.start, m.from), math.min(box.finish, m.to), box.ranges[1][1],
      box.ranges[1][2] }
  end)
end

-- Spans that lie over boxes, in order; those are numbered by now. Also whether jobs write
-- checkpoints: then attempts that lost some of their work have spans that say which.
local function over_of(m)
  local list = {}
  local spans = m.session and core.attempt_spans(m.session, m.from, m.to, m.first, m.last,
    model.MOST_SPANS)
  for i, span in ipairs(spans or {}) do
    list[i] = { span.attempt, span.start, span.finish, span.look }
  end
  if m.session then return list, spans ~= nil end
  for i, span in ipairs(m.over or {}) do
    list[i] = { span.who.at, span.start, span.finish, span.look }
  end
  return list
end

local function listed(list) return json.exact(json.list(list)) end

-- Columns of a page: each has an id, and equal columns are stored once. size: in bytes.
function chart.columns() return { ids = {}, size = 0, kept = 0 } end

function chart.keep(columns) columns.kept = #columns end

-- Forgets those that came since.
function chart.forget(columns)
  for i = #columns, columns.kept + 1, -1 do
    columns.size, columns.ids[columns[i]] = columns.size - #columns[i], nil
    columns[i] = nil
  end
end

-- The id of every column by name.
local function shared(columns, list)
  local ids = {}
  for _, name in ipairs(names.sorted(list)) do
    local text = list[name]
    if not columns.ids[text] then
      columns[#columns + 1], columns.ids[text] = text, ("c%d"):format(#columns + 1)
      columns.size = columns.size + #text
    end
    ids[name] = columns.ids[text]
  end
  return ids
end

-- The section of a (light) model, whose columns are added to the columns of the page; m.colour: the
-- name in COLOURS (gantt_paint.js) of what jobs are coloured by at first. options: height.
function chart.section(m, columns, options)
  local _, unit = axis.unit(m.to - m.from)
  local _, time = axis.times(m.from, m.to, 1, m.clock, m.zone)
  m.tick, m.is_whole = tick_of(m), options.group == nil
  local ids = shared(columns, columns_of(m))
  local title = svg.legible(m.title or m.policy or "Schedule")
  local head = json.exact { what = m.what, procs = m.procs, from = m.from, to = m.to,
    clock = m.clock, zone = m.zone, now = m.now, tick = m.tick,
    title = title, said = m.said, unit = unit, colour = m.colour,
    time = time, strip = m.session ~= nil and m.is_whole, height = options.height, columns = ids }
  local over, writes = over_of(m)
  head.down, head.over, head.writes = listed(down_of(m)), listed(over), writes
  head.marks = listed(lists.fields(m.marks, "time"))
  head.nodes = m.nodes and listed(m.nodes)
  head.bands, head.packs = m.bands and listed(m.bands), m.packs and listed(m.packs)
  for _, band in ipairs(head.bands or {}) do band.name = svg.legible(band.name) end
  return ('<section class="gantt"><h3>%s</h3><p class="soft">%s</p>'
    .. '<noscript><p>The schedule is drawn by a script, which is turned off here.</p></noscript>'
    .. '<script type="application/json">%s</script></section>'):format(svg.escape(title),
    svg.escape(m.said), (json.text(head):gsub("[<&]", { ["<"] = "\\u003C", ["&"] = "\\u0026" })))
end

-- The columns, to be put behind all sections.
function chart.blocks(columns)
  local out = lists.map(columns, function(text, i)
    return ('<script type="text/plain" id="c%d">%s</script>'):format(i, text)
  end)
  return table.concat(out, "\n")
end

-- The page of a schedule, or of a list of schedules, one below the other.
function chart.page(m, options)
  local columns, list = chart.columns(), m.procs and { m } or m
  local page = html.new(list[2] and "Schedules" or list[1].title or list[1].policy or "Schedule")
  for _, one in ipairs(list) do page:raw(chart.section(one, columns, options)) end
  page:raw(chart.blocks(columns))
  return page:html(chart.style, chart.script, "alone")
end

return chart
