-- The registry of kinds of policies: commands and searches go by it.
local orrery = require "orrery"
local policy_kinds = require "orrery.schema.policy_kinds"
local search_kinds = require "orrery.search.kinds"
local workloads = require "orrery.command.check.workloads"

describe("a kind of policy", function()
  it("says what simulates it, which check and searches know", function()
    for name, kind in pairs(policy_kinds.by_name) do
      assert.is_number(workloads.kinds[kind.of], name)
      assert.equal(kind.of, search_kinds[kind.of].name)
    end
  end)

  it("has a template with specs", function()
    local has = {}
    for _, name in ipairs(policy_kinds.templates) do
      has[name] = true
      for _, file in ipairs { name, name .. "_spec" } do
        assert(io.open(("%s/scripts/command/new_policy/%s.lua"):format(orrery.home, file))):close()
      end
    end
    for name, kind in pairs(policy_kinds.by_name) do
      assert.is_true(has[name])
      assert.is_string(kind.starts)
    end
  end)

  it("is known by a key of its table", function()
    local known = {}
    for _, sign in ipairs(policy_kinds.signs) do known[sign[2]] = true end
    for name in pairs(policy_kinds.by_name) do assert.is_true(known[name], name) end
  end)

  it("is named by nothing else that finds, loads, runs or searches policies", function()
    local pipe = assert(io.popen(("cd '%s/bindings' && grep -rln '\"redistribute' host run session "
      .. "search"):format(orrery.home)))
    local text = pipe:read "a"
    pipe:close()
    assert.equal("", text)
  end)
end)
