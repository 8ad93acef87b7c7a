-- Failure counts of jobs, and failures of nodes, as values for the kernel: what they take, and what
-- they refuse.
local orrery = require "orrery"
local core = require "orrery.core"
local temporary = require "spec.support.temporary"

local function refused(message, f, ...)
  local ok, problem = pcall(f, ...)
  assert.is_false(ok, message)
  assert.equal(message, (core.error_code(problem)) or problem)
end

describe("failure counts", function()
  it("are as many as rows, and one for each job", function()
    local counts = core.failures({ { 1, 2 }, { 0, 2147483646 }, { 2.0, "3" } }, 2)
    assert.equal(3, #counts)
    assert.equal(0, #core.failures({}, 2))
    assert.equal(2, #temporary.file("f.txt", "1 2\n3 4\n", core.read_failures, 2))
    refused("failures: scenario 2: expected a list of 2 counts, one per job", core.failures,
      { { 1, 2 }, { 3 } }, 2)
    refused("failures: scenario 1: expected a list of 2 counts, one per job", core.failures,
      { 7 }, 2)
    for _, count in ipairs { -1, 1.5, 2147483647, "x" } do
      refused("failures: scenario 1, job 2: expected a whole number >= 0, found " .. count,
        core.failures, { { 1, count } }, 2)
    end
    local ok, problem = pcall(temporary.file, "f.txt", "1 2\n3\n", core.read_failures, 2)
    assert.is_false(ok)
    assert.matches(":2: expected 2 numbers, one for each job, found 1$",
      (core.error_code(problem)) or problem)
  end)

  it("are the attempts of the jobs, by hand", function()
    local s = orrery.session { procs = 1, policy = "easy", failures = { { 2, 0 } },
      jobs = orrery.jobs { { procs = 1, time = 5 }, { procs = 1, time = 1 } } }
    assert.equal(16, s:finish().makespan)
    assert.has_error(function()
      orrery.session { procs = 1, policy = "easy", failures = { { 2 } },
        jobs = orrery.jobs { { procs = 1, time = 5 }, { procs = 1, time = 1 } } }
    end)
  end)
end)

describe("failures of nodes", function()
  it("refuse options that are not numbers, or out of range", function()
    local new = core.node_failures
    refused('mtbf must be a number, it is "x"', new, { mtbf = "x" })
    refused("mtbf must be a number, it is true", new, { mtbf = true })
    refused("procs must be between 1 and 2147483646, it is 0", new, { procs = 0 })
    refused("procs must be a whole number, it is 1.5", new, { procs = 1.5 })
    refused('procs must be a whole number, it is "2"', new, { procs = "2" })
    refused("spares must be between 0 and 2147483646, it is -1", new, { spares = -1 })
    refused('law must be one of none, exponential, weibull, lognormal, it is "x"', new,
      { law = "x" })
    refused("repair_law must be one of constant, exponential, weibull, lognormal, it is a table",
      new, { repair_law = {} })
  end)

  it("that are given stand in order of time, on processors of the machine", function()
    local function log(message, ...)
      refused("node failure " .. message, core.node_failure_log, {}, { ... }, 4)
    end
    log("1: expected { time =, processor = }, found number", 3)
    log("1: expected a processor from 0 to 3, found 4.0", { time = 1, processor = 4 })
    log("1: expected a processor from 0 to 3, found 1.5", { time = 1, processor = 1.5 })
    log("1: processor must be a finite number >= 0, it is -1", { time = 1, processor = -1 })
    log("1: processor must be a finite number >= 0, it is nil", { time = 1 })
    log("1: time must be a finite number >= 0, it is inf", { time = math.huge, processor = 1 })
    log("1: repair must be a finite number >= 0, it is x",
      { time = 1, processor = 1, repair = "x" })
    log("2: they stand in order of time, and 1.0 comes after 2.0", { time = 2, processor = 3 },
      { time = 1, processor = 1 })
    core.node_failure_log({}, { { time = 2, processor = 3 }, { time = 2, processor = 0 } }, 4)
  end)

  -- first+count start-finish of each.
  local function outages(given, machine)
    local s = orrery.session { procs = machine and 6 or 7, policy = "easy", node_failures = given,
      machine = machine, jobs = orrery.jobs { { procs = 1, time = 100 } } }
    s:finish()
    local list = {}
    for i, o in ipairs(s:outages()) do
      list[i] = ("%d+%d %g-%g"):format(o.first, o.procs, o.start, o.finish)
    end
    return list
  end

  it("hit the whole node of the processor, by hand", function()
    local log = { { time = 1, processor = 2 }, { time = 20, processor = 4, repair = 5 },
      { time = 30, processor = 6 } }
    assert.same({ "0+3 1-11", "3+3 20-25", "6+1 30-40" },
      outages { log = log, procs = 3, repair = 10 })
    local machine = { nodes = { { count = 1, procs = 1 }, { count = 1, procs = 5 } } }
    log[3] = { time = 30, processor = 0 }
    assert.same({ "1+5 1-11", "1+5 20-25", "0+1 30-40" }, outages({ log = log, repair = 10 },
      machine))
    assert.same({ "1+5 2-4", "0+1 9-12" }, temporary.file("o.csv",
      "node,from,to\n2,2,4\n1,9,12\n", function(path)
        return outages({ outages = path }, machine)
      end))
    assert.same({ "3+3 2-4", "0+3 9-12" }, temporary.file("o.csv",
      "node,from,to\n1,2,4\n0,9,12\n", function(path)
        return outages { outages = path, procs = 3 }
      end))
    assert.same({ "2+2 3-5", "6+1 8-10" }, temporary.file("l.csv",
      "time,processor\n3,3\n8,6\n", function(path)
        return outages { log = path, procs = 2, repair = 2 }
      end))
  end)
end)
