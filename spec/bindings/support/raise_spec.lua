-- The codes of errors: what went wrong is told by a code, whatever the message says.
local orrery = require "orrery"

local attempt = orrery.tools.attempt

local function code_of(f, ...)
  local ok, problem = attempt(f, ...)
  assert.is_false(ok)
  return problem.code, problem.message
end

describe("the code of an error", function()
  local jobs = orrery.jobs { { runtime = 10, procs = 1 } }

  it("is argument for a wrong argument, whose message has no place", function()
    local code, message = code_of(jobs.day, jobs, -1)
    assert.equal("argument", code)
    assert.equal("a day's number is at least 0", message)
  end)

  it("is limit for a call that took too long, also in a comparison", function()
    local spec = { jobs = jobs, procs = 1, limits = { seconds = 0.05 },
      policy = { dispatch = function() while true do end end } }
    assert.equal("limit", (code_of(orrery.session(spec).step, orrery.session(spec))))
    assert.equal("limit", (code_of(orrery.compare, spec)))
  end)

  it("is limit while a policy is loaded, too", function()
    local spec = { jobs = jobs, procs = 1, limits = { seconds = 0.05 },
      policy = { groups = function() while true do end end } }
    assert.equal("limit", (code_of(orrery.session, spec)))
  end)

  it("is policy for an error of the policy, even if its text speaks of a limit", function()
    local spec = { jobs = jobs, procs = 1,
      policy = { dispatch = function() error "took long (limits.seconds)" end } }
    assert.equal("policy", (code_of(orrery.compare, spec)))
  end)

  it("is input for an option's value", function()
    assert.equal("input", (code_of(orrery.session,
      { jobs = jobs, procs = 1, policy = "list", options = { reservations = "x" } })))
  end)

  it("is of the last error alone: an error of Lua has none", function()
    attempt(jobs.day, jobs, -1)
    assert.is_nil((code_of(function() error "another" end)))
    assert.is_nil((code_of(function() error {} end)))
  end)
end)
