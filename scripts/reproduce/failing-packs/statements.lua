-- statements: the questions of the experiment, answered by the samples.
local cells = require "orrery.command.cells"
local kinds = require "orrery.command.kinds"
local lists = require "orrery.support.lists"
local verdict = require "orrery.command.verdict"

local paper = require "orrery.reproduce.failing-packs.plan"

local statements = {}

local NAMES = {}
for _, one in ipairs(lists.joined(paper.packs, paper.moves)) do NAMES[one.key] = one.name end

-- About the points of one figure.
local function of(store, plan, name)
  local points = plan.points[name]

  -- At every point: relative makespans of a minus those of b.
  local function less(a, b, margin)
    local function curve(pack, moves)
      return { name = ("%s, %s"):format(NAMES[pack], NAMES[moves]), samples = function(point)
        return store:relative(point, pack, moves)
      end }
    end
    return kinds.less({ { curve(table.unpack(a)), curve(table.unpack(b)) } }, points, margin)
  end

  -- Redistribution takes a larger share off the makespan of one partition than off another's.
  local function gains_more(more, than, moves)
    local function gains(pack)
      return { name = NAMES[pack], samples = function(point)
        return lists.map(cells.divided(store:samples(point, pack, moves, "makespan"),
          store:samples(point, pack, "none", "makespan")), function(ratio) return 1 - ratio end)
      end }
    end
    return kinds.less({ { gains(than), gains(more) } }, points)
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

-- All questions about the simulated figures.
function statements.of(store, plan, done)
  return verdict.judge(done.mtbf and of(store, plan, "mtbf"), done.k and of(store, plan, "k"))
end

return statements
