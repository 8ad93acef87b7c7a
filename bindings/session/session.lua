-- session: a simulation of jobs or tasks that stops, shows its state, is copied and goes back.
--
-- A session has a session of the C part, its `core`, and replaces it when it goes back. Its log has
-- all actions of the user. To go back it begins again from an earlier snapshot, or from the start,
-- repeats the actions up to the wanted time, and runs until that time: the same events give the
-- same state, bit for bit.
--
-- Snapshots are forks. They are taken where the user stopped and, in long runs, on the way, at
-- least `apart` instants apart. When there are too many, every second one is dropped and the
-- distance doubles: so they cost a small part of the run, and the memory of some simulations.

local breaks = require "orrery.session.breaks"
local caller_error = require "orrery.support.caller_error"
local changes = require "orrery.session.changes"
local checks = require "orrery.support.checks"
local clock = require "orrery.support.clock"
local instants_of_jobs = require "orrery.session.instants"
local names = require "orrery.support.names"

local checked, nearest = caller_error.checked, names.nearest
local expect, refuse = checks.expect, checks.refuse
local kernel = require "orrery.core"
local class_of, hush = kernel.class, kernel.hush

local session = {}

local HIDDEN = kernel.inside -- the key of a session's inner table

-- --- snapshots ----------------------------------------------------------------------------------

local KEPT, KEPT_JOBS = 16, 600000 -- at most so many, and of so many jobs together
local APART = 64                   -- instants, at least
local ON_THE_WAY = 8               -- times as far apart where nobody stops
local SHARE = 16                   -- and at least this part of the way so far: what is recorded is
                                   -- copied, too
local PIECE, PIECES = 32, 16       -- instants in which runs are made, at least; and in how many
                                   -- parts of the way from one snapshot to the next

local function kept(d)
  return math.max(3, math.min(KEPT, KEPT_JOBS // math.max(1, #d.kind.all(d.core))))
end

local function thin(d)
  local fewer = {}
  for i = 2, #d.stops, 2 do fewer[#fewer + 1] = d.stops[i] end
  d.stops, d.apart = fewer, 2 * d.apart
end

-- The number of jobs that can come before the session is copied to get more room: until the next
-- snapshot on the way about as many come as there are.
local function room(d)
  local count = #d.kind.all(d.core)
  return 64 + count + count // 8
end

-- Takes a snapshot. Impossible after an error of the simulation, and where a policy's state cannot
-- be copied. With `grows` the session continues with the copy.
local function remember(d, grows)
  d.since, d.coming = 0, nil
  if d.stopped then return end
  local ok, copy = pcall(d.core.fork, d.core, grows and { room = room(d) } or nil)
  if not ok then return end
  if grows then d.core, copy = copy, d.core end
  d.stops[#d.stops + 1] = { core = copy, time = copy.now, done = #d.log }
  if #d.stops > kept(d) then thin(d) end
end

-- Counts passed instants, also those that the core has passed alone (short_ways.c).
local function note_passed(d, instants)
  instants = instants + d.core:passed(0)
  d.since, d.gone = d.since + instants, d.gone + instants
end

-- After `instants` on the way: takes a snapshot, or allows the core to pass more instants alone.
-- While jobs come one by one the copy has room for more jobs.
local function pass(d, instants)
  note_passed(d, instants)
  local due = ON_THE_WAY * math.max(d.apart, d.gone // SHARE)
  if d.since >= due then remember(d, d.coming ~= nil) end
  d.core:passed(due - d.since)
end

-- Called before going on from a stop. A user who submits jobs one by one stops at each of them.
local function leave(d)
  if d.coming then return pass(d, 0) end
  note_passed(d, 0)
  if d.since >= math.max(d.apart, d.gone // SHARE) then remember(d) end
end

-- --- the inner table of a session ----------------------------------------------------------------

local function of(self)
  local d = type(self) == "table" and rawget(self, HIDDEN)
  if not d then
    caller_error("expected a session; its methods are called with a colon, as in s:step()")
  end
  return d
end

local function new(kind, d) return setmetatable({ [HIDDEN] = d }, kind.metatable) end

-- A session that begins.
--   kind   session.jobs or session.tasks
--   begin  { make = function() -> a new core at the start,
--          size = how many jobs or tasks there are then,
--          setting = what decides: { policy = name, priority = name or nil,
--            given = { policy =, priority =, options = } },
--          prepare = function(given, used, core) -> another prepared policy (changes.prepare),
--          submit = function(d, given) -> the workload that is submitted, and a table of what else
--            the core takes of it,
--          refused = function(id) -> what is known of a job that was refused, or nil; nil,
--          new_windows = function(procs, nodes) -> an empty list of windows, of jobs,
--          fidelity = function(setting) -> that of its policy, of jobs }
function session.new(kind, begin)
  return new(kind, {
    kind = kind, core = begin.make(), make = begin.make,
    circumstances = begin.circumstances or {},
    setting = begin.setting, first = begin.setting, prepare = begin.prepare,
    submit = begin.submit, refused = begin.refused,
    new_windows = begin.new_windows, fidelity = begin.fidelity,
    log = {}, stops = {}, since = 0, gone = 0,
    apart = math.max(APART, begin.size // 2),
  })
end

local function calendar(d) return d.kind.calendar(d.core) end

local function instant(d, what, given)
  return checked(clock.instant, what, given, calendar(d), d.core.now)
end

-- An instant that a simulation can reach.
local function reached(d, what, given)
  local time = instant(d, what, given)
  if time < 0 then
    caller_error(("%s: times begin at 0, %s is before"):format(what, type(given) == "string"
      and "'" .. given .. "'" or clock.span_text(time)))
  end
  return time
end

-- "6.00 h", with the date where the log has a calendar.
local function when(d, time)
  local date = clock.date(time, calendar(d))
  return clock.span_text(time) .. (date and (" (%s)"):format(date) or "")
end

local function position_of(d, what, given)
  local kind, all = d.kind, d.kind.all(d.core)
  if math.type(given) == "integer" then
    if given >= 1 and given <= #all then return given end
    refuse(true, "%s: there is no %s %d among %d; ids are texts", what, kind.one, given, #all)
  end
  expect(type(given) == "string", what, "the id of a " .. kind.one
    .. " (a text) or its position", checks.quoted(given))
  local first, second = kind.find(all, given)
  if first and not second then return first end
  refuse(second, "%s: several %ss have the id '%s', for one those at the positions %d and %d",
    what, kind.one, given, first, second)
  local ids = {}
  for i = 1, math.min(#all, 2000) do ids[i] = all[i].id end
  local near = nearest(given, ids)
  if near and #given < 3 and near:lower() ~= given:lower() then near = nil end
  refuse(true, "%s: there is no %s '%s'%s", what, kind.one, given,
    near and (", did you mean '%s'?"):format(near) or "")
end

-- --- history ------------------------------------------------------------------------------------

local Entry = { __name = "orrery.session.entry" }

function Entry:__tostring()
  return ("at %s: %s"):format(clock.span_text(self.time), self.text)
end

local History = { __name = "orrery.session.history" }

function History:__tostring()
  local lines = {}
  for i, entry in ipairs(self) do lines[i] = tostring(entry) end
  return #lines > 0 and table.concat(lines, "\n") or "nothing was changed"
end

-- The user's view of a log entry. For jobs that came one by one it is made on demand.
local function entry_of(d, one)
  local n = one.coming and #one.coming or 1
  if n == 1 then return one.entry end
  local time, last = one.coming:get(n)
  return setmetatable({ what = "change", time = one.entry.time, changes = one.entry.changes,
    text = ("%d %s submitted, the last at %s"):format(last - one.first + 1, d.kind.many,
      clock.span_text(time)) }, Entry)
end

-- log: entry (the user's view), change (for the core), setting (from then on).
local function note(d, fields, change)
  fields.time, d.coming = d.core.now, nil
  d.log[#d.log + 1] = { entry = setmetatable(fields, Entry), change = change, setting = d.setting }
end

local function history_of(d)
  local list = setmetatable({}, History)
  for i, one in ipairs(d.log) do list[i] = entry_of(d, one) end
  return list
end

-- --- going on -----------------------------------------------------------------------------------

local methods = {}

-- An error may have stopped the simulation: the first one is kept.
local function go(d, method, ...)
  local ok, result = pcall(caller_error.call, method, d.core, ...)
  if not ok then
    local text = tostring(result)
    d.stopped = d.stopped and text:find "cannot go on$" and d.stopped or text
    note_passed(d, 0) -- and no short way until the session goes on
    error(result, 0)
  end
  d.stopped = nil
  return result
end

local function step(d)
  leave(d)
  note_passed(d, 1)
  return go(d, d.core.step)
end

-- The next instant, or the next n; true while something is unfinished, and for jobs the events of
-- the last instant.
function methods:step(n)
  local d = of(self)
  if n ~= nil then
    checked(expect, type(n) == "number" and n >= 1 and n // 1 == n, "step",
      "a whole number of at least 1", tostring(n))
  end
  local more = step(d)
  for _ = 2, n or 1 do
    if not more then break end
    more = step(d)
  end
  if not d.kind.methods.waiting then return more end
  return more, instants_of_jobs.new(d, d.core.now)
end

-- Runs are made in pieces, so that snapshots can be taken between them.
local function piece_of(d) return math.max(PIECE, d.apart // PIECES) end

local function run(d, time)
  leave(d)
  if d.breaks then
    d.broke = breaks.run(d, time, function() step(d) end)
    if d.broke then return end
  end
  local there
  repeat
    local piece = piece_of(d)
    there = go(d, d.core.run_until, time, piece)
    pass(d, there and 1 or piece)
  until there
end

-- All instants up to and with this time.
function methods:run_until(time)
  local d = of(self)
  run(d, reached(d, "run_until", time))
  return self
end

-- Stops runs where a condition holds that did not before.
function methods:break_at(condition)
  local d = of(self)
  local list = condition and breaks.add(d, condition, {
    instant = function(given) return instant(d, "break_at", given) end,
    position = function(given) return checked(position_of, d, "break_at", given) end,
  }, self)
  d.breaks, d.broke = list or nil, nil
  return self
end

-- All instants before this time: events can still be submitted for it.
function methods:run_before(time)
  local d = of(self)
  if math.type(time) ~= "float" or time ~= time or time < 0 then
    time = reached(d, "run_before", time)
  end
  if time < d.core.now then go(d, d.core.run_until, time) end -- back from the first submission
  repeat
    local piece = piece_of(d)
    local n = go(d, d.kind.core.run_before, time, piece)
    pass(d, n)
  until n < piece
  return self
end

-- Instant after instant, while f(session) is true and something is unfinished.
function methods:run_while(f)
  local d = of(self)
  checked(expect, type(f) == "function", "run_while", "a function of the session", type(f))
  while not d.core.over and f(self) do
    step(d)
  end
  return self
end

-- Runs to the end; returns the metrics.
function methods:finish()
  local d = of(self)
  run(d, math.huge)
  return go(d, d.core.finish)
end

-- --- forks, and going back ----------------------------------------------------------------------

local function shallow(list) return table.move(list, 1, #list, 1, {}) end

-- The jobs ended by a fault outside of them: they ran before and do not run now.
local function struck(d, before, core_change)
  if not d.kind.methods.waiting or not core_change.fault then return "" end
  local not_meant, ids = {}, {}
  for _, position in ipairs(core_change.cancel or {}) do not_meant[position] = true end
  for _, fault in ipairs(core_change.fault) do not_meant[fault.job or 0] = true end
  for _, job in ipairs(d.core:running()) do not_meant[job.position] = true end
  for _, job in ipairs(before) do
    if not not_meant[job.position] then ids[#ids + 1] = job.id end
  end
  if #ids == 0 then return "" end
  return (" (%s %s)"):format(#ids == 1 and "job" or "jobs", table.concat(ids, ", "))
end

local function note_change(d, result, struck_text, at_once)
  local text = #result.texts > 0 and table.concat(result.texts, "; ") or "no change"
  text = text .. struck_text
  if result.remarks then text = ("%s (%s)"):format(text, table.concat(result.remarks, "; ")) end
  note(d, { what = "change", text = text, changes = result.given, remarks = result.remarks,
    at_once = at_once or nil }, result.core)
end

-- Jobs that come one by one are one entry of the log, as long as no other action comes between. The
-- entry has the number of jobs at each time, and whether they came at an unfinished instant
-- (submit.c).
local function note_submitted(d, at_once, result, first)
  if not d.coming then
    note(d, { what = "change", text = table.concat(result.texts, "; "), changes = result.given,
      at_once = at_once or nil }, { submit = true })
    local one = d.log[#d.log]
    one.coming, one.first = kernel.coming(d.ids), first
    d.coming = one.coming
  end
  d.coming:add(d.core.now, #d.kind.all(d.core), at_once)
end

-- Submits in place where possible; false: not possible, and nothing has happened.
local function submit_in_place(d, result)
  local jobs, at_once = result.core.submit, d.core.next_event <= d.core.now
  local more = result.core.estimates or result.core.checkpoints
  if more or not d.kind.core.submit or #jobs == 0 then return false end
  local first = #d.kind.all(d.core) + 1
  if not caller_error.call(d.core.submit, d.core, jobs, 1, #jobs) then return false end
  for _, job in ipairs(jobs) do changes.ids(d):add(job.id) end
  note_submitted(d, at_once, result, first)
  return true
end

-- Makes all changes or none, and continues in a changed core, without a second copy. A session that
-- continues itself (`stays`) leaves room for later jobs.
local function change(d, given, stays)
  local result = checked(changes.make, d, given)
  if stays and result.core.submit then
    local others = next(result.core, next(result.core))
    if not others and submit_in_place(d, result) then return end
    result.core.room = room(d)
  end
  local at_once = d.core.next_event <= d.core.now
  local before = result.core.fault and d.core:running()
  local core, remarks = caller_error.call(d.core.fork, d.core, result.core)
  d.core, result.remarks = core, #remarks > 0 and remarks or nil
  d.setting = result.setting
  for _, one in ipairs(d.ids and result.core.submit or {}) do d.ids:add(one.id) end
  note_change(d, result, struck(d, before, result.core), at_once)
end

local function change_here(self, given)
  local d = of(self)
  local before = d.core
  note_passed(d, 0)
  change(d, given, true)
  if not rawequal(d.core, before) then before:close() end
  return self
end

-- Changes it here and now.
function methods:change(given)
  local d = of(self)
  if type(given) == "table" and next(given) == "submit" and next(given, "submit") == nil then
    return d.kind.methods.submit(self, given.submit)
  end
  return change_here(self, given)
end

-- Submits jobs that come now or later; equal to change { submit = given }. One job behind others
-- that came one by one has a shorter way (short_ways.c).
function methods:submit(given)
  return caller_error.call(change_here, self, { submit = given })
end

-- An independent session at the same point, with the same future and the same past.
function methods:fork(given)
  local d = of(self)
  local copy = {}
  d.coming = nil
  leave(d) -- a snapshot that is due here is one of all forks
  for key, value in pairs(d) do copy[key] = value end
  copy.ids, copy.breaks, copy.broke = nil, nil, nil
  copy.log, copy.stops = shallow(d.log), shallow(d.stops)
  if given == nil then copy.core = caller_error.call(d.core.fork, d.core) end
  note(copy, { what = "fork", text = "forked" })
  if given ~= nil then change(copy, given) end
  return new(d.kind, copy)
end

-- The number of log entries not after the time.
local function done_until(d, time)
  local count = 0
  while d.log[count + 1] and d.log[count + 1].entry.time <= time do count = count + 1 end
  return count
end

-- Submits again the jobs that came one by one until the time, from a log; returns the core that
-- continues.
local function come_again(d, core, one, time)
  local jobs, first = d.core.jobs, one.first
  for k = 1, one.coming:up_to(time) do
    local at, last, at_once = one.coming:get(k)
    if not at_once then core:run_until(at) end
    if not core:submit(jobs, first, last) then
      local before = core
      core = core:fork { submit = jobs, first = first, last = last, room = #jobs }
      before:close()
    end
    first = last + 1
  end
  return core
end

-- The entry without the jobs that came later.
local function trimmed(one, time)
  if not one.coming or one.coming:up_to(time) == #one.coming then return one end
  local part = {}
  for key, value in pairs(one) do part[key] = value end
  part.coming = kernel.coming()
  for k = 1, one.coming:up_to(time) do part.coming:add(one.coming:get(k)) end
  return part
end

-- The results of f; a policy does not print again what it has printed before.
local function quietly(f, ...)
  local before = hush(true)
  local results = table.pack(pcall(f, ...))
  hush(before)
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

-- A core at the time, the number of snapshots not after it, and whether one of them is at that
-- time.
local function core_at(d, time, done)
  local stops = #d.stops
  while stops > 0 and d.stops[stops].time > time do stops = stops - 1 end
  local stop = d.stops[stops]
  local core = stop and stop.core:fork() or d.make()
  for i = (stop and stop.done or 0) + 1, done do
    local one = d.log[i]
    if one.coming then
      core = come_again(d, core, one, time)
    elseif one.change then
      if not one.entry.at_once then core:run_until(one.entry.time) end
      local before = core
      core = core:fork(one.change)
      before:close()
    end
  end
  core:run_until(time)
  return core, stops, stop and stop.time == time and stop.done == done
end

local function cut(list, length)
  for i = #list, length + 1, -1 do list[i] = nil end
end

-- The state when the clock was at this time; later actions are undone.
function methods:back_to(time)
  local d = of(self)
  local before = d.core.now
  time = time == "start" and -math.huge or reached(d, "back_to", time)
  if time > before then
    caller_error(("back_to: %s is still to come, the clock stands at %s"):format(when(d, time),
      when(d, before)))
  end
  if time == before then return self end
  local done = done_until(d, time)
  local undone = 0
  for i = done + 1, #d.log do undone = undone + (d.log[i].change and 1 or 0) end
  local again, stops, is_stop = quietly(core_at, d, time, done)
  cut(d.log, done)
  cut(d.stops, stops)
  if done > 0 then d.log[done] = trimmed(d.log[done], time) end
  d.ids = nil
  d.core, d.stopped = again, nil
  d.since = is_stop and 0 or d.apart -- the user stops here again: the next time is a snapshot
  d.setting = done > 0 and d.log[done].setting or d.first
  local text = "back from " .. clock.span_text(before)
  if undone > 0 then
    text = ("%s, %d change%s undone"):format(text, undone, undone == 1 and "" or "s")
  end
  note(d, { what = "back_to", text = text, from = before })
  return self
end

-- --- looking ------------------------------------------------------------------------------------

-- A time as text: the date where the log has a calendar, else the time in a suitable unit.
function methods:clock(time)
  local d = of(self)
  time = time == nil and d.core.now or instant(d, "clock", time)
  return clock.text(time, calendar(d))
end

-- The seconds of the clock that a text means.
function methods:seconds(text) return instant(of(self), "seconds", text) end

local FIELDS = {
  policy = function(d) return d.setting.policy end,
  priority = function(d) return d.setting.priority end,
  history = history_of,
  broke = function(d) return d.broke end,
}

-- Methods of the core, unchanged.
local function passed_on(name)
  return function(self, ...)
    local core = of(self).core
    return caller_error.call(core[name], core, ...)
  end
end

-- A job that the session does not have because it was refused at submission: what is known of it;
-- nil: it was not.
local function refused_of(d, given)
  if not d.refused or type(given) ~= "string" or d.kind.find(d.kind.all(d.core), given) then
    return nil
  end
  return d.refused(given)
end

-- The method that shows a job, or a task.
local function shows_one(name)
  return function(self, given)
    local d = of(self)
    local refused = refused_of(d, given)
    if refused then return refused end
    return d.core[name](d.core, checked(position_of, d, name, given))
  end
end

-- A list of jobs that shows itself as a table.
local function list_of(kind)
  return function(self, ...)
    local d = of(self)
    return instants_of_jobs.list(caller_error.call(d.core[kind], d.core, ...), d, kind)
  end
end

-- Runs to the end, with all decisions as lines of JSON: as a text, or into a file.
local function trace(self, path)
  local d = of(self)
  local text = require("orrery.session.trace").run(d.core, d.setting, function() step(d) end)
  checked(expect, path == nil or type(path) == "string", "trace", "the name of a file",
    tostring(path))
  return require "orrery.support.text_or_file"(text, path)
end

local function why_of(self, given)
  local d = of(self)
  local refused = refused_of(d, given)
  if refused then
    return require("orrery.session.why").of_refused(refused, when(d, refused.submit))
  end
  local position = checked(position_of, d, "why", given)
  local it = caller_error.call(d.core.why, d.core, position)
  local after = d.core.jobs[position].after
  return require("orrery.session.why").with_words(it, #d.core.groups, after,
    function(time) return clock.text(time, d.core.jobs) end, clock.span_text)
end

-- --- as text ------------------------------------------------------------------------------------

local function count_text(counts, order)
  local parts = {}
  for _, state in ipairs(order) do
    if counts[state[1]] > 0 or state[3] then
      parts[#parts + 1] = ("%d %s"):format(counts[state[1]], state[2])
    end
  end
  return table.concat(parts, ", ")
end

local MOST_RANGES = 60 -- bytes of the list of processors that are out

local function processors(kind, core)
  local down = kind.fields.down and core.down or 0
  local text = ("%d of %d busy"):format(core.procs - core.free - down, core.procs)
  if down > 0 then
    local which = core:out()
    if #which > MOST_RANGES then which = which:sub(1, MOST_RANGES):match "^(.*) " .. " ..." end
    text = ("%s, %d out (%s)"):format(text, down, which)
  end
  local leaving = core.draining
  return leaving > 0 and ("%s, %d more until their %s end"):format(text, leaving, kind.many) or text
end

local function next_text(d)
  local core = d.core
  if core.over then return "nothing, all " .. d.kind.many .. " are over" end
  if core.next_event == math.huge then return "nothing, unless something is changed" end
  local text = "at " .. when(d, core.next_event)
  if d.kind.fields.expected then
    text = ("%s; expected to end at %s"):format(text, clock.span_text(core.expected))
  end
  return text
end

-- The error that stopped the simulation; nil where it goes on, as after Ctrl-C.
local function fatal(d)
  local text = d.stopped
  if text and not text:find "interrupted$" and not text:find "interrupted at time %S+$" then
    return (text:match "^[^\n]*")
  end
end

local SHOWN = 3 -- changes

local function label(setting)
  return setting.policy .. (setting.priority and " + " .. setting.priority or "")
end

local function rows_of(d)
  local rows = {
    { "policy", label(d.setting) },
    { d.kind.many, count_text(d.core.counts, d.kind.states) },
    { "processors", processors(d.kind, d.core) },
    fatal(d) and { "error", fatal(d) } or { "next", next_text(d) },
  }
  for i = math.max(1, #d.log - SHOWN + 1), #d.log do
    rows[#rows + 1] = { #rows == 4 and "history" or "", tostring(entry_of(d, d.log[i])) }
  end
  if #d.log > SHOWN then
    rows[5][2] = ("%d entries, the last: %s"):format(#d.log, rows[5][2])
  end
  if d.circumstances.refused then rows[#rows + 1] = { "refused", d.circumstances.refused } end
  if d.circumstances.never then rows[#rows + 1] = { "left out", d.circumstances.never } end
  return rows
end

local function to_text(self)
  local d = of(self)
  local lines = { ("session at %s%s"):format(when(d, d.core.now), fatal(d)
    and ", stopped by an error; back_to(time) goes back before it" or "") }
  for _, row in ipairs(rows_of(d)) do
    lines[#lines + 1] = ("  %-10s  %s"):format(row[1], row[2])
  end
  return table.concat(lines, "\n")
end

-- The kind of a value, session.jobs or session.tasks; nil where it is not a session.
function session.kind_of(value)
  local d = type(value) == "table" and rawget(value, HIDDEN)
  return d and d.kind
end

-- The C part's session that a session stands on now.
function session.core_of(value) return of(value).core end

-- Other values in which sessions may differ: name -> value.
local function circumstances(d)
  local all = { processors = d.core.procs }
  for name, value in pairs(d.circumstances) do
    all[name] = type(value) == "function" and "of a function" or value
  end
  return all
end

-- The session in one line. other: a session of the same kind; differences from it are named.
function session.title(self, other)
  local d, words = of(self), {}
  local own, its = circumstances(d), circumstances(of(other))
  for _, name in ipairs(names.sorted(own)) do
    if own[name] ~= its[name] then
      words[#words + 1] = (", %s %s"):format(name, tostring(own[name]))
    end
  end
  return ("%s%s, at %s"):format(label(d.setting), table.concat(words), when(d, d.core.now))
end

-- --- the two kinds ------------------------------------------------------------------------------

-- The error of an unknown field of a session; `other` is the kind that may have it.
local function unknown(kind, name, other)
  local known = names.sorted(kind.fields, kind.methods)
  name = tostring(name)
  if other.fields[name] or other.methods[name] then
    caller_error(("a session of %s has no '%s', which is for %s (known: %s)"):format(kind.many,
      name, other.many, table.concat(known, ", ")))
  end
  caller_error(names.unknown(("a session of %s has"):format(kind.many), name, known, "field "))
end

-- Internal methods of the core's class.
local INTERNAL = { passed = true, plans = true, happened = true, note_reservations = true,
  reserved = true, node_rows = true, nodes = true, warned = true, new_notes = true,
  hooks_called = true }

-- Fields and methods: those of this file, then those of the core's class, which its metatable
-- lists.
local function define(kind, class)
  local core_class, core_methods = class_of(class)
  kind.core = core_methods
  kind.fields, kind.methods = {}, { [kind.one] = shows_one(kind.one) }
  for name, read in pairs(FIELDS) do kind.fields[name] = read end
  for name in pairs(core_class.fields) do
    kind.fields[name] = function(d) return d.core[name] end
  end
  for name, method in pairs(methods) do kind.methods[name] = method end
  for name, draw in pairs(kernel.drawn["orrery.session"]) do -- of each kind, for help
    kind.methods[name] = function(...) return draw(...) end
  end
  for name in pairs(core_methods) do
    if not INTERNAL[name] then kind.methods[name] = kind.methods[name] or passed_on(name) end
  end
end

local function open(kind, other, name)
  kind.metatable = {
    __name = "orrery.session", __metatable = name, __tostring = to_text,
    __index = kernel.find_method(function(self, key)
      local read = kind.fields[key]
      if read then return read(of(self)) end
      unknown(kind, key, other)
    end, kind.methods),
    __newindex = function(_, key)
      caller_error(("a session's '%s' cannot be set; s:change { } changes what it can"):format(
        tostring(key)))
    end,
  }
end

session.jobs = {
  one = "job", many = "jobs", label = label, position = position_of,
  states = { { "pending", "to come" }, { "waiting", "waiting", true }, { "held", "held" },
    { "running", "running", true }, { "over", "over", true } },
  all = function(core) return core.jobs end,
  calendar = function(core) return core.jobs end,
  find = function(jobs, id) return jobs:position(id) end,
}

session.tasks = {
  one = "task", many = "tasks", label = label, position = position_of,
  states = { { "running", "running", true }, { "over", "over", true } },
  all = function(core) return core.tasks end,
  calendar = function() end,
  find = function(tasks, id)
    local found = {}
    for i, task in ipairs(tasks) do
      if task.id == id then found[#found + 1] = i end
    end
    return found[1], found[2]
  end,
}

define(session.jobs, "orrery.core.session")
define(session.tasks, "orrery.core.tasks_session")
session.jobs.methods.why, session.jobs.methods.trace = why_of, trace
function session.jobs.methods:fidelity()
  local d = of(self)
  return d.fidelity(d.setting)
end
session.jobs.methods.waiting, session.jobs.methods.running = list_of "waiting", list_of "running"
session.jobs.fields.machine = nil -- of the core alone, this and the next two
session.jobs.methods.close, session.tasks.methods.close = nil, nil
session.jobs.methods.share = nil
session.jobs.fields.jobs = function(d) -- a user who holds this list sees no later jobs
  d.core:share()
  return d.core.jobs
end
kernel.short_ways(session.jobs.methods, changes.new_id)
session.tasks.fields.priority = nil
open(session.jobs, session.tasks, "session")
open(session.tasks, session.jobs, "session of tasks")

return session
