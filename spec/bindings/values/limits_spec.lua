-- Limits as users give them: texts and tables, what is noted, and what is refused.
local orrery = require "orrery"
local program = require "spec.support.program"

local JOBS = orrery.jobs {
  { id = "a", submit = 0, procs = 4, runtime = 10, user = "ana", partition = "p 1" },
  { id = "b", submit = 0, procs = 2, runtime = 10, user = "ana" },
  { id = "c", submit = 0, procs = 2, runtime = 10, user = "ben" },
}

local function compare(limit, policies)
  return orrery.compare { jobs = JOBS, procs = 8, policies = policies or { "easy" }, limit = limit,
    check = true }
end

local function notes(limit)
  local list = {}
  for _, note in ipairs(compare(limit).notes) do
    if note:find "limit" then list[#list + 1] = note end
  end
  return list
end

describe("a limit", function()
  it("is a text, a table, or a list of both", function()
    local all = { "easy", "conservative", "fcfs", "greedy", "shelf" }
    for _, limit in ipairs { "procs/user=4", { "procs/user=4" },
      { { most = { procs = 4 }, per = "user" } }, "procs/user:ana=5", "jobs/user:ana=1",
      { { most = { procs = 4, jobs = 9 }, per = "user" }, "jobs=3" } } do
      local result = compare(limit, all)
      for i in ipairs(all) do assert.equal(20, result:values(i, "makespan")[1]) end
    end
    assert.equal(10, compare({}):values(1, "makespan")[1])
    assert.equal(10, compare("jobs/partition:p 1=1"):values(1, "makespan")[1])
    assert.equal(30, compare("jobs=1"):values(1, "makespan")[1])
  end)

  it("refuses at submission what alone exceeds it, and says so", function()
    assert.same({}, notes "procs/user=4")
    assert.same({ "1 of 3 jobs needs more than a limit and is refused at submission, the first is "
      .. "a (procs=3)" }, notes "procs=3")
    assert.same({ "1 of 3 jobs needs more than a limit and is refused at submission, the first is "
      .. "a (procs/partition=2)" }, notes { "jobs=5", "procs/partition=2" })
    assert.equal(2, #compare("procs=3"):jobs(1, "wait"))
  end)

  -- With jobs=1 the jobs run one after the other. All come at 0: two of ana's wait, and with one
  -- the second is refused; job c comes in its place.
  it("on waiting jobs refuses those that come while there are as many, and says so", function()
    local function compared(more)
      local spec = { jobs = JOBS, procs = 8, check = true, policies = { "easy", "fcfs" },
        limit = { "jobs=1", "waiting/user=1" } }
      for name, value in pairs(more or {}) do spec[name] = value end
      return orrery.compare(spec)
    end
    local note = "jobs that a limit on waiting jobs refused%s: easy 1, fcfs 1; no other metric "
      .. "counts them, so means may be over different jobs"
    local result = compared()
    assert.equal(note:format "", result.notes[#result.notes])
    local waits = result:jobs(1, "wait")
    assert.same({ 0, 10 }, { waits[1], waits[3] })
    assert.is_true(waits[2] ~= waits[2]) -- it has none
    assert.same({ 1, 5, 20 }, { result:values(1, "refused")[1], result:values(1, "wait_mean")[1],
      result:values(1, "makespan")[1] })
    assert.is_truthy(tostring(result):find "jobs refused +1 +1")
    for _, more in ipairs { { metrics = { "wait_mean" } }, { summaries = true } } do
      more.runs, more.errors = 3, { mean_probability = 0.1 }
      local many = compared(more)
      assert.equal(note:format " in the mean", many.notes[#many.notes])
    end
    assert.equal(20, compared { limit = { "jobs=1", "waiting/user=2" } }:values(1, "wait_max")[1])
  end)

  it("is an error where it is wrong", function()
    for limit, message in pairs {
      ["procs/usr=4"] = "limit%[1%].per: expected all, user, .* found 'usr', did you mean 'user'%?",
      ["proc=4"] = "limit proc: expected jobs, procs, waiting or what the machine has beside "
        .. "processors, and it has no proc",
      ["gpu/user=1.5"] = "limit%[1%].most.gpu: expected a whole number of at least 0, as 8, 512G",
      ["procs/user=0"] = "limit%[1%].most.procs: expected a whole number of at least 1, found 0",
      ["procs"] = "limit%[1%]: expected AMOUNT/KEY=MOST as .* found 'procs'",
      ["procs/user=-1"] = "limit%[1%]: expected AMOUNT/KEY=MOST as .* found 'procs/user=%-1'",
      ["procs/user=99999999999999999999"] = "limit%[1%].most.procs: expected a whole number",
      ["procs/queue=4"] = "limit procs/queue=4: the jobs have no queue",
      ["procs/user:an=4"] = "limit procs/user:an=4: no job has user 'an'",
      ["procs=1"] = "limit: no job can ever start under procs=1",
    } do
      local _, found = pcall(compare, limit)
      assert.is_truthy(tostring(found):find(message), limit .. ": " .. tostring(found))
    end
    assert.error_matches(function()
      orrery.compare { jobs = orrery.jobs { { procs = 1, runtime = 1 } }, procs = 1,
        policies = { "fcfs" }, limit = "procs/queue=4" }
    end, "limit procs/queue=4: the jobs have no queue")
    for _, wrong in ipairs { { 4 }, { { per = "user" } }, { { most = {} } },
      { { most = { procs = 4 }, only = "ana" } }, { { most = { procs = 4 }, par = "user" } }, 7 } do
      local _, found = pcall(compare, wrong)
      assert.is_truthy(tostring(found):find "limit", tostring(found))
    end
  end)

  it("is an option of the commands, several times", function()
    local folder = program.folder()
    JOBS:to_csv("plain", folder .. "/log.csv")
    local status, out = program.run(folder, "replay log.csv --procs 8 --policy easy --check "
      .. "--limit procs/user=4 --limit jobs=2")
    program.remove(folder)
    assert.equal(0, status)
    assert.is_truthy(out:find("makespan +20 s") or out:find("makespan +20%.0 s"), out)
  end)
end)

describe("a machine", function()
  it("is a table or a file, and what is given beside it replaces it", function()
    local function makespan(more)
      local spec = { jobs = JOBS, policies = { "easy" } }
      for name, value in pairs(more) do spec[name] = value end
      return orrery.compare(spec):values(1, "makespan")[1]
    end
    local one = { procs = 8, limits = "procs/user=4" }
    assert.equal(20, makespan { machine = one })
    assert.equal(20, makespan { machine = one, limit = {} })
    assert.equal(10, makespan { machine = one, limit = "jobs=3" })
    assert.equal(30, makespan { machine = { procs = 8, limits = { "jobs=1" } }, procs = 9 })
    local s = orrery.session { jobs = JOBS, policy = "easy", machine = one }
    assert.equal(20, s:finish().makespan)
    assert.equal("processors  8\nlimits      procs/user=4", tostring(orrery.machine(one)))
  end)

  -- a runs; of b, c, d in partition slow one may wait, of x, y, z in fast all may.
  it("refuses what waits in a partition beyond its max_waiting, as by a limit", function()
    local rows = { { id = "a", procs = 4, runtime = 9, partition = "slow" } }
    for i, id in ipairs { "b", "c", "d", "x", "y", "z" } do
      rows[i + 1] = { id = id, submit = i, procs = 4, runtime = 9,
        partition = i < 4 and "slow" or "fast" }
    end
    local function machine(limits, most)
      return { nodes = { { count = 1, procs = 4 } }, limits = limits,
        partitions = { slow = { max_waiting = most }, fast = {}, none = { max_waiting = most } } }
    end
    local function refused(given, more)
      local spec = { jobs = orrery.jobs(rows), policy = "easy", machine = given }
      for name, value in pairs(more or {}) do spec[name] = value end
      local s = orrery.session(spec)
      s:finish()
      assert.equal(s:finish().refused, orrery.compare(spec):values(1, "refused")[1])
      return s:finish().refused
    end
    assert.same({ 2, 1, 0 }, { refused(machine(nil, 1)), refused(machine(nil, 2)),
      refused(machine()) })
    assert.equal(2, refused(orrery.machine(orrery.machine(machine(nil, 1)))))
    assert.equal(3, refused(machine({ { most = { waiting = 3 }, per = "all" } }, 2)))
    assert.equal(0, refused(machine(nil, 1), { limit = "procs/partition=4" }))
    local limits = machine "procs/partition=8"
    limits.limits = { "procs/partition=8", "waiting/partition:slow=1" }
    assert.equal(2, refused(limits))
    assert.matches("limits      procs/partition=8\n            waiting/partition:none=1\n"
      .. "            waiting/partition:slow=1\n", tostring(orrery.machine(machine(
        "procs/partition=8", 1))), 1, true)
    for message, given in pairs {
      ["partitions.none.max_waiting: expected a whole number of at least 1, found 0"] =
        machine(nil, 0),
      ["partitions.none.max_waiting: expected a whole number of at least 1, found 'x'"] =
        machine(nil, "x"),
      ["a list of limits, found a table with names"] = machine({ most = { jobs = 1 } }, 1),
    } do
      assert.matches(message, select(2, pcall(orrery.machine, given)), 1, true)
    end
  end)
end)
