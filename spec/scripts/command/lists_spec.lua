-- What lists are made into, by hand.
require "orrery"

local lists = require "orrery.support.lists"

describe("orrery.support.lists", function()
  local list = { { n = 3 }, { n = 1 }, { n = 2 }, { n = 1 } }

  it("makes other lists", function()
    assert.same({ "a1", "b2" }, lists.map({ "a", "b" }, function(one, i) return one .. i end))
    assert.same({ 3, 1, 2, 1 }, lists.fields(list, "n"))
    assert.same({ list[1], list[3] }, lists.those(list, function(one) return one.n > 1 end))
    assert.same({ 1, 2, 3 }, lists.joined({ 1 }, {}, { 2, 3 }))
  end)

  it("finds the first one that is wanted", function()
    assert.equal(list[2], lists.find(list, function(one) return one.n < 3 end))
    assert.is_nil(lists.find(list, function(one) return one.n > 3 end))
  end)

  it("finds the first one that is least", function()
    assert.equal(list[2], lists.least(list, function(one) return one.n end))
    assert.equal(list[3], lists.least(list, function(one) return one.n > 1 and one.n end))
    assert.is_nil(lists.least(list, function() return nil end))
  end)
end)
