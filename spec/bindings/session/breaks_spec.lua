-- Where runs of sessions stop: times, jobs, metrics and changes.
local orrery = require "orrery"

describe("s:break_at", function()
  local function session_of(policy)
    return orrery.session { procs = 10, policy = policy or "easy", jobs = orrery.jobs {
      { id = "a", procs = 6, runtime = 3600 }, { id = "b", procs = 10, runtime = 600, submit = 10 },
    } }
  end

  -- Where runs to the end stop, and why.
  local function stops(s)
    local list = {}
    repeat
      s:run_until(math.huge)
      list[#list + 1] = s.broke
    until not s.broke
    assert.is_true(s.over)
    return list
  end

  it("stops at times", function()
    local s = session_of():break_at { time = 500 }:break_at { time = "20m" }
    assert.equal(300, s:run_until(300).now)
    assert.is_nil(s.broke)
    assert.equal(500, s:run_until(4000).now)
    assert.equal("at 8.3 min: the time to stop at", s.broke)
    assert.equal(1200, s:run_until(4000).now)
    assert.same({}, stops(s))
  end)

  it("stops where a job comes, starts and ends", function()
    assert.same({ "at 10 s: job b is waiting, it was pending",
      "at 60.0 min: job b is running, it was waiting",
      "at 70.0 min: job b is over, it was running" }, stops(session_of():break_at { job = "b" }))
  end)

  it("stops at hooks", function()
    local s = session_of { name = "mine", dispatch = "easy", on_end = function() end }
    assert.same({ "at 60.0 min: hook on_end was called", "at 70.0 min: hook on_end was called" },
      stops(s:break_at { hook = "on_end" }))
    local tasks = orrery.session { tasks = { n = 3 }, procs = 12, policy = {
      on_end = function() end } }
    assert.equal(2, #stops(tasks:break_at { hook = "on_end" })) -- the last end leaves nobody
  end)

  it("stops where a function says so, and only in its own session", function()
    local s = session_of():break_at(function(self) return self.counts.waiting == 1 end)
    local fork = s:fork()
    assert.same({}, stops(fork))
    assert.same({ "at 10 s: the function says so" }, stops(s))
    s:back_to(0)
    assert.same({}, stops(s:break_at()))
  end)

  it("refuses what is no condition", function()
    for wrong, text in pairs { [5] = "expected { time = }, { job = }, { hook = } or a function",
      [{}] = "found an empty table", [{ hook = "on_ende" }] = "did you mean 'on_end'?",
      [{ what = 1 }] = "unknown field 'what'", [{ job = "c" }] = "there is no job 'c'",
      [{ time = "soon" }] = "expected seconds" } do
      local ok, problem = pcall(function() session_of():break_at(wrong) end)
      assert.is_false(ok)
      assert.truthy(problem:find(text, 1, true), problem)
    end
  end)
end)
