-- What is made of a finished run when memory runs out: an error, and everything given back.
local native = require "native_metrics"

describe("without memory", function()
  for _, name in ipairs { "bootstrap", "quantiles", "users", "timeline" } do
    it("there is no " .. name, function()
      local problem, bytes, calls = native.measure(name, 0)
      assert.same({ nil, 0 }, { problem, bytes })
      assert.is_true(calls >= 1)
      for n = 1, calls do
        problem, bytes = native.measure(name, n)
        assert.matches("memory", problem)
        assert.equal(0, bytes)
      end
    end)
  end
end)
