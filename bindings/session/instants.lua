-- instants: the events of an instant as s:step() returns them, and lists of jobs as tables for
-- people. Both read the session only when they are used, so that other sessions pay nothing for
-- them.
local clock = require "orrery.support.clock"
local columns = require "orrery.support.columns"

local instants = {}

local HIDDEN = {}

local function at(core, time) return clock.text(time, core.jobs) end

-- --- an instant ---------------------------------------------------------------------------------

-- The reservations at this time, if the session is still there.
local function reserved_at(core, time)
  local list = {}
  if core.now ~= time then return list end
  for position, start in pairs(core:plans()) do
    if start > time then
      list[#list + 1] = { id = core.jobs[position].id, position = position, start = start }
    end
  end
  table.sort(list, function(a, b)
    if a.start ~= b.start then return a.start < b.start end
    return a.position < b.position
  end)
  return list
end

-- The warnings of nodes that came then.
local function warned_at(core, time)
  local list = {}
  for _, warning in ipairs(core:warned(0)) do
    if warning.time == time then list[#list + 1] = warning end
  end
  return list
end

local MOST = 8 -- jobs in a line

local function line(list, name, f)
  local parts = {}
  for i = 1, math.min(#list, MOST) do parts[i] = f(list[i]) end
  if #list > MOST then parts[#parts + 1] = ("%d more"):format(#list - MOST) end
  return #list > 0 and ("\n  %-9s  %s"):format(name, table.concat(parts, ", ")) or ""
end

local Instant = { __name = "orrery.session.instant" }

local function content(self)
  local hidden = rawget(self, HIDDEN)
  hidden.read = hidden.read or hidden.session.core:happened(hidden.time)
  return hidden
end

function Instant:__index(key)
  local hidden = content(self)
  if key == "time" then return hidden.time end
  if key == "reserved" and not hidden.read.reserved then
    hidden.read.reserved = reserved_at(hidden.session.core, hidden.time)
  end
  if key == "warned" and not hidden.read.warned then
    hidden.read.warned = warned_at(hidden.session.core, hidden.time)
  end
  return key ~= "open" and hidden.read[key] or nil
end

function Instant:__tostring()
  local core = content(self).session.core
  local text = line(self.submitted, "submitted", function(job) return job.id end)
    .. line(self.ended, "ended", function(job)
      return job.outcome == "completed" and job.id or ("%s (%s)"):format(job.id, job.outcome)
    end)
    .. line(self.started, "started", function(job)
      return ("%s on %s"):format(job.id, job.processors)
    end)
    .. line(self.reserved, "reserved", function(job)
      return ("%s for %s"):format(job.id, at(core, job.start))
    end)
    .. line(self.warned, "warned", function(warning)
      return ("processors %d-%d fail %s"):format(warning.first, warning.first + warning.procs - 1,
        at(core, warning.at))
    end)
  text = text ~= "" and text or " no job came, ended or started"
  return ("at %s:%s"):format(at(core, self.time), text)
end

function instants.new(d, time)
  return setmetatable({ [HIDDEN] = { session = d, time = time } }, Instant)
end

-- --- lists of jobs ------------------------------------------------------------------------------

local function time_or(core, time) return time and at(core, time) or "-" end

local function span_or(span) return span and clock.span_text(span) or "-" end

-- The columns of a list of jobs: { head, f(job, core, planned start) }.
local COLUMNS = {
  { "id", function(job) return job.id end },
  { "user", function(job) return job.user end },
  { "group", function(job, core) return #core.groups > 1 and job.group or nil end },
  { "procs", function(job) return tostring(job.procs) end },
  { "walltime", function(job) return span_or(job.walltime or job.time) end },
  { "submitted", function(job, core) return time_or(core, job.submit) end },
  { "waited", function(job) return span_or(job.waited) end },
  { "saved", function(job) return job.saved and clock.span_text(job.saved) end },
}

local OF_KIND = {
  waiting = { "reserved", function(_, core, start) return time_or(core, start) end },
  running = { "ends by", function(job, core) return time_or(core, job.planned_end) end },
}

-- Columns that no job has something for are left out.
local function rows_of(list, d, kind)
  local core, rows = d.core, { {} }
  local planned = kind == "waiting" and core:plans() or {}
  local all = table.move(COLUMNS, 1, #COLUMNS, 1, {})
  all[#all + 1] = OF_KIND[kind]
  for i = 1, #list do rows[i + 1] = {} end
  for _, column in ipairs(all) do
    local cells, some = {}, false
    for i, job in ipairs(list) do
      cells[i] = column[2](job, core, planned[job.position])
      some = some or cells[i] ~= nil
    end
    if some then
      table.insert(rows[1], column[1])
      for i = 1, #list do table.insert(rows[i + 1], cells[i] or "-") end
    end
  end
  return rows
end

local SHOWN = 20

-- A list of s:waiting() or s:running(), which shows itself as a table.
function instants.list(list, d, kind)
  return setmetatable(list, { __name = "orrery.session.jobs", __tostring = function(self)
    if #self == 0 then return "no jobs" end
    local some = #self > SHOWN + 1 and table.move(self, 1, SHOWN, 1, {}) or self
    local lines = columns(rows_of(some, d, kind))
    if #some < #self then lines[#lines + 1] = ("... %d more"):format(#self - #some) end
    return table.concat(lines, "\n")
  end })
end

return instants
