local random = require "native_random"
local native = require "native_rooms"
local rounds = require "spec.support.rounds"

local OK, MEMORY = 0, 1

describe("a sort", function()
  it("leaves equal elements in their order (by hand)", function()
    assert.same({ 4, 2, 5, 1, 3 }, (native.sort({ 3, 1, 3, 0, 1 }, 0)))
    assert.same({}, (native.sort({}, 0)))
    assert.same({ 1 }, (native.sort({ 5 }, 0)))
  end)

  it("puts any array in order, equal elements as they were", function()
    local rng = random(5)
    for _ = 1, rounds(300, 300, 25) do
      local keys, expected = {}, {}
      local different = rng:integer(1, 60)
      for i = 1, rng:integer(0, 100) do
        keys[i], expected[i] = rng:integer(1, different), i
      end
      table.sort(expected, function(i, j)
        return keys[i] < keys[j] or (keys[i] == keys[j] and i < j)
      end)
      local places, status, bytes = native.sort(keys, 0)
      assert.same({ expected, OK, 0 }, { places, status, bytes })
    end
  end)

  it("without memory leaves all as it was", function()
    local places, status, bytes, calls = native.sort({ 3, 2, 1 }, 1)
    assert.same({ { 1, 2, 3 }, MEMORY, 0, 1 }, { places, status, bytes, calls })
  end)
end)
