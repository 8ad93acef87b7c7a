-- Machines of nodes and partitions (READINGS 58, 59): instances against a reference that only
-- follows the definitions, start by start and processor by processor.
local naive_nodes = require "spec.support.naive_nodes"
local node_machines = require "spec.support.node_machines"
local rounds = require "spec.support.rounds"

local function shortest(job) return -job.estimate end

local KINDS = {
  { "dispatch/greedy", discipline = "list", reservations = 0 },
  { "dispatch/fcfs", discipline = "fcfs" },
  { "dispatch/easy", discipline = "list", reservations = 1 },
  { "dispatch/list:reservations=2", discipline = "list", reservations = 2 },
  { "dispatch/list:reservations=3", discipline = "list", reservations = 3 },
  { "dispatch/list:reservations=2,reading=head", discipline = "list", reservations = 2,
    reading = "head" },
  { "dispatch/conservative", discipline = "conservative" },
  { "dispatch/shelf", discipline = "shelf", fill = true },
  { "dispatch/shelf-nofill", discipline = "shelf", fill = false },
  { "dispatch/easy+spt", discipline = "list", reservations = 1, key = shortest },
  { "dispatch/conservative+spt", discipline = "conservative", key = shortest },
  { "dispatch/fcfs+spt", discipline = "fcfs", key = shortest },
}

-- A placement without a reason: some jobs go where the default puts them, the others on nodes in an
-- order that depends on all that is known, or on as few processors of each as are enough together.
local function wild(position, of_nodes, needs, nodes)
  if position % 4 == 0 then return nil end
  table.sort(nodes, function(a, b)
    local x, y = (a.number * 7 + a.free * position) % 11, (b.number * 7 + b.free * position) % 11
    if x ~= y then return x < y end
    return a.number < b.number
  end)
  if of_nodes or position % 2 == 0 then return nodes end
  local sum, list = 0, {}
  for _, node in ipairs(nodes) do sum = sum + node.takes end
  for _, node in ipairs(nodes) do
    local procs = math.max(node.takes // 2, node.takes - (sum - needs))
    sum = sum - node.takes + procs
    if procs > 0 then list[#list + 1] = { node.number, procs } end
  end
  return sum == needs and list or nodes
end

local PLACES = {
  wild = wild,
  spread = function(_, _, _, nodes)
    table.sort(nodes, function(a, b)
      if a.free ~= b.free then return a.free > b.free end
      return a.number < b.number
    end)
    return nodes
  end,
  low = function(_, _, _, nodes) return nodes end,
}

-- The policy of a kind with a placement.
local function placed(kind, place)
  local dispatch, key = {}, kind.key
  if place ~= "wild" then
    dispatch.place = place
  else
    function dispatch.place_nodes(job, nodes)
      local n = job.needs and job.needs.nodes or 0
      return wild(job.position, n > 0, n > 0 and n or job.procs, nodes)
    end
  end
  for _, name in ipairs { "discipline", "reservations", "reading", "fill" } do
    dispatch[name] = kind[name]
  end
  return { dispatch = dispatch, priority = key and function(job) return -job.time end or nil }
end

local function expected(made, kind)
  return node_machines.attempts(naive_nodes.run(setmetatable(made, { __index = kind })))
end

local function attempts_of(session)
  session:finish()
  return node_machines.attempts(session:schedule())
end

local function is_equal(expected_list, found, where)
  if table.concat(expected_list, "\n") ~= table.concat(found, "\n") then
    assert.same(expected_list, found, where)
  end
end

-- Three disciplines of each instance, in turn.
local function each(most, some, few, plain, check)
  for seed = 1, rounds(most, some, few) do
    local made = node_machines.random(seed, plain)
    for i = 0, 2 do
      local kind = KINDS[(seed + 4 * i + seed // #KINDS) % #KINDS + 1]
      check(made, kind, seed, ("seed %d, %s"):format(seed, kind[1]))
    end
  end
end

describe("jobs on machines of nodes", function()
  it("start as by the definitions and pass the checker, and so do forks", function()
    local changed, left = 0, 0 -- the latter: nothing could start any more before a change
    each(20000, 3000, 15, false, function(made, kind, seed, where)
      local s = node_machines.session(made, kind[1])
      local fork
      for _, change in ipairs(made.changes) do
        s = node_machines.changed(s, change)
        if not s then
          left = left + 1
          return
        end
      end
      if #made.changes > 0 then changed = changed + 1 end
      if seed % 3 == 0 and #made.changes == 0 then
        s:run_until(made.jobs[1].submit + seed % 29)
        fork = s:fork()
      end
      local list = expected(made, kind)
      is_equal(list, attempts_of(s), where)
      assert(s:check())
      if fork then
        is_equal(list, attempts_of(fork), where .. ", fork")
        assert(fork:check())
      end
    end)
    assert.is_true(changed > 10 and left < changed / 4, changed .. " and " .. left)
  end)

  it("start where a policy's placement puts them", function()
    local moved = 0
    each(12000, 3000, 30, false, function(made, kind, seed, where)
      local place = ({ "wild", "wild", "spread", "low" })[seed % 4 + 1]
      if naive_nodes.is_counted(made) or #made.changes > 0 then return end
      local s = node_machines.session(made, placed(kind, place))
      local by_default = expected(made, kind)
      local list = expected(made, setmetatable({ place = PLACES[place] }, { __index = kind }))
      moved = moved + (table.concat(list) == table.concat(by_default) and 0 or 1)
      s:run_until(made.jobs[1].submit + seed % 29)
      local fork = s:fork()
      is_equal(list, attempts_of(s), where .. ", " .. place)
      is_equal(list, attempts_of(fork), where .. ", fork, " .. place)
      assert(s:check())
    end)
    assert.is_true(moved > 20, moved)
  end)

  it("start by a dispatch of one's own as by the list that it writes out or calls", function()
    for seed = 1, rounds(6000, 1500, 36) do
      local made, most, default = node_machines.random(seed), seed % 3 + 1, ""
      for _, one in ipairs(made.partitions) do if one.default then default = one.name end end
      local s = not naive_nodes.is_counted(made) and node_machines.session(made, function(sim)
        if seed % 2 == 0 then return sim:list(most) end
        local reserved = {} -- per partition
        for job in sim:waiting() do
          local name = job.partition or default
          local used = reserved[name] or 0
          if sim:can_start(job) then
            sim:start(job)
          elseif used < most and not job.limited then
            reserved[name] = used + 1
            local at, where = sim:reserve(job), ("seed %d, job %d"):format(seed, job.position)
            assert(at >= sim.now and not sim:can_start(job), where)
          end
        end
      end)
      for _, change in ipairs(s and made.changes or {}) do
        s = s and node_machines.changed(s, change)
      end
      if s then
        is_equal(expected(made, { discipline = "list", reservations = most }), attempts_of(s),
          "seed " .. seed)
        assert(s:check())
      end
    end
  end)

  it("start on nodes that are reserved for them, and not on those of others", function()
    local windows = 0
    each(12000, 3000, 30, false, function(made, kind, seed, where)
      for i, w in ipairs(made.windows) do
        w.user, windows = ({ "ana", "bo", "cem" })[(seed + i) % 3 + 1], windows + 1
      end
      if #made.windows == 0 then return end
      local s = node_machines.session(made, kind[1])
      for _, change in ipairs(made.changes) do s = s and node_machines.changed(s, change) end
      if not s then return end
      is_equal(expected(made, kind), attempts_of(s), where)
      assert(s:check())
    end)
    assert.is_true(windows > 20, windows)
  end)

  it("start by EASY++'s predictions, also where these change while they wait", function()
    local changed = 0
    for seed = 1, rounds(6000, 1500, 46) do
      local made = node_machines.random(seed)
      for i, job in ipairs(made.jobs) do -- corrections are minutes
        job.time, job.walltime = job.time * 25, math.max(job.walltime, job.time) * 60
        job.user = ({ "ana", "bo", "cem" })[seed * i % 3 + 1]
      end
      made.changes, made.windows = {}, {}
      local predicts, by_queue = seed % 2 == 0 and "moment" or "submission", seed % 3 == 0
      local kind = { discipline = "list", reservations = 1, predicts = predicts,
        backfill = not by_queue and function(job) return -job.plan end or nil }
      local options = ",predict=" .. predicts .. (by_queue and ",backfill=queue" or "")
      local s = node_machines.session(made, "easy-plus-plus" .. options:gsub("^,", ":"))
      local by_walltimes = expected(made, { discipline = "list", reservations = 1 })
      local list = expected(made, kind)
      changed = changed + (table.concat(list) == table.concat(by_walltimes) and 0 or 1)
      is_equal(list, attempts_of(s), ("seed %d%s"):format(seed, options))
      assert(s:check())
    end
    assert.is_true(changed > 10, changed)
  end)

  -- What comes behind an attempt, here a window, takes nothing from what it finds now.
  it("look again for an earlier promise as soon as enough is free", function()
    local made = node_machines.random(20774)
    made.changes = {}
    local found = attempts_of(node_machines.session(made, "dispatch/conservative"))
    is_equal(expected(made, { discipline = "conservative" }), found)
  end)

  it("start on nodes of one processor as on counted processors", function()
    each(4000, 1000, 12, true, function(made, kind, _, where)
      is_equal(attempts_of(node_machines.session(made, kind[1], true)),
        attempts_of(node_machines.session(made, kind[1])), where)
    end)
  end)

  -- The second half of the jobs comes while the first half runs.
  it("start as if they had been known where they are submitted meanwhile", function()
    each(1200, 300, 20, false, function(made, kind, _, where)
      local half, behind = #made.jobs // 2, {}
      made.changes = {}
      for i, job in ipairs(made.jobs) do
        job.failures = 0
        if i > half then behind[#behind + 1] = node_machines.row(made, i) end
      end
      if behind[1].submit == made.jobs[half].submit then return end
      local s = node_machines.session(setmetatable({ jobs = table.move(made.jobs, 1, half, 1, {}) },
        { __index = made }), kind[1])
      s:run_until(made.jobs[half].submit)
      s:submit(behind)
      is_equal(expected(made, kind), attempts_of(s), where)
      assert(s:check())
    end)
  end)
end)
