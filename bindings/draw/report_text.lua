-- report_text: the comparison in words, and as Lua code that repeats it.

local axis = require "orrery.draw.axis"
local core = require "orrery.core"
local catalogue = require "orrery.host.catalogue"
local literals = require "orrery.support.literals"
local sorted = require("orrery.support.names").sorted
local policies = require "orrery.host.policies"
local results = require "orrery.run.results"
local times = require "orrery.support.clock"

local report_text = {}

local plural = require("orrery.support.numbers").counted

-- "a, b and c"
local function listed(list)
  if #list < 2 then return list[1] or "" end
  return table.concat(list, ", ", 1, #list - 1) .. " and " .. list[#list]
end

-- --- the question -------------------------------------------------------------------------------

local function failures(spec)
  local list = {}
  local errors = spec.errors or {}
  if errors.mean_probability and errors.mean_probability > 0 then
    list[1] = ("a job fails with a mean probability of %g and runs again"):format(
      errors.mean_probability)
  elseif errors.rate and errors.rate > 0 then
    list[1] = ("jobs fail at a rate of %g per processor and second and run again"):format(
      errors.rate)
  elseif spec.failures then
    list[1] = "jobs fail as often as the given counts say, and run again"
  end
  local nodes = spec.node_failures
  if nodes then
    local mtbf = nodes.mtbf and (times.span(tostring(nodes.mtbf)) or nodes.mtbf)
      or nodes.mtbf_years and nodes.mtbf_years * times.YEAR
    list[#list + 1] = mtbf and ("a node fails every %s in the mean"):format(axis.span(mtbf))
      or nodes.domains and "nodes fail together, in domains" or "nodes fail as a file says"
  end
  local period = spec.checkpoint and (spec.checkpoint.period or "young")
  if period then
    list[#list + 1] = period == "none" and "jobs write checkpoints on demand"
      or type(period) == "number" and ("jobs write a checkpoint every %s of work"):format(
        axis.span(period)) or ("jobs write checkpoints (%s)"):format(period)
    local before = spec.checkpoint.before
    if before then
      list[#list] = list[#list] .. (" (also before: %s)"):format(type(before) == "table"
        and table.concat(before, ", ") or before)
    end
    if spec.checkpoint.requeue_killed then
      list[#list + 1] = "killed jobs wait again with what they saved"
    end
  end
  local faults = spec.faults
  if faults and not faults.log then
    local mtbf = faults.mtbf or faults.mtbf_years and faults.mtbf_years * times.YEAR
    if mtbf and mtbf < math.huge then
      list[1] = ("a processor fails every %s in the mean"):format(axis.span(mtbf))
    end
  elseif faults then
    list[1] = "faults are those of a log"
  end
  return listed(list)
end

local function circumstances(result)
  local spec, list = result.spec, {}
  if spec.batch then list[1] = "all jobs are there at the start" end
  if spec.load and spec.load ~= 1 then
    list[#list + 1] = ("they come %g times as fast as in the log"):format(spec.load)
  end
  if spec.walltimes == "log" then list[#list + 1] = "the scheduler knows the log's walltimes" end
  if spec.overrun == "cap" then list[#list + 1] = "runtimes are cut off at the walltimes" end
  if spec.grace and spec.grace > 0 then
    list[#list + 1] = ("jobs may run %g s longer than their walltimes"):format(spec.grace)
  end
  if spec.instant and spec.instant ~= "batched" then
    list[#list + 1] = ("every event is decided on (%s)"):format(spec.instant)
  end
  if type(spec.walltimes) == "function" then
    list[#list + 1] = "the scheduler knows the runtimes that a function predicts"
  end
  local text = failures(spec)
  if text ~= "" then list[#list + 1] = text end
  return listed(list)
end

-- "Which of A and B is better ...?" and its background: the title, and the paragraph below.
function report_text.question(result)
  local names = {}
  for i in ipairs(result.policies) do names[i] = result:label(i) end
  local title = #names == 1 and ("What does %s make of it?"):format(names[1])
    or #names <= 4 and ("How do %s differ?"):format(listed(names))
    or ("How do these %d policies differ?"):format(#names)
  local all = 0
  for _, set in ipairs(result.sets) do all = all + set.count end
  local runs = result.runs == 1 and "one " .. result.kind.run
    or plural(result.runs, result.kind.run)
  local text = ("%s%s on %s, %s%s"):format(plural(all, result.kind.unit),
    #result.sets > 1 and (" in %d sets"):format(#result.sets) or "",
    results.machines_text(result), runs, #names > 1 and " each" or "")
  local more = circumstances(result)
  if more ~= "" then text = text .. "; " .. more end
  text = text .. "."
  if #names > 1 and result.runs > 1 then
    text = text .. (" Every policy meets the same %s: differences are paired."):format(
      result.kind.unit == "job" and "failures" or "tasks and faults")
  end
  return title, text
end

-- The dates of the submissions of the log's jobs; nil where it has no calendar.
function report_text.dates(result)
  local first, last, zone
  for _, set in ipairs(result.sets) do
    local jobs = set.jobs
    if jobs and #jobs > 0 and jobs.origin then
      local ends = core.values.quantiles(jobs:values "submit", { 0, 1 }) -- in no order of the log
      local from, to = times.date(ends[1], jobs), times.date(ends[2], jobs)
      zone = jobs.zone
      first, last = from < (first or "~") and from or first, to > (last or "") and to or last
    end
  end
  return first and ("The jobs were submitted from %s to %s %s."):format(first, last, zone)
end

-- --- policies -----------------------------------------------------------------------------------

local function option_text(described, given)
  local list = {}
  for i, name in ipairs(sorted(described or {})) do
    local value = given[name]
    if value == nil and type(described[name]) == "table" then value = described[name].default end
    list[i] = value == nil and name or ("%s = %s"):format(name, tostring(value))
  end
  return table.concat(list, ", ")
end

local function of_text(text, options)
  local name, own = policies.split_options(text)
  local ok, d = pcall(catalogue.describe, name)
  if not ok then return nil end
  local given = setmetatable(own or {}, { __index = options })
  return { text, d.about or "", d.source or "", option_text(d.options, given) }
end

local function of_function(f)
  local info = debug.getinfo(f, "S")
  return ("a function, %s:%d"):format(info.short_src, info.linedefined)
end

local add -- forward: policies have parts

local function of_table(given, options, rows)
  local inner = given.policy
  if inner ~= nil then
    add(inner, given.options or options, rows)
    if given.priority ~= nil then add(given.priority, given.options or options, rows) end
    return
  end
  local parts = 0
  for _, hook in ipairs { "on_end", "on_fault" } do
    if type(given[hook]) == "string" then
      parts = parts + 1
      add(given[hook], given.options or options, rows)
    end
  end
  if parts == 0 then
    rows[#rows + 1] = { given.name or "a table", given.about or "a table given in Lua",
      given.source or "", "" }
  end
end

function add(given, options, rows)
  if type(given) == "function" then
    rows[#rows + 1] = { of_function(given), "", "", "" }
  elseif type(given) == "table" then
    of_table(given, options, rows)
  elseif type(given) == "string" then
    local one = of_text(given, options)
    if one then
      rows[#rows + 1] = one
      return
    end
    local first, second = given:match "^(.*)%+(.*)$"
    if first then
      add(first, options, rows)
      add(second, options, rows)
    end
  end
end

-- The policies' descriptions: rows of name, about, source, options; each once.
function report_text.policies(result)
  local spec, rows, seen, kept = result.spec, {}, {}, {}
  local given = spec.policies or { spec.policy or nil }
  for _, policy in ipairs(given) do add(policy, spec.options, rows) end
  for _, pack in ipairs(type(spec.packs) == "table" and spec.packs or { spec.packs }) do
    add(pack, spec.options, rows)
  end
  if spec.priority ~= nil then add(spec.priority, spec.options, rows) end
  for _, row in ipairs(rows) do
    local key = row[1] .. "\0" .. row[4]
    if not seen[key] then
      seen[key] = true
      kept[#kept + 1] = row
    end
  end
  return kept
end

-- --- the comparison as Lua -----------------------------------------------------------------------

local HIDDEN = { progress = true, threads = true }

-- The call as Lua. A value that cannot be written becomes a name, with a comment about the value.
function report_text.lua(result)
  local kind = result.kind
  local lines = { 'local orrery = require "orrery"',
    ("local result = orrery.%s {"):format(result.k and "packs" or "compare") }
  for _, key in ipairs(literals.keys(result.spec)) do
    local value = result.spec[key]
    if not HIDDEN[key] then
      local text = literals.shown(value, function(f)
        return "f --[[ " .. of_function(f) .. " ]]"
      end)
      lines[#lines + 1] = ("  %s = %s,%s"):format(literals.key(key), text or key,
        text and "" or (" -- %s"):format(tostring(value):gsub("\n.*", "")))
    end
  end
  if result.spec.seed == nil then lines[#lines + 1] = ("  seed = %d,"):format(result.seed) end
  lines[#lines + 1] = "}"
  lines[#lines + 1] = ('print(result:summary(1, "%s").mean)'):format(kind.metric)
  return table.concat(lines, "\n")
end

return report_text
