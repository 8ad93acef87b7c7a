-- Priorities that only draw a number (bindings/host/draws.lua): the kernel draws the same.
local orrery = require "orrery"
local draws = require "orrery.host.draws"

local function policy_of(text)
  return { policy = "dispatch/easy", priority = assert(load(text))() }
end

local ONLY = "return { per = 'scenario', priority = function() return math.random() end }"
local CALLED = "return { per = 'scenario', priority = function(_) return math.random() end }"

describe("a priority that only draws", function()
  local function numbers(priority, more)
    local spec = { jobs = orrery.synthetic { seed = 3, count = 30 }, procs = 10000, runs = 40,
      errors = { mean_probability = 0.3 }, policies = { priority } }
    for key, value in pairs(more or {}) do spec[key] = value end
    local result = orrery.compare(spec)
    return { result:values(1, "makespan"), result:values(1, "wait_mean") }
  end

  it("gives the numbers of a function that is called", function()
    local called = numbers(policy_of(CALLED))
    for _, more in ipairs { { threads = 1 }, { threads = 3 }, { plain = true }, { check = true },
      { seed = 1 } } do
      assert.same(called, numbers(policy_of(ONLY), more))
      assert.same(called, numbers({ policy = "dispatch/easy", priority = "priority/random" }, more))
    end
    assert.are_not.same(called, numbers(policy_of(ONLY), { seed = 2 }))
  end)

  it("gives them per scenario, also beside hooks, groups and state", function()
    local text = [[return {
      init = function(sim) sim.state = { n = 0 } end, per = "scenario", dispatch = "easy",
      on_end = function(sim) sim.state.n = sim.state.n + 1 end,
      priority = function(%s) return math.random() end }]]
    local one, other = assert(load(text:format "")) (), assert(load(text:format "_")) ()
    assert.same(numbers(other), numbers(one))
  end)

  it("is no other function, however it looks", function()
    local function is_draw(text) return draws.is_draw(assert(load(text))(), _G) end
    assert.is_true(is_draw "return function() return math.random() end")
    assert.is_true(is_draw "\n\n\nreturn function()\n return math.random() end")
    assert.is_true(is_draw(("\n"):rep(200) .. "return function() return math.random() end"))
    for _, text in ipairs {
      "return function() return math.random(2) end",
      "return function() return (math.random()) end",
      "return function() return math.random() + 1 end",
      "return function(job) return math.random() end",
      "return function(...) return math.random() end",
      "return function() return math.huge() end",
      "local math = { random = print } return function() return math.random() end",
      "local _ENV = { math = { random = print } } return function() return math.random() end",
      "return print",
    } do
      assert.is_false(is_draw(text), text)
    end
    assert.is_false(draws.is_draw(assert(load(ONLY))().priority, {}))
  end)
end)
