-- The utilisation of pools, of resources of nodes, and of partitions.
local node_machines = require "spec.support.node_machines"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local MACHINE = {
  nodes = { { count = 3, procs = 4 }, { count = 2, procs = 2, gpu = 4 } }, pools = { matlab = 5 },
  partitions = { cpu = { nodes = "1-3" }, gpu = { nodes = "4-5" }, all = { default = true } },
}

local function by_name(list)
  local of = {}
  for _, one in ipairs(list) do of[one.kind .. " " .. one.name] = one.utilisation end
  return of
end

-- What a schedule holds, summed with open eyes: processor by processor.
local function naive(s)
  local node_of, held = {}, { 0, 0, 0, 0 }
  for p = 0, 15 do node_of[p] = p < 12 and p // 4 or 3 + (p - 12) // 2 end
  local first, last = math.huge, 0
  for _, job in ipairs(s.jobs) do first = math.min(first, job.submit) end
  for _, a in ipairs(s:schedule()) do
    local job, on, time = s.jobs[a.position], {}, a.finish - a.start
    last = math.max(last, a.finish)
    for low, high in a.processors:gmatch "(%d+)%-?(%d*)" do
      for p = tonumber(low), tonumber(high) or tonumber(low) do
        on[node_of[p]] = (on[node_of[p]] or 0) + 1
      end
    end
    held[1] = held[1] + time * (job.needs.matlab or 0)
    for node, procs in pairs(on) do
      local gpu = job.needs.gpu or 0
      held[2] = held[2] + time * ((job.needs.nodes or 0) > 0 and math.ceil(gpu / job.needs.nodes)
        or math.ceil(procs * gpu / job.procs))
      local at = node < 3 and 3 or 4
      held[at] = held[at] + time * procs
    end
  end
  local span = last - first
  return { ["pool matlab"] = held[1] / (5 * span), ["resource gpu"] = held[2] / (8 * span),
    ["partition cpu"] = held[3] / (12 * span), ["partition gpu"] = held[4] / (4 * span) }
end

local function random_jobs(seed)
  local rng, rows = orrery.random { seed = seed }, {}
  for i = 1, 60 do
    local wants, spread = rng:integer(1, 2) == 1, rng:integer(1, 3) == 1
    rows[i] = { submit = rng:integer(0, 200), procs = wants and rng:integer(2, 4)
      or rng:integer(1, 9), time = rng:integer(0, 40),
      partition = not wants and rng:integer(1, 2) == 1 and "cpu" or nil,
      needs = { gpu = wants and rng:integer(1, 8) or nil, matlab = rng:integer(0, 3),
        nodes = wants and spread and 2 or nil } }
  end
  return orrery.jobs(rows)
end

-- The utilisation of the resources of nodes of a finished session, instant by instant: a node is
-- there unless it has a processor that is out and none that a job has.
local function node_sums(made, s)
  local node_of, nodes, times, out, first, last = {}, {}, {}, {}, math.huge, -math.huge
  local kinds = table.move(made.kinds, 1, #made.kinds, 1, {})
  for _, change in ipairs(made.changes) do kinds[#kinds + 1] = change.add end
  for _, kind in ipairs(kinds) do
    for _ = 1, kind.count do
      nodes[#nodes + 1] = kind
      for _ = 1, kind.procs do node_of[node_of[0] and #node_of + 1 or 0] = #nodes end
    end
  end
  for _, o in ipairs(s:outages()) do
    local from = o.what == "added" and -math.huge or o.start
    local to = o.what == "added" and o.start or o.finish
    for p = o.first, o.first + o.procs - 1 do
      if o.what == "back" then
        for _, one in ipairs(out) do
          if one.node == node_of[p] and one.drained and one.to > o.start then one.to = o.start end
        end
      else
        out[#out + 1] = { node = node_of[p], from = from, to = to, drained = o.what == "drained" }
      end
    end
  end
  local held, all, runs = {}, {}, {}
  for _, name in ipairs(made.resources) do held[name], all[name] = 0, 0 end
  for _, job in ipairs(made.jobs) do first = math.min(first, job.submit) end
  for i, a in ipairs(s:schedule()) do
    local job, on = made.jobs[a.position], {}
    last = math.max(last, a.finish)
    for low, high in a.processors:gmatch "(%d+)%-?(%d*)" do
      for p = low, high == "" and low or high do
        on[node_of[p | 0]] = (on[node_of[p | 0]] or 0) + 1
      end
    end
    for _, procs in pairs(on) do
      for _, name in ipairs(made.resources) do
        local need = job.needs[name] or 0
        held[name] = held[name] + (a.finish - a.start) * (job.nodes
          and (need + job.nodes - 1) // job.nodes or (need * procs + job.procs - 1) // job.procs)
      end
    end
    runs[i] = { from = a.start, to = a.finish, on = on }
  end
  for _, list in ipairs { out, runs } do
    for _, one in ipairs(list) do times[#times + 1], times[#times + 2] = one.from, one.to end
  end
  times[#times + 1], times[#times + 2] = first, last
  table.sort(times)
  for i = 2, #times do
    local from, to = math.max(times[i - 1], first), math.min(times[i], last)
    for k, kind in ipairs(to > from and nodes or {}) do
      local is_out, busy = false, false
      for _, one in ipairs(out) do
        is_out = is_out or one.node == k and one.from <= from and one.to >= to
      end
      for _, one in ipairs(runs) do
        busy = busy or one.on[k] and one.from <= from and one.to >= to
      end
      for name in pairs(all) do
        local there = busy or not is_out
        all[name] = all[name] + (there and (to - from) * (kind.has[name] or 0) or 0)
      end
    end
  end
  for name, sum in pairs(all) do held[name] = sum > 0 and held[name] / sum or 0 end
  return held
end

describe("the utilisation of resources", function()
  it("by hand: what attempts hold, by the amount and the makespan", function()
    local rows = { { submit = 0, procs = 4, time = 10, needs = { matlab = 5 }, partition = "cpu" },
      { submit = 0, procs = 2, time = 20, needs = { gpu = 3 }, partition = "gpu" },
      { submit = 0, procs = 1, time = 10, needs = { matlab = 1, gpu = 1 } } }
    local result = orrery.compare { jobs = orrery.jobs(rows), machine = MACHINE, policy = "easy" }
    assert.same({ -- of 20 s: matlab 5 for 10 s, then 1 for 10 s; gpu 3 for 20 s and 1 for 10 s
      ["pool matlab"] = 60 / 100, ["resource gpu"] = 70 / 160,
      ["partition cpu"] = 40 / 240, ["partition gpu"] = 50 / 80,
    }, by_name(result:resources(1)))
    local text = tostring(result)
    assert.matches("utilisation of pool matlab +60.0%%", text)
    assert.matches("utilisation of partition gpu +62.5%%", text)
    assert.matches('"resources"', result:json())
    assert.equal(5, result:resources(1)[1].amount)
  end)

  it("leaves out what windows close of a pool, and what a session changes", function()
    local given = { jobs = orrery.jobs { { procs = 1, time = 10, needs = { matlab = 1 } } },
      procs = 1, pools = { matlab = 4 }, maintenance = {
        { from = 5, to = 8, pool = "matlab", amount = 1 }, { from = 9, to = 20, pool = "matlab",
          amount = 3 } } }
    assert.near(10 / (4 * 5 + 3 * 3 + 4 * 1 + 1 * 1), -- of 4, 3, 4 and 1
      by_name(orrery.compare(given):resources(1))["pool matlab"], 1e-15)
    given.maintenance = nil
    local s = orrery.session(given)
    s:run_until(6)
    s:change { pools = { matlab = 2 } }
    s:finish()
    assert.near(10 / (4 * 6 + 2 * 4), by_name(s:resources())["pool matlab"], 1e-15)
  end)

  -- a has GPU 1 for 20 s. Node 2 with another GPU is drained from 4 to 14, where b runs until 6;
  -- node 3 with 2 GPUs comes at 5, and fails from 10 to 16.
  it("leaves out nodes that are out, as far as nothing runs there, or not there yet", function()
    local gpu = { gpu = 1, nodes = 1 }
    local s = orrery.session { machine = { nodes = { { count = 2, procs = 2, gpu = 1 } },
      partitions = { one = { nodes = "1" }, all = { default = true } } }, jobs = orrery.jobs {
      { procs = 2, time = 20, needs = gpu }, { procs = 1, time = 6, needs = gpu } } }
    s:run_until(4)
    s:change { drain = { nodes = 2, ["until"] = 14 } }
    s:run_until(5)
    s:change { add_nodes = { count = 1, kind = { procs = 2, gpu = 2 }, partitions = "all" } }
    s:run_until(10)
    s:change { fault = { node = 3, repair = 6 } }
    local copy = s:fork()
    for _, one in ipairs { s, copy } do
      one:finish()
      local of = by_name(one:resources())
      assert.near(26 / (20 + (6 + 6) + 2 * (5 + 4)), of["resource gpu"], 1e-15)
      assert.near(40 / 40, of["partition one"], 1e-15)
    end
  end)

  it("is of what there was, of naive sums with drains, failures, windows and more nodes", function()
    local changed = 0
    for seed = 1, rounds(2000, 400, 30) do
      local made = node_machines.random(seed)
      local s = node_machines.session(made, seed % 2 == 0 and "dispatch/easy" or "dispatch/greedy")
      for _, change in ipairs(made.changes) do s = s and node_machines.changed(s, change) end
      if s and made.nodes and #made.resources > 0 then
        s:finish()
        local expected = node_sums(made, s)
        changed = changed + (#made.changes + #made.windows > 0 and 1 or 0)
        for _, one in ipairs(s:resources()) do
          if one.kind == "resource" then
            assert.near(expected[one.name], one.utilisation, 1e-12, seed .. " " .. one.name)
          end
        end
      end
    end
    assert.is_true(changed > 10)
  end)

  it("counts a pool that can keep no job from starting", function()
    local rows = { { procs = 1, time = 10, needs = { matlab = 1 } }, { procs = 1, time = 20 } }
    for _, runs in ipairs { 1, 3 } do
      local result = orrery.compare { jobs = orrery.jobs(rows), procs = 2, runs = runs,
        pools = { matlab = 4 }, policy = "easy" }
      assert.equal(10 / (4 * 20), by_name(result:resources(1))["pool matlab"])
    end
  end)

  it("counts each of as many partitions as there can be", function()
    local partitions, rows = { all = { default = true } }, {}
    for i = 1, 127 do
      partitions["p" .. i] = { nodes = tostring(i) }
      rows[i] = { procs = 1, time = i, partition = "p" .. i }
    end
    local result = orrery.compare { jobs = orrery.jobs(rows), policy = "easy",
      machine = { nodes = { { count = 128, procs = 1 } }, partitions = partitions } }
    local of = by_name(result:resources(1))
    for i = 1, 127 do assert.equal(i / 127, of["partition p" .. i]) end
  end)

  it("by hand: counts from the first submission, also of a job that is submitted later", function()
    local rows = { { submit = 100, procs = 1, time = 100, needs = { gpu = 2 } },
      { submit = 50, procs = 1, time = 100, needs = { gpu = 2 } } }
    local function drained(jobs)
      local s = orrery.session { jobs = orrery.jobs(jobs), policy = "easy",
        machine = { nodes = { { count = 4, procs = 1, gpu = 2 } } } }
      s:run_until(10)
      s = s:fork { drain = "3" }
      s:run_until(20)
      return s
    end
    local submitted = drained { rows[1] }
    submitted:submit { rows[2] }
    local fork = drained { rows[1] }:fork { submit = { rows[2] } }
    for _, s in ipairs { drained(rows), submitted, fork } do
      s:finish() -- two of the six that are left are in use for 200 s, from 50 to 200
      assert.equal(400 / 900, by_name(s:resources())["resource gpu"])
    end
  end)

  it("says nothing where there are no resources", function()
    local result = orrery.compare { jobs = orrery.jobs { { procs = 1, time = 1 } }, procs = 2 }
    assert.same({}, result:resources(1))
    assert.is_nil(result:resource_rows())
    assert.not_matches("utilisation of", tostring(result))
    assert.not_matches("resources", result:json())
  end)

  it("is that of naive sums over random schedules, with failures", function()
    for seed = 1, rounds(12, 12, 5) do
      local jobs = random_jobs(seed)
      for _, policy in ipairs { "greedy", "easy", "conservative" } do
        local spec = { jobs = jobs, machine = MACHINE, policy = policy, seed = seed,
          errors = { mean_probability = 0.2 } }
        local s = orrery.session(spec)
        s:finish()
        local expected = naive(s)
        local found = by_name(s:resources())
        for name, utilisation in pairs(expected) do
          assert.near(utilisation, found[name], 1e-12, name)
        end
        spec.runs = 3
        local all = orrery.compare(spec)
        local sum = 0
        for scenario = 1, 3 do
          spec.scenario, spec.runs = scenario, nil
          local one = orrery.session(spec)
          one:finish()
          sum = sum + naive(one)["resource gpu"]
        end
        assert.near(sum / 3, by_name(all:resources(1))["resource gpu"], 1e-12)
        assert.matches("utilisation of", tostring(all))
      end
    end
  end)

  it("is of all scenarios where these come in blocks #long", function()
    local spec = { jobs = random_jobs(4), machine = MACHINE, policy = "greedy",
      errors = { mean_probability = 0.2 }, precision = 0.004 }
    local result = orrery.compare(spec)
    assert.is_true(result.runs > 256)
    spec.precision, spec.runs = nil, result.runs
    assert.same(orrery.compare(spec):resources(1), result:resources(1))
  end)

  it("stays with copies, and is of the window where there is one", function()
    local jobs = random_jobs(3)
    local s = orrery.session { jobs = jobs, machine = MACHINE, policy = "easy" }
    s:run_until(90)
    assert.has_error(function() s:resources() end, "resources: the session is not finished")
    local copy, changed = s:fork(), s:fork()
    changed:change { pools = { matlab = 5 } } -- as many as before
    s:finish()
    copy:finish()
    changed:finish()
    assert.same(s:resources(), copy:resources())
    assert.same(s:resources(), changed:resources())
    local rows = { { submit = 0, procs = 1, time = 30, needs = { matlab = 5 } },
      { submit = 10, procs = 1, time = 1 }, { submit = 20, procs = 1, time = 1 } }
    local result = orrery.compare { jobs = orrery.jobs(rows), machine = MACHINE, policy = "easy",
      warmup = 5, cooldown = 5 }
    assert.equal(1, by_name(result:resources(1))["pool matlab"])
  end)
end)
