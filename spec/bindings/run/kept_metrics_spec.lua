-- A comparison of many scenarios that keeps only the metrics that are named says the same of them
-- as one that keeps all.
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local MORE = { "makespan", "wait_mean", "utilisation", "failures", "bsld_mean", "killed", "ettr" }

local function merged(spec, metrics)
  local copy = { metrics = metrics }
  for key, value in pairs(spec) do copy[key] = value end
  return copy
end

-- To the last bit, also where a number is none.
local function exact(summary)
  local list = {}
  for name, value in pairs(summary) do
    list[#list + 1] = type(value) == "number" and ("%s %a"):format(name, value)
      or name .. " " .. tostring(value)
  end
  table.sort(list)
  return list
end

-- A part of the metrics, in any order, some twice.
local function some(rng)
  local list = {}
  for i = 1, rng:integer(0, 6) do list[i] = MORE[rng:integer(1, #MORE)] end
  return list
end

describe("metrics = names keeps those alone", function()
  it("with the same numbers", function()
    local rng = orrery.random(23)
    for seed = 1, rounds(24) do
      local spec = {
        sets = { { jobs = orrery.synthetic { count = 20, seed = seed } }, seed % 3 == 0
          and { jobs = orrery.synthetic { count = 9, seed = seed } } or nil },
        procs = 3000, runs = rng:integer(2, 40), threads = rng:integer(1, 3),
        policies = { "greedy", "easy" }, quantiles = seed % 4 == 0,
        errors = { mean_probability = seed % 2 == 0 and 0 or 0.2 },
      }
      local names = some(rng)
      local all, few = orrery.compare(spec), orrery.compare(merged(spec, names))
      for _, metric in ipairs { "ratio", table.unpack(names) } do
        for i = 1, 2 do
          assert.same(all:values(i, metric), few:values(i, metric))
          assert.same(exact(all:summary(i, metric)), exact(few:summary(i, metric)))
        end
        assert.same(exact(all:difference(1, 2, metric)), exact(few:difference(1, 2, metric)))
      end
      if spec.quantiles then
        assert.same(all:summary(2, "wait_p90"), few:summary(2, "wait_p90"))
      end
    end
  end)

  it("in tables, CSV and JSON", function()
    local jobs = orrery.jobs { { procs = 1, time = 10 }, { procs = 1, time = 10 } }
    local result = orrery.compare { jobs = jobs, procs = 1, runs = 2,
      metrics = { "wait_mean", "failures" } }
    assert.equal("policy,priority,set,scenario,ratio,failures,wait_mean\n"
      .. "dispatch/greedy,fcfs,all,1,1,0,5\ndispatch/greedy,fcfs,all,2,1,0,5\n", result:csv())
    assert.is_truthy(tostring(result):find("policy%s+ratio%s+mean wait %(s%)%s+failures\n"))
    local json = result:json()
    assert.is_truthy(json:find('"failures"', 1, true) and not json:find('"makespan"', 1, true))
  end)

  it("and refuses others, and names that there are not", function()
    local spec = { jobs = orrery.synthetic { count = 5 }, procs = 3000, runs = 2 }
    local function raises(text, f)
      local ok, problem = pcall(f)
      assert.is_false(ok)
      assert.is_truthy(tostring(problem):find(text, 1, true), tostring(problem))
    end
    local result = orrery.compare(merged(spec, { "starts" }))
    raises("wait_mean was not kept: name it in metrics",
      function() return result:summary(1, "wait_mean") end)
    raises("there is no metric 'x'", function() return result:summary(1, "x") end)
    raises("metrics: there is no metric 'wait'",
      function() orrery.compare(merged(spec, { "wait" })) end)
    raises("metrics: expected a list of metrics",
      function() orrery.compare(merged(spec, "ratio")) end)
    spec.runs, spec.precision = nil, 0.1
    raises("precision looks at all metrics",
      function() orrery.compare(merged(spec, { "starts" })) end)
  end)
end)

describe("replay and compare keep what they print", function()
  -- With --json everything is kept.
  it("and print what they print where all is kept #long", function()
    local folder = program.folder()
    local function printed(arguments)
      local status, text, err = program.run(folder, arguments)
      assert.same({ 0, "" }, { status, err })
      return text
    end
    for _, arguments in ipairs {
      "replay --day 2019-06-14 --q 0.2 --runs 20 --policy greedy",
      "replay --day 2019-06-14 --q 0.2 --runs 20 --policy greedy --policy easy --quantiles",
      "replay --day 2019-06-14 --q 0.3 --runs 5 --policy easy --check",
      "compare --day 2019-06-14 --q 0.2 --runs 20 --policy greedy --policy easy",
      "compare --day 2019-06-14 --q 0.2 --runs 20 --batch --policy easy --priority lpt"
        .. " --priority la",
      "compare --day 2019-06-14 --q 0.2 --runs 20 --metric wait_p90 --policy greedy --policy easy",
      "compare --day 2019-06-14 --q 0.2 --runs 20 --metric failures --procs 49152 --procs 54067"
        .. " --policy easy",
    } do
      local text = printed(arguments)
      local all = printed(arguments .. " --json all.json"):gsub("wrote all.json: JSON\n", "")
      assert.equal(all, text)
      assert.is_truthy(text:find "jobs on")
    end
    program.remove(folder)
  end)
end)
