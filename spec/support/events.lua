-- What the specs of groups, events and actions share: random specs for native_events and for
-- naive_events, and holding one against the other.
local native = require "native_events"
local orrery = require "orrery"
local instances = require "spec.support.instances"
local naive_events = require "spec.support.naive_events"
local rigid = require "spec.support.rigid"

local events = {}
local pick = rigid.pick

-- --- groups -------------------------------------------------------------------------------------

local PRIORITIES = {
  function(jobs) return function(j) return -jobs[j].time end end,
  function(jobs) return function(j) return jobs[j].procs end end,
  function() return function(j) return j * 7 % 5 end end,
}

local function random_dispatch(rng, discipline)
  local p = { discipline = pick(rng, { "list", "list", "list", "list", "conservative",
    "conservative", "fcfs", "shelf" }) }
  p.discipline = discipline or p.discipline
  if p.discipline == "list" then
    p.reservations = pick(rng, { 0, 1, 1, 1, 2, math.huge })
    p.reading = pick(rng, { nil, "head" })
  end
  p.fill = rng:integer(0, 1) == 1
  return p
end

-- What a policy's own function may choose: the highest; the shortest run that is long enough; for
-- every second job, where that is wide enough, only the upper part of the group.
local CHOICES = {
  function(_, free, procs)
    local list, left = {}, procs
    for i = #free - 1, 1, -2 do
      local size = math.min(left, free[i + 1] - free[i] + 1)
      left = left - size
      if size > 0 then table.move({ free[i + 1] - size + 1, free[i + 1], table.unpack(list) }, 1,
        #list + 2, 1, list) end
    end
    return left == 0 and list or nil
  end,
  function(_, free, procs)
    local best
    for i = 1, #free, 2 do
      local size = free[i + 1] - free[i] + 1
      if size >= procs and (not best or size < free[best + 1] - free[best] + 1) then best = i end
    end
    return best and { free[best], free[best] + procs - 1 }
  end,
  function(position, free, procs, g)
    local list, left, low = {}, procs, g.first
    if position % 2 == 0 and procs <= g.procs // 2 then low = g.first + g.procs - g.procs // 2 end
    for i = 1, #free, 2 do
      local from = math.max(free[i], low)
      local size = math.min(left, free[i + 1] - from + 1)
      if size > 0 then
        left = left - size
        table.move({ from, from + size - 1 }, 1, 2, #list + 1, list)
      end
    end
    return left == 0 and list or nil
  end,
}

-- first: the group's first processor; last: whether it ends with the machine.
local function random_place(rng, g, first, last, jobs)
  g.place = pick(rng, { "named", "contiguous", "nodes", "chosen" })
  if g.place == "nodes" then
    local sizes = {}
    for size = 1, 4 do
      if first % size == 0 and (last or (first + g.procs) % size == 0) then
        sizes[#sizes + 1] = size
      end
    end
    g.node_procs = pick(rng, sizes)
  elseif g.place == "chosen" then
    local choice = pick(rng, CHOICES)
    local here = { first = first, procs = g.procs }
    g.choose = function(position, free)
      return choice(position, free, jobs[position].procs, here)
    end
  end
end

-- A priority that changes with the time, and when it does: not of all jobs, or in every step.
local function changing(j, sim)
  local step = sim:now() // 4
  return (step + j) % 3, j % 4 > 0 and step < 50 and (step + 1) * 4 + j % 2 * 8 or nil
end

local function random_order(rng, group, jobs)
  if rng:integer(0, 2) == 0 then
    group.priority = pick(rng, PRIORITIES)(jobs)
    group.per = pick(rng, { "workload", "scenario", "attempt", "decision" })
  elseif rng:integer(0, 4) == 0 then
    group.priority = changing
    group.per = pick(rng, { "attempt", "decision", "change", "change" })
  end
  if group.discipline == "list" and rng:integer(0, 2) == 0 then
    group.backfill = pick(rng, PRIORITIES)(jobs)
    group.backfill_per = pick(rng, { "workload", "scenario", "attempt", "decision", "change" })
    if group.backfill_per == "change" then group.backfill = changing end
  end
end

-- Starts some of those that fit; one at least where nothing runs, that the simulation gets on. Then
-- it acts as the hooks do.
local function moody(rng, jobs)
  local function procs_of(j) return jobs[j].procs end
  return function(sim, group)
    group = group or sim:look().group
    for _, j in ipairs(sim:waiting(group)) do
      local idle = #sim:running(group) == 0
      if procs_of(j) <= sim:free(group) and (idle or rng:integer(0, 2) > 0) then
        sim:start(j)
      end
    end
    if jobs.maybe then jobs.maybe(sim) end
  end
end

-- --- hooks --------------------------------------------------------------------------------------

local function in_state(sim, n, state)
  local list = {}
  for j = 1, n do
    if sim:job(j).state == state then list[#list + 1] = j end
  end
  return list
end

local act = {}

function act.interrupt(sim, spec, rng)
  local running = in_state(sim, #spec, "running")
  if #running == 0 then return end
  local j, kind = pick(rng, running), rng:integer(1, 4)
  if kind == 1 then sim:kill(j)
  elseif kind == 2 then sim:requeue(j)
  else events.move_anywhere(sim, spec, rng, j) end
end

function act.move(sim, spec, rng)
  local waiting = in_state(sim, #spec, pick(rng, { "waiting", "held" }))
  if #waiting > 0 then events.move_anywhere(sim, spec, rng, pick(rng, waiting)) end
end

function act.hold(sim, spec, rng)
  local waiting = in_state(sim, #spec, "waiting")
  if #waiting == 0 then return end
  sim:hold(pick(rng, waiting))
  sim:wake_at(sim:now() + rng:integer(1, 12) / 2)
end

function act.release(sim, spec, rng)
  local held = in_state(sim, #spec, "held")
  if #held > 0 then sim:release(pick(rng, held)) end
end

function act.wake(sim, _, rng) sim:wake_at(sim:now() + rng:integer(1, 12) / 2) end

function act.start(sim, spec, rng)
  local waiting = in_state(sim, #spec, "waiting")
  if #waiting == 0 then return end
  local j = pick(rng, waiting)
  if spec[j].procs > sim:free(sim:job(j).group) then return end
  if spec.groups[sim:job(j).group].place then pcall(sim.start, sim, j) else sim:start(j) end
end

-- Only where jobs write checkpoints.
local function on_demand(name)
  return function(sim, spec, rng)
    local running = in_state(sim, #spec, "running")
    if #running > 0 then sim[name](sim, pick(rng, running)) end
  end
end

act.checkpoint, act.preempt = on_demand "checkpoint", on_demand "preempt"

local ACTS = { "interrupt", "interrupt", "move", "hold", "release", "wake", "start" }

-- To a group that is large enough.
function events.move_anywhere(sim, spec, rng, j)
  local fitting = {}
  for i, group in ipairs(spec.groups) do
    if group.procs >= spec[j].procs then fitting[#fitting + 1] = i end
  end
  sim:move(j, pick(rng, fitting))
end

-- Some of the hooks, each of which acts now and then. random(sim) gives the generator to use.
local function random_hooks(rng, spec, random, budget, acts)
  local left = budget
  local function maybe(sim)
    local r = random(sim)
    if left > 0 and r:integer(0, 3) == 0 then
      left = left - 1
      act[pick(r, acts)](sim, spec, r)
    end
  end
  spec.maybe = maybe -- also at the end of a dispatch
  for _, name in ipairs { "on_start", "on_end", "on_idle" } do
    if rng:integer(0, 2) > 0 then spec[name] = maybe end
  end
  spec.on_submit = function(sim, j) -- who is too wide for the first group must leave it
    if spec[j].procs > spec.groups[1].procs or random(sim):integer(0, 3) == 0 then
      events.move_anywhere(sim, spec, random(sim), j)
    end
    maybe(sim)
  end
  spec.on_timer = function(sim)
    for _, j in ipairs(in_state(sim, #spec, "held")) do sim:release(j) end
    maybe(sim)
  end
end

-- Now and then it acts on the jobs where a failure is announced; else it does something else.
local function random_warnings(rng, spec, random)
  local names = { "checkpoint", "checkpoint", "preempt", "requeue", "kill" }
  local maybe = spec.maybe
  spec.lead = rng:integer(1, 16) / 2
  spec.on_warning = function(sim, first, count, at)
    local r = random(sim)
    for _, j in ipairs(sim:running_on(first, count)) do
      local name = pick(r, names)
      if name ~= "checkpoint" or at - sim:now() > spec.checkpoints[j].cost then
        if r:integer(0, 4) > 0 then sim[name](sim, j) end
      end
    end
    if maybe then maybe(sim) end
  end
end

-- --- a spec -------------------------------------------------------------------------------------

local function random_outages(rng, procs)
  local list = {}
  for _ = 1, rng:integer(1, 4) do
    local first = rng:integer(0, procs - 1)
    local time = rng:integer(0, 30)
    list[#list + 1] = {
      time = time, repaired = time + rng:integer(0, 12), first = first,
      count = rng:integer(1, procs - first),
    }
  end
  table.sort(list, function(a, b) return a.time < b.time end)
  return list
end

-- What the jobs pay for checkpoints: all the same, or by their processors, or each its own; with a
-- period, Young's for a node of one processor, or only on demand.
local function random_checkpoints(rng, spec, before)
  local kind, mtbf = rng:integer(1, 3), rng:integer(5, 200)
  local a, b = rng:integer(0, 4) / 4, rng:integer(0, 4) / 4
  local period = pick(rng, { 0.5, 1, 2, 3, 5, 0.7, "young", "none" })
  if before then
    spec.before = rng:integer(0, 7)
    spec.requeue_killed = rng:integer(0, 1) == 1
  end
  spec.checkpoints = {}
  for j, job in ipairs(spec) do
    local pays = { cost = a, recovery = b }
    if kind == 2 then pays = { cost = a + b * job.procs, recovery = a / job.procs } end
    if kind == 3 then
      pays = { cost = rng:uniform(0, 2), recovery = rng:integer(0, 3) }
    end
    if period == "young" then
      pays.period = pays.cost > 0 and math.sqrt(2 * (mtbf / job.procs) * pays.cost) or 1
    elseif period ~= "none" then
      pays.period = period
    end
    spec.checkpoints[j] = pays
  end
end

-- What the policy believes of jobs: too little, just right, or more than the walltime; other things
-- at other times. Where everything takes longer, more than one correction counts.
local function random_estimates(rng, spec)
  local longer = pick(rng, { 1, 40, 2000 })
  spec.longer = longer
  for _, job in ipairs(spec) do
    for _, name in ipairs { "time", "walltime", "submit" } do
      job[name] = job[name] and job[name] * longer
    end
  end
  local shares, odd = { 0, 0.25, 0.5, 1, 1.5 }, rng:integer(0, 4)
  spec.estimate = function(sim, j)
    return shares[(j * 3 + odd + sim:now() // (8 * longer)) % 5 // 1 + 1] * spec[j].time
  end
end

-- Some of them are for a user or for a job.
local function random_windows(rng, spec, many)
  local list, large = {}, spec.procs > 64
  for i = 1, rng:integer(1, many and (large and 100 or 60) or 5) do
    local from, first = rng:integer(0, many and 150 or 30), rng:integer(0, spec.procs - 1)
    list[i] = { from = from, to = from + rng:integer(1, many and 4 or 12), first = first,
      count = rng:integer(1, large and math.min(spec.procs - first, 9) or spec.procs - first) }
    local kind = rng:integer(0, 3)
    if kind == 0 then list[i].user = "u" .. rng:integer(1, 3) end
    if kind == 1 then list[i].job = tostring(rng:integer(1, #spec)) end
    list[i].drains = kind == 2 or nil
  end
  for _, job in ipairs(spec) do job.user = "u" .. rng:integer(1, 3) end
  return list
end

-- options: procs (list to choose from), hooks = false, outages = false, custom = false or
-- "often", groups (most), discipline (of all), places = true (particular processors; otherwise
-- now and then, or false: never; or "reliable": those of nodes that fail least), acts (names of
-- what hooks do), checkpoints = true (jobs write them; before = true: before kills, drains and
-- windows, too, and killed jobs may be requeued), windows = true (there are some; or "many"),
-- estimates = true (the policy has them), warnings = true (failures are announced, and jobs that
-- write checkpoints do so)
function events.random(rng, options, hooks_random)
  options = options or {}
  local instance = instances.random(rng, { n = 12, procs = options.procs })
  local spec = {
    procs = instance.procs, verification = instance.verification or 0,
    walltimes = instance.walltimes == "log", failures = instance.failures, groups = {},
  }
  for j, job in ipairs(instance.list) do spec[j] = job end
  local left, widest = instance.procs, 0
  repeat
    local last = #spec.groups + 1 == (options.groups or 3)
    local procs = last and left or rng:integer(1, left)
    left, widest = left - procs, math.max(widest, procs)
    local group = random_dispatch(rng, options.discipline)
    group.procs = procs
    random_order(rng, group, spec)
    local moods = options.custom == "often" and 1 or 5
    if options.custom ~= false and rng:integer(0, moods) == 0 then
      group.discipline, group.dispatch = "custom", moody(rng, spec)
      group.backfill, group.backfill_per = nil, nil -- only lists backfill in an order
    end
    local first = instance.procs - left - procs
    if group.discipline ~= "custom" and (options.places
        or options.places == nil and rng:integer(0, 5) == 0) then
      random_place(rng, group, first, left == 0, spec)
    end
    if options.places == "reliable" and group.discipline ~= "custom" then
      group.place = "reliable"
    end
    spec.groups[#spec.groups + 1] = group
  until left == 0
  for _, job in ipairs(spec) do job.procs = math.min(job.procs, widest) end
  spec.several = #spec.groups > 1 or rng:integer(0, 1) == 1
  if options.outages ~= false and rng:integer(0, 2) == 0 then
    spec.outages = random_outages(rng, spec.procs)
  end
  if options.checkpoints then random_checkpoints(rng, spec, options.before) end
  if options.estimates then random_estimates(rng, spec) end
  if options.windows then spec.windows = random_windows(rng, spec, options.windows == "many") end
  if options.hooks ~= false and (#spec.groups > 1 or rng:integer(0, 1) == 0) then
    random_hooks(rng, spec, hooks_random, options.budget or 8, options.acts or ACTS)
  elseif #spec.groups > 1 then
    spec.on_submit = function(sim, j)
      if spec[j].procs > spec.groups[1].procs then events.move_anywhere(sim, spec, rng, j) end
    end
  end
  if options.warnings then
    spec.outages = spec.outages or random_outages(rng, spec.procs)
    random_warnings(rng, spec, hooks_random)
  end
  return spec
end

-- The same spec twice: what is random in its hooks comes from equal generators.
function events.twice(seed, options)
  local list = {}
  for i = 1, 2 do
    local rng = orrery.random(seed)
    list[i] = events.random(rng, options, function() return rng end)
  end
  return list[1], list[2]
end

function events.describe_windows(spec)
  local lines = {}
  for i, w in ipairs(spec.windows or {}) do
    lines[i] = ("%d processors from %d on are %s from %g to %g%s"):format(w.count, w.first,
      w.drains and "drained" or "closed", w.from, w.to, w.user and " but to user " .. w.user
        or w.job and " but to job " .. w.job or "")
  end
  return table.concat(lines, "\n")
end

function events.describe(spec)
  local lines = {}
  for i, group in ipairs(spec.groups) do
    lines[#lines + 1] = ("group %d: %d processors%s, %s m = %s %s%s%s%s"):format(i, group.procs,
      group.place and (" %s %s"):format(group.place, group.node_procs or "") or "",
      group.discipline, group.reservations, group.reading or "", group.fill and " fill" or "",
      group.priority and " priority per " .. group.per or "",
      group.backfill and " backfill per " .. group.backfill_per or "")
  end
  for _, name in ipairs { "on_submit", "on_start", "on_end", "on_idle", "on_timer",
    "on_warning" } do
    if spec[name] then lines[#lines + 1] = name end
  end
  for _, o in ipairs(spec.outages or {}) do
    lines[#lines + 1] = ("%d processors from %d on fail at %g until %g"):format(o.count, o.first,
      o.time, o.repaired)
  end
  if spec.checkpoints then
    lines[#lines + 1] = ("checkpoints before %s, killed jobs are requeued: %s"):format(spec.before,
      spec.requeue_killed)
  end
  lines[#lines + 1] = events.describe_windows(spec)
  return table.concat(lines, "\n") .. "\n" .. instances.describe {
    list = spec, failures = spec.failures, procs = spec.procs, walltimes = tostring(spec.walltimes),
    verification = spec.verification,
  }
end

-- --- holding one against the other --------------------------------------------------------------

local function processors(attempt)
  local list = attempt.processors
  if attempt.planned then return table.concat(list, " ") end -- naive: one by one
  local flat = {}
  for i = 1, #list, 2 do
    for p = list[i], list[i + 1] do flat[#flat + 1] = p end
  end
  return table.concat(flat, " ")
end

local function line(attempt)
  if not attempt then return "nothing" end
  return ("job %d attempt %d in group %d: %.17g to %.17g, %s, on %s"):format(attempt.position,
    attempt.attempt, attempt.group, attempt.start, attempt.finish, attempt.outcome,
    processors(attempt))
end

function events.lines(attempts)
  local list = {}
  for i, attempt in ipairs(attempts) do list[i] = line(attempt) end
  return list
end

function events.difference(found, expected)
  for i = 1, math.max(#found, #expected) do
    if line(found[i]) ~= line(expected[i]) then
      return ("attempt %d: found %s; expected %s"):format(i, line(found[i]), line(expected[i]))
    end
  end
end

-- A simulation of native_events; its handle knows the spec, as the naive one does.
function events.simulation(spec)
  return native.simulation(spec)
end

function events.naive(spec, change) return naive_events.run(spec, change) end

-- Whether its policy draws numbers.
local function draws(spec)
  local custom = false
  for _, group in ipairs(spec.groups) do custom = custom or group.discipline == "custom" end
  return custom or spec.on_submit ~= nil
end

-- Holds a random instance against the reference, attempt by attempt, and against the checker; the
-- same in the plain event loop, unless its policy draws from a generator that has gone on by then.
-- difference(found, expected): what is compared (events.difference). Returns what the reference
-- did.
function events.compare(seed, options, difference)
  local mine, other = events.twice(seed, options)
  local expected = events.naive(other)
  for _, plain in ipairs { false, true } do
    mine.plain = plain
    local sim = events.simulation(mine)
    local ok, problem = pcall(sim.finish, sim)
    if ok then
      local fine, objection = sim:check()
      problem = (difference or events.difference)(sim:attempts(), expected.history)
        or not fine and objection
    end
    sim:destroy()
    if problem then
      error(("seed %d%s: %s\n%s"):format(seed, plain and ", plain" or "", problem,
        events.describe(other)), 2)
    end
    if draws(mine) then break end
  end
  return expected
end

-- A random spec, and the generator that drew it. All that is random in its run comes from the
-- generator of the simulation, which is copied with it.
function events.drawn(seed, options)
  local rng = orrery.random(seed)
  local choice = { custom = false, budget = math.huge }
  for key, value in pairs(options or {}) do choice[key] = value end
  local spec = events.random(rng, choice,
    function(sim) return { integer = function(_, low, high) return sim:random(low, high) end } end)
  if rng:integer(0, 3) == 0 then
    spec.outages = nil
    spec.nodes = { mtbf = 40 * (spec.longer or 1), repair = 4, procs = 1, shape = 0.7,
      law = ({ "exponential", "weibull", "lognormal" })[rng:integer(1, 3)] }
    if spec.on_warning then spec.recall, spec.precision = 0.7, 0.5 end
  end
  return spec, rng
end

-- When the attempts of a run take place, as a text in no order; of one that fails, why.
function events.times(spec)
  local sim = events.simulation(spec)
  local ok, message = pcall(sim.finish, sim)
  local lines = { ok and "" or message:gsub(".*:%d+: ", "") }
  for i, a in ipairs(ok and sim:attempts() or {}) do
    lines[i] = ("job %d attempt %d: %a to %a, %s"):format(a.position, a.attempt, a.start, a.finish,
      a.outcome)
  end
  assert(not ok or sim:check())
  sim:destroy()
  table.sort(lines)
  return table.concat(lines, "\n")
end

return events
