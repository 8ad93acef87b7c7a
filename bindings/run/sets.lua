-- sets: the jobs that are simulated together, from `jobs` and `by`, or `sets`, and `load`.
--
--   sets.of(spec) -> list of { name =, jobs = }, a sentence on what is left out or nil

local checks = require "orrery.support.checks"
local core = require "orrery.core"
local logs = require "orrery.values.logs"

local check_fields, kind_of, refuse = checks.fields, checks.kind_of, checks.refuse

local sets = {}

local WEEK = 168 * 3600 -- s

local function by_day(jobs)
  local list = {}
  for i, day in ipairs(jobs:days()) do list[i] = { name = day.day, jobs = day.jobs } end
  refuse(#list == 0, "by: there is no job on any day")
  return list
end

-- Blocks of 168 hours from the first submission on, without the empty ones, and without the last
-- where the log ends before it. A block's name is the day it begins on, or its number where the log
-- has no dates.
local function by_week(jobs)
  refuse(#jobs == 0, "by: there is no job in any week")
  local list, partial, note = {}, require("orrery.values.parts").partial(jobs, WEEK)
  for _, week in ipairs(jobs:weeks { procs = 1 }) do
    if #week.jobs > 0 and week.week ~= partial then
      list[#list + 1] = { name = week.date and jobs:date(week.from):sub(1, 10) or week.week,
        jobs = week.jobs }
    end
  end
  return list, note
end

local BY = { day = by_day, week = by_week }

-- The jobs that are given, also by the path or the name of their log, with dates by a time zone
-- (nil: as they are), needs of pools, and an origin where the log has no dates.
function sets.jobs_of(what, jobs, given)
  local timezone = given and given.timezone
  if type(jobs) == "string" then
    return core.values.read(logs.find(jobs), logs.options { timezone = timezone,
      pools = given and given.pools, machine = given and given.machine,
      origin = given and given.origin })
  end
  checks.expect(kind_of(jobs) == "orrery.jobs", what, "a workload", kind_of(jobs)
    .. "; the path of a log is one, orrery.jobs makes one from a list, orrery.synthetic draws one")
  if timezone == nil then return jobs end
  refuse(jobs.zone == "local time", "timezone: the dates of these jobs are local times of a dump "
    .. "that was read without it; give timezone to orrery.read")
  return core.in_zone(jobs, timezone)
end

local function given_sets(spec)
  refuse(spec.jobs ~= nil or spec.by ~= nil,
    "sets are the jobs: give neither jobs nor by with them")
  refuse(type(spec.sets) ~= "table" or spec.sets[1] == nil,
    "sets: expected a list of { name =, jobs = }")
  local list = {}
  for i, set in ipairs(spec.sets) do
    check_fields(("sets[%d]"):format(i), set, "runs.JobSet")
    local jobs = sets.jobs_of(("sets[%d].jobs"):format(i), set.jobs, spec)
    refuse(#jobs == 0, "sets[%d]: there are no jobs", i)
    list[i] = { name = set.name == nil and i or set.name, jobs = jobs }
  end
  return list
end

local function split(spec)
  if spec.sets ~= nil then return given_sets(spec) end
  local jobs = sets.jobs_of("jobs", spec.jobs, spec)
  if spec.by == nil then return { { name = "all", jobs = jobs } } end
  checks.expect(BY[spec.by], "by", "'day' or 'week'", "'" .. tostring(spec.by) .. "'")
  local list, note = BY[spec.by](jobs)
  local counted = {}
  for _, set in ipairs(list) do -- parts of which no job is counted say nothing
    local _, count, words = core.counted(set.jobs)
    counted.words = words or counted.words
    if count ~= 0 then counted[#counted + 1] = set end
  end
  refuse(#counted == 0, "by: no job is counted")
  counted.left_out = #list - #counted
  return counted, note
end

-- The jobs under the load that is asked for.
function sets.loaded(spec, jobs)
  local load = spec.load
  if load == nil then return jobs end
  checks.expect(type(load) == "number" and load > 0 and load < math.huge, "load",
    "a number above 0", "'" .. tostring(load) .. "'")
  return jobs:load(load)
end

function sets.of(spec)
  local list, note = split(spec)
  for _, set in ipairs(list) do set.jobs = sets.loaded(spec, set.jobs) end
  return list, note
end

-- The processors of the machine according to the logs; nil if the logs do not say, or differ.
function sets.machine(list)
  local procs = list[1].jobs.machine_procs
  for _, set in ipairs(list) do
    if set.jobs.machine_procs ~= procs then return nil end
  end
  return procs
end

return sets
