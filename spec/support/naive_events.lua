-- A naive simulator for rigid jobs with groups, events, actions and outages: the reference that the
-- engine is held against. Like spec/support/naive.lua it scans everything at every event.
--
-- naive_events.run(spec) reads the same table as native_events.simulation, and its functions get a
-- simulation with the same methods, as far as they are used here. It returns the simulation: its
-- `history` is the list of attempts, `totals` counts what was interrupted.
local naive = require "spec.support.naive"
local naive_conservative = require "spec.support.naive_conservative"
local naive_placed = require "spec.support.naive_placed"

local naive_events = {}

local Sim = {}
Sim.__index = Sim

-- --- what a policy may ask ----------------------------------------------------------------------

function Sim:now() return self.clock end

function Sim:free(group)
  local free = 0
  local g = self.groups[group]
  for p = g.first, g.first + g.procs - 1 do
    if not self.holder[p] and not self:is_down(p) then free = free + 1 end
  end
  return free
end

function Sim:is_down(p) return self.down_until[p] ~= nil end

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

function Sim:running(group)
  local list = {}
  for _, attempt in ipairs(self.attempts) do
    if self.group[attempt.position] == group then list[#list + 1] = attempt.position end
  end
  table.sort(list, function(a, b)
    local x, y = self.current[a].start, self.current[b].start
    if x ~= y then return x < y end
    return a < b
  end)
  return list
end

-- --- what it may do -----------------------------------------------------------------------------

function Sim:ask(position, group, per)
  local g = self.groups[group]
  for _, name in ipairs { "priority", "backfill" } do
    local own = g[name == "priority" and "per" or "backfill_per"] or "workload"
    local fixed = own == "workload" or own == "scenario"
    if per == own or fixed and per == "attempt" then
      self.keys[name][position] = g[name] and g[name](position, not fixed and self or nil) or 0
    end
  end
end

function Sim:enqueue(position)
  self.state[position] = "waiting"
  self.promised[position] = nil
  local g = self.groups[self.group[position]]
  if g.kept[position] then g.kept[position], g.freed = nil, true end -- it had left meanwhile
  self:ask(position, self.group[position], "attempt")
  for _, name in ipairs { "priority", "backfill" } do
    self.keys[name][position] = self.keys[name][position] or 0
  end
end

-- The processors that a job gets if it starts now, whatever is planned; nil: it cannot.
function Sim:find(position)
  local g, free, procs = self.groups[self.group[position]], {}, self.jobs[position].procs
  for p = g.first, g.first + g.procs - 1 do
    if not self.holder[p] and not self:is_down(p) then free[#free + 1] = p end
  end
  if #free < procs then return nil end
  if g.place then return naive_placed.find(g, free, procs, position) end
  return table.move(free, 1, procs, 1, {})
end

function Sim:start(position, processors)
  local job = self.jobs[position]
  processors = processors or self:find(position)
  assert(self.state[position] == "waiting" and processors)
  self.count[position] = self.count[position] + 1
  local attempt = {
    position = position, attempt = self.count[position], group = self.group[position],
    promised = self.promised[position],
    start = self.clock, planned = (self.clock + job.estimate) + self.verification,
    processors = processors,
  }
  if job.time > job.estimate then
    attempt.natural, attempt.finish = "killed", self.clock + job.estimate
  else
    attempt.natural = self.failures[position] > 0 and "failed" or "completed"
    attempt.finish = (self.clock + job.time) + self.verification
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

-- --- decisions ----------------------------------------------------------------------------------

local decide = {}

-- What is held of a group, as naive.earliest wants it.
function Sim:intervals(group, reserved)
  local g, list = self.groups[group], {}
  for _, attempt in ipairs(self.attempts) do
    if self.group[attempt.position] == group then
      local from = naive.instant(attempt.start)
      local hold = naive_placed.hold(from, naive.over_at(from, attempt.planned),
        attempt.processors)
      hold.procs = #attempt.processors
      list[#list + 1] = hold
    end
  end
  for p = g.first, g.first + g.procs - 1 do
    if self:is_down(p) then
      local hold = naive_placed.hold(naive.instant(-1), naive.instant(self.down_until[p]), { p })
      hold.procs = 1
      list[#list + 1] = hold
    end
  end
  for _, reservation in ipairs(reserved) do list[#list + 1] = reservation end
  return list
end

function Sim:earliest(group, reserved, position)
  local job = self.jobs[position]
  if self.groups[group].place then
    return naive_placed.earliest(self.groups[group], self:intervals(group, reserved),
      naive.instant(self.clock), job.procs, position, function(from)
        return naive.over_at(from, (from.t + job.estimate) + self.verification)
      end, naive.before)
  end
  return naive.earliest(self.groups[group].procs, self:intervals(group, reserved),
    naive.instant(self.clock), job.procs, function(t)
      return (t + job.estimate) + self.verification
    end)
end

-- R-LIST(m): in the order of the queue while reservations are left to give, then in the order of
-- backfilling.
function decide.list(self, group)
  local g, reserved, tried = self.groups[group], {}, {}
  local function try(position, may_reserve)
    tried[position] = true
    if g.reservations == 0 and g.place then -- it does not plan
      local found = self:find(position)
      if found then self:start(position, found) end
      return
    end
    local from, till, processors = self:earliest(group, reserved, position)
    if from and from.t == self.clock and from.k == 0 then
      self:start(position, processors)
    elseif may_reserve then
      local hold = from and naive_placed.hold(from, till, processors or {})
        or naive_placed.hold(naive.instant(math.huge), naive.instant(math.huge), {})
      hold.procs = self.jobs[position].procs
      reserved[#reserved + 1] = hold
    end
  end
  for place, position in ipairs(self:queue(group, "priority")) do
    local used = g.reading == "head" and place - 1 or #reserved
    if used >= g.reservations then break end
    try(position, true)
  end
  for _, position in ipairs(self:queue(group, g.backfill and "backfill" or "priority")) do
    if not tried[position] then try(position, false) end
  end
end

local function is_less(a, b) return a < b end

-- What a group's conservative backfilling sees, where it counts processors or names them.
local function conservative_holds(self, group)
  local g, held = self.groups[group], {}
  local function hold(from, till, processors, procs)
    local counted = naive_conservative.hold(from, till, procs or #processors)
    counted.processors = naive_placed.hold(from, till, processors).processors
    return counted
  end
  local function planned_end(position, time)
    return (time + self.jobs[position].estimate) + self.verification
  end
  for _, attempt in ipairs(self.attempts) do
    if self.group[attempt.position] == group then
      held[#held + 1] = hold(attempt.start, attempt.planned, attempt.processors)
    end
  end
  for p = g.first, g.first + g.procs - 1 do
    if self:is_down(p) then held[#held + 1] = hold(-math.huge, self.down_until[p], { p }) end
  end
  return held, hold, planned_end
end

-- A reservation for every job, which is kept.
function decide.conservative(self, group)
  local g = self.groups[group]
  local held, hold, planned_end = conservative_holds(self, group)
  local here = {
    now = self.clock, procs = g.procs, free = function() return self:free(group) end,
    held = held, queue = self:queue(group, "priority"), kept = g.kept, freed = g.freed,
    is_new = function(position)
      return self.count[position] == 0 and self.jobs[position].submit == self.clock
    end,
    wanted = function(position, time)
      return hold(time, planned_end(position, time), {}, self.jobs[position].procs)
    end,
    start = function(position, own)
      self:start(position, g.place and own.list)
    end,
    promise = function(position, time)
      self.promised[position] = self.promised[position] or time
    end,
  }
  if g.place then
    here.fits = function(others, own) return naive_placed.is_free(g, others, own, is_less) end
    here.earliest = function(position, others)
      local procs = self.jobs[position].procs
      local from, _, list = naive_placed.earliest(g, others, self.clock, procs, position,
        function(time) return hold(time, planned_end(position, time), {}).till end, is_less)
      local own = hold(from, planned_end(position, from), list)
      own.list = list
      return own
    end
  end
  naive_conservative.decide(here)
  g.freed = false
end

function decide.fcfs(self, group)
  for _, position in ipairs(self:queue(group, "priority")) do
    if not self:find(position) then return end
    self:start(position)
  end
end

function decide.shelf(self, group)
  if #self:running(group) > 0 then return end
  for _, position in ipairs(self:queue(group, "priority")) do
    if self:find(position) then
      self:start(position)
    elseif not self.groups[group].fill then
      return
    end
  end
end

function decide.custom(self, group) self.groups[group].dispatch(self, group) end

-- --- an instant ---------------------------------------------------------------------------------

function Sim:call(name, ...)
  if self.spec[name] then self.spec[name](self, ...) end
end

function Sim:end_attempts()
  local due = {}
  for _, attempt in ipairs(self.attempts) do
    if attempt.finish == self.clock then due[#due + 1] = attempt end
  end
  for _, attempt in ipairs(due) do -- a hook may have ended it meanwhile
    if not attempt.outcome then
      local position, outcome = attempt.position, attempt.natural
      self:leave(position, outcome)
      if outcome == "failed" then
        self.failures[position] = self.failures[position] - 1
        self:enqueue(position)
      end
      self:call("on_end", position, outcome)
    end
  end
end

function Sim:fail_nodes()
  for p, time in pairs(self.down_until) do
    if time == self.clock then self.down_until[p] = nil end
  end
  for _, outage in ipairs(self.outages) do
    if outage.time == self.clock then
      local struck = {}
      for p = outage.first, outage.first + outage.count - 1 do
        local position = self.holder[p]
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

function Sim:submit()
  for position, job in ipairs(self.jobs) do
    if job.submit == self.clock then
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
    if not self.told[group] and self:free(group) > 0 and #self:waiting(group) == 0 then
      self.told[group] = true
      self:call("on_idle", group)
    end
  end
end

function Sim:goes_on()
  for _, attempt in ipairs(self.attempts) do
    if attempt.finish == self.clock then return true end
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
  self:submit()
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
  for _, attempt in ipairs(self.attempts) do candidate(attempt.finish) end
  for position, job in ipairs(self.jobs) do
    if self.state[position] == "pending" then candidate(job.submit) end
  end
  for time in pairs(self.timers) do candidate(time) end
  for _, outage in ipairs(self.outages) do -- both are instants, whatever comes of them
    candidate(outage.time)
    if outage.time <= self.clock then candidate(outage.repaired) end
  end
  return next_time
end

-- --- the entry ----------------------------------------------------------------------------------

local function prepare(spec)
  local self = setmetatable({
    spec = spec, verification = spec.verification or 0, jobs = {}, groups = {}, holder = {},
    down_until = {}, outages = {}, state = {}, group = {}, arrival = {}, place = {}, count = {},
    current = {}, promised = {}, failures = {}, keys = { priority = {}, backfill = {} },
    attempts = {}, history = {}, untold = {}, timers = {}, moves = 0, clock = -math.huge, told = {},
    totals = { held = 0, preempted = 0, cancelled = 0, node_failure = 0, redirected = 0 },
  }, Sim)
  local first = 0
  for i, g in ipairs(spec.groups) do
    self.groups[i] = setmetatable({ first = first, kept = {} }, { __index = g })
    first = first + g.procs
  end
  local origin = math.huge
  for position, given in ipairs(spec) do
    self.jobs[position] = {
      procs = given.procs, time = given.time, submit = given.submit,
      estimate = spec.walltimes and given.walltime or given.time,
    }
    origin = math.min(origin, given.submit)
    self.state[position], self.group[position] = "pending", 1
    self.arrival[position], self.place[position] = given.submit, position
    self.count[position] = 0
    self.failures[position] = spec.failures and spec.failures[position] or 0
  end
  for i, outage in ipairs(spec.outages or {}) do -- what is out at the beginning fails then
    self.outages[i] = {
      time = math.max(outage.time, origin), repaired = outage.repaired, first = outage.first,
      count = outage.count,
    }
  end
  return self
end

function naive_events.run(spec)
  local self = prepare(spec)
  while not self:is_over() do
    self.clock = self:next_instant()
    if self.clock == math.huge then error("nothing can happen any more") end
    self:instant()
  end
  return self
end

return naive_events
