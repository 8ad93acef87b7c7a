-- `orrery.search` of redistribution policies for malleable tasks: what it finds where something or
-- nothing is to be found, that samples are the runs of orrery.compare and kept apart, that threads
-- and interruptions change nothing, and that the winner's file does the same.
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"
local searches = require "spec.support.searches"

-- Free processors go to a task by its position alone, another one for each salt. Tasks are drawn
-- independently, so that no salt is better than another.
local SHUFFLED = [[
return function(options)
  return {
    options = { salt = { default = 0, least = 0, most = 1e6, whole = true } },
    on_end = function(sim)
      local chosen, its
      for _, task in ipairs(sim:tasks()) do
        local value = math.sin(task.position * (options.salt + 0.5))
        if not its or value > its then chosen, its = task, value end
      end
      if chosen and sim.free >= 2 then sim:give(chosen, sim.free - sim.free % 2) end
    end,
    on_fault = false,
  }
end
]]

-- Does something at so many events alone: a limit of its own in each of two files with one state.
local KEEPS = [[
return function(options)
  return {
    options = { limit = { default = LIMIT, least = 0, most = 20, whole = true } },
    init = function(sim)
      sim.state = sim.state or {}
      sim.state.FIELD = 0
    end,
    HOOK = function(sim, task)
      sim.state.FIELD = sim.state.FIELD + 1
      if sim.state.FIELD > options.limit then return end
      for _, one in ipairs(sim:tasks()) do
        if sim.free >= 2 then sim:give(one, 2) end
      end
    end,
  }
end
]]

local folder
setup(function()
  folder = program.folder()
  program.write(folder, "shuffled.lua", SHUFFLED)
  for name, limit in pairs { on_end = 3, on_fault = 5 } do
    program.write(folder, name .. ".lua",
      (KEEPS:gsub("LIMIT", limit):gsub("FIELD", "of_" .. name):gsub("HOOK", name)))
  end
end)
teardown(function() program.remove(folder) end)

local function shuffled(options)
  return { policy = folder .. "/shuffled.lua", options = options }
end

-- The specification of a search number `n`, with other samples for every number.
local function spec_of(n, more)
  local spec = {
    policies = { { policy = folder .. "/shuffled.lua", vary = { salt = { least = 1 } } } },
    baselines = { folder .. "/shuffled.lua" },
    training = { runs = 12, seed = 3 * n + 1 }, validation = { runs = 12, seed = 3 * n + 2 },
    testing = { runs = 20, seed = 3 * n + 3 },
    fixed = { tasks = { n = 6 }, procs = 24, faults = { mtbf_years = 3 } },
    metric = "normalised", evaluations = 200, seed = n, threads = 1,
  }
  for name, value in pairs(more or {}) do spec[name] = value end
  return spec
end

-- The result of comparing policies on a part of a search.
local function compared(spec, part, policies)
  local fields = { policies = policies }
  for _, from in ipairs { spec.fixed, spec[part] } do
    for key, value in pairs(from) do fields[key] = value end
  end
  return orrery.compare(fields)
end

-- The most successes of so many that a share has by chance, in 999 of 1000 repetitions.
local function most_by_chance(share, count)
  return share * count + 3.1 * math.sqrt(share * (1 - share) * count)
end

describe("a search of redistribution policies", function()
  it("says 'found' of candidates that are all alike in at most 2.5% of the cases #long", function()
    local count, said, trained = rounds(200, 50, 8), 0, 0
    for n = 1, count do
      local found = orrery.search(spec_of(n, { finalists = 1, evaluations = 1200,
        training = { runs = 25, seed = 3 * n + 1 } }))
      local training = found.training
      said = said + (found.found and 1 or 0)
      trained = trained + (training.difference + training.half_width < 0 and 1 or 0)
      assert.equal(not found.found, found.sentence:find "^Nothing found: " ~= nil)
    end
    assert.is_true(said <= most_by_chance(0.025, count), said)
    assert.is_true(count < 20 or trained > most_by_chance(0.025, count), trained)
  end)

  it("finds the better one of many in 95% of the cases", function()
    local count, right = rounds(60, 15, 2), 0
    for n = 1, count do
      local policies = { { policy = "end-local+iterated-greedy", name = "best" } }
      for i = 1, 20 do
        policies[i + 1] = shuffled { salt = i }
        policies[i + 1].name = "alike " .. i
      end
      local found = orrery.search(spec_of(1000 + n, { policies = policies, evaluations = 300,
        testing = { runs = 40, seed = 3 * n + 3003 },
        fixed = { tasks = { n = 10 }, procs = 24, faults = { mtbf_years = 3 } } }))
      right = right + (found.found and found.winner.name == "best" and 1 or 0)
    end
    assert.is_true(right >= 0.95 * count, right)
  end)

  it("finds the best value of an option", function()
    local given = { policy = folder .. "/on_end.lua", vary = { limit = { values = { 0, 20 } } } }
    local found = orrery.search(spec_of(3, { policies = { given }, baselines = { "none" } }))
    assert.is_true(found.found)
    assert.equal(20, found.winner.options.limit)
  end)

  it("says of samples what comparisons say of them #long", function()
    local metrics = { "normalised", "makespan", "redistribution", "fault_free_ratio", "idle" }
    local tasks = orrery.tasks.synthetic { n = 5, seed = 77 }
    for n = 1, rounds(10, 3, 2) do
      local spec = spec_of(2000 + n, { metric = metrics[n % #metrics + 1],
        policies = { "end-greedy+shortest-tasks-first:literal=true", { policy = "cautious-greedy",
          vary = { caution = { least = 0.1, most = 10, log = true } } } },
        baselines = { "end-local+iterated-greedy", "none" } })
      spec.fixed.fault_free, spec.training.set = true, n % 3
      if n % 2 == 0 then spec.fixed.tasks = tasks end
      local found = orrery.search(spec)
      assert.same({}, found.failed)
      for _, part in ipairs { "training", "validation", "testing" } do
        local result = compared(spec, part, { found.winner.candidate.policy, found.base })
        assert.equal(result:summary(1, spec.metric).mean, found[part].mean)
        assert.equal(result:summary(2, spec.metric).mean, found[part].base)
      end
      local result = compared(spec, "testing", { found.winner.candidate.policy, found.nearest })
      local winner, nearest = result:values(1, spec.metric), result:values(2, spec.metric)
      for run, sample in ipairs(found.samples) do
        assert.same({ run, winner[run], nearest[run] },
          { sample.name, sample.winner, sample.baseline })
      end
    end
  end)

  it("gives the same for any number of threads #long", function()
    searches.same_for_threads(spec_of, rounds(4))
  end)

  it("gives the same after it is interrupted anywhere, and computes no step twice #long", function()
    searches.goes_on(spec_of)
  end)

  it("writes the winner as the file of a policy that does the same #long", function()
    local on_end, on_fault = folder .. "/on_end.lua", folder .. "/on_fault.lua"
    local function one_of(policy, more)
      local choice = { policy = policy }
      for name, value in pairs(more or {}) do choice[name] = value end
      return choice
    end
    local choices = {
      "redistribute/end-local+redistribute/iterated-greedy",
      one_of("cautious-saving", { vary = { slack = true, caution = { least = 0.1, most = 3 } } }),
      one_of("end-local+cautious-saving", { vary = { slack = true } }),
      "cautious-saving:slack=0.3+shortest-tasks-first:literal=true",
      one_of({ on_end = "end-local", on_fault = false }, { name = "end alone" }),
      { on_end = on_end, on_fault = on_fault, name = "both", options = { limit = 4 } },
      on_end .. "+" .. on_fault, -- limits 3 and 5
      one_of(on_end .. ":limit=2+" .. on_fault), -- 2 and 5
      one_of(on_end .. "+" .. on_fault .. ":limit=1"),
      one_of(on_end .. "+" .. on_fault, { vary = { limit = true } }),
    }
    local seen = {}
    for i, choice in ipairs(choices) do
      local given = spec_of(30, { policies = { choice }, baselines = { "none" }, evaluations = 60 })
      local found = orrery.search(given)
      local path = ("%s/winner-%d.lua"):format(folder, i)
      found:policy(path)
      local values = compared(given, "testing", { path }):values(1, "normalised")
      for run, sample in ipairs(found.samples) do assert.equal(sample.winner, values[run], i) end
      assert.matches("^%-%- [^\n]+\n%-%- [NF]o[^\n]+\n%-%- Searched by orrery ", found:policy())
      seen[found.testing.mean] = i
    end
    local different = 0
    for _ in pairs(seen) do different = different + 1 end
    assert.is_true(different >= 8, different) -- most of them are not alike
    local written = program.read(folder .. "/winner-1.lua")
    assert.matches('name = "end-local+iterated-greedy"', written, 1, true)
    assert.is_truthy(program.read(folder .. "/winner-6.lua"):find('name = "both"', 1, true))
  end)

  it("takes tables and functions, of which there is no file", function()
    local found = orrery.search(spec_of(5, { policies = { { on_end = function(sim)
      local last = sim:longest()
      if last and sim.free >= 2 then sim:give(last, 2) end
    end, name = "own" } }, baselines = { "none" } }))
    assert.equal("own", found.winner.name)
    assert.is_true(found.found)
    assert.is_nil(found:policy())
  end)

  it("finds a front, under constraints", function()
    local given = spec_of(6, { metrics = { "makespan", "redistribution" },
      policies = { "none", "end-local+iterated-greedy", "end-greedy",
        { policy = "cautious-greedy", vary = { caution = { least = 0.1, most = 10 } } } },
      baselines = { "end-local+iterated-greedy" },
      constraints = { { metric = "makespan", most = 2 } } })
    given.metric = nil
    local found = orrery.search(given)
    assert.is_true(#found.front > 1)
    assert.is_string(found:policy(nil, 1))
  end)

  it("changes numbers of files, and asks who proposes some", function()
    program.write(folder, "few.lua", [[
return { on_end = function(sim)
  local given = 0
  for _, task in ipairs(sim:tasks()) do
    if given < 1 and sim.free >= 2 then given = given + 1; sim:give(task, 2) end
  end
end }
]])
    local given = spec_of(7, { programs = { files = { folder .. "/few.lua" } },
      baselines = { "none" }, propose = function(request)
        if request.round > 1 then return { folder .. "/on_end.lua", "easy" } end
        return { folder .. "/few.lua" }
      end })
    given.policies = nil
    local found = orrery.search(given)
    assert.is_true(found.found and found.candidates > 5)
    found:policy(folder .. "/proposed.lua")
    local values = compared(given, "testing", { folder .. "/proposed.lua" }):values(1, "normalised")
    for run, sample in ipairs(found.samples) do assert.equal(sample.winner, values[run]) end
    local said = {}
    for _, one in ipairs(found.failed) do said[#said + 1] = one.problem end
    assert.matches("easy is a dispatch policy; redistribution policies for tasks are searched for",
      table.concat(said, "\n"), 1, true)
  end)

  it("says where it wins and where it loses, by the length of tasks and their spread", function()
    local found = orrery.search(spec_of(8, { policies = { "end-local+iterated-greedy" } }))
    local by = {}
    for _, half in ipairs(found.halves) do by[half.of] = half end
    local means, spreads = {}, {}
    for run = 1, 20 do
      local list = {}
      for i, task in ipairs(orrery.tasks.synthetic { n = 6, seed = 27, run = run }) do
        list[i] = task.sequential
      end
      local summary = orrery.summary(list)
      means[run], spreads[run] = summary.mean, summary.sd / summary.mean
    end
    local function near(a, b) assert.is_true(math.abs(a - b) < 1e-9 * b) end
    near(orrery.quantiles(means, { 0.5 })[1], by.length.at)
    near(orrery.quantiles(spreads, { 0.5 })[1], by.spread.at)
    assert.equal(10, by.length.low.samples)
    found:report(folder .. "/page.html")
  end)
end)

describe("the three parts of a search of redistribution policies", function()
  local function refused(message, more)
    local done, problem = pcall(orrery.search, spec_of(1, more))
    assert.is_false(done, message)
    assert.matches(message, problem, 1, true)
  end

  it("draw from streams of their own", function()
    refused("testing: tasks or faults are drawn from the stream of training (seed 4, set 0); the "
      .. "three parts are kept apart: give another seed", { testing = { runs = 9, seed = 4 } })
    refused("validation: tasks or faults are drawn from the stream of training",
      { validation = { runs = 9, seed = 4, tasks = { n = 9, sequential = 0.2 } } })
    assert.is_string(orrery.search(spec_of(1, { testing = { runs = 9, seed = 4, set = 1 } }))
      .sentence)
    local given = orrery.tasks.synthetic { n = 6, seed = 4, run = 7 } -- one of training
    refused("testing: run 1 has tasks of training; the three parts are kept apart",
      { testing = { runs = 9, tasks = given } })
  end)

  it("may be of the same tasks where faults are drawn, from other streams", function()
    local tasks = orrery.tasks.synthetic { n = 6, seed = 99 }
    local fixed = { tasks = tasks, procs = 24, faults = { mtbf_years = 3 } }
    local found = orrery.search(spec_of(1, { fixed = fixed }))
    assert.matches("training and testing are of the same tasks and differ in their faults",
      tostring(found))
    refused("testing: tasks or faults are drawn from the stream of validation (seed 5, set 0)",
      { fixed = fixed, testing = { runs = 9, seed = 5 } })
    refused("training: expected at least 2 samples (runs whose tasks or faults are drawn), found 1",
      { fixed = { tasks = tasks, procs = 24 } })
    refused("training: expected at least 2 samples", { fixed = { tasks = tasks, procs = 24,
      faults = { mtbf_years = 3, log = {} } } })
    refused("testing: expected at least 5 samples", { testing = { runs = 4 } })
  end)

  it("are refused with the field that is wrong", function()
    local jobs = orrery.synthetic { count = 3, procs = { 1, 2 }, seed = 1 }
    for message, more in pairs {
      ["fixed has tasks and testing has jobs: policies for one of them are searched for"] =
        { testing = { jobs = jobs, runs = 9 } },
      ["testing: unknown field 'errors'"] = { testing = { errors = {} } },
      ["testing: 'packs' is no field of what a search is simulated on"] =
        { testing = { packs = "sorted-cuts" } },
      ["training: 'options' is no field of what"] = { training = { options = {} } },
      ["tasks: unknown field 'count'"] = { testing = { tasks = { count = 3 } } },
      ["validation: it has no tasks, and another part has some"] =
        { fixed = { procs = 24 }, training = { tasks = { n = 6 }, runs = 9 } },
      ["formulas: they are priorities of jobs, and fixed has tasks"] =
        { formulas = { policies = { "easy" } } },
      ["priorities: they order jobs, and fixed has tasks"] = { priorities = { "spt" } },
      ["metric: there is no metric 'flow_mean' of tasks"] = { metric = "flow_mean" },
      ["metric: of 'moves' neither more nor less is better"] = { metric = "moves" },
      ["constraints[1].metric: there is no metric 'wait_mean' of tasks"] =
        { constraints = { { metric = "wait_mean", most = 1 } } },
      ["training: the metric fault_free_ratio wants fault_free = true"] =
        { metric = "fault_free_ratio" },
      ["'easy' is a dispatch policy"] = { policies = { "easy" } },
      ["policy end-local: it has no on_fault, only an on_end"] =
        { policies = { "end-local+end-local" } },
      ["there is no policy 'end-locl', did you mean 'end-local'?"] =
        { baselines = { "end-locl+iterated-greedy" } },
      ["policies[1].vary.slack: the policy has no such option"] =
        { policies = { { policy = "end-local+iterated-greedy", vary = { slack = true } } } },
      ["policies[1].vary.slack.most: the policy allows no more than 1, found 2"] =
        { policies = { { policy = "cautious-saving", vary = { slack = { most = 2 } } } } },
      ["policies[1].vary.limit.most: the policy allows no more than 20, found 21"] =
        { policies = { { policy = folder .. "/on_end.lua+" .. folder .. "/on_fault.lua",
          vary = { limit = { most = 21 } } } } },
      ["has no option 'nosuch'"] = { policies = { { policy = "end-greedy",
        options = { nosuch = 1 } } } },
      ["policies[1].priority: priorities order jobs"] =
        { policies = { { policy = "end-greedy", priority = "spt" } } },
      ["programs.files[1]: easy is a dispatch policy; redistribution policies for tasks are"] =
        { programs = { files = { "easy" } } },
    } do
      refused(message, more)
    end
  end)
end)
