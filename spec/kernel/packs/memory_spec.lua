-- Packs without memory, and the checker of co-schedules: what is wrong is found, whatever it is.
local native = require "native_packs"

describe("packs without memory", function()
  for _, what in ipairs { "allocation", "coschedule", "exact", "cuts" } do
    it("fail cleanly at every allocation: " .. what, function()
      for _, silent in ipairs { false, true } do
        local allowed = 0
        while true do
          local message, bytes = native.starve(what, allowed, silent)
          assert.equal(0, bytes)
          if not message then break end
          assert.matches("memory", message, 1, true)
          allowed = allowed + 1
        end
        assert.is_true(allowed > 5)
      end
    end)
  end
end)

describe("the checker of co-schedules", function()
  local expected = {
    ["no pack"] = "task 3 is in no pack",
    ["too many procs"] = "the tasks of pack 1 have 21 processors, there are 20",
    ["no procs"] = "task 5 runs on 1 to 20 processors, not on 0",
    ["other order"] = "the lists of tasks are not what packs say",
    ["empty pack"] = "pack 4 is empty",
    ["other count"] = "10 tasks in 3 packs are no co-schedule of 11 tasks",
  }

  it("says what is wrong", function()
    assert.is_nil(native.spoiled "nothing")
    for fault, message in pairs(expected) do assert.equal(message, native.spoiled(fault)) end
    assert.is_truthy(native.spoiled("other pack"):find "^pack 1 costs %S+ s, not %S+ s$")
    assert.is_truthy(native.spoiled("other cost"):find "^pack 2 costs %S+ s, not %S+ s$")
    assert.is_truthy(native.spoiled("other total"):find "^the co%-schedule costs %S+ s, not %S+ s$")
  end)
end)
