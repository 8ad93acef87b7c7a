-- The statements of RR-8795 and the chapter on made-up numbers: each can hold, and each can fail.
require "orrery"

local figures = require "orrery.reproduce.redistribution.figures"
local paper = require "orrery.reproduce.redistribution.plan"
local statements = require "orrery.reproduce.redistribution.statements"
local verdict = require "orrery.command.verdict"

-- Without faults: what is gained falls with the processors of a task, from 30% to nothing.
local function without_faults(cell, key)
  local each = cell.procs / cell.n
  local gain = 0.3 * math.max(0, (20 - each) / 18) ^ 0.5
  if cell.n > 500 then gain = 0.3 * math.max(0, 1 - each / 10) ^ 0.5 end
  if cell.sizes.key == "heterogeneous" then gain = gain + 0.02 end
  return 1 - gain - (key == "eg" and 0.005 or 0)
end

-- What faults take of the gain: less from the heuristics that are nearer to the best.
local BASE = { ["ig-eg"] = 0.79, ["ig-el"] = 0.79, ["stf-eg"] = 0.80, ["stf-el"] = 0.85,
  ["lit-eg"] = 0.81, ["lit-el"] = 0.86, el = 0.86, eg = 0.84, ig = 0.79,
  stf = 0.85, lit = 0.99, mine = 0.70, ["cautious-greedy"] = 0.75,
  ["fault-free"] = 0.68 }

local function with_faults(cell, key)
  local value = BASE[key] + 0.03 * (cell.procs - 2600) / 5000 - 0.3 * (cell.n - 100) / 900
    + 0.05 * (cell.checkpoint - 1) + 0.2 * (cell.sequential - 0.08)
  if key == "fault-free" then return value - 0.05 * (cell.checkpoint - 1) * 0.5 end
  local low = math.max(0, 20 - cell.years) / 20
  return value + low * (key:match "^ig" and 0.4 or key == "mine" and 0.01 or 0.05)
end

-- The papers' world: their words, as numbers.
local function of_the_papers(cell, key)
  if key == "none" then return 1 end
  if cell.years == math.huge then return without_faults(cell, key) end
  return with_faults(cell, key)
end

local function deviation(key) return key == "ig-el" and 20 or 10 end

local WORLDS = {
  of_the_papers,
  function(...) return 1.75 - of_the_papers(...) end, -- everything upside down
  function(...) return 1 - 0.2 * (1 - of_the_papers(...)) end, -- little gained
  function(...) return 1 - 8 * (1 - of_the_papers(...)) end, -- too much gained
  function(cell, key) -- EndGreedy's and EndLocal's part the other way round
    return of_the_papers(cell, (key:gsub("e[gl]$", { el = "eg", eg = "el" })))
      - (key == "ig-eg" and 0.1 or 0)
  end,
}

-- The statements in a world, each point with four runs that differ more than the heuristics do.
--   noise  how much the runs differ in the comparison of two heuristics, at least
local function judged(world, noise, without)
  local plan = paper.plan { policy = {}, seed = 1 }
  local mine = { key = "mine", name = "mine", policy = "mine", other = true, style = {} }
  plan.heuristics[#plan.heuristics + 1], plan.by_key.mine = mine, mine
  local calls, store, upright = 0, {}, world == of_the_papers and 1 or -1
  local function samples(value)
    calls = calls + 1
    local list = {}
    local amplitude = noise * (1 + calls * 0.618 % 1)
    for run = 1, 4 do
      local up = calls % 2 == 0 and run % 2 == 0 or calls % 2 == 1 and run <= 2
      list[run] = value * math.exp((up and amplitude or -amplitude) + 1e-4 * run)
    end
    return list
  end
  function store:get(cell, heuristic) -- luacheck: no self
    local value = world(cell, heuristic.key)
    return { normalised = samples(value), faults = samples(upright > 0 and 6 or 1),
      moves = samples(upright * (heuristic.key == "ig" and 9 or 5)),
      makespan = samples(8.64e6 * value * (1 + upright * 0.2 * cell.checkpoint)) }
  end
  function store:timed() -- luacheck: no self
    return { seconds = samples(upright > 0 and 4 or 1e3),
      makespan = samples(upright > 0 and 1e7 or 1e5), faults = samples(500),
      fatal = samples(upright > 0 and 1 or 50) }
  end
  function store:steps(_, heuristic) -- luacheck: no self
    local list = {}
    for run, sd in ipairs(samples(deviation(heuristic.key) * upright)) do
      list[run] = { { time = 0, sd = sd, running = 2 }, { time = 7, sd = sd, running = 1 },
        { time = 9, sd = 0, running = 0 } }
    end
    return list
  end
  local chosen = {}
  for _, one in ipairs(figures.names) do chosen[one[1]] = one[1] ~= without end
  return statements.of(store, plan, chosen)
end

describe("the statements of RR-8795", function()
  it("hold in numbers like the papers'", function()
    for _, statement in ipairs(judged(of_the_papers, 0)) do
      local failed = {}
      for _, part in ipairs(statement.parts) do
        if part.verdict ~= verdict.HOLDS then
          failed[#failed + 1] = ("%s (%.4f)"):format(part.label, part.mean)
        end
      end
      if statement.mode == "all" then
        assert.same({}, failed, statement.title .. ", " .. statement.where)
      end
      assert.equal(verdict.HOLDS, statement.verdict, statement.title .. ", " .. statement.where)
    end
  end)

  it("each fail in other numbers", function()
    local failing, titles = {}, {}
    for _, world in ipairs(WORLDS) do
      for i, statement in ipairs(judged(world, 1e-7)) do
        titles[i] = statement.title .. ", " .. statement.where
        failing[i] = failing[i] or statement.verdict == verdict.FAILS
      end
    end
    assert.is_true(#titles >= 50)
    for i, title in ipairs(titles) do assert.is_true(failing[i], title) end
  end)

  it("are not decided where chance is greater than what they are about", function()
    for _, statement in ipairs(judged(of_the_papers, 1)) do
      assert.equal(verdict.OPEN, statement.verdict, statement.title)
    end
  end)

  it("are left out where what they are about was not simulated", function()
    local whole = #judged(of_the_papers, 0)
    for _, one in ipairs(figures.names) do
      local part = judged(of_the_papers, 0, one[1])
      assert.is_true(#part < whole, one[1])
      for _, statement in ipairs(part) do
        assert.is_nil((statement.where .. " "):find("figure " .. one[1] .. " ", 1, true))
      end
    end
  end)
end)
