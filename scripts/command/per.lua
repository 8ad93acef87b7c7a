-- per: how long the jobs of each partition, queue, user or size waited under each policy, as text.
local command = require "orrery.command.command"
local orrery = require "orrery"

local per = {}

local numbers, span = orrery.tools.numbers, orrery.tools.span_text
local MOST = 20 -- groups that have a row of their own

-- How jobs are told apart: the text of a job's group; nil: it has none. Jobs are alike in size
-- between two powers of two.
local KEYS = {
  partition = function(job) return job.partition end,
  queue = function(job) return job.queue end,
  user = function(job) return job.user end,
  size = function(job)
    local low = 1 << math.floor(math.log(job.procs, 2))
    return low == 1 and "1" or ("%d-%d"):format(low, 2 * low - 1)
  end,
}

per.KEYS = orrery.tools.sorted(KEYS)

-- The groups of a set's jobs, largest area first, sizes in their order: list of { name =, area =,
-- jobs = their numbers }; and the area of all.
local function groups_of(jobs, key)
  local groups, of, all = {}, {}, 0
  for i, job in jobs:each() do
    local name = KEYS[key](job) or "(none)"
    local group = of[name]
    if not group then
      group = { name = name, area = 0, jobs = {}, rank = key == "size" and job.procs or 0 }
      of[name], groups[#groups + 1] = group, group
    end
    group.area, all = group.area + job.area, all + job.area
    table.insert(group.jobs, i)
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
  return groups, all
end

-- Refuses a log that tells the key of no job.
function per.check(jobs, key)
  for _, job in jobs:each() do
    if KEYS[key](job) then return end
  end
  command.misuse("--per %s: the log tells it of no job", key)
end

local function picked(values, jobs)
  local list = {}
  for i, job in ipairs(jobs) do list[i] = values[job] end
  return list
end

local function rows_of(result, policy, groups, all)
  local waits, slowdowns = result:jobs(policy, "wait"), result:jobs(policy, "bsld")
  local rows = {}
  for i, group in ipairs(groups) do
    local mine = picked(waits, group.jobs)
    local wait = orrery.summary(mine)
    local shown = { group.name, tostring(#mine), ("%.1f%%"):format(100 * group.area / all) }
    for _, seconds in ipairs { wait.mean, orrery.quantiles(mine, { 0.95 })[1], wait.max } do
      shown[#shown + 1] = span(math.floor(seconds + 0.5))
    end
    shown[#shown + 1] = numbers.shown(orrery.summary(picked(slowdowns, group.jobs)).mean)
    rows[i] = shown
  end
  return rows
end

-- The tables of a result of one scenario, one for each policy.
function per.text(result, key)
  local groups, all = groups_of(result.sets[1].jobs, key)
  local parts = {}
  for i in ipairs(result.policies) do
    local rows = { { key, "jobs", "of the work", "mean wait", "95%", "longest", "slowdown" } }
    table.move(rows_of(result, i, groups, all), 1, #groups, 2, rows)
    parts[i] = result:label(i) .. "\n" .. table.concat(orrery.tools.columns(rows), "\n")
  end
  return table.concat(parts, "\n\n")
end

return per
