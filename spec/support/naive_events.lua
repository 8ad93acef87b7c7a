-- A naive simulator for rigid jobs with groups, events, actions and outages: the reference that the
-- engine is held against. Like spec/support/naive.lua it scans everything at every event.
--
-- naive_events.run(spec) reads the same table as native_events.simulation, and its functions get a
-- simulation with the same methods, as far as they are used here. It returns the simulation: its
-- `history` is the list of attempts, `totals` counts what was interrupted. `checkpoints`, a list of
-- what naive_checkpoints wants of each job, and `requeue_killed` are those of READINGS 36.
local naive_checkpoints = require "spec.support.naive_checkpoints"
local decide = require "spec.support.naive_decisions"
local naive_placed = require "spec.support.naive_placed"

local naive_services = require "spec.support.naive_services"
local naive_windows = require "spec.support.naive_windows"

local naive_events = {}

local Sim = {}
Sim.__index = Sim
for name, method in pairs(naive_windows) do Sim[name] = method end
for name, method in pairs(naive_services) do Sim[name] = method end

-- --- what a policy may ask ----------------------------------------------------------------------

function Sim:now() return self.clock end

function Sim:free(group, also_covered)
  local free = 0
  local g = self.groups[group]
  for p = g.first, g.first + g.procs - 1 do
    if not self.holder[p] and not self:is_down(p) and (also_covered or not self:is_covered(p)) then
      free = free + 1
    end
  end
  return free
end

function Sim:is_down(p)
  return self.down_until[p] ~= nil or self:is_closed(p) or self:is_out(p, self.clock)
end

function Sim:job(position)
  return { state = self.state[position], group = self.group[position] }
end

-- The waiting jobs of a group in the order of `name` ("priority" or "backfill").
function Sim:queue(group, name)
  local keys, list = self.keys[name], {}
  for position in ipairs(self.jobs) do
    if self.state[position] == "waiting" and self.group[position] == group then
      list[#list + 1] = position
    end
  end
  table.sort(list, function(a, b)
    if keys[a] ~= keys[b] then return keys[a] > keys[b] end
    if self.arrival[a] ~= self.arrival[b] then return self.arrival[a] < self.arrival[b] end
    return self.place[a] < self.place[b]
  end)
  return list
end

function Sim:waiting(group) return self:queue(group, "priority") end

-- Jobs that run, who started first in front.
function Sim:in_order_of_start(list)
  table.sort(list, function(a, b)
    local x, y = self.current[a].start, self.current[b].start
    if x ~= y then return x < y end
    return a < b
  end)
  return list
end

function Sim:running(group)
  local list = {}
  for _, attempt in ipairs(self.attempts) do
    if self.group[attempt.position] == group then list[#list + 1] = attempt.position end
  end
  return self:in_order_of_start(list)
end

-- The jobs that run on any of these processors.
function Sim:running_on(first, count)
  local list = {}
  for _, attempt in ipairs(self.attempts) do
    for _, p in ipairs(attempt.processors) do
      if p >= first and p < first + count then
        list[#list + 1] = attempt.position
        break
      end
    end
  end
  return self:in_order_of_start(list)
end

-- --- what it may do -----------------------------------------------------------------------------

function Sim:ask(position, group, per)
  local g = self.groups[group]
  for _, name in ipairs { "priority", "backfill" } do
    local own = g[name == "priority" and "per" or "backfill_per"] or "workload"
    local fixed = own == "workload" or own == "scenario"
    if per == own or (fixed or own == "change") and per == "attempt" then
      local key, changes
      if g[name] then key, changes = g[name](position, not fixed and self or nil) end
      self.keys[name][position] = key or 0
      self.changes[name][position] = own == "change" and changes or nil
    end
  end
end

function Sim:enqueue(position)
  self.state[position] = "waiting"
  self.promised[position] = nil
  local g = self.groups[self.group[position]]
  if g.kept[position] then g.kept[position], g.freed = nil, true end -- it had left meanwhile
  if self.spec.estimate then
    self.believed[position] = math.min(self.spec.estimate(self, position), self.estimate[position])
  end
  self:ask(position, self.group[position], "attempt")
  for _, name in ipairs { "priority", "backfill" } do
    self.keys[name][position] = self.keys[name][position] or 0
  end
end

-- The processors that a job gets if it starts now, whatever is planned; nil: it cannot. No window
-- opens there before its planned end; with `anyway` one may.
function Sim:find(position, anyway)
  local g, free, procs = self.groups[self.group[position]], {}, self.jobs[position].procs
  local till = (self.clock + self:planned_length(position)) + self.verification
  for p = g.first, g.first + g.procs - 1 do
    if not self.holder[p] and not self:is_down(p)
      and not self:is_withheld(p, position, anyway and self.clock or till) then
      free[#free + 1] = p
    end
  end
  if #free < procs then return nil end
  if g.place then return naive_placed.find(g, free, procs, position) end
  return table.move(free, 1, procs, 1, {})
end

-- How long an attempt of the job would take from now on, as planned; the detector comes on top.
function Sim:planned_length(position)
  if self.spec.estimate then return self.believed[position] end
  return naive_checkpoints.next_length(naive_checkpoints.pays(self.spec.checkpoints, position),
    self.saved[position], self.estimate[position])
end

-- What the policy estimated is outlived, the k-th time: the attempt is planned to end later.
local CORRECTIONS = { 60, 300, 900, 1800, 3600, 7200, 18000, 36000, 72000, 180000, 360000 }

function Sim:is_outlived(attempt)
  return self.spec.estimate and attempt.planned == self.clock and attempt.planned < attempt.finish
end

function Sim:correct(attempt)
  attempt.outlived = attempt.outlived + 1
  local behind = math.max(0, attempt.outlived - 11) -- the last one doubles
  attempt.planned = math.min(self.clock + CORRECTIONS[attempt.outlived - behind] * 2.0 ^ behind,
    (attempt.start + self.estimate[attempt.position]) + self.verification)
end

-- The next smaller number, of one that is greater than 0.
local function next_below(x)
  return (string.unpack("<d", string.pack("<i8", string.unpack("<i8", string.pack("<d", x)) - 1)))
end

local BEFORE = { kill = 1, drain = 2, window = 4 }

-- When the attempt is to write a checkpoint before it is killed, or before a window opens: C
-- before, or as much earlier as rounding wants.
function Sim:warn(attempt)
  local cost, choice = attempt.stretch.pays.cost, self.spec.before or 0
  attempt.warned, attempt.warning = nil, nil
  local function before(instant, what)
    local begin = instant - cost
    while begin > 0 and begin + cost > instant do begin = next_below(begin) end
    if choice & BEFORE[what] > 0 and begin > self.clock
      and (not attempt.warned or begin <= attempt.warned) then
      attempt.warned, attempt.warning = begin, what
    end
  end
  if attempt.leaves then return end
  if attempt.natural == "killed" then before(attempt.finish, "kill") end
  for _, w in ipairs(self.windows) do
    if not w.opened and w.from < attempt.finish and not self:admits(w, attempt.position)
      and self:holds(attempt, w) then
      before(w.from, w.drains and "drain" or "window")
    end
  end
end

-- That time has come. A job that is to be killed writes up to that.
function Sim:heed_warning(attempt)
  local what, finish = attempt.warning, attempt.finish
  local _, stretch = naive_checkpoints.demand(attempt.stretch, self.clock)
  if stretch and (what == "kill" or attempt.computed > self.clock) then
    attempt.stretch, attempt.heeded = stretch, what
    self:foresee(attempt)
    if what == "kill" then
      attempt.leaves, attempt.natural = true, "killed"
      attempt.planned, attempt.computed, attempt.finish = finish, finish, finish
    end
  end
  self:warn(attempt)
end

-- When a running attempt ends, and as what.
function Sim:foresee(attempt)
  local work, estimate = self.jobs[attempt.position].time, self.estimate[attempt.position]
  local planned = naive_checkpoints.end_of(attempt.stretch, estimate)
  attempt.planned = planned + self.verification
  if work > estimate then
    attempt.natural, attempt.computed, attempt.finish = "killed", planned, planned
  else
    attempt.natural = self.failures[attempt.position] > 0 and "failed" or "completed"
    attempt.computed = naive_checkpoints.end_of(attempt.stretch, work)
    attempt.finish = attempt.computed + self.verification
  end
  self:warn(attempt)
end

function Sim:start(position, processors)
  processors = processors or self:find(position) or self:find(position, true)
  assert(self.state[position] == "waiting" and processors)
  self.count[position] = self.count[position] + 1
  local attempt = {
    position = position, attempt = self.count[position], group = self.group[position],
    promised = self.promised[position],
    start = self.clock, processors = processors,
    stretch = naive_checkpoints.begin(naive_checkpoints.pays(self.spec.checkpoints, position),
      self.clock, self.saved[position], self.jobs[position].time),
  }
  self:foresee(attempt)
  if self.spec.estimate then
    attempt.outlived = 0
    attempt.planned = (self.clock + self.believed[position]) + self.verification
  end
  for _, p in ipairs(processors) do
    assert(not self.holder[p] and not self:is_down(p))
    self.holder[p] = position
  end
  self.state[position] = "running"
  self.current[position] = attempt
  table.insert(self.attempts, attempt)
  table.insert(self.history, attempt)
  table.insert(self.untold, position)
end

-- An attempt is over now, for whatever reason.
function Sim:leave(position, outcome)
  local attempt = self.current[position]
  attempt.finish, attempt.outcome = self.clock, outcome
  attempt.checkpoints = naive_checkpoints.written(attempt.stretch, self.clock,
    outcome == "completed" or outcome == "failed")
  local kept = { completed = self.jobs[position].time, failed = 0, cancelled = 0,
    killed = not self.spec.requeue_killed and 0 or nil }
  self.saved[position] = kept[outcome]
    or naive_checkpoints.saved(attempt.stretch, self.clock)
  attempt.saved = self.saved[position]
  self.groups[self.group[position]].freed = true
  for _, p in ipairs(attempt.processors) do self.holder[p] = nil end
  for i, other in ipairs(self.attempts) do
    if other == attempt then table.remove(self.attempts, i) break end
  end
  self.state[position] = "over"
end

function Sim:interrupt(position, outcome)
  assert(self.state[position] == "running")
  for i, other in ipairs(self.untold) do
    if other == position then table.remove(self.untold, i) break end
  end
  self:leave(position, outcome)
  local attempt = self.current[position]
  local held = (attempt.finish - attempt.start) * self.jobs[position].procs
  self.totals.held = self.totals.held + held
  self.totals[outcome] = self.totals[outcome] + 1
end

function Sim:kill(position)
  self.changed = true
  self:interrupt(position, "cancelled")
end

function Sim:requeue(position)
  self.changed = true
  self:interrupt(position, "preempted")
  self:enqueue(position)
end

-- The attempt writes a checkpoint, and goes on behind it; or nothing, where there is no need.
function Sim:checkpoint(position)
  local attempt = self.current[position]
  assert(self.state[position] == "running")
  self.changed = true
  if attempt.computed <= self.clock or attempt.leaves then return end -- but for the detector
  local _, stretch = naive_checkpoints.demand(attempt.stretch, self.clock)
  if stretch then
    attempt.stretch = stretch
    self:foresee(attempt)
  end
end

-- The attempt writes a checkpoint, and leaves when it is complete.
function Sim:preempt(position)
  local attempt = self.current[position]
  assert(self.state[position] == "running")
  self.changed = true
  if attempt.computed <= self.clock or attempt.leaves then return end -- but for the detector
  local time, stretch = naive_checkpoints.demand(attempt.stretch, self.clock)
  attempt.stretch = stretch or attempt.stretch
  if not time or time == self.clock then return self:requeue(position) end
  if stretch then self:foresee(attempt) end
  if time >= attempt.finish then return end -- it is killed before
  attempt.leaves, attempt.natural, attempt.finish, attempt.planned = true, "preempted", time, time
  self:warn(attempt)
end

function Sim:move(position, group)
  self.changed = true
  if self.state[position] == "running" then
    if group ~= self.group[position] then self.totals.redirected = self.totals.redirected + 1 end
    self:interrupt(position, "preempted")
  end
  self.moves = self.moves + 1
  self.group[position], self.arrival[position] = group, self.clock
  self.place[position] = #self.jobs + self.moves
  self:enqueue(position)
end

function Sim:hold(position)
  self.changed = true
  assert(self.state[position] == "waiting")
  self.state[position] = "held"
end

function Sim:release(position)
  self.changed = true
  assert(self.state[position] == "held")
  self:enqueue(position)
end

function Sim:wake_at(time)
  assert(time > self.clock)
  self.timers[time] = true
end

-- --- an instant ---------------------------------------------------------------------------------

-- Whether the job waits, and one of its priorities changes at `time`.
function Sim:changes_at(position, time)
  local changes = self.changes
  return self.state[position] == "waiting"
    and (changes.priority[position] == time or changes.backfill[position] == time)
end

function Sim:change_priorities()
  local changed = self.changed
  for position in ipairs(self.jobs) do
    if self:changes_at(position, self.clock) then self:move(position, self.group[position]) end
  end
  self.changed = changed
end

function Sim:call(name, ...)
  if self.spec[name] then self.spec[name](self, ...) end
end

-- A killed job may ask for its walltime anew, from what it saved on, if that gets it any further.
function Sim:ask_for_more(position)
  local estimate = self.saved[position] + self.jobs[position].estimate
  if self.spec.requeue_killed and estimate > self.estimate[position] then
    self.estimate[position] = estimate
    self:enqueue(position)
  else
    self.saved[position] = 0
    self.current[position].saved = 0
  end
end

function Sim:end_attempts()
  local due = {}
  for _, attempt in ipairs(self.attempts) do
    if attempt.finish == self.clock or attempt.warned == self.clock
      or self:is_outlived(attempt) then
      due[#due + 1] = attempt
    end
  end
  for _, attempt in ipairs(due) do -- a hook may have ended it meanwhile, or put its end off
    if not attempt.outcome and attempt.warned == self.clock then self:heed_warning(attempt) end
    if not attempt.outcome and self:is_outlived(attempt) then self:correct(attempt) end
    if not attempt.outcome and attempt.finish == self.clock then
      local position, outcome = attempt.position, attempt.natural
      if outcome == "preempted" then
        self:interrupt(position, outcome)
        self:enqueue(position)
      else
        self:leave(position, outcome)
        if outcome == "failed" then
          self.failures[position] = self.failures[position] - 1
          self:enqueue(position)
        elseif outcome == "killed" then
          self:ask_for_more(position)
        end
        self:call("on_end", position, outcome)
      end
    end
  end
end

function Sim:fail_nodes()
  for p, time in pairs(self.down_until) do
    if time == self.clock then self.down_until[p] = nil end
  end
  self:turn_services()
  self:turn_windows()
  for _, outage in ipairs(self.outages) do
    if outage.time == self.clock and not outage.over then
      local struck = {}
      outage.over = true
      for p = outage.first, outage.first + outage.count - 1 do
        local position = self.holder[p]
        self.seen[p] = self.seen[p] + 1
        if position then
          self:interrupt(position, "node_failure")
          struck[#struck + 1] = position
        end
        if outage.repaired > self.clock then
          self.down_until[p] = math.max(self.down_until[p] or 0, outage.repaired)
        end
      end
      for _, position in ipairs(struck) do self:enqueue(position) end
      for _, position in ipairs(struck) do self:call("on_end", position, "node_failure") end
    end
  end
end

-- Every failure is announced `lead` before it comes, or with the first submission.
function Sim:announce()
  for _, outage in ipairs(self.outages) do
    if outage.announced == self.clock then
      outage.announced = nil -- an instant may be gone through twice, where somebody changed it
      self:call("on_warning", outage.first, outage.count, outage.time)
    end
  end
end

function Sim:submit()
  for position, job in ipairs(self.jobs) do
    if job.submit == self.clock and self.state[position] == "pending" then
      self:enqueue(position)
      self:call("on_submit", position)
    end
  end
end

function Sim:decide()
  self.changed = false
  for group, g in ipairs(self.groups) do
    local queue = self:waiting(group)
    for _, position in ipairs(queue) do self:ask(position, group, "decision") end
    if #queue > 0 then decide[g.discipline or "list"](self, group) end
  end
end

function Sim:tell_starts()
  if not self.spec.on_start then self.untold = {} end
  while #self.untold > 0 do self:call("on_start", table.remove(self.untold, 1)) end
end

function Sim:tell_idle()
  for group in ipairs(self.groups) do
    if not self.told[group] and self:free(group, true) > 0 and #self:waiting(group) == 0 then
      self.told[group] = true
      self:call("on_idle", group)
    end
  end
end

function Sim:goes_on()
  for _, attempt in ipairs(self.attempts) do
    if attempt.finish == self.clock or self:is_outlived(attempt) then return true end
  end
  return self.changed or self.spec.on_start and #self.untold > 0
end

function Sim:is_over()
  for position in ipairs(self.jobs) do
    if self.state[position] ~= "over" then return false end
  end
  return true
end

function Sim:instant()
  self.told = {}
  self:end_attempts()
  self:fail_nodes()
  self:announce()
  self:submit()
  self:change_priorities()
  if self.timers[self.clock] then
    self.timers[self.clock] = nil
    self:call("on_timer")
  end
  repeat
    self:decide()
    self:tell_starts()
    if not self:goes_on() and not self:is_over() then self:tell_idle() end
    local again = self:goes_on()
    if again then self:end_attempts() end
  until not again
end

function Sim:next_instant()
  local next_time = math.huge
  local function candidate(time)
    if time > self.clock and time < next_time then next_time = time end
  end
  for _, attempt in ipairs(self.attempts) do
    candidate(attempt.finish)
    candidate(attempt.planned) -- it may be outlived
    if attempt.warned then candidate(attempt.warned) end
  end
  for position, job in ipairs(self.jobs) do
    if self.state[position] == "pending" then candidate(job.submit) end
    for _, changes in pairs(self.changes) do
      local time = changes[position]
      if time and self:changes_at(position, time) then candidate(time) end
    end
  end
  for time in pairs(self.timers) do candidate(time) end
  for _, outage in ipairs(self.outages) do -- both are instants, whatever comes of them
    candidate(outage.time)
    candidate(outage.announced or -math.huge)
    if outage.time <= self.clock then candidate(outage.repaired) end
  end
  for _, w in ipairs(self.windows) do
    candidate(w.from)
    if w.open then candidate(w.to) end
  end
  for time in pairs(self.returns) do candidate(time) end
  return next_time
end

-- --- the entry ----------------------------------------------------------------------------------

local function prepare(spec)
  local self = setmetatable({
    spec = spec, verification = spec.verification or 0, jobs = {}, groups = {}, holder = {},
    down_until = {}, outages = {}, state = {}, group = {}, arrival = {}, place = {}, count = {},
    current = {}, promised = {}, failures = {}, saved = {}, estimate = {}, believed = {},
    keys = { priority = {}, backfill = {} }, changes = { priority = {}, backfill = {} },
    attempts = {}, history = {}, untold = {}, timers = {}, moves = 0, clock = -math.huge, told = {},
    seen = {}, services = {}, leaving = {}, drained = {}, returns = {},
    totals = { held = 0, preempted = 0, cancelled = 0, node_failure = 0, redirected = 0 },
  }, Sim)
  local first = 0
  for i, g in ipairs(spec.groups) do
    for p = first, first + g.procs - 1 do self.seen[p] = 0 end
    self.groups[i] = setmetatable({ first = first, kept = {}, seen = self.seen }, { __index = g })
    first = first + g.procs
  end
  local origin = math.huge
  for position, given in ipairs(spec) do
    self.jobs[position] = {
      procs = given.procs, time = given.time, submit = given.submit, user = given.user,
      estimate = spec.walltimes and given.walltime or given.time,
    }
    origin = math.min(origin, given.submit)
    self.state[position], self.group[position] = "pending", 1
    self.arrival[position], self.place[position] = given.submit, position
    self.count[position], self.saved[position] = 0, 0
    self.estimate[position] = self.jobs[position].estimate
    self.failures[position] = spec.failures and spec.failures[position] or 0
  end
  for i, outage in ipairs(spec.outages or {}) do -- what is out at the beginning fails then
    self.outages[i] = {
      time = math.max(outage.time, origin), repaired = outage.repaired, first = outage.first,
      count = outage.count, announced = spec.on_warning and spec.lead and outage.time > origin
        and math.max(outage.time - spec.lead, origin) or nil,
    }
  end
  self.windows = naive_windows.list(spec, origin)
  return self
end

-- Reservations are looked at again.
local function look_again(self)
  for _, g in ipairs(self.groups) do g.freed = true end
end

-- At this time, when all of its instant is over, somebody says which windows there are as well.
local function add_windows(self, time, windows)
  self.clock = time
  for _, w in ipairs(naive_windows.list({ windows = windows }, -math.huge)) do
    self.windows[#self.windows + 1] = w
  end
  table.sort(self.windows, naive_windows.is_before)
  look_again(self)
  for _, attempt in ipairs(self.attempts) do
    if not (attempt.warned and attempt.warned <= time) then self:warn(attempt) end
  end
end

-- changes: a list of { at =, windows = } and { at =, group =, procs =, back = }, in order of time,
-- or one of them, or nothing.
function naive_events.run(spec, changes)
  local self, next_change = prepare(spec), 1
  changes = changes and changes.at and { changes } or changes or {}
  while not self:is_over() do
    local time, change = self:next_instant(), changes[next_change]
    if change and time > change.at and self.clock > -math.huge then
      time = math.max(change.at, self.clock)
      if change.windows then
        add_windows(self, time, change.windows)
      else
        self.clock = time
        if self:set_service(change) then look_again(self) end
      end
      next_change = next_change + 1
    end
    self.clock = time
    if self.clock == math.huge then error("nothing can happen any more") end
    self:instant()
  end
  return self
end

return naive_events
