-- Functions of lists and tables, which bindings, commands and reproductions share.
require "orrery"
local lists = require "orrery.support.lists"

describe("lists", function()
  it("maps with the position, and takes a field of each", function()
    assert.same({ "a1", "b2" }, lists.map({ "a", "b" }, function(one, i) return one .. i end))
    assert.same({ 7, 8 }, lists.fields({ { x = 7 }, { x = 8 } }, "x"))
  end)

  it("takes those that are wanted, and the first of the least", function()
    assert.same({ 2, 4 }, lists.those({ 1, 2, 3, 4 }, function(x) return x % 2 == 0 end))
    assert.equal("bb", lists.least({ "aaa", "bb", "cc" }, function(text) return #text end))
    assert.is_nil(lists.least({ "a" }, function() return nil end))
  end)

  it("makes sets, and joins lists into a new one", function()
    local one = { 1, 2 }
    assert.same({ [1] = true, [2] = true }, lists.set(one))
    assert.same({ 1, 2, 3 }, lists.joined(one, {}, { 3 }))
    assert.same({ 1, 2 }, one)
  end)

  it("merges tables, the last one over those before, and copies", function()
    local base = { a = 1, b = 2 }
    assert.same({ a = 1, b = 3, c = 4 }, lists.merged(base, nil, { b = 3 }, { c = 4 }))
    assert.same({ a = 1, b = 2 }, base)
    local copy = lists.merged(base)
    copy.a = 5
    assert.equal(1, base.a)
    assert.same({}, lists.merged())
  end)
end)
