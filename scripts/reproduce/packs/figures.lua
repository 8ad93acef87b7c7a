-- figures: the contents of each figure, its curves and its table, and the page.
local cells = require "orrery.command.cells"
local drawing = require "orrery.command.drawing"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local paper = require "orrery.reproduce.packs.plan"

local figures = {}

local METRICS = {
  { "relative_cost", "relative cost" }, { "packing_ratio", "packing ratio" },
  { "relative_response", "relative response time" },
}

local joined = lists.joined

-- --- contents ------------------------------------------------------------------------------------

local function some(keys)
  local list = {}
  for _, key in ipairs(keys) do
    list = joined(list, lists.those(paper.heuristics, function(one) return one.key == key end))
  end
  return list
end

local OF_CONSTANTS = some { "approx", "pbp-1", "pbp-9", "pack-9", "proc-9", "cuts" }

-- The heuristics of a figure, and the sizes of its packs.
local function shown(plan, name)
  local list, sizes = paper.heuristics, plan.sizes
  for _, one in ipairs(paper.small) do
    if one.key == name then list, sizes = joined(list, { paper.optimal }), one.sizes end
  end
  if name == "readings" then list = joined(some { "approx", "pbp-9", "cuts" }, paper.readings) end
  if name == "variants" then
    list = joined(some { "pbp-9", "pack-9", "proc-9" }, paper.variations)
  end
  return list, sizes
end

-- Figures with another optimum for packs of two.
local HAS_OPTIMUM = { ["2"] = true, ["3"] = true, ["4"] = true }

local function need(store, plan, name, tasks, procs, bounds)
  local list, sizes = shown(plan, name)
  for _, k in ipairs(sizes) do
    store:need(name, name, k, { tasks = tasks, procs = procs, bounds = bounds,
      list = k == 2 and HAS_OPTIMUM[name] and joined(list, { paper.two }) or list })
  end
end

local function need_large(store, plan, name)
  need(store, plan, name, paper.large(plan.constants, plan.seed), plan.constants.nodes,
    name == "4" and (plan.given.quick and "quick" or "best") or nil)
end

local function need_constants(store, plan, name)
  for _, variant in ipairs(paper.variants) do
    local constants = lists.merged(plan.constants, variant.change)
    for _, k in ipairs(plan.variant_sizes) do
      store:need(name, variant.key, k, { tasks = paper.large(constants, plan.seed),
        procs = constants.nodes, list = OF_CONSTANTS })
    end
  end
end

-- --- curves -------------------------------------------------------------------------------------

-- The heuristic with which each is compared pair by pair, in a panel of its own: the best of nine,
-- or the heuristic of which it is a variant.
local GOOD = { title = "less PACK-BY-PACK-9", approx = "pbp-9", ["pbp-1"] = "pbp-9",
  cuts = "pbp-9", optimal = "pbp-9" }
local COMPARED = { ["2"] = GOOD, ["3"] = GOOD, ["4"] = GOOD,
  readings = { title = "less the usual reading, without swaps", ["approx-none"] = "approx",
    ["approx-each"] = "approx", swaps = "cuts" },
  variants = { title = "less the same with 9 runs", ["pbp-full"] = "pbp-9", ["pbp-99"] = "pbp-9",
    ["pack-99"] = "pack-9", ["proc-99"] = "proc-9" } }

-- panel: the common fields of all panels of the figure
local function differences(store, name, list, points, panel)
  local compared = COMPARED[name]
  return lists.merged(panel, { title = "(d) relative cost " .. compared.title, line = 0,
    y = "difference, pair by pair",
    curves = drawing.curves(list, points, function(point, one)
      if not compared[one.key] then return nil end
      return cells.less(store:samples(name, point.x, one.key, "relative_cost"),
        store:samples(name, point.x, compared[one.key], "relative_cost"))
    end) })
end

local function draw(store, plan, name, title)
  local list, sizes = shown(plan, name)
  local spec = { title = title, columns = 2, panel = { 480, 330 } }
  spec.curves, spec.styles = drawing.names_and_styles(list)
  local ticks = lists.map(sizes, function(k) return { k, tostring(k) } end)
  local points = lists.map(sizes, function(k) return { x = k } end)
  local log, first, last = sizes == plan.sizes, sizes[1], sizes[#sizes]
  local panel = { x = "pack size k", xticks = ticks, logx = log,
    xrange = log and { first / 1.2, last * 1.2 } or { first - 0.5, last + 0.5 } }
  spec.panels = lists.map(METRICS, function(metric, i)
    return lists.merged(panel, { title = ("(%s) %s"):format(("abc"):sub(i, i), metric[2]),
      y = metric[2], yrange = { 0, i < 3 and 1.05 or nil },
      curves = drawing.curves(list, points, function(point, one)
        return store:samples(name, point.x, one.key, metric[1])
      end) })
  end)
  spec.panels[4] = differences(store, name, list, points, panel)
  reproduction.draw(plan, "figure-" .. name, spec)
end

-- --- tables -------------------------------------------------------------------------------------

local COLUMNS = { "heuristic", "policy", "k", "runs", "packs" }
for _, metric in ipairs { "relative_cost", "packing_ratio", "relative_response", "over_bound" } do
  COLUMNS = joined(COLUMNS, { metric, metric .. "_half_width" })
end
COLUMNS[#COLUMNS + 1] = "milliseconds"

-- Rows have the name of their cell as the variant.
local function write_table(store, plan, name, columns)
  local rows = {}
  local function is_shown(cell) return cell.figure == name end
  for _, cell in ipairs(lists.those(store.order, is_shown)) do
    for _, one in ipairs(cell.list) do
      local row = { heuristic = one.name, policy = one.policy, k = cell.k, variant = cell.name }
      for metric, samples in pairs(store.results[cell.id][one.key]) do
        local s = orrery.summary(samples)
        row.runs, row[metric], row[metric .. "_half_width"] = s.count, s.mean, s.half_width
      end
      row.milliseconds = 1e3 * row.seconds
      rows[#rows + 1] = row
    end
  end
  reproduction.write_table(plan, "figure-" .. name, columns, rows)
end

local function write_constants(store, plan, name)
  write_table(store, plan, name, joined({ "variant" }, COLUMNS))
end

-- --- the page -----------------------------------------------------------------------------------

local function opening(p, plan)
  local c = plan.constants
  p:opening(plan, ", %d runs. Cost and response time are over those of one task after the other on "
    .. "all nodes. The profiles of the small workloads are made, not measured: only the random "
    .. "heuristics differ from run to run there. Every run of Workload-III draws sizes anew: %d "
    .. "tasks, m from %g to %g, a sequential time of %g s at m = 10000, %d nodes of %d cores, "
    .. "overheads times %g, and the logarithm of '%s' in c m log2 n.", plan.runs, c.tasks,
    c.m_inf, c.m_sup, c.longest, c.nodes, c.cores, c.overhead, c.log_of)
end

-- The mean of a metric as text; empty where it was not computed.
local function mean(store, name, k, key, metric, format, scale)
  local samples = store:samples(name, k, key, metric)
  return samples and format:format(orrery.summary(samples).mean * (scale or 1)) or ""
end

-- One row per heuristic, one column per k.
local function grid(store, p, name, sizes, list, ...)
  local head, rows = { "" }, {}
  for i, k in ipairs(sizes) do head[i + 1] = "k = " .. k end
  for _, one in ipairs(list) do
    local row = { one.name }
    for i, k in ipairs(sizes) do row[i + 1] = mean(store, name, k, one.key, ...) end
    if table.concat(row, "", 2) ~= "" then rows[#rows + 1] = row end
  end
  p:rows(head, rows)
end

local function numbers(p, store, plan, done)
  p:heading "Numbers"
  for _, one in ipairs(paper.small) do
    if done[one.key] then
      p:heading(one.name .. ": relative cost", 3)
      grid(store, p, one.key, one.sizes, shown(plan, one.key), "relative_cost", "%.4f")
    end
  end
  for _, one in ipairs(done["4"] and {
    { "relative cost", "relative_cost", "%.4f" },
    { "cost over the best lower bound", "over_bound", "%.3f" },
    { "milliseconds of processor time", "seconds", "%.2f", 1e3 },
  } or {}) do
    p:heading("Workload-III: " .. one[1], 3)
    grid(store, p, "4", plan.sizes, joined(paper.heuristics, { paper.two }),
      table.unpack(one, 2))
  end
end

local function constants(p, store, plan)
  local head = { "relative cost" }
  local rows = lists.map(paper.variants, function(variant) return { variant.key } end)
  for _, k in ipairs(plan.variant_sizes) do
    for _, one in ipairs(OF_CONSTANTS) do
      head[#head + 1] = ("%s, k = %d"):format(one.name:gsub(" %(not in the paper%)", ""), k)
      for i, variant in ipairs(paper.variants) do
        table.insert(rows[i], mean(store, variant.key, k, one.key, "relative_cost", "%.3f"))
      end
    end
  end
  p:heading "What the open constants of Workload-III do"
  p:rows(head, rows)
end

-- --- all figures ---------------------------------------------------------------------------------

local function figure(name, about, picture, title, need_of)
  return { name, about, picture = picture, need = need_of, write = function(store, plan)
    write_table(store, plan, name, COLUMNS)
    draw(store, plan, name, title)
  end }
end

local function need_small(store, plan, name)
  for _, one in ipairs(paper.small) do
    if one.key == name then need(store, plan, name, paper.small_tasks(one), one.procs) end
  end
end

figures.names = {
  figure("2", "ten applications on 128 cores", "Ten applications on 128 cores",
    "Ten applications in the spirit of Workload-I, 16 nodes (128 cores)", need_small),
  figure("3", "six applications on 256 cores", "Six applications on 256 cores",
    "Six applications in the spirit of Workload-II, 16 nodes (256 cores)", need_small),
  figure("4", "Workload-III, 260 tasks on 256 cores", "Workload-III", "Workload-III", need_large),
  figure("readings", "Workload-III: readings of PACK-APPROX, and local search",
    "Workload-III: readings of PACK-APPROX, and local search",
    "Workload-III: readings and local search", need_large),
  figure("variants", "Workload-III: the variants of section 5",
    "Workload-III: the variants of section 5", "Workload-III: variants", need_large),
  { "constants", "Workload-III: what its open constants do", need = need_constants,
    write = write_constants, below = constants },
}

figures.page = {
  contents = require "orrery.reproduce.packs.contents",
  title = "J. Scheduling 2016, section 6: what it states and what comes out", opening = opening,
  none = true, numbers = numbers, times = { columns = { "figure" } }, step_by_step = true,
}

return figures
