-- log: the description of jobs:describe for people: in the terminal, as a plot, as a page of HTML.

local axis = require "orrery.draw.axis"
local columns = require "orrery.support.columns"
local core = require "orrery.core"
local lists = require "orrery.support.lists"
local description = require "orrery.values.description"
local figure = require "orrery.draw.figure"
local gnuplot = require "orrery.draw.gnuplot"
local html = require "orrery.draw.html"
local options_of = require "orrery.draw.options"
local per = require "orrery.run.per"
local terminal = require "orrery.draw.terminal"

local log = {}

local Description = description.class

local MOST_SHARES = 5   -- of a kind, in the terminal
local LONG_GAP = 86400  -- s without a submission that are worth a word

-- --- texts --------------------------------------------------------------------------------------

local function count(n, one, many)
  return ("%d %s"):format(n, n == 1 and one or many or one .. "s")
end

-- Three digits, and all of those before the point.
local function short(x) return (math.abs(x) >= 1000 and "%.0f" or "%.3g"):format(x) end

local function percent(part, whole) return ("%.1f%%"):format(100 * part / whole) end

-- A time of the log.
local function instant(d, time) return d:date(time) or axis.instant(time) end

local function summary(d)
  if d.jobs == 0 then return { "no jobs" } end
  local lines = { ("%s%s, submitted %s to %s (%s)%s"):format(count(d.jobs, "job"),
    d.shares.user and " of " .. count(#d.shares.user, "user") or "", instant(d, d.first),
    instant(d, d.last), axis.span(d.last - d.first),
    d.procs and ", on " .. count(d.procs, "processor") or "; the log does not name the machine") }
  if d.offered then
    lines[2] = ("load: %.3f of the machine was asked for%s"):format(d.offered,
      d.reached and (", %.3f ran meanwhile"):format(d.reached) or "")
  end
  if d.peak > 0 then
    lines[#lines + 1] = ("at most %s were in use at once, first at %s"):format(
      count(d.peak, "processor"), instant(d, d.peak_at))
  end
  lines[#lines + 1] = ("%s of the jobs take one processor, %s take 1, 2, 4, 8 ... of them"):format(
    percent(d.serial, d.jobs), percent(d.powers_of_two, d.jobs))
  return lines
end

local SPREADS = {
  width = "processors", runtime = "runtime", walltime = "walltime",
  accuracy = "runtime / walltime", wait = "wait, as recorded",
  slowdown = "bounded slowdown, as recorded", interarrival = "time between submissions",
}
local TIMES = { runtime = true, walltime = true, wait = true, interarrival = true }
local COLUMNS = { { "mean", "mean" }, { "low", "5%" }, { "lower_quartile", "25%", page = true },
  { "median", "median" }, { "upper_quartile", "75%", page = true }, { "high", "95%" },
  { "most", "most" } }

-- The times of a row have one unit, such that the 95% quantile is at least three units. On a page
-- there is room for all columns.
local function spread_rows(d, page)
  local rows = { { "", "jobs" } }
  for _, column in ipairs(COLUMNS) do
    if page or not column.page then table.insert(rows[1], column[2]) end
  end
  for _, name in ipairs(Description.SPREADS) do
    local spread = d[name]
    if spread then
      local unit, seconds = nil, 1
      if TIMES[name] then unit, seconds = axis.unit(spread.high) end
      local row = { SPREADS[name] .. (unit and ", " .. unit or ""), tostring(spread.known) }
      for _, column in ipairs(COLUMNS) do
        if page or not column.page then
          row[#row + 1] = short(spread[column[1]] / seconds)
        end
      end
      rows[#rows + 1] = row
    end
  end
  return rows
end

-- The kinds of labels that tell jobs apart.
local function each_kind(d, f)
  for _, kind in ipairs(Description.SHARES) do
    if #(d.shares[kind] or {}) > 1 then f(kind) end
  end
end

-- The largest shares of a kind, and one row for all others.
local function share_rows(d, kind, most)
  local list = d.shares[kind]
  local rows = { { kind, "jobs", "of the work", "waited", "mean wait", "95%" } }
  local rest = { jobs = 0, area = 0 }
  for i, share in ipairs(list) do
    if i > most and #list > most + 1 then
      rest.jobs, rest.area = rest.jobs + share.jobs, rest.area + share.area
    else
      rows[#rows + 1] = { share.name or "(none)", tostring(share.jobs),
        d.area > 0 and percent(share.area, d.area) or "-",
        share.waited and percent(share.waited, share.jobs) or "-",
        share.mean_wait and axis.span(share.mean_wait) or "-",
        share.high_wait and axis.span(share.high_wait) or "-" }
    end
  end
  if rest.jobs > 0 then
    rows[#rows + 1] = { ("%d others"):format(#list - most), tostring(rest.jobs),
      d.area > 0 and percent(rest.area, d.area) or "-", "", "", "" }
  end
  return rows
end

-- What a user should know of a description before trusting its log, as sentences.
function log.oddities(d)
  local list = { d.counted }
  local function say(format, ...) list[#list + 1] = format:format(...) end
  for _, one in ipairs(d.dropped) do
    say("left out: %s, %s (the first %s%s)", count(one.records, "record"), one.reason,
      one.line > 0 and "in line " .. one.line or "is job " .. one.id,
      one.detail and ": " .. one.detail or "")
  end
  for _, sentence in ipairs(d.remarks) do list[#list + 1] = sentence end
  list[#list + 1] = d.not_modelled
  list[#list + 1] = d.remedy
  list[#list + 1] = d.not_read
  if d.wide > 0 then
    say("%s wider than the machine, the first is %s: --wide drop leaves such jobs out",
      count(d.wide, "job is", "jobs are"), d.first_wide)
  end
  if d.repeated > 0 then
    say("%s an id that a job before has, the first is %s",
      count(d.repeated, "job has", "jobs have"), d.repeated_id)
  end
  if d.backward > 0 then
    local held = table.concat(d.remarks):find("eligible later", 1, true)
    say("%s earlier than the record in front of it, at most by %s (job %s)%s",
      count(d.backward, "record is", "records are each"), axis.span(d.back), d.most_backward,
      held and ", by when jobs could start" or "")
  end
  if d.procs and d.peak > d.procs then
    say("%s were in use at once at %s, on a machine of %d: --procs says how many it has, or "
      .. "--machine", count(d.peak, "processor"), instant(d, d.peak_at), d.procs)
  end
  if d.overran > 0 then
    say("%s longer than asked for: with --walltimes log, --overrun says what becomes of them",
      count(d.overran, "job took", "jobs took"))
  end
  if d.instant > 0 then say("%s no time", count(d.instant, "job takes", "jobs take")) end
  if d.gap > LONG_GAP then
    say("nothing was submitted for %s from %s on", axis.span(d.gap), instant(d, d.gap_from))
  end
  return list
end

local function rhythm(d, settled)
  local most = math.max(table.unpack(d.by_hour))
  local out = { "submissions by hour"
    .. (d.zone and (" (%s)"):format(d.zone) or " of the log's clock") }
  local bars = {}
  for hour, n in ipairs(d.by_hour) do
    bars[2 * hour - 1], bars[2 * hour] = n, n
  end
  out[2] = ("  " .. terminal.bars(bars, most, settled.unicode)):gsub(" +$", "")
  out[3] = "  0           6           12          18"
  if d.by_weekday then
    local cells = lists.map(d.by_weekday, function(n, i)
      return ("%s %s"):format(Description.WEEKDAYS[i]:sub(1, 3), percent(n, d.jobs))
    end)
    out[4] = "by weekday: " .. table.concat(cells, ", ")
  end
  return out
end

local function text(d, settled)
  local out = summary(d)
  local function add(lines)
    out[#out + 1] = ""
    table.move(lines, 1, #lines, #out + 1, out)
  end
  if d.jobs > 0 then
    add(columns(spread_rows(d), settled.width))
    add(rhythm(d, settled))
    each_kind(d, function(kind)
      add(columns(share_rows(d, kind, MOST_SHARES), settled.width))
    end)
  end
  if d.per then add(columns(per.texts(d.per, d.key), settled.width)) end
  local odd = log.oddities(d)
  for i, sentence in ipairs(odd) do odd[i] = "note: " .. sentence end
  if #odd > 0 then add(odd) end
  return table.concat(out, "\n")
end

log.describe = description.of

function Description.__tostring(d) return text(d, terminal.settle {}) end

-- --- plots --------------------------------------------------------------------------------------

local PARTS = 200 -- points of a distribution

-- The share of known values that are not larger.
local function distribution(values, unit)
  local known, shares = {}, {}
  for _, value in ipairs(values) do
    if value == value then known[#known + 1] = value / unit end
  end
  if #known == 0 then return nil end
  for i = 0, PARTS do shares[i + 1] = i / PARTS end
  local points = {}
  for i, x in ipairs(core.values.quantiles(known, shares)) do
    if x > 0 then points[#points + 1] = { x, shares[i] } end -- the axis is logarithmic
  end
  return #points > 1 and points or nil
end

local CURVES = { "runtime", "walltime", "wait", "processors", "submissions", "asked for", "ran" }

local function times_panel(jobs)
  return { title = "Times", x = "Hours", y = "Share of the jobs", logx = true, yrange = { 0, 1 },
    curves = {
      runtime = distribution(jobs:values "runtime", 3600),
      walltime = distribution(jobs:values "walltime", 3600),
      wait = distribution(jobs:values "wait", 3600),
    } }
end

local function width_panel(jobs)
  return { title = "Widths", x = "Processors", y = "Share of the jobs", logx = true,
    yrange = { 0, 1 }, curves = { processors = distribution(jobs:values "procs", 1) } }
end

local function hours_panel(d)
  local points = lists.map(d.by_hour, function(n, hour) return { hour - 1, n } end)
  return { title = "Submissions by hour",
    x = d.zone and ("Hour (%s)"):format(d.zone) or "Hour of the clock",
    y = "Jobs", yrange = { 0 }, xrange = { 0, 23 }, xstep = 6,
    curves = { submissions = points } }
end

-- The work of each day, or of each of a number of parts.
local function load_panel(jobs, d)
  if not d.procs then return nil end
  local hours = math.max(24, math.ceil((d.last - d.first) / 3600 / PARTS))
  local panel = { title = hours == 24 and "Load of each day" or ("Load of each %d h"):format(hours),
    x = "Days from the first submission", y = "Share of the machine", yrange = { 0 }, line = 1,
    curves = {} }
  for name, by in pairs { ["asked for"] = "submitted", ran = d.reached and "ran" } do
    if by then
      local points = {}
      for i, part in ipairs(jobs:weeks { hours = hours, procs = d.procs, by = by }) do
        points[i] = { (part.from - d.first) / 86400, part.utilisation }
      end
      panel.curves[name] = points
    end
  end
  return panel
end

local function spec_of(jobs, d, title)
  local panels = {}
  for _, panel in ipairs { times_panel(jobs), width_panel(jobs), hours_panel(d),
    load_panel(jobs, d) } do
    if next(panel.curves) then panels[#panels + 1] = panel end
  end
  return { title = title or ("%s, %s"):format(count(d.jobs, "job"), axis.span(d.last - d.first)),
    columns = 2, panel = { 420, 300 }, marks = false, curves = CURVES,
    panels = panels }
end

local function with_jobs(jobs, what)
  local d = description.of(jobs)
  if d.jobs == 0 then error(what .. ": there are no jobs", 0) end
  return d
end

-- Distributions, hours and load, as PNG or SVG; without a file in the terminal.
function log.plot(jobs, file, options)
  if type(file) == "table" and options == nil then file, options = nil, file end
  options = options_of.checked(options, "LogPlotOptions")
  local spec = spec_of(jobs, with_jobs(jobs, "plot"), options.title)
  if file then
    options_of.ending("plot", file, { "png", "svg" })
    gnuplot.demand()
    return figure.draw(file, spec)
  end
  gnuplot.demand()
  return options_of.say(figure.text(spec, terminal.settle(options)), options)
end

-- --- the page -----------------------------------------------------------------------------------

local function table_of(page, rows, caption)
  for r = 2, #rows do rows[r][1] = { rows[r][1], "text" } end
  page:rows(rows, caption)
end

-- Writes the page; complete or not at all. d: a description of the jobs.
function log.report(jobs, file, options, d)
  options = options_of.checked(options, "LogReportOptions")
  options_of.ending("report", file, { "html" }, "htm")
  d = d or with_jobs(jobs, "report")
  local page = html.new(options.title or "What the log says")
  page:element("h1", page.title)
  for _, line in ipairs(summary(d)) do page:text(line) end
  for _, sentence in ipairs(log.oddities(d)) do page:text("Note: " .. sentence .. ".", "soft") end
  page:heading "The jobs"
  table_of(page, spread_rows(d, true))
  if gnuplot.installed() then
    page:figure(gnuplot.svg(function(path) figure.draw(path, spec_of(jobs, d, " ")) end))
  else
    page:text("There are no plots: gnuplot is not installed.", "soft")
  end
  each_kind(d, function(kind)
    page:heading("By " .. kind)
    table_of(page, share_rows(d, kind, 20))
  end)
  if d.per then
    page:heading("Waits by " .. d.key)
    table_of(page, per.texts(d.per, d.key))
  end
  page:hidden("All numbers (CSV)", d:csv())
  core.write_file(file, page:html())
end

return log
