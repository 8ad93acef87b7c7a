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
