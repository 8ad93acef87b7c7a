-- statements: what the experiment asks, answered by the samples.
local cells = require "orrery.command.cells"
local drawing = require "orrery.command.drawing"
local verdict = require "orrery.command.verdict"

local figures = require "orrery.reproduce.failing-packs.figures"
local paper = require "orrery.reproduce.failing-packs.plan"

local statements = {}

local NAMES = {}
for _, one in ipairs(drawing.joined(paper.packs, paper.moves)) do NAMES[one.key] = one.name end

-- About the points of one figure.
local function of(store, plan, name)
  local points = plan.points[name]

  -- At every point: relative makespans of a less those of b.
  local function less(a, b, margin)
    return verdict.each(points, function(point)
      return verdict.less(("%s: %s, %s less %s, %s"):format(figures.label(point, name),
        NAMES[a[1]], NAMES[a[2]], NAMES[b[1]], NAMES[b[2]]),
        store:relative(point, a[1], a[2]), store:relative(point, b[1], b[2]), margin)
    end)
  end

  -- What redistribution adds to a partition's makespan, as a share.
  local function added(point, pack, moves)
    return cells.excess(store:samples(point, pack, "none", "makespan"),
      store:samples(point, pack, moves, "makespan"))
  end

  -- It takes more off the makespan of one partition than off the other's.
  local function gains_more(more, than, moves)
    return verdict.each(points, function(point)
      return verdict.less(("%s: %s less %s"):format(figures.label(point, name), NAMES[than],
        NAMES[more]), added(point, more, moves), added(point, than, moves))
    end)
  end

  return { where = "figure " .. name,
    { "The better partition without faults, sorted-cuts, is better than PACK-BY-PACK-9 also where "
      .. "processors fail, without redistribution", less({ "cuts", "none" }, { "pbp", "none" }) },
    { "And with IteratedGreedy-EndGreedy inside the packs",
      less({ "cuts", "ig" }, { "pbp", "ig" }) },
    { "PACK-BY-PACK-9 is better than random packs, with IteratedGreedy-EndGreedy",
      less({ "pbp", "ig" }, { "random", "ig" }) },
    { "Redistribution gains more in the packs of RANDOM-PACK-9 than in those of PACK-BY-PACK-9",
      gains_more("random", "pbp", "ig") },
    { "k at a time, which ignores balance, is no worse than PACK-BY-PACK-9 with "
      .. "IteratedGreedy-EndGreedy (here: by no more than 1%)",
      less({ "wide", "ig" }, { "pbp", "ig" }, -0.01) },
    { "Any packs are better than one by one, without redistribution",
      less({ "wide", "none" }, { "alone", "none" }) },
  }
end

-- All questions about what was simulated.
function statements.of(store, plan, done)
  return verdict.judge(done.mtbf and of(store, plan, "mtbf"), done.k and of(store, plan, "k"))
end

return statements
