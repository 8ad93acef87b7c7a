-- The policies that a call names, and what is noted of their runs.
require "orrery"
local policy_list = require "orrery.run.policy_list"

describe("the policies of a call", function()
  it("are the list, the one, or the default", function()
    assert.same({ "a" }, policy_list.of({ policies = { "a" } }, "d"))
    assert.same({ "b" }, policy_list.of({ policy = "b" }, "d"))
    assert.same({ "d" }, policy_list.of({}, "d"))
    assert.has_error(function() policy_list.of({ policy = "a", policies = { "a" } }, "d") end,
      "give policy or policies, not both")
    for _, none in ipairs { {}, "a", 3 } do
      assert.has_error(function() policy_list.of({ policies = none }, "d") end,
        "policies: expected a list of at least one policy")
    end
  end)

  -- Each takes the options that it has.
  local function make(policy, options, used)
    for name in pairs(options) do used[name] = used[name] or policy == name or nil end
    return { policy_name = policy, priority_name = "p" .. policy }
  end

  it("are prepared in their order, and each option must be one of theirs", function()
    local prepared = policy_list.prepare({ "x", "y" }, { x = 1 }, make)
    assert.same({ { name = "x", priority = "px" }, { name = "y", priority = "py" } },
      policy_list.named(prepared))
    assert.has_error(function() policy_list.prepare({ "x" }, { z = 1 }, make) end,
      "no policy here has an option 'z'; `orrery policies` lists them")
    local used = {}
    policy_list.prepare({ "x" }, { x = 1, z = 1 }, make, used) -- who asks looks himself
    assert.same({ x = true }, used)
  end)

  it("have each reason for one thread noted once", function()
    assert.same({ "policy a runs on one thread: it reads f",
      "policy c runs on one thread: it reads g" },
      policy_list.notes { { policy_name = "a", reason = "f" }, { policy_name = "b", reason = "f" },
        { policy_name = "c", reason = "g" }, { policy_name = "d" } })
  end)
end)

describe("runs", function()
  it("report how far they are, behind those that came before", function()
    local seen
    local function report(done, total) seen = { done, total } end
    assert.equal(report, policy_list.progress(report, 0))
    policy_list.progress(report, 10)(3, 5)
    assert.same({ 13, 15 }, seen)
  end)

  it("have notes on checked schedules, and on a report that failed, once", function()
    local notes = {}
    policy_list.checked(1, notes)
    policy_list.checked(2, notes)
    assert.same({ "checked: 1 schedule, every one of them possible",
      "checked: 2 schedules, every one of them possible" }, notes)
    notes = {}
    for _ = 1, 2 do
      assert.equal("results", policy_list.results({}, notes, "results", "an error"))
    end
    assert.same({ "progress was not reported: an error" }, notes)
    assert.equal("results", policy_list.results({}, notes, "results"))
    assert.equal(1, #notes)
  end)

  it("that failed are reported with the policy and the scenario", function()
    local details = { policies = { { policy_name = "a" }, { policy_name = "b" } }, spec = {} }
    local done, problem = pcall(policy_list.results, details, {}, nil, "it broke",
      { policy = 2, seed = 7, set = 0, scenario = 3, time = 1.5 })
    assert.is_false(done)
    assert.matches("^it broke\n", problem)
    assert.matches("policy:%s+b\n", problem)
    assert.matches("scenario:%s+3, seed 7\n", problem)
  end)
end)
