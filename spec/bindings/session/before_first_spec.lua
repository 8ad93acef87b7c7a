-- The clock before the first submission: jobs, drains and a machine that are submitted, announced
-- and changed there, against a session that has had them from the start.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local rounds = require "spec.support.rounds"

local POLICIES = { { "greedy" }, { "easy" }, { "easy", "wfp3" }, { "fcfs" }, { "conservative" },
  { "dispatch/list:reservations=all" }, { "easy-sjf" }, { "fair-share" } }

local function text(s)
  local lines = {}
  for i, a in ipairs(s:schedule()) do
    lines[i] = ("%s %.17g %.17g %s"):format(a.id, a.start, a["end"] or -1, a.outcome)
  end
  return table.concat(lines, "\n")
end

local TWO = { { id = "a", submit = 25, procs = 2, time = 10 },
  { id = "b", submit = 30, procs = 1, time = 10 } }

local function two(extra)
  local spec = { jobs = orrery.jobs(TWO), procs = 4, policy = "easy" }
  for key, value in pairs(extra or {}) do spec[key] = value end
  return orrery.session(spec)
end

describe("the clock before the first submission", function()
  it("stands where it was set back to, once, until something happens", function()
    local s = two()
    assert.equal(25, s.now)
    assert.equal(20, s:run_until(20).now)
    assert.equal(20, s:run_until(10).now)
    assert.equal(22, s:run_until(22).now)
    assert.equal(20, two():run_before(20).now)
    assert.equal(25, two():run_until(25):run_until(20).now)
    local changed = two():change { procs = { procs = 3 } }
    assert.equal(25, changed:run_until(20).now)
    assert.equal(20, s:back_to("start"):run_until(20).now)
    assert.error_matches(function() s:submit { submit = 19, procs = 1, time = 1 } end,
      "submitted at 19 s, but the clock")
  end)

  -- By hand: three of 4 processors are away from 22 to 28. e runs from 21 to 24, b from 30 to 40
  -- beside a, which waits for 28: the makespan is 40 - 21. 2 * 10 + 10 + 3 processor-seconds were
  -- held of 4 * 19, windows being part of the machine.
  it("has room for jobs and drains", function()
    local s = two():run_until(20)
    s:change { drain_at = { at = 22, procs = 3, ["until"] = 28 } }
    s:submit { id = "e", submit = 21, procs = 1, time = 3 }
    local m = s:finish()
    assert.same({ 19, 33 / 76 }, { m.makespan, m.utilisation })
    assert.equal(22, s:outages()[1].start)
    assert.is_true(s:check())
  end)

  -- By hand: two of 4 processors are gone from 20 on, so there are 2 from the first submission, 24,
  -- on. e runs from 24 to 27, a from 27 to 37 and b to 47: 33 of 2 * 23 processor-seconds.
  it("counts nothing before the first submission", function()
    local s = two():run_until(20):change { procs = { procs = 2 } }
    s:submit { id = "e", submit = 24, procs = 1, time = 3 }
    local m = s:finish()
    assert.same({ 23, 33 / 46 }, { m.makespan, m.utilisation })
    assert.equal(m.utilisation, s:measure().utilisation)
    local back = two():run_until(20):change { procs = { procs = 2, ["until"] = 23 } }
    assert.equal(two():finish().utilisation, back:finish().utilisation)
    assert.equal(two():finish().utilisation, back:measure().utilisation)
  end)

  it("changes nothing by itself, and takes jobs as a whole log has them", function()
    local rng = orrery.random(11)
    for round = 1, rounds(400) do
      local instance = instances.random(rng, { n = 15, verification = false })
      local list, first = instance.list, math.huge
      for i, job in ipairs(list) do
        job.submit, job.id = job.submit + 10, "j" .. i
        first = math.min(first, job.submit)
      end
      table.sort(list, function(a, b)
        if a.submit ~= b.submit then return a.submit < b.submit end
        return a.id < b.id
      end)
      table.insert(list, 1, table.remove(list)) -- the last one is known first
      local policy = POLICIES[rng:integer(1, #POLICIES)]
      local mtbf = rng:integer(0, 1) == 0
      local log = { { time = 3, processor = 0, repair = 9 },
        { time = 14, processor = 0, repair = 5 } }
      local function session(jobs, drawn)
        return orrery.session { jobs = orrery.jobs(jobs), procs = instance.procs,
          policy = policy[1], priority = policy[2], walltimes = instance.walltimes,
          node_failures = drawn and { mtbf = 90, repair = 5 } or { log = log } }
      end
      local about = ("round %d, %s\n%s"):format(round, table.concat(policy, " "),
        instances.describe(instance))
      local whole, back = session(list, mtbf), session(list, mtbf)
      local m = whole:finish()
      assert.equal(first, back.now)
      back:run_until(rng:uniform(0, first))
      assert.same(m, back:finish(), about)
      assert.equal(text(whole), text(back), about)
      local given, online = session(list), session { list[1] }
      given:finish()
      for i = 2, #list do
        online:run_before(list[i].submit)
        if rng:integer(0, 1) == 1 then online:submit(list[i]) else
          online:change { submit = list[i] }
        end
      end
      online:finish()
      assert.equal(text(given), text(online), about)
      assert.same(given:measure(), online:measure(), about)
    end
  end)
end)
