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

  -- Large blocks of memory that copies share begin with zeros, others do not.
  it("is zero where it should be, whoever gives it, whatever its size", function()
    for _, size in ipairs { 1, 64, (1 << 17) - 1, 1 << 17, (1 << 17) + 1, 1 << 20 } do
      assert.equal(0, native.cleared(size, 1, false), size)
      assert.equal(0, native.cleared(size, 1, true), size)
    end
    assert.equal(0, native.cleared(1 << 16, 3, false))
    assert.equal(0, native.cleared(1 << 16, 3, true))
  end)

  it("is refused when count times size does not fit", function()
    assert.is_true(native.calloc_overflows())
  end)
end)
