-- Step functions over time, by hand.
require "orrery"
local steps = require "orrery.draw.steps"

describe("a step function", function()
  local list = { { time = 2, a = 4 }, { time = 5, a = 1 }, { time = 5.5, a = 8 }, { time = 6 } }

  it("has a mean and a largest value in each of equal parts", function()
    assert.same({ { 0, 0 }, { 4, 4 }, { (4 + 0.5 + 4) / 2, 8 }, { 0, 0 } },
      steps.parts(list, "a", 0, 8, 4))
    assert.same({ { 4, 4 } }, steps.parts(list, "a", 3, 5, 1))
    assert.same({ { 4, 5 } }, steps.parts({ { time = 0, a = 3 }, { time = 1, a = 5 } }, "a",
      0, 2, 1))
    assert.same({ { 3, 3 }, { 3, 3 } }, steps.parts({ { time = 0, a = 3 } }, "a", 8, 9, 2))
    assert.same({ { 0, 0 } }, steps.parts({}, "a", 0, 1, 1))
  end)

  it("is a sum of changes in the order of their times", function()
    assert.same({ { time = 1, n = 5 }, { time = 4, n = 3 } },
      steps.of({ { 4, -1 }, { 1, 2 }, { 1, 3 }, { 4, -1 } }, "n"))
    assert.same({}, steps.of({}, "n"))
  end)
end)
