-- Plain data as JSON, by hand.
require "orrery"
local json = require "orrery.support.json"

describe("JSON", function()
  it("has fields in an order, numbers in full, and leaves out what has no place", function()
    assert.equal('{"z":1,"a":0.10000000000000001,"b":[],"c":{},"d":[2,"x"],"e":false}\n',
      json.line({ a = 0.1, b = json.list {}, c = {}, d = { 2, "x" }, e = false, z = 1,
        f = 0 / 0, g = 1 / 0, h = -1 / 0, i = print }, { "z" }))
    assert.equal('{"a":null,"b":[1, 2]}\n', json.line({ a = json.null, b = json.raw "[1,\n 2]" },
      {}):gsub("1,2", "1, 2"))
    assert.equal("[]", json.exact(json.list {}) and require("dkjson").encode(json.list {}))
  end)

  it("shows bytes that are not UTF-8, each by itself", function()
    assert.equal('{"a":"é\\\\xff\\\\xfez\\\\xc3"}\n', json.line({ a = "é\xff\xfez\xc3" }, {}))
    assert.equal('{"\\\\x80":1}\n', json.line({ ["\x80"] = 1 }, {}))
  end)

  it("is the same for the same data, with names in order at every depth", function()
    assert.equal('{\n  "a":{\n    "x":1,\n    "y":2\n  },\n  "b":3\n}\n',
      json.text { b = 3, a = { y = 2, x = 1 } })
  end)
end)
