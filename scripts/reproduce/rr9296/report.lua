-- report: the page that sets the statements of RR-9296 beside what came out, and what is printed.
local orrery = require "orrery"
local page = require "orrery.command.page"
local reproduction = require "orrery.command.reproduction"

local figures = require "orrery.reproduce.rr9296.figures"
local statements = require "orrery.reproduce.rr9296.statements"

local report = {}

local PICTURES = {
  ["2"] = { "figure-2", "Normalised makespan of all heuristics and priorities over q" },
  ["3"] = { "figure-3", "Normalised makespan of all heuristics and priorities over P" },
  ["4"] = { "figure-4", "The heuristics with their best priorities" },
  ["5"] = { "figure-5", "List heuristics on the days of the log" },
  ["6"] = { "figure-6", "Shelf heuristics on the days of the log" },
  ["table-1"] = { "table-1", "Table 1 as a picture: means and largest days" },
  kept = { "figure-kept", "R-LIST-1 and R-LIST-Q as defined, and with reservations that no failure "
    .. "cancels" },
  capped = { "figure-capped", "R-LIST-0 and R-SHELF-NB where no job fails more than so many "
    .. "times" },
  bound = { "figure-bound", "The share of scenarios whose lower bound is one job with all its "
    .. "attempts, mean and 95% interval over the sets" },
}

local function setting(plan, p)
  local given = plan.given
  p:text("Orrery %s, seed %d%s. Synthetic: %d sets of 100 jobs, %d scenarios each. Log: %s, "
    .. "%d days, %d processors, %d scenarios a day, all jobs of a day there at its beginning.",
    orrery.version, plan.seed, given.quick and ", `--quick`" or "", plan.sets, plan.runs, plan.log,
    #plan.days, plan.log_procs, plan.runs)
  p:text("Numbers are makespans over the lower bound of their scenario. The samples of a mean are "
    .. "the sets (the days), each with its mean over the scenarios: scenarios of one set share its "
    .. "jobs and say nothing about other sets. The days of a month are taken as such samples, too; "
    .. "if neighbouring days are alike, their intervals are too narrow. Two heuristics are "
    .. "compared by their paired differences, on the same sets and failures. A "
    .. "comparison holds when its 95%% interval, the one shown, is on the stated side; it does not "
    .. "when an interval that is widened for the number of its statement's comparisons is on the "
    .. "other side. "
    .. "R-LIST-1 reserves for the first job that cannot start, R-LIST-1 (head) for the first job "
    .. "of the queue, started or not.")
end

-- Table 1 as the report prints it.
local function table_1(store, plan, p)
  local head, rows = { "q", "failures a day" }, {}
  for _, heuristic in ipairs(plan.heuristics) do head[#head + 1] = heuristic.name end
  for _, what in ipairs { { "mean", "mean" }, { "sd", "deviation" }, { "max", "largest day" } } do
    for _, point in ipairs(figures.sweep_mira(plan)) do
      local row = { ("%g, %s"):format(point.x, what[2]), "" }
      for _, heuristic in ipairs(plan.heuristics) do
        local numbers = store:get(point.cell, heuristic, "LPT")
        local s = orrery.summary(numbers.mean)
        row[2] = ("%.2f"):format(orrery.summary(numbers.failures).mean)
        row[#row + 1] = what[1] == "mean" and page.interval("%.3f", s.mean, s.half_width)
          or ("%.3f"):format(s[what[1]])
      end
      rows[#rows + 1] = row
    end
  end
  p:rows(head, rows)
end

-- Writes the page.
function report.write(store, plan, chosen, drawn)
  local list = statements.of(store, plan, chosen)
  local p = page.new "RR-9296, section 5: what the report states and what comes out"
  setting(plan, p)
  if #list > 0 then p:heading("Statements"):statements(list) end
  p:heading "Figures"
  for _, one in ipairs(figures.names) do
    local picture = PICTURES[one[1]]
    if chosen[one[1]] and drawn[one[1]] then p:picture(picture[1], picture[2]) end
    if chosen[one[1]] and one[1] == "table-1" then table_1(store, plan, p) end
  end
  reproduction.finish(plan, p, list, store:times(), { "figure", "heuristic" }, {
    each = { "%.0f", 1e6 },
    head = { "figure, heuristic", "simulations", "processor seconds", "seconds",
      "processor microseconds each" },
    text = "Processor seconds are those of all threads together. What two figures share is counted "
      .. "for the first; without failures one scenario stands for all where nothing is drawn." })
end

return report
