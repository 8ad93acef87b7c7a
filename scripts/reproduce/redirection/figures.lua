-- figures: the paper's two figures, one row of panels per log, one column per alpha.
local figure = require("orrery").draw.figure
local csv = require "orrery.command.csv"
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local paper = require "orrery.reproduce.redirection.plan"

local figures = {}

figures.names = {
  { "1", "mean bounded slowdowns of the weeks" },
  { "2", "redirection over EASY, mean and maximum" },
}

local LIGHT, DARK, BLUE = "#D9D9D9", "#7F7F7F", "#56B4E9"

-- --- tables -------------------------------------------------------------------------------------

local WEEKS = { "log", "procs", "alpha", "more_procs", "theta", "week", "jobs", "share", "factor",
  "bsld_mean", "bsld_max", "wait_mean", "utilisation", "redirected", "easy_bsld_mean",
  "easy_bsld_max", "alone_bsld_mean", "alone_bsld_max", "ratio_mean", "ratio_max" }
local SUMMARY = { "log", "alpha", "theta", "weeks", "metric", "mean", "half_width", "sd", "median",
  "min", "max", "geometric_mean", "redirected_share" }

local function each(plan, f)
  for _, system in ipairs(plan.systems) do
    for _, alpha in ipairs(plan.alphas) do f(system, alpha) end
  end
end

-- A row for every simulation with redirection.
local function week_rows(store, plan)
  local rows = {}
  each(plan, function(system, alpha)
    local easy, alone = store:get(system, alpha), store:get_alone(system)
    for _, theta in ipairs(plan.thetas) do
      local found = store:get(system, alpha, theta)
      for w, week in ipairs(system.weeks) do
        rows[#rows + 1] = {
          log = system.name, procs = system.procs, alpha = alpha, theta = theta, week = week.name,
          more_procs = paper.more(alpha, system.procs), jobs = #week.jobs, share = week.share,
          factor = week.factor,
          bsld_mean = found.bsld_mean[w], bsld_max = found.bsld_max[w],
          wait_mean = found.wait_mean[w], utilisation = found.utilisation[w],
          redirected = math.tointeger(found.redirected[w]),
          easy_bsld_mean = easy.bsld_mean[w], easy_bsld_max = easy.bsld_max[w],
          alone_bsld_mean = alone.bsld_mean[w], alone_bsld_max = alone.bsld_max[w],
          ratio_mean = found.bsld_mean[w] / easy.bsld_mean[w],
          ratio_max = found.bsld_max[w] / easy.bsld_max[w],
        }
      end
    end
  end)
  return rows
end

local function geometric_mean(samples)
  local sum = 0
  for _, x in ipairs(samples) do sum = sum + math.log(x) end
  return math.exp(sum / #samples)
end

-- The share of all jobs that were redirected, over all weeks.
function figures.redirected(store, system, alpha, theta)
  local count, jobs = 0, 0
  for w, redirected in ipairs(store:get(system, alpha, theta).redirected) do
    count, jobs = count + redirected, jobs + #system.weeks[w].jobs
  end
  return count / jobs
end

local function summary_row(store, system, alpha, theta, metric, samples)
  local s = orrery.summary(samples)
  return { log = system.name, alpha = alpha, theta = theta, weeks = s.count, metric = metric,
    mean = s.mean, half_width = s.half_width, sd = s.sd, min = s.min, max = s.max,
    median = orrery.quantiles(samples, { 0.5 })[1], geometric_mean = geometric_mean(samples),
    redirected_share = theta and figures.redirected(store, system, alpha, theta) or nil }
end

local function figure_1_rows(store, plan)
  local rows = {}
  each(plan, function(system, alpha)
    rows[#rows + 1] = summary_row(store, system, alpha, nil, "easy_bsld_mean",
      store:get(system, alpha).bsld_mean)
    for _, theta in ipairs(plan.thetas) do
      rows[#rows + 1] = summary_row(store, system, alpha, theta, "bsld_mean",
        store:get(system, alpha, theta).bsld_mean)
    end
  end)
  return rows
end

local function figure_2_rows(store, plan)
  local rows = {}
  each(plan, function(system, alpha)
    for _, theta in ipairs(plan.thetas) do
      for _, one in ipairs { { "ratio_mean", "bsld_mean" }, { "ratio_max", "bsld_max" } } do
        rows[#rows + 1] = summary_row(store, system, alpha, theta, one[1],
          store:ratios(system, alpha, theta, one[2]))
      end
    end
  end)
  return rows
end

-- --- pictures -----------------------------------------------------------------------------------

local function groups_of(plan, last)
  local groups = {}
  for i, theta in ipairs(plan.thetas) do groups[i] = tostring(theta) end
  groups[#groups + 1] = last
  return groups
end

local function title_of(system, alpha)
  return ("%s: α = %.2f"):format(system.name, alpha)
end

local function widen(range, samples)
  for _, x in ipairs(samples) do
    range[1], range[2] = math.min(range[1], x), math.max(range[2], x)
  end
end

-- 1, 2, 5, 10 ... inside the range; decades alone where it is wide.
local function decimal_ticks(range)
  local ticks = {}
  for k = math.floor(math.log(range[1], 10)), math.floor(math.log(range[2], 10)) do
    for _, m in ipairs(range[2] > 100 * range[1] and { 1 } or { 1, 2, 5 }) do
      local tick = m * 10.0 ^ k
      if tick >= range[1] and tick <= range[2] then
        ticks[#ticks + 1] = { tick, ("%g"):format(tick) }
      end
    end
  end
  return ticks
end

local function panels_1(store, plan)
  local panels = {}
  for _, system in ipairs(plan.systems) do
    local range, row = { math.huge, 0 }, {}
    for _, alpha in ipairs(plan.alphas) do
      local samples = {}
      for i, theta in ipairs(plan.thetas) do
        samples[i] = store:get(system, alpha, theta).bsld_mean
      end
      samples[#samples + 1] = store:get(system, alpha).bsld_mean
      for _, list in ipairs(samples) do widen(range, list) end
      row[#row + 1] = { title = title_of(system, alpha), x = "θ", y = "Mean bounded slowdown",
        groups = groups_of(plan, "EASY"), samples = { samples }, logy = true, yrange = range }
    end
    range[1], range[2] = range[1] / 1.5, range[2] * 1.5
    for _, panel in ipairs(row) do
      panel.yticks = decimal_ticks(range)
      panels[#panels + 1] = panel
    end
  end
  return panels
end

-- Powers of two that hold all samples, at least from 1/2 to 2.
local function ratio_axis(range)
  local low = math.min(-1, math.floor(math.log(range[1], 2)))
  local high = math.max(1, math.ceil(math.log(range[2], 2)))
  local step, ticks = math.max(1, (high - low + 7) // 8), {}
  for k = low - low % step, high, step do
    ticks[#ticks + 1] = { 2.0 ^ k, (k < 0 and "1/%d" or "%d"):format(2 ^ math.abs(k)) }
  end
  return { 2.0 ^ low, 2.0 ^ high }, ticks
end

local function panels_2(store, plan)
  local panels = {}
  for _, system in ipairs(plan.systems) do
    local range, row = { 1, 1 }, {}
    for _, alpha in ipairs(plan.alphas) do
      local samples = { {}, {} }
      for i, theta in ipairs(plan.thetas) do
        samples[1][i] = store:ratios(system, alpha, theta, "bsld_mean")
        samples[2][i] = store:ratios(system, alpha, theta, "bsld_max")
        widen(range, samples[1][i])
        widen(range, samples[2][i])
      end
      row[#row + 1] = { title = title_of(system, alpha), x = "θ", y = "Redirection over EASY",
        groups = groups_of(plan), samples = samples, logy = true, line = 1 }
    end
    for _, panel in ipairs(row) do
      panel.yrange, panel.yticks = ratio_axis(range)
      panels[#panels + 1] = panel
    end
  end
  return panels
end

-- Asks for what the chosen figures show.
function figures.need(store, _, chosen) store:need(chosen["1"] and "1" or "2") end

-- Writes the table and the pictures of a figure.
function figures.write(store, plan, name)
  local out = plan.given.out
  reproduction.write(plan.given, "weeks.csv", csv.text(WEEKS, week_rows(store, plan)))
  if name == "1" then
    reproduction.write(plan.given, "figure-1.csv", csv.text(SUMMARY, figure_1_rows(store, plan)))
    figure.write(out .. "/figure-1", { title = "Figure 1: mean bounded slowdown, one sample per "
      .. "week",
      columns = #plan.alphas, panel = { 380, 290 }, kind = "violin", panels = panels_1(store, plan),
      series = { { name = "density of the weeks", colour = BLUE } }, legend = true })
  else
    reproduction.write(plan.given, "figure-2.csv", csv.text(SUMMARY, figure_2_rows(store, plan)))
    figure.write(out .. "/figure-2", { title = "Figure 2: redirection over EASY with the same "
      .. "processors, one ratio per week; below 1 redirection is better",
      columns = #plan.alphas, panel = { 380, 290 }, kind = "box", panels = panels_2(store, plan),
      series = { { name = "mean bounded slowdown", colour = LIGHT },
        { name = "maximum bounded slowdown", colour = DARK } }, legend = true })
  end
end

return figures
