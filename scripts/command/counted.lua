-- counted: the options that say which jobs, of all that are simulated, metrics and tables count.
local command = require "orrery.command.command"
local core = require "orrery.core"
local orrery = require "orrery"

local counted = {}

local KINDS = require("orrery.schema.labels").groups
local FIELDS = { "id", "procs", "submit", "runtime", "time", "area", "walltime", "wait", "status",
  table.unpack(KINDS) }
local IS_FIELD = {}
for _, name in ipairs(FIELDS) do IS_FIELD[name] = true end

counted.OPTIONS = { title = "Which jobs are counted",
  { "--where CONDITION", "Only jobs that meet a condition of Lua over their fields: \"procs > 64 "
    .. "and user ~= 'ann'\". Fields are " .. table.concat(FIELDS, ", ") .. " (s, processors, texts)"
    .. ", and what --machine or --pool has (\"gpu > 0\", \"gpu:a100 > 0\", \"mem > 64G\"); an "
    .. "unknown one (nil) meets no comparison of numbers." } }
for i, kind in ipairs(KINDS) do
  table.insert(counted.OPTIONS, i, { ("--%s NAME"):format(kind), i > 1 and "The same by " .. kind
    .. "." or "Metrics, tables and the fidelity count only the jobs of this partition; all jobs "
    .. "are simulated. May be given several times, as the options below.", several = true })
end

counted.PER = { "--per KEY", "Also a table, for each policy, of how long the jobs of each "
  .. "partition, queue, user, account, QOS or size, and those that ask for GPUs (of --machine or "
  .. "--pool gpu=N) waited in a single scenario. Jobs of --warmup "
  .. "are in it, too.", choices = orrery.tools.per().KEYS }

-- What is unknown, nil, meets no comparison, and arithmetic makes nothing of it.
local UNKNOWN = { __lt = function() return false end, __le = function() return false end }
for name in ("add sub mul div mod pow unm idiv"):gmatch "%l+" do
  UNKNOWN["__" .. name] = function() return nil end
end

-- A condition as Lua: outside of its strings amounts such as 64G are numbers, and names such as
-- gpu:a100, which are none of Lua, are looked up; `needs` has those that jobs have.
local function as_lua(text, needs)
  local parts, at = {}, 1
  local function code(part)
    return part:gsub("%f[%w_.](%d+[KMGT])%f[^%w_]", function(amount)
      return require("orrery.values.pools").amount("--where", amount)
    end):gsub("%f[%w_][%a_][%w_.]*:[%w_.:-]+", function(name)
      return needs[name] and ("_ENV[%q]"):format(name)
    end)
  end
  while at <= #text do
    local first, last = text:find("(['\"]).-%1", at)
    parts[#parts + 1] = code(text:sub(at, (first or 0) - 1))
    parts[#parts + 1] = first and text:sub(first, last)
    at = (last or #text) + 1
  end
  return table.concat(parts)
end

-- A condition as a function of a job. It sees the job's fields and math, and defines no functions.
local function condition(text, needs)
  local job
  local functions = setmetatable({}, { __index = math, __newindex = function() end })
  local env = setmetatable({}, { __index = function(_, name)
    if name == "math" then return functions end
    if IS_FIELD[name] then return job[name] end
    if job.needs and job.needs[name] then return job.needs[name] end
    command.misuse("--where %s: a job has no field '%s'%s (known: %s, and what --machine or "
      .. "--pool has)", text, tostring(name),
      orrery.tools.suggestion(name, FIELDS), table.concat(FIELDS, ", "))
  end })
  local f, problem = load("return " .. as_lua(text, needs), "=--where", "t", env)
  if not f or not text:find "%S" or text:find "%f[%w_]function%f[^%w_]" then
    command.misuse("--where %s: expected a condition, such as \"procs > 64\"%s", text,
      f and "" or ": " .. problem:gsub("^%-%-where:1: ", ""))
  end
  return function(one)
    job = one
    debug.setmetatable(nil, UNKNOWN)
    local ok, value = pcall(f)
    debug.setmetatable(nil, nil)
    if ok then return value end
    if type(value) ~= "string" then error(value, 0) end -- a misuse
    if value:find "index a nil value %(global" or value:find "got nil%)" then return false end
    command.misuse("--where %s: job %s: %s", text, one.id, (value:gsub("^%-%-where:1: ", "")))
  end
end

-- The labels of a kind that are wanted, as a set; each is one of some job.
local function labels_of(jobs, kind, wanted)
  local shares, set = core.shares(jobs)[kind] or {}, {}
  for i, share in ipairs(shares) do shares[i], set[share.name or ""] = share.name or "", false end
  if not shares[1] then command.misuse("--%s: the log tells it of no job", kind) end
  for _, name in ipairs(wanted) do
    if set[name] == nil then
      command.misuse("--%s %s: no job has it%s", kind, name, orrery.tools.suggestion(name, shares))
    end
    set[name] = true
  end
  return set
end

-- Whether a job is counted, as a function, and which are in words; nil: all are.
local function chosen(jobs, given)
  local words, labels = {}, {}
  for _, kind in ipairs(KINDS) do
    if given[kind] and given[kind][1] then
      labels[kind] = labels_of(jobs, kind, given[kind])
      words[#words + 1] = kind .. " " .. table.concat(given[kind], " or ")
    end
  end
  words[#words + 1] = given.where
  local where = given.where and condition(given.where, jobs[1] and jobs[1].needs or {})
  return words[1] and function(job)
    for kind, set in pairs(labels) do
      if not set[job[kind] or ""] then return false end
    end
    return not where or where(job)
  end, table.concat(words, ", ")
end

-- The jobs with what metrics count of them, or (alone) only the jobs that are counted; a sentence
-- on them, nil where all are. A log that tells the key of --per of none of them is refused.
function counted.jobs(jobs, given, alone)
  local f, words = chosen(jobs, given)
  local count, all = #jobs, #jobs
  if f then
    jobs = alone and jobs:filter(f) or jobs:counting(f, words)
    count = alone and #jobs or select(2, core.counted(jobs)) or all
  end
  if f and count == 0 then command.misuse("no job of the %d is counted (%s)", all, words) end
  local told = given.per == "gpu" and core.needs_pool(jobs, "gpu") or given.per == "size"
  if given.per and not told and not core.shares(jobs)[given.per] then
    command.misuse("--per %s: the log tells it of no job", given.per)
  end
  return jobs, f and ("counted: %d of %d jobs (%s)"):format(count, all, words) or nil
end

return counted
