-- The shipped policies do what they say about themselves.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local naive = require "spec.support.naive"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

describe("a shipped priority orders like the reference:", function()
  for i, rule in ipairs(rigid.rules) do
    it(rule, function()
      local rng = orrery.random(200 + i)
      for _ = 1, rounds(150, 150, 20) do
        local instance = instances.random(rng, { procs = { 1, 2, 3, 4, 5, 8, 9, 1000 } })
        local key = naive.priorities(instance.procs)[rule]
        rigid.hold_against_reference(instance, "fcfs", "priority/" .. rule, key)
      end
    end)
  end

  -- LJF (section 4.2.1): large jobs, of at least (P+1)/2 processors, first and by falling width.
  it("ljf, with the borders of large", function()
    local function order(procs, widths)
      local list = {}
      for i, width in ipairs(widths) do list[i] = { procs = width, time = i } end
      local session = orrery.session {
        jobs = orrery.jobs(list), procs = procs, policy = "dispatch/fcfs", priority = "ljf",
      }
      session:finish()
      local found = {}
      for i, attempt in ipairs(session:schedule()) do found[i] = attempt.position end
      return found
    end
    assert.same({ 4, 3, 2, 1 }, order(5, { 1, 2, 3, 5 })) -- 3 = (5 + 1) / 2 is large
    assert.same({ 3, 4, 2, 1 }, order(4, { 1, 2, 3, 2 })) -- 2 < (4 + 1) / 2 is not
    assert.same({ 1, 2, 3 }, order(1, { 1, 1, 1 })) -- all are large: ties by position
  end)

  it("random: another order for every scenario, the same for every policy", function()
    local list = {}
    for i = 1, 12 do list[i] = { procs = i % 3 + 1, time = 1 } end
    local function keys(scenario, more)
      local spec = {
        jobs = orrery.jobs(list), procs = 3, policy = "dispatch/fcfs", priority = "random",
        scenario = scenario, seed = 5,
      }
      for key, value in pairs(more or {}) do spec[key] = value end
      local session = orrery.session(spec)
      session:finish()
      local order = {}
      for place, attempt in ipairs(session:schedule()) do order[attempt.position] = -place end
      return order
    end
    assert.same(keys(1), keys(1))
    assert.are_not.same(keys(1), keys(2))
    assert.are_not.same(keys(1), keys(1, { seed = 6 }))
    assert.are_not.same(keys(1), keys(1, { set = 1 }))
    local rng = orrery.random(210)
    for scenario = 1, rounds(60, 60, 20) do
      local order = keys(scenario)
      local discipline = rigid.pick(rng, rigid.names)
      local rows, failures = {}, {}
      for i = 1, #list do failures[i] = math.max(0, rng:integer(-2, 2)) end
      for row = 1, scenario do rows[row] = failures end
      local session = orrery.session {
        jobs = orrery.jobs(list), procs = 3, priority = "random", scenario = scenario, seed = 5,
        policy = { dispatch = rigid.disciplines[discipline] }, failures = rows,
      }
      session:finish()
      local instance = { list = list, procs = 3, failures = failures }
      local reference = rigid.reference_spec(instance, discipline,
        function(_, position) return order[position] end)
      assert.is_nil(rigid.difference(session:schedule(), naive.run(reference)))
    end
  end)

  it("random: every order of three jobs is as likely #long", function()
    local list = { { procs = 1, time = 1 }, { procs = 1, time = 1 }, { procs = 1, time = 1 } }
    local seen, count = {}, rounds(600, 600, 180)
    for scenario = 1, count do
      local session = orrery.session {
        jobs = orrery.jobs(list), procs = 1, priority = "random", scenario = scenario,
      }
      session:finish()
      local order = ""
      for _, attempt in ipairs(session:schedule()) do order = order .. attempt.position end
      seen[order] = (seen[order] or 0) + 1
    end
    local kinds = 0
    for _, times in pairs(seen) do
      kinds = kinds + 1
      assert.is_true(math.abs(times - count / 6) < 5 * math.sqrt(count / 6))
    end
    assert.equal(6, kinds)
  end)
end)

local function sorted(names)
  local list = {}
  for name in pairs(names) do list[#list + 1] = name end
  table.sort(list)
  return list
end

describe("a shipped discipline is what its name says:", function()
  local SAME = {
    ["dispatch/greedy"] = "greedy", ["dispatch/easy"] = "easy",
    ["dispatch/fcfs"] = "fcfs",
    ["dispatch/shelf"] = "shelf", ["dispatch/shelf-nofill"] = "shelf_nofill",
    ["dispatch/list"] = "greedy", ["dispatch/list:reservations=1"] = "easy",
    ["dispatch/list:reservations=2"] = "two", ["dispatch/list:reservations=all"] = "all",
    ["dispatch/list:reservations=5,reading=head"] = "head5",
    ["dispatch/list:reservations=all,reading=head"] = "headall",
  }
  for _, name in ipairs(sorted(SAME)) do
    it(name, function()
      local rng = orrery.random(#name)
      for _ = 1, rounds(40, 40, 20) do
        local instance = instances.random(rng)
        local session = orrery.session(rigid.spec(instance, { policy = name, priority = "lpt" }))
        session:finish()
        local expected = naive.run(rigid.reference_spec(instance, SAME[name],
          naive.priorities(instance.procs).lpt))
        assert.is_nil(rigid.difference(session:schedule(), expected))
      end
    end)
  end

  it("options can be given as a table, and as names of the run", function()
    local instance = instances.random(orrery.random(4))
    local function schedule(more)
      local session = orrery.session(rigid.spec(instance, more))
      session:finish()
      return session:schedule()
    end
    local two = schedule { policy = { dispatch = rigid.disciplines.two } }
    assert.same(two, schedule { policy = "dispatch/list", options = { reservations = 2 } })
    assert.same(two, schedule { policy = "list", options = { reservations = "2" } })
    assert.same(two, schedule { policy = { policy = "list", options = { reservations = 2 } } })
  end)
end)

describe("redistribute/shortest-tasks-first-literal", function()
  it("is shortest-tasks-first with literal=true, and not the default", function()
    local differ = false
    for _, years in ipairs { 0.5, 2, 10 } do
      local result = orrery.compare {
        tasks = { n = 12 }, procs = 120, runs = 20, seed = 4, faults = { mtbf_years = years },
        policies = {
          "end-local+shortest-tasks-first-literal", "end-local+shortest-tasks-first:literal=true",
          "end-local+shortest-tasks-first",
        },
      }
      for run = 1, 20 do assert.same(result:ends(1, run), result:ends(2, run)) end
      differ = differ or result:summary(1).mean ~= result:summary(3).mean
    end
    assert.is_true(differ)
  end)
end)
