-- report: what the experiment asks, answered by the samples, and the page.
local orrery = require "orrery"
local page = require "orrery.command.page"
local reproduction = require "orrery.command.reproduction"
local verdict = require "orrery.command.verdict"

local experiment = require "orrery.reproduce.failing-packs.experiment"

local report = {}

-- --- questions ----------------------------------------------------------------------------------

local NAMES = {}
for _, list in ipairs { experiment.packs, experiment.moves } do
  for _, one in ipairs(list) do NAMES[one.key] = one.name end
end

local function label(point, name)
  if name == "k" then return ("k = %d"):format(point.k) end
  return point.years == math.huge and "no faults" or ("MTBF %g years"):format(point.years)
end

-- At every point: relative makespans of a less those of b.
local function less(plan, name, a, b, margin)
  local parts = {}
  for _, point in ipairs(plan.points[name]) do
    parts[#parts + 1] = verdict.less(("%s: %s, %s less %s, %s"):format(label(point, name),
      NAMES[a[1]], NAMES[a[2]], NAMES[b[1]], NAMES[b[2]]),
      experiment.relative(point, a[1], a[2]), experiment.relative(point, b[1], b[2]), margin)
  end
  return parts
end

-- What redistribution takes off a partition's makespan, as a share.
local function gains(point, pack, moves)
  local list, none = {}, experiment.samples(point, pack, "none")
  for i, value in ipairs(experiment.samples(point, pack, moves)) do
    list[i] = 1 - value / none[i]
  end
  return list
end

local function gains_more(plan, name, more, than, moves)
  local parts = {}
  for _, point in ipairs(plan.points[name]) do
    parts[#parts + 1] = verdict.less(("%s: %s less %s"):format(label(point, name), NAMES[than],
      NAMES[more]), gains(point, than, moves), gains(point, more, moves))
  end
  return parts
end

local function of(plan, name, where, list)
  local function all(title, parts) list[#list + 1] = verdict.all(title, where, parts) end
  all("The better partition without faults, sorted-cuts, is better than PACK-BY-PACK-9 also where "
    .. "processors fail, without redistribution",
    less(plan, name, { "cuts", "none" }, { "pbp", "none" }))
  all("And with IteratedGreedy-EndGreedy inside the packs",
    less(plan, name, { "cuts", "ig" }, { "pbp", "ig" }))
  all("PACK-BY-PACK-9 is better than random packs, with IteratedGreedy-EndGreedy",
    less(plan, name, { "pbp", "ig" }, { "random", "ig" }))
  all("Redistribution gains more in the packs of RANDOM-PACK-9 than in those of PACK-BY-PACK-9",
    gains_more(plan, name, "random", "pbp", "ig"))
  all("k at a time, which ignores balance, is no worse than PACK-BY-PACK-9 with "
    .. "IteratedGreedy-EndGreedy (here: by no more than 1%)", (function()
      local parts = less(plan, name, { "wide", "ig" }, { "pbp", "ig" }, -0.01)
      return parts
    end)())
  all("Any packs are better than one by one, without redistribution",
    less(plan, name, { "wide", "none" }, { "alone", "none" }))
end

-- --- the page -----------------------------------------------------------------------------------

local function grid(plan, p, name)
  local head, rows = { "relative makespan" }, {}
  for i, point in ipairs(plan.points[name]) do head[i + 1] = label(point, name) end
  for _, pack in ipairs(experiment.packs) do
    for _, moves in ipairs(experiment.moves) do
      local row = { pack.name .. ", " .. moves.name }
      for i, point in ipairs(plan.points[name]) do
        local s = orrery.summary(experiment.relative(point, pack.key, moves.key))
        row[i + 1] = page.interval("%.3f", s.mean, s.half_width)
      end
      rows[#rows + 1] = row
    end
  end
  p:rows(head, rows)
end

-- Writes page.md.
function report.write(_, plan, chosen)
  local usual, list = plan.usual, {}
  local p = page.new "Which packs are best where processors fail?"
  p:text("Orrery %s, seed %d%s, %d runs of every point. %d tasks with m from %g to %g, drawn anew "
    .. "in every run, and f of 0, 0.04, 0.08, 0.16, 0.32 in turn, on %d processors, c = 0.1. Where "
    .. "nothing else is said: at most %d tasks in a pack, MTBF of a processor %g years. Numbers "
    .. "are makespans over that of PACK-BY-PACK-9 without redistribution in the same run.",
    orrery.version, plan.seed, plan.given.quick and ", `--quick`" or "", plan.runs, usual.n,
    usual.m[1], usual.m[2], usual.procs, usual.k, usual.years)
  for _, one in ipairs(experiment.names) do
    if chosen[one[1]] then of(plan, one[1], "figure " .. one[1], list) end
  end
  p:heading("Questions"):statements(list):heading "Figures"
  for _, one in ipairs(experiment.names) do
    if chosen[one[1]] then
      p:picture("figure-" .. one[1], "Relative " .. one[2])
      grid(plan, p, one[1])
    end
  end
  p:heading("All comparisons"):comparisons(list)
  reproduction.write(plan.given, "page.md", p:markdown())
  plan.statements = list
end

return report
