-- The formulas of a search: what they are worth as trees and as Lua, and that simpler ones are the
-- same.
local orrery = require "orrery"

local expressions = require "orrery.search.expressions"
local rounds = require "spec.support.rounds"

local FIELDS = { "time", "procs", "area", "submit", "wait", "free" }

-- A job and a view as formulas in Lua get them, and the same as fields of trees.
local function situation(rng)
  local job = { time = rng:uniform(1, 1e5), procs = rng:integer(1, 1000),
    submit = rng:uniform(0, 1e6) }
  job.area = job.time * job.procs
  local view = { now = job.submit + rng:uniform(0, 1e4), first_submit = 0,
    free = rng:integer(0, 99) }
  return job, view, { time = job.time, procs = job.procs, area = job.area,
    submit = job.submit - view.first_submit, wait = view.now - job.submit, free = view.free }
end

local function is_finite(value) return value - value == 0 end

local function near(a, b) return math.abs(a - b) <= 1e-9 * math.max(math.abs(a), math.abs(b)) end

describe("a formula", function()
  local time_exp = { "*", "time", { "exp", { "*", 1e-6, "area" } } }

  it("is written as people and as Lua have it", function()
    for text, tree in pairs {
      ["time * exp(1e-06 * area)"] = time_exp,
      ["a - (b - c)"] = { "-", "a", { "-", "b", "c" } },
      ["a - b - c"] = { "-", { "-", "a", "b" }, "c" },
      ["a / (b * c) / d"] = { "/", { "/", "a", { "*", "b", "c" } }, "d" },
      ["(a + b) * -c"] = { "*", { "+", "a", "b" }, { "*", -1, "c" } },
      ["-(a / b)"] = { "*", -1, { "/", "a", "b" } },
      ["max(a, (-2) * b)"] = { "max", "a", { "*", -2, "b" } },
      ["a + (b + c)"] = { "+", "a", { "+", "b", "c" } },
    } do
      assert.equal((text:gsub("%* %-c", "* (-c)")), expressions.text(tree))
    end
    assert.equal([[
return {
  name = "time * exp(1e-06 * area)",
  per = "workload",
  priority = function(job, view)
    local value = job.time * math.exp(1e-06 * job.area)
    return value == value and value or -math.huge
  end,
}
]], expressions.lua(time_exp))
    assert.matches('per = "decision"', expressions.lua { "+", "time", "wait" }, 1, true)
  end)

  it("is worth the same as a tree and as Lua, and where it is simpler", function()
    local rng, numbers = orrery.random(1), 0
    for _ = 1, rounds(4000, 1000, 500) do
      local tree = expressions.drawn(rng, FIELDS)
      for _ = 1, rng:integer(0, 3) do
        local other = expressions.drawn(rng, FIELDS)
        tree = expressions.changed(rng, tree, other, FIELDS, 0.2)
      end
      local priority = load(expressions.lua(tree))().priority
      local simple = expressions.simplified(tree)
      assert.is_true(expressions.size(simple) <= expressions.size(tree))
      for _ = 1, 3 do
        local job, view, fields = situation(rng)
        local value, of_lua = expressions.value(tree, fields), priority(job, view)
        assert.is_true(value ~= value and of_lua == -math.huge or value == of_lua
          or near(value, of_lua), expressions.text(tree))
        local of_simple = expressions.value(simple, fields)
        if is_finite(value) then
          numbers = numbers + 1
          assert.is_true(near(value, of_simple) or math.abs(value - of_simple) < 1e-6,
            expressions.text(tree) .. " is not " .. expressions.text(simple))
        end
      end
    end
    assert.is_true(numbers > 1000, numbers)
  end)

  it("is nothing less itself, and not less what differs in one place", function()
    local product = { "*", "time", { "exp", "procs" } }
    assert.equal(0, expressions.simplified { "-", product, { "*", "time", { "exp", "procs" } } })
    for _, other in ipairs { { "*", "time", { "exp", "area" } },
      { "*", "time", { "log", "procs" } }, { "/", "time", { "exp", "procs" } },
      { "*", "area", { "exp", "procs" } } } do
      assert.is_table(expressions.simplified { "-", product, other })
    end
  end)

  it("is an estimate: never below 0, the walltime where it is no number", function()
    local function policy_of(tree)
      return load(expressions.lua_of_estimate(tree, "easy"))()
    end
    local plain, job = policy_of { "/", "time", { "-", "procs", 4 } }, { time = 60, procs = 7 }
    assert.same({ "easy, estimate time / (procs - 4)", "easy" }, { plain.name, plain.dispatch })
    assert.is_nil(plain.init or plain.on_end)
    assert.equal(20, plain.estimate(job, {}))
    assert.equal(0, plain.estimate({ time = 60, procs = 1 }, {}))
    assert.equal(0, plain.estimate({ time = 0, procs = 1 }, {}))
    assert.equal(60, policy_of { "*", "time", { "/", 0, 0 } }.estimate(job, {}))
    -- last: of this user's jobs that ran to their end; mean: of the last two
    local learned, sim = policy_of { "+", { "*", 1000, "last" }, "mean" }, { state = {} }
    learned.init(sim)
    assert.equal(60060, learned.estimate(job, sim))
    local function ends(now, user, outcome)
      sim.now = now
      learned.on_end(sim, { start = 100, user = user }, outcome)
    end
    ends(110, nil, "completed")
    assert.equal(10010, learned.estimate(job, sim))
    ends(130, nil, "killed")
    ends(150, nil, "node_failure")
    ends(170, "ann", "completed")
    assert.equal(30020, learned.estimate(job, sim))
    assert.equal(70070, learned.estimate({ time = 60, user = "ann" }, sim))
  end)

  it("orders jobs as without increasing functions around it", function()
    assert.equal("area", expressions.canonical { "exp", { "+", 3, { "*", 2, "area" } } })
    assert.same({ "*", -1, "area" }, expressions.canonical { "-", 7, { "*", 3, "area" } })
    assert.same({ "*", -1, "area" }, expressions.canonical { "/", "area", -3 })
    assert.equal(0, expressions.canonical { "-", "area", "area" })
    assert.equal(0, expressions.canonical { "exp", 2 })
    local rng, ordered = orrery.random(2), 0
    for _ = 1, rounds(4000, 1000, 500) do
      local tree = expressions.drawn(rng, FIELDS)
      local canonical = expressions.canonical(tree)
      local _, _, a = situation(rng)
      local _, _, b = situation(rng)
      local x, y = expressions.value(tree, a), expressions.value(tree, b)
      local u, v = expressions.value(canonical, a), expressions.value(canonical, b)
      if is_finite(x) and is_finite(y) and not near(x, y) then
        ordered = ordered + 1
        assert.is_true((x < y) == (u < v), expressions.text(tree))
      end
    end
    assert.is_true(ordered > 200, ordered)
  end)

  it("changes in any of its parts", function()
    local rng, seen = orrery.random(3), {}
    for _ = 1, 500 do
      seen[expressions.text(expressions.changed(rng, time_exp, "wait", FIELDS, 0.1))] = true
    end
    for _, text in ipairs { "wait * exp(1e-06 * area)", "time * exp(1e-06 * wait)", "time",
      "time * exp(1e-06)", "wait", "procs * exp(1e-06 * area)", "time * log(1e-06 * area)" } do
      assert.is_true(seen[text], text)
    end
    assert.equal("time * exp(1e-06 * area)", expressions.text(time_exp))
    for n, text in ipairs { "time * exp(1e-06 * area)", "time", "exp(1e-06 * area)",
      "1e-06 * area", "1e-06", "area" } do
      assert.equal(text, expressions.text(expressions.part(time_exp, n)))
    end
  end)

  -- Of leaves a quarter are numbers, of which two of five are whole and from 1 to 10: of 20,000
  -- 5000 and 2000, and 200 of each, give or take six deviations of about 61, 42 and 14.
  it("is drawn with numbers, and whole ones, as often as it says", function()
    local rng, numbers, whole, each = orrery.random(4), 0, 0, {}
    for _ = 1, 20000 do
      local leaf = expressions.drawn(rng, FIELDS, 1)
      if type(leaf) == "number" then
        numbers = numbers + 1
        if leaf == math.floor(leaf) and leaf >= 1 and leaf <= 10 then
          whole, each[leaf] = whole + 1, (each[leaf] or 0) + 1
        end
      end
    end
    local function is_near(expected, found, deviation)
      assert.is_true(math.abs(found - expected) <= 6 * deviation, found)
    end
    is_near(5000, numbers, 61)
    is_near(2000, whole, 42)
    for i = 1, 10 do is_near(200, each[i], 14) end
  end)
end)
