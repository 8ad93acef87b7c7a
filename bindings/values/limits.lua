-- limits: a user's limits of what running jobs may use, checked.
--
--   limits.of(given)             the value for the runs; nil where there are none
--   limits.allow(value, sets)    leaves out of sets of jobs those that exceed a limit alone, and
--                                returns a note, or nil
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local labels = require "orrery.schema.labels"
local names = require "orrery.support.names"

local limits = {}

local AMOUNTS = { "jobs", "procs" }
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
  local left, most = text:match "^(.-)=(%d+)$"
  local of, key = (left or ""):match "^(%a+)(.*)$"
  local per, only = (key or ""):match "^/([^:]+):?(.*)$"
  checks.expect(of and math.tointeger(most) and (per or key == ""), what,
    "AMOUNT/KEY=MOST as procs/user=512, jobs/partition:debug=5 or jobs=100", checks.quoted(text))
  return { most = { [of] = math.tointeger(most) }, per = per, only = only ~= "" and only or nil }
end

local function add(list, what, given)
  if type(given) == "string" then given = read(what, given) end
  checks.fields(what, given, "runs.Limit")
  local per, only = given.per or "all", given.only
  one_of(what .. ".per", per, KEYS)
  checks.refuse(only ~= nil and per == "all", "%s: only wants a key (per)", what)
  checks.expect(type(given.most) == "table" and next(given.most), what .. ".most",
    "a table as { procs = 512 }", checks.quoted(given.most))
  for of in pairs(given.most) do one_of(what .. ".most", of, AMOUNTS) end
  for _, of in ipairs(AMOUNTS) do
    local most = given.most[of]
    if most ~= nil then
      list[#list + 1] = { of = of, per = per, only = only ~= nil and tostring(only) or nil,
        most = checks.count(("%s.most.%s"):format(what, of), most, 1) }
    end
  end
end

-- A limit as it is written on the command line.
local function text_of(one)
  return ("%s%s%s=%d"):format(one.of, one.per == "all" and "" or "/" .. one.per,
    one.only and ":" .. one.only or "", one.most)
end

-- The list of a value, each { of =, per =, only =, most = }.
function limits.list(value) return debug.getuservalue(value, 1) end

function limits.of(given)
  if type(given) == "string" then given = { given } end
  if given == nil or type(given) == "table" and next(given) == nil then return nil end
  checks.expect(type(given) == "table" and checks.is_list(given), "limit", "a list of limits",
    checks.quoted(given))
  local list = {}
  for i, one in ipairs(given) do add(list, ("limit[%d]"):format(i), one) end
  return core.limits(list)
end

function limits.allow(value, sets)
  if not value then return nil end
  local list, under, all = limits.list(value), {}, 0
  local out, first, by = 0, nil, nil
  for _, set in ipairs(sets) do
    local before, jobs, count, id, limit, these = #set.jobs, core.within(set.jobs, value)
    set.jobs = jobs
    for i in ipairs(list) do under[i] = (under[i] or 0) + these[i] end
    if count > 0 and not first then first, by = id, list[limit] end
    out, all = out + count, all + before
    checks.refuse(count == before and count > 0, "limit: no job can ever start under %s",
      by and text_of(by))
  end
  for i, one in ipairs(list) do
    checks.refuse(all > 0 and under[i] == 0, one.only and "limit %s: no job has %s '%s'"
      or "limit %s: the jobs have no %s", text_of(one), one.per, one.only)
  end
  if out == 0 then return nil end
  return ("%d of %d jobs need%s more than a limit and %s refused at submission, the first is %s "
    .. "(%s)"):format(out, all, out == 1 and "s" or "", out == 1 and "is" or "are", first,
    text_of(by))
end

return limits
