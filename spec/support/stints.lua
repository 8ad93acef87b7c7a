-- Random runs of malleable tasks, by the rules of the model and with no policy at all: tasks are
-- struck and moved at random. A plain simulation that shares nothing with the kernel.
local stints = { RUNNING = 0, COMPLETED = 1, STRUCK = 2, MOVED = 3, CANCELLED = 4 }

local INFINITY = math.huge

local function pick(rng, list) return list[rng:integer(1, #list)] end
local function chance(rng, percent) return rng:integer(1, 100) <= percent end

-- --- the platform ------------------------------------------------------------------------------

local function random_platform(rng, scale)
  local platform = {
    mtbf = pick(rng, { 6, 300, 2000, 1e5, INFINITY }), downtime = pick(rng, { 0, 0, 2.5 }),
    checkpoint_unit = pick(rng, { 0, 0.01, 0.1 }), checkpoint_fixed = pick(rng, { 0, 0.3 }),
    startup = pick(rng, { 0, 1.5 }), latency = pick(rng, { 0, 0.01 }),
    bandwidth = pick(rng, { 10, 300, INFINITY }), rule = pick(rng, { "young", "young", "daly" }),
  }
  for _, name in ipairs { "mtbf", "downtime", "checkpoint_unit", "checkpoint_fixed", "startup",
    "latency" } do
    platform[name] = platform[name] * scale
  end
  platform.bandwidth = platform.bandwidth / scale
  return platform
end

-- t(j) by Amdahl's law, as a table of times for every number of processors.
local function random_task(rng, procs, scale)
  local task = { size = pick(rng, { 0, rng:uniform(5, 200) }), times = {} }
  local first = pick(rng, { rng:uniform(20, 900), 240 }) * scale
  local sequential = rng:uniform(0, 0.3)
  for j = 1, procs do task.times[j] = first * (sequential + (1 - sequential) / j) end
  return task
end

function stints.checkpoint(platform, task, j)
  if platform.mtbf == INFINITY then return 0 end
  return platform.checkpoint_unit * task.size / j + platform.checkpoint_fixed
end

-- The work of a period; with the checkpoint behind it, it is the period.
function stints.work(platform, checkpoint, j)
  local mean = platform.mtbf / j
  if mean == INFINITY then return INFINITY end
  local young = (2 * mean * checkpoint) ^ 0.5
  if platform.rule == "young" then return young end
  if checkpoint >= 2 * mean then return mean end
  local x = checkpoint / (2 * mean)
  return young * (1 + x ^ 0.5 / 3 + x / 9) - checkpoint
end

function stints.move_cost(platform, task, from, to)
  if from == to then return 0 end
  local message = task.size / (from * to * platform.bandwidth) + platform.latency
  return platform.startup + math.max(math.min(from, to), math.abs(to - from)) * message
end

-- --- one stint ---------------------------------------------------------------------------------

local function flat(pairs_held)
  local sorted, list = {}, {}
  for i, pair in ipairs(pairs_held) do sorted[i] = pair end
  table.sort(sorted)
  for _, pair in ipairs(sorted) do
    if list[#list] == 2 * pair - 1 then
      list[#list] = 2 * pair + 1
    else
      list[#list + 1] = 2 * pair
      list[#list + 1] = 2 * pair + 1
    end
  end
  return list
end

local function begin(run, state, now, from, alpha, struck)
  local task, platform, j = run.tasks[state.task], run.platform, 2 * #state.pairs
  local C = stints.checkpoint(platform, task, j)
  local s = {
    task = state.task, procs = j, from = from, start = now, alpha = alpha, time = task.times[j],
    checkpoint = C, period = stints.work(platform, C, j) + C, processors = flat(state.pairs),
    why = stints.RUNNING, stop = INFINITY, alpha_stop = alpha,
  }
  s.down_until = struck and now + platform.downtime or now
  s.recovered = s.down_until + (struck and stints.checkpoint(platform, task, from) or 0)
  s.moved = s.recovered + stints.move_cost(platform, task, from, j)
  s.ready = s.moved + (j ~= from and C or 0)
  local work, nff = s.period - C, 0
  if C > 0 then nff = alpha * s.time // work end
  s.ends = s.ready + alpha * s.time + nff * C
  state.stint = s
  run.stints[#run.stints + 1] = s
  if run.record then run.record:begin(s) end
end

local function left(s, now, struck)
  local elapsed = now - s.ready
  local n, work = 0, s.period - s.checkpoint
  if s.period < INFINITY and s.period > 0 then n = elapsed // s.period end
  if s.period == 0 then return math.max(s.alpha - elapsed / s.time, 0) end
  if struck then return n == 0 and s.alpha or math.max(s.alpha - n * work / s.time, 0) end
  if n == 0 then return math.max(s.alpha - math.min(elapsed, work) / s.time, 0) end
  return math.max(s.alpha - math.min(elapsed - n * s.checkpoint, (n + 1) * work) / s.time, 0)
end

local function stop(run, state, now, why)
  local s = state.stint
  s.stop, s.why = now, why
  s.alpha_stop = why == stints.COMPLETED and 0 or left(s, now, why == stints.STRUCK)
  if run.record then run.record:stop(s.task, s.stop, s.alpha_stop, s.why) end
end

-- --- events ------------------------------------------------------------------------------------

local function shuffle(rng, list)
  for i = #list, 2, -1 do
    local k = rng:integer(1, i)
    list[i], list[k] = list[k], list[i]
  end
  return list
end

-- Some of the ready tasks, and the one that was struck, get other processors.
local function redistribute(run, rng, now, struck)
  local states, before = {}, {}
  for _, state in ipairs(run.states) do
    if not state.over and (state == struck or state.stint.ready <= now) then
      states[#states + 1] = state
      before[state] = #state.pairs
    end
  end
  local move = chance(rng, 65)
  for _, state in ipairs(shuffle(rng, states)) do
    local most = #state.pairs - 1
    if move and most > 0 and chance(rng, 35) then
      shuffle(rng, state.pairs)
      for _ = 1, rng:integer(1, most) do table.insert(run.free, table.remove(state.pairs)) end
    end
  end
  for _, state in ipairs(shuffle(rng, states)) do
    if move and #state.pairs == before[state] and #run.free > 0 and chance(rng, 60) then
      shuffle(rng, run.free)
      for _ = 1, rng:integer(1, #run.free) do table.insert(state.pairs, table.remove(run.free)) end
    end
  end
  for _, state in ipairs(states) do
    local from = 2 * before[state]
    if state ~= struck and #state.pairs ~= before[state] then
      stop(run, state, now, stints.MOVED)
      begin(run, state, now, from, state.stint.alpha_stop, false)
    elseif state == struck then
      begin(run, state, now, from, state.stint.alpha_stop, true)
    end
  end
end

local function holder(run, fault)
  for _, state in ipairs(run.states) do
    if not state.over and state.task == fault.task then return state end
    for _, pair in ipairs(state.over and {} or state.pairs) do
      if fault.processor and fault.processor // 2 == pair then return state end
    end
  end
end

local function next_end(run)
  local first
  for _, state in ipairs(run.states) do
    if not state.over and (not first or state.stint.ends < first.stint.ends) then first = state end
  end
  return first
end

local function complete(run, rng, state)
  local now = state.stint.ends
  stop(run, state, now, stints.COMPLETED)
  state.over = true
  run.makespan = now
  for _, pair in ipairs(state.pairs) do run.free[#run.free + 1] = pair end
  redistribute(run, rng, now)
end

local function strike(run, rng, fault)
  local state = holder(run, fault)
  if not state or state.stint.ready > fault.time then return end
  run.effective = run.effective + 1
  stop(run, state, fault.time, stints.STRUCK)
  redistribute(run, rng, fault.time, state)
end

-- Faults come at random, some exactly when a task is over or a fault has just been.
local function draw_fault(run, rng, at)
  local time = at + run.scale * rng:uniform(0, 60)
  local first = next_end(run)
  if chance(rng, 10) and first then time = first.stint.ends end
  if chance(rng, 10) then time = at end
  if chance(rng, 50) then return { time = time, processor = rng:integer(0, run.procs - 1) } end
  return { time = time, task = rng:integer(1, #run.tasks) }
end

-- A random run; `record`, made for its tasks and processors by record_for, hears of all stints.
function stints.run(rng, record_for)
  local count, scale = rng:integer(1, 5), pick(rng, { 1, 1, 1e-3, 1e6 })
  local run = {
    procs = 2 * count + rng:integer(0, 12), platform = random_platform(rng, scale), tasks = {},
    stints = {}, states = {}, free = {}, faults = {}, effective = 0, makespan = 0, scale = scale,
  }
  run.record = record_for and record_for(count, run.procs)
  for pair = 0, run.procs // 2 - 1 do run.free[#run.free + 1] = pair end
  shuffle(rng, run.free)
  for i = 1, count do
    run.tasks[i] = random_task(rng, run.procs, scale)
    run.states[i] = { task = i, pairs = { table.remove(run.free) } }
  end
  for _, state in ipairs(run.states) do
    for _ = 1, rng:integer(0, #run.free // 2) do
      state.pairs[#state.pairs + 1] = table.remove(run.free)
    end
    begin(run, state, 0, 2 * #state.pairs, 1, false)
  end
  local fault = draw_fault(run, rng, 0)
  local first = next_end(run)
  while first do
    if fault and fault.time < first.stint.ends then
      run.faults[#run.faults + 1] = fault
      strike(run, rng, fault)
      fault = #run.faults < 20 and draw_fault(run, rng, fault.time) or nil
    else
      complete(run, rng, first)
    end
    first = next_end(run)
  end
  stints.sort(run.stints)
  return run
end

local function copy(value)
  if type(value) ~= "table" then return value end
  local new = {}
  for key, one in pairs(value) do new[key] = copy(one) end
  return new
end

-- What the checker reads of a run, as a copy that a spec may break.
function stints.plain(run)
  return copy {
    procs = run.procs, platform = run.platform, tasks = run.tasks, stints = run.stints,
    faults = run.faults,
  }
end

-- The run as it stood at `now`, an instant without events.
function stints.until_now(run, now)
  local part = stints.plain(run)
  part.stints, part.faults, part.partial = {}, {}, true
  for _, s in ipairs(run.stints) do
    if s.start < now then
      local one = copy(s)
      if s.stop > now then one.why, one.stop, one.alpha_stop = stints.RUNNING, now, s.alpha end
      table.insert(part.stints, one)
    end
  end
  for _, fault in ipairs(run.faults) do
    if fault.time < now then table.insert(part.faults, fault) end
  end
  return part
end

-- By start, then by task; stable.
function stints.sort(list)
  for i, s in ipairs(list) do s.order = i end
  table.sort(list, function(a, b)
    if a.start ~= b.start then return a.start < b.start end
    if a.task ~= b.task then return a.task < b.task end
    return a.order < b.order
  end)
end

return stints
