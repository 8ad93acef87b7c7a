-- `orrery.search`: how often it says that something was found where nothing is and where something
-- is, that its three parts are kept apart, and that threads and interruptions change nothing.
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"
local searches = require "spec.support.searches"

-- Sets of jobs that are all there at 0, drawn independently: `first` names the random numbers.
local function sets_of(first, count, jobs)
  local list = {}
  for i = 1, count do
    list[i] = { name = i, jobs = orrery.synthetic { count = jobs or 8, procs = { 1, 4 },
      time = { 1, 100 }, seed = first, set = i } }
  end
  return list
end

local folder
setup(function()
  folder = program.folder()
  program.write(folder, "shuffled.lua", searches.SHUFFLED)
end)
teardown(function() program.remove(folder) end)

-- The specification of a search number `n`, with other samples for every number.
local function spec_of(n, more)
  local spec = {
    policies = { { policy = folder .. "/shuffled.lua", vary = { salt = { least = 1 } } } },
    baselines = { folder .. "/shuffled.lua" },
    training = { sets = sets_of(3 * n + 1, 12) }, validation = { sets = sets_of(3 * n + 2, 12) },
    testing = { sets = sets_of(3 * n + 3, 20) },
    fixed = { procs = 4, batch = true }, metric = "flow_mean", evaluations = 250, seed = n,
    threads = 1,
  }
  for name, value in pairs(more or {}) do spec[name] = value end
  return spec
end

local text_of = searches.text_of

describe("a search", function()
  -- The most successes of so many that a share has by chance, in 999 of 1000 repetitions.
  local function most_by_chance(share, count)
    return share * count + 3.1 * math.sqrt(share * (1 - share) * count)
  end

  it("says 'found' of candidates that are all alike in at most 2.5% of the cases #long", function()
    local count, said, trained = rounds(200, 50, 3), 0, 0
    for n = 1, count do
      local found = orrery.search(spec_of(n, { training = { sets = sets_of(3 * n + 1, 25) },
        validation = { sets = sets_of(3 * n + 2, 8) }, finalists = 1, evaluations = 800 }))
      local training = found.training
      said = said + (found.found and 1 or 0)
      trained = trained + (training.difference + training.half_width < 0 and 1 or 0)
      assert.equal(found.found, found.sentence:find "^Found: " ~= nil)
      assert.equal(not found.found, found.sentence:find "^Nothing found: " ~= nil)
    end
    assert.is_true(said <= most_by_chance(0.025, count), said)
    -- on the training samples the best of them looks better than the baseline far more often
    assert.is_true(count < 20 or trained > most_by_chance(0.025, count), trained)
  end)

  it("says 'found' of candidates that are all alike, against five baselines, as seldom", function()
    local count, said = rounds(40, 10, 1), 0
    for n = 1, count do
      local baselines = {}
      for i = 1, 5 do
        baselines[i] = { policy = folder .. "/shuffled.lua", options = { salt = -i + 6 },
          name = "b" .. i }
      end
      local found = orrery.search(spec_of(500 + n, { baselines = baselines,
        policies = { { policy = folder .. "/shuffled.lua", vary = { salt = { least = 10 } } } } }))
      said = said + (found.found and 1 or 0)
    end
    assert.is_true(said <= most_by_chance(0.025, count), said)
  end)

  it("finds the better one of many in 95% of the cases", function()
    local count, right = rounds(100, 25, 2), 0
    for n = 1, count do
      local policies = { { policy = folder .. "/shuffled.lua", priority = "spt", name = "best" } }
      for i = 1, 30 do
        policies[i + 1] = { policy = folder .. "/shuffled.lua", options = { salt = i },
          name = "alike " .. i }
      end
      local found = orrery.search(spec_of(1000 + n, { policies = policies,
        testing = { sets = sets_of(3 * n + 3003, 30) } }))
      right = right + (found.found and found.winner.name == "best" and 1 or 0)
    end
    assert.is_true(right >= 0.95 * count, right)
  end)

  it("frees the Lua states of candidates when it ends", function()
    local racing = require "orrery.search.racing"
    local run, most, left = racing.run, 0, nil
    racing.run = function(what)
      what.progress = function() most = math.max(most, what.evaluator.ready) end
      local race = run(what)
      left = what.evaluator.ready
      return race
    end
    local ok, problem = pcall(orrery.search, spec_of(1))
    racing.run = run
    assert(ok, problem)
    assert.is_true(most > 0)
    assert.equal(1, left) -- that of the baseline
  end)

  it("says of the testing samples what comparisons say of them", function()
    local policies = { { policy = "greedy", priority = "spt" } }
    local given = spec_of(1, { policies = policies, baselines = { "fcfs", "easy" } })
    local found = orrery.search(given)
    local result = orrery.compare { sets = given.testing.sets, procs = 4, batch = true, seed = 3,
      policies = { { policy = "greedy", priority = "spt" }, "fcfs", "easy" } }
    assert.is_true(found.found)
    for i, name in ipairs { "fcfs", "easy" } do
      local d, row = result:difference(name, 1, "flow_mean"), found.differences[i]
      assert.equal(name, row.name)
      for _, field in ipairs { "mean", "sd", "count", "half_width", "median", "rank_p" } do
        assert.equal(d[field], row[field], field)
      end
      assert.equal("better", row.verdict)
      assert.equal(result:summary(name, "flow_mean").mean, row.base)
    end
    local of_search, of_result = found.samples[7], result:set_means(1, "flow_mean")[7]
    assert.equal(of_result, of_search.winner)
    assert.equal(20, #found.samples)
    assert.equal(1, found.candidates)
    assert.equal(12, found.evaluations)
  end)

  it("says of samples what comparisons say of them, whatever is shared between steps", function()
    for n = 1, rounds(20, 5, 2) do
      local given = spec_of(2000 + n, { baselines = { "easy" }, evaluations = 300,
        formulas = { policies = { "easy", "greedy" }, fields = n % 2 == 0
          and { "time", "procs", "failure_probability" } or { "time", "area", "wait" } } })
      given.policies = n % 3 > 0 and { { policy = folder .. "/shuffled.lua",
        vary = { salt = { least = 1 } } } } or nil
      if n % 2 == 0 then -- samples are scenarios of one set
        given.fixed.errors = { mean_probability = 0.3 }
        for _, name in ipairs { "training", "validation", "testing" } do
          given[name] = { jobs = given[name].sets[1].jobs, runs = 12 }
        end
      end
      local found = orrery.search(given)
      assert.same({}, found.failed)
      for i, name in ipairs { "training", "validation", "testing" } do
        local fields = { policies = { found.winner.candidate.policy, "easy" }, seed = i }
        for _, from in ipairs { given.fixed, given[name] } do
          for key, value in pairs(from) do fields[key] = value end
        end
        local result = orrery.compare(fields)
        assert.equal(result:summary(1, "flow_mean").mean, found[name].mean)
        assert.equal(result:summary(2, "flow_mean").mean, found[name].base)
      end
    end
  end)

  it("says where it wins and where it loses", function()
    local given = spec_of(1, { policies = { { policy = "greedy", priority = "spt" } },
      baselines = { "fcfs" } })
    local few = {} -- one job alone cannot be ordered, so there is no difference
    for i = 1, 20 do
      few[i] = { name = i, jobs = i % 2 == 0 and given.testing.sets[i].jobs
        or orrery.synthetic { count = 1, procs = { 1, 4 }, time = { 1, 100 }, seed = 99, set = i } }
    end
    given.testing = { sets = few }
    local found = orrery.search(given)
    local by = {}
    for _, half in ipairs(found.halves) do by[half.of] = half end
    assert.is_nil(by.load) -- all come at 0
    assert.same({ samples = 10, mean = 0, half_width = 0 }, by.jobs.low)
    assert.equal(10, by.jobs.high.samples)
    assert.is_true(by.jobs.high.mean + by.jobs.high.half_width < 0)
    assert.is_true(math.abs(by.jobs.high.mean / 2 - found.testing.difference) < 1e-9)
    assert.equal("jobs", by.jobs.unit)
    assert.is_nil(by.q)
    assert.matches("\ntesting samples by +median +up to it +above it\n", tostring(found))
  end)

  it("tells samples apart by the probability that an attempt fails, as by hand", function()
    local given = spec_of(1, { policies = { { policy = "greedy", priority = "spt" } },
      baselines = { "fcfs" }, fixed = { procs = 4, batch = true, errors = { rate = 1e-3 } } })
    local values = {}
    for i, set in ipairs(given.testing.sets) do
      values[i] = 0
      for _, job in ipairs(set.jobs) do
        values[i] = values[i] + (1 - math.exp(-1e-3 * job.procs * job.runtime)) / #set.jobs
      end
    end
    local found, half = orrery.search(given), nil
    for _, one in ipairs(found.halves) do half = one.of == "q" and one or half end
    assert.is_true(math.abs(half.at - orrery.quantiles(values, { 0.5 })[1]) < 1e-12)
    local sum, count = 0, 0
    for i, sample in ipairs(found.samples) do
      if values[i] <= half.at then
        sum, count = sum + sample.winner - sample.baseline, count + 1
      end
    end
    assert.equal(count, half.low.samples)
    assert.is_true(math.abs(sum / count - half.low.mean) < 1e-9 * math.abs(half.low.mean))
  end)

  it("simulates the testing samples at the end alone, and one candidate with the baselines",
    function()
      local steps = {}
      local found = orrery.search(spec_of(2, { keep = function(name, compute)
        local result = compute()
        steps[#steps + 1] = { name:match "^%a+", #result.found }
        return result
      end }))
      local last = #steps
      assert.same({ { "testing", 1 }, { "testing", 1 } }, { steps[last - 1], steps[last] })
      assert.same({ { "validation", 1 }, { "validation", 5 } },
        { steps[last - 3], steps[last - 2] })
      for i = 1, last - 4 do assert.equal("training", steps[i][1]) end
      assert.is_true(found.candidates > 5)
    end)

  it("gives the same for any number of threads", function()
    searches.same_for_threads(spec_of, rounds(8, 2, 1))
  end)

  it("gives the same after it was interrupted anywhere, no step twice #long", function()
    searches.goes_on(spec_of)
  end)

  it("has other steps where a file of failures is another", function()
    local path = folder .. "/failures.csv"
    local function steps_with(time)
      program.write(folder, "failures.csv", ("time,processor\n%g,1\n"):format(time))
      local names = {}
      orrery.search(spec_of(2, { fixed = { procs = 4, batch = true,
        node_failures = { log = path, repair = 1 } }, evaluations = 30,
        keep = function(name, compute)
          names[#names + 1] = name
          return compute()
        end }))
      return names
    end
    local names = steps_with(7)
    assert.same(names, steps_with(7))
    local known = {}
    for _, name in ipairs(names) do known[name] = true end
    for _, name in ipairs(steps_with(8)) do assert.is_nil(known[name]) end
  end)

  it("finds formulas, the same for any number of threads, and writes them as policies", function()
    local expected
    for _, threads in ipairs(searches.THREADS) do
      local given = spec_of(11, { formulas = { policies = { "greedy", "easy" } },
        baselines = { "fcfs", "easy" }, evaluations = rounds(1500, 1500, 500), threads = threads })
      given.policies = nil
      local found = orrery.search(given)
      assert.is_true(found.found)
      expected = expected or text_of(found)
      assert.equal(expected, text_of(found))
      local path = folder .. "/formula.lua"
      found:policy(path)
      local result = orrery.compare { sets = given.testing.sets, procs = 4, batch = true, seed = 3,
        policies = { path, { policy = "greedy", priority = "spt" } } }
      for s, sample in ipairs(found.samples) do
        assert.equal(sample.winner, result:set_means(1, "flow_mean")[s])
      end
      -- nearly as good as the best order there is
      local of_spt = result:summary(2, "flow_mean").mean
      assert.is_true(found.testing.mean < 1.05 * of_spt, found.winner.name)
    end
  end)

  -- Every job of a user takes as long, and all walltimes are the same: who knows the user's last
  -- job can backfill.
  local function users(from, count)
    local sets = {}
    for s = 1, count do
      local rng, list, takes = orrery.random(from + s), {}, {}
      for i = 1, rounds(60, 60, 20) do
        local user = "u" .. rng:integer(1, 6)
        takes[user] = takes[user] or rng:integer(1, 90)
        list[i] = { submit = 12 * i, procs = rng:integer(1, 6), time = takes[user], user = user,
          walltime = 100 }
      end
      sets[s] = { name = "s" .. s, jobs = orrery.jobs(list) }
    end
    return { sets = sets }
  end

  it("finds formulas of estimates, and writes them as policies #long", function()
    local expected
    for _, threads in ipairs(searches.THREADS) do
      local found = orrery.search { formulas = { policies = { "easy" }, of = "estimate" },
        baselines = { "easy" }, training = users(0, 12), validation = users(100, 12),
        testing = users(200, 20), fixed = { procs = 8, walltimes = "log" }, metric = "flow_mean",
        evaluations = 300, threads = threads }
      assert.is_true(found.found, found.sentence)
      assert.matches("formulas of estimates over time, procs, last, mean", found.space, 1, true)
      assert.matches("^easy, estimate .*", found.winner.name)
      expected = expected or text_of(found)
      assert.equal(expected, text_of(found))
      local path = folder .. "/estimate.lua"
      found:policy(path)
      local result = orrery.compare { sets = users(200, 20).sets, procs = 8, seed = 3,
        walltimes = "log", policies = { path, "easy" } }
      for s, sample in ipairs(found.samples) do
        assert.equal(sample.winner, result:set_means(1, "flow_mean")[s])
      end
    end
  end)

  it("gives policies and formulas equal shares", function()
    local function source(name, asked)
      local function some(count, best)
        asked[#asked + 1] = { count, best and #best }
        local list = {}
        for i = 1, count do list[i] = { name = name } end
        return list
      end
      return { size = math.huge, about = name, first = function(_, _, count) return some(count) end,
        next = function(_, _, count, best) return some(count, best) end }
    end
    local of_a, of_b = {}, {}
    local both = require "orrery.search.sources" { source("a", of_a), source("b", of_b) }
    local list = both:first(nil, 5)
    assert.equal("a", list[2].name)
    assert.equal("b", list[3].name)
    both:next(nil, 7, { list[1], list[4], list[5] }, 0.1)
    both:next(nil, 2, { list[1] }, 0.1)
    assert.same({ { 2 }, { 3, 1 }, { 1, 1 } }, of_a)
    assert.same({ { 3 }, { 4, 2 }, { 1 } }, of_b)
    local found = orrery.search(spec_of(12, { formulas = { policies = { "greedy" } } }))
    assert.matches("1 choice of policies, 1000000 candidates in all; formulas over time, procs, "
      .. "area, submit", found.space, 1, true)
  end)

  it("asks a function for candidates, and tells it how they did", function()
    local requests = {}
    local given = spec_of(14, { baselines = { "fcfs" }, rounds = 4, propose = function(request)
      requests[#requests + 1] = request
      local path = ("%s/rule-%d.lua"):format(folder, request.round)
      program.write(folder, ("rule-%d.lua"):format(request.round), request.round == 2
        and "return { pack = function() end }"
        or ("return { priority = function(job) return -job.time * %d end }"):format(request.round))
      if request.round == 3 then return { path, path, 5 } end
      return { path }
    end })
    given.policies = nil
    local found = orrery.search(given)
    assert.is_true(found.found)
    assert.equal(4, #requests)
    assert.same({ 1, "flow_mean", "less", 0, 0 }, { requests[1].round, requests[1].metric,
      requests[1].better, #requests[1].best, #requests[1].failed })
    local best = requests[2].best[1]
    assert.equal("easy + rule-1", best.name)
    assert.equal("return { priority = function(job) return -job.time * 1 end }", best.source)
    assert.matches("rule%-2.lua is a pack policy", requests[3].failed[1].problem)
    assert.equal("candidate 3: expected the path of a policy's file, found number",
      requests[4].failed[1].problem)
    assert.equal(best.mean, found.training.mean)
    assert.equal(3, found.candidates)
  end)

  it("judges only candidates that differ in what they do", function()
    local policies = {}
    for i = 1, 6 do policies[i] = { policy = "greedy", priority = "spt", name = "copy " .. i } end
    local found = orrery.search(spec_of(13, { policies = policies, baselines = { "fcfs" } }))
    assert.equal(6, found.candidates)
    assert.equal(1, #found.finalists)
    assert.equal("copy 1", found.finalists[1].name:gsub("%d", "1"), nil)
  end)

  it("takes any number of rounds, and names of any kind", function()
    local found = orrery.search(spec_of(1, { rounds = 1 << 53 }))
    assert.is_true(found.evaluations <= 250)
    local given = spec_of(1)
    given.testing.sets[1].name = io.stdout
    assert.matches('"name":"file %(', orrery.search(given):json())
    for message, more in pairs {
      ["title: expected a text, found function"] = { title = print },
      ["sets: expected a list of"] = { training = { sets = { nil, given.training.sets[1] } } },
      ["programs.policies[1]: expected a name, found table"] = {
        programs = { files = { "aging" }, policies = { {} } } },
    } do
      local done, problem = pcall(orrery.search, spec_of(1, more))
      assert.is_false(done)
      assert.matches(message, problem, 1, true)
    end
  end)

  it("spends no more evaluations than it has", function()
    local rng = orrery.random(5)
    for n = 1, rounds(40, 10, 1) do
      local evaluations = rng:integer(12, 400)
      local found = orrery.search(spec_of(n, { evaluations = evaluations }))
      assert.is_true(found.evaluations <= evaluations, evaluations)
      assert.is_true(found.evaluations > evaluations // 2, evaluations)
      assert.is_true(#found.curve >= 1)
    end
    local found = orrery.search(spec_of(1, { evaluations = 3 }))
    assert.is_nil(found.winner or found.base or found.training or found.fitting)
    assert.has_error(function() return found.winer end)
    assert.is_false(found.found)
    assert.equal("Nothing found: no candidate of 0 could be simulated to the end, for there are 12 "
      .. "training samples, and the budget is 3 evaluations.", found.sentence)
  end)

  it("spends about the time that it has #long", function()
    local given = spec_of(3, { minutes = 0.01 })
    given.evaluations = nil
    local found = orrery.search(given)
    assert.is_true(found.seconds >= 0.6 and found.seconds < 60, found.seconds)
    assert.is_true(found.evaluations > 100, found.evaluations)
  end)

  it("ends when its time is over, or its evaluations", function()
    local short = orrery.search(spec_of(3, { minutes = 1e-9 }))
    assert.matches("simulated to the end, for the 1e%-09 minutes were over before%.$",
      short.sentence)
    local both = orrery.search(spec_of(3, { minutes = 10, evaluations = 100 }))
    assert.is_true(both.evaluations <= 100)
  end)

  it("takes functions and tables, which have names of their own", function()
    local function first_fit(sim)
      for job in sim:waiting() do
        if job.procs <= sim.free then sim:start(job) end
      end
    end
    local found = orrery.search(spec_of(4, { policies = { first_fit,
      { policy = first_fit, priority = "spt", name = "short" },
      { dispatch = first_fit, name = "table" } }, baselines = { "fcfs", function(sim)
        for job in sim:waiting() do
          if job.procs > sim.free then break end
          sim:start(job)
        end
      end } }))
    assert.equal("short", found.winner.name)
    assert.matches("^function at .*search_spec.lua:%d+$", found.differences[2].name)
    assert.equal(3, found.candidates)
    assert.is_nil(found:policy())
  end)

  it("keeps constraints, and finds nothing where they are broken", function()
    local function found_with(most)
      return orrery.search(spec_of(6, { policies = { { policy = "greedy", priority = "spt" } },
        baselines = { "fcfs" }, constraints = { { metric = "makespan", most = most } } }))
    end
    local fine, broken = found_with(1.5), found_with(0.5)
    assert.is_true(fine.found and fine.constraints[1].holds)
    assert.is_false(broken.found or broken.constraints[1].holds)
    assert.matches("it breaks a constraint on the testing samples: makespan is %d", broken.sentence)
    local one = fine.constraints[1]
    assert.is_true(math.abs(one.mean - 1.5 * one.of_mean - one.over) < 1e-9 * one.of_mean)
  end)

  it("prefers candidates that keep the constraints", function()
    local spt = { policy = "greedy", priority = "spt" }
    local lpt = { policy = "greedy", priority = "lpt" }
    local found = orrery.search(spec_of(7, { policies = { spt, lpt }, metric = "flow_mean",
      baselines = { lpt }, constraints = { { metric = "makespan", most = 1 } } }))
    assert.equal("greedy + lpt", found.winner.name)
    assert.is_false(found.found)
    assert.matches("it does the same as greedy %+ lpt, every time", found.sentence)
  end)

  it("writes the winner as the file of a policy that does the same", function()
    local choices = { { policy = "aging", vary = { patience = { least = 1, most = 50 } } },
      { policy = "list:reservations=2", priority = "spt", vary = { backfill = {
        values = { "queue", "saf" } } } }, { policy = "lookahead", options = { window = 3 } } }
    for i, choice in ipairs(choices) do
      local found = orrery.search(spec_of(8, { policies = { choice }, baselines = { "fcfs" },
        evaluations = 100 }))
      local path = ("%s/winner-%d.lua"):format(folder, i)
      found:policy(path)
      local result = orrery.compare { sets = spec_of(8).testing.sets, procs = 4, batch = true,
        seed = 3, policies = { path } }
      for s, sample in ipairs(found.samples) do
        assert.equal(sample.winner, result:set_means(1, "flow_mean")[s])
      end
      assert.matches("^%-%- [^\n]+\n%-%- [NF]o[^\n]+\n%-%- Searched by orrery ", found:policy())
    end
  end)

  it("goes on where a candidate raises an error, and says so", function()
    program.write(folder, "raises.lua", "return { dispatch = function(sim) error 'oh' end }")
    local found = orrery.search(spec_of(9, { policies = { folder .. "/raises.lua",
      { policy = "greedy", priority = "spt" } }, baselines = { "fcfs" } }))
    assert.is_true(found.found)
    assert.equal(1, #found.failed)
    assert.matches("oh$", found.failed[1].problem)
    local none = orrery.search(spec_of(9, { policies = { folder .. "/raises.lua" } }))
    assert.equal("Nothing found: no candidate of 1 could be simulated to the end.", none.sentence)
    assert.matches("\nfailed: .*raises.lua: ", tostring(none))
  end)

  -- Of 12 training samples; the budget is the reason as long as it is less.
  it("says that its evaluations were too few only where they were", function()
    program.write(folder, "raises.lua", "return { dispatch = function(sim) error 'oh' end }")
    local function why(more)
      more.policies = { folder .. "/raises.lua" }
      return orrery.search(spec_of(9, more)).sentence:match "to the end(.*)$"
    end
    for evaluations, text in pairs { [1] = "1 evaluation.", [11] = "11 evaluations." } do
      assert.equal(", for there are 12 training samples, and the budget is " .. text,
        why { evaluations = evaluations })
    end
    assert.equal(".", why { evaluations = 12 })
    assert.equal(".", why { evaluations = 12, minutes = 60 })
    assert.equal(", for there are 12 training samples, and the budget is 11 evaluations.",
      why { evaluations = 11, minutes = 1e-9 })
  end)

  it("says what its winner is", function()
    local function winner(policy, more)
      local spec = { policies = { policy }, baselines = { "fcfs" }, evaluations = 12 }
      for name, value in pairs(more or {}) do spec[name] = value end
      return orrery.search(spec_of(9, spec))
    end
    local found = winner { policy = "greedy", priority = "spt" }
    local won = found.winner
    assert.same({ "greedy", "spt", 9, "fcfs", "fcfs", 12, 12 }, { won.policy, won.priority,
      found.seed, found.nearest, found.base, found.evaluations, found.training.samples })
    assert.equal(1, found.looks)
    assert.same({ { 1, 20 }, 20 }, { { found.samples[1].name, found.samples[20].name },
      #found.samples })
    assert.same({ { name = won.name, training = found.training.mean,
      validation = found.validation.mean } }, found.finalists)
    found = winner { name = "own", policy = { dispatch = { discipline = "list", reservations = 0 },
      priority = function(job) return job.time end } }
    assert.equal("{ dispatch = { discipline = \"list\", reservations = 0 }, priority = function }",
      found.winner.policy)
    assert.equal("own", found.winner.name)
    assert.is_nil(found.winner.priority)
  end)

  it("draws a page", function()
    local found = orrery.search(spec_of(1, { title = "Nothing & more" }))
    found:report(folder .. "/page.html")
    local page = program.read(folder .. "/page.html")
    assert.matches("<h1>Nothing &amp; more</h1>", page, 1, true)
    assert.matches(found.winner.name, page, 1, true)
    assert.matches("Where it wins and where it loses", page, 1, true)
    assert.has_error(function() found:report(folder .. "/page.html", { nosuch = 1 }) end)
  end)
end)

describe("the three parts of a search", function()
  local function refused(message, more)
    local done, problem = pcall(orrery.search, spec_of(1, more))
    assert.is_false(done)
    assert.matches(message, problem, 1, true)
  end

  it("are refused where they share jobs, also under other names, loads and times", function()
    local log = orrery.lublin { procs = 16, days = 60, load = 0.7, seed = 3, week = false }
    local parts = log:slices { days = 2 }
    local function some(from, to) return table.move(parts, from, to, 1, {}) end
    local given = { training = { sets = some(1, 8) }, validation = { sets = some(9, 16) },
      testing = { sets = some(17, 24) }, fixed = { procs = 16 }, policies = { "easy" },
      baselines = { "fcfs" }, evaluations = 20 }
    assert.is_string(orrery.search(spec_of(1, given)).sentence)
    given.testing = { sets = some(16, 24) }
    refused("testing: set", given)
    refused("has jobs of validation; the three parts are kept apart", given)
    local again = {}
    for i = 1, 5 do again[i] = { name = i, jobs = parts[20 + i].jobs } end
    again[4] = { name = "faster", jobs = parts[3].jobs:load(2) }
    given.testing = { sets = again }
    refused("testing: set faster has jobs of training", given)
    given.testing = { jobs = log, by = "week" }
    refused("has jobs of training", given)
  end)

  it("may be of the same jobs where failures are drawn, from other streams", function()
    local jobs = orrery.synthetic { count = 8, procs = { 1, 4 }, seed = 3 }
    local given = { training = { runs = 10 }, validation = { runs = 10 }, testing = { runs = 10 },
      fixed = { jobs = jobs, procs = 4, batch = true, errors = { mean_probability = 0.2 } },
      evaluations = 60 }
    local found = orrery.search(spec_of(1, given))
    assert.equal(10, #found.samples)
    assert.matches("training and testing are of the same jobs and differ in their failures",
      tostring(found))
    given.testing = { runs = 10, seed = 1 }
    refused("testing: set all has jobs of training", given)
    given.testing.set = 1
    assert.is_string(orrery.search(spec_of(1, given)).sentence)
    given.testing.set = 0
    refused("or other seeds of the failures", given)
    given.fixed.errors = nil
    refused("training: expected at least 2 samples", given)
  end)

  it("have samples enough for an interval", function()
    refused("testing: expected at least 5 samples (sets of jobs; or scenarios with failures that "
      .. "are drawn), found 4", { testing = { sets = sets_of(77, 4) } })
    local log = orrery.lublin { procs = 16, days = 42, load = 0.7, seed = 3, week = false }
    refused("testing: 6 weeks of a log are too few for an interval",
      { testing = { jobs = log, by = "week" }, fixed = { procs = 16 } })
  end)

  it("are refused with the field that is wrong", function()
    refused("training: expected a table with fields of orrery.compare, found boolean",
      { training = false })
    refused("testing: unknown field 'job'", { testing = { job = 1 } })
    refused("testing: 'policies' is no field of what a search is simulated on",
      { testing = { policies = {}, sets = {} } })
    refused("testing has tasks and training has jobs", { testing = { tasks = { n = 3 } } })
  end)
end)

describe("a specification of a search", function()
  local AGING = { policy = "aging", vary = { patience = { least = 1, most = 2 } } }

  it("names candidates", function()
    local given = spec_of(1, { priorities = { "spt" } })
    given.policies = nil
    local done, problem = pcall(orrery.search, given)
    assert.is_false(done)
    assert.matches("give policies, formulas, programs or propose, or several of them", problem)
    given.formulas = { policies = { "easy" } }
    done, problem = pcall(orrery.search, given)
    assert.is_false(done)
    assert.matches("priorities are those of policies: give policies as well", problem)
  end)

  local function vary(range) return { policies = { { policy = "aging", vary = range } } } end

  it("is refused with what is wrong with it", function()
    for message, more in pairs {
      ["search: unknown field 'policy'"] = { policy = "easy" },
      ["formulas: expected a table, found number"] = { formulas = 1 },
      ["propose: expected a function, found string"] = { propose = "sh" },
      ["rounds: expected a whole number of at least 1, found 0"] = { rounds = 0 },
      ["formulas.policies: expected a list of at least one name, found nil"] = { formulas = {} },
      ["formulas.fields: there is no field 'tmie', did you mean 'time'? (known: area, attempts,"] =
        { formulas = { policies = { "easy" }, fields = { "tmie" } } },
      ["formulas.of: expected 'priority' or 'estimate', found \"length\""] =
        { formulas = { policies = { "easy" }, of = "length" } },
      ["formulas.fields: there is no field 'wait', did you mean 'waiting'? (known: area,"] =
        { formulas = { policies = { "easy" }, of = "estimate", fields = { "wait" } } },
      ["formulas.size: expected a whole number of at least 1, found 0"] =
        { formulas = { policies = { "easy" }, size = 0 } },
      ["there is no policy 'nosuch-either'"] = { formulas = { policies = { "nosuch-either" } } },
      ["policies: expected a list of at least one policy, found table"] = { policies = {} },
      ["baselines: expected a list of at least one policy"] = { baselines = {} },
      ["baselines[2]: 'fcfs' is there twice"] = { baselines = { "fcfs", "fcfs" } },
      ["baselines: options of a baseline do not vary"] = { baselines = { AGING } },
      ["metric: there is no metric 'flow_maen', did you mean 'flow_mean'?"] =
        { metric = "flow_maen" },
      ["there is no policy 'nosuch'"] = { policies = { "nosuch" } },
      ["'spt' is a priority"] = { policies = { "spt" } },
      ["evaluations: expected a whole number of at least 1, found 0"] = { evaluations = 0 },
      ["metric: expected the name of a metric, found table"] = { metric = { "flow_mean" } },
      ["testing: sets: expected a list of { name =, jobs = }"] = { testing = { sets = {} } },
      ["validation: sets[1]: there are no jobs"] =
        { validation = { sets = { { jobs = orrery.jobs {} } } } },
      ["minutes: expected a number above 0, found -1"] = { minutes = -1 },
      ["finalists: expected a whole number of at least 1, found 1.5"] = { finalists = 1.5 },
      ["keep: expected a function, found number"] = { keep = 1 },
      ["constraints[1]: unknown field 'least'"] = { constraints = { { least = 1 } } },
      ["constraints[1].most: expected a number above 0, found nil"] =
        { constraints = { { metric = "wait_mean" } } },
      ['constraints[1].of: expected one of the baselines (fcfs), found "easy"'] =
        { baselines = { "fcfs" },
          constraints = { { metric = "wait_mean", most = 1, of = "easy" } } },
      ["constraints[1]: of 'utilisation' more is better"] =
        { constraints = { { metric = "utilisation", most = 1 } } },
    } do
      local done, problem = pcall(orrery.search, spec_of(1, more))
      assert.is_false(done, message)
      assert.matches(message, problem, 1, true)
    end
  end)

  it("has ranges within those that the policy declares", function()
    for message, more in pairs {
      ["policies[1].vary.patience.most: expected a number, for the policy declares no largest "
        .. "value, found nil"] = vary { patience = true },
      ["policies[1].vary.patience.least: the policy allows no less than 0, found -1"] =
        vary { patience = { least = -1, most = 2 } },
      ["policies[1].vary.patience: least must be below most, they are 3 and 2"] =
        vary { patience = { least = 3, most = 2 } },
      ["policies[1].vary.patience: a logarithmic range begins above 0, this one at 0"] =
        vary { patience = { most = 2, log = true } },
      ["policies[1].vary.patience: give values, or least and most, not both"] =
        vary { patience = { values = { 1 }, most = 2 } },
      ["policies[1].vary.patience: 1 is there twice"] = vary { patience = { values = { 1, 1 } } },
      ["policies[1].vary.patience: expected values of the type of its default, a number, found "
        .. '"x"'] = vary { patience = { values = { "x" } } },
      ["policies[1].vary.nosuch: the policy has no such option"] = vary { nosuch = true },
      ["policies[1]: option patience is given and varies"] = { policies = { { policy = "aging",
        options = { patience = 3 }, vary = { patience = { least = 1, most = 2 } } } } },
      ["policies[2]: option patience is given and varies"] = { policies = { "fcfs", {
        policy = "aging:patience=3", vary = { patience = { least = 1, most = 2 } } } } },
    } do
      local done, problem = pcall(orrery.search, spec_of(1, more))
      assert.is_false(done, message)
      assert.matches(message, problem, 1, true)
    end
  end)
end)
