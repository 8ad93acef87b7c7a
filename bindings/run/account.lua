-- account: the result of one scenario of jobs, for a person to read: policies side by side, and
-- if there are several their differences, week by week.
local clock = require "orrery.support.clock"
local columns = require "orrery.support.columns"
local family = require "orrery.values.family"
local metrics = require "orrery.values.metrics"
local numbers = require "orrery.support.numbers"

local account = {}

local LONG = 3 -- times the span of the submissions: such a makespan gets a sentence

-- --- one policy beside the other ----------------------------------------------------------------

local function side_by_side(result)
  local scenarios, head = {}, { "" }
  for i in ipairs(result.policies) do
    scenarios[i] = result.sets[1].metrics:scenario(i, 1)
    head[i + 1] = result:label(i)
  end
  local rows = metrics.account(scenarios)
  table.insert(rows, 1, head)
  for i, row in ipairs(result:resource_rows() or {}) do
    if i > 1 then
      row[1] = "utilisation of " .. row[1]
      rows[#rows + 1] = row
    end
  end
  return rows
end

-- --- the log ------------------------------------------------------------------------------------

-- First and last submission; nil if all jobs come at once, or if their times are not known.
local function submissions(result)
  local set = result.sets[1]
  if result.spec.batch or not set.metrics:has_jobs() then return nil end
  local first, last = set.metrics:submitted(1)
  if last > first then return first, last end
end

-- The period of the submissions, and the load of the machine in that period.
local function workload(result)
  local first, last = submissions(result)
  if not first then return nil end
  local set = result.sets[1]
  local area = set.jobs:mean_area() * #set.jobs
  return ("submitted over %s: %.1f%% of the machine's time in that span"):format(
    clock.span_text(last - first), 100 * area / (result.procs * (last - first)))
end

-- --- a long makespan ----------------------------------------------------------------------------

local function last_job(result, policy)
  local ends, last = result:jobs(policy, "end"), 1
  for job, time in ipairs(ends) do
    if time > ends[last] or ends[last] ~= ends[last] then last = job end
  end
  return last
end

-- The cause of a makespan far longer than the period of the submissions; nil: it is not that long.
local function long_makespan(result, policy)
  local first, last = submissions(result)
  local makespan = result:values(policy, "makespan")[1]
  if not first or makespan < LONG * (last - first) or makespan < LONG * 86400 then return nil end
  local set, job = result.sets[1], last_job(result, policy)
  local id, runtime = set.jobs[job].id, result:jobs(policy, "runtime")[job]
  local wait = result:jobs(policy, "wait")[job]
  local span = clock.span_text
  local why = runtime >= makespan / 2 and ("job %s alone runs %s"):format(id, span(runtime))
    or ("the last job, %s, runs %s from %s after its submission on"):format(id, span(runtime),
      span(wait))
  local failed = result:values(policy, "failures")[1]
  return ("%s: the makespan is %s though the last job comes after %s: %s%s"):format(
    result:label(policy), span(makespan), span(last - first), why,
    failed > 0 and ", and " .. numbers.counted(failed, "attempt") .. " failed" or "")
end

-- --- weeks --------------------------------------------------------------------------------------

-- A table of the differences from the first policy, as rows: the first row is the head, and the
-- cells are made by cell(text, difference); and its title. nil if the log has less than two weeks,
-- or if the jobs' times were not kept. Result:weekly computes the intervals.
function account.weekly_rows(result, head, cell)
  if #result.policies < 2 or not result.sets[1].metrics:has_jobs() then return nil end
  local other = 2 -- the first whose differences have intervals
  while result.policies[other].recorded and result.policies[other + 1] do other = other + 1 end
  local weekly = result:weekly(1, other)
  if weekly.count < 2 then return nil end
  local rows = { { head } }
  for i = 2, #result.policies do rows[i] = { result:label(i) } end
  for c, name in ipairs(metrics.jobs.weeks) do
    local differences = result:weekly_differences(name)
    local one = metrics.among_means(name, result)
    rows[1][c + 1] = one.title
    for i = 2, #rows do
      rows[i][c + 1] = cell(metrics.weekly_text(one, differences[i]), differences[i])
    end
  end
  return rows, metrics.weekly_title(result:label(1), weekly, family.correction(result))
end

function account.weeks(result)
  local rows, title = account.weekly_rows(result, "", function(text) return text end)
  if not rows then return nil end
  local lines = columns(rows)
  table.insert(lines, 1, title .. ":")
  return lines
end

-- --- all of it ----------------------------------------------------------------------------------

-- The lines of one scenario of one set of jobs, behind the title; in lines of `width` letters where
-- there is one.
function account.lines(result, width)
  local lines = { workload(result) }
  for _, line in ipairs(columns(side_by_side(result), width)) do lines[#lines + 1] = line end
  for i in ipairs(result.policies) do lines[#lines + 1] = long_makespan(result, i) end
  local weeks = account.weeks(result)
  return weeks and table.move(weeks, 1, #weeks, #lines + 1, lines) or lines
end

return account
