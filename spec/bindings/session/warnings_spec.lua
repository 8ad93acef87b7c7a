-- Failures of nodes that are announced (READINGS 47): against the failures that come, and a naive
-- reading of who runs where.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local HORIZON = 2e5

local function copy(given, more)
  local all = {}
  for key, value in pairs(given) do all[key] = value end
  for key, value in pairs(more or {}) do all[key] = value end
  return all
end

-- 60 jobs that come one after the other.
local function rows(seed, procs)
  local rng, list = orrery.random { seed = seed }, {}
  for i = 1, 60 do
    list[i] = { submit = 3000 * i, procs = rng:integer(1, procs), time = rng:integer(500, 9000) }
  end
  list[#list + 1] = { submit = HORIZON, procs = 1, time = 1 }
  return orrery.jobs(list)
end

-- A finished session, and what its policy was told: "now at first+procs ...", and who ran there.
local function told(spec, act)
  local policy = { name = "hears", dispatch = spec.dispatch or "easy",
    on_warning = function(sim, nodes, at)
      local parts = { ("%.17g %.17g"):format(sim.now, at) }
      for _, node in ipairs(nodes) do
        parts[#parts + 1] = node.first .. "+" .. node.procs
      end
      local on = {}
      for i, job in ipairs(sim:running_on(nodes)) do on[i] = job.id end
      sim:note { text = table.concat(parts, " "), on = table.concat(on, " ") }
      if act then act(sim, nodes, at) end
    end }
  local s = orrery.session { jobs = spec.jobs, procs = spec.procs, policy = policy,
    seed = spec.seed, node_failures = spec.node_failures, checkpoint = spec.checkpoint }
  s:finish()
  return s
end

local function texts(s)
  local list = {}
  for i, note in ipairs(s.notes) do list[i] = note.text end
  return list
end

local KINDS = {
  { mtbf = 2e5, procs = 3, repair = 400 },
  { mtbf = 2e5, procs = 3, repair = "exponential:400", law = "weibull", shape = 0.7 },
  { mtbf = 3e5, procs = 2, repair = 0, law = "lognormal", shape = 1.2, lemons = "0.2:5" },
  { mtbf = 2e5, procs = 2, repair = 300, domains = "3:4e5", lemons = "0.3:4" },
  { domains = "2:1e5", procs = 3 },
}

local PROCS, COSTS = 20, { cost = 20, period = 2000 }

describe("warnings", function()
  it("by hand: of failures that are given, and who runs there", function()
    local s = told { jobs = orrery.jobs { { submit = 0, procs = 2, time = 50 },
      { submit = 0, procs = 4, time = 200 }, { submit = 60, procs = 2, time = 30 } }, procs = 6,
      node_failures = { procs = 2, prediction = "lead=20", log = {
        { time = 5, processor = 0, repair = 1 }, { time = 75, processor = 5, repair = 10 },
        { time = 77, processor = 0, repair = 1 } } } }
    local lines = {}
    for i, note in ipairs(s.notes) do lines[i] = note.text .. " on " .. note.on end
    -- the first at the first submission; then job 1 runs from 6 to 56 on the first node
    assert.same({ "0 5 0+2 on ", "55 75 4+2 on 2", "57 77 0+2 on " }, lines)
  end)

  it("leave the failures as they are, and are the same under any policy", function()
    for i, given in ipairs(KINDS) do
      for seed = 1, rounds(6, 6, 3) do
        local jobs = rows(seed, PROCS)
        local spec = { jobs = jobs, procs = PROCS, seed = seed, checkpoint = COSTS,
          node_failures = copy(given,
            { prediction = { recall = 0.6, precision = 0.4, lead = 900 } }) }
        local one = told(spec)
        local other = told(copy(spec, { dispatch = "fcfs" }), function(sim, nodes)
          for _, job in ipairs(sim:running_on(nodes)) do sim:preempt(job) end
        end)
        local until_then = math.min(one.now, other.now)
        local function before(list)
          local few = {}
          for _, text in ipairs(list) do
            if tonumber(text:match "^%S+") < until_then then few[#few + 1] = text end
          end
          return few
        end
        assert.same(before(texts(one)), before(texts(other)), "kind " .. i)
        local plain = orrery.session { jobs = jobs, procs = PROCS, policy = "easy", seed = seed,
          node_failures = given, checkpoint = COSTS }
        plain:finish()
        -- who only hears changes nothing but the instants; and who does not hear nothing at all
        assert.same(plain:outages(), (function()
          local deaf = orrery.session { jobs = jobs, procs = PROCS, policy = "easy", seed = seed,
            node_failures = spec.node_failures, checkpoint = COSTS }
          local metrics = deaf:finish()
          assert.same(plain:finish(), metrics)
          return deaf:outages()
        end)())
        assert.is_true(#plain:outages() > 0)
      end
    end
  end)

  -- What a machine on which nothing runs hears, and what fails there.
  local function idle(given, scenario)
    local s = orrery.session { procs = 30, scenario = scenario, node_failures = given, policy = {
      dispatch = "easy", on_warning = function(sim, nodes, at)
        sim:note { at = at, first = nodes[1].first, nodes = #nodes }
      end }, jobs = orrery.jobs { { submit = 50, procs = 1, time = 0 },
      { submit = HORIZON, procs = 1, time = 1 } } }
    s:run_until(HORIZON - 1)
    return s
  end

  it("are a share of the failures, and a share of them comes true", function()
    for i, given in ipairs(KINDS) do
      local RECALL, PRECISION, LEAD = 0.7, 0.3, 1000
      local failures, announced, warnings, scenarios = 0, 0, 0, rounds(30, 30, 5)
      for scenario = 1, scenarios do
        -- repaired at once, no failure is ignored
        local quick = copy(given, { repair = 0 })
        local s = idle(copy(quick, { prediction = { recall = RECALL, precision = PRECISION,
          lead = LEAD } }), scenario)
        local all, full = {}, idle(copy(quick, { prediction = { lead = LEAD } }), scenario)
        for _, note in ipairs(full.notes) do all[note.first .. " " .. note.at] = note end
        local comes = {}
        for _, o in ipairs(s:outages()) do comes[o.first .. " " .. o.start] = true end
        local true_ones = 0
        for _, note in ipairs(s.notes) do
          local key = note.first .. " " .. note.at
          assert.equal(math.max(note.at - LEAD, 50), note.time)
          true_ones = true_ones + (all[key] and 1 or 0)
        end
        for key, note in pairs(all) do -- with recall 1 every failure, and no other
          if note.at < HORIZON - 1 then assert.is_true(comes[key], key) end
        end
        local count = 0
        for key in pairs(comes) do
          count = count + 1
          assert.is_truthy(all[key], key)
        end
        failures, announced = failures + #full.notes, announced + true_ones
        warnings = warnings + #s.notes
      end
      local share = announced / failures
      local error = math.sqrt(RECALL * (1 - RECALL) / failures)
      assert.is_true(math.abs(share - RECALL) < 4 * error, ("%d: recall %g"):format(i, share))
      -- false ones are Poisson, by the nominal rate, which exponential failures have
      local nodes = 30 / given.procs
      local rate = given.mtbf and nodes / given.mtbf or 0
      if given.lemons then
        local part, factor = given.lemons:match "(.*):(.*)"
        rate = rate * (1 + part * (factor - 1))
      end
      if given.domains then
        local size, mtbf = given.domains:match "(.*):(.*)"
        rate = rate + math.ceil(nodes / size) / mtbf
      end
      local expected = scenarios * (HORIZON - 50 + LEAD) * rate * RECALL * (1 / PRECISION - 1)
      assert.is_true(math.abs(warnings - announced - expected) < 4 * math.sqrt(expected),
        ("%d: %d false warnings, expected %g"):format(i, warnings - announced, expected))
    end
  end)

  it("of a larger recall are the same ones and more, each drawn by itself", function()
    for i, given in ipairs(KINDS) do
      local both, before = 0, nil
      for _, recall in ipairs { 0.2, 0.5, 0.8 } do
        local announced, all = {}, {}
        for scenario = 1, rounds(10, 10, 4) do
          local function list_of(share)
            return idle(copy(given, { prediction = { recall = share, lead = 10 } }), scenario).notes
          end
          for _, note in ipairs(list_of(recall)) do
            announced[("%d %d %.17g"):format(scenario, note.first, note.at)] = true
          end
          for _, note in ipairs(list_of(1)) do
            local key = ("%d %d %.17g"):format(scenario, note.first, note.at)
            local place = scenario .. " " .. note.first .. " " .. note.nodes
            all[place] = all[place] or {}
            all[place][announced[key] or false] = true
          end
        end
        for key in pairs(before or {}) do assert.is_true(announced[key], key) end
        for _, seen in pairs(all) do both = both + (seen[true] and seen[false] and 1 or 0) end
        before = announced
      end
      assert.is_true(both > 5, i .. ": " .. both) -- places of which some failures are announced
    end
  end)

  it("are forked, taken back and drawn anew", function()
    local between = 0
    for i, given in ipairs(KINDS) do
      local spec = { jobs = rows(i, PROCS), procs = PROCS, seed = i, checkpoint = COSTS,
        policy = { dispatch = "easy", on_warning = function(sim, nodes, at)
          sim:note { at = at }
          for _, job in ipairs(sim:running_on(nodes)) do
            if at - sim.now > 20 then sim:checkpoint(job) else sim:requeue(job) end
          end
        end }, node_failures = copy(given, { prediction = "recall=0.9,precision=0.5,lead=1h" }) }
      local s = orrery.session(spec)
      local rng = orrery.random { seed = i }
      for _ = 1, 25 do
        s:run_until(s.now + rng:uniform(0, 9000))
        local coming = s:warnings()
        for k, warning in ipairs(coming) do
          assert.is_true(warning.time <= s.now and warning.at > s.now)
          assert.is_true(k == 1 or coming[k - 1].at <= warning.at)
        end
        between = between + #coming
        local fork = s:fork()
        assert.same(coming, fork:warnings())
        local now, metrics = s.now, fork:finish()
        local again = s:fork()
        again:run_until(now + 20000)
        again:back_to(now)
        assert.same(metrics, again:finish())
        local anew = s:fork { seed = 77 }
        for _, warning in ipairs(anew:warnings()) do
          assert.is_true(warning.time <= anew.now and warning.at > anew.now)
        end
        anew:finish()
        assert(anew:check())
      end
      s:finish()
      assert(s:check())
      local all = {}
      for line in s:back_to(0):trace():gmatch "[^\n]+" do
        for at in line:gmatch '"time":[^,]*,"at":([^,]*)' do all[#all + 1] = tonumber(at) end
      end
      assert.is_true(#all > 0)
    end
    assert.is_true(between > 30, between)
  end)

  it("are the same for any number of threads", function()
    local found
    for _, threads in ipairs { 1, 2, 7 } do
      local result = orrery.compare { jobs = rows(1, PROCS), procs = PROCS, runs = 40,
        threads = threads, check = true, checkpoint = COSTS,
        node_failures = copy(KINDS[2], { prediction = "recall=0.9,precision=0.5,lead=30m" }),
        policies = { "easy", { name = "saves", policy = { dispatch = "easy",
          on_warning = function(sim, nodes)
            for _, job in ipairs(sim:running_on(nodes)) do sim:checkpoint(job) end
          end } } } }
      local text = result:csv()
      found = found or text
      assert.equal(found, text)
    end
  end)
end)

describe("a prediction", function()
  local function refused(message, given)
    local ok, problem = pcall(orrery.session, { jobs = rows(1, 4), procs = 4,
      node_failures = copy({ mtbf = 1e6 }, given) })
    assert.is_false(ok)
    assert.matches(message, problem, 1, true)
  end

  it("that cannot be is refused, with the reason", function()
    refused("prediction.recall: expected a recall of 0, or from 1e-06 to 1, found 2",
      { prediction = { recall = 2, lead = 1 } })
    refused("prediction.precision: expected a precision from 1e-06 to 1, found 1.5",
      { prediction = { precision = 1.5, lead = 1 } })
    refused("prediction.lead: expected a lead in seconds, or as '10m', found nothing",
      { prediction = { recall = 1 } })
    refused("prediction.lead: expected a finite number of seconds, more than 0, found inf",
      { prediction = { lead = math.huge } })
    refused("expected recall, precision and lead, as 'recall=0.8,precision=0.5,lead=10m', found "
      .. "'recall'", { prediction = "recall" })
    refused("unknown field 'lag'", { prediction = { lag = 3 } })
    refused("so there are no false warnings of them: the precision must be 1, not 0.5",
      { mtbf = nil, log = {}, prediction = "precision=0.5,lead=1m" })
    refused("prediction and retire_after exclude each other",
      { retire_after = 2, prediction = "lead=1m" })
  end)

  it("wants nodes as arguments of running_on", function()
    for _, case in ipairs { { 3, "table expected" }, { { 1 }, "one of them is 1" },
      { { first = 2 }, "its procs is nil" }, { { first = 4, procs = 1 }, "its first is 4" },
      { { { first = 3, procs = 2 } }, "its procs is 2" } } do
      local s = orrery.session { jobs = rows(1, 4), procs = 4, node_failures = { mtbf = 1e9 },
        policy = { dispatch = function(sim) sim:running_on(case[1]) end } }
      local ok, problem = pcall(s.finish, s)
      assert.is_false(ok)
      assert.matches(case[2], problem, 1, true)
    end
  end)
end)
