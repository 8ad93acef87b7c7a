-- Plain data as Lua source.
local literals = require("orrery").tools.literals()

describe("exact source", function()
  it("gives the same data again, whatever the keys are", function()
    local data = { 1, 2.0, "a\nb", ["end"] = true, ["a-b"] = -0.0, [2.5] = math.huge, [-3] = {},
      [true] = 0.1, [7] = math.mininteger + 1, list = { false, { x = 1 / 3 } } }
    local found = literals.read(literals.exact(data))
    assert.same(data, found)
    assert.equal("float", math.type(found[2]))
    assert.equal(-math.huge, 1 / found["a-b"])
  end)

  it("refuses what is no plain data", function()
    assert.has_error(function() literals.exact { { print } } end,
      "only plain data can be written as Lua")
  end)
end)

describe("source for people", function()
  local function shown(value) return literals.shown(value, function() return "f" end) end

  it("is short", function()
    assert.equal('{ 1, 0.1, "x", a = { b = f }, ["c d"] = 1e+30 }',
      shown { 1.0, 0.1, "x", a = { b = print }, ["c d"] = 1e30 })
    assert.equal("{}", shown {})
    local long = {}
    for i = 1, 41 do long[i] = i end
    assert.equal("{ rows = { --[[ 41 items ]] } }", shown { rows = long })
  end)

  it("is nothing where something else is inside, or too deep", function()
    assert.is_nil(shown { { io.stdout } })
    assert.is_nil(shown { { { { { { {} } } } } } })
  end)
end)
