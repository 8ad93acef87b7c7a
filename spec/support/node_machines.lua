-- Random jobs on random machines of nodes, for the engine and for spec/support/naive_nodes.lua.
local naive_nodes = require "spec.support.naive_nodes"
local orrery = require "orrery"

local node_machines = {}

local numbers_of, random_change, random_outages, random_window

local RESOURCES = { "gpu", "mem", "disk" }
local PARTITIONS = { "a", "b", "c" }

-- 1 in `of` times.
local function seldom(rng, of) return rng:integer(1, of) == 1 end

local function random_kinds(rng, resources, uniform)
  local kinds, nodes, procs = {}, 0, 0
  for i = 1, uniform and 1 or rng:integer(1, 3) do
    kinds[i] = { count = rng:integer(1, 4), procs = rng:integer(1, 8), has = {} }
    for _, name in ipairs(resources) do kinds[i].has[name] = math.max(0, rng:integer(-2, 9)) end
    nodes, procs = nodes + kinds[i].count, procs + kinds[i].count * kinds[i].procs
  end
  return kinds, nodes, procs
end

local function random_partitions(rng, count)
  local list = {}
  for i = 1, math.max(0, rng:integer(-2, 3)) do
    list[i] = { name = PARTITIONS[i], priority = rng:integer(0, 2), exclusive = seldom(rng, 6),
      nodes = {} }
    for k = 0, count - 1 do
      if rng:integer(1, 3) > 1 then list[i].nodes[#list[i].nodes + 1] = k end
    end
    if #list[i].nodes == 0 then list[i].nodes = nil end
  end
  if #list > 0 and seldom(rng, 2) then list[rng:integer(1, #list)].default = true end
  return list
end

-- Whether the empty nodes of its partition hold the job, and there is one.
local function fits(machine, job)
  local partition, chosen = nil, {}
  for _, one in ipairs(machine.partitions) do
    if one.name == job.partition or not job.partition and one.default then partition = one end
  end
  if not partition and #machine.partitions > 0 then return false end
  local k, could = -1, 0
  for _, k_of in ipairs(partition and partition.nodes or {}) do chosen[k_of] = true end
  for _, kind in ipairs(machine.kinds) do
    for _ = 1, kind.count do
      k = k + 1
      local here = not partition or not partition.nodes or chosen[k]
      local most = kind.procs
      for name, amount in pairs(job.needs) do
        if kind.has[name] and amount > 0 then
          most = math.min(most, kind.has[name] * job.procs // amount)
        end
      end
      if job.nodes then
        local holds = kind.procs >= (job.procs + job.nodes - 1) // job.nodes
        for name, amount in pairs(job.needs) do
          if kind.has[name] then
            holds = holds and kind.has[name] >= (amount + job.nodes - 1) // job.nodes
          end
        end
        could = could + (here and holds and 1 or 0)
      else
        could = could + (here and most or 0)
      end
    end
  end
  return could >= (job.nodes or job.procs)
end

local function some_nodes(rng, made)
  local low = rng:integer(0, made.nodes - 1)
  local list = {}
  for k = low, rng:integer(low, made.nodes - 1) do list[#list + 1] = k end
  return list
end

function random_window(rng, made, after)
  local from = after + rng:integer(1, 25)
  return { from = from, to = from + rng:integer(1, 9), nodes = some_nodes(rng, made) }
end

-- Of nodes, which may have several sizes.
function random_outages(rng, made, nodes)
  local first, p = {}, 0
  for _, kind in ipairs(made.kinds) do
    for _ = 1, kind.count do
      first[#first + 1] = { p, kind.procs }
      p = p + kind.procs
    end
  end
  for _ = 1, rng:integer(1, 4) do
    local time, node = rng:integer(0, 30), rng:integer(0, nodes - 1)
    local outage = { time = made.jobs[1].submit + time, first = first[node + 1][1],
      count = first[node + 1][2] }
    outage.repaired = outage.time + rng:integer(0, 9)
    local apart = true
    for _, other in ipairs(made.outages) do
      apart = apart and (other.first ~= outage.first or other.repaired < outage.time
        or outage.repaired < other.time)
    end
    if apart then made.outages[#made.outages + 1] = outage end
  end
  table.sort(made.outages, function(a, b) return a.time < b.time end)
end

-- Nobody leaves the machine too small for ever: what is drained without an end, or fails so, comes
-- back with the next change.
function random_change(rng, made, time, before)
  local which = rng:integer(1, 4)
  if before and before.drain and before.till == math.huge then
    return { time = time, back = before.drain }
  elseif which == 1 then
    return { time = time, fail = rng:integer(0, made.nodes - 1), till = time + rng:integer(0, 9) }
  elseif which == 2 then
    return { time = time, window = random_window(rng, made, time) }
  end
  return { time = time, drain = some_nodes(rng, made),
    till = which == 3 and time + rng:integer(1, 9) or math.huge }
end

-- Nodes that come later, once at most: like others, or of a new kind.
local function random_addition(rng, made, resources)
  local changes, add = made.changes, { count = rng:integer(1, 3), has = {} }
  local kind = seldom(rng, 2) and rng:integer(1, #made.kinds) or nil
  add.kind, add.procs = kind, kind and made.kinds[kind].procs or rng:integer(1, 8)
  for _, name in ipairs(resources) do
    add.has[name] = kind and made.kinds[kind].has[name] or rng:integer(0, 9)
  end
  if #made.partitions > 0
    and (seldom(rng, 2) or #naive_nodes.joined(made.kinds, made.partitions, add) == 0) then
    add.partitions = {}
    for i, one in ipairs(made.partitions) do
      if i == #made.partitions and #add.partitions == 0 or seldom(rng, 2) then
        add.partitions[#add.partitions + 1] = one.name
      end
    end
  end
  local before = rng:integer(changes[1] and changes[1].time < 1 and 1 or 0, #changes)
  table.insert(changes, before + 1, { add = add, time = 0.5
    + (before > 0 and changes[before].time
      or (changes[1] and changes[1].time or made.jobs[1].submit + rng:integer(1, 25)) - 1) })
end

-- Sometimes a limit of nodes, of a resource or of a pool that every job alone is within.
local function add_need_limit(rng, made, plain)
  local names = table.move(made.resources, 1, #made.resources, 1, { "nodes" })
  if made.pools then names[#names + 1] = "lic" end
  local of, widest = names[rng:integer(1, #names)], 0
  if not seldom(rng, 3) then return end
  for _, job in ipairs(made.jobs) do
    if of == "nodes" and (plain or not job.nodes) then return end
    widest = math.max(widest, of == "nodes" and job.nodes or job.needs[of] or 0)
  end
  made.limit[#made.limit + 1] = { most = { [of] = widest + rng:integer(0, 4) },
    per = seldom(rng, 2) and "user" or "all" }
end

-- An instance as naive_nodes.run wants it; plain: nodes of one processor and nothing else.
function node_machines.random(seed, plain)
  local rng = orrery.random(seed)
  local resources = table.move(RESOURCES, 1, rng:integer(0, 3), 1, {})
  local struck = seldom(rng, 4)
  local made = { verification = seldom(rng, 4) and 0.5 or 0, jobs = {}, outages = {}, limit = {},
    windows = {}, changes = {} }
  local nodes, procs
  made.kinds, nodes, procs = random_kinds(rng, resources, struck)
  made.partitions = random_partitions(rng, nodes)
  if plain then
    nodes = rng:integer(2, 9)
    procs, resources, made.partitions = nodes, {}, {}
    made.kinds = { { count = nodes, procs = 1, has = {} } }
  end
  made.procs, made.resources = procs, resources
  if seldom(rng, 4) then made.pools = { lic = rng:integer(1, 4) } end
  local submit, largest = 0, seldom(rng, 3) and 2 or 1
  for i = 1, rng:integer(2, 14) do
    submit = submit + math.max(0, rng:integer(-3, 4))
    local time = seldom(rng, 12) and 0 or rng:integer(1, 12)
    local job
    repeat
      job = { submit = submit, time = time,
        walltime = time + math.max(0, rng:integer(-6, 6)) - (seldom(rng, 8) and time // 2 or 0),
        procs = rng:integer(1, math.max(1, procs // largest)), needs = {},
        failures = math.max(0, rng:integer(-4, 2)), user = seldom(rng, 2) and "ana" or "bo" }
      if seldom(rng, 2) then job.nodes = rng:integer(1, math.min(nodes, job.procs)) end
      if plain then job.nodes = seldom(rng, 2) and job.procs or nil end
      for _, name in ipairs(resources) do
        if seldom(rng, 2) then job.needs[name] = rng:integer(0, 12) end
      end
      if made.pools and seldom(rng, 2) then job.needs.lic = rng:integer(1, made.pools.lic) end
      job.exclusive = seldom(rng, 6) or nil
      if #made.partitions > 0 and not seldom(rng, 4) then
        job.partition = made.partitions[rng:integer(1, #made.partitions)].name
      end
    until fits(made, job)
    made.jobs[i] = job
  end
  if seldom(rng, 4) then
    local widest = 0
    for _, job in ipairs(made.jobs) do widest = math.max(widest, job.procs) end
    made.limit[1] = { most = seldom(rng, 2) and { jobs = rng:integer(1, 3) }
      or { procs = widest + rng:integer(0, 4) }, per = seldom(rng, 2) and "user" or "all" }
  end
  add_need_limit(orrery.random(seed + 10 ^ 6 | 0), made, plain)
  if struck then random_outages(rng, made, nodes) end
  if plain or naive_nodes.is_counted(made) then return made end
  made.nodes = nodes
  for i = 1, seldom(rng, 3) and rng:integer(1, 3) or 0 do
    made.windows[i] = random_window(rng, made, made.jobs[1].submit - 3)
  end
  local changes, time = made.changes, made.jobs[1].submit + rng:integer(0, 25)
  for i = 1, seldom(rng, 3) and rng:integer(1, 3) or 0 do
    changes[i] = random_change(rng, made, time, changes[i - 1])
    time = time + rng:integer(1, 6)
  end
  local last = changes[#changes]
  if last and last.till == math.huge then
    changes[#changes + 1] = random_change(rng, made, time, last)
  end
  local later = orrery.random(seed + (1 << 40))
  if seldom(later, 3) then random_addition(later, made, resources) end
  if not struck and seed % 6 == 1 then random_outages(rng, made, nodes) end
  return made
end

-- The job as orrery.jobs and session:submit want it.
function node_machines.row(made, i)
  local job, needs = made.jobs[i], {}
  for name, amount in pairs(job.needs) do needs[name] = amount end
  needs.nodes, needs.exclusive = job.nodes, job.exclusive and 1 or nil
  return { id = tostring(i), submit = job.submit, runtime = job.time, procs = job.procs,
    walltime = job.walltime, needs = needs, partition = job.partition, user = job.user }
end

-- Numbers of nodes as users write them.
function numbers_of(nodes)
  local numbers = {}
  for i, k in ipairs(nodes) do numbers[i] = k + 1 end
  return table.concat(numbers, ",")
end

-- A session at a time with a change; nil: before that nothing can happen any more, for too much is
-- drained without an end.
function node_machines.changed(session, change)
  local ok, message = pcall(session.run_until, session, change.time)
  if not ok then
    assert(message:find "nothing starts at time", message)
    return nil
  end
  local w, till, add = change.window, change.till, change.add
  local kind = add and { procs = add.procs }
  for name, amount in pairs(add and add.has or {}) do kind[name] = amount end
  return session:fork {
    drain = change.drain and { nodes = numbers_of(change.drain), ["until"] = till } or nil,
    bring_back = change.back and { nodes = numbers_of(change.back) } or nil,
    fault = change.fail and { node = change.fail + 1, repair = till - change.time } or nil,
    add_nodes = add and { count = add.count, kind = add.kind or kind,
      partitions = add.partitions },
    drain_at = w and { at = w.from, ["until"] = w.to, nodes = numbers_of(w.nodes) } or nil,
  }
end

-- The same for orrery.session, under "easy" or "easy+spt", or a policy's table; counted: processors
-- without nodes.
function node_machines.session(made, policy, counted)
  local named = type(policy) == "string"
  local rows, failures, machine, log = {}, {}, { nodes = {}, partitions = {} }, {}
  for i, job in ipairs(made.jobs) do
    rows[i] = node_machines.row(made, i)
    failures[i] = job.failures
  end
  for i, kind in ipairs(made.kinds) do
    machine.nodes[i] = { count = kind.count, procs = kind.procs }
    for name, amount in pairs(kind.has or {}) do machine.nodes[i][name] = amount end
  end
  for _, one in ipairs(made.partitions) do
    machine.partitions[one.name] = { nodes = one.nodes and numbers_of(one.nodes) or nil,
      priority = one.priority, exclusive = one.exclusive or nil, default = one.default }
  end
  for i, outage in ipairs(made.outages) do
    log[i] = { time = outage.time, processor = outage.first,
      repair = outage.repaired - outage.time }
  end
  local maintenance, reserved = {}, {}
  for _, w in ipairs(made.windows or {}) do
    local list = w.user and reserved or maintenance
    list[#list + 1] = { from = w.from, to = w.to, nodes = numbers_of(w.nodes), user = w.user }
  end
  return orrery.session { jobs = orrery.jobs(rows), failures = failures,
    maintenance = not counted and #maintenance > 0 and maintenance or nil,
    reservations = not counted and #reserved > 0 and reserved or nil,
    policy = named and policy:match "^[^+]+" or policy,
    priority = named and policy:match "%+(.+)" or nil,
    machine = not counted and machine or nil, procs = counted and made.procs or nil,
    pools = made.pools, limit = #made.limit > 0 and made.limit or nil, walltimes = "log",
    verification = made.verification,
    node_failures = #log > 0 and { log = log } or nil }
end

-- The attempts of either, by start, then job: comparable.
function node_machines.attempts(list)
  local lines = {}
  for i, a in ipairs(list) do
    local processors = a.processors
    if type(processors) == "table" then
      local runs = {}
      for _, p in ipairs(processors) do
        if #runs > 0 and runs[#runs][2] == p - 1 then
          runs[#runs][2] = p
        else
          runs[#runs + 1] = { p, p }
        end
      end
      for k, run in ipairs(runs) do
        runs[k] = run[1] == run[2] and tostring(run[1]) or run[1] .. "-" .. run[2]
      end
      processors = table.concat(runs, " ")
    end
    lines[i] = ("%s@%.17g %s on %s"):format(a.position or a.id, a.start, a.outcome,
      processors:gsub(",", " "))
  end
  table.sort(lines)
  return lines
end

return node_machines
