-- Checksums of texts: FNV-1a, 64 bits.
local checksum = require("orrery").tools.checksum
local random = require("orrery").random
local rounds = require "spec.support.rounds"

local function plain(text)
  local hash = 0xcbf29ce484222325
  for i = 1, #text do hash = (hash ~ text:byte(i)) * 0x100000001b3 end
  return ("%016x"):format(hash)
end

describe("a checksum", function()
  it("is that of the published vectors", function()
    assert.equal("cbf29ce484222325", checksum "")
    assert.equal("af63dc4c8601ec8c", checksum "a")
    assert.equal("85944171f73967e8", checksum "foobar")
  end)

  it("is that of a plain loop, for any bytes", function()
    local rng = random(64)
    for _ = 1, rounds(300, 300, 25) do
      local bytes = {}
      for i = 1, rng:integer(0, 100) do bytes[i] = string.char(rng:integer(0, 255)) end
      local text = table.concat(bytes)
      assert.equal(plain(text), checksum(text))
    end
  end)
end)
