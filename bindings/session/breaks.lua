-- breaks: the conditions at which runs of a session stop (s:break_at).
--
-- A condition is tested after every instant: a run with conditions goes step by step.
local caller_error = require "orrery.support.caller_error"
local clock = require "orrery.support.clock"
local names = require "orrery.support.names"

local breaks = {}

-- The state of a job, as text: it changes when the job comes, starts, ends, is held or released.
local function state_of(d, position)
  local state = d.core[d.kind.one](d.core, position)
  if not state.state then return state.finish and "over" or "running" end -- a task
  return state.state, state.attempts
end

-- The kinds of conditions: function(d, given, read) -> function(d, session) -> reason or nil, which
-- is asked behind every instant.
local KINDS = {}

function KINDS.job(d, given, read)
  local position = read.position(given)
  local state, attempts = state_of(d, position)
  return function()
    local now, count = state_of(d, position)
    if now == state and count == attempts then return nil end
    local text = ("%s %s is %s, it was %s"):format(d.kind.one, given, now, state)
    state, attempts = now, count
    return text
  end
end

function KINDS.hook(d, given)
  local known = names.sorted(d.core:hooks_called())
  if type(given) ~= "string" or d.core:hooks_called()[given] == nil then
    caller_error(("break_at: there is no hook '%s'%s"):format(tostring(given),
      names.suggestion(tostring(given), known, "; known are " .. table.concat(known, ", "))))
  end
  return function(called) return called()[given] and ("hook %s was called"):format(given) or nil end
end

local function at(d, time) return clock.text(time, d.kind.calendar(d.core)) end

-- Only for a time in the future.
function KINDS.time(d, given, read)
  local time = read.instant(given)
  return { time = time > d.core.now and time or math.huge }
end

KINDS["function"] = function(_, f)
  return function(_, session) return f(session) and "the function says so" or nil end
end

-- The conditions with one more.
function breaks.add(d, condition, read, session)
  local list = d.breaks or { session = session }
  if type(condition) == "function" then condition = { ["function"] = condition } end
  if type(condition) ~= "table" or next(condition) == nil then
    caller_error(("break_at: expected { time = }, { job = }, { hook = } or a function, found %s")
      :format(type(condition) == "table" and "an empty table" or tostring(condition)))
  end
  for kind, given in pairs(condition) do
    local make = KINDS[kind]
    if not make then
      caller_error(("break_at: unknown field '%s' (known: hook, job, time)"):format(
        tostring(kind)))
    end
    list[#list + 1] = make(d, given, read)
  end
  return list
end

-- The first time that a run has to stop at, up to `time`.
local function first_time(list, now, time)
  local first, found = time, false
  for _, one in ipairs(list) do
    if type(one) == "table" and one.time > now and one.time <= first then
      first, found = one.time, true
    end
  end
  return first, found
end

local function hit(d, list)
  local seen
  local function called()
    seen = seen or d.core:hooks_called()
    return seen
  end
  local reason
  for _, one in ipairs(list) do
    if type(one) == "function" then reason = one(called, list.session) or reason end
  end
  return reason
end

-- Goes on to a time, step by step; why it stopped before, with the clock, or nil.
function breaks.run(d, time, step)
  local list, core = d.breaks, d.core
  local last, stops = first_time(list, core.now, time)
  core:hooks_called()
  while core.next_event <= last and core.next_event < math.huge do
    step()
    local reason = hit(d, list)
    if d.core ~= core then
      caller_error("break_at: its function has changed the session; change it where a run has "
        .. "stopped")
    end
    if reason then return ("at %s: %s"):format(at(d, core.now), reason) end
  end
  if not stops then return nil end
  core:run_until(last)
  return ("at %s: the time to stop at"):format(at(d, last))
end

return breaks
