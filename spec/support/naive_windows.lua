-- Windows in naive_events (READINGS 48): methods of its simulation. Every question goes through the
-- whole list.
local naive_windows = {}

local function has(w, p) return p >= w.first and p < w.first + w.count end

function naive_windows.is_before(a, b)
  return a.from < b.from or a.from == b.from and a.place < b.place
end

-- The windows of a spec, in order of time; one that is open at the beginning opens then.
function naive_windows.list(spec, origin)
  local list = {}
  for i, w in ipairs(spec.windows or {}) do
    list[i] = { from = math.max(w.from, origin), to = w.to, first = w.first, count = w.count,
      user = w.user, job = w.job, drains = w.drains, place = i }
  end
  table.sort(list, naive_windows.is_before)
  return list
end

-- Whether a window has closed a processor, and it is still to open again.
function naive_windows:is_closed(p)
  for _, w in ipairs(self.windows) do
    if w.open and not (w.user or w.job) and has(w, p) then return true end
  end
  return false
end

-- In a window, also where that opens later at this instant.
function naive_windows:is_covered(p)
  for _, w in ipairs(self.windows) do
    if w.from <= self.clock and self.clock < w.to and has(w, p) then return true end
  end
  return false
end

-- Whether an attempt runs on processors of a window.
function naive_windows.holds(_, attempt, w)
  for _, p in ipairs(attempt.processors) do
    if has(w, p) then return true end
  end
  return false
end

-- Whether a window is for a job.
function naive_windows:admits(w, position)
  return w.user and w.user == self.jobs[position].user or w.job == tostring(position)
end

-- Whether a window that is not for a job has a processor between now and then.
function naive_windows:is_withheld(p, position, till)
  for _, w in ipairs(self.windows) do
    if has(w, p) and not self:admits(w, position) and w.to > self.clock
      and (w.from <= self.clock or w.from < till) then
      return true
    end
  end
  return self:leaves_before(p, till)
end

-- What windows withhold from a job of a group: their processors, from when, until when.
function naive_windows:each_withheld(g, position, add)
  for _, w in ipairs(self.windows) do
    if not self:admits(w, position) and w.to > self.clock then
      local list = {}
      for p = g.first, g.first + g.procs - 1 do
        if has(w, p) then list[#list + 1] = p end
      end
      if #list > 0 then add(w.from, w.to, list) end
    end
  end
  self:each_out(g, add)
end

-- When the next window opens on processors of a group; the clock, or less, where one is open.
function naive_windows:horizon(g)
  local horizon = math.huge
  for _, w in ipairs(self.windows) do
    if w.to > self.clock and w.first < g.first + g.procs and g.first < w.first + w.count then
      horizon = math.min(horizon, w.from)
    end
  end
  return self:next_leaving(g, horizon)
end

-- Windows close; then others open, where whoever still runs and may not is interrupted.
function naive_windows:turn_windows()
  for _, w in ipairs(self.windows) do
    if w.to <= self.clock then w.open = false end
  end
  for _, w in ipairs(self.windows) do
    if w.from <= self.clock and not w.opened then
      local struck = {}
      for p = w.first, w.first + w.count - 1 do
        local position = self.holder[p]
        if position and w.to > self.clock and not self:admits(w, position) then
          self:interrupt(position, "node_failure")
          struck[#struck + 1] = position
        end
      end
      w.opened, w.open = true, w.to > self.clock
      for _, position in ipairs(struck) do self:enqueue(position) end
      for _, position in ipairs(struck) do self:call("on_end", position, "node_failure") end
    end
  end
end

return naive_windows
