-- What jobs may need that are submitted to a session on its way: pools, and resources of nodes.
local orrery = require "orrery"

local function submit(needs, more)
  local spec = { jobs = orrery.jobs { { procs = 1, time = 9 } }, policy = "easy" }
  for key, value in pairs(more) do spec[key] = value end
  local s = orrery.session(spec)
  s:run_until(5)
  local fine, problem = pcall(s.submit, s, { id = "new", procs = 1, time = 2, needs = needs })
  return fine and s:finish() and s:job("new").state or tostring(problem):match "submit: .*"
end

local function lacks(name)
  return ("submit: job new needs %s, and the machine has no such pool or resource"):format(name)
end

describe("a job that is submitted", function()
  it("may need the resources of nodes, their number, and a node for itself", function()
    local nodes = { machine = { nodes = { { count = 2, procs = 4, gpu = 1 } } } }
    for _, needs in ipairs { { gpu = 1 }, { nodes = 1 }, { exclusive = 1 }, { licence = 0 } } do
      assert.equal("over", submit(needs, nodes))
    end
    assert.equal(lacks "licence", submit({ licence = 1 }, nodes))
  end)

  it("may need the pools of a machine without nodes, and nothing else", function()
    local pools = { procs = 4, pools = { licence = 2 } }
    assert.equal("over", submit({ licence = 1 }, pools))
    for _, name in ipairs { "gpu", "nodes", "exclusive" } do
      assert.equal(lacks(name), submit({ [name] = 1 }, pools))
    end
  end)
end)

-- By hand: a job of 4 s on a processor of its own, with 0, 2 and 1 attempts that fail.
describe("the failures of a session", function()
  local function makespan(failures, scenario)
    local fine, s = pcall(orrery.session, { jobs = orrery.jobs { { procs = 1, time = 4 } },
      procs = 1, policy = "easy", failures = failures, scenario = scenario })
    return fine and s:finish().makespan or tostring(s)
  end

  it("are those of its scenario, up to the last", function()
    local list = { { 0 }, { 2 }, { 1 } }
    assert.same({ 4.0, 12.0, 8.0 }, { makespan(list, 1), makespan(list, 2), makespan(list, 3) })
    assert.equal("there is no scenario 4 among 3", makespan(list, 4))
  end)

  it("are those of one row, whatever the number of the scenario", function()
    assert.same({ 12.0, 12.0 }, { makespan({ { 2 } }, 1), makespan({ { 2 } }, 7) })
    assert.equal(4.0, makespan(nil, 7))
  end)
end)

-- By hand, on 8 processors: a runs from 0 to 20 on 4 of them, b waits for 5 from 1 on, c fits
-- beside a from 2 to 5 and e, which then waits for 4, from 5 to 14. d comes at 50.
describe("a session of jobs", function()
  local function session(more)
    local spec = { procs = 8, policy = "easy", jobs = orrery.jobs {
      { id = "a", procs = 4, time = 20 }, { id = "b", procs = 5, time = 5, submit = 1 },
      { id = "c", procs = 2, time = 3, submit = 2 },
      { id = "d", procs = 1, time = 1, submit = 50 },
      { id = "e", procs = 4, time = 9, submit = 2 } } }
    for key, value in pairs(more or {}) do spec[key] = value end
    return orrery.session(spec)
  end

  local function check(s, now, expected, counts)
    assert.equal(now, s.now)
    for name, value in pairs(expected) do assert.equal(value, s[name], name .. " at " .. now) end
    for i, name in ipairs { "pending", "waiting", "held", "running", "over" } do
      assert.equal(counts[i], s.counts[name], name .. " at " .. now)
    end
  end

  it("counts its jobs and its processors, also those that leave", function()
    local s = session()
    s:run_until(4)
    check(s, 4.0, { procs = 8, free = 2, down = 0, draining = 0, numbered = 8, overruns = 0 },
      { 1, 2, 0, 2, 0 })
    s:run_until(6)
    check(s, 6.0, { procs = 8, free = 0, draining = 0 }, { 1, 1, 0, 2, 1 })
    s:change { drain = { procs = 3 } } -- of those on which e runs
    check(s, 6.0, { procs = 5, free = 0, down = 0, draining = 3, numbered = 8 }, { 1, 1, 0, 2, 1 })
    s:run_until(15)
    check(s, 15.0, { procs = 5, free = 1, down = 0, draining = 0, numbered = 8 }, { 1, 1, 0, 1, 2 })
    s:run_until(21) -- b runs on all that is left
    check(s, 21.0, { procs = 5, free = 0 }, { 1, 0, 0, 1, 3 })
    s:change { procs = 10 }
    check(s, 21.0, { procs = 10, free = 5, numbered = 10 }, { 1, 0, 0, 1, 3 })
    s:finish()
    check(s, 51.0, { procs = 10, free = 10, overruns = 0 }, { 0, 0, 0, 0, 5 })
  end)

  it("gives quantiles once all are over", function()
    local s = session()
    s:run_until(15)
    assert.error_matches(function() s:measure() end,
      "metrics need a finished schedule; job a is not over", 1, true)
    local metrics = s:finish() -- waits of 0, 19, 0, 0 and 3 s
    assert.same({ 0.0, 19.0, 4.4 }, { metrics.wait_p50, metrics.wait_max, metrics.wait_mean })
    assert.is_nil(s:measure().wait_p50)
    assert.is_true((s:check()))
  end)

  it("has other runtimes and more jobs after a change, and says which there are not", function()
    local s = session()
    s:run_until(6)
    s:change { cancel = "d" } -- the jobs are those of before
    s:change { runtime = { e = 4 }, submit = { { id = "f", procs = 1, time = 2, submit = 60 } } }
    s:run_until(10) -- e is over at 9
    check(s, 10.0, { free = 4 }, { 1, 1, 0, 1, 3 })
    assert.equal(62.0, s:finish().makespan)
    for _, position in ipairs { 0, 7 } do
      assert.is_false((pcall(s.change, s, { runtime = { [position] = 5 } })))
    end
  end)
end)
