-- `orrery.search` of pack policies: what it finds where something or nothing is to be found, that
-- samples are the runs of orrery.packs and kept apart, and that the winner's file does the same.
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"
local searches = require "spec.support.searches"

-- Packs of three tasks in an order of their positions, another one for each salt. Tasks are drawn
-- independently, so that no salt is better than another.
local SHUFFLED = [[
return function(options)
  return {
    options = { salt = { default = 0, least = 0, most = 1e6, whole = true } },
    pack = function(problem)
      local order, packs = {}, {}
      for i = 1, #problem do order[i] = i end
      local function key(i) return math.sin(i * (options.salt + 0.5)) end
      table.sort(order, function(a, b) return key(a) < key(b) end)
      for at, i in ipairs(order) do
        local pack = (at - 1) // 3 + 1
        packs[pack] = packs[pack] or {}
        table.insert(packs[pack], i)
      end
      return packs
    end,
  }
end
]]

local folder
setup(function()
  folder = program.folder()
  program.write(folder, "shuffled.lua", SHUFFLED)
end)
teardown(function() program.remove(folder) end)

local function spec_of(n, more)
  local spec = {
    kind = "pack",
    policies = { { policy = folder .. "/shuffled.lua", vary = { salt = { least = 1 } } } },
    baselines = { folder .. "/shuffled.lua" },
    training = { runs = 8, seed = 3 * n + 1 }, validation = { runs = 8, seed = 3 * n + 2 },
    testing = { runs = 20, seed = 3 * n + 3 },
    fixed = { tasks = { n = 9 }, procs = 16 },
    metric = "relative_cost", evaluations = 200, seed = n, threads = 1,
  }
  for name, value in pairs(more or {}) do spec[name] = value end
  return spec
end

local function compared(spec, part, policies)
  local fields = { policies = policies }
  for _, from in ipairs { spec.fixed, spec[part] } do
    for key, value in pairs(from) do fields[key] = value end
  end
  return orrery.packs(fields)
end

describe("a search of pack policies", function()
  it("says 'found' of candidates that are all alike in at most 2.5% of the cases #long", function()
    local count, said = rounds(120), 0
    for n = 1, count do
      local found = orrery.search(spec_of(n, { finalists = 1 }))
      said = said + (found.found and 1 or 0)
      assert.equal(not found.found, found.sentence:find "^Nothing found: " ~= nil)
    end
    assert.is_true(said <= 0.025 * count + 3.1 * math.sqrt(0.025 * 0.975 * count), said)
  end)

  it("finds the better one of many, the same for all threads, and writes its file", function()
    local expected
    for _, threads in ipairs { 1, 2, 7 } do
      local policies = { { policy = "sorted-cuts", name = "best" } }
      for i = 1, 12 do
        policies[i + 1] = { policy = folder .. "/shuffled.lua", options = { salt = i } }
        policies[i + 1].name = "alike " .. i
      end
      local spec = spec_of(7, { policies = policies, threads = threads })
      local found = orrery.search(spec)
      assert.is_true(found.found)
      assert.equal("best", found.winner.name)
      expected = expected or searches.text_of(found)
      assert.equal(expected, searches.text_of(found))
      found:policy(folder .. "/winner.lua")
      local result = compared(spec, "testing", { folder .. "/winner.lua", found.nearest })
      local winner, nearest = result:values(1, spec.metric), result:values(2, spec.metric)
      for run, sample in ipairs(found.samples) do
        assert.same({ run, winner[run], nearest[run] },
          { sample.name, sample.winner, sample.baseline })
      end
    end
  end)

  it("says of samples of random policies what orrery.packs says of them", function()
    local spec = spec_of(9, { policies = { { policy = "pack-by-pack", vary = { runs = { least = 1,
      most = 5 } } }, { policy = folder .. "/shuffled.lua", vary = { salt = true } } },
      baselines = { "pack-by-pack:runs=1" }, training = { runs = 12, seed = 99, set = 2 },
      evaluations = 100 }) -- too few for all samples at once
    local found = orrery.search(spec)
    assert.same({}, found.failed)
    assert.matches("^pack%-by%-pack:runs=", found.winner.name)
    for _, part in ipairs { "training", "validation", "testing" } do
      local result = compared(spec, part, { found.winner.candidate.policy, found.base })
      assert.equal(result:summary(1, spec.metric).mean, found[part].mean)
      assert.equal(result:summary(2, spec.metric).mean, found[part].base)
    end
  end)

  it("is refused with what is wrong", function()
    local tasks = orrery.tasks.synthetic { n = 5 }
    for message, more in pairs {
      ["kind: expected dispatch, pack or redistribute"] = { kind = "packs" },
      ["kind: dispatch policies are for jobs, and fixed has tasks"] = { kind = "dispatch" },
      ["metric: there is no metric 'makespan' of packs"] = { metric = "makespan" },
      ["metric: there is no metric 'seconds' of packs"] = { metric = "seconds" },
      ["testing: unknown field 'faults'"] = { testing = { faults = {} } },
      ["testing: 'run' is no field"] = { testing = { run = 2 } },
      ["training: expected at least 2 samples (runs whose tasks are drawn), found 1"] =
        { fixed = { tasks = tasks, procs = 16 } },
      ["testing: tasks or faults are drawn from the stream of training (seed 4, set 0)"] =
        { testing = { runs = 9, seed = 4 } },
      ["validation: run 1 has tasks of training; the three parts are kept apart"] =
        { fixed = { procs = 16, tasks = function(run)
          return orrery.tasks.synthetic { n = 5, run = run }
        end } },
      ["'easy' is a dispatch policy"] = { policies = { "easy" } },
      ["priorities order jobs, not packs"] =
        { policies = { { policy = "sorted-cuts", priority = "spt" } } },
    } do
      local done, problem = pcall(orrery.search, spec_of(1, more))
      assert.is_false(done, message)
      assert.matches(message, problem, 1, true)
    end
    local done, problem = pcall(orrery.search, { kind = "pack", policies = { "easy" } })
    assert.is_false(done)
    assert.matches("kind: pack policies are for tasks, and no part has some", problem, 1, true)
  end)
end)
