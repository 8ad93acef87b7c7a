-- Random packs of malleable tasks, and the kernel's engine held against naive_pack.lua.
local orrery = require "orrery"
local naive = require "spec.support.naive_pack"

local packs = {}

packs.policies = {}
for _, on_end in ipairs { "none", "end-local", "end-greedy" } do
  for _, on_fault in ipairs { "none", "shortest-tasks-first", "shortest-tasks-first-literal",
    "iterated-greedy" } do
    packs.policies[#packs.policies + 1] = on_end .. "+" .. on_fault
  end
end

local function pick(rng, list) return list[rng:integer(1, #list)] end
local function chance(rng, percent) return rng:integer(1, 100) <= percent end

-- --- tasks and machines --------------------------------------------------------------------------

-- A measured task: by Amdahl's law, in whole seconds (ties) or not, on fewer processors than there
-- are or more.
local function table_task(rng, procs)
  local first, f = rng:integer(20, 400) * 100, pick(rng, { 0.01, 0.1, 0.4 })
  local task = { m = pick(rng, { 0, rng:uniform(10, 2000) }), times = {} }
  for j = 1, rng:integer(1, procs + 2) do task.times[j] = first * (f + (1 - f) / j) end
  return task
end

local function random_tasks(rng, n, procs)
  local kind = pick(rng, { "sizes", "sizes", "sizes", "equal", "few", "tables" })
  local low, high = 1000, pick(rng, { 1500, 10000, 1e6 })
  local few = { rng:uniform(low, high), rng:uniform(low, high) }
  local f, list = pick(rng, { 0, 0.01, 0.08, 0.3 }), {}
  for i = 1, n do
    if kind == "tables" then
      -- Where checkpoints cost nothing, equal tasks tie but for a rounding whatever strikes them.
      local again = i > 1 and list[i - 1].m > 0 and chance(rng, 30)
      list[i] = again and list[i - 1] or table_task(rng, procs)
    else
      local m = kind == "sizes" and rng:uniform(low, high) or few[kind == "few" and i % 2 + 1 or 1]
      list[i] = { m = m, f = f }
    end
  end
  return list
end

local function random_procs(rng, n)
  return pick(rng, { 2 * n, 2 * n + 1, rng:integer(2 * n, 4 * n), rng:integer(2 * n, 6 * n + 6),
    rng:integer(2 * n, 6 * n + 6) })
end

-- Costs and rates in shares of the time that the first task takes, so that all of them matter.
local function random_platform(rng, pack)
  local span = naive.time(pack.tasks[1], 2)
  pack.mtbf = pick(rng, { 0.5, 3, 20, 100, 1000, math.huge }) * pack.procs * span
  pack.downtime = pick(rng, { 0, 0, 0.001, 0.05, 0.5 }) * span
  pack.checkpoint = pick(rng, { 1, 1, 0.1, 5, 0.01 })
  pack.checkpoint_fixed = pick(rng, { 0, 0, 0, 0.002 * span })
  pack.startup = pick(rng, { 0, 0, 0.002, 0.05 }) * span
  pack.latency = pick(rng, { 0, 0, 0.0005 }) * span
  pack.bandwidth = pick(rng, { 1, 1, 0.1, 10, math.huge })
end

-- --- faults --------------------------------------------------------------------------------------

local function random_victim(rng, pack, favourite)
  if not pack.by_processor then
    return { task = chance(rng, 40) and favourite or rng:integer(1, #pack.tasks) }
  end
  return { processor = chance(rng, 40) and favourite ~ rng:integer(0, 1)
    or rng:integer(0, pack.procs - 1) }
end

-- Some anywhere, others at the instant of the one before, soon after it, or when a task would end.
local function random_faults(rng, pack)
  local quiet = naive.run(pack, pick(rng, { "none+none", "end-local+none" }))
  local faults, horizon = {}, quiet.makespan * pick(rng, { 1, 1.5, 3 })
  local favourite = pack.by_processor and rng:integer(0, pack.procs // 2 - 1) * 2
    or rng:integer(1, #pack.tasks)
  for i = 1, rng:integer(0, pick(rng, { 0, 2, 6, 12, 12, 30 })) do
    local given, kind = random_victim(rng, pack, favourite), rng:integer(1, 10)
    local before = faults[i - 1] and faults[i - 1].time or 0
    given.time = rng:uniform(0, horizon)
    if kind == 1 then given.time = before end
    if kind == 2 then given.time = before + rng:uniform(0, 1) * (pack.downtime + 0.01 * horizon) end
    if kind == 3 then given.time = pick(rng, quiet.ends) end
    faults[i] = given
  end
  table.sort(faults, function(a, b) return a.time < b.time end)
  return faults
end

-- options: n (most tasks), by_processor (true: faults name processors; false: tasks; nil: either).
function packs.random(rng, options)
  options = options or {}
  local n = rng:integer(1, options.n or 8)
  local pack = { procs = random_procs(rng, n) }
  pack.tasks = random_tasks(rng, n, pack.procs)
  random_platform(rng, pack)
  pack.by_processor = options.by_processor
  if pack.by_processor == nil then pack.by_processor = chance(rng, 50) end
  pack.faults = random_faults(rng, pack)
  return pack
end

-- --- the kernel's engine -------------------------------------------------------------------------

function packs.tasks(pack)
  local list = {}
  for i, task in ipairs(pack.tasks) do
    list[i] = { m = task.m, f = task.f, times = task.times }
  end
  return orrery.tasks.list(list)
end

-- The fields of orrery.session for a pack; `more` adds and replaces.
function packs.spec(pack, more)
  local spec = {
    tasks = pack.made or packs.tasks(pack), procs = pack.procs,
    faults = { mtbf = pack.mtbf, downtime = pack.downtime, log = pack.faults },
    costs = {
      checkpoint = pack.checkpoint, checkpoint_fixed = pack.checkpoint_fixed,
      startup = pack.startup, latency = pack.latency, bandwidth = pack.bandwidth,
    },
  }
  for key, value in pairs(more or {}) do spec[key] = value end
  return spec
end

function packs.session(pack, policy)
  return orrery.session(packs.spec(pack, { policy = policy }))
end

-- The pack as Lua text, for the message of a failing test.
function packs.describe(pack)
  local lines = {}
  local function add(format, ...) lines[#lines + 1] = format:format(...) end
  for _, name in ipairs { "procs", "mtbf", "downtime", "checkpoint", "checkpoint_fixed", "startup",
    "latency", "bandwidth" } do
    add("%s = %.17g,", name, pack[name])
  end
  for _, task in ipairs(pack.tasks) do
    local times = {}
    for j, time in ipairs(task.times or {}) do times[j] = ("%.17g"):format(time) end
    add("task { m = %.17g, f = %s, times = { %s } },", task.m, tostring(task.f),
      table.concat(times, ", "))
  end
  for _, fault in ipairs(pack.faults or {}) do
    add("fault { time = %.17g, %s = %d },", fault.time, fault.task and "task" or "processor",
      fault.task or fault.processor)
  end
  return table.concat(lines, "\n")
end

-- --- against the reference -----------------------------------------------------------------------

local function near(a, b) return a == b or math.abs(a - b) <= 1e-9 * math.max(math.abs(a), 1e-9) end

-- Per task, a list of { time, processors }, one for every change; from the spans of a schedule.
function packs.holdings(session)
  local holdings = {}
  for i = 1, #session.tasks do holdings[i] = {} end
  for _, span in ipairs(session:schedule()) do
    local list = holdings[span.position]
    if #list == 0 or list[#list].processors ~= span.processors then
      list[#list + 1] = { time = span.start, processors = span.processors }
    end
  end
  return holdings
end

-- Without what lasted no time: no span shows it.
local function lasting(list, stop)
  local kept = {}
  for i, held in ipairs(list) do
    local until_ = list[i + 1] and list[i + 1].time or stop
    local before = kept[#kept]
    if until_ > held.time and not (before and before.processors == held.processors) then
      kept[#kept + 1] = held
    end
  end
  return kept
end

local function holdings_differ(found, expected)
  for task, all in ipairs(expected.holdings) do
    local list = lasting(all, expected.ends[task])
    for i = 1, math.max(#list, #found[task]) do
      local a, b = found[task][i], list[i]
      if not a or not b or a.processors ~= b.processors or not near(a.time, b.time) then
        return ("task %d, processors no. %d: found %s at %.17g, expected %s at %.17g"):format(task,
          i, a and a.processors, a and a.time or -1, b and b.processors, b and b.time or -1)
      end
    end
  end
end

-- What differs between a session that is over and a result of naive.run, as text.
function packs.difference(session, metrics, expected)
  for _, name in ipairs { "faults", "redistributions", "moves", "fatal" } do
    if metrics[name] ~= expected[name] then
      return ("%s: found %d, expected %d"):format(name, metrics[name], expected[name])
    end
  end
  for i, time in ipairs(session:ends()) do
    if not near(time, expected.ends[i]) then
      return ("end of %d: found %.17g, expected %.17g"):format(i, time, expected.ends[i])
    end
  end
  if not near(metrics.makespan, expected.makespan) then return "makespan" end
  return holdings_differ(packs.holdings(session), expected)
end

return packs
