-- Policies that take all memory there is, or call themselves for ever: errors that name the hook.
local orrery = require "orrery"
local refuse = require "spec.support.refused"

local JOBS, assert_all_is_well = refuse.JOBS, refuse.assert_all_is_well

local function jobs_run(dispatch, limits)
  return function()
    orrery.session { jobs = JOBS, procs = 2, limits = limits,
      policy = { name = "bad", dispatch = dispatch } }:finish()
  end
end

describe("memory has an end", function()
  local bombs = {
    ["text that doubles"] = function() local t = "x" while true do t = t .. t end end,
    ["string.rep"] = function() return ("x"):rep(1 << 30) end,
    ["string.rep with separators"] = function() return ("x"):rep(1 << 28, "yy") end,
    ["a list"] = function() local t = {} while #t >= 0 do t[#t + 1] = #t end end,
    ["nested tables"] = function()
      local t = {}
      while #t < 2 do t = { t } end
    end,
    ["keys"] = function()
      local t = {}
      for i = 1, 1 << 40 do t["k" .. i] = i end
      return t
    end,
    ["table.concat"] = function()
      local t, text = {}, ("x"):rep(100000)
      for i = 1, 10000 do t[i] = text end
      return table.concat(t)
    end,
    ["string.format"] = function()
      local text = ("x"):rep(100000)
      while true do text = ("%s%s"):format(text, text) end
    end,
    ["gsub"] = function() return (("x"):rep(10000):gsub("x", ("y"):rep(10000))) end,
    ["string.pack"] = function() return ("c1000000000"):pack "" end,
    ["closures"] = function()
      local f = function() end
      while true do
        local g = f
        f = function() return g end
      end
    end,
    ["sim.state"] = function(sim) for i = 1, 1 << 40 do sim.state[i] = { i } end end,
  }
  local kept = JOBS
  local limits = { memory = 8 << 20, seconds = 20 }

  it("in a state of its own, whatever takes it", function()
    for name, bomb in pairs(bombs) do
      local message = refuse.attempt(jobs_run(bomb, limits),
        { "policy bad: dispatch at time 0", "not enough memory" })
      assert.is_true(#message < 2000, name)
    end
    refuse.attempt(jobs_run(function() return ("%99999s"):format "x" end),
      "invalid conversion specification: '%99999s'")
    assert_all_is_well()
  end)

  it("in the caller's state", function()
    for _, bomb in pairs(bombs) do
      refuse.attempt(jobs_run(function(sim) return kept and bomb(sim) end, limits),
        { "policy bad: dispatch at time 0", "not enough memory" })
    end
    assert_all_is_well()
  end)

  -- Each collection looks through all of it, and frees what the next few steps need.
  it("soon where every collection frees next to nothing", function()
    local quick = { memory = 32 << 20, seconds = 15 }
    local function creep()
      local t = {}
      for i = 1, 1 << 40 do t = { t, i .. "" } end
      return t
    end
    refuse.attempt(jobs_run(creep, quick),
      { "policy bad: dispatch at time 0", "not enough memory" })
    refuse.attempt(jobs_run(function() return kept and creep() end, quick),
      { "policy bad: dispatch at time 0", "not enough memory" })
    refuse.attempt(jobs_run(function()
      while true do pcall(creep) end
    end, quick), "not enough memory")
    assert_all_is_well()
  end)

  it("also where it is caught", function()
    local double = bombs["text that doubles"]
    refuse.attempt(jobs_run(function() while true do pcall(double) end end, { seconds = 0.03 }),
      "this call took more than 0.03 s of processor time (limits.seconds)")
    assert_all_is_well()
  end)
end)

describe("recursion has an end", function()
  it("through whatever it goes", function()
    local function in_gsub(s) return (s:gsub(".", in_gsub)) end
    local function in_sort() table.sort({ 1, 2, 3 }, in_sort) end
    local function in_pcall() return assert(pcall(in_pcall)) end
    local function in_close() local _ <close> = setmetatable({}, { __close = in_close }) end
    local function in_itself() return 1 + in_itself() end
    local indexed = {}
    setmetatable(indexed, { __index = function(t, key) return t[key] end,
      __tostring = function(t) return tostring(t) end, __concat = function(a, b) return a .. b end,
      __eq = function(a, b) return a == b end })
    local chain = {}
    setmetatable(chain, { __index = chain })
    for _, attack in ipairs { function() in_gsub "x" end, in_sort, in_pcall, in_close, in_itself,
      function() return indexed.x end, function() return tostring(indexed) end,
      function() return indexed .. "x" end, function() return chain.x end,
      function() return setmetatable({}, getmetatable(indexed)) == indexed end,
    } do
      refuse.attempt(jobs_run(attack, { seconds = 20 }),
        "policy bad: dispatch at time 0")
    end
    assert_all_is_well()
  end)
end)
