-- workloads: the samples for simulating candidates, in three parts that are kept apart: `training`
-- for the search, `validation` for the choice of one of the best candidates, and `testing` for the
-- judgement of the chosen candidate.
--
-- Means are taken over samples. A sample is one set of jobs with its failures; sets are made as by
-- orrery.compare. If there is only one set, its scenarios are the samples. For tasks the samples
-- are runs.
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local family = require "orrery.values.family"
local jobs_options = require "orrery.run.jobs_options"
local parts = require "orrery.values.parts"
local sets_of = require "orrery.run.sets"

local refuse = checks.refuse

local workloads = { NAMES = { "training", "validation", "testing" } }

local FEWEST = { training = 2, validation = 2, testing = 5 } -- samples
local SEEDS = { training = 1, validation = 2, testing = 3 }
local SHARED = 0.1 -- of its jobs: a sample that has so many with another one is of the same jobs
local LENGTH = 5 -- jobs in a row that are compared

-- Fields of a comparison that a search says itself.
local function check_ours(what, fields, ours)
  for _, name in ipairs(ours) do
    refuse(fields[name] ~= nil, "%s: '%s' is no field of what a search is simulated on", what, name)
  end
end

local function fields_of(spec, name, kind)
  local own = spec[name]
  checks.expect(type(own) == "table", name, "a table with fields of orrery.compare", type(own))
  local fields = {}
  for _, from in ipairs { spec.fixed or {}, own } do
    for key, value in pairs(from) do fields[key] = value end
  end
  checks.fields(name, fields, kind.class)
  check_ours(name, fields, kind.ours)
  if fields.seed == nil then fields.seed = SEEDS[name] end
  return fields
end

-- Whether failures are drawn at random, so that the same jobs make another sample.
local function is_drawn(fields)
  local nodes = fields.node_failures
  return fields.errors ~= nil or type(nodes) == "table" and nodes.log == nil
end

-- The samples of a part, as sets of jobs; how many scenarios each is a mean of; and whether they
-- are the scenarios of one set.
local function samples_of(name, fields)
  local done, list = pcall(sets_of.of, fields)
  refuse(not done, "%s: %s", name, list)
  local runs = checks.count(name .. ".runs", fields.runs, 1, 1)
  if #list > 1 then return list, runs end
  for i = 2, is_drawn(fields) and runs or 1 do list[i] = list[1] end
  return list, 1, #list > 1
end

-- Checks the number of samples: their mean needs an interval, also over a log's days or weeks.
local function check_count(name, self)
  local count, fewest = #self.sets, FEWEST[name]
  refuse(count < fewest, "%s: expected at least %d samples (%s), found %d", name, fewest,
    self.samples or "sets of jobs; or scenarios with failures that are drawn", count)
  refuse(name == "testing" and self.by and parts.are_few(self.by, count),
    "testing: %d %ss of a log are too few for an interval", count, self.by)
end

-- A part of tasks: its samples are runs. `given`: the same tasks in all of them.
local function part_of_tasks(name, fields, kind)
  refuse(fields.tasks == nil, "%s: it has no tasks, and another part has some", name)
  local from = kind.runs(fields)
  local self = { name = name, of_tasks = true, is_one_set = true, runs = 1, sets = {},
    given = from.given, samples = from.samples, is_drawn = from.is_drawn,
    has_stream = from.has_stream, seed = checks.whole(name .. ".seed", fields.seed) }
  local runs = checks.count(name .. ".runs", fields.runs, 1, 1)
  for run = 1, self.is_drawn and runs or 1 do
    self.sets[run] = { name = run, tasks = from.make(run) }
  end
  self.base, fields.set = checks.whole(name .. ".set", fields.set) or 0, nil
  if from.given then fields.tasks = nil end
  fields.procs, fields.runs = from.procs, nil
  self.fields = fields
  check_count(name, self)
  return self
end

-- Reads a part.
local function part_of(spec, name, kind)
  local fields = require("orrery.values.machine").applied(fields_of(spec, name, kind))
  if kind.runs then return part_of_tasks(name, fields, kind) end
  local self = { name = name, by = fields.by, is_drawn = is_drawn(fields),
    errors = fields.errors }
  self.sets, self.runs, self.is_one_set = samples_of(name, fields)
  for _, field in ipairs { "jobs", "by", "load", "sets" } do fields[field] = nil end
  self.base, fields.set = checks.whole(name .. ".set", fields.set) or 0, nil
  fields.runs, fields.keep = self.runs, false
  local options = jobs_options.of(fields, sets_of.machine(self.sets))
  fields.procs, self.seed = options.procs, options.seed or 1
  self.fields = fields
  check_count(name, self)
  return self
end

-- --- kept apart ---------------------------------------------------------------------------------

local BLOCK = 128 -- numbers that are packed at once

-- The bits of numbers, as integers.
local function bits_of(values)
  local list = {}
  for first = 1, #values, BLOCK do
    local count = math.min(BLOCK, #values - first + 1)
    local packed = string.pack("<" .. ("d"):rep(count),
      table.unpack(values, first, first + count - 1))
    local bits = table.pack(string.unpack("<" .. ("i8"):rep(count), packed))
    table.move(bits, 1, count, first, list)
  end
  return list
end

local START, FACTOR = 0xcbf29ce484222325, 0x100000001b3

local function mixed(hash, bits) return ((hash ~ bits) * FACTOR) ~ (hash >> 29) end

-- Hashes of consecutive jobs, by widths and runtimes only: other ids, another load or later
-- submissions do not change them. A list of numbers.
local function rows_of(jobs)
  local procs, runtime = bits_of(jobs:values "procs"), bits_of(jobs:values "runtime")
  local one, list = {}, {}
  for j, width in ipairs(procs) do one[j] = mixed(mixed(START, width), runtime[j]) end
  local length = math.min(LENGTH, #one)
  for i = 1, #one - length + 1 do
    local hash = START
    for j = i, i + length - 1 do hash = mixed(hash, one[j]) end
    list[i] = hash
  end
  return list
end

local ON = { 1, 2, 5, 16, 64 } -- processors: with these times two tasks are the same

-- Hashes of tasks, one per task. A list of numbers.
local function rows_of_tasks(tasks)
  local list = {}
  for i, task in ipairs(tasks) do
    local values = { task.m }
    for n, procs in ipairs(ON) do values[n + 1] = tasks:time(i, procs) end
    local hash = START
    for _, bits in ipairs(bits_of(values)) do hash = mixed(hash, bits) end
    list[i] = hash
  end
  return list
end

local function is_of_tasks(given) return checks.kind_of(given) == "orrery.tasks" end

-- A hash of all fields of a set of jobs or tasks that a simulation reads, as one number.
local function print_of(jobs)
  local hash = START
  if is_of_tasks(jobs) then
    for _, row in ipairs(rows_of_tasks(jobs)) do hash = mixed(hash, row) end
    return hash
  end
  for _, of in ipairs { "submit", "procs", "runtime", "walltime" } do
    local values = jobs:values(of)
    for i, value in ipairs(values) do values[i] = value == value and value or -1 end
    for _, bits in ipairs(bits_of(values)) do hash = mixed(hash, bits) end
  end
  return hash
end

-- Calls f with every set of jobs or tasks of a part and its number, each of these once.
local function each_jobs(part, f)
  local seen = {}
  for i, set in ipairs(part.sets) do
    local jobs = set.jobs or set.tasks
    if not seen[jobs] then
      seen[jobs] = true
      f(jobs, i)
    end
  end
end

-- The first set of `part` that has jobs of which `rows` are known.
local function shared_set(part, rows, cache)
  local found
  each_jobs(part, function(jobs, i)
    local known, all = 0, cache[jobs]
    for _, row in ipairs(all) do known = known + (rows[row] and 1 or 0) end
    if known > SHARED * #all and not found then found = i end
  end)
  return found
end

-- Whether two parts draw failures from a stream that both have.
local function shares_streams(a, b)
  local of_a, of_b = a.is_one_set and 1 or #a.sets, b.is_one_set and 1 or #b.sets
  return a.seed == b.seed and a.base < b.base + of_b and b.base < a.base + of_a
end

-- Parts of tasks draw sizes and faults from one stream.
local function check_streams(a, b)
  refuse(a.has_stream and b.has_stream and shares_streams(a, b),
    "%s: tasks or faults are drawn from the stream of %s (seed %d, set %d); the three parts are "
    .. "kept apart: give another seed", b.name, a.name, b.seed, b.base)
end

-- Refuses parts that share samples; a note where they share jobs and differ in their failures.
--   cache  jobs -> rows_of(jobs)
local function check_pair(a, b, notes, cache)
  check_streams(a, b)
  local rows = {}
  each_jobs(a, function(jobs)
    for _, row in ipairs(cache[jobs]) do rows[row] = true end
  end)
  local at = shared_set(b, rows, cache)
  if not at then return end
  local fresh = a.is_drawn and b.is_drawn and not shares_streams(a, b)
  if a.of_tasks then
    refuse(not (a.given and b.given), "%s: run %d has tasks of %s; the three parts are kept apart: "
      .. "give other tasks or another seed", b.name, at, a.name)
    notes[#notes + 1] = ("%s and %s are of the same tasks and differ in their faults: what is said "
      .. "holds for these tasks"):format(a.name, b.name)
    return
  end
  refuse(not fresh, "%s: set %s has jobs of %s; the three parts are kept apart: give other weeks, "
    .. "other logs or other seeds%s", b.name, tostring(b.sets[at].name), a.name,
    a.is_drawn and b.is_drawn and " of the failures" or "")
  notes[#notes + 1] = ("%s and %s are of the same jobs and differ in their failures: what is said "
    .. "holds for these jobs"):format(a.name, b.name)
end

-- The three parts of a search: { training =, validation =, testing = }. kind: of kinds.lua
function workloads.of(spec, notes, kind)
  checks.expect(spec.fixed == nil or type(spec.fixed) == "table", "fixed",
    "a table with fields of orrery.compare", type(spec.fixed))
  local all = {}
  for _, name in ipairs(workloads.NAMES) do all[name] = part_of(spec, name, kind) end
  local cache = setmetatable({}, { __index = function(known, jobs)
    local rows = is_of_tasks(jobs) and rows_of_tasks(jobs) or rows_of(jobs)
    known[jobs] = rows
    return rows
  end })
  check_pair(all.training, all.validation, notes, cache)
  check_pair(all.training, all.testing, notes, cache)
  check_pair(all.validation, all.testing, notes, cache)
  return all
end

-- Sets the fields of a comparison that select the samples `from` to `to` of a part; returns the
-- number of scenarios or runs before these, or nil: none.
function workloads.choose(part, fields, from, to)
  if not part.is_one_set then
    fields.sets = table.move(part.sets, from, to, 1, {})
    fields.set = part.base + from - 1
    return nil
  end
  if not part.of_tasks then fields.sets = { part.sets[1] } end
  fields.tasks = fields.tasks or part.given
  fields.set, fields.runs = part.base, to - from + 1
  return from - 1
end

-- The identity of a part, as text: two parts with equal texts have equal samples.
function workloads.identity(part)
  local list = { part.name, part.seed, part.base, part.runs }
  each_jobs(part, function(jobs) list[#list + 1] = ("%016x"):format(print_of(jobs)) end)
  return table.concat(list, " ")
end

-- Half the interval of the mean of paired differences over samples of a part.
function workloads.half_width(part, differences, summary, level)
  if part.by and summary.sd - summary.sd == 0 then
    return (select(3, parts.ends(part.by, differences, level)))
  end
  return family.half_width(summary, level)
end

-- The summary of paired differences over samples of a part, with its 95% interval.
function workloads.summary(part, differences)
  local summary = core.values.summary(differences)
  summary.half_width = workloads.half_width(part, differences, summary, 0.95)
  return summary
end

return workloads
