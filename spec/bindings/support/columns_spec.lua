-- Rows of texts as lines, by hand.
require "orrery"
local columns = require "orrery.support.columns"

describe("columns", function()
  it("stand the first to the left, others to the right, as wide as the widest letters", function()
    assert.same({ "policy  wait", "é        1.5", "x" },
      columns { { "policy", "wait" }, { "é", "1.5" }, { "x", "" } })
    assert.same({ "a\xff  b" }, columns { { "a\xff", "b" } })
    assert.same({ "", "x" }, columns { {}, { "x" } })
    assert.same({}, columns {})
  end)

  it("that do not fit follow below, behind the first one", function()
    local rows = { { "id", "aa", "bb", "cc" }, { "1", "2", "3" } }
    assert.same({ "id  aa  bb  cc", "1    2   3" }, columns(rows, 14))
    assert.same({ "id  aa  bb", "1    2   3", "", "id  cc", "1" }, columns(rows, 13))
    assert.same({ "id  aa", "1    2", "", "id  bb", "1    3", "", "id  cc", "1" }, columns(rows, 1))
  end)
end)
