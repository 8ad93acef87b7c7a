local orrery = require "orrery"

-- The call fails with this message behind the position of the call in this file.
local function assert_refused(message, call, ...)
  local arguments = table.pack(...)
  local good, actual = pcall(function()
    call(table.unpack(arguments, 1, arguments.n))
  end)
  assert.is_false(good)
  assert.equal(message, (actual:gsub("^spec/bindings/values/random_spec.lua:%d+: ", "")))
  assert.matches("^spec/bindings/values/random_spec.lua:%d+: ", actual)
end

describe("orrery.random", function()
  it("names the known fields when one is unknown", function()
    local known = " (known: seed, set, scenario, entity; or: state, sequence)"
    assert_refused("random: unknown field 'sed'" .. known, orrery.random, { sed = 1 })
    assert_refused("random: unknown field '1'" .. known, orrery.random, { 5 })
    assert_refused("random: unknown field 'true'" .. known, orrery.random, { [true] = 1 })
  end)

  it("refuses what is not an integer, negative counts and mixtures", function()
    assert_refused("random: field 'seed' is an integer, not 1.5", orrery.random, { seed = 1.5 })
    assert_refused("random: field 'seed' is an integer, not 1", orrery.random, { seed = "1" })
    assert_refused("random: field 'entity' is at least 0, not -1", orrery.random, { entity = -1 })
    assert_refused("random: state and sequence seed a generator as PCG's reference does; they "
      .. "exclude seed, set, scenario and entity", orrery.random, { state = 1, seed = 1 })
    assert_refused("bad argument #1 to 'call' (number expected, got boolean)", orrery.random, true)
  end)

  it("makes the same generator from a number, a table and nothing", function()
    local word = orrery.random(1):next()
    assert.equal(word, orrery.random():next())
    assert.equal(word, orrery.random({}):next())
    assert.equal(word, orrery.random({ seed = 1.0, set = 0, scenario = 0, entity = 0 }):next())
    assert.are_not.equal(word, orrery.random(2):next())
    for _, field in ipairs { "seed", "set", "scenario", "entity" } do
      assert.are_not.equal(word, orrery.random({ [field] = 2 }):next())
    end
  end)
end)

describe("a generator", function()
  local rng = orrery.random(1)

  it("names its methods when one is unknown", function()
    assert_refused("a generator has no 'unifrom' (known: next, uniform, integer, exponential, "
      .. "geometric, weibull, lognormal, normal, gamma, advance, copy)", function()
      rng:unifrom()
    end)
  end)

  it("refuses arguments outside their range", function()
    local refused = {
      { "uniform", 2, 1 }, { "uniform", 1 }, { "uniform", 0, 1 / 0 }, { "uniform", -1e308, 1e308 },
      { "integer", 2, 1 }, { "integer", 1.5, 2 }, { "integer", 1 },
      { "exponential", 0 }, { "exponential", -1 }, { "exponential" }, { "exponential", 0 / 0 },
      { "weibull", 0, 1 }, { "weibull", 1, 0 }, { "weibull", 1 },
      { "lognormal", 0, -1 }, { "lognormal", 1 / 0, 1 },
      { "gamma", 0, 1 }, { "gamma", 1, 0 }, { "gamma", 1 },
      { "geometric" }, { "geometric", 0.5 }, { "geometric", {} }, { "geometric", { q = 1 } },
      { "geometric", { q = -0.1 } }, { "geometric", { q = "0.5" } }, { "geometric", { q = 0 / 0 } },
      { "geometric", { hazard = -1 } }, { "geometric", { hazard = 1 / 0 } },
      { "geometric", { q = 0.5, hazard = 1 } }, { "geometric", { q = 0.5, p = 0.5 } },
      { "advance" }, { "advance", 0.5 },
    }
    for _, case in ipairs(refused) do
      local good, message = pcall(rng[case[1]], rng, table.unpack(case, 2))
      assert.is_false(good, case[1])
      assert.matches("bad argument", message)
    end
    assert.is_false(pcall(rng.next, io.stdout))
  end)

  it("advances itself and copies apart", function()
    local a = orrery.random(5)
    local b = a:copy()
    assert.equal(a, a:advance(3))
    b:next()
    b:next()
    b:next()
    assert.equal(b:next(), a:next())
    assert.equal(0, a:geometric { q = 0 })
    assert.equal(0, a:geometric { hazard = 0 })
    assert.equal(7, a:integer(7, 7))
    assert.equal("integer", math.type(a:integer(math.mininteger, math.maxinteger)))
  end)

  it("draws the same from q and from its hazard", function()
    for i = 1, 200 do
      local q = i / 201
      local a, b = orrery.random(i), orrery.random(i)
      assert.equal(a:geometric { q = q }, b:geometric { hazard = -math.log(1 - q) })
    end
  end)
end)

describe("statistics", function()
  it("name the element that is not a number", function()
    assert_refused("bad argument #1 to 'call' (element 2 is not a number but string)",
      orrery.summary, { 1, "2", 3 })
    assert_refused("bad argument #1 to 'call' (table expected, got no value)", orrery.summary)
    assert_refused("bad argument #2 to 'call' (element 1 is not a number but boolean)",
      orrery.summary_paired, { 1 }, { true })
  end)

  it("refuse lists of different lengths and impossible probabilities", function()
    assert_refused("bad argument #2 to 'call' (2 numbers, as in the first list, expected, not 1)",
      orrery.summary_paired, { 1, 2 }, { 1 })
    assert_refused("a quantile's probability is in [0, 1], not 1.5", orrery.quantiles, { 1, 2 },
      { 0.5, 1.5 })
    assert_refused("a quantile's probability is in [0, 1], not -1", orrery.quantiles, {}, { -1 })
  end)

  it("ask a list's metamethods", function()
    local list = setmetatable({}, {
      __len = function() return 3 end,
      __index = function(_, i) return i * 10 end,
    })
    assert.equal(20.0, orrery.summary(list).mean)
    local good, message = pcall(orrery.summary, setmetatable({}, { __index = function()
      error "no such result"
    end, __len = function() return 1 end }))
    assert.is_false(good)
    assert.matches("no such result", message)
  end)
end)

describe("orrery.student_quantile", function()
  it("has the tables' values", function()
    assert.near(12.7062, orrery.student_quantile(0.975, 1), 5e-5)
    assert.near(-2.0452, orrery.student_quantile(0.025, 29), 5e-5)
    assert.near(1.9600, orrery.student_quantile(0.975, math.huge), 5e-5)
  end)

  it("refuses what is no probability and no number of degrees", function()
    for _, p in ipairs { 0, 1, -1, 0 / 0 } do
      assert_refused("bad argument #1 to 'call' (must be between 0 and 1)",
        orrery.student_quantile, p, 1)
    end
    assert_refused("bad argument #2 to 'call' (must be at least 1)",
      orrery.student_quantile, 0.5, 0)
  end)
end)
