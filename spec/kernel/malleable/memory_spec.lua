-- A simulation of a pack that runs out of memory at any allocation says so, and leaves nothing
-- behind; one that was reset is as new.
local native = require "native_malleable"
local starve = require("native_starve").starve

describe("a simulation of a pack without memory", function()
  for _, law in ipairs { "exponential", "weibull" } do
    for _, record in ipairs { true, false } do
      it(("fails cleanly at every allocation, %s faults%s"):format(law,
        record and ", recorded" or ""), function()
        local allowed = 0
        while true do
          local ok, message, blocks, bytes = native.starve(law, record, allowed)
          assert.equal(0, blocks)
          assert.equal(0, bytes)
          if ok then break end
          assert.matches("memory", message, 1, true)
          allowed = allowed + 1
        end
        assert.is_true(allowed > 10)
      end)
    end
  end
end)

describe("a change without memory", function()
  for _, law in ipairs { "exponential", "weibull" } do
    it(("fails cleanly at every allocation, and leaves the run alone, %s faults"):format(law),
      function()
        local fine, message, blocks, bytes, calls, ends = native.starve_change(law, 0)
        assert.same({ true, "", 0, 0 }, { fine, message, blocks, bytes })
        assert.is_true(calls > 10 and ends > 0)
        for n = 1, calls do
          local ok, problem, left, size, _, same = native.starve_change(law, n)
          assert.is_false(ok)
          assert.matches("memory", problem, 1, true)
          assert.same({ 0, 0, ends }, { left, size, same })
        end
      end)

    it("gives a simulation that begins again as any other, with its sizes: " .. law, function()
      local expected, found = native.changed_again(law)
      assert.equal(expected, found)
    end)
  end
end)

describe("a simulation of a pack whose caller passes NULL for every error", function()
  for _, law in ipairs { "exponential", "weibull" } do
    it("refuses the same, and fails cleanly at every allocation: " .. law, function()
      local good, refused, blocks, bytes, calls = native.mute(law, 0)
      assert.same({ true, true, 0, 0 }, { good, refused, blocks, bytes })
      assert.is_true(calls > 40, calls)
      for n = 1, calls do
        good, refused, blocks, bytes = native.mute(law, n)
        assert.same({ false, true, 0, 0 }, { good, refused, blocks, bytes })
      end
    end)
  end
end)

describe("many runs of packs without memory", function()
  for _, law in ipairs { "exponential", "weibull", "log" } do
    for _, how in ipairs { "one", "rest" } do
      it(("fail cleanly at every allocation, %s faults, %s fails"):format(law, how), function()
        for threads = 1, 2 do
          local n = 1
          while true do
            local status, message, left, policies, calls = starve("tasks", law, n, how, threads)
            assert.same({ 0, 0 }, { left, policies })
            if calls < n then
              assert.equal(0, status)
              break
            end
            assert.is_truthy(message and message:find("memory", 1, true))
            n = n + 1
          end
          assert.is_true(n > 30, n)
        end
      end)
    end
  end
end)

describe("a simulation that begins again", function()
  for _, law in ipairs { "exponential", "weibull" } do
    it("gives the same for the same run, whatever was before, and allocates nothing: " .. law,
      function()
        local stopped, first, other, second, allocations = native.again(law)
        assert.is_true(stopped)
        assert.same(first, second)
        assert.are_not.same(first, other)
        assert.equal(0, allocations)
      end)
  end
end)
