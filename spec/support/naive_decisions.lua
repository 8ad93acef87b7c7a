-- How the groups of naive_events decide: a function of the simulation and a group for every
-- discipline. Each scans all that is held, at every time at which something begins or ends.
local naive = require "spec.support.naive"
local naive_conservative = require "spec.support.naive_conservative"
local naive_placed = require "spec.support.naive_placed"

local decide = {}

-- What is held of a group, as naive.earliest wants it, where it names processors or counts them:
-- whoever counts sees no windows.
local function intervals(self, group, reserved, position, names)
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
    if self.down_until[p] then
      local hold = naive_placed.hold(naive.instant(-1), naive.instant(self.down_until[p]), { p })
      hold.procs = 1
      list[#list + 1] = hold
    end
  end
  for _, reservation in ipairs(reserved) do list[#list + 1] = reservation end
  local function add(from, to, processors)
    list[#list + 1] = naive_placed.hold(naive.instant(from), naive.instant(to), processors)
    list[#list].procs = #processors
  end
  if names then self:each_withheld(g, position, add) else self:each_drained(g, add) end
  return list
end

local function earliest(self, group, reserved, position, names)
  local job, length = self.jobs[position], self:planned_length(position)
  local held = intervals(self, group, reserved, position, names)
  if names then
    return naive_placed.earliest(self.groups[group], held, naive.instant(self.clock), job.procs,
      position, function(from)
        return naive.over_at(from, (from.t + length) + self.verification)
      end, naive.before)
  end
  return naive.earliest(self.groups[group].procs, held, naive.instant(self.clock), job.procs,
    function(t) return (t + length) + self.verification end)
end

-- R-LIST(m): in the order of the queue while reservations are left to give, then in the order of
-- backfilling. `start` gets the jobs that start. Where it counts on paper it returns whether a plan
-- by which a job may still start goes beyond the horizon.
local function list(self, group, names, start, horizon)
  local g, reserved, tried, made = self.groups[group], {}, {}, 0
  local free = self:free(group, true)
  local queue = self:queue(group, "priority")
  local function is_narrow_behind(place)
    for i = place, #queue do
      if self.jobs[queue[i]].procs <= free then return true end
    end
  end
  local function try(position, may_reserve)
    local procs = self.jobs[position].procs
    tried[position] = true
    local from, till, processors = earliest(self, group, reserved, position, names)
    local starts = from and from.t == self.clock and from.k == 0
    if horizon and from and (starts or may_reserve) and from.t < math.huge
      and (from.t >= horizon or till.t > horizon) then
      return true
    end
    if starts then
      free = free - procs
      start(position, processors)
    else
      made = made + (may_reserve and 1 or 0)
    end
    if starts and horizon or may_reserve and not starts then
      local hold = from and naive_placed.hold(from, till, processors or {})
        or naive_placed.hold(naive.instant(math.huge), naive.instant(math.huge), {})
      hold.procs = procs
      reserved[#reserved + 1] = hold
    end
  end
  for place, position in ipairs(queue) do
    local used = g.reading == "head" and place - 1 or made
    if used >= g.reservations or horizon and not is_narrow_behind(place) then break end
    if try(position, true) then return true end
  end
  if horizon and made < g.reservations and g.reading ~= "head" and not is_narrow_behind(1) then
    return false
  end
  for _, position in ipairs(self:queue(group, g.backfill and "backfill" or "priority")) do
    if not tried[position] and (not horizon or self.jobs[position].procs <= free)
      and try(position, false) then
      return true
    end
  end
  return false
end

-- A decision counts processors if no plan of it reaches a window.
function decide.list(self, group)
  local g, starts = self.groups[group], {}
  local function start(position, processors) self:start(position, processors) end
  if g.reservations == 0 then -- it does not plan
    for _, position in ipairs(self:queue(group, g.backfill and "backfill" or "priority")) do
      local found = self:find(position)
      if found then self:start(position, found) end
    end
    return
  end
  local horizon = self:horizon(g)
  if g.place or horizon <= self.clock or list(self, group, false, function(position)
    starts[#starts + 1] = position
  end, horizon) then
    return list(self, group, true, start)
  end
  for _, position in ipairs(starts) do self:start(position) end
end

local function is_less(a, b) return a < b end

-- What a group's conservative backfilling sees, where it counts processors or names them.
local function conservative_holds(self, group, names)
  local g, held = self.groups[group], {}
  local function hold(from, till, processors, procs)
    local counted = naive_conservative.hold(from, till, procs or #processors)
    counted.processors = naive_placed.hold(from, till, processors).processors
    return counted
  end
  local function planned_end(position, time)
    return (time + self:planned_length(position)) + self.verification
  end
  if not names then
    self:each_drained(g, function(from, to, processors)
      held[#held + 1] = hold(from, to, processors)
    end)
  end
  for _, attempt in ipairs(self.attempts) do
    if self.group[attempt.position] == group then
      held[#held + 1] = hold(attempt.start, attempt.planned, attempt.processors)
    end
  end
  for p = g.first, g.first + g.procs - 1 do
    if self.down_until[p] then held[#held + 1] = hold(-math.huge, self.down_until[p], { p }) end
  end
  return held, hold, planned_end
end

-- A reservation for every job, which is kept. It counts processors until one reaches a window, and
-- again when none does any more.
function decide.conservative(self, group)
  local g, horizon = self.groups[group], self:horizon(self.groups[group])
  local names = false
  local held, hold, planned_end = conservative_holds(self, group, false)
  local here = {
    now = self.clock, procs = g.procs, free = function() return self:free(group, true) end,
    held = held, queue = self:queue(group, "priority"), kept = g.kept, freed = g.freed,
    is_new = function(position)
      return self.count[position] == 0 and self.jobs[position].submit == self.clock
    end,
    wanted = function(position, time)
      return hold(time, planned_end(position, time), {}, self.jobs[position].procs)
    end,
    start = function(position, own)
      self:start(position, names and own.list or nil)
    end,
    promise = function(position, time)
      self.promised[position] = self.promised[position] or time
    end,
  }
  local function reaches(own)
    return own.from < math.huge and (own.from >= horizon or own.till > horizon)
  end
  local function with_windows(others, position)
    local all = table.move(others, 1, #others, 1, {})
    self:each_withheld(g, position, function(from, to, processors)
      all[#all + 1] = hold(from, to, processors)
    end)
    return all
  end
  local function named(position, from, processors)
    local own = hold(from, planned_end(position, from), processors)
    own.list, own.position = processors, position
    return own
  end
  local function earliest_named(position, others)
    local from, _, found = naive_placed.earliest(g, with_windows(others, position), self.clock,
      self.jobs[position].procs, position,
      function(time) return hold(time, planned_end(position, time), {}).till end, is_less)
    return named(position, from, found)
  end

  -- Reservations bind to processors, in order of their starts. The place of the first that cannot
  -- stay; those from there on are given up, and the others bind again.
  local function bind(to)
    local made, bound, place = {}, {}, to
    for i = 1, to - 1 do
      local own = g.kept[here.queue[i]]
      if own then made[#made + 1] = { from = own.from, i = i, position = here.queue[i] } end
    end
    table.sort(made, function(a, b)
      if a.from ~= b.from then return a.from < b.from end
      return a.i < b.i
    end)
    for _, one in ipairs(made) do
      local others = table.move(here.held, 1, #here.held, 1, {})
      for _, own in pairs(bound) do others[#others + 1] = own end
      local till = hold(one.from, planned_end(one.position, one.from), {}).till
      local found = one.from >= self.clock and naive_placed.at(g,
        with_windows(others, one.position), one.from, till, self.jobs[one.position].procs,
        one.position, is_less)
      if found then
        bound[one.position] = named(one.position, one.from, found)
      else
        place = math.min(place, one.i)
      end
    end
    if place < to then return bind(place) end
    for position in pairs(bound) do g.kept[position] = bound[position] end
    for i = to, #here.queue do g.kept[here.queue[i]] = nil end
  end
  local function name(to)
    names = true
    here.held = conservative_holds(self, group, true)
    if to then bind(to) end
    here.fits = function(others, own)
      return naive_placed.is_free(g, with_windows(others, own.position), own, is_less)
    end
    here.earliest = earliest_named
  end

  local first, must = #here.queue + 1, g.place or horizon <= self.clock
  for i = #here.queue, 1, -1 do
    local own = g.kept[here.queue[i]]
    if not own and not here.is_new(here.queue[i]) then first = i end
    must = must or own and reaches(own)
  end
  if must then
    name(not g.place and not g.bound and first)
    g.bound = true
  else
    g.bound = false
    here.binds = function(found)
      if not reaches(found) then return false end
      name(#here.queue + 1)
      g.bound = true
      return true
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

return decide
