-- Naive schedulers, the reference of spec/conformance/: FCFS, EASY, EASY-SJBF, lists with m
-- reservations and conservative backfilling, each written from its definition, and EASY with a
-- fault that is known of some simulator. Nothing here comes from the engine; times are exact.
--
-- naive.run { jobs =, procs =, policy =, fault =, failures =, maintenance = } returns the starts, a
-- list of { id =, start = } in order of start and position.
--   jobs         list of { id =, submit =, procs =, runtime =, walltime =, after = }; after: a
--                list of { id, think time or nil } of jobs that have to end first (READINGS 41)
--   policy       "fcfs", "easy", "easy-sjbf", "conservative", "list:2"
--   fault        a key of naive.faults, of a policy that it names; nil: none
--   instant      when is decided at an instant (READINGS 35): nil, "ends-first",
--                "submissions-first" or "pyss", without failures and maintenance
--   failures     list of { time =, processor =, repair = }: cases in which every processor that
--                fails is idle, or all fail at once
--   maintenance  list of { from =, ["until"] =, procs = }: the machine has only `procs` processors;
--                cases in which those that leave are idle, or one job holds the whole machine
local naive = {}

-- The policies that can have a fault, by the name under which spec/conformance/README.md has it.
naive.faults = {
  ["no-reservation"] = "easy",
  ["real-runtimes"] = "easy conservative",
  ["no-extra"] = "easy",
  ["extra-kept"] = "easy",
  ["sorted-by-limit"] = "easy",
  ["made-anew"] = "conservative",
  ["made-anew+real-runtimes"] = "conservative",
}

local function has(s, fault)
  return ("+%s+"):format(s.fault or ""):find("+" .. fault .. "+", 1, true)
end

-- --- profiles -----------------------------------------------------------------------------------

-- Processors that nobody holds at time t; held: list of { from =, till =, procs = }.
local function free_at(procs, held, t)
  for _, h in ipairs(held) do
    if h.from <= t and t < h.till then procs = procs - h.procs end
  end
  return procs
end

-- The first time from `now` on at which a job fits for its whole walltime.
local function earliest(procs, held, now, job)
  local times = { now }
  for _, h in ipairs(held) do
    if h.till > now then times[#times + 1] = h.till end
  end
  table.sort(times)
  for _, t in ipairs(times) do
    local fits = free_at(procs, held, t) >= job.procs
    for _, h in ipairs(held) do
      if h.from > t and h.from < t + job.walltime then
        fits = fits and free_at(procs, held, h.from) >= job.procs
      end
    end
    if fits then return t end
  end
  error "a job never fits"
end

-- What running jobs and outages are known to hold from now on.
local function held_now(s)
  local held = {}
  for _, r in ipairs(s.running) do
    held[#held + 1] = { from = s.now, till = r.start + r.job.walltime, procs = r.job.procs }
  end
  for _, o in ipairs(s.out) do
    held[#held + 1] = { from = s.now, till = o.till, procs = o.procs }
  end
  return held
end

-- Processors that are free now: an attempt whose end is not applied yet still has its own.
local function free_now(s)
  local free = s.procs
  for _, r in ipairs(s.running) do free = free - r.job.procs end
  for _, o in ipairs(s.out) do free = free - o.procs end
  return free
end

-- --- starting -----------------------------------------------------------------------------------

local function remove(list, element)
  for i, one in ipairs(list) do
    if one == element then return table.remove(list, i) end
  end
end

local function start(s, job)
  remove(s.queue, job)
  local length = math.min(job.runtime, job.walltime)
  s.running[#s.running + 1] = { job = job, start = s.now, finish = s.now + length }
  s.starts[#s.starts + 1] = { id = job.id, start = s.now }
end

-- --- policies -----------------------------------------------------------------------------------

local decide = {}

function decide.fcfs(s)
  while s.queue[1] and s.queue[1].procs <= free_now(s) do start(s, s.queue[1]) end
end

-- When the head of the queue can start by what is known now, and how many processors are left then.
local function shadow_of(s, head)
  if has(s, "sorted-by-limit") then
    local list, free = { table.unpack(s.running) }, free_now(s)
    table.sort(list, function(a, b)
      if a.job.walltime ~= b.job.walltime then return a.job.walltime < b.job.walltime end
      return a.start < b.start
    end)
    for _, r in ipairs(list) do
      free = free + r.job.procs
      if free >= head.procs then return r.start + r.job.walltime, free - head.procs end
    end
  end
  local held = held_now(s)
  local shadow = earliest(s.procs, held, s.now, head)
  return shadow, free_at(s.procs, held, shadow) - head.procs
end

-- What a scheduler that knows runtimes takes for a walltime.
local function length_of(s, job)
  return has(s, "real-runtimes") and math.min(job.runtime, job.walltime) or job.walltime
end

local function easy(s, shortest_first)
  decide.fcfs(s)
  local head = s.queue[1]
  if not head then return end
  local candidates = { table.unpack(s.queue, 2) }
  if shortest_first then
    for i, job in ipairs(candidates) do job.place = i end
    table.sort(candidates, function(a, b)
      if a.walltime ~= b.walltime then return a.walltime < b.walltime end
      return a.place < b.place
    end)
  end
  local shadow, extra = shadow_of(s, head)
  for _, job in ipairs(candidates) do
    local early = s.now + length_of(s, job) <= shadow
    local beside = job.procs <= extra and not has(s, "no-extra")
    if job.procs <= free_now(s) and (early or beside or has(s, "no-reservation")) then
      start(s, job)
      if not early and not has(s, "extra-kept") then extra = extra - job.procs end
    end
  end
end

function decide.easy(s) easy(s, false) end

decide["easy-sjbf"] = function(s) easy(s, true) end

-- The first m jobs that cannot start now have reservations, made anew at every decision; the others
-- start where they delay none.
function decide.list(s)
  local held, reserved = held_now(s), 0
  for _, job in ipairs { table.unpack(s.queue) } do
    local at = earliest(s.procs, held, s.now, job)
    if at == s.now and job.procs <= free_now(s) then
      start(s, job)
    elseif reserved < s.m then
      reserved = reserved + 1
    else
      at = nil
    end
    if at then held[#held + 1] = { from = at, till = at + job.walltime, procs = job.procs } end
  end
end

-- Every job has a reservation. When an attempt ends, each is released and made again, once, in the
-- order of the queue; then those of the jobs that were submitted now are made.
function decide.conservative(s)
  local function held_beside(job)
    local held = held_now(s)
    for _, other in ipairs(s.queue) do
      local at = s.reserved[other]
      if other ~= job and at then
        held[#held + 1] = { from = at, till = at + length_of(s, other), procs = other.procs }
      end
    end
    return held
  end
  local function reserve(job)
    s.reserved[job] = earliest(s.procs, held_beside(job), s.now,
      { procs = job.procs, walltime = length_of(s, job) })
  end
  if has(s, "made-anew") then s.reserved = {} end
  if s.ended then
    for _, job in ipairs(s.queue) do
      if s.reserved[job] then reserve(job) end
    end
  end
  for _, job in ipairs(s.queue) do
    if not s.reserved[job] then reserve(job) end
  end
  for _, job in ipairs { table.unpack(s.queue) } do
    if s.reserved[job] == s.now and job.procs <= free_now(s) then start(s, job) end
  end
end

-- --- events -------------------------------------------------------------------------------------

local function by_submission(a, b)
  if a.submit ~= b.submit then return a.submit < b.submit end
  return a.position < b.position
end

local function end_attempts(s)
  for i = #s.running, 1, -1 do
    if s.running[i].finish <= s.now then
      s.ends[s.running[i].job.id] = s.running[i].finish
      table.remove(s.running, i)
      s.ended = true
    end
  end
end

-- Jobs whose predecessors have all ended get their submissions.
local function follow(s)
  for i = #s.following, 1, -1 do
    local job, at, known = s.following[i], 0, true
    for _, link in ipairs(job.after) do
      local ended, think = s.ends[link[1]], link[2]
      known = known and ended ~= nil
      at = known and math.max(at, think and ended + think or math.max(ended, job.submit)) or at
    end
    if known then
      job.submit = at
      s.pending[#s.pending + 1] = table.remove(s.following, i)
    end
  end
  table.sort(s.pending, by_submission)
end

-- Processors go out of service, up to a time that is known.
local function take_out(s, count, till)
  s.out[#s.out + 1] = { procs = count, till = till }
  table.sort(s.out, function(a, b) return a.till < b.till end)
end

local function fail(s, spec)
  local count, repair = 0, 0
  for _, f in ipairs(spec.failures or {}) do
    if f.time == s.now then count, repair = count + 1, f.repair end
  end
  if count == 0 then return end
  if #s.running > 0 then
    assert(count == s.procs, "which processors a job holds is not known here")
    local returned = math.huge
    for _, r in ipairs(s.running) do
      s.queue[#s.queue + 1] = r.job
      returned = math.min(returned, r.job.submit)
    end
    s.running, s.ended = {}, true
    table.sort(s.queue, by_submission)
    for _, job in ipairs(s.queue) do -- from the first returned job on they are made anew
      if job.submit >= returned then s.reserved[job] = nil end
    end
  end
  take_out(s, count, s.now + repair)
end

local function maintain(s, spec)
  for _, m in ipairs(spec.maintenance or {}) do
    local leaving = s.procs - m.procs
    local lasts = m.from <= s.now and s.now < m["until"]
    if lasts and not s.maintained[m] and free_now(s) >= leaving then
      s.maintained[m] = true
      take_out(s, leaving, m["until"])
    end
  end
end

-- --- instants at which every event has a decision ------------------------------------------------

-- Calls decision() behind every event of the instant.
local steps = {}

local function each_submission(s, decision)
  while s.pending[1] and s.pending[1].submit <= s.now do
    s.queue[#s.queue + 1] = table.remove(s.pending, 1)
    decision(false)
  end
end

-- Attempts that end now, in the order of their starts; those in `over` have left their processors
-- already, and share the decision of their first one.
local function each_end(s, decision, ending, over)
  local decided = false
  for _, r in ipairs(ending) do
    if not over[r] then remove(s.running, r) end
    if not over[r] or not decided then decision(true) end
    decided = decided or over[r]
  end
end

local function ending_now(s)
  local list = {}
  for _, r in ipairs(s.running) do
    if r.finish <= s.now then list[#list + 1] = r end
  end
  return list
end

steps["ends-first"] = function(s, decision)
  each_end(s, decision, ending_now(s), {})
  each_submission(s, decision)
end

steps["submissions-first"] = function(s, decision)
  local ending = ending_now(s)
  each_submission(s, decision)
  each_end(s, decision, ending, {})
end

function steps.pyss(s, decision)
  local ending, over = ending_now(s), {}
  for _, r in ipairs(ending) do
    if r.start + r.job.walltime == s.now then over[r] = remove(s.running, r) ~= nil end
  end
  each_submission(s, decision)
  each_end(s, decision, ending, over)
end

local function next_event(s, spec)
  local t = math.huge
  for _, r in ipairs(s.running) do t = math.min(t, r.finish) end
  for _, job in ipairs(s.pending) do t = math.min(t, job.submit) end
  for _, o in ipairs(s.out) do t = math.min(t, o.till) end
  for _, f in ipairs(spec.failures or {}) do if f.time > s.now then t = math.min(t, f.time) end end
  for _, m in ipairs(spec.maintenance or {}) do
    if m.from > s.now then t = math.min(t, m.from) end
  end
  return t
end

-- All events of an instant.
local function apply(s, spec)
  end_attempts(s)
  follow(s)
  while s.out[1] and s.out[1].till <= s.now do table.remove(s.out, 1) end
  fail(s, spec)
  maintain(s, spec)
  while s.pending[1] and s.pending[1].submit <= s.now do
    s.queue[#s.queue + 1] = table.remove(s.pending, 1)
  end
end

function naive.run(spec)
  local name, m = spec.policy:match "^(%a+):(%d+)$"
  local s = { now = -1, procs = spec.procs, fault = spec.fault, m = tonumber(m), queue = {},
    pending = {}, following = {}, ends = {}, running = {}, starts = {}, out = {},
    reserved = {}, maintained = {} }
  for i, job in ipairs(spec.jobs) do
    local list = job.after and s.following or s.pending
    list[#list + 1] = { id = job.id, submit = job.submit, procs = job.procs, runtime = job.runtime,
      walltime = job.walltime, position = i, after = job.after }
  end
  table.sort(s.pending, by_submission)
  while #s.pending + #s.queue + #s.running > 0 do
    s.now, s.ended = next_event(s, spec), false
    local decision = decide[name or spec.policy]
    if spec.instant then
      steps[spec.instant](s, function(is_end)
        s.ended = is_end
        decision(s)
      end)
    else
      apply(s, spec)
      decision(s)
    end
  end
  return s.starts
end

return naive
