-- Every file of the product has specs that `make mutants` runs, and the table names no others.
local specs_of = require "spec.support.specs_of"

describe("the specs of a file", function()
  it("are there", function()
    assert.same({}, specs_of.missing())
  end)

  it("are known for every file whose mutants are tried", function()
    local list = {}
    local files = assert(io.popen "git ls-files kernel bindings scripts policies 2>/dev/null")
    for path in files:lines() do
      if specs_of.has_mutants(path) and not specs_of.file(path)[1] then list[#list + 1] = path end
    end
    files:close()
    assert.same({}, list)
  end)

  it("are the one of the same path, and the nearest ones", function()
    assert.same({ "spec/kernel/rigid/queue/queue_spec.lua" },
      specs_of.file "kernel/rigid/queue/queue.c")
    assert.same({ "spec/kernel/rigid/fast/shortcuts_spec.lua" },
      specs_of.file "kernel/rigid/fast/greedy.c")
    assert.same({ "spec/scripts/new-policy_spec.lua" },
      specs_of.file "scripts/command/new_policy/hooks.lua")
    assert.same({ "spec/kernel/workload/map_spec.lua", "spec/kernel/workload/formats_spec.lua" },
      specs_of.file "kernel/workload/map.c")
    assert.same({}, specs_of.file "kernel/nowhere/file.c")
  end)
end)
