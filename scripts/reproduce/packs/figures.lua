-- figures: what each figure needs, its curves and its table.
local cells = require "orrery.command.cells"
local csv = require "orrery.command.csv"
local drawing = require "orrery.command.drawing"
local figure = require("orrery").draw.figure
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local paper = require "orrery.reproduce.packs.plan"

local figures = {}

figures.names = {
  { "2", "ten applications on 128 cores" }, { "3", "six applications on 256 cores" },
  { "4", "Workload-III, 260 tasks on 256 cores" },
  { "readings", "Workload-III: readings of PACK-APPROX, and local search" },
  { "constants", "Workload-III: what its open constants do" },
}

figures.metrics = {
  { "relative_cost", "relative cost" }, { "packing_ratio", "packing ratio" },
  { "relative_response", "relative response time" },
}

local joined = drawing.joined

-- --- cells --------------------------------------------------------------------------------------

-- The name of the cell of a figure with packs of at most k tasks.
function figures.cell(name, k) return ("%s k=%d"):format(name, k) end

-- The heuristics of a figure at a k.
local function small_list(k)
  local list = joined(paper.heuristics, { paper.optimal })
  if k == 2 then list[#list + 1] = paper.two end
  return list
end

local function large_list(k)
  return k == 2 and joined(paper.heuristics, { paper.two }) or paper.heuristics
end

local function need_small(store, plan, one)
  local tasks = paper.small_tasks(one)
  for _, k in ipairs(one.sizes) do
    store:need(one.key, { id = figures.cell(one.key, k), tasks = tasks, procs = one.procs, k = k,
      list = small_list(k) })
  end
  plan.by_figure[one.key] = { sizes = one.sizes,
    list = joined(paper.heuristics, { paper.optimal }) }
end

local function large(plan, constants)
  return function(run) return paper.large(constants, plan.seed, run) end
end

local function need_large(store, plan)
  for _, k in ipairs(plan.sizes) do
    store:need("4", { id = figures.cell("4", k), tasks = large(plan, plan.constants),
      procs = plan.constants.nodes, k = k, list = large_list(k),
      bounds = plan.given.quick and "quick" or "best" })
  end
  plan.by_figure["4"] = { sizes = plan.sizes, list = paper.heuristics }
end

-- Of some heuristics alone.
local function some(keys)
  local list = {}
  for _, key in ipairs(keys) do
    for _, one in ipairs(paper.heuristics) do
      if one.key == key then list[#list + 1] = one end
    end
  end
  return list
end

local function need_readings(store, plan)
  local list = joined(some { "approx", "pbp-9", "cuts" }, paper.readings)
  for _, k in ipairs(plan.sizes) do
    store:need("readings", { id = figures.cell("readings", k), tasks = large(plan, plan.constants),
      procs = plan.constants.nodes, k = k, list = list })
  end
  plan.by_figure.readings = { sizes = plan.sizes, list = list }
end

figures.of_constants = some { "approx", "pbp-1", "pbp-9", "pack-9", "proc-9", "cuts" }

local function need_constants(store, plan)
  for _, variant in ipairs(paper.variants) do
    local constants = paper.changed(plan.constants, variant.change)
    for _, k in ipairs(plan.variant_sizes) do
      store:need("constants", { id = figures.cell(variant.key, k), tasks = large(plan, constants),
        procs = constants.nodes, k = k, list = figures.of_constants })
    end
  end
end

-- Asks for everything that the chosen figures show.
function figures.need(store, plan, chosen)
  plan.by_figure = {}
  for _, one in ipairs(paper.small) do
    if chosen[one.key] then need_small(store, plan, one) end
  end
  if chosen["4"] then need_large(store, plan) end
  if chosen.readings then need_readings(store, plan) end
  if chosen.constants then need_constants(store, plan) end
end

-- --- curves -------------------------------------------------------------------------------------

local TITLES = {
  ["2"] = "Ten applications in the spirit of Workload-I, 16 nodes (128 cores)",
  ["3"] = "Six applications in the spirit of Workload-II, 16 nodes (256 cores)",
  ["4"] = "Workload-III", readings = "Workload-III: readings and local search",
}

local function curve(store, name, sizes, one, metric)
  local points = {}
  for _, k in ipairs(sizes) do
    local samples = store:samples(figures.cell(name, k), one.key, metric)
    if samples then points[#points + 1] = cells.point(k, samples) end
  end
  return points
end

local function draw(store, plan, name)
  local what = plan.by_figure[name]
  local spec = { title = TITLES[name], columns = 3, panel = { 380, 330 }, panels = {} }
  spec.curves, spec.styles = drawing.names_and_styles(what.list)
  local ticks, log = {}, name == "4" or name == "readings"
  for i, k in ipairs(what.sizes) do ticks[i] = { k, tostring(k) } end
  for i, metric in ipairs(figures.metrics) do
    local panel = { title = ("(%s) %s"):format(("abc"):sub(i, i), metric[2]), x = "pack size k",
      y = metric[2], yrange = { 0, i < 3 and 1.05 or nil }, xticks = ticks, logx = log,
      curves = {} }
    local first, last = what.sizes[1], what.sizes[#what.sizes]
    panel.xrange = log and { first / 1.2, last * 1.2 } or { first - 0.5, last + 0.5 }
    for _, one in ipairs(what.list) do
      panel.curves[one.name] = curve(store, name, what.sizes, one, metric[1])
    end
    spec.panels[i] = panel
  end
  figure.write(plan.given.out .. "/figure-" .. name, spec)
end

-- --- tables -------------------------------------------------------------------------------------

local COLUMNS = { "heuristic", "policy", "k", "runs", "packs" }
for _, metric in ipairs { "relative_cost", "packing_ratio", "relative_response", "over_bound" } do
  COLUMNS[#COLUMNS + 1] = metric
  COLUMNS[#COLUMNS + 1] = metric .. "_half_width"
end
COLUMNS[#COLUMNS + 1] = "milliseconds"

local function row_of(store, cell, one)
  local row = { heuristic = one.name, policy = one.policy, k = cell.k }
  for _, metric in ipairs { "packs", "relative_cost", "packing_ratio", "relative_response",
    "over_bound" } do
    local s = orrery.summary(store:samples(cell.id, one.key, metric))
    row.runs, row[metric], row[metric .. "_half_width"] = s.count, s.mean, s.half_width
  end
  row.milliseconds = 1e3 * orrery.summary(store:samples(cell.id, one.key, "seconds")).mean
  return row
end

local function write_table(store, plan, name, columns, change)
  local rows = {}
  for _, cell in ipairs(store.order) do
    if cell.figure == name then
      for _, one in ipairs(cell.list) do
        local row = row_of(store, cell, one)
        if change then change(row, cell) end
        rows[#rows + 1] = row
      end
    end
  end
  reproduction.write(plan.given, ("figure-%s.csv"):format(name), csv.text(columns, rows))
end

-- Writes a figure.
function figures.write(store, plan, name)
  if name == "constants" then
    write_table(store, plan, name, { "variant", table.unpack(COLUMNS) }, function(row, cell)
      row.variant = cell.id:match "^(.*) k=%d+$"
    end)
  else
    write_table(store, plan, name, COLUMNS)
    draw(store, plan, name)
  end
end

return figures
