-- How many processors groups have in service, in naive_events (READINGS 48): methods of its
-- simulation. A change says of all processors of a group whether they are in service until a time;
-- whoever asks goes through all changes, and the last one that is about that processor and time
-- holds.
local naive_services = {}

local function is_of(g, p) return p >= g.first and p < g.first + g.procs end

function naive_services:is_out(p, time)
  local out = false
  for _, one in ipairs(self.services) do
    if is_of(one.group, p) and one.at <= time and time < one.back then out = one.out[p] end
  end
  return out
end

-- When a processor begins to be out of service, or ends to be, from now on, by whatever change.
local function bounds(self)
  local times, known = {}, {}
  local function add(time)
    if time > self.clock and not known[time] then
      known[time] = true
      times[#times + 1] = time
    end
  end
  for _, one in ipairs(self.services) do
    add(one.back)
    add(one.at)
  end
  table.sort(times)
  return times
end

-- Whether it is out of service at some time between now and then.
function naive_services:leaves_before(p, till)
  if self:is_out(p, self.clock) then return true end
  for _, time in ipairs(bounds(self)) do
    if time < till and self:is_out(p, time) then return true end
  end
  return false
end

-- When processors of a group are out of service, from now on; from the planned end of the attempt
-- on that holds them, and from the end of their repair.
function naive_services:each_out(g, add)
  local times = bounds(self)
  times[#times + 1] = math.huge
  for p = g.first, g.first + g.procs - 1 do
    local from, holder = self.clock, self.holder[p]
    for _, to in ipairs(times) do
      local free = math.max(from, holder and self.current[holder].planned or from,
        self.down_until[p] or from)
      if free < to and self:is_out(p, from) then add(free, to, { p }) end
      from = to
    end
  end
end

-- When a processor of a group leaves next, or `horizon`.
function naive_services:next_leaving(g, horizon)
  for p = g.first, g.first + g.procs - 1 do
    for _, one in ipairs(self.leaving[p] or {}) do
      if one.to > self.clock then horizon = math.min(horizon, one.from) end
    end
  end
  return horizon
end

-- Which processors of a group are out of service now, and until when; from the planned end of the
-- attempt on that holds them, and from the end of their repair.
function naive_services:each_drained(g, add)
  for p, back in pairs(self.drained) do
    local holder = self.holder[p]
    local from = math.max(self.clock, holder and self.current[holder].planned or self.clock,
      self.down_until[p] or self.clock)
    if is_of(g, p) and from < back then add(from, back, { p }) end
  end
end

-- --- what plans hear of it ----------------------------------------------------------------------

-- What follows is about when reservations are looked at again, and which instants there are: not
-- about who is in service. `drained` has until when processors are out, `leaving` when they leave
-- again.

local function drain(self, p, back)
  self.drained[p] = back
  if back < math.huge then self.returns[back] = true end
end

-- What was to leave before then leaves then. Whether anything was.
local function put_off(self, p, back)
  local list, any = {}, false
  for _, one in ipairs(self.leaving[p] or {}) do
    any = any or one.from < back
    if one.to > back then list[#list + 1] = { from = math.max(one.from, back), to = one.to } end
  end
  self.leaving[p] = list
  return any
end

-- change: { group =, procs =, back = }. Whether plans name processors from now on.
function naive_services:set_service(change)
  local g, out, count = self.groups[change.group], {}, 0
  local low, high, leaves = g.first, g.first + g.procs - 1, false
  for p = low, high do
    out[p] = self:is_out(p, self.clock)
    count = count + (out[p] and 0 or 1)
  end
  for p = low, high do -- back, the lowest-numbered first
    if out[p] and count < change.procs then out[p], count = false, count + 1 end
  end
  for p = high, low, -1 do
    if not out[p] and count > change.procs then out[p], count = true, count - 1 end
  end
  for p = low, high do
    local until_then = self.drained[p]
    leaves = put_off(self, p, change.back) or leaves
    if until_then and not out[p] then
      self.drained[p], g.freed = nil, true
      if until_then > change.back then
        leaves = true
        table.insert(self.leaving[p], { from = change.back, to = until_then })
        self.returns[change.back] = true
      end
    elseif out[p] and not (until_then and until_then >= change.back) then
      g.freed = g.freed or until_then ~= nil
      drain(self, p, change.back)
    end
    for _, one in ipairs(self.leaving[p]) do self.returns[one.from] = true end
  end
  table.insert(self.services, { at = self.clock, back = change.back, group = g, out = out })
  return leaves
end

-- Processors come back, and others leave.
function naive_services:turn_services()
  for p, time in pairs(self.drained) do
    if time == self.clock then self.drained[p] = nil end
  end
  for p, list in pairs(self.leaving) do
    for i = #list, 1, -1 do
      if list[i].from == self.clock then
        drain(self, p, math.max(self.drained[p] or 0, list[i].to))
        table.remove(list, i)
      end
    end
  end
end

return naive_services
