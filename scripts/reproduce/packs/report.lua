-- report: the page that sets the paper's statements beside what came out.
local orrery = require "orrery"
local page = require "orrery.command.page"
local reproduction = require "orrery.command.reproduction"

local figures = require "orrery.reproduce.packs.figures"
local paper = require "orrery.reproduce.packs.plan"
local statements = require "orrery.reproduce.packs.statements"

local report = {}

local ABOUT = {
  ["2"] = "Ten applications on 128 cores", ["3"] = "Six applications on 256 cores",
  ["4"] = "Workload-III",
  readings = "Workload-III: readings of PACK-APPROX, and local search",
}

local function setting(plan, p)
  local c = plan.constants
  p:text("Orrery %s, seed %d%s, %d runs. Cost and response time are over those of one task after "
    .. "the other on all nodes. The profiles of the small workloads are made, not measured: only "
    .. "the random heuristics differ from run to run there. Every run of Workload-III draws sizes "
    .. "anew: %d tasks, m from %g to %g, a sequential time of %g s at m = 10000, %d nodes of %d "
    .. "cores, overheads times %g, and the logarithm of '%s' in c m log2 n.", orrery.version,
    plan.seed, plan.given.quick and ", `--quick`" or "", plan.runs, c.tasks, c.m_inf, c.m_sup,
    c.longest, c.nodes, c.cores, c.overhead, c.log_of)
end

local function mean(store, id, key, metric)
  return orrery.summary(store:samples(id, key, metric)).mean
end

-- One row per heuristic, one column per k.
local function grid(store, p, name, sizes, list, metric, format, scale)
  local head, rows = { "" }, {}
  for i, k in ipairs(sizes) do head[i + 1] = "k = " .. k end
  for _, one in ipairs(list) do
    local row, any = { one.name }, false
    for i, k in ipairs(sizes) do
      local id = figures.cell(name, k)
      local there = store:samples(id, one.key, metric) ~= nil
      row[i + 1] = there and format:format(mean(store, id, one.key, metric) * (scale or 1)) or ""
      any = any or there
    end
    if any then rows[#rows + 1] = row end
  end
  p:rows(head, rows)
end

local function with(list, one)
  local copy = table.move(list, 1, #list, 1, {})
  copy[#copy + 1] = one
  return copy
end

local function costs(store, plan, done, p)
  for _, one in ipairs(paper.small) do
    if done[one.key] then
      p:heading(one.name .. ": relative cost", 3)
      grid(store, p, one.key, one.sizes, with(paper.heuristics, paper.optimal), "relative_cost",
        "%.4f")
    end
  end
  if not done["4"] then return end
  local list = with(paper.heuristics, paper.two)
  p:heading("Workload-III: relative cost", 3)
  grid(store, p, "4", plan.sizes, list, "relative_cost", "%.4f")
  p:heading("Workload-III: cost over the best lower bound", 3)
  grid(store, p, "4", plan.sizes, list, "over_bound", "%.3f")
  p:heading("Workload-III: milliseconds of processor time", 3)
  grid(store, p, "4", plan.sizes, list, "seconds", "%.2f", 1e3)
end

local function constants(store, plan, p)
  local rows, head = {}, { "relative cost" }
  for _, k in ipairs(plan.variant_sizes) do
    for _, one in ipairs(figures.of_constants) do
      head[#head + 1] = ("%s, k = %d"):format(one.name:gsub(" %(not in the paper%)", ""), k)
    end
  end
  for i, variant in ipairs(paper.variants) do
    rows[i] = { variant.key }
    for _, k in ipairs(plan.variant_sizes) do
      for _, one in ipairs(figures.of_constants) do
        table.insert(rows[i], ("%.3f"):format(mean(store, figures.cell(variant.key, k), one.key,
          "relative_cost")))
      end
    end
  end
  p:heading "What the open constants of Workload-III do"
  p:rows(head, rows)
end

-- Writes the page about the figures that are done.
function report.write(store, plan, done)
  local list = statements.of(store, plan, done)
  local p = page.new "J. Scheduling 2016, section 6: what it states and what comes out"
  setting(plan, p)
  p:heading("Statements"):statements(list):heading "Numbers"
  costs(store, plan, done, p)
  p:heading "Figures"
  for _, one in ipairs(figures.names) do
    if done[one[1]] and ABOUT[one[1]] then p:picture("figure-" .. one[1], ABOUT[one[1]]) end
  end
  if done.constants then constants(store, plan, p) end
  reproduction.finish(plan, p, list, store:times(), { "figure" }, { head = { "figure",
    "co-schedules", "processor seconds", "seconds" } })
end

return report
