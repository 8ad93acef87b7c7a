-- page: answers the requests of the page. page.c calls the function that this file returns with a
-- request and gives back the answer, both JSON: { what =, ... } and { value = } or { problem = }.
-- Printed text, and post(text), reach the page at once.
local post = ...

local completion = require "orrery.program.completion"
local core = require "orrery.core"
local folders = require "orrery.support.folders"
local gantt = require "orrery.draw.gantt"
local json = require "dkjson"
local log = require "orrery.draw.log"
local orrery = require "orrery"

local page = {}

local OWN = "/home/mine.lua" -- the policy of the editor
local CHARTS = "/home/charts.html"

-- --- the log ------------------------------------------------------------------------------------

local logs = {} -- by path and number of processors

-- The jobs that a request is about: log (a path; default: the bundled month), procs, day.
local function jobs_of(request)
  local path = request.log or core.home .. "/data/mira/sample-2019-06.csv"
  local key = path .. "\0" .. (request.procs or "")
  logs[key] = logs[key] or orrery.read(path, { procs = request.procs })
  local jobs = logs[key]
  return request.day and jobs:day(request.day) or jobs, jobs
end

-- A log in short: its size, its days, whether it has walltimes, and what is odd about it.
function page.log(request)
  local _, jobs = jobs_of { log = request.log, procs = request.procs }
  local days = {}
  if jobs.origin then
    for i, day in ipairs(jobs:days()) do days[i] = { day.day, #day.jobs } end
  end
  return { text = ("%d jobs"):format(#jobs), procs = jobs.machine_procs, days = days,
    walltimes = core.known_walltimes(jobs) > 0, notes = log.oddities(jobs:describe()) }
end

-- --- policies -----------------------------------------------------------------------------------

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

-- The shipped policies that choose among jobs: name, own description, text.
function page.policies()
  local list = {}
  for _, kind in ipairs { "dispatch", "priority" } do
    for _, script in ipairs(folders.scripts("policies/" .. kind, 0)) do
      local text = read(script.path)
      list[#list + 1] = { name = kind .. "/" .. script.name, kind = kind, text = text,
        about = text:match "about%s*=%s*\"(.-)\"" or "" }
    end
  end
  return list
end

-- "mine" is the policy of the editor, which may be a rule of priorities or one of dispatch.
local function row_of(name)
  if name ~= "mine" then
    if name:find "^priority/" then return { policy = "dispatch/greedy", priority = name } end
    return { policy = name }
  end
  local own = dofile(OWN)
  if type(own) == "table" and own.priority and not own.dispatch and not own.groups then
    return { policy = "dispatch/greedy", priority = OWN }
  end
  return { policy = OWN }
end

local function save(request)
  if request.text then core.write_file(OWN, request.text) end
end

-- --- charts -------------------------------------------------------------------------------------

local function chart_of(sessions, titles)
  gantt.write_all(sessions, titles, CHARTS)
  return read(CHARTS)
end

local function spec_of(request)
  local jobs = jobs_of(request)
  local spec = { jobs = jobs, procs = request.procs or jobs.machine_procs, seed = request.seed,
    batch = request.batch or nil, walltimes = request.walltimes }
  if request.q and request.q > 0 then spec.errors = { mean_probability = request.q } end
  return spec
end

local function session_of(request, name)
  local spec = spec_of(request)
  local row = row_of(name)
  spec.policy, spec.priority = row.policy, row.priority
  return orrery.session(spec)
end

-- The schedules of several policies, in one picture.
function page.charts(request)
  save(request)
  local list, titles = {}, {}
  for i, name in ipairs(request.policies) do
    list[i] = session_of(request, name)
    list[i]:finish()
    titles[i] = request.titles and request.titles[i] or name
  end
  return { html = chart_of(list, titles) }
end

-- --- comparisons --------------------------------------------------------------------------------

-- The table of a comparison, as text; it posts { done =, total = }.
function page.compare(request)
  save(request)
  local spec = spec_of(request)
  spec.runs, spec.policies = request.runs, {}
  for i, name in ipairs(request.policies) do
    local row = row_of(name)
    spec.policies[i] = row
  end
  local seen = 0
  spec.progress = function(done, total)
    if done - seen >= total / 50 or done == total then
      seen = done
      post(json.encode { done = done, total = total })
    end
  end
  local result = orrery.compare(spec)
  return { title = result:title(), rows = result:rows(), notes = result.notes,
    fidelity = result:fidelity(), last = tostring(result):match "[^\n]*± is [^\n]*" or "" }
end

-- --- sessions -----------------------------------------------------------------------------------

-- A branch is { policy =, steps = { { at =, change = }, ... } }: it runs to the time of a step, is
-- forked with its change, and continues.
local built = {}   -- sessions, by their branch
local horizons = {} -- the ends of runs, by their branch

local function key_of(request, branch)
  return json.encode({ request.log or "", request.day or "", request.procs or 0, request.q or 0,
    request.batch or false, request.walltimes or "", request.seed or 1, branch.policy,
    branch.steps, branch.policy == "mine" and request.text or "" })
end

local function change_of(given)
  local change = {}
  for name, value in pairs(given) do change[name] = value end
  if type(change.policy) == "string" then
    local row = row_of(change.policy)
    change.policy, change.priority = row.policy, row.priority
  end
  return change
end

local function build(request, branch)
  local s = session_of(request, branch.policy)
  for _, step in ipairs(branch.steps) do
    s:run_until(step.at)
    s = s:fork(change_of(step.change))
  end
  return s
end

local function at_time(request, branch, now)
  local key = key_of(request, branch)
  local s = built[key] or build(request, branch)
  if not horizons[key] then
    local copy = s:fork()
    copy:finish()
    horizons[key] = copy.now
  end
  if now < s.now then
    s = now <= 0 and #branch.steps == 0 and build(request, branch) or s:back_to(now)
  end
  s:run_until(now)
  built[key] = s
  return s, horizons[key]
end

-- Some jobs of a list, as a choice on the page.
local function some(list)
  local out = {}
  for i = 1, math.min(#list, 200) do
    out[i] = { id = tostring(list[i].id), procs = list[i].procs }
  end
  return out
end

local function jobs_at(s, f) return some(s.over and {} or f(s)) end

-- The branches at a time: the state of each, all in one picture, and the differences of the others
-- from the first.
function page.branches(request)
  save(request)
  local list, titles, told, diffs, last = {}, {}, {}, {}, 0
  for i, branch in ipairs(request.branches) do
    local latest = branch.steps[#branch.steps]
    local s, horizon = at_time(request, branch, math.max(request.now, latest and latest.at or 0))
    list[i], titles[i] = s, branch.title
    last = math.max(last, horizon)
    if i > 1 then diffs[i - 1] = tostring(orrery.diff(list[1], s)) end
    told[i] = { text = tostring(s), now = s.now, clock = s:clock(), over = s.over, procs = s.procs,
      running = jobs_at(s, s.running), waiting = jobs_at(s, s.waiting) }
  end
  return { html = chart_of(list, titles), told = told, last = last, diffs = diffs }
end

-- --- the prompt ---------------------------------------------------------------------------------

function page.evaluate(request)
  save(request)
  return { status = require("orrery.program.prompt").evaluate(request.code) }
end

function page.complete(request)
  local found, tail = completion.candidates(request.before)
  return { found = found, tail = tail }
end

-- The fields and functions of policies, for the editor: by the usual name of a value.
function page.reference()
  local index = require "orrery.reference.index"
  local classes = {}
  for _, class in ipairs(index.classes) do
    local members = {}
    for _, entry in ipairs(class.members) do
      members[#members + 1] = { name = entry.name, written = entry.in_tables or entry.written,
        type = entry.type, about = entry.about, unit = entry.unit }
    end
    classes[#classes + 1] = { name = class.name, shown = class.shown, about = class.about,
      names = class.names, file = class.file, members = members }
  end
  return classes
end

-- --- requests -----------------------------------------------------------------------------------

local function text_of(problem)
  if type(problem) == "table" then problem = problem.message or problem.text end
  return (tostring(problem):gsub("^[^\n]-/page%.lua:%d+: ", "")) -- the place is of no use there
end

return function(text)
  local request = json.decode(text)
  local answer = page[request.what]
  if not answer then return json.encode { problem = "no request " .. tostring(request.what) } end
  local ok, value = pcall(answer, request)
  return json.encode(ok and { value = value } or { problem = text_of(value) })
end
