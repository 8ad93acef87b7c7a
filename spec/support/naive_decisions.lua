-- How the groups of naive_events decide: a function of the simulation and a group for every
-- discipline. Each scans all that is held, at every time at which something begins or ends.
local naive = require "spec.support.naive"
local naive_conservative = require "spec.support.naive_conservative"
local naive_placed = require "spec.support.naive_placed"

local decide = {}

-- What is held of a group, as naive.earliest wants it.
local function intervals(self, group, reserved, position)
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
  self:each_withheld(g, position, function(from, to, processors)
    list[#list + 1] = naive_placed.hold(naive.instant(from), naive.instant(to), processors)
    list[#list].procs = #processors
  end)
  return list
end

local function earliest(self, group, reserved, position)
  local job, length = self.jobs[position], self:planned_length(position)
  if self.groups[group].place then
    return naive_placed.earliest(self.groups[group], intervals(self, group, reserved, position),
      naive.instant(self.clock), job.procs, position, function(from)
        return naive.over_at(from, (from.t + length) + self.verification)
      end, naive.before)
  end
  return naive.earliest(self.groups[group].procs, intervals(self, group, reserved, position),
    naive.instant(self.clock), job.procs, function(t)
      return (t + length) + self.verification
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
    local from, till, processors = earliest(self, group, reserved, position)
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
    return (time + self:planned_length(position)) + self.verification
  end
  if not g.place then
    self:each_out(g, function(from, to, processors)
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

-- A reservation for every job, which is kept.
function decide.conservative(self, group)
  local g = self.groups[group]
  local held, hold, planned_end = conservative_holds(self, group)
  local here = {
    now = self.clock, procs = g.procs, free = function() return self:free(group) end,
    held = held, queue = self:queue(group, "priority"), kept = g.kept, freed = g.freed,
    is_new = function(position)
      return self.count[position] == 0 and self.jobs[position].submit == self.clock
        and g.dropped ~= self.clock
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
  local function with_windows(others, position)
    local all = table.move(others, 1, #others, 1, {})
    self:each_withheld(g, position, function(from, to, processors)
      all[#all + 1] = hold(from, to, processors)
    end)
    return all
  end
  if g.place then
    here.fits = function(others, own)
      return naive_placed.is_free(g, with_windows(others, own.position), own, is_less)
    end
    here.earliest = function(position, others)
      local procs = self.jobs[position].procs
      others = with_windows(others, position)
      local from, _, list = naive_placed.earliest(g, others, self.clock, procs, position,
        function(time) return hold(time, planned_end(position, time), {}).till end, is_less)
      local own = hold(from, planned_end(position, from), list)
      own.list, own.position = list, position
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

return decide
