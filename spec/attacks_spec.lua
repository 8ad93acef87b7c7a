-- The attacks of spec/support/attacks.lua: what comes is what spec/ATTACKS.md says.
local attacks = require "spec.support.attacks"

describe("an attack on the program", function()
  local rows = attacks.rows()

  it("is one of a hundred or more, and all are in the table", function()
    assert.is_true(#attacks.LIST >= 100)
    assert.equal(#attacks.LIST, #rows)
  end)

  for number, one in ipairs(attacks.LIST) do
    it(("%d, %s: %s"):format(number, one[1], one[2]), function()
      if one[1] == "Batsim" and os.getenv "LD_PRELOAD" then pending "not with a sanitizer" end
      local status, came, said, left = attacks.run(one)
      assert.is_truthy(said:find(came, 1, true) or came:find "%?" or #came == 120, said)
      assert.equal(rows[number], attacks.row(number, status, came), said)
      assert.is_nil(said:find "[\0-\8\11-\12\14-\31\127]", "a control character")
      assert.is_nil(said:find "traceback")
      assert.is_nil(said:find "orrery/[%w_/]+%.lua:%d", said)
      assert.is_nil((" " .. left .. " "):find " evil ", "what was planted ran")
      assert.is_nil(left:find "%.tmp", "left: " .. left)
    end)
  end
end)
