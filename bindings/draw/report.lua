-- report: a result as one page of HTML that needs no other file: the question, the policies, tables
-- with intervals and paired differences, plots, schedules, and the commands that repeat it.

local redraw = require "orrery.draw.redraw"
local chart = require "orrery.draw.chart"
local account = require "orrery.run.account"
local core = require "orrery.core"
local family = require "orrery.values.family"
local gnuplot = require "orrery.draw.gnuplot"
local html = require "orrery.draw.html"
local lists = require "orrery.support.lists"
local metrics = require "orrery.values.metrics"
local model = require "orrery.draw.model"
local options_of = require "orrery.draw.options"
local numbers = require "orrery.support.numbers"
local parts = require "orrery.values.parts"
local per = require "orrery.run.per"
local plots = require "orrery.draw.plots"
local report_text = require "orrery.draw.report_text"

local report = {}

local MOST_GANTTS = 6        -- policies
local MOST_BYTES = 4500000   -- of schedules; those that need more are not drawn

-- --- tables -------------------------------------------------------------------------------------

local function kind_of(result)
  return result.kind.jobs and "job" or result.k and not result.partitions and "pack" or "task"
end

-- The metrics of the tables: the requested one first.
local function chosen(result, metric)
  local of = metrics[kind_of(result) .. "s"]
  local usual = metrics.is_online(result) and of.report_online or of.report
  return lists.joined({ metric }, lists.those(usual, function(name) return name ~= metric end))
end

-- A row per policy, a column per metric of the list: show(name, summary).
local function summary_table(page, result, names, title, show)
  local list = lists.map(names, function(name) return metrics.among_means(name, result) end)
  local rows = { metrics.titles(list, "policy") }
  for i in ipairs(result.policies) do
    rows[i + 1] = { result:label(i) }
    for c, one in ipairs(list) do rows[i + 1][c + 1] = show(one, result:summary(i, one.name)) end
  end
  page:rows(rows, title)
end

local function mean_of(name, s) return metrics.text(name, s.mean, s) end

local function summaries(page, result, list)
  if result.runs * #result.sets == 1 then
    return summary_table(page, result, list, "One scenario: what happened in it", mean_of)
  end
  summary_table(page, result, list, "Means; " .. parts.about(result) .. parts.unseen(result),
    mean_of)
  summary_table(page, result, list, "Medians, with the lower and the upper quartile",
    function(name, s) return metrics.text_between(name, s.median, s.q1, s.q3) end)
end

-- The cell of a paired difference from the first policy.
local function difference_cell(name, d)
  local text = metrics.text(name, d.mean, d, true)
  return d.significant and { text .. " *", "yes" } or text
end

-- The statistics of ranks: the estimate of Hodges and Lehmann, and Wilcoxon's test.
local function rank_cells(name, d)
  if d.count < 2 or d.sd == 0 then return "", "" end
  local p = metrics.p_text(d.rank_p)
  return metrics.text_between(name, d.shift, d.shift_low, d.shift_high, true),
    d.rank_significant and { p .. " *", "yes" } or p
end

local function difference_row(result, i, column, d)
  local name = column.name
  local base, middle, p = result:summary(1, name).mean, rank_cells(column, d)
  return {
    result:label(i), difference_cell(column, d),
    base ~= 0 and base == base and numbers.relative(d.mean, base) .. "%" or "",
    metrics.better_share(name, result:samples(1, name), result:samples(i, name)),
    d.count < 2 and "one " .. result.kind.run or d.sd == 0 and "the same every time"
      or d.half_width ~= d.half_width and "no interval"
      or d.significant and "beyond chance" or "may be chance", middle, p,
  }
end

local function differences(page, result, metric)
  local over = #result.sets > 1 and "sets" or result.kind.run .. "s"
  local column = metrics.among_means(metric, result)
  local rows = { { "policy", "difference", "relative", metrics.better_in(metric), "",
    "middle by ranks", "Wilcoxon's p" } }
  for i, d in ipairs(result:differences(metric)) do
    rows[i] = i > 1 and difference_row(result, i, column, d) or rows[1]
  end
  local correction = family.correction(result)
  page:rows(rows, ("%s: difference from %s, paired over the same %s; * %s"):format(
    column.axis, result:label(1), over, correction
      and ("significant after %s; ± is the 95%% interval of each by itself"):format(correction)
      or "the 95% interval leaves out 0"))
  page:text("The difference is that of the means. The middle by ranks is Hodges and Lehmann's "
    .. "estimate with its 95% interval, p that of Wilcoxon's signed-rank test: both say where most "
    .. "differences lie, and little of the few that are far out.", "soft")
end

-- A single scenario has no interval over scenarios, but the log may have weeks.
local function weeks(page, result)
  local rows, title = account.weekly_rows(result, "policy", function(text, difference)
    return difference.significant and { text, "yes" } or text
  end)
  if rows then page:rows(rows, (title:gsub("^%l", string.upper))) end
end

-- A row per metric, a column per policy from the one at `first` on: the cells that cells_of(name)
-- gives of all policies.
local function metric_rows(result, first, cells_of)
  local rows = { { "metric" } }
  for i = first, #result.policies do table.insert(rows[1], result:label(i)) end
  for _, name in ipairs(result.kind.summaries(result)) do
    local one = metrics.among_means(name, result)
    local row = { one.title }
    table.move(cells_of(one), first, #result.policies, 2, row)
    rows[#rows + 1] = row
  end
  return rows
end

local function all_metrics(page, result)
  page:raw "<details><summary>All metrics</summary>"
  page:rows(metric_rows(result, 1, function(one)
    local list = {}
    for i in ipairs(result.policies) do
      local s = result:summary(i, one.name)
      list[i] = metrics.text(one, s.mean, s)
    end
    return list
  end))
  if #result.policies > 1 then
    local correction = family.correction(result)
    page:rows(metric_rows(result, 2, function(one)
      local list = result:differences(one.name)
      for i, d in ipairs(list) do list[i] = difference_cell(one, d) end
      return list
    end), ("Paired differences from %s%s"):format(result:label(1), correction
      and "; * significant after " .. correction .. ", for each metric by itself" or ""))
  end
  page:raw "</details>"
end

local function tables(page, result, metric)
  page:heading "What came out"
  summaries(page, result, chosen(result, metric))
  local resources = result:resource_rows()
  if resources then page:rows(resources, "Resources") end
  if #result.policies > 1 then
    if result.runs * #result.sets > 1 then
      differences(page, result, metric)
    elseif result.kind.jobs then
      weeks(page, result)
    end
  end
  all_metrics(page, result)
end

local function tables_per(page, result, key)
  local list, about = per.tables(result, key)
  for _, one in ipairs(list) do page:rows(one[2], one[1]) end
  if about then page:text(about:gsub("^%l", string.upper) .. ".", "soft") end
end

-- --- pictures -----------------------------------------------------------------------------------

local function plot(result, options)
  return gnuplot.svg(function(path) plots.result(result, path, options) end)
end

local function pictures(page, result, metric)
  if not gnuplot.installed() then
    page:text("There are no plots: gnuplot is not installed.", "soft")
    return
  end
  local one = result.runs * #result.sets == 1
  if one and not result.kind.jobs then return end -- a single number
  page:heading "How it is spread"
  page:raw '<div class="plots">'
  if plots.has_differences(result, metric) then
    page:figure(plot(result, { metric = metric, kind = "differences" }),
      ("Above 0, %s has the lower values. The red square is the difference of the means with its "
        .. "95%% interval, where there is one; the box holds half of the paired differences.")
        :format(result:label(1)))
  end
  page:figure(plot(result, { metric = metric, kind = "box" }),
    "Boxes go from the first to the third quartile; the black line is the median, the red square "
    .. "the mean; whiskers end at the last value within 1.5 times the box, dots are beyond.")
  page:figure(plot(result, { metric = metric, kind = "ecdf" }))
  if not one then
    page:figure(plot(result, { metric = metric, kind = "curves" }), #result.sets > 1
      and "Every set's mean with its interval over the scenarios."
      or "The mean over ever more scenarios: whether there are enough of them.")
  end
  page:raw "</div>"
end

-- The schedule of a policy, and its size in bytes, or nil and the reason. Only the drawing is kept
-- of the simulation.
local function draw(result, i, set, scenario, columns)
  local s, why
  collectgarbage() -- the collector only sees the Lua part of sessions
  if kind_of(result) == "pack" then
    s = result:coschedule(i, scenario)
  else
    s, why = redraw.session(result, i, set, scenario)
  end
  if not s then return nil, why end
  local m = model.of(s, { title = result:label(i) }, "light")
  m.policy = nil
  return chart.section(m, columns, {})
end

local function schedules(page, result, metric)
  local set, scenario = redraw.middle(result, 1, metric)
  page:heading "What it looks like"
  if result.partitions then
    page:text("Packs that run one after the other are not drawn.", "soft")
    return
  end
  local where = #result.sets > 1 and (" of set %s"):format(tostring(result.sets[set].name)) or ""
  if result.runs > 1 then
    page:text(("%s %d%s, in which %s has its median: all policies meet the same %s."):format(
      result.kind.run:gsub("^%l", string.upper), scenario, where, result:label(1),
      result.kind.jobs and "failures" or "faults"))
  end
  local columns, drawn = chart.columns(), 0
  for i = 1, math.min(#result.policies, MOST_GANTTS) do
    local section, why = draw(result, i, set, scenario, columns)
    if columns.size > MOST_BYTES and drawn > 0 then
      chart.forget(columns)
      break
    end
    drawn = i
    if section then
      page:raw(section)
      chart.keep(columns)
    else
      page:text(("%s: %s."):format(result:label(i), why), "soft")
    end
  end
  page:raw(chart.blocks(columns))
  if #result.policies > drawn then
    page:text(("%s not drawn; --gantt draws one."):format(numbers.counted(#result.policies - drawn,
      "more policy"):gsub("policys$", "policies are"):gsub("policy$", "policy is")), "soft")
  end
end

-- --- the page -----------------------------------------------------------------------------------

local function policies(page, result)
  local rows = report_text.policies(result)
  if #rows == 0 then return end
  page:heading "The policies"
  table.insert(rows, 1, { "name", "what it does", "from", "options" })
  for _, row in ipairs(rows) do
    for c = 2, #row do row[c] = { row[c], "text" } end
  end
  page:rows(rows)
end

local function reproduce(page, result, options)
  page:heading "The same again"
  page:code(options.command or report_text.lua(result))
  page:text(("Seed %d, orrery %s. The same seed gives the same numbers on any number of threads.")
    :format(result.seed, core.version))
  page:hidden("All numbers (CSV)", result:csv())
end

-- Writes the page, whole or not at all. options: title, metric (of the question), command (the
-- command line, if any).
function report.write(result, file, options)
  options = options_of.checked(options, "ReportOptions")
  options_of.ending("report", file, { "html" }, "htm")
  local metric = options.metric or plots.usual(result)
  result:summary(1, metric)
  local title, lead = report_text.question(result)
  local page = html.new(options.title or title)
  page:element("h1", page.title):text(lead, "lead")
  local dates = report_text.dates(result)
  if dates then page:text(dates, "soft") end
  for _, note in ipairs(result.notes or {}) do page:text("Note: " .. note .. ".", "soft") end
  tables(page, result, metric)
  if options.per then tables_per(page, result, options.per) end
  pictures(page, result, metric)
  schedules(page, result, metric)
  policies(page, result)
  reproduce(page, result, options)
  core.write_file(file, page:html(chart.style, chart.script))
end

return report
