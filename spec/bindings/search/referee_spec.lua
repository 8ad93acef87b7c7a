-- Which candidate the referee chooses, and by how much candidates break constraints, by hand.
require "orrery"
local referee = require "orrery.search.referee"

-- An evaluator whose values are those of the candidates' own lists, by metric.
local function judge(constraints, sign)
  local evaluator = { metrics = { "wait_mean", "bsld_mean" } }
  function evaluator.values(_, _, candidate, metric)
    return table.move(candidate[metric], 1, #candidate[metric], 1, {})
  end
  function evaluator.mean(_, _, candidate)
    return (candidate[1][1] + candidate[1][2]) / 2
  end
  function evaluator.sign() return sign or 1 end
  return referee.new(evaluator, {}, constraints)
end

local base = { { 10, 20 }, { 4, 6 } }

describe("the referee", function()
  it("adds up by which share of its bound each constraint is broken", function()
    local two = judge { { metric = 1, most = 1.1, of = base }, { metric = 2, most = 1, of = base } }
    assert.equal(0, two:excess("validation", base))
    assert.equal(0, two:excess("validation", { { 11, 22 }, { 4, 6 } }))
    -- 20, 24 against 11, 22: 5.5 of 16.5; and 6, 6 against 4, 6: 1 of 5
    local found = two:excess("validation", { { 20, 24 }, { 6, 6 } })
    assert.is_true(math.abs(found - (5.5 / 16.5 + 1 / 5)) < 1e-12, found)
    assert.equal(0, judge({}):excess("validation", { { 1e9, 1e9 }, { 1, 1 } }))
  end)

  it("chooses the best that keeps the constraints, else the one that breaks them least", function()
    local a, b, c = { { 5, 7 }, { 9, 9 } }, { { 8, 8 }, { 5, 5 } }, { { 9, 9 }, { 4, 4 } }
    local kept = judge { { metric = 2, most = 1, of = base } }
    assert.equal(b, kept:choose("validation", { a, b, c }))
    assert.equal(b, kept:choose("validation", { c, b, a }))
    assert.equal(a, judge({}):choose("validation", { c, a, b }))
    assert.equal(c, judge({}, -1):choose("validation", { a, b, c })) -- more is better
    local strict = judge { { metric = 2, most = 0.5, of = base } }
    assert.equal(c, strict:choose("validation", { a, b, c }))
    assert.equal(a, judge({}):choose("validation", { a, { { 6, 6 }, { 1, 1 } } })) -- the first
    assert.is_nil(judge({}):choose("validation", {}))
  end)
end)
