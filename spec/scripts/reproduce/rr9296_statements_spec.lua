-- The statements of RR-9296 on made-up numbers: each can hold, and each can fail.
require "orrery"

local paper = require "orrery.reproduce.rr9296.plan"
local statements = require "orrery.reproduce.rr9296.statements"
local verdict = require "orrery.command.verdict"

-- Rises from 0 to 1 and falls again, as the report's curves do.
local function hump(q)
  if q <= 0.4 then return q / 0.4 end
  return q <= 0.5 and 1 or 1 - 0.9 * (q - 0.5) / 0.4
end

local function hump_of_procs(procs)
  return procs <= 12500 and (procs - 5000) / 7500 or 1 - 0.8 * (procs - 12500) / 7500
end

-- Of a list heuristic: value without failures, what failures add at most; with LPT and with LA.
local LISTS = {
  greedy = { LPT = { 1.04, 0.08 }, LA = { 1.03, 0.06 } },
  easy = { LPT = { 1.035, 0.25 }, LA = { 1.05, 0.228 } },
  ["easy-head"] = { LPT = { 1.035, 0.25 }, LA = { 1.05, 0.228 } },
  conservative = { LPT = { 1.015, 0.25 }, LA = { 1.065, 0.25 } },
  ["kept-1"] = { LPT = { 1.03, 0.28 }, LA = { 1.05, 0.28 } },
  ["kept-all"] = { LPT = { 1.03, 0.31 }, LA = { 1.05, 0.31 } },
}

local function synthetic(cell, key, priority)
  local list = LISTS[key]
  local value
  if list then
    local numbers = list[priority] or list.LPT
    value = numbers[1] + numbers[2] * hump(cell.q)
    if priority ~= "LPT" and priority ~= "LA" then value = value + 0.2 end
  else
    value = (key == "shelf" and 1.14 or 1.17)
      + (({ LPT = 0, SPT = 0.05, LA = 0.05 })[priority] or 0.3)
  end
  return value * (1 + (key == "conservative" and 0.14 or 0.05) * hump_of_procs(cell.procs))
end

local function mira(cell, key, priority)
  local base = ({ greedy = 1.05, easy = 1.055, shelf = 1.4, ["shelf-nofill"] = 1.39 })[key] or 1.06
  local above = ({ LPT = 0, LA = 0.005, HPA = 0.02 })[priority] or 0.1
  return 1 + (base + above - 1) * (1 - 5 * cell.q)
end

-- The report's world: its words, as numbers.
local function of_the_report(cell, key, priority)
  if not cell.procs then
    return mira(cell, key, priority) + (key:find "^kept" and cell.q or 0)
  end
  if cell.kind == "capped" then
    return key == "greedy" and 1.02 or cell.cap and 1.15 or 1.05
  end
  return synthetic(cell, key, priority)
end

local WORLDS = {
  of_the_report,
  function(...) return 2.7 - of_the_report(...) end, -- everything upside down
  function(...) return 1 + 6 * (of_the_report(...) - 1) end, -- everything farther apart
  function(cell, ...) return of_the_report(cell, ...) * (1 + 2 * cell.q) end, -- rising for ever
  function() return 1.1 end, -- all alike
}

local KINDS = { "synthetic", "mira", "kept", "capped" }

-- The statements in a world, each cell with four sets that differ more than the policies do.
--   noise  how much the sets differ in the comparison of two policies
local function judged(world, noise, without)
  local plan = {
    qs = { 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9 }, mira_qs = { 0, 0.05, 0.1 },
    sizes = { 5000, 7500, 10000, 12500, 15000, 17500, 20000 }, caps = { 10, 30, 100 },
    procs = 10000, q = 0.3, heuristics = {}, by_key = {}, sets = 4,
  }
  for _, heuristic in ipairs(paper.heuristics) do
    if heuristic.key ~= without then
      plan.heuristics[#plan.heuristics + 1] = heuristic
      plan.by_key[heuristic.key] = heuristic
    end
  end
  for _, heuristic in ipairs(paper.kept) do plan.by_key[heuristic.key] = heuristic end
  local calls, shares = 0, { 0.6, 0.7, 0.6, 0.7 }
  local store = {}
  function store:get(cell, heuristic, priority) -- luacheck: no self
    local value = world(cell, heuristic.key, priority)
    calls = calls + 1
    local means = {}
    for s = 1, 4 do
      means[s] = value + 1e-4 * s + noise * math.sin(calls * 7.3 + s * 3.1)
    end
    return { mean = means }
  end
  function store:chains() -- luacheck: no self
    if world == WORLDS[1] then return noise < 0.1 and shares or { 0, 1, 1, 0 } end
    return { 0.1, 0.2, 0.1, 0.2 }
  end
  local chosen = { kept = true, capped = true, bound = true, ["table-1"] = true }
  for i = 2, 6 do chosen[tostring(i)] = true end
  return statements.of(store, plan, chosen)
end

describe("the statements of RR-9296", function()
  it("hold in numbers like the report's", function()
    for _, statement in ipairs(judged(WORLDS[1], 0)) do
      local failed = {}
      for _, part in ipairs(statement.parts) do
        if part.verdict ~= verdict.HOLDS then
          failed[#failed + 1] = ("%s (%.4f)"):format(part.label, part.mean)
        end
      end
      -- One explanation contradicts the report, and must not hold in its world.
      local own = statement.title:find("All list heuristics are alike", 1, true)
      assert.equal(own and verdict.FAILS or verdict.HOLDS, statement.verdict, statement.title
        .. ": " .. table.concat(failed, "; "))
    end
  end)

  it("each hold in some numbers and fail in others", function()
    local failing, holding, titles = {}, {}, {}
    for _, world in ipairs(WORLDS) do
      for i, statement in ipairs(judged(world, 0)) do
        titles[i] = statement.title
        failing[i] = failing[i] or statement.verdict == verdict.FAILS
        holding[i] = holding[i] or statement.verdict == verdict.HOLDS
      end
    end
    assert.is_true(#titles >= 30)
    for i, title in ipairs(titles) do
      assert.is_true(failing[i], title .. " cannot fail")
      assert.is_true(holding[i], title .. " cannot hold")
    end
  end)

  it("are not decided where the sets differ too much", function()
    local open = 0
    for _, statement in ipairs(judged(WORLDS[1], 0.5)) do
      if statement.verdict == verdict.OPEN then open = open + 1 end
    end
    assert.is_true(open >= 25, open .. " statements not decided")
  end)

  it("are left out where what they are about was not simulated", function()
    local all = #judged(WORLDS[1], 1e-7)
    for _, heuristic in ipairs(paper.heuristics) do
      local list = judged(WORLDS[1], 1e-7, heuristic.key)
      assert.is_true(#list > 10 and #list <= all)
      for _, statement in ipairs(list) do
        for _, part in ipairs(statement.parts) do
          assert.is_nil(part.label:find(heuristic.name .. ",", 1, true),
            part.label .. " without " .. heuristic.name)
        end
      end
    end
    local none = statements.of({ get = function() end }, { by_key = {}, heuristics = {},
      qs = { 0, 0.5 }, sizes = { 5000 }, mira_qs = { 0 }, caps = { 10 }, procs = 1, q = 0.3 },
      { ["2"] = true, ["3"] = true, ["4"] = true, ["5"] = true, kept = true, capped = true })
    assert.equal(0, #none)
  end)

  it("look at every kind of cell", function()
    local seen = {}
    judged(function(cell, ...)
      seen[cell.kind] = true
      return of_the_report(cell, ...)
    end, 1e-7)
    for _, kind in ipairs(KINDS) do assert.is_true(seen[kind]) end
  end)
end)
