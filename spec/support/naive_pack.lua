-- An obviously correct engine for packs of malleable tasks: the model and the five algorithms of
-- RR-8795 word by word, with spec/READINGS.md 1 to 14. Everything is computed anew from its
-- definition at every use, lists are sorted at every step. It shares nothing with the kernel.
--
-- A pack: { tasks = { { m =, f = } or { m =, times = { ... } }, ... }, procs =, mtbf =, downtime =,
-- checkpoint =, checkpoint_fixed =, startup =, latency =, bandwidth =, faults = { { time =,
-- task = position } or { time =, processor = from 0 }, ... } }. Seconds and data units. Beside the
-- papers: period = function(question) (what a policy's is asked), every_fault = true, start =
-- function(sigma, most), which changes the processors that tasks start on.
local naive = {}

local INFINITY = math.huge

-- --- expected times (chapter, equations 1.3 to 1.11) --------------------------------------------

local function expm1(x) -- as W. Kahan computes it; Lua has none
  local u = math.exp(x)
  if u == INFINITY then return u end
  if u == 1 then return x end
  if u == 0 then return -1 end
  return (u - 1) * x / math.log(u)
end

function naive.time(task, j)
  if task.times then return task.times[math.min(j, #task.times)] end
  local m, f = task.m, task.f
  local first = 2 * m * math.log(m, 2)
  return f * first + (1 - f) * first / j + m / j * math.log(m, 2)
end

function naive.checkpoint(pack, task, j)
  if pack.mtbf == INFINITY then return 0 end -- reading 1
  return pack.checkpoint * task.m / j + pack.checkpoint_fixed
end

-- tau - C: the work of a period.
function naive.work(pack, task, j)
  if pack.mtbf == INFINITY then return INFINITY end
  local C = naive.checkpoint(pack, task, j)
  local young = (2 * (pack.mtbf / j) * C) ^ 0.5
  if not pack.period or C == 0 then return young end
  return pack.period { procs = j, size = task.m, time = naive.time(task, j),
    alone = naive.time(task, 1), checkpoint = C, mtbf = pack.mtbf / j, downtime = pack.downtime,
    period = young + C } - C
end

function naive.checkpoints(pack, task, j, alpha) -- Nff
  local work = naive.work(pack, task, j)
  if work == INFINITY or work == 0 then return 0 end -- free checkpoints: their number is no matter
  return math.floor(alpha * naive.time(task, j) / work)
end

function naive.expected(pack, task, j, alpha) -- t^R
  local t, C = naive.time(task, j), naive.checkpoint(pack, task, j)
  local work, D = naive.work(pack, task, j), pack.downtime
  if pack.mtbf == INFINITY then return alpha * t end
  local rate = j / pack.mtbf
  if work == 0 then return alpha * t * (1 + rate * D) end -- the limit for C -> 0
  local count = naive.checkpoints(pack, task, j, alpha)
  local whole = count > 0 and count * expm1(rate * (work + C)) or 0
  return math.exp(rate * C) * (1 / rate + D) * (whole + expm1(rate * (alpha * t - count * work)))
end

function naive.undisturbed_end(pack, task, j, alpha, ready)
  return ready + alpha * naive.time(task, j)
    + naive.checkpoints(pack, task, j, alpha) * naive.checkpoint(pack, task, j)
end

function naive.move_cost(pack, task, j, k)
  if j == k then return 0 end
  return pack.startup + math.max(math.min(j, k), math.abs(k - j))
    * (task.m / (k * j * pack.bandwidth) + pack.latency)
end

local function even(number) return number - number % 2 end

-- The smallest even j such that no larger one is strictly faster.
function naive.most(pack, task)
  local times = {}
  for j = 2, even(pack.procs), 2 do times[j] = naive.expected(pack, task, j, 1) end
  for j = 2, even(pack.procs), 2 do
    local beaten = false
    for k = j + 2, even(pack.procs), 2 do beaten = beaten or times[k] < times[j] end
    if not beaten then return j end
  end
end

-- --- lists --------------------------------------------------------------------------------------

local function sorted(list, before)
  local copy = table.move(list, 1, #list, 1, {})
  table.sort(copy, before)
  return copy
end

local function latest_first(a, b)
  if a.finish ~= b.finish then return a.finish > b.finish end
  return a.position < b.position
end

local function earliest_first(a, b)
  if a.finish ~= b.finish then return a.finish < b.finish end
  return a.position < b.position
end

local function without(list, one)
  local rest = {}
  for _, other in ipairs(list) do
    if other ~= one then rest[#rest + 1] = other end
  end
  return rest
end

-- Algorithm 1.
function naive.initial(pack, most)
  local sigma, available = {}, even(pack.procs) - 2 * #pack.tasks
  for i in ipairs(pack.tasks) do sigma[i] = 2 end
  while available >= 2 do
    local list = {}
    for i, task in ipairs(pack.tasks) do
      list[i] = { position = i, finish = naive.expected(pack, task, sigma[i], 1) }
    end
    local head = sorted(list, latest_first)[1]
    local i = head.position
    local limit = math.min(sigma[i] + available, most[i])
    if naive.expected(pack, pack.tasks[i], sigma[i], 1)
      > naive.expected(pack, pack.tasks[i], limit, 1) then
      sigma[i] = sigma[i] + 2
      available = available - 2
    else
      available = 0
    end
  end
  return sigma
end

-- --- what a heuristic sees ----------------------------------------------------------------------

-- A task in a heuristic: `base` is when its redistribution would begin, `left` what is left then.
local function look(pack, state, now, struck)
  local view = {
    position = state.position, task = state.task, before = state.sigma, sigma = state.sigma,
    finish = state.finish, untouched = state.finish, most = state.most, struck = state == struck,
    base = now, left = state.alpha,
  }
  if state == struck then
    view.base = state.ready
  else
    local t, j = naive.time(state.task, state.sigma), state.sigma
    local C, work = naive.checkpoint(pack, state.task, j), naive.work(pack, state.task, j)
    local elapsed = now - state.ready
    local done = elapsed
    if work < INFINITY and work > 0 then
      local periods = math.floor(elapsed / (work + C))
      done = math.min(elapsed - periods * C, (periods + 1) * work)
    end
    view.left = math.max(0, state.alpha - done / t)
  end
  return view
end

local function ready_with(pack, view, k)
  return view.base + naive.move_cost(pack, view.task, view.before, k)
    + naive.checkpoint(pack, view.task, k)
end

local function finish_with(pack, view, k)
  if k == view.before then return view.untouched end
  return ready_with(pack, view, k) + naive.expected(pack, view.task, k, view.left)
end

local function set(pack, view, k)
  view.sigma = k
  view.finish = finish_with(pack, view, k)
end

-- The smallest q that makes it better, with at most k more.
local function improvement(pack, view, k)
  local q = 2
  while q <= k and view.sigma + q <= view.most do
    if finish_with(pack, view, view.sigma + q) < view.finish then return q end
    q = q + 2
  end
end

-- --- the heuristics: (pack, views, k) with k processors that nobody holds -----------------------

local function end_local(pack, views, k) -- Algorithm 3
  local list = sorted(views, latest_first)
  while k >= 2 and #list > 0 do
    list = sorted(list, latest_first)
    local head = list[1]
    if improvement(pack, head, k) then
      set(pack, head, head.sigma + 2)
      k = k - 2
    else
      list = without(list, head)
    end
  end
end

local function greedy(pack, views, k) -- Algorithm 5, and EndGreedy
  for _, view in ipairs(views) do
    k = k + view.sigma - 2
    set(pack, view, 2)
  end
  while k >= 2 and #views > 0 do
    local head = sorted(views, latest_first)[1]
    if improvement(pack, head, k) then
      set(pack, head, head.sigma + 2)
      k = k - 2
    else
      k = 0
    end
  end
end

local function struck_of(views)
  for _, view in ipairs(views) do
    if view.struck then return view end
  end
end

local function shortest_tasks_first(literal)
  return function(pack, views, k) -- Algorithm 4
    local f = struck_of(views)
    local improvable = not literal
    while k >= 2 do
      local q = improvement(pack, f, k)
      improvable = q ~= nil
      if not improvable then break end
      set(pack, f, f.sigma + q)
      k = k - q
    end
    while improvable do
      local donors = {}
      for _, view in ipairs(views) do
        if view ~= f and view.sigma >= 4 then donors[#donors + 1] = view end
      end
      local s = sorted(donors, earliest_first)[1]
      improvable = false
      if not s then break end
      local q = 2
      while q <= s.sigma - 2 and f.sigma + q <= f.most do
        if finish_with(pack, f, f.sigma + q) < f.finish
          and finish_with(pack, s, s.sigma - q) < f.finish then
          improvable = true
          break
        end
        q = q + 2
      end
      if improvable then
        set(pack, f, f.sigma + 2)
        set(pack, s, s.sigma - 2)
        if s.finish > f.finish then improvable = false end
      end
    end
  end
end

local function nothing() end

naive.on_end = { none = nothing, ["end-local"] = end_local, ["end-greedy"] = greedy }
naive.on_fault = {
  none = nothing, ["iterated-greedy"] = greedy,
  ["shortest-tasks-first"] = shortest_tasks_first(false),
  ["shortest-tasks-first-literal"] = shortest_tasks_first(true),
}

-- --- processors ---------------------------------------------------------------------------------

-- Pairs of buddies; free[k] says that 2k and 2k + 1 are free, held is an ascending list of such k.
local function take(free, held, pairs_wanted, last)
  for k = 0, last do
    if #held == pairs_wanted then break end
    if free[k] then
      free[k] = false
      held[#held + 1] = k
    end
  end
  table.sort(held)
end

local function give_back(free, held, pairs_kept)
  while #held > pairs_kept do free[table.remove(held)] = true end
end

local function processors(held)
  local ranges = {}
  for _, k in ipairs(held) do
    local range = ranges[#ranges]
    if range and range[2] == 2 * k - 1 then
      range[2] = 2 * k + 1
    else
      ranges[#ranges + 1] = { 2 * k, 2 * k + 1 }
    end
  end
  for i, range in ipairs(ranges) do ranges[i] = range[1] .. "-" .. range[2] end
  return table.concat(ranges, " ")
end

local function holder(states, processor)
  for _, state in ipairs(states) do
    for _, k in ipairs(state.held) do
      if k == processor // 2 then return state end
    end
  end
end

-- --- the engine ---------------------------------------------------------------------------------

local function running(states)
  local list = {}
  for _, state in ipairs(states) do
    if not state.over then list[#list + 1] = state end
  end
  return list
end

local function note(sim, state, now)
  local log = sim.result.holdings[state.position]
  log[#log + 1] = { time = now, processors = processors(state.held) }
end

local function begin(pack)
  local sim = { pack = pack, states = {}, free = {}, failed = {}, last = pack.procs // 2 - 1 }
  sim.result = { ends = {}, makespan = 0, faults = 0, redistributions = 0, moves = 0, calls = 0,
    fatal = 0, holdings = {}, sigma = {}, most = {} }
  local most = sim.result.most
  for i, task in ipairs(pack.tasks) do most[i] = naive.most(pack, task) end
  sim.result.sigma = naive.initial(pack, most)
  if pack.start then pack.start(sim.result.sigma, most) end
  for k = 0, sim.last do sim.free[k] = true end
  for i, task in ipairs(pack.tasks) do
    local sigma = sim.result.sigma[i]
    local state = { position = i, task = task, sigma = sigma, most = most[i], alpha = 1, ready = 0,
      finish = naive.expected(pack, task, sigma, 1), held = {} }
    take(sim.free, state.held, sigma // 2, sim.last)
    sim.states[i], sim.result.holdings[i] = state, {}
    note(sim, state, 0)
  end
  return sim
end

-- Makes what the heuristic proposed real: first everybody gives back, then everybody takes.
local function apply(sim, views, now)
  local pack, moved = sim.pack, {}
  for _, view in ipairs(views) do
    if view.sigma ~= view.before then moved[#moved + 1] = view end
  end
  for _, view in ipairs(moved) do
    local state = sim.states[view.position]
    state.ready, state.alpha = ready_with(pack, view, view.sigma), view.left
    state.finish, state.sigma = finish_with(pack, view, view.sigma), view.sigma
    give_back(sim.free, state.held, view.sigma // 2)
  end
  for _, view in ipairs(moved) do
    local state = sim.states[view.position]
    take(sim.free, state.held, view.sigma // 2, sim.last)
    note(sim, state, now)
  end
  sim.result.moves = sim.result.moves + #moved
  if #moved > 0 then sim.result.redistributions = sim.result.redistributions + 1 end
end

local function redistribute(sim, heuristic, now, struck)
  local views, k = {}, even(sim.pack.procs)
  for _, state in ipairs(running(sim.states)) do
    k = k - state.sigma
    if now >= state.ready or state == struck then
      views[#views + 1] = look(sim.pack, state, now, struck)
    end
  end
  heuristic(sim.pack, views, k)
  apply(sim, views, now)
end

local function end_of(sim, state)
  return naive.undisturbed_end(sim.pack, state.task, state.sigma, state.alpha, state.ready)
end

local function end_task(sim, state, now, heuristic)
  state.over = true
  give_back(sim.free, state.held, 0)
  sim.result.ends[state.position] = now
  sim.result.makespan = math.max(sim.result.makespan, now)
  if #running(sim.states) > 0 then redistribute(sim, heuristic, now) end
end

local function strike(sim, state, now, heuristic)
  local pack, j = sim.pack, state.sigma
  local t, C = naive.time(state.task, j), naive.checkpoint(pack, state.task, j)
  local work = naive.work(pack, state.task, j)
  local done = 0 -- without checkpoints everything since `ready` is lost
  if work == 0 then
    done = now - state.ready
  elseif work < INFINITY then
    done = math.floor((now - state.ready) / (work + C)) * work
  end
  state.alpha = math.max(0, state.alpha - done / t)
  state.ready = now + pack.downtime + C
  state.finish = state.ready + naive.expected(pack, state.task, j, state.alpha)
  sim.result.faults = sim.result.faults + 1
  for _, other in ipairs(running(sim.states)) do
    if other.finish > state.finish and not pack.every_fault then return end
  end
  sim.result.calls = sim.result.calls + 1
  redistribute(sim, heuristic, now, state)
end

-- A processor that fails while the task still recovers from the fault of its buddy, whoever has the
-- two by now: until then it had both copies of a checkpoint.
local function is_fatal(sim, given)
  local earlier = given.processor and sim.failed[given.processor // 2]
  return earlier and earlier.processor ~= given.processor and given.time < earlier.recovered
end

local function fault(sim, given, heuristic)
  if is_fatal(sim, given) then sim.result.fatal = sim.result.fatal + 1 end
  local state = given.task and sim.states[given.task] or holder(sim.states, given.processor)
  if not state or state.over or given.time < state.ready then return end
  if given.processor then
    sim.failed[given.processor // 2] = {
      processor = given.processor,
      recovered = given.time + sim.pack.downtime
        + naive.checkpoint(sim.pack, state.task, state.sigma),
    }
  end
  strike(sim, state, given.time, heuristic)
end

-- Runs "END+FAULT", the names of the two heuristics. Returns ends (per task), makespan, faults,
-- redistributions, moves, fatal, calls (of the fault heuristic), sigma and most (per task), and
-- holdings: per task a list of { time, processors }, one for every change.
function naive.run(pack, policy)
  local on_end, on_fault = policy:match "^(.*)%+(.*)$"
  on_end, on_fault = naive.on_end[on_end], naive.on_fault[on_fault]
  local sim, next_fault = begin(pack), 1
  while #running(sim.states) > 0 do
    local first = sorted(running(sim.states), function(a, b)
      local end_a, end_b = end_of(sim, a), end_of(sim, b)
      if end_a ~= end_b then return end_a < end_b end
      return a.position < b.position
    end)[1]
    local now, given = end_of(sim, first), (pack.faults or {})[next_fault]
    if given and given.time < now then
      next_fault = next_fault + 1
      fault(sim, given, on_fault)
    else
      end_task(sim, first, now, on_end)
    end
  end
  return sim.result
end

return naive
