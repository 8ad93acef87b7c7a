-- Checkpoints of rigid jobs, naively (READINGS 36): the reference that the kernel's are held
-- against, written from that reading alone. It goes from checkpoint to checkpoint.
--
-- What a job pays is { cost = C, recovery = R, period = tau or nil (none) }. An attempt is a list
-- of stretches, the last of which is looked at: one begins with the attempt, or when a checkpoint
-- on demand is complete:
--   from       b, the time it begins at             recovery   R', what it recovers for then
--   saved      s, the work saved then               before     what is saved while it has not begun
--   work       w, the job's work                    written    checkpoints complete in earlier ones
--   demanded   whether a checkpoint on demand is complete with its beginning
local naive_checkpoints = {}

local NOTHING = { cost = 0, recovery = 0 }

-- n: the periodic checkpoints on the way through so much work.
local function count(pays, rest)
  if rest <= 0 or not pays.period then return 0 end
  return math.max(0, math.ceil(rest / pays.period) - 1)
end

-- How long the rest of so much work takes, with its checkpoints; detectors are not counted.
local function length(pays, recovery, saved, work)
  if saved >= work then return recovery end
  local rest = work - saved
  return (recovery + rest) + count(pays, rest) * pays.cost
end

function naive_checkpoints.pays(list, position) return list and list[position] or NOTHING end

function naive_checkpoints.recovery(pays, saved) return saved > 0 and pays.recovery or 0 end

-- The length of a next attempt, as planned with an estimate of the work or as it is.
function naive_checkpoints.next_length(pays, saved, work)
  return length(pays, naive_checkpoints.recovery(pays, saved), saved, work)
end

function naive_checkpoints.begin(pays, now, saved, work)
  return {
    pays = pays, from = now, recovery = naive_checkpoints.recovery(pays, saved), saved = saved,
    before = saved, work = work, written = 0, demanded = false,
  }
end

-- When the work of an estimate would be done (READINGS 36: from the last stretch on).
function naive_checkpoints.end_of(stretch, work)
  return stretch.from + length(stretch.pays, stretch.recovery, stretch.saved, work)
end

-- c_k: when the k-th checkpoint is complete; with k = 0 when the work begins.
local function complete(stretch, k)
  local begun = stretch.from + stretch.recovery
  if k == 0 then return begun end
  return begun + k * (stretch.pays.period + stretch.pays.cost)
end

local function total(stretch) return count(stretch.pays, stretch.work - stretch.saved) end

-- The last complete checkpoint at a time: k, or -1 while the work has not begun.
local function last(stretch, now)
  local k = -1
  while k < total(stretch) and complete(stretch, k + 1) <= now do k = k + 1 end
  return k
end

local function after(stretch, k)
  if k == 0 then return stretch.saved end
  return math.min(stretch.saved + k * stretch.pays.period, stretch.work)
end

-- What is saved if the attempt is interrupted at a time.
function naive_checkpoints.saved(stretch, now)
  if stretch.demanded and now < stretch.from then return stretch.before end
  return after(stretch, math.max(last(stretch, now), 0))
end

-- How many checkpoints are complete then, of the whole attempt; all of them where it has come to
-- its end, whatever rounding makes of c_n.
function naive_checkpoints.written(stretch, now, reached_its_end)
  local on_demand = stretch.demanded and now >= stretch.from and 1 or 0
  local k = reached_its_end and total(stretch) or math.max(last(stretch, now), 0)
  return stretch.written + on_demand + k
end

-- What a demand at a time meets: nil (nothing to write), or when the checkpoint is complete, and
-- the stretch that follows if a new one is begun for it.
function naive_checkpoints.demand(stretch, now)
  local k, pays = last(stretch, now), stretch.pays
  if k < 0 then return stretch.demanded and stretch.from or nil end
  local since = now - complete(stretch, k)
  if k < total(stretch) and since >= pays.period then return complete(stretch, k + 1) end
  if since == 0 then return nil end
  local next_one = {
    pays = pays, from = now + pays.cost, recovery = 0, before = after(stretch, k),
    saved = math.min((stretch.saved + k * (pays.period or 0)) + since, stretch.work),
    work = stretch.work, written = naive_checkpoints.written(stretch, now), demanded = true,
  }
  return next_one.from, next_one
end

return naive_checkpoints
