-- Tasks: profiles, tables and their repair, the generator, memory that runs out.
local native = require "native_tasks"

describe("tasks", function()
  it("give their memory back when it runs out, and stay whole", function()
    local message, left, calls
    for n = 1, 1000 do
      message, left, calls = native.build_failing(100, n)
      assert.equal(0, left)
      if not message then break end
      assert.matches("out of memory", message, nil, true)
    end
    assert.is_nil(message)
    assert.is_true(calls > 8)
  end)

  it("are generated again without an allocation", function()
    local allocations, count, size = native.regenerate(1000, 5, 3)
    assert.same({ 0, 1000 }, { allocations, count })
    assert.is_true(size >= 1.5e6 and size < 2.5e6)
  end)
end)
