local native = require "native_base"

local ARGUMENT, INPUT = 2, 3

describe("an error", function()
  it("keeps its status and message", function()
    assert.same({ INPUT, INPUT, "line 3: no number" }, { native.fail(INPUT, "line 3: no number") })
    assert.same({ INPUT, INPUT, "a.swf: line 3: no number" },
      { native.fail(INPUT, "line 3: no number", "a.swf") })
  end)

  it("may be NULL", function()
    assert.same({ INPUT, 1 }, { native.fail_silently() })
  end)

  it("is cut to 2047 bytes, never inside a character", function()
    for _, character in ipairs { "x", "\u{e9}", "\u{20ac}", "\u{1f680}" } do
      for shift = 0, 4 do
        local text = ("-"):rep(shift) .. character:rep(3000)
        local whole = (2047 - shift) // #character
        local _, _, message = native.fail(ARGUMENT, text)
        assert.equal(("-"):rep(shift) .. character:rep(whole), message)
        assert.is_truthy(utf8.len(message))
        _, _, message = native.fail(ARGUMENT, text, "file") -- "file: " has 6 bytes
        whole = math.min(whole, (2047 - 6 - shift) // #character)
        assert.equal("file: " .. ("-"):rep(shift) .. character:rep(whole), message)
        _, _, message = native.fail(ARGUMENT, "lost", text) -- the prefix alone fills it
        assert.is_truthy(utf8.len(message))
        assert.is_true(#message <= 2047)
      end
    end
  end)

  it("of a full message keeps every byte", function()
    local text = ("x"):rep(2047)
    assert.equal(text, (select(3, native.fail(ARGUMENT, text))))
    text = ("x"):rep(2045) .. "\u{e9}"
    assert.equal(text, (select(3, native.fail(ARGUMENT, text))))
  end)
end)
