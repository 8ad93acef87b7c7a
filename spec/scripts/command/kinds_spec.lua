-- The kinds of comparisons on two curves of two points: labels, numbers and bounds, by hand.
require "orrery"

local kinds = require "orrery.command.kinds"
local verdict = require "orrery.command.verdict"

describe("orrery.command.kinds", function()
  local points = { { at = "x = 1", factor = 1 }, { at = "x = 2", factor = 2 } }

  local function curve(name, ...)
    local values = { ... }
    return { name = name, samples = function(point)
      local list = {}
      for i, value in ipairs(values) do list[i] = value * point.factor end
      return list
    end }
  end

  local a, b = curve("a", 1, 3), curve("b", 4, 4)
  local nowhere = { name = "nowhere", samples = function() return nil end }
  local named = { name = "n", samples = function(point) return { 8 }, "n at " .. point.at end }

  -- What the parts are, as "label: mean relation bound".
  local function told(parts)
    if #parts == 0 then return {} end
    local list = {}
    for i, part in ipairs(verdict.all("title", "where", parts).parts) do
      list[i] = ("%s: %g %s %g"):format(part.label, part.mean, part.relation, part.bound)
    end
    return list
  end

  it("are a mean against a bound", function()
    assert.same({ "a, x = 1: 2 < 5", "a, x = 2: 4 < 5", "n at x = 1, x = 1: 8 < 5",
      "n at x = 2, x = 2: 8 < 5" }, told(kinds.values({ a, nowhere, named }, points, "<", 5)))
    local found = kinds.values({ a }, { points[1] }, ">", 0, function(label, samples, ...)
      return verdict.known(label, #samples, ...)
    end)
    assert.same({ "a, x = 1: 2 > 0" }, told(found))
  end)

  it("are two curves against each other", function()
    assert.same({ "x = 1: a less b: -2 < -0.5", "x = 2: a less b: -4 < -0.5" },
      told(kinds.less({ { a, b }, { a, nowhere } }, points, 0.5)))
    assert.same({ "x = 1: b less a: 2 <= 0.5" },
      told(kinds.no_more({ { b, a } }, { points[1] }, 0.5)))
    assert.same({ "x = 1: a less b: -2 <= 3", "x = 1: b less a: 2 <= 3" },
      told(kinds.alike(a, b, { points[1] }, 3)))
    -- the geometric mean of 1/4 and 3/4
    assert.same({ "x = 1: a over b: 0.433013 < 1" },
      told(kinds.ratios({ { a, b }, { nowhere, b } }, { points[1] }, "<", 1)))
    assert.same({ "x = 1: a over b: -0.566987 < 1" },
      told(kinds.excess({ { a, b } }, { points[1] }, "<", 1)))
    assert.same({ "x = 1: a over b: -0.566987 <= 0.1", "x = 1: a over b: -0.566987 >= -0.1" },
      told(kinds.within({ { a, b }, { a, nowhere } }, { points[1] }, 0.1)))
  end)

  it("are a curve at two points", function()
    assert.same({ "a: x = 1 less x = 2: -2 < 0" },
      told(kinds.rises({ a, nowhere }, points[1], points[2])))
    assert.same({ "a: x = 2 over x = 1: 1 >= 0.2" },
      told(kinds.growth({ a, nowhere }, points[1], points[2], ">=", 0.2)))
  end)
end)
