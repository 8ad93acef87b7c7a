-- figures: boxes of the average bounded slowdowns under every rule, over the sequences, and of
-- their ratios to F1; the medians, as in the paper; the page.
local cells = require "orrery.command.cells"
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local paper = require "orrery.reproduce.learned.plan"

local figures = {}

local F1 = paper.rules[#paper.rules]
local COLUMNS = { "load", "known", "rule", "sequences", "median", "q1", "q3", "min", "max", "mean",
  "over_f1", "over_f1_low", "over_f1_high", "wait_mean", "utilisation" }
local SEQUENCES = { "backfilling", "load", "known", "rule", "sequence", "jobs", "bsld_mean",
  "wait_mean", "utilisation" }

-- f(load, known, rule) for all, load after load.
local function each(plan, f)
  for _, load in ipairs(plan.loads) do
    for _, known in ipairs(paper.knowledge) do
      for _, rule in ipairs(paper.rules) do f(load, known, rule) end
    end
  end
end

local function write_tables(store, plan, name)
  local rows = {}
  each(plan, function(load, known, rule)
    local samples = store:samples(name, known, load, rule)
    local q = orrery.quantiles(samples, { 0.5, 0.25, 0.75 })
    local s = orrery.summary(samples)
    local over = cells.geometric(cells.divided(samples, store:samples(name, known, load, F1)))
    rows[#rows + 1] = { load = load.key, known = known.key, rule = rule.name, sequences = s.count,
      median = q[1], q1 = q[2], q3 = q[3], min = s.min, max = s.max, mean = s.mean,
      over_f1 = over.mean, over_f1_low = over.low, over_f1_high = over.high,
      wait_mean = orrery.summary(store:samples(name, known, load, rule, "wait_mean")).mean,
      utilisation = orrery.summary(store:samples(name, known, load, rule, "utilisation")).mean }
  end)
  reproduction.write_table(plan, "figure-" .. name, COLUMNS, rows)
end

-- All that was simulated so far.
local function write_sequences(store, plan)
  local rows = {}
  for _, way in ipairs { "plain", "backfilling" } do
    each(plan, function(load, known, rule)
      for s, value in ipairs(store:samples(way, known, load, rule) or {}) do
        local sequence = store:sequences(load)[s]
        rows[#rows + 1] = { backfilling = way == "plain" and "none" or "EASY", load = load.key,
          known = known.key, rule = rule.name, sequence = sequence.name,
          jobs = #sequence.jobs, bsld_mean = value,
          wait_mean = store:samples(way, known, load, rule, "wait_mean")[s],
          utilisation = store:samples(way, known, load, rule, "utilisation")[s] }
      end
    end)
  end
  reproduction.write_table(plan, "sequences", SEQUENCES, rows)
end

-- Decades that hold all samples.
local function decades(panels)
  local low, high = math.huge, 1
  for _, panel in ipairs(panels) do
    for _, series in ipairs(panel.samples) do
      for _, samples in ipairs(series) do
        low = math.min(low, table.unpack(samples))
        high = math.max(high, table.unpack(samples))
      end
    end
  end
  local ticks, first, last = {}, math.floor(math.log(low, 10)), math.ceil(math.log(high, 10))
  for k = first, last do ticks[#ticks + 1] = { 10.0 ^ k, ("%g"):format(10.0 ^ k) } end
  return { 10.0 ^ first, 10.0 ^ last }, ticks
end

-- One panel for each load; of(load, known, rule) gives the samples.
local function panels_of(plan, y, line, of)
  local panels = lists.map(plan.loads, function(load)
    return { title = load.at, x = "", y = y, logy = true, line = line,
      groups = lists.fields(paper.rules, "name"),
      samples = lists.map(paper.knowledge, function(known)
        return lists.map(paper.rules, function(rule) return of(load, known, rule) end)
      end) }
  end)
  local range, ticks = decades(panels)
  for _, panel in ipairs(panels) do panel.yrange, panel.yticks = range, ticks end
  return panels
end

local function write(store, plan, name)
  write_tables(store, plan, name)
  write_sequences(store, plan)
  local absolute = panels_of(plan, "average bounded slowdown", nil,
    function(load, known, rule) return store:samples(name, known, load, rule) end)
  local relative = panels_of(plan, "over that of F1", 1, function(load, known, rule)
    return cells.divided(store:samples(name, known, load, rule),
      store:samples(name, known, load, F1))
  end)
  reproduction.draw(plan, "figure-" .. name, { kind = "box", columns = #plan.loads,
    panel = { 560, 320 }, legend = true, panels = lists.joined(absolute, relative),
    series = lists.map(paper.knowledge, function(known)
      return { name = known.name, colour = known.colour }
    end),
    title = ("Average bounded slowdown of sequences of %d days on %d processors, %s"):format(
      plan.days, plan.given.procs, paper.ways[name].name) })
end

-- --- the page -----------------------------------------------------------------------------------

local function medians(p, store, plan, name)
  local rows = {}
  for _, load in ipairs(plan.loads) do
    for _, known in ipairs(paper.knowledge) do
      rows[#rows + 1] = lists.joined({ ("%s, %s"):format(load.at, known.name) },
        lists.map(paper.rules, function(rule)
          return ("%.2f"):format(
            orrery.quantiles(store:samples(name, known, load, rule), { 0.5 })[1])
        end))
    end
  end
  p:text("Medians over the sequences:")
  p:rows(lists.joined({ paper.ways[name].name }, lists.fields(paper.rules, "name")), rows)
end

figures.names = {
  { "plain", "average bounded slowdowns without backfilling",
    picture = "Average bounded slowdowns without backfilling; below, over those of F1",
    write = write, below = medians },
  { "backfilling", "the same with EASY backfilling",
    picture = "The same with EASY backfilling", write = write, below = medians },
}

local function opening(p, plan)
  p:opening(plan, ". %d sequences of %d days of Lublin and Feitelson's model (all days alike, "
    .. "constants as published) on %d processors, each from an empty machine, the first %d jobs "
    .. "not measured. The average bounded slowdown of a sequence is that of its other jobs, with "
    .. "a bound of 10 s. Estimates are those of Tsafrir, Etsion and Feitelson's model. Statements "
    .. "are judged by the ratios of two rules, sequence by sequence.", plan.sets, plan.days,
    plan.given.procs, plan.warmup_jobs)
end

figures.page = { title = "Dynamic scheduling policies by machine learning, again",
  contents = require "orrery.reproduce.learned.contents", opening = opening,
  times = { columns = { "figure" } } }

return figures
