-- limits: a user's limits of what running jobs may use, checked.
--
--   limits.of(given)              the value for the runs, and a list, each with its text as on the
--                                 command line; nil where there are none
--   limits.refuses(given)         whether one is on waiting jobs, so that runs refuse jobs
--   limits.allow(given, sets[, lenient])
--                                 leaves out of sets of jobs those that exceed a limit alone, and
--                                 returns a note, or nil; lenient: a limit may be on nobody
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local labels = require "orrery.schema.labels"
local lists = require "orrery.support.lists"
local names = require "orrery.support.names"

local limits = {}

local MOST = 16 -- limits
local AMOUNTS = { "jobs", "procs", "waiting" }
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
  local per, only = (key or ""):match "^/([^:]+):(.+)$"
  per = per or (key or ""):match "^/([^:]+)$"
  checks.expect(of and math.tointeger(most) and (per or key == ""), what,
    "AMOUNT/KEY=MOST as procs/user=512, jobs/partition:debug=5 or jobs=100", checks.quoted(text))
  return { most = { [of] = math.tointeger(most) }, per = per, only = only }
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
  for of in pairs(given.most) do one_of(what .. ".most", of, AMOUNTS) end
  for _, of in ipairs(AMOUNTS) do
    local most = given.most[of]
    if most ~= nil then
      list[#list + 1] = { of = of, per = per, only = only ~= nil and tostring(only) or nil,
        most = checks.count(("%s.most.%s"):format(what, of), most, 1),
        text = ("%s%s%s=%s"):format(of, per == "all" and "" or "/" .. per,
          only and ":" .. only or "", most) }
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

function limits.allow(given, sets, lenient)
  local value, list = limits.of(given)
  local all, left, under, first, by = 0, 0, {}, nil, nil
  for _, set in ipairs(value and sets or {}) do
    local jobs = set.jobs
    local found = table.pack(core.within(jobs, value))
    set.jobs = found[1]
    if found[2] and not first then first, by = jobs[found[2]].id, list[found[3]].text end
    for i in ipairs(list) do under[i] = (under[i] or 0) + found[i + 3] end
    all, left = all + #jobs, left + #set.jobs
  end
  checks.refuse(all > 0 and left == 0, "limit: no job can ever start under %s", by)
  for i = #sets, 1, -1 do -- parts of a log
    if #sets[i].jobs == 0 then table.remove(sets, i) end
  end
  for i, one in ipairs(all > 0 and not lenient and list or {}) do
    checks.refuse(under[i] == 0, one.only and "limit %s: no job has %s '%s'"
      or "limit %s: the jobs have no %s", one.text, one.per, one.only)
  end
  if left == all then return nil end
  return ("%d of %d jobs %s more than a limit and %s refused at submission, the first is %s (%s)")
    :format(all - left, all, all - left == 1 and "needs" or "need",
      all - left == 1 and "is" or "are", first, by)
end

return limits
