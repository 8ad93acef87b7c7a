-- per: how long the jobs of each partition, queue, user, account, QOS or size waited: as a log
-- records it, and under each policy of a result of one scenario.
local axis = require "orrery.support.clock"
local core = require "orrery.core"
local family = require "orrery.values.family"
local labels = require "orrery.schema.labels"
local metrics = require "orrery.values.metrics"
local names = require "orrery.support.names"
local numbers = require "orrery.support.numbers"

local per = {}

local MOST = 20 -- groups that have a row of their own

-- How jobs are told apart: the text of a job's group; nil: it has none. Jobs are alike in size
-- between two powers of two.
local KEYS = {}
for _, kind in ipairs(labels.groups) do
  KEYS[kind] = function(job) return job[kind] end
end
function KEYS.size(job)
  local low = 1 << math.floor(math.log(job.procs, 2))
  return low == 1 and "1" or ("%d-%d"):format(low, 2 * low - 1)
end

function KEYS.gpu(job)
  return job.needs and (job.needs.gpu or 0) > 0 and "asks for GPUs" or "no GPUs"
end

per.KEYS = names.sorted(KEYS)

-- The groups of the jobs that are counted, largest area first, sizes in their order: list of
-- { name =, area =, jobs = their numbers }, with `area` of all.
local function groups_of(jobs, key)
  local groups, of, counted = { area = 0 }, {}, core.counted(jobs)
  for i, job in jobs:each() do
    if not counted or counted[i] then
      local name = KEYS[key](job) or "(none)"
      local group = of[name]
      if not group then
        group = { name = name, area = 0, jobs = {}, rank = key == "size" and job.procs or 0 }
        of[name], groups[#groups + 1] = group, group
      end
      group.area, groups.area = group.area + job.area, groups.area + job.area
      table.insert(group.jobs, i)
    end
  end
  table.sort(groups, function(a, b)
    if a.rank ~= b.rank then return a.rank < b.rank end
    if a.area ~= b.area then return a.area > b.area end
    return a.name < b.name
  end)
  for i = #groups, MOST + 1, -1 do -- the others become one group
    if i == MOST + 1 then groups[i].name = ("%d others"):format(groups.left + 1) break end
    local last, before = table.remove(groups), groups[i - 1]
    before.area = before.area + last.area
    table.move(last.jobs, 1, #last.jobs, #before.jobs + 1, before.jobs)
    groups.left = (groups.left or 0) + 1
  end
  return groups
end

-- The known ones of the values of some jobs.
local function picked(values, jobs)
  local list = {}
  for _, job in ipairs(jobs) do
    if values[job] == values[job] then list[#list + 1] = values[job] end
  end
  return list
end

-- A row for each group: its jobs, share of the work, waits (s) and mean bounded slowdown; those of
-- which no wait is known have none.
local function rows_of(groups, waits, slowdowns)
  local rows = {}
  for i, group in ipairs(groups) do
    local row = { name = group.name, jobs = #group.jobs,
      share = groups.area > 0 and group.area / groups.area or 0 }
    local mine = picked(waits, group.jobs)
    if #mine > 0 then
      local wait = core.values.summary(mine)
      row.wait_mean, row.wait_max, row.wait_p95 = wait.mean, wait.max,
        core.values.quantiles(mine, { 0.95 })[1]
      row.bsld_mean = core.values.summary(picked(slowdowns, group.jobs)).mean
    end
    rows[i] = row
  end
  return rows
end

-- The rows of a log, by the waits that it records.
function per.of_log(jobs, key)
  return rows_of(groups_of(jobs, key), jobs:values "wait", jobs:values "slowdown")
end

-- The same as texts, with a head.
function per.texts(rows, key)
  local texts = { { key, "jobs", "of the work", "mean wait", "95%", "longest", "slowdown" } }
  for i, row in ipairs(rows) do
    local text = { row.name, tostring(row.jobs), ("%.1f%%"):format(100 * row.share) }
    for _, name in ipairs { "wait_mean", "wait_p95", "wait_max" } do
      text[#text + 1] = row[name] and axis.span_text(math.floor(row[name] + 0.5)) or "-"
    end
    text[#text + 1] = row.bsld_mean and numbers.shown(row.bsld_mean) or "-"
    texts[i + 1] = text
  end
  return texts
end

-- The differences of the groups' mean waits from those under the first policy, where there are
-- enough weeks; a list over the policies of lists over the groups; whether there are any.
local function differences_of(result, groups)
  local of, list, places = {}, { {} }, {}
  local function weekly(i, jobs, level)
    return result:weekly(1, i, "wait_mean", { level = level, jobs = jobs })
  end
  for i in ipairs(result.policies) do
    of[i] = {}
    for g, group in ipairs(i > 1 and result.sets[1].metrics:has_jobs() and groups or {}) do
      local found = weekly(i, group.jobs)
      if found.low then
        of[i][g], list[#list + 1], places[#list + 1] = found, found, { i, group.jobs }
      end
    end
  end
  family.correct(list, function(_, level, at)
    return weekly(places[at][1], places[at][2], level).significant
  end)
  return of, #list > 1
end

-- The tables of a result of one scenario: a list of { policy's label, rows as texts }; and what is
-- to be known of their differences, nil where there are none.
function per.tables(result, key)
  local groups = groups_of(result.sets[1].jobs, key)
  local differences, any = differences_of(result, groups)
  local tables = {}
  for i in ipairs(result.policies) do
    local waits = result:jobs(i, "wait")
    local rows = per.texts(rows_of(groups, waits, result:jobs(i, "bsld")), key)
    if result:summary(i, "refused").mean > 0 then
      table.insert(rows[1], 3, "refused")
      for g, group in ipairs(groups) do
        table.insert(rows[g + 1], 3, tostring(#group.jobs - #picked(waits, group.jobs)))
      end
    end
    if next(differences[i]) then
      table.insert(rows[1], "difference (h)")
      for g in ipairs(groups) do
        local d = differences[i][g]
        table.insert(rows[g + 1], d and metrics.weekly_text("wait_mean", d) or "")
      end
    end
    tables[i] = { result:label(i), rows }
  end
  return tables, any and ("difference: of the mean wait from that under %s, with its 95%% interval "
    .. "over paired weeks; * significant after Holm's correction for all rows"):format(
    result:label(1)) or nil
end

return per
