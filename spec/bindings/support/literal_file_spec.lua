-- Files of data: what is read, and where what is not data is refused.
require "orrery"
local literal_file = require "orrery.support.literal_file"

local function read(text) return literal_file.read("x.lua", text) end

local function refused(message, text)
  local done, problem = pcall(read, text)
  assert.is_false(done)
  assert.equal("x.lua:" .. message, problem.message)
end

describe("a file of data", function()
  it("holds texts, numbers, booleans and tables, with comments anywhere", function()
    assert.same({ 1, -2.5, 0x10, "a", 'b"', true, false, { x = { 2 } }, ["a b"] = 1,
      [70] = "seventy", last = 3 }, read [==[
-- a comment
return { 1, -2.5; 0x10, "a", 'b"', true, false, --[[ another, -- one ]] { x = { 2 } },
  ["a b"] = 1, [70] = "seventy", --[=[ a ]] third ]=]
  last = 3, } -- the end]==])
    assert.same({}, read "return{}")
    assert.same({ "a\tb\n\r\\\"'" }, read [[return { "a\tb\n\r\\\"'" }]])
    assert.same({ "it's", 'a "b"' }, read [[return { "it's", 'a "b"' }]])
    assert.same({ false, true }, read "return { false, true }")
  end)

  it("runs nothing, and names the place of what is no data", function()
    local value = "a text, a number, true, false or a table (a file of data has no functions)"
    refused('1: column 1: expected "return", found "x"', "x = 1")
    refused('1: column 1: expected "return", found "returned"', "returned {}")
    refused('1: column 8: expected a table, found "3"', "return 3")
    refused(("2: column 3: expected %s, found \"os.exit\""):format(value),
      "return {\n  os.exit() }")
    refused(('1: column 12: expected %s, found "nil"'):format(value), "return { 1,nil }")
    refused('1: column 13: expected a comma or a closing brace, found "+"', "return { 1  + 2 }")
    refused("1: column 11: expected a comma or a closing brace, found the end", "return { 1")
    refused('1: column 12: expected the end of the file, found "x"', "return { } x")
    refused('1: column 15: expected =, found "2"', "return { [1]  2 }")
    refused('1: column 12: expected ], found "="', "return { [1= 2 }")
  end)

  it("has texts that end in their line, and few escapes", function()
    refused('1: column 10: expected the end of a text, found """', 'return { "a\n" }')
    refused('1: column 12: expected a text with no other escapes than \\n, \\t, \\r, \\\\ and '
      .. 'quotes, found "\\"', [[return { "a\x41" }]])
    refused('1: column 8: expected the end of a comment, found "-"', "return --[[ {}")
  end)

  it("is at most 20 tables deep", function()
    local function nested(depth) return "return " .. ("{"):rep(depth) .. ("}"):rep(depth) end
    assert.is_table(read(nested(20)))
    local done = pcall(read, nested(21))
    assert.is_false(done)
  end)
end)
