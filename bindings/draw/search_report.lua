-- search_report: the result of a search as one page of HTML: a summary sentence, the differences on
-- the testing samples, the over-fitting, the course of the search, the winner's file.
local core = require "orrery.core"
local figure = require "orrery.draw.figure"
local gnuplot = require "orrery.draw.gnuplot"
local html = require "orrery.draw.html"
local metrics = require "orrery.values.metrics"
local options_of = require "orrery.draw.options"
local search_front = require "orrery.draw.search_front"

local search_report = {}

-- Significant differences stand out.
local function marked(rows)
  for r = 2, #rows do
    local row = rows[r]
    if row[3]:find("*", 1, true) then row[3] = { row[3], "yes" } end
  end
  return rows
end

local function judgement(page, found)
  page:heading "On samples that the search had not seen"
  page:rows(marked(found:difference_rows()), ("%s less each baseline; %s"):format(
    found.winner.name, found:about_intervals()))
  if #found.constraints > 0 then page:rows(found:constraint_rows(), "Constraints") end
  page:heading "How much was over-fitting"
  page:rows(found:part_rows(), ("%s and %s"):format(found.winner.name, found.base))
  page:text(found.fitting)
end

local function samples(page, found)
  local one = metrics.of(found.metric)
  local rows = { { "testing sample", found.winner.name, found.nearest, "difference" } }
  for i, sample in ipairs(found.samples) do
    rows[i + 1] = { tostring(sample.name), metrics.text(one, sample.winner),
      metrics.text(one, sample.baseline),
      metrics.text(one, sample.winner - sample.baseline, nil, true) }
  end
  page:heading "Where it wins and where it loses"
  if #found.halves > 0 then
    page:rows(found:half_rows(), ("%s less %s; ± is the 95%% interval, each for itself"):format(
      found.winner.name, found.nearest))
  end
  page:rows(rows)
end

local function curve(page, found)
  if #found.curve < 2 or not gnuplot.installed() then return end
  local one, points = metrics.of(found.metric), {}
  for i, point in ipairs(found.curve) do
    points[i] = { point.evaluations, point.mean / one.scale }
  end
  page:heading "The search"
  page:figure(gnuplot.svg(function(path)
    figure.draw(path, { title = "", columns = 1, panel = { 560, 300 }, curves = { "best so far" },
      legend = false, panels = { { title = "", x = "evaluations", y = one.axis,
        curves = { ["best so far"] = points } } } })
  end), "The mean of the best candidate on the training samples, after every round"
    .. (#found.metrics > 1 and " (the best in the first metric)." or "."))
end

local function finalists(page, found)
  local one = metrics.of(found.metric)
  local rows = { { "finalist", "training", "validation" } }
  for i, finalist in ipairs(found.finalists) do
    rows[i + 1] = { finalist.name, metrics.text(one, finalist.training),
      metrics.text(one, finalist.validation) }
  end
  page:rows(rows, ("%s of the finalists; the best on the validation samples was judged"):format(
    one.axis))
end

-- Writes the page; complete or not at all.
function search_report.write(found, file, options)
  options = options_of.checked(options, "SearchReportOptions")
  options_of.ending("report", file, { "html" }, "htm")
  local page = html.new(options.title or found.title or "A search")
  page:element("h1", page.title):text(found.sentence, "lead"):text(found:effort() .. ".", "soft")
  for _, note in ipairs(found.notes) do page:text("Note: " .. note .. ".", "soft") end
  if found.winner then
    judgement(page, found)
    samples(page, found)
    curve(page, found)
    finalists(page, found)
    local text = found:policy()
    if text then
      page:heading "The candidate that was judged"
      page:code(text)
    end
  end
  if #found.front > 0 then
    search_front.add(page, found)
    curve(page, found)
  end
  for _, one in ipairs(found.failed) do
    page:text(("Failed: %s: %s."):format(one.name, one.problem), "soft")
  end
  page:heading "The same again"
  if options.command then page:code(options.command) end
  page:text(("Seed %d, orrery %s. The same seed gives the same numbers on any number of threads.")
    :format(found.seed, core.version))
  page:hidden("All numbers (JSON)", found:json())
  core.write_file(file, page:html())
end

return search_report
