-- A simulation that runs out of memory at any allocation says so, and leaves nothing behind.
local native = require "native_runs"

local jobs = { procs = 6, verification = 0 }
for i = 1, 30 do
  jobs[i] = { procs = i % 5 + 1, time = i % 7, submit = i % 3 }
end

describe("a simulation without memory", function()
  for _, reservations in ipairs { 0, 1, 3, 0x7fffffff } do -- the last: all
    it("fails cleanly at every allocation, m = " .. reservations, function()
      for _, record in ipairs { true, false } do
        local allowed = 0
        while true do
          local ok, message, blocks, bytes = native.starve(jobs, reservations, allowed, record)
          assert.equal(0, blocks)
          assert.equal(0, bytes)
          if ok then break end
          assert.is_truthy(message:find("memory", 1, true))
          allowed = allowed + 1
        end
        assert.is_true(allowed >= 16)
      end
    end)
  end
end)
