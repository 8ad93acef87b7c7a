local native = require "native_base"

local OK, MEMORY = 0, 1

describe("memory", function()
  for user, allocations in pairs { calendar = 1, stats = 2, ranks = 2, histogram = 4,
    blocks = 3 } do
    it("refused at any call leaves nothing behind: " .. user, function()
      local status, bytes, calls = native.with_refusal(user, 0)
      assert.same({ OK, 0, allocations }, { status, bytes, calls })
      for refused = 1, allocations do
        status, bytes = native.with_refusal(user, refused)
        assert.same({ MEMORY, 0 }, { status, bytes })
      end
    end)
  end

  it("is refused when count times size does not fit", function()
    assert.is_true(native.calloc_overflows())
  end)
end)
