-- report: the page that sets the papers' statements beside what came out, and what is printed.
local orrery = require "orrery"
local page = require "orrery.command.page"
local reproduction = require "orrery.command.reproduction"

local figures = require "orrery.reproduce.redistribution.figures"
local statements = require "orrery.reproduce.redistribution.statements"

local report = {}

local ABOUT = {
  ["5"] = "100 tasks without faults", ["6"] = "Many tasks without faults",
  ["7"] = "Impact of n", ["8"] = "Impact of p", ["9"] = "One execution, event by event",
  ["10"] = "Impact of the MTBF on 1000 processors",
  ["11"] = "Impact of the MTBF on many processors", ["12"] = "Impact of the cost of checkpoints",
  ["13"] = "Impact of the MTBF with cheap checkpoints",
  ["14"] = "Impact of the sequential fraction",
  parts = "Explanation: what is done at ends of tasks and at faults, each alone",
}

local function setting(plan, p)
  p:text("Orrery %s, seed %d%s, %d runs of every point. Numbers are makespans over that of the "
    .. "same run without redistribution: the same sizes, the same faults. The samples of a mean "
    .. "are the runs, each with its own sizes and faults, and two heuristics are compared by their "
    .. "paired differences. Every point has the same random numbers. Where nothing else is said: "
    .. "%d tasks, m from 1,500,000 to 2,500,000, f = 0.08, %d processors, MTBF 100 years, c = 1, "
    .. "no downtime.", orrery.version, plan.seed, plan.given.quick and ", `--quick`" or "",
    plan.runs, plan.tasks, plan.procs)
  p:text("ShortestTasksFirst is there in two readings. By the first, processors may be taken from "
    .. "the shortest tasks also when none was free. By the literal one, line 11 of Algorithm 4 as "
    .. "printed, nothing is taken then.")
end

-- Writes the page about the figures that are done.
function report.write(store, plan, done)
  local list = statements.of(store, plan, done)
  local p = page.new "RR-8795, section 6, and the chapter's 1.5: what they state and what comes out"
  setting(plan, p)
  p:heading("Statements"):statements(list):heading "Figures"
  for _, one in ipairs(figures.names) do
    if done[one[1]] then p:picture("figure-" .. one[1], ABOUT[one[1]]) end
  end
  reproduction.finish(plan, p, list, store:times(), { "figure" }, { each = { "%.1f", 1e3 },
    head = { "figure", "simulations", "processor seconds", "seconds",
      "processor milliseconds each" },
    text = "Processor seconds are those of all threads together. What two figures share is counted "
      .. "for the first." })
end

return report
