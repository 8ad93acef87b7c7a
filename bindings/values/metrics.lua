-- metrics: names of metrics, and their form for people; schema/metrics.lua describes each.

local checks = require "orrery.support.checks"
local clock = require "orrery.support.clock"
local lists = require "orrery.support.lists"
local numbers = require "orrery.support.numbers"
local registry = require "orrery.schema.metrics"

-- Also the registry's tables `jobs`, `tasks` and `packs`, with `by_name`: the description of each
-- metric, with its name, and defaults filled in.
local metrics = setmetatable({}, { __index = registry })

local function capital(title) return title:sub(1, 1):upper() .. title:sub(2) end

-- The default form of numbers with a unit.
local SHOW = { s = "span", ["processor-seconds"] = "hours" }

local function filled(entry)
  local one = { name = entry[1], scale = entry.hours and 3600 or 1, title = entry[1]:gsub("_", " "),
    better = "less", formula = entry[3],
    format = (entry.hours or entry[2] == "integer") and "%.2f" or entry.unit == "" and "%.4f"
      or "%.6g" }
  for key, value in pairs(entry) do one[key] = value end
  one.label, one.plain = one.label or one.title, one.title
  if one.hours then one.title = one.title .. " (h)" end
  one.axis = one.axis or capital(one.title)
  one.show = one.show or entry[2] == "integer" and "%d" or SHOW[one.unit] or one.format
  return one
end

for _, kind in pairs(registry) do
  kind.by_name = {}
  for _, list in ipairs { kind.class, kind.more or {} } do
    for _, entry in ipairs(list) do kind.by_name[entry[1]] = filled(entry) end
  end
end

-- The metrics of jobs that commands know, and their sorted names.
metrics.known, metrics.names = {}, {}
for name, one in pairs(registry.jobs.by_name) do
  if not one.unnamed then
    metrics.known[name] = one
    table.insert(metrics.names, name)
  end
end
table.sort(metrics.names)

-- The numbers of each user.
metrics.of_users = checks.names_of "results.UserRow"

-- The description of a metric, by its name; a description is returned unchanged.
function metrics.of(name)
  if type(name) == "table" then return name end
  for _, kind in ipairs { "jobs", "tasks", "packs" } do
    if registry[kind].by_name[name] then return registry[kind].by_name[name] end
  end
  return filled { tostring(name) }
end

-- Whether a result of jobs is online: the jobs come over time, and the run is not a batch.
function metrics.is_online(result)
  if not result.kind.jobs or result.spec.batch then return false end
  for s in ipairs(result.sets) do
    local jobs = result.sets[s].jobs
    if #jobs > 1 and jobs[#jobs].submit > jobs[1].submit then return true end
  end
  return false
end

-- The description of a metric for single jobs: a wait, not a mean wait.
function metrics.of_a_job(name)
  local copy = lists.merged(metrics.of(name))
  local one = registry.jobs.per_job[copy.jobs]
  if one then copy.title = one.label .. (one.hours and " (h)" or "") end
  copy.axis = capital(copy.title)
  return copy
end

-- --- as text ------------------------------------------------------------------------------------

local function with_sign(format) return (format:gsub("%%", "%%+")) end

-- A mean, with its interval if it has one: half its width, or the summary that has it.
local function mean_text(format, scale, mean, half_width)
  local text = numbers.formatted(format, mean / scale)
  if type(half_width) == "table" then
    if half_width.low then
      return ("%s [%s, %s]"):format(text, numbers.formatted(format, half_width.low / scale),
        numbers.formatted(format, half_width.high / scale))
    end
    half_width = half_width.half_width
  end
  if half_width and half_width == half_width and half_width > 0 then
    text = text .. " ± " .. numbers.half_width(format, half_width / scale)
  end
  return text
end

-- The description of a metric for these values side by side: times in one unit, by the longest.
-- Functions that take the name of a metric also take this.
function metrics.among(name, values)
  local one = metrics.of(name)
  if not one.hours then return one end
  local unit, seconds = clock.unit(values)
  local title = (" (%s)"):format(unit)
  return setmetatable({ title = one.plain .. title, head = (one.head or one.plain) .. title,
    axis = capital(one.plain) .. title, scale = seconds }, { __index = one })
end

-- metrics.among for the means of a result; also the summaries of its policies.
function metrics.among_means(name, result)
  local means, summaries, metric = {}, {}, metrics.of(name).name
  for i in ipairs(result.policies) do
    summaries[i] = result:summary(i, metric)
    means[i] = summaries[i].mean
  end
  return metrics.among(name, means), summaries
end

-- The mean of a metric with its interval, given as half its width or by a summary.
function metrics.text(name, mean, half_width, sign)
  local one = metrics.of(name)
  return mean_text(sign and with_sign(one.format) or one.format, one.scale, mean, half_width)
end

-- A number of a metric with the ends of its interval; alone where they are open, or no numbers.
function metrics.text_between(name, value, low, high, sign)
  local one = metrics.of(name)
  local format = sign and with_sign(one.format) or one.format
  local text = numbers.formatted(format, value / one.scale)
  if high - low - (high - low) ~= 0 then return text end
  return text .. (" [%s, %s]"):format(format:format(low / one.scale),
    format:format(high / one.scale))
end

-- The p of a test.
function metrics.p_text(p) return p < 0.0001 and "< 0.0001" or numbers.formatted("%.4f", p) end

-- A mean with its interval in the table of a result.
function metrics.cell(one, summary)
  return mean_text(one.cell or one.format, one.cell_scale or one.scale, summary.mean,
    one.interval and summary)
end

-- The difference of a metric between two policies, from Result:weekly: with its interval, or, where
-- the weeks cannot tell, with the weeks themselves.
function metrics.weekly_text(name, weekly)
  local one = metrics.of(name)
  local signed = with_sign(one.format)
  local function text(key) return numbers.formatted(signed, weekly[key] / one.scale) end
  if weekly.low then
    return ("%s [%s, %s]%s"):format(text "mean", text "low", text "high",
      weekly.significant and " *" or "")
  end
  if weekly.happened then return text "mean" end
  return ("%s (%s%d of %d; %s, %s to %s)"):format(text "mean",
    weekly.sd and "cannot tell; weeks below 0: " or "", weekly.lower, weekly.count,
    text "median", text "least", text "most")
end

-- The title of a table of differences from a policy. correction: as family.correction gives it.
function metrics.weekly_title(base, weekly, correction)
  if weekly.sd and not weekly.happened then
    return ("difference from %s, 95%% interval over %d paired weeks (* %s)"):format(base,
      weekly.count, correction and "significant after " .. correction or "excludes 0")
  end
  if weekly.happened then
    return ("difference from %s, over %d paired weeks"):format(base, weekly.count)
  end
  return ("difference from %s; %d paired weeks are too few for an interval (weeks below 0; "
    .. "median, range)"):format(base, weekly.count)
end

-- The share of paired samples in which the second is better; and its name: where neither direction
-- is better, lower values count.
function metrics.better_share(name, first, second)
  local negative, positive = 0, 0
  for i, value in ipairs(second) do
    local difference = numbers.difference(first[i], value)
    negative = negative + (difference < 0 and 1 or 0)
    positive = positive + (difference > 0 and 1 or 0)
  end
  return metrics.better_part(name, { count = #second, negative = negative, positive = positive })
end

-- The same, of a difference that has its numbers of negative and positive ones.
function metrics.better_part(name, difference)
  local count = metrics.of(name).better == "more" and difference.positive or difference.negative
  return ("%.0f%%"):format(100 * count / difference.count)
end

function metrics.better_in(name)
  return metrics.of(name).better == "more" and "higher in" or "lower in"
end

-- The titles of a list of metrics, behind others.
function metrics.titles(list, ...)
  local titles = { ... }
  for _, name in ipairs(list) do titles[#titles + 1] = metrics.of(name).title end
  return titles
end

local SHOWN = {}

-- All values in one unit.
function SHOWN.span(values)
  local unit, seconds = clock.unit(values)
  local format = unit == "s" and "%.4g %s" or "%.2f %s"
  return function(value)
    return value == 0 and "0 " .. unit or format:format(value / seconds, unit)
  end
end

function SHOWN.share()
  return function(value) return ("%.1f%%"):format(100 * value) end
end

-- For many hours one digit behind the point suffices.
function SHOWN.hours()
  return function(value) return (value < 360000 and "%.6g" or "%.1f"):format(value / 3600) end
end

-- The form of these values of a metric for runs side by side: a function.
function metrics.shown(one, values)
  local make = SHOWN[one.show]
  return make and make(values) or function(value) return one.show:format(value) end
end

local function values_of(runs, name)
  local values = {}
  for i, run in ipairs(runs) do values[i] = run[name] end
  return values
end

local function any(list)
  return lists.find(list, function(value) return value ~= 0 end) ~= nil
end

-- Rows of texts, one metric each, with a column for each table of metrics of one run.
function metrics.account(runs)
  local rows, kind = {}, registry[runs[1].ratio and "jobs" or "tasks"]
  for _, name in ipairs(kind.account) do
    local one, values = kind.by_name[name], values_of(runs, name)
    local alone = one.beside and not any(values_of(runs, one.beside))
    if values[1] and not (one.rare and not any(values)) and not alone then
      local show = metrics.shown(one, values)
      -- A row behind the mean only has the rest of the label.
      local row = { one.jobs and not name:find "_mean$" and one.label:gsub("^.*,", " ")
        or one.label }
      for i, value in ipairs(values) do row[i + 1] = show(value) end
      rows[#rows + 1] = row
    end
  end
  return rows
end

-- Whether a table is the metrics of one run of jobs or tasks.
function metrics.are(value)
  return math.type(value.makespan) ~= nil and math.type(value.ratio or value.faults) ~= nil
end

-- --- columns ------------------------------------------------------------------------------------

local Columns = {}
Columns.__index = Columns

function Columns:has(metric) return self[1][metric] ~= nil end

function Columns:column(policy, metric)
  local column = self[policy][metric]
  if column then return column end
  error(("there is no metric '%s'%s (known: %s)"):format(tostring(metric), self.what,
    table.concat(self.known, ", ")), 0)
end

function Columns:scenario(policy, run)
  local one = {}
  for metric, column in pairs(self[policy]) do one[metric] = column[run] end
  return one
end

-- Metrics computed in Lua, run by run, for `count` policies: columns[policy][name][run], with the
-- methods that a result calls. `known` are their names; `what` names their object in errors.
function metrics.columns(count, known, what)
  local columns = setmetatable({ known = known, what = what or "" }, Columns)
  for i = 1, count do
    columns[i] = {}
    for _, name in ipairs(known) do columns[i][name] = {} end
  end
  return columns
end

return metrics
