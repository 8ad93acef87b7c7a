-- Small runs in which a running job is killed, requeued or moved once, or a node fails once or
-- twice: at every event and between any two, under every discipline, on one group and on two. Each
-- is checked, and what its attempts held is what the metrics say.
local native = require "native_monkey"

describe("a monkey among rigid jobs", function()
  it("finds no moment at which a strike breaks a schedule", function()
    local runs, strikes = native.rigid(1, 10)
    assert.is_true(runs > 20000)
    assert.is_true(strikes > runs / 2)
  end)
end)
