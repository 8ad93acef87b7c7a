local native = require "native_rooms"

local OK, MEMORY = 0, 1

-- With every allocation refused once: status, all elements as they should be, bytes left over.
local function check_refusals(run, elements)
  local status, good, bytes, calls = run(elements, 0)
  assert.same({ OK, true, 0 }, { status, good, bytes })
  assert.is_true(calls > 0)
  for refused = 1, calls do
    status, good, bytes = run(elements, refused)
    assert.same({ true, 0 }, { good, bytes })
    if refused < calls then assert.equal(MEMORY, status) end
  end
  return calls
end

describe("an array that grows", function()
  it("keeps its elements, and is as it was where there is no memory", function()
    -- the last allocation trims: where it is refused the array stays as large as it is
    assert.equal(3, check_refusals(native.array, 256 - 1)) -- two first rooms, a trim
    assert.equal(7, check_refusals(native.array, 256 * 4 + 1)) -- 256, 512, 1024, 2048, and a copy
  end)

  it("is refused where it is larger than any memory", function()
    local status, message = native.array_overflows()
    assert.equal(MEMORY, status)
    assert.matches("out of memory", message)
  end)
end)

describe("a block of arrays", function()
  it("holds aligned arrays that do not overlap", function()
    for rows = 0, 20 do
      local status, good, bytes = native.block(rows, 0)
      assert.same({ OK, true, 0 }, { status, good, bytes })
    end
    local status, good, bytes = native.block(7, 1)
    assert.same({ MEMORY, true, 0 }, { status, good, bytes })
  end)

  it("that grows keeps its rows, and is as it was where there is no memory", function()
    for refused = 0, 8 do
      local status, good, bytes = native.grown_block(500, refused)
      assert.same({ refused == 0 and OK or MEMORY, true, 0 }, { status, good, bytes })
    end
  end)

  it("is refused where it is larger than any memory", function()
    assert.same({ MEMORY, MEMORY }, { native.block_overflows() })
  end)
end)
