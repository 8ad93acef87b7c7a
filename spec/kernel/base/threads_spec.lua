-- Work in several threads; the specs of Monte Carlo run it with real work.
local native = require "native_rooms"

describe("threads", function()
  it("tell that all is done, also where the calling thread comes too late", function()
    assert.same({ 0, 21, 21 }, { native.late_progress(7, 3) })
  end)
end)
