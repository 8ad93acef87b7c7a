-- limits: a user's limits of what running jobs may use, checked.
--
--   limits.of(given)              the value for the runs, and a list, each with its text as on the
--                                 command line; nil where there are none
--   limits.refuses(given)         whether one is on waiting jobs, so that runs refuse jobs
--   limits.allow(spec, sets[, lenient])
--                                 leaves out of sets of jobs those that alone exceed a limit or a
--                                 pool of the fields `limit` and `pools`, and returns a note, or
--                                 nil; lenient: a limit may be on nobody
--   limits.refused(spec, jobs)    why the only one of these jobs is refused; nil: it is not
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local labels = require "orrery.schema.labels"
local lists = require "orrery.support.lists"
local names = require "orrery.support.names"
local pools = require "orrery.values.pools"

local limits = {}

local MOST = 16 -- limits
local AMOUNTS = { "jobs", "procs", "waiting" } -- others are what the machine has beside these
local KEYS = table.move(labels.names, 1, #labels.names, 2, { "all" })

local function one_of(what, name, known)
  for _, one in ipairs(known) do
    if one == name then return end
  end
  checks.refuse(true, "%s: expected %s, found %s%s", what, table.concat(known, ", "),
    checks.quoted(name), type(name) == "string" and names.suggestion(name, known) or "")
end

-- "procs/partition:debug=64", "jobs=100" -> the table that stands for it.
local function read(what, text)
  local left, most = text:match "^(.-)=(%d+%.?%d*[KMGT]?)$"
  local of, key = (left or ""):match "^([%w_.:-]+)(.*)$"
  local per, only = (key or ""):match "^/([^:]+):(.+)$"
  per = per or (key or ""):match "^/([^:]+)$"
  checks.expect(of and (per or key == ""), what, "AMOUNT/KEY=MOST as procs/user=512, "
    .. "jobs/partition:debug=5, gpu/account=16 or jobs=100", checks.quoted(text))
  return { most = { [of] = math.tointeger(tonumber(most)) or most }, per = per, only = only }
end

local function is_count(of)
  return lists.find(AMOUNTS, function(one) return one == of end) ~= nil
end

local function add(list, what, given)
  if type(given) == "string" then given = read(what, given) end
  checks.fields(what, given, "runs.Limit")
  local per, only = given.per or "all", given.only
  one_of(what .. ".per", per, KEYS)
  checks.refuse(only ~= nil and per == "all", "%s: only wants a key (per)", what)
  checks.expect(only == nil or type(only) == "string" or math.type(only) == "integer",
    what .. ".only", "the text of a label", checks.quoted(only))
  checks.expect(type(given.most) == "table" and next(given.most), what .. ".most",
    "a table as { procs = 512 }", checks.quoted(given.most))
  local amounts = table.move(AMOUNTS, 1, #AMOUNTS, 1, {})
  for _, of in ipairs(names.sorted(given.most)) do
    if not is_count(of) then amounts[#amounts + 1] = of end
  end
  for i, of in ipairs(amounts) do
    local most, named = given.most[of], ("%s.most.%s"):format(what, of)
    if most ~= nil then
      if i > #AMOUNTS then pools.check_name(what .. ".most", of) end
      most = i <= #AMOUNTS and checks.count(named, most, 1) or pools.amount(named, most)
      list[#list + 1] = { of = of, per = per, only = only ~= nil and tostring(only) or nil,
        most = most, text = ("%s%s%s=%s"):format(of, per == "all" and "" or "/" .. per,
          only and ":" .. only or "", i <= #AMOUNTS and most or pools.text(most, of)) }
    end
  end
end

function limits.of(given)
  if type(given) == "string" then given = { given } end
  if given == nil or type(given) == "table" and next(given) == nil then return nil end
  checks.expect(type(given) == "table" and checks.is_list(given), "limit", "a list of limits",
    type(given) == "table" and "a table with names" or checks.quoted(given))
  local list = {}
  for i, one in ipairs(given) do add(list, ("limit[%d]"):format(i), one) end
  checks.refuse(#list > MOST, "limit: expected at most %d limits, found %d", MOST, #list)
  return core.limits(list), list
end

function limits.refuses(given)
  local _, list = limits.of(given)
  return list ~= nil and lists.find(list, function(one) return one.of == "waiting" end) ~= nil
end

-- The limits and pools as options of core functions, and a list of the limits, then of the pools.
local function options_of(spec)
  local value, list = limits.of(spec.limit)
  local of_pools, amounts = pools.list(spec.pools or {})
  list = table.move(list or {}, 1, #(list or {}), 1, { limits = list and #list or 0 })
  for i, name in ipairs(of_pools) do
    list[#list + 1] = { pool = name, most = amounts[i], text = name .. "=" .. amounts[i] }
  end
  return { limit = value, pools = pools.of(spec.pools) }, list
end

function limits.refused(spec, jobs)
  local options, list = options_of(spec)
  local _, at, by = core.within(jobs, options)
  local one, job = list[by], jobs[1]
  if not at then return nil end
  local whose = one.per == "all" and "the machine" or one.per and one.per .. " " .. job[one.per]
  local need = one.pool or one.of
  return (one.pool and ("it asks for %s; the machine has %s"):format(
      pools.said(job.needs[need], need), pools.text(one.most, need))
    or is_count(one.of) and ("it asks for %d processors; the limit of %s is %d"):format(job.procs,
      whose, one.most)
    or ("it asks for %s; the limit of %s is %s"):format(pools.said(job.needs[need], need), whose,
      pools.text(one.most, need)))
    .. " (s:submit takes it after a change that raises this)"
end

function limits.allow(spec, sets, lenient)
  local options, list = options_of(spec)
  local all, left, under, first, by = 0, 0, {}, nil, nil
  for _, set in ipairs(list[1] and sets or {}) do
    local jobs = set.jobs
    local found = table.pack(core.within(jobs, options))
    set.jobs = found[1]
    if found[2] and not first then first, by = jobs[found[2]].id, list[found[3]].text end
    for i = 1, list.limits do under[i] = (under[i] or 0) + found[i + 3] end
    all, left = all + #jobs, left + #set.jobs
  end
  checks.refuse(all > 0 and left == 0, "%s: no job can ever start under %s",
    list.limits > 0 and "limit" or "pools", by)
  for i = #sets, 1, -1 do -- parts of a log
    if #sets[i].jobs == 0 then table.remove(sets, i) end
  end
  for i, one in ipairs(all > 0 and not lenient and list or {}) do
    checks.refuse(i <= list.limits and under[i] == 0, one.only and "limit %s: no job has %s '%s'"
      or "limit %s: the jobs have no %s", one.text, one.per, one.only)
  end
  if left == all then return nil end
  return ("%d of %d jobs %s more than a %s and %s refused at submission, the first is %s (%s)")
    :format(all - left, all, all - left == 1 and "needs" or "need",
      #list == list.limits and "limit" or list.limits > 0 and "limit or a pool has" or "pool has",
      all - left == 1 and "is" or "are", first, by)
end

return limits
