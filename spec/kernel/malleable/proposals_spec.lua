-- A policy that proposes anything at all, legal and illegal: what the manual forbids is refused
-- with a clear message and changes nothing, what it allows is done, and the schedule is possible.
-- ORRERY_DECISIONS=1000000: so many of them.
local native = require "native_proposals"
local rounds = require "spec.support.rounds"

local decisions = tonumber(os.getenv "ORRERY_DECISIONS") or rounds(300000, 300000, 50000)

describe("random proposals for malleable tasks", function()
  it("are taken where they are legal, and otherwise refused without a trace", function()
    local accepted, refused, runs = native.malleable(decisions, 1)
    for verb, count in pairs(accepted) do
      assert.is_true(count > decisions / 100, verb)
      assert.is_true(refused[verb] > decisions / 100, verb)
    end
    assert.is_true(runs > decisions / 500)
  end)
end)
