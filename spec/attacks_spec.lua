-- The attacks of spec/support/attacks.lua: what comes is what spec/ATTACKS.md says.
local attacks = require "spec.support.attacks"

-- What takes more than a second, and three of four others, are tried with ORRERY_ROUNDS alone.
local LONG = { ["a gzip bomb of 300 MB"] = true, ["SIGINT in mid-run"] = true,
  ["an artifact.json that is a device"] = true,
  ["a pipe that nobody reads"] = true, ["a specification that never ends"] = true,
  ["a file of a gigabyte"] = true, ["an artifact.json that is 100000 deep"] = true }

describe("an attack on the program", function()
  local rows = attacks.rows()

  it("is one of a hundred or more, and all are in the table", function()
    assert.is_true(#attacks.LIST >= 100)
    assert.equal(#attacks.LIST, #rows)
  end)

  for number, one in ipairs(attacks.LIST) do
    local long = (LONG[one[2]] or number % 4 ~= 1) and " #long" or ""
    it(("%d, %s: %s%s"):format(number, one[1], one[2], long), function()
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
