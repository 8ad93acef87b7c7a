-- trace: the decisions of a session of jobs, as lines of JSON, one for each instant.
local clock = require "orrery.support.clock"
local harmless = require("orrery.core").harmless
local json = require "orrery.support.json"
local names = require "orrery.support.names"

local trace = {}

-- Fields of a line in their order; empty ones are left out.
local ORDER = { "policy", "priority", "jobs", "procs", "time", "date", "submitted", "ended",
  "started", "reserved", "warned", "notes", "notes_dropped", "job", "start", "processors",
  "outcome", "at", "first" }

local function some(list) return #list > 0 and list or nil end

local function each(list, f)
  local all = {}
  for i, item in ipairs(list) do all[i] = f(item) end
  return some(all)
end

-- Reservations that are new or have moved; `before` are the reported ones, by position.
local function reserved(core, before)
  local list, now = {}, core:reserved()
  for position, start in pairs(now) do
    if before[position] ~= start then
      list[#list + 1] = { position = position, start = start, job = core.jobs[position].id }
    end
    before[position] = start
  end
  table.sort(list, function(a, b) return a.position < b.position end)
  return each(list, function(one) return { job = one.job, start = one.start } end)
end

-- A note of a policy may be invalid UTF-8, which JSON does not allow. Two names that become equal
-- by the conversion stay two.
local function readable(note)
  local copy = {}
  for _, name in ipairs(names.sorted(note)) do
    local value, shown = note[name], harmless(name)
    while copy[shown] ~= nil do shown = shown .. "'" end
    copy[shown] = type(value) == "string" and harmless(value) or value
  end
  return copy
end

-- One line: the events of the last simulated instant.
local function line_of(core, at)
  local happened = core:happened(core.now, at.open)
  local notes, warned = core:new_notes(at.notes), core:warned(at.warned)
  at.warned = at.warned + #warned
  at.open, at.notes = happened.open, at.notes + #notes + (notes.dropped or 0)
  return {
    time = core.now, date = clock.date(core.now, core.jobs),
    submitted = each(happened.submitted, function(job) return job.id end),
    ended = each(happened.ended, function(job)
      return { job = job.id, outcome = job.outcome }
    end),
    started = each(happened.started, function(job)
      return { job = job.id, processors = job.processors }
    end),
    reserved = reserved(core, at.reserved), warned = some(warned),
    notes = each(notes, readable), notes_dropped = notes.dropped,
  }
end

-- Goes on to the end, step by step; the lines as one text.
function trace.run(core, setting, step)
  local before = core.notes
  local at = { open = 0, notes = #before + (before.dropped or 0), reserved = {},
    warned = #core:warned(0) }
  local lines = { json.line({ policy = setting.policy, priority = setting.priority,
    jobs = #core.jobs, procs = core.procs, notes = each(before, readable) }, ORDER) }
  core:note_reservations()
  while not core.over do
    step()
    lines[#lines + 1] = json.line(line_of(core, at), ORDER)
  end
  return table.concat(lines)
end

return trace
