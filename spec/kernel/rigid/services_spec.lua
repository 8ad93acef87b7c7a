-- Changes of how many processors a group has in service, for a time: attempt by attempt against a
-- naive reference, which goes through all changes for every processor (READINGS 48).
local orrery = require "orrery"
local events = require "spec.support.events"

-- ORRERY_ROUNDS=every takes minutes.
local INSTANCES = ({ some = 1000, all = 4000, every = 50000 })[os.getenv "ORRERY_ROUNDS"] or 200

local DISCIPLINES = { "list", "list", "list", "conservative", "conservative", "fcfs", "shelf" }

-- Priorities that change with time would tell instants apart at which nothing happens.
local function random_spec(seed)
  local rng = orrery.random(seed)
  local spec = events.random(rng, { hooks = false, custom = false, outages = seed % 3 == 0,
    checkpoints = seed % 2 == 0, windows = seed % 5 == 0,
    discipline = DISCIPLINES[seed % #DISCIPLINES + 1] })
  for _, group in ipairs(spec.groups) do
    if group.per ~= "workload" then group.priority, group.per = nil, nil end
    group.backfill, group.backfill_per = nil, nil
  end
  return spec
end

-- At the end a group has all that it had, so that every job finds enough.
local function random_changes(seed, spec)
  local rng, at, list = orrery.random(seed, 3), math.huge, {}
  for _, job in ipairs(spec) do at = math.min(at, job.submit) end
  for i = 1, rng:integer(1, 6) do
    local group = rng:integer(1, #spec.groups)
    local all = spec.groups[group].procs
    local for_ever = rng:integer(0, 9) == 0
    at = at + rng:integer(0, 24) / 2
    list[i] = { at = at, group = group, procs = for_ever and all or rng:integer(0, all),
      back = for_ever and math.huge or at + rng:integer(1, 60) / 2 }
  end
  return list
end

local function describe_changes(changes)
  local lines = {}
  for i, one in ipairs(changes) do
    lines[i] = ("at %g: group %d has %d processors until %g"):format(one.at, one.group, one.procs,
      one.back)
  end
  return table.concat(lines, "\n")
end

-- Those that come in time; how many there were.
local function make(sim, changes)
  for i, one in ipairs(changes) do
    sim:run_until(one.at)
    if sim:now() ~= one.at or sim:next_event() == math.huge then return i - 1 end
    sim:set_service(one.group, one.procs, one.back)
  end
  return #changes
end

describe("processors in service for a time", function()
  local function one_job(fields)
    local s = orrery.session { procs = 8, policy = fields and fields.policy or "easy",
      jobs = orrery.jobs { { id = "long", procs = 1, runtime = 200 },
        { id = "wide", procs = 5, submit = 30, runtime = 25 } } }
    return s
  end

  it("are those of the last change, and behind its end those of the others, by hand", function()
    local s, found = one_job(), {}
    local function change(at, procs, back)
      s:run_until(at)
      s:change { procs = { procs = procs, ["until"] = back } }
    end
    change(0, 4, 100)
    change(10, 6, 50)
    change(20, 3, 60)
    for i, time in ipairs { 25, 55, 60, 65, 100 } do
      s:run_until(time)
      found[i] = s.procs
    end
    assert.same({ 3, 3, 4, 4, 8 }, found)
    change(110, 2, 150)
    change(120, 5) -- for ever: nothing comes back at 150
    s:run_until(160)
    assert.equal(5, s.procs)
    s:finish()
    assert.equal(100, s:times().start[2])
    assert.is_true(s:check())
  end)

  it("are not planned with behind the time at which they leave", function()
    for _, policy in ipairs { "easy", "conservative", "fcfs", "greedy", "list" } do
      local s = one_job { policy = policy }
      s:run_until(10)
      s:change { procs = 4 }
      s:change { procs = { procs = 6, ["until"] = 50 } } -- wide would be there until 55
      s:run_until(60)
      s:change { procs = 8 }
      s:finish()
      assert.equal(60, s:times().start[2], policy)
      assert.is_true(s:check())
    end
  end)

  -- Job 1 runs until 10, for its policy starts what fits. Behind it processors 0 and
  -- 1 are closed until 20; job 2 wants three.
  it("leave when the attempt ends that runs when such a window opens", function()
    local function dispatch(sim, group)
      for _, j in ipairs(sim:waiting(group)) do
        if ({ 2, 3 })[j] <= sim:free(group) then sim:start(j) end
      end
    end
    local function by_hand(more)
      local window = { from = 5, to = 20, first = 0, count = 2, lets_end = true }
      for key, value in pairs(more or {}) do window[key] = value end
      return events.simulation { procs = 4, verification = 0, windows = { window },
        groups = { { procs = 4, discipline = "custom", dispatch = dispatch } },
        { procs = 2, time = 10, submit = 0 }, { procs = 3, time = 1, submit = 1 } }
    end
    local sim, found = by_hand(), {}
    sim:finish()
    assert.is_true(sim:check())
    for i, a in ipairs(sim:attempts()) do found[i] = { a.start, a.finish, a.outcome } end
    assert.same({ { 0, 10, "completed" }, { 20, 21, "completed" } }, found)
    sim:destroy()
    assert.has_error(function() by_hand { user = "ann" } end, "window 1, from 5 to 20 s: it is "
      .. "reserved for a user or a job, and cannot let the attempts of others end")
  end)

  it("are those of the reference", function()
    local made = 0
    for seed = 1, INSTANCES do
      local spec, changes = random_spec(seed), random_changes(seed, random_spec(seed))
      local expected = events.naive(random_spec(seed), changes)
      local sim = events.simulation(spec)
      made = made + make(sim, changes)
      local ok, problem = pcall(sim.finish, sim)
      if ok then
        local fine, objection = sim:check()
        problem = events.difference(sim:attempts(), expected.history) or not fine and objection
      end
      if problem then
        error(("seed %d: %s\n%s\n%s"):format(seed, problem, describe_changes(changes),
          events.describe(spec)))
      end
      sim:destroy()
    end
    assert.is_true(made > INSTANCES, made)
  end)
end)
