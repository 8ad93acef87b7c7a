-- Conservative backfilling that keeps its promises, naively: the reference that the kernel's is
-- held against, written from reading 34 alone. It keeps a list of reservations, and tests every
-- start at every time at which something begins or ends. The naive simulators decide by it.
local naive_conservative = {}

-- The number behind a time: what takes no time holds its processors until then.
local function just_after(t)
  if t == 0 then return 0x0.0000000000001p-1022 end
  local bits = string.unpack("<i8", string.pack("<d", t))
  return (string.unpack("<d", string.pack("<i8", bits + (t > 0 and 1 or -1))))
end

-- Processors that are held from a start until a planned end.
function naive_conservative.hold(from, till, procs)
  return { from = from, till = till > from and till or just_after(from), procs = procs }
end

local function fits(procs, held, wanted)
  local times = { wanted.from }
  for _, other in ipairs(held) do times[#times + 1] = other.from end
  for _, time in ipairs(times) do
    if time >= wanted.from and time < wanted.till then
      local free = procs
      for _, other in ipairs(held) do
        if other.from <= time and time < other.till then free = free - other.procs end
      end
      if free < wanted.procs then return false end
    end
  end
  return true
end

-- The earliest reservation for a job beside all others.
local earliest
function earliest(here, position)
  local held = table.move(here.held, 1, #here.held, 1, {})
  for _, other in pairs(here.kept) do held[#held + 1] = other end
  if here.earliest then return here.earliest(position, held) end
  local times = { here.now }
  for _, other in ipairs(held) do
    if other.till > here.now then times[#times + 1] = other.till end
  end
  table.sort(times)
  for _, time in ipairs(times) do
    local found = here.wanted(position, time)
    if fits(here.procs, held, found) then
      if not here.binds or not here.binds(found) then return found end
      return earliest(here, position)
    end
  end
  error("a job that fits on the machine fits at the end of everything")
end

-- One decision. `here`:
--   now, procs, free()      the time, and the processors, of which so many are free
--   held                    list of what running jobs and processors out of service hold
--   queue                   positions of the waiting jobs, in order
--   kept                    position -> reservation, changed
--   freed                   an attempt has ended, or a reservation was given up, since the last one
--   is_new(position)        whether a job waits since its submission, which is now
--   wanted(position, time)  what it would hold if it started then
--   start(position, reservation), promise(position, time)
--   fits(held, wanted), earliest(position, held)   where counting processors is not enough
--   stays                   a reservation that finds no earlier start stays what it is
--   binds(reservation)      whether counting is not enough from this one on: then the two are there
function naive_conservative.decide(here)
  local kept, queue, waits, new = here.kept, here.queue, {}, {}
  local function is_free(held, wanted)
    if here.fits then return here.fits(held, wanted) end
    return fits(here.procs, held, wanted)
  end
  local function make(position)
    local before = kept[position]
    kept[position] = nil
    kept[position] = earliest(here, position)
    if here.stays and before and before.from <= kept[position].from then
      kept[position] = before -- it only moves to an earlier start
    end
    here.promise(position, kept[position].from)
  end
  for _, position in ipairs(queue) do
    waits[position] = true
    new[position] = not kept[position] and here.is_new(position)
  end
  local freed = here.freed
  for position in pairs(kept) do
    if not waits[position] then kept[position], freed = nil, true end -- it was given up
  end

  -- the first place that is concerned
  local place, held = #queue + 1, table.move(here.held, 1, #here.held, 1, {})
  for i, position in ipairs(queue) do
    local own = kept[position]
    if own and not is_free(held, own) or not own and not new[position] then
      place = i
      break
    end
    held[#held + 1] = own
  end
  for i = place, #queue do kept[queue[i]] = nil end

  for i = 1, place - 1 do
    if (freed or place <= #queue) and kept[queue[i]] then make(queue[i]) end
  end
  for i = place, #queue do
    if not new[queue[i]] then make(queue[i]) end
  end
  for _, position in ipairs(queue) do
    if not kept[position] then make(position) end
  end
  for _, position in ipairs(queue) do
    local own = kept[position]
    local fits_now = here.fits or here.wanted(position, here.now).procs <= here.free()
    if own.from == here.now and fits_now then -- or as soon as an event makes it so
      kept[position] = nil
      here.start(position, own)
    end
  end
end

return naive_conservative
